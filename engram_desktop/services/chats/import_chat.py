"""Import a chat file: nothing twice, nothing lost, nothing of the user's overwritten.

A file continues the line whose messages begin as its own do. If it would change or remove floors of
that line, the caller chooses: keep both, one of them as a branch; rewrite the line by the smallest
change, marking what was derived from the old messages stale; or import nothing. A file branched
from a known chat becomes a branch of it. Each of these is one undoable step.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.reports import CopyConflict, ImportPreview, ImportReport, OnConflict
from engram_desktop.formats.chat_files import read_chat, read_foreign_chats, sniff
from engram_desktop.formats.chats.chat_jsonl import ChatFile
from engram_desktop.formats.chats.played import given_name
from engram_desktop.formats.json_values import row_of
from engram_desktop.formats.plain_file import FileKind, SourceFile
from engram_desktop.formats.world_info import check_json
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.services.chats.match_chat import (
    ChatMatch,
    ComparedFile,
    ComparedLine,
    find_match,
)
from engram_desktop.services.chats.timeline import (
    BATCH,
    AppendPlace,
    NewBranch,
    TakenCopy,
    add_branch,
    append,
    carry_out,
    find_conflict,
    plan_sync,
)
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.timeline import Rewritten
from engram_desktop.storage.library.library import Library

NOTED_AT_ONCE = 500  # messages of one transaction, as in an import


def note_raws(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    messages: Iterable[ParsedMessage],
    first: int = 0,
) -> bool:
    """Store what ``messages``, from floor ``first`` on, carry beside an unchanged text.

    That is variables, summaries and tables which other tools write onto old messages. Texts do not
    change, so no undo step is made. Floors shared with the parent are skipped: the branch's file
    holds an old copy of them. Returns whether anything was stored.
    """
    is_new = False
    first_own = store.branches.first_own(branch_id)
    messages = itertools.islice(messages, max(0, first_own - first), None)
    at = max(first, first_own)
    while part := list(itertools.islice(messages, NOTED_AT_ONCE)):
        stored = store.messages.raws(branch_id, at, at + len(part) - 1)
        rows = [
            (message_id, swipe_hash, new.raw)
            for (message_id, swipe_hash, raw), new in zip(stored, part, strict=False)
            if swipe_hash == new.swipe_hash and raw != new.raw
        ]
        if rows:
            ctx.write(partial(_write, store, rows))
            is_new = True
        at += len(part)
    return is_new


def _write(store: ChatStore, rows: list[tuple[str, str, str]]) -> None:
    with store.database.writing():
        store.messages.note_raws(rows)


class NoMessage(InputError):
    text = QT_TRANSLATE_NOOP("errors", "There is no message in {file}.")
    hint = QT_TRANSLATE_NOOP("errors", "It may be empty, or of a program that is not known here.")


class SeveralChats(InputError):
    """``file`` holds ``count`` chats, but was to be imported into one chat."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds {count} chats; they cannot go into one.")
    hint = QT_TRANSLATE_NOOP("errors", "Import it without choosing a chat: each gets its own.")


_JSON_SUFFIXES = frozenset({".json", ".lorebook"})


def preview(
    library: Library,
    source: SourceFile,
    into: str | None,
    *,
    name: str | None = None,
    exact: bool = False,
    on_conflict: OnConflict = "branch",
) -> ImportPreview:
    """Return what importing a file would do. Raises InputError.

    Of a file with several chats the longest is described; the others are only counted.
    """
    chats, path = _read(source), source.path
    chat = max(chats, key=lambda chat: chat.count)
    match = None if name and not into else _match(library, chat, into)
    sample = tuple((m.name, m.text[:200]) for m in itertools.islice(chat.messages(), 5))
    common = match.line.common if match else 0
    left_out = _left_out(library, chat, match, on_conflict)
    branch_id = match.line.branch_id if match and not match.is_branch else None
    fork_floor = common - 1 if match and match.is_branch else None
    counts = Rewritten(added=chat.count - common)
    conflict = left_out
    if left_out is not None:
        counts, fork_floor = Rewritten(), None
    elif match is not None and not match.is_branch and common < match.line.line_count:
        store = library.chat(match.line.chat_id)
        todo = plan_sync(store, match.line.branch_id, chat.messages(), exact=exact)
        rewritten = len(todo.script.edited | todo.script.renamed)
        counts = Rewritten(changed=rewritten, removed=todo.removed, added=todo.added)
        conflict = find_conflict(store, todo, on_conflict)
        if conflict is not None and conflict.choice == "skip":
            counts = Rewritten()
        elif conflict is not None and conflict.choice == "branch" and not conflict.is_newer:
            branch_id, fork_floor = None, conflict.fork_floor
            counts = Rewritten(added=chat.count - fork_floor - 1)
    return ImportPreview(
        file=str(path),
        kind="chat",
        name=name or chat.name,
        characters=chat.characters,
        messages=chat.count,
        hidden=chat.hidden,
        swipes=chat.swiped,
        first_at=chat.first_at,
        last_at=chat.last_at,
        sample=sample,
        chat_id=match.line.chat_id if match else None,
        chat_name=match.line.chat_name if match else None,
        new_messages=counts.added + counts.changed,
        warnings=chat.warnings,
        branch_id=branch_id,
        fork_floor=fork_floor,
        changed=counts.changed,
        removed=counts.removed,
        chats=len(chats),
        clash=chat.name if chat.name in {row[1] for row in library.chat_rows()} else "",
        conflict=conflict,
    )


