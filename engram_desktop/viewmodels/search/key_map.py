"""The keyboard shortcuts of the window: actions, their keys, and conflicts.

Every action with keys is registered under a fixed name; the user's keys are stored by that name in
the library's folder. A key belongs to one action.
"""

from __future__ import annotations

from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.search.finders import Remembered

TABLE = "keys"
Pressed = QAction | QShortcut


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """An action and its default keys."""

    name: str
    text: str  # English, for "Commands"; of a page's own, in the language of the window
    pressed: Pressed
    defaults: tuple[str, ...]

    @property
    def words(self) -> str:
        return QCoreApplication.translate("Commands", self.text)


class KeyMap(QObject):
    changed = Signal()

    def __init__(self, remembered: Remembered, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = remembered
        self._bound: dict[str, KeyBinding] = {}
        self._told: list[tuple[QAbstractButton, str, str]] = []

    @property
    def bound(self) -> list[KeyBinding]:
        """Return all actions that have or may have a key, in the order of registration."""
        return [b for b in self._bound.values() if shiboken6.isValid(b.pressed)]

    def register(self, name: str, text: str, pressed: Pressed, defaults: Sequence[str]) -> None:
        self._bound[name] = KeyBinding(name, text, pressed, tuple(defaults))
        self._apply(self._bound[name])

    def find(self, part: QObject) -> None:
        """Register the shortcuts of a page that have a name and a description."""
        for shortcut in part.findChildren(QShortcut):
            if shortcut.objectName() and shortcut.whatsThis():
                keys = [shortcut.key().toString(QKeySequence.SequenceFormat.PortableText)]
                self.register(shortcut.objectName(), shortcut.whatsThis(), shortcut, keys)

    def tell(self, button: QAbstractButton, name: str) -> None:
        """Add the keys of action ``name`` to the tooltip of a button."""
        self._told.append((button, button.toolTip() or button.text(), name))
        self._show(button, button.toolTip() or button.text(), name)

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of an action as portable text."""
        chosen = self._kept.table(TABLE).get(name)
        if chosen is None:
            return self._bound[name].defaults if name in self._bound else ()
        return tuple(key for key in chosen.split(" ") if key)

    def words(self, name: str) -> str:
        """Return the keys as the system writes them."""
        native = QKeySequence.SequenceFormat.NativeText
        return ", ".join(QKeySequence(key).toString(native) for key in self.keys(name))

    def is_default(self, name: str) -> bool:
        return name not in self._kept.table(TABLE)

    def holders(self, key: str, *, beside: str = "") -> list[KeyBinding]:
        """Return the actions that have this key now, except the one named ``beside``."""
        return [b for b in self.bound if b.name != beside and key in self.keys(b.name)]

    def refusal(self, sequence: QKeySequence) -> str:
        """Return why a key cannot be used; empty if it can."""
        if sequence.isEmpty():
            return self.tr("Press a key first.")
        text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        is_function = text.rpartition("+")[2][:1] == "F" and text.rpartition("+")[2][1:].isdigit()
        with_mark = any(part in text.split("+")[:-1] for part in ("Ctrl", "Alt", "Meta"))
        if not (is_function or with_mark):
            return self.tr("Ctrl, Alt or a function key belongs to it: other keys type.")
        return ""

    def choose(self, name: str, keys: Sequence[str]) -> None:
        """Set the keys of an action; other actions lose these keys."""
        table = self._kept.table(TABLE)
        for key in keys:
            for other in self.holders(key, beside=name):
                table[other.name] = " ".join(k for k in self.keys(other.name) if k != key)
        table[name] = " ".join(keys)
        self._set(table)

    def restore(self, name: str) -> None:
        """Restore the default keys of an action; other actions lose them."""
        self.choose(name, self._bound[name].defaults)
        table = self._kept.table(TABLE)
        table.pop(name, None)
        self._set(table)

    @Slot()
    def restore_all(self) -> None:
        """Restore all default keys."""
        self._set({})

    def _set(self, table: dict[str, str]) -> None:
        self._kept.set_table(TABLE, table)
        for bound in self.bound:
            self._apply(bound)
        for button, text, name in self._told:
            if shiboken6.isValid(button):
                self._show(button, text, name)
        self.changed.emit()

    def _apply(self, bound: KeyBinding) -> None:
        keys = [QKeySequence(key) for key in self.keys(bound.name)]
        if isinstance(bound.pressed, QAction):
            bound.pressed.setShortcuts(keys)
        else:
            bound.pressed.setKeys(keys)

    def _show(self, button: QAbstractButton, text: str, name: str) -> None:
        keys = self.words(name)
        button.setToolTip(f"{text} ({keys})" if keys else text)
