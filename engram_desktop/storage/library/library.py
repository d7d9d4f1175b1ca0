"""A library: one folder that holds every chat, the settings and the backups.

library.db: settings, the chat catalogue, characters and worldbooks. chats/<id>/memory.db:
everything of one chat. chats/<id>/index/: its Chroma collection, a copy of its vectors, can be
deleted. backups/, trash/: copies, and deleted chats. companion/: chats uploaded by a SillyTavern
elsewhere, as chat files. volumes/: databases of volumes, can be deleted. importing/: running and
stopped imports.
"""

from __future__ import annotations

import contextlib
import functools
import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import apsw

from engram_desktop import moving
from engram_desktop.domain import reports
from engram_desktop.domain.changes import RENAME_CHAT, Changes, StepLabel
from engram_desktop.domain.errors import (
    Ambiguous,
    LibraryBusy,
    NotFound,
    ReadOnlyLibrary,
    StorageError,
)
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline import usage as usages
from engram_desktop.domain.settings import DECLARED, Settings
from engram_desktop.domain.tavern import folder as tavern_folders
from engram_desktop.domain.worldbooks import merging
from engram_desktop.domain.write_access import OWN, WriteAccess
from engram_desktop.storage import tables
from engram_desktop.storage.care.backup import (
    finish_restore,
    is_waiting,
    is_writable,
    private_library,
    sweep,
)
from engram_desktop.storage.care.migrations import LIBRARY, open_database
from engram_desktop.storage.chat import chat_store
from engram_desktop.storage.chat.recall import index, vectors
from engram_desktop.storage.database import Database, connect, file_errors
from engram_desktop.storage.journal import OF_LIBRARY, Journal, Touched
from engram_desktop.storage.library import trash
from engram_desktop.storage.library.followed import (
    BegunImports,
    FollowedFiles,
    KeptFolderStore,
    key_of,
)
from engram_desktop.storage.library.library_lock import LibraryLock
from engram_desktop.storage.library.trash import Trash
from engram_desktop.storage.library.volumes import VolumeStore
from engram_desktop.storage.library.worldbooks import CharacterStore, WorldbookStore

_COLUMNS = "path, chat_id, branch_id, hash, next_hash, entries, written_at, fault"


class KeptWorldbookStore:
    """The rows of `kept_book`. Paths are stored as given, and compared as the system does."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, chat_id: str | None = None) -> list[merging.KeptWorldbook]:
        """Return every file, or those of one chat."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM kept_book WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY path",
            (chat_id,),
        )
        return [merging.KeptWorldbook(*row) for row in rows]

    def find(self, path: Path) -> merging.KeptWorldbook:
        """Return the row of a file. Raises NotFound."""
        key = key_of(path)
        for row in self.rows():
            if key_of(Path(row.path)) == key:
                return row
        raise NotFound("kept world book", path)

    def put(self, row: merging.KeptWorldbook) -> None:
        with self._db.writing() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO kept_book({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.path,
                    row.chat_id,
                    row.branch_id,
                    row.hash,
                    row.next_hash,
                    row.entries,
                    row.written_at,
                    row.fault,
                ),
            )

    def remove(self, path: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM kept_book WHERE path = ?", (path,))


_LORE = "lore"  # key beside the settings in the column `scan`; no setting has this name


class TavernUsers:
    """What the settings of SillyTavern's users held when last read; ``folder`` as of `key_of`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, folder: Path) -> tavern_folders.TavernUser | None:
        return next((user for user in self.all() if user.folder == key_of(folder)), None)

    def all(self) -> list[tavern_folders.TavernUser]:
        """Return every user, the one whose settings changed last first."""
        rows = self._db.rows(
            "SELECT folder, size, mtime_ns, tags, tagged, variables, scan FROM tavern_user"
            " ORDER BY mtime_ns DESC, folder"
        )
        return [_user(*row) for row in rows]

    def put(self, user: tavern_folders.TavernUser) -> None:
        scan = {**user.scan, _LORE: asdict(user.lore)}
        parts = (user.tags, user.tagged, user.variables, scan)
        values = (json.dumps(part) for part in parts)
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO tavern_user(folder, size, mtime_ns, tags, tagged,"
                " variables, scan) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (user.folder, *(user.stamp or (0, 0)), *values),
            )


def _user(
    folder: str, size: int, mtime_ns: int, tags: str, tagged: str, variables: str, scan: str
) -> tavern_folders.TavernUser:
    rules = json.loads(scan)
    lore = rules.pop(_LORE, {})  # missing in rows of older versions
    if lore:
        notes = {file: tavern_folders.CharacterNote(**note) for file, note in lore["notes"].items()}
        lore = {**lore, "books": tuple(lore["books"]), "notes": notes}
    return tavern_folders.TavernUser(
        folder,
        json.loads(tags),
        {owner: tuple(tags_of) for owner, tags_of in json.loads(tagged).items()},
        json.loads(variables),
        rules,
        tavern_folders.TavernWorldbooks(**lore),
        (size, mtime_ns),
    )


class WorldbookBindings:
    """Worldbooks bound to characters and chats (tables `book_binding`, `chat_book`)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def bind(self, worldbook_id: str, character_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO book_binding(book_id, character_id) VALUES (?, ?)",
                (worldbook_id, character_id),
            )

    def has(self, worldbook_id: str, character_id: str) -> bool:
        return worldbook_id in self.of_characters([character_id])

    def of_characters(self, ids: Collection[str]) -> set[str]:
        """Return the ids of worldbooks bound to any of these characters."""
        marks = ",".join("?" * len(ids))
        rows = self._db.rows(
            f"SELECT DISTINCT book_id FROM book_binding WHERE character_id IN ({marks})", tuple(ids)
        )
        return {worldbook_id for (worldbook_id,) in rows}

    def set_in_chat(self, worldbook_id: str, chat_id: str, *, is_on: bool) -> None:
        """Switch a worldbook on or off in a chat."""
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM chat_book WHERE book_id = ? AND chat_id = ?", (worldbook_id, chat_id)
            )
            if is_on:
                connection.execute(
                    "INSERT INTO chat_book(book_id, chat_id) VALUES (?, ?)", (worldbook_id, chat_id)
                )

    def in_chat(self, chat_id: str) -> set[str]:
        """Return the ids of worldbooks the user switched on in a chat."""
        rows = self._db.rows("SELECT book_id FROM chat_book WHERE chat_id = ?", (chat_id,))
        return {worldbook_id for (worldbook_id,) in rows}


