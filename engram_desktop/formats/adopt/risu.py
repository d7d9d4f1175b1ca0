"""Risu: the summaries in an exported chat, of HypaMemory V3 and V2, and of SupaMemory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import (
    floor_of,
    floors_of,
    parse_text,
    rows_of,
    table_of,
    text_of,
    texts_of,
)

TOOL = "Risu"
HYPA_3, HYPA_2, SUPA = "HypaV3", "HypaV2", "SupaMemory"
_MARKS = frozenset({"hypaV3Data", "hypaV2Data", "supaMemoryData"})


def is_risu(value: dict[str, Any]) -> bool:
    """Whether a document is a chat of Risu's, several, or the summaries alone."""
    return any(_chats(value)) or _is_summaries(value)


def of_file(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield the summaries in a document. Floors are those of the messages that have a text."""
    for chat in _chats(value):
        yield from _of_chat(chat)
    if _is_summaries(value):
        yield from _hypa_3(value, {})


def _chats(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    data = value.get("data") if str(value.get("type", "")).startswith("risu") else value
    for chat in data if isinstance(data, list) else [data]:
        if isinstance(chat, dict) and not _MARKS.isdisjoint(chat):
            yield chat


def _is_summaries(value: dict[str, Any]) -> bool:
    return any("chatMemos" in row and "text" in row for row in rows_of(value.get("summaries")))


def _of_chat(chat: dict[str, Any]) -> Iterator[Adopted]:
    messages = [m for m in rows_of(chat.get("message")) if text_of(m.get("data"))]
    floors = {m["chatId"]: n for n, m in enumerate(messages) if isinstance(m.get("chatId"), str)}
    yield from _hypa_3(table_of(chat.get("hypaV3Data")), floors)
    yield from _hypa_2(table_of(chat.get("hypaV2Data")), floors)
    yield from _supa(chat.get("supaMemoryData"), floors)


def _hypa_3(data: dict[str, Any], floors: dict[str, int]) -> Iterator[Adopted]:
    names = {text_of(c.get("id")): text_of(c.get("name")) for c in rows_of(data.get("categories"))}
    for row in rows_of(data.get("summaries")):
        text = text_of(row.get("text"))
        if text:
            first, last = _span(row.get("chatMemos"), floors)
            category = names.get(text_of(row.get("categoryId")), "")
            yield Adopted(
                TOOL,
                text,
                first,
                last,
                keywords=(*texts_of(row.get("tags") or []), *filter(None, [category])),
                place=HYPA_3,
                weight=0.9 if row.get("isImportant") is True else 0.5,  # of 0 to 1; the usual is .5
            )


def _hypa_2(data: dict[str, Any], floors: dict[str, int]) -> Iterator[Adopted]:
    for row in rows_of(data.get("mainChunks")):
        text = text_of(row.get("text"))
        if text:
            ranged = floors_of(row.get("chatRange"))
            memos = row.get("chatMemos") or [row.get("lastChatMemo") or row.get("targetId")]
            first, last = (ranged[0], max(ranged)) if ranged else _span(memos, floors)
            yield Adopted(TOOL, text, first, last, place=HYPA_2)


def _supa(value: object, floors: dict[str, int]) -> Iterator[Adopted]:
    """Yield the one text of SupaMemory; its first line may name the message it reaches to."""
    whole = text_of(value)
    head, _line, rest = whole.partition("\n")
    last = floors.get(head.strip())
    text = rest.strip() if last is not None else whole
    if text and not isinstance(parse_text(text), dict | list):  # pieces for a search, no summary
        end = floor_of(last, max(floors.values(), default=0))
        yield Adopted(TOOL, text, 0, end, level=1, place=SUPA, is_rolling=True)


def _span(memos: object, floors: dict[str, int]) -> tuple[int, int]:
    """First and last floor of messages by id; the greeting, which has none, is floor 0."""
    values = memos if isinstance(memos, list) else []
    numbers = [0 if m is None else floors.get(m, -1) for m in values if isinstance(m, str | None)]
    known = [floor for floor in numbers if floor >= 0]
    return (min(known), max(known)) if known else (0, 0)
