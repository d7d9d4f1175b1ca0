"""How much of what people remember of a chat stands in the story so far, without a model?

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.story_so_far [--chats 6] [--budgets 1000,2000,6000]
        [--library FOLDER] [--show]

DIR holds chats and what people wrote down of them: memories of role-plays (zh4o) and the events of
both friends of each sitting (locomo); the bundled story has a list of planted facts. Every chat is
imported, summarised without a model and consolidated at default settings. Of a prompt of each
budget only the story so far is looked at. Beside it stands what the simplest things tell in the
same tokens:

* even: whole messages, evenly spaced;
* chance: sentences drawn by lot (mean of five);
* central: the sentences that have most in common with all others (LexRank without a damping
  factor; Erkan and Radev, JAIR 2004), no two alike;
* ceiling: sentences chosen by somebody who knows what is asked, the most that quoting can give.

Printed: the mean share of a memory's words that are told (names of speakers left out, rare words
count more), the share of memories of which half the words are told, how near the nearest sentence
is to a memory by the built-in embedder (cosine; no way chooses by it), and the tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import rjieba

from benchmarks.prompt_evidence import library, mean, read_chat
from engram_desktop.domain.inject import sentences
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.recall.relevance import QuestionWord, question_words
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import LocalEmbedder
from engram_desktop.services.memory import Memory

BUDGETS = (1000, 2000, 6000)
WAYS = ("engram", "even", "chance", "central", "ceiling")
LABELS = {
    "zh4o": ("zh4o_label_memories.jsonl", "memory"),
    "locomo": ("locomo_events.jsonl", "event"),
}
STORY = Path(__file__).parent.parent / "resources" / "story"
_STORY = re.compile(r"<engram_summaries>\n(.*?)\n</engram_summaries>", re.DOTALL)
_ALIKE = 0.5  # cosine from which on two central sentences say the same
_TOLD = 0.5  # share of its words from which on a memory is told

Words = list[tuple[frozenset[str], float]]


@dataclass
class Cell:
    """What was measured of one set in one way at one budget."""

    shares: list[float] = field(default_factory=list)
    nearness: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


def words_of(text: str, names: set[str]) -> Words:
    """Return the words of a memory as tokens, with how rare they are; no names of speakers."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    found: list[QuestionWord] = question_words(text, rjieba.cut, rjieba.suggest_freq)
    return [(word.tokens, word.rarity) for word in found if word.rarity > 0]


def share_told(words: Words, told: set[str]) -> float:
    whole = sum(rarity for _tokens, rarity in words)
    return sum(rarity for tokens, rarity in words if tokens <= told) / whole if whole else 1.0


def labels(data: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield (set, chat file, what somebody remembers)."""
    for name, (file, key) in LABELS.items():
        for line in (data / file).read_text("utf-8").splitlines():
            row = json.loads(line)
            yield name, data / row["chat_file"], row[key]
    (bundled,) = STORY.glob("*.jsonl")
    for fact in json.loads((STORY / "facts.json").read_text("utf-8"))["facts"]:
        yield "bundled", bundled, fact["fact"]


class Sentences:
    """All sentences of a chat, in order, to choose from."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.texts = [
            f"{row['name']}: {part}" for row in rows for part in sentences(row["mes"]) if part
        ]
        self.tokens = [set(index_tokens(text)) for text in self.texts]
        self.costs = [estimate_tokens(text) for text in self.texts]
        self.messages = [f"{row['name']}: {row['mes']}" for row in rows]

    def filled(self, order: Sequence[int], budget: int) -> str:
        """Return the first of ``order`` that fit."""
        chosen = []
        for n in order:
            if self.costs[n] <= budget:
                chosen.append(n)
                budget -= self.costs[n]
        return "\n".join(self.texts[n] for n in sorted(chosen))

    def even(self, budget: int) -> str:
        """Return whole messages, as many as fit, evenly spaced."""
        low, high = 1, len(self.messages)
        best = ""
        while low <= high:
            count = (low + high) // 2
            step = len(self.messages) / count
            text = "\n".join(self.messages[int(n * step)] for n in range(count))
            if estimate_tokens(text) <= budget:
                best, low = text, count + 1
            else:
                high = count - 1
        return best

    def central(self) -> list[int]:
        """Order sentences by what they have in common with all others; no two alike are first."""
        seen = Counter(token for tokens in self.tokens for token in tokens)
        ids = {token: n for n, token in enumerate(seen)}
        matrix = np.zeros((len(self.texts), len(ids)), dtype=np.float32)
        for n, tokens in enumerate(self.tokens):
            for token in tokens:
                matrix[n, ids[token]] = np.log(len(self.texts) / seen[token])
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
        degree = matrix @ matrix.sum(axis=0)
        chosen: list[int] = []
        later: list[int] = []
        for n in np.argsort(-degree, kind="stable").tolist():
            alike = chosen and float((matrix[chosen] @ matrix[n]).max()) >= _ALIKE
            (later if alike else chosen).append(n)
        return [*chosen, *later]

    def ceiling(self, wanted: Sequence[Words], budget: int) -> str:
        """Choose greedily what adds most words of ``wanted`` a token."""
        needed: dict[frozenset[str], float] = defaultdict(float)
        for words in wanted:
            whole = sum(rarity for _tokens, rarity in words) or 1.0
            for tokens, rarity in words:
                needed[tokens] += rarity / whole
        chosen: list[int] = []
        left = set(range(len(self.texts)))
        gains = {n: sum(w for t, w in needed.items() if t <= self.tokens[n]) for n in left}
        while left:
            worth = {n: gains[n] / (self.costs[n] + 1) for n in left if self.costs[n] <= budget}
            best = max(worth, key=lambda n: worth[n], default=None)
            if best is None or not gains[best]:
                break
            chosen.append(best)
            left.discard(best)
            budget -= self.costs[best]
            gone = [tokens for tokens in needed if tokens <= self.tokens[best]]
            for tokens in gone:
                weight = needed.pop(tokens)
                for n in left:
                    if tokens <= self.tokens[n]:
                        gains[n] -= weight
        return "\n".join(self.texts[n] for n in sorted(chosen))


