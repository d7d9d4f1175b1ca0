"""Draw a small graph: node items over ONE edge item, in opaque colours.

(An item per edge with an alpha pen costs 10 to 25 times as much: 276 ms a frame at 2,000.)
"""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsSceneMouseEvent,
    QStyleOptionGraphicsItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode, EntityType, Relation
from engram_desktop.viewmodels.graph.graph_view import PlacedGraph
from engram_desktop.widgets.parts.look.look import Look

WORDS_AT = 0.62  # of an edge, from the chosen node: nearer to it the words of all edges meet
TYPE_ROLES: dict[EntityType, str] = {
    "char": "accent",
    "loc": "green",
    "item": "gold",
    "concept": "grey",
    "unknown": "grey",
}


def blend(front: QColor, back: QColor, share: float) -> QColor:
    """Mix two colours into an opaque one."""
    return QColor(
        *(round(a * share + b * (1 - share)) for a, b in zip(_rgb(front), _rgb(back), strict=True))
    )


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return (colour.red(), colour.green(), colour.blue())


class NodeItem(QGraphicsItem):
    """One entity: a disc whose size tells its degree, and its name."""

    def __init__(self, entity: EntityNode, look: Look) -> None:
        super().__init__()
        self.entity = entity
        self._look = look
        self.is_chosen = False
        self.is_quiet = False
        self.radius = 8.0 + 3.2 * math.sqrt(min(entity.degree, 60))
        self._font = QFont()
        self._font.setPixelSize(12)
        self._font.setWeight(QFont.Weight.Medium)
        self._label_width = QFontMetricsF(self._font).horizontalAdvance(entity.name[:24]) + 12
        self._least_scale = 0.5  # below it, words shrink with the drawing
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsScenePositionChanges)
        self.setAcceptHoverEvents(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setZValue(1)

    @override
    def boundingRect(self) -> QRectF:
        half = max(self.radius + 5, self._label_width / 2 / self._least_scale)
        foot = self.radius + 5 + 20 / self._least_scale
        return QRectF(-half, -self.radius - 5, 2 * half, self.radius + 5 + foot)

    @override
    def shape(self) -> QPainterPath:
        """Return the disc: the room its words may take must not catch a neighbour's clicks."""
        path = QPainterPath()
        path.addEllipse(QPointF(0, 0), self.radius + 5, self.radius + 5)
        return path

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        back = self._look.color("bg")
        colour = self._look.color(TYPE_ROLES[self.entity.type])
        ink = self._look.color("ink")
        if self.is_quiet:
            colour, ink = blend(colour, back, 0.45), self._look.color("ink2")
        if self.is_chosen:
            painter.setPen(QPen(self._look.color("ink"), 2))
            painter.setBrush(back)
            painter.drawEllipse(QPointF(0, 0), self.radius + 4, self.radius + 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(0, 0), self.radius, self.radius)
        grow = 1 / max(self._least_scale, min(1.0, painter.worldTransform().m11()))
        font = QFont(self._font)
        font.setPixelSize(round(12 * grow))
        painter.setFont(font)
        painter.setPen(ink)
        width = self._label_width * grow + 8
        box = QRectF(-width / 2, self.radius + 5, width, 18 * grow)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.entity.name[:24])

    @override
    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        if change == QGraphicsItem.GraphicsItemChange.ItemScenePositionHasChanged:
            scene = self.scene()
            if isinstance(scene, GraphScene):
                scene.edges.update()
        return super().itemChange(change, value)

    @override
    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        scene = self.scene()
        if isinstance(scene, GraphScene):
            down = event.buttonDownScenePos(Qt.MouseButton.LeftButton)
            if QLineF(down, event.scenePos()).length() > 3:
                scene.node_moved.emit(self.entity.id, self.pos().x(), self.pos().y())
            else:
                scene.node_clicked.emit(self.entity.id)

    @override
    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        scene = self.scene()
        if isinstance(scene, GraphScene):
            scene.node_opened.emit(self.entity.id)


