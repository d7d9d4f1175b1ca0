"""A file of the user's that is taken in: it is opened, and its encoding found, once.

What tells its kind and what reads it get the same `SourceFile`, so that both see the same bytes.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from engram_desktop.formats.plain_file import open_plain, read_plain, stamp_of
from engram_desktop.formats.secrets_file import refuse_secrets
from engram_desktop.formats.text_lines import FileLine, encoding_of, lines_of

FileKind = Literal[
    "chat_jsonl",
    "card_png",
    "card_json",
    "charx",
    "world_info",
    "regex_script",
    "chat_json",
    "memories",
    "empty",
    "unknown",
]
# Bytes: a chat of 20,000 messages with its swipes. A larger file is opened for each pass over it,
# so that memory does not grow with it. Nothing was measured.
MOST_KEPT = 32_000_000
SAMPLE = 1_000_000  # bytes by which the encoding is told: bounds the time


class SourceFile:
    """``is_kept``: its bytes are held, as they were when it was opened. Raises HoldsKeys, OSError.

    ``stamp`` is size and time of change when it was opened; ``kind`` is what `sniff` found.
    """

    def __init__(self, path: Path, most_kept: int = MOST_KEPT) -> None:
        refuse_secrets(path)
        self.path = path
        self.kind: FileKind | None = None
        with open_plain(path) as file:
            self.stamp = stamp_of(path)
            self._data = file.read() if self.stamp[0] <= most_kept else None
            self._sample = file.read(SAMPLE) if self._data is None else self._data[:SAMPLE]

    @property
    def is_kept(self) -> bool:
        return self._data is not None

    @functools.cached_property
    def encoding(self) -> str:
        return encoding_of(self._sample)

    def open(self) -> BinaryIO:
        """Open what it holds, from the beginning. Raises OSError."""
        return open_plain(self.path) if self._data is None else io.BytesIO(self._data)

    def read(self, limit: int) -> bytes:
        """Return all of it. Raises OSError, also for more than ``limit`` bytes."""
        if self._data is not None and len(self._data) <= limit:
            return self._data
        return read_plain(self.path, limit)

    def lines(self) -> Iterator[FileLine]:
        """Yield every line without its end. Raises OSError."""
        return lines_of(self.open(), self.encoding)


def opened(file: Path | SourceFile) -> SourceFile:
    """Return ``file``, opened if it is only a path. Raises HoldsKeys, OSError."""
    return file if isinstance(file, SourceFile) else SourceFile(file)
