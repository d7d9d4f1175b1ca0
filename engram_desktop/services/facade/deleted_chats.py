"""The part of the facade that deletes chats, brings them back, and empties the trash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.reports import DeletedChat
    from engram_desktop.services.recall.engine import Recaller


class DeletedChats:
    """What `Memory` can do with chats nobody wants any more. Only `empty_trash` is for good."""

    _library: Library
    _recallers: dict[str, tuple[object, Recaller]]

    def delete_chat(self, chat_id: str) -> Changes:
        """Move a chat to the trash, from where `restore_chat` takes it back. Raises NotFound."""
        self._recallers.pop(chat_id, None)
        self._library.delete_chat(chat_id)
        return Changes(chat_id=chat_id, library=True)

    def deleted_chats(self) -> list[DeletedChat]:
        """Every deleted chat, the latest first."""
        return self._library.trash.rows()

    def restore_chat(self, wanted: str) -> Changes:
        """Bring the chat back that was deleted latest under this id or name. Raises NotFound.

        Its settings, the books that were on in it, the files that were followed or kept in step are
        what they were.
        """
        chat_id = self._library.trash.take_back(self._library.trash.find(wanted))
        return Changes(chat_id=chat_id, library=True, settings=True, books=True)

    def delete_for_good(self, wanted: str) -> DeletedChat:
        """Delete one deleted chat for good. Raises NotFound."""
        row = self._library.trash.find(wanted)
        self._library.trash.delete(row)
        return row
