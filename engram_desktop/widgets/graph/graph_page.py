"""The graph of a chat: a neighbourhood drawn, and beside it a list with the same content.

The list is for keyboards and screen readers. The page also holds the empty state with its reason,
and the bar that sets and plays the floor up to which the graph is shown.
"""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QIcon, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSlider,
    QSplitter,
    QStackedLayout,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode, EntityType, Suggestion
from engram_desktop.domain.memory.event import EventCounts
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.graph.drawn_graph import GraphTime, Mask, shown_lanes, shown_nodes
from engram_desktop.viewmodels.graph.graph_view import (
    NOTHING,
    FoundPath,
    GraphPageModel,
    GraphRows,
    IdRole,
    PlacedGraph,
)
from engram_desktop.viewmodels.private_note import NoteMarks
from engram_desktop.viewmodels.workspace.live_query import SlowRelease
from engram_desktop.widgets.graph.entity_dialogs import SamePage
from engram_desktop.widgets.graph.graph_canvas import GraphCanvas
from engram_desktop.widgets.graph.graph_tools import (
    EntityMatches,
    GraphExport,
    GraphFilters,
    GraphMenus,
    GraphTools,
)
from engram_desktop.widgets.graph.mini_map import MiniMap
from engram_desktop.widgets.graph.picture import mark_icon
from engram_desktop.widgets.parts.dialogs import QuestionBox
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts, SearchedPage
from engram_desktop.widgets.parts.pieces import ElidedLabel, icon_button, label, literal


class GraphList(QTreeView):
    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, look: Look, noted: NoteMarks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("entities")
        self.setHeaderHidden(True)
        self.setAccessibleName(self.tr("Entities and their relations"))
        self.setUniformRowHeights(True)
        self.setMinimumWidth(140)
        self._look = look
        self._icons: dict[EntityType, QIcon] = {}  # each is asked for whenever a row is drawn
        look.changed.connect(self._icons.clear)
        self.rows = GraphRows(noted, self._icon_of, self)
        noted.changed.connect(self.viewport().update)
        self.setModel(self.rows)
        self.setExpandsOnDoubleClick(False)
        self._view = NOTHING.view
        self._release = SlowRelease(self)
        self._wanted = ""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._mark)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def _icon_of(self, kind: EntityType | None) -> QIcon:
        if kind is None:
            return self._look.icon("note", "gold")
        if kind not in self._icons:
            self._icons[kind] = mark_icon(self._look, kind)
        return self._icons[kind]

    def show_graph(self, graph: PlacedGraph, shown: Mask) -> None:
        """Show the drawn entities of a picture."""
        self._release.take((*self._view.relations, *self._view.entities))
        self._view = graph.view
        with QSignalBlocker(self.selectionModel()):
            self.rows.show(graph.view, graph.drawn, shown)

    def choose(self, entity_id: str | None) -> None:
        """Select an entity in a later turn of the event loop: 10,000 rows are laid out first."""
        self._wanted = entity_id or ""
        self._later.start()

    @Slot()
    def _mark(self) -> None:
        index = self.rows.index_of(self._wanted)
        if index.isValid() and index != self.currentIndex():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self._is_told = True
            self.selectionModel().setCurrentIndex(index, flag)
            self._is_told = False

    _is_told = False  # the selection was made elsewhere

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_told:
            self.chosen.emit(index.data(IdRole))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(IdRole))


