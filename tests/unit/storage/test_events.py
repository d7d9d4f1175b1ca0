from __future__ import annotations

from dataclasses import replace

import pytest

from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.pipeline.outline import cost_of
from engram_desktop.domain.text.tokens import estimate_tokens
from tests.factories import make_event, make_message, make_store

LABEL = StepLabel(IMPORT, {"count": 1})


@pytest.fixture
def store(tmp_path):
    made = make_store(tmp_path)
    yield made
    made.close()


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
        visible, waiting = store.events.visible(), store.events.buffer()
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
