"""The chunks of a PNG, and the texts in them. The picture itself is never decoded.

Every length is checked against the file and every sum against its bytes before anything is used;
what is compressed is unpacked up to a limit and no further.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase

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
MAX_TEXT = 64_000_000
MAX_CHUNKS = 100_000
CARDS = ("ccv3", "chara")  # in the order in which they count
BOOK = "naidata"
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")


class BadPicture(InputError):
    """``file`` and ``detail``: which chunk is wrong."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is a damaged PNG: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Get the card again; nothing was imported.")


class TextTooBig(InputError):
    text = QT_TRANSLATE_NOOP(
        "errors", "A text in {file} unpacks to more than {limit} MB: it is not read."
    )


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its name, its data, and all of its bytes as they stand in the file."""

    name: bytes
    data: bytes
    raw: bytes


def chunks(data: bytes, file: str) -> list[Chunk]:
    """Return every chunk up to IEND. Raises BadPicture."""
    found: list[Chunk] = []
    at = len(SIGNATURE)
    if not data.startswith(SIGNATURE):
        raise BadPicture(Phrase(_NO_PNG), file=file)
    while at + 12 <= len(data) and len(found) < MAX_CHUNKS:
        length = int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        end = at + 12 + length
        if not name.isalpha():
            raise BadPicture(Phrase(_NO_CHUNK, at=at), file=file)
        if end > len(data):
            raise BadPicture(Phrase(_CUT_OFF, name=name.decode("latin-1")), file=file)
        body = data[at + 8 : end - 4]
        if zlib.crc32(body, zlib.crc32(name)) != int.from_bytes(data[end - 4 : end], "big"):
            raise BadPicture(Phrase(_BAD_SUM, name=name.decode("latin-1")), file=file)
        found.append(Chunk(name, body, data[at:end]))
        at = end
        if name == b"IEND":
            return found
    raise BadPicture(Phrase(_NO_LAST), file=file)


def texts(found: Iterable[Chunk], file: str) -> Iterator[tuple[str, bytes]]:
    """Yield keyword, in lower case, and text of every text chunk. Raises TextTooBig, BadPicture."""
    for chunk in found:
        if chunk.name in _TEXTS and b"\0" in chunk.data:
            yield keyword(chunk), _text(chunk, file)


def keyword(chunk: Chunk) -> str:
    """Return the keyword of a text chunk, in lower case; other chunks have none."""
    if chunk.name not in _TEXTS:
        return ""
    return chunk.data.partition(b"\0")[0].decode("latin-1").lower()


def _text(chunk: Chunk, file: str) -> bytes:
    _keyword, _nul, rest = chunk.data.partition(b"\0")
    if chunk.name == b"tEXt":
        return rest
    if chunk.name == b"zTXt":
        return _unpacked(rest[1:], file)
    is_packed = rest[:1] == b"\1"
    parts = rest[2:].split(b"\0", 2)  # language, the keyword translated, the text
    if len(parts) < 3:
        raise BadPicture(Phrase(_NO_END), file=file)
    return _unpacked(parts[2], file) if is_packed else parts[2]


def _unpacked(data: bytes, file: str) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        made = unpacker.decompress(data, MAX_TEXT + 1)
    except zlib.error as e:
        raise BadPicture(Phrase(_NOT_PACKED), file=file) from e
    if len(made) > MAX_TEXT:
        raise TextTooBig(file=file, limit=MAX_TEXT // 1_000_000)
    return made


def with_texts(found: Iterable[Chunk], given: dict[str, bytes]) -> bytes:
    """Put texts before IEND in place of those of the same keywords; all else stays as it is."""
    parts = [SIGNATURE]
    for chunk in found:
        if keyword(chunk) in given:
            continue
        if chunk.name == b"IEND":
            parts += [_made(name, text) for name, text in given.items()]
        parts.append(chunk.raw)
    return b"".join(parts)


def without_texts(found: Iterable[Chunk], names: Iterable[str]) -> bytes:
    """Return the picture without the texts of these keywords."""
    unwanted = set(names)
    return SIGNATURE + b"".join(c.raw for c in found if keyword(c) not in unwanted)


def _made(name: str, text: bytes) -> bytes:
    body = name.encode("latin-1") + b"\0" + text
    head, checksum = len(body).to_bytes(4, "big"), zlib.crc32(body, zlib.crc32(b"tEXt"))
    return head + b"tEXt" + body + checksum.to_bytes(4, "big")


def is_book_in(data: bytes, file: str) -> bool:
    """Whether a picture holds a world book of NovelAI's and no character card."""
    if not data.startswith(SIGNATURE[:4]):
        return False
    keywords = {keyword(chunk) for chunk in chunks(data, file)}
    return BOOK in keywords and keywords.isdisjoint(CARDS)


def hidden_text(data: bytes, names: Iterable[str], file: str) -> bytes | None:
    """Return what is hidden in base64 under the first of ``names`` that is there."""
    found = dict(reversed(list(texts(chunks(data, file), file))))  # the first of a name counts
    for name in names:
        if name in found:
            try:
                return base64.b64decode(found[name])
            except ValueError as e:
                raise BadPicture(Phrase(_NO_BASE64, name=name), file=file) from e
    return None
