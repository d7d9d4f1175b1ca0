"""Chats that a SillyTavern tells of, as files in the library's own folder.

They lie as SillyTavern's own would: so a chat that is told of is followed as a file is, with
branches, renames and groups, and is found again after a restart. Only this module writes there. A
name is a text of another program's: one that could lead anywhere else is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.serving.companion import ToldChat
from engram_desktop.formats.chats.chat_snapshot import MAX_SIZE
from engram_desktop.formats.json_values import row_of, table_of, text_of
from engram_desktop.formats.lenient_json import storable
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.tavern.folder import CHAT_FOLDERS
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.serving.told_chats import folder_of, is_told

_ENDING = ".jsonl"
_TAVERN = re.compile(r"[A-Za-z0-9-]{1,64}")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
# What Windows takes for a device, whatever ending it has.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_MAX_NAME = 200  # bytes in UTF-8, so that an ending still fits into the 255 of a file system
_MAX_HEADER = 4_000_000  # bytes of a first line, which holds the variables of a chat
_MAX_GROUP = 1_000_000  # bytes of what is noted of one group
_MAX_FILES = 5_000  # looked at for one that was renamed: bounds the time of one look


class BadChatName(InputError):
    """``name`` could not be the name of a file."""

    text = QT_TRANSLATE_NOOP("errors", "“{name}” cannot be the name of a chat file.")
    hint = QT_TRANSLATE_NOOP("errors", "Rename the chat in SillyTavern.")


class BadRow(InputError):
    text = QT_TRANSLATE_NOOP("errors", "A message of this chat cannot be kept: it is not one line.")


class ChatTooLarge(InputError):
    text = QT_TRANSLATE_NOOP("errors", "The chat is too large to be followed.")


class Mirror:
    """The files of one library. To be used by one thread at a time."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._root = folder_of(library)

    def path(self, chat: ToldChat) -> Path:
        """Return where a chat is kept. Raises BadChatName."""
        if not _TAVERN.fullmatch(chat.tavern):
            raise BadChatName(name=chat.tavern[:80])
        here = self._root / chat.tavern
        solo, group = CHAT_FOLDERS
        file = _file_name(chat.file) + _ENDING
        return here / group / file if chat.is_group else here / solo / owner_folder(chat) / file

    def holds(self, path: str) -> bool:
        """Whether a file of this path is one of ours."""
        return is_told(self._library, path)

    def revision(self, path: Path) -> str:
        """Name the state of a file; empty where there is none."""
        try:
            status = path.stat()
        except OSError:
            return ""
        return f"{status.st_size:x}-{status.st_mtime_ns:x}"

    def write(self, path: Path, header: str, rows: Sequence[str]) -> None:
        """Put a whole chat there. Raises BadRow, ChatTooLarge, StorageError."""
        self._put(path, _lines(header, rows))

    def splice(self, path: Path, header: str, first: int, removed: int, rows: Sequence[str]) -> int:
        """Change some rows; returns how many there are then, -1 where ``first`` is beyond the end.

        Raises BadRow, ChatTooLarge, StorageError.
        """
        with file_errors(path):
            lines = path.read_bytes().split(b"\n")
        old = lines[1:]
        if first > len(old) or first + removed > len(old):
            return -1
        new = _lines(header, rows)
        old[first : first + removed] = new[1:]
        self._put(path, [new[0] if header else lines[0], *old])
        return len(old)

    def forget(self, path: Path) -> None:
        """Delete a file that its SillyTavern no longer has under this name."""
        with file_errors(path):
            path.unlink(missing_ok=True)

    def note_group(self, chat: ToldChat) -> None:
        """Say what a group is called, and that this chat is one of its."""
        if not chat.is_group:
            return
        file = self._root / chat.tavern / "groups" / f"{_file_name(chat.owner)}.json"
        before = _table_in(file)
        chats = before.get("chats")
        names = [text_of(name) for name in chats] if isinstance(chats, list) else []
        group = {
            "id": chat.owner,
            "name": storable(chat.group_name),
            "members": [storable(member) for member in chat.members],
            "chats": list(dict.fromkeys([*names, chat.file])),
        }
        if group != before:
            self._put(file, [json.dumps(group, ensure_ascii=False).encode()])

    def renamed_from(self, chat: ToldChat, header: str) -> Path | None:
        """Return the file that this chat had before, if it only has another name now."""
        path = self.path(chat)
        if not chat.slip or path.exists():
            return None
        parent = text_of(_metadata(header).get("main_chat"))
        for other in self._files(chat.tavern):
            metadata = _metadata(_first_line(other))
            if text_of(metadata.get("integrity")) == chat.slip and (
                text_of(metadata.get("main_chat")) == parent
            ):
                return other
        return None

    def _files(self, tavern: str) -> Iterator[Path]:
        solo, group = (self._root / tavern / name for name in CHAT_FOLDERS)
        files = [*solo.glob(f"*/*{_ENDING}"), *group.glob(f"*{_ENDING}")]
        yield from files[:_MAX_FILES]

    def _put(self, path: Path, lines: Sequence[bytes]) -> None:
        data = b"\n".join(lines)
        if len(data) > MAX_SIZE:
            raise ChatTooLarge
        with file_errors(path):
            self._root.mkdir(mode=0o700, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_suffix(".new")
            temporary.write_bytes(data)
            moving.replace(temporary, path)


def owner_folder(chat: ToldChat) -> str:
    """Return the folder of a character's chats: its picture without the ending."""
    return _file_name(chat.owner.removesuffix(".png"))


def _file_name(name: str) -> str:
    clean = storable(name)
    is_dots = not clean.strip(". ") or clean != clean.rstrip(". ")
    is_long = len(clean.encode()) > _MAX_NAME
    if is_dots or is_long or _FORBIDDEN.search(clean) or _DEVICE.fullmatch(clean):
        raise BadChatName(name=clean[:80])
    return clean


def _lines(header: str, rows: Sequence[str]) -> list[bytes]:
    lines = [storable(text).strip() for text in (header, *rows)]
    if any("\n" in line or "\r" in line for line in lines) or not all(lines[1:]):
        raise BadRow
    return [line.encode() for line in lines]


def _metadata(header: str) -> dict[str, object]:
    return table_of(row_of(header).get("chat_metadata"))


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.readline(_MAX_HEADER).decode("utf-8", "replace")
    except OSError:  # it went meanwhile: then it is not what is looked for
        return ""


def _table_in(file: Path) -> dict[str, object]:
    try:
        return row_of(read_json_text(file, _MAX_GROUP))
    except OSError:
        return {}
