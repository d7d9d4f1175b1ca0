"""Safe mode: nothing runs by itself, it is seen, and there is a way in and out."""

import json

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from engram_desktop.app.diagnostics import BugReporter
from engram_desktop.app.main import read_arguments
from engram_desktop.app.opening import open_library
from engram_desktop.app.start import WindowSession
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.settings.settings import DECLARED, HELD
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog
from engram_desktop.widgets.window.window_dialogs import ReportDialog
from tests.factories import story_rows, write_chat
from tests.gui.places import open_dialog_as
from tests.gui.waiting import settle


@pytest.fixture
def safe_memory(library):
    memory = Memory.open(library, environ={}, is_safe=True)
    yield memory
    memory.close()


@pytest.fixture
def safe_desktop(safe_memory, open_desktop):
    return open_desktop(safe_memory)


def test_the_flag_is_read():
    assert read_arguments(["--safe-mode"]).safe_mode
    assert not read_arguments([]).safe_mode


def test_what_is_held_are_settings_and_another_value_than_is_usual(library):
    for key, value in HELD.items():
        assert DECLARED[key].check(value) == value
    memory = Memory.open(library, environ={}, is_safe=True)
    chat = memory.chats.all()[0].chat_id
    memory.settings.set("auto.enabled", True, chat)
    assert not memory.settings.read(chat).auto_enabled, "of a chat, too"
    assert memory.settings.stored().auto_enabled, "stored as it was"
    memory.session.reopen()
    assert memory.session.is_safe
    memory.close()


def test_scripts_of_messages_do_not_run(library, tmp_path):
    script = {"scriptName": "x", "findRegex": "/./g", "replaceString": "#", "placement": [1, 2]}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(script), "utf-8")
    ran = []
    for is_safe in (False, True):
        memory = Memory.open(library, environ={}, is_safe=is_safe)
        line = Line.main(memory.chats.all()[0].chat_id)
        if not is_safe:
            memory.imports.import_file(NullContext(), file)
        ran.append(any("##" in step.text for step in memory.scripts.steps_of(line, 0)))
        memory.close()
    assert ran == [True, False]


def test_nothing_begins_by_itself(qtbot, safe_memory, safe_desktop, tmp_path):
    safe_memory.settings.set("serve.on_start", True)
    titles: list[str] = []
    safe_desktop.runner.submitted.connect(lambda job: titles.append(job.title))
    space = safe_desktop.workspace
    path = write_chat(tmp_path / "新.jsonl", story_rows(120))
    report = safe_memory.imports.import_file(NullContext(), path)
    space.hub.publish(report.changes, None)
    space.auto._pause.setInterval(1)
    space.auto._pause.start()
    settle(qtbot, safe_desktop)
    assert not space.server.is_running
    assert not space.tavern.is_watching
    assert not safe_desktop.keeper._pause.isActive()
    assert not space.kept._pause.isActive()
    assert not safe_desktop._backup_timer.isActive()
    assert not safe_desktop._look_timer.isActive()
    assert not safe_memory.events.find(report.chat_id, EventQuery())


def test_a_strip_says_it_on_every_page_and_leads_out(qtbot, safe_desktop):
    window = safe_desktop.window
    wanted: list[bool] = []
    safe_desktop.mode_wanted.connect(wanted.append)
    for page in ("events", "graph", "serving"):
        window.show_page(page)
        assert window.safe.isVisible()
    qtbot.mouseClick(window.safe.leave_button, Qt.MouseButton.LeftButton)
    assert wanted == [False]


def test_the_usual_mode_has_no_strip_and_two_doors(qtbot, desktop):
    window = desktop.window
    assert not window.safe.isVisible()
    wanted: list[bool] = []
    desktop.mode_wanted.connect(wanted.append)
    window.libraries.aboutToShow.emit()
    next(a for a in window.libraries.actions() if a.text() == "Restart in safe mode").trigger()
    window.finding.show_commands()
    qtbot.keyClicks(window.finding.panel.field, "safe mode")
    qtbot.waitUntil(lambda: window.finding.panel.list.model().rowCount() > 0)
    qtbot.keyClick(window.finding.panel.field, Qt.Key.Key_Return)
    assert wanted == [True, True]
    settle(qtbot, desktop)


def test_it_is_offered_after_a_crash_only(qtbot, desktop):
    wanted: list[bool] = []
    desktop.mode_wanted.connect(wanted.append)
    dialogs = desktop.window.dialogs
    dialogs.help.open_report("Segmentation fault", is_crash=True)
    report = dialogs.shown[-1]
    assert isinstance(report, ReportDialog)
    qtbot.mouseClick(report.safe_button, Qt.MouseButton.LeftButton)
    assert wanted == [True]
    report.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(report))
    dialogs.help.open_report("Traceback")
    assert not hasattr(dialogs.shown[-1], "safe_button")


def test_settings_are_shown_and_changed_as_they_are_stored(qtbot, safe_memory, safe_desktop):
    dialog = open_dialog_as(qtbot, safe_desktop, "settings", SettingsDialog)
    dialog.show_setting("auto", "auto.enabled")
    box = dialog.focusWidget()
    assert isinstance(box, QCheckBox)
    assert box.isChecked() == safe_memory.settings.stored().auto_enabled
    qtbot.keyClick(box, Qt.Key.Key_Space)
    settle(qtbot, safe_desktop)
    assert safe_memory.settings.stored().auto_enabled == box.isChecked()
    assert not safe_memory.settings.read().auto_enabled


def test_the_program_opens_anew_in_the_mode_that_is_wanted(qtbot, qapp, library):
    memory = open_library(qapp, library, asks=False)
    assert memory is not None
    arguments = read_arguments(["--language", "en", "--theme", "light"])
    session = WindowSession(qapp, memory, library, arguments, BugReporter())
    qtbot.waitUntil(lambda: session.desktop.window.models.chats.is_loaded, timeout=20_000)
    session.desktop.window.libraries.mode_wanted.emit()
    assert session.opens_again
    assert session.is_safe
    session._server.close()
    assert session.desktop.close(5000)
    session.desktop.deleteLater()
    memory.close()
    again = open_library(qapp, library, asks=False, is_safe=session.is_safe)
    assert again is not None
    assert again.session.is_safe
    again.close()
