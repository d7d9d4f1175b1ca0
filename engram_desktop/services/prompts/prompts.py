"""The texts sent to a model: built-in or the user's, filled with values of a chat."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engram_desktop.domain.changes import EDIT_PROMPT, PROMPT_MODEL, RESET_PROMPT, StepLabel
from engram_desktop.domain.errors import (
    InputError,
    NotFound,
    PromptFailed,
    PromptStopped,
    ScriptFailed,
    ScriptStopped,
)
from engram_desktop.domain.inject import defused
from engram_desktop.domain.macros.fill import fill, unknown_macros
from engram_desktop.domain.macros.scope import OLDER_NAMES, MacroScope, Value, Values, Variables
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    TITLES,
    Language,
    ModelOverride,
    Output,
    PromptRow,
    PromptTask,
    PromptTemplate,
    variables_of,
)
from engram_desktop.domain.text import cleaning
from engram_desktop.domain.text.moment import local_moment
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.ejs import (
    Parts,
    Printed,
    Rendered,
    has_program,
    render,
    without_programs,
)
from engram_desktop.formats.javascript.ejs import (
    names_in as names_of_programs,
)
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.llm.answers import Formats
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.places import resource
from engram_desktop.services.prompts import macro_scope
from engram_desktop.services.prompts import native as natives
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import ANY_LANGUAGE, PromptTemplates

if TYPE_CHECKING:
    from engram_desktop.domain.claims.marks import Tongue
    from engram_desktop.domain.macros.scope import Value
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.storage.chat.chat_store import ChatStore

__all__ = ["Language", "Prompts", "built_in", "chat_history", "language_of", "tongue_of"]
_CJK = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3041-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
PARTS = {
    "system": QT_TRANSLATE_NOOP("reports", "system part"),
    "user": QT_TRANSLATE_NOOP("reports", "user part"),
}
# Values that programs use as numbers.
_NUMBERS = ("first", "last", "count", "limit", "lastMessageId", "firstIncludedMessageId")
_PRINTED = "engram-printed-"


def language_of(texts: Sequence[str]) -> Language:
    """Return "zh" if a fifth of the letters are Chinese, else "en"."""
    sample = "".join(text[:500] for text in texts[:50])
    letters = len(_LETTER.findall(sample))
    return "zh" if letters and len(_CJK.findall(sample)) * 5 >= letters else "en"


def tongue_of(texts: Sequence[str]) -> Tongue:
    """Return "ja" if a tenth of the letters are kana, else the `language_of` the texts."""
    sample = "".join(text[:500] for text in texts[:50])
    is_japanese = len(_KANA.findall(sample)) * 10 > len(_LETTER.findall(sample))
    return "ja" if is_japanese else language_of(texts)


def chat_history(messages: Sequence[Message], cleaned: Sequence[str]) -> str:
    """Format messages for a model: floor, speaker, text. Tags in texts cannot close the block."""
    rows = [
        f"[{m.seq}] {m.name or m.role}: {text}"
        for m, text in zip(messages, cleaned, strict=True)
        if text
    ]
    return defused("\n".join(rows), "chat_history")


def built_in(task: PromptTask, language: Language) -> PromptTemplate:
    """Return a built-in prompt."""
    system, user = (
        resource(f"prompts/{language}/{task}.{part}.md").read_text("utf-8").strip()
        for part in ("system", "user")
    )
    return PromptTemplate(task, language, system, user)


def _printed(rendered: Rendered) -> Iterator[tuple[int, Printed]]:
    return ((n, p) for n, p in enumerate(rendered.pieces) if isinstance(p, Printed))


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts in use: the user's, else the built-in ones."""

    own: Mapping[tuple[str, str], PromptTemplate] = field(default_factory=dict)
    overrides: Mapping[str, ModelOverride] = field(default_factory=dict)
    scope: MacroScope = field(default_factory=MacroScope)  # of the chat they are about
    variables: Callable[[], Mapping[str, Any]] = dict  # of the chat, for programs
    parts: Parts = field(default_factory=dict)  # of the chat, that programs may read
    javascript: JavaScript | None = None  # None: programs in templates are not run

    def template(self, task: PromptTask, language: Language) -> PromptTemplate:
        return self.own.get((task, language)) or built_in(task, language)

    def override(self, task: PromptTask) -> ModelOverride:
        return self.overrides.get(task, ModelOverride())

    def request(
        self, task: PromptTask, language: Language, values: Mapping[str, Value]
    ) -> list[dict[str, str]]:
        """Return the request of ``task`` as chat messages: the template, run and filled once.

        Raises PromptFailed, PromptStopped; a partly rendered template is never sent.
        """
        template = self.template(task, language)
        named = Values.of(self.scope.values).with_these(values)
        if model := self.override(task).model:
            named = named.with_these({"model": model})
        seed = f"{task} {named.get('first', '')}-{named.get('last', '')}"
        copied = Variables(lambda: self.scope.variables)
        scope = replace(self.scope, values=named, variables=copied, shared={}, seed=seed)
        variables: dict[str, Any] | None = None
        messages = []
        for role, text in (("system", template.system), ("user", template.user)):
            rendered_text, variables = self._rendered(template.task, role, text, scope, variables)
            content = fill(rendered_text, scope).text.strip()
            if content:
                messages.append({"role": role, "content": content})
        return messages

    def _rendered(
        self,
        task: PromptTask,
        role: str,
        text: str,
        scope: MacroScope,
        variables: dict[str, Any] | None,
    ) -> tuple[str, dict[str, Any] | None]:
        """Run the programs of a template; what they print becomes values of ``scope``."""
        if self.javascript is None or not has_program(text):
            return text, variables
        used = names_of_programs(text)
        macro_values = Values.of(scope.values)
        arguments = {
            name: macro_values[key] for key, name in macro_values.written.items() if name in used
        }
        numbers = {n: int(arguments[n]) for n in _NUMBERS if arguments.get(n, "").isdigit()}
        program_values: dict[str, str | int] = {**arguments, **numbers}
        title = Phrase(TITLES[task], "prompts")
        part = Phrase(PARTS[role])
        try:
            before = dict(self.variables()) if variables is None else variables
            rendered = render(text, self.javascript, before, program_values, self.parts)
        except ScriptStopped:
            raise PromptStopped(task=title, part=part) from None
        except ScriptFailed as e:
            line = e.lines[0] if e.lines else 1
            detail = str(e.params["detail"])
            raise PromptFailed(detail, task=title, part=part, line=line) from None
        scope.variables.update(rendered.variables)
        printed = {f"{_PRINTED}{role}{n}": p.text for n, p in _printed(rendered)}
        scope.values = scope.lookup = macro_values.with_these(printed)
        named = [
            f"{{{{{_PRINTED}{role}{n}}}}}" if isinstance(p, Printed) else p
            for n, p in enumerate(rendered.pieces)
        ]
        return "".join(named), rendered.variables

    def formats(self, task: PromptTask, language: Language, usual: Formats) -> Formats:
        """Return the formats of the answer: ``usual``, or plain text if the prompt says so."""
        return (None,) if self.template(task, language).output == "text" else usual


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
    """Return one prompt with the built-in one. Raises NotFound."""
    prompt_task = task_of(task)
    tongue = next((one for one in LANGUAGES if one == language), None)
    if tongue is None:
        raise NotFound("prompt", f"{task} {language}")
    template = prompts.template(prompt_task, tongue)
    return PromptRow(
        template, built_in(prompt_task, tongue), prompts.override(prompt_task), unknown_in(template)
    )


