"""Take over memories that other tools left, once found (`adoptable`).

They become events marked as imported that name where they come from, in one undoable step. A
memory has an id made of who wrote it and what it says, so that a second run adds nothing, not even
what was deleted since; nor is added what stands here already in the same words. What was taken over
once is kept true when its chat is synced.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import ADOPT, StepLabel
from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.tavern.adopted import Adopted, AdoptPlan, AdoptReport, by_tool, tool_of
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt.adoptable import find_memories
from engram_desktop.services.events.blocks import make_event
from engram_desktop.storage.chat.chat_store import ChatStore

LOOKED_AT = 200  # floors back at least: a state is told with every answer, or not at all


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done: memories to add, those known, keys of events that are true no more.

    ``ids`` are of the new ones.
    """

    new: Sequence[Adopted]
    known: Sequence[Adopted]
    outdated: Sequence[int]
    ids: Sequence[str]


def plan(store: ChatStore, branch_id: str, found: Sequence[Adopted]) -> AdoptPlan:
    """Say what taking ``found`` over would do."""
    work = _look(store, branch_id, found)
    return AdoptPlan(tuple(work.new), tuple(work.known), len(work.outdated))


def adopt(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    found: Sequence[Adopted],
    renderer: StoryRenderer,
) -> AdoptReport:
    """Make events of ``found``; what is here already is skipped, what is outdated goes."""
    work = _look(store, branch_id, found)
    empty = AdoptReport(by_tool(found), 0, len(work.known))
    if not work.new and not work.outdated:
        return empty
    last = store.messages.count(branch_id) - 1
    new = [
        replace(_event(one, branch_id, last, store.clock(), renderer), id=event_id)
        for one, event_id in zip(work.new, work.ids, strict=True)
    ]
    label = StepLabel(ADOPT, {"count": len(new)})

    def unit() -> list[int]:
        with store.step(label):
            gone = store.events.delete(work.outdated, store.clock())
            store.entities.refresh_items(store.entities.of_events(gone))
            store.adopted.note({o.origin for o in work.new}, {o.origin for o in work.known})
            return [*gone, *store.events.add(new, store.clock())]

    pks = ctx.write(unit)
    changes = Changes(
        chat_id=store.chat_id,
        events=frozenset(pks),
        rows=True,
        counts=True,
        graph=bool(work.outdated),
        undo_label=label,
    )
    return replace(empty, added=len(new), replaced=len(work.outdated), changes=changes)


def renew(
    store: ChatStore, ctx: JobContext, branch_id: str, read_from: int, renderer: StoryRenderer
) -> AdoptReport:
    """Take over again what tools say that were taken over here, from floor ``read_from`` on.

    What the user left out since stays out.
    """
    known = store.adopted.known()
    tools = {tool_of(origin) for origin, is_left_out in known.items() if not is_left_out}
    if not tools:
        return AdoptReport()
    first = max(0, min(read_from, store.messages.count(branch_id) - LOOKED_AT))
    found = find_memories(store, ctx, branch_id, first=first)
    wanted = [one for one in found if one.tool in tools and not known.get(one.origin)]
    return adopt(store, ctx, branch_id, wanted, renderer)


def _look(store: ChatStore, branch_id: str, found: Sequence[Adopted]) -> _Work:
    held = store.events.fetch(store.events.find(EventQuery(branch_id=branch_id))).values()
    now = _Now(found)
    outdated = {
        event.pk
        for event in held
        if event.branch_id == branch_id
        and event.confidence == "imported"
        and not event.is_locked
        and now.is_outdated(event)
    }
    said = {_words(event.summary) for event in held if event.pk not in outdated}
    ids = {_id_of(one): one for one in found}
    ever = store.events.ever([*ids, *(one.ref for one in found if one.ref)])
    left_out = {origin for origin, is_out in store.adopted.known().items() if is_out}
    new: dict[str, Adopted] = {}
    for event_id, one in ids.items():
        is_told = one.ref in ever or _words(one.text) in said
        # what rolls on may come back to what it said before: then only the user's word counts
        was_told = event_id in ever and (not one.is_rolling or one.origin in left_out)
        if not is_told and not was_told:
            new[new_id() if event_id in ever else event_id] = one
    told = {id(one) for one in new.values()}
    known = [one for one in found if id(one) not in told]
    return _Work(list(new.values()), known, sorted(outdated), list(new))


class _Now:
    """What is true at places where only what is told now is true."""

    def __init__(self, found: Sequence[Adopted]) -> None:
        self._whole = {one.tool for one in found if one.is_rolling and one.is_whole}
        self._rolling: dict[str, set[str]] = defaultdict(set)
        self._notes: dict[tuple[str, int], set[str]] = defaultdict(set)
        for one in found:
            if one.is_rolling:
                self._rolling[one.origin].add(_words(one.text))
            elif one.is_note:
                self._notes[one.origin, one.first].add(_words(one.text))

    def is_outdated(self, event: EventNode) -> bool:
        """Whether its place tells something else now, or the message it stood at does."""
        words = _words(event.summary)
        if event.origin in self._rolling:
            return event.is_stale or words not in self._rolling[event.origin]
        if event.origin and tool_of(event.origin) in self._whole:
            return True
        span = event.source_range
        noted = self._notes.get((event.origin, span.start_index))
        return noted is not None and span.start_index == span.end_index and words not in noted


def _event(one: Adopted, branch_id: str, last: int, now: int, renderer: StoryRenderer) -> EventNode:
    span = SourceRange(min(one.first, max(0, last)), min(one.last, max(0, last)))
    kv = StructuredKv(time_anchor=one.when, role=one.who, location=one.where)
    data = PlotExtraction(
        summary=one.text,
        keywords=one.keywords,
        timestamp=one.when,
        location=one.where,
        entities=one.entities,
        relations=one.relations,
        structured_kv=kv,
        significance_score=one.weight,
        kind=one.kind,
    )
    event = make_event(data, span, now, "imported", renderer, branch_id)
    return replace(event, level=one.level, origin=one.origin)


def _id_of(one: Adopted) -> str:
    """Name a memory; what rolls on may say the same again later, and that is another one."""
    told = f"{one.tool}\x00{one.text}"
    if one.is_rolling and one.kind == "fact":
        told += f"\x00{one.last}"
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def _words(text: str) -> str:
    return " ".join(text.split())
