"""Above the text: which floors another page asked for, and the way back to it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.reading.reading_chat import Lines, ReadingChat
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.pieces import icon_button, text_button
from engram_desktop.widgets.parts.look.look import Look


class LinesStrip(QFrame):
    def __init__(self, look: Look, chat: ReadingChat, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("well")
        self._chat = chat
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 6, 8, 6)
        self._text = ElidedLabel("quiet", max_width=700)
        line.addWidget(self._text, 1)
        self.back_button = text_button(self.tr("Back"))
        self.back_button.clicked.connect(chat.go_back)
        line.addWidget(self.back_button)
        self.close_button = icon_button(look, "close", self.tr("Take the mark away"))
        self.close_button.clicked.connect(chat.leave_lines)
        line.addWidget(self.close_button)
        chat.lines_changed.connect(self.show_lines)
        self.show_lines(chat.lines)

    @Slot(object)
    def show_lines(self, lines: Lines | None) -> None:
        self.setVisible(lines is not None)
        if lines is None:
            return
        floors = floors_words(lines.first, lines.last)
        self.back_button.setVisible(bool(lines.title))
        page = QCoreApplication.translate("TopBar", lines.title) if lines.title else ""
        self.back_button.setText(self.tr("Back to {page}").format(page=page))
        self._text.set_text(
            self.tr("{floors}, asked for on {page}").format(floors=floors, page=page)
            if page
            else floors
        )
