"""Texts from elsewhere, and messages."""

from __future__ import annotations

import ast
import html
import json
import os
import sys
import tempfile
import threading
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QMessageBox,
    QToolButton,
    QToolTip,
    QWidget,
)

import engram_desktop
from engram_desktop.domain.memory.event import EventPatch, EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.reports import FailedRange
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.parts.look import as_markup
from tests.factories import make_extraction, script_json
from tests.gui.places import menus, places
from tests.gui.waiting import click, settle

# Text that is not ours is shown as it stands: no markup is read, no file it names is opened.

CTX = NullContext()
KEY = "R&D"


class Canary:
    """A FIFO: whoever opens it to read wakes the thread that waits to write, each time."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.times_opened = 0
        self._is_over = False
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        while not self._is_over:
            with self.path.open("wb"):
                self.times_opened += not self._is_over

    def end(self) -> None:
        self._is_over = True
        reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self._thread.join(5)
        os.close(reader)


@pytest.fixture
def canary():
    with tempfile.TemporaryDirectory(prefix="c") as place:  # a short path: names have a limit
        made = Canary(Path(place) / "c")
        yield made
        made.end()
        assert not made.times_opened, "a picture that a story names was opened"


def foreign(canary: Canary, what: str) -> str:
    return f"{what}<b>粗</b>&lt;{KEY}<img src='{canary.path}'>"


@pytest.fixture
def filled(canary, memory, tmp_path):
    """A library in which every field somebody else can fill holds markup."""
    chat = memory.chats.all()[0].chat_id

    def text(what: str) -> str:
        return foreign(canary, what)

    memory.chats.rename(chat, text("聊天"))
    tree = {text("爱丽丝"): {text("好感度"): [text("值"), text("说明")]}}
    memory.messages.edit(
        Line.main(chat), 0, f"雨。<initvar>{json.dumps(tree, ensure_ascii=False)}</initvar>"
    )
    memory.messages.edit(Line.main(chat), 3, text("消息"))
    data = make_extraction(
        text("事件"), timestamp=text("时间"), location=text("地点"), keywords=(text("词"),)
    )
    memory.events.add(Line.main(chat), data, SourceRange(3, 4))
    keys = memory.events.find(chat, EventQuery())
    patch = EventPatch(summary=text("摘要"), time_anchor=text("时间"), location=text("地点"))
    for key in keys[:3]:
        memory.events.update(chat, key, patch)
    for number, entity in enumerate(memory.graph.find_entities(Line.main(chat))[:4]):
        memory.graph.update_entity(
            chat, entity.id, name=text(f"{number}{entity.name}"), profile={text("键"): text("值")}
        )
        memory.graph.set_aliases(chat, entity.id, [text(f"别名{number}")])
    first, second = memory.graph.find_entities(Line.main(chat))[:2]
    memory.graph.add_relation(Line.main(chat), first.id, text("认识"), second.id)
    memory.logs.add(
        Line.main(chat),
        LogPatch(text("谁"), text("想法"), (text("心情"),), source_range=SourceRange(3, 4)),
    )
    memory.branches.fork(Line.main(chat), at=20, name=text("分支"))
    entry = {"key": [text("钥匙")], "comment": text("标题"), "content": text("内容")}
    odd = tmp_path / f"书 <b>x&lt;{KEY}.json"
    odd.write_text(json.dumps({"name": text("书"), "entries": {"0": entry}}), "utf-8")
    memory.imports.import_file(CTX, odd)
    memory.worldbooks.set_global(memory.worldbooks.all()[0].id, is_global=True)
    card = {"name": text("卡"), "description": text("描述"), "tags": [text("标签")]}
    path = tmp_path / "card.json"
    path.write_text(json.dumps({"spec": "chara_card_v2", "data": card}), "utf-8")
    memory.imports.import_file(CTX, path)
    path = tmp_path / "script.json"
    path.write_text(script_json(name=text("脚本")), "utf-8")
    memory.imports.import_file(CTX, path)
    memory.settings.set("llm.model", text("模型"))
    return chat


def hover(widget: QWidget, at: QPoint) -> str:
    """Let the mouse rest at a place of a widget; return what the tooltip's label holds."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def spots(widget: QWidget):
    """Places where a widget may have something of its own to tell."""
    view = widget.parentWidget()
    if (
        isinstance(view, QAbstractItemView)
        and view.viewport() is widget
        and view.model() is not None
    ):
        for index in rows(view.model()):
            yield view.visualRect(index).center()
            yield view.visualRect(index).topLeft() + QPoint(12, 12)
    yield widget.rect().center()


