"""Drafts: review what a model wrote, then save, correct or discard it.

A draft is never saved if its messages have changed since it was made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import (
    DISCARD_DRAFTS,
    REDO_RANGE,
    SAVE_DRAFTS,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import Conflict, NotFound
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.draft import (
    Draft,
    DraftComparison,
    DraftedEvent,
    DraftReport,
    DraftState,
    OtherAnswer,
    SentenceSource,
    placed,
)
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers import accept_answer
from engram_desktop.services.events.blocks import (
    BlockContent,
    checked,
    content_of,
    make_event,
    renderer_of,
    source_hash,
    store_block,
)
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.pipeline import summarise
from engram_desktop.services.pipeline.step_context import StepContext
from engram_desktop.services.pipeline.summarise import ask_other, sources_of
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.domain.reports import SummaryReport
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.step_context import StepContexts


_T = QT_TRANSLATE_NOOP


def one(store: ChatStore, draft_id: str) -> Draft:
    """Return a draft by its id, or by the beginning of it. Raises NotFound."""
    exact = store.drafts.by_ids([draft_id])
    if not exact:
        raise NotFound("draft", draft_id)
    return checked(store, exact[0].branch_id, exact)[0]


def save(
    context: StepContext,
    edits: Mapping[str, Sequence[DraftedEvent] | None],
    replaced: Mapping[str, Collection[int]] | None = None,
) -> DraftReport:
    """Store drafts by id, with the given events (None: as drafted), as one undoable step.

    A redone block replaces the events inside it, except locked ones and those written or confirmed
    by the user; ``replaced`` gives, by draft id, the keys of the events to replace instead.
    """
    drafts = [one(context.store, draft_id) for draft_id in edits]
    label = _label(drafts)
    step = OneStep(context.store, label)
    saved = added = 0
    touched: set[int] = set()
    outdated: list[Draft] = []
    for number, draft in enumerate(drafts):
        context.ctx.report(number, len(drafts), "drafts")
        edit = edits[draft.id]
        others = context.store.drafts.others(draft)
        block = replace(
            content_of(draft),
            events=draft.events if edit is None else tuple(edit),
            originals=[data for d in (draft, *others) for data, _source in d.events],
        )
        other_ids = [other.id for other in others]

        def unit(
            draft: Draft = draft, block: BlockContent = block, other_ids: list[str] = other_ids
        ) -> set[int] | None:
            if source_hash(context.store, draft.branch_id, block.floors) != block.source_hash:
                return None
            with step.part():
                context.store.drafts.delete(other_ids)
                replaced_keys = _replaced(context.store, draft, (replaced or {}).get(draft.id))
                return store_block(
                    context.store, block, context.renderer, draft.branch_id, replaced_keys
                )

        keys = context.ctx.write(unit)
        if keys is None:
            outdated.append(replace(draft, is_outdated=True))
            continue
        touched |= keys
        saved += 1
        added += len(block.events)
    changes = Changes(
        chat_id=context.store.chat_id,
        events=frozenset(touched),
        rows=bool(saved),
        counts=bool(saved),
        graph=bool(saved),
        drafts=True,
        undo_label=label if saved else None,
    )
    return DraftReport(saved, added, tuple(outdated), changes)


def present(store: ChatStore, draft: Draft) -> list[EventNode]:
    """Return the stored events about the draft's floors, in story order."""
    return store.events.telling_of(draft.branch_id, *draft.floors)


def is_kept(event: EventNode, draft: Draft) -> bool:
    """Return whether a redo keeps ``event`` unless the user selects it."""
    first, last = draft.floors
    source = event.source_range
    is_inside = first <= source.start_index and source.end_index <= last
    is_users = event.is_locked or event.extractor == "manual" or event.confidence == "confirmed"
    return is_users or not is_inside


def nodes(draft: Draft, renderer: StoryRenderer) -> list[EventNode]:
    """Return the drafted events as event nodes, to be shown and edited; they are not stored."""
    block = content_of(draft)
    return [
        make_event(
            data,
            source,
            draft.created_at + n,
            block.extractor_of(data),
            renderer,
            draft.branch_id,
            block.source_hash,
        )
        for n, (data, source) in enumerate(draft.events)
    ]


def _replaced(
    store: ChatStore, draft: Draft, chosen_keys: Collection[int] | None
) -> list[int] | None:
    if draft.purpose == "new":
        return None
    stored_events = present(store, draft)
    if chosen_keys is None:
        return [e.pk for e in stored_events if not is_kept(e, draft)]
    return [e.pk for e in stored_events if e.pk in chosen_keys]


def _label(drafts: Sequence[Draft]) -> StepLabel:
    if drafts and all(draft.purpose == "redo" for draft in drafts):
        first = min(draft.floors[0] for draft in drafts)
        last = max(draft.floors[1] for draft in drafts)
        return StepLabel(REDO_RANGE, {"first": first, "last": last})
    return StepLabel(SAVE_DRAFTS, {"count": len(drafts)})


