"""Which world books are on in a chat, from where, and in which order they are looked at.

As in SillyTavern: the chat's own book first, the player's, then those of the character and those
for every chat, as a setting says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.worldbook import BookRow
from engram_desktop.formats.adopt.values import parsed, table_of, text_of
from engram_desktop.storage.book_bindings import BookBindings
from engram_desktop.storage.books import BookStore
from engram_desktop.storage.chat_store import ChatStore

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
            metadata = table_of(table_of(parsed(raw)).get("chat_metadata"))
            return text_of(metadata.get("world_info"))
    return ""


def sources(
    stores: tuple[BookStore, BookBindings],
    owners: list[str],
    store: ChatStore,
    settings: Settings,
    branch_id: str,
) -> Sources:
    """Put together what is on; a book that is on for several reasons counts by the first."""
    books, bindings = stores
    missing: list[str] = []
    ranks = _RANKS[settings.lore_strategy]

    def named() -> Iterator[tuple[BookRow, int]]:
        wanted = (book_of_chat(store, branch_id), settings.persona_book.strip())
        for rank, name in enumerate(wanted):
            try:
                if name:
                    yield books.find(name), rank
            except NotFound:
                missing.append(name)
        bound = bindings.of_characters(owners)
        for row in (*books.of_characters(owners), *(r for r in books.rows() if r.id in bound)):
            yield row, ranks["character"]
        for row in books.rows():
            if row.is_global:
                yield row, ranks["global"]

    found: dict[str, tuple[BookRow, int]] = {}
    for row, rank in named():
        found.setdefault(row.id, (row, rank))
    rows = sorted((row for row, _rank in found.values()), key=lambda row: row.name)
    return Sources(tuple(rows), {row.name: rank for row, rank in found.values()}, tuple(missing))
