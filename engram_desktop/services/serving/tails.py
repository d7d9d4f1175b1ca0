"""The ends of all lines of a library, by what they say: which of them may a request be of.

Kept in memory as hashes of texts, and of the longest sentences of each, so that an edited message
or one within a prompt is found too. A chat is looked at again only after something was written to
it. Texts are held of the lines that were asked for last.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.texts.plain_text import worth
from engram_desktop.domain.values import dataclass
from engram_desktop.services.serving.tail_texts import read_tail, tail_mark

if TYPE_CHECKING:
    from pathlib import Path

    from engram_desktop.domain.serving.finding.alignment import Floor
    from engram_desktop.domain.serving.finding.line_tail import LineTail
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts

logger = logging.getLogger(__name__)

FLOORS = 60_000  # of all lines together: some 40 MB of hashes
MOST_OF_LINE = 200  # floors of one line: what a front end sends of a history, and some more
LEAST_OF_LINE = 30  # floors of one line, however many lines there are
TEXTS_HELD = 24  # lines of which the texts are held: some 100 kB each
_COMMON = 64  # lines that say the same; what more say tells nothing apart, and is not looked up


@dataclass
class _Known:
    """What is known of one line."""

    mark: tuple[object, ...]
    keys: frozenset[int]


class Tails:
    """Lines by what they say last. Safe from any thread."""

    def __init__(self, session: Session, chat_prompts: ChatPrompts) -> None:
        self._session = session
        self._chat_prompts = chat_prompts
        self._lock = threading.RLock()
        self._chats: dict[str, tuple[object, ...]] = {}
        self._lines: dict[Line, _Known] = {}
        self._postings: dict[int, set[Line]] = {}
        self._texts: OrderedDict[Line, LineTail] = OrderedDict()
        self._size = MOST_OF_LINE
        session.on_leaving(self._forget)

    def refresh(self, ctx: JobContext) -> None:
        """Look at chats that were written to since, the latest first. Raises Cancelled."""
        chat_ids = [chat_id for chat_id, *_rest in self._session.library.chat_rows()]
        for chat_id in self._chats.keys() - set(chat_ids):
            self._forget(chat_id)
        self._size = max(LEAST_OF_LINE, min(MOST_OF_LINE, FLOORS // max(1, len(chat_ids))))
        for chat_id in chat_ids:
            ctx.check()
            try:
                self._look_at(ctx, chat_id)
            except KnownError as e:  # one damaged chat keeps no other from being known
                logger.warning("The chat %s is not known to the server: %s", chat_id, e)
                self._chats[chat_id] = ()

    def candidates(self, keys: Iterable[tuple[str, float]], most: int) -> list[Line]:
        """Return the lines that hold most of the texts, each with what it is worth."""
        votes: dict[Line, float] = {}
        with self._lock:
            for key, value in keys:
                lines = self._postings.get(hash(key), ())
                if len(lines) > _COMMON:
                    continue
                chats = len({line.chat_id for line in lines})
                for line in lines:
                    votes[line] = votes.get(line, 0.0) + value / chats
        best = nlargest(most, votes.items(), key=lambda vote: vote[1])
        return [line for line, vote in best if vote * 20 >= best[0][1]]

    def chats_with(self, key: str) -> int:
        """How many chats say this."""
        with self._lock:
            return len({line.chat_id for line in self._postings.get(hash(key), ())})

    def tail(self, ctx: JobContext, line: Line) -> LineTail:
        """Return the end of a line with its texts. Raises NotFound, StorageError."""
        with self._lock:
            known = self._texts.get(line)
            if known is not None:
                self._texts.move_to_end(line)
                return known
        tail = read_tail(self._session, self._chat_prompts, ctx, line, self._size)
        with self._lock:
            self._hold(tail)
        return tail

    def whole(self, ctx: JobContext, line: Line) -> LineTail:
        """Read all floors of a line, however many. Raises NotFound, StorageError."""
        count = self._session.chat(line.chat_id).messages.count(line.branch_id)
        return read_tail(self._session, self._chat_prompts, ctx, line, count)

    def _look_at(self, ctx: JobContext, chat_id: str) -> None:
        mark = self._chat_mark(chat_id)
        if self._chats.get(chat_id) == mark:
            return
        store = self._session.chat(chat_id)
        branch_ids = store.branches.ids()
        for branch_id in branch_ids:
            line = Line(chat_id, branch_id)
            line_mark = tail_mark(store, branch_id, self._size)
            known = self._lines.get(line)
            if known is None or known.mark != line_mark:
                tail = read_tail(self._session, self._chat_prompts, ctx, line, self._size)
                with self._lock:
                    self._put(tail, line_mark)
        with self._lock:
            gone = [line for line in self._lines if line.chat_id == chat_id]
            for line in gone:
                if line.branch_id not in branch_ids:
                    self._drop(line)
            self._chats[chat_id] = mark

    def _chat_mark(self, chat_id: str) -> tuple[object, ...]:
        """Return what is another after every write to a chat, of this process or another."""
        database = self._session.chat(chat_id).database
        log = database.path.with_name(database.path.name + "-wal")
        return database.writes, _stat(database.path), _stat(log)

    def _put(self, tail: LineTail, mark: tuple[object, ...]) -> None:
        keys = frozenset(key for floor in tail.floors for key in _keys_of(floor))
        known = self._lines.get(tail.line)
        before = known.keys if known else frozenset()
        for key in before - keys:
            self._discard(key, tail.line)
        for key in keys - before:
            self._postings.setdefault(key, set()).add(tail.line)
        self._lines[tail.line] = _Known(mark, keys)
        if tail.line in self._texts or known is not None:
            self._hold(tail)

    def _hold(self, tail: LineTail) -> None:
        self._texts[tail.line] = tail
        self._texts.move_to_end(tail.line)
        while len(self._texts) > TEXTS_HELD:
            self._texts.popitem(last=False)

    def _drop(self, line: Line) -> None:
        for key in self._lines.pop(line).keys:
            self._discard(key, line)
        self._texts.pop(line, None)

    def _discard(self, key: int, line: Line) -> None:
        lines = self._postings.get(key)
        if lines is not None:
            lines.discard(line)
            if not lines:
                del self._postings[key]

    def _forget(self, chat_id: str | None) -> None:
        with self._lock:
            for line in [x for x in self._lines if chat_id in (None, x.chat_id)]:
                self._drop(line)
            for known in [x for x in self._chats if chat_id in (None, x)]:
                del self._chats[known]


def _keys_of(floor: Floor) -> list[int]:
    """Return the hashes a floor is looked up by."""
    return [hash(text) for text in (*floor.keys, *floor.pieces) if text]


def _stat(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:  # no log is there, or it was just folded in
        return 0, 0
    return stat.st_size, stat.st_mtime_ns


def keys_worth(texts: Sequence[str]) -> list[tuple[str, float]]:
    """Return texts to look up, each once, with what it is worth."""
    return [(text, worth(text)) for text in dict.fromkeys(texts)]
