"""Bring a database file to the version this program knows: first copy it, then migrate.

`PRAGMA user_version` counts the migrations done. A file of a newer version is refused unchanged; an
empty or foreign file is never turned into a database.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import apsw

from engram_desktop.domain.errors import (
    DamagedDatabase,
    DiskFull,
    LibraryBusy,
    NewerDatabase,
    ReadOnlyLibrary,
)
from engram_desktop.domain.memory import extraction
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.text import cleaning
from engram_desktop.storage.care.backup import copy_database, keep_private
from engram_desktop.storage.database import Database, connect, file_errors, known_errors
from engram_desktop.storage.schema import knowledge, packing
from engram_desktop.storage.schema.chat import (
    CHAT_V1,
    CHAT_V2,
    CHAT_V3,
    CHAT_V4,
    CHAT_V5,
    CHAT_V5_NEW_VECTORS,
    CHAT_V5_VECTORS_MADE,
    CHAT_V6,
    CHAT_V8,
    CHAT_V9,
    CHAT_V10,
    CHAT_V11,
    CHAT_V13,
    CHAT_V16,
    CHAT_V18,
    CHAT_V19,
)
from engram_desktop.storage.schema.library import (
    LIBRARY_V1,
    LIBRARY_V2,
    LIBRARY_V3,
    LIBRARY_V4,
    LIBRARY_V5,
    LIBRARY_V6,
)

_T = QT_TRANSLATE_NOOP

Migration = Callable[[apsw.Connection], None]
Claim = Callable[[], AbstractContextManager[object]]
_ROWS_AT_A_TIME = 2_000  # rows in memory while vectors are converted: 4 MB
_IDLE_SHARE = 0.25  # share of unused pages after a migration, above which the file is vacuumed


def m0001_library(connection: apsw.Connection) -> None:
    """First released schema of library.db."""
    connection.execute(LIBRARY_V1)


def m0001_chat(connection: apsw.Connection) -> None:
    """First released schema of memory.db."""
    connection.execute(CHAT_V1)


def m0002_library(connection: apsw.Connection) -> None:
    """Tokens used, by day; characters, worldbooks, followed chat files."""
    connection.execute(LIBRARY_V2)


def m0002_chat(connection: apsw.Connection) -> None:
    """Confidence, drafts, suggestions, muted items, the recall lab, frozen injections."""
    connection.execute(CHAT_V2)


def m0003_library(connection: apsw.Connection) -> None:
    """Worldbooks kept in step with a chat's memory."""
    connection.execute(LIBRARY_V3)


def m0003_chat(connection: apsw.Connection) -> None:
    """The header of the file a line was read from."""
    connection.execute(CHAT_V3)


def m0004_library(connection: apsw.Connection) -> None:
    """Undo steps of the library; settings of SillyTavern's users."""
    connection.execute(LIBRARY_V4)


def m0004_chat(connection: apsw.Connection) -> None:
    """Costs of events, deferred items, conditions, origins of adopted memories."""
    connection.execute(CHAT_V4)


def m0005_library(connection: apsw.Connection) -> None:
    """Volumes, and which chats read them."""
    connection.execute(LIBRARY_V5)


def m0006_library(connection: apsw.Connection) -> None:
    """Folders of Markdown files kept in step."""
    connection.execute(LIBRARY_V6)


def m0005_chat(connection: apsw.Connection) -> None:
    """Parts of outlines; the table of item changes; vectors packed to a quarter, not remade."""
    connection.execute(CHAT_V5_NEW_VECTORS)
    after = 0
    while rows := list(
        connection.execute(
            "SELECT pk, item_id, model, dim, content_hash, vector_blob FROM memory_embedding"
            " WHERE pk > ? ORDER BY pk LIMIT ?",
            (after, _ROWS_AT_A_TIME),
        )
    ):
        connection.executemany(
            "INSERT INTO packed_embedding VALUES (?, ?, ?, ?, ?, ?)",
            [
                (*row, packing.packed_floats(blob))
                for *row, blob in rows
                if len(blob) == 4 * row[3]  # another length is damage: it is embedded again
            ],
        )
        after = rows[-1][0]
    connection.execute(CHAT_V5_VECTORS_MADE)
    connection.execute(CHAT_V5)


