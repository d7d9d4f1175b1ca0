"""The claims of a line as they were read, and its sentences when they are asked for."""

from __future__ import annotations

import marshal
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from sys import intern
from typing import TYPE_CHECKING, Any, TypeVar

from engram_desktop.domain.claims.answer import with_answers
from engram_desktop.domain.claims.wording import floors_with
from engram_desktop.domain.text.cleaning import asserting
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.claims import ClaimRow, unpacked_lines, unpacked_names

if TYPE_CHECKING:
    from engram_desktop.domain.claims.claim import Claim
    from engram_desktop.domain.claims.people import FoundPeople
    from engram_desktop.domain.claims.speech import MessageSender
    from engram_desktop.domain.knowledge.thoughts import NameFinder
    from engram_desktop.storage.chat.chat_store import ChatStore

_BLOCK = 128  # messages whose texts are read together, and whose rows are packed together
_UNPACKED = 32  # blocks whose sentences are held as they are stored, .5 KB a row
# The marshal format without references to equal objects, so that equal rows give equal bytes; and
# the fastest compression: 10 µs a row, a fifth of its size.
_FORMAT, _LEVEL = 2, 1
_BLOCKS_HELD = 64  # blocks of texts held, .2 KB a message: those of 8,192 floors
# Floors whose sentences are held, 1.2 KB each; several kinds of findings read the same ones. The
# older half is dropped: at least the floors that `LineFindings.go_on` reads in one pass stay.
_SENTENCES_HELD = 6_144
_NEWER = 1_000  # floors not in the word index, after which it is rebuilt
_TIP = 100  # newest floors kept out of the index, since they change
_Floors = dict[str, list[int]]
Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class LineMark:
    """A mark that changes with a line, or with what a model read of it."""

    rewritten: int
    floors: int
    answered: tuple[int, int]  # see `ClaimStore.answered_mark`

    @staticmethod
    def of(store: ChatStore, branch_id: str) -> LineMark:
        """Return the present mark of a line."""
        return LineMark(
            store.messages.rewritten(),
            store.messages.count(branch_id),
            store.claims.answered_mark(),
        )


@dataclass(frozen=True, slots=True)
class Basis:
    """What the people of a story are derived from, and the threads that the user noted."""

    players: tuple[str, ...]
    locked: tuple[str, ...]
    likely: tuple[str, ...]  # the surest first
    noted: tuple[str, ...]

    def is_as(self, other: Basis) -> bool:
        """Return whether the same people follow from it, in whatever order ``likely`` is."""
        return replace(self, likely=()) == replace(other, likely=()) and (
            frozenset(self.likely) == frozenset(other.likely)
        )


@dataclass(frozen=True, slots=True)
class StoryPeople:
    """Who may speak in a chat, and how each sender writes."""

    names: tuple[str, ...]
    player: str
    senders: Mapping[str, MessageSender]
    genders: Mapping[str, str]
    called: Mapping[str, frozenset[str]]  # all names of each person
    finder: NameFinder

    def is_as(self, other: StoryPeople) -> bool:
        """Return whether these are the same people, in any order."""
        return (self.player, self.senders, self.genders, self.called) == (
            other.player,
            other.senders,
            other.genders,
            other.called,
        )


