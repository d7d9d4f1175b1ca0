"""What other processes wrote to an open library, as `Changes` for the views.

SQLite reports that a database has changed; the new undo steps say what, as far as they go.
Otherwise everything that may have changed is reported.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.library.library import changes_of

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.journal import JournalState
    from engram_desktop.storage.library.library import Library

MOST_BYTES = 200_000  # of steps that are read: some 20 ms; a longer run is not read in detail


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """What the library's database holds besides worldbooks and characters."""

    steps: JournalState
    chats: tuple[tuple[object, ...], ...]
    settings: tuple[tuple[object, ...], ...]


class ForeignChanges:
    """Finds the changes of other processes to one open library. For one thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._steps: dict[ChatStore, JournalState] = {}
        self._catalogue: _Catalogue | None = None  # as of the last call

    def take(self) -> tuple[list[Changes], set[str]]:
        """Return what changed since the last call, and which chats were deleted."""
        stores = self._library.open_chats()
        for closed in self._steps.keys() - set(stores):
            del self._steps[closed]
        changes = [self._of_chat(store) for store in stores if store.database.take_foreign()]
        for store in stores:
            if store not in self._steps:
                self._steps[store] = store.journal.state()
        if not self._library.database.take_foreign():
            if self._catalogue is None:
                self._catalogue = _catalogue_of(self._library)
            return changes, set()
        changes += self._of_library()
        return changes, self._library.leave_deleted()

    def _of_chat(self, store: ChatStore) -> Changes:
        before = self._steps.get(store)
        self._steps[store] = now = store.journal.state()
        if before is None or now.newest < before.newest or now.undone != before.undone:
            return anything_in(store.chat_id)
        found = store.journal.touched_since(before, MOST_BYTES)
        if found is not None:
            changes = store.named_changes(*found)
            return replace(changes, recall=True, index=True)
        everything = anything_in(store.chat_id)
        return everything if now != before else replace(everything, messages=False, branches=False)

    def _of_library(self) -> list[Changes]:
        before, library = self._catalogue, self._library
        self._catalogue = now = _catalogue_of(library)
        if before is None:
            return [Changes(library=True, settings=True, worldbooks=True)]
        found = library.journal.touched_since(before.steps, MOST_BYTES)
        changes = Changes(worldbooks=True) if found is None else changes_of(*found)
        if now.steps.newest < before.steps.newest or now.steps.undone != before.steps.undone:
            changes |= Changes(settings=True)
        changes |= Changes(library=now.chats != before.chats)
        concerned = {str(chat_id) for chat_id, *_rest in {*now.settings} ^ {*before.settings}}
        if "" in concerned:
            changes |= Changes(settings=True)
        of_chats = [Changes(chat_id=chat_id, settings=True) for chat_id in sorted(concerned - {""})]
        return [changes, *of_chats]


def anything_in(chat_id: str) -> Changes:
    """Return changes that cover everything another program may have done to a chat."""
    return Changes.of_memory(chat_id) | Changes(
        messages=True,
        branches=True,
        state=True,
        recall=True,
        index=True,
        knowledge=True,
        inbox=True,
        apart=True,
        notes=True,
    )


def _catalogue_of(library: Library) -> _Catalogue:
    rows = library.database.rows
    return _Catalogue(
        library.journal.state(),
        tuple(rows("SELECT id, name, source, updated_at FROM chat ORDER BY id")),
        tuple(rows("SELECT chat_id, key, value FROM setting ORDER BY key, chat_id")),
    )
