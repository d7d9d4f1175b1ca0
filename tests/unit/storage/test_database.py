"""Database files: opened, migrated, copied, journalled."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from engram_desktop.domain.changes import EDIT, IMPORT, WRITE_NOTE, StepLabel
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.errors import (
    DamagedDatabase,
    DatabaseClosed,
    NewerDatabase,
)
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter
from engram_desktop.domain.reports import KeptFolder
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.storage import tables
from engram_desktop.storage.answers import ItemChanges
from engram_desktop.storage.care.backup import check_database, copy_database
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, check_version, open_database
from engram_desktop.storage.chat.chat_store import FILE_NAME, ChatStore
from engram_desktop.storage.chat.claims import unpacked
from engram_desktop.storage.database import Database
from engram_desktop.storage.journal import Journal
from engram_desktop.storage.library.followed import KeptFolderStore
from engram_desktop.storage.schema.chat import CHAT_V1, WATCHED
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.factories import counting_clock, make_event, make_message, make_store

# How a database file is opened, refused, migrated and copied.


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


def test_a_file_that_a_migration_empties_is_made_smaller(tmp_path):
    path = database_file(tmp_path)

    def m9999_fill_and_drop(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE big(x); INSERT INTO big VALUES (zeroblob(2000000))")
        connection.execute("DROP TABLE big")

    database = open_database(path, (*CHAT, m9999_fill_and_drop), tmp_path, create=False)
    assert database.value("PRAGMA freelist_count") == 0
    database.close_all()


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


def test_what_was_indexed_of_a_message_with_markup_is_its_story_from_version_18_on(tmp_path):
    path, marked = tmp_path / "memory.db", "<think>她该怕打雷。</think><content>雨停了。</content>"
    old = open_database(path, CHAT[:17], tmp_path / "backups", create=True)
    with old.writing() as connection:
        connection.execute("INSERT INTO branch(id, name) VALUES ('main', 'main')")
        for n, text in enumerate((marked, "1 < 2，雨停了。")):
            connection.execute(
                "INSERT INTO message(id, branch_id, seq, name, role, text, swipe_hash, raw)"
                " VALUES (?, 'main', ?, '爱丽丝', 'assistant', ?, 'h', '{}')",
                (f"m{n}", n, text),
            )
            connection.execute(
                "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index,"
                " end_index) VALUES ('turn', ?, 'main', ?, 'old', ?, ?)",
                (f"m{n}", f"爱丽丝: {text}", n, n),
            )
        connection.execute("DELETE FROM knowledge_due")
    old.close_all()
    database = open_database(path, CHAT, tmp_path / "backups", create=False)
    items = database.rows("SELECT content, content_hash = 'old' FROM memory_item ORDER BY ref")
    assert items == [("爱丽丝: 雨停了。", 0), ("爱丽丝: 1 < 2，雨停了。", 1)]
    found = "SELECT count(*) FROM memory_lexicon WHERE memory_lexicon MATCH ?"
    assert [database.value(found, (word,)) for word in ('"雷"', '"雨"')] == [0, 2]
    assert database.rows("SELECT kind, ref FROM knowledge_due") == [("turn", "m0")]
    assert database.value("SELECT text FROM message WHERE id = 'm0'") == marked
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


def test_what_was_read_is_kept_until_anybody_writes(tmp_path):
    path = tmp_path / "kept.db"
    connection = apsw.Connection(str(path))
    list(connection.execute("PRAGMA journal_mode = wal"))
    connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1)")
    database = Database(path)
    sql = "SELECT sum(x) FROM t"
    asked = []

    def read():
        asked.append(sql)
        return database.value(sql)

    assert [database.until_written.of(sql, read) for _ in range(2)] == [1, 1]
    with database.writing() as own:
        own.execute("INSERT INTO t VALUES (10)")
        assert database.until_written.of(sql, read) == 11  # and is not kept: it may be taken back
    assert [database.until_written.of(sql, read) for _ in range(2)] == [11, 11]
    connection.execute("INSERT INTO t VALUES (100)")  # another process
    assert [database.until_written.of(sql, read) for _ in range(2)] == [111, 111]
    assert len(asked) == 4

    with database.steady():
        assert database.brief_rows(sql) == [(111,)]
        with database.writing() as own:
            own.execute("INSERT INTO t VALUES (1000)")
        assert database.brief_rows(sql) == [(1111,)]  # what is written here is seen at once
    connection.execute("INSERT INTO t VALUES (10000)")
    assert database.brief_rows(sql) == [(11111,)]
    connection.close()
    database.close_all()


def test_closing_a_database_ends_what_another_thread_reads(tmp_path):
    """A chat is deleted while a job works on it: the job ends, and the chat is closed."""
    store = make_store(tmp_path)
    begun = threading.Event()

    def endless():
        store.database.value("SELECT 1")
        begun.set()
        return store.database.value(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        )

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(endless)
        begun.wait()
        store.close()
        with pytest.raises(DatabaseClosed, match=r"memory\.db"):
            reading.result(30)
        with pytest.raises(DatabaseClosed, match=r"memory\.db"):
            pool.submit(store.database.value, "SELECT 1").result(30)


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


def test_a_library_of_before_keeps_folders(tmp_path):
    Path(tmp_path / "backups").mkdir()
    old = open_database(tmp_path / "library.db", LIBRARY[:5], tmp_path / "backups", create=True)
    old.close_all()
    database = open_database(tmp_path / "library.db", LIBRARY, tmp_path / "backups", create=False)
    assert database.value("PRAGMA user_version") == len(LIBRARY)
    folders = KeptFolderStore(database)
    row = KeptFolder(str(tmp_path / "笔记"), "c", "main", {"e1": ("events/a.md", "x", "y")}, 7)
    folders.put(row)
    assert folders.rows() == [folders.find(tmp_path / "笔记")] == [row]
    assert folders.rows("other") == []
    with database.writing() as connection:
        connection.execute("UPDATE kept_folder SET marks = 'damaged'")
    assert folders.rows()[0].marks == {}
    folders.remove(row.path)
    assert folders.rows() == []
    database.close_all()


def test_a_chat_of_before_takes_private_notes_and_gives_them_back(tmp_path):
    (tmp_path / "chat").mkdir()
    open_database(tmp_path / "chat" / "memory.db", CHAT[:13], tmp_path, create=True).close_all()
    store = ChatStore(tmp_path / "chat", tmp_path, counting_clock(), create=True)
    assert store.database.value("PRAGMA user_version") == len(CHAT)
    assert store.private_notes.all() == []
    with store.step(StepLabel(WRITE_NOTE, {"what": "chat"})):
        store.private_notes.put("chat", "", "只给我看。", 7)
    assert [note.text for note in store.private_notes.all()] == ["只给我看。"]
    assert store.undo().notes
    assert store.private_notes.all() == []
    assert store.redo().notes
    assert store.private_notes.get("chat", "whatever") == "只给我看。"
    store.close()


def test_a_chat_of_before_keeps_what_a_model_reads_of_its_messages(tmp_path):
    (tmp_path / "chat").mkdir()
    old = open_database(tmp_path / "chat" / "memory.db", CHAT[:16], tmp_path, create=True)
    with old.writing() as connection:
        connection.execute(
            "INSERT INTO message_claims VALUES ('m1', 'k', 's', '', '', '', '', '', '', '')"
        )
    old.close_all()
    store = ChatStore(tmp_path / "chat", tmp_path, counting_clock(), create=False)
    assert store.database.value("PRAGMA user_version") == len(CHAT)
    assert list(store.claims.rows()) == ["m1"]
    revision = store.items.revision()
    claim = Claim(0, "said", "甲", "甲", "home", "柳巷", "我住柳巷", 1, 5, is_model=True)
    with store.database.writing():
        store.claims.put_answered([("m1", "k", [claim]), ("m1", "other", [claim, claim])])
        store.claims.put_answered([("m1", "other", [])])
    read = {key: unpacked(7, packed) for key, packed in store.claims.answered().items()}
    assert read == {("m1", "k"): [replace(claim, floor=7)], ("m1", "other"): []}
    assert store.items.revision() > revision
    with store.database.writing():
        assert store.claims.drop_deleted() == 3  # the message is not there
    assert not store.claims.answered()
    store.close()


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


ADD = StepLabel(IMPORT, {"count": 1})
# Databases of version 3 become version 4, and what is counted now holds for what was there.


def test_events_of_a_chat_are_costed_and_what_was_taken_over_is_known(tmp_path):
    (tmp_path / "chat").mkdir()
    old = open_database(tmp_path / "chat" / "memory.db", CHAT[:3], tmp_path, create=True)
    with old.writing() as connection:
        connection.execute(
            "INSERT INTO branch(id, name) VALUES ('main', '');"
            "INSERT INTO event(id, branch_id, summary, structured_kv, raw_data, display_text,"
            " status, start_index, end_index, timestamp, updated_at, extractor, origin)"
            " VALUES ('e1', 'main', '爱丽丝把钥匙交给旅人。', '{}', '{}', '', 'buffer', 0, 1, 1, 1,"
            " 'llm', 'MVU · 0')"
        )
    old.close_all()
    store = ChatStore(tmp_path / "chat", tmp_path, counting_clock())
    assert store.database.value("PRAGMA user_version") == len(CHAT)
    cost = store.database.value("SELECT tokens FROM event")
    assert cost == estimate_tokens("爱丽丝把钥匙交给旅人。")
    assert store.adopted.known() == {"MVU · 0": False}
    with store.step(StepLabel(EDIT, {"summary": "e1"})):
        store.database.run_many("UPDATE event SET summary = ?", [("短",)])
    assert store.database.value("SELECT tokens FROM event") < cost
    store.undo()
    assert store.database.value("SELECT tokens FROM event") == cost
    store.close()


def test_a_library_gets_a_history_of_its_own(tmp_path):
    open_database(tmp_path / "library.db", LIBRARY[:3], tmp_path, create=True).close_all()
    library = open_database(tmp_path / "library.db", LIBRARY, tmp_path, create=False)
    assert library.value("PRAGMA user_version") == len(LIBRARY)
    assert library.value("SELECT count(*) FROM undo_step") == 0
    library.close_all()


# Databases of version 4 become version 5: vectors in a quarter of the space, none made anew.

COUNT = 4_500  # more than are converted, and more than are read, at a time
MODEL = "test"
EVERYTHING = ItemFilter(ITEM_KINDS, (("main", None),))


def unit_rows(count: int) -> np.ndarray:
    rows = np.random.default_rng(1).normal(size=(count, 64)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def old_chat(folder) -> np.ndarray:
    """Make a chat of version 4; return the vectors of its items, by id from 1 on."""
    folder.mkdir()
    rows = unit_rows(COUNT)
    old = open_database(folder / "memory.db", CHAT[:4], folder, create=True)
    with old.writing():
        old.run_many("INSERT INTO branch(id, name) VALUES ('main', '')", [()])
        old.run_many(
            "INSERT INTO message(id, branch_id, seq, name, role, text, swipe_hash, raw)"
            " VALUES (?, 'main', ?, '爱丽丝', 'assistant', '钥匙', 'h', '{}')",
            [(f"m{n}", n) for n in range(COUNT)],
        )
        old.run_many(
            "INSERT INTO memory_item(id, kind, ref, branch_id, content, content_hash,"
            " start_index, end_index) VALUES (?, 'turn', ?, 'main', ?, ?, ?, ?)",
            [(n + 1, f"m{n}", f"爱丽丝: 钥匙{n}", f"k{n}", n, n) for n in range(COUNT)],
        )
        old.run_many(
            "INSERT INTO memory_embedding(item_id, model, dim, content_hash, vector_blob)"
            " VALUES (?, ?, 64, ?, ?)",
            [(n + 1, MODEL, f"k{n}", row.tobytes()) for n, row in enumerate(rows)],
        )
        old.run_many("UPDATE memory_embedding SET vector_blob = x'00' WHERE item_id = 7", [()])
    old.close_all()
    return rows


def test_vectors_are_packed_and_answer_as_before(tmp_path):
    rows = old_chat(tmp_path / "chat")
    store = ChatStore(tmp_path / "chat", tmp_path / "backups", counting_clock())
    assert (tmp_path / "backups" / "chat" / "memory_v4.db").exists()
    length = store.database.value("SELECT max(length(vector_blob)) FROM memory_embedding")
    assert length == 64 + 4
    assert store.vectors.waiting(MODEL) == [7], "a damaged one is made anew"
    layout = store.items.layout(EVERYTHING)
    assert layout.names == ("爱丽丝",)
    cosines = store.vectors.similarities(MODEL, rows[:5], layout.ids)
    true = rows[:5] @ rows.T
    true[:, 6] = np.nan
    np.testing.assert_allclose(cosines, true, atol=0.012)
    found = store.vectors.search(MODEL, rows[40], layout.ids, 5)
    assert found[0][0] == 41
    store.close()


def test_what_is_kept_in_memory_follows_every_change(tmp_path):
    store = make_store(tmp_path)

    def layout_read_anew() -> list[Any]:
        fresh = ChatStore(store.folder, tmp_path / "b", counting_clock())
        found = fresh.items.layout(EVERYTHING)
        fresh.close()
        return [found.ids.tolist(), found.starts.tolist(), found.is_muted.tolist(), found.names]

    def layout_kept() -> list[Any]:
        found = store.items.layout(EVERYTHING)
        return [found.ids.tolist(), found.starts.tolist(), found.is_muted.tolist(), found.names]

    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.append("main", 0, [make_message(f"第{n}把钥匙") for n in range(9)])
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 9}
    assert store.items.postings(["钥匙"])[0].size == 9
    assert layout_kept() == layout_read_anew()
    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.append("main", 9, [make_message("再来一把钥匙"), make_message("没有")])
        store.items.set_muted([3], muted=True)
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 10}
    assert layout_kept() == layout_read_anew()
    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.remove([m.id for m in store.messages.slice("main", 9, 10)])
    assert store.items.postings(["钥匙"])[0].tolist() == list(range(1, 10))
    assert layout_kept() == layout_read_anew()
    for _time in range(2):
        store.undo()
        assert layout_kept() == layout_read_anew()
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 9}
    store.close()


def test_who_is_too_far_behind_reads_everything(tmp_path):
    store = make_store(tmp_path)
    changes = ItemChanges(store.database)
    with store.database.writing():
        store.messages.append("main", 0, [make_message("一")])
    seen, ids = changes.since(None)
    assert ids is None
    assert changes.since(seen) == (seen, [])
    with store.database.writing():
        store.messages.append("main", 1, [make_message(f"{n}") for n in range(3)])
    assert changes.since(seen)[1] == [2, 3, 4]
    with store.database.writing():
        store.messages.append("main", 4, [make_message(f"{n}") for n in range(5_000)])
    assert changes.since(seen)[1] is None
    assert store.database.value("SELECT count(*) FROM item_change") <= 4_096
    store.close()


def test_what_a_transaction_takes_back_is_not_kept(tmp_path):
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message("一")])
    assert store.items.layout(EVERYTHING).ids.tolist() == [1]

    def begin_and_give_up() -> None:
        with store.database.writing():
            store.messages.append("main", 1, [make_message("二")])
            assert store.items.layout(EVERYTHING).ids.size == 2
            raise InterruptedError

    with pytest.raises(InterruptedError):
        begin_and_give_up()
    with store.database.writing():
        store.items.set_muted([1], muted=True)
    assert store.items.layout(EVERYTHING).is_muted.tolist() == [True]
    store.close()


def test_a_file_is_judged_at_one_moment_while_another_program_makes_it(tmp_path):
    """It had no version before it was made and tables behind: it counted as a foreign file."""
    for n in range(60):
        path = tmp_path / f"{n}.db"
        maker = apsw.Connection(str(path))
        maker.set_busy_timeout(10_000)
        maker.execute("PRAGMA journal_mode=WAL")
        both_ready = threading.Barrier(2)

        def make(maker=maker, both_ready=both_ready):
            both_ready.wait()
            maker.execute("BEGIN IMMEDIATE; CREATE TABLE t(id); PRAGMA user_version=1; COMMIT")

        made = threading.Thread(target=make)
        made.start()
        both_ready.wait()
        while made.is_alive():
            check_version(path, CHAT)
        assert check_version(path, CHAT) == 1
        maker.close()
