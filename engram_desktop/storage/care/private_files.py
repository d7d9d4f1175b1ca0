"""Make what a library holds readable for its owner alone: files 0600, folders 0700.

Earlier versions left both as the umask set them. Windows has rights of another kind, which a user's
own folder gives already.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

_FILE, _FOLDER = 0o600, 0o700
_PARTS = ("chats", "backups", "trash")
_OTHERS = ("restoring", "keys.json", "unsaved.json", "unsaved.json.tmp", "log", "companion", "open")


def keep_private(*paths: Path) -> None:
    """Take everybody else's rights away from files and folders that are there.

    A file system without rights, or a file of another user, stays as it is: a library can be read
    all the same.
    """
    if os.name == "nt":
        return
    for path in paths:
        with contextlib.suppress(OSError):
            mode = _FOLDER if path.is_dir() else _FILE
            if not path.is_symlink() and path.stat().st_mode & 0o777 != mode:
                path.chmod(mode)


def private_folder(folder: Path) -> None:
    """As `keep_private`, of a folder that is ours and of what lies in the folder itself."""
    keep_private(folder, *_within(folder))


def private_library(folder: Path) -> None:
    """As `private_folder`, of a whole library but for what lies in its chats.

    The folder itself may be one of the user's with other things in it: then only ours is touched.
    """
    own = [path for path in _within(folder) if _is_of_library(path.name)]
    keep_private(*own)
    if len(own) == len(list(_within(folder))):
        keep_private(folder)
    for part in _PARTS:
        private_folder(folder / part)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in ``folder``: it may lie on a disk that can only be read."""
    if os.name == "nt":  # asked there, it only looks at an attribute that says little of a folder
        return can_make_file(folder)
    can_ask_effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=can_ask_effective)


def can_make_file(folder: Path) -> bool:
    """Make a file in ``folder`` and delete it again; whether that went well."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _within(folder: Path) -> Iterable[Path]:
    with contextlib.suppress(OSError):
        yield from folder.iterdir()


def _is_of_library(name: str) -> bool:
    return name.startswith("library.") or name in {*_PARTS, *_OTHERS}
