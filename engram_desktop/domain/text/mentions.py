"""Which of many words are mentioned in a long text, and where first: one pass over the text.

An Aho–Corasick automaton: looking for 30,000 keys in a million tokens one by one would take a
minute, and takes a second so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from engram_desktop.domain.values import dataclass

_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


@dataclass(frozen=True, slots=True)
class SearchedWord:
    """A word as it is looked for. ``is_word`` wants no letter, digit or underscore beside it.

    As in JavaScript, only ASCII counts as that: a Chinese word stands for itself in mid-sentence.
    """

    text: str
    is_case_sensitive: bool = False
    is_word: bool = False


def is_mentioned(needle: SearchedWord, text: str) -> bool:
    """Say whether one needle is in ``text``; for many, `Mentions` is faster."""
    if not needle.is_case_sensitive:
        text = text.lower()
    end = text.find(needle.text) + len(needle.text)
    while end >= len(needle.text):
        if not needle.is_word or _stands_alone(text, end, needle):
            return True
        end = text.find(needle.text, end - len(needle.text) + 1) + len(needle.text)
    return False


class _Node:
    __slots__ = ("ends", "fail", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.fail: _Node = self
        self.ends: tuple[SearchedWord, ...] = ()


class Mentions:
    """Looks for all needles at once."""

    def __init__(self, needles: Iterable[SearchedWord]) -> None:
        known = set(needles)
        self._exact = _automaton(n for n in known if n.is_case_sensitive)
        self._folded = _automaton(n for n in known if not n.is_case_sensitive)

    def find(self, text: str, among: set[SearchedWord] | None = None) -> set[SearchedWord]:
        """Return the needles in ``text``; with ``among``, only of those."""
        needles: set[SearchedWord] = set()
        if self._exact.next:
            needles.update(_search(self._exact, text, among))
        if self._folded.next:
            needles.update(_search(self._folded, text.lower(), among))
        return needles


def _automaton(needles: Iterable[SearchedWord]) -> _Node:
    root = _Node()
    for needle in needles:
        node = root
        for letter in needle.text if needle.is_case_sensitive else needle.text.lower():
            node = node.next.setdefault(letter, _Node())
        if node is not root:
            node.ends += (needle,)
    waiting = deque[_Node]()
    for child in root.next.values():
        child.fail = root
        waiting.append(child)
    while waiting:
        node = waiting.popleft()
        for letter, child in node.next.items():
            fail = node.fail
            while letter not in fail.next and fail is not root:
                fail = fail.fail
            child.fail = fail.next.get(letter, root)
            child.ends += child.fail.ends
            waiting.append(child)
    return root


def _search(root: _Node, text: str, among: set[SearchedWord] | None) -> Iterator[SearchedWord]:
    node = root
    start = root.next
    for at, letter in enumerate(text):
        if node is root:  # most letters begin no key
            if letter not in start:
                continue
            node = start[letter]
        else:
            while letter not in node.next and node is not root:
                node = node.fail
            node = node.next.get(letter, root)
        for needle in node.ends:
            if among is not None and needle not in among:
                continue
            if not needle.is_word or _stands_alone(text, at + 1, needle):
                yield needle


def _stands_alone(text: str, end: int, needle: SearchedWord) -> bool:
    before = end - len(needle.text) - 1
    return (before < 0 or text[before] not in _WORD) and (
        end >= len(text) or text[end] not in _WORD
    )
