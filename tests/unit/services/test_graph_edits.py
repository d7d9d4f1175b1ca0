"""The graph, curated by hand."""

from __future__ import annotations

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.graph.likeness import likeness
from engram_desktop.domain.graph.profile import profile_to_yaml, yaml_to_profile
from engram_desktop.domain.graph.relations import STILL_TRUE
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import new_id
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.chats import timeline
from engram_desktop.services.graph import graph_service, suggest
from engram_desktop.services.graph.suggest import MOST_NEW
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import make_event, make_extraction, make_message, make_store
from tests.graph_facts import tell_facts

# Curating the graph by hand, each act one undoable step.

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
    undone_is_as_before(store, lambda: graph_service.merge_entities(store, [owner.id], alice.id))
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
        graph_service.merge_entities(store, [owner.id], alice.id)


def test_what_is_consolidated_later_finds_the_merged_entity_by_its_old_name(store):
    alice, owner = named(store, "爱丽丝"), named(store, "老板娘")
    graph_service.merge_entities(store, [owner.id], alice.id)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([event("戊", ["老板娘"], at=9)], store.clock())
    report = consolidate(store, CTX, HashEmbedder(16), None)
    assert report.entities_added == 0
    assert named(store, "老板娘").event_count == 5


def test_splitting_takes_the_events_that_call_it_so_and_only_so(store):
    alice, owner = named(store, "爱丽丝"), named(store, "老板娘")
    graph_service.merge_entities(store, [owner.id], alice.id)
    undone_is_as_before(store, lambda: graph_service.split_entity(store, alice.id, "老板娘"))
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
    undone_is_as_before(
        store, lambda: graph_service.update_entity(store, kyle.id, name="卫兵队长凯尔")
    )
    again = named(store, "凯尔")
    assert (again.id, again.name, again.aliases) == (kyle.id, "卫兵队长凯尔", ("凯尔",))


def item_of(store, entity):
    return store.items.of_refs([entity.id])[0].content


def test_those_related_to_somebody_are_told_the_new_name(store):
    """Their items name each other: what was embedded and searched was the old name."""
    kyle, owner, alice = named(store, "凯尔"), named(store, "老板娘"), named(store, "爱丽丝")
    assert "凯尔 怀疑 老板娘" in item_of(store, kyle)
    undone_is_as_before(store, lambda: graph_service.update_entity(store, owner.id, name="掌柜"))
    assert "凯尔 怀疑 掌柜" in item_of(store, kyle)
    undone_is_as_before(store, lambda: graph_service.merge_entities(store, [owner.id], alice.id))
    assert "凯尔 怀疑 爱丽丝" in item_of(store, kyle)
    undone_is_as_before(store, lambda: graph_service.split_entity(store, alice.id, "老板娘"))
    assert "凯尔 怀疑 老板娘" in item_of(store, kyle)


def test_an_alias_names_one_entity_only(store):
    kyle = named(store, "凯尔")
    with pytest.raises(Conflict, match="merge"):
        graph_service.set_aliases(store, kyle.id, ["旅人"])
    graph_service.set_aliases(store, kyle.id, ["队长", "凯队"])
    graph_service.set_aliases(store, kyle.id, ["队长"])
    assert named(store, "队长").aliases == ("队长",)
    assert "凯队" not in store.entities.aliases()


def test_a_profile_is_yaml_for_models_and_is_recalled(store):
    kyle = named(store, "凯尔")
    profile = {"身份": "卫兵队长", "习惯": ["每晚九点来", "只喝姜茶"]}
    graph_service.update_entity(store, kyle.id, profile=profile)
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
        "a: " + "[" * 2_000 + "]" * 2_000,
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
    graph_service.update_entity(store, kyle.id, profile=profile)
    assert named(store, "凯尔").profile == profile


def test_who_has_no_profile_has_an_empty_description():
    assert profile_to_yaml({}) == ""
    assert yaml_to_profile(profile_to_yaml({"身份": "老板"})) == {"身份": "老板"}


# Entities that may be one: who is asked about, who never is, and what the answer does.

STEP = StepLabel(IMPORT, {"count": 1})


@pytest.fixture
def empty_store(tmp_path):
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
def test_likely_names_are_asked_about_and_never_merged(empty_store, one, other):
    tell(empty_store, [one, "甲乙"], [other, "丙丁"])
    assert {one, other} in asked(empty_store)
    assert {one, other} <= {e.name for e in empty_store.entities.find("", 50)}


