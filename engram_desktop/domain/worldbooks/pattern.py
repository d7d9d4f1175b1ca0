"""Keys that are JavaScript patterns: `/source/flags`. A slash inside must be escaped."""

from __future__ import annotations

import re

_FLAGS = frozenset("gimsuy")
_BARE_SLASH = re.compile(r"(?:^|[^\\])/")


def pattern(key: str) -> tuple[str, str] | None:
    """Return source and flags of a key that may be a pattern, or None: then it is plain text.

    Whether JavaScript takes it for one is found out where it is tried.
    """
    if not key.lstrip().startswith("/"):
        return None
    source, _slash, flags = key.strip()[1:].rpartition("/")
    if not source or not _FLAGS.issuperset(flags) or _BARE_SLASH.search(source):
        return None
    return source.replace("\\/", "/", 1), flags
