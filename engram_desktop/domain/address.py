"""Addresses of servers: what may be one, what is shown of one, and how far away it is.

Pure text: nothing is looked up and nothing is asked.
"""

from __future__ import annotations

import unicodedata
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from engram_desktop.domain.errors import BadEndpoint
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
_HOLDS = _T("reports", "it holds {char}")
TAILS = ("/chat/completions", "/embeddings", "/rerank", "/models")
_HOME = (".local", ".lan", ".home", ".internal", ".home.arpa", ".fritz.box")  # names of a LAN


def clean_url(text: str) -> str:
    """Return ``text`` as a base URL without a slash at its end. Raises BadEndpoint."""
    url = text.strip().rstrip("/")
    if not url:
        raise BadEndpoint(Phrase(_T("reports", "it is empty")), url="")
    for tail in TAILS:
        url = url.removesuffix(tail)
    strange = next((c for c in url if not "!" <= c <= "~"), "")
    try:
        parts = urlsplit(url)
        fault = Phrase(_HOLDS, char=spell(strange)) if strange else _fault(parts)
    except ValueError as error:
        raise BadEndpoint(str(error), url=shown_url(url)) from None
    if fault:
        raise BadEndpoint(fault, url=shown_url(url))
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
        _T("reports", "it must not hold “?” or “#”; a key has its own field"): bool(
            parts.query or parts.fragment
        ),
        _T("reports", "port 0 cannot be reached"): parts.port == 0,
        _T("reports", "it is a link-local address"): (
            address is not None and address.is_link_local
        ),
    }
    return next((Phrase(words) for words, is_true in faults.items() if is_true), "")


def shown_url(url: str) -> str:
    """Return ``url`` without what may be a secret (user name, password, query) or does not show."""
    url = "".join(c if c.isprintable() else "\ufffd" for c in url)
    scheme, mark, rest = url.partition("://") if "://" in url else ("", "", url)
    rest, has_more, _ = rest.replace("#", "?").partition("?")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}{'?…' if has_more else ''}"


def is_exposed(url: str) -> bool:
    """Whether what is sent to ``url`` crosses the internet unencrypted; one's own LAN does not."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    if parts.scheme.lower() != "http" or not host or is_loopback(host):
        return False
    address = _address(host)
    if address is not None:
        return not (address.is_private or address.is_link_local)
    return "." in host and not host.endswith(_HOME)


def spell(char: str) -> str:
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


# A server of models that runs on this computer, and the ports such servers usually take.


# Each as its own program sets it when nobody says otherwise.
USUAL_PORTS: tuple[tuple[str, int], ...] = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("KoboldCpp", 5001),
    ("vLLM", 8000),
    ("text-generation-webui", 5000),
)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """One that answered. ``name`` is whose port it is; ``models`` are what it offers."""

    name: str
    base_url: str
    models: tuple[str, ...]
