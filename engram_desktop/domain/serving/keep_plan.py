"""Plan what a request changes in its line, or the new chat that it begins.

Nothing of the user's is overwritten. What is shown behind the newest known floor is new, another
swipe of the newest reply, or replaces the newest exchange; changes further back go to a branch, so
that a cut history or a copied chat removes nothing.
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
from engram_desktop.domain.serving.line_and_request import RequestMessage, RequestPieces
from engram_desktop.domain.serving.prompt_rows import (
    MAIN_PROMPT,
    is_story_prompt,
    opening_of_prompt,
    rows_of_prompt,
)
from engram_desktop.domain.serving.request import FrontRequest, ListedMessage, is_script, plain
from engram_desktop.domain.values import dataclass

# What was kept: nothing; a new message, an edit, another swipe, a continuation of the newest reply,
# a deletion, a new branch, a new chat.
What = Literal["", "message", "edit", "swipe", "continue", "delete", "branch", "chat"]
# What the reply will be: a new message, another swipe of the newest, its continuation, or nothing
# that is kept until a request shows it.
ReplyAs = Literal["", "message", "swipe", "continue"]


@dataclass(frozen=True, slots=True)
class NewChat:
    """A chat that does not exist yet, read from a request. It is made when its reply is complete.

    ``is_named``: the request has a name for the chat. ``begins``: the beginning of its reply.
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
    """Result of keeping a request or a reply; ``line`` is the line it was written to.

    ``line`` may differ from the identity's, as a branch just made; None if nothing is kept.
    ``floor`` is that of the newest message changed, -1 for none. ``reply_as`` and ``reply_floor``
    say where the reply goes, ``mark`` is the key of the line's end that is needed for it. ``asked``
    are (role, name, text) of the messages the reply answers, and ``before`` is the key before them:
    another request may replace them while the reply is written. ``begins`` is the beginning of the
    reply, before the model's text. ``is_trimmed``: it answers a text prompt, so that it begins with
    a blank that front ends remove. ``why`` says why nothing is kept, if the user can change that.
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


# Newest floors that a request may edit. Further back, the last request must have shown the floor
# unchanged: a script that changes what a front end sends changes it in every request.
NEWEST = 12
MOST_EDITED = 2  # floors that one request may edit; if more differ, a front end changes texts
MOST_TAKEN_AWAY = 4  # floors of the newest exchange that may be replaced
# How the messages behind the newest known floor are stored: appended, as another swipe of the
# newest reply, as an edit of that reply, instead of the newest exchange, on a new branch.
Way = Literal["", "append", "reading", "edit", "instead", "branch"]


@dataclass(frozen=True, slots=True)
class Behind:
    """One floor behind the floor that a request stands on."""

    role: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LineEnd:
    """The end of a line. ``exchange`` is the floor of the player's newest message.

    ``first_own`` is the first floor that is not inherited, ``shared`` the last that other branches
    share, -1 for none. ``behind`` are the floors behind the one that the request stands on.
    """

    count: int
    exchange: int
    shared: int
    first_own: int
    behind: tuple[Behind, ...]


@dataclass(frozen=True, slots=True)
class KeepPlan:
    """``way`` says how ``unseen`` is stored; the reply is then at ``reply_floor``."""

    way: Way
    unseen: tuple[Unseen, ...]
    reply_as: ReplyAs
    reply_floor: int


def plan(identity: Identity, end: LineEnd) -> KeepPlan:
    """Return what a request changes, and what its reply will be."""
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
    if identity.wanted == "continue" and unseen:  # the reply was interrupted, and is new here
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
    """Return the identity of a request after another request of its chat was kept.

    Messages in both are the same message: it was sent to two models, or twice.
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
    """Return whether a request shows a whole exchange that a companion should have reported.

    It reports each message within a second: only the newest one may be late.
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
    is_meanwhile = 0 <= identity.seen < end.count  # another request of this chat was kept first
    if is_own and at >= end.first_own and is_newest and not is_meanwhile:
        return "instead"
    return "branch"


DEFAULT_PLAYER = "User"
DEFAULT_SPEAKER = "Assistant"
_NAME_CHARS = 40  # characters of the first message that become the name of a chat
_SHORTEST_SYSTEM = 40  # characters of a system prompt that describes a story
_TALK = 3  # messages that make a conversation, even without a system prompt
_RECURS = 2  # messages of a role that begin with an unknown name, before it counts as a name
_NAMED_SHARE = 0.6  # of the messages of a role that must begin with a name for it to be one
# Texts before a colon that are no names: headings, times, quoted speakers.
_NO_NAME = re.compile(
    r"\d|[《〈【\[(（#*_|>]|[说道问答喊叫想曰]$|\b(?:says?|said|asks?|asked|replied|thinks?|thought)$",
    re.IGNORECASE,
)


def wanted_of_none(pieces: RequestPieces) -> Wanted:
    """Return what a request of no known chat asks for."""
    asks = is_task(pieces.pieces) and not is_story_prompt(pieces.request)
    return "quiet" if asks or pieces.request.asks_json else "reply"


def beginning_of(pieces: RequestPieces, identity: Identity, named: str) -> NewChat | None:
    """Return the beginning of a new chat; None if the request is no story.

    ``named`` is the name of the chat in the address.
    """
    request = pieces.request
    if request.tools or identity.wanted != "reply" or identity.rivals:
        return None
    told, speaker = rows_of_prompt(request) if request.kind == "completion" else ([], "")
    of_prompt = [RequestMessage(ListedMessage(0, role, text, name)) for role, name, text in told]
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
    """Return whether two chats begin alike, except for the player's last message.

    System messages may differ a little: lore depends on the messages.
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
    """Return the name in a group's nudge behind all messages; "" without one."""
    behind = takewhile(lambda piece: piece.said.role == "system", reversed(pieces.pieces))
    return next(filter(None, (next_alone(piece.said.text) for piece in behind)), "")


def _story(pieces: RequestPieces) -> list[RequestMessage]:
    """Return the messages of the story, behind the mark of its beginning."""
    said = pieces.pieces[pieces.first_said :]
    return [p for p in said if p.said.role in ("user", "assistant") and p.keys[0]]


@dataclass(frozen=True)
class _Known:
    """Sources of known names: the system prompt, and the next speaker."""

    system: str
    names: frozenset[str]

    def knows(self, name: str) -> bool:
        return name in self.names or name in self.system


def _names(said: Sequence[RequestMessage], role: str, known: _Known) -> dict[str, bool]:
    """Return the names that messages of a role carry, the most frequent first.

    The value is True if it is certainly a name and so no part of the text: it is given apart from
    the text, or known. A text that only recurs before colons is used as the speaker, and also stays
    in the text.
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
    if before.total() < max(1, _NAMED_SHARE * len(own)):  # notes have no name, messages have
        return {name: True for name, _count in before.most_common() if name in known.names}
    # *Ilse waits by the stairs* behind “Ilse: ” is about the named speaker
    acting = {
        p.prefix_name for p in own if p.prefix and _acts(p.prefix_name, p.said.text[p.prefix :])
    }
    names = {name: known.knows(name) or name in acting for name, _count in before.most_common()}
    return {name: sure for name, sure in names.items() if sure or before[name] >= _RECURS}


def _acts(name: str, text: str) -> bool:
    """Return whether a text begins with an action of ``name``."""
    return re.match(rf"[*_（(]+{re.escape(name)}\b", text) is not None


def _row(piece: RequestMessage, speaks: tuple[str, Mapping[str, bool]]) -> tuple[str, str, str]:
    """Return role, name and text of a message; ``speaks``: the role's usual speaker, its names."""
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
