"""Character cards: import them, keep them, and find the cards that a chat uses."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.cards import CharacterRow, CharacterSheet
from engram_desktop.domain.changes import DELETE_CARD, IMPORT_CARD, Changes, StepLabel
from engram_desktop.domain.errors import KnownError, Unreadable
from engram_desktop.domain.play import SceneMember
from engram_desktop.domain.reports import ImportPreview, ImportReport
from engram_desktop.formats.cards import (
    CardFile,
    as_charx,
    as_png,
    card_of,
    is_picture,
    picture_of,
    read_card,
    stored_form,
    with_worldbook,
)
from engram_desktop.formats.json_text import as_bytes, dump
from engram_desktop.formats.tavern.settings import read_scripts
from engram_desktop.formats.world_info import WorldbookFile, worldbook_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services import characters
from engram_desktop.services.characters import character_of, characters_of_chat
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.services.prompts import prompt_service
from engram_desktop.services.worldbooks import stored
from engram_desktop.services.worldbooks.stored import store_worldbook
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import RegexScripts

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.reports import Clash
    from engram_desktop.services.library.session import Session


class CharacterService:
    """Characters. They belong to the library, not to a chat."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def preview_file(self, path: Path) -> ImportPreview:
        """Say what importing a card would do. Raises InputError."""
        library = self._session.library
        if stored.is_worldbook_picture(path):
            return stored.preview(library.worldbooks, path)
        return preview(library, path)

    def speaking(self, line: Line) -> list[SceneMember]:
        """Return the cards that speak in a chat, without reading how the chat was begun.

        Of two cards of one name, the one whose file the messages name comes last.
        """
        store = self._session.chat(line.chat_id)
        avatars = {avatar for _name, avatar in store.messages.characters() if avatar}
        rows = characters_of_chat(self._session.library, store)
        rows.sort(key=lambda row: row.avatar in avatars)
        return [SceneMember(row.name, row.id) for row in rows]

    def import_file(self, ctx: JobContext, path: Path, on_clash: Clash = "replace") -> ImportReport:
        """Import a character card with its worldbook and its regex scripts. Raises InputError.

        ``on_clash`` "both" keeps a character that was imported from the same file before as well.
        """
        library = self._session.library
        if stored.is_worldbook_picture(path):
            return stored.import_worldbook(library, ctx, path, None)
        return import_card(library, ctx, path, keeps_older=on_clash == "both")

    def export(self, ctx: JobContext, name_or_id: str, target: Path) -> None:
        """Write a card to a new file, unknown fields included. Raises InputError."""
        ctx.check()
        write_card(self._session.library, self.find(name_or_id), target)

    def all(self, chat_id: str | None = None) -> list[CharacterRow]:
        """Return every character, or those who speak in one chat."""
        library = self._session.library
        if chat_id is None:
            return library.characters.rows()
        return characters.characters_of_chat(library, self._session.chat(chat_id))

    def find(self, name_or_id: str) -> CharacterRow:
        """Return the character with this id, name or file. Raises NotFound."""
        return self._session.library.characters.find(name_or_id)

    def sheet(self, ctx: JobContext, character_id: str) -> CharacterSheet:
        """Return a character's texts, worldbooks and chats. Raises NotFound.

        Chats that cannot be opened are left out.
        """
        library, row = self._session.library, self.find(character_id)
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

    def picture(self, character_id: str) -> bytes:
        """Return a character's picture as the bytes of a file, b"" if none. Raises NotFound."""
        return picture(self._session.library, self.find(character_id))

    def delete(
        self, character_id: str, *, worldbooks: bool = False, scripts: bool = False
    ) -> Changes:
        """Delete a character; ``worldbooks`` and ``scripts`` also delete those of its card.

        A worldbook that stays is no longer bound to a character.
        """
        library, row = self._session.library, self.find(character_id)
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

    def tag_names(self, chat_id: str | None = None) -> dict[str, str]:
        """Return the names of SillyTavern's tags by id, as last read from its settings."""
        return characters.tag_names(self._session.library, chat_id)


logger = logging.getLogger(__name__)


def picture(library: Library, row: CharacterRow) -> bytes:
    """Return a character's picture as the bytes of a file; empty if its card came without one."""
    original = library.characters.original(row.id)
    return picture_of(original, library.characters.card(row.id), row.name)


def _scripts(library: Library) -> RegexScripts:
    return RegexScripts(library.database, lambda raw: read_scripts(raw, "library.db")[0])


