"""Take over memories that other tools left, once found (`adoptable`).

They become events marked as imported that name where they come from, in one undoable step. A
memory has an id made of who wrote it and what it says, so that a second run adds nothing, not even
what was deleted since; nor is added what stands here already in the same words. What was taken over
once is kept true when its chat is synced.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import ADOPT, StepLabel
from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.tavern.adopted import (
    Adopted,
    AdoptPlan,
    AdoptReport,
    OnOlder,
    by_tool,
    tool_of,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt.adoptable import find_memories
from engram_desktop.services.events.blocks import make_event
from engram_desktop.storage.chat.chat_store import ChatStore

LOOKED_AT = 200  # floors back at least: a state is told with every answer, or not at all


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done: memories to add, those known already, keys of events that no longer hold.

    ``ids`` are of the new ones. ``older`` ones tell less far than what is here.
    """

    new: Sequence[Adopted]
    known: Sequence[Adopted]
    outdated: Sequence[int]
    ids: Sequence[str]
    older: Sequence[Adopted]


def plan(store: ChatStore, branch_id: str, memories: Sequence[Adopted]) -> AdoptPlan:
    """Say what taking ``memories`` over would do."""
    work = _look(store, branch_id, memories)
    return AdoptPlan(tuple(work.new), tuple(work.known), len(work.outdated), tuple(work.older))


def adopt(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    memories: Sequence[Adopted],
    renderer: StoryRenderer,
    on_older: OnOlder = "skip",
) -> AdoptReport:
    """Make events of ``memories``; what is here already is skipped, what is outdated goes.

    What is here is not outdated by an older file, unless ``on_older`` says so.
    """
    work = _look(store, branch_id, memories, on_older)
    empty = AdoptReport(by_tool(memories), 0, len(work.known), older=len(work.older))
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
            deleted = store.events.delete(work.outdated, store.clock())
            store.entities.refresh_items(store.entities.of_events(deleted))
            store.adopted.note({o.origin for o in work.new}, {o.origin for o in work.known})
            return [*deleted, *store.events.add(new, store.clock())]

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
    left_out = store.adopted.known()
    tools = {tool_of(origin) for origin, is_left_out in left_out.items() if not is_left_out}
    if not tools:
        return AdoptReport()
    first = max(0, min(read_from, store.messages.count(branch_id) - LOOKED_AT))
    memories = find_memories(store, ctx, branch_id, first=first)
    again = [
        memory for memory in memories if memory.tool in tools and not left_out.get(memory.origin)
    ]
    return adopt(store, ctx, branch_id, again, renderer)


def _look(
    store: ChatStore,
    branch_id: str,
    found: Sequence[Adopted],
    on_older: OnOlder = "skip",
) -> _Work:
    events = store.events.fetch(store.events.find(EventQuery(branch_id=branch_id))).values()
    older = [] if on_older == "replace" else _older(store, branch_id, found, events)
    left_out_objects = {id(memory) for memory in older}
    memories = [memory for memory in found if id(memory) not in left_out_objects]
    now = _Now(memories)
    outdated = {
        event.pk
        for event in events
        if event.branch_id == branch_id
        and event.confidence == "imported"
        and not event.is_locked
        and now.is_outdated(event)
    }
    texts = {_words(event.summary) for event in events if event.pk not in outdated}
    ids = {_id_of(memory): memory for memory in memories}
    ever = store.event_bin.ever([*ids, *(memory.ref for memory in memories if memory.ref)])
    left_out = {origin for origin, is_out in store.adopted.known().items() if is_out}
    new: dict[str, Adopted] = {}
    for event_id, memory in ids.items():
        is_told = memory.ref in ever or _words(memory.text) in texts
        # what rolls on may come back to what it said before: then only the user's word counts
        was_told = event_id in ever and (not memory.is_rolling or memory.origin in left_out)
        if not is_told and not was_told:
            new[new_id() if event_id in ever else event_id] = memory
    new_objects = {id(memory) for memory in new.values()}
    known_memories = [memory for memory in memories if id(memory) not in new_objects]
    return _Work(list(new.values()), known_memories, sorted(outdated), list(new), older)


def _older(
    store: ChatStore, branch_id: str, found: Sequence[Adopted], events: Collection[EventNode]
) -> list[Adopted]:
    """The memories of handed files that tell less far than what is here from the same place."""
    reached: dict[str, int] = {}
    for event in events:
        if event.confidence == "imported" and event.origin:
            end = max(event.source_range.end_index, reached.get(event.origin, 0))
            reached[event.origin] = end
    last = max(0, store.messages.count(branch_id) - 1)
    return [
        memory
        for memory in found
        if memory.is_handed
        and memory.is_rolling
        and min(memory.last, last) < reached.get(memory.origin, -1)
    ]


class _Now:
    """The memories found now, by place, where a newer one replaces the older (see `Adopted`)."""

    def __init__(self, memories: Sequence[Adopted]) -> None:
        self._whole = {memory.tool for memory in memories if memory.is_rolling and memory.is_whole}
        self._rolling: dict[str, set[str]] = defaultdict(set)
        self._notes: dict[tuple[str, int], set[str]] = defaultdict(set)
        for memory in memories:
            if memory.is_rolling:
                self._rolling[memory.origin].add(_words(memory.text))
            elif memory.is_note:
                self._notes[memory.origin, memory.first].add(_words(memory.text))

    def is_outdated(self, event: EventNode) -> bool:
        """Whether the place it was read from holds another text now."""
        words = _words(event.summary)
        if event.origin in self._rolling:
            return event.is_stale or words not in self._rolling[event.origin]
        if event.origin and tool_of(event.origin) in self._whole:
            return True
        span = event.source_range
        texts = self._notes.get((event.origin, span.start_index))
        return texts is not None and span.start_index == span.end_index and words not in texts


def _event(
    memory: Adopted, branch_id: str, last: int, now: int, renderer: StoryRenderer
) -> EventNode:
    span = SourceRange(min(memory.first, max(0, last)), min(memory.last, max(0, last)))
    kv = StructuredKv(time_anchor=memory.when, role=memory.who, location=memory.where)
    data = PlotExtraction(
        summary=memory.text,
        keywords=memory.keywords,
        timestamp=memory.when,
        location=memory.where,
        entities=memory.entities,
        relations=memory.relations,
        structured_kv=kv,
        significance_score=memory.weight,
        kind=memory.kind,
    )
    event = make_event(data, span, now, "imported", renderer, branch_id)
    return replace(event, level=memory.level, origin=memory.origin)


def _id_of(memory: Adopted) -> str:
    """Return an id: a hash of tool and text, of a rolling fact with its floor, for it may recur."""
    content = f"{memory.tool}\x00{memory.text}"
    if memory.is_rolling and memory.kind == "fact":
        content += f"\x00{memory.last}"
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def _words(text: str) -> str:
    return " ".join(text.split())
