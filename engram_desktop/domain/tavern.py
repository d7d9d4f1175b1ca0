"""What lies in a SillyTavern folder, and what following it did. Values only; paths are texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.reports import FileWarning

ItemKind = Literal["world", "preset", "regex"]
Take = Literal["all", "known", "followed"]  # which files that are new to the library are followed
Happened = Literal[
    "imported",  # a chat of its own
    "branch",  # a new branch of a chat
    "renamed",
    "added",
    "edited",
    "swiped",
    "deleted",
    "hidden",
    "shown",
    "vanished",  # the file is gone; nothing was deleted
    "warning",  # a line that cannot be read
    "failed",
]


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


@dataclass(frozen=True, slots=True)
class TavernCharacter:
    """A character: its identity is the name of its picture, ``folder`` is where its chats are."""

    name: str
    avatar: str  # path, empty where the card is gone and only chats are left
    folder: str
    chats: tuple[TavernChat, ...] = ()


@dataclass(frozen=True, slots=True)
class TavernGroup:
    """A group chat: ``members`` are names of pictures."""

    id: str
    name: str
    members: tuple[str, ...]
    chats: tuple[TavernChat, ...] = ()


@dataclass(frozen=True, slots=True)
class TavernItem:
    """A world book, a preset or a regex script. ``detail`` says what kind of preset."""

    kind: ItemKind
    name: str
    path: str
    size: int = 0
    modified: int = 0
    detail: str = ""


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
class TavernFolder:
    """A SillyTavern folder as it was when it was looked at. ``warnings``: (path, what)."""

    path: str
    handles: tuple[TavernHandle, ...]
    warnings: tuple[tuple[str, str], ...] = ()

    def chats(self) -> list[TavernChat]:
        return [chat for handle in self.handles for chat in handle.chats()]


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
    warnings: tuple[FileWarning, ...] = ()
    changes: Changes = field(default_factory=Changes)


@dataclass(frozen=True, slots=True)
class Followed:
    """A file the library follows, or was told to let be. ``changed_at`` is in milliseconds."""

    path: str
    chat_id: str
    branch_id: str
    is_followed: bool
    changed_at: int
