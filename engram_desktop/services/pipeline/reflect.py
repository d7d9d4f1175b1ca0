"""Look back for events that a summary missed, and for characters' thoughts (note 003 §3.3).

Each block of floors is one undoable step: events in the buffer, private logs, and the cursor. A
model is asked once for each mind, with that mind's logs only, so that no request holds another's
secrets. Logs of a mind that was not asked about are refused, and events that repeat a log are
dropped, since everybody knows events. The request holds what is remembered already; repetitions of
it are dropped. The cursor never passes a block whose answer could not be used. An answer is stored
the moment it arrives, so that a killed run does not pay for it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from engram_desktop.domain.changes import REFLECT, Changes, StepLabel
from engram_desktop.domain.errors import BadAnswer, DailyCapReached, LlmError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.macros.scope import Value
from engram_desktop.domain.memory.event import EventNode, LogQuery, PrivateLog, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import content_hash, new_id, range_hash
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.automation import blocks
from engram_desktop.domain.pipeline.reflection import (
    Reflection,
    best_match,
    parse_reflection,
    schema,
    shift_op,
)
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter
from engram_desktop.domain.reports import FailedRange, ReflectionPlan, ReflectionReport
from engram_desktop.domain.state.tree import StateOp
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers import ask_json, formats_of, read_json
from engram_desktop.llm.client import Client
from engram_desktop.services.events.blocks import Floors, make_event
from engram_desktop.services.knowledge.actors import People
from engram_desktop.services.knowledge.derive import derive
from engram_desktop.services.knowledge.heard import messages_heard
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.pipeline.step_context import StepContext
from engram_desktop.services.pipeline.summary_request import prompt_tokens
from engram_desktop.services.prompts.prompts import Language, chat_history, language_of

_T = QT_TRANSLATE_NOOP

# What a request holds as known, so that only new things come back: events of the block and before
# it. Limits tokens; not measured.
EVENTS_SHOWN = 40
EARLIER_SHOWN = 4  # events before the block
OWNERS = 12  # characters whose thoughts are asked for
LOGS_SHOWN = 12  # newest logs of these in a request
LOG_CHARS = 200  # of each
SECRETS = 500  # newest logs that an answer is compared with
_FORMATS = formats_of("reflection", schema())
_CHANGED = QT_TRANSLATE_NOOP("reports", "the messages changed meanwhile")


@dataclass(slots=True)
class _Tally:
    events: set[int] = field(default_factory=set)
    logs: int = 0
    floors: int = 0
    known: int = 0
    failed: list[FailedRange] = field(default_factory=list)
    label: StepLabel | None = None


def todo(context: StepContext, floors: Floors | None) -> list[Floors]:
    """Return the blocks to look back on: of ``floors``, or of what is new since the last time.

    Without ``floors``, floors not summarised yet are left for later; if none are summarised, the
    newest floors are.
    """
    count = context.store.messages.count(context.branch_id)
    if floors is None:
        summarized = context.store.scope_state(context.branch_id).last_summarized_floor
        end = (summarized or count - context.settings.summary_newest) - 1
        floors = (context.store.floors_reflected(context.branch_id), end)
    first, last = max(0, floors[0]), min(floors[1], count - 1)
    return list(blocks(first, last, context.settings.summary_interval))


def plan(context: StepContext, floors: Floors | None) -> ReflectionPlan:
    """Return the blocks to look back on, and their approximate cost."""
    todo_blocks = todo(context, floors)
    minds = [
        len(_minds(context, context.store.messages.slice(context.branch_id, *b)))
        for b in todo_blocks
    ]
    tokens = [prompt_tokens(context.store, context.branch_id, [block]) for block in todo_blocks]
    return ReflectionPlan(
        tuple(todo_blocks),
        context.model("reflect"),
        sum(count * cost for count, cost in zip(minds, tokens, strict=True)),
        context.clients.has_llm(),
        sum(minds),
    )


def reflect(context: StepContext, floors: Floors | None) -> ReflectionReport:
    """Look back, block by block. Raises NotConfigured, DailyCapReached, Cancelled.

    Stops at the first block whose answer cannot be used.
    """
    recorder = CallRecorder(context.store, context.ctx, context.meter, "reflect")
    with recorder.kept():
        return _run(context, todo(context, floors), recorder)


def _run(
    context: StepContext, todo_blocks: Sequence[Floors], recorder: CallRecorder
) -> ReflectionReport:
    client = context.client("reflect", recorder.record)
    tally = _Tally()
    for n, block in enumerate(todo_blocks):
        context.ctx.report(n, len(todo_blocks), "reflect")
        try:
            _block(context, client, block, tally, recorder)
        except DailyCapReached:
            raise
        except BadAnswer as e:
            tally.failed.append(FailedRange(*block, e.phrase, e.raw))
        except LlmError as e:
            tally.failed.append(FailedRange(*block, e.phrase))
        if tally.failed:
            break
    else:
        context.ctx.report(len(todo_blocks), len(todo_blocks), "reflect")
    return ReflectionReport(
        len(tally.events),
        tally.logs,
        tally.floors,
        tally.known,
        recorder.calls,
        recorder.prompt_tokens,
        recorder.completion_tokens,
        tuple(tally.failed),
        Changes(
            chat_id=context.store.chat_id,
            events=frozenset(tally.events),
            logs=tally.logs > 0,
            rows=bool(tally.events),
            counts=bool(tally.events),
            undo_label=tally.label,
        ),
    )


@dataclass(frozen=True, slots=True)
class _MindAnswer:
    """A model's answer about one mind; ``key`` is the key it is stored under."""

    mind: str
    key: str
    reflection: Reflection


