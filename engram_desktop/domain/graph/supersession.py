"""When a fact was true: each later telling of a single-valued fact ends the earlier ones.

A pure function from what was told, and on which floors, to the floors each relation held. It is
worked out whenever relations are read and never stored, so that edits, undo, branches and deleted
evidence are right by themselves. What two tellings may do to each other is kept narrow: only the
same facet of the same subject (or pair), never within one event, never a place and what it lies in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.graph.predicates import facet
from engram_desktop.domain.values import dataclass

STILL_TRUE = -1  # as the floor of an end: the user says that nothing ended it


@dataclass(frozen=True, slots=True, order=True)
class Telling:
    """One event that says so; the order is the story's."""

    first: int
    last: int
    made_at: int = 0
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class DatedRelation:
    """A relation, the types of its ends, and who says so.

    ``ended_at`` is the floor at which the user says it ended, or `STILL_TRUE`.
    """

    id: str
    src: str
    predicate: str
    dst: str
    src_type: EntityType = "unknown"
    dst_type: EntityType = "unknown"
    tellings: tuple[Telling, ...] = ()
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Validity:
    """Floors ``first`` up to ``last``, not included; None is the beginning, or now.

    ``ended_by`` is the relation that took its place.
    """

    first: int | None
    last: int | None = None
    ended_by: str | None = None


def spans(
    relations: Iterable[DatedRelation], at: int | None = None
) -> dict[str, tuple[Validity, ...]]:
    """Return by id when each relation held, by the tellings up to floor ``at``.

    A relation of which nothing was told by then is left out; one without tellings holds always.
    """
    known = [relation for relation in relations if _is_known(relation, at)]
    around = _Places(known)
    groups: dict[Hashable, list[tuple[DatedRelation, Hashable]]] = defaultdict(list)
    for relation in known:
        key, value = _subject_and_value(relation)
        groups[key].append((relation, value))
    by_id: dict[str, tuple[Validity, ...]] = {}
    for members in groups.values():
        by_id |= _Group(members, around, at).spans()
    return by_id


def _is_known(relation: DatedRelation, at: int | None) -> bool:
    return not relation.tellings or any(_is_told(t, at) for t in relation.tellings)


def _is_told(telling: Telling, at: int | None) -> bool:
    return at is None or telling.last <= at


def _subject_and_value(relation: DatedRelation) -> tuple[Hashable, Hashable]:
    """Return of what a relation says something (the key of its group), and its value there.

    Two relations contradict each other only if their keys are equal and their values differ.
    """
    alone = (relation.id, None)
    meaning = facet(relation.predicate)
    if meaning is None:
        return alone
    kind, value = meaning
    if kind == "stage":
        ends = {relation.src_type, relation.dst_type}
        pair = frozenset((relation.src, relation.dst))
        return ((kind, pair), value) if ends <= {"char", "unknown"} else alone
    if kind == "presence" and (
        relation.src_type == "loc" or (relation.src_type == relation.dst_type == "char")
    ):
        return alone  # a house does not move; and being with somebody is no place
    return (kind, relation.src), (value, relation.dst)


class _Places:
    """Which places lie in which, as the relations say."""

    def __init__(self, relations: Sequence[DatedRelation]) -> None:
        self._within: dict[str, set[str]] = defaultdict(set)
        self._around_known: dict[str, set[str]] = {}
        for relation in relations:
            meaning = facet(relation.predicate)
            if relation.src_type == "loc" and meaning is not None and meaning[0] == "presence":
                self._within[relation.src].add(relation.dst)

    def are_nested(self, one: str, other: str) -> bool:
        return other in self._around(one) or one in self._around(other)

    def _around(self, place: str) -> set[str]:
        places = self._around_known.get(place)
        if places is None:
            places = self._around_known[place] = set()
            work = [place]
            while work:
                new = self._within.get(work.pop(), set()) - places
                places |= new
                work += new
        return places


