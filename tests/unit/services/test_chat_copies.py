"""Older copies of chats, their names and places."""

from __future__ import annotations

import copy
import json
import os

import pytest

from engram_desktop.cli.main import main
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import CopyConflict
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.companion import answer_to_report
from tests.companion import Teller
from tests.factories import import_chat, make_extraction, model_at, set_all, story_rows, write_chat
from tests.fixtures import fake_llm
from tests.stored import stored_events, texts_of
from tests.tavern import TavernChatFile, told
from tests.turns import turns_are_true

# Taking in a copy of a chat takes no floor away, whichever road it comes by.

CTX = NullContext()


@pytest.fixture
def file(handle):
    made = TavernChatFile(handle / "chats" / "爱丽丝" / "故事.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆。" for n in range(70)))
    return made


def make_older(file, *, edited=True):
    """Put a copy of fifty floors ago in place of a file, with one line that was edited since."""
    file.rows = copy.deepcopy(file.rows[:20])
    if edited:
        file.edit(9, "第9天，铜钥匙不见了。")
    else:
        file.save()


def texts(memory, chat_id, branch_id="main"):
    return texts_of(memory, Line(chat_id, branch_id))


def lines(memory, chat_id):
    return [texts(memory, chat_id, branch.id) for branch in memory.branches.all(chat_id)]


def said(file):
    return [row["mes"] for row in file.rows]


def test_a_copy_that_goes_on_under_another_name_is_no_conflict(memory, tmp_path):
    rows = [("甲", f"第{n % 7}句。") for n in range(20)]
    path = tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    longer = [("乙", f"第{n % 7}句。") for n in range(40)]
    report = memory.imports.import_file(CTX, write_chat(path, longer))
    assert (report.chat_id, report.branch_id, report.conflict) == (chat_id, "main", None)
    assert lines(memory, chat_id) == [[text for _name, text in longer]]


def test_an_older_copy_with_other_names_gives_them_to_the_whole_line(memory, tmp_path):
    rows = [("旅人" if n % 2 else "Assistant", f"第{n}天，铜钥匙还在月光酒馆。") for n in range(40)]
    path = tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    older = [("旅人" if n % 2 else "爱丽丝", text) for n, (_name, text) in enumerate(rows[:30])]
    report = memory.imports.import_file(CTX, write_chat(path, older))
    assert (report.branch_id, report.conflict) == ("main", None)
    assert lines(memory, chat_id) == [[text for _name, text in rows]]
    names = {m.name for m in memory.messages.slice(Line.main(chat_id), 0, 99)}
    assert names == {"旅人", "爱丽丝"}
    assert turns_are_true(memory.session.chat(chat_id))


def test_an_older_copy_with_a_changed_line_becomes_a_branch(memory, tmp_path):
    rows = story_rows(70)
    path = tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    older = [*rows[:9], ("爱丽丝", "铜钥匙不见了。"), *rows[10:20]]
    report = memory.imports.import_file(CTX, write_chat(path, older))
    assert texts(memory, chat_id) == [text for _name, text in rows]
    assert texts(memory, chat_id, report.branch_id) == [text for _name, text in older]
    assert (report.fork_floor, report.added, report.removed) == (8, 11, 0)
    again = memory.imports.import_file(CTX, path)
    assert (again.branch_id, again.added, again.conflict) == (report.branch_id, 0, None)
    memory.history.undo(chat_id)
    assert lines(memory, chat_id) == [[text for _name, text in rows]]


def test_what_is_imported_into_a_chat_takes_nothing_of_it_away(memory, tmp_path):
    rows, other = story_rows(30), [("猫", f"另一个故事，第{n}页。") for n in range(12)]
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", rows)
    report = memory.imports.import_file(
        CTX, write_chat(tmp_path / "别的.jsonl", other), into=chat_id
    )
    assert texts(memory, chat_id) == [text for _name, text in rows]
    assert texts(memory, chat_id, report.branch_id) == [text for _name, text in other]


