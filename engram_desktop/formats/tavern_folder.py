"""List what is in a SillyTavern folder: characters, chats, groups, world books, presets, scripts.

Reads only, and never `secrets.json`. Whatever folder of an installation is given, the users in it
are found. Links inside are not followed; what is broken is a warning, never an end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.tavern import (
    TavernCharacter,
    TavernChat,
    TavernFolder,
    TavernGroup,
    TavernHandle,
    TavernItem,
)
from engram_desktop.formats.chat_row import is_header, loads

_T = QT_TRANSLATE_NOOP
CHAT_FOLDERS = ("chats", "group chats")
_INSIDE = frozenset({"chats", "characters", "group chats", "groups", "worlds"})
_PRESETS = (
    "OpenAI Settings",
    "TextGen Settings",
    "KoboldAI Settings",
    "NovelAI Settings",
    "instruct",
    "context",
    "sysprompt",
    "reasoning",
)
MAX_WARNINGS = 100
_MAX_FIRST_LINE = 4_000_000
_MAX_JSON = 64_000_000
_BLOCK = 1 << 20


class NoTavern(InputError):
    """``path`` holds nothing of SillyTavern."""

    text = QT_TRANSLATE_NOOP("errors", "{path} is not a SillyTavern folder.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Choose the folder SillyTavern is installed in, or “data” inside of it."
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is looked at: files of one folder, bytes read to count the messages of all."""

    entries: int = 20_000
    counted: int = 2_000_000_000


@dataclass(slots=True)
class _Look:
    """What one listing may still read, and what it noticed."""

    entries: int
    left: int
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def warn(self, path: Path | str, text: str, **params: str) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append((str(path), Phrase(text, **params)))


def find_handles(folder: Path) -> list[Path]:
    """Return the folders of the users in an installation. Raises NoTavern."""
    here = folder.absolute()
    if here.name in _INSIDE and _is_handle(here.parent):
        here = here.parent
    elif here.parent.name in CHAT_FOLDERS and _is_handle(here.parent.parent):
        here = here.parent.parent
    if _is_handle(here):
        return [here]
    found = []
    for data in (here, here / "data"):
        found += [child for child in _folders(data) if _is_handle(child) and child.name != "public"]
    if _is_handle(here / "public"):
        found.append(here / "public")
    if not found:
        raise NoTavern(path=folder)
    return found


def list_folder(folder: Path, limits: Limits = Limits()) -> TavernFolder:
    """List what is there. Raises NoTavern."""
    look = _Look(limits.entries, limits.counted)
    handles = tuple(_handle(path, look) for path in find_handles(folder))
    return TavernFolder(str(folder.absolute()), handles, tuple(look.warnings))


