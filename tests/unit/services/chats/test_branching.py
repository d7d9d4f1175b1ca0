"""A branch sees its parent up to the fork, then its own; nothing it does reaches the parent."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import make_event, make_extraction, story_rows, write_chat
from tests.turns import turns_are_true

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    return memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(30))
    ).chat_id


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
    assert [m.text for m in memory.messages.slice(Line(chat, other), 12, 99)][1:] == [
        "走另一条路。"
    ]
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
    assert {e.name for e in memory.graph.find_entities(Line(chat, other))} == {
        "爱丽丝",
        "铜钥匙",
    }
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    tell(memory, chat, "岔路上的事。", 13, 13, other, who="猫", what="吞下")
    memory.pipeline.consolidate(CTX, Line(chat, other))
    memory.index.embed_pending(CTX, chat)
    view = memory.graph.neighbourhood(Line(chat, other), None)
    assert {r.predicate for r in view.relations if r.predicate} == {"交付", "吞下"}
    assert {
        r.predicate
        for r in memory.graph.neighbourhood(Line.main(chat), None).relations
        if r.predicate
    } == {
        "交付",
        "偷走",
    }
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
    assert [m.text for m in memory.messages.slice(Line(chat, deep), 11, 99)] == [
        "走另一条路。",
        "再岔一次。",
    ]
    nodes = memory.events.fetch(chat, memory.events.find(chat, EventQuery(branch_id=other)))
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
    nodes = memory.events.fetch(chat, memory.events.find(chat, EventQuery(branch_id=other)))
    assert [e.is_stale for e in nodes.values()] == [False]
    assert len(memory.messages.slice(Line(chat, other), 0, 99)) == 14


def test_editing_what_a_branch_shares_leaves_the_parent_as_it_is(memory, chat):
    store = memory.session.chat(chat)
    tell(memory, chat, "开头的事。", 0, 4)
    tell(memory, chat, "第二件事。", 5, 9)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    other, _changes = memory.branches.fork(Line.main(chat), at=12)
    memory.messages.append(Line(chat, other), "旅人", "user", "走另一条路。")
    texts = [m.text for m in memory.messages.slice(Line.main(chat), 0, 99)]
    memory.messages.edit(Line(chat, other), 7, "在岔路上是这样的。")
    assert [m.text for m in memory.messages.slice(Line.main(chat), 0, 99)] == texts
    assert [e.is_stale for e in memory.events.fetch(
        chat, memory.events.find(chat, EventQuery())).values()] == [False] * 3  # fmt: skip
    here = [m.text for m in memory.messages.slice(Line(chat, other), 0, 99)]
    assert here == [*texts[:7], "在岔路上是这样的。", *texts[8:13], "走另一条路。"]
    assert summaries(memory, chat, other) == ["开头的事。"]
    assert memory.branches.all(chat)[1].fork_seq == 6
    assert turns_are_true(store, other)
    assert store.items.faults() == 0
    memory.history.undo(chat)
    assert [m.text for m in memory.messages.slice(Line(chat, other), 0, 12)] == texts[:13]
    memory.messages.delete(Line(chat, other), [0])
    assert [m.text for m in memory.messages.slice(Line(chat, other), 0, 11)] == texts[1:13]
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
