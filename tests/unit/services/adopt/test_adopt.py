"""Memories other tools left: found, previewed, taken over once, with their provenance."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.jobs.context import NullContext
from tests.tavern import TavernChatFile, make_tavern

CTX = NullContext()


@pytest.fixture
def file(tmp_path):
    made = TavernChatFile(tmp_path / "chats" / "爱丽丝" / "爱丽丝.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在。" for n in range(12)))
    return made


def events(memory, chat_id):
    found = memory.events.fetch(chat_id, memory.events.find(chat_id, EventQuery()))
    return sorted(found.values(), key=lambda e: (e.source_range, e.summary))


def take_over(memory, chat_id, *files):
    return memory.adopt.take_over(
        CTX, Line.main(chat_id), memory.adopt.find(CTX, Line.main(chat_id), files)
    )


def test_notes_in_messages_become_events_once(memory, file):
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。", "remember": True}}
    file.rows[3]["extra"] = {"qvink_memory": {"memory": "不要的。", "exclude": True}}
    file.rows[4]["extra"] = {"qvink_memory": "垃圾", "memory": "前五天的事。"}
    file.rows[8]["extra"] = {"memory": "前九天的事。"}
    file.rows[6]["horae_meta"] = {
        "timestamp": {"story_date": "第6天", "story_time": "夜"},
        "scene": {"location": "月光酒馆", "characters_present": ["爱丽丝", 7]},
        "events": [{"summary": "爱丽丝发现钥匙不见了。"}, "钟停了。", 3],
    }
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    report = take_over(memory, chat_id)
    assert report.found == {"qvink": 1, "Horae": 2, "Summarize": 1}
    assert (report.added, report.skipped) == (4, 0)
    made = events(memory, chat_id)
    assert [(e.summary, e.source_range.start_index, e.source_range.end_index) for e in made] == [
        ("前九天的事。", 0, 8),
        ("钥匙在柜台下。", 2, 2),
        ("爱丽丝发现钥匙不见了。", 6, 6),
        ("钟停了。", 6, 6),
    ]
    assert {(e.extractor, e.confidence) for e in made} == {("imported", "imported")}
    assert [e.level for e in made] == [1, 0, 0, 0]
    assert made[2].structured_kv.location == "月光酒馆"
    assert made[2].structured_kv.time_anchor == "第6天 夜"
    again = take_over(memory, chat_id)
    assert (again.added, again.skipped) == (0, 4)
    memory.history.undo(chat_id)
    assert events(memory, chat_id) == []


def test_what_was_deleted_here_does_not_come_back(memory, file):
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。"}}
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    take_over(memory, chat_id)
    memory.events.delete(CTX, chat_id, [e.pk for e in events(memory, chat_id)])
    assert take_over(memory, chat_id).added == 0


def test_files_of_memorybooks_and_the_extension_are_read(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    worldbook = tmp_path / "book.json"
    entry = {"stmemorybooks": True, "content": "# 酒馆\n钥匙丢了。", "key": ["钥匙"]}
    entries = {"0": entry | {"STMB_start": 1, "STMB_end": 99}, "1": {"content": "设定"}, "2": 5}
    worldbook.write_text(json.dumps({"entries": entries}), "utf-8")
    sync = tmp_path / "Engram_sync_1.json"
    event = {
        "summary": "爱丽丝走了。",
        "source_range": {"start_index": 3, "end_index": 5},
        "structured_kv": {"time_anchor": "第5天", "role": ["爱丽丝"], "location": "门口"},
    }
    sync.write_text(json.dumps({"entities": [], "events": [event, {}, 1], "meta": {}}), "utf-8")
    report = take_over(memory, chat_id, worldbook, sync)
    assert report.found == {"MemoryBooks": 1, "Engram": 1}
    first, second = events(memory, chat_id)
    assert (first.source_range.start_index, first.source_range.end_index) == (1, 11)
    assert first.keywords == ("钥匙",)
    assert second.structured_kv.role == ("爱丽丝",)
    assert (second.raw_data.timestamp, second.raw_data.location) == ("第5天", "门口")


@pytest.mark.parametrize("data", [b"", b"[1]", b"{}", b'{"entries": {"0": 1}}', b'{"entries": 5}'])
def test_a_file_without_memories_is_refused(memory, file, tmp_path, data):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    path = tmp_path / "other.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match="holds no memories"):
        memory.adopt.find(CTX, Line.main(chat_id), [path])
    with pytest.raises(InputError):
        memory.adopt.find(CTX, Line.main(chat_id), [tmp_path / "missing.json"])


def test_a_memory_says_which_tool_and_place_it_comes_from(memory, file, tmp_path):
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。"}}
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    worldbook = tmp_path / "book.json"
    entry = {"stmemorybooks": True, "content": "钥匙丢了。", "STMB_start": 4}
    worldbook.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    take_over(memory, chat_id, worldbook)
    assert [e.origin for e in events(memory, chat_id)] == ["qvink", "MemoryBooks · book.json"]


def test_of_a_state_only_the_newest_is_true(memory, file):
    def reach(floor, liking):
        told = {"stat_data": {"理": {"好感度": [liking, "x"]}, "地点": "酒馆"}}
        file.rows[floor]["variables"] = [told]
        file.save()
        memory.imports.import_file(CTX, file.path)

    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    reach(2, 3)
    reach(4, 5)
    report = take_over(memory, chat_id)
    assert (report.found, report.added) == ({"MVU": 2}, 2)
    assert {e.summary for e in events(memory, chat_id)} == {"理: 好感度 5", "地点 酒馆"}
    assert {(e.kind, e.source_range.end_index) for e in events(memory, chat_id)} == {("fact", 4)}
    assert take_over(memory, chat_id).added == 0
    for floor, liking in ((6, 9), (8, 5)):
        reach(floor, liking)
        report = take_over(memory, chat_id)
        assert (report.added, report.replaced) == (1, 1)
        assert {e.summary for e in events(memory, chat_id)} == {
            f"理: 好感度 {liking}",
            "地点 酒馆",
        }
    memory.history.undo(chat_id)
    assert {e.summary for e in events(memory, chat_id)} == {"理: 好感度 9", "地点 酒馆"}


def test_what_the_user_made_his_own_is_not_replaced(memory, file):
    file.rows[4]["extra"] = {"memory": "前五天的事。"}
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    take_over(memory, chat_id)
    memory.events.set_confirmed(
        CTX, chat_id, [e.pk for e in events(memory, chat_id)], confirmed=True
    )
    file.rows[8]["extra"] = {"memory": "前九天的事。"}
    file.save()
    memory.imports.import_file(CTX, file.path)
    assert take_over(memory, chat_id).replaced == 0
    assert {e.summary for e in events(memory, chat_id)} == {"前五天的事。", "前九天的事。"}


def test_before_the_first_answer_a_state_is_what_worldbooks_say(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    worldbook = tmp_path / "卡的书.json"
    entry = {"uid": 0, "comment": "[InitVar]初始", "content": "理:\n  好感度: 1", "disable": True}
    worldbook.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    memory.imports.import_file(CTX, worldbook)
    assert memory.adopt.find(CTX, Line.main(chat_id)) == []
    memory.worldbooks.set_global(memory.worldbooks.all()[0].id, is_global=True)
    (found,) = memory.adopt.find(CTX, Line.main(chat_id))
    assert (found.text, found.first) == ("理: 好感度 1", 0)


def test_what_a_chats_header_holds_is_found(memory, file):
    file.metadata |= {
        "openvault": {"memories": [{"summary": "他们见了面。", "message_ids": [1, 3]}]},
        "timeline": [{"startMsgId": 0, "endMsgId": 5, "summary": "第一章。"}],
    }
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    report = take_over(memory, chat_id)
    assert report.found == {"OpenVault": 1, "timeline-memory": 1}
    told = [(e.summary, e.source_range.end_index) for e in events(memory, chat_id)]
    assert told == [("第一章。", 5), ("他们见了面。", 3)]


def test_the_memory_written_out_here_is_known_when_it_comes_back(memory, file, tmp_path):
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。"}}
    file.save()
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    take_over(memory, chat_id)
    out = tmp_path / "Engram_sync_1.json"
    memory.care.export(CTX, Line.main(chat_id), out, "engram")
    plan = memory.adopt.plan(Line.main(chat_id), memory.adopt.find(CTX, Line.main(chat_id), [out]))
    assert (plan.new, plan.outdated) == ((), 0)
    report = memory.imports.import_file(CTX, out, into=chat_id)
    assert (report.kind, report.added, report.skipped) == ("memories", 0, 1)


def test_a_file_of_memories_needs_a_chat(memory, file, tmp_path):
    out = tmp_path / "sync.json"
    event = {"summary": "爱丽丝走了。", "source_range": {"start_index": 3, "end_index": 5}}
    out.write_text(json.dumps({"entities": [], "events": [event], "meta": {}}), "utf-8")
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    preview = memory.imports.preview(CTX, out)
    assert (preview.kind, preview.entries, preview.characters) == ("memories", 1, ("Engram",))
    with pytest.raises(InputError, match="no chat"):
        memory.imports.import_file(CTX, out)
    report = memory.imports.import_file(CTX, out, into=memory.chats.name(chat_id))
    assert (report.kind, report.added, report.chat_id) == ("memories", 1, chat_id)


def test_a_chat_of_risus_brings_its_memories_where_it_is_told_to(memory, tmp_path):
    rows = [{"role": "user", "data": f"第{n}句。", "chatId": str(n)} for n in range(6)]
    hypa = {"summaries": [{"text": "他们谈了很久。", "chatMemos": ["1", "4"]}]}
    path = tmp_path / "risu.json"
    value = {"type": "risuChat", "ver": 2, "data": {"message": rows, "hypaV3Data": hypa}}
    path.write_text(json.dumps(value), "utf-8")
    first = memory.imports.import_file(CTX, path)
    assert (first.kind, first.memories) == ("chat", 0)
    assert "1 memories of another tool" in first.warnings[-1].message
    again = memory.imports.import_file(CTX, path, into=first.chat_id)
    assert (again.added, again.memories) == (0, 1)
    (event,) = events(memory, first.chat_id)
    assert (event.source_range.start_index, event.source_range.end_index) == (1, 4)
    assert event.origin == "Risu · risu.json · HypaV3"


def test_what_lies_in_the_folder_of_a_chat_is_found_by_itself(memory, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "故事.jsonl")
    file.metadata["world_info"] = "记忆书"
    file.say(*(f"第{n}天。" for n in range(12)))
    entry = {"uid": 0, "stmemorybooks": True, "STMB_start": 2, "content": "这一场的事。"}
    other = entry | {"uid": 1, "STMB_chatId": "别的故事", "content": "别处的事。"}
    worldbook = {"entries": {"0": entry | {"STMB_chatId": "故事"}, "1": other}}
    (handle / "worlds" / "记忆书.json").write_text(json.dumps(worldbook), "utf-8")
    synced = handle / "user" / "files" / "Engram_sync_故事.json"
    synced.parent.mkdir(parents=True)
    synced.write_text(json.dumps({"events": [{"summary": "同步的事。"}], "meta": {}}), "utf-8")
    found = memory.tavern.list_folder(CTX, handle)
    memory.tavern.take(CTX, found, TavernChoice(found.keys(["chats"])), str, print)
    memory.settings.set("tavern.folder", str(handle))
    (chat,) = memory.chats.all()
    found = memory.adopt.find(CTX, Line.main(chat.chat_id))
    assert {(one.origin, one.text) for one in found} == {
        ("MemoryBooks · 记忆书", "这一场的事。"),
        ("Engram · Engram_sync_故事.json", "同步的事。"),
    }
    synced.write_text("{", "utf-8")
    memory.settings.set("tavern.folder", str(tmp_path / "unplugged"))
    assert len(memory.adopt.find(CTX, Line.main(chat.chat_id))) == 1


def test_a_worldbook_of_memories_goes_into_the_chat_it_is_told_to(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    worldbook = tmp_path / "记忆.json"
    entry = {"stmemorybooks": True, "content": "钥匙丢了。", "STMB_start": 4}
    worldbook.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    report = memory.imports.import_file(CTX, worldbook, into=chat_id)
    assert (report.kind, report.added, memory.worldbooks.all()) == ("memories", 1, [])
    assert (
        memory.imports.import_file(CTX, worldbook).kind == "worldbook"
    )  # without a chat it is a worldbook


def sync_file(path, text, last):
    """What the Engram extension wrote of 爱丽丝 when the chat had ``last`` floors."""
    events = [
        {"summary": f"到第{last}楼的事。", "source_range": {"start_index": 0, "end_index": last}}
    ]
    entities = [{"name": "爱丽丝", "type": "char", "description": text}]
    path.write_text(json.dumps({"entities": entities, "events": events, "meta": {}}), "utf-8")
    return path


def test_an_older_file_takes_no_newer_memory_away_unless_the_user_says_so(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    newer = sync_file(tmp_path / "Engram_sync_1.json", "她丢了铜钥匙。", 10)
    older = sync_file(tmp_path / "Engram_sync_0.json", "她带着铜钥匙。", 4)
    take_over(memory, chat_id, newer)
    line = Line.main(chat_id)
    plan = memory.adopt.plan(line, memory.adopt.find(CTX, line, [older]))
    assert (len(plan.new), plan.outdated, len(plan.older)) == (1, 0, 1)
    report = take_over(memory, chat_id, older)
    assert (report.added, report.replaced, report.older) == (1, 0, 1)
    told = [e.summary for e in events(memory, chat_id)]
    assert told == ["到第4楼的事。", "到第10楼的事。", "爱丽丝: 她丢了铜钥匙。"]
    assert memory.imports.import_file(CTX, older, into=chat_id).changes.events == frozenset()
    found = memory.adopt.find(CTX, line, [older])
    report = memory.adopt.take_over(CTX, line, found, "replace")
    assert (report.added, report.replaced, report.older) == (1, 1, 0)
    assert "爱丽丝: 她带着铜钥匙。" in [e.summary for e in events(memory, chat_id)]
