"""What lies in a SillyTavern folder, and what following it did. Values only; paths are texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.reports import CopyConflict, FileWarning, OnConflict
from engram_desktop.domain.text.regex_script import RegexScript
from engram_desktop.domain.values import dataclass

# What a user of SillyTavern keeps in `settings.json` that entries and macros ask for.
#
# Values only: tags, who has them, the variables of all chats, and what scans of worldbooks need.


Stamp = tuple[int, int]  # size and time of change, in nanoseconds


NotePlace = Literal["instead", "before", "after"]
SUMMARY = "[Summary: {{summary}}]"  # how SillyTavern puts a summary, unless it is told otherwise


@dataclass(frozen=True, slots=True)
class CharacterNote:
    """An author's note of a character: in place of the chat's own, before or after it."""

    text: str
    place: NotePlace = "instead"


@dataclass(frozen=True, slots=True)
class TavernWorldbooks:
    """What scans of worldbooks read there beside the chat, and the order of the worldbooks.

    ``books`` are on for every chat, the first first. ``note`` and ``interval`` are the
    author's note of chats that say none. ``notes`` are by card file without its ending.
    """

    books: tuple[str, ...] = ()
    note: str = ""
    interval: int = 1
    notes: Mapping[str, CharacterNote] = field(default_factory=dict)
    summary: str = SUMMARY


@dataclass(frozen=True, slots=True)
class TavernUser:
    """``tags`` are names by id, ``tagged`` ids by card file; ``stamp`` is that of the file read.

    ``scan`` are settings of ours, with what worldbooks are scanned by there.
    """

    folder: str
    tags: Mapping[str, str] = field(default_factory=dict)
    tagged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    scan: Mapping[str, Any] = field(default_factory=dict)
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    stamp: Stamp | None = None


def name_of_tag(names: Mapping[str, str], tag: str) -> str:
    """What a tag of an entry is called: SillyTavern writes ids there, people write names."""
    return names.get(tag, tag)


def tag_of_name(names: Mapping[str, str], own: Collection[str], name: str) -> str:
    """The tag that is called ``name``: one of those ``own``, else a known one, else the name."""
    matches = [tag for tag in (*own, *names) if name_of_tag(names, tag) == name]
    return matches[0] if matches else name


# Floors that go at once because they were deleted in a followed file: those of one summary
# (`summary.interval`). More are taken for another copy; what copies really lack was not measured.
MOST_DELETED = 25
ItemKind = Literal["world", "preset", "regex", "persona"]
TavernKind = Literal["chats", "cards", "books", "scripts", "presets", "personas"]
TAVERN_KINDS: tuple[TavernKind, ...] = get_args(TavernKind)
TavernState = Literal["new", "here", "newer", "followed"]  # of a thing, seen from the library
Take = Literal["all", "known", "followed"]  # which files that are new to the library are followed
Happened = Literal[
    "imported",  # a chat of its own
    "branch",  # a new branch of a chat
    "conflict",  # floors of a line were kept that the file tells otherwise, or lacks
    "renamed",
    "converted",  # a chat of one character goes on as a group's
    "added",
    "edited",
    "swiped",
    "moved",  # a message stands at another floor
    "respoken",  # the same words, and the speaker is called otherwise
    "deleted",
    "hidden",
    "shown",
    "vanished",  # the file is gone; nothing was deleted
    "warning",  # a line that cannot be read
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

    ``messages`` is None where the file was too large to be looked through for a list.
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
    persona: str = ""  # the picture of the persona chosen for it


@dataclass(frozen=True, slots=True)
class TavernCharacter:
    """A character: its identity is the name of its picture, ``folder`` is where its chats are.

    ``called`` and what follows is what its card says; empty where that cannot be read.
    """

    name: str
    avatar: str  # path, empty where the card is gone and only chats are left
    folder: str
    chats: tuple[TavernChat, ...] = ()
    called: str = ""
    book: str = ""  # the worldbook it wants beside its own
    entries: int = 0  # of its own worldbook
    scripts: int = 0  # regex scripts it brings


@dataclass(frozen=True, slots=True)
class TavernGroup:
    """A group chat: ``members`` are names of pictures, ``disabled`` those who are mute now."""

    id: str
    name: str
    members: tuple[str, ...]
    chats: tuple[TavernChat, ...] = ()
    disabled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TavernItem:
    """A worldbook, a preset, a regex script or a persona; ``key`` tells it from all others.

    ``detail`` is the kind of a preset, what a script looks for, how a persona begins. ``count`` are
    entries of a worldbook or scripts in a preset. ``is_on``: SillyTavern uses it in every chat.
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
    """One prompt of a preset. Without a text it marks where SillyTavern puts something.

    ``depth`` counts messages back, where it stands among them.
    """

    name: str
    role: str
    text: str
    is_on: bool
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class TavernHandle:
    """Everything of one user of SillyTavern."""

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
    """An installation that was found on this computer, with how much is in it."""

    path: str
    users: int
    characters: int
    chats: int


@dataclass(frozen=True, slots=True)
class TavernFolder:
    """A SillyTavern folder as it was when it was looked at. ``warnings``: (path, what)."""

    path: str
    handles: tuple[TavernHandle, ...]
    warnings: tuple[tuple[str, str], ...] = ()

    def chats(self) -> list[TavernChat]:
        return [chat for handle in self.handles for chat in handle.chats()]

    def keys(self, kinds: Collection[TavernKind]) -> frozenset[str]:
        """Everything of these kinds that can be taken in: presets only if they bring scripts."""
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
    """Who a player is: a picture, a name, a description; with what it is locked to.

    ``book`` is a worldbook of its own. ``is_scanned``: the description stands among the messages,
    where worldbooks look through it.
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
    """What `settings.json` says of things outside of it. Nothing else of it is ever kept.

    ``extra_books`` are by picture, without its ending. ``allowed_cards`` are pictures whose scripts
    may run; so may those of ``allowed_presets``, which are (program interface, name).
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
    scan: Mapping[str, Any] = field(default_factory=dict)  # how worldbooks are scanned, our words
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    faults: tuple[str, ...] = ()

    @property
    def global_worldbooks(self) -> tuple[str, ...]:
        """Worldbooks that are on for every chat."""
        return self.lore.books


@dataclass(frozen=True, slots=True)
class TavernChoice:
    """What to take out of a folder: chats and cards by path, all else by key.

    A chat brings the card of its character; a card its worldbooks and its scripts.
    """

    keys: frozenset[str]
    follow: bool = False  # the chats, from now on
    on_conflict: OnConflict = "branch"


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that was seen in a file and followed. ``floors`` are the first and the last."""

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
    """What looking at one file did. A file that is waiting must be looked at again soon.

    A copy tells nothing that another file does not tell; it is looked at again when one is gone.
    ``added`` and ``skipped`` count messages of the file, as an import does.
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
    is_noted: bool = False  # other tools wrote something beside messages whose text is the same
    warnings: tuple[FileWarning, ...] = ()
    changes: Changes = field(default_factory=Changes)
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """A chat file the library follows, or was told not to. ``changed_at`` is in milliseconds."""

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
    """Say who the player is in a chat: as chosen there, locked to its owner, named, or by default.

    ``owner`` is (character or group, picture or id). The name the player speaks under counts before
    the default one, which SillyTavern only puts into new chats.
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
