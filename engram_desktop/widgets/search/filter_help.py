"""What may be typed into the search beside words, as a card: a click puts one into the field."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from engram_desktop.widgets.parts.basics.pieces import kind_button, label, literal


def examples() -> tuple[tuple[str, str], ...]:
    """What may be typed, in the words of the window's language, and what it finds."""
    words = (
        QCoreApplication.translate("FilterHelp", "type:event"),
        QCoreApplication.translate("FilterHelp", "entity:"),
        QCoreApplication.translate("FilterHelp", "chat:"),
        QCoreApplication.translate("FilterHelp", "is:blue"),
        QCoreApplication.translate("FilterHelp", "is:stale"),
        "-",
        '" "',
        " OR ",
    )
    meanings = (
        QCoreApplication.translate(
            "FilterHelp", "only this kind: chat, entity, event, message, log, book"
        ),
        QCoreApplication.translate("FilterHelp", "tells of this entity, under any of its names"),
        QCoreApplication.translate("FilterHelp", "in chats whose name holds this"),
        QCoreApplication.translate("FilterHelp", "always in context; is:green: when recalled"),
        QCoreApplication.translate("FilterHelp", "no longer true; is:locked: locked"),
        QCoreApplication.translate("FilterHelp", "before a word or a filter: without it"),
        QCoreApplication.translate("FilterHelp", "exactly these words, with their blanks"),
        QCoreApplication.translate("FilterHelp", "one or the other; a blank means both"),
    )
    return tuple(zip(words, meanings, strict=True))


class FilterHelp(QFrame):
    wanted = Signal(str)  # a filter to be typed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("well")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (words, meaning) in enumerate(examples()):
            button = kind_button("plain", literal(words.strip()), checkable=False)
            button.setAccessibleName(self.tr("Type {filter}").format(filter=words.strip()))
            button.clicked.connect(lambda _checked=False, text=words: self.wanted.emit(text))
            grid.addWidget(button, row, 0)
            grid.addWidget(label(meaning, "quiet"), row, 1)
