"""Events, facets and relations of a chat."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.memory.facets import OUTLINE, YES, EventKey, Facet, Facets
from engram_desktop.domain.pipeline.outline import cost_of
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, Layout
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.graph.link import Linker
from engram_desktop.storage.chat.events.events import FEW, EventStore
from engram_desktop.storage.chat.recall.columns import Columns
from tests.factories import make_event, make_extraction, make_message, make_store

LABEL = StepLabel(IMPORT, {"count": 1})


def add(store, *events):
    with store.step(LABEL):
        return store.events.add(events, store.clock())


def test_story_order_is_start_then_end_then_time_of_making(store):
    pks = add(
        store,
        make_event("三", 10, 19, timestamp=1),
        make_event("二", 0, 9, timestamp=5),
        make_event("一", 0, 9, timestamp=2),
        make_event("大纲", 0, 19, timestamp=1, level=1),
    )
    assert list(store.events.find(EventQuery())) == [pks[2], pks[1], pks[3], pks[0]]


def test_filters_by_lamp_level_entity_and_flags(store):
    blue, green, outline = add(
        store,
        make_event("蓝"),
        make_event("绿", status="archived", is_archived=True, is_locked=True),
        make_event("纲", level=2, is_stale=True),
    )
    find = lambda **over: list(store.events.find(EventQuery(**over)))  # noqa: E731
    assert find(status="buffer") == [blue]
    assert find(status="archived") == [green]
    assert find(level=1) == [outline]
    assert find(only_stale=True) == [outline]
    assert find(only_locked=True) == [green]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("钥", ["钥匙"]),
        ("匙", ["钥匙"]),
        ("钥匙", ["钥匙"]),
        ("月光酒馆", ["钥匙", "酒馆"]),
        ("Moon", ["english"]),
        ("moonlit tav", ["english"]),
        ("没有这个", []),
        ("%", []),
        ("_", []),
        ("''", ["quote"]),
        ('"', []),
        ("AND", []),
        ("-x", []),
        ("col:x", []),
        ("*", []),
        ("   ", ["钥匙", "酒馆", "english", "quote"]),
        ("钥" * 10_000, []),
    ],
)
def test_search_as_you_type_finds_what_is_there_and_never_raises(store, text, expected):
    texts = {
        "钥匙": ("爱丽丝在月光酒馆交出钥匙", "a"),
        "酒馆": ("月光酒馆打烊了", "b"),
        "english": ("They met in the moonlit tavern", "c"),
        "quote": ("她说", "''"),
    }
    rows = [
        make_event(summary, n, n, display_text=card, raw_data=PlotExtraction(summary))
        for n, (summary, card) in enumerate(texts.values())
    ]
    pks = dict(zip(add(store, *rows), texts, strict=True))
    assert [pks[pk] for pk in store.events.find(EventQuery(text=text))] == expected


def test_every_field_survives_being_stored(store):
    event = make_event(
        "全部",
        3,
        7,
        level=2,
        parent_id="p",
        scope="private",
        owner="爱丽丝",
        condition="affinity > 90",
        order_key=2.5,
        source_hash="h",
        extractor="llm",
        significance_score=0.25,
        is_locked=True,
        is_stale=True,
    )
    (pk,) = add(store, event)
    found = store.events.fetch([pk])[pk]
    assert found == replace(event, pk=pk, updated_at=found.updated_at)


def test_a_deleted_event_leaves_list_search_and_items(store):
    (pk,) = add(store, make_event("铜钥匙"))
    with store.step(LABEL):
        assert store.events.delete([pk], 1) == [pk]
        assert store.events.delete([pk], 1) == []
    assert len(store.events.find(EventQuery())) == 0
    assert len(store.events.find(EventQuery(text="铜钥匙"))) == 0
    assert store.items.count() == 0
    assert store.items.faults() == 0


def test_status_and_lamp_always_agree(store):
    (pk,) = add(store, make_event())
    with store.step(LABEL):
        store.events.set_flag([pk], "is_archived", value=True, now=1)
    event = store.events.fetch([pk])[pk]
    assert (event.status, event.is_archived) == ("archived", True)


def test_doctor_rebuilds_items_that_do_not_correspond(store):
    add(store, make_event("一"), make_event("二"))
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE id = 1")
        connection.execute("UPDATE memory_item SET ref = 'nobody' WHERE id = 2")
    assert store.items.faults() == 3
    with store.database.writing():
        store.items.rebuild_faulty()
    assert store.items.faults() == 0
    assert len(store.events.find(EventQuery(text="一"))) == 1


def test_what_is_always_visible_is_counted_as_if_all_of_it_were_read(store):
    def both():
        visible = store.events.visible()
        waiting = list(store.events.fetch(store.events.buffer()).values())
        found = store.events.always_visible()
        waiting_tokens = sum(estimate_tokens(e.summary) for e in waiting)
        assert (found.tokens, found.waiting, found.waiting_tokens) == (
            cost_of(visible),
            len(waiting),
            waiting_tokens,
        )
        return found

    assert both().tokens == 0
    pks = add(
        store,
        make_event("爱丽丝把铜钥匙交给旅人。", 0, 9),
        make_event("凯尔。", 10, 19, is_locked=True),
        make_event("A long walk to the northern gate.", 20, 29),
        make_event("大纲", 0, 29, level=1, status="archived", is_archived=True),
        make_event("在大纲里", 30, 39, parent_id="outline", status="archived", is_archived=True),
        make_event("下层大纲", 30, 39, level=1, parent_id="x", status="archived", is_archived=True),
    )
    first = both()
    assert (first.waiting, first.tokens > first.waiting_tokens > 0) == (2, True)
    event = store.events.fetch(pks)[pks[0]]
    with store.step(LABEL):
        longer = replace(event, summary=event.summary * 3)
        store.events.replace([longer], store.clock())
    assert both().waiting_tokens > first.waiting_tokens
    with store.step(LABEL):
        store.events.set_flag(pks, "is_archived", value=True, now=store.clock())
    assert both().waiting == 0
    with store.step(LABEL):
        store.events.delete(pks[:1], store.clock())
    both()
    for _ in range(3):
        store.undo()
        both()
    assert both() == first
    for _ in range(3):
        store.redo()
        both()


def test_an_event_is_found_by_whom_it_tells_of_from_the_moment_it_is_there(store):
    (pk,) = add(store, make_event("一", 0, 9, participants=("Ada", "Mira")))
    sql = "SELECT name FROM event_participant JOIN event ON event.id = event_id WHERE pk = ?"
    assert sorted(store.database.rows(sql, (pk,))) == [("Ada",), ("Mira",)]


def test_a_branch_is_told_the_parts_of_an_outline_that_goes_beyond_its_fork(store):
    first, second = make_event("一", 0, 9, status="archived"), make_event("二", 10, 19)
    outline = make_event("大纲", 0, 19, level=1, status="archived", is_archived=True)
    parts = [
        replace(part, parent_id=outline.id, status="archived", is_archived=True)
        for part in (first, second)
    ]
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(20)])
    add(store, *parts, outline)
    with store.step(LABEL):
        store.branches.add("b", "main", 12, "另一条", "")
    assert [e.summary for e in store.events.visible("main")] == ["大纲"]
    assert [e.summary for e in store.events.visible("b")] == ["一"]


# Filtered lists: what SQL finds and counts is what the expression over facets says.

EVERY = (
    Facet("status", "buffer"),
    Facet("status", "archived"),
    Facet("level", OUTLINE),
    Facet("level", "2"),
    Facet("kind", "fact"),
    Facet("confidence", "confirmed"),
    Facet("extractor", "llm"),
    Facet("stale", YES),
    Facet("locked", YES),
    Facet("entity", "爱丽丝"),
    Facet("entity", "凯尔"),
    Facet("keyword", "钥匙"),
    Facet("keyword", "灯"),
)
NAMED = [facet for facet in EVERY if facet.is_named]


def random_event(draw, n):
    is_archived = draw.random() < 0.5
    words = tuple(f.value for f in NAMED if f.field == "keyword" and draw.random() < 0.4)
    summary = f"第{n}件事" + draw.choice(("在酒馆", "在集市"))
    return make_event(
        summary,
        n,
        n,
        raw_data=replace(make_extraction(summary), keywords=words),
        status="archived" if is_archived else "buffer",
        is_archived=is_archived,
        level=draw.choice((0, 0, 0, 1, 2)),
        kind=draw.choice(("event", "fact")),
        confidence=draw.choice(("model", "confirmed")),
        extractor=draw.choice(("llm", "manual")),
        is_stale=draw.random() < 0.3,
        is_locked=draw.random() < 0.3,
    )


def fill(store, draw):
    """Returns what each event has: its key, and the facets that are names."""
    events = [random_event(draw, n) for n in range(60)]
    with store.step(LABEL):
        pks = store.events.add(events, store.clock())
    told = {}
    with store.database.writing() as connection:
        for n, name in enumerate(("爱丽丝", "凯尔")):
            connection.execute(
                "INSERT INTO entity(id, name, type, last_updated_at) VALUES (?, ?, 'char', 1)",
                (f"e{n}", name),
            )
            connection.execute(
                "INSERT INTO entity_alias(norm, entity_id, name) VALUES (?, ?, ?)",
                (name, f"e{n}", name),
            )
        connection.execute("INSERT INTO evidence(entity_id, message_id) VALUES ('e0', 'm')")
        for pk, e in zip(pks, events, strict=True):
            has = [Facet("keyword", word) for word in e.raw_data.keywords]
            for n, name in enumerate(("爱丽丝", "凯尔")):
                if draw.random() < 0.4:
                    connection.execute(
                        "INSERT INTO evidence(entity_id, event_id) VALUES (?, ?)", (f"e{n}", e.id)
                    )
                    has.append(Facet("entity", name))
            key = EventKey(
                e.status, e.level, e.kind, e.confidence, e.extractor, e.is_stale, e.is_locked
            )
            told[pk] = (e, key, tuple(has))
    return told


def random_facets(draw):
    groups = tuple(
        tuple(draw.sample(EVERY, draw.choice((1, 1, 2, 3)))) for _ in range(draw.randrange(3))
    )
    return Facets(groups, tuple(draw.sample(EVERY, draw.choice((0, 0, 1, 2)))))


@pytest.fixture(params=[FEW, 0], ids=["few", "vast"])
def events(store, request):
    """The store's events; read once as if they were very many."""
    return EventStore(store.database, store.branches, request.param)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_and_counted_is_what_the_expression_says(store, events, seed):
    draw = random.Random(seed)
    told = fill(store, draw)
    for _ in range(60):
        facets = random_facets(draw)
        text = draw.choice(("", "集市"))
        until = draw.choice((None, draw.randrange(60)))
        there = {
            pk
            for pk, (e, *_rest) in told.items()
            if text in e.summary and (until is None or e.source_range.end_index <= until)
        }
        wanted = {pk for pk in there if facets.lets(told[pk][2], told[pk][1])}
        query = EventQuery(text=text, facets=facets, until=until)
        found = events.find(query)
        assert list(found) == sorted(wanted), facets  # they were made in the story's order
        assert list(events.find(replace(query, is_reversed=True))) == sorted(wanted)[::-1]
        for order in ("newest", "significance", "summary"):
            assert set(events.find(replace(query, sort=order))) == wanted
        cube = events.cube(query)
        assert (cube.total(), cube.every) == (len(wanted), len(there)), facets
        for facet in EVERY:
            if facet.is_named:
                continue
            same = {"status", "level"}
            fields = same if facet.field in same else {facet.field}
            beside = facets.without_fields(*fields)
            count = sum(
                beside.lets(told[pk][2], told[pk][1]) and told[pk][1].meets(facet) for pk in there
            )
            assert cube.count(facet) == count, (facets, facet)


