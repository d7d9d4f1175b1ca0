"""Make the sorting of a list of entries their order: what changes is shown before it is done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.worldbooks.listed.sorting import FIRST_ORDER
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.basics.layouts import add_row
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField

MOST_ORDER = 1_000_000  # bounds mistakes; SillyTavern has no limit of its own
SHOWN = 500  # changes in the list: of more, the first tell enough


class SortDialog(FramedDialog):
    def __init__(self, worldbooks: WorldbookList, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=520)
        self._worldbooks = worldbooks
        count = len(worldbooks.entries.all_entries)
        self.set_title(self.tr("Apply the sorting as order"))
        hint = self.tr(
            "Every entry gets an order by its place in the list: the uppermost has the highest, is"
            " looked at first and stands nearest to the chat."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.first = NumberField(-MOST_ORDER, MOST_ORDER)
        self.first.setAccessibleName(self.tr("Order of the uppermost entry"))
        self.first.setValue(max(FIRST_ORDER, count))
        self.first.valueChanged.connect(self._show)
        add_row(self.body, self.tr("Order of the uppermost entry"), self.first)
        self._count = label("", "section")
        self.body.addWidget(self._count)
        self.changes = QTreeWidget()
        self.changes.setAccessibleName(self.tr("What changes"))
        self.changes.setRootIsDecorated(False)
        self.changes.setUniformRowHeights(True)
        self.changes.setHeaderLabels([self.tr("Entry"), self.tr("Order now"), self.tr("Then")])
        header = self.changes.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.changes.setMinimumHeight(180)
        self.body.addWidget(self.changes, 1)
        self.add_close(self.tr("Cancel"))
        self.apply_button = self.add_button(self.tr("Apply"), "main")
        self.apply_button.clicked.connect(self._apply)
        self._show()

    @Slot()
    def _show(self) -> None:
        changes = self._worldbooks.arranging.order_changes(self.first.value())
        self.changes.clear()
        for change in changes[:SHOWN]:
            texts = [change.entry.title, f"{change.entry.order:g}", f"{change.order:g}"]
            item = QTreeWidgetItem(texts)
            for number in (1, 2):
                item.setTextAlignment(number, Qt.AlignmentFlag.AlignRight)
            self.changes.addTopLevelItem(item)
        text = self.tr("%n entry(ies) get another order", "", len(changes))
        self._count.setText(text if changes else self.tr("Nothing changes"))
        self.apply_button.setEnabled(bool(changes))

    @Slot()
    def _apply(self) -> None:
        self._worldbooks.arranging.apply_sort(self.first.value())
        self.close()