@pytest.mark.parametrize(
    ("one", "other"),
    [("林晚", "林婉"), ("爱丽丝", "凯尔"), ("Room 101", "Room 102"), ("Ann", "Dan")],
)
def test_unlike_names_are_not(empty_store, one, other):
    tell(empty_store, [one], [other])
    assert asked(empty_store) == []


def test_those_who_appear_together_are_two(empty_store):
    tell(empty_store, ["林晚", "小晚"], ["林晚", "小晚"])
    assert asked(empty_store) == []


def test_the_same_company_but_never_together_speaks_for_one(empty_store):
    others = ["凯尔", "莉莉丝", "诺亚"]
    tell(empty_store, ["爱丽丝", *others], ["爱丽思", *others])
    assert {"爱丽丝", "爱丽思"} in asked(empty_store)
    (found,) = suggest.waiting(empty_store)
    assert [r.template for r in found.reasons][-1].startswith("never in the same event")


def test_descriptions_speak_too(empty_store):
    tell(empty_store, ["凯尔"], ["守夜人"])
    for name in ("凯尔", "守夜人"):
        entity_id = empty_store.entities.aliases()[name]
        facts = {"武器": "断刃的长剑", "住处": "钟楼顶层的小屋"}
        graph_service.update_entity(empty_store, entity_id, profile=facts)
    suggest.look_again(empty_store)
    (found,) = suggest.waiting(empty_store)
    assert {found.one.name, found.other.name} == {"凯尔", "守夜人"}
    assert "断刃的长剑" in found.reasons[0]


def test_accepting_merges_under_the_name_that_is_kept_and_is_undone(empty_store):
    tell(empty_store, ["林晚秋", "甲乙"], ["林晚", "丙丁"], ["林晚", "戊己"])
    (found,) = suggest.waiting(empty_store)
    assert found.one.name == "林晚"  # told of more often
    suggest.accept(empty_store, found.id, found.other.id)
    assert asked(empty_store) == []
    merged = empty_store.entities.fetch([found.one.id])[0]
    assert (merged.name, merged.aliases, merged.event_count) == ("林晚秋", ("林晚",), 3)
    with pytest.raises(NotFound):
        suggest.accept(empty_store, found.id)
    empty_store.undo()
    assert asked(empty_store) == [{"林晚", "林晚秋"}]
    assert empty_store.entities.fetch([found.one.id])[0].name == "林晚"


def test_what_was_dismissed_is_never_asked_again(empty_store):
    tell(empty_store, ["林晚秋", "甲乙"], ["林晚", "丙丁"])
    (found,) = suggest.waiting(empty_store)
    suggest.dismiss(empty_store, found.id)
    empty_store.undo()
    assert asked(empty_store) == [{"林晚", "林晚秋"}]
    empty_store.redo()
    tell(empty_store, ["林晚秋", "戊己"], ["林晚", "庚辛"])
    suggest.look_again(empty_store)
    assert asked(empty_store) == []


def test_a_dismissal_outlives_a_merger(empty_store):
    tell(empty_store, ["林晚秋", "甲乙"], ["林晚", "丙丁"], ["秋娘", "戊己"])
    (found,) = suggest.waiting(empty_store)
    suggest.dismiss(empty_store, found.id)
    ids = empty_store.entities.aliases()
    graph_service.merge_entities(empty_store, [ids["林晚秋"]], ids["秋娘"])
    suggest.look_again(empty_store)
    assert {"秋娘", "林晚"} not in asked(empty_store)


def test_entities_from_before_that_are_one_name_are_merged(empty_store):
    with empty_store.step(STEP):
        empty_store.entity_writes.add([(new_id(), "林晓", "char"), (new_id(), "林曉", "char")], 1)
    tell(empty_store, ["林晓"])
    assert [e.aliases for e in empty_store.entities.find("", 9)] == [("林曉",)]
    empty_store.undo()
    assert {e.name for e in empty_store.entities.find("", 9)} == {"林晓", "林曉"}


def test_a_persona_under_a_name_that_was_taken_is_asked_about(empty_store):
    with empty_store.database.writing():
        empty_store.messages.append("main", 0, [make_message("我来了。", "旅人")])
    tell(empty_store, ["旅人", "陆离"])
    with empty_store.database.writing():
        empty_store.messages.append("main", 1, [make_message("是我。", "陆离", role="user")])
    tell(empty_store, ["旅人"])
    assert {"旅人", "陆离"} in asked(empty_store)
    assert "陆离" in suggest.waiting(empty_store)[0].reasons[0]


