"""Why memories were recalled or not: what is kept of a recall, and its JSON.

The number of candidates and the length of their texts are limited. It has the refs of memories and
never influences a result.
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

# What the log keeps of each of the last 100 recalls, so that it stays small (recall.md):
# candidates, characters of an injection, characters of each candidate.
TRACES_KEPT = 40
NOT_TOLD_KEPT = 40  # candidates that are not in an injection, besides those in it
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
    """The candidates of a recall, the time of each step, what could not take part, and the result.

    ``text`` is the injected text, empty for a recall alone; ``searched`` are further texts of the
    search; ``output`` is the question rewritten by a model. For an injection, ``told`` are the ids
    of the items in it, ``asker`` the branch and the character, ``floor`` the present floor.
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
    """Return the fields without copying: `dataclasses.asdict` copies each, for 4 ms of a prompt."""
    return {f.name: getattr(row, f.name) for f in fields(row)}


@dataclass(frozen=True, slots=True)
class PastRecall:
    """One row of the log. ``at`` is in milliseconds."""

    id: int
    at: int
    query: str
    elapsed_ms: float
    hits: int


def explain(results: Iterable[RecallResult]) -> Explanation:
    """Explain a recall of one or more searches: hits first, then other candidates."""
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
    """Explain an injection: the candidates in the prompt, and the best ones left out.

    ``ranks`` are places in it, ``dropped`` reasons, both by item id. ``answers`` are in it but were
    no candidates.
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