class EdgesItem(QGraphicsItem):
    """All edges at once; only those of the chosen node carry their words."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.relations: tuple[Relation, ...] = ()
        self.nodes: dict[str, NodeItem] = {}
        self.chosen: str | None = None
        self._font = QFont()
        self._font.setPixelSize(11)
        self._box = QRectF()

    def show_edges(self, relations: tuple[Relation, ...], nodes: dict[str, NodeItem]) -> None:
        self.prepareGeometryChange()
        self.relations, self.nodes = relations, nodes
        self._box = QRectF(-20_000, -20_000, 40_000, 40_000) if relations else QRectF()
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        return self._box

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        places = {i: node.pos() for i, node in self.nodes.items() if node.isVisible()}
        quiet: dict[tuple[str, str], QLineF] = {}  # one line for a pair, whatever it says
        past: dict[tuple[str, str], QLineF] = {}
        loud: dict[tuple[str, str], list[str]] = {}
        for relation in self.relations:
            src, dst = relation.src, relation.dst
            if src == dst or src not in places or dst not in places:
                continue
            pair = (src, dst) if src < dst else (dst, src)
            if not relation.is_current:
                if pair not in past:
                    past[pair] = QLineF(places[src], places[dst])
            elif self.chosen in pair:
                loud.setdefault(pair, []).append(relation.predicate)
            elif pair not in quiet:
                quiet[pair] = QLineF(places[src], places[dst])
        pen = QPen(self._look.color("line_strong" if self.chosen is None else "line"), 1.2)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLines(list(quiet.values()))
        pen.setColor(self._look.color("line"))
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLines([line for pair, line in past.items() if pair not in quiet])
        for (one, other), words in loud.items():
            far = other if one == self.chosen else one
            near = one if far == other else other
            self._paint_loud(painter, QLineF(self.nodes[near].pos(), self.nodes[far].pos()), words)

    def _paint_loud(self, painter: QPainter, line: QLineF, words: list[str]) -> None:
        pen = QPen(self._look.color("accent"), 1.8)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(line)
        text = " · ".join(dict.fromkeys(word for word in words if word))
        if not text:
            return
        grow = 1 / max(0.5, min(1.0, painter.worldTransform().m11()))
        font = QFont(self._font)
        font.setPixelSize(round(11 * grow))
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 150 * grow)
        width = metrics.horizontalAdvance(text) + 10
        box = QRectF(0, 0, width, 17 * grow)
        box.moveCenter(line.pointAt(WORDS_AT))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("bg"))
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(font)
        painter.setPen(self._look.color("accent_ink"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class GraphScene(QGraphicsScene):
    node_clicked = Signal(str)
    node_opened = Signal(str)  # double click
    node_moved = Signal(str, float, float)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.edges = EdgesItem(look)
        self.addItem(self.edges)
        self.nodes: dict[str, NodeItem] = {}
        self._hidden: set[EntityType] = set()
        look.changed.connect(self.update)

    def show_graph(self, graph: PlacedGraph) -> None:
        for item in self.nodes.values():
            self.removeItem(item)
        self.nodes = {}
        for entity in graph.view.entities:
            item = NodeItem(entity, self._look)
            item.setPos(*graph.places[entity.id])
            item.setVisible(entity.type not in self._hidden)
            self.nodes[entity.id] = item
            self.addItem(item)
        self.edges.show_edges(graph.view.relations, self.nodes)
        self.setSceneRect(self.content_rect().adjusted(-400, -400, 400, 400))

    def content_rect(self) -> QRectF:
        """Where the visible nodes are; the edge item is left out, it covers everything."""
        box = QRectF()
        for item in self.nodes.values():
            if item.isVisible():
                box = box.united(item.mapRectToScene(item.boundingRect()))
        return box

    def hide_types(self, hidden: set[EntityType]) -> None:
        self._hidden = set(hidden)
        for item in self.nodes.values():
            item.setVisible(item.entity.type not in hidden)
        self.edges.update()

    def choose(self, entity_id: str | None) -> None:
        """Mark a node, make its edges speak and everything far from it quiet."""
        near = {entity_id}
        for relation in self.edges.relations:
            if entity_id in (relation.src, relation.dst):
                near |= {relation.src, relation.dst}
        for key, item in self.nodes.items():
            item.is_chosen = key == entity_id
            item.is_quiet = entity_id in self.nodes and key not in near
            item.update()
        self.edges.chosen = entity_id if entity_id in self.nodes else None
        self.edges.update()