def test_one_run_asks_a_bounded_number_of_questions(empty_store):
    names = [f"Anna{chr(97 + n % 26)}{chr(97 + n // 26)} Stone" for n in range(60)]
    tell(empty_store, *[[name] for name in names])
    assert len(asked(empty_store)) <= MOST_NEW
    before = len(asked(empty_store))
    tell(empty_store, *[[f"Lady {name}"] for name in names])
    assert before < len(asked(empty_store)) <= before + MOST_NEW


@pytest.mark.parametrize(
    ("a", "b"), [("林晚", "小晚"), ("alice vale", "alice"), ("凯尔队长", "凯尔")]
)
def test_likeness_does_not_depend_on_the_order(a, b):
    one = likeness(a, b, (a, b), is_person=True)
    other = likeness(b, a, (b, a), is_person=True)
    assert one == other
    assert one is not None


# What a user says of relations, each act one undoable step.


@pytest.fixture
def dated_store(tmp_path):
    store = make_store(tmp_path)
    tell_facts(
        store,
        ("爱丽丝", "位于", "酒馆"),
        ("爱丽丝", "位于", "集市"),
        ("爱丽丝", "信任", "旅人"),
        ("爱丽丝", "相信", "旅人"),
    )
    yield store
    store.close()


def told(store):
    names = {i: n for n, i in store.entities.aliases().items()}
    alice = store.entities.aliases()["爱丽丝"]
    return {f"{r.predicate}{names[r.dst]}": r for r in store.entities.relations_of(alice)}


def undone_relations_are_as_before(store, act):
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


def test_other_words(dated_store):
    trust = told(dated_store)["信任旅人"]
    undone_relations_are_as_before(
        dated_store, lambda: graph_service.edit_relation(dated_store, trust.id, "爱慕")
    )
    assert told(dated_store)["爱慕旅人"].event_ids == trust.event_ids
    believes = told(dated_store)["相信旅人"]
    graph_service.edit_relation(dated_store, believes.id, "爱慕")  # one relation says both now
    assert told(dated_store)["爱慕旅人"].event_ids == (*trust.event_ids, *believes.event_ids)
    assert believes.id not in {r.id for r in told(dated_store).values()}
    dated_store.undo()  # what tells of them is kept until something changes: see `RelationStore`
    assert told(dated_store)["爱慕旅人"].event_ids == trust.event_ids
    assert told(dated_store)["相信旅人"].event_ids == believes.event_ids
    dated_store.redo()
    assert told(dated_store)["爱慕旅人"].event_ids == (*trust.event_ids, *believes.event_ids)
    with pytest.raises(InputError):
        graph_service.edit_relation(dated_store, trust.id, "  ")


def test_what_tells_of_a_relation_is_read_again_when_another_program_wrote(dated_store, tmp_path):
    trust = told(dated_store)["信任旅人"]
    other = make_store(tmp_path)  # the same file
    with other.step(StepLabel(IMPORT, {"count": 1})):
        other.events.add([event("事五", ["爱丽丝"], [("爱丽丝", "信任", "旅人")], 39)], 1)
    consolidate(other, NullContext(), HashEmbedder(16), None)
    other.close()
    again = told(dated_store)["信任旅人"]
    assert len(again.event_ids) == len(trust.event_ids) + 1
    timeline.delete_messages(dated_store, [39])
    assert told(dated_store)["信任旅人"].event_ids == trust.event_ids


def test_an_end_and_that_there_is_none(dated_store):
    trust = told(dated_store)["信任旅人"]
    undone_relations_are_as_before(
        dated_store, lambda: graph_service.end_relation(dated_store, trust.id, 33)
    )
    again = told(dated_store)["信任旅人"]
    assert (again.valid_from, again.valid_to, again.is_current) == (20, 33, False)
    graph_service.end_relation(dated_store, trust.id, None)
    assert told(dated_store)["信任旅人"].is_current
    tavern = told(dated_store)["位于酒馆"]
    assert not tavern.is_current
    graph_service.end_relation(dated_store, tavern.id, STILL_TRUE)
    assert told(dated_store)["位于酒馆"].is_current
    with pytest.raises(InputError):
        graph_service.end_relation(dated_store, tavern.id, -7)
    with pytest.raises(InputError, match="began at floor 20"):
        graph_service.end_relation(dated_store, trust.id, 3)


