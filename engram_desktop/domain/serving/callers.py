"""Who may speak to the server: names it is called by, and web pages that may use it. Pure text.

The host of a request is checked against DNS rebinding: a page of a foreign name, resolved to this
computer, keeps its own name there. The origin is checked against pages that send requests behind
the user's back.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from engram_desktop.domain.address import is_loopback

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
