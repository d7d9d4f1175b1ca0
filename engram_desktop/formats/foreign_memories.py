"""Memories of other tools: files with memories, and what SillyTavern extensions store in a chat.

Files are recognised by their content; each format is read as its tool writes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.graph.entity import EntityType, entity_type
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    PlotExtraction,
    parse_extraction,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import (
    MAX_DEPTH,
    floor_of,
    floors_of,
    parse_text,
    plain_of,
    read_value,
    rows_of,
    table_of,
    text_of,
    texts_of,
)
from engram_desktop.formats.plain_file import read_json_text, refuse_secrets

# Tables that tools store in a chat: ACU's sheets and those of st-memory-enhancement. ACU writes
# `TavernDB_ACU_…` on messages: sheets with a row of captions first; of each the newest is valid.
# st-memory-enhancement stores a grid of cell ids on messages (`hash_sheets`) and the contents of
# the cells in the chat's metadata; before that it wrote whole tables (`dataTable`).


ACU, ENHANCEMENT = "ACU", "st-memory-enhancement"
MAX_ROWS = 500  # of one table: bounds what one message may add; not measured
_PREFIX = "TavernDB_ACU_"
_HIDDEN = frozenset({"", "row_id", "#"})


def acu_in(row: dict[str, Any], floor: int) -> dict[str, list[Adopted]]:
    """Return the sheets stored at a message, by name. Newer messages replace them individually."""
    sheets: dict[str, list[Adopted]] = {}
    for key, value in row.items():
        if key.startswith(_PREFIX):
            for sheet in _sheets(parse_text(value), 0):
                name = text_of(sheet.get("name"))
                sheets[name] = [*_facts(ACU, name, _grid(sheet.get("content")), floor)]
    return sheets


def _sheets(value: object, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the tables that are sheets, at any depth below tags and kinds."""
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
    """Return the tables stored at a message; None if it has none."""
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
        # The first column and the first line of both are captions.
        rows = [[plain_of(cell) for cell in line[1:]] for line in lines]
        yield from _facts(ENHANCEMENT, text_of(sheet.get("name")), rows, floor)


def _whole(tables: list[Any], floor: int) -> Iterator[Adopted]:
    for table in rows_of(tables):
        captions = [plain_of(caption) for caption in _list(table.get("columns"))]
        rows = [captions, *_grid(table.get("content"))]
        yield from _facts(ENHANCEMENT, text_of(table.get("tableName")), rows, floor)


def _facts(tool: str, name: str, rows: list[list[Any]], floor: int) -> Iterator[Adopted]:
    """Yield a fact for each line of a table except the first, which has the captions."""
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
    """Yield the events stored at a message; an event is a text or has one in ``summary``."""
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
_MOST = 5  # the importance of an important memory


def openvault_of_metadata(metadata: dict[str, Any], last: int) -> Iterator[Adopted]:
    """Yield the memories in the vault of a chat of ``last`` + 1 floors, except archived ones."""
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
    """Return the memory of a message, unless the user excluded it there."""
    memory = table_of(table_of(row.get("extra")).get("qvink_memory"))
    text = text_of(memory.get("memory"))
    if not text or memory.get("exclude") is True:
        return None
    return Adopted(QVINK, text, floor, floor, is_note=True)


# SillyTavern's own Summarize: one rolling summary, in `extra.memory`.


SUMMARIZE = "Summarize"


def summarize_of_message(row: dict[str, Any], floor: int) -> Adopted | None:
    """Return the summary stored at a message; only the newest of a chat is valid."""
    text = text_of(table_of(row.get("extra")).get("memory"))
    return Adopted(SUMMARIZE, text, 0, floor, level=1, is_rolling=True) if text else None


# timeline-memory: a list of chapters, each with its messages, in `chat_metadata.timeline`.


TIMELINE = "timeline-memory"


def timeline_of_metadata(metadata: dict[str, Any]) -> Iterator[Adopted]:
    """Yield the chapters as outlines; older versions stored the whole timeline as one text."""
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