def test_a_search_of_very_many_follows_edits_undo_and_deletion(store):
    vast = EventStore(store.database, store.branches, few=0)
    find = lambda text: list(vast.find(EventQuery(text=text)))  # noqa: E731
    lamp, key = add(store, make_event("灯"), make_event("古井"))
    assert (find("灯"), find("古井")) == ([lamp], [key])
    (late,) = add(store, make_event("一盏灯"))
    assert find("灯") == [lamp, late]
    with store.step(LABEL):
        store.events.delete([lamp], store.clock())
    assert find("灯") == [late]
    with store.step(LABEL):
        stored = store.events.fetch([key])[key]
        told = replace(stored, summary="灯亮了", raw_data=make_extraction("灯亮了"))
        store.events.replace([told], store.clock())
    assert (find("灯"), find("古井")) == ([key, late], [])
    store.undo()
    store.undo()
    assert (find("灯"), find("古井")) == ([lamp, late], [key])
    with store.database.writing():
        assert find("灯") == [lamp, late]


def test_very_many_events_named_by_key_are_listed_and_counted_as_few_are(store):
    vast = EventStore(store.database, store.branches, few=0)
    keys = add(store, *(make_event(str(n), n, n, is_locked=n % 2 == 0) for n in range(6)))
    with store.step(LABEL):
        store.events.delete([keys[5]], store.clock())
    for named in ([], keys[:1], [*keys[3:], 999]):
        for sort in ("story", "newest", "significance"):
            query = EventQuery(only=json.dumps(named), sort=sort)
            assert vast.find(query) == store.events.find(query)
            assert sorted(vast.find(query)) == sorted(set(named) & set(keys[:5]))
            assert vast.cube(query) == store.events.cube(query)


