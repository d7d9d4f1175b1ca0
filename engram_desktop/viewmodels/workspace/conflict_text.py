"""Say which floors a copy of a chat tells otherwise or lacks, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.reports import CopyConflict

_MOST_SPANS = 6  # ranges of floors in one line; a count stands for the rest


def differing_floors(conflict: CopyConflict) -> str:
    """Name the floors that differ, in one line for each way in which they do."""
    lines = []
    if conflict.changed:
        text = QCoreApplication.translate("Conflict", "Floors told differently: {floors}")
        lines.append(text.format(floors=_floors(conflict.changed)))
    if conflict.gone:
        text = QCoreApplication.translate("Conflict", "Floors it does not have: {floors}")
        lines.append(text.format(floors=_floors(conflict.gone)))
    return "\n".join(lines)


def outcome(conflict: CopyConflict) -> str:
    """Say what became of these floors."""
    if conflict.choice == "replace":
        return QCoreApplication.translate(
            "Conflict", "The chat is what the copy tells now; undo brings those floors back."
        )
    if conflict.choice == "skip":
        return QCoreApplication.translate("Conflict", "The copy was left out.")
    if conflict.is_newer:
        return QCoreApplication.translate(
            "Conflict", "The chat goes on with the copy; a branch keeps those floors as they were."
        )
    return QCoreApplication.translate(
        "Conflict", "The chat stays as it was; what the copy tells is a branch of it."
    )


def _floors(spans: Sequence[tuple[int, int]]) -> str:
    shown = [str(a) if a == b else f"{a}–{b}" for a, b in spans[:_MOST_SPANS]]
    left = sum(b - a + 1 for a, b in spans[_MOST_SPANS:])
    if left:
        shown.append(QCoreApplication.translate("Conflict", "{count} more").format(count=left))
    return ", ".join(shown)
