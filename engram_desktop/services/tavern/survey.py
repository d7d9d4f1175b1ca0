"""What a SillyTavern folder holds, compared with the library; finding and watching folders."""

from __future__ import annotations

import logging
import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import watchfiles

from engram_desktop.domain.changes import (
    BIND_WORLDBOOK,
    IMPORT_SCRIPTS,
    IMPORT_WORLDBOOK,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, NotFound, StorageError, Unreadable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.tavern.folder import (
    FoundTavern,
    TavernChat,
    TavernFolder,
    TavernHandle,
    TavernItem,
    TavernState,
)
from engram_desktop.domain.text.cleaning import in_a_row
from engram_desktop.domain.text.regex_script import RegexScript, Scope
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow
from engram_desktop.formats import cards, world_info
from engram_desktop.formats.json_text import find_value
from engram_desktop.formats.json_values import read_value, table_of
from engram_desktop.formats.plain_file import read_json_text, read_plain
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.formats.tavern.folder import (
    CHAT_FOLDERS,
    MAX_JSON,
    find_handles,
    persona_key,
    script_key,
    stamps,
)
from engram_desktop.formats.tavern.settings import NoScript, id_of, read_settings, usable_scripts
from engram_desktop.formats.world_info import WorldbookFile, worldbook_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.prompts import native
from engram_desktop.services.worldbooks import stored
from engram_desktop.storage.library.followed import key_of
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import NewWorldbook

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
    """Import regex scripts; equal ones are skipped, ones with a known id are replaced.

    ``is_on``: they run in SillyTavern, so that they are on here too unless a script says otherwise;
    all others wait to be switched on.
    """
    scripts = native.stored_scripts(library)
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
        name=owner or in_a_row([s.name for s in new_scripts[:3]]),
    )


def take_preset(library: Library, ctx: JobContext, path: Path, *, is_on: bool) -> ImportReport:
    """Import the regex scripts of a preset and nothing else. Raises InputError."""
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


def take_worldbook(
    library: Library, ctx: JobContext, path: Path, *, is_global: bool
) -> ImportReport:
    """Import the worldbook at ``path``, or renew the one imported from it before.

    A worldbook edited in the library is never replaced; the newer file then stands beside it.
    ``is_global``: SillyTavern uses it in every chat.
    """
    file = stored.read_file(path)
    is_here = library.worldbooks.same_file(file.original, path.name) is not None
    older = None if is_here else _untouched(library, path)
    if older is not None:
        return _renew(library, ctx, path, file, older)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_WORLDBOOK, {"name": path.stem})):
            report = stored.store_worldbook(library, file, path.stem, path)
            if report.changes.worldbooks and is_global:
                library.worldbooks.set_global(
                    library.worldbooks.find(report.name).id, is_global=True
                )
            return report

    return ctx.write(unit)


def worldbook_of_file(library: Library, name: str) -> WorldbookRow | None:
    """Return the worldbook imported from the file ``name``, the newest if there are several."""
    rows = [
        row for row in library.worldbooks.rows() if row.source == f"{name}.json" and not row.owner
    ]
    return max(rows, key=lambda row: row.updated_at, default=None)


def bind(library: Library, ctx: JobContext, name: str, character_id: str) -> Changes:
    """Bind the worldbook imported from the file ``name`` to a character's chats."""
    row = worldbook_of_file(library, name)
    if row is None or library.bindings.has(row.id, character_id):
        return Changes()
    character = library.characters.find(character_id).name

    def unit() -> None:
        with library.step(StepLabel(BIND_WORLDBOOK, {"name": row.name, "character": character})):
            library.bindings.bind(row.id, character_id)

    ctx.write(unit)
    return Changes(worldbooks=True)


def _untouched(library: Library, path: Path) -> WorldbookRow | None:
    """Return the worldbook imported from this file, unless it was edited in the library."""
    row = worldbook_of_file(library, path.stem)
    if row is None:
        return None
    try:
        was = worldbook_of(library.worldbooks.original(row.id), path.name)
    except NotFound:  # deleted at this moment
        return None
    return row if library.worldbooks.content(row.id) == was.content else None


