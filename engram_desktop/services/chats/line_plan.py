"""Plan how a line becomes what a file tells: the smallest change, message by message.

Reads only. A message of which only the speaker has another name, another picture or another role is
the same message; so is one that stands elsewhere now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engram_desktop.domain.chats.alignment import Script, align
from engram_desktop.domain.chats.renaming import Saying, renamed_speakers
from engram_desktop.domain.memory.message import ParsedMessage, swipe_hash
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.messages.messages import Outlined


@dataclass(frozen=True, slots=True)
class Sync:
    """How to make a line what a file tells. Floors of ``script`` count from ``base``.

    ``read`` are the hashes the line had from floor ``first`` on, ``mark`` what says that it had the
    same before; the last ``tail`` messages are not in the file and stay. ``views`` are floors that
    are shared with a parent, with the names and flags the file has for them.
    """

    branch_id: str
    base: int
    script: Script
    new: tuple[ParsedMessage, ...]
    tail: int
    read: tuple[str, ...]
    shown_or_hidden: int
    first: int
    mark: str
    views: tuple[tuple[int, ParsedMessage], ...] = ()

    @property
    def old_count(self) -> int:
        """How many floors the line had."""
        return self.first + len(self.read)

    @property
    def changed(self) -> int:
        """How many messages stay, and are not what or where they were."""
        moved = {i for i, _j in self.script.moved}
        return len(self.script.edited | self.script.renamed | moved)

    @property
    def removed(self) -> int:
        return self.old_count - self.base - self.tail - len(self.script.staying)

    @property
    def added(self) -> int:
        return len(self.new) - len(self.script.staying)

    @property
    def is_nothing(self) -> bool:
        is_same = not (self.changed or self.removed or self.added or self.shown_or_hidden)
        return is_same and not self.views


def plan_sync(
    store: ChatStore,
    branch_id: str,
    messages: Iterable[ParsedMessage],
    *,
    exact: bool = False,
    first: int = 0,
) -> Sync:
    """Find the smallest change that makes a line what ``messages``, a file's in order, tell.

    An older version of a chat takes nothing away: if ``messages`` only end earlier, the rest stays,
    unless ``exact``. What a branch shares with its parent stays shared while it says the same:
    names and flags that its file has otherwise are its `views`. What comes before floor ``first``,
    where ``messages`` begin, is as it was.
    """
    mark = store.messages.line_mark(branch_id, first)
    rows = store.messages.outline(branch_id, first)
    file_messages = tuple(messages)
    own = max(0, store.branches.first_own(branch_id) - first)
    base = _common(_StoredLine(store, branch_id, first, rows, own), file_messages)
    old, new = rows[base:], file_messages[base:]
    read = [row.swipe_hash for row in rows]
    hashes = [m.swipe_hash for m in new]
    is_older = not exact and hashes == read[base : base + len(new)]
    tail = max(0, len(old) - len(new)) if is_older else 0
    old = old[: len(old) - tail]
    script = _script(store, branch_id, first + base, old, new)
    unchanged = script.edited | script.renamed
    flips = sum(
        i not in unchanged and bool(old[i].is_hidden) != new[j].is_hidden for i, j in script.staying
    )
    views = tuple(
        (first + n, message)
        for n, (row, message) in enumerate(zip(rows[: min(own, base)], file_messages, strict=False))
        if not _is_seen_so(row, message)
    )
    return Sync(branch_id, first + base, script, new, tail, tuple(read), flips, first, mark, views)


@dataclass(frozen=True, slots=True)
class _StoredLine:
    """A line as it is read: ``rows`` from floor ``first`` on, the last of which are its own."""

    store: ChatStore
    branch_id: str
    first: int
    rows: Sequence[Outlined]
    own: int  # how many rows it shares with its parent

    def shared_sayings(self, at: int) -> list[Saying]:
        """Who says what from row ``at`` on to the last that is shared."""
        first = self.first
        return self.store.messages.sayings(self.branch_id, first + at, first + self.own - 1)


def _common(line: _StoredLine, file_messages: Sequence[ParsedMessage]) -> int:
    """Count the messages at the beginning that line and file have alike."""
    shared: list[Saying] = []
    shared_from = 0
    for n, (row, message) in enumerate(zip(line.rows, file_messages, strict=False)):
        is_same = row.swipe_hash == message.swipe_hash
        if n >= line.own:
            if not (is_same and _is_by_same(row, message) and row.is_hidden == message.is_hidden):
                return n
        elif not is_same:
            if not shared:
                shared, shared_from = line.shared_sayings(n), n
            if shared[n - shared_from].text != message.text:
                return n
    return min(len(line.rows), len(file_messages))


def _script(
    store: ChatStore,
    branch_id: str,
    base: int,
    old: Sequence[Outlined],
    new: Sequence[ParsedMessage],
) -> Script:
    """Align a line from floor ``base`` on with what a file tells of it now."""
    if not old or not new:
        return Script((), frozenset())
    names, keys = [row.name for row in old], [row.swipe_hash for row in old]
    new_names, new_keys = [m.name for m in new], [m.swipe_hash for m in new]
    sayings: list[Saying] = []
    if set(names) != set(new_names):
        sayings = store.messages.sayings(branch_id, base, base + len(old) - 1)
        renamed = renamed_speakers(sayings, map(_saying, new))
        if renamed:
            names = [renamed.get(name, name) for name in names]
            keys = [
                swipe_hash(name, saying.text) for name, saying in zip(names, sayings, strict=True)
            ]
    moments = ([row.sent_at for row in old], [m.sent_at for m in new])
    script = align(keys, new_keys, names, new_names, moments)
    same_words = {
        i
        for i, j in script.staying
        if i in script.edited and _said(store, branch_id, base, i, sayings).text == new[j].text
    }
    others = {
        i
        for i, j in script.staying
        if i not in script.edited
        and not (old[i].swipe_hash == new[j].swipe_hash and _is_by_same(old[i], new[j]))
    }
    edited = script.edited - same_words
    return replace(script, edited=edited, renamed=frozenset(same_words | others))


def _said(store: ChatStore, branch_id: str, base: int, n: int, sayings: Sequence[Saying]) -> Saying:
    if sayings:
        return sayings[n]
    return store.messages.sayings(branch_id, base + n, base + n)[0]


def _is_seen_so(row: Outlined, message: ParsedMessage) -> bool:
    is_same = row.name == message.name and bool(row.is_hidden) == message.is_hidden
    return is_same and _is_by_same(row, message)


def _is_by_same(row: Outlined, message: ParsedMessage) -> bool:
    return row.role == message.role and row.speaker_id == message.speaker_id


def _saying(message: ParsedMessage) -> Saying:
    return Saying(message.name, message.role, message.text)
