"""The services of prompts and of regex scripts: show, edit, import, switch and export them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engram_desktop.domain.changes import (
    DELETE_SCRIPT,
    IMPORT_SCRIPTS,
    MOVE_SCRIPT,
    SCRIPT_OFF,
    SCRIPT_ON,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import FileExists, InputError, NotFound
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptRow,
    PromptTemplate,
)
from engram_desktop.domain.reports import FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.tavern.instruct import (
    BadStoryStringError,
    SentMessage,
    Templates,
    TextPrompt,
)
from engram_desktop.domain.text import cleaning
from engram_desktop.domain.text.regex_script import (
    AI_OUTPUT,
    CleaningRule,
    RegexScript,
    Scope,
    StoredScript,
    TextStep,
)
from engram_desktop.formats.json_text import find_value
from engram_desktop.formats.tavern import settings
from engram_desktop.formats.tavern.texts import read_templates
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.prompts import macro_scope, native
from engram_desktop.services.prompts import prompts as prompt_library
from engram_desktop.services.prompts.macro_scope import ChatSays, json_object
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import RegexScripts

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts

# The prompts of a library: for each task and language, and by which model it is answered.

K = TypeVar("K")


class PromptService:
    """Prompts: the user's, or the built-in ones."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> list[PromptRow]:
        """Return every prompt, task by task, in each language."""
        prompts = prompt_library.prompts_of(self._session.library)
        return [prompt_library.row(prompts, t, lang) for t in TASKS for lang in LANGUAGES]

    def find(self, task: str, language: str) -> PromptRow:
        """Return one prompt. Raises NotFound."""
        prompts = prompt_library.prompts_of(self._session.library)
        return prompt_library.row(prompts, task, language)

    def unknown_macros(self, template: PromptTemplate) -> tuple[str, ...]:
        """Return the macros in a template that its task does not know."""
        return prompt_library.unknown_in(template)

    def unknown_in_chat(self, line: Line, texts: Mapping[K, str]) -> dict[K, tuple[str, ...]]:
        """Return the macros in ``texts`` that a chat does not know, by the key of each text."""
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return prompt_library.unknown_in_texts(texts, says.values())

    def save(self, template: PromptTemplate, override: ModelOverride | None = None) -> Changes:
        """Store the user's prompt and its model override.

        Raises InputError, BadEndpoint.
        """
        prompt_library.save(self._session.library, template, override)
        return Changes(settings=True)

    def reset(self, task: str, language: str) -> Changes:
        """Return to the built-in prompt. Raises NotFound."""
        prompt_library.reset(self._session.library, task, language)
        return Changes(settings=True)

    def set_model(self, task: str, override: ModelOverride) -> Changes:
        """Set another model for a task; a key is sent to no other server. Raises BadEndpoint."""
        prompt_library.set_override(self._session.library, task, override)
        return Changes(settings=True)

    def as_text(
        self, line: Line, instruct: str = "", context: str = "", folder: Path | None = None
    ) -> str:
        """Return the prompt a text completion model would get of a chat in SillyTavern.

        By the templates in use there, or those of these names; ``folder`` is a user's folder, for a
        chat that lies in none. Raises InputError.
        """
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return text_prompt(says, instruct, context, folder)

    def difference(self, task: str, language: str) -> str:
        """Return the difference of a prompt to the built-in one, as a unified diff."""
        return prompt_library.difference(self.find(task, language))


MAX_MESSAGES = 400  # newest messages used: more than any such model reads


def text_prompt(says: ChatSays, instruct: str, context: str, folder: Path | None = None) -> str:
    """Return the prompt for the character's next reply, by the templates in use or those named.

    It holds the card, the persona, history and examples; not what SillyTavern inserts among the
    messages (notes, world info, injections). Nothing is cut, since limits depend on the model. The
    templates are those of ``folder``, a user's, else of the folder the chat lies in. Raises
    InputError if they cannot be read.
    """
    user = folder or says.files.user
    if not user:
        raise InputError(Phrase(_T("reports", "This chat lies in no SillyTavern folder.")))
    templates = read_templates(user, instruct, context)
    if templates is None:
        raise InputError(
            Phrase(
                _T("reports", "The templates of the SillyTavern this chat is of cannot be read.")
            )
        )
    try:
        return _prompt(says, templates)
    except BadStoryStringError as e:
        raise InputError(
            Phrase(_T("reports", "The story string is not written as one: {name}."), name=str(e))
        ) from e