class TimeBar(QFrame):
    def __init__(self, look: Look, time: GraphTime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._time = time
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 2, 12, 2)
        line.setSpacing(8)
        self.play_button = icon_button(look, "play", self.tr("Play the story forward"))
        self.play_button.clicked.connect(self._on_play)
        line.addWidget(self.play_button)
        caption = ElidedLabel("quiet")
        caption.set_text(self.tr("As of floor"))
        line.addWidget(caption)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("As of floor"))
        self.slider.setMinimumWidth(60)
        self.slider.valueChanged.connect(time.go_to)
        line.addWidget(self.slider, 1)
        self.text = label("", "quiet")
        line.addWidget(self.text)
        self.now_button = icon_button(look, "redo", self.tr("Back to now"))
        self.now_button.clicked.connect(lambda: time.go_to(time.last))
        line.addWidget(self.now_button)
        time.changed.connect(self._show)
        self._show()

    def _on_play(self) -> None:
        if self._time.is_playing:
            self._time.pause()
        else:
            self._time.play()

    def _show(self) -> None:
        time = self._time
        self.setVisible(time.last > 0)
        self.slider.blockSignals(True)
        self.slider.setRange(0, time.last)
        self.slider.setPageStep(max(1, time.last // 20))
        self.slider.setValue(time.floor)
        self.slider.blockSignals(False)
        self.text.setText(f"{time.floor} / {time.last}")
        self.now_button.setEnabled(time.at is not None)
        name = self.tr("Pause") if time.is_playing else self.tr("Play the story forward")
        self._look.set_icon(self.play_button, "pause" if time.is_playing else "play")
        self.play_button.setToolTip(name)
        self.play_button.setAccessibleName(name)


class WhyEmpty(EmptyState):
    """Shown if nothing is drawn; the function of its button depends on the reason."""

    summarise_wanted = Signal()
    consolidate_wanted = Signal()
    all_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(look, "graph", parent)
        self._events = events
        self._next = self.all_wanted
        self.acted.connect(self._go_on)
        events.counts_changed.connect(self._on_counts)

    @Slot()
    def _go_on(self) -> None:
        self._next.emit()

    @Slot(object)
    def _on_counts(self, _counts: EventCounts) -> None:
        """Change the hint if the next step of an empty chat has changed."""
        if self._next is not self.all_wanted:
            self._say_what_makes_some()

    def say_why(
        self, model: GraphPageModel, graph: PlacedGraph, hidden: Collection[EntityType]
    ) -> None:
        """Show why nothing is drawn; ``hidden`` are the types that are switched off."""
        self._next = self.all_wanted
        if not model.is_loaded:
            self.wait()
        elif not graph.view.entities:
            self._say_that_nobody_is_known(model)
        elif all(e.type in hidden for e in graph.view.entities):
            self.say(
                self.tr("Every type is switched off"),
                self.tr("Switch a type on again in the legend above."),
                self.tr("Show all types"),
            )
        else:
            self.say(
                self.tr("Everything is filtered out"),
                self.tr("No entity is what the filters ask for."),
                self.tr("Show all"),
            )

    def _say_that_nobody_is_known(self, model: GraphPageModel) -> None:
        if model.time.at is not None:
            text = self.tr("Up to floor {floor} none of them appears in the story.")
            self.say(self.tr("Nobody is known yet"), text.format(floor=model.time.at))
        elif model.actor:
            text = self.tr("Nothing that {name} perceived mentions anybody.")
            self.say(
                self.tr("{name} knows nobody").format(name=model.actor),
                text.format(name=model.actor),
            )
        else:
            self._say_what_makes_some()

    def _say_what_makes_some(self) -> None:
        counts = self._events.counts
        text = self.tr("People, places and things appear here when the buffer is consolidated.")
        action = ""
        if counts.buffer:
            self._next, action = self.consolidate_wanted, self.tr("Consolidate…")
        elif not counts.total:
            self._next, action = self.summarise_wanted, self.tr("Summarise…")
        self.say(self.tr("No entities yet"), text, action)


MAX_HIDDEN = 30
NARROW = 560  # pixels: on a narrower page the list is hidden
MAP_FROM = 420  # pixels: a narrower canvas has no overview


class GraphPage(SearchedPage):
    entity_wanted = Signal()  # the large view of the selected entity

    def __init__(self, parts: PageParts, parent: QWidget) -> None:
        super().__init__(parent)
        look, models = parts.look, parts.models
        model, inbox, editor = models.graph, models.same, models.entity
        self.setObjectName("page")
        self._look = look
        self._model = model
        self._inbox = inbox
        self._editor = editor
        self._gaps = models.gaps
        self._hidden_names: list[EntityNode] = []
        self._fitted_for: object = None
        self._is_narrow = False
        self.canvas = GraphCanvas(look)
        self.canvas.setAccessibleName(self.tr("Graph; the list beside it has the same content"))
        self.mini_map = MiniMap(look, self.canvas.picture, self.canvas)
        self.tools = GraphTools(look)
        self.filters = GraphFilters(model.hops)
        self.filters.hide()
        self.search, self.legend = self.tools.search, self.tools.legend
        self.hops, self.fit_button = self.filters.hops, self.tools.fit_button
        self.home_button, self.same_button = self.tools.home_button, self.tools.same_button
        self.matches = EntityMatches(self.search, self)
        self.list = GraphList(look, models.noted)
        self.time_bar = TimeBar(look, model.time)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.tools.more_button.setMenu(self.menu)
        self.menus = GraphMenus(self.canvas, model, editor, self)
        self._export = GraphExport(look, self.canvas.picture, models.graph_files, self)
        self.menus.fill_more.connect(self._export.fill)
        self.empty = WhyEmpty(look, models.events)
        self.empty.all_wanted.connect(self._show_all)
        self.same = SamePage(look, inbox)
        self._place_parts()
        self._connect_model()
        self._connect_parts()
        self._on_graph(model.graph)

    def _place_parts(self) -> None:
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 12)
        outer.addWidget(self.tools)
        outer.addWidget(self.filters)
        self._notice = label("", "quiet", wrap=True)
        outer.addWidget(self._notice)
        outer.addWidget(self._make_path_bar())
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)  # before its pages: a widget without a parent is a window
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setObjectName("graph")
        self._splitter.addWidget(self.canvas)
        self._splitter.addWidget(self.list)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setCollapsible(0, False)
        self._splitter.setSizes([760, 190])
        self._stack.addWidget(self._splitter)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.same)
        outer.addWidget(self.time_bar)

    def _make_path_bar(self) -> QWidget:
        self._path_bar = QWidget(self)
        line = QHBoxLayout(self._path_bar)
        line.setContentsMargins(0, 0, 0, 0)
        self._path_text = label("", wrap=True)
        line.addWidget(self._path_text, 1)
        self.path_close = icon_button(self._look, "close", self.tr("Hide the path"))
        self.path_close.clicked.connect(self._model.clear_path)
        line.addWidget(self.path_close)
        self._path_bar.hide()
        return self._path_bar

    def _connect_model(self) -> None:
        model = self._model
        model.graph_changed.connect(self._on_graph)
        model.selected.connect(self._on_selected)
        model.matches_found.connect(self.matches.offer)
        model.places_changed.connect(self.canvas.redraw_nodes)
        model.places_changed.connect(self.mini_map.renew)
        model.path_changed.connect(self._on_path)
        model.layout.changed.connect(self._show_layout)
        self._editor.merge_offered.connect(self._ask_merge_named)
        self._inbox.changed.connect(self._on_waiting)
        self._inbox.hidden_read.connect(self._on_hidden)

    def _connect_parts(self) -> None:
        model, canvas, tools = self._model, self.canvas, self.tools
        canvas.node_clicked.connect(self._on_node_clicked)
        canvas.node_opened.connect(self._open_entity)
        canvas.node_centred.connect(model.recenter)
        canvas.node_moved.connect(self._on_node_moved)
        canvas.nodes_joined.connect(self._ask_merge)
        canvas.other_picked.connect(self._on_other_picked)
        canvas.background_clicked.connect(self._on_background)
        canvas.menu_wanted.connect(self.menus.open)
        canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        canvas.customContextMenuRequested.connect(canvas.open_menu)
        canvas.moved.connect(self._on_camera_moved)
        self.mini_map.wanted.connect(canvas.look_at)
        self.search.textChanged.connect(model.search)
        self.matches.entity_chosen.connect(self._open_match)
        self.list.chosen.connect(model.select)
        self.list.opened.connect(self._open_entity)
        self.hops.valueChanged.connect(model.set_hops)
        self.filters.limit_chosen.connect(model.set_limit)
        self.filters.changed.connect(self._on_filtered)
        self.filters.gap_chosen.connect(self._gaps.choose)
        self._gaps.found.connect(self._on_gaps)
        tools.filtered.connect(self._on_filtered)
        tools.filter_button.toggled.connect(self.filters.setVisible)
        tools.words_button.toggled.connect(canvas.show_words)
        tools.only_button.toggled.connect(self._on_only)
        tools.list_button.toggled.connect(self.list.setVisible)
        tools.fit_button.clicked.connect(canvas.fit)
        tools.home_button.clicked.connect(lambda: model.recenter(None))
        tools.arrange_button.clicked.connect(model.arrange)
        tools.same_button.toggled.connect(self._show_stack)
        self._model.forgotten.connect(self._show_stack)
        self.same.entity_wanted.connect(self._open_of_pair)
        for name, keys, words, act in (
            ("graph.fit", "Ctrl+0", self.tr("Fit everything"), canvas.fit),
            ("graph.fit_chosen", "Ctrl+9", self.tr("Fit the selection"), canvas.fit_chosen),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setObjectName(name)
            shortcut.setWhatsThis(words)
            shortcut.activated.connect(act)

    @override
    def set_active(self, active: bool) -> None:
        self._model.set_active(active)
        if not active:
            self._model.time.pause()
            self._model.layout.stop()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.tools.list_button.setChecked(not is_narrow)
            self.tools.fold(is_folded=is_narrow)

    @Slot()
    def _on_camera_moved(self) -> None:
        self.mini_map.show_seen(self.canvas.camera)
        self._place_map()

    @Slot()
    def _place_map(self) -> None:
        """Show the overview while a part of the graph is out of sight and the canvas has room."""
        canvas, small = self.canvas, self.mini_map
        small.move(canvas.width() - small.width() - 10, canvas.height() - small.height() - 10)
        has_room = canvas.width() >= MAP_FROM and canvas.height() >= MAP_FROM / 1.5
        small.setVisible(has_room and not canvas.sees_all)

    @Slot(object)
    def _on_waiting(self, waiting: list[Suggestion]) -> None:
        count = len(waiting)
        text = self.tr("Possible duplicates ({count})").format(count=count)
        self.same_button.setText(text if count else self.tr("Possible duplicates"))

    @Slot(object)
    def _on_hidden(self, hidden: list[EntityNode]) -> None:
        self._hidden_names = hidden

    def _open_of_pair(self, entity_id: str) -> None:
        self.same_button.setChecked(False)
        self._model.show_entity(entity_id)

    def _fill_menu(self) -> None:
        self.menu.clear()
        self.tools.fill(self.menu)
        update = self.menu.addAction(self.tr("Update profiles with the model"))
        update.triggered.connect(self._inbox.update_profiles)
        look = self.menu.addAction(self.tr("Look for duplicates"))
        look.triggered.connect(self._inbox.look_again)
        hidden = self.menu.addMenu(self.tr("Hidden entities"))
        hidden.setEnabled(bool(self._hidden_names))
        for entity in self._hidden_names[:MAX_HIDDEN]:
            show = hidden.addAction(self.tr("Show {name} again").format(name=literal(entity.name)))
            show.triggered.connect(
                lambda _checked=False, entity_id=entity.id: self._editor.show_again(entity_id)
            )
        self.menu.addSeparator()
        self._export.fill(self.menu)

    @Slot(object)
    def _on_graph(self, graph: PlacedGraph) -> None:
        self.tools.show_counts(graph)
        self.filters.show_predicates(list(graph.drawn.said))
        self._draw(graph)
        key = (graph.view.center_id, self._model.hops, self._model.limit)
        is_new = key != self._fitted_for and bool(graph.view.entities)
        if is_new and self._model.time.at is None:
            self._fitted_for = key
            QTimer.singleShot(0, self, self.canvas.fit)

    def _draw(self, graph: PlacedGraph) -> None:
        """Draw and list the entities and relations that pass the filters."""
        nodes = shown_nodes(
            graph.drawn,
            self.tools.hidden_types,
            self.filters.degree.value(),
            self._gaps.ids,
        )
        self.canvas.show_graph(graph.drawn, nodes, self._lanes(graph, nodes))
        entity = self._model.entity
        self.canvas.choose(entity.id if entity is not None else None)
        self.list.show_graph(graph, nodes)
        self.list.choose(entity.id if entity is not None else None)
        self.mini_map.renew()
        self._place_map()
        self._say_what_is_missing(graph, int(nodes.sum()))
        self._show_emptiness(graph, is_any=bool(nodes.any()))

    def _lanes(self, graph: PlacedGraph, nodes: Mask) -> Mask:
        """Return the lines to draw: those that pass the filters, or only those of the selection."""
        entity, of_node = self._model.entity, None
        if self.tools.only_button.isChecked() and entity is not None:
            of_node = graph.drawn.index.get(entity.id)
        word = self.filters.predicate.currentData() or ""
        return shown_lanes(graph.drawn, nodes, word, of_node)

    @Slot()
    def _on_only(self) -> None:
        nodes = self.canvas.picture.nodes
        self.canvas.show_lanes(self._lanes(self._model.graph, nodes))

    def _say_what_is_missing(self, graph: PlacedGraph, shown: int) -> None:
        count = len(graph.view.entities)
        parts = []
        if graph.view.is_truncated:
            text = self.tr(
                "Showing {shown} of {total} entities: the best connected ones. "
                "Fewer hops, or another centre, show the rest."
            )
            parts.append(text.format(shown=count, total=max(graph.total, count)))
        if shown < count:
            parts.append(self.tr("%n entity(ies) filtered out.", "", count - shown))
        self._notice.setText(" ".join(parts))
        self._notice.setVisible(bool(parts))

    def _show_stack(self) -> None:
        self._show_emptiness(self._model.graph, is_any=bool(self.canvas.picture.nodes.any()))

    def _show_emptiness(self, graph: PlacedGraph, *, is_any: bool) -> None:
        if self.same_button.isChecked():
            self._stack.setCurrentWidget(self.same)
            return
        self._stack.setCurrentIndex(0 if is_any else 1)
        if is_any:
            return
        self.empty.say_why(self._model, graph, self.tools.hidden_types)

    @Slot()
    def _show_layout(self) -> None:
        layout, button = self._model.layout, self.tools.arrange_button
        if layout.is_running:
            icon, name = "pause", self.tr("Stop the layout")
        elif layout.is_paused:
            icon, name = "play", self.tr("Go on with the layout")
        else:
            icon, name = "place", self.tr("Lay out again")
        self._look.set_icon(button, icon)
        button.setToolTip(name)
        button.setAccessibleName(name)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self.canvas.choose(entity.id if entity else None)
        self.list.choose(entity.id if entity else None)
        if self.tools.only_button.isChecked():
            self._on_only()

    def _open_entity(self, entity_id: str) -> None:
        """Show the large view of an entity."""
        self._model.select(entity_id)
        self.entity_wanted.emit()

    def _on_node_clicked(self, entity_id: str) -> None:
        self._model.select(entity_id)

    def _on_node_moved(self, entity_id: str, x: float, y: float) -> None:
        self._model.move({entity_id: (x, y)})
        self.mini_map.renew()

    def _on_other_picked(self, entity_id: str) -> None:
        """Show the path from the selected node to a second one."""
        entity = self._model.entity
        if entity is None or entity.id == entity_id:
            self._model.select(entity_id)
            return
        self.canvas.choose_other(entity_id)
        self._model.find_path(entity.id, entity_id)

    def _on_background(self) -> None:
        self.canvas.choose_other(None)
        self._model.clear_path()

    @Slot(object)
    def _on_path(self, path: FoundPath | None) -> None:
        self._path_bar.setVisible(path is not None)
        if path is None:
            self.canvas.choose_other(None)
            self.canvas.show_path(None)
            return
        names = [path.names.get(end, "") for end in path.ends]
        nothing = self.tr("Nothing links {one} and {other}.")
        text = nothing.format(one=names[0], other=names[1])
        self._path_text.setText(text if path.relations is None else path.text)
        self.canvas.choose_other(path.ends[1])
        self.canvas.light_up(path.stations if path.relations is not None else [])

    def _ask_merge(self, source: str, target: str) -> None:
        by_id = {e.id: e for e in self._model.graph.view.entities}
        if source in by_id and target in by_id:
            self._ask_merge_of(by_id[source], by_id[target])

    @Slot(object, object)
    def _ask_merge_named(self, entity: EntityNode, holder: EntityNode) -> None:
        self._ask_merge_of(entity, holder, is_named=True)

    def _ask_merge_of(
        self, source: EntityNode, target: EntityNode, *, is_named: bool = False
    ) -> None:
        question = self.tr("Merge “{name}” into “{other}”?")
        if is_named:
            question = self.tr("“{other}” exists already. Merge “{name}” into it?")
        box = QuestionBox(
            self.tr("Merge"),
            question.format(name=source.name, other=target.name),
            self.tr("Its names, events and relations move over. Undo takes it back."),
            destroy=self.tr("Merge"),
            parent=self,
        )
        box.ask(lambda: self._editor.merge(source, target.id))

    @Slot(str)
    def _open_match(self, entity_id: str) -> None:
        self._model.select(entity_id)
        self._model.recenter(entity_id)

    @Slot()
    def _on_gaps(self) -> None:
        """Draw the entities with this gap, including those without a link to the centre."""
        self._model.show_also(self._gaps.ids or ())
        self._on_filtered()

    def _on_filtered(self) -> None:
        self._draw(self._model.graph)

    def _show_all(self) -> None:
        with QSignalBlocker(self.tools), QSignalBlocker(self.filters):
            self.tools.show_all_types()
            self.filters.clear()
        self._on_filtered()


def make(parts: PageParts, parent: QWidget) -> GraphPage:
    doors = parts.doors
    page = GraphPage(parts, parent)
    page.entity_wanted.connect(doors.graph.open_entity)
    page.empty.summarise_wanted.connect(doors.open_summarise)
    page.empty.consolidate_wanted.connect(doors.open_consolidate)
    page.menus.entity_wanted.connect(doors.graph.open_entity)
    page.menus.merge_wanted.connect(doors.graph.open_merge)
    page.menus.add_wanted.connect(doors.graph.open_add_relation)
    page.menus.reword_wanted.connect(doors.graph.open_reword)
    page.menus.end_wanted.connect(doors.graph.open_end)
    return page
