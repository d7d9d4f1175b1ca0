"""Stage 1: blocks of messages become events in the buffer.

if TYPE_CHECKING:
    from engram_desktop.llm.session import Session

A block is asked once: what is stored says which messages (by hash) and which extractor it came
from, so that nothing is paid twice after a crash. Each block is committed as it is finished; the
cursor never passes a block that failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.confidence import OF_EXTRACTOR
from engram_desktop.domain.entity import norm_name
from engram_desktop.domain.errors import BadAnswer, BadEndpoint, LlmError, NotConfigured, Refused
from engram_desktop.domain.event import EventNode, SourceRange
from engram_desktop.domain.extraction import PlotExtraction
from engram_desktop.domain.ids import MAIN_BRANCH, new_id, range_hash
from engram_desktop.domain.labels import REDO_STALE, SUMMARISE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.message import Message
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.domain.reports import FailedRange, SummaryPlan, SummaryReport
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.domain.triggers import blocks
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.calls import CallRecord
from engram_desktop.llm.client import Client
from engram_desktop.llm.structured import Extraction, extract
from engram_desktop.services import extractive
from engram_desktop.services.cleaning import clean
from engram_desktop.services.clients import Clients
from engram_desktop.services.prompts import chat_history, language_of, task_messages
from engram_desktop.storage.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.llm.session import Session

ExtractorChoice = Literal["auto", "llm", "extractive"]
Floors = tuple[int, int]
OUTLINES_SHOWN = 6
ENTITIES_SHOWN = 40
_CHANGED = QT_TRANSLATE_NOOP("reports", "the messages changed meanwhile")
_FATAL = (Refused, BadEndpoint, NotConfigured)


@dataclass(slots=True)
class _Tally:
    """What a run did so far."""

    events: int = 0
    floors: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failed: list[FailedRange] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    group: int | None = None


def choose(clients: Clients, wanted: ExtractorChoice) -> Literal["llm", "extractive"]:
    """Say which extractor ``auto`` means now."""
    if wanted == "auto":
        return "llm" if clients.has_llm() else "extractive"
    return wanted


def plan(
    store: ChatStore,
    clients: Clients,
    settings: Settings,
    floors: Floors | None,
    wanted: ExtractorChoice,
    branch_id: str = MAIN_BRANCH,
) -> SummaryPlan:
    """Say which blocks would be summarised, and about what the prompts cost."""
    extractor = choose(clients, wanted)
    todo, done = _todo(store, settings, floors, extractor, branch_id)
    tokens = 0
    if extractor == "llm":
        for first, last in todo:
            messages = store.messages.slice(branch_id, first, last)
            tokens += 900 + sum(estimate_tokens(m.text) + 6 for m in messages)
    model = clients.model("llm") if extractor == "llm" else ""
    return SummaryPlan(tuple(todo), extractor, model, tokens, done)


def summarise(
    store: ChatStore,
    ctx: JobContext,
    clients: Clients,
    settings: Settings,
    renderer: StoryRenderer,
    floors: Floors | None,
    wanted: ExtractorChoice,
    branch_id: str = MAIN_BRANCH,
) -> SummaryReport:
    """Summarise what is not done of ``floors`` (both ends included), or all but the newest.

    Blocks that fail are reported and left for another time. Raises LlmError where going on makes
    no sense, such as a refused key. Cancelling keeps what was finished.
    """
    extractor = choose(clients, wanted)
    todo, _done = _todo(store, settings, floors, extractor, branch_id)
    run = _Run(store, ctx, renderer, extractor, branch_id)
    return _run(run, clients, settings, todo)


def resummarise_stale(
    store: ChatStore,
    ctx: JobContext,
    clients: Clients,
    settings: Settings,
    renderer: StoryRenderer,
    wanted: ExtractorChoice,
    branch_id: str = MAIN_BRANCH,
) -> SummaryReport:
    """Summarise again what the branch's stale events tell of; the new ones take their place.

    Locked events and those a user wrote stay, stale as they are. Stale outlines are taken apart:
    what they were made of is visible again, until it is trimmed anew.
    """
    extractor = choose(clients, wanted)
    run = _Run(store, ctx, renderer, extractor, branch_id)
    ranges = [e.source_range for e in store.events.stale(branch_id)]
    count = store.messages.count(branch_id)
    floors = joined([(r.start_index, min(r.end_index, count - 1)) for r in ranges])
    todo = [
        block for first, last in floors for block in blocks(first, last, settings.summary_interval)
    ]
    run.label = StepLabel(REDO_STALE, {"count": len(floors)})
    report = _run(run, clients, settings, todo)
    if report.floors or not todo:
        ctx.write(run.take_outlines_apart)
    return replace(report, changes=run.changes())


def joined(ranges: Iterable[Floors]) -> list[Floors]:
    """Join ranges that overlap, in order."""
    found: list[Floors] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        elif first <= last:
            found.append((first, last))
    return found


def _run(run: _Run, clients: Clients, settings: Settings, todo: Sequence[Floors]) -> SummaryReport:
    if run.extractor == "extractive":
        run.extractive(todo)
    elif todo:
        client = clients.llm(run.record_call)
        run_async(run.ctx, run.with_model(client, todo, settings.llm_parallel))
    tally = run.tally
    return SummaryReport(
        tally.events,
        tally.floors,
        tally.calls,
        tally.prompt_tokens,
        tally.completion_tokens,
        tuple(sorted(tally.failed, key=lambda f: f.start_index)),
        run.changes(),
    )


class _Run:
    """One run over the blocks of one chat."""

    def __init__(
        self,
        store: ChatStore,
        ctx: JobContext,
        renderer: StoryRenderer,
        extractor: Literal["llm", "extractive"],
        branch_id: str,
    ) -> None:
        self.store = store
        self.branch_id = branch_id
        self.ctx = ctx
        self.renderer = renderer
        self.extractor = extractor
        self.tally = _Tally()
        self.label = StepLabel(SUMMARISE)
        self._finished = 0
        self._is_given_up = False

    def extractive(self, todo: Sequence[Floors]) -> None:
        self._begin(todo)
        background = extractive.background(self._all_texts())
        for floors in todo:
            self._report(len(todo))
            messages = self._read(floors)
            self._commit(floors, messages, extractive.extract(messages, background=background))

    async def with_model(self, client: Client, todo: Sequence[Floors], parallel: int) -> None:
        self._begin(todo)
        gate = asyncio.Semaphore(parallel)
        async with client.session() as session:

            async def one(floors: Floors) -> None:
                async with gate:
                    if self._is_given_up:
                        return
                    self._report(len(todo))
                    await self._ask(session, floors)

            try:
                async with asyncio.TaskGroup() as group:
                    for floors in todo:
                        group.create_task(one(floors))
            except BaseExceptionGroup as errors:  # the first is why the others were given up
                raise errors.exceptions[0] from None

    async def _ask(self, session: Session, floors: Floors) -> None:
        messages = self._read(floors)
        try:
            answer = await extract(session, self._prompt(messages, floors))
        except _FATAL:
            self._is_given_up = True
            raise
        except BadAnswer as e:
            self.tally.failed.append(FailedRange(*floors, e.phrase, e.raw))
        except LlmError as e:
            self.tally.failed.append(FailedRange(*floors, e.phrase))
        else:
            self._count(answer)
            source = SourceRange(*floors)
            self._commit(floors, messages, [(event, source) for event in answer.events])

    def record_call(self, call: CallRecord) -> None:
        tokens = (call.prompt_tokens, call.completion_tokens)
        self.store.ledger.add_call(
            self.store.clock(), "summary", call.model, tokens, call.elapsed_ms, call.error
        )

    def take_outlines_apart(self) -> None:
        """Undo the stale outlines of the branch, those of the highest level first."""
        found = self.store.events.stale(self.branch_id, outlines=True)
        if not found:
            return
        with self.store.step(self.label, self.tally.group) as joined:
            for outline in sorted(found, key=lambda e: -e.level):
                self.tally.touched.update(self.store.events.dissolve(outline, self.store.clock()))
        self.tally.group = joined

    def changes(self) -> Changes:
        """What the run changed so far."""
        return Changes(
            chat_id=self.store.chat_id,
            events=frozenset(self.tally.touched),
            structure=bool(self.tally.touched),
            undo_label=self.label if self.tally.floors or self.tally.touched else None,
        )

    # --- inside ---

    def _begin(self, todo: Sequence[Floors]) -> None:
        if todo and not self.label.params:
            params = {"first": todo[0][0], "last": todo[-1][1]}
            self.label = StepLabel(SUMMARISE, params)

    def _report(self, total: int) -> None:
        self.ctx.report(self._finished, total, "summary")

    def _read(self, floors: Floors) -> list[Message]:
        return self.store.messages.slice(self.branch_id, *floors)

    def _all_texts(self) -> list[Message]:
        return self._read((0, self.store.messages.count(self.branch_id)))

    def _prompt(self, messages: Sequence[Message], floors: Floors) -> list[dict[str, str]]:
        users = self.store.messages.user_names()
        others = [n for n in self.store.messages.speakers() if n not in users]
        before = self.store.events.before(floors[0], OUTLINES_SHOWN, self.branch_id)
        known = self.store.entities.find("", ENTITIES_SHOWN, self.branch_id)
        names = [e.name for e in known]
        cleaned = [clean(m.text) for m in messages]
        values = {
            "char": others[0] if others else "",
            "user": users[0] if users else "",
            "knownEntities": "、".join(names) or "—",
            "engramSummaries": "\n".join(f"- {e.summary}" for e in before) or "—",
            "first": str(floors[0]),
            "last": str(floors[1]),
            "chatHistory": chat_history(messages, cleaned),
        }
        return task_messages("summary", language_of(cleaned), values)

    def _count(self, answer: Extraction) -> None:
        self.tally.calls += answer.calls
        self.tally.prompt_tokens += answer.prompt_tokens
        self.tally.completion_tokens += answer.completion_tokens

    def _commit(
        self,
        floors: Floors,
        messages: Sequence[Message],
        found: Sequence[tuple[PlotExtraction, SourceRange]],
    ) -> None:
        """Store one block, if its messages are still what was read."""
        read = range_hash(m.swipe_hash for m in messages)

        def unit() -> bool:
            now_there = self._read(floors)
            if range_hash(m.swipe_hash for m in now_there) != read:
                return False
            with self.store.step(self.label, self.tally.group) as joined:
                self._write(floors, read, found)
            self.tally.group = joined
            return True

        if self.ctx.write(unit):
            self.tally.floors += floors[1] - floors[0] + 1
            self.tally.events += len(found)
        else:
            self.tally.failed.append(FailedRange(*floors, Phrase(_CHANGED)))
        self._finished += 1

    def _write(
        self, floors: Floors, read: str, found: Sequence[tuple[PlotExtraction, SourceRange]]
    ) -> None:
        store = self.store
        now = store.clock()
        replaced = store.events.replaceable(self.branch_id, *floors, self.extractor)
        self.tally.touched.update(store.events.delete(replaced, now))
        store.entities.refresh_items(store.entities.of_events(replaced))
        events = [
            _event(data, source, now + n, read, self.extractor, self.renderer, self.branch_id)
            for n, (data, source) in enumerate(found)
        ]
        self.tally.touched.update(store.events.add(events, now))
        store.add_block(floors, read, self.extractor, len(events), self.branch_id)
        state = store.scope_state(self.branch_id)
        order = state.active_summary_order + len(events)
        store.save_scope_state(replace(state, active_summary_order=order), self.branch_id)
        store.settle_cursor(self.branch_id)


def _event(
    data: PlotExtraction,
    source: SourceRange,
    now: int,
    source_hash: str,
    extractor: Literal["llm", "extractive"],
    renderer: StoryRenderer,
    branch_id: str,
) -> EventNode:
    people = [e.name for e in data.entities if e.type == "char"]
    by_norm = {norm_name(name): name for name in [*data.structured_kv.role, *people]}
    return EventNode(
        pk=0,
        id=new_id(),
        branch_id=branch_id,
        summary=data.summary,
        structured_kv=data.structured_kv,
        raw_data=data,
        display_text=renderer.render(data),
        status="buffer",
        is_archived=False,
        is_embedded=False,
        level=0,
        source_range=source,
        significance_score=data.significance_score,
        timestamp=now,
        source_hash=source_hash,
        kind=data.kind,
        extractor=extractor,
        confidence=OF_EXTRACTOR[extractor],
        participants=tuple(by_norm.values()),
        keywords=data.keywords,
    )


def _todo(
    store: ChatStore, settings: Settings, floors: Floors | None, extractor: str, branch_id: str
) -> tuple[list[Floors], int]:
    """Blocks to do, and how many floors of the range are done already.

    A floor is done if a block holds it whose messages are unchanged, and which a model made or
    which needs no model now.
    """
    count = store.messages.count(branch_id)
    first, last = floors if floors is not None else (0, count - 1 - settings.summary_newest)
    first, last = max(0, first), min(last, count - 1)
    if last < first:
        return [], 0
    done = bytearray(last - first + 1)
    hashes = store.messages.hashes(branch_id)
    for start, end, source_hash, made_by in store.blocks(branch_id):
        if extractor == "llm" and made_by == "extractive":
            continue
        if range_hash(hashes[start : end + 1]) != source_hash:
            continue
        for floor in range(max(start, first), min(end, last) + 1):
            done[floor - first] = 1
    todo: list[Floors] = []
    for run in _runs(done):
        todo += blocks(first + run[0], first + run[1], settings.summary_interval)
    return todo, sum(done)


def _runs(done: bytearray) -> list[Floors]:
    """Runs of zeros in ``done``, as (first, last)."""
    runs: list[Floors] = []
    for n, flag in enumerate(done):
        if flag:
            continue
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs
