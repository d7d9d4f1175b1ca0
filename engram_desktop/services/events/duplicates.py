"""Events that tell the same: found by words and floors, kept apart, or joined into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.labels import JOIN_EVENTS, KEEP_APART, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.edits.duplicates import (
    DuplicateGroup,
    Told,
    alike_pairs,
    groups_of,
    joined,
)
from engram_desktop.domain.memory.event import EventNode, EventPatch, EventQuery
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.event_patch import patched
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.recall.lexemes import query_tokens
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.graph.link import caught_up
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP
READ_AT_ONCE = 500  # events: some 30 ms between two looks at whether it was cancelled
MOST_JOINED = 50  # events that become one: more is no event any more


def find(store: ChatStore, ctx: JobContext, branch_id: str) -> list[DuplicateGroup]:
    """Return groups of events that tell the same, the surest first; outlines are left out."""
    keys = store.events.find(EventQuery(level=0, branch_id=branch_id))
    told: list[Told] = []
    for start in range(0, len(keys), READ_AT_ONCE):
        ctx.report(start, len(keys))
        part = keys[start : start + READ_AT_ONCE]
        events = store.events.fetch(part)
        told += [_told(events[pk]) for pk in part if pk in events]
    return groups_of(alike_pairs(told, store.apart.all()))


def keep_apart(store: ChatStore, pairs: Sequence[tuple[str, str]]) -> Changes:
    """Remember that these are not the same."""
    label = StepLabel(KEEP_APART, {"count": len({i for pair in pairs for i in pair})})
    with store.step(label):
        store.apart.add(pairs)
    return Changes(chat_id=store.chat_id, undo_label=label)


def join(store: ChatStore, ctx: JobContext, pks: Sequence[int], renderer: StoryRenderer) -> Changes:
    """Make several events one, in place of the first in the story; evidence goes with them.

    Raises InputError where there are too few or too many, or one is locked, an outline, or of
    another branch.
    """
    events = [e for e in store.events.fetch(pks).values() if not e.is_deleted]
    _check(events)
    events.sort(key=lambda e: (e.source_range, e.timestamp, e.pk))
    target, others = events[0], events[1:]
    span, data = joined(target, others)
    is_archived = all(event.is_archived for event in events)
    patch = EventPatch(
        raw_data=data,
        significance_score=data.significance_score,
        is_archived=is_archived,
        confidence=target.confidence,
    )
    changed = replace(patched(target, patch, renderer), source_range=span)
    gone = [event.pk for event in others]
    label = StepLabel(JOIN_EVENTS, {"count": len(events)})

    def unit() -> None:
        with store.step(label):
            now = store.clock()
            store.events.replace([changed], now)
            for event in others:
                store.apart.give_evidence(event.id, target.id)
            store.events.delete(gone, now)
            store.entities.put_off_items(store.entities.of_events([target.pk, *gone]))

    with caught_up(store, ctx):
        ctx.write(unit)
    return Changes(
        chat_id=store.chat_id,
        events=frozenset((target.pk, *gone)),
        rows=True,
        order=True,
        counts=True,
        texts=True,
        graph=True,
        undo_label=label,
    )


def _check(events: Sequence[EventNode]) -> None:
    if not 1 < len(events) <= MOST_JOINED:
        raise InputError(
            Phrase(_T("reports", "From 2 to {most} events become one."), most=MOST_JOINED)
        )
    if any(event.is_locked for event in events):
        raise InputError(Phrase(_T("reports", "A locked event cannot be joined. Unlock it first.")))
    if any(event.level for event in events):
        raise InputError(Phrase(_T("reports", "Outlines cannot be joined with events.")))
    if len({event.branch_id for event in events}) > 1:
        raise InputError(Phrase(_T("reports", "Events of different branches cannot be joined.")))


def _told(event: EventNode) -> Told:
    span = event.source_range
    text = " ".join(event.summary.split())
    words = frozenset(query_tokens(text))
    return Told(event.pk, event.id, span.start_index, span.end_index, text, words)
