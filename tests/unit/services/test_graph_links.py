"""The graph, linked from events and drawn."""

from __future__ import annotations

import random

import pytest
from typing_extensions import override

from engram_desktop.domain.changes import ARCHIVE, IMPORT, StepLabel
from engram_desktop.domain.graph.entity import CHAR_ENTITY, USER_ENTITY, Around, Relation
from engram_desktop.domain.graph.relations import shortest
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.events import curate
from engram_desktop.services.graph import graph_service, pictures
from engram_desktop.services.graph.link import DEFAULT, Caps, Linker
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.library.library import Library
from tests.contexts import TokenContext
from tests.factories import (
    counting_clock,
    make_chat,
    make_event,
    make_extraction,
    make_message,
    make_store,
)
from tests.graph_facts import tell_facts

# Linking in bulk makes the graph that linking one by one makes; a kill leaves none of it old.

STEP = StepLabel(ARCHIVE, {"count": 1})
# Spellings that are one name and names that are not, the cast by name and by role, nobody at all.
NAMES = (
    "爱丽丝 愛麗絲 旅人 主角 {{user}} {{char}} ＡＬＩＣＥ alice 他 妈妈 凯尔 凱爾 凯·尔"
    " 酒馆 月光酒馆 钥匙 铜钥匙 莉莉丝 莉莉 北门集市"
).split()
PREDICATES = ("认识", "恋人", "敌人", "位于", "住在", "交付")


class KilledAt(NullContext):
    """The program ends right after the given unit of writing."""

    class Killed(BaseException):
        pass

    def __init__(self, unit):
        self._left = unit

    @override
    def write(self, unit):
        done = super().write(unit)
        self._left -= 1
        if not self._left:
            raise self.Killed
        return done


class CancelledAt(TokenContext):
    """The user stops the job at the given report of linking."""

    def __init__(self, report):
        super().__init__()
        self._left = report

    @override
    def report(self, done, total, label=""):
        self._left -= label == "link"
        if not self._left:
            self.token.cancel()
        self.check()


def story(folder, seed, count):
    """A chat of generated events."""
    store = make_store(folder)
    return store, fill(store, seed, count)


def fill(store, seed, count):
    """Add generated events, each told of by floors of its own; returns their keys."""
    chance = random.Random(seed)
    events = []
    for n in range(count):
        named = chance.choices(NAMES, k=3)
        data = make_extraction(
            f"事{n}",
            entities=tuple(
                ExtractedEntity(name, chance.choice(("char", "loc", "item", "unknown")))
                for name in named
            ),
            relations=tuple(
                ExtractedRelation(chance.sample(named, 1)[0], p, chance.choice(NAMES))
                for p in chance.choices(PREDICATES, k=2)
            ),
        )
        events.append(make_event(f"事{n}", n, n, raw_data=data, timestamp=n))
    with store.step(STEP):
        store.messages.append(
            "main", 0, [make_message(f"第{n}句", ("旅人", "爱丽丝")[n % 2]) for n in range(count)]
        )
        return store.events.add(events, 1)


def graph(store):
    """All that linking writes, told by names: ids are made anew each time."""
    rows = store.database.rows
    return {
        "entities": rows("SELECT name, type, is_locked, id IN ('user', 'char') FROM entity"),
        "aliases": rows(
            "SELECT a.norm, a.name, e.name FROM entity_alias a JOIN entity e ON e.id = a.entity_id"
        ),
        "relations": rows(
            "SELECT a.name, r.predicate, b.name FROM relation r"
            " JOIN entity a ON a.id = r.src JOIN entity b ON b.id = r.dst"
        ),
        "mentions": rows(
            "SELECT e.name, s.summary FROM evidence v JOIN entity e ON e.id = v.entity_id"
            " JOIN event s ON s.id = v.event_id"
        ),
        "evidence": rows(
            "SELECT a.name, r.predicate, b.name, s.summary FROM evidence v"
            " JOIN relation r ON r.id = v.relation_id JOIN event s ON s.id = v.event_id"
            " JOIN entity a ON a.id = r.src JOIN entity b ON b.id = r.dst"
        ),
        "items": rows(
            "SELECT content, branch_id, start_index, end_index FROM memory_item"
            " WHERE kind = 'entity'"
        ),
        "due": rows("SELECT entity_id FROM entity_due"),
    }


