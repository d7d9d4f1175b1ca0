"""The heading of an entry: kept where SillyTavern carries along what it does not know.

An entry's ``extensions`` survive its way into a card and back. Its ``group`` would not do: that is
an inclusion group, of which only one entry fires.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engram_desktop.formats.json_text import JsonPath

OWN = "engram"  # below `extensions`, what is of this program
_NAME = "heading"
_LONGEST = 200  # characters; more is no heading


def heading_in(row: Mapping[str, Any]) -> str:
    """Read the heading of an entry as its file has it; what is none reads as none."""
    extensions = row.get("extensions")
    own = extensions.get(OWN) if isinstance(extensions, dict) else None
    heading = own.get(_NAME) if isinstance(own, dict) else None
    return " ".join(heading.split())[:_LONGEST] if isinstance(heading, str) else ""


def heading_change(extensions: Any, heading: str) -> tuple[JsonPath, Any]:
    """Say where in an entry with these ``extensions`` a heading is written, and what."""
    if not isinstance(extensions, dict):
        return ("extensions",), {OWN: {_NAME: heading}}
    if not isinstance(extensions.get(OWN), dict):
        return ("extensions", OWN), {_NAME: heading}
    return ("extensions", OWN, _NAME), heading
