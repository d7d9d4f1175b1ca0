"""Files that are written whole or not at all."""

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

# Whole files: new ones, or put in place of another at once, so that no reader sees half of one.
#
# Whether a file may be replaced is decided by the caller, never here. A killed process leaves at
# most a file of our own beside it, which the next writing takes over.


EMPTY = digest(b"")


def hash_of(path: Path) -> str | None:
    """Return the digest of a file's bytes, or None if there is no file. Raises OSError."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def write_new(target: Path, content: bytes) -> None:
    """Make a file of ``content``. Raises InputError if it exists, NotFound, StorageError."""
    write_new_parts(target, [content])


def write_new_parts(target: Path, parts: Iterable[bytes]) -> None:
    """Make a file of ``parts``, written as they come; none stays if one of them fails.

    Raises FileExists, NotFound, StorageError, and what making the parts raises.
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
            moving.delete(target)  # half a file looks like a whole one
            raise


def replace_file(target: Path, content: bytes) -> None:
    """Make ``target`` hold ``content``. Raises OSError; then it is as it was.

    No handle is open at the renaming: Windows would refuse it.
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


# A large JSON document, written in pieces: never held as a whole.


def document(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of an object, indented by two as `json.dumps` does it.

    Its values are JSON values, or iterators of those, written as lists one after another.
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


# Whether a folder is kept in step by a cloud program, which copies a database while it changes.
#
# Such a copy can be of no one moment, and two computers then write into each other's library.
# What is known are the names these programs give their folders, and the files they leave in them.


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
    """Name the program that keeps ``folder`` in step with other places, if one is known to."""
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
            except OSError:  # a folder above ours that may not be looked into
                continue
    return None
