"""What each place for vectors costs: exact search, Chroma beside the process, a Chroma server.

    python -m benchmarks.vector_backends [COUNT …]

For each count of vectors (384 dimensions, random): seconds until they can be asked, milliseconds of
a question (p50/p95), how many of the exact ten nearest are found, memory of this process, of the
worker and of the server, and bytes on disk. The server is `chroma run` on this machine.
"""

from __future__ import annotations

import multiprocessing
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.index import VectorIndex
from tests.factories import make_message, make_store

COUNTS = (10_000, 100_000)
DIMENSIONS = 384
QUESTIONS = 100
MODEL = "random"
CTX = NullContext()

Ask = Callable[[NDArray[np.float32]], list[tuple[int, float]]]


@contextmanager
def chroma_server(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the address of a server and its process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--host", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--port", str(port), "--path", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while True:
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            threading.Event().wait(0.1)
        yield f"http://127.0.0.1:{port}", process.pid
        process.terminate()


def resident_mb(pid: int | str) -> float:
    text = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def disk_mb(folder: Path) -> float:
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6


def questions() -> NDArray[np.float32]:
    rows = np.random.default_rng(1).normal(size=(QUESTIONS, DIMENSIONS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def filled(folder: Path, count: int) -> ChatStore:
    store = make_store(folder)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"line {n}") for n in range(count)])
    chance = np.random.default_rng(0)
    ids = store.vectors.waiting(MODEL)
    for start in range(0, len(ids), 5_000):
        part = ids[start : start + 5_000]
        rows = chance.normal(size=(len(part), DIMENSIONS)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        keys = store.items.hashes(part)
        with store.database.writing():
            store.vectors.put(MODEL, [(i, keys[i], row) for i, row in zip(part, rows, strict=True)])
    return store


def measured(ask: Ask, exact: Ask) -> str:
    taken, found = [], 0
    for question in questions():
        began = time.perf_counter()
        hits = ask(question)
        taken.append((time.perf_counter() - began) * 1000)
        found += len({i for i, _s in hits} & {i for i, _s in exact(question)})
    p50, p95 = np.percentile(taken, [50, 95])
    return f"{p50:6.1f}/{p95:5.1f} ms  {found / QUESTIONS:4.1f} of 10"


def _nearest(index: VectorIndex, row: NDArray[np.float32]) -> list[tuple[int, float]]:
    return index.query(row, 10)


def main() -> None:
    for count in [int(word) for word in sys.argv[1:]] or COUNTS:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            store = filled(folder, count)
            everything = store.items.layout(ItemFilter(ITEM_KINDS, (("main", None),))).ids

            def exact(
                row: NDArray[np.float32],
                store: ChatStore = store,
                ids: NDArray[np.int64] = everything,
            ) -> list[tuple[int, float]]:
                return store.vectors.search(MODEL, row, ids, 10)

            print(f"\n{count} vectors of {DIMENSIONS} dimensions")
            before, began = resident_mb("self"), time.perf_counter()
            exact(questions()[0])
            ready = time.perf_counter() - began
            held = resident_mb("self") - before
            print(f"  exact          {ready:6.1f} s  {measured(exact, exact)}  +{held:.0f} MB here")
            with chroma_server(folder / "server") as (address, pid):
                for name, where in (("Chroma", ""), ("Chroma server", address)):
                    place = folder / name
                    index = VectorIndex(place, store.database, store.vectors, MODEL, where)
                    began = time.perf_counter()
                    index.sync(CTX)
                    ready = time.perf_counter() - began
                    told = measured(partial(_nearest, index), exact)
                    (worker,) = multiprocessing.active_children()
                    sizes = f"worker {resident_mb(worker.pid or 0):.0f} MB"
                    data = folder / "server" if where else place
                    if where:
                        sizes += f", server {resident_mb(pid):.0f} MB"
                    print(
                        f"  {name:14} {ready:6.1f} s  {told}  {sizes}, {disk_mb(data):.0f} MB disk"
                    )
                    index.close()
            store.close()


if __name__ == "__main__":
    main()
