"""A bug, or a crash of the last run: what happened, and a report to copy. Sends nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.fields.text_fields import TextField


class ReportDialog(FramedDialog):
    safe_mode_wanted = Signal()

    def __init__(
        self,
        report: str,
        parent: QWidget | None = None,
        *,
        is_crash: bool = False,
        offers_safe_mode: bool = False,
    ) -> None:
        super().__init__(parent, width=680)
        self.set_title(
            self.tr("Engram crashed the last time")
            if is_crash
            else self.tr("Something went wrong that should not have")
        )
        self.body.addWidget(
            label(
                self.tr(
                    "What was saved is safe. The report below holds no story text and no key. "
                    "Nothing is sent: copy it into an issue if you wish."
                ),
                "quiet",
                wrap=True,
            )
        )
        self.report = TextField(self.tr("Report"))
        self.report.setReadOnly(True)
        self.report.setPlainText(report)
        self.report.setMinimumHeight(280)
        self.body.addWidget(self.report, 1)
        self.copy_button = self.add_button(self.tr("Copy the report"), left=True)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.report.toPlainText())
        )
        self.add_close(self.tr("Close"))
        if offers_safe_mode:
            hint = self.tr(
                "If it crashes again, begin in safe mode: no automation, no scripts, no server."
            )
            self.body.addWidget(label(hint, "quiet", wrap=True))
            self.safe_button = self.add_button(self.tr("Restart in safe mode"))
            self.safe_button.clicked.connect(self.safe_mode_wanted)