def sorted_graph(store):
    return {name: sorted(rows) for name, rows in graph(store).items()}


def one_by_one(store, pks, size, caps):
    """Link with nothing kept from one batch to the next."""
    for start in range(0, len(pks), size):
        found = store.events.fetch(pks[start : start + size])
        with store.step(STEP):
            Linker(store, caps).consolidate(list(found.values()))
        store.catch_up()
    with store.database.writing():  # also of those whose relations were ended by others
        store.entities.refresh_items(i for (i,) in store.database.rows("SELECT id FROM entity"))


def in_bulk(store, pks, size, caps):
    linker = Linker(store, caps)
    for start in range(0, len(pks), size):
        found = store.events.fetch(pks[start : start + size])
        with store.step(STEP):
            linker.consolidate(list(found.values()))
    store.catch_up()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 7])
def test_bulk_makes_the_graph_that_one_by_one_makes(tmp_path, seed, size):
    caps = (Caps(), Caps(1, 1), Caps(2, 1))[seed % 3]
    (one, pks), (other, _same) = (story(tmp_path / name, seed, 60) for name in ("one", "other"))
    one_by_one(one, pks, size, caps)
    in_bulk(other, pks, size, caps)
    assert sorted_graph(one) == sorted_graph(other)
    assert sorted_graph(one)["evidence"]
    one.close()
    other.close()


def test_what_a_user_renames_between_two_batches_is_known_to_the_next(tmp_path):
    store, pks = story(tmp_path, 1, 40)
    linker = Linker(store)
    with store.step(STEP):
        linker.consolidate(list(store.events.fetch(pks[:20]).values()))
    gone, kept = store.entities.find("", 2)
    with store.step(STEP):
        store.entity_edits.merge([gone.id], kept.id, 1)
    with store.step(STEP):
        linker.consolidate(list(store.events.fetch(pks[20:]).values()))
    told = "SELECT count(*) FROM evidence v JOIN entity e ON e.id = v.entity_id"
    assert store.database.value(f"{told} WHERE e.merged_into IS NOT NULL") == 0
    store.close()


def settled(store):
    """What items there are, and what they would be if all were written anew."""
    before = sorted_graph(store)["items"]
    ids = [i for (i,) in store.database.rows("SELECT id FROM entity")]
    with store.database.writing():
        store.entities.refresh_items(ids)
    return before, sorted_graph(store)["items"]