# MemoryBooks: entries of a worldbook with the messages they are about.


MEMORYBOOKS = "MemoryBooks"
MEMORYBOOKS_MARK = b"stmemorybooks"


def memorybooks_of_worldbook(
    worldbook: dict[str, Any], chats: Collection[str] = ()
) -> Iterator[Adopted]:
    """Yield the memories in a worldbook; its other entries are skipped.

    With ``chats``, entries of other chats are skipped too.
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


# MVU: the variables of a story, in `variables[swipe].stat_data` of a message. A leaf is a value, or
# a value with its meaning: `[value, "meaning"]`. Keys with a $ are for MVU itself. Before the first
# answer the state is that of `[initvar]` entries of worldbooks, or of an `<initvar>` block of the
# greeting.


MVU = "MVU"
MAX_INITIAL = 200_000  # characters: bounds the time of reading YAML
# Values of one branch: more are not a fact for a prompt; also bounds YAML.
MAX_LEAVES = 400
MAX_FACT = 4_000  # characters of one memory, as of a summary
MVU_MARK = "[initvar]"
LeafPath = tuple[str, ...]
_OPEN, _CLOSE = (re.compile(tag, re.IGNORECASE) for tag in ("<initvar>", "</initvar>"))
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")


def mvu_state_in(row: dict[str, Any]) -> dict[str, Any]:
    """Return the state stored at a message, for its chosen swipe; empty if there is none."""
    variables, swipe = row.get("variables"), row.get("swipe_id", 0)
    if isinstance(variables, list):
        is_there = isinstance(swipe, int) and 0 <= swipe < len(variables)
        variables = variables[swipe] if is_there else (variables[-1] if variables else {})
    elif isinstance(variables, dict) and "stat_data" not in variables:
        # the list of swipes, as a table whose keys are numbers
        variables = variables.get(str(swipe))
    return table_of(table_of(variables).get("stat_data"))


def mvu_initial_in(greeting: str) -> dict[str, Any]:
    """Return the initial state in a greeting; empty if there is none."""
    opening = _OPEN.search(greeting)
    closing = _CLOSE.search(greeting, opening.end()) if opening else None
    return mvu_initial_of(greeting[opening.end() : closing.start()]) if opening and closing else {}


def mvu_initial_of(text: str) -> dict[str, Any]:
    """Read an initial state in JSON or YAML; empty if it is neither."""
    text = _FENCE.sub("", text_of(text) if len(text) < MAX_INITIAL else "")
    value = parse_text(text)
    if not isinstance(value, dict):
        value = _of_yaml(text)
    table = table_of(value)
    return table_of(table.get("stat_data")) or table


def mvu_memories_of(state: dict[str, Any], floor: int) -> Iterator[Adopted]:
    """Yield one fact for each branch of a state, and one for all single values."""
    loose = []
    for key, value in state.items():
        name = plain_of(key)
        if not name or name.startswith("$"):
            continue
        leaves = [*_leaves(value, (), 0)][:MAX_LEAVES]
        if isinstance(value, dict) and leaves:
            yield _leaf_fact(f"{name}: {_as_text(leaves)}", name, floor)
        else:
            loose += [((name, *path), text) for path, text in leaves]
    if loose:
        yield _leaf_fact(_as_text(loose), "", floor)


def _leaf_fact(text: str, place: str, floor: int) -> Adopted:
    return Adopted(
        MVU,
        text[:MAX_FACT],
        floor,
        floor,
        place=place,
        kind="fact",
        who=(place,) if place else (),
        is_rolling=True,
        is_whole=True,
    )


def _as_text(leaves: list[tuple[LeafPath, str]]) -> str:
    return "; ".join(f"{'.'.join(path)} {text}" if path else text for path, text in leaves)


def _leaves(value: object, path: LeafPath, depth: int) -> Iterator[tuple[LeafPath, str]]:
    """Yield the path and the text of each leaf."""
    if depth > MAX_DEPTH:
        return
    match value:
        case dict():
            parts = [(plain_of(key), part) for key, part in value.items()]
        case [inner, str()]:  # the second describes the first
            parts = list(_numbered_parts(inner)) if isinstance(inner, list) else [("", inner)]
        case list():
            parts = list(_numbered_parts(value))
        case _:
            parts = []
            if text := plain_of(value):
                yield path, text
    for name, part in parts:
        if not name.startswith("$"):
            yield from _leaves(part, (*path, name) if name else path, depth + 1)


def _numbered_parts(values: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the plain values of a list as one, and its tables and lists by their numbers."""
    plain = ", ".join(filter(None, map(plain_of, values)))
    if plain:
        yield "", plain
    for number, part in enumerate(values, 1):
        if isinstance(part, dict | list):
            yield str(number), part


