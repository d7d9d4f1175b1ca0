"""The grid of events and persons: rows of the event list, one column per person.

Cells are read by pages in the background, so that scrolling waits for no query; unread pages are
blank. Who learnt of an event later takes longer to find and is filled in event by event.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    GridCell,
    GridChange,
    GridPerson,
    GridState,
    Knower,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.workspace.choice_texts import how_words
from engram_desktop.viewmodels.workspace.live_query import (
    AnyIndex,
    KeyRole,
    LiveQuery,
    RowRole,
    newest_answer,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace

CellRole = RowRole + 3
PAGE = 64  # rows read together: more than a screen holds
MOST_PAGES = 64  # pages held in memory; the oldest are dropped and read again when shown
REST_MS = 200  # milliseconds without scrolling before later listeners are looked up
# Cells that are changed in one step: about a second of writing. The message says it.
MOST_CELLS = 20_000
_NO_INDEX = QModelIndex()
Cells = dict[int, tuple[GridCell, ...]]


def state_names() -> dict[GridState, str]:
    """Return the display name of each state."""
    return {
        "present": QCoreApplication.translate("WitnessGrid", "Present"),
        "knows": QCoreApplication.translate("WitnessGrid", "Knows"),
        "kept": QCoreApplication.translate("WitnessGrid", "Must not know"),
        "unaware": QCoreApplication.translate("WitnessGrid", "Unaware"),
    }


def cell_words(cell: GridCell) -> str:
    """Return what a cell shows, and why, in words."""
    words = [state_names()[cell.state]]
    if cell.is_leak:
        words.append(state_names()["kept"])
    if cell.how == "condition":
        words.append(
            QCoreApplication.translate("WitnessGrid", "known only while a condition holds")
        )
    elif cell.is_said:
        words.append(QCoreApplication.translate("WitnessGrid", "you say so"))
    elif cell.how == "member":
        words.append(QCoreApplication.translate("WitnessGrid", "through a group"))
    elif cell.how == "everybody":
        words.append(QCoreApplication.translate("WitnessGrid", "it is public"))
    elif cell.state in ("present", "knows"):
        words.append(how_words(Knower("", cell.from_floor, cell.how)))
    if cell.state == "knows" and cell.how != "everybody":
        since = QCoreApplication.translate("WitnessGrid", "since floor {floor}")
        words.append(since.format(floor=cell.from_floor))
    return " · ".join(words)


class WitnessGrid(QAbstractTableModel):
    """Cells by event and person, with the statements of the user."""

    people_changed = Signal()

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._events = events
        self.people: list[GridPerson] = []
        self._added: list[str] = []  # names added here that have no cell set yet
        self._cells: dict[int, list[GridCell]] = {}  # by the key of the event
        self._pages: OrderedDict[int, None] = OrderedDict()  # pages that are read or being read
        self._wanted: list[int] = []  # pages shown but not read, the newest last
        self._asked: tuple[int, ...] = ()
        self._people = LiveQuery(
            workspace,
            "persons of the grid",
            self._ask_people,
            self._show_people,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._people.set_active(False)
        self._reading = newest_answer(workspace, self._on_read, self)
        self._telling = newest_answer(workspace, self._on_told, self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read)
        self._told_of: list[int] = []
        self._pause = QTimer(self, singleShot=True, interval=REST_MS)
        self._pause.timeout.connect(self._ask_told)
        rows = events.model
        rows.modelAboutToBeReset.connect(self.beginResetModel)
        rows.modelReset.connect(self._on_rows)
        rows.dataChanged.connect(self._on_content)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - shown or not
        """Start or stop reading; it reads only while the grid is shown."""
        self._people.set_active(active)

    @property
    def is_loaded(self) -> bool:
        """Return whether the persons of the shown chat have been read."""
        return self._people.has_answer

    def cell(self, row: int, column: int) -> GridCell | None:
        """Return a cell; None if it is not read yet."""
        cells = self._cells.get(self._key(row), ())
        return cells[column] if column < len(cells) else None

    def _key(self, row: int) -> int:
        return self._events.model.keys(row, row)[0]

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else self._events.model.rowCount()

    @override
    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.people)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if role not in (*shown, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.people[section].name if section < len(self.people) else None
        event = self._events.model.row_at(section)
        return None if event is None else " ".join(event.summary.split())

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == KeyRole:
            return self._key(index.row())
        if role == CellRole:
            return self.cell(index.row(), index.column())
        if role not in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        cell = self.cell(index.row(), index.column())
        if cell is None:
            return None
        name = self.people[index.column()].name
        event = self.headerData(index.row(), Qt.Orientation.Vertical) or ""
        return f"{name}: {cell_words(cell)}\n{event}"

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemNeverHasChildren

    def add_person(self, name: str) -> None:
        """Add a column for a name that the chat does not know; kept once a cell is set."""
        name = " ".join(name.split())
        if not name or self.column_of(name) is not None:
            return
        self._added.append(name)
        self._set_people([*self.people, GridPerson(name, frozenset({norm_name(name)}))])

    def column_of(self, name: str) -> int | None:
        """Return the column of a person, found by any of their names."""
        norm = norm_name(name)
        return next((n for n, person in enumerate(self.people) if norm in person.norms), None)

    def say(self, cells: Iterable[tuple[int, int]], state: GridState | None) -> None:
        """Set (row, column) cells to ``state`` in one step; None removes what the user set."""
        places = list(cells)
        if not places or not self.people:
            return
        if len(places) > MOST_CELLS:
            self._space.messages.tell(
                self.tr("{count} cells are more than can be changed at once: {most}.").format(
                    count=len(places), most=MOST_CELLS
                ),
                kind="warning",
            )
            return
        keys = sorted({self._key(row) for row, _column in places})
        of_row = {row: self._key(row) for row, _column in places}
        columns = {column: self.people[column].name for _row, column in places}
        line, memory, at = self._space.line, self._space.memory, self._space.at
        if state is not None:
            self._show_said(places, GridCell(state, is_said=True))

        def work(_ctx: JobContext) -> Changes:
            events = memory.events.fetch(line.chat_id, keys)
            return memory.knowledge.say_grid(
                line,
                [
                    GridChange(
                        event.id,
                        columns[column],
                        state,
                        max(event.source_range.end_index, at or 0),
                    )
                    for row, column in places
                    if (event := events.get(of_row[row])) is not None
                ],
            )

        job = self._space.change(self.tr("Saying who was there"), work)
        job.failed.connect(lambda _error: self._refresh())

    def ask_who(self, row: int) -> None:
        """Ask for the dialog that shows who knows the event of a row."""
        self._events.ask_who([self._key(row)])

    def read_messages(self, row: int) -> None:
        """Show the messages that the event of a row summarises."""
        event = self._events.model.row_at(row)
        if event is not None:
            self._events.read_messages(event)

    def _show_said(self, places: Collection[tuple[int, int]], cell: GridCell) -> None:
        """Show the new state in the cells before it is written."""
        for row, column in places:
            cells = self._cells.get(self._key(row))
            if cells is not None and column < len(cells):
                cells[column] = cell
        rows = [row for row, _column in places]
        columns = [column for _row, column in places]
        self.dataChanged.emit(
            self.index(min(rows), min(columns)), self.index(max(rows), max(columns))
        )

    def _ask_people(self) -> Callable[[JobContext], list[GridPerson]] | None:
        line, memory = self._space.line, self._space.memory
        if not line.chat_id:
            return None
        return lambda ctx: memory.knowledge.grid_people(ctx, line)

    def _show_people(self, people: list[GridPerson]) -> None:
        known = {norm for person in people for norm in person.norms}
        self._added = [name for name in self._added if norm_name(name) not in known]
        new = [GridPerson(name, frozenset({norm_name(name)})) for name in self._added]
        self._set_people([*people, *new])
        self._refresh()
        if not self.people:
            self.people_changed.emit()  # the chat is now known to have no persons

    def _set_people(self, people: list[GridPerson]) -> None:
        if people == self.people:
            return
        self.beginResetModel()
        self.people = people
        self._drop()
        self.endResetModel()
        self.people_changed.emit()

    def _drop(self) -> None:
        self._reading.drop()
        self._pause.stop()
        self._telling.drop()
        self._cells.clear()
        self._pages.clear()
        self._wanted.clear()

    def _forget(self) -> None:
        self._added.clear()
        self._set_people([])

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and bool(
            changes.knowledge
            or changes.rows
            or changes.texts
            or changes.messages
            or changes.graph
            or changes.entities
        )

    def _refresh(self) -> None:
        """Read the shown pages again; the old cells stay until then."""
        self._pages.clear()
        self._wanted.clear()
        if self.rowCount() and self.people:
            last = self.index(self.rowCount() - 1, len(self.people) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def seen(self, first: int, last: int) -> None:
        """Set which rows are on the screen, so that their pages are read."""
        for page in range(first // PAGE, last // PAGE + 1):
            self._want(page)

    def _want(self, page: int) -> None:
        if page in self._pages or not self.people:
            return
        if page in self._wanted:
            self._wanted.remove(page)
        self._wanted.append(page)
        self._soon.start()

    @Slot()
    def _read(self) -> None:
        line, memory, at = self._space.line, self._space.memory, self._space.at
        pages = self._wanted[-3:]  # a screen covers two pages; skip those that were scrolled past
        self._wanted.clear()
        if not line.chat_id or not pages:
            return
        for page in self._asked if self._reading.is_busy else ():
            self._pages.pop(page, None)  # was requested, and is dropped now
        self._asked = tuple(pages)
        for page in pages:
            self._pages[page] = None
            self._pages.move_to_end(page)
        keys = [
            key
            for page in sorted(pages)
            for key in self._events.model.keys(page * PAGE, (page + 1) * PAGE - 1)
        ]
        people = tuple(self.people)
        self._pause.stop()
        self._telling.drop()
        self._reading.ask(lambda ctx: memory.knowledge.grid_rows(ctx, line, keys, people, at))

    @Slot(object)
    def _on_read(self, cells: Cells) -> None:
        width = len(self.people)
        for key, row in cells.items():
            if len(row) == width:
                self._cells[key] = list(row)
        self._tell(list(cells))
        while len(self._pages) > MOST_PAGES:
            page, _none = self._pages.popitem(last=False)
            for key in self._events.model.keys(page * PAGE, (page + 1) * PAGE - 1):
                self._cells.pop(key, None)
        self._told_of = list(cells)
        self._pause.start()

    @Slot()
    def _ask_told(self) -> None:
        line, memory, at = self._space.line, self._space.memory, self._space.at
        people, keys = tuple(self.people), self._told_of
        if line.chat_id and keys:
            self._telling.ask(
                lambda ctx: memory.knowledge.grid_learned_later(ctx, line, keys, people, at)
            )

    @Slot(object)
    def _on_told(self, told: Mapping[int, Mapping[int, GridCell]]) -> None:
        for key, cells in told.items():
            row = self._cells.get(key, [])
            for column, cell in cells.items():
                if column < len(row) and row[column] == GridCell():
                    row[column] = cell
        self._tell(list(told))

    def _tell(self, keys: Sequence[int]) -> None:
        rows = self._events.model.rows_of(keys)
        if rows and self.people:
            self.dataChanged.emit(
                self.index(rows[0], 0), self.index(rows[-1], len(self.people) - 1)
            )

    @Slot()
    def _on_rows(self) -> None:
        self._drop()
        self.endResetModel()

    @Slot(QModelIndex, QModelIndex)
    def _on_content(self, first: QModelIndex, last: QModelIndex) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Vertical, first.row(), last.row())
