"""Change messages of a line, and everything derived from them, in the caller's step.

Messages that stay keep their ids. Memories of a changed message become stale; memories of deleted
messages alone are tombstoned; everything after the change moves to its new floor, on this branch
and on those forked from it. What changed is decided elsewhere and given as a script.

Ranges of floors that hold a moved message are extended to its new place; if that is far away, they
stay with the other messages and no longer cover it.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain

from engram_desktop.domain.chats import ENDLESS, EditScript, FloorMap
from engram_desktop.domain.memory.line import MAIN_BRANCH, range_hash
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.branches import BranchStore
from engram_desktop.storage.chat.graph.entities import EntityStore
from engram_desktop.storage.chat.messages import MessageStore
from engram_desktop.storage.database import Database

RANGES = ("event", "private_log", "summary_block", "memory_item", "draft")
_KEYS = {"memory_item": "id"}  # other tables have a pk
# `heard` items are derived: they never move, and are made again.
ALIVE = {
    "event": " AND is_deleted = 0",
    "private_log": " AND is_deleted = 0",
    "memory_item": " AND kind <> 'heard'",
}
_SOURCED = ("summary_block", "draft")  # tables with the hash of their source messages
_STRETCH = 2  # factor by which a range may grow to include a moved message


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
    """What one rewrite moves out of order; ``moved`` maps old floors to new ones."""

    moved: Mapping[int, int]
    _floors: Sequence[int] = ()  # the old ones, in order
    rows: list[_Row] = field(default_factory=list)  # rows that hold a moved floor
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
        """Collect the rows on floors that are about to change places or speakers.

        ``line`` are the branches that see them, each with its last floor.
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
        """Return the rows of a table that hold a moved message: they are not deleted."""
        return [r.key for r in self.rows if r.table == table and r.branch_id == branch_id]

    def carry_out(self, database: Database, maps: Mapping[str, FloorMap]) -> dict[str, set[int]]:
        """Set the new range of each row, by the map of its branch; returns torn rows by table.

        A row is torn if its messages are no longer close to each other.
        """
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
        """Return the first and last new floor of a row, and whether it is torn."""
        longest = _STRETCH * (row.last - row.first + 1)
        went = [self.moved[old] for old in _between(self._floors, row.first, row.last)]
        rest = floors.image(row.first, row.last)
        ends = [*(floor for run in rest for floor in run), *went]
        first, last = min(ends), max(ends)
        is_near = last - first < longest
        if is_near or not rest:
            return first, last, not is_near
        return rest[0][0], rest[-1][1], True

    def update_source_hashes(
        self, database: Database, messages: MessageStore, changed: Mapping[str, FloorMap]
    ) -> None:
        """Update source hashes of rows whose messages only moved or changed their name.

        ``changed``: by branch, a map without the floors whose text changed.
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
        """Return whether every message of a range still exists with its text."""
        left = sum(last - first + 1 for first, last in floors.image(row.first, row.last))
        left += len(_between(self._floors, row.first, row.last))
        return left == row.last - row.first + 1


def _between(floors: Sequence[int], first: int, last: int) -> Sequence[int]:
    """Return those of ``floors``, in order, that lie in a range."""
    return floors[bisect_left(floors, first) : bisect_right(floors, last)]


# Tables with ranges of floors whose rows have items and are tombstoned.
_TOLD = (("event", "event"), ("private_log", "log"))
_START = (
    "(SELECT max({first}, r.first) + r.delta FROM temp.floor_run r WHERE r.last >= {first}"
    " ORDER BY r.last LIMIT 1)"
)
_END = (
    "(SELECT min({last}, r.last) + r.delta FROM temp.floor_run r WHERE r.first <= {last}"
    " ORDER BY r.first DESC LIMIT 1)"
)
# An insertion before floor n is the touched range n..n-1: only rows that span it overlap it.
_IS_TOUCHED = (
    "EXISTS (SELECT 1 FROM temp.floor_touched t"
    " WHERE {table}.start_index <= t.last AND {table}.end_index >= t.first)"
)
# An outline is as valid as its parts; one without parts (adopted) as its messages.
_HAS_NO_PARTS = "(level = 0 OR NOT EXISTS (SELECT 1 FROM event p WHERE p.parent_id = event.id))"
_IS_GONE = (
    "ifnull((SELECT r.last FROM temp.floor_run r WHERE r.first <= {table}.end_index"
    " ORDER BY r.first DESC LIMIT 1), -1) < {table}.start_index"
)


@dataclass(slots=True)
class Rewritten:
    """What a change did: counts of messages, keys of events, ids of entities, branches."""

    changed: int = 0
    removed: int = 0
    added: int = 0
    shown_or_hidden: int = 0
    stale: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    branches: list[str] = field(default_factory=list)


class Timeline:
    """Rewrites lines of one chat."""

    def __init__(
        self,
        database: Database,
        branches: BranchStore,
        messages: MessageStore,
        entities: EntityStore,
    ) -> None:
        self._db = database
        self._branches = branches
        self._messages = messages
        self._entities = entities

    def rewrite(
        self,
        branch_id: str,
        base: int,
        script: EditScript,
        new: Sequence[ParsedMessage],
        now: int,
        *,
        tail: int = 0,
    ) -> Rewritten:
        """Replace the line from floor ``base`` on by ``new``, as ``script`` aligns them.

        Floors of the script count from ``base``; the last ``tail`` messages stay as they are. If a
        branch rewrites messages it shares with its parent, it copies them first, so that the
        parent's stay as they are.
        """
        old_count = self._messages.count(branch_id)
        entities = self._take_over(branch_id, base)
        old_end, new_end = old_count - tail, base + len(new)
        pairs = [(base + i, base + j) for i, j in script.pairs]
        staying = [*pairs, *((base + i, base + j) for i, j in script.moved)]
        edited = {base + i for i in script.edited}
        renamed = {base + i for i in script.renamed}
        other = edited | renamed
        tail_pairs = [(old_end + n, new_end + n) for n in range(tail)]
        counts = (old_count, new_end + tail)
        floors = FloorMap.of_pairs(chain(_still(base), pairs, tail_pairs), *counts)
        rows = self._rows_at(branch_id, base, old_end)
        removed = sorted(set(range(base, old_end)).difference(i for i, _j in staying))
        inserted = _runs_of(sorted(set(range(base, new_end)).difference(j for _i, j in staying)))
        ordered = [*pairs, (old_end, new_end)]
        before = [
            ordered[bisect_left(ordered, last + 1, key=lambda pair: pair[1])][0]
            for _first, last in inserted
        ]  # the message each insertion came before; a moved message gives no place
        touched = _runs_of(sorted(edited.union(removed))) + [(i, i - 1) for i in before]
        report = Rewritten(changed=len(other), removed=len(removed))
        line = [(branch_id, ENDLESS), *self._branches.descendants(branch_id)]
        moved = {base + i: base + j for i, j in script.moved}
        relocation = Relocation.read(self._db, self._messages, moved, renamed, line)
        self._mark(line, touched, floors, now, report, relocation)
        self._messages.remove([rows[floor][0] for floor in removed])
        self._move(branch_id, floors, report, relocation, now)
        self._messages.place([(j, rows[i][0]) for i, j in moved.items()])
        report.added = sum(last - first + 1 for first, last in inserted)
        messages_by_floor = {j: new[j - base] for j in range(base, new_end)}
        report.shown_or_hidden = self._tell(branch_id, messages_by_floor, staying, rows, other)
        for first, last in inserted:
            self._messages.append(branch_id, first, new[first - base : last - base + 1])
        self._settle(branch_id, base, new_end, [*staying, (old_end, new_end)], other)
        left = [(i, j) for i, j in pairs if i not in edited]
        unchanged = FloorMap.of_pairs(chain(_still(base), left, tail_pairs), *counts)
        relocation.update_source_hashes(
            self._db, self._messages, dict.fromkeys(report.branches, unchanged)
        )
        report.entities |= entities | self._entities.of_events(report.gone)
        self._entities.refresh_items(report.entities)
        return report

    def _tell(
        self,
        branch_id: str,
        messages_by_floor: dict[int, ParsedMessage],
        staying: Sequence[tuple[int, int]],
        rows: dict[int, tuple[str, bool]],
        other: set[int],
    ) -> int:
        """Write changed messages that stay, hide or show others; returns how many of the latter."""
        self._messages.rewrite(
            [(rows[i][0], branch_id, j, messages_by_floor[j]) for i, j in staying if i in other]
        )
        flips = [
            (rows[i][0], messages_by_floor[j].is_hidden, messages_by_floor[j].raw)
            for i, j in staying
            if i not in other and rows[i][1] != messages_by_floor[j].is_hidden
        ]
        self._messages.hide(flips)
        return len(flips)

    def _take_over(self, branch_id: str, first: int) -> set[str]:
        """Copy shared messages from floor ``first`` on, so that the branch owns them.

        Returns the entities that the branch may no longer know.
        """
        own = self._branches.first_own(branch_id)
        if first >= own:
            return set()
        entities = self._entities.known_on(branch_id)
        shared = self._messages.as_parsed(branch_id, first, own - 1)
        ids = [message_id for message_id, *_rest in self._messages.raws(branch_id, first, own - 1)]
        self._messages.shared.remove(branch_id, ids)
        self._branches.move_forks([(first - 1, branch_id)])
        self._messages.append(branch_id, first, shared)
        return entities

    def _rows_at(self, branch_id: str, first: int, end: int) -> dict[int, tuple[str, bool]]:
        """Return the own messages from ``first`` to before ``end``: (id, is hidden) by floor."""
        rows = self._db.rows(
            "SELECT seq, id, is_hidden FROM message WHERE branch_id = ? AND seq >= ? AND seq < ?"
            " AND is_deleted = 0",
            (branch_id, first, end),
        )
        return {seq: (message_id, bool(hidden)) for seq, message_id, hidden in rows}

    def _mark(
        self,
        line: Sequence[tuple[str, int]],
        touched: Sequence[tuple[int, int]],
        floors: FloorMap,
        now: int,
        report: Rewritten,
        relocation: Relocation,
    ) -> None:
        """Mark stale, tombstone or delete what depends on touched floors, on each branch."""
        for branch, limit in line:
            report.branches.append(branch)
            seen = [(a, min(b, limit)) for a, b in touched if a <= limit]
            self._set_runs(floors.up_to(limit) if limit < ENDLESS else floors, seen)
            for table, kind in _TOLD:
                gone = self._tombstone(table, kind, branch, now, relocation.keys(table, branch))
                stale = self._mark_stale(table, branch, now)
                if table == "event":
                    report.gone |= gone
                    report.stale |= stale | self._mark_outlines(gone | stale, now)
            self._run(
                "DELETE FROM summary_block WHERE branch_id = ? AND "
                + _IS_TOUCHED.format(table="summary_block"),
                branch,
            )
            self._run(
                "DELETE FROM state_op WHERE branch_id = ? AND EXISTS (SELECT 1 FROM"
                " temp.floor_touched t WHERE state_op.seq BETWEEN t.first AND t.last)",
                branch,
            )

    def _tombstone(
        self, table: str, kind: str, branch: str, now: int, kept: Sequence[int]
    ) -> set[int]:
        rows = self._db.rows(
            f"UPDATE {table} SET is_deleted = 1, updated_at = ?1 WHERE branch_id = ?2"
            f" AND is_deleted = 0 AND {_IS_GONE.format(table=table)}"
            " AND pk NOT IN (SELECT value FROM json_each(?3)) RETURNING pk, ?1",
            (now, branch, json.dumps(kept)),
        )
        self._db.run_many(
            "DELETE FROM memory_item WHERE kind = ? AND ref ="
            f" (SELECT id FROM {table} WHERE pk = ?)",
            [(kind, pk) for pk, _now in rows],
        )
        return {pk for pk, _now in rows}

    def _mark_stale(self, table: str, branch: str, now: int) -> set[int]:
        of_messages = f" AND {_HAS_NO_PARTS}" if table == "event" else ""
        rows = self._db.rows(
            f"UPDATE {table} SET is_stale = 1, updated_at = ?1 WHERE branch_id = ?2"
            f" AND is_deleted = 0 AND is_stale = 0 AND {_IS_TOUCHED.format(table=table)}"
            f"{of_messages} RETURNING pk, ?1",
            (now, branch),
        )
        return {pk for pk, _now in rows}

    def _mark_outlines(self, parts: set[int], now: int) -> set[int]:
        """Mark the outlines of changed events as stale, level by level."""
        stale: set[int] = set()
        while parts:
            rows = self._db.rows(
                "UPDATE event SET is_stale = 1, updated_at = ?1 WHERE is_deleted = 0"
                " AND is_stale = 0 AND id IN (SELECT parent_id FROM event"
                " WHERE pk IN (SELECT value FROM json_each(?2))) RETURNING pk, ?1",
                (now, json.dumps(list(parts))),
            )
            parts = {pk for pk, _now in rows}
            stale |= parts
        return stale

    def _move(
        self, branch_id: str, floors: FloorMap, report: Rewritten, relocation: Relocation, now: int
    ) -> None:
        """Move everything after a removal or insertion to its new floor, and children's forks."""
        if floors.is_identity:
            return
        forks = {row[0]: row[2] for row in self._branches.rows()}
        line = [(branch_id, ENDLESS), *self._branches.descendants(branch_id)]
        parents = {row[0]: row[1] for row in self._branches.rows()}
        maps = {b: floors.up_to(limit) if limit < ENDLESS else floors for b, limit in line}
        for branch, _limit in line:
            here = maps[branch]
            if here.is_identity:
                continue
            self._set_runs(here, [])
            stop = here.runs[-1].first if here.runs[-1].delta == 0 else ENDLESS
            for table, column in (("message", "seq"), ("state_op", "seq")):
                alive = " AND is_deleted = 0" if table == "message" else ""
                self._db.rows(
                    f"UPDATE {table} SET {column} = {_START.format(first=column)}"
                    f" WHERE branch_id = ? AND {column} >= ? AND {column} < ?{alive}",
                    (branch, here.first_moved, stop),
                )
            for table in RANGES:
                alive = ALIVE.get(table, "")
                rows = self._db.rows(
                    f"UPDATE {table} SET start_index = {_START.format(first='start_index')},"
                    f" end_index = ifnull({_END.format(last='end_index')}, 0) WHERE branch_id = ?"
                    f" AND end_index >= ? AND start_index < ?{alive}"
                    + (" RETURNING pk" if table == "event" else ""),
                    (branch, here.first_moved, stop),
                )
                if table == "event":
                    report.moved |= {pk for (pk,) in rows}
        torn = relocation.carry_out(self._db, maps)
        self._mark_torn(torn, report, now)
        if branch_id == MAIN_BRANCH:
            self._move_relations(floors)
        self._branches.move_forks(
            [
                (maps[str(parents[branch])].last_up_to(int(forks[branch] or 0)), branch)
                for branch, _limit in line[1:]
                if forks[branch] is not None
            ]
        )

    def _mark_torn(self, torn: dict[str, set[int]], report: Rewritten, now: int) -> None:
        """Mark memories whose messages are no longer close to each other as stale."""
        for table, _kind in _TOLD:
            pks = json.dumps(sorted(torn.get(table, ())))
            self._db.rows(
                f"UPDATE {table} SET is_stale = 1, updated_at = ?1"
                " WHERE is_stale = 0 AND pk IN (SELECT value FROM json_each(?2))",
                (now, pks),
            )
        events = torn.get("event", set())
        report.stale |= events | self._mark_outlines(events, now)

    def _move_relations(self, floors: FloorMap) -> None:
        """Move the floors at which relations begin or end by the user's word."""
        self._set_runs(floors, [])
        for column in ("valid_from", "valid_to"):
            self._db.rows(
                f"UPDATE relation SET {column} = ifnull({_START.format(first=column)}, {column})"
                f" WHERE {column} >= ?",
                (floors.first_moved,),
            )

    def _settle(
        self,
        branch_id: str,
        first: int,
        last: int,
        pairs: Iterable[tuple[int, int]],
        edited: set[int],
    ) -> None:
        """Update the hashes of turns whose text or neighbour changed: vectors depend on both."""
        came_from = {j: i for i, j in pairs if i not in edited}
        before = first - 1
        floors = []
        for floor in range(first, last + 1):
            here = came_from.get(floor, -2)
            if here != before + 1:
                floors.append(floor)
            before = here
        self._messages.update_turn_hashes(branch_id, floors)
        for branch, _limit in self._branches.descendants(branch_id):
            self._messages.update_turn_hashes(branch, [self._branches.first_own(branch)])

    def _set_runs(self, floors: FloorMap, touched: Sequence[tuple[int, int]]) -> None:
        """Write a floor map and the touched ranges into temporary tables for SQL."""
        for name, columns in (("floor_run", "delta INTEGER"), ("floor_touched", "n INTEGER")):
            self._db.rows(
                f"CREATE TEMP TABLE IF NOT EXISTS {name}("
                f"first INTEGER, last INTEGER, {columns}, PRIMARY KEY (first, last))"
            )
            self._db.rows(f"DELETE FROM temp.{name}")
        self._db.rows("CREATE INDEX IF NOT EXISTS temp.floor_run_last ON floor_run(last)")
        self._db.run_many(
            "INSERT INTO temp.floor_run(first, last, delta) VALUES (?, ?, ?)",
            [(r.first, r.last, r.delta) for r in floors.runs],
        )
        self._db.run_many(
            "INSERT INTO temp.floor_touched(first, last) VALUES (?, ?)", sorted(set(touched))
        )

    def _run(self, sql: str, branch: str) -> None:
        self._db.run_many(sql, [(branch,)])


def _still(count: int) -> Iterable[tuple[int, int]]:
    """Return identity pairs for the floors before ``count``."""
    return ((n, n) for n in range(count))


def _runs_of(floors: Iterable[int]) -> list[tuple[int, int]]:
    """Join sorted floors to runs (first, last)."""
    runs: list[tuple[int, int]] = []
    for floor in floors:
        if runs and runs[-1][1] == floor - 1:
            runs[-1] = (runs[-1][0], floor)
        else:
            runs.append((floor, floor))
    return runs
