"""Read SillyTavern chats: JSON lines, with a header and one message per line.

Of a message only ``mes`` counts, the chosen swipe: rejected swipes are not part of the story. Any
type is accepted in any field; unreadable values become empty and never raise. Times without a zone
are read as UTC, so that a file gives the same times on every computer.

The file is only read, in two passes: `look_through` reads every line and keeps only names, counts
and warnings; `ChatFile.messages` streams, so that 100,000 messages need no memory. A file that is
in memory anyway is parsed once.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.message import ParsedMessage, Role
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import FileWarning
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import read_value, storable, table_of, text_of
from engram_desktop.formats.plain_file import (
    FileLine,
    encoding_of,
    is_mojibake,
    lines_of,
    read_json_text,
    read_lines,
    stamp_of,
)

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# 2024-07-12@01h31m37s123ms, 2024-6-5 @14h 56m 50s 682ms, 2024-7-12@01h31m37s
_AT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?"
)
# June 19, 2023 2:20pm; March 5, 2024 9:02 am; June 19, 2023 14:20
_WORDS = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?",
    re.IGNORECASE,
)
_FIRST = 0  # milliseconds: 1970; no message is older
_LAST = 7_258_118_400_000  # the year 2200: a later time is an error
_SECONDS_BELOW = 100_000_000_000  # smaller numbers are seconds, not milliseconds before March 1973


def parse_sent_at(value: object) -> int | None:
    """Return milliseconds since 1970; None if ``value`` is not a time."""
    match value:
        case bool() | None:
            return None
        case int() | float():
            return _number(value)
        case str():
            return _date_text(" ".join(value[:80].split()))
        case _:
            return None


def _number(value: float) -> int | None:
    if not math.isfinite(value) or value <= 0:
        return None
    return _sane(value * 1000 if value < _SECONDS_BELOW else value)


def _sane(milliseconds: float) -> int | None:
    return int(milliseconds) if _FIRST <= milliseconds <= _LAST else None


def _date_text(text: str) -> int | None:
    try:
        if re.fullmatch(r"\d{9,16}(\.\d+)?", text):
            return _number(float(text))
        if match := _AT.fullmatch(text):
            year, month, day, hour, minute, second = map(int, match.groups()[:6])
            moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
            return _milliseconds(moment, int(match[7] or 0))
        if match := _WORDS.fullmatch(text):
            return _words(match)
        moment = datetime.fromisoformat(text)
        return _milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _words(match: re.Match[str]) -> int | None:
    month = _MONTHS.get(match[1][:3].lower())
    hour = int(match[4])
    if month is None:
        return None
    if match[7]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[7].lower() == "pm" else 0)
    moment = datetime(
        int(match[3]), month, int(match[2]), hour, int(match[5]), int(match[6] or 0), tzinfo=UTC
    )
    return _milliseconds(moment)


def _milliseconds(moment: datetime, extra: int = 0) -> int | None:
    return _sane(round(moment.timestamp() * 1000) + extra)


MAX_NAME = 120  # characters: names are shown in lists and prompts; longer ones are accidents
_HEADER_KEYS = frozenset({"user_name", "character_name", "chat_metadata", "create_date"})
_PLACEHOLDER = "unused"  # written by SillyTavern instead of both names since 2025-11
# Rows written by the program itself, which are not part of a story.
_NOTICES = frozenset(
    {
        "assistant_message",
        "assistant_note",
        "comment",
        "empty",
        "formatting",
        "generic",
        "group",
        "help",
        "hotkeys",
        "macros",
        "slash_commands",
        "welcome",
        "welcome_prompt",
    }
)
_SYSTEM_NAMES = frozenset({"SillyTavern System", "TavernAI System", "System"})


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of most chats. Names are empty if the file gives none."""

    user_name: str
    character_name: str
    metadata: dict[str, Any]
    raw: str


def is_header(row: dict[str, Any]) -> bool:
    """Return whether a row is a header: it has no message, but a key that only headers have."""
    return "mes" not in row and not _HEADER_KEYS.isdisjoint(row)


def read_header(row: dict[str, Any], raw: str) -> Header:
    """Read a header; ``raw`` is its line, unchanged."""
    metadata = row.get("chat_metadata")
    return Header(
        user_name=_real_name(row.get("user_name")),
        character_name=_real_name(row.get("character_name") or row.get("name")),
        metadata=metadata if isinstance(metadata, dict) else {},
        raw=raw,
    )


def read_message(
    row: dict[str, Any], raw: str, line: int, header: Header | None
) -> ParsedMessage | None:
    """Return the message of ``row``, or None if it has no text."""
    text = _chosen_text(row)
    if text is None:
        return None
    extra = row.get("extra")
    kind = extra.get("type") if isinstance(extra, dict) else None
    is_hidden = _truth(row.get("is_system"))
    is_user = _truth(row.get("is_user"))
    name = _name(row.get("name"))
    role: Role = "user" if is_user else "assistant"
    if isinstance(kind, str) and kind in _NOTICES:
        role, is_hidden = "system", True
    elif kind == "narrator" or (is_hidden and name in _SYSTEM_NAMES):
        role = "system"
    return ParsedMessage(
        name=name or _fallback_name(role, header),
        role=role,
        text=text,
        is_hidden=is_hidden,
        sent_at=parse_sent_at(row.get("send_date")),
        raw=raw,
        line=line,
        speaker_id=_name(row.get("original_avatar")),
        swipes=max(1, len(row["swipes"])) if isinstance(row.get("swipes"), list) else 1,
    )


def _chosen_text(row: dict[str, Any]) -> str | None:
    text = _text(row.get("mes"))
    if text is not None:
        return text
    swipes, index = row.get("swipes"), row.get("swipe_id")
    if isinstance(swipes, list) and swipes:
        if not isinstance(index, int) or not 0 <= index < len(swipes):
            index = -1
        return _text(swipes[index])
    return None


