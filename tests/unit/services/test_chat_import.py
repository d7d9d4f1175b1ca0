"""Chats imported and followed."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.moment import local_moment, moment
from engram_desktop.formats.chat_files import read_chat
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.places import resource
from engram_desktop.services.chats.match_chat import ComparedLine
from engram_desktop.services.chats.timeline import plan_sync
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.chat_store import FILE_NAME
from tests.contexts import CancelledAt
from tests.factories import import_chat, story_rows, write_chat
from tests.stored import stored_events, texts_of
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()


def texts(memory, chat_id):
    return texts_of(memory, Line.main(chat_id))


def test_of_a_file_that_only_grew_no_more_is_held_than_what_is_new(memory, tmp_path):
    rows = [("甲", f"第{n}句。") for n in range(1_300)]
    file = write_chat(tmp_path / "故事.jsonl", rows)
    store = memory.session.library.chat(memory.imports.import_file(CTX, file).chat_id or "")
    grown = read_chat(write_chat(tmp_path / "故事.jsonl", [*rows, ("乙", "新的一句。")]))
    todo = plan_sync(store, MAIN_BRANCH, grown.messages())
    assert (todo.base, todo.read, [m.text for m in todo.new]) == (1_300, (), ["新的一句。"])


def test_importing_twice_adds_nothing(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(20))
    first = memory.imports.import_file(CTX, file)
    again = memory.imports.import_file(CTX, file)
    assert (first.added, first.skipped) == (20, 0)
    assert (again.added, again.skipped, again.chat_id) == (0, 20, first.chat_id)
    assert [c.messages for c in memory.chats.all()] == [20]


def test_a_longer_version_adds_only_what_is_new_and_can_be_undone(memory, tmp_path):
    file = tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, file, story_rows(20))
    preview = memory.imports.preview(CTX, write_chat(file, story_rows(26)))
    assert (preview.chat_id, preview.new_messages) == (chat_id, 6)
    report = memory.imports.import_file(CTX, file)
    assert (report.chat_id, report.added, report.skipped) == (chat_id, 6, 20)
    assert str(report.changes.undo_label) == "Import 6 messages"
    memory.history.undo(chat_id)
    assert len(texts(memory, chat_id)) == 20
    memory.history.redo(chat_id)
    assert len(texts(memory, chat_id)) == 26


def test_an_older_version_takes_nothing_away(memory, tmp_path):
    file = tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, file, story_rows(20))
    report = memory.imports.import_file(CTX, write_chat(file, story_rows(12)))
    assert (report.added, report.chat_id) == (0, chat_id)
    assert len(texts(memory, chat_id)) == 20


def test_a_rerolled_end_replaces_the_old_one_and_marks_its_events_stale(memory, tmp_path):
    file = tmp_path / "故事.jsonl"
    rows = story_rows(20)
    chat_id = import_chat(memory, file, rows)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 19), "extractive")
    rows[19] = ("旅人", "我改变主意了，今晚就走。")
    write_chat(file, [*rows, ("爱丽丝", "路上小心。")])
    report = memory.imports.import_file(CTX, file, on_conflict="replace")
    assert report.added == 2
    assert texts(memory, chat_id)[19:] == ["我改变主意了，今晚就走。", "路上小心。"]
    events = stored_events(memory, chat_id)
    stale = {e.source_range.end_index >= 19: e.is_stale for e in events.values()}
    assert stale.get(True, True)
    assert not stale.get(False, False)
    memory.history.undo(chat_id)
    assert texts(memory, chat_id)[19:] == [story_rows(20)[19][1]]
    assert memory.events.counts(Line.main(chat_id)).stale == 0


def test_the_same_greeting_does_not_join_two_chats(memory, tmp_path):
    one = write_chat(tmp_path / "a.jsonl", [("爱丽丝", "欢迎光临。")])
    two = write_chat(tmp_path / "b.jsonl", [("爱丽丝", "欢迎光临。"), ("旅人", "你好。")])
    first = memory.imports.import_file(CTX, one)
    assert memory.imports.import_file(CTX, two).chat_id != first.chat_id


def test_as_makes_a_new_chat_and_into_chooses_one(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(5))
    memory.imports.import_file(CTX, file)
    copy = memory.imports.import_file(CTX, file, name="另一条线")
    assert copy.added == 5
    assert {c.name for c in memory.chats.all()} == {"故事", "另一条线"}
    longer = write_chat(tmp_path / "x.jsonl", story_rows(8))
    assert memory.imports.import_file(CTX, longer, into="另一条线").added == 3
    with pytest.raises(NotFound):
        memory.imports.import_file(CTX, longer, into="没有")


def test_a_broken_line_is_named_and_the_rest_imported(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(6))
    lines = file.read_text("utf-8").split("\n")
    lines[3] = '{"name": "爱丽丝", "mes": "断'
    file.write_text("\n".join(lines), "utf-8")
    report = memory.imports.import_file(CTX, file)
    assert report.added == 5
    assert [w.line for w in report.warnings] == [4]


def test_a_file_that_is_no_chat_is_refused_and_no_chat_is_made(memory, tmp_path):
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"nothing": "we know"}), "utf-8")
    for file in (other, tmp_path / "missing.jsonl"):
        with pytest.raises(InputError):
            memory.imports.import_file(CTX, file)
    header = write_chat(tmp_path / "empty.jsonl", [])
    with pytest.raises(InputError, match="no message"):
        memory.imports.import_file(CTX, header)
    assert memory.chats.all() == []


def test_cancelling_keeps_what_was_taken_in_and_a_second_try_goes_on(memory, tmp_path):
    file = write_chat(tmp_path / "长.jsonl", story_rows(1800))
    ctx = CancelledAt(3)
    with pytest.raises(Cancelled):
        memory.imports.import_file(ctx, file)
    (chat,) = memory.chats.all()
    assert 0 < chat.messages < 1800
    report = memory.imports.import_file(CTX, file)
    assert report.chat_id == chat.chat_id
    assert report.added == 1800 - chat.messages


def test_hidden_messages_are_kept_and_rejected_swipes_are_not(memory):
    story = resource("story/月光酒馆.jsonl")
    chat_id = memory.imports.import_file(CTX, story).chat_id
    rows = [json.loads(line) for line in story.read_text("utf-8").splitlines()[1:]]
    swiped = [r for r in rows if len(r.get("swipes", [])) > 1]
    assert len(swiped) == 2
    held = "\n".join(texts(memory, chat_id))
    for row in swiped:
        for number, swipe in enumerate(row["swipes"]):
            assert (swipe in held) == (number == row["swipe_id"])
    hidden = [m for m in memory.messages.slice(Line.main(chat_id), 0, 999) if m.is_hidden]
    assert hidden
    assert all(m.text for m in hidden)


CAI = {
    "histories": {
        "histories": [
            {"msgs": [{"src": {"is_human": n % 2 == 1}, "text": f"{title}{n}"} for n in range(4)]}
            for title in ("雪夜", "集市")
        ]
    }
}


def test_a_file_with_several_chats_makes_several_and_the_second_time_none(memory, tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(CAI), "utf-8")
    preview = memory.imports.preview(CTX, path)
    assert (preview.chats, preview.messages) == (2, 4)
    report = memory.imports.import_file(CTX, path)
    assert (report.added, len(report.also)) == (8, 1)
    assert texts(memory, report.also[0])[0] == "集市0"
    again = memory.imports.import_file(CTX, path)
    assert (again.added, again.skipped, again.also) == (0, 8, report.also)
    assert sorted(chat.name for chat in memory.chats.all()) == ["export 1", "export 2"]
    with pytest.raises(InputError, match="2 chats"):
        memory.imports.import_file(CTX, path, into=report.chat_id)


def test_a_cancel_leaves_no_empty_chat(memory, tmp_path):
    class Impatient(NullContext):
        """Cancelled between any two units of writing."""

        def __init__(self, units):
            self.units = units

        @override
        def write(self, unit):
            self.units -= 1
            if self.units < 0:
                raise Cancelled
            return unit()

    path = write_chat(tmp_path / "a.jsonl", story_rows(1200))
    for units, held in ((0, []), (1, [500]), (2, [1200])):
        with contextlib.suppress(Cancelled):
            memory.imports.import_file(Impatient(units), path)
        assert [c.messages for c in memory.chats.all()] == held
    memory.imports.import_file(CTX, path)
    assert [c.messages for c in memory.chats.all()] == [1200]


# How many equal messages prove that a file tells of a chat.


def compared(common, equal, line_count, file_count, source=""):
    return ComparedLine("c", "C", "main", source, common, equal, line_count, file_count)


@pytest.mark.parametrize(
    ("common", "lines", "file", "is_same"),
    [(3, 3, 9, True), (3, 9, 3, True), (2, 2, 9, False), (3, 4, 9, False), (9, 9, 9, True)],
)
def test_three_messages_that_the_longer_goes_on_with_are_the_same_story(
    common, lines, file, is_same
):
    assert compared(common, common, lines, file).is_same is is_same


@pytest.mark.parametrize(
    ("common", "equal", "lines", "is_of"),
    [
        (1, 1, 1, True),  # all there is, however short
        (0, 0, 1, False),
        (2, 2, 9, False),
        (3, 3, 9, True),
        (0, 2, 3, False),
        (0, 9, 9, True),  # edited at its beginning
    ],
)
def test_a_chat_of_the_same_file_is_known_again_though_it_was_edited(common, equal, lines, is_of):
    assert compared(common, equal, lines, 9, "f").is_of("f") is is_of
    assert compared(common, equal, lines, 9, "f").is_of("g") is False


# Following one chat file: whatever happens to it, the library ends where a fresh import would.


@pytest.fixture
def followed(handle):
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


def test_a_new_file_is_a_chat_and_a_second_look_does_nothing(memory, followed):
    first = sync(memory, followed)
    assert happened(first) == [("imported", 30, (0, 29))]
    again = sync(memory, followed)
    assert (again.happened, again.changes.messages) == ((), False)
    assert memory.history.steps(first.chat_id) == []


def test_of_an_appended_file_only_the_end_is_read(memory, followed, fresh):
    chat_id = sync(memory, followed).chat_id
    followed.say("钟敲了十二下。", "我们走吧。")
    report = sync(memory, followed)
    assert happened(report) == [("added", 2, (30, 31))]
    assert report.read_from >= 15
    assert told(memory, chat_id) == fresh(followed.path)


def test_the_newest_header_is_kept_beside_the_line(memory, followed, tmp_path):
    chat_id = sync(memory, followed).chat_id
    followed.metadata["variables"] = {"好感": 3}
    followed.say("钟敲了十二下。")
    sync(memory, followed)
    path = tmp_path / "资料库" / "chats" / chat_id / FILE_NAME
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT raw FROM file_header").fetchall()
    assert [json.loads(raw)["chat_metadata"]["variables"] for (raw,) in rows] == [{"好感": 3}]
    assert len(memory.history.steps(chat_id)) == 1, "the header is no step of its own"


def test_an_edit_far_back_reads_all_and_changes_one(memory, followed, fresh):
    chat_id = sync(memory, followed).chat_id
    before = memory.messages.slice(Line.main(chat_id), 0, 99)
    followed.edit(3, "第三天我丢了铜钥匙。")
    report = sync(memory, followed)
    assert (report.read_from, happened(report)) == (0, [("edited", 1, (3, 3))])
    after = memory.messages.slice(Line.main(chat_id), 0, 99)
    assert [m.id for m in after] == [m.id for m in before]
    assert told(memory, chat_id) == fresh(followed.path)


def test_a_swipe_is_told_from_an_edit(memory, followed):
    sync(memory, followed)
    followed.swipe("另一个结局。", 28)
    assert happened(sync(memory, followed)) == [("swiped", 1, (28, 28))]
    followed.edit(28, "另一个结局，改过。")
    assert happened(sync(memory, followed)) == [("edited", 1, (28, 28))]


def test_hidden_messages_are_hidden_and_shown(memory, followed, fresh):
    chat_id = sync(memory, followed).chat_id
    followed.hide(0, 1, 2)
    assert happened(sync(memory, followed)) == [("hidden", 3, (0, 2))]
    assert told(memory, chat_id) == fresh(followed.path)
    followed.hide(1, hidden=False)
    assert happened(sync(memory, followed)) == [("shown", 1, (1, 1))]


def test_deleted_messages_go_and_take_their_memories_along(memory, followed, fresh):
    chat_id = sync(memory, followed).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (20, 29), "extractive")
    assert memory.events.counts(Line.main(chat_id)).total
    followed.delete(*range(20, 30))
    assert happened(sync(memory, followed)) == [("deleted", 10, (20, 29))]
    assert memory.events.find(chat_id, EventQuery()).tolist() == []
    assert told(memory, chat_id) == fresh(followed.path)
    memory.history.undo(chat_id)
    assert len(told(memory, chat_id)) == 30
    assert memory.events.counts(Line.main(chat_id)).total


def test_a_half_written_file_waits_and_takes_nothing_away(memory, followed):
    chat_id = sync(memory, followed).chat_id
    whole = followed.data()
    for cut in (len(whole) - 20, len(whole) // 2, 40):
        followed.path.write_bytes(whole[:cut])
        report = sync(memory, followed)
        assert (report.is_waiting, report.happened) == (True, ())
        assert len(told(memory, chat_id)) == 30
    followed.path.write_bytes(b"")
    assert sync(memory, followed).happened == ()
    assert len(told(memory, chat_id)) == 30


def test_what_is_whole_before_a_half_line_is_read(memory, followed):
    chat_id = sync(memory, followed).chat_id
    followed.say("新的一句。", "还没写完的一句。")
    followed.path.write_bytes(followed.data()[:-9])
    report = sync(memory, followed)
    assert (report.is_waiting, happened(report)) == (True, [("added", 1, (30, 30))])
    followed.save()
    assert happened(sync(memory, followed)) == [("added", 1, (31, 31))]
    assert len(told(memory, chat_id)) == 32


def test_a_vanished_file_deletes_nothing(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle)
    assert list(follower.look(CTX)) == []
    followed.path.unlink()
    (report,) = follower.look(CTX)
    assert happened(report) == [("vanished", 0, None)]
    assert len(told(memory, chat_id)) == 30
    assert list(follower.look(CTX)) == []


def test_a_renamed_file_stays_the_same_chat(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    followed.rename("月光酒馆的冬天")
    (report,) = follower.look(CTX)
    assert [h.what for h in report.happened] == ["renamed"]
    followed.say("改了名字，故事还在。")
    (report,) = follower.look(CTX)
    assert (report.chat_id, happened(report)) == (chat_id, [("added", 1, (30, 30))])
    assert len(memory.chats.all()) == 1


def test_a_character_that_is_renamed_takes_its_chats_along(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle, "followed")
    list(follower.look(CTX))
    folder = followed.path.parent.rename(followed.path.parent.with_name("艾丽丝"))
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["renamed"]
    followed.path = folder / followed.path.name
    followed.say("换了名字的人还在说。")
    (report,) = follower.look(CTX)
    assert (report.chat_id, happened(report)) == (chat_id, [("added", 1, (30, 30))])


def test_while_a_rename_copies_there_is_no_second_chat(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle)
    old = followed.path
    followed.path = old.with_name("新名字.jsonl")
    followed.save()
    assert list(follower.look(CTX)) == []
    old.unlink()
    (report,) = follower.look(CTX)
    assert (report.chat_id, [h.what for h in report.happened]) == (chat_id, ["renamed"])
    assert [c.branches for c in memory.chats.all()] == [1]


def test_a_branch_hangs_on_its_parent_and_each_goes_its_way(memory, followed, handle, fresh):
    chat_id = sync(memory, followed).chat_id
    child = followed.branch(9, f"{followed.path.stem} - Branch #1")
    whole = followed.branch(29, f"{followed.path.stem} - Checkpoint #1")
    follower = memory.tavern.following(handle)
    reports = list(follower.look(CTX))
    assert {h.what for r in reports for h in r.happened} == {"branch"}
    child.say("我留下。", "那我也留下。")
    whole.say("我离开。")
    followed.say("什么也没发生。")
    list(follower.look(CTX))
    assert [c.branches for c in memory.chats.all()] == [3]
    rows = {row.path: row for row in memory.tavern.followed()}
    assert {row.chat_id for row in rows.values()} == {chat_id}
    for made in (followed, child, whole):
        (row,) = (r for p, r in rows.items() if p.endswith(made.path.name))
        assert told(memory, chat_id, row.branch_id) == fresh(made.path)


def test_a_renamed_branch_stays_the_same_branch(memory, followed, handle):
    sync(memory, followed)
    child = followed.branch(9, f"{followed.path.stem} - Branch #1")
    child.say("我留下。")
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    child.rename("留下的那条线")
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["renamed"]
    assert [c.branches for c in memory.chats.all()] == [2]


def test_another_story_under_an_old_name_is_another_chat(memory, followed):
    chat_id = sync(memory, followed).chat_id
    followed.rows = []
    followed.say(*(f"全新的故事，第{n}页。" for n in range(12)))
    report = sync(memory, followed)
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


def test_a_chat_deleted_here_does_not_come_back_by_itself(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    memory.chats.delete(chat_id)
    followed.say("还有人在吗？")
    assert list(follower.look(CTX)) == []
    assert memory.chats.all() == []
    assert sync(memory, followed).added == 31  # the user asked for it again


def test_a_file_let_be_is_not_read_until_it_is_followed_again(memory, followed):
    chat_id = sync(memory, followed).chat_id
    memory.tavern.unfollow(followed.path)
    followed.say("没有人在听。")
    assert list(memory.tavern.following(followed.path.parents[2]).look(CTX)) == []
    assert len(told(memory, chat_id)) == 30
    assert happened(sync(memory, followed)) == [("added", 1, (30, 30))]


def test_only_chats_that_are_followed_get_their_branches(memory, followed, handle):
    other = TavernChatFile(handle / "chats" / "白兔" / "白兔 - 1.jsonl", "白兔")
    other.say(*(f"要迟到了，第{n}次。" for n in range(12)))
    sync(memory, followed)
    followed.branch(9, "分支")
    follower = memory.tavern.following(handle, "followed")
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    reports = list(follower.look(CTX))
    assert [h.what for r in reports for h in r.happened] == ["branch"]
    assert len(memory.chats.all()) == 1
    assert not [args for args in opened if "白兔" in str(args[0])]  # a thousand chats stay closed


def test_an_older_copy_takes_nothing_away_from_an_imported_chat(memory, followed, tmp_path):
    chat_id = memory.imports.import_file(CTX, followed.path).chat_id
    old = TavernChatFile(tmp_path / "旧备份.jsonl")
    old.rows = followed.rows[:12]
    old.save()
    list(memory.tavern.following(followed.path.parents[2]).look(CTX))
    follower = memory.tavern.following(make_tavern(tmp_path / "Old"))
    old.path = follower.folder / "chats" / "旧备份" / "旧备份.jsonl"
    old.path.parent.mkdir()
    old.save()
    assert list(follower.look(CTX)) == []
    assert happened(sync(memory, old)) == [("branch", 0, None)]  # chosen by the user, it is one
    assert len(told(memory, chat_id)) == 30


def test_a_damaged_line_is_named_once(memory, followed, handle):
    sync(memory, followed)
    followed.path.write_bytes(followed.data().replace('"第5天'.encode(), "第5天".encode()))
    follower = memory.tavern.following(handle)
    looks = [list(follower.look(CTX)) for _ in range(2)]
    reports = looks[-1]  # what is missing is believed at the second look
    assert [w.line for w in reports[-1].warnings] == [7]
    followed.path.write_bytes(followed.path.read_bytes() + b"\n" + followed.data().split(b"\n")[-1])
    assert [r.warnings for r in follower.look(CTX)] == [()]


def test_what_disappears_from_a_file_is_believed_at_the_second_look(memory, followed, handle):
    chat_id = sync(memory, followed).chat_id
    follower = memory.tavern.following(handle)
    list(follower.look(CTX))
    lines = followed.data().split(b"\n")
    followed.path.write_bytes(b"\n".join(lines[:10]))  # cut at the end of a line: it looks whole
    assert list(follower.look(CTX)) == []
    assert follower.is_waiting
    followed.save()
    assert list(follower.look(CTX)) == []
    assert len(told(memory, chat_id)) == 30
    followed.delete(29)
    assert list(follower.look(CTX)) == []
    (report,) = follower.look(CTX)
    assert happened(report) == [("deleted", 1, (29, 29))]
    assert not follower.is_waiting


def test_the_newest_messages_are_as_the_file_tells_them(memory, followed):
    chat_id = sync(memory, followed).chat_id
    memory.messages.edit(Line.main(chat_id), 29, "我自己改的。")
    followed.say("新的一句。")
    sync(memory, followed)
    assert (
        memory.messages.slice(Line.main(chat_id), 29, 29)[0].text == followed.rows[29]["mes"]
    )  # the file says it
    assert memory.messages.slice(Line.main(chat_id), 30, 30)[0].text == "新的一句。"


def test_what_tools_write_beside_old_messages_is_noticed_and_changes_nothing_else(memory, followed):
    (report,) = memory.tavern.catch_up(CTX, followed.path.parents[2])
    floors = len(followed.rows)
    followed.note(0, memory="从前的事。")
    followed.note(floors - 1, memory="到现在的事。")
    (noted,) = memory.tavern.catch_up(CTX, followed.path.parents[2])
    assert (noted.is_noted, noted.happened, noted.changes.messages) == (True, (), False)
    raws = [m.raw for m in memory.session.chat(report.chat_id).messages.as_parsed("main", 0, 999)]
    assert "从前的事。" in raws[0]
    assert "到现在的事。" in raws[-1]
    assert memory.history.steps(report.chat_id) == []
    followed.edit(0, "换了一句。")
    list(memory.tavern.catch_up(CTX, followed.path.parents[2]))
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


# A clock far beyond the calendar, before it or running backwards ends nothing.

AFTER_9999 = 300_000_000_000_000


@pytest.mark.parametrize("now", [AFTER_9999, 10**18, -(10**15), 0])
def test_any_clock_is_worked_with(tmp_path, now):
    memory = Memory.open(tmp_path / "library", clock=lambda: now, environ={})
    report = memory.imports.import_file(CTX, write_chat(tmp_path / "a.jsonl", story_rows(60)))
    chat_id = report.chat_id
    assert chat_id is not None
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙"))
    memory.inject.compose(CTX, chat_id, RecallQuery("铜钥匙"))
    assert memory.care.stats(Line.main(chat_id))["today"]
    assert memory.automation.run(CTX, Line.main(chat_id), consent=True).plan.chat_id == chat_id
    assert memory.backups.make(CTX) != memory.backups.make(CTX)
    assert len(memory.backups.all()) == 2
    memory.backups.make_if_due(CTX)
    (key, *_more) = memory.events.find(chat_id, EventQuery())
    memory.events.delete(CTX, chat_id, [key])
    memory.history.undo(chat_id)
    memory.chats.delete(chat_id)
    assert memory.chats.deleted()
    memory.care.doctor(CTX, repair=True)
    memory.close()


@pytest.mark.parametrize("milliseconds", [10**30, -(10**30), 0, AFTER_9999])
def test_any_number_is_a_moment(milliseconds):
    assert 1 <= moment(milliseconds).year <= local_moment(milliseconds).year + 1
