"""Character cards, V1 to V3, in PNG, JSON and CHARX: read whole, written to new files only.

Nothing is ever unpacked to a disk. A card is kept as the file it came in and as the JSON in it, so
that fields nobody here knows come out again as they went in.
"""

from __future__ import annotations

import base64
import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from engram_desktop.domain.cards.character import Character
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_text import as_bytes, dump, read_json
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.png_chunks import (
    CARDS,
    SIGNATURE,
    chunks,
    hidden_text,
    keyword,
    with_texts,
)
from engram_desktop.formats.worldbooks.world_info import TooBig, decode

_T = QT_TRANSLATE_NOOP
_DAMAGED = _T("reports", "the archive is damaged")
_UNREADABLE = _T("reports", "it is encrypted, or packed in a way that is not known")
_HUGE = _T("reports", "it would unpack to far more than any card holds")
_OUTSIDE = _T("reports", "it names a file outside of itself, “{name}”")
_ARCHIVE = b"PK\x03\x04"
MAX_FILE = 256_000_000  # bytes: a CHARX with its pictures; bounds the memory of reading it whole
MAX_CARD = 64_000_000  # bytes of JSON: bounds what a compressed card may unpack to
MAX_MEMBERS = 20_000  # files in a CHARX: bounds the time of listing them
MAX_UNPACKED = 2_000_000_000  # bytes that all members say to be: more is a bomb
_ALIASES = {  # what the earliest programs called the same things
    "name": ("char_name",),
    "description": ("char_persona",),
    "scenario": ("world_scenario",),
    "first_mes": ("char_greeting",),
    "mes_example": ("example_dialogue",),
    "creator_notes": ("creatorcomment",),
}
_STRINGS = (
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
    "nickname",
)
_LISTS = ("alternate_greetings", "group_only_greetings", "tags")


class NoCard(InputError):
    """``file`` is a picture, an archive or a JSON file without a card."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no character card.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "A picture that was converted or sent by a messenger loses its card."
    )


class BadArchive(InputError):
    """``file`` and ``detail``: why the archive is not opened."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is not opened: {detail}.")


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file: its bytes, its JSON, and what that says. ``worldbook`` is its own, if any."""

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
    """Read a card that is held already. Raises InputError."""
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
    """Read card.json out of a CHARX. Other members are only looked at by name and size."""
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
    except (NotImplementedError, RuntimeError) as e:  # packed in an unknown way, or encrypted
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
    """What a card says, wherever it says it and whatever it calls it; its version is left out."""
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
    """Put a card into its picture as `chara` and as `ccv3`. Raises InputError if it has none.

    Each of the two is changed on its own, and one that is there and does not change keeps its
    bytes; one that is missing is made of ``card``.
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
    """Whether a card came in a CHARX."""
    return not is_picture(original) and zipfile.is_zipfile(io.BytesIO(original))


def is_picture(original: bytes) -> bool:
    """Whether a card came in a PNG."""
    return original.startswith(SIGNATURE[:4])


def picture_of(original: bytes, card: bytes, file: str) -> bytes:
    """Return the picture a card came with, as the file it is; empty if there is none."""
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
                continue  # a picture that cannot be had is no reason not to show the card
    return b""


def as_third(card: bytes, file: str) -> bytes:
    """Return a card with the version that `ccv3` has; all else is as it was."""
    value = read_json(decode(card, file)[0], file)
    return as_bytes(dump(value | {"spec": "chara_card_v3", "spec_version": "3.0"}))


class NoPicture(InputError):
    """``file`` is a card that came as JSON or in a CHARX."""

    text = QT_TRANSLATE_NOOP("errors", "{file} came without a picture to put the card into.")
    hint = QT_TRANSLATE_NOOP("errors", "Write it as JSON: give the file a name that ends in .json.")
