"""What is derived and went stale is seen by doctor, and made true again by its repair."""

from __future__ import annotations

import pytest
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.recall import index
from tests.factories import story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    report = memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", story_rows(120)))
    assert report.chat_id is not None
    memory.pipeline.summarise(CTX, Line.main(report.chat_id))
    memory.pipeline.consolidate(CTX, Line.main(report.chat_id))
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))
    yield memory
    memory.close()


def faults(memory, *, repair=False):
    return [f for f in memory.care.doctor(CTX, repair=repair) if not f.is_ok]


def mended(memory):
    assert [f.repaired for f in faults(memory)] == [False]
    assert [f.repaired for f in faults(memory)] == [False], "looking alone mends nothing"
    assert [f.repaired for f in faults(memory, repair=True)] == [True]
    return not faults(memory)


def store_of(memory):
    return memory.session.chat(memory.chats.all()[0].chat_id)


def test_an_event_that_says_it_has_a_vector_and_has_none(memory):
    store = store_of(memory)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_embedding")
    assert mended(memory)
    found = memory.events.fetch(
        store.chat_id, list(memory.events.find(store.chat_id, EventQuery()))
    )
    assert not any(event.is_embedded for event in found.values())


class Killed(NullContext):
    left = 1

    @override
    def write(self, unit):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return unit()


def test_a_reindex_that_ends_early_leaves_no_event_that_says_it_has_a_vector(memory):
    store = store_of(memory)
    with pytest.raises(KeyboardInterrupt):
        index.rebuild(store, Killed(), memory.session.clients.embedder(), Settings())
    found = memory.events.fetch(
        store.chat_id, list(memory.events.find(store.chat_id, EventQuery()))
    )
    assert store.database.value("SELECT count(*) FROM memory_embedding") == 0
    assert not any(event.is_embedded for event in found.values())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_item SET content = 'x', content_hash = 'x' WHERE kind = 'entity'",
        "UPDATE memory_item SET start_index = 3 WHERE kind = 'entity'",
        "DELETE FROM memory_item WHERE kind = 'entity'",
    ],
)
def test_items_of_entities_that_are_stale(memory, statement):
    store = store_of(memory)
    entities = store.entities.census()
    if not entities:
        pytest.skip("the story names nobody")
    with store.database.writing() as connection:
        connection.execute("UPDATE entity SET description = '一把钥匙'")
    store.entities.refresh_items([entity.id for entity in entities])
    with store.database.writing() as connection:
        connection.execute(statement)
    assert mended(memory)


def test_a_change_of_model_where_nothing_is_left_to_recall_is_told_of(memory):
    store = store_of(memory)
    with store.database.writing() as connection:
        connection.execute("UPDATE memory_embedding SET model = 'another'")
        connection.execute("DELETE FROM memory_item")
    assert any("0 %" in str(fault.what) for fault in faults(memory))


def test_an_item_of_an_entity_that_is_hidden_is_seen(memory):
    store = store_of(memory)
    with store.database.writing() as connection:
        connection.execute(
            "UPDATE entity SET is_hidden = 1 WHERE id = (SELECT ref FROM memory_item"
            " WHERE kind = 'entity' LIMIT 1)"
        )
    assert mended(memory)


def test_an_entity_without_its_item_is_seen(memory):
    store = store_of(memory)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'entity'")
    assert mended(memory)
