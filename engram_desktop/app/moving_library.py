"""Move the library while no window has it open, with a progress bar and a report."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QDialog, QProgressBar
from typing_extensions import override

from engram_desktop import places
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.reports import Relocated
from engram_desktop.jobs.context import Progress
from engram_desktop.qtjobs.runner import JobRunner
from engram_desktop.services.memory import ClosedLibrary
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.widgets.parts.dialogs import PlainBox, run_alone
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.pieces import label, text_button

STEPS = 1_000  # in the bar


class MoveBox(QDialog):
    """The target and the progress of a move. It cannot be closed: the move ends or is cancelled."""

    def __init__(self, target: Path) -> None:
        super().__init__()
        self.setWindowTitle(places.APP)
        self.setMinimumWidth(420)
        rows = column(self, 20, 12)
        text = QCoreApplication.translate("Start", "The library is moved to {path}.")
        rows.addWidget(label(text.format(path=target), wrap=True))
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(text.format(path=target))
        rows.addWidget(self.bar)
        self.cancel_button = text_button(QCoreApplication.translate("Start", "Cancel"))
        rows.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignRight)

    @override
    def reject(self) -> None:
        self.cancel_button.click()


class LibraryMove(QObject):
    """One move. `run` returns when it has ended; ``error`` is why it failed."""

    def __init__(self, library: Path, target: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._target = target
        self.outcome: Relocated | None = None
        self.error: BaseException | None = None
        self.box = MoveBox(target)

    def run(self, app: QApplication) -> Relocated | None:
        """Move the library; returns None if it stays at its old place."""
        runner = JobRunner(self)
        job = runner.submit("", lambda ctx: ClosedLibrary(self._library).move_to(ctx, self._target))
        job.progressed.connect(self._on_progressed)
        job.succeeded.connect(self._on_moved)
        job.failed.connect(self._on_failed)
        job.finished.connect(self.box.accept)
        self.box.cancel_button.clicked.connect(job.cancel)
        run_alone(app, self.box)
        runner.shutdown()
        self.box.deleteLater()
        return self.outcome

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        if progress.total:
            self.box.bar.setMaximum(STEPS)
            self.box.bar.setValue(progress.done * STEPS // progress.total)

    @Slot(object)
    def _on_moved(self, outcome: Relocated) -> None:
        self.outcome = outcome

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.error = error


def move_library(app: QApplication, library: Path, target: Path) -> Relocated | None:
    """Move a closed library and show an error; returns None if it stays at its old place."""
    move = LibraryMove(library, target)
    outcome = move.run(app)
    if isinstance(move.error, KnownError):
        box = PlainBox(places.APP, *describe(move.error))
        run_alone(app, box)
    elif move.error is not None:
        raise move.error
    return outcome


def new_place_text(outcome: Relocated) -> str:
    """Return where a library is now, and what is left at the old place."""
    text = QCoreApplication.translate("Start", "The library lies in {path} now.")
    words = text.format(path=outcome.library)
    if outcome.left is not None:
        kept = QCoreApplication.translate(
            "Start", "Where it was it is kept as {path}; delete that when all is well."
        )
        words = f"{words} {kept.format(path=outcome.left)}"
    return words
