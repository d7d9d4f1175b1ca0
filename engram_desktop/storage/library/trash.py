"""Deleted chats, unsaved texts, and chat folders that the catalogue does not know."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import apsw

from engram_desktop import moving
from engram_desktop.domain import reports
from engram_desktop.domain.errors import DamagedDatabase, KnownError, NotFound, StorageError
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.migrations import CHAT
from engram_desktop.storage.database import Database, connect, file_errors, known_errors

logger = logging.getLogger(__name__)

NOTE = "chat.json"
_NAME = re.compile(r"([0-9a-z]+)-([0-9]+)")  # chat id and time of deletion
_KEPT_COLUMNS = "path, branch_id, hash, next_hash, entries, written_at, fault"


class Trash:
    """The deleted chats of one library; the folder of each has a note of what the library knew.

    A chat is moved as a whole, and the note is in its folder from before the move until the chat is
    back, so that an interrupted move is finished at the next opening. The caller has closed the
    chat's database.
    """

    def __init__(self, folder: Path, database: Database, clock: Callable[[], int]) -> None:
        self._chats = folder / "chats"
        self._trash = folder / "trash"
        self._db = database
        self._clock = clock

    def rows(self) -> list[reports.DeletedChat]:
        """Return every deleted chat, the latest first."""
        chats = [
            reports.DeletedChat(place.name, chat_id, _name(place), at, _size(place))
            for place, chat_id, at in self._places()
        ]
        return sorted(chats, key=lambda row: (-row.deleted_at, row.name))

    def find(self, key: str) -> reports.DeletedChat:
        """Return the chat deleted last with this id or name. Raises NotFound."""
        for row in self.rows():
            if key in (row.id, row.chat_id, row.name):
                return row
        raise NotFound("deleted chat", key)

    def put(self, chat_id: str) -> None:
        """Move a chat to the trash. Raises StorageError."""
        place = self._chats / chat_id
        with file_errors(place):
            self._trash.mkdir(exist_ok=True)
            if place.exists():
                (place / NOTE).write_text(json.dumps(self._note(chat_id)), "utf-8")
            with self._db.writing():
                self._forget(chat_id)
                if place.exists():
                    moving.move(place, self._trash / f"{chat_id}-{max(0, self._clock())}")

    def take_back(self, row: reports.DeletedChat) -> str:
        """Restore a chat; returns its id, a new one if the old one is in use."""
        source, chat_id = self._trash / row.id, row.chat_id
        if self._is_known(chat_id) or (self._chats / chat_id).exists():
            chat_id = new_id()[:12]  # a restored backup brought it back before
        with file_errors(source):
            if not (source / NOTE).exists():  # an older version wrote no note
                (source / NOTE).write_text(json.dumps({"name": row.name}), "utf-8")
            moving.move(source, self._chats / chat_id)
            self.admit(chat_id)
        return chat_id

    def put_stray(self, chat_id: str) -> None:
        """Move a folder that is no known chat to the trash. Raises StorageError."""
        with file_errors(self._chats / chat_id):
            self._trash.mkdir(exist_ok=True)
            moving.move(self._chats / chat_id, self._trash / f"{chat_id}-{max(0, self._clock())}")

    def delete(self, row: reports.DeletedChat) -> None:
        """Delete a chat permanently."""
        with file_errors(self._trash):
            moving.delete_folder(self._trash / row.id)
        if not self._is_known(row.chat_id):
            with self._db.writing() as connection:
                connection.execute("DELETE FROM chat_book WHERE chat_id = ?", (row.chat_id,))

    def finish(self) -> None:
        """Finish interrupted moves. No other program may have the library open."""
        for note in self._chats.glob(f"*/{NOTE}"):
            try:
                with file_errors(note):
                    if self._is_known(note.parent.name):
                        note.unlink()  # it was never moved, or is back already
                    else:
                        self.admit(note.parent.name)
            except StorageError as e:  # one unusable folder must not keep the library from opening
                logger.warning("%s", e)
        for _place, chat_id, _at in self._places():
            if self._is_known(chat_id) and not (self._chats / chat_id).exists():
                with self._db.writing():
                    self._forget(chat_id)

    def admit(self, chat_id: str) -> None:
        """Add a chat whose folder is in place to the catalogue, with the contents of its note."""
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
        """Return what library.db knows of a chat, except its worldbooks, which stay there."""

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
    """Parse the note of a chat; {} without one, or if a power cut damaged it."""
    try:
        note = json.loads((place / NOTE).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _name(place: Path) -> str:
    """Return the name of a chat from its note, else its main speaker, else the folder's name."""
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


Typed = str | list[str]  # a field of text, or of words
FILE_NAME = "unsaved.json"
FILES = (FILE_NAME, f"{FILE_NAME}.tmp")  # a kill while writing leaves the second one
# Newest places kept: each crash in the middle of a word leaves one, and most of them are never used
# again. Sixty texts of 2,800 characters are written in 4 ms of processor time.
PLACES_KEPT = 60


