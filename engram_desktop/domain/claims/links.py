"""Which earlier words a claim of a model ends, keeps, denies or clashes with.

A model copies these words (`Claim.of`) from the block it reads or from the list of claims that
still hold (`standing`). They are searched in its earlier claims, then in all sentences; words not
found before the claim are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.addresses import ended, lie_of, quote_of
from engram_desktop.domain.claims.answer import DENIALS
from engram_desktop.domain.claims.claim import Claim, Finding
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

OUTCOMES = ("keeps", "breaks", "drops")
_LEAST = 4  # letters of a piece of a quote: shorter ones are in many sentences
_NEWEST = 2_000  # claims searched for a piece of a quote, .2 ms
_BACK = 1_000  # floors back searched for a sentence that no claim quotes
_NEVER_OVER = frozenset(("will", "deed", "was_at", "origin"))  # past deeds cannot be over
_LOOKED_AT = 12  # newest of the floors that contain all its words


def is_piece(one: str, other: str) -> bool:
    """Return whether one of two bare texts contains the other and is long enough to identify it."""
    return one == other or (min(len(one), len(other)) >= _LEAST and (one in other or other in one))


@dataclass
class Cited:
    """A model's claims so far, by bare words; for equal words, the newest one."""

    claims: dict[str, Claim] = field(default_factory=dict)

    def copy(self) -> Cited:
        """Return an independent copy."""
        return Cited(dict(self.claims))

    def add(self, claim: Claim) -> None:
        """Add a claim of a model, which later claims can cite."""
        words = bare(claim.quote)
        self.claims.pop(words, None)  # reinserted, as the newest is last
        self.claims[words] = claim

    def meant(self, claim: Claim, lines: FloorTexts) -> Claim | None:
        """Return the earlier claim that a claim cites; None if there is none."""
        words = bare(claim.of or "")
        if not words:
            return None
        known = self.claims.get(words)
        if known is None:
            newest = islice(reversed(self.claims.items()), _NEWEST)
            known = next((c for told, c in newest if is_piece(words, told)), None)
        known = known if known is not None else _said(claim, words, lines)
        place = (claim.floor, claim.start)
        return known if known is not None and (known.floor, known.start) < place else None


def _said(claim: Claim, words: str, lines: FloorTexts) -> Claim | None:
    """Return the newest sentence with these bare words before a claim."""
    units = words_of(claim.of or "").units
    first = max(0, claim.floor - _BACK)
    floors = list(lines.with_words(first, claim.floor, units, max(1, len(units))))
    for floor in sorted(floors, reverse=True)[:_LOOKED_AT]:
        for line in reversed(lines.at(floor)):
            is_before = (line.floor, line.start) < (claim.floor, claim.start)
            if is_before and line.how != "ooc" and is_piece(words, bare(line.quote)):
                return line
    return None


def linked(old: Claim, new: Claim) -> Finding | None:
    """Return the finding of a claim about earlier words; None for promises."""
    if new.sign == "clashes":
        who = tuple(dict.fromkeys(name for name in (old.speaker, new.speaker) if name))
        quotes = (quote_of(old), quote_of(new))
        return Finding("contradiction", "open", who, old.about or new.about, old.facet, quotes)
    if new.sign in DENIALS:
        return denied(old, new)
    is_over = new.sign in ("", "ends") and new.floor > old.floor and old.how != "thought"
    is_over = is_over and not {old.facet, new.facet} & _NEVER_OVER
    return ended(old, new) if is_over else None


def denied(said: Claim, denial: Claim) -> Finding:
    """Return the lie or mistake that earlier words are, according to a model."""
    if denial.sign != "errs":
        later = denial.sign == "admits" or (denial.how != "thought" and denial.floor > said.floor)
        return lie_of(said, denial, found_out=later)
    knows = denial.how != "narrated" and said.speaker in (denial.speaker, *denial.hearers)
    aware = () if denial.how == "narrated" else (denial.speaker, *denial.hearers)
    return Finding(
        "mistaken",
        "corrected" if knows else "held",
        (said.speaker,) if said.speaker else (),
        said.about or said.speaker,
        said.facet,
        (quote_of(said), quote_of(denial)),
        known_to=tuple(filter(None, aware)),
    )


# Claims of earlier blocks repeated to a model, so that it can report their outcome.


_PASSING = ("was_at", "deed", "other")  # states of no duration: repeated only as possible lies
_SETTLES = ("keeps", "breaks", "drops", "admits", "errs")  # nothing follows after these


def standing(claims: Iterable[Claim], most: int) -> list[Claim]:
    """Return the ``most`` claims of a model that still hold, in the order of the story.

    Open promises come first, then facts, then possible lies; of each kind the newest. A claim is
    left out only if a later one cites and settles it. A doubt does not settle it, nor does
    narration that shows a lie: the liar may still admit it.
    """
    left: dict[str, Claim] = {}
    for claim in claims:
        words = bare(claim.of or "")
        if words:
            cited = [told for told in left if is_piece(words, told)]
            for told in cited:
                if _is_settled(left[told], claim):
                    del left[told]
        if claim.sign in ("", "vow", "ends") and claim.how != "thought":
            left[bare(claim.quote)] = claim
    newest = sorted(left.values(), key=lambda c: (_rank(c), -c.floor))[:most]
    return sorted(newest, key=lambda c: (c.floor, c.start))


def _is_settled(old: Claim, new: Claim) -> bool:
    """Return whether a claim that cites earlier words settles them."""
    if old.facet == "will":
        return new.sign in OUTCOMES or new.sign == "vow"
    is_over = new.sign in ("", "ends") and not {old.facet, new.facet} & _NEVER_OVER
    return new.sign in _SETTLES or is_over


def _rank(claim: Claim) -> int:
    return 0 if claim.facet == "will" else 2 if claim.facet in _PASSING else 1
