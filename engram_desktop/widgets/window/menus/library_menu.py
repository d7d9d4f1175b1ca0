"""Which library is open, and opening another: those opened last, or a folder that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDesktopServices, QFontMetrics
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.basics.pieces import literal
from engram_desktop.widgets.parts.look.look import Look

_WIDTH = 360  # of a path in the menu: the end of it tells libraries apart


class LibraryMenu(QMenu):
    """Filled each time it opens. What is not there any more is found out beside, and marked."""

    library_wanted = Signal(object)  # Path
    move_wanted = Signal(object)  # Path the library is to have
    guide_wanted = Signal()
    mode_wanted = Signal()  # this one anew, in safe mode or out of it

    def __init__(
        self,
        look: Look,
        workspace: Workspace,
        library: Path,
        recent: Callable[[], Sequence[Path]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._space = workspace
        self._library = library
        self._recent = recent
        self._places: dict[Path, QAction] = {}
        self.aboutToShow.connect(self._fill)

    @Slot()
    def _fill(self) -> None:
        self.clear()
        self._places = {}
        here = self.addAction(self._look.icon("check", "green"), self._shown(self._library))
        here.setEnabled(False)
        folder = self.addAction(self._look.icon("folder"), self.tr("Show its folder"))
        folder.triggered.connect(lambda _checked=False: self._show_folder())
        move = self.addAction(self.tr("Move it to another folder…"))
        move.triggered.connect(lambda _checked=False: self.ask_to_move())
        self.addSeparator()
        for path in self._recent():
            if path != self._library:
                action = self.addAction(self._shown(path))
                action.triggered.connect(lambda _checked=False, p=path: self.library_wanted.emit(p))
                self._places[path] = action
        if self._places:
            self.addSeparator()
        other = self.addAction(self.tr("Open or begin another library…"))
        other.triggered.connect(lambda _checked=False: self._choose())
        self.addSeparator()
        guide = self.addAction(self._look.icon("place"), self.tr("First steps…"))
        guide.triggered.connect(lambda _checked=False: self.guide_wanted.emit())
        is_safe = self._space.memory.is_safe
        words = self.tr("Leave safe mode") if is_safe else self.tr("Restart in safe mode")
        mode = self.addAction(self._look.icon("refresh"), words)
        mode.triggered.connect(lambda _checked=False: self.mode_wanted.emit())
        paths = list(self._places)
        job = self._space.look_up(lambda _ctx: [path for path in paths if not path.is_dir()])
        job.succeeded.connect(self._mark)

    @Slot(object)
    def _mark(self, gone: Sequence[Path]) -> None:
        for path in gone:
            action = self._places.get(path)
            if action is not None:
                action.setEnabled(False)
                action.setText(self.tr("{path} (not there)").format(path=self._shown(path)))

    def _shown(self, path: Path) -> str:
        metrics = QFontMetrics(self.font())
        text = metrics.elidedText(str(path), Qt.TextElideMode.ElideMiddle, _WIDTH)
        return literal(text)

    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._library)))

    @Slot()
    def ask_to_move(self) -> None:
        """Ask where this library shall lie."""
        folder = QFileDialog.getExistingDirectory(
            self.parentWidget(), self.tr("Where the library shall lie"), str(self._library.parent)
        )
        if folder:
            self.move_wanted.emit(moved_into(self._library, Path(folder)))

    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self.parentWidget(), self.tr("Folder of a library"), str(self._library.parent)
        )
        if folder:
            self.library_wanted.emit(begun_in(Path(folder)))


def moved_into(library: Path, folder: Path) -> Path:
    """Return where a library lies that is moved into a folder: an empty one becomes it."""
    is_empty = not any(folder.iterdir())
    return folder if is_empty else folder / library.name


def begun_in(folder: Path) -> Path:
    """Return the library of a folder: itself if it is one or empty, else a new one inside it."""
    is_one = (folder / "library.db").exists() or not any(folder.iterdir())
    return folder if is_one else folder / "Engram"
