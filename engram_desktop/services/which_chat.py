"""Which line of which chat a file continues, if any, and which it branches from.

Names of files only help: what counts is how the messages begin. A greeting proves nothing, it opens
many chats.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.storage.library import Library

logger = logging.getLogger(__name__)

MIN_COMMON = 3  # fewer equal messages prove nothing
EDITED_SHARE = 0.5  # of the shorter telling; less is another story in a file of the same name


@dataclass(frozen=True, slots=True)
class Line:
    """One branch of one chat, compared with a file.

    ``common`` messages are the same at the beginning, ``equal`` anywhere.
    """

    chat_id: str
    chat_name: str
    branch_id: str
    source: str
    common: int
    equal: int
    held: int
    told: int

    @property
    def is_same(self) -> bool:
        """Whether the longer of the two only goes on."""
        return self.common == min(self.held, self.told) and self.common >= MIN_COMMON

    def is_of(self, file: str) -> bool:
        """Whether this line came from ``file``, edited or not."""
        shorter = min(self.held, self.told)
        is_short = self.common == shorter and self.common > 0
        is_edited = self.equal >= max(MIN_COMMON, EDITED_SHARE * shorter)
        return self.source == file and (is_short or self.common >= MIN_COMMON or is_edited)


@dataclass(frozen=True, slots=True)
class Match:
    """``line`` is what the file continues, or, if ``is_branch``, branches from."""

    line: Line
    is_branch: bool = False


def find_match(
    library: Library, file: str, main_chat: str, hashes: Sequence[str], into: str | None
) -> Match | None:
    """Say where a file belongs; None if it is a chat of its own.

    ``main_chat`` is the file it says it was branched from. ``into`` names the chat to use whatever
    the file holds. Raises NotFound.
    """
    lines = list(_lines(library, hashes, into))
    known = [line for line in lines if line.is_same or line.is_of(file)]
    best = max(known, key=lambda line: (line.common, line.source == file), default=None)
    if best is not None and best.source == file:
        return Match(best)
    parents = [
        line
        for line in lines
        if line.common and main_chat and main_chat in (line.source, PurePath(line.source).stem)
    ]
    if not parents and best is not None:
        return Match(best)
    if not parents:
        parents = [line for line in lines if line.common >= MIN_COMMON]
    if parents:
        return Match(max(parents, key=lambda line: line.common), is_branch=True)
    if into is not None:
        return Match(next(line for line in lines if line.branch_id == MAIN_BRANCH))
    return None


def _lines(library: Library, hashes: Sequence[str], into: str | None) -> Iterator[Line]:
    chosen = None if into is None else library.find_chat(into)
    told = Counter(hashes)
    for chat_id, name, source, _updated in library.chat_rows():
        if chosen not in (None, chat_id):
            continue
        try:
            for branch_id, branch_source, held in _held(library, chat_id):
                of = source if branch_id == MAIN_BRANCH else branch_source
                yield _compare((chat_id, name, branch_id, of), held, hashes, told)
        except StorageError as e:  # one damaged chat must not keep others from growing
            if chosen is not None:
                raise
            logger.warning("Chat %s was not compared: %s", chat_id, e)


def _held(library: Library, chat_id: str) -> Iterator[tuple[str, str, list[str]]]:
    """(branch, its source, hashes of its line) of every branch of a chat."""
    store = library.chat(chat_id)
    for branch_id, _parent, _fork, _name, source in store.branches.rows():
        yield branch_id, source, store.messages.hashes(branch_id)


def _compare(
    whose: tuple[str, str, str, str],
    held: Sequence[str],
    hashes: Sequence[str],
    told: Counter[str],
) -> Line:
    pairs = zip(held, hashes, strict=False)
    common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return Line(*whose, common, (told & Counter(held)).total(), len(held), len(hashes))
