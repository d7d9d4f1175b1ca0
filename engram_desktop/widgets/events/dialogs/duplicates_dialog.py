"""Events that tell the same, in groups with why: keep one, join them, or leave them alone.

The window beside it stays usable; each action is one step of undo.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.memory.edits.duplicates import DuplicateGroup
from engram_desktop.viewmodels.events.event_duplicates import EventDuplicates, Group
from engram_desktop.viewmodels.events.event_words import floors_text
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog

_GROUP = Qt.ItemDataRole.UserRole
_KEY = Qt.ItemDataRole.UserRole + 1


class DuplicatesDialog(FramedDialog):
    def __init__(self, model: EventDuplicates, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self._model = model
        model.setParent(self)  # it ends with the dialog
        self.set_title(self.tr("Events that tell the same"))
        hint = self.tr(
            "Found by their words and floors; no model is asked."
            " Everything done here can be undone."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Events that tell the same"))
        self.tree.setHeaderHidden(True)
        self.tree.setMinimumHeight(280)
        self.tree.setWordWrap(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.currentItemChanged.connect(self._update_buttons)
        self.body.addWidget(self.tree, 1)
        self._state = label(self.tr("Comparing…"), "quiet", wrap=True)
        self.body.addWidget(self._state)
        line = QHBoxLayout()
        self.keep_button = text_button(self.tr("Keep this one, delete the others"), "danger")
        self.keep_button.clicked.connect(self._keep)
        self.join_button = text_button(self.tr("Join into one"))
        self.join_button.clicked.connect(self._join)
        self.apart_button = text_button(self.tr("Not the same"))
        self.apart_button.clicked.connect(self._keep_apart)
        for button in (self.keep_button, self.join_button, self.apart_button):
            line.addWidget(button)
        line.addStretch(1)
        self.body.addLayout(line)
        self.add_close(self.tr("Close"))
        model.listed.connect(self._show)
        model.busy_changed.connect(self._on_busy)
        self._update_buttons()
        model.read()

    @Slot(object, int)
    def _show(self, groups: list[Group], count: int) -> None:
        row = max(0, self._group_row())
        self.tree.clear()
        for group, events in groups:
            head = QTreeWidgetItem([self._why(group)])
            head.setData(0, _GROUP, group)
            for event in events:
                text = f"{floors_text(event)} · {' '.join(event.summary.split())}"
                item = QTreeWidgetItem([text])
                item.setData(0, _GROUP, group)
                item.setData(0, _KEY, event.pk)
                item.setToolTip(0, floors_text(event))
                head.addChild(item)
            self.tree.addTopLevelItem(head)
            head.setExpanded(True)
        chosen = self.tree.topLevelItem(min(row, len(groups) - 1))
        if chosen is not None:
            self.tree.setCurrentItem(chosen)
        if count > len(groups):
            text = self.tr("%n group(s); the surest are shown.", "", count)
        elif count:
            text = self.tr("%n group(s)", "", count)
        else:
            text = self.tr("No two events tell the same.")
        self._state.setText(text)
        self._update_buttons()

    def _why(self, group: DuplicateGroup) -> str:
        """Say why these are held to be the same."""
        pair = group.pairs[0]
        events = self.tr("%n event(s)", "", len(group.pks))
        if pair.is_same_text:
            return self.tr("{events} · the same words").format(events=events)
        share = round(pair.share * 100)
        return self.tr("{events} · floors overlap, {share} % of the words are alike").format(
            events=events, share=share
        )

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        if busy:
            self._state.setText(self.tr("Comparing…"))

    @Slot()
    def _update_buttons(self) -> None:
        item = self.tree.currentItem()
        self.keep_button.setEnabled(item is not None and item.data(0, _KEY) is not None)
        self.join_button.setEnabled(item is not None)
        self.apart_button.setEnabled(item is not None)

    def _group_row(self) -> int:
        item = self.tree.currentItem()
        while item is not None and item.data(0, _KEY) is not None:
            item = item.parent()
        return self.tree.indexOfTopLevelItem(item) if item is not None else 0

    def _chosen(self) -> DuplicateGroup | None:
        item = self.tree.currentItem()
        group = item.data(0, _GROUP) if item is not None else None
        return group if isinstance(group, DuplicateGroup) else None

    def _keep(self) -> None:
        group, item = self._chosen(), self.tree.currentItem()
        if group is not None and item is not None:
            self._model.keep_only(group, int(item.data(0, _KEY)))

    def _join(self) -> None:
        if (group := self._chosen()) is not None:
            self._model.join(group.pks)

    def _keep_apart(self) -> None:
        if (group := self._chosen()) is not None:
            self._model.keep_apart(group)
