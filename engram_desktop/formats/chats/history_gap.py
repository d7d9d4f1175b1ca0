"""The mark of a message before which others may be missing.

A front end that sends only its newest messages may leave some out that nobody has kept. The first
message behind them says so in its own JSON, in `extra.engram_gap`; what is shown of them later is
put in there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from engram_desktop.formats.json_values import row_of, table_of

KEY = "engram_gap"
_IN_CHAT = "engram_gaps"  # in the header's metadata: a line without it need not be searched
# The line begins with what its first request showed, which may be less than there was; or the
# messages before this one were never sent.
Gap = Literal["", "start", "gap"]


def gap_of(raw: str) -> Gap:
    """Return the mark of a message by its JSON."""
    if f'"{KEY}"' not in raw:
        return ""
    match table_of(row_of(raw).get("extra")).get(KEY):
        case "start":
            return "start"
        case "gap":
            return "gap"
    return ""


def has_gaps(header: Mapping[str, Any]) -> bool:
    """Whether a chat may have such messages, by its header."""
    return bool(table_of(header.get("chat_metadata")).get(_IN_CHAT))


def noting_gaps(header: Mapping[str, Any]) -> str:
    """Return the JSON of a header that says so."""
    metadata = table_of(header.get("chat_metadata"))
    return json.dumps({**header, "chat_metadata": {**metadata, _IN_CHAT: True}}, ensure_ascii=False)


def with_gap(raw: str, gap: Gap) -> str:
    """Return a message's JSON with another mark; "" takes it away."""
    row = row_of(raw)
    extra = {key: value for key, value in table_of(row.get("extra")).items() if key != KEY}
    row["extra"] = extra | ({KEY: gap} if gap else {})
    return json.dumps(row, ensure_ascii=False)
