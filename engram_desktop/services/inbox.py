"""The inbox (待办) of a chat: what waits for a decision, read from the store of each kind.

The inbox itself stores only which items were dismissed or postponed; deciding changes the thing an
item is about.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import PUT_AWAY, PUT_OFF, Changes, StepLabel
from engram_desktop.domain.claims.claim import Finding, Quote
from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.inbox import (
    INBOX_KINDS,
    MOST_CHECKED,
    MOST_OF_A_KIND,
    PUT_OFF_HOURS,
    Effect,
    InboxAction,
    InboxAnswer,
    InboxItem,
    InboxItems,
    InboxKind,
    InboxPart,
    SortedItems,
    effect_of,
    make_item,
    sorted_out,
)
from engram_desktop.domain.memory.event import EventPatch, EventQuery, EventText
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.services.pipeline import summarise

if TYPE_CHECKING:
    from engram_desktop.domain.graph.entity import EntityNode
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.pipeline.draft import Draft, DraftState
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.events.event_service import EventService
    from engram_desktop.services.graph.graph_service import GraphService
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.drafts import DraftService
    from engram_desktop.services.pipeline.step_context import StepContexts
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP
_HOUR_MS = 3_600_000  # milliseconds of an hour
_MOST_PARTS = 8  # events shown of a group: more than fit side by side
_LABEL = 24  # characters of an item in the label of its step
_MESSAGES = _T("reports", "its messages")
_OUTDATED = _T("reports", "Its messages have changed since: it cannot be saved as it is.")


class FailedAgain(InputError):
    """A block was asked about again, and the new answer could not be used either."""

    text = _T("errors", "It failed again: {reason}")
    hint = _T("errors", "Open it to see the answer, and to mend it by hand.")


class InboxService:
    """The inbox. Items are read at each call; every decision is one undoable step."""

    def __init__(
        self,
        session: Session,
        drafts: DraftService,
        events: EventService,
        graph: GraphService,
        findings: FindingsService,
        contexts: StepContexts,
    ) -> None:
        self._session = session
        self._drafts = drafts
        self._events = events
        self._graph = graph
        self._findings = findings
        self._steps = contexts
        # unsupported sentences, by event and by the text of it and its messages
        self._doubted: dict[tuple[str, str], tuple[str, ...]] = {}

    def read(
        self, ctx: JobContext, line: Line, kinds: Collection[InboxKind] = INBOX_KINDS
    ) -> InboxItems:
        """Return the items of some kinds, dismissed and postponed ones too. Raises Cancelled.

        At most `MOST_OF_A_KIND` waiting items of a kind are listed; ``more`` counts the others.
        """
        store = self._session.chat(line.chat_id)
        answers, now = store.inbox_answers.all(), store.clock()
        readers: dict[InboxKind, Callable[[], Iterator[InboxItem] | Sequence[InboxItem]]] = {
            "failed": lambda: self._of_drafts(line, "failed"),
            "draft": lambda: self._of_drafts(line, "draft"),
            "contradiction": lambda: self._of_findings(ctx, line, "contradiction"),
            "promise": lambda: self._of_findings(ctx, line, "promise"),
            "doubt": lambda: self._of_doubts(ctx, line),
            "stale": lambda: self._of_stale(ctx, store, line),
            "same": lambda: self._of_same(line),
            "duplicate": lambda: self._of_duplicates(ctx, line),
        }
        found, more = list[InboxItem](), dict[InboxKind, int]()
        for kind in INBOX_KINDS:
            if kind not in kinds:
                continue
            ctx.check()
            listed = 0
            for item in readers[kind]():
                answer = answers.get(item.id)
                if answer is not None and answer.holds(item, now):
                    found.append(item)
                elif listed < MOST_OF_A_KIND:
                    listed += 1
                    found.append(item)
                else:
                    more[kind] = more.get(kind, 0) + 1
        return InboxItems(tuple(found), more)

    def answers(self, line: Line) -> dict[str, InboxAnswer]:
        """Return the stored answers (dismissed or postponed), by the id of the item."""
        return self._session.chat(line.chat_id).inbox_answers.all()

    def now(self, line: Line) -> int:
        """Return the current time in milliseconds, which postponed items are compared with."""
        return self._session.chat(line.chat_id).clock()

    def waiting(self, ctx: JobContext, line: Line) -> tuple[SortedItems, InboxItems]:
        """Return how many items wait now, and how many there are. Raises Cancelled."""
        every = self.read(ctx, line)
        return sorted_out(every.items, self.answers(line), self.now(line)), every

    def act(
        self, ctx: JobContext, line: Line, item: InboxItem, action: InboxAction, answer: str = ""
    ) -> Changes:
        """Decide an item, as one undoable step. ``answer`` is one of a finding's answers.

        Does nothing if the item is gone: saving a draft, for example, replaces stale events. Raises
        Conflict and InputError if the item changed meanwhile, LlmError.
        """
        effect = effect_of(item.kind, action)
        if effect in ("put_away", "put_off"):
            return self._put(line, item, is_off=effect == "put_off")
        chat = line.chat_id
        done: dict[Effect, Callable[[], Changes]] = {
            "ask_again": lambda: self._ask_again(ctx, line, item),
            "save_draft": lambda: self._save(ctx, chat, item),
            "discard_draft": lambda: self._drafts.discard(chat, [item.ref]),
            "later_is_true": lambda: self._answer(ctx, line, item, answer or "later"),
            "promise_kept": lambda: self._answer(ctx, line, item, answer or "kept"),
            "confirm": lambda: self._events.set_confirmed(ctx, chat, item.keys, confirmed=True),
            "still_right": lambda: self._events.update(
                chat, item.keys[0], EventPatch(is_stale=False, confidence="confirmed")
            ),
            "merge": lambda: self._graph.accept_suggestion(chat, item.ref),
            "keep_two": lambda: self._graph.dismiss_suggestion(chat, item.ref),
            "join": lambda: self._events.join(ctx, chat, item.keys),
            "keep_apart": lambda: self._keep_apart(chat, item),
        }
        try:
            return done[effect]()
        except NotFound:
            return Changes(chat_id=chat)

    def _put(self, line: Line, item: InboxItem, *, is_off: bool) -> Changes:
        store = self._session.chat(line.chat_id)
        label = StepLabel(PUT_OFF if is_off else PUT_AWAY, {"text": item.text[:_LABEL]})
        until = store.clock() + PUT_OFF_HOURS * _HOUR_MS if is_off else 0
        with store.step(label):
            store.inbox_answers.put(item.id, InboxAnswer(item.seen, until))
        return Changes(chat_id=line.chat_id, inbox=True, undo_label=label)

    def _ask_again(self, ctx: JobContext, line: Line, item: InboxItem) -> Changes:
        review = self._session.settings(line.chat_id).review_enabled
        report = self._drafts.ask_again(ctx, line.chat_id, item.ref, review=review)
        if report.failed:
            raise FailedAgain(reason=report.failed[0].reason)
        return report.changes

    def _save(self, ctx: JobContext, chat_id: str, item: InboxItem) -> Changes:
        report = self._drafts.save(ctx, chat_id, {item.ref: None})
        if report.outdated:
            raise Conflict(Phrase(_MESSAGES))
        return report.changes

    def _answer(self, ctx: JobContext, line: Line, item: InboxItem, answer: str) -> Changes:
        return self._findings.answer(ctx, line, item.ref, answer, seen="")

    def _keep_apart(self, chat_id: str, item: InboxItem) -> Changes:
        events = self._events.fetch(chat_id, item.keys)
        ids = [events[key].id for key in item.keys if key in events]
        return self._events.keep_apart(chat_id, list(itertools.combinations(ids, 2)))

    def _of_drafts(self, line: Line, kind: InboxKind) -> list[InboxItem]:
        state: DraftState = "failed" if kind == "failed" else "waiting"
        return [_draft_item(draft, kind) for draft in self._drafts.find(line, (state,))]

    def _of_findings(self, ctx: JobContext, line: Line, kind: InboxKind) -> list[InboxItem]:
        asked = self._findings.waiting(ctx, line)
        if kind == "contradiction":
            return [_finding_item(finding, kind) for finding in asked.contradictions]
        return [_finding_item(due.promise, kind, due.by) for due in asked.due]

    def _of_stale(self, ctx: JobContext, store: ChatStore, line: Line) -> Iterator[InboxItem]:
        told = store.events.stale_texts(line.branch_id)
        hashes = store.messages.hashes(line.branch_id) if told else []
        for number, event in enumerate(told):
            if number % MOST_OF_A_KIND == 0:
                ctx.check()
            yield _event_item(event, "stale", (event.summary,), hashes)

    def _of_same(self, line: Line) -> list[InboxItem]:
        return [
            make_item(
                "same",
                s.id,
                (InboxPart(_entity_text(s.one)), InboxPart(_entity_text(s.other))),
                f"{s.one.name} = {s.other.name}",
                why=tuple(s.reasons),
                entities=(s.one.id, s.other.id),
            )
            for s in self._graph.suggestions(line)
        ]

    def _of_duplicates(self, ctx: JobContext, line: Line) -> list[InboxItem]:
        groups = self._events.duplicates(ctx, line)
        keys = [pk for group in groups for pk in group.pks]
        events = self._events.fetch(line.chat_id, keys)
        items = []
        for group in groups:
            told = [events[pk] for pk in group.pks if pk in events]
            parts = tuple(_part(event.excerpt, event.summary) for event in told[:_MOST_PARTS])
            ref = content_hash(*sorted(event.id for event in told))
            items.append(make_item("duplicate", ref, parts, keys=tuple(e.pk for e in told)))
        return items

    def _of_doubts(self, ctx: JobContext, line: Line) -> list[InboxItem]:
        """Return the newest unconfirmed events of a model that have sentences without a source."""
        store = self._session.chat(line.chat_id)
        query = EventQuery(level=0, confidence="model", branch_id=line.branch_id, sort="newest")
        keys = store.events.find(query, MOST_CHECKED)
        if not keys:
            return []
        events, hashes = store.events.fetch(keys), store.messages.hashes(line.branch_id)
        context = self._steps.make(ctx, line)
        items = []
        for pk in keys:
            event = events.get(pk)
            if event is None or event.is_stale:  # stale events have items of their own
                continue
            item = _event_item(event.excerpt, "doubt", (event.summary,), hashes)
            known = (event.id, item.seen)
            if known not in self._doubted:
                ctx.check()
                span = (event.source_range.start_index, event.source_range.end_index)
                sources = summarise.sources_of(context, span, event.summary)
                self._doubted[known] = tuple(
                    s.evidence.sentence for s in sources if not s.evidence.is_borne_out
                )
            if self._doubted[known]:
                items.append(_event_item(event.excerpt, "doubt", self._doubted[known], hashes))
        return items


def _part(event: EventText, text: str) -> InboxPart:
    return InboxPart(text, event.first, event.last)


def _event_item(
    event: EventText, kind: InboxKind, texts: Sequence[str], hashes: Sequence[str]
) -> InboxItem:
    """Make an item of an event; a decision lapses when the event's messages change."""
    state = content_hash(*hashes[event.first : event.last + 1])
    parts = tuple(_part(event, text) for text in texts)
    return make_item(kind, event.id, parts, keys=(event.pk,), state=state)


def _draft_item(draft: Draft, kind: InboxKind) -> InboxItem:
    first, last = draft.floors
    if kind == "failed":
        parts: tuple[InboxPart, ...] = (InboxPart(draft.reason, first, last),)
    else:
        parts = tuple(
            InboxPart(data.summary, span.start_index, span.end_index) for data, span in draft.events
        ) or (InboxPart("", first, last),)
    why = (Phrase(_OUTDATED),) if draft.is_outdated else ()
    return make_item(kind, draft.id, parts, draft.model, why=why, state=draft.source_hash)


def _finding_item(finding: Finding, kind: InboxKind, by: Quote | None = None) -> InboxItem:
    parts = tuple(InboxPart(quote.text, quote.floor, quote.floor) for quote in finding.quotes)
    names = " → ".join(finding.who[:2]) if kind == "promise" else finding.about
    title = names or ", ".join(finding.who)
    beside = (InboxPart(by.text, by.floor, by.floor),) if by is not None else ()
    item = make_item(kind, finding.id, parts, title, state=finding.status)
    return replace(item, beside=beside)


def _entity_text(entity: EntityNode) -> str:
    others = [name for name in entity.aliases if name != entity.name]
    return f"{entity.name} ({', '.join(others)})" if others else entity.name
