"""How a database file is opened, refused, migrated and copied."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from engram_desktop.domain.errors import DamagedDatabase, NewerDatabase
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.storage import tables
from engram_desktop.storage.care.backup import check_database, copy_database
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, open_database
from engram_desktop.storage.chat.chat_store import FILE_NAME
from engram_desktop.storage.database import Database
from engram_desktop.storage.journal import Journal
from engram_desktop.storage.schema.chat import CHAT_V1, WATCHED
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.factories import make_event, make_store


def database_file(folder: Path) -> Path:
    store = make_store(folder)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([make_event()], 1)
    store.close()
    return folder / "chat1" / FILE_NAME


def test_a_newer_database_is_refused_and_not_touched(tmp_path):
    path = database_file(tmp_path)
    with apsw.Connection(str(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerDatabase, match="99"):
        open_database(path, CHAT, tmp_path / "backups", create=False)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["empty", "garbage", "missing", "header"])
def test_a_damaged_file_is_refused_and_never_replaced_by_an_empty_one(tmp_path, damage):
    path = database_file(tmp_path)
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "garbage":
            path.write_bytes(b"this is no database at all" * 100)
        case "header":
            path.write_bytes(b"\x00" * 100 + path.read_bytes()[100:])
        case _:
            path.unlink()
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(DamagedDatabase):
        open_database(path, CHAT, tmp_path / "backups", create=damage != "missing")
    assert (path.read_bytes() if path.exists() else None) == before


def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE bookmarks(url)")
    connection.close()
    with pytest.raises(DamagedDatabase, match="another program"):
        open_database(path, CHAT, tmp_path / "backups", create=True)


def test_a_migration_makes_a_copy_first_and_runs_once(tmp_path):
    path = database_file(tmp_path)

    version = len(CHAT)

    def m9999_add_note(connection: apsw.Connection) -> None:
        connection.execute("ALTER TABLE event ADD COLUMN note TEXT NOT NULL DEFAULT ''")

    for _time in range(2):
        database = open_database(path, (*CHAT, m9999_add_note), tmp_path / "backups", create=False)
        assert database.value("SELECT count(*) FROM event WHERE note = ''") == 1
        assert database.value("PRAGMA user_version") == version + 1
        database.close_all()
    copies = list((tmp_path / "backups").iterdir())
    assert [copy.name for copy in copies] == [f"memory_v{version}.db"]
    check_database(copies[0], thorough=True)


def test_a_first_version_database_is_migrated_and_its_undo_steps_still_work(tmp_path):
    path = tmp_path / "memory.db"
    old = Database(path)
    values = "'{}', '{}', '', 'buffer', 0, 3, 7"
    with old.writing() as connection:
        connection.execute(CHAT_V1)
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO branch(id, name) VALUES ('main', 'main')")
    journal = Journal(old, lambda: 1)
    for number, extractor in enumerate(("llm", "manual", "extractive", "imported")):
        with journal.step(StepLabel(IMPORT, {"count": 1})):
            old.run_many(
                "INSERT INTO event(id, branch_id, summary, structured_kv, raw_data, display_text,"
                " status, start_index, end_index, timestamp, extractor, updated_at)"
                f" VALUES (?, 'main', 's', {values}, ?, 9)",
                [(f"e{number}", extractor)],
            )
    old.close_all()
    database = open_database(path, CHAT, tmp_path / "backups", create=False)
    assert dict(database.rows("SELECT extractor, confidence FROM event")) == {
        "llm": "model",
        "manual": "confirmed",
        "extractive": "extracted",
        "imported": "imported",
    }
    journal = Journal(database, lambda: 2)
    journal.undo()
    assert database.value("SELECT count(*) FROM event") == 3
    journal.redo()
    assert database.value("SELECT confidence FROM event WHERE id = 'e3'") == "model"
    assert database.rows("SELECT DISTINCT tokens FROM event") == [(estimate_tokens("s"),)]
    database.close_all()


def test_a_failed_migration_leaves_the_old_version(tmp_path):
    path = database_file(tmp_path)

    def m9999_fails(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE half(x)")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        open_database(path, (*CHAT, m9999_fails), tmp_path / "backups", create=False)
    database = open_database(path, CHAT, tmp_path / "backups", create=False)
    assert database.value("SELECT count(*) FROM sqlite_master WHERE name = 'half'") == 0
    database.close_all()


def test_a_copy_is_whole_and_replaces_an_older_one(tmp_path):
    path = database_file(tmp_path)
    target = tmp_path / "copies" / "copy.db"
    copy_database(path, target)
    copy_database(path, target)
    check_database(target, thorough=True)
    assert [f.name for f in target.parent.iterdir()] == ["copy.db"]


def test_a_damaged_source_gives_no_copy(tmp_path):
    path = database_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)
    target = tmp_path / "copy.db"
    with pytest.raises(DamagedDatabase):
        copy_database(path, target)
    assert not target.exists()


def test_models_and_tables_agree(tmp_path):
    models = [m for m in vars(tables).values() if isinstance(m, type) and hasattr(m, "_meta")]
    found = set()
    for migrations in (LIBRARY, CHAT):
        database = migrated(tmp_path, migrations)
        for model in models:
            name = model._meta.table_name
            rows = database.rows("SELECT name FROM pragma_table_info(?)", (name,))
            if rows:
                found.add(model)
                wanted = {f.column_name for f in model._meta.sorted_fields}
                assert wanted <= {column for (column,) in rows}, name
        database.close_all()
    assert found == set(models)


def migrated(folder, migrations):
    database = Database(folder / f"{len(list(folder.iterdir()))}.db")
    with database.writing() as connection:
        for migrate in migrations:
            migrate(connection)
    return database


@pytest.mark.parametrize(
    ("migrations", "watched"), [(CHAT, WATCHED), (LIBRARY, WATCHED_IN_LIBRARY)]
)
def test_every_watched_table_has_a_primary_key(tmp_path, migrations, watched):
    database = migrated(tmp_path, migrations)
    for table in watched:
        keys = database.value("SELECT sum(pk > 0) FROM pragma_table_info(?)", (table,))
        assert keys, f"the session extension would silently skip {table}"
    database.close_all()
