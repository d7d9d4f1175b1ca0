"""A library of an older version: a chat of one character is known to that one and the player."""

from __future__ import annotations

import apsw

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import write_chat

CTX = NullContext()
STORY = [
    ("爱丽丝", "欢迎来到月光酒馆。"),
    ("旅人", "铜钥匙在哪里？"),
    ("爱丽丝", "在座钟的暗格里。（心想：他会不会是来找父亲的？）"),
    ("旅人", "我记住了。"),
]


def test_what_was_told_to_two_is_known_to_two(open_memory, tmp_path):
    memory = open_memory()
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "酒馆.jsonl", STORY)).chat_id
    line = Line.main(chat)
    memory.pipeline.summarise(CTX, line, (0, 3), "extractive")
    memory.close()
    _make_old(memory.folder / "chats" / chat / "memory.db")
    again = open_memory(memory.folder)

    def recalled(actor):
        query = RecallQuery("铜钥匙在哪里", 10, actor=actor)
        return "\n".join(h.item.content for h in again.recall.ask(CTX, chat, query).hits)

    assert "暗格" in recalled("爱丽丝")
    assert "暗格" in recalled("旅人")
    assert "父亲" in recalled("爱丽丝")
    assert "父亲" not in recalled("旅人")
    assert recalled("凯尔") == ""
    assert recalled("旁白") == ""
    again.history.undo(chat)  # of before: the events go, and nothing stands in the way
    assert "暗格" in recalled("旅人")


def _make_old(path):
    """Take a chat back to the version before anybody was asked who knows what."""
    database = apsw.Connection(str(path))
    for name in ("engram_tokens", "engram_cost"):  # what triggers call is of no matter here
        database.create_scalar_function(name, lambda *_values: 0, 1)
    tables = [
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN"
            " ('audience', 'audience_member', 'presence_answer', 'presence_fix', 'knowledge_fix',"
            " 'kept_from', 'message_audience', 'item_audience', 'knowledge_due', 'turn_note',"
            " 'state_rule', 'state_change', 'event_apart')"
        )
    ]
    triggers = list(
        database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND ("
            + " OR ".join(f"sql LIKE '%{table}%'" for table in tables)
            + " OR name LIKE 'knowledge_%')"
        )
    )
    for name, _sql in triggers:
        database.execute(f"DROP TRIGGER {name}")
    for table in tables:
        database.execute(f"DROP TABLE {table}")
    database.execute("DELETE FROM memory_item WHERE kind = 'heard'")
    database.execute("UPDATE event SET scope = 'global'")
    database.execute("UPDATE memory_item SET scope = 'global'")
    database.execute("PRAGMA user_version = 6")
    database.close()
