"""The claims of a line as they were read, and its sentences when they are asked for."""

from __future__ import annotations

import marshal
import os
import threading
import weakref
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import blake2b
from itertools import accumulate, islice, pairwise
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engram_desktop.domain.claims.answer import with_answers
from engram_desktop.domain.claims.wording import floors_with
from engram_desktop.domain.text.cleaning import asserting
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.claims import (
    ClaimRow,
    unpacked_facts,
    unpacked_lines,
    unpacked_names,
)
from engram_desktop.storage.database import file_errors

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
_IN_MEMORY = 32_000_000  # bytes of packed rows, of some 100,000 floors; more go to a file
_BLOCKS_HELD = 64  # blocks of texts held, .2 KB a message: those of 8,192 floors
_FACTS_HELD = 128  # blocks of claims held, .5 KB each: those of 16,384 floors
# Floors whose sentences are held, 1.2 KB each; several kinds of findings read the same ones. The
# older half is dropped: at least the floors that `LineFindings.go_on` reads in one pass stay.
_SENTENCES_HELD = 6_144
_NEWER = 1_000  # floors not in the word index, after which it is rebuilt
_TIP = 100  # newest floors kept out of the index, since they change
_Floors = dict[str, "array[int]"]
_NONE = array("I")  # floors of a word: 4 bytes each
_Head = tuple[str, str, str]  # id of a message, its sender, and the hash of its swipe
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


class _Place(NamedTuple):
    """Where packed values are in a `PackedFile`."""

    start: int
    length: int


class _Block(NamedTuple):
    """The rows of `_BLOCK` floors, cut into what is asked for together."""

    digest: bytes  # blocks with equal digests hold equal rows
    heads: _Place
    sentences: _Place
    words: _Place
    facts: _Place
    rest: _Place


class PackedFile:
    """Packed values, up to ``in_memory`` bytes in memory, and of more in a temporary file.

    Values are only added, equal blocks once. Lines that continue one another share a file; safe
    from any thread.
    """

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._file = SpooledTemporaryFile(max_size=in_memory)  # noqa: SIM115
        # closed, and so deleted, when the last line that reads it is dropped
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self._blocks: dict[bytes, _Block] = {}  # by digest

    def add(self, values: Iterable[list[Any]]) -> _Block:
        """Add the rows of a block, by part. Raises DiskFull or StorageError without room."""
        packed = [zlib.compress(marshal.dumps(rows, _FORMAT), _LEVEL) for rows in values]
        digest = blake2b(b"".join(packed), digest_size=16).digest()
        with self._lock, file_errors(Path(gettempdir())):
            block = self._blocks.get(digest)
            if block is None:
                self._file.seek(0, os.SEEK_END)
                ends = [*accumulate(map(len, packed), initial=self._file.tell())]
                self._file.write(b"".join(packed))
                places = [_Place(start, end - start) for start, end in pairwise(ends)]
                block = self._blocks[digest] = _Block(digest, *places)
        return block

    def read(self, place: _Place) -> list[Any]:
        with self._lock:
            self._file.seek(place.start)
            packed = self._file.read(place.length)
        found: list[Any] = marshal.loads(zlib.decompress(packed))  # noqa: S302 - our own bytes
        return found


