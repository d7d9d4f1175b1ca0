"""The view of a chat at 100,000 floors: frame times while scrolling, and while a reply streams.

    python -m benchmarks.chat_view [FLOORS]

A frame is what the GUI thread does in one turn for one step: the event, the layout of rows that
come into view, and the painting. Its own processor time is given beside the time that passed,
since a busy computer lengthens only the latter. While the reply streams, keys are typed into a
field below.

The last lines are of the real page, over a real server that sends a long reply as fast as it can,
while keys are typed into the composer: how long the window was away each time it came round.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from engram_desktop.app.start import build
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.transcript import ChatRow, MessageRows, Transcript
from engram_desktop.widgets.parts.chat_view import ChatView
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.play.play_page import PlayPage
from tests.factories import write_chat
from tests.fake_openai import FakeOpenAI

SPEAKERS = ("爱丽丝", "旅人")
SENTENCES = (
    "爱丽丝把铜钥匙交给旅人，“今晚别去北门。”",
    "*她垂下眼睛，手指在杯沿上慢慢画圈。*",
    "The old key turned in the lock with a soft click.",
    "月光从窗缝里漏进来，落在柜台上那本摊开的账簿上。",
    "（他一定听见了什么。）",
)


def message(number: int) -> str:
    """A message of one to sixty sentences, the same each time."""
    chance = random.Random(number)
    count = int(chance.paretovariate(1.2)) + 1
    pieces = [chance.choice(SENTENCES) for _ in range(min(count, 60))]
    return "".join(p + ("\n\n" if chance.random() < 0.3 else "") for p in pieces).strip()


class Frames:
    """What frames took: in all, and of this thread's own processor time."""

    def __init__(self, app: QApplication, name: str) -> None:
        self._app = app
        self._name = name
        self._taken: list[float] = []
        self._worked: list[float] = []

    def do(self, act: Callable[[], object]) -> None:
        start, worked = time.perf_counter(), time.thread_time()
        act()
        self._app.sendPostedEvents()
        self._app.processEvents()
        self._taken.append((time.perf_counter() - start) * 1e3)
        self._worked.append((time.thread_time() - worked) * 1e3)

    def tell(self) -> None:
        print(f"{self._name:<34} | {figures(self._taken)} | {figures(self._worked)}", flush=True)


def figures(values: list[float]) -> str:
    ordered = sorted(values)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"{p50:5.1f} {p95:5.1f} {ordered[-1]:5.1f}"


