"""List the contents of a SillyTavern folder: characters, chats, groups, worldbooks and more.

The folder is only read, and `secrets.json` never. Any folder of an installation may be given: its
users are found. Links inside are not followed; the number of files and bytes is limited; anything
broken is a warning and never ends the listing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.tavern.folder import (
    TavernCharacter,
    TavernChat,
    TavernFolder,
    TavernGroup,
    TavernHandle,
    TavernItem,
    TavernPersona,
    TavernSettings,
)
from engram_desktop.domain.text.regex_script import RegexScript
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.cards import CardGlance, glance
from engram_desktop.formats.chats.chat_jsonl import is_header, metadata_in_group
from engram_desktop.formats.json_values import read_value, storable, table_of, text_of
from engram_desktop.formats.plain_file import is_secret, open_plain, read_json_text
from engram_desktop.formats.tavern.settings import NAME, is_preset_on, read_settings, settings_stamp

_T = QT_TRANSLATE_NOOP
MAX_WARNINGS = 100  # of one folder: nobody reads more
MAX_JSON = 64_000_000  # bytes: bounds the memory of reading one file whole


def _never_ends() -> None:
    """The default check of a listing, which never ends it."""


@dataclass(slots=True)
class Listing:
    """The limits left to one listing, and its warnings. ``check`` raises to end it."""

    entries: int
    left: int
    check: Callable[[], object] = _never_ends
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def warn(self, path: Path | str, text: str, **params: str) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append((str(path), Phrase(text, **params)))

    def may_read(self, size: int) -> bool:
        """Return whether this many more bytes may be read; if so, count them."""
        self.check()
        if size > self.left:
            return False
        self.left -= size
        return True


def entries_of(folder: Path, listing: Listing) -> list[os.DirEntry[str]]:
    """Return the contents of a folder by name, without links and what is beyond the limit."""
    entries_kept: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    listing.warn(entry.path, _T("reports", "a link; it was not followed"))
                elif is_secret(entry.name):
                    continue
                elif len(entries_kept) == listing.entries:
                    listing.warn(folder, _T("reports", "too many files; the rest was left out"))
                    break
                else:
                    entries_kept.append(entry)
    except FileNotFoundError:
        return []
    except OSError as e:
        listing.warn(folder, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return []
    return sorted(entries_kept, key=lambda entry: entry.name)


def files_of(folder: Path, ending: str, listing: Listing) -> list[os.DirEntry[str]]:
    """Return the files in ``folder`` whose names end in ``ending``, in any case; no links."""
    return [
        entry
        for entry in entries_of(folder, listing)
        if entry.name.lower().endswith(ending) and entry.is_file(follow_symlinks=False)
    ]


def status_of(entry: os.DirEntry[str], listing: Listing) -> os.stat_result | None:
    """Return size and times of an entry; None, with a warning, if they cannot be read."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError as e:
        listing.warn(entry.path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return None


def texts_in(value: object) -> list[str]:
    """Return the texts and numbers of a list as texts; empty for anything else."""
    if not isinstance(value, list):
        return []
    values = (v for v in value if isinstance(v, str | int) and not isinstance(v, bool))
    return [storable(str(v)) for v in values]


def document_of(path: Path, listing: Listing) -> Any:
    """Read a JSON document; None, with a warning, if it is invalid."""
    try:
        if path.stat().st_size > MAX_JSON:
            listing.warn(path, _T("reports", "the file is too large; left out"))
            return None
        return read_value(read_json_text(path, MAX_JSON))[0]
    except OSError as e:
        listing.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
    except (ValueError, RecursionError):
        listing.warn(path, _T("reports", "not readable as JSON; left out"))
    return None


# The worldbooks, presets, regex scripts and personas of one user of SillyTavern, for a list.


PRESETS = (
    "OpenAI Settings",
    "TextGen Settings",
    "KoboldAI Settings",
    "NovelAI Settings",
    "instruct",
    "context",
    "sysprompt",
    "reasoning",
)
_BEGINNING = 200  # characters: what a line of the list may show


def items(handle: Path, settings: TavernSettings, listing: Listing) -> Iterator[TavernItem]:
    """Yield all items other than characters and chats."""
    yield from _worldbooks(handle / "worlds", settings, listing)
    for kind in PRESETS:
        yield from _presets(handle / kind, kind, settings, listing)
    where = str(handle / NAME)
    for script in settings.scripts:
        yield TavernItem(
            "regex",
            script.name,
            where,
            detail=text_of(script.find)[:_BEGINNING],
            key=script_key(handle, script),
            is_on=not script.disabled,
        )
    for persona in settings.personas:
        yield TavernItem(
            "persona",
            persona.name,
            where,
            detail=persona.text[:_BEGINNING],
            key=persona_key(handle, persona),
            is_on=persona.is_default,
        )


def script_key(handle: Path, script: RegexScript) -> str:
    """Return a key of a script in the settings: by its content, since its place may change."""
    name = hashlib.blake2b(script.raw.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{handle / NAME}#script:{name}"


def persona_key(handle: Path, persona: TavernPersona) -> str:
    """Return a key of a persona: by its picture, which identifies it in SillyTavern."""
    return f"{handle / NAME}#persona:{persona.avatar}"


def scripts_of_preset(preset: object) -> list[dict[str, Any]]:
    """Return the regex scripts in a preset. No other field is read."""
    scripts = table_of(table_of(preset).get("extensions")).get("regex_scripts")
    return [row for row in scripts if isinstance(row, dict)] if isinstance(scripts, list) else []


def _worldbooks(folder: Path, settings: TavernSettings, listing: Listing) -> Iterator[TavernItem]:
    for entry in files_of(folder, ".json", listing):
        status = status_of(entry, listing)
        if status is None:
            continue
        path = Path(entry.path)
        yield TavernItem(
            "world",
            path.stem,
            entry.path,
            status.st_size,
            status.st_mtime_ns // 1_000_000,
            key=entry.path,
            count=_entries(path, listing) if listing.may_read(status.st_size) else 0,
            is_on=path.stem in settings.global_worldbooks,
        )


def _entries(path: Path, listing: Listing) -> int:
    entries = table_of(document_of(path, listing)).get("entries")
    return len(entries) if isinstance(entries, dict | list) else 0


def _presets(
    folder: Path, kind: str, settings: TavernSettings, listing: Listing
) -> Iterator[TavernItem]:
    for entry in files_of(folder, ".json", listing):
        status = status_of(entry, listing)
        if status is None:
            continue
        path = Path(entry.path)
        preset = document_of(path, listing) if listing.may_read(status.st_size) else None
        yield TavernItem(
            "preset",
            path.stem,
            entry.path,
            status.st_size,
            status.st_mtime_ns // 1_000_000,
            detail=kind,
            key=entry.path,
            count=len(scripts_of_preset(preset)),
            is_on=is_preset_on(settings, kind, path.stem),
        )


CHAT_FOLDERS = ("chats", "group chats")
_INSIDE = frozenset({"chats", "characters", "group chats", "groups", "worlds"})
# Bytes: a header holds a chat's variables; bounds the memory of a list.
_MAX_FIRST_LINE = 4_000_000
_BLOCK = 1 << 20  # bytes read at once


class NoTavern(InputError):
    """``path`` holds nothing of SillyTavern."""

    text = QT_TRANSLATE_NOOP("errors", "{path} is not a SillyTavern folder.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Choose the folder SillyTavern is installed in, or “data” inside of it."
    )


@dataclass(frozen=True, slots=True)
class ListingLimits:
    """Limits of a listing: files of one folder, bytes read of all chats and of all else."""

    entries: int = 20_000
    counted: int = 2_000_000_000
    others: int = 500_000_000


_USUAL_LIMITS = ListingLimits()


def find_handles(folder: Path) -> list[Path]:
    """Return the folders of the users in an installation. Raises NoTavern."""
    here = folder.absolute()
    if here.name in _INSIDE and _is_handle(here.parent):
        here = here.parent
    elif here.parent.name in CHAT_FOLDERS and _is_handle(here.parent.parent):
        here = here.parent.parent
    if _is_handle(here):
        return [here]
    handles = []
    for data in (here, here / "data"):
        children = [child for child in _folders(data) if child.name != "public"]
        handles += [child for child in children if _is_handle(child)]
    if _is_handle(here / "public"):
        handles.append(here / "public")
    if not handles:
        raise NoTavern(path=folder)
    return handles


def list_folder(
    folder: Path, limits: ListingLimits = _USUAL_LIMITS, check: Callable[[], object] = _never_ends
) -> TavernFolder:
    """List a folder; ``check`` is called now and then and may end it. Raises NoTavern."""
    chats = Listing(limits.entries, limits.counted, check)
    others = Listing(limits.entries, limits.others, check, chats.warnings)
    handles = tuple(_handle(path, chats, others) for path in find_handles(folder))
    return TavernFolder(str(folder.absolute()), handles, tuple(chats.warnings))


def chat_files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of change (ns) of every chat file, without opening any.

    Raises NoTavern if the folder no longer exists.
    """
    listing = Listing(ListingLimits().entries, 0)
    by_path: dict[str, tuple[int, int]] = {}
    for handle in find_handles(folder):
        for entry in _chat_entries(handle, listing):
            status = status_of(entry, listing)
            if status is not None:
                by_path[entry.path] = (status.st_size, status.st_mtime_ns)
    return by_path


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of change of all followed files: chats, and the users' settings.

    Raises NoTavern.
    """
    settings = {str(handle / NAME): settings_stamp(handle) for handle in find_handles(folder)}
    return chat_files(folder) | {path: stamp for path, stamp in settings.items() if stamp}


def _is_handle(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in CHAT_FOLDERS)


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink())
    except OSError:
        return []


def _handle(folder: Path, listing: Listing, others: Listing) -> TavernHandle:
    chats: dict[str, list[TavernChat]] = {}
    group_chats: dict[str, TavernChat] = {}
    for entry in _chat_entries(folder, listing):
        chat = _chat(entry, listing)
        if chat is None:
            continue
        if chat.is_group:
            group_chats[chat.name] = chat
        else:
            chats.setdefault(chat.owner, []).append(chat)
    settings = read_settings(folder)
    for fault in settings.faults:
        others.warnings.append((str(folder / NAME), fault))
    return TavernHandle(
        name=folder.name,
        path=str(folder),
        characters=tuple(_characters(folder, chats, others)),
        groups=tuple(_groups(folder / "groups", group_chats, others)),
        items=tuple(items(folder, settings, others)),
    )


def _chat_entries(handle: Path, listing: Listing) -> Iterator[os.DirEntry[str]]:
    solo, group = (handle / name for name in CHAT_FOLDERS)
    for folder in entries_of(solo, listing):
        if folder.is_dir(follow_symlinks=False):
            yield from files_of(Path(folder.path), ".jsonl", listing)
    yield from files_of(group, ".jsonl", listing)


def _chat(entry: os.DirEntry[str], listing: Listing) -> TavernChat | None:
    status = status_of(entry, listing)
    if status is None:
        return None
    path = Path(entry.path)
    messages: int | None = None
    metadata: dict[str, Any] = {}
    if listing.may_read(status.st_size):
        try:
            messages, metadata = _count(path)
        except OSError as e:
            listing.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
            return None
        if not messages:
            listing.warn(path, _T("reports", "there are no messages in it"))
    is_group = path.parent.name == CHAT_FOLDERS[1]
    return with_metadata(
        TavernChat(
            path=str(path),
            name=path.stem,
            owner="" if is_group else path.parent.name,
            is_group=is_group,
            size=status.st_size,
            modified=status.st_mtime_ns // 1_000_000,
            messages=messages,
        ),
        metadata,
    )


def with_metadata(chat: TavernChat, metadata: dict[str, Any]) -> TavernChat:
    """Add the links in the metadata of a chat: its parent, worldbook and persona."""
    return replace(
        chat,
        main_chat=text_of(metadata.get("main_chat")),
        book=text_of(metadata.get("world_info")),
        persona=text_of(metadata.get("persona")),
    )


def parents_first(paths: Iterable[Path]) -> list[Path]:
    """Order chat files so that each comes after the one it was branched from.

    Files without a parent come first: as a parent may have been renamed, nothing else tells which
    of two files is the story and which its branch.
    """
    said = {file: _main_chat(file) for file in paths}
    files = sorted(said, key=lambda p: (said[p] != "", p.parent, p.stem))
    by_name = {(p.parent, p.stem): p for p in files}
    ordered: dict[Path, None] = {}
    for file in files:
        ancestry = [file]
        while parent := by_name.get((file.parent, said[ancestry[-1]])):
            if parent in ordered or parent in ancestry:
                break
            ancestry.append(parent)
        ordered.update(dict.fromkeys(reversed(ancestry)))
    return list(ordered)


def stories_first(paths: Iterable[Path]) -> list[Path]:
    """Return files in the given order, but with branched chats last."""
    files = list(paths)
    chats = [path for path in files if path.suffix.lower() == ".jsonl"]
    if len(chats) < 2:
        return files
    place = {path: n for n, path in enumerate(parents_first(chats), start=1)}
    branched = {path for path in chats if _main_chat(path)}
    ordered = sorted(branched, key=lambda path: place[path])
    return [path for path in files if path not in branched] + ordered


def _main_chat(path: Path) -> str:
    try:
        with open_plain(path) as file:
            return text_of(_header(file.readline(_MAX_FIRST_LINE))[1].get("main_chat"))
    except OSError:  # reported when the file itself is read
        return ""


def _count(path: Path) -> tuple[int, dict[str, Any]]:
    """Count the lines that may be messages, and read the metadata before them."""
    with open_plain(path) as file:
        first = file.readline(_MAX_FIRST_LINE)
        count, is_open = 0, False  # whether the last line has no end yet
        while block := file.read(_BLOCK):
            count += block.count(b"\n")
            is_open = not block.endswith(b"\n")
    is_message, metadata = _header(first)
    return count + is_open + is_message, metadata


def _header(first: bytes) -> tuple[bool, dict[str, Any]]:
    """Return whether a first line is a message, and otherwise its metadata."""
    try:
        row, _end = read_value(first.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return bool(first.strip()), {}
    if not isinstance(row, dict) or not is_header(row):
        return True, {}
    return False, table_of(row.get("chat_metadata"))


def _characters(
    folder: Path, chats: dict[str, list[TavernChat]], listing: Listing
) -> Iterator[TavernCharacter]:
    """Yield characters with a card, then chats whose card is gone."""
    avatars = {}
    for entry in files_of(folder / "characters", ".png", listing):
        avatars[Path(entry.path).stem] = entry.path
    for name in sorted({*avatars, *chats}):
        own_chats = tuple(sorted(chats.get(name, ()), key=lambda c: c.modified, reverse=True))
        where = str(folder / CHAT_FOLDERS[0] / name)
        card = _card(avatars[name], listing) if name in avatars else None
        yield TavernCharacter(
            name,
            avatars.get(name, ""),
            where,
            own_chats,
            *((card.name, card.worldbook, card.entries, card.scripts) if card else ()),
        )


def _card(path: str, listing: Listing) -> CardGlance | None:
    listing.check()
    try:
        return glance(Path(path))
    except OSError as e:
        listing.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return None


def _groups(folder: Path, chats: dict[str, TavernChat], listing: Listing) -> Iterator[TavernGroup]:
    """Yield groups with their chats, then group chats without a group."""
    left = dict(chats)
    for entry in files_of(folder, ".json", listing):
        row = document_of(Path(entry.path), listing)
        if not isinstance(row, dict):
            continue
        group_id = storable(str(row.get("id") or Path(entry.path).stem))
        names = dict.fromkeys([*texts_in(row.get("chats")), *texts_in([row.get("chat_id")])])
        own_chats = [left.pop(name) for name in names if name in left]
        yield TavernGroup(
            id=group_id,
            name=storable(str(row.get("name") or group_id)),
            members=tuple(texts_in(row.get("members"))),
            chats=tuple(_of_group(chat, group_id, row) for chat in own_chats),
            disabled=tuple(texts_in(row.get("disabled_members"))),
        )
    for name, chat in left.items():
        yield TavernGroup("", name, (), (chat,))


def _of_group(chat: TavernChat, group_id: str, row: dict[str, Any]) -> TavernChat:
    """Assign a chat to its group, which held the chat's metadata before 2025."""
    chat = replace(chat, owner=group_id)
    if chat.main_chat or chat.book or chat.persona:
        return chat
    return with_metadata(chat, metadata_in_group(row, chat.name))
