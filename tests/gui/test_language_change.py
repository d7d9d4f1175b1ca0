"""Another language makes another window: what was open, where, and nothing left of the old one."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QSpinBox,
)

from engram_desktop.app.start import build
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import LibraryBusy, Refused
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FailedRange, SummaryReport
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.pipeline.usage_dialogs import FailuresDialog
from engram_desktop.widgets.window.main_window import MainWindow
from tests.gui.waiting import click, open_page, settle


def speak(qtbot, desktop, memory, language):
    desktop._forced["language"] = None
    with qtbot.waitSignal(desktop.workspace.hub.changed):
        desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", language))


def windows():
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]


def test_the_old_window_stays_until_the_new_one_is_shown_on_the_same_page(qtbot, desktop, memory):
    old = desktop.window
    old.show_page("reading")
    settle(desktop)
    speak(qtbot, desktop, memory, "ja")
    assert old.isVisible()
    assert desktop.window is old
    qtbot.waitUntil(lambda: desktop.window is not old)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old))
    assert desktop.window.page == "reading"
    assert desktop.window.isVisible()
    assert [w for w in windows() if w.isVisible()] == [desktop.window]
    open_page(desktop, "events")
    assert desktop.window.event_page.view.model().rowCount() > 0


def test_the_settings_in_which_it_was_chosen_stay_open_at_their_page(qtbot, desktop, memory):
    old = desktop.window
    old.dialogs.open_settings("ui")
    settle(desktop)
    speak(qtbot, desktop, memory, "zh_CN")
    qtbot.waitUntil(lambda: desktop.window is not old)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old))
    (dialog,) = desktop.window.dialogs.shown
    assert (dialog.page, dialog.windowTitle()) == ("ui", "设置")
    assert [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog)] == [dialog]


def test_a_window_is_made_in_turns_between_which_the_old_one_answers(qtbot, desktop, memory):
    old, known = desktop.window, windows()
    speak(qtbot, desktop, memory, "ja")
    qtbot.waitUntil(lambda: len(windows()) > len(known))
    (half,) = (w for w in windows() if w not in known)
    assert not hasattr(half, "foot")
    assert old.isVisible()
    qtbot.waitUntil(lambda: desktop.window is half)


def test_two_changes_at_once_end_in_the_second(qtbot, desktop, memory):
    old = desktop.window
    before = len(windows())
    speak(qtbot, desktop, memory, "ja")
    qtbot.waitUntil(lambda: len(windows()) > before)
    half_made = next(w for w in windows() if w is not old and w is not desktop.window)
    speak(qtbot, desktop, memory, "zh_CN")
    qtbot.waitUntil(lambda: desktop.window is not old)
    assert desktop.window.top.page_buttons["events"].text() == "事件"
    qtbot.waitUntil(lambda: not shiboken6.isValid(old) and not shiboken6.isValid(half_made))
    assert [w for w in windows() if w.isVisible()] == [desktop.window]


def test_what_is_being_typed_is_saved_before_the_window_goes(qtbot, desktop, memory):
    old = desktop.window
    old.show_page("events")
    old.event_page.view.show_row(0)
    settle(desktop)
    chat, key = desktop.workspace.chat_id, old.models.editor.current.pk
    old.editor.fields.summary.setPlainText("月光下的新约定。")
    speak(qtbot, desktop, memory, "ja")
    qtbot.waitUntil(lambda: desktop.window is not old)
    settle(desktop)
    assert memory.events.fetch(chat, [key])[key].summary == "月光下的新约定。"


def test_first_window_that_opens_finds_the_program_watched(qapp, memory):
    desktop = build(qapp, memory, memory.folder, language="en", theme="light")
    number = QSpinBox(desktop.window)
    desktop.window.show()
    number.show()
    dialog = QDialog(desktop.window)
    dialog.show()
    assert dialog.styleSheet()
    assert number.focusPolicy() == Qt.FocusPolicy.StrongFocus  # polished before, unseen
    assert not desktop.look.watch_next()
    settle(desktop)
    assert desktop.close(5000)
    desktop.deleteLater()


def test_program_is_watched_a_part_at_a_time_after_the_first_picture(qtbot, qapp, memory):
    desktop = build(qapp, memory, memory.folder, language="en", theme="light")
    number = QSpinBox(desktop.window)
    desktop.window.show()
    number.show()
    settle(desktop)
    assert number.focusPolicy() == Qt.FocusPolicy.WheelFocus  # nobody has watched it yet
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: number.focusPolicy() == Qt.FocusPolicy.StrongFocus, timeout=20_000)
    assert desktop.close(5000)
    desktop.deleteLater()


def test_closing_in_the_middle_frees_both(qtbot, qapp, memory):
    desktop = build(qapp, memory, memory.folder, language="en", theme="light")
    desktop.window.show()
    settle(desktop)
    old, before = desktop.window, len(windows())
    speak(qtbot, desktop, memory, "ja")
    qtbot.waitUntil(lambda: len(windows()) > before)
    half_made = next(w for w in windows() if w is not old and not w.isVisible())
    assert desktop.close(5000)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old) and not shiboken6.isValid(half_made))
    desktop.deleteLater()


def words_of(desktop):
    return [bar.notice.text for bar in desktop.window.message_bar.bars]


def change_language(qtbot, desktop, memory):
    old = desktop.window
    speak(qtbot, desktop, memory, "ja")
    qtbot.waitUntil(lambda: desktop.window is not old)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old))


def test_an_error_nobody_has_read_stays_and_one_that_was_dismissed_does_not(qtbot, desktop, memory):
    messages = desktop.workspace.messages
    messages.show_error(Refused("bad key", status=401, url="https://llm.test"))
    messages.show(Notice("warning", "read already"))
    read = desktop.window.message_bar.bars[-1]
    qtbot.mouseClick(read.close_button, Qt.MouseButton.LeftButton)
    (text,) = words_of(desktop)
    change_language(qtbot, desktop, memory)
    assert words_of(desktop) == [text]
    (bar,) = desktop.window.message_bar.bars
    assert bar.isVisible()
    qtbot.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert words_of(desktop) == []


def test_the_answer_of_an_error_leads_to_a_dialog_of_the_new_window(qtbot, desktop, memory):
    failed = (FailedRange(0, 9, Phrase("there is no events list")),)
    report = SummaryReport(0, 10, 1, 100, 10, failed=failed)
    desktop.window.models.pipeline._on_summarised(report)
    change_language(qtbot, desktop, memory)
    (bar,) = desktop.window.message_bar.bars
    click(desktop, bar.button)
    (dialog,) = desktop.window.dialogs.shown
    assert isinstance(dialog, FailuresDialog)


def test_a_change_that_another_program_was_in_the_way_of_is_tried_again_from_the_new_window(
    qtbot, desktop, memory
):
    done = []

    def work(_ctx):
        done.append(1)
        if len(done) == 1:
            raise LibraryBusy(path="x", holder="engram import")
        return Changes()

    desktop.workspace.change("", work)
    qtbot.waitUntil(lambda: words_of(desktop) != [])
    change_language(qtbot, desktop, memory)
    (bar,) = desktop.window.message_bar.bars
    click(desktop, bar.button)
    assert done == [1, 1]
