"""The event list of a chat: search, filters, facet counts, and commands on selected events.

Commands take event keys, not row indexes.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain import search as searching
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import (
    EventCounts,
    EventNode,
    EventPatch,
    EventQuery,
    EventSort,
    SourceRange,
    counts_of,
)
from engram_desktop.domain.memory.facets import (
    WITH_FINDING,
    Combining,
    Facet,
    FacetCube,
    Facets,
)
from engram_desktop.domain.text import tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.private_note import NoteMarks, note_words
from engram_desktop.viewmodels.workspace.choice_texts import (
    confidence_names,
    event_as_text,
    facet_value,
    floors_text,
    lamp_words,
    listed,
)
from engram_desktop.viewmodels.workspace.live_query import (
    PAGE,
    KeyRole,
    LiveQuery,
    PagedListModel,
    RowRole,
)
from engram_desktop.viewmodels.workspace.undo_actions import Decided
from engram_desktop.viewmodels.workspace.workspace import AskedMemories, Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.domain.memory.line import Line


Coverage = list[tuple[int, int, str]]
_Numbers = tuple[EventCounts, Coverage, bool]


WORDS_OF = 128  # events whose keywords are offered: one page, read in a few milliseconds
WORDS_OFFERED = 24
MOST_ASKED = 2_000  # events of a selection that one command is applied to: bounds the step


class EventListModel(PagedListModel[EventNode]):
    """List model of events. ``noted``: which events have a private note; None shows no mark."""

    noted: NoteMarks | None = None

    @override
    def text(self, row: EventNode) -> str:
        return row.summary

    @override
    def spoken_text(self, row: EventNode) -> str:
        marks = [lamp_words(row)]
        if row.is_locked:
            marks.append(self.tr("Locked"))
        if row.is_stale:
            marks.append(self.tr("Stale"))
        if row.kind == "fact":
            marks.append(self.tr("Fact"))
        marks.append(confidence_names()[row.confidence])
        if self.noted is not None and self.noted.has_event(row.id):
            marks.append(note_words())
        marks += [row.raw_data.timestamp, row.raw_data.location, floors_text(row)]
        return ". ".join([*(mark for mark in marks if mark), row.summary])


@dataclass(frozen=True, slots=True)
class _Listed:
    """What a query found, and the rows of the first page, which is painted at once."""

    keys: array[int]
    first_page: dict[int, EventNode] | None  # None: these keys were listed already
    times_refreshed: int  # of the model, when it was asked


@dataclass(frozen=True, slots=True)
class Added:
    """An event written by hand: its key, and what changed."""

    key: int
    changes: Changes


class EventList(WorkspaceModel):
    """State and commands of the event page."""

    counts_changed = Signal(object)  # EventCounts
    cube_changed = Signal(object)  # FacetCube: counts of the current search's results
    usual_changed = Signal(bool)  # whether most events were made without a model
    coverage_changed = Signal(object)  # Coverage
    query_changed = Signal(object)  # EventQuery
    copied = Signal(object)  # str: the events as text, to be pasted elsewhere
    found = Signal(int)  # how many rows the list shows now
    deleted = Signal(str, object)  # a description; the StepLabel of the undo step

    def __init__(
        self,
        workspace: Workspace,
        parent: QObject | None = None,
        noted: NoteMarks | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self.noted = noted or NoteMarks(workspace, self)
        self.model = EventListModel(self.fetch, self)
        self.model.noted = self.noted
        self.decided = Decided(workspace, self)
        self.counts = EventCounts()
        self.cube = FacetCube()
        self.floors = 0  # of the line shown
        self.is_extracted = False  # whether most events were made without a model
        self.query = EventQuery()
        self.is_loaded = False
        workspace.hub.changed.connect(self._on_changed)
        self._rows = LiveQuery(
            workspace,
            "event rows",
            self._ask_rows,
            self._show_rows,
            concerns=self._concerns_rows,
            forget=self._forget,
            parent=self,
        )
        self._numbers = LiveQuery(
            workspace,
            "event counts",
            self._ask_numbers,
            self._show_numbers,
            concerns=self._concerns_numbers,
            parent=self,
        )
        self._cube = LiveQuery(
            workspace,
            "event facets",
            self._ask_cube,
            self._show_cube,
            concerns=self._concerns_cube,
            parent=self,
        )

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        """Start or stop reading rows; the counts are read in any case: every page shows them."""
        self._rows.set_active(active)

    @property
    def is_reading(self) -> bool:
        """Return whether a new list of rows is being read."""
        return self._rows.is_busy

    @property
    def is_filtered(self) -> bool:
        return self.query != self._unfiltered

    @property
    def _unfiltered(self) -> EventQuery:
        return EventQuery(sort=self.query.sort, is_reversed=self.query.is_reversed)

    @property
    def searched_words(self) -> tuple[str, ...]:
        """Return the words of the search, to be highlighted in the rows."""
        return tuple(word.text for word in searching.parse(self.query.text).words)

    def search(self, text: str) -> None:
        """Search when typing pauses."""
        self._set_query(replace(self.query, text=text.strip()), at_once=False)

    def choose(self, facet: Facet, how: Combining) -> None:
        """Combine a facet with the filter as ``how`` says; a facet already set is removed."""
        self.set_facets(self.query.facets.combined(facet, how))

    def set_facets(self, facets: Facets) -> None:
        self._set_query(self.query.with_facets(facets), at_once=True)

    def sort(self, order: str, *, is_reversed: bool = False) -> None:
        """Sort the events, and remember the order for this chat."""
        query = replace(self.query, sort=order, is_reversed=is_reversed)  # type: ignore[arg-type]  # one of its choices
        self._set_query(query, at_once=True)
        memory, chat = self._space.memory, self._space.chat_id
        if chat:

            def keep(_ctx: JobContext) -> Changes:
                memory.settings.set("ui.event_sort", order, chat)
                return memory.settings.set("ui.event_reversed", is_reversed, chat)

            self._space.change("", keep)

    def open(self, query: EventQuery) -> None:
        """Use the filter and the order of ``query``."""
        self._set_query(query, at_once=True)
        self.sort(query.sort, is_reversed=query.is_reversed)

    def clear_filters(self) -> None:
        self._set_query(self._unfiltered, at_once=True)

    def clear_filters_but_text(self) -> None:
        self._set_query(replace(self._unfiltered, text=self.query.text), at_once=True)

    def reload(self) -> None:
        self._rows.read()
        self._numbers.read()
        self._cube.read()

    def set_archived(self, keys: Sequence[int], *, archived: bool) -> None:
        title = (
            self.tr("Archiving %n event(s)", "", len(keys))
            if archived
            else self.tr("Moving %n event(s) back to the buffer", "", len(keys))
        )
        self._command(
            title,
            keys,
            lambda ctx, chat: self._space.memory.events.set_archived(
                ctx, chat, keys, archived=archived
            ),
        )

    def toggle_lamp(self, key: int) -> None:
        row = self.event_by_key(key)
        if row is not None and row.level == 0:
            self.set_archived([key], archived=not row.is_archived)

    def set_locked(self, keys: Sequence[int], *, locked: bool) -> None:
        title = (
            self.tr("Locking %n event(s)", "", len(keys))
            if locked
            else self.tr("Unlocking %n event(s)", "", len(keys))
        )
        self._command(
            title,
            keys,
            lambda ctx, chat: self._space.memory.events.set_locked(ctx, chat, keys, locked=locked),
        )

    def set_confirmed(self, keys: Sequence[int], *, confirmed: bool) -> None:
        """Confirm events, or take the confirmation back."""
        self._command(
            self.tr("Confirming %n event(s)", "", len(keys)),
            keys,
            lambda ctx, chat: self._space.memory.events.set_confirmed(
                ctx, chat, keys, confirmed=confirmed
            ),
        )

    def add(self, data: PlotExtraction, span: SourceRange) -> None:
        """Add an event or a fact written by hand, and show it."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Adding a memory"),
            lambda _ctx: Added(*memory.events.add(line, data, span)),
        )
        job.succeeded.connect(self._on_added)

    @Slot(object)
    def _on_added(self, added: Added) -> None:
        self._space.event_wanted.emit(added.key)

    def delete(self, keys: Sequence[int]) -> None:
        job = self._command(
            self.tr("Deleting %n event(s)", "", len(keys)),
            keys,
            lambda ctx, chat: self._space.memory.events.delete(ctx, chat, keys),
        )
        if job is not None:
            text = self.tr("%n event(s) deleted", "", len(keys))
            job.succeeded.connect(lambda changes: self.deleted.emit(text, changes.undo_label))
            job.succeeded.connect(lambda changes: self.decided.note(keys[0], changes))

    def join(self, keys: Sequence[int]) -> None:
        """Join several events into one."""
        self._command(
            self.tr("Joining %n event(s)", "", len(keys)),
            keys,
            lambda ctx, chat: self._space.memory.events.join(ctx, chat, keys),
        )

    def split(self, key: int, floor: int, summaries: tuple[str, str]) -> None:
        """Split one event into two; the second begins at ``floor``."""
        self._command(
            self.tr("Splitting an event"),
            [key],
            lambda _ctx, chat: self._space.memory.events.split(chat, key, floor, summaries),
        )

    def split_outline(self, key: int) -> None:
        """Replace an outline by the events it was made of."""
        self._command(
            self.tr("Taking an outline apart"),
            [key],
            lambda _ctx, chat: self._space.memory.pipeline.untrim(chat, key),
        )

    def rename(self, key: int, summary: str) -> None:
        patch = EventPatch(summary=summary)
        self._command(
            self.tr("Saving the event"),
            [key],
            lambda _ctx, chat: self._space.memory.events.update(chat, key, patch),
        )

    def span_of(self, keys: Sequence[int]) -> tuple[int, int] | None:
        """Return the first and last floor that these events summarise; None without events."""
        events = self.fetch(keys).values()
        if not events:
            return None
        first = min(event.source_range.start_index for event in events)
        return first, max(event.source_range.end_index for event in events)

    def ask_who(self, keys: Sequence[int]) -> None:
        """Ask for the dialog that shows who knows these events."""
        events = list(self.fetch(keys[:MOST_ASKED]).values())
        if events:
            text = events[0].summary if len(events) == 1 else ""
            last = max(event.source_range.end_index for event in events)
            refs = tuple(("event", event.id) for event in events)
            self._space.who_wanted.emit(AskedMemories(refs, text, last))

    def copy(self, keys: Sequence[int]) -> None:
        """Emit `copied` with these events as text, in this order."""
        chat, memory, wanted = self._space.chat_id, self._space.memory, list(keys)
        if chat and wanted:

            def work(_ctx: JobContext) -> str:
                found = memory.events.fetch(chat, wanted)
                return "\n\n".join(event_as_text(found[key]) for key in wanted if key in found)

            self._space.look_up(work).succeeded.connect(self.copied)

    def read_messages(self, event: EventNode) -> None:
        """Show the messages that an event summarises."""
        span = event.source_range
        self._space.floor_wanted.emit(span.start_index, span.end_index)

    def words_at_top(self) -> list[str]:
        """Return the keywords of the first listed events, the most frequent first."""
        rows = self.fetch(self.model.keys(0, WORDS_OF - 1)).values()
        told = Counter(word for row in rows for word in row.raw_data.keywords)
        return [word for word, _count in told.most_common(WORDS_OFFERED)]

    def event_by_key(self, key: int) -> EventNode | None:
        """Return an event by key, from the list or from the store."""
        return self._row(key) or self.fetch([key]).get(key)

    def _row(self, key: int) -> EventNode | None:
        number = self.model.row_of(key)
        return None if number is None else self.model.row_at(number)

    def _command(
        self, title: str, keys: Sequence[int], work: Callable[[JobContext, str], Changes]
    ) -> JobHandle | None:
        chat = self._space.chat_id
        if not chat or not len(keys):
            return None
        return self._space.change(title, lambda ctx: work(ctx, chat))

    def fetch(self, keys: Sequence[int]) -> dict[int, EventNode]:
        """Return events of the shown chat by key."""
        return self._space.memory.events.fetch(self._space.chat_id, keys)

    def _set_query(self, query: EventQuery, *, at_once: bool) -> None:
        if query == self.query:
            return
        is_other_text = query.text != self.query.text
        is_counted_anew = is_other_text or query.facets != self.query.facets
        self.query = query
        self.query_changed.emit(query)
        if at_once:
            self._rows.read()
        else:
            self._rows.read_soon()
        if is_counted_anew:  # after the rows, which wait for these counts
            self._cube.read_soon()

    def _ask_rows(self) -> Callable[[JobContext], _Listed] | None:
        line, memory = self._space.line, self._space.memory
        shown, times_refreshed = self.model.keys(), self.model.times_refreshed
        names, actor = self._space.actors, self._space.actor
        query = replace(self.query, branch_id=line.branch_id, until=self._space.at)
        if not line.chat_id:
            return None

        def read(ctx: JobContext) -> _Listed:
            asked = query
            if WITH_FINDING in query.facets.named:
                facet = memory.findings.event_facet(ctx, line, actor)
                asked = query.with_facets(query.facets.exchanged(WITH_FINDING, facet))
            asked = self._as_who(ctx, line, names, asked)
            keys = memory.events.find(line.chat_id, asked)
            first = None if keys == shown else memory.events.fetch(line.chat_id, keys[:PAGE])
            return _Listed(keys, first, times_refreshed)

        return read

    def _as_who(
        self, ctx: JobContext, line: Line, names: Sequence[str], query: EventQuery
    ) -> EventQuery:
        """Return ``query`` with its actors, and with the events that match its typed filters."""
        memory = self._space.memory
        actors = memory.knowledge.askers(ctx, line, names)
        keys = memory.search.event_keys(ctx, line, query.text, actors)
        if keys is None:
            return replace(query, actors=actors)
        return replace(query, actors=actors, text="", only=json.dumps(keys))

    def _show_rows(self, found: _Listed) -> None:
        if not self.is_loaded:
            chat, memory = self._space.chat_id, self._space.memory
            self._space.look_up(lambda _ctx: memory.events.read_ahead(chat), lane="aside")
        self.is_loaded = True
        if found.keys != self.model.keys():
            is_current = found.times_refreshed == self.model.times_refreshed
            self.model.set_keys(found.keys, found.first_page if is_current else None)
        self.found.emit(len(found.keys))

    def _ask_numbers(self) -> Callable[[JobContext], _Numbers] | None:
        line, memory, names = self._space.line, self._space.memory, self._space.actors
        if not line.chat_id:
            return None
        until = self._space.at

        def read(ctx: JobContext) -> _Numbers:
            actors = memory.knowledge.askers(ctx, line, names)
            every = EventQuery(branch_id=line.branch_id, until=until, actors=actors)
            is_whole = not names and until is None
            runs = memory.events.coverage(line) if is_whole else []
            cube = memory.events.cube(line.chat_id, every)
            made = Counter[str]()
            for key, _named, count in cube.cells:
                made[key.extractor] += count
            return counts_of(cube), runs, made["extractive"] > made["llm"]

        return read

    def _show_numbers(self, answer: _Numbers) -> None:
        self.counts, coverage, self.is_extracted = answer
        self.usual_changed.emit(self.is_extracted)
        self.floors = coverage[-1][1] + 1 if coverage else 0
        self.counts_changed.emit(self.counts)
        self.coverage_changed.emit(coverage)

    def _ask_cube(self) -> Callable[[JobContext], FacetCube] | None:
        line, memory, names = self._space.line, self._space.memory, self._space.actors
        if not line.chat_id:
            return None
        actor = self._space.actor
        asked = EventQuery(
            text=self.query.text,
            facets=self.query.facets,
            branch_id=line.branch_id,
            until=self._space.at,
        )
        has_finding = WITH_FINDING in asked.facets.named

        def read(ctx: JobContext) -> FacetCube:
            facet = memory.findings.event_facet(ctx, line, actor) if has_finding else WITH_FINDING
            query = asked.with_facets(asked.facets.exchanged(WITH_FINDING, facet))
            query = self._as_who(ctx, line, names, query)
            return memory.events.cube(line.chat_id, query).exchanged(facet, WITH_FINDING)

        return read

    def _show_cube(self, cube: FacetCube) -> None:
        self.cube = cube
        self.cube_changed.emit(cube)

    def _forget(self) -> None:
        self.is_loaded = not self._space.chat_id  # without a chat there is nothing to read
        self.model.set_keys(array("q"))  # the old keys have no meaning in the new chat
        kept = self._space.memory.settings.read(self._space.chat_id or None)
        order, is_reversed = kept.ui_event_sort, kept.ui_event_reversed
        self.query = EventQuery(sort=order, is_reversed=is_reversed)  # type: ignore[arg-type]  # one of its choices
        self.query_changed.emit(self.query)
        self.found.emit(0)

    def _concerns_rows(self, changes: Changes) -> bool:
        """Return whether these changes may change which events are listed, or their order."""
        is_chosen = self.is_filtered or self.query.sort != "story"
        is_touched = bool(changes.events or changes.messages or changes.drafts or changes.knowledge)
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.rows or changes.order or (is_chosen and is_touched))

    def _concerns_numbers(self, changes: Changes) -> bool:
        is_touched = changes.rows or changes.order or changes.counts or changes.messages
        return changes.chat_id == self._space.chat_id and (is_touched or changes.drafts)

    def _concerns_cube(self, changes: Changes) -> bool:
        is_told = changes.knowledge and WITH_FINDING in self.query.facets.named
        is_other = changes.rows or changes.order or changes.counts or changes.texts or changes.trust
        touched = (is_other, changes.events, changes.messages, is_told)
        return changes.chat_id == self._space.chat_id and any(touched)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Read changed rows again, in place."""
        if changes.chat_id != self._space.chat_id:
            return
        if changes.events or changes.messages or changes.counts:
            self.model.refresh(changes.events or None)


AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
COLUMNS: tuple[str, ...] = (
    "status",
    "time",
    "floors",
    "summary",
    "entities",
    "significance",
    "tokens",
    "updated",
)
SUMMARY = COLUMNS.index("summary")
SORTS: dict[str, EventSort] = {
    "status": "status",
    "time": "story",
    "floors": "story",
    "summary": "summary",
    "significance": "significance",
    "tokens": "tokens",
    "updated": "updated",
}
NAMES_SHOWN = 12  # entity names in a cell: more would not be visible


_TEXTS = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def _state_of(row: EventNode) -> Facet:
    return Facet("level", str(row.level)) if row.level else Facet("status", row.status)


def _floors_of(row: EventNode) -> str:
    first, last = row.source_range.start_index, row.source_range.end_index
    return f"{first}" if first == last else f"{first}–{last}"


def _names_of(row: EventNode) -> list[str]:
    names = [e.name for e in row.raw_data.entities] or list(row.participants)
    return names[:NAMES_SHOWN]


# A frame asks for each of them of every cell; to join flags takes a microsecond each time.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CELL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_TYPED_IN = _CELL | Qt.ItemFlag.ItemIsEditable


class EventTableModel(QAbstractTableModel):
    """Table of the listed events; keys and rows are those of the list model."""

    def __init__(self, events: EventList, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events = events
        rows = events.model
        rows.modelAboutToBeReset.connect(self.beginResetModel)
        rows.modelReset.connect(self.endResetModel)
        rows.dataChanged.connect(self._on_content)

    def title(self, column: str) -> str:
        return {
            "status": self.tr("State"),
            "time": self.tr("Story time"),
            "floors": self.tr("Floors"),
            "summary": self.tr("Summary"),
            "entities": self.tr("Entities"),
            "significance": self.tr("Significance"),
            "tokens": self.tr("Tokens"),
            "updated": self.tr("Changed"),
        }[column]

    def text(self, row: EventNode, column: str) -> str:
        told: dict[str, Callable[[], str]] = {
            "status": lambda: facet_value(_state_of(row)),
            "time": lambda: row.raw_data.timestamp,
            "floors": lambda: _floors_of(row),
            "summary": lambda: " ".join(row.summary.split()),
            "entities": lambda: listed(_names_of(row)),
            "significance": lambda: f"{row.significance_score:.0%}",
            "tokens": lambda: str(tokens.estimate_tokens(row.summary)),
            "updated": lambda: QLocale().toString(
                QDateTime.fromMSecsSinceEpoch(row.updated_at), QLocale.FormatType.ShortFormat
            ),
        }
        return told[column]()

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else self._events.model.rowCount()

    @override
    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.title(COLUMNS[section])
        return None

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        rows, column = self._events.model, COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in {"significance", "tokens"} else _LEFT
        if role in (KeyRole, RowRole):
            return rows.data(rows.index(index.row()), role)
        row = rows.row_at(index.row()) if role in _TEXTS else None
        return None if row is None else self._told(row, column, role)

    def _told(self, row: EventNode, column: str, role: int) -> str:
        if role == Qt.ItemDataRole.EditRole:
            return row.summary
        text = self.text(row, column)
        if role != Qt.ItemDataRole.AccessibleTextRole:
            return text
        is_noted = column == "summary" and self._events.noted.has_event(row.id)
        spoken = f"{self.title(column)}: {text}"
        return f"{spoken}. {note_words()}" if is_noted else spoken

    @override
    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._events.model.row_at(index.row())
        text = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or row is None or not text or text == row.summary:
            return False
        self._events.rename(row.pk, text)
        return True

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _TYPED_IN if index.column() == SUMMARY else _CELL

    @Slot(QModelIndex, QModelIndex)
    def _on_content(self, first: QModelIndex, last: QModelIndex) -> None:
        self.dataChanged.emit(self.index(first.row(), 0), self.index(last.row(), len(COLUMNS) - 1))
