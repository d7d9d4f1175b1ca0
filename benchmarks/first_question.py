"""The first question of a process: its time, and what the process holds afterwards.

    ENGRAM_SCALE_CHAT=FILE python -m benchmarks.first_question FOLDER [MESSAGES ...]

FILE as in `benchmarks.engine_speed`. Libraries are made in FOLDER where they are not there yet, so
that two versions of the program can be asked by turns. Medians of seven processes, in milliseconds
of processor time (of wall time); “warm” is one that has asked a small chat before: modules are
read and the model is open. Memory is the resident set of Linux, in brackets what is no file's.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.engine_speed import CTX, questions, repeated
from engram_desktop.services.chats.sync_chat import sync_chat
from engram_desktop.services.memory import Memory

_RUNS = 7
_SMALL = 200  # messages of the chat that is asked before, where modules shall be read
_ASK = """
import json, re, sys, time
from pathlib import Path
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory

def opened(folder):
    memory = Memory.open(folder / "library", environ={})
    chat_id = memory.session.library.chat_rows()[0][0]
    def ask(text):
        found = memory.recall.ask(NullContext(), chat_id, RecallQuery(text), logged=False)
        assert found.hits and not found.degraded, (text, found.degraded)
    return ask

def held():
    told = Path("/proc/self/smaps_rollup").read_text()
    return [int(re.search(f"{name}: +([0-9]+)", told)[1]) / 1024 for name in ("Rss", "Anonymous")]

folder, *before = map(Path, sys.argv[1:])
asked = json.loads((folder / "questions.json").read_text("utf-8"))
for small in before:
    opened(small)(asked[-1])
ask = opened(folder)
wall, ran = time.perf_counter(), time.process_time()
ask(asked[0])
times = [1000 * (time.process_time() - ran), 1000 * (time.perf_counter() - wall)]
first = held()
for text in asked[1:60]:
    ask(text)
print(json.dumps([*times, *first, *held()]))
"""


def library(source: Path, count: int, place: Path) -> Path:
    """Return the folder of a library of ``count`` messages, which is made if it is not there."""
    folder = place / str(count)
    if not (folder / "questions.json").exists():
        shutil.rmtree(folder, ignore_errors=True)  # one whose making was broken off
        folder.mkdir(parents=True)
        texts = repeated(source, count, folder / "chat.jsonl")
        memory = Memory.open(folder / "library", environ={})
        sync_chat(memory.session.library, CTX, folder / "chat.jsonl")
        memory.index.embed_pending(CTX, memory.session.library.chat_rows()[0][0])
        memory.close()
        asked = json.dumps(questions(texts), ensure_ascii=False)
        (folder / "questions.json").write_text(asked, "utf-8")
    return folder


def measured(folder: Path, *before: Path) -> list[float]:
    rows = []
    for _ in range(_RUNS + 1):  # the first one writes what the others read
        command = [sys.executable, "-c", _ASK, str(folder), *map(str, before)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(done.stdout))
    return [statistics.median(column) for column in zip(*rows[1:], strict=True)]


def main(arguments: Sequence[str]) -> int:
    told = os.environ.get("ENGRAM_SCALE_CHAT")
    if not told or not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    place, counts = Path(arguments[0]), [int(count) for count in arguments[1:]] or [100_000]
    small = library(Path(told), _SMALL, place)
    for count in counts:
        folder = library(Path(told), count, place)
        for name, before in (("new", ()), ("warm", (small,))):
            ran, wall, *memory = measured(folder, *before)
            first, afterwards = (f"{rss:.0f} ({own:.0f})" for rss, own in (memory[:2], memory[2:]))
            print(
                f"{count} messages, {name:4}: first question {ran:.0f} ({wall:.0f}) ms;"
                f" then {first} MB, after 60 questions {afterwards} MB"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
