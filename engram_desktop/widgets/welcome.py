"""Shown in an empty library: three ways to begin."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, named_frame, text_button


class WelcomePage(QWidget):
    demo_wanted = Signal()
    import_wanted = Signal()
    tavern_wanted = Signal()
    endpoint_wanted = Signal()
    play_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._pictures: dict[str, QLabel] = {}
        self._cards: dict[str, QVBoxLayout] = {}
        outer = column(self, 24, 10)
        outer.addStretch(2)
        self._add_words(outer)
        outer.addSpacing(16)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addStretch(1)
        self._add_cards(line)
        line.addStretch(1)
        outer.addLayout(line)
        outer.addStretch(3)
        self.demo_button.clicked.connect(self.demo_wanted)
        self.play_button.clicked.connect(self.play_wanted)
        self.import_button.clicked.connect(self.import_wanted)
        self.tavern_button.clicked.connect(self.tavern_wanted)
        self.endpoint_button.clicked.connect(self.endpoint_wanted)
        look.changed.connect(self._draw)
        self._draw()

    def _add_words(self, outer: QVBoxLayout) -> None:
        title = label(self.tr("Memory for long stories"), "title")
        hint = label(
            self.tr(
                "Engram reads a chat once, turns it into events you can read and correct, "
                "and recalls them when the story needs them."
            ),
            "quiet",
            wrap=True,
        )
        for part in (title, hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            outer.addWidget(part)

    def _add_cards(self, line: QHBoxLayout) -> None:
        self.demo_button = self._card(
            line,
            "play",
            self.tr("Try the demo story"),
            self.tr("A short story in a tavern. Nothing to set up, nothing is sent anywhere."),
            self.tr("Open the demo"),
            main=True,
        )
        self.play_button = text_button(self.tr("Play with a character…"))
        self._cards["play"].addWidget(self.play_button)
        self.import_button = self._card(
            line,
            "import",
            self.tr("Import a chat"),
            self.tr(
                "Drop a .jsonl file on this window, or follow the chats of your SillyTavern "
                "folder. The files stay as they are."
            ),
            self.tr("Choose a file…"),
        )
        self.tavern_button = text_button(self.tr("SillyTavern folder…"))
        self._cards["import"].addWidget(self.tavern_button)
        self.endpoint_button = self._card(
            line,
            "plug",
            self.tr("Set up a model"),
            self.tr("Optional: with an OpenAI-compatible endpoint, summaries are much better."),
            self.tr("Set up…"),
        )
        for card in self._cards.values():
            card.addStretch(1)

    def _draw(self) -> None:
        for icon, picture in self._pictures.items():
            picture.setPixmap(self._look.pixmap(icon, "accent", 28))

    def _card(
        self,
        line: QHBoxLayout,
        icon: str,
        title: str,
        hint: str,
        action: str,
        *,
        main: bool = False,
    ) -> QPushButton:
        card = named_frame("card")
        card.setMaximumWidth(250)
        inside = self._cards[icon] = QVBoxLayout(card)
        inside.setContentsMargins(14, 20, 14, 20)
        inside.setSpacing(8)
        picture = label()
        self._pictures[icon] = picture
        inside.addWidget(picture)
        inside.addWidget(label(title, "heading", wrap=True))
        text = label(hint, "quiet", wrap=True)
        text.setMinimumHeight(76)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        inside.addWidget(text)
        button = text_button(action, "main" if main else "")
        button.setIconSize(QSize(16, 16))
        inside.addWidget(button)
        line.addWidget(card, 100)  # stretch: the card takes its largest width before the sides do
        return button
