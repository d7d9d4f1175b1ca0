"""The list of events with columns: the same rows and pages, each told by its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import EventNode, EventSort
from engram_desktop.domain.memory.facets import Facet
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.facet_words import value_words
from engram_desktop.viewmodels.workspace.paged_list import KeyRole, RowRole

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
COLUMNS: tuple[str, ...] = (
    "status",
    "time",
    "floors",
    "summary",
    "entities",
    "significance",
    "tokens",
    "updated",
)
SUMMARY = COLUMNS.index("summary")
SORTS: dict[str, EventSort] = {
    "status": "status",
    "time": "story",
    "floors": "story",
    "summary": "summary",
    "significance": "significance",
    "tokens": "tokens",
    "updated": "updated",
}
NAMES_SHOWN = 12  # of the entities in a cell: more is never seen


_TEXTS = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def _state_of(row: EventNode) -> Facet:
    return Facet("level", str(row.level)) if row.level else Facet("status", row.status)


def _floors_of(row: EventNode) -> str:
    first, last = row.source_range.start_index, row.source_range.end_index
    return f"{first}" if first == last else f"{first}–{last}"


def _names_of(row: EventNode) -> list[str]:
    names = [e.name for e in row.raw_data.entities] or list(row.participants)
    return names[:NAMES_SHOWN]


class EventTableModel(QAbstractTableModel):
    """Holds nothing of its own: the list has the keys and the pages."""

    def __init__(self, events: EventList, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events = events
        rows = events.model
        rows.modelAboutToBeReset.connect(self.beginResetModel)
        rows.modelReset.connect(self.endResetModel)
        rows.dataChanged.connect(self._on_content)

    def title(self, column: str) -> str:
        return {
            "status": self.tr("State"),
            "time": self.tr("Story time"),
            "floors": self.tr("Floors"),
            "summary": self.tr("Summary"),
            "entities": self.tr("Entities"),
            "significance": self.tr("Significance"),
            "tokens": self.tr("Tokens"),
            "updated": self.tr("Changed"),
        }[column]

    def text(self, row: EventNode, column: str) -> str:
        told: dict[str, Callable[[], str]] = {
            "status": lambda: value_words(_state_of(row)),
            "time": lambda: row.raw_data.timestamp,
            "floors": lambda: _floors_of(row),
            "summary": lambda: " ".join(row.summary.split()),
            "entities": lambda: self.tr(", ").join(_names_of(row)),
            "significance": lambda: f"{row.significance_score:.0%}",
            "tokens": lambda: str(estimate_tokens(row.summary)),
            "updated": lambda: QLocale().toString(
                QDateTime.fromMSecsSinceEpoch(row.updated_at), QLocale.FormatType.ShortFormat
            ),
        }
        return told[column]()

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else self._events.model.rowCount()

    @override
    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.title(COLUMNS[section])
        return None

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        rows, column = self._events.model, COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            is_number = column in {"significance", "tokens"}
            side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role in (KeyRole, RowRole):
            return rows.data(rows.index(index.row()), role)
        row = rows.row_at(index.row()) if role in _TEXTS else None
        return None if row is None else self._told(row, column, role)

    def _told(self, row: EventNode, column: str, role: int) -> str:
        if role == Qt.ItemDataRole.EditRole:
            return row.summary
        text = self.text(row, column)
        is_spoken = role == Qt.ItemDataRole.AccessibleTextRole
        return f"{self.title(column)}: {text}" if is_spoken else text

    @override
    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._events.model.row_at(index.row())
        text = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or row is None or not text or text == row.summary:
            return False
        self._events.rename(row.pk, text)
        return True

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == SUMMARY:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemNeverHasChildren

    @Slot(QModelIndex, QModelIndex)
    def _on_content(self, first: QModelIndex, last: QModelIndex) -> None:
        self.dataChanged.emit(self.index(first.row(), 0), self.index(last.row(), len(COLUMNS) - 1))