def test_keywords_follow_edits_undo_and_deletion(store):
    query = EventQuery(facets=Facets(((Facet("keyword", "钥匙"),),)))
    event = make_event("一", raw_data=replace(make_extraction("一"), keywords=("钥匙",)))
    with store.step(LABEL):
        (pk,) = store.events.add([event], store.clock())
    assert list(store.events.find(query)) == [pk]
    stored = store.events.fetch([pk])[pk]
    with store.step(LABEL):
        data = replace(stored.raw_data, keywords=("灯",))
        store.events.replace([replace(stored, raw_data=data)], store.clock())
    assert not store.events.find(query)
    store.undo()
    assert list(store.events.find(query)) == [pk]
    store.undo()
    assert store.database.value("SELECT count(*) FROM event_keyword") == 0
    store.redo()
    assert list(store.events.find(query)) == [pk]


@pytest.mark.parametrize(
    "facets",
    [Facets(), Facets(((EVERY[0],),)), Facets((), (EVERY[1],)), Facets(((EVERY[9], EVERY[4]),))],
)
def test_a_branch_sees_its_own_whatever_is_filtered(store, facets):
    with store.step(LABEL):
        store.branches.add("other", "main", 0, "别处", "")
        store.events.add([make_event("别处", branch_id="other")], store.clock())
    assert not store.events.find(EventQuery(facets=facets))
    cube = store.events.cube(EventQuery(facets=facets))
    assert (cube.total(), cube.every) == (0, 0)


