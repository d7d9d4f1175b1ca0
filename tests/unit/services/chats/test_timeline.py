"""Messages change, and what was derived from them changes in the same step."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import make_event, make_extraction, story_rows, write_chat
from tests.turns import turns_are_true

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    """A chat of 30 messages with an event for each ten."""
    chat_id = memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(30))
    ).chat_id
    store = memory.session.chat(chat_id)
    with store.step(StepLabel(IMPORT, {"count": 3})):
        for start in (0, 10, 20):
            data = make_extraction(f"第{start}楼起的事。")
            event = make_event(data.summary, start, start + 9, raw_data=data, extractor="llm")
            store.events.add([event], 1)
            store.add_block((start, start + 9), f"h{start}", "llm", 1)
        store.settle_cursor("main")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def dump(memory, chat_id):
    rows = memory.session.chat(chat_id).database.rows
    tables = {name: rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED}
    tables["event"] = rows(
        "SELECT pk, start_index, end_index, is_stale, is_deleted, status FROM event ORDER BY 1"
    )
    return tables


def events(memory, chat_id, branch_id=None):
    found = memory.events.find(chat_id, EventQuery(branch_id=branch_id, level=0))
    nodes = memory.events.fetch(chat_id, found)
    return [
        (e.source_range.start_index, e.source_range.end_index, e.is_stale)
        for e in (nodes[pk] for pk in found)
    ]


def test_an_edit_keeps_the_message_and_marks_what_tells_of_it(memory, chat):
    store = memory.session.chat(chat)
    before, ids = dump(memory, chat), [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)]
    changes = memory.messages.edit(Line.main(chat), 12, "银色的门自己开了。")
    assert [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)] == ids
    assert memory.messages.slice(Line.main(chat), 12, 12)[0].text == "银色的门自己开了。"
    assert events(memory, chat) == [(0, 9, False), (10, 19, True), (20, 29, False)]
    assert str(changes.undo_label) == "Edit floor 12"
    assert len(changes.events) == 2  # the event, and the outline that tells of it
    assert turns_are_true(store)
    assert store.items.faults() == 0
    assert [b[:2] for b in store.blocks()] == [(0, 9), (20, 29)]
    assert store.scope_state().last_summarized_floor == 10
    memory.history.undo(chat)
    assert dump(memory, chat) == before


def test_vectors_of_an_edited_turn_and_of_the_next_one_become_invalid(memory, chat):
    store = memory.session.chat(chat)
    model = memory.session.clients.embedder().model_id
    assert store.vectors.pending_count(model) == 0
    memory.messages.edit(Line.main(chat), 12, "银色的门自己开了。")
    assert [i.start_index for i in store.vectors.pending(model, 9)] == [12, 13]


def test_an_edit_to_the_same_text_is_no_step(memory, chat):
    steps = len(memory.history.steps(chat))
    text = memory.messages.slice(Line.main(chat), 3, 3)[0].text
    assert memory.messages.edit(Line.main(chat), 3, text).undo_label is None
    assert len(memory.history.steps(chat)) == steps


def test_the_raw_json_follows_an_edit(memory, tmp_path):
    row = {"name": "爱丽丝", "mes": "甲", "swipes": ["甲", "乙"], "swipe_id": 0, "x": 1}
    file = write_chat(tmp_path / "a.jsonl", [])
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(row), "utf-8")
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.messages.edit(Line.main(chat_id), 0, "丙")
    raw = memory.session.chat(chat_id).database.value("SELECT raw FROM message")
    assert json.loads(raw) == row | {"mes": "丙", "swipes": ["丙", "乙"]}


def test_deleting_moves_what_follows_and_tombstones_what_told_only_of_it(memory, chat):
    store, before = memory.session.chat(chat), dump(memory, chat)
    ids = [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)]
    memory.messages.delete(Line.main(chat), [*range(10, 20), 25])
    assert [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)] == [
        *ids[:10],
        *ids[20:25],
        *ids[26:],
    ]
    assert [m.seq for m in memory.messages.slice(Line.main(chat), 0, 99)] == list(range(19))
    assert events(memory, chat) == [(0, 9, False), (10, 18, True)]
    assert turns_are_true(store)
    assert store.items.faults() == 0
    memory.history.undo(chat)
    assert dump(memory, chat) == before
    memory.history.redo(chat)
    assert events(memory, chat) == [(0, 9, False), (10, 18, True)]


def test_an_entity_goes_with_the_only_event_that_told_of_it(memory, chat):
    store = memory.session.chat(chat)
    data = make_extraction("乌鸦带来一封信。")
    extra = json.loads(json.dumps(data.to_json(), ensure_ascii=False).replace("爱丽丝", "乌鸦"))
    lone = make_event("x", 20, 29, raw_data=type(data).from_json(extra))
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([lone], 1)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    assert "乌鸦" in [e.name for e in memory.graph.find_entities(Line.main(chat))]
    count = store.entities.count()
    memory.messages.delete(Line.main(chat), range(20, 30))
    assert "乌鸦" not in [e.name for e in memory.graph.find_entities(Line.main(chat))]
    assert store.entities.count() == count - 1
    held = store.database.rows("SELECT content FROM memory_item WHERE kind = 'entity'")
    assert held
    assert not any("乌鸦" in content for (content,) in held)
    graph = memory.graph.neighbourhood(Line.main(chat), None)
    assert all(len(r.event_ids) == 2 for r in graph.relations if r.predicate)
    memory.history.undo(chat)
    assert "乌鸦" in [e.name for e in memory.graph.find_entities(Line.main(chat))]


def test_state_and_logs_of_deleted_floors_go_too(memory, chat):
    store = memory.session.chat(chat)
    with store.database.writing() as connection:
        for seq in (5, 12, 25):
            connection.execute(
                "INSERT INTO state_op(branch_id, seq, path, op, value, source)"
                " VALUES ('main', ?, 'a.b', 'add', '1', 'm')",
                (seq,),
            )
        for n, (start, end) in enumerate([(10, 19), (18, 25)]):
            connection.execute(
                "INSERT INTO private_log(id, branch_id, owner, content, start_index, end_index,"
                " timestamp) VALUES (?, 'main', 'alice', 'x', ?, ?, 1)",
                (f"log{n}", start, end),
            )
            connection.execute(
                "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index,"
                " end_index) VALUES ('log', ?, 'main', 'x', 'h', ?, ?)",
                (f"log{n}", start, end),
            )
    memory.messages.delete(Line.main(chat), range(10, 20))
    rows = store.database.rows
    assert rows("SELECT seq FROM state_op ORDER BY 1") == [(5,), (15,)]
    assert rows("SELECT id, start_index, end_index, is_stale FROM private_log WHERE NOT is_deleted"
                ) == [("log1", 10, 15, 1)]  # fmt: skip
    assert rows("SELECT ref, start_index, end_index FROM memory_item WHERE kind = 'log'") == [
        ("log1", 10, 15)
    ]


def test_delete_last_takes_the_memory_of_it(memory, chat):
    memory.messages.delete_last(Line.main(chat), 10)
    assert events(memory, chat) == [(0, 9, False), (10, 19, False)]
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 20
    hits = memory.recall.ask(CTX, chat, RecallQuery("第20楼起的事", top_k=50)).hits
    assert all(h.item.end_index < 20 for h in hits)
    for bad in (21, 0):
        if bad:
            with pytest.raises(NotFound):
                memory.messages.delete_last(Line.main(chat), bad)


def test_hiding_touches_no_memory(memory, chat):
    store = memory.session.chat(chat)
    items = store.database.rows("SELECT * FROM memory_item ORDER BY 1")
    memory.messages.set_hidden(Line.main(chat), [3, 4], hidden=True)
    assert [m.is_hidden for m in memory.messages.slice(Line.main(chat), 2, 5)] == [
        False,
        True,
        True,
        False,
    ]
    assert store.database.rows("SELECT * FROM memory_item ORDER BY 1") == items
    assert events(memory, chat)[0] == (0, 9, False)
    assert memory.messages.set_hidden(Line.main(chat), [3], hidden=True).undo_label is None
    with pytest.raises(NotFound):
        memory.messages.set_hidden(Line.main(chat), [99], hidden=True)
    memory.history.undo(chat)
    assert not memory.messages.slice(Line.main(chat), 3, 3)[0].is_hidden


def test_a_message_can_be_added_and_be_blank(memory, chat):
    memory.messages.append(Line.main(chat), "旅人", "user", "再见。")
    memory.messages.append(Line.main(chat), "爱丽丝", "assistant", " ")
    memory.messages.append(Line.main(chat), "旅人", "user", "真的再见。")
    assert [m.text for m in memory.messages.slice(Line.main(chat), 30, 40)] == [
        "再见。",
        " ",
        "真的再见。",
    ]
    memory.messages.edit(Line.main(chat), 30, "  ")
    memory.messages.edit(Line.main(chat), 31, "等等！")
    assert turns_are_true(memory.session.chat(chat))
    assert memory.session.chat(chat).items.faults() == 0


def test_a_changed_file_changes_only_what_it_changes(memory, chat, tmp_path):
    store, before = memory.session.chat(chat), dump(memory, chat)
    ids = [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)]
    rows = story_rows(30)
    rows[1] = ("旅人", "改过的一句。")
    del rows[15]
    rows.insert(25, ("爱丽丝", "插进来的一句。"))
    file = write_chat(tmp_path / "故事.jsonl", rows)
    preview = memory.imports.preview(CTX, file, on_conflict="replace")
    report = memory.imports.import_file(CTX, file, on_conflict="replace")
    assert report.chat_id == preview.chat_id == chat
    assert (report.added, report.changed, report.removed) == (2, 1, 1)
    assert (preview.new_messages, preview.changed, preview.removed) == (2, 1, 1)
    assert report.skipped == 28
    assert str(report.changes.undo_label) == "Follow the file: 1 changed, 1 removed, 1 added"
    now = [m.id for m in memory.messages.slice(Line.main(chat), 0, 99)]
    assert now[:15] == ids[:15]
    assert [i for i in now if i in ids] == [*ids[:15], *ids[16:]]
    assert [(m.name, m.text) for m in memory.messages.slice(Line.main(chat), 0, 99)] == rows
    assert events(memory, chat) == [(0, 9, True), (10, 18, True), (19, 29, True)]
    assert turns_are_true(store)
    assert store.items.faults() == 0
    memory.history.undo(chat)
    assert dump(memory, chat) == before


def test_a_message_inserted_between_two_events_belongs_to_neither(memory, chat, tmp_path):
    rows = story_rows(30)
    rows.insert(10, ("爱丽丝", "插进来的一句。"))
    memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", rows))
    assert events(memory, chat) == [(0, 9, False), (11, 20, False), (21, 30, False)]
    assert (10, 10, "empty") in memory.events.coverage(Line.main(chat))


def test_hidden_flags_come_over_without_touching_memory(memory, chat, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(30))
    lines = file.read_text("utf-8").split("\n")
    lines[4] = json.dumps(json.loads(lines[4]) | {"is_system": True}, ensure_ascii=False)
    file.write_text("\n".join(lines), "utf-8")
    items = memory.session.chat(chat).database.rows("SELECT * FROM memory_item ORDER BY 1")
    report = memory.imports.import_file(CTX, file)
    assert (report.added, report.changed, report.removed) == (0, 0, 0)
    assert [m.is_hidden for m in memory.messages.slice(Line.main(chat), 2, 4)] == [
        False,
        True,
        False,
    ]
    assert memory.session.chat(chat).database.rows("SELECT * FROM memory_item ORDER BY 1") == items
    assert not any(stale for *_range, stale in events(memory, chat))
    # an older copy of the file shows it again, and takes nothing away
    memory.imports.import_file(CTX, write_chat(file, story_rows(20)))
    assert not memory.messages.slice(Line.main(chat), 3, 3)[0].is_hidden
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 30


def test_exact_follows_a_file_that_only_ends_earlier(memory, chat, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(20))
    assert memory.imports.import_file(CTX, file).removed == 0
    assert memory.imports.preview(CTX, file, exact=True).removed == 10
    assert memory.imports.import_file(CTX, file, exact=True).removed == 10
    assert events(memory, chat) == [(0, 9, False), (10, 19, False)]


def test_a_rejected_swipe_is_never_recalled(memory, chat, tmp_path):
    memory.messages.edit(Line.main(chat), 29, "紫水晶藏在钟楼里。")
    memory.index.embed_pending(CTX, chat)
    query = RecallQuery("紫水晶藏在哪里", top_k=50)
    assert any("紫水晶" in h.item.content for h in memory.recall.ask(CTX, chat, query).hits)
    memory.messages.edit(Line.main(chat), 29, "什么也没有。")
    for embedded in (False, True):
        if embedded:
            memory.index.embed_pending(CTX, chat)
        assert not any("紫水晶" in h.item.content for h in memory.recall.ask(CTX, chat, query).hits)
        assert "紫水晶" not in memory.inject.compose(CTX, chat, query).text


def test_stale_events_are_summarised_again_and_locked_ones_stay(memory, chat):
    pks = list(memory.events.find(chat, EventQuery(level=0)))
    memory.events.set_locked(CTX, chat, [pks[2]], locked=True)
    memory.messages.edit(Line.main(chat), 12, "银色的门自己开了，爱丽丝走进了钟楼。")
    memory.messages.edit(Line.main(chat), 22, "旅人把铜钥匙扔进了河里。")
    assert memory.events.counts(Line.main(chat)).stale == 3  # with the outline of both
    history = len(memory.history.steps(chat))
    report = memory.pipeline.resummarise_stale(CTX, Line.main(chat), "extractive")
    assert report.events_added > 0
    assert str(report.changes.undo_label) == "Summarise 1 stale ranges again"
    nodes = memory.events.fetch(chat, memory.events.find(chat, EventQuery()))
    assert pks[1] not in nodes
    assert nodes[pks[2]].is_stale
    assert not nodes[pks[0]].is_stale
    assert memory.session.chat(chat).items.faults() == 0
    assert len(memory.history.steps(chat)) == history + 1
    memory.history.undo(chat)
    assert memory.events.counts(Line.main(chat)).stale == 3


def test_nothing_stale_is_nothing_to_do(memory, chat):
    report = memory.pipeline.resummarise_stale(CTX, Line.main(chat), "extractive")
    assert (report.events_added, report.floors, report.changes.undo_label) == (0, 0, None)


def test_a_stale_outline_is_taken_apart_by_a_redo(memory, chat):
    store = memory.session.chat(chat)
    found = memory.events.fetch(chat, memory.events.find(chat, EventQuery()))
    parts = sorted(found.values(), key=lambda e: e.source_range)
    outline = make_event("前二十楼的大纲。", 0, 19, level=1, extractor="extractive")
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([outline], 1)
        store.outlines.put_under([parts[0].pk, parts[1].pk], outline.id, 1)
    memory.messages.edit(Line.main(chat), 12, "银色的门自己开了，爱丽丝走进了钟楼。")
    memory.pipeline.resummarise_stale(CTX, Line.main(chat), "extractive")
    left = memory.session.chat(chat).events.visible()
    assert all(e.level == 0 for e in left)
    assert parts[0].id in [e.id for e in left]
    assert memory.events.counts(Line.main(chat)).stale == 0


def test_a_floor_that_is_not_there(memory, chat):
    with pytest.raises(NotFound):
        memory.messages.edit(Line.main(chat), 30, "x")
    with pytest.raises(NotFound):
        memory.messages.delete(Line.main(chat), [-1])
    assert memory.messages.delete(Line.main(chat), []).undo_label is None
    branch, _changes = memory.branches.fork(Line.main(chat), at=5)
    with pytest.raises(InputError, match="Floor 3"):
        memory.messages.set_hidden(Line(chat, branch), [3], hidden=True)