def m0006_chat(connection: apsw.Connection) -> None:
    """Names and flags that a branch gives to messages it shares."""
    connection.execute(CHAT_V6)


def m0007_chat(connection: apsw.Connection) -> None:
    """Who perceives what, and who knows it therefore."""
    connection.execute(knowledge.CHAT_V7)


def m0008_chat(connection: apsw.Connection) -> None:
    """Notes of turns of play; rules of state values."""
    connection.execute(CHAT_V8)


def m0009_chat(connection: apsw.Connection) -> None:
    """Indexes for short lists that every prompt reads."""
    connection.execute(CHAT_V9)


def m0010_chat(connection: apsw.Connection) -> None:
    """Pairs of events that are no duplicates."""
    connection.execute(CHAT_V10)


def m0011_chat(connection: apsw.Connection) -> None:
    """Events filtered and counted by facets."""
    connection.execute(CHAT_V11)


def m0012_chat(connection: apsw.Connection) -> None:
    """Claims of messages; the user's answers to findings."""
    connection.execute(knowledge.CHAT_V12)


def m0013_chat(connection: apsw.Connection) -> None:
    """Dismissed and postponed items of the inbox."""
    connection.execute(CHAT_V13)


def m0014_chat(connection: apsw.Connection) -> None:
    """Conditions in every scope; members of groups."""
    connection.execute(knowledge.CHAT_V14)


def m0015_chat(connection: apsw.Connection) -> None:
    """Threads noted by the user."""
    connection.execute(knowledge.CHAT_V15)


def m0016_chat(connection: apsw.Connection) -> None:
    """Private notes of the user."""
    connection.execute(CHAT_V16)


def m0017_chat(connection: apsw.Connection) -> None:
    """Claims read by a model."""
    connection.execute(knowledge.CHAT_V17)


def m0018_chat(connection: apsw.Connection) -> None:
    """Only the story of messages with markup is indexed and quoted; line changes are counted."""
    connection.execute(CHAT_V18)
    after = ""
    while rows := list(
        connection.execute(
            "SELECT id, name, text FROM message WHERE id > ? AND is_deleted = 0"
            " AND (instr(text, '<') OR instr(text, '```')"
            " OR instr(text, ';base64,')) ORDER BY id LIMIT ?",
            (after, _ROWS_AT_A_TIME),
        )
    ):
        told = [
            (message_id, extraction.turn_content(name, text))
            for message_id, name, text in rows
            if cleaning.story(text) != text
        ]
        connection.executemany(
            "UPDATE memory_item SET content = ?, content_hash = ? WHERE kind = 'turn' AND ref = ?",
            [(content, content_hash(content), message_id) for message_id, content in told],
        )
        connection.executemany(
            "INSERT OR IGNORE INTO knowledge_due(kind, ref) VALUES ('turn', ?)",
            [(message_id,) for message_id, _content in told],
        )
        after = rows[-1][0]


def m0019_chat(connection: apsw.Connection) -> None:
    """Changes of items get marks, by which a vector file recognises its database."""
    connection.execute(CHAT_V19)


LIBRARY: tuple[Migration, ...] = (
    m0001_library,
    m0002_library,
    m0003_library,
    m0004_library,
    m0005_library,
    m0006_library,
)
CHAT: tuple[Migration, ...] = (
    m0001_chat,
    m0002_chat,
    m0003_chat,
    m0004_chat,
    m0005_chat,
    m0006_chat,
    m0007_chat,
    m0008_chat,
    m0009_chat,
    m0010_chat,
    m0011_chat,
    m0012_chat,
    m0013_chat,
    m0014_chat,
    m0015_chat,
    m0016_chat,
    m0017_chat,
    m0018_chat,
    m0019_chat,
)


def open_database(
    path: Path,
    migrations: Sequence[Migration],
    backups: Path,
    *,
    create: bool,
    read_only: bool = False,
    claim: Claim = contextlib.nullcontext,
) -> Database:
    """Open ``path``, migrated. Raises DamagedDatabase, NewerDatabase, StorageError.

    A missing file is made only with ``create``; an existing empty file counts as damaged.
    ``read_only`` opens a file where nothing can be written; one of an older version then raises
    ReadOnlyLibrary. ``claim`` is entered to make, migrate and write the file, since another process
    may be doing the same.
    """
    if read_only:
        _refuse_missing(path)
        database = Database(path, read_only=True)
    elif _is_current(path, migrations):
        database = Database(path, claim=claim)
    else:
        with claim():
            if path.exists() or not create:
                _refuse_missing(path)
                check_version(path, migrations)
            database = _migrated(Database(path, claim=claim), migrations, backups)
    try:
        if read_only:
            _refuse_other_versions(database, migrations)
        else:
            keep_private(*path.parent.glob(f"{path.name}*"))
        database.remember_identity()
    except BaseException:
        database.close_all()
        raise
    return database


