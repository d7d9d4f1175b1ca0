"""An event with some of its fields changed, and its card rendered anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.phrase import Phrase

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.render import StoryRenderer

_T = QT_TRANSLATE_NOOP

T = TypeVar("T")


def patched(event: EventNode, patch: EventPatch, renderer: StoryRenderer) -> EventNode:
    """Return ``event`` with ``patch`` applied and its card rendered anew.

    The fields shown twice (raw data, structured_kv) stay in agreement; given raw data comes first,
    single fields are laid over it.
    """
    data = patch.raw_data if patch.raw_data is not None else event.raw_data
    kv = patch.structured_kv
    if kv is None:
        kv = data.structured_kv if patch.raw_data is not None else event.structured_kv
    if patch.time_anchor is not None:
        kv = replace(kv, time_anchor=patch.time_anchor)
    if patch.location is not None:
        kv = replace(kv, location=patch.location)
    score = patch.significance_score
    if score is None:
        score = event.significance_score if patch.raw_data is None else data.significance_score
    summary = patch.summary if patch.summary is not None else data.summary
    if not summary.strip():
        raise InputError(Phrase(_T("reports", "The summary must say what happened.")))
    data = replace(
        data,
        summary=summary.strip(),
        keywords=_new_or_old(patch.keywords, data.keywords),
        timestamp=_new_or_old(patch.time_anchor, data.timestamp),
        location=_new_or_old(patch.location, data.location),
        details=_new_or_old(patch.details, data.details),
        structured_kv=kv,
        significance_score=min(1.0, max(0.0, score)),
        kind=_new_or_old(patch.kind, data.kind),
        witnesses=data.witnesses if patch.witnesses is None else patch.witnesses,
    )
    is_archived = _new_or_old(patch.is_archived, event.is_archived)
    return replace(
        event,
        summary=data.summary,
        structured_kv=kv,
        raw_data=data,
        display_text=renderer.render(data),
        keywords=data.keywords,
        participants=_participants(data),
        significance_score=data.significance_score,
        is_archived=is_archived,
        status="archived" if is_archived else "buffer",
        is_locked=_new_or_old(patch.is_locked, event.is_locked),
        is_stale=_new_or_old(patch.is_stale, event.is_stale),
        level=_new_or_old(patch.level, event.level),
        is_embedded=event.is_embedded and data == event.raw_data,
        # What a user wrote is theirs: no redo takes its place.
        extractor=event.extractor if data == event.raw_data else "manual",
        kind=data.kind,
        scope=_new_or_old(patch.scope, event.scope),
        owner=event.owner if patch.owner is None else patch.owner or None,
        condition=event.condition if patch.condition is None else patch.condition or None,
        confidence=_new_or_old(
            patch.confidence, event.confidence if data == event.raw_data else "confirmed"
        ),
    )


def _new_or_old(new: T | None, old: T) -> T:
    return old if new is None else new


def _participants(data: PlotExtraction) -> tuple[str, ...]:
    return tuple(e.name for e in data.entities if e.type == "char")
