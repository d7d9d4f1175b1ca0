"""Where views learn what changed. Views refresh from here and from nowhere else."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engram_desktop.domain.changes import Changes


class ChangeHub(QObject):
    """Lives on the GUI thread. ``initiator`` is who made the change and need not follow it."""

    changed = Signal(object, object)  # Changes, initiator or None

    def publish(self, changes: Changes, initiator: object = None) -> None:
        self.changed.emit(changes, initiator)
