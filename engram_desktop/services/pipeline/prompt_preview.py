"""The very request that a task would send next, or about given floors. Sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    PromptPreview,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.pipeline import outlines, profiles, reflect, trim
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.pipeline.summary import blocks, request
from engram_desktop.services.prompts.prompt_library import task_of, unknown_in
from engram_desktop.services.prompts.prompts import Language
from engram_desktop.services.recall import expand

_T = QT_TRANSLATE_NOOP

Request = tuple[list[dict[str, str]], Language]


def preview(
    desk: Desk, task: str, floors: Floors | None, template: PromptTemplate | None
) -> PromptPreview:
    """Return the very request that a task would send; ``template`` tries one not saved yet."""
    prompt_task = task_of(task)
    if template is not None:
        # Whatever the language of the chat: this is the text that is looked at.
        own_prompts = dict(desk.prompts.own)
        own_prompts.update({(task, language): template for language in LANGUAGES})
        desk = replace(desk, prompts=replace(desk.prompts, own=own_prompts))
    messages, language = _request(desk, prompt_task, floors)
    used = desk.prompts.template(prompt_task, language)
    return PromptPreview(
        tuple((m["role"], m["content"]) for m in messages),
        sum(estimate_tokens(m["content"]) + 4 for m in messages),
        desk.model(prompt_task),
        desk.prompts.override(prompt_task).base_url or desk.clients.base_url("llm"),
        unknown_in(used),
    )


def _request(desk: Desk, task: PromptTask, floors: Floors | None) -> Request:
    """Return the request about ``floors``; without them the one that would be sent next."""
    store, branch_id = desk.store, desk.branch_id
    last = store.messages.count(branch_id) - 1
    if last < 0:
        raise InputError(Phrase(_T("reports", "The chat has no message yet.")))
    match task:
        case "summary" | "reflect":
            block = _block(desk, task, floors, last)
            messages = store.messages.slice(branch_id, *block)
            if task == "summary":
                return request.request_of(desk, messages, block)
            return reflect.request_of(desk, messages, block)
        case "expand" | "triage":
            query = RecallQuery("", branch_id=branch_id)
            recent = desk.native.as_sent(expand.recent_turns(store, query))
            questions: Sequence[str] = [m.text for m in recent if m.role == "user"]
            question = questions[-1] if questions else recent[-1].text
            return expand.request_of(desk.prompts, question, recent, desk.native.rules, task)
    events = _events(desk, task, floors, last)
    if not events:
        raise InputError(
            Phrase(
                _T("reports", "Nothing is remembered of these floors yet: summarise them first.")
            )
        )
    if task == "trim":
        return outlines.request_of(desk, events)
    return profiles.request_of(desk, events, profiles.named_in(store, events, branch_id))


def _block(desk: Desk, task: PromptTask, floors: Floors | None, last: int) -> Floors:
    """The floors asked for, or those a task would take next, or the newest."""
    if floors is not None:
        return min(floors[0], last), min(floors[1], last)
    todo = (
        blocks.unfinished(desk, None, "llm")[0] if task == "summary" else reflect.todo(desk, None)
    )
    return todo[0] if todo else (max(0, last - desk.settings.summary_interval + 1), last)


def _events(desk: Desk, task: PromptTask, floors: Floors | None, last: int) -> list[EventNode]:
    """The events of floors, or those a task would take next, or those of the newest floors."""
    store, branch_id = desk.store, desk.branch_id
    if floors is None:
        events = trim.next_events(desk) if task == "trim" else profiles.next_events(desk)
        if events:
            return events
        floors = (max(0, last - desk.settings.summary_interval + 1), last)
    return [e for e in store.events.at_floors(branch_id, *floors) if e.level == 0]
