"""The real program on a screen with a window manager, and somebody who clicks and types in it.

    python -m tests.window_walks WALK FOLDER

Walks in FOLDER, whose `library` is opened or begun, and prints what was seen as JSON. Nothing is
called but what a hand reaches: what is clicked must be seen, and lie under nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QMenu, QWidget

from engram_desktop.app.main import read_arguments
from engram_desktop.app.start import start
from engram_desktop.places import APP
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.chats.volumes_dialog import MakeVolumeDialog, VolumesDialog
from engram_desktop.widgets.inbox import InboxPage
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog, SummariseDialog
from engram_desktop.widgets.recall.hit_card import HitCard
from engram_desktop.widgets.recall.recall_page import RecallPage
from engram_desktop.widgets.window.main_window import MainWindow

W = TypeVar("W", bound=QWidget)
CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton
PATIENCE_S = 40.0
PAUSE_MS = 20
MOST_KEYS = 300
DECISIONS = (Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_L)
BEHIND_GUIDE = "Memory for long stories"  # on the page with the ways to begin


def committed(text: str) -> QInputMethodEvent:
    """Return what an input method sends when a text is chosen."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    return event


class Hand:
    """A user's eyes and hands."""

    def __init__(self, app: QApplication) -> None:
        self.app = app

    @property
    def window(self) -> MainWindow:
        """The window that is seen."""
        return next(
            widget
            for widget in self.app.topLevelWidgets()
            if isinstance(widget, MainWindow) and widget.isVisible()
        )

    def wait(self, what: str, until: Callable[[], object]) -> None:
        """Wait until something is so. Raises TimeoutError that says what was waited for."""
        for _turn in range(int(PATIENCE_S * 1000 / PAUSE_MS)):
            if until():
                return
            QTest.qWait(PAUSE_MS)
        raise TimeoutError(f"waited for: {what}")

    def see(self, kind: type[W]) -> W:
        """Wait for a dialog, or another window, of a kind."""
        seen: list[W] = []

        def look() -> bool:
            shown = (w for w in self.app.topLevelWidgets() if isinstance(w, kind))
            seen[:] = [w for w in shown if w.isVisible()]
            return bool(seen)

        self.wait(kind.__name__, look)
        return seen[-1]

    def words(self) -> set[str]:
        """All that labels of the window say now."""
        labels = self.window.findChildren(QLabel)
        return {label.text() for label in labels if label.isVisible()}

    def can_hit(self, widget: QWidget, at: QPoint) -> bool:
        """Whether a click at a place of a widget reaches it."""
        if not (widget.isVisible() and widget.isEnabled()):
            return False
        hit = self.app.widgetAt(widget.mapToGlobal(at))
        return hit is widget or (hit is not None and widget.isAncestorOf(hit))

    def reach(self, widget: QWidget, at: QPoint | None = None) -> QPoint:
        """Wait until a click at a place of a widget, or in its middle, reaches it."""
        place = widget.rect().center() if at is None else at
        name = widget.accessibleName() or getattr(widget, "text", str)()
        self.wait(f"{type(widget).__name__} “{name}”", lambda: self.can_hit(widget, place))
        return place

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Click a widget, once it can be hit."""
        QTest.mouseClick(widget, LEFT, NONE, self.reach(widget, at))

    def click_into(self, field: QWidget) -> None:
        """Click a field, and wait until it has the focus."""
        self.click(field)
        self.wait("the focus of the field", field.hasFocus)

    @property
    def focus(self) -> QWidget:
        """What has the focus, once something has."""
        self.wait("a focus", lambda: self.app.focusWidget() is not None)
        focused = self.app.focusWidget()
        assert focused is not None
        return focused

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        """Press a key: it goes to what has the focus."""
        QTest.keyClick(self.focus, key, modifier)

    def type(self, text: str) -> None:
        """Type into what has the focus, as an input method does."""
        QApplication.sendEvent(self.focus, committed(text))

    def choose_file(self, button: QWidget, file: Path) -> None:
        """Click what asks for a file, and type the file's name into the dialog."""

        def answer() -> None:
            shown = [w for w in self.app.topLevelWidgets() if isinstance(w, QFileDialog)]
            field = next((w.findChild(QLineEdit, "fileNameEdit") for w in shown), None)
            if field is None or not field.isVisible():
                return
            asking.stop()
            self.app.sendEvent(field, committed(str(file)))  # all at once: no list opens below it
            QTest.keyClick(field, Qt.Key.Key_Return)

        place = self.reach(button)
        asking = QTimer(interval=PAUSE_MS)  # the dialog runs a loop of its own until it is answered
        asking.timeout.connect(answer)
        asking.start()
        QTest.mouseClick(button, LEFT, NONE, place)

    def choose_of_menu(self, text: str) -> None:
        """Click an entry of the menu that is open."""
        menu = self.see(QMenu)
        action = next(action for action in menu.actions() if action.text() == text)
        self.click(menu, menu.actionGeometry(action).center())

    def menu_of_chat(self, name: str, entry: str) -> None:
        """Click an entry of the menu of a chat in the list."""
        chats = self.window.sidebar.list
        at = self.place_of_chat(name)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, at, chats.viewport().mapToGlobal(at)
        )
        QApplication.sendEvent(chats.viewport(), event)
        self.choose_of_menu(entry)

    def place_of_chat(self, name: str) -> QPoint:
        """Return where the row of a chat is in the list."""
        chats = self.window.sidebar.list
        model = chats.model()
        rows: list[int] = []

        def look() -> bool:
            rows[:] = [n for n in range(model.rowCount()) if model.index(n, 0).data() == name]
            return bool(rows)

        self.wait(f"the chat {name}", look)
        return chats.visualRect(model.index(rows[0], 0)).center()


