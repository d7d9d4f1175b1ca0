"""A text that must be there wherever a JavaScript pattern matches, if one can be read off it.

Looking for it costs next to nothing, so that most texts need never be shown to the pattern. Where
the pattern is not plainly understood there is none: leaving out a text that would match is never
worth it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_TOKEN = re.compile(
    r"""
      (?P<zero>\\[dDwWsSbBnrtvf] | \[(?:\\.|[^\]\\])*\])
    | \\(?P<escaped>\W)
    | (?P<odd>\\.? | \[ | [\ud800-\udfff])
    | (?P<open>\() | (?P<close>\)) | (?P<either>\|)
    | (?P<many>[*?] | \{\d*(?:,\d*)?\})
    | (?P<end>[\^$.{}\]+])
    | (?P<letter>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_FLAGS = frozenset("gmsuiy")
IsIn = Callable[[str], bool]


@lru_cache(maxsize=512)
def finder(source: str, flags: str) -> IsIn | None:
    """Return a test that every text passes which the pattern matches; None where there is none."""
    if not set(flags) <= _FLAGS or ("i" in flags and "u" in flags):
        return None
    literal = _longest(source)
    if not literal:
        return None
    if "i" not in flags:
        return lambda text: literal in text
    lower = literal.lower()
    return (lambda text: lower in text.lower()) if literal.isascii() else None


def _longest(source: str) -> str:
    """Return the longest run of plain letters outside of all groups; empty if there is none."""
    runs = [""]
    depth = 0
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == "odd" or (kind == "either" and depth == 0):
            return ""  # \u, \1, \k, \p and the like: not worth the trouble
        if kind in {"letter", "escaped"} and depth == 0:
            runs[-1] += token[kind]
            continue
        if kind == "many":  # the letter before need not be there
            runs[-1] = runs[-1][:-1]
        depth += (kind == "open") - (kind == "close")
        runs.append("")
    return max(runs, key=len)