def rows(model, parent=QModelIndex(), depth=0):  # noqa: B008 - an invalid index is the root
    """The first items of a list, table or tree."""
    for row in range(min(model.rowCount(parent), 12)):
        for column in range(8):
            index = model.index(row, column, parent)
            if index.isValid():
                yield index
        if depth < 3:
            yield from rows(model, model.index(row, 0, parent), depth + 1)


def check(place: str, top: QWidget) -> int:
    """Look at every widget of a place; return how many tooltips with foreign text were shown."""
    seen = 0
    for label in top.findChildren(QLabel):
        is_plain = label.textFormat() == Qt.TextFormat.PlainText
        assert is_plain or label.metaObject().className() == "QTipLabel", (place, label.text())
    for button in top.findChildren(QAbstractButton):
        assert KEY not in button.text(), f"{place}: a key is marked in {button.text()}"
    for action in top.findChildren(QAction):
        assert KEY not in action.text(), f"{place}: a key is marked in {action.text()}"
    for widget in top.findChildren(QWidget):
        # the label of one tip goes when the next is shown
        if not shiboken6.isValid(widget) or not widget.isVisible():
            continue
        for spot in spots(widget):
            told = hover(widget, spot)
            if "<b>" in html.unescape(told):
                seen += 1
                plain = html.unescape(told.split(">", 1)[1].rsplit("<", 1)[0])
                assert told == as_markup(plain), (place, told)
    QToolTip.hideText()
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="a FIFO tells that it was opened")
def test_no_place_reads_markup_or_opens_what_it_names(qtbot, open_desktop, memory, filled, canary):
    desktop = open_desktop(memory)
    window = desktop.window
    for kind in ("info", "error"):
        notice = Notice(kind, foreign(canary, "服务器"), foreign(canary, "说"), stays=True)
        desktop.workspace.messages.show(notice)
    memory.recall.ask(CTX, filled, RecallQuery("钥匙"))
    seen = 0
    failed = (FailedRange(3, 9, foreign(canary, "原因"), foreign(canary, "回答")),)
    for name, place in places(qtbot, desktop, failed=failed):
        seen += check(name, place)
        for menu_name, menu in menus(place):
            seen += check(f"{name}, menu {menu_name}", menu)
        assert not canary.times_opened, name
    assert seen > 10, "the canary was hardly to be seen"
    assert window.isVisible()


@pytest.mark.skipif(sys.platform == "win32", reason="a FIFO tells that it was opened")
def test_what_a_question_names_is_plain(desktop, filled):
    window = desktop.window
    settle(desktop)
    window.models.chats.load()
    settle(desktop)
    window.sidebar._delete(window.models.chats.current)
    (box,) = window.sidebar.findChildren(QMessageBox)
    assert "<b>" in box.text()
    check("question", box)
    assert box.defaultButton().text() == "Cancel"
    box.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a FIFO tells that it was opened")
def test_only_one_place_makes_what_could_read_markup():
    """Classes that guess at markup, and the one module of the window that may use each."""
    allowed = {
        "QToolTip": {"look.py"},
        "QMessageBox": {"dialogs.py", "start.py"},
        "QLabel": {"pieces.py", "foot_bar.py", "dialogs.py"},
        "QTextEdit": {"serving.py", "window_dialogs.py"},  # marks in a text, not a field
        # Markdown of our own, shipped with the program
        "QTextBrowser": {"pieces.py", "window_dialogs.py"},
        "QTextDocument": set(),
        "QErrorMessage": set(),
        "QWhatsThis": set(),
        "QGraphicsTextItem": set(),
        "QProgressDialog": set(),
        "QSystemTrayIcon": {"desktop.py"},  # it sends no sign that markup begins with
        "QPrinter": set(),
    }
    package = Path(engram_desktop.__file__).parent
    for file in package.rglob("*.py"):
        text = file.read_text("utf-8")
        if not any(name in text for name in allowed):
            continue
        for node in ast.walk(ast.parse(text)):
            made = node.func if isinstance(node, ast.Call) else None
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            for part in [*bases, *([made] if made is not None else [])]:
                name = ast.unparse(part).split(".")[0]
                assert file.name in allowed.get(name, {file.name}), (file.name, name)


@pytest.mark.skipif(sys.platform == "win32", reason="a FIFO tells that it was opened")
def test_a_tooltip_shows_markup_as_it_stands(qapp, desktop):
    widget = desktop.window.top.branch_button
    widget.setToolTip("<b>a</b> & b\nc")
    told = hover(widget, widget.rect().center())
    assert told == as_markup("<b>a</b> & b\nc")
    tips = [w for w in qapp.allWidgets() if w.metaObject().className() == "QTipLabel"]
    assert [tip.text() for tip in tips if tip.isVisible()] == [told]


