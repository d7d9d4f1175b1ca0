"""What the memory server remembers: corrections, silent companions, and uploaded chats.

Corrections and silent chats are in one small file of the library, written atomically. It is no
memory: not undone, not in backups; losing it only means making a correction again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import file_errors

FILE_NAME = "served.json"
CORRECTIONS_KEPT = 300  # newest corrections kept: one for each conversation a user ever corrected
SILENT_KEPT = 5_000  # newest chats kept whose companion fell silent: some 50 bytes each


@dataclass(frozen=True, slots=True)
class Correction:
    """``prints`` are hashes of the newest messages; ``line`` None says that it is no chat."""

    prints: tuple[str, ...]
    line: Line | None


class ServedNotes:
    """Reads and writes the file; for writing, the caller holds the library."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def read(self) -> tuple[list[Correction], list[str]]:
        """Return corrections, the oldest first, and the chats whose companion fell silent."""
        try:
            table = json.loads(self._path.read_text("utf-8"))
            corrections = [
                Correction(
                    tuple(map(str, row["prints"])),
                    Line(str(row["chat"]), str(row["branch"])) if row["chat"] else None,
                )
                for row in table["corrections"]
            ]
            silent = [str(chat) for chat in table.get("silent", ())]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return [], []
        return corrections, silent

    def write(self, corrections: Sequence[Correction], silent: Sequence[str]) -> None:
        """Replace the file atomically. Raises StorageError, DiskFull."""
        table = {
            "corrections": [
                {
                    "prints": list(row.prints),
                    "chat": row.line.chat_id if row.line else "",
                    "branch": row.line.branch_id if row.line else "",
                }
                for row in corrections[-CORRECTIONS_KEPT:]
            ],
            "silent": list(silent[-SILENT_KEPT:]),
        }
        temporary = self._path.with_name(f"{FILE_NAME}.tmp")
        with file_errors(self._path):
            moving.write_private(json.dumps(table), temporary, self._path)


FOLDER = "companion"


def folder_of(library: Path) -> Path:
    """Return the folder of uploaded chats, stored as chat files.

    A file there represents one that this computer cannot read; once it can, that one replaces it.
    """
    return library / FOLDER


def is_uploaded(library: Path, path: str | Path) -> bool:
    """Return whether a path (stored or actual) is in the folder of uploaded chats."""
    root = os.path.normcase(folder_of(library).absolute())
    return Path(os.path.normcase(path)).is_relative_to(root)
