"""Read from a user's folder what programs may ask for: a preset's prompts, sets of quick replies.

Read when it is asked for, never kept, as `texts` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.formats.lenient_json import storable
from engram_desktop.formats.tavern.settings import MAX_SIZE, NAME
from engram_desktop.formats.tavern.texts import read_object

MAX_SETS = 500  # files of a folder that are looked at
_MAX_SET_SIZE = 4_000_000  # bytes of one set of buttons: bounds the reading


def preset_prompts(user: Path) -> list[dict[str, str]]:
    """Name and text of the prompts of the preset in use; those without a text are SillyTavern's."""
    settings = read_object(user / NAME, MAX_SIZE) or {}
    return [
        {"name": text_of(row.get("name")), "content": storable(row["content"])}
        for row in _rows(table_of(settings.get("oai_settings")).get("prompts"))
        if isinstance(row.get("content"), str) and row["content"]
    ]


def quick_replies(user: Path) -> list[dict[str, Any]]:
    """Sets of quick replies that are on, as their files have them; all where no setting says.

    Each has a ``name`` and ``qrList``, whose rows have a ``label`` and a ``message``.
    """
    settings = table_of((read_object(user / NAME, MAX_SIZE) or {}).get("extension_settings"))
    config = table_of(table_of(settings.get("quickReplyV2")).get("config"))
    names = {text_of(row.get("set")) for row in _rows(config.get("setList"))}
    try:
        paths = sorted((user / "QuickReplies").glob("*.json"))[:MAX_SETS]
    except OSError:
        return []
    sets = [_set(read_object(path, _MAX_SET_SIZE) or {}) for path in paths]
    return [one for one in sets if not names or one["name"] in names]


def _set(one: dict[str, Any]) -> dict[str, Any]:
    replies = [
        {**row, "label": text_of(row.get("label")), "message": text_of(row.get("message"))}
        for row in _rows(one.get("qrList"))
    ]
    return {**one, "name": text_of(one.get("name")), "qrList": replies}


def _rows(value: object) -> Iterator[dict[str, Any]]:
    yield from (row for row in (value if isinstance(value, list) else ()) if isinstance(row, dict))
