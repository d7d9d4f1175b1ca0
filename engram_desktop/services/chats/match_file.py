"""Find the line that a chat file of a SillyTavern folder belongs to: by its path, or its messages.

A file that was renamed is the same line under another name. A copy that tells nothing of its own is
nobody's: SillyTavern renames by copying, and for a moment both are there. A group's file that
tells all of a chat of one character was made of it, and goes on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, Literal

from engram_desktop.domain.chats.floors import ENDLESS
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import ChatFile
from engram_desktop.formats.json_values import row_of, table_of, text_of
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.tavern.folder import CHAT_FOLDERS
from engram_desktop.services.chats.match_chat import (
    EDITED_SHARE,
    MIN_COMMON,
    ComparedFile,
    ComparedLine,
    Match,
    compare_lines,
    find_match,
    words_key,
)
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.serving.told_chats import is_told

SLIP = "integrity"  # of a header: made anew for a branch, kept by renames and conversions
REPLACED = 8  # messages without a single one in common: another story under an old name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file belongs.

    known: the line of ``row``; renamed: the same, ``row`` being of a file that is gone; converted:
    the same, ``row`` being of the chat that a group's was made of; match: ``match`` says it, or, if
    that is None, a chat of its own; copy: nothing new in it yet, and ``match`` is where it would go
    if somebody asked for it.
    """

    kind: Literal["known", "renamed", "converted", "match", "copy"]
    row: FollowedFile | None = None
    match: Match | None = None


def slip_of(header: str) -> str:
    """Return SillyTavern's mark of one chat file from its header; empty if there is none."""
    return text_of(table_of(row_of(header).get("chat_metadata")).get(SLIP))


def line_exists(library: Library, row: FollowedFile) -> bool:
    """Whether the line of a row still exists: chats are deleted, and branches undone."""
    chats = {chat_id for chat_id, *_rest in library.chat_rows()}
    return row.chat_id in chats and row.branch_id in library.chat(row.chat_id).branches.ids()


def find_place(library: Library, chat: ChatFile) -> Place:
    """Say where ``chat`` belongs. Its own row, if any, is trusted unless it tells another story."""
    row = library.followed.get(chat.path)
    if row is not None and line_exists(library, row) and not _is_replaced(library, row, chat):
        return Place("known", row)
    compared = ComparedFile.of_chat(chat)
    own_key = key_of(chat.path)
    owners = {
        (other.chat_id, other.branch_id): other
        for other in library.followed.all()
        if other.path != own_key
    }
    renamed_row = _renamed(library, chat, compared, owners)
    if renamed_row is not None:
        return Place("renamed", renamed_row)
    converted_row = _converted(library, chat, compared, owners)
    if converted_row is not None:
        return Place("converted", converted_row)
    match = find_match(library, compared, None)
    if match is None or match.is_branch:
        return Place("match", match=match)
    return _claimed(compared, match.line, owners.get((match.line.chat_id, match.line.branch_id)))


def _claimed(compared: ComparedFile, line: ComparedLine, owner: FollowedFile | None) -> Place:
    """Place a file that continues ``line``, which another file may be followed for already."""
    is_shorter = line.common == line.file_count
    if owner is None:
        is_older = is_shorter and line.file_count < line.line_count and line.source != compared.file
        own = Place("copy", match=Match(line, is_branch=True))
        return own if is_older else Place("match", match=Match(line))
    if line.names_it or _is_child(compared, owner) or (line.common and not is_shorter):
        return Place("match", match=Match(line, is_branch=True))
    return Place("copy", match=Match(line, is_branch=True) if line.common else None)


def _is_child(compared: ComparedFile, owner: FollowedFile) -> bool:
    return bool(compared.main_chat) and compared.main_chat == PurePath(owner.path).stem


