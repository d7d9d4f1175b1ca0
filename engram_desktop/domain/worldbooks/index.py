"""What every scan of the same entries shares: their plain keys, and where those were found.

A text is looked through once, however many scans read it: going through forty replies of a chat of
100,000 messages costs little more than one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from engram_desktop.domain.text.blanks import JS_BLANKS, trimmed
from engram_desktop.domain.text.mentions import Mentions, Needle
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.pattern import pattern
from engram_desktop.domain.worldbooks.worldbook import Entry

_BLANKS = re.compile(f"[{JS_BLANKS}]+")
_NOTHING: frozenset[Needle] = frozenset()


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts for entries that leave it open."""

    depth: int = 2
    is_case_sensitive: bool = False
    match_whole_words: bool = False


class KeyIndex:
    """The plain keys of some entries, and in which texts they were found.

    ``tick`` is called between texts: it may raise, to end a scan whose result is not awaited.
    """

    def __init__(
        self, entries: Iterable[Entry], rules: Rules, tick: Callable[[], object] = str
    ) -> None:
        self.rules = rules
        self.tick = tick
        self._needles: dict[tuple[str, bool, bool], Needle] = {}
        for entry in entries:
            if not entry.is_disabled:
                for key in (*entry.keys, *entry.secondary_keys):
                    if trimmed(key) and pattern(key) is None:
                        self.needle(key, entry)
        self._mentions = Mentions(self._needles.values())
        self.has_line_breaks = any("\n" in needle.text for needle in self._needles.values())
        self._needles_by_text: dict[str, frozenset[Needle]] = {}

    def find(self, text: str) -> frozenset[Needle]:
        """Return the keys that are in a text."""
        needles = self._needles_by_text.get(text)
        if needles is None:
            self.tick()
            needles = frozenset(self._mentions.find(text)) or _NOTHING
            self._needles_by_text[text] = needles
        return needles

    def needle(self, key: str, entry: Entry) -> Needle:
        """Return what a key of an entry is looked for as, without the blanks around it."""
        return self.needle_of(trimmed(key), entry)

    def needle_of(self, key: str, entry: Entry) -> Needle:
        """Return what a key of an entry is looked for as, blanks and all."""
        rules = self.rules
        is_exact = rules.is_case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        whole = (
            rules.match_whole_words if entry.match_whole_words is None else entry.match_whole_words
        )
        identity = (key, is_exact, whole)
        known = self._needles.get(identity)
        if known is None:
            text = key if is_exact else key.lower()
            is_word = whole and len(_BLANKS.split(text)) == 1  # of several words, any place does
            known = self._needles[identity] = Needle(text, is_exact, is_word)
        return known
