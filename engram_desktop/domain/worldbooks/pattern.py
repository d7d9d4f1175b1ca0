"""Keys that are JavaScript patterns: `/source/flags`. A slash inside must be escaped."""

from __future__ import annotations

import re

_REGEX = re.compile(r"^/((?:[^/\\]|\\.)+)/([gimsuy]*)$", re.DOTALL)


def pattern(key: str) -> tuple[str, str] | None:
    """Return source and flags of a key that is a pattern, or None."""
    if not key.lstrip().startswith("/"):
        return None
    match = _REGEX.match(key.strip())
    return (match[1].replace("\\/", "/"), match[2]) if match else None
