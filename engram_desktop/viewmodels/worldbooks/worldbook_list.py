"""The worldbooks of the library, the entries of one, and which of them fire in the shown chat.

Every change is a step of the library's history. The page is read as a whole on a lane; the
worldbook made of the shown chat's memory is listed too, though it is not stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.listed import Budget, budget_in, budget_of
from engram_desktop.domain.worldbooks.merging import KeptWorldbook
from engram_desktop.domain.worldbooks.worldbook import (
    Entry,
    EntryMode,
    Worldbook,
    WorldbookRow,
    mode_flags,
    with_fields,
)
from engram_desktop.jobs.context import JobContext, empty_in_portions
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel
from engram_desktop.viewmodels.worldbooks.entry_table import (
    Arrangement,
    Arranging,
    EntryTable,
    ListedEntries,
)
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf

if TYPE_CHECKING:
    from engram_desktop.domain.worldbooks.activation import Outcome


MEMORY = "[Engram]"  # used as the id of the chat's own worldbook, which is not stored
Uid = int | str


@dataclass(frozen=True, slots=True)
class Shelf:
    """The worldbooks of the library, and the ids of those active in the shown chat.

    ``title`` is that of the chat's own worldbook, "" without a chat; ``kept`` are its kept files,
    ``suggested`` is a file name for another. ``missing`` are names of worldbooks that should be
    active and are not in the library.
    """

    rows: tuple[WorldbookRow, ...] = ()
    bound: frozenset[str] = frozenset()
    title: str = ""
    kept: tuple[KeptWorldbook, ...] = ()
    suggested: Path = field(default_factory=Path)
    missing: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()  # ids of those bound to this chat itself
    chat_id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)  # SillyTavern's names, by id
    cards: tuple[str, ...] = ()  # files of characters, as named in entries


@dataclass(frozen=True, slots=True)
class Opened:
    """The shown worldbook: its entries, their tokens, and the current effect of each."""

    id: str
    worldbook: Worldbook
    tokens: Mapping[Uid, int]
    outcomes: Mapping[Uid, Outcome]
    events: Mapping[Uid, int] = field(default_factory=dict)  # keys, of entries of one event
    unknown: Mapping[Uid, tuple[str, ...]] = field(default_factory=dict)  # macros without a meaning
    budget: Budget | None = None  # None for the chat's own worldbook: its budget is not edited here


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of the page, with the listed entries and the duration of the read."""

    shelf: Shelf
    opened: Opened | None
    listed: ListedEntries
    took_ms: int


def read_page(
    ctx: JobContext, memory: Memory, line: Line, worldbook_id: str, arrangement: Arrangement
) -> Reading:
    """Read the shelf and the worldbook ``worldbook_id``, activated against the chat of ``line``."""
    start = time.monotonic()
    shelf = read_shelf(memory, line)
    row = next((row for row in shelf.rows if row.id == worldbook_id), None)
    opened: Opened | None = None
    if worldbook_id == MEMORY and shelf.title:
        opened = _memory_worldbook(ctx, memory, shelf, line)
    elif row is not None:
        opened = _stored(ctx, memory, shelf, row, line)
    listed = arrangement.of((), {}, {})
    if opened is not None:
        listed = arrangement.of(opened.worldbook.entries, opened.outcomes, opened.tokens)
    return Reading(shelf, opened, listed, round(1000 * (time.monotonic() - start)))


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
    """Make the chat's own worldbook, and activate it together with the active worldbooks."""
    source = memory.kept.memory_worldbook(ctx, line)
    worldbook = source.as_worldbook(ctx)
    rows, events = list(source.rows), source.events
    del source
    empty_in_portions(rows)
    activation = memory.worldbooks.activate(ctx, line, [*sorted(shelf.bound), worldbook])
    outcomes = {o.key[1]: o for o in activation.outcomes if o.key[0] == worldbook.name}
    tokens = {uid: outcome.tokens for uid, outcome in outcomes.items()}
    return Opened(MEMORY, worldbook, tokens, outcomes, events)


def _tokens(worldbook: Worldbook) -> dict[Uid, int]:
    return {entry.uid: entry.tokens for entry in worldbook.entries}


SETTLE_MS = 300  # milliseconds without changes: a pipeline changes memory many times a second
LONG_MS = 1_000
LONGEST_SETTLE_MS = 10_000  # one read of 100,000 events; bounds how old the list may be


@dataclass(frozen=True, slots=True)
class _Changed:
    changes: Changes
    added_uid: Uid | None = None


