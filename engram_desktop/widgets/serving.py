"""The page 联动: the memory server's switch, how to connect a program, and every request live.

The newest request is first. A panel shows one request: the chat it was assigned to with the reason,
and the text it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QIcon, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QStackedLayout,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.serving.exchange import Exchange
from engram_desktop.viewmodels.serving import (
    TINTS,
    Bodies,
    Body,
    Serving,
    answer_words,
    front_ends,
    how_words,
    kept_words,
    outcome_meaning,
    outcome_words,
)
from engram_desktop.viewmodels.workspace.choice_texts import listed, where_words
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column, given_way
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, Page, PageParts
from engram_desktop.widgets.parts.pieces import (
    icon_button,
    label,
    literal,
    named_frame,
    text_button,
)

MOST_ROWS = 500  # as many as the server stores
MOST_NAME = 80  # characters of a program's name for itself
FAILED = 400  # HTTP statuses from this one on are failures
MARKS = {"green": "check", "grey": "info", "gold": "warning", "red": "error"}
NUMBER = Qt.ItemDataRole.UserRole
WIDTHS = {0: 84, 1: 140, 3: 150, 4: 80, 5: 80, 6: 126}  # pixels; the chat, 2, takes the rest
LEFT_OUT = (5, 4, 1)  # hidden in this order if there is no room: the panel shows them
LEAST_WIDTH = 72  # pixels of any other column


class ExchangeList(QTreeWidget):
    chosen = Signal(object)  # number of an exchange, or None

    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._serving = serving
        self._items: dict[int, QTreeWidgetItem] = {}
        self.setAccessibleName(self.tr("Requests"))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHeaderLabels(
            [
                self.tr("At"),
                self.tr("From"),
                self.tr("Chat"),
                self.tr("Memory"),
                self.tr("Tokens"),
                self.tr("Took"),
                self.tr("Answer"),
            ]
        )
        header = self.header()
        header.setAccessibleName(self.tr("Requests"))
        header.setStretchLastSection(False)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self._widths = dict(WIDTHS)
        self._is_fitting = False
        header.sectionResized.connect(self._on_resized)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.itemSelectionChanged.connect(self._on_selected)
        serving.heard.connect(self.show_exchange)
        serving.cleared.connect(self._clear)
        look.changed.connect(self._fill)
        self._fill()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot(int, int, int)
    def _on_resized(self, section: int, _old: int, new: int) -> None:
        if section in WIDTHS and not self._is_fitting:  # by hand
            self._widths[section] = new

    def _fit(self) -> None:
        """Hide columns if there is no room, and let the others give way to the chat."""
        header, room = self.header(), self.viewport().width() - LEAST_WIDTH
        shown = dict(self._widths)
        self._is_fitting = True
        for section in LEFT_OUT:
            is_out = sum(shown.values()) > room
            header.setSectionHidden(section, is_out)
            if is_out:
                del shown[section]
        widths = given_way([*shown.values()], [LEAST_WIDTH] * len(shown), room)
        for section, width in zip(shown, widths, strict=True):
            header.resizeSection(section, width)
        self._is_fitting = False

    @Slot(object)
    def show_exchange(self, exchange: Exchange) -> None:
        """Add a row at the top, or update its row."""
        item = self._items.get(exchange.number)
        if item is None:
            item = QTreeWidgetItem()
            item.setData(0, NUMBER, exchange.number)
            self._items[exchange.number] = item
            self.insertTopLevelItem(0, item)
            if self.topLevelItemCount() > MOST_ROWS:
                oldest = self.takeTopLevelItem(self.topLevelItemCount() - 1)
                if oldest is not None:
                    self._items.pop(oldest.data(0, NUMBER), None)
        self._write(item, exchange)

    def _write(self, item: QTreeWidgetItem, exchange: Exchange) -> None:
        at = QDateTime.fromMSecsSinceEpoch(exchange.at).time()
        texts = [
            QLocale().toString(at, "HH:mm:ss"),
            exchange.client[:MOST_NAME],
            self._chat_text(exchange),
            outcome_words(exchange.outcome) if self._is_decided(exchange) else "…",
            f"{exchange.injection.tokens:,}" if exchange.injection is not None else "",
            f"{exchange.memory_ms:.0f} ms" if exchange.memory_ms else "",
            answer_words(exchange),
        ]
        for index, text in enumerate(texts):
            item.setText(index, text)
        if self._is_decided(exchange):
            tint = TINTS[exchange.outcome]
            item.setIcon(3, self._look.icon(MARKS[tint], f"{tint}_ink"))
        failed = bool(exchange.failure) or exchange.status >= FAILED
        item.setIcon(6, self._look.icon("error", "red_ink") if failed else QIcon())
        for index, text in enumerate(texts):
            item.setToolTip(index, text)

    def _chat_text(self, exchange: Exchange) -> str:
        identity = exchange.identity
        if identity is None:
            return ""
        if identity.line is None:
            return identity.card or "–"
        return f"{self._serving.chat_name(identity.line)} {identity.certainty:.0%}"

    @staticmethod
    def _is_decided(exchange: Exchange) -> bool:
        return exchange.is_finished or exchange.outcome != "unknown" or bool(exchange.identity)

    @Slot()
    def _fill(self) -> None:
        self._clear()
        for exchange in reversed(self._serving.exchanges()):
            self.show_exchange(exchange)

    @Slot()
    def _clear(self) -> None:
        self._items.clear()
        self.clear()

    @Slot()
    def _on_selected(self) -> None:
        items = self.selectedItems()
        self.chosen.emit(items[0].data(0, NUMBER) if items else None)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        exchange = self._serving.current
        if exchange is None or self.itemAt(at) is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line = exchange.identity.line if exchange.identity is not None else None
        show = menu.addAction(self._look.icon("events"), self.tr("Show the chat"))
        show.setEnabled(line is not None)
        show.triggered.connect(lambda _checked=False: self._serving.open_chat())
        bodies = menu.addAction(self._look.icon("eye"), self.tr("The exact request…"))
        bodies.setEnabled(bool(exchange.before))
        bodies.triggered.connect(lambda _checked=False: self._serving.ask_bodies())
        menu.popup(self.viewport().mapToGlobal(at))


SHOWN_OF_KEY = 4  # last characters of the key: enough to tell it from the previous key


class SwitchCard(QFrame):
    """The switch of the server. It shows the end of the key and copies the whole key."""

    settings_wanted = Signal()
    companion_wanted = Signal()

    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._serving = serving
        rows = column(self, 16, 8)
        rows.addWidget(self._make_head())
        self._about = label(
            self.tr(
                "Chat programs talk to this address instead of their model's. Each reply is"
                " written with the right memories, and becomes memory itself."
            ),
            "quiet",
            wrap=True,
        )
        rows.addWidget(self._about)
        self._where = self._make_address(look)
        rows.addWidget(self._where)
        self._network = label("", "hint", wrap=True)
        rows.addWidget(self._network)
        self._add_connecting(rows)
        serving.changed.connect(self._refresh)
        self._refresh()

    def _make_head(self) -> QWidget:
        whole = QWidget()
        head = FlowLayout(whole, 8)
        self._state = label("", "heading")
        head.addWidget(self._state)
        head.push()
        self.starts_box = QCheckBox(self.tr("Start with the program"))
        self.starts_box.setChecked(self._serving.starts_by_itself)
        self.starts_box.clicked.connect(
            lambda is_on: self._serving.set_starts_by_itself(on=bool(is_on))
        )
        head.addWidget(self.starts_box)
        self.settings_button = text_button(self.tr("Settings…"))
        self.settings_button.clicked.connect(self.settings_wanted)
        head.addWidget(self.settings_button)
        self.switch_button = text_button("", "main")
        self.switch_button.clicked.connect(self._serving.switch)
        head.addWidget(self.switch_button)
        return whole

    def _make_address(self, look: Look) -> QWidget:
        where = QWidget()
        line = FlowLayout(where, 8)
        line.addWidget(label(self.tr("Address"), "quiet"))
        self._url = label("", "strong")
        line.addWidget(self._url)
        self.copy_url = icon_button(look, "copy", self.tr("Copy the address"))
        self.copy_url.clicked.connect(lambda: self._copy("url"))
        line.addWidget(self.copy_url)
        line.addWidget(label(self.tr("Key"), "quiet"))
        self._key = label("", "strong")
        line.addWidget(self._key)
        self.copy_key = icon_button(look, "copy", self.tr("Copy the key"))
        self.copy_key.clicked.connect(lambda: self._copy("key"))
        line.addWidget(self.copy_key)
        self.renew_button = icon_button(
            look, "refresh", self.tr("Make another key: programs with this one are refused then")
        )
        self.renew_button.clicked.connect(self._serving.renew_key)
        line.addWidget(self.renew_button)
        return where

    def _add_connecting(self, rows: QVBoxLayout) -> None:
        self._connecting = QWidget()
        inner = column(self._connecting, 0, 6)
        choice = QWidget()
        line = FlowLayout(choice, 8)
        line.addWidget(label(self.tr("Connect"), "section"))
        self.program = QComboBox()
        self.program.setAccessibleName(self.tr("Connect"))
        self._programs = front_ends()
        for program in self._programs:
            self.program.addItem(program.name)
        self.program.currentIndexChanged.connect(lambda _n: self._refresh())
        line.addWidget(self.program)
        self.companion_button = text_button(self.tr("Companion for SillyTavern…"))
        self.companion_button.clicked.connect(self.companion_wanted)
        line.addWidget(self.companion_button)
        inner.addWidget(choice)
        self._steps = label("", "", wrap=True)
        inner.addWidget(self._steps)
        rows.addWidget(self._connecting)

    def _copy(self, what: str) -> None:
        address = self._serving.address
        if address is not None:
            self._serving.copy(address.url if what == "url" else address.key)

    @Slot()
    def _refresh(self) -> None:
        serving, address = self._serving, self._serving.address
        is_on = address is not None
        on, off = self.tr("Memory server: on"), self.tr("Memory server: off")
        self._state.setText(on if is_on else off)
        self.switch_button.setText(self.tr("Stop") if is_on else self.tr("Start"))
        self.switch_button.setEnabled(serving.can_run and not serving.is_busy)
        self._where.setVisible(is_on)
        self._connecting.setVisible(is_on)
        self._network.setVisible(is_on and bool(self._warning()))
        self._network.setText(self._warning())
        if address is None:
            return
        self._url.setText(address.url)
        self._key.setText("••••" + address.key[-SHOWN_OF_KEY:])
        shown_key = self.tr("(copied above)")
        self._steps.setText(
            self._programs[self.program.currentIndex()].text(address.url, shown_key)
        )

    def _warning(self) -> str:
        """Return the warnings about the server's settings, one a line; empty without any."""
        address, lines = self._serving.address, []
        if not self._serving.has_endpoint:
            lines.append(
                self.tr("No endpoint is set up: there is nowhere to send requests to. Settings…")
            )
        if address is not None and address.others:
            others = self.tr(", ", "between addresses").join(address.others)
            lines.append(self.tr("Open to the network: {addresses}").format(addresses=others))
        if address is not None and not address.is_key_kept:
            lines.append(self.tr("The key could not be kept: the next start makes another."))
        return "\n".join(lines)


