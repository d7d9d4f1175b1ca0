"""What a list shows of a character card in a PNG: only the text chunks are read."""

from __future__ import annotations

import zlib
from pathlib import Path

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.cards.card import card_of
from engram_desktop.formats.json_text import read_json
from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.formats.plain_file import open_plain
from engram_desktop.formats.png_chunks import SIGNATURE, text_chunks

_END = b"\0\0\0\0IEND" + zlib.crc32(b"IEND").to_bytes(4, "big")


@dataclass(frozen=True, slots=True)
class CardGlance:
    """What a list shows of a card: its name, the worldbook it names, how much it brings."""

    name: str
    worldbook: str
    entries: int
    scripts: int


def glance(path: Path) -> CardGlance | None:
    """Look at the card at ``path``; None if there is none that can be read. Raises OSError."""
    with open_plain(path) as file:
        if file.read(len(SIGNATURE)) != SIGNATURE:
            return None
        thin = SIGNATURE + b"".join(text_chunks(file)) + _END
    try:
        card = card_of(thin, path.name)
        value = read_json(card.card.decode("utf-8", "replace"), path.name)
    except InputError:  # told of, with its reason, when it is taken in
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
