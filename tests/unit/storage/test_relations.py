"""Relations read with their validity: right through edits, undo, branches and deletion."""

from __future__ import annotations

import pytest

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.services.graph.link import Linker
from tests.factories import make_event, make_extraction, make_message, make_store

STEP = StepLabel(IMPORT, {"count": 1})
KINDS: dict[str, EntityType] = {"爱丽丝": "char", "旅人": "char", "酒馆": "loc", "集市": "loc"}


def tell(store, floor, *relations, branch="main"):
    """Add an archived event of ten floors that tells ``relations``."""
    names = sorted({end for a, _p, b in relations for end in (a, b)})
    data = make_extraction(
        f"事{floor}",
        entities=tuple(ExtractedEntity(n, KINDS[n]) for n in names),
        relations=tuple(ExtractedRelation(*r) for r in relations),
    )
    event = make_event(f"事{floor}", floor, floor + 9, raw_data=data, branch_id=branch)
    with store.step(STEP):
        pks = store.events.add([event], store.clock())
        Linker(store).consolidate(list(store.events.fetch(pks).values()))
    store.catch_up()
    return pks


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(60)])
    tell(store, 0, ("爱丽丝", "位于", "酒馆"), ("爱丽丝", "陌生人", "旅人"))
    tell(store, 20, ("爱丽丝", "位于", "集市"))
    tell(store, 40, ("爱丽丝", "恋人", "旅人"))
    yield store
    store.close()


def current(store, name="爱丽丝", **where):
    alias = store.entities.aliases()
    names = {i: n for n, i in alias.items()}
    return {
        (names[r.src], r.predicate, names[r.dst]): r.floors
        for r in store.entities.current_relations([alias[name]], **where)
    }


def test_the_newest_told_holds_and_cites_its_floors(store):
    assert current(store) == {
        ("爱丽丝", "恋人", "旅人"): ((40, 49),),
        ("爱丽丝", "位于", "集市"): ((20, 29),),
    }
    assert list(current(store)) == [("爱丽丝", "恋人", "旅人"), ("爱丽丝", "位于", "集市")]
    assert current(store, at=15) == {
        ("爱丽丝", "位于", "酒馆"): ((0, 9),),
        ("爱丽丝", "陌生人", "旅人"): ((0, 9),),
    }
    assert current(store, "酒馆") == {}  # she is elsewhere, though nothing more is told of it
    assert current(store, "酒馆", at=9) == {("爱丽丝", "位于", "酒馆"): ((0, 9),)}


def test_what_ended_stays_visible_with_what_ended_it(store):
    ids = list(store.entities.aliases().values())
    was, now = (r for r in store.entities.relations_among(ids) if r.predicate == "位于")
    assert (was.valid_from, was.valid_to, was.is_current) == (0, 20, False)
    assert was.superseded_by == now.id
    assert (now.valid_from, now.valid_to, now.is_current) == (20, None, True)


def test_deleting_the_evidence_makes_the_older_fact_true_again(store):
    before = current(store)
    with store.step(STEP):
        store.events.delete([2], store.clock())
    assert ("爱丽丝", "位于", "酒馆") in current(store)
    store.undo()
    assert current(store) == before


def test_what_is_remembered_of_an_entity_holds_now(store):
    (content,) = (
        row[0]
        for row in store.database.rows(
            "SELECT content FROM memory_item WHERE kind = 'entity' AND ref = ?",
            (store.entities.aliases()["爱丽丝"],),
        )
    )
    assert "位于 集市" in content
    assert "位于 酒馆" not in content
    assert "陌生人" not in content


def test_a_branch_has_its_own_present(store):
    with store.step(STEP):
        store.branches.add("b", "main", 29, "另一条", "")
    tell(store, 30, ("爱丽丝", "在", "酒馆"), branch="b")
    assert ("爱丽丝", "位于", "集市") in current(store)
    here = current(store, branch_id="b")
    assert here == {
        ("爱丽丝", "在", "酒馆"): ((30, 39),),
        ("爱丽丝", "陌生人", "旅人"): ((0, 9),),
    }
