"""Tables that tools keep beside a story: ACU's sheets and those of st-memory-enhancement.

ACU writes `TavernDB_ACU_…` on messages: sheets with a row of captions first, of each the newest is
true. st-memory-enhancement keeps a grid of cell ids on messages (`hash_sheets`) and what the cells
hold in the chat's metadata; before that it wrote whole tables (`dataTable`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.json_values import (
    MAX_DEPTH,
    parse_text,
    plain_of,
    rows_of,
    table_of,
    text_of,
)

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