def turn_wheel(view: ChatView, by: int) -> None:
    at = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        at,
        QPointF(view.viewport().mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def scroll(app: QApplication, view: ChatView, count: int) -> None:
    frames = Frames(app, "wheel, up from the end")
    for _ in range(400):
        frames.do(lambda: turn_wheel(view, 120))
    frames.tell()
    frames = Frames(app, "pages, down from the middle")
    view.show_floor(count // 2)
    app.processEvents()
    for _ in range(200):
        frames.do(lambda: QTest.keyClick(view, Qt.Key.Key_PageDown))
    frames.tell()
    frames = Frames(app, "jumps all over the chat")
    chance = random.Random(3)
    bar = view.verticalScrollBar()
    for _ in range(200):
        frames.do(lambda: bar.setValue(chance.randrange(bar.maximum())))
    frames.tell()
    frames = Frames(app, "to the end and back")
    for _ in range(40):
        frames.do(lambda: QTest.keyClick(view, Qt.Key.Key_End))
        frames.do(lambda: QTest.keyClick(view, Qt.Key.Key_Home))
    frames.tell()


def stream(app: QApplication, view: ChatView, rows: Transcript, field: QPlainTextEdit) -> None:
    at = rows.count
    view.scroll_to_end()
    reply, written = "".join(message(n) + "\n\n" for n in range(60)), ""
    both, keys = Frames(app, "a reply streams"), Frames(app, "a key typed meanwhile")
    field.setFocus()
    for number in range(0, min(len(reply), 6000), 12):
        written = reply[: number + 12]
        live = ChatRow(at, "爱丽丝", written, length=len(written), is_live=True)
        both.do(partial(rows.set_live, at, [live]))
        if number % 24 == 0:
            keys.do(lambda: QTest.keyClick(field, Qt.Key.Key_A))
    both.tell()
    keys.tell()
    print(f"streamed {len(written):,} characters; still at the end: {view.follows_end}")


class Turns:
    """Turns of the event loop while a reply streams, and keys typed meanwhile."""

    def __init__(self, page: PlayPage) -> None:
        self._page = page
        self.away: list[float] = []
        self.own: list[float] = []
        self.keys: list[float] = []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._looking = QTimer(interval=1)
        self._looking.timeout.connect(self._look)
        self._typing = QTimer(interval=40)
        self._typing.timeout.connect(self._type)

    def watch(self) -> None:
        loop = QEventLoop()
        self._page.composer.field.setFocus()
        models = self._page.window().models  # type: ignore[attr-defined]  # the main window
        models.play.streaming_changed.connect(lambda is_on: None if is_on else loop.quit())
        self._page.composer.field.setPlainText("今晚我们去哪里？")
        self._looking.start()
        self._typing.start()
        QTimer.singleShot(0, self._page.composer.send_button.click)
        loop.exec()
        self._looking.stop()
        self._typing.stop()

    def _look(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.away.append((now - self._last) * 1e3)
        self.own.append((worked - self._worked) * 1e3)
        self._last, self._worked = now, worked

    def _type(self) -> None:
        start = time.perf_counter()
        QTest.keyClick(self._page.composer.field, Qt.Key.Key_A)
        self.keys.append((time.perf_counter() - start) * 1e3)


def play(app: QApplication, memory: Memory, chat: str) -> None:
    """Let a reply of 20,000 characters stream into the real page."""
    start = time.perf_counter()
    memory.knowledge.derive(NullContext(), chat)  # else the first turn waits for it
    print(f"who knows what, worked out: {time.perf_counter() - start:.1f} s")
    reply = "".join(message(n) + "\n\n" for n in range(400))[:20_000]
    with FakeOpenAI(answer=lambda _body: f"<reply>{reply}</reply>") as server:
        for key, value in {"llm.base_url": server.url, "llm.model": "fake-chat"}.items():
            memory.settings.set(key, value)
        desktop = build(app, memory, memory.folder, language="zh_CN", theme="light")
        desktop.workspace.chat_changed.disconnect(desktop.keeper.watch)
        desktop.workspace.hub.changed.disconnect(desktop.keeper._on_changed)
        desktop.window.show()
        desktop.workspace.show_chat(chat)
        desktop.window.show_page("play")
        while not desktop.runner.is_idle or not desktop.window.models.play.state.count:
            app.processEvents()
        turns = Turns(desktop.window.stack.page_as("play", PlayPage))
        turns.watch()
        print(f"{'the page, a reply streams':<34} | {figures(turns.away)} | {figures(turns.own)}")
        print(f"{'the page, a key meanwhile':<34} | {figures(turns.keys)}")
        desktop.close(20_000)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    app = QApplication([])
    look = Look(app)
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(Path(place) / "library", environ={})
        settings = {"index.backend": "exact", "embed.local": "hash", "keys.storage": "session"}
        for key, value in (settings | {"auto.enabled": False}).items():
            memory.settings.set(key, value)
        file = write_chat(
            Path(place) / "长.jsonl",
            [(("爱丽丝", "旅人")[n % 2], message(n)) for n in range(count)],
        )
        chat = memory.imports.import_file(NullContext(), file).chat_id or ""
        source = MessageRows(memory)
        source.line = Line.main(chat)
        rows = Transcript(source.rows)
        window = QWidget()
        layout = QVBoxLayout(window)
        view = ChatView(look, rows, lambda _name: None)
        field = QPlainTextEdit()
        field.setMaximumHeight(80)
        layout.addWidget(view)
        layout.addWidget(field)
        window.resize(1180, 820)
        window.show()
        app.processEvents()
        print(f"{count:,} floors; p50, p95, longest in ms: in all | own work")
        frames = Frames(app, "open at the end")
        frames.do(lambda: rows.show(memory.messages.count(source.line)))
        frames.tell()
        scroll(app, view, count)
        stream(app, view, rows, field)
        look.stop_watching()
        window.close()
        play(app, memory, chat)
        memory.close()


if __name__ == "__main__":
    main()