def _prompt(says: ChatSays, templates: Templates) -> str:
    texts = says.files.texts
    prompt = TextPrompt(
        templates, says.filled, says.user(), says.char(), is_group=says.files.members is not None
    )
    system = instruction = ""
    if texts is not None and texts.system_prompt:
        system = _over(says, says.prompt(), texts.system_prompt)
    if texts is not None:
        instruction = _over(says, says.instruction(), texts.instruction)
    values, blocks = says.scope().lookup, says.example_blocks()
    story = {
        "description": values["chardescription"],
        "personality": values["charpersonality"],
        "persona": values["persona"],
        "scenario": values["charscenario"],
        "system": system,
        "mesExamplesRaw": "".join(blocks),
        **dict.fromkeys(_UNKNOWN, ""),
    }
    return prompt.whole(story, _messages(says), blocks, instruction)


_UNKNOWN = ("wiBefore", "wiAfter", "loreBefore", "loreAfter", "anchorBefore", "anchorAfter")


def _over(says: ChatSays, own: str, usual: str) -> str:
    """Return the card's text with ``{{original}}`` filled by ``usual``; ``usual`` without one."""
    if not own:
        return says.of_card(usual)
    scope = says.scope()
    named: Mapping[str, str] = {"original": usual}
    return fill(own, replace(scope, values=scope.lookup.with_these(named))).text


def _messages(says: ChatSays) -> list[SentMessage]:
    first = max(0, says.count - MAX_MESSAGES)
    rows = says.store.messages.as_parsed(says.branch_id, first, says.count - 1)
    messages = says.store.messages.slice(says.branch_id, first, says.count - 1)
    return [
        SentMessage(message.name, says.said(message), message.role == "user", _is_narrator(row))
        for row, message in zip(rows, messages, strict=True)
        if not message.is_hidden
    ]


def _is_narrator(row: ParsedMessage) -> bool:
    extra = json_object(row.raw).get("extra")
    return isinstance(extra, dict) and extra.get("type") == "narrator"


_T = QT_TRANSLATE_NOOP

logger = logging.getLogger(__name__)
KIND = "regex"
_CAME_WITH_CARD = QT_TRANSLATE_NOOP(
    "reports",
    "Regex scripts that came with the card: {count}. They are off until you switch them on under"
    " Scripts and prompts.",
)


def add(library: Library, new_scripts: list[RegexScript], scope: Scope, owner: str) -> int:
    """Add scripts, on or off as they say themselves; returns how many are new."""
    scripts = native.stored_scripts(library)
    with library.step(StepLabel(IMPORT_SCRIPTS, {"count": len(new_scripts)})):
        keys = [scripts.add(s, scope, owner, enabled=not s.disabled) for s in new_scripts]
    return sum(key is not None for key in keys)


def take_from_card(library: Library, report: ImportReport, *, is_allowed: bool) -> ImportReport:
    """Import the scripts of a character's card, switched off, with a note in the report.

    They are programs of somebody else, so the user must switch them on. ``is_allowed``: the user
    did so in SillyTavern. Runs inside the caller's step.
    """
    row = library.characters.find(report.name)
    text = library.characters.card(row.id).decode("utf-8", "replace")
    span = find_value(text, ("data", "extensions", "regex_scripts"))
    if span is None or text[span[0] : span[1]].strip("[] \r\n\t") in {"", "null"}:
        return report
    try:
        card_scripts = settings.read_scripts(text[span[0] : span[1]], report.name)
    except InputError as e:
        note = FileWarning(0, e.phrase)
        return replace(report, warnings=(*report.warnings, note))
    scripts = native.stored_scripts(library)
    keys = [
        scripts.add(s, "scoped", row.name, enabled=is_allowed and not s.disabled)
        for s in card_scripts
    ]
    count = sum(key is not None for key in keys)
    if not count:
        return report
    notes = () if is_allowed else (FileWarning(0, Phrase(_CAME_WITH_CARD, count=count)),)
    changes = report.changes | Changes(settings=True)
    return replace(report, warnings=(*report.warnings, *notes), changes=changes)


_OWN = "own:"  # prefix of the key of a built-in rule


