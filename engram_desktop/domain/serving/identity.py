"""Whose request this is: the chat, the program that sends it, and the server it is for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from engram_desktop.domain.address import clean_url, is_loopback
from engram_desktop.domain.errors import BadEndpoint, BadSetting
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

# Which line of which chat a request is of, and where in it: the answer of identification.


# By an explicit path or header, by what the companion said, by the messages themselves, by a
# correction of the user's, by the card or persona (a chat that is not there yet), or not at all.
How = Literal["path", "header", "companion", "aligned", "corrected", "card", "none"]
# What the request wants: a reply to a new message, the newest reply again, the newest reply
# continued, the player's next line written for them, or nothing of the story (a summary, a title,
# a translation, a quiet prompt).
Wanted = Literal["reply", "reroll", "continue", "impersonate", "quiet"]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A message of a request that the library does not have yet, without a name before its text."""

    index: int
    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Messages that a request shows before a ``floor``, and the line does not have there.

    ``is_first``: the request shows no other message before them. ``stayed`` are those that are
    surely messages: they stand where they stood in the request before, and the story went on.
    """

    floor: int
    said: tuple[Unseen, ...]
    is_first: bool
    stayed: tuple[Unseen, ...] = ()


@dataclass(frozen=True, slots=True)
class Edited:
    """A floor, and what it says in the request now.

    ``is_sure``: what is gone from it was never said: a front end had joined it to the message.
    """

    index: int
    floor: int
    text: str
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """``line`` is None where the request is of no known chat; ``certainty`` is of 0..1.

    ``floors`` are (index in the request's list, floor of the line) for each message that is the
    floor's as it stands there. ``until`` is the newest floor that the request stands on; -1 where
    there is none. The line may go on behind it (a reroll, a fork): memory of what comes later is
    not to be told, `RecallQuery.at` is ``until``. ``unseen`` are the messages behind it that the
    line does not have yet. ``speaker`` is who is about to speak. ``card`` names the character
    of a chat that is not there yet. ``rivals`` are lines it may as well be of, where that is why
    there is none. ``may_speak`` are several who may be about to speak, where nothing says who, and
    ``knows_as`` the one of them as whom memory is told. ``edited`` are messages of floors that say
    something else in the request, ``gone`` floors that are surely not shown between others that
    are: hidden in the front end, or deleted. ``missing`` are messages between floors, or before
    them, that the line does not have. ``seen`` is how many floors the line had then, -1 where
    nobody looked. ``asked`` is the player's newest message, without what a front end joined to it.
    ``begins`` is what the reply begins with: the model only goes on. ``replied`` are floor and text
    of the newest reply that the request shows whole, -1 for none. ``stood`` is another number
    whenever the lines of the chat are.
    """

    line: Line | None
    how: How
    certainty: float
    why: Phrase
    wanted: Wanted = "reply"
    floors: tuple[tuple[int, int], ...] = ()
    until: int = -1
    speaker: str = ""
    card: str = ""
    unseen: tuple[Unseen, ...] = ()
    edited: tuple[Edited, ...] = ()
    gone: tuple[int, ...] = ()
    rivals: tuple[Line, ...] = ()
    may_speak: tuple[str, ...] = ()
    knows_as: str = ""
    missing: tuple[Missing, ...] = ()
    seen: int = -1
    asked: str = ""
    begins: str = ""
    replied: tuple[int, str] = (-1, "")
    stood: int = 0

    @property
    def listener(self) -> str:
        """Who memory is told to."""
        return self.knows_as or self.speaker

    @property
    def is_apart(self) -> bool:
        """Whether a request of this line shows none of its floors."""
        return not self.floors and self.until >= 0

    def moved(self, floor: int, by: int) -> Identity:
        """Return it as it is when ``by`` messages were put in before ``floor``."""

        def to(old: int) -> int:
            return old + by if old >= floor else old

        return replace(
            self,
            floors=tuple((index, to(old)) for index, old in self.floors),
            until=to(self.until),
            edited=tuple(replace(edit, floor=to(edit.floor)) for edit in self.edited),
            gone=tuple(map(to, self.gone)),
            missing=tuple(replace(some, floor=to(some.floor)) for some in self.missing),
            seen=self.seen if self.seen < 0 else self.seen + by,
            replied=(to(self.replied[0]), self.replied[1]),
        )


# Who may speak to the server: names it is called by, and web pages that may use it. Pure text.
#
# The host of a request is checked against DNS rebinding: a page of a foreign name, resolved to
# this computer, keeps its own name there. The origin is checked against pages that send requests
# behind the user's back.


# What containers call the computer they run on: no stranger can be given these names.
_OF_CONTAINERS = frozenset({"host.docker.internal", "host.containers.internal"})
_LONGEST = 300  # characters: a host name has 253 at most


def host_of(header: str) -> str:
    """Return the name or address of a Host header without its port; "" where it is none."""
    if not header or len(header) > _LONGEST or any(c in header for c in "/@\\?# \t,"):
        return ""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises for one that is no number
    except ValueError:
        return ""
    host = (parts.hostname or "").removesuffix(".").lower()
    return "" if host.endswith(".") else host


def is_known_host(header: str, names: Collection[str], *, network: bool) -> bool:
    """Whether a request was meant for this server.

    ``names`` are further names of this computer; they and plain addresses count once the server is
    open to the network: an address is nobody's to point elsewhere.
    """
    host = host_of(header)
    if not host:
        return False
    if is_loopback(host):
        return True
    if not network:
        return False
    return host in _OF_CONTAINERS or host in names or _is_address(host)


def is_known_origin(origin: str, allowed: Collection[str], host: str, *, network: bool) -> bool:
    """Whether a page of ``origin`` may send requests; ``host`` is the header of the request.

    Pages of this computer may, and ``allowed`` ones; with the server open to the network also a
    page that is served under the very address the request was sent to.
    """
    if origin.lower().rstrip("/") in allowed:
        return True
    try:
        parts = urlsplit(origin)
        name = (parts.hostname or "").lower()
    except ValueError:
        return False
    if not name or parts.path or parts.query or parts.username is not None:
        return False
    return is_loopback(name) or (network and _is_address(name) and name == host_of(host))


def parse_origins(text: str) -> frozenset[str]:
    """Read the setting: one origin a line, with or without a slash at its end."""
    return frozenset(line.strip().rstrip("/").lower() for line in text.splitlines() if line.strip())


def _is_address(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


# Which server a model's name asks: the chat endpoint, or one of the further ones of a setting.


_T = QT_TRANSLATE_NOOP
_KEY = "serve.endpoints"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Upstream:
    """One further endpoint. ``prefixes`` are beginnings of the names of its models."""

    name: str
    base_url: str
    prefixes: tuple[str, ...] = ()

    def asked_as(self, model: str) -> str | None:
        """Return what it calls ``model``; None where the name asks for another endpoint."""
        head, slash, rest = model.partition("/")
        if slash and rest and head == self.name:
            return rest
        return model if any(model.startswith(prefix) for prefix in self.prefixes) else None

    def offered_as(self, model: str) -> str:
        """Return the name under which a front end asks for a ``model`` of this endpoint."""
        return model if model.startswith(self.prefixes or ("\0",)) else f"{self.name}/{model}"


def parse_upstreams(text: str) -> tuple[tuple[Upstream, ...], tuple[BadSetting, ...]]:
    """Read the setting: what can be used, and what is wrong with the other lines."""
    upstreams: list[Upstream] = []
    faults: list[BadSetting] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            upstreams.append(_parsed(line, upstreams))
        except BadSetting as fault:
            faults.append(fault)
    return tuple(upstreams), tuple(faults)


def _parsed(line: str, before: Sequence[Upstream]) -> Upstream:
    """Read one line. Raises BadSetting."""
    name, mark, rest = line.partition("=")
    name, words = name.strip(), rest.split()
    if not mark or not words or not _NAME.fullmatch(name):
        raise BadSetting(_KEY, line.strip(), Phrase(_T("reports", "a line is name = base URL")))
    if any(upstream.name == name for upstream in before):
        raise BadSetting(_KEY, name, Phrase(_T("reports", "this name is there twice")))
    try:
        return Upstream(name, clean_url(words[0]), tuple(words[1:]))
    except BadEndpoint as error:
        raise BadSetting(_KEY, error.params["url"], error.args[0]) from None
