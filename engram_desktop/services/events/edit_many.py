"""Change many events at once: one step of undo, written in short transactions.

What is locked stays as it is. Who vouches for an event does not change: nobody read each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import EDIT_MANY, StepLabel
from engram_desktop.domain.memory.edits.shared_fields import SharedPatch
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.pipeline.event_patch import patched
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.library.one_step import OneStep
from engram_desktop.storage.chat.chat_store import ChatStore

BATCH = 100  # events written at once: about 40 ms

Patches = Callable[[EventNode], EventPatch | None]


def edit_alike(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    patch: SharedPatch,
    renderer: StoryRenderer,
) -> Changes:
    """Change the same fields of several events."""
    return edit_each(store, ctx, pks, patch.of, renderer, StepLabel(EDIT_MANY))


def edit_each(
    store: ChatStore,
    ctx: JobContext,
    pks: Sequence[int],
    patch_of: Patches,
    renderer: StoryRenderer,
    label: StepLabel,
) -> Changes:
    """Change each event by its own patch; None leaves it. ``label`` is told how many changed.

    Cancelling keeps what was done, as one step. Raises Cancelled.
    """
    step = OneStep(store, label)
    touched: list[int] = []
    for start in range(0, len(pks), BATCH):
        ctx.report(start, len(pks))
        part = pks[start : start + BATCH]

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
    """Return the events that read otherwise with their patches, as they read then."""
    changed = []
    for event in store.events.fetch(pks).values():
        patch = None if event.is_deleted or event.is_locked else patch_of(event)
        if patch is not None:
            after = patched(event, patch, renderer)
            if after != event:
                changed.append(after)
    return changed
