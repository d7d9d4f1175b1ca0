"""Ask what the memory would recall: ranked hits and why, and the text a prompt would get."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.recall import ITEM_KINDS, ItemKind, RecallHit
from engram_desktop.viewmodels.event_list import floors_words
from engram_desktop.viewmodels.recall import Answer, RecallPageModel
from engram_desktop.widgets.chips import chip
from engram_desktop.widgets.look import Look
from engram_desktop.widgets.parts import (
    EmptyState,
    LineField,
    LiveCard,
    TextField,
    clear_layout,
    column,
    kind_button,
    label,
    named_frame,
    text_button,
)

LEG_ROLES = {"lexical": "gold", "vector": "accent", "graph": "green", "rerank": "red"}


class ShareBar(QWidget):
    """A hit's score as a bar, cut into what each leg gave."""

    def __init__(self, look: Look, hit: RecallHit, best: float) -> None:
        super().__init__()
        self._look = look
        self._hit = hit
        self._best = max(best, 1e-9)
        self.setFixedHeight(6)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(QRectF(0, 0, self.width(), 6), 3, 3)
        whole = sum(share for share in self._hit.why.values() if share > 0)
        length = self.width() * min(1.0, max(0.0, self._hit.score) / self._best)
        x = 0.0
        for leg, share in self._hit.why.items():
            if share > 0 and whole > 0:
                width = length * share / whole
                painter.setBrush(self._look.color(LEG_ROLES.get(leg, "grey")))
                painter.drawRoundedRect(QRectF(x, 0, width, 6), 3, 3)
                x += width


class HitCard(LiveCard):
    """One recalled memory. Click or Enter opens what it came from."""

    def __init__(self, look: Look, hit: RecallHit, best: float, model: RecallPageModel) -> None:
        super().__init__()
        self._hit = hit
        self.opened.connect(lambda: model.open_hit(hit))
        inner = QVBoxLayout(self)
        inner.setContentsMargins(14, 10, 14, 10)
        inner.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(f"{hit.rank}", "heading"))
        head.addWidget(chip(look, kind_name(hit.item.kind)))
        floors = floors_words(hit.item.start_index, hit.item.end_index)
        head.addWidget(label(floors, "hint"))
        head.addStretch(1)
        head.addWidget(label(f"{hit.score:.3f}", "quiet"))
        inner.addLayout(head)
        text = " ".join(hit.item.content.split())
        inner.addWidget(label(text if len(text) <= 240 else f"{text[:240]}…", wrap=True))
        inner.addWidget(ShareBar(look, hit, best))
        inner.addWidget(label(self.why(), "hint", wrap=True))
        self.setAccessibleName(f"{hit.rank}. {text[:120]}")
        self.setAccessibleDescription(self.why())

    def why(self) -> str:
        """Say which legs found it, how much each gave, and by which words."""
        legs = [
            f"{self._leg_name(leg)} {share:.3f}" for leg, share in self._hit.why.items() if share
        ]
        parts = []
        if legs:
            parts.append(self.tr("Found by {legs}").format(legs=" + ".join(legs)))
        if self._hit.matched:
            matched = "、".join(self._hit.matched[:8])
            parts.append(self.tr("Matched {words}").format(words=matched))
        return " · ".join(parts)

    def _leg_name(self, leg: str) -> str:
        names = {
            "lexical": self.tr("words"),
            "vector": self.tr("meaning"),
            "graph": self.tr("graph"),
            "speaker": self.tr("who spoke"),
            "date": self.tr("date"),
            "moment": self.tr("the same moment"),
            "asking": self.tr("is itself a question"),
            "rerank": self.tr("reranker"),
        }
        return names.get(leg, leg)


def kind_name(kind: ItemKind) -> str:
    """Name a kind of memory for the reader."""
    names = {
        "turn": QCoreApplication.translate("RecallPage", "Message"),
        "event": QCoreApplication.translate("RecallPage", "Event"),
        "entity": QCoreApplication.translate("RecallPage", "Entity"),
        "log": QCoreApplication.translate("RecallPage", "Private log"),
    }
    return names[kind]


