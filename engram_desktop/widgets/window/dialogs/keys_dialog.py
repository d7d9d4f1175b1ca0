"""All keys of the window, each of which can be another: conflicts are said before they are made."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.search.fuzzy import fit
from engram_desktop.viewmodels.search.key_map import Bound, KeyMap
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.page_list import BY_NAME

_NAME = Qt.ItemDataRole.UserRole


class KeysDialog(FramedDialog):
    def __init__(self, look: Look, keys: KeyMap, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=600)
        self._keys = keys
        self.set_title(self.tr("Keys"))
        self.search = SearchField(look, self.tr("Search keys and actions"))
        self.search.textChanged.connect(self._fill)
        self.body.addWidget(self.search)
        self.list = self._make_list()
        self.body.addWidget(self.list, 1)
        self.body.addLayout(self._make_edit())
        self.said = label("", "quiet", wrap=True)
        self.said.setMinimumHeight(self.said.fontMetrics().height() * 2)
        self.body.addWidget(self.said)
        fixed = self.tr(
            "Always so: Space toggles a lamp, Del deletes, Ctrl+A selects all, Esc clears or"
            " closes. Keys of a page are listed once it was shown."
        )
        self.body.addWidget(label(fixed, "hint", wrap=True))
        self.restore_all_button = self.add_button(self.tr("Restore all defaults"), left=True)
        self.restore_all_button.clicked.connect(keys.restore_all)
        self.add_close(self.tr("Close"))
        self.resize(600, 660)  # pixels: a line of each key that all windows have
        keys.changed.connect(self._fill)
        self._fill()

    def _make_list(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Actions and their keys"))
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        tree.setMinimumHeight(200)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.currentItemChanged.connect(self._show_chosen)
        tree.itemActivated.connect(lambda *_: self.edit.setFocus())
        return tree

    def _make_edit(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        for part in (self.edit, *self.edit.findChildren(QLineEdit)):
            part.setAccessibleName(self.tr("New key"))
        self.edit.keySequenceChanged.connect(self._judge)
        line.addWidget(self.edit, 1)
        self.set_button = text_button(self.tr("Use this key"))
        self.set_button.clicked.connect(self._set)
        self.none_button = text_button(self.tr("No key"))
        self.none_button.clicked.connect(lambda: self._keys.choose(self._chosen, ()))
        self.restore_button = text_button(self.tr("Restore default"))
        self.restore_button.clicked.connect(lambda: self._keys.restore(self._chosen))
        for button in (self.set_button, self.none_button, self.restore_button):
            line.addWidget(button)
        return line

    @property
    def _chosen(self) -> str:
        item = self.list.currentItem()
        return str(item.data(0, _NAME)) if item is not None else ""

    def words(self, bound: Bound) -> str:
        """Say what an action does."""
        page = BY_NAME.get(bound.name.removeprefix("page."))
        if page is None or not bound.name.startswith("page."):
            return bound.words
        title = QCoreApplication.translate("TopBar", page.title)
        return self.tr("Page: {name}").format(name=title)

    @Slot()
    def _fill(self) -> None:
        """List what fits the search; what was chosen stays chosen."""
        chosen, typed = self._chosen, self.search.text()
        self.list.clear()
        for bound in self._keys.bound:
            row = [self.words(bound), self._keys.words(bound.name)]
            if typed.strip() and fit(typed, " ".join(row)) is None:
                continue
            item = QTreeWidgetItem(self.list, row)
            item.setData(0, _NAME, bound.name)
            if not self._keys.is_default(bound.name):
                font = item.font(1)
                font.setBold(True)
                item.setFont(1, font)
                item.setToolTip(1, self.tr("Changed by you"))
            if bound.name == chosen:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.topLevelItemCount():
            self.list.setCurrentIndex(self.list.model().index(0, 0))
        self._show_chosen()

    @Slot()
    def _show_chosen(self, *_items: object) -> None:
        name = self._chosen
        self.edit.clear()
        self.said.setText("")
        self.set_button.setEnabled(False)
        self.none_button.setEnabled(bool(name) and bool(self._keys.keys(name)))
        self.restore_button.setEnabled(bool(name) and not self._keys.is_default(name))

    @Slot(QKeySequence)
    def _judge(self, sequence: QKeySequence) -> None:
        """Say whether a key can be taken, and from whom."""
        if sequence.isEmpty():
            self.said.setText("")
            self.set_button.setEnabled(False)
            return
        refusal = self._keys.refusal(sequence)
        key = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        holders = [] if refusal else self._keys.holders(key, beside=self._chosen)
        if holders:
            names = ", ".join(self.words(bound) for bound in holders)
            text = self.tr("{key} is the key of “{names}”. “Use this key” takes it from there.")
            shown = sequence.toString(QKeySequence.SequenceFormat.NativeText)
            self.said.setText(text.format(key=shown, names=names))
        else:
            self.said.setText(refusal)
        self.set_button.setEnabled(bool(self._chosen) and not refusal)

    @Slot()
    def _set(self) -> None:
        key = self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self._keys.choose(self._chosen, (key,))
