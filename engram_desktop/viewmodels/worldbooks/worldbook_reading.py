"""What the page of worldbooks reads in one go, on a lane of its own: never on the GUI thread.

The worldbook that the memory of the chat shown makes is one of them, though it is not stored.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.listed.budget import Budget, budget_in, budget_of
from engram_desktop.domain.worldbooks.merging.kept_worldbook import KeptWorldbook
from engram_desktop.domain.worldbooks.worldbook import Worldbook, WorldbookRow
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.worldbooks.activation import Outcome

MEMORY = "[Engram]"  # stands for the id that the chat's own worldbook does not have
Uid = int | str


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the page shows of the library: all worldbooks, and ids of those that are on here.

    ``title`` names the worldbook the chat's memory makes, "" without a chat; ``kept`` are the files
    it is kept in, ``suggested`` is a name for another. ``missing`` are names of worldbooks that
    should be on here and are not in the library.
    """

    rows: tuple[WorldbookRow, ...] = ()
    bound: frozenset[str] = frozenset()
    title: str = ""
    kept: tuple[KeptWorldbook, ...] = ()
    suggested: Path = field(default_factory=Path)
    missing: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()  # ids of those bound to this very chat
    chat_id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)  # names of SillyTavern's, by id
    cards: tuple[str, ...] = ()  # files of characters, as entries name them


@dataclass(frozen=True, slots=True)
class Opened:
    """The worldbook that is shown: its entries, their tokens, and what each would do now."""

    id: str
    worldbook: Worldbook
    tokens: Mapping[Uid, int]
    outcomes: Mapping[Uid, Outcome]
    events: Mapping[Uid, int] = field(default_factory=dict)  # keys, of entries that tell of one
    unknown: Mapping[Uid, tuple[str, ...]] = field(default_factory=dict)  # macros without a meaning
    budget: Budget | None = None  # None for a memory's own: nobody edits it here


@dataclass(frozen=True, slots=True)
class Reading:
    """All there is on the page, and how long it took to read."""

    shelf: Shelf
    opened: Opened | None
    took_ms: int


def read_page(ctx: JobContext, memory: Memory, line: Line, worldbook_id: str) -> Reading:
    """Read the shelf and the worldbook ``worldbook_id``, held against the chat of ``line``."""
    start = time.monotonic()
    shelf = read_shelf(memory, line)
    row = next((row for row in shelf.rows if row.id == worldbook_id), None)
    opened: Opened | None = None
    if worldbook_id == MEMORY and shelf.title:
        opened = _memory_worldbook(ctx, memory, shelf, line)
    elif row is not None:
        opened = _stored(ctx, memory, shelf, row, line)
    return Reading(shelf, opened, round(1000 * (time.monotonic() - start)))


def read_shelf(memory: Memory, line: Line) -> Shelf:
    cards = dict.fromkeys(PurePath(row.avatar).stem for row in memory.characters.all())
    shelf = Shelf(
        tuple(memory.worldbooks.all()),
        tags=memory.characters.tag_names(line.chat_id or None),
        cards=tuple(filter(None, cards)),
    )
    if not line.chat_id:
        return shelf
    return replace(
        shelf,
        bound=frozenset(row.id for row in memory.worldbooks.of_chat(line)),
        title=memory.kept.title(line.chat_id),
        kept=tuple(row for row in memory.kept.all(line.chat_id) if row.branch_id == line.branch_id),
        suggested=memory.kept.suggested_file(line.chat_id),
        missing=tuple(memory.worldbooks.missing(line)),
        own=frozenset(memory.worldbooks.bound_to(line.chat_id)),
        chat_id=line.chat_id,
    )


def _stored(ctx: JobContext, memory: Memory, shelf: Shelf, row: WorldbookRow, line: Line) -> Opened:
    worldbook = memory.worldbooks.read(row.id)
    outcomes: dict[Uid, Outcome] = {}
    unknown: dict[Uid, tuple[str, ...]] = {}
    budget = budget_of(memory.worldbooks.budget(), worldbook)
    if line.chat_id:
        unknown = memory.prompts.unknown_in_chat(
            line, {e.uid: e.content for e in worldbook.entries}
        )
        names = [r.id for r in shelf.rows if r.id in shelf.bound or r.id == row.id]
        activation = memory.worldbooks.activate(ctx, line, names)
        outcomes = {o.key[1]: o for o in activation.outcomes if o.key[0] == row.name}
        budget = budget_in(activation, row.name)
    return Opened(row.id, worldbook, _tokens(worldbook), outcomes, unknown=unknown, budget=budget)


def _memory_worldbook(ctx: JobContext, memory: Memory, shelf: Shelf, line: Line) -> Opened:
    """Make the chat's own worldbook and hold it against the chat with those that are on there."""
    source = memory.kept.memory_worldbook(ctx, line)
    worldbook = source.as_worldbook(ctx)
    activation = memory.worldbooks.activate(ctx, line, [*sorted(shelf.bound), worldbook])
    outcomes = {o.key[1]: o for o in activation.outcomes if o.key[0] == worldbook.name}
    tokens = {uid: outcome.tokens for uid, outcome in outcomes.items()}
    return Opened(MEMORY, worldbook, tokens, outcomes, source.events)


def _tokens(worldbook: Worldbook) -> dict[Uid, int]:
    return {entry.uid: entry.tokens for entry in worldbook.entries}
