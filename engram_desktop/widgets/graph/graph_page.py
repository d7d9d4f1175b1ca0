"""The graph of a chat: a neighbourhood drawn, and beside it a list with the same content."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QIcon, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSlider,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import (
    ENTITY_TYPES,
    EntityNode,
    EntityType,
    Relation,
    Suggestion,
)
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor
from engram_desktop.viewmodels.graph.graph_view import (
    GraphPageModel,
    PlacedGraph,
    type_name,
    type_noun,
)
from engram_desktop.viewmodels.graph.same_inbox import SameInbox
from engram_desktop.widgets.graph.graph_canvas import GraphCanvas
from engram_desktop.widgets.graph.graph_scene import TYPE_ROLES, GraphScene
from engram_desktop.widgets.graph.same_page import SamePage
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import icon_button, kind_button, label, literal
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import Page, PageParts

IdRole = Qt.ItemDataRole.UserRole
MAX_HOPS = 4
MAX_HIDDEN = 30


class GraphPage(Page):
    def __init__(
        self,
        look: Look,
        model: GraphPageModel,
        inbox: SameInbox,
        editor: EntityEditor,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._model = model
        self._inbox = inbox
        self._editor = editor
        self._hidden_names: list[EntityNode] = []
        self._relations: dict[str, list[Relation]] = defaultdict(list)  # of the entities shown
        self._fitted_for: object = None
        self.scene = GraphScene(look, self)
        self.canvas = GraphCanvas(self.scene)
        self.canvas.setAccessibleName(self.tr("Graph; the list beside it has the same content"))
        self.search = SearchField(look, self.tr("Find an entity"))
        self.matches = QListWidget(self)
        self.matches.setAccessibleName(self.tr("Matches"))
        self.matches.hide()
        self.list = self._make_list()
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 12)
        outer.addLayout(self._make_tools())
        self._notice = label("", "quiet")
        outer.addWidget(self._notice)
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)  # before its pages: without a parent the first is a window
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.canvas)
        splitter.addWidget(self.list)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([700, 230])
        self._empty = EmptyState(look, "graph")
        self._empty.acted.connect(self._show_all_types)
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._empty)
        self.same = SamePage(look, inbox)
        self._stack.addWidget(self.same)
        self._connect()
        self._on_graph(model.graph)

    def _make_tools(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        self.search.setMinimumWidth(150)
        self.search.setMaximumWidth(260)
        line.addWidget(self.search, 2)
        self.legend: dict[EntityType, QToolButton] = {}
        for kind in ENTITY_TYPES:
            button = kind_button("chip", type_name(kind))
            button.setChecked(True)
            button.toggled.connect(self._on_legend_toggled)
            self.legend[kind] = button
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(label(self.tr("Hops"), "quiet"))
        self.hops = QSlider(Qt.Orientation.Horizontal)
        self.hops.setRange(1, MAX_HOPS)
        self.hops.setValue(self._model.hops)
        self.hops.setPageStep(1)
        self.hops.setFixedWidth(90)
        self.hops.setAccessibleName(self.tr("Hops from the centre"))
        self._hops_text = label(str(self._model.hops), "quiet")
        line.addWidget(self.hops)
        line.addWidget(self._hops_text)
        self.home_button = icon_button(
            self._look, "refresh", self.tr("Back to the most connected entity")
        )
        self.fit_button = icon_button(self._look, "fit", self.tr("Fit everything (Ctrl+0)"))
        self.same_button = kind_button("chip", self.tr("May be one"))
        self.same_button.setToolTip(self.tr("Entities that may be one and the same"))
        self.more_button = icon_button(self._look, "more", self.tr("More"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more_button.setMenu(self.menu)
        line.insertWidget(1, self.same_button)
        line.addWidget(self.home_button)
        line.addWidget(self.fit_button)
        line.addWidget(self.more_button)
        self._dress_legend()
        self._look.changed.connect(self._dress_legend)
        return line

    def _dress_legend(self) -> None:
        for kind, button in self.legend.items():
            dot = QPixmap(12, 12)
            dot.fill(self._look.color(TYPE_ROLES[kind]))
            button.setIcon(QIcon(dot))
            button.setIconSize(QSize(9, 9))

    def _make_list(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderHidden(True)
        tree.setAccessibleName(self.tr("Entities and their relations"))
        tree.setUniformRowHeights(True)
        tree.setMinimumWidth(160)
        return tree

    def _connect(self) -> None:
        model = self._model
        model.graph_changed.connect(self._on_graph)
        model.selected.connect(self._on_selected)
        model.matches_found.connect(self._on_matches)
        self.scene.node_clicked.connect(model.select)
        self.scene.node_opened.connect(model.recenter)
        self.scene.node_moved.connect(lambda node, x, y: model.move({node: (x, y)}))
        self.search.textChanged.connect(model.search)
        self.search.submitted.connect(self._open_first_match)
        self.matches.itemActivated.connect(self._open_match)
        self.matches.itemClicked.connect(self._open_match)
        self.list.currentItemChanged.connect(self._on_list_current)
        self.list.itemExpanded.connect(self._on_expanded)
        self.list.itemActivated.connect(lambda item, _column: model.recenter(item.data(0, IdRole)))
        self.hops.valueChanged.connect(self._on_hops)
        self.fit_button.clicked.connect(self.canvas.fit)
        self.home_button.clicked.connect(lambda: model.recenter(None))
        self.same_button.toggled.connect(self._show_stack)
        self.same.entity_wanted.connect(self._open_of_pair)
        self._inbox.changed.connect(self._on_waiting)
        self._inbox.hidden_read.connect(self._on_hidden)
        fit = QShortcut(QKeySequence("Ctrl+0"), self)
        fit.setObjectName("graph.fit")
        fit.setWhatsThis(self.tr("Fit everything"))
        fit.activated.connect(self.canvas.fit)

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._model.set_active(active)

    @Slot(object)
    def _on_waiting(self, waiting: list[Suggestion]) -> None:
        count = len(waiting)
        text = self.tr("May be one ({count})").format(count=count)
        self.same_button.setText(text if count else self.tr("May be one"))

    @Slot(object)
    def _on_hidden(self, hidden: list[EntityNode]) -> None:
        self._hidden_names = hidden

    def _open_of_pair(self, entity_id: str) -> None:
        self.same_button.setChecked(False)
        self._model.show_entity(entity_id)

    def _fill_menu(self) -> None:
        self.menu.clear()
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

    @Slot(object)
    def _on_graph(self, graph: PlacedGraph) -> None:
        self.scene.show_graph(graph)
        counts = graph.type_counts
        for kind, button in self.legend.items():
            button.setText(f"{type_name(kind)} {counts[kind]}")
            button.setVisible(counts[kind] > 0)
        self._fill_list(graph)
        count = len(graph.view.entities)
        self._notice.setVisible(graph.view.is_truncated)
        self._notice.setText(
            self.tr(
                "Showing {shown} of {total} entities: the best connected ones. "
                "Fewer hops, or another centre, show the rest."
            ).format(shown=count, total=max(graph.total, count))
        )
        self._show_emptiness(graph)
        key = (graph.view.center_id, self._model.hops, count)
        if key != self._fitted_for:
            self._fitted_for = key
            QTimer.singleShot(0, self.canvas.fit)

    def _show_stack(self) -> None:
        self._show_emptiness(self._model.graph)

    def _show_emptiness(self, graph: PlacedGraph) -> None:
        hidden = self._hidden_types()
        if self.same_button.isChecked():
            self._stack.setCurrentWidget(self.same)
            return
        if not graph.view.entities:
            self._empty.say(
                self.tr("No entities yet"),
                self.tr("People, places and things appear here when the buffer is consolidated."),
            )
            self._stack.setCurrentWidget(self._empty)
        elif all(e.type in hidden for e in graph.view.entities):
            self._empty.say(
                self.tr("Every type is switched off"),
                self.tr("Switch a type on again in the legend above."),
                self.tr("Show all types"),
            )
            self._stack.setCurrentWidget(self._empty)
        else:
            self._stack.setCurrentIndex(0)

    def _fill_list(self, graph: PlacedGraph) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        self._relations.clear()
        for relation in graph.view.relations:
            for end in {relation.src, relation.dst}:
                self._relations[end].append(relation)
        hidden = self._hidden_types()
        for entity in sorted(graph.view.entities, key=lambda e: (-e.degree, e.name)):
            if entity.type in hidden:
                continue
            row = QTreeWidgetItem([f"{entity.name}  ·  {type_noun(entity.type)}"])
            row.setData(0, IdRole, entity.id)
            if self._relations[entity.id]:
                row.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self.list.addTopLevelItem(row)
        self.list.blockSignals(False)

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, row: QTreeWidgetItem) -> None:
        """Fill in an entity's relations when they are asked for: all of a large graph take 3 s."""
        if row.parent() is not None or row.childCount():
            return
        entity_id = row.data(0, IdRole)
        names = {e.id: e.name for e in self._model.graph.view.entities}
        for relation in self._relations[entity_id]:
            ends = (names.get(relation.src, ""), names.get(relation.dst, ""))
            arrow = f" — {relation.predicate} → " if relation.predicate else " — "
            child = QTreeWidgetItem(row, [arrow.join(ends)])
            if not relation.is_current:
                font = child.font(0)
                font.setStrikeOut(True)
                child.setFont(0, font)
                child.setToolTip(0, self.tr("This was so before"))
            other = relation.dst if relation.src == entity_id else relation.src
            child.setData(0, IdRole, other)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self.scene.choose(entity.id if entity else None)
        if entity is None:
            return
        for number in range(self.list.topLevelItemCount()):
            row = self.list.topLevelItem(number)
            if row is not None and row.data(0, IdRole) == entity.id:
                self.list.blockSignals(True)
                self.list.setCurrentItem(row)
                self.list.blockSignals(False)

    @Slot(object)
    def _on_matches(self, entities: list[EntityNode]) -> None:
        self.matches.clear()
        for entity in entities:
            item = QListWidgetItem(f"{entity.name}  ·  {type_noun(entity.type)}")
            item.setData(IdRole, entity.id)
            self.matches.addItem(item)
        if not entities and self.search.text().strip():
            item = QListWidgetItem(self.tr("No entity has this name"))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.matches.addItem(item)
        self.matches.setVisible(self.matches.count() > 0)
        corner = self.search.mapTo(self, QPoint(0, self.search.height() + 4))
        height = min(260, 12 + 30 * self.matches.count())
        self.matches.setGeometry(corner.x(), corner.y(), max(220, self.search.width()), height)
        self.matches.raise_()

    def _open_first_match(self) -> None:
        if self.matches.count() and self.matches.item(0).data(IdRole):
            self._open_match(self.matches.item(0))

    def _open_match(self, item: QListWidgetItem) -> None:
        entity_id = item.data(IdRole)
        if entity_id:
            self.search.clear()
            self.matches.hide()
            self._model.select(entity_id)
            self._model.recenter(entity_id)

    def _on_list_current(self, row: QTreeWidgetItem | None, _before: object) -> None:
        if row is not None:
            self._model.select(row.data(0, IdRole))

    def _on_hops(self, hops: int) -> None:
        self._hops_text.setText(str(hops))
        self._model.set_hops(hops)

    def _hidden_types(self) -> set[EntityType]:
        return {kind for kind, button in self.legend.items() if not button.isChecked()}

    def _on_legend_toggled(self) -> None:
        self.scene.hide_types(self._hidden_types())
        self._fill_list(self._model.graph)
        self._show_emptiness(self._model.graph)

    def _show_all_types(self) -> None:
        for button in self.legend.values():
            button.setChecked(True)


def make(parts: PageParts, parent: QWidget) -> GraphPage:
    models = parts.models
    return GraphPage(parts.look, models.graph, models.same, models.entity, parent)
