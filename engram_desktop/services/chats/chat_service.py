"""The chats of a library: listed, found, named, deleted, brought back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import ChatSummary
from engram_desktop.domain.text import words
from engram_desktop.formats.chats import played
from engram_desktop.services.chats import private_notes, timeline
from engram_desktop.services.prompts import macro_scope

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import Message, Role
    from engram_desktop.domain.reports import DeletedChat
    from engram_desktop.jobs.context import JobContext
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


# The messages of a chat: read by floor, edited by hand.

SEARCHED_AT_ONCE = 2_000  # messages read together: some ms, after which a search may be cancelled


class MessageService:
    """Messages. Every method that writes is one undoable step; floors count from 0."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def slice(self, line: Line, first: int, last: int) -> list[Message]:
        """Return the messages of floors ``first``..``last``, 0-based, both included."""
        return self._session.chat(line.chat_id).messages.slice(line.branch_id, first, last)

    def heads(self, line: Line, first: int, last: int, most: int) -> list[tuple[Message, int]]:
        """Return messages with their texts cut to ``most`` characters, and the full lengths."""
        store = self._session.chat(line.chat_id).messages
        return store.heads(line.branch_id, (first, last), most)

    def count(self, line: Line) -> int:
        """Return the number of floors of a line."""
        return self._session.chat(line.chat_id).messages.count(line.branch_id)

    def find_text(self, ctx: JobContext, line: Line, needle: words.SearchedText) -> words.TextHits:
        """Search every message of a line for a text; reports its progress."""
        store = self._session.chat(line.chat_id).messages
        count = store.count(line.branch_id)
        found: list[tuple[int, int]] = []
        for first in range(0, count, SEARCHED_AT_ONCE):
            ctx.report(first, count)
            said = store.sayings(line.branch_id, first, first + SEARCHED_AT_ONCE - 1)
            found += [(first + n, needle.count(saying.text)) for n, saying in enumerate(said)]
        return words.TextHits.of(found)

    def gaps(self, line: Line, first: int, last: int) -> list[int]:
        """Return the floors before which messages are missing because they were never sent."""
        store = self._session.chat(line.chat_id)
        if not played.has_gaps(macro_scope.header_of(store, line.branch_id)):
            return []
        raws = store.messages.raws(line.branch_id, first, last)
        return [
            first + n for n, (_id, _hash, raw) in enumerate(raws) if played.gap_of(raw) == "gap"
        ]

    def append(self, line: Line, name: str, role: Role, text: str) -> Changes:
        """Append a message to a branch."""
        return timeline.append_message(
            self._session.chat(line.chat_id), name, role, text, line.branch_id
        )

    def edit(self, line: Line, floor: int, text: str) -> Changes:
        """Change the text of a message; memories derived from it become stale. Raises NotFound."""
        return timeline.edit_message(self._session.chat(line.chat_id), floor, text, line.branch_id)

    def delete(self, line: Line, floors: Sequence[int]) -> Changes:
        """Delete messages, and the memories of those messages alone. Raises NotFound."""
        return timeline.delete_messages(self._session.chat(line.chat_id), floors, line.branch_id)

    def delete_last(self, line: Line, count: int = 1) -> Changes:
        """Delete the ``count`` newest messages. Raises NotFound if there are fewer."""
        return timeline.delete_last(self._session.chat(line.chat_id), count, line.branch_id)

    def set_hidden(self, line: Line, floors: Sequence[int], *, hidden: bool) -> Changes:
        """Hide messages from the prompt or show them; memory is not touched."""
        return timeline.set_hidden(
            self._session.chat(line.chat_id), floors, line.branch_id, hidden=hidden
        )
