"""Which blocks of messages are to be summarised, and about what that costs. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engram_desktop.domain.memory.ids import range_hash
from engram_desktop.domain.pipeline.drafts.draft import ExtractorChoice
from engram_desktop.domain.pipeline.triggers import blocks
from engram_desktop.domain.reports import SummaryPlan
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.events.blocks import Floors, checked
from engram_desktop.services.pipeline.desk import Desk, choose
from engram_desktop.services.pipeline.summary.request import PROMPT_TOKENS, STORY_TOKENS

PLANNED_WHOLE = 60  # blocks; of more, the cost is estimated by a sample


def plan(desk: Desk, floors: Floors | None, extractor: ExtractorChoice) -> SummaryPlan:
    """Say which blocks would be summarised, and about what the prompts cost."""
    todo, done_floors = unfinished(desk, floors, choose(desk.clients, extractor))
    return replace(plan_blocks(desk, todo, extractor), already_done=done_floors)


def plan_blocks(
    desk: Desk, todo: Sequence[Floors], choice: ExtractorChoice, *, is_redo: bool = False
) -> SummaryPlan:
    """Say what it costs to summarise these blocks; a redo asks again what was answered."""
    extractor = choose(desk.clients, choice)
    waiting = desk.store.drafts.counts(desk.branch_id).waiting
    if extractor != "llm":
        return SummaryPlan(tuple(todo), extractor, "", 0, 0, waiting)
    model = desk.model("summary")
    answered_drafts = checked(
        desk.store, desk.branch_id, desk.store.drafts.find(desk.branch_id, ["answered"])
    )
    paid = {d.floors for d in answered_drafts if d.model == model and not d.is_outdated}
    open_blocks = [floors for floors in todo if floors not in paid or is_redo]
    tokens = prompt_tokens(desk, open_blocks)
    answered = len(todo) - len(open_blocks)
    return SummaryPlan(tuple(todo), extractor, model, tokens, 0, waiting, answered)


def prompt_tokens(desk: Desk, todo: Sequence[Floors]) -> int:
    """About what the prompts of these blocks cost; of many, a sample is read."""
    sample = todo[:: -(-len(todo) // PLANNED_WHOLE)] if todo else []
    tokens = 0
    for first, last in sample:
        messages = desk.store.messages.slice(desk.branch_id, first, last)
        costs = [estimate_tokens(m.text) + 6 for m in messages if not m.is_untold]
        tokens += PROMPT_TOKENS + STORY_TOKENS + sum(costs) if costs else 0
    return round(tokens * len(todo) / max(1, len(sample)))


def redo_blocks(desk: Desk, floors: Floors) -> list[Floors]:
    """Blocks to make again: those there are, whole, and new ones where there is none."""
    count = desk.store.messages.count(desk.branch_id)
    first, last = max(0, floors[0]), min(floors[1], count - 1)
    stored = [(a, min(b, count - 1)) for a, b, *_rest in desk.store.blocks(desk.branch_id)]
    touched = joined((a, b) for a, b in stored if a <= last and b >= first)
    todo: list[Floors] = []
    for start, end in touched:
        todo += blocks(first, start - 1, desk.settings.summary_interval)
        todo.append((start, end))
        first = end + 1
    return todo + blocks(first, last, desk.settings.summary_interval)


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
    """Runs of zeros in ``is_done``, as (first, last)."""
    runs: list[Floors] = []
    for n, flag in enumerate(is_done):
        if flag:
            continue
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs
