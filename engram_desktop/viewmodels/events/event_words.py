"""What is said of an event in words: its lamp, its floors, its kind, who vouches for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.memory.confidence import CONFIDENCES, Confidence
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.extraction import EventKind
from engram_desktop.viewmodels.workspace.choice_texts import choice_texts


def lamp_words(event: EventNode) -> str:
    """Say in words what the lamp's colour means."""
    if event.level >= 1:
        return QCoreApplication.translate("EventList", "Outline, always in context")
    if event.is_archived:
        return QCoreApplication.translate("EventList", "Archived, in context when recalled")
    return QCoreApplication.translate("EventList", "Buffer, always in context")


def floors_text(event: EventNode) -> str:
    return floors_words(event.source_range.start_index, event.source_range.end_index)


def floors_words(first: int, last: int) -> str:
    """Name floors as SillyTavern counts them: the greeting is 0."""
    if first == last:
        return QCoreApplication.translate("EventList", "Floor {first}").format(first=first)
    return QCoreApplication.translate("EventList", "Floors {first}–{last}").format(
        first=first, last=last
    )


def kind_names() -> dict[EventKind, str]:
    return {
        "event": QCoreApplication.translate("EventList", "Events: what happened"),
        "fact": QCoreApplication.translate("EventList", "Facts: what holds"),
    }


def sort_names() -> dict[str, str]:
    return choice_texts("ui.event_sort")


def confidence_names() -> dict[Confidence, str]:
    """Say who vouches for a memory, the most trusted first."""
    words = choice_texts("inject.confidence")
    return {level: words[level] for level in reversed(CONFIDENCES)}
