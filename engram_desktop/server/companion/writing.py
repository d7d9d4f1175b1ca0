"""What a companion is answered: values as JSON. No path of the user's is among them."""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.serving.companion import CompanionMemory, ToldReport
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.server.companion.tidying import Tidying

_SHOWN = 400  # characters of a memory that a panel shows


def failure(error: KnownError) -> dict[str, Any]:
    """Say what went wrong; what may name a file of the user's is not repeated."""
    words = str(error) if isinstance(error, InputError) else "The memory cannot be used just now."
    return {"error": {"message": words, "code": type(error).__name__}}


def told_answer(report: ToldReport) -> dict[str, Any]:
    answer = {"state": report.state, "revision": report.revision, "floors": report.floors}
    return answer | ({"conflict": report.conflict.to_json()} if report.conflict else {})


def remembered(
    memory: CompanionMemory, settings: Settings, lamps: dict[str, str], elapsed_ms: float
) -> dict[str, Any]:
    """Answer a generation: the texts, where they stand, and why each memory is among them."""
    injection = memory.injection
    hits = injection.hits if injection else ()
    if memory.where.line is None:
        outcome = "unknown"
    else:
        outcome = "filled" if injection and injection.text else "empty"
    return {
        "outcome": outcome,
        "why": str(memory.where.why),
        "summaries": memory.summaries,
        "memories": memory.memories,
        "tokens": injection.tokens if injection else 0,
        "ms": round(elapsed_ms, 1),
        "degraded": list(injection.degraded) if injection else [],
        "place": place(settings),
        "items": [_hit(number, hit, lamps) for number, hit in enumerate(hits, start=1)],
    }


def place(settings: Settings) -> dict[str, Any]:
    """Say where memory stands in a prompt, as it is chosen in the window."""
    return {"at": settings.serve_place, "depth": settings.serve_depth}


def event(node: EventNode) -> dict[str, Any]:
    floors = node.source_range
    return {
        "ref": node.id,
        "lamp": "green" if node.is_archived else "blue",
        "text": node.summary[:_SHOWN],
        "floors": [floors.start_index, floors.end_index],
        "level": node.level,
        "is_locked": node.is_locked,
    }


def tidying(one: Tidying) -> dict[str, Any]:
    answer: dict[str, Any] = {"number": one.number, "done": one.done, "total": one.total}
    answer["state"] = "running" if one.is_running else "done"
    if one.failure is not None:
        answer |= failure(one.failure) | {"state": "failed"}
    if one.report is not None:
        answer["archived"] = one.report.archived
        answer["outlines"] = one.report.outlines
    return answer


def _hit(number: int, hit: RecallHit, lamps: dict[str, str]) -> dict[str, Any]:
    item = hit.item
    return {
        "rank": number,
        "kind": item.kind,
        "ref": item.ref,
        "text": item.content[:_SHOWN],
        "floors": [item.start_index, item.end_index],
        "why": {leg: round(share, 4) for leg, share in hit.why.items()},
        "matched": list(hit.matched[:12]),
        "lamp": lamps.get(item.ref, ""),
    }
