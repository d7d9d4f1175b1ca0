"""Asks for a file and writes the graph there: a picture (PNG, SVG), or GraphML for other tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from engram_desktop.viewmodels.graph.graph_files import GraphFiles
from engram_desktop.widgets.graph.drawing.picture import Picture
from engram_desktop.widgets.graph.drawing.picture_files import (
    drawing,
    image_for,
    sheet_for,
    whole,
)
from engram_desktop.widgets.parts.look.look import Look

TURN_SECONDS = 0.008  # of drawing before the window has its turn


class _Turns(QObject):
    """Something drawn in turns; it frees itself when it is done."""

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
        """Offer every kind of file."""
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
        part = self._files.part_of(file)
        sheet = sheet_for(camera, str(part), self._files.title)
        self._draw(
            drawing(self._look, self._picture, camera, sheet), lambda: self._files.keep(part, file)
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
        return Path(name) if Path(name).suffix else Path(f"{name}{ending}")
