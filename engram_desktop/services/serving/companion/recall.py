"""What a generation of a SillyTavern is to remember: memory as its speaker knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.serving.companion import (
    CompanionLine,
    CompanionMemory,
    CompanionQuestion,
)
from engram_desktop.domain.serving.texts.request import FrontRequest, Said
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.inject.inject_service import USUAL

if TYPE_CHECKING:
    from engram_desktop.services.inject.inject_service import InjectService


_END_OF_STORY = "</engram_summaries>"  # no memory can say it: such tags in them are defused


def remember(
    inject: InjectService, ctx: JobContext, where: CompanionLine, question: CompanionQuestion
) -> CompanionMemory:
    """Compose what the speaker of a generation remembers; nothing for one that is no story."""
    if where.line is None or question.generation == "quiet":
        return CompanionMemory(where)
    query = RecallQuery(
        asked_text(question),
        actor=question.speaker or None,
        branch_id=where.line.branch_id,
        at=max(0, question.until),
    )
    ctx.check()
    injection = inject.compose(
        ctx,
        where.line.chat_id,
        query,
        visible_from=question.visible_from,
        expanded=False,
        said=USUAL,
    )
    summaries, end, memories = injection.text.partition(_END_OF_STORY)
    if not end:
        summaries, memories = "", injection.text
    return CompanionMemory(where, injection, (summaries + end).strip(), memories.strip())


def request_of(question: CompanionQuestion) -> FrontRequest:
    """Return the newest messages as a request would have them, to find a chat by what is said."""
    said = tuple(
        Said(index, "user" if message.is_user else "assistant", message.text, message.name)
        for index, message in enumerate(question.said)
    )
    return FrontRequest("chat", said, client="companion")


def asked_text(question: CompanionQuestion) -> str:
    """Return what is searched by: the newest words of the player, else the newest of all."""
    by_player = [message.text for message in question.said if message.is_user]
    return next(reversed(by_player or [message.text for message in question.said]), "")