class WorldbookList(WorkspaceModel):
    """State and commands of the worldbooks page. It reads only while active (`set_active`)."""

    listed = Signal(object)  # Shelf
    opened = Signal(object)  # WorldbookRow or None: the worldbook whose entries are shown
    reading_changed = Signal(bool)  # whether a long worldbook is being read
    shown = Signal(object)  # Entry or None: the one being edited
    chosen_changed = Signal(object)  # tuple of Entry: the selected ones
    title_wanted = Signal()  # the title of the edited entry is to be typed
    leaving = Signal()  # typed texts must be saved now

    def __init__(
        self,
        workspace: Workspace,
        undo: UndoActions,
        shelf: MemoryShelf,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.entries = EntryTable(self)
        self.arranging = Arranging(workspace, self.entries, self._change_each, self)
        self.memory = shelf
        self.budget: Budget | None = None
        self.shelf = Shelf()
        self.row: WorldbookRow | None = None
        self.is_memory = False  # the chat's own worldbook is shown
        self.current: Entry | None = None
        self.chosen: tuple[Entry, ...] = ()
        self._took_ms = 0  # duration of the last read
        self._events: Mapping[Uid, int] = {}
        self._unknown: Mapping[Uid, tuple[str, ...]] = {}
        self._wanted_uid: Uid | None = None
        self._lost_id = ""  # a shown worldbook that is gone; it may return
        self.is_loaded = False  # whether the list has been read
        self._query = LiveQuery(
            workspace,
            "books",
            self._ask,
            self._show,
            concerns=self._concerns,
            parent=self,
        )
        self._query.set_active(False)
        self._query.busy_changed.connect(self.reading_changed)
        self._kept = newest_answer(workspace, self._show_shelf, self)
        self._arranged = newest_answer(workspace, self.entries.show, self)
        self.entries.arranging_wanted.connect(self._arrange)
        self.memory.changed.connect(self._on_kept_changed)

    @property
    def open_id(self) -> str:
        """Return the id of the shown worldbook; "" for none."""
        return MEMORY if self.is_memory else self.row.id if self.row else ""

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Set whether the page is shown."""
        self._query.set_active(active)

    @Slot()
    def read(self) -> None:
        """Read the shelf and the open worldbook, and activate it against the shown chat."""
        self._query.read()

    def open(self, worldbook_id: str) -> None:
        """Show the entries of a worldbook."""
        self._lost_id = ""
        self.show_entry(None)
        self.choose(())
        if worldbook_id != self.open_id:
            self.entries.unfold_all()
        self.is_memory = worldbook_id == MEMORY
        self.row = next((row for row in self.shelf.rows if row.id == worldbook_id), None)
        self.read()

    def open_entry(self, worldbook_id: str, uid: Uid) -> None:
        """Show a worldbook and one of its entries."""
        self._wanted_uid = uid
        if any(row.id == worldbook_id for row in self.shelf.rows):
            self.open(worldbook_id)
        else:  # the shelf is not read yet
            self._lost_id = worldbook_id
            self.read()

    def event_of(self, entry: Entry) -> int | None:
        """Return the key of the event that an entry of the chat's own worldbook was made of."""
        return self._events.get(entry.uid) if self.is_memory else None

    def unknown_in(self, entry: Entry) -> tuple[str, ...]:
        """Return the macros in an entry's text that have no meaning in the shown chat."""
        return self._unknown.get(entry.uid, ())

    def show_event(self, entry: Entry) -> None:
        """Show the event that an entry was made of."""
        key = self.event_of(entry)
        if key is not None:
            self._space.event_wanted.emit(key)

    def show_entry(self, uid: Uid | None) -> None:
        """Show an entry beside the list."""
        if self.current is not None and self.current.uid != uid:
            self.leaving.emit()
        self.current = self.entries.entry(uid)
        self.shown.emit(self.current)

    def choose(self, uids: Sequence[Uid]) -> None:
        """Select entries; typed texts are saved first, to the entry they belong to."""
        if [entry.uid for entry in self.chosen] != list(uids):
            self.leaving.emit()
        entries = (self.entries.entry(uid) for uid in uids)
        self.chosen = tuple(entry for entry in entries if entry is not None)
        self.chosen_changed.emit(self.chosen)

    def edit(self, **fields: Any) -> None:
        """Change fields of all selected entries; equal values are ignored."""
        entries = self.chosen if len(self.chosen) > 1 else (self.current,)
        uids = [e.uid for e in entries if e is not None and with_fields(e, fields) != e]
        if uids:
            text = self.tr("Saving an entry")
            if len(uids) > 1:
                text = self.tr("Changing %n entry(ies)", "", len(uids))
            self._change_entries(text, uids, fields)

    def edit_one(self, uid: Uid | None = None, **fields: Any) -> None:
        """Change fields of the shown entry only, or of entry ``uid``."""
        entry = self.current if uid is None else self.entries.entry(uid)
        if entry is not None and with_fields(entry, fields) != entry:
            self._change_entries(self.tr("Saving an entry"), [entry.uid], fields)

    def tell_how_to_move(self) -> None:
        """Show a message that entries can be moved when sorted by order, with a button for it."""
        text = self.tr("Entries are moved where they are all listed by order")
        show = partial(self.arranging.sort, "order")
        self._space.messages.show(Notice("info", text, "", self.tr("Sort by order"), show))

    def set_mode(self, uids: Sequence[Uid], mode: EntryMode) -> None:
        """Set the mode of these entries."""
        if uids:
            text = self.tr("Changing %n entry(ies)", "", len(uids))
            self._change_entries(text, uids, mode_flags(mode))

    def add(self) -> None:
        """Add an empty entry and show it."""
        heading = self.current.heading if self.current is not None else ""
        entry = Entry(0, comment=self.tr("New entry"), heading=heading)

        def work(memory: Memory, worldbook_id: str) -> _Changed:
            added, changes = memory.worldbooks.add_entry(worldbook_id, entry)
            return _Changed(changes, added.uid)

        if self.row is not None:
            self._change(self.tr("Adding an entry"), work)

    def delete(self, uids: Sequence[Uid]) -> None:
        """Delete entries from the worldbook."""
        if uids and self.row is not None:
            job = self._change(
                self.tr("Deleting %n entry(ies)", "", len(uids)),
                lambda memory, worldbook_id: _Changed(
                    memory.worldbooks.delete_entries(worldbook_id, uids)
                ),
            )
            text = self.tr("%n entry(ies) deleted", "", len(uids))
            job.succeeded.connect(lambda result: self._undo.offer(text, result.changes.undo_label))

    @property
    def others(self) -> tuple[WorldbookRow, ...]:
        """Return the other worldbooks of the library."""
        return tuple(row for row in self.shelf.rows if row.id != self.open_id)

    def hand_on(self, uids: Sequence[Uid], target: WorldbookRow) -> None:
        """Move entries to another worldbook."""
        job = self._change(
            self.tr("Moving %n entry(ies)", "", len(uids)),
            lambda memory, worldbook_id: _Changed(
                memory.worldbooks.hand_on_entries(worldbook_id, uids, target.id)
            ),
        )
        text = self.tr("%n entry(ies) moved to “{name}”", "", len(uids)).format(name=target.name)
        job.succeeded.connect(lambda result: self._undo.offer(text, result.changes.undo_label))

    def set_global(self, *, is_global: bool) -> None:
        """Make the open worldbook active in every chat, or only where it is bound."""
        row, memory = self.row, self._space.memory
        if row is not None and row.is_global != is_global:
            self._space.change(
                self.tr("Binding a world book"),
                lambda _ctx: memory.worldbooks.set_global(row.id, is_global=is_global),
            )

    def set_in_chat(self, *, is_on: bool) -> None:
        """Bind the open worldbook to the shown chat, or unbind it."""
        row, chat, memory = self.row, self._space.chat_id, self._space.memory
        if row is not None and chat:
            self._space.change(
                self.tr("Binding a world book"),
                lambda _ctx: memory.worldbooks.set_in_chat(row.id, chat, is_on=is_on),
            )

    def rename_worldbook(self, name: str) -> None:
        """Rename the open worldbook."""
        row, memory = self.row, self._space.memory
        if row is not None:
            self._space.change(
                self.tr("Renaming a world book"),
                lambda _ctx: memory.worldbooks.rename(row.id, name),
            )

    def delete_worldbook(self) -> None:
        """Delete the open worldbook from the library."""
        row, memory = self.row, self._space.memory
        if row is not None:
            job = self._space.change(
                self.tr("Removing a world book"), lambda _ctx: memory.worldbooks.delete(row.id)
            )
            text = self.tr("The world book “{name}” was deleted").format(name=row.name)
            job.succeeded.connect(lambda changes: self._undo.offer(text, changes.undo_label))

    def export(self, target: Path) -> None:
        """Write the open worldbook to a new file."""
        row, memory = self.row, self._space.memory
        if row is not None:
            job = self._space.run(
                self.tr("Exporting"), lambda ctx: memory.worldbooks.export(ctx, row.id, target)
            )
            job.succeeded.connect(self._on_exported)

    def _change_entries(self, text: str, uids: Sequence[Uid], fields: Mapping[str, Any]) -> None:
        if self.row is not None:  # the chat's own worldbook is changed through its memory only
            self._change(
                text,
                lambda memory, worldbook_id: _Changed(
                    memory.worldbooks.change_entries(worldbook_id, uids, fields)
                ),
            )

    def _change_each(
        self, text: str, fields_by_uid: Mapping[Uid, Mapping[str, Any]], label: StepLabel
    ) -> None:
        """Change different fields of entries; the message offers to undo it."""
        if self.row is None:
            return
        self.leaving.emit()
        job = self._change(
            text,
            lambda memory, worldbook_id: _Changed(
                memory.worldbooks.change_each(worldbook_id, fields_by_uid, label)
            ),
        )
        told = self.tr("%n entry(ies) changed", "", len(fields_by_uid))
        job.succeeded.connect(lambda result: self._undo.offer(told, result.changes.undo_label))

    def _change(self, text: str, work: Callable[[Memory, str], _Changed]) -> JobHandle:
        memory, worldbook_id = self._space.memory, self.open_id
        job = self._space.change(text, lambda _ctx: work(memory, worldbook_id))
        job.succeeded.connect(self._on_done)
        return job

    @Slot(object)
    def _on_done(self, result: _Changed) -> None:
        self._wanted_uid = result.added_uid

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        text = self.tr("World book of %n entry(ies) written", "", count)
        self._space.messages.tell(text, kind="success")

    def _ask(self) -> Callable[[JobContext], Reading]:
        memory, worldbook_id = self._space.memory, self.open_id
        line = self._space.line
        self._kept.drop()  # the shelf is read along
        self._set_pace()
        arrangement = self.entries.arrangement
        return lambda ctx: read_page(ctx, memory, line, worldbook_id, arrangement)

    @Slot(object)
    def _arrange(self, listed: ListedEntries) -> None:
        """Arrange a long list on another thread, and show it."""
        arrangement = self.entries.arrangement
        self._arranged.ask(
            lambda _ctx: arrangement.of(listed.entries, listed.outcomes, listed.tokens)
        )

    def _set_pace(self) -> None:
        """Choose the lane: slow reads run on ``follow``."""
        is_long = self.is_memory or self._took_ms > LONG_MS
        self._query.lane = "follow" if is_long else "interactive"
        self._query.settle_ms = SETTLE_MS if self.is_memory else 0

    def _show(self, reading: Reading) -> None:
        self._took_ms = reading.took_ms
        if self.is_memory and self._took_ms > LONG_MS:
            # It is made again when memory was quiet for as long as that takes.
            self._query.settle_ms = min(self._took_ms, LONGEST_SETTLE_MS)
        self.is_loaded = True
        self.shelf = shelf = reading.shelf
        rows = {row.id: row for row in shelf.rows}
        if self.open_id not in {*rows, MEMORY, ""}:
            self._lost_id = self.open_id
        self.row = rows.get(self.open_id)
        self.is_memory = self.is_memory and bool(shelf.title)
        self.listed.emit(shelf)
        lost = self._lost_id
        if lost in rows:
            self.open(lost)
            return
        if not self.open_id and (rows or shelf.title):
            first = next((i for i in rows if i in shelf.bound), next(iter(rows), MEMORY))
            self.open(first)
            self._lost_id = lost
            return
        opened = reading.opened
        if opened is None:
            self._events, self._unknown, self.budget = {}, {}, None
        else:
            self._events, self._unknown = opened.events, opened.unknown
            self.budget = opened.budget
        self._arranged.drop()  # of the list shown before
        self.entries.show(reading.listed)
        self.opened.emit(self.row)
        uid = self.current.uid if self.current else None
        if self._wanted_uid is not None and self.entries.entry(self._wanted_uid):
            uid, self._wanted_uid = self._wanted_uid, None
        self.choose([entry.uid for entry in self.chosen])
        self.show_entry(uid)

    @Slot()
    def _on_kept_changed(self) -> None:
        """Read only the shelf: the entries are unchanged."""
        if not self._query.is_active:
            return
        if self._query.is_busy:
            self._query.refresh()
            return
        memory, line = self._space.memory, self._space.line
        self._kept.ask(lambda _ctx: read_shelf(memory, line))

    @Slot(object)
    def _show_shelf(self, shelf: Shelf) -> None:
        self.is_loaded = True
        self.shelf = shelf
        self.listed.emit(shelf)

    def _concerns(self, changes: Changes) -> bool:
        if self.is_memory:
            is_memory_touched = changes.has_memory or changes.trust or changes.messages
            is_touched = is_memory_touched or changes.worldbooks or changes.settings
            return is_touched and changes.chat_id in (None, self._space.chat_id)
        return changes.worldbooks or changes.messages or changes.settings
