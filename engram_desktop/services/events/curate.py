"""Edit events by hand: change, add, delete, join, edit many at once. Each call is one step."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from engram_desktop.domain.changes import (
    ADD,
    ARCHIVE,
    BRING_BACK,
    CONFIRM,
    DELETE,
    EDIT,
    EDIT_MANY,
    JOIN_EVENTS,
    KEEP_APART,
    LOCK,
    REPLACE,
    RESTORE,
    UNCONFIRM,
    UNLOCK,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.edits import (
    DuplicateGroup,
    FindReplace,
    Replaced,
    ReplacePlan,
    SharedPatch,
    TextField,
    alike_pairs,
    groups_of,
    joined,
    patch_of,
    texts_of,
)
from engram_desktop.domain.memory.event import (
    EventNode,
    EventPatch,
    EventQuery,
    EventText,
    NamingEvent,
    SourceRange,
)
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.patches import check_unchanged, patched_event
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.recall.lexemes import query_tokens
from engram_desktop.domain.recall.relevance import named_entities
from engram_desktop.domain.text.regex_script import groups_in
from engram_desktop.formats.javascript.engine import Group, JavaScript, Replacement
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events.blocks import make_event
from engram_desktop.services.graph.link import Caps, Linker, caught_up
from engram_desktop.services.library.session import OneStep
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

T = TypeVar("T")

BATCH = 2500  # about 40 ms of writing
LINKED_AT_ONCE = 500  # events, likewise


TYPED = [["summary"], ["time_anchor"], ["location"], ["details"]]  # saved as they are typed


def update_event(
    store: ChatStore,
    pk: int,
    patch: EventPatch,
    renderer: StoryRenderer,
    expected: Mapping[str, object] | None = None,
) -> Changes:
    """Change fields of one event. Raises NotFound, InputError, Conflict (see `check_unchanged`)."""
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
    """Archive events (green lamp), or put them back into the buffer (blue).

    Events archived for the first time are linked to the graph, as in consolidation.
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

                def unit(batch: Sequence[NamingEvent] = batch) -> None:
                    with step.part():
                        named.update(linker.link(batch).entities)

                ctx.write(unit)
    changes = _changes(store, label, touched)
    return replace(changes, counts=bool(touched), entities=frozenset(named), graph=bool(named))


def _waiting_for_links(
    store: ChatStore, ctx: JobContext, pks: Sequence[int]
) -> Iterator[list[NamingEvent]]:
    """Yield events never linked to the graph, in batches, since all may be too many to hold."""
    waiting = store.events.never_linked(pks)
    for start in range(0, len(waiting), LINKED_AT_ONCE):
        ctx.report(start, len(waiting), "link")
        yield store.naming_events(waiting[start : start + LINKED_AT_ONCE])


def set_locked(store: ChatStore, ctx: JobContext, pks: Sequence[int], *, locked: bool) -> Changes:
    """Lock events, so that automation leaves them alone, or unlock them."""
    label = StepLabel(LOCK if locked else UNLOCK, {"count": len(pks)})
    now = store.clock()

    def write(part: Sequence[int]) -> list[int]:
        return store.events.set_flag(part, "is_locked", value=locked, now=now)

    return _changes(store, label, _in_batches(ctx, pks, OneStep(store, label), write))


