"""Saved searches with their names, and which of them stand beside the chats."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.search.library_finder import MOST_SAVED, SAVED
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.messages import Messages, Notice


@dataclass(frozen=True, slots=True)
class KeptLists:
    """Where what is saved stands in `Remembered`."""

    saved: str
    names: str
    unpinned: str


NAMES, UNPINNED = "names of searches", "searches not pinned"
SEARCHES = KeptLists(SAVED, NAMES, UNPINNED)


class SavedSearches(QObject):
    """What is saved in the search panel is pinned, until that is taken back."""

    changed = Signal()

    def __init__(
        self,
        remembered: Remembered,
        messages: Messages,
        parent: QObject | None = None,
        *,
        lists: KeptLists = SEARCHES,
    ) -> None:
        super().__init__(parent)
        self._lists = lists
        self._kept = remembered
        self._messages = messages
        remembered.changed.connect(self._on_changed)

    @property
    def pinned(self) -> list[tuple[str, str]]:
        """Return the text and the name of each, the newest first."""
        unpinned = set(self._kept.texts(self._lists.unpinned))
        return [(text, name) for text, name in self.saved if text not in unpinned]

    @property
    def saved(self) -> list[tuple[str, str]]:
        """Return the same of all that are saved, pinned or not."""
        names = self._kept.table(self._lists.names)
        texts = self._kept.texts(self._lists.saved)
        return [(text, names.get(text) or self.words(text)) for text in texts]

    def words(self, text: str) -> str:
        """Say what one looks for: its name, until it is given another."""
        return text

    def name_of(self, text: str) -> str:
        return self._kept.table(self._lists.names).get(text) or self.words(text)

    def unpinned_words(self, name: str) -> str:
        return self.tr("“{name}” stays among the saved searches of Ctrl+K.").format(name=name)

    def deleted_words(self, name: str) -> str:
        return self.tr("The search “{name}” was deleted.").format(name=name)

    def rename(self, text: str, name: str) -> None:
        """Call a search by a name; an empty one calls it by its text again."""
        table = self._kept.table(self._lists.names)
        names = {key: old for key, old in table.items() if key != text}
        shown = " ".join(name.split())
        is_own = bool(shown) and shown != self.words(text)
        self._kept.set_table(self._lists.names, names | ({text: shown} if is_own else {}))

    def unpin(self, text: str) -> None:
        """Keep a search in the search panel only."""
        self._kept.add(self._lists.unpinned, text, MOST_SAVED)
        self._tell(
            self.unpinned_words(self.name_of(text)),
            lambda: self._kept.remove(self._lists.unpinned, text),
        )

    def delete(self, text: str) -> None:
        """Save a search no longer."""
        self._kept.remove(self._lists.saved, text)
        self._tell(
            self.deleted_words(self.name_of(text)),
            lambda: self._kept.add(self._lists.saved, text, MOST_SAVED),
        )

    def _tell(self, text: str, undo: object) -> None:
        notice = Notice("info", text, action_text=self.tr("Undo"), action=undo)  # type: ignore[arg-type]  # a call
        self._messages.show(notice)

    @Slot(str)
    def _on_changed(self, name: str) -> None:
        if name in {self._lists.saved, self._lists.names, self._lists.unpinned}:
            self.changed.emit()
