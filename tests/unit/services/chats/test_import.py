from __future__ import annotations

import contextlib
import json

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.shipped import resource
from tests.contexts import TokenContext
from tests.factories import story_rows, write_chat

CTX = NullContext()


def texts(memory, chat_id):
    return [m.text for m in memory.messages.slice(Line.main(chat_id), 0, 10_000)]


def test_importing_twice_adds_nothing(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(20))
    first = memory.imports.import_file(CTX, file)
    again = memory.imports.import_file(CTX, file)
    assert (first.added, first.skipped) == (20, 0)
    assert (again.added, again.skipped, again.chat_id) == (0, 20, first.chat_id)
    assert [c.messages for c in memory.chats.all()] == [20]


def test_a_longer_version_adds_only_what_is_new_and_can_be_undone(memory, tmp_path):
    file = tmp_path / "故事.jsonl"
    chat_id = memory.imports.import_file(CTX, write_chat(file, story_rows(20))).chat_id
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
    chat_id = memory.imports.import_file(CTX, write_chat(file, story_rows(20))).chat_id
    report = memory.imports.import_file(CTX, write_chat(file, story_rows(12)))
    assert (report.added, report.chat_id) == (0, chat_id)
    assert len(texts(memory, chat_id)) == 20


def test_a_rerolled_end_replaces_the_old_one_and_marks_its_events_stale(memory, tmp_path):
    file = tmp_path / "故事.jsonl"
    rows = story_rows(20)
    chat_id = memory.imports.import_file(CTX, write_chat(file, rows)).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 19), "extractive")
    rows[19] = ("旅人", "我改变主意了，今晚就走。")
    write_chat(file, [*rows, ("爱丽丝", "路上小心。")])
    report = memory.imports.import_file(CTX, file, on_conflict="replace")
    assert report.added == 2
    assert texts(memory, chat_id)[19:] == ["我改变主意了，今晚就走。", "路上小心。"]
    events = memory.events.fetch(chat_id, memory.events.find(chat_id, EventQuery()))
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
    ctx = _CancelledAfter(2)
    with pytest.raises(Cancelled):
        memory.imports.import_file(ctx, file)
    (chat,) = memory.chats.all()
    assert 0 < chat.messages < 1800
    report = memory.imports.import_file(CTX, file)
    assert report.chat_id == chat.chat_id
    assert report.added == 1800 - chat.messages


class _CancelledAfter(TokenContext):
    def __init__(self, reports: int) -> None:
        super().__init__()
        self._left = reports

    @override
    def report(self, done, total, label=""):
        self.check()
        self._left -= 1
        if self._left < 0:
            self.token.cancel()
            self.check()


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
