"""Patterns of rules, and the literal texts without which they are not tried."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_desktop.domain.text.late_pattern import late_pattern


class _HintedPattern:
    """A pattern that is compiled at first use: in a text that contains a text it needs.

    ``hints``: literal texts in lower case, one of which must occur in addition to what the pattern
    itself needs; empty if that is enough.
    """

    def __init__(self, text: str, flags: int = 0, *, hints: str = "") -> None:
        self.text = text
        self.flags = flags
        self.pattern = late_pattern(text, flags)
        self.hints = tuple(filter(None, hints.split("|")))


class Marker(_HintedPattern):
    """A pattern that marks a whole sentence."""

    def may_match(self, low: str) -> bool:
        """Return whether a text in lower case contains one of the hints."""
        for hint in self.hints:
            if hint in low:
                return True
        return not self.hints

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(text) if self.may_match(text.casefold()) else None

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text, start, len(text) if end is None else end)


class FactRule(_HintedPattern):
    """A rule of a facet, and the mark of its matches.

    ``is_at_word``: matches that begin inside a word are ignored.
    """

    def __init__(
        self,
        facet: str,
        hints: str,
        mark: str,
        text: str,
        flags: int = 0,
        *,
        is_at_word: bool = False,
    ) -> None:
        super().__init__(text, flags, hints=hints)
        self.facet = facet
        self.mark = mark
        self.is_at_word = is_at_word
