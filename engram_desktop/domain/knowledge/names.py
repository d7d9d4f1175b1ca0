"""Where a text names somebody of the cast: Latin names as words, Chinese ones anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engram_desktop.domain.values import dataclass

_LATIN = "A-Za-z0-9_À-ɏ"
_CHINESE_NAME = re.compile("[\u4e00-\u9fff]{2,4}")
_TITLES = tuple("先生 小姐 姑娘 女士 警官 公子 老师 老板 掌柜 医生 大夫 队长 叔 姨 姐 哥".split())
MAX_NAME = 60  # characters of a name that is looked for: bounds the pattern; not measured


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of a cast: ``name`` as answers give it, and what else a text calls them."""

    name: str
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """Who may be there: the characters, the player, and whether several characters speak."""

    characters: tuple[Member, ...] = ()
    player: str = ""
    is_group: bool = False
    player_names: tuple[str, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether it is the usual chat of one character and the player."""
        return not self.is_group and len(self.characters) < 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, characters ``start``..``end`` (not included)."""

    name: str
    start: int
    end: int


class Names:
    """Finds the names of a cast. ``player`` is whom “你” means where a character speaks."""

    def __init__(self, known: Mapping[str, str], player: str = "") -> None:
        self._known = {word.casefold(): name for word, name in known.items()}
        self.player = player
        self.all = frozenset(known.values())
        self._pattern = _pattern_of([word for word in known if word])

    def last(self, text: str, start: int, end: int) -> Mention | None:
        """Return the last mention in a stretch of a text."""
        last = None
        for mention in self.find(text, start, end):
            last = mention
        return last

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Mention]:
        """Yield the mentions in a stretch of a text, the longest name at each place."""
        if self._pattern is None:
            return
        for match in self._pattern.finditer(text, start, len(text) if end is None else end):
            name = self._known.get(match[0].casefold())
            if name is not None:
                yield Mention(name, match.start(), match.end())

    def who(self, name: str) -> str:
        """Return the name that answers give somebody who is called ``name``, itself if unknown."""
        return self._known.get(name.strip().casefold(), name.strip())

    def is_known(self, name: str) -> bool:
        return name.strip().casefold() in self._known


@lru_cache(maxsize=64)
def names_of(cast: Cast) -> Names:
    """Return the names of a cast; a name that two claim belongs to the first."""
    known: dict[str, str] = {}
    people = [*cast.characters, Member(cast.player, cast.player_names)]
    for short in (False, True):
        for member in people:
            for word in member.other_names if short else (member.name,):
                if 0 < len(word.strip()) <= MAX_NAME:
                    known.setdefault(word.strip(), member.name)
    _add_titles(known, people)
    return Names(known, cast.player)


def _add_titles(known: dict[str, str], people: Sequence[Member]) -> None:
    """Add “陆先生” for 陆临川, where nobody else has that family name."""
    families: dict[str, list[str]] = {}
    for member in people:
        if _CHINESE_NAME.fullmatch(member.name):
            families.setdefault(member.name[0], []).append(member.name)
    for family, names in families.items():
        for title in _TITLES if len(names) == 1 else ():
            known.setdefault(family + title, names[0])


def _pattern_of(words: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of words, the longest first, those that begin alike in one branch."""
    if not words:
        return None
    branches: dict[str, list[str]] = {}
    latin: list[str] = []
    for word in sorted(words, key=lambda word: (-len(word), word)):
        if word.isascii() or _spelling(word) != re.escape(word):
            latin.append(_spelling(word))
        else:
            branches.setdefault(word[0], []).append(re.escape(word[1:]))
    others = [f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in branches.items()]
    return re.compile("|".join([*latin, *others]), re.IGNORECASE if latin else 0)


def _spelling(word: str) -> str:
    before = f"(?<![{_LATIN}])" if re.match(f"[{_LATIN}]", word[0]) else ""
    after = f"(?![{_LATIN}])" if re.match(f"[{_LATIN}]", word[-1]) else ""
    return f"{before}{re.escape(word)}{after}"