def test_a_killed_bulk_catches_up_when_the_chat_is_opened(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    store = make_chat(library, "故事")
    pks = fill(store, 2, 3 * curate.LINKED_AT_ONCE)
    before = sorted_graph(store)
    with pytest.raises(KilledAt.Killed):
        curate.set_archived(store, KilledAt(3), pks, Caps(), archived=True)  # lamps, two of links
    assert graph(store)["due"]
    library.close()
    reader = Library(tmp_path, counting_clock(), program=None)
    assert graph(reader.chat(store.chat_id))["due"]  # who only reads writes nothing
    reader.close()
    library = Library(tmp_path, counting_clock(), program="test")
    again = library.chat(store.chat_id)
    assert not graph(again)["due"]
    held, wanted = settled(again)
    assert held == wanted != []
    again.undo()  # one step with what was caught up
    assert sorted_graph(again) == before
    again.redo()
    assert sorted_graph(again)["items"] == wanted
    library.close()


def test_a_cancelled_bulk_keeps_what_was_linked_with_its_items(tmp_path):
    store, pks = story(tmp_path, 3, 3 * curate.LINKED_AT_ONCE)
    before = sorted_graph(store)
    with pytest.raises(Cancelled):
        curate.set_archived(store, CancelledAt(3), pks, Caps(), archived=True)
    assert store.database.value("SELECT count(DISTINCT event_id) FROM evidence") > 0
    assert not graph(store)["due"]
    held, wanted = settled(store)
    assert held == wanted != []
    store.undo()
    assert sorted_graph(store) == before
    curate.set_archived(store, NullContext(), pks, Caps(), archived=True)
    store.close()


# What is drawn of a graph: as of a floor, with more entities, and the way between two.


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
    tell_facts(
        store,
        ("爱丽丝", "位于", "酒馆"),
        ("爱丽丝", "位于", "集市"),
        ("爱丽丝", "信任", "旅人"),
        kinds={"酒馆": "loc", "集市": "loc", "旅人": "char"},
    )
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


# Whom the names in an answer mean, and how many new ones it may bring.

CTX = NullContext()
SPEAKING = StepLabel(IMPORT, {"count": 1})


@pytest.fixture
def spoken_store(tmp_path):
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
    with store.step(SPEAKING):
        store.events.add([make_event(f"第{at}件事", at, at + 9, raw_data=data, **over)], 1)
    return consolidate(store, CTX, HashEmbedder(16), None, caps=caps)


def who(store):
    return {e.name: e.id for e in store.entities.find("", 100)}


def named(store, name):
    return store.entities.fetch([store.entities.aliases()[name]])[0]


def test_persona_and_character_have_the_same_ids_in_every_chat(spoken_store):
    tell(spoken_store, ["旅人", "爱丽丝", "凯尔"])
    assert who(spoken_store)["旅人"] == USER_ENTITY
    assert who(spoken_store)["爱丽丝"] == CHAR_ENTITY
    assert who(spoken_store)["凯尔"] not in {USER_ENTITY, CHAR_ENTITY}


def test_role_words_and_macros_mean_them(spoken_store):
    tell(
        spoken_store,
        ["{{user}}", "主角", "the user", "{{ CHAR }}", "{{user}}的剑"],
        [("用户", "信任", "{{char}}")],
    )
    assert set(who(spoken_store)) == {"旅人", "爱丽丝", "旅人的剑"}
    (edge,) = spoken_store.entities.relations_among(["user", "char"])
    assert (edge.src, edge.predicate, edge.dst) == (USER_ENTITY, "信任", CHAR_ENTITY)


def test_role_words_mean_nobody_where_nobody_plays(tmp_path):
    store = make_store(tmp_path)
    tell(store, ["{{user}}", "主角", "{{char}}", "我", "妈妈", "他乡客栈"])
    assert set(who(store)) == {"他乡客栈"}
    store.close()


def test_a_renamed_persona_stays_who_it_is(spoken_store):
    tell(spoken_store, ["旅人"])
    speak(spoken_store, "林远", role="user")
    tell(spoken_store, ["林远"], at=10)
    assert who(spoken_store) == {"旅人": USER_ENTITY}
    assert named(spoken_store, "林远").id == USER_ENTITY
    assert named(spoken_store, "旅人").event_count == 2


def test_a_group_has_one_character_of_the_card_and_others(spoken_store):
    speak(spoken_store, "凯尔")
    tell(spoken_store, ["爱丽丝", "凯尔"])
    speak(spoken_store, *["凯尔"] * 9)  # who talks most now changes nothing
    tell(spoken_store, ["爱丽丝", "凯尔", "{{char}}"], at=10)
    assert who(spoken_store)["爱丽丝"] == CHAR_ENTITY
    assert who(spoken_store)["凯尔"] != CHAR_ENTITY


def test_an_entity_from_before_ids_were_fixed_takes_the_fixed_one(tmp_path):
    store = make_store(tmp_path)
    tell(store, ["旅人", "凯尔"], [("旅人", "信任", "凯尔")])
    before = who(store)["旅人"]
    graph_service.update_entity(store, before, profile={"身份": "旅行者"})
    speak(store, "旅人")
    tell(store, ["凯尔"], at=10)
    assert who(store)["旅人"] == USER_ENTITY
    traveller = named(store, "旅人")
    assert (traveller.profile, traveller.degree) == ({"身份": "旅行者"}, 1)
    assert store.items.faults() == 0
    store.undo()
    assert who(store)["旅人"] == before
    store.close()


def test_what_the_user_merged_the_persona_into_stays_it(spoken_store):
    tell(spoken_store, ["旅人", "陆离"])
    graph_service.merge_entities(spoken_store, [USER_ENTITY], who(spoken_store)["陆离"])
    tell(spoken_store, ["旅人", "{{user}}"], at=10)
    assert set(who(spoken_store)) == {"陆离"}


def test_an_alias_of_the_users_comes_first(spoken_store):
    tell(spoken_store, ["王阳"])
    graph_service.set_aliases(spoken_store, who(spoken_store)["王阳"], ["师父", "主角"])
    tell(spoken_store, ["师父", "主角"], at=10)
    assert named(spoken_store, "师父").event_count == 2
    assert USER_ENTITY not in who(spoken_store).values()


def test_the_same_name_in_another_spelling_is_the_same(spoken_store):
    tell(spoken_store, ["林晓", "艾莉·斯通", "Mary Ann"])
    report = tell(spoken_store, ["林曉", "艾莉斯通", "艾莉・斯通", "ＭＡＲＹ ANN"], at=10)
    assert report.entities_added == 0
    assert set(who(spoken_store)) == {"林晓", "艾莉·斯通", "Mary Ann"}
    assert named(spoken_store, "林曉").name == "林晓"


def test_one_character_makes_another_person(spoken_store):
    tell(spoken_store, ["林晚", "林晓", "爱丽丝"])
    assert tell(spoken_store, ["林婉", "林晩", "爱丽思"], at=10).entities_added == 3


def test_a_locked_entity_learns_nothing_by_itself(spoken_store):
    tell(spoken_store, ["林晓"])
    lin = named(spoken_store, "林晓")
    graph_service.update_entity(spoken_store, lin.id, kind="unknown", locked=True)
    tell(spoken_store, ["林曉"], at=10)
    again = named(spoken_store, "林晓")
    assert (again.type, again.aliases) == ("unknown", ())
    assert again.event_count == 2  # it is still she who is told of
    assert "林曉" not in spoken_store.entities.aliases()


def test_a_block_may_add_so_much_and_no_more(spoken_store):
    tell(spoken_store, ["凯尔"])
    crowd = [f"路人{n}号" for n in range(200)]
    caps = Caps(entities=0.5, relations=0.2)
    edges = [("凯尔", "看见", crowd[n]) for n in range(3)] + [("凯尔", "怀疑", crowd[199])]
    report = tell(spoken_store, ["凯尔", *crowd], edges, at=10, caps=caps)
    assert (report.entities_added, report.relations_added) == (5, 2)
    # the most mentioned stay, then the first told
    assert set(who(spoken_store)) == {"凯尔", crowd[0], crowd[1], crowd[2], crowd[199], crowd[3]}
    assert "195" in report.failed[0]
    assert "2 new relations" in report.failed[0]
    again = tell(spoken_store, ["凯尔", *crowd[:3]], edges[:2], at=20, caps=Caps(0.0, 0.0))
    assert (again.entities_added, again.failed) == (0, ())  # what is known is free
    assert named(spoken_store, crowd[0]).event_count == 2


def test_the_defaults_leave_an_honest_answer_whole(spoken_store):
    names = [f"人物{n}" for n in range(20)]
    edges = [(a, "认识", b) for a in names[:6] for b in names[6:11]]
    report = tell(spoken_store, names, edges)
    assert (report.entities_added, report.relations_added, report.failed) == (20, 30, ())


def test_whoever_speaks_is_never_a_thing_whatever_the_first_answer_said(spoken_store):
    speak(spoken_store, "凯尔")
    tell(spoken_store, ["旅人", "爱丽丝", "凯尔", "{{user}}", "铜钥匙"], kind="item")
    kinds = {e.name: e.type for e in spoken_store.entities.find("", 100)}
    assert kinds == {"旅人": "char", "爱丽丝": "char", "凯尔": "char", "铜钥匙": "item"}


def test_a_persona_that_was_taken_for_a_thing_before_is_mended_unless_locked(spoken_store):
    tell(spoken_store, ["旅人", "爱丽丝"])
    user, char = named(spoken_store, "旅人").id, named(spoken_store, "爱丽丝").id
    graph_service.update_entity(spoken_store, user, kind="item")
    graph_service.update_entity(spoken_store, char, kind="item", locked=True)
    tell(spoken_store, ["旅人", "爱丽丝"], at=10, kind="item")
    kinds = {e.name: e.type for e in spoken_store.entities.find("", 100)}
    assert (kinds["旅人"], kinds["爱丽丝"]) == ("char", "item")
