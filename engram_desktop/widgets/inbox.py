"""The inbox (待办) of a chat: all items that wait for a decision, in one list.

Beside the list is the selected item: its words, their lines, and the possible decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QPushButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.inbox import (
    INBOX_KINDS,
    MOST_CHECKED,
    PUT_OFF_HOURS,
    InboxAction,
    InboxItem,
    effect_of,
)
from engram_desktop.domain.memory.message import Message
from engram_desktop.viewmodels.findings import answer_names
from engram_desktop.viewmodels.inbox import (
    KIND_ROLES,
    InboxList,
    effect_names,
    item_floors,
    item_text,
    kind_names,
    kind_questions,
    part_words,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.widgets.parts.answer_page import (
    LOW,
    AnswerDetail,
    AnswerPage,
    KindCard,
    KindWords,
    WordsCard,
)
from engram_desktop.widgets.parts.layouts import (
    FlowLayout,
    clear_layout,
    column,
)
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import chip, kind_button, label, text_button

LINE_CHARACTERS = 400  # of a message of its floors
ACTIONS: tuple[InboxAction, ...] = ("accept", "dismiss", "later")


class InboxDetail(AnswerDetail):
    """The words of an item, and the current text of its floors."""

    decided = Signal(str, str)  # InboxAction, and an answer to a finding or ""
    change_wanted = Signal()

    def __init__(self, look: Look, inbox: InboxList, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._inbox = inbox
        self.item: InboxItem | None = None
        self._fill_rows()
        self._add_buttons()
        inbox.shown.connect(self.show_item)
        inbox.lines_read.connect(self.show_lines)
        look.changed.connect(self._redraw)
        self.show_item(inbox.current)

    def _fill_rows(self) -> None:
        self.title.setWordWrap(True)
        self.question = label("", "quiet", wrap=True)
        self._rows.addWidget(self.question)
        parts = QWidget()
        self._parts = column(parts, 0, 8)
        self._rows.addWidget(parts)
        self.why = label("", "quiet", wrap=True)
        self._rows.addWidget(self.why)
        self._lines_head = label(self.tr("What these floors say now"), "section")
        self._rows.addWidget(self._lines_head)
        self.lines = label("", "quiet", wrap=True)
        self._rows.addWidget(self.lines)

    def _add_buttons(self) -> None:
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
        self._below.addWidget(buttons)
        self._below.addWidget(self.hint)

    def show_item(self, item: InboxItem | None) -> None:
        if item != self.item or item is None:
            self.show_lines(())
            self._fill(item)

    @Slot(object)
    def show_lines(self, messages: Sequence[Message]) -> None:
        """Show the current text of the item's floors, as far as it fits."""
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
            card = _part_card(item, number)
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


def _part_card(item: InboxItem, number: int) -> WordsCard:
    part = (*item.parts, *item.beside)[number]
    floors = floors_words(part.first, part.last) if part.first >= 0 else ""
    return WordsCard(floors, part_words(part.text))


LIST_WIDTH = 420


class InboxCard(KindCard):
    @override
    def words_of(self, row: InboxItem) -> KindWords:
        name, role = kind_names()[row.kind], KIND_ROLES[row.kind]
        return KindWords(name, role, row.title, item_text(row), item_floors(row))


