"""The prompts: what is said to models for each task, in each language, and by which model."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptRow,
    PromptTemplate,
)
from engram_desktop.services.prompts import macro_scope, prompt_library, text_completion

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from engram_desktop.domain.memory.line import Line
    from engram_desktop.services.library.session import Session


K = TypeVar("K")


class PromptService:
    """The prompts of a library, the user's or the built-in ones."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> list[PromptRow]:
        """Every prompt, task by task, in each language."""
        prompts = prompt_library.prompts_of(self._session.library)
        return [prompt_library.row(prompts, t, lang) for t in TASKS for lang in LANGUAGES]

    def find(self, task: str, language: str) -> PromptRow:
        """Return one prompt. Raises NotFound."""
        prompts = prompt_library.prompts_of(self._session.library)
        return prompt_library.row(prompts, task, language)

    def unknown_macros(self, template: PromptTemplate) -> tuple[str, ...]:
        """Name the macros of a template that mean nothing to its task."""
        return prompt_library.unknown_in(template)

    def unknown_in_chat(self, line: Line, texts: Mapping[K, str]) -> dict[K, tuple[str, ...]]:
        """Name the macros of ``texts`` that mean nothing in a chat, by the key of each text."""
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return prompt_library.unknown_in_texts(texts, says.values())

    def save(self, template: PromptTemplate, override: ModelOverride | None = None) -> Changes:
        """Use a prompt of the user's, and its own model, from now on.

        Raises InputError, BadEndpoint.
        """
        prompt_library.save(self._session.library, template, override)
        return Changes(settings=True)

    def reset(self, task: str, language: str) -> Changes:
        """Use the built-in prompt again. Raises NotFound."""
        prompt_library.reset(self._session.library, task, language)
        return Changes(settings=True)

    def set_model(self, task: str, override: ModelOverride) -> Changes:
        """Ask another model for a task; its key goes to no other server. Raises BadEndpoint."""
        prompt_library.set_override(self._session.library, task, override)
        return Changes(settings=True)

    def as_text(
        self, line: Line, instruct: str = "", context: str = "", folder: Path | None = None
    ) -> str:
        """Return what a text completion model would get of a chat in its SillyTavern.

        By the templates in use there, or those of these names; ``folder`` is a user's, for a chat
        that lies in none. Raises InputError.
        """
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return text_completion.text_prompt(says, instruct, context, folder)

    def difference(self, task: str, language: str) -> str:
        """Return how a prompt differs from the built-in one, as a unified diff."""
        return prompt_library.difference(self.find(task, language))
