"""What a turn of play stores in the JSON of its message, beside SillyTavern's fields.

`mes` is the reply as shown; `extra.engram_turn` holds its other effects, so that the state can be
replayed from the message alone. All readings of a message are its `swipes`, each with its own
`extra` in `swipe_info`, as in SillyTavern: choosing one restores its effects.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from engram_desktop.domain.memory.extraction import clean_text
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.play import RecordedEvent, event_of
from engram_desktop.domain.recall.query import LEVELS, Level
from engram_desktop.domain.state.tree import StateOp, pointer
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import row_of, table_of, text_of, texts_of

KEY = "engram_turn"
PLAYED = f'"{KEY}"'  # marks a message made by a turn of play
MAX_UPDATE = 400_000  # characters of changes read from one message: bounds the time
# In a list, with JSON pointers as places; `increment` adds to a number, `add` inserts.
_WORDS = {"set": "replace", "add": "increment", "insert": "insert", "remove": "remove"}


@dataclass(frozen=True, slots=True)
class Played:
    """The effects of one reading of a message: ``update`` are blocks that change the state.

    ``counted`` is a block too: the count of a routine turn, which depends on its level.
    """

    level: Level = "CHAT"
    update: str = ""
    counted: str = ""
    event: RecordedEvent | None = None
    flags: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def updates(self) -> str:
        """All blocks that change the state, in order."""
        return "\n".join(part for part in (self.update, self.counted) if part)

    def to_json(self) -> dict[str, Any]:
        """Return the form stored in a message."""
        value: dict[str, Any] = {"level": self.level, "update": self.update}
        if self.counted:
            value["counted"] = self.counted
        if self.event is not None:
            value["event"] = event_fields(self.event)
        if self.flags:
            value["flags"] = list(self.flags)
        if self.speaker:
            value["speaker"] = self.speaker
        return value


def event_fields(event: RecordedEvent) -> dict[str, Any]:
    """Return a recorded event with the names that replies use."""
    return {
        "type": event.kind,
        "summary": event.summary,
        "participants": list(event.participants),
        "location": event.location,
        "tags": list(event.tags),
    }


def played_of(raw: str) -> Played | None:
    """Return the effects of the chosen reading of a message; None if it was not played."""
    if PLAYED not in raw:
        return None
    return played_in(row_of(raw).get("extra"))


def played_in(extra: object) -> Played | None:
    """Return the effects stored in an `extra`; None if there are none."""
    value = table_of(extra).get(KEY)
    if not isinstance(value, dict):
        return None
    level = value.get("level")
    event = value.get("event")
    return Played(
        level if level in LEVELS else "CHAT",
        _block_text(value.get("update")),
        _block_text(value.get("counted")),
        event_of(event) if isinstance(event, dict) else None,
        texts_of(value.get("flags", [])),
        text_of(value.get("speaker")),
    )


def readings(raw: str, text: str) -> tuple[list[str], int]:
    """Return all readings of a message, and which is chosen; ``text`` is the chosen one's."""
    row = row_of(raw)
    swipes, chosen = row.get("swipes"), row.get("swipe_id")
    if not isinstance(swipes, list) or not swipes:
        return [text], 0
    if not isinstance(chosen, int) or isinstance(chosen, bool) or not 0 <= chosen < len(swipes):
        chosen = len(swipes) - 1
    texts = [swipe if isinstance(swipe, str) else "" for swipe in swipes]
    texts[chosen] = text
    return texts, chosen


def with_reading(message: ParsedMessage, text: str, played: Played | None) -> ParsedMessage:
    """Return a message with a further reading, which is chosen."""
    row, texts, infos, _chosen = _opened(message)
    texts.append(text)
    infos.append({"extra": _extra({}, played)})
    return _closed(message, row, texts, infos, len(texts) - 1)


def with_chosen(message: ParsedMessage, number: int) -> ParsedMessage:
    """Return a message with another of its readings chosen."""
    row, texts, infos, _chosen = _opened(message)
    return _closed(message, row, texts, infos, number)


def with_text(message: ParsedMessage, text: str, played: Played | None) -> ParsedMessage:
    """Return a message whose chosen reading has ``text`` and the effects ``played``."""
    row, texts, infos, chosen = _opened(message)
    texts[chosen] = text
    infos[chosen]["extra"] = _extra(table_of(infos[chosen].get("extra")), played)
    return _closed(message, row, texts, infos, chosen)


