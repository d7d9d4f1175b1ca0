"""Character cards in JSON, PNG and CHARX, V1 to V3, and the worldbooks inside them.

Cards are read whole and written to new files only; nothing is ever unpacked to a disk. A card is
kept as the original file and as the JSON in it, so that unknown fields are written out unchanged.
"""

from __future__ import annotations

import base64
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from engram_desktop.domain.cards import Character
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry, Position
from engram_desktop.formats.foreign_worldbooks import EXTENDED, is_of_tavern
from engram_desktop.formats.json_text import JsonPath, as_bytes, dump, read_json, removed, replaced
from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.formats.plain_file import open_plain, read_plain
from engram_desktop.formats.png_chunks import (
    CARDS,
    SIGNATURE,
    Chunk,
    chunks,
    hidden_text,
    keyword,
    text_chunks,
    texts,
    with_texts,
    without_texts,
)
from engram_desktop.formats.world_info import (
    TooBig,
    WorldbookFile,
    decode,
    heading_change,
    parse_worldbook,
    rewritten,
    rows_of,
    worldbook_of,
    written_fields,
)

_T = QT_TRANSLATE_NOOP
_DAMAGED = _T("reports", "the archive is damaged")
_UNREADABLE = _T("reports", "it is encrypted, or packed in a way that is not known")
_HUGE = _T("reports", "it would unpack to far more than any card holds")
_OUTSIDE = _T("reports", "it names a file outside of itself, “{name}”")
_ARCHIVE = b"PK\x03\x04"
MAX_FILE = 256_000_000  # bytes of a CHARX with its pictures; bounds the memory of reading it whole
MAX_CARD = 64_000_000  # bytes of JSON: bounds what a compressed card may unpack to
MAX_MEMBERS = 20_000  # files in a CHARX: bounds the time of listing them
MAX_UNPACKED = 2_000_000_000  # total bytes that the members claim: more is a bomb
_ALIASES = {  # field names of the earliest programs
    "name": ("char_name",),
    "description": ("char_persona",),
    "scenario": ("world_scenario",),
    "first_mes": ("char_greeting",),
    "mes_example": ("example_dialogue",),
    "creator_notes": ("creatorcomment",),
}
_TEXTS = (
    "name",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator_notes",
    "system_prompt",
    "post_history_instructions",
    "creator",
    "character_version",
)
_STRINGS = (*_TEXTS[1:], "nickname")  # all except the name
_LISTS = ("alternate_greetings", "group_only_greetings", "tags")


