"""Find SillyTavern on this computer: the places it is usually put. Only names are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.folder import FoundTavern
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.jobs.context import JobContext

NAMES = ("SillyTavern", "sillytavern", "SillyTavern-release", "SillyTavern-staging")
LAUNCHER = "SillyTavern-Launcher"  # puts it in a folder of its own
# Below the home folder, as its guides and git leave it; the last of a global install by npm.
_PLACES = ("", "Documents", "Desktop", "Downloads", "git", "src", ".local/share")
_DRIVES = ("C:\\", "D:\\", "E:\\")


def usual_places(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Return where it may be, whether it is there or not."""
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
    """Return the installations among ``places``, each once, those with most chats first."""
    found: dict[tuple[int, int], FoundTavern] = {}
    for place in places:
        ctx.check()
        try:
            status = place.stat()
            handles = tavern_folder.find_handles(place)
            chats = len(tavern_folder.chat_files(place))
        except (OSError, InputError):  # nothing is there, or nothing that may be read
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
