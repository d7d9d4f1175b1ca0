"""The engine beside its parts alone: Chroma and FTS5 in the same process, on the same texts.

    ENGRAM_SCALE_CHAT=FILE python -m benchmarks.engine_speed [MESSAGES ...]

FILE is a chat of a few thousand messages or more; it is repeated, each time with a mark of its own,
until there are MESSAGES (default 10,000). Figures are milliseconds of wall time (p50/p95) and, in
brackets, of processor time; what is held to is the ratio to the parts, which the machine shares.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw
import numpy as np

from benchmarks import require
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import RecallQuery, RecallResult
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.chats.sync_chat import sync_chat
from engram_desktop.services.memory import Memory

CTX = NullContext()
_QUESTIONS = 200
_ENDS = ("", "在哪里？", "是谁？", "后来怎么样了？")


def repeated(source: Path, count: int, target: Path) -> list[str]:
    """Write a chat of ``count`` messages; return their texts."""
    head, *rows = source.read_text("utf-8").splitlines()
    told = [json.loads(row) for row in rows if row]
    lines = [head]
    texts = []
    for n in range(count):
        again, place = divmod(n, len(told))
        row = told[place] | ({"mes": f"（{again + 1}）{told[place]['mes']}"} if again else {})
        texts.append(row["mes"])
        lines.append(json.dumps(row, ensure_ascii=False))
    target.write_text("\n".join(lines) + "\n", "utf-8")
    return texts


def questions(texts: Sequence[str]) -> list[str]:
    dice = random.Random(5)
    long = [text for text in texts if len(text) > 24]
    found = []
    for text in dice.choices(long, k=_QUESTIONS):
        start = dice.randrange(len(text) - 12)
        found.append(text[start : start + dice.randint(8, 24)] + dice.choice(_ENDS))
    return found


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and processor time in milliseconds."""
    wall, ran = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - ran) * 1000


def show(name: str, times: Sequence[tuple[float, float]]) -> float:
    wall, ran = np.array(times).T
    low, high = np.percentile(wall, 50), np.percentile(wall, 95)
    print(f"{name:34} {low:7.1f}/{high:.1f}   ({np.percentile(ran, 50):.1f})")
    return float(low)


def measure(source: Path, count: int, folder: Path) -> None:
    print(f"\n{count} messages")
    LocalEmbedder().embed(["warm"], CTX)
    file = folder / "chat.jsonl"
    texts = repeated(source, count, file)
    memory = Memory.open(folder / "library", environ={})
    took = [spent(lambda: sync_chat(memory.session.library, CTX, file))]
    chat_id = memory.session.library.chat_rows()[0][0]
    took.append(spent(lambda: memory.index.embed_pending(CTX, chat_id)))
    wall, ran = np.sum(took, axis=0) / 1000
    print(f"until recallable: {count / wall:.0f} messages/s ({count / ran:.0f} of processor time)")
    memory.close()
    size = sum(f.stat().st_size for f in (folder / "library").rglob("*") if f.is_file())
    print(f"on disk: {size / 1e6:.0f} MB")

    memory = Memory.open(folder / "library", environ={})
    asked = questions(texts)

    def ask(text: str) -> RecallResult:
        found = memory.recall.ask(CTX, chat_id, RecallQuery(text), logged=False)
        require(found.hits and not found.degraded, f"{text}: nothing found; {found.degraded}")
        return found

    show("first question after opening", [spent(lambda: ask(asked[0]))])
    engine = show("question", [spent(partial(ask, q)) for q in asked])
    times = []
    for n in range(20):
        row = {"name": "说书人", "is_user": False, "mes": f"第{n}号试验：青铜灯塔里有{n}枚贝壳。"}
        with file.open("a", encoding="utf-8") as end:
            end.write(json.dumps(row, ensure_ascii=False) + "\n")

        def arrives(n: int = n) -> None:
            sync_chat(memory.session.library, CTX, file)
            memory.index.embed_pending(CTX, chat_id)
            found = ask(f"第{n}号试验：青铜灯塔里有什么？").hits
            assert any(f"第{n}号试验" in hit.item.content for hit in found)

        times.append(spent(arrives))
    show("a new message, followed and found", times[2:])
    memory.close()
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    parts = alone(texts, asked, folder)
    print("engine / part: " + ", ".join(f"{n} {engine / t:.1f}" for n, t in parts.items()))


def alone(texts: Sequence[str], asked: Sequence[str], folder: Path) -> dict[str, float]:
    """Chroma and FTS5, each by itself, embedding included where there is any."""
    import chromadb

    embedder = LocalEmbedder()
    client = chromadb.PersistentClient(str(folder / "chroma"))
    made = client.create_collection("alone", embedding_function=None)
    began = time.perf_counter()
    for start in range(0, len(texts), 1000):
        part = list(texts[start : start + 1000])
        ids = [str(n) for n in range(start, start + len(part))]
        made.add(ids, embeddings=embedder.embed(part, CTX), documents=part)
    print(f"Chroma alone: {len(texts) / (time.perf_counter() - began):.0f} messages/s")

    def find(text: str) -> None:
        vectors = embedder.embed([text], CTX, query=True)
        near = made.query(query_embeddings=vectors, n_results=10)
        require(len(near["ids"][0]) == 10, f"{text}: Chroma found {len(near['ids'][0])}")

    found = {"Chroma": show("Chroma alone", [spent(partial(find, q)) for q in asked])}
    lexicon = apsw.Connection(":memory:")
    lexicon.execute("CREATE VIRTUAL TABLE t USING fts5(tokens, tokenize='ascii')")
    rows = [(" ".join(index_tokens(text)),) for text in texts]
    with lexicon:
        lexicon.executemany("INSERT INTO t VALUES (?)", rows)
    match = lambda text: " OR ".join(f'"{token}"' for token in query_tokens(text))  # noqa: E731
    rank = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"

    answered = list[bool]()  # one of single characters it finds nothing for

    def search(text: str) -> None:
        answered.append(bool(lexicon.execute(rank, (match(text),)).fetchall()))

    found["FTS5"] = show("FTS5 alone (BM25)", [spent(partial(search, q)) for q in asked])
    require(sum(answered) >= 0.95 * len(answered), f"FTS5 answered {sum(answered)} questions")
    return found


def main(arguments: Sequence[str]) -> int:
    told = os.environ.get("ENGRAM_SCALE_CHAT")
    if not told:
        print("ENGRAM_SCALE_CHAT names no chat", file=sys.stderr)
        return 2
    for count in [int(argument) for argument in arguments] or [10_000]:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(told), count, Path(folder))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
