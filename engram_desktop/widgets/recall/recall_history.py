"""Past recalls with the candidates of each, and the list of muted memories."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from engram_desktop.domain.recall.explanation import Explanation, PastRecall
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.recall.question import RecallPageModel
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import chip, label, named_frame, text_button
from engram_desktop.widgets.parts.basics.tabs import Tabs
from engram_desktop.widgets.parts.fields.text_fields import TextField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.recall.explain_view import ExplainView
from engram_desktop.widgets.recall.recall_words import kind_name


class PastRecalls(QStackedWidget):
    """A list of questions at the left; at the right the explanation of the one chosen."""

    def __init__(self, look: Look, model: RecallPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        empty = EmptyState(look, "clock")
        empty.say(
            self.tr("Nothing was recalled yet"),
            self.tr("Every recall is kept here for a while: what was found, and why."),
        )
        self.addWidget(empty)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("past recalls")
        splitter.setHandleWidth(12)
        splitter.setChildrenCollapsible(False)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Past recalls"))
        self.list.setMinimumWidth(200)
        self.list.currentItemChanged.connect(self._on_chosen)
        splitter.addWidget(self.list)
        self.tabs = Tabs()
        self.why = ExplainView(look, model)
        self.tabs.add(self.tr("Why, and why not"), self.why)
        self.text = TextField(self.tr("The text that was injected"))
        self.text.setReadOnly(True)
        self._text_tab = self.tabs.add(self.tr("The text that was injected"), self.text)
        splitter.addWidget(self.tabs)
        splitter.setSizes([300, 660])
        splitter.setStretchFactor(1, 1)
        self.addWidget(splitter)
        model.past_read.connect(self._on_past_read)
        model.explained.connect(self._on_explained)

    @Slot(object)
    def _on_past_read(self, past: list[PastRecall]) -> None:
        self.list.clear()
        for recall in past:
            when = QLocale().toString(
                QDateTime.fromMSecsSinceEpoch(recall.at), QLocale.FormatType.ShortFormat
            )
            count = self.tr("%n memory(s)", "", recall.hits)
            query = " ".join(recall.query.split())[:60]
            item = QListWidgetItem(f"{query}\n{when} · {count}")
            item.setData(Qt.ItemDataRole.UserRole, recall.id)
            self.list.addItem(item)
        self.setCurrentIndex(1 if past else 0)
        if past:
            self.list.setCurrentRow(0)

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if item is not None:
            self._model.explain(item.data(Qt.ItemDataRole.UserRole))

    @Slot(object)
    def _on_explained(self, why: Explanation) -> None:
        self.why.show_explanation(why)
        self.text.setPlainText(why.text)
        self._text_tab.setVisible(bool(why.text))
        if not why.text:
            self.tabs.show_page(0)


class MutedList(QStackedWidget):
    """What must not be used again, each with a way to allow it."""

    def __init__(self, look: Look, model: RecallPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._model = model
        empty = EmptyState(look, "mute")
        empty.say(
            self.tr("Every memory may be used"),
            self.tr("“Do not use again” on a recalled memory puts it here."),
        )
        self.addWidget(empty)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._rows = column(body, 0, 8)
        scroll.setWidget(body)
        self.addWidget(scroll)
        self.buttons: list[QWidget] = []
        model.muted_read.connect(self._on_muted_read)

    @Slot(object)
    def _on_muted_read(self, items: list[MemoryItem]) -> None:
        clear_layout(self._rows)
        self.buttons = []
        for item in items:
            self._rows.addWidget(self._make_row(item))
        self._rows.addStretch(1)
        self.setCurrentIndex(1 if items else 0)

    def _make_row(self, item: MemoryItem) -> QFrame:
        card = named_frame("card")
        line = QHBoxLayout(card)
        line.setContentsMargins(14, 8, 8, 8)
        line.setSpacing(10)
        line.addWidget(chip(self._look, kind_name(item.kind)))
        line.addWidget(label(floors_words(item.start_index, item.end_index), "hint"))
        line.addWidget(label(" ".join(item.content.split())[:160], wrap=True), 1)
        allow = text_button(self.tr("Allow again"))
        allow.clicked.connect(lambda: self._model.set_muted((item.ref,), muted=False))
        line.addWidget(allow)
        self.buttons.append(allow)
        return card
