"""Character cards: taken in, read, shown with their chats and worldbooks, and written out again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.services.cards import kept, take_in
from engram_desktop.services.characters import speaking, tavern_user
from engram_desktop.services.worldbooks import stored

if TYPE_CHECKING:
    from engram_desktop.domain.cards.character import CharacterRow, CharacterSheet
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import Clash, ImportPreview, ImportReport
    from engram_desktop.jobs.context import JobContext
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
        return take_in.preview(library, path)

    def import_file(self, ctx: JobContext, path: Path, on_clash: Clash = "replace") -> ImportReport:
        """Take a character card in, with its worldbook and its regex scripts. Raises InputError.

        ``on_clash`` "both" keeps a character that the same file brought before beside it.
        """
        library = self._session.library
        if stored.is_worldbook_picture(path):
            return stored.import_worldbook(library, ctx, path, None)
        return take_in.import_card(library, ctx, path, keeps_older=on_clash == "both")

    def export(self, ctx: JobContext, name_or_id: str, target: Path) -> None:
        """Write a card to a new file, fields nobody knows included. Raises InputError."""
        ctx.check()
        kept.write_card(self._session.library, self.find(name_or_id), target)

    def all(self, chat_id: str | None = None) -> list[CharacterRow]:
        """Every character, or those who speak in one chat."""
        library = self._session.library
        if chat_id is None:
            return library.characters.rows()
        return speaking.characters_of_chat(library, self._session.chat(chat_id))

    def find(self, name_or_id: str) -> CharacterRow:
        """Return the character with this id, name or file. Raises NotFound."""
        return self._session.library.characters.find(name_or_id)

    def sheet(self, ctx: JobContext, character_id: str) -> CharacterSheet:
        """Put together what there is of a character: texts, worldbooks, chats. Raises NotFound."""
        return kept.sheet_of(self._session.library, ctx, self.find(character_id))

    def picture(self, character_id: str) -> bytes:
        """Return a character's picture as a file, b"" if it has none. Raises NotFound."""
        return kept.picture(self._session.library, self.find(character_id))

    def delete(
        self, character_id: str, *, worldbooks: bool = False, scripts: bool = False
    ) -> Changes:
        """Delete a character; ``worldbooks`` and ``scripts`` of its card go with it.

        A worldbook that stays is bound to nobody.
        """
        row = self.find(character_id)
        return kept.delete(self._session.library, row, worldbooks=worldbooks, scripts=scripts)

    def tag_names(self, chat_id: str | None = None) -> dict[str, str]:
        """Names of SillyTavern's tags by the ids that entries hold, as its settings said last."""
        return tavern_user.tag_names(self._session.library, chat_id)
