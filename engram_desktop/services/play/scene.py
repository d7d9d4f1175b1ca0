"""Who plays in a chat: the player, those who reply, and whose turn comes next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.cards.character import Character
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.play.turn import Member
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import table_of, text_of, texts_of
from engram_desktop.services.characters.speaking import character_of, characters_of_chat
from engram_desktop.services.knowledge.actors import MEMBERS, PLAY_HEADER
from engram_desktop.services.prompts.chat_variables import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.cards.character import CharacterRow
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.library import Library

MAX_MEMBERS = 40  # of one scene: speakers of a long chat beyond them are passers-by
_TAIL = 60  # messages looked through for who spoke last
DEFAULT_PLAYER = "User"


@dataclass(frozen=True, slots=True)
class PlayHeader:
    """What is kept of a chat that was begun here: cards by id, the player, a written scene.

    ``members`` are the names of the characters it began with: they are there from the start.
    """

    cards: tuple[str, ...] = ()
    player: str = ""
    script: str = ""
    language: str = ""
    members: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return it as the first line of the chat's file would be."""
        play = {
            "cards": list(self.cards),
            "player": self.player,
            "script": self.script,
            "language": self.language,
            MEMBERS: list(self.members),
        }
        header = {
            "user_name": self.player,
            "character_name": "unused",
            "chat_metadata": {PLAY_HEADER: play},
        }
        return json.dumps(header, ensure_ascii=False)


def play_header(store: ChatStore, branch_id: str) -> PlayHeader:
    """Return what is kept of how a chat was begun; empty for one that was imported."""
    header = header_of(store, branch_id)
    play = table_of(table_of(header.get("chat_metadata")).get(PLAY_HEADER))
    return PlayHeader(
        texts_of(play.get("cards", [])),
        text_of(play.get("player")),
        text_of(play.get("script")),
        text_of(play.get("language")),
        texts_of(play.get(MEMBERS, [])),
    )


def player_of(store: ChatStore, header: PlayHeader) -> str:
    """Return the player's name: as the chat was begun, or as the player spoke most."""
    return header.player or next(iter(store.messages.user_names()), DEFAULT_PLAYER)


def rows_of_scene(library: Library, store: ChatStore, header: PlayHeader) -> list[CharacterRow]:
    """Return the cards that play: those the chat was begun with, then those that spoke."""
    rows_by_id = {row.id: row for row in library.characters.rows()}
    rows = [rows_by_id[card] for card in header.cards if card in rows_by_id]
    return list({row.id: row for row in [*rows, *characters_of_chat(library, store)]}.values())


def members_of(library: Library, store: ChatStore, header: PlayHeader) -> list[Member]:
    """Return all who can reply, those with cards first."""
    rows = rows_of_scene(library, store, header)
    chosen = set(header.cards)  # two cards of one name are two, where the user took both
    by_norm: dict[str, CharacterRow] = {}
    for row in rows:
        by_norm.setdefault(row.id if row.id in chosen else norm_name(row.name), row)
    rows = list(by_norm.values())
    members = [Member(row.name, row.id) for row in rows]
    known = {norm_name(name) for row in rows for name in (row.name, row.nickname) if name}
    for name, _avatar in store.messages.characters():
        if norm_name(name) not in known:
            known.add(norm_name(name))
            members.append(Member(name))
    return members[:MAX_MEMBERS]


def member_named(members: Sequence[Member], name: str) -> Member:
    """Return the member of this name or card. Raises NotFound."""
    for member in members:
        if name == member.card_id or norm_name(name) == norm_name(member.name):
            return member
    raise NotFound("character", name)


def next_member(
    members: Sequence[Member], store: ChatStore, branch_id: str, text: str
) -> Member | None:
    """Return who replies next: who is named first in the text, or else in turn."""
    if not members:
        return None
    folded = text.casefold()
    named = [(folded.find(m.name.casefold()), n) for n, m in enumerate(members) if m.name]
    said = [(at, n) for at, n in named if at >= 0]
    if said:
        return members[min(said)[1]]
    if len(members) == 1:
        return members[0]
    count = store.messages.count(branch_id)
    newest = store.messages.outline(branch_id, max(0, count - _TAIL))
    last = next((row.name for row in reversed(newest) if row.role == "assistant"), "")
    names = [norm_name(member.name) for member in members]
    at = names.index(norm_name(last)) if norm_name(last) in names else -1
    return members[(at + 1) % len(members)]


def card_of_member(library: Library, member: Member) -> Character:
    """Return the card a member plays by; an empty one under its name where there is none."""
    if not member.card_id:
        return Character(member.name)
    return character_of(library, library.characters.find(member.card_id))
