"""A character as its card tells it. What a card holds beyond this stays in the card's own JSON."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow


@dataclass(frozen=True, slots=True)
class Character:
    """The fields all versions of cards share, and those of V2 and V3 that prompts use.

    ``world`` names the worldbook the card wants beside its own. ``nickname`` stands for
    ``{{char}}`` where a card gives one.
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
        """What ``{{char}}`` becomes."""
        return self.nickname or self.name


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """One row of the list of characters. ``avatar`` is the file its chats know it by."""

    id: str
    name: str
    nickname: str
    avatar: str
    spec: str
    source: str
    updated_at: int = 0


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """All there is of a character: what its card says, and what belongs to it here.

    ``chats`` are (id, name); ``has_picture`` says whether its card can be written as a PNG.
    """

    row: CharacterRow
    character: Character
    books: tuple[WorldbookRow, ...] = ()
    chats: tuple[tuple[str, str], ...] = ()
    scripts: tuple[str, ...] = ()
    has_picture: bool = False
