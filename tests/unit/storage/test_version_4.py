"""Databases of version 3 become version 4, and what is counted now holds for what was there."""

from __future__ import annotations

from engram_desktop.domain.labels import EDIT, StepLabel
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, open_database
from engram_desktop.storage.chat.chat_store import ChatStore
from tests.factories import counting_clock


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
    assert library.value("PRAGMA user_version") == 4
    assert library.value("SELECT count(*) FROM undo_step") == 0
    library.close_all()