@pytest.mark.parametrize("sort", ["story", "significance", "updated", "summary", "status"])
def test_every_order_can_be_turned_round(store, sort):
    draw = random.Random(1)
    fill(store, draw)
    query = EventQuery(sort=sort)
    keys = list(store.events.find(query))
    assert list(store.events.find(replace(query, is_reversed=True))) == keys[::-1]


def test_a_damaged_row_has_no_keywords_and_stops_nothing(store):
    event = make_event("一", raw_data=replace(make_extraction("一"), keywords=("灯",)))
    with store.step(LABEL):
        (pk,) = store.events.add([event], store.clock())
        store.database.rows("UPDATE event SET raw_data = '{' WHERE pk = ? RETURNING pk", (pk,))
    assert store.database.value("SELECT count(*) FROM event_keyword") == 0


# Relations read with their validity: right through edits, undo, branches and deletion.

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
def dated_store(tmp_path):
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(60)])
    tell(store, 0, ("爱丽丝", "位于", "酒馆"), ("爱丽丝", "陌生人", "旅人"))
    tell(store, 20, ("爱丽丝", "位于", "集市"))
    tell(store, 40, ("爱丽丝", "恋人", "旅人"))
    yield store
    store.close()


def current(store, name="爱丽丝", **where):
    """What holds, by its end in names; the latest told comes first."""
    alias = store.entities.aliases()
    names = {i: n for n, i in alias.items()}
    relations = store.entities.relations.touching([alias[name]], **where)
    return {
        (names[r.src], r.predicate, names[r.dst]): r.floors
        for r in sorted(relations, key=lambda r: r.floors[-1], reverse=True)
        if r.is_current
    }


