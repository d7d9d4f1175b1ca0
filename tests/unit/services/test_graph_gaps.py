"""What is missing of entities: relations, links to texts that name them, facts of persons."""

from __future__ import annotations

import pytest
from typing_extensions import override

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.graph.gaps import MOST_MESSAGES, SHOWN_FLOORS, NamedEntities, missing_of
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import Cancelled, CancelToken, NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.chats import timeline
from engram_desktop.services.graph import gaps, graph_service
from engram_desktop.services.pipeline.consolidation import consolidate
from tests.factories import make_event, make_extraction, make_message, make_store

CTX = NullContext()


def person(**over):
    return EntityNode("id", "爱丽丝", "char", degree=1, **over)


@pytest.mark.parametrize(
    ("entity", "predicates", "missing"),
    [
        (EntityNode("a", "港口", "loc"), [], ("alone",)),
        (EntityNode("a", "港口", "loc", degree=1), [], ()),
        (EntityNode("a", "港口", "loc"), ["位于"], ()),
        (person(), ["信任"], ("described", "home", "birthday")),
        (person(), ["住在"], ("described", "birthday")),
        (person(), ["抓住"], ("described", "home", "birthday")),
        (person(), ["lives in"], ("described", "birthday")),
        (person(profile={"住处": "酒馆", "生日": "冬至"}), ["信任"], ()),
        (person(profile={"home": "the inn", "birthday": ""}), ["trusts"], ("birthday",)),
        (person(profile={"家": "港口", "家人": "父亲"}), ["信任"], ("birthday",)),
        (person(profile={"家人": "父亲"}), ["信任"], ("home", "birthday")),
        (person(profile={"基本": {"生日": "冬至"}}), ["信任"], ("home",)),
        (person(description="出生于汐湾，住在酒馆。"), ["信任"], ()),
        (person(description="出身汐湾。"), ["信任"], ("home", "birthday")),
    ],
)
def test_what_is_missing_of_an_entity_itself(entity, predicates, missing):
    assert missing_of(entity, predicates) == missing


def test_a_name_inside_of_a_longer_one_is_not_named():
    names = NamedEntities(
        [("钥匙", "key"), ("铜钥匙", "brass"), ("Ann", "ann"), ("Annabel", "bel"), ("他", "he")]
    )
    assert names.of("她握着铜钥匙。") == {"brass"}
    assert names.of("铜钥匙不是那把钥匙。") == {"brass", "key"}
    assert names.of("ANNABEL waved, planning.") == {"bel"}
    assert names.of("Ann waved at Annabel. 他笑了。") == {"ann", "bel"}


def event(summary, names, at, relations=(), **over):
    data = make_extraction(
        summary,
        details="",
        entities=tuple(ExtractedEntity(name, "char") for name in names),
        relations=tuple(ExtractedRelation(*r) for r in relations),
    )
    return make_event(summary, at, at, raw_data=data, **over)


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    texts = ("爱丽丝来了。", "凯尔看着爱丽丝。", "旅人问起爱丽丝。", "没有人。", "凯尔走了。")
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.messages.append("main", 0, [make_message(text) for text in texts])
        store.events.add(
            [
                event("爱丽丝来了。", ["爱丽丝"], 0),
                event("凯尔看着她。", ["凯尔"], 1),
                event("旅人问起爱丽丝。", ["旅人", "凯尔"], 2, [("旅人", "认识", "凯尔")]),
            ],
            store.clock(),
        )
    consolidate(store, CTX, HashEmbedder(16), None)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([event("爱丽丝走了，凯尔走了。", [], 4)], store.clock())
    yield store
    store.close()


def found(store, only=()):
    names = {e.id: e.name for e in store.entities.find("", 100)}
    return {names[one.entity_id]: one for one in gaps.find(CTX, store, "main", only)}


def test_who_is_named_where_nothing_is_linked(store):
    by_name = found(store)
    alice = by_name["爱丽丝"]
    assert alice.gaps == ("alone", "unlinked", "described", "home", "birthday")
    assert (alice.floors, alice.count) == ((1, 2), 2)
    assert [store.events.fetch(alice.events)[pk].summary for pk in alice.events] == [
        "旅人问起爱丽丝。"
    ]
    assert by_name["凯尔"].gaps == ("described", "home", "birthday"), "the buffer has no links yet"
    assert set(found(store, [alice.entity_id])) == {"爱丽丝"}


def test_what_is_mended_is_missing_no_more(store):
    alice = found(store)["爱丽丝"].entity_id
    kyle = found(store)["凯尔"].entity_id
    graph_service.add_relation(store, alice, "住在", kyle, "main")
    assert found(store)["爱丽丝"].gaps == ("unlinked", "described", "birthday")
    graph_service.update_entity(store, alice, profile={"生日": "冬至"})
    assert found(store)["爱丽丝"].gaps == ("unlinked",)
    timeline.edit_message(store, 1, "凯尔看着她。")
    assert found(store)["爱丽丝"].floors == (2,)


def test_a_look_can_be_stopped_and_its_limits_are_told(store):
    class Stopped(NullContext):
        @override
        def report(self, done, total, label=""):
            token = CancelToken()
            token.cancel()
            token.check()

    with pytest.raises(Cancelled):
        gaps.find(Stopped(), store, "main")
    assert (MOST_MESSAGES, SHOWN_FLOORS) == (20_000, 20)
