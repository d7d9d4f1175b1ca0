"""Short scenes with one promise, lie, mistake or contradiction each, or with none (a decoy).

A file ``bank_outcomes_*.txt`` holds them: a line ``# kind status``, then the messages, ``name:
text`` or, of the player, ``name> text``. The words that a finding rests on stand in ``[[ ]]``.
``bank_apart_*.txt`` was written before its writer read the rules, which are not mended on it.
``bank_prose_*.txt`` is about what is over, by facet, and about things that show a lie; behind a
facet stand the people whom a longer chat would have made known.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engram_desktop.domain.claims.claim import Finding

FOLDER = Path(__file__).parent
LANGUAGES = ("zh", "en")
BANKS = ("outcomes", "apart", "prose")
_MESSAGE = re.compile(r"([^:>]+)([:>]) (.*)")
_MARKED = re.compile(r"\[\[(.*?)\]\]")
# The kinds of findings that the first banks are about; of superseded facts they say nothing.
BANK_KINDS = ("promise", "lie", "mistaken", "contradiction")


@dataclass(frozen=True)
class OutcomeScene:
    """``kind`` is that of a finding; of a decoy, ``status`` is the kind it may be taken for."""

    name: str
    language: str
    kind: str
    status: str
    player: str
    messages: tuple[tuple[str, str], ...]
    marked: tuple[tuple[int, str], ...]  # floor and words
    told_of: tuple[str, ...] = ()

    @property
    def people(self) -> list[str]:
        """Who speaks, as a longer chat shows them: a scene of three messages does not."""
        senders = dict.fromkeys((*(name for name, _text in self.messages), *self.told_of))
        return [name for name in senders if name not in ("旁白", "Narrator")]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of findings that it is about."""
        return (*BANK_KINDS, "superseded") if self.told_of else BANK_KINDS

    @property
    def is_held(self) -> bool:
        """Whether it is of the half that nobody reads while rules are mended.

        Scenes of one name tell the same in both languages, so they are of the same half.
        """
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 1

    def found(self, findings: Sequence[Finding]) -> Finding | None:
        """Return the finding that the scene is about, of a decoy one that must not be."""
        for finding in findings:
            if self.kind == "decoy":
                if finding.kind in self.kinds and any(
                    self._is_near(quote.floor, quote.text) for quote in finding.quotes
                ):
                    return finding
            elif finding.kind == self.kind:
                first, last = finding.quotes[0], finding.quotes[-1]
                is_of_two = self.kind in ("contradiction", "superseded")
                is_last = not is_of_two or last.floor == self.marked[-1][0]
                if is_last and self._is_near(first.floor, first.text):
                    return finding
        return None

    def _is_near(self, floor: int, quote: str) -> bool:
        quote = quote.strip()
        return any(
            floor == at and (words in quote or quote in words or _share(words, quote))
            for at, words in self.marked
        )


def _share(words: str, quote: str) -> bool:
    """Whether the end of one is the beginning of the other, by no less than four characters."""
    return any(
        one[-count:] == other[:count]
        for one, other in ((words, quote), (quote, words))
        for count in range(4, min(len(one), len(other)))
    )


def bank(language: str, of: str = "outcomes") -> list[OutcomeScene]:
    """Return the scenes of a language, from one of ``BANKS``."""
    count: Counter[str] = Counter()
    scenes = []
    text = (FOLDER / f"bank_{of}_{language}.txt").read_text("utf-8")
    for block in re.split(r"(?m)^# ", text)[1:]:
        head, *lines = block.strip().split("\n")
        kind, status, *people = head.split(maxsplit=2)
        told_of = tuple(",".join(people).split(",")) if people else ()
        head = f"{kind} {status}"
        count[head] += 1
        messages, marked, player = [], [], ""
        for floor, line in enumerate(lines):
            match = _MESSAGE.fullmatch(line)
            if match is None:
                raise ValueError(line)
            sender, mark, told = match.groups()
            player = sender if mark == ">" else player
            marked += [(floor, words) for words in _MARKED.findall(told)]
            messages.append((sender, told.replace("[[", "").replace("]]", "")))
        told = (player, tuple(messages), tuple(marked), told_of)
        scenes.append(OutcomeScene(f"{head} {count[head]}", language, kind, status, *told))
    return scenes
