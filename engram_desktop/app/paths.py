"""Where the library, the log and the list of libraries are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from engram_desktop.cli.places import APP, default_library, log_dir, portable_dir

__all__ = ["APP", "library_dir", "log_dir", "recent_file"]


def library_dir(choice: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the library to open: ``choice``, else what both programs open by themselves."""
    if choice:
        return Path(choice).expanduser().absolute()
    return default_library(environment)


def recent_file() -> Path:
    """Return the file that lists the libraries opened last."""
    data = portable_dir() or Path(platformdirs.user_config_dir(APP, appauthor=False))
    return data / "libraries.json"
