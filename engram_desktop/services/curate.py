"""What a user does to events by hand. Every function is one undoable step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.event import EventNode, EventPatch, SourceRange
from engram_desktop.domain.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.ids import MAIN_BRANCH, new_id
from engram_desktop.domain.labels import (
    ADD,
    ARCHIVE,
    CONFIRM,
    DELETE,
    EDIT,
    LOCK,
    RESTORE,
    UNCONFIRM,
    UNLOCK,
    StepLabel,
)
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.recall.graph import named_entities
from engram_desktop.storage.chat_store import ChatStore

T = TypeVar("T")

BATCH = 2500  # about 40 ms of writing


def patched(event: EventNode, patch: EventPatch, renderer: StoryRenderer) -> EventNode:
    """Return ``event`` with ``patch`` applied and its card rendered anew.

    The fields shown twice (raw data, structured_kv) stay in agreement; given raw data comes first,
    single fields are laid over it.
    """
    data = patch.raw_data if patch.raw_data is not None else event.raw_data
    kv = patch.structured_kv
    if kv is None:
        kv = data.structured_kv if patch.raw_data is not None else event.structured_kv
    if patch.time_anchor is not None:
        kv = replace(kv, time_anchor=patch.time_anchor)
    if patch.location is not None:
        kv = replace(kv, location=patch.location)
    score = patch.significance_score
    if score is None:
        score = event.significance_score if patch.raw_data is None else data.significance_score
    summary = patch.summary if patch.summary is not None else data.summary
    if not summary.strip():
        raise InputError("The summary must say what happened.")
    data = replace(
        data,
        summary=summary.strip(),
        keywords=_given(patch.keywords, data.keywords),
        timestamp=_given(patch.time_anchor, data.timestamp),
        location=_given(patch.location, data.location),
        details=_given(patch.details, data.details),
        structured_kv=kv,
        significance_score=min(1.0, max(0.0, score)),
        kind=_given(patch.kind, data.kind),
    )
    is_archived = _given(patch.is_archived, event.is_archived)
    return replace(
        event,
        summary=data.summary,
        structured_kv=kv,
        raw_data=data,
        display_text=renderer.render(data),
        keywords=data.keywords,
        participants=_participants(data),
        significance_score=data.significance_score,
        is_archived=is_archived,
        status="archived" if is_archived else "buffer",
        is_locked=_given(patch.is_locked, event.is_locked),
        is_stale=_given(patch.is_stale, event.is_stale),
        level=_given(patch.level, event.level),
        is_embedded=event.is_embedded and data == event.raw_data,
        # What a user wrote is theirs: no redo takes its place.
        extractor=event.extractor if data == event.raw_data else "manual",
        kind=data.kind,
        confidence=_given(
            patch.confidence, event.confidence if data == event.raw_data else "confirmed"
        ),
    )


def update_event(store: ChatStore, pk: int, patch: EventPatch, renderer: StoryRenderer) -> Changes:
    """Change fields of one event. Raises NotFound, InputError."""
    event = _event(store, pk)
    changed = patched(event, patch, renderer)
    if changed == event:
        return Changes(chat_id=store.chat_id)
    label = StepLabel(EDIT, {"summary": event.summary[:24]})
    with store.step(label):
        store.events.replace([changed], store.clock())
    return Changes(
        chat_id=store.chat_id,
        events=frozenset({pk}),
        structure=changed.status != event.status or changed.level != event.level,
        undo_label=label,
    )


def set_archived(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], *, archived: bool
) -> Changes:
    """Turn lamps green (archived) or blue."""
    text = ARCHIVE if archived else RESTORE
    return _set_flag(store, ctx, pks, "is_archived", value=archived, text=text)


def set_locked(store: ChatStore, ctx: JobContext, pks: Sequence[int], *, locked: bool) -> Changes:
    """Keep automation away from events, or let it at them again."""
    text = LOCK if locked else UNLOCK
    return _set_flag(store, ctx, pks, "is_locked", value=locked, text=text)


def set_confirmed(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], *, confirmed: bool
) -> Changes:
    """Say that events are right, or take that back."""

    def write(part: Sequence[int]) -> list[int]:
        return store.events.set_confirmed(part, confirmed=confirmed, now=store.clock())

    return _in_batches(store, ctx, pks, CONFIRM if confirmed else UNCONFIRM, write)


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
        raise InputError("The summary must say what happened.")
    last = store.messages.count(branch_id) - 1
    if not 0 <= span.start_index <= span.end_index <= max(0, last):
        raise InputError(f"The floors must be from 0 to {max(0, last)}.")
    now = store.clock()
    aliases = store.entities.aliases()
    ids = list(dict.fromkeys(named_entities(data.summary, aliases)))
    named = [ExtractedEntity(e.name, e.type) for e in store.entities.fetch(ids, branch_id)]
    data = replace(
        data,
        summary=data.summary.strip(),
        entities=tuple(dict.fromkeys([*data.entities, *named])),
    )
    event = EventNode(
        pk=0,
        id=new_id(),
        branch_id=branch_id,
        summary=data.summary,
        structured_kv=data.structured_kv,
        raw_data=data,
        display_text=renderer.render(data),
        status="buffer",
        is_archived=False,
        is_embedded=False,
        level=0,
        source_range=span,
        significance_score=data.significance_score,
        timestamp=now,
        kind=data.kind,
        extractor="manual",
        confidence="confirmed",
        participants=_participants(data),
        is_locked=data.kind == "fact",
        keywords=data.keywords,
    )
    label = StepLabel(ADD, {"summary": data.summary[:24]})
    with store.step(label):
        (pk,) = store.events.add([event], now)
    changes = Changes(
        chat_id=store.chat_id, events=frozenset({pk}), structure=True, undo_label=label
    )
    return pk, changes


def delete_events(store: ChatStore, ctx: JobContext, pks: Sequence[int]) -> Changes:
    """Tombstone events; they leave every index in the same step."""

    def write(part: Sequence[int]) -> list[int]:
        gone = store.events.delete(part, store.clock())
        store.entities.refresh_items(store.entities.of_events(gone))
        return gone

    return _in_batches(store, ctx, pks, DELETE, write)


def _set_flag(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    column: str,
    *,
    value: bool,
    text: str,
) -> Changes:
    return _in_batches(
        store,
        ctx,
        pks,
        text,
        lambda part: store.events.set_flag(part, column, value=value, now=store.clock()),
    )


def _in_batches(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    text: str,
    write: Callable[[Sequence[int]], list[int]],
) -> Changes:
    """Write in short transactions that are undone together; cancelling keeps what was done."""
    label = StepLabel(text, {"count": len(pks)})
    group: int | None = None
    touched: list[int] = []
    for start in range(0, len(pks), BATCH):
        ctx.report(start, len(pks))
        part = pks[start : start + BATCH]

        def unit(part: Sequence[int] = part, group: int | None = group) -> int:
            with store.step(label, group) as joined:
                touched.extend(write(part))
            return joined

        group = ctx.write(unit)
    return Changes(
        chat_id=store.chat_id,
        events=frozenset(touched),
        structure=bool(touched),
        undo_label=label if touched else None,
    )


def _event(store: ChatStore, pk: int) -> EventNode:
    event = store.events.fetch([pk]).get(pk)
    if event is None or event.is_deleted:
        raise NotFound("event", pk)
    return event


def _participants(data: PlotExtraction) -> tuple[str, ...]:
    return tuple(e.name for e in data.entities if e.type == "char")


def _given(new: T | None, old: T) -> T:
    return old if new is None else new
