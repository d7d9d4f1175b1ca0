"""The branches of a chat: listed, forked, named, deleted, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.services.chats import branching

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.branch import Branch, BranchComparison
    from engram_desktop.services.library.session import Session


class BranchService:
    """Branches. A ``branch_id`` is an id, never a name; see `find`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self, chat_id: str) -> list[Branch]:
        """Every branch of a chat, the main one first."""
        return branching.branches(self._session.chat(chat_id))

    def has(self, line: Line) -> bool:
        return line.branch_id in self._session.chat(line.chat_id).branches.ids()

    def find(self, chat_id: str, name_or_id: str) -> str:
        """Return the id of the branch with this id or name. Raises NotFound."""
        return self._session.chat(chat_id).branches.find(name_or_id)

    def fork(self, line: Line, *, at: int, name: str = "") -> tuple[str, Changes]:
        """Make a branch that shares floors up to ``at``; returns its id. Raises InputError."""
        return branching.fork(self._session.chat(line.chat_id), line.branch_id, at, name)

    def rename(self, line: Line, name: str) -> Changes:
        return branching.rename(self._session.chat(line.chat_id), line.branch_id, name)

    def delete(self, line: Line) -> Changes:
        """Delete a branch that no other forks from. Raises InputError."""
        return branching.delete(self._session.chat(line.chat_id), line.branch_id)

    def compare(self, chat_id: str, first: str, second: str) -> BranchComparison:
        """Say which events only one of two branches sees, and which both do."""
        return branching.compare(self._session.chat(chat_id), first, second)
