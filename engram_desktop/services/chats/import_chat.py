"""Take a chat file into the library: nothing twice, nothing lost, nothing of the user's touched.

A file continues the line whose messages begin as its own do. Where the file tells it differently,
the library follows the file by the smallest change, and what was derived from the old messages is
marked stale. A file that was branched from a known chat becomes a branch of it. One undo takes any
of that back.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.labels import FORK, IMPORT, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chat_files import read_chat, read_foreign_chats
from engram_desktop.formats.chats.chat_jsonl import ChatFile
from engram_desktop.formats.sniff import FileKind, sniff
from engram_desktop.formats.worldbooks.world_info import check_json
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.services.chats.branching import fork_step
from engram_desktop.services.chats.line_plan import Sync, plan_sync
from engram_desktop.services.chats.match_chat import ComparedFile, Match, find_match
from engram_desktop.services.chats.note_raws import note_raws
from engram_desktop.services.chats.timeline import see_shared, sync
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.timeline import Rewritten
from engram_desktop.storage.library.library import Library

BATCH = 500  # about 30 ms of writing
MAX_UNDOABLE = 20_000  # messages: an undo step holds them all once more (`storage.journal`)


class NoMessage(InputError):
    text = QT_TRANSLATE_NOOP("errors", "There is no message in {file}.")
    hint = QT_TRANSLATE_NOOP("errors", "It may be empty, or of a program that is not known here.")


class SeveralChats(InputError):
    """``file`` holds ``count`` chats, and was to go into one."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds {count} chats; they cannot go into one.")
    hint = QT_TRANSLATE_NOOP("errors", "Import it without choosing a chat: each gets its own.")


_JSON_SUFFIXES = frozenset({".json", ".lorebook"})


def preview(
    library: Library, path: Path, into: str | None, *, exact: bool = False
) -> ImportPreview:
    """Say what importing ``path`` would do. Raises InputError.

    Of a file with several chats it tells of the longest, and counts the others.
    """
    chats = _read(path)
    chat = max(chats, key=lambda chat: chat.count)
    match = _match(library, chat, into)
    sample = tuple((m.name, m.text[:200]) for m in itertools.islice(chat.messages(), 5))
    common = match.line.common if match else 0
    todo = None
    if match is not None and not match.is_branch and common < match.line.line_count:
        store = library.chat(match.line.chat_id)
        todo = plan_sync(store, match.line.branch_id, chat.messages(), exact=exact)
    return ImportPreview(
        file=str(path),
        kind="chat",
        name=chat.name,
        characters=chat.characters,
        messages=chat.count,
        hidden=chat.hidden,
        swipes=chat.swiped,
        first_at=chat.first_at,
        last_at=chat.last_at,
        sample=sample,
        chat_id=match.line.chat_id if match else None,
        chat_name=match.line.chat_name if match else None,
        new_messages=todo.added + todo.changed if todo else chat.count - common,
        warnings=chat.warnings,
        branch_id=match.line.branch_id if match and not match.is_branch else None,
        fork_floor=common - 1 if match and match.is_branch else None,
        changed=todo.changed if todo else 0,
        removed=todo.removed if todo else 0,
        chats=len(chats),
        clash=chat.name if chat.name in {row[1] for row in library.chat_rows()} else "",
    )


def import_chat(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    into: str | None,
    name: str | None,
    exact: bool = False,
) -> ImportReport:
    """Import ``path``; cancelling keeps the messages taken in so far. Raises InputError.

    ``exact`` follows the file even where it only lacks the newest messages. Of several chats in one
    file each becomes a chat of its own, and the report tells of the first; they cannot go into one.
    """
    chats = [chat for chat in _read(path) if chat.count]
    if not chats:
        raise NoMessage(file=path.name)
    if len(chats) > 1 and into:
        raise SeveralChats(file=path.name, count=len(chats))
    reports = []
    for number, chat in enumerate(chats, start=1):
        match = None if name and not into else _match(library, chat, into)
        chat_name = f"{name} {number}" if name and len(chats) > 1 else name
        reports.append(take_in(library, ctx, chat, match, name=chat_name, exact=exact))
    return _joined(path, reports)


def _joined(path: Path, reports: Sequence[ImportReport]) -> ImportReport:
    """Make one report of those of a file's chats: it tells of the first, and counts all."""
    first, *others = reports
    changes = first.changes
    for report in others:
        changes = changes | report.changes
    return replace(
        first,
        file=str(path),
        messages=sum(report.messages for report in reports),
        added=sum(report.added for report in reports),
        skipped=sum(report.skipped for report in reports),
        warnings=tuple(warning for report in reports for warning in report.warnings),
        changes=changes,
        also=tuple(report.chat_id or "" for report in others),
    )


def take_in(
    library: Library,
    ctx: JobContext,
    chat: ChatFile,
    match: Match | None,
    *,
    name: str | None = None,
    exact: bool = False,
) -> ImportReport:
    """Take in a chat that was read: as a chat of its own, or where ``match`` says."""
    path = chat.path
    if match is None:
        store, changes = _begin(library, ctx, chat, name)
        rewritten = Rewritten(added=chat.count)
        branch_id, fork_floor = MAIN_BRANCH, None
    elif match.is_branch:
        store = library.chat(match.line.chat_id)
        fork_floor = match.line.common - 1
        branch_id, changes = _import_branch(store, ctx, chat, match)
        rewritten = Rewritten(added=chat.count - match.line.common)
    else:
        store = library.chat(match.line.chat_id)
        branch_id, fork_floor = match.line.branch_id, None
        messages = list(chat.messages())  # a plan holds them anyway
        todo = plan_sync(store, branch_id, messages, exact=exact)
        rewritten, changes = carry_out(store, ctx, todo)
        note_raws(store, ctx, branch_id, messages)
    note_header(store, ctx, branch_id, chat.header)
    if changes.messages or rewritten.added:
        ctx.write(lambda: library.touch_chat(store.chat_id))
    return ImportReport(
        file=str(path),
        kind="chat",
        chat_id=store.chat_id,
        messages=chat.count,
        added=rewritten.added + rewritten.changed,
        skipped=chat.count - rewritten.added - rewritten.changed,
        warnings=chat.warnings,
        changes=changes | Changes(chat_id=store.chat_id, library=match is None),
        changed=rewritten.changed,
        removed=rewritten.removed,
        branch_id=branch_id,
        fork_floor=fork_floor,
    )