def set_confirmed(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], *, confirmed: bool
) -> Changes:
    """Mark events as confirmed by the user, or take the mark back."""

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

    A fact is locked at once: it stays in context until the user unlocks it.
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
        data, summary=data.summary.strip(), entities=tuple(dict.fromkeys([*data.entities, *named]))
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
    """Tombstone events; the same step removes them from every index."""

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
    """Restore deleted events as they were when they were deleted."""

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
    ctx: JobContext, pks: Sequence[int], step: OneStep, write: Callable[[Sequence[int]], list[int]]
) -> list[int]:
    """Write in short transactions that are one undo step; cancelling keeps what was written.

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
        chat_id=store.chat_id, events=frozenset(touched), undo_label=label if touched else None
    )


def _event(store: ChatStore, pk: int) -> EventNode:
    event = store.events.fetch([pk]).get(pk)
    if event is None or event.is_deleted:
        raise NotFound("event", pk)
    return event


WRITTEN_AT_ONCE = 100  # events written in one transaction: about 40 ms

Patches = Callable[[EventNode], EventPatch | None]


def edit_alike(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    patch: SharedPatch,
    renderer: StoryRenderer,
) -> Changes:
    """Change the same fields of several events, except locked ones."""
    return edit_each(store, ctx, pks, patch.of, renderer, StepLabel(EDIT_MANY))


def edit_each(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    patch_of: Patches,
    renderer: StoryRenderer,
    label: StepLabel,
) -> Changes:
    """Change each event by its own patch; None skips it. ``label`` gets the number changed.

    Written in short transactions that are one undo step. Locked events are skipped; the confidence
    of an event does not change, since the user has not read each. Cancelling keeps what was
    written. Raises Cancelled.
    """
    step = OneStep(store, label)
    touched: list[int] = []
    for start in range(0, len(pks), WRITTEN_AT_ONCE):
        ctx.report(start, len(pks))
        part = pks[start : start + WRITTEN_AT_ONCE]

        def unit(part: Sequence[int] = part) -> None:
            changed = _changed(store, part, patch_of, renderer)
            if changed:
                touched.extend(event.pk for event in changed)
                step.label = StepLabel(label.text, {**label.params, "count": len(touched)})
                with step.part():
                    store.events.replace(changed, store.clock())

        ctx.write(unit)
    is_any = bool(touched)
    return Changes(
        chat_id=store.chat_id,
        events=frozenset(touched),
        texts=is_any,
        undo_label=step.label if is_any else None,
    )


def _changed(
    store: ChatStore, pks: Sequence[int], patch_of: Patches, renderer: StoryRenderer
) -> list[EventNode]:
    """Return the events that their patches change, patched; locked and deleted ones are skipped."""
    changed = []
    for event in store.events.fetch(pks).values():
        patch = None if event.is_deleted or event.is_locked else patch_of(event)
        if patch is not None:
            after = patched_event(event, patch, renderer)
            if after != event:
                changed.append(after)
    return changed


READ_AT_ONCE = 200  # events a time, also texts of one call to JavaScript: some ms
NAMED = 24  # characters of the search text in the label of the step

Replacer = Callable[[Sequence[str]], list[str]]


def plan_replacing(
    store: ChatStore,
    javascript: JavaScript,
    ctx: JobContext,
    pks: Sequence[int],
    asked: FindReplace,
) -> ReplacePlan:
    """Return what a find and replace would change. Raises ScriptFailed, ScriptStopped, Cancelled.

    A pattern of the user's runs in the JavaScript process, which stops one that never ends.
    """
    if not asked.find:
        return ReplacePlan()
    replaced = _replacer(javascript, asked)
    changes: list[Replaced] = []
    locked: set[int] = set()
    emptied: set[int] = set()
    for start in range(0, len(pks), READ_AT_ONCE):
        ctx.report(start, len(pks))
        part = pks[start : start + READ_AT_ONCE]
        events = store.events.fetch(part)
        told = [events[pk] for pk in part if pk in events and not events[pk].is_deleted]
        for event, field, before, after in _differing(told, asked.fields, replaced):
            if event.is_locked:
                locked.add(event.pk)
            elif field == "summary" and not after[0].strip():
                emptied.add(event.pk)
            else:
                changes.append(Replaced(event.pk, field, before, after, event.updated_at))
    ctx.report(len(pks), len(pks))
    return ReplacePlan(tuple(changes), len(locked), len(emptied))


def apply_replacing(
    store: ChatStore,
    ctx: JobContext,
    changes: Sequence[Replaced],
    words: str,
    renderer: StoryRenderer,
) -> Changes:
    """Write these changes as one step; events that changed meanwhile are skipped.

    ``words`` is the search text, for the label of the step. Raises Cancelled.
    """
    wanted: dict[int, dict[TextField, Replaced]] = defaultdict(dict)
    for change in changes:
        wanted[change.pk][change.field] = change

    def patch(event: EventNode) -> EventPatch | None:
        fields = wanted[event.pk]
        if any(change.updated_at != event.updated_at for change in fields.values()):
            return None
        return patch_of(event, {field: change.after for field, change in fields.items()})

    label = StepLabel(REPLACE, {"find": words[:NAMED]})
    return edit_each(store, ctx, list(wanted), patch, renderer, label)


def _differing(
    events: Sequence[EventNode], fields: Sequence[TextField], replaced: Replacer
) -> Iterator[tuple[EventNode, TextField, tuple[str, ...], tuple[str, ...]]]:
    """Yield the event fields whose texts change, with the texts before and after."""
    cells = [(event, field, texts_of(event, field)) for event in events for field in fields]
    new = iter(replaced([text for _event, _field, texts in cells for text in texts]))
    for event, field, texts in cells:
        after = tuple(next(new) for _text in texts)
        if after != texts:
            yield event, field, texts, after


def _replacer(javascript: JavaScript, asked: FindReplace) -> Replacer:
    if not asked.is_regex:
        flags = 0 if asked.is_case_sensitive else re.IGNORECASE
        pattern = re.compile(re.escape(asked.find), flags)  # an escaped text always terminates
        return lambda texts: [pattern.sub(lambda _match: asked.replace, text) for text in texts]
    parts = tuple(
        Group(part[0]) if isinstance(part, tuple) else part
        for part in groups_in(asked.replace.replace("$&", "$0"))
    )
    step = Replacement(asked.find, "g" if asked.is_case_sensitive else "gi", parts)
    return lambda texts: javascript.replace([step], [1] * len(texts), texts)


COMPARED_AT_ONCE = 500  # events compared between two checks for a cancel: at most some 30 ms
MOST_JOINED = 50  # events joined into one: more would not be one event


def find_duplicates(store: ChatStore, ctx: JobContext, branch_id: str) -> list[DuplicateGroup]:
    """Return groups of events that say the same, the surest first; outlines are left out."""
    keys = store.events.find(EventQuery(branch_id=branch_id, level=0))

    def looked_at() -> Iterator[EventText]:
        for number in range(0, len(keys), COMPARED_AT_ONCE):
            ctx.report(number, len(keys))
            yield from store.events.texts(keys[number : number + COMPARED_AT_ONCE])

    return groups_of(alike_pairs(looked_at, store.apart.all(), query_tokens))


def keep_apart(store: ChatStore, pairs: Sequence[tuple[str, str]]) -> Changes:
    """Store that these pairs of events are not duplicates."""
    label = StepLabel(KEEP_APART, {"count": len({i for pair in pairs for i in pair})})
    with store.step(label):
        store.apart.add(pairs)
    return Changes(chat_id=store.chat_id, apart=True, undo_label=label)


def join_events(
    store: ChatStore, ctx: JobContext, pks: Sequence[int], renderer: StoryRenderer
) -> Changes:
    """Join several events into the first one of the story; links and notes move to it.

    Raises InputError if there are too few or too many, or if one is locked, an outline, or of
    another branch.
    """
    events = [e for e in store.events.fetch(pks).values() if not e.is_deleted]
    _check_joinable(events)
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
    changed = replace(patched_event(target, patch, renderer), source_range=span)
    gone = [event.pk for event in others]
    label = StepLabel(JOIN_EVENTS, {"count": len(events)})

    def unit() -> None:
        with store.step(label):
            now = store.clock()
            store.events.replace([changed], now)
            for event in others:
                store.apart.give_evidence(event.id, target.id)
            store.private_notes.give("event", [event.id for event in others], target.id, now)
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
        notes=True,
        undo_label=label,
    )


def _check_joinable(events: Sequence[EventNode]) -> None:
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
