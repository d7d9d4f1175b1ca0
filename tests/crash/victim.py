"""A process to be killed: real work on a real library, each finished piece acknowledged on stdout.

python victim.py consolidate FOLDER      archives a buffer batch by batch
python victim.py index FOLDER            embeds and flushes into Chroma, over and over
python victim.py summarise FOLDER        asks a model, and hangs between its answer and the commit
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.local_embedder import HashEmbedder
from engram_desktop.services import archive, indexing
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library import Library
from tests.factories import counting_clock

T = TypeVar("T")
EMBEDDER = HashEmbedder(64)


class Acknowledging(NullContext):
    """Tells after each unit of writing how many events are archived."""

    def __init__(self, library: Library, chat_id: str) -> None:
        self._store = library.chat(chat_id)

    def write(self, unit: Callable[[], T]) -> T:
        result = unit()
        print("archived", self._store.events.counts().archived, flush=True)
        return result


class Hanging(NullContext):
    """Does one unit of writing, says so, and waits to be killed."""

    def write(self, unit: Callable[[], T]) -> T:
        unit()
        print("kept", flush=True)
        threading.Event().wait(60)
        raise SystemExit


def main(job: str, folder: Path) -> None:
    if job == "summarise":
        memory = Memory.open(folder, program="victim", environ={})
        print("ready", flush=True)
        memory.summarise(Hanging(), memory.chats()[0].chat_id)
        return
    library = Library(folder, counting_clock(10_000_000), program="victim")
    chat_id = library.chat_rows()[0][0]
    store = library.chat(chat_id)
    print("ready", flush=True)
    if job == "consolidate":
        ctx = Acknowledging(library, chat_id)  # many small transactions: many places to die at
        archive.consolidate(store, ctx, EMBEDDER, sync=False, batch_size=8)
        return
    while True:
        indexing.rebuild(store, NullContext(), EMBEDDER, "")
        (process,) = multiprocessing.active_children()
        print("index", process.pid, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
