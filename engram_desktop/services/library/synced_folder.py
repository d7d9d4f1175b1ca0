"""Whether a folder is kept in step by a cloud program, which copies a database while it changes.

Such a copy can be of no one moment, and two computers then write into each other's library. What
is known are the names these programs give their folders, and the files they leave in them.
"""

from __future__ import annotations

import re
from pathlib import Path

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
