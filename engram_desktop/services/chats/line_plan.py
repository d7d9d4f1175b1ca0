"""Plan how a line becomes what a file tells: the smallest change, message by message.

Reads only. A message of which only the speaker has another name, another picture or another role is
the same message; so is one that stands elsewhere now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from engram_desktop.domain.chats import EditScript, Saying, align, renamed_speakers
from engram_desktop.domain.memory.message import ParsedMessage, swipe_hash
from engram_desktop.domain.reports import CopyConflict, OnConflict
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import row_of
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
    script: EditScript
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
) -> EditScript:
    """Align a line from floor ``base`` on with what a file tells of it now."""
    if not old or not new:
        return EditScript((), frozenset())
    names, keys = [row.name for row in old], [row.swipe_hash for row in old]
    new_names, new_keys = [m.name for m in new], [m.swipe_hash for m in new]
    sayings: list[Saying] = []
    if set(names) != set(new_names):
        speakers = set(new_names)
        read = store.messages.sayings(branch_id, base, base + len(old) - 1)
        sayings = [_name_apart(saying, speakers) for saying in read]
        renamed = renamed_speakers(sayings, map(_saying, new))
        if renamed or sayings != read:
            names = [renamed.get(saying.name, saying.name) for saying in sayings]
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


def _name_apart(saying: Saying, speakers: Collection[str]) -> Saying:
    """Return what was said without the name before it, as a request tells who speaks for once."""
    name, mark, text = saying.text.partition(": ")
    is_other = bool(mark) and name in speakers and name != saying.name
    return Saying(name, saying.role, text) if is_other else saying


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


# Find the floors that a line would lose if it became what a copy of its chat tells.
#
# A message lost its text if another stands in its place and does not have it among its swipes, or
# if nothing stands there. What moves, is hidden, or is said under another name is not lost. Reads
# only.


PIECE = 500  # messages whose texts are read at a time: the first difference is mostly near


def find_conflict(
    store: ChatStore, todo: Sync, choice: OnConflict = "branch", *, is_followed: bool = False
) -> CopyConflict | None:
    """Return what ``todo`` would take away from its line; None if nothing.

    The copy is newer if it has the line's newest message and goes on after it; of a file that is
    followed, where the story goes on, having that message is enough.
    """
    common = _common_floors(store, todo)
    same = common - todo.base  # the copy has these texts in their place, whatever the script pairs
    lost = {i for i in _changed(store, todo) if i >= same}
    staying = {i: j for i, j in todo.script.staying if i not in lost}
    old_count = todo.old_count - todo.tail - todo.base
    gone = [i for i in range(same, old_count) if i not in staying and i not in lost]
    if not lost and not gone:
        return None
    newest = staying.get(old_count - 1)
    is_newer = newest is not None and (is_followed or newest + 1 < len(todo.new))
    spans = (_spans(todo.base, sorted(lost)), _spans(todo.base, gone))
    return CopyConflict(choice, *spans, common - 1, is_newer=is_newer)


def _changed(store: ChatStore, todo: Sync) -> set[int]:
    """Where another text stands that does not have the former one as a swipe; from the base on."""
    edited = sorted((i, j) for i, j in todo.script.staying if i in todo.script.edited)
    if not edited:
        return set()
    first, last = edited[0][0], edited[-1][0]
    sayings = store.messages.sayings(todo.branch_id, todo.base + first, todo.base + last)
    return {i for i, j in edited if not _holds(todo.new[j], sayings[i - first].text)}


def _holds(message: ParsedMessage, text: str) -> bool:
    swipes = row_of(message.raw).get("swipes")
    is_swipe = isinstance(swipes, list) and text in swipes
    return not text.strip() or message.text == text or is_swipe


def _common_floors(store: ChatStore, todo: Sync) -> int:
    """Count the messages at the beginning of a line that the copy tells in the same words."""
    end = min(todo.old_count, todo.base + len(todo.new))
    for first in range(todo.base, end, PIECE):
        sayings = store.messages.sayings(todo.branch_id, first, min(first + PIECE, end) - 1)
        for floor, saying in enumerate(sayings, first):
            if saying.text != todo.new[floor - todo.base].text:
                return floor
    return end


def _spans(base: int, places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for floor in (base + place for place in places):
        if spans and spans[-1][1] == floor - 1:
            spans[-1] = (spans[-1][0], floor)
        else:
            spans.append((floor, floor))
    return tuple(spans)