class ServingPage(Page):
    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._serving = serving
        outer = column(self, 0, 12)
        outer.setContentsMargins(24, 16, 16, 12)
        self.card = SwitchCard(look, serving)
        self.card.companion_wanted.connect(self._offer_companion)
        outer.addWidget(self.card)
        self.list = ExchangeList(look, serving)
        self.list.chosen.connect(serving.choose)
        self._empty = EmptyState(look, "plug")
        self._empty.acted.connect(serving.switch)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        serving.changed.connect(self._show_which)
        serving.heard.connect(self._show_which)
        serving.cleared.connect(self._show_which)
        self._show_which()

    @override
    def focus_search(self) -> None:
        is_empty = self._stack.currentWidget() is self._empty
        first = self.card.switch_button if is_empty else self.list
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        """Requests are received whether the page is visible or not."""

    @Slot()
    def _show_which(self) -> None:
        if self.list.topLevelItemCount():
            self._stack.setCurrentWidget(self.list)
            return
        self._stack.setCurrentWidget(self._empty)
        if not self._serving.can_run:
            self._empty.say(
                self.tr("Another program has this library open"),
                self.tr("The server runs where the library is written to."),
            )
        elif self._serving.is_running:
            self._empty.say(
                self.tr("Nothing has come through yet"),
                self.tr("Connect a program as described above, and say something in it."),
            )
        else:
            self._empty.say(
                self.tr("Memory for any chat program"),
                self.tr(
                    "SillyTavern, RisuAI, Open WebUI, LobeChat, Chatbox: what you play there is"
                    " remembered here, and each reply knows it. Nothing to copy."
                ),
                self.tr("Start the server"),
            )

    @Slot()
    def _offer_companion(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        install = menu.addAction(self._look.icon("plug"), self.tr("Install into SillyTavern…"))
        install.triggered.connect(lambda _checked=False: self._install())
        save = menu.addAction(self._look.icon("export"), self.tr("Save as a folder to copy…"))
        save.triggered.connect(lambda _checked=False: self._save())
        button = self.card.companion_button
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _install(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, self.tr("SillyTavern folder"), self._serving.folder
        )
        if folder:
            self._serving.install_companion(Path(folder))

    def _save(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("A folder to save it in"))
        if folder:
            self._serving.save_companion(Path(folder))


def make(parts: PageParts, parent: QWidget) -> ServingPage:
    page = ServingPage(parts.look, parts.models.serving, parent)
    page.card.settings_wanted.connect(lambda: parts.doors.open_settings("serve"))
    parts.models.serving.bodies_wanted.connect(parts.doors.open_bodies)
    return page


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
        figures += filter(None, (exchange.host, exchange.client[:MOST_NAME]))
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
            why.append(listed(hit.matched[:6]))
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


def make_panel(parts: PageParts, parent: QWidget) -> ExchangePanel:
    return ExchangePanel(parts.look, parts.models.serving, parent)


# One request before and after memory was added, side by side, as it was sent.


MOST_MARKS = 2_000  # lines marked as added: an injection has some dozens


class BodiesDialog(FramedDialog):
    """Bodies of a request. They are shown as plain text only."""

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
        """Mark the text that memory added, and scroll to it."""
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
