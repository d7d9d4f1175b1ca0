"""Lines of a text file in whatever encoding it is, without ever holding the whole of it.

A line longer than the cap is skipped, not read into memory. Bytes that fit no encoding become
U+FFFD; whoever reads is told which lines.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engram_desktop.domain.values import dataclass
from engram_desktop.formats.plain_file import open_plain

MAX_LINE = 16_000_000  # characters; the longest real ones hold many swipes with their reasoning
_SAMPLE = 1_000_000  # bytes by which an encoding is told: bounds the time
_BAD_BYTE = re.compile("[\udc80-\udcff]+")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class FileLine:
    """``number`` is 1-based. ``text`` is None for a line beyond the cap."""

    number: int
    text: str | None
    has_bad_bytes: bool = False


def encoding_of(sample: bytes) -> str:
    """Tell UTF-8, UTF-16, UTF-32 and GB18030 apart by the beginning of a file, or by more."""
    sample = sample[:_SAMPLE]
    for bom, name in _BOMS:
        if sample.startswith(bom):
            return name
    if _is_utf16(sample, little=True):
        return "utf-16-le"
    if _is_utf16(sample, little=False):
        return "utf-16-be"
    return "gb18030" if _is_gb18030(sample) else "utf-8"


def _is_utf16(sample: bytes, *, little: bool) -> bool:
    """Whether every other byte of the beginning is NUL, as in a JSON file without a BOM."""
    head = sample[:8]
    zeros, letters = (head[1::2], head[::2]) if little else (head[::2], head[1::2])
    return len(head) == 8 and not any(zeros) and all(letters)


def _is_gb18030(sample: bytes) -> bool:
    """Whether most lines that are not ASCII are no UTF-8 and yet sound GB18030.

    A single damaged line does not make a UTF-8 file Chinese.
    """
    utf8 = gb = 0
    lines = sample.split(b"\n")
    for line in lines[:-1] if len(lines) > 1 else lines:
        if not line.isascii():
            if _decodes(line, "utf-8"):
                utf8 += 1
            elif _decodes(line, "gb18030"):
                gb += 1
    return gb > utf8


def _decodes(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def read_lines(path: Path, encoding: str, limit: int = MAX_LINE) -> Iterator[FileLine]:
    """Yield every line without its end. Only a line feed ends one: a lone CR is text."""
    with open_plain(path) as file:
        yield from lines_of(file, encoding, limit)


def lines_of(
    stream: BinaryIO, encoding: str, limit: int = MAX_LINE, first: int = 1
) -> Iterator[FileLine]:
    """As `read_lines`, of an open stream, which is closed; lines are counted from ``first``."""
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    with io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="\n") as file:
        number = first - 1
        while text := file.readline(limit):
            number += 1
            if len(text) == limit and not text.endswith("\n"):
                while (rest := file.readline(limit)) and not rest.endswith("\n"):
                    pass
                yield FileLine(number, None)
                continue
            clean = _BAD_BYTE.sub("\ufffd", text)
            bad = clean != text or (errors == "replace" and "\ufffd" in text)
            yield FileLine(number, clean.strip("\ufeff\r\n\x1a "), bad)
