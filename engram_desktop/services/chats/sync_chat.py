"""Follow one chat file: apply its changes since the last read to the library.

The file is opened for one read and never written. A half-written line waits; missing messages are
deleted only when the file was seen so twice; a vanished file deletes nothing. Reading an unchanged
file again does nothing.

A followed file is the truth: edits, swipes and deletions are applied at once. If the file seems to
be another copy put in its place (`_is_other_copy`), nothing is deleted and the file is followed on
a branch from then on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Conflict, Unreadable
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import CopyConflict, OnConflict
from engram_desktop.domain.tavern.folder import MOST_DELETED, Happened, Happening, SyncReport, Take
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import ChangedFile, is_named_after, name_of
from engram_desktop.formats.chats.chat_snapshot import Mark, Snapshot, take
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.branching import move_branch, name_branch
from engram_desktop.services.chats.import_chat import (
    name_given_to,
    note_file,
    note_header,
    note_raws,
    take_in,
)
from engram_desktop.services.chats.match_chat import (
    ChatMatch,
    ComparedFile,
    ComparedLine,
    compare_lines,
    find_place,
    is_only_served,
    line_exists,
    slip_of,
)
from engram_desktop.services.chats.timeline import (
    Sync,
    TakenCopy,
    carry_out,
    find_conflict,
    plan_sync,
)
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.served import is_uploaded


def happenings_of(store: ChatStore, todo: Sync, path: Path) -> tuple[Happening, ...]:
    """Return what ``todo`` would change. Deletions name old floors, all others new ones."""
    if todo.is_nothing:
        return ()
    base, script, new = todo.base, todo.script, todo.new
    was_hidden = [bool(row.is_hidden) for row in store.messages.outline(todo.branch_id, base)]
    old_end = todo.old_count - todo.tail
    staying = {base + i for i, _j in script.staying}
    new_floors = {base + j for _i, j in script.staying}
    swiped: list[int] = []
    edited: list[int] = []
    hidden: list[int] = []
    shown: list[int] = []
    for i, j in script.staying:
        message = new[j]
        if i in script.edited:
            is_swipe = _is_swipe(_raw(store, todo.branch_id, base + i), message.raw)
            (swiped if is_swipe else edited).append(base + j)
        elif was_hidden[i] != message.is_hidden:
            (hidden if message.is_hidden else shown).append(base + j)
    respoken = [base + j for i, j in script.staying if i in script.renamed]
    for floor, message in todo.views:
        (row,) = store.messages.slice(todo.branch_id, floor, floor)
        if row.name != message.name:
            respoken.append(floor)
        if row.is_hidden != message.is_hidden:
            (hidden if message.is_hidden else shown).append(floor)
    floors: list[tuple[Happened, Iterable[int]]] = [
        ("deleted", (n for n in range(base, old_end) if n not in staying)),
        ("swiped", swiped),
        ("edited", edited),
        ("moved", sorted(base + j for _i, j in script.moved)),
        ("respoken", respoken),
        ("hidden", hidden),
        ("shown", shown),
        ("added", (n for n in range(base, base + len(new)) if n not in new_floors)),
    ]
    happenings = []
    for happened, numbers in floors:
        changed = sorted(numbers)
        if changed:
            span = (changed[0], changed[-1])
            happenings.append(
                Happening(happened, str(path), store.chat_id, todo.branch_id, len(changed), span)
            )
    return tuple(happenings)


def _raw(store: ChatStore, branch_id: str, floor: int) -> str:
    return store.messages.as_parsed(branch_id, floor, floor)[0].raw


def _is_swipe(old: str, new: str) -> bool:
    """Return whether another swipe was chosen or added; otherwise the text was edited."""
    before, after = _swipes(old), _swipes(new)
    return before != after and after[1] > 1


def _swipes(raw: str) -> tuple[Any, int]:
    try:
        row = json.loads(raw)
    except ValueError:
        return None, 0
    swipes = row.get("swipes") if isinstance(row, dict) else None
    if not isinstance(swipes, list):
        return 0, 1
    return row.get("swipe_id"), len(swipes)


def sync_chat(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    settled: bool = True,
    new: Take = "all",
    is_asked: bool = False,
    on_conflict: OnConflict = "branch",
    is_newest: bool = False,
) -> SyncReport:
    """Make the library match ``path``. Raises InputError.

    ``settled``: the file was seen in this state before, so missing messages were deleted. ``new``
    says which files not followed yet are followed: all, those of known chats, or those of chats
    that have a followed file. ``is_asked``: the user chose this file, so even a copy becomes a
    branch. ``is_newest``: the line was extended elsewhere meanwhile; it follows the file, and what
    the file lacks goes to a branch.
    """
    how = _How(settled=settled, new=new, on_conflict=on_conflict, is_newest=is_newest)
    row = library.followed.get(path)
    if row is not None and not row.is_followed:
        return SyncReport(str(path))
    mark = None if row is None else _usable_mark(library, row)
    try:
        snapshot = take(path, mark)
    except (ChangedFile, PermissionError):  # it is being written; Windows refuses to open it then
        return SyncReport(str(path), is_waiting=True)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    if row is not None and mark is not None and snapshot.holds(mark):
        return _follow(library, ctx, snapshot, row, how, mark)
    return _from_start(library, ctx, snapshot, how, is_asked=is_asked)


@dataclass(frozen=True, slots=True)
class _How:
    """The options of one sync: see `sync_chat`."""

    settled: bool
    new: Take
    on_conflict: OnConflict
    is_newest: bool


def follow_file(
    library: Library, ctx: JobContext, path: Path, on_conflict: OnConflict = "branch"
) -> SyncReport:
    """Sync a chat file that the user chose, and follow it from now on. Idempotent."""
    row = library.followed.get(path)
    if row is not None and not row.is_followed:
        if row.chat_id in {chat_id for chat_id, *_rest in library.chat_rows()}:
            ctx.write(lambda: library.followed.put(replace(row, is_followed=True)))
        else:
            ctx.write(lambda: library.followed.remove(row.path))
    return sync_chat(library, ctx, path, is_asked=True, on_conflict=on_conflict)


def _from_start(
    library: Library, ctx: JobContext, snapshot: Snapshot, how: _How, *, is_asked: bool
) -> SyncReport:
    """Read the whole file and find out where it belongs."""
    chat, path = snapshot.chat, str(snapshot.path)
    if not chat.count:  # such as a file about to be written: nothing is deleted for it
        return SyncReport(path, is_waiting=snapshot.is_half, warnings=chat.warnings)
    place = find_place(library, chat)
    if place.row is not None:
        report = _follow(library, ctx, snapshot, place.row, how)
        if place.kind == "known" or report.is_waiting:
            return report
        happened: Happened = "renamed" if place.kind == "renamed" else "converted"
        return _moved(library, ctx, snapshot, place.row, report, happened)
    if place.kind == "copy" and not is_asked:
        return SyncReport(path, is_copy=True)
    if snapshot.is_half or not _is_wanted(library, place.match, how.new):
        return SyncReport(path, is_waiting=snapshot.is_half)
    return _take_in(library, ctx, snapshot, place.match, how)


def stop_following(library: Library, path: Path) -> None:
    """Stop following a file; the messages read from it stay."""
    row = library.followed.get(path)
    if row is not None:
        library.followed.put(replace(row, is_followed=False))


def _is_wanted(library: Library, match: ChatMatch | None, new: Take) -> bool:
    if new == "all" or match is None:
        return new == "all"
    return new == "known" or any(
        row.is_followed for row in library.followed.of_chat(match.line.chat_id)
    )


def _usable_mark(library: Library, row: FollowedFile) -> Mark | None:
    """Return the mark of the last read, if the line before it has not changed since; else None."""
    if not row.mark_hash or not line_exists(library, row):
        return None
    is_same = _line_mark(library, row, row.mark_floor) == row.line_hash
    return Mark(row.mark_offset, row.mark_hash, row.mark_floor) if is_same else None


def _follow(
    library: Library,
    ctx: JobContext,
    snapshot: Snapshot,
    row: FollowedFile,
    how: _How,
    mark: Mark | None = None,
) -> SyncReport:
    """Make the line of ``row`` match the file; floors before ``mark`` are unchanged."""
    messages = snapshot.messages_after(mark) if mark else snapshot.messages()
    store = library.chat(row.chat_id)
    first = mark.floor if mark else 0
    todo = plan_sync(store, row.branch_id, messages, exact=not snapshot.is_half, first=first)
    look = _Look(snapshot, messages, mark, todo)
    is_sure = how.settled and not snapshot.is_half
    if todo.removed and not is_sure:
        return look.report(row, is_waiting=True)
    conflict = _conflict(library, snapshot, row, todo, how)
    if conflict is not None and not is_sure:
        return look.report(row, is_waiting=True)
    is_other = conflict is not None and conflict.is_kept and not conflict.is_newer
    is_longer = conflict is None and todo.added > MOST_DELETED
    if (is_other or is_longer) and _has_free_line(library, row):
        if mark is not None:
            return _follow_whole(library, ctx, look, row, how)
        other_row = _line_told(library, row, snapshot, is_other=is_other)
        if other_row is not None:
            report = _follow(library, ctx, snapshot, other_row, how)
            return _switched(report, row, conflict)
    return _carry_out(library, ctx, look, row, conflict)


@dataclass(frozen=True, slots=True)
class _Look:
    """A file read from ``mark`` on, and the plan that makes its line match it."""

    snapshot: Snapshot
    messages: list[ParsedMessage]
    mark: Mark | None
    todo: Sync

    def report(self, row: FollowedFile, *, is_waiting: bool) -> SyncReport:
        first = self.mark.floor if self.mark else 0
        return SyncReport(
            str(self.snapshot.path),
            row.chat_id,
            row.branch_id,
            messages=first + len(self.messages),
            is_waiting=is_waiting,
            read_from=first,
            warnings=self.snapshot.chat.warnings if self.mark is None else (),
        )


def _follow_whole(
    library: Library, ctx: JobContext, look: _Look, row: FollowedFile, how: _How
) -> SyncReport:
    """Read the file from its beginning and follow it."""
    try:
        snapshot = take(look.snapshot.path)
    except (ChangedFile, OSError):
        return look.report(row, is_waiting=True)
    return _follow(library, ctx, snapshot, row, how)


def _carry_out(
    library: Library, ctx: JobContext, look: _Look, row: FollowedFile, conflict: CopyConflict | None
) -> SyncReport:
    """Carry out the plan, and store how far the file was read."""
    snapshot, todo, half = look.snapshot, look.todo, look.snapshot.is_half
    store, path = library.chat(row.chat_id), look.snapshot.path
    report = look.report(row, is_waiting=half)
    is_left_out = conflict is not None and conflict.choice == "skip"
    happened = () if is_left_out else happenings_of(store, todo, path)
    if not todo.is_nothing:
        try:
            source = (name_of(path), path.name) if conflict else ("", "")
            taken = carry_out(store, ctx, todo, conflict, source)
        except Conflict:  # the chat was edited here meanwhile: try again
            return replace(report, is_waiting=True)
        ctx.write(lambda: library.touch_chat(row.chat_id))
        happened = _with_conflict(path, row, taken, happened)
        row = replace(row, branch_id=taken.branch_id)
        report = replace(
            report, branch_id=row.branch_id, changes=taken.changes, conflict=taken.conflict
        )
    report = replace(
        report,
        happened=happened,
        changes=report.changes | Changes(chat_id=row.chat_id),
        added=sum(h.count for h in happened if h.what in ("added", "branch")),
    )
    if half:
        return report
    new_mark, is_noted = None, False
    if not is_left_out:
        note_header(store, ctx, row.branch_id, snapshot.header)
        is_noted = note_raws(store, ctx, row.branch_id, look.messages, report.read_from)
        new_mark = snapshot.mark(look.messages, look.mark)
    at = library.clock() if happened else row.changed_at
    _note(library, ctx, replace(row, changed_at=at), snapshot, new_mark)
    return replace(report, is_noted=is_noted)


def _conflict(
    library: Library, snapshot: Snapshot, row: FollowedFile, todo: Sync, how: _How
) -> CopyConflict | None:
    """Return what a file would remove from its line, unless it was just removed in SillyTavern."""
    store = library.chat(row.chat_id)
    conflict = find_conflict(store, todo, how.on_conflict, is_followed=True)
    if conflict is None or how.is_newest:
        return conflict and replace(conflict, is_newer=True)
    before = library.followed.get(Path(row.path))
    if before is None and (
        _is_only_served(library, row) or _is_played(library, snapshot, row, conflict)
    ):
        return replace(conflict, is_newer=True)
    is_known = before is not None and before.branch_id == row.branch_id
    if before is not None and is_known and not _is_other_copy(snapshot, before, store, conflict):
        return None
    return conflict


def _is_only_served(library: Library, row: FollowedFile) -> bool:
    """Return whether only the server recorded the line: its file holds what is missing there."""
    sources = {chat_id: source for chat_id, _name, source, _at in library.chat_rows()}
    return is_only_served(library.chat(row.chat_id), sources[row.chat_id])


def _is_played(
    library: Library, snapshot: Snapshot, row: FollowedFile, conflict: CopyConflict
) -> bool:
    """Return whether a companion uploads, for the first time, the chat this line was imported from.

    The slips are equal, and no more than `MOST_DELETED` floors are missing.
    """
    slip = slip_of(snapshot.header)
    is_same = slip != "" and slip == slip_of(
        library.chat(row.chat_id).branches.header(row.branch_id)
    )
    is_near = conflict.gone_count <= MOST_DELETED
    return is_same and is_near and is_uploaded(library.folder, row.path)


def _is_other_copy(
    snapshot: Snapshot, before: FollowedFile, store: ChatStore, conflict: CopyConflict
) -> bool:
    """Return whether a file seems to be another copy, put in place of the file read before.

    It is older, has another slip, or lacks more than `MOST_DELETED` floors.
    """
    slips = {slip_of(store.branches.header(before.branch_id)), slip_of(snapshot.header)} - {""}
    is_older = snapshot.stamp[1] < before.mtime_ns
    return is_older or len(slips) > 1 or conflict.gone_count > MOST_DELETED


def _with_conflict(
    path: Path, row: FollowedFile, taken: TakenCopy, followed: tuple[Happening, ...]
) -> tuple[Happening, ...]:
    """Return the happenings, with the floors in conflict and the branch they are kept on."""
    conflict = taken.conflict
    if conflict is None:
        return followed
    kept = _happening(path, row, conflict)
    if taken.fork_floor is None:
        return (kept, *followed)
    added = taken.rewritten.added
    span = (taken.fork_floor + 1, taken.fork_floor + added) if added else None
    branch = Happening("branch", str(path), row.chat_id, taken.branch_id, added, span)
    return (kept, branch)


def _owned_lines(library: Library, row: FollowedFile) -> set[str]:
    """Return the branches of the chat of ``row`` that are read from followed files."""
    return {other.branch_id for other in library.followed.of_chat(row.chat_id)} | {row.branch_id}


def _has_free_line(library: Library, row: FollowedFile) -> bool:
    ids = library.chat(row.chat_id).branches.ids()
    return not _owned_lines(library, row).issuperset(ids)


def _line_told(
    library: Library, row: FollowedFile, snapshot: Snapshot, *, is_other: bool
) -> FollowedFile | None:
    """Return ``row`` with the line that the file holds whole, if it was read for another line.

    This is so when an earlier copy of the file is put back. ``is_other``: the file is not a copy of
    the row's line.
    """
    owned = _owned_lines(library, row)
    lines = list(compare_lines(library, ComparedFile.of_chat(snapshot.chat), row.chat_id))
    common = next(line.common for line in lines if line.branch_id == row.branch_id)
    told = [
        line
        for line in lines
        if line.branch_id not in owned
        and line.common == line.line_count
        and line.common >= common + (not is_other)
    ]
    best = max(told, key=lambda line: line.common, default=None)
    return None if best is None else replace(row, branch_id=best.branch_id)


def _switched(report: SyncReport, row: FollowedFile, conflict: CopyConflict | None) -> SyncReport:
    """Report that a file, being another copy now, is followed on another line."""
    if conflict is None or report.is_waiting:
        return report
    conflict = replace(conflict, branch=report.branch_id)
    happening = _happening(Path(report.path), row, conflict)
    return replace(report, conflict=conflict, happened=(happening, *report.happened))


def _happening(path: Path, row: FollowedFile, conflict: CopyConflict) -> Happening:
    return Happening(
        "conflict",
        str(path),
        row.chat_id,
        row.branch_id,
        conflict.count,
        conflict.floors,
        conflict.choice,
        conflict,
    )


def _moved(
    library: Library,
    ctx: JobContext,
    snapshot: Snapshot,
    row: FollowedFile,
    report: SyncReport,
    happened: Happened,
) -> SyncReport:
    """Store that a line is read from another file now; names taken from the file are renamed."""
    path, old_path = snapshot.path, Path(row.path)

    def unit() -> Changes:
        library.followed.remove(row.path)
        changes = Changes(chat_id=row.chat_id, library=True)
        if is_named_after(library.chat_name(row.chat_id), old_path):
            library.rename_chat(row.chat_id, snapshot.chat.name)
        if row.branch_id == MAIN_BRANCH:
            library.set_source(row.chat_id, path.name)
            return changes
        return changes | move_branch(library.chat(row.chat_id), row.branch_id, old_path, path)

    changes = ctx.write(unit)
    moved = Happening(happened, str(path), row.chat_id, row.branch_id, detail=old_path.name)
    return replace(report, happened=(moved, *report.happened), changes=report.changes | changes)


def _continued(
    library: Library, ctx: JobContext, snapshot: Snapshot, line: ComparedLine, how: _How
) -> SyncReport:
    """Follow a file that continues a known line; a line with a default name is named after it."""
    chat_id, path = line.chat_id, snapshot.path
    store = library.chat(chat_id)
    given = name_given_to(store, line)
    row = FollowedFile(key_of(path), chat_id, line.branch_id)
    report = _follow(library, ctx, snapshot, row, how)
    if report.is_waiting:
        return report

    def unit() -> Changes:
        note_file(library, replace(line, branch_id=report.branch_id), snapshot.chat, given)
        changes = Changes(chat_id=chat_id, library=line.is_served)
        if report.branch_id != MAIN_BRANCH:
            changes |= name_branch(store, report.branch_id, path)
        return changes

    return replace(report, changes=report.changes | ctx.write(unit))


def _take_in(
    library: Library, ctx: JobContext, snapshot: Snapshot, match: ChatMatch | None, how: _How
) -> SyncReport:
    """Follow a file for the first time: as a new chat, as a branch, or as a known line."""
    path = snapshot.path
    if match is not None and not match.is_branch:
        return _continued(library, ctx, snapshot, match.line, how)
    messages = snapshot.messages()
    report = take_in(library, ctx, snapshot.chat, match)
    chat_id, branch_id = report.chat_id or "", report.branch_id or MAIN_BRANCH
    row = FollowedFile(key_of(path), chat_id, branch_id, changed_at=library.clock())
    _note(library, ctx, row, snapshot, snapshot.mark(messages))
    fork = report.fork_floor
    first = 0 if fork is None else fork + 1
    happening = Happening(
        "imported" if fork is None else "branch",
        str(path),
        chat_id,
        branch_id,
        report.added,
        (first, len(messages) - 1) if report.added else None,
    )
    return SyncReport(
        str(path),
        chat_id,
        branch_id,
        (happening,),
        len(messages),
        report.added,
        warnings=report.warnings,
        changes=report.changes,
    )


def _note(
    library: Library, ctx: JobContext, row: FollowedFile, snapshot: Snapshot, mark: Mark | None
) -> None:
    """Store how far the file was read."""
    size, mtime_ns = snapshot.stamp
    new_row = replace(
        row,
        path=key_of(snapshot.path),
        size=size,
        mtime_ns=mtime_ns,
        mark_offset=mark.offset if mark else 0,
        mark_hash=mark.hash if mark else "",
        mark_floor=mark.floor if mark else 0,
        line_hash=_line_mark(library, row, mark.floor) if mark else "",
    )
    if new_row != library.followed.get(snapshot.path):
        ctx.write(lambda: library.followed.put(new_row))


def _line_mark(library: Library, row: FollowedFile, floors: int) -> str:
    return library.chat(row.chat_id).messages.line_mark(row.branch_id, floors)
