"""The window."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QSettings, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QImage,
    QKeySequence,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QRadioButton,
    QSystemTrayIcon,
    QWidget,
)
from typing_extensions import override

from engram_desktop.app import zoom
from engram_desktop.app.desktop import LEAST_S, Away, Sender
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.storage.care.backup import is_waiting
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.library_health import RestoreDialog
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog, SummariseDialog
from engram_desktop.widgets.play.start_dialog import StartDialog
from engram_desktop.widgets.window.dropped_files import DropSign
from engram_desktop.widgets.window.foot_bar import FollowingLabel
from engram_desktop.widgets.window.page_stack import PAGES
from engram_desktop.widgets.window.window_dialogs import HistoryDialog
from tests.factories import import_chat, story_rows
from tests.gui.waiting import (
    click,
    dialog_of,
    open_page,
    press_in_window,
    press_key,
    run_out,
    settle,
)
from tests.inline_runner import InlineRunner
from tests.programs import run_python

COPY, LEFT = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton

# The window as a whole: the main job, importing, undo, languages and themes while it runs.


def write_chat(path, lines):
    rows: list[dict[str, Any]] = [
        {"user_name": "旅人", "character_name": "爱丽丝", "chat_metadata": {}}
    ]
    rows += [
        {"name": name, "is_user": name == "旅人", "is_system": False, "mes": text, "send_date": 1}
        for name, text in lines
    ]
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    return path


def drop(window, *paths):
    data = dragged(*paths)
    drag(window, data)
    QApplication.sendEvent(
        window, QDropEvent(QPointF(5, 5), COPY, data, LEFT, Qt.KeyboardModifier.NoModifier)
    )


def dragged(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drag(window, data):
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, none))


def test_what_a_drop_does_is_said_while_files_are_over_the_window(qtbot, open_desktop, memory):
    window = open_desktop(memory).window
    for _turn in range(2):  # the first drag ended without a word of it
        drag(window, dragged("/x.jsonl"))
    sign = [one for one in window.findChildren(DropSign) if one.isVisible()][-1]
    assert [one for one in window.findChildren(DropSign) if one.isVisible()] == [sign]
    assert sign.size() == window.size()
    QApplication.sendEvent(window, QDragLeaveEvent())
    qtbot.waitUntil(lambda: window.findChild(DropSign) is None)
    drag(window, dragged())  # words that are dragged, say
    assert window.findChild(DropSign) is None


def test_an_empty_library_opens_the_demo_in_one_click(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    window = desktop.window
    assert window.welcome.isVisible()
    assert not window.foot.isVisible()
    qtbot.mouseClick(window.welcome.demo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page == "overview", timeout=30_000)
    qtbot.waitUntil(lambda: not window.welcome.isVisible(), timeout=30_000)
    click(desktop, window.top.page_buttons["events"])
    assert window.event_page.view.model().rowCount() > 0
    assert "月光酒馆" in window.windowTitle()


def test_a_dropped_chat_is_previewed_then_imported_then_summarised(
    open_desktop, empty_memory, tmp_path
):
    desktop = open_desktop(empty_memory)
    window = desktop.window
    story = resource("story/月光酒馆.jsonl")
    drop(window, story, tmp_path / "不存在.jsonl")
    settle(desktop)
    dialog = dialog_of(desktop, ImportDialog)
    assert empty_memory.chats.all() == []
    assert [card.choice() is None for card in dialog.cards] == [False, True]
    click(desktop, dialog.import_button)
    assert [chat.messages for chat in empty_memory.chats.all()] == [159]
    offer = window.message_bar.bars[-1]
    click(desktop, offer.button)
    plan = dialog_of(desktop, SummariseDialog)
    plan.extractor.setCurrentIndex(2)
    settle(desktop)
    click(desktop, plan.start_button)
    click(desktop, window.top.page_buttons["events"])
    assert window.event_page.view.model().rowCount() > 0


def test_a_file_with_several_chats_is_taken_in_whole(open_desktop, empty_memory, tmp_path):
    desktop = open_desktop(empty_memory)
    stories = [["春", "夏", "秋"], ["晨", "午"]]
    histories = [{"msgs": [{"src": {}, "text": text} for text in story]} for story in stories]
    path = tmp_path / "导出.json"
    path.write_text(json.dumps({"histories": {"histories": histories}}), "utf-8")
    drop(desktop.window, path)
    settle(desktop)
    dialog = dialog_of(desktop, ImportDialog)
    assert dialog.cards[0].choice() == (None, None)
    click(desktop, dialog.import_button)
    assert sorted(chat.name for chat in empty_memory.chats.all()) == ["导出 1", "导出 2"]
    assert sum(chat.messages for chat in empty_memory.chats.all()) == 5


def test_importing_again_adds_nothing_and_keeping_both_makes_a_chat(desktop, memory):
    window, story = desktop.window, resource("story/月光酒馆.jsonl")
    for number, expected in ((0, 1), (1, 2)):
        drop(window, story)
        settle(desktop)
        dialog = dialog_of(desktop, ImportDialog)
        card = dialog.cards[0]
        card._group.button(number).setChecked(True)
        card.name.setText("另一份")
        click(desktop, dialog.import_button)
        assert len(memory.chats.all()) == expected
    assert "另一份" in {chat.name for chat in memory.chats.all()}


def test_a_file_with_nothing_new_leads_nobody_away_and_says_so(desktop):
    window, story = desktop.window, resource("story/月光酒馆.jsonl")
    window.show_page("graph")
    drop(window, story)
    settle(desktop)
    click(desktop, dialog_of(desktop, ImportDialog).import_button)
    assert window.page == "graph"
    assert window.message_bar.bars[-1].notice.text == "“月光酒馆”: nothing new"


def test_an_import_that_was_stopped_says_how_to_go_on(desktop, tmp_path):
    window = desktop.window
    rows = [("旅人", f"第{n}天，下雪了。") for n in range(2000)]
    drop(window, write_chat(tmp_path / "冬天.jsonl", rows))
    settle(desktop)
    stop = desktop.jobs.changed.connect(
        lambda: [desktop.jobs.cancel(row.job_id) for row in desktop.jobs.rows if row.progress]
    )
    click(desktop, dialog_of(desktop, ImportDialog).import_button)
    desktop.jobs.disconnect(stop)
    bar = window.message_bar.bars[-1]
    assert bar.notice.text == "Importing 冬天.jsonl was stopped. What had come in is kept."
    click(desktop, bar.button)
    click(desktop, dialog_of(desktop, ImportDialog).import_button)
    assert desktop.workspace.memory.messages.count(desktop.workspace.line) == len(rows)


def test_the_tasks_close_with_a_click_elsewhere_and_with_another_page(qtbot, desktop):
    window = desktop.window
    window.activateWindow()
    for leave in (
        lambda: press_in_window(window, window.event_page.search),
        lambda: press_in_window(window, window.top.panel_button),  # a press gives it no focus
        lambda: press_in_window(window, window.sidebar.tasks),
        lambda: qtbot.keyClick(window.tasks, Qt.Key.Key_Escape),
        lambda: window.top.page_wanted.emit("graph"),
    ):
        qtbot.mouseClick(window.sidebar.tasks, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(window.tasks.hasFocus)
        word = window.sidebar.tasks.mapTo(window, QPoint())
        assert window.tasks.geometry().bottom() < word.y(), "it stands above the word"
        leave()
        assert not window.tasks.isVisible()


def test_the_tasks_close_when_the_last_of_them_has_ended(qtbot, desktop):
    window, ends = desktop.window, threading.Event()
    job = desktop.workspace.run("A task", lambda _ctx: ends.wait(20), lane="network")
    qtbot.waitUntil(lambda: bool(window.tasks._lines))
    press_in_window(window, window.sidebar.tasks)
    press_in_window(window, window.tasks)
    assert window.tasks.isVisible()
    with qtbot.waitSignal(job.finished):
        ends.set()
    qtbot.waitUntil(lambda: not window.tasks._lines)
    assert window.tasks.isVisible(), "its end can be seen"
    run_out(window.tasks._ended)
    assert not window.tasks.isVisible()
    press_in_window(window, window.sidebar.tasks)
    settle(desktop)
    assert window.tasks.isVisible(), "that nothing runs can be looked at"


def test_the_name_at_the_top_opens_the_overview_by_mouse_and_keys(qtbot, desktop):
    window = desktop.window
    press_in_window(window, window.sidebar.brand)
    assert window.page == "overview"
    window.show_page("serving")
    window.sidebar.brand.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(window.sidebar.brand, Qt.Key.Key_Space)
    assert window.page == "overview"


def test_a_broken_line_is_named_with_its_number(desktop, tmp_path):
    path = write_chat(tmp_path / "聊天.jsonl", [("旅人", "你好"), ("爱丽丝", "欢迎")])
    path.write_text(path.read_text("utf-8") + "\n{broken", "utf-8")
    drop(desktop.window, path)
    settle(desktop)
    card = dialog_of(desktop, ImportDialog).cards[0]
    told = [label.text() for label in card.findChildren(QLabel)]
    assert any("line 4" in text for text in told)


def test_consolidate_says_what_it_will_do_does_it_and_undo_takes_it_back(desktop, memory):
    window, chat = desktop.window, desktop.workspace.chat_id
    buffer = memory.events.counts(Line.main(chat)).buffer
    assert window.top.consolidate_button.text() == f"Consolidate {buffer}"
    click(desktop, window.top.consolidate_button)
    dialog = dialog_of(desktop, ConsolidateDialog)
    assert f"{buffer} events will be embedded" in dialog._what.text()
    assert memory.events.counts(Line.main(chat)).buffer == buffer
    click(desktop, dialog.start_button)
    assert memory.events.counts(Line.main(chat)).buffer == 0
    assert not window.top.consolidate_button.isEnabled()
    report = window.message_bar.bars[-1]
    assert f"{buffer} events archived" in report.notice.text
    click(desktop, report.button)
    assert memory.events.counts(Line.main(chat)).buffer == buffer


@pytest.mark.parametrize("left", ["undone", "another chat"])
def test_the_undo_of_a_message_takes_back_what_it_tells_of_and_nothing_else(
    desktop, memory, tmp_path, left
):
    window, chat = desktop.window, desktop.workspace.chat_id
    other = import_chat(memory, tmp_path / "另一个.jsonl", story_rows(60))
    memory.pipeline.summarise(NullContext(), Line.main(other), (0, 20), "extractive")
    click(desktop, window.top.consolidate_button)
    click(desktop, dialog_of(desktop, ConsolidateDialog).start_button)
    report = window.message_bar.bars[-1]
    if left == "undone":
        window.undo_action.trigger()
    else:
        desktop.workspace.show_chat(other)
    settle(desktop)
    before = [undone(memory, one) for one in (chat, other)]
    click(desktop, report.button)
    assert [undone(memory, one) for one in (chat, other)] == before
    assert desktop.workspace.chat_id == chat
    assert dialog_of(desktop, HistoryDialog).isVisible(), "what can be taken back is shown instead"


def undone(memory, chat):
    return [step.is_undone for step in memory.history.steps(chat)]


def test_the_language_changes_while_it_runs(qtbot, desktop, memory):
    assert desktop.window.top.page_buttons["events"].text() == "Events"
    desktop._forced["language"] = None
    with qtbot.waitSignal(desktop.workspace.hub.changed):
        desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "zh_CN"))
    first = desktop.window
    qtbot.waitUntil(lambda: desktop.window is not first, timeout=60_000)  # a page in each turn
    settle(desktop)
    window = desktop.window
    assert window.isVisible()
    assert window.top.page_buttons["events"].text() == "事件"
    assert window.event_page.view.model().rowCount() > 0
    assert "爱丽丝" in window.models.characters  # what fields complete
    assert window.event_page.tools.facets.chips["total"].text().startswith("全部")


def test_the_theme_changes_while_it_runs(qtbot, desktop, memory):
    desktop._forced["theme"] = None
    for theme, ground in (("dark", "#17181b"), ("light", "#f6f5f2")):
        with qtbot.waitSignal(desktop.workspace.hub.changed):
            desktop.workspace.change("", lambda _ctx, t=theme: memory.settings.set("ui.theme", t))
        settle(desktop)
        picture = desktop.window.event_page.grab().toImage()
        assert picture.pixelColor(3, 3).name() == ground


def test_a_second_window_remembers_the_chat_and_the_panel(open_desktop, memory):
    desktop = open_desktop(memory)
    chat = desktop.workspace.chat_id
    desktop.window.top.panel_button.setChecked(False)
    desktop.window.close()
    again = open_desktop(memory)
    assert again.workspace.chat_id == chat
    assert not again.window.top.panel_button.isChecked()
    assert not again.window.panel.isVisible()


def test_pages_have_keys(desktop):
    window = desktop.window
    for spec in reversed(PAGES):
        QTest.keySequence(window, QKeySequence(spec.key))
        settle(desktop)
        assert window.page == spec.name
        button = window.top.page_buttons.get(spec.name, window.sidebar.serving)
        assert button.isChecked()


def test_ctrl_n_begins_a_chat(qtbot, desktop):
    desktop.window.activateWindow()
    qtbot.waitUntil(desktop.window.isActiveWindow)
    press_key(desktop, desktop.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert isinstance(desktop.window.dialogs.shown[-1], StartDialog)


def test_ctrl_f_and_ctrl_k_go_to_the_searches(qtbot, desktop):
    window = desktop.window
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.event_page.search
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.finding.panel.field


def test_an_error_stays_until_it_is_dismissed_and_a_bug_opens_a_report(qtbot, desktop):
    window = desktop.window
    desktop.workspace.look_up(lambda _ctx: desktop.workspace.memory.history.undo("no such chat"))
    qtbot.waitUntil(lambda: len(window.message_bar.bars) == 1, timeout=20_000)
    bar = window.message_bar.bars[0]
    assert bar.notice.kind == "error"
    qtbot.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert window.message_bar.bars == []


def test_every_page_is_drawn_and_opens_no_window_of_its_own(desktop):
    """A part that is shown before it has a parent flashes up and takes the focus."""
    for page in (spec.name for spec in reversed(PAGES)):
        open_page(desktop, page)
        assert desktop.window.isActiveWindow(), page
        picture = desktop.window.grab(desktop.window.rect().adjusted(0, 0, -1, -1))
        assert not picture.isNull(), page
        assert desktop.window.childAt(QPoint(700, 400)) is not None, page


class Widths(QObject):
    """The widths that a widget is given while this watches it."""

    def __init__(self, widget):
        super().__init__(widget)
        self.seen = {widget.width()}
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Resize:
            self.seen.add(watched.width())
        return False


def test_the_sidebar_is_as_wide_as_at_first_whatever_is_shown(qtbot, desktop):
    window = desktop.window
    for width in (900, 1280, 1440):
        window.resize(width, 600)
        settle(desktop)
        widths = Widths(window.sidebar)
        for spec in PAGES:
            open_page(desktop, spec.name)
        for _ in range(2):
            click(desktop, window.top.panel_button)
        name = "A task with a name that is much longer than the sidebar is wide, and goes on"
        held = threading.Event()
        desktop.workspace.run(name, lambda ctx, held=held: (ctx.report(1, 3), held.wait(20)))
        qtbot.waitUntil(lambda: "33% A task" in window.sidebar.tasks.text(), timeout=20_000)
        assert window.sidebar.tasks.toolTip().startswith(window.sidebar.tr("Tasks"))
        held.set()
        settle(desktop)
        assert len(widths.seen) == 1, width


def test_the_top_bar_leaves_out_words_rather_than_cut_them(qtbot, desktop):
    window, top = desktop.window, desktop.window.top
    whole = (*top.page_buttons.values(), top.consolidate_button)
    for width in (2000, 1500, 1300, 1100, 900):
        window.resize(width, 700)
        qtbot.waitUntil(lambda: all(b.width() >= b.sizeHint().width() for b in whole))
        assert all(button.text() for button in top.page_buttons.values())
    assert top.consolidate_button.accessibleName()


@pytest.mark.parametrize("width", [900, 1100, 1300])
def test_a_long_title_is_shortened_before_it_goes(qtbot, desktop, memory, width):
    window, name = desktop.window, "st_2024-04_solo_objective_metadata_of_a_long_story"
    window.resize(width, 700)
    chat = desktop.workspace.chat_id
    desktop.workspace.change("", lambda _ctx: memory.chats.rename(chat, name))
    settle(desktop)
    title = window.top._title
    assert title.isVisible()
    qtbot.waitUntil(lambda: title.text().startswith("st_2024"))
    assert title.toolTip() == ("" if title.text() == name else name)
    parts = [window.top.branch_button, window.top.viewpoint_button, window.top.consolidate_button]
    assert all(one.width() >= one.sizeHint().width() for one in parts)


def test_files_that_another_start_hands_over_are_asked_about(qtbot, desktop, tmp_path):
    desktop.import_files([write_chat(tmp_path / "新.jsonl", [("旅人", "嗯")] * 6)])
    settle(desktop)
    qtbot.waitUntil(lambda: len(desktop.window.dialogs.shown) == 1, timeout=5000)
    desktop.window.dialogs.shown[0].close()


def test_a_backup_that_is_opened_is_only_offered(desktop, memory, tmp_path):
    made = memory.backups.make(NullContext())
    file = tmp_path / "别处" / "从旧电脑.ENGRAM"
    file.parent.mkdir()
    file.write_bytes(made.read_bytes())
    desktop.import_files([file])
    settle(desktop)
    dialog = desktop.window.dialogs.shown[0]
    assert isinstance(dialog, RestoreDialog)
    assert dialog.list.item(0).text() == str(file)
    assert dialog.list.count() == 2, "the library's own backup is offered as well"
    assert dialog.list.currentRow() == 0
    assert not is_waiting(memory.folder), "nothing is put back before it is asked for"
    second = tmp_path / "second.engram"
    desktop.import_files([second])
    assert desktop.window.dialogs.shown == [dialog]
    assert dialog.list.currentItem().text() == str(second)
    dialog.list.setCurrentRow(1)
    click(desktop, dialog.restore_button)
    assert is_waiting(memory.folder)


def test_a_row_of_the_list_says_what_there_is_of_a_chat(desktop):
    chats = desktop.window.models.chats
    whole = replace(chats.current, messages=12, events=0, fault="")
    assert chats.describe(whole) == "12 floors · no summary"
    assert chats.describe(replace(whole, events=3, buffer=2)) == "12 floors · buffer 2"
    assert chats.describe(replace(whole, fault="no database")) == "Cannot be opened"


def test_a_first_window_fits_a_small_screen(desktop):
    window = desktop.window
    window.place.fit_screen()
    screen, least = window.screen().availableSize(), window.minimumSize()
    assert window.height() < screen.height()
    assert window.width() <= max(screen.width(), least.width())


def test_a_closed_window_says_so(qtbot, desktop):
    with qtbot.waitSignal(desktop.closed, timeout=5000):
        desktop.window.close()


def test_a_book_that_is_left_out_of_an_import_needs_no_name(qtbot, desktop, tmp_path):
    book = tmp_path / "设定.json"
    book.write_text(json.dumps({"entries": {"0": {"key": ["海"], "content": "海很蓝。"}}}), "utf-8")
    desktop.window.import_files([book])
    settle(desktop)
    (card,) = dialog_of(desktop, ImportDialog).cards
    store, leave = card.findChildren(QRadioButton)
    assert store.isChecked()
    assert card.name.isVisible()
    qtbot.mouseClick(leave, Qt.MouseButton.LeftButton)
    assert not card.name.isVisible()
    assert card.choice() is None
    qtbot.mouseClick(store, Qt.MouseButton.LeftButton)
    assert card.name.isVisible()


def test_where_no_chat_is_followed_nothing_is_said_of_it(qtbot, desktop):
    foot = QWidget()
    qtbot.addWidget(foot)
    following = FollowingLabel(desktop.window.models.tavern, foot)
    foot.show()
    assert not following.isVisible()


@pytest.mark.parametrize("count", [0, 1, 12])
def test_what_is_in_the_buffer_can_be_consolidated_however_little_it_is(desktop, count):
    top = desktop.window.top
    top.show_buffer(count)
    assert top.consolidate_button.isEnabled() is (count > 0)
    assert top.consolidate_button.text() == (f"Consolidate {count}" if count else "Consolidate")


# A long task that ends while nobody looks is told of by the system; closing quits.


class Heard(Sender):
    """A place for notifications that remembers them."""

    clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.texts: list[str] = []

    @override
    def send(self, window: QWidget, text: str) -> None:
        self.texts.append(text)


@pytest.fixture
def window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def away(window, *, wanted=True, least_s=0.0):
    jobs, sender = InlineRunner(), Heard()
    made = Away(jobs, lambda: window, lambda: wanted, window, sender=sender, least_s=least_s)
    return jobs, sender, made


def fail(_ctx):
    raise InputError(Phrase("secret words of the story"))


def test_who_looks_elsewhere_is_told_the_name_of_the_task_and_how_it_ended(window):
    jobs, sender, _made = away(window)
    window.hide()
    jobs.submit("Summarising", lambda _ctx: "secret words of the story")
    jobs.submit("Exporting", fail)
    jobs.submit("", lambda _ctx: None)  # a look-up
    jobs.run_pending()
    assert sender.texts == ["Summarising: done", "Exporting: it failed"]


def test_who_looks_at_the_window_is_told_nothing(qtbot, window):
    jobs, sender, _made = away(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == []
    window.showMinimized()
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == ["Summarising: done"]


@pytest.mark.parametrize(("wanted", "least_s"), [(False, 0.0), (True, LEAST_S)])
def test_nothing_is_said_of_short_tasks_or_where_it_is_switched_off(window, wanted, least_s):
    jobs, sender, _made = away(window, wanted=wanted, least_s=least_s)
    window.hide()
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == []


def test_a_click_on_it_brings_the_window_back(qtbot, window):
    _jobs, sender, made = away(window)
    with qtbot.waitSignal(made.wanted_back, timeout=5000):
        sender.clicked.emit()


def test_where_there_is_no_place_for_it_the_window_asks_for_attention(window):
    assert not QSystemTrayIcon.isSystemTrayAvailable(), "offscreen has none"
    Sender(window).send(window, "Summarising: done")


def test_closing_the_window_quits_and_nothing_stays_in_a_tray(qtbot, desktop):
    with qtbot.waitSignal(desktop.closed, timeout=5000):
        desktop.window.close()
    settle(desktop)
    assert not desktop.findChildren(QSystemTrayIcon)


# How large everything is drawn: chosen in the settings, taken by the next start.


def memo_of(folder):
    return QSettings(str(folder / zoom.MEMO), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    ("kept", "scale"),
    [(None, None), (100, None), (150, "1.5"), (5, "0.8"), (99999999, "2"), ("x", None)],
)
def test_what_was_kept_is_the_scale_of_the_next_start(tmp_path, kept, scale):
    if kept is not None:
        memo = memo_of(tmp_path)
        memo.setValue("ui.zoom", kept)
        memo.sync()
    assert zoom.with_zoom({}, tmp_path).get("QT_SCALE_FACTOR") == scale
    assert zoom.with_zoom({"QT_SCALE_FACTOR": "1.25"}, tmp_path) == {}


def test_a_choice_in_the_settings_is_said_and_kept(qtbot, desktop):
    space = desktop.workspace
    with qtbot.waitSignal(space.messages.posted) as told:
        space.memory.settings.set("ui.zoom", 125)
        space.hub.publish(Changes(settings=True), None)
        settle(desktop)
    assert "125" in told.args[0].text
    assert zoom.read(desktop._memo) == 125


@pytest.mark.e2e
def test_a_window_is_drawn_larger(tmp_path):
    memo = memo_of(tmp_path)
    memo.setValue("ui.zoom", 150)
    memo.sync()
    picture = tmp_path / "window.png"
    command = "from engram_desktop.app.entry import run; import sys; sys.exit(run())"
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environ.pop("QT_SCALE_FACTOR", None)
    done = run_python(command, "--library", tmp_path, "--screenshot", picture, env=environ)
    assert done.returncode == 0, done.stderr
    width = QImage(str(picture)).width()
    assert width == 1440 * 1.5