def import_chat(
    library: Library,
    ctx: JobContext,
    source: SourceFile,
    *,
    into: str | None,
    name: str | None,
    exact: bool = False,
    on_conflict: OnConflict = "branch",
) -> ImportReport:
    """Import a file; cancelling keeps the messages imported so far. Raises InputError.

    With ``exact``, a file that only lacks the newest messages is a conflict as well. Each of
    several chats in a file becomes a chat of its own; importing them ``into`` one raises
    SeveralChats. The report describes the first.
    """
    path = source.path
    chats = [chat for chat in _read(source) if chat.count]
    if not chats:
        raise NoMessage(file=path.name)
    if len(chats) > 1 and into:
        raise SeveralChats(file=path.name, count=len(chats))
    reports = []
    for number, chat in enumerate(chats, start=1):
        match = None if name and not into else _match(library, chat, into)
        chat_name = f"{name} {number}" if name and len(chats) > 1 else name
        reports.append(
            take_in(library, ctx, chat, match, name=chat_name, exact=exact, on_conflict=on_conflict)
        )
    return _joined(path, reports)


def _joined(path: Path, reports: Sequence[ImportReport]) -> ImportReport:
    """Merge the reports of a file's chats: it names the first chat, and sums up all."""
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
        conflict=next((report.conflict for report in reports if report.conflict), None),
    )


def take_in(
    library: Library,
    ctx: JobContext,
    chat: ChatFile,
    match: ChatMatch | None,
    *,
    name: str | None = None,
    exact: bool = False,
    on_conflict: OnConflict = "branch",
) -> ImportReport:
    """Import a parsed chat: as a new chat if ``match`` is None, else where ``match`` says."""
    path = chat.path
    is_older = False
    left_out = _left_out(library, chat, match, on_conflict)
    if match is not None and left_out is not None:
        store, fork_floor, is_older = library.chat(match.line.chat_id), None, True
        changes = Changes(chat_id=store.chat_id)
        taken = TakenCopy(Rewritten(), changes, match.line.branch_id, conflict=left_out)
    elif match is None:
        store, changes = _begin(library, ctx, chat, name)
        taken = TakenCopy(Rewritten(added=chat.count), changes, MAIN_BRANCH)
        fork_floor = None
    elif match.is_branch:
        store, line = library.chat(match.line.chat_id), match.line
        messages = list(chat.messages())
        branch = NewBranch(line.branch_id, line.common, chat.name, path.name)
        branch_id, changes = add_branch(store, ctx, branch, messages)
        taken = TakenCopy(Rewritten(added=chat.count - line.common), changes, branch_id)
        fork_floor = line.common - 1
    else:
        store = library.chat(match.line.chat_id)
        given = name_given_to(store, match.line)
        todo = plan_sync(store, match.line.branch_id, chat.messages(), exact=exact)
        conflict = find_conflict(store, todo, on_conflict)
        taken = carry_out(store, ctx, todo, conflict, (chat.name, path.name))
        fork_floor = taken.fork_floor
        # an older copy carries older variables: keep the stored ones
        is_left_out = conflict is not None and conflict.choice == "skip"
        is_older = todo.tail > 0 or is_left_out
        if not is_older:
            note_raws(store, ctx, taken.branch_id, chat.messages())
            line = replace(match.line, branch_id=taken.branch_id)
            ctx.write(lambda: note_file(library, line, chat, given))
    if not is_older:
        note_header(store, ctx, taken.branch_id, chat.header)
    is_listed_anew = match is None or match.line.is_served
    rewritten = taken.rewritten
    if taken.changes.messages or rewritten.added:
        ctx.write(lambda: library.touch_chat(store.chat_id))
    return ImportReport(
        file=str(path),
        kind="chat",
        chat_id=store.chat_id,
        messages=chat.count,
        added=rewritten.added + rewritten.changed,
        skipped=max(0, chat.count - rewritten.added - rewritten.changed),
        warnings=chat.warnings,
        changes=taken.changes | Changes(chat_id=store.chat_id, library=is_listed_anew),
        changed=rewritten.changed,
        removed=rewritten.removed,
        branch_id=taken.branch_id,
        fork_floor=fork_floor,
        conflict=taken.conflict,
    )