def note_header(store: ChatStore, ctx: JobContext, branch_id: str, header: str) -> None:
    """Keep the newest header of the file a line comes from; a file without one changes nothing."""
    if not header or header == store.branches.header(branch_id):
        return

    def unit() -> None:
        with store.database.writing():
            store.branches.set_header(branch_id, header)

    ctx.write(unit)


def kind_of(path: Path) -> FileKind:
    """Say what kind of file this is. Raises InputError, also for JSON that is broken."""
    try:
        kind = sniff(path)
        if kind == "unknown" and path.suffix.lower() in _JSON_SUFFIXES:
            check_json(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    return kind


def _read(path: Path) -> list[ChatFile]:
    try:
        return read_foreign_chats(path) if sniff(path) == "chat_json" else [read_chat(path)]
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def _match(library: Library, chat: ChatFile, into: str | None) -> Match | None:
    return find_match(library, ComparedFile.of_chat(chat), into)


def carry_out(store: ChatStore, ctx: JobContext, todo: Sync) -> tuple[Rewritten, Changes]:
    """Make a line what was planned: most often it only goes on. Raises Conflict."""
    old_count = todo.old_count
    if todo.base < old_count or todo.views:
        return sync(store, ctx, todo)
    place = _Place(todo.branch_id, old_count)
    changes = _append(store, ctx, place, iter(todo.new), len(todo.new))
    return Rewritten(added=len(todo.new)), changes


def _begin(
    library: Library, ctx: JobContext, chat: ChatFile, name: str | None
) -> tuple[ChatStore, Changes]:
    """Make a chat of its own. It is there at the end, with all messages, or those before a cancel.

    A killed process leaves a folder that nobody knows, which the next opening takes away.
    """
    chat_name = name or chat.name
    messages = chat.messages()
    first = list(itertools.islice(messages, BATCH))

    def unit() -> ChatStore:
        new_store = library.begin_chat(chat_name)
        try:
            with new_store.database.writing():
                new_store.messages.append(MAIN_BRANCH, 0, first)
        except BaseException:
            library.give_up_chat(new_store)
            raise
        return new_store

    store = ctx.write(unit)
    place = _Place(MAIN_BRANCH, len(first), is_new=True)
    is_whole = False
    try:
        changes = _append(store, ctx, place, messages, chat.count - len(first))
        ctx.write(lambda: library.admit_chat(store, chat_name, chat.path.name))
        is_whole = True
    except Cancelled:  # a context that is cancelled writes no more; this is one short commit
        library.admit_chat(store, chat_name, chat.path.name)
        is_whole = True
        raise
    finally:
        if not is_whole:
            library.give_up_chat(store)
    return store, changes | Changes(messages=bool(first))


def _import_branch(
    store: ChatStore, ctx: JobContext, chat: ChatFile, match: Match
) -> tuple[str, Changes]:
    """Make a branch at the end of what the file shares with a line; one step with its messages."""
    line = match.line
    count = chat.count - line.common
    forked, group = ctx.write(
        lambda: fork_step(store, line.branch_id, line.common - 1, chat.name, source=chat.path.name)
    )
    new = itertools.islice(chat.messages(), line.common, None)
    place = _Place(forked, line.common, group)
    changes = _append(store, ctx, place, new, count)
    shared = plan_sync(store, forked, itertools.islice(chat.messages(), line.common))
    if shared.views:

        def see() -> None:
            label = StepLabel(FORK, {"name": chat.name, "floor": line.common - 1})
            with store.step(label, group):
                see_shared(store, shared)

        ctx.write(see)
    return forked, changes | Changes(chat_id=store.chat_id, messages=True, branches=True)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where messages are appended: branch, floor, and the undo group they belong to."""

    branch_id: str
    first: int
    group: int | None = None
    is_new: bool = False  # the chat is only being made: there is nothing to go back to


def _append(
    store: ChatStore, ctx: JobContext, place: _Place, messages: Iterator[ParsedMessage], count: int
) -> Changes:
    """Append in short transactions; a small addition to a chat is one undoable step."""
    label = StepLabel(IMPORT, {"count": count})
    is_growing = place.first > 0 and not place.is_new
    is_step = place.group is not None or (is_growing and count <= MAX_UNDOABLE)
    group = place.group
    at = place.first
    while part := list(itertools.islice(messages, BATCH)):
        ctx.report(at - place.first, count, "import")

        def write(
            at: int = at, rows: Sequence[ParsedMessage] = part, group: int | None = group
        ) -> int | None:
            if not is_step:
                with store.database.writing():
                    store.messages.append(place.branch_id, at, rows)
                return None
            with store.step(label, group) as joined:
                store.messages.append(place.branch_id, at, rows)
            return joined

        group = ctx.write(write)
        at += len(part)
    ctx.report(count, count, "import")
    return Changes(
        chat_id=store.chat_id,
        messages=count > 0,
        undo_label=label if is_step and count else None,
    )
