"""What of a request is stored in its chat, or begins one that the library does not have.

A new chat is read out of a request: its names, and what was said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.alignment import is_same
from engram_desktop.domain.serving.identity import Identity, Unseen, Wanted
from engram_desktop.domain.serving.instructions import is_task, next_alone
from engram_desktop.domain.serving.line_tail import RequestMessage
from engram_desktop.domain.serving.prompt_rows import (
    is_story_prompt,
    opening_of_prompt,
    rows_of_prompt,
)
from engram_desktop.domain.serving.request import FrontRequest, Said, is_script, plain
from engram_desktop.domain.serving.request_pieces import RequestPieces
from engram_desktop.domain.serving.single_message import MAIN_PROMPT
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

    ``is_named``: the request says what the chat is called. ``begins``: so its reply begins.
    """

    name: str
    player: str
    speaker: str
    card: str = ""
    said: tuple[tuple[str, str, str], ...] = ()  # (role, name, text), the oldest first
    is_named: bool = False
    request: FrontRequest | None = None
    begins: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """``line`` is what the chat goes on in: of `keep_request`, the one its reply belongs to.

    It may be another than the identity's, a branch that was just made; None where nothing is kept.
    ``floor`` is of the newest message that ``what`` is about, -1 for none. ``reply_as`` and
    ``reply_floor`` say where the reply goes and ``mark`` what must stand there then. ``asked`` are
    (role, name, text) of what the reply answers, and ``before`` the mark of what stood before that:
    another request may take their place while the reply is written. ``begins`` is what the reply
    begins with, before what the model says. ``is_trimmed``: it answers a text prompt, so that it
    begins with a blank that front ends take away. ``why`` says why nothing is kept, where the user
    can change that.
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
    begins: str = ""
    is_trimmed: bool = False
    why: Phrase | str = ""


# Decide what a request changes in the line it is of. Nothing of the user's is overwritten.
#
# What the front end shows behind the newest known floor is new, another reading of the newest
# reply, or in the place of the newest exchange; anything further back is a branch of its own, so
# that a history that was cut, or a chat that was copied, takes nothing away.


# Newest floors in which an edit is taken for one. Further back it must have been shown unchanged by
# the request before: a script that changes what a front end sends shows it changed from then on.
NEWEST = 12
MOST_EDITED = 2  # floors that one request may edit; where more differ, a front end changes texts
MOST_TAKEN_AWAY = 4  # floors of the newest exchange that may be told again
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
    if identity.wanted == "continue" and unseen:  # it was broken off, and is new here
        return KeepPlan(way, unseen, "continue", count - 1)
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


# Read a chat that the library does not have out of a request: its names, and what was said.


DEFAULT_PLAYER = "User"
DEFAULT_SPEAKER = "Assistant"
_NAME_CHARS = 40  # of the first words a chat is named by
_SHORTEST_SYSTEM = 40  # characters of a system prompt that tells of a story
_TALK = 3  # messages that are a talk, even without a system prompt
_RECURS = 2  # messages of a role that begin with a name nobody knows, so that it is taken for one
_NAMED_SHARE = 0.6  # of the messages of a role that must begin with a name for it to be one
# What stands before a colon and is no name: headings, times, who is quoted.
_NO_NAME = re.compile(
    r"\d|[《〈【\[(（#*_|>]|[说道问答喊叫想曰]$|\b(?:says?|said|asks?|asked|replied|thinks?|thought)$",
    re.IGNORECASE,
)


def wanted_of_none(pieces: RequestPieces) -> Wanted:
    """Say what a request of no known chat wants."""
    asks = is_task(pieces.pieces) and not is_story_prompt(pieces.request)
    return "quiet" if asks or pieces.request.asks_json else "reply"


def beginning_of(pieces: RequestPieces, identity: Identity, named: str) -> NewChat | None:
    """Return what a new chat would begin with; None where the request is no story.

    ``named`` is what the address calls it.
    """
    request = pieces.request
    if request.tools or identity.wanted != "reply" or identity.rivals:
        return None
    told, speaker = rows_of_prompt(request) if request.kind == "completion" else ([], "")
    of_prompt = [RequestMessage(Said(0, role, text, name)) for role, name, text in told]
    told = [row for row in told if row[0] != "system"]
    if request.kind == "completion" and (
        len(told) < _TALK - 1 or told[-1][0] != "user" or (not speaker and is_task(of_prompt))
    ):
        return None
    if speaker:
        player = next(name for role, name, _text in told if role == "user")
        name = named or identity.card or speaker
        begins = opening_of_prompt(request)
        return NewChat(
            name, player, speaker, identity.card, tuple(told), bool(named), begins=begins
        )
    said = [piece for piece in of_prompt if piece.is_story] or _story(pieces)
    while said and said[-1].said.role == "assistant":
        said = said[:-1]  # the beginning of the reply, or a note
    if not said:
        return None
    system = "\n".join(p.said.text for p in pieces.pieces if told or p.said.role == "system")
    is_talk = len(system) >= _SHORTEST_SYSTEM or len(said) >= _TALK
    if not (named or identity.card or is_talk):
        return None
    prompt = MAIN_PROMPT.search(system)
    char, user = (prompt["char"], prompt["player"]) if prompt else ("", "")
    asked = _asked_alone(pieces)
    certain = frozenset(filter(None, (identity.speaker, identity.card, char, user, asked)))
    known = _Known(system, certain)
    players, speakers = _names(said, "user", known), _names(said, "assistant", known)
    player = next(iter(players), user or DEFAULT_PLAYER)
    speaker = identity.speaker or asked or identity.card or char
    speaker = speaker or next(iter(speakers), DEFAULT_SPEAKER)
    rows = tuple(
        _row(piece, (player, players) if piece.said.role == "user" else (speaker, speakers))
        for piece in said
    )
    name = named or identity.card or (speaker if speaker != DEFAULT_SPEAKER else "")
    name = name or _first_words(rows)
    return NewChat(name, player, speaker, identity.card, rows, bool(named), request, pieces.opening)


def begins_alike(one: NewChat, other: NewChat) -> bool:
    """Whether two chats begin alike but for what the player said last.

    What tells of them may differ a little: lore comes and goes with what is said.
    """
    if replace(one, said=(), request=None) != replace(other, said=(), request=None):
        return False
    if one.said[:-1] != other.said[:-1] or one.said[-1][:2] != other.said[-1][:2]:
        return False
    systems = [_system_of(beginning) for beginning in (one, other)]
    return systems[0] == systems[1] or is_same(systems[:1], systems[1:])


def _system_of(beginning: NewChat) -> str:
    pieces = RequestPieces.of(beginning.request).pieces if beginning.request else ()
    return "".join(piece.keys[0] for piece in pieces if piece.said.role == "system")


def _asked_alone(pieces: RequestPieces) -> str:
    """Return whom the nudge of a group names, behind all that is said; "" for nobody."""
    behind = takewhile(lambda piece: piece.said.role == "system", reversed(pieces.pieces))
    return next(filter(None, (next_alone(piece.said.text) for piece in behind)), "")


def _story(pieces: RequestPieces) -> list[RequestMessage]:
    """Return the messages that are said, behind what says that the chat begins there."""
    said = pieces.pieces[pieces.first_said :]
    return [p for p in said if p.said.role in ("user", "assistant") and p.keys[0]]


@dataclass(frozen=True)
class _Known:
    """What says that a name is one: the system prompt, and who is about to speak."""

    system: str
    names: frozenset[str]

    def knows(self, name: str) -> bool:
        return name in self.names or name in self.system


def _names(said: Sequence[RequestMessage], role: str, known: _Known) -> dict[str, bool]:
    """Return the names that messages of a role carry, the commonest first.

    The value says whether it is sure to be a name, so that it is no part of the text: it stands
    beside the text, or somebody knows it. What only recurs before colons is taken for who speaks,
    and stays in the text as well.
    """
    own = [piece for piece in said if piece.said.role == role]
    beside = Counter(piece.said.name for piece in own if piece.said.name)
    if beside:
        return {name: True for name, _count in beside.most_common()}
    before = Counter(
        piece.prefix_name
        for piece in own
        if piece.prefix
        and not _NO_NAME.search(piece.prefix_name)
        and not is_script(piece.said.text)
    )
    if before.total() < max(1, _NAMED_SHARE * len(own)):  # notes have none, though all said has
        return {name: True for name, _count in before.most_common() if name in known.names}
    # *Ilse waits by the stairs* behind “Ilse: ” tells of who it names
    acting = {
        p.prefix_name for p in own if p.prefix and _acts(p.prefix_name, p.said.text[p.prefix :])
    }
    names = {name: known.knows(name) or name in acting for name, _count in before.most_common()}
    return {name: sure for name, sure in names.items() if sure or before[name] >= _RECURS}


def _acts(name: str, text: str) -> bool:
    """Whether a text begins by telling what somebody does."""
    return re.match(rf"[*_（(]+{re.escape(name)}\b", text) is not None


def _row(piece: RequestMessage, speaks: tuple[str, Mapping[str, bool]]) -> tuple[str, str, str]:
    """Return role, name and text of a message; ``speaks`` are who usually does, and the names."""
    usual, names = speaks
    said = piece.said
    name, text = said.name, said.text
    if piece.prefix_name in names:
        name = piece.prefix_name
        text = text[piece.prefix :] if names[name] else text
    return said.role, name or usual, text


def _first_words(rows: Sequence[tuple[str, str, str]]) -> str:
    text = next((text for role, _name, text in rows if role == "user"), "")
    words = " ".join(text.split())
    return words[:_NAME_CHARS].rstrip() + ("…" if len(words) > _NAME_CHARS else "")
