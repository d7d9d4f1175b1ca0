"""Find entities with incomplete profiles or relations, and texts that name them without a link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

from engram_desktop.domain.graph.gaps import (
    GAPS,
    MOST_MESSAGES,
    SHOWN_FLOORS,
    EntityGaps,
    NamedEntities,
    missing_of,
)
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.services.graph.pictures import EVERY

if TYPE_CHECKING:
    from engram_desktop.domain.graph.entity import EntityNode
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore

_AT_ONCE = 1_000  # messages or events read together, after which a search may be cancelled


def find(
    ctx: JobContext, store: ChatStore, branch_id: str, only: Collection[str] = ()
) -> list[EntityGaps]:
    """Return the entities of a line that have gaps, the best known first.

    With ``only``, just these entities. Raises Cancelled.
    """
    everybody = store.entities.find("", EVERY, branch_id)
    asked = [e for e in everybody if not only or e.id in only]
    relations = store.known_graph(branch_id, ()).relations([e.id for e in asked])
    predicates: dict[str, list[str]] = defaultdict(list)
    for relation in relations:
        if relation.is_current:
            for end in {relation.src, relation.dst}:
                predicates[end].append(relation.predicate)
    floors, events = _unlinked(ctx, store, branch_id, everybody, {e.id for e in asked})
    found = []
    for entity in asked:
        gaps = missing_of(entity, predicates[entity.id])
        named = floors.get(entity.id, [])
        told = tuple(events.get(entity.id, ()))
        if named or told:
            gaps = tuple(gap for gap in GAPS if gap == "unlinked" or gap in gaps)
        if gaps:
            first = tuple(named[:SHOWN_FLOORS])
            found.append(EntityGaps(entity.id, gaps, first, len(named), told))
    return found


def _unlinked(
    ctx: JobContext, store: ChatStore, branch_id: str, everybody: list[EntityNode], asked: set[str]
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the floors, and the keys of events, that name an entity without being linked to it.

    Only archived events and the floors they cover count: others are not linked yet.
    """
    names = NamedEntities((name, e.id) for e in everybody for name in (e.name, *e.aliases))
    called = tuple(
        {name.lower() for e in everybody if e.id in asked for name in (e.name, *e.aliases)}
    )
    told: dict[int, set[str]] = {}  # by floor: the entities that its events are linked to
    events: dict[str, list[int]] = defaultdict(list)
    pks = store.events.find(EventQuery(branch_id=branch_id))
    for start in range(0, len(pks), _AT_ONCE):
        ctx.report(start, len(pks))
        rows = store.events.fetch(pks[start : start + _AT_ONCE])
        linked = store.entities.entities_of([event.id for event in rows.values()])
        for event in rows.values():
            if event.level or not event.is_archived:
                continue  # outlines are linked by their parts, buffered events when archived
            here = linked.get(event.id, set())
            span = event.source_range
            for floor in range(span.start_index, span.end_index + 1):
                told.setdefault(floor, set()).update(here)
            text = f"{event.summary}\n{event.raw_data.details}"
            for entity_id in (names.of(text) & asked) - here if _may_name(text, called) else ():
                events[entity_id].append(event.pk)
    floors: dict[str, list[int]] = defaultdict(list)
    count = store.messages.count(branch_id)
    for start in range(max(0, count - MOST_MESSAGES), count, _AT_ONCE):
        ctx.report(start, count)
        for floor, said in enumerate(
            store.messages.sayings(branch_id, start, start + _AT_ONCE - 1), start
        ):
            if floor in told and _may_name(said.text, called):
                for entity_id in (names.of(said.text) & asked) - told[floor]:
                    floors[entity_id].append(floor)
    return floors, events


def _may_name(text: str, called: tuple[str, ...]) -> bool:
    """Return whether a text may hold one of the names; a quick test, used for few names only."""
    return len(called) > 8 or any(name in text.lower() for name in called)
