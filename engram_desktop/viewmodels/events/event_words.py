"""Texts that describe events and facets: state, floors, kind, confidence, filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.memory.event import CONFIDENCES, Confidence, EventNode
from engram_desktop.domain.memory.facets import OUTLINE, Combining, Facet, FacetField, Facets
from engram_desktop.viewmodels.workspace.choice_texts import choice_texts

if TYPE_CHECKING:
    from engram_desktop.domain.memory.extraction import EventKind
    from engram_desktop.domain.recall.query import MemoryItem


def lamp_words(event: EventNode) -> str:
    """Return what the colour of an event's lamp means."""
    if event.level >= 1:
        return QCoreApplication.translate("EventList", "Outline, always in context")
    if event.is_archived:
        return QCoreApplication.translate("EventList", "Archived, in context when recalled")
    return QCoreApplication.translate("EventList", "Buffer, always in context")


def floors_text(event: EventNode) -> str:
    return floors_words(event.source_range.start_index, event.source_range.end_index)


def floors_words(first: int, last: int) -> str:
    """Return a range of floors in words, counted as SillyTavern does: the greeting is 0."""
    if first == last:
        return QCoreApplication.translate("EventList", "Floor {first}").format(first=first)
    return QCoreApplication.translate("EventList", "Floors {first}–{last}").format(
        first=first, last=last
    )


def event_as_text(event: EventNode) -> str:
    """Return an event as plain text: when, where and its floors, then its summary."""
    data = event.raw_data
    head = " · ".join(part for part in (data.timestamp, data.location, floors_text(event)) if part)
    return f"{head}\n{event.summary}"


def where_words(item: MemoryItem) -> str:
    """Return the floors of a memory, or the name of its volume if another chat has the floors."""
    if item.volume:
        text = QCoreApplication.translate("EventList", "Volume “{title}”")
        return text.format(title=item.volume)
    return floors_words(item.start_index, item.end_index)


def kind_names() -> dict[EventKind, str]:
    return {
        "event": QCoreApplication.translate("EventList", "Events: what happened"),
        "fact": QCoreApplication.translate("EventList", "Facts: what holds"),
    }


def sort_names() -> dict[str, str]:
    return choice_texts("ui.event_sort")


def confidence_names() -> dict[Confidence, str]:
    """Return the names of the confidence levels, the most trusted first."""
    words = choice_texts("inject.confidence")
    return {level: words[level] for level in reversed(CONFIDENCES)}


def field_names() -> dict[FacetField, str]:
    return {
        "status": QCoreApplication.translate("Facets", "State"),
        "level": QCoreApplication.translate("Facets", "Level"),
        "kind": QCoreApplication.translate("Facets", "Kind"),
        "confidence": QCoreApplication.translate("Facets", "Trust"),
        "extractor": QCoreApplication.translate("Facets", "Made by"),
        "stale": QCoreApplication.translate("Facets", "State"),
        "locked": QCoreApplication.translate("Facets", "State"),
        "entity": QCoreApplication.translate("Facets", "Entity"),
        "keyword": QCoreApplication.translate("Facets", "Keyword"),
        "finding": QCoreApplication.translate("Facets", "Findings"),
    }


def value_words(facet: Facet) -> str:
    """Return the value of a facet in words, without the name of its field."""
    value = facet.value
    if facet.field == "level" and value != OUTLINE:
        return QCoreApplication.translate("Facets", "Outline of level {level}").format(level=value)
    fixed: dict[tuple[str, str], str] = {
        ("status", "buffer"): QCoreApplication.translate("Facets", "Buffer"),
        ("status", "archived"): QCoreApplication.translate("Facets", "Archived"),
        ("level", OUTLINE): QCoreApplication.translate("Facets", "Outline"),
        ("kind", "event"): QCoreApplication.translate("Facets", "Event"),
        ("kind", "fact"): QCoreApplication.translate("Facets", "Fact"),
        ("extractor", "llm"): QCoreApplication.translate("Facets", "A model"),
        ("extractor", "extractive"): QCoreApplication.translate("Facets", "Extraction"),
        ("extractor", "manual"): QCoreApplication.translate("Facets", "You"),
        ("extractor", "imported"): QCoreApplication.translate("Facets", "An import"),
    }
    if facet.field == "confidence":
        return next((words for name, words in confidence_names().items() if name == value), value)
    if facet.field == "stale":
        return QCoreApplication.translate("Facets", "Stale")
    if facet.field == "finding":
        return QCoreApplication.translate("Facets", "Has a finding")
    if facet.field == "locked":
        return QCoreApplication.translate("Facets", "Locked")
    return fixed.get((facet.field, value), value)


def facet_words(facet: Facet) -> str:
    """Return a facet in words, with its field where the value alone would be unclear."""
    if facet.field in {"status", "level", "stale", "locked", "confidence", "finding"}:
        return value_words(facet)
    return QCoreApplication.translate("Facets", "{field}: {value}").format(
        field=field_names()[facet.field], value=value_words(facet)
    )


def combining_names() -> dict[Combining, str]:
    return {
        "alone": QCoreApplication.translate("Facets", "Only this"),
        "and": QCoreApplication.translate("Facets", "And this"),
        "or": QCoreApplication.translate("Facets", "Or this"),
        "not": QCoreApplication.translate("Facets", "Not this"),
    }


def combining_help() -> str:
    """Return a help text: what a click does with a modifier key held."""
    return QCoreApplication.translate(
        "Facets",
        "Click: only this. Ctrl+click: and. Shift+click: or. Alt+click: not. "
        "A right click offers the same.",
    )


def strip_words(facets: Facets) -> list[tuple[str, Facet]]:
    """Return the set facets in order, each with its connective: and, or, not."""
    told: list[tuple[str, Facet]] = []
    for group in facets.groups:
        for number, facet in enumerate(group):
            joined = (
                QCoreApplication.translate("Facets", "or")
                if number
                else QCoreApplication.translate("Facets", "and")
            )
            told.append((joined if told else "", facet))
    told += [(QCoreApplication.translate("Facets", "not"), facet) for facet in facets.excluded]
    return told


def filter_words(facets: Facets) -> str:
    """Return a whole filter in one line of text."""
    parts: list[str] = []
    for joined, facet in strip_words(facets):
        parts += [joined, facet_words(facet)] if joined else [facet_words(facet)]
    return " ".join(parts)
