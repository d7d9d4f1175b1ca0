"""The grid of events and persons at 10,000 events × 50 persons: reading and scrolling.

    python -m benchmarks.witness_grid [EVENTS] [PERSONS]

Prints how long columns and pages take to read in the background, and for scrolling from top to
bottom the most the GUI thread worked in one turn and the longest it did not come round.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from benchmarks.gui_stalls import SYLLABLES, Meter, wait
from engram_desktop.app.start import build
from engram_desktop.domain.knowledge.knowing import GridChange
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import make_event, make_extraction, write_chat

CTX = NullContext()
STEPS = 200  # of the scroll bar, from top to bottom


def fill(memory: Memory, folder: Path, events: int, persons: int) -> str:
    """Make a chat of ``events`` events and ``persons`` persons; up to five see each event."""
    chance = random.Random(7)
    names = ["爱丽丝", "旅人"]
    while len(names) < persons:
        name = "".join(chance.choices(SYLLABLES, k=3))
        names += [name] if name not in names else []
    rows = [
        (("爱丽丝", "旅人")[n % 2], f"第{n}天，{chance.choice(names)}拿走了铜钥匙{n}。")
        for n in range(events)
    ]
    chat = memory.imports.import_file(CTX, write_chat(folder / "长.jsonl", rows)).chat_id or ""
    store = memory.session.chat(chat)
    made = []
    for n in range(events):
        who = tuple(dict.fromkeys(chance.choices(names, k=5)))
        said = f"{who[0]}把铜钥匙{n}交给{who[-1]}，两人在月光酒馆等到了半夜。"
        people = tuple(ExtractedEntity(name, "char") for name in who)
        data = make_extraction(said, entities=people, witnesses=who)
        made.append(make_event(said, n, n, raw_data=data, timestamp=n))
    with store.database.writing():
        store.events.add(made, 0)
    return chat


def read(memory: Memory, line: Line) -> None:
    """Print how long it takes to read, and to say something of many cells."""
    service = memory.knowledge
    start = time.perf_counter()
    service.derive(CTX, line.chat_id)
    print(f"derived once: {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    people = service.grid_people(CTX, line)
    print(f"{len(people)} columns: {(time.perf_counter() - start) * 1e3:.0f} ms")
    keys = list(memory.events.find(line.chat_id, EventQuery()))
    for first in (0, len(keys) // 2):
        start = time.perf_counter()
        service.grid_rows(CTX, line, keys[first : first + 64], people)
        print(f"64 rows: {(time.perf_counter() - start) * 1e3:.0f} ms")
        start = time.perf_counter()
        service.grid_told(CTX, line, keys[first : first + 64], people)
        print(f"who was told of 64: {(time.perf_counter() - start) * 1e3:.0f} ms")
    events = memory.events.fetch(line.chat_id, keys[:400]).values()
    said = [GridChange(e.id, p.name, "knows", 0) for e in events for p in people[:50]]
    start = time.perf_counter()
    service.say_grid(line, said)
    print(f"{len(said):,} cells said: {time.perf_counter() - start:.1f} s")


def scroll(app: QApplication, memory: Memory) -> None:
    """Print what scrolling takes, by screens and by two rows."""
    desktop = build(app, memory, memory.folder, language="zh_CN", theme="light")
    window = desktop.window
    window.resize(2560, 1400)
    window.show()
    while not desktop.runner.is_idle or not window.models.chats.is_loaded:
        wait(50)
    window.show_page("events")
    window.event_page.shapes.show_shape("people")
    wait(3000)
    bar, meter = window.event_page.view.verticalScrollBar(), Meter()
    for name, step in (("by screens", bar.maximum() // STEPS), ("by two rows", 60)):
        bar.setValue(0)
        meter.start()
        for _step in range(STEPS):
            bar.setValue(bar.value() + step)
            wait(16)
        meter.stop()
        print(f"scrolling {name}: {meter.busiest:.1f} ms of its own, {meter.longest:.1f} ms away")
    desktop.close()


def main(events: int = 10_000, persons: int = 50) -> None:
    app = QApplication([])
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(Path(place) / "library", environ={})
        memory.settings.set("index.backend", "exact")
        chat = fill(memory, Path(place), events, persons)
        read(memory, Line.main(chat))
        scroll(app, memory)
        memory.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