def _is_replaced(library: Library, row: FollowedFile, chat: ChatFile) -> bool:
    """Whether a file tells another story than its line: nothing is the same, nor said alike."""
    messages = library.chat(row.chat_id).messages
    line_hashes = messages.hashes(row.branch_id)
    if min(len(line_hashes), chat.count) < REPLACED:
        return False
    line_set = set(line_hashes)
    if any(m.swipe_hash in line_set for m in chat.messages()):
        return False
    said = {words_key(s.text) for s in messages.sayings(row.branch_id, 0, ENDLESS)}
    return not any(words_key(m.text) in said for m in chat.messages())


def _renamed(
    library: Library,
    chat: ChatFile,
    compared: ComparedFile,
    owners: dict[tuple[str, str], FollowedFile],
) -> FollowedFile | None:
    """The row of a file that is gone and told what this one tells.

    A branch has another slip in its header, and another parent, than what it was branched from.
    """
    lost_rows = {
        line: row
        for line, row in owners.items()
        if row.is_followed and (not Path(row.path).exists() or _yields(library, row, chat))
    }
    if not lost_rows:
        return None
    candidates = [
        line
        for line in compare_lines(library, compared)
        if (line.chat_id, line.branch_id) in lost_rows
        and _is_same_file(line)
        and _may_be(_metadata(library, line), chat.metadata)
    ]
    best = max(
        candidates,
        key=lambda line: (
            line.source == compared.file,
            line.common,
            -abs(line.line_count - line.file_count),
        ),
        default=None,
    )
    return None if best is None else lost_rows[best.chat_id, best.branch_id]


def _yields(library: Library, row: FollowedFile, chat: ChatFile) -> bool:
    """Whether a row is of a file that was only told of, and ``chat`` one that can be read."""
    return is_told(library.folder, row.path) and not is_told(library.folder, chat.path.absolute())


def _converted(
    library: Library,
    chat: ChatFile,
    compared: ComparedFile,
    owners: dict[tuple[str, str], FollowedFile],
) -> FollowedFile | None:
    """The row of the chat of one character that a group's chat was made of, whole."""
    solo, group = (chat.path.parent.parent / name for name in CHAT_FOLDERS)
    if chat.path.parent != group or chat.main_chat:
        return None
    folder = Path(key_of(solo))
    candidates = [
        line
        for line in compare_lines(library, compared)
        if (row := owners.get((line.chat_id, line.branch_id)))
        and row.is_followed
        and Path(row.path).parent.parent == folder
        and line.common == line.line_count
        and _made_of(_metadata(library, line), chat.metadata, line, compared)
    ]
    best = max(candidates, key=lambda line: line.common, default=None)
    return None if best is None else owners[best.chat_id, best.branch_id]


def _made_of(
    line: Mapping[str, Any], file: Mapping[str, Any], compared: ComparedLine, whole: ComparedFile
) -> bool:
    """Whether a group's chat has the slip of the chat it is compared with, or says enough of it."""
    slips = text_of(line.get(SLIP)), text_of(file.get(SLIP))
    if all(slips):
        return slips[0] == slips[1]
    return compared.common >= max(MIN_COMMON, whole.opening + 1)


def _may_be(line: Mapping[str, Any], file: Mapping[str, Any]) -> bool:
    """Whether two headers may be one file's: a rename leaves the slip and the parent alone."""
    if not line or not file:
        return True
    slips = text_of(line.get(SLIP)), text_of(file.get(SLIP))
    if all(slips) and slips[0] != slips[1]:
        return False
    return text_of(line.get("main_chat")) == text_of(file.get("main_chat"))


def _metadata(library: Library, line: ComparedLine) -> Mapping[str, Any]:
    """What the header of the file a line comes from says; empty if it had none."""
    raw = library.chat(line.chat_id).branches.header(line.branch_id)
    try:
        row, _end = read_value(raw)
    except (ValueError, RecursionError):
        return {}
    return table_of(table_of(row).get("chat_metadata"))


def _is_same_file(line: ComparedLine) -> bool:
    """Whether a new name holds what an old one held, all or most of it."""
    is_short = line.common == line.line_count == line.file_count
    return is_short or line.equal >= max(MIN_COMMON, EDITED_SHARE * line.line_count)
