"""What the companion inside a SillyTavern says: its chats as they change, and what it asks for."""

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

# SillyTavern's own words for what a generation is for.
Generation = Literal["normal", "swipe", "regenerate", "continue", "impersonate", "quiet"]
# What became of what was told: it is in the library; more pieces are awaited; what is known is not
# what it builds on, so that the whole chat is asked for; a file that is followed tells the same
# already; the user wants this chat not followed; there is no message in it yet; the server keeps
# nothing at all.
ToldState = Literal["kept", "more", "whole", "followed", "let_be", "empty", "off"]


@dataclass(frozen=True, slots=True)
class ToldChat:
    """Which chat of which SillyTavern. Two texts name it: its owner and its file.

    ``tavern`` is what the companion calls its SillyTavern, made up once. ``owner`` is the picture
    of the character, or the id of the group where ``is_group``; ``file`` is the name of the chat,
    without its ending. ``slip`` is SillyTavern's mark of one chat file, which a rename keeps and a
    branch does not.
    """

    tavern: str
    owner: str
    file: str
    is_group: bool = False
    group_name: str = ""
    members: tuple[str, ...] = ()
    slip: str = ""


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """One piece of a whole chat: rows as SillyTavern writes them, one JSON text a message.

    ``upload`` names the whole, ``number`` of ``count`` counts from 0. ``header`` is the first line
    of the file; the first piece has it.
    """

    chat: ToldChat
    upload: str
    number: int
    count: int
    rows: tuple[str, ...]
    header: str = ""


@dataclass(frozen=True, slots=True)
class ToldRows:
    """``removed`` rows from floor ``first`` on became ``rows``; the chat has ``total`` now.

    ``revision`` is what the server answered last: the state that this builds on.
    """

    chat: ToldChat
    revision: str
    first: int
    removed: int
    rows: tuple[str, ...]
    total: int
    header: str = ""


@dataclass(frozen=True, slots=True)
class ToldOffer:
    """The chat is open, as it was at ``revision``: asks whether more of it is needed."""

    chat: ToldChat
    revision: str


@dataclass(frozen=True, slots=True)
class ToldGone:
    """The chat's file was deleted, or has another name now. Nothing of the library is deleted."""

    chat: ToldChat


Told = ToldPiece | ToldRows | ToldOffer | ToldGone


@dataclass(frozen=True, slots=True)
class ToldReport:
    """What became of what was told; ``revision`` names the state that is known now.

    ``conflict`` is what the line lost, or would have lost, of its floors.
    """

    state: ToldState
    line: Line | None = None
    revision: str = ""
    floors: int = 0
    changes: Changes = field(default_factory=Changes)
    conflict: CopyConflict | None = None


@dataclass(frozen=True, slots=True)
class ToldMessage:
    """One of the newest messages, for finding the chat where nothing was told of it."""

    name: str
    is_user: bool
    text: str


@dataclass(frozen=True, slots=True)
class CompanionQuestion:
    """What is asked before a generation.

    ``until`` is the floor of the newest message that the reply stands on; ``visible_from`` the
    first floor that the prompt still holds, None where SillyTavern did not say. ``said`` are the
    newest messages, the last of them that of ``until``. ``room`` is how many tokens the prompt may
    have, 0 where nobody said, and ``used`` how many it has without memory.
    """

    chat: ToldChat
    generation: Generation
    speaker: str
    until: int
    said: tuple[ToldMessage, ...]
    visible_from: int | None = None
    room: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class CompanionLine:
    """Which line a chat of a SillyTavern is, if any, and why."""

    line: Line | None
    how: How
    why: Phrase


@dataclass(frozen=True, slots=True)
class CompanionMemory:
    """What a generation is to remember. ``injection`` is None where it remembers nothing.

    ``summaries`` and ``memories`` are the two parts of its text, either may be empty. ``budget``
    are the tokens that the prompt had room for where the settings allow more, else None.
    """

    where: CompanionLine
    injection: Injection | None = None
    summaries: str = ""
    memories: str = ""
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledCompanion:
    """Where a companion lies now, and which ``version``; ``before`` is the one it replaced."""

    folder: str
    version: str
    before: str | None = None
