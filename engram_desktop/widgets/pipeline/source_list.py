"""Each sentence of a drafted event beside the lines it comes from; one without is marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.pipeline.drafts.evidence import SentenceSource
from engram_desktop.widgets.parts.look.look import Look

_FLOOR = Qt.ItemDataRole.UserRole
_ICON = Qt.ItemDataRole.UserRole + 1  # its name, for another theme
_INKS = {"check": "green_ink", "warning": "red_ink"}
_INDENT = " " * 8  # of what belongs to the sentence above


class SourceList(QListWidget):
    """Enter, or a double click, on a line shows it in the chat."""

    floor_wanted = Signal(int, int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setAccessibleName(self.tr("Where it comes from"))
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._on_activated)
        look.changed.connect(self._color)

    def show_sources(self, sources: Sequence[SentenceSource]) -> None:
        self.clear()
        for source in sources:
            evidence = source.evidence
            if evidence.is_borne_out:
                self._add_sentence(evidence.sentence, "check")
            else:
                text = self.tr("No line bears this out:")
                self._add_sentence(f"{text} {evidence.sentence}", "warning")
            if evidence.missing:
                words = self.tr(", ").join(evidence.missing)
                self.addItem(_INDENT + self.tr("said by no line: {words}").format(words=words))
            for line in source.lines:
                name = f"{line.name}: " if line.name else ""
                item = QListWidgetItem(f"{_INDENT}#{line.floor} {name}{line.text}")
                item.setData(_FLOOR, line.floor)
                item.setToolTip(self.tr("Read it in the chat"))
                self.addItem(item)

    def _add_sentence(self, text: str, icon: str) -> None:
        item = QListWidgetItem(text)
        font = item.font()
        font.setBold(True)
        item.setFont(font)
        item.setData(_ICON, icon)
        self._dress(item)
        self.addItem(item)

    @Slot()
    def _color(self) -> None:
        for row in range(self.count()):
            self._dress(self.item(row))

    def _dress(self, item: QListWidgetItem) -> None:
        icon = item.data(_ICON)
        if icon is not None:
            item.setIcon(self._look.icon(icon, _INKS[icon]))

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        floor = item.data(_FLOOR)
        if floor is not None:
            self.floor_wanted.emit(floor, floor)
