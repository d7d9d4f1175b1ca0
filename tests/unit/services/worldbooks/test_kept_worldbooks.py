"""The `[Engram]` worldbook: an entry keeps its number, and a kept file is never taken over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import InputError, NotFound, StorageError
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, CancelToken, NullContext
from engram_desktop.storage.library.worldbooks import digest
from tests.factories import make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    for start in (0, 20):
        add(memory, chat_id, start)
    return chat_id


def add(memory, chat_id, start):
    data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}",))
    return memory.events.add(Line.main(chat_id), data, SourceRange(start, start + 9))[0]


def numbers(worldbook):
    return {row["comment"]: row["uid"] for row in worldbook.rows}


def written(file):
    return json.loads(file.read_text("utf-8"))["entries"]


@pytest.fixture
def kept(memory, chat, tmp_path):
    file = tmp_path / "worlds" / "[Engram] 爱丽丝.json"
    file.parent.mkdir()
    memory.kept.keep(CTX, Line.main(chat), file)
    return file


def test_an_entry_keeps_its_number_when_others_come_and_go(memory, chat):
    before = numbers(memory.kept.memory_worldbook(CTX, Line.main(chat)))
    middle = add(memory, chat, 10)
    after = memory.kept.memory_worldbook(CTX, Line.main(chat))
    assert before.items() <= numbers(after).items()
    assert len(set(numbers(after).values())) == len(after.rows)
    assert after.events[numbers(after)["剧情摘要_10-19"]] == middle
    told = [row["comment"] for row in after.rows if row["comment"].startswith("剧情摘要_")]
    assert told == ["剧情摘要_0-9", "剧情摘要_10-19", "剧情摘要_20-29"]
    memory.events.delete(CTX, chat, [middle])
    assert numbers(memory.kept.memory_worldbook(CTX, Line.main(chat))) == before


def test_the_worldbook_as_it_is_shown_is_the_worldbook_as_it_is_read(memory, chat, tmp_path):
    made = memory.kept.memory_worldbook(CTX, Line.main(chat))
    file = tmp_path / "out.json"
    file.write_bytes(made.content(CTX))
    memory.imports.import_file(CTX, file)
    read = memory.worldbooks.read(memory.worldbooks.all()[0].id)
    by_number = sorted(made.as_worldbook(CTX).entries, key=lambda entry: entry.uid)
    assert list(read.entries) == by_number
    assert [row["displayIndex"] for row in made.rows] == list(range(len(made.rows)))


def test_making_the_worldbook_can_be_cancelled(memory, chat):
    class Stopped(NullContext):
        token = CancelToken()

        @override
        def check(self):
            self.token.check()

    Stopped.token.cancel()
    with pytest.raises(Cancelled):
        memory.kept.memory_worldbook(Stopped(), Line.main(chat))


def test_a_kept_file_follows_the_memory(memory, chat, kept):
    before = written(kept)
    assert memory.kept.sync(CTX)[0].is_written is False
    add(memory, chat, 10)
    report = memory.kept.sync(CTX, chat)[0]
    assert (report.is_written, report.worldbook.entries) == (True, len(before) + 1)
    assert "剧情摘要_10-19" in {entry["comment"] for entry in written(kept).values()}
    assert (
        written(kept).items()
        >= {key: entry for key, entry in before.items() if entry["comment"] == "<summary>"}.items()
    )
    assert [file.name for file in kept.parent.iterdir()] == [kept.name]
    memory.history.undo(chat)
    memory.kept.sync(CTX, chat)
    assert written(kept).keys() == before.keys()


def test_new_messages_alone_do_not_rewrite_it(memory, chat, kept):
    memory.messages.append(Line.main(chat), "旅人", "user", "你好。")
    assert not memory.kept.sync(CTX)[0].is_written


def test_only_a_new_file_is_taken(memory, chat, tmp_path):
    mine = tmp_path / "mine.json"
    mine.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="exists already"):
        memory.kept.keep(CTX, Line.main(chat), mine)
    with pytest.raises(NotFound):
        memory.kept.keep(CTX, Line.main(chat), tmp_path / "nowhere" / "x.json")
    assert mine.read_text("utf-8") == "mine"
    assert memory.kept.all() == []


def test_a_file_that_somebody_changed_is_left_alone_until_it_is_out_of_the_way(memory, chat, kept):
    ours = kept.read_bytes()
    kept.write_bytes(ours + b"\n")
    add(memory, chat, 10)
    report = memory.kept.sync(CTX)[0]
    assert (report.worldbook.fault, report.is_news, report.is_written) == ("changed", True, False)
    assert "left as it is" in report.worldbook.trouble
    assert memory.kept.sync(CTX)[0].is_news is False
    assert memory.kept.sync(CTX, file=kept, is_asked=True)[0].worldbook.fault == "changed"
    assert kept.read_bytes() == ours + b"\n"
    kept.write_bytes(ours)
    assert memory.kept.sync(CTX)[0].is_written
    assert memory.kept.all()[0].trouble is None


def test_a_file_that_is_gone_is_written_anew_only_when_asked(memory, chat, kept):
    kept.unlink()
    assert memory.kept.sync(CTX)[0].worldbook.fault == "missing"
    assert not kept.exists()
    report = memory.kept.sync(CTX, file=kept, is_asked=True)[0]
    assert (report.worldbook.fault, report.is_written) == ("", True)
    assert written(kept)


def test_a_kill_at_any_moment_is_no_strangers_change(memory, chat, kept):
    row = memory.kept.all()[0]
    add(memory, chat, 10)
    content = memory.kept.memory_worldbook(CTX, Line.main(chat)).content(CTX)
    for half in (b"", content):  # before and after the renaming
        intent = type(row)(row.path, chat, "main", row.hash, digest(content), row.entries)
        memory.session.library.kept.put(intent)
        if half:
            kept.write_bytes(half)
        add(memory, chat, 30)
        assert memory.kept.sync(CTX)[0].worldbook.fault == ""
        memory.history.undo(chat)
        memory.kept.sync(CTX)
        row = memory.kept.all()[0]
    kept.write_bytes(b"")  # claimed for the first time, and killed then
    memory.session.library.kept.put(type(row)(row.path, chat, "main", "", digest(content)))
    assert memory.kept.sync(CTX)[0].is_written


def test_a_branch_that_is_gone_and_a_stopped_file_write_nothing(memory, chat, tmp_path):
    branch, _changes = memory.branches.fork(Line.main(chat), at=15, name="另一条路")
    file = tmp_path / "b.json"
    memory.kept.keep(CTX, Line(chat, branch), file)
    assert "剧情摘要_20-29" not in file.read_text("utf-8")
    memory.branches.delete(Line(chat, branch))
    assert memory.kept.sync(CTX)[0].worldbook.fault == "lost"
    memory.kept.stop(file)
    assert memory.kept.all() == []
    with pytest.raises(NotFound, match="kept world book"):
        memory.kept.stop(file)
    assert file.exists()


def test_a_deleted_chat_keeps_no_file(memory, chat, kept):
    memory.chats.delete(chat)
    assert memory.kept.all() == []
    assert kept.exists()


def test_the_worlds_folder_of_a_known_installation_is_suggested(memory, chat, tmp_path):
    assert memory.kept.suggested_file(chat) == Path("[Engram] 爱丽丝.json")
    handle = tmp_path / "ST" / "data" / "default-user"
    for name in ("worlds", "characters", "chats"):
        (handle / name).mkdir(parents=True)
    memory.settings.set("tavern.folder", str(tmp_path / "ST"))
    assert memory.kept.suggested_file(chat) == handle / "worlds" / "[Engram] 爱丽丝.json"
    memory.settings.set("tavern.folder", str(tmp_path / "gone"))
    assert memory.kept.suggested_file(chat) == Path("[Engram] 爱丽丝.json")


def test_the_memory_is_held_against_the_chat_when_asked(memory, chat):
    first = memory.events.find(chat, EventQuery())[0]
    memory.events.set_archived(CTX, chat, [first], archived=True)
    memory.events.update(chat, first, EventPatch(keywords=("第38把铜钥匙",)))
    made = memory.kept.memory_worldbook(CTX, Line.main(chat))
    found = memory.worldbooks.activate(CTX, Line.main(chat), [made.as_worldbook(CTX)])
    why = {outcome.entry.comment: outcome.reason.why for outcome in found.outcomes}
    assert why["<summary>"] == why["剧情摘要_20-29"] == "constant"
    assert why["剧情摘要_0-9"] == "key"
    assert why["Engram System State"] == "disabled"
    assert memory.worldbooks.activate(CTX, Line.main(chat)).outcomes == ()
    assert memory.worldbooks.context(CTX, Line.main(chat), 39) == ""


@pytest.mark.parametrize("length", [120, 83])  # bytes: more than a name may have, or just not
def test_a_file_that_cannot_be_written_is_not_kept(memory, chat, tmp_path, length):
    folder = tmp_path / "worlds"
    folder.mkdir()
    target = folder / ("名" * length + ".json")
    with pytest.raises(StorageError):
        memory.kept.keep(CTX, Line.main(chat), target)
    assert memory.kept.all() == []
