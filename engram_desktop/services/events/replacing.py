"""Find and replace in events: what would change, then the part of it that the user wants.

A pattern of the user's runs where scripts do: it is stopped when it would never end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import REPLACE, StepLabel
from engram_desktop.domain.memory.edits.replacing import (
    FindReplace,
    Replaced,
    ReplacePlan,
    TextField,
    patch_of,
    texts_of,
)
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.text.regex_script import groups_in
from engram_desktop.formats.javascript.engine import Group, JavaScript, Replacement
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events.edit_many import edit_each
from engram_desktop.storage.chat.chat_store import ChatStore

READ_AT_ONCE = 200  # events, and calls of a pattern: a sound one takes a millisecond for them
NAMED = 24  # characters of what was looked for, in the name of the step

Replacer = Callable[[Sequence[str]], list[str]]


def plan(
    store: ChatStore,
    javascript: JavaScript,
    ctx: JobContext,
    pks: Sequence[int],
    asked: FindReplace,
) -> ReplacePlan:
    """Return what would change. Raises ScriptFailed, ScriptStopped, Cancelled."""
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


def apply(
    store: ChatStore,
    ctx: JobContext,
    changes: Sequence[Replaced],
    find: str,
    renderer: StoryRenderer,
) -> Changes:
    """Write these changes, in one step; an event that was changed meanwhile is left as it is.

    ``find`` is what was looked for: the step is called by it. Raises Cancelled.
    """
    wanted: dict[int, dict[TextField, Replaced]] = defaultdict(dict)
    for change in changes:
        wanted[change.pk][change.field] = change

    def patch(event: EventNode) -> EventPatch | None:
        fields = wanted[event.pk]
        if any(change.updated_at != event.updated_at for change in fields.values()):
            return None
        return patch_of(event, {field: change.after for field, change in fields.items()})

    label = StepLabel(REPLACE, {"find": find[:NAMED]})
    return edit_each(store, ctx, list(wanted), patch, renderer, label)


def _differing(
    events: Sequence[EventNode], fields: Sequence[TextField], replaced: Replacer
) -> Iterator[tuple[EventNode, TextField, tuple[str, ...], tuple[str, ...]]]:
    """Yield the fields that read otherwise: their texts before and after."""
    cells = [(event, field, texts_of(event, field)) for event in events for field in fields]
    new = iter(replaced([text for _event, _field, texts in cells for text in texts]))
    for event, field, texts in cells:
        after = tuple(next(new) for _text in texts)
        if after != texts:
            yield event, field, texts, after


def _replacer(javascript: JavaScript, asked: FindReplace) -> Replacer:
    if not asked.is_regex:
        flags = 0 if asked.is_case_sensitive else re.IGNORECASE
        pattern = re.compile(re.escape(asked.find), flags)  # of plain letters: it always ends
        return lambda texts: [pattern.sub(lambda _match: asked.replace, text) for text in texts]
    parts = tuple(
        Group(part[0]) if isinstance(part, tuple) else part
        for part in groups_in(asked.replace.replace("$&", "$0"))
    )
    step = Replacement(asked.find, "g" if asked.is_case_sensitive else "gi", parts)
    return lambda texts: javascript.replace([step], [1] * len(texts), texts)
