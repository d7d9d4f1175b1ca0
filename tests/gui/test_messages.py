"""The messages below the chats: every word of them can be read."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument, QTextOption
from PySide6.QtWidgets import QLabel

from engram_desktop.viewmodels.workspace.messages import Notice
from tests.gui.cut_texts import is_cut, is_label_cut
from tests.gui.waiting import settle


def words(bar) -> list[QLabel]:
    return [one for one in bar.findChildren(QLabel) if one.text() and one.isVisible()]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_message_with_an_answer_is_as_high_as_its_words_beside_others(desktop, count):
    desktop.window.resize(1280, 800)
    asks = Notice("warning", "新增 18 条消息；1 行无法读取", "", "生成摘要…", lambda: None)
    others = [
        Notice("success", f"“{name}”已存入资料库：新增 {number} 个世界书条目")
        for name, number in (("another_world_user", 1), ("Seraphina", 4))
    ]
    for notice in [asks, *others][:count]:
        desktop.workspace.messages.show(notice)
    settle(desktop)
    shown = [bar for bar in desktop.window.message_bar.bars if bar.isVisible()]
    assert len(shown) == count
    assert not [one.text() for bar in shown for one in words(bar) if is_cut(one)]


@pytest.mark.parametrize(
    "text",
    [
        "“another_world_user_of_the_north”已存入资料库",
        "无法读取 /home/somebody/资料/chats/56d9e2cc8a11/memory.db",
        "Donaudampfschifffahrtsgesellschaftskapitän",
    ],
)
def test_a_long_name_is_broken_rather_than_cut(desktop, text):
    desktop.workspace.messages.show(Notice("error", text, text))
    settle(desktop)
    (bar,) = desktop.window.message_bar.bars
    assert [one.text().replace("\u200b", "") for one in words(bar)] == [text, text]
    for one in words(bar):
        document = QTextDocument(one.text())
        document.setDefaultFont(one.font())
        document.setDocumentMargin(0)
        document.setDefaultTextOption(QTextOption())
        document.setTextWidth(one.contentsRect().width())
        assert document.idealWidth() <= one.contentsRect().width() + 1
        assert not is_label_cut(one)


LONG = "雨夜归途·顾凌薇与程知在旧城区的第三个冬天以及那封始终没有寄出的信（第二周目·重开存档）"


@pytest.mark.parametrize("count", [1, 2])
def test_in_a_low_window_a_message_of_a_long_name_leaves_the_chat_that_is_shown(desktop, count):
    window = desktop.window
    window.resize(900, 600)
    settle(desktop)
    text, hint = f"“{LONG}”已导入：新增 1540 条消息", "连接一个模型之后可以重新生成；现有事件保留。"
    for said in ("某条更早的消息", text)[-count:]:
        desktop.workspace.messages.show(Notice("warning", said, hint, "设置…", lambda: None))
        settle(desktop)
    chats, bar = window.sidebar.list, window.message_bar.bars[-1]
    shown = chats.visualRect(chats.currentIndex())
    assert chats.currentIndex().isValid()
    assert chats.viewport().rect().contains(shown)
    (read,) = [one.text() for one in words(bar)]
    assert read.replace("\u200b", "").startswith("“雨夜归途·顾…”已导入")
    assert bar.toolTip() == f"{text}\n{hint}"
    assert bar.accessibleName() == f"{text} {hint}"
    assert bar.button.isVisible()
    assert not [one.text() for one in words(bar) if is_cut(one)]
