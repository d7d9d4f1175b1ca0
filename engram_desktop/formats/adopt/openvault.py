"""OpenVault: memories with a graph of people and things, in `chat_metadata.openvault`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.extraction import ExtractedEntity
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import (
    floor_of,
    floors_of,
    rows_of,
    table_of,
    text_of,
    texts_of,
)

TOOL = "OpenVault"
GRAPH, WORLD = "graph", "world"
_TYPES: dict[str, EntityType] = {
    "PERSON": "char",
    "PLACE": "loc",
    "OBJECT": "item",
    "ORGANIZATION": "concept",
    "CONCEPT": "concept",
}
_MOST = 5  # important


def of_metadata(metadata: dict[str, Any], last: int) -> Iterator[Adopted]:
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
        yield Adopted(TOOL, world, 0, last, level=1, place=WORLD, is_rolling=True)


def _memory(row: dict[str, Any], text: str, last: int) -> Adopted:
    floors = floors_of(row.get("message_ids"))
    is_reflection = row.get("type") == "reflection"
    level = row.get("level")
    weight = min(floor_of(row.get("importance"), 0), _MOST) / _MOST or 0.5
    return Adopted(
        TOOL,
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
        TOOL,
        text,
        last,
        last,
        place=f"{GRAPH}: {place}",
        kind="fact",
        is_rolling=True,
        entities=entities,
    )
