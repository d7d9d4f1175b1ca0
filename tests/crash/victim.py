"""A process to be killed: real work on a real library, each finished piece acknowledged on stdout.

python victim.py consolidate FOLDER      archives a buffer batch by batch
python victim.py index FOLDER            embeds and flushes into Chroma, over and over
python victim.py keep FOLDER             rewrites a kept worldbook, over and over
python victim.py play FOLDER             plays turns, over and over
python victim.py volume FOLDER           makes volumes and attaches them, over and over
python victim.py trim FOLDER             merges buffered events, and hangs after each commit
python victim.py summarise FOLDER        asks a model, and hangs between its answer and the commit
"""

from __future__ import annotations

import itertools
import multiprocessing
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.outline import telling_words
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.memory import Memory
from engram_desktop.services.pipeline import consolidation
from engram_desktop.services.pipeline.consolidation import OutlineWriter
from engram_desktop.services.recall import index
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock

T = TypeVar("T")
EMBEDDER = HashEmbedder(64)


class Acknowledging(NullContext):
    """Tells after each unit of writing how many events are archived."""

    def __init__(self, library: Library, chat_id: str) -> None:
        self._store = library.chat(chat_id)

    @override
    def write(self, unit: Callable[[], T]) -> T:
        result = unit()
        print("archived", self._store.events.counts().archived, flush=True)
        return result


class Counting(NullContext):
    """Tells after each unit of writing how many messages there are."""

    def __init__(self, memory: Memory, line: Line) -> None:
        self._memory = memory
        self._line = line

    @override
    def write(self, unit: Callable[[], T]) -> T:
        result = unit()
        print("messages", self._memory.messages.count(self._line), flush=True)
        return result


class Pausing(NullContext):
    """Says so after each unit of writing, and waits a moment to be killed."""

    @override
    def write(self, unit: Callable[[], T]) -> T:
        result = unit()
        print("kept", flush=True)
        threading.Event().wait(0.2)
        return result


class Hanging(NullContext):
    """Does one unit of writing, says so, and waits to be killed."""

    @override
    def write(self, unit: Callable[[], T]) -> T:
        unit()
        print("kept", flush=True)
        threading.Event().wait(60)
        raise SystemExit


def keep_worldbook(memory: Memory) -> NoReturn:
    """Give an event the other lamp and write the file, until killed."""
    chat_id, ctx = memory.chats.all()[0].chat_id, NullContext()
    (key, *_others) = memory.events.find(chat_id, EventQuery())
    print("ready", flush=True)
    for number in itertools.count():
        memory.events.set_archived(ctx, chat_id, [key], archived=number % 2 == 0)
        for report in memory.kept.sync(ctx):
            print("kept", report.worldbook.fault or "well", flush=True)
    raise AssertionError


def play(memory: Memory) -> NoReturn:
    """Say something and hear the reply, until killed."""
    line = Line.main(memory.chats.all()[0].chat_id)
    print("ready", flush=True)
    for number in itertools.count():
        memory.play.send(Counting(memory, line), line, f"第{number}句，铜钥匙在谁那里？")
    raise AssertionError


def main(job: str, folder: Path) -> None:
    if job == "play":
        play(Memory.open(folder, program="victim", environ={}))
    if job == "summarise":
        memory = Memory.open(folder, program="victim", environ={})
        print("ready", flush=True)
        memory.pipeline.summarise(Hanging(), Line.main(memory.chats.all()[0].chat_id))
        return
    if job == "volume":
        memory = Memory.open(folder, program="victim", environ={})
        first, second, *_more = (row.chat_id for row in memory.chats.all()[::-1])
        print("ready", flush=True)
        for number in itertools.count():
            info, _changes = memory.volumes.make(NullContext(), Line.main(first), f"卷{number}")
            memory.volumes.attach(NullContext(), info.id, second)
            print("made", info.id, flush=True)
    if job == "import":
        memory = Memory.open(folder / "library", program="victim", environ={})
        print("ready", flush=True)
        memory.imports.import_file(Pausing(), folder / "故事.jsonl")
        return
    if job == "trim":
        memory = Memory.open(folder, program="victim", environ={})
        print("ready", flush=True)
        memory.pipeline.trim(Pausing(), Line.main(memory.chats.all()[0].chat_id), 100)
        return
    if job == "keep":
        keep_worldbook(Memory.open(folder, program="victim", environ={}))
    library = Library(folder, counting_clock(10_000_000), program="victim")
    chat_id = library.chat_rows()[0][0]
    store = library.chat(chat_id)
    telling_words("热身")  # reads a dictionary: the kills are to fall into the work
    print("ready", flush=True)
    if job == "consolidate":
        ctx = Acknowledging(library, chat_id)  # many small transactions: many places to die at
        writer = OutlineWriter(StoryRenderer(), store.clock)
        consolidation.consolidate(store, ctx, EMBEDDER, None, batch_size=8, writer=writer)
        return
    while True:
        index.rebuild(store, NullContext(), EMBEDDER, Settings(index_backend="chroma"))
        (process,) = multiprocessing.active_children()
        print("index", process.pid, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
