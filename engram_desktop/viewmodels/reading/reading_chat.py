"""The text of a chat: reading position, jumps, search, and commands on messages.

Rows are read by page when they are drawn. As a character they are what that character perceived,
and cannot be changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.words import SearchedText, TextHits
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext, Progress
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.private_note import NoteMarks, note_words
from engram_desktop.viewmodels.workspace.live_query import TYPING_PAUSE_MS, LiveQuery
from engram_desktop.viewmodels.workspace.transcript import (
    ChatRow,
    MessageRows,
    RowNote,
    Transcript,
    faces_of,
)
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import (
    AskedMemories,
    TypingPlace,
    Workspace,
    WorkspaceModel,
)

PRIVATE = "private"  # key of the label of a message with a private note
MOST_READ = 400  # messages of a selection that are copied as text: whole chats are exported instead


@dataclass(frozen=True, slots=True)
class Lines:
    """Floors that a page asked to be shown; ``page`` and ``title`` name that page, or are empty."""

    first: int
    last: int
    page: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ReadingState:
    """Length and speakers of the chat. ``is_followed``: SillyTavern has a file of it."""

    count: int = 0
    faces: dict[str, QImage] = field(default_factory=dict)
    is_followed: bool = False


class ReadingChat(WorkspaceModel):
    """State and commands of the reading page. It reads only while active (`set_active`)."""

    shown = Signal(object)  # ReadingState
    opened = Signal(object)  # reading position of the opened chat, None for its end
    lines_changed = Signal(object)  # Lines or None
    chosen_changed = Signal(int, int)  # first and last selected floor

    def __init__(
        self,
        workspace: Workspace,
        undo: UndoActions,
        parent: QObject | None = None,
        noted: NoteMarks | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self._noted = noted or NoteMarks(workspace, self)
        self._noted.changed.connect(self._on_noted)
        self._is_new = True  # the page will show another chat, branch or point of view
        self.state = ReadingState()
        self.lines: Lines | None = None
        self.chosen = (-1, -1)  # first and last selected floor; -1 for none
        self._left: dict[Line, tuple[int, int]] = {}  # the last reading position of each line
        self._source = MessageRows(workspace.memory)
        self.rows = Transcript(self._fetch, self)
        self._query = LiveQuery(
            workspace,
            "reading",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)
        workspace.chat_changed.connect(self._choose_nothing)

    @Slot()
    def _choose_nothing(self) -> None:
        """Clear the selection: its floors belong to the chat shown before."""
        self.choose(-1, -1)

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Start or stop reading."""
        self._query.set_active(active)

    @property
    def is_loaded(self) -> bool:
        """Return whether the rows are those of the shown chat."""
        return self._source.line == self._space.line and not self._is_new

    def place(self, what: str) -> TypingPlace:
        """Return the typing place of a field of this page."""
        line = self._space.line
        return TypingPlace(f"reading {line.branch_id} {what}", line.chat_id)

    def face(self, name: str) -> QImage | None:
        return self.state.faces.get(name)

    def note_place(self, place: tuple[int, int] | None) -> None:
        """Keep the reading position: a floor and an offset into it; None for the end."""
        if not self.is_loaded:
            return
        if place is None:
            self._left.pop(self._space.line, None)
        else:
            self._left[self._space.line] = place

    @Slot(int, int)
    def choose(self, first: int, last: int) -> None:
        """Note which floors are selected."""
        self.chosen = (first, last)
        self.chosen_changed.emit(first, last)

    def go_to(self, first: int, last: int, page: str = "", title: str = "") -> None:
        """Show and mark floors. ``page`` asked for them; `go_back` returns to it."""
        self._set_lines(Lines(first, max(first, last), page, title))

    @Slot()
    def leave_lines(self) -> None:
        """Remove the mark of the floors."""
        self._set_lines(None)

    @Slot()
    def go_back(self) -> None:
        """Return to the page that asked for the floors."""
        page = self.lines.page if self.lines is not None else ""
        self._set_lines(None)
        if page:
            self._space.page_wanted.emit(page)

    @Slot()
    def show_panel(self) -> None:
        """Ask for the panel beside the page to be shown."""
        self._space.panel_wanted.emit()

    def show_event(self, key: int) -> None:
        """Show the event made of some floors on the event page."""
        self._space.event_wanted.emit(key)

    def ask_who(self, floor: int) -> None:
        """Ask for the dialog that shows who knows a message."""
        for message in self._space.memory.messages.slice(self._space.line, floor, floor):
            asked = AskedMemories((("turn", message.id),), message.text, floor)
            self._space.who_wanted.emit(asked)

    def text_of(self, floor: int) -> str:
        """Return the whole text of a message, for editing."""
        messages = self._space.memory.messages.slice(self._space.line, floor, floor)
        return messages[0].text if messages else ""

    def place_of(self, floor: int, needle: SearchedText, number: int) -> int:
        """Return the offset of a hit in a message, after showing the message up to it."""
        rows = self._source.rows(floor, floor, 2**31)
        spans = needle.spans(rows[0].text) if rows else []
        if not spans:
            return 0
        first, last = spans[min(number, len(spans) - 1)]
        self.rows.show_to(floor, last)
        return first

    def text_between(self, first: int, last: int) -> str:
        """Return messages as text for the clipboard: name and text of each."""
        end = min(last, first + MOST_READ - 1)
        rows = self._source.rows(first, end, 2**31)
        return "\n\n".join(f"{row.name}: {row.text}" for row in rows if not row.is_faint)

    def edit(self, floor: int, text: str) -> None:
        job = self._change(
            self.tr("Editing a message"),
            lambda memory, line: memory.play.edit(line, floor, text),
        )
        job.succeeded.connect(
            lambda done: self._tell(done, self.tr("Floor {floor} was edited").format(floor=floor))
        )

    def set_hidden(self, first: int, last: int, *, hidden: bool) -> None:
        """Hide messages from prompts, or include them again."""
        floors = range(first, last + 1)
        job = self._change(
            self.tr("Hiding messages") if hidden else self.tr("Showing messages"),
            lambda memory, line: memory.messages.set_hidden(line, floors, hidden=hidden),
        )
        text = (
            self.tr("%n message(s) hidden from prompts; memory is as it was", "", len(floors))
            if hidden
            else self.tr("%n message(s) shown to prompts again", "", len(floors))
        )
        job.succeeded.connect(lambda done: self._tell(done, text))

    def delete(self, first: int, last: int) -> None:
        """Delete messages, and memories made only from them."""
        floors = range(first, last + 1)
        job = self._change(
            self.tr("Deleting messages"), lambda memory, line: memory.messages.delete(line, floors)
        )
        text = self.tr("%n message(s) deleted", "", len(floors))
        job.succeeded.connect(lambda done: self._tell(done, text))

    def view_at(self, floor: int) -> None:
        """Show the whole chat as of a floor."""
        self._space.view_at(floor)

    def fork(self, floor: int) -> None:
        """Make and show a branch that forks at a floor."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(self.tr("Forking"), lambda _ctx: memory.play.fork(line, floor))
        job.succeeded.connect(lambda started: self._space.show_branch(started.line.branch_id))

    def _change(self, title: str, work: Callable[[Memory, Line], Changes]) -> JobHandle:
        line, memory = self._space.line, self._space.memory
        return self._space.change(title, lambda _ctx: work(memory, line))

    def _tell(self, changes: Changes, text: str) -> None:
        if changes.undo_label is None:
            return
        if self.state.is_followed:
            told = self.tr("{text}. SillyTavern's own file is not touched: it says what it said.")
            text = told.format(text=text)
        self._undo.offer(text, changes.undo_label)

    def _set_lines(self, lines: Lines | None) -> None:
        self.lines = lines
        self.lines_changed.emit(lines)

    def _ask(self) -> Callable[[JobContext], ReadingState] | None:
        line, memory = self._space.line, self._space.memory
        names, at = self._space.actors, self._space.at
        return (lambda ctx: _read(ctx, memory, line, names, at)) if line.chat_id else None

    def _show(self, state: ReadingState) -> None:
        self._source.line, self._source.actor = self._space.line, self._space.actor
        self.state = state
        if self._is_new:
            left = self._left.get(self._space.line)
            self.rows.show(state.count)
            self._is_new = False  # from now on the reading position is kept
            self.opened.emit(left)
        else:
            self.rows.follow(state.count)
        self.shown.emit(state)

    def _forget(self) -> None:
        self.state = ReadingState()
        self._is_new = True
        self._source.line = Line("", "")
        self.rows.show(0)
        self._set_lines(None)
        self.shown.emit(self.state)

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        of_others = bool(self._space.actor) and changes.knowledge
        return is_ours and (changes.messages or changes.branches or of_others)

    def _fetch(self, first: int, last: int, most: int) -> list[ChatRow]:
        rows = self._source.rows(first, last, most)
        if self._source.actor or not rows:
            return rows
        memory, line = self._space.memory, self._source.line
        parts = memory.knowledge.private_parts(line, first, last)
        gaps = memory.messages.gaps(line, first, last)
        gap = RowNote("gap", self.tr("Messages missing before this"), "gold", self._gap_tip())
        private = RowNote(PRIVATE, self.tr("Private note"), "gold", note_words())
        shown = []
        for row in rows:
            asides = tuple((p.start, p.end) for p in parts.get(row.floor, ()))
            is_noted = self._noted.has_floor(row.floor)
            notes = ((gap,) if row.floor in gaps else ()) + ((private,) if is_noted else ())
            shown.append(replace(row, asides=asides, notes=notes) if asides or notes else row)
        return shown

    @Slot()
    def _on_noted(self) -> None:
        """Read the shown rows again: the set of messages with a private note changed."""
        if self.is_loaded:
            self.rows.follow(self.state.count)

    def _gap_tip(self) -> str:
        return self.tr(
            "The program it came from sent only its newest messages, and those before this one"
            " were not among them. They are put in here as soon as a request shows them."
        )


def _read(
    ctx: JobContext, memory: Memory, line: Line, names: tuple[str, ...], at: int | None
) -> ReadingState:
    memory.knowledge.askers(ctx, line, names)  # updates the data from which the rows are read
    faces = faces_of(memory, memory.characters.speaking(line))
    followed = memory.tavern.followed()
    is_followed = any(f.chat_id == line.chat_id and f.is_followed for f in followed)
    count = memory.messages.count(line)
    return ReadingState(count if at is None else min(count, at + 1), faces, is_followed)


Found = tuple[int, int, bool]


class TextSearch(WorkspaceModel):
    """Text search in the chat; every message is searched in the background.

    Hit numbers count from 0; -1 means no hit.
    """

    changed = Signal()  # the search text, its progress, or the hits
    gone_to = Signal(int, int)  # floor, and number of the hit on that floor

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.needle = SearchedText("")
        self.hits = TextHits()
        self.number = -1
        self.percent = 0
        self._from_floor = 0
        self._goes = True
        self._job: JobHandle | None = None
        self._later = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._later.timeout.connect(self._search)
        workspace.chat_changed.connect(self._on_chat_changed)
        workspace.hub.changed.connect(self._on_changed)

    @property
    def is_busy(self) -> bool:
        return self._job is not None or self._later.isActive()

    def search(self, text: str, floor: int) -> None:
        """Search when the typing pauses, then show the first hit at or after ``floor``."""
        if text.strip() == self.needle.text:
            return
        self._drop()
        self.needle, self._from_floor, self._goes = SearchedText(text), floor, True
        if self.needle.text:
            self._later.start()
        self.changed.emit()

    def go(self, by: int) -> None:
        """Show the next or the previous hit; the first follows the last."""
        if self.hits.total:
            self._go_to((self.number + by) % self.hits.total)

    def spans(self, floor: int, text: str) -> list[Found]:
        """Return the spans of the search text in the shown text of a message."""
        if not self.needle.text:
            return []
        first = self.hits.first_on(floor)
        current = -1 if first is None else self.number - first
        return [(a, b, n == current) for n, (a, b) in enumerate(self.needle.spans(text))]

    def _go_to(self, number: int) -> None:
        self.number = number
        self.changed.emit()
        self.gone_to.emit(*self.hits.place(number))

    @Slot()
    def _search(self) -> None:
        line, memory, actor = self._space.line, self._space.memory, self._space.actor
        needle = self.needle
        if not line.chat_id or not needle.text:
            return

        def work(ctx: JobContext) -> TextHits:
            if actor:
                return memory.knowledge.find_text(ctx, line, actor, needle)
            return memory.messages.find_text(ctx, line, needle)

        job = self._job = self._space.look_up(work)
        job.progressed.connect(partial(self._on_progress, job))
        job.succeeded.connect(partial(self._on_found, job))
        job.finished.connect(partial(self._on_finished, job))
        self.changed.emit()

    def _on_progress(self, job: JobHandle, progress: Progress) -> None:
        if job is self._job and progress.total:
            self.percent = 100 * progress.done // progress.total
            self.changed.emit()

    def _on_found(self, job: JobHandle, hits: TextHits) -> None:
        if job is not self._job:
            return
        self.hits = hits
        self.number = min(self.number, hits.total - 1)
        if self._goes and hits.total:
            self._job = None
            self._go_to(hits.from_floor(self._from_floor))

    def _on_finished(self, job: JobHandle) -> None:
        if job is self._job:
            self._job = None
        self.changed.emit()

    def _drop(self) -> None:
        self._later.stop()
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
        self.hits, self.number, self.percent = TextHits(), -1, 0

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self._drop()
        self.needle = SearchedText("")
        self.changed.emit()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Count the hits again after a change; the reading position stays."""
        if changes.messages and changes.chat_id == self._space.chat_id and self.needle.text:
            self._goes = False
            self._later.start()


