"""Which parts of a message are told and not said: *she nods*, as role-play chats write it."""

from __future__ import annotations

import re

# An action ends on its line; two stars are Markdown's bold and no action. Each star is looked at
# once, since an action holds none.
_ACTION = re.compile(r"\*+[^*\n]+\*+|\*+")
BOLD = 2  # so many stars on either side make it bold in Markdown


def actions(text: str) -> list[tuple[int, int]]:
    """Return where actions begin and end, stars included, in the order of the text."""
    spans = []
    for match in _ACTION.finditer(text):
        piece = match.group()
        inner = piece.strip("*")
        stars = len(piece) - len(inner)
        if inner and stars < 2 * BOLD and not inner.isspace():
            spans.append(match.span())
    return spans
