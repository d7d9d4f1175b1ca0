"""Messages lie over the page: they move nothing, are bounded, and can be found again."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.workspace.messages import Notice
from tests.gui.waiting import settle


def places(window):
    """Where every part of the window stands."""
    parts = (w for w in window.event_page.findChildren(QWidget) if w.isVisible())
    return {id(w): w.mapTo(window, QPoint()) for w in parts}


def say(qtbot, desktop, *notices):
    for notice in notices:
        desktop.workspace.messages.show(notice)
    settle(qtbot, desktop)
    return desktop.window.message_bar


def test_a_message_moves_no_part_of_the_page(qtbot, desktop):
    before = places(desktop.window)
    bar = say(qtbot, desktop, Notice("error", "坏了", "为什么"), Notice("info", "好了"))
    assert len(bar.bars) == 2
    assert places(desktop.window) == before
    for one in bar.bars:
        one.dismiss()
    settle(qtbot, desktop)
    assert places(desktop.window) == before
    assert not bar.isVisible()


def test_many_messages_are_stacked_within_bounds(qtbot, desktop):
    notices = [Notice("warning", f"文件 {n}", "行 1 坏了\n" * 30) for n in range(19)]
    bar = say(qtbot, desktop, *notices)
    page = bar.parentWidget()
    shown = [one for one in bar.bars if one.isVisible()]
    assert 1 <= len(shown) <= 3
    assert shown[-1].notice.text == "文件 18"
    assert bar.height() <= page.height() * 0.5
    assert page.rect().contains(bar.geometry())
    assert bar.more_button.text().startswith(f"{19 - len(shown)} more message")
    for one in shown:
        one.dismiss()
    settle(qtbot, desktop)
    assert [one.notice.text for one in bar.bars if one.isVisible()][-1] == f"文件 {18 - len(shown)}"


@pytest.mark.parametrize(
    ("kind", "stays"), [("error", True), ("warning", True), ("info", False), ("success", False)]
)
def test_what_went_wrong_stays_until_it_is_read(qtbot, desktop, kind, stays):
    bar = say(qtbot, desktop, Notice(kind, "说"))
    (one,) = bar.bars
    assert one._timer.isActive() is not stays


def test_every_message_of_the_session_is_in_the_list(qtbot, desktop):
    bar = say(qtbot, desktop, Notice("info", "第一"), Notice("error", "第二", "因为"))
    for one in bar.bars:
        one.dismiss()
    desktop.window.foot.messages_button.click()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    told = [dialog.list.item(n).text() for n in range(dialog.list.count())]
    assert "第二\n因为" in told[0]
    assert "第一" in told[1]


def test_the_list_offers_what_a_message_offered_after_its_banner_is_gone(qtbot, desktop):
    done: list[str] = []
    with_undo = Notice("info", "删了", action_text="Undo", action=lambda: done.append("undo"))
    bar = say(qtbot, desktop, with_undo, Notice("info", "别的"))
    for one in bar.bars:
        one.dismiss()
    desktop.window.foot.messages_button.click()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert not dialog.action_button.isVisible()
    dialog.list.setCurrentRow(1)
    assert dialog.action_button.isVisible()
    assert dialog.action_button.text() == "Undo"
    dialog.action_button.click()
    assert done == ["undo"]
    dialog.list.setCurrentRow(0)
    assert not dialog.action_button.isVisible()