MAX_FLOORS = 200


class MessageReader(WorkspaceModel):
    read = Signal(object)  # list[Message]
    remembered = Signal(object)  # list[EventNode]

    def ask(self, first: int, last: int) -> None:
        line, memory, actor = self._space.line, self._space.memory, self._space.actor
        end = min(last, first + MAX_FLOORS - 1)
        job = self._space.look_up(lambda ctx: _messages(ctx, memory, line, actor, (first, end)))
        job.succeeded.connect(self.read)
        events_job = self._space.look_up(
            lambda ctx: _events(ctx, memory, line, actor, (first, last))
        )
        events_job.succeeded.connect(self.remembered)

    def show_event(self, key: int) -> None:
        """Show the event that was made of the messages."""
        self._space.event_wanted.emit(key)

    def ask_who(self, message: Message, _checked: object = None) -> None:
        """Ask for the dialog that shows who knows a message."""
        asked = AskedMemories((("turn", message.id),), message.text, message.seq)
        self._space.who_wanted.emit(asked)


def _messages(
    ctx: JobContext, memory: Memory, line: Line, actor: str, span: tuple[int, int]
) -> list[Message]:
    """Return messages as the character ``actor`` perceived them; unchanged for the curator."""
    if actor:
        return memory.knowledge.heard(ctx, line, actor, *span)
    return memory.messages.slice(line, *span)


def _events(
    ctx: JobContext, memory: Memory, line: Line, actor: str, span: tuple[int, int]
) -> list[EventNode]:
    events = memory.events.at_floors(line, *span)
    if not actor:
        return events
    actors = memory.knowledge.askers(ctx, line, [actor])
    query = EventQuery(branch_id=line.branch_id, actors=actors)
    known = set(memory.events.find(line.chat_id, query))
    return [event for event in events if event.pk in known]