# Messages lie over the page: they move nothing, are bounded, and can be found again.


def bars(window):
    """Where every part of the window stands."""
    parts = (w for w in window.event_page.findChildren(QWidget) if w.isVisible())
    return {id(w): w.mapTo(window, QPoint()) for w in parts}


def say(desktop, *notices):
    for notice in notices:
        desktop.workspace.messages.show(notice)
    settle(desktop)
    return desktop.window.message_bar


def test_a_message_moves_no_part_of_a_page_and_covers_none(desktop):
    window = desktop.window
    before = bars(window)
    bar = say(desktop, Notice("error", "坏了", "为什么" * 40), Notice("info", "好了"))
    assert len(bar.bars) == 2
    assert bars(window) == before
    assert window.sidebar.rect().contains(bar.geometry())
    assert bar.geometry().top() >= window.sidebar.list.geometry().bottom()
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    others = window.sidebar.findChildren(QToolButton, options=direct)
    assert not [w for w in others if w.isVisible() and w.geometry().intersects(bar.geometry())]
    for one in bar.bars:
        one.dismiss()
    settle(desktop)
    assert bars(window) == before
    assert not bar.isVisible()


def test_a_message_is_gone_when_it_was_read(qtbot, desktop):
    done: list[str] = []
    asks = Notice("warning", "删了", action_text="Undo", action=lambda: done.append("undo"))
    bar = say(desktop, Notice("error", "坏了"), Notice("error", "又坏了"), asks)
    qtbot.mouseClick(bar.bars[0], Qt.MouseButton.LeftButton)
    assert [one.notice.text for one in bar.bars] == ["又坏了", "删了"]
    qtbot.mouseClick(bar.bars[1], Qt.MouseButton.LeftButton)
    assert len(bar.bars) == 2, "what asks is answered by its button"
    click(desktop, desktop.window.foot.messages_button)
    assert [one.notice.text for one in bar.bars] == ["删了"]
    assert not done


def test_the_sidebar_that_holds_messages_cannot_be_dragged_away(desktop):
    window = desktop.window
    window._whole.setSizes([0, window.width()])
    settle(desktop)
    assert window.sidebar.isVisible()
    assert window.sidebar.width() >= window.sidebar.minimumSizeHint().width() > 150


@pytest.mark.parametrize("height", [560, 900])
def test_many_messages_are_stacked_within_bounds(desktop, height):
    desktop.window.resize(900, height)
    notices = [Notice("warning", f"文件 {n}", "行 1 坏了\n" * 30) for n in range(19)]
    bar = say(desktop, *notices)
    side = bar.parentWidget()
    shown = [one for one in bar.bars if one.isVisible()]
    assert 1 <= len(shown) <= 3
    assert shown[-1].notice.text == "文件 18"
    assert bar.height() <= side.height() * 0.5
    assert side.rect().contains(bar.geometry())
    assert bar.more_button.text().startswith(f"{19 - len(shown)} more message")
    for one in shown:
        one.dismiss()
    settle(desktop)
    assert [one.notice.text for one in bar.bars if one.isVisible()][-1] == f"文件 {18 - len(shown)}"


@pytest.mark.parametrize(
    ("kind", "stays"), [("error", True), ("warning", True), ("info", False), ("success", False)]
)
def test_what_went_wrong_stays_until_it_is_read(desktop, kind, stays):
    bar = say(desktop, Notice(kind, "说"))
    (one,) = bar.bars
    assert one._timer.isActive() is not stays


def test_every_message_of_the_session_is_in_the_list(desktop):
    bar = say(desktop, Notice("info", "第一"), Notice("error", "第二", "因为"))
    for one in bar.bars:
        one.dismiss()
    click(desktop, desktop.window.foot.messages_button)
    (dialog,) = desktop.window.dialogs.shown
    told = [dialog.list.item(n).text() for n in range(dialog.list.count())]
    assert "第二\n因为" in told[0]
    assert "第一" in told[1]


def test_the_list_offers_what_a_message_offered_after_its_banner_is_gone(desktop):
    done: list[str] = []
    with_undo = Notice("info", "删了", action_text="Undo", action=lambda: done.append("undo"))
    bar = say(desktop, with_undo, Notice("info", "别的"))
    for one in bar.bars:
        one.dismiss()
    click(desktop, desktop.window.foot.messages_button)
    (dialog,) = desktop.window.dialogs.shown
    assert not dialog.action_button.isVisible()
    dialog.list.setCurrentRow(1)
    assert dialog.action_button.isVisible()
    assert dialog.action_button.text() == "Undo"
    dialog.action_button.click()
    assert done == ["undo"]
    dialog.list.setCurrentRow(0)
    assert not dialog.action_button.isVisible()
