"""Measure recall on real conversations: message level, local embedder, no model, one configuration.

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.recall_quality     the table, by set
    ... --deep                                                    and what fills a prompt
    ... --ablation                                                and with each leg left out

DIR holds ``questions.jsonl``, perhaps ``questions_beam.jsonl``, and the chats they name;
ENGRAM_EVAL_CACHE, if set, is a folder that keeps vectors between runs. Scored as in the data's
description: mean share of the evidence (LoCoMo, MemoryBank, BEAM), evidence or an equal message hit
(MemDaily), window hit (ZH-4O). Questions without evidence are left out; LoCoMo's adversarial ones,
which have no answer but name a passage, are counted apart.

``--deep`` ranks a thousand messages, near repetitions kept: mean share of the evidence among the
first 25 and 50, and among those that fit into 1,000, 2,000 and 6,000 tokens, eight more a message
for who said it. A message that does not fit is passed over. Beside it BM25, similarity alone, and
their reciprocal ranks together (RRF), filled in the same way.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from engram_desktop.domain.recall.lexemes import (
    EmbeddedText,
    index_tokens,
    passage,
    query_texts,
    query_tokens,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.recall.ranking import DEFAULT, Weights
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.llm.embedding.local_embedder import Embedder, LocalEmbedder
from engram_desktop.services.recall.engine import Recaller
from tests.recall_reference import Line, ReferenceIndex

_DATES = ("%Y-%m-%dT%H:%M:%S.%fZ", "%B %d, %Y %I:%M%p", "%Y-%m-%d@%Hh%Mm%Ss")
_CUTS = (5, 10)
_MAIN = (("main", None),)
_NOT_MEASURED = ("context", "rerank", "freshness")  # off, or without a part to play, in these sets
_FILES = ("questions.jsonl", "questions_beam.jsonl")
_DEEP_CUTS = (10, 25, 50)
_BUDGETS = (1_000, 2_000, 6_000)  # tokens
_HEADER = 8  # tokens beside a message's text
_RRF = 60  # the constant of Cormack et al., SIGIR 2009

Scores = dict[tuple[str, int], list[float]]


@dataclass(frozen=True)
class Question:
    """One line of questions.jsonl, as far as it is scored."""

    id: str
    dataset: str
    category: str
    text: str
    evidence: frozenset[int]
    also: frozenset[int]
    window: tuple[int, int] | None

    def score(self, floors: Sequence[int]) -> float:
        """Score floors that were recalled."""
        if self.window:
            return float(any(self.window[0] <= floor <= self.window[1] for floor in floors))
        if self.dataset == "memdaily":
            return float(bool((self.evidence | self.also) & set(floors)))
        return len(self.evidence & set(floors)) / len(self.evidence)

    @property
    def groups(self) -> tuple[str, ...]:
        if self.dataset != "locomo":
            return (self.dataset,)
        whole = "locomo+adversarial"
        if self.category == "adversarial":
            return (whole, "  adversarial")
        return ("locomo", whole, f"  {self.category}")


def read_questions(root: Path) -> dict[str, list[Question]]:
    """Return the questions that have evidence, by chat."""
    by_chat: dict[str, list[Question]] = defaultdict(list)
    files = [root / name for name in _FILES if (root / name).is_file()]
    for line in (line for file in files for line in file.read_text("utf-8").splitlines()):
        q = json.loads(line)
        if q["evidence"]:
            by_chat[q["chat_file"]].append(
                Question(
                    q["id"],
                    q["dataset"],
                    q["category"],
                    q["question"],
                    frozenset(q["evidence"]),
                    frozenset(q["evidence_alt"]),
                    tuple(q["evidence_window"]) if q["evidence_window"] else None,
                )
            )
    return by_chat


def _milliseconds(value: object) -> int:
    if isinstance(value, int | float):
        return int(value)
    for form in _DATES:
        try:
            moment = datetime.strptime(str(value), form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return int(moment.timestamp() * 1000)
    return 0


def read_chat(path: Path) -> list[Line]:
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n")[1:] if line]
    return [
        Line(
            f"{row['name']}: {row['mes']}",
            floor,
            speaker=row["name"],
            is_user=bool(row["is_user"]),
            sent_at=_milliseconds(row["send_date"]),
        )
        for floor, row in enumerate(rows)
    ]


class CachedEmbedder:
    """The built-in embedder, with vectors kept in ENGRAM_EVAL_CACHE between runs."""

    def __init__(self) -> None:
        folder = os.environ.get("ENGRAM_EVAL_CACHE")
        self._folder = Path(folder) if folder else None
        self._model = LocalEmbedder()
        self.model_id = self._model.model_id

    def once(self) -> CachedEmbedder:
        return self

    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> np.ndarray:
        return self.embed_passages([EmbeddedText(text) for text in texts], ctx)

    def embed_passages(self, passages: Sequence[EmbeddedText], ctx: JobContext) -> np.ndarray:
        said = "\1".join("\0".join(p) for p in passages)
        key = hashlib.blake2b(said.encode(), digest_size=16).hexdigest()
        kept = self._folder / f"{key}.npy" if self._folder else None
        if kept and kept.exists():
            return np.asarray(np.load(kept))
        vectors = self._model.embed_passages(passages, ctx)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, vectors)
        return vectors


def build_index(lines: Sequence[Line], embedder: Embedder) -> ReferenceIndex:
    names = sorted({line.speaker for line in lines if line.speaker})
    previous = ["", *(line.content for line in lines[:-1])]
    passages = [
        passage(line.content, names, before) for line, before in zip(lines, previous, strict=True)
    ]
    return ReferenceIndex(lines, embedder.embed_passages(passages, NullContext()))


def score_engine(
    root: Path, weights: Sequence[Weights], *, limit_sets: Iterable[str] = ()
) -> tuple[list[Scores], list[float]]:
    """Ask the engine every question; return scores for each of ``weights``, and milliseconds."""
    embedder = CachedEmbedder()
    scores: list[Scores] = [defaultdict(list) for _ in weights]
    elapsed: list[float] = []
    wanted = tuple(limit_sets)
    for chat, questions in read_questions(root).items():
        if wanted and not chat.startswith(wanted):
            continue
        index = build_index(read_chat(root / chat), embedder)
        for score, weight in zip(scores, weights, strict=True):
            recaller = Recaller(index, embedder, lambda _branch: _MAIN, weights=weight)
            for question in questions:
                query = RecallQuery(question.text, max(_CUTS), ("turn",))
                result = recaller.recall(NullContext(), query)
                elapsed.append(result.elapsed_ms)
                _note(score, question, [hit.item.start_index for hit in result.hits])
    return scores, elapsed


def fill(floors: Iterable[int], costs: Sequence[int], budget: int) -> set[int]:
    """Return those of ranked ``floors`` that fit into ``budget`` tokens; others are passed over."""
    taken, left = set(), budget
    for floor in floors:
        if costs[floor] <= left:
            taken.add(floor)
            left -= costs[floor]
    return taken


def deep_scores(question: Question, ranked: Sequence[int], costs: Sequence[int]) -> list[float]:
    """Return the share of the evidence at each of _DEEP_CUTS and in each of _BUDGETS."""
    taken = [set(ranked[:cut]) for cut in _DEEP_CUTS]
    taken += [fill(ranked, costs, budget) for budget in _BUDGETS]
    return [len(question.evidence & found) / len(question.evidence) for found in taken]


def costs_of(lines: Sequence[Line]) -> list[int]:
    return [estimate_tokens(line.content) + _HEADER for line in lines]


def bm25(lines: Sequence[Line]) -> Callable[[str], np.ndarray]:
    """Return what scores every line for a question, with k1 = 1.2 and b = .75."""
    counts = [Counter(index_tokens(line.content)) for line in lines]
    lengths = np.array([count.total() for count in counts], dtype=float)
    holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for n, count in enumerate(counts):
        for token, times in count.items():
            holders[token].append((n, times))

    def scores(question: str) -> np.ndarray:
        total = np.zeros(len(lines))
        for token in query_tokens(question):
            if token in holders:
                rows, times = np.array(holders[token]).T
                idf = np.log(1 + (len(lines) - rows.size + 0.5) / (rows.size + 0.5))
                long = 1.2 * (0.25 + 0.75 * lengths[rows] / lengths.mean())
                total[rows] += idf * times * 2.2 / (times + long)
        return total

    return scores


def deep_table(root: Path, *, limit_sets: Iterable[str] = ()) -> str:
    """How much of the evidence a filled prompt holds, with the engine and with what it replaces."""
    embedder, wanted = CachedEmbedder(), tuple(limit_sets)
    found: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for chat, questions in read_questions(root).items():
        if wanted and not chat.startswith(wanted):
            continue
        lines = read_chat(root / chat)
        index, costs, words = build_index(lines, embedder), costs_of(lines), bm25(lines)
        names = sorted({line.speaker for line in lines if line.speaker})
        ids = np.arange(1, len(lines) + 1)
        recaller = Recaller(index, embedder, lambda _branch: _MAIN)
        for question in questions:
            query = RecallQuery(question.text, 1_000, ("turn",), is_deep=True)
            hits = recaller.recall(NullContext(), query).hits
            asked = embedder.embed(query_texts(question.text, names), NullContext(), query=True)
            by_words = np.argsort(-words(question.text), kind="stable")
            by_meaning = np.argsort(-index.similarities(asked, ids).max(axis=0), kind="stable")
            places = 1 / (_RRF + np.argsort(by_words)) + 1 / (_RRF + np.argsort(by_meaning))
            orders = {
                "engine": [hit.item.start_index for hit in hits],
                "bm25": by_words.tolist(),
                "dense": by_meaning.tolist(),
                "rrf": np.argsort(-places, kind="stable").tolist(),
            }
            for name, ranked in orders.items():
                scores = deep_scores(question, ranked, costs)
                for group in question.groups:
                    found[group, name].append(scores)
    heads = [f"@{cut}" for cut in _DEEP_CUTS] + [f"{budget}t" for budget in _BUDGETS]
    rows = [f"{'share of evidence':28}" + "".join(f"{head:>8}" for head in heads)]
    for group, name in sorted(found, key=lambda g: (g[0].strip() != g[0], g[0])):
        means = np.mean(found[group, name], axis=0)
        rows.append(f"{group:20} {name:7}" + "".join(f"{mean:8.3f}" for mean in means))
    return "\n".join(rows)


def _note(scores: Scores, question: Question, floors: Sequence[int]) -> None:
    for group in question.groups:
        for cut in _CUTS:
            scores[group, cut].append(question.score(floors[:cut]))


def table(scores: Scores) -> str:
    groups = sorted({group for group, _ in scores}, key=lambda g: (g.strip() != g, g))
    lines = [f"{'set':20} {'n':>5} {'@5':>6} {'@10':>6}"]
    for group in groups:
        at5, at10 = (float(np.mean(scores[group, cut])) for cut in _CUTS)
        lines.append(f"{group:20} {len(scores[group, 10]):5} {at5:6.3f} {at10:6.3f}")
    return "\n".join(lines)


def ablation(root: Path) -> str:
    """Each part left out, and words and meaning each alone."""
    names = [f.name for f in fields(Weights) if f.name not in _NOT_MEASURED]
    nothing = replace(DEFAULT, **dict.fromkeys(names, 0.0))
    variants = {"all": DEFAULT}
    variants |= {f"-{name}": replace(DEFAULT, **{name: 0.0}) for name in names}
    variants["only words"] = replace(nothing, lexical=DEFAULT.lexical)
    both = {"vector": DEFAULT.vector, "following": DEFAULT.following}
    variants["only meaning"] = replace(nothing, **both)
    scores, _ = score_engine(root, list(variants.values()))
    groups = [g for g in sorted({g for g, _ in scores[0]}) if g.strip() == g]
    lines = [f"{'@5/@10':12}" + "".join(f"{group[:18]:>20}" for group in groups)]
    for name, score in zip(variants, scores, strict=True):
        cells = (
            f"{np.mean(score[group, 5]):.3f}/{np.mean(score[group, 10]):.3f}" for group in groups
        )
        lines.append(f"{name:12}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def data_root() -> Path | None:
    folder = os.environ.get("ENGRAM_EVAL_DATA")
    return Path(folder) if folder and (Path(folder) / "questions.jsonl").is_file() else None


@pytest.mark.timeout(1800)
def test_recall_on_real_conversations_stays_where_it_was(capsys):
    root = data_root()
    if root is None:
        pytest.skip("ENGRAM_EVAL_DATA names no folder with questions.jsonl")
    (scores,), elapsed = score_engine(root, [DEFAULT])
    with capsys.disabled():
        print("\n" + table(scores))
        print(f"p50 {np.percentile(elapsed, 50):.1f} ms, p95 {np.percentile(elapsed, 95):.1f} ms")
    at10 = {group: float(np.mean(values)) for (group, cut), values in scores.items() if cut == 10}
    floors = {
        "locomo": 0.81,
        "memorybank_zh": 0.95,
        "memorybank_en": 0.93,
        "zh4o": 0.86,
        "memdaily": 0.96,
    }
    assert {g: at10[g] for g, low in floors.items() if g in at10 and at10[g] < low} == {}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--deep", action="store_true", help="also what fills a prompt")
    parser.add_argument("--set", action="append", default=[], help="only chats of this set")
    options = parser.parse_args(arguments)
    root = data_root()
    if root is None:
        print("ENGRAM_EVAL_DATA names no folder with questions.jsonl", file=sys.stderr)
        return 2
    began = time.perf_counter()
    (scores,), elapsed = score_engine(root, [DEFAULT], limit_sets=options.set)
    print(table(scores))
    print(
        f"{len(elapsed)} questions in {time.perf_counter() - began:.0f} s;"
        f" p50 {np.percentile(elapsed, 50):.1f} ms, p95 {np.percentile(elapsed, 95):.1f} ms"
    )
    if options.deep:
        print(deep_table(root, limit_sets=options.set))
    if options.ablation:
        print(ablation(root))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
