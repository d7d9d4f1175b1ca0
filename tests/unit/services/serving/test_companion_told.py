"""A chat that is told of by a companion is what its followed file would be."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path, PurePath

import pytest

from engram_desktop.domain.errors import InputError, NothingToUndo
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.companion import ToldOffer, ToldPiece, ToldRows
from engram_desktop.jobs.context import NullContext
from tests.companion import Teller
from tests.oracle.acts import states_of
from tests.oracle.acts_expected import File
from tests.oracle.report import recorded
from tests.tavern import TavernChatFile, make_tavern, told

CTX = NullContext()
OWNER = "爱丽丝.png"


@pytest.fixture
def teller(memory):
    return Teller(lambda event: memory.serving.told(CTX, event))


@pytest.fixture
def file(tmp_path):
    made = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / "月光 - 2026-11-21.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆。" for n in range(30)))
    return made


def tell(teller, file, owner=OWNER, **more):
    slip = file.metadata.get("integrity", "")
    chat = teller.chat(owner, file.path.stem, slip=slip, **more)
    header = {"chat_metadata": file.metadata, "user_name": "unused", "character_name": "unused"}
    return teller.tell(chat, header, file.rows)


def fresh(open_memory, folder, file):
    memory = open_memory(folder)
    return told(memory, memory.imports.import_file(CTX, file.path).chat_id)


def test_a_whole_chat_in_pieces_is_the_chat_of_its_file(
    memory, open_memory, teller, file, tmp_path
):
    report = tell(teller, file)
    assert (report.state, report.floors) == ("kept", 30)
    assert report.changes.messages
    assert told(memory, report.line.chat_id) == fresh(open_memory, tmp_path / "fresh", file)
    assert memory.chats.name(report.line.chat_id) == file.path.stem


def test_what_happens_in_a_chat_is_told_in_little_and_can_be_undone(memory, teller, file):
    line = tell(teller, file).line
    before = told(memory, line.chat_id)
    file.say("“我们明天就走。”")
    file.swipe("“我们今晚就走。”")
    file.edit(3, "第3天，铜钥匙不见了。")
    file.hide(4)
    file.delete(10, 11)
    report = tell(teller, file)
    assert (report.state, teller.wholes) == ("kept", 1)
    assert [m.text for m in memory.messages.slice(line, 0, 100)] == [r["mes"] for r in file.rows]
    assert [m.is_hidden for m in memory.messages.slice(line, 3, 5)] == [False, True, False]
    with contextlib.suppress(NothingToUndo):
        for _step in range(10):
            memory.history.undo(line.chat_id)
    assert told(memory, line.chat_id) == before


def test_a_reroll_keeps_its_readings(memory, teller, file):
    line = tell(teller, file).line
    file.swipe("另一种说法。", floor=28)
    tell(teller, file)
    message = memory.messages.slice(line, 28, 28)[0]
    assert message.text == "另一种说法。"
    store = memory.session.chat(line.chat_id)
    _id, _hash, raw = next(iter(store.messages.raws(line.branch_id, 28, 28)))
    assert len(json.loads(raw)["swipes"]) == 2


def test_a_branch_is_a_branch_of_what_it_was_made_from(memory, teller, file):
    line = tell(teller, file).line
    branch = file.branch(20, "月光 - Branch #1")
    branch.metadata["integrity"] = "1"
    branch.say("“你走另一条路。”")
    tell(teller, file)
    report = tell(teller, branch)
    assert report.line.chat_id == line.chat_id
    assert report.line.branch_id != line.branch_id
    made = next(b for b in memory.branches.all(line.chat_id) if b.id == report.line.branch_id)
    assert (made.name, made.fork_seq) == ("月光 - Branch #1", 20)


def test_a_chat_is_found_again_after_a_restart(open_memory, tmp_path, file):
    folder = tmp_path / "library"
    first = open_memory(folder)
    teller = Teller(lambda event: first.serving.told(CTX, event))
    line = tell(teller, file).line
    first.close()
    second = open_memory(folder)
    teller._tell = lambda event: second.serving.told(CTX, event)
    file.say("“还在吗？”")
    report = tell(teller, file)
    assert (report.line, teller.wholes) == (line, 1)
    assert second.messages.count(line) == 31


def test_an_offer_of_what_is_known_asks_for_nothing(memory, teller, file):
    report = tell(teller, file)
    chat = teller.chat(OWNER, file.path.stem, slip="0")
    assert memory.serving.told(CTX, ToldOffer(chat, report.revision)).state == "kept"
    assert memory.serving.told(CTX, ToldOffer(chat, "other")).state == "whole"


def test_a_renamed_chat_stays_the_same_line(memory, teller, file, tmp_path):
    line = tell(teller, file).line
    file.path = file.path.with_name("满月.jsonl")
    report = tell(teller, file)  # nobody said that the old name is gone: the slip says so
    assert report.line == line
    assert memory.chats.name(line.chat_id) == "满月"


def test_a_chat_that_was_deleted_there_is_left_alone_here(memory, teller, file):
    line = tell(teller, file).line
    teller.gone(teller.chat(OWNER, file.path.stem))
    assert memory.messages.count(line) == 30
    file.say("“我又来了。”")
    assert tell(teller, file).line == line


def test_a_chat_whose_file_is_followed_is_left_to_its_file(memory, teller, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "月光.jsonl")
    file.say(*(f"第{n}天。" for n in range(10)))
    followed = memory.tavern.sync_chat(CTX, file.path)
    before = told(memory, followed.chat_id)
    file.say("“只有页面知道的话。”")
    report = tell(teller, file)
    assert (report.state, report.line) == ("followed", Line(followed.chat_id, "main"))
    assert told(memory, followed.chat_id) == before
    assert len(memory.chats.all()) == 1


def test_a_folder_that_is_followed_later_takes_over(memory, teller, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "月光.jsonl")
    file.say(*(f"第{n}天。" for n in range(10)))
    line = tell(teller, file).line
    synced = memory.tavern.sync_chat(CTX, file.path)
    assert Line(synced.chat_id, synced.branch_id) == line
    assert tell(teller, file).state == "followed"
    assert len(memory.chats.all()) == 1


def test_a_chat_that_is_to_be_let_be_is_let_be(memory, teller, file):
    line = tell(teller, file).line
    path = next(row.path for row in memory.tavern.followed())
    memory.tavern.let_be(Path(path))
    file.say("“有人听见吗？”")
    assert tell(teller, file).state == "let_be"
    assert memory.messages.count(line) == 30


def test_nothing_is_kept_where_the_server_keeps_nothing(memory, teller, file):
    memory.settings.set("serve.keep", False)
    assert tell(teller, file).state == "off"
    assert memory.chats.all() == []


def test_a_group_is_named_and_each_speaker_is_who_it_is(memory, teller, tmp_path):
    file = TavernChatFile(tmp_path / "2026-11-21.jsonl")
    file.group = ("爱丽丝", "凯尔")
    file.say(*(f"第{n}句。" for n in range(12)))
    report = tell(
        teller,
        file,
        owner="1763700000000",
        is_group=True,
        group_name="酒馆里的人",
        members=("爱丽丝.png", "凯尔.png"),
    )
    assert memory.chats.name(report.line.chat_id) == "酒馆里的人 – 2026-11-21"
    assert {m.name for m in memory.messages.slice(report.line, 0, 11)} == {"旅人", "爱丽丝", "凯尔"}


@pytest.mark.parametrize(
    ("first", "removed", "total"), [(31, 0, 31), (29, 5, 30), (0, 0, 40), (2, 1, 30)]
)
def test_a_change_that_does_not_fit_asks_for_the_whole_chat(
    memory, teller, file, first, removed, total
):
    report = tell(teller, file)
    chat = teller.chat(OWNER, file.path.stem)
    rows = (json.dumps({"name": "爱丽丝", "mes": "嗯。"}),)
    change = ToldRows(chat, report.revision, first, removed, rows, total + 5)
    assert memory.serving.told(CTX, change).state == "whole"
    assert memory.messages.count(report.line) == 30
    assert tell(teller, file).state == "kept"


def test_pieces_out_of_order_ask_for_the_whole_chat(memory, teller):
    chat = teller.chat(OWNER, "月光")
    row = (json.dumps({"name": "爱丽丝", "mes": "嗯。"}),)
    assert memory.serving.told(CTX, ToldPiece(chat, "a", 1, 3, row)).state == "whole"
    assert memory.serving.told(CTX, ToldPiece(chat, "b", 0, 3, row)).state == "more"
    assert memory.serving.told(CTX, ToldPiece(chat, "c", 1, 3, row)).state == "whole"
    assert memory.serving.told(CTX, ToldPiece(chat, "b", 1, 3, row)).state == "whole"
    assert memory.chats.all() == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../../library",
        "a/b",
        "a\\b",
        "C:x",
        "x\n",
        "con",
        "NUL.txt",
        "end. ",
        "x" * 300,
        "月" * 80,
        "\ud83d/..",
    ],
)
@pytest.mark.parametrize("place", ["file", "owner"])
def test_a_name_that_leads_elsewhere_is_refused(memory, teller, tmp_path, name, place):
    chat = teller.chat(OWNER, name) if place == "file" else teller.chat(name, "月光")
    before = sorted(path.as_posix() for path in tmp_path.rglob("*"))
    with pytest.raises(InputError):
        teller.tell(chat, {}, [{"name": "爱丽丝", "mes": "嗯。"}])
    assert sorted(path.as_posix() for path in tmp_path.rglob("*")) == before


def test_a_tavern_that_names_itself_like_a_path_is_refused(memory):
    teller = Teller(lambda event: memory.serving.told(CTX, event), tavern="../up")
    with pytest.raises(InputError):
        teller.tell(teller.chat(OWNER, "月光"), {}, [{"name": "爱丽丝", "mes": "嗯。"}])


@pytest.mark.parametrize("row", ['{"mes": "a"}\n{"mes": "b"}', "", "  ", '{"mes":\r"a"}'])
def test_a_row_that_is_not_one_line_is_refused(memory, teller, row):
    with pytest.raises(InputError):
        teller.tell(teller.chat(OWNER, "月光"), {}, [row])


def test_hostile_rows_are_read_as_an_import_reads_them(memory, open_memory, teller, tmp_path):
    rows = [
        '{"name": "爱丽丝", "mes": "第一句。"}',
        "no json at all",
        '{"name": 5, "mes": {"a": 1}}',
        "[" * 100_000,
        '{"name": "爱丽丝", "mes": "半个 \\ud83d 表情", "swipes": "x", "swipe_id": 9}',
        '{"name": "<img src=x onerror=alert(1)>", "is_user": "true", "mes": "<b>第二句。</b>"}',
        '{"mes": "' + "长" * 400_000 + '"}',
    ]
    report = teller.tell(teller.chat(OWNER, "月光"), {}, rows)
    path = tmp_path / "月光.jsonl"
    path.write_text("\n".join(["", *rows]), "utf-8")
    other = open_memory(tmp_path / "other")
    chat_id = other.imports.import_file(CTX, path).chat_id
    assert told(memory, report.line.chat_id) == told(other, chat_id)


def test_what_was_played_in_a_real_sillytavern_is_told_as_it_stands_there(open_memory, tmp_path):
    """After each recorded act the open chat is told of; the library has it word for word."""
    memory = open_memory(tmp_path / "acts")
    teller = Teller(lambda event: memory.serving.told(CTX, event))
    checked = 0
    before = ""
    for state in states_of(recorded("acts")):
        if not state.is_whole or state.open_file not in state.files:
            continue
        if before and before not in state.files:  # renamed or deleted: the page hears of it
            teller.gone(chat_of(teller, before))
        before = state.open_file
        lines = state.files[state.open_file].split("\n")
        header = json.loads(lines[0])
        chat = chat_of(teller, before, header["chat_metadata"].get("integrity", ""))
        report = teller.tell(chat, header, [line for line in lines[1:] if line])
        expected = File.of(state.files[state.open_file]).said
        if report.line is None:  # a copy that says nothing of its own yet
            continue
        messages = memory.messages.slice(report.line, 0, 10_000)
        assert [(m.name, m.text, m.is_hidden, m.role) for m in messages] == expected, state.act
        checked += 1
    assert checked > 50


def chat_of(teller, path, slip=""):
    parts = PurePath(path)
    is_group = parts.parts[0] == "group chats"
    owner = "group" if is_group else f"{parts.parent.name}.png"
    return teller.chat(owner, parts.stem, is_group=is_group, slip=slip)
