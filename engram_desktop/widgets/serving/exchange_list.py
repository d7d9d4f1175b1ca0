"""Every request that went through the server, the newest first, as it happens."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.serving.exchange import Exchange
from engram_desktop.viewmodels.serving.exchange_words import (
    TINTS,
    answer_words,
    outcome_words,
)
from engram_desktop.viewmodels.serving.serving import Serving
from engram_desktop.widgets.parts.look.look import Look

MOST_ROWS = 500  # as many as the server remembers
MOST_NAME = 80  # characters of what a program calls itself
FAILED = 400  # of the statuses of HTTP, the first that says that something went wrong
MARKS = {"green": "check", "grey": "info", "gold": "warning", "red": "error"}
NUMBER = Qt.ItemDataRole.UserRole


class ExchangeList(QTreeWidget):
    chosen = Signal(object)  # number of an exchange, or None

    def __init__(self, look: Look, serving: Serving, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._serving = serving
        self._items: dict[int, QTreeWidgetItem] = {}
        self.setObjectName("rows")
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
        for section, width in ((0, 84), (1, 140), (3, 150), (4, 80), (5, 80), (6, 126)):
            header.resizeSection(section, width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.itemSelectionChanged.connect(self._on_selected)
        serving.heard.connect(self.show_exchange)
        serving.cleared.connect(self._clear)
        look.changed.connect(self._fill)
        self._fill()

    @Slot(object)
    def show_exchange(self, exchange: Exchange) -> None:
        """Add a row at the top, or bring one up to date."""
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
        for column, text in enumerate(texts):
            item.setText(column, text)
        if self._is_decided(exchange):
            tint = TINTS[exchange.outcome]
            item.setIcon(3, self._look.icon(MARKS[tint], f"{tint}_ink"))
        failed = bool(exchange.failure) or exchange.status >= FAILED
        item.setIcon(6, self._look.icon("error", "red_ink") if failed else QIcon())
        for column in (1, 2):
            item.setToolTip(column, texts[column])

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
