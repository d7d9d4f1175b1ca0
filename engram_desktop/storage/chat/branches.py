"""Branches of a chat, and the state operations on them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engram_desktop.domain.chats import ENDLESS
from engram_desktop.domain.errors import Ambiguous, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.state.tree import StateOp, pointer, split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

# The branches of a chat: who inherits what from whom, and up to which floor.
#
# A branch owns the messages after its fork; those before are its parent's, seen, not copied.


Path = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The floors of a line that one branch owns, both ends included."""

    branch_id: str
    first: int
    last: int


# A branch and those it comes from, itself first. A player who goes back often has a hundred.
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
        """(id, parent, fork, name, source) of every branch, the main one first."""
        return self._db.rows(
            "SELECT id, parent_id, fork_seq, name, source FROM branch WHERE is_deleted = 0"
            " ORDER BY pk"
        )

    def ids(self) -> list[str]:
        return [row[0] for row in self.rows()]

    def count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM branch WHERE is_deleted = 0"))

    def find(self, key: str) -> str:
        """Id of the branch whose id or, alone among all, whose name is ``key``.

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
        """Who owns which floors of a line, from its beginning. Raises NotFound."""
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
        """The branch and its ancestors, each with the last floor seen of it (None: all)."""
        parts = reversed(self.segments(branch_id))
        return tuple((s.branch_id, None if s.last == ENDLESS else s.last) for s in parts)

    def first_own(self, branch_id: str) -> int:
        """The first floor that is the branch's own."""
        return self.segments(branch_id)[-1].first

    def owner(self, branch_id: str, floor: int) -> str:
        """Whose message stands at ``floor`` of a line."""
        segments = [s for s in self.segments(branch_id) if s.first <= floor <= s.last]
        return segments[-1].branch_id if segments else MAIN_BRANCH

    def descendants(self, branch_id: str) -> list[tuple[str, int]]:
        """Every branch that sees some of this one's floors, and the last it sees, in any depth."""
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
        """Set (last shared floor, branch id)."""
        self._db.run_many("UPDATE branch SET fork_seq = ? WHERE id = ?", forks)

    def rename(self, branch_id: str, name: str) -> None:
        self._db.run_many("UPDATE branch SET name = ? WHERE id = ?", [(name, branch_id)])

    def set_source(self, branch_id: str, source: str) -> None:
        """Note the name of the file a branch comes from."""
        self._db.run_many("UPDATE branch SET source = ? WHERE id = ?", [(source, branch_id)])

    def header(self, branch_id: str) -> str:
        """The first line of the file a branch was read from, as JSON; empty if it had none."""
        rows = self._db.rows("SELECT raw FROM file_header WHERE branch_id = ?", (branch_id,))
        return str(rows[0][0]) if rows else ""

    def set_header(self, branch_id: str, raw: str) -> None:
        """Note the first line of the file a branch was read from."""
        self._db.run_many(
            "INSERT INTO file_header(branch_id, raw) VALUES (?, ?)"
            " ON CONFLICT(branch_id) DO UPDATE SET raw = excluded.raw",
            [(branch_id, raw)],
        )

    def remove(self, branch_id: str) -> None:
        """Tombstone the branch and all that is its own. It must have no children."""
        for sql in (
            "DELETE FROM memory_item WHERE branch_id = ? AND kind <> 'heard'",
            "UPDATE event SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE private_log SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE message SET is_deleted = 1 WHERE branch_id = ?",
            "UPDATE branch SET is_deleted = 1 WHERE id = ?",
        ):
            self._db.run_many(sql, [(branch_id,)])


def seen(table: str, path: Path) -> str:
    """SQL: whether a row of ``table`` belongs to what ``path`` sees. Ids and floors are ours."""
    parts = []
    for branch_id, highest in path:
        quoted = branch_id.replace("'", "''")
        limit = "" if highest is None else f" AND {table}.end_index <= {int(highest)}"
        parts.append(f"({table}.branch_id = '{quoted}'{limit})")
    return "(" + " OR ".join(parts) + ")"


# What was changed of the state beside what messages say: operations at a floor.
#
# The user made them by hand, or a look back did, for a reason that is kept with them.
#
# They belong to their floor: `timeline` moves and removes them together with the messages.


_LOOK_BACK = "reflect: "  # begins the source of an operation that a look back made


class StateOps:
    """Operations as a line of messages sees them; `add` runs inside the caller's step."""

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def of_line(self, branch_id: str, last: int) -> list[tuple[int, StateOp]]:
        """Operations up to floor ``last``, each with its floor, in the order they were made.

        Those of a look back have a reason.
        """
        operations: list[tuple[int, StateOp]] = []
        for segment in self._branches.segments(branch_id):
            # a branch without messages of its own is changed at the floor it forks from
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
        """Number of the newest change that could make the state another."""
        return int(self._db.value("SELECT ifnull(max(seq), 0) FROM state_change"))

    def changed_from(self, number: int) -> int:
        """First floor at which the state may be another since change ``number``.

        -1 where all of it may be, or nobody knows; ENDLESS where nothing changed.
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
