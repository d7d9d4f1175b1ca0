"""Read a SillyTavern chat, of any year and however damaged, one message at a time.

Reads only. Two passes over the file: `look_through` sees every line and keeps nothing but names,
counts and warnings; `ChatFile.messages` streams, so that 100,000 messages need no memory.
What is in memory anyway is looked through once.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import FileWarning
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.chat_row import Header, is_header, read_header, read_message
from engram_desktop.formats.chats.file_warnings import FileWarnings
from engram_desktop.formats.chats.group_metadata import header_of, name_of
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.mojibake import is_mojibake
from engram_desktop.formats.plain_file import stamp_of
from engram_desktop.formats.text_lines import (
    FileLine,
    encoding_of,
    lines_of,
    read_lines,
)

_T = QT_TRANSLATE_NOOP
_BETWEEN = re.compile("[ \t\r\n,\ufeff]*")  # objects whose line ends were lost


class ChangedFile(InputError):
    """The file was written to between the two passes."""

    text = QT_TRANSLATE_NOOP("errors", "{file} was changed while it was being read.")
    hint = QT_TRANSLATE_NOOP("errors", "Import it again.")


@dataclass(frozen=True, slots=True)
class ChatFile:
    """What one pass over a chat file found. Times in milliseconds, None where the file has none.

    ``characters`` are the names that spoke as the character, most talkative first. ``metadata`` is
    ``chat_metadata`` as it stands; its ``main_chat`` names the chat this one branched from.
    """

    path: Path
    name: str
    user_name: str
    characters: tuple[str, ...]
    metadata: dict[str, Any]
    header: str
    encoding: str
    count: int
    hidden: int
    swiped: int
    first_at: int | None
    last_at: int | None
    warnings: tuple[FileWarning, ...]
    _stamp: tuple[int, int] = field(repr=False)
    _rows: tuple[ParsedMessage, ...] | None = field(default=None, repr=False)  # no longer open

    @property
    def main_chat(self) -> str:
        parent = self.metadata.get("main_chat")
        return parent if isinstance(parent, str) else ""

    def messages(self) -> Iterator[ParsedMessage]:
        """Yield the messages in order. Raises ChangedFile, OSError."""
        if self._rows is not None:
            yield from self._rows
            return
        if stamp_of(self.path) != self._stamp:
            raise ChangedFile(file=self.path.name)
        for row in read_rows(read_lines(self.path, self.encoding), FileWarnings()):
            if isinstance(row, ParsedMessage):
                yield row


def read_chat_bytes(path: Path, data: bytes, stamp: tuple[int, int]) -> ChatFile:
    """Look through a chat of which the bytes are there; the file itself is left alone.

    Its messages are parsed once and kept, since a file that is followed is compared, noted and
    taken in: a quarter of the work, and the list is needed in the end anyway.
    """
    encoding = encoding_of(data)
    return look_through(path, encoding, lines_of(io.BytesIO(data), encoding), stamp, keeps=True)


def look_through(
    path: Path,
    encoding: str,
    lines: Iterable[FileLine],
    stamp: tuple[int, int],
    *,
    keeps: bool = False,
) -> ChatFile:
    """Pass over every line once; the messages themselves are kept only if ``keeps``."""
    warnings = FileWarnings()
    if encoding == "gb18030":
        warnings.add(0, _T("reports", "the text is in GB18030, not UTF-8; it was converted"))
    tally = _Tally()
    messages: list[ParsedMessage] = []
    for row in read_rows(lines, warnings):
        tally.take(row)
        if keeps and isinstance(row, ParsedMessage):
            messages.append(row)
    if not tally.count:
        warnings.add(0, _T("reports", "there are no messages in it"))
    elif tally.garbled:
        warnings.add(
            0,
            QT_TRANSLATE_NOOP(
                "reports", "the text looks as if it had been read in a wrong encoding (mojibake)"
            ),
        )
    header = tally.header
    if header is None and (raw := header_of(path)):
        header = read_header(read_value(raw)[0], raw)
    return ChatFile(
        path=path,
        name=name_of(path),
        user_name=tally.most_common_user() or (header.user_name if header else ""),
        characters=tally.speakers() or _character_of(header),
        metadata=header.metadata if header else {},
        header=header.raw if header else "",
        encoding=encoding,
        count=tally.count,
        hidden=tally.hidden,
        swiped=tally.swiped,
        first_at=tally.first_at,
        last_at=tally.last_at,
        warnings=warnings.result(),
        _stamp=stamp,
        _rows=tuple(messages) if keeps else None,
    )


def _character_of(header: Header | None) -> tuple[str, ...]:
    return (header.character_name,) if header and header.character_name else ()


class _Tally:
    """Counts over one pass."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.count = self.hidden = self.swiped = 0
        self.first_at: int | None = None
        self.last_at: int | None = None
        self.garbled = False
        self._users: Counter[str] = Counter()
        self._speakers: Counter[str] = Counter()

    def take(self, row: Header | ParsedMessage) -> None:
        if isinstance(row, Header):
            self.header = self.header or row
            return
        self.count += 1
        self.hidden += row.is_hidden
        self.swiped += row.swipes > 1
        if row.role == "user":
            self._users[row.name] += 1
        elif row.role == "assistant":
            self._speakers[row.name] += 1
        if row.sent_at is not None:
            self.first_at = min(row.sent_at, self.first_at or row.sent_at)
            self.last_at = max(row.sent_at, self.last_at or row.sent_at)
        self.garbled = self.garbled or is_mojibake(row.text)

    def most_common_user(self) -> str:
        return self._users.most_common(1)[0][0] if self._users else ""

    def speakers(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._speakers.most_common())


def read_rows(
    lines: Iterable[FileLine], warnings: FileWarnings, header: Header | None = None
) -> Iterator[Header | ParsedMessage]:
    """Yield what the lines hold; note what they should not. ``header`` came before them."""
    has_begun = header is not None
    for line in lines:
        for raw, row in _objects(line, warnings):
            if is_header(row):
                new_header = read_header(row, raw)
                if has_begun:
                    warnings.add(
                        line.number,
                        QT_TRANSLATE_NOOP(
                            "reports", "a second chat begins here; its messages follow on"
                        ),
                    )
                header = header or new_header
                yield new_header
            else:
                message = read_message(row, raw, line.number, header)
                if message is None:
                    warnings.add(
                        line.number,
                        _T("reports", "a message without text; left out"),
                    )
                    continue
                yield message
            has_begun = True


def _objects(line: FileLine, warnings: FileWarnings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the JSON objects of a line: one, or several if line ends were lost."""
    if line.text is None:
        warnings.add(
            line.number,
            _T("reports", "the line is too long to be a message; left out"),
        )
        return
    if line.has_bad_bytes:
        warnings.add(line.number, _T("reports", "some bytes are not text; they were replaced"))
    text = line.text
    if "\x00" in text:
        text = text.replace("\x00", "")
        warnings.add(line.number, _T("reports", "NUL characters were dropped"))
    at = 0
    while at < len(text):
        try:
            row, end = read_value(text, at)
        except ValueError:
            warnings.add(line.number, _T("reports", "not readable as JSON; left out"))
            return
        except RecursionError:
            warnings.add(line.number, _T("reports", "nested too deep; left out"))
            return
        if isinstance(row, dict):
            yield text[at:end], row
        else:
            warnings.add(line.number, _T("reports", "not a message; left out"))
        at = _between(text, end)


def _between(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at