def unknown_in(template: PromptTemplate) -> tuple[str, ...]:
    """Return the macros in a template that its task does not know."""
    text = without_programs(f"{template.system}\n{template.user}")
    return unknown_macros(text, {**variables_of(template.task), **OLDER_NAMES})


def unknown_in_texts(
    texts: Mapping[K, str], known: Mapping[str, object]
) -> dict[K, tuple[str, ...]]:
    """Return the macros of texts that are not in ``known``, by key; others are left out."""
    unknown = {
        key: unknown_macros(without_programs(text), known)
        for key, text in texts.items()
        if "{{" in text
    }
    return {key: names for key, names in unknown.items() if names}


def save(library: Library, template: PromptTemplate, override: ModelOverride | None) -> None:
    """Store a user's prompt; one equal to the built-in prompt is not stored.

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
    """Return to the built-in prompt."""
    with library.step(_about(RESET_PROMPT, task_of(task))):
        PromptTemplates(library.database).remove(task, language)


def set_override(library: Library, task: str, override: ModelOverride) -> None:
    """Set another model for a task. Raises BadEndpoint."""
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
    """Return the unified diff to the built-in prompt; "" if there is none."""
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


NEWEST = 6  # messages sent with a task that does not say how many


class WorldbookTexts(Protocol):
    """The worldbooks' texts at a floor of a line; implemented by the worldbook service."""

    def context(self, ctx: JobContext, line: Line, floor: int, pending: str = "") -> str:
        """Return the texts of the entries that fire for the reply after ``floor``."""
        ...

    def outlets(self, ctx: JobContext, line: Line, floor: int) -> Mapping[str, str]:
        """Return the texts of entries for outlets, by outlet name."""
        ...


class ChatPrompts:
    """The prompts of one chat, and its texts as a model gets them."""

    def __init__(self, session: Session, worldbooks: WorldbookTexts) -> None:
        self._session = session
        self._worldbooks = worldbooks

    def native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native:
        """Return what SillyTavern itself would do to the messages of a branch."""
        session = self._session
        return natives.native_of(
            session.library, ctx, store, settings, branch_id, session.javascript
        )

    def prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts:
        """Return the prompts, with the macros and parts of a chat."""
        session = self._session

        def said(message: Message) -> str:
            return cleaning.clean(native.as_sent([message])[0].text, native.rules)

        def history() -> str:
            newest = store.messages.slice(branch_id, max(0, chat.count - NEWEST), chat.count - 1)
            return chat_history(newest, [said(m) for m in newest])

        def context() -> str:
            return self._worldbooks.context(ctx, Line(store.chat_id, branch_id), chat.count - 1)

        def outlets() -> Mapping[str, str]:
            return self._worldbooks.outlets(ctx, Line(store.chat_id, branch_id), chat.count - 1)

        chat = macro_scope.ChatSays(session.library, store, settings, branch_id, said)
        values: dict[str, Value] = {
            "chatHistory": history,
            "worldbookContext": context,
            "model": session.clients.model("llm"),
        }
        scope = chat.scope()
        return replace(
            prompts_of(session.library),
            scope=replace(scope, values=scope.lookup.with_these(values), outlets=outlets),
            variables=lambda: natives.variables_for_programs(chat),
            parts=natives.parts_of(chat),
            javascript=session.javascript if settings.native_ejs else None,
        )