def _block(
    context: StepContext, client: Client, floors: Floors, tally: _Tally, recorder: CallRecorder
) -> None:
    """Ask about one block, mind by mind, and store what is new. Raises LlmError."""
    messages = context.store.messages.slice(context.branch_id, *floors)
    derive(context.ctx, context.store, context.settings.presence_unknown)
    answers = [
        _mind(context, client, messages, floors, mind, recorder)
        for mind in _minds(context, messages)
        if not mind or messages_heard(context.store, _asker(context, mind), *floors)
    ]
    if not context.ctx.write(lambda: _store(context, messages, floors, answers, tally)):
        tally.failed.append(FailedRange(*floors, Phrase(_CHANGED)))


def _mind(
    context: StepContext,
    client: Client,
    messages: Sequence[Message],
    floors: Floors,
    mind: str,
    recorder: CallRecorder,
) -> _MindAnswer:
    """Ask about one mind, unless an answer is stored. Raises LlmError."""
    request, language = request_of(context, messages, floors, mind)
    formats = context.prompts.formats("reflect", language, _FORMATS)

    async def ask() -> str:
        async with client.session() as session:
            return (await ask_json(session, request, formats)).text

    answers, key = context.store.reflection_answers, _name(context, request)
    answer = answers.get(key)
    if answer is None:
        answer = run_async(context.ctx, ask())
        context.ctx.write(lambda: _keep(context, key, answer, recorder))
    loose = read_json(answer)
    reflection = parse_reflection(loose.value)
    if not reflection.is_usable or loose.is_half:
        context.ctx.write(lambda: answers.remove(key))
        faults = [*loose.faults, *reflection.faults]
        raise BadAnswer(
            "; ".join(str(f) for f in faults[:5]) or Phrase(_T("reports", "it is empty")),
            raw=answer,
        )
    return _MindAnswer(mind, key, reflection)


def _name(context: StepContext, request: Sequence[Mapping[str, str]]) -> str:
    """Return a hash of request and model, the key of the stored answer."""
    return content_hash(context.model("reflect"), json.dumps(request, ensure_ascii=False))


def _keep(context: StepContext, key: str, answer: str, recorder: CallRecorder) -> None:
    """Store an answer and its cost before anything else is done with it."""
    context.store.reflection_answers.put(key, answer, context.store.clock())
    recorder.write()


