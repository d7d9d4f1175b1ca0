"""The part of the facade that keeps what was typed and is saved nowhere yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.storage.library import unsaved as storage
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.library.unsaved import Typed


class Unsaved(OpenChats):
    """What `Memory` can do for a text that is still being typed. Quick enough for any thread."""

    _library: Library

    def unsaved(self, chat_id: str | None = None) -> dict[str, dict[str, Typed]]:
        """Return what was typed in a chat, or elsewhere in the library: by place, by field."""
        return self._texts(chat_id).read()

    def keep_unsaved(
        self, place: str, fields: Mapping[str, Typed], chat_id: str | None = None
    ) -> None:
        """Keep what is being typed at ``place``; no fields forget it.

        Raises NotFound, StorageError, DiskFull.
        """
        if self._library.lock.is_held:
            self._texts(chat_id).keep(place, fields)

    def _texts(self, chat_id: str | None) -> storage.UnsavedTexts:
        folder = self._library.folder if chat_id is None else self._chat(chat_id).folder
        return storage.UnsavedTexts(folder)
