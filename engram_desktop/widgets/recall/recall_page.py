"""Ask what the memory would recall, see why, and correct it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.recall.lab import LabQuestion
from engram_desktop.domain.recall.query import ITEM_KINDS, RecallResult
from engram_desktop.viewmodels.recall.lab import RecallLab
from engram_desktop.viewmodels.recall.question import Answer, RecallPageModel
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, text_button
from engram_desktop.widgets.parts.basics.tabs import Tabs
from engram_desktop.widgets.parts.fields.text_fields import LineField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import Page, PageParts
from engram_desktop.widgets.recall.explain_view import ExplainView
from engram_desktop.widgets.recall.hit_card import HitCard
from engram_desktop.widgets.recall.injection_panel import InjectionPanel
from engram_desktop.widgets.recall.lab_page import LabPage
from engram_desktop.widgets.recall.recall_history import MutedList, PastRecalls
from engram_desktop.widgets.recall.recall_words import degraded_words, kind_name

ASK, PAST, MUTED, LAB = range(4)


class RecallPage(Page):
    def __init__(
        self,
        look: Look,
        model: RecallPageModel,
        lab: RecallLab,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._model = model
        self._lab = lab
        self.cards: list[HitCard] = []
        self._right_refs: frozenset[str] = frozenset()  # refs to be ticked in the next answer
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 10, 16, 12)
        self.tabs = Tabs()
        outer.addWidget(self.tabs)
        self.tabs.add(self.tr("Ask"), self._make_ask())
        self.past = PastRecalls(look, model)
        self.tabs.add(self.tr("Past recalls"), self.past)
        self.muted = MutedList(look, model)
        self._muted_tab = self.tabs.add("", self.muted)
        self._on_muted_read([])
        self.lab = LabPage(look, lab)
        self.lab.ask_wanted.connect(self._on_ask_wanted)
        self.tabs.add(self.tr("Lab"), self.lab)
        self.tabs.changed.connect(self._on_tab_changed)
        model.answered.connect(self._on_answered)
        model.busy_changed.connect(self._on_busy)
        model.muted_read.connect(self._on_muted_read)
        model.read_muted()

    def _make_ask(self) -> QWidget:
        page = QWidget()
        inner = column(page, 0, 10)
        inner.addLayout(self._make_question())
        inner.addLayout(self._make_options())
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("recall")
        splitter.setHandleWidth(12)
        splitter.addWidget(self._make_hits())
        self.results = Tabs()
        self.panel = InjectionPanel(self._look, self._model)
        self.results.add(self.tr("What a prompt would get"), self.panel)
        self.why = ExplainView(self._look, self._model, only_dropped=True)
        self.results.add(self.tr("Why not others"), self.why)
        splitter.addWidget(self.results)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([540, 420])
        splitter.setChildrenCollapsible(False)
        inner.addWidget(splitter, 1)
        return page

    def _make_question(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.question = LineField(self.tr("Ask, or paste the newest message of the chat"))
        self.question.setAccessibleName(self.tr("Question"))
        self.question.submitted.connect(self.ask)
        self.ask_button = text_button(self.tr("Recall"), "main")
        self.ask_button.clicked.connect(self.ask)
        line.addWidget(self.question, 1)
        line.addWidget(self.ask_button)
        return line

    def _make_options(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.kinds = {}
        chips = QWidget()  # they wrap where the window is narrow
        flow = FlowLayout(chips, 8)
        for kind in ITEM_KINDS:
            button = kind_button("chip", kind_name(kind))
            button.setChecked(True)
            self.kinds[kind] = button
            flow.addWidget(button)
        line.addWidget(chips, 1)
        self.expand = QCheckBox(self.tr("Let the model reword"))
        self.expand.setToolTip(
            self.tr(
                "The chat model says first what “her” and “that thing” mean. One short request."
            )
        )
        line.addWidget(self.expand)
        self.top_k = self._spin(line, self.tr("At most"), 1, 100, 10)
        self.budget = self._spin(line, self.tr("Budget (tokens)"), 100, 200_000, 6000)
        self.budget.setSingleStep(100)
        return line

    @staticmethod
    def _spin(line: QHBoxLayout, name: str, low: int, high: int, value: int) -> QSpinBox:
        caption = label(name, "quiet")
        field = QSpinBox()
        field.setRange(low, high)
        field.setValue(value)
        field.setAccessibleName(name)
        caption.setBuddy(field)
        line.addWidget(caption)
        line.addWidget(field)
        return field

    def _make_head(self, result: RecallResult) -> QHBoxLayout:
        line = QHBoxLayout()
        summary = self.tr("%n memory(s)", "", len(result.hits)) + f" · {result.elapsed_ms:.0f} ms"
        line.addWidget(label(summary, "quiet"), 1)
        self.save_button = text_button(self.tr("Save to the lab"))
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        return line

    def _make_hits(self) -> QStackedWidget:
        self._stack = QStackedWidget()
        self._empty = EmptyState(self._look, "recall")
        self._empty.say(
            self.tr("What would be remembered?"),
            self.tr("Type what is about to be said. You see which memories come back, and why."),
        )
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._hits = column(body, 0, 8)
        self._hits.setContentsMargins(0, 0, 6, 0)
        scroll.setWidget(body)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(scroll)
        return self._stack

    @Slot()
    def ask(self) -> None:
        kinds = tuple(kind for kind, button in self.kinds.items() if button.isChecked())
        self._model.ask(
            self.question.text(),
            top_k=self.top_k.value(),
            kinds=kinds or ITEM_KINDS,
            budget=self.budget.value(),
            expanded=self.expand.isChecked(),
        )

    @override
    def focus_search(self) -> None:
        self.tabs.show_page(ASK)
        self.question.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._model.set_active(active)
        self._lab.set_active(active)

    @property
    def ticked(self) -> list[str]:
        """Refs of the hits that answer the question, as the reader says."""
        return [card.hit.item.ref for card in self.cards if card.right_button.isChecked()]

    @Slot()
    def _save(self) -> None:
        if self._model.answer is not None:
            self._lab.save(self._model.answer.question.query.text, self.ticked)
            for card in self.cards:
                card.right_button.setChecked(False)

    @Slot()
    def _on_ticked(self) -> None:
        self.save_button.setVisible(bool(self.ticked))

    @Slot(object)
    def _on_ask_wanted(self, question: LabQuestion) -> None:
        self._right_refs = frozenset(expected.ref for expected in question.expected)
        self.question.setText(question.query)
        self.tabs.show_page(ASK)
        self.ask()

    @Slot(int)
    def _on_tab_changed(self, number: int) -> None:
        if number == PAST:
            self._model.read_past()
        elif number == MUTED:
            self._model.read_muted()
        elif number == LAB:
            self._lab.read()

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        clear_layout(self._hits)
        result = answer.result
        self._hits.addLayout(self._make_head(result))
        if result.hits and not result.is_related:
            why = self.tr("Too far from the question: a prompt would get none of these.")
            self._hits.addWidget(label(why, "warn", wrap=True))
        if result.degraded:
            self._hits.addWidget(label(degraded_words(result.degraded), "quiet", wrap=True))
        best = max((hit.score for hit in result.hits), default=1.0)
        self.cards = []
        for hit in result.hits:
            card = HitCard(self._look, hit, best, self._model)
            card.set_unused(is_unused=not result.is_related)
            card.right_button.setChecked(hit.item.ref in self._right_refs)
            card.right_button.toggled.connect(self._on_ticked)
            self.cards.append(card)
            self._hits.addWidget(card)
        self._right_refs = frozenset()
        self._on_ticked()
        self._hits.addStretch(1)
        if result.hits:
            self._stack.setCurrentIndex(1)
        else:
            self._stack.setCurrentIndex(0)
            hint = self.tr("Try other words, or make more of the chat into events first.")
            missing = degraded_words(result.degraded) if result.degraded else ""
            self._empty.say(
                self.tr("Nothing comes to mind"), "\n".join(filter(None, (hint, missing)))
            )
        self.panel.show_injection(answer.injection)
        self.why.show_explanation(answer.why)

    @Slot(object)
    def _on_muted_read(self, items: list[object]) -> None:
        name = self.tr("Not used")
        self._muted_tab.setText(f"{name} {len(items)}" if items else name)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.ask_button.setEnabled(not busy)


def make(parts: PageParts, parent: QWidget) -> RecallPage:
    return RecallPage(parts.look, parts.models.recall, parts.models.lab, parent)
