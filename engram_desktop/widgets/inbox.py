"""The inbox (待办) of a chat: what waits for a decision, in one list that comes to its end.

Beside the list stands the chosen item: its words, the lines they are of, and what can be decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.inbox import (
    INBOX_KINDS,
    MOST_CHECKED,
    PUT_OFF_HOURS,
    InboxAction,
    InboxItem,
    InboxKind,
    effect_of,
)
from engram_desktop.domain.memory.message import Message
from engram_desktop.viewmodels.events.event_words import floors_words
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
from engram_desktop.widgets.parts.cards import CardTable, KindCard, KindWords, LiveCard
from engram_desktop.widgets.parts.layouts import (
    FlowLayout,
    PlainSplitter,
    clear_layout,
    column,
    tall_area,
)
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
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
        self._scroll = tall_area()
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


ACTION_KEYS: dict[int, InboxAction] = {
    Qt.Key.Key_A: "accept",
    Qt.Key.Key_D: "dismiss",
    Qt.Key.Key_L: "later",
}
ANSWER_KEYS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)
OTHER_KEYS = (Qt.Key.Key_E, Qt.Key.Key_J, Qt.Key.Key_K)
LIST_WIDTH = 420
LOW = 560  # pixels below which the words need the room of the hint


class InboxCard(KindCard):
    @override
    def words_of(self, row: InboxItem) -> KindWords:
        name, role = kind_names()[row.kind], KIND_ROLES[row.kind]
        return KindWords(name, role, row.title, item_text(row), item_floors(row))


class InboxTable(CardTable):
    """Leaves to the page the keys that decide and move."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*ACTION_KEYS, *ANSWER_KEYS, *OTHER_KEYS):
            event.ignore()
        else:
            super().keyPressEvent(event)


class InboxPage(Page):
    def __init__(self, look: Look, inbox: InboxList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._inbox = inbox
        self._is_fresh = True  # nothing was chosen yet: the first of what is read is
        self._wants_focus = False  # the page was opened: its keys are to work at once
        self._row = 0  # where the list stood: when what was there leaves it, the next one follows
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 8)
        outer.addWidget(self._make_filters())
        self._body = QWidget()
        self._empty = EmptyState(look, "inbox")
        self._empty.acted.connect(inbox.show_put_off)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self._body)
        self._stack.addWidget(self._empty)
        self._fill_body(look)
        inbox.found.connect(self._on_found)
        self._on_found()

    def _make_filters(self) -> QWidget:
        filters = QWidget()
        self._flow = FlowLayout(filters)
        self.chips: dict[InboxKind | None, QToolButton] = {}
        for kind in (None, *INBOX_KINDS):
            chip = kind_button("chip", "")
            chip.clicked.connect(lambda _checked=False, k=kind: self._inbox.filter_kind(k))
            self.chips[kind] = chip
            self._flow.addWidget(chip)
        self.chips["doubt"].setToolTip(
            self.tr("Sentences of the newest {n} events that a model wrote are looked up.").format(
                n=MOST_CHECKED
            )
        )
        self.put_off_chip = kind_button("chip", "")
        self.put_off_chip.clicked.connect(self._inbox.show_put_off)
        self._flow.addWidget(self.put_off_chip)
        return filters

    def _fill_body(self, look: Look) -> None:
        rows = column(self._body, 0, 6)
        split = PlainSplitter()
        side = QWidget()
        left = column(side, 0, 4)
        self.view = InboxTable(look, self._inbox.model)
        self.view.setAccessibleName(self.tr("What waits for a decision"))
        self.view.setItemDelegate(InboxCard(look, self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.view.setMinimumWidth(200)
        self.view.chosen.connect(self._on_chosen)
        self.view.pressed.connect(self._on_pressed)
        self.view.edit_wanted.connect(self._inbox.change)
        self.view.delete_wanted.connect(lambda: self.decide("dismiss"))
        self.view.doubleClicked.connect(lambda _index: self._inbox.change())
        left.addWidget(self.view, 1)
        self.more = label("", "hint", wrap=True)
        left.addWidget(self.more)
        split.addWidget(side)
        self.detail = InboxDetail(look, self._inbox)
        self.detail.decided.connect(self.decide)
        self.detail.change_wanted.connect(self._inbox.change)
        split.addWidget(self.detail)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([LIST_WIDTH, LIST_WIDTH * 3 // 2])
        rows.addWidget(split, 1)

    @override
    def focus_search(self) -> None:
        """Nothing is searched here: the list itself is gone to."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        self._inbox.set_active(active)
        self._wants_focus = active
        self._take_focus()

    def _take_focus(self) -> None:
        if self._wants_focus and self._inbox.model.rowCount():
            self._wants_focus = False
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

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
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        choices, key = self._inbox.choices(), event.key()
        if key in ACTION_KEYS:
            self.decide(ACTION_KEYS[key])
        elif key in ANSWER_KEYS[: len(choices)]:
            self.decide("accept", choices[ANSWER_KEYS.index(Qt.Key(key))])
        elif key == Qt.Key.Key_E:
            self._inbox.change()
        elif key == Qt.Key.Key_J:
            self._move(1)
        elif key == Qt.Key.Key_K:
            self._move(-1)
        else:
            super().keyPressEvent(event)

    @Slot(str, str)
    def decide(self, action: InboxAction, answer: str = "") -> None:
        """Decide what is shown; the next one takes its place."""
        if self._inbox.act(action, answer) and not self.view.hasFocus():
            self.view.setFocus()

    def _move(self, step: int) -> None:
        last = self._inbox.model.rowCount() - 1
        row = min(max(0, self.view.currentIndex().row() + step), last)
        self.view.show_row(row)
        self.view.scrollTo(self._inbox.model.index(row))

    @Slot()
    def _on_found(self) -> None:
        inbox = self._inbox
        self._show_filters()
        count = inbox.model.rowCount()
        self._stack.setCurrentWidget(self._body if count else self._empty)
        if not count:
            self._say_empty()
            self._is_fresh = self._is_fresh or not inbox.is_loaded  # another chat is shown
        elif self._is_fresh:
            self.view.show_row(0)
            self._is_fresh = not inbox.is_loaded
        elif not self.view.selected_count():
            self.view.show_row(min(self._row, count - 1))
        self._take_focus()
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

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        key = self.view.current_key() if count else None
        if count:
            self._row = self.view.currentIndex().row()
        self._inbox.choose(key)


def make(parts: PageParts, parent: QWidget) -> InboxPage:
    inbox = parts.models.inbox
    page = InboxPage(parts.look, inbox, parent)
    inbox.review_wanted.connect(parts.doors.open_review)
    inbox.failures_wanted.connect(parts.doors.open_failures)
    return page