def test_an_end_moves_with_the_story(dated_store):
    trust = told(dated_store)["信任旅人"]
    graph_service.end_relation(dated_store, trust.id, 33)
    timeline.delete_messages(dated_store, [2, 3])
    assert told(dated_store)["信任旅人"].valid_to == 31
    dated_store.undo()
    assert told(dated_store)["信任旅人"].valid_to == 33


def test_deleting_leaves_the_events(dated_store):
    trust = told(dated_store)["信任旅人"]
    undone_relations_are_as_before(
        dated_store, lambda: graph_service.delete_relation(dated_store, trust.id)
    )
    assert "信任旅人" not in told(dated_store)
    assert len(dated_store.events.by_ids(trust.event_ids)) == 1
    with pytest.raises(NotFound):
        graph_service.delete_relation(dated_store, trust.id)


def test_one_by_hand_holds_as_of_the_newest_floor(dated_store):
    ids = dated_store.entities.aliases()
    undone_relations_are_as_before(
        dated_store,
        lambda: graph_service.add_relation(dated_store, ids["爱丽丝"], "在", ids["酒馆"]),
    )
    made = told(dated_store)["在酒馆"]
    assert (made.event_ids, made.valid_from, made.is_by_hand) == ((), 39, True)
    assert not told(dated_store)["位于集市"].is_current  # it is a fact as any other
    with pytest.raises(InputError):
        graph_service.add_relation(dated_store, ids["爱丽丝"], "在", ids["爱丽丝"])
    with pytest.raises(NotFound):
        graph_service.add_relation(dated_store, ids["爱丽丝"], "在", "nobody")


def test_one_by_hand_stays_when_an_alias_is_split_off(dated_store):
    ids = dated_store.entities.aliases()
    graph_service.add_relation(dated_store, ids["爱丽丝"], "敬重", ids["旅人"])
    graph_service.set_aliases(dated_store, ids["爱丽丝"], ["小爱"])
    graph_service.split_entity(dated_store, ids["爱丽丝"], "小爱")
    assert told(dated_store)["敬重旅人"].is_by_hand


def test_what_the_user_said_outlives_a_merger(dated_store):
    ids = dated_store.entities.aliases()
    graph_service.add_relation(dated_store, ids["集市"], "通向", ids["旅人"])
    graph_service.add_relation(dated_store, ids["酒馆"], "通向", ids["旅人"])
    held = dated_store.entities.relations_of(ids["酒馆"])
    ended = next(r for r in held if r.predicate == "通向")
    graph_service.end_relation(dated_store, ended.id, 39)
    undone_relations_are_as_before(
        dated_store, lambda: graph_service.merge_entities(dated_store, [ids["酒馆"]], ids["集市"])
    )
    (left,) = (r for r in dated_store.entities.relations_of(ids["集市"]) if r.predicate == "通向")
    assert (left.is_by_hand, left.valid_from, left.valid_to) == (True, 39, 39)
    both = told(dated_store)["位于集市"]
    assert len(both.event_ids) == 2  # she was told to be in either
    assert both.is_current


def test_hidden_entities_are_out_of_the_graph_and_do_not_come_back(dated_store):
    ids = dated_store.entities.aliases()
    graph_service.update_entity(dated_store, ids["旅人"], hidden=True)
    assert "旅人" not in {e.name for e in dated_store.entities.find("", 9)}
    assert set(told(dated_store)) == {"位于酒馆", "位于集市"}
    assert dated_store.entities.neighbourhood(ids["爱丽丝"], 2, 9).entities[0].name == "爱丽丝"
    assert ids["旅人"] not in {
        e.id for e in dated_store.entities.neighbourhood(None, 2, 9).entities
    }
    data = make_extraction("戊", entities=(ExtractedEntity("旅人", "char"),), relations=())
    with dated_store.step(StepLabel(IMPORT, {"count": 1})):
        dated_store.events.add([make_event("戊", 30, 39, raw_data=data)], dated_store.clock())
    report = consolidate(dated_store, NullContext(), HashEmbedder(16), None)
    assert report.entities_added == 0
    assert "旅人" not in {e.name for e in dated_store.entities.find("", 9)}
    assert dated_store.items.faults() == 0
    graph_service.update_entity(dated_store, ids["旅人"], hidden=False)
    assert "旅人" in {e.name for e in dated_store.entities.find("", 9)}
