"""The filter of a list of events: facets combined with and, or, and not.

An event is shown if it meets at least one facet of each group, and none of the excluded ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from engram_desktop.domain.values import dataclass

FacetField = Literal[
    "status",
    "level",
    "kind",
    "confidence",
    "extractor",
    "stale",
    "locked",
    "entity",
    "keyword",
    "finding",
]
Combining = Literal["alone", "and", "or", "not"]
FIELDS: tuple[FacetField, ...] = get_args(FacetField)
OUTLINE = "outline"  # the value of `level` for outlines of any level
YES = "1"  # the value of facets that only are or are not
MOST_FACETS = 40  # in one filter: many more than anybody sets, far fewer than SQL takes


@dataclass(frozen=True, slots=True, order=True)
class Facet:
    """One property of events.

    Entities are given by name, so that a facet means the same in every chat.
    """

    field: FacetField
    value: str

    @property
    def is_named(self) -> bool:
        """Whether its values are unlimited in number and not a column of events."""
        return self.field in {"entity", "keyword", "finding"}


# Events with a floor that a finding quotes. Findings are not rows: these events are computed before
# a query, and their keys replace `YES` as a JSON list.
WITH_FINDING = Facet("finding", YES)


@dataclass(frozen=True, slots=True)
class EventKey:
    """The facets of an event that are columns."""

    status: str
    level: int
    kind: str
    confidence: str
    extractor: str
    is_stale: bool
    is_locked: bool

    def meets(self, facet: Facet) -> bool:
        """Return whether such an event has a facet that is a column."""
        value = facet.value
        match facet.field:
            case "status":
                return self.level == 0 and self.status == value
            case "level":
                return self.level >= 1 if value == OUTLINE else str(self.level) == value
            case "stale":
                return self.is_stale
            case "locked":
                return self.is_locked
            case _:
                return bool(getattr(self, facet.field) == value)


@dataclass(frozen=True, slots=True)
class Facets:
    """An expression over facets. An empty one is false, and passes every event."""

    groups: tuple[tuple[Facet, ...], ...] = ()
    excluded: tuple[Facet, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.groups or self.excluded)

    @property
    def wanted(self) -> tuple[Facet, ...]:
        return tuple(facet for group in self.groups for facet in group)

    @property
    def named(self) -> tuple[Facet, ...]:
        """All entities and keywords in it, each once."""
        every = (*self.wanted, *self.excluded)
        return tuple(dict.fromkeys(facet for facet in every if facet.is_named))

    def combined(self, facet: Facet, how: Combining) -> Facets:
        """Add a facet; one that is already set in the same way is removed."""
        if how == "alone":
            alone = Facets(((facet,),))
            return Facets() if self == alone else alone
        if how == "not":
            if facet in self.excluded:
                return self.without(facet)
            rest = self.without(facet)
            return replace(rest, excluded=(*rest.excluded, facet))
        if facet in self.wanted:
            return self.without(facet)
        rest = self.without(facet)
        if how == "or" and rest.groups:
            *first, last = rest.groups
            return replace(rest, groups=(*first, (*last, facet)))
        return replace(rest, groups=(*rest.groups, (facet,)))

    def without(self, facet: Facet) -> Facets:
        groups = (tuple(f for f in group if f != facet) for group in self.groups)
        return Facets(
            tuple(group for group in groups if group), tuple(f for f in self.excluded if f != facet)
        )

    def without_fields(self, *fields: FacetField) -> Facets:
        """Return the expression without some fields, under which their values are counted."""
        kept = (g for g in self.groups if any(f.field not in fields for f in g))
        return Facets(tuple(kept), tuple(f for f in self.excluded if f.field not in fields))

    def exchanged(self, facet: Facet, other: Facet) -> Facets:
        """Return the expression with one facet replaced by another."""

        def of(group: tuple[Facet, ...]) -> tuple[Facet, ...]:
            return tuple(other if f == facet else f for f in group)

        return Facets(tuple(of(group) for group in self.groups), of(self.excluded))

    def lets(self, has: Iterable[Facet], key: EventKey) -> bool:
        """Return whether an event like ``key``, with these entities and keywords, passes."""
        named = frozenset(has)

        def holds(facet: Facet) -> bool:
            return facet in named if facet.is_named else key.meets(facet)

        return all(any(holds(f) for f in group) for group in self.groups) and not any(
            holds(f) for f in self.excluded
        )


@dataclass(frozen=True, slots=True)
class FacetCube:
    """The number of events of each kind, from which all counts of facets are summed.

    ``facets`` are the current filter, which the cells do not apply; ``every`` is the number of
    events without it.
    """

    cells: tuple[tuple[EventKey, tuple[Facet, ...], int], ...] = ()
    facets: Facets = Facets()
    every: int = 0

    def count(self, facet: Facet) -> int:
        """Count the events with a facet, under the filter for all other fields."""
        same: tuple[FacetField, ...] = ("status", "level")
        fields = same if facet.field in same else (facet.field,)
        beside = self.facets.without_fields(*fields)
        return self.total(replace(beside, groups=(*beside.groups, (facet,))))

    def total(self, facets: Facets | None = None) -> int:
        """Count the events that pass; by default, those that are shown."""
        asked = self.facets if facets is None else facets
        return sum(count for key, named, count in self.cells if asked.lets(named, key))

    def exchanged(self, facet: Facet, other: Facet) -> FacetCube:
        """Return the counts with one facet replaced by another."""
        cells = tuple(
            (key, tuple(other if f == facet else f for f in named), count)
            for key, named, count in self.cells
        )
        return FacetCube(cells, self.facets.exchanged(facet, other), self.every)

    def values(self, field: FacetField) -> tuple[str, ...]:
        """Return all values of a column, in order."""
        return tuple(sorted({str(getattr(key, field)) for key, _named, _count in self.cells}))


def facets_to_json(facets: Facets) -> str:
    """Serialise an expression; `facets_of_json` reads it."""
    groups = [[[f.field, f.value] for f in group] for group in facets.groups]
    left_out = [[f.field, f.value] for f in facets.excluded]
    return json.dumps({"any": groups, "none": left_out}, ensure_ascii=False)


def facets_of_json(text: str) -> Facets:
    """Read an expression. Unknown parts are dropped: the file may be foreign."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return Facets()
    if not isinstance(read, dict):
        return Facets()
    groups = [_facets(group) for group in _items(read.get("any"))]
    return Facets(tuple(group for group in groups if group), _facets(read.get("none")))


def _items(value: object) -> list[object]:
    return value[:MOST_FACETS] if isinstance(value, list) else []


def _facets(value: object) -> tuple[Facet, ...]:
    found = []
    for pair in _items(value):
        match pair:
            case [str(field), str(held)] if field in FIELDS:
                found.append(Facet(field, held))
            case _:
                continue
    return tuple(dict.fromkeys(found))