_T = QT_TRANSLATE_NOOP

READ = WriteAccess("read")
DERIVING_WAIT_S = 0.2  # a reader waits for a short write of another process, not for a long one


class Library:
    """An open library. Chats are opened when first asked for and stay open."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], int],
        *,
        program: str | None,
        access: WriteAccess = OWN,
        steal_lock: bool = False,
    ) -> None:
        """Open or make the library at ``folder``.

        ``program`` is the name for the write lock; None opens it read-only. ``steal_lock`` takes
        over a lock that was left behind. Raises LibraryBusy, NewerDatabase, DamagedDatabase,
        StorageError.
        """
        self.folder = folder
        self.clock = clock
        self.is_read_only = _make_folders(folder)
        self.access = READ if program is None else access
        if self.is_read_only and self.access.is_writer:
            raise ReadOnlyLibrary(path=folder)
        wait = access.patience
        self.patience = stored_patience(folder / "library.db") if wait is None else wait
        self.lock = LibraryLock(folder, program or "Engram", self.patience)
        if self.access.is_writer:
            self.lock.acquire(steal_lock=steal_lock)
            private_library(folder)
        elif is_waiting(folder):
            raise LibraryBusy(path=folder, holder="a restore")
        self.overrides: Mapping[str, Any] = {}  # settings that override stored ones
        self.index_token: Callable[[], str] = str  # returns the token of a Chroma server
        self._open: dict[str, chat_store.ChatStore] = {}
        self._deleted: list[chat_store.ChatStore] = []
        self._guard = threading.Lock()
        self.copying = threading.Lock()  # held while a backup is made or leftovers are deleted
        try:
            if self.access.is_writer:
                self._finish_restore()
            self.database = open_database(
                folder / "library.db",
                LIBRARY,
                folder / "backups",
                create=self._is_new(),
                read_only=self.is_read_only,
                claim=self.lock.claim,
            )
        except BaseException:
            self.lock.leave()
            raise
        try:
            if self.access.follows:
                self.database.watch()
            self._open_stores()
            self._settle()
        except BaseException:
            self.close()
            raise

    def _finish_restore(self) -> None:
        if is_waiting(self.folder):
            self.lock.check_alone()
        with file_errors(self.folder):
            finish_restore(self.folder, self.clock())
        sweep(self.folder / "backups", everything=True)

    def _settle(self) -> None:
        """Repair what an interrupted process left; then keep or release the lock by ``access``."""
        if self.access.is_writer:
            self.trash.finish()
            self.repaired += self.adopt_strays()
        if self.access.kind == "shared":
            self.lock.announce(is_only=self.access.is_only)
            self.lock.release()
            self._take_patience()
        elif self.access.kind == "derive":
            self.lock.patience = DERIVING_WAIT_S

    def _open_stores(self) -> None:
        self.worldbooks = WorldbookStore(self.database, self.clock)
        self.bindings = WorldbookBindings(self.database)
        self.characters = CharacterStore(self.database, self.clock)
        self.followed = FollowedFiles(self.database)
        self.kept = KeptWorldbookStore(self.database)
        self.kept_folders = KeptFolderStore(self.database)
        self.begun = BegunImports(self.folder)
        self.volumes = VolumeStore(self.database, self.clock)
        self.trash = Trash(self.folder, self.database, self.clock)
        self.tavern_users = TavernUsers(self.database)
        self.repaired: list[reports.CheckResult] = []
        steps = self.settings().undo_steps
        self.journal = Journal(self.database, self.clock, steps, OF_LIBRARY)

    @property
    def can_write(self) -> bool:
        """Return whether writing is allowed: now, or once the lock is taken."""
        return self.access.kind != "read" and not self.is_read_only

    def _is_new(self) -> bool:
        """Return whether the folder is still empty: a lost library.db is damage, no new library."""
        with file_errors(self.folder):
            return not (self.folder / "library.db").exists() and not any(
                (self.folder / "chats").iterdir()
            )

    @contextlib.contextmanager
    def step(self, label: StepLabel, group: int | None = None, *, typed: str = "") -> Iterator[int]:
        """Run the block as one undoable transaction; see `Journal.step`."""
        with self.journal.step(label, group, typed=typed) as number:
            yield number

    def undo(self, expected: int | None = None) -> Changes:
        """Undo the newest step; see `Journal.undo`. Raises NothingToUndo, Conflict."""
        return changes_of(*self.journal.undo(expected))

    def redo(self) -> Changes:
        """Redo the step undone last. Raises NothingToUndo, Conflict."""
        return changes_of(*self.journal.redo())

    def begin_chat(self, name: str, file: Path | None = None) -> chat_store.ChatStore:
        """Make the folder of a chat, which is not listed until `admit_chat`.

        A process killed meanwhile leaves a stray folder, which the next opening deletes. The lock
        is held until `admit_chat` or `give_up_chat`, so that no other process opens the library
        before. ``file`` is the file it is imported from.
        """
        folder = self.folder / "chats" / new_id()[:12]
        self.lock.acquire()
        try:
            with file_errors(folder):
                folder.mkdir(mode=0o700)
                trash.mark(folder, name, file)
            return chat_store.ChatStore(
                folder, self.folder / "backups", self.clock, create=True, claim=self.lock.claim
            )
        except BaseException:  # such as a full disk
            moving.try_to_delete_folder(folder)
            self.lock.release()
            raise

    def admit_chat(self, store: chat_store.ChatStore, name: str, source: str = "") -> None:
        """Add a chat to the catalogue: it exists from this commit on."""
        now = self.clock()
        with self.database.writing():
            tables.Chat.insert(
                id=store.chat_id, name=name, source=source, created_at=now, updated_at=now
            ).execute(self.database)
        with file_errors(store.folder):
            trash.unmark(store.folder)
        self.lock.release()
        store.index_token = self.index_token
        if self.access.follows:
            store.database.watch()
        with self._guard:
            self._open[store.chat_id] = store

    def give_up_chat(self, store: chat_store.ChatStore) -> None:
        """Delete a chat that was begun and not admitted."""
        store.close()
        moving.try_to_delete_folder(store.folder)
        self.lock.release()

    def adopt_strays(self, *, repair: bool = False) -> list[reports.CheckResult]:
        """Adopt or delete chat folders that the catalogue does not know, as `trash` does."""
        known = {chat_id for chat_id, *_rest in self.chat_rows()}
        chats, is_reported = self.folder / "chats", self.begun.has
        return trash.adopt_strays(chats, known, self.trash, is_reported, repair=repair)

    def chat(self, chat_id: str) -> chat_store.ChatStore:
        """Open a chat by id. Raises NotFound, DamagedDatabase, NewerDatabase."""
        with self._guard:
            store = self._open.get(chat_id)
            if store is None:
                self.chat_name(chat_id)
                store = chat_store.ChatStore(
                    self.folder / "chats" / chat_id,
                    self.folder / "backups",
                    self.clock,
                    undo_steps=self.settings().undo_steps,
                    read_only=self.is_read_only,
                    claim=self.lock.claim,
                )
                store.index_token = self.index_token
                if self.access.follows:
                    store.database.watch()
                self._catch_up(store)
                self._open[chat_id] = store
            return store

    def open_chats(self) -> list[chat_store.ChatStore]:
        """Return the chats that are open now."""
        return list(self._open.values())

    def leave_deleted(self) -> set[str]:
        """Forget chats that another program deleted; returns their ids.

        They stay open until the library is closed, since they may still be read.
        """
        there = {chat_id for chat_id, *_rest in self.chat_rows()}
        with self._guard:
            gone = self._open.keys() - there
            self._deleted += [self._open.pop(chat_id) for chat_id in gone]
        return gone

    def _catch_up(self, store: chat_store.ChatStore) -> None:
        """Write the entity items that a killed job deferred.

        A program that shares the library does so only if the lock is free.
        """
        if not self.can_write or not store.entities.due_items():
            return
        if self.access.is_writer and not self.access.follows:
            store.catch_up()
            return
        with self.lock.claim_if_free() as is_mine:
            if is_mine:
                store.catch_up()

    def chat_name(self, chat_id: str) -> str:
        name = self.database.value("SELECT name FROM chat WHERE id = ?", (chat_id,))
        if name is None:
            raise NotFound("chat", chat_id)
        return str(name)

    def find_chat(self, key: str) -> str:
        """Return the id of the chat with this id or, if it is unique, this name.

        Raises NotFound, Ambiguous.
        """
        if self.database.value("SELECT 1 FROM chat WHERE id = ?", (key,)):
            return key
        rows = self.database.rows("SELECT id FROM chat WHERE name = ? ORDER BY id", (key,))
        if not rows:
            raise NotFound("chat", key, [name for _id, name, *_rest in self.chat_rows()])
        if len(rows) > 1:
            raise Ambiguous(key, [chat_id for (chat_id,) in rows])
        return str(rows[0][0])

    def chat_rows(self) -> list[tuple[str, str, str, int]]:
        """Return (id, name, source, updated_at) of every chat, the latest first."""
        return self.database.rows(
            "SELECT id, name, source, updated_at FROM chat ORDER BY updated_at DESC, name"
        )

    def summary(self, chat_id: str, name: str, updated_at: int) -> reports.ChatSummary:
        store = self.chat(chat_id)
        counts = store.events.counts()
        return reports.ChatSummary(
            chat_id,
            name,
            store.messages.speakers()[:8],
            store.branches.count(),
            store.messages.count("main"),
            counts.total,
            counts.buffer,
            counts.archived,
            store.entities.count(),
            updated_at,
        )

    def rename_chat(self, chat_id: str, name: str) -> StepLabel:
        """Rename a chat, as one step. Raises NotFound."""
        label = StepLabel(RENAME_CHAT, {"name": self.chat_name(chat_id), "new": name})
        with self.step(label):
            tables.Chat.update(name=name).where(tables.Chat.id == chat_id).execute(self.database)
        return label

    def set_source(self, chat_id: str, source: str) -> None:
        """Set the name of the file a chat's main branch is read from."""
        with self.database.writing():
            tables.Chat.update(source=source).where(tables.Chat.id == chat_id).execute(
                self.database
            )

    def touch_chat(self, chat_id: str) -> None:
        """Set the time of the chat's last change to now."""
        with self.database.writing():
            tables.Chat.update(updated_at=self.clock()).where(tables.Chat.id == chat_id).execute(
                self.database
            )

    def delete_chat(self, chat_id: str) -> None:
        """Remove the chat from the catalogue and move its folder to the trash.

        Its collections on a Chroma server are deleted, if the server can be reached.
        """
        self.chat_name(chat_id)
        with self._guard:
            store = self._open.pop(chat_id, None)
        if store is not None:
            store.close()
        folder = self.folder / "chats" / chat_id / chat_store.INDEX_FOLDER
        index.leave_server(folder, self.settings().index_server, self.index_token)
        vectors.discard_vectors(folder)
        self.trash.put(chat_id)

    def settings(self, chat_id: str | None = None) -> Settings:
        """Return the settings of the library, overlaid with those of a chat and with overrides."""
        return self.stored_settings(chat_id).replaced(dict(self.overrides))

    def stored_settings(self, chat_id: str | None = None) -> Settings:
        """Return the stored settings, without overrides."""
        rows = self.database.rows(
            "SELECT key, value FROM setting WHERE chat_id IN ('', ?) ORDER BY chat_id",
            (chat_id or "",),
        )
        return _settings(tuple(rows))

    def chosen_settings(self, chat_id: str | None = None) -> dict[str, Any]:
        """Return the values that are stored: of the library, overlaid with those of one chat.

        Settings that were never set are left out.
        """
        rows = self.database.rows(
            "SELECT key, value FROM setting WHERE chat_id IN ('', ?) ORDER BY chat_id",
            (chat_id or "",),
        )
        return {key: json.loads(value) for key, value in rows}

    def set_setting(self, key: str, value: object, chat_id: str | None = None) -> None:
        """Store one setting. Raises NotFound, BadSetting."""
        if key not in DECLARED:
            raise NotFound("setting", key)
        parsed = DECLARED[key].check(value)
        with self.database.writing():
            tables.SettingRow.insert(
                key=key, chat_id=chat_id or "", value=json.dumps(parsed)
            ).on_conflict_replace().execute(self.database)
        self._take_patience()

    def forget_settings(self, keys: Iterable[str]) -> None:
        """Delete settings of the library, so that the (present and future) defaults hold."""
        with self.database.writing():
            tables.SettingRow.delete().where(
                tables.SettingRow.key.in_(list(keys)), tables.SettingRow.chat_id == ""
            ).execute(self.database)
        self._take_patience()

    def _take_patience(self) -> None:
        """Apply the setting of how long to wait for the lock."""
        if self.access.kind == "shared":
            self.patience = self.lock.patience = float(self.settings().library_wait)

    def usage(self, day: str) -> usages.DayUsage:
        """Return calls and tokens on ``day`` (YYYY-MM-DD)."""
        rows = self.database.rows(
            "SELECT calls, prompt_tokens, completion_tokens FROM usage_day WHERE day = ?", (day,)
        )
        return usages.DayUsage(*rows[0]) if rows else usages.DayUsage()

    def usage_in_all(self) -> usages.DayUsage:
        """Return calls and tokens of all days together."""
        rows = self.database.rows(
            "SELECT ifnull(sum(calls), 0), ifnull(sum(prompt_tokens), 0),"
            " ifnull(sum(completion_tokens), 0) FROM usage_day"
        )
        return usages.DayUsage(*rows[0])

    def add_usage(self, day: str, more: usages.DayUsage) -> None:
        with self.database.writing() as connection:
            connection.execute(
                "INSERT INTO usage_day(day, calls, prompt_tokens, completion_tokens)"
                " VALUES (?1, ?2, ?3, ?4) ON CONFLICT(day) DO UPDATE SET calls = calls + ?2,"
                " prompt_tokens = prompt_tokens + ?3, completion_tokens = completion_tokens + ?4",
                (day, more.calls, more.prompt_tokens, more.completion_tokens),
            )

    def close(self) -> None:
        with self._guard:
            stores, self._open = [*self._open.values(), *self._deleted], {}
        for store in stores:
            store.close()
        self.database.close_all()
        self.lock.leave()


