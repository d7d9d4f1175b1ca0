"""Which cards of the library speak in a chat, and whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.cards.character import Character, CharacterRow
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.formats.cards.card import card_of
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

TAIL = 60  # messages looked through for who spoke last


def character_of(library: Library, row: CharacterRow) -> Character:
    """Read what a stored card says."""
    return card_of(library.characters.card(row.id), row.name).character


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
    floors = count if at is None else max(0, min(at + 1, count))
    first = max(0, floors - TAIL)
    near = store.messages.as_parsed(branch_id, first, floors)  # the reply too, if it is there
    before, after = near[: floors - first], near[floors - first :]
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
