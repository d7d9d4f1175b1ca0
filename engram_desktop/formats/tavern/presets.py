"""What a preset of SillyTavern's says to a model: its prompts, in their order, for reading only.

A preset holds passwords of proxies too: nothing but these texts is ever looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.tavern.folder import PresetPrompt
from engram_desktop.formats.json_values import rows_of, table_of, text_of
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.secrets_file import refuse_secrets

MAX_SIZE = 64_000_000  # bytes: bounds the memory of reading one file whole
_EVERYBODY = (100_001, 100_000)  # whom an order of prompts is for, the newer number first
_TEXTS = ("content", "story_string", "post_history")  # of system prompts and of contexts


class NoPreset(InputError):
    """``file`` is no JSON, or too large to be a preset."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is no preset: it is not readable as JSON.")


def prompts_in(path: Path) -> list[PresetPrompt]:
    """Return the prompts of a preset. Raises NoPreset, HoldsKeys, Unreadable."""
    refuse_secrets(path)
    try:
        if path.stat().st_size > MAX_SIZE:
            raise NoPreset(file=path.name)
        value, _end = read_value(read_json_text(path, MAX_SIZE))
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    except (ValueError, RecursionError):
        raise NoPreset(file=path.name) from None
    return list(_prompts(table_of(value)))


def _prompts(preset: dict[str, Any]) -> Iterator[PresetPrompt]:
    known = {text_of(row.get("identifier")): row for row in rows_of(preset.get("prompts"))}
    order = _order(preset)
    for name, is_on in order.items():
        if name in known:
            yield _prompt(known[name], is_on=is_on)
    for name, row in known.items():
        if name not in order:
            yield _prompt(row, is_on=False)
    for name in _TEXTS:
        if text := text_of(preset.get(name)):
            yield PresetPrompt(name, "system", text, is_on=True)


def _order(preset: dict[str, Any]) -> dict[str, bool]:
    """Which prompts are sent, and whether each is on; of several orders the one for everybody."""
    orders = list(rows_of(preset.get("prompt_order")))
    orders.sort(key=lambda row: row.get("character_id") != _EVERYBODY[0])
    orders.sort(key=lambda row: row.get("character_id") not in _EVERYBODY)
    first = orders[0].get("order") if orders else ()
    rows = [(text_of(row.get("identifier")), row.get("enabled")) for row in rows_of(first)]
    return {name: is_on is not False for name, is_on in rows}


def _prompt(row: dict[str, Any], *, is_on: bool) -> PresetPrompt:
    depth = row.get("injection_depth") if row.get("injection_position") == 1 else None
    return PresetPrompt(
        text_of(row.get("name")) or text_of(row.get("identifier")),
        text_of(row.get("role")) or "system",
        text_of(row.get("content")),
        is_on=is_on,
        depth=depth if isinstance(depth, int) else None,
    )
