"""Where a model is asked: base URL, model and key, checked before anything is sent.

An `Endpoint` that exists can be used. It never falls back to a default host, and its key never
shows in a repr or an error.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from engram_desktop.domain.errors import BadEndpoint, InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase

_T = QT_TRANSLATE_NOOP
_HOLDS = _T("reports", "it holds {char}")

Task = Literal["chat", "embed", "rerank", "models"]
PATHS: dict[Task, str] = {
    "chat": "/chat/completions",
    "embed": "/embeddings",
    "rerank": "/rerank",
    "models": "/models",
}


class BadKey(InputError):
    """``char`` is not part of any key; the key itself is never told."""

    text = QT_TRANSLATE_NOOP("errors", "The API key holds a {char} at position {position}.")
    hint = QT_TRANSLATE_NOOP("errors", "Copy the key again, without blanks or other text.")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One OpenAI-compatible server and what to ask it for. ``timeout`` is for one whole answer.

    The URL is cleaned on the way in: a pasted ``…/chat/completions`` becomes its base.
    """

    base_url: str
    model: str = ""
    key: str = field(default="", repr=False)
    timeout: float = 180.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", clean_url(self.base_url))
        object.__setattr__(self, "model", self.model.strip())
        object.__setattr__(self, "key", clean_key(self.key))

    def final_url(self, task: Task) -> str:
        """Return the address a request goes to, as shown under the field it is typed in."""
        return self.base_url + PATHS[task]

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def origin(self) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def is_in_clear(self) -> bool:
        """Whether key and story would cross a network unencrypted: a window asks first."""
        return urlsplit(self.base_url).scheme == "http" and not self.is_loopback


def clean_url(text: str) -> str:
    """Return ``text`` as a base URL without a slash at its end. Raises BadEndpoint."""
    url = text.strip().rstrip("/")
    if not url:
        raise BadEndpoint(Phrase(_T("reports", "it is empty")), url="")
    for tail in PATHS.values():
        url = url.removesuffix(tail)
    strange = next((c for c in url if not "!" <= c <= "~"), "")
    try:
        parts = urlsplit(url)
        fault = Phrase(_HOLDS, char=_spell(strange)) if strange else _fault(parts)
    except ValueError as error:
        raise BadEndpoint(str(error), url=_without_password(url)) from None
    if fault:
        raise BadEndpoint(fault, url=_without_password(url))
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _fault(parts: SplitResult) -> str:
    """Say what is wrong with a URL, or nothing. Raises ValueError for a bad port."""
    host = parts.hostname or ""
    address = _address(host)
    faults = {
        _T("reports", "it must begin with http:// or https://"): (
            parts.scheme.lower() not in {"http", "https"}
        ),
        _T("reports", "it names no host"): not host,
        _T("reports", "it must not hold a user name or password"): parts.username is not None,
        _T("reports", "it must not hold “?” or “#”"): bool(parts.query or parts.fragment),
        _T("reports", "port 0 cannot be reached"): parts.port == 0,
        _T("reports", "it is a link-local address"): (
            address is not None and address.is_link_local
        ),
    }
    return next((Phrase(words) for words, is_true in faults.items() if is_true), "")


def _without_password(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


def clean_key(text: str) -> str:
    """Return the key without blanks around it or a pasted ``Bearer``. Raises BadKey."""
    key = text.strip().removeprefix("Bearer ").strip()
    for position, char in enumerate(key, start=1):
        if not "!" <= char <= "~":
            raise BadKey(char=_spell(char), position=position)
    return key


def _spell(char: str) -> str:
    """Name a character that does not show, and quote one that does."""
    if char in "\r\n":
        return Phrase(_T("reports", "line break"))
    if char.isspace():
        return Phrase(_T("reports", "blank"))
    return f"“{char}”" if char.isprintable() else unicodedata.name(char, f"U+{ord(char):04X}")


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this computer, however it is written: localhost., 0x7f.1, ::1."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """Read an address as a resolver would: dotted, short, decimal, octal or hexadecimal."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return _loose_ipv4(host)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _loose_ipv4(host: str) -> IPv4Address | None:
    parts = host.rstrip(".").split(".")
    if not 1 <= len(parts) <= 4:
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *heads, last = numbers
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        return None
    value = last
    for place, head in enumerate(heads):
        value += head << (24 - 8 * place)
    return IPv4Address(value)


def _number(part: str) -> int:
    if not part.isascii() or not part.isalnum():
        raise ValueError(part)
    if part.lower().startswith("0x"):
        return int(part, 16)
    return int(part, 8) if part.startswith("0") and part != "0" else int(part)
