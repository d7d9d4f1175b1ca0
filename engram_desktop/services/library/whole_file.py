"""Files written completely or not at all, and folders that cloud programs keep in step.

Files are new, or replace another at once, so that no reader sees a part. Whether a file may be
replaced is decided by the caller. A killed process leaves at most a temporary file beside it, which
the next write reuses.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engram_desktop import moving
from engram_desktop.domain.errors import FileExists, NotFound
from engram_desktop.formats.plain_file import open_plain
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.worldbooks import digest

EMPTY = digest(b"")


def hash_of(path: Path) -> str | None:
    """Return the digest of a file's bytes, None if there is no file. Raises OSError."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def write_new(target: Path, content: bytes) -> None:
    """Write a new file. Raises InputError if it exists, NotFound, StorageError."""
    write_new_parts(target, [content])


def write_new_parts(target: Path, parts: Iterable[bytes]) -> None:
    """Write a new file from ``parts``, as they come; if one fails, no file is left.

    Raises FileExists, NotFound, StorageError, and errors raised by ``parts``.
    """
    if not target.parent.is_dir():
        raise NotFound("folder", target.parent)
    with file_errors(target):
        try:
            file = target.open("xb")
        except FileExistsError:
            raise FileExists(path=target) from None
        try:
            with file:
                file.writelines(parts)
        except BaseException:
            moving.delete(target)  # a partial file would look complete
            raise


def replace_file(target: Path, content: bytes) -> None:
    """Replace the content of ``target``. Raises OSError; then the file is unchanged.

    The temporary file is closed before renaming, since Windows refuses to rename an open one.
    """
    beside = target.with_name(f".{target.name}.engram-new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        moving.replace(beside, target)
    except OSError:
        moving.delete(beside)
        raise


def document(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the JSON text of an object in pieces, indented by two like `json.dumps`.

    Its values are JSON values, or iterators of JSON values, written as lists. A large document is
    never held as a whole.
    """
    between = "{\n  "
    for name, part in value.items():
        yield f"{between}{_dumped(name)}: "
        if isinstance(part, Iterator):
            yield from _list(part)
        else:
            yield _dumped(part).replace("\n", "\n  ")
        between = ",\n  "
    yield "\n}"


def _list(items: Iterable[Any]) -> Iterator[str]:
    between = "[\n    "
    for item in items:
        yield between + _dumped(item).replace("\n", "\n    ")
        between = ",\n    "
    yield "[]" if between.startswith("[") else "\n  ]"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


_BY_NAME = (
    ("OneDrive", re.compile(r"onedrive(?:[ -].+)?", re.IGNORECASE)),
    ("Dropbox", re.compile(r"dropbox(?: \(.+\))?", re.IGNORECASE)),
    ("iCloud Drive", re.compile(r"icloud ?drive|mobile documents", re.IGNORECASE)),
    ("Google Drive", re.compile(r"google ?drive(?:-.+)?|my drive", re.IGNORECASE)),
    ("Nextcloud", re.compile(r"nextcloud|owncloud", re.IGNORECASE)),
    ("MEGA", re.compile(r"mega(?:sync)?", re.IGNORECASE)),
    ("pCloud", re.compile(r"pcloud ?drive", re.IGNORECASE)),
    ("坚果云", re.compile(r"我的坚果云|坚果云|nutstore(?: files)?", re.IGNORECASE)),
    ("百度网盘", re.compile(r"baidusyncdisk|百度网盘同步空间", re.IGNORECASE)),
    ("WPS 云盘", re.compile(r"wps ?云盘|wpsdrive", re.IGNORECASE)),
    ("阿里云盘", re.compile(r"阿里云盘|adrive", re.IGNORECASE)),
)
_BY_FILE = (
    ("Syncthing", ".stfolder"),
    ("Dropbox", ".dropbox.cache"),
    ("Nextcloud", ".nextcloudsync.log"),
    ("Resilio Sync", ".sync/ID"),
)


def synced_by(folder: Path) -> str | None:
    """Return the name of the cloud program that syncs ``folder``; None if none is known to.

    Such a program copies a database while it changes, so that a copy may be inconsistent, and two
    computers write into each other's library. It is recognised by the names of its folders and the
    files it leaves in them.
    """
    parts = [folder, *folder.parents]
    for place in parts:
        for name, pattern in _BY_NAME:
            if pattern.fullmatch(place.name):
                return name
    for place in parts:
        for name, file in _BY_FILE:
            try:
                if (place / file).exists():
                    return name
            except OSError:  # a parent folder that may not be read
                continue
    return None
