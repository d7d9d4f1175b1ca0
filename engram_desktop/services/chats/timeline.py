"""Plan and carry out changes of a chat's messages.

A plan is the smallest change, message by message, that makes a line match a file. Planning only
reads. A message with another speaker name, picture or role is the same message; so is one that
moved.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from engram_desktop.domain.changes import (
    ADD_MESSAGE,
    DELETE_MESSAGES,
    EDIT_MESSAGE,
    FOLLOW,
    FORK,
    HIDE,
    IMPORT,
    SHOW,
    Changes,
    StepLabel,
)
from engram_desktop.domain.chats import EditScript, Saying, align, renamed_speakers
from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage, Role, swipe_hash
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import CopyConflict, OnConflict
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import row_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.branching import copy_to_branch, fork_step
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.messages import Outlined
from engram_desktop.storage.chat.timeline import Rewritten


@dataclass(frozen=True, slots=True)
class Sync:
    """A plan to make a line match a file. Floors of ``script`` count from ``base``.

    ``read``: hashes of the line from floor ``first`` on, and ``mark``: a mark of what comes before,
    both as of planning. The last ``tail`` messages are not in the file and stay. ``views``: floors
    shared with the parent, with the names and flags that the file gives them.
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
        """Return how many floors the line had."""
        return self.first + len(self.read)

    @property
    def changed(self) -> int:
        """Return how many messages stay but are edited, renamed or moved."""
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
    """Return the smallest change that makes a line match ``messages``, which a file holds in order.

    If ``messages`` only end earlier, as in an older copy, the rest of the line stays unless
    ``exact``. Floors shared with the parent stay shared while their texts are equal; names and
    flags that differ become `views`. Floors before ``first``, where ``messages`` begin, are
    unchanged.
    """
    first, rest = _from_first_change(store, branch_id, first, messages)
    mark = store.messages.line_mark(branch_id, first)
    rows = store.messages.outline(branch_id, first)
    file_messages = tuple(rest)
    own = max(0, store.branches.first_own(branch_id) - first)
    base = _common(_StoredLine(store, branch_id, first, rows, own), file_messages)
    old, new = rows[base:], file_messages[base:]
    read = [row.swipe_hash for row in rows]
    is_older = not exact and [m.swipe_hash for m in new] == read[base : base + len(new)]
    if not (exact or is_older):
        new += _rest_renamed(store, branch_id, first + base, len(old), new)
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


def _from_first_change(
    store: ChatStore, branch_id: str, first: int, messages: Iterable[ParsedMessage]
) -> tuple[int, Iterable[ParsedMessage]]:
    """Return the first floor that differs at all, and the messages from there on.

    Most files are the one that was read before, and longer: its messages are not held.
    """
    coming = iter(messages)
    while part := list(itertools.islice(coming, PIECE)):
        rows = store.messages.outline(branch_id, first, first + len(part) - 1)
        pairs = zip(rows, part, strict=False)
        same = sum(1 for _ in itertools.takewhile(lambda pair: _is_unchanged(*pair), pairs))
        first += same
        if same < len(part):
            return first, itertools.chain(part[same:], coming)
    return first, ()


def _is_unchanged(row: Outlined, message: ParsedMessage) -> bool:
    return row.swipe_hash == message.swipe_hash and _is_seen_so(row, message)


@dataclass(frozen=True, slots=True)
class _StoredLine:
    """A stored line: ``rows`` are its messages from floor ``first`` on."""

    store: ChatStore
    branch_id: str
    first: int
    rows: Sequence[Outlined]
    own: int  # how many of the rows it shares with its parent

    def shared_sayings(self, at: int) -> list[Saying]:
        """Return speakers and texts of the shared rows, from row ``at`` on."""
        first = self.first
        return self.store.messages.sayings(self.branch_id, first + at, first + self.own - 1)


def _common(line: _StoredLine, file_messages: Sequence[ParsedMessage]) -> int:
    """Count the messages at the start that line and file have in common."""
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
    """Return the alignment of a line, from floor ``base`` on, with the messages of a file."""
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


def _rest_renamed(
    store: ChatStore, branch_id: str, base: int, count: int, new: Sequence[ParsedMessage]
) -> tuple[ParsedMessage, ...]:
    """Return the rest of the line, renamed, if the copy only ends earlier and uses other names.

    ``count`` floors of the line stand beside ``new``. Returns () for any other copy.
    """
    end = base + len(new)
    if not 0 < len(new) < count:
        return ()
    sayings = store.messages.sayings(branch_id, base, end - 1)
    if any(saying.text != m.text for saying, m in zip(sayings, new, strict=True)):
        return ()
    renamed = renamed_speakers(sayings, map(_saying, new))
    rest = store.messages.as_parsed(branch_id, end, base + count - 1)
    return tuple(replace(m, name=renamed.get(m.name, m.name)) for m in rest)


