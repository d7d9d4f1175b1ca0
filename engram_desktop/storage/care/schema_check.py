"""Compare the schema of a database with the one this program makes, and repair it.

SQLite runs what a foreign file contains: a foreign trigger could rewrite memories at the next
write, and no undo would take that back.
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
_MOST_NAMED = 5  # names listed in a message; not measured

_Schema = dict[str, tuple[str, str]]  # kind and SQL, by name


@dataclass(frozen=True, slots=True)
class SchemaFaults:
    """Differences of a schema: foreign objects (kind, name), SQL to create, and changed tables."""

    foreign: tuple[tuple[str, str], ...]
    made: tuple[str, ...]
    other_tables: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.foreign or self.made or self.other_tables)

    @property
    def names(self) -> str:
        """Return the names of foreign, missing or changed objects, in one line."""
        told = [*(f"{kind} {name}" for kind, name in self.foreign), *self.other_tables]
        told += [sql.partition("(")[0].strip() for sql in self.made if not self.foreign]
        more = f" … ({len(told)})" if len(told) > _MOST_NAMED else ""
        return ", ".join(told[:_MOST_NAMED]) + more


def faults_of(path: Path, migrations: Sequence[Migration]) -> SchemaFaults:
    """Compare the schema of a file that this program does not have open."""
    with known_errors(path):
        connection = connect(path)
        try:
            return _compare(connection, migrations)
        finally:
            connection.close()


def repair_file(path: Path, migrations: Sequence[Migration]) -> SchemaFaults:
    """Repair the schema of a file that is not open; tables that differ stay as they are."""
    with known_errors(path):
        connection = connect(path)
        try:
            faults = _compare(connection, migrations)
            with connection:
                _mend(connection, faults)
            return faults
        finally:
            connection.close()


def check_schema(
    database: Database, migrations: Sequence[Migration], *, repair: bool
) -> SchemaFaults:
    """Compare the schema of an open database, and repair it if ``repair``.

    Raises DamagedDatabase if it should be repaired but a table differs.
    """
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
    """Return the schema, without what SQLite makes by itself (key indexes, statistics)."""
    rows = connection.execute(_SQL)
    return {
        str(name): (str(kind), str(sql or ""))
        for kind, name, _table, sql in rows
        if not str(name).startswith("sqlite_")
    }


def _shadows(schema: _Schema) -> set[str]:
    """Return the names of the tables in which full text indexes store their data."""
    virtual = [n for n, (_kind, sql) in schema.items() if _plain(sql).startswith("create virtual")]
    parts: Iterable[str] = ("data", "idx", "content", "docsize", "config")
    return {f"{name}_{part}" for name in virtual for part in parts}


def _plain(sql: str) -> str:
    """Return SQL without quotes and extra blanks, which SQLite adds when a table is renamed."""
    return re.sub(r"\s+", " ", sql.replace('"', "")).strip().lower()
