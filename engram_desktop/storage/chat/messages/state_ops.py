"""What was changed of the state beside what messages say: operations at a floor.

The user made them by hand, or a look back did, for a reason that is kept with them.

They belong to their floor: `timeline` moves and removes them together with the messages.
"""

from __future__ import annotations

import json

from engram_desktop.domain.chats.floors import ENDLESS
from engram_desktop.domain.state.tree import StateOp, pointer, split_path
from engram_desktop.storage.chat.messages.branches import BranchStore
from engram_desktop.storage.database import Database

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
