"""Animates a change of the window: a picture of the state before slides or fades over the new one.

The change itself is made at once, so focus, keys and tests see it done. Both pictures are taken
once, so that a frame costs the same however many widgets they show. A second change ends the
animation of the first.
"""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QRect,
    Qt,
    QVariantAnimation,
)
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QStyle, QWidget
from typing_extensions import override

from engram_desktop.domain.values import dataclass

DURATION_MS = 140  # long enough to follow, too short to wait for
LAYERS = 2  # levels of layout: a request posted after a layout may cause one more in the parent
_UNSEEN = ("offscreen", "minimal")  # platforms without a screen


@dataclass(frozen=True, slots=True)
class Travel:
    """How a part of a scene moves: by ``by`` pixels, or a fade if ``by`` is null.

    ``comes``: the new picture moves in over the old one; else the old one moves off.
    """

    area: QRect
    by: QPoint
    comes: bool = False


class Motion(QObject):
    """Decides whether anything is animated. ``choice`` is ``system``, ``on`` or ``off``."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice = "system"

    @property
    def is_on(self) -> bool:
        """Return whether the user, or else the system, wants animations."""
        if self.choice != "system":
            return self.choice == "on"
        if QGuiApplication.platformName() in _UNSEEN:
            return False
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        does_effects = QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
        return does_effects and QApplication.style().styleHint(hint) > 0

    def change(
        self, scene: QWidget, act: Callable[[], object], travel: Callable[[], Travel]
    ) -> None:
        """Call ``act``, which changes the visible content of ``scene``, and animate the change."""
        for curtain in scene.findChildren(Curtain):
            curtain.end()
        if not self.is_on or not scene.isVisible():
            act()
            return
        before = scene.grab()
        act()
        for _ in range(LAYERS):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        moved = travel()
        area = moved.area.intersected(scene.rect())
        if not area.isEmpty():
            Curtain(scene, before, Travel(area, moved.by, moved.comes))

    def glide(self, owner: QObject, step: Callable[[float], object]) -> Callable[[], None]:
        """Call ``step`` with values from 0 to 1, at last 1. Return a function that stops it."""
        if not self.is_on:
            step(1.0)
            return lambda: None
        animation = _animation(owner)
        animation.valueChanged.connect(step)
        animation.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)
        return lambda: animation.stop() if shiboken6.isValid(animation) else None


class Curtain(QWidget):
    """Covers a part of a scene while a picture moves over it; clicks pass through."""

    def __init__(self, scene: QWidget, before: QPixmap, travel: Travel) -> None:
        super().__init__(scene)
        area, ratio = travel.area, before.devicePixelRatio()
        corner = area.topLeft() * ratio
        old = before.copy(QRect(corner, area.size() * ratio))
        new = scene.grab(area)
        self._below, self._above = (old, new) if travel.comes else (new, old)
        self._travel = travel
        self._done = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(area)
        self._animation = _animation(self)
        self._animation.valueChanged.connect(self._show)
        self._animation.finished.connect(self.end)
        self._animation.start()
        self.show()
        self.raise_()

    def end(self) -> None:
        """Remove the cover and show the current content."""
        self._animation.stop()
        self.hide()
        self.setParent(None)
        self.deleteLater()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._below)
        if self._travel.by.isNull():
            painter.setOpacity(1 - self._done)
            painter.drawPixmap(0, 0, self._above)
        else:
            painter.drawPixmap(self._travel.by * self._share, self._above)

    @property
    def _share(self) -> float:
        """Return the distance of the upper picture from its final position, as a share."""
        return 1 - self._done if self._travel.comes else self._done

    def _show(self, done: float) -> None:
        self._done = done
        self.update()


def _animation(owner: QObject) -> QVariantAnimation:
    animation = QVariantAnimation(owner)
    animation.setStartValue(0.0)
    animation.setEndValue(1.0)
    animation.setDuration(DURATION_MS)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    return animation
