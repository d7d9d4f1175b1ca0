"""Why something was recalled and something else was not: what is kept of a recall, and its JSON.

Bounded: so many candidates, so much of each text. It names memories by their refs and never decides
anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal, Self

from engram_desktop.domain.recall.query import (
    Candidate,
    Dropped,
    ItemKind,
    RecallHit,
    RecallResult,
)
from engram_desktop.domain.values import dataclass

# What the log keeps of each of the last 100 recalls, so that it stays small (recall.md).
# Candidates, characters of an injection, characters of each candidate.
TRACES_KEPT = 40
NOT_TOLD_KEPT = 40  # candidates that are not in an injection, beside those that are
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


def explain(results: Iterable[RecallResult]) -> Explanation:
    """Explain a recall made of one or more searches, candidates with the hits first."""
    results = list(results)
    candidates = [c for result in results for c in result.candidates]
    candidates.sort(key=lambda c: (c.rank == 0, c.rank, -c.score))
    return _explained(results, [Trace.of(c) for c in candidates[:TRACES_KEPT]])


def explain_injection(
    results: Iterable[RecallResult],
    ranks: Mapping[int, int],
    dropped: Mapping[int, Dropped],
    text: str,
    answers: Iterable[RecallHit] = (),
) -> Explanation:
    """Explain what was put into a prompt, and what was not, the most telling of each.

    ``ranks`` are places in it, ``dropped`` reasons, both by item id. ``answers`` stand in it and
    were not among the candidates.
    """
    results = list(results)
    candidates = [c for result in results for c in result.candidates]
    candidates += [Candidate(hit.item, hit.score, hit.why) for hit in answers]
    told = [c for c in candidates if c.item.id in ranks]
    others = [c for c in candidates if c.item.id not in ranks]
    told.sort(key=lambda c: ranks[c.item.id])
    others.sort(key=lambda c: -c.score)
    traces = [replace(Trace.of(c), rank=ranks[c.item.id], dropped=None) for c in told[:TRACES_KEPT]]
    traces += [
        replace(Trace.of(c), rank=0, dropped=dropped.get(c.item.id, c.dropped or "below"))
        for c in others[:NOT_TOLD_KEPT]
    ]
    return replace(_explained(results, traces), purpose="inject", text=text[:TEXT_KEPT])


def _explained(results: Sequence[RecallResult], traces: Sequence[Trace]) -> Explanation:
    steps: dict[str, float] = {}
    for result in results:
        for name, took in result.steps.items():
            steps[name] = round(steps.get(name, 0.0) + took, 3)
    return Explanation(
        "recall",
        tuple(traces),
        steps,
        tuple(dict.fromkeys(part for result in results for part in result.degraded)),
        searched=tuple(dict.fromkeys(query for result in results for query in result.searched)),
        output=next((result.output for result in results if result.output), ""),
    )
