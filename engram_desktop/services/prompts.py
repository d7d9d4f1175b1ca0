"""The texts sent to a model: the built-in prompts or the user's, filled with a chat's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engram_desktop.domain.macro_functions import MacroScope
from engram_desktop.domain.macro_text import folded
from engram_desktop.domain.macros import fill, names_in
from engram_desktop.domain.message import Message
from engram_desktop.domain.prompt_template import (
    Language,
    ModelOverride,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.llm.structured import Formats
from engram_desktop.services.resources import resource

__all__ = ["Language", "Prompts", "built_in", "chat_history", "language_of"]
_CJK = re.compile(r"[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")


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
    return "\n".join(rows).replace("</chat_history", "<\\/chat_history")


def built_in(task: PromptTask, language: Language) -> PromptTemplate:
    """Return the prompt that comes with the program."""
    system, user = (
        resource(f"prompts/{language}/{task}.{part}.md").read_text("utf-8").strip()
        for part in ("system", "user")
    )
    return PromptTemplate(task, language, system, user)


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts in use: the user's where there are any, else the built-in ones."""

    own: Mapping[tuple[str, str], PromptTemplate] = field(default_factory=dict)
    overrides: Mapping[str, ModelOverride] = field(default_factory=dict)
    now: datetime | None = None

    def template(self, task: PromptTask, language: Language) -> PromptTemplate:
        return self.own.get((task, language)) or built_in(task, language)

    def uses(self, task: PromptTask, language: Language, variable: str) -> bool:
        """Whether a template asks for something that takes time to work out."""
        template = self.template(task, language)
        names = names_in(f"{template.system}\n{template.user}")
        return folded(variable) in {folded(name) for name in names}

    def override(self, task: PromptTask) -> ModelOverride:
        return self.overrides.get(task, ModelOverride())

    def request(
        self, task: PromptTask, language: Language, values: Mapping[str, str]
    ) -> list[dict[str, str]]:
        """Return the request of ``task`` as chat messages: the template, filled once."""
        template = self.template(task, language)
        seed = f"{task} {values.get('first', '')}-{values.get('last', '')}"
        scope = MacroScope(values, now=self.now, seed=seed)
        parts = (("system", template.system), ("user", template.user))
        made = [(role, fill(text, scope).text.strip()) for role, text in parts]
        return [{"role": role, "content": text} for role, text in made if text]

    def formats(self, task: PromptTask, language: Language, wanted: Formats) -> Formats:
        """Return how the answer is asked for: as ``wanted``, or as plain text."""
        return (None,) if self.template(task, language).output == "text" else wanted
