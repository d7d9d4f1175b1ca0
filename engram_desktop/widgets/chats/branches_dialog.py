"""Dialogs for the branches of a chat and for the chats in the trash."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.memory.line import Branch
from engram_desktop.domain.reports import DeletedChat
from engram_desktop.viewmodels.chats.chat_tree import Branches, Comparison, TrashList, branch_name
from engram_desktop.viewmodels.workspace.choice_texts import floors_text
from engram_desktop.widgets.parts.dialogs import FramedDialog, QuestionBox
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.layouts import call_with
from engram_desktop.widgets.parts.pieces import label, text_button

# The branches of a chat as a tree: show, fork, rename, compare, roll back, delete.


_ID = Qt.ItemDataRole.UserRole


class BranchesDialog(FramedDialog):
    def __init__(self, branches: Branches, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self._branches = branches
        self.set_title(self.tr("Branches"))
        self.body.addWidget(
            label(
                self.tr(
                    "A branch shares its parent’s floors and memories up to the fork, and has its "
                    "own after it. Choose two to compare what they remember."
                ),
                "quiet",
                wrap=True,
            )
        )
        self.tree = self._make_tree()
        self.body.addWidget(self.tree, 1)
        self.body.addLayout(self._make_fork())
        self.body.addLayout(self._make_commands())
        self._summary = label("", "section", wrap=True)
        self._summary.hide()
        self.body.addWidget(self._summary)
        self.differences = QListWidget()
        self.differences.setAccessibleName(self.tr("What the branches remember apart"))
        self.differences.setMinimumHeight(160)
        self.differences.hide()
        self.body.addWidget(self.differences)
        self.add_close(self.tr("Close"))
        self.typed = {"name": self.name}
        branches.changed.connect(self._fill)
        branches.compared.connect(self._on_compared)
        self._fill()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(self.tr("Branches"))
        tree.setHeaderLabels(
            [self.tr("Name"), self.tr("Forked at"), self.tr("Floors"), self.tr("Events")]
        )
        tree.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        tree.setMinimumHeight(180)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.itemSelectionChanged.connect(self._update_buttons)
        tree.itemDoubleClicked.connect(lambda *_: self._show())
        return tree

    def _make_fork(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.floor = QSpinBox()
        self.floor.setAccessibleName(self.tr("Floor"))
        self.name = LineField(self.tr("Name of the branch"))
        self.name.submitted.connect(self._fork)
        self.fork_button = text_button(self.tr("Fork after this floor"))
        self.fork_button.clicked.connect(self._fork)
        self.back_button = text_button(self.tr("Roll back to this floor"), "danger")
        self.back_button.setToolTip(
            self.tr("Deletes every later floor of this branch; one undo brings them back.")
        )
        self.back_button.clicked.connect(self._roll_back)
        line.addWidget(label(self.tr("Floor"), "quiet"))
        line.addWidget(self.floor)
        line.addWidget(self.name, 1)
        line.addWidget(self.fork_button)
        line.addWidget(self.back_button)
        return line

    def _make_commands(self) -> QHBoxLayout:
        line = QHBoxLayout()

        def button(text: str, slot: Callable[[], None], role: str = "") -> QWidget:
            command = text_button(text, role)
            command.clicked.connect(slot)
            line.addWidget(command)
            return command

        self.show_button = button(self.tr("Show"), self._show, "main")
        self.rename_button = button(self.tr("Use this name"), self._rename)
        self.compare_button = button(self.tr("Compare"), self._compare)
        line.addStretch(1)
        self.delete_button = button(self.tr("Delete"), self._delete, "danger")
        call_with(self.tree, Qt.Key.Key_Delete, self._delete_by_key)
        call_with(self.tree, Qt.Key.Key_F2, self._type_name)
        return line

    @Slot()
    def _fill(self) -> None:
        chosen = {b.id for b in self._chosen()}
        current = self._branches.current
        self.tree.clear()
        items: dict[str, QTreeWidgetItem] = {}
        for branch in self._branches.rows:
            shares = branch.fork_seq is not None and branch.fork_seq >= 0
            fork = str(branch.fork_seq) if shares else ""
            item = QTreeWidgetItem([branch_name(branch), fork, *_counts(branch)])
            item.setData(0, _ID, branch.id)
            parent = items.get(branch.parent_id or "")
            if parent is None:
                self.tree.addTopLevelItem(item)
            else:
                parent.addChild(item)
            items[branch.id] = item
            if current is not None and branch.id == current.id:
                font = item.font(0)
                font.setBold(True)
                item.setFont(0, font)
        self.tree.expandAll()
        if not chosen and current is not None:
            chosen = {current.id}
        for branch_id in chosen & items.keys():
            items[branch_id].setSelected(True)
        self._update_buttons()

    def _chosen(self) -> list[Branch]:
        ids = {item.data(0, _ID) for item in self.tree.selectedItems()}
        return [branch for branch in self._branches.rows if branch.id in ids]

    def _one(self) -> Branch | None:
        chosen = self._chosen()
        return chosen[0] if len(chosen) == 1 else None

    @Slot()
    def _update_buttons(self) -> None:
        one, current = self._one(), self._branches.current
        last = max(0, one.messages - 1) if one else 0
        self.floor.setRange(0, last)
        if one is not None:
            self.floor.setValue(last)
        is_child = one is not None and one.parent_id is not None
        parents = {branch.parent_id for branch in self._branches.rows}
        self.show_button.setEnabled(one is not None and one != current)
        self.fork_button.setEnabled(one is not None and one.messages > 0)
        self.back_button.setEnabled(one is not None and one.messages > 1)
        self.rename_button.setEnabled(one is not None and is_child)
        self.compare_button.setEnabled(len(self._chosen()) == 2)
        self.delete_button.setEnabled(one is not None and is_child and one.id not in parents)

    @Slot(object)
    def _on_compared(self, comparison: Comparison) -> None:
        first, second = branch_name(comparison.first), branch_name(comparison.second)
        only_first, only_second, shared = comparison.counts
        self._summary.setText(
            self.tr("Both remember {n} events.").format(n=shared)
            if only_first + only_second
            else self.tr("Both remember the same {n} events.").format(n=shared)
        )
        self._summary.show()
        self.differences.clear()
        for name, count, events in (
            (first, only_first, comparison.only_first),
            (second, only_second, comparison.only_second),
        ):
            head = QListWidgetItem(self.tr("Only on “{name}”: {n}").format(name=name, n=count))
            font = head.font()
            font.setBold(True)
            head.setFont(font)
            self.differences.addItem(head)
            for event in events:
                self.differences.addItem(f"    {floors_text(event)}  {event.summary}")
        self.differences.setVisible(bool(only_first + only_second))

    def _show(self) -> None:
        if (one := self._one()) is not None:
            self._branches.show(one.id)

    def _fork(self) -> None:
        if (one := self._one()) is not None:
            self._branches.fork(one.id, self.floor.value(), self.name.text())
            self.name.clear()

    def _roll_back(self) -> None:
        if (one := self._one()) is not None:
            self._branches.roll_back(one.id, self.floor.value())

    def _rename(self) -> None:
        one = self._one()
        if one is not None and self.name.text().strip():
            self._branches.rename(one.id, self.name.text())
            self.name.clear()

    def _compare(self) -> None:
        chosen = self._chosen()
        if len(chosen) == 2:
            self._branches.compare(*chosen)

    def _delete_by_key(self) -> None:
        if self.delete_button.isEnabled():
            self._delete()

    def _type_name(self) -> None:
        """Start editing the name of a branch."""
        self.name.setFocus()
        self.name.selectAll()

    def _delete(self) -> None:
        if (one := self._one()) is not None:
            self._branches.delete(one.id)


def _counts(branch: Branch) -> list[str]:
    return [f"{branch.messages:,}", f"{branch.events:,}"]


# The deleted chats: each can be restored; only the chosen ones are deleted for good.


class TrashDialog(FramedDialog):
    def __init__(self, trash: TrashList, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=560)
        self._trash = trash
        self.set_title(self.tr("Deleted chats"))
        hint = self.tr(
            "A chat that is brought back is what it was: its memory, its settings, its world books."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Deleted chats"))
        self.list.setMinimumHeight(220)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.body.addWidget(self.list, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.delete_button = self.add_button(self.tr("Delete for good…"), "danger", left=True)
        self.delete_button.clicked.connect(self._delete)
        self.add_close(self.tr("Close"))
        self.restore_button = self.add_button(self.tr("Bring back"), "main")
        self.restore_button.clicked.connect(lambda: self._trash.restore(self._chosen()))
        self._update_buttons()
        trash.listed.connect(self._show)
        trash.read()

    @Slot(object)
    def _show(self, rows: list[DeletedChat]) -> None:
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(self._text(row))
            item.setData(_ID, row.id)
            self.list.addItem(item)
        size = QLocale().formattedDataSize(sum(row.size for row in rows))
        text = self.tr("%n chat(s), {size}", "", len(rows)).format(size=size)
        self._state.setText(text if rows else self.tr("No chat was deleted."))
        self.list.setCurrentRow(0)

    def _text(self, row: DeletedChat) -> str:
        moment = QDateTime.fromMSecsSinceEpoch(row.deleted_at)
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        return f"{row.name} · {when} · {QLocale().formattedDataSize(row.size)}"

    def _chosen(self) -> list[str]:
        return [str(item.data(_ID)) for item in self.list.selectedItems()]

    @Slot()
    def _update_buttons(self) -> None:
        for button in (self.restore_button, self.delete_button):
            button.setEnabled(bool(self._chosen()))

    @Slot()
    def _delete(self) -> None:
        ids = self._chosen()
        box = QuestionBox(
            self.tr("Delete for good"),
            self.tr("Delete %n chat(s) for good?", "", len(ids)),
            self.tr("Their memory cannot be brought back. Files they were imported from stay."),
            destroy=self.tr("Delete for good"),
            parent=self,
        )
        box.ask(lambda: self._trash.delete_for_good(ids))
