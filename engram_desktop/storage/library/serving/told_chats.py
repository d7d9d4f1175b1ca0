"""Where a library keeps chats that another program tells of: as files, in a folder of its own.

A file there stands for one that nobody here can read. Once that one can be read, it takes over.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = "companion"


def folder_of(library: Path) -> Path:
    """Return the folder of these files."""
    return library / FOLDER


def is_told(library: Path, path: str | Path) -> bool:
    """Whether a file is one of these, by its path as it is kept or as it is."""
    root = os.path.normcase(folder_of(library).absolute())
    return Path(os.path.normcase(path)).is_relative_to(root)
