"""Memories that SillyTavern extensions keep in a chat, each format as its extension writes it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.extraction import ExtractedEntity
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import (
    MAX_DEPTH,
    floor_of,
    floors_of,
    parse_text,
    plain_of,
    rows_of,
    table_of,
    text_of,
    texts_of,
)

# Tables that tools keep beside a story: ACU's sheets and those of st-memory-enhancement.
#
# ACU writes `TavernDB_ACU_…` on messages: sheets with a row of captions first, of each the newest
# is true. st-memory-enhancement keeps a grid of cell ids on messages (`hash_sheets`) and what the
# cells hold in the chat's metadata; before that it wrote whole tables (`dataTable`).


ACU, ENHANCEMENT = "ACU", "st-memory-enhancement"
MAX_ROWS = 500  # of one table: bounds what one message may bring; not measured
_PREFIX = "TavernDB_ACU_"
_HIDDEN = frozenset({"", "row_id", "#"})


def acu_in(row: dict[str, Any], floor: int) -> dict[str, list[Adopted]]:
    """Return the sheets noted at a message, by name. Newer messages replace them one by one."""
    sheets: dict[str, list[Adopted]] = {}
    for key, value in row.items():
        if key.startswith(_PREFIX):
            for sheet in _sheets(parse_text(value), 0):
                name = text_of(sheet.get("name"))
                sheets[name] = [*_facts(ACU, name, _grid(sheet.get("content")), floor)]
    return sheets


def _sheets(value: object, depth: int) -> Iterator[dict[str, Any]]:
    """Yield tables that are a sheet, however deep they stand under tags and kinds."""
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return
    if isinstance(value.get("content"), list) and text_of(value.get("name")):
        yield value
        return
    for part in value.values():
        yield from _sheets(part, depth + 1)


def enhancement_in(
    row: dict[str, Any], metadata: dict[str, Any], floor: int
) -> list[Adopted] | None:
    """Return the tables as they stand at a message; None if it notes none."""
    grids = table_of(row.get("hash_sheets"))
    if grids:
        return [*_by_ids(grids, metadata, floor)]
    if isinstance(row.get("dataTable"), list):
        return [*_whole(row["dataTable"], floor)]
    return None


def _by_ids(grids: dict[str, Any], metadata: dict[str, Any], floor: int) -> Iterator[Adopted]:
    for sheet in rows_of(metadata.get("sheets")):
        grid = grids.get(text_of(sheet.get("uid")))
        if not isinstance(grid, list) or sheet.get("enable") is False:
            continue
        cells = {
            text_of(cell.get("uid")): table_of(cell.get("data")).get("value")
            for cell in rows_of(sheet.get("cellHistory"))
        }
        lines = [[cells.get(text_of(uid)) for uid in line] for line in _grid(grid)]
        # The first column and the first line are the captions of both.
        rows = [[plain_of(cell) for cell in line[1:]] for line in lines]
        yield from _facts(ENHANCEMENT, text_of(sheet.get("name")), rows, floor)


def _whole(tables: list[Any], floor: int) -> Iterator[Adopted]:
    for table in rows_of(tables):
        captions = [plain_of(caption) for caption in _list(table.get("columns"))]
        rows = [captions, *_grid(table.get("content"))]
        yield from _facts(ENHANCEMENT, text_of(table.get("tableName")), rows, floor)


def _facts(tool: str, name: str, rows: list[list[Any]], floor: int) -> Iterator[Adopted]:
    """Yield a fact for each line of a table but the first, which holds the captions."""
    captions = [plain_of(cell) for cell in rows[0]] if rows else []
    for line in rows[1 : MAX_ROWS + 1]:
        cells = [
            (caption, text)
            for caption, text in zip(captions, map(plain_of, line), strict=False)
            if text and caption not in _HIDDEN
        ]
        if cells:
            text = "; ".join(f"{caption}: {value}" for caption, value in cells)
            head = f"{name} | " if name else ""
            yield Adopted(
                tool, f"{head}{text}", floor, floor, place=name, kind="fact", is_rolling=True
            )


def _grid(value: object) -> list[list[Any]]:
    return [line for line in _list(value)[: MAX_ROWS + 1] if isinstance(line, list)]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# Horae's scene notes: what happened in a message, with place and story time, in `horae_meta`.


HORAE = "Horae"


def horae_of_message(row: dict[str, Any], floor: int) -> Iterator[Adopted]:
    """Yield the events noted at a message; an event is a text or has one in ``summary``."""
    meta = table_of(row.get("horae_meta"))
    stamp, scene = table_of(meta.get("timestamp")), table_of(meta.get("scene"))
    when = " ".join(filter(None, (text_of(stamp.get(k)) for k in ("story_date", "story_time"))))
    events = meta.get("events")
    for event in events if isinstance(events, list) else ():
        text = text_of(event) or text_of(table_of(event).get("summary"))
        if text:
            yield Adopted(
                HORAE,
                text,
                floor,
                floor,
                when=when,
                where=text_of(scene.get("location")),
                who=texts_of(scene.get("characters_present")),
                is_note=True,
            )


# OpenVault: memories with a graph of people and things, in `chat_metadata.openvault`.


OPENVAULT = "OpenVault"
GRAPH, WORLD = "graph", "world"
_TYPES: dict[str, EntityType] = {
    "PERSON": "char",
    "PLACE": "loc",
    "OBJECT": "item",
    "ORGANIZATION": "concept",
    "CONCEPT": "concept",
}
_MOST = 5  # important


def openvault_of_metadata(metadata: dict[str, Any], last: int) -> Iterator[Adopted]:
    """Yield what the vault of a chat of ``last`` + 1 floors holds; what it archived itself, not."""
    vault = table_of(metadata.get("openvault"))
    for row in rows_of(vault.get("memories")):
        text = text_of(row.get("summary"))
        if text and row.get("archived") is not True:
            yield _memory(row, text, last)
    graph = table_of(vault.get("graph"))
    names = {}
    for key, node in table_of(graph.get("nodes")).items():
        name = text_of(table_of(node).get("name")) or text_of(key)
        names[key] = name
        description = text_of(table_of(node).get("description"))
        if name and description:
            kind = _TYPES.get(text_of(table_of(node).get("type")).upper(), "unknown")
            yield _fact(f"{name}: {description}", name, last, (ExtractedEntity(name, kind),))
    for edge in rows_of(graph.get("edges")):
        keys = [text_of(edge.get(end)) for end in ("source", "target")]
        ends = [names.get(key, key) for key in keys]
        description = text_of(edge.get("description"))
        if all(ends) and description:
            place = " – ".join(ends)
            yield _fact(f"{place}: {description}", place, last, tuple(map(ExtractedEntity, ends)))
    world = text_of(table_of(vault.get("global_world_state")).get("summary"))
    if world:
        yield Adopted(OPENVAULT, world, 0, last, level=1, place=WORLD, is_rolling=True)


def _memory(row: dict[str, Any], text: str, last: int) -> Adopted:
    floors = floors_of(row.get("message_ids"))
    is_reflection = row.get("type") == "reflection"
    level = row.get("level")
    weight = min(floor_of(row.get("importance"), 0), _MOST) / _MOST or 0.5
    return Adopted(
        OPENVAULT,
        text,
        min(floors, default=0 if is_reflection else last),
        max(floors, default=last),
        level=max(1, min(9, level if isinstance(level, int) else 1)) if is_reflection else 0,
        when=text_of(row.get("temporal_anchor")),
        who=texts_of(row.get("characters_involved") or row.get("character") or []),
        weight=weight,
        ref=text_of(row.get("id")),
    )


def _fact(text: str, place: str, last: int, entities: tuple[ExtractedEntity, ...]) -> Adopted:
    return Adopted(
        OPENVAULT,
        text,
        last,
        last,
        place=f"{GRAPH}: {place}",
        kind="fact",
        is_rolling=True,
        entities=entities,
    )


# qvink's message memories: one short summary beside each message, in `extra.qvink_memory`.


QVINK = "qvink"


def qvink_of_message(row: dict[str, Any], floor: int) -> Adopted | None:
    """Return the memory of a message, unless the user left it out there."""
    memory = table_of(table_of(row.get("extra")).get("qvink_memory"))
    text = text_of(memory.get("memory"))
    if not text or memory.get("exclude") is True:
        return None
    return Adopted(QVINK, text, floor, floor, is_note=True)


# SillyTavern's own Summarize: one rolling text of all so far, in `extra.memory`.


SUMMARIZE = "Summarize"


def summarize_of_message(row: dict[str, Any], floor: int) -> Adopted | None:
    """Return the summary that stands at a message; of a chat only the newest is true."""
    text = text_of(table_of(row.get("extra")).get("memory"))
    return Adopted(SUMMARIZE, text, 0, floor, level=1, is_rolling=True) if text else None


# timeline-memory: a list of chapters, each with its messages, in `chat_metadata.timeline`.


TIMELINE = "timeline-memory"


def timeline_of_metadata(metadata: dict[str, Any]) -> Iterator[Adopted]:
    """Yield the chapters as outlines; the whole timeline was a single text once."""
    timeline = metadata.get("timeline")
    chapters = parse_text(timeline)
    if isinstance(timeline, str) and not isinstance(chapters, list):
        text = text_of(timeline)
        if text:
            yield Adopted(TIMELINE, text, 0, 0, level=1, is_rolling=True)
        return
    for chapter in rows_of(chapters):
        text = text_of(chapter.get("summary"))
        if text:
            first = floor_of(chapter.get("startMsgId"), 0)
            last = max(first, floor_of(chapter.get("endMsgId"), first))
            yield Adopted(TIMELINE, text, first, last, level=1)


# MemoryBooks: entries of a worldbook that say which messages they tell of.


MEMORYBOOKS = "MemoryBooks"
MEMORYBOOKS_MARK = b"stmemorybooks"


def of_worldbook(worldbook: dict[str, Any], chats: Collection[str] = ()) -> Iterator[Adopted]:
    """Yield the memories of a worldbook; its other entries are none.

    ``chats`` leaves those out that say they are of another chat.
    """
    entries = worldbook.get("entries")
    rows = entries.values() if isinstance(entries, dict) else entries
    for entry in rows if isinstance(rows, Iterable) else ():
        row = table_of(entry)
        text = text_of(row.get("content"))
        whose = text_of(row.get("STMB_chatId"))
        is_ours = not chats or not whose or whose in chats
        if row.get("stmemorybooks") is True and text and is_ours:
            first = floor_of(row.get("STMB_start"), 0)
            last = max(first, floor_of(row.get("STMB_end"), first))
            yield Adopted(MEMORYBOOKS, text, first, last, keywords=texts_of(row.get("key", [])))