def _store(
    context: StepContext,
    read_messages: Sequence[Message],
    floors: Floors,
    answers: Sequence[_MindAnswer],
    tally: _Tally,
) -> bool:
    """Store what is new in the answers, as one step; False if the messages changed meanwhile."""
    store, branch_id = context.store, context.branch_id
    source_hash = range_hash(m.swipe_hash for m in read_messages)
    if range_hash(m.swipe_hash for m in store.messages.slice(branch_id, *floors)) != source_hash:
        return False
    known_events, now = _known(context, floors), store.clock()
    logs_answered = [log for answer in answers for log in answer.reflection.logs]
    secrets = [*_secrets(context), *(log.content for log in logs_answered)]
    summaries = [e.summary for e in known_events]
    events: list[EventNode] = []
    for data in (event for answer in answers for event in answer.reflection.events):
        if best_match(data.summary, summaries) is not None or _repeats(data, secrets):
            tally.known += 1
            continue
        summaries.append(data.summary)
        source = SourceRange(*floors)
        at = now + len(events)
        events.append(make_event(data, source, at, "llm", context.renderer, branch_id, source_hash))
    logs = _logs(context, floors, answers, [*known_events, *events])
    tally.known += len(logs_answered) - len(logs)
    label = StepLabel(REFLECT, {"first": floors[0], "last": floors[1]})
    with store.step(label):
        tally.events.update(store.events.add(events, now))
        store.logs.add(logs, now)
        for op in _mood_shifts(context, floors, answers, logs):
            store.state_ops.add(branch_id, floors[1], op)
        for answer in answers:
            store.reflection_answers.remove(answer.key)
        state = store.scope_state(branch_id)
        reached = store.floors_reflected(branch_id)
        if floors[0] <= reached:
            reached = max(reached, floors[1] + 1)
        store.save_scope_state(replace(state, last_reflected_floor=reached), branch_id)
    tally.logs += len(logs)
    tally.floors += floors[1] - floors[0] + 1
    tally.label = label
    return True


def _mood_shifts(
    context: StepContext, floors: Floors, answers: Sequence[_MindAnswer], logs: Sequence[PrivateLog]
) -> list[StateOp]:
    """Return the state changes of the stored logs, each with its log as the reason."""
    shifts = [
        (answer.mind, shift, log.content)
        for answer in answers
        for log in answer.reflection.logs
        if any(new.owner == answer.mind and new.content == log.content for new in logs)
        for shift in log.shifts
    ]
    tree = context.state(floors[1]) if shifts else {}
    return [shift_op(tree, mind, shift, reason[:LOG_CHARS]) for mind, shift, reason in shifts]


def _secrets(context: StepContext) -> list[str]:
    """Return the texts of the newest private logs of a line that not everybody may know."""
    keys = context.store.logs.find(LogQuery(branch_id=context.branch_id))[-SECRETS:]
    logs = context.store.logs.fetch(keys)
    return [log.content for log in logs.values() if log.scope != "global"]


def _repeats(data: PlotExtraction, secrets: Sequence[str]) -> bool:
    """Return whether an event repeats one of ``secrets``, texts of private logs."""
    kv = data.structured_kv
    texts = (data.summary, data.details, kv.event, kv.causality, *kv.logic)
    return any(text and best_match(text, secrets) is not None for text in texts)


def _logs(
    context: StepContext,
    floors: Floors,
    answers: Sequence[_MindAnswer],
    events: Sequence[EventNode],
) -> list[PrivateLog]:
    """Return new log entries of the minds that were asked about; known ones are left out."""
    before = _newest_logs(context, floors, [answer.mind for answer in answers])
    summaries = [e.summary for e in events]
    new_logs: list[PrivateLog] = []
    for answer in answers:
        unheard = _unheard(context, floors, answer.mind)
        for log in answer.reflection.logs:
            own_texts = [old.content for old in (*before, *new_logs) if old.owner == answer.mind]
            is_theirs = bool(answer.mind) and norm_name(log.owner) == norm_name(answer.mind)
            if not is_theirs or best_match(log.content, own_texts) is not None:
                continue
            if best_match(log.content, unheard) is not None:
                continue  # the mind did not perceive what it would be thinking of
            about = best_match(log.about, summaries) if log.about else None
            new_logs.append(
                PrivateLog(
                    0,
                    new_id(),
                    context.branch_id,
                    answer.mind,
                    log.content,
                    SourceRange(*floors),
                    log.emotion_tags,
                    events[about].id if about is not None else None,
                    timestamp=context.store.clock(),
                    extractor="llm",
                    confidence="model",
                )
            )
    return new_logs


