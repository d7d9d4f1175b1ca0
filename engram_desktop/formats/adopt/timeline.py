"""timeline-memory: a list of chapters, each with its messages, in `chat_metadata.timeline`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import floor_of, parse_text, rows_of, text_of

TOOL = "timeline-memory"


def of_metadata(metadata: dict[str, Any]) -> Iterator[Adopted]:
    """Yield the chapters as outlines; the whole timeline was a single text once."""
    timeline = metadata.get("timeline")
    chapters = parse_text(timeline)
    if isinstance(timeline, str) and not isinstance(chapters, list):
        text = text_of(timeline)
        if text:
            yield Adopted(TOOL, text, 0, 0, level=1, is_rolling=True)
        return
    for chapter in rows_of(chapters):
        text = text_of(chapter.get("summary"))
        if text:
            first = floor_of(chapter.get("startMsgId"), 0)
            last = max(first, floor_of(chapter.get("endMsgId"), first))
            yield Adopted(TOOL, text, first, last, level=1)
