"""Explain and correct: what a recall weighed is kept, and what must not be used stays away."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.explanation import EXCERPT, Explanation
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.chat.pipeline import DETAILS_KEPT, RECALLS_KEPT
from tests.factories import make_extraction, story_rows, write_chat

CTX = NullContext()
KEY = RecallQuery("第20把铜钥匙", top_k=5)


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 39), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def refs(memory, chat, query=KEY):
    return [hit.item.ref for hit in memory.recall.ask(CTX, chat, query).hits]


def test_a_recall_can_be_explained_later(memory, chat):
    found = memory.recall.ask(CTX, chat, KEY)
    past = memory.recall.past(chat)[0]
    assert (past.query, past.hits) == (KEY.text, 5)
    why = memory.recall.explanation(chat, past.id)
    taken = [t for t in why.traces if t.dropped is None]
    assert [t.ref for t in taken] == [hit.item.ref for hit in found.hits]
    assert taken[0].why == found.hits[0].why
    assert any(t.dropped == "below" for t in why.traces)
    assert all(len(t.text) <= EXCERPT for t in why.traces)
    with pytest.raises(NotFound):
        memory.recall.explanation(chat, 999)


def test_an_injection_is_one_line_of_the_log_with_its_text_and_what_did_not_fit(memory, chat):
    made = memory.inject.compose(CTX, chat, KEY, 150)
    past = memory.recall.past(chat)
    assert len(past) == 1
    why = memory.recall.explanation(chat, past[0].id)
    assert (why.purpose, why.text) == ("inject", made.text)
    reasons = {t.dropped for t in why.traces}
    assert "budget" in reasons
    assert [t.item_id for t in why.traces if t.dropped is None] == [h.item.id for h in made.hits]
    assert Explanation.from_json(json.loads(json.dumps(why.to_json()))) == why


def test_the_log_is_bounded(memory, chat):
    store = memory.session.chat(chat)
    for _ in range(RECALLS_KEPT + 20):
        store.ledger.add_recall(1, "x", 1.0, Explanation("recall", text="y"))
    assert store.database.value("SELECT count(*) FROM recall_log") == RECALLS_KEPT
    assert len(memory.recall.past(chat, 10_000)) == DETAILS_KEPT


def test_what_is_not_to_be_used_again_stays_away_until_it_is_allowed(memory, chat):
    first = refs(memory, chat)[0]
    memory.recall.set_muted(chat, [first], muted=True)
    assert first not in refs(memory, chat)
    assert [item.ref for item in memory.recall.muted(chat)] == [first]
    memory.inject.compose(CTX, chat, KEY)
    why = memory.recall.explanation(chat, memory.recall.past(chat)[0].id)
    assert next(t for t in why.traces if t.ref == first).dropped == "muted"
    memory.history.undo(chat)
    assert refs(memory, chat)[0] == first
    memory.history.redo(chat)
    assert first not in refs(memory, chat)
    memory.recall.set_muted(chat, [first], muted=False)
    assert refs(memory, chat)[0] == first
    with pytest.raises(NotFound):
        memory.recall.set_muted(chat, ["nothing"], muted=True)


def test_a_muted_event_is_not_injected_even_if_it_is_always_visible_nor_after_an_edit(memory, chat):
    data = make_extraction("爱丽丝把银铃系在门上。")
    pk, _changes = memory.events.add(Line.main(chat), data, SourceRange(40, 45))
    event = memory.events.fetch(chat, [pk])[pk]
    assert "银铃" in memory.inject.compose(CTX, chat, KEY).text
    memory.recall.set_muted(chat, [event.id], muted=True)
    assert "银铃" not in memory.inject.compose(CTX, chat, KEY).text
    memory.events.update(chat, pk, EventPatch(summary="爱丽丝把银铃挂在门上。"))
    assert "银铃" not in memory.inject.compose(CTX, chat, KEY).text
