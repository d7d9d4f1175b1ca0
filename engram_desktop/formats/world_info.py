"""SillyTavern's worldbooks: every field is read, any can be changed, and all else stays.

A worldbook is kept as its original bytes. A field has a key in the file and a name here. Reading
never fails for a single entry: a field of a wrong type gets its default and is reported. Writing an
unchanged worldbook gives the same bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import (
    ENTRY_MODES,
    ROLES,
    TRIGGERS,
    CardField,
    CharacterFilter,
    Entry,
    Logic,
    ParsedWorldbook,
    Position,
    Worldbook,
    WorldbookFault,
    WorldbookKind,
    mode_flags,
    split_keys,
)
from engram_desktop.formats.foreign_worldbooks import convert, kind_of
from engram_desktop.formats.json_text import JsonPath, as_bytes, dump, read_json, removed, replaced
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.png_chunks import SIGNATURE, WORLDBOOK, hidden_text


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in (0, 1, None):
        return bool(value)
    raise ValueError(value)


def _choice(value: Any) -> bool | None:
    return None if value is None else _flag(value)


def _number(value: Any) -> float:
    if isinstance(value, str):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(value)
    return value


def _whole(value: Any) -> int:
    """Read a number of messages, steps or levels; null and, in old files, false are 0."""
    return int(value) if isinstance(value, bool) else 0 if value is None else int(_number(value))


def _role(value: Any) -> int:
    number = _whole(value)
    if not 0 <= number < len(ROLES):
        raise ValueError(value)
    return number


def _maybe_whole(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _string(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return tuple(item for item in value if isinstance(item, str) and item)


def _keys(value: Any) -> tuple[str, ...]:
    """Read keys; an empty key matches nothing, which differs from having no key."""
    is_list = isinstance(value, list)
    return tuple(k for k in value if isinstance(k, str)) if is_list else _strings(value)


def _filter(value: Any) -> CharacterFilter | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(value)  # noqa: TRY004 - every reader says ValueError
    return CharacterFilter(
        _strings(value.get("names")), _strings(value.get("tags")), _flag(value.get("isExclude"))
    )


Reader = Callable[[Any], Any]
FIELDS: dict[str, tuple[str, Reader]] = {
    "key": ("keys", _keys),
    "keysecondary": ("secondary_keys", _keys),
    "comment": ("comment", _string),
    "content": ("content", _string),
    "constant": ("is_constant", _flag),
    "vectorized": ("is_vectorized", _flag),
    "selective": ("is_selective", _flag),
    "selectiveLogic": ("logic", lambda value: Logic(_whole(value))),
    "order": ("order", _number),
    "position": ("position", lambda value: Position(_whole(value))),
    "disable": ("is_disabled", _flag),
    "ignoreBudget": ("ignore_budget", _flag),
    "excludeRecursion": ("exclude_recursion", _flag),
    "preventRecursion": ("prevent_recursion", _flag),
    "delayUntilRecursion": ("delay_until_recursion", _whole),
    "probability": ("probability", _number),
    "useProbability": ("use_probability", _flag),
    "depth": ("depth", _whole),
    "outletName": ("outlet_name", _string),
    "group": ("group", _string),
    "groupOverride": ("group_override", _flag),
    "groupWeight": ("group_weight", _number),
    "scanDepth": ("scan_depth", _maybe_whole),
    "caseSensitive": ("case_sensitive", _choice),
    "matchWholeWords": ("match_whole_words", _choice),
    "useGroupScoring": ("use_group_scoring", _choice),
    "automationId": ("automation_id", _string),
    "role": ("role", _role),
    "sticky": ("sticky", _whole),
    "cooldown": ("cooldown", _whole),
    "delay": ("delay", _whole),
    "triggers": ("triggers", _strings),
    "characterFilter": ("character_filter", _filter),
}
# Values of an entry where its file gives none: JavaScript takes undefined as false.
UNSAID: dict[str, Any] = {"is_selective": False, "use_probability": False}
MATCHES: dict[str, CardField] = {
    "matchPersonaDescription": "persona_description",
    "matchCharacterDescription": "character_description",
    "matchCharacterPersonality": "character_personality",
    "matchCharacterDepthPrompt": "character_depth_prompt",
    "matchScenario": "scenario",
    "matchCreatorNotes": "creator_notes",
}
# A new entry, with its keys in SillyTavern's order.
TEMPLATE: dict[str, Any] = {
    "key": [],
    "keysecondary": [],
    "comment": "",
    "content": "",
    "constant": False,
    "vectorized": False,
    "selective": True,
    "selectiveLogic": 0,
    "addMemo": False,
    "order": 100,
    "position": 0,
    "disable": False,
    "ignoreBudget": False,
    "excludeRecursion": False,
    "preventRecursion": False,
    **dict.fromkeys(MATCHES, False),
    "delayUntilRecursion": 0,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "automationId": "",
    "role": 0,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "triggers": [],
}


# One field of a worldbook entry as text: `order=50`, `matchScenario=true`, `key=门,钥匙`. Names are
# SillyTavern's or this program's own. A value is read as in the file.


# Lowest and highest value: SillyTavern's, or else a million either way, to catch mistakes.
_RANGES: dict[str, tuple[float, float]] = {
    "probability": (0, 100),
    "depth": (0, 1_000_000),
    "group_weight": (0, 1_000_000),
    "scan_depth": (0, 1000),
    "role": (0, 2),
    "sticky": (0, 1_000_000),
    "cooldown": (0, 1_000_000),
    "delay": (0, 1_000_000),
    "delay_until_recursion": (0, 1_000_000),
    "order": (-1_000_000, 1_000_000),
}
_OF_OURS = {ours: key for key, (ours, _read) in FIELDS.items()}
_MATCH_OF = {f"match_{field}": field for field in MATCHES.values()} | MATCHES
NAMES = (*FIELDS, *MATCHES, "heading", "mode")


class BadField(InputError):
    """``name`` is unknown; ``names`` are the known ones."""

    text = QT_TRANSLATE_NOOP("errors", "An entry has no field “{name}”; there are: {names}.")


class BadValue(InputError):
    """``value`` is not valid for the field ``name``."""

    text = QT_TRANSLATE_NOOP("errors", "“{value}” is no value for the field {name}.")


def read_field(name: str, text: str) -> dict[str, Any]:
    """Parse a field and its value; returns them by names of `Entry`. Raises BadField, BadValue."""
    name = name.strip()
    if name == "mode":
        mode = next((mode for mode in ENTRY_MODES if mode == text), None)
        if mode is None:
            raise BadValue(name=name, value=text)
        return dict(mode_flags(mode))
    if name == "heading":
        return {"heading": text.strip()}
    key = _OF_OURS.get(name, name)
    if key not in FIELDS and key not in _MATCH_OF:
        raise BadField(name=name, names=", ".join(NAMES))
    try:
        value = _value(key, text)
    except (ValueError, OverflowError, RecursionError):
        raise BadValue(name=name, value=text) from None
    if key in _MATCH_OF:
        return {"matches": {_MATCH_OF[key]: value}}
    ours = FIELDS[key][0]
    low, high = _RANGES.get(ours, (None, None))
    if value is not None and low is not None and high is not None and not low <= value <= high:
        raise BadValue(name=name, value=text)
    return {ours: value}


def _value(key: str, text: str) -> Any:
    if key in _MATCH_OF:
        value = json.loads(text)
        if not isinstance(value, bool):
            raise ValueError(text)
        return value
    ours, read = FIELDS[key]
    match ours:
        case "comment" | "content" | "outlet_name" | "group" | "automation_id":
            return text
        case "keys" | "secondary_keys" if not text.lstrip().startswith("["):
            return split_keys(text)
        case "triggers":
            words = text.split(",") if not text.lstrip().startswith("[") else json.loads(text)
            if unknown := {t.strip() for t in words if t.strip()} - set(TRIGGERS):
                raise ValueError(unknown)
            return read([t.strip() for t in words])
        case "character_filter":
            audience = read(json.loads(text))
            return CharacterFilter() if audience is None else audience
    value = json.loads(text)
    if isinstance(value, str):
        raise ValueError(text)  # noqa: TRY004 - every reader says ValueError
    return read(value)


# The heading of an entry, stored where SillyTavern keeps unknown data. An entry's ``extensions``
# survive its way into a card and back. Its ``group`` cannot be used: it is an inclusion group, of
# which only one entry fires.


OWN = "engram"  # below `extensions`, the data of this program
_NAME = "heading"
_LONGEST = 200  # characters; a longer text is not a heading


def heading_in(row: Mapping[str, Any]) -> str:
    """Return the heading of an entry in its file; empty if there is none."""
    extensions = row.get("extensions")
    own = extensions.get(OWN) if isinstance(extensions, dict) else None
    heading = own.get(_NAME) if isinstance(own, dict) else None
    return " ".join(heading.split())[:_LONGEST] if isinstance(heading, str) else ""


def heading_change(extensions: Any, heading: str) -> tuple[JsonPath, Any]:
    """Return where an entry with these ``extensions`` stores a heading, and the value."""
    if not isinstance(extensions, dict):
        return ("extensions",), {OWN: {_NAME: heading}}
    if not isinstance(extensions.get(OWN), dict):
        return ("extensions", OWN), {_NAME: heading}
    return ("extensions", OWN, _NAME), heading


MAX_FILE = 64_000_000  # bytes: bounds the memory of reading it whole
_BOM = "\ufeff"


class BadWorldbook(InputError):
    """``file`` is JSON, but not a worldbook of a known kind."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is no world book: it holds no list of entries.")


