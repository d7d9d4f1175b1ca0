"""Texts a command is given in files."""

from __future__ import annotations

from pathlib import Path

from engram_desktop.formats.plain_file import read_plain

_MOST = 256_000_000


def text_of_file(path: Path) -> str:
    """Return the text of a file. Raises OSError, UnicodeDecodeError."""
    return read_plain(path, _MOST).decode("utf-8-sig").replace("\r\n", "\n")
