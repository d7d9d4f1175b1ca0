"""Branches of a chat and its timeline."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import Around
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import import_chat, make_event, make_extraction, story_rows, write_chat
from tests.stored import stored_events, texts_of
from tests.turns import turns_are_true

# A branch sees its parent up to the fork, then its own; nothing it does reaches the parent.

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))


def tell(memory, chat, summary, start, end, branch="main", who="爱丽丝", what="交付"):
    data = make_extraction(
        summary,
        entities=(ExtractedEntity(who, "char"), ExtractedEntity("铜钥匙", "item")),
        relations=(ExtractedRelation(who, what, "铜钥匙"),),
    )
    store = memory.session.chat(chat)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        event = make_event(summary, start, end, raw_data=data, branch_id=branch, extractor="llm")
        store.events.add([event], 1)


def summaries(memory, chat, branch="main"):
    pks = memory.events.find(chat, EventQuery(branch_id=branch))
    nodes = memory.events.fetch(chat, pks)
    return [nodes[pk].summary for pk in pks]


def branch_file(path, rows, main_chat):
    write_chat(path, rows)
    lines = path.read_text("utf-8").split("\n")
    header = json.loads(lines[0]) | {"chat_metadata": {"main_chat": main_chat}}
    path.write_text("\n".join([json.dumps(header, ensure_ascii=False), *lines[1:]]), "utf-8")
    return path


def test_a_fork_sees_its_parent_up_to_the_fork_and_then_its_own(memory, chat):
    tell(memory, chat, "开头的事。", 0, 9)
    tell(memory, chat, "横跨的事。", 8, 14)
    tell(memory, chat, "后来的事。", 15, 29)
    other, changes = memory.branches.fork(Line.main(chat), at=12, name="另一条")
    assert str(changes.undo_label) == "Fork “另一条” at floor 12"
    assert len(memory.messages.slice(Line(chat, other), 0, 99)) == 13
    assert summaries(memory, chat, other) == ["开头的事。"]
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    tell(memory, chat, "岔路上的事。", 13, 13, other)
    assert texts_of(memory, Line(chat, other), 12, 99)[1:] == ["走另一条路。"]
    assert summaries(memory, chat, other) == ["开头的事。", "岔路上的事。"]
    assert summaries(memory, chat) == ["开头的事。", "横跨的事。", "后来的事。"]
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 30
    assert memory.events.counts(Line(chat, other)).total == 2
    assert [e.summary for e in memory.session.chat(chat).events.visible(other)] == summaries(
        memory, chat, other
    )
    found = memory.branches.compare(chat, "main", other)
    assert [len(found.only_first), len(found.only_second), len(found.shared)] == [2, 1, 1]
    listed = memory.branches.all(chat)
    assert [(b.name, b.parent_id, b.fork_seq, b.messages, b.events) for b in listed] == [
        ("main", None, None, 30, 3),
        ("另一条", "main", 12, 14, 2),
    ]
    assert turns_are_true(memory.session.chat(chat), other)


def test_recall_and_injection_keep_to_the_branch(memory, chat):
    tell(memory, chat, "爱丽丝在钟楼丢了紫水晶。", 20, 25)
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "紫水晶在我口袋里。")
    memory.index.embed_pending(CTX, chat)
    here = RecallQuery("紫水晶在哪里", top_k=50, branch_id=other)
    hits = [h.item.content for h in memory.recall.ask(CTX, chat, here).hits]
    assert any("口袋" in c for c in hits)
    assert not any("钟楼" in c for c in hits)
    assert "钟楼" not in memory.inject.compose(CTX, chat, here).text
    there = RecallQuery("紫水晶在哪里", top_k=50)
    assert not any("口袋" in h.item.content for h in memory.recall.ask(CTX, chat, there).hits)
    assert "钟楼" in memory.inject.compose(CTX, chat, there).text


def test_a_branch_knows_entities_and_relations_by_what_it_sees(memory, chat):
    tell(memory, chat, "开头的事。", 0, 9, what="交付")
    tell(memory, chat, "后来的事。", 15, 29, who="乌鸦", what="偷走")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    assert {e.name for e in memory.graph.find_entities(Line.main(chat))} == {
        "爱丽丝",
        "乌鸦",
        "铜钥匙",
    }
    assert {e.name for e in memory.graph.find_entities(Line(chat, other))} == {"爱丽丝", "铜钥匙"}
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    tell(memory, chat, "岔路上的事。", 13, 13, other, who="猫", what="吞下")
    memory.pipeline.consolidate(CTX, Line(chat, other))
    memory.index.embed_pending(CTX, chat)
    view = memory.graph.picture(Line(chat, other), Around())
    assert {r.predicate for r in view.relations if r.predicate} == {"交付", "吞下"}
    assert {
        r.predicate
        for r in memory.graph.picture(Line.main(chat), Around()).relations
        if r.predicate
    } == {"交付", "偷走"}
    for branch, word in ((other, "偷走"), ("main", "吞下")):
        query = RecallQuery("铜钥匙", top_k=50, kinds=("entity",), branch_id=branch)
        hits = memory.recall.ask(CTX, chat, query).hits
        assert hits
        assert not any(word in h.item.content for h in hits)
    key = next(e for e in memory.graph.find_entities(Line.main(chat)) if e.name == "铜钥匙")
    assert [e.summary for e in memory.graph.entity_events(Line(chat, other), key.id)] == [
        "开头的事。",
        "岔路上的事。",
    ]


def test_what_the_parent_learns_later_of_shared_floors_the_branch_learns_too(memory, chat):
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    tell(memory, chat, "开头的事。", 0, 9, what="交付")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    assert all("开头的事。" in told for told in summaries(memory, chat, other))
    memory.index.embed_pending(CTX, chat)
    query = RecallQuery("铜钥匙", top_k=9, kinds=("entity",), branch_id=other)
    assert any("交付" in h.item.content for h in memory.recall.ask(CTX, chat, query).hits)


def test_tidying_a_branch_archives_what_it_shares_too_and_the_parent_is_still_told(memory, chat):
    store = memory.session.chat(chat)
    tell(memory, chat, "开头的事。", 0, 4)
    tell(memory, chat, "第二件事。", 5, 9)
    tell(memory, chat, "岔路之后的事。", 15, 29)
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    tell(memory, chat, "岔路上的事。", 13, 13, other)
    assert memory.pipeline.plan_consolidation(Line(chat, other)).events == 3
    assert memory.pipeline.consolidate(CTX, Line(chat, other)).archived == 3
    assert memory.events.always_visible(Line(chat, other)).waiting == 0
    here = store.events.visible(other)
    assert {(e.level, e.branch_id) for e in here} == {(1, "main"), (1, other)}
    there = store.events.visible()
    assert [(e.level, e.source_range.end_index) for e in there] == [(1, 9), (0, 29)]
    memory.history.undo(chat)
    assert [e.summary for e in store.events.visible(other)] == [
        "开头的事。",
        "第二件事。",
        "岔路上的事。",
    ]


def test_summarising_a_branch_does_not_do_the_shared_floors_again(memory, chat):
    memory.settings.set("summary.interval", 10)
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 9), "extractive")
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    for n in range(8):
        memory.messages.append(Line(chat, other), "旅人", "user", f"岔路上第{n}步，遇见了白猫。")
    plan = memory.pipeline.plan_summary(Line(chat, other), (0, 20), "extractive")
    assert plan.already_done == 10
    assert plan.blocks == ((10, 20),)
    before = memory.events.counts(Line.main(chat)).total
    assert memory.pipeline.summarise(CTX, Line(chat, other), (0, 20), "extractive").floors == 11
    assert memory.events.counts(Line.main(chat)).total == before
    assert memory.events.counts(Line(chat, other)).total > before
    assert memory.events.coverage(Line(chat, other))[-1][1] == 20
    assert memory.pipeline.trim(CTX, Line(chat, other), 1, "extractive").outlines >= 0
    assert memory.events.counts(Line.main(chat)).outlines == 0


def test_a_deletion_before_the_fork_moves_the_branch_with_it(memory, chat):
    store = memory.session.chat(chat)
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    deep, _changes = memory.branches.fork(Line(chat, other), at=13)
    memory.messages.append(Line(chat, deep), "旅人", "user", "再岔一次。")
    tell(memory, chat, "岔路上的事。", 10, 13, other)
    tell(memory, chat, "只讲一楼。", 3, 3)
    memory.messages.delete(Line.main(chat), [3, 12, 20])
    assert [b.fork_seq for b in memory.branches.all(chat)] == [None, 10, 11]
    assert texts_of(memory, Line(chat, deep), 11, 99) == ["走另一条路。", "再岔一次。"]
    nodes = stored_events(memory, chat, branch_id=other)
    assert [(e.source_range.start_index, e.source_range.end_index, e.is_stale)
            for e in nodes.values()] == [(9, 11, True)]  # fmt: skip
    for branch in ("main", other, deep):
        assert turns_are_true(store, branch)
        assert [m.seq for m in memory.messages.slice(Line(chat, branch), 0, 99)] == list(
            range(store.messages.count(branch))
        )
    memory.history.undo(chat)
    assert [b.fork_seq for b in memory.branches.all(chat)] == [None, 12, 13]
    assert turns_are_true(store, deep)


def test_what_happens_behind_the_fork_is_not_the_branchs_business(memory, chat):
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    tell(memory, chat, "岔路上的事。", 10, 13, other)
    memory.messages.delete(Line.main(chat), range(13, 20))
    memory.messages.edit(Line.main(chat), 15, "改了。")
    nodes = stored_events(memory, chat, branch_id=other)
    assert [e.is_stale for e in nodes.values()] == [False]
    assert len(memory.messages.slice(Line(chat, other), 0, 99)) == 14


def test_editing_what_a_branch_shares_leaves_the_parent_as_it_is(memory, chat):
    store = memory.session.chat(chat)
    tell(memory, chat, "开头的事。", 0, 4)
    tell(memory, chat, "第二件事。", 5, 9)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    texts = texts_of(memory, Line.main(chat))
    memory.messages.edit(Line(chat, other), 7, "在岔路上是这样的。")
    assert texts_of(memory, Line.main(chat)) == texts
    assert [e.is_stale for e in stored_events(memory, chat).values()] == [False] * 3  # fmt: skip
    here = texts_of(memory, Line(chat, other))
    assert here == [*texts[:7], "在岔路上是这样的。", *texts[8:13], "走另一条路。"]
    assert summaries(memory, chat, other) == ["开头的事。"]
    assert memory.branches.all(chat)[1].fork_seq == 6
    assert turns_are_true(store, other)
    assert store.items.faults() == 0
    memory.history.undo(chat)
    assert texts_of(memory, Line(chat, other), 0, 12) == texts[:13]
    memory.messages.delete(Line(chat, other), [0])
    assert texts_of(memory, Line(chat, other), 0, 11) == texts[1:13]
    assert summaries(memory, chat, other) == []


def test_branches_are_named_and_deleted(memory, chat):
    with pytest.raises(InputError, match="floor 30"):
        memory.branches.fork(Line.main(chat), at=30)
    one, _changes = memory.branches.fork(Line.main(chat), at=12, name="岔路")
    two, _changes = memory.branches.fork(Line.main(chat), at=5, name="岔路")
    deep, _changes = memory.branches.fork(Line(chat, one), at=4)
    assert [b.parent_id for b in memory.branches.all(chat)] == [None, "main", "main", "main"]
    assert [b.name for b in memory.branches.all(chat)] == ["main", "岔路", "岔路 (2)", "branch 3"]
    assert memory.branches.find(chat, "岔路 (2)") == two
    with pytest.raises(InputError):
        memory.branches.rename(Line(chat, two), "岔路")
    memory.branches.rename(Line(chat, two), "小路")
    assert memory.branches.find(chat, "小路") == two
    memory.messages.append(Line(chat, one), "旅人", "user", "走另一条路。")
    child, _changes = memory.branches.fork(Line(chat, one), at=13)
    for bad in ("main", one):
        with pytest.raises(InputError):
            memory.branches.delete(Line(chat, bad))
    memory.branches.delete(Line(chat, child))
    memory.branches.delete(Line(chat, deep))
    memory.branches.delete(Line(chat, one))
    with pytest.raises(NotFound):
        memory.branches.find(chat, "岔路")
    assert memory.session.chat(chat).items.faults() == 0
    memory.history.undo(chat)
    assert memory.messages.slice(Line(chat, one), 13, 13)[0].text == "走另一条路。"


def test_a_branch_file_joins_its_parent(memory, chat, tmp_path):
    rows = [*story_rows(12), ("旅人", "走另一条路。"), ("爱丽丝", "跟上。")]
    file = branch_file(tmp_path / "故事 - Branch #1.jsonl", rows, "故事")
    preview = memory.imports.preview(CTX, file)
    assert (preview.chat_id, preview.fork_floor, preview.new_messages) == (chat, 11, 2)
    report = memory.imports.import_file(CTX, file)
    assert (report.chat_id, report.fork_floor, report.added, report.skipped) == (chat, 11, 2, 12)
    assert len(memory.chats.all()) == 1
    assert memory.chats.all()[0].branches == 2
    here = memory.messages.slice(Line(chat, report.branch_id), 0, 99)
    assert [(m.name, m.text) for m in here] == rows
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 30
    memory.history.undo(chat)
    assert len(memory.branches.all(chat)) == 1
    memory.history.redo(chat)
    # it goes on, and is edited: it is still that branch
    rows[12] = ("旅人", "还是走那条路。")
    rows.append(("旅人", "到了。"))
    again = memory.imports.import_file(CTX, branch_file(file, rows, "故事"))
    assert (again.branch_id, again.fork_floor) == (report.branch_id, None)
    assert (again.added, again.changed) == (2, 1)
    assert [
        (m.name, m.text) for m in memory.messages.slice(Line(chat, report.branch_id), 0, 99)
    ] == rows
    # and the parent goes on as well
    longer = write_chat(tmp_path / "故事.jsonl", story_rows(33))
    assert memory.imports.import_file(CTX, longer).branch_id == "main"
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 33


def test_a_file_that_diverges_becomes_a_branch_without_being_told(memory, chat, tmp_path):
    rows = [*story_rows(12), ("旅人", "走另一条路。")]
    report = memory.imports.import_file(CTX, write_chat(tmp_path / "别的.jsonl", rows))
    assert (report.chat_id, report.fork_floor) == (chat, 11)
    assert len(memory.chats.all()) == 1


def test_a_fresh_branch_of_a_known_file_is_one_even_without_messages_of_its_own(
    memory, chat, tmp_path
):
    file = branch_file(tmp_path / "b.jsonl", story_rows(12), "故事")
    report = memory.imports.import_file(CTX, file)
    assert (report.chat_id, report.fork_floor, report.added) == (chat, 11, 0)
    assert len(memory.messages.slice(Line(chat, report.branch_id), 0, 99)) == 12
    assert memory.imports.import_file(CTX, file).branch_id == report.branch_id
    assert len(memory.branches.all(chat)) == 2


# Messages are read with as much of their text as is asked for.


def test_heads_are_the_beginnings_of_messages_with_their_length(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    chat = import_chat(memory, tmp_path / "长.jsonl", [("旅人", "字" * 50), ("爱丽丝", "😀" * 3)])
    line = Line.main(chat)
    heads = memory.messages.heads(line, 0, 1, 10)
    assert [(m.seq, m.text, length) for m, length in heads] == [
        (0, "字" * 10, 50),
        (1, "😀😀😀", 3),
    ]
    branch = memory.play.fork(line, 0).line
    assert [length for _m, length in memory.messages.heads(branch, 0, 5, 10)] == [50]
    memory.close()


# Messages change, and what was derived from them changes in the same step.


@pytest.fixture
def told_chat(memory, tmp_path):
    """A chat of 30 messages with an event for each ten."""
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
    store = memory.session.chat(chat_id)
    with store.step(StepLabel(IMPORT, {"count": 3})):
        for start in (0, 10, 20):
            data = make_extraction(f"第{start}楼起的事。")
            event = make_event(data.summary, start, start + 9, raw_data=data, extractor="llm")
            store.events.add([event], 1)
            store.add_block((start, start + 9), f"h{start}", "llm", 1)
        store.update_cursor("main")
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


def events(memory, chat_id, branch_id=MAIN_BRANCH):
    found = memory.events.find(chat_id, EventQuery(branch_id=branch_id, level=0))
    nodes = memory.events.fetch(chat_id, found)
    return [
        (e.source_range.start_index, e.source_range.end_index, e.is_stale)
        for e in (nodes[pk] for pk in found)
    ]


def test_an_edit_keeps_the_message_and_marks_what_tells_of_it(memory, told_chat):
    store = memory.session.chat(told_chat)
    before, ids = (
        dump(memory, told_chat),
        [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)],
    )
    changes = memory.messages.edit(Line.main(told_chat), 12, "银色的门自己开了。")
    assert [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)] == ids
    assert memory.messages.slice(Line.main(told_chat), 12, 12)[0].text == "银色的门自己开了。"
    assert events(memory, told_chat) == [(0, 9, False), (10, 19, True), (20, 29, False)]
    assert str(changes.undo_label) == "Edit floor 12"
    assert len(changes.events) == 2  # the event, and the outline that tells of it
    assert turns_are_true(store)
    assert store.items.faults() == 0
    assert [b[:2] for b in store.blocks()] == [(0, 9), (20, 29)]
    assert store.scope_state().last_summarized_floor == 10
    memory.history.undo(told_chat)
    assert dump(memory, told_chat) == before


def test_vectors_of_an_edited_turn_and_of_the_next_one_become_invalid(memory, told_chat):
    store = memory.session.chat(told_chat)
    model = memory.session.clients.embedder().model_id
    assert store.vectors.pending_count(model) == 0
    memory.messages.edit(Line.main(told_chat), 12, "银色的门自己开了。")
    waiting = store.items.fetch(store.vectors.waiting(model)).values()
    assert [item.start_index for item in waiting] == [12, 13]


def test_an_edit_to_the_same_text_is_no_step(memory, told_chat):
    steps = len(memory.history.steps(told_chat))
    text = memory.messages.slice(Line.main(told_chat), 3, 3)[0].text
    assert memory.messages.edit(Line.main(told_chat), 3, text).undo_label is None
    assert len(memory.history.steps(told_chat)) == steps


def test_the_raw_json_follows_an_edit(memory, tmp_path):
    row = {"name": "爱丽丝", "mes": "甲", "swipes": ["甲", "乙"], "swipe_id": 0, "x": 1}
    file = write_chat(tmp_path / "a.jsonl", [])
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(row), "utf-8")
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.messages.edit(Line.main(chat_id), 0, "丙")
    raw = memory.session.chat(chat_id).database.value("SELECT raw FROM message")
    assert json.loads(raw) == row | {"mes": "丙", "swipes": ["丙", "乙"]}


def test_deleting_moves_what_follows_and_tombstones_what_told_only_of_it(memory, told_chat):
    store, before = memory.session.chat(told_chat), dump(memory, told_chat)
    ids = [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)]
    memory.messages.delete(Line.main(told_chat), [*range(10, 20), 25])
    assert [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)] == [
        *ids[:10],
        *ids[20:25],
        *ids[26:],
    ]
    assert [m.seq for m in memory.messages.slice(Line.main(told_chat), 0, 99)] == list(range(19))
    assert events(memory, told_chat) == [(0, 9, False), (10, 18, True)]
    assert turns_are_true(store)
    assert store.items.faults() == 0
    memory.history.undo(told_chat)
    assert dump(memory, told_chat) == before
    memory.history.redo(told_chat)
    assert events(memory, told_chat) == [(0, 9, False), (10, 18, True)]


def test_an_entity_goes_with_the_only_event_that_told_of_it(memory, told_chat):
    store = memory.session.chat(told_chat)
    data = make_extraction("乌鸦带来一封信。")
    extra = json.loads(json.dumps(data.to_json(), ensure_ascii=False).replace("爱丽丝", "乌鸦"))
    lone = make_event("x", 20, 29, raw_data=type(data).from_json(extra))
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([lone], 1)
    memory.pipeline.consolidate(CTX, Line.main(told_chat))
    assert "乌鸦" in [e.name for e in memory.graph.find_entities(Line.main(told_chat))]
    count = store.entities.count()
    memory.messages.delete(Line.main(told_chat), range(20, 30))
    assert "乌鸦" not in [e.name for e in memory.graph.find_entities(Line.main(told_chat))]
    assert store.entities.count() == count - 1
    held = store.database.rows("SELECT content FROM memory_item WHERE kind = 'entity'")
    assert held
    assert not any("乌鸦" in content for (content,) in held)
    graph = memory.graph.picture(Line.main(told_chat), Around())
    assert all(len(r.event_ids) == 2 for r in graph.relations if r.predicate)
    memory.history.undo(told_chat)
    assert "乌鸦" in [e.name for e in memory.graph.find_entities(Line.main(told_chat))]


def test_state_and_logs_of_deleted_floors_go_too(memory, told_chat):
    store = memory.session.chat(told_chat)
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
    memory.messages.delete(Line.main(told_chat), range(10, 20))
    rows = store.database.rows
    assert rows("SELECT seq FROM state_op ORDER BY 1") == [(5,), (15,)]
    assert rows("SELECT id, start_index, end_index, is_stale FROM private_log WHERE NOT is_deleted"
                ) == [("log1", 10, 15, 1)]  # fmt: skip
    assert rows("SELECT ref, start_index, end_index FROM memory_item WHERE kind = 'log'") == [
        ("log1", 10, 15)
    ]


def test_delete_last_takes_the_memory_of_it(memory, told_chat):
    memory.messages.delete_last(Line.main(told_chat), 10)
    assert events(memory, told_chat) == [(0, 9, False), (10, 19, False)]
    assert len(memory.messages.slice(Line.main(told_chat), 0, 99)) == 20
    hits = memory.recall.ask(CTX, told_chat, RecallQuery("第20楼起的事", top_k=50)).hits
    assert all(h.item.end_index < 20 for h in hits)
    for bad in (21, 0):
        if bad:
            with pytest.raises(NotFound):
                memory.messages.delete_last(Line.main(told_chat), bad)


def test_hiding_touches_no_memory(memory, told_chat):
    store = memory.session.chat(told_chat)
    items = store.database.rows("SELECT * FROM memory_item ORDER BY 1")
    memory.messages.set_hidden(Line.main(told_chat), [3, 4], hidden=True)
    assert [m.is_hidden for m in memory.messages.slice(Line.main(told_chat), 2, 5)] == [
        False,
        True,
        True,
        False,
    ]
    assert store.database.rows("SELECT * FROM memory_item ORDER BY 1") == items
    assert events(memory, told_chat)[0] == (0, 9, False)
    assert memory.messages.set_hidden(Line.main(told_chat), [3], hidden=True).undo_label is None
    with pytest.raises(NotFound):
        memory.messages.set_hidden(Line.main(told_chat), [99], hidden=True)
    memory.history.undo(told_chat)
    assert not memory.messages.slice(Line.main(told_chat), 3, 3)[0].is_hidden


def test_a_message_can_be_added_and_be_blank(memory, told_chat):
    memory.messages.append(Line.main(told_chat), "旅人", "user", "再见。")
    memory.messages.append(Line.main(told_chat), "爱丽丝", "assistant", " ")
    memory.messages.append(Line.main(told_chat), "旅人", "user", "真的再见。")
    assert texts_of(memory, Line.main(told_chat), 30, 40) == ["再见。", " ", "真的再见。"]
    memory.messages.edit(Line.main(told_chat), 30, "  ")
    memory.messages.edit(Line.main(told_chat), 31, "等等！")
    assert turns_are_true(memory.session.chat(told_chat))
    assert memory.session.chat(told_chat).items.faults() == 0


def test_a_changed_file_changes_only_what_it_changes(memory, told_chat, tmp_path):
    store, before = memory.session.chat(told_chat), dump(memory, told_chat)
    ids = [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)]
    rows = story_rows(30)
    rows[1] = ("旅人", "改过的一句。")
    del rows[15]
    rows.insert(25, ("爱丽丝", "插进来的一句。"))
    file = write_chat(tmp_path / "故事.jsonl", rows)
    preview = memory.imports.preview(CTX, file, on_conflict="replace")
    report = memory.imports.import_file(CTX, file, on_conflict="replace")
    assert report.chat_id == preview.chat_id == told_chat
    assert (report.added, report.changed, report.removed) == (2, 1, 1)
    assert (preview.new_messages, preview.changed, preview.removed) == (2, 1, 1)
    assert report.skipped == 28
    assert str(report.changes.undo_label) == "Follow the file: 1 changed, 1 removed, 1 added"
    now = [m.id for m in memory.messages.slice(Line.main(told_chat), 0, 99)]
    assert now[:15] == ids[:15]
    assert [i for i in now if i in ids] == [*ids[:15], *ids[16:]]
    assert [(m.name, m.text) for m in memory.messages.slice(Line.main(told_chat), 0, 99)] == rows
    assert events(memory, told_chat) == [(0, 9, True), (10, 18, True), (19, 29, True)]
    assert turns_are_true(store)
    assert store.items.faults() == 0
    memory.history.undo(told_chat)
    assert dump(memory, told_chat) == before


def test_a_message_inserted_between_two_events_belongs_to_neither(memory, told_chat, tmp_path):
    rows = story_rows(30)
    rows.insert(10, ("爱丽丝", "插进来的一句。"))
    memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", rows))
    assert events(memory, told_chat) == [(0, 9, False), (11, 20, False), (21, 30, False)]
    assert (10, 10, "empty") in memory.events.coverage(Line.main(told_chat))


def test_hidden_flags_come_over_without_touching_memory(memory, told_chat, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(30))
    lines = file.read_text("utf-8").split("\n")
    lines[4] = json.dumps(json.loads(lines[4]) | {"is_system": True}, ensure_ascii=False)
    file.write_text("\n".join(lines), "utf-8")
    items = memory.session.chat(told_chat).database.rows("SELECT * FROM memory_item ORDER BY 1")
    report = memory.imports.import_file(CTX, file)
    assert (report.added, report.changed, report.removed) == (0, 0, 0)
    assert [m.is_hidden for m in memory.messages.slice(Line.main(told_chat), 2, 4)] == [
        False,
        True,
        False,
    ]
    assert (
        memory.session.chat(told_chat).database.rows("SELECT * FROM memory_item ORDER BY 1")
        == items
    )
    assert not any(stale for *_range, stale in events(memory, told_chat))
    # an older copy of the file shows it again, and takes nothing away
    memory.imports.import_file(CTX, write_chat(file, story_rows(20)))
    assert not memory.messages.slice(Line.main(told_chat), 3, 3)[0].is_hidden
    assert len(memory.messages.slice(Line.main(told_chat), 0, 99)) == 30


def test_exact_follows_a_file_that_only_ends_earlier(memory, told_chat, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(20))
    assert memory.imports.import_file(CTX, file).removed == 0
    assert memory.imports.preview(CTX, file, exact=True).removed == 10
    assert memory.imports.import_file(CTX, file, exact=True).removed == 10
    assert events(memory, told_chat) == [(0, 9, False), (10, 19, False)]


def test_a_rejected_swipe_is_never_recalled(memory, told_chat):
    memory.messages.edit(Line.main(told_chat), 29, "紫水晶藏在钟楼里。")
    memory.index.embed_pending(CTX, told_chat)
    query = RecallQuery("紫水晶藏在哪里", top_k=50)
    assert any("紫水晶" in h.item.content for h in memory.recall.ask(CTX, told_chat, query).hits)
    memory.messages.edit(Line.main(told_chat), 29, "什么也没有。")
    for embedded in (False, True):
        if embedded:
            memory.index.embed_pending(CTX, told_chat)
        assert not any(
            "紫水晶" in h.item.content for h in memory.recall.ask(CTX, told_chat, query).hits
        )
        assert "紫水晶" not in memory.inject.compose(CTX, told_chat, query).text


def test_stale_events_are_summarised_again_and_locked_ones_stay(memory, told_chat):
    pks = list(memory.events.find(told_chat, EventQuery(level=0)))
    memory.events.set_locked(CTX, told_chat, [pks[2]], locked=True)
    memory.messages.edit(Line.main(told_chat), 12, "银色的门自己开了，爱丽丝走进了钟楼。")
    memory.messages.edit(Line.main(told_chat), 22, "旅人把铜钥匙扔进了河里。")
    assert memory.events.counts(Line.main(told_chat)).stale == 3  # with the outline of both
    history = len(memory.history.steps(told_chat))
    report = memory.pipeline.resummarise_stale(CTX, Line.main(told_chat), "extractive")
    assert report.events_added > 0
    assert str(report.changes.undo_label) == "Summarise 1 stale range again"
    nodes = stored_events(memory, told_chat)
    assert pks[1] not in nodes
    assert nodes[pks[2]].is_stale
    assert not nodes[pks[0]].is_stale
    assert memory.session.chat(told_chat).items.faults() == 0
    assert len(memory.history.steps(told_chat)) == history + 1
    memory.history.undo(told_chat)
    assert memory.events.counts(Line.main(told_chat)).stale == 3


def test_nothing_stale_is_nothing_to_do(memory, told_chat):
    report = memory.pipeline.resummarise_stale(CTX, Line.main(told_chat), "extractive")
    assert (report.events_added, report.floors, report.changes.undo_label) == (0, 0, None)


def test_a_stale_outline_is_taken_apart_by_a_redo(memory, told_chat):
    store = memory.session.chat(told_chat)
    found = stored_events(memory, told_chat)
    parts = sorted(found.values(), key=lambda e: e.source_range)
    outline = make_event("前二十楼的大纲。", 0, 19, level=1, extractor="extractive")
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([outline], 1)
        store.outlines.put_under([parts[0].pk, parts[1].pk], outline.id, 1)
    memory.messages.edit(Line.main(told_chat), 12, "银色的门自己开了，爱丽丝走进了钟楼。")
    memory.pipeline.resummarise_stale(CTX, Line.main(told_chat), "extractive")
    left = memory.session.chat(told_chat).events.visible()
    assert all(e.level == 0 for e in left)
    assert parts[0].id in [e.id for e in left]
    assert memory.events.counts(Line.main(told_chat)).stale == 0


def test_a_floor_that_is_not_there(memory, told_chat):
    with pytest.raises(NotFound):
        memory.messages.edit(Line.main(told_chat), 30, "x")
    with pytest.raises(NotFound):
        memory.messages.delete(Line.main(told_chat), [-1])
    assert memory.messages.delete(Line.main(told_chat), []).undo_label is None
    branch, _changes = memory.branches.fork(Line.main(told_chat), at=5)
    with pytest.raises(InputError, match="Floor 3"):
        memory.messages.set_hidden(Line(told_chat, branch), [3], hidden=True)
