"""What tells of messages that stand elsewhere now, or under another name, goes with them.

Ranges of floors that hold a moved message stretch to where it went; where that is far away they
stay with the rest, and no longer tell what stands there. Works inside the caller's step.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from engram_desktop.domain.chats.floors import FloorMap
from engram_desktop.domain.memory.ids import range_hash
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.messages.messages import MessageStore
from engram_desktop.storage.database import Database

RANGES = ("event", "private_log", "summary_block", "memory_item", "draft")
_KEYS = {"memory_item": "id"}  # the others have a pk
# What is heard of messages is derived: it never goes along, and is made anew.
ALIVE = {
    "event": " AND is_deleted = 0",
    "private_log": " AND is_deleted = 0",
    "memory_item": " AND kind <> 'heard'",
}
_SOURCED = ("summary_block", "draft")  # say by hash which messages they were made of
_STRETCH = 2  # a range may become this many times as long by going with a moved message


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with a range of floors."""

    table: str
    key: int
    branch_id: str
    first: int
    last: int


@dataclass(slots=True)
class Relocation:
    """What one rewriting of a line moves out of order, ``moved`` by old floor."""

    moved: Mapping[int, int]
    _floors: Sequence[int] = ()  # the old ones, in order
    rows: list[_Row] = field(default_factory=list)  # that hold a moved floor
    sources: list[_Row] = field(default_factory=list)

    @classmethod
    def read(
        cls,
        database: Database,
        messages: MessageStore,
        moved: Mapping[int, int],
        renamed: Iterable[int],
        line: Sequence[tuple[str, int]],
    ) -> Relocation:
        """Note what holds floors that are about to change places or speakers.

        ``line`` are the branches that see them, each with the last floor it sees.
        """
        relocation = cls(moved, sorted(moved))
        floors = sorted({*moved, *moved.values(), *renamed})
        if not floors:
            return relocation
        for branch_id, limit in line:
            seen = relocation._floors[: bisect_right(relocation._floors, limit)]
            if seen:
                relocation._read_moved(database, branch_id, seen)
            relocation._read_sources(database, messages, branch_id, floors[0])
        return relocation

    def _read_moved(self, database: Database, branch_id: str, floors: Sequence[int]) -> None:
        for table in RANGES:
            rows = database.rows(
                f"SELECT {_KEYS.get(table, 'pk')}, start_index, end_index FROM {table}"
                f" WHERE branch_id = ? AND end_index >= ? AND start_index <= ?"
                f"{ALIVE.get(table, '')}",
                (branch_id, floors[0], floors[-1]),
            )
            self.rows += [
                _Row(table, key, branch_id, first, last)
                for key, first, last in rows
                if _between(floors, first, last)
            ]

    def _read_sources(
        self, database: Database, messages: MessageStore, branch_id: str, first: int
    ) -> None:
        hashes: list[str] | None = None
        for table in _SOURCED:
            for key, start, end, source in database.rows(
                f"SELECT pk, start_index, end_index, source_hash FROM {table}"
                " WHERE branch_id = ? AND end_index >= ?",
                (branch_id, first),
            ):
                hashes = messages.hashes(branch_id) if hashes is None else hashes
                if range_hash(hashes[start : end + 1]) == source:
                    self.sources.append(_Row(table, key, branch_id, start, end))

    def keys(self, table: str, branch_id: str) -> list[int]:
        """Rows of a table that hold a moved message: they are not gone whatever a map says."""
        return [r.key for r in self.rows if r.table == table and r.branch_id == branch_id]

    def carry_out(self, database: Database, maps: Mapping[str, FloorMap]) -> dict[str, set[int]]:
        """Give each row its new range, by the map of its branch. Returns what is torn, by table."""
        torn: dict[str, set[int]] = {}
        for row in self.rows:
            first, last, is_torn = self._range_of(row, maps[row.branch_id])
            key = _KEYS.get(row.table, "pk")
            database.run_many(
                f"UPDATE {row.table} SET start_index = ?, end_index = ? WHERE {key} = ?",
                [(first, last, row.key)],
            )
            if is_torn:
                torn.setdefault(row.table, set()).add(row.key)
        return torn

    def _range_of(self, row: _Row, floors: FloorMap) -> tuple[int, int, bool]:
        """First and last new floor of a row, and whether some of it is elsewhere."""
        longest = _STRETCH * (row.last - row.first + 1)
        went = [self.moved[old] for old in _between(self._floors, row.first, row.last)]
        rest = floors.image(row.first, row.last)
        ends = [*(floor for run in rest for floor in run), *went]
        first, last = min(ends), max(ends)
        is_near = last - first < longest
        if is_near or not rest:
            return first, last, not is_near
        return rest[0][0], rest[-1][1], True

    def settle_sources(
        self, database: Database, messages: MessageStore, changed: Mapping[str, FloorMap]
    ) -> None:
        """Make hashes of what was read follow messages that only moved or changed their name.

        ``changed``: per branch the floors whose text is another now, as a map that lacks them.
        """
        line_hashes: dict[str, list[str]] = {}
        for row in self.sources:
            rows = database.rows(
                f"SELECT start_index, end_index FROM {row.table} WHERE pk = ?", (row.key,)
            )
            if not rows or not self._is_whole(changed[row.branch_id], row):
                continue
            first, last = rows[0]
            if row.branch_id not in line_hashes:
                line_hashes[row.branch_id] = messages.hashes(row.branch_id)
            key = range_hash(line_hashes[row.branch_id][first : last + 1])
            database.run_many(
                f"UPDATE {row.table} SET source_hash = ? WHERE pk = ?", [(key, row.key)]
            )

    def _is_whole(self, floors: FloorMap, row: _Row) -> bool:
        """Whether every message of a range is still there with its text."""
        left = sum(last - first + 1 for first, last in floors.image(row.first, row.last))
        left += len(_between(self._floors, row.first, row.last))
        return left == row.last - row.first + 1


def _between(floors: Sequence[int], first: int, last: int) -> Sequence[int]:
    """Those of ``floors``, in order, that lie in a range."""
    return floors[bisect_left(floors, first) : bisect_right(floors, last)]
