"""Display texts of settings' choices, of values, and of how a character came to know something.

The same choice can have different texts in different settings: memory at "system" is placed after
the system prompt, the theme "system" is that of the computer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.memory.event import CONFIDENCES, Confidence, EventNode
from engram_desktop.domain.memory.facets import OUTLINE, Combining, Facet, FacetField, Facets
from engram_desktop.domain.settings import declared

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.knowing import Knower
    from engram_desktop.domain.memory.extraction import EventKind
    from engram_desktop.domain.recall.query import MemoryItem


def choice_text(key: str, choice: str) -> str:
    """Return the display text of ``choice``: that of the setting ``key``, else the shared one."""
    return _own_texts(key).get(choice) or _shared_texts()[choice]


def choice_texts(key: str) -> dict[str, str]:
    """Return the display texts of all choices of the setting ``key``. Raises NotFound."""
    own_texts = _own_texts(key)
    return {
        choice: own_texts.get(choice) or _shared_texts()[choice] for choice in declared(key).choices
    }


def _own_texts(key: str) -> dict[str, str]:
    return _OWN[key]() if key in _OWN else {}


def _shared_texts() -> dict[str, str]:
    return {
        "auto": QCoreApplication.translate("SettingsForm", "Automatic"),
        "llm": QCoreApplication.translate("SettingsForm", "Language model"),
        "extractive": QCoreApplication.translate("SettingsForm", "Extractive, without a model"),
        "off": QCoreApplication.translate("SettingsForm", "Off"),
        "on": QCoreApplication.translate("SettingsForm", "On"),
        "rules": QCoreApplication.translate("SettingsForm", "Rules, at once"),
        "model": QCoreApplication.translate("SettingsForm", "Language model"),
        "tools": QCoreApplication.translate("SettingsForm", "Functions"),
        "tags": QCoreApplication.translate("SettingsForm", "Marks in the text"),
        "vector": QCoreApplication.translate("SettingsForm", "Vectors only"),
        "graph": QCoreApplication.translate("SettingsForm", "Vectors and graph"),
        "chosen": QCoreApplication.translate("SettingsForm", "Those ticked, with their branches"),
        "all": QCoreApplication.translate("SettingsForm", "Every chat"),
        "chroma": "Chroma",
        "exact": QCoreApplication.translate("SettingsForm", "Exact search"),
        "use": QCoreApplication.translate("SettingsForm", "Multilingual sentence encoder"),
        "hash": QCoreApplication.translate("SettingsForm", "Character hashes (for tests)"),
        "system": QCoreApplication.translate("SettingsForm", "As the system"),
        "none": QCoreApplication.translate("SettingsForm", "None"),
        "own": QCoreApplication.translate("SettingsForm", "The address below"),
        "zh_CN": "简体中文",
        "ja": "日本語",
        "en": "English",
        "light": QCoreApplication.translate("SettingsForm", "Light"),
        "dark": QCoreApplication.translate("SettingsForm", "Dark"),
        "comfortable": QCoreApplication.translate("SettingsForm", "Comfortable, two lines"),
        "compact": QCoreApplication.translate("SettingsForm", "Compact, one line"),
        "keyring": QCoreApplication.translate("SettingsForm", "The system's keyring"),
        "session": QCoreApplication.translate("SettingsForm", "Memory, until the program ends"),
        "file": QCoreApplication.translate("SettingsForm", "A file, not encrypted"),
    }


def _confidences() -> dict[str, str]:
    return {
        "imported": QCoreApplication.translate("EventList", "Imported"),
        "extracted": QCoreApplication.translate("EventList", "Extracted without a model"),
        "model": QCoreApplication.translate("EventList", "Said by a model"),
        "confirmed": QCoreApplication.translate("EventList", "Confirmed by you"),
    }


def _event_sorts() -> dict[str, str]:
    return {
        "story": QCoreApplication.translate("EventList", "By story time"),
        "newest": QCoreApplication.translate("EventList", "By story time, newest first"),
        "significance": QCoreApplication.translate("EventList", "By significance"),
        "created": QCoreApplication.translate("EventList", "By time made"),
        "updated": QCoreApplication.translate("EventList", "By time changed"),
        "summary": QCoreApplication.translate("EventList", "By the summary's words"),
        "status": QCoreApplication.translate("EventList", "By state"),
        "tokens": QCoreApplication.translate("EventList", "By tokens"),
    }


def _entry_sorts() -> dict[str, str]:
    return {
        "file": QCoreApplication.translate("EntryTable", "As in the file"),
        "title": QCoreApplication.translate("EntryTable", "By title"),
        "tokens": QCoreApplication.translate("EntryTable", "By tokens"),
        "depth": QCoreApplication.translate("EntryTable", "By depth"),
        "order": QCoreApplication.translate("EntryTable", "By order"),
        "uid": QCoreApplication.translate("EntryTable", "By number"),
    }


def _places_of_memory() -> dict[str, str]:
    return {
        "apart": QCoreApplication.translate(
            "SettingsForm", "The story first, what is recalled last"
        ),
        "system": QCoreApplication.translate("SettingsForm", "After the system prompt"),
        "depth": QCoreApplication.translate("SettingsForm", "Some messages before the end"),
        "last": QCoreApplication.translate("SettingsForm", "Before the last message"),
    }


def _who_is_there() -> dict[str, str]:
    return {
        "speakers": QCoreApplication.translate("SettingsForm", "Those who speak there"),
        "nobody": QCoreApplication.translate("SettingsForm", "Nobody"),
    }


def _orders() -> dict[str, str]:
    return {
        "stable": QCoreApplication.translate("SettingsForm", "What was recalled comes last"),
        "story": QCoreApplication.translate("SettingsForm", "All in story order"),
    }


def _manners() -> dict[str, str]:
    return {
        "plain": QCoreApplication.translate("SettingsForm", "What was said, when and by whom"),
        "attributed": QCoreApplication.translate("SettingsForm", "How long ago, and who said it"),
        "light": QCoreApplication.translate("SettingsForm", "Lightly, never recited"),
    }


def _strategies() -> dict[str, str]:
    return {
        "evenly": QCoreApplication.translate("SettingsForm", "Both, by their order"),
        "character": QCoreApplication.translate("SettingsForm", "The character's books first"),
        "global": QCoreApplication.translate("SettingsForm", "The global books first"),
    }


_OWN: dict[str, Callable[[], dict[str, str]]] = {
    "inject.confidence": _confidences,
    "ui.event_sort": _event_sorts,
    "ui.entry_sort": _entry_sorts,
    "serve.place": _places_of_memory,
    "presence.unknown": _who_is_there,
    "inject.order": _orders,
    "inject.manner": _manners,
    "lore.strategy": _strategies,
}


def listed(parts: Iterable[object]) -> str:
    """Join names, words or numbers with the separator of the window's language."""
    return QCoreApplication.translate("StateView", ", ").join(map(str, parts))


