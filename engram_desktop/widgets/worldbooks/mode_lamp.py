"""The lamps of worldbook entries: blue is constant, green triggered, a link goes by meaning."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from engram_desktop.domain.worldbooks.worldbook import EntryMode
from engram_desktop.viewmodels.worldbooks.entry_table import ModeRole
from engram_desktop.widgets.parts.look.look import Look

# Icon and role of its colour.
LAMPS: dict[EntryMode, tuple[str, str]] = {
    "constant": ("lamp", "accent"),
    "selective": ("lamp", "green"),
    "vectorized": ("link", "gold"),
    "disabled": ("lamp_off", "ink3"),
}


class ModeDelegate(QStyledItemDelegate):
    """Draws the lamp before the word; what it means is also said in words."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look

    @override
    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        mode = index.data(ModeRole)
        if mode is None:
            return  # a heading's row
        icon, role = LAMPS[mode]
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.icon = self._look.icon(icon, role)
