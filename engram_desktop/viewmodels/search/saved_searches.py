"""Saved searches with their names, and which of them stand beside the chats."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.viewmodels.search.library_finder import MOST_SAVED, SAVED
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.messages import Messages, Notice

NAMES, UNPINNED = "names of searches", "searches not pinned"


class SavedSearches(QObject):
    """What is saved in the search panel is pinned, until that is taken back."""

    changed = Signal()

    def __init__(
        self, remembered: Remembered, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kept = remembered
        self._messages = messages
        remembered.changed.connect(self._on_changed)

    @property
    def pinned(self) -> list[tuple[str, str]]:
        """Return the text and the name of each, the newest first."""
        names, unpinned = self._kept.table(NAMES), set(self._kept.texts(UNPINNED))
        saved = [text for text in self._kept.texts(SAVED) if text not in unpinned]
        return [(text, names.get(text) or text) for text in saved]

    def rename(self, text: str, name: str) -> None:
        """Call a search by a name; an empty one calls it by its text again."""
        names = {key: old for key, old in self._kept.table(NAMES).items() if key != text}
        shown = " ".join(name.split())
        self._kept.set_table(NAMES, names | ({text: shown} if shown and shown != text else {}))

    def unpin(self, text: str) -> None:
        """Keep a search in the search panel only."""
        self._kept.add(UNPINNED, text, MOST_SAVED)
        self._tell(
            self.tr("“{name}” stays among the saved searches of Ctrl+K.").format(name=text),
            lambda: self._kept.remove(UNPINNED, text),
        )

    def delete(self, text: str) -> None:
        """Save a search no longer."""
        self._kept.remove(SAVED, text)
        self._tell(
            self.tr("The search “{name}” was deleted.").format(name=text),
            lambda: self._kept.add(SAVED, text, MOST_SAVED),
        )

    def _tell(self, text: str, undo: object) -> None:
        notice = Notice("info", text, action_text=self.tr("Undo"), action=undo)  # type: ignore[arg-type]  # a call
        self._messages.show(notice)

    @Slot(str)
    def _on_changed(self, name: str) -> None:
        if name in {SAVED, NAMES, UNPINNED}:
            self.changed.emit()
