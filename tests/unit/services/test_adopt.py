"""Memories of other tools and our own files, taken over."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.changes import ADD, StepLabel
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.formats.foreign_memories import read_file
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, make_event, make_extraction, model_at, set_all, story_rows
from tests.fake_openai import FakeOpenAI
from tests.stored import stored_events
from tests.tavern import TavernChatFile, make_tavern

# Memories other tools left: found, previewed, taken over once, with their provenance.

CTX = NullContext()


@pytest.fixture
def file(tmp_path):
    made = TavernChatFile(tmp_path / "chats" / "爱丽丝" / "爱丽丝.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在。" for n in range(12)))
    return made


def events(memory, chat_id):
    found = stored_events(memory, chat_id)
    return sorted(found.values(), key=lambda e: (e.source_range, e.summary))


def save_and_import(memory, file):
    file.save()
    return memory.imports.import_file(CTX, file.path).chat_id


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
    chat_id = save_and_import(memory, file)
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
    chat_id = save_and_import(memory, file)
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
    chat_id = save_and_import(memory, file)
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
        assert {e.summary for e in events(memory, chat_id)} == {f"理: 好感度 {liking}", "地点 酒馆"}
    memory.history.undo(chat_id)
    assert {e.summary for e in events(memory, chat_id)} == {"理: 好感度 9", "地点 酒馆"}


def test_what_the_user_made_his_own_is_not_replaced(memory, file):
    file.rows[4]["extra"] = {"memory": "前五天的事。"}
    chat_id = save_and_import(memory, file)
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
    chat_id = save_and_import(memory, file)
    report = take_over(memory, chat_id)
    assert report.found == {"OpenVault": 1, "timeline-memory": 1}
    told = [(e.summary, e.source_range.end_index) for e in events(memory, chat_id)]
    assert told == [("第一章。", 5), ("他们见了面。", 3)]


def test_the_memory_written_out_here_is_known_when_it_comes_back(memory, file, tmp_path):
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "钥匙在柜台下。"}}
    chat_id = save_and_import(memory, file)
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


# What was taken over from other tools stays true while its chat is followed, quietly.


class Story(TavernChatFile):
    """A chat in which MVU keeps variables with every answer."""

    def answer(self, liking, text=None, **places):
        """Speak twice; the answer reaches a state."""
        n = len(self.rows)
        self.say(f"第{n}句。", text or f"第{n + 1}句。")
        self.reach(-1, liking, **places)

    def reach(self, floor, liking, **places):
        self.rows[floor]["variables"] = [{"stat_data": {"理": {"好感": [liking, "x"]}} | places}]
        self.save()

    def swipe_to(self, swipe, liking):
        row = self.rows[-1]
        while len(row["swipes"]) <= swipe:
            row["swipes"].append(f"{row['mes']} {len(row['swipes'])}")
        row |= {"swipe_id": swipe, "mes": row["swipes"][swipe]}
        state = {"stat_data": {"理": {"好感": [liking, "x"]}}}
        held = [*row.get("variables", []), None, None, None][:4]
        held[swipe] = state
        row["variables"] = held
        self.save()

    def remember(self, floor, text):
        self.rows[floor].setdefault("extra", {})["qvink_memory"] = {"memory": text}
        self.save()


@pytest.fixture
def story(tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    made = Story(handle / "chats" / "爱丽丝" / "爱丽丝.jsonl")
    made.say("从前。")
    for liking in (1, 2, 3):
        made.answer(liking)
    return made


@pytest.fixture
def chat(memory, story):
    look(memory, story)
    return memory.chats.all()[0].chat_id


def look(memory, story):
    return list(memory.tavern.catch_up(CTX, story.path.parents[2]))


def take_over_again(memory, chat, *tools):
    found = memory.adopt.find(CTX, Line.main(chat))
    return memory.adopt.take_over(
        CTX, Line.main(chat), [one for one in found if not tools or one.tool in tools]
    )


def rows(memory, chat):
    return stored_events(memory, chat).values()


def told(memory, chat):
    return sorted(event.summary for event in rows(memory, chat))


def answer(memory, story, liking, **places):
    """Let the story go on by a reply, and take in what is new."""
    story.answer(liking, **places)
    look(memory, story)


def test_a_new_state_takes_the_place_of_the_older_in_one_step(memory, story, chat):
    assert take_over_again(memory, chat).added == 1
    steps = len(memory.history.steps(chat))
    answer(memory, story, 4)
    assert told(memory, chat) == ["理: 好感 4"]
    assert len(memory.history.steps(chat)) == steps + 2  # the messages, and what was taken over
    memory.history.undo(chat)
    assert told(memory, chat) == ["理: 好感 3"]
    memory.history.redo(chat)
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 4"]
    assert len(memory.history.steps(chat)) == steps + 2


def test_variables_written_after_the_message_are_taken_as_well(memory, story, chat):
    take_over_again(memory, chat)
    story.say("又一句。", "再一句。")
    look(memory, story)
    assert told(memory, chat) == ["理: 好感 3"]
    story.reach(-1, 7)
    (report,) = look(memory, story)
    assert (report.is_noted, report.happened) == (True, ())
    assert told(memory, chat) == ["理: 好感 7"]


def test_a_single_file_that_is_synced_is_kept_true_too(memory, story, chat):
    take_over_again(memory, chat)
    story.answer(6)
    report = memory.tavern.sync_chat(CTX, story.path)
    assert told(memory, chat) == ["理: 好感 6"]
    assert report.changes.events


def test_swipes_go_there_and_back(memory, story, chat):
    take_over_again(memory, chat)
    answer(memory, story, 5)
    for swipe, liking in ((1, 9), (0, 5), (2, 5), (1, 9), (0, 5)):
        story.swipe_to(swipe, liking)
        look(memory, story)
        assert told(memory, chat) == [f"理: 好感 {liking}"]
        assert not any(event.is_stale for event in rows(memory, chat))


def test_deleted_messages_take_the_state_back_with_them(memory, story, chat):
    take_over_again(memory, chat)
    answer(memory, story, 8)
    story.delete(-1, -2)
    look(memory, story)
    look(memory, story)  # what is missing is believed when it was seen twice
    assert told(memory, chat) == ["理: 好感 3"]
    answer(memory, story, 6)
    assert told(memory, chat) == ["理: 好感 6"]


def test_a_new_place_is_taken_and_one_that_is_gone_goes(memory, story, chat):
    take_over_again(memory, chat)
    answer(memory, story, 4, 世界={"天气": ["雨", "x"]})
    assert told(memory, chat) == ["世界: 天气 雨", "理: 好感 4"]
    answer(memory, story, 4)
    assert told(memory, chat) == ["理: 好感 4"]


def test_what_the_user_made_his_own_stays(memory, story, chat):
    take_over_again(memory, chat)
    (event,) = rows(memory, chat)
    memory.events.update(chat, event.pk, EventPatch(summary="理其实不讨厌他。"))
    answer(memory, story, 4)
    assert told(memory, chat) == sorted(["理其实不讨厌他。", "理: 好感 4"])
    locked = next(e for e in rows(memory, chat) if e.summary == "理: 好感 4")
    memory.events.set_locked(CTX, chat, [locked.pk], locked=True)
    answer(memory, story, 5)
    assert told(memory, chat) == sorted(["理其实不讨厌他。", "理: 好感 4", "理: 好感 5"])


def test_what_the_user_deleted_stays_out_until_it_is_taken_over_again(memory, story, chat):
    answer(memory, story, 3, 世界={"天气": ["雨", "x"]})
    take_over_again(memory, chat)
    weather = next(e for e in rows(memory, chat) if "天气" in e.summary)
    memory.events.delete(CTX, chat, [weather.pk])
    answer(memory, story, 4, 世界={"天气": ["雪", "x"]})
    assert told(memory, chat) == ["理: 好感 4"]
    take_over_again(memory, chat)
    answer(memory, story, 5, 世界={"天气": ["晴", "x"]})
    assert told(memory, chat) == ["世界: 天气 晴", "理: 好感 5"]


def test_a_deletion_that_is_taken_back_is_none(memory, story, chat):
    take_over_again(memory, chat)
    memory.events.delete(CTX, chat, [event.pk for event in rows(memory, chat)])
    memory.history.undo(chat)
    answer(memory, story, 4)
    assert told(memory, chat) == ["理: 好感 4"]


def test_only_tools_that_were_taken_over_here(memory, story, chat):
    story.remember(2, "钥匙在柜台下。")
    look(memory, story)
    assert told(memory, chat) == []
    take_over_again(memory, chat, "qvink")
    answer(memory, story, 4)
    assert told(memory, chat) == ["钥匙在柜台下。"]
    memory.history.undo(chat)  # the messages
    memory.history.undo(chat)  # what was taken over
    story.remember(4, "门是开着的。")
    look(memory, story)
    assert told(memory, chat) == []


def test_notes_beside_messages_are_followed_too(memory, story, chat):
    story.remember(2, "钥匙在柜台下。")
    look(memory, story)
    take_over_again(memory, chat, "qvink")
    story.remember(4, "门是开着的。")
    look(memory, story)
    assert told(memory, chat) == sorted(["钥匙在柜台下。", "门是开着的。"])
    story.remember(2, "钥匙在抽屉里。")
    look(memory, story)
    assert told(memory, chat) == sorted(["钥匙在抽屉里。", "门是开着的。"])
    (event,) = [e for e in rows(memory, chat) if e.source_range.start_index == 4]
    memory.events.update(chat, event.pk, EventPatch(summary="门开着，我看见了。"))
    memory.events.delete(CTX, chat, [e.pk for e in rows(memory, chat) if e.pk != event.pk])
    answer(memory, story, 9)
    assert told(memory, chat) == ["门开着，我看见了。"]


@pytest.fixture
def told_chat(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
    for start in (0, 10):
        memory.events.add(
            Line.main(chat_id),
            make_extraction(f"第{start}楼起的事。"),
            SourceRange(start, start + 9),
        )
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.events.add(Line.main(chat_id), make_extraction("第20楼起的事。"), SourceRange(20, 29))
    return chat_id


def written(memory, chat_id, target):
    count = memory.care.export(CTX, Line.main(chat_id), target, "engram")
    value = json.loads(target.read_text("utf-8"))
    assert count == len(value["events"])
    return value


def test_the_sync_file_has_the_extensions_own_fields(memory, told_chat, tmp_path):
    value = written(memory, told_chat, tmp_path / "Engram_sync_故事.json")
    events = {event["summary"]: event for event in value["events"]}
    held = [(event["level"], event["is_archived"]) for event in events.values()]
    assert sorted(held) == [(0, False), (0, True), (0, True), (1, False)]
    first = events["第0楼起的事。"]
    assert first["source_range"] == {"start_index": 0, "end_index": 9}
    assert first["structured_kv"].keys() >= {"time_anchor", "role", "location", "event"}
    assert not first["is_embedded"]
    assert "embedding" not in first
    names = {entity["name"]: entity for entity in value["entities"]}
    assert {"aliases", "description", "profile", "last_updated_at"} <= names["爱丽丝"].keys()
    assert value["meta"].keys() >= {"last_summarized_floor", "last_extracted_floor", "lastModified"}


def test_what_was_written_can_be_taken_over_again(memory, told_chat, tmp_path):
    target = tmp_path / "Engram_sync_故事.json"
    written(memory, told_chat, target)
    told = {(m.text, m.first, m.last) for m in read_file(target)}
    assert told > {(f"第{start}楼起的事。", start, start + 9) for start in (0, 10, 20)}
    assert {(first, last) for _text, first, last in told} > {(0, 19)}


def test_what_not_everybody_may_know_is_not_written(memory, told_chat, tmp_path):
    store = memory.session.library.chat(told_chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    value = written(memory, told_chat, tmp_path / "out.json")
    assert len(value["events"]) == 4
    assert "第二把钥匙" not in json.dumps(value, ensure_ascii=False)


ANSWER = json.dumps({"events": [{"summary": "爱丽丝与旅人约好在灯塔见面。"}]}, ensure_ascii=False)


def accounts(memory, chat_id, tmp_path):
    """What the sync file and the worldbook say of the chat's accounts."""
    number = len(list(tmp_path.glob("*.json")))
    meta = written(memory, chat_id, tmp_path / f"sync {number}.json")["meta"]
    worldbook = tmp_path / f"book {number}.json"
    memory.care.export(CTX, Line.main(chat_id), worldbook, "worldbook")
    entries = json.loads(worldbook.read_text("utf-8"))["entries"].values()
    (state,) = [e for e in entries if e["comment"] == "Engram System State"]
    told = json.loads(state["content"])
    names = ("token_usage_accumulated", "last_compressed_at")
    assert [meta[name] for name in names] == [told[name] for name in names]
    return [meta[name] for name in names]


def test_tokens_spent_and_the_newest_outline_are_accounted_for(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
    assert accounts(memory, chat_id, tmp_path) == [0, 0]
    with FakeOpenAI(answer=lambda _body: ANSWER) as llm:
        set_all(memory, model_at(llm.url))
        report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    spent, compressed = accounts(memory, chat_id, tmp_path)
    assert spent == report.prompt_tokens + report.completion_tokens > 0
    assert compressed == 0
    memory.settings.set("llm.base_url", "")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    spent_later, outlined = accounts(memory, chat_id, tmp_path)
    assert spent_later == spent
    (outline,) = [e for e in memory.session.chat(chat_id).events.visible() if e.level == 1]
    assert outlined == outline.timestamp > 0
    memory.history.undo(chat_id)
    assert accounts(memory, chat_id, tmp_path) == [spent, 0], "what was paid stays paid"
