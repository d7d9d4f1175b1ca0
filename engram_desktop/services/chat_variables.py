"""The variables a chat has reached, as extensions of SillyTavern keep them on its messages.

Read only, from what the import kept of each message; the newest message that has any counts.
"""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.storage.chat_store import ChatStore

LOOKED_AT = 200  # messages back; variables are written with every answer, or not at all
_PART = 20


def variables_of(store: ChatStore, branch_id: str) -> dict[str, Any]:
    """Return the variables of a line as they stand now; empty where there are none."""
    end = store.messages.count(branch_id) - 1
    for last in range(end, max(-1, end - LOOKED_AT), -_PART):
        for message in reversed(
            store.messages.as_parsed(branch_id, max(0, last - _PART + 1), last)
        ):
            if '"variables"' in message.raw and (found := _variables(message.raw)):
                return found
    return {}


def simple(variables: dict[str, Any]) -> dict[str, str]:
    """Return those that macros can hold: texts and numbers."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in variables.items()
        if isinstance(value, str | int | float)
    }


def _variables(raw: str) -> dict[str, Any]:
    try:
        message = json.loads(raw)
    except ValueError:
        return {}
    if not isinstance(message, dict):
        return {}
    held, swipe = message.get("variables"), message.get("swipe_id", 0)
    if isinstance(held, list):
        is_there = isinstance(swipe, int) and 0 <= swipe < len(held)
        held = held[swipe] if is_there else (held[-1] if held else {})
    return held if isinstance(held, dict) else {}