class RecallPage(QWidget):
    def __init__(self, look: Look, model: RecallPageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._model = model
        outer = column(self, 0, 10)
        outer.setContentsMargins(24, 16, 16, 12)
        outer.addLayout(self._make_question())
        outer.addLayout(self._make_options())
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(12)
        splitter.addWidget(self._make_hits())
        splitter.addWidget(self._make_injection())
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([560, 400])
        splitter.setChildrenCollapsible(False)
        outer.addWidget(splitter, 1)
        model.answered.connect(self._on_answered)
        model.busy_changed.connect(self._on_busy)

    # --- building ---

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
        for kind in ITEM_KINDS:
            button = kind_button("chip", kind_name(kind))
            button.setChecked(True)
            self.kinds[kind] = button
            line.addWidget(button)
        line.addStretch(1)
        self.top_k = self._spin(line, self.tr("At most"), 1, 100, 10)
        self.budget = self._spin(line, self.tr("Budget (tokens)"), 100, 200_000, 1500)
        self.budget.setSingleStep(100)
        return line

    @staticmethod
    def _spin(line: QHBoxLayout, name: str, low: int, high: int, value: int) -> QSpinBox:
        caption = label(name, "quiet")
        made = QSpinBox()
        made.setRange(low, high)
        made.setValue(value)
        made.setAccessibleName(name)
        caption.setBuddy(made)
        line.addWidget(caption)
        line.addWidget(made)
        return made

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

    def _make_injection(self) -> QFrame:
        card = named_frame("card")
        inner = column(card, 14, 8)
        head = QHBoxLayout()
        head.addWidget(label(self.tr("What a prompt would get"), "heading"), 1)
        self._tokens = label("", "quiet")
        head.addWidget(self._tokens)
        self.copy_button = text_button(self.tr("Copy"))
        self._look.dress(self.copy_button, "copy")
        self.copy_button.setIconSize(QSize(16, 16))
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        head.addWidget(self.copy_button)
        inner.addLayout(head)
        self.injection = TextField(self.tr("What a prompt would get"))
        self.injection.setReadOnly(True)
        inner.addWidget(self.injection, 1)
        return card

    # --- commands ---

    @Slot()
    def ask(self) -> None:
        kinds = tuple(kind for kind, button in self.kinds.items() if button.isChecked())
        self._model.ask(
            self.question.text(),
            top_k=self.top_k.value(),
            kinds=kinds or ITEM_KINDS,
            budget=self.budget.value(),
        )

    def focus_search(self) -> None:
        self.question.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.selectAll()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.injection.toPlainText())

    # --- following ---

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        clear_layout(self._hits)
        result = answer.result
        head = self.tr("%n memory(s)", "", len(result.hits)) + " · " + f"{result.elapsed_ms:.0f} ms"
        self._hits.addWidget(label(head, "quiet"))
        if result.degraded:
            self._hits.addWidget(label(self._degraded_words(result.degraded), "quiet", wrap=True))
        best = max((hit.score for hit in result.hits), default=1.0)
        for hit in result.hits:
            self._hits.addWidget(HitCard(self._look, hit, best, self._model))
        self._hits.addStretch(1)
        if result.hits:
            self._stack.setCurrentIndex(1)
        else:
            self._stack.setCurrentIndex(0)
            self._empty.say(
                self.tr("Nothing comes to mind"),
                self.tr("Try other words, or make more of the chat into events first."),
            )
        self.injection.setPlainText(answer.injection.text)
        self._tokens.setText(self.tr("%n token(s)", "", answer.injection.tokens))
        self.copy_button.setEnabled(bool(answer.injection.text))

    def _degraded_words(self, parts: tuple[str, ...]) -> str:
        names = {
            "index": self.tr("the index (exact search took its place)"),
            "embedding": self.tr("the meaning of words (no embedder answered)"),
        }
        told = "、".join(names.get(part, part) for part in parts)
        return self.tr("Could not take part: {parts}.").format(parts=told)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        self.ask_button.setEnabled(not busy)
