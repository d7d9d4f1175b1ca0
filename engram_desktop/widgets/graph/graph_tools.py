"""Tools, menus and export of the graph page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QEvent,
    QObject,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, EntityType, Relation
from engram_desktop.domain.graph.gaps import MOST_MESSAGES
from engram_desktop.domain.graph.relations import STILL_TRUE, predicate_alone
from engram_desktop.viewmodels.graph.drawn_graph import fact_words
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, RelationRow
from engram_desktop.viewmodels.graph.gap_finder import gap_filters
from engram_desktop.viewmodels.graph.graph_view import (
    LIMITS,
    GraphFiles,
    GraphPageModel,
    IdRole,
    PlacedGraph,
    type_name,
    type_noun,
)
from engram_desktop.widgets.graph.graph_canvas import GraphCanvas
from engram_desktop.widgets.graph.names import drawing, image_for, sheet_for, whole
from engram_desktop.widgets.graph.picture import Picture, mark_icon
from engram_desktop.widgets.parts.fields.filtered import FilteredBox
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import ClosesOutside, FlowLayout, laid_out_once
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, kind_button, label, literal

# The tools above the graph: search, legend, filters. They wrap on a narrow page.


MAX_HOPS = 4
MOST_PREDICATES = 60  # offered in the menu, the most frequent ones
MOST_DEGREE = 99  # largest number of links that the filter offers
GROUP_HEIGHT = 36  # pixels: fields of different heights share a line
MATCHES_WIDTH, MATCHES_HEIGHT = 220, 260  # pixels: a name with its kind; eight rows at once


class GraphTools(QWidget):
    filtered = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        flow = self._flow = FlowLayout(self, 6)
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
        self.words_button = self._chip(
            self.tr("Line labels"), self.tr("Write on lines what they say")
        )
        self.only_button = self._chip(
            self.tr("Only selected"), self.tr("Hide the lines of all that is not selected")
        )
        self.list_button = self._chip(self.tr("List"), self.tr("Show the list beside the graph"))
        self.list_button.setChecked(True)
        self.same_button = self._chip(
            self.tr("Possible duplicates"), self.tr("Entities that may be one and the same")
        )
        self.home_button = icon_button(
            look, "refresh", self.tr("Back to the most connected entity")
        )
        self.arrange_button = icon_button(look, "place", self.tr("Lay out again"))
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
        self._folded = (self.words_button, self.only_button, self.same_button)
        self._is_folded = False
        self._apply_look()
        look.changed.connect(self._apply_look)

    def fold(self, *, is_folded: bool) -> None:
        """Keep only the most used tools; `fill` puts the others into the menu."""
        self._is_folded = is_folded
        for chip in self._folded:
            chip.setHidden(is_folded)

    def fill(self, menu: QMenu) -> None:
        """Add the hidden tools to the menu."""
        for chip in self._folded if self._is_folded else ():
            action = menu.addAction(chip.text())
            action.setCheckable(True)
            action.setChecked(chip.isChecked())
            action.toggled.connect(chip.setChecked)
        if self._is_folded:
            menu.addSeparator()

    @property
    def hidden_types(self) -> frozenset[EntityType]:
        return frozenset(kind for kind, button in self.legend.items() if not button.isChecked())

    def show_counts(self, graph: PlacedGraph) -> None:
        counts = graph.type_counts
        with laid_out_once(self._flow):
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
    def _apply_look(self) -> None:
        for kind, button in self.legend.items():
            button.setIcon(mark_icon(self._look, kind))


class GraphFilters(QWidget):
    """Filters: distance from the centre, count, number of links, relation type, gaps."""

    changed = Signal()
    limit_chosen = Signal(int)
    gap_chosen = Signal(object)  # Gap, or None for no filter

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
        self.gap = QComboBox()
        self.gap.setAccessibleName(self.tr("What is missing"))
        self.gap.setToolTip(
            self.tr(
                "Looked for in profiles, relations, archived events, the newest {count} messages."
            ).format(count=f"{MOST_MESSAGES:,}")
        )
        self.gap.addItem(self.tr("every entity"), None)
        for gap, words in gap_filters().items():
            self.gap.addItem(words, gap)
        self.gap.currentIndexChanged.connect(
            lambda _i: self.gap_chosen.emit(self.gap.currentData())
        )
        self._add(flow, self.tr("Missing"), self.gap)
        self.show_predicates([])

    def show_predicates(self, predicates: list[str]) -> None:
        """Offer these predicates; the choice stays, and a filter being typed is not disturbed."""
        if self.predicate.is_typing:
            return
        chosen = self.predicate.currentData() or ""
        self.predicate.clear()
        self.predicate.addItem(self.tr("every relation"), "")
        offered = predicates[:MOST_PREDICATES]
        for word in dict.fromkeys([*offered, *([chosen] if chosen else [])]):
            self.predicate.addItem(predicate_alone(word), word)
        self.predicate.setCurrentIndex(max(0, self.predicate.findData(chosen)))

    def clear(self) -> None:
        """Reset all filters."""
        self.degree.setValue(0)
        self.predicate.setCurrentIndex(0)
        self.gap.setCurrentIndex(0)
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


# The list of matches below the search while text is typed.

# Focus reasons of the user; a page that is shown again focuses its search for other reasons.
_BY_HAND = frozenset(
    {
        Qt.FocusReason.MouseFocusReason,
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    }
)


class EntityMatches(QListWidget):
    """Shown over the page while the search or the list has the focus; Down moves into the list."""

    entity_chosen = Signal(str)

    def __init__(self, search: SearchField, page: QWidget) -> None:
        super().__init__(page)
        self._search = search
        self._page = page
        self.setAccessibleName(self.tr("Matches"))
        self.hide()
        self.itemActivated.connect(self._choose)
        self.itemClicked.connect(self._choose)
        search.submitted.connect(self._choose_first)
        search.left.connect(self._on_left)
        search.installEventFilter(self)
        ClosesOutside(self, search)

    def offer(self, entities: Sequence[EntityNode]) -> None:
        """Show these matches, unless the search has lost the focus."""
        self.clear()
        if not self._search.hasFocus() or not self._search.text().strip():
            self.hide()
            return
        for entity in entities:
            item = QListWidgetItem(f"{entity.name}  ·  {type_noun(entity.type)}", self)
            item.setData(IdRole, entity.id)
        if not entities:
            QListWidgetItem(self.tr("No entity has this name"), self).setFlags(
                Qt.ItemFlag.NoItemFlags
            )
        self._place()

    def _place(self) -> None:
        corner = self._search.mapTo(self._page, QPoint(0, self._search.height() + 4))
        height = min(MATCHES_HEIGHT, 12 + 30 * self.count())
        width = max(MATCHES_WIDTH, self._search.width())
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.show()
        self.raise_()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.reason() in _BY_HAND and event.gotFocus():
            self.setVisible(bool(self.count() and self._search.text().strip()))
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and event.key() == Qt.Key.Key_Down and self.isVisible():  # type: ignore[attr-defined]
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentRow(0)
            return True
        return super().eventFilter(watched, event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self._search.setFocus(Qt.FocusReason.OtherFocusReason)
                self.hide()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentItem() is not None:
                self._choose(self.currentItem())
            case _:
                super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._search.hasFocus():
            self.hide()

    @Slot()
    def _on_left(self) -> None:
        if not self.hasFocus():
            self.hide()

    @Slot()
    def _choose_first(self) -> None:
        if self.count():
            self._choose(self.item(0))

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem) -> None:
        entity_id = item.data(IdRole)
        if entity_id:
            self._search.clear()
            self.hide()
            self.entity_chosen.emit(entity_id)


# The context menus of a node, of a line and of the empty plane.


MOST_RELATIONS = 8  # of one line in the menu


class GraphMenus(QObject):
    entity_wanted = Signal()  # the large view of the selected entity
    merge_wanted = Signal()
    add_wanted = Signal()
    reword_wanted = Signal(object)  # RelationRow
    end_wanted = Signal(object)
    fill_more = Signal(object)  # QMenu of the plane: the page adds its own actions

    def __init__(
        self, canvas: GraphCanvas, model: GraphPageModel, editor: EntityEditor, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._model = model
        self._editor = editor

    def open(self, entity_id: str | None, told: tuple[Relation, ...] | None, where: QPoint) -> None:
        """Open the menu for what is at the point; it is freed when it closes."""
        menu = QMenu(self._canvas)
        if entity_id is not None:
            self._fill_for_node(menu, entity_id)
        elif told:
            self._fill_for_line(menu, told)
        else:
            self._fill_for_plane(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def _fill_for_node(self, menu: QMenu, entity_id: str) -> None:
        model, editor = self._model, self._editor
        entity = next(e for e in model.graph.view.entities if e.id == entity_id)
        before = model.entity
        _add(menu, self.tr("Details"), lambda: model.select(entity_id))

        def of_it(act: Callable[[], object]) -> Callable[[], object]:
            def select_and_act() -> None:
                model.select(entity_id)
                act()

            return select_and_act

        _add(menu, self.tr("Show all of it large"), of_it(self.entity_wanted.emit), "Enter")
        centre = self.tr("Put in the centre")
        _add(menu, centre, lambda: model.recenter(entity_id), "Ctrl+Enter")
        if before is not None and before.id != entity_id:
            text = self.tr("Path from {name}").format(name=literal(before.name))
            _add(menu, text, lambda: model.find_path(before.id, entity_id))
        menu.addSeparator()
        _add(menu, self.tr("Add a relation…"), of_it(self.add_wanted.emit))
        _add(menu, self.tr("Merge into…"), of_it(self.merge_wanted.emit))
        _add(menu, self.tr("Who knows this…"), of_it(editor.ask_who))
        lock = self.tr("Unlock") if entity.is_locked else self.tr("Lock")
        _add(menu, lock, of_it(lambda: editor.set_locked(locked=not entity.is_locked)))
        _add(menu, self.tr("Hide from the graph"), of_it(editor.hide))

    def _fill_for_line(self, menu: QMenu, told: tuple[Relation, ...]) -> None:
        names = {e.id: e.name for e in self._model.graph.view.entities}
        for relation in told[:MOST_RELATIONS]:
            ends = (names.get(relation.src, ""), names.get(relation.dst, ""))
            if not relation.predicate:
                text = self.tr("{one} and {other} are mentioned together")
                menu.addAction(
                    text.format(one=literal(ends[0]), other=literal(ends[1]))
                ).setEnabled(False)
                continue
            words = fact_words(ends[0], relation.predicate, ends[1])
            below = menu if len(told) == 1 else menu.addMenu(literal(words))
            if below is menu:
                menu.addAction(literal(words)).setEnabled(False)
            self._fill_for_relation(below, relation, names)

    def _fill_for_relation(self, menu: QMenu, relation: Relation, names: dict[str, str]) -> None:
        model, editor = self._model, self._editor
        src, dst = names.get(relation.src, ""), names.get(relation.dst, "")
        row = RelationRow(relation, relation.dst, dst, is_outgoing=True, here=src)

        def of_it(signal: SignalInstance) -> Callable[[], object]:
            def select_and_ask() -> None:
                model.select(relation.src)
                signal.emit(row)

            return select_and_ask

        if relation.floors:
            first, last = relation.floors[-1]
            _add(
                menu,
                self.tr("Read the floors that state it"),
                lambda: model.show_floors(first, last),
            )
        _add(menu, self.tr("Reword…"), of_it(self.reword_wanted))
        if relation.is_current:
            _add(menu, self.tr("It ended…"), of_it(self.end_wanted))
        else:
            still = self.tr("Still true")
            _add(menu, still, lambda: editor.end_relation(relation.id, STILL_TRUE))
        _add(menu, self.tr("Delete"), lambda: editor.delete_relation(relation.id))

    def _fill_for_plane(self, menu: QMenu) -> None:
        canvas, model = self._canvas, self._model
        _add(menu, self.tr("Fit everything"), canvas.fit, "Ctrl+0")
        _add(menu, self.tr("Fit what is selected"), canvas.fit_chosen, "Ctrl+9")
        _add(menu, self.tr("Back to the most connected entity"), lambda: model.recenter(None))
        menu.addSeparator()
        self.fill_more.emit(menu)


def _add(menu: QMenu, text: str, act: Callable[[], object], keys: str = "") -> None:
    action = menu.addAction(f"{text}\t{keys}" if keys else text)
    action.triggered.connect(lambda _checked=False: act())


# Asks for a file and writes the graph to it: a picture (PNG, SVG), or GraphML for other tools.


TURN_SECONDS = 0.008  # of drawing before the window processes events


class _Turns(QObject):
    """A drawing made in steps of the event loop; it frees itself when it is done."""

    done = Signal()

    def __init__(self, pieces: Iterator[None], parent: QObject) -> None:
        super().__init__(parent)
        self._pieces = pieces
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._go_on)
        self._turn.start()

    @Slot()
    def _go_on(self) -> None:
        until = time.perf_counter() + TURN_SECONDS
        for _piece in self._pieces:
            if time.perf_counter() > until:
                self._turn.start()
                return
        self.done.emit()
        self.deleteLater()


class GraphExport(QObject):
    def __init__(self, look: Look, picture: Picture, files: GraphFiles, page: QWidget) -> None:
        super().__init__(page)
        self._look = look
        self._picture = picture
        self._files = files
        self._page = page

    def fill(self, menu: QMenu) -> None:
        """Add an action for every kind of file."""
        for text, act in (
            (self.tr("Save as a picture (PNG)…"), self.save_png),
            (self.tr("Save as a drawing (SVG)…"), self.save_svg),
            (self.tr("Save the whole graph as GraphML…"), self.save_graphml),
        ):
            menu.addAction(text).triggered.connect(act)

    @Slot()
    def save_png(self) -> None:
        file = self._ask(self.tr("Picture (*.png)"), ".png")
        if file is None:
            return
        camera = whole(self._picture)
        image = image_for(camera)
        self._draw(
            drawing(self._look, self._picture, camera, image),
            lambda: self._files.write(file, lambda part: image.save(str(part))),
        )

    @Slot()
    def save_svg(self) -> None:
        file = self._ask(self.tr("Drawing (*.svg)"), ".svg")
        if file is None:
            return
        camera = whole(self._picture)
        written = QBuffer()
        sheet = sheet_for(camera, written, self._files.title)
        self._draw(
            drawing(self._look, self._picture, camera, sheet),
            lambda: self._files.write(file, lambda part: part.write_bytes(written.data().data())),
        )

    @Slot()
    def save_graphml(self) -> None:
        if file := self._ask(self.tr("GraphML (*.graphml)"), ".graphml"):
            self._files.write_graphml(file)

    def _draw(self, pieces: Iterator[None], then: Callable[[], object]) -> None:
        turns = _Turns(pieces, self)
        turns.done.connect(then)

    def _ask(self, kind: str, ending: str) -> Path | None:
        suggested = f"{self._files.title}{ending}"
        name, _filter = QFileDialog.getSaveFileName(self._page, self.tr("Export"), suggested, kind)
        if not name:
            return None
        return Path(name) if Path(name).suffix.lower() == ending else Path(f"{name}{ending}")
