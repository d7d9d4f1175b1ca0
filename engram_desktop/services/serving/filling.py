"""What memory a request gets: composed as the one about to speak knows it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    Injection,
    ItemFilter,
    RecallQuery,
)
from engram_desktop.services.inject.inject_service import USUAL

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import SourceRange
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.texts.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.searching import Searcher
    from engram_desktop.storage.chat.chat_store import ChatStore

_QUESTION = 2_000  # characters of a prompt's end that memory is looked up by: some messages
_WARMED = 3  # chats: who plays several at once has asked for the others a moment ago
_SOMETHING = "旅人 traveller 第一天 day 1"  # days are read only where a question names one
_TRIED = 3  # floors whose lines are looked for: macros and scripts change few whole messages
_PROOF = 8  # characters of a line that stands in a prompt by no chance
_STRANGER = "???"  # the name of nobody in a story: as that one, memory tells what everybody knows
NOTHING = Injection("", {}, 0, ())


def warm(ctx: JobContext, session: Session, inject: InjectService) -> None:
    """Make ready the chats played last. Raises Cancelled.

    Chats that cannot be read are left to whoever asks for them.
    """
    for chat_id, *_rest in session.library.chat_rows()[:_WARMED]:
        ctx.check()
        with suppress(KnownError):
            messages = session.chat(chat_id).messages
            line, last = Line.main(chat_id), messages.count(MAIN_BRANCH) - 1
            names = [
                message.name
                for message in messages.slice(MAIN_BRANCH, max(0, last - _TRIED), last)
                if message.role == "assistant"
            ]
            warm_line(ctx, inject, line, names[-1] if names else "", max(0, last))


def warm_line(ctx: JobContext, inject: InjectService, line: Line, speaker: str, at: int) -> None:
    """Make ready what a prompt of a line needs now, as its next speaker. Raises Cancelled.

    A player reads a reply before the next request comes; what the reply changed is read meanwhile.
    """
    query = RecallQuery(
        f"{speaker} {_SOMETHING}", actor=speaker or None, branch_id=line.branch_id, at=at
    )
    inject.rehearse(ctx, line.chat_id, query)


def fill(
    ctx: JobContext,
    inject: InjectService,
    request: FrontRequest,
    identity: Identity,
    left_out: Collection[int] = (),
) -> Injection:
    """Compose memory for a request; nothing for one of no chat, or of no story.

    ``left_out`` are indices of messages that will not be sent. No model is asked.
    """
    if identity.line is None or identity.wanted == "quiet":
        return NOTHING
    floors = [floor for index, floor in identity.floors if index not in left_out]
    query = RecallQuery(
        question(request),
        actor=identity.listener or None,
        branch_id=identity.line.branch_id,
        at=max(0, identity.until),
    )
    injection = inject.compose(
        ctx,
        identity.line.chat_id,
        query,
        # of a request that holds none of the story, nothing is told already
        visible_from=min(floors, default=identity.until + 1),
        expanded=False,
        said=USUAL,
    )
    return replace(injection, triage=None)


def told_floors(
    ctx: JobContext, session: Session, searcher: Searcher, identity: Identity
) -> frozenset[int]:
    """Return which of a request's floors the one about to speak is told of by events."""
    line = identity.line
    if line is None or not identity.floors:
        return frozenset()
    store = session.chat(line.chat_id)
    where = _known_by(ctx, store, searcher, identity, identity.listener)
    is_known = store.items.known_events(where)
    floors = [floor for _index, floor in identity.floors]
    told: set[int] = set()
    for event in store.events.at_floors(line.branch_id, min(floors), max(floors)):
        ends_later = event.source_range.end_index > identity.until
        if event.level == 0 and not event.is_stale and not ends_later and is_known(event):
            told.update(_floors(event.source_range))
    return frozenset(told.intersection(floors))


def told_to_one(
    ctx: JobContext, session: Session, searcher: Searcher, identity: Identity
) -> Identity:
    """Choose as whom memory is told where several may be about to speak: who knows least.

    Where each knows something that another does not, that is a stranger.
    """
    line = identity.line
    if line is None or len(identity.may_speak) < 2:
        return identity
    store = session.chat(line.chat_id)
    known = {
        name: set(store.items.known(_known_by(ctx, store, searcher, identity, name)).tolist())
        for name in identity.may_speak
    }
    shared = set.intersection(*known.values())
    least = next((name for name, ids in known.items() if ids == shared), _STRANGER)
    return replace(identity, knows_as=least)


def _known_by(
    ctx: JobContext, store: ChatStore, searcher: Searcher, identity: Identity, name: str
) -> ItemFilter:
    """Return what lets through what somebody knows where a request stands."""
    branch_id = identity.line.branch_id if identity.line else MAIN_BRANCH
    query = RecallQuery("", actor=name or None, branch_id=branch_id, at=max(0, identity.until))
    query = searcher.as_asked(ctx, store, query)
    return ItemFilter(
        ITEM_KINDS,
        store.branch_path(branch_id),
        query.at,
        query.actor,
        query.known_as,
        query.confidence,
        query.fulfilled,
    )


def _floors(told: SourceRange) -> range:
    return range(told.start_index, told.end_index + 1)


def story_begins(session: Session, identity: Identity, prompt: str) -> int | None:
    """Return where the first known floor stands in a text prompt; None where it is not found."""
    line = identity.line
    if line is None or not identity.floors:
        return None
    floors = sorted({floor for _index, floor in identity.floors})[:_TRIED]
    for message in session.chat(line.chat_id).messages.slice(line.branch_id, floors[0], floors[-1]):
        for words in message.text.splitlines():
            at = prompt.find(words.strip()) if len(words.strip()) >= _PROOF else -1
            if at >= 0:
                return at
    return None


def question(request: FrontRequest) -> str:
    """Return what the player said last; of a text completion, the end of its prompt."""
    if request.kind == "completion":
        return request.said[-1].text[-_QUESTION:] if request.said else ""
    said = (m.text for m in reversed(request.said) if m.role == "user" and m.text.strip())
    return next(said, "")