def _left_out(
    library: Library, chat: ChatFile, match: ChatMatch | None, on_conflict: OnConflict
) -> CopyConflict | None:
    """Return why a file that would become a branch is left out; None if it is imported.

    A file that names its main chat or is named on the line's messages is a branch, not a copy of
    the line: it is never left out.
    """
    if match is None or not match.is_branch or on_conflict != "skip":
        return None
    line = match.line
    if line.names_it or chat.main_chat:
        return None
    store = library.chat(line.chat_id)
    todo = plan_sync(store, line.branch_id, chat.messages())
    others = ((line.common, line.line_count - 1),)
    unlike = CopyConflict("skip", others, (), line.common - 1, is_newer=False)
    return find_conflict(store, todo, "skip") or unlike


def name_given_to(store: ChatStore, line: ComparedLine) -> str:
    """Return the name the server gave a chat that no file was seen of; "" for any other chat."""
    return given_name(row_of(store.branches.header(MAIN_BRANCH))) if line.is_served else ""


def note_file(library: Library, line: ComparedLine, chat: ChatFile, given: str) -> None:
    """Store the first file of a chat that the server began, inside the caller's transaction.

    The chat is renamed after the file as long as it still has the name it was ``given``.
    """
    if line.is_served and line.branch_id == MAIN_BRANCH:
        library.set_source(line.chat_id, chat.path.name)
    if given and not chat.main_chat and library.chat_name(line.chat_id) == given:
        library.rename_chat(line.chat_id, chat.name)


def note_header(store: ChatStore, ctx: JobContext, branch_id: str, header: str) -> None:
    """Store the newest header of a line's file; a file without a header changes nothing."""
    if not header or header == store.branches.header(branch_id):
        return

    def unit() -> None:
        with store.database.writing():
            store.branches.set_header(branch_id, header)

    ctx.write(unit)


def kind_of(file: Path | SourceFile) -> FileKind:
    """Return what kind of file this is. Raises InputError, also for broken JSON."""
    path = file if isinstance(file, Path) else file.path
    try:
        kind = sniff(file)
        if kind == "unknown" and path.suffix.lower() in _JSON_SUFFIXES:
            check_json(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    return kind


def open_source(path: Path) -> SourceFile:
    """Open a file to import. Raises InputError."""
    try:
        return SourceFile(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def _read(source: SourceFile) -> list[ChatFile]:
    try:
        return read_foreign_chats(source) if sniff(source) == "chat_json" else [read_chat(source)]
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=source.path) from e


def _match(library: Library, chat: ChatFile, into: str | None) -> ChatMatch | None:
    return find_match(library, ComparedFile.of_chat(chat), into)


def _begin(
    library: Library, ctx: JobContext, chat: ChatFile, name: str | None
) -> tuple[ChatStore, Changes]:
    """Make a new chat of a file; it is listed once all messages are in, or after a cancel.

    A killed process leaves an unlisted folder, which the next opening of the library deletes.
    """
    chat_name = name or chat.name
    messages = chat.messages()
    first = list(itertools.islice(messages, BATCH))

    def unit() -> ChatStore:
        new_store = library.begin_chat(chat_name, chat.path)
        try:
            with new_store.database.writing():
                new_store.messages.append(MAIN_BRANCH, 0, first)
        except BaseException:
            library.give_up_chat(new_store)
            raise
        return new_store

    store = ctx.write(unit)
    place = AppendPlace(MAIN_BRANCH, len(first), is_new=True)
    is_whole = False
    try:
        changes = append(store, ctx, place, messages, chat.count - len(first))
        ctx.write(lambda: library.admit_chat(store, chat_name, chat.path.name))
        is_whole = True
    except Cancelled:  # a cancelled context writes no more, so commit directly; it is short
        library.admit_chat(store, chat_name, chat.path.name)
        is_whole = True
        raise
    finally:
        if not is_whole:
            library.give_up_chat(store)
    return store, changes | Changes(messages=bool(first))
