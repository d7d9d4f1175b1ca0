"""Taking in a copy of a chat takes no floor away, whichever road it comes by."""

from __future__ import annotations

import copy
import os

import pytest

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import CopyConflict
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.companion_answers import told_answer
from tests.companion import Teller
from tests.factories import make_extraction, story_rows, write_chat
from tests.tavern import TavernChatFile, make_tavern
from tests.turns import turns_are_true

CTX = NullContext()


@pytest.fixture
def handle(tmp_path):
    return make_tavern(tmp_path / "SillyTavern")


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
    return [m.text for m in memory.messages.slice(Line(chat_id, branch_id), 0, 10_000)]


def lines(memory, chat_id):
    return [texts(memory, chat_id, branch.id) for branch in memory.branches.all(chat_id)]


def said(file):
    return [row["mes"] for row in file.rows]


def test_a_copy_that_goes_on_under_another_name_is_no_conflict(memory, tmp_path):
    rows = [("甲", f"第{n % 7}句。") for n in range(20)]
    path = tmp_path / "故事.jsonl"
    chat_id = memory.imports.import_file(CTX, write_chat(path, rows)).chat_id
    longer = [("乙", f"第{n % 7}句。") for n in range(40)]
    report = memory.imports.import_file(CTX, write_chat(path, longer))
    assert (report.chat_id, report.branch_id, report.conflict) == (chat_id, "main", None)
    assert lines(memory, chat_id) == [[text for _name, text in longer]]


def test_an_older_copy_with_a_changed_line_becomes_a_branch(memory, tmp_path):
    rows = story_rows(70)
    path = tmp_path / "故事.jsonl"
    chat_id = memory.imports.import_file(CTX, write_chat(path, rows)).chat_id
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
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", rows)).chat_id
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
    teller = Teller(lambda event: memory.serving.told(CTX, event))
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
    assert told_answer(report)["conflict"] == {
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


def test_a_copy_that_goes_on_is_the_line_and_what_it_changed_is_a_branch(memory, tmp_path):
    rows, path = story_rows(30), tmp_path / "故事.jsonl"
    chat_id = memory.imports.import_file(CTX, write_chat(path, rows)).chat_id
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
    chat_id = memory.imports.import_file(CTX, write_chat(path, rows)).chat_id
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
