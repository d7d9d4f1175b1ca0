"""Following one chat file: whatever happens to it, the library ends where a fresh import would."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.chat_store import FILE_NAME
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()


@pytest.fixture
def handle(tmp_path):
    return make_tavern(tmp_path / "SillyTavern")


@pytest.fixture
def file(handle):
    made = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 2026-11-21.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆。" for n in range(30)))
    return made


@pytest.fixture
def fresh(open_memory, tmp_path):
    """What a library of its own makes of a file."""
    made: list[Memory] = []

    def read(path):
        memory = open_memory(tmp_path / f"fresh{len(made)}")
        made.append(memory)
        return told(memory, memory.imports.import_file(CTX, path).chat_id)

    return read


def happened(report):
    return [(h.what, h.count, h.floors) for h in report.happened]


def sync(memory, file):
    return memory.tavern.sync_chat(CTX, file.path)


def test_a_new_file_is_a_chat_and_a_second_look_does_nothing(memory, file):
    first = sync(memory, file)
    assert happened(first) == [("imported", 30, (0, 29))]
    again = sync(memory, file)
    assert (again.happened, again.changes.messages) == ((), False)
    assert memory.history.steps(first.chat_id) == []


def test_of_an_appended_file_only_the_end_is_read(memory, file, fresh):
    chat_id = sync(memory, file).chat_id
    file.say("钟敲了十二下。", "我们走吧。")
    report = sync(memory, file)
    assert happened(report) == [("added", 2, (30, 31))]
    assert report.read_from >= 15
    assert told(memory, chat_id) == fresh(file.path)


def test_the_newest_header_is_kept_beside_the_line(memory, file, tmp_path):
    chat_id = sync(memory, file).chat_id
    file.metadata["variables"] = {"好感": 3}
    file.say("钟敲了十二下。")
    sync(memory, file)
    path = tmp_path / "资料库" / "chats" / chat_id / FILE_NAME
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT raw FROM file_header").fetchall()
    assert [json.loads(raw)["chat_metadata"]["variables"] for (raw,) in rows] == [{"好感": 3}]
    assert len(memory.history.steps(chat_id)) == 1, "the header is no step of its own"


def test_an_edit_far_back_reads_all_and_changes_one(memory, file, fresh):
    chat_id = sync(memory, file).chat_id
    before = memory.messages.slice(Line.main(chat_id), 0, 99)
    file.edit(3, "第三天我丢了铜钥匙。")
    report = sync(memory, file)
    assert (report.read_from, happened(report)) == (0, [("edited", 1, (3, 3))])
    after = memory.messages.slice(Line.main(chat_id), 0, 99)
    assert [m.id for m in after] == [m.id for m in before]
    assert told(memory, chat_id) == fresh(file.path)


def test_a_swipe_is_told_from_an_edit(memory, file):
    sync(memory, file)
    file.swipe("另一个结局。", 28)
    assert happened(sync(memory, file)) == [("swiped", 1, (28, 28))]
    file.edit(28, "另一个结局，改过。")
    assert happened(sync(memory, file)) == [("edited", 1, (28, 28))]


def test_hidden_messages_are_hidden_and_shown(memory, file, fresh):
    chat_id = sync(memory, file).chat_id
    file.hide(0, 1, 2)
    assert happened(sync(memory, file)) == [("hidden", 3, (0, 2))]
    assert told(memory, chat_id) == fresh(file.path)
    file.hide(1, hidden=False)
    assert happened(sync(memory, file)) == [("shown", 1, (1, 1))]


def test_deleted_messages_go_and_take_their_memories_along(memory, file, fresh):
    chat_id = sync(memory, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (20, 29), "extractive")
    assert memory.events.counts(Line.main(chat_id)).total
    file.delete(*range(20, 30))
    assert happened(sync(memory, file)) == [("deleted", 10, (20, 29))]
    assert memory.events.find(chat_id, EventQuery()).tolist() == []
    assert told(memory, chat_id) == fresh(file.path)
    memory.history.undo(chat_id)
    assert len(told(memory, chat_id)) == 30
    assert memory.events.counts(Line.main(chat_id)).total


def test_a_half_written_file_waits_and_takes_nothing_away(memory, file):
    chat_id = sync(memory, file).chat_id
    whole = file.data()
    for cut in (len(whole) - 20, len(whole) // 2, 40):
        file.path.write_bytes(whole[:cut])
        report = sync(memory, file)
        assert (report.is_waiting, report.happened) == (True, ())
        assert len(told(memory, chat_id)) == 30
    file.path.write_bytes(b"")
    assert sync(memory, file).happened == ()
    assert len(told(memory, chat_id)) == 30


def test_what_is_whole_before_a_half_line_is_read(memory, file):
    chat_id = sync(memory, file).chat_id
    file.say("新的一句。", "还没写完的一句。")
    file.path.write_bytes(file.data()[:-9])
    report = sync(memory, file)
    assert (report.is_waiting, happened(report)) == (True, [("added", 1, (30, 30))])
    file.save()
    assert happened(sync(memory, file)) == [("added", 1, (31, 31))]
    assert len(told(memory, chat_id)) == 32


def test_a_vanished_file_deletes_nothing(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle)
    assert list(follower.look(CTX)) == []
    file.path.unlink()
    (report,) = follower.look(CTX)
    assert happened(report) == [("vanished", 0, None)]
    assert len(told(memory, chat_id)) == 30
    assert list(follower.look(CTX)) == []


def test_a_renamed_file_stays_the_same_chat(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    file.rename("月光酒馆的冬天")
    (report,) = follower.look(CTX)
    assert [h.what for h in report.happened] == ["renamed"]
    file.say("改了名字，故事还在。")
    (report,) = follower.look(CTX)
    assert (report.chat_id, happened(report)) == (chat_id, [("added", 1, (30, 30))])
    assert len(memory.chats.all()) == 1


def test_a_character_that_is_renamed_takes_its_chats_along(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle, "followed")
    list(follower.look(CTX))
    folder = file.path.parent.rename(file.path.parent.with_name("艾丽丝"))
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["renamed"]
    file.path = folder / file.path.name
    file.say("换了名字的人还在说。")
    (report,) = follower.look(CTX)
    assert (report.chat_id, happened(report)) == (chat_id, [("added", 1, (30, 30))])


def test_while_a_rename_copies_there_is_no_second_chat(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle)
    old = file.path
    file.path = old.with_name("新名字.jsonl")
    file.save()
    assert list(follower.look(CTX)) == []
    old.unlink()
    (report,) = follower.look(CTX)
    assert (report.chat_id, [h.what for h in report.happened]) == (chat_id, ["renamed"])
    assert [c.branches for c in memory.chats.all()] == [1]


def test_a_branch_hangs_on_its_parent_and_each_goes_its_way(memory, file, handle, fresh):
    chat_id = sync(memory, file).chat_id
    child = file.branch(9, f"{file.path.stem} - Branch #1")
    whole = file.branch(29, f"{file.path.stem} - Checkpoint #1")
    follower = memory.tavern.following(handle)
    reports = list(follower.look(CTX))
    assert {h.what for r in reports for h in r.happened} == {"branch"}
    child.say("我留下。", "那我也留下。")
    whole.say("我离开。")
    file.say("什么也没发生。")
    list(follower.look(CTX))
    assert [c.branches for c in memory.chats.all()] == [3]
    rows = {row.path: row for row in memory.tavern.followed()}
    assert {row.chat_id for row in rows.values()} == {chat_id}
    for made in (file, child, whole):
        (row,) = (r for p, r in rows.items() if p.endswith(made.path.name))
        assert told(memory, chat_id, row.branch_id) == fresh(made.path)


def test_a_renamed_branch_stays_the_same_branch(memory, file, handle):
    sync(memory, file)
    child = file.branch(9, f"{file.path.stem} - Branch #1")
    child.say("我留下。")
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    child.rename("留下的那条线")
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["renamed"]
    assert [c.branches for c in memory.chats.all()] == [2]


def test_another_story_under_an_old_name_is_another_chat(memory, file):
    chat_id = sync(memory, file).chat_id
    file.rows = []
    file.say(*(f"全新的故事，第{n}页。" for n in range(12)))
    report = sync(memory, file)
    assert report.chat_id != chat_id
    assert len(told(memory, chat_id)) == 30


def test_every_new_chat_of_a_group_begins_alike_and_is_its_own(memory, handle):
    one = TavernChatFile(handle / "group chats" / "1.jsonl")
    two = TavernChatFile(handle / "group chats" / "2.jsonl")
    for file in (one, two):
        for name in ("爱丽丝", "白兔", "红心皇后", "疯帽匠"):
            file.rows.append({"name": name, "is_user": False, "mes": f"我是{name}。"})
        file.save()
    assert sync(memory, one).chat_id != sync(memory, two).chat_id
    two.rows.append({"name": "旅人", "is_user": True, "mes": "你们好。"})
    two.save()
    assert happened(sync(memory, two)) == [("added", 1, (4, 4))]


def test_a_chat_deleted_here_does_not_come_back_by_itself(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    memory.chats.delete(chat_id)
    file.say("还有人在吗？")
    assert list(follower.look(CTX)) == []
    assert memory.chats.all() == []
    assert sync(memory, file).added == 31  # the user asked for it again


def test_a_file_let_be_is_not_read_until_it_is_followed_again(memory, file):
    chat_id = sync(memory, file).chat_id
    memory.tavern.let_be(file.path)
    file.say("没有人在听。")
    assert list(memory.tavern.following(file.path.parents[2]).look(CTX)) == []
    assert len(told(memory, chat_id)) == 30
    assert happened(sync(memory, file)) == [("added", 1, (30, 30))]


def test_only_chats_that_are_followed_get_their_branches(memory, file, handle):
    other = TavernChatFile(handle / "chats" / "白兔" / "白兔 - 1.jsonl", "白兔")
    other.say(*(f"要迟到了，第{n}次。" for n in range(12)))
    sync(memory, file)
    file.branch(9, "分支")
    follower = memory.tavern.following(handle, "followed")
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["branch"]
    assert len(memory.chats.all()) == 1
    assert not [args for args in opened if "白兔" in str(args[0])]  # a thousand chats stay closed


def test_an_older_copy_takes_nothing_away_from_an_imported_chat(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    old = TavernChatFile(tmp_path / "旧备份.jsonl")
    old.rows = file.rows[:12]
    old.save()
    list(memory.tavern.following(file.path.parents[2]).look(CTX))
    follower = memory.tavern.following(make_tavern(tmp_path / "Old"))
    old.path = follower.folder / "chats" / "旧备份" / "旧备份.jsonl"
    old.path.parent.mkdir()
    old.save()
    assert list(follower.look(CTX)) == []
    assert happened(sync(memory, old)) == [("branch", 0, None)]  # chosen by the user, it is one
    assert len(told(memory, chat_id)) == 30


def test_a_damaged_line_is_named_once(memory, file, handle):
    sync(memory, file)
    file.path.write_bytes(file.data().replace('"第5天'.encode(), "第5天".encode()))
    follower = memory.tavern.following(handle)
    looks = [list(follower.look(CTX)) for _ in range(2)]
    reports = looks[-1]  # what is missing is believed at the second look
    assert [w.line for w in reports[-1].warnings] == [7]
    file.path.write_bytes(file.path.read_bytes() + b"\n" + file.data().split(b"\n")[-1])
    assert [r.warnings for r in follower.look(CTX)] == [()]


def test_what_disappears_from_a_file_is_believed_at_the_second_look(memory, file, handle):
    chat_id = sync(memory, file).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    lines = file.data().split(b"\n")
    file.path.write_bytes(b"\n".join(lines[:10]))  # cut at the end of a line: it looks whole
    assert list(follower.look(CTX)) == []
    assert follower.is_waiting
    file.save()
    assert list(follower.look(CTX)) == []
    assert len(told(memory, chat_id)) == 30
    file.delete(29)
    assert list(follower.look(CTX)) == []
    (report,) = follower.look(CTX)
    assert happened(report) == [("deleted", 1, (29, 29))]
    assert not follower.is_waiting


def test_the_newest_messages_are_as_the_file_tells_them(memory, file):
    chat_id = sync(memory, file).chat_id
    memory.messages.edit(Line.main(chat_id), 29, "我自己改的。")
    file.say("新的一句。")
    sync(memory, file)
    assert (
        memory.messages.slice(Line.main(chat_id), 29, 29)[0].text == file.rows[29]["mes"]
    )  # the file says it
    assert memory.messages.slice(Line.main(chat_id), 30, 30)[0].text == "新的一句。"


def test_what_tools_write_beside_old_messages_is_noticed_and_changes_nothing_else(memory, file):
    (report,) = memory.tavern.catch_up(CTX, file.path.parents[2])
    floors = len(file.rows)
    file.note(0, memory="从前的事。")
    file.note(floors - 1, memory="到现在的事。")
    (noted,) = memory.tavern.catch_up(CTX, file.path.parents[2])
    assert (noted.is_noted, noted.happened, noted.changes.messages) == (True, (), False)
    raws = [m.raw for m in memory.session.chat(report.chat_id).messages.as_parsed("main", 0, 999)]
    assert "从前的事。" in raws[0]
    assert "到现在的事。" in raws[-1]
    assert memory.history.steps(report.chat_id) == []
    file.edit(0, "换了一句。")
    list(memory.tavern.catch_up(CTX, file.path.parents[2]))
    memory.history.undo(report.chat_id)
    raws = [m.raw for m in memory.session.chat(report.chat_id).messages.as_parsed("main", 0, 0)]
    assert "换了一句。" not in raws[0]


@pytest.mark.parametrize("how", ["branch", "checkpoint"])
def test_a_short_branch_without_a_header_is_known_by_the_message_it_was_made_at(
    memory, handle, how
):
    parent = TavernChatFile(handle / "group chats" / "茶会.jsonl")
    parent.group, parent.has_header = ("爱丽丝", "白兔"), False
    parent.say("茶好了。", "谢谢。", "请坐。", "好。")
    child = getattr(parent, how)(1, "茶会 - 另一条路")
    parent.save()
    child.say("我不喝茶。")
    for group in (handle / "groups").glob("*.json"):
        group.unlink()  # nothing else says where it belongs
    list(memory.tavern.catch_up(CTX, handle))
    (chat,) = memory.chats.all()
    assert chat.branches == 2
    assert [b.fork_seq for b in memory.branches.all(chat.chat_id)] == [None, 1]
