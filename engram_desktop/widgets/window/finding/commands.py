"""What the command palette offers: taken from the window as it stands when the palette opens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPushButton, QToolButton, QWidget

from engram_desktop.viewmodels.search.command_finder import Command
from engram_desktop.viewmodels.search.key_map import KeyMap
from engram_desktop.widgets.window.finding.action_list import CHAT_DIALOGS, DIALOGS
from engram_desktop.widgets.window.page_list import PAGES

if TYPE_CHECKING:
    from engram_desktop.widgets.window.opener import Dialogs
    from engram_desktop.widgets.window.page_stack import PageStack

_HIDDEN = ("commands",)  # what is open already


def _words(text: str, context: str = "Commands") -> str:
    return QCoreApplication.translate(context, text)


def window_commands(
    keys: KeyMap, stack: PageStack, dialogs: Dialogs, *, has_chat: bool
) -> Iterator[Command]:
    """Yield what can be done now in a window: what has keys, dialogs, buttons of the page."""
    yield from _action_commands(keys)
    yield from _dialog_commands(dialogs, has_chat=has_chat)
    title = _words(stack.shown.title, "TopBar")
    yield from _tool_commands(stack.pages.currentWidget(), stack.shown.name, title)


def _action_commands(keys: KeyMap) -> Iterator[Command]:
    """Yield what has a key, or may be given one."""
    icons = {f"page.{spec.name}": spec.icon for spec in PAGES}
    for bound in keys.bound:
        action = bound.pressed
        if bound.name in _HIDDEN or not action.isEnabled():
            continue
        is_page = bound.name in icons
        name = _words(bound.text, "TopBar") if is_page else bound.words
        page = QCoreApplication.translate("Commands", "Page: {name}")
        run = action.trigger if isinstance(action, QAction) else action.activated.emit
        yield Command(
            bound.name,
            page.format(name=name) if is_page else name,
            run,
            icons.get(bound.name, str(action.property("icon name") or "right")),
            keys.words(bound.name),
            bound.text,
        )


def _dialog_commands(dialogs: Dialogs, *, has_chat: bool) -> Iterator[Command]:
    """Yield the dialogs that can be opened now."""
    offered = DIALOGS | (CHAT_DIALOGS if has_chat else {})
    for name, (text, icon) in offered.items():
        opener: Callable[[], object] = getattr(dialogs, f"open_{name}")
        yield Command(f"dialog.{name}", _words(text), opener, icon, other=text)


def _tool_commands(page: QWidget, name: str, title: str) -> Iterator[Command]:
    """Yield the buttons of a page that can be pressed now, by what they say."""
    said: set[str] = set()
    for button in page.findChildren(QAbstractButton):
        text = _said(button)
        if not text or text in said or not button.isVisible() or not button.isEnabled():
            continue
        said.add(text)
        yield Command(f"{name}.{text}", text, button.click, group=title)


def _said(button: QAbstractButton) -> str:
    """Return what a button does in words; empty for one that is a part of something else."""
    is_menu = isinstance(button, QToolButton) and button.menu() is not None
    if not isinstance(button, QPushButton | QToolButton) or is_menu or button.isCheckable():
        return ""
    if button.objectName().startswith("qt_") or isinstance(button.parent(), QLineEdit):
        return ""
    text = button.toolTip() if not button.text() else button.text().replace("&&", "&")
    return " ".join(text.split())
