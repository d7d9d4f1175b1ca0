"""Figures for the engine, each beside a floor measured in the same run.

    python -m benchmarks.engine

ENGRAM_SCALE_CHAT may name a large chat to import (for example 10,000 messages of novels).
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw
import numpy as np
import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.events import curate
from engram_desktop.services.memory import Memory
from engram_desktop.services.pipeline import consolidation
from tests.factories import make_chat, make_event, make_message, make_store, story_rows, write_chat

pytestmark = pytest.mark.timeout(3600)
CTX = NullContext()
DIM = 512
PLACES = ("酒馆", "集市", "图书馆", "水族馆", "旧城墙", "码头", "灯塔", "药铺", "钟楼", "桥头")
THINGS = ("铜钥匙", "怀表", "地图", "姜茶", "药草", "日志", "铁门", "银币", "企鹅", "雨伞")


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def show(name: str, **figures: object) -> None:
    print(f"\n{name}: " + ", ".join(f"{k} {v}" for k, v in figures.items()))


def sentence(n: int) -> str:
    who = "爱丽丝" if n % 2 else "凯尔"
    thing = THINGS[n // 10 % 10]
    return f"第{n}天，{who}在{PLACES[n % 10]}把{thing}交给旅人，约好{n * 7 % 365}天后再见。"


@pytest.fixture
def memory(tmp_path):
    opened = Memory.open(tmp_path / "library", environ={})
    opened.settings.set("embed.local", "hash")
    yield opened
    opened.close()


def test_import(memory, tmp_path):
    told = os.environ.get("ENGRAM_SCALE_CHAT")
    file = Path(told) if told else write_chat(tmp_path / "long.jsonl", story_rows(10_000))
    lines = file.read_text("utf-8").splitlines()
    seconds = timed(lambda: memory.imports.import_file(CTX, file))
    floor = timed(lambda: _bare_insert(tmp_path / "floor.db", lines))
    again = timed(lambda: memory.imports.import_file(CTX, file))
    show(
        "import",
        messages=len(lines),
        per_second=round(len(lines) / seconds),
        bare_sqlite_ratio=round(seconds / floor, 1),
        again_s=round(again, 2),
    )


def _bare_insert(path: Path, lines: list[str]) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.execute("CREATE TABLE m(id INTEGER PRIMARY KEY, raw)")
    with connection:
        connection.executemany("INSERT INTO m(raw) VALUES (?)", [(line,) for line in lines])
    connection.close()


def test_consolidate_against_sqlite_and_chroma(tmp_path):
    """The floor inserts the same rows and adds the same vectors, and does nothing else."""
    count = 5000
    embedder = HashEmbedder(DIM)
    store = make_store(tmp_path)
    with store.database.writing():
        store.events.add([make_event(sentence(n), n, n) for n in range(count)], 1)
    texts = [sentence(n) for n in range(count)]
    embedding = timed(lambda: embedder.embed(texts, CTX))
    vectors = embedder.embed(texts, CTX)
    index = store.index(embedder.model_id)
    index.sync(CTX)  # the worker runs, as it does while a window is open
    seconds = timed(lambda: consolidation.consolidate(store, CTX, embedder)) - embedding
    store.close()
    floor = timed(lambda: _floor(tmp_path / "floor", texts, vectors))
    show(
        "consolidate without embedding",
        events_per_second=round(count / seconds),
        floor_per_second=round(count / floor),
        ratio=round(seconds / floor, 2),
    )


def _floor(folder: Path, texts: list[str], vectors: np.ndarray) -> None:
    import chromadb

    folder.mkdir()
    connection = apsw.Connection(str(folder / "floor.db"))
    connection.pragma("journal_mode", "wal")
    connection.execute("CREATE TABLE e(id INTEGER PRIMARY KEY, uid, text, vector)")
    client = chromadb.PersistentClient(str(folder / "chroma"))
    collection = client.create_collection("floor", embedding_function=None)
    for start in range(0, len(texts), 1000):
        part = slice(start, start + 1000)
        with connection:
            connection.executemany(
                "INSERT INTO e(uid, text, vector) VALUES (?, ?, ?)",
                [
                    (new_id(), t, v.tobytes())
                    for t, v in zip(texts[part], vectors[part], strict=True)
                ],
            )
        ids = [str(n) for n in range(start, min(start + 1000, len(texts)))]
        collection.add(ids, embeddings=vectors[part])
    client.close()
    connection.close()


@pytest.mark.parametrize("count", [1_000, 10_000, 100_000])
@pytest.mark.parametrize("backend", ["auto", "chroma"])
def test_recall(memory, tmp_path, count, backend):
    if backend == "chroma" and count != 10_000:
        pytest.skip("one size is enough to compare the two")
    memory.settings.set("index.backend", backend)
    store = make_chat(memory.session.library, "bench")
    for start in range(0, count, 2000):
        with store.database.writing():
            rows = [make_message(sentence(n)) for n in range(start, start + min(2000, count))]
            store.messages.append("main", start, rows)
    embedder = HashEmbedder(256)
    memory.index.embed_pending(CTX, store.chat_id)
    if backend == "chroma" or count > 50_000:
        memory.index.update(CTX, store.chat_id)
    questions = [
        f"{'爱丽丝' if n % 2 else '凯尔'}在{PLACES[n % 10]}把{THINGS[n * 3 % 10]}给了谁？"
        for n in range(200)
    ]
    memory.recall.ask(CTX, store.chat_id, RecallQuery(questions[0]))
    spent = [memory.recall.ask(CTX, store.chat_id, RecallQuery(q)).elapsed_ms for q in questions]
    figures = {"p50": statistics.median(spent), "p95": sorted(spent)[int(len(spent) * 0.95)]}
    index = store.index(embedder.model_id)
    if index.state == "ok":
        vectors = embedder.embed(questions, CTX, query=True)
        bare = [timed(partial(index.query, v, 10)) * 1000 for v in vectors]
        figures |= {"chroma_p50": statistics.median(bare)}
        figures |= {"chroma_p95": sorted(bare)[int(len(bare) * 0.95)]}
    show(f"recall at {count} ({backend})", **{k: f"{v:.1f} ms" for k, v in figures.items()})


def test_lists_of_100_000_events(tmp_path):
    store = make_store(tmp_path)
    for start in range(0, 100_000, 5000):
        with store.database.writing():
            rows = [make_event(sentence(n), n, n) for n in range(start, start + 5000)]
            store.events.add(rows, 1)
    find = lambda **over: timed(lambda: store.events.find(EventQuery(**over))) * 1000  # noqa: E731
    pks = list(store.events.find(EventQuery()))
    toggle = lambda keys: curate.set_archived(store, CTX, keys, None, archived=True)  # noqa: E731
    figures = {
        "open": find(),
        "by significance": find(sort="significance"),
        "search 钥匙": find(text="钥匙"),
        "search 钥": find(text="钥"),
        "search a sentence": find(text="凯尔在码头"),
        "page of 128": timed(lambda: store.events.fetch(pks[50_000:50_128])) * 1000,
        "toggle one": timed(lambda: toggle(pks[:1])) * 1000,
        "toggle all": timed(lambda: toggle(pks)) * 1000,
        "undo all": timed(store.undo) * 1000,
    }
    show("100,000 events", **{k: f"{v:.1f} ms" for k, v in figures.items()})
    store.close()


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
