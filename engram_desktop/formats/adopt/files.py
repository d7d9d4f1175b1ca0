"""Files of other tools that hold memories: told apart by what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.graph.entity import entity_type
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    PlotExtraction,
    parse_extraction,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.adopt import extensions
from engram_desktop.formats.json_values import (
    floor_of,
    floors_of,
    parse_text,
    read_value,
    rows_of,
    table_of,
    text_of,
    texts_of,
)
from engram_desktop.formats.plain_file import read_json_text, refuse_secrets

MAX_SIZE = 64_000_000  # bytes: bounds the memory of reading one file whole; not measured


class NoMemories(InputError):
    """``file`` holds nothing that can be taken over."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no memories of a known tool.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Engram sync files, chats exported from Risu and world books of MemoryBooks can be taken"
        " over.",
    )


def read_file(path: Path) -> list[Adopted]:
    """Return the memories in a file. Raises NoMemories, HoldsKeys, InputError."""
    refuse_secrets(path)
    try:
        if path.stat().st_size > MAX_SIZE:
            raise NoMemories(file=path.name)
        value, _end = read_value(read_json_text(path, MAX_SIZE))
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    except (ValueError, RecursionError):
        raise NoMemories(file=path.name) from None
    memories = list(_memories(value)) if isinstance(value, dict) else []
    if not memories:
        raise NoMemories(file=path.name)
    return [one if one.is_rolling else _from_file(one, path.name) for one in memories]


def _from_file(one: Adopted, file: str) -> Adopted:
    """Say which file a memory stood in. What rolls on is the same in the next file."""
    return replace(one, place=" · ".join(filter(None, (file, one.place))))


def _memories(value: dict[str, Any]) -> Iterator[Adopted]:
    if is_sync(value):
        return of_sync(value)
    return of_file(value) if is_risu(value) else extensions.of_worldbook(value)


# The sync file of the Engram extension: `{entities, events, meta}` of one chat.


ENGRAM_SYNC = "Engram"


def is_sync(value: dict[str, Any]) -> bool:
    """Whether a document is such a sync file."""
    return isinstance(value.get("events"), list) and isinstance(value.get("meta"), dict)


def of_sync(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield its events, of which outlines keep their level, and what it says of entities."""
    last = 0
    for row in rows_of(value.get("events")):
        data = table_of(row.get("raw_data"))
        text = text_of(row.get("summary")) or text_of(data.get("summary"))
        if not text:
            continue
        span, kv = table_of(row.get("source_range")), table_of(row.get("structured_kv"))
        extraction = _extraction_of(data, text)
        first = floor_of(span.get("start_index"), 0)
        last = max(last, first, floor_of(span.get("end_index"), first))
        yield Adopted(
            ENGRAM_SYNC,
            text,
            first,
            max(first, floor_of(span.get("end_index"), first)),
            level=min(9, floor_of(row.get("level"), 0)),
            keywords=texts_of(data.get("keywords", [])),
            when=text_of(kv.get("time_anchor")) or text_of(data.get("timestamp")),
            where=text_of(kv.get("location")) or text_of(data.get("location")),
            who=texts_of(kv.get("role", [])),
            kind="fact" if data.get("kind") == "fact" else "event",
            weight=extraction.significance_score,
            ref=text_of(row.get("id")),
            entities=extraction.entities,
            relations=extraction.relations,
        )
    for row in rows_of(value.get("entities")):
        name, description = text_of(row.get("name")), text_of(row.get("description"))
        if name and description:
            yield Adopted(
                ENGRAM_SYNC,
                f"{name}: {description}",
                last,
                last,
                place=name,
                kind="fact",
                is_rolling=True,
                entities=(ExtractedEntity(name, entity_type(text_of(row.get("type")))),),
            )


def _extraction_of(data: dict[str, Any], text: str) -> PlotExtraction:
    """Read entities and relations as tolerantly as a model's answer."""
    events = parse_extraction(data | {"summary": text}).events
    return events[0] if events else PlotExtraction(text)


# Risu: the summaries in an exported chat, of HypaMemory V3 and V2, and of SupaMemory.


RISU = "Risu"
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
                RISU,
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
            yield Adopted(RISU, text, first, last, place=HYPA_2)


def _supa(value: object, floors: dict[str, int]) -> Iterator[Adopted]:
    """Yield the one text of SupaMemory; its first line may name the message it reaches to."""
    whole = text_of(value)
    head, _line, rest = whole.partition("\n")
    last = floors.get(head.strip())
    text = rest.strip() if last is not None else whole
    if text and not isinstance(parse_text(text), dict | list):  # pieces for a search, no summary
        end = floor_of(last, max(floors.values(), default=0))
        yield Adopted(RISU, text, 0, end, level=1, place=SUPA, is_rolling=True)


def _span(memos: object, floors: dict[str, int]) -> tuple[int, int]:
    """First and last floor of messages by id; the greeting, which has none, is floor 0."""
    values = memos if isinstance(memos, list) else []
    numbers = [0 if m is None else floors.get(m, -1) for m in values if isinstance(m, str | None)]
    known = [floor for floor in numbers if floor >= 0]
    return (min(known), max(known)) if known else (0, 0)
