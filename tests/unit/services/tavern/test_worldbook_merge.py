"""What was changed in a kept worldbook is merged with the memory, entry by entry."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import Conflict
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    return memory.imports.import_file(CTX, file).chat_id


@pytest.fixture
def events(memory, chat):
    return [add(memory, chat, start) for start in (0, 10, 20)]


@pytest.fixture
def kept(memory, chat, events, tmp_path):
    file = tmp_path / "[Engram] 爱丽丝.json"
    memory.kept.keep(CTX, Line.main(chat), file)
    return file


def add(memory, chat, start):
    data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}",))
    return memory.events.add(Line.main(chat), data, SourceRange(start, start + 9))[0]


def change(file, act):
    """Change the file as SillyTavern saves it: with the fields that it adds."""
    worldbook = json.loads(file.read_text("utf-8"))
    for row in worldbook["entries"].values():
        row.setdefault("characterFilter", {"isExclude": False, "names": [], "tags": []})
    act(worldbook["entries"])
    file.write_text(json.dumps(worldbook, ensure_ascii=False, indent=4), "utf-8")


def number(pk):
    return str(2 * pk + 1)


def summaries(memory, chat):
    pks = memory.events.find(chat, EventQuery())
    found = memory.events.fetch(chat, pks)
    return [found[pk].summary for pk in pks]


def test_an_older_copy_that_was_saved_again_is_no_question(memory, chat, events, kept):
    old = kept.read_bytes()
    memory.events.update(chat, events[0], EventPatch(summary="爱丽丝换了锁。"))
    memory.kept.sync(CTX)
    kept.write_bytes(old)
    change(kept, lambda entries: None)
    (report,) = memory.kept.sync(CTX)
    assert report.worldbook.fault == "changed"
    plan = memory.tavern.plan_merge(CTX, kept)
    assert plan.entries == ()
    merged = memory.tavern.merge_worldbook(CTX, plan, {})
    assert (merged.taken, merged.worldbook.fault) == (0, "")
    assert "爱丽丝换了锁。" in kept.read_text("utf-8")


def test_what_was_written_added_and_removed_there_is_taken_and_undone_at_once(
    memory, chat, events, kept
):
    first, second, third = events

    def act(entries):
        row = entries[number(first)]
        row["content"] = row["content"].replace("第0楼起的事。", "门后有一条路。")
        del entries[number(third)]
        entries["900"] = dict(row, uid=900, comment="灯塔", content="灯塔每夜亮着。", key=["灯塔"])

    change(kept, act)
    plan = memory.tavern.plan_merge(CTX, kept)
    told = {e.uid: (e.happened, e.suggested, e.is_both) for e in plan.entries}
    assert told == {
        int(number(first)): ("edited", "there", False),
        int(number(third)): ("removed", "there", False),
        900: ("added", "there", False),
    }
    before = summaries(memory, chat)
    report = memory.tavern.merge_worldbook(CTX, plan, {})
    assert (report.taken, report.left, report.worldbook.fault) == (3, 0, "")
    assert summaries(memory, chat) == ["门后有一条路。", "第10楼起的事。", "灯塔每夜亮着。"]
    edited = memory.events.fetch(chat, [first])[first]
    assert (edited.confidence, edited.raw_data.timestamp) == ("confirmed", "第42天 深夜")
    (synced,) = memory.kept.sync(CTX)
    assert (synced.worldbook.fault, synced.is_written) == ("", False)
    memory.history.undo(chat)
    assert summaries(memory, chat) == before
    assert second in events


def test_where_both_changed_an_entry_either_side_may_be_kept(memory, chat, events, kept):
    def act(entries):
        for pk in events[:2]:
            row = entries[number(pk)]
            row["content"] = row["content"].replace("起的事", "起的大事")

    change(kept, act)
    memory.events.update(chat, events[0], EventPatch(summary="这里改过。"))
    plan = memory.tavern.plan_merge(CTX, kept)
    assert [(e.uid, e.is_both) for e in plan.entries] == [
        (int(number(events[0])), True),
        (int(number(events[1])), False),
    ]
    here, there = plan.entries[0].here, plan.entries[0].there
    assert "这里改过。" in here.content
    assert "起的大事" in there.content
    report = memory.tavern.merge_worldbook(CTX, plan, {plan.entries[0].uid: "here"})
    assert (report.taken, report.left) == (1, 1)
    assert summaries(memory, chat)[:2] == ["这里改过。", "第10楼起的大事。"]


def test_a_file_that_changed_since_it_was_compared_is_not_written(memory, chat, events, kept):
    change(kept, lambda entries: entries.pop(number(events[0])))
    plan = memory.tavern.plan_merge(CTX, kept)
    change(kept, lambda entries: entries.pop(number(events[1])))
    text = kept.read_bytes()
    before = summaries(memory, chat)
    with pytest.raises(Conflict):
        memory.tavern.merge_worldbook(CTX, plan, {})
    assert kept.read_bytes() == text
    assert summaries(memory, chat) == before


def test_a_file_without_marks_shows_every_difference(memory, chat, events, kept):
    worldbook = json.loads(kept.read_text("utf-8"))
    del worldbook["extensions"]
    del worldbook["entries"][number(events[1])]
    kept.write_text(json.dumps(worldbook, ensure_ascii=False), "utf-8")
    plan = memory.tavern.plan_merge(CTX, kept)
    assert [(e.uid, e.happened, e.suggested) for e in plan.entries] == [
        (int(number(events[1])), "removed", "here")
    ]


def test_what_a_memory_cannot_hold_is_named(memory, chat, events, kept):
    change(kept, lambda entries: entries[number(events[0])].update(order=5, disable=True))
    (entry,) = memory.tavern.plan_merge(CTX, kept).entries
    assert set(entry.only_there) == {"order", "is_disabled"}


def test_keys_and_a_lamp_that_were_changed_there_are_taken(memory, chat, events, kept):
    memory.events.set_archived(CTX, chat, [events[0]], archived=True)
    memory.kept.sync(CTX)
    change(kept, lambda entries: entries[number(events[0])].update(key=["剧情摘要", "船"]))
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    assert memory.events.fetch(chat, events)[events[0]].keywords == ("船",)
    change(kept, lambda entries: entries[number(events[0])].update(constant=True))
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    assert not memory.events.fetch(chat, events)[events[0]].is_archived


def test_what_is_known_of_an_entity_is_taken_as_its_profile(memory, chat, kept):
    place = ExtractedEntity("旧灯塔", "loc")
    relation = ExtractedRelation("爱丽丝", "抵达", "旧灯塔")
    data = make_extraction("爱丽丝抵达旧灯塔。", entities=(place,), relations=(relation,))
    pk, _changes = memory.events.add(Line.main(chat), data, SourceRange(30, 39))
    memory.events.set_archived(CTX, chat, [pk], archived=True)
    memory.kept.sync(CTX)

    def act(entries):
        row = next(r for r in entries.values() if r["comment"] == "实体_旧灯塔")
        row["content"] += "\n高度: 三十米"

    change(kept, act)
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    (entity,) = [e for e in memory.graph.find_entities(Line.main(chat)) if e.name == "旧灯塔"]
    assert entity.profile == {"高度": "三十米"}
    (synced,) = memory.kept.sync(CTX)
    assert not synced.worldbook.fault
    assert "高度: 三十米" in kept.read_text("utf-8")
