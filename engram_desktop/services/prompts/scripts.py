"""The regex scripts of a library: taken in, switched, written out, and put to work on a chat."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import FileExists, InputError, ScriptFailed
from engram_desktop.domain.labels import (
    DELETE_SCRIPT,
    IMPORT_SCRIPTS,
    MOVE_SCRIPT,
    SCRIPT_OFF,
    SCRIPT_ON,
    StepLabel,
)
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.text.regex_script import RegexScript, Scope, StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.json_text import find_value
from engram_desktop.formats.tavern import regex_script
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.prompts import macro_scope, native, program_parts
from engram_desktop.services.prompts.cleaning import rules_of
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.regex_scripts import RegexScripts

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

logger = logging.getLogger(__name__)
KIND = "regex"
_CAME_WITH_CARD = QT_TRANSLATE_NOOP(
    "reports",
    "Regex scripts that came with the card: {count}. They are off until you switch them on under"
    " Scripts and prompts.",
)


def table(library: Library) -> RegexScripts:
    return RegexScripts(library.database, _read)


def _read(raw: str) -> RegexScript:
    return regex_script.read_scripts(raw, "library.db")[0]


def preview(library: Library, path: Path) -> ImportPreview:
    """Say what importing a file of scripts would do. Raises InputError."""
    read_scripts = regex_script.read_file(path)
    stored_raws = {s.script.raw for s in table(library).all()}
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
    library: Library, ctx: JobContext, path: Path, scope: Scope, owner: str
) -> ImportReport:
    """Take scripts in; one that is there already is left as it is. Raises InputError."""
    read_scripts = regex_script.read_file(path)
    added = ctx.write(lambda: add(library, read_scripts, scope, owner))
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


def add(library: Library, new_scripts: list[RegexScript], scope: Scope, owner: str) -> int:
    """Add scripts, on or off as they say themselves; return how many are new."""
    scripts = table(library)
    with library.step(StepLabel(IMPORT_SCRIPTS, {"count": len(new_scripts)})):
        keys = [scripts.add(s, scope, owner, enabled=not s.disabled) for s in new_scripts]
    return sum(key is not None for key in keys)


def switch(library: Library, stored: StoredScript, *, on: bool) -> Changes:
    """Switch a script on or off; what stopped it before is forgotten."""
    label = StepLabel(SCRIPT_ON if on else SCRIPT_OFF, {"name": stored.script.name})
    with library.step(label):
        table(library).set_enabled(stored.id, enabled=on)
    return Changes(settings=True, undo_label=label)


def move(library: Library, stored: StoredScript, by: int) -> Changes:
    """Let a script run earlier or later among those of its scope."""
    label = StepLabel(MOVE_SCRIPT, {"name": stored.script.name})
    with library.step(label):
        table(library).move(stored.id, by)
    return Changes(settings=True, undo_label=label)


def delete(library: Library, stored: StoredScript) -> Changes:
    """Take a script out of the library."""
    label = StepLabel(DELETE_SCRIPT, {"name": stored.script.name})
    with library.step(label):
        table(library).delete(stored.id)
    return Changes(settings=True, undo_label=label)


def take_from_card(library: Library, report: ImportReport, *, is_allowed: bool) -> ImportReport:
    """Take in the scripts that came with a character's card, switched off; say so in the report.

    They are somebody else's programs: it is the user who switches them on. ``is_allowed``: that was
    done already, in SillyTavern. Writes: it runs inside a step.
    """
    row = library.characters.find(report.name)
    text = library.characters.card(row.id).decode("utf-8", "replace")
    span = find_value(text, ("data", "extensions", "regex_scripts"))
    if span is None or text[span[0] : span[1]].strip("[] \r\n\t") in {"", "null"}:
        return report
    try:
        card_scripts = regex_script.read_scripts(text[span[0] : span[1]], report.name)
    except InputError as e:
        note = FileWarning(0, e.phrase)
        return replace(report, warnings=(*report.warnings, note))
    scripts = table(library)
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


def write_file(target: Path, scripts: list[StoredScript]) -> int:
    """Write scripts to a new file; returns how many. Raises InputError."""
    if not scripts:
        raise InputError(Phrase(_T("reports", "There is no regex script to write.")))
    if target.exists():
        raise FileExists(path=target)
    with file_errors(target), target.open("x", encoding="utf-8", newline="") as file:
        file.write(regex_script.write_scripts(scripts))
    return len(scripts)


def native_of(
    library: Library,
    ctx: JobContext,
    store: ChatStore,
    settings: Settings,
    branch_id: str,
    javascript: JavaScript,
) -> native.Native:
    """Put together what the messages of a branch go through. Without scripts it costs nothing."""
    rules = rules_of(settings)
    scripts = table(library)
    stored = scripts.all() if settings.native_regex and scripts.count() else []
    if not stored and not settings.native_ejs:
        return native.Native((), javascript, rules=rules)
    names = store.messages.speakers()
    chat = macro_scope.ChatSays(library, store, settings, branch_id)

    def on_fault(stored: StoredScript, error: ScriptFailed) -> None:
        logger.warning("The regex script %s was switched off: %s", stored.script.name, error)
        if library.can_write:
            with library.lock.claim_if_free() as is_mine:
                if is_mine:
                    ctx.write(lambda: scripts.stop(stored.id, str(error)))

    return native.Native(
        [
            s
            for s in stored
            if s.is_enabled
            and s.script.is_for_prompts
            and (s.scope == "preset" or not s.owner or s.owner in names)
        ],
        javascript,
        chat.scope(),
        variables=(
            (lambda: program_parts.variables_for_programs(chat)) if settings.native_ejs else None
        ),
        parts=program_parts.parts_of(chat) if settings.native_ejs else {},
        rules=rules,
        on_fault=on_fault,
        last_floor=store.messages.count(branch_id) - 1,
        visible=lambda first, last: store.messages.visible(branch_id, first, last),
    )
