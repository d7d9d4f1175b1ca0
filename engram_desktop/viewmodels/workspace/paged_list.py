"""A list model over 100,000 rows that holds keys, not rows.

Rows are fetched by page when they are painted; sorting and filtering happen where the keys come
from, never here. Only `data` may fetch: `flags` and `rowCount` are asked for every row by Ctrl+A.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

Row = TypeVar("Row")
AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()

PAGE = 128
MAX_PAGES = 64
MANY = 1024  # above it, re-reading what is on screen is quicker than looking up every row
KeyRole = Qt.ItemDataRole.UserRole
RowRole = Qt.ItemDataRole.UserRole + 1


class PagedListModel(QAbstractListModel, Generic[Row]):
    """Subclasses say what a row reads as; ``fetch`` gives rows by key."""

    def __init__(
        self, fetch: Callable[[Sequence[int]], Mapping[int, Row]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._keys: array[int] = array("q")
        self._row_of: dict[int, int] = {}
        self._pages: OrderedDict[int, Mapping[int, Row]] = OrderedDict()

    def text(self, row: Row) -> str:
        raise NotImplementedError

    def spoken_text(self, row: Row) -> str:
        """Text for a screen reader: the row's text, and in words what is only drawn."""
        return self.text(row)

    def set_keys(self, keys: array[int]) -> None:
        """Show these rows, in this order. The query ran on another thread."""
        self.beginResetModel()
        self._keys = keys
        self._row_of = {}
        self._pages.clear()
        self.endResetModel()

    def refresh(self, keys: Collection[int] | None = None) -> None:
        """Re-read rows whose content changed; their order and number did not."""
        if not self._keys:
            return
        if keys is None or len(keys) > MANY:
            rows = [0, len(self._keys) - 1]
            self._pages.clear()
        else:
            rows = sorted(n for key in keys if (n := self.row_of(key)) is not None)
            for number in {row // PAGE for row in rows}:
                self._pages.pop(number, None)
        if rows:
            self.dataChanged.emit(self.index(rows[0]), self.index(rows[-1]))

    def keys(self, first: int = 0, last: int | None = None) -> array[int]:
        """Keys of rows ``first``..``last``, both included."""
        return self._keys[first : len(self._keys) if last is None else last + 1]

    def row_of(self, key: int) -> int | None:
        if not self._row_of:
            self._row_of = {key: n for n, key in enumerate(self._keys)}
        return self._row_of.get(key)

    def row_at(self, row: int) -> Row | None:
        """Fetch the page of ``row`` if need be. None if the row is gone meanwhile."""
        number = row // PAGE
        page = self._pages.get(number)
        if page is None:
            page = self._fetch(self._keys[number * PAGE : (number + 1) * PAGE])
            self._pages[number] = page
            if len(self._pages) > MAX_PAGES:
                self._pages.popitem(last=False)
        else:
            self._pages.move_to_end(number)
        return page.get(self._keys[row])

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._keys)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == KeyRole:
            return self._keys[index.row()]
        if role not in (
            RowRole,
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return None  # every other role returns before any fetch
        row = self.row_at(index.row())
        if row is None or role == RowRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row)
        return self.spoken_text(row)

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemNeverHasChildren
        )
