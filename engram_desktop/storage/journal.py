"""Undo and redo by session changesets, for a chat and for the library.

A step records what one transaction changed in the watched tables; undo applies the inverse in one
transaction, redo the changeset again. Triggers run too, so that indexes stay correct. Steps are
durable, labelled, and limited in number and size. The batches of a long job share a group and are
undone together, as long as nothing else was done between them. A step inside a step is part of it.
"""

from __future__ import annotations

import contextlib
import io
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

import apsw

from engram_desktop.domain import reports
from engram_desktop.domain.changes import StepLabel
from engram_desktop.domain.errors import Conflict, NothingToUndo
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.storage import tables as models
from engram_desktop.storage.database import Database
from engram_desktop.storage.schema.chat import WATCHED
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY

_T = QT_TRANSLATE_NOOP

SAME_TYPING_MS = 60_000  # milliseconds between two saves of one field that are still one step
# Bytes of packed steps that are kept: some 250 MB of changes, or 150 edits of a worldbook of a
# megabyte, each of which holds it twice.
_MOST = 64 * 1024 * 1024
# The changeset itself holds every row. What stands in the way rolls the whole transaction back;
# under a savepoint, each statement would keep behind what was kept before it.
_FLAGS = apsw.SQLITE_CHANGESETAPPLY_FKNOACTION | apsw.SQLITE_CHANGESETAPPLY_NOSAVEPOINT
_KEYLESS = frozenset({"evidence"})  # nobody asks which rows came or went: there may be 400,000


@dataclass(frozen=True, slots=True)
class Watch:
    """Which tables a journal records, and which differences are no conflict.

    ``volatile``: columns that the program sets outside of steps. ``free``: tables whose rows come
    and go outside of steps; what exists now stays. ``triggered``: tables whose rows are also
    deleted by triggers; a missing row is no conflict.
    """

    tables: tuple[str, ...]
    volatile: Mapping[str, frozenset[str]] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    triggered: frozenset[str] = frozenset()
    max_bytes: int = _MOST


_PACKED = b"\x78"  # first byte of zlib's format; a plain changeset begins with "T"
OF_CHAT = Watch(
    WATCHED,
    {
        # A migration gave events and their items other scopes than older steps hold.
        "event": frozenset({"is_embedded", "scope"}),
        "memory_item": frozenset({"scope"}),
        "entity": frozenset({"layout_x", "layout_y"}),
    },
    frozenset({"draft", "entity_due"}),
    frozenset({"shared_view"}),
)
OF_LIBRARY = Watch(
    WATCHED_IN_LIBRARY,
    {"regex_script": frozenset({"is_enabled", "fault"})},  # a run switches failed scripts off
    frozenset({"chat", "chat_book"}),  # rows come and go as chats are imported and deleted
)


@dataclass(slots=True)
class Touched:
    """What a changeset touches: primary keys and changed columns, by table.

    ``moved`` are the tables in which rows were inserted or deleted, not only updated.
    """

    keys: dict[str, set[object]] = field(default_factory=dict)
    columns: dict[str, set[str]] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def of(self, table: str) -> set[object]:
        return self.keys.get(table, set())

    def has_moved(self, *tables: str) -> bool:
        return not self.moved.isdisjoint(tables)

    def has_updated(self, table: str, *columns: str) -> bool:
        return not self.columns.get(table, set()).isdisjoint(columns)


@dataclass(frozen=True, slots=True)
class JournalState:
    """Identifies a state of the history; ``at`` is when the last step was written."""

    newest: int = 0
    at: int = 0
    undone: int = 0


@dataclass(frozen=True, slots=True)
class RowChange:
    """What a step did to one row (INSERT, UPDATE, DELETE), with its columns' former values."""

    label: StepLabel
    at: int
    op: str
    before: Mapping[str, object]


