"""Make a line what was planned, or a branch of what a copy tells otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import FORK, IMPORT, StepLabel
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import CopyConflict
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.branching import fork_step
from engram_desktop.services.chats.line_plan import Sync, plan_sync
from engram_desktop.services.chats.timeline import check_unchanged, see_shared, sync
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.timeline import Rewritten

BATCH = 500  # about 30 ms of writing
MAX_UNDOABLE = 20_000  # messages: an undo step holds them all once more (`storage.journal`)


@dataclass(frozen=True, slots=True)
class Taken:
    """What taking a copy into a line did: on which branch it stands now, and how."""

    rewritten: Rewritten
    changes: Changes
    branch_id: str
    conflict: CopyConflict | None = None

    @property
    def fork_floor(self) -> int | None:
        """The last floor the copy shares with the line, if it became a branch."""
        made = self.conflict is not None and self.conflict.branch == self.branch_id
        return self.conflict.fork_floor if self.conflict and made else None


def carry_out(
    store: ChatStore,
    ctx: JobContext,
    todo: Sync,
    conflict: CopyConflict | None,
    source: tuple[str, str],
) -> Taken:
    """Make a line what was planned: most often it only goes on. Raises Conflict.

    ``conflict`` is what that would take away, with the choice what becomes of it; ``source`` are
    the name of the copy and of its file.
    """
    branch_id = todo.branch_id
    if conflict is not None and conflict.choice == "skip":
        return Taken(Rewritten(), Changes(chat_id=store.chat_id), branch_id, conflict)
    if conflict is not None and conflict.is_kept and not conflict.is_newer:
        return _branch_off(store, ctx, todo, conflict, source)
    old_count = todo.old_count
    if todo.base < old_count or todo.views:
        aside = conflict.floors if conflict and conflict.is_kept else None
        rewritten, changes, former = sync(store, ctx, todo, aside)
        kept = replace(conflict, branch=former) if conflict else None
        return Taken(rewritten, changes, branch_id, kept)
    place = Place(branch_id, old_count)
    changes = append(store, ctx, place, iter(todo.new), len(todo.new))
    return Taken(Rewritten(added=len(todo.new)), changes, branch_id, conflict)


def _branch_off(
    store: ChatStore,
    ctx: JobContext,
    todo: Sync,
    conflict: CopyConflict,
    source: tuple[str, str],
) -> Taken:
    """Leave a line as it is, and make a branch of what a copy tells otherwise."""
    branch = NewBranch(todo.branch_id, conflict.fork_floor + 1, *source)
    branch_id, changes = add_branch(store, ctx, branch, todo.new, todo)
    added = todo.base + len(todo.new) - branch.common
    return Taken(Rewritten(added=added), changes, branch_id, replace(conflict, branch=branch_id))


@dataclass(frozen=True, slots=True)
class NewBranch:
    """A branch to be made: it shares ``common`` floors with ``parent``. ``file`` is its source."""

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
    """Make a branch of ``messages``, one step with those that are its own.

    They begin at floor 0, or at the base of ``todo``, a plan for the parent. Raises Conflict if the
    parent is no longer what was planned for.
    """
    common, first = branch.common, todo.base if todo else 0

    def fork() -> tuple[str, int]:
        if todo is not None:
            check_unchanged(store, todo)
        return fork_step(store, branch.parent, common - 1, branch.name, source=branch.file)

    forked, group = ctx.write(fork)
    own = messages[common - first :]
    changes = append(store, ctx, Place(forked, common, group), iter(own), len(own))
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
class Place:
    """Where messages are appended: branch, floor, and the undo group they belong to."""

    branch_id: str
    first: int
    group: int | None = None
    is_new: bool = False  # the chat is only being made: there is nothing to go back to


def append(
    store: ChatStore, ctx: JobContext, place: Place, messages: Iterator[ParsedMessage], count: int
) -> Changes:
    """Append in short transactions; a small addition to a chat is one undoable step."""
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
        chat_id=store.chat_id,
        messages=count > 0,
        undo_label=label if is_step and count else None,
    )
