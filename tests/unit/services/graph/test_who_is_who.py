"""Whom the names in an answer mean, and how many new ones it may bring."""

from __future__ import annotations

import pytest

from engram_desktop.domain.graph.entity import CHAR_ENTITY, USER_ENTITY
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.graph import entities
from engram_desktop.services.graph.link import DEFAULT, Caps
from engram_desktop.services.pipeline.consolidation import consolidate
from tests.factories import make_event, make_extraction, make_message, make_store

CTX = NullContext()
STEP = StepLabel(IMPORT, {"count": 1})


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    speak(store, "旅人", "爱丽丝", "爱丽丝")
    yield store
    store.close()


def speak(store, *names, **over):
    first = store.messages.count("main")
    said = [make_message(f"第{first + n}句。", name, **over) for n, name in enumerate(names)]
    with store.database.writing():
        store.messages.append("main", first, said)


def tell(store, names, relations=(), at=0, caps=DEFAULT, kind="char", **over):
    data = make_extraction(
        f"第{at}件事",
        entities=tuple(ExtractedEntity(n, kind) for n in names),
        relations=tuple(ExtractedRelation(*r) for r in relations),
    )
    with store.step(STEP):
        store.events.add([make_event(f"第{at}件事", at, at + 9, raw_data=data, **over)], 1)
    return consolidate(store, CTX, HashEmbedder(16), None, caps=caps)


def who(store):
    return {e.name: e.id for e in store.entities.find("", 100)}


def named(store, name):
    return store.entities.fetch([store.entities.aliases()[name]])[0]


def test_persona_and_character_have_the_same_ids_in_every_chat(store):
    tell(store, ["旅人", "爱丽丝", "凯尔"])
    assert who(store)["旅人"] == USER_ENTITY
    assert who(store)["爱丽丝"] == CHAR_ENTITY
    assert who(store)["凯尔"] not in {USER_ENTITY, CHAR_ENTITY}


def test_role_words_and_macros_mean_them(store):
    tell(
        store,
        ["{{user}}", "主角", "the user", "{{ CHAR }}", "{{user}}的剑"],
        [("用户", "信任", "{{char}}")],
    )
    assert set(who(store)) == {"旅人", "爱丽丝", "旅人的剑"}
    (edge,) = store.entities.relations_among(["user", "char"])
    assert (edge.src, edge.predicate, edge.dst) == (USER_ENTITY, "信任", CHAR_ENTITY)


def test_role_words_mean_nobody_where_nobody_plays(tmp_path):
    store = make_store(tmp_path)
    tell(store, ["{{user}}", "主角", "{{char}}", "我", "妈妈", "他乡客栈"])
    assert set(who(store)) == {"他乡客栈"}
    store.close()


def test_a_renamed_persona_stays_who_it_is(store):
    tell(store, ["旅人"])
    speak(store, "林远", role="user")
    tell(store, ["林远"], at=10)
    assert who(store) == {"旅人": USER_ENTITY}
    assert named(store, "林远").id == USER_ENTITY
    assert named(store, "旅人").event_count == 2


def test_a_group_has_one_character_of_the_card_and_others(store):
    speak(store, "凯尔")
    tell(store, ["爱丽丝", "凯尔"])
    speak(store, *["凯尔"] * 9)  # who talks most now changes nothing
    tell(store, ["爱丽丝", "凯尔", "{{char}}"], at=10)
    assert who(store)["爱丽丝"] == CHAR_ENTITY
    assert who(store)["凯尔"] != CHAR_ENTITY


def test_an_entity_from_before_ids_were_fixed_takes_the_fixed_one(tmp_path):
    store = make_store(tmp_path)
    tell(store, ["旅人", "凯尔"], [("旅人", "信任", "凯尔")])
    before = who(store)["旅人"]
    entities.update_entity(store, before, profile={"身份": "旅行者"})
    speak(store, "旅人")
    tell(store, ["凯尔"], at=10)
    assert who(store)["旅人"] == USER_ENTITY
    traveller = named(store, "旅人")
    assert (traveller.profile, traveller.degree) == ({"身份": "旅行者"}, 1)
    assert store.items.faults() == 0
    store.undo()
    assert who(store)["旅人"] == before
    store.close()


