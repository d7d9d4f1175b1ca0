"""A change of the embedding model never empties recall: old vectors answer until it is complete."""

from __future__ import annotations

import pytest
from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.recall.index import BATCH, answering
from tests.contexts import TokenContext
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
COUNT = BATCH + 12  # two batches
HASH, USE = "local:hash-256", "local:use-m3"
KEY = RecallQuery("第20把铜钥匙", top_k=3)


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(COUNT))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def models(memory, chat):
    return memory.session.chat(chat).vectors.models()


def in_use(memory, chat):
    return answering(memory.session.chat(chat), memory.session.clients).model_id


def by_meaning(memory, chat):
    found = memory.recall.ask(CTX, chat, KEY)
    return found.degraded == () and "vector" in found.hits[0].why


class StopsAfter(TokenContext):
    """Cancels itself after so many writes."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    @override
    def write(self, unit):
        result = super().write(unit)
        self.left -= 1
        if not self.left:
            self.token.cancel()
        return result


def test_the_old_vectors_answer_until_the_new_ones_are_complete(memory, chat):
    memory.settings.set("embed.local", "use")
    assert in_use(memory, chat) == HASH
    assert by_meaning(memory, chat)
    assert memory.index.health(chat).state == "changing"
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), chat)
    health = memory.index.health(chat)
    assert (health.state, health.embedded, health.items) == ("changing", BATCH, COUNT)
    assert models(memory, chat) == [HASH, USE]
    assert in_use(memory, chat) == HASH
    assert by_meaning(memory, chat)
    memory.index.update(CTX, chat)
    assert models(memory, chat) == [USE]
    assert in_use(memory, chat) == USE
    assert by_meaning(memory, chat)
    assert memory.index.health(chat).state == "exact"


def test_a_message_told_meanwhile_does_not_stop_the_change(memory, chat):
    memory.settings.set("embed.local", "use")
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), chat)
    memory.messages.append(Line.main(chat), "旅人", "user", "银铃在井边。")
    assert memory.recall.ask(CTX, chat, RecallQuery("银铃在井边")).hits[0].item.start_index == COUNT
    assert in_use(memory, chat) == HASH
    memory.index.update(CTX, chat)
    assert models(memory, chat) == [USE]


def test_changing_back_goes_on_with_what_is_there(memory, chat):
    memory.settings.set("embed.local", "use")
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), chat)
    memory.settings.set("embed.local", "hash")
    assert in_use(memory, chat) == HASH
    assert memory.index.update(CTX, chat) == 0
    assert models(memory, chat) == [HASH]


def test_once_the_new_model_knows_more_it_answers(memory, chat):
    memory.settings.set("embed.local", "use")
    store = memory.session.chat(chat)
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), chat)
    with store.database.writing():
        store.database.run_many(
            "DELETE FROM memory_embedding WHERE model = ? AND item_id > 5", [(HASH,)]
        )
    assert in_use(memory, chat) == USE


def test_an_older_model_of_the_same_server_is_asked_and_of_another_is_not(memory, chat):
    with FakeOpenAI() as server:
        memory.settings.set("embed.base_url", server.url)
        memory.settings.set("embed.model", "first")
        memory.index.update(CTX, chat)
        assert models(memory, chat) == ["first@127.0.0.1"]
        memory.settings.set("embed.model", "second")
        assert in_use(memory, chat) == "first@127.0.0.1"
        assert by_meaning(memory, chat)
        assert server.bodies("/v1/embeddings")[-1]["model"] == "first"
    memory.settings.set("embed.base_url", "http://localhost:9/v1")
    assert in_use(memory, chat) == "second@localhost"
    found = memory.recall.ask(CTX, chat, KEY)
    assert found.degraded == ("embedding",)
    assert found.hits[0].item.start_index == 20
    memory.settings.set("embed.base_url", "")
    memory.index.update(CTX, chat)
    assert models(memory, chat) == [HASH]


def test_reindexing_with_another_model_is_the_change_in_one_go(memory, chat):
    memory.settings.set("embed.local", "use")
    assert memory.index.rebuild(CTX, chat) == COUNT
    assert models(memory, chat) == [USE]
    assert memory.index.rebuild(CTX, chat) == COUNT


def test_the_doctor_knows_of_a_change_and_ends_it(memory, chat):
    memory.settings.set("embed.local", "use")
    (found,) = [f for f in memory.care.doctor(CTX) if "change to the model" in f.what]
    assert "0 %" in found.what
    assert not found.is_ok
    memory.care.doctor(CTX, repair=True)
    assert models(memory, chat) == [USE]
    assert not [f for f in memory.care.doctor(CTX) if "change to the model" in f.what]
