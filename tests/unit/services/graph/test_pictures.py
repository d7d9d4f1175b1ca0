"""What is drawn of a graph: as of a floor, with more entities, and the way between two."""

import pytest

from engram_desktop.domain.graph.entity import Around, Relation
from engram_desktop.domain.graph.relations import shortest
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.graph import pictures
from engram_desktop.services.pipeline.consolidation import consolidate
from tests.factories import make_event, make_extraction, make_message, make_store


def told(*facts):
    return [Relation(f"r{n}", a, "认识", b) for n, (a, b) in enumerate(facts)]


def way(relations, start, goal):
    found = shortest(relations, start, goal)
    return None if found is None else [r.id for r in found]


def test_the_shortest_way_is_found_in_either_direction():
    relations = told(("a", "b"), ("c", "b"), ("c", "d"), ("a", "x"), ("x", "y"), ("y", "d"))
    assert way(relations, "a", "d") == ["r0", "r1", "r2"]
    assert way(relations, "d", "a") == ["r2", "r1", "r0"]
    assert way(relations, "a", "nobody") is None
    assert way(relations, "a", "a") == []


@pytest.fixture
def store(tmp_path):
    """Ten floors for each: Alice is at the tavern, then at the market, then meets the traveller."""
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(30)])
    facts = [("爱丽丝", "位于", "酒馆"), ("爱丽丝", "位于", "集市"), ("爱丽丝", "信任", "旅人")]
    events = [
        make_event(
            f"事{n}",
            n * 10,
            n * 10 + 9,
            raw_data=make_extraction(
                f"事{n}",
                entities=(
                    ExtractedEntity(fact[0], "char"),
                    ExtractedEntity(fact[2], "char" if fact[2] == "旅人" else "loc"),
                ),
                relations=(ExtractedRelation(*fact),),
            ),
        )
        for n, fact in enumerate(facts)
    ]
    with store.step(StepLabel(IMPORT, {"count": 3})):
        store.events.add(events, store.clock())
    consolidate(store, NullContext(), HashEmbedder(16), None)
    yield store
    store.close()


def seen_at(store, floor):
    view = pictures.picture(store, MAIN_BRANCH, Around(at=floor), ())
    names = {e.id: e.name for e in view.entities}
    holds = {f"{r.predicate}{names[r.dst]}" for r in view.relations if r.is_current and r.predicate}
    return set(names.values()), holds


def test_a_picture_is_as_it_was_known_at_a_floor(store):
    assert seen_at(store, 5) == (set(), set())
    assert seen_at(store, 9) == ({"爱丽丝", "酒馆"}, {"位于酒馆"})
    assert seen_at(store, 19) == ({"爱丽丝", "酒馆", "集市"}, {"位于集市"})
    assert seen_at(store, 29)[1] == {"位于集市", "信任旅人"}
    assert seen_at(store, None) == seen_at(store, 29)


def test_a_way_prefers_what_holds_and_is_as_of_a_floor(store):
    ids = store.entities.aliases()
    ends = (ids["集市"], ids["旅人"])
    found = pictures.path(store, MAIN_BRANCH, ends, (), None)
    assert found is not None
    assert [r.predicate for r in found] == ["位于", "信任"]
    assert pictures.path(store, MAIN_BRANCH, ends, (), 19) is None
    old = pictures.path(store, MAIN_BRANCH, (ids["酒馆"], ids["旅人"]), (), None)
    assert old is not None
    assert not old[0].is_current  # nothing that holds leads there


def test_entities_of_a_way_are_drawn_in_addition(store):
    ids = store.entities.aliases()
    few = pictures.picture(store, MAIN_BRANCH, Around(limit=1), ())
    assert [e.name for e in few.entities] == ["爱丽丝"]
    more = pictures.picture(store, MAIN_BRANCH, Around(limit=1, also=(ids["旅人"],)), ())
    assert [e.name for e in more.entities] == ["爱丽丝", "旅人"]
    assert [r.predicate for r in more.relations if r.predicate] == ["信任"]
