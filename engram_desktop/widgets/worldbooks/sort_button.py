"""The button that says by what entries are sorted, and its menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from engram_desktop.viewmodels.worldbooks.entry_table import sort_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.look.look import Look


class SortButton(QToolButton):
    apply_wanted = Signal()  # to make the sorting the entries' order

    def __init__(
        self, look: Look, worldbooks: WorldbookList, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self.setProperty("kind", "plain")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        look.dress(self, "down")
        menu = QMenu(self)
        group = QActionGroup(menu)
        self._actions = {}
        for key, text in sort_names().items():
            action = menu.addAction(text)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _checked=False, k=key: worldbooks.arranging.sort(k))
            self._actions[key] = action
        menu.addSeparator()
        self.reverse_action = menu.addAction(self.tr("The other way round"))
        self.reverse_action.setCheckable(True)
        self.reverse_action.triggered.connect(worldbooks.arranging.reverse)
        menu.addSeparator()
        self.apply_action = menu.addAction(self.tr("Apply this sorting as order…"))
        self.apply_action.triggered.connect(self.apply_wanted)
        menu.aboutToShow.connect(self._update_menu)
        self.setMenu(menu)
        worldbooks.entries.sorted_anew.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        table = self._worldbooks.entries
        name = sort_names()[table.sort_key]
        self.setText(f"{name} ↑" if table.is_reversed else name)
        self.setAccessibleName(self.tr("Sort entries: {how}").format(how=name))

    @Slot()
    def _update_menu(self) -> None:
        table = self._worldbooks.entries
        self._actions[table.sort_key].setChecked(True)
        self.reverse_action.setChecked(table.is_reversed)
        self.apply_action.setEnabled(self._worldbooks.row is not None and bool(table.all_entries))
