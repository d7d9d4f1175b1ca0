"""The branches of a chat, and changes of the state by hand.

A branch owns the messages after its fork; earlier ones are read from its parent, not copied.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from engram_desktop.domain.chats import ENDLESS
from engram_desktop.domain.errors import Ambiguous, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.state.tree import StateOp, pointer, split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

Path = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The floors of a line that one branch owns, both ends included."""

    branch_id: str
    first: int
    last: int


# A branch and its ancestors, itself first. A player who often goes back has a hundred.
_ANCESTORS = """
WITH RECURSIVE line(id, parent_id, fork_seq, depth) AS (
  SELECT id, parent_id, fork_seq, 0 FROM branch WHERE id = ? AND is_deleted = 0
  UNION ALL
  SELECT b.id, b.parent_id, b.fork_seq, depth + 1 FROM line
    JOIN branch b ON b.id = line.parent_id AND b.is_deleted = 0)
SELECT id, parent_id, fork_seq FROM line ORDER BY depth
"""


class BranchStore:
    """Reads and writes the tree of branches; writing happens inside the caller's step."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self) -> list[tuple[str, str | None, int | None, str, str]]:
        """Return (id, parent, fork, name, source) of every branch, the main one first."""
        return self._db.rows(
            "SELECT id, parent_id, fork_seq, name, source FROM branch WHERE is_deleted = 0"
            " ORDER BY pk"
        )

    def ids(self) -> list[str]:
        return [row[0] for row in self.rows()]

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM branch WHERE is_deleted = 0"))

    def find(self, key: str) -> str:
        """Return the id of the branch with this id or, if it is unique, this name.

        Raises NotFound, Ambiguous.
        """
        if key in self.ids():
            return key
        rows = self._db.rows(
            "SELECT id FROM branch WHERE name = ? AND is_deleted = 0 ORDER BY id", (key,)
        )
        if not rows:
            raise NotFound("branch", key, [row[3] for row in self.rows()])
        if len(rows) > 1:
            raise Ambiguous(key, [branch_id for (branch_id,) in rows])
        return str(rows[0][0])

    def segments(self, branch_id: str) -> list[Segment]:
        """Return which branch owns which floors of a line, from its start. Raises NotFound."""
        rows = self._db.brief_rows(_ANCESTORS, (branch_id,))
        segments: list[Segment] = []
        here: str | None = branch_id
        highest = ENDLESS
        for found, parent, fork in rows:
            first = 0 if fork is None else fork + 1
            segments.append(Segment(found, first, highest))
            here, highest = parent, min(highest, first - 1)
        if here is not None:
            raise NotFound("branch", here)
        return segments[::-1]

    def path(self, branch_id: str) -> Path:
        """Return the branch and its ancestors, each with its last floor in the line (None: all)."""
        parts = reversed(self.segments(branch_id))
        return tuple((s.branch_id, None if s.last == ENDLESS else s.last) for s in parts)

    def first_own(self, branch_id: str) -> int:
        """Return the first floor that belongs to the branch itself."""
        return self.segments(branch_id)[-1].first

    def owner(self, branch_id: str, floor: int) -> str:
        """Return the branch that owns the message on ``floor`` of a line."""
        segments = [s for s in self.segments(branch_id) if s.first <= floor <= s.last]
        return segments[-1].branch_id if segments else MAIN_BRANCH

    def descendants(self, branch_id: str) -> list[tuple[str, int]]:
        """Return every branch that reads floors of this one, at any depth, with its last one."""
        rows = self.rows()
        descendants: list[tuple[str, int]] = []
        work = [(branch_id, ENDLESS)]
        while work:
            here, limit = work.pop()
            for child, parent, fork, _name, _source in rows:
                if parent == here and fork is not None:
                    descendants.append((child, min(limit, fork)))
                    work.append(descendants[-1])
        return descendants

    def children(self, branch_id: str) -> list[str]:
        return [row[0] for row in self.rows() if row[1] == branch_id]

    def add(self, branch_id: str, parent_id: str, fork_seq: int, name: str, source: str) -> None:
        self._db.run_many(
            "INSERT INTO branch(id, parent_id, fork_seq, name, source) VALUES (?, ?, ?, ?, ?)",
            [(branch_id, parent_id, fork_seq, name, source)],
        )

    def move_forks(self, forks: Sequence[tuple[int, str]]) -> None:
        """Set the last shared floor of branches: rows of (floor, branch id)."""
        self._db.run_many("UPDATE branch SET fork_seq = ? WHERE id = ?", forks)

    def rename(self, branch_id: str, name: str) -> None:
        self._db.run_many("UPDATE branch SET name = ? WHERE id = ?", [(name, branch_id)])

    def set_source(self, branch_id: str, source: str) -> None:
        """Set the name of the file a branch is read from."""
        self._db.run_many("UPDATE branch SET source = ? WHERE id = ?", [(source, branch_id)])

    def header(self, branch_id: str) -> str:
        """Return the header line of the file a branch was read from, as JSON; "" if it had none."""
        rows = self._db.rows("SELECT raw FROM file_header WHERE branch_id = ?", (branch_id,))
        return str(rows[0][0]) if rows else ""

    def set_header(self, branch_id: str, raw: str) -> None:
        """Set the header line of the file a branch was read from."""
        self._db.run_many(
            "INSERT INTO file_header(branch_id, raw) VALUES (?, ?)"
            " ON CONFLICT(branch_id) DO UPDATE SET raw = excluded.raw",
            [(branch_id, raw)],
        )

    def remove(self, branch_id: str) -> None:
        """Tombstone the branch and its own rows. It must have no children."""
        for sql in (
            "DELETE FROM memory_item WHERE branch_id = ? AND kind <> 'heard'",
            "UPDATE event SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE private_log SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE message SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE branch SET is_deleted = 1 WHERE id = ?",
        ):
            self._db.run_many(sql, [(branch_id,)])


def seen(table: str, path: Path) -> str:
    """Return SQL that tests if a row of ``table`` is on ``path``.

    Ids and floors are our own values.
    """
    parts = []
    for branch_id, highest in path:
        quoted = branch_id.replace("'", "''")
        limit = "" if highest is None else f" AND {table}.end_index <= {int(highest)}"
        parts.append(f"({table}.branch_id = '{quoted}'{limit})")
    return "(" + " OR ".join(parts) + ")"


_LOOK_BACK = "reflect: "  # prefix of the source of an operation by a look back


class StateOps:
    """State operations by the user or a look back, as a line sees them.

    They belong to their floor: `timeline` moves and removes them with the messages. `add` runs
    inside the caller's step.
    """

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def of_line(self, branch_id: str, last: int) -> list[tuple[int, StateOp]]:
        """Return (floor, operation) up to floor ``last``, in the order they were made.

        Operations of a look back have a reason.
        """
        operations: list[tuple[int, StateOp]] = []
        for segment in self._branches.segments(branch_id):
            # a branch without messages of its own is changed at its fork
            rows = self._db.rows(
                "SELECT seq, op, path, value, source FROM state_op WHERE branch_id = ?"
                " AND seq BETWEEN ? AND ? ORDER BY seq, pk",
                (segment.branch_id, segment.first - 1, min(last, segment.last)),
            )
            operations += [
                (floor, StateOp(op, split_path(path), json.loads(value), _reason(source)))
                for floor, op, path, value, source in rows
            ]
        return operations

    def newest_change(self) -> int:
        """Return the number of the newest change that may affect the state."""
        return int(self._db.value("SELECT ifnull(max(seq), 0) FROM state_change"))

    def changed_from(self, number: int) -> int:
        """Return the first floor whose state may have changed since change ``number``.

        -1 if any floor may have, or that is not known; ENDLESS if nothing changed.
        """
        first, oldest = self._db.rows(
            "SELECT min(floor), min(seq) FROM state_change WHERE seq > ?", (number,)
        )[0]
        if oldest is None:
            return ENDLESS
        return int(first) if oldest == number + 1 else -1

    def add(self, branch_id: str, floor: int, op: StateOp) -> None:
        value = json.dumps(op.value, ensure_ascii=False)
        self._db.run_many(
            "INSERT INTO state_op(branch_id, seq, path, op, value, source)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [(branch_id, floor, pointer(op.path), op.op, value, _source(op.reason))],
        )


def _source(reason: str) -> str:
    return f"{_LOOK_BACK}{reason}" if reason else "user"


def _reason(source: str) -> str:
    return source.removeprefix(_LOOK_BACK) if source.startswith(_LOOK_BACK) else ""
