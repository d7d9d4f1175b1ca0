"""Find a shipped file: in a checkout, in an installed wheel and in a frozen program alike.

It must never fall back to the working directory: what is found there is not ours. And the folder
for what is made of shipped files and can be made again at any time.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import platformdirs

from engram_desktop.domain.errors import NotFound

APP = "Engram"
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
    """Return the folder `PORTABLE` beside the program, if somebody has put it there.

    Then everything lies in it, and the program can be carried about with its library.
    """
    folder = Path(executable).absolute().parent / PORTABLE
    return folder if folder.is_dir() else None


def cache_dir() -> Path:
    """Return the folder of what is made of shipped files. It need not be there, nor writable."""
    data = portable_dir()
    return data / "cache" if data else Path(platformdirs.user_cache_dir(APP, appauthor=False))
