"""The world books of the library, the entries of one, and what would fire in the chat shown.

Every change can be taken back while the window is open: the book as it was is held until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.activation import Outcome
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.worldbook import Book, BookRow, Entry, EntryMode, mode_flags
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.entry_table import EntryTable
from engram_desktop.viewmodels.workspace import Workspace

MAX_UNDO = 30
Uid = int | str


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the page shows of the library: all books, and ids of those that are on here."""

    rows: tuple[BookRow, ...] = ()
    bound: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Read:
    number: int
    shelf: Shelf
    book: Book | None
    outcomes: dict[Uid, Outcome]


@dataclass(frozen=True, slots=True)
class _Changed:
    before: tuple[str, bytes]
    changes: Changes
    made: Uid | None = None


class BookList(QObject):
    """State and commands of the page of world books. It reads only while `set_active`."""

    listed = Signal(object)  # Shelf
    opened = Signal(object)  # BookRow or None: the book whose entries are shown
    shown = Signal(object)  # Entry or None: the one being edited
    leaving = Signal()  # what is still being typed is to be saved now
    undo_changed = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.entries = EntryTable(self)
        self.shelf = Shelf()
        self.row: BookRow | None = None
        self.current: Entry | None = None
        self._wanted_uid: Uid | None = None
        self._undo: list[tuple[str, bytes]] = []
        self._is_active = False
        self._generation = 0
        workspace.chat_changed.connect(self._on_chat_changed)
        workspace.hub.changed.connect(self._on_changed)

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Say whether the page is seen."""
        if active and not self._is_active:
            self._is_active = True
            self.read()
        self._is_active = active

    @Slot()
    def read(self) -> None:
        """Read the shelf, the open book, and hold it against the chat shown."""
        self._generation += 1
        number, memory, chat = self._generation, self._space.memory, self._space.chat_id
        branch, wanted = self._space.branch_id, self.row.id if self.row else ""
        job = self._space.look_up(lambda ctx: _read(ctx, memory, number, (chat, branch), wanted))
        job.succeeded.connect(self._show)

    def open(self, book_id: str) -> None:
        """Show the entries of a book."""
        self.show_entry(None)
        self.row = next((row for row in self.shelf.rows if row.id == book_id), None)
        self.read()

    def show_entry(self, uid: Uid | None) -> None:
        """Show an entry beside the list."""
        if self.current is not None and self.current.uid != uid:
            self.leaving.emit()
        self.current = self.entries.entry(uid)
        self.shown.emit(self.current)

    # --- changing ---

    def edit(self, **fields: Any) -> None:
        """Give the entry shown other values; equal ones are no change."""
        entry = self.current
        if entry is None:
            return
        new = {name: value for name, value in fields.items() if getattr(entry, name) != value}
        if new:
            self._change_entries(self.tr("Saving an entry"), [entry.uid], new)

    def set_mode(self, uids: Sequence[Uid], mode: EntryMode) -> None:
        """Give every one of these entries a lamp."""
        if uids:
            text = self.tr("Changing %n entry(ies)", "", len(uids))
            self._change_entries(text, uids, mode_flags(mode))

    def add(self) -> None:
        """Add an empty entry and show it."""
        entry = Entry(0, comment=self.tr("New entry"))

        def work(memory: Memory, book_id: str) -> tuple[Changes, Uid | None]:
            made, changes = memory.add_entry(book_id, entry)
            return changes, made.uid

        self._change(self.tr("Adding an entry"), work)

    def delete(self, uids: Sequence[Uid]) -> None:
        """Take entries out of the book."""
        if uids:
            self._change(
                self.tr("Deleting %n entry(ies)", "", len(uids)),
                lambda memory, book_id: (memory.delete_entries(book_id, uids), None),
            )

    @Slot()
    def undo(self) -> None:
        """Take back the newest change of a book."""
        if self._undo:
            book_id, content = self._undo.pop()
            self.undo_changed.emit(bool(self._undo))
            memory = self._space.memory
            self._space.change(
                self.tr("Taking back"), lambda _ctx: memory.set_book_content(book_id, content)
            )

    def set_global(self, *, is_global: bool) -> None:
        """Bind the open book to every chat, or only to those of its character."""
        row, memory = self.row, self._space.memory
        if row is not None and row.is_global != is_global:
            self._space.change(
                self.tr("Binding a world book"),
                lambda _ctx: memory.set_book_global(row.id, is_global=is_global),
            )

    def delete_book(self) -> None:
        """Take the open book out of the library."""
        row, memory = self.row, self._space.memory
        if row is not None:
            self._undo = [step for step in self._undo if step[0] != row.id]
            self.undo_changed.emit(bool(self._undo))
            self._space.change(
                self.tr("Removing a world book"), lambda _ctx: memory.delete_book(row.id)
            )

    def export(self, target: Path) -> None:
        """Write the open book to a new file."""
        row, memory = self.row, self._space.memory
        if row is not None:
            job = self._space.change(
                self.tr("Exporting"), lambda ctx: memory.export_book(ctx, row.id, target)
            )
            job.succeeded.connect(self._on_exported)

    # --- inside ---

    def _change_entries(self, text: str, uids: Sequence[Uid], fields: Mapping[str, Any]) -> None:
        self._change(
            text, lambda memory, book_id: (memory.change_entries(book_id, uids, fields), None)
        )

    def _change(self, text: str, work: Callable[[Memory, str], tuple[Changes, Uid | None]]) -> None:
        row, memory = self.row, self._space.memory
        if row is None:
            return

        def run(_ctx: JobContext) -> _Changed:
            before = memory.book_content(row.id)
            return _Changed((row.id, before), *work(memory, row.id))

        job = self._space.change(text, run)
        job.succeeded.connect(self._on_done)

    @Slot(object)
    def _on_done(self, done: _Changed) -> None:
        self._undo = [*self._undo[1 - MAX_UNDO :], done.before]
        self.undo_changed.emit(True)
        self._wanted_uid = done.made

    @Slot(object)
    def _on_exported(self, count: int) -> None:
        text = self.tr("World book of %n entry(ies) written", "", count)
        self._space.messages.tell(text, kind="success")

    @Slot(object)
    def _show(self, read: _Read) -> None:
        if read.number != self._generation:
            return
        self.shelf = read.shelf
        opened = self.row.id if self.row else ""
        rows = {row.id: row for row in read.shelf.rows}
        self.row = rows.get(opened)
        self.listed.emit(read.shelf)
        if self.row is None and rows:
            first = next((i for i in rows if i in read.shelf.bound), next(iter(rows)))
            self.open(first)
            return
        self.entries.show_entries(read.book.entries if read.book else (), read.outcomes)
        self.opened.emit(self.row)
        uid = self.current.uid if self.current else None
        if self._wanted_uid is not None and self.entries.entry(self._wanted_uid):
            uid, self._wanted_uid = self._wanted_uid, None
        self.show_entry(uid)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        if self._is_active:
            self.read()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        concerns = changes.books or changes.messages or changes.settings
        if concerns and self._is_active:
            self.read()


def _read(
    ctx: JobContext, memory: Memory, number: int, where: tuple[str, str], wanted: str
) -> _Read:
    rows = tuple(memory.books())
    chat, branch = where
    bound = frozenset(row.id for row in memory.books_of_chat(chat)) if chat else frozenset()
    row = next((row for row in rows if row.id == wanted), None)
    if row is None:
        return _Read(number, Shelf(rows, bound), None, {})
    outcomes: dict[Uid, Outcome] = {}
    if chat:
        names = [r.id for r in rows if r.id in bound or r.id == wanted]
        found = memory.activate(ctx, chat, names, branch_id=branch)
        outcomes = {o.key[1]: o for o in found.outcomes if o.key[0] == row.name}
    return _Read(number, Shelf(rows, bound), memory.book(row.id), outcomes)
