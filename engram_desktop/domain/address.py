"""Addresses of servers: checking and showing them, and whether they are on this computer or LAN.

Pure text: nothing is resolved or requested.
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
    """Return ``text`` as a base URL without a trailing slash. Raises BadEndpoint."""
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
    """Return the fault of a URL, or an empty text. Raises ValueError for a bad port."""
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
    """Return ``url`` without possible secrets (user name, password, query) and unprintable text."""
    url = "".join(c if c.isprintable() else "\ufffd" for c in url)
    scheme, mark, rest = url.partition("://") if "://" in url else ("", "", url)
    rest, has_more, _ = rest.replace("#", "?").partition("?")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}{'?…' if has_more else ''}"


def is_exposed(url: str) -> bool:
    """Return whether traffic to ``url`` crosses the internet unencrypted; a LAN does not count."""
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
    """Return the name of an invisible character, or a visible one in quotes."""
    if char in "\r\n":
        return Phrase(_T("reports", "line break"))
    if char.isspace():
        return Phrase(_T("reports", "blank"))
    return f"“{char}”" if char.isprintable() else unicodedata.name(char, f"U+{ord(char):04X}")


def is_loopback(host: str) -> bool:
    """Return whether ``host`` is this computer, in any spelling: localhost., 0x7f.1, ::1."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """Parse an address as a resolver does: dotted, short, decimal, octal or hexadecimal."""
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


# Model servers on this computer, and the ports such servers usually have.


# The default of each program.
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
    """A server that answered.

    ``name`` is the program of its port; ``models`` are those it offers.
    """

    name: str
    base_url: str
    models: tuple[str, ...]
