"""Every item of a chat as columns in memory: read once, then updated by changes.

Reading them scans two narrow indexes; a column comes out of SQLite as one text, since a row for
each number takes five times as long. Adding a message copies a few megabytes at 100,000 items: 2
ms.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, Layout
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.answers import ItemChanges
from engram_desktop.storage.chat.knowledge import REF
from engram_desktop.storage.database import Database

N = TypeVar("N", bound=np.generic)
_ENTITY = ITEM_KINDS.index("entity")


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The layout of every item, and the branch of each row as an index into ``branch_ids``.

    ``heard`` marks items of what some hear of a message; the curator has the message instead.
    """

    items: Layout
    branches: NDArray[np.int32]
    heard: NDArray[np.bool_]
    branch_ids: tuple[str, ...] = ()

    def visible(self, where: ItemFilter) -> NDArray[np.bool_]:
        """Return the mask of rows allowed by kinds, branches and floor of ``where``."""
        items = self.items
        mask = np.isin(np.arange(len(ITEM_KINDS)), [ITEM_KINDS.index(k) for k in where.kinds])[
            items.kinds
        ]
        seen = np.zeros(items.ids.size, np.bool_)
        code = {branch_id: n for n, branch_id in enumerate(self.branch_ids)}
        for branch_id, highest in where.branches:
            here = self.branches == code.get(branch_id, -1)
            seen |= here if highest is None else here & (items.ends <= highest)
        mask &= seen
        if len(where.branches) > 1:  # an entity has an item for each branch
            mask &= (items.kinds != _ENTITY) | (self.branches == code.get(where.branches[0][0], -1))
        if where.at is not None:
            mask &= items.ends <= where.at
        if where.actor is None:
            mask &= ~self.heard
        return mask

    def layout(self, mask: NDArray[np.bool_]) -> Layout:
        """Return the rows of ``mask``, with the names of the speakers among them."""
        rows = self.items if mask.all() else self.items.rows(mask)
        names = rows.names
        speaking = np.flatnonzero(np.bincount(rows.speakers + 1, minlength=len(names) + 1)[1:])
        code = np.full(len(names) + 1, -1, np.int32)
        code[speaking] = np.arange(speaking.size)
        return replace(rows, speakers=code[rows.speakers], names=tuple(names[n] for n in speaking))


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """Speakers and times of the messages of a branch, by floor."""

    floors: NDArray[np.int64]
    speakers: NDArray[np.int32]
    is_user: NDArray[np.bool_]
    sent_at: NDArray[np.int64]


