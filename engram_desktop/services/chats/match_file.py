"""Find the line that a chat file of a SillyTavern folder belongs to: by its path, or its messages.

A file that was renamed is the same line under another name. A copy that tells nothing of its own is
nobody's: SillyTavern renames by copying, and for a moment both are there.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Literal

from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import ChatFile
from engram_desktop.services.chats.match_chat import (
    EDITED_SHARE,
    MIN_COMMON,
    ComparedFile,
    ComparedLine,
    Match,
    compare_lines,
    find_match,
)
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library

REPLACED = 8  # messages without a single one in common: another story under an old name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file belongs.

    known: the line of ``row``; renamed: the same, ``row`` being of a file that is gone; match:
    ``match`` says it, or, if that is None, a chat of its own; copy: nothing new in it yet, and
    ``match`` is where it would go if somebody asked for it.
    """

    kind: Literal["known", "renamed", "match", "copy"]
    row: FollowedFile | None = None
    match: Match | None = None


def line_exists(library: Library, row: FollowedFile) -> bool:
    """Whether the line of a row still exists: chats are deleted, and branches undone."""
    chats = {chat_id for chat_id, *_rest in library.chat_rows()}
    return row.chat_id in chats and row.branch_id in library.chat(row.chat_id).branches.ids()


def find_place(library: Library, chat: ChatFile) -> Place:
    """Say where ``chat`` belongs. Its own row, if any, is trusted unless it tells another story."""
    row = library.followed.get(chat.path)
    if row is not None and line_exists(library, row) and not _is_replaced(library, row, chat):
        return Place("known", row)
    compared = ComparedFile.of(chat.path.name, chat.main_chat, chat.messages())
    own_key = key_of(chat.path)
    owners = {
        (other.chat_id, other.branch_id): other
        for other in library.followed.all()
        if other.path != own_key
    }
    renamed_row = _renamed(library, compared, owners)
    if renamed_row is not None:
        return Place("renamed", renamed_row)
    match = find_match(library, compared, None)
    if match is None or match.is_branch:
        return Place("match", match=match)
    return _claimed(compared, match.line, owners.get((match.line.chat_id, match.line.branch_id)))


def _claimed(compared: ComparedFile, line: ComparedLine, owner: FollowedFile | None) -> Place:
    """Where a file belongs that goes on as ``line`` does, which another file may tell already."""
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
    line_hashes = library.chat(row.chat_id).messages.hashes(row.branch_id)
    if min(len(line_hashes), chat.count) < REPLACED:
        return False
    line_set = set(line_hashes)
    return not any(m.swipe_hash in line_set for m in chat.messages())


def _renamed(
    library: Library, compared: ComparedFile, owners: dict[tuple[str, str], FollowedFile]
) -> FollowedFile | None:
    """The row of a file that is gone and told what this one tells."""
    lost_rows = {
        line: row for line, row in owners.items() if row.is_followed and not Path(row.path).exists()
    }
    if not lost_rows:
        return None
    candidates = [
        line
        for line in compare_lines(library, compared)
        if (line.chat_id, line.branch_id) in lost_rows and _is_same_file(line)
    ]
    best = max(
        candidates,
        key=lambda line: (line.common, -abs(line.line_count - line.file_count)),
        default=None,
    )
    return None if best is None else lost_rows[best.chat_id, best.branch_id]


def _is_same_file(line: ComparedLine) -> bool:
    """Whether a new name holds what an old one held, all or most of it."""
    is_short = line.common == line.line_count == line.file_count
    return is_short or line.equal >= max(MIN_COMMON, EDITED_SHARE * line.line_count)
