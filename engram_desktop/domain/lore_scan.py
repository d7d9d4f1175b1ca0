"""What a scan reads, and which keys of which entries are mentioned in it. No rule about firing.

Plain keys are all looked for in one pass over each text; where a key stands first decides for every
depth. Patterns are left to whoever runs JavaScript, and asked about a whole text at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram_desktop.domain.mentions import Mentions, Needle
from engram_desktop.domain.worldbook import CardField, Entry

MAX_ENTRY_DEPTH = 1_000
_REGEX = re.compile(r"^/((?:[^/\\]|\\.)+)/([gimsuy]*)$", re.DOTALL)
_MARK = "\x01"  # begins a message, as in SillyTavern: patterns can ask for it

# Says whether a pattern (source, flags) is in a text, or why that cannot be said.
PatternTest = Callable[[str, str, str], bool | str]


@dataclass(frozen=True, slots=True)
class ScanText:
    """The messages, newest first, and the card's own texts that entries may ask for."""

    messages: Sequence[str]
    fields: Mapping[CardField, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a key is: how many messages back, in a card's text, or in another entry."""

    key: str
    depth: int | None = None
    field: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts for entries that leave it open."""

    depth: int = 2
    is_case_sensitive: bool = False
    match_whole_words: bool = False


class Scanner:
    """Knows the texts of one scan; it grows when entries that fired are read too."""

    def __init__(
        self, entries: Iterable[Entry], text: ScanText, rules: Rules, is_in: PatternTest | None
    ) -> None:
        self._text = text
        self._rules = rules
        self._is_in = is_in
        self.skew = 0  # messages read beyond the depth, until enough entries have fired
        self.troubles: dict[str, str] = {}  # pattern → why it could not be tried
        self._needles: dict[tuple[str, bool, bool], Needle] = {}
        listed = list(entries)
        for entry in listed:
            for key in (*entry.keys, *entry.secondary_keys):
                if pattern(key) is None and key.strip():
                    self._needle(key, entry)
        self._mentions = Mentions(self._needles.values())
        self._depth_of: dict[Needle, int] = {}
        self._in_fields: dict[CardField, set[Needle]] = {}
        self._in_entries: dict[Needle, str] = {}
        self._added: list[str] = []
        self._read = 0
        self._deepest = max([rules.depth, *(_own_depth(e) for e in listed)], default=rules.depth)
        for name in {name for entry in listed for name in entry.matches}:
            self._in_fields[name] = self._mentions.find(text.fields.get(name, ""))

    @property
    def depth(self) -> int:
        return self._rules.depth + self.skew

    @property
    def is_exhausted(self) -> bool:
        """Whether there is no message left to read."""
        return self.depth > len(self._text.messages)

    def add(self, title: str, content: str) -> None:
        """Read the content of an entry that fired."""
        self._added.append(content)
        for needle in self._mentions.find(content):
            self._in_entries.setdefault(needle, title)

    def find(self, key: str, entry: Entry, *, with_entries: bool) -> Mention | None:
        """Say where ``key`` is mentioned for ``entry``, the newest message first."""
        if not key.strip():
            return None
        found = pattern(key)
        if found is not None:
            is_there = self._test(found, entry, with_entries=with_entries)
            return Mention(key) if is_there else None
        needle = self._needle(key, entry)
        depth = self._first_depth(needle, self._depth_for(entry))
        if depth is not None:
            return Mention(key, depth=depth)
        for name in sorted(entry.matches):
            if needle in self._in_fields[name]:
                return Mention(key, field=name)
        if with_entries and needle in self._in_entries:
            return Mention(key, entry=self._in_entries[needle])
        return None

    def _depth_for(self, entry: Entry) -> int:
        return self.depth if entry.scan_depth is None else _own_depth(entry)

    def _first_depth(self, needle: Needle, depth: int) -> int | None:
        self._read_to(min(max(depth, self._deepest), len(self._text.messages)))
        found = self._depth_of.get(needle)
        return found if found is not None and found < depth else None

    def _read_to(self, depth: int) -> None:
        """Look through messages up to ``depth``, each only once and only for what is not found."""
        while self._read < depth:
            for needle in self._mentions.find(self._text.messages[self._read]):
                self._depth_of.setdefault(needle, self._read)
            self._read += 1

    def _test(self, found: tuple[str, str], entry: Entry, *, with_entries: bool) -> bool:
        source, flags = found
        if self._is_in is None:
            return False
        parts = [*self._text.messages[: self._depth_for(entry)]]
        parts += [self._text.fields.get(name, "") for name in sorted(entry.matches)]
        parts += self._added if with_entries else []
        answer = self._is_in(source, flags, _MARK + f"\n{_MARK}".join(parts))
        if isinstance(answer, str):
            self.troubles[f"/{source}/{flags}"] = answer
            return False
        return answer

    def _needle(self, key: str, entry: Entry) -> Needle:
        rules = self._rules
        is_exact = rules.is_case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        whole = (
            rules.match_whole_words if entry.match_whole_words is None else entry.match_whole_words
        )
        return self._known(key.strip(), is_exact=is_exact, whole=whole)

    def _known(self, key: str, *, is_exact: bool, whole: bool) -> Needle:
        found = self._needles.get((key, is_exact, whole))
        if found is None:
            is_word = whole and len(key.split()) == 1  # of several words, any place will do
            text = key if is_exact else key.lower()
            found = self._needles[key, is_exact, whole] = Needle(text, is_exact, is_word)
        return found


def pattern(key: str) -> tuple[str, str] | None:
    """Return source and flags of a key that is a JavaScript pattern, or None."""
    found = _REGEX.match(key.strip())
    return (found[1].replace("\\/", "/"), found[2]) if found else None


def _own_depth(entry: Entry) -> int:
    return max(0, min(entry.scan_depth or 0, MAX_ENTRY_DEPTH))
