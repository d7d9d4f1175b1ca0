"""Filtered lists: what SQL finds and counts is what the expression over facets says."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.facets import OUTLINE, YES, EventKey, Facet, Facets
from tests.factories import make_event, make_extraction, make_store

LABEL = StepLabel(IMPORT, {"count": 1})
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


@pytest.fixture
def store(tmp_path):
    made = make_store(tmp_path)
    yield made
    made.close()


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


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_and_counted_is_what_the_expression_says(store, seed):
    draw = random.Random(seed)
    told = fill(store, draw)
    for _ in range(60):
        facets = random_facets(draw)
        text = draw.choice(("", "集市"))
        there = {pk for pk, (e, *_rest) in told.items() if text in e.summary}
        wanted = {pk for pk in there if facets.lets(told[pk][2], told[pk][1])}
        query = EventQuery(text=text, facets=facets)
        assert set(store.events.find(query)) == wanted, facets
        cube = store.events.cube(query)
        assert (cube.total(), cube.every) == (len(wanted), len(there)), facets
        for facet in EVERY:
            if facet.is_named:
                continue
            same = {"status", "level"}
            fields = same if facet.field in same else {facet.field}
            beside = facets.beside(*fields)
            count = sum(
                beside.lets(told[pk][2], told[pk][1]) and told[pk][1].meets(facet) for pk in there
            )
            assert cube.count(facet) == count, (facets, facet)


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