@pytest.mark.parametrize("follow", [False, True])
@pytest.mark.parametrize("edited", [False, True])
def test_an_older_folder_takes_nothing_away(memory, file, handle, follow, edited):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    whole = said(file)
    make_older(file, edited=edited)
    folder = memory.tavern.list_folder(CTX, handle)
    memory.tavern.take(
        CTX, folder, TavernChoice(folder.keys(["chats"]), follow=follow), lambda _r: None, _fail
    )
    assert whole in lines(memory, chat_id)
    if edited or follow:
        assert said(file) in lines(memory, chat_id)


@pytest.mark.parametrize("edited", [False, True])
def test_a_followed_file_replaced_by_an_older_copy_takes_nothing_away(memory, file, handle, edited):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    chat_id, whole = report.chat_id, said(file)
    make_older(file, edited=edited)
    reports = [*follower.look(CTX), *follower.look(CTX)]
    happened = [h for report in reports for h in report.happened]
    assert [h.what for h in happened] == ["conflict", "branch"]
    assert texts(memory, chat_id) == whole
    assert texts(memory, chat_id, happened[1].branch_id) == said(file)
    file.say("旧的那条线也往下走。", "走吧。")
    (report,) = follower.look(CTX)
    assert (report.branch_id, report.added) == (happened[1].branch_id, 2)
    assert texts(memory, chat_id) == whole


def test_a_newer_copy_that_is_back_goes_on_with_its_own_line(memory, file, handle):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    chat_id, newer = report.chat_id, copy.deepcopy(file.rows)
    make_older(file)
    file.say("旧的那条线也往下走。")
    list(follower.look(CTX))
    list(follower.look(CTX))
    older, older_rows = said(file), file.rows
    file.rows = newer
    file.say("新的还在。")
    (report,) = follower.look(CTX)
    assert (report.branch_id, report.added) == ("main", 1)
    newest = said(file)
    assert lines(memory, chat_id) == [newest, older]
    file.rows = older_rows
    file.save()
    reports = [*follower.look(CTX), *follower.look(CTX)]
    assert [h.what for r in reports for h in r.happened] == ["conflict"]
    assert reports[0].branch_id == memory.branches.all(chat_id)[1].id
    assert lines(memory, chat_id) == [newest, older], "the branch it told before"


def test_few_deletions_and_any_edits_in_a_followed_file_are_followed(memory, file, handle):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    file.delete(*range(60, 70))
    for floor in range(30):
        file.edit(floor, f"第{floor}天，改过了。")
    reports = [*follower.look(CTX), *follower.look(CTX)]
    assert [h.what for r in reports for h in r.happened] == ["deleted", "edited"]
    assert lines(memory, report.chat_id) == [said(file)]


@pytest.mark.parametrize("what", ["moment", "slip"])
def test_another_file_in_the_place_of_a_followed_one_takes_not_one_floor(
    memory, file, handle, what
):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    whole = said(file)
    file.delete(68, 69)
    if what == "slip":
        file.metadata["integrity"] = "another"
        file.save()
    else:
        os.utime(file.path, ns=(1, 1))
    reports = [*follower.look(CTX), *follower.look(CTX)]
    assert [h.what for r in reports for h in r.happened] == ["conflict", "branch"]
    assert lines(memory, report.chat_id) == [whole, said(file)]


def test_a_copy_whose_branch_was_undone_takes_nothing_away_the_next_time(memory, file, handle):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    chat_id, whole = report.chat_id, said(file)
    file.delete(68, 69)
    os.utime(file.path, ns=(1, 1))
    list(follower.look(CTX))
    list(follower.look(CTX))
    memory.history.undo(chat_id)
    assert lines(memory, chat_id) == [whole]
    os.utime(file.path, ns=(2, 2))
    list(follower.look(CTX))
    list(follower.look(CTX))
    assert lines(memory, chat_id) == [whole, said(file)]


def test_a_followed_file_that_has_the_newest_floor_is_the_line(memory, file, handle):
    follower = memory.tavern.following(handle)
    (report,) = follower.look(CTX)
    chat_id, whole = report.chat_id, said(file)
    pk = memory.events.add(Line.main(chat_id), make_extraction("后来的事。"), SourceRange(60, 65))[
        0
    ]
    file.delete(*range(30))
    reports = [*follower.look(CTX), *follower.look(CTX)]
    assert [h.what for r in reports for h in r.happened] == ["conflict", "deleted"]
    assert lines(memory, chat_id) == [said(file), whole[:30]]
    span = memory.events.fetch(chat_id, [pk])[pk].source_range
    assert (span.start_index, span.end_index) == (30, 35), "what is left keeps its memory"
    memory.history.undo(chat_id)
    assert lines(memory, chat_id) == [whole]


