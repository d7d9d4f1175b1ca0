"""A character as described by its card. Further data of a card stays in the card's own JSON."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow


@dataclass(frozen=True, slots=True)
class Character:
    """The fields that all versions of cards share, and those of V2 and V3 that prompts use.

    ``world`` names the worldbook the card wants besides its own. ``nickname`` replaces ``{{char}}``
    if the card has one.
    """

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_mes: str = ""
    mes_example: str = ""
    creator_notes: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    alternate_greetings: tuple[str, ...] = ()
    group_only_greetings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    creator: str = ""
    character_version: str = ""
    nickname: str = ""
    world: str = ""
    depth_prompt: str = ""

    @property
    def called(self) -> str:
        """The value of ``{{char}}``."""
        return self.nickname or self.name


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """One row of the list of characters. ``avatar`` is the file by which its chats name it."""

    id: str
    name: str
    nickname: str
    avatar: str
    spec: str
    source: str
    updated_at: int = 0


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """Everything on a character: its card, and what the library has for it.

    ``chats`` are (id, name); ``has_picture``: whether its card can be written as a PNG.
    """

    row: CharacterRow
    character: Character
    books: tuple[WorldbookRow, ...] = ()
    chats: tuple[tuple[str, str], ...] = ()
    scripts: tuple[str, ...] = ()
    has_picture: bool = False
