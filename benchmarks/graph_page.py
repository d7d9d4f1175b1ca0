"""How long the window is away for what a reader does on the page of the graph.

    python -m benchmarks.graph_page [NODES RELATIONS]

Makes a library whose story tells of so many entities and relations (2,000 and 6,000 unless said
otherwise), opens the real window on its graph and does what a hand does, several times each. For
each action: the middle, the 95th percentile and the longest of the longest turns of the GUI thread,
and the most it worked itself in one turn (its own processor time, which another thread that holds
the interpreter does not lengthen).
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from benchmarks import require
from benchmarks.graph_frames import SYLLABLES
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.start import build
from engram_desktop.domain.graph.entity import ENTITY_TYPES
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.graph.graph_page import GraphPage
from tests.factories import make_event, make_extraction, write_chat

CTX = NullContext()
FACTS = 3  # of one event
FLOORS = 2_000


def fill(memory: Memory, folder: Path, nodes: int, edges: int) -> str:
    """Tell of circles of forty who know each other, and of a few whom everybody knows."""
    chance = random.Random(7)
    called: dict[str, None] = {}
    while len(called) < nodes:
        called["".join(chance.choices(SYLLABLES, k=chance.randint(2, 5)))] = None
    known = list(called)
    kinds = {name: ENTITY_TYPES[n % 4] for n, name in enumerate(known)}

    def fact() -> ExtractedRelation:
        a = chance.randrange(nodes)
        near = min(nodes - 1, a // 40 * 40 + chance.randrange(40))
        b = near if chance.random() < 0.85 else int(nodes * chance.random() ** 3)
        word = chance.choice("认识 喜欢 讨厌 信任 害怕 保护".split())
        return ExtractedRelation(known[a], word, known[b if b != a else (b + 1) % nodes])

    rows = [(("甲", "乙")[n % 2], f"第{n}天。") for n in range(FLOORS)]
    chat = memory.imports.import_file(CTX, write_chat(folder / "长.jsonl", rows)).chat_id or ""
    store = memory.session.chat(chat)
    count = edges // FACTS
    events = []
    for n in range(count):
        facts = tuple(fact() for _ in range(FACTS))
        who = dict.fromkeys(name for one in facts for name in (one.subject, one.object))
        data = make_extraction(
            f"{facts[0].subject}与{facts[0].object}说话。（{n}）",
            entities=tuple(ExtractedEntity(name, kinds[name]) for name in who),
            relations=facts,
        )
        floor = n * (FLOORS - 1) // count
        events.append(make_event(data.summary, floor, floor, raw_data=data, timestamp=n))
    with store.database.writing():
        store.events.add(events, 0)
    events_now = list(memory.events.find(chat, EventQuery()))
    memory.events.set_archived(CTX, chat, events_now, archived=True)
    return chat


class Meter:
    """Notes how late the GUI thread came round, and what it worked itself."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.longest = self.busiest = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> tuple[float, float]:
        self._tick()
        self._timer.stop()
        return self.longest, self.busiest

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, (now - self._last) * 1e3)
        self.busiest = max(self.busiest, (worked - self._worked) * 1e3)
        self._last, self._worked = now, worked