def new_row(name: str, text: str, sent_at: str, *, is_user: bool = False) -> dict[str, Any]:
    """Return a new message in SillyTavern's form."""
    return {
        "name": name,
        "is_user": is_user,
        "is_system": False,
        "send_date": sent_at,
        "mes": text,
        "extra": {},
    }


def update_block(ops: Iterable[StateOp]) -> str:
    """Write changes of the state as a block that can be read back exactly; empty for none."""
    rows: list[dict[str, Any]] = []
    for op in ops:
        row: dict[str, Any] = {"op": _WORDS.get(op.op, op.op), "path": pointer(op.path)}
        if op.op in ("move", "copy"):
            row["from"] = pointer(op.origin)
        elif op.op != "remove":
            row["value"] = op.value
        if op.reason:
            row["reason"] = op.reason
        rows.append(row)
    if not rows:
        return ""
    text = json.dumps(rows, ensure_ascii=False).replace("<", "\\u003c")
    return f"<state_update>{text}</state_update>"


def _opened(message: ParsedMessage) -> tuple[dict[str, Any], list[str], list[dict[str, Any]], int]:
    """Return a message's JSON, its readings, the info of each, and the chosen one."""
    row = row_of(message.raw)
    texts, chosen = readings(message.raw, message.text)
    stored = row.get("swipe_info")
    rows = stored if isinstance(stored, list) else []
    infos = [dict(table_of(rows[n])) if n < len(rows) else {} for n in range(len(texts))]
    if "extra" in row:
        infos[chosen]["extra"] = table_of(row["extra"])
    return row, texts, infos, chosen


def _closed(
    message: ParsedMessage,
    row: dict[str, Any],
    texts: list[str],
    infos: list[dict[str, Any]],
    chosen: int,
) -> ParsedMessage:
    row["mes"] = texts[chosen]
    row["extra"] = copy.deepcopy(table_of(infos[chosen].get("extra")))
    row |= {"swipes": texts, "swipe_id": chosen, "swipe_info": infos}
    raw = json.dumps(row, ensure_ascii=False)
    return replace(message, text=texts[chosen], raw=raw, swipes=len(texts))


def _extra(extra: dict[str, Any], played: Played | None) -> dict[str, Any]:
    others = {name: value for name, value in extra.items() if name != KEY}
    return others | ({KEY: played.to_json()} if played is not None else {})


def _block_text(value: object) -> str:
    return clean_text(value, MAX_UPDATE) if isinstance(value, str) else ""


# The mark of a message before which others may be missing. A front end that sends only its newest
# messages may leave out some that were never kept. The first message after the gap has the mark in
# its JSON, in `extra.engram_gap`; messages that are shown later are inserted there.


GAP_KEY = "engram_gap"
_IN_CHAT = "engram_gaps"  # in the header's metadata: lines without it need not be searched
_GIVEN_NAME = "engram_name"  # also there: the name of a chat that nobody named
# The line begins with the messages of its first request, which may not be all of them; or the
# messages before this one were never sent.
Gap = Literal["", "start", "gap"]


def gap_of(raw: str) -> Gap:
    """Return the gap mark in a message's JSON."""
    if f'"{GAP_KEY}"' not in raw:
        return ""
    match table_of(row_of(raw).get("extra")).get(GAP_KEY):
        case "start":
            return "start"
        case "gap":
            return "gap"
    return ""


def has_gaps(header: Mapping[str, Any]) -> bool:
    """Return whether a chat may have gaps, by its header."""
    return bool(table_of(header.get("chat_metadata")).get(_IN_CHAT))


def noting_gaps(header: Mapping[str, Any], given_name: str = "") -> str:
    """Return the JSON of a header that notes gaps; ``given_name`` is a name nobody chose."""
    metadata = {**table_of(header.get("chat_metadata")), _IN_CHAT: True}
    if given_name:
        metadata[_GIVEN_NAME] = given_name
    return json.dumps({**header, "chat_metadata": metadata}, ensure_ascii=False)


def given_name(header: Mapping[str, Any]) -> str:
    """Return the name the server gave a chat; empty if it was named."""
    return text_of(table_of(header.get("chat_metadata")).get(_GIVEN_NAME))


def with_gap(raw: str, gap: Gap) -> str:
    """Return a message's JSON with another gap mark; "" removes it."""
    row = row_of(raw)
    extra = {key: value for key, value in table_of(row.get("extra")).items() if key != GAP_KEY}
    row["extra"] = extra | ({GAP_KEY: gap} if gap else {})
    return json.dumps(row, ensure_ascii=False)
