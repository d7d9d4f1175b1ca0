"""Curating the graph by hand, each act one undoable step."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.graph.profile import (
    profile_to_yaml,
    yaml_to_profile,
)
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.graph import entities
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import make_event, make_extraction, make_store

CTX = NullContext()


def event(summary, names, relations=(), at=0):
    data = make_extraction(
        summary,
        entities=tuple(ExtractedEntity(name, "char") for name in names),
        relations=tuple(ExtractedRelation(*r) for r in relations),
    )
    return make_event(summary, at, at, raw_data=data)


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    with store.step(StepLabel(IMPORT, {"count": 4})):
        store.events.add(
            [
                event("甲", ["爱丽丝", "旅人"], [("爱丽丝", "信任", "旅人")], 0),
                event("乙", ["老板娘", "旅人"], [("老板娘", "信任", "旅人")], 1),
                event("丙", ["老板娘", "凯尔"], [("凯尔", "怀疑", "老板娘")], 2),
                event("丁", ["爱丽丝", "老板娘"], [("爱丽丝", "是", "老板娘")], 3),
            ],
            store.clock(),
        )
    consolidate(store, CTX, HashEmbedder(16), None)
    yield store
    store.close()


def named(store, name):
    return store.entities.fetch([store.entities.aliases()[name]])[0]


def watched(store):
    return {t: store.database.rows(f"SELECT * FROM {t} ORDER BY 1, 2") for t in WATCHED}


def undone_is_as_before(store, act):
    before = watched(store)
    result = act()
    after = watched(store)
    store.undo()
    assert watched(store) == before
    store.redo()
    assert watched(store) == after
    return result


def test_merging_moves_names_evidence_and_relations(store):
    alice, owner = named(store, "爱丽丝"), named(store, "老板娘")
    undone_is_as_before(store, lambda: entities.merge(store, [owner.id], alice.id))
    merged = named(store, "老板娘")
    assert (merged.id, merged.name, merged.aliases) == (alice.id, "爱丽丝", ("老板娘",))
    assert merged.event_count == 4
    kyle, traveller = named(store, "凯尔"), named(store, "旅人")
    edges = {
        (r.src, r.predicate, r.dst): len(r.event_ids)
        for r in store.entities.relations_among([alice.id, kyle.id, traveller.id])
    }
    assert edges == {
        (alice.id, "信任", traveller.id): 2,  # two relations became one, with both evidences
        (kyle.id, "怀疑", alice.id): 1,
    }
    assert store.entities.count() == 3
    assert store.items.faults() == 0
    with pytest.raises(NotFound):
        entities.merge(store, [owner.id], alice.id)


def test_what_is_consolidated_later_finds_the_merged_entity_by_its_old_name(store):
    alice, owner = named(store, "爱丽丝"), named(store, "老板娘")
    entities.merge(store, [owner.id], alice.id)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([event("戊", ["老板娘"], at=9)], store.clock())
    report = consolidate(store, CTX, HashEmbedder(16), None)
    assert report.entities_added == 0
    assert named(store, "老板娘").event_count == 5


def test_splitting_takes_the_events_that_call_it_so_and_only_so(store):
    alice, owner = named(store, "爱丽丝"), named(store, "老板娘")
    entities.merge(store, [owner.id], alice.id)
    undone_is_as_before(store, lambda: entities.split(store, alice.id, "老板娘"))
    one, other = named(store, "爱丽丝"), named(store, "老板娘")
    assert one.id != other.id
    told = [e.summary for e in store.events.by_ids(store.entities.event_ids(other.id))]
    assert told == ["乙", "丙"]
    assert [e.summary for e in store.events.by_ids(store.entities.event_ids(one.id))] == [
        "甲",
        "丁",
    ]


def test_renaming_keeps_the_old_name_as_an_alias(store):
    kyle = named(store, "凯尔")
    undone_is_as_before(store, lambda: entities.update_entity(store, kyle.id, name="卫兵队长凯尔"))
    again = named(store, "凯尔")
    assert (again.id, again.name, again.aliases) == (kyle.id, "卫兵队长凯尔", ("凯尔",))


def item_of(store, entity):
    return store.items.of_refs([entity.id])[0].content


def test_those_related_to_somebody_are_told_the_new_name(store):
    """Their items name each other: what was embedded and searched was the old name."""
    kyle, owner, alice = named(store, "凯尔"), named(store, "老板娘"), named(store, "爱丽丝")
    assert "凯尔 怀疑 老板娘" in item_of(store, kyle)
    undone_is_as_before(store, lambda: entities.update_entity(store, owner.id, name="掌柜"))
    assert "凯尔 怀疑 掌柜" in item_of(store, kyle)
    undone_is_as_before(store, lambda: entities.merge(store, [owner.id], alice.id))
    assert "凯尔 怀疑 爱丽丝" in item_of(store, kyle)
    undone_is_as_before(store, lambda: entities.split(store, alice.id, "老板娘"))
    assert "凯尔 怀疑 老板娘" in item_of(store, kyle)


def test_an_alias_names_one_entity_only(store):
    kyle = named(store, "凯尔")
    with pytest.raises(Conflict, match="merge"):
        entities.set_aliases(store, kyle.id, ["旅人"])
    entities.set_aliases(store, kyle.id, ["队长", "凯队"])
    entities.set_aliases(store, kyle.id, ["队长"])
    assert named(store, "队长").aliases == ("队长",)
    assert "凯队" not in store.entities.aliases()


def test_a_profile_is_yaml_for_models_and_is_recalled(store):
    kyle = named(store, "凯尔")
    profile = {"身份": "卫兵队长", "习惯": ["每晚九点来", "只喝姜茶"]}
    entities.update_entity(store, kyle.id, profile=profile)
    again = named(store, "凯尔")
    assert again.profile == profile
    assert "身份: 卫兵队长" in again.description
    assert yaml_to_profile(again.description) == profile
    (row,) = store.database.rows("SELECT content FROM memory_item WHERE ref = ?", (kyle.id,))
    assert "只喝姜茶" in row[0]


@pytest.mark.parametrize(
    "text",
    [
        "- a list",
        "a: [",
        "just words",
        "!!python/object:os.system x",
        "a: &x b\nc: *x",
        "a: 2020-02-31",
    ],
)
def test_a_description_that_is_no_mapping_is_refused(text):
    with pytest.raises(InputError):
        yaml_to_profile(text)


def test_nothing_merges_by_itself(store):
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([event("己", ["爱丽思", "凯而"], at=20)], store.clock())
    assert consolidate(store, CTX, HashEmbedder(16), None).entities_added == 2


def test_days_and_odd_numbers_of_a_description_are_kept_as_they_read(store):
    profile = yaml_to_profile("生日: 2020-01-02\n力量: .inf\n7: [1, 2.5, true]")
    assert profile == {"生日": "2020-01-02", "力量": "inf", "7": [1, 2.5, True]}
    kyle = named(store, "凯尔")
    entities.update_entity(store, kyle.id, profile=profile)
    assert named(store, "凯尔").profile == profile


def test_who_has_no_profile_has_an_empty_description():
    assert profile_to_yaml({}) == ""
    assert yaml_to_profile(profile_to_yaml({"身份": "老板"})) == {"身份": "老板"}
