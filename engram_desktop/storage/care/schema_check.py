"""Compare the schema of a database with the one that this program makes, and mend the difference.

What a file from elsewhere brings along is run by SQLite: a trigger of somebody else's rewrites
memories with the next write, in a way that no undo takes back.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import apsw

from engram_desktop.domain.errors import DamagedDatabase
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import connect, known_errors, tokens_text

if TYPE_CHECKING:
    from pathlib import Path

    from engram_desktop.storage.care.migrations import Migration
    from engram_desktop.storage.database import Database

_T = QT_TRANSLATE_NOOP
_OTHER_TABLES = _T("reports", "its tables are not those of Engram: {names}")
_SQL = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
_DROPPED_FIRST = ("trigger", "view", "index", "table")
_MOST_NAMED = 5  # bounds a sentence; not measured

_Schema = dict[str, tuple[str, str]]  # kind and SQL, by name


@dataclass(frozen=True, slots=True)
class SchemaFaults:
    """Names of objects that differ: kind and name. ``made`` holds the SQL of those to be made."""

    foreign: tuple[tuple[str, str], ...]
    made: tuple[str, ...]
    other_tables: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.foreign or self.made or self.other_tables)

    @property
    def names(self) -> str:
        """Name what is foreign, missing or changed, in one line."""
        told = [*(f"{kind} {name}" for kind, name in self.foreign), *self.other_tables]
        told += [sql.partition("(")[0].strip() for sql in self.made if not self.foreign]
        more = f" … ({len(told)})" if len(told) > _MOST_NAMED else ""
        return ", ".join(told[:_MOST_NAMED]) + more


def faults_of(path: Path, migrations: Sequence[Migration]) -> SchemaFaults:
    """Compare a file that nothing of ours has open, as it is."""
    with known_errors(path):
        connection = connect(path)
        try:
            return _compare(connection, migrations)
        finally:
            connection.close()


def mend_file(path: Path, migrations: Sequence[Migration]) -> SchemaFaults:
    """Mend a file that nothing of ours has open; tables that are otherwise stay."""
    with known_errors(path):
        connection = connect(path)
        try:
            faults = _compare(connection, migrations)
            with connection:
                _mend(connection, faults)
            return faults
        finally:
            connection.close()


def mend(database: Database, migrations: Sequence[Migration], *, repair: bool) -> SchemaFaults:
    """Compare an open database, and mend it if ``repair``. Raises DamagedDatabase then."""
    faults = _compare(database.connection(), migrations)
    if repair and faults.other_tables:
        names = ", ".join(faults.other_tables[:_MOST_NAMED])
        raise DamagedDatabase(Phrase(_OTHER_TABLES, names=names), path=database.path)
    if repair and faults:
        with database.writing() as connection:
            _mend(connection, faults)
    return faults


def _compare(connection: apsw.Connection, migrations: Sequence[Migration]) -> SchemaFaults:
    version = int(connection.execute("PRAGMA user_version").get)
    expected, found = _expected(tuple(migrations[:version])), _read(connection)
    shadows = _shadows(expected)
    foreign, made, other_tables = [], [], []
    for name, (kind, sql) in found.items():
        if name in shadows and kind == "table":
            continue
        known = expected.get(name)
        if known is None:
            foreign.append((kind, name))
        elif _plain(sql) != _plain(known[1]) or kind != known[0]:
            if kind == known[0] == "table":
                other_tables.append(name)
            else:
                foreign.append((kind, name))
                made.append(known[1])
    for name, (kind, sql) in expected.items():
        if name not in found and name not in shadows:
            if kind == "table":
                other_tables.append(name)
            else:
                made.append(sql)
    return SchemaFaults(tuple(sorted(foreign)), tuple(made), tuple(sorted(other_tables)))


def _mend(connection: apsw.Connection, faults: SchemaFaults) -> None:
    rank = _DROPPED_FIRST.index
    for kind, name in sorted(faults.foreign, key=lambda pair: rank(pair[0])):
        quoted = name.replace('"', '""')
        connection.execute(f'DROP {kind} IF EXISTS "{quoted}"')
    for sql in faults.made:
        connection.execute(sql)


@functools.lru_cache(maxsize=16)
def _expected(migrations: tuple[Migration, ...]) -> _Schema:
    connection = apsw.Connection(":memory:")
    try:
        for name, work in (("engram_tokens", tokens_text), ("engram_cost", estimate_tokens)):
            connection.create_scalar_function(name, work, 1)  # type: ignore[arg-type]  # of a text
        for migrate in migrations:
            migrate(connection)
        return _read(connection)
    finally:
        connection.close()


def _read(connection: apsw.Connection) -> _Schema:
    """Read the schema, without what SQLite makes by itself (indexes of keys, statistics)."""
    rows = connection.execute(_SQL)
    return {
        str(name): (str(kind), str(sql or ""))
        for kind, name, _table, sql in rows
        if not str(name).startswith("sqlite_")
    }


def _shadows(schema: _Schema) -> set[str]:
    """Return the names of the tables in which a full text index keeps its data."""
    virtual = [n for n, (_kind, sql) in schema.items() if _plain(sql).startswith("create virtual")]
    parts: Iterable[str] = ("data", "idx", "content", "docsize", "config")
    return {f"{name}_{part}" for name in virtual for part in parts}


def _plain(sql: str) -> str:
    """Return SQL without what SQLite writes otherwise when a table is renamed: quotes, blanks."""
    return re.sub(r"\s+", " ", sql.replace('"', "")).strip().lower()