def ways(
    story: str, said: Sentences, wanted: Sequence[Words], central: Callable[[], list[int]]
) -> Iterator[tuple[str, str]]:
    """Yield (way, text), each of as many tokens as the story."""
    budget = estimate_tokens(story)
    yield "engram", story
    yield "even", said.even(budget)
    for seed in range(5):
        order = list(range(len(said.texts)))
        random.Random(seed).shuffle(order)
        yield "chance", said.filled(order, budget)
    yield "central", said.filled(central(), budget)
    yield "ceiling", said.ceiling(wanted, budget)


def story_of(memory: Memory, chat_id: str, budget: int) -> str:
    text = memory.inject.compose(NullContext(), chat_id, RecallQuery("…"), budget).text
    found = _STORY.search(text)
    return found[1] if found else ""


def measure(
    data: Path, folder: Path, options: argparse.Namespace
) -> dict[tuple[str, str, int], Cell]:
    by_chat: dict[tuple[str, Path], list[str]] = defaultdict(list)
    for name, file, text in labels(data):
        by_chat[name, file].append(text)
    of_set: Counter[str] = Counter()
    used = {
        key: texts
        for key, texts in by_chat.items()
        if (of_set.update([key[0]]) or of_set[key[0]]) <= options.chats
    }
    memory, known = library(folder, [file for _name, file in used])
    cells: dict[tuple[str, str, int], Cell] = defaultdict(Cell)
    embedder = LocalEmbedder()
    for (name, file), texts in used.items():
        rows = read_chat(file)
        said = Sentences(rows)
        names = {row["name"] for row in rows}
        wanted = [words_of(text, names) for text in texts]
        central = cache(said.central)
        meant = embedder.embed(texts, NullContext(), query=True)
        for budget in options.budgets:
            story = story_of(memory, known[file], budget)
            if options.show:
                print(f"--- {file.name} @{budget}\n{story}")
            for way, text in ways(story, said, wanted, central):
                told = set(index_tokens(text))
                cells[name, way, budget].shares += [share_told(words, told) for words in wanted]
                cells[name, way, budget].tokens.append(estimate_tokens(text))
                lines = [part for line in text.split("\n") for part in sentences(line) if part]
                vectors = embedder.embed(lines or ["…"], NullContext())
                cells[name, way, budget].nearness += (meant @ vectors.T).max(axis=1).tolist()
    memory.close()
    return cells


def table(cells: dict[tuple[str, str, int], Cell]) -> str:
    lines = ["set     | budget | way     | words | half told | nearness | tokens"]
    for (name, way, budget), cell in cells.items():
        told = sum(share >= _TOLD for share in cell.shares) / len(cell.shares)
        lines.append(
            f"{name:<7} | {budget:>6} | {way:<7} | {mean(cell.shares):>5.3f} | {told:>9.3f} |"
            f" {mean(cell.nearness):>8.3f} | {mean(cell.tokens):>5.0f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    budgets_of = lambda text: tuple(int(part) for part in text.split(","))  # noqa: E731
    parser.add_argument("--budgets", type=budgets_of, default=BUDGETS)
    parser.add_argument("--chats", type=int, default=6, help="of each set")
    parser.add_argument("--library", type=Path, help="kept between runs")
    parser.add_argument("--show", action="store_true", help="print the stories")
    options = parser.parse_args()
    data = Path(os.environ.get("ENGRAM_EVAL_DATA", ""))
    if not all((data / file).is_file() for file, _key in LABELS.values()):
        sys.exit(
            "ENGRAM_EVAL_DATA must name a folder with " + ", ".join(f for f, _ in LABELS.values())
        )
    with tempfile.TemporaryDirectory() as temporary:
        cells = measure(data, options.library or Path(temporary), options)
    print(table(cells))


if __name__ == "__main__":
    main()
