"""Pairs of entities that may be one, and what the user decided about them. Written inside steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from engram_desktop.domain.memory.ids import MAIN_BRANCH, new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.storage.chat.graph.told import is_told
from engram_desktop.storage.chat.messages.branches import BranchStore
from engram_desktop.storage.database import Database

Row = tuple[str, str, str, float, tuple[Phrase, ...]]  # id, one, other, score, reasons


class SuggestionStore:
    """The table `suggestion`: a pair is kept once, whichever of the two comes first."""

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def open(self, branch_id: str = MAIN_BRANCH) -> list[Row]:
        """Return what the user has not decided, the surest first, as far as a branch knows both."""
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "SELECT s.id, s.src, s.dst, s.score, s.reason FROM suggestion s"
            " JOIN entity a ON a.id = s.src JOIN entity b ON b.id = s.dst"
            " WHERE s.state = 'open' AND a.merged_into IS NULL AND b.merged_into IS NULL"
            f" AND {is_told('a', path)} AND {is_told('b', path)} ORDER BY s.score DESC, s.pk"
        )
        return [(i, a, b, score, _reasons(text)) for i, a, b, score, text in rows]

    def find(self, suggestion_id: str) -> tuple[str, str] | None:
        """Return the pair of an open suggestion."""
        rows = self._db.rows(
            "SELECT src, dst FROM suggestion WHERE id = ? AND state = 'open'", (suggestion_id,)
        )
        return (rows[0][0], rows[0][1]) if rows else None

    def known_pairs(self) -> set[tuple[str, str]]:
        """Every pair that was ever suggested, in order of ids."""
        return {(min(a, b), max(a, b)) for a, b in self._db.rows("SELECT src, dst FROM suggestion")}

    def add(self, pairs: Iterable[tuple[str, str, float, Sequence[Phrase]]], now: int) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO suggestion(id, src, dst, score, reason, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    new_id(),
                    min(a, b),
                    max(a, b),
                    score,
                    json.dumps([[r.template, r.params] for r in reasons], ensure_ascii=False),
                    now,
                )
                for a, b, score, reasons in pairs
            ],
        )

    def settle(self, suggestion_id: str, state: str) -> None:
        """Set the state to accepted or dismissed."""
        self._db.run_many("UPDATE suggestion SET state = ? WHERE id = ?", [(state, suggestion_id)])

    def move_to_merged(self, source: str, target: str) -> None:
        """Move suggestions about ``source`` to ``target``, where that pair has none yet."""
        rows: list[tuple[Any, ...]] = self._db.rows(
            "SELECT pk, iif(src = ?1, dst, src), state FROM suggestion WHERE ?1 IN (src, dst)",
            (source,),
        )
        for pk, other, state in rows:
            a, b = min(target, other), max(target, other)
            is_taken = self._db.value("SELECT 1 FROM suggestion WHERE src = ? AND dst = ?", (a, b))
            if other == target or (state == "open" and is_taken):
                continue
            if is_taken:  # what was dismissed once stays so
                self._db.run_many(
                    "UPDATE suggestion SET state = ? WHERE src = ? AND dst = ? AND state = 'open'",
                    [(state, a, b)],
                )
            else:
                self._db.run_many(
                    "UPDATE suggestion SET src = ?, dst = ? WHERE pk = ?", [(a, b, pk)]
                )


def _reasons(text: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(template, "suggestions", **params) for template, params in json.loads(text))
