"""The search over the whole library while it is typed: grouped hits, saved and recent searches."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot
from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search.hit import Passage, SearchGroup, SearchHit, SearchResult
from engram_desktop.domain.search.query import HitKind
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.viewmodels.search.finder import Finder
from engram_desktop.viewmodels.search.hit_opener import HitOpener
from engram_desktop.viewmodels.search.quick_rows import QuickRow
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

SAVED, TYPED = "saved searches", "recent searches"
MOST_SAVED = 40  # more is a list nobody looks through
PAUSE_MS = 120  # a search follows the typing, but not each key of a quick writer
_AT_FIRST = 6  # hits of a group while there are others
ICONS: dict[HitKind, str] = {
    "chat": "talk",
    "entity": "graph",
    "event": "events",
    "message": "summarise",
    "log": "logs",
    "book": "books",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A search that was typed before; ``is_saved`` by the user."""

    text: str
    is_saved: bool = False


def kind_words() -> dict[HitKind, str]:
    return {
        "chat": QCoreApplication.translate("LibraryFinder", "Chats"),
        "entity": QCoreApplication.translate("LibraryFinder", "Entities"),
        "event": QCoreApplication.translate("LibraryFinder", "Events"),
        "message": QCoreApplication.translate("LibraryFinder", "Messages"),
        "log": QCoreApplication.translate("LibraryFinder", "Private logs"),
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
        self._whole: set[HitKind] = set()  # groups that are shown to their end
        self.result = SearchResult()
        self._newest = NewestAnswer(workspace.jobs, self)
        self._newest.answered.connect(self._on_answered)
        self._newest.failed.connect(workspace.messages.show_error)
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
        """Keep a search by its words, or keep it no longer."""
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
        rows = [QuickRow("", Passage(kind_words()[group.kind]), aside=count)]
        rows += [self._hit_row(hit) for hit in hits]
        if len(hits) < len(group.hits):
            more = self.tr("%n more", "", len(group.hits) - len(hits))
            rows.append(QuickRow("down", Passage(more), group, kind="more"))
        return rows

    def _hit_row(self, hit: SearchHit) -> QuickRow:
        parts = [hit.chat] if hit.kind != "chat" and hit.chat_id != self._space.chat_id else []
        if hit.kind == "book":
            parts = [hit.chat]
        if hit.floors is not None:
            parts.append(floors_words(*hit.floors))
        title, passage = hit.title, hit.passage
        if not title.text:  # an event is its own summary
            title, passage = passage, Passage("")
        return QuickRow(
            ICONS[hit.kind],
            title,
            hit,
            passage,
            " · ".join(parts),
            tuple(sorted({"blue", "green", "stale", "locked"} & hit.states)),
            ", ".join(_state_words()[state] for state in sorted(hit.states)),
        )

    def _words(self) -> str:
        """Say what else there is to know about the result."""
        said = []
        if self._space.actor:
            said.append(
                self.tr("Only what {name} knows of this chat").format(name=self._space.actor)
            )
        if not self.result.groups:
            said.insert(0, self.tr("Nothing was found"))
        if self.result.query.unknown:
            unknown = ", ".join(self.result.query.unknown)
            said.append(self.tr("No filter, searched as words: {words}").format(words=unknown))
        if self.result.unread:
            names = ", ".join(self.result.unread)
            said.append(self.tr("Cannot be opened: {names}").format(names=names))
        return " · ".join(said)

    @Slot(str)
    def _on_kept_changed(self, name: str) -> None:
        if name in {SAVED, TYPED} and not self._text:
            self._show_typed()

    def _show_typed(self) -> None:
        """Show the searches that were saved, and the latest."""
        self.result = SearchResult()
        groups: Sequence[tuple[str, str, bool, list[str]]] = (
            (self.tr("Saved searches"), "check", True, self.saved),
            (self.tr("Recent searches"), "clock", False, self._kept.texts(TYPED)),
        )
        rows: list[QuickRow] = []
        for heading, icon, is_saved, texts in groups:
            rows += [QuickRow("", Passage(heading))] if texts else []
            rows += [
                QuickRow(icon, Passage(text), Typed(text, is_saved), can_forget=True)
                for text in texts
            ]
        self.rows.show(rows)
        hint = self.tr("Chats, entities, events, messages, private logs and world books")
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
    return memory.search.find(ctx, text, line, actors)