def rest(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


class Hand:
    """Does each thing some times, and prints a row of figures."""

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop
        self._meter = Meter()

    def do(self, name: str, *acts: Callable[[], object], pause: int = 250) -> None:
        turns, own = [], []
        for act in acts:
            self._meter.start()
            act()
            rest(pause)
            while not self.desktop.runner.is_idle:
                rest(5)
            rest(60)
            longest, busiest = self._meter.stop()
            turns.append(longest)
            own.append(busiest)
        turns.sort()
        p95 = turns[min(len(turns) - 1, int(len(turns) * 0.95))]
        middle = turns[len(turns) // 2]
        row = f"{middle:>7.0f} {p95:>7.0f} {turns[-1]:>8.0f} | {max(own):>8.0f}"
        print(f"{name:<34} | {row}", flush=True)

    def use(self, limit: int) -> None:
        window = self.desktop.window
        print(f"\n{'action':<34} |  middle     p95  longest | own work (ms)")
        self.do("open the page", lambda: window.show_page("graph"))
        page, model = window.stack.page("graph"), window.models.graph
        assert isinstance(page, GraphPage)
        self.do(f"load {limit:,} at most", lambda: model.set_limit(limit), model.load, model.load)
        rest(1_500)
        drawn = model.graph.drawn
        print(f"  {len(drawn.entities):,} nodes, {len(drawn.lanes):,} lines")
        require(drawn.entities and drawn.lanes, "nothing is drawn on the page of the graph")
        hubs = [drawn.entities[n].id for n in drawn.order[:10].tolist()]
        small = [drawn.entities[n].id for n in drawn.order[-10:].tolist()]
        self.do("select a hub", *(lambda i=i: model.select(i) for i in hubs))
        self.do("select a small one", *(lambda i=i: model.select(i) for i in small))
        self.do("hover sweep", *(lambda n=n: self.sweep(page.canvas, n) for n in range(6)))
        legend = [b for b in page.legend.values() if b.isVisible()]
        self.do("switch a type", *(b.click for b in legend), *(b.click for b in legend))
        degrees = (2, 3, 5, 0)
        only = page.filters.predicate
        self.do("fewest relations", *(lambda n=n: page.filters.degree.setValue(n) for n in degrees))
        self.do(
            "only one relation",
            *(lambda n=n: self.only(only, n) for n in (1, 2, 0)),
        )
        self.do("words on lines", page.tools.words_button.click, page.tools.words_button.click)
        floors = [FLOORS * n // 8 for n in range(8)]
        self.do("go to a floor", *(lambda n=n: page.time_bar.slider.setValue(n) for n in floors))
        self.do("play 3 s", page.time_bar.play_button.click, lambda: None, pause=3_000)
        self.do("stop", model.time.pause)
        self.do("back to now", page.time_bar.now_button.click)
        self.do("lay out 2 s", page.tools.arrange_button.click, pause=2_000)
        self.do("stop the layout", page.tools.arrange_button.click)

    @staticmethod
    def only(box: QComboBox, n: int) -> None:
        box.setCurrentIndex(n)
        box.activated.emit(n)

    def sweep(self, canvas: QWidget, row: int) -> None:
        """Draw a pointer across the picture, a step for each turn."""
        none = Qt.MouseButton.NoButton
        width, height = canvas.width(), canvas.height()
        for step in range(60):
            spot = QPointF(width * (step + 0.5) / 60, height * (row + 0.5) / 6)
            event = QMouseEvent(
                QMouseEvent.Type.MouseMove,
                spot,
                spot,
                none,
                none,
                Qt.KeyboardModifier.NoModifier,
            )
            QTimer.singleShot(4 * step, canvas, partial(QApplication.sendEvent, canvas, event))


def main() -> None:
    nodes, edges = (int(n) for n in sys.argv[1:3]) if len(sys.argv) > 2 else (2_000, 6_000)
    app = QApplication([])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        memory = Memory.open(folder / "library", environ={})
        for key, value in {
            "embed.local": "hash",
            "index.backend": "exact",
            "keys.storage": "session",
            "auto.enabled": False,
            "graph.entities_per_message": 10.0,  # the story has few floors, and much on each
            "graph.relations_per_message": 20.0,
        }.items():
            memory.settings.set(key, value)
        fill(memory, folder, nodes, edges)
        desktop = build(app, memory, memory.folder, language="zh_CN", theme="light")
        # embedding all of it is measured elsewhere
        desktop.workspace.chat_changed.disconnect(desktop.keeper.watch)
        desktop.workspace.hub.changed.disconnect(desktop.keeper._on_changed)
        desktop.window.resize(1440, 900)
        desktop.window.show()
        rest(1_500)
        desktop.workspace.show_chat(memory.chats.all()[0].chat_id)
        rest(500)
        Hand(desktop).use(nodes)
        desktop.close(20_000)
        memory.close()


if __name__ == "__main__":
    main()
