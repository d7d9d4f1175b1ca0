"""Finding and replacing in events: which texts of an event are meant, and putting others there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.values import dataclass

TextField = Literal["summary", "details", "time", "place", "keywords", "structured", "names"]
TEXT_FIELDS: tuple[TextField, ...] = (
    "summary",
    "details",
    "time",
    "place",
    "keywords",
    "structured",
    "names",
)


@dataclass(frozen=True, slots=True)
class FindReplace:
    """What to look for, where, and what to put there.

    A pattern is JavaScript's, as in the scripts; ``$1``, ``$<name>`` and ``$0`` are its groups.
    """

    find: str
    replace: str = ""
    fields: tuple[TextField, ...] = ("summary", "details", "place", "keywords")
    is_regex: bool = False
    is_case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """One field of one event: its texts, and what they become. ``updated_at`` is the event's."""

    pk: int
    field: TextField
    before: tuple[str, ...]
    after: tuple[str, ...]
    updated_at: int


@dataclass(frozen=True, slots=True)
class ReplacePlan:
    """What would change. ``locked`` events would, too; ``emptied`` ones would say nothing."""

    changes: tuple[Replaced, ...] = ()
    locked: int = 0
    emptied: int = 0


def texts_of(event: EventNode, field: TextField) -> tuple[str, ...]:
    """Return the texts of a field, in an order that `patch_of` knows."""
    return _TAKE[field](event)


def patch_of(event: EventNode, texts: dict[TextField, tuple[str, ...]]) -> EventPatch:
    """Return what makes an event say these texts. Who vouches for it stays as it is."""
    data = replace(event.raw_data, structured_kv=event.structured_kv)
    for field, new in texts.items():
        data = _PUT[field](data, new)
    return EventPatch(
        raw_data=data, significance_score=event.significance_score, confidence=event.confidence
    )


def _with_place(data: PlotExtraction, texts: tuple[str, ...]) -> PlotExtraction:
    kv = replace(data.structured_kv, location=texts[0])
    return replace(data, location=texts[0], structured_kv=kv)


def _with_time(data: PlotExtraction, texts: tuple[str, ...]) -> PlotExtraction:
    kv = replace(data.structured_kv, time_anchor=texts[0])
    return replace(data, timestamp=texts[0], structured_kv=kv)


def _with_structured(data: PlotExtraction, texts: tuple[str, ...]) -> PlotExtraction:
    kv = replace(
        data.structured_kv, event=texts[0], causality=texts[1], logic=tuple(filter(None, texts[2:]))
    )
    return replace(data, structured_kv=kv)


def _with_names(data: PlotExtraction, texts: tuple[str, ...]) -> PlotExtraction:
    """Put names in; an entity or a relation that has lost a name is left out."""
    rest = list(texts)
    entities = [replace(entity, name=rest.pop(0).strip()) for entity in data.entities]
    relations = [
        replace(
            relation,
            subject=rest.pop(0).strip(),
            predicate=rest.pop(0).strip(),
            object=rest.pop(0).strip(),
        )
        for relation in data.relations
    ]
    return replace(
        data,
        entities=tuple({entity.name: entity for entity in entities if entity.name}.values()),
        relations=tuple(
            dict.fromkeys(r for r in relations if r.subject and r.predicate and r.object)
        ),
        structured_kv=replace(data.structured_kv, role=_words(tuple(rest))),
    )


def _words(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _structured(event: EventNode) -> tuple[str, ...]:
    kv = event.structured_kv
    return (kv.event, kv.causality, *kv.logic)


def _names(event: EventNode) -> tuple[str, ...]:
    data = event.raw_data
    ends = (text for r in data.relations for text in (r.subject, r.predicate, r.object))
    return (*(e.name for e in data.entities), *ends, *event.structured_kv.role)


_TAKE: dict[TextField, Callable[[EventNode], tuple[str, ...]]] = {
    "summary": lambda event: (event.summary,),
    "details": lambda event: (event.raw_data.details,),
    "time": lambda event: (event.raw_data.timestamp,),
    "place": lambda event: (event.raw_data.location,),
    "keywords": lambda event: event.raw_data.keywords,
    "structured": _structured,
    "names": _names,
}
_PUT: dict[TextField, Callable[[PlotExtraction, tuple[str, ...]], PlotExtraction]] = {
    "summary": lambda data, texts: replace(data, summary=texts[0]),
    "details": lambda data, texts: replace(data, details=texts[0]),
    "time": _with_time,
    "place": _with_place,
    "keywords": lambda data, texts: replace(data, keywords=_words(texts)),
    "structured": _with_structured,
    "names": _with_names,
}
