"""The view of the graph: the wheel zooms, dragging pans, hovering highlights neighbours.

The same by keys: arrows, + and -, Ctrl+0 fits everything, Ctrl+9 fits the selection.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.viewmodels.graph.drawn_graph import DrawnGraph, Mask, Numbers
from engram_desktop.widgets.graph.names import NodeLabels
from engram_desktop.widgets.graph.picture import Camera, CameraGlide, EdgeLines, Picture
from engram_desktop.widgets.parts.look import Look

STEP = 60.0  # pixels that an arrow key moves the picture
CLICK_REACH = 4  # pixels the pointer may move in a click
HOVER_VEIL, CHOSEN_VEIL = 0.72, 0.5  # how far nodes and lines out of focus fade
ZOOM_STEP = 1.2  # factor of one key press
MOST_LIT = 240  # lines of one node that are highlighted: more would be one surface
MOST_MOVING = 120  # of them drawn while the picture of a large graph moves
NO_NODES: Numbers = np.zeros(0, dtype=np.int64)


class GraphCanvas(QWidget):
    node_clicked = Signal(str)
    node_opened = Signal(str)  # double click
    node_centred = Signal(str)  # Ctrl + double click
    node_moved = Signal(str, float, float)
    nodes_joined = Signal(str, str)  # ids: the first node was dropped on the second
    other_picked = Signal(str)  # Ctrl+click: the second node of a path
    background_clicked = Signal()
    menu_wanted = Signal(object, object, QPoint)  # node id or None, relations or None, position
    moved = Signal()  # the visible part has changed

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.picture = Picture(look)
        self.names = NodeLabels(look, self.picture)
        self.backdrop = Backdrop(look, self.picture, self)
        self.backdrop.ready.connect(self.update)
        self.camera = Camera(QSizeF(400, 300))
        self._glide = CameraGlide(look.motion, self, self._see)
        self.chosen: int | None = None
        self.other: int | None = None  # second node of the path
        self.path: tuple[Numbers, Numbers] | None = None  # nodes and lanes of the path
        self.are_words_shown = False
        self._hovered: int | None = None
        self._hovered_lane: int | None = None
        self._pressed: QPointF | None = None
        self._held: int | None = None  # the dragged node
        self._target: int | None = None  # the node under the dragged one
        self._is_dragging = False
        self._drag_began = (0.0, 0.0)
        self._frame: QPixmap | None = None  # the last picture
        self._is_drawn = False  # it shows what is to be seen now
        self._making: tuple[QPixmap, QPainter, Iterator[None]] | None = None  # the next one
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._go_on)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        look.changed.connect(self._on_look_changed)

    def show_graph(self, graph: DrawnGraph, nodes: Mask, lanes: Mask) -> None:
        """Draw a graph, limited to these nodes and lanes."""
        is_same = graph is self.picture.graph
        self.picture.show(graph, nodes, lanes)
        if not is_same:
            self.names.forget()
            self.chosen = self.other = self.path = None
            self._held = self._target = None
            self._is_dragging = False
        self._hovered = self._hovered_lane = None
        if is_same:
            self.backdrop.redraw()
        else:
            self.backdrop.forget()
        self.update()

    def show_lanes(self, lanes: Mask) -> None:
        """Draw other lines of the same graph."""
        self.picture.show(self.picture.graph, self.picture.nodes, lanes)
        self._hovered_lane = None
        self.redraw_nodes()

    def redraw_nodes(self) -> None:
        """Draw the nodes at their current positions."""
        self.picture.forget_lines()
        self.backdrop.redraw()
        self.update()

    def choose(self, entity_id: str | None) -> None:
        """Select a node: its lines get words, and nodes far from it fade."""
        index = self.picture.graph.index
        before = (self.chosen, self.other)
        self.chosen = None if entity_id is None else index.get(entity_id)
        if self.other == self.chosen:
            self.other = None
        if (self.chosen, self.other) != before:
            self.update()

    def choose_other(self, entity_id: str | None) -> None:
        self.other = None if entity_id is None else self.picture.graph.index.get(entity_id)
        self.update()

    def show_path(self, path: tuple[Numbers, Numbers] | None) -> None:
        """Highlight a path between two nodes; None: no path."""
        self.path = path
        self.update()

    def light_up(self, stations: Sequence[str]) -> None:
        """Highlight the path over these nodes; an empty list removes the highlight."""
        graph = self.picture.graph
        nodes = [graph.index[i] for i in stations if i in graph.index]
        if len(nodes) < len(stations) or not nodes:
            self.show_path(None)
            return
        steps = {frozenset(step) for step in itertools.pairwise(nodes)}
        ends = zip(graph.src.tolist(), graph.dst.tolist(), strict=True)
        lanes = [n for n, pair in enumerate(ends) if frozenset(pair) in steps]
        self.show_path((np.array(nodes), np.array(lanes, dtype=np.int64)))

    def show_words(self, on: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Choose whether all lines show their words, or only the lines of the selection."""
        self.are_words_shown = on
        self.update()

    def fit(self) -> None:
        box = self.picture.content()
        if not box.isEmpty():
            self._glide.go(self.camera, self.camera.fitted(box))

    def fit_chosen(self) -> None:
        """Fit the selection into the view: the chosen node with its neighbours, or the path."""
        among = np.zeros(len(self.picture.graph.entities), dtype=np.bool_)
        if self.path is not None:
            among[self.path[0]] = True
        elif self.chosen is not None:
            among[self._near(self.chosen)[0]] = True
        box = self.picture.content(among)
        if not box.isEmpty():
            self._glide.go(self.camera, self.camera.fitted(box))

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        middle = QPointF(self.width() / 2, self.height() / 2)
        self._look_from(self.camera.zoomed(factor, around or middle))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by these pixels."""
        self._look_from(self.camera.moved(dx, dy))

    def look_at(self, x: float, y: float) -> None:
        """Centre a point of the plane."""
        self._look_from(Camera(self.camera.size, x, y, self.camera.scale))

    def _look_from(self, camera: Camera) -> None:
        self._glide.stop()
        self._see(camera)

    def _see(self, camera: Camera) -> None:
        self.camera = camera.resized(QSizeF(self.size()))
        self.update()
        self.moved.emit()

    @override
    def update(self) -> None:  # type: ignore[override]  # of all, never of a part
        """Draw the graph again."""
        self._is_drawn = False
        self._turn.stop()
        if self._making is not None:
            self._making[1].end()
            self._making = None
        super().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the last picture; a page that is shown again draws nothing.

        A large graph at rest is drawn in turns, as names and the lines of a hub take several
        frames: until then the picture before is seen, or one without names.
        """
        ratio = self.devicePixelRatioF()
        size = (QSizeF(self.size()) * ratio).toSize()
        is_fit = self._frame is not None and self._frame.size() == size
        if not (self._is_drawn and is_fit) and self._making is None:
            self._begin(size, ratio)
        painter = QPainter(self)
        if self._frame is not None and self._frame.size() == size:
            painter.drawPixmap(0, 0, self._frame)
        else:
            self._draw_backdrop(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._look.color("accent"), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _begin(self, size: QSize, ratio: float) -> None:
        frame = QPixmap(size)
        frame.setDevicePixelRatio(ratio)
        painter = QPainter(frame)
        self._making = (frame, painter, self._draw(painter))
        is_short = self.backdrop.is_small or self.backdrop.is_moving or self._is_dragging
        if is_short:
            while not self._draw_next():
                pass
        else:
            self._turn.start()

    @Slot()
    def _go_on(self) -> None:
        if self._draw_next():
            super().update()
        else:
            self._turn.start()

    def _draw_next(self) -> bool:
        """Draw the next part of a picture. Return whether it is complete."""
        if self._making is None:
            return True
        frame, painter, parts = self._making
        if next(parts, self) is not self:
            return False
        painter.end()
        self._making, self._frame, self._is_drawn = None, frame, True
        return True

    def _draw_backdrop(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self._look.color("bg"))
        self.backdrop.draw(painter, self.camera, self.devicePixelRatioF())

    def _draw(self, painter: QPainter) -> Iterator[None]:
        """Draw in parts; yields between them, so that other work may run."""
        self._draw_backdrop(painter)
        if not self.backdrop.is_drawn:
            return  # names take half a frame, and would be placed again with the marks
        yield
        first = [n for n in (self._hovered, self.chosen, self.other, self._held) if n is not None]
        lit, lanes, veil = self._meant()
        near: list[int] = []
        if lit is not None:
            rank = np.argsort(-self.picture.graph.degrees[lit], kind="stable")
            near = lit[rank][:60].tolist()
        is_moving = self.backdrop.is_moving and not self.backdrop.is_small
        if is_moving:  # a hub has more lines than a frame has time for
            lanes = lanes[:MOST_MOVING]
        space = self.names.place(self.camera, first, near, is_moving=is_moving)
        yield
        lines: EdgeLines | None = None
        if lit is not None:
            fade = QColor(self._look.color("bg"))
            fade.setAlphaF(veil)
            painter.fillRect(self.rect(), fade)
            lines = self.picture.draw_lit(
                painter, self.camera, lit, lanes, bold=len(lanes) <= 60 or veil == HOVER_VEIL
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_rings(painter)
        yield
        if self.are_words_shown and not is_moving:
            lines = self._all_lines(lanes)
        self.names.place_words(None if is_moving else lines, space)
        yield
        self.names.draw_words(painter)
        self.names.draw(painter, lit, self.chosen)

    def _all_lines(self, first: Numbers) -> EdgeLines:
        graph = self.picture.graph
        at = self.camera.to_screen(graph.places)
        lanes = self.picture.seen_lanes(at, self.camera.size)[:2_000]
        is_later = np.ones(len(graph.lanes), dtype=np.bool_)
        is_later[first] = False
        lanes = np.concatenate([first, lanes[is_later[lanes]]])
        return EdgeLines(graph, lanes, at, self.camera.disc_scale)

    def _meant(self) -> tuple[Numbers | None, Numbers, float]:
        """Return the nodes and lanes in focus, and how far the others fade."""
        if self._held is not None and self._is_dragging:
            return *self._near(self._held), HOVER_VEIL
        if self._hovered is not None:
            return *self._near(self._hovered), HOVER_VEIL
        if self._hovered_lane is not None:
            graph, lane = self.picture.graph, self._hovered_lane
            ends = np.array([graph.src[lane], graph.dst[lane]])
            return ends, np.array([lane]), CHOSEN_VEIL
        if self.path is not None:
            return *self.path, HOVER_VEIL
        if self.chosen is not None and self.picture.nodes[self.chosen]:
            return *self._near(self.chosen), CHOSEN_VEIL
        return None, NO_NODES, 0.0

    def _near(self, node: int) -> tuple[Numbers, Numbers]:
        graph = self.picture.graph
        lanes = graph.touching(node)
        lanes = lanes[self.picture.lanes[lanes]]
        if len(lanes) > MOST_LIT:  # a hub: only the lines to its most important neighbours
            others = np.where(graph.src[lanes] == node, graph.dst[lanes], graph.src[lanes])
            lanes = lanes[np.argsort(-graph.degrees[others], kind="stable")[:MOST_LIT]]
        is_near = np.zeros(len(graph.places), dtype=np.bool_)
        is_near[graph.src[lanes]] = is_near[graph.dst[lanes]] = is_near[node] = True
        return np.flatnonzero(is_near), lanes

    def _draw_rings(self, painter: QPainter) -> None:
        graph = self.picture.graph
        at = self.camera.to_screen(graph.places)
        rings = ((self.chosen, "ink"), (self.other, "gold"), (self._target, "red"))
        for node, role in rings:
            if node is not None and self.picture.nodes[node]:
                radius = max(2.0, float(graph.radii[node]) * self.camera.disc_scale) + 4
                style = Qt.PenStyle.SolidLine if role == "ink" else Qt.PenStyle.DashLine
                painter.setPen(QPen(self._look.color(role), 2, style))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QPointF(*at[node].tolist()), radius, radius)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera = self.camera.resized(QSizeF(self.size()))
        self.moved.emit()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y(), event.position())
        event.accept()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        self._is_dragging = False
        self._held = None
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = self.picture.node_at(self.camera, event.position())
            if self._held is not None:
                x, y = self.picture.graph.places[self._held].tolist()
                self._drag_began = (x, y)
        elif event.button() == Qt.MouseButton.RightButton:
            self._pressed = None
        event.accept()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._pressed is None or not event.buttons():
            self._hover(here)
            return
        step = here - self._pressed
        if not self._is_dragging and step.manhattanLength() <= CLICK_REACH:
            return
        self._hovered = self._hovered_lane = None
        if not self._is_dragging:
            self._is_dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._pressed = here
        if self._held is None:
            self.pan(step.x(), step.y())
            return
        self.picture.graph.places[self._held] += (
            step.x() / self.camera.scale,
            step.y() / self.camera.scale,
        )
        self._target = self._under_held(here)
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        held, target, was_dragging = self._held, self._target, self._is_dragging
        self._pressed = self._held = self._target = None
        self._is_dragging = False
        self.unsetCursor()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        entities = self.picture.graph.entities
        if held is None:
            if not was_dragging:
                self._click_line(event.position())
        elif not was_dragging:
            is_second = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            signal = self.other_picked if is_second else self.node_clicked
            signal.emit(entities[held].id)
        elif target is not None:
            self.picture.graph.places[held] = self._drag_began
            self.redraw_nodes()
            self.nodes_joined.emit(entities[held].id, entities[target].id)
        else:
            x, y = self.picture.graph.places[held].tolist()
            self.redraw_nodes()
            self.node_moved.emit(entities[held].id, x, y)
        self.update()

    def _click_line(self, here: QPointF) -> None:
        if self.picture.lane_at(self.camera, here) is None:
            self.background_clicked.emit()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.picture.node_at(self.camera, event.position())
        if node is not None:
            is_centre = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            signal = self.node_centred if is_centre else self.node_opened
            signal.emit(self.picture.graph.entities[node].id)

    def open_menu(self, spot: QPoint) -> None:
        """Request the menu for what is at a point."""
        here, graph = QPointF(spot), self.picture.graph
        node = self.picture.node_at(self.camera, here)
        is_key = spot == self.rect().center() and not self.underMouse()
        if node is None and is_key:  # the menu key has no position
            node = self.chosen
        lane = None if node is not None else self.picture.lane_at(self.camera, here)
        entity_id = None if node is None else graph.entities[node].id
        told = None if lane is None else graph.lanes[lane]
        self.menu_wanted.emit(entity_id, told, self.mapToGlobal(spot))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        if self._hovered is not None or self._hovered_lane is not None:
            self._hovered = self._hovered_lane = None
            self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        act = self._acts(control=control).get(Qt.Key(event.key()))
        if act is None:
            super().keyPressEvent(event)
            return
        act()
        event.accept()

    def _acts(self, *, control: bool) -> dict[Qt.Key, Callable[[], object]]:
        """Return what the keys do now."""
        key = Qt.Key
        acts: dict[Qt.Key, Callable[[], object]] = {
            key.Key_Plus: lambda: self.zoom(ZOOM_STEP),
            key.Key_Equal: lambda: self.zoom(ZOOM_STEP),
            key.Key_Minus: lambda: self.zoom(1 / ZOOM_STEP),
            key.Key_Left: lambda: self.pan(STEP, 0),
            key.Key_Right: lambda: self.pan(-STEP, 0),
            key.Key_Up: lambda: self.pan(0, STEP),
            key.Key_Down: lambda: self.pan(0, -STEP),
        }
        if control:
            acts |= {key.Key_0: self.fit, key.Key_9: self.fit_chosen}
        if self.chosen is not None:
            chosen = self.picture.graph.entities[self.chosen].id
            signal = self.node_centred if control else self.node_opened
            acts |= dict.fromkeys((key.Key_Return, key.Key_Enter), lambda: signal.emit(chosen))
        if self.path is not None or self.other is not None:
            acts[key.Key_Escape] = self.background_clicked.emit
        return acts

    @property
    def sees_all(self) -> bool:
        """Return whether every node shown is on the screen."""
        box = self.picture.content()
        if box.isEmpty():
            return True
        left, top = self.camera.to_plane(QPointF(0, 0))
        right, bottom = self.camera.to_plane(QPointF(self.width(), self.height()))
        return QRectF(left, top, right - left, bottom - top).contains(box)

    def _hover(self, here: QPointF) -> None:
        node = self.picture.node_at(self.camera, here)
        lane = self.picture.lane_at(self.camera, here) if node is None else None
        if (node, lane) != (self._hovered, self._hovered_lane):
            self._hovered, self._hovered_lane = node, lane
            is_over = node is not None
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def _under_held(self, here: QPointF) -> int | None:
        """Return the node below the one that is dragged."""
        held = self._held
        if held is None:
            return None
        was_shown = bool(self.picture.nodes[held])
        self.picture.nodes[held] = False
        under = self.picture.node_at(self.camera, here)
        self.picture.nodes[held] = was_shown
        return under

    def _on_look_changed(self) -> None:
        self.picture.marks.forget()
        self.backdrop.forget()
        self.update()


