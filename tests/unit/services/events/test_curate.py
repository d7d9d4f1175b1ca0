"""What a user does to events by hand: writing them, trusting them. Each is one undoable step."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import (
    CONFIDENCES,
    EventPatch,
    EventQuery,
    SourceRange,
    is_at_least,
)
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.memory.line import Line
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
    return memory.imports.import_file(CTX, path).chat_id


def only_event(memory, chat, **query):
    (pk,) = memory.events.find(chat, EventQuery(**query))
    return memory.events.fetch(chat, [pk])[pk]


def test_a_fact_is_locked_confirmed_visible_and_recalled(memory, chat):
    data = PlotExtraction("银器会灼伤林晚的皮肤。", ("银器",), kind="fact")
    pk, changes = memory.events.add(Line.main(chat), data, SourceRange(5, 5))
    assert changes.events == {pk}
    fact = only_event(memory, chat, kind="fact")
    assert (fact.pk, fact.confidence, fact.extractor) == (pk, "confirmed", "manual")
    assert fact.is_locked
    assert not fact.is_archived
    assert [e.pk for e in memory.session.chat(chat).events.visible()] == [pk]
    memory.index.embed_pending(CTX, chat)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    assert not only_event(memory, chat, kind="fact").is_archived
    hits = memory.recall.ask(CTX, chat, RecallQuery("银器灼伤", kinds=("event",))).hits
    assert [h.item.ref for h in hits] == [fact.id]
    memory.history.undo(chat)
    assert not memory.events.find(chat, EventQuery())


def test_a_memory_by_hand_names_the_entities_the_chat_knows(memory, chat):
    first = PlotExtraction("林晚到了港口。", entities=(ExtractedEntity("林晚", "char"),))
    memory.events.add(Line.main(chat), first, SourceRange(0, 0))
    memory.pipeline.consolidate(CTX, Line.main(chat))
    pk, _changes = memory.events.add(
        Line.main(chat), PlotExtraction("林晚睡着了。"), SourceRange(1, 2)
    )
    event = memory.events.fetch(chat, [pk])[pk]
    assert event.participants == ("林晚",)
    assert not event.is_locked


@pytest.mark.parametrize(
    ("text", "first", "last"), [("  ", 0, 0), ("甲", 0, 30), ("甲", 3, 2), ("甲", -1, 0)]
)
def test_a_memory_without_words_or_floors_is_refused(memory, chat, text, first, last):
    with pytest.raises(InputError):
        memory.events.add(Line.main(chat), PlotExtraction(text), SourceRange(first, last))
    assert not memory.events.find(chat, EventQuery())


def test_who_vouches_for_a_memory_follows_what_is_done_to_it(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 49), "extractive")
    pks = memory.events.find(chat, EventQuery(confidence="extracted"))
    assert pks
    assert pks == memory.events.find(chat, EventQuery())
    memory.events.set_confirmed(CTX, chat, pks, confirmed=True)
    assert memory.events.find(chat, EventQuery(confidence="confirmed")) == pks
    memory.events.set_confirmed(CTX, chat, pks, confirmed=False)
    assert memory.events.find(chat, EventQuery(confidence="extracted")) == pks
    memory.history.undo(chat)
    memory.history.undo(chat)
    assert memory.events.find(chat, EventQuery(confidence="extracted")) == pks
    memory.events.update(chat, pks[0], EventPatch(summary="林晚说了三十句话。"))
    assert memory.events.fetch(chat, pks[:1])[pks[0]].confidence == "confirmed"


def test_an_event_made_green_by_hand_joins_the_graph_and_undo_takes_it_out(memory, chat):
    names = (ExtractedEntity("林晚", "char"), ExtractedEntity("银匕首", "item"))
    said = (ExtractedRelation("林晚", "持有", "银匕首"),)
    data = PlotExtraction("林晚拔出银匕首。", entities=names, relations=said)
    pk, _changes = memory.events.add(Line.main(chat), data, SourceRange(3, 4))
    assert memory.graph.find_entities(Line.main(chat)) == []
    changes = memory.events.set_archived(CTX, chat, [pk], archived=True)
    assert len(changes.entities) == 2
    assert {e.name for e in memory.graph.find_entities(Line.main(chat))} == {"林晚", "银匕首"}
    memory.history.undo(chat)
    assert memory.graph.find_entities(Line.main(chat)) == []
    memory.settings.set("memory.mode", "vector", chat)
    memory.events.set_archived(CTX, chat, [pk], archived=True)
    assert memory.graph.find_entities(Line.main(chat)) == []


def test_levels_are_ordered_from_imported_to_confirmed():
    assert [is_at_least(c, "extracted") for c in CONFIDENCES] == [False, True, True, True]


def test_only_what_is_trusted_enough_is_injected(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 49), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    memory.settings.set("visible.newest", 0, chat)
    (first, *_rest) = memory.events.find(chat, EventQuery(level=0))
    event = memory.events.fetch(chat, [first])[first]
    asked = RecallQuery(event.summary, kinds=("event", "entity"))

    def injected():
        made = memory.inject.compose(CTX, chat, asked)
        return {h.item.ref for h in made.hits if h.item.kind == "event"}

    assert event.id in injected()
    memory.settings.set("inject.confidence", "confirmed", chat)
    assert injected() == set()
    assert "第" not in memory.inject.compose(CTX, chat, asked).text  # no relation, no entity either
    memory.events.set_confirmed(CTX, chat, [first], confirmed=True)
    # its outline is not confirmed: the story tells it by this part
    assert event.summary in memory.inject.compose(CTX, chat, asked).text
    memory.history.undo(chat)
    assert event.summary not in memory.inject.compose(CTX, chat, asked).text
    memory.recall.ask(CTX, chat, asked)  # the curator sees everything
    assert memory.recall.ask(CTX, chat, asked).hits
