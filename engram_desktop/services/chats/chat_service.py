"""The chats of a library: listed, found, named, deleted, brought back."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.reports import ChatSummary
from engram_desktop.services.chats import private_notes

if TYPE_CHECKING:
    from engram_desktop.domain.reports import DeletedChat
    from engram_desktop.services.chats.private_notes import NoteService
    from engram_desktop.services.library.session import Session

logger = logging.getLogger(__name__)


class ChatService:
    """Chats of a library. Only `delete_for_good` cannot be undone."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @cached_property
    def notes(self) -> NoteService:
        """Return the service of private notes, which no model may see."""
        return private_notes.NoteService(self._session)

    def all(self) -> list[ChatSummary]:
        """Return every chat, the latest first; one that cannot be opened carries the reason."""
        library, summaries = self._session.library, []
        for chat_id, name, _source, updated_at in library.chat_rows():
            try:
                summaries.append(library.summary(chat_id, name, updated_at))
            except KnownError as e:
                logger.warning("Chat %s cannot be opened: %s", chat_id, e)
                unknown = ChatSummary(chat_id, name, (), 0, 0, 0, 0, 0, 0, updated_at, e.phrase)
                summaries.append(unknown)
        return summaries

    def find(self, name_or_id: str) -> str:
        """Return the id of the chat with this id or name. Raises NotFound."""
        return self._session.library.find_chat(name_or_id)

    def has(self, chat_id: str) -> bool:
        """Return whether the chat is in the library."""
        return any(known == chat_id for known, *_rest in self._session.library.chat_rows())

    def name(self, chat_id: str) -> str:
        return self._session.library.chat_name(chat_id)

    def rename(self, chat_id: str, name: str) -> Changes:
        label = self._session.library.rename_chat(chat_id, name)
        return Changes(chat_id=chat_id, library=True, undo_label=label)

    def delete(self, chat_id: str) -> Changes:
        """Move a chat to the trash; `restore` brings it back. Raises NotFound."""
        self._session.leave(chat_id)
        self._session.library.delete_chat(chat_id)
        return Changes(chat_id=chat_id, library=True)

    def deleted(self) -> list[DeletedChat]:
        """Return every deleted chat, the latest first."""
        return self._session.library.trash.rows()

    def restore(self, name_or_id: str) -> Changes:
        """Restore the chat deleted last under this id or name. Raises NotFound.

        Its settings, its worldbooks, and the files and folders kept or followed are as they were.
        """
        trash = self._session.library.trash
        chat_id = trash.take_back(trash.find(name_or_id))
        return Changes(chat_id=chat_id, library=True, settings=True, worldbooks=True)

    def delete_for_good(self, name_or_id: str) -> DeletedChat:
        """Delete a chat in the trash permanently. Raises NotFound."""
        trash = self._session.library.trash
        row = trash.find(name_or_id)
        trash.delete(row)
        return row
