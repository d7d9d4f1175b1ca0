"""Drafts: what a model wrote and nobody has saved yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.drafts.draft import (
    Draft,
    DraftComparison,
    DraftedEvent,
    DraftState,
    OtherAnswer,
)
from engram_desktop.domain.pipeline.drafts.evidence import SentenceSource
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events.renderer import renderer_of
from engram_desktop.services.pipeline import drafts
from engram_desktop.services.pipeline.summary import summarise
from engram_desktop.services.pipeline.summary.evidence import sources_of
from engram_desktop.services.pipeline.summary.second_opinion import ask_other

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.pipeline.drafts.draft import DraftReport
    from engram_desktop.domain.reports import SummaryReport
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.desks import Desks


class DraftService:
    """Drafts. A draft is saved, mended, asked for again, or thrown away."""

    def __init__(self, session: Session, desks: Desks) -> None:
        self._session = session
        self._desks = desks

    def find(
        self, line: Line, states: Collection[DraftState] = ("waiting", "failed")
    ) -> list[Draft]:
        """Drafts of a branch in the order of their floors, each with whether it is outdated."""
        return drafts.find(self._session.chat(line.chat_id), line.branch_id, states)

    def find_one(self, chat_id: str, draft_id: str) -> Draft:
        """Return one draft. Raises NotFound."""
        return drafts.one(self._session.chat(chat_id), draft_id)

    def save(
        self,
        ctx: JobContext,
        chat_id: str,
        edits: Mapping[str, Sequence[DraftedEvent] | None],
        replaced: Mapping[str, Collection[int]] | None = None,
    ) -> DraftReport:
        """Save drafts by id, with their events as given (None: as drafted), in one step.

        ``replaced`` gives, for redone blocks by id, the keys of the events that go; without it
        locked events and those a user wrote stay.
        """
        return drafts.save(self._desks.make(ctx, Line.main(chat_id)), edits, replaced)

    def discard(self, chat_id: str, ids: Collection[str]) -> Changes:
        return drafts.discard(self._session.chat(chat_id), ids)

    def read_again(self, ctx: JobContext, chat_id: str, draft_id: str, raw: str) -> DraftReport:
        """Read an answer that was mended by hand, and store it. Raises BadAnswer, Conflict."""
        return drafts.read_again(self._desks.make(ctx, Line.main(chat_id)), draft_id, raw)

    def ask_again(
        self, ctx: JobContext, chat_id: str, draft_id: str, *, review: bool = False
    ) -> SummaryReport:
        """Ask once more about the floors of a draft, which the new answer takes the place of."""
        draft = self.find_one(chat_id, draft_id)
        desk = self._desks.make(ctx, Line(chat_id, draft.branch_id), review=review, works=True)
        if draft.purpose == "redo":
            return summarise.redo(desk, draft.floors, draft.extractor)
        return summarise.summarise(desk, [draft.floors], draft.extractor)

    def compare(self, chat_id: str, draft_id: str) -> DraftComparison:
        """Lay a draft beside the events that tell of its floors now."""
        store = self._session.chat(chat_id)
        draft = drafts.one(store, draft_id)
        stored_events = drafts.present(store, draft)
        kept_keys = frozenset(e.pk for e in stored_events if drafts.is_kept(e, draft))
        renderer = renderer_of(self._session, store)
        others = tuple(
            OtherAnswer(other.model, tuple(drafts.nodes(other, renderer)))
            for other in store.drafts.beside(draft)
        )
        drafted = tuple(drafts.nodes(draft, renderer))
        return DraftComparison(draft, drafted, tuple(stored_events), kept_keys, others)

    def ask_other(
        self, ctx: JobContext, chat_id: str, draft_id: str, model: str
    ) -> DraftComparison:
        """Ask another model about the messages of a draft; its answer is kept beside it.

        Raises Conflict where these have changed since, LlmError.
        """
        draft = self.find_one(chat_id, draft_id)
        desk = self._desks.make(ctx, Line(chat_id, draft.branch_id), works=True)
        ask_other(desk, draft, model)
        return self.compare(chat_id, draft_id)

    def sources(
        self, ctx: JobContext, chat_id: str, draft_id: str, text: str
    ) -> tuple[SentenceSource, ...]:
        """Return which lines of a draft's messages each sentence of ``text`` comes from."""
        draft = self.find_one(chat_id, draft_id)
        desk = self._desks.make(ctx, Line(chat_id, draft.branch_id))
        return sources_of(desk, draft.floors, text)
