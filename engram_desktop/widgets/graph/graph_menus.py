"""What a right click offers on a node, on a line and on the empty plane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Signal, SignalInstance
from PySide6.QtWidgets import QMenu

from engram_desktop.domain.graph.entity import Relation
from engram_desktop.domain.graph.supersession import STILL_TRUE
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, RelationRow
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.widgets.graph.graph_canvas import GraphCanvas
from engram_desktop.widgets.parts.basics.pieces import literal

MOST_RELATIONS = 8  # of one line that are offered


class GraphMenus(QObject):
    entity_wanted = Signal()  # all there is of what is selected
    merge_wanted = Signal()
    add_wanted = Signal()
    reword_wanted = Signal(object)  # RelationRow
    end_wanted = Signal(object)
    fill_more = Signal(object)  # QMenu of the plane: the page adds what it can do

    def __init__(
        self, canvas: GraphCanvas, model: GraphPageModel, editor: EntityEditor, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._model = model
        self._editor = editor

    def open(self, entity_id: str | None, told: tuple[Relation, ...] | None, where: QPoint) -> None:
        """Open the menu of what is there; it is freed when it closes."""
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
                text = self.tr("{one} and {other} are told of together")
                menu.addAction(
                    text.format(one=literal(ends[0]), other=literal(ends[1]))
                ).setEnabled(False)
                continue
            words = f"{ends[0]} — {relation.predicate} → {ends[1]}"
            below = menu if len(told) == 1 else menu.addMenu(literal(words))
            if below is menu:
                menu.addAction(literal(words)).setEnabled(False)
            self._fill_for_relation(below, relation, names)

    def _fill_for_relation(self, menu: QMenu, relation: Relation, names: dict[str, str]) -> None:
        model, editor = self._model, self._editor
        row = RelationRow(relation, relation.dst, names.get(relation.dst, ""), is_outgoing=True)

        def of_it(signal: SignalInstance) -> Callable[[], object]:
            def select_and_ask() -> None:
                model.select(relation.src)
                signal.emit(row)

            return select_and_ask

        if relation.floors:
            first, last = relation.floors[-1]
            _add(menu, self.tr("Read where it is told"), lambda: model.show_floors(first, last))
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
