"""Where the library and the log are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

APP = "Engram"


def library_dir(choice: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the library to open: ``choice``, else ENGRAM_LIBRARY, else the platform's place."""
    folder = choice or environment.get("ENGRAM_LIBRARY")
    if folder:
        return Path(folder).expanduser().absolute()
    return Path(platformdirs.user_data_dir(APP, appauthor=False)) / "library"


def log_dir() -> Path:
    return Path(platformdirs.user_log_dir(APP, appauthor=False))
