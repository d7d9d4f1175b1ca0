"""Which worldbooks are on in a chat, from where, and in which order they are looked at.

As in SillyTavern: the chat's own worldbook first, the player's, then those of the character and
those for every chat, as a setting says.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow
from engram_desktop.formats.json_values import parse_text, table_of, text_of
from engram_desktop.services.characters.tavern_user import user_of
from engram_desktop.services.worldbooks.memory_worldbook import MARK
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

# SillyTavern's three strategies: the lower the earlier.
_RANKS: dict[str, dict[str, int]] = {
    "evenly": {"character": 2, "global": 2},
    "character": {"character": 2, "global": 3},
    "global": {"character": 3, "global": 2},
}


@dataclass(frozen=True, slots=True)
class Sources:
    """Worldbooks that are on, how early each is looked at, and names of those that are not here."""

    rows: tuple[WorldbookRow, ...]
    ranks: dict[str, int]
    places: dict[str, int]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bound:
    """By what each worldbook is on, each list in its order; an empty name is none."""

    everywhere: tuple[str, ...] = ()
    chat: tuple[str, ...] = ()
    persona: tuple[str, ...] = ()
    character: tuple[str, ...] = ()


def ranked(bound: Bound, strategy: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return how early each worldbook is looked at, and which goes first where entries are equals.

    A worldbook that is on for several reasons counts by the first of: for every chat, in this chat,
    the player's, the character's.
    """
    ranks = _RANKS[strategy]
    tiers = (
        (ranks["global"], bound.everywhere),
        (0, bound.chat),
        (1, bound.persona),
        (ranks["character"], bound.character),
    )
    rank_of: dict[str, int] = {}
    for rank, names in tiers:
        for name in filter(None, names):
            rank_of.setdefault(name, rank)
    return rank_of, {name: place for place, name in enumerate(rank_of)}


def character_rank(settings: Settings) -> int:
    """How early a character's worldbooks are looked at."""
    return _RANKS[settings.lore_strategy]["character"]


def worldbook_of_chat(store: ChatStore, branch_id: str) -> str:
    """Name of the worldbook that SillyTavern has bound to a chat; empty if none."""
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
    """Put together what is on.

    ``own_names`` are names under which a front end may have the worldbook of the chat's own memory:
    that one is not missed, and a copy of it that was taken in is not on. In another chat it may be.
    """
    chat_id, bindings = store.chat_id, library.bindings
    look = _Look(library, chat_id, own_names)
    settings = library.settings(chat_id)
    chat = [
        *look.named(worldbook_of_chat(store, branch_id)),
        *look.bound(bindings.in_chat(chat_id)),
    ]
    character = [
        *look.bound(bindings.of_characters(owners)),
        *library.worldbooks.of_characters(owners),
    ]
    everywhere = [row for row in look.rows.values() if row.is_global]
    order = {name: place for place, name in enumerate(user_of(library, chat_id).lore.books)}
    bound = Bound(
        look.ids(sorted(everywhere, key=lambda row: order.get(row.name, len(order)))),
        look.ids(chat),
        look.ids(look.named(settings.persona_book.strip())),
        look.ids(character),
    )
    ranks, places = ranked(bound, settings.lore_strategy)
    rows = sorted((look.rows[worldbook_id] for worldbook_id in ranks), key=lambda row: row.name)
    return Sources(
        tuple(rows),
        {row.name: ranks[row.id] for row in rows},
        {row.name: places[row.id] for row in rows},
        tuple(look.missing),
    )


class _Look:
    """Finds worldbooks by name and by binding, and notes names of those that are not there."""

    def __init__(self, library: Library, chat_id: str, own_names: Collection[str]) -> None:
        self._worldbooks = library.worldbooks
        self._chat_id = chat_id
        self._own_names = own_names
        self.rows = {row.id: row for row in library.worldbooks.rows()}
        self.missing: list[str] = []

    def named(self, name: str) -> list[WorldbookRow]:
        if not name:
            return []
        try:
            return [self._worldbooks.find(name)]
        except NotFound:
            if name not in self._own_names:
                self.missing.append(name)
            return []

    def ids(self, rows: Collection[WorldbookRow]) -> tuple[str, ...]:
        return tuple(row.id for row in rows if not self.is_own(row))

    def is_own(self, row: WorldbookRow) -> bool:
        """Whether a worldbook was made of this chat's memory: it holds the id of the chat."""
        is_ours = row.title.startswith(MARK) or row.name in self._own_names
        return is_ours and self._chat_id.encode() in self._worldbooks.content(row.id)

    def bound(self, ids: Collection[str]) -> list[WorldbookRow]:
        return [row for worldbook_id, row in self.rows.items() if worldbook_id in ids]