def stored_patience(database: Path) -> float:
    """Return how long to wait for the lock; the default if that cannot be read."""
    default = float(DECLARED["library.wait"].default)
    if not database.exists():
        return default
    try:
        connection = connect(database, read_only=True)
        try:
            stored = connection.execute(
                "SELECT value FROM setting WHERE key = 'library.wait' AND chat_id = ''"
            ).get
        finally:
            connection.close()
    except apsw.Error:  # the error is reported when it is opened
        return default
    return default if stored is None else float(DECLARED["library.wait"].parse(json.loads(stored)))


def _make_folders(folder: Path) -> bool:
    """Make the folders of a library; returns whether it is read-only. Raises StorageError."""
    try:
        str(folder).encode()  # SQLite takes names as UTF-8
        is_read_only = (folder / "library.db").exists() and not is_writable(folder)
        for name in () if is_read_only else ("chats", "backups"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeEncodeError) as e:
        why = e.strerror if isinstance(e, OSError) else e.reason
        raise StorageError(
            Phrase(
                _T("reports", "The folder {folder} cannot be used: {detail}."),
                folder=str(folder).encode(errors="replace").decode(),
                detail=why,
            )
        ) from e
    return is_read_only


def changes_of(label: StepLabel, touched: Touched) -> Changes:
    return Changes(
        library=bool(touched.of("chat")),
        worldbooks=any(map(touched.of, ("character", "worldbook", "book_binding", "chat_book"))),
        settings=any(map(touched.of, ("regex_script", "prompt_template"))),
        volumes=any(map(touched.of, ("volume", "volume_chat"))),
        undo_label=label,
    )


@functools.lru_cache(maxsize=16)
def _settings(rows: tuple[tuple[str, str], ...]) -> Settings:
    """Parse stored settings; cached, since every question asks several times."""
    return Settings().replaced({key: json.loads(value) for key, value in rows})