class TooBig(InputError):
    """``file`` has ``size`` MB; at most ``limit`` are read."""

    text = QT_TRANSLATE_NOOP(
        "errors", "{file} has {size} MB; files of this kind are read up to {limit}."
    )


class UnknownEncoding(InputError):
    """``file`` is in none of the known encodings."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is no text in UTF-8, UTF-16 or GB18030.")
    hint = QT_TRANSLATE_NOOP("errors", "It may be damaged. Save it again as UTF-8.")


_KEY_OF = {name: key for key, (name, _read) in FIELDS.items()}


@dataclass(frozen=True, slots=True)
class WorldbookFile:
    """An original file, and its worldbook in SillyTavern's form, which may be the same."""

    kind: WorldbookKind
    title: str
    original: bytes
    content: bytes
    parsed: ParsedWorldbook


def read_worldbook(path: Path) -> WorldbookFile:
    """Read a worldbook file of any known kind. Raises InputError, OSError."""
    if (size := path.stat().st_size) > MAX_FILE:
        raise TooBig(file=path.name, size=size // 1_000_000, limit=MAX_FILE // 1_000_000)
    data = read_plain(path, MAX_FILE)
    if data.startswith(SIGNATURE):
        data = hidden_text(data, (WORLDBOOK,), path.name) or b""
    return worldbook_of(data, path.name)


def check_json(path: Path) -> None:
    """Check a JSON file. Raises InputError at its first error, OSError."""
    if path.stat().st_size <= MAX_FILE:
        read_json(decode(read_plain(path, MAX_FILE), path.name)[0], path.name)


def worldbook_of(data: bytes, file: str, kind: WorldbookKind | None = None) -> WorldbookFile:
    """Read a worldbook from its bytes; its content tells its kind. Raises InputError."""
    text, _encoding = decode(data, file)
    value = read_json(text, file)
    kind = kind or kind_of(value)
    if kind is None:
        raise BadWorldbook(file=file)
    title, content = "", data
    if kind != "sillytavern":
        title, entries = convert(kind, value, TEMPLATE)
        content = new_worldbook(entries, title)
        value = read_json(content.decode("utf-8", "surrogatepass"), file)
    elif isinstance(value.get("name"), str):
        title = value["name"]
    return WorldbookFile(
        kind, title.strip(), data, content, _parse(value, title or Path(file).stem)
    )


def parse_worldbook(content: bytes, name: str) -> ParsedWorldbook:
    """Read the entries of a worldbook in SillyTavern's form. Raises InputError."""
    text, _encoding = decode(content, name)
    return _parse(read_json(text, name), name)


def decode(data: bytes, file: str) -> tuple[str, str]:
    """Return text and encoding; encoding it again gives the same bytes. Raises InputError."""
    encodings = ["utf-8", "gb18030"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16-le" if data.startswith(b"\xff\xfe") else "utf-16-be"]
    elif data[1:2] == b"\x00" or data[:1] == b"\x00":
        encodings = ["utf-16-le" if data[1:2] == b"\x00" else "utf-16-be"]
    for encoding in encodings:
        try:
            return data.decode(encoding, "surrogatepass"), encoding
        except (UnicodeDecodeError, LookupError):
            continue
    raise UnknownEncoding(file=file)


def _parse(value: Any, name: str) -> ParsedWorldbook:
    entries: list[Entry] = []
    faults: list[WorldbookFault] = []
    for key, row in rows_of(value):
        if isinstance(row, dict):
            entries.append(_entry(key, row, faults))
        else:
            faults.append(WorldbookFault(str(key), ""))
    return ParsedWorldbook(Worldbook(name, tuple(entries)), tuple(faults))


def rows_of(value: Any) -> Iterator[tuple[str | int, Any]]:
    """Yield key and value of every entry; some programs write a list instead of an object."""
    entries = value["entries"]
    yield from entries.items() if isinstance(entries, dict) else enumerate(entries)


def _entry(
    key: str | int,
    row: Mapping[str, Any],
    faults: list[WorldbookFault],
    unsaid: Mapping[str, Any] = UNSAID,
) -> Entry:
    number = int(key) if isinstance(key, int) or (key.isdecimal() and len(key) < 10) else None
    uid: int | str = key if number is None or str(number) != str(key) else number
    read: dict[str, Any] = dict(unsaid)
    for name, (ours, reader) in FIELDS.items():
        if name in row:
            try:
                read[ours] = reader(row[name])
            except (ValueError, OverflowError):
                faults.append(WorldbookFault(str(key), name))
    if row.get("useProbability") and row.get("probability") is None:
        read["probability"] = 0  # an empty probability is never met
    read["matches"] = frozenset(ours for name, ours in MATCHES.items() if row.get(name) is True)
    read["heading"] = heading_in(row)
    return Entry(uid, **read)


def new_worldbook(
    entries: Iterable[Mapping[str, Any]],
    title: str = "",
    tick: Callable[[], object] = str,
    extensions: Mapping[str, Any] | None = None,
) -> bytes:
    """Write a worldbook as SillyTavern does; ``entries`` hold the differences from a new entry.

    ``extensions`` is kept by SillyTavern and never read. An entry without a number gets its place
    as its number; JavaScript lists numbers in ascending order. ``tick`` is called between entries,
    and may raise to end the writing of a very long worldbook.
    """
    rows = [new_row(fields, number) for number, fields in enumerate(entries)]
    rows.sort(key=lambda row: row["uid"])
    inner = " " * 8
    parts = []
    for row in rows:
        tick()
        parts.append(f"{inner}{dump(str(row['uid']))}: {dump(row, inner)}")
    body = "{\n" + ",\n".join(parts) + "\n    }" if parts else "{}"
    last = f',\n    "name": {dump(title)}' if title else ""
    if extensions:
        last += f',\n    "extensions": {dump(extensions, "    ")}'
    return as_bytes(f'{{\n    "entries": {body}{last}\n}}')


def new_row(fields: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a complete entry, with its keys in SillyTavern's order."""
    uid = fields.get("uid", number)
    extra = {key: value for key, value in fields.items() if key not in TEMPLATE}
    row = {"uid": uid} | {k: fields.get(k, v) for k, v in TEMPLATE.items()} | extra
    return row | {"uid": uid, "displayIndex": fields.get("displayIndex", uid)}


def entry_of(fields: Mapping[str, Any]) -> Entry:
    """Read one entry of `new_worldbook` without writing it; missing fields are a new entry's."""
    return _entry(fields["uid"], fields, [], {})


def edited(content: bytes, entries: Iterable[tuple[Entry, Entry]]) -> bytes:
    """Change entries from ``before`` to ``after``, field by field."""
    pairs = list(entries)
    changes = [change for before, after in pairs for change in _changes(before, after)]
    changes += _headings(content, pairs)
    return rewritten(content, lambda text: replaced(text, changes))


def _headings(
    content: bytes, pairs: Iterable[tuple[Entry, Entry]]
) -> Iterator[tuple[JsonPath, Any]]:
    """Yield the changes of headings, whose place may not exist yet."""
    moved = [(before, after) for before, after in pairs if before.heading != after.heading]
    if not moved:
        return
    rows = {str(uid): row for uid, row in rows_of(read_json(decode(content, "")[0], ""))}
    for before, after in moved:
        path, value = heading_change(rows[_key(before)].get("extensions"), after.heading)
        yield ("entries", _key(before), *path), value


def _changes(before: Entry, after: Entry) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    for key, value in written_fields(before, after):
        yield ("entries", _key(before), key), value


def written_fields(before: Entry, after: Entry) -> Iterator[tuple[str, Any]]:
    """Yield the keys of the changed fields, with their values in the file."""
    for ours, key in _KEY_OF.items():
        value = getattr(after, ours)
        if value != getattr(before, ours):
            yield key, _file_value(ours, value)
    for key, field in MATCHES.items():
        if (field in after.matches) != (field in before.matches):
            yield key, field in after.matches


def _key(entry: Entry) -> str:
    return str(entry.uid)


def _file_value(ours: str, value: Any) -> Any:
    match value:
        case CharacterFilter():
            names, tags = list(value.names), list(value.tags)
            return {"isExclude": value.is_exclude, "names": names, "tags": tags}
        case tuple():
            return list(value)
        case Logic() | Position():
            return int(value)
    return None if ours in {"sticky", "cooldown", "delay"} and not value else value


def added(content: bytes, entry: Entry) -> tuple[bytes, Entry]:
    """Add a new entry under the smallest free number; returns the new content and the entry."""
    uids = {str(e.uid) for e in parse_worldbook(content, "").worldbook.entries}
    uid = next(n for n in range(len(uids) + 1) if str(n) not in uids)
    new_entry = replace(entry, uid=uid)
    row: dict[str, Any] = {"uid": uid, **TEMPLATE, "addMemo": bool(entry.comment)}
    row |= {str(path[-1]): value for path, value in _changes(Entry(uid), new_entry)}
    row["displayIndex"] = uid
    if entry.heading:
        (_extensions,), row["extensions"] = heading_change(None, entry.heading)
    change = [(("entries", str(uid)), row)]
    return rewritten(content, lambda text: replaced(text, change)), new_entry


def joined(content: bytes, other: bytes) -> tuple[bytes, int]:
    """Add the entries of ``other`` that are not there word for word; returns how many.

    Existing entries stay unchanged: an entry that differs is added beside them.
    """
    held = list(rows_of(read_json(decode(content, "")[0], "")))
    coming = [row for _key, row in rows_of(read_json(decode(other, "")[0], ""))]
    known = {_saying(row) for _key, row in held}
    new = {_saying(row): row for row in coming if isinstance(row, dict)}
    rows = [row for saying, row in new.items() if saying not in known]
    names = {str(key) for key, _row in held}
    free = (number for number in range(len(names) + len(rows)) if str(number) not in names)
    changes = []
    for row, uid in zip(rows, free, strict=False):
        changes.append((("entries", str(uid)), row | {"uid": uid, "displayIndex": uid}))
    return rewritten(content, lambda text: replaced(text, changes)), len(changes)


def _saying(row: Any) -> str:
    """Return the content of an entry without its numbers."""
    if not isinstance(row, dict):
        return dump(row)
    return dump({k: row[k] for k in sorted(row) if k not in {"uid", "displayIndex"}})


def without(content: bytes, entries: Iterable[Entry]) -> bytes:
    """Remove entries."""
    names = {_key(entry) for entry in entries}
    return rewritten(content, lambda text: removed(text, ("entries",), names))


def rewritten(content: bytes, change: Callable[[str], str]) -> bytes:
    """Change the text of a file; encoding and BOM stay."""
    text, encoding = decode(content, "")
    head = _BOM if text.startswith(_BOM) else ""
    changed = change(text.removeprefix(_BOM))
    return (head + changed).encode(encoding, "surrogatepass")
