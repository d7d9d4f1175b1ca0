"""The button that chooses as whom the library is seen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from engram_desktop.viewmodels.knowledge.viewpoint import Viewpoint
from engram_desktop.widgets.parts.fields.filtered_menu import FilteredMenu
from engram_desktop.widgets.parts.look.look import Look

EVERYTHING, SECRETS = ("view", ""), ("secrets", "")


class ViewpointButton(QToolButton):
    """Its menu narrows to what is typed: a long story has hundreds of names."""

    secrets_wanted = Signal()

    def __init__(self, look: Look, viewpoint: Viewpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._viewpoint = viewpoint
        self.setIconSize(QSize(18, 18))
        self.names = FilteredMenu(self.tr("Seen by whom"), self)
        self.names.picked.connect(self._take)
        self.clicked.connect(self._open)
        viewpoint.names_read.connect(self._fill)
        viewpoint.changed.connect(self._show_name)
        self._show_name(viewpoint.current)

    @Slot()
    def _open(self) -> None:
        self._fill(self._viewpoint.names)
        self.names.open_below(self)
        self._viewpoint.read()

    @Slot(object)
    def _fill(self, names: list[str]) -> None:
        everything = self.tr("Everything, as you see it")
        rows = [(everything, EVERYTHING)]
        rows += [(self.tr("As {name}").format(name=name), ("view", name)) for name in names]
        rows.append((self.tr("Secrets…"), SECRETS))
        self.names.offer(rows, ("view", self._viewpoint.current))

    @Slot(object)
    def _take(self, picked: tuple[str, str]) -> None:
        what, name = picked
        if what == "secrets":
            self.secrets_wanted.emit()
        else:
            self._viewpoint.view_as(name)

    @Slot(str)
    def _show_name(self, name: str) -> None:
        tip = self.tr("See the library as somebody of the story knows it")
        self.setToolTip(self.tr("Seen as {name}").format(name=name) if name else tip)
        self.setAccessibleName(self.toolTip())
        self._look.dress(self, "eye", "gold_ink" if name else "ink2")
