"""The part of the facade that deals with world books and characters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.worldbooks.filter import Speaker
from engram_desktop.domain.worldbooks.worldbook import Book, BookRow, Entry, Trigger
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Vectors
from engram_desktop.services.cards import kept, take_in
from engram_desktop.services.characters import speaking, tavern_user
from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.prompts import macro_scope
from engram_desktop.services.worldbooks import memory_book
from engram_desktop.services.worldbooks import scan as lore
from engram_desktop.services.worldbooks import sources as lore_sources
from engram_desktop.services.worldbooks import stored as worldbooks
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.cards.character import Character, CharacterRow, CharacterSheet
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.reports import ImportPreview, ImportReport
    from engram_desktop.domain.worldbooks.activation import Activation
    from engram_desktop.formats.sniff import FileKind

BOOK_FILES: frozenset[FileKind] = frozenset({"world_info"})
CARD_FILES: frozenset[FileKind] = frozenset({"card_png", "card_json", "charx"})


class Books(OpenChats):
    """What `Memory` can do with world books. They belong to the library, not to a chat."""

    _library: Library
    _javascript: JavaScript
    _clients: Clients
    _lore_vectors: dict[tuple[str, str], Vectors]  # of what entries say, by model

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    # --- files ---

    def preview_book(self, path: Path) -> ImportPreview:
        return worldbooks.preview(self._library.books, path)

    def import_book(self, ctx: JobContext, path: Path, name: str | None = None) -> ImportReport:
        """Take a world book into the library; the same file twice changes nothing."""
        return worldbooks.import_book(self._library, ctx, path, name)

    def export_book(
        self, ctx: JobContext, wanted: str, target: Path, *, original: bool = False
    ) -> int:
        """Write a book to a new file, as SillyTavern reads it; returns its entries.

        What is unchanged stays so to the byte. ``original`` writes the file as it once came, in
        the format of its own program.
        """
        ctx.check()
        row = self.find_book(wanted)
        return worldbooks.write_file(self._library.books, row, target, original=original)

    # --- characters ---

    def preview_card(self, path: Path) -> ImportPreview:
        if worldbooks.is_book_picture(path):
            return self.preview_book(path)
        return take_in.preview(self._library, path)

    def import_card(self, ctx: JobContext, path: Path) -> ImportReport:
        """Take a character card in, with its book and its regex scripts. Raises InputError."""
        if worldbooks.is_book_picture(path):
            return self.import_book(ctx, path)
        return take_in.import_card(self._library, ctx, path)

    def export_card(self, ctx: JobContext, wanted: str, target: Path) -> None:
        """Write a card to a new file, fields nobody knows included. Raises InputError."""
        ctx.check()
        kept.write_card(self._library, self.find_character(wanted), target)

    def characters(self, chat_id: str | None = None) -> list[CharacterRow]:
        """Every character, or those who speak in one chat."""
        if chat_id is None:
            return self._library.characters.rows()
        return speaking.characters_of_chat(self._library, self._chat(chat_id))

    def find_character(self, wanted: str) -> CharacterRow:
        """Return the character with this id, name or file. Raises NotFound."""
        return self._library.characters.find(wanted)

    def character(self, character_id: str) -> Character:
        """Read what a card says. Raises NotFound."""
        return speaking.character_of(self._library, self.find_character(character_id))

    def character_sheet(self, ctx: JobContext, character_id: str) -> CharacterSheet:
        """Put together what there is of a character: texts, books, chats. Raises NotFound."""
        return kept.sheet_of(self._library, ctx, self.find_character(character_id))

    def character_picture(self, character_id: str) -> bytes:
        """Return a character's picture as a file, b"" if it has none. Raises NotFound."""
        return kept.picture(self._library, self.find_character(character_id))

    def delete_character(
        self, character_id: str, *, books: bool = False, scripts: bool = False
    ) -> Changes:
        """Take a character out of the library; ``books`` and ``scripts`` of its card go with it.

        A book that stays is bound to nobody.
        """
        row = self.find_character(character_id)
        return kept.delete(self._library, row, books=books, scripts=scripts)

    # --- reading ---

    def books(self) -> list[BookRow]:
        """Every world book, by name."""
        return self._library.books.rows()

    def find_book(self, wanted: str) -> BookRow:
        """Return the book with this id, name or title. Raises NotFound."""
        return self._library.books.find(wanted)

    def book(self, book_id: str) -> Book:
        """Read the entries of a book. Raises NotFound."""
        return worldbooks.read(self._library.books, self.find_book(book_id))

    def books_of_chat(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[BookRow]:
        """Books that are on in a chat: its own, the player's, its characters', those for every one.

        Its own is the one that SillyTavern has bound to it, if the library has that.
        """
        return list(self._sources(chat_id, branch_id).rows)

    def missing_books(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[str]:
        """Names of books that should be on in a chat and are not in the library."""
        return list(self._sources(chat_id, branch_id).missing)

    def tag_names(self, chat_id: str | None = None) -> dict[str, str]:
        """Names of SillyTavern's tags by the ids that entries hold, as its settings said last."""
        return tavern_user.tag_names(self._library, chat_id)

    def _sources(self, chat_id: str, branch_id: str) -> lore_sources.Sources:
        owners = sorted({row.id for row in self.characters(chat_id)})
        store = self._chat(chat_id)
        own = {Path(row.path).stem for row in self._library.kept.rows(chat_id)}
        own.add(memory_book.book_title(store, self._library.chat_name(chat_id)))
        return lore_sources.sources(self._library, owners, store, own, branch_id)

    def activate(
        self,
        ctx: JobContext,
        chat_id: str,
        wanted: Sequence[str | Book] | None = None,
        *,
        at: int | None = None,
        branch_id: str = MAIN_BRANCH,
        seed: int = 0,
        trigger: Trigger = "normal",
    ) -> Activation:
        """Say which entries would fire for the reply after floor ``at``, and why or why not.

        ``wanted`` names books, or gives one that is not stored, such as a memory's own; None takes
        those that are on in the chat. Embeds what is meant. Raises NotFound.
        """
        rows = self.books_of_chat(chat_id, branch_id) if wanted is None else wanted
        found = [self._book_given(one) for one in rows]
        near = lore.meaning_of(ctx, self._clients.embedder(), self._lore_vectors)
        stage = replace(self._stage(chat_id, branch_id, at), meaning=near, trigger=trigger)
        return self._activation(ctx, stage, found, seed)

    def said_by_books(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int, pending: str = ""
    ) -> Activation:
        """Say what fires for the reply after ``floor`` to what is about to be sent.

        Embeds nothing, and so may be used where requests are under way.
        """
        stage = replace(self._stage(chat_id, branch_id, floor), pending=pending)
        found = [self._book_given(row) for row in self.books_of_chat(chat_id, branch_id)]
        return self._activation(ctx, stage, found, 0)

    def _book_given(self, one: str | Book | BookRow) -> Book:
        if isinstance(one, Book):
            return one
        row = self.find_book(one) if isinstance(one, str) else one
        return worldbooks.read(self._library.books, row)

    def _stage(self, chat_id: str, branch_id: str, at: int | None) -> lore.Stage:
        settings, store = self.settings(chat_id), self._chat(chat_id)
        row = speaking.who_speaks(self._library, store, branch_id, at)
        card = self.character(row.id) if row else None
        user = tavern_user.user_of(self._library, chat_id)
        speaker = Speaker(tag_names=tavern_user.tag_names(self._library, chat_id))
        if row and card:
            file, tags = PurePath(row.avatar).stem, user.tagged.get(row.avatar)
            speaker = replace(speaker, file=file, tags=tags, card_tags=card.tags)
        return lore.Stage(
            store,
            branch_id,
            at,
            card,
            speaker,
            lore.pattern_test(self._javascript),
            persona=settings.persona_text,
            fill=macro_scope.ChatSays(self._library, store, settings, branch_id).filled,
            with_names=settings.lore_include_names,
        )

    def _activation(
        self, ctx: JobContext, stage: lore.Stage, found: Sequence[Book], seed: int
    ) -> Activation:
        chat_id = stage.store.chat_id
        settings = self.settings(chat_id)
        bound = self._sources(chat_id, stage.branch_id).ranks
        # What is not on would be bound as a character's book is.
        rank = lore_sources.character_rank(settings)
        ranks = {book.name: bound.get(book.name, rank) for book in found}
        return lore.simulate(ctx, stage, found, lore.options_of(settings, ranks), seed)

    # --- changing ---

    def change_entries(
        self, book_id: str, uids: Collection[int | str], fields: Mapping[str, Any]
    ) -> Changes:
        """Give entries other values, named as `Entry` names them. Raises NotFound."""
        row = self.find_book(book_id)
        return worldbooks.change_entries(self._library, row, uids, fields)

    def add_entry(self, book_id: str, entry: Entry) -> tuple[Entry, Changes]:
        """Add an entry under the smallest free number."""
        return worldbooks.add_entry(self._library, self.find_book(book_id), entry)

    def delete_entries(self, book_id: str, uids: Collection[int | str]) -> Changes:
        row = self.find_book(book_id)
        return worldbooks.delete_entries(self._library, row, uids)

    def book_content(self, book_id: str) -> bytes:
        """Return a book as its file would be."""
        return self._library.books.content(self.find_book(book_id).id)

    def set_book_global(self, book_id: str, *, is_global: bool) -> Changes:
        """Bind a book to every chat, or only to those of its character."""
        return worldbooks.set_global(self._library, self.find_book(book_id), is_global=is_global)

    def set_book_in_chat(self, book_id: str, chat_id: str, *, is_on: bool) -> Changes:
        """Bind a book to one chat, or take that binding away. Raises NotFound."""
        row = self.find_book(book_id)
        return worldbooks.set_in_chat(self._library, row, chat_id, is_on=is_on)

    def books_bound_to(self, chat_id: str) -> set[str]:
        """Ids of the books that the user put on in this very chat."""
        return self._library.bindings.in_chat(chat_id)

    def rename_book(self, book_id: str, name: str) -> Changes:
        """Call a book so; if another is, by the first free name that begins like it."""
        return worldbooks.rename(self._library, self.find_book(book_id), name)

    def delete_book(self, book_id: str) -> Changes:
        """Take a book out of the library. The file it came from is not touched."""
        return worldbooks.delete(self._library, self.find_book(book_id))
