"""Merge what was changed in a kept worldbook with the memory it is made of, entry by entry.

What is taken from the file becomes part of the memory, as one step that can be undone; then the
file is written from the memory again, if it is still the one that was compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Conflict, Unreadable
from engram_desktop.domain.labels import MERGE_WORLDBOOK, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.worldbooks.merging.worldbook_merge import (
    MergeEntry,
    MergePlan,
    MergeReport,
    Side,
    Uid,
    changes_between,
)
from engram_desktop.formats.json_text import read_json
from engram_desktop.formats.json_values import table_of
from engram_desktop.formats.worldbooks.world_info import WorldbookFile, decode, read_worldbook
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.library.whole_file import hash_of
from engram_desktop.services.tavern.worldbook_entries import EntryTaker
from engram_desktop.services.worldbooks import worldbook_keeping
from engram_desktop.services.worldbooks.memory_worldbook import MARKED, is_frame, memory_worldbook
from engram_desktop.storage.library.worldbooks import digest

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session

_T = QT_TRANSLATE_NOOP


def plan_merge(session: Session, ctx: JobContext, file: Path) -> MergePlan:
    """Compare a kept file with the memory. Raises NotFound, InputError. Writes nothing."""
    row = session.library.kept.find(file)
    path = Path(row.path)
    try:
        worldbook = read_worldbook(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    store = session.chat(row.chat_id)
    of_memory = memory_worldbook(ctx, store, session.library.chat_name(row.chat_id), row.branch_id)
    ctx.check()
    here = {
        entry.uid: entry for entry in of_memory.as_worldbook(ctx).entries if not is_frame(entry.uid)
    }
    there = {e.uid: e for e in worldbook.parsed.worldbook.entries if not is_frame(e.uid)}
    entries = tuple(changes_between(here, there, _marks(worldbook, path.name)))
    return MergePlan(row.path, row.chat_id, row.branch_id, digest(worldbook.original), entries)


def merge(
    session: Session, ctx: JobContext, plan: MergePlan, choices: Mapping[Uid, Side]
) -> MergeReport:
    """Take what was chosen into the memory, and write the file from it.

    What ``choices`` does not name goes as suggested. Raises Conflict if the file was changed since.
    """
    row = session.library.kept.find(Path(plan.path))
    if hash_of(Path(plan.path)) != plan.file_hash:
        raise Conflict(Phrase(_T("reports", "the file was changed again; compare it once more")))
    taken = [e for e in plan.entries if choices.get(e.uid, e.suggested) == "there"]
    changes = _take(session, ctx, plan, taken) if taken else Changes(chat_id=plan.chat_id)
    known = replace(row, hash=plan.file_hash, next_hash="")
    report = worldbook_keeping.sync(session.library, ctx, known, is_asked=True)
    return MergeReport(report.worldbook, len(taken), len(plan.entries) - len(taken), changes)


def _take(session: Session, ctx: JobContext, plan: MergePlan, entries: list[MergeEntry]) -> Changes:
    store = session.chat(plan.chat_id)
    label = StepLabel(MERGE_WORLDBOOK, {"count": len(entries), "file": Path(plan.path).name})
    taker = EntryTaker(session, store, plan.branch_id)

    def unit() -> Changes:
        changes = Changes(chat_id=plan.chat_id)
        with store.step(label):
            for entry in entries:
                changes = changes | taker.take(entry)
        return replace(changes, undo_label=label)

    return ctx.write(unit)


def _marks(worldbook: WorldbookFile, file: str) -> dict[str, str]:
    """What the file says its entries were when it was written; empty for one without marks."""
    value = table_of(read_json(decode(worldbook.content, file)[0], file))
    marks = table_of(table_of(table_of(value.get("extensions")).get(MARKED)).get("entries"))
    return {uid: mark for uid, mark in marks.items() if isinstance(mark, str)}