def _text(value: object) -> str | None:
    """Return a text without characters no database can hold. Chub nests it in ``message``."""
    match value:
        case {"message": nested}:
            return _text(nested) if not isinstance(nested, dict) else None
        case str():
            return storable(value)
        case bool():
            return None
        case int() | float():
            return str(value)
        case _:
            return None


def _truth(value: object) -> bool:
    return value.strip().lower() in {"true", "1"} if isinstance(value, str) else bool(value)


def _name(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(storable(str(value)).split())[:MAX_NAME]


def _real_name(value: object) -> str:
    name = _name(value)
    return "" if name == _PLACEHOLDER else name


def _fallback_name(role: Role, header: Header | None) -> str:
    match role:
        case "user":
            return (header.user_name if header else "") or "User"
        case "assistant":
            return (header.character_name if header else "") or "Character"
        case "system":
            return "System"


# Warnings about one file: limited in number, so that a damaged file cannot flood a window.


MAX_WARNINGS = 50  # shown for one file; further ones are counted
_MORE = QT_TRANSLATE_NOOP("reports", "{count} more warnings like these")


class FileWarnings:
    """Collects warnings; beyond the limit they are only counted."""

    def __init__(self) -> None:
        self._warnings: list[FileWarning] = []
        self._more = 0

    def add(self, line: int, template: str) -> None:
        """Add a warning about ``line``; ``template`` is marked for translation."""
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(FileWarning(line, Phrase(template)))
        else:
            self._more += 1

    def result(self) -> tuple[FileWarning, ...]:
        if not self._more:
            return tuple(self._warnings)
        return (*self._warnings, FileWarning(0, Phrase(_MORE, count=self._more)))


# The groups of SillyTavern: names of their chats and, until 2025, the metadata of these. A group's
# chats are named after a time, and the oldest of them have no header line; so the group that names
# the file is looked up.


CHATS, GROUPS = "group chats", "groups"
MAX_GROUPS = 2_000  # files: bounds the time of one lookup
MAX_SIZE = 8_000_000  # bytes of one; not measured


def metadata_in_group(group: dict[str, Any], chat: str) -> dict[str, Any]:
    """Return a group's metadata of one of its chats: the last opened one, or an earlier one."""
    if str(group.get("chat_id")) == chat and table_of(group.get("chat_metadata")):
        return table_of(group.get("chat_metadata"))
    return table_of(table_of(group.get("past_metadata")).get(chat))


def header_of(chat_file: Path) -> str:
    """Return a current header for a group chat without one; empty if no group has metadata."""
    for group in _groups(chat_file):
        metadata = metadata_in_group(group, chat_file.stem)
        if metadata:
            return json.dumps({"chat_metadata": metadata}, ensure_ascii=False)
    return ""


_BETWEEN_MEMBERS = " – "  # between the name of a group and that of its chat


def name_of(chat_file: Path) -> str:
    """Return the name of a chat; that of a group chat begins with its group's name."""
    for group in _groups(chat_file):
        chats = group.get("chats")
        name = text_of(group.get("name"))
        if name and chat_file.stem in (
            chats if isinstance(chats, list) else [group.get("chat_id")]
        ):
            return f"{name}{_BETWEEN_MEMBERS}{chat_file.stem}"
    return chat_file.stem


def is_named_after(name: str, chat_file: Path) -> bool:
    """Return whether `name_of` can have made ``name`` from a file, for any name of its group."""
    return name == chat_file.stem or name.endswith(f"{_BETWEEN_MEMBERS}{chat_file.stem}")


def _groups(chat_file: Path) -> Iterator[dict[str, Any]]:
    """Yield the groups beside a group chat; none for other files."""
    if chat_file.parent.name == CHATS:
        for path in sorted((chat_file.parent.parent / GROUPS).glob("*.json"))[:MAX_GROUPS]:
            yield _group(path)


def _group(path: Path) -> dict[str, Any]:
    try:
        if path.is_symlink() or path.stat().st_size > MAX_SIZE:
            return {}
        return table_of(read_value(read_json_text(path, MAX_SIZE))[0])
    except (OSError, ValueError, RecursionError):  # reported by the folder's listing
        return {}


_T = QT_TRANSLATE_NOOP
_BETWEEN = re.compile("[ \t\r\n,\ufeff]*")  # between objects whose line ends were lost


class ChangedFile(InputError):
    """The file was written to between the two passes."""

    text = QT_TRANSLATE_NOOP("errors", "{file} was changed while it was being read.")
    hint = QT_TRANSLATE_NOOP("errors", "Import it again.")


@dataclass(frozen=True, slots=True)
class ChatFile:
    """The result of one pass over a chat file. Times are in milliseconds, None if not given.

    ``characters`` are the names of the character's messages, most frequent first. ``metadata`` is
    ``chat_metadata`` unchanged; its ``main_chat`` names the chat this one branched from.
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
    """Read through a chat from its bytes, without opening the file.

    Its messages are parsed once and kept, since a followed file is compared, noted and imported:
    this takes a quarter of the time, and the list is needed in the end anyway.
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
    """Pass over every line once; messages are kept only if ``keeps``."""
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
    """Counts of one pass."""

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
    """Yield the headers and messages of the lines, with warnings for anything else.

    ``header`` is an earlier header of the file.
    """
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
                    warnings.add(line.number, _T("reports", "a message without text; left out"))
                    continue
                yield message
            has_begun = True


def _objects(line: FileLine, warnings: FileWarnings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the JSON objects of a line: one, or several if line ends were lost."""
    if line.text is None:
        warnings.add(line.number, _T("reports", "the line is too long to be a message; left out"))
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
