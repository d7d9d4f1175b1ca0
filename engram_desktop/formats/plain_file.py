"""Open the user's files: regular files only, read up to a limit, or line by line as text.

Reading a pipe would wait forever, a device never ends, and a link may lead to either. The opened
file is checked, not its path before.
"""

from __future__ import annotations

import codecs
import errno
import functools
import io
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
_NOT_PLAIN = _T("reports", "it is no regular file")
BAD_NAME = _T("reports", "its name is not UTF-8; rename it")
_TOO_LARGE = _T("reports", "it is larger than {limit} MB")
# Opening a pipe waits for its other end unless O_NONBLOCK is set; Windows has neither name.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 8_000_000  # reading takes the requested memory, whatever the size of the file


def open_plain(path: Path) -> io.BufferedReader:
    """Open a regular file for reading. Raises OSError, also for any other file.

    A name that is not UTF-8 is refused too: it can be neither stored nor shown.
    """
    if not is_utf8(path):
        raise OSError(errno.EILSEQ, Phrase(BAD_NAME), str(path))
    if not stat.S_ISREG(path.stat().st_mode):  # some devices act when they are opened
        raise _not_plain(path)
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()  # replaced between
    raise _not_plain(path)


def stamp_of(path: Path) -> tuple[int, int]:
    """Return size and time of change (ns), which show whether a file was written to."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def is_utf8(path: Path) -> bool:
    """Return whether a path can be stored in a database and shown."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def read_plain(path: Path, limit: int) -> bytes:
    """Read a regular file of at most ``limit`` bytes. Raises OSError, also for a larger one."""
    with open_plain(path) as file:
        size = os.fstat(file.fileno()).st_size
        pieces: list[bytes] = []
        while size <= limit and (piece := file.read(_PIECE)):
            pieces.append(piece)
            size = max(size, sum(map(len, pieces)))
        if size <= limit:
            return b"".join(pieces)
    raise OSError(errno.EFBIG, Phrase(_TOO_LARGE, limit=limit // 1_000_000), str(path))


def read_json_text(path: Path, limit: int) -> str:
    """Read UTF-8 text without a BOM. Raises OSError."""
    return read_plain(path, limit).decode("utf-8-sig", "replace").lstrip()


def _not_plain(path: Path) -> OSError:
    if path.is_dir():
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return OSError(errno.EINVAL, Phrase(_NOT_PLAIN), str(path))


# SillyTavern's file of API keys, which is never opened, whatever path leads to it.


NAME = "secrets.json"


class HoldsKeys(InputError):
    """``file`` is the file of API keys; it was not read."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds API keys. It is not opened.")
    hint = QT_TRANSLATE_NOOP("errors", "Chats, cards and world books lie in folders beside it.")


def is_secret(name: str) -> bool:
    """Return whether a file has the name of the keys' file, in any case."""
    return name.casefold() == NAME


def refuse_secrets(path: Path) -> None:
    """Raise HoldsKeys for the file of keys, also if a link has another name."""
    real = os.path.realpath(path)  # `Path.resolve` fails on a link to itself
    if is_secret(path.name) or is_secret(Path(real).name):
        raise HoldsKeys(file=path.name)


# A file of the user's: opened once, its encoding detected, read line by line. The detection of
# its kind and its reader get the same `SourceFile`, so that both see the same bytes. A line
# longer than the cap is skipped, not read into memory. Bytes that fit no encoding become U+FFFD,
# and the line is marked.

MAX_LINE = 16_000_000  # characters; the longest real ones hold many swipes with their thoughts
_SAMPLE = 1_000_000  # bytes by which an encoding is detected: bounds the time
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
    """Detect UTF-8, UTF-16, UTF-32 or GB18030 by the beginning of a file, or more of it."""
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
    """Return whether every other byte at the beginning is NUL, as in JSON without a BOM."""
    head = sample[:8]
    zeros, letters = (head[1::2], head[::2]) if little else (head[::2], head[1::2])
    return len(head) == 8 and not any(zeros) and all(letters)


def _is_gb18030(sample: bytes) -> bool:
    """Return whether most non-ASCII lines are invalid UTF-8 but valid GB18030.

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


def read_lines(path: Path, encoding: str) -> Iterator[FileLine]:
    """Yield every line without its end. Only a line feed ends a line: a lone CR is text."""
    with open_plain(path) as file:
        yield from lines_of(file, encoding)


def lines_of(stream: BinaryIO, encoding: str) -> Iterator[FileLine]:
    """As `read_lines`, for an open stream, which is closed."""
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    with io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="\n") as file:
        number = 0
        while text := file.readline(MAX_LINE):
            number += 1
            if len(text) == MAX_LINE and not text.endswith("\n"):
                while (rest := file.readline(MAX_LINE)) and not rest.endswith("\n"):
                    pass
                yield FileLine(number, None)
                continue
            clean = _BAD_BYTE.sub("\ufffd", text)
            bad = clean != text or (errors == "replace" and "\ufffd" in text)
            yield FileLine(number, clean.strip("\ufeff\r\n\x1a "), bad)


FileKind = Literal[
    "chat_jsonl",
    "card_png",
    "card_json",
    "charx",
    "world_info",
    "regex_script",
    "chat_json",
    "memories",
    "volume",
    "empty",
    "unknown",
]
# Bytes: a chat of 20,000 messages with its swipes. A larger file is opened again for each pass, so
# that memory does not grow with it. Not measured.
MOST_KEPT = 32_000_000
SAMPLE = 1_000_000  # bytes by which the encoding is detected: bounds the time


class SourceFile:
    """A file for import. ``is_kept``: its bytes at opening are held. Raises HoldsKeys, OSError.

    ``stamp`` is size and time of change when it was opened; ``kind`` is the result of `sniff`.
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
        """Open its content from the beginning. Raises OSError."""
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
    """Return ``file``, opened if it is a path. Raises HoldsKeys, OSError."""
    return file if isinstance(file, SourceFile) else SourceFile(file)


# Detect UTF-8 that some program read as Windows-1252: “ä½ å¥½” for 你好.


# The first byte of a UTF-8 sequence read that way, followed by a further one.
_SUSPECT = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u2122]")
_ENCODING_SAMPLE = 4_000  # characters: enough to decide, and quick in long texts
_ENOUGH = 3  # pairs: one or two may be intended, as in “Ã©”


def is_mojibake(text: str) -> bool:
    """Return whether ``text`` becomes valid UTF-8 when written as Windows-1252."""
    sample = text[:_ENCODING_SAMPLE]
    if len(_SUSPECT.findall(sample)) < _ENOUGH:
        return False
    data = b"".join(map(_byte, sample))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(data) - 4  # only cut by the end of the sample
    return True


def _byte(char: str) -> bytes:
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1") if ord(char) < 256 else b"\xff"