# The backdrop: the last picture of the graph, moved and scaled, until the next one is drawn. A
# large graph takes longer to draw than a frame lasts. It is drawn in steps of a few milliseconds,
# with a margin around the visible part, so that moving it stays at sixty frames a second.

AROUND = 0.5  # of the screen, drawn in addition, so that moving shows no empty edge
TURN_SECONDS = 0.005  # of drawing before the next frame may be shown: a third of a frame
PAUSE_MS = 8  # between two turns
REST_MS = 110  # without a movement, after which the graph is drawn again
SMALL = 500  # nodes and lines together that are drawn within one frame


class Backdrop(QObject):
    ready = Signal()

    def __init__(self, look: Look, picture: Picture, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._picture = picture
        self._front: tuple[QPixmap, Camera] | None = None
        self._making: tuple[QPixmap, Camera, QPainter, Iterator[None]] | None = None
        self._wanted: tuple[Camera, float] | None = None
        self._turn = QTimer(self, interval=PAUSE_MS)
        self._turn.timeout.connect(self._take_turn)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._begin)

    @property
    def is_small(self) -> bool:
        return int(self._picture.nodes.sum()) + int(self._picture.lanes.sum()) <= SMALL

    @property
    def is_drawn(self) -> bool:
        """Return whether there is a picture of this graph: a large one takes several turns."""
        return self.is_small or self._front is not None

    @property
    def is_moving(self) -> bool:
        """Return whether it still waits for the movement to end."""
        return self._rest.isActive()

    def forget(self) -> None:
        """Discard the picture, so that the next paint draws at once: another graph is shown."""
        self._stop()
        self._front = None

    def redraw(self) -> None:
        """Draw again; the old picture is shown until that is done."""
        self._stop()
        if self._wanted is not None:
            self._begin()

    def draw(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        """Paint the current picture, and start drawing the wanted one if it differs."""
        if self.is_small:
            self._rest.stop()
            for _piece in self._picture.pieces(painter, camera):
                pass
            return
        is_new = self._wanted is None or self._wanted[0] != camera
        self._wanted = (camera, ratio)
        if self._front is None:
            self._begin()
            self._take_turn()
        if self._front is not None:
            pixmap, drawn_for = self._front
            target = drawn_for.seen_from(camera)
            painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
        if is_new:
            if self._making is None and self._is_leaving(camera):
                self._begin()
            self._rest.start()

    def _is_leaving(self, camera: Camera) -> bool:
        """Return whether the edge of the picture comes near."""
        if self._front is None:
            return False
        target = self._front[1].seen_from(camera)
        width, height = camera.size.width(), camera.size.height()
        reach = 0.1  # of the screen
        inner = target.adjusted(width * reach, height * reach, -width * reach, -height * reach)
        return not inner.contains(QRectF(0, 0, width, height))

    def _begin(self) -> None:
        if self._wanted is None:
            return
        self._stop()
        camera, ratio = self._wanted
        large = camera.grown(AROUND)
        size = QSize(round(large.size.width() * ratio), round(large.size.height() * ratio))
        pixmap = QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._look.color("bg"))
        painter = QPainter(pixmap)
        self._making = (pixmap, large, painter, self._picture.pieces(painter, large))
        self._turn.start()

    def _stop(self) -> None:
        self._turn.stop()
        self._rest.stop()
        if self._making is not None:
            self._making[2].end()
            self._making = None

    def _take_turn(self) -> None:
        if self._making is None:
            self._turn.stop()
            return
        pixmap, camera, painter, pieces = self._making
        until = time.perf_counter() + TURN_SECONDS
        for _piece in pieces:
            if time.perf_counter() > until:
                return
        painter.end()
        self._making = None
        self._turn.stop()
        self._front = (pixmap, camera)
        self.ready.emit()