def _is_current(path: Path, migrations: Sequence[Migration]) -> bool:
    """Return whether a file needs no work. A file that is being made is empty for a moment."""
    with file_errors(path):
        if not path.exists() or path.stat().st_size == 0:
            return False
    return check_version(path, migrations) == len(migrations)


def _refuse_missing(path: Path) -> None:
    with file_errors(path):
        if not path.exists():
            raise DamagedDatabase(Phrase(_T("reports", "the file is missing")), path=path)
        if path.stat().st_size == 0:
            raise DamagedDatabase(Phrase(_T("reports", "the file is empty")), path=path)


def check_version(path: Path, migrations: Sequence[Migration]) -> int:
    """Return the version of a file without changing it; 0 for an empty one.

    Raises NewerDatabase, or DamagedDatabase for a foreign file.
    """
    known = len(migrations)
    with known_errors(path):
        connection = connect(path)
        try:
            # One snapshot: another process may finish making the file between the two reads.
            connection.execute("BEGIN")
            version = int(connection.execute("PRAGMA user_version").get)
            tables = connection.execute("SELECT count(*) FROM sqlite_master").get
        finally:
            connection.close()
    if version > known:
        raise NewerDatabase(path=path, found=version, known=known)
    if version == 0 and tables > 0:
        raise DamagedDatabase(
            Phrase(_T("reports", "it is a database of another program")), path=path
        )
    return version


def _refuse_other_versions(database: Database, migrations: Sequence[Migration]) -> None:
    version, known = database.value("PRAGMA user_version"), len(migrations)
    if version > known:
        raise NewerDatabase(path=database.path, found=version, known=known)
    if version < known:
        raise ReadOnlyLibrary(path=database.path)


def _migrated(database: Database, migrations: Sequence[Migration], backups: Path) -> Database:
    try:
        _migrate(database, migrations, backups)
    except BaseException:
        database.close_all()
        raise
    return database


def _migrate(database: Database, migrations: Sequence[Migration], backups: Path) -> None:
    version = database.value("PRAGMA user_version")
    if version == len(migrations):
        return
    if version == 0:
        _fill(database, tuple(migrations))
        return
    copy_database(database.path, backups / f"{database.path.stem}_v{version}.db")
    _run(database, migrations[version:], version)
    _shrink(database)


def _run(database: Database, migrations: Sequence[Migration], version: int) -> None:
    for number, migrate in enumerate(migrations, start=version + 1):
        with database.writing() as connection:
            migrate(connection)
            connection.execute(f"PRAGMA user_version = {number}")


def _fill(database: Database, migrations: tuple[Migration, ...]) -> None:
    """Fill a new file by copying an empty database, in one transaction: 1 ms instead of 10."""
    empty = apsw.Connection(":memory:")
    try:
        empty.deserialize("main", _empty(migrations))
        with (
            known_errors(database.path),
            database.connection().backup("main", empty, "main") as copy,
        ):
            copy.step()
    finally:
        empty.close()


@functools.cache
def _empty(migrations: tuple[Migration, ...]) -> bytes:
    """Return the bytes of a database without rows, after ``migrations``."""
    database = Database(Path(":memory:"))
    try:
        _run(database, migrations, 0)
        return bytes(database.connection().serialize("main"))
    finally:
        database.close_all()


def _shrink(database: Database) -> None:
    """Vacuum a file if a large share of its pages is unused.

    If there is no room for that, or another program reads it, it stays as it is: later writes use
    the unused pages.
    """
    idle, pages = (database.value(f"PRAGMA {name}") for name in ("freelist_count", "page_count"))
    if idle > _IDLE_SHARE * pages:
        with contextlib.suppress(DiskFull, LibraryBusy):
            database.rows("VACUUM")
