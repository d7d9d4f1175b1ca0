"""Find a shipped file: in a checkout, in an installed wheel and in a frozen program alike.

It must never fall back to the working directory: what is found there is not ours.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engram_desktop.domain.errors import NotFound

_PACKAGE = Path(__file__).resolve().parent


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
