"""The texts sent to a model: the built-in prompts or the user's, filled with a chat's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from engram_desktop.domain.errors import PromptFailed, PromptStopped, ScriptFailed, ScriptStopped
from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.macros.values import Value, Values, Variables
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    TITLES,
    Language,
    ModelOverride,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.ejs import Parts, Printed, Rendered, has_program, render
from engram_desktop.formats.javascript.ejs import names_in as names_of_programs
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.llm.answers.structured import Formats
from engram_desktop.shipped import resource

__all__ = ["Language", "Prompts", "built_in", "chat_history", "language_of"]
_CJK = re.compile(r"[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
PARTS = {
    "system": QT_TRANSLATE_NOOP("reports", "system part"),
    "user": QT_TRANSLATE_NOOP("reports", "user part"),
}
# Values that programs may want to reckon with.
_NUMBERS = ("first", "last", "count", "limit", "lastMessageId", "firstIncludedMessageId")
_PRINTED = "engram-printed-"


def language_of(texts: Sequence[str]) -> Language:
    """Return zh if a fifth of the letters are Chinese, else en."""
    sample = "".join(text[:500] for text in texts[:50])
    letters = len(_LETTER.findall(sample))
    return "zh" if letters and len(_CJK.findall(sample)) * 5 >= letters else "en"


def chat_history(messages: Sequence[Message], cleaned: Sequence[str]) -> str:
    """Lay out messages for a model: floor, speaker, text. Angle brackets cannot close the block."""
    rows = [
        f"[{m.seq}] {m.name or m.role}: {text}"
        for m, text in zip(messages, cleaned, strict=True)
        if text
    ]
    return defused("\n".join(rows), "chat_history")


def built_in(task: PromptTask, language: Language) -> PromptTemplate:
    """Return the prompt that comes with the program."""
    system, user = (
        resource(f"prompts/{language}/{task}.{part}.md").read_text("utf-8").strip()
        for part in ("system", "user")
    )
    return PromptTemplate(task, language, system, user)


def _printed(rendered: Rendered) -> Iterator[tuple[int, Printed]]:
    return ((n, p) for n, p in enumerate(rendered.pieces) if isinstance(p, Printed))


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts in use: the user's where there are any, else the built-in ones."""

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

        Raises PromptFailed, PromptStopped: no request is made of half a template.
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
        """Run the programs of a template. What they print becomes values of ``scope``."""
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
        """Return how the answer is asked for: as ``usual``, or as plain text."""
        return (None,) if self.template(task, language).output == "text" else usual
