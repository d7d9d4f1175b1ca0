"""Texts that were typed and are saved nowhere yet, so that a crash does not lose them.

One small file in the folder of what it is about: a chat's, or the library's. It is moved and
deleted with that folder. It is no memory: not undone, not recalled, in no backup.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from engram_desktop import moving
from engram_desktop.storage.database import file_errors

Typed = str | list[str]  # a field of text, or one of words
FILE_NAME = "unsaved.json"
FILES = (FILE_NAME, f"{FILE_NAME}.tmp")  # the second is what a kill in the middle of writing leaves
# Places that are kept, the newest: one is left behind by each crash in the middle of a word, and
# nobody comes back to most of them. Sixty texts of 2,800 characters are written in 4 ms of
# processor time.
PLACES_KEPT = 60


class UnsavedTexts:
    """The texts of one folder, by the place they were typed at and by field."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def read(self) -> dict[str, dict[str, Typed]]:
        """Return what is kept, the oldest place first; nothing if the file cannot be read."""
        try:
            places = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(places, dict):
            return {}
        return {
            place: {name: text for name, text in fields.items() if _is_typed(text)}
            for place, fields in places.items()
            if isinstance(fields, dict)
        }

    def keep(self, place: str, fields: Mapping[str, Typed]) -> None:
        """Replace what is kept for ``place`` by ``fields``; empty ``fields`` remove it.

        Raises StorageError, DiskFull.
        """
        places = self.read()
        previous = places.pop(place, None)
        if fields:
            places[place] = dict(fields)
        elif previous is None:
            return
        with file_errors(self._path):
            self._write(dict(list(places.items())[-PLACES_KEPT:]))

    def _write(self, places: Mapping[str, Mapping[str, Typed]]) -> None:
        """Replace the file whole, so that a crash leaves the one before.

        No fsync: that takes up to 20 ms, about once a second while typing, and matters only for a
        power cut.
        """
        if not places:
            moving.delete(self._path)
            return
        temporary = self._path.with_name(FILES[1])
        with open(temporary, "w", encoding="utf-8", errors="replace", opener=_open_private) as file:
            json.dump(places, file, ensure_ascii=False)
        moving.replace(temporary, self._path)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_typed(value: object) -> bool:
    is_words = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return is_words or isinstance(value, str)
