"""The page of recall: test a question, see the reasons of each hit, and correct the memory.

Tabs show past recalls with their candidates, muted memories, and the text of the next prompt, which
can be copied and held for some turns.
"""

from __future__ import annotations

from functools import cached_property, partial

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.recall.lab import LabQuestion
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    Explanation,
    Injection,
    MemoryItem,
    PastRecall,
    RecallHit,
    RecallResult,
)
from engram_desktop.viewmodels.next_prompt import NextPromptModel
from engram_desktop.viewmodels.recall import Answer, RecallLab, RecallPageModel
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.cards import CardColumn
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField
from engram_desktop.widgets.parts.layouts import FlowLayout, Tabs, clear_layout, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
from engram_desktop.widgets.parts.pieces import (
    chip,
    kind_button,
    label,
    named_frame,
    text_button,
)
from engram_desktop.widgets.recall.hit_card import ExplainView, HitCard, degraded_words, kind_name
from engram_desktop.widgets.recall.lab_page import LabPage
from engram_desktop.widgets.recall.next_prompt import NextPromptView

TURNS = (5, 10, 20)


class InjectionPanel(QFrame):
    def __init__(self, look: Look, model: RecallPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        inner = column(self, 14, 8)
        head = QHBoxLayout()
        self.tokens = label("", "quiet")
        head.addWidget(self.tokens, 1)
        head.addWidget(self._make_hold_button())
        self.copy_button = text_button(self.tr("Copy"))
        look.set_icon(self.copy_button, "copy")
        self.copy_button.setIconSize(QSize(16, 16))
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        head.addWidget(self.copy_button)
        inner.addLayout(head)
        self.frozen_label = label("", "quiet", wrap=True)
        self.frozen_label.hide()
        inner.addWidget(self.frozen_label)
        self.triage = label("", "quiet", wrap=True)
        self.triage.hide()
        inner.addWidget(self.triage)
        self.text = TextField(self.tr("What a prompt would get"))
        self.text.setPlaceholderText(
            self.tr("The text that a model gets with this question, as soon as you ask.")
        )
        self.text.setReadOnly(True)
        inner.addWidget(self.text, 1)

    def _make_hold_button(self) -> QToolButton:
        self.hold_button = kind_button("plain", self.tr("Freeze"), checkable=False)
        self.hold_button.setToolTip(
            self.tr(
                "Give this very text for some turns, so that the server's prompt cache stays good."
                " It ends early if a memory in it is changed."
            )
        )
        self._look.set_icon(self.hold_button, "lock")
        self.hold_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for turns in TURNS:
            menu.addAction(self.tr("For %n turn(s)", "", turns)).triggered.connect(
                lambda _checked=False, n=turns: self._model.freeze(n)
            )
        self.release_action = menu.addAction(self.tr("Compose again from now on"))
        self.release_action.triggered.connect(lambda _checked=False: self._model.unfreeze())
        self.hold_button.setMenu(menu)
        self.hold_button.setEnabled(False)
        return self.hold_button

    def show_injection(self, injection: Injection) -> None:
        self.text.setPlainText(injection.text)
        self.tokens.setText(self.tr("%n token(s)", "", injection.tokens))
        self.copy_button.setEnabled(bool(injection.text))
        self.hold_button.setEnabled(bool(injection.text))
        until = injection.frozen_until
        self.frozen_label.setVisible(until is not None)
        self.release_action.setEnabled(until is not None)
        if until is not None:
            self.frozen_label.setText(self.tr("Frozen until floor {floor}.").format(floor=until))

        words = self._triage_words(injection)
        self.triage.setText(words)
        self.triage.setVisible(bool(words))

    def _triage_words(self, injection: Injection) -> str:
        """Return how much memory the message was found to need, as text."""
        if injection.triage_fault:
            why = translated(injection.triage_fault)
            return self.tr("How much is needed could not be asked: {why}").format(why=why)
        triage = injection.triage
        if triage is None:
            return ""
        words = {
            "ROUTINE": self.tr("A small gesture: only what is always visible."),
            "CHAT": self.tr("Ordinary talk: what is recalled, as usual."),
            "EVENT": self.tr("A turning point: what is recalled, and world books."),
        }
        hints = "; ".join(f"{name}: {hint}" for name, hint in triage.directives.items())
        return "\n".join(part for part in (words[triage.level], triage.reasoning, hints) if part)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


class PastRecalls(QStackedWidget):
    """A list of questions at the left; at the right the explanation of the chosen one."""

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
        model.past_read.connect(self.show_past)
        model.explained.connect(self._on_explained)

    @Slot(object)
    def show_past(self, past: list[PastRecall]) -> None:
        with QSignalBlocker(self.list):  # each removed row would select and explain the next one
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
    """Memories excluded from prompts, each with a button to allow it again."""

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
        scroll = tall_area()
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


ASK, NEXT, PAST, MUTED, LAB = range(5)
MOST_HITS = 100  # largest count that can be requested: more than a user reads


class RecallPage(Page):
    def __init__(
        self,
        look: Look,
        model: RecallPageModel,
        lab: RecallLab,
        next_prompt: NextPromptModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._model = model
        self._lab = lab
        self._next = next_prompt
        self.cards: list[HitCard] = []
        self._right_refs: frozenset[str] = frozenset()  # refs to tick in the next answer
        self._ticked: set[str] = set()
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 10, 16, 12)
        self.tabs = Tabs()
        outer.addWidget(self.tabs)
        self.tabs.add(self.tr("Ask"), self._make_ask())
        self.tabs.add_late(self.tr("Next prompt"), lambda: self.next)
        self.past = PastRecalls(look, model)
        self.tabs.add(self.tr("Past recalls"), self.past)
        self.muted = MutedList(look, model)
        self._muted_tab = self.tabs.add("", self.muted)
        self._on_muted_read([])
        self.tabs.add_late(self.tr("Lab"), lambda: self.lab)
        self.tabs.changed.connect(self._on_tab_changed)
        model.answered.connect(self._on_answered)
        model.composed.connect(self._on_composed)
        model.busy_changed.connect(self._on_busy)
        model.muted_read.connect(self._on_muted_read)
        model.past_forgotten.connect(self._on_past_forgotten)
        model.read_muted()

    @cached_property
    def next(self) -> NextPromptView:
        """Return what the next prompt holds, made when its tab is first shown."""
        return NextPromptView(self._look, self._next, self._model)

    @cached_property
    def lab(self) -> LabPage:
        """Return the lab, made when its tab is first shown: it has very many widgets."""
        page = LabPage(self._look, self._lab)
        page.ask_wanted.connect(self._on_ask_wanted)
        return page

    def _make_ask(self) -> QWidget:
        page = QWidget()
        inner = column(page, 0, 10)
        inner.addLayout(self._make_question())
        inner.addWidget(self._make_options())
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

    def _make_options(self) -> QWidget:
        """Lay out the options of a question: below it in a narrow window."""
        options = QWidget()
        flow = FlowLayout(options, 8)
        self.kinds = {}
        for kind in ITEM_KINDS:
            button = kind_button("chip", kind_name(kind))
            button.setChecked(True)
            self.kinds[kind] = button
            flow.addWidget(button)
        flow.push()
        how = QWidget()
        line = QHBoxLayout(how)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        self.expand = QCheckBox(self.tr("Let the model reword"))
        self.expand.setToolTip(
            self.tr(
                "The chat model says first what “her” and “that thing” mean. One short request."
            )
        )
        line.addWidget(self.expand)
        self.top_k = self._spin(line, self.tr("At most"), 1, MOST_HITS, 10)
        self.budget = self._spin(line, self.tr("Budget (tokens)"), 100, 200_000, 6000)
        self.budget.setSingleStep(100)
        flow.addWidget(how)
        return options

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
        self.save_button.hide()
        line.addWidget(self.save_button)
        return line

    def _make_hits(self) -> QStackedWidget:
        self._stack = QStackedWidget()
        self._empty = EmptyState(self._look, "recall")
        self._empty.say(
            self.tr("What would be remembered?"),
            self.tr("Type what is about to be said. You see which memories come back, and why."),
        )
        scroll = tall_area()
        body = QWidget()
        rows = column(body, 0, 8)
        rows.setContentsMargins(0, 0, 6, 0)
        said = QWidget()
        self._said = column(said, 0, 8)
        self._hits = CardColumn(first=MOST_HITS)
        rows.addWidget(said)
        rows.addWidget(self._hits)
        rows.addStretch(1)
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
        """Return the refs of the hits that the user ticked as right."""
        refs = (card.hit.item.ref for card in self.cards)
        return [ref for ref in refs if ref in self._ticked]

    @Slot()
    def _save(self) -> None:
        if self._model.answer is not None:
            self._lab.save(self._model.answer.question.query.text, self.ticked)
            for card in self.cards:
                card.right_button.setChecked(False)

    def _on_ticked(self, ref: str, *, is_ticked: bool) -> None:
        if is_ticked:
            self._ticked.add(ref)
        else:
            self._ticked.discard(ref)
        self.save_button.setVisible(bool(self._ticked))

    @Slot(object)
    def _on_ask_wanted(self, question: LabQuestion) -> None:
        self._right_refs = frozenset(expected.ref for expected in question.expected)
        self.question.setText(question.query)
        self.tabs.show_page(ASK)
        self.ask()

    def show_next(self) -> None:
        """Show what the next reply would receive."""
        self.tabs.show_page(NEXT)

    @Slot(int)
    def _on_tab_changed(self, number: int) -> None:
        if number == NEXT:
            self._next.begin()
        elif number == PAST:
            self._model.read_past()
        elif number == MUTED:
            self._model.read_muted()
        elif number == LAB:
            self._lab.read()

    @Slot()
    def _on_past_forgotten(self) -> None:
        self.past.show_past([])
        if self.tabs.pages.currentIndex() == PAST:
            self._model.read_past()

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        clear_layout(self._said)
        result = answer.result
        self._said.addLayout(self._make_head(result))
        if result.hits and not result.is_related:
            why = self.tr("Too far from the question: a prompt would get none of these.")
            self._said.addWidget(label(why, "warn", wrap=True))
        if result.degraded:
            self._said.addWidget(label(degraded_words(result.degraded), "quiet", wrap=True))
        self.cards = []
        self._ticked.clear()
        right, self._right_refs = self._right_refs, frozenset()
        self._hits.show_cards([partial(self._make_card, result, hit, right) for hit in result.hits])
        if result.hits:
            self._stack.setCurrentIndex(1)
        else:
            self._stack.setCurrentIndex(0)
            hint = self.tr("Try other words, or make more of the chat into events first.")
            missing = degraded_words(result.degraded) if result.degraded else ""
            self._empty.say(
                self.tr("Nothing comes to mind"), "\n".join(filter(None, (hint, missing)))
            )
        self.panel.setEnabled(False)  # its content belongs to the question before
        self.why.show_explanation(answer.why)

    @Slot(object)
    def _on_composed(self, answer: Answer) -> None:
        if answer.injection is not None:
            self.panel.show_injection(answer.injection)
        self.panel.setEnabled(True)

    def _make_card(self, result: RecallResult, hit: RecallHit, right: frozenset[str]) -> HitCard:
        """Make the card of a hit, ticked if it is in ``right``."""
        best = max(hit.score for hit in result.hits)
        card = HitCard(self._look, hit, best, self._model)
        card.set_unused(is_unused=not result.is_related)
        ref = hit.item.ref
        card.right_button.toggled.connect(lambda on: self._on_ticked(ref, is_ticked=on))
        self.cards.append(card)
        card.right_button.setChecked(ref in right)
        return card

    @Slot(object)
    def _on_muted_read(self, items: list[object]) -> None:
        name = self.tr("Not used")
        self._muted_tab.setText(f"{name} {len(items)}" if items else name)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.ask_button.setEnabled(not busy)


def make(parts: PageParts, parent: QWidget) -> RecallPage:
    models = parts.models
    return RecallPage(parts.look, models.recall, models.lab, models.next_prompt, parent)
