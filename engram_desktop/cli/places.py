"""The default folders of the user's data, shared by both programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from engram_desktop.shipped import APP, PORTABLE, portable_dir

__all__ = ["APP", "APP_LOG", "PORTABLE", "default_library", "log_dir", "portable_dir"]

APP_LOG = "engram.log"


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