def test_what_the_user_merged_the_persona_into_stays_it(store):
    tell(store, ["旅人", "陆离"])
    entities.merge(store, [USER_ENTITY], who(store)["陆离"])
    tell(store, ["旅人", "{{user}}"], at=10)
    assert set(who(store)) == {"陆离"}


def test_an_alias_of_the_users_comes_first(store):
    tell(store, ["王阳"])
    entities.set_aliases(store, who(store)["王阳"], ["师父", "主角"])
    tell(store, ["师父", "主角"], at=10)
    assert named(store, "师父").event_count == 2
    assert USER_ENTITY not in who(store).values()


def test_the_same_name_in_another_spelling_is_the_same(store):
    tell(store, ["林晓", "艾莉·斯通", "Mary Ann"])
    report = tell(store, ["林曉", "艾莉斯通", "艾莉・斯通", "ＭＡＲＹ ANN"], at=10)
    assert report.entities_added == 0
    assert set(who(store)) == {"林晓", "艾莉·斯通", "Mary Ann"}
    assert named(store, "林曉").name == "林晓"


def test_one_character_makes_another_person(store):
    tell(store, ["林晚", "林晓", "爱丽丝"])
    assert tell(store, ["林婉", "林晩", "爱丽思"], at=10).entities_added == 3


def test_a_locked_entity_learns_nothing_by_itself(store):
    tell(store, ["林晓"])
    lin = named(store, "林晓")
    entities.update_entity(store, lin.id, kind="unknown", locked=True)
    tell(store, ["林曉"], at=10)
    again = named(store, "林晓")
    assert (again.type, again.aliases) == ("unknown", ())
    assert again.event_count == 2  # it is still she who is told of
    assert "林曉" not in store.entities.aliases()


def test_a_block_may_add_so_much_and_no_more(store):
    tell(store, ["凯尔"])
    crowd = [f"路人{n}号" for n in range(200)]
    caps = Caps(entities=0.5, relations=0.2)
    edges = [("凯尔", "看见", crowd[n]) for n in range(3)] + [("凯尔", "怀疑", crowd[199])]
    report = tell(store, ["凯尔", *crowd], edges, at=10, caps=caps)
    assert (report.entities_added, report.relations_added) == (5, 2)
    # the most mentioned stay, then the first told
    assert set(who(store)) == {"凯尔", crowd[0], crowd[1], crowd[2], crowd[199], crowd[3]}
    assert "195" in report.failed[0]
    assert "2 new relations" in report.failed[0]
    again = tell(store, ["凯尔", *crowd[:3]], edges[:2], at=20, caps=Caps(0.0, 0.0))
    assert (again.entities_added, again.failed) == (0, ())  # what is known is free
    assert named(store, crowd[0]).event_count == 2


def test_the_defaults_leave_an_honest_answer_whole(store):
    names = [f"人物{n}" for n in range(20)]
    edges = [(a, "认识", b) for a in names[:6] for b in names[6:11]]
    report = tell(store, names, edges)
    assert (report.entities_added, report.relations_added, report.failed) == (20, 30, ())


def test_whoever_speaks_is_never_a_thing_whatever_the_first_answer_said(store):
    speak(store, "凯尔")
    tell(store, ["旅人", "爱丽丝", "凯尔", "{{user}}", "铜钥匙"], kind="item")
    kinds = {e.name: e.type for e in store.entities.find("", 100)}
    assert kinds == {"旅人": "char", "爱丽丝": "char", "凯尔": "char", "铜钥匙": "item"}


def test_a_persona_that_was_taken_for_a_thing_before_is_mended_unless_locked(store):
    tell(store, ["旅人", "爱丽丝"])
    user, char = named(store, "旅人").id, named(store, "爱丽丝").id
    entities.update_entity(store, user, kind="item")
    entities.update_entity(store, char, kind="item", locked=True)
    tell(store, ["旅人", "爱丽丝"], at=10, kind="item")
    kinds = {e.name: e.type for e in store.entities.find("", 100)}
    assert (kinds["旅人"], kinds["爱丽丝"]) == ("char", "item")
