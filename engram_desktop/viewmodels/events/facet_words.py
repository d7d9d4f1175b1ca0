"""Facets of events in words: what the chips of a filter say, and how they are joined."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.memory.facets import OUTLINE, Combining, Facet, FacetField, Facets
from engram_desktop.viewmodels.events.event_list import confidence_names

_tr = QCoreApplication.translate


def field_names() -> dict[FacetField, str]:
    return {
        "status": _tr("Facets", "State"),
        "level": _tr("Facets", "Level"),
        "kind": _tr("Facets", "Kind"),
        "confidence": _tr("Facets", "Vouched for"),
        "extractor": _tr("Facets", "Made by"),
        "stale": _tr("Facets", "State"),
        "locked": _tr("Facets", "State"),
        "entity": _tr("Facets", "Entity"),
        "keyword": _tr("Facets", "Keyword"),
    }


def value_words(facet: Facet) -> str:
    """Say what a facet asks for, without the name of its field."""
    value = facet.value
    if facet.field == "level" and value != OUTLINE:
        return _tr("Facets", "Outline of level {level}").format(level=value)
    fixed: dict[tuple[str, str], str] = {
        ("status", "buffer"): _tr("Facets", "Buffer"),
        ("status", "archived"): _tr("Facets", "Archived"),
        ("level", OUTLINE): _tr("Facets", "Outline"),
        ("kind", "event"): _tr("Facets", "Event"),
        ("kind", "fact"): _tr("Facets", "Fact"),
        ("extractor", "llm"): _tr("Facets", "A model"),
        ("extractor", "extractive"): _tr("Facets", "Extraction"),
        ("extractor", "manual"): _tr("Facets", "You"),
        ("extractor", "imported"): _tr("Facets", "An import"),
        **{("confidence", name): words for name, words in confidence_names().items()},
    }
    if facet.field == "stale":
        return _tr("Facets", "Stale")
    if facet.field == "locked":
        return _tr("Facets", "Locked")
    return fixed.get((facet.field, value), value)


def facet_words(facet: Facet) -> str:
    """Name a facet with its field, where the value alone does not say it."""
    if facet.field in {"status", "level", "stale", "locked", "confidence"}:
        return value_words(facet)
    return _tr("Facets", "{field}: {value}").format(
        field=field_names()[facet.field], value=value_words(facet)
    )


def combining_names() -> dict[Combining, str]:
    return {
        "alone": _tr("Facets", "Only this"),
        "and": _tr("Facets", "And this"),
        "or": _tr("Facets", "Or this"),
        "not": _tr("Facets", "Not this"),
    }


def combining_help() -> str:
    """Say what a click does with a key held."""
    return _tr(
        "Facets",
        "Click: only this. Ctrl+click: and. Shift+click: or. Alt+click: not. "
        "A right click offers the same.",
    )


def strip_words(facets: Facets) -> list[tuple[str, Facet]]:
    """Return the facets set, in order, each with what stands before it: and, or, not."""
    told: list[tuple[str, Facet]] = []
    for group in facets.groups:
        for number, facet in enumerate(group):
            joined = _tr("Facets", "or") if number else _tr("Facets", "and")
            told.append((joined if told else "", facet))
    told += [(_tr("Facets", "not"), facet) for facet in facets.excluded]
    return told


def filter_words(facets: Facets) -> str:
    """Say a whole filter in one line."""
    parts: list[str] = []
    for joined, facet in strip_words(facets):
        parts += [joined, facet_words(facet)] if joined else [facet_words(facet)]
    return " ".join(parts)
