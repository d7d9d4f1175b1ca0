"""How long the GUI thread is away for what a user does in a large library.

    python -m benchmarks.gui_stalls [MESSAGES]

Makes a library of one chat (30,000 messages unless said otherwise, as many events, all archived,
8,000 names), a worldbook of 1,000 entries and 500 characters, opens the window on it and does what
a user does. For each action: the longest time the GUI thread did not come round, and the longest it
worked itself in one turn (its own processor time, which a busy computer does not lengthen).
"""

from __future__ import annotations

import itertools
import json
import random
import sys
import tempfile
import time
from bisect import bisect
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks import require
from engram_desktop.app.desktop import Desktop
from engram_desktop.app.start import build
from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.widgets.window.page_stack import PAGES
from tests.endless_patterns import ENDLESS
from tests.factories import make_event, make_extraction, open_keyless, script_json, write_chat

CTX = NullContext()
ENTRIES, CARDS = 1_000, 500
PREDICATES = "认识 喜欢 住在 位于 交付 讨厌 朋友 恋人 拥有 来到 告诉 保护".split()
SYLLABLES = "爱莉凯罗安德卡西奥尔斯特芙兰玛丽苏珊琳达格林布莱克怀特诺亚露娜希维雷恩塔尼"
KINDS: tuple[EntityType, ...] = ("char", "loc", "item")


def names(count: int, chance: random.Random) -> list[str]:
    """The two who speak and so many more names."""
    found = {"爱丽丝": None, "旅人": None}
    while len(found) < count:
        found["".join(chance.choices(SYLLABLES, k=chance.randint(2, 5)))] = None
    return list(found)