def test_what_is_skipped_of_a_followed_file_changes_nothing_and_is_said_once(memory, file, handle):
    follower = memory.tavern.following(handle, on_conflict="skip")
    (report,) = follower.look(CTX)
    whole = said(file)
    make_older(file)
    reports = [*follower.look(CTX), *follower.look(CTX), *follower.look(CTX)]
    assert [(h.what, h.detail) for r in reports for h in r.happened] == [("conflict", "skip")]
    assert lines(memory, report.chat_id) == [whole]


def test_replacing_is_what_the_user_may_choose(memory, file, handle):
    follower = memory.tavern.following(handle, on_conflict="replace")
    (report,) = follower.look(CTX)
    make_older(file)
    list(follower.look(CTX))
    list(follower.look(CTX))
    assert lines(memory, report.chat_id) == [said(file)]


def test_a_companion_that_tells_an_older_copy_takes_nothing_away(memory, file):
    teller = Teller(lambda event: memory.serving.receive(CTX, event))
    chat = teller.chat("爱丽丝.png", "故事", slip="0")
    header = {"chat_metadata": file.metadata}
    line = teller.tell(chat, header, file.rows).line
    assert line is not None
    chat_id, whole = line.chat_id, said(file)
    make_older(file)
    report = teller.tell(chat, header, file.rows)
    assert lines(memory, chat_id) == [whole, said(file)]
    assert report.conflict is not None
    assert report.line == Line(chat_id, report.conflict.branch)
    assert memory.serving.companion_line(chat).line == report.line, "prompts see the branch"
    assert answer_to_report(report)["conflict"] == {
        "choice": "branch",
        "changed": [[9, 9]],
        "gone": [[20, 69]],
        "branch": report.conflict.branch,
        "branch_holds": "copy",
        "fork_floor": 8,
    }


def test_the_preview_says_which_floors_would_change_or_go(memory, tmp_path):
    rows, path = story_rows(30), tmp_path / "故事.jsonl"
    memory.imports.import_file(CTX, write_chat(path, rows))
    del rows[12:14]
    rows[3] = ("旅人", "改过的一句。")
    write_chat(path, rows[:20])
    preview = memory.imports.preview(CTX, path)
    assert preview.conflict == CopyConflict(
        "branch", ((3, 3),), ((12, 13), (22, 29)), fork_floor=2, is_newer=False
    )
    assert (preview.fork_floor, preview.new_messages, preview.removed) == (2, 17, 0)
    preview = memory.imports.preview(CTX, path, on_conflict="replace")
    assert (preview.changed, preview.removed, preview.branch_id) == (1, 10, "main")
    preview = memory.imports.preview(CTX, path, on_conflict="skip")
    assert (preview.new_messages, preview.removed) == (0, 0)


@pytest.mark.parametrize("is_branch", [False, True], ids=["a copy", "branched there"])
def test_a_file_of_another_name_that_tells_another_end_is_skipped(memory, tmp_path, is_branch):
    rows, path = story_rows(30), tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    other = TavernChatFile(tmp_path / "另存.jsonl")
    if is_branch:
        other.metadata["main_chat"] = "故事"
    other.say(*(text for _name, text in rows[:20]), "门后是另一条路。")
    whole = lines(memory, chat_id)
    preview = memory.imports.preview(CTX, other.path, on_conflict="skip")
    assert lines(memory, chat_id) == whole
    report = memory.imports.import_file(CTX, other.path, on_conflict="skip")
    if is_branch:  # it takes nothing away, and says itself what it is
        assert report.conflict is None
        assert len(lines(memory, chat_id)) == 2
        return
    assert report.conflict == preview.conflict
    assert report.conflict is not None
    assert report.conflict.choice == "skip"
    assert report.conflict.floors == (20, 29)
    assert (report.added, report.branch_id, report.fork_floor) == (0, "main", None)
    assert (preview.new_messages, preview.branch_id, preview.fork_floor) == (0, None, None)
    assert lines(memory, chat_id) == whole
    assert len(memory.chats.all()) == 1


