"""The prompts of a library: read, changed, and compared with the built-in ones."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TypeVar

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import EDIT_PROMPT, PROMPT_MODEL, RESET_PROMPT, StepLabel
from engram_desktop.domain.macros.chat_macros import OLDER_NAMES
from engram_desktop.domain.macros.fill import unknown_macros
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    TITLES,
    ModelOverride,
    Output,
    PromptRow,
    PromptTask,
    PromptTemplate,
    variables_of,
)
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.formats.javascript.ejs import without_programs
from engram_desktop.llm.endpoint.endpoint import Endpoint
from engram_desktop.services.prompts.prompts import Language, Prompts, built_in
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.prompt_templates import ANY_LANGUAGE, PromptTemplates

_T = QT_TRANSLATE_NOOP
K = TypeVar("K")


def prompts_of(library: Library) -> Prompts:
    """Return the prompts in use."""
    rows = PromptTemplates(library.database).all()
    own_prompts: dict[tuple[str, str], PromptTemplate] = {
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
    return Prompts(own_prompts, overrides, MacroScope(now=now))


def _template(task: PromptTask, language: Language, body: dict[str, str]) -> PromptTemplate:
    output: Output = "text" if body.get("output") == "text" else "json"
    return PromptTemplate(task, language, body["system"], body["user"], output)


def row(prompts: Prompts, task: str, language: str) -> PromptRow:
    """Return one prompt beside the built-in one. Raises NotFound."""
    prompt_task = task_of(task)
    tongue = next((one for one in LANGUAGES if one == language), None)
    if tongue is None:
        raise NotFound("prompt", f"{task} {language}")
    template = prompts.template(prompt_task, tongue)
    return PromptRow(
        template, built_in(prompt_task, tongue), prompts.override(prompt_task), unknown_in(template)
    )


def unknown_in(template: PromptTemplate) -> tuple[str, ...]:
    """Name the macros of a template that mean nothing to its task."""
    text = without_programs(f"{template.system}\n{template.user}")
    return unknown_macros(text, {**variables_of(template.task), **OLDER_NAMES})


def unknown_in_texts(
    texts: Mapping[K, str], known: Mapping[str, object]
) -> dict[K, tuple[str, ...]]:
    """Name the macros of texts that are none of ``known``; texts without such are left out."""
    unknown = {
        key: unknown_macros(without_programs(text), known)
        for key, text in texts.items()
        if "{{" in text
    }
    return {key: names for key, names in unknown.items() if names}


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
    with library.step(_about(RESET_PROMPT, task_of(task))):
        PromptTemplates(library.database).remove(task, language)


def set_override(library: Library, task: str, override: ModelOverride) -> None:
    """Ask another model for a task. Raises BadEndpoint."""
    table, prompt_task = PromptTemplates(library.database), task_of(task)
    if override == prompts_of(library).override(prompt_task):
        return
    with library.step(_about(PROMPT_MODEL, prompt_task)):
        if override == ModelOverride():
            table.remove(prompt_task, ANY_LANGUAGE)
            return
        url = Endpoint(override.base_url).base_url if override.base_url else ""
        body = {"base_url": url, "model": override.model.strip()}
        table.put(prompt_task, ANY_LANGUAGE, body, library.clock())


def _about(label: str, task: PromptTask) -> StepLabel:
    return StepLabel(label, {"task": TITLES[task]})


def difference(row: PromptRow) -> str:
    """Return what differs from the built-in prompt, as a unified diff; empty if nothing."""
    parts: list[str] = []
    for part in ("system", "user"):
        old, new = (getattr(t, part).splitlines() for t in (row.default, row.template))
        parts += difflib.unified_diff(old, new, f"{part} (built in)", part, lineterm="")
    return "\n".join(parts)


def task_of(task: str) -> PromptTask:
    """Return the task of this name. Raises NotFound."""
    for known_task in TASKS:
        if known_task == task:
            return known_task
    raise NotFound("prompt", task)
