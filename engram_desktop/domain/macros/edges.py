"""What is done to a text before its macros are looked for, and when all of them are filled.

Before: older spellings become macros. After: a backslash before a brace goes, ``{{trim}}`` takes
the line breaks around it. What tells of a story keeps its own: it is shielded until the end.
"""

from __future__ import annotations

import re

from engram_desktop.domain.macros.known.text_macros import ELSE

_UTC = re.compile(r"\{\{time_(UTC[+-]\d+)\}\}", re.IGNORECASE | re.ASCII)
_MARKS = re.compile(r"<(USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE | re.ASCII)
_MEANT = {"bot": "char", "charifnotgroup": "charIfNotGroup"}
_ESCAPED = re.compile(r"\\([{}])")
_TRIM = re.compile(r"\{\{trim\}\}", re.IGNORECASE | re.ASCII)
_BREAKS = re.compile(r"(?:\r?\n)*")
_NEEDS_SHIELD = re.compile(r"\\[{}]|\{\{trim\}\}", re.IGNORECASE | re.ASCII)
# Two code points that stand for no character and may be used within a program.
_SHIELD = str.maketrans("{}", "\ufdd0\ufdd1")
_RELEASE = str.maketrans("\ufdd0\ufdd1", "{}")


def before(text: str) -> str:
    """Return ``text`` with ``<USER>``, ``{{time_UTC+8}}`` and their like as macros of today."""
    if "_" in text:
        text = _UTC.sub(r"{{time::\1}}", text)
    return _MARKS.sub(_mark, text) if "<" in text else text


def _mark(match: re.Match[str]) -> str:
    name = match[1].lower()
    return f"{{{{{_MEANT.get(name, name)}}}}}"


def after(text: str) -> str:
    """Return ``text`` without the backslashes of braces, and trimmed where it says so."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    return _without_trims(text).replace(ELSE, "")


def _without_trims(text: str) -> str:
    pieces = []
    at = 0
    for match in _TRIM.finditer(text):
        start = max(match.start(), at)
        while start > at and text[start - 1] == "\n":
            start -= 2 if start - 2 >= at and text[start - 2] == "\r" else 1
        pieces.append(text[at:start])
        breaks = _BREAKS.match(text, match.end())
        at = breaks.end() if breaks else match.end()
    return "".join([*pieces, text[at:]])


def shielded(value: str) -> str:
    """Keep a value from being read by `after`."""
    return value.translate(_SHIELD) if _NEEDS_SHIELD.search(value) else value


def released(text: str) -> str:
    return text.translate(_RELEASE) if "\ufdd0" in text or "\ufdd1" in text else text