def test_a_copy_that_goes_on_is_the_line_and_what_it_changed_is_a_branch(memory, tmp_path):
    rows, path = story_rows(30), tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    newer = [*rows[:3], ("旅人", "改过的一句。"), *rows[4:], ("爱丽丝", "天亮了。")]
    report = memory.imports.import_file(CTX, write_chat(path, newer))
    assert (report.branch_id, report.fork_floor) == ("main", None)
    assert (report.added, report.changed, report.conflict.is_newer) == (2, 1, True)
    former = [text for _name, text in rows[:4]]
    assert lines(memory, chat_id) == [[text for _name, text in newer], former]
    assert texts(memory, chat_id, report.conflict.branch) == former
    memory.history.undo(chat_id)
    assert lines(memory, chat_id) == [[text for _name, text in rows]]


def test_a_swipe_is_no_loss_its_message_has_both_texts(memory, tmp_path):
    file = TavernChatFile(tmp_path / "爱丽丝" / "故事.jsonl")
    file.say(*(f"第{n}天。" for n in range(11)))
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    file.swipe("另一个结局。")
    file.say("然后呢？")
    report = memory.imports.import_file(CTX, file.path)
    assert (report.conflict, report.changed) == (None, 1)
    assert lines(memory, chat_id) == [said(file)]
    file.rows[10] |= {"mes": "第10天。", "swipes": ["第10天。"], "swipe_id": 0}
    file.save()  # an older copy, from before the swipe
    assert memory.imports.preview(CTX, file.path).conflict.changed == ((10, 10),)


def test_a_copy_that_begins_otherwise_shares_nothing(memory, tmp_path):
    rows, path = story_rows(30), tmp_path / "故事.jsonl"
    chat_id = import_chat(memory, path, rows)
    other = [("爱丽丝", "另一个开头。"), *rows[1:20]]
    report = memory.imports.import_file(CTX, write_chat(path, other))
    assert (report.fork_floor, report.added) == (-1, 20)
    assert lines(memory, chat_id) == [[t for _n, t in rows], [t for _n, t in other]]
    assert turns_are_true(memory.session.chat(chat_id), report.branch_id)


def test_what_stands_beside_a_text_is_not_made_older(memory, file, tmp_path):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    file.note(5, memory="新的备注。")
    memory.imports.import_file(CTX, file.path)
    older = TavernChatFile(tmp_path / file.path.name)
    older.rows = copy.deepcopy(file.rows[:20])
    older.note(5, memory="旧的备注。")
    memory.imports.import_file(CTX, older.path)
    (message,) = memory.session.chat(chat_id).messages.as_parsed("main", 5, 5)
    assert "新的备注。" in message.raw


def _fail(file, error):
    raise AssertionError(f"{file}: {error}")


# Who speaks is called otherwise, or a message stands elsewhere: the story is the same.


@pytest.fixture
def dated_file(handle):
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


def test_a_renamed_speaker_keeps_ids_and_events_and_is_undone(memory, dated_file, look):
    look()
    line = Line.main(chat_of(memory))
    pk = add(memory, line, 3, 8)
    ids, before = ids_of(memory, line), told(memory, line.chat_id)
    call(dated_file, "爱丽丝", "艾莉丝")
    assert look() == ["respoken"]
    assert ids_of(memory, line) == ids
    assert {m.name for m in memory.messages.slice(line, 0, 99)} == {"艾莉丝", "旅人"}
    assert place(memory, line.chat_id, pk) == (3, 8, False, False)
    memory.history.undo(line.chat_id)
    assert told(memory, line.chat_id) == before
    memory.history.redo(line.chat_id)
    assert place(memory, line.chat_id, pk) == (3, 8, False, False)


def test_what_was_summarised_is_not_asked_again_after_a_rename_or_a_move(memory, dated_file, look):
    look()
    line = Line.main(chat_of(memory))
    memory.pipeline.summarise(CTX, line, (0, 29), "extractive")

    call(dated_file, "旅人", "安娜")
    dated_file.move(5)
    look()
    report = memory.pipeline.summarise(CTX, line, (0, 29), "extractive")
    assert (report.events_added, report.floors) == (0, 0)