class ClaimRows:
    """The rows of a line by floor. Those of the first floors are held compressed."""

    def __init__(self, file: PackedFile | None = None) -> None:
        self._file = file or PackedFile()
        self._blocks: list[_Block] = []
        self._newest: list[ClaimRow] = []  # of the floors after the packed blocks
        self._sentences: dict[int, list[str]] = {}  # cache of packed sentences, by block

    def __len__(self) -> int:
        return self._packed + len(self._newest)

    @property
    def _packed(self) -> int:
        """Return how many floors are packed."""
        return len(self._blocks) * _BLOCK

    @property
    def context(self) -> str:
        """Return the packed context that the last row leaves."""
        return next(self.since(len(self) - 1)).after if len(self) else ""

    def append(self, row: ClaimRow) -> None:
        """Add the row of the next floor."""
        self._newest.append(row)
        if len(self._newest) == 2 * _BLOCK:  # what is swiped or edited is mostly newer
            rows = self._newest[:_BLOCK]
            parts = (
                [_head(row) for row in rows],
                [row.lines for row in rows],
                [row.words for row in rows],
                [row.facts for row in rows],
                [(row.before, row.after, row.there, row.found) for row in rows],
            )
            self._blocks.append(self._file.add(parts))
            del self._newest[:_BLOCK]

    def sentences(self, floor: int, text: str) -> list[Claim]:
        """Return all sentences of a floor, whose message has this ``text``."""
        block, number = divmod(floor, _BLOCK)
        if block >= len(self._blocks):
            return self._newest[floor - self._packed].sentences(floor, text)
        of_block = self._sentences.get(block)
        if of_block is None:
            of_block = self._file.read(self._blocks[block].sentences)
            _hold(self._sentences, block, of_block, _UNPACKED)
        return unpacked_lines(floor, of_block[number], text)

    def heads(self) -> Iterator[_Head]:
        """Yield the head of each row."""
        for block in self._blocks:
            yield from self._file.read(block.heads)
        yield from map(_head, self._newest)

    def words(self, floor: int) -> Iterator[str]:
        """Yield the words of each row from a floor on."""
        for number in range(floor // _BLOCK, len(self._blocks)):
            words = self._file.read(self._blocks[number].words)
            yield from words[max(0, floor - number * _BLOCK) :]
        yield from (row.words for row in self._newest[max(0, floor - self._packed) :])

    def facts(self, number: int) -> list[str]:
        """Return the packed claims of each row of block ``number``."""
        if number < len(self._blocks):
            return self._file.read(self._blocks[number].facts)
        first = number * _BLOCK - self._packed
        return [row.facts for row in self._newest[first : first + _BLOCK]]

    def since(self, floor: int) -> Iterator[ClaimRow]:
        """Yield the rows from a floor on."""
        for number in range(floor // _BLOCK, len(self._blocks)):
            yield from self._read(number)[max(0, floor - number * _BLOCK) :]
        yield from self._newest[max(0, floor - self._packed) :]

    def by_message(self, first: int, last: int) -> dict[str, ClaimRow]:
        """Return the rows of the floors ``first``..``last`` by message id."""
        return {row.message_id: row for row in islice(self.since(first), last - first + 1)}

    def first(self, floors: int) -> ClaimRows:
        """Return the rows of the first ``floors`` floors, to continue from."""
        rows = ClaimRows(self._file)
        rows._blocks = self._blocks[: floors // _BLOCK]
        rows._newest = list(islice(self.since(rows._packed), floors - rows._packed))
        return rows

    def is_same(self, other: ClaimRows, floors: int) -> bool:
        """Return whether the first ``floors`` rows of two lines are equal."""
        packed = min(floors // _BLOCK, len(self._blocks), len(other._blocks))
        blocks = zip(self._blocks[:packed], other._blocks[:packed], strict=True)
        start = packed * _BLOCK
        return all(own.digest == others.digest for own, others in blocks) and (
            list(islice(self.since(start), max(0, floors - start)))
            == list(islice(other.since(start), max(0, floors - start)))
        )

    def _read(self, number: int) -> list[ClaimRow]:
        heads, lines, words, facts, rest = map(self._file.read, self._blocks[number][1:])
        return [
            ClaimRow(
                message_id, key, sender, before, after, there, found, of_words, of_facts, of_lines
            )
            for (message_id, sender, key), of_lines, of_words, of_facts, (
                before,
                after,
                there,
                found,
            ) in zip(heads, lines, words, facts, rest, strict=True)
        ]


def _head(row: ClaimRow) -> _Head:
    return row.message_id, row.sender, row.swipe_hash


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
    noted: list[Claim] = field(default_factory=list)  # threads of the user, by floor
    there: list[tuple[str, ...]] = field(default_factory=list)
    unkept: list[ClaimRow] = field(default_factory=list)
    is_whole: bool = True
    _texts: dict[int, list[str]] = field(default_factory=dict)  # by block
    _facts: dict[int, list[Claim]] = field(default_factory=dict)  # by block
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
            newer = newer | {word: newer.get(word, _NONE) + new for word, new in added.items()}
            self._newer = newer, len(self.rows)
        words = set(words)
        floors = floors_with(self._words, first, last, words, least)
        return floors + floors_with(newer, first, last, words, least)

    @property
    def facts(self) -> list[Claim]:
        """Return all claims, by floor."""
        return self.facts_of(0, self.last_floor)

    def add_noted(self, noted: Sequence[Claim]) -> None:
        """Add threads of the user to the claims."""
        self.noted = sorted([*self.noted, *noted], key=_floor)
        self._facts = {}

    def facts_of(self, first: int, last: int) -> list[Claim]:
        """Return the claims of the floors ``first``..``last``."""
        return [claim for claim in self.facts_in(first, last) if first <= claim.floor <= last]

    def facts_in(self, first: int, last: int) -> Iterator[Claim]:
        """Yield the claims of these floors, and of others beside them."""
        for block in range(max(0, first) // _BLOCK, min(last, self.last_floor) // _BLOCK + 1):
            yield from self._facts_of(block)

    def _facts_of(self, block: int) -> list[Claim]:
        facts = self._facts.get(block)
        if facts is None:
            facts = []
            for floor, packed in enumerate(self.rows.facts(block), block * _BLOCK):
                own, of_model = unpacked_facts(floor, packed), self.answered.get(floor)
                if of_model is not None:  # half of what the rules find in stories is wrong: ADR 64
                    own = [*(claim for claim in own if claim.how == "ooc"), *of_model]
                facts += own
            first = bisect_left(self.noted, block * _BLOCK, key=_floor)
            noted = self.noted[first : bisect_left(self.noted, (block + 1) * _BLOCK, key=_floor)]
            facts = sorted([*facts, *noted], key=_floor)
            _hold(self._facts, block, facts, _FACTS_HELD)
        return facts

    def read_by_model(self, first: int, last: int) -> int:
        """Return the last of these floors for whose claims a model cited words; -1 for none."""
        floors = (
            floor
            for floor in range(last, first - 1, -1)
            if any(claim.of is not None for claim in self.answered.get(floor, ()))
        )
        return next(floors, -1)

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
            self.noted[: bisect_left(self.noted, floors, key=_floor)],
            self.there[:floors],
            list(self.unkept),
            self.is_whole,
            {block: texts for block, texts in self._texts.items() if block < blocks},
            {block: facts for block, facts in self._facts.items() if block < blocks},
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
    floors: _Floors = {}
    for floor, of_floor in enumerate(words, first):
        for word in of_floor.split():
            if word not in floors:
                floors[word] = array("I")
            floors[word].append(floor)
    return floors


def _floor(claim: Claim) -> int:
    return claim.floor
