"""What a scan reads, and which keys of which entries are mentioned in it. No rule about firing.

Of a plain key only the newest message that mentions it is noted: that decides for every depth.
Patterns are tried by a callable that runs JavaScript, each on a whole text at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from engram_desktop.domain.text.mentions import Needle
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.index import KeyIndex
from engram_desktop.domain.worldbooks.pattern import pattern
from engram_desktop.domain.worldbooks.worldbook import CardField, Entry

MAX_ENTRY_DEPTH = 1_000
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


class Scanner:
    """The texts of one scan. They grow: entries that fired are read in the next round."""

    def __init__(
        self, entries: Iterable[Entry], text: ScanText, index: KeyIndex, is_in: PatternTest | None
    ) -> None:
        self._text = text
        self._index = index
        self._is_in = is_in
        self.skew = 0  # messages read beyond the depth, until enough entries have fired
        self._troubles: dict[tuple[str, str], str] = {}  # pattern → why it could not be tried
        self._depth_of: dict[Needle, int] = {}
        self._in_entries: dict[Needle, str] = {}
        self._added: list[str] = []
        self._read = 0
        self._whole_texts: dict[tuple[int, frozenset[CardField], int], str] = {}
        self._answers: dict[tuple[str, str, str], bool | str] = {}
        depth = index.rules.depth
        self._deepest = max([depth, *map(_own_depth, entries)], default=depth)

    @property
    def depth(self) -> int:
        return self._index.rules.depth + self.skew

    @property
    def is_exhausted(self) -> bool:
        """Whether there is no message left to read."""
        return self.depth > len(self._text.messages)

    @property
    def has_entries(self) -> bool:
        """Whether an entry that fired is there to be read."""
        return bool(self._added)

    def trouble_of(self, key_pattern: tuple[str, str]) -> str:
        """Return why a pattern (source, flags) could not be tried; empty if it could."""
        return self._troubles.get(key_pattern, "")

    def add(self, title: str, content: str) -> None:
        """Read the content of an entry that fired."""
        self._added.append(content)
        for needle in self._index.find(content):
            self._in_entries.setdefault(needle, title)

    def find(self, key: str, entry: Entry, *, with_entries: bool) -> Mention | None:
        """Say where ``key`` is mentioned for ``entry``, the newest message first."""
        limit = self._depth_for(entry)
        if not key.strip() or limit <= 0:  # without messages nothing else is read either
            return None
        key_pattern = pattern(key)
        if key_pattern is not None:
            is_there = self._test(key_pattern, entry, with_entries=with_entries)
            return Mention(key) if is_there else None
        needle = self._index.needle(key, entry)
        depth = self._first_depth(needle, limit)
        if depth is not None:
            return Mention(key, depth=depth)
        for name in sorted(entry.matches):
            if needle in self._index.find(self._text.fields.get(name, "")):
                return Mention(key, field=name)
        if with_entries and needle in self._in_entries:
            return Mention(key, entry=self._in_entries[needle])
        return None

    def _depth_for(self, entry: Entry) -> int:
        return self.depth if entry.scan_depth is None else _own_depth(entry)

    def _first_depth(self, needle: Needle, depth: int) -> int | None:
        self._read_to(min(max(depth, self._deepest), len(self._text.messages)))
        first = self._depth_of.get(needle)
        return first if first is not None and first < depth else None

    def _read_to(self, depth: int) -> None:
        """Look through messages up to ``depth``, each only once."""
        while self._read < depth:
            for needle in self._index.find(self._text.messages[self._read]):
                self._depth_of.setdefault(needle, self._read)
            self._read += 1

    def _test(self, key_pattern: tuple[str, str], entry: Entry, *, with_entries: bool) -> bool:
        if self._is_in is None:
            return False
        text = self._whole(entry, with_entries=with_entries)
        answer = self._answers.get((*key_pattern, text))
        if answer is None:
            self._index.tick()
            answer = self._answers[*key_pattern, text] = self._is_in(*key_pattern, text)
        if isinstance(answer, str):
            self._troubles[key_pattern] = answer
            return False
        return answer

    def _whole(self, entry: Entry, *, with_entries: bool) -> str:
        """Return all that a pattern of ``entry`` is held against, the same object each time."""
        count = len(self._added) if with_entries else 0
        identity = (self._depth_for(entry), entry.matches, count)
        if identity not in self._whole_texts:
            parts = [*self._text.messages[: identity[0]]]
            parts += [self._text.fields.get(name, "") for name in sorted(entry.matches)]
            parts += self._added[:count]
            self._whole_texts[identity] = _MARK + f"\n{_MARK}".join(parts)
        return self._whole_texts[identity]


def _own_depth(entry: Entry) -> int:
    return max(0, min(entry.scan_depth or 0, MAX_ENTRY_DEPTH))
