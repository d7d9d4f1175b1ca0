"""How time and memory of each command grow with a chat.

    python -m benchmarks.growth [MESSAGES ...] [--folder DIR]

For each size (10,000 and 100,000 unless said otherwise) a library of its own holds one chat of so
many messages, and each command of the program does its work there in a process of its own, from
the first to the last byte. Printed of each: seconds of processor time and the most memory its
process held, and from the second size on the exponent: of what a command costs, the power of the
number of messages by which it grew since the size before. 1 is linear, and n log n from 10,000 to
1,000,000 messages is 1.09.

The story is the bundled one, told again and again by the same two people, with other companions in
each round.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.factories import write_chat
from tests.scripted_model import STORY

SIZES = (10_000, 100_000)
# Who is told of in the story, and what others are called in a later round: two characters of these.
_COMPANIONS = ("凯尔", "莉莉")
_FIRST, _SECOND = "青白远若晴小老阿素明云雪", "竹岚舟溪霜禾松梅雁川石锦"
_QUESTION = "铜钥匙是从哪里来的？"
_PROGRAM = "from engram_desktop.cli.entry import run; run()"
_PEAK_UNIT = 1024 if sys.platform != "darwin" else 1  # of ru_maxrss


def companion(number: int) -> str:
    """Return a name that no other number below 144 squared has."""
    names = [first + second for first in _FIRST for second in _SECOND]
    turn, place = divmod(number, len(names))
    return names[place] + (names[turn] if turn else "")


def rows(messages: int) -> Iterator[tuple[str, str]]:
    lines = (STORY / "月光酒馆.jsonl").read_text("utf-8").splitlines()[1:]
    told = [(row["name"], row["mes"]) for row in map(json.loads, lines)]
    for n in range(messages):
        name, text = told[n % len(told)]
        turn = n // len(told)
        for place, known in enumerate(_COMPANIONS):
            text = text.replace(known, companion(2 * turn + place))
        yield name, f"{text}（第{turn + 1}轮）"


def commands(folder: Path, chat: str) -> dict[str, list[str]]:
    """Return what is run, by name, in this order."""
    return {
        "import": ["import", str(folder / "长篇.jsonl")],
        "reindex": ["reindex", chat],
        "summarise": ["summarise", chat, "--extractor", "extractive"],
        "consolidate": ["consolidate", chat],
        "trim": ["trim", chat],
        "recall": ["recall", chat, "--query", _QUESTION],
        "inject": ["inject", chat, "--query", _QUESTION],
        "search": ["search", "铜钥匙"],
        "events": ["events", chat],
        "graph": ["graph", chat],
        "entities": ["entities", chat],
        "claims": ["claims", chat],
        "findings": ["findings", chat],
        "inbox": ["inbox", chat],
        "present": ["present", chat],
        "stats": ["stats", chat],
        "export": ["export", chat, "--format", "json", "-o", str(folder / "memory.json")],
        "backup": ["backup"],
        "doctor": ["doctor"],
        "volume": ["volume", "make", chat, "--title", "册"],
    }


def run(library: Path, command: list[str]) -> tuple[float, float, float, int, str]:
    """Return seconds of processor time and of the clock, megabytes at most, exit code, errors.

    Linux counts what this process held when it started the other as held by the other too: a few
    tens of megabytes, as nothing of the chat is kept here.
    """
    engram = [sys.executable, "-c", _PROGRAM, "--library", str(library)]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([*engram, *command], stdout=subprocess.DEVNULL, stderr=errors)
        _pid, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        took = time.perf_counter() - began
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    peak = used.ru_maxrss * _PEAK_UNIT / 1_000_000
    return used.ru_utime + used.ru_stime, took, peak, child.returncode, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="MESSAGES")
    parser.add_argument("--folder", type=Path, help="where the libraries are made and kept")
    options = parser.parse_args()
    before: dict[str, tuple[int, float]] = {}
    failed = False
    with tempfile.TemporaryDirectory() as temporary:
        for size in options.sizes:
            folder = (options.folder or Path(temporary)) / str(size)
            folder.mkdir(parents=True)
            write_chat(folder / "长篇.jsonl", rows(size))
            print(f"{size:,} messages", flush=True)
            for name, command in commands(folder, "长篇").items():
                spent, took, peak, code, said = run(folder / "library", command)
                grown = ""
                if name in before:
                    smaller, then = before[name]
                    grown = f"{math.log(spent / then) / math.log(size / smaller):6.2f}"
                before[name] = size, spent
                failed |= code != 0
                fault = f"  exit {code}: {said.strip()[-200:]}" if code else ""
                print(
                    f"  {name:<12} {spent:9.2f} s {took:9.2f} s {peak:7.0f} MB {grown}{fault}",
                    flush=True,
                )
    sys.exit(failed)


if __name__ == "__main__":
    main()
