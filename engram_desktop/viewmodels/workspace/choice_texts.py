"""Display texts of settings' choices, of values, and of how a character came to know something.

The same choice can have different texts in different settings: memory at "system" is placed after
the system prompt, the theme "system" is that of the computer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.settings import declared

if TYPE_CHECKING:
    from engram_desktop.domain.knowledge.knowing import Knower


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
