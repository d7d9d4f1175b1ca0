"""The part of the facade that deals with messages and branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.services.chats import branching, timeline
from engram_desktop.services.facade.open_chats import OpenChats

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.branch import Branch, BranchComparison
    from engram_desktop.domain.memory.message import Message, Role


class Lines(OpenChats):
    """What `Memory` can do with the lines of a chat. Every method that writes is one step."""

    def messages(
        self, chat_id: str, first: int, last: int, branch_id: str = MAIN_BRANCH
    ) -> list[Message]:
        """Messages of floors ``first``..``last``, 0-based, both included."""
        return self._chat(chat_id).messages.slice(branch_id, first, last)

    def floor_count(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> int:
        """How many floors a line has."""
        return self._chat(chat_id).messages.count(branch_id)

    # --- messages that change; every call is one undoable step ---

    def append_message(
        self, chat_id: str, name: str, role: Role, text: str, branch_id: str = MAIN_BRANCH
    ) -> Changes:
        """Add a message at the end of a branch."""
        return timeline.append_message(self._chat(chat_id), name, role, text, branch_id)

    def edit_message(
        self, chat_id: str, floor: int, text: str, branch_id: str = MAIN_BRANCH
    ) -> Changes:
        """Give a message another text; what tells of it becomes stale. Raises NotFound."""
        return timeline.edit_message(self._chat(chat_id), floor, text, branch_id)

    def delete_messages(
        self, chat_id: str, floors: Sequence[int], branch_id: str = MAIN_BRANCH
    ) -> Changes:
        """Delete messages; what tells only of them goes too. Raises NotFound."""
        return timeline.delete_messages(self._chat(chat_id), floors, branch_id)

    def delete_last(self, chat_id: str, count: int = 1, branch_id: str = MAIN_BRANCH) -> Changes:
        """Delete the newest messages. Raises NotFound if there are not so many."""
        return timeline.delete_last(self._chat(chat_id), count, branch_id)

    def set_hidden(
        self, chat_id: str, floors: Sequence[int], branch_id: str = MAIN_BRANCH, *, hidden: bool
    ) -> Changes:
        """Hide messages from the prompt or show them; memory is not touched."""
        return timeline.set_hidden(self._chat(chat_id), floors, branch_id, hidden=hidden)

    # --- branches: ``branch_id`` everywhere is an id, the main branch if left out ---

    def branches(self, chat_id: str) -> list[Branch]:
        """Every branch of a chat, the main one first."""
        return branching.branches(self._chat(chat_id))

    def has_branch(self, chat_id: str, branch_id: str) -> bool:
        return branch_id in self._chat(chat_id).branches.ids()

    def find_branch(self, chat_id: str, wanted: str) -> str:
        """Return the id of the branch with this id or name. Raises NotFound."""
        return self._chat(chat_id).branches.find(wanted)

    def fork(
        self, chat_id: str, branch_id: str = MAIN_BRANCH, *, at: int, name: str = ""
    ) -> tuple[str, Changes]:
        """Make a branch that shares floors up to ``at``; returns its id. Raises InputError."""
        return branching.fork(self._chat(chat_id), branch_id, at, name)

    def rename_branch(self, chat_id: str, branch_id: str, name: str) -> Changes:
        return branching.rename(self._chat(chat_id), branch_id, name)

    def delete_branch(self, chat_id: str, branch_id: str) -> Changes:
        """Delete a branch that no other forks from. Raises InputError."""
        return branching.delete(self._chat(chat_id), branch_id)

    def compare_branches(self, chat_id: str, first: str, second: str) -> BranchComparison:
        """Say which events only one of two branches sees, and which both do."""
        return branching.compare(self._chat(chat_id), first, second)
