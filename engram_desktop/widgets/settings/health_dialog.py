"""Check the library, repair what can be derived again, rebuild the index, make a backup."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.domain.reports import Finding
from engram_desktop.viewmodels.settings.library_health import LibraryHealth
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.look.look import Look


class HealthDialog(FramedDialog):
    restore_wanted = Signal()

    def __init__(self, look: Look, health: LibraryHealth, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=680)
        self._look = look
        self.set_title(self.tr("Library health"))
        self._state = label(self.tr("Checking…"), "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Findings"))
        self.list.setMinimumHeight(240)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.addWidget(self.list, 1)
        self.restore_button = self.add_button(self.tr("Restore…"), left=True)
        self.restore_button.clicked.connect(self.restore_wanted)
        self.backup_button = self.add_button(self.tr("Back up now"), left=True)
        self.backup_button.clicked.connect(health.backup)
        self.reindex_button = self.add_button(self.tr("Rebuild the index"))
        self.reindex_button.setToolTip(
            self.tr("Safe: vectors and index are made again from what is stored.")
        )
        self.reindex_button.clicked.connect(health.reindex)
        self.repair_button = self.add_button(self.tr("Repair"))
        self.repair_button.clicked.connect(lambda: health.check(repair=True))
        self.repair_button.setEnabled(False)
        self.add_close(self.tr("Close"))
        health.checked.connect(self._on_checked)
        health.check(repair=False)

    @Slot(object)
    def _on_checked(self, findings: list[Finding]) -> None:
        self.list.clear()
        bad = [f for f in findings if not f.is_ok and not f.repaired]
        for finding in findings:
            is_well = finding.is_ok or finding.repaired
            icon = ("check", "green") if is_well else ("warning", "gold")
            text = f"{finding.where}: {translated(finding.what)}"
            if finding.repaired:
                text = self.tr("{finding} (repaired)").format(finding=text)
            self.list.addItem(QListWidgetItem(self._look.icon(*icon), text))
        self.repair_button.setEnabled(bool(bad))
        self._state.setText(
            self.tr("%n finding(s) need attention.", "", len(bad))
            if bad
            else self.tr("Everything is in order.")
        )