class InboxPage(AnswerPage):
    def __init__(self, look: Look, inbox: InboxList, parent: QWidget | None = None) -> None:
        keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_A: lambda: self.decide("accept"),
            Qt.Key.Key_D: lambda: self.decide("dismiss"),
            Qt.Key.Key_L: lambda: self.decide("later"),
            Qt.Key.Key_E: inbox.change,
        }
        super().__init__(look, "inbox", inbox, INBOX_KINDS, keys, parent)
        self._inbox = inbox
        self._is_fresh = True  # nothing was chosen yet: choose the first item
        self._add_filters()
        self._empty.acted.connect(inbox.show_put_off)
        self._add_stack()
        self._fill_body(look)
        inbox.found.connect(self._on_found)
        self._on_found()

    def _add_filters(self) -> None:
        self.chips["doubt"].setToolTip(
            self.tr("Sentences of the newest {n} events that a model wrote are looked up.").format(
                n=MOST_CHECKED
            )
        )
        self.put_off_chip = kind_button("chip", "")
        self.put_off_chip.clicked.connect(self._inbox.show_put_off)
        self._flow.addWidget(self.put_off_chip)

    def _fill_body(self, look: Look) -> None:
        rows = column(self._body, 0, 6)
        side = QWidget()
        left = column(side, 0, 4)
        view = self.view = self._make_view(look, InboxCard, self.tr("What waits for a decision"))
        view.pressed.connect(self._on_pressed)
        view.edit_wanted.connect(self._inbox.change)
        view.delete_wanted.connect(lambda: self.decide("dismiss"))
        view.doubleClicked.connect(lambda _index: self._inbox.change())
        left.addWidget(view, 1)
        self.more = label("", "hint", wrap=True)
        left.addWidget(self.more)
        self.detail = InboxDetail(look, self._inbox)
        self.detail.decided.connect(self.decide)
        self.detail.change_wanted.connect(self._inbox.change)
        rows.addWidget(self._split(side, self.detail, LIST_WIDTH), 1)

    @override
    def focus_search(self) -> None:
        """Focus the list, as this page has no search."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        self._inbox.set_active(active)
        self.begin(is_active=active)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.detail.hint.setVisible(self.height() >= LOW)

    @Slot()
    def _on_pressed(self) -> None:
        self._is_fresh = False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._is_fresh = False
        super().keyPressEvent(event)

    @override
    def answer(self, answer: str) -> None:
        self.decide("accept", answer)

    @Slot(str, str)
    def decide(self, action: InboxAction, answer: str = "") -> None:
        """Apply a decision to the item shown; the next item is shown then."""
        if self._inbox.act(action, answer) and not self.view.hasFocus():
            self.view.setFocus()

    @Slot()
    def _on_found(self) -> None:
        inbox = self._inbox
        self._show_filters()
        count = inbox.model.rowCount()
        self._stack.setCurrentWidget(self._body if count else self._empty)
        if not count:
            self._say_empty()
            self._is_fresh = self._is_fresh or not inbox.is_loaded  # another chat is shown
        elif self.show_taken_back(inbox.decided):
            self._is_fresh = False
        elif self._is_fresh:
            self.view.show_row(0)
            self._is_fresh = not inbox.is_loaded
        elif not self.view.selected_count():
            self.view.show_row(min(self._row, count - 1))
        self.take_focus()
        more = inbox.not_listed
        self.more.setVisible(more > 0)
        self.more.setText(self.tr("%n more follow as these are decided.", "", more))

    def _show_filters(self) -> None:
        inbox, names = self._inbox, kind_names()
        counts = inbox.counts()
        for kind, button in self.chips.items():
            name = self.tr("Waiting") if kind is None else names[kind]
            count = inbox.count if kind is None else counts[kind]
            button.setText(f"{name} {count}")
            button.setVisible(kind is None or count > 0)
            button.setChecked(kind == inbox.kind and not inbox.shows_put_off)
        self.put_off_chip.setText(self.tr("Put off {n}").format(n=inbox.put_off_count))
        self.put_off_chip.setVisible(inbox.put_off_count > 0)
        self.put_off_chip.setChecked(inbox.shows_put_off)
        self._flow.invalidate()

    def _say_empty(self) -> None:
        inbox = self._inbox
        if inbox.actor:
            self._empty.say(
                self.tr("Only you decide"),
                self.tr("You see the chat as {name}. See everything to decide what waits.").format(
                    name=inbox.actor
                ),
            )
        elif not (inbox.is_loaded and inbox.is_settled) or inbox.count:
            self._empty.wait()
        else:
            self._empty.say(
                self.tr("All done"),
                self.tr(
                    "Nothing waits for a decision. Drafts, failed blocks, contradictions, promises "
                    "that are due, doubtful and stale memories, and what may be there twice come "
                    "here."
                ),
                self.tr("Show what was put off") if inbox.put_off_count else "",
            )


def make(parts: PageParts, parent: QWidget) -> InboxPage:
    inbox = parts.models.inbox
    page = InboxPage(parts.look, inbox, parent)
    inbox.review_wanted.connect(parts.doors.open_review)
    inbox.failures_wanted.connect(parts.doors.open_failures)
    return page