def write_card(library: Library, row: CharacterRow, target: Path) -> None:
    """Write a card to a new file: JSON or CHARX by its suffix, else PNG with both versions.

    The worldbook is written as it is in the library now. Raises InputError if the file exists, or
    if a picture is needed and the card came without one.
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
    """Return the worldbook that came with this card, if the library still has it."""
    worldbook = card_of(card, row.name).worldbook
    if worldbook is None:
        return None
    original = as_bytes(dump(worldbook))
    stored = library.worldbooks.same_as(original, row.id)
    return library.worldbooks.content(stored.id) if stored else None


def import_card(
    library: Library,
    ctx: JobContext,
    path: Path,
    *,
    with_worldbook: bool = True,
    is_allowed: bool = False,
    keeps_older: bool = False,
) -> ImportReport:
    """Import a card with its worldbook and regex scripts, in one step. Raises InputError.

    ``is_allowed``: the user has allowed its scripts in SillyTavern. ``keeps_older``: a character
    imported from the same file before stays as well.
    """
    file = read_file(path)

    def unit() -> ImportReport:
        with library.step(StepLabel(IMPORT_CARD, {"name": file.character.name})):
            report = store_card(
                library, file, path, with_worldbook=with_worldbook, keeps_older=keeps_older
            )
            return prompt_service.take_from_card(library, report, is_allowed=is_allowed)

    return ctx.write(unit)


def preview(library: Library, path: Path) -> ImportPreview:
    """Return what importing a card would do. Writes nothing."""
    file = read_file(path)
    same = library.characters.same_as(file.original)
    older = library.characters.newer_of(file.character.name, path.name)
    worldbook = _worldbook(file, path)
    character = file.character
    samples = ((character.name, character.description), (character.name, character.first_mes))
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
        sample=tuple((who, text[:200]) for who, text in samples if text),
        chat_id=None,
        chat_name=same.name if same else None,
        new_messages=0,
        entries=len(worldbook.parsed.worldbook.entries) if worldbook else 0,
        clash=character.name if older is not None and same is None else "",
    )


def read_file(path: Path) -> CardFile:
    """Read a card. Raises InputError."""
    try:
        return read_card(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e


def store_card(
    library: Library, file: CardFile, path: Path, *, with_worldbook: bool, keeps_older: bool
) -> ImportReport:
    """Store a character and its worldbook, inside the caller's step.

    A file that was imported already changes nothing. A newer version replaces the character
    imported from the same file, unless ``keeps_older``: then it is stored as if it came from
    another file.
    """
    name = file.character.name
    avatar = path.name
    same = library.characters.same_as(file.original)
    older = same or library.characters.newer_of(name, avatar)
    if keeps_older and same is None:
        avatar, older = _free_avatar(library, name, path), None
    row = same or library.characters.save(
        file.character, (file.original, file.card), (avatar, path.name, file.spec), older
    )
    report = ImportReport(
        file=str(path),
        kind="card",
        chat_id=None,
        messages=0,
        added=0,
        skipped=0,
        changes=Changes(worldbooks=same is None),
        name=name,
    )
    worldbook = _worldbook(file, path) if with_worldbook else None
    if worldbook is None:
        return report
    _forget_untouched(library, row, worldbook)
    title = worldbook.title or f"{name}'s Lorebook"
    stored = store_worldbook(library, worldbook, title, path, row.id)
    return replace(
        report,
        added=stored.added,
        skipped=stored.skipped,
        warnings=stored.warnings,
        changes=report.changes | stored.changes,
    )


def _free_avatar(library: Library, name: str, path: Path) -> str:
    """Return a file name that no character of this name was imported from."""
    avatar, number = path.name, 2
    while library.characters.newer_of(name, avatar) is not None:
        avatar, number = f"{path.stem} ({number}){path.suffix}", number + 1
    return avatar


def _worldbook(file: CardFile, path: Path) -> WorldbookFile | None:
    """Return the worldbook embedded in a card; None if it has no entries."""
    if not file.worldbook or not file.worldbook["entries"]:
        return None
    return stored_form(file.worldbook, path.name)


def _forget_untouched(library: Library, row: CharacterRow, new: WorldbookFile) -> None:
    """Delete the worldbook of an older version of the card, unless it was edited in the library."""
    for old in library.worldbooks.of_characters([row.id]):
        original = library.worldbooks.original(old.id)
        was = worldbook_of(original, old.name, "character_book")
        if original != new.original and library.worldbooks.content(old.id) == was.content:
            library.worldbooks.delete(old.id)