def _of_yaml(text: str) -> Any:
    if text.count("[") + text.count("{") > MAX_LEAVES:
        return None  # nested deeply, it is read in quadratic time
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            return None  # it could grow without limit
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


MAX_SIZE = 64_000_000  # bytes: bounds the memory of reading one file whole; not measured


class NoMemories(InputError):
    """``file`` holds nothing that can be imported."""

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
    """Add the file to a memory's place; not for rolling ones, which a later file replaces."""
    return replace(one, place=" · ".join(filter(None, (file, one.place))))


def _memories(value: dict[str, Any]) -> Iterator[Adopted]:
    if is_sync(value):
        return of_sync(value)
    return risu_of_file(value) if is_risu(value) else memorybooks_of_worldbook(value)


# The sync file of the Engram extension: `{entities, events, meta}` of one chat.


ENGRAM_SYNC = "Engram"


def is_sync(value: dict[str, Any]) -> bool:
    """Return whether a document is such a sync file."""
    return isinstance(value.get("events"), list) and isinstance(value.get("meta"), dict)


def of_sync(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield its events, with the levels of outlines, and its descriptions of entities."""
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
    """Read entities and relations as tolerantly as in a model's answer."""
    events = parse_extraction(data | {"summary": text}).events
    return events[0] if events else PlotExtraction(text)


# Risu: the summaries in an exported chat, of HypaMemory V3 and V2, and of SupaMemory.


RISU = "Risu"
HYPA_3, HYPA_2, SUPA = "HypaV3", "HypaV2", "SupaMemory"
_MARKS = frozenset({"hypaV3Data", "hypaV2Data", "supaMemoryData"})


def is_risu(value: dict[str, Any]) -> bool:
    """Return whether a document is one or several chats of Risu, or only their summaries."""
    return any(_chats(value)) or _is_summaries(value)


def risu_of_file(value: dict[str, Any]) -> Iterator[Adopted]:
    """Yield the summaries in a document. Floors count the messages that have a text."""
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
                weight=0.9 if row.get("isImportant") is True else 0.5,  # of 0 to 1; normal is .5
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
    """Yield the text of SupaMemory; its first line may name the last message it covers."""
    whole = text_of(value)
    head, _line, rest = whole.partition("\n")
    last = floors.get(head.strip())
    text = rest.strip() if last is not None else whole
    if text and not isinstance(parse_text(text), dict | list):  # pieces for a search, not a summary
        end = floor_of(last, max(floors.values(), default=0))
        yield Adopted(RISU, text, 0, end, level=1, place=SUPA, is_rolling=True)


def _span(memos: object, floors: dict[str, int]) -> tuple[int, int]:
    """Return the first and last floor of messages by id; the greeting has no id and is floor 0."""
    values = memos if isinstance(memos, list) else []
    numbers = [0 if m is None else floors.get(m, -1) for m in values if isinstance(m, str | None)]
    known = [floor for floor in numbers if floor >= 0]
    return (min(known), max(known)) if known else (0, 0)
