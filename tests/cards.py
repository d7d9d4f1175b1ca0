"""Cards made by hand, in each wrapping a card is found in."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from typing import Any

from engram_desktop.formats.png_chunks import SIGNATURE

V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "name": "旧名",
    "data": {
        "name": "爱丽丝",
        "description": "酒馆的主人。",
        "first_mes": "{{user}}，欢迎。",
        "alternate_greetings": ["你好", 5],
        "extensions": {"world": "月光", "mine": 1e-7, "depth_prompt": {"prompt": "夜"}},
        "character_book": {"entries": [{"keys": ["酒馆"], "content": "月光酒馆。"}]},
    },
}


V3 = V2 | {"spec": "chara_card_v3", "data": V2["data"] | {"name": "新版", "nickname": "小新"}}


V1 = {"name": "甲", "description": "d", "personality": "p", "scenario": "s", "first_mes": "f"}


def chunk(name, body, checksum=None):
    crc = zlib.crc32(name + body) if checksum is None else checksum
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", crc)


def packed(card):
    return base64.b64encode(json.dumps(card, ensure_ascii=False).encode())


HEAD = chunk(b"IHDR", bytes(13))


PIXELS = chunk(b"IDAT", bytes(range(200)))


END = chunk(b"IEND", b"")


def png(*texts, tail=END):
    return SIGNATURE + HEAD + b"".join(texts) + PIXELS + tail


def text(name, card):
    return chunk(b"tEXt", name + b"\0" + packed(card))


def ztxt(name, card):
    return chunk(b"zTXt", name + b"\0\0" + zlib.compress(packed(card)))


def itxt(name, card, is_packed):
    body = zlib.compress(packed(card)) if is_packed else packed(card)
    return chunk(b"iTXt", name + b"\0" + bytes([is_packed, 0]) + b"\0\0" + body)


def charx(**files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return made.getvalue()