def fill(memory: Memory, folder: Path, messages: int) -> str:
    """Make the library; returns the chat's id."""
    chance = random.Random(7)
    known = names(max(50, messages * 4 // 15), chance)
    kinds = {name: KINDS[0] if n < 2 else KINDS[n % 3] for n, name in enumerate(known)}
    shares = list(itertools.accumulate(1 / (n + 1) for n in range(len(known))))

    def somebody() -> str:
        return known[bisect(shares, chance.random() * shares[-1] * 0.999999)]

    rows = [
        (("爱丽丝", "旅人")[n % 2], f"第{n}天，{somebody()}在月光酒馆把铜钥匙{n}交给{somebody()}。")
        for n in range(messages)
    ]
    chat = memory.imports.import_file(CTX, write_chat(folder / "长.jsonl", rows)).chat_id or ""
    store = memory.session.chat(chat)
    for first in range(0, messages, 5000):
        events = []
        for n in range(first, min(messages, first + 5000)):
            who = list(dict.fromkeys(somebody() for _ in range(4)))
            said = f"{who[0]}把铜钥匙交给{who[-1]}。（{n}）"
            data = make_extraction(
                said,
                entities=tuple(ExtractedEntity(name, kinds[name]) for name in who),
                relations=tuple(
                    ExtractedRelation(who[0], chance.choice(PREDICATES), name) for name in who[1:3]
                ),
            )
            events.append(make_event(said, n, n, raw_data=data, timestamp=n))
        with store.database.writing():
            store.events.add(events, first)
    started = time.process_time()
    memory.events.set_archived(
        CTX, chat, list(memory.events.find(chat, EventQuery())), archived=True
    )
    print(f"{messages:,} events archived: {time.process_time() - started:.1f} s of processor time")
    entries = {
        str(n): {
            "uid": n,
            "key": [f"词{n}", f"钥匙{n}"],
            "comment": f"条目{n}",
            "content": "月光酒馆的故事。" * 20,
            "constant": n % 50 == 0,
            "order": n,
            "position": 0,
        }
        for n in range(ENTRIES)
    }
    file = folder / "书.json"
    file.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    memory.imports.import_file(CTX, file)
    for n in range(CARDS):
        fields = {"name": f"角色{n}", "description": "描述" * 200, "first_mes": "你好"}
        card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": fields}
        file.write_text(json.dumps(card, ensure_ascii=False), "utf-8")
        memory.imports.import_file(CTX, file)
    return chat


class Meter:
    """Notes each turn of the GUI thread: how late it came round, and what it did itself."""

    def __init__(self) -> None:
        self.longest = self.busiest = 0.0
        self._timer = QTimer(interval=1)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.longest = self.busiest = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> None:
        self._tick()
        self._timer.stop()

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, (now - self._last) * 1e3)
        self.busiest = max(self.busiest, (worked - self._worked) * 1e3)
        self._last, self._worked = now, worked


def wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Session:
    """One window on a large library, and a row of figures for each action."""

    def __init__(self, desktop: Desktop, endless: Path) -> None:
        self.desktop = desktop
        self.endless = endless
        self._meter = Meter()

    def do(
        self, name: str, act: Callable[[], object], holds: Callable[[], object] = lambda: True
    ) -> None:
        """Time an action; ``holds`` says afterwards whether it did what it is for."""
        self._meter.start()
        act()
        wait(250)
        while not self.desktop.runner.is_idle or self.desktop.ahead.is_busy:
            wait(20)
        wait(100)
        self._meter.stop()
        require(holds(), f"after “{name}” the window does not show it")
        figures = f"{self._meter.longest:>8.0f} | {self._meter.busiest:>8.0f}"
        print(f"{name:<34} | {figures}", flush=True)

    def use(self, chat: str, event: int) -> None:
        """Do what a user does."""
        window, space = self.desktop.window, self.desktop.workspace
        print(f"\n{'action':<34} | away, ms | own work, ms")
        self.do("show the window", window.show)
        wait(1500)
        space.show_chat("")
        events = window.event_page
        has_rows = lambda: events.view.model().rowCount() > 0  # noqa: E731
        self.do("open the chat", lambda: space.show_chat(chat), has_rows)
        self.do("type in search", lambda: events.search.setText("铜钥匙"), has_rows)
        self.do("clear search", events.search.clear)
        self.do("scroll to the end", events.view.scrollToBottom)
        self.do("choose an event", lambda: space.event_wanted.emit(event))
        self.do("toggle one lamp", lambda: window.models.events.toggle_lamp(event))
        self.do("undo it", window.models.undo.undo)
        for page in [*(spec.name for spec in PAGES[1:]), PAGES[0].name, "graph", "books"]:
            is_shown = lambda page=page: window.stack.page(page).isVisible()  # noqa: E731
            self.do(f"switch to {page}", partial(window.show_page, page), is_shown)
        look = self.desktop.look
        for page in ("events", "overview", "reading", "graph", "books", "recall"):
            window.show_page(page)
            wait(500)
            for theme in ("dark", "light"):
                self.do(f"{theme} theme on {page}", partial(look.apply, theme))
        self.do("read messages", lambda: space.floor_wanted.emit(event, event + 50))
        for name in ("characters", "texts", "settings", "usage", "branches", "consolidate"):
            for dialog in list(window.dialogs.shown):
                dialog.close()
            wait(50)
            opened = lambda: list(window.dialogs.shown)  # noqa: E731
            self.do(f"open {name}", getattr(window.dialogs, f"open_{name}"), opened)

        def speak() -> None:
            space.change("", lambda _ctx: space.memory.settings.set("ui.language", "en"))
            while self.desktop.window is window:
                wait(20)

        self.do("another language, all made ahead", speak)
        window = self.desktop.window
        for page in ("graph", "books", "recall", "reading", "inbox", "events"):
            self.do(f"switch to {page}, made ahead", partial(window.show_page, page))
        models = window.models
        models.scripts.take([self.endless])
        wait(500)
        redo = partial(models.pipeline.redo, (0, 40), "extractive")
        self.do("stop patterns that never end", redo)


def main() -> None:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    app = QApplication([])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        memory = open_keyless(
            folder / "library", settings={"auto.enabled": False, "ui.language": "zh_CN"}
        )
        chat = fill(memory, folder, messages)
        desktop = build(app, memory, memory.folder, theme="light")
        # embedding all of it is measured elsewhere
        desktop.workspace.chat_changed.disconnect(desktop.keeper.watch)
        desktop.workspace.hub.changed.disconnect(desktop.keeper._on_changed)
        endless = folder / "regex.json"
        scripts = (script_json(find, "", name=f"s{n}") for n, find in enumerate(ENDLESS))
        endless.write_text(f"[{','.join(scripts)}]", "utf-8")
        Session(desktop, endless).use(chat, messages // 2)
        desktop.close(20_000)
        memory.close()


if __name__ == "__main__":
    main()
