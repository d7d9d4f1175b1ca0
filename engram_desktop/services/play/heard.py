"""What a character heard and knows of a chat, for the prompt it speaks from.

This is the one place where it is decided what of messages and state a prompt of play may hold.
Memories are decided where they are recalled: `RecallQuery.actor`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.state.tree import Leaf

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session


def heard_history(
    session: Session, line: Line, actor: str, first: int, last: int
) -> Sequence[Message]:
    """Return floors ``first``..``last`` of a line, both included, as ``actor`` heard them."""
    del actor  # everybody hears everything until presence says otherwise
    return session.chat(line.chat_id).messages.slice(line.branch_id, first, last)


def known_state(actor: str, leaves: Sequence[Leaf]) -> Sequence[Leaf]:
    """Return those values of the state that ``actor`` may know."""
    del actor
    return leaves
