"""One item of the inbox: its words, the lines they are of, and what can be decided."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from engram_desktop.domain.inbox import PUT_OFF_HOURS, InboxAction, InboxItem, effect_of
from engram_desktop.domain.memory.message import Message
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.findings import answer_names
from engram_desktop.viewmodels.inbox import (
    KIND_ROLES,
    InboxList,
    effect_names,
    kind_names,
    kind_questions,
    part_words,
)
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import chip, kind_button, label, text_button

MOST_SHOWN = 1_500  # characters of a part; the rest is read in its messages
LINE_CHARACTERS = 400  # of a message of its floors
ACTIONS: tuple[InboxAction, ...] = ("accept", "dismiss", "later")


class PartCard(LiveCard):
    """Words to be judged. Opening it reads the messages of its floors."""

    def __init__(self, item: InboxItem, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        part = (*item.parts, *item.beside)[number]
        words = part_words(part.text)
        text = words[:MOST_SHOWN] + ("…" if len(words) > MOST_SHOWN else "")
        rows = column(self, 12, 6)
        if part.first >= 0:
            floors = floors_words(part.first, part.last)
            rows.addWidget(label(floors, "quiet"))
            self.setAccessibleName(f"{floors}: {text}")
            self.setToolTip(self.tr("Read it in the text of the chat"))
        else:
            self.setAccessibleName(text)
        self.words = label(text, wrap=True)
        rows.addWidget(self.words)


class InboxDetail(QWidget):
    """What scrolls are the words; the buttons stay in sight below them."""

    decided = Signal(str, str)  # InboxAction, and an answer to a finding or ""
    change_wanted = Signal()

    def __init__(self, look: Look, inbox: InboxList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._inbox = inbox
        self.item: InboxItem | None = None
        self.cards: list[PartCard] = []
        outer = column(self, 0, 6)
        self._scroll = QScrollArea()
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its parts take it
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._make_body())
        outer.addWidget(self._scroll, 1)
        outer.addWidget(self._make_foot())
        inbox.shown.connect(self.show_item)
        inbox.lines_read.connect(self.show_lines)
        look.changed.connect(self._redraw)
        self.show_item(inbox.current)

    def _make_body(self) -> QWidget:
        self._body = QWidget()
        rows = column(self._body, 0, 8)
        rows.setContentsMargins(16, 2, 4, 4)
        head = QWidget()
        line = FlowLayout(head, 8)
        marks = QWidget()
        self._marks = QHBoxLayout(marks)
        self._marks.setContentsMargins(0, 0, 0, 0)
        line.addWidget(marks)
        self.title = label("", "heading", wrap=True)
        line.addWidget(self.title)
        rows.addWidget(head)
        self.question = label("", "quiet", wrap=True)
        rows.addWidget(self.question)
        parts = QWidget()
        self._parts = column(parts, 0, 8)
        rows.addWidget(parts)
        self.why = label("", "quiet", wrap=True)
        rows.addWidget(self.why)
        self._lines_head = label(self.tr("What these floors say now"), "section")
        rows.addWidget(self._lines_head)
        self.lines = label("", "quiet", wrap=True)
        rows.addWidget(self.lines)
        rows.addStretch(1)
        return self._body

    def _make_foot(self) -> QWidget:
        self._foot = QWidget()
        below = column(self._foot, 0, 6)
        below.setContentsMargins(16, 0, 4, 4)
        answers = QWidget()
        self._answers = FlowLayout(answers, 6)
        below.addWidget(answers)
        buttons = QWidget()
        line = FlowLayout(buttons, 6)
        self.buttons: dict[str, QPushButton] = {}
        for name, kind in (("accept", "main"), ("change", ""), ("dismiss", ""), ("later", "")):
            button = text_button("", kind) if kind else text_button("")
            self.buttons[name] = button
            line.addWidget(button)
        for action in ACTIONS:
            self.buttons[action].clicked.connect(
                lambda _checked=False, a=action: self.decided.emit(a, "")
            )
        self.buttons["change"].clicked.connect(self.change_wanted)
        below.addWidget(buttons)
        self.hint = label("", "hint", wrap=True)
        below.addWidget(self.hint)
        return self._foot

    def show_item(self, item: InboxItem | None) -> None:
        if item != self.item or item is None:
            self.show_lines(())
            self._fill(item)

    @Slot(object)
    def show_lines(self, messages: Sequence[Message]) -> None:
        """Show what the floors of the item say now, as far as there is room for."""
        rows = []
        for message in messages:
            text = " ".join(message.text.split())
            cut = text[:LINE_CHARACTERS] + ("…" if len(text) > LINE_CHARACTERS else "")
            rows.append(f"{message.name}: {cut}")
        self.lines.setText("\n\n".join(rows))
        for part in (self._lines_head, self.lines):
            part.setVisible(bool(rows))

    @Slot()
    def _redraw(self) -> None:
        self._fill(self.item)

    def _fill(self, item: InboxItem | None) -> None:
        self.item = item
        for layout in (self._marks, self._parts, self._answers):
            clear_layout(layout)
        self.cards = []
        self._body.setVisible(item is not None)
        self._foot.setVisible(item is not None)
        if item is None:
            return
        self._marks.addWidget(chip(self._look, kind_names()[item.kind], KIND_ROLES[item.kind]))
        self.title.setText(item.title)
        self.question.setText(kind_questions()[item.kind])
        for number in range(len(item.parts) + len(item.beside)):
            if number == len(item.parts):
                self._parts.addWidget(label(self.tr("What brings it up"), "section"))
            card = PartCard(item, number)
            card.opened.connect(lambda n=number: self._inbox.read_floors(n))
            self._parts.addWidget(card)
            self.cards.append(card)
        self.why.setText("\n".join(part_words(why) for why in item.why))
        self.why.setVisible(bool(item.why))
        self._show_buttons(item)
        self._scroll.verticalScrollBar().setValue(0)

    def _show_buttons(self, item: InboxItem) -> None:
        names = effect_names()
        texts: dict[str, str] = {a: names[effect_of(item.kind, a)] for a in ACTIONS}
        texts["change"] = self.tr("Change…")
        keys = {"accept": "A", "change": "E", "dismiss": "D", "later": "L"}
        for name, button in self.buttons.items():
            button.setText(f"{keys[name]}  {texts[name]}")
            button.setAccessibleName(texts[name])
            button.setAccessibleDescription(self.tr("Key {key}").format(key=keys[name]))
        away = self.tr("It comes back when it changes.")
        is_away = effect_of(item.kind, "dismiss") == "put_away"
        self.buttons["dismiss"].setToolTip(away if is_away else "")
        self.buttons["later"].setToolTip(
            self.tr("It comes back in {hours} hours, or when it changes.").format(
                hours=PUT_OFF_HOURS
            )
        )
        choices, answers = self._inbox.choices(), answer_names()
        for number, answer in enumerate(choices, 1):
            chosen = kind_button("chip", f"{number}  {answers[answer]}", checkable=False)
            chosen.setAccessibleName(answers[answer])
            chosen.clicked.connect(lambda _checked=False, a=answer: self.decided.emit("accept", a))
            self._answers.addWidget(chosen)
        self.hint.setText(self.tr("J and K move, Ctrl+Z undoes."))