def _name_apart(saying: Saying, speakers: Collection[str]) -> Saying:
    """Split a speaker's name off a text, where a request wrote it before the text ("name: ")."""
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


PIECE = 500  # messages whose texts are read at a time: the first difference is mostly near


def find_conflict(
    store: ChatStore, todo: Sync, choice: OnConflict, *, is_followed: bool = False
) -> CopyConflict | None:
    """Return the floors that would lose their text by ``todo``; None if there are none.

    A message loses its text if another text takes its place without keeping it as a swipe, or if it
    is deleted. Moving, hiding and renaming lose nothing. The copy is newer if it has the line's
    newest message and goes on after it; of a followed file, having that message is enough. Reads
    only.
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
    """Return rows, counted from the base, whose text is replaced without being kept as a swipe."""
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
    """Count the floors at the start of a line whose texts are equal in the copy."""
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


_T = QT_TRANSLATE_NOOP


def sync(
    store: ChatStore, ctx: JobContext, todo: Sync, aside: tuple[int, int] | None = None
) -> tuple[Rewritten, Changes, str]:
    """Carry out a plan as one undoable step. Raises Conflict if the line changed since planning.

    The floors ``aside`` are kept on a branch, whose id is returned. What was derived from changed
    messages becomes stale or is tombstoned in the same step. Unchanged messages keep their ids,
    vectors and events.
    """
    if todo.is_nothing:
        return Rewritten(), Changes(chat_id=store.chat_id), ""
    counts = {
        "changed": todo.changed + len(todo.views),
        "removed": todo.removed,
        "added": todo.added,
    }

    def unit() -> tuple[Rewritten, Changes, str]:
        check_unchanged(store, todo)
        label = StepLabel(FOLLOW, counts)
        with store.step(label):
            former = copy_to_branch(store, todo.branch_id, *aside) if aside else ""
            see_shared(store, todo)
            rewritten, changes = _rewrite(
                store, label, todo.branch_id, (todo.base, todo.script, todo.new, todo.tail)
            )
        return rewritten, replace(changes, branches=changes.branches or bool(former)), former

    return ctx.write(unit)


def check_unchanged(store: ChatStore, todo: Sync) -> None:
    """Raise Conflict if a line is no longer what it was when the plan was made."""
    now = store.messages
    is_same = now.line_mark(todo.branch_id, todo.first) == todo.mark
    if not is_same or tuple(now.hashes(todo.branch_id, todo.first)) != todo.read:
        raise Conflict(Phrase(_T("reports", "the chat has other messages now")))


def see_shared(store: ChatStore, todo: Sync) -> None:
    """Store names and flags a branch's file gives shared floors, in the caller's step."""
    if todo.views:
        first, last = todo.views[0][0], todo.views[-1][0]
        ids = {m.seq: m.id for m in store.messages.slice(todo.branch_id, first, last)}
        store.messages.shared.put(todo.branch_id, [(ids[n], m) for n, m in todo.views])


def edit_message(store: ChatStore, floor: int, text: str, branch_id: str = MAIN_BRANCH) -> Changes:
    """Change the text of a message, by an edit or a swipe. Raises NotFound."""
    message = _message(store, floor, branch_id)
    if message.text == text:
        return Changes(chat_id=store.chat_id)
    edited = replace(message, text=text, raw=_raw_with(message.raw, text))
    script = EditScript(((0, 0),), frozenset({0}))
    tail = store.messages.count(branch_id) - floor - 1
    label = StepLabel(EDIT_MESSAGE, {"floor": floor})
    return _rewrite(store, label, branch_id, (floor, script, (edited,), tail))[1]


def delete_messages(
    store: ChatStore, floors: Sequence[int], branch_id: str = MAIN_BRANCH
) -> Changes:
    """Delete the messages at these floors; later messages move up. Raises NotFound."""
    ordered = sorted(set(floors))
    if not ordered:
        return Changes(chat_id=store.chat_id)
    count = store.messages.count(branch_id)
    if ordered[0] < 0 or ordered[-1] >= count:
        raise NotFound("floor", ordered[-1] if ordered[0] >= 0 else ordered[0])
    first, last = ordered[0], ordered[-1]
    offsets = {floor - first for floor in ordered}
    messages = store.messages.as_parsed(branch_id, first, last)
    remaining = [n for n in range(len(messages)) if n not in offsets]
    script = EditScript(tuple((n, m) for m, n in enumerate(remaining)), frozenset())
    label = StepLabel(DELETE_MESSAGES, {"count": len(ordered)})
    new = tuple(messages[n] for n in remaining)
    return _rewrite(store, label, branch_id, (first, script, new, count - last - 1))[1]


def delete_last(store: ChatStore, count: int = 1, branch_id: str = MAIN_BRANCH) -> Changes:
    """Delete the ``count`` newest messages. Raises NotFound if there are fewer."""
    total = store.messages.count(branch_id)
    return delete_messages(store, range(total - count, total), branch_id)


def set_hidden(
    store: ChatStore, floors: Sequence[int], branch_id: str = MAIN_BRANCH, *, hidden: bool
) -> Changes:
    """Hide messages from the prompt or show them again. Memories of them stay in use."""
    ordered = sorted(set(floors))
    first_own = store.branches.first_own(branch_id)
    if ordered and ordered[0] < first_own:
        raise InputError(
            Phrase(
                _T(
                    "reports",
                    "Floor {floor} belongs to the branch this one was forked from:"
                    " change it there.",
                ),
                floor=ordered[0],
            )
        )
    if not ordered:
        return Changes(chat_id=store.chat_id)
    between = store.messages.slice(branch_id, ordered[0], ordered[-1])
    messages = [m for m in between if m.seq in set(ordered)]
    if len(messages) != len(ordered):
        raise NotFound("floor", ordered[-1])
    todo = [m for m in messages if m.is_hidden != hidden]
    if not todo:
        return Changes(chat_id=store.chat_id)
    label = StepLabel(HIDE if hidden else SHOW, {"count": len(todo)})
    with store.step(label):
        store.messages.set_hidden([m.id for m in todo], hidden=hidden)
    return Changes(chat_id=store.chat_id, messages=True, undo_label=label)


def insert_messages(
    store: ChatStore, floor: int, messages: Sequence[ParsedMessage], branch_id: str
) -> Changes:
    """Insert messages before a floor, or at the end; later messages move down."""
    label = StepLabel(ADD_MESSAGE, {"floor": floor})
    tail = store.messages.count(branch_id) - floor
    script = EditScript((), frozenset())
    return _rewrite(store, label, branch_id, (floor, script, tuple(messages), tail))[1]


def append_message(store: ChatStore, name: str, role: Role, text: str, branch_id: str) -> Changes:
    """Append a message to a line."""
    row = {"name": name, "is_user": role == "user", "is_system": False, "mes": text}
    raw = json.dumps(row, ensure_ascii=False)
    message = ParsedMessage(name, role, text, False, store.clock(), raw, 0)
    floor = store.messages.count(branch_id)
    label = StepLabel(ADD_MESSAGE, {"floor": floor})
    with store.step(label):
        store.messages.append(branch_id, floor, [message])
    return Changes(chat_id=store.chat_id, messages=True, undo_label=label)


def _rewrite(
    store: ChatStore,
    label: StepLabel,
    branch_id: str,
    plan: tuple[int, EditScript, Sequence[ParsedMessage], int],
) -> tuple[Rewritten, Changes]:
    base, script, new, tail = plan
    with store.step(label):
        rewritten = store.rewrite(branch_id, base, script, new, tail=tail)
    changes = Changes(
        chat_id=store.chat_id,
        events=frozenset(rewritten.stale | rewritten.gone | rewritten.moved),
        entities=frozenset(rewritten.entities),
        messages=True,
        rows=bool(rewritten.gone),
        order=bool(rewritten.moved),
        counts=bool(rewritten.gone or rewritten.stale),
        graph=bool(rewritten.gone or rewritten.entities),
        branches=bool(rewritten.branches),
        undo_label=label,
    )
    return rewritten, changes


def _message(store: ChatStore, floor: int, branch_id: str) -> ParsedMessage:
    messages = store.messages.as_parsed(branch_id, floor, floor)
    if not messages:
        raise NotFound("floor", floor)
    return messages[0]


def _raw_with(raw: str, text: str) -> str:
    """Put ``text`` into a message's raw JSON, in the chosen swipe too."""
    row = json.loads(raw)
    if not isinstance(row, dict):
        row = {}
    row["mes"] = text
    swipes, swipe_id = row.get("swipes"), row.get("swipe_id")
    if isinstance(swipes, list) and isinstance(swipe_id, int) and 0 <= swipe_id < len(swipes):
        swipes[swipe_id] = text
    return json.dumps(row, ensure_ascii=False)


