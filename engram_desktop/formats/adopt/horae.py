"""Horae's scene notes: what happened in a message, with place and story time, in `horae_meta`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import table_of, text_of, texts_of

TOOL = "Horae"


def of_message(row: dict[str, Any], floor: int) -> Iterator[Adopted]:
    """Yield the events noted at a message; an event is a text or has one in ``summary``."""
    meta = table_of(row.get("horae_meta"))
    stamp, scene = table_of(meta.get("timestamp")), table_of(meta.get("scene"))
    when = " ".join(filter(None, (text_of(stamp.get(k)) for k in ("story_date", "story_time"))))
    events = meta.get("events")
    for event in events if isinstance(events, list) else ():
        text = text_of(event) or text_of(table_of(event).get("summary"))
        if text:
            yield Adopted(
                TOOL,
                text,
                floor,
                floor,
                when=when,
                where=text_of(scene.get("location")),
                who=texts_of(scene.get("characters_present")),
                is_note=True,
            )