def test_events_go_with_a_message_that_was_moved(memory, dated_file, look):
    look()
    line = Line.main(chat_of(memory))
    alone, after, around = (add(memory, line, *span) for span in ((8, 8), (9, 9), (6, 12)))
    crossing = add(memory, line, 4, 8)
    ids = ids_of(memory, line)
    dated_file.move(9)
    assert look() == ["moved"]
    assert ids_of(memory, line)[7:11] == [ids[7], ids[9], ids[8], ids[10]]
    assert place(memory, line.chat_id, alone) == (9, 9, False, False)
    assert place(memory, line.chat_id, after) == (8, 8, False, False)
    assert place(memory, line.chat_id, around) == (6, 12, False, False)
    assert place(memory, line.chat_id, crossing) == (4, 9, False, False)
    memory.history.undo(line.chat_id)
    assert ids_of(memory, line) == ids
    assert place(memory, line.chat_id, crossing) == (4, 8, False, False)


def test_an_event_of_a_message_that_went_far_away_is_told_again(memory, dated_file, look):
    look()
    line = Line.main(chat_of(memory))
    alone, torn = add(memory, line, 4, 4), add(memory, line, 3, 6)
    dated_file.rows.insert(25, dated_file.rows.pop(4))
    dated_file.save()
    look()
    assert place(memory, line.chat_id, alone) == (25, 25, False, False)
    assert place(memory, line.chat_id, torn) == (3, 5, True, False)


def test_a_branch_that_is_rewritten_before_its_parent_keeps_what_it_shares(
    memory, dated_file, look
):
    look()
    branch = dated_file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。", "走吧。")
    dated_file.save()
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
    call(dated_file, "爱丽丝", "艾莉丝")
    look()
    (same,) = [b for b in memory.branches.all(chat_id) if b.parent_id]
    assert (same.id, same.fork_seq) == (fork.id, 20)
    assert pk in memory.events.find(chat_id, EventQuery(branch_id=fork.id))
    assert place(memory, chat_id, pk) == (2, 5, False, False)
    store = memory.session.chat(chat_id)
    assert store.database.value("SELECT count(*) FROM shared_view") == 0


def test_one_file_may_hide_what_another_shows(memory, dated_file, look):
    look()
    branch = dated_file.branch(20, "爱丽丝 - 1 - Branch #1")
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
    dated_file.edit(1, "另一句话。")
    look()
    assert told(memory, chat_id, fork.id)[1][3] == branch.rows[1]["mes"]
    assert memory.messages.slice(Line(chat_id, fork.id), 0, 0)[0].is_hidden


def test_hiding_what_a_branch_hid_before_is_undone_and_done_again(memory, dated_file, look):
    look()
    branch = dated_file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。")
    branch.hide(0)
    look()
    chat_id = chat_of(memory)
    before = told(memory, chat_id)
    dated_file.hide(0)
    look()
    after = told(memory, chat_id)
    for _again in range(2):
        memory.history.undo(chat_id)
        assert told(memory, chat_id) == before
        memory.history.redo(chat_id)
        assert told(memory, chat_id) == after


def test_a_chat_is_named_after_its_file_until_the_user_names_it(memory, dated_file, look):
    look()
    chat_id = chat_of(memory)
    dated_file.rename("灯塔")
    look()
    assert memory.chats.name(chat_id) == "灯塔"
    memory.chats.rename(chat_id, "我的故事")
    dated_file.rename("灯塔之夜")
    look()
    assert memory.chats.name(chat_id) == "我的故事"


def test_a_story_is_the_main_line_though_its_branches_name_a_file_that_is_gone(
    memory, dated_file, look
):
    branch = dated_file.branch(20, "爱丽丝 - 1 - Branch #1")
    branch.say("去灯塔。")
    dated_file.rename("最后的灯塔")
    look()
    chat_id = chat_of(memory)
    assert told(memory, chat_id) == _told_rows(memory, chat_id, dated_file)
    assert [b.fork_seq for b in memory.branches.all(chat_id)] == [None, 20]


def _told_rows(memory, chat_id, file):
    rows = told(memory, chat_id)
    assert [row[3] for row in rows] == [row["mes"] for row in file.rows]
    return rows


