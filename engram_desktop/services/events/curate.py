"""What a user does to events by hand. Every function is one undoable step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import (
    ADD,
    ARCHIVE,
    BRING_BACK,
    CONFIRM,
    DELETE,
    EDIT,
    LOCK,
    RESTORE,
    UNCONFIRM,
    UNLOCK,
    StepLabel,
)
from engram_desktop.domain.memory.event import EventNode, EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.patches import check_unchanged, patched_event
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.recall.cues import named_entities
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events.blocks import make_event
from engram_desktop.services.graph.link import Caps, Linker, caught_up
from engram_desktop.services.library.one_step import OneStep
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

T = TypeVar("T")

BATCH = 2500  # about 40 ms of writing
LINKED_AT_ONCE = 500  # likewise


TYPED = [["summary"], ["time_anchor"], ["location"], ["details"]]  # saved as they are typed


def update_event(
    store: ChatStore,
    pk: int,
    patch: EventPatch,
    renderer: StoryRenderer,
    expected: Mapping[str, object] | None = None,
) -> Changes:
    """Change fields of one event. Raises NotFound, InputError, Conflict: see `check_unchanged`."""
    event = _event(store, pk)
    if expected is not None:
        check_unchanged(expected, event, patch)
    changed = patched_event(event, patch, renderer)
    if changed == event:
        return Changes(chat_id=store.chat_id)
    label = StepLabel(EDIT, {"summary": event.summary[:24]})
    names = [f.name for f in fields(patch) if getattr(patch, f.name) is not None]
    typed = f"event {pk} {names[0]}" if names in TYPED else ""
    with store.step(label, typed=typed):
        store.events.replace([changed], store.clock())
    return Changes(
        chat_id=store.chat_id,
        events=frozenset({pk}),
        counts=(changed.status, changed.level, changed.is_stale)
        != (event.status, event.level, event.is_stale),
        texts=changed.raw_data != event.raw_data,
        trust=changed.confidence != event.confidence,
        undo_label=label,
    )


def set_archived(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], caps: Caps | None, *, archived: bool
) -> Changes:
    """Turn lamps green (archived) or blue.

    What turns green for the first time is linked to the graph, as by consolidating.
    """
    text = ARCHIVE if archived else RESTORE
    label = StepLabel(text, {"count": len(pks)})
    now = store.clock()
    step = OneStep(store, label)
    touched = _in_batches(
        ctx,
        pks,
        step,
        lambda part: store.events.set_flag(part, "is_archived", value=archived, now=now),
    )
    named: set[str] = set()
    if archived and caps is not None:
        linker = Linker(store, caps)
        with caught_up(store, ctx):
            for batch in _waiting_for_links(store, ctx, touched):

                def unit(batch: Sequence[EventNode] = batch) -> None:
                    with step.part():
                        named.update(linker.link(batch).entities)

                ctx.write(unit)
    changes = _changes(store, label, touched)
    return replace(changes, counts=bool(touched), entities=frozenset(named), graph=bool(named))


def _waiting_for_links(
    store: ChatStore, ctx: JobContext, pks: Sequence[int]
) -> Iterator[list[EventNode]]:
    """Yield events that were never linked to the graph, in batches: all are too many to hold."""
    waiting = store.events.never_linked(pks)
    for start in range(0, len(waiting), LINKED_AT_ONCE):
        ctx.report(start, len(waiting), "link")
        part = waiting[start : start + LINKED_AT_ONCE]
        events = store.events.fetch(part)
        yield [events[pk] for pk in part if pk in events]


def set_locked(store: ChatStore, ctx: JobContext, pks: Sequence[int], *, locked: bool) -> Changes:
    """Protect events from automation, or end that."""
    label = StepLabel(LOCK if locked else UNLOCK, {"count": len(pks)})
    now = store.clock()

    def write(part: Sequence[int]) -> list[int]:
        return store.events.set_flag(part, "is_locked", value=locked, now=now)

    return _changes(store, label, _in_batches(ctx, pks, OneStep(store, label), write))


def set_confirmed(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], *, confirmed: bool
) -> Changes:
    """Say that events are right, or take that back."""

    def write(part: Sequence[int]) -> list[int]:
        return store.events.set_confirmed(part, confirmed=confirmed, now=store.clock())

    label = StepLabel(CONFIRM if confirmed else UNCONFIRM, {"count": len(pks)})
    touched = _in_batches(ctx, pks, OneStep(store, label), write)
    return replace(_changes(store, label, touched), trust=bool(touched))


def add_event(
    store: ChatStore,
    data: PlotExtraction,
    span: SourceRange,
    renderer: StoryRenderer,
    branch_id: str = MAIN_BRANCH,
) -> tuple[int, Changes]:
    """Write an event or a fact by hand; returns its key. Raises InputError.

    A fact is locked at once: what a user says holds stays in context until the user lets it go.
    """
    if not data.summary.strip():
        raise InputError(Phrase(_T("reports", "The summary must say what happened.")))
    last = store.messages.count(branch_id) - 1
    if not 0 <= span.start_index <= span.end_index <= max(0, last):
        raise InputError(
            Phrase(_T("reports", "The floors must be from 0 to {last}."), last=max(0, last))
        )
    now = store.clock()
    aliases = store.entities.aliases()
    ids = list(dict.fromkeys(named_entities(data.summary, aliases)))
    named = [ExtractedEntity(e.name, e.type) for e in store.entities.fetch(ids, branch_id)]
    data = replace(
        data,
        summary=data.summary.strip(),
        entities=tuple(dict.fromkeys([*data.entities, *named])),
    )
    event = make_event(data, span, now, "manual", renderer, branch_id)
    event = replace(event, is_locked=data.kind == "fact")
    label = StepLabel(ADD, {"summary": data.summary[:24]})
    with store.step(label):
        (pk,) = store.events.add([event], now)
    changes = Changes(
        chat_id=store.chat_id, events=frozenset({pk}), rows=True, counts=True, undo_label=label
    )
    return pk, changes


def delete_events(store: ChatStore, ctx: JobContext, pks: Sequence[int]) -> Changes:
    """Tombstone events; they leave every index in the same step."""

    def write(part: Sequence[int]) -> list[int]:
        deleted = store.events.delete(part, store.clock())
        store.adopted.leave_out(deleted)
        store.entities.put_off_items(store.entities.of_events(deleted))
        return deleted

    label = StepLabel(DELETE, {"count": len(pks)})
    with caught_up(store, ctx):
        touched = _in_batches(ctx, pks, OneStep(store, label), write)
    is_any = bool(touched)
    return replace(_changes(store, label, touched), rows=is_any, counts=is_any, graph=is_any)


def bring_back_events(store: ChatStore, ctx: JobContext, pks: Sequence[int]) -> Changes:
    """Make deleted events stand again, as they were when they were deleted."""

    def write(part: Sequence[int]) -> list[int]:
        restored = store.event_bin.bring_back(part, store.clock())
        store.entities.put_off_items(store.entities.of_events(restored))
        return restored

    label = StepLabel(BRING_BACK, {"count": len(pks)})
    with caught_up(store, ctx):
        touched = _in_batches(ctx, pks, OneStep(store, label), write)
    is_any = bool(touched)
    changes = _changes(store, label, touched)
    return replace(changes, rows=is_any, counts=is_any, graph=is_any, texts=is_any)


def _in_batches(
    ctx: JobContext,
    pks: Sequence[int],
    step: OneStep,
    write: Callable[[Sequence[int]], list[int]],
) -> list[int]:
    """Write in short transactions that are undone together; cancelling keeps what was done.

    Returns the keys that changed.
    """
    touched: list[int] = []
    for start in range(0, len(pks), BATCH):
        ctx.report(start, len(pks))
        part = pks[start : start + BATCH]

        def unit(part: Sequence[int] = part) -> None:
            with step.part():
                touched.extend(write(part))

        ctx.write(unit)
    return touched


def _changes(store: ChatStore, label: StepLabel, touched: Sequence[int]) -> Changes:
    return Changes(
        chat_id=store.chat_id,
        events=frozenset(touched),
        undo_label=label if touched else None,
    )


def _event(store: ChatStore, pk: int) -> EventNode:
    event = store.events.fetch([pk]).get(pk)
    if event is None or event.is_deleted:
        raise NotFound("event", pk)
    return event
