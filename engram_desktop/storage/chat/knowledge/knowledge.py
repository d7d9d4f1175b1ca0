"""What is to be derived anew of who knows what, and what the user says of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

Ref = tuple[str, str]  # kind (turn, event, entity, log) and id of what is known


@dataclass(frozen=True, slots=True)
class KnowledgeFix:
    """What the user says: whether somebody knows a memory, from which floor on, and how."""

    kind: str
    ref: str
    name: str
    is_known: bool
    from_floor: int = 0
    how: str = "confirmed"


class KnowledgeStore:
    """Reads and writes corrections; the caller holds the transaction when it writes."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def has_due(self) -> bool:
        return bool(self._db.value("SELECT EXISTS (SELECT 1 FROM knowledge_due)"))

    def due(self, kind: str) -> list[str]:
        """Ids of this kind whose knowledge is to be derived anew."""
        rows = self._db.rows("SELECT ref FROM knowledge_due WHERE kind = ?", (kind,))
        return [ref for (ref,) in rows]

    def settle(self, kind: str, refs: Iterable[str]) -> None:
        """Say that these are derived, and that whoever caches by the revision reads anew."""
        self._db.run_many(
            "DELETE FROM knowledge_due WHERE kind = ? AND ref = ?", [(kind, ref) for ref in refs]
        )
        self._db.run_many("UPDATE revision SET number = number + 1", [()])

    def fix(self, fixes: Sequence[KnowledgeFix]) -> None:
        """Note what the user says of who knows what."""
        self._db.run_many(
            "INSERT OR REPLACE INTO knowledge_fix(kind, ref, norm, name, is_known, from_floor, how)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (f.kind, f.ref, norm_name(f.name), f.name, int(f.is_known), f.from_floor, f.how)
                for f in fixes
            ],
        )

    def unfix(self, refs: Sequence[Ref], name: str) -> None:
        """Take back what the user said of somebody and these memories."""
        self._db.run_many(
            "DELETE FROM knowledge_fix WHERE kind = ? AND ref = ? AND norm = ?",
            [(kind, ref, norm_name(name)) for kind, ref in refs],
        )

    def fixes(self, refs: Sequence[Ref]) -> list[KnowledgeFix]:
        """Return what the user said of these memories, by name."""
        rows = self._db.rows(
            "SELECT kind, ref, name, is_known, from_floor, how FROM knowledge_fix"
            " WHERE (kind, ref) IN (SELECT json_extract(value, '$[0]'),"
            " json_extract(value, '$[1]') FROM json_each(?)) ORDER BY kind, ref, norm",
            (json.dumps([list(ref) for ref in refs]),),
        )
        return [KnowledgeFix(k, r, n, bool(known), at, how) for k, r, n, known, at, how in rows]

    def keep_from(self, refs: Sequence[Ref], names: Sequence[str]) -> None:
        """Note who must not learn these memories, in place of what was noted."""
        self._db.run_many("DELETE FROM kept_from WHERE kind = ? AND ref = ?", refs)
        self._db.run_many(
            "INSERT OR IGNORE INTO kept_from(kind, ref, norm, name) VALUES (?, ?, ?, ?)",
            [(kind, ref, norm_name(name), name) for kind, ref in refs for name in names],
        )

    def kept_from(self) -> dict[Ref, tuple[str, ...]]:
        """Return who must not learn what."""
        names: dict[Ref, list[str]] = {}
        for kind, ref, name in self._db.rows(
            "SELECT kind, ref, name FROM kept_from ORDER BY kind, ref, norm"
        ):
            names.setdefault((kind, ref), []).append(name)
        return {ref: tuple(people) for ref, people in names.items()}
