"""How long a recall takes in a chat of 10,000 and of 100,000 turns: run with ``-m bench``.

    python -m benchmarks.recall_speed [TURNS ...]

The turns are made up, with words as unevenly used as in a story; search is exact, over random
vectors, so the figures hold for the worst backend. The index is built in memory and not timed.
Processor time is what is held to the budget: on a busy machine wall time says who else was running.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from typing_extensions import override

from benchmarks import require
from engram_desktop.domain.recall.query import ItemFilter, Layout, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.recall.engine import Recaller
from tests.recall_reference import Line, ReferenceIndex

_SYLLABLES = [chr(code) for code in range(0x4E00, 0x4E00 + 1_500)]
_QUESTION_ENDS = ("在哪里？", "后来怎么样了？", "是谁给的？", "是什么时候的事？")
_DIMENSIONS = 512
_DEPTHS = (400, 1_000)  # hits a prompt of about 6,000 and of 20,000 tokens holds in short lines


class SpeedIndex(ReferenceIndex):
    """Keeps the layout, as storage keeps its matrix: a chat is asked far oftener than it grows."""

    def __init__(self, lines: Sequence[Line], vectors: np.ndarray) -> None:
        super().__init__(lines, vectors)
        self._layouts: dict[ItemFilter, Layout] = {}

    @override
    def layout(self, where: ItemFilter) -> Layout:
        if where not in self._layouts:
            self._layouts[where] = super().layout(where)
        return self._layouts[where]


def _words(dice: random.Random) -> list[str]:
    return ["".join(dice.choices(_SYLLABLES, k=dice.choice((2, 2, 2, 3)))) for _ in range(6_000)]


def _sentence(dice: random.Random, words: Sequence[str]) -> str:
    # Zipf: the n-th word is used n times as rarely
    places = (int(len(words) ** dice.random()) - 1 for _ in range(dice.randint(4, 20)))
    return "，".join(words[place] for place in places)


def build(turns: int) -> SpeedIndex:
    dice = random.Random(turns)
    words = _words(dice)
    lines = [
        Line(f"{name}: {_sentence(dice, words)}", floor, speaker=name, is_user=name == "旅人")
        for floor in range(turns)
        for name in [("旅人", "爱丽丝")[floor % 2]]
    ]
    vectors = np.random.default_rng(turns).normal(size=(turns, _DIMENSIONS)).astype(np.float32)
    return SpeedIndex(lines, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def measure(
    turns: int, questions: int = 100, *, clock: Callable[[], float] = time.process_time
) -> tuple[float, float]:
    """Return the median and the 95th percentile in milliseconds, the embedding included."""
    (times,) = times_taken(turns, questions, [RecallQuery("", 10, ("turn",))], clock=clock)
    return times


def times_taken(
    turns: int,
    questions: int,
    queries: Sequence[RecallQuery],
    *,
    clock: Callable[[], float] = time.process_time,
) -> list[tuple[float, float]]:
    """Return `measure`'s figures for every query, asked with the same made-up texts by turns."""
    dice = random.Random(7)
    words = _words(random.Random(turns))
    recaller = Recaller(
        build(turns), LocalEmbedder(), lambda _branch: (("main", None),), clock=clock
    )
    taken: list[list[float]] = [[] for _ in queries]
    for number in range(questions + 3):
        text = _sentence(dice, words) + dice.choice(_QUESTION_ENDS)
        for query, times in zip(queries, taken, strict=True):
            result = recaller.recall(NullContext(), replace(query, text=f"{text} {query.top_k}"))
            is_whole = len(result.hits) == query.top_k and not result.degraded
            require(is_whole, f"{len(result.hits)} of {query.top_k} hits; {result.degraded}")
            if number >= 3:  # the first ones load the model and the view
                times.append(result.elapsed_ms)
    return [(float(np.percentile(t, 50)), float(np.percentile(t, 95))) for t in taken]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("turns", "budget_ms"), [(10_000, 20.0), (100_000, 50.0)])
def test_a_recall_stays_within_its_budget(capsys, turns: int, budget_ms: float):
    median, slow = measure(turns)
    with capsys.disabled():
        print(f"\n{turns} turns: p50 {median:.1f} ms, p95 {slow:.1f} ms")
    assert slow <= budget_ms


def main(arguments: Sequence[str]) -> int:
    for turns in [int(argument) for argument in arguments] or [10_000, 100_000]:
        began = time.perf_counter()
        queries = [RecallQuery("", 10, ("turn",))]
        queries += [RecallQuery("", k, ("turn",), is_deep=True) for k in _DEPTHS]
        for query, (median, slow) in zip(queries, times_taken(turns, 50, queries), strict=True):
            print(f"{turns} turns, {query.top_k} hits: p50 {median:.1f} ms, p95 {slow:.1f} ms")
        print(f"{time.perf_counter() - began:.0f} s in all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
