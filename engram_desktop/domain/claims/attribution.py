"""The speaker of each sentence of a message, as claims record it: not all are the sender's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.people import short_forms
from engram_desktop.domain.text.sentences import bare, remarks
from engram_desktop.domain.values import dataclass

_SURE = 4  # letters: a shorter sentence would be found within many others

_SENTENCE_END = re.compile(r"[。！？!?…]|\.(?=\s)")

SaidHow = Literal["said", "thought", "written", "narrated", "no_story"]


@dataclass(frozen=True, slots=True)
class SaidBy:
    """How and by whom a sentence is said; ``speaker`` is "" if unknown.

    ``hearer`` is the person spoken to, as far as the text says. ``repeated`` are words of another
    person in it, ``repeated_of`` is that person. ``no_story``: a dream, a play, or out of
    character. ``about`` is the person whom narration is about.
    """

    how: SaidHow
    speaker: str = ""
    hearer: str = ""
    repeated: str = ""
    repeated_of: str = ""
    about: str = ""


class Attribution:
    """The speakers in one message. ``lines`` are its claims, one per sentence."""

    def __init__(self, text: str, lines: Iterable[Claim], sender: str) -> None:
        self._sender = sender
        self._text = text
        self._claims = tuple(lines)
        self._lines: dict[str, list[Claim]] = {}
        for claim in self._claims:
            self._lines.setdefault(bare(claim.quote), []).append(claim)
        self._outside = [bare(text[start:end]) for start, end in remarks(text)]
        self._unreal = [bare(words) for words in _unreal(text)]
        # speakers, in the order of the text
        self.speakers = [
            c.speaker for c in self._claims if not c.depth and c.how == "said" and c.speaker
        ]

    def is_story(self, text: str) -> bool:
        """Return whether a text is part of the story: not a dream and not a player's remark."""
        if not self._unreal and not self._outside:
            return True
        letters = bare(text)
        if any(
            letters and (letters in words or words in letters) for words in self._outside if words
        ):
            return False
        is_unreal = bool(letters) and any(letters in words for words in self._unreal)
        return not is_unreal or bool(self._found(letters))

    def within(self, shown: str) -> Attribution:
        """Return the speakers in a part of the message; of hearers only those it names."""
        if shown == self._text:
            return self

        def kept(name: str) -> str:
            return name if name == self._sender or _stands_in(name, shown) else ""

        claims = [
            replace(c, hearers=tuple(filter(kept, c.hearers)))
            for c in self._claims
            if c.quote in shown
        ]
        return Attribution(shown, claims, self._sender)

    def of(self, sentence: str) -> SaidBy:
        """Return how and by whom a quoted sentence is said."""
        found = self._found(bare(sentence))
        if not found:
            return SaidBy("said", self._sender) if self.is_story(sentence) else SaidBy("no_story")
        own = [claim for claim in found if not claim.depth]
        repeated = next((claim for claim in found if claim.depth), None)
        if not own:
            outer = found[0].hearers[0] if found[0].hearers else ""
            return SaidBy("said", outer, "", found[0].quote, self._named(found[0].speaker))
        first = own[0]
        if first.how not in ("said", "thought", "written"):
            return SaidBy("narrated", about=first.about)
        is_one = len({claim.speaker for claim in own if claim.how == first.how}) == 1
        said = SaidBy(
            first.how, first.speaker if is_one else "", first.hearers[0] if first.hearers else ""
        )
        if repeated is None:
            return said
        return replace(said, repeated=repeated.quote, repeated_of=self._named(repeated.speaker))

    def speaker_before(self, words: str) -> str | None:
        """Return the last speaker before these words of the message, "" for an unknown one.

        None if there is no speech, or the sender is mentioned in between, whom a pronoun may mean.
        """
        place = self._text.find(words)
        last: Claim | None = None
        last_end = at = 0
        for claim in self._claims:
            start = self._text.find(claim.quote, at)
            if start < 0 or start >= place:
                continue
            at = start
            if claim.how == "said" and not claim.depth:
                last, last_end = claim, start + len(claim.quote)
        if last is None or _stands_in(self._sender, self._text[last_end:place]):
            return None
        return last.speaker

    def _named(self, name: str) -> str:
        """Return the name if it is in the message: a pronoun alone may mean anyone."""
        return name if _stands_in(name, self._text) else ""

    def _found(self, letters: str) -> Sequence[Claim]:
        if not letters:
            return ()
        if letters in self._lines:
            return self._lines[letters]
        is_sure = len(letters) >= _SURE
        return [
            claim
            for words, claims in self._lines.items()
            if (len(words) >= _SURE and words in letters) or (is_sure and letters in words)
            for claim in claims
        ]


@dataclass(frozen=True, slots=True)
class Attributions:
    """Attributions of the messages of a chat, by message id."""

    by_message: Mapping[str, Attribution]


def _unreal(text: str) -> Iterator[str]:
    """Yield the ranges of dreams and plays: from such a sentence to the end of its line."""
    low = text.casefold()
    if not any(marker.may_match(low) for marker in (rules_zh.DREAM, rules_en.DREAM)):
        return
    for line in text.split("\n"):
        found = rules_zh.DREAM.search(line) or rules_en.DREAM.search(line)
        if found is not None:
            before = list(_SENTENCE_END.finditer(line, 0, found.start()))
            yield line[before[-1].end() if before else 0 :]


def _stands_in(name: str, text: str) -> bool:
    return bool(name) and any(form in text for form in (name, *short_forms(name)))
