"""The content of a chat file at one moment, read in one go, so that the file is never kept open.

A mark records how far a file was understood. The header changes at each save and the newest
messages often do; so a mark counts from after the header and ends some messages before the end. The
part before a valid mark is read and hashed but not kept: SillyTavern writes the whole file at each
message, and only all of its bytes prove that nothing in them changed.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

import mmh3

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_jsonl import (
    ChangedFile,
    ChatFile,
    FileWarnings,
    Header,
    header_of,
    is_header,
    read_chat_bytes,
    read_header,
    read_rows,
)
from engram_desktop.formats.json_values import read_value
from engram_desktop.formats.plain_file import encoding_of, lines_of, open_plain, stamp_of

# Bytes: a chat of 100,000 messages is 27 MB, with swipes and reasoning a few times that.
MAX_SIZE = 512_000_000
KEPT_OPEN = 12  # newest lines, which are read again every time
_PIECE = 262_144  # bytes hashed at a time, so that they stay in the processor's cache


class TooLarge(InputError):
    """``file`` is larger than any real chat: beyond `MAX_SIZE`."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is too large to be followed.")


@dataclass(frozen=True, slots=True)
class Mark:
    """``offset`` bytes after the header, with ``hash``, hold the first ``floor`` messages."""

    offset: int
    hash: str
    floor: int


@dataclass(frozen=True)
class Snapshot:
    """The bytes of ``path``; ``stamp`` is its size and time of change (ns).

    With a valid mark, the part before it is left out of ``data``: then only what is new can be
    read.
    """

    path: Path
    stamp: tuple[int, int]
    data: bytes = field(repr=False)
    known: Mark | None = None
    _digest: Any = field(default=None, repr=False)  # of the part left out

    @cached_property
    def encoding(self) -> str:
        return encoding_of(self.data)

    @cached_property
    def chat(self) -> ChatFile:
        """The whole chat, parsed."""
        return read_chat_bytes(self.path, self.data, self.stamp)

    @cached_property
    def is_half(self) -> bool:
        """Whether the last line is incomplete."""
        last = self.data[self.data.rfind(b"\n") + 1 :].strip()
        if not last or not self._is_utf8:
            return False
        try:
            read_value(last.decode("utf-8-sig", "replace"))
        except ValueError:
            return True
        except RecursionError:
            return False
        return False

    def messages(self) -> list[ParsedMessage]:
        return list(self.chat.messages())

    def holds(self, mark: Mark) -> bool:
        """Return whether the file still begins as it did when ``mark`` was made."""
        if self.known is not None:
            return self.known == mark
        end = self._place(mark.offset)
        return self._is_utf8 and end <= len(self.data) and self._hash(end) == mark.hash

    def messages_after(self, mark: Mark) -> list[ParsedMessage]:
        """Return the messages after a valid mark; their lines are counted from there."""
        start = self._place(mark.offset)
        tail = lines_of(io.BytesIO(self.data[start:]), "utf-8")
        rows = read_rows(tail, FileWarnings(), self._header)
        return [row for row in rows if isinstance(row, ParsedMessage)]

    def mark(self, messages: Sequence[ParsedMessage], after: Mark | None = None) -> Mark | None:
        """Return a mark of the part that need not be read again.

        ``messages`` are those after the mark ``after``, or all of them. None if no mark can be set:
        the file is not UTF-8, or too short.
        """
        if not self._is_utf8:
            return None
        end = len(self.data)
        for _ in range(KEPT_OPEN):
            end = self.data.rfind(b"\n", self._body, end)
            if end < 0:
                return after
        offset = end + 1 - self._place(0)
        if after is not None and offset <= after.offset:
            return after
        start = self._place(after.offset) if after else 0
        line = self.data.count(b"\n", start, end + 1) + 1
        floor = (after.floor if after else 0) + sum(m.line < line for m in messages)
        return Mark(offset, self._hash(end + 1), floor)

    @property
    def _is_utf8(self) -> bool:
        return self.known is not None or self.encoding.startswith("utf-8")

    def _place(self, offset: int) -> int:
        """Return the position in ``data`` of the byte at ``offset`` after the header."""
        return self._body + offset - (self.known.offset if self.known else 0)

    def _hash(self, end: int) -> str:
        """Return the hash from after the header up to ``end``; cached."""
        at = max((known for known in self._hashed if known <= end), default=self._body)
        digest = self._hashed[at].copy() if at in self._hashed else _digest()
        digest.update(memoryview(self.data)[at:end])
        self._hashed[end] = digest
        digits: str = digest.digest().hex()
        return digits

    @cached_property
    def _hashed(self) -> dict[int, Any]:
        return {self._body: self._digest} if self._digest is not None else {}

    @property
    def header(self) -> str:
        """The first line if it is a header; for an old group chat, a header made from its group."""
        return self._header.raw if self._header else header_of(self.path)

    @cached_property
    def _header(self) -> Header | None:
        return _header_of(self.data[: self.data.find(b"\n") + 1 or len(self.data)])

    @cached_property
    def _body(self) -> int:
        """The position after the header line."""
        return self.data.find(b"\n") + 1 if self._header is not None else 0


def _header_of(line: bytes) -> Header | None:
    text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
    try:
        row, _end = read_value(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or not is_header(row):
        return None
    return read_header(row, text)


def _digest() -> Any:
    """128 bits of MurmurHash3: 6 ms for 27 MB, where SHA-1 takes 19.

    It need not be cryptographic.
    """
    return mmh3.mmh3_x64_128()


def take(path: Path, mark: Mark | None = None) -> Snapshot:
    """Read ``path``, but only what comes after ``mark`` if that is valid.

    Raises ChangedFile if the file was written to meanwhile, TooLarge, OSError.
    """
    with open_plain(path) as file:
        before = stamp_of(path)
        if before[0] > MAX_SIZE:
            raise TooLarge(file=path.name)
        snapshot = _take_after(mark, path, before, file) if mark is not None else None
        if snapshot is None:
            file.seek(0)
            snapshot = Snapshot(path, before, file.read(MAX_SIZE + 1))
    left_out = snapshot.known.offset if snapshot.known else 0
    if len(snapshot.data) + left_out != before[0] or stamp_of(path) != before:
        raise ChangedFile(file=path.name)
    return snapshot


def _take_after(
    mark: Mark, path: Path, stamp: tuple[int, int], file: io.BufferedReader
) -> Snapshot | None:
    """Hash what comes before ``mark`` without keeping it; None if the mark is not valid."""
    head = file.readline(MAX_SIZE)
    if not encoding_of(head).startswith("utf-8") or _header_of(head) is None:
        return None  # without a header the lines would have to be kept
    digest, buffer = _digest(), memoryview(bytearray(_PIECE))
    left = mark.offset
    while left:
        count = file.readinto(buffer[: min(left, _PIECE)])
        if not count:
            return None
        digest.update(buffer[:count])
        left -= count
    if digest.digest().hex() != mark.hash:
        return None
    return Snapshot(path, stamp, head + file.read(MAX_SIZE + 1), mark, digest)
