"""What a character heard and knows of a chat, for the prompt it speaks from.

This is the one place where it is decided what of messages and state a prompt of play may hold.
Memories are decided where they are recalled: `RecallQuery.actor`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.knowledge.perception import heard_text
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.state.tree import State
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import present_cast
from engram_desktop.services.knowledge.heard import present

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.state.state_service import StateService


def heard_history(
    ctx: JobContext,
    session: Session,
    knowledge: KnowledgeService,
    line: Line,
    actor: str,
    first: int,
    last: int,
) -> Sequence[Message]:
    """Return floors ``first``..``last`` of a line, both included, as ``actor`` heard them.

    What is to be answered is heard in any case, but for what is only thought or whispered in it:
    whoever is asked to reply stands there.
    """
    messages = knowledge.heard(ctx, line, actor, first, last)
    if messages and messages[-1].seq == last:
        return messages
    rows = present(session.chat(line.chat_id), line.branch_id, last, last)
    for message, row in rows:
        text = message.text if row is None else heard_text(message.text, row.parts)
        if message.role == "user" and text.strip():
            messages.append(replace(message, text=text))
    return messages


def known_state(
    ctx: JobContext,
    session: Session,
    knowledge: KnowledgeService,
    state: StateService,
    line: Line,
    actor: str,
    at: int,
) -> State:
    """Return the state at a floor as ``actor`` knows it; who is alone with the player knows all."""
    if present_cast(session.chat(line.chat_id)).is_alone:
        return state.tree(ctx, line, at)
    return knowledge.state(ctx, line, [actor], at).tree
