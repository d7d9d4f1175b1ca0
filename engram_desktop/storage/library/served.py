"""Exchanges the server has passed on, and chats that a companion uploads."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import file_errors

# What the server remembers of the chats of front ends: corrections, and which nobody tells of
# now.
#
# One small file in the folder of the library, written whole. It is no memory: not undone, in no
# backup; losing it costs a correction that is made again.


FILE_NAME = "served.json"
CORRECTIONS_KEPT = 300  # the newest: one for each conversation a user ever corrected
SILENT_KEPT = 5_000  # chats whose companion fell silent, the newest: some 50 bytes each


@dataclass(frozen=True, slots=True)
class Correction:
    """``prints`` are hashes of the newest messages; ``line`` None says that it is no chat."""

    prints: tuple[str, ...]
    line: Line | None


class ServedNotes:
    """Reads and writes the file; whoever writes holds the library."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def read(self) -> tuple[list[Correction], list[str]]:
        """Return corrections, the oldest first, and chats whose companion fell silent."""
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
        """Replace the file whole. Raises StorageError, DiskFull."""
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
            with open(temporary, "w", encoding="utf-8", opener=_open_private) as file:
                json.dump(table, file)
            moving.replace(temporary, self._path)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# Where a library keeps chats that another program tells of: as files, in a folder of its own.
#
# A file there stands for one that nobody here can read. Once that one can be read, it takes over.


FOLDER = "companion"


def folder_of(library: Path) -> Path:
    """Return the folder of these files."""
    return library / FOLDER


def is_told(library: Path, path: str | Path) -> bool:
    """Whether a file is one of these, by its path as it is kept or as it is."""
    root = os.path.normcase(folder_of(library).absolute())
    return Path(os.path.normcase(path)).is_relative_to(root)