BATCH = 500  # about 30 ms of writing
MAX_UNDOABLE = 20_000  # messages: an undo step holds them all once more (`storage.journal`)


@dataclass(frozen=True, slots=True)
class TakenCopy:
    """The result of importing a copy into a line: the branch it is on, and what changed."""

    rewritten: Rewritten
    changes: Changes
    branch_id: str
    conflict: CopyConflict | None = None

    @property
    def fork_floor(self) -> int | None:
        """Return the last floor the copy shares with the line, if it became a branch; else None."""
        made = self.conflict is not None and self.conflict.branch == self.branch_id
        return self.conflict.fork_floor if self.conflict and made else None


def carry_out(
    store: ChatStore,
    ctx: JobContext,
    todo: Sync,
    conflict: CopyConflict | None,
    source: tuple[str, str],
) -> TakenCopy:
    """Carry out a plan; most often it only appends. Raises Conflict.

    ``conflict`` is what the plan would remove, with the user's choice; ``source`` is the name of
    the copy and of its file.
    """
    branch_id = todo.branch_id
    if conflict is not None and conflict.choice == "skip":
        return TakenCopy(Rewritten(), Changes(chat_id=store.chat_id), branch_id, conflict)
    if conflict is not None and conflict.is_kept and not conflict.is_newer:
        return _branch_off(store, ctx, todo, conflict, source)
    old_count = todo.old_count
    if todo.base < old_count or todo.views:
        aside = conflict.floors if conflict and conflict.is_kept else None
        rewritten, changes, former = sync(store, ctx, todo, aside)
        kept = replace(conflict, branch=former) if conflict else None
        return TakenCopy(rewritten, changes, branch_id, kept)
    place = AppendPlace(branch_id, old_count)
    changes = append(store, ctx, place, iter(todo.new), len(todo.new))
    return TakenCopy(Rewritten(added=len(todo.new)), changes, branch_id, conflict)


