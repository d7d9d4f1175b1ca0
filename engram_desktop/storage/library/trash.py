"""Deleted chats: the folder of each in the trash, with a note of what the library knew of it.

A chat is moved as a whole, and the note lies in its folder from before the move until the chat is
back. A move that was interrupted is finished when the library is opened next.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from engram_desktop import moving
from engram_desktop.domain.errors import NotFound, StorageError
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.reports import DeletedChat
from engram_desktop.storage.database import Database, connect, file_errors

logger = logging.getLogger(__name__)

NOTE = "chat.json"
_NAME = re.compile(r"([0-9a-z]+)-([0-9]+)")  # id of the chat and when it was deleted
_KEPT_COLUMNS = "path, branch_id, hash, next_hash, entries, written_at, fault"


class Trash:
    """The deleted chats of one library. Whoever moves a chat has closed its database before."""

    def __init__(self, folder: Path, database: Database, clock: Callable[[], int]) -> None:
        self._chats = folder / "chats"
        self._trash = folder / "trash"
        self._db = database
        self._clock = clock

    def rows(self) -> list[DeletedChat]:
        """Every deleted chat, the latest first."""
        chats = [
            DeletedChat(place.name, chat_id, _name(place), at, _size(place))
            for place, chat_id, at in self._places()
        ]
        return sorted(chats, key=lambda row: (-row.deleted_at, row.name))

    def find(self, key: str) -> DeletedChat:
        """Return the chat deleted latest that has this id or name. Raises NotFound."""
        for row in self.rows():
            if key in (row.id, row.chat_id, row.name):
                return row
        raise NotFound("deleted chat", key)

    def put(self, chat_id: str) -> None:
        """Move a chat here. Raises StorageError."""
        place = self._chats / chat_id
        with file_errors(place):
            self._trash.mkdir(exist_ok=True)
            if place.exists():
                (place / NOTE).write_text(json.dumps(self._note(chat_id)), "utf-8")
            with self._db.writing():
                self._forget(chat_id)
                if place.exists():
                    moving.move(place, self._trash / f"{chat_id}-{max(0, self._clock())}")

    def take_back(self, row: DeletedChat) -> str:
        """Move a chat back among the others; returns its id, another one if that is in use."""
        source, chat_id = self._trash / row.id, row.chat_id
        if self._is_known(chat_id) or (self._chats / chat_id).exists():
            chat_id = new_id()[:12]  # a restored backup brought it back before
        with file_errors(source):
            if not (source / NOTE).exists():  # an older version kept none
                (source / NOTE).write_text(json.dumps({"name": row.name}), "utf-8")
            moving.move(source, self._chats / chat_id)
            self.admit(chat_id)
        return chat_id

    def put_stray(self, chat_id: str) -> None:
        """Move a folder here that is no chat of the catalogue. Raises StorageError."""
        with file_errors(self._chats / chat_id):
            self._trash.mkdir(exist_ok=True)
            moving.move(self._chats / chat_id, self._trash / f"{chat_id}-{max(0, self._clock())}")

    def delete(self, row: DeletedChat) -> None:
        """Delete a chat for good."""
        with file_errors(self._trash):
            moving.delete_folder(self._trash / row.id)
        if not self._is_known(row.chat_id):
            with self._db.writing() as connection:
                connection.execute("DELETE FROM chat_book WHERE chat_id = ?", (row.chat_id,))

    def finish(self) -> None:
        """Finish what was interrupted. Nobody else may have the library open."""
        for note in self._chats.glob(f"*/{NOTE}"):
            try:
                with file_errors(note):
                    if self._is_known(note.parent.name):
                        note.unlink()  # never moved away, or back and known already
                    else:
                        self.admit(note.parent.name)
            except StorageError as e:  # one folder that cannot be used keeps no other from opening
                logger.warning("%s", e)
        for _place, chat_id, _at in self._places():
            if self._is_known(chat_id) and not (self._chats / chat_id).exists():
                with self._db.writing():
                    self._forget(chat_id)

    def admit(self, chat_id: str) -> None:
        """Put a chat whose folder is in place back into the catalogue, with what its note holds."""
        place = self._chats / chat_id
        note, name, now = _read_note(place), _name(place), self._clock()
        with self._db.writing():
            for sql, rows in (
                (
                    "INSERT INTO chat(id, name, source, created_at, updated_at)"
                    " VALUES (?, ?, ?, ?, ?)",
                    [(name, note.get("source", ""), note.get("created_at", now), now)],
                ),
                (
                    "INSERT OR IGNORE INTO setting(chat_id, key, value) VALUES (?, ?, ?)",
                    list(note.get("settings", {}).items()),
                ),
                (
                    "UPDATE followed_file SET is_followed = 1 WHERE chat_id = ? AND path = ?",
                    [(path,) for path in note.get("followed", ())],
                ),
                (
                    f"INSERT OR IGNORE INTO kept_book(chat_id, {_KEPT_COLUMNS})"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    note.get("kept", ()),
                ),
            ):
                self._db.run_many(sql, [(chat_id, *row) for row in rows])
        (place / NOTE).unlink(missing_ok=True)

    def _places(self) -> Iterator[tuple[Path, str, int]]:
        for place in self._trash.iterdir() if self._trash.exists() else ():
            name = _NAME.fullmatch(place.name)
            if name and (place / "memory.db").exists():
                yield place, name[1], int(name[2])

    def _is_known(self, chat_id: str) -> bool:
        return bool(self._db.value("SELECT count(*) FROM chat WHERE id = ?", (chat_id,)))

    def _note(self, chat_id: str) -> dict[str, Any]:
        """What library.db knows of a chat, but for the worldbooks on in it: those stay there."""

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return self._db.rows(f"{sql} WHERE chat_id = ?", (chat_id,))

        name, source, made_at = self._db.rows(
            "SELECT name, source, created_at FROM chat WHERE id = ?", (chat_id,)
        )[0]
        return {
            "name": name,
            "source": source,
            "created_at": made_at,
            "settings": dict(rows("SELECT key, value FROM setting")),
            "followed": [p for p, on in rows("SELECT path, is_followed FROM followed_file") if on],
            "kept": rows(f"SELECT {_KEPT_COLUMNS} FROM kept_book"),
        }

    def _forget(self, chat_id: str) -> None:
        for sql in (
            "DELETE FROM chat WHERE id = ?",
            "DELETE FROM setting WHERE chat_id = ?",
            "UPDATE followed_file SET is_followed = 0 WHERE chat_id = ?",
            "DELETE FROM kept_book WHERE chat_id = ?",
        ):
            self._db.run_many(sql, [(chat_id,)])


def _read_note(place: Path) -> dict[str, Any]:
    """Read the note of a chat; empty without one, or where a power cut left half of it."""
    try:
        note = json.loads((place / NOTE).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _name(place: Path) -> str:
    """What a chat was called; by who speaks in it, where there is no note."""
    if name := _read_note(place).get("name"):
        return str(name)
    try:
        connection = connect(place / "memory.db", read_only=True)
        try:
            return str(
                connection.execute(
                    "SELECT name FROM message WHERE role = 'assistant' GROUP BY name"
                    " ORDER BY count(*) DESC, name LIMIT 1"
                ).get
                or place.name
            )
        finally:
            connection.close()
    except apsw.Error:
        return place.name


def _size(place: Path) -> int:
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
