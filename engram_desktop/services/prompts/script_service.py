"""Regex scripts and the program's own rules: what messages go through before a model reads them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.regex_script import AI_OUTPUT, Scope, StoredScript
from engram_desktop.domain.text.text_steps import CleaningRule, TextStep
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.prompts import cleaning, scripts
from engram_desktop.services.prompts import native as natives

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.reports import ImportPreview, ImportReport
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts

_OWN = "own:"  # begins the key of a rule of the program


class ScriptService:
    """Regex scripts. The program's own rules run after all of them."""

    def __init__(self, session: Session, chat_prompts: ChatPrompts) -> None:
        self._session = session
        self._chat_prompts = chat_prompts

    def all(self) -> list[StoredScript]:
        """Every script, in the order they run."""
        return scripts.table(self._session.library).all()

    def rules(self) -> list[CleaningRule]:
        """The program's own rules, which run after all scripts."""
        settings = self._session.settings()
        keys = [(name, f"clean.{name}") for name in cleaning.RULES]
        return [CleaningRule(name, key, settings.get(key)) for name, key in keys]

    def preview_file(self, path: Path) -> ImportPreview:
        """Say what a file of scripts holds. Raises InputError."""
        return scripts.preview(self._session.library, path)

    def import_file(
        self, ctx: JobContext, path: Path, scope: Scope = "global", owner: str = ""
    ) -> ImportReport:
        """Take the scripts of a file in; ``owner`` names a character or preset."""
        return scripts.import_file(self._session.library, ctx, path, scope, owner)

    def export(self, ctx: JobContext, ids: Collection[str], target: Path) -> int:
        """Write scripts, or all, to a new file, to the byte as they came; returns how many."""
        ctx.check()
        scripts_chosen = [self._find(key) for key in ids] if ids else self.all()
        return scripts.write_file(target, scripts_chosen)

    def set_enabled(self, key: str, *, enabled: bool) -> Changes:
        """Switch a script, or by ``own:NAME`` a rule of the program, on or off."""
        if key.startswith(_OWN):
            name = key.removeprefix(_OWN)
            if name not in cleaning.RULES:
                raise NotFound("regex script", key)
            self._session.library.set_setting(f"clean.{name}", enabled)
            return Changes(settings=True)
        return scripts.switch(self._session.library, self._find(key), on=enabled)

    def move(self, key: str, by: int) -> Changes:
        """Let a script run earlier (negative) or later among those of its scope."""
        return scripts.move(self._session.library, self._find(key), by)

    def delete(self, key: str) -> Changes:
        """Take a script out of the library. The file it came from is not touched."""
        return scripts.delete(self._session.library, self._find(key))

    def try_on(self, text: str, ids: Collection[str] = ()) -> list[TextStep]:
        """Say what scripts make of a text, switched on or not; all that are on without ``ids``."""
        scripts_chosen = [self._find(key) for key in ids] or [s for s in self.all() if s.is_enabled]
        return natives.Native(scripts_chosen, self._session.javascript).trial(text, AI_OUTPUT)

    def steps_of(self, line: Line, floor: int) -> list[TextStep]:
        """Say what each step makes of one message before a model reads it. Raises NotFound."""
        store = self._session.chat(line.chat_id)
        messages: Sequence[Message] = store.messages.slice(line.branch_id, floor, floor)
        if not messages:
            raise NotFound("message", floor)
        settings = self._session.settings(line.chat_id)
        native = self._chat_prompts.native(NullContext(), store, settings, line.branch_id)
        # Only looked at: it is a run that switches a script off.
        return replace(native, on_fault=lambda _script, _error: None).steps(messages[0])

    def _find(self, key: str) -> StoredScript:
        """Return the script with this id or name. Raises NotFound."""
        stored = self.all()
        by_id = [one for one in stored if one.id == key]
        matching = by_id or [one for one in stored if one.script.name == key]
        if not matching:
            raise NotFound("regex script", key)
        return matching[0]