class UnsavedFile:
    """Unsaved texts in one folder, a chat's or the library's, by place and field.

    They are kept against a crash. The file is moved and deleted with its folder; it is no memory:
    not undone, not recalled, in no backup.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def read(self) -> dict[str, dict[str, Typed]]:
        """Return the stored texts, the oldest place first; {} if the file cannot be read."""
        try:
            places = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(places, dict):
            return {}
        return {
            place: {name: text for name, text in fields.items() if _is_typed(text)}
            for place, fields in places.items()
            if isinstance(fields, dict)
        }

    def keep(self, place: str, fields: Mapping[str, Typed]) -> None:
        """Replace the texts of ``place`` by ``fields``; empty ``fields`` delete them.

        Raises StorageError, DiskFull.
        """
        places = self.read()
        previous = places.pop(place, None)
        if fields:
            places[place] = dict(fields)
        elif previous is None:
            return
        with file_errors(self._path):
            self._write(dict(list(places.items())[-PLACES_KEPT:]))

    def _write(self, places: Mapping[str, Mapping[str, Typed]]) -> None:
        """Replace the file atomically, so that a crash leaves the former one.

        Without fsync: that takes up to 20 ms, about once a second while typing, and only matters in
        a power cut.
        """
        if not places:
            moving.delete(self._path)
            return
        text = json.dumps(places, ensure_ascii=False)
        moving.write_private(text, self._path.with_name(FILES[1]), self._path)


def _is_typed(value: object) -> bool:
    is_words = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return is_words or isinstance(value, str)


_T = QT_TRANSLATE_NOOP
_UNFINISHED = _T(
    "reports",
    "its import was interrupted, and what there was of it was removed: import the file again",
)
_ADMITTED = _T("reports", "a chat folder the catalogue did not know; it is among the chats again")
_EMPTY = _T("reports", "an empty chat folder the catalogue did not know was removed")
_STRAY = _T("reports", "a chat folder that the catalogue does not know")
_TRASHED = _T("reports", "a chat folder that cannot be used; it was moved to the trash")
_MARK = "importing"
_DATABASE = ("memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal")
_KNOWN_FILES = (*_DATABASE, "index", _MARK, *FILES)


def mark(folder: Path, name: str, file: Path | None = None) -> None:
    """Mark ``folder`` as a chat ``name`` that is being made from ``file``. Raises OSError."""
    of_file = "" if file is None else f"\n{file.absolute()}"
    (folder / _MARK).write_text(" ".join(name.split()) + of_file, "utf-8", "replace")


def unmark(folder: Path) -> None:
    (folder / _MARK).unlink(missing_ok=True)


def adopt_strays(
    chats: Path,
    chat_ids: set[str],
    trash: Trash,
    is_reported: Callable[[Path], bool],
    *,
    repair: bool = False,
) -> list[reports.CheckResult]:
    """Add stray chat folders to the catalogue or delete them; returns a finding for each.

    A chat exists once it is in the catalogue, which is written last; until then its folder holds a
    mark file. A marked folder is deleted, since the file it was imported from still exists; an
    unmarked one, of an earlier version or put there by hand, becomes a chat if it holds anything.
    Files of stopped imports that ``is_reported`` reports anyway give no finding. No other program
    may have the library open. ``repair`` moves unreadable folders to the trash.
    """
    findings: list[reports.CheckResult] = []
    with file_errors(chats):
        folders = sorted(chats.iterdir())
    for folder in folders:
        try:
            with file_errors(folder):
                findings += _adopt_one(folder, chat_ids, trash, is_reported)
        except KnownError as e:
            logger.warning("The folder %s is left as it is: %s", folder.name, e)
            findings.append(_keep_or_trash(folder, trash, e, repair=repair))
    return findings


def _adopt_one(
    folder: Path, chat_ids: set[str], trash: Trash, is_reported: Callable[[Path], bool]
) -> Iterator[reports.CheckResult]:
    if folder.name in chat_ids:
        unmark(folder)
    elif folder.is_symlink() or not folder.is_dir():
        return
    elif (folder / _MARK).exists():
        name, _, file = (folder / _MARK).read_text("utf-8", "replace").partition("\n")
        moving.delete_folder(folder)
        if not (file and is_reported(Path(file))):
            yield reports.CheckResult(
                name or folder.name, Phrase(_UNFINISHED), is_ok=False, repaired=True
            )
    elif any(file.name not in _KNOWN_FILES for file in folder.iterdir()):
        yield reports.CheckResult(folder.name, Phrase(_STRAY), is_ok=False)
    elif holds_anything(folder / "memory.db"):
        schema_check.repair_file(folder / "memory.db", CHAT)  # it may be from another program
        trash.admit(folder.name)
        yield reports.CheckResult(folder.name, Phrase(_ADMITTED), is_ok=False, repaired=True)
    else:
        moving.delete_folder(folder)
        yield reports.CheckResult(folder.name, Phrase(_EMPTY), is_ok=False, repaired=True)


def _keep_or_trash(
    folder: Path, trash: Trash, error: KnownError, *, repair: bool
) -> reports.CheckResult:
    if repair and isinstance(error, DamagedDatabase):
        trash.put_stray(folder.name)
        return reports.CheckResult(folder.name, Phrase(_TRASHED), is_ok=False, repaired=True)
    return reports.CheckResult(folder.name, error.phrase, is_ok=False)


def holds_anything(database: Path) -> bool:
    """Return whether a chat's database has a message, event or log. Raises DamagedDatabase."""
    if not database.exists() or database.stat().st_size == 0:
        return False
    with known_errors(database):
        connection = connect(database)
        try:
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master")
            } & {"message", "event", "private_log"}
            return any(
                connection.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").get
                for table in sorted(tables)
            )
        finally:
            connection.close()