class ClaimRows:
    """The rows of a line by floor. Those of the first floors are held compressed."""

    def __init__(self) -> None:
        self.ids: list[str] = []  # of the messages
        self.senders: list[str] = []
        self.hashes: list[str] = []  # of the swipes
        # By block what is asked for together: the sentences, the words, and the rest of the rows.
        self._packed: list[tuple[bytes, bytes, bytes]] = []
        self._newest: list[ClaimRow] = []  # of the floors after the packed blocks
        self._sentences: dict[int, list[str]] = {}  # cache of packed sentences, by block

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def context(self) -> str:
        """Return the packed context that the last row leaves."""
        return next(self.since(len(self) - 1)).after if self.ids else ""

    def append(self, row: ClaimRow) -> None:
        """Add the row of the next floor."""
        self.ids.append(row.message_id)
        self.senders.append(intern(row.sender))
        self.hashes.append(row.swipe_hash)
        self._newest.append(row)
        if len(self._newest) == 2 * _BLOCK:  # what is swiped or edited is mostly newer
            rows = self._newest[:_BLOCK]
            sentences, words = [r.lines for r in rows], [r.words for r in rows]
            rest = [(r.before, r.after, r.there, r.found, r.facts) for r in rows]
            self._packed.append((_packed(sentences), _packed(words), _packed(rest)))
            del self._newest[:_BLOCK]

    def sentences(self, floor: int, text: str) -> list[Claim]:
        """Return all sentences of a floor, whose message has this ``text``."""
        block, number = divmod(floor, _BLOCK)
        if block >= len(self._packed):
            return self._newest[floor - len(self._packed) * _BLOCK].sentences(floor, text)
        of_block = self._sentences.get(block)
        if of_block is None:
            of_block = _unpacked(self._packed[block][0])
            _hold(self._sentences, block, of_block, _UNPACKED)
        return unpacked_lines(floor, of_block[number], text)

    def words(self, floor: int) -> Iterator[str]:
        """Yield the words of each row from a floor on."""
        for block in range(floor // _BLOCK, len(self._packed)):
            yield from _unpacked(self._packed[block][1])[max(0, floor - block * _BLOCK) :]
        newest = self._newest[max(0, floor - len(self._packed) * _BLOCK) :]
        yield from (row.words for row in newest)

    def since(self, floor: int) -> Iterator[ClaimRow]:
        """Yield the rows from a floor on."""
        for block in range(floor // _BLOCK, len(self._packed)):
            yield from self._read(block)[max(0, floor - block * _BLOCK) :]
        yield from self._newest[max(0, floor - len(self._packed) * _BLOCK) :]

    def by_message(self, first: int, last: int) -> dict[str, ClaimRow]:
        """Return the rows of the floors ``first``..``last`` by message id."""
        return {row.message_id: row for row in islice(self.since(first), last - first + 1)}

    def first(self, floors: int) -> ClaimRows:
        """Return the rows of the first ``floors`` floors, to continue from."""
        rows = ClaimRows()
        rows.ids = self.ids[:floors]
        rows.senders, rows.hashes = self.senders[:floors], self.hashes[:floors]
        rows._packed = self._packed[: floors // _BLOCK]
        start = len(rows._packed) * _BLOCK
        rows._newest = list(islice(self.since(start), floors - start))
        return rows

    def is_same(self, other: ClaimRows, floors: int) -> bool:
        """Return whether the first ``floors`` rows of two lines are equal."""
        if any(
            own[:floors] != others[:floors]
            for own, others in (
                (self.ids, other.ids),
                (self.senders, other.senders),
                (self.hashes, other.hashes),
            )
        ):
            return False
        packed = min(floors // _BLOCK, len(self._packed), len(other._packed))
        if self._packed[:packed] != other._packed[:packed]:
            return False
        start = packed * _BLOCK
        own, others = (
            list(islice(rows.since(start), max(0, floors - start))) for rows in (self, other)
        )
        return own == others

    def _read(self, block: int) -> list[ClaimRow]:
        floors = slice(block * _BLOCK, (block + 1) * _BLOCK)
        heads = zip(self.ids[floors], self.hashes[floors], self.senders[floors], strict=True)
        sentences, words, rest = map(_unpacked, self._packed[block])
        return [
            ClaimRow(*head, before, after, there, found, words_of_row, facts, lines)
            for head, (before, after, there, found, facts), words_of_row, lines in zip(
                heads, rest, words, sentences, strict=True
            )
        ]


def _packed(rows: list[Any]) -> bytes:
    return zlib.compress(marshal.dumps(rows, _FORMAT), _LEVEL)


def _unpacked(rows: bytes) -> list[Any]:
    found: list[Any] = marshal.loads(zlib.decompress(rows))  # noqa: S302 - our own bytes
    return found


@dataclass
class LineClaims:
    """The claims of a line. Its lists are never shared: continuing a line makes a new object.

    ``there``: who speaks or acts on each floor. ``unkept``: rows that are not stored yet.
    """

    store: ChatStore
    branch_id: str
    mark: LineMark
    story: StoryPeople
    basis: Basis
    found: FoundPeople
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # packed, by a model
    answered: dict[int, list[Claim]] = field(default_factory=dict)  # the same unpacked, by floor
    rows: ClaimRows = field(default_factory=ClaimRows)
    facts: list[Claim] = field(default_factory=list)  # by floor
    there: list[tuple[str, ...]] = field(default_factory=list)
    unkept: list[ClaimRow] = field(default_factory=list)
    is_whole: bool = True
    _texts: dict[int, list[str]] = field(default_factory=dict)  # by block
    _lines: dict[int, list[Claim]] = field(default_factory=dict)
    _words: _Floors = field(default_factory=dict)  # floors by word, for the first floors
    _indexed: int = 0  # how many floors ``_words`` covers
    # The same for the later floors, and up to which one. Replaced as a whole: threads share a line.
    _newer: tuple[_Floors, int] = ({}, 0)

    @property
    def last_floor(self) -> int:
        return len(self.rows) - 1

    @property
    def people(self) -> Mapping[str, frozenset[str]]:
        """Return all names of each person."""
        return self.story.called

    def is_same(self, other: LineClaims, floors: int) -> bool:
        """Return whether the first ``floors`` floors of two lines hold the same claims."""
        if not self.rows.is_same(other.rows, floors):
            return False
        if self.answers is other.answers:
            return True
        read = {floor for floor in (*self.answered, *other.answered) if floor < floors}
        return all(self.answered.get(floor) == other.answered.get(floor) for floor in read)

    def at(self, floor: int) -> Sequence[Claim]:
        """Return all sentences of a floor, with their speakers."""
        if not 0 <= floor < len(self.rows):
            return ()
        lines = self._lines.get(floor)
        if lines is None:
            block, number = divmod(floor, _BLOCK)
            read = self.rows.sentences(floor, self._texts_of(block)[number])
            lines = list(with_answers(read, self.answered.get(floor, ())))
            _hold(self._lines, floor, lines, _SENTENCES_HELD)
        return lines

    def _texts_of(self, block: int) -> list[str]:
        texts = self._texts.get(block)
        if texts is None:
            first = block * _BLOCK
            last = min(first + _BLOCK - 1, self.last_floor)
            said = self.store.messages.sayings(self.branch_id, first, last)
            texts = [asserting(saying.text) for saying in said]
            _hold(self._texts, block, texts, _BLOCKS_HELD)
        return texts

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]:
        """Return the floors in ``first``..``last`` with at least ``least`` of these words."""
        if len(self.rows) - self._indexed > _NEWER:
            self._indexed = len(self.rows) - _TIP
            self._words = _words_of(islice(self.rows.words(0), self._indexed), 0)
            self._newer = {}, self._indexed
        newer, end = self._newer
        if end < len(self.rows):
            added = _words_of(self.rows.words(end), end)
            newer = newer | {word: [*newer.get(word, ()), *new] for word, new in added.items()}
            self._newer = newer, len(self.rows)
        words = set(words)
        floors = floors_with(self._words, first, last, words, least)
        return floors + floors_with(newer, first, last, words, least)

    def facts_of(self, first: int, last: int) -> list[Claim]:
        """Return the claims of the floors ``first``..``last``."""
        start = bisect_left(self.facts, first, key=_floor)
        return self.facts[start : bisect_left(self.facts, last + 1, key=_floor)]

    def first(self, floors: int) -> LineClaims:
        """Return the claims of the first ``floors`` floors, to continue from."""
        found = self.found.copy()
        found.take_away(unpacked_names(row.found) for row in self.rows.since(floors) if row.found)
        blocks = floors // _BLOCK
        is_indexed = floors >= self._indexed
        return LineClaims(
            self.store,
            self.branch_id,
            self.mark,
            self.story,
            self.basis,
            found,
            self.answers,
            {floor: claims for floor, claims in self.answered.items() if floor < floors},
            self.rows.first(floors),
            self.facts_of(0, floors - 1),
            self.there[:floors],
            list(self.unkept),
            self.is_whole,
            {block: texts for block, texts in self._texts.items() if block < blocks},
            {floor: claims for floor, claims in self._lines.items() if floor < floors},
            *((self._words, self._indexed, self._newer_until(floors)) if is_indexed else ()),
        )

    def _newer_until(self, floors: int) -> tuple[_Floors, int]:
        """Return the words of the later floors before ``floors``, and up to which floor."""
        newer, end = self._newer
        if end <= floors:
            return newer, end
        cut = {word: of_word[: bisect_left(of_word, floors)] for word, of_word in newer.items()}
        return {word: of_word for word, of_word in cut.items() if of_word}, floors


def _hold(held: dict[int, list[Held]], key: int, value: list[Held], most: int) -> None:
    """Add to a cache; if it holds ``most`` entries, the older half is dropped first."""
    if len(held) >= most:
        for first in list(held)[: most // 2]:
            del held[first]
    held[key] = value


def _words_of(words: Iterable[str], first: int) -> _Floors:
    floors: defaultdict[str, list[int]] = defaultdict(list)
    for floor, of_floor in enumerate(words, first):
        for word in of_floor.split():
            floors[word].append(floor)
    return floors


def _floor(claim: Claim) -> int:
    return claim.floor
