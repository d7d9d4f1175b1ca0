"""The request for a summary: its text, its blocks of messages, and its cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engram_desktop.domain.claims.answer import standing
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.inject import cut_short, defused
from engram_desktop.domain.macros.scope import Value
from engram_desktop.domain.memory.line import content_hash, range_hash
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.pipeline.automation import blocks
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.reports import SummaryPlan
from engram_desktop.domain.text.cleaning import clean, in_a_row
from engram_desktop.domain.text.scene_heading import scene_heading
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.events.blocks import NAMES_READ, Floors, checked, names_in
from engram_desktop.services.pipeline.step_context import StepContext, choose
from engram_desktop.services.prompts.macro_scope import summary_events
from engram_desktop.services.prompts.prompts import Language, chat_history, language_of
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.claims import unpacked

PROMPT_TOKENS = 2_000  # tokens of rules, names and claims: all except messages and story
STORY_TOKENS = 400  # tokens of the story before a block; what still holds is given by claims too
STORY_NEWEST = 4  # events given in full: what a block continues
ENTITIES_SHOWN = 40  # names given, those in the messages first: limits the request
STANDING_FLOORS = 1_000  # floors before a block whose standing claims are given
STANDING_SHOWN = 40  # claims given, some 15 tokens each: with 30, lies revealed later were left out
STANDING_CHARS = 40  # characters of the words of a claim: enough to find it again


def request_of(
    context: StepContext, messages: Sequence[Message], floors: Floors
) -> tuple[list[dict[str, str]], Language]:
    """Return the request about a block, and its language; notices are left out."""
    messages = [m for m in messages if not m.is_untold]
    before = summary_events(
        context.store, context.branch_id, STORY_TOKENS, STORY_NEWEST, until=floors[0] - 1
    )
    cleaned = _cleaned(context, messages)
    values: dict[str, Value] = {
        "knownEntities": in_a_row(_known_names(context, floors[0], cleaned)) or "—",
        "engramSummaries": "\n".join(f"- {e.summary}" for e in before) or "—",
        "standingClaims": "\n".join(_standing(context, floors[0], messages, cleaned)) or "—",
        "first": str(floors[0]),
        "last": str(floors[1]),
        "chatHistory": chat_history(messages, cleaned),
        "lastMessage": cleaned[-1] if cleaned else "",
        "worldbookContext": lambda: context.worldbook(floors[1]) or "—",
    }
    language = language_of(cleaned)
    return context.prompts.request("summary", language, values), language


def _standing(
    context: StepContext, floor: int, messages: Sequence[Message], cleaned: Sequence[str]
) -> list[str]:
    """Return claims of a model before a block that still stand, as lines: floor, who, words."""
    store, first = context.store, max(0, floor - STANDING_FLOORS)
    if not floor:
        return []
    heads = store.messages.revisions(context.branch_id, first, floor - 1)
    packed_claims = store.claims.answered([head[0] for head in heads])
    claims = [
        claim
        for message_id, seq, _name, _role, key in heads
        if (row := packed_claims.get((message_id, key)))
        for claim in unpacked(seq, row)
    ]
    block = "\n".join([*(m.name for m in messages), *cleaned])
    rows = [
        f"[{c.floor}] {c.speaker or '—'}: {cut_short(' '.join(c.quote.split()), STANDING_CHARS)}"
        for c in standing(claims, STANDING_SHOWN, block)
    ]
    return [defused(row, "chat_history") for row in rows]


def question_hash(context: StepContext, messages: Sequence[Message], language: Language) -> str:
    """Return a hash of the question: model, prompt and messages, without the story before.

    The story before a block grows while others are answered; an answer that was paid for must stay
    the answer to the same question.
    """
    messages = [m for m in messages if not m.is_untold]
    template = context.prompts.template("summary", language)
    history = chat_history(messages, _cleaned(context, messages))
    return content_hash(context.model("summary"), template.system, template.user, history)


def _cleaned(context: StepContext, messages: Sequence[Message]) -> list[str]:
    native = context.native
    texts = [clean(m.text, native.rules) for m in native.as_sent(messages)]
    return _with_headings(messages, texts)


def _with_headings(messages: Sequence[Message], texts: Sequence[str]) -> list[str]:
    """Put time and place before a text if they stood in a panel that was removed from it.

    A heading equal to the one before is not repeated.
    """
    before, told = "", []
    for message, text in zip(messages, texts, strict=True):
        heading = scene_heading(message.text)
        parts = [part for part in (heading.when, heading.where) if part and part not in text]
        scene = f"({', '.join(parts)}) " if parts and text else ""
        told.append(text if scene == before else f"{scene}{text}")
        before = scene or before
    return told


def _known_names(context: StepContext, floor: int, texts: Sequence[str]) -> list[str]:
    """Return names to reuse: those the block mentions first, then the best known.

    Names in events before the block are included, since the graph holds consolidated events only.
    """
    store = context.store
    names = [e.name for e in store.entities.find("", ENTITIES_SHOWN, context.branch_id)]
    names += names_in(store.events.before(floor, NAMES_READ, context.branch_id))
    by_norm = {norm_name(name): name for name in reversed(names)}
    text = norm_name("\n".join(texts))
    mentioned = [name for norm, name in by_norm.items() if norm in text]
    others = [name for name in reversed(by_norm.values()) if name not in set(mentioned)]
    return [*mentioned, *others][:ENTITIES_SHOWN]


PLANNED_WHOLE = 60  # blocks read for the cost; of more, a sample is read


def plan(context: StepContext, floors: Floors | None, extractor: ExtractorChoice) -> SummaryPlan:
    """Return the blocks that would be summarised, and the approximate cost of the prompts."""
    todo, done_floors = unfinished(context, floors, choose(context.clients, extractor))
    return replace(plan_blocks(context, todo, extractor), already_done=done_floors)


def plan_blocks(
    context: StepContext, todo: Sequence[Floors], choice: ExtractorChoice, *, is_redo: bool = False
) -> SummaryPlan:
    """Return the cost of summarising these blocks; a redo pays for answered ones again."""
    extractor = choose(context.clients, choice)
    waiting = context.store.drafts.counts(context.branch_id).waiting
    if extractor != "llm":
        return SummaryPlan(tuple(todo), extractor, "", 0, 0, waiting)
    model = context.model("summary")
    answered_drafts = checked(
        context.store, context.branch_id, context.store.drafts.find(context.branch_id, ["answered"])
    )
    paid = {d.floors for d in answered_drafts if d.model == model and not d.is_outdated}
    open_blocks = [floors for floors in todo if floors not in paid or is_redo]
    tokens = prompt_tokens(context.store, context.branch_id, open_blocks)
    answered = len(todo) - len(open_blocks)
    return SummaryPlan(tuple(todo), extractor, model, tokens, 0, waiting, answered)


def prompt_tokens(store: ChatStore, branch_id: str, todo: Sequence[Floors]) -> int:
    """Return the approximate tokens of the prompts of these blocks; of many, from a sample."""
    sample = todo[:: -(-len(todo) // PLANNED_WHOLE)] if todo else []
    tokens = 0
    for first, last in sample:
        messages = store.messages.slice(branch_id, first, last)
        costs = [estimate_tokens(m.text) + 6 for m in messages if not m.is_untold]
        tokens += PROMPT_TOKENS + STORY_TOKENS + sum(costs) if costs else 0
    return round(tokens * len(todo) / max(1, len(sample)))


def redo_blocks(context: StepContext, floors: Floors) -> list[Floors]:
    """Return the blocks to make again: stored ones, whole, and new ones for other floors."""
    count = context.store.messages.count(context.branch_id)
    first, last = max(0, floors[0]), min(floors[1], count - 1)
    stored = [(a, min(b, count - 1)) for a, b, *_rest in context.store.blocks(context.branch_id)]
    touched = joined((a, b) for a, b in stored if a <= last and b >= first)
    todo: list[Floors] = []
    for start, end in touched:
        todo += blocks(first, start - 1, context.settings.summary_interval)
        todo.append((start, end))
        first = end + 1
    return todo + blocks(first, last, context.settings.summary_interval)


def joined(ranges: Iterable[Floors]) -> list[Floors]:
    """Join ranges that overlap, in order."""
    result: list[Floors] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], last))
        elif first <= last:
            result.append((first, last))
    return result


def unfinished(
    context: StepContext, floors: Floors | None, extractor: str, skip: Sequence[Floors] = ()
) -> tuple[list[Floors], int]:
    """Return the blocks to summarise, and how many floors of the range are done already.

    A floor is done if an unchanged block holds it that a model made, or any extractor if no model
    is wanted now, or if a draft of it waits for review. Floors in ``skip`` count as done too. Reads
    only.
    """
    store, settings, branch_id = context.store, context.settings, context.branch_id
    count = store.messages.count(branch_id)
    first, last = floors if floors is not None else (0, count - 1 - settings.summary_newest)
    first, last = max(0, first), min(last, count - 1)
    if last < first:
        return [], 0
    is_done = bytearray(last - first + 1)
    hashes = store.messages.hashes(branch_id)
    stored = [
        (a, b, key)
        for a, b, key, by in store.blocks(branch_id)
        if by == "llm" or extractor != "llm"
    ]
    stored += [
        (*d.floors, d.source_hash)
        for d in store.drafts.find(branch_id, ["waiting"])
        if d.purpose == "new"
    ]
    ranges = [(a, b) for a, b, key in stored if range_hash(hashes[a : b + 1]) == key]
    for start, end in [*ranges, *skip]:
        for floor in range(max(start, first), min(end, last) + 1):
            is_done[floor - first] = 1
    todo: list[Floors] = []
    for run in _runs(is_done):
        todo += blocks(first + run[0], first + run[1], settings.summary_interval)
    return todo, sum(is_done)


def _runs(is_done: bytearray) -> list[Floors]:
    """Return the runs of zeros in ``is_done``, as (first, last)."""
    runs: list[Floors] = []
    for n, flag in enumerate(is_done):
        if flag:
            continue
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs
