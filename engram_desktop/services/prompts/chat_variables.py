"""The variables a chat has reached, as SillyTavern and its extensions keep them.

The chat's own are in the header of its file; extensions write others on messages, of which the
newest that has any counts. Read only, from what the import kept.
"""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.storage.chat.chat_store import ChatStore

LOOKED_AT = 200  # messages back; variables are written with every answer, or not at all
_PART = 20  # messages read at once: the last ones nearly always say it


def header_of(store: ChatStore, branch_id: str) -> dict[str, Any]:
    """Return the header of the file a line was read from, or its parent's; empty without one."""
    for branch, _last in store.branch_path(branch_id):
        header = json_object(store.branches.header(branch))
        if header:
            return header
    return {}


def variables_of(store: ChatStore, branch_id: str) -> dict[str, Any]:
    """Return the variables of a line as they stand now; those of messages win."""
    own, of_message = variables_by_scope(store, branch_id)
    return own | of_message


def variables_by_scope(store: ChatStore, branch_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the variables of the chat itself, and those of its messages."""
    metadata = header_of(store, branch_id).get("chat_metadata")
    variables = metadata.get("variables") if isinstance(metadata, dict) else None
    return (variables if isinstance(variables, dict) else {}), _of_messages(store, branch_id)


def _of_messages(store: ChatStore, branch_id: str) -> dict[str, Any]:
    end = store.messages.count(branch_id) - 1
    for last in range(end, max(-1, end - LOOKED_AT), -_PART):
        for message in reversed(
            store.messages.as_parsed(branch_id, max(0, last - _PART + 1), last)
        ):
            if '"variables"' in message.raw and (variables := _variables(message.raw)):
                return variables
    return {}


def _variables(raw: str) -> dict[str, Any]:
    message = json_object(raw)
    variables, swipe = message.get("variables"), message.get("swipe_id", 0)
    if isinstance(variables, list):
        is_valid = isinstance(swipe, int) and 0 <= swipe < len(variables)
        variables = variables[swipe] if is_valid else (variables[-1] if variables else {})
    return variables if isinstance(variables, dict) else {}


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object; empty for anything else."""
    try:
        value = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
