"""Short scenes with one promise, lie, mistake or contradiction each, or with none (a decoy).

A file ``bank_outcomes_*.txt`` holds them: a line ``# kind status``, then the messages, ``name:
text`` or, of the player, ``name> text``. The words that a finding rests on stand in ``[[ ]]``.
``bank_apart_*.txt`` was written before its writer read the rules, which are not mended on it.
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
BANKS = ("outcomes", "apart")
_MESSAGE = re.compile(r"([^:>]+)([:>]) (.*)")
_MARKED = re.compile(r"\[\[(.*?)\]\]")
# The kinds of findings that the bank is about; of superseded facts it says nothing.
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

    @property
    def people(self) -> list[str]:
        """Who speaks, as a longer chat shows them: a scene of three messages does not."""
        senders = dict.fromkeys(name for name, _text in self.messages)
        return [name for name in senders if name not in ("旁白", "Narrator")]

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
                if finding.kind in BANK_KINDS and any(
                    self._is_near(quote.floor, quote.text) for quote in finding.quotes
                ):
                    return finding
            elif finding.kind == self.kind:
                first, last = finding.quotes[0], finding.quotes[-1]
                is_last = self.kind != "contradiction" or last.floor == self.marked[-1][0]
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
        kind, status = head.split()
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
        name = f"{kind} {status} {count[head]}"
        scenes.append(
            OutcomeScene(name, language, kind, status, player, tuple(messages), tuple(marked))
        )
    return scenes
