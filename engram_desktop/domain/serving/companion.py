"""What the companion inside SillyTavern reports: its chats, their changes, and its questions."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import Injection
from engram_desktop.domain.reports import CopyConflict
from engram_desktop.domain.serving.identity import How
from engram_desktop.domain.values import dataclass

# SillyTavern's names for the purpose of a generation.
Generation = Literal["normal", "swipe", "regenerate", "continue", "impersonate", "quiet"]
# Result of a report: stored; more pieces are expected; it does not fit the known revision, so the
# whole chat is needed; the same chat is followed as a file; the user excluded this chat; it has no
# messages yet; the server keeps nothing at all.
UploadState = Literal["kept", "more", "whole", "followed", "let_be", "empty", "off"]


@dataclass(frozen=True, slots=True)
class TavernChatId:
    """Identifies a chat of a SillyTavern by owner and file.

    ``tavern`` is the companion's random id of its SillyTavern. ``owner`` is the picture of the
    character, or the id of the group if ``is_group``; ``file`` is the name of the chat without its
    suffix. ``slip`` is SillyTavern's mark of one chat file, which a rename keeps and a branch does
    not.
    """

    tavern: str
    owner: str
    file: str
    is_group: bool = False
    group_name: str = ""
    members: tuple[str, ...] = ()
    slip: str = ""


@dataclass(frozen=True, slots=True)
class UploadPiece:
    """One piece of a whole chat: rows as SillyTavern writes them, one JSON text per message.

    ``upload`` names the upload, ``number`` of ``count`` counts from 0. ``header`` is the first line
    of the file; the first piece has it.
    """

    chat: TavernChatId
    upload: str
    number: int
    count: int
    rows: tuple[str, ...]
    header: str = ""


@dataclass(frozen=True, slots=True)
class UploadChange:
    """Change of a chat: ``removed`` rows from floor ``first`` on became ``rows``, of ``total`` now.

    ``revision`` is the server's last answer: the state that this builds on.
    """

    chat: TavernChatId
    revision: str
    first: int
    removed: int
    rows: tuple[str, ...]
    total: int
    header: str = ""


@dataclass(frozen=True, slots=True)
class UploadOffer:
    """The chat was opened, at ``revision``: asks whether the server needs more of it."""

    chat: TavernChatId
    revision: str


@dataclass(frozen=True, slots=True)
class ChatFileGone:
    """The chat's file was deleted or renamed. Nothing in the library is deleted."""

    chat: TavernChatId


ChatReport = UploadPiece | UploadChange | UploadOffer | ChatFileGone


@dataclass(frozen=True, slots=True)
class UploadResult:
    """Result of a report; ``revision`` names the state that is known now.

    ``conflict`` is what the line lost, or would have lost, of its floors.
    """

    state: UploadState
    line: Line | None = None
    revision: str = ""
    floors: int = 0
    changes: Changes = field(default_factory=Changes)
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class NewestMessage:
    """One of the newest messages, to identify a chat that was not uploaded."""

    name: str
    is_user: bool
    text: str


@dataclass(frozen=True, slots=True)
class CompanionQuestion:
    """Question of the companion before a generation.

    ``until`` is the floor of the newest message that the reply answers; ``visible_from`` the first
    floor in the prompt, None if unknown. ``said`` are the newest messages, the last one at
    ``until``. ``room`` is how many tokens the prompt may have, 0 if unknown, and ``used`` how many
    it has without memory.
    """

    chat: TavernChatId
    generation: Generation
    speaker: str
    until: int
    said: tuple[NewestMessage, ...]
    visible_from: int | None = None
    room: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class CompanionLine:
    """The line of a chat of SillyTavern, if it has one, and how it was found."""

    line: Line | None
    how: How
    why: Phrase


@dataclass(frozen=True, slots=True)
class CompanionMemory:
    """The memory for a generation. ``injection`` is None if there is no memory.

    ``summaries`` and ``memories`` are the two parts of its text; either may be empty. ``budget`` is
    the number of tokens the prompt had room for, if the settings allow more, else None.
    """

    where: CompanionLine
    injection: Injection | None = None
    summaries: str = ""
    memories: str = ""
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledCompanion:
    """Folder and ``version`` of an installed companion; ``before`` is the version it replaced."""

    folder: str
    version: str
    before: str | None = None
