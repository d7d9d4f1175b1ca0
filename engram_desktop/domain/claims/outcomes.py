"""What became of promises: kept, broken or given up, by what is told after them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.wording import BACK, HANDS, ClaimWords, words_of
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_WAITED = 1500  # floors after a promise in which its outcome is looked for: a long arc
_LOOKED_AT = 40  # floors, the first, that are read for what became of a promise
_LIKELY = 0.5  # of the content words of a promise, told again later as done
_SURELY = 3  # words of a promise told again that need no name beside them
_DONE = re.compile(
    r"了|过|已|终于|完成"
    r"|(?<![A-Za-z])(?:\w+ed|has|have|had|was|were|is|can|took|brought|taught|gave|found|paid"
    r"|spoke|kept|saw|made|bought"
    r"|sent|put|came|went|sends|hands|gives|brings|lifts|tells|telephoned)(?![A-Za-z])"
    r"|['’]s(?= \w+ing\b)"
)
_BACK = re.compile("回到|回来|赶回|归来")
_HANDS = re.compile("递|还给|还了|还你|交还|归还|物归原主|双手奉")
_WANTS_BACK = re.compile("回来|来见")
_WANTS_HAND = re.compile("还给|还你|就还|交给|送给")
_UNDONE = re.compile(r"没|不|(?<![A-Za-z])(?:will|not|never)(?![A-Za-z])|['’]ll|n['’]t")
_STRONG = re.compile("食言|失约|爽约|违背|promise|word|vow")


@dataclass
class Outcomes:
    """Finds what became of promises in the lines after them."""

    lines: FloorTexts
    last_floor: int
    _signs: dict[str, list[Claim]] = field(default_factory=dict)

    def promises(self, facts: Sequence[Claim]) -> list[Finding]:
        """Return the promises of a line with what became of each."""
        given = [
            c for c in facts if c.facet == "will" and c.how in ("said", "written") and c.speaker
        ]
        for claim in facts:
            if claim.sign in ("keeps", "breaks", "drops") and claim.how != "ooc":
                self._signs.setdefault(claim.sign, []).append(claim)
        outcomes = {id(c): self._by_words(c) for c in given}
        by_speaker: dict[str, list[Claim]] = {}
        for claim in given:
            by_speaker.setdefault(claim.speaker, []).append(claim)
        self._by_signs(by_speaker, outcomes)
        return [self._finding(c, outcomes[id(c)]) for c in given]

    def _finding(self, claim: Claim, outcome: tuple[str, Quote] | None) -> Finding:
        status, answer = outcome if outcome is not None else ("open", None)
        quotes = (Quote(claim.floor, claim.quote.strip()), *((answer,) if answer else ()))
        who = (claim.speaker, *(n for n in (claim.about,) if n and n != claim.speaker))
        return Finding("promise", status, who, claim.about, "will", quotes, claim.trigger)

    def _by_words(self, claim: Claim) -> tuple[str, Quote] | None:
        """Return what the words of a promise come to, where they are told again as done."""
        quote = claim.quote.replace(claim.trigger, " ") if claim.trigger else claim.quote
        words = words_of(quote)
        whole = words_of(claim.quote)
        if not words.units:
            words = whole
        people = [n for n in (claim.speaker, claim.about) if n]
        last = min(self.last_floor, claim.floor + _WAITED)
        hands = _WANTS_HAND.search(claim.quote) is not None
        back = _WANTS_BACK.search(claim.quote) is not None
        least = 2 if len(words.units) > 2 else 1
        floors = set(self.lines.with_words(claim.floor + 1, last, whole.units, least))
        if hands or back:
            deeds = [HANDS] * hands + [BACK] * back
            floors |= set(self.lines.with_words(claim.floor + 1, last, deeds))
        for floor in sorted(floors)[:_LOOKED_AT]:
            for line in self.lines.at(floor):
                if line.sign in ("asked", "unreal") or line.how == "ooc" or line.depth:
                    continue
                found = self._told_again(line, claim, words, whole, people, hands=hands, back=back)
                if found:
                    return found, Quote(line.floor, line.quote.strip())
        return None

    def _told_again(
        self,
        line: Claim,
        claim: Claim,
        words: ClaimWords,
        whole: ClaimWords,
        people: Sequence[str],
        *,
        hands: bool,
        back: bool,
    ) -> str:
        told = words_of(line.quote)
        shared = told.shared(words)
        is_of = line.speaker in people or line.about in people
        is_of = is_of or any(name in line.quote for name in people)
        if line.sign in ("breaks", "drops") and is_of and (shared or told.shared(whole)):
            return "broken" if line.sign == "breaks" else "given_up"
        if line.sign == "keeps" and line.speaker == claim.speaker and shared:
            return "kept"
        if not is_of and shared < _SURELY:
            return ""
        giver = claim.speaker in (line.speaker, line.about) or claim.speaker in line.quote
        if hands and giver and _HANDS.search(line.quote) and line.how == "narrated":
            return "kept"
        if back and giver and _BACK.search(line.quote) and line.how == "narrated":
            return "kept"
        enough = shared >= 2 or (shared and shared >= _LIKELY * len(words.units))
        is_done = enough and _DONE.search(line.quote) and not _UNDONE.search(line.quote)
        return "kept" if is_done else ""

    def _by_signs(
        self,
        given: Mapping[str, Sequence[Claim]],
        outcomes: dict[int, tuple[str, Quote] | None],
    ) -> None:
        """Lay “as I promised” and the like beside the newest open promise of the same speaker."""
        for sign, status in (("keeps", "kept"), ("breaks", "broken"), ("drops", "given_up")):
            for mark in self._signs.get(sign, ()):
                who = mark.speaker or mark.about
                if mark.is_model and mark.about in given:
                    who = mark.about  # a model names whose promise it is
                own = given.get(who, ())
                best = self._meant(mark, own, outcomes, is_weak=sign != "keeps")
                if best is not None:
                    outcomes[id(best)] = (status, Quote(mark.floor, mark.quote.strip()))

    def _meant(
        self,
        mark: Claim,
        given: Iterable[Claim],
        outcomes: dict[int, tuple[str, Quote] | None],
        *,
        is_weak: bool,
    ) -> Claim | None:
        words = words_of(f"{mark.quote} {mark.value}" if mark.is_model else mark.quote)
        candidates = [
            c
            for c in given
            if c.floor < mark.floor <= c.floor + _WAITED
            and (outcomes[id(c)] is None or mark.is_model)
        ]
        if is_weak or mark.is_model:
            strong = _STRONG.search(mark.quote)
            candidates = [c for c in candidates if strong or words_of(c.quote).shared(words)]
        return max(
            candidates, key=lambda c: (words_of(c.quote).shared(words), c.floor), default=None
        )
