"""Where files are: those shipped with the program, and the default folders of the user's data.

Shipped files are found in a checkout, an installed wheel and a frozen program. The working
directory is never searched: its files are not ours.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import platformdirs

from engram_desktop.domain.errors import NotFound

APP = "Engram"
APP_LOG = "engram.log"
PORTABLE = "Engram data"
_PACKAGE = Path(__file__).resolve().parent


@cache
def _roots() -> tuple[Path, ...]:
    frozen = getattr(sys, "_MEIPASS", None)
    inside = (Path(frozen) / "resources",) if frozen else ()
    return (*inside, _PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """Return the path of ``resources/<name>``; ``name`` uses forward slashes. Raises NotFound."""
    for root in _roots():
        path = root.joinpath(*name.split("/"))
        if path.exists():
            return path
    raise NotFound("resource", name)


def portable_dir(executable: str = sys.executable) -> Path | None:
    """Return the folder `PORTABLE` beside the program; None if the user has not made it.

    If it exists, all data is in it, so that the program can be moved together with its library.
    """
    folder = Path(executable).absolute().parent / PORTABLE
    return folder if folder.is_dir() else None


def cache_dir() -> Path:
    """Return the folder of files derived from shipped ones. It may be missing or read-only."""
    data = portable_dir()
    return data / "cache" if data else Path(platformdirs.user_cache_dir(APP, appauthor=False))


def log_dir() -> Path:
    """Return the folder of the logs of window and commands."""
    data = portable_dir()
    return data / "log" if data else Path(platformdirs.user_log_dir(APP, appauthor=False))


def default_library(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the library of ENGRAM_LIBRARY, else the portable one, else that of the user."""
    folder = environment.get("ENGRAM_LIBRARY", "").strip()
    if folder:
        return Path(folder).expanduser().absolute()
    data = portable_dir() or Path(platformdirs.user_data_dir(APP, appauthor=False))
    return data / "library"


def library_dir(choice: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the library to open: ``choice``, else the default of both programs."""
    if choice:
        return Path(choice).expanduser().absolute()
    return default_library(environment)


def recent_file() -> Path:
    """Return the file that lists the libraries opened last."""
    data = portable_dir() or Path(platformdirs.user_config_dir(APP, appauthor=False))
    return data / "libraries.json"
