"""The messages of a chat: read by floor, edited by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.words import SearchedText, TextHits
from engram_desktop.formats.chats.played import gap_of, has_gaps
from engram_desktop.services.chats import timeline
from engram_desktop.services.prompts.macro_scope import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.message import Message, Role
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session

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

    def find_text(self, ctx: JobContext, line: Line, needle: SearchedText) -> TextHits:
        """Search every message of a line for a text; reports its progress."""
        store = self._session.chat(line.chat_id).messages
        count = store.count(line.branch_id)
        found: list[tuple[int, int]] = []
        for first in range(0, count, SEARCHED_AT_ONCE):
            ctx.report(first, count)
            said = store.sayings(line.branch_id, first, first + SEARCHED_AT_ONCE - 1)
            found += [(first + n, needle.count(saying.text)) for n, saying in enumerate(said)]
        return TextHits.of(found)

    def gaps(self, line: Line, first: int, last: int) -> list[int]:
        """Return the floors before which messages are missing because they were never sent."""
        store = self._session.chat(line.chat_id)
        if not has_gaps(header_of(store, line.branch_id)):
            return []
        raws = store.messages.raws(line.branch_id, first, last)
        return [first + n for n, (_id, _hash, raw) in enumerate(raws) if gap_of(raw) == "gap"]

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