def chat_files(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change, in nanoseconds, of every chat file. Opens none.

    Raises NoTavern where the folder itself is no longer there.
    """
    look = _Look(Limits().entries, 0)
    found: dict[str, tuple[int, int]] = {}
    for handle in find_handles(folder):
        for entry in _chat_entries(handle, look):
            status = _status(entry, look)
            if status is not None:
                found[entry.path] = (status.st_size, status.st_mtime_ns)
    return found


def _is_handle(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in CHAT_FOLDERS)


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink())
    except OSError:
        return []


def _handle(folder: Path, look: _Look) -> TavernHandle:
    chats: dict[str, list[TavernChat]] = {}
    group_chats: dict[str, TavernChat] = {}
    for entry in _chat_entries(folder, look):
        chat = _chat(entry, look)
        if chat is None:
            continue
        if chat.is_group:
            group_chats[chat.name] = chat
        else:
            chats.setdefault(chat.owner, []).append(chat)
    items = [
        *_items(folder / "worlds", "", look),
        *(item for name in _PRESETS for item in _items(folder / name, name, look)),
        *_regex_scripts(folder / "settings.json", look),
    ]
    return TavernHandle(
        name=folder.name,
        path=str(folder),
        characters=tuple(_characters(folder, chats, look)),
        groups=tuple(_groups(folder / "groups", group_chats, look)),
        items=tuple(items),
    )


def _entries(folder: Path, look: _Look) -> list[os.DirEntry[str]]:
    """What a folder holds, by name; links and what is beyond the limit left out."""
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    look.warn(entry.path, _T("reports", "a link; it was not followed"))
                elif len(found) == look.entries:
                    look.warn(folder, _T("reports", "too many files; the rest was left out"))
                    break
                else:
                    found.append(entry)
    except FileNotFoundError:
        return []
    except OSError as e:
        look.warn(folder, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return []
    return sorted(found, key=lambda entry: entry.name)


def _files(folder: Path, ending: str, look: _Look) -> list[os.DirEntry[str]]:
    return [
        entry
        for entry in _entries(folder, look)
        if entry.name.lower().endswith(ending) and entry.is_file(follow_symlinks=False)
    ]


def _status(entry: os.DirEntry[str], look: _Look) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError as e:
        look.warn(entry.path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return None


def _chat_entries(handle: Path, look: _Look) -> Iterator[os.DirEntry[str]]:
    solo, group = (handle / name for name in CHAT_FOLDERS)
    for folder in _entries(solo, look):
        if folder.is_dir(follow_symlinks=False):
            yield from _files(Path(folder.path), ".jsonl", look)
    yield from _files(group, ".jsonl", look)


def _chat(entry: os.DirEntry[str], look: _Look) -> TavernChat | None:
    status = _status(entry, look)
    if status is None:
        return None
    path = Path(entry.path)
    messages: int | None = None
    main_chat = ""
    if status.st_size <= look.left:
        look.left -= status.st_size
        try:
            messages, main_chat = _count(path)
        except OSError as e:
            look.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
            return None
        if not messages:
            look.warn(path, _T("reports", "there are no messages in it"))
    is_group = path.parent.name == CHAT_FOLDERS[1]
    return TavernChat(
        path=str(path),
        name=path.stem,
        owner="" if is_group else path.parent.name,
        is_group=is_group,
        size=status.st_size,
        modified=status.st_mtime_ns // 1_000_000,
        messages=messages,
        main_chat=main_chat,
    )


def parents_first(paths: Iterable[Path]) -> list[Path]:
    """Order chat files so that each comes after the one it was branched from."""
    files = sorted(paths, key=lambda p: (p.parent, p.stem))
    named = {(p.parent, p.stem): p for p in files}
    ordered: dict[Path, None] = {}
    for file in files:
        line = [file]
        while (parent := named.get((file.parent, _main_chat(line[-1])))) and parent not in line:
            if parent in ordered:
                break
            line.append(parent)
        ordered.update(dict.fromkeys(reversed(line)))
    return list(ordered)


def _main_chat(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _header(file.readline(_MAX_FIRST_LINE))[1]
    except OSError:  # told of when the file itself is read
        return ""


def _count(path: Path) -> tuple[int, str]:
    """Count the lines that may be messages, and read from which chat it branched."""
    with path.open("rb") as file:
        first = file.readline(_MAX_FIRST_LINE)
        count, is_open = 0, False  # whether a line was begun and not ended
        while block := file.read(_BLOCK):
            count += block.count(b"\n")
            is_open = not block.endswith(b"\n")
    is_message, main_chat = _header(first)
    return count + is_open + is_message, main_chat


def _header(first: bytes) -> tuple[bool, str]:
    """Whether a first line is a message, and else from which chat it says the file branched."""
    try:
        row, _end = loads(first.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return bool(first.strip()), ""
    if not isinstance(row, dict) or not is_header(row):
        return True, ""
    metadata = row.get("chat_metadata")
    parent = metadata.get("main_chat") if isinstance(metadata, dict) else None
    return False, parent if isinstance(parent, str) else ""


def _characters(
    folder: Path, chats: dict[str, list[TavernChat]], look: _Look
) -> Iterator[TavernCharacter]:
    """Characters with a card, then chats whose card is gone."""
    named = {}
    for entry in _files(folder / "characters", ".png", look):
        named[Path(entry.path).stem] = entry.path
    for name in sorted({*named, *chats}):
        held = tuple(sorted(chats.get(name, ()), key=lambda c: c.modified, reverse=True))
        where = str(folder / CHAT_FOLDERS[0] / name)
        yield TavernCharacter(name, named.get(name, ""), where, held)


def _groups(folder: Path, chats: dict[str, TavernChat], look: _Look) -> Iterator[TavernGroup]:
    """Groups with their chats, then group chats that no group names."""
    left = dict(chats)
    for entry in _files(folder, ".json", look):
        row = _document(Path(entry.path), look)
        if not isinstance(row, dict):
            continue
        group_id = str(row.get("id") or Path(entry.path).stem)
        held = [left.pop(name) for name in _texts(row.get("chats")) if name in left]
        yield TavernGroup(
            id=group_id,
            name=str(row.get("name") or group_id),
            members=tuple(_texts(row.get("members"))),
            chats=tuple(replace(chat, owner=group_id) for chat in held),
        )
    for name, chat in left.items():
        yield TavernGroup("", name, (), (chat,))


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [str(v) for v in value if isinstance(v, str | int) and not isinstance(v, bool)]


def _document(path: Path, look: _Look) -> Any:
    """Read a JSON document; None with a warning if it is none."""
    try:
        if path.stat().st_size > _MAX_JSON:
            look.warn(path, _T("reports", "the file is too large; left out"))
            return None
        return loads(path.read_text("utf-8-sig", "replace").lstrip())[0]
    except OSError as e:
        look.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
    except (ValueError, RecursionError):
        look.warn(path, _T("reports", "not readable as JSON; left out"))
    return None


def _items(folder: Path, preset: str, look: _Look) -> Iterator[TavernItem]:
    """World books, or, with a name, presets of that kind: one for each file."""
    for entry in _files(folder, ".json", look):
        status = _status(entry, look)
        if status is not None:
            yield TavernItem(
                kind="preset" if preset else "world",
                name=Path(entry.path).stem,
                path=entry.path,
                size=status.st_size,
                modified=status.st_mtime_ns // 1_000_000,
                detail=preset,
            )


def _regex_scripts(settings: Path, look: _Look) -> Iterator[TavernItem]:
    """The global regex scripts; nothing else of the settings is kept."""
    if not settings.is_file() or settings.is_symlink():
        return
    row = _document(settings, look)
    extensions = row.get("extension_settings") if isinstance(row, dict) else None
    scripts = extensions.get("regex") if isinstance(extensions, dict) else None
    for script in scripts if isinstance(scripts, list) else ():
        if isinstance(script, dict):
            yield TavernItem("regex", str(script.get("scriptName") or ""), str(settings))
