"""The quick switcher: chats, branches and entities by name; the latest where nothing is typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QObject, Slot
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.search.fuzzy import fit
from engram_desktop.domain.search.hit import Passage, SearchHit
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.chats.branches import Branches, branch_name
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.search.finder import Finder
from engram_desktop.viewmodels.search.hit_opener import HitOpener
from engram_desktop.viewmodels.search.quick_rows import QuickRow
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

RECENT = "recent places"
_MOST = 30  # entities of the chat shown that fit
_ICONS = {"chat": "talk", "branch": "branch", "entity": "graph"}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the switcher leads."""

    kind: Literal["chat", "branch", "entity"]
    chat_id: str
    ref: str
    name: str

    def kept(self) -> str:
        return json.dumps([self.kind, self.chat_id, self.ref, self.name])


def _spot(text: str) -> Spot | None:
    """Read a place as it was kept; None for what is none."""
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
        self._newest = NewestAnswer(workspace.jobs, self)
        self._newest.answered.connect(self._on_entities)
        self._newest.failed.connect(workspace.messages.show_error)
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
            self._kept.add(RECENT, spot.kept())
            if spot.kind == "entity":
                branch = self._space.branch_id if spot.chat_id == self._space.chat_id else ""
                hit = SearchHit(
                    "entity", spot.ref, Passage(spot.name), Passage(""), spot.chat_id, "", branch
                )
            else:
                branch = spot.ref if spot.kind == "branch" else ""
                hit = SearchHit(
                    "chat", spot.chat_id, Passage(spot.name), Passage(""), spot.chat_id, "", branch
                )
            self._opener.open(hit)
        return True

    @override
    def forget(self, row: QuickRow) -> None:
        if isinstance(row.value, Spot):
            self._kept.remove(RECENT, row.value.kept())
            self.ask(self._typed)

    @Slot(object)
    def _on_entities(self, entities: list[EntityNode]) -> None:
        chat = self._space.chat_id
        self._show(self._named(), [Spot("entity", chat, e.id, e.name) for e in entities])

    @Slot(str)
    def _on_chat_changed(self, chat_id: str) -> None:
        chat = self._chats.chat(chat_id)
        if chat is not None:
            self._kept.add(RECENT, Spot("chat", chat_id, chat_id, chat.name).kept())

    def _latest(self) -> list[Spot]:
        """Return where the user was, without what is shown and what is no more."""
        spots = [s for text in self._kept.texts(RECENT) if (s := _spot(text)) is not None]
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
        """Return the chats, and the branches of the one shown, that fit what is typed."""
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
            rows += [QuickRow("", Passage(heading))] if members else []
            rows += [self._row(spot) for spot in members]
        self.rows.show(rows)
        hint = self.tr("Type the name of a chat, a branch or an entity")
        nothing = self.tr("Nothing is called so") if self._typed else hint
        self.said.emit("" if rows or self._newest.is_busy else nothing)
        self.shown.emit()

    def _row(self, spot: Spot) -> QuickRow:
        found = fit(self._typed, spot.name) if self._typed else None
        title = Passage(spot.name, found.marks if found else ())
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