class DraftService:
    """Drafts. A draft is saved, corrected, asked for again, or discarded."""

    def __init__(self, session: Session, contexts: StepContexts) -> None:
        self._session = session
        self._steps = contexts

    def find(
        self, line: Line, states: Collection[DraftState] = ("waiting", "failed")
    ) -> list[Draft]:
        """Return the drafts of a branch by floor, each marked if it is outdated."""
        store = self._session.chat(line.chat_id)
        return checked(store, line.branch_id, store.drafts.find(line.branch_id, states))

    def find_one(self, chat_id: str, draft_id: str) -> Draft:
        """Return one draft. Raises NotFound."""
        return one(self._session.chat(chat_id), draft_id)

    def save(
        self,
        ctx: JobContext,
        chat_id: str,
        edits: Mapping[str, Sequence[DraftedEvent] | None],
        replaced: Mapping[str, Collection[int]] | None = None,
    ) -> DraftReport:
        """Save drafts by id, with the given events (None: as drafted), as one undoable step.

        ``replaced`` gives, by id of a redone block's draft, the keys of the events to replace;
        without it locked events and the user's own stay.
        """
        return save(self._steps.make(ctx, Line.main(chat_id)), edits, replaced)

    def discard(self, chat_id: str, ids: Collection[str]) -> Changes:
        """Discard drafts; undo brings them back."""
        store = self._session.chat(chat_id)
        label = StepLabel(DISCARD_DRAFTS, {"count": len(ids)})
        others = [
            other.id for draft in store.drafts.by_ids(ids) for other in store.drafts.others(draft)
        ]
        with store.step(label):
            deleted = store.drafts.delete(ids)
            store.drafts.delete(others)
        return Changes(chat_id=chat_id, drafts=True, undo_label=label if deleted else None)

    def read_again(self, ctx: JobContext, chat_id: str, draft_id: str, raw: str) -> DraftReport:
        """Parse ``raw``, an answer corrected by hand, and store it. Raises BadAnswer, Conflict.

        A redone block is not stored, but waits as a draft.
        """
        context = self._steps.make(ctx, Line.main(chat_id))
        draft = one(context.store, draft_id)
        if draft.is_outdated:
            raise Conflict(Phrase(_T("reports", "its messages")))
        answer = accept_answer(raw)
        events = placed(answer.events, answer.floors, draft.source_range)
        if draft.purpose == "new":
            return save(context, {draft_id: events})
        waiting = replace(draft, state="waiting", answer=raw, events=events, reason="")
        ctx.write(lambda: context.store.drafts.keep(waiting))
        return DraftReport(changes=Changes(chat_id=chat_id, drafts=True))

    def ask_again(
        self, ctx: JobContext, chat_id: str, draft_id: str, *, review: bool = False
    ) -> SummaryReport:
        """Ask again about the floors of a draft; the new answer replaces it."""
        draft = self.find_one(chat_id, draft_id)
        context = self._steps.make(ctx, Line(chat_id, draft.branch_id), review=review, works=True)
        if draft.purpose == "redo":
            return summarise.redo(context, draft.floors, draft.extractor)
        return summarise.summarise(context, [draft.floors], draft.extractor)

    def compare(self, chat_id: str, draft_id: str) -> DraftComparison:
        """Return a draft together with the events that are stored for its floors."""
        store = self._session.chat(chat_id)
        draft = one(store, draft_id)
        stored_events = present(store, draft)
        kept_keys = frozenset(e.pk for e in stored_events if is_kept(e, draft))
        renderer = renderer_of(self._session, store)
        others = tuple(
            OtherAnswer(other.model, tuple(nodes(other, renderer)))
            for other in store.drafts.others(draft)
        )
        drafted = tuple(nodes(draft, renderer))
        return DraftComparison(draft, drafted, tuple(stored_events), kept_keys, others)

    def ask_other(
        self, ctx: JobContext, chat_id: str, draft_id: str, model: str
    ) -> DraftComparison:
        """Ask another model about the messages of a draft; its answer is stored beside the draft.

        Raises Conflict if the messages have changed since, LlmError.
        """
        draft = self.find_one(chat_id, draft_id)
        context = self._steps.make(ctx, Line(chat_id, draft.branch_id), works=True)
        ask_other(context, draft, model)
        return self.compare(chat_id, draft_id)

    def sources(
        self, ctx: JobContext, chat_id: str, draft_id: str, text: str
    ) -> tuple[SentenceSource, ...]:
        """Return the lines of a draft's messages that support each sentence of ``text``."""
        draft = self.find_one(chat_id, draft_id)
        context = self._steps.make(ctx, Line(chat_id, draft.branch_id))
        return sources_of(context, draft.floors, text)
