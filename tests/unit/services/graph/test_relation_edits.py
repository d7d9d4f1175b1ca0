"""What a user says of relations, each act one undoable step."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.relations import STILL_TRUE
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.chats import timeline
from engram_desktop.services.graph import entities
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import make_event, make_extraction, make_message, make_store


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(40)])
    facts = [
        ("爱丽丝", "位于", "酒馆"),
        ("爱丽丝", "位于", "集市"),
        ("爱丽丝", "信任", "旅人"),
        ("爱丽丝", "相信", "旅人"),
    ]
    events = [
        make_event(
            f"事{n}",
            n * 10,
            n * 10 + 9,
            raw_data=make_extraction(
                f"事{n}",
                entities=(ExtractedEntity(fact[0], "char"),),
                relations=(ExtractedRelation(*fact),),
            ),
        )
        for n, fact in enumerate(facts)
    ]
    with store.step(StepLabel(IMPORT, {"count": 4})):
        store.events.add(events, store.clock())
    consolidate(store, NullContext(), HashEmbedder(16), None)
    yield store
    store.close()


def told(store):
    names = {i: n for n, i in store.entities.aliases().items()}
    alice = store.entities.aliases()["爱丽丝"]
    return {f"{r.predicate}{names[r.dst]}": r for r in store.entities.relations_of(alice)}


def undone_is_as_before(store, act):
    def watched():
        return {t: store.database.rows(f"SELECT * FROM {t} ORDER BY 1, 2") for t in WATCHED}

    before = watched()
    act()
    after = watched()
    assert after != before
    store.undo()
    assert watched() == before
    store.redo()
    assert watched() == after


def test_other_words(store):
    trust = told(store)["信任旅人"]
    undone_is_as_before(store, lambda: entities.edit(store, trust.id, "爱慕"))
    assert told(store)["爱慕旅人"].event_ids == trust.event_ids
    believes = told(store)["相信旅人"]
    entities.edit(store, believes.id, "爱慕")  # one relation says both now
    assert told(store)["爱慕旅人"].event_ids == (*trust.event_ids, *believes.event_ids)
    assert believes.id not in {r.id for r in told(store).values()}
    with pytest.raises(InputError):
        entities.edit(store, trust.id, "  ")


def test_an_end_and_that_there_is_none(store):
    trust = told(store)["信任旅人"]
    undone_is_as_before(store, lambda: entities.end(store, trust.id, 33))
    again = told(store)["信任旅人"]
    assert (again.valid_from, again.valid_to, again.is_current) == (20, 33, False)
    entities.end(store, trust.id, None)
    assert told(store)["信任旅人"].is_current
    tavern = told(store)["位于酒馆"]
    assert not tavern.is_current
    entities.end(store, tavern.id, STILL_TRUE)
    assert told(store)["位于酒馆"].is_current
    with pytest.raises(InputError):
        entities.end(store, tavern.id, -7)
    with pytest.raises(InputError, match="began at floor 20"):
        entities.end(store, trust.id, 3)


def test_an_end_moves_with_the_story(store):
    trust = told(store)["信任旅人"]
    entities.end(store, trust.id, 33)
    timeline.delete_messages(store, [2, 3])
    assert told(store)["信任旅人"].valid_to == 31
    store.undo()
    assert told(store)["信任旅人"].valid_to == 33


def test_deleting_leaves_the_events(store):
    trust = told(store)["信任旅人"]
    undone_is_as_before(store, lambda: entities.delete(store, trust.id))
    assert "信任旅人" not in told(store)
    assert len(store.events.by_ids(trust.event_ids)) == 1
    with pytest.raises(NotFound):
        entities.delete(store, trust.id)


def test_one_by_hand_holds_as_of_the_newest_floor(store):
    ids = store.entities.aliases()
    undone_is_as_before(store, lambda: entities.add(store, ids["爱丽丝"], "在", ids["酒馆"]))
    made = told(store)["在酒馆"]
    assert (made.event_ids, made.valid_from, made.is_by_hand) == ((), 39, True)
    assert not told(store)["位于集市"].is_current  # it is a fact as any other
    with pytest.raises(InputError):
        entities.add(store, ids["爱丽丝"], "在", ids["爱丽丝"])
    with pytest.raises(NotFound):
        entities.add(store, ids["爱丽丝"], "在", "nobody")


def test_one_by_hand_stays_when_an_alias_is_split_off(store):
    ids = store.entities.aliases()
    entities.add(store, ids["爱丽丝"], "敬重", ids["旅人"])
    entities.set_aliases(store, ids["爱丽丝"], ["小爱"])
    entities.split(store, ids["爱丽丝"], "小爱")
    assert told(store)["敬重旅人"].is_by_hand


def test_what_the_user_said_outlives_a_merger(store):
    ids = store.entities.aliases()
    entities.add(store, ids["集市"], "通向", ids["旅人"])
    entities.add(store, ids["酒馆"], "通向", ids["旅人"])
    held = store.entities.relations_of(ids["酒馆"])
    ended = next(r for r in held if r.predicate == "通向")
    entities.end(store, ended.id, 39)
    undone_is_as_before(store, lambda: entities.merge(store, [ids["酒馆"]], ids["集市"]))
    (left,) = (r for r in store.entities.relations_of(ids["集市"]) if r.predicate == "通向")
    assert (left.is_by_hand, left.valid_from, left.valid_to) == (True, 39, 39)
    both = told(store)["位于集市"]
    assert len(both.event_ids) == 2  # she was told to be in either
    assert both.is_current


def test_hidden_entities_are_out_of_the_graph_and_do_not_come_back(store):
    ids = store.entities.aliases()
    entities.update_entity(store, ids["旅人"], hidden=True)
    assert "旅人" not in {e.name for e in store.entities.find("", 9)}
    assert set(told(store)) == {"位于酒馆", "位于集市"}
    assert store.entities.neighbourhood(ids["爱丽丝"], 2, 9).entities[0].name == "爱丽丝"
    assert ids["旅人"] not in {e.id for e in store.entities.neighbourhood(None, 2, 9).entities}
    data = make_extraction("戊", entities=(ExtractedEntity("旅人", "char"),), relations=())
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([make_event("戊", 30, 39, raw_data=data)], store.clock())
    report = consolidate(store, NullContext(), HashEmbedder(16), None)
    assert report.entities_added == 0
    assert "旅人" not in {e.name for e in store.entities.find("", 9)}
    assert store.items.faults() == 0
    entities.update_entity(store, ids["旅人"], hidden=False)
    assert "旅人" in {e.name for e in store.entities.find("", 9)}