def _unheard(context: StepContext, floors: Floors, mind: str) -> list[str]:
    """Return the sentences of a block that a mind did not perceive."""
    where = _asker(context, mind)
    heard = {m.seq: m.text for m in messages_heard(context.store, where, *floors)}
    return [
        sentence
        for message in context.store.messages.slice(context.branch_id, *floors)
        for sentence in split_sentences(message.text)
        if norm_name(sentence) not in norm_name(heard.get(message.seq, ""))
    ]


def request_of(
    context: StepContext, messages: Sequence[Message], floors: Floors, mind: str | None = None
) -> tuple[list[dict[str, str]], Language]:
    """Return the request to look back on a block, and its language.

    It holds what ``mind`` may know; by default the first mind of the block.
    """
    native = context.native
    derive(context.ctx, context.store, context.settings.presence_unknown)
    if mind is None:
        mind = _minds(context, messages)[0]
    known_events = _known(context, floors)
    if mind:
        where = _asker(context, mind)
        messages = messages_heard(context.store, where, *floors)
        is_known = context.store.items.known_events(where)
        known_events = [e for e in known_events if is_known(e)]
    cleaned = [clean(m.text, native.rules) for m in native.as_sent(messages)]
    logs = _newest_logs(context, floors, [mind])
    values: dict[str, Value] = {
        "chatHistory": chat_history(messages, cleaned),
        "engramSummaries": "\n".join(f"- {e.summary}" for e in known_events) or "—",
        "characters": mind or "—",
        "privateLogs": "\n".join(f"- {log.owner}: {log.content[:LOG_CHARS]}" for log in logs)
        or "—",
        "worldbookContext": lambda: context.worldbook(floors[1]) or "—",
        "first": str(floors[0]),
        "last": str(floors[1]),
    }
    language = language_of(cleaned)
    return context.prompts.request("reflect", language, values), language


def _asker(context: StepContext, mind: str) -> ItemFilter:
    """Return the filter of what a mind may know on this line."""
    norms = People.of(context.store).norms(mind)
    path = context.store.branch_path(context.branch_id)
    return ItemFilter(ITEM_KINDS, path, actor=mind, known_as=norms)


def _known(context: StepContext, floors: Floors) -> list[EventNode]:
    """Return events of a block and just before it, in story order; outlines say too little."""
    store, branch_id = context.store, context.branch_id
    at = [e for e in store.events.at_floors(branch_id, *floors) if e.level == 0]
    return [*store.events.before(floors[0], EARLIER_SHOWN, branch_id), *at][-EVENTS_SHOWN:]


def _minds(context: StepContext, messages: Sequence[Message]) -> list[str]:
    """Return the minds to ask about; [""] asks once, about events alone, if there are none."""
    return _owners(context, messages) or [""]


def _owners(context: StepContext, messages: Sequence[Message]) -> list[str]:
    """Return whose thoughts may be noted: speakers of a block, and known people it names."""
    store = context.store
    users = {norm_name(name) for name in store.messages.user_names()}
    names = [m.name for m in messages if m.role == "assistant" and m.name]
    text = norm_name("\n".join(m.text for m in messages))
    entities = store.entities.find("", 200, context.branch_id)
    names += [e.name for e in entities if e.type == "char" and norm_name(e.name) in text]
    by_norm = {norm_name(name): name for name in reversed(names)}
    owners = [name for norm, name in reversed(by_norm.items()) if norm not in users]
    return owners[:OWNERS]


def _newest_logs(context: StepContext, floors: Floors, owners: Iterable[str]) -> list[PrivateLog]:
    """Return the last log entries of these owners, up to a block, in story order."""
    owner_set = set(owners)
    keys = context.store.logs.find(LogQuery(branch_id=context.branch_id))
    by_key = context.store.logs.fetch(keys[-500:])
    logs = [by_key[k] for k in keys[-500:] if k in by_key]
    mine = [x for x in logs if x.owner in owner_set and x.source_range.start_index <= floors[1]]
    return mine[-LOGS_SHOWN:]
