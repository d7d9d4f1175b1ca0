"""A folder of Markdown files that is kept in step with a chat, both ways."""

from __future__ import annotations

import os
import shutil
import sys

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import FileExists, KeptForAnother, NotFound
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.memory.memory_file import (
    BadMemoryFile,
    MemoryFile,
    completed,
    free_name,
    parsed,
    rendered,
)
from engram_desktop.domain.reports import MAX_FILE
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, story_rows

CTX = NullContext()

# One file: what is written is what is read, however an editor leaves it.

EVENT = MemoryFile(
    "e1",
    "event",
    "下雨了。\n\n第二段。",
    (3, 5),
    "green",
    ("爱丽丝",),
    ("雨", "yes", "12:30"),
    "细节：#1",
)
ENTITY = MemoryFile("x1", "char", "生日: 冬至", tags=("小爱",), name="爱丽丝: “😀”")


@pytest.mark.parametrize("memory", [EVENT, ENTITY])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_what_is_written_is_what_is_read(memory, newline, mark):
    text = mark + rendered(memory).decode().replace("\n", newline)
    assert parsed(text.encode()) == memory
    assert completed(parsed(text.encode()), memory) == memory


def test_what_a_file_does_not_say_is_as_it_is():
    assert completed(parsed("雪。".encode()), EVENT) == MemoryFile(
        "e1", "event", "雪。", (3, 5), "green", ("爱丽丝",), EVENT.tags, EVENT.details
    )
    assert completed(parsed(b"---\ntags: []\nlamp: blue\n---\n\xe9\x9b\xaa"), EVENT).tags == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"a\0b", "no text in UTF-8"),
        (b"---\ntags: [a\n---\nb", "line"),
        (b"---\ntags: a\nb", "has no end"),
        (b"---\n- a\n---\nb", "key: value"),
        (b"---\na: &x 1\nb: *x\n---\nb", "own parts"),
        (b"---\nkind: dragon\n---\nb", "kind"),
        (b"---\nlamp: red\n---\nb", "lamp"),
        (b"---\nfloors: 5-3\n---\nb", "floors"),
        (b"---\nfloors: {a: 1}\n---\nb", "floors"),
        (b"---\ntags: {a: 1}\n---\nb", "tags"),
        (b"---\ntags: a\n---\n  \n", "no text"),
        (b"---\n" + b"[" * 5_000 + b"\n---\nb", "key: value"),
        (b"---\na: " + b"[" * 2_000 + b"]" * 2_000 + b"\n---\nb", "key: value"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(content, words):
    with pytest.raises(BadMemoryFile) as caught:
        parsed(content)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_differ_whatever_the_case_of_their_letters():
    assert free_name("events/Abc", "1234567890", []) == "events/Abc"
    assert free_name("events/Abc", "12-345", ["EVENTS/abc.md"]) == "events/Abc 12345"
    taken = ["a.md", "a memory.md"]
    assert free_name("a", "——", taken) == "a memory 2"


# A folder and a chat.


@pytest.fixture
def line(memory, tmp_path):
    line = Line.main(import_chat(memory, tmp_path / "故事.jsonl", story_rows(12)))
    for number, text in enumerate(("爱丽丝来了。", "下雨了。", "钥匙/丢了？")):
        data = PlotExtraction(text, ("雨",), entities=(ExtractedEntity("爱丽丝", "char"),))
        memory.events.add(line, data, SourceRange(number, number + 1))
    memory.pipeline.consolidate(CTX, line)
    return line


@pytest.fixture
def folder(memory, line, tmp_path):
    report = memory.care.folders.keep(CTX, line, tmp_path / "笔记")
    assert (report.written, report.lines) == (len(report.folder.marks), ())
    return tmp_path / "笔记"


def look(memory, folder, **options):
    (report,) = memory.care.folders.sync(CTX, folder, **options)
    return report


def file_of(folder, words):
    """The file whose text is this."""
    ending = f"---\n\n{words}\n".encode()
    (file,) = [f for f in folder.rglob("*.md") if f.is_file() and f.read_bytes().endswith(ending)]
    return file


def events(memory, line):
    keys = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
    return {e.summary: e for e in memory.events.fetch(line.chat_id, keys).values()}


def counts(report):
    return (report.written, report.edited, report.added, report.removed)


def change(file, old, new):
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def steps(memory, line):
    return len(memory.history.steps(line.chat_id))


def test_every_memory_has_a_file_and_a_second_look_does_nothing(memory, line, folder):
    files = {f.relative_to(folder).as_posix() for f in folder.rglob("*.md")}
    assert "entities/爱丽丝.md" in files
    assert any(name.startswith("events/00002-00003 钥匙_丢了") for name in files)
    assert len(files) == len(events(memory, line)) + len(memory.graph.find_entities(line))
    assert counts(look(memory, folder)) == (0, 0, 0, 0)


def test_an_edit_of_a_file_is_one_step_that_can_be_undone(memory, line, folder):
    file, before = file_of(folder, "下雨了。"), steps(memory, line)
    change(file, "下雨了。", "雨停了。")
    change(file, "- 雨", "- 晴\n- 夜")
    change(file, "lamp: green", "lamp: blue")
    assert counts(look(memory, folder)) == (0, 1, 0, 0)
    event = events(memory, line)["雨停了。"]
    assert (event.raw_data.keywords, event.is_archived) == (("晴", "夜"), False)
    assert steps(memory, line) == before + 1
    memory.history.undo(line.chat_id)
    assert counts(look(memory, folder)) == (1, 0, 0, 0)
    assert "下雨了。" in file.read_text("utf-8")


def test_an_entity_is_edited_as_one_step(memory, line, folder):
    file, before = folder / "entities" / "爱丽丝.md", steps(memory, line)
    change(file, "aliases: []", "aliases: [小爱]")
    with file.open("a", encoding="utf-8") as out:
        out.write("生日: 冬至\n")
    assert counts(look(memory, folder)) == (0, 1, 0, 0)
    alice = memory.graph.find_entity(line.chat_id, "小爱")
    assert (alice.name, alice.profile) == ("爱丽丝", {"生日": "冬至"})
    assert steps(memory, line) == before + 1
    file.write_text(file.read_text("utf-8") + "坏了\n", "utf-8")
    (line_said,) = look(memory, folder).lines
    assert (line_said.file, line_said.is_conflict) == ("entities/爱丽丝.md", False)


def test_a_new_file_becomes_an_event_and_is_given_its_id(memory, line, folder):
    before = steps(memory, line)
    (folder / "新.md").write_text(
        "---\ntags: 雪，夜\nfloors: 4-5\nlamp: green\n---\n下雪了。", "utf-8"
    )
    (folder / "events" / "事实.md").write_text("---\nkind: fact\n---\n酒馆在港口。", "utf-8")
    assert counts(look(memory, folder)) == (2, 0, 2, 0)
    snow, fact = events(memory, line)["下雪了。"], events(memory, line)["酒馆在港口。"]
    assert (snow.raw_data.keywords, snow.is_archived) == (("雪", "夜"), True)
    assert (snow.source_range, fact.kind) == (SourceRange(4, 5), "fact")
    assert snow.id in (folder / "新.md").read_text("utf-8")
    assert steps(memory, line) == before + 2
    assert counts(look(memory, folder)) == (0, 0, 0, 0)
    (folder / "新.md").rename(folder / "改名.md")
    assert counts(look(memory, folder)) == (0, 0, 0, 0)
    assert "下雪了。" in events(memory, line)


def test_what_is_deleted_on_one_side_is_deleted_on_the_other(memory, line, folder):
    file_of(folder, "下雨了。").unlink()
    assert counts(look(memory, folder)) == (0, 0, 0, 1)
    assert "下雨了。" not in events(memory, line)
    memory.history.undo(line.chat_id)
    assert counts(look(memory, folder)) == (1, 0, 0, 0)
    memory.events.delete(CTX, line.chat_id, [events(memory, line)["下雨了。"].pk])
    gone = file_of(folder, "下雨了。")
    assert counts(look(memory, folder)) == (1, 0, 0, 0)
    assert not gone.exists()
    (folder / "entities" / "爱丽丝.md").unlink()
    assert counts(look(memory, folder)) == (0, 0, 0, 1)
    assert [e.name for e in memory.graph.hidden_entities(line.chat_id)] == ["爱丽丝"]


@pytest.mark.parametrize("side", ["here", "there"])
def test_what_both_sides_changed_waits_and_nothing_is_overwritten(memory, line, folder, side):
    file = file_of(folder, "下雨了。")
    name = file.relative_to(folder).as_posix()
    memory.events.update(
        line.chat_id, events(memory, line)["下雨了。"].pk, EventPatch(summary="甲。")
    )
    change(file, "下雨了。", "乙。")
    for _look in range(2):
        report = look(memory, folder)
        assert counts(report) == (0, 0, 0, 0)
        assert [one.file for one in report.conflicts] == [name]
        assert "乙。" in file.read_text("utf-8")
        assert "甲。" in events(memory, line)
    report = memory.care.folders.choose(CTX, folder, name, side)
    assert report.conflicts == ()
    stands = "甲。" if side == "here" else "乙。"
    assert stands in file.read_text("utf-8")
    assert stands in events(memory, line)
    assert counts(look(memory, folder)) == (0, 0, 0, 0)


def test_a_file_that_is_saved_while_the_folder_is_looked_at_waits(memory, line, folder):
    file = file_of(folder, "下雨了。")
    memory.events.update(
        line.chat_id, events(memory, line)["下雨了。"].pk, EventPatch(summary="甲。")
    )
    (folder / "A.md").write_text("下雪了。", "utf-8")  # taken over first, after all were read

    class Saving(NullContext):
        @override
        def write(self, unit):
            file.write_text("乙。", "utf-8")
            return super().write(unit)

    (report,) = memory.care.folders.sync(Saving(), folder)
    assert [one.file for one in report.conflicts] == [file.relative_to(folder).as_posix()]
    assert (file.read_text("utf-8"), "甲。" in events(memory, line)) == ("乙。", True)


@pytest.mark.parametrize("side", ["here", "there"])
def test_deleted_on_one_side_and_changed_on_the_other_waits_too(memory, line, folder, side):
    edited, deleted = file_of(folder, "下雨了。"), file_of(folder, "爱丽丝来了。")
    memory.events.delete(CTX, line.chat_id, [events(memory, line)["下雨了。"].pk])
    change(edited, "下雨了。", "乙。")
    deleted.unlink()
    pk = events(memory, line)["爱丽丝来了。"].pk
    memory.events.update(line.chat_id, pk, EventPatch(summary="甲。"))
    report = look(memory, folder)
    names = sorted(f.relative_to(folder).as_posix() for f in (edited, deleted))
    assert [one.file for one in report.conflicts] == names
    assert counts(report) == (0, 0, 0, 0)
    for name in names:
        memory.care.folders.choose(CTX, folder, name, side)
    assert look(memory, folder).lines == ()
    assert edited.exists() == (side == "there") == ("乙。" in events(memory, line))
    assert ("甲。" in events(memory, line)) == (side == "here")
    assert any("甲。" in f.read_text("utf-8") for f in folder.rglob("*.md")) == (side == "here")


def test_many_files_that_are_gone_at_once_delete_nothing_until_that_is_said(memory, line, folder):
    for number in range(8):
        memory.events.add(line, PlotExtraction(f"第{number}件事。"), SourceRange(0, 0))
    look(memory, folder)
    before = len(events(memory, line))
    shutil.rmtree(folder / "events")
    (waits,) = look(memory, folder).conflicts
    assert str(before) in str(waits.reason)
    assert len(events(memory, line)) == before
    assert counts(look(memory, folder, with_deletions=True)) == (0, 0, 0, before)
    shutil.rmtree(folder)
    assert look(memory, folder).folder.fault == "missing"


def test_what_cannot_be_changed_in_a_file_is_said_and_left(memory, folder):
    file = file_of(folder, "下雨了。")
    change(file, "floors: 1-2", "floors: 0-9")
    (said,) = look(memory, folder).lines
    assert "floors" in str(said.reason)
    assert "floors: 0-9" in file.read_text("utf-8")
    (folder / "人.md").write_text("---\nkind: char\nname: 某人\n---\n", "utf-8")
    assert "entities come from the story" in str(look(memory, folder).lines[1].reason)


def test_hostile_files_give_one_line_each_and_nothing_else(memory, line, folder, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("外面的话。", "utf-8")
    (folder / "大.md").write_bytes(b"a" * (MAX_FILE + 1))
    (folder / "二进制.md").write_bytes(b"\x00\xff")
    (folder / "坏.md").write_text("---\ntags: [\n---\n词", "utf-8")
    (folder / "😀.md").write_bytes("\ufeff笑了。\r\n".encode())
    (folder / ".hidden.md").write_text("藏着。", "utf-8")
    (folder / "别的.txt").write_text("不看。", "utf-8")
    (folder / "深.md").mkdir()
    copied = file_of(folder, "下雨了。")
    shutil.copy(copied, folder / "copy.md")
    expected = {"copy.md", "大.md", "二进制.md", "坏.md"}
    if sys.platform != "win32":
        (folder / "链.md").symlink_to(secret)
        os.mkfifo(folder / "管.md")
        (folder / "Ab.md").write_text("大写。", "utf-8")
        (folder / "ab.md").write_text("小写。", "utf-8")
        expected |= {"链.md", "管.md", "ab.md"}
    report = look(memory, folder)
    assert {one.file for one in report.lines} == expected
    assert all("\n" not in str(one.reason) and not one.is_conflict for one in report.lines)
    assert "笑了。" in events(memory, line)
    assert not {"外面的话。", "小写。", "藏着。", "不看。"} & events(memory, line).keys()
    assert secret.read_text("utf-8") == "外面的话。"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_room_that_is_a_link_is_neither_read_nor_written(memory, line, folder, tmp_path):
    (folder / "events").rename(tmp_path / "away")
    (folder / "events").symlink_to(tmp_path / "away")
    before = {f.name: f.read_bytes() for f in (tmp_path / "away").iterdir()}
    memory.events.add(line, PlotExtraction("新的事。"), SourceRange(0, 0))
    report = look(memory, folder)
    assert "events" in {one.file for one in report.lines}
    assert report.removed == 0
    assert {f.name: f.read_bytes() for f in (tmp_path / "away").iterdir()} == before


def test_a_folder_that_holds_anything_is_refused_and_one_of_another_chat_too(
    memory, line, folder, tmp_path
):
    (tmp_path / "voll").mkdir()
    (tmp_path / "voll" / "a.txt").write_text("a")
    with pytest.raises(FileExists):
        memory.care.folders.keep(CTX, line, tmp_path / "voll")
    with pytest.raises(NotFound):
        memory.care.folders.keep(CTX, line, tmp_path / "none" / "below")
    other = Line.main(import_chat(memory, tmp_path / "别.jsonl", [("甲", "别的话。")]))
    with pytest.raises(KeptForAnother):
        memory.care.folders.keep(CTX, other, folder)
    assert memory.care.folders.keep(CTX, line, folder).written == 0
    same = folder / ".." / folder.name  # written in another way
    assert memory.care.folders.keep(CTX, line, same).written == 0
    assert memory.care.folders.keep(CTX, line, same).folder.path == str(folder)
    assert memory.care.folders.stop(folder).path == str(folder)
    assert memory.care.folders.all() == []
    with pytest.raises(NotFound):
        memory.care.folders.sync(CTX, folder)


def test_a_chat_that_is_gone_is_said_and_its_files_stay(memory, line, folder):
    memory.chats.delete(line.chat_id)
    assert look(memory, folder).folder.fault == "lost"
    assert any(folder.rglob("*.md"))
    memory.chats.restore(line.chat_id)
    assert (look(memory, folder).folder.fault, line.branch_id) == ("", MAIN_BRANCH)


def test_private_notes_are_in_no_file(memory, line, folder):
    event = events(memory, line)["下雨了。"]
    memory.chats.notes.write(line.chat_id, "event", event.id, "密语")
    memory.chats.notes.write(line.chat_id, "chat", "", "密语")
    memory.events.update(line.chat_id, event.pk, EventPatch(summary="雪。"))
    assert look(memory, folder).written == 1
    assert not any("密语" in f.read_text("utf-8") for f in folder.rglob("*.md"))
