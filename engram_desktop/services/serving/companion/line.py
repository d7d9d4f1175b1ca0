"""Which line of the library a chat of a SillyTavern is: by the file that tells it."""

from __future__ import annotations

import os
from pathlib import Path

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.companion import CompanionLine, ToldChat
from engram_desktop.formats.tavern.folder import CHAT_FOLDERS
from engram_desktop.services.chats.match_file import line_exists, slip_of
from engram_desktop.services.serving.companion.mirror import Mirror
from engram_desktop.storage.library.followed import FollowedFile, key_of
from engram_desktop.storage.library.library import Library

_T = QT_TRANSLATE_NOOP


def find_line(library: Library, mirror: Mirror, chat: ToldChat) -> CompanionLine:
    """Return the line of a chat, if the library knows it. Raises BadChatName."""
    row = file_in_folder(library, mirror, chat)
    if row is not None and line_exists(library, row):
        why = Phrase(_T("reports", "the file of this chat is followed"))
        return CompanionLine(Line(row.chat_id, row.branch_id), "companion", why)
    kept_row = kept_file(library, mirror, chat)
    if kept_row is not None:
        why = Phrase(_T("reports", "SillyTavern told of this chat"))
        return CompanionLine(Line(kept_row.chat_id, kept_row.branch_id), "companion", why)
    return CompanionLine(None, "none", Phrase(_T("reports", "nothing is known of this chat")))


def kept_file(library: Library, mirror: Mirror, chat: ToldChat) -> FollowedFile | None:
    """Return the row of the file that was made of what was told, if its line is still there."""
    row = library.followed.get(mirror.path(chat))
    return row if row is not None and line_exists(library, row) else None


def file_in_folder(library: Library, mirror: Mirror, chat: ToldChat) -> FollowedFile | None:
    """Return the row of the chat's own file, where its SillyTavern's folder can be read here.

    It has the same name and owner, is there, and no other slip than what was told.
    """
    place = _place(Path(key_of(mirror.path(chat))))
    for row in library.followed.all():
        path = Path(row.path)
        if _place(path) != place or mirror.holds(row.path) or not path.exists():
            continue
        slip = _slip(library, row)
        if not slip or not chat.slip or slip == chat.slip:
            return row
    return None


def _place(path: Path) -> tuple[str, ...]:
    """What names a chat inside of any SillyTavern folder: its owner's folder, and its file."""
    group = os.path.normcase(CHAT_FOLDERS[1])
    return (path.parent.name, path.name) if path.parent.name != group else (group, path.name)


def _slip(library: Library, row: FollowedFile) -> str:
    if not line_exists(library, row):
        return ""
    return slip_of(library.chat(row.chat_id).branches.header(row.branch_id))
