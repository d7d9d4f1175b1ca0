"""The button that chooses as whom the library is seen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from engram_desktop.viewmodels.knowledge.viewpoint import Viewpoint
from engram_desktop.widgets.parts.basics.pieces import literal
from engram_desktop.widgets.parts.look.look import Look

MOST_NAMES = 30  # of a menu: passers-by of a long story beyond them are in the dialogs


class ViewpointButton(QToolButton):
    secrets_wanted = Signal()

    def __init__(self, look: Look, viewpoint: Viewpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._viewpoint = viewpoint
        self.setIconSize(QSize(18, 18))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._open)
        viewpoint.names_read.connect(self._fill)
        viewpoint.changed.connect(self._show_name)
        self._show_name(viewpoint.current)
        self._fill(viewpoint.names)

    @Slot()
    def _open(self) -> None:
        self._fill(self._viewpoint.names)
        self._viewpoint.read()

    @Slot(object)
    def _fill(self, names: list[str]) -> None:
        menu, current = self.menu(), self._viewpoint.current
        menu.clear()
        group = QActionGroup(menu)
        everything = menu.addAction(self.tr("Everything, as you see it"))
        everything.triggered.connect(lambda _checked=False: self._viewpoint.view_as(""))
        actions = [(everything, not current)]
        for name in names[:MOST_NAMES]:
            action = menu.addAction(self.tr("As {name}").format(name=literal(name)))
            action.triggered.connect(lambda _checked=False, n=name: self._viewpoint.view_as(n))
            actions.append((action, name == current))
        for action, is_current in actions:
            action.setCheckable(True)
            action.setChecked(is_current)
            group.addAction(action)
        menu.addSeparator()
        menu.addAction(self.tr("Secrets…")).triggered.connect(
            lambda _checked=False: self.secrets_wanted.emit()
        )

    @Slot(str)
    def _show_name(self, name: str) -> None:
        tip = self.tr("See the library as somebody of the story knows it")
        self.setToolTip(self.tr("Seen as {name}").format(name=name) if name else tip)
        self.setAccessibleName(self.toolTip())
        self._look.dress(self, "eye", "gold_ink" if name else "ink2")
