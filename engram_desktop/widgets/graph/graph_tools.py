"""The tools above the graph: search, legend, filters. They wrap where the page is narrow."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSlider, QSpinBox, QToolButton, QWidget

from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityType
from engram_desktop.viewmodels.graph.graph_view import LIMITS, PlacedGraph, type_name
from engram_desktop.widgets.graph.drawing.nodes import mark_icon
from engram_desktop.widgets.parts.basics.layouts import FlowLayout
from engram_desktop.widgets.parts.basics.pieces import icon_button, kind_button, label
from engram_desktop.widgets.parts.fields.filtered_box import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look

MAX_HOPS = 4
MOST_PREDICATES = 60  # offered to choose from, the most frequent
MOST_DEGREE = 99  # that can be asked for as the least
GROUP_HEIGHT = 36  # pixels: fields of different heights stand on one line


class GraphTools(QWidget):
    filtered = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        flow = FlowLayout(self, 6)
        self.search = SearchField(look, self.tr("Find an entity"))
        self.search.setFixedWidth(150)
        flow.addWidget(self.search)
        self.legend: dict[EntityType, QToolButton] = {}
        for kind in ENTITY_TYPES:
            button = kind_button("chip", type_name(kind))
            button.setChecked(True)
            button.setIconSize(QSize(14, 14))
            button.toggled.connect(lambda _on: self.filtered.emit())
            self.legend[kind] = button
            flow.addWidget(button)
        self.filter_button = self._chip(self.tr("Filter"), self.tr("Show fewer nodes and lines"))
        self.words_button = self._chip(self.tr("Words"), self.tr("Write on lines what they say"))
        self.only_button = self._chip(
            self.tr("Only selected"), self.tr("Hide the lines of all that is not selected")
        )
        self.list_button = self._chip(self.tr("List"), self.tr("Show the list beside the graph"))
        self.list_button.setChecked(True)
        self.same_button = self._chip(
            self.tr("May be one"), self.tr("Entities that may be one and the same")
        )
        self.home_button = icon_button(
            look, "refresh", self.tr("Back to the most connected entity")
        )
        self.arrange_button = icon_button(look, "place", self.tr("Lay out anew"))
        self.fit_button = icon_button(look, "fit", self.tr("Fit everything (Ctrl+0)"))
        self.more_button = icon_button(look, "more", self.tr("More"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        chips = (
            self.filter_button,
            self.words_button,
            self.only_button,
            self.list_button,
            self.same_button,
        )
        for chip in chips:
            flow.addWidget(chip)
        icons = QWidget()
        line = QHBoxLayout(icons)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for button in (self.home_button, self.arrange_button, self.fit_button, self.more_button):
            line.addWidget(button)
        flow.addWidget(icons)
        self._dress()
        look.changed.connect(self._dress)

    @property
    def hidden_types(self) -> frozenset[EntityType]:
        return frozenset(kind for kind, button in self.legend.items() if not button.isChecked())

    def show_counts(self, graph: PlacedGraph) -> None:
        counts = graph.type_counts
        for kind, button in self.legend.items():
            button.setText(f"{type_name(kind)} {counts[kind]}")
            button.setVisible(counts[kind] > 0)

    def show_all_types(self) -> None:
        for button in self.legend.values():
            button.setChecked(True)

    def _chip(self, text: str, hint: str) -> QToolButton:
        button = kind_button("chip", text)
        button.setToolTip(hint)
        return button

    @Slot()
    def _dress(self) -> None:
        for kind, button in self.legend.items():
            button.setIcon(mark_icon(self._look, kind))


class GraphFilters(QWidget):
    """How far from the centre, how many, how well linked, and by what."""

    changed = Signal()
    limit_chosen = Signal(int)

    def __init__(self, hops: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        flow = FlowLayout(self, 10)
        self.hops = QSlider(Qt.Orientation.Horizontal)
        self.hops.setRange(1, MAX_HOPS)
        self.hops.setValue(hops)
        self.hops.setPageStep(1)
        self.hops.setFixedWidth(90)
        self.hops.setAccessibleName(self.tr("Hops from the centre"))
        self._hops_text = label(str(hops), "quiet")
        self.hops.valueChanged.connect(lambda n: self._hops_text.setText(str(n)))
        self._add(flow, self.tr("Hops"), self.hops, self._hops_text)
        self.limit = QComboBox()
        self.limit.setAccessibleName(self.tr("Entities shown at most"))
        for limit in LIMITS:
            self.limit.addItem(f"{limit:,}", limit)
        self.limit.activated.connect(lambda _i: self.limit_chosen.emit(self.limit.currentData()))
        self._add(flow, self.tr("At most"), self.limit)
        self.degree = QSpinBox()
        self.degree.setRange(0, MOST_DEGREE)
        self.degree.setAccessibleName(self.tr("Relations at least"))
        self.degree.valueChanged.connect(lambda _n: self.changed.emit())
        self._add(flow, self.tr("Relations at least"), self.degree)
        self.predicate = FilteredBox()
        self.predicate.setAccessibleName(self.tr("Only this relation"))
        self.predicate.setMinimumContentsLength(8)
        self.predicate.activated.connect(lambda _i: self.changed.emit())
        self._add(flow, self.tr("Only"), self.predicate)
        self.show_predicates([])

    @property
    def is_on(self) -> bool:
        """Whether anything is left out."""
        return self.degree.value() > 0 or bool(self.predicate.currentData())

    def show_predicates(self, predicates: list[str]) -> None:
        """Offer these; the one chosen stays chosen, and who types a filter is not disturbed."""
        if self.predicate.is_typing:
            return
        chosen = self.predicate.currentData() or ""
        self.predicate.clear()
        self.predicate.addItem(self.tr("every relation"), "")
        offered = predicates[:MOST_PREDICATES]
        for word in dict.fromkeys([*offered, *([chosen] if chosen else [])]):
            self.predicate.addItem(word, word)
        self.predicate.setCurrentIndex(max(0, self.predicate.findData(chosen)))

    def clear(self) -> None:
        """Show everything again."""
        self.degree.setValue(0)
        self.predicate.setCurrentIndex(0)
        self.changed.emit()

    @staticmethod
    def _add(flow: FlowLayout, caption: str, *fields: QWidget) -> None:
        group = QWidget()
        group.setFixedHeight(GROUP_HEIGHT)
        line = QHBoxLayout(group)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        line.addWidget(label(caption, "quiet"))
        for field in fields:
            line.addWidget(field)
        flow.addWidget(group)
