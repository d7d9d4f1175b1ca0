"""Why something was recalled and something else was not: what is kept of a recall, and its JSON.

Bounded: so many candidates, so much of each text. It names memories by their refs and never decides
anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal, Self

from engram_desktop.domain.recall.query import Candidate, Dropped, ItemKind, RecallResult
from engram_desktop.domain.values import dataclass

# What the log keeps of each of the last 100 recalls, so that it stays small (recall.md).
# Candidates, and of an injection as many of those that are not in it; characters of an injection,
# characters of each candidate.
TRACES_KEPT = 40
NOT_TOLD_KEPT = 40
TEXT_KEPT = 12_000  # characters
EXCERPT = 160  # characters


@dataclass(frozen=True, slots=True)
class Trace:
    """One candidate: ``rank`` is its place among the hits, 0 for none, ``ranks`` those by leg."""

    item_id: int
    kind: ItemKind
    ref: str
    first: int
    last: int
    text: str
    score: float
    why: dict[str, float]
    ranks: dict[str, int]
    rank: int = 0
    dropped: Dropped | None = None

    @classmethod
    def of(cls, candidate: Candidate) -> Self:
        item = candidate.item
        return cls(
            item.id,
            item.kind,
            item.ref,
            item.start_index,
            item.end_index,
            " ".join(item.content.split())[:EXCERPT],
            candidate.score,
            candidate.why,
            candidate.ranks,
            candidate.rank,
            candidate.dropped,
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was weighed, how long each step took, what could not take part, and what came of it.

    ``text`` is the injected text, empty for a mere recall; ``searched`` what was looked for beside
    the question; ``output`` the question as a model put it. Of an injection, ``told`` are the ids
    of the items in it, ``asker`` the branch and who asked, ``floor`` the present floor.
    """

    purpose: Literal["recall", "inject"]
    traces: tuple[Trace, ...] = ()
    steps: dict[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    text: str = ""
    searched: tuple[str, ...] = ()
    output: str = ""
    told: tuple[int, ...] = ()
    asker: str = ""
    floor: int = -1

    def to_json(self) -> dict[str, Any]:
        return _values(self) | {"traces": [_values(trace) for trace in self.traces]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        known = {f.name: value[f.name] for f in fields(cls) if f.name in value}
        known["traces"] = tuple(Trace(**row) for row in value.get("traces", ()))
        for name in ("degraded", "searched", "told"):
            known[name] = tuple(value.get(name, ()))
        return cls(**known)


def _values(row: Trace | Explanation) -> dict[str, Any]:
    """Return its fields as they are: `dataclasses.asdict` copies each, for 4 ms of a prompt."""
    return {f.name: getattr(row, f.name) for f in fields(row)}


@dataclass(frozen=True, slots=True)
class PastRecall:
    """One line of the log. ``at`` in milliseconds."""

    id: int
    at: int
    query: str
    elapsed_ms: float
    hits: int


def explain(results: Iterable[RecallResult], most: int = TRACES_KEPT) -> Explanation:
    """Explain a recall of one or more searches: the ``most`` telling candidates, hits first."""
    results = list(results)
    candidates = [c for result in results for c in result.candidates]
    candidates.sort(key=lambda c: (c.rank == 0, c.rank, -c.score))
    steps: dict[str, float] = {}
    for result in results:
        for name, took in result.steps.items():
            steps[name] = round(steps.get(name, 0.0) + took, 3)
    return Explanation(
        "recall",
        tuple(Trace.of(candidate) for candidate in candidates[:most]),
        steps,
        tuple(dict.fromkeys(part for result in results for part in result.degraded)),
        searched=tuple(dict.fromkeys(query for result in results for query in result.searched)),
        output=next((result.output for result in results if result.output), ""),
    )


def injected(
    explanation: Explanation,
    ranks: Mapping[int, int],
    dropped: Mapping[int, Dropped],
    text: str,
) -> Explanation:
    """Return ``explanation`` of what was put into a prompt: places in it, and what did not fit."""
    traces = [
        replace(
            t,
            rank=ranks.get(t.item_id, 0),
            dropped=None if t.item_id in ranks else dropped.get(t.item_id, t.dropped or "limit"),
        )
        for t in explanation.traces
    ]
    told = sorted((t for t in traces if t.rank), key=lambda t: t.rank)[:TRACES_KEPT]
    others = sorted((t for t in traces if not t.rank), key=lambda t: -t.score)[:NOT_TOLD_KEPT]
    return replace(explanation, purpose="inject", traces=(*told, *others), text=text[:TEXT_KEPT])
