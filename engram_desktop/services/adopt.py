"""Take over memories that other tools left, once found (`adoptable`).

They become events marked as imported that name where they come from, in one undoable step. A
memory has an id made of who wrote it and what it says, so that a second run adds nothing, not even
what was deleted since; nor is added what stands here already in the same words.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engram_desktop.domain.adopted import Adopted, AdoptPlan, AdoptReport, by_tool
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.labels import ADOPT, StepLabel
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.blocks import make_event
from engram_desktop.storage.chat_store import ChatStore


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done: memories to add, those known, keys of events that are true no more."""

    new: Sequence[Adopted]
    known: Sequence[Adopted]
    outdated: Sequence[int]


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
    new = [_event(one, branch_id, last, store.clock(), renderer) for one in work.new]
    label = StepLabel(ADOPT, {"count": len(new)})

    def unit() -> list[int]:
        with store.step(label):
            gone = store.events.delete(work.outdated, store.clock())
            store.entities.refresh_items(store.entities.of_events(gone))
            return [*gone, *store.events.add(new, store.clock())]

    pks = ctx.write(unit)
    changes = Changes(
        chat_id=store.chat_id, events=frozenset(pks), structure=True, undo_label=label
    )
    return replace(empty, added=len(new), replaced=len(work.outdated), changes=changes)


def _look(store: ChatStore, branch_id: str, found: Sequence[Adopted]) -> _Work:
    held = store.events.fetch(store.events.find(EventQuery(branch_id=branch_id))).values()
    said = {_words(event.summary) for event in held}
    ever = store.events.ever([*map(_id_of, found), *(one.ref for one in found if one.ref)])
    new: dict[str, Adopted] = {}
    known: list[Adopted] = []
    for one in found:
        is_known = _id_of(one) in ever or one.ref in ever or _words(one.text) in said
        if is_known or _id_of(one) in new:
            known.append(one)
        else:
            new[_id_of(one)] = one
    rolling: dict[str, set[str]] = defaultdict(set)
    for one in found:
        if one.is_rolling:
            rolling[one.origin].add(_words(one.text))
    outdated = [
        event.pk
        for event in held
        if event.origin in rolling
        and _words(event.summary) not in rolling[event.origin]
        and event.branch_id == branch_id
        and event.confidence == "imported"
        and not event.is_locked
    ]
    return _Work(list(new.values()), known, outdated)


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
    return replace(event, id=_id_of(one), level=one.level, origin=one.origin)


def _id_of(one: Adopted) -> str:
    """Name a memory; what rolls on may say the same again later, and that is another one."""
    told = f"{one.tool}\x00{one.text}"
    if one.is_rolling and one.kind == "fact":
        told += f"\x00{one.last}"
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def _words(text: str) -> str:
    return " ".join(text.split())