def _renew(
    library: Library, ctx: JobContext, path: Path, file: WorldbookFile, older: WorldbookRow
) -> ImportReport:
    count = len(file.parsed.worldbook.entries)
    new = NewWorldbook(
        older.name, file.title, file.kind, path.name, file.original, file.content, count
    )

    def unit() -> None:
        with library.step(StepLabel(IMPORT_WORLDBOOK, {"name": older.name})):
            library.worldbooks.renew(older.id, new)

    ctx.write(unit)
    return ImportReport(
        file=str(path),
        kind="worldbook",
        chat_id=None,
        messages=0,
        added=count,
        skipped=0,
        changes=Changes(worldbooks=True),
        name=older.name,
    )


logger = logging.getLogger(__name__)


def survey(library: Library, ctx: JobContext, folder: TavernFolder) -> dict[str, TavernState]:
    """Return the state of every chat and card, by path, and of every other thing, by key.

    States are: new, imported, newer in the folder, followed. Only files that may be in the library
    already are opened.
    """
    holdings = _Holdings(library)
    states: dict[str, TavernState] = {}
    for handle in folder.handles:
        for key, state in holdings.states(handle):
            ctx.check()
            states[key] = state
    return states


class _Holdings:
    """The contents of the library, read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._followed = {row.path for row in library.followed.all() if row.is_followed}
        self._lines = _lines(library)
        self._avatars = {row.avatar for row in library.characters.rows()}
        stored_scripts = native.stored_scripts(library).all()
        self._raws = {(s.scope, s.owner, s.script.raw) for s in stored_scripts}
        self._ids = {(s.scope, s.owner, id_of(s.script)) for s in stored_scripts}
        rows = library.chat_rows()
        self._players = {library.settings(row[0]).persona_text for row in rows}

    def states(self, handle: TavernHandle) -> Iterator[tuple[str, TavernState]]:
        for chat in handle.chats():
            yield chat.path, self._chat(chat)
        for character in handle.characters:
            if character.avatar:
                yield character.avatar, self._card(Path(character.avatar))
        for item in handle.items:
            if item.kind == "world":
                yield item.key, self._worldbook(Path(item.path))
            elif item.kind == "preset":
                yield item.key, self._preset(item)
        yield from self._of_settings(Path(handle.path))

    def _of_settings(self, handle: Path) -> Iterator[tuple[str, TavernState]]:
        settings = read_settings(handle)
        for script in settings.scripts:
            named = ("global", "", id_of(script))
            yield script_key(handle, script), self._script(("global", "", script.raw), named)
        for persona in settings.personas:
            is_here = bool(persona.text) and persona.text in self._players
            yield persona_key(handle, persona), "here" if is_here else "new"

    def _chat(self, chat: TavernChat) -> TavernState:
        if key_of(Path(chat.path)) in self._followed:
            return "followed"
        counts = self._lines.get(Path(chat.path).name)
        if counts is None:
            return "new"
        return "here" if chat.messages in (None, *counts) else "newer"

    def _card(self, path: Path) -> TavernState:
        if path.name not in self._avatars:
            return "new"
        try:
            same = self._library.characters.same_as(read_plain(path, cards.MAX_FILE))
        except OSError:  # the listing reports it, or the import will
            return "new"
        return "newer" if same is None else "here"

    def _worldbook(self, path: Path) -> TavernState:
        try:
            if worldbook_of_file(self._library, path.stem) is None:
                return "new"
            content = read_plain(path, world_info.MAX_FILE)
            same = self._library.worldbooks.same_file(content, path.name)
        except OSError:  # as above
            return "new"
        return "newer" if same is None else "here"

    def _preset(self, item: TavernItem) -> TavernState:
        try:
            preset_scripts = scripts_in(Path(item.path)) if item.count else []
        except InputError:  # as above
            preset_scripts = []
        owner = Path(item.path).stem
        states = {
            self._script(("preset", owner, s.raw), ("preset", owner, id_of(s)))
            for s in preset_scripts
        }
        if states == {"here"}:
            return "here"
        return "new" if states <= {"new"} else "newer"

    def _script(self, content: tuple[str, str, str], identity: tuple[str, str, str]) -> TavernState:
        if content in self._raws:
            return "here"
        return "newer" if identity[2] and identity in self._ids else "new"


def _lines(library: Library) -> dict[str, set[int]]:
    """Return the message counts of the lines read from a file, by file name."""
    counts: dict[str, set[int]] = defaultdict(set)
    for chat_id, _name, source, _at in library.chat_rows():
        try:
            store = library.chat(chat_id)
            for branch_id, parent, _fork, _title, of in store.branches.rows():
                name = of if parent else source
                if name:
                    counts[name].add(store.messages.count(branch_id))
        except StorageError as e:  # one damaged chat must not hide the others
            logger.warning("Chat %s was not looked at: %s", chat_id, e)
    return counts


NAMES = ("SillyTavern", "sillytavern", "SillyTavern-release", "SillyTavern-staging")
LAUNCHER = "SillyTavern-Launcher"  # the launcher puts SillyTavern in a folder of its own
# Below the home folder, where its guides and git put it; the last is a global install by npm.
_PLACES = ("", "Documents", "Desktop", "Downloads", "git", "src", ".local/share")
_DRIVES = ("C:\\", "D:\\", "E:\\")


def usual_places(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Return the places where SillyTavern may be installed, existing or not."""
    home = Path.home()
    roots = [home / place for place in _PLACES]
    roots += [
        Path(environment[name])
        for name in ("APPDATA", "LOCALAPPDATA", "XDG_DATA_HOME")
        if environment.get(name)
    ]
    roots += [Path(drive) for drive in _DRIVES] if os.name == "nt" else [Path("/opt")]
    return [place for root in roots for place in _in_root(root)]


