"""List folders of SillyTavern's: bounded, links not followed, a failure is a warning.

`secrets.json` is passed over wherever it lies; nothing here ever writes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.lenient_json import read_value, storable
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.secrets_file import is_secret

_T = QT_TRANSLATE_NOOP
MAX_WARNINGS = 100  # of one folder: more are not read by anybody
MAX_JSON = 64_000_000  # bytes: bounds the memory of reading one file whole


def _never_ends() -> None:
    """The check of a listing that nobody can end early."""


@dataclass(slots=True)
class Listing:
    """What one listing may still read, and what it noticed. ``check`` raises to end it."""

    entries: int
    left: int
    check: Callable[[], object] = _never_ends
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def warn(self, path: Path | str, text: str, **params: str) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append((str(path), Phrase(text, **params)))

    def may_read(self, size: int) -> bool:
        """Whether so many bytes more may be read; if so, they are counted."""
        self.check()
        if size > self.left:
            return False
        self.left -= size
        return True


def entries_of(folder: Path, listing: Listing) -> list[os.DirEntry[str]]:
    """Return what a folder holds, by name; links and what is beyond the limit left out."""
    entries_kept: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    listing.warn(entry.path, _T("reports", "a link; it was not followed"))
                elif is_secret(entry.name):
                    continue
                elif len(entries_kept) == listing.entries:
                    listing.warn(folder, _T("reports", "too many files; the rest was left out"))
                    break
                else:
                    entries_kept.append(entry)
    except FileNotFoundError:
        return []
    except OSError as e:
        listing.warn(folder, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return []
    return sorted(entries_kept, key=lambda entry: entry.name)


def files_of(folder: Path, ending: str, listing: Listing) -> list[os.DirEntry[str]]:
    """Return the files in ``folder`` whose names end in ``ending``, in any case; no links."""
    return [
        entry
        for entry in entries_of(folder, listing)
        if entry.name.lower().endswith(ending) and entry.is_file(follow_symlinks=False)
    ]


def status_of(entry: os.DirEntry[str], listing: Listing) -> os.stat_result | None:
    """Return size and times of an entry; None with a warning if they cannot be read."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError as e:
        listing.warn(entry.path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
        return None


def texts_in(value: object) -> list[str]:
    """Return the texts and numbers of a list as texts; empty for anything else."""
    if not isinstance(value, list):
        return []
    values = (v for v in value if isinstance(v, str | int) and not isinstance(v, bool))
    return [storable(str(v)) for v in values]


def document_of(path: Path, listing: Listing) -> Any:
    """Read a JSON document; None with a warning if it is none."""
    try:
        if path.stat().st_size > MAX_JSON:
            listing.warn(path, _T("reports", "the file is too large; left out"))
            return None
        return read_value(read_json_text(path, MAX_JSON))[0]
    except OSError as e:
        listing.warn(path, _T("reports", "cannot be read: {why}"), why=str(e.strerror or e))
    except (ValueError, RecursionError):
        listing.warn(path, _T("reports", "not readable as JSON; left out"))
    return None
