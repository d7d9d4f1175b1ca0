"""Write a card as CHARX: into the archive it came in, or into a new one with its picture.

A card from elsewhere becomes V3 there, with every field that version asks for; what its PNG hid
beside the card comes along as files.
"""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterable
from typing import Any

from engram_desktop.formats.cards.card import card_of, fields_of, is_archive, is_picture
from engram_desktop.formats.json_text import as_bytes, dump, read_json
from engram_desktop.formats.png_chunks import (
    CARDS,
    Chunk,
    chunks,
    keyword,
    texts,
    without_texts,
)
from engram_desktop.formats.worldbooks.world_info import decode

_HERE = "embeded://"  # as the standard spells it
_ICON = "assets/icon/image/main.png"
_HIDDEN = ("__asset:", "chara-ext-asset_:")  # how a card names a text of its PNG, and its keyword
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
_LISTS = ("alternate_greetings", "tags", "group_only_greetings")
_KNOWN = {*_TEXTS, *_LISTS, "extensions", "character_book"}
_Row = dict[str, Any]


def as_charx(original: bytes, card: bytes, file: str) -> bytes:
    """Put a card into the archive it came in, where all else stays, or else into a new one."""
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
        # what stands beside it now need not be in the picture as well
        files[_ICON] = without_texts(parts, (*CARDS, *(_HIDDEN[1] + name for name in hidden)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in {"card.json": as_bytes(dump(value, "")), **files}.items():
            info = zipfile.ZipInfo(name)  # without a time of day: the same card, the same bytes
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _third(value: _Row) -> _Row:
    """Return a card of any version as V3; a flat one has no other fields than its own."""
    fields = fields_of(value)
    data = value.get("data")
    own = data if isinstance(data, dict) else fields
    root = value if isinstance(data, dict) else {}
    empty: _Row = dict.fromkeys(_TEXTS, "") | {name: [] for name in _LISTS} | {"extensions": {}}
    known = {name: content for name, content in fields.items() if name in _KNOWN}
    version = {"spec": "chara_card_v3", "spec_version": "3.0"}
    return root | version | {"data": empty | known | own}


def _hidden(parts: Iterable[Chunk], file: str) -> dict[str, bytes]:
    """Return the files a PNG hides as texts, by name; one that is unreadable stays where it is."""
    files, parts = {}, list(parts)
    names = {name for chunk in parts if (name := keyword(chunk)).startswith(_HIDDEN[1])}
    for name, text in texts(parts, names, file):
        try:
            files[name.removeprefix(_HIDDEN[1])] = base64.b64decode(text, validate=True)
        except ValueError:
            continue
    return files


def _assets(assets: Any, hidden: dict[str, bytes], files: dict[str, bytes]) -> list[Any]:
    """Return a card's assets with the picture first; ``files`` gets those it hid."""
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
    """An ending that no file system stumbles over."""
    is_plain = isinstance(value, str) and value.isascii() and value.isalnum() and len(value) < 9
    return value.lower() if is_plain else "bin"
