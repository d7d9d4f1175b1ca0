"""What was typed in the window and is saved nowhere yet, kept against a crash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engram_desktop.storage.library import unsaved

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.library.unsaved import Typed


class UnsavedService:
    """Texts that are still being typed. Quick enough for any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, chat_id: str | None = None) -> dict[str, dict[str, Typed]]:
        """Return what was typed in a chat, or elsewhere in the library: by place, by field."""
        return self._texts(chat_id).read()

    def keep(self, place: str, fields: Mapping[str, Typed], chat_id: str | None = None) -> None:
        """Keep what is being typed at ``place``; no fields forget it.

        Raises NotFound, StorageError, DiskFull.
        """
        if self._session.can_write:
            self._texts(chat_id).keep(place, fields)

    def _texts(self, chat_id: str | None) -> unsaved.UnsavedTexts:
        session = self._session
        folder = session.folder if chat_id is None else session.chat(chat_id).folder
        return unsaved.UnsavedTexts(folder)
