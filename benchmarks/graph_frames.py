"""How long a frame of the graph takes while a hand pans and zooms it.

    python -m benchmarks.graph_frames

Draws graphs of 2,000 nodes with 6,000 relations and of 10,000 with 30,000 on 1100 x 760 pixels,
pans and zooms them as fast as frames come, and prints the middle, the 95th percentile and the
longest of the times between two frames' begin and end, and of the GUI thread's longest turn: a
frame of sixty in a second has 16.7 ms. Own is the thread's own processor time, which a busy
computer does not lengthen.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QPointF, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks import require
from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, GraphView, Relation
from engram_desktop.viewmodels.graph.drawn_graph import (
    DrawnGraph,
    drawn,
    lay_out,
    shown_lanes,
    shown_nodes,
)
from engram_desktop.widgets.graph.graph_canvas import GraphCanvas
from engram_desktop.widgets.parts.look import Look

SIZES = ((2_000, 6_000), (10_000, 30_000))
FRAMES = 240
SYLLABLES = "爱莉凯罗安德卡西奥尔斯特芙兰玛丽苏珊琳达格林布莱克怀特诺亚露娜希维雷恩塔尼"


def made_graph(nodes: int, edges: int) -> DrawnGraph:
    """Make a story: circles of forty who know each other, and a few whom everybody knows."""
    chance = random.Random(7)
    facts = []
    for n in range(edges):
        a = chance.randrange(nodes)
        near = a // 40 * 40 + chance.randrange(40)
        far = int(nodes * chance.random() ** 3)
        b = min(nodes - 1, near if chance.random() < 0.85 else far)
        facts.append(Relation(f"r{n}", str(a), chance.choice("认识 喜欢 讨厌".split()), str(b)))
    degrees = [0] * nodes
    for fact in facts:
        degrees[int(fact.src)] += 1
        degrees[int(fact.dst)] += 1
    entities = tuple(
        EntityNode(
            str(n),
            "".join(chance.choices(SYLLABLES, k=chance.randint(2, 5))),
            ENTITY_TYPES[n % len(ENTITY_TYPES)],
            degree=degrees[n],
        )
        for n in range(nodes)
    )
    started = time.perf_counter()
    places = lay_out([e.id for e in entities], [(f.src, f.dst) for f in facts], {})
    print(f"{nodes:,} nodes, {edges:,} relations laid out in {time.perf_counter() - started:.1f} s")
    return drawn(GraphView(None, entities, tuple(facts)), places)


class Frames:
    """Moves the canvas once for each frame, and notes how long things took."""

    def __init__(self, canvas: GraphCanvas, move: Callable[[int], None]) -> None:
        self._canvas = canvas
        self._move = move
        self._loop = QEventLoop()
        self._timer = QTimer(interval=16)
        self._timer.timeout.connect(self._next)
        self._count = 0
        self.times: list[float] = []
        self.own: list[float] = []

    def run(self) -> str:
        self._timer.start()
        self._loop.exec()
        return f"{_spread(self.times)} ms; own {_spread(self.own)}"

    def _next(self) -> None:
        if self._count == FRAMES:
            self._timer.stop()
            self._loop.quit()
            return
        started, worked = time.perf_counter(), time.thread_time()
        self._move(self._count)
        self._canvas.repaint()
        self.times.append((time.perf_counter() - started) * 1e3)
        self.own.append((time.thread_time() - worked) * 1e3)
        self._count += 1


def _spread(times: list[float]) -> str:
    ranked = sorted(times)
    middle, p95 = ranked[len(ranked) // 2], ranked[int(len(ranked) * 0.95)]
    return f"middle {middle:.1f}, p95 {p95:.1f}, longest {ranked[-1]:.1f}"


class Turns:
    """The longest time the event loop did not come round, and the most it worked in a turn."""

    def __init__(self) -> None:
        self.longest = self.busiest = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, (now - self._last) * 1e3)
        self.busiest = max(self.busiest, (worked - self._worked) * 1e3)
        self._last, self._worked = now, worked

    def stop(self) -> str:
        self._timer.stop()
        return f"{self.longest:.1f} ms, own {self.busiest:.1f}"


def rest(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def moves_of(canvas: GraphCanvas) -> dict[str, Callable[[int], None]]:
    """What a hand does, frame by frame."""
    middle = QPointF(400, 300)
    return {
        "pan, all seen": lambda n: canvas.pan(9 if n // 40 % 2 else -9, 4),
        "zoom in": lambda _n: canvas.zoom(1.012, middle),
        "pan, near": lambda n: canvas.pan(-11 if n // 60 % 2 else 11, 3),
        "zoom out": lambda _n: canvas.zoom(1 / 1.012, middle),
    }


def main() -> None:
    app = QApplication(sys.argv[:1])
    look = Look(app)
    for nodes, edges in SIZES:
        graph = made_graph(nodes, edges)
        canvas = GraphCanvas(look)
        canvas.resize(1100, 760)
        canvas.show()
        is_shown = shown_nodes(graph, frozenset(), 0)
        started = time.perf_counter()
        canvas.show_graph(graph, is_shown, shown_lanes(graph, is_shown, ""))
        canvas.fit()
        canvas.repaint()
        print(f"  first frame {(time.perf_counter() - started) * 1e3:.1f} ms")
        turns = Turns()
        rest(2_000)
        print(f"  longest turn until it stands still {turns.stop()}")
        # what is drawn in the background is there by now
        picture = canvas.grab().toImage()
        background = picture.pixel(0, 0)
        drawn_at = [
            (x, y)
            for x in range(0, picture.width(), 4)
            for y in range(0, picture.height(), 4)
            if picture.pixel(x, y) != background
        ]
        require(is_shown.sum() == nodes and drawn_at, f"{is_shown.sum()} of {nodes} are shown")
        hub = int(graph.order[0])
        moves = moves_of(canvas)
        for is_chosen in (False, True):
            canvas.choose(graph.entities[hub].id if is_chosen else None)
            canvas.fit()
            rest(1_500)
            for name, move in moves.items():
                turns, told = Turns(), Frames(canvas, move).run()
                chosen = "chosen, " if is_chosen else ""
                print(f"  {chosen}{name}: {told}; longest turn {turns.stop()}")
                rest(400)
        canvas.close()


if __name__ == "__main__":
    main()
