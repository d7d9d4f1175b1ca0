"""Finders of the quick panel: commands, chats, branches, entities, and places of search hits."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QSettings,
    Qt,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search import Fit, MarkedPassage, SearchHit, fit
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.chats.chat_tree import Branches, ChatTree, branch_name
from engram_desktop.viewmodels.workspace.live_query import (
    AnyIndex,
    RowRole,
    newest_answer,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
    from engram_desktop.viewmodels.logs import LogList
    from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList


_NO_INDEX = QModelIndex()


@dataclass(frozen=True, slots=True)
class QuickRow:
    """One row. ``value`` is what it opens; a row without a value is a heading.

    ``aside`` is the text at the right: a place or a key. ``tints`` are lamps, by colour name, and
    ``spoken`` describes them for screen readers.
    """

    icon: str
    title: MarkedPassage
    value: object = None
    passage: MarkedPassage = MarkedPassage("")
    aside: str = ""
    tints: tuple[str, ...] = ()
    spoken: str = ""
    can_forget: bool = False
    kind: Literal["row", "more"] = "row"

    @property
    def is_heading(self) -> bool:
        return self.value is None


class QuickRows(QAbstractListModel):
    """List model of the shown rows. Headings cannot be selected."""

    def show(self, rows: Sequence[QuickRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    _rows: tuple[QuickRow, ...] = ()

    @property
    def rows(self) -> tuple[QuickRow, ...]:
        return self._rows

    def next_row(self, row: int, step: int) -> int:
        """Return the selectable row ``step`` rows on; -1 if there is none."""
        places = [n for n, one in enumerate(self._rows) if not one.is_heading]
        if not places:
            return -1
        if row not in places:
            return places[0] if step >= 0 else places[-1]
        at = places.index(row) + step
        if abs(step) == 1:  # wraps around
            return places[at % len(places)]
        return places[min(max(at, 0), len(places) - 1)]

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].is_heading:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title.text
            case Qt.ItemDataRole.AccessibleTextRole:
                parts = (row.title.text, row.spoken, row.aside, row.passage.text)
                return ". ".join(part for part in parts if part)
            case _ if role == RowRole:
                return row
        return None


class Finder(QObject):
    """Base of the finders: subclasses fill `rows` for a typed text, at once or later."""

    shown = Signal()  # the rows changed
    said = Signal(str)  # a line below the rows
    text_wanted = Signal(str)  # replaces the typed text

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = QuickRows(self)

    @property
    def is_searching(self) -> bool:
        """Return whether a search is running."""
        return False

    @abstractmethod
    def ask(self, text: str) -> None:
        """Show the rows for a text; an empty text shows the recent choices."""

    @abstractmethod
    def open(self, row: QuickRow) -> bool:
        """Open the target of a row; return whether the panel can close."""

    def forget(self, row: QuickRow) -> None:
        """Remove a row from what is remembered."""

    def leave(self) -> None:
        """Stop the running search: the panel was closed."""


RECENT = 12  # entries kept in each list


class Remembered(QObject):
    """Lists and tables of texts kept in the library's folder: recent choices and saved searches.

    Entries of the wrong type in the files are ignored.
    """

    changed = Signal(str)  # name of the list or table

    def __init__(self, memo: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memo = memo

    def texts(self, name: str) -> list[str]:
        read = self._read(name)
        return [text for text in read if isinstance(text, str)] if isinstance(read, list) else []

    def add(self, name: str, text: str, most: int = RECENT) -> None:
        """Put ``text`` first; the oldest entries beyond ``most`` are dropped."""
        others = [other for other in self.texts(name) if other != text]
        self._write(name, [text, *others][:most])

    def remove(self, name: str, text: str) -> None:
        self._write(name, [other for other in self.texts(name) if other != text])

    def table(self, name: str) -> dict[str, str]:
        read = self._read(name)
        if not isinstance(read, dict):
            return {}
        return {key: text for key, text in read.items() if isinstance(text, str)}

    def set_table(self, name: str, table: dict[str, str]) -> None:
        self._write(name, table)

    def _read(self, name: str) -> object:
        try:
            return json.loads(str(self._memo.value(f"quick/{name}", "null")))
        except (ValueError, RecursionError):
            return None

    def _write(self, name: str, value: object) -> None:
        self._memo.setValue(f"quick/{name}", json.dumps(value))
        self.changed.emit(name)


RECENT_COMMANDS = "recent commands"
_FIRST = 6  # recent commands shown before the others
_OTHER = -5  # lower rank of a match in the English name


@dataclass(frozen=True, slots=True)
class Command:
    """One action. ``other`` is its English name, which is searched as well."""

    name: str
    text: str
    run: Callable[[], object]
    icon: str = "right"
    keys: str = ""
    other: str = ""
    group: str = ""


class CommandFinder(Finder):
    """Finder of commands; `offer` sets the commands when the palette opens."""

    def __init__(self, remembered: Remembered, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = remembered
        self._commands: Sequence[Command] = ()

    def offer(self, commands: Sequence[Command]) -> None:
        self._commands = commands

    @override
    def ask(self, text: str) -> None:
        recent = self._kept.texts(RECENT_COMMANDS)
        if text.strip():
            found = [(self._fit(text, c), c) for c in self._commands]
            ranked = sorted(
                ((f, c) for f, c in found if f is not None),
                key=lambda pair: (-pair[0].score, _place(recent, pair[1].name)),
            )
            rows = [self._row(c, f.marks) for f, c in ranked]
        else:
            latest = [c for name in recent for c in self._commands if c.name == name][:_FIRST]
            rows = self._group(self.tr("Recent"), latest)
            rows += self._group(self.tr("All commands"), self._commands)
        self.rows.show(rows)
        self.said.emit("" if rows else self.tr("No command matches"))
        self.shown.emit()

    @override
    def open(self, row: QuickRow) -> bool:
        if isinstance(row.value, Command):
            self._kept.add(RECENT_COMMANDS, row.value.name)
            row.value.run()
        return True

    def _group(self, heading: str, commands: Sequence[Command]) -> list[QuickRow]:
        if not commands:
            return []
        return [QuickRow("", MarkedPassage(heading)), *(self._row(c, ()) for c in commands)]

    def _fit(self, typed: str, command: Command) -> Fit | None:
        """Match the typed text with the name, then with the English name."""
        own = fit(typed, command.text)
        if own is not None or not command.other:
            return own
        other = fit(typed, command.other)
        return None if other is None else Fit(other.score + _OTHER, ())

    def _row(self, command: Command, marks: tuple[tuple[int, int], ...]) -> QuickRow:
        aside = "   ".join(part for part in (command.group, command.keys) if part)
        return QuickRow(command.icon, MarkedPassage(command.text, marks), command, aside=aside)


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


@dataclass(frozen=True, slots=True)
class Destinations:
    """The viewmodels of the pages a hit may lead to, each made when first asked for."""

    graph: Callable[[], GraphPageModel]
    logs: Callable[[], LogList]
    worldbooks: Callable[[], WorldbookList]


class HitOpener(WorkspaceModel):
    chat_opened = Signal()  # the page of the chat shown last is wanted

    def __init__(
        self, workspace: Workspace, destinations: Destinations, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._to = destinations

    def show_line(self, chat_id: str, branch_id: str = "") -> None:
        """Show a branch of a chat."""
        self._space.show_chat(chat_id)
        if branch_id:
            self._space.show_branch(branch_id)

    def open(self, hit: SearchHit) -> None:
        if hit.chat_id:
            self.show_line(hit.chat_id, hit.branch_id)
        match hit.on or hit.kind:
            case "chat":
                self.chat_opened.emit()
            case "event":
                self._space.event_wanted.emit(int(hit.key))
            case "message" if hit.floors is not None:
                self._space.floor_wanted.emit(*hit.floors)
            case "entity":
                self._space.page_wanted.emit("graph")
                self._to.graph().show_entity(hit.ref)
            case "log":
                self._space.page_wanted.emit("logs")
                self._to.logs().find_entry(int(hit.key))
            case "book":
                self._space.page_wanted.emit("books")
                self._to.worldbooks().open_entry(hit.ref, hit.key)


RECENT_PLACES = "recent places"
_MOST = 30  # matching entities of the shown chat
_ICONS = {"chat": "talk", "branch": "branch", "entity": "graph"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that the switcher opens."""

    kind: Literal["chat", "branch", "entity"]
    chat_id: str
    ref: str
    name: str

    def kept(self) -> str:
        return json.dumps([self.kind, self.chat_id, self.ref, self.name])


