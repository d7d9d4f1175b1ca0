"""Stage 1: blocks of messages become events in the buffer.

A block is asked about once: its answer is stored as a draft the moment it arrives, with the hash of
its messages and of the request, so that nothing is paid for twice after a crash. Each block is
committed when it is finished, or left as a draft for the user's review; the cursor never passes a
block that failed.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.changes import REDO_STALE, SUMMARISE, Changes, StepLabel
from engram_desktop.domain.errors import (
    BadAnswer,
    BadEndpoint,
    Conflict,
    DailyCapReached,
    LlmError,
    NotConfigured,
    Refused,
    TooLong,
)
from engram_desktop.domain.inject import cut_short
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import new_id, range_hash
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.automation import blocks
from engram_desktop.domain.pipeline.draft import (
    Draft,
    DraftPurpose,
    ExtractorChoice,
    SentenceSource,
    SourceLine,
    evidence,
    placed,
)
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relevance import QuestionWord, question_words
from engram_desktop.domain.reports import FailedRange, SummaryReport
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers import FLOOR_FORMATS, Extraction, Formats, extract
from engram_desktop.llm.client import Client, is_lasting
from engram_desktop.services import extractive
from engram_desktop.services.events.blocks import BlockContent, Floors, content_of, store_block
from engram_desktop.services.knowledge import claims
from engram_desktop.services.knowledge.derive import derive_for_cutting, same_company_runs
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.pipeline.consolidation import dissolve_stale
from engram_desktop.services.pipeline.step_context import StepContext, choose
from engram_desktop.services.pipeline.summary_request import (
    joined,
    question_hash,
    redo_blocks,
    request_of,
)
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.llm.session import RequestSession


# A block is asked after the one before it, which it continues. A long backlog is cut into as many
# runs as requests may be made at once, so that only the first block of a run lacks the block before
# it (resources/docs/costs.md has the cost of order).
RUN_BLOCKS = 4  # blocks that a run has at least
_READ_AT_ONCE = 500  # messages of a line, some MB where each is a page
_CHANGED = QT_TRANSLATE_NOOP("reports", "the messages changed meanwhile")
_FATAL = (Refused, BadEndpoint, NotConfigured)


@dataclass(slots=True)
class _Tally:
    """Counts of one run so far."""

    events: int = 0
    floors: int = 0
    notices: int = 0
    waiting: int = 0
    failed: list[FailedRange] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    begun: int = 0
    stopped: str = ""


def summarise(
    context: StepContext, todo: Sequence[Floors], extractor: ExtractorChoice
) -> SummaryReport:
    """Summarise blocks. Failed blocks are reported and left for another time.

    Raises LlmError if continuing makes no sense, such as a refused key or a reached limit.
    Cancelling keeps what was finished.
    """
    return _run(_Run(context, choose(context.clients, extractor)), todo)


def resummarise_stale(context: StepContext, extractor: ExtractorChoice) -> SummaryReport:
    """Summarise the floors of the branch's stale events again; new events replace them.

    Locked events and those the user wrote stay, and stay stale. Stale outlines are dissolved: their
    parts are visible again until they are trimmed again.
    """
    run = _Run(replace(context, review=False), choose(context.clients, extractor))
    ranges = [e.source_range for e in context.store.events.stale(context.branch_id)]
    count = context.store.messages.count(context.branch_id)
    floors = joined([(r.start_index, min(r.end_index, count - 1)) for r in ranges])
    size = context.settings.summary_interval
    todo = [block for first, last in floors for block in blocks(first, last, size)]
    run.step.label = StepLabel(REDO_STALE, {"count": len(floors)})
    report = _run(run, todo)
    if report.floors or not todo:
        context.ctx.write(run.take_outlines_apart)
    return replace(report, changes=run.changes())


def redo(context: StepContext, floors: Floors, extractor: ExtractorChoice) -> SummaryReport:
    """Make drafts that summarise ``floors`` again; stored events stay until a draft is saved."""
    run = _Run(replace(context, review=True), choose(context.clients, extractor), "redo")
    return _run(run, redo_blocks(context, floors))


def _run(run: _Run, todo: Sequence[Floors]) -> SummaryReport:
    if todo and run.extractor == "extractive":
        run.extractive(todo)
    elif todo:
        with run.recorder.kept():
            client = run.context.client("summary", run.recorder.record)
            run_async(
                run.context.ctx, run.with_model(client, todo, run.context.settings.llm_parallel)
            )
    tally, recorder = run.tally, run.recorder
    return SummaryReport(
        tally.events,
        tally.floors,
        recorder.calls,
        recorder.prompt_tokens,
        recorder.completion_tokens,
        tuple(sorted(tally.failed, key=lambda f: f.start_index)),
        run.changes(),
        tally.waiting,
        tally.stopped,
        len(todo) - tally.begun if tally.stopped else 0,
        tally.notices,
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """The question about one block: its messages, the request, and the hashes of both."""

    floors: Floors
    messages: Sequence[Message]
    request: list[dict[str, str]]
    source_hash: str
    prompt_hash: str
    formats: Formats = FLOOR_FORMATS


class _LineMessages:
    """All messages of a line, read a few at a time; iterable any number of times."""

    def __init__(self, store: ChatStore, branch_id: str) -> None:
        self._messages, self._branch_id = store.messages, branch_id

    def __iter__(self) -> Iterator[Message]:
        for first in range(0, self._messages.count(self._branch_id), _READ_AT_ONCE):
            last = first + _READ_AT_ONCE - 1
            yield from self._messages.slice(self._branch_id, first, last)


class _Run:
    """One run over blocks of one chat."""

    def __init__(
        self,
        context: StepContext,
        extractor: Literal["llm", "extractive"],
        purpose: DraftPurpose = "new",
    ) -> None:
        self.context = context
        self.extractor = extractor
        self.tally = _Tally()
        self.step = OneStep(context.store, StepLabel(SUMMARISE))
        self.recorder = CallRecorder(context.store, context.ctx, context.meter, "summary")
        self._purpose = purpose
        # Events taken from the messages themselves cost nothing to make again.
        self._is_reviewed = purpose == "redo" or (context.review and extractor == "llm")
        self._finished = 0
        self._stopped: DailyCapReached | None = None
        self._is_given_up = False
        self._too_long = sys.maxsize  # estimated tokens of the shortest request refused

    @property
    def store(self) -> ChatStore:
        return self.context.store

    def extractive(self, todo: Sequence[Floors]) -> None:
        self._begin(todo)
        native = self.context.native
        loaded = claims.load(self.context.ctx, self.store, self.context.branch_id)
        told = claims.narrated(self.store)
        names = told.with_names(self.context.names())
        background = extractive.background(
            self._all_messages(), native, names, told.narrators, told.genders, told.plays
        )
        unknown = self.context.settings.presence_unknown
        is_cut = derive_for_cutting(self.context.ctx, self.store, unknown)
        for floors in todo:
            self._report(len(todo))
            messages = self._read(floors)
            runs = same_company_runs(self.store, messages) if is_cut else [messages]
            who = claims.attributions(messages, loaded.rows.by_message(*floors), told)
            events = [
                event
                for run in runs
                for event in extractive.extract(native.as_sent(run), background=background, who=who)
            ]
            block = BlockContent(
                floors, range_hash(m.swipe_hash for m in messages), "extractive", events
            )
            if self._is_reviewed:
                self._keep_for_review(block)
            else:
                self._commit(block)

    async def with_model(self, client: Client, todo: Sequence[Floors], parallel: int) -> None:
        self._begin(todo)
        async with client.session() as session:

            async def one_after_another(blocks: Sequence[Floors]) -> None:
                for floors in blocks:
                    if self._is_given_up:
                        return
                    self.tally.begun += 1
                    self._report(len(todo))
                    await self._ask(session, floors)

            try:
                async with asyncio.TaskGroup() as group:
                    for blocks in runs_of(todo, parallel):
                        group.create_task(one_after_another(blocks))
            except BaseExceptionGroup as errors:  # the first error is why the others were cancelled
                raise errors.exceptions[0] from None
        if self._stopped is not None:
            raise self._stopped

    async def _ask(self, session: RequestSession, floors: Floors) -> None:
        if self._is_without_story(floors):
            return
        question = self._question(floors)
        answered = self._answered(question)
        if answered is not None:
            self._take(answered)
            return
        halves = self._halves(floors)
        size = sum(estimate_tokens(message["content"]) for message in question.request)
        if not halves or size < self._too_long:
            try:
                await self._ask_whole(session, question)
            except TooLong as e:
                if not halves:
                    self.tally.failed.append(FailedRange(*floors, e.phrase))
                    told = sum(estimate_tokens(m.text) for m in question.messages)
                    if told < size / 2:  # the instructions alone are too long
                        self._is_given_up = True
                        self.tally.stopped = e.phrase
                self._too_long = min(self._too_long, size)
            else:
                return
        for half in halves:
            if not self._is_given_up:
                await self._ask(session, half)

    async def _ask_whole(self, session: RequestSession, question: _Question) -> None:
        """Ask about a block and use the answer. Raises TooLong, and errors that end a run."""
        floors = question.floors
        try:
            answer = await extract(session, question.request, formats=question.formats)
        except TooLong:
            raise
        except DailyCapReached as e:  # requests under way are finished, since they are paid for
            self._is_given_up = True
            self._stopped = e
        except _FATAL:
            self._is_given_up = True
            raise
        except BadAnswer as e:
            self._keep(replace(self._draft(question, e.raw), state="failed", reason=e.phrase))
            self.tally.failed.append(FailedRange(*floors, e.phrase, e.raw))
        except LlmError as e:
            self.tally.failed.append(FailedRange(*floors, e.phrase))
            if is_lasting(e) and not self._is_given_up:
                self._is_given_up = True
                self.tally.stopped = e.phrase
        else:
            events = placed(answer.events, answer.floors, SourceRange(*floors))
            draft = replace(self._draft(question, answer.raw), events=events)
            if self._is_reviewed:
                draft = replace(draft, state="waiting")
            self._keep(draft)
            self._take(draft)

    def _halves(self, floors: Floors) -> list[Floors]:
        """Return the halves of a block that is too long for a model; none if it cannot be cut.

        A redone block is not cut, since it replaces one stored block.
        """
        first, last = floors
        if first == last or self._purpose == "redo":
            return []
        middle = (first + last) // 2
        return [(first, middle), (middle + 1, last)]

    def _is_without_story(self, floors: Floors) -> bool:
        """Return whether a block holds only notices; then it is stored as done, unasked."""
        messages = self._read(floors)
        if not all(m.is_untold for m in messages):
            return False
        if self._purpose == "redo":
            self._finished += 1
        else:
            self._commit(
                BlockContent(floors, range_hash(m.swipe_hash for m in messages), "llm", ())
            )
        return True

    def take_outlines_apart(self) -> None:
        self.tally.touched |= dissolve_stale(self.context, self.step)

    def changes(self) -> Changes:
        """Return what the run changed so far."""
        tally = self.tally
        return Changes(
            chat_id=self.store.chat_id,
            events=frozenset(tally.touched),
            rows=bool(tally.touched),
            counts=bool(tally.touched),
            graph=bool(tally.touched),
            drafts=bool(tally.waiting or tally.failed),
            undo_label=self.step.label if tally.floors or tally.touched else None,
        )

    def _draft(self, question: _Question, answer: str) -> Draft:
        return Draft(
            id=new_id(),
            branch_id=self.context.branch_id,
            source_range=SourceRange(*question.floors),
            source_hash=question.source_hash,
            prompt_hash=question.prompt_hash,
            purpose=self._purpose,
            state="answered",
            extractor=self.extractor,
            model=self.context.model("summary") if self.extractor == "llm" else "",
            answer=answer,
            created_at=self.store.clock(),
        )

    def _answered(self, question: _Question) -> Draft | None:
        """Return a stored answer to this question that was paid for but never used; else None."""
        if self._purpose == "redo":
            return None
        model = self.context.model("summary")
        draft = self.store.drafts.answered(question.source_hash, question.prompt_hash, model, "new")
        if draft is None:
            return None
        if draft.floors == question.floors and draft.branch_id == self.context.branch_id:
            return draft
        source = SourceRange(*question.floors)
        return replace(
            draft, source_range=source, events=tuple((e, source) for e, _ in draft.events)
        )

    def _keep(self, draft: Draft) -> None:
        """Store an answer and its cost before anything else is done with it."""

        def unit() -> None:
            self.store.drafts.keep(draft)
            self.recorder.write()

        self.context.ctx.write(unit)

    def _keep_for_review(self, block: BlockContent) -> None:
        source = SourceRange(*block.floors)
        question = _Question(block.floors, (), [], block.source_hash, "")
        draft = self._draft(question, "")
        self._keep(replace(draft, source_range=source, events=tuple(block.events), state="waiting"))
        self.tally.waiting += 1
        self._finished += 1

    def _take(self, draft: Draft) -> None:
        if draft.state == "waiting":
            self.tally.waiting += 1
            self._finished += 1
        elif self._is_reviewed:  # it was answered before review was switched on, or before a crash
            self._keep(replace(draft, id=new_id(), state="waiting"))
            self.tally.waiting += 1
            self._finished += 1
        else:
            self._commit(content_of(draft))

    def _begin(self, todo: Sequence[Floors]) -> None:
        if todo and not self.step.label.params:
            params = {"first": todo[0][0], "last": todo[-1][1]}
            self.step.label = StepLabel(SUMMARISE, params)

    def _report(self, total: int) -> None:
        self.context.ctx.report(self._finished, total, "summary")

    def _read(self, floors: Floors) -> list[Message]:
        return self.store.messages.slice(self.context.branch_id, *floors)

    def _all_messages(self) -> Iterable[Message]:
        return _LineMessages(self.store, self.context.branch_id)

    def _question(self, floors: Floors) -> _Question:
        messages = self._read(floors)
        request, language = request_of(self.context, messages, floors)
        return _Question(
            floors,
            messages,
            request,
            range_hash(m.swipe_hash for m in messages),
            question_hash(self.context, messages, language),
            self.context.prompts.formats("summary", language, FLOOR_FORMATS),
        )

    def _commit(self, block: BlockContent) -> None:
        """Store one block, if its messages have not changed since they were read."""
        now_there: list[Message] = []

        def unit() -> bool:
            now_there[:] = self._read(block.floors)
            if range_hash(m.swipe_hash for m in now_there) != block.source_hash:
                return False
            with self.step.part():
                self.tally.touched.update(
                    store_block(self.store, block, self.context.renderer, self.context.branch_id)
                )
            return True

        if self.context.ctx.write(unit):
            self.tally.floors += block.floors[1] - block.floors[0] + 1
            self.tally.events += len(block.events)
            self.tally.notices += sum(m.is_untold for m in now_there)
        else:
            self.tally.failed.append(FailedRange(*block.floors, Phrase(_CHANGED)))
        self._finished += 1


def runs_of(todo: Sequence[Floors], parallel: int) -> list[Sequence[Floors]]:
    """Split blocks into at most ``parallel`` runs of neighbours, each of RUN_BLOCKS or more."""
    count = max(1, min(parallel, len(todo) // RUN_BLOCKS))
    edges = [len(todo) * n // count for n in range(count + 1)]
    return [todo[a:b] for a, b in itertools.pairwise(edges)]


_T = QT_TRANSLATE_NOOP


def ask_other(context: StepContext, draft: Draft, model: str) -> Draft:
    """Ask ``model`` about the messages of ``draft``, and store its answer beside the draft.

    If these floors are summarised by that model later, the answer is reused. Raises Conflict if the
    messages have changed since the draft, LlmError (BadAnswer carries the answer).
    """
    override = replace(context.prompts.override("summary"), model=model)
    overrides = {**context.prompts.overrides, "summary": override}
    context = replace(context, prompts=replace(context.prompts, overrides=overrides))
    messages = context.store.messages.slice(context.branch_id, *draft.floors)
    if range_hash(m.swipe_hash for m in messages) != draft.source_hash:
        raise Conflict(Phrase(_T("reports", "its messages")))
    request, language = request_of(context, messages, draft.floors)
    formats = context.prompts.formats("summary", language, FLOOR_FORMATS)
    recorder = CallRecorder(context.store, context.ctx, context.meter, "summary")
    with recorder.kept():
        client = context.client("summary", recorder.record)
        answer = run_async(context.ctx, _ask(client, request, formats))
        other = replace(
            draft,
            id=new_id(),
            prompt_hash=question_hash(context, messages, language),
            state="answered",
            extractor="llm",
            model=model,
            answer=answer.raw,
            events=placed(answer.events, answer.floors, SourceRange(*draft.floors)),
            created_at=context.store.clock(),
        )

        def unit() -> None:
            context.store.drafts.add_other(other)
            recorder.write()

        context.ctx.write(unit)
    return other


async def _ask(client: Client, request: list[dict[str, str]], formats: Formats) -> Extraction:
    async with client.session() as session:
        return await extract(session, request, formats=formats)


AROUND = 150  # messages on either side from which people and places are known: some screens
_WIDE = "。！？”」』…）"  # after these, Chinese continues without a blank


def propose(context: StepContext, floors: Floors, *, by_model: bool) -> PlotExtraction | None:
    """Return one event about these floors, not stored; None if there is nothing to say.

    Raises LlmError if ``by_model``.
    """
    return joined_events(_by_model(context, floors) if by_model else _by_reader(context, floors))


def joined_events(events: Sequence[PlotExtraction]) -> PlotExtraction | None:
    """Join several events into one."""
    if not events:
        return None
    first = events[0]
    summary = first.summary
    for event in events[1:]:
        gap = "" if summary.endswith(tuple(_WIDE)) else " "
        summary = f"{summary}{gap}{event.summary}"
    return replace(
        first,
        summary=summary,
        keywords=tuple(dict.fromkeys(chain.from_iterable(e.keywords for e in events))),
        entities=tuple(dict.fromkeys(chain.from_iterable(e.entities for e in events))),
        relations=tuple(dict.fromkeys(chain.from_iterable(e.relations for e in events))),
        details="\n".join(e.details for e in events if e.details),
        significance_score=max(e.significance_score for e in events),
        kind="event",
    )


def _by_reader(context: StepContext, floors: Floors) -> list[PlotExtraction]:
    messages, native = context.store.messages, context.native
    first, last = max(0, floors[0] - AROUND), floors[1] + AROUND
    near = messages.slice(context.branch_id, first, last)
    told = claims.narrated(context.store)
    names = told.with_names(context.names())
    background = extractive.background(
        near, native, names, told.narrators, told.genders, told.plays
    )
    chosen = messages.slice(context.branch_id, *floors)
    rows = context.store.claims.rows([m.id for m in chosen])
    who = claims.attributions(chosen, rows, told)
    sent = native.as_sent(chosen)
    return [e for e, _span in extractive.extract(sent, background=background, who=who)]


def _by_model(context: StepContext, floors: Floors) -> list[PlotExtraction]:
    messages = context.store.messages.slice(context.branch_id, *floors)
    request, language = request_of(context, messages, floors)
    formats = context.prompts.formats("summary", language, FLOOR_FORMATS)
    recorder = CallRecorder(context.store, context.ctx, context.meter, "summary")

    async def ask(client: Client) -> list[PlotExtraction]:
        async with client.session() as session:
            return list((await extract(session, request, formats=formats)).events)

    with recorder.kept():
        return run_async(context.ctx, ask(context.client("summary", recorder.record)))


QUOTED = 160  # characters of a line that are shown: about four lines of the panel


def sources_of(
    context: StepContext, floors: tuple[int, int], text: str
) -> tuple[SentenceSource, ...]:
    """Find the lines that support each sentence of ``text`` in the messages of ``floors``."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    messages = context.store.messages.slice(context.branch_id, *floors)
    messages = [m for m in messages if not m.is_untold]
    native = context.native
    texts = [clean(m.text, native.rules) for m in native.as_sent(messages)]
    tokens = [
        frozenset(index_tokens(f"{m.name} {text}")) for m, text in zip(messages, texts, strict=True)
    ]
    sources = []
    for sentence in split_sentences(text):
        words = question_words(sentence, rjieba.cut, rjieba.suggest_freq)
        found = evidence(sentence, words, tokens)
        lines = tuple(_line(messages[at], texts[at], words) for at in sorted(found.lines))
        sources.append(SentenceSource(found, lines))
    return tuple(sources)


def _line(message: Message, text: str, words: list[QuestionWord]) -> SourceLine:
    """Return a message from the sentence on that holds most of ``words``, cut short."""
    parts = split_sentences(text) or [text]

    def said(part: str) -> float:
        tokens = frozenset(index_tokens(part))
        return sum(word.rarity * word.said_in(tokens) for word in words)

    best = max(range(len(parts)), key=lambda at: said(parts[at]))
    quotation = cut_short(" ".join(parts[best:]), QUOTED)
    return SourceLine(message.seq, message.name, f"… {quotation}" if best else quotation)
