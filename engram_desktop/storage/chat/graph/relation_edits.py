"""What users change of relations: the predicate, the end, a new one. Inside the caller's step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.storage.database import Database

Ends = tuple[str, str, str]  # source, predicate, target


class RelationEdits:
    """Writes single relations."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def ends(self, relation_id: str) -> Ends:
        """Return (src, predicate, dst). Raises NotFound."""
        rows = self._db.rows(
            "SELECT src, predicate, dst FROM relation WHERE id = ?", (relation_id,)
        )
        if not rows:
            raise NotFound("relation", relation_id)
        src, predicate, dst = rows[0]
        return src, predicate, dst

    def rename(self, relation_id: str, predicate: str) -> None:
        """Change the predicate; a relation that has it already takes over the evidence."""
        src, _old, dst = self.ends(relation_id)
        same = self._find(src, predicate, dst)
        if same is None:
            self._run("UPDATE relation SET predicate = ? WHERE id = ?", (predicate, relation_id))
        elif same != relation_id:
            self._run(
                "DELETE FROM evidence WHERE relation_id = ?1 AND event_id IN"
                " (SELECT event_id FROM evidence WHERE relation_id = ?2)",
                (relation_id, same),
            )
            self._run(
                "UPDATE evidence SET relation_id = ? WHERE relation_id = ?", (same, relation_id)
            )
            self._run("DELETE FROM relation WHERE id = ?", (relation_id,))

    def set_end(self, relation_id: str, floor: int | None) -> None:
        """Set at which floor a relation ended, `STILL_TRUE`, or None: evidence decides."""
        self._run("UPDATE relation SET valid_to = ? WHERE id = ?", (floor, relation_id))

    def delete(self, relation_id: str) -> None:
        self._run("DELETE FROM evidence WHERE relation_id = ?", (relation_id,))
        self._run("DELETE FROM relation WHERE id = ?", (relation_id,))

    def add(self, src: str, predicate: str, dst: str, floor: int) -> str:
        """Add a relation that holds from ``floor`` on; one that exists holds anew from there on."""
        relation_id = self._find(src, predicate, dst)
        if relation_id is None:
            relation_id = new_id()
            self._run(
                "INSERT INTO relation(id, src, predicate, dst, valid_from) VALUES (?, ?, ?, ?, ?)",
                (relation_id, src, predicate, dst, floor),
            )
        else:
            self._run(
                "UPDATE relation SET valid_from = ?, valid_to = NULL WHERE id = ?",
                (floor, relation_id),
            )
        return relation_id

    def _find(self, src: str, predicate: str, dst: str) -> str | None:
        relation_id = self._db.value(
            "SELECT id FROM relation WHERE src = ? AND predicate = ? AND dst = ?",
            (src, predicate, dst),
        )
        return None if relation_id is None else str(relation_id)

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        self._db.run_many(sql, [values])
