"""The contents of a SillyTavern folder, and the results of following it.

Values only; paths are texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.reports import CopyConflict, FileWarning, OnConflict
from engram_desktop.domain.text.regex_script import RegexScript
from engram_desktop.domain.values import dataclass

# The data in a user's `settings.json` that worldbook entries and macros need: tags, their owners,
# the variables of all chats, and the data of worldbook scans. Values only.


Stamp = tuple[int, int]  # size and time of change (ns)


NotePlace = Literal["instead", "before", "after"]
SUMMARY = "[Summary: {{summary}}]"  # SillyTavern's default wording of a summary


@dataclass(frozen=True, slots=True)
class CharacterNote:
    """An author's note of a character: replaces the chat's own, or is put before or after it."""

    text: str
    place: NotePlace = "instead"


@dataclass(frozen=True, slots=True)
class TavernWorldbooks:
    """What worldbook scans read in SillyTavern besides the chat, and the order of the worldbooks.

    ``books`` are on for every chat, in order. ``note`` and ``interval`` are the author's note of
    chats without their own. ``notes`` are by card file without its extension.
    """

    books: tuple[str, ...] = ()
    note: str = ""
    interval: int = 1
    notes: Mapping[str, CharacterNote] = field(default_factory=dict)
    summary: str = SUMMARY


@dataclass(frozen=True, slots=True)
class TavernUser:
    """``tags`` are names by id, ``tagged`` ids by card file; ``stamp`` is the settings file's.

    ``scan`` are scan settings under our names.
    """

    folder: str
    tags: Mapping[str, str] = field(default_factory=dict)
    tagged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    scan: Mapping[str, Any] = field(default_factory=dict)
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    stamp: Stamp | None = None


def name_of_tag(names: Mapping[str, str], tag: str) -> str:
    """Return the name of an entry's tag: SillyTavern writes ids, people write names."""
    return names.get(tag, tag)


def tag_of_name(names: Mapping[str, str], own: Collection[str], name: str) -> str:
    """Return the tag called ``name``: one of ``own``, else a known one, else the name itself."""
    matches = [tag for tag in (*own, *names) if name_of_tag(names, tag) == name]
    return matches[0] if matches else name


# Floors deleted at once in a followed file: those of one summary (`summary.interval`). More are
# taken for another copy; how many copies really lack was not measured.
MOST_DELETED = 25
ItemKind = Literal["world", "preset", "regex", "persona"]
TavernKind = Literal["chats", "cards", "books", "scripts", "presets", "personas"]
TAVERN_KINDS: tuple[TavernKind, ...] = get_args(TavernKind)
TavernState = Literal["new", "here", "newer", "followed"]  # of a thing, for the library
Take = Literal["all", "known", "followed"]  # which new files are followed
Happened = Literal[
    "imported",  # as a chat of its own
    "branch",  # as a new branch of a chat
    "conflict",  # floors of a line were kept that the file changes or lacks
    "renamed",
    "converted",  # a chat of one character continues as a group's
    "added",
    "edited",
    "swiped",
    "moved",  # a message is at another floor
    "respoken",  # same text, another name of the speaker
    "deleted",
    "hidden",
    "shown",
    "vanished",  # the file is missing; nothing was deleted
    "warning",  # an unreadable line
    "failed",
]


_KIND_OF: Mapping[ItemKind, TavernKind] = {
    "world": "books",
    "regex": "scripts",
    "preset": "presets",
    "persona": "personas",
}


@dataclass(frozen=True, slots=True)
class TavernChat:
    """One chat file. ``owner`` is the folder of its character, or the id of its group.

    ``messages`` is None if the file was too large to count.
    """

    path: str
    name: str
    owner: str
    is_group: bool
    size: int
    modified: int  # ms
    messages: int | None
    main_chat: str = ""
    book: str = ""  # the worldbook chosen for this chat
    persona: str = ""  # the picture of its persona


@dataclass(frozen=True, slots=True)
class TavernCharacter:
    """A character, identified by its picture's name; ``folder`` is where its chats are.

    ``called`` and the fields after it are from its card; empty if that cannot be read.
    """

    name: str
    avatar: str  # path, empty if the card is gone and only chats are left
    folder: str
    chats: tuple[TavernChat, ...] = ()
    called: str = ""
    book: str = ""  # the worldbook it wants besides its own
    entries: int = 0  # of its own worldbook
    scripts: int = 0  # regex scripts it brings


@dataclass(frozen=True, slots=True)
class TavernGroup:
    """A group chat: ``members`` are names of pictures, ``disabled`` the muted ones."""

    id: str
    name: str
    members: tuple[str, ...]
    chats: tuple[TavernChat, ...] = ()
    disabled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TavernItem:
    """A worldbook, a preset, a regex script or a persona; ``key`` identifies it.

    ``detail`` is the kind of a preset, the pattern of a script, the beginning of a persona.
    ``count`` is the number of entries of a worldbook, or of scripts in a preset. ``is_on``:
    SillyTavern uses it in every chat.
    """

    kind: ItemKind
    name: str
    path: str
    size: int = 0
    modified: int = 0
    detail: str = ""
    key: str = ""
    count: int = 0
    is_on: bool = False


