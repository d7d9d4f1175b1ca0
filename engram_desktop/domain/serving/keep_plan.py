"""What of a request is stored in its chat."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.alignment import is_same
from engram_desktop.domain.serving.identity import Identity, Unseen
from engram_desktop.domain.serving.request import plain
from engram_desktop.domain.values import dataclass

# What became of a request, and then of its reply, in the library.


# Nothing; a new message, an edited one, another reading of one, the newest reply continued, some
# taken away, a new branch, a new chat.
What = Literal["", "message", "edit", "swipe", "continue", "delete", "branch", "chat"]
# What the reply will be: a new message, another reading of the newest, more of it, or nothing that
# is kept until the front end shows it again.
ReplyAs = Literal["", "message", "swipe", "continue"]


@dataclass(frozen=True, slots=True)
class NewChat:
    """A chat that is not there yet: what the request says of it. Made once its reply is whole.

    ``is_named``: the request says what the chat is called.
    """

    name: str
    player: str
    speaker: str
    card: str = ""
    said: tuple[tuple[str, str, str], ...] = ()  # (role, name, text), the oldest first
    is_named: bool = False


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
    beginning: NewChat | None = None


# Decide what a request changes in the line it is of. Nothing of the user's is overwritten.
#
# What the front end shows behind the newest known floor is new, another reading of the newest
# reply, or in the place of the newest exchange; anything further back is a branch of its own, so
# that a history that was cut, or a chat that was copied, takes nothing away.


# Newest floors in which an edit is taken for one. Further back it must have been shown unchanged by
# the request before: a script that changes what a front end sends shows it changed from then on.
NEWEST = 12
MOST_EDITED = 2  # floors that one request may edit; where more differ, a front end changes texts
MOST_TAKEN_AWAY = 4  # floors of the newest exchange that may be told anew
# How the messages behind the newest known floor go in: at the end, as another reading of the newest
# reply, as that reply edited, in place of the newest exchange, on a new branch.
Way = Literal["", "append", "reading", "edit", "instead", "branch"]


@dataclass(frozen=True, slots=True)
class Behind:
    """One floor behind what a request stands on."""

    role: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LineEnd:
    """The end of a line. ``exchange`` is the floor of the player's newest message.

    ``first_own`` is the first floor that is not inherited, ``shared`` the last that other branches
    see too, -1 for none. ``behind`` are the floors behind what the request stands on.
    """

    count: int
    exchange: int
    shared: int
    first_own: int
    behind: tuple[Behind, ...]


@dataclass(frozen=True, slots=True)
class KeepPlan:
    """``way`` says what becomes of ``unseen``; the reply then stands at ``reply_floor``."""

    way: Way
    unseen: tuple[Unseen, ...]
    reply_as: ReplyAs
    reply_floor: int


def plan(identity: Identity, end: LineEnd) -> KeepPlan:
    """Say what a request changes, and what its reply will be."""
    at, unseen = identity.until, identity.unseen
    way = _way(identity, end)
    if way in ("reading", "edit"):
        count = end.count + len(unseen) - 1
    elif way in ("instead", "branch"):
        count = at + 1 + len(unseen)
    else:
        count = end.count + len(unseen)
    if identity.wanted in ("impersonate", "quiet"):
        return KeepPlan(way, unseen, "", -1)
    if identity.wanted == "continue":
        is_own = not unseen and not end.behind and end.count - 1 > end.shared
        return KeepPlan(way, unseen, "continue" if is_own else "", end.count - 1)
    if unseen or not end.behind:
        return KeepPlan(way, unseen, "message", count)
    newest = end.behind[0]
    is_same_one = norm_name(identity.speaker) in ("", norm_name(newest.name))
    if len(end.behind) == 1 and newest.role == "assistant" and at + 1 > end.shared and is_same_one:
        return KeepPlan(way, unseen, "swipe", at + 1)
    return KeepPlan(way, unseen, "message", at + 1)


def caught_up(identity: Identity, end: LineEnd) -> Identity:
    """Return where a request stands now that another of its chat was kept since it was identified.

    What both show is one message: it was sent to two models, or twice.
    """
    if not 0 <= identity.seen < end.count:
        return identity
    both = 0
    for unseen, floor in zip(identity.unseen, end.behind, strict=False):
        if unseen.role != floor.role or plain(unseen.text) != plain(floor.text):
            break
        both += 1
    return replace(identity, until=identity.until + both, unseen=identity.unseen[both:])


def shows_silence(identity: Identity) -> bool:
    """Whether a request shows a whole exchange that a companion would have told of by now.

    It tells of each message within a second: what it may be late for is the newest alone.
    """
    roles = [unseen.role for unseen in identity.unseen]
    return "user" in roles and "assistant" in roles[roles.index("user") :]


def _way(identity: Identity, end: LineEnd) -> Way:
    unseen, at = identity.unseen, identity.until
    if not unseen:
        return ""
    if not end.behind:
        return "append"
    first, newest = unseen[0], end.behind[0]
    is_own = at + 1 > end.shared
    is_reply = first.role == "assistant" and newest.role == "assistant"
    is_same_one = norm_name(first.name) in ("", norm_name(newest.name))
    if is_reply and is_own and is_same_one and len(end.behind) == 1:
        return "edit" if is_same([plain(first.text)], [plain(newest.text)]) else "reading"
    is_newest = at + 1 >= end.exchange and len(end.behind) <= MOST_TAKEN_AWAY
    is_meanwhile = 0 <= identity.seen < end.count  # another request of this chat was first
    if is_own and at >= end.first_own and is_newest and not is_meanwhile:
        return "instead"
    return "branch"