def _branch_off(
    store: ChatStore, ctx: JobContext, todo: Sync, conflict: CopyConflict, source: tuple[str, str]
) -> TakenCopy:
    """Leave a line as it is, and make a branch of the copy."""
    branch = NewBranch(todo.branch_id, conflict.fork_floor + 1, *source)
    branch_id, changes = add_branch(store, ctx, branch, todo.new, todo)
    added = todo.base + len(todo.new) - branch.common
    return TakenCopy(
        Rewritten(added=added), changes, branch_id, replace(conflict, branch=branch_id)
    )


@dataclass(frozen=True, slots=True)
class NewBranch:
    """A branch to make: it shares ``common`` floors with ``parent``. ``file`` is its source."""

    parent: str
    common: int
    name: str
    file: str


def add_branch(
    store: ChatStore,
    ctx: JobContext,
    branch: NewBranch,
    messages: Sequence[ParsedMessage],
    todo: Sync | None = None,
) -> tuple[str, Changes]:
    """Make a branch of ``messages``; the fork and its own messages are one undoable step.

    ``messages`` begin at floor 0, or at the base of ``todo``, a plan for the parent. Raises
    Conflict if the parent changed since that was planned.
    """
    common, first = branch.common, todo.base if todo else 0

    def fork() -> tuple[str, int]:
        if todo is not None:
            check_unchanged(store, todo)
        return fork_step(store, branch.parent, common - 1, branch.name, source=branch.file)

    forked, group = ctx.write(fork)
    own = messages[common - first :]
    changes = append(store, ctx, AppendPlace(forked, common, group), iter(own), len(own))
    shared = plan_sync(store, forked, messages[: common - first], first=first)
    if todo is not None:
        shared = replace(shared, views=(*todo.views, *shared.views))
    if shared.views:

        def see() -> None:
            label = StepLabel(FORK, {"name": branch.name, "floor": common - 1})
            with store.step(label, group):
                see_shared(store, shared)

        ctx.write(see)
    return forked, changes | Changes(chat_id=store.chat_id, messages=True, branches=True)


@dataclass(frozen=True, slots=True)
class AppendPlace:
    """Where messages are appended: branch, floor, and the undo group to join."""

    branch_id: str
    first: int
    group: int | None = None
    is_new: bool = False  # the chat is being imported: nothing to undo


def append(
    store: ChatStore,
    ctx: JobContext,
    place: AppendPlace,
    messages: Iterator[ParsedMessage],
    count: int,
) -> Changes:
    """Append in short transactions; a small addition to an existing chat is one undoable step."""
    label = StepLabel(IMPORT, {"count": count})
    is_growing = place.first > 0 and not place.is_new
    is_step = place.group is not None or (is_growing and count <= MAX_UNDOABLE)
    group = place.group
    at = place.first
    while part := list(itertools.islice(messages, BATCH)):
        ctx.report(at - place.first, count, "import")

        def write(
            at: int = at, rows: Sequence[ParsedMessage] = part, group: int | None = group
        ) -> int | None:
            if not is_step:
                with store.database.writing():
                    store.messages.append(place.branch_id, at, rows)
                return None
            with store.step(label, group) as joined:
                store.messages.append(place.branch_id, at, rows)
            return joined

        group = ctx.write(write)
        at += len(part)
    ctx.report(count, count, "import")
    return Changes(
        chat_id=store.chat_id, messages=count > 0, undo_label=label if is_step and count else None
    )