def _spot(text: str) -> Spot | None:
    """Parse a stored place; None if it is not valid."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_spot = isinstance(fields, list) and len(fields) == 4
    if not is_spot or not all(isinstance(f, str) for f in fields) or fields[0] not in _ICONS:
        return None
    return Spot(*fields)


class PlaceFinder(Finder):
    def __init__(
        self,
        workspace: Workspace,
        lists: tuple[ChatTree, Branches],
        opener: HitOpener,
        remembered: Remembered,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._chats, self._branches = lists
        self._opener = opener
        self._kept = remembered
        self._typed = ""
        self._newest = newest_answer(workspace, self._on_entities, self)
        workspace.chat_changed.connect(self._on_chat_changed)

    @property
    @override
    def is_searching(self) -> bool:
        return self._newest.is_busy and not self.rows.rows

    @override
    def ask(self, text: str) -> None:
        self._typed = text.strip()
        self._newest.drop()
        if not self._typed:
            self._show(self._latest(), ())
            return
        self._show(self._named(), ())
        memory, line, names = self._space.memory, self._space.line, self._space.actors
        if line.chat_id:
            self._newest.ask(_entities(memory, line, self._typed, names))

    @override
    def leave(self) -> None:
        self._newest.drop()

    @override
    def open(self, row: QuickRow) -> bool:
        spot = row.value
        if isinstance(spot, Spot):
            self._kept.add(RECENT_PLACES, spot.kept())
            if spot.kind == "entity":
                branch = self._space.branch_id if spot.chat_id == self._space.chat_id else ""
                hit = SearchHit(
                    "entity",
                    spot.ref,
                    MarkedPassage(spot.name),
                    MarkedPassage(""),
                    spot.chat_id,
                    "",
                    branch,
                )
            else:
                branch = spot.ref if spot.kind == "branch" else ""
                hit = SearchHit(
                    "chat",
                    spot.chat_id,
                    MarkedPassage(spot.name),
                    MarkedPassage(""),
                    spot.chat_id,
                    "",
                    branch,
                )
            self._opener.open(hit)
        return True

    @override
    def forget(self, row: QuickRow) -> None:
        if isinstance(row.value, Spot):
            self._kept.remove(RECENT_PLACES, row.value.kept())
            self.ask(self._typed)

    @Slot(object)
    def _on_entities(self, entities: list[EntityNode]) -> None:
        chat = self._space.chat_id
        self._show(self._named(), [Spot("entity", chat, e.id, e.name) for e in entities])

    @Slot(str)
    def _on_chat_changed(self, chat_id: str) -> None:
        chat = self._chats.chat(chat_id)
        if chat is not None:
            self._kept.add(RECENT_PLACES, Spot("chat", chat_id, chat_id, chat.name).kept())

    def _latest(self) -> list[Spot]:
        """Return the recent places without the shown chat and without deleted chats."""
        spots = [s for text in self._kept.texts(RECENT_PLACES) if (s := _spot(text)) is not None]
        known = {chat.chat_id: chat.name for chat in self._chats.chats}
        is_curator = not self._space.actor
        return [
            Spot(s.kind, s.chat_id, s.ref, known[s.chat_id] if s.kind == "chat" else s.name)
            for s in spots
            if s.chat_id in known
            and (s.kind != "chat" or s.chat_id != self._space.chat_id)
            and (s.kind != "entity" or is_curator)
        ]

    def _named(self) -> list[Spot]:
        """Return the chats and the branches of the shown chat that match the typed text."""
        chat = self._space.chat_id
        spots = [Spot("chat", c.chat_id, c.chat_id, c.name) for c in self._chats.chats]
        spots += [Spot("branch", chat, b.id, branch_name(b)) for b in self._branches.rows]
        fits = [(fit(self._typed, s.name), s) for s in spots]
        found = [(f.score, s) for f, s in fits if f is not None]
        return [s for _score, s in sorted(found, key=lambda pair: -pair[0])]

    def _show(self, spots: Sequence[Spot], entities: Sequence[Spot]) -> None:
        groups: tuple[tuple[str, list[Spot]], ...]
        if self._typed:
            groups = (
                (self.tr("Chats"), [s for s in spots if s.kind == "chat"]),
                (self.tr("Branches of this chat"), [s for s in spots if s.kind == "branch"]),
                (self.tr("Entities of this chat"), list(entities)),
            )
        else:
            offered = {s.ref for s in spots} | {self._space.chat_id}
            others = [
                Spot("chat", c.chat_id, c.chat_id, c.name)
                for c in self._chats.chats
                if c.chat_id not in offered
            ]
            groups = ((self.tr("Recent"), list(spots)), (self.tr("Chats"), others))
        rows: list[QuickRow] = []
        for heading, members in groups:
            rows += [QuickRow("", MarkedPassage(heading))] if members else []
            rows += [self._row(spot) for spot in members]
        self.rows.show(rows)
        hint = self.tr("Type the name of a chat, a branch or an entity")
        nothing = self.tr("Nothing matches") if self._typed else hint
        self.said.emit("" if rows or self._newest.is_busy else nothing)
        self.shown.emit()

    def _row(self, spot: Spot) -> QuickRow:
        found = fit(self._typed, spot.name) if self._typed else None
        title = MarkedPassage(spot.name, found.marks if found else ())
        chat = self._chats.chat(spot.chat_id)
        is_elsewhere = spot.kind != "chat" and spot.chat_id != self._space.chat_id
        aside = chat.name if chat is not None and is_elsewhere else ""
        if chat is not None and spot.kind == "chat":
            aside = self._chats.describe(chat)
        return QuickRow(_ICONS[spot.kind], title, spot, aside=aside, can_forget=not self._typed)


def _entities(
    memory: Memory, line: Line, text: str, names: Sequence[str]
) -> Callable[[JobContext], list[EntityNode]]:
    def work(ctx: JobContext) -> list[EntityNode]:
        actors = memory.knowledge.askers(ctx, line, names) if names else ()
        return memory.graph.find_entities(line, text, _MOST, actors)

    return work
