"""How well sentences are found in the lines they come from, and marked where they come from none.

    python -m benchmarks.evidence FOLDER

FOLDER holds chats with facts that people wrote down, each with the message it stands in. A fact is
looked up among 25 messages around that one, and among 25 of another place of the same chat, where
it must not be borne out. Labels may be some messages off (zh4o), which costs found ones.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rjieba

from engram_desktop.domain.pipeline.draft import BORNE_OUT, evidence
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relevance import question_words

BLOCK = 25  # messages: the default of `summary.interval`
Fact = tuple[str, str, set[int]]  # chat file, sentence, floors


def facts(folder: Path) -> Iterator[tuple[str, list[Fact]]]:
    yield (
        "locomo (en)",
        [
            (row["chat_file"], row["observation"], set(row["evidence"]))
            for row in _rows(folder / "locomo_observations.jsonl")
            if row["evidence"]
        ],
    )
    yield (
        "zh4o (zh)",
        [
            (row["chat_file"], row["memory"], {row["index"]})
            for row in _rows(folder / "zh4o_label_memories.jsonl")
        ],
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _tokens(path: Path) -> list[frozenset[str]]:
    rows = _rows(path)[1:]
    return [frozenset(index_tokens(f"{r.get('name', '')} {r.get('mes', '')}")) for r in rows]


def measure(name: str, found: Sequence[Fact], folder: Path) -> None:
    chance = random.Random(5)
    chats: dict[str, list[frozenset[str]]] = {}
    first = any_line = lost = caught = 0
    for file, sentence, floors in found:
        lines = chats.setdefault(file, []) or _tokens(folder / file)
        chats[file] = lines
        words = question_words(sentence, rjieba.cut, rjieba.suggest_freq)
        floor = min(floors)
        start = max(0, floor - chance.randrange(BLOCK))
        true = evidence(sentence, words, lines[start : start + BLOCK])
        placed = [at + start for at in true.lines]
        first += bool(placed) and placed[0] in floors
        any_line += bool(floors.intersection(placed))
        lost += not true.is_borne_out
        while abs((elsewhere := chance.randrange(max(1, len(lines) - BLOCK))) - floor) < BLOCK:
            pass
        caught += not evidence(sentence, words, lines[elsewhere : elsewhere + BLOCK]).is_borne_out
    count = len(found)
    print(
        f"{name}: {count} sentences; its line first {first / count:.0%}, among the lines shown"
        f" {any_line / count:.0%}; marked though true {lost / count:.1%}, marked where it tells of"
        f" another place {caught / count:.0%} (below {BORNE_OUT})"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for title, rows in facts(Path(sys.argv[1])):
        measure(title, rows, Path(sys.argv[1]))
