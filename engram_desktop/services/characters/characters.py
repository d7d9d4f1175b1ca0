"""Character cards: taken in with their book, linked to the chats they speak in, written out."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError, Unreadable
from engram_desktop.domain.labels import DELETE_CARD, StepLabel
from engram_desktop.domain.memory.character import Character, CharacterRow, CharacterSheet
from engram_desktop.domain.memory.entity import norm_name
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.formats.cards.card import (
    CardFile,
    as_png,
    card_of,
    is_picture,
    picture_of,
    read_card,
)
from engram_desktop.formats.cards.card_book import stored_form, with_book
from engram_desktop.formats.cards.charx import as_charx
from engram_desktop.formats.json_text import as_bytes, dump
from engram_desktop.formats.tavern.regex_script import read_scripts
from engram_desktop.formats.worldbooks.world_info import BookFile, book_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.services.worldbooks.stored import store_book
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.regex_scripts import RegexScripts

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

logger = logging.getLogger(__name__)
TAIL = 60  # messages looked through for who spoke last


def read_file(path: Path) -> CardFile:
    """Read a card. Raises InputError."""
    try:
        return read_card(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def preview(library: Library, path: Path) -> ImportPreview:
    """Say what importing a card would do."""
    found = read_file(path)
    known = library.characters.same_as(found.original)
    book = _book(found, path)
    character = found.character
    told = ((character.name, character.description), (character.name, character.first_mes))
    return ImportPreview(
        file=str(path),
        kind="card",
        name=character.name,
        characters=(character.name,),
        messages=0,
        hidden=0,
        swipes=0,
        first_at=None,
        last_at=None,
        sample=tuple((who, text[:200]) for who, text in told if text),
        chat_id=None,
        chat_name=known.name if known else None,
        new_messages=0,
        entries=len(book.parsed.book.entries) if book else 0,
    )


def store_card(library: Library, found: CardFile, path: Path, *, with_book: bool) -> ImportReport:
    """Store a character and its book. The same file changes nothing, a newer one replaces it.

    Writes: it runs inside a step.
    """
    name = found.character.name
    avatar = path.name
    known = library.characters.same_as(found.original)
    older = known or library.characters.newer_of(name, avatar)
    row = known or library.characters.save(
        found.character,
        (found.original, found.card),
        (avatar, path.name, found.spec),
        older,
    )
    report = ImportReport(
        file=str(path),
        kind="card",
        chat_id=None,
        messages=0,
        added=0,
        skipped=0,
        changes=Changes(books=known is None),
        name=name,
    )
    book = _book(found, path) if with_book else None
    if book is None:
        return report
    _forget_untouched(library, row, book)
    title = book.title or f"{name}'s Lorebook"
    stored = store_book(library, book, title, path, row.id)
    return replace(
        report,
        added=stored.added,
        skipped=stored.skipped,
        warnings=stored.warnings,
        changes=report.changes | stored.changes,
    )


def _book(found: CardFile, path: Path) -> BookFile | None:
    """Read the card's own book; a card without entries has none."""
    if not found.book or not found.book["entries"]:
        return None
    return stored_form(found.book, path.name)


def _forget_untouched(library: Library, row: CharacterRow, new: BookFile) -> None:
    """A newer card brings a newer book; the older one goes, unless somebody changed it here."""
    for old in library.books.of_characters([row.id]):
        original = library.books.original(old.id)
        was = book_of(original, old.name, "character_book")
        if original != new.original and library.books.content(old.id) == was.content:
            library.books.delete(old.id)


def character_of(library: Library, row: CharacterRow) -> Character:
    """Read what a stored card says."""
    return card_of(library.characters.card(row.id), row.name).character


def picture(library: Library, row: CharacterRow) -> bytes:
    """Return the picture of a character as a file; empty if its card came without one."""
    original = library.characters.original(row.id)
    return picture_of(original, library.characters.card(row.id), row.name)


def characters_of_chat(library: Library, store: ChatStore) -> list[CharacterRow]:
    """Characters that speak in a chat: by the file their messages name, else by their name."""
    voices = store.messages.characters()
    users = {norm_name(name) for name in store.messages.user_names()}
    avatars = {speaker for _name, speaker in voices if speaker}
    names = {norm_name(name) for name, _speaker in voices} - users
    return [
        row
        for row in library.characters.rows()
        if row.avatar in avatars or {norm_name(row.name), norm_name(row.nickname)} & names
    ]


def who_speaks(
    library: Library, store: ChatStore, branch_id: str, at: int | None
) -> CharacterRow | None:
    """Whose reply comes after floor ``at``: in a group who did reply, or who spoke last before."""
    rows = characters_of_chat(library, store)
    if len(rows) < 2:
        return next(iter(rows), None)
    count = store.messages.count(branch_id)
    told = count if at is None else max(0, min(at + 1, count))
    first = max(0, told - TAIL)
    near = store.messages.as_parsed(branch_id, first, told)  # the reply too, if it is there
    before, after = near[: told - first], near[told - first :]
    for message in [*after, *reversed(before)]:
        if message.role == "assistant":
            for row in rows:
                if _is_of(message, row):
                    return row
    return rows[0]


def _is_of(message: ParsedMessage, row: CharacterRow) -> bool:
    if message.speaker_id:
        return message.speaker_id == row.avatar
    return norm_name(message.name) in (norm_name(row.name), norm_name(row.nickname))


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
        tuple(library.books.of_characters([row.id])),
        tuple(chats),
        tuple(name for _key, name in _scripts(library).of_card(row.name)),
        is_picture(picture(library, row)),
    )


def delete(library: Library, row: CharacterRow, *, books: bool, scripts: bool) -> Changes:
    """Take a character out of the library, with its books and scripts if they are to go too."""
    owned = library.books.of_characters([row.id]) if books else []
    theirs = _scripts(library).of_card(row.name) if scripts else []
    label = StepLabel(DELETE_CARD, {"name": row.name})
    with library.step(label):
        for book in owned:
            library.books.delete(book.id)
        for key, _name in theirs:
            _scripts(library).delete(key)
        library.characters.delete(row.id)
    return Changes(books=True, settings=bool(theirs), undo_label=label)


def _scripts(library: Library) -> RegexScripts:
    return RegexScripts(library.database, lambda raw: read_scripts(raw, "library.db")[0])


def write_card(library: Library, row: CharacterRow, target: Path) -> None:
    """Write a card to a new file: JSON or CHARX if its name ends so, else PNG with both versions.

    Its book is as it is here now. Raises InputError if the file exists, or if the card came without
    the picture that is wanted.
    """
    card = library.characters.card(row.id)
    content = _edited_book(library, row, card)

    def change(text: bytes) -> bytes:
        return text if content is None else with_book(text, content, row.name)

    original = library.characters.original(row.id)
    match target.suffix.lower():
        case ".json":
            write_new(target, change(card))
        case ".charx":
            write_new(target, as_charx(original, change(card), row.name))
        case _:
            shown = picture_of(original, card, row.name)
            write_new(target, as_png(shown, card, row.name, change))


def _edited_book(library: Library, row: CharacterRow, card: bytes) -> bytes | None:
    """Return the book that came with this very card, if the library still has it."""
    book = card_of(card, row.name).book
    if book is None:
        return None
    original = as_bytes(dump(book))
    known = library.books.same_as(original, row.id)
    return library.books.content(known.id) if known else None