def rest(hand: Hand) -> None:
    """Wait until the window does nothing."""
    jobs = hand.window.tasks._jobs
    hand.wait("rest", lambda: not jobs.rows)


def take_in(hand: Hand, button: QWidget, file: Path) -> None:
    """Import a chat file by a button."""
    hand.choose_file(button, file)
    hand.click(hand.see(ImportDialog).import_button)
    hand.wait("the chat", lambda: hand.window.models.chats.current is not None)


def first_start(hand: Hand, folder: Path) -> dict[str, Any]:
    """From the first start of a new user to a finished inbox."""
    hand.wait("the guide", lambda: hand.window.first_steps.page is not None)
    for _step in range(4):
        guide = hand.window.first_steps.page
        assert guide is not None
        hand.wait("a button that Enter presses", guide.next_button.hasFocus)
        hand.press(Qt.Key.Key_Return)
    hand.wait("the ways to begin", lambda: BEHIND_GUIDE in hand.words())
    window = hand.window
    take_in(hand, window.welcome.import_button, folder / "story.jsonl")
    hand.click(window.top.summarise_button)
    hand.click(hand.see(SummariseDialog).start_button)
    hand.wait("events in the buffer", lambda: window.models.events.counts.buffer > 0)
    events = window.models.events.counts.total
    hand.click(window.top.consolidate_button)
    hand.click(hand.see(ConsolidateDialog).start_button)
    hand.wait("an empty buffer", lambda: window.models.events.counts.buffer == 0)
    hand.press(Qt.Key.Key_D, CTRL)
    inbox = window.stack.page_as("inbox", InboxPage)
    hand.wait("what waits", lambda: inbox.isVisible() and inbox._inbox.count > 0)
    waited, pressed = inbox._inbox.count, 0
    while not inbox._inbox.is_settled or inbox._inbox.count:
        if inbox._inbox.model.rowCount():
            hand.press(DECISIONS[pressed % len(DECISIONS)])
            pressed += 1
            assert pressed < MOST_KEYS
        QTest.qWait(PAUSE_MS)
    hand.wait("that all is done", lambda: "All done" in hand.words())
    return {"events": events, "waited": waited, "pressed": pressed, "left": inbox._inbox.count}


def next_chat(hand: Hand, folder: Path) -> dict[str, Any]:
    """From a finished chat to a second one that remembers it."""
    del folder
    hand.wait("both chats", lambda: hand.window.models.chats.rowCount() == 2)
    window = hand.window
    hand.click(window.sidebar.list.viewport(), hand.place_of_chat("story"))
    hand.menu_of_chat("story", "Make a volume…")
    making = hand.see(MakeVolumeDialog)
    hand.click_into(making.title_field)
    hand.press(Qt.Key.Key_A, CTRL)
    hand.type("卷一")
    hand.click(making.make_button)
    hand.wait("the volume", lambda: not making.isVisible())
    rest(hand)
    hand.click(window.sidebar.list.viewport(), hand.place_of_chat("second"))
    hand.menu_of_chat("second", "Volumes…")
    volumes = hand.see(VolumesDialog)
    hand.wait("the volume in the list", lambda: volumes.tree.topLevelItemCount() == 1)
    hand.click(volumes.attach_button)
    hand.wait("a reader", lambda: volumes.tree.topLevelItem(0).text(2) == "second")  # type: ignore[union-attr]
    hand.press(Qt.Key.Key_Escape)
    hand.wait("no dialog", lambda: hand.app.activeModalWidget() is None)
    hand.press(Qt.Key.Key_3, CTRL)
    page = window.stack.page_as("recall", RecallPage)
    hand.click_into(page.question)
    hand.type("备用钥匙交给了谁？")
    hand.press(Qt.Key.Key_Return)

    def cards() -> list[HitCard]:
        return [card for card in page.findChildren(HitCard) if card.isVisible()]

    hand.wait("hits", cards)
    hits = [(card.hit.item.volume, card.hit.item.content) for card in cards()]
    chat = window.models.chats.current
    return {"chat": chat.name if chat else "", "hits": hits}


WALKS: dict[str, Callable[[Hand, Path], dict[str, Any]]] = {
    "first_start": first_start,
    "next_chat": next_chat,
}


def main(walk: str, folder: str) -> int:
    app = QApplication([])
    app.setApplicationName(APP)
    app.setQuitOnLastWindowClosed(False)
    arguments: argparse.Namespace = read_arguments(
        ["--library", str(Path(folder) / "library"), "--language", "en", "--theme", "light"]
    )
    hand, failed = Hand(app), []

    def go() -> None:
        try:
            hand.wait("a window", lambda: any(w.isVisible() for w in app.topLevelWidgets()))
            QTest.qWaitForWindowActive(hand.window)
            print(json.dumps(WALKS[walk](hand, Path(folder)), ensure_ascii=False), flush=True)
        except (AssertionError, LookupError, RuntimeError, TimeoutError):
            failed.append(True)
            traceback.print_exc()
            app.primaryScreen().grabWindow(0).save(str(Path(folder) / "failed.png"))
            sys.stderr.flush()
        for dialog in app.topLevelWidgets():
            if not isinstance(dialog, MainWindow):
                dialog.close()
        hand.window.close()

    QTimer.singleShot(0, go)
    code = start(app, arguments, Path(folder) / "library")
    return code or int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
