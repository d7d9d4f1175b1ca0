"""Who speaks is called otherwise, or a message stands elsewhere: the story is the same."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()


@pytest.fixture
def handle(tmp_path):
    return make_tavern(tmp_path / "SillyTavern")


@pytest.fixture
def file(handle):
    made = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆。" for n in range(30)))
    for n, row in enumerate(made.rows):
        row["send_date"] = f"2026-11-21T20:{n:02}:00.000Z"
    made.save()
    return made


@pytest.fixture
def look(memory, handle):
    """Look at the folder until nothing waits."""
    following = memory.tavern.following(handle.parent.parent)

    def looked():
        reports, _along = following.look_through(CTX)
        while following.is_waiting:
            reports += following.look_through(CTX)[0]
        return [h.what for report in reports for h in report.happened]

    return looked


def add(memory, line, first, last):
    data = make_extraction(f"第{first}楼到第{last}楼的事。")
    return memory.events.add(line, data, SourceRange(first, last))[0]


def place(memory, chat_id, pk):
    event = memory.events.fetch(chat_id, [pk])[pk]
    span = event.source_range
    return span.start_index, span.end_index, event.is_stale, event.is_deleted


def call(file, old, new):
    for row in file.rows:
        row["name"] = new if row["name"] == old else row["name"]
    file.save()


def chat_of(memory):
    (chat,) = memory.chats.all()
    return chat.chat_id


def ids_of(memory, line):
    return [m.id for m in memory.messages.slice(line, 0, 99)]


def test_a_renamed_speaker_keeps_ids_and_events_and_is_undone(memory, file, look):
    look()
    line = Line.main(chat_of(memory))
    pk = add(memory, line, 3, 8)
    ids, before = ids_of(memory, line), told(memory, line.chat_id)
    call(file, "爱丽丝", "艾莉丝")
    assert look() == ["respoken"]
    assert ids_of(memory, line) == ids
    assert {m.name for m in memory.messages.slice(line, 0, 99)} == {"艾莉丝", "旅人"}
    assert place(memory, line.chat_id, pk) == (3, 8, False, False)
    memory.history.undo(line.chat_id)
    assert told(memory, line.chat_id) == before
    memory.history.redo(line.chat_id)
    assert place(memory, line.chat_id, pk) == (3, 8, False, False)


def test_what_was_summarised_is_not_asked_again_after_a_rename_or_a_move(memory, file, look):
    look()
    line = Line.main(chat_of(memory))
    memory.pipeline.summarise(CTX, line, (0, 29), "extractive")

    call(file, "旅人", "安娜")
    file.move(5)
    look()
    report = memory.pipeline.summarise(CTX, line, (0, 29), "extractive")
    assert (report.events_added, report.floors) == (0, 0)


def test_events_go_with_a_message_that_was_moved(memory, file, look):
    look()
    line = Line.main(chat_of(memory))
    alone, after, around = (add(memory, line, *span) for span in ((8, 8), (9, 9), (6, 12)))
    crossing = add(memory, line, 4, 8)
    ids = ids_of(memory, line)
    file.move(9)
    assert look() == ["moved"]
    assert ids_of(memory, line)[7:11] == [ids[7], ids[9], ids[8], ids[10]]
    assert place(memory, line.chat_id, alone) == (9, 9, False, False)
    assert place(memory, line.chat_id, after) == (8, 8, False, False)
    assert place(memory, line.chat_id, around) == (6, 12, False, False)
    assert place(memory, line.chat_id, crossing) == (4, 9, False, False)
    memory.history.undo(line.chat_id)
    assert ids_of(memory, line) == ids
    assert place(memory, line.chat_id, crossing) == (4, 8, False, False)


def test_an_event_of_a_message_that_went_far_away_is_told_again(memory, file, look):
    look()
    line = Line.main(chat_of(memory))
    alone, torn = add(memory, line, 4, 4), add(memory, line, 3, 6)
    file.rows.insert(25, file.rows.pop(4))
    file.save()
    look()
    assert place(memory, line.chat_id, alone) == (25, 25, False, False)
    assert place(memory, line.chat_id, torn) == (3, 5, True, False)


def test_a_branch_that_is_rewritten_before_its_parent_keeps_what_it_shares(memory, file, look):
    look()
    branch = file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。", "走吧。")
    file.save()
    look()
    chat_id = chat_of(memory)
    pk = add(memory, Line.main(chat_id), 2, 5)
    (fork,) = [b for b in memory.branches.all(chat_id) if b.parent_id]
    assert pk in memory.events.find(chat_id, EventQuery(branch_id=fork.id))
    call(branch, "爱丽丝", "艾莉丝")
    look()
    assert {m.name for m in memory.messages.slice(Line(chat_id, fork.id), 0, 99)} == {
        "艾莉丝",
        "旅人",
    }
    call(file, "爱丽丝", "艾莉丝")
    look()
    (same,) = [b for b in memory.branches.all(chat_id) if b.parent_id]
    assert (same.id, same.fork_seq) == (fork.id, 20)
    assert pk in memory.events.find(chat_id, EventQuery(branch_id=fork.id))
    assert place(memory, chat_id, pk) == (2, 5, False, False)
    store = memory.session.chat(chat_id)
    assert store.database.value("SELECT count(*) FROM shared_view") == 0


def test_one_file_may_hide_what_another_shows(memory, file, look):
    look()
    branch = file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。")
    look()
    chat_id = chat_of(memory)
    (fork,) = [b for b in memory.branches.all(chat_id) if b.parent_id]
    branch.hide(0, 1, 2)
    assert look() == ["hidden"]
    hidden = [m.is_hidden for m in memory.messages.slice(Line(chat_id, fork.id), 0, 3)]
    shown = [m.is_hidden for m in memory.messages.slice(Line.main(chat_id), 0, 3)]
    assert (hidden, shown) == ([True, True, True, False], [False] * 4)
    child, _changes = memory.branches.fork(Line(chat_id, fork.id), at=5)
    assert memory.messages.slice(Line(chat_id, child), 0, 0)[0].is_hidden
    file.edit(1, "另一句话。")
    look()
    assert told(memory, chat_id, fork.id)[1][3] == branch.rows[1]["mes"]
    assert memory.messages.slice(Line(chat_id, fork.id), 0, 0)[0].is_hidden


def test_hiding_what_a_branch_hid_before_is_undone_and_done_again(memory, file, look):
    look()
    branch = file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。")
    branch.hide(0)
    look()
    chat_id = chat_of(memory)
    before = told(memory, chat_id)
    file.hide(0)
    look()
    after = told(memory, chat_id)
    for _again in range(2):
        memory.history.undo(chat_id)
        assert told(memory, chat_id) == before
        memory.history.redo(chat_id)
        assert told(memory, chat_id) == after


def test_a_chat_is_named_after_its_file_until_the_user_names_it(memory, file, look):
    look()
    chat_id = chat_of(memory)
    file.rename("灯塔")
    look()
    assert memory.chats.name(chat_id) == "灯塔"
    memory.chats.rename(chat_id, "我的故事")
    file.rename("灯塔之夜")
    look()
    assert memory.chats.name(chat_id) == "我的故事"


def test_a_story_is_the_main_line_though_its_branches_name_a_file_that_is_gone(memory, file, look):
    branch = file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。")
    file.rename("最后的灯塔")
    look()
    chat_id = chat_of(memory)
    assert told(memory, chat_id) == _told_rows(memory, chat_id, file)
    assert [b.fork_seq for b in memory.branches.all(chat_id)] == [None, 20]


def _told_rows(memory, chat_id, file):
    rows = told(memory, chat_id)
    assert [row[3] for row in rows] == [row["mes"] for row in file.rows]
    return rows


def test_a_group_that_was_made_of_a_chat_goes_on_with_it(memory, handle, file, look):
    file.metadata["integrity"] = "一"
    file.save()
    look()
    chat_id = chat_of(memory)
    pk = add(memory, Line.main(chat_id), 3, 8)
    ids = ids_of(memory, Line.main(chat_id))
    group = TavernChatFile(handle / "group chats" / "2026-11-22.jsonl")
    group.metadata = {"integrity": "一"}
    group.rows = [
        row if row["is_user"] else row | {"original_avatar": "爱丽丝.png"} for row in file.rows
    ]
    group.save()
    (handle / "groups" / "1.json").write_text(
        json.dumps({"id": "1", "name": "二人组", "chats": ["2026-11-22"]}), "utf-8"
    )
    assert look() == ["converted", "respoken"]
    assert chat_of(memory) == chat_id
    assert ids_of(memory, Line.main(chat_id)) == ids
    assert place(memory, chat_id, pk) == (3, 8, False, False)
    assert memory.chats.name(chat_id) == "二人组 – 2026-11-22"
    file.say("我自己走。")
    assert look() == ["branch"]
    assert [b.fork_seq for b in memory.branches.all(chat_id)] == [None, 29]
