"""An import that the window's end stopped is told at the next start, and goes on at a click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from typing_extensions import override

from engram_desktop.app.start import build
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled
from tests.contexts import CancelledAt, TokenContext
from tests.factories import story_rows, write_chat
from tests.gui.waiting import settle

FLOORS = 4_000


def bars(desktop):
    return desktop.window.message_bar.bars


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def stopped(qtbot, qapp, memory, tmp_path):
    """A file, and the library behind a window that was closed while it was taken in."""
    file = write_chat(tmp_path / "长夜.jsonl", story_rows(FLOORS))
    memory.settings.set("embed.local", "hash")
    desktop = build(qapp, memory, memory.folder, language="en", theme="light")
    closed: list[bool] = []

    def close_when_it_goes_on(progress):
        if progress.label == "import" and progress.done and not closed:
            closed.append(desktop.close())

    desktop.runner.submitted.connect(lambda job: job.progressed.connect(close_when_it_goes_on))
    desktop.window.models.imports.run(file, into=None, name=None)
    qtbot.waitUntil(lambda: closed == [True], timeout=60_000)
    memory.close()
    return file


def test_what_is_there_and_what_is_missing_is_told_and_one_click_takes_in_the_rest(
    qtbot, stopped, library, open_memory, open_desktop
):
    memory = open_memory(library)
    (chat,) = (row for row in memory.chats.all() if row.name == "长夜")
    assert 0 < chat.messages < FLOORS
    desktop = open_desktop(memory)
    qtbot.waitUntil(lambda: bars(desktop) != [])
    (bar,) = bars(desktop)
    assert bar.notice.kind == "warning"
    assert bar.notice.text.startswith(stopped.name)
    assert f"{chat.messages} of its {FLOORS} messages are in “长夜”" in bar.notice.text
    click(qtbot, bar.button)
    settle(desktop)
    assert memory.messages.count(Line.main(chat.chat_id)) == FLOORS
    assert not any(stopped.name in bar.notice.text for bar in bars(desktop))
    assert not memory.session.has_stopped_imports


def test_what_is_left_so_is_told_no_more(qtbot, stopped, library, open_memory, open_desktop):
    memory = open_memory(library)
    desktop = open_desktop(memory)
    qtbot.waitUntil(lambda: bars(desktop) != [])
    (bar,) = bars(desktop)
    click(qtbot, bar.other_button)
    settle(desktop)
    assert bars(desktop) == []
    assert not memory.session.has_stopped_imports
    assert stopped.exists()


def test_a_file_that_is_gone_is_named_and_can_only_be_let_be(
    qtbot, stopped, library, open_memory, open_desktop
):
    stopped.unlink()
    desktop = open_desktop(open_memory(library))
    qtbot.waitUntil(lambda: bars(desktop) != [])
    (bar,) = bars(desktop)
    assert "cannot be read any more" in bar.notice.text
    assert bar.notice.action is None
    click(qtbot, bar.other_button)
    settle(desktop)
    assert bars(desktop) == []


def test_the_rest_of_a_chat_that_was_kept_beside_another_goes_into_that_one(memory, tmp_path):
    file = write_chat(tmp_path / "长夜.jsonl", story_rows(2000))
    memory.imports.import_file(TokenContext(), file)
    with pytest.raises(Cancelled):
        memory.imports.import_file(CancelledAt(2), file, name="第二夜")
    (stopped,) = memory.imports.stopped(TokenContext())
    assert 0 < stopped.there < stopped.count == 2000
    assert stopped.chat_name == "第二夜"
    memory.imports.import_file(TokenContext(), file, into=stopped.into)
    (chat,) = (row for row in memory.chats.all() if row.name == "第二夜")
    assert chat.messages == 2000
    assert memory.imports.stopped(TokenContext()) == []


def test_one_that_another_process_runs_is_not_stopped(memory, tmp_path):
    file = write_chat(tmp_path / "长夜.jsonl", story_rows(2000))
    seen = []

    class Looking(TokenContext):
        @override
        def report(self, done, total, label=""):
            seen.append(memory.session.has_stopped_imports)

    memory.imports.import_file(Looking(), file)
    assert seen
    assert not any(seen)
