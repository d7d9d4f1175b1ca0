"""The facets that are set, in words, one chip each: Backspace or a click takes one out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from engram_desktop.domain.memory.facets import Combining, Facet
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.facet_words import facet_words, strip_words
from engram_desktop.widgets.events.filters.combining import open_combining
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, clear_layout
from engram_desktop.widgets.parts.basics.pieces import icon_button, kind_button, label, literal
from engram_desktop.widgets.parts.look.look import Look

LONGEST = 40  # characters of a chip; its tooltip has all of it


class SetFacet(QToolButton):
    """One facet that is set. A right click joins it otherwise."""

    removed = Signal(object)  # Facet
    combined = Signal(object, str)  # Facet, Combining

    def __init__(self, look: Look, facet: Facet) -> None:
        super().__init__()
        self.facet = facet
        words = facet_words(facet)
        self.setProperty("kind", "chip")
        self.setText(literal(words if len(words) <= LONGEST else words[:LONGEST] + "…"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIcon(look.icon("close", "ink3"))
        self.setToolTip(words)
        self.setAccessibleName(self.tr("Remove {word}").format(word=words))
        self.clicked.connect(lambda: self.removed.emit(self.facet))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.facet)
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        open_combining(self, at, lambda how: self.combined.emit(self.facet, how))
        event.accept()


class FacetStrip(QWidget):
    """Hidden while nothing is set."""

    left = Signal()  # nothing is left to take out
    save_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._flow = FlowLayout(self)
        self.setAccessibleName(self.tr("Filters that are set"))
        self.chips: list[SetFacet] = []
        self.clear_button = kind_button("chip", self.tr("Clear"), checkable=False)
        self.clear_button.clicked.connect(self._clear)
        self.save_button = icon_button(look, "bookmark", self.tr("Keep this filter in the sidebar"))
        self.save_button.clicked.connect(self.save_wanted)
        events.query_changed.connect(self._show)
        look.changed.connect(self._show)
        self._shown: object = None
        self._show()

    @property
    def words(self) -> str:
        """All that is set, as it reads from left to right."""
        facets = self._events.query.facets
        return " ".join(
            part for joined, f in strip_words(facets) for part in (joined, facet_words(f)) if part
        )

    @Slot()
    def remove_last(self) -> None:
        if self.chips:
            self._remove(self.chips[-1].facet)

    @Slot()
    def _clear(self) -> None:
        self._events.clear_filters_but_text()
        self.left.emit()

    @Slot()
    def _show(self) -> None:
        facets = self._events.query.facets
        seen = (facets, self._look.theme.name)
        if seen == self._shown:
            return
        self._shown = seen
        for kept in (self.clear_button, self.save_button):
            self._flow.removeWidget(kept)
        clear_layout(self._flow)
        self.chips = []
        for joined, facet in strip_words(facets):
            if joined:
                word = label(joined, "hint")
                word.setMinimumHeight(self.clear_button.minimumHeight())
                self._flow.addWidget(word)
            chip = SetFacet(self._look, facet)
            chip.setMinimumHeight(self.clear_button.minimumHeight())
            chip.removed.connect(self._remove)
            chip.combined.connect(self._combine)
            self.chips.append(chip)
            self._flow.addWidget(chip)
        self._flow.addWidget(self.clear_button)
        self._flow.addWidget(self.save_button)
        self.setVisible(bool(facets))
        self.updateGeometry()

    @Slot(object)
    def _remove(self, facet: Facet) -> None:
        had_focus = any(chip.hasFocus() for chip in self.chips)
        at = next((n for n, chip in enumerate(self.chips) if chip.facet == facet), 0)
        self._events.set_facets(self._events.query.facets.without(facet))
        if not self.chips:
            self.left.emit()
        elif had_focus:
            self.chips[min(at, len(self.chips) - 1)].setFocus()

    @Slot(object, str)
    def _combine(self, facet: Facet, how: Combining) -> None:
        facets = self._events.query.facets
        rest = facets if how in {"alone", "not"} else facets.without(facet)
        self._events.set_facets(rest.combined(facet, how))
