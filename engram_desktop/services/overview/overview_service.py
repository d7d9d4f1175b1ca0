"""A chat as a whole: put together from what its memory holds, as somebody knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.overview.overview import Overview, Progress, Spent
from engram_desktop.domain.pipeline.usage import DayUsage, cost
from engram_desktop.services.events import coverage
from engram_desktop.services.overview import cast, moments
from engram_desktop.services.prompts import story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.domain.settings.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

STORY_TOKENS = 1_600  # two minutes of reading; a prompt may be told ten times as much
MOST_MOMENTS = 8  # a screen of them
PLAIN_TOLD = 200  # events without an outline: 16,000 took 1.5 s, again each second they grow
NEWEST_TOLD = 2  # events at the end of the story that are told in full


class OverviewService:
    """Reads; nothing is written, and no model is asked."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, ctx: JobContext, line: Line, actors: Sequence[Actor] = ()) -> Overview:
        """Put a line together, as all ``actors`` know it. Raises NotFound, Cancelled."""
        store, branch_id = self._session.chat(line.chat_id), line.branch_id
        settings = self._session.settings(line.chat_id)
        progress = _progress(store, branch_id, settings)
        ctx.check()
        told = _story(store, branch_id, actors)
        ctx.check()
        best = _moments(store, line, actors)
        ctx.check()
        people = cast.cast_of(self._session, store, branch_id, actors)
        spent = store.ledger.totals()
        here = DayUsage(spent["calls"], spent["prompt_tokens"], spent["completion_tokens"])
        return Overview(
            line,
            progress,
            told,
            best,
            people,
            _spent(settings, here),
            _spent(settings, self._session.library.usage_in_all()),
            settings.llm_currency,
            self._session.clients.has_llm(),
        )


def _progress(store: ChatStore, branch_id: str, settings: Settings) -> Progress:
    runs = tuple(coverage.coverage(store, branch_id))
    drafts = store.drafts.counts(branch_id)
    untold = sum(last - first + 1 for first, last, state in runs if state == "empty")
    fresh = 0
    if runs and runs[-1][2] == "empty":
        first, last, _state = runs[-1]
        length = last - first + 1
        # what automation leaves for later; of a chat that was never read nothing is left
        is_tail = first > 0 and length < settings.summary_interval + settings.summary_newest
        fresh = length if is_tail else 0
    visible = store.events.always_visible(branch_id)
    return Progress(
        floors=store.messages.count(branch_id),
        runs=runs,
        untold=untold,
        fresh=fresh,
        waiting=drafts.waiting + drafts.redo,
        failed=drafts.failed,
        events=store.events.counts(branch_id),
        is_buffer_full=visible.waiting > settings.visible_newest
        and (
            0 < settings.buffer_events <= visible.waiting
            or 0 < settings.buffer_tokens <= visible.waiting_tokens
        ),
    )


def _story(store: ChatStore, branch_id: str, actors: Sequence[Actor]) -> tuple[EventNode, ...]:
    """Return the story so far, as short as a page has room for."""
    known = store.known_graph(branch_id, actors).event_ids if actors else None
    told = story.told_so_far(
        store,
        branch_id,
        STORY_TOKENS,
        NEWEST_TOLD,
        allowed=lambda event: known is None or event.id in known,
        plain=None if actors else PLAIN_TOLD,
    )
    return tuple(told)


def _moments(store: ChatStore, line: Line, actors: Sequence[Actor]) -> tuple[EventNode, ...]:
    """Return the most important events, in the order of the story."""
    query = EventQuery(
        level=0,
        kind="event",
        branch_id=line.branch_id,
        actors=tuple(actors),
        sort="significance",
    )
    keys = store.events.find(query)
    chosen = moments.best_spread(
        keys, lambda key: store.events.fetch([key])[key].significance_score, MOST_MOMENTS
    )
    events = store.events.fetch(chosen)
    found = [events[key] for key in chosen if key in events]
    return tuple(sorted(found, key=lambda e: (e.source_range, e.pk)))


def _spent(settings: Settings, usage: DayUsage) -> Spent:
    money = cost(settings, usage.prompt_tokens, usage.completion_tokens)
    return Spent(usage.calls, usage.tokens, money if usage.calls else None)