def test_a_group_that_was_made_of_a_chat_goes_on_with_it(memory, handle, dated_file, look):
    dated_file.metadata["integrity"] = "一"
    dated_file.save()
    look()
    chat_id = chat_of(memory)
    pk = add(memory, Line.main(chat_id), 3, 8)
    ids = ids_of(memory, Line.main(chat_id))
    group = TavernChatFile(handle / "group chats" / "2026-11-22.jsonl")
    group.metadata = {"integrity": "一"}
    group.rows = [
        row if row["is_user"] else row | {"original_avatar": "爱丽丝.png"}
        for row in dated_file.rows
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
    dated_file.say("我自己走。")
    assert look() == ["branch"]
    assert [b.fork_seq for b in memory.branches.all(chat_id)] == [None, 29]


# Hidden rows: what a player hid is told like the rest, the program's own lines never are.

HEADER = {"user_name": "旅人", "character_name": "爱丽丝", "chat_metadata": {}}
KINDS = ("comment", "assistant_note", "help", "welcome", "generic")
ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


def shown(number):
    text = f"第{number}天，爱丽丝把铜钥匙交给旅人，约定冬至在灯塔见面。"
    return {"name": "爱丽丝", "is_user": False, "is_system": False, "mes": text}


def hidden(number):
    return shown(number) | {"is_system": True, "mes": f"第{number}天，旅人把罗盘藏进井里。"}


def notice(number):
    """A row of the program: of a kind it gives, or by its name alone."""
    row = {
        "name": "SillyTavern System",
        "is_system": True,
        "mes": f"第{number}条公告：扩展已更新。",
    }
    kind = number % (len(KINDS) + 1)
    return row if kind == len(KINDS) else row | {"extra": {"type": KINDS[kind]}}


llm = fake_llm(lambda _body: ANSWER)


def take_in(memory, tmp_path, *makers):
    rows = [HEADER, *(makers[n % len(makers)](n) for n in range(60))]
    file = tmp_path / "故事.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return memory.imports.import_file(CTX, file).chat_id


def noticed(memory, chat):
    events = stored_events(memory, chat).values()
    return "\n".join(json.dumps(e.raw_data.to_json(), ensure_ascii=False) for e in events)


def asked(llm):
    return json.dumps([request.body for request in llm.seen], ensure_ascii=False)


def use(memory, llm):
    set_all(memory, model_at(llm.url))


def test_a_mixed_chat_tells_what_was_hidden_and_no_notice(memory, tmp_path):
    chat = take_in(memory, tmp_path, shown, hidden, notice)
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert not report.is_without_story
    assert report.notices == 20
    assert "铜钥匙" in noticed(memory, chat)
    assert "罗盘" in noticed(memory, chat)
    assert "公告" not in noticed(memory, chat)


def test_a_model_reads_what_was_hidden_and_no_notice(memory, tmp_path, llm):
    chat = take_in(memory, tmp_path, shown, hidden, notice)
    use(memory, llm)
    plan = memory.pipeline.plan_summary(Line.main(chat), (0, 59))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert len(llm.seen) == len(plan.blocks)
    assert "罗盘" in asked(llm)
    assert "公告" not in asked(llm)


def test_a_chat_that_is_hidden_whole_is_a_story(memory, tmp_path):
    chat = take_in(memory, tmp_path, hidden)
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert report.events_added > 0
    assert report.notices == 0


def test_a_chat_of_notices_makes_no_event_asks_nobody_and_says_why(
    memory, tmp_path, llm, capsys, monkeypatch
):
    chat = take_in(memory, tmp_path, notice)
    use(memory, llm)
    assert memory.pipeline.plan_summary(Line.main(chat), (0, 59)).prompt_tokens == 0
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    assert report.is_without_story
    assert (report.events_added, report.floors, report.llm_calls) == (0, 25, 0)
    assert llm.seen == []
    assert memory.pipeline.plan_summary(Line.main(chat), (0, 24)).blocks == (), "they are done"
    folder = memory.folder
    memory.close()
    monkeypatch.setenv("ENGRAM_LIBRARY", str(folder))
    assert main(["summarise", chat, "--range", "25-59"]) == 0
    assert "None of them belongs to the story" in capsys.readouterr().out
    assert llm.seen == []