@dataclass(frozen=True, slots=True)
class PresetPrompt:
    """One prompt of a preset. Without a text it marks a place where SillyTavern inserts something.

    ``depth`` counts messages back, if it is among the messages.
    """

    name: str
    role: str
    text: str
    is_on: bool
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class TavernHandle:
    """The data of one user of SillyTavern."""

    name: str
    path: str
    characters: tuple[TavernCharacter, ...] = ()
    groups: tuple[TavernGroup, ...] = ()
    items: tuple[TavernItem, ...] = ()

    def chats(self) -> Iterator[TavernChat]:
        for character in self.characters:
            yield from character.chats
        for group in self.groups:
            yield from group.chats

    def of_kind(self, kind: ItemKind) -> list[TavernItem]:
        return [item for item in self.items if item.kind == kind]


@dataclass(frozen=True, slots=True)
class FoundTavern:
    """An installation found on this computer, and the size of its contents."""

    path: str
    users: int
    characters: int
    chats: int


@dataclass(frozen=True, slots=True)
class TavernFolder:
    """The listing of a SillyTavern folder. ``warnings``: (path, text)."""

    path: str
    handles: tuple[TavernHandle, ...]
    warnings: tuple[tuple[str, str], ...] = ()

    def chats(self) -> list[TavernChat]:
        return [chat for handle in self.handles for chat in handle.chats()]

    def keys(self, kinds: Collection[TavernKind]) -> frozenset[str]:
        """Return everything of these kinds that can be imported: presets only with scripts."""
        things: set[str] = set()
        for handle in self.handles:
            if "chats" in kinds:
                things.update(chat.path for chat in handle.chats())
            if "cards" in kinds:
                things.update(c.avatar for c in handle.characters if c.avatar)
            things.update(
                item.key
                for item in handle.items
                if _KIND_OF[item.kind] in kinds and (item.kind != "preset" or item.count)
            )
        return frozenset(things)


@dataclass(frozen=True, slots=True)
class TavernPersona:
    """The player's persona: a picture, a name, a description, and what it is locked to.

    ``book`` is its own worldbook. ``is_scanned``: the description is among the messages, where
    worldbooks scan it.
    """

    avatar: str
    name: str
    text: str
    is_default: bool = False
    locks: frozenset[tuple[str, str]] = frozenset()  # (character or group, picture or id)
    book: str = ""
    is_scanned: bool = False


@dataclass(frozen=True, slots=True)
class TavernSettings:
    """What `settings.json` says of data outside of it. Nothing else of it is ever kept.

    ``extra_books`` are by picture, without its extension. ``allowed_cards`` are pictures whose
    scripts may run, and ``allowed_presets`` presets, as (program interface, name).
    """

    scripts: tuple[RegexScript, ...] = ()
    personas: tuple[TavernPersona, ...] = ()
    extra_books: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    allowed_cards: frozenset[str] = frozenset()
    allowed_presets: frozenset[tuple[str, str]] = frozenset()
    preset: str = ""  # the chat completion preset in use
    tags: Mapping[str, str] = field(default_factory=dict)  # names by id
    tagged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # ids by picture
    variables: Mapping[str, Any] = field(default_factory=dict)  # of all chats
    scan: Mapping[str, Any] = field(default_factory=dict)  # scan settings under our names
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    faults: tuple[str, ...] = ()

    @property
    def global_worldbooks(self) -> tuple[str, ...]:
        """The worldbooks that are on for every chat."""
        return self.lore.books


@dataclass(frozen=True, slots=True)
class TavernChoice:
    """What to import from a folder: chats and cards by path, all else by key.

    A chat includes the card of its character; a card its worldbooks and its scripts.
    """

    keys: frozenset[str]
    follow: bool = False  # the chats, from now on
    on_conflict: OnConflict = "branch"


@dataclass(frozen=True, slots=True)
class Happening:
    """One event seen while following a file. ``floors`` are the first and the last."""

    what: Happened
    path: str
    chat_id: str = ""
    branch_id: str = ""
    count: int = 0
    floors: tuple[int, int] | None = None
    detail: str = ""
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of checking one file. One that is waiting must be checked again soon.

    A copy has nothing that another file lacks; it is checked again when one is deleted. ``added``
    and ``skipped`` count messages of the file, as in an import.
    """

    path: str
    chat_id: str = ""
    branch_id: str = ""
    happened: tuple[Happening, ...] = ()
    messages: int = 0
    added: int = 0
    is_waiting: bool = False
    is_copy: bool = False
    read_from: int = 0  # the first floor that had to be read
    is_noted: bool = False  # other tools stored something beside messages with unchanged text
    warnings: tuple[FileWarning, ...] = ()
    changes: Changes = field(default_factory=Changes)
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """A chat file the library follows, or must not follow. ``changed_at`` is in milliseconds."""

    path: str
    chat_id: str
    branch_id: str
    is_followed: bool
    changed_at: int


def persona_of(
    personas: Collection[TavernPersona],
    chosen: str,
    owner: tuple[str, str],
    user_names: Collection[str],
) -> TavernPersona | None:
    """Return the persona of a chat: the chosen one, one locked to its owner, by name, or default.

    ``owner`` is (character or group, picture or id). The name of the player's messages has
    precedence over the default, which SillyTavern only uses for new chats.
    """
    by_avatar = {p.avatar: p for p in personas}
    if chosen in by_avatar:
        return by_avatar[chosen]
    same_owner = [p for p in personas if owner in p.locks]
    if len(same_owner) == 1:
        return same_owner[0]
    names = {norm_name(name) for name in user_names}
    same_name = [p for p in personas if norm_name(p.name) in names]
    if len(same_name) == 1:
        return same_name[0]
    return next((p for p in same_name or personas if p.is_default), None)
