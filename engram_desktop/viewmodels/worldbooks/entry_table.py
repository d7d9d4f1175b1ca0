"""The entries of one worldbook as a table: title, mode, keywords, order, tokens, what it does now.

Rows are filtered here: even 10,000 of them are held whole, since their worldbook was read whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from typing_extensions import override

from engram_desktop.domain.worldbooks.worldbook import Entry, EntryMode
from engram_desktop.viewmodels.workspace.messages import translated

if TYPE_CHECKING:
    from engram_desktop.domain.worldbooks.activation import Outcome

ModeRole = Qt.ItemDataRole.UserRole  # EntryMode
COLUMNS = ("title", "mode", "keys", "order", "tokens", "now")
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def _alignment(column: str) -> Qt.AlignmentFlag | None:
    is_number = column in ("order", "tokens")
    return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter if is_number else None


def mode_names() -> dict[EntryMode, str]:
    """Say when an entry joins the prompt, in the words players use."""
    return {
        "constant": QCoreApplication.translate("EntryTable", "Constant"),
        "selective": QCoreApplication.translate("EntryTable", "Triggered"),
        "vectorized": QCoreApplication.translate("EntryTable", "Vectorized"),
        "disabled": QCoreApplication.translate("EntryTable", "Disabled"),
    }


class EntryTable(QAbstractTableModel):
    """Entries that match the search, in the order of the worldbook."""

    counted = Signal(int, int, int)  # shown, all, tokens of all that are not disabled

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Entry, ...] = ()
        self._rows: list[Entry] = []
        self._outcomes: Mapping[int | str, Outcome] = {}
        self._tokens: Mapping[int | str, int] = {}
        self._by_uid: dict[int | str, Entry] = {}
        self._words = ""

    def show_entries(
        self,
        entries: Sequence[Entry],
        outcomes: Mapping[int | str, Outcome],
        tokens: Mapping[int | str, int],
    ) -> None:
        """Show another state of the worldbook; rows that stay keep their place."""
        is_same = [e.uid for e in entries] == [e.uid for e in self._all]
        self._all, self._outcomes, self._tokens = tuple(entries), outcomes, tokens
        self._by_uid = {entry.uid: entry for entry in entries}
        rows = self._matching()
        if is_same and [e.uid for e in rows] == [e.uid for e in self._rows]:
            self._rows = rows
            if rows:
                last = self.index(len(rows) - 1, len(COLUMNS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            self._count()
        else:
            self._reset(rows)

    def search(self, text: str) -> None:
        """Show only entries with these words in title, keywords or content."""
        self._words = text.strip().casefold()
        self._reset(self._matching())

    def entry(self, uid: int | str | None) -> Entry | None:
        return None if uid is None else self._by_uid.get(uid)

    def uid_at(self, row: int) -> int | str:
        return self._rows[row].uid

    def row_of(self, uid: int | str) -> int | None:
        return next((n for n, entry in enumerate(self._rows) if entry.uid == uid), None)

    @override
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles()[section]
        return _alignment(COLUMNS[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self._rows[index.row()], COLUMNS[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(entry, column)
        if role == ModeRole:
            return entry.mode
        if role == Qt.ItemDataRole.ToolTipRole and column in ("keys", "now"):
            return self._text(entry, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def _text(self, entry: Entry, column: str) -> str:
        match column:
            case "title":
                return entry.title
            case "mode":
                return mode_names()[entry.mode]
            case "keys":
                return ", ".join(entry.keys)
            case "order":
                return f"{entry.order:g}"
            case "tokens":
                return f"{self._tokens.get(entry.uid, 0):,}"
            case _:
                return self.why(entry)

    def why(self, entry: Entry) -> str:
        """Say what the entry does in the chat shown, and why."""
        outcome = self._outcomes.get(entry.uid)
        if outcome is None:
            return ""
        reason = translated(outcome.reason.phrase)
        fires = self.tr("Fires: {reason}") if outcome.has_fired else self.tr("Silent: {reason}")
        return fires.format(reason=reason)

    def _titles(self) -> tuple[str, ...]:
        return (
            self.tr("Entry"),
            self.tr("Mode"),
            self.tr("Keywords"),
            self.tr("Order"),
            self.tr("Tokens"),
            self.tr("In this chat now"),
        )

    def _matching(self) -> list[Entry]:
        if not self._words:
            return list(self._all)
        return [
            entry
            for entry in self._all
            if self._words in "\n".join((entry.comment, *entry.keys, entry.content)).casefold()
        ]

    def _reset(self, rows: list[Entry]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()
        self._count()

    def _count(self) -> None:
        tokens = sum(self._tokens.get(e.uid, 0) for e in self._all if not e.is_disabled)
        self.counted.emit(len(self._rows), len(self._all), tokens)