def test_the_newest_told_holds_and_cites_its_floors(dated_store):
    assert current(dated_store) == {
        ("爱丽丝", "恋人", "旅人"): ((40, 49),),
        ("爱丽丝", "位于", "集市"): ((20, 29),),
    }
    assert list(current(dated_store)) == [("爱丽丝", "恋人", "旅人"), ("爱丽丝", "位于", "集市")]
    assert current(dated_store, at=15) == {
        ("爱丽丝", "位于", "酒馆"): ((0, 9),),
        ("爱丽丝", "陌生人", "旅人"): ((0, 9),),
    }
    assert current(dated_store, "酒馆") == {}  # she is elsewhere, though nothing more is told of it
    assert current(dated_store, "酒馆", at=9) == {("爱丽丝", "位于", "酒馆"): ((0, 9),)}


def test_what_ended_stays_visible_with_what_ended_it(dated_store):
    ids = list(dated_store.entities.aliases().values())
    was, now = (r for r in dated_store.entities.relations_among(ids) if r.predicate == "位于")
    assert (was.valid_from, was.valid_to, was.is_current) == (0, 20, False)
    assert was.superseded_by == now.id
    assert (now.valid_from, now.valid_to, now.is_current) == (20, None, True)


def test_deleting_the_evidence_makes_the_older_fact_true_again(dated_store):
    before = current(dated_store)
    with dated_store.step(STEP):
        dated_store.events.delete([2], dated_store.clock())
    assert ("爱丽丝", "位于", "酒馆") in current(dated_store)
    dated_store.undo()
    assert current(dated_store) == before


def test_what_is_remembered_of_an_entity_holds_now(dated_store):
    (content,) = (
        row[0]
        for row in dated_store.database.rows(
            "SELECT content FROM memory_item WHERE kind = 'entity' AND ref = ?",
            (dated_store.entities.aliases()["爱丽丝"],),
        )
    )
    assert "位于 集市" in content
    assert "位于 酒馆" not in content
    assert "陌生人" not in content


def test_a_branch_has_its_own_present(dated_store):
    with dated_store.step(STEP):
        dated_store.branches.add("b", "main", 29, "另一条", "")
    tell(dated_store, 30, ("爱丽丝", "在", "酒馆"), branch="b")
    assert ("爱丽丝", "位于", "集市") in current(dated_store)
    here = current(dated_store, branch_id="b")
    assert here == {("爱丽丝", "在", "酒馆"): ((30, 39),), ("爱丽丝", "陌生人", "旅人"): ((0, 9),)}


# Which items a branch lets through, from columns alone.

TURN, EVENT, ENTITY = (ITEM_KINDS.index(kind) for kind in ("turn", "event", "entity"))


def columns(*rows):
    """Columns of (kind, branch, last floor)."""
    kinds, branches, ends = zip(*rows, strict=True)
    names = tuple(dict.fromkeys(branches))
    count = len(rows)
    nothing = np.zeros(count, np.bool_)
    layout = Layout(
        np.arange(count),
        np.array(kinds, np.int8),
        np.array(ends),
        np.array(ends),
        np.full(count, -1, np.int32),
        nothing,
        np.zeros(count, np.int64),
        nothing,
    )
    return Columns(layout, np.array([names.index(b) for b in branches], np.int32), nothing, names)


def seen(some, *branches, at=None, kinds=("turn", "event", "entity")):
    return np.flatnonzero(some.visible(ItemFilter(kinds, branches, at))).tolist()


STORY = columns(
    (TURN, "main", 0), (EVENT, "main", 9), (ENTITY, "main", 9), (TURN, "b", 10), (ENTITY, "b", 10)
)


def test_a_branch_sees_its_own_and_what_came_before_the_fork():
    assert seen(STORY, ("main", None)) == [0, 1, 2]
    assert seen(STORY, ("b", None), ("main", 8)) == [0, 3, 4]
    assert seen(STORY, ("b", None), ("main", 9)) == [0, 1, 3, 4]


def test_what_is_known_of_an_entity_is_the_branch_s_own():
    """A branch that has no item yet knows of none, and not of those of whichever came first."""
    assert seen(STORY, ("new", None), ("main", 9)) == [0, 1]
    assert seen(STORY, ("nowhere", None)) == []


def test_floors_and_kinds_are_kept_to():
    assert seen(STORY, ("main", None), at=8) == [0]
    assert seen(STORY, ("main", None), kinds=("event",)) == [1]