class NoCard(InputError):
    """``file`` is a picture, an archive or a JSON file without a card."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no character card.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "A picture that was converted or sent by a messenger loses its card."
    )


class BadArchive(InputError):
    """``file`` cannot be opened as an archive; ``detail`` is why."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is not opened: {detail}.")


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file: its bytes, its JSON and its fields. ``worldbook`` is the one inside, if any."""

    original: bytes
    card: bytes
    spec: str
    character: Character
    worldbook: dict[str, Any] | None


def read_card(path: Path) -> CardFile:
    """Read a card of any kind and version. Raises InputError, OSError."""
    if (size := path.stat().st_size) > MAX_FILE:
        raise TooBig(file=path.name, size=size // 1_000_000, limit=MAX_FILE // 1_000_000)
    return card_of(read_plain(path, MAX_FILE), path.name)


def card_of(data: bytes, file: str) -> CardFile:
    """Read a card from its bytes. Raises InputError."""
    if data.startswith(SIGNATURE[:4]):
        card = _from_png(data, file)
    elif zipfile.is_zipfile(io.BytesIO(data)):
        card = _from_archive(data, file)
    elif data.startswith(_ARCHIVE):
        raise BadArchive(Phrase(_DAMAGED), file=file)
    else:
        card = data
    if len(card) > MAX_CARD:
        raise TooBig(file=file, size=len(card) // 1_000_000, limit=MAX_CARD // 1_000_000)
    value = read_json(decode(card, file)[0], file)
    if not isinstance(value, dict):
        raise NoCard(file=file)
    character = _character(value, file)
    worldbook = _fields(value).get("character_book")
    spec = value.get("spec")
    return CardFile(
        data,
        card,
        spec if isinstance(spec, str) else "chara_card_v1",
        character,
        worldbook
        if isinstance(worldbook, dict) and isinstance(worldbook.get("entries"), list | dict)
        else None,
    )


def _from_png(data: bytes, file: str) -> bytes:
    card = hidden_text(data, CARDS, file)
    if card is None:
        raise NoCard(file=file)
    return card


def _from_archive(data: bytes, file: str) -> bytes:
    """Read card.json in a CHARX.

    Of other members only name and size are read. Raises InputError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check(members, file)
            card = next((m for m in members if m.filename == "card.json"), None)
            if card is None:
                raise NoCard(file=file)
            with archive.open(card) as stream:
                return stream.read(MAX_CARD + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as e:
        raise BadArchive(Phrase(_DAMAGED), file=file) from e
    except (NotImplementedError, RuntimeError) as e:  # unknown compression, or encrypted
        raise BadArchive(Phrase(_UNREADABLE), file=file) from e


def _check(members: list[zipfile.ZipInfo], file: str) -> None:
    if len(members) > MAX_MEMBERS or sum(m.file_size for m in members) > MAX_UNPACKED:
        raise BadArchive(Phrase(_HUGE), file=file)
    for member in members:
        name = member.filename
        parts = {*PurePosixPath(name).parts, *PureWindowsPath(name).parts}
        if ".." in parts or name.startswith(("/", "\\")) or PureWindowsPath(name).drive:
            raise BadArchive(Phrase(_OUTSIDE, name=name[:80]), file=file)


def fields_of(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a card of any version under their current names, without the version."""
    fields = _fields(value)
    for name, others in _ALIASES.items():
        if not _string(fields.get(name)):
            fields[name] = next(filter(None, (_string(fields.get(o)) for o in others)), "")
    dropped = {"spec", "spec_version", "data", *(o for others in _ALIASES.values() for o in others)}
    return {name: content for name, content in fields.items() if name not in dropped}


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    data = value.get("data")
    return value | (data if isinstance(data, dict) else {})


def _character(value: dict[str, Any], file: str) -> Character:
    fields = fields_of(value)
    name = _string(fields.get("name")).strip()
    is_card = "data" in value or any(_string(fields.get(key)) for key in _STRINGS[:5])
    if not name or not is_card:
        raise NoCard(file=file)
    extensions = fields.get("extensions")
    extensions = extensions if isinstance(extensions, dict) else {}
    depth = extensions.get("depth_prompt")
    texts_of: dict[str, Any] = {key: _string(fields.get(key)) for key in _STRINGS}
    texts_of |= {key: _strings(fields.get(key)) for key in _LISTS}
    return Character(
        name=name,
        **texts_of,
        world=_string(extensions.get("world")),
        depth_prompt=_string(depth.get("prompt")) if isinstance(depth, dict) else "",
    )


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(filter(None, map(_string, value))) if isinstance(value, list) else ()


def as_png(
    original: bytes, card: bytes, file: str, change: Callable[[bytes], bytes] = bytes
) -> bytes:
    """Put a card into its picture as `chara` and as `ccv3`. Raises InputError without a picture.

    Each of the two is changed separately; an existing, unchanged one keeps its bytes, and a missing
    one is made from ``card``.
    """
    if not is_picture(original):
        raise NoPicture(file=file)
    parts = chunks(original, file)
    keywords = [keyword(chunk) for chunk in parts]
    texts: dict[str, bytes] = {}
    for name in ("chara", "ccv3"):
        if keywords.count(name) == 1:
            text = hidden_text(original, (name,), file) or b""
            if (changed := change(text)) != text:
                texts[name] = changed
        elif name == "chara":
            texts[name] = change(card)
        else:
            texts[name] = as_third(change(card), file)
    if not texts:
        return original
    return with_texts(parts, {name: base64.b64encode(text) for name, text in texts.items()})


def is_archive(original: bytes) -> bool:
    """Return whether a card was stored as CHARX."""
    return not is_picture(original) and zipfile.is_zipfile(io.BytesIO(original))


def is_picture(original: bytes) -> bool:
    """Return whether a card was stored as PNG."""
    return original.startswith(SIGNATURE[:4])


def picture_of(original: bytes, card: bytes, file: str) -> bytes:
    """Return the picture file of a card; empty if it has none."""
    if is_picture(original):
        return original
    if not is_archive(original):
        return b""
    assets = _fields(read_json(decode(card, file)[0], file)).get("assets")
    uris = [
        _string(asset.get("uri"))
        for asset in (assets if isinstance(assets, list) else ())
        if isinstance(asset, dict) and asset.get("type") == "icon"
    ]
    names = [uri.partition("://")[2] for uri in uris if uri.startswith(("embeded:", "embedded:"))]
    with zipfile.ZipFile(io.BytesIO(original)) as archive:
        members = {m.filename: m for m in archive.infolist() if m.file_size <= MAX_CARD}
        for name in names:
            try:
                with archive.open(members[name]) as stream:
                    return stream.read(MAX_CARD)
            except (KeyError, ValueError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
                continue  # without a readable picture the card is still shown
    return b""


def as_third(card: bytes, file: str) -> bytes:
    """Return a card with the version of `ccv3`; all else is unchanged."""
    value = read_json(decode(card, file)[0], file)
    return as_bytes(dump(value | {"spec": "chara_card_v3", "spec_version": "3.0"}))


class NoPicture(InputError):
    """``file`` is a card stored as JSON or CHARX."""

    text = QT_TRANSLATE_NOOP("errors", "{file} came without a picture to put the card into.")
    hint = QT_TRANSLATE_NOOP("errors", "Write it as JSON: give the file a name that ends in .json.")


# What a list shows of a character card in a PNG: only the text chunks are read.


_END = b"\0\0\0\0IEND" + zlib.crc32(b"IEND").to_bytes(4, "big")


@dataclass(frozen=True, slots=True)
class CardGlance:
    """Summary of a card for a list: its name, its worldbook's name, and counts of its contents."""

    name: str
    worldbook: str
    entries: int
    scripts: int


def glance(path: Path) -> CardGlance | None:
    """Read the summary of the card at ``path``; None if it holds no readable card.

    Raises OSError.
    """
    with open_plain(path) as file:
        if file.read(len(SIGNATURE)) != SIGNATURE:
            return None
        thin = SIGNATURE + b"".join(text_chunks(file)) + _END
    try:
        card = card_of(thin, path.name)
        value = read_json(card.card.decode("utf-8", "replace"), path.name)
    except InputError:  # reported, with its reason, when it is imported
        return None
    entries = card.worldbook.get("entries") if card.worldbook else None
    extensions = table_of(table_of(value.get("data")).get("extensions"))
    scripts = extensions.get("regex_scripts")
    return CardGlance(
        text_of(card.character.name),
        text_of(card.character.world),
        len(entries) if isinstance(entries, list | dict) else 0,
        len(scripts) if isinstance(scripts, list) else 0,
    )


# Write a card as CHARX: into its original archive, or into a new one with its picture. A card from
# another format becomes V3, with every field that version requires; what its PNG hid beside the
# card is added as files.


_HERE = "embeded://"  # spelled as in the standard
_ICON = "assets/icon/image/main.png"
_HIDDEN = ("__asset:", "chara-ext-asset_:")  # of a PNG text: in a card, and its keyword
_CHARX_LISTS = ("alternate_greetings", "tags", "group_only_greetings")
_KNOWN = {*_TEXTS, *_CHARX_LISTS, "extensions", "character_book"}
_Row = dict[str, Any]


def as_charx(original: bytes, card: bytes, file: str) -> bytes:
    """Put a card into its original archive, where all else stays, or else into a new archive."""
    if not is_archive(original):
        return _new_archive(original, card, file)
    if card == card_of(original, file).card:
        return original
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(original)) as old, zipfile.ZipFile(buffer, "w") as new:
        for member in old.infolist():
            is_card = member.filename == "card.json"
            new.writestr(member, card if is_card else old.read(member))
    return buffer.getvalue()


def _new_archive(original: bytes, card: bytes, file: str) -> bytes:
    value = _third(read_json(decode(card, file)[0], file))
    data = value["data"]
    files: dict[str, bytes] = {}
    if is_picture(original):
        parts = chunks(original, file)
        hidden = _hidden(parts, file)
        data["assets"] = _assets(data.get("assets"), hidden, files)
        # what is stored beside it need not be in the picture too
        files[_ICON] = without_texts(parts, (*CARDS, *(_HIDDEN[1] + name for name in hidden)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in {"card.json": as_bytes(dump(value, "")), **files}.items():
            info = zipfile.ZipInfo(name)  # no time of day: the same card gives the same bytes
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _third(value: _Row) -> _Row:
    """Return a card of any version as V3; a flat one keeps its own fields only."""
    fields = fields_of(value)
    data = value.get("data")
    own = data if isinstance(data, dict) else fields
    root = value if isinstance(data, dict) else {}
    empty: _Row = (
        dict.fromkeys(_TEXTS, "") | {name: [] for name in _CHARX_LISTS} | {"extensions": {}}
    )
    known = {name: content for name, content in fields.items() if name in _KNOWN}
    version = {"spec": "chara_card_v3", "spec_version": "3.0"}
    return root | version | {"data": empty | known | own}


def _hidden(parts: Iterable[Chunk], file: str) -> dict[str, bytes]:
    """Return the files a PNG hides as texts, by name; unreadable ones are left out."""
    files, parts = {}, list(parts)
    names = {name for chunk in parts if (name := keyword(chunk)).startswith(_HIDDEN[1])}
    for name, text in texts(parts, names, file):
        try:
            files[name.removeprefix(_HIDDEN[1])] = base64.b64decode(text, validate=True)
        except ValueError:
            continue
    return files


def _assets(assets: Any, hidden: dict[str, bytes], files: dict[str, bytes]) -> list[Any]:
    """Return a card's assets with the picture first; hidden ones are added to ``files``."""
    result: list[Any] = [{"type": "icon", "uri": _HERE + _ICON, "name": "main", "ext": "png"}]
    for asset in assets if isinstance(assets, list) else ():
        uri = asset.get("uri") if isinstance(asset, dict) else None
        name = uri.removeprefix(_HIDDEN[0]).lower() if isinstance(uri, str) else ""
        if isinstance(uri, str) and uri.startswith(_HIDDEN[0]) and name in hidden:
            path = f"assets/other/{len(files)}.{_ending(asset.get('ext'))}"
            files[path] = hidden[name]
            result.append(asset | {"uri": _HERE + path})
        elif not (uri == "ccdefault:" and asset.get("type") == "icon"):
            result.append(asset)
    return result


def _ending(value: Any) -> str:
    """Return a file extension that is valid on every file system."""
    is_plain = isinstance(value, str) and value.isascii() and value.isalnum() and len(value) < 9
    return value.lower() if is_plain else "bin"


# Write an edited worldbook back into its card, entry by entry and field by field. If the worldbook
# did not change, the card keeps every byte. Additions of a card's author or another program to
# card, worldbook or entries stay, except in deleted entries.


_TOP = {  # fields of a worldbook's entry, and their names in a card
    "key": "keys",
    "keysecondary": "secondary_keys",
    "comment": "comment",
    "content": "content",
    "constant": "constant",
    "selective": "selective",
    "order": "insertion_order",
}
_EXTENSION_OF = {ours: theirs for theirs, ours in EXTENDED.items()}


def worldbook_in(card: Any) -> tuple[JsonPath, Any] | None:
    """Return the path of a card's worldbook, and the worldbook; None if it has none."""
    if not isinstance(card, dict):
        return None
    data = card.get("data")
    for path, holder in ((("data",), data), ((), card)):
        worldbook = holder.get("character_book") if isinstance(holder, dict) else None
        if isinstance(worldbook, dict) and isinstance(worldbook.get("entries"), dict | list):
            return (*path, "character_book"), worldbook
    return None


def stored_form(worldbook: Any, file: str) -> WorldbookFile:
    """Return a card's worldbook as it is stored: its text, and its entries."""
    return worldbook_of(as_bytes(dump(worldbook)), file, "character_book")


def with_worldbook(card: bytes, content: bytes, file: str) -> bytes:
    """Return a card with its worldbook changed to ``content``. Raises InputError."""
    value = read_json(decode(card, file)[0], file)
    location = worldbook_in(value)
    if location is None:
        return card
    path, worldbook = location
    base = stored_form(worldbook, file)
    if base.content == content:
        return card
    before = {str(entry.uid): entry for entry in base.parsed.worldbook.entries}
    after = {str(entry.uid): entry for entry in parse_worldbook(content, file).worldbook.entries}
    rows = {str(uid): row for uid, row in rows_of(read_json(decode(content, file)[0], file))}
    held = {str(uid): row for uid, row in rows_of(read_json(decode(base.content, file)[0], file))}
    kept_uids = {uid for uid in before.keys() & after.keys() if _is_kept(held[uid], rows[uid])}
    place = dict(zip(before, _places(worldbook["entries"]), strict=True))
    entries = (*path, "entries")
    changes: list[tuple[JsonPath, Any]] = []
    for uid, was in before.items():
        if uid in kept_uids:
            theirs = worldbook["entries"][place[uid]]
            edits = _edits(theirs, was, after[uid])
            changes += [((*entries, place[uid], *step), new) for step, new in edits]
    free = _free(worldbook["entries"])
    new_ones = [uid for uid in after if uid not in kept_uids]
    changes += [((*entries, next(free)), card_row(rows[uid], uid)) for uid in new_ones]
    gone_places = {str(place[uid]) for uid in before if uid not in kept_uids}

    def change(text: str) -> str:
        text = replaced(text, changes) if changes else text
        return removed(text, entries, gone_places) if gone_places else text

    return rewritten(card, change)


def _is_kept(held: _Row, row: _Row) -> bool:
    """Return whether an entry comes from the card; a new one may have the same number."""
    own, now = held.get("extensions"), row.get("extensions")
    return isinstance(now, dict) and (own or {}).keys() <= now.keys()


def _places(entries: Any) -> list[Any]:
    """Return the places of the entries in a card; rows that are not entries are left out."""
    pairs = entries.items() if isinstance(entries, dict) else enumerate(entries)
    return [name for name, row in pairs if isinstance(row, dict)]


def _free(entries: Any) -> Iterator[Any]:
    """Yield places for entries added at the end."""
    number = len(entries)
    while True:
        if not isinstance(entries, dict) or str(number) not in entries:
            yield number if isinstance(entries, list) else str(number)
        number += 1


def _edits(theirs: _Row, before: Entry, after: Entry) -> Iterator[tuple[JsonPath, Any]]:
    """Yield the changes in a card's entry, including its heading, as (path, value)."""
    changes = dict(_changes(theirs, before, after))
    if before.heading != after.heading:
        bare = changes.get(("extensions",))  # not there yet: written as one value
        path, value = heading_change(theirs.get("extensions"), after.heading)
        changes[path] = bare | value if isinstance(bare, dict) else value
    yield from changes.items()


def _changes(theirs: _Row, before: Entry, after: Entry) -> Iterator[tuple[JsonPath, Any]]:
    """Yield the changes in a card's entry, except its heading, as (path, value)."""
    fields = dict(written_fields(before, after))
    if not fields:
        return
    for name, value in fields.items():
        if name in _TOP:
            yield (_TOP[name],), value
    if "disable" in fields:
        yield ("enabled",), not fields["disable"]
    if "position" in fields:
        yield ("position",), _side(fields["position"])
    if "caseSensitive" in fields and "case_sensitive" in theirs:
        yield ("case_sensitive",), fields["caseSensitive"]
    extensions = {
        _EXTENSION_OF[name]: value for name, value in fields.items() if name in _EXTENSION_OF
    }
    is_bare = theirs.get("use_regex") is True and not is_of_tavern(theirs)
    if is_bare and ("key" in fields or "selectiveLogic" in fields):
        # from now on its patterns are between slashes, as SillyTavern writes them
        extensions.setdefault("selectiveLogic", int(after.logic))
        if "key" not in fields:
            yield ("keys",), list(after.keys)
    if extensions and not isinstance(theirs.get("extensions"), dict):
        yield ("extensions",), extensions
    else:
        yield from ((("extensions", name), value) for name, value in extensions.items())


def card_row(row: Mapping[str, Any], uid: str) -> _Row:
    """Return an entry of a worldbook in the form that SillyTavern writes in a card."""
    extensions = {theirs: row[ours] for theirs, ours in EXTENDED.items() if ours in row}
    own = row.get("extensions")
    number = row.get("uid", int(uid) if uid.isdecimal() else uid)
    return {
        "id": number,
        **{theirs: row[ours] for ours, theirs in _TOP.items() if ours in row},
        "enabled": not row.get("disable", False),
        "position": _side(row.get("position", 0)),
        "use_regex": True,
        "extensions": (own if isinstance(own, dict) else {}) | extensions,
    }


def _side(position: int) -> str:
    return "before_char" if position == Position.BEFORE_CHARACTER else "after_char"
