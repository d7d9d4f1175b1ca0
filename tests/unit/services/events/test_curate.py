"""What a user does to events by hand: writing them, trusting them. Each is one undoable step."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.confidence import CONFIDENCES, is_at_least
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    path = tmp_path / "chat.jsonl"
    lines = ['{"user_name": "旅人", "character_name": "林晚"}']
    lines += [f'{{"name": "林晚", "is_user": false, "mes": "第{n}句话。"}}' for n in range(30)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return memory.import_file(CTX, path).chat_id


def only_event(memory, chat, **query):
    (pk,) = memory.find_events(chat, EventQuery(**query))
    return memory.fetch_events(chat, [pk])[pk]


def test_a_fact_is_locked_confirmed_visible_and_recalled(memory, chat):
    data = PlotExtraction("银器会灼伤林晚的皮肤。", ("银器",), kind="fact")
    pk, changes = memory.add_event(chat, data, SourceRange(5, 5))
    assert changes.events == {pk}
    fact = only_event(memory, chat, kind="fact")
    assert (fact.pk, fact.confidence, fact.extractor) == (pk, "confirmed", "manual")
    assert fact.is_locked
    assert not fact.is_archived
    assert [e.pk for e in memory.visible_events(chat)] == [pk]
    memory.embed_pending(CTX, chat)
    memory.consolidate(CTX, chat)
    assert not only_event(memory, chat, kind="fact").is_archived
    hits = memory.recall(CTX, chat, RecallQuery("银器灼伤", kinds=("event",))).hits
    assert [h.item.ref for h in hits] == [fact.id]
    memory.undo(chat)
    assert not memory.find_events(chat, EventQuery())


def test_a_memory_by_hand_names_the_entities_the_chat_knows(memory, chat):
    first = PlotExtraction("林晚到了港口。", entities=(ExtractedEntity("林晚", "char"),))
    memory.add_event(chat, first, SourceRange(0, 0))
    memory.consolidate(CTX, chat)
    pk, _changes = memory.add_event(chat, PlotExtraction("林晚睡着了。"), SourceRange(1, 2))
    event = memory.fetch_events(chat, [pk])[pk]
    assert event.participants == ("林晚",)
    assert not event.is_locked


@pytest.mark.parametrize(
    ("text", "first", "last"), [("  ", 0, 0), ("甲", 0, 30), ("甲", 3, 2), ("甲", -1, 0)]
)
def test_a_memory_without_words_or_floors_is_refused(memory, chat, text, first, last):
    with pytest.raises(InputError):
        memory.add_event(chat, PlotExtraction(text), SourceRange(first, last))
    assert not memory.find_events(chat, EventQuery())


def test_who_vouches_for_a_memory_follows_what_is_done_to_it(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat = memory.import_file(CTX, file).chat_id
    memory.summarise(CTX, chat, (0, 49), "extractive")
    pks = memory.find_events(chat, EventQuery(confidence="extracted"))
    assert pks
    assert pks == memory.find_events(chat, EventQuery())
    memory.set_confirmed(CTX, chat, pks, confirmed=True)
    assert memory.find_events(chat, EventQuery(confidence="confirmed")) == pks
    memory.set_confirmed(CTX, chat, pks, confirmed=False)
    assert memory.find_events(chat, EventQuery(confidence="extracted")) == pks
    memory.undo(chat)
    memory.undo(chat)
    assert memory.find_events(chat, EventQuery(confidence="extracted")) == pks
    memory.update_event(chat, pks[0], EventPatch(summary="林晚说了三十句话。"))
    assert memory.fetch_events(chat, pks[:1])[pks[0]].confidence == "confirmed"


def test_an_event_made_green_by_hand_joins_the_graph_and_undo_takes_it_out(memory, chat):
    names = (ExtractedEntity("林晚", "char"), ExtractedEntity("银匕首", "item"))
    said = (ExtractedRelation("林晚", "持有", "银匕首"),)
    data = PlotExtraction("林晚拔出银匕首。", entities=names, relations=said)
    pk, _changes = memory.add_event(chat, data, SourceRange(3, 4))
    assert memory.find_entities(chat) == []
    changes = memory.set_archived(CTX, chat, [pk], archived=True)
    assert len(changes.entities) == 2
    assert {e.name for e in memory.find_entities(chat)} == {"林晚", "银匕首"}
    memory.undo(chat)
    assert memory.find_entities(chat) == []
    memory.set_setting("memory.mode", "vector", chat)
    memory.set_archived(CTX, chat, [pk], archived=True)
    assert memory.find_entities(chat) == []


def test_levels_are_ordered_from_imported_to_confirmed():
    assert [is_at_least(c, "extracted") for c in CONFIDENCES] == [False, True, True, True]


def test_only_what_is_trusted_enough_is_injected(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat = memory.import_file(CTX, file).chat_id
    memory.summarise(CTX, chat, (0, 49), "extractive")
    memory.consolidate(CTX, chat)
    memory.embed_pending(CTX, chat)
    memory.set_setting("visible.newest", 0, chat)
    (first, *_rest) = memory.find_events(chat, EventQuery(level=0))
    event = memory.fetch_events(chat, [first])[first]
    asked = RecallQuery(event.summary, kinds=("event", "entity"))

    def injected():
        made = memory.inject(CTX, chat, asked)
        return {h.item.ref for h in made.hits if h.item.kind == "event"}

    assert event.id in injected()
    memory.set_setting("inject.confidence", "confirmed", chat)
    assert injected() == set()
    assert "第" not in memory.inject(CTX, chat, asked).text  # no relation, no entity either
    memory.set_confirmed(CTX, chat, [first], confirmed=True)
    # its outline is not confirmed: the story tells it by this part
    assert event.summary in memory.inject(CTX, chat, asked).text
    memory.undo(chat)
    assert event.summary not in memory.inject(CTX, chat, asked).text
    memory.recall(CTX, chat, asked)  # the curator sees everything
    assert memory.recall(CTX, chat, asked).hits