@dataclass(slots=True)
class _Open:
    """A relation that holds at the point of the story reached so far."""

    first: int | None
    relation: DatedRelation
    value: Hashable


@dataclass(slots=True)
class _Group:
    """The relations of which only one value can be true at a time."""

    members: Sequence[tuple[DatedRelation, Hashable]]
    around: _Places
    at: int | None
    _open: dict[str, _Open] = field(default_factory=dict)
    _closed: dict[str, list[Validity]] = field(default_factory=lambda: defaultdict(list))

    def spans(self) -> Mapping[str, tuple[Validity, ...]]:
        if len(self.members) == 1 and self.members[0][0].ended_at is None:
            return self._uncontested(self.members[0][0])
        batches: dict[Telling, list[tuple[DatedRelation, Hashable]]] = defaultdict(list)
        ends: list[tuple[int, DatedRelation]] = []
        for relation, value in self.members:
            if not relation.tellings:
                self._open[relation.id] = _Open(None, relation, value)
            for telling in relation.tellings:
                if _is_told(telling, self.at):
                    batches[telling].append((relation, value))
            end = relation.ended_at
            if end is not None and end != STILL_TRUE and (self.at is None or end <= self.at):
                ends.append((end, relation))
        ends.sort(key=lambda e: (e[0], e[1].id), reverse=True)
        for telling in sorted(batches):
            while ends and ends[-1][0] < telling.first:
                self._end(*ends.pop())
            self._take_in(telling.first, batches[telling])
        while ends:
            self._end(*ends.pop())
        ids = {*self._open, *self._closed}
        return {i: (*self._closed.get(i, ()), *self._open_span(i)) for i in ids}

    def _uncontested(self, relation: DatedRelation) -> Mapping[str, tuple[Validity, ...]]:
        """Return the span of a relation that nothing contradicts: since it was first told.

        Most relations by far are such.
        """
        at = self.at  # not `_is_told`: a hero's friend may be told of by 10,000 events
        floors = [t.first for t in relation.tellings if at is None or t.last <= at]
        return {relation.id: (Validity(min(floors, default=None)),)}

    def _open_span(self, relation_id: str) -> tuple[Validity, ...]:
        current = self._open.get(relation_id)
        return () if current is None else (Validity(current.first),)

    def _take_in(self, floor: int, batch: Sequence[tuple[DatedRelation, Hashable]]) -> None:
        """Apply what one event tells: it ends relations that say otherwise, and begins its own."""
        values = {value for _relation, value in batch}
        for current in list(self._open.values()):
            if current.value in values or current.relation.ended_at == STILL_TRUE:
                continue
            if any(self._agree(current.relation, new) for new, _value in batch):
                continue
            rivals = (new.id for new, _value in batch if _contradicts(new, current.relation))
            ended_by = next(rivals, None)
            if ended_by is not None:
                self._close(current, floor, ended_by)
        for relation, value in batch:
            self._open.setdefault(relation.id, _Open(floor, relation, value))

    def _agree(self, old: DatedRelation, new: DatedRelation) -> bool:
        """Whether the places named are one within the other."""
        kinds = {facet(old.predicate), facet(new.predicate)}
        return kinds <= {("presence", "there"), ("residence", "")} and self.around.are_nested(
            old.dst, new.dst
        )

    def _end(self, floor: int, relation: DatedRelation) -> None:
        current = self._open.get(relation.id)
        if current is not None and (current.first is None or current.first <= floor):
            self._close(current, floor, None)

    def _close(self, current: _Open, floor: int, ended_by: str | None) -> None:
        del self._open[current.relation.id]
        self._closed[current.relation.id].append(Validity(current.first, floor, ended_by))


def _contradicts(new: DatedRelation, old: DatedRelation) -> bool:
    """Whether the new relation excludes the old one: who left a place may be in any other."""
    return facet(new.predicate) != ("presence", "gone") or new.dst == old.dst
