"""Identity of a request: its line, the program that sends it, and the server it is for.

Hosts are checked against DNS rebinding: a page under a foreign name that resolves to this computer
keeps its name in the request. Origins are checked against pages that send requests without the
user's knowledge.
"""

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

# How the chat was identified: by path or header, by the companion, by the messages, by a correction
# of the user's, by the card or persona (a chat that does not exist yet), or not at all.
How = Literal["path", "header", "companion", "aligned", "corrected", "card", "none"]
# What the request asks for: a reply to a new message, the newest reply again, the newest reply
# continued, the player's next line written for them, or nothing of the story (a summary, a title, a
# translation, a quiet prompt).
Wanted = Literal["reply", "reroll", "continue", "impersonate", "quiet"]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A message of a request that the library does not have, without a name before its text."""

    index: int
    role: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Messages shown before a ``floor`` that the line does not have there.

    ``is_first``: the request shows no other message before them. ``stayed`` are those that are
    certainly messages: they kept their place since the last request, while the story went on.
    """

    floor: int
    said: tuple[Unseen, ...]
    is_first: bool
    stayed: tuple[Unseen, ...] = ()


@dataclass(frozen=True, slots=True)
class Edited:
    """A floor and its text in the request.

    ``is_sure``: the removed text was never part of the message; a front end had joined it.
    """

    index: int
    floor: int
    text: str
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """The line of a request and the position in it; ``line`` is None for no known chat.

    ``certainty`` is in 0..1. ``floors`` are (index in the request's list, floor of the line) of
    each message that equals its floor. ``until`` is the newest floor that the request stands on; -1
    for none. The line may go on behind it (a reroll, a fork): memory of later floors must not be
    used, `RecallQuery.at` is ``until``. ``unseen`` are the messages behind it that the line does
    not have yet. ``speaker`` is the next speaker. ``card`` is the character of a chat that does not
    exist yet. ``rivals`` are lines that fit as well, if no line was chosen for that reason.
    ``may_speak`` are the candidates if the next speaker is unknown, and ``knows_as`` the one of
    them for whom memory is composed. ``edited`` are floors with another text in the request,
    ``gone`` floors that are certainly not shown between shown ones: hidden in the front end, or
    deleted. ``missing`` are messages between or before floors that the line does not have. ``seen``
    is the number of floors of the line at that time, -1 if unknown. ``asked`` is the player's
    newest message, without text that a front end joined to it. ``begins`` is the beginning of the
    reply, which the model continues. ``replied`` are floor and text of the newest reply that the
    request shows whole, -1 for none. ``stood`` is a number that changes with the lines of the chat.
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
        """Return the character for whom memory is composed."""
        return self.knows_as or self.speaker

    @property
    def is_apart(self) -> bool:
        """Return whether a request of this line shows none of its floors."""
        return not self.floors and self.until >= 0

    def moved(self, floor: int, by: int) -> Identity:
        """Return the identity after ``by`` messages were inserted before ``floor``."""

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


# Names of the host computer inside containers: no other machine can get these names.
_OF_CONTAINERS = frozenset({"host.docker.internal", "host.containers.internal"})
_LONGEST = 300  # characters: a host name has 253 at most


def host_of(header: str) -> str:
    """Return the name or address of a Host header without its port; "" if it is invalid."""
    if not header or len(header) > _LONGEST or any(c in header for c in "/@\\?# \t,"):
        return ""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises for an invalid port
    except ValueError:
        return ""
    host = (parts.hostname or "").removesuffix(".").lower()
    return "" if host.endswith(".") else host


def is_known_host(header: str, names: Collection[str], *, network: bool) -> bool:
    """Return whether a request was meant for this server.

    ``names`` are further names of this computer; they and plain addresses are accepted once the
    server is open to the network: nobody can redirect an address.
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
    """Return whether a page of ``origin`` may send requests; ``host`` is the request's Host header.

    Pages of this computer may, and those in ``allowed``; if the server is open to the network, also
    a page served from the address that the request was sent to.
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
    """Parse the setting: one origin per line, with or without a trailing slash."""
    return frozenset(line.strip().rstrip("/").lower() for line in text.splitlines() if line.strip())


def _is_address(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


_T = QT_TRANSLATE_NOOP
_KEY = "serve.endpoints"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Upstream:
    """One further endpoint of the setting. ``prefixes`` are beginnings of its models' names."""

    name: str
    base_url: str
    prefixes: tuple[str, ...] = ()

    def asked_as(self, model: str) -> str | None:
        """Return the endpoint's own name of ``model``; None if another endpoint has it."""
        head, slash, rest = model.partition("/")
        if slash and rest and head == self.name:
            return rest
        return model if any(model.startswith(prefix) for prefix in self.prefixes) else None

    def offered_as(self, model: str) -> str:
        """Return the name under which a front end requests a ``model`` of this endpoint."""
        return model if model.startswith(self.prefixes or ("\0",)) else f"{self.name}/{model}"


def parse_upstreams(text: str) -> tuple[tuple[Upstream, ...], tuple[BadSetting, ...]]:
    """Parse the setting; return the valid endpoints, and the errors of the other lines."""
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
    """Parse one line. Raises BadSetting."""
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
