"""How the report of a bug or a crash is opened; after a crash it offers the safe mode."""

from __future__ import annotations

from PySide6.QtCore import Signal

from engram_desktop.widgets.window.dialogs import report_dialog
from engram_desktop.widgets.window.opening import Opening


class ReportOpening(Opening):
    safe_mode_wanted = Signal()

    def open_report(self, report: str, *, is_crash: bool = False) -> None:
        """Show what happened; ``is_crash``: in the run before this one."""
        offers_safe_mode = is_crash and not self._space.memory.is_safe

        def make() -> report_dialog.ReportDialog:
            dialog = report_dialog.ReportDialog(
                report, self._window, is_crash=is_crash, offers_safe_mode=offers_safe_mode
            )
            dialog.safe_mode_wanted.connect(self.safe_mode_wanted)
            return dialog

        self._show("report", make)
