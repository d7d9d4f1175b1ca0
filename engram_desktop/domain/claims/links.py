"""Which earlier words a claim of a model ends, keeps, denies or clashes with.

A model copies these words (`Claim.of`) from the block it reads or from the list of what still
stands (`standing`). They are looked up among what it read before, then among all sentences; words
that stand nowhere before the claim say nothing.
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
_LEAST = 4  # letters of a piece of a quote: less is in many sentences
_NEWEST = 2_000  # claims among which a piece of a quote is looked for, .2 ms
_BACK = 1_000  # floors back in which a sentence is looked for that no claim quotes
_NEVER_OVER = frozenset(("will", "deed", "was_at", "origin"))  # what was done, was done
_LOOKED_AT = 12  # of these floors, the newest: they hold all its words


def is_piece(one: str, other: str) -> bool:
    """Whether one of two bare texts holds the other, and that is long enough to tell by."""
    return one == other or (min(len(one), len(other)) >= _LEAST and (one in other or other in one))


@dataclass
class Cited:
    """What a model read so far, by its bare words; of the same words what was said last."""

    claims: dict[str, Claim] = field(default_factory=dict)

    def copy(self) -> Cited:
        """Return what goes on by itself."""
        return Cited(dict(self.claims))

    def add(self, claim: Claim) -> None:
        """Add a claim of a model; it is looked up from then on."""
        words = bare(claim.quote)
        self.claims.pop(words, None)  # what was said last stands last
        self.claims[words] = claim

    def meant(self, claim: Claim, lines: FloorTexts) -> Claim | None:
        """Return what was said before a claim in the words that it cites; None for nothing."""
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
    """Return the newest sentence with these bare words that stands before a claim."""
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
    """Return what follows from a claim about earlier words; of promises nothing."""
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
    """Return the lie or the mistake that a model says earlier words are."""
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


# What of earlier blocks a model is told again, so that it can say what became of it.


_PASSING = ("was_at", "deed", "other")  # nothing that goes on: told again only as a lie may be
_SETTLES = ("keeps", "breaks", "drops", "admits", "errs")  # after these nothing more comes of it


def standing(claims: Iterable[Claim], most: int) -> list[Claim]:
    """Return the ``most`` claims of a model that still stand, in the order of the story.

    Promises that nothing became of come first, then facts, then what may be a lie; of each kind the
    newest. A claim is left out only when a later one cites it and settles it. Somebody's doubt does
    not settle it, nor does narration that gives a lie away: the liar may still admit it.
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
    """Whether nothing more comes of earlier words, by a claim that cites them."""
    if old.facet == "will":
        return new.sign in OUTCOMES or new.sign == "vow"
    is_over = new.sign in ("", "ends") and not {old.facet, new.facet} & _NEVER_OVER
    return new.sign in _SETTLES or is_over


def _rank(claim: Claim) -> int:
    return 0 if claim.facet == "will" else 2 if claim.facet in _PASSING else 1
