"""The chunks of a PNG, and the texts in them. The picture itself is never decoded.

Every length is checked against the file, and every checksum against its bytes, before use;
compressed data is unpacked up to a limit.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
_NO_PNG = _T("reports", "its first bytes are not those of a PNG")
_NO_CHUNK = _T("reports", "there is no chunk at byte {at}")
_CUT_OFF = _T("reports", "it is cut off in its chunk {name}")
_BAD_SUM = _T("reports", "the checksum of its chunk {name} is wrong")
_NO_LAST = _T("reports", "it ends before its last chunk")
_NO_END = _T("reports", "one of its texts has no end")
_NOT_PACKED = _T("reports", "one of its texts cannot be unpacked")
_NO_BASE64 = _T("reports", "its text “{name}” is no base64")
SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT = 64_000_000  # bytes: a larger card is refused anyway (`cards.MAX_CARD`)
MAX_CHUNKS = 100_000  # bounds the time of a file of empty ones
CARDS = ("ccv3", "chara")  # in order of precedence
WORLDBOOK = "naidata"
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")


class BadPicture(InputError):
    """``file`` has an invalid chunk, which ``detail`` names."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is a damaged PNG: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Get the card again; nothing was imported.")


class TextTooBig(InputError):
    """A text of ``file`` unpacks to more than ``limit`` MB."""

    text = QT_TRANSLATE_NOOP(
        "errors", "A text in {file} unpacks to more than {limit} MB: it is not read."
    )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a picture: its name, and a view of all its bytes."""

    name: bytes
    raw: memoryview

    @property
    def data(self) -> bytes:
        return bytes(self.raw[8:-4])


def chunks(data: bytes, file: str) -> list[Chunk]:
    """Return every chunk up to IEND. Raises BadPicture."""
    parts: list[Chunk] = []
    whole = memoryview(data)
    at = len(SIGNATURE)
    if not data.startswith(SIGNATURE):
        raise BadPicture(Phrase(_NO_PNG), file=file)
    while at + 12 <= len(data) and len(parts) < MAX_CHUNKS:
        length = int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        end = at + 12 + length
        if not name.isalpha():
            raise BadPicture(Phrase(_NO_CHUNK, at=at), file=file)
        if end > len(data):
            raise BadPicture(Phrase(_CUT_OFF, name=name.decode("latin-1")), file=file)
        if zlib.crc32(whole[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            raise BadPicture(Phrase(_BAD_SUM, name=name.decode("latin-1")), file=file)
        parts.append(Chunk(name, whole[at:end]))
        at = end
        if name == b"IEND":
            return parts
    raise BadPicture(Phrase(_NO_LAST), file=file)


def texts(picture: Iterable[Chunk], names: Iterable[str], file: str) -> Iterator[tuple[str, bytes]]:
    """Yield keyword (lower case) and text of the first text chunk for each of ``names``.

    Together they may unpack to `MAX_TEXT` more than their size. Raises TextTooBig, BadPicture.
    """
    missing, left = set(names), MAX_TEXT
    for chunk in picture:
        name = keyword(chunk)
        if name in missing and b"\0" in chunk.data:
            missing.remove(name)
            text = _text(chunk, file, left)
            left -= max(0, len(text) - len(chunk.raw))
            yield name, text


def text_chunks(picture: BinaryIO) -> Iterator[bytes]:
    """Yield the text chunks of an open picture, after its signature; others are not read.

    Chunks beyond a total of `MAX_TEXT` are skipped too.
    """
    left = MAX_TEXT
    for _ in range(MAX_CHUNKS):
        head = picture.read(8)
        length, name = int.from_bytes(head[:4], "big"), head[4:]
        if len(head) < 8 or name == b"IEND":
            break
        if name in _TEXTS and length <= left:
            left -= length
            yield head + picture.read(length + 4)
        else:
            picture.seek(length + 4, 1)


def keyword(chunk: Chunk) -> str:
    """Return the keyword of a text chunk, in lower case; empty for other chunks."""
    if chunk.name not in _TEXTS:
        return ""
    return chunk.data.partition(b"\0")[0].decode("latin-1").lower()


def _text(chunk: Chunk, file: str, limit: int) -> bytes:
    _keyword, _nul, rest = chunk.data.partition(b"\0")
    if chunk.name == b"tEXt":
        return rest
    if chunk.name == b"zTXt":
        return _unpack(rest[1:], file, limit)
    is_packed = rest[:1] == b"\1"
    parts = rest[2:].split(b"\0", 2)  # language, translated keyword, text
    if len(parts) < 3:
        raise BadPicture(Phrase(_NO_END), file=file)
    return _unpack(parts[2], file, limit) if is_packed else parts[2]


def _unpack(data: bytes, file: str, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(data, limit + 1)
    except zlib.error as e:
        raise BadPicture(Phrase(_NOT_PACKED), file=file) from e
    if len(content) > limit:
        raise TextTooBig(file=file, limit=MAX_TEXT // 1_000_000)
    return content


def with_texts(picture: Iterable[Chunk], new_texts: dict[str, bytes]) -> bytes:
    """Put texts before IEND in place of those with the same keywords; all else is unchanged."""
    parts: list[bytes | memoryview] = [SIGNATURE]
    for chunk in picture:
        if keyword(chunk) in new_texts:
            continue
        if chunk.name == b"IEND":
            parts += [_text_chunk(name, text) for name, text in new_texts.items()]
        parts.append(chunk.raw)
    return b"".join(parts)


def without_texts(picture: Iterable[Chunk], names: Iterable[str]) -> bytes:
    """Return the picture without the texts with these keywords."""
    unwanted = set(names)
    return SIGNATURE + b"".join(c.raw for c in picture if keyword(c) not in unwanted)


def _text_chunk(name: str, text: bytes) -> bytes:
    body = name.encode("latin-1") + b"\0" + text
    head, checksum = len(body).to_bytes(4, "big"), zlib.crc32(body, zlib.crc32(b"tEXt"))
    return head + b"tEXt" + body + checksum.to_bytes(4, "big")


def is_worldbook_in(picture: BinaryIO) -> bool:
    """Return whether an open picture holds a NovelAI worldbook and no character card."""
    if picture.read(len(SIGNATURE)) != SIGNATURE:
        return False
    parts = (Chunk(raw[4:8], memoryview(raw)) for raw in text_chunks(picture))
    keywords = {keyword(chunk) for chunk in parts}
    return WORLDBOOK in keywords and keywords.isdisjoint(CARDS)


def hidden_text(data: bytes, names: Iterable[str], file: str) -> bytes | None:
    """Return the base64 text under the first existing one of ``names``, decoded."""
    names = tuple(names)
    by_name = dict(texts(chunks(data, file), names, file))
    for name in names:
        if name in by_name:
            try:
                return base64.b64decode(by_name[name])
            except ValueError as e:
                raise BadPicture(Phrase(_NO_BASE64, name=name), file=file) from e
    return None
