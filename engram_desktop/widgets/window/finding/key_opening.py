"""How the dialog of keys is opened, and what others are told of them."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.search.key_map import KeyMap
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.dialogs.kept_sizes import KeptSizes
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.window.dialogs import keys_dialog
from engram_desktop.widgets.window.opening import Opening


class KeyOpening(Opening):
    def __init__(self, look: Look, workspace: Workspace, window: QWidget, sizes: KeptSizes) -> None:
        super().__init__(workspace, window, sizes)
        self._look = look
        self._keys: KeyMap | None = None

    def take_keys(self, keys: KeyMap) -> None:
        """Use these: they are made after the dialogs whose actions they press."""
        self._keys = keys

    def key_words(self) -> list[tuple[str, str]]:
        """Return the keys of the window and what each does, in its words."""
        keys = self._keys
        if keys is None:
            return []
        words = [(keys.words(b.name), b.words) for b in keys.bound if "page." not in b.name]
        return [(key, text) for key, text in words if key]

    @Slot()
    def open_keys(self) -> None:
        """Show every key, to be changed."""
        keys = self._keys
        if keys is not None:
            self._show("keys", lambda: keys_dialog.KeysDialog(self._look, keys, self._window))
