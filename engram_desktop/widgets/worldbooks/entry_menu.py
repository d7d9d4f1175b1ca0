"""What a right click offers on an entry and on a heading of the list of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from engram_desktop.viewmodels.worldbooks.entry_rows import HeadingRow
from engram_desktop.viewmodels.worldbooks.entry_table import mode_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.basics.pieces import literal
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.worldbooks.mode_lamp import LAMPS

Uid = int | str


class EntryMenu(QObject):
    large_wanted = Signal()
    heading_wanted = Signal(object)  # uids that come under a heading to be named
    rename_wanted = Signal(str)  # a heading

    def __init__(self, look: Look, worldbooks: WorldbookList, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._worldbooks = worldbooks
        self._widget = parent

    def open(self, heading: HeadingRow | None, uids: Sequence[Uid], where: QPoint) -> None:
        """Open the menu of what is there; it is freed when it closes."""
        if self._worldbooks.row is None or (heading is None and not uids):
            return
        menu = QMenu(self._widget)
        if heading is not None:
            self._fill_for_heading(menu, heading)
        else:
            self._fill_for_entries(menu, uids)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def _fill_for_heading(self, menu: QMenu, heading: HeadingRow) -> None:
        arranging = self._worldbooks.arranging
        on, off = self.tr("Switch all of it on"), self.tr("Switch all of it off")
        self._add(menu, on, lambda: arranging.switch(heading, is_on=True), "lamp", "green")
        self._add(menu, off, lambda: arranging.switch(heading, is_on=False), "lamp_off", "ink3")
        menu.addSeparator()
        rename = self.tr("Rename the heading…")
        self._add(menu, rename, lambda: self.rename_wanted.emit(heading.name), "edit")
        dissolve = self.tr("Take the heading away, keep its entries")
        self._add(menu, dissolve, lambda: arranging.rename(heading.name, ""), "close")

    def _fill_for_entries(self, menu: QMenu, uids: Sequence[Uid]) -> None:
        worldbooks = self._worldbooks
        large = self.tr("Edit in a large window…")
        self._add(menu, large, self.large_wanted.emit, "edit")
        modes = menu.addMenu(self.tr("Mode"))
        for mode, name in mode_names().items():
            self._add(modes, name, partial(worldbooks.set_mode, uids, mode), *LAMPS[mode])
        below = menu.addMenu(self.tr("Put under a heading"))
        arranging = worldbooks.arranging
        for name in worldbooks.entries.headings:
            self._add(below, name, partial(arranging.put_under, uids, name))
        below.addSeparator()
        new = self.tr("New heading…")
        self._add(below, new, lambda: self.heading_wanted.emit(tuple(uids)), "plus")
        self._add(below, self.tr("None"), lambda: arranging.put_under(uids, ""))
        menu.addSeparator()
        delete = self.tr("Delete")
        self._add(menu, delete, lambda: worldbooks.delete(uids), "trash")

    def _add(
        self, menu: QMenu, text: str, act: Callable[[], object], icon: str = "", role: str = "ink2"
    ) -> None:
        action = menu.addAction(literal(text))
        if icon:
            action.setIcon(self._look.icon(icon, role))
        action.triggered.connect(lambda _checked=False: act())
