"""Entries moved by a drag or by keys: to another place in their order, or under a heading."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList

Uid = int | str


class EntryMoves(QObject):
    """``selected`` says which entries a move is about."""

    def __init__(
        self, worldbooks: WorldbookList, selected: Callable[[], Sequence[Uid]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self._selected = selected

    @Slot(int)
    def step(self, by: int) -> None:
        """Move what is selected one place up or down."""
        if self._can_move():
            self._worldbooks.arranging.step(self._selected(), by)

    @Slot(int)
    def drop(self, row: int) -> None:
        """Move what is selected before a row, and under the heading it comes to stand under."""
        entries, uids = self._worldbooks.entries, self._selected()
        heading = self._heading_above(row, uids)
        if not self._worldbooks.arranging.can_move:
            is_other = any(e is not None and e.heading != heading for e in map(entries.entry, uids))
            if is_other and not entries.is_searched:
                self._worldbooks.arranging.put_under(uids, heading)
                return
        if not self._can_move():
            return
        before = None
        for below in range(row, entries.rowCount()):
            uid = entries.uid_at(below)
            entry = entries.entry(uid)
            if entry is None or entry.heading != heading:
                break  # the end of what stands under this heading
            if uid not in uids:
                before = uid
                break
        self._worldbooks.arranging.move(uids, before, heading)

    def _heading_above(self, row: int, uids: Sequence[int | str]) -> str:
        """Return the heading that something before ``row`` stands under."""
        entries = self._worldbooks.entries
        for above in range(row - 1, -1, -1):
            heading = entries.heading_at(above)
            if heading is not None:
                return heading.name
            entry = entries.entry(entries.uid_at(above))
            if entry is not None and entry.uid not in uids:
                return entry.heading
        return ""

    def _can_move(self) -> bool:
        """Say why entries cannot be moved, if they cannot."""
        if not self._worldbooks.is_memory and not self._worldbooks.arranging.can_move:
            self._worldbooks.tell_how_to_move()
        return not self._worldbooks.is_memory and self._worldbooks.arranging.can_move
