"""One finding: its quotes side by side, and what can be answered."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QScrollArea, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.findings import (
    KIND_ROLES,
    FindingList,
    FindingRow,
    answer_names,
    kind_meanings,
    kind_names,
    status_names,
    told_words,
)
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import chip, kind_button, label

NARROW = 420  # pixels below which the quotes stand one below the other
MOST_SHOWN = 1_500  # characters of a quote; the rest is read in its message


class QuoteCard(LiveCard):
    """What was said on a floor, by whom and how. Opening it reads the message."""

    def __init__(self, row: FindingRow, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        quote = row.finding.quotes[number]
        floor = floors_words(quote.floor, quote.floor)
        who = told_words(row.told[number] if number < len(row.told) else None)
        text = quote.text[:MOST_SHOWN] + ("…" if len(quote.text) > MOST_SHOWN else "")
        rows = column(self, 12, 6)
        self.head = label(" · ".join(part for part in (floor, who) if part), "quiet", wrap=True)
        rows.addWidget(self.head)
        self.words = label(text, wrap=True)
        rows.addWidget(self.words)
        rows.addStretch(1)
        self.setAccessibleName(f"{self.head.text()}: {text}")
        self.setToolTip(self.tr("Read it in the text of the chat"))


class FindingDetail(QWidget):
    """What scrolls are the quotes; the answers stay in sight below them."""

    answered = Signal(str)

    def __init__(self, look: Look, findings: FindingList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._findings = findings
        self.cards: list[QuoteCard] = []
        outer = column(self, 0, 6)
        self._scroll = QScrollArea()
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its parts take it
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._make_body())
        outer.addWidget(self._scroll, 1)
        foot = QWidget()
        below = column(foot, 0, 6)
        below.setContentsMargins(16, 0, 4, 4)
        answers = QWidget()
        self._answers = FlowLayout(answers, 6)
        below.addWidget(answers)
        self.hint = label("", "hint", wrap=True)
        below.addWidget(self.hint)
        outer.addWidget(foot)
        self.row: FindingRow | None = None
        findings.shown.connect(self.show_row)
        look.changed.connect(self._redraw)
        self.show_row(findings.current)

    def _make_body(self) -> QWidget:
        self._body = QWidget()
        rows = column(self._body, 0, 8)
        rows.setContentsMargins(16, 2, 4, 4)
        head = QWidget()
        line = FlowLayout(head, 8)
        marks = QWidget()
        self._marks = QHBoxLayout(marks)
        self._marks.setContentsMargins(0, 0, 0, 0)
        self._marks.setSpacing(6)
        line.addWidget(marks)
        self.title = label("", "heading")
        line.addWidget(self.title)
        rows.addWidget(head)
        self._meaning = label("", "quiet", wrap=True)
        rows.addWidget(self._meaning)
        self._quotes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._quotes.setSpacing(8)
        rows.addLayout(self._quotes)
        self._more = label("", "quiet", wrap=True)
        rows.addWidget(self._more)
        rows.addStretch(1)
        return self._body

    @Slot()
    def _redraw(self) -> None:
        self.show_row(self.row)

    def show_row(self, row: FindingRow | None) -> None:
        self.row = row
        for layout in (self._marks, self._quotes, self._answers):
            clear_layout(layout)
        self.cards = []
        self._body.setVisible(row is not None)
        if row is None:
            return
        finding = row.finding
        self._marks.addWidget(
            chip(self._look, kind_names()[finding.kind], KIND_ROLES[finding.kind])
        )
        if finding.kind != "superseded":  # all of them are over
            self._marks.addWidget(chip(self._look, status_names()[finding.status]))
        self.title.setText(row.heading)
        self._meaning.setText(kind_meanings()[finding.kind])
        for number in range(len(finding.quotes)):
            card = QuoteCard(row, number)
            card.opened.connect(lambda n=number: self._findings.read_source(n))
            self._quotes.addWidget(card, 1)
            self.cards.append(card)
        self._more.setText(_more(row))
        self._more.setVisible(bool(self._more.text()))
        self._show_answers(finding.answer)
        self._scroll.verticalScrollBar().setValue(0)

    def _show_answers(self, given: str) -> None:
        names = answer_names()
        choices = self._findings.choices()
        for number, answer in enumerate(choices, 1):
            button = kind_button("chip", f"{number}  {names[answer]}")
            button.setChecked(answer == given)
            button.setAccessibleName(names[answer])
            button.setAccessibleDescription(self.tr("Key {number}").format(number=number))
            if answer == given:
                button.setToolTip(self.tr("Your answer; once more takes it back"))
            button.clicked.connect(lambda _checked=False, a=answer: self.answered.emit(a))
            self._answers.addWidget(button)
        self.hint.setText(
            self.tr("Keys 1–{last} answer and go on, J and K move, Ctrl+Z undoes.").format(
                last=len(choices)
            )
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._quotes.setDirection(down if is_narrow else across)


def _more(row: FindingRow) -> str:
    """Say what a finding also knows: what brings a promise up, who knows better."""
    finding = row.finding
    parts = []
    if finding.kind == "promise" and finding.trigger:
        text = QCoreApplication.translate("FindingDetail", "Due: {trigger}")
        parts.append(text.format(trigger=finding.trigger))
    if finding.kind in ("lie", "mistaken") and finding.known_to:
        text = QCoreApplication.translate("FindingDetail", "Who knows better: {names}")
        parts.append(text.format(names=", ".join(finding.known_to)))
    return "\n".join(parts)
