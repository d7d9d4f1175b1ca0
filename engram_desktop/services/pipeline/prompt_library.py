"""The prompts of a library: read, changed, compared, and shown as they would be sent."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import EDIT_PROMPT, PROMPT_MODEL, RESET_PROMPT, StepLabel
from engram_desktop.domain.macros.chat_macros import OLDER_NAMES
from engram_desktop.domain.macros.fill import unknown_macros
from engram_desktop.domain.macros.functions import MacroScope
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    TITLES,
    ModelOverride,
    Output,
    PromptPreview,
    PromptRow,
    PromptTask,
    PromptTemplate,
    variables_of,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.formats.javascript.ejs import without_programs
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.pipeline import (
    outlines,
    profiles,
    reflect,
    summary_blocks,
    summary_request,
    trim,
)
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.prompts.prompts import Language, Prompts, built_in
from engram_desktop.services.recall import expand
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.prompt_templates import ANY_LANGUAGE, PromptTemplates

_T = QT_TRANSLATE_NOOP

Request = tuple[list[dict[str, str]], Language]


def prompts_of(library: Library) -> Prompts:
    """Return the prompts in use."""
    rows = PromptTemplates(library.database).all()
    own: dict[tuple[str, str], PromptTemplate] = {
        (task, language): _template(task, language, rows[task, language])
        for task in TASKS
        for language in LANGUAGES
        if (task, language) in rows
    }
    overrides = {
        task: ModelOverride(**body)
        for (task, language), body in rows.items()
        if language == ANY_LANGUAGE
    }
    now = local_moment(library.clock())
    return Prompts(own, overrides, MacroScope(now=now))


def _template(task: PromptTask, language: Language, body: dict[str, str]) -> PromptTemplate:
    output: Output = "text" if body.get("output") == "text" else "json"
    return PromptTemplate(task, language, body["system"], body["user"], output)


def row(prompts: Prompts, task: str, language: str) -> PromptRow:
    """Return one prompt beside the built-in one. Raises NotFound."""
    known = _task(task)
    tongue = next((one for one in LANGUAGES if one == language), None)
    if tongue is None:
        raise NotFound("prompt", f"{task} {language}")
    template = prompts.template(known, tongue)
    return PromptRow(
        template, built_in(known, tongue), prompts.override(known), unknown_in(template)
    )


def unknown_in(template: PromptTemplate) -> tuple[str, ...]:
    """Name the macros of a template that mean nothing to its task."""
    text = without_programs(f"{template.system}\n{template.user}")
    return unknown_macros(text, {**variables_of(template.task), **OLDER_NAMES})


def save(library: Library, template: PromptTemplate, override: ModelOverride | None) -> None:
    """Keep a user's prompt; one that is the built-in one is not kept.

    Raises InputError, BadEndpoint.
    """
    if not template.user.strip() or len(template.system) + len(template.user) > 200_000:
        raise InputError(
            Phrase(
                _T(
                    "reports",
                    "A prompt needs a text for the user's part, of at most 200,000 letters.",
                )
            )
        )
    table = PromptTemplates(library.database)
    with library.step(_about(EDIT_PROMPT, template.task)):
        if template == built_in(template.task, template.language):
            table.remove(template.task, template.language)
        elif template != prompts_of(library).template(template.task, template.language):
            body = {"system": template.system, "user": template.user, "output": template.output}
            table.put(template.task, template.language, body, library.clock())
        if override is not None:
            set_override(library, template.task, override)


def reset(library: Library, task: str, language: str) -> None:
    """Take the built-in prompt again."""
    with library.step(_about(RESET_PROMPT, _task(task))):
        PromptTemplates(library.database).remove(task, language)


def set_override(library: Library, task: str, override: ModelOverride) -> None:
    """Ask another model for a task. Raises BadEndpoint."""
    table, known = PromptTemplates(library.database), _task(task)
    if override == prompts_of(library).override(known):
        return
    with library.step(_about(PROMPT_MODEL, known)):
        if override == ModelOverride():
            table.remove(known, ANY_LANGUAGE)
            return
        url = Endpoint(override.base_url).base_url if override.base_url else ""
        body = {"base_url": url, "model": override.model.strip()}
        table.put(known, ANY_LANGUAGE, body, library.clock())


def _about(label: str, task: PromptTask) -> StepLabel:
    return StepLabel(label, {"task": TITLES[task]})


def difference(found: PromptRow) -> str:
    """Return what differs from the built-in prompt, as a unified diff; empty if nothing."""
    parts: list[str] = []
    for part in ("system", "user"):
        old, new = (getattr(t, part).splitlines() for t in (found.default, found.template))
        parts += difflib.unified_diff(old, new, f"{part} (built in)", part, lineterm="")
    return "\n".join(parts)


def preview(
    desk: Desk, task: str, floors: Floors | None, template: PromptTemplate | None
) -> PromptPreview:
    """Return the very request that a task would send; ``template`` tries one not saved yet."""
    known = _task(task)
    if template is not None:
        # Whatever the language of the chat: this is the text that is looked at.
        own = dict(desk.prompts.own)
        own.update({(task, language): template for language in LANGUAGES})
        desk = replace(desk, prompts=replace(desk.prompts, own=own))
    messages, language = _request(desk, known, floors)
    used = desk.prompts.template(known, language)
    return PromptPreview(
        tuple((m["role"], m["content"]) for m in messages),
        sum(estimate_tokens(m["content"]) + 4 for m in messages),
        desk.model(known),
        desk.prompts.override(known).base_url or desk.clients.base_url("llm"),
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
                return summary_request.request_of(desk, messages, block)
            return reflect.request_of(desk, messages, block)
        case "expand" | "triage":
            query = RecallQuery("", branch_id=branch_id)
            recent = desk.native.told(expand.recent_turns(store, query))
            said: Sequence[str] = [m.text for m in recent if m.role == "user"]
            question = said[-1] if said else recent[-1].text
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
        summary_blocks.unfinished(desk, None, "llm")[0]
        if task == "summary"
        else reflect.todo(desk, None)
    )
    return todo[0] if todo else (max(0, last - desk.settings.summary_interval + 1), last)


def _events(desk: Desk, task: PromptTask, floors: Floors | None, last: int) -> list[EventNode]:
    """The events of floors, or those a task would take next, or those of the newest floors."""
    store, branch_id = desk.store, desk.branch_id
    if floors is None:
        held = trim.next_events(desk) if task == "trim" else profiles.next_events(desk)
        if held:
            return held
        floors = (max(0, last - desk.settings.summary_interval + 1), last)
    return [e for e in store.events.at_floors(branch_id, *floors) if e.level == 0]


def _task(task: str) -> PromptTask:
    for known in TASKS:
        if known == task:
            return known
    raise NotFound("prompt", task)
