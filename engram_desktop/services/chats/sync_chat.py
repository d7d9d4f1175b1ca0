"""Follow one chat file: what changed in it since it was last read happens in the library too.

The file is opened once, for as long as it takes to read it, and never written. A line that is half
written waits; messages that disappear are believed when the file was seen so twice; a file that
disappears takes nothing with it. Looking twice at the same file does nothing the second time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Conflict, Unreadable
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.tavern.folder import Happened, Happening, SyncReport, Take
from engram_desktop.formats.chats.chat_jsonl import ChangedFile
from engram_desktop.formats.chats.chat_snapshot import Mark, Snapshot, take
from engram_desktop.formats.chats.group_metadata import is_named_after
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.branching import move_branch
from engram_desktop.services.chats.happenings import happenings_of
from engram_desktop.services.chats.import_chat import carry_out, note_header, take_in
from engram_desktop.services.chats.line_plan import plan_sync
from engram_desktop.services.chats.match_chat import Match
from engram_desktop.services.chats.match_file import find_place, line_exists
from engram_desktop.services.chats.note_raws import note_raws
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library


def sync_chat(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    settled: bool = True,
    new: Take = "all",
    is_asked: bool = False,
) -> SyncReport:
    """Make the library what ``path`` tells.

    ``settled``: the file was seen like this before, so that what is missing was deleted. ``new``
    says which files that are not followed yet shall be: all, those of chats the library knows, or
    those of chats of which a file is followed. ``is_asked``: the user chose this very file, so that
    even a copy becomes a branch. Raises InputError.
    """
    row = library.followed.get(path)
    if row is not None and not row.is_followed:
        return SyncReport(str(path))
    mark = None if row is None else _usable_mark(library, row)
    try:
        snapshot = take(path, mark)
    except (ChangedFile, PermissionError):  # being written; Windows refuses to open it then
        return SyncReport(str(path), is_waiting=True)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    if row is not None and mark is not None and snapshot.holds(mark):
        return _follow(library, ctx, snapshot, row, mark, settled=settled)
    return _from_start(library, ctx, snapshot, settled=settled, new=new, is_asked=is_asked)


def follow_file(library: Library, ctx: JobContext, path: Path) -> SyncReport:
    """Make the library what a chat file tells, and follow it: the user chose it. Idempotent."""
    row = library.followed.get(path)
    if row is not None and not row.is_followed:
        if row.chat_id in {chat_id for chat_id, *_rest in library.chat_rows()}:
            ctx.write(lambda: library.followed.put(replace(row, is_followed=True)))
        else:
            ctx.write(lambda: library.followed.remove(row.path))
    return sync_chat(library, ctx, path, is_asked=True)


def _from_start(
    library: Library,
    ctx: JobContext,
    snapshot: Snapshot,
    *,
    settled: bool,
    new: Take,
    is_asked: bool,
) -> SyncReport:
    """Read the whole file; find out where it belongs."""
    chat, path = snapshot.chat, str(snapshot.path)
    if not chat.count:  # such as a file that is about to be written; nothing is deleted for it
        return SyncReport(path, is_waiting=snapshot.is_half, warnings=chat.warnings)
    place = find_place(library, chat)
    if place.row is not None:
        report = _follow(library, ctx, snapshot, place.row, settled=settled)
        if place.kind == "known" or report.is_waiting:
            return report
        happened: Happened = "renamed" if place.kind == "renamed" else "converted"
        return _moved(library, ctx, snapshot, place.row, report, happened)
    if place.kind == "copy" and not is_asked:
        return SyncReport(path, is_copy=True)
    if snapshot.is_half or not _is_wanted(library, place.match, new):
        return SyncReport(path, is_waiting=snapshot.is_half)
    return _take_in(library, ctx, snapshot, place.match, settled=settled)


def stop_following(library: Library, path: Path) -> None:
    """Follow a file no more; what was read of it stays."""
    row = library.followed.get(path)
    if row is not None:
        library.followed.put(replace(row, is_followed=False))


def _is_wanted(library: Library, match: Match | None, new: Take) -> bool:
    if new == "all" or match is None:
        return new == "all"
    return new == "known" or any(
        row.is_followed for row in library.followed.of_chat(match.line.chat_id)
    )


def _usable_mark(library: Library, row: FollowedFile) -> Mark | None:
    """Return the mark before which the line of ``row`` is as it was when the file was read."""
    if not row.mark_hash or not line_exists(library, row):
        return None
    is_same = _line_mark(library, row, row.mark_floor) == row.line_hash
    return Mark(row.mark_offset, row.mark_hash, row.mark_floor) if is_same else None


def _follow(
    library: Library,
    ctx: JobContext,
    snapshot: Snapshot,
    row: FollowedFile,
    mark: Mark | None = None,
    *,
    settled: bool,
) -> SyncReport:
    """Make the line of ``row`` what the file tells; what comes before ``mark`` is known."""
    messages = snapshot.messages_after(mark) if mark else snapshot.messages()
    store = library.chat(row.chat_id)
    first = mark.floor if mark else 0
    half = snapshot.is_half
    todo = plan_sync(store, row.branch_id, messages, exact=not half, first=first)
    empty = SyncReport(
        str(snapshot.path),
        row.chat_id,
        row.branch_id,
        messages=first + len(messages),
        is_waiting=half,
        read_from=first,
        warnings=snapshot.chat.warnings if mark is None else (),
    )
    if todo.removed and (half or not settled):
        return replace(empty, is_waiting=True)
    happened = happenings_of(store, todo, snapshot.path)
    changes = Changes(chat_id=row.chat_id)
    if not todo.is_nothing:
        try:
            _done, changes = carry_out(store, ctx, todo)
        except Conflict:  # the chat was edited here meanwhile: look again
            return replace(empty, is_waiting=True)
        ctx.write(lambda: library.touch_chat(row.chat_id))
    if not half:
        note_header(store, ctx, row.branch_id, snapshot.header)
        empty = replace(empty, is_noted=note_raws(store, ctx, row.branch_id, messages, first))
        at = library.clock() if happened else row.changed_at
        _note(library, ctx, replace(row, changed_at=at), snapshot, snapshot.mark(messages, mark))
    added = sum(h.count for h in happened if h.what == "added")
    return replace(empty, happened=happened, changes=changes, added=added)


def _moved(
    library: Library,
    ctx: JobContext,
    snapshot: Snapshot,
    row: FollowedFile,
    report: SyncReport,
    happened: Happened,
) -> SyncReport:
    """Note that the line of a file comes from another one now; what is named after it follows."""
    path, old_path = snapshot.path, Path(row.path)

    def unit() -> Changes:
        library.followed.remove(row.path)
        if row.branch_id == MAIN_BRANCH:
            library.set_source(row.chat_id, path.name)
            changes = Changes(chat_id=row.chat_id, library=True)
            if is_named_after(library.chat_name(row.chat_id), old_path):
                library.rename_chat(row.chat_id, snapshot.chat.name)
            return changes
        return move_branch(library.chat(row.chat_id), row.branch_id, old_path, path)

    changes = ctx.write(unit)
    moved = Happening(happened, str(path), row.chat_id, row.branch_id, detail=old_path.name)
    return replace(report, happened=(moved, *report.happened), changes=report.changes | changes)


def _take_in(
    library: Library, ctx: JobContext, snapshot: Snapshot, match: Match | None, *, settled: bool
) -> SyncReport:
    """Follow a file for the first time: a chat of its own, a branch, or a line known before."""
    path = snapshot.path
    if match is not None and not match.is_branch:
        row = FollowedFile(key_of(path), match.line.chat_id, match.line.branch_id)
        return _follow(library, ctx, snapshot, row, settled=settled)
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
    """Remember how far the file was read."""
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
