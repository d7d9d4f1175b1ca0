"""Entities that may be one: who is asked about, who never is, and what the answer does."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.likeness import likeness
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity
from engram_desktop.domain.memory.line import new_id
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.graph import entities, suggest
from engram_desktop.services.graph.suggest import MOST_NEW
from engram_desktop.services.pipeline.consolidation import consolidate
from tests.factories import make_event, make_extraction, make_message, make_store

CTX = NullContext()
STEP = StepLabel(IMPORT, {"count": 1})


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    yield store
    store.close()


def tell(store, *scenes, kind="char"):
    """Consolidate one event for each scene: a list of who is in it."""
    events = []
    for n, names in enumerate(scenes):
        data = make_extraction(
            f"{n}: {'、'.join(names)}",
            entities=tuple(ExtractedEntity(name, kind) for name in names),
            relations=(),
        )
        events.append(make_event(data.summary, n, n + 9, raw_data=data))
    with store.step(STEP):
        store.events.add(events, store.clock())
    return consolidate(store, CTX, HashEmbedder(16), None)


def asked(store):
    return [{s.one.name, s.other.name} for s in suggest.waiting(store)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("林晚秋", "林晚"),
        ("林晚秋", "晚秋"),
        ("凯尔队长", "凯尔"),
        ("林晚", "小晚"),
        ("林晚", "阿晚"),
        ("爱丽丝", "小爱"),
        ("Alice Vale", "Alice"),
        ("Captain Kyle", "Kyle"),
        ("John Smith", "J. Smith"),
        ("Katherine", "Catherine"),
        ("安娜斯塔西娅", "安娜斯塔西亚"),
    ],
)
def test_likely_names_are_asked_about_and_never_merged(store, one, other):
    tell(store, [one, "甲乙"], [other, "丙丁"])
    assert {one, other} in asked(store)
    assert {one, other} <= {e.name for e in store.entities.find("", 50)}


@pytest.mark.parametrize(
    ("one", "other"),
    [("林晚", "林婉"), ("爱丽丝", "凯尔"), ("Room 101", "Room 102"), ("Ann", "Dan")],
)
def test_unlike_names_are_not(store, one, other):
    tell(store, [one], [other])
    assert asked(store) == []


def test_those_who_appear_together_are_two(store):
    tell(store, ["林晚", "小晚"], ["林晚", "小晚"])
    assert asked(store) == []


def test_the_same_company_but_never_together_speaks_for_one(store):
    others = ["凯尔", "莉莉丝", "诺亚"]
    tell(store, ["爱丽丝", *others], ["爱丽思", *others])
    assert {"爱丽丝", "爱丽思"} in asked(store)
    (found,) = suggest.waiting(store)
    assert [r.template for r in found.reasons][-1].startswith("never in the same event")


def test_descriptions_speak_too(store):
    tell(store, ["凯尔"], ["守夜人"])
    for name in ("凯尔", "守夜人"):
        entity_id = store.entities.aliases()[name]
        facts = {"武器": "断刃的长剑", "住处": "钟楼顶层的小屋"}
        entities.update_entity(store, entity_id, profile=facts)
    suggest.look_again(store)
    (found,) = suggest.waiting(store)
    assert {found.one.name, found.other.name} == {"凯尔", "守夜人"}
    assert "断刃的长剑" in found.reasons[0]


def test_accepting_merges_under_the_name_that_is_kept_and_is_undone(store):
    tell(store, ["林晚秋", "甲乙"], ["林晚", "丙丁"], ["林晚", "戊己"])
    (found,) = suggest.waiting(store)
    assert found.one.name == "林晚"  # told of more often
    suggest.accept(store, found.id, found.other.id)
    assert asked(store) == []
    merged = store.entities.fetch([found.one.id])[0]
    assert (merged.name, merged.aliases, merged.event_count) == ("林晚秋", ("林晚",), 3)
    with pytest.raises(NotFound):
        suggest.accept(store, found.id)
    store.undo()
    assert asked(store) == [{"林晚", "林晚秋"}]
    assert store.entities.fetch([found.one.id])[0].name == "林晚"


def test_what_was_dismissed_is_never_asked_again(store):
    tell(store, ["林晚秋", "甲乙"], ["林晚", "丙丁"])
    (found,) = suggest.waiting(store)
    suggest.dismiss(store, found.id)
    store.undo()
    assert asked(store) == [{"林晚", "林晚秋"}]
    store.redo()
    tell(store, ["林晚秋", "戊己"], ["林晚", "庚辛"])
    suggest.look_again(store)
    assert asked(store) == []


def test_a_dismissal_outlives_a_merger(store):
    tell(store, ["林晚秋", "甲乙"], ["林晚", "丙丁"], ["秋娘", "戊己"])
    (found,) = suggest.waiting(store)
    suggest.dismiss(store, found.id)
    ids = store.entities.aliases()
    entities.merge(store, [ids["林晚秋"]], ids["秋娘"])
    suggest.look_again(store)
    assert {"秋娘", "林晚"} not in asked(store)


def test_entities_from_before_that_are_one_name_are_merged(store):
    with store.step(STEP):
        store.entity_writes.add([(new_id(), "林晓", "char"), (new_id(), "林曉", "char")], 1)
    tell(store, ["林晓"])
    assert [e.aliases for e in store.entities.find("", 9)] == [("林曉",)]
    store.undo()
    assert {e.name for e in store.entities.find("", 9)} == {"林晓", "林曉"}


def test_a_persona_under_a_name_that_was_taken_is_asked_about(store):
    with store.database.writing():
        store.messages.append("main", 0, [make_message("我来了。", "旅人")])
    tell(store, ["旅人", "陆离"])
    with store.database.writing():
        store.messages.append("main", 1, [make_message("是我。", "陆离", role="user")])
    tell(store, ["旅人"])
    assert {"旅人", "陆离"} in asked(store)
    assert "陆离" in suggest.waiting(store)[0].reasons[0]


def test_one_run_asks_a_bounded_number_of_questions(store):
    names = [f"Anna{chr(97 + n % 26)}{chr(97 + n // 26)} Stone" for n in range(60)]
    tell(store, *[[name] for name in names])
    assert len(asked(store)) <= MOST_NEW
    before = len(asked(store))
    tell(store, *[[f"Lady {name}"] for name in names])
    assert before < len(asked(store)) <= before + MOST_NEW


def test_likeness_does_not_depend_on_the_order():
    for a, b in [("林晚", "小晚"), ("alice vale", "alice"), ("凯尔队长", "凯尔")]:
        one = likeness(a, b, (a, b), is_person=True)
        other = likeness(b, a, (b, a), is_person=True)
        assert one == other
        assert one is not None
