"""The window beside other programs at its library: real processes write, the window shows it."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from PySide6.QtWidgets import QApplication

from engram_desktop.app.start import build
from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.domain.memory.event import EventPatch
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.patches import values_of
from engram_desktop.domain.write_access import WINDOW, WriteAccess
from engram_desktop.qtjobs.live_changes import FOREIGN
from engram_desktop.services.memory import ClosedLibrary, Memory
from engram_desktop.storage.library.foreign_changes import anything_in
from tests.factories import model_at, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import open_page, settle, show_chat
from tests.programs import start_python

SHOWN_MS = 20_000  # some two seconds on a quiet computer
MAIN = "import sys; from engram_desktop.cli.main import main; sys.exit(main(sys.argv[1:]))"
HOLD = """
import sys
from pathlib import Path
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.services.memory import Memory
kind, folder = sys.argv[1:]
memory = Memory.open(
    Path(folder), program="engram import", environ={}, access=WriteAccess(kind, 60)
)
print("held", flush=True)
sys.stdin.readline()
memory.close()
"""


class Programs:
    """Starts processes at one library while the window goes on."""

    def __init__(self, qtbot, library):
        self._qtbot = qtbot
        self._library = library
        self._running = []

    def start(self, *words):
        return self._process(MAIN, *words, "--library", self._library, "--json")

    def run(self, *words):
        """Let a command end, and return what it printed."""
        process = self.start(*words)
        self._qtbot.waitUntil(lambda: process.poll() is not None, timeout=60_000)
        out, error = process.communicate()
        assert (process.returncode, error) == (0, "")
        return json.loads(out)

    def hold(self, kind="own"):
        process = self._process(HOLD, kind, self._library)
        assert process.stdout.readline() == "held\n"
        return process

    def release(self, process):
        process.communicate("\n", timeout=60)

    def end(self):
        for process in self._running:
            process.kill()
            process.communicate()

    def _process(self, code, *words):
        process = start_python(code, *words, stdin=subprocess.PIPE)
        self._running.append(process)
        return process


@pytest.fixture
def programs(qtbot, library):
    made = Programs(qtbot, library)
    yield made
    made.end()


@pytest.fixture
def chat(desktop):
    return desktop.workspace.chat_id


def stored(memory, chat, key):
    return memory.events.fetch(chat, [key])[key]


def bars(desktop):
    return [bar.notice for bar in desktop.window.message_bar.bars if not bar.is_dismissed]


def keys(desktop):
    return list(desktop.window.models.events.model.keys())


def begin_to_edit(desktop, text, row=0):
    """Show an event and type into its summary; returns its key."""
    desktop.window.event_page.view.show_row(row)
    editor = desktop.window.models.editor
    desktop.window.editor.fields.summary.setFocus()
    desktop.window.editor.fields.summary.setPlainText(text)
    editor._idle.stop()  # it is saved when the test says so
    return editor.current.pk


@pytest.mark.e2e
def test_what_a_command_adds_is_shown_and_nothing_else_moves(qtbot, desktop, programs, chat):
    view = desktop.window.event_page.view
    view.show_row(len(keys(desktop)) - 3)
    selected = desktop.window.models.editor.current.pk
    place = view.verticalScrollBar().value()
    added = programs.run("add", chat, "陌生人在井边留下一枚银币。")
    qtbot.waitUntil(lambda: added["pk"] in keys(desktop), timeout=SHOWN_MS)
    settle(desktop)
    assert desktop.window.models.editor.current.pk == selected
    assert view.verticalScrollBar().value() == place
    assert view.currentIndex().row() == keys(desktop).index(selected)
    changed = programs.run("event", chat, added["id"], "--set", "summary=银币不见了。")
    assert changed["summary"] == "银币不见了。"
    view.show_row(keys(desktop).index(added["pk"]))
    editor = desktop.window.editor.fields.summary
    qtbot.waitUntil(lambda: editor.toPlainText() == "银币不见了。", timeout=SHOWN_MS)


@pytest.mark.e2e
def test_imports_consolidations_and_deletions_are_shown(
    qtbot, desktop, memory, programs, chat, tmp_path
):
    programs.run("import", write_chat(tmp_path / "别的.jsonl", [("甲", "一。"), ("乙", "二。")]))
    chats = desktop.window.models.chats
    qtbot.waitUntil(lambda: "别的" in [row.name for row in chats.chats], timeout=SHOWN_MS)
    waiting = memory.events.counts(Line.main(chat)).buffer
    assert waiting
    programs.run("consolidate", chat)
    counts = desktop.window.models.events
    qtbot.waitUntil(lambda: counts.counts.buffer == 0, timeout=SHOWN_MS)
    other = next(row.chat_id for row in chats.chats if row.name == "别的")
    show_chat(desktop, other)
    programs.run("delete", other)
    qtbot.waitUntil(lambda: desktop.workspace.chat_id != other, timeout=SHOWN_MS)
    assert any("deleted the chat" in notice.text for notice in bars(desktop))
    settle(desktop)
    assert [row.chat_id for row in chats.chats] == [chat]


@pytest.mark.e2e
def test_a_page_that_is_read_goes_on_when_the_chat_grows(
    qtbot, desktop, memory, programs, tmp_path
):
    rows = [("旅人" if n % 2 else "爱丽丝", f"第{n}句。") for n in range(40)]
    file = tmp_path / "长谈.jsonl"
    programs.run("import", write_chat(file, rows))
    qtbot.waitUntil(lambda: len(desktop.window.models.chats.chats) == 2, timeout=SHOWN_MS)
    (chat,) = [row.chat_id for row in memory.chats.all() if row.name == "长谈"]
    desktop.workspace.show_chat(chat)
    open_page(desktop, "reading")
    reading = desktop.window.models.reading
    assert reading.state.count == len(rows)
    programs.run("import", write_chat(file, [*rows, ("爱丽丝", "还有一句。")]))
    qtbot.waitUntil(lambda: reading.state.count == len(rows) + 1, timeout=SHOWN_MS)


@pytest.mark.e2e
@pytest.mark.parametrize("mine", [True, False])
def test_two_edits_of_one_event_are_told_and_neither_is_lost(
    qtbot, desktop, memory, programs, chat, mine
):
    key = begin_to_edit(desktop, "窗口里写的。")
    event = stored(memory, chat, key)
    programs.run("event", chat, event.id, "--set", "summary=命令写的。")
    desktop.window.models.editor.save()
    qtbot.waitUntil(lambda: bars(desktop) != [], timeout=SHOWN_MS)
    (notice,) = bars(desktop)
    assert "another program or task edited the event “命令写的。”" in notice.text
    assert stored(memory, chat, key).summary == "命令写的。"
    assert desktop.window.editor.fields.summary.toPlainText() == "窗口里写的。"
    (notice.action if mine else notice.other)()
    settle(desktop)
    wanted = "窗口里写的。" if mine else "命令写的。"
    assert stored(memory, chat, key).summary == wanted
    assert desktop.window.editor.fields.summary.toPlainText() == wanted


@pytest.mark.e2e
def test_edits_of_two_fields_of_one_event_both_stand(desktop, memory, programs, chat):
    key = begin_to_edit(desktop, "窗口里写的。")
    event = stored(memory, chat, key)
    programs.run("event", chat, event.id, "--set", "location=灯塔")
    desktop.window.models.editor.save()
    settle(desktop)
    after = stored(memory, chat, key)
    assert (after.summary, after.raw_data.location) == ("窗口里写的。", "灯塔")
    assert bars(desktop) == []


@pytest.mark.e2e
def test_an_edit_waits_for_a_program_that_writes(qtbot, desktop, memory, programs, chat):
    holder = programs.hold()
    key = begin_to_edit(desktop, "等一会儿。")
    desktop.window.models.editor.save()
    qtbot.waitUntil(lambda: bars(desktop) != [], timeout=SHOWN_MS)
    assert f"Waiting for engram import (process {holder.pid}" in bars(desktop)[0].text
    desktop.window.show_page("reading")  # the window is not held up
    assert stored(memory, chat, key).summary != "等一会儿。"
    programs.release(holder)
    settle(desktop)
    assert stored(memory, chat, key).summary == "等一会儿。"
    assert bars(desktop) == []


@pytest.mark.e2e
def test_who_kept_the_library_too_long_is_named_and_the_text_stays(
    qtbot, desktop, memory, programs, chat
):
    memory.settings.set("library.wait", 0.5)
    holder = programs.hold()
    key = begin_to_edit(desktop, "不能丢。")
    desktop.window.models.editor.save()
    is_told = lambda: any(n.kind == "error" for n in bars(desktop))  # noqa: E731
    qtbot.waitUntil(is_told, timeout=SHOWN_MS)
    (notice,) = [notice for notice in bars(desktop) if notice.kind == "error"]
    assert f"in use by engram import (process {holder.pid}" in notice.text
    assert ", since 20" in notice.text
    assert desktop.window.editor.fields.summary.toPlainText() == "不能丢。"
    programs.release(holder)
    notice.action()
    settle(desktop)
    assert stored(memory, chat, key).summary == "不能丢。"


@pytest.mark.e2e
def test_a_window_that_is_closed_saves_first(qtbot, desktop, memory, programs, chat):
    holder = programs.hold()
    key = begin_to_edit(desktop, "最后一句。")
    closed = []
    desktop.closed.connect(lambda: closed.append(True))
    desktop.window.close()
    assert desktop.window.isVisible(), "what was typed is not written yet"
    assert closed == []
    programs.release(holder)
    qtbot.waitUntil(lambda: closed == [True], timeout=SHOWN_MS)
    assert stored(memory, chat, key).summary == "最后一句。"


@pytest.mark.e2e
def test_closed_once_more_it_closes_at_once(desktop, programs):
    holder = programs.hold()
    begin_to_edit(desktop, "算了。")
    desktop.window.close()
    desktop.window.close()
    assert not desktop.window.isVisible()
    assert desktop.close(5000), "nothing waits for the other program"
    programs.release(holder)


@pytest.mark.e2e
def test_undo_takes_back_what_the_user_sees_and_nothing_of_another_program(
    qtbot, desktop, memory, programs, chat
):
    key = begin_to_edit(desktop, "窗口里写的。")
    desktop.window.models.editor.save()
    settle(desktop)
    desktop.workspace.others.changed.disconnect()  # as in the second before it looks
    event = stored(memory, chat, key)
    programs.run("event", chat, event.id, "--set", "summary=命令写的。")
    desktop.window.undo_action.trigger()
    qtbot.waitUntil(lambda: bars(desktop) != [], timeout=SHOWN_MS)
    assert "the newest step is now “Edit “窗口里写的。””" in bars(desktop)[-1].text
    assert stored(memory, chat, key).summary == "命令写的。"


@pytest.mark.e2e
def test_undo_of_a_step_below_a_foreign_one_goes_step_by_step(
    qtbot, desktop, memory, programs, chat
):
    key = begin_to_edit(desktop, "窗口里写的。")
    before = stored(memory, chat, key).summary
    desktop.window.models.editor.save()
    settle(desktop)
    event = stored(memory, chat, key)
    programs.run("event", chat, event.id, "--set", "summary=命令写的。")
    undo = desktop.window.models.undo
    qtbot.waitUntil(lambda: "窗口里写的" in undo.undo_text, timeout=SHOWN_MS)
    undo.undo()
    settle(desktop)
    assert stored(memory, chat, key).summary == "窗口里写的。"
    undo.undo()
    settle(desktop)
    assert stored(memory, chat, key).summary == before


@pytest.mark.e2e
def test_settings_of_a_command_hold_in_the_window_at_once(qtbot, desktop, programs):
    programs.run("settings", "ui.density", "compact")
    qtbot.waitUntil(lambda: desktop.look.density == "compact", timeout=SHOWN_MS)
    settle(desktop)


def test_a_library_has_one_window(desktop, memory):
    with pytest.raises(LibraryBusy, match=f"in use by Engram \\(process {os.getpid()}"):
        Memory.open(memory.folder, environ={}, access=WINDOW)


@pytest.mark.e2e
def test_files_are_replaced_under_nobody(qtbot, desktop, memory, programs):
    holder = programs.hold("shared")
    settle(desktop)
    backup = programs.run("backup")["file"]
    process = programs.start("restore", backup)
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=60_000)
    assert process.returncode == 1
    health = desktop.window.models.health
    health.restore(type(memory.folder)(backup))
    qtbot.waitUntil(lambda: bars(desktop) != [], timeout=SHOWN_MS)
    assert f"in use by engram import (process {holder.pid}" in bars(desktop)[0].text
    programs.release(holder)
    with qtbot.waitSignal(health.prepared, timeout=SHOWN_MS):
        health.restore(type(memory.folder)(backup))
    settle(desktop)


@pytest.mark.e2e
def test_what_a_killed_import_left_is_cleared_when_a_window_opens_beside_others(library, programs):
    holder = programs.hold("shared")
    stray = library / "chats" / "0123456789ab"
    stray.mkdir()
    (stray / "importing").write_text("半途", "utf-8")
    memory = Memory.open(library, environ={}, access=WINDOW)
    assert not stray.exists()
    assert [finding.where for finding in memory.care.repaired_at_opening()] == ["半途"]
    memory.close()
    programs.release(holder)


@pytest.mark.e2e
def test_the_server_keeps_at_once_beside_a_window_which_leaves_the_summaries_to_it(
    qtbot, library, programs, open_memory, open_desktop
):
    settings = {"llm.base_url": "", "keys.storage": "file", "embed.local": "hash"}
    with FakeOpenAI(answer=lambda _body: "好。") as up:
        for key, value in (settings | model_at(up.url, "m")).items():
            programs.run("settings", key, value)
        desktop = open_desktop(open_memory(library))
        titles = []
        desktop.runner.submitted.connect(lambda job: titles.append((job.title, job.lane)))
        serving = programs.start("serve", "--port", "0")
        address = json.loads(serving.stdout.readline())
        body = {"messages": [{"role": "user", "content": "我在码头等你。"}]}
        asking = programs._process(
            "import sys, urllib.request as r; url, key, body = sys.argv[1:];"
            "q = r.Request(url, body.encode(), {'Authorization': f'Bearer {key}',"
            " 'Content-Type': 'application/json'}); print(r.urlopen(q, timeout=30).read())",
            address["url"].removesuffix("/v1") + "/chat/new/v1/chat/completions",
            address["key"],
            json.dumps(body),
        )
        qtbot.waitUntil(lambda: asking.poll() is not None, timeout=60_000)
        assert asking.returncode == 0
        chats = desktop.window.models.chats
        qtbot.waitUntil(lambda: any(row.messages == 2 for row in chats.chats), timeout=SHOWN_MS)
        settle(desktop)
        assert ("", "network") not in titles
        assert bars(desktop) == []
        serving.terminate()
        serving.communicate(timeout=60)


@pytest.mark.e2e
def test_a_library_has_one_server_and_one_that_follows_its_folder(qtbot, desktop, programs):
    window = desktop.workspace.server
    window._memory.settings.set("serve.port", 0)
    window.start()
    qtbot.waitUntil(lambda: window.is_running, timeout=SHOWN_MS)
    process = programs.start("serve", "--port", "0")
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=60_000)
    assert process.returncode == 1
    assert "in use by Engram" in process.communicate()[1]
    window.halt()
    qtbot.waitUntil(lambda: not window.is_running and not window.is_busy, timeout=SHOWN_MS)
    serving = programs.start("serve", "--port", "0")
    assert "url" in json.loads(serving.stdout.readline())
    failures: list[Exception] = []
    window.failed.connect(failures.append)
    window.start()
    qtbot.waitUntil(lambda: failures != [], timeout=SHOWN_MS)
    assert "in use by engram serve" in str(failures[0])
    settle(desktop)


def test_a_patch_compares_only_what_it_changes(memory):
    chat = memory.chats.all()[0].chat_id
    key = memory.session.chat(chat).database.value("SELECT min(pk) FROM event")
    before = stored(memory, chat, key)
    memory.events.update(chat, key, EventPatch(summary="新。"))
    memory.events.update(chat, key, EventPatch(location="塔"), values_of(before))
    memory.events.update(chat, key, EventPatch(summary="新。 "), values_of(before))
    assert stored(memory, chat, key).raw_data.location == "塔"


def test_a_second_window_waits_for_the_first(qapp, library):
    first = Memory.open(library, environ={}, access=WINDOW)
    assert not ClosedLibrary(library).is_free()
    Memory.open(library, environ={}, access=WriteAccess("shared", 1)).close()
    first.close()
    assert ClosedLibrary(library).is_free()
    memory = Memory.open(library, environ={}, access=WINDOW)
    desktop = build(qapp, memory, library)
    QApplication.processEvents()
    assert desktop.close(5000)
    desktop.deleteLater()
    memory.close()


@pytest.mark.e2e
def test_what_is_being_saved_is_not_shown_over_by_what_another_program_wrote(
    desktop, memory, programs, chat
):
    holder = programs.hold()
    key = begin_to_edit(desktop, "窗口里写的。")
    desktop.window.models.editor.save()
    desktop.workspace.hub.publish(anything_in(chat), FOREIGN)
    assert desktop.window.editor.fields.summary.toPlainText() == "窗口里写的。"
    programs.release(holder)
    settle(desktop)
    assert desktop.window.editor.fields.summary.toPlainText() == "窗口里写的。"
    assert stored(memory, chat, key).summary == "窗口里写的。"


def test_what_is_typed_while_it_is_saved_is_saved_too(desktop, memory, chat):
    key = begin_to_edit(desktop, "一。")
    editor = desktop.window.models.editor
    editor.save()
    desktop.window.editor.fields.summary.setPlainText("一。二。")
    editor.save()
    desktop.window.editor.fields.summary.setPlainText("一。二。三。")
    editor.save()
    settle(desktop)
    assert bars(desktop) == []
    assert stored(memory, chat, key).summary == "一。二。三。"
    assert desktop.window.editor.fields.summary.toPlainText() == "一。二。三。"


def test_a_chat_another_program_asks_for_is_shown_on_its_branch(desktop, memory):
    line = desktop.workspace.line
    branch, _changes = memory.branches.fork(line, at=20, name="旁支")
    settle(desktop)
    desktop.workspace.server.shown.emit(Line(line.chat_id, branch))
    settle(desktop)
    assert desktop.workspace.line == Line(line.chat_id, branch)