def _in_root(root: Path) -> Iterator[Path]:
    for name in NAMES:
        yield root / name
        yield root / LAUNCHER / name


def find_installed(ctx: JobContext, places: Sequence[Path]) -> list[FoundTavern]:
    """Return the installations among ``places``, each once, those with most chats first.

    Only names of files are read.
    """
    found: dict[tuple[int, int], FoundTavern] = {}
    for place in places:
        ctx.check()
        try:
            status = place.stat()
            handles = tavern_folder.find_handles(place)
            chats = len(tavern_folder.chat_files(place))
        except (OSError, InputError):  # nothing is there, or it may not be read
            continue
        cards = sum(_cards(handle / "characters") for handle in handles)
        key = (status.st_dev, status.st_ino)  # one folder under two names
        found.setdefault(key, FoundTavern(str(place), len(handles), cards, chats))
    return sorted(found.values(), key=lambda one: -one.chats)


def _cards(folder: Path) -> int:
    try:
        with os.scandir(folder) as entries:
            return sum(entry.name.lower().endswith(".png") for entry in entries)
    except OSError:
        return 0


TICK_MS = 500  # milliseconds; the longest wait until stopping
TICKS_PER_LOOK = 4  # without notices, a folder is checked every two seconds
_STEP_MS = 50  # milliseconds of quiet that end a burst of notices
_DEBOUNCE_MS = 400  # milliseconds after which a burst is reported even without quiet


def notices(folder: Path, stop: threading.Event) -> Iterator[bool]:
    """Yield True when the system reports a changed chat file, and False every tick.

    Network drives send no notices, and some systems run out of them; so the caller checks by itself
    on ticks. Opens no file. Ends when ``stop`` is set. Raises NoTavern.
    """
    places = [h / name for h in find_handles(folder) for name in CHAT_FOLDERS]
    try:
        batches = watchfiles.watch(
            *(place for place in places if place.is_dir()),
            watch_filter=lambda _change, path: path.lower().endswith(".jsonl"),
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            stop_event=stop,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for changes in batches:
            yield bool(changes)
    except OSError as e:
        logger.warning("%s sends no notices (%s); it is looked at every two seconds", folder, e)
    while not stop.wait(TICK_MS / 1000):
        yield False


def changes_in(folder: Path, stop: threading.Event) -> Iterator[None]:
    """Yield at once, and then whenever a chat file or a user's settings changed.

    Ends when ``stop`` is set. Raises NoTavern.
    """
    before = stamps(folder)
    yield
    ticks = 0
    for is_noticed in notices(folder, stop):
        ticks += 1
        if is_noticed or ticks >= TICKS_PER_LOOK:
            ticks = 0
            now = stamps(folder)
            if now != before:
                before = now
                yield
