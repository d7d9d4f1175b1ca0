"""The rows of the panel that is typed into: groups, hits, commands, places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from typing_extensions import override

from engram_desktop.domain.search.hit import Passage
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.workspace.paged_list import AnyIndex, RowRole

_NO_INDEX = QModelIndex()


@dataclass(frozen=True, slots=True)
class QuickRow:
    """One row. ``value`` is what it stands for; one without is a heading.

    ``aside`` stands at the right: where it is, or its key. ``tints`` are lamps, by the name of
    their colour, and ``spoken`` says of them in words.
    """

    icon: str
    title: Passage
    value: object = None
    passage: Passage = Passage("")
    aside: str = ""
    tints: tuple[str, ...] = ()
    spoken: str = ""
    can_forget: bool = False
    kind: Literal["row", "more"] = "row"

    @property
    def is_heading(self) -> bool:
        return self.value is None


class QuickRows(QAbstractListModel):
    """What is shown now. Headings cannot be chosen."""

    def show(self, rows: Sequence[QuickRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    _rows: tuple[QuickRow, ...] = ()

    @property
    def rows(self) -> tuple[QuickRow, ...]:
        return self._rows

    def next_row(self, row: int, step: int) -> int:
        """Return the row to be chosen ``step`` rows on that is no heading; -1 for none."""
        places = [n for n, one in enumerate(self._rows) if not one.is_heading]
        if not places:
            return -1
        if row not in places:
            return places[0] if step >= 0 else places[-1]
        at = places.index(row) + step
        if abs(step) == 1:  # from one end to the other
            return places[at % len(places)]
        return places[min(max(at, 0), len(places) - 1)]

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].is_heading:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title.text
            case Qt.ItemDataRole.AccessibleTextRole:
                parts = (row.title.text, row.spoken, row.aside, row.passage.text)
                return ". ".join(part for part in parts if part)
            case _ if role == RowRole:
                return row
        return None
