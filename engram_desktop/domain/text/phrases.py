"""A list of phrases in Chinese and in English, looked for together, each only where it can be."""

from __future__ import annotations

import re
import sys

_LATIN = re.compile("[A-Za-z]{2}")


class Phrases:
    """Patterns of both languages. English ones stand for whole words, in any case."""

    def __init__(self, chinese: str, english: str = "") -> None:
        self._chinese = re.compile(chinese, re.MULTILINE)
        self._english = (
            re.compile(rf"(?<![A-Za-z])(?:{english})(?![A-Za-z])", re.IGNORECASE)
            if english
            else None
        )

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match of either language."""
        match = self._chinese.search(text, start, end)
        if self._english is None or not _LATIN.search(text, start, end):
            return match
        english = self._english.search(text, start, end)
        if match is None or (english is not None and english.start() < match.start()):
            return english
        return match
