"""The messages of a chat: read by floor, and changed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.services.chats import timeline

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.message import Message, Role
    from engram_desktop.services.library.session import Session


class MessageService:
    """Messages. Every method that writes is one step; floors count from 0."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def slice(
        self, chat_id: str, first: int, last: int, branch_id: str = MAIN_BRANCH
    ) -> list[Message]:
        """Messages of floors ``first``..``last``, 0-based, both included."""
        return self._session.chat(chat_id).messages.slice(branch_id, first, last)

    def count(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> int:
        """How many floors a line has."""
        return self._session.chat(chat_id).messages.count(branch_id)

    def append(
        self, chat_id: str, name: str, role: Role, text: str, branch_id: str = MAIN_BRANCH
    ) -> Changes:
        """Add a message at the end of a branch."""
        return timeline.append_message(self._session.chat(chat_id), name, role, text, branch_id)

    def edit(self, chat_id: str, floor: int, text: str, branch_id: str = MAIN_BRANCH) -> Changes:
        """Give a message another text; what tells of it becomes stale. Raises NotFound."""
        return timeline.edit_message(self._session.chat(chat_id), floor, text, branch_id)

    def delete(self, chat_id: str, floors: Sequence[int], branch_id: str = MAIN_BRANCH) -> Changes:
        """Delete messages; what tells only of them goes too. Raises NotFound."""
        return timeline.delete_messages(self._session.chat(chat_id), floors, branch_id)

    def delete_last(self, chat_id: str, count: int = 1, branch_id: str = MAIN_BRANCH) -> Changes:
        """Delete the newest messages. Raises NotFound if there are not so many."""
        return timeline.delete_last(self._session.chat(chat_id), count, branch_id)

    def set_hidden(
        self, chat_id: str, floors: Sequence[int], branch_id: str = MAIN_BRANCH, *, hidden: bool
    ) -> Changes:
        """Hide messages from the prompt or show them; memory is not touched."""
        return timeline.set_hidden(self._session.chat(chat_id), floors, branch_id, hidden=hidden)
