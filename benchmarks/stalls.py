"""How long the window is away for whatever a hand does first.

    PYTHONDONTWRITEBYTECODE= python -m benchmarks.stalls

(Bytecode is kept, as where the program is installed: a first opening would compile its modules.)
Pages are taken from the window's list and dialogs from its opener. For each action: the longest
time the GUI thread did not come round, and the most it worked itself in one turn (its own processor
time, which a busy computer does not lengthen); the worst are told again at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication

from benchmarks.gui_stalls import Meter, wait
from engram_desktop.app.start import build
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.window.page_stack import PAGES
from tests.factories import make_chat, make_event, make_extraction
from tests.gui.places import dialog_names, open_dialog

pytestmark = pytest.mark.timeout(1800)

EVENTS, BATCH = 100_000, 5_000
SUMMARIES = ("爱丽丝把铜钥匙交给旅人。", "莉莉丝在北门集市打翻了药摊。", "凯尔警告旅人远离拍卖会。")
LONGEST = 50  # milliseconds of the thread's own work that one turn may take
TOLD = 40  # rows told again at the end


def fill(memory: Memory, name: str) -> str:
    """Make a chat of 100,000 events, all blue; return its id."""
    store = make_chat(memory.session.library, name)
    model = [make_extraction(summary) for summary in SUMMARIES]
    for first in range(0, EVENTS, BATCH):
        events = []
        for n in range(first, first + BATCH):
            said = f"{model[n % 3].summary}（{n}）"
            data = replace(model[n % 3], summary=said)
            score = n % 97 / 97
            made = make_event(said, n * 6, n * 6 + 5, raw_data=data, timestamp=n)
            events.append(replace(made, significance_score=score))
        with store.database.writing():
            store.events.add(events, first)
    return store.chat_id


class Hand:
    """Does one thing after the other; keeps the figures of each."""

    def __init__(self, desktop) -> None:
        self.desktop = desktop
        self.rows: list[tuple[float, float, str]] = []
        self._meter = Meter()

    def do(self, name: str, act: Callable[[], object], *more: Callable[[], object]) -> None:
        self._meter.start()
        for step in (act, *more):
            step()
            wait(20 if more else 200)
        while not self.desktop.runner.is_idle:
            wait(20)
        wait(100)
        self._meter.stop()
        self.rows.append((self._meter.busiest, self._meter.longest, name))
        print(f"{name:<44} | {self._meter.busiest:>6.0f} | {self._meter.longest:>6.0f}", flush=True)

    def tell(self) -> None:
        print(f"\n{'the worst':<44} | own ms | wall ms")
        for own, wall, name in sorted(self.rows, reverse=True)[:TOLD]:
            print(f"{name:<44} | {own:>6.0f} | {wall:>6.0f}")


@pytest.fixture(scope="module")
def chats(tmp_path_factory):
    """A library with the bundled story and two chats of 100,000 events."""
    memory = Memory.open(tmp_path_factory.mktemp("big") / "library", environ={})
    given = {
        "index.backend": "exact",
        "embed.local": "hash",
        "keys.storage": "session",
        "auto.enabled": False,
        "ui.theme": "light",
        "ui.language": "zh_CN",
    }
    for key, value in given.items():
        memory.settings.set(key, value)
    run_demo(memory, NullContext())
    story = memory.chats.all()[0].chat_id
    big = [fill(memory, name) for name in ("十万", "又十万")]
    memory.close()
    return memory.folder, story, big


@pytest.fixture
def hand(qtbot, qapp, chats):
    folder, story, _big = chats
    memory = Memory.open(folder, environ={})
    desktop = build(qapp, memory, folder)
    # embedding 100,000 events is measured elsewhere
    desktop.workspace.hub.changed.disconnect(desktop.keeper._on_changed)
    desktop.workspace.chat_changed.disconnect(desktop.keeper.watch)
    desktop.window.resize(1440, 900)
    desktop.window.show()
    desktop.workspace.show_chat(story)
    qtbot.waitUntil(lambda: desktop.window.models.chats.is_loaded, timeout=60_000)
    qtbot.waitUntil(lambda: desktop.runner.is_idle, timeout=60_000)
    wait(500)
    hand = Hand(desktop)
    desktop.ahead.begin()  # as the program does
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=60_000)
    print(f"\n{'action':<44} | own ms | wall ms")
    yield hand
    hand.tell()
    assert desktop.close(20_000)
    desktop.deleteLater()
    memory.close()


def open_all_pages(hand: Hand, word: str = "first opening of") -> None:
    for spec in PAGES:
        hand.do(f"{word} {spec.name}", partial(hand.desktop.window.show_page, spec.name))


def turn_wheel(view: QAbstractScrollArea, by: int) -> None:
    at = QPointF(view.viewport().rect().center())
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(
        at,
        QPointF(view.viewport().mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, by),
        none,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def set_setting(hand: Hand, key: str, value: object) -> None:
    hand.desktop.workspace.change(
        "", lambda _ctx: hand.desktop.workspace.memory.settings.set(key, value)
    )


def test_pages_and_what_changes_all_of_them(hand):
    window = hand.desktop.window
    open_all_pages(hand)
    open_all_pages(hand, "again")
    for page in ("graph", "events", "reading", "overview"):
        window.show_page(page)
        wait(400)
        for theme in ("dark", "light"):
            hand.do(f"theme {theme}, {page}", partial(hand.desktop.look.apply, theme))
        open_all_pages(hand, "after a theme:")
    for density in ("compact", "comfortable"):
        hand.do(f"density {density}", partial(hand.desktop.look.apply, "light", density))
    for size in ((900, 600), (1366, 768), (1440, 900)):
        for spec in PAGES:
            window.show_page(spec.name)
            wait(200)
            hand.do(f"resize to {size[0]}, {spec.name}", partial(window.resize, *size))
    for zoom in (125, 100):
        hand.do(f"zoom {zoom} %", partial(set_setting, hand, "ui.zoom", zoom))
    for language in ("en", "ja", "zh_CN"):
        hand.do(f"language {language}", partial(set_setting, hand, "ui.language", language))


def test_every_dialog(hand, qtbot):
    desktop = hand.desktop
    for name in dialog_names():
        hand.do(f"first opening of the dialog {name}", partial(open_dialog, qtbot, desktop, name))
        for dialog in [*desktop.window.dialogs.shown]:
            if shiboken6.isValid(dialog):
                hand.do(f"  closing {name}", dialog.close)
        wait(100)


def test_a_hundred_thousand_events(hand, chats):
    desktop, (_folder, story, big) = hand.desktop, chats
    window = desktop.window
    window.show_page("events")
    hand.do("to a chat of 100,000", partial(desktop.workspace.show_chat, big[0]))
    hand.do("to another of 100,000", partial(desktop.workspace.show_chat, big[1]))
    hand.do("and back", partial(desktop.workspace.show_chat, big[0]))
    page = window.event_page
    hand.do("select all", page.view.selectAll)
    hand.do("change all lamps", page.selection_bar.archive_button.click)
    hand.do("undo it", window.models.undo.undo)
    hand.do("redo it", window.models.undo.redo)
    hand.do("undo it again", window.models.undo.undo)
    for spec in PAGES:
        hand.do(f"100,000: {spec.name}", partial(window.show_page, spec.name))
        for view in window.stack.page(spec.name).findChildren(QAbstractScrollArea):
            if view.isVisible() and view.verticalScrollBar().maximum() > 0:
                turns = [partial(turn_wheel, view, -120)] * 20
                hand.do(f"  wheel over {type(view).__name__} of {spec.name}", *turns)
    for page_name in ("events", "graph", "reading"):
        window.show_page(page_name)
        wait(300)
        for chat in (big[1], big[0], story, big[0]):
            with suppress(RuntimeError):
                hand.do(f"chat switch on {page_name}", partial(desktop.workspace.show_chat, chat))
    assert isinstance(page.view, QAbstractItemView)


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
