"""Which world books are on in a chat, from where, and in which order they are looked at.

As in SillyTavern: the chat's own book first, the player's, then those of the character and those
for every chat, as a setting says.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import BookRow
from engram_desktop.formats.json_values import parse_text, table_of, text_of
from engram_desktop.services.worldbooks.memory_book import MARK
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

_RANKS: dict[str, dict[str, int]] = {
    "evenly": {"character": 2, "global": 2},
    "character": {"character": 2, "global": 3},
    "global": {"character": 3, "global": 2},
}


@dataclass(frozen=True, slots=True)
class Sources:
    """Books that are on, how early each is looked at, and names of books that are not here."""

    rows: tuple[BookRow, ...]
    ranks: dict[str, int]
    missing: tuple[str, ...] = ()


def character_rank(settings: Settings) -> int:
    """How early a character's books are looked at."""
    return _RANKS[settings.lore_strategy]["character"]


def book_of_chat(store: ChatStore, branch_id: str) -> str:
    """Name of the world book that SillyTavern has bound to a chat; empty if none."""
    for branch, _highest in store.branches.path(branch_id):
        raw = store.branches.header(branch)
        if raw:
            metadata = table_of(table_of(parse_text(raw)).get("chat_metadata"))
            return text_of(metadata.get("world_info"))
    return ""


def sources(
    library: Library,
    owners: list[str],
    store: ChatStore,
    own_names: Collection[str],
    branch_id: str,
) -> Sources:
    """Put together what is on; a book that is on for several reasons counts by the first.

    ``own_names`` are names under which a front end may have the book of the chat's own memory:
    that one is not missed, and a copy of it that was taken in is not on. In another chat it may be.
    """
    look = _Look(library, store.chat_id, own_names)
    settings = library.settings(store.chat_id)
    ranks = _RANKS[settings.lore_strategy]
    tiers = (
        (0, look.named(book_of_chat(store, branch_id))),
        (0, look.bound(library.bindings.in_chat(store.chat_id))),
        (1, look.named(settings.persona_book.strip())),
        (ranks["character"], look.bound(library.bindings.of_characters(owners))),
        (ranks["character"], library.books.of_characters(owners)),
        (ranks["global"], [row for row in look.rows.values() if row.is_global]),
    )
    rank_by_id: dict[str, tuple[BookRow, int]] = {}
    for rank, rows in tiers:
        for row in rows:
            if not look.is_own(row):
                rank_by_id.setdefault(row.id, (row, rank))
    rows = sorted((row for row, _rank in rank_by_id.values()), key=lambda row: row.name)
    ranked = {row.name: rank for row, rank in rank_by_id.values()}
    return Sources(tuple(rows), ranked, tuple(look.missing))


class _Look:
    """Finds books by name and by binding, and notes names of those that are not there."""

    def __init__(self, library: Library, chat_id: str, own_names: Collection[str]) -> None:
        self._books = library.books
        self._chat_id = chat_id
        self._own_names = own_names
        self.rows = {row.id: row for row in library.books.rows()}
        self.missing: list[str] = []

    def named(self, name: str) -> list[BookRow]:
        if not name:
            return []
        try:
            return [self._books.find(name)]
        except NotFound:
            if name not in self._own_names:
                self.missing.append(name)
            return []

    def is_own(self, row: BookRow) -> bool:
        """Whether a book was made of this chat's memory: it holds the id of the chat."""
        is_ours = row.title.startswith(MARK) or row.name in self._own_names
        return is_ours and self._chat_id.encode() in self._books.content(row.id)

    def bound(self, ids: Collection[str]) -> list[BookRow]:
        return [row for book_id, row in self.rows.items() if book_id in ids]
