"""Stage 1: blocks of messages become events in the buffer.

A block is asked once: its answer is written down as a draft the moment it arrives, and what is
stored says which messages (by hash) and which request it came from, so that nothing is paid twice
after a crash. Each block is committed as it is finished, or left as a draft for the user's review;
the cursor never passes a block that failed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.draft import Draft, DraftPurpose
from engram_desktop.domain.errors import (
    BadAnswer,
    BadEndpoint,
    DailyCapReached,
    LlmError,
    NotConfigured,
    Refused,
)
from engram_desktop.domain.event import SourceRange
from engram_desktop.domain.ids import content_hash, new_id, range_hash
from engram_desktop.domain.labels import MEND_OUTLINES, REDO_STALE, SUMMARISE, StepLabel
from engram_desktop.domain.macro_values import Value
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.message import Message
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FailedRange, SummaryPlan, SummaryReport
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.domain.triggers import blocks
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.client import Client
from engram_desktop.llm.lasting import is_lasting
from engram_desktop.llm.structured import FORMATS, Formats, extract
from engram_desktop.services import extractive
from engram_desktop.services.blocks import Floors, Made, checked, made_of, store_block
from engram_desktop.services.cleaning import clean
from engram_desktop.services.desk import Desk, ExtractorChoice, choose
from engram_desktop.services.metering import CallBook
from engram_desktop.services.prompts import Language, chat_history, language_of
from engram_desktop.storage.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.llm.session import Session

OUTLINES_SHOWN = 6
ENTITIES_SHOWN = 40
PROMPT_TOKENS = 1_200  # what a prompt costs besides the messages
PLANNED_WHOLE = 60  # blocks; of more, the cost is estimated by a sample
_CHANGED = QT_TRANSLATE_NOOP("reports", "the messages changed meanwhile")
_FATAL = (Refused, BadEndpoint, NotConfigured)


@dataclass(slots=True)
class _Tally:
    """What a run did so far."""

    events: int = 0
    floors: int = 0
    waiting: int = 0
    failed: list[FailedRange] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    group: int | None = None
    begun: int = 0
    stopped: str = ""


def plan(desk: Desk, floors: Floors | None, wanted: ExtractorChoice) -> SummaryPlan:
    """Say which blocks would be summarised, and about what the prompts cost."""
    todo, done = unfinished(desk, floors, choose(desk.clients, wanted))
    return replace(plan_blocks(desk, todo, wanted), already_done=done)


def plan_blocks(
    desk: Desk, todo: Sequence[Floors], wanted: ExtractorChoice, *, is_redo: bool = False
) -> SummaryPlan:
    """Say what it costs to summarise these blocks; a redo asks again what was answered."""
    extractor = choose(desk.clients, wanted)
    waiting = desk.store.drafts.counts(desk.branch_id).waiting
    if extractor != "llm":
        return SummaryPlan(tuple(todo), extractor, "", 0, 0, waiting)
    model = desk.model("summary")
    kept = checked(desk.store, desk.branch_id, desk.store.drafts.find(desk.branch_id, ["answered"]))
    paid = {d.floors for d in kept if d.model == model and not d.is_outdated}
    asked = [floors for floors in todo if floors not in paid or is_redo]
    tokens = prompt_tokens(desk, asked)
    answered = len(todo) - len(asked)
    return SummaryPlan(tuple(todo), extractor, model, tokens, 0, waiting, answered)


def prompt_tokens(desk: Desk, todo: Sequence[Floors]) -> int:
    """About what the prompts of these blocks cost; of many, a sample is read."""
    sample = todo[:: -(-len(todo) // PLANNED_WHOLE)] if todo else []
    tokens = 0
    for first, last in sample:
        messages = desk.store.messages.slice(desk.branch_id, first, last)
        tokens += PROMPT_TOKENS + sum(estimate_tokens(m.text) + 6 for m in messages)
    return round(tokens * len(todo) / max(1, len(sample)))


def summarise(desk: Desk, todo: Sequence[Floors], wanted: ExtractorChoice) -> SummaryReport:
    """Summarise blocks. Those that fail are reported and left for another time.

    Raises LlmError where going on makes no sense, such as a refused key or a reached limit.
    Cancelling keeps what was finished.
    """
    return _run(_Run(desk, choose(desk.clients, wanted)), todo)


def resummarise_stale(desk: Desk, wanted: ExtractorChoice) -> SummaryReport:
    """Summarise again what the branch's stale events tell of; the new ones take their place.

    Locked events and those a user wrote stay, stale as they are. Stale outlines are taken apart:
    what they were made of is visible again, until it is trimmed anew.
    """
    run = _Run(replace(desk, review=False), choose(desk.clients, wanted))
    ranges = [e.source_range for e in desk.store.events.stale(desk.branch_id)]
    count = desk.store.messages.count(desk.branch_id)
    floors = joined([(r.start_index, min(r.end_index, count - 1)) for r in ranges])
    size = desk.settings.summary_interval
    todo = [block for first, last in floors for block in blocks(first, last, size)]
    run.label = StepLabel(REDO_STALE, {"count": len(floors)})
    report = _run(run, todo)
    if report.floors or not todo:
        desk.ctx.write(run.take_outlines_apart)
    return replace(report, changes=run.changes())


def redo(desk: Desk, floors: Floors, wanted: ExtractorChoice) -> SummaryReport:
    """Make drafts of another summary of ``floors``; what is there stays until they are taken."""
    run = _Run(replace(desk, review=True), choose(desk.clients, wanted), "redo")
    return _run(run, redo_blocks(desk, floors))


def redo_blocks(desk: Desk, floors: Floors) -> list[Floors]:
    """Blocks to make again: those there are, whole, and new ones where there is none."""
    count = desk.store.messages.count(desk.branch_id)
    first, last = max(0, floors[0]), min(floors[1], count - 1)
    held = [(a, min(b, count - 1)) for a, b, *_rest in desk.store.blocks(desk.branch_id)]
    touched = joined((a, b) for a, b in held if a <= last and b >= first)
    todo: list[Floors] = []
    for start, end in touched:
        todo += blocks(first, start - 1, desk.settings.summary_interval)
        todo.append((start, end))
        first = end + 1
    return todo + blocks(first, last, desk.settings.summary_interval)


def joined(ranges: Iterable[Floors]) -> list[Floors]:
    """Join ranges that overlap, in order."""
    found: list[Floors] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        elif first <= last:
            found.append((first, last))
    return found


def _run(run: _Run, todo: Sequence[Floors]) -> SummaryReport:
    if run.extractor == "extractive":
        run.extractive(todo)
    elif todo:
        with run.book.kept():
            client = run.desk.client("summary", run.book.record)
            run_async(run.desk.ctx, run.with_model(client, todo, run.desk.settings.llm_parallel))
    tally, book = run.tally, run.book
    return SummaryReport(
        tally.events,
        tally.floors,
        book.calls,
        book.prompt_tokens,
        book.completion_tokens,
        tuple(sorted(tally.failed, key=lambda f: f.start_index)),
        run.changes(),
        tally.waiting,
        tally.stopped,
        len(todo) - tally.begun if tally.stopped else 0,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """One block as it is asked: its messages, the request, and the names of both."""

    floors: Floors
    messages: Sequence[Message]
    request: list[dict[str, str]]
    source_hash: str
    prompt_hash: str
    formats: Formats = FORMATS


class _Run:
    """One run over the blocks of one chat."""

    def __init__(
        self, desk: Desk, extractor: Literal["llm", "extractive"], purpose: DraftPurpose = "new"
    ) -> None:
        self.desk = desk
        self.extractor = extractor
        self.tally = _Tally()
        self.label = StepLabel(SUMMARISE)
        self.book = CallBook(desk.store, desk.ctx, desk.meter, "summary")
        self._purpose = purpose
        # What was taken from the messages themselves costs nothing to make again.
        self._is_reviewed = purpose == "redo" or (desk.review and extractor == "llm")
        self._finished = 0
        self._stopped: DailyCapReached | None = None
        self._is_given_up = False

    @property
    def store(self) -> ChatStore:
        return self.desk.store

    def extractive(self, todo: Sequence[Floors]) -> None:
        self._begin(todo)
        native = self.desk.native
        background = extractive.background(self._all_texts(), native, self.desk.names())
        for floors in todo:
            self._report(len(todo))
            messages = self._read(floors)
            found = extractive.extract(native.told(messages), background=background)
            made = Made(floors, range_hash(m.swipe_hash for m in messages), "extractive", found)
            if self._is_reviewed:
                self._keep_for_review(made)
            else:
                self._commit(made)

    async def with_model(self, client: Client, todo: Sequence[Floors], parallel: int) -> None:
        self._begin(todo)
        gate = asyncio.Semaphore(parallel)
        async with client.session() as session:

            async def one(floors: Floors) -> None:
                async with gate:
                    if self._is_given_up:
                        return
                    self.tally.begun += 1
                    self._report(len(todo))
                    await self._ask(session, floors)

            try:
                async with asyncio.TaskGroup() as group:
                    for floors in todo:
                        group.create_task(one(floors))
            except BaseExceptionGroup as errors:  # the first is why the others were given up
                raise errors.exceptions[0] from None
        if self._stopped is not None:
            raise self._stopped

    async def _ask(self, session: Session, floors: Floors) -> None:
        asked = self._asked(floors)
        kept = self._kept(asked)
        if kept is not None:
            self._take(kept)
            return
        try:
            answer = await extract(session, asked.request, formats=asked.formats)
        except DailyCapReached as e:  # those under way are finished: they are paid for
            self._is_given_up = True
            self._stopped = e
        except _FATAL:
            self._is_given_up = True
            raise
        except BadAnswer as e:
            self._keep(replace(self._draft(asked, e.raw), state="failed", reason=e.phrase))
            self.tally.failed.append(FailedRange(*floors, e.phrase, e.raw))
        except LlmError as e:
            self.tally.failed.append(FailedRange(*floors, e.phrase))
            if is_lasting(e) and not self._is_given_up:
                self._is_given_up = True
                self.tally.stopped = e.phrase
        else:
            source = SourceRange(*floors)
            events = tuple((event, source) for event in answer.events)
            draft = replace(self._draft(asked, answer.raw), events=events)
            if self._is_reviewed:
                draft = replace(draft, state="waiting")
            self._keep(draft)
            self._take(draft)

    def take_outlines_apart(self) -> None:
        changes, joined = _dissolved(self.desk, self.label, self.tally.group)
        self.tally.touched |= changes
        self.tally.group = joined

    def changes(self) -> Changes:
        """What the run changed so far."""
        tally = self.tally
        return Changes(
            chat_id=self.store.chat_id,
            events=frozenset(tally.touched),
            structure=bool(tally.touched),
            drafts=bool(tally.waiting or tally.failed),
            undo_label=self.label if tally.floors or tally.touched else None,
        )

    # --- drafts ---

    def _draft(self, asked: _Asked, answer: str) -> Draft:
        return Draft(
            id=new_id(),
            branch_id=self.desk.branch_id,
            source_range=SourceRange(*asked.floors),
            source_hash=asked.source_hash,
            prompt_hash=asked.prompt_hash,
            purpose=self._purpose,
            state="answered",
            extractor=self.extractor,
            model=self.desk.model("summary") if self.extractor == "llm" else "",
            answer=answer,
            created_at=self.store.clock(),
        )

    def _kept(self, asked: _Asked) -> Draft | None:
        """An answer to this very question that was paid for and never stored."""
        if self._purpose == "redo":
            return None
        model = self.desk.model("summary")
        found = self.store.drafts.answered(asked.source_hash, asked.prompt_hash, model, "new")
        if found is None:
            return None
        if found.floors == asked.floors and found.branch_id == self.desk.branch_id:
            return found
        source = SourceRange(*asked.floors)
        return replace(
            found, source_range=source, events=tuple((e, source) for e, _ in found.events)
        )

    def _keep(self, draft: Draft) -> None:
        """Write an answer down, with what it cost, before anything else is done with it."""

        def unit() -> None:
            self.store.drafts.keep(draft)
            self.book.write()

        self.desk.ctx.write(unit)

    def _keep_for_review(self, made: Made) -> None:
        source = SourceRange(*made.floors)
        asked = _Asked(made.floors, (), [], made.source_hash, "")
        draft = self._draft(asked, "")
        self._keep(replace(draft, source_range=source, events=tuple(made.events), state="waiting"))
        self.tally.waiting += 1
        self._finished += 1

    def _take(self, draft: Draft) -> None:
        if draft.state == "waiting":
            self.tally.waiting += 1
            self._finished += 1
        elif self._is_reviewed:  # answered before the review was wanted, or before a crash
            self._keep(replace(draft, id=new_id(), state="waiting"))
            self.tally.waiting += 1
            self._finished += 1
        else:
            self._commit(made_of(draft))

    # --- inside ---

    def _begin(self, todo: Sequence[Floors]) -> None:
        if todo and not self.label.params:
            params = {"first": todo[0][0], "last": todo[-1][1]}
            self.label = StepLabel(SUMMARISE, params)

    def _report(self, total: int) -> None:
        self.desk.ctx.report(self._finished, total, "summary")

    def _read(self, floors: Floors) -> list[Message]:
        return self.store.messages.slice(self.desk.branch_id, *floors)

    def _all_texts(self) -> list[Message]:
        return self._read((0, self.store.messages.count(self.desk.branch_id)))

    def _asked(self, floors: Floors) -> _Asked:
        messages = self._read(floors)
        request, language = request_of(self.desk, messages, floors)
        told = json.dumps(request, ensure_ascii=False)
        return _Asked(
            floors,
            messages,
            request,
            range_hash(m.swipe_hash for m in messages),
            content_hash(self.desk.model("summary"), told),
            self.desk.prompts.formats("summary", language, FORMATS),
        )

    def _commit(self, made: Made) -> None:
        """Store one block, if its messages are still what was read."""

        def unit() -> bool:
            now_there = self._read(made.floors)
            if range_hash(m.swipe_hash for m in now_there) != made.source_hash:
                return False
            with self.store.step(self.label, self.tally.group) as joined:
                self.tally.touched.update(
                    store_block(self.store, made, self.desk.renderer, self.desk.branch_id)
                )
            self.tally.group = joined
            return True

        if self.desk.ctx.write(unit):
            self.tally.floors += made.floors[1] - made.floors[0] + 1
            self.tally.events += len(made.events)
        else:
            self.tally.failed.append(FailedRange(*made.floors, Phrase(_CHANGED)))
        self._finished += 1


def mend_outlines(desk: Desk) -> Changes:
    """Take stale outlines of the branch apart: their parts that still stand are told again."""
    label = StepLabel(MEND_OUTLINES)
    touched, _group = _dissolved(desk, label, None)
    return Changes(
        chat_id=desk.store.chat_id,
        events=touched,
        structure=bool(touched),
        undo_label=label if touched else None,
    )


def _dissolved(
    desk: Desk, label: StepLabel, group: int | None
) -> tuple[frozenset[int], int | None]:
    """Undo the stale outlines of the branch, those of the highest level first; say what changed."""
    store = desk.store
    found = store.events.stale(desk.branch_id, outlines=True)
    if not found:
        return frozenset(), group
    touched: set[int] = set()
    with store.step(label, group) as joined:
        for outline in sorted(found, key=lambda e: -e.level):
            touched.update(store.events.dissolve(outline, store.clock()))
    return frozenset(touched), joined


def request_of(
    desk: Desk, messages: Sequence[Message], floors: Floors
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a block, and the language it is put in."""
    store = desk.store
    before = store.events.before(floors[0], OUTLINES_SHOWN, desk.branch_id)
    known = store.entities.find("", ENTITIES_SHOWN, desk.branch_id)
    names = [e.name for e in known]
    native = desk.native
    cleaned = [clean(m.text, native.rules) for m in native.told(messages)]
    values: dict[str, Value] = {
        "knownEntities": "、".join(names) or "—",
        "engramSummaries": "\n".join(f"- {e.summary}" for e in before) or "—",
        "first": str(floors[0]),
        "last": str(floors[1]),
        "chatHistory": chat_history(messages, cleaned),
        "lastMessage": cleaned[-1] if cleaned else "",
        "worldbookContext": lambda: desk.lore(floors[1]) or "—",
    }
    language = language_of(cleaned)
    return desk.prompts.request("summary", language, values), language


def unfinished(
    desk: Desk, floors: Floors | None, extractor: str, skip: Sequence[Floors] = ()
) -> tuple[list[Floors], int]:
    """Blocks to do, and how many floors of the range are done already.

    A floor is done if a block holds it whose messages are unchanged, and which a model made or
    which needs no model now; or if what a model made of it waits for the user's review. ``skip``
    counts as done too.
    """
    store, settings, branch_id = desk.store, desk.settings, desk.branch_id
    count = store.messages.count(branch_id)
    first, last = floors if floors is not None else (0, count - 1 - settings.summary_newest)
    first, last = max(0, first), min(last, count - 1)
    if last < first:
        return [], 0
    done = bytearray(last - first + 1)
    hashes = store.messages.hashes(branch_id)
    made = [
        (a, b, key)
        for a, b, key, by in store.blocks(branch_id)
        if by == "llm" or extractor != "llm"
    ]
    made += [
        (*d.floors, d.source_hash)
        for d in store.drafts.find(branch_id, ["waiting"])
        if d.purpose == "new"
    ]
    ranges = [(a, b) for a, b, key in made if range_hash(hashes[a : b + 1]) == key]
    for start, end in [*ranges, *skip]:
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
