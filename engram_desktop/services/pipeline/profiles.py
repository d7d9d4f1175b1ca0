"""Update the profiles of entities: ask a model what recent events say about them.

Consolidated events since the cursor are sent with the present profiles of the entities they name;
the answer holds patches. Locked entities are not changed. The cursor moves after each usable
answer, never past a failed one; a run is one undoable step. Without a model nothing is done.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from engram_desktop.domain.changes import PROFILES, Changes, StepLabel
from engram_desktop.domain.errors import BadAnswer, DailyCapReached, LlmError
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.graph.profile import profile_to_yaml
from engram_desktop.domain.inject import defused
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.patches import ProfilePatches, parse_patches, patched_profile
from engram_desktop.domain.reports import EntityReport
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers import FORMATS, ask_json, read_json
from engram_desktop.llm.client import ChatAnswer, Client
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.pipeline.step_context import StepContext
from engram_desktop.services.pipeline.summary_request import joined
from engram_desktop.services.prompts.prompts import Language, chat_history, language_of
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

TOKENS_ASKED = 3_000  # tokens of events in one request
DIALOGUE_ASKED = 6_000  # tokens of events and messages, if messages are read too
ENTITIES_ASKED = 24  # entities in one request: a longer answer would be cut off; not measured
_EMPTIED = QT_TRANSLATE_NOOP(
    "reports", "the answer would have dropped most of what is known of {name}; it was left as it is"
)


@dataclass(slots=True)
class _Tally:
    step: OneStep
    updated: set[str] = field(default_factory=set)
    facts: int = 0
    failed: list[str] = field(default_factory=list)


def update_profiles(context: StepContext) -> EntityReport:
    """Ask about the consolidated events since the cursor. Raises NotConfigured, DailyCapReached.

    An unusable answer is reported, and requested again the next time.
    """
    recorder = CallRecorder(context.store, context.ctx, context.meter, "entity")
    with recorder.kept():
        return _run(context, recorder)


def _run(context: StepContext, recorder: CallRecorder) -> EntityReport:
    store, ctx = context.store, context.ctx
    client = context.client("entity", recorder.record)
    cursor = store.scope_state(context.branch_id).last_extracted_floor
    events = store.events.ending_since(cursor, context.branch_id)
    tally = _Tally(OneStep(context.store, StepLabel(PROFILES, {"count": 0})))
    count = 0
    for batch in _batches(context, events):
        ctx.report(count, len(events), "entities")
        try:
            _update(context, client, batch, tally)
        except DailyCapReached:
            raise
        except LlmError as e:
            tally.failed.append(e.phrase)
            break
        count += len(batch)
    ctx.report(count, len(events), "entities")
    label = StepLabel(PROFILES, {"count": len(tally.updated)})
    return EntityReport(
        len(tally.updated),
        tally.facts,
        count,
        recorder.calls,
        recorder.prompt_tokens,
        recorder.completion_tokens,
        tuple(tally.failed),
        Changes(
            chat_id=store.chat_id,
            entities=frozenset(tally.updated),
            undo_label=label if count else None,
        ),
    )


def next_events(context: StepContext) -> list[EventNode]:
    """Return the events of the next request; empty if nothing is new."""
    cursor = context.store.scope_state(context.branch_id).last_extracted_floor
    return next(_batches(context, context.store.events.ending_since(cursor, context.branch_id)), [])


def _batches(context: StepContext, events: Sequence[EventNode]) -> Iterator[list[EventNode]]:
    """Split events into requests, never between two that end on the same floor."""
    batch: list[EventNode] = []
    tokens = 0
    most = DIALOGUE_ASKED if context.settings.entities_dialogue else TOKENS_ASKED
    for event in events:
        is_new_floor = batch and event.source_range.end_index != batch[-1].source_range.end_index
        if is_new_floor and tokens > most:
            yield batch
            batch, tokens = [], 0
        batch.append(event)
        tokens += estimate_tokens(event.summary) + 20
        tokens += sum(estimate_tokens(m.text) for m in _dialogue(context, [event]))
    if batch:
        yield batch


def _dialogue(context: StepContext, batch: Sequence[EventNode]) -> list[Message]:
    """Return the messages of the events, each once, if messages are to be read."""
    if not context.settings.entities_dialogue:
        return []
    floors = joined((e.source_range.start_index, e.source_range.end_index) for e in batch)
    return [m for span in floors for m in context.store.messages.slice(context.branch_id, *span)]


def _update(
    context: StepContext, client: Client, batch: Sequence[EventNode], tally: _Tally
) -> None:
    """Ask about one batch, store the patches and move the cursor. Raises LlmError."""
    store, ctx, branch_id = context.store, context.ctx, context.branch_id
    entities = named_in(store, batch, branch_id)
    patches = ProfilePatches({})
    if entities:
        answer = run_async(ctx, _ask(context, client, batch, entities))
        patches = _read(answer)
    by_id = {e.id: e for e in entities}
    by_name = {norm_name(n): e.id for e in entities for n in (e.name, *e.aliases)}

    def unit() -> None:
        now = {e.id: e for e in store.entities.fetch(sorted(by_id), branch_id)}
        changed = {}
        for name, patch in patches.by_name.items():
            entity = now.get(by_name.get(norm_name(name), ""))
            if entity is None or entity.is_locked:
                continue
            profile = patched_profile(entity.profile, patch)
            if profile is None:
                tally.failed.append(Phrase(_EMPTIED, name=entity.name))
            elif profile != entity.profile:
                changed[entity.id] = profile
                tally.facts += sum(profile.get(k) != entity.profile.get(k) for k in patch)
        tally.step.label = StepLabel(PROFILES, {"count": len(tally.updated | changed.keys())})
        with tally.step.part():
            for entity_id, profile in changed.items():
                text = profile_to_yaml(profile)
                store.entity_edits.update(
                    entity_id, store.clock(), profile=profile, description=text
                )
            store.entities.refresh_items(changed)
            reached = max(e.source_range.end_index for e in batch) + 1
            state = store.scope_state(branch_id)
            store.save_scope_state(replace(state, last_extracted_floor=reached), branch_id)
        tally.updated |= changed.keys()

    ctx.write(unit)


def named_in(store: ChatStore, batch: Sequence[EventNode], branch_id: str) -> list[EntityNode]:
    """Return the entities named in the events that may be changed, the best known first."""
    ids = store.entities.of_events([e.pk for e in batch])
    aliases = store.entities.aliases()
    ids |= {
        aliases[norm]
        for event in batch
        for entity in event.raw_data.entities
        if (norm := norm_name(entity.name)) in aliases
    }
    entities = [e for e in store.entities.fetch(sorted(ids), branch_id) if not e.merged_into]
    open_ones = [e for e in entities if not e.is_locked and not e.is_hidden]
    return sorted(open_ones, key=lambda e: -e.event_count)[:ENTITIES_ASKED]


def request_of(
    context: StepContext, batch: Sequence[EventNode], entities: Sequence[EntityNode]
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a batch of events, and its language."""
    listed = "\n".join(
        f"- [{e.source_range.start_index}–{e.source_range.end_index}] {e.summary}" for e in batch
    )
    present = "\n".join(
        json.dumps({"name": e.name, "type": e.type, "profile": e.profile}, ensure_ascii=False)
        for e in entities
    )
    messages = _dialogue(context, batch)
    native = context.native
    cleaned = [clean(m.text, native.rules) for m in native.as_sent(messages)]
    values = {
        "chatHistory": chat_history(messages, cleaned) or "—",
        "events": defused(listed, "events"),
        "entities": defused(present, "entities"),
        "first": str(batch[0].source_range.start_index),
        "last": str(max(e.source_range.end_index for e in batch)),
    }
    language = language_of([e.summary for e in batch])
    return context.prompts.request("entity", language, values), language


async def _ask(
    context: StepContext, client: Client, batch: Sequence[EventNode], entities: Sequence[EntityNode]
) -> ChatAnswer:
    messages, language = request_of(context, batch, entities)
    # No schema: the keys of a profile are free.
    formats = context.prompts.formats("entity", language, FORMATS[1:])
    async with client.session() as session:
        return await ask_json(session, messages, formats=formats)


def _read(answer: ChatAnswer) -> ProfilePatches:
    """Parse an answer. Raises BadAnswer if it is cut off or nothing in it can be used."""
    loose = read_json(answer.text)
    patches = parse_patches(loose.value) if loose.value is not None else ProfilePatches({})
    says_none = loose.value in ({"profiles": []}, {"profiles": {}})
    if loose.is_half or (not patches.by_name and not says_none):
        faults = [*loose.faults, *patches.faults]
        raise BadAnswer(
            "; ".join(str(f) for f in faults[:5]) or Phrase(_T("reports", "it is empty")),
            raw=answer.text,
        )
    return patches
