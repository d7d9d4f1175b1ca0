"""Take over memories that other tools left: in the messages of a chat, or in files beside it.

They become events marked as imported, in one undoable step. A memory has an id made of who wrote
it and what it says, so that a second run adds nothing, not even what was deleted since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.adopted import Adopted, AdoptReport, by_tool
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.event import EventNode, SourceRange
from engram_desktop.domain.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.labels import ADOPT, StepLabel
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.formats.adopt import horae, qvink, summarize
from engram_desktop.formats.adopt.files import read_file
from engram_desktop.formats.adopt.values import table_of
from engram_desktop.formats.chat_row import loads
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.blocks import make_event
from engram_desktop.storage.chat_store import ChatStore

BATCH = 500


def find_memories(
    store: ChatStore, ctx: JobContext, branch_id: str, files: Sequence[Path] = ()
) -> list[Adopted]:
    """Return what other tools left in a line's messages and in ``files``. Raises InputError."""
    found: list[Adopted] = []
    rolling: Adopted | None = None
    for floor, row in _rows(store, ctx, branch_id):
        noted = qvink.of_message(row, floor)
        found += [noted] if noted else []
        found += horae.of_message(row, floor)
        rolling = summarize.of_message(row, floor) or rolling
    found += [rolling] if rolling else []
    for file in files:
        ctx.check()
        found += read_file(file)
    return found


def adopt(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    found: Sequence[Adopted],
    renderer: StoryRenderer,
) -> AdoptReport:
    """Make events of ``found``; what was taken over before is skipped."""
    last = store.messages.count(branch_id) - 1
    made = {
        e.id: e for e in (_event(one, branch_id, last, store.clock(), renderer) for one in found)
    }
    known = store.events.ever(list(made))
    new = [e for e in made.values() if e.id not in known]
    empty = AdoptReport(by_tool(found), 0, len(found) - len(new))
    if not new:
        return empty
    label = StepLabel(ADOPT, {"count": len(new)})

    def unit() -> list[int]:
        with store.step(label):
            return store.events.add(new, store.clock())

    pks = ctx.write(unit)
    changes = Changes(
        chat_id=store.chat_id, events=frozenset(pks), structure=True, undo_label=label
    )
    return replace(empty, added=len(new), changes=changes)


def _rows(
    store: ChatStore, ctx: JobContext, branch_id: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    count = store.messages.count(branch_id)
    for first in range(0, count, BATCH):
        ctx.check()
        parts = store.messages.as_parsed(branch_id, first, min(count, first + BATCH) - 1)
        for floor, message in enumerate(parts, first):
            row = _row(message.raw)
            if row:
                yield floor, row


def _row(raw: str) -> dict[str, Any]:
    try:
        return table_of(loads(raw)[0])
    except (ValueError, RecursionError):  # it was made here, of a message without any JSON
        return {}


def _event(one: Adopted, branch_id: str, last: int, now: int, renderer: StoryRenderer) -> EventNode:
    span = SourceRange(min(one.first, max(0, last)), min(one.last, max(0, last)))
    kv = StructuredKv(time_anchor=one.when, role=one.who, location=one.where)
    data = PlotExtraction(
        summary=one.text,
        keywords=one.keywords,
        timestamp=one.when,
        location=one.where,
        structured_kv=kv,
    )
    event = make_event(data, span, now, "imported", renderer, branch_id)
    return replace(event, id=_id_of(one), level=one.level)


def _id_of(one: Adopted) -> str:
    return hashlib.blake2b(f"{one.tool}\x00{one.text}".encode(), digest_size=16).hexdigest()
