"""What of a message, event, entity or private log is searched: the text of its memory item."""

from __future__ import annotations

from collections.abc import Iterable

from engram_desktop.domain.memory.extraction import PlotExtraction


def turn_content(name: str, text: str) -> str:
    """Join a message with its speaker."""
    return f"{name}: {text}" if name else text


def event_content(summary: str, data: PlotExtraction) -> str:
    """Put the summary first, then whatever else a reader may remember the event by."""
    names = [e.name for e in data.entities]
    parts = (
        summary,
        " ".join(p for p in (data.timestamp, data.location) if p),
        "、".join(dict.fromkeys([*data.keywords, *names])),
        data.details,
    )
    return "\n".join(part for part in parts if part)


def log_content(owner: str, content: str, emotion_tags: Iterable[str]) -> str:
    """Join whose it is, what is said and how it felt."""
    tags = "、".join(emotion_tags)
    return "\n".join(part for part in (f"{owner}：{content}", tags) if part)


def entity_content(
    name: str, aliases: Iterable[str], description: str, facts: Iterable[str]
) -> str:
    """Join an entity's names, its description, and its relations as short sentences."""
    others = [alias for alias in aliases if alias != name]
    title = f"{name}（{'、'.join(others)}）" if others else name
    return "\n".join(part for part in (title, description, "；".join(facts)) if part)
