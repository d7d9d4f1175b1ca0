"""What other models made of the same messages, beside the draft: ticked events are saved too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from engram_desktop.viewmodels.pipeline.review import Review, View
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.drafts.draft import Draft

_NUMBER = Qt.ItemDataRole.UserRole  # of the event among all that are offered


class OtherAnswers(QWidget):
    """A model to ask, and its events."""

    chosen = Signal(int)  # number of the event whose fields are to be shown

    def __init__(self, review: Review, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review = review
        self._draft: Draft | None = None
        self._view: View | None = None
        inner = column(self, 0, 6)
        inner.addWidget(label(self.tr("What another model makes of it"), "section"))
        strip = QHBoxLayout()
        strip.setSpacing(6)
        self.model = QComboBox()
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.model.setMinimumContentsLength(8)  # characters; longer names are cut in the field
        if (edit := self.model.lineEdit()) is not None:
            edit.setPlaceholderText(self.tr("Model"))
        strip.addWidget(self.model, 1)
        self.ask_button = text_button(self.tr("Ask"))
        self.ask_button.clicked.connect(self._ask)
        strip.addWidget(self.ask_button)
        inner.addLayout(strip)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("What another model makes of it"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemChanged.connect(self._on_ticked)
        self.list.currentItemChanged.connect(self._on_chosen)
        inner.addWidget(self.list, 1)
        self.model.currentTextChanged.connect(self._show_button)
        review.models_read.connect(self._on_models)
        review.asking_changed.connect(self._show_button)
        self._show_button()

    def show_view(self, view: View | None) -> None:
        """Show what there is beside a draft."""
        self._view = view
        self._draft = view.comparison.draft if view is not None else None
        with QSignalBlocker(self.list):
            self.list.clear()
            if view is not None:
                self._fill(view)
        is_any = self.list.count() > 0
        self.list.setVisible(is_any)
        grows = QSizePolicy.Policy.Expanding if is_any else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, grows)
        self._show_button()

    def show_summary(self, number: int) -> None:
        """Show the summary of an event again after it was edited."""
        for at in range(self.list.count()):
            item = self.list.item(at)
            if item.data(_NUMBER) == number and self._view is not None:
                with QSignalBlocker(self.list):
                    item.setText(self._view.nodes[number].summary)

    def forget_choice(self) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(-1)

    def _fill(self, view: View) -> None:
        number = view.own_count
        for other in view.comparison.others:
            head = QListWidgetItem(self.tr("{model} answered:").format(model=other.model))
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(head)
            for _node in other.drafted:
                item = QListWidgetItem(view.nodes[number].summary)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                is_on = number not in view.dropped
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
                item.setData(_NUMBER, number)
                self.list.addItem(item)
                number += 1

    @Slot(QListWidgetItem)
    def _on_ticked(self, item: QListWidgetItem) -> None:
        number = item.data(_NUMBER)
        if self._view is None or number is None:
            return
        if item.checkState() == Qt.CheckState.Checked:
            self._view.dropped.discard(number)
        else:
            self._view.dropped.add(number)

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        number = item.data(_NUMBER) if item is not None else None
        if number is not None:
            self.chosen.emit(number)

    @Slot(object)
    def _on_models(self, models: list[str]) -> None:
        typed = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems(models)
            self.model.setEditText(typed)
        self._show_button()

    @Slot()
    def _show_button(self) -> None:
        is_sound = self._draft is not None and not self._draft.is_outdated
        has_model = bool(self.model.currentText().strip())
        self.ask_button.setEnabled(is_sound and has_model and not self._review.is_asking)
        self.ask_button.setText(self.tr("Asking…") if self._review.is_asking else self.tr("Ask"))

    @Slot()
    def _ask(self) -> None:
        if self._draft is not None:
            self._review.ask_other(self._draft, self.model.currentText().strip())
