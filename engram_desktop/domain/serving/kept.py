"""What became of a request, and then of its reply, in the library."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass

# Nothing; a new message, an edited one, another reading of one, the newest reply continued, some
# taken away, a new branch, a new chat.
What = Literal["", "message", "edit", "swipe", "continue", "delete", "branch", "chat"]
# What the reply will be: a new message, another reading of the newest, more of it, or nothing that
# is kept until the front end shows it again.
ReplyAs = Literal["", "message", "swipe", "continue"]


@dataclass(frozen=True, slots=True)
class Beginning:
    """A chat that is not there yet: what the request says of it. Made once its reply is whole."""

    name: str
    player: str
    speaker: str
    card: str = ""
    said: tuple[tuple[str, str, str], ...] = ()  # (role, name, text), the oldest first


@dataclass(frozen=True, slots=True)
class Kept:
    """``line`` is what the chat goes on in: of `keep_request`, the one its reply belongs to.

    It may be another than the identity's, a branch that was just made; None where nothing is kept.
    ``floor`` is of the newest message that ``what`` is about, -1 for none. ``reply_as`` and
    ``reply_floor`` say where the reply goes and ``mark`` what must stand there then. ``asked`` are
    (role, name, text) of what the reply answers, and ``before`` the mark of what stood before that:
    another request may take their place while the reply is written.
    """

    line: Line | None = None
    what: What = ""
    floor: int = -1
    changes: Changes = field(default_factory=Changes)
    reply_as: ReplyAs = ""
    reply_floor: int = -1
    speaker: str = ""
    mark: str = ""
    asked: tuple[tuple[str, str, str], ...] = ()
    before: str = ""
    beginning: Beginning | None = None
