"""A million checks of who may know what, on every road that takes a name.

    python -m tests.soak.access [CHECKS [SEED]]

Random stories: whatever is said or happens has a number, and is known to those who were there. Each
road of the program is asked as each person; a number in its answer that this person cannot know is
a leak. One check is one number held against one answer. The roads are taken from the program:
every command with ``--as``, every tool of MCP with ``as_character``, and the services behind the
window. `tests/property/test_roads.py` is the small run of CI.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import io
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engram_desktop.cli.main import build_parser, every_verb
from engram_desktop.cli.main import main as engram
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import Around
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.recall.query import RecallQuery, explain
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.mcp import MemoryTools
from engram_desktop.services.memory import Memory
from tests.factories import import_chat
from tests.option_runs import RUNS
from tests.random_story import FLOORS, NAMES, World

CTX = NullContext()
CANARY = re.compile(r"(暗号|事件|日志)(\d{5})号")
OUTSIDER = "旁白"


@dataclass
class Tally:
    checks: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)  # numbers that were rightly told, by road
    leaks: list[tuple[int, str, str, str]] = field(default_factory=list)  # seed, road, who, what

    def add(self, other: Tally) -> None:
        self.checks += other.checks
        self.answers += other.answers
        self.told += other.told
        self.leaks += other.leaks


class Story:
    """A random story in a library, and another chat that reads a volume of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.seed = seed
        self.folder = folder
        self.random = random.Random(seed)
        self.memory = Memory.open(folder / "library", environ={})
        self.memory.settings.set("embed.local", "hash")
        rows = [(self.random.choice(NAMES), self._sentence(n)) for n in range(FLOORS)]
        self.line = Line(import_chat(self.memory, folder / "故事.jsonl", rows), MAIN_BRANCH)
        if self.random.random() < 0.7:
            self.memory.pipeline.summarise(CTX, self.line, None, "extractive")
        self.world = World(
            self.memory.session.chat(self.line.chat_id),
            seed,
            scopes=("shared", "shared", "global", "private"),
        )
        for _ in range(self.random.randrange(12)):
            self.world.change()
        if self.random.random() < 0.5:
            self.memory.pipeline.consolidate(CTX, self.line)
        self.memory.index.update(CTX, self.line.chat_id)
        other = import_chat(
            self.memory, folder / "续.jsonl", [(n, "我们又见面了。") for n in NAMES]
        )
        self.later = Line(other, MAIN_BRANCH)
        info, _changes = self.memory.volumes.make(CTX, self.line, "旧事")
        self.memory.volumes.attach(CTX, info.id, other)
        self.memory.index.update(CTX, other)

    def _sentence(self, number: int) -> str:
        canary, name = f"暗号{number:05d}号", self.random.choice(NAMES)
        place = self.random.choice(("桥头", "北门", "松林", "磨坊", "灯塔", "旧城", "河湾"))
        forms = (
            f"第{number}件事，{canary}。",
            f"{name}住在{place}{canary}。",
            f"“我答应{name}，明天去{place}{canary}。”",
            f"{name}说：“我的年纪是{canary}岁。”",
            f"我没有去过{place}{canary}。",
        )
        return self.random.choice(forms)

    def canaries(self) -> dict[str, tuple[str, str]]:
        """Return every number of the story, with the memory it is the mark of."""
        rows = {f"暗号{n:05d}号": ("turn", str(n)) for n in range(FLOORS)}
        store = self.world.store
        for event in store.events.by_ids(list(self.world.events)):
            rows[event.summary] = ("event", event.id)
        return rows | {ref: ("log", ref) for ref in self.world.logs}

    def check(self) -> Tally:
        """Ask every road as everybody."""
        tally, canaries = Tally(), self.canaries()
        for name in [*NAMES, OUTSIDER]:
            allowed = {
                canary: self._may_know(name, kind, ref) for canary, (kind, ref) in canaries.items()
            }
            for road, text in self._roads(name):
                found = {match[0] for match in CANARY.finditer(text)}
                tally.checks += len(canaries)
                tally.answers[road] += 1
                tally.told[road] += len(found)
                tally.leaks += [
                    (self.seed, road, name, canary)
                    for canary in sorted(found & canaries.keys())
                    if not allowed[canary]
                ]
        return tally

    def _may_know(self, name: str, kind: str, ref: str) -> bool:
        """A memory, or what it tells: an event that somebody was told of tells of its floors."""
        return bool(self.world.may_know(name, kind, ref, FLOORS - 1, frozenset()))

    def _roads(self, name: str) -> Iterator[tuple[str, str]]:
        yield from self._services(name)
        yield from self._tools(name)
        yield from self._commands(name)
        with contextlib.suppress(NotFound):  # nobody of that name is in it
            yield from self._volume(name)

    def _questions(self) -> list[str]:
        number = self.random.randrange(FLOORS)
        return [f"暗号{number:05d}号", self.random.choice(NAMES), "昨天发生了什么？"]

    def _services(self, name: str) -> Iterator[tuple[str, str]]:
        memory, line = self.memory, self.line
        for question in self._questions():
            query = RecallQuery(question, 40, actor=name)
            result = memory.recall.ask(CTX, line.chat_id, query)
            yield "recall", _without(question, [hit.item.content for hit in result.hits])
            yield "why", _without(question, explain([result]).to_json())
            yield "prompt", _without(question, memory.inject.compose(CTX, line.chat_id, query).text)
        actors = memory.knowledge.askers(CTX, line, [name])
        yield "graph", json.dumps(memory.graph.node_link(line, actors), ensure_ascii=False)
        yield "graphml", memory.graph.graphml(line, actors)
        yield "neighbours", repr(memory.graph.picture(line, Around(None, 2, 500), actors))
        floors = memory.knowledge.heard(CTX, line, name, 0, FLOORS - 1)
        yield "text", "\n".join(message.text for message in floors)
        for word in ("暗号", "事件", "日志"):
            found = memory.search.find(CTX, word, line, actors, limit=1_000)
            hits = [hit for group in found.groups for hit in group.hits]
            yield "search", "\n".join(f"{hit.title.text} {hit.passage.text}" for hit in hits)

    def _tools(self, name: str) -> Iterator[tuple[str, str]]:
        tools = MemoryTools(self.memory, lambda: CTX, lambda _changes: None)
        values = {"question": "暗号", "message": "事件", "chat": "故事", "as_character": name}
        for tool, function in vars(MemoryTools).items():
            if tool.startswith("_") or not callable(function):
                continue
            known = inspect.signature(function).parameters
            if "as_character" in known:
                given = {key: value for key, value in values.items() if key in known}
                with contextlib.suppress(NotFound):
                    yield f"MCP {tool}", repr(getattr(tools, tool)(**given))

    def _commands(self, name: str) -> Iterator[tuple[str, str]]:
        for verb in commands_with_a_viewpoint():
            target = self.folder / f"out{self.random.getrandbits(40)}"
            words = RUNS[verb]["--as"].replace("--as 旅人", "").replace("爱丽丝", name)
            words = words.replace("钥匙 --chat", "暗号 --chat").replace("铜钥匙", "暗号")
            given = words.replace("{out}", str(target)).split()
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                engram([verb, *given, "--library", str(self.memory.folder)])
            files = [f.read_text("utf-8") for f in self.folder.glob(f"{target.name}*")]
            told = "\n".join([printed.getvalue(), *files])
            yield f"engram {verb}", told.replace("[暗号]", "暗号")  # as search marks it

    def _volume(self, name: str) -> Iterator[tuple[str, str]]:
        for question in self._questions():
            query = RecallQuery(question, 40, actor=name)
            result = self.memory.recall.ask(CTX, self.later.chat_id, query)
            yield "volume", _without(question, [hit.item.content for hit in result.hits])
            text = self.memory.inject.compose(CTX, self.later.chat_id, query).text
            yield "volume in a prompt", _without(question, text)

    def close(self) -> None:
        self.memory.close()


