"""Beside the requests: one of them, which chat it was taken for and why, and what it was given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.serving.exchange import Exchange
from engram_desktop.viewmodels.events.event_words import where_words
from engram_desktop.viewmodels.serving import (
    Bodies,
    Body,
    Serving,
    how_words,
    kept_words,
    outcome_meaning,
    outcome_words,
)
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import (
    icon_button,
    label,
    literal,
    named_frame,
    text_button,
)

MOST_HITS = 40  # of one request: an injection has some twenty
MOST_TEXT = 80  # characters of a memory in its row: three lines
MOST_CHATS = 60  # in the menu of chats, the latest


class ExchangePanel(QFrame):
    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._serving = serving
        outer = column(self, 0, 0)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("The request"))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer.addWidget(scroll)
        body = QWidget()
        rows = column(body, 0, 8)
        rows.setContentsMargins(20, 14, 16, 16)
        scroll.setWidget(body)
        self._title = label("", "heading", wrap=True)
        rows.addWidget(self._title)
        self._meaning = label("", "quiet", wrap=True)
        rows.addWidget(self._meaning)
        self._failure = label("", "danger", wrap=True)
        rows.addWidget(self._failure)
        self._parts = QWidget()
        inner = column(self._parts, 0, 8)
        rows.addWidget(self._parts)
        self._add_chat(inner)
        self._add_memory(inner)
        rows.addStretch(1)
        serving.shown.connect(self._on_shown)
        self._on_shown(serving.current)

    def _add_chat(self, rows: QVBoxLayout) -> None:
        rows.addWidget(label(self.tr("Which chat"), "section"))
        self._chat = label("", "", wrap=True)
        rows.addWidget(self._chat)
        self._why = label("", "quiet", wrap=True)
        rows.addWidget(self._why)
        line = QHBoxLayout()
        self.correct_button = text_button(self.tr("This was another chat…"))
        self.correct_button.clicked.connect(self._offer_chats)
        line.addWidget(self.correct_button)
        self.bodies_button = text_button(self.tr("The exact request…"))
        self.bodies_button.clicked.connect(self._serving.ask_bodies)
        line.addWidget(self.bodies_button)
        line.addStretch(1)
        rows.addLayout(line)

    def _add_memory(self, rows: QVBoxLayout) -> None:
        self._memory_head = label("", "section", wrap=True)
        rows.addWidget(self._memory_head)
        self._figures = label("", "quiet", wrap=True)
        rows.addWidget(self._figures)
        hits = QWidget()
        self._hits = column(hits, 0, 6)
        rows.addWidget(hits)

    @Slot(object)
    def _on_shown(self, exchange: Exchange | None) -> None:
        self._parts.setVisible(exchange is not None)
        self._failure.setVisible(exchange is not None and bool(exchange.failure))
        if exchange is None:
            self._title.setText(self.tr("No request selected"))
            self._meaning.setText(
                self.tr("Select one to see which chat it was taken for and what it was given.")
            )
            clear_layout(self._hits)
            return
        self._title.setText(outcome_words(exchange.outcome))
        self._meaning.setText(outcome_meaning(exchange.outcome))
        self._failure.setText(translated(exchange.failure))
        self._show_chat(exchange)
        self._show_memory(exchange)
        self.bodies_button.setEnabled(bool(exchange.before))
        self.correct_button.setEnabled(bool(exchange.before) and exchange.outcome != "refused")

    def _show_chat(self, exchange: Exchange) -> None:
        identity = exchange.identity
        if identity is None:
            self._chat.setText("–")
            self._why.setText("")
            return
        name = self._serving.chat_name(identity.line) if identity.line is not None else ""
        self._chat.setText(
            self.tr("{chat}, {how}, {sure} sure").format(
                chat=name, how=how_words(identity.how), sure=f"{identity.certainty:.0%}"
            )
            if name
            else self.tr("None that is known")
        )
        lines = [translated(identity.why)]
        if identity.speaker:
            lines.append(
                self.tr("Seen as {name}: only what {name} knows").format(name=identity.speaker)
            )
        kept = kept_words(exchange.kept)
        if kept:
            lines.append(self.tr("Kept: {what}").format(what=kept))
        self._why.setText("\n".join(line for line in lines if line))

    def _show_memory(self, exchange: Exchange) -> None:
        injection = exchange.injection
        hits: Sequence[RecallHit] = injection.hits if injection is not None else ()
        tokens = injection.tokens if injection is not None else 0
        self._memory_head.setText(self.tr("Memory put in: %n token(s)", "", tokens))
        figures = [
            self.tr("memory {ms} ms").format(ms=f"{exchange.memory_ms:.0f}"),
            self.tr("first byte {ms} ms").format(ms=f"{exchange.first_ms:.0f}"),
        ]
        if exchange.saved_tokens:
            figures.append(self.tr("%n token(s) saved", "", exchange.saved_tokens))
        if exchange.shortened is not None:
            given, wanted = exchange.shortened
            figures.append(
                self.tr(
                    "memory shortened from {wanted} to {given} tokens: the model's context was full"
                ).format(wanted=wanted, given=given)
            )
        if exchange.model:
            figures.append(exchange.model)
        if exchange.host:
            figures.append(exchange.host)
        self._figures.setText(" · ".join(figures))
        clear_layout(self._hits)
        for hit in hits[:MOST_HITS]:
            self._hits.addWidget(self._make_hit(hit))

    def _make_hit(self, hit: RecallHit) -> QWidget:
        card = named_frame("card")
        line = QHBoxLayout(card)
        line.setContentsMargins(12, 8, 8, 8)
        words = QWidget()
        inner = column(words, 0, 2)
        text = " ".join(hit.item.content.split())
        inner.addWidget(label(text[:MOST_TEXT] + ("…" if len(text) > MOST_TEXT else ""), wrap=True))
        why = [where_words(hit.item)]
        if hit.matched:
            why.append(self.tr(", ", "between words").join(hit.matched[:6]))
        inner.addWidget(label(" · ".join(why), "hint", wrap=True))
        line.addWidget(words, 1)
        mute = icon_button(self._look, "mute", self.tr("Do not use this memory again"))
        mute.clicked.connect(partial(self._serving.mute, hit))
        mute.setVisible(not hit.item.volume)
        line.addWidget(mute, 0, Qt.AlignmentFlag.AlignTop)
        return card

    @Slot()
    def _offer_chats(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for chat in self._serving.chats()[:MOST_CHATS]:
            action = menu.addAction(literal(chat.name))
            line = Line.main(chat.chat_id)
            action.triggered.connect(lambda _checked=False, to=line: self._serving.correct(to))
        menu.addSeparator()
        none = menu.addAction(self.tr("None of my chats"))
        none.triggered.connect(lambda _checked=False: self._serving.correct(None))
        button = self.correct_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))


def make(parts: PageParts, parent: QWidget) -> ExchangePanel:
    return ExchangePanel(parts.look, parts.models.serving, parent)


# One request before memory and after it, side by side, as it was sent.


MOST_MARKS = 2_000  # lines that are set apart: of one injection there are some dozens


class BodiesDialog(FramedDialog):
    """Bodies are texts here: nothing in them is obeyed."""

    def __init__(
        self, look: Look, serving: Serving, bodies: Bodies, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=760)
        self._serving = serving
        self.resize(1060, 680)
        self.set_title(self.tr("The exact request"))
        self.body.addWidget(
            label(
                self.tr("It is held in memory for the newest requests only, and stored nowhere."),
                "quiet",
                wrap=True,
            )
        )
        sides = QHBoxLayout()
        self.before = self._add_side(sides, self.tr("As it came"), bodies.before)
        self.after = self._add_side(sides, self.tr("As it was sent on"), bodies.after)
        self.body.addLayout(sides, 1)
        self._mark_added(look, bodies)
        self.add_close(self.tr("Close"))

    def _mark_added(self, look: Look, bodies: Bodies) -> None:
        """Set what memory put in apart, and go to it."""
        marks = []
        document = self.after.document()
        for number in bodies.added[:MOST_MARKS]:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(document.findBlockByNumber(number))
            mark.format.setBackground(look.color("green_soft"))
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marks.append(mark)
        self.after.setExtraSelections(marks)
        if marks:
            self.after.setTextCursor(marks[0].cursor)
            self.after.centerCursor()

    def _add_side(self, sides: QHBoxLayout, name: str, body: Body) -> QPlainTextEdit:
        side = QWidget()
        rows = column(side, 0, 4)
        head = QHBoxLayout()
        head.addWidget(label(name, "section"))
        head.addStretch(1)
        if body.is_cut:
            head.addWidget(label(self.tr("only its beginning is shown"), "hint"))
        copy = text_button(self.tr("Copy"))
        copy.clicked.connect(lambda: self._serving.copy(body.text))
        head.addWidget(copy)
        rows.addLayout(head)
        view = QPlainTextEdit()
        view.setReadOnly(True)
        view.setAccessibleName(name)
        view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        view.setPlainText(body.shown)
        rows.addWidget(view, 1)
        sides.addWidget(side, 1)
        return view
