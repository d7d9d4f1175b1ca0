"""Merges findings that are one: with the same words, of one speech, or about one lasting state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from engram_desktop.domain.claims.addresses import quote_of
from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.untruths import FloorSentences
from engram_desktop.domain.claims.wording import fold_thing

THOUGHT_NEAR = 2  # sentences between a speech and the thought or narration that denies it


def is_one_speech(
    lines: FloorSentences, places: dict[Quote, int], one: Finding, other: Finding
) -> bool:
    """Return whether two lies are consecutive sentences of one speech.

    ``places`` caches the index of a quote among the sentences of its floor.
    """
    if one.kind != "lie" or one.who != other.who or not one.who:
        return False
    rows = lines.at(one.quotes[0].floor)
    for said in (one.quotes[0], other.quotes[0]):
        if said not in places:
            held = (n for n, line in enumerate(rows) if said.text in line.quote)
            places[said] = next(held, -1)
    first, last = sorted((places[one.quotes[0]], places[other.quotes[0]]))
    speech = rows[first : last + 1]
    is_near = first >= 0 and last - first <= THOUGHT_NEAR
    return is_near and all(line.speaker in (one.who[0], "") for line in speech)


def status_of(finding: Finding | None) -> int:
    """Return the rank of a finding: 0 for none, 2 for one that came out, else 1."""
    if finding is None:
        return 0
    return 2 if finding.status in ("found_out", "corrected") else 1


def each_once(
    found: Iterable[Finding], is_one: Callable[[Finding, Finding], bool]
) -> list[Finding]:
    """Return the findings, with one for each group that quotes the same words of the same floors.

    A finding of a rule and one of a model are one if one quotes a part of the other's words;
    ``is_one`` adds further cases. The one that came out is kept.
    """
    unique: dict[str, Finding] = {}
    for finding in found:
        unique.setdefault(finding.id, finding)
    kept: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in unique.values():
        same = kept[finding.kind, finding.floors[0]]
        at = next(
            (n for n, o in enumerate(same) if _quotes_same(o, finding) or is_one(o, finding)), None
        )
        if at is None:
            same.append(finding)
        elif status_of(finding) > status_of(same[at]):
            same[at] = finding
    return [finding for same in kept.values() for finding in same]


def _stays_with(finding: Finding, claims: Mapping[tuple[str, str], Sequence[Claim]]) -> bool:
    """Return whether a thing only moves, with the same owner: from the hand to the neck."""
    if finding.facet != "place":
        return False
    of = claims.get((fold_thing(finding.about), "owner"), ())
    had = [
        {c.value for c in of if c.floor == quote.floor and quote_of(c) == quote}
        for quote in finding.quotes
    ]
    return not had[0].isdisjoint(had[-1] - {"-"})


def of_one_kind(
    found: Sequence[Finding], claims: Mapping[tuple[str, str], Sequence[Claim]]
) -> list[Finding]:
    """Return the findings; of those about a thing's place and its owner, the last one."""
    lost = {  # it has no place and no owner: its former place is what is over
        (f.quotes[-1], thing)
        for f in found
        if f.facet == "owner" and (thing := fold_thing(f.about))
        for c in claims.get((thing, "owner"), ())
        if c.value == "-" and quote_of(c) == f.quotes[-1]
    }
    best: dict[tuple[Quote, str], Finding] = {}
    for finding in found:
        if finding.kind == "superseded" and finding.facet in ("owner", "place"):
            key = (finding.quotes[-1], fold_thing(finding.about))
            other = best.setdefault(key, finding)
            newer = finding.quotes[0].floor - other.quotes[0].floor
            is_had = finding.facet == ("place" if key in lost else "owner")
            if newer > 0 or (newer == 0 and is_had):
                best[key] = finding
    return [
        f
        for f in found
        if f.kind != "superseded"
        or f.facet not in ("owner", "place")
        or (best[f.quotes[-1], fold_thing(f.about)] is f and not _stays_with(f, claims))
    ]


def _quotes_same(one: Finding, other: Finding) -> bool:
    both = one.kind in ("superseded", "contradiction")
    pairs = list(zip(one.quotes, other.quotes, strict=False))
    return all(
        a.floor == b.floor and (a.text in b.text or b.text in a.text)
        for a, b in (pairs if both else pairs[:1])
    )
