"""Cards of the library: all there is of one put together, taken out, written to a new file."""

from __future__ import annotations

import logging
from pathlib import Path

from engram_desktop.domain.cards.character import CharacterRow, CharacterSheet
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.labels import DELETE_CARD, StepLabel
from engram_desktop.formats.cards.card import as_png, card_of, is_picture, picture_of
from engram_desktop.formats.cards.card_worldbook import with_worldbook
from engram_desktop.formats.cards.charx import as_charx
from engram_desktop.formats.json_text import as_bytes, dump
from engram_desktop.formats.tavern.regex_script import read_scripts
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.characters.speaking import character_of, characters_of_chat
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.regex_scripts import RegexScripts

logger = logging.getLogger(__name__)


def sheet_of(library: Library, ctx: JobContext, row: CharacterRow) -> CharacterSheet:
    """Put together what there is of a character. A chat that cannot be opened is left out."""
    chats = []
    for chat_id, name, _source, _updated_at in library.chat_rows():
        ctx.check()
        try:
            speaking = characters_of_chat(library, library.chat(chat_id))
        except KnownError as e:
            logger.warning("Chat %s cannot be opened: %s", chat_id, e)
            continue
        if row.id in {one.id for one in speaking}:
            chats.append((chat_id, name))
    return CharacterSheet(
        row,
        character_of(library, row),
        tuple(library.worldbooks.of_characters([row.id])),
        tuple(chats),
        tuple(name for _key, name in _scripts(library).of_card(row.name)),
        is_picture(picture(library, row)),
    )


def picture(library: Library, row: CharacterRow) -> bytes:
    """Return the picture of a character as a file; empty if its card came without one."""
    original = library.characters.original(row.id)
    return picture_of(original, library.characters.card(row.id), row.name)


def delete(library: Library, row: CharacterRow, *, worldbooks: bool, scripts: bool) -> Changes:
    """Delete a character, with its worldbooks and scripts if they are to go too."""
    owned = library.worldbooks.of_characters([row.id]) if worldbooks else []
    theirs = _scripts(library).of_card(row.name) if scripts else []
    label = StepLabel(DELETE_CARD, {"name": row.name})
    with library.step(label):
        for worldbook in owned:
            library.worldbooks.delete(worldbook.id)
        for key, _name in theirs:
            _scripts(library).delete(key)
        library.characters.delete(row.id)
    return Changes(worldbooks=True, settings=bool(theirs), undo_label=label)


def _scripts(library: Library) -> RegexScripts:
    return RegexScripts(library.database, lambda raw: read_scripts(raw, "library.db")[0])


def write_card(library: Library, row: CharacterRow, target: Path) -> None:
    """Write a card to a new file: JSON or CHARX if its name ends so, else PNG with both versions.

    Its worldbook is as it is here now. Raises InputError if the file exists, or if the card came
    without the picture that is wanted.
    """
    card = library.characters.card(row.id)
    content = _edited_worldbook(library, row, card)

    def change(text: bytes) -> bytes:
        return text if content is None else with_worldbook(text, content, row.name)

    original = library.characters.original(row.id)
    match target.suffix.lower():
        case ".json":
            write_new(target, change(card))
        case ".charx":
            write_new(target, as_charx(original, change(card), row.name))
        case _:
            picture = picture_of(original, card, row.name)
            write_new(target, as_png(picture, card, row.name, change))


def _edited_worldbook(library: Library, row: CharacterRow, card: bytes) -> bytes | None:
    """Return the worldbook that came with this very card, if the library still has it."""
    worldbook = card_of(card, row.name).worldbook
    if worldbook is None:
        return None
    original = as_bytes(dump(worldbook))
    stored = library.worldbooks.same_as(original, row.id)
    return library.worldbooks.content(stored.id) if stored else None