class Journal:
    """The undo history of one database."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int],
        max_steps: int = 200,
        watch: Watch = OF_CHAT,
    ) -> None:
        self._db = database
        self._clock = clock
        self._max_steps = max_steps
        self._watch = watch
        self._columns: dict[str, list[str]] = {}
        self._own = (0, 0)  # the newest step this process wrote, and when
        self._open_group: int | None = None  # group of the open step; guarded by the write lock

    @contextlib.contextmanager
    def step(self, label: StepLabel, group: int | None = None, *, typed: str = "") -> Iterator[int]:
        """Record everything the block writes as one undoable step; yields the group's number.

        The block and its record are one transaction, so neither exists without the other. Steps
        that change nothing are not stored. ``typed`` names a field being edited: repeated saves of
        it by this process, within a minute and with nothing done between, are one step.
        """
        with self._db.writing() as connection:
            if self._open_group is not None:
                yield self._open_group
                return
            session = apsw.Session(connection, "main")
            try:
                for table in self._watch.tables:
                    session.attach(table)
                self._open_group = self._continue(group)
                number = self._open_group
                yield number
                changeset = session.changeset()
            finally:
                self._open_group = None
                session.close()
            if typed:
                typed = f"{typed} in {os.getpid()}"  # another program's edit is a step of its own
                label = StepLabel(label.text, {**label.params, "typed": typed})
            if changeset and not (typed and self._extend(typed, changeset)):
                self._append(label, number, changeset)

    @contextlib.contextmanager
    def newest_step(self) -> Iterator[None]:
        """Record what the block writes as part of the newest step, if there is one."""
        with self._db.writing():
            newest = self._db.rows(
                "SELECT label, group_id FROM undo_step WHERE is_undone = 0 ORDER BY id DESC LIMIT 1"
            )
            if not newest:
                yield
                return
            with self.step(StepLabel.from_json(newest[0][0]), newest[0][1]):
                yield

    def undo(self, expected: int | None = None) -> tuple[StepLabel, Touched]:
        """Undo the newest step (with its group). Raises NothingToUndo, Conflict.

        ``expected`` is the step the user saw as the newest: a newer step of another process is not
        undone.
        """
        with self._db.replaying() as connection:
            newest = self._db.value("SELECT max(id) FROM undo_step WHERE is_undone = 0")
            rows = self._group_of(newest, undone=False)
            at = self._db.value("SELECT created_at FROM undo_step WHERE id = ?", (newest,))
            is_meant = (newest, at) == self._own or expected in [step for step, *_rest in rows]
            if expected is not None and not is_meant:
                label = StepLabel.from_json(rows[-1][1])
                step = Phrase(label.text, "steps", **label.params)
                raise Conflict(Phrase(_T("reports", "the newest step is now “{step}”"), step=step))
            touched = Touched()
            for _step, _label, changeset in reversed(rows):
                self._apply(connection, apsw.Changeset.invert(changeset), touched)
            self._mark(rows, undone=True)
            return StepLabel.from_json(rows[-1][1]), touched

    def redo(self) -> tuple[StepLabel, Touched]:
        """Redo the oldest undone step (with its group). Raises NothingToUndo, Conflict."""
        with self._db.replaying() as connection:
            oldest = self._db.value("SELECT min(id) FROM undo_step WHERE is_undone = 1")
            rows = self._group_of(oldest, undone=True)
            touched = Touched()
            for _step, _label, changeset in rows:
                self._apply(connection, changeset, touched)
            self._mark(rows, undone=False)
            return StepLabel.from_json(rows[-1][1]), touched

    def history(self, limit: int = 200) -> list[reports.UndoStep]:
        """Return the steps, one for each group, newest first."""
        rows = self._db.rows(
            "SELECT max(id), label, max(created_at), min(is_undone), sum(length(changeset))"
            " FROM undo_step GROUP BY group_id ORDER BY max(id) DESC LIMIT ?",
            (limit,),
        )
        return [
            reports.UndoStep(i, StepLabel.from_json(label), at, bool(undone), size)
            for i, label, at, undone, size in rows
        ]

    def changes_of(self, table: str, key: int) -> Iterator[RowChange]:
        """Yield what the steps in effect did to one row, the newest first."""
        steps = [i for (i,) in self._db.rows("SELECT id FROM undo_step WHERE is_undone = 0")]
        for step in sorted(steps, reverse=True):  # one at a time: together they may be 250 MB
            for label, packed, at in self._db.rows(
                "SELECT label, changeset, created_at FROM undo_step WHERE id = ?", (step,)
            ):
                for change in apsw.Changeset.iter(_unpacked(packed)):
                    if change.name == table and self._key(change) == key:
                        before = dict(self._before(change))
                        yield RowChange(StepLabel.from_json(label), at, change.op, before)

    def state(self) -> JournalState:
        return JournalState(
            *self._db.rows(
                "SELECT ifnull(max(id), 0), ifnull(max(created_at), 0), ifnull(sum(is_undone), 0)"
                " FROM undo_step"
            )[0]
        )

    def touched_since(self, before: JournalState, most: int) -> tuple[StepLabel, Touched] | None:
        """Return the label of the newest step and what the steps since ``before`` touched.

        None if that is not known: there are none, some were undone, or they hold more than ``most``
        bytes.
        """
        now = self.state()
        since = "id > ? OR created_at > ?"
        values = (before.newest, before.at)
        size = self._db.value(f"SELECT sum(length(changeset)) FROM undo_step WHERE {since}", values)
        if now.newest < before.newest or now.undone != before.undone or not 0 < (size or 0) <= most:
            return None
        rows = self._db.rows(
            f"SELECT label, changeset FROM undo_step WHERE {since} ORDER BY id", values
        )
        touched = Touched()
        for _label, packed in rows:
            self._note(_unpacked(packed), touched)
        return StepLabel.from_json(rows[-1][0]), touched

    def _before(self, change: apsw.TableChange) -> Iterator[tuple[str, object]]:
        for column, value in zip(self._columns_of(change.name), change.old or (), strict=False):
            if value is not apsw.no_change:
                yield column, value

    def _continue(self, group: int | None) -> int:
        if group is not None:
            newest = self._db.value(
                "SELECT group_id FROM undo_step WHERE is_undone = 0 ORDER BY id DESC LIMIT 1"
            )
            size_sql = "SELECT sum(length(changeset)) FROM undo_step WHERE group_id = ?"
            if newest == group and self._db.value(size_sql, (group,)) < self._watch.max_bytes // 4:
                return group
        return int(self._db.value("SELECT ifnull(max(group_id), 0) + 1 FROM undo_step"))

    def _extend(self, typed: str, changeset: bytes) -> bool:
        """Add a change to the newest step if that edited the same field; returns whether."""
        now = self._clock()
        rows = self._db.rows(
            "SELECT id, label, changeset, created_at, is_undone FROM undo_step"
            " ORDER BY is_undone DESC, id DESC LIMIT 1"
        )
        for step, label, packed, created_at, is_undone in rows:
            is_same = StepLabel.from_json(label).params.get("typed") == typed
            if is_undone or not is_same or now - created_at > SAME_TYPING_MS:
                return False
            joined = apsw.Changeset.concat(_unpacked(packed), changeset)
            models.UndoStepRow.update(changeset=_packed(joined), created_at=now).where(
                models.UndoStepRow.id == step
            ).execute(self._db)
            self._own = step, now
        return bool(rows)

    def _append(self, label: StepLabel, group: int, changeset: bytes) -> None:
        connection, now = self._db.connection(), self._clock()
        connection.execute("DELETE FROM undo_step WHERE is_undone = 1")
        models.UndoStepRow.insert(
            group_id=group, label=label.to_json(), changeset=_packed(changeset), created_at=now
        ).execute(self._db)
        self._own = connection.last_insert_rowid(), now
        connection.execute(
            "DELETE FROM undo_step WHERE group_id <= (SELECT max(group_id) - ? FROM undo_step)",
            (self._max_steps,),
        )
        # A group is deleted as a whole: half of one could not be undone.
        connection.execute(
            "DELETE FROM undo_step WHERE group_id <= (SELECT group_id FROM (SELECT id, group_id,"
            " sum(length(changeset)) OVER (ORDER BY id DESC) AS held FROM undo_step)"
            " WHERE held > ? AND group_id < ? ORDER BY id DESC LIMIT 1)",
            (self._watch.max_bytes, group),
        )

    def _group_of(self, step: int | None, *, undone: bool) -> list[tuple[int, str, bytes]]:
        if step is None:
            raise NothingToUndo
        return [
            (i, label, _unpacked(blob))
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
        self._note(changeset, touched)
        try:
            apsw.Changeset.apply(
                _pieces(changeset), connection, conflict=self._on_conflict, flags=_FLAGS
            )
        except (apsw.AbortError, apsw.ConstraintError) as e:
            raise Conflict(
                Phrase(_T("reports", "a later change to the same rows stands in the way"))
            ) from e

    def _note(self, changeset: bytes, touched: Touched) -> None:
        for change in apsw.Changeset.iter(changeset):
            name, is_update = change.name, change.op == "UPDATE"
            if not is_update:
                touched.moved.add(name)
                if name in _KEYLESS:
                    continue
            touched.keys.setdefault(name, set()).add(self._key(change))
            if is_update:
                touched.columns.setdefault(name, set()).update(self._updated(change))

    def _key(self, change: apsw.TableChange) -> object:
        values = change.new if change.op == "INSERT" else change.old
        return values[min(change.pk_columns)] if values is not None else None

    def _updated(self, change: apsw.TableChange) -> Iterator[str]:
        """Yield the columns that a change sets."""
        for column, value in zip(self._columns_of(change.name), change.new or (), strict=False):
            if value is not apsw.no_change:
                yield column

    def _on_conflict(self, reason: int, change: apsw.TableChange) -> int:
        if change.name in self._watch.free:
            return int(apsw.SQLITE_CHANGESET_OMIT)
        is_gone = reason == apsw.SQLITE_CHANGESET_NOTFOUND and change.op == "DELETE"
        if is_gone and change.name in self._watch.triggered:
            return int(apsw.SQLITE_CHANGESET_OMIT)
        volatile = self._watch.volatile.get(change.name)
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


def _packed(changeset: bytes) -> bytes:
    return zlib.compress(changeset, 1)


def _unpacked(packed: bytes) -> bytes:
    """Return the changeset; earlier versions stored it unpacked."""
    return zlib.decompress(packed) if packed.startswith(_PACKED) else packed


def _pieces(changeset: bytes) -> Callable[[int], bytes]:
    """Return a reader that passes a changeset on in pieces, so that other threads can run.

    Passed as a whole, it is applied without releasing the GIL, and the window froze meanwhile; the
    same with a reader that is not Python, such as the stream's own method.
    """
    stream = io.BytesIO(changeset)

    def read(size: int) -> bytes:
        return stream.read(size)

    return read
