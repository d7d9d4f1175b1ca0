"""Search in the whole library while typing, and saved searches and event filters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery, EventSort
from engram_desktop.domain.memory.facets import facets_of_json, facets_to_json
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search import (
    HitKind,
    MarkedPassage,
    SearchGroup,
    SearchHit,
    SearchResult,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.search.finders import Finder, HitOpener, QuickRow, Remembered
from engram_desktop.viewmodels.workspace.choice_texts import (
    filter_words,
    floors_words,
    listed,
    sort_names,
)
from engram_desktop.viewmodels.workspace.live_query import newest_answer
from engram_desktop.viewmodels.workspace.messages import Messages, Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace

SAVED, TYPED = "saved searches", "recent searches"
MOST_SAVED = 40  # a longer list is not looked through
PAUSE_MS = 120  # milliseconds without a key before a search starts
_AT_FIRST = 6  # hits of a group while there are other groups
ICONS: dict[HitKind, str] = {
    "chat": "talk",
    "entity": "graph",
    "event": "events",
    "message": "summarise",
    "log": "logs",
    "note": "lock",
    "book": "books",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """An earlier search; ``is_saved``: the user saved it."""

    text: str
    is_saved: bool = False


def kind_words() -> dict[HitKind, str]:
    return {
        "chat": QCoreApplication.translate("LibraryFinder", "Chats"),
        "entity": QCoreApplication.translate("LibraryFinder", "Entities"),
        "event": QCoreApplication.translate("LibraryFinder", "Events"),
        "message": QCoreApplication.translate("LibraryFinder", "Messages"),
        "log": QCoreApplication.translate("LibraryFinder", "Private logs"),
        "note": QCoreApplication.translate("LibraryFinder", "Private notes"),
        "book": QCoreApplication.translate("LibraryFinder", "World books"),
    }


class LibraryFinder(Finder):
    def __init__(
        self,
        workspace: Workspace,
        opener: HitOpener,
        remembered: Remembered,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._opener = opener
        self._kept = remembered
        self._text = ""
        self._whole: set[HitKind] = set()  # groups shown completely
        self.result = SearchResult()
        self._newest = newest_answer(workspace, self._on_answered, self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._search)
        remembered.changed.connect(self._on_kept_changed)

    @property
    @override
    def is_searching(self) -> bool:
        return self._pause.isActive() or self._newest.is_busy

    @property
    def text(self) -> str:
        return self._text

    @property
    def saved(self) -> list[str]:
        return self._kept.texts(SAVED)

    def is_saved(self, text: str) -> bool:
        return text.strip() in self.saved

    def set_saved(self, text: str, *, saved: bool) -> None:
        """Save a search, or remove it from the saved ones."""
        if saved and text.strip():
            self._kept.add(SAVED, text.strip(), MOST_SAVED)
        else:
            self._kept.remove(SAVED, text.strip())

    @override
    def ask(self, text: str) -> None:
        self._text = text.strip()
        self._whole.clear()
        if self._text:
            self._pause.start()
            return
        self.leave()
        self._show_typed()

    @override
    def leave(self) -> None:
        self._pause.stop()
        self._newest.drop()

    @override
    def open(self, row: QuickRow) -> bool:
        match row.value:
            case Typed(text=text):
                self.text_wanted.emit(text)
                return False
            case SearchGroup(kind=kind):
                self._whole.add(kind)
                self._show_result()
                return False
            case SearchHit():
                self._kept.add(TYPED, self._text)
                self._opener.open(row.value)
        return True

    @override
    def forget(self, row: QuickRow) -> None:
        if isinstance(row.value, Typed):
            self._kept.remove(SAVED if row.value.is_saved else TYPED, row.value.text)

    def _search(self) -> None:
        memory, line, names, text = (
            self._space.memory,
            self._space.line,
            self._space.actors,
            self._text,
        )
        shown = line if line.chat_id else None
        self._newest.ask(lambda ctx: _found(ctx, memory, text, shown, names))

    @Slot(object)
    def _on_answered(self, result: SearchResult) -> None:
        self.result = result
        self._show_result()

    def _show_result(self) -> None:
        rows: list[QuickRow] = []
        for group in self.result.groups:
            rows += self._group_rows(group)
        self.rows.show(rows)
        self.said.emit(self._words())
        self.shown.emit()

    def _group_rows(self, group: SearchGroup) -> list[QuickRow]:
        is_alone = len(self.result.groups) == 1 or group.kind in self._whole
        hits = group.hits if is_alone else group.hits[:_AT_FIRST]
        about = self.tr("about {count}") if group.is_about else "{count}"
        count = about.format(count=f"{group.count:,}")
        rows = [QuickRow("", MarkedPassage(kind_words()[group.kind]), aside=count)]
        rows += [self._hit_row(hit) for hit in hits]
        if len(hits) < len(group.hits):
            more = self.tr("%n more", "", len(group.hits) - len(hits))
            rows.append(QuickRow("down", MarkedPassage(more), group, kind="more"))
        return rows

    def _hit_row(self, hit: SearchHit) -> QuickRow:
        parts = [hit.chat] if hit.kind != "chat" and hit.chat_id != self._space.chat_id else []
        if hit.kind == "book":
            parts = [hit.chat]
        if hit.floors is not None:
            parts.append(floors_words(*hit.floors))
        title, passage = hit.title, hit.passage
        if not title.text:  # the text of an event is its summary
            title, passage = passage, MarkedPassage("")
        return QuickRow(
            ICONS[hit.kind],
            title,
            hit,
            passage,
            " · ".join(parts),
            tuple(sorted({"blue", "green", "stale", "locked"} & hit.states)),
            listed(_state_words()[state] for state in sorted(hit.states)),
        )

    def _words(self) -> str:
        """Return the line below the hits: point of view, unknown filters, unreadable chats."""
        said = []
        if self._space.actor:
            said.append(
                self.tr("Only what {name} knows of this chat").format(name=self._space.actor)
            )
        if not self.result.groups:
            said.insert(0, self.tr("Nothing was found"))
        if self.result.query.unknown:
            unknown = listed(self.result.query.unknown)
            said.append(self.tr("No filter, searched as words: {words}").format(words=unknown))
        if self.result.unread:
            names = listed(self.result.unread)
            said.append(self.tr("Cannot be opened: {names}").format(names=names))
        return " · ".join(said)

    @Slot(str)
    def _on_kept_changed(self, name: str) -> None:
        if name in {SAVED, TYPED} and not self._text:
            self._show_typed()

    def _show_typed(self) -> None:
        """Show the saved and the recent searches."""
        self.result = SearchResult()
        groups: Sequence[tuple[str, str, bool, list[str]]] = (
            (self.tr("Saved searches"), "check", True, self.saved),
            (self.tr("Recent searches"), "clock", False, self._kept.texts(TYPED)),
        )
        rows: list[QuickRow] = []
        for heading, icon, is_saved, texts in groups:
            rows += [QuickRow("", MarkedPassage(heading))] if texts else []
            rows += [
                QuickRow(icon, MarkedPassage(text), Typed(text, is_saved), can_forget=True)
                for text in texts
            ]
        self.rows.show(rows)
        hint = self.tr("Chats, entities, events, messages, private logs and notes, world books")
        self.said.emit("" if rows else hint)
        self.shown.emit()


def _state_words() -> dict[str, str]:
    return {
        "blue": QCoreApplication.translate("LibraryFinder", "Always in context"),
        "green": QCoreApplication.translate("LibraryFinder", "In context when recalled"),
        "stale": QCoreApplication.translate("LibraryFinder", "Stale"),
        "locked": QCoreApplication.translate("LibraryFinder", "Locked"),
    }


def _found(
    ctx: JobContext, memory: Memory, text: str, line: Line | None, names: Sequence[str]
) -> SearchResult:
    actors = memory.knowledge.askers(ctx, line, names) if line is not None and names else ()
    return memory.search.find(ctx, text, line, actors, with_notes=True)


@dataclass(frozen=True, slots=True)
class KeptLists:
    """Names of the lists and tables of saved texts in `Remembered`."""

    saved: str
    names: str
    unpinned: str


NAMES, UNPINNED = "names of searches", "searches not pinned"
SEARCHES = KeptLists(SAVED, NAMES, UNPINNED)


class SavedSearches(QObject):
    """The saved searches: pinned beside the chats, unless the user unpins them."""

    changed = Signal()

    def __init__(
        self,
        remembered: Remembered,
        messages: Messages,
        parent: QObject | None = None,
        *,
        lists: KeptLists = SEARCHES,
    ) -> None:
        super().__init__(parent)
        self._lists = lists
        self._kept = remembered
        self._messages = messages
        remembered.changed.connect(self._on_changed)

    @property
    def pinned(self) -> list[tuple[str, str]]:
        """Return text and name of each pinned search, the newest first."""
        unpinned = set(self._kept.texts(self._lists.unpinned))
        return [(text, name) for text, name in self.saved if text not in unpinned]

    @property
    def saved(self) -> list[tuple[str, str]]:
        """Return text and name of all saved searches, pinned or not."""
        names = self._kept.table(self._lists.names)
        texts = self._kept.texts(self._lists.saved)
        return [(text, names.get(text) or self.words(text)) for text in texts]

    def words(self, text: str) -> str:
        """Return the default name of a saved search."""
        return text

    def name_of(self, text: str) -> str:
        return self._kept.table(self._lists.names).get(text) or self.words(text)

    def unpinned_words(self, name: str) -> str:
        return self.tr("“{name}” stays among the saved searches of Ctrl+K.").format(name=name)

    def deleted_words(self, name: str) -> str:
        return self.tr("The search “{name}” was deleted.").format(name=name)

    def rename(self, text: str, name: str) -> None:
        """Rename a search; an empty name restores its default name."""
        table = self._kept.table(self._lists.names)
        names = {key: old for key, old in table.items() if key != text}
        shown = " ".join(name.split())
        is_own = bool(shown) and shown != self.words(text)
        self._kept.set_table(self._lists.names, names | ({text: shown} if is_own else {}))

    def unpin(self, text: str) -> None:
        """Stop showing a saved search beside the chats."""
        self._kept.add(self._lists.unpinned, text, MOST_SAVED)
        self._tell(
            self.unpinned_words(self.name_of(text)),
            lambda: self._kept.remove(self._lists.unpinned, text),
        )

    def delete(self, text: str) -> None:
        """Delete a saved search."""
        self._kept.remove(self._lists.saved, text)
        self._tell(
            self.deleted_words(self.name_of(text)),
            lambda: self._kept.add(self._lists.saved, text, MOST_SAVED),
        )

    def _tell(self, text: str, undo: object) -> None:
        notice = Notice("info", text, action_text=self.tr("Undo"), action=undo)  # type: ignore[arg-type]  # a call
        self._messages.show(notice)

    @Slot(str)
    def _on_changed(self, name: str) -> None:
        if name in {self._lists.saved, self._lists.names, self._lists.unpinned}:
            self.changed.emit()


FILTERS = KeptLists("filters of events", "names of filters", "filters not pinned")


def query_text(query: EventQuery) -> str:
    """Serialise the filter and order of a list; `query_of` reads the text."""
    return json.dumps(
        {
            "text": query.text,
            "facets": facets_to_json(query.facets),
            "sort": query.sort,
            "reversed": query.is_reversed,
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def query_of(text: str) -> EventQuery:
    """Parse a filter. Invalid parts are ignored: the file may come from elsewhere."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return EventQuery()
    if not isinstance(read, dict):
        return EventQuery()
    sort: Any = read.get("sort")
    query = EventQuery(
        text=str(read.get("text") or ""),
        facets=facets_of_json(str(read.get("facets") or "")),
        is_reversed=read.get("reversed") is True,
    )
    return replace(query, sort=sort) if sort in get_args(EventSort) else query


class SavedFilters(SavedSearches):
    def __init__(
        self, remembered: Remembered, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(remembered, messages, parent, lists=FILTERS)

    def save(self, query: EventQuery) -> None:
        """Save a filter beside the chats, with its description as its name."""
        text = query_text(query)
        self._kept.remove(FILTERS.unpinned, text)
        self._kept.add(FILTERS.saved, text, MOST_SAVED)
        self._tell(
            self.tr("“{name}” is kept beside the chats. F2 renames it there.").format(
                name=self.name_of(text)
            ),
            lambda: self._kept.remove(FILTERS.saved, text),
        )

    @override
    def words(self, text: str) -> str:
        query = query_of(text)
        parts = [f"“{query.text}”"] if query.text else []
        if query.facets:
            parts.append(filter_words(query.facets))
        return " ".join(parts) or sort_names()[query.sort]

    @override
    def unpinned_words(self, name: str) -> str:
        return self.tr("“{name}” stays in the menu of the events page.").format(name=name)

    @override
    def deleted_words(self, name: str) -> str:
        return self.tr("The filter “{name}” was deleted.").format(name=name)