class ColumnStore:
    """The present columns of one chat. Safe from any thread."""

    def __init__(self, database: Database, changes: ItemChanges) -> None:
        self._db = database
        self._changes = changes
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._columns = _NOTHING
        self._by_id: tuple[Columns, NDArray[np.intp]] = _NOTHING, np.zeros(0, np.intp)

    def senders(self, ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Return sender and time (milliseconds, 0 if unknown) of each of these items."""
        columns = self.now()
        if self._by_id[0] is not columns:
            self._by_id = columns, np.argsort(columns.items.ids)
        items, order = columns.items, self._by_id[1]
        asked = np.array(ids, np.int64)
        if not order.size or not asked.size:
            return {}
        places = np.searchsorted(items.ids, asked, sorter=order).clip(max=order.size - 1)
        rows = order[places]
        rows = rows[items.ids[rows] == asked]
        names = (*items.names, "")  # the last one stands for -1
        return {
            item_id: (names[speaker], sent_at)
            for item_id, speaker, sent_at in zip(
                items.ids[rows].tolist(),
                items.speakers[rows].tolist(),
                items.sent_at[rows].tolist(),
                strict=True,
            )
        }

    def now(self) -> Columns:
        with self._lock:
            newest, changed = self._changes.since(self._seen)
            if changed is None:
                self._columns = self._read_all()
            elif changed:
                self._columns = self._updated(changed)
            self._seen = newest
            return self._columns

    def _read_all(self) -> Columns:
        parts: list[Columns] = []
        codes = _Codes()
        said: dict[str, _Said] = {}
        places = self._db.rows("SELECT DISTINCT kind, branch_id FROM memory_item")
        for kind, branch_id in places:
            ids, starts, ends, muted = self._lists(
                "SELECT group_concat(id), group_concat(start_index), group_concat(end_index),"
                " group_concat(is_muted) FROM memory_item INDEXED BY memory_item_place"
                " WHERE kind = ? AND branch_id = ?",
                (kind, branch_id),
            )
            part = Layout(
                ids,
                np.full(ids.size, _code(kind), np.int8),
                starts,
                ends,
                np.full(ids.size, -1, np.int32),
                np.zeros(ids.size, np.bool_),
                np.zeros(ids.size, np.int64),
                muted.astype(np.bool_),
            )
            if kind in ("turn", "heard"):
                if branch_id not in said:
                    said[branch_id] = self._said(branch_id, codes)
                part = self._with_speakers(part, said[branch_id])
            elif kind == "log":
                part = self._with_owners(part, branch_id, codes)
            code = codes.branch(branch_id)
            heard = np.full(ids.size, kind == "heard", np.bool_)
            parts.append(Columns(part, np.full(ids.size, code, np.int32), heard))
        return _in_order(parts or [_NOTHING], codes)

    def _lists(self, sql: str, values: Sequence[Any]) -> list[NDArray[np.int64]]:
        (row,) = self._db.rows(sql, values)
        return [np.fromstring(text or "", np.int64, sep=",") for text in row]

    def _with_speakers(self, part: Layout, said: _Said) -> Layout:
        """Fill in speakers and times: a turn is the message on its floor of its branch."""
        if not said.floors.size:
            return part
        place = np.searchsorted(said.floors, part.starts).clip(max=said.floors.size - 1)
        has_message = said.floors[place] == part.starts
        return replace(
            part,
            speakers=np.where(has_message, said.speakers[place], -1).astype(np.int32),
            is_user=has_message & said.is_user[place],
            sent_at=np.where(has_message, said.sent_at[place], 0),
        )

    def _said(self, branch_id: str, codes: _Codes) -> _Said:
        (row,) = self._db.rows(
            "SELECT group_concat(seq), group_concat(role = 'user'),"
            " group_concat(ifnull(sent_at, 0)), json_group_array(name)"
            " FROM message INDEXED BY message_seq WHERE branch_id = ? AND is_deleted = 0",
            (branch_id,),
        )
        floors, is_user, sent_at = (np.fromstring(t or "", np.int64, sep=",") for t in row[:3])
        names = json.loads(row[3])
        code = {name: codes.name(name) for name in dict.fromkeys(names)}
        speakers = np.fromiter(map(code.__getitem__, names), np.int32, len(names))
        return _Said(floors, speakers, is_user != 0, sent_at)

    def _with_owners(self, part: Layout, branch_id: str, codes: _Codes) -> Layout:
        owners = dict(
            self._db.rows(
                "SELECT id, owner FROM memory_item WHERE kind = 'log' AND branch_id = ?",
                (branch_id,),
            )
        )
        speakers = [codes.name(owners.get(i) or "") for i in part.ids.tolist()]
        return replace(part, speakers=np.array(speakers, np.int32))

    def _updated(self, changed: Sequence[int]) -> Columns:
        before = self._columns
        stays = ~np.isin(before.items.ids, np.array(changed, np.int64))
        codes = _Codes(before.items.names, before.branch_ids)
        rows = self._db.rows(
            "SELECT i.id, i.kind, i.branch_id, i.start_index, i.end_index,"
            " ifnull(m.name, iif(i.kind = 'log', i.owner, '')), ifnull(m.role = 'user', 0),"
            " ifnull(m.sent_at, 0), i.is_muted FROM memory_item i"
            " LEFT JOIN message m ON i.kind IN ('turn', 'heard') AND m.id ="
            f" {REF.format(i='i')}"
            " WHERE i.id IN (SELECT value FROM json_each(?)) ORDER BY i.start_index, i.id",
            (json.dumps(list(changed)),),
        )
        columns = list(zip(*rows, strict=True)) if rows else [()] * 9
        new = Layout(
            np.array(columns[0], np.int64),
            np.array([_code(k) for k in columns[1]], np.int8),
            np.array(columns[3], np.int64),
            np.array(columns[4], np.int64),
            np.array([codes.name(n) for n in columns[5]], np.int32),
            np.array(columns[6], np.bool_),
            np.array(columns[7], np.int64),
            np.array(columns[8], np.bool_),
        )
        branches = np.array([codes.branch(b) for b in columns[2]], np.int32)
        heard = np.array([k == "heard" for k in columns[1]], np.bool_)
        unchanged = before
        if not stays.all():
            unchanged = Columns(
                before.items.rows(stays), before.branches[stays], before.heard[stays]
            )
        return _in_order(
            [unchanged, Columns(new, branches, heard)] if new.ids.size else [unchanged], codes
        )


class _Codes:
    """Numbers for names and branches, in the order they appear."""

    def __init__(self, names: Sequence[str] = (), branches: Sequence[str] = ()) -> None:
        self.names = {name: n for n, name in enumerate(names)}
        self.branches = {branch: n for n, branch in enumerate(branches)}

    def name(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names)) if name else -1

    def branch(self, branch_id: str) -> int:
        return self.branches.setdefault(branch_id, len(self.branches))


def _in_order(parts: Sequence[Columns], codes: _Codes) -> Columns:
    same = zip(*((*p.items.columns, p.branches, p.heard) for p in parts), strict=True)
    columns: list[Any] = [np.concatenate(column) for column in same]
    ids, starts = columns[0], columns[2]
    later = starts[1:] > starts[:-1]
    if not (later | ((starts[1:] == starts[:-1]) & (ids[1:] > ids[:-1]))).all():
        order = np.lexsort((ids, starts))
        columns = [column[order] for column in columns]
    *own, branches, heard = columns
    items = replace(Layout(*own), names=tuple(codes.names))
    return Columns(items, branches, heard, tuple(codes.branches))


def _code(kind: str) -> int:
    """Return the number of a kind; `heard` items count as `turn`, as they do for hearers."""
    return ITEM_KINDS.index("turn" if kind == "heard" else kind)


def _no(kind: type[N]) -> NDArray[N]:
    return np.zeros(0, kind)


_NOTHING = Columns(
    Layout(
        _no(np.int64),
        _no(np.int8),
        _no(np.int64),
        _no(np.int64),
        _no(np.int32),
        _no(np.bool_),
        _no(np.int64),
        _no(np.bool_),
    ),
    _no(np.int32),
    _no(np.bool_),
)
