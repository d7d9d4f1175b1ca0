"""Regex scripts and the program's own rules: in the order they run, each with its switch."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.text.text_steps import TextStep
from engram_desktop.viewmodels.prompts.script_list import ScriptList, ScriptRow
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.list_keys import call_with
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.text_fields import TextField

_KEY = Qt.ItemDataRole.UserRole


class ScriptPage(QWidget):
    def __init__(self, scripts: ScriptList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scripts = scripts
        self._is_filling = False
        rows = column(self, 0, 8)
        hint = self.tr(
            "Messages go through these before a model reads them, from top to bottom. What is"
            " stored never changes. Scripts that only change the display are not run."
        )
        rows.addWidget(label(hint, "quiet", wrap=True))
        self.tree = self._make_tree()
        rows.addWidget(self.tree, 1)
        rows.addLayout(self._make_buttons())
        rows.addLayout(self._make_trial())
        scripts.read_done.connect(self._on_read)
        scripts.tried.connect(self._on_tried)
        self._update_buttons()
        scripts.read()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Scripts and rules"))
        tree.setHeaderLabels([self.tr("Name"), self.tr("Whose"), self.tr("Looks for")])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = tree.header()
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        tree.setColumnWidth(0, 260)
        tree.setColumnWidth(1, 160)
        tree.itemChanged.connect(self._on_switched)
        tree.currentItemChanged.connect(self._update_buttons)
        return tree

    def _make_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.add_button = text_button(self.tr("Add scripts…"))
        self.up_button = text_button(self.tr("Earlier"))
        self.down_button = text_button(self.tr("Later"))
        self.export_button = text_button(self.tr("Export…"))
        self.delete_button = text_button(self.tr("Delete"))
        self.add_button.clicked.connect(self._add)
        self.up_button.clicked.connect(lambda: self._scripts.move(self._key(), -1))
        self.down_button.clicked.connect(lambda: self._scripts.move(self._key(), 1))
        self.export_button.clicked.connect(self._export)
        self.delete_button.clicked.connect(lambda: self._scripts.delete(self._key()))
        call_with(self.tree, Qt.Key.Key_Delete, self.delete_button.click)
        line.addWidget(self.add_button)
        line.addStretch(1)
        for button in (self.up_button, self.down_button, self.export_button, self.delete_button):
            line.addWidget(button)
        return line

    def _make_trial(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.text = TextField(self.tr("Text to try it on"))
        self.text.setPlaceholderText(self.tr("Text to try it on"))
        self.result = TextField(self.tr("What comes of it"))
        self.result.setPlaceholderText(self.tr("What comes of it"))
        self.result.setReadOnly(True)
        self.try_button = text_button(self.tr("Try"))
        self.try_button.setToolTip(self.tr("Run the chosen script, or all that are on"))
        self.try_button.clicked.connect(self._try)
        for field in (self.text, self.result):
            field.setFixedHeight(84)
        line.addWidget(self.text, 1)
        line.addWidget(self.try_button)
        line.addWidget(self.result, 1)
        return line

    def _key(self) -> str:
        item = self.tree.currentItem()
        return str(item.data(0, _KEY)) if item is not None else ""

    def _is_script(self) -> bool:
        return bool(self._key()) and not self._key().startswith("own:")

    def _try(self) -> None:
        self._scripts.try_on(self.text.toPlainText(), self._key() if self._is_script() else "")

    def _add(self) -> None:
        names, _filter = QFileDialog.getOpenFileNames(
            self, self.tr("Add scripts"), "", self.tr("Regex scripts (*.json);;All files (*)")
        )
        if names:
            self._scripts.take([Path(name) for name in names])

    def _export(self) -> None:
        name, _filter = QFileDialog.getSaveFileName(
            self, self.tr("Export"), "", self.tr("Regex scripts (*.json)")
        )
        if name:
            self._scripts.export(self._key(), Path(name))

    @Slot()
    def _update_buttons(self) -> None:
        for button in (self.up_button, self.down_button, self.export_button, self.delete_button):
            button.setEnabled(self._is_script())

    @Slot(object)
    def _on_read(self, scripts: list[ScriptRow]) -> None:
        chosen = self._key()
        self._is_filling = True
        self.tree.clear()
        for row in scripts:
            item = QTreeWidgetItem([row.name, row.group, row.detail])
            item.setToolTip(0, row.name)
            item.setToolTip(2, row.detail)
            item.setData(0, _KEY, row.key)
            state = Qt.CheckState.Checked if row.is_enabled else Qt.CheckState.Unchecked
            item.setCheckState(0, state)
            self.tree.addTopLevelItem(item)
            if row.key == chosen:
                self.tree.setCurrentItem(item)
        self._is_filling = False
        self._update_buttons()

    @Slot(QTreeWidgetItem, int)
    def _on_switched(self, item: QTreeWidgetItem, _column: int) -> None:
        if not self._is_filling:
            on = item.checkState(0) == Qt.CheckState.Checked
            self._scripts.switch(str(item.data(0, _KEY)), on=on)

    @Slot(object)
    def _on_tried(self, steps: list[TextStep]) -> None:
        faults = [step.fault for step in steps if step.fault]
        self.result.setPlainText("\n".join(faults) or steps[-1].text)
