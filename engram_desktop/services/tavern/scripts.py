"""Regex scripts of a SillyTavern folder: those of the settings, and those in presets.

They are on here where they run there: the user's own scripts as they say themselves, those of a
preset if it is the one in use and was allowed to run them. All others wait to be switched on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Unreadable
from engram_desktop.domain.labels import IMPORT_SCRIPTS, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.text.regex_script import RegexScript, Scope
from engram_desktop.formats.json_text import find_value
from engram_desktop.formats.json_values import table_of
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.tavern.listing import MAX_JSON
from engram_desktop.formats.tavern.regex_script import NoScript, id_of, usable_scripts
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.prompts.scripts import table
from engram_desktop.storage.library.library import Library

_T = QT_TRANSLATE_NOOP

_WHERE = ("extensions", "regex_scripts")


def take_scripts(
    library: Library,
    ctx: JobContext,
    new_scripts: Sequence[RegexScript],
    *,
    file: str,
    scope: Scope = "global",
    owner: str = "",
    is_on: bool = True,
) -> ImportReport:
    """Take scripts in; one that is newer in the library stays, an older one is renewed."""
    scripts = table(library)
    stored = [s for s in scripts.all() if (s.scope, s.owner) == (scope, owner)]
    raws = {s.script.raw for s in stored}
    by_id = {id_of(s.script): s.id for s in stored if id_of(s.script)}

    def unit() -> int:
        with library.step(StepLabel(IMPORT_SCRIPTS, {"count": len(new_scripts)})):
            return sum(taken(script) for script in new_scripts)

    def taken(script: RegexScript) -> bool:
        older = by_id.get(id_of(script))
        if script.raw in raws:
            return False
        if older is not None:
            scripts.renew(older, script)
            return True
        return scripts.add(script, scope, owner, enabled=is_on and not script.disabled) is not None

    added = ctx.write(unit)
    return ImportReport(
        file=file,
        kind="regex",
        chat_id=None,
        messages=0,
        added=added,
        skipped=len(new_scripts) - added,
        changes=Changes(settings=added > 0),
        name=owner or "、".join(s.name for s in new_scripts[:3]),
    )


def take_preset(library: Library, ctx: JobContext, path: Path, *, is_on: bool) -> ImportReport:
    """Take the regex scripts of a preset in. Nothing else of it is kept. Raises InputError."""
    preset_scripts = scripts_in(path)
    if not preset_scripts:
        raise NoScript(Phrase(_T("reports", "the preset brings none")), file=path.name)
    report = partial(take_scripts, library, ctx, preset_scripts, file=str(path))
    return report(scope="preset", owner=path.stem, is_on=is_on)


def scripts_in(preset: Path) -> list[RegexScript]:
    """Return the regex scripts of a preset. Raises InputError."""
    try:
        text = read_json_text(preset, MAX_JSON)
        value, _end = read_value(text)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=preset) from e
    except (ValueError, RecursionError):
        raise NoScript(Phrase(_T("reports", "it is not JSON")), file=preset.name) from None
    if not isinstance(table_of(table_of(value).get(_WHERE[0])).get(_WHERE[1]), list):
        return []
    span = find_value(text, _WHERE)
    return usable_scripts(text[span[0] : span[1]], preset.name) if span else []
