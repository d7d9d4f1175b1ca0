"""The part of the facade that says what models read: regex scripts, cleaning, prompts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptRow,
    PromptTemplate,
)
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.regex_script import AI_OUTPUT, Scope, StoredScript
from engram_desktop.domain.text.text_steps import CleaningRule, TextStep
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.pipeline import prompt_library
from engram_desktop.services.prompts import cleaning, macro_scope, scripts
from engram_desktop.services.prompts import native as natives
from engram_desktop.services.prompts import prompts as prompt_texts
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.macros.values import Value
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.reports import ImportPreview, ImportReport
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore

NEWEST = 6  # messages that a prompt is told of where its task tells of none


class Prompting(OpenChats):
    """What `Memory` can do about the texts that are sent to models."""

    _library: Library
    _javascript: JavaScript
    _clients: Clients

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    @abstractmethod
    def _lore(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int, pending: str = ""
    ) -> str: ...

    @abstractmethod
    def _outlets(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int
    ) -> Mapping[str, str]: ...

    # --- regex scripts ---

    def regex_scripts(self) -> list[StoredScript]:
        """Every script, in the order they run."""
        return scripts.table(self._library).all()

    def cleaning_rules(self) -> list[CleaningRule]:
        """The program's own rules, which run after all scripts."""
        settings = self.settings()
        keys = [(name, f"clean.{name}") for name in cleaning.RULES]
        return [CleaningRule(name, key, settings.get(key)) for name, key in keys]

    def preview_scripts(self, path: Path) -> ImportPreview:
        return scripts.preview(self._library, path)

    def import_scripts(
        self, ctx: JobContext, path: Path, scope: Scope = "global", owner: str = ""
    ) -> ImportReport:
        """Take the scripts of a file in; ``owner`` names a character or preset."""
        return scripts.import_file(self._library, ctx, path, scope, owner)

    def export_scripts(self, ctx: JobContext, ids: Collection[str], target: Path) -> int:
        """Write scripts to a new file, to the byte as they came; returns how many."""
        ctx.check()
        held = [self._script(key) for key in ids] if ids else self.regex_scripts()
        return scripts.write_file(target, held)

    def set_script_enabled(self, key: str, *, enabled: bool) -> Changes:
        """Switch a script, or by ``own:NAME`` a rule of the program, on or off."""
        if key.startswith("own:"):
            name = key.removeprefix("own:")
            if name not in cleaning.RULES:
                raise NotFound("regex script", key)
            self._library.set_setting(f"clean.{name}", enabled)
            return Changes(settings=True)
        return scripts.switch(self._library, self._script(key), on=enabled)

    def move_script(self, key: str, by: int) -> Changes:
        """Let a script run earlier (negative) or later among those of its scope."""
        return scripts.move(self._library, self._script(key), by)

    def delete_script(self, key: str) -> Changes:
        """Take a script out of the library. The file it came from is not touched."""
        return scripts.delete(self._library, self._script(key))

    def try_scripts(self, text: str, ids: Collection[str] = ()) -> list[TextStep]:
        """Say what scripts make of a text, switched on or not; all that are on without ``ids``."""
        wanted = [self._script(key) for key in ids]
        native = natives.Native(
            wanted or [s for s in self.regex_scripts() if s.is_enabled], self._javascript
        )
        return native.trial(text, AI_OUTPUT)

    def text_steps(self, chat_id: str, floor: int, branch_id: str = MAIN_BRANCH) -> list[TextStep]:
        """Say what each step makes of one message before a model reads it. Raises NotFound."""
        store = self._chat(chat_id)
        found: Sequence[Message] = store.messages.slice(branch_id, floor, floor)
        if not found:
            raise NotFound("message", floor)
        native = self._native(NullContext(), store, self.settings(chat_id), branch_id)
        # Only looked at: it is a run that switches a script off.
        return replace(native, on_fault=lambda _script, _error: None).steps(found[0])

    def _script(self, key: str) -> StoredScript:
        """Return the script with this id or name. Raises NotFound."""
        held = self.regex_scripts()
        for stored in held:
            if stored.id == key:
                return stored
        named = [stored for stored in held if stored.script.name == key]
        if not named:
            raise NotFound("regex script", key)
        return named[0]

    # --- prompts ---

    def prompts(self) -> list[PromptRow]:
        """Every prompt, task by task, in each language."""
        held = self._prompts()
        return [prompt_library.row(held, t, lang) for t in TASKS for lang in LANGUAGES]

    def prompt(self, task: str, language: str) -> PromptRow:
        """Return one prompt. Raises NotFound."""
        return prompt_library.row(self._prompts(), task, language)

    def unknown_in_prompt(self, template: PromptTemplate) -> tuple[str, ...]:
        """Name the macros of a template that mean nothing to its task."""
        return prompt_library.unknown_in(template)

    def save_prompt(
        self, template: PromptTemplate, override: ModelOverride | None = None
    ) -> Changes:
        """Use a prompt of the user's, and its own model, from now on.

        Raises InputError, BadEndpoint.
        """
        prompt_library.save(self._library, template, override)
        return Changes(settings=True)

    def reset_prompt(self, task: str, language: str) -> Changes:
        """Use the built-in prompt again. Raises NotFound."""
        prompt_library.reset(self._library, task, language)
        return Changes(settings=True)

    def set_prompt_model(self, task: str, override: ModelOverride) -> Changes:
        """Ask another model for a task; its key goes to no other server. Raises BadEndpoint."""
        prompt_library.set_override(self._library, task, override)
        return Changes(settings=True)

    def prompt_difference(self, task: str, language: str) -> str:
        """Return how a prompt differs from the built-in one, as a unified diff."""
        return prompt_library.difference(self.prompt(task, language))

    # --- inside ---

    def _prompts(self) -> Prompts:
        return prompt_library.prompts_of(self._library)

    def _chat_prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts:
        """The prompts, with what macros and programs in them may know of a chat."""

        def said(message: Message) -> str:
            return cleaning.clean(native.told([message])[0].text, native.rules)

        def history() -> str:
            newest = store.messages.slice(branch_id, max(0, chat.count - NEWEST), chat.count - 1)
            return prompt_texts.chat_history(newest, [said(m) for m in newest])

        def outlets() -> Mapping[str, str]:
            return self._outlets(ctx, store.chat_id, branch_id, chat.count - 1)

        chat = macro_scope.ChatSays(self._library, store, settings, branch_id, said)
        values: dict[str, Value] = {
            "chatHistory": history,
            "worldbookContext": lambda: self._lore(ctx, store.chat_id, branch_id, chat.count - 1),
            "model": self._clients.model("llm"),
        }
        scope = chat.scope()
        return replace(
            self._prompts(),
            scope=replace(scope, values=scope.held.with_these(values), outlets=outlets),
            variables=lambda: chat.variables,
            javascript=self._javascript if settings.native_ejs else None,
        )

    def _native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native:
        return scripts.native_of(self._library, ctx, store, settings, branch_id, self._javascript)
