"""What the user changed of the state by hand: operations at a floor, beside what messages say.

They belong to their floor: `timeline` moves and removes them together with the messages.
"""

from __future__ import annotations

import json

from engram_desktop.domain.chats.floors import ENDLESS
from engram_desktop.domain.state.tree import StateOp, pointer, split_path
from engram_desktop.storage.chat.messages.branches import BranchStore
from engram_desktop.storage.database import Database


class StateOps:
    """Operations as a line of messages sees them; `add` runs inside the caller's step."""

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def of_line(self, branch_id: str, last: int) -> list[tuple[int, StateOp]]:
        """Operations up to floor ``last``, each with its floor, in the order they were made."""
        operations: list[tuple[int, StateOp]] = []
        for segment in self._branches.segments(branch_id):
            # a branch without messages of its own is changed at the floor it forks from
            rows = self._db.rows(
                "SELECT seq, op, path, value FROM state_op WHERE branch_id = ?"
                " AND seq BETWEEN ? AND ? ORDER BY seq, pk",
                (segment.branch_id, segment.first - 1, min(last, segment.last)),
            )
            operations += [
                (floor, StateOp(op, split_path(path), json.loads(value)))
                for floor, op, path, value in rows
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
            " VALUES (?, ?, ?, ?, ?, 'user')",
            [(branch_id, floor, pointer(op.path), op.op, value)],
        )