def _without(question: str, told: object) -> str:
    """Return what was told but for the question itself, which is repeated in some answers."""
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return text.replace(question, "") if CANARY.fullmatch(question) is None else text


@functools.cache
def commands_with_a_viewpoint() -> tuple[str, ...]:
    """Return the commands whose --as names whoever the answer is for."""
    parser = build_parser(every_verb())
    (found,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return tuple(
        verb
        for verb, one in found.choices.items()
        if any("--as" in a.option_strings and a.dest in {"actor", "actors"} for a in one._actions)
    )


def run(folder: Path, seed: int) -> Tally:
    """Make one story and ask every road."""
    story = Story(folder, seed)
    try:
        return story.check()
    finally:
        story.close()


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    total, began = Tally(), time.monotonic()
    while total.checks < wanted:
        with tempfile.TemporaryDirectory() as folder:
            total.add(run(Path(folder), seed))
        seed += 1
        print(f"{total.checks:>9} checks, {len(total.leaks)} leaks", flush=True)
    print(f"{time.monotonic() - began:.0f} s")
    for road, answers in total.answers.most_common():
        print(f"  {road:22} {answers:>6} answers  {total.told[road]:>8} rightly told")
    for leak in total.leaks[:20]:
        print("LEAK", *leak)
    return 1 if total.leaks else 0


if __name__ == "__main__":
    sys.exit(main())
