"""Undo and redo by session changesets.

A step records what one transaction changed in the watched tables; undo applies the inverse in one
transaction, redo the changeset again. Triggers follow, so indexes stay true. Steps are durable,
labelled and bounded in number. A long job's batches share a group and are undone together, as long
as nothing else was done between them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import apsw

from engram_desktop.domain.errors import Conflict, NothingToUndo
from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.reports import UndoStep
from engram_desktop.storage.database import Database
from engram_desktop.storage.schema import WATCHED
from engram_desktop.storage.tables import UndoStepRow

MAX_BYTES = 256 * 1024 * 1024
_FK_NO_ACTION = 0x0008  # SQLITE_CHANGESETAPPLY_FKNOACTION: the changeset holds every row itself
# Columns that index maintenance sets outside of steps: a difference there is no conflict.
_VOLATILE = {"event": {"is_embedded"}, "entity": {"layout_x", "layout_y"}}
_FREE = {"draft", "entity_due"}  # come and go outside of steps too: what is there now stays


@dataclass(slots=True)
class Touched:
    """Primary keys a changeset touches, by table."""

    keys: dict[str, set[object]] = field(default_factory=dict)
    rows_changed_place: bool = False  # inserted or removed, not merely updated

    def of(self, table: str) -> set[object]:
        return self.keys.get(table, set())


class Journal:
    """The undo history of one chat."""

    def __init__(self, database: Database, clock: Callable[[], int], max_steps: int = 200) -> None:
        self._db = database
        self._clock = clock
        self._max_steps = max_steps
        self._columns: dict[str, list[str]] = {}

    @contextlib.contextmanager
    def step(self, label: StepLabel, group: int | None = None) -> Iterator[int]:
        """Record everything the block writes as one undoable step; yields the group's number.

        The block runs in one transaction with the record of it, so neither exists without the
        other. Steps that change nothing leave no trace.
        """
        with self._db.writing() as connection:
            session = apsw.Session(connection, "main")
            try:
                for table in WATCHED:
                    session.attach(table)
                joined = self._continue(group)
                yield joined
                changeset = session.changeset()
            finally:
                session.close()
            if changeset:
                self._append(label, joined, changeset)

    @contextlib.contextmanager
    def newest_step(self) -> Iterator[None]:
        """Record what the block writes as part of the newest step; where there is none, nowhere."""
        with self._db.writing():
            newest = self._db.rows(
                "SELECT label, group_id FROM undo_step WHERE is_undone = 0 ORDER BY id DESC LIMIT 1"
            )
            if not newest:
                yield
                return
            with self.step(StepLabel.from_json(newest[0][0]), newest[0][1]):
                yield

    def undo(self) -> tuple[StepLabel, Touched]:
        """Take back the newest step (with its group). Raises NothingToUndo, Conflict."""
        with self._db.writing() as connection:
            newest = self._db.value("SELECT max(id) FROM undo_step WHERE is_undone = 0")
            rows = self._group_of(newest, undone=False)
            touched = Touched()
            for _step, _label, changeset in reversed(rows):
                self._apply(connection, apsw.Changeset.invert(changeset), touched)
            self._mark(rows, undone=True)
            return StepLabel.from_json(rows[-1][1]), touched

    def redo(self) -> tuple[StepLabel, Touched]:
        """Do the oldest undone step (with its group) again. Raises NothingToUndo, Conflict."""
        with self._db.writing() as connection:
            oldest = self._db.value("SELECT min(id) FROM undo_step WHERE is_undone = 1")
            rows = self._group_of(oldest, undone=True)
            touched = Touched()
            for _step, _label, changeset in rows:
                self._apply(connection, changeset, touched)
            self._mark(rows, undone=False)
            return StepLabel.from_json(rows[-1][1]), touched

    def history(self, limit: int = 200) -> list[UndoStep]:
        """Steps, one per group, newest first."""
        rows = self._db.rows(
            "SELECT max(id), label, max(created_at), min(is_undone), sum(length(changeset))"
            " FROM undo_step GROUP BY group_id ORDER BY max(id) DESC LIMIT ?",
            (limit,),
        )
        return [
            UndoStep(i, StepLabel.from_json(label), at, bool(undone), size)
            for i, label, at, undone, size in rows
        ]

    def _continue(self, group: int | None) -> int:
        newest = self._db.rows(
            "SELECT id, group_id FROM undo_step WHERE is_undone = 0 ORDER BY id DESC LIMIT 1"
        )
        if group is not None and newest and newest[0][1] == group:
            return group
        return int(self._db.value("SELECT ifnull(max(group_id), 0) + 1 FROM undo_step"))

    def _append(self, label: StepLabel, group: int, changeset: bytes) -> None:
        connection = self._db.connection()
        connection.execute("DELETE FROM undo_step WHERE is_undone = 1")
        UndoStepRow.insert(
            group_id=group, label=label.to_json(), changeset=changeset, created_at=self._clock()
        ).execute(self._db)
        connection.execute(
            "DELETE FROM undo_step WHERE group_id <= (SELECT max(group_id) - ? FROM undo_step)",
            (self._max_steps,),
        )
        connection.execute(
            "DELETE FROM undo_step WHERE id <= (SELECT id FROM (SELECT id, sum(length(changeset))"
            " OVER (ORDER BY id DESC) AS held FROM undo_step) WHERE held > ? AND id < ("
            "SELECT max(id) FROM undo_step) ORDER BY id DESC LIMIT 1)",
            (MAX_BYTES,),
        )

    def _group_of(self, step: int | None, *, undone: bool) -> list[tuple[int, str, bytes]]:
        if step is None:
            raise NothingToUndo
        return [
            (i, label, blob)
            for i, label, blob in self._db.rows(
                "SELECT id, label, changeset FROM undo_step WHERE is_undone = ? AND group_id ="
                " (SELECT group_id FROM undo_step WHERE id = ?) ORDER BY id",
                (int(undone), step),
            )
        ]

    def _mark(self, rows: list[tuple[int, str, bytes]], *, undone: bool) -> None:
        self._db.run_many(
            "UPDATE undo_step SET is_undone = ? WHERE id = ?",
            [(int(undone), step) for step, _label, _blob in rows],
        )

    def _apply(self, connection: apsw.Connection, changeset: bytes, touched: Touched) -> None:
        for change in apsw.Changeset.iter(changeset):
            touched.keys.setdefault(change.name, set()).add(self._key(change))
            touched.rows_changed_place |= change.op != "UPDATE"
        try:
            apsw.Changeset.apply(
                changeset, connection, conflict=self._on_conflict, flags=_FK_NO_ACTION
            )
        except apsw.AbortError as e:
            raise Conflict("a later change to the same rows stands in the way") from e

    def _key(self, change: apsw.TableChange) -> object:
        values = change.new if change.op == "INSERT" else change.old
        return values[min(change.pk_columns)] if values is not None else None

    def _on_conflict(self, reason: int, change: apsw.TableChange) -> int:
        if change.name in _FREE:
            return int(apsw.SQLITE_CHANGESET_OMIT)
        volatile = _VOLATILE.get(change.name)
        if reason != apsw.SQLITE_CHANGESET_DATA or volatile is None or change.old is None:
            return int(apsw.SQLITE_CHANGESET_ABORT)
        current = change.conflict
        columns = self._columns_of(change.name)
        for column, old, now in zip(columns, change.old, current or (), strict=False):
            if old is not apsw.no_change and old != now and column not in volatile:
                return int(apsw.SQLITE_CHANGESET_ABORT)
        return int(apsw.SQLITE_CHANGESET_REPLACE)

    def _columns_of(self, table: str) -> list[str]:
        if table not in self._columns:
            rows = self._db.rows("SELECT name FROM pragma_table_info(?)", (table,))
            self._columns[table] = [name for (name,) in rows]
        return self._columns[table]
