"""The view on the graph: wheel zooms, dragging pans, the keyboard does the same."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QWidget
from typing_extensions import override

from engram_desktop.widgets.graph.graph_scene import GraphScene

MIN_SCALE, MAX_SCALE = 0.15, 4.0


class GraphCanvas(QGraphicsView):
    background_clicked = Signal()

    def __init__(self, scene: GraphScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self._scene = scene  # a QGraphicsView does not keep its scene
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def fit(self) -> None:
        box = self._scene.content_rect()
        if box.isEmpty():
            return
        self.fitInView(QRectF(box).adjusted(-30, -30, 30, 30), Qt.AspectRatioMode.KeepAspectRatio)
        scale = self.transform().m11()
        if scale > 1.35:
            self.scale(1.35 / scale, 1.35 / scale)

    def zoom(self, factor: float) -> None:
        scale = self.transform().m11() * factor
        if MIN_SCALE <= scale <= MAX_SCALE:
            self.scale(factor, factor)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y())
        event.accept()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.itemAt(event.position().toPoint()) in (None, self._scene.edges):
            self.background_clicked.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case Qt.Key.Key_0 if control:
                self.fit()
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(1.2)
            case Qt.Key.Key_Minus:
                self.zoom(1 / 1.2)
            case _:
                super().keyPressEvent(event)
                return
        event.accept()