class ScriptService:
    """Regex scripts. The program's own rules run after all of them."""

    def __init__(self, session: Session, chat_prompts: ChatPrompts) -> None:
        self._session = session
        self._chat_prompts = chat_prompts

    def all(self) -> list[StoredScript]:
        """Return every script, in the order they run."""
        return native.stored_scripts(self._session.library).all()

    def rules(self) -> list[CleaningRule]:
        """Return the program's own rules, which run after all scripts."""
        settings = self._session.settings()
        keys = [(name, f"clean.{name}") for name in cleaning.RULES]
        return [CleaningRule(name, key, settings.get(key)) for name, key in keys]

    def preview_file(self, path: Path) -> ImportPreview:
        """Return what importing a file of scripts would do. Raises InputError."""
        read_scripts = settings.read_file(path)
        stored_raws = {s.script.raw for s in self.all()}
        is_known = all(script.raw in stored_raws for script in read_scripts)
        return ImportPreview(
            file=str(path),
            kind=KIND,
            name=read_scripts[0].name,
            characters=(),
            messages=0,
            hidden=0,
            swipes=0,
            first_at=None,
            last_at=None,
            sample=tuple((script.name, script.find[:200]) for script in read_scripts[:3]),
            chat_id=None,
            chat_name=read_scripts[0].name if is_known else None,
            new_messages=0,
            entries=len(read_scripts),
        )

    def import_file(
        self, ctx: JobContext, path: Path, scope: Scope = "global", owner: str = ""
    ) -> ImportReport:
        """Import the scripts of a file; a script that exists already is left as it is.

        ``owner`` names a character or preset. Raises InputError.
        """
        read_scripts = settings.read_file(path)
        added = ctx.write(lambda: add(self._session.library, read_scripts, scope, owner))
        return ImportReport(
            file=str(path),
            kind=KIND,
            chat_id=None,
            messages=0,
            added=added,
            skipped=len(read_scripts) - added,
            changes=Changes(settings=added > 0),
            name=read_scripts[0].name,
        )

    def export(self, ctx: JobContext, ids: Collection[str], target: Path) -> int:
        """Write scripts, or all, to a new file, byte for byte as they came; returns how many.

        Raises InputError.
        """
        ctx.check()
        scripts_chosen = [self._find(key) for key in ids] if ids else self.all()
        if not scripts_chosen:
            raise InputError(Phrase(_T("reports", "There is no regex script to write.")))
        if target.exists():
            raise FileExists(path=target)
        with file_errors(target), target.open("x", encoding="utf-8", newline="") as file:
            file.write(settings.write_scripts(scripts_chosen))
        return len(scripts_chosen)

    def set_enabled(self, key: str, *, enabled: bool) -> Changes:
        """Switch a script, or the built-in rule ``own:NAME``, on or off."""
        if key.startswith(_OWN):
            name = key.removeprefix(_OWN)
            if name not in cleaning.RULES:
                raise NotFound("regex script", key)
            self._session.library.set_setting(f"clean.{name}", enabled)
            return Changes(settings=True)
        return self._step(
            SCRIPT_ON if enabled else SCRIPT_OFF,
            self._find(key),
            lambda scripts, stored_id: scripts.set_enabled(stored_id, enabled=enabled),
        )

    def move(self, key: str, by: int) -> Changes:
        """Move a script earlier (negative) or later among those of its scope."""
        return self._step(
            MOVE_SCRIPT, self._find(key), lambda scripts, stored_id: scripts.move(stored_id, by)
        )

    def delete(self, key: str) -> Changes:
        """Delete a script from the library. The file it came from is not touched."""
        return self._step(DELETE_SCRIPT, self._find(key), RegexScripts.delete)

    def try_on(self, text: str, ids: Collection[str] = ()) -> list[TextStep]:
        """Return what scripts make of a text; without ``ids`` all that are on, else on or off."""
        scripts_chosen = [self._find(key) for key in ids] or [s for s in self.all() if s.is_enabled]
        return native.Native(scripts_chosen, self._session.javascript).trial(text, AI_OUTPUT)

    def steps_of(self, line: Line, floor: int) -> list[TextStep]:
        """Return what each step makes of a message before a model reads it. Raises NotFound."""
        store = self._session.chat(line.chat_id)
        messages: Sequence[Message] = store.messages.slice(line.branch_id, floor, floor)
        if not messages:
            raise NotFound("message", floor)
        settings = self._session.settings(line.chat_id)
        native = self._chat_prompts.native(NullContext(), store, settings, line.branch_id)
        # Only a preview: scripts are switched off by real runs.
        return replace(native, on_fault=lambda _script, _error: None).steps(messages[0])

    def _step(
        self, text: str, stored: StoredScript, write: Callable[[RegexScripts, str], object]
    ) -> Changes:
        label = StepLabel(text, {"name": stored.script.name})
        with self._session.library.step(label):
            write(native.stored_scripts(self._session.library), stored.id)
        return Changes(settings=True, undo_label=label)

    def _find(self, key: str) -> StoredScript:
        """Return the script with this id or name. Raises NotFound."""
        stored = self.all()
        by_id = [one for one in stored if one.id == key]
        matching = by_id or [one for one in stored if one.script.name == key]
        if not matching:
            raise NotFound("regex script", key)
        return matching[0]
