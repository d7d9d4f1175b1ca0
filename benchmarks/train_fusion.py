"""Learn what each feature of a message is worth, and write resources/recall/fusion.json.

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.train_fusion            judge and print
    ENGRAM_EVAL_DATA=DIR python -m benchmarks.train_fusion --write    and write the weights

DIR as for recall_quality.py. The score of a message is the hand-set sum of the legs plus
features x weights. A weight is learned from all sets and judged on each with weights learned from
the others alone. Sets count by the root of their questions, LoCoMo's adversarial questions not at
all: they ask for the wrong speaker on purpose.

The loss is the mean over evidence of r / (r + k), k = 10, 40 and 160: r is the number of other
messages ranked above it, each counted by a logistic function of the distance (a smooth rank, as in
Taylor et al., SoftRank, WSDM 2008). Unlike the logarithm of a likelihood it is bounded: evidence
that no feature can find takes no weight from what can be found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.recall_quality import (
    CachedEmbedder,
    Question,
    build_index,
    costs_of,
    data_root,
    deep_scores,
    read_chat,
    read_questions,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.recall.ranking import FEATURES
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.services.recall.learned import FILE, Tally, Training

SEED = 0  # nothing is drawn: the same data gives the same weights
_ALL = 10**6  # hits: every message of a chat
_NEGATIVES = 400  # messages without evidence a question, those that score highest by hand
_DEPTHS = (10, 40, 160)  # k of the loss: a list of ten, a prompt of 1,000 tokens and one of 6,000
_WIDTH = 0.5  # of the logistic function, in the loss's units of score
_PULL = 3e-3  # on the squared weights, in standard deviations of their features
_STEPS, _RATE = 200, 0.03  # of Adam (Kingma and Ba, ICLR 2015)
_SHOWN = ("@10", "@25", "@50", "1000t", "2000t", "6000t")


@dataclass(frozen=True)
class Asked:
    """One question; rows are messages. ``features``: the hand-set score first."""

    question: Question
    floors: np.ndarray
    features: np.ndarray
    costs: Sequence[int]

    @property
    def is_learned_from(self) -> bool:
        return self.question.category != "adversarial"

    def ranked(self, worth: np.ndarray) -> list[int]:
        order = np.argsort(-(self.features @ worth), kind="stable")
        return [int(floor) for floor in self.floors[order]]


def read(root: Path) -> list[Asked]:
    """Ask every question with weights 0, and note the features."""
    embedder = CachedEmbedder()
    seen: list[Tally] = []
    training = Training(dict.fromkeys(FEATURES, 0.0), seen.append)
    asked = []
    for chat, questions in read_questions(root).items():
        lines = read_chat(root / chat)
        index, costs = build_index(lines, embedder), costs_of(lines)
        recaller = Recaller(index, embedder, lambda _branch: (("main", None),), training=training)
        for question in questions:
            seen.clear()
            query = RecallQuery(question.text, _ALL, ("turn",), is_deep=True)
            recaller.recall(NullContext(), query)
            (tally,) = seen
            columns = [tally.total, *(tally.features[name] for name in FEATURES)]
            asked.append(Asked(question, tally.rows, np.stack(columns, axis=1), costs))
    return asked


class Pairs:
    """Evidence against other messages, of many questions at once."""

    def __init__(self, asked: Sequence[Asked], importance: Sequence[float]) -> None:
        rows, better, worse, weights = [], [], [], []
        offset = 0
        for one, share in zip(asked, importance, strict=True):
            question = one.question
            is_evidence = np.isin(one.floors, list(question.evidence))
            low, high = question.window or (1, 0)
            is_open = np.isin(one.floors, list(question.also))
            is_open |= (one.floors >= low) & (one.floors <= high)
            others = np.flatnonzero(~is_evidence & ~is_open)
            others = others[np.argsort(-one.features[others, 0], kind="stable")[:_NEGATIVES]]
            evidence = np.flatnonzero(is_evidence)
            rows.append(one.features[np.concatenate([evidence, others])])
            for n in range(evidence.size):
                better.append(np.full(others.size, offset + n))
                worse.append(offset + evidence.size + np.arange(others.size))
                weights.append(share / evidence.size)
            offset += evidence.size + others.size
        self.rows = np.concatenate(rows)
        self.better, self.worse = np.concatenate(better), np.concatenate(worse)
        self.which = np.repeat(np.arange(len(better)), [b.size for b in better])
        self.weights = np.array(weights)

    def gradient(self, scores: np.ndarray) -> np.ndarray:
        """Return the derivative of the loss by the score of each row."""
        distance = (scores[self.worse] - scores[self.better]) / _WIDTH
        above = 1 / (1 + np.exp(-np.clip(distance, -30, 30)))
        rank = np.bincount(self.which, weights=above, minlength=self.weights.size)
        slope = self.weights * np.mean([k / (rank + k) ** 2 for k in _DEPTHS], axis=0)
        push = slope[self.which] * above * (1 - above) / _WIDTH
        up = np.bincount(self.better, weights=push, minlength=scores.size)
        down = np.bincount(self.worse, weights=push, minlength=scores.size)
        return np.asarray(down - up)


def learn(asked: Sequence[Asked]) -> np.ndarray:
    """Return the weight of each column, that of the hand-set score 1."""
    used = [one for one in asked if one.is_learned_from]
    counts: dict[str, int] = defaultdict(int)
    for one in used:
        counts[one.question.dataset] += 1
    importance = np.array([counts[one.question.dataset] ** -0.5 for one in used])
    pairs = Pairs(used, list(importance / importance.sum()))
    spread = pairs.rows.std(axis=0)
    spread[0] = 1.0
    is_told = spread > 1e-6
    columns = pairs.rows / np.where(is_told, spread, 1.0)
    worth = np.zeros(columns.shape[1])
    worth[0] = 1.0
    mean, square = np.zeros_like(worth), np.zeros_like(worth)
    for step in range(1, _STEPS + 1):
        pull = _PULL * worth
        pull[0] = 0.0
        gradient = (columns.T @ pairs.gradient(columns @ worth) + pull) * is_told
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.98 * square + 0.02 * gradient**2
        rate = _RATE * (1.0 if step < 0.6 * _STEPS else 0.3 if step < 0.85 * _STEPS else 0.1)
        worth -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.98**step)) + 1e-8)
    worth = worth / np.where(is_told, spread, 1.0) * is_told
    return np.asarray(worth / worth[0])


def figures(asked: Iterable[Asked], worth: np.ndarray) -> list[float]:
    shares = [deep_scores(one.question, one.ranked(worth), one.costs) for one in asked]
    return [round(float(mean), 3) for mean in np.mean(shares, axis=0)]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    root = data_root()
    if root is None:
        print("ENGRAM_EVAL_DATA names no folder with questions.jsonl", file=sys.stderr)
        return 2
    asked = read(root)
    worth = learn(asked)
    by_hand = np.eye(worth.size)[0]
    sets: dict[str, dict[str, object]] = {}
    print(f"{'share of evidence':32}" + "".join(f"{head:>7}" for head in _SHOWN))
    for name in sorted({one.question.dataset for one in asked}):
        left_out = learn([one for one in asked if one.question.dataset != name])
        own = [one for one in asked if one.question.dataset == name]
        own = [one for one in own if one.is_learned_from]
        rows = {
            "hand-set": figures(own, by_hand),
            "set left out": figures(own, left_out),
            "all sets": figures(own, worth),
        }
        for label, row in rows.items():
            print(f"{name:16} {label:15}" + "".join(f"{share:7.3f}" for share in row))
        chats = len({id(one.costs) for one in own})
        weights = dict(zip(FEATURES, left_out[1:].round(3).tolist(), strict=True))
        sets[name] = {"chats": chats, "questions": len(own), "weights_without_it": weights, **rows}
    learned = dict(zip(FEATURES, worth[1:].round(3).tolist(), strict=True))
    print(learned)
    if options.write:
        record = {"seed": SEED, "figures": "share of the evidence: " + " ".join(_SHOWN)}
        content = {
            "about": "Weights of FEATURES in engram_desktop/domain/recall/ranking.py; see ADR 48.",
            "features": {name: {"weight": weight} for name, weight in learned.items()},
            "training": {**record, "sets": sets},
        }
        text = json.dumps(content, indent=1)
        resource(FILE).write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