def value_text(value: object) -> str:
    """Return a value as text for the user; None is an empty text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def value_words(value: object) -> str:
    """Return a value in one line; a list of plain values is written without brackets."""
    if isinstance(value, list) and value and not any(isinstance(v, dict | list) for v in value):
        return listed(map(value_text, value))
    return " ".join(value_text(value).split())


def how_words(knower: Knower) -> str:
    """Return how a character came to know something."""
    words = {
        "spoke": QCoreApplication.translate("WhoKnows", "said it"),
        "there": QCoreApplication.translate("WhoKnows", "was there"),
        "addressed": QCoreApplication.translate("WhoKnows", "was spoken to"),
        "told": QCoreApplication.translate("WhoKnows", "was told"),
        "overheard": QCoreApplication.translate("WhoKnows", "overheard it"),
        "read": QCoreApplication.translate("WhoKnows", "read it"),
        "thought": QCoreApplication.translate("WhoKnows", "thought it"),
        "confirmed": QCoreApplication.translate("WhoKnows", "you say so"),
        "unknown": QCoreApplication.translate("WhoKnows", "it is unknown how"),
    }
    if knower.is_said:
        return words["confirmed"]
    if knower.how == "member":
        text = QCoreApplication.translate("WhoKnows", "is of {group}")
        return text.format(group=knower.told_by[1])
    return words.get(knower.how, words["unknown"])


# Texts that describe events and facets: state, floors, kind, confidence, filters.


def lamp_words(event: EventNode) -> str:
    """Return what the colour of an event's lamp means."""
    if event.level >= 1:
        return QCoreApplication.translate("EventList", "Outline, always in context")
    if event.is_archived:
        return QCoreApplication.translate("EventList", "Archived, in context when recalled")
    return QCoreApplication.translate("EventList", "Buffer, always in context")


def lamp_tip(event: EventNode) -> str:
    """Return what the lamp of an event means, and what a click on it does."""
    if event.level >= 1:
        return lamp_words(event)
    act = (
        QCoreApplication.translate("EventList", "Click: back to the buffer, in every prompt")
        if event.is_archived
        else QCoreApplication.translate("EventList", "Click: archive it, in a prompt when recalled")
    )
    return f"{lamp_words(event)}\n{act}"


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


def facet_value(facet: Facet) -> str:
    """Return the value of a facet in words, without the name of its field."""
    value = facet.value
    if facet.field == "level" and value != OUTLINE:
        return QCoreApplication.translate("Facets", "Outline {level}").format(level=value)
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
        return facet_value(facet)
    return QCoreApplication.translate("Facets", "{field}: {value}").format(
        field=field_names()[facet.field], value=facet_value(facet)
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
