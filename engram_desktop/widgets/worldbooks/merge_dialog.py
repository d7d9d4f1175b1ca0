"""Merge a worldbook file that was changed elsewhere: entry by entry, with both sides shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.worldbooks.listed import FIRST_ORDER
from engram_desktop.domain.worldbooks.merging import MergeEntry, MergePlan, Side
from engram_desktop.viewmodels.worldbooks.memory_shelf import WorldbookMerge
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import NumberField
from engram_desktop.widgets.parts.layouts import add_row
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label


class MergeWorldbookDialog(FramedDialog):
    def __init__(
        self, look: Look, merging: WorldbookMerge, file: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=820)
        self.resize(860, 660)
        self._look = look
        self._merging = merging
        self._entries: tuple[MergeEntry, ...] = ()
        self.set_title(self.tr("Merge {file}").format(file=file.name))
        self._about = label(
            self.tr(
                "The file is not what was written last: an open SillyTavern saved its own copy, or"
                " somebody edited it. Choose which side of each entry stays. What is taken from the"
                " file becomes part of the memory, as one step that can be undone; then the file is"
                " written again."
            ),
            "quiet",
            wrap=True,
        )
        self.body.addWidget(self._about)
        self._state = label(self.tr("Comparing…"), "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Changed entries"))
        self.list.setMaximumHeight(170)
        self.list.currentRowChanged.connect(self._show_entry)
        self.body.addWidget(self.list)
        self._sides = QButtonGroup(self)
        columns = QHBoxLayout()
        columns.setSpacing(12)
        self.here_button, self.here_text = self._side(columns, self.tr("Keep the memory's"))
        self.there_button, self.there_text = self._side(columns, self.tr("Take the file's"))
        self.body.addLayout(columns, 1)
        self._lost = label("", "quiet", wrap=True)
        self.body.addWidget(self._lost)
        self.all_there_button = self.add_button(self.tr("All from the file"), left=True)
        self.all_there_button.clicked.connect(lambda: self._choose_all("there"))
        self.all_here_button = self.add_button(self.tr("All from the memory"), left=True)
        self.all_here_button.clicked.connect(lambda: self._choose_all("here"))
        self.add_close(self.tr("Cancel"))
        self.merge_button = self.add_button(self.tr("Merge"), "main")
        self.merge_button.clicked.connect(merging.merge)
        self.here_button.clicked.connect(lambda: self._choose("here"))
        self.there_button.clicked.connect(lambda: self._choose("there"))
        look.changed.connect(self._redraw)
        merging.planned.connect(self._on_planned)
        merging.failed.connect(self.close)
        merging.merged.connect(self.accept)
        self._update_parts()
        merging.compare(file)

    def _side(self, columns: QHBoxLayout, name: str) -> tuple[QRadioButton, QPlainTextEdit]:
        """Make one side: the button that chooses it, and its text."""
        side = QVBoxLayout()
        side.setSpacing(6)
        button = QRadioButton(name)
        self._sides.addButton(button)
        text = QPlainTextEdit()
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setAccessibleName(name)
        text.setMinimumHeight(190)
        side.addWidget(button)
        side.addWidget(text, 1)
        columns.addLayout(side, 1)
        return button, text

    @Slot(object)
    def _on_planned(self, plan: MergePlan) -> None:
        self._entries = plan.entries
        self.list.clear()
        self.list.addItems([self._merging.words(entry) for entry in plan.entries])
        if plan.entries:
            self._state.setText(self.tr("%n entry(ies) changed in the file", "", len(plan.entries)))
            self.list.setCurrentRow(0)
            self.list.setFocus()  # else Enter would press a button that takes one side for all
        else:
            self._state.setText(
                self.tr(
                    "No entry was changed there: an older copy was saved. Merging writes the file"
                    " from the memory."
                )
            )
        self._update_parts()

    @Slot()
    def _redraw(self) -> None:
        self._show_entry(self.list.currentRow())

    @Slot(int)
    def _show_entry(self, row: int) -> None:
        if not 0 <= row < len(self._entries):
            return
        entry = self._entries[row]
        here, there = self._merging.text(entry.here), self._merging.text(entry.there)
        head = _alike(here, there)
        tail = _alike(here[head:][::-1], there[head:][::-1])
        for field, text in ((self.here_text, here), (self.there_text, there)):
            field.setCurrentCharFormat(QTextCharFormat())  # not the mark of the previous one
            field.setPlainText(text)
            if entry.here is not None and entry.there is not None:
                _mark(field, self._mark_format(), text, (head, len(text) - tail))
        is_there = self._merging.side(entry) == "there"
        (self.there_button if is_there else self.here_button).setChecked(True)
        self._lost.setText(
            self.tr(
                "Settings of it were changed there too, such as its order or position. A memory has"
                " none: Engram sets them again."
            )
            if entry.only_there
            else ""
        )
        self._lost.setVisible(bool(entry.only_there))

    def _mark_format(self) -> QTextCharFormat:
        """Return the format of differing text: unlike a selection, and visible without colours."""
        marked = QTextCharFormat()
        marked.setBackground(self._look.color("accent_soft"))
        marked.setFontUnderline(True)
        return marked

    def _choose(self, side: Side) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._entries):
            self._merging.choose(self._entries[row], side)
            self._reword()

    def _choose_all(self, side: Side) -> None:
        self._merging.choose_all(side)
        self._reword()
        self._show_entry(self.list.currentRow())

    def _reword(self) -> None:
        for row, entry in enumerate(self._entries):
            item = self.list.item(row)
            if item is not None:
                item.setText(self._merging.words(entry))

    def _update_parts(self) -> None:
        is_some = bool(self._entries)
        for part in (
            self.list,
            self.here_button,
            self.here_text,
            self.there_button,
            self.there_text,
            self.all_here_button,
            self.all_there_button,
        ):
            part.setVisible(is_some)
        self._lost.setVisible(is_some and bool(self._lost.text()))
        self.merge_button.setEnabled(self._merging.plan is not None)


def _alike(one: str, other: str) -> int:
    """Count the equal characters at the beginning of two texts."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _mark(field: QPlainTextEdit, marked: QTextCharFormat, text: str, span: tuple[int, int]) -> None:
    """Mark the differences from the other side, and scroll to them."""
    end = field.document().characterCount() - 1  # less than the text where line ends became one
    first, last = (min(_place(text, at), end) for at in span)
    cursor = QTextCursor(field.document())
    cursor.setPosition(first)
    field.setTextCursor(cursor)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    cursor.setCharFormat(marked)
    field.centerCursor()


def _place(text: str, at: int) -> int:
    """Return the position of a character in a document, which counts UTF-16 units."""
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2


# Make the sorting of entries their order: the changes are shown before.


MOST_ORDER = 1_000_000  # guards against typing errors; SillyTavern has no limit of its own
SHOWN = 500  # changes in the list, at most


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
