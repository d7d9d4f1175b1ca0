"""Worldbooks: entries that join a prompt always, when a word is mentioned, or by their meaning.

Values only. The names follow SillyTavern's fields; another program's data in an entry is kept in
the file itself (`formats.world_info`), never here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from enum import IntEnum
from typing import Any, Literal, get_args

from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass

EntryMode = Literal["constant", "selective", "vectorized", "disabled"]  # 常驻 触发 向量 停用
ENTRY_MODES: tuple[EntryMode, ...] = get_args(EntryMode)
WorldbookKind = Literal["sillytavern", "character_book", "lorebook_v3", "novelai", "agnai", "risu"]
Trigger = Literal["normal", "continue", "impersonate", "swipe", "regenerate", "quiet"]
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
ROLES = ("system", "user", "assistant")  # roles of entries at a depth, by SillyTavern's number
_COMMA = re.compile(r",\s*")
_KEY = re.compile(r"\s*/(?:[^/\\\n]|\\.)+/[gimsuy]*(?=\s*(?:,|$))|[^,]+")
CardField = Literal[
    "persona_description",
    "character_description",
    "character_personality",
    "character_depth_prompt",
    "scenario",
    "creator_notes",
]
CARD_FIELDS: tuple[CardField, ...] = get_args(CardField)


class Logic(IntEnum):
    """How the second list of keys combines with the first."""

    AND_ANY = 0
    NOT_ALL = 1
    NOT_ANY = 2
    AND_ALL = 3


class Position(IntEnum):
    """The position of an entry in a prompt."""

    BEFORE_CHARACTER = 0
    AFTER_CHARACTER = 1
    NOTE_TOP = 2
    NOTE_BOTTOM = 3
    AT_DEPTH = 4
    EXAMPLES_TOP = 5
    EXAMPLES_BOTTOM = 6
    OUTLET = 7


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """Which characters an entry is for: card file names without extension, and tags."""

    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    is_exclude: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. None leaves a choice to the settings of the whole scan."""

    uid: int | str
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    comment: str = ""
    content: str = ""
    is_constant: bool = False
    is_vectorized: bool = False
    is_selective: bool = True
    is_disabled: bool = False
    logic: Logic = Logic.AND_ANY
    order: float = 100
    position: Position = Position.BEFORE_CHARACTER
    ignore_budget: bool = False
    exclude_recursion: bool = False
    prevent_recursion: bool = False
    delay_until_recursion: int = 0  # the level of recursion it waits for; 0: none
    matches: frozenset[CardField] = frozenset()
    probability: float = 100
    use_probability: bool = True
    depth: int = 4
    outlet_name: str = ""
    group: str = ""
    group_override: bool = False
    group_weight: float = 100
    scan_depth: int | None = None
    case_sensitive: bool | None = None
    match_whole_words: bool | None = None
    use_group_scoring: bool | None = None
    automation_id: str = ""
    role: int = 0
    sticky: int = 0
    cooldown: int = 0
    delay: int = 0
    triggers: tuple[Trigger | str, ...] = ()  # an unknown one matches no kind of reply
    character_filter: CharacterFilter | None = None
    heading: str = ""  # a heading in lists; of this program, unknown to SillyTavern

    @property
    def mode(self) -> EntryMode:
        """Its mode, which SillyTavern shows as one of four lamps."""
        if self.is_disabled:
            return "disabled"
        if self.is_constant:
            return "constant"
        return "vectorized" if self.is_vectorized else "selective"

    @property
    def title(self) -> str:
        """Its title in a list."""
        return self.comment.strip() or ", ".join(self.keys) or str(self.uid)

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of its inclusion groups; a blank before a comma belongs to the name."""
        return tuple(name for name in _COMMA.split(self.group) if name)

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.content)


@dataclass(frozen=True, slots=True)
class Worldbook:
    """A parsed worldbook. Entries are in the order of the file."""

    name: str
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class WorldbookRow:
    """One row of the list of worldbooks. ``title`` is the name in the file, if any.

    ``owner`` is the character whose card contained it; its chats use it automatically.
    """

    id: str
    name: str
    title: str
    kind: WorldbookKind
    source: str
    entries: int
    is_global: bool
    owner: str = ""
    updated_at: int = 0


def with_fields(entry: Entry, fields: Mapping[str, Any]) -> Entry:
    """Return an entry with other values.

    ``matches`` as a mapping changes only the texts it names.
    """
    values = dict(fields)
    if isinstance(matches := values.get("matches"), Mapping):
        on = {name for name, is_on in matches.items() if is_on}
        values["matches"] = (entry.matches - matches.keys()) | on
    return replace(entry, **values)


def split_keys(text: str) -> tuple[str, ...]:
    """Split a text at commas, but not inside a pattern between slashes."""
    parts = _KEY.findall(text.replace("，", ",").replace("、", ","))
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip(" ,")))


def mode_flags(mode: EntryMode) -> dict[str, bool]:
    """Return the flags of this mode, with all others off."""
    return {
        "is_constant": mode == "constant",
        "is_vectorized": mode == "vectorized",
        "is_disabled": mode == "disabled",
    }


@dataclass(frozen=True, slots=True)
class WorldbookFault:
    """An entry that could not be read completely, and the field that was skipped."""

    uid: str
    field: str


@dataclass(frozen=True, slots=True)
class ParsedWorldbook:
    """A worldbook with the errors in its file; invalid fields have their defaults."""

    worldbook: Worldbook
    faults: tuple[WorldbookFault, ...] = field(default=())
