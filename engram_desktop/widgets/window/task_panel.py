"""The running tasks with progress, time left and a way to stop each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.workspace.job_list import JobList, JobRow
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button

STEPS = 1000


class TaskLine(QWidget):
    """One task."""

    def __init__(self, jobs: JobList, job_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        layout = column(self, 0, 4)
        head = QHBoxLayout()
        self._title = label()
        self._left = label("", "hint")
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(lambda: jobs.cancel(job_id))
        head.addWidget(self._title, 1)
        head.addWidget(self._left)
        head.addWidget(self.cancel_button)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self._label = label("", "hint")
        layout.addLayout(head)
        layout.addWidget(self.bar)
        layout.addWidget(self._label)

    def show_row(self, row: JobRow) -> None:
        fraction = row.fraction
        self._title.setText(row.title)
        self.bar.setAccessibleName(row.title)
        self.bar.setRange(0, 0 if row.started_at is not None and fraction is None else STEPS)
        self.bar.setValue(round((fraction or 0) * STEPS))
        self._left.setText(self._jobs.time_left(row))
        if row.started_at is None:
            self._label.setText(self.tr("Waiting"))
        elif row.progress is None:
            self._label.setText("")
        elif row.progress.total:
            self._label.setText(
                f"{row.progress.done} / {row.progress.total}  {row.progress.label}".strip()
            )
        else:
            self._label.setText(row.progress.label)


class TaskPanel(QFrame):
    """Pops up above the word Tasks; Escape or a click elsewhere closes it."""

    def __init__(self, jobs: JobList, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("popup")
        self._window = parent
        self._jobs = jobs
        self._lines: dict[int, TaskLine] = {}
        self._layout = column(self, 16, 12)
        self._layout.addWidget(label(self.tr("Tasks"), "heading"))
        self._nothing = label(self.tr("Nothing is running."), "quiet")
        self._layout.addWidget(self._nothing)
        self.setFixedWidth(380)
        self.hide()
        jobs.changed.connect(self._refresh)
        self._refresh()

    def toggle(self) -> None:
        self.setVisible(self.isHidden())
        if not self.isHidden():
            self._place()
            self.raise_()
            self.setFocus()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and not self.isHidden():
            self._place()
        return super().event(event)

    def _place(self) -> None:
        self.adjustSize()
        self.move(16, self._window.height() - self.height() - 150)

    @Slot()
    def _refresh(self) -> None:
        rows = {row.job_id: row for row in self._jobs.rows}
        for number in [n for n in self._lines if n not in rows]:
            line = self._lines.pop(number)
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        for number, row in rows.items():
            if number not in self._lines:
                self._lines[number] = TaskLine(self._jobs, number, self)
                self._layout.addWidget(self._lines[number])
            self._lines[number].show_row(row)
        self._nothing.setVisible(not rows)
