"""The inbox of a chat: what waits for a decision, by kind, with one key per decision.

Kinds are read on a lane, slow ones apart from quick ones. A decided item leaves the list at once,
and returns if the decision fails or is undone.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.claim import answers_of
from engram_desktop.domain.inbox import (
    INBOX_KINDS,
    Effect,
    InboxAction,
    InboxAnswer,
    InboxItem,
    InboxItems,
    InboxKind,
    effect_of,
    sorted_out,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import Lane
from engram_desktop.viewmodels.findings import FindingList, concerns_findings
from engram_desktop.viewmodels.pipeline.review import Review
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PagedListModel, newest_answer
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.undo_actions import Decided
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.viewmodels.graph.graph_view import GraphPageModel

SETTLE_MS = 1_500  # without changes before slow kinds are read, or all while hidden
WITH_LINES: tuple[InboxKind, ...] = ("draft", "doubt", "stale")  # judged by the text of floors
MOST_LINES = 4  # messages shown with an item: the page of the text has all
LOOK_AGAIN_MS = 60_000  # how often due dates of postponed items are checked


def kind_names() -> dict[InboxKind, str]:
    """Return the display names of the kinds."""
    return {
        "failed": QCoreApplication.translate("Inbox", "Failed block"),
        "draft": QCoreApplication.translate("Inbox", "Draft"),
        "contradiction": QCoreApplication.translate("Inbox", "Contradiction"),
        "promise": QCoreApplication.translate("Inbox", "Promise due"),
        "doubt": QCoreApplication.translate("Inbox", "Doubtful"),
        "stale": QCoreApplication.translate("Inbox", "Stale"),
        "same": QCoreApplication.translate("Inbox", "Same entity?"),
        "duplicate": QCoreApplication.translate("Inbox", "Duplicate"),
    }


KIND_ROLES: dict[InboxKind, str] = {  # the colour of each kind, as a role of the theme
    "failed": "red",
    "draft": "accent",
    "contradiction": "accent",
    "promise": "green",
    "doubt": "gold",
    "stale": "red",
    "same": "grey",
    "duplicate": "grey",
}


def kind_questions() -> dict[InboxKind, str]:
    """Return for each kind the question to decide."""
    return {
        "failed": QCoreApplication.translate(
            "Inbox", "The model's answer could not be used. Ask again, or mend it by hand?"
        ),
        "draft": QCoreApplication.translate(
            "Inbox", "A model proposes these events. Shall they be remembered?"
        ),
        "contradiction": QCoreApplication.translate(
            "Inbox", "Both cannot be so, and nothing between them changed it. Which is true?"
        ),
        "promise": QCoreApplication.translate(
            "Inbox", "What it waited for has come up since. Was it kept?"
        ),
        "doubt": QCoreApplication.translate(
            "Inbox", "No line of its floors bears these sentences out. Is the event right?"
        ),
        "stale": QCoreApplication.translate(
            "Inbox", "What it was made of has changed. Is it still right?"
        ),
        "same": QCoreApplication.translate("Inbox", "Are these two one and the same?"),
        "duplicate": QCoreApplication.translate(
            "Inbox", "These events say the same. Shall they become one?"
        ),
    }


def effect_names() -> dict[Effect, str]:
    """Return what accepting or dismissing does."""
    return {
        "ask_again": QCoreApplication.translate("Inbox", "Ask again"),
        "save_draft": QCoreApplication.translate("Inbox", "Save as drafted"),
        "discard_draft": QCoreApplication.translate("Inbox", "Discard"),
        "later_is_true": QCoreApplication.translate("Inbox", "The later is true"),
        "promise_kept": QCoreApplication.translate("Inbox", "It was kept"),
        "confirm": QCoreApplication.translate("Inbox", "It is right"),
        "still_right": QCoreApplication.translate("Inbox", "Still right"),
        "merge": QCoreApplication.translate("Inbox", "Merge the two"),
        "keep_two": QCoreApplication.translate("Inbox", "They are two"),
        "join": QCoreApplication.translate("Inbox", "Join into one"),
        "keep_apart": QCoreApplication.translate("Inbox", "Not the same"),
        "put_away": QCoreApplication.translate("Inbox", "Put away"),
        "put_off": QCoreApplication.translate("Inbox", "Later"),
    }


def part_words(text: str) -> str:
    """Return a text in the window's language if the program wrote it, else as it is."""
    return translated(text)


def item_text(item: InboxItem) -> str:
    """Return the words of an item; for two that only have names, why they may be the same."""
    texts = [" ".join(part_words(part.text).split()) for part in item.parts]
    if item.why and item.title == " = ".join(texts):
        texts = [part_words(why) for why in item.why]
    return " / ".join(texts)


def item_floors(item: InboxItem) -> str:
    return floors_words(*item.floors) if item.floors else ""


class InboxModel(PagedListModel[InboxItem]):
    @override
    def text(self, row: InboxItem) -> str:
        return item_text(row)

    @override
    def spoken_text(self, row: InboxItem) -> str:
        words = (kind_names()[row.kind], row.title, item_floors(row), item_text(row))
        return ". ".join(part for part in words if part)


@dataclass(slots=True)
class InboxDecision:
    """A decision whose item left the list. The job sets ``is_written``, on its lane.

    ``part`` is the number of the part to read again; None means the answers, after the item was put
    away or postponed.
    """

    part: int | None
    is_written: bool = False


Concerns = Callable[[Workspace, Changes], bool]


def _concerns_quick(space: Workspace, changes: Changes) -> bool:
    return changes.chat_id == space.chat_id and (
        changes.drafts or changes.messages or changes.has_memory or bool(changes.events)
    )


def _concerns_doubts(space: Workspace, changes: Changes) -> bool:
    is_told = changes.rows or changes.texts or changes.order or changes.messages or changes.trust
    return changes.chat_id == space.chat_id and is_told


def _concerns_duplicates(space: Workspace, changes: Changes) -> bool:
    return changes.chat_id == space.chat_id and changes.may_change_duplicates


# Kinds that are read together: query name, lane, and the changes that cause a new read.
PARTS: tuple[tuple[tuple[InboxKind, ...], str, Lane, Concerns], ...] = (
    (("failed", "draft", "stale", "same"), "inbox", "interactive", _concerns_quick),
    (("contradiction", "promise"), "inbox findings", "follow", concerns_findings),
    (("doubt",), "inbox doubts", "follow", _concerns_doubts),
    (("duplicate",), "inbox duplicates", "follow", _concerns_duplicates),
)


# The decisions written when the read began, and the items read.
_Read = tuple[frozenset[str], InboxItems]
_Answers = tuple[frozenset[str], dict[str, InboxAnswer]]


class InboxList(WorkspaceModel):
    """State and commands of the inbox page, and the count shown beside every page.

    While the page is hidden it reads too, shortly after a chat is shown and after each change.
    """

    counted = Signal(int)  # number of waiting items; 0 while unknown
    found = Signal()  # the list was read, decided or filtered
    shown = Signal(object)  # InboxItem or None: the chosen one
    lines_read = Signal(object)  # tuple[Message, ...]: the current messages of its floors
    review_wanted = Signal()
    failures_wanted = Signal()

    def __init__(
        self,
        workspace: Workspace,
        findings: Callable[[], FindingList],
        graph: Callable[[], GraphPageModel],
        review: Callable[[], Review],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._findings = findings
        self._graph = graph
        self._review = review
        self.kind: InboxKind | None = None
        self.shows_put_off = False
        self.current: InboxItem | None = None
        self._items: dict[int, InboxItems] = {}  # by the number of the part
        self._asked: dict[int, frozenset[str]] = {}  # by part: decisions its running read covers
        self._answers: dict[str, InboxAnswer] = {}
        self._decided: dict[str, InboxDecision] = {}  # by the id of the item
        self._waiting: tuple[InboxItem, ...] = ()
        self._put_off: tuple[InboxItem, ...] = ()
        self._listed: dict[int, InboxItem] = {}
        self.model = InboxModel(self._fetch, self)
        self.decided = Decided(workspace, self)
        self._is_seen = False
        self._begin = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._begin.timeout.connect(partial(self._read, wanted=True))
        workspace.chat_changed.connect(self._on_chat_changed)  # before its queries do
        self._queries = [self._make_query(number) for number in range(len(PARTS))]
        self._answer_query = LiveQuery(
            workspace,
            "inbox answers",
            self._ask_answers,
            self._show_answers,
            concerns=lambda c: c.chat_id == workspace.chat_id and c.inbox,
            forget=self._forget,
            parent=self,
        )
        self._answer_query.set_active(False)
        self._answer_query.busy_changed.connect(self._on_busy)
        self.found.connect(lambda: self.counted.emit(self.count if self.is_loaded else 0))
        self._begin.start()
        self._reading = newest_answer(workspace, self.lines_read, self)
        self._again = QTimer(self, interval=LOOK_AGAIN_MS)
        self._again.timeout.connect(self._sort)

    def _make_query(self, number: int) -> LiveQuery[_Read]:
        _kinds, name, lane, concerns = PARTS[number]
        query = LiveQuery(
            self._space,
            name,
            partial(self._ask, number),
            partial(self._show, number),
            concerns=partial(concerns, self._space),
            parent=self,
        )
        query.lane = lane
        query.settle_ms = SETTLE_MS
        query.set_active(False)
        query.busy_changed.connect(self._on_busy)
        return query

    @property
    def is_loaded(self) -> bool:
        """Return whether all kinds were read; until then items may be missing."""
        return self._answer_query.has_answer and all(q.has_answer for q in self._queries)

    @property
    def is_settled(self) -> bool:
        """Return whether the list is up to date: no decision, read or pending read."""
        queries = (q.is_settled for q in self._queries)
        return not self._decided and self._answer_query.is_settled and all(queries)

    @property
    def count(self) -> int:
        """Return the number of waiting items, including those not listed yet."""
        return sum(self.counts().values())

    @property
    def put_off_count(self) -> int:
        return len(self._put_off)

    @property
    def not_listed(self) -> int:
        """Return the number of waiting items that are not listed yet."""
        more = [sum(items.more.values()) for items in self._items.values()]
        return sum(more)

    def counts(self) -> Mapping[InboxKind, int]:
        """Count the waiting items by kind, ignoring the filter."""
        found = Counter(item.kind for item in self._waiting)
        for items in self._items.values():
            found.update(items.more)
        return {kind: found[kind] for kind in INBOX_KINDS}

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Set whether the page is shown."""
        self._is_seen = active
        for query in self._queries:
            query.settle_ms = 0 if active and query.lane == "interactive" else SETTLE_MS
        if active:
            self._read(wanted=True)
            self._again.start()
        else:
            self._again.stop()

    def _read(self, *, wanted: bool) -> None:
        self._begin.stop()
        self._answer_query.set_active(wanted)
        for query in self._queries:
            query.set_active(wanted)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        if not self._is_seen:  # a shown page reads first
            self._read(wanted=False)
            self._begin.start()

    def filter_kind(self, kind: InboxKind | None) -> None:
        self.kind, self.shows_put_off = kind, False
        self._narrow()

    def show_put_off(self) -> None:
        """List the postponed items instead of the waiting ones."""
        self.kind, self.shows_put_off = None, True
        self._narrow()

    def choose(self, key: int | None) -> None:
        """Show one item, and read the messages of its floors."""
        before = self.current
        self.current = self._listed.get(key) if key is not None else None
        self.shown.emit(self.current)
        item, line, memory = self.current, self._space.line, self._space.memory
        if item == before:
            return
        if item is None or item.kind not in WITH_LINES or not item.floors:
            self._reading.drop()
            self.lines_read.emit(())
            return
        first, last = item.floors
        last = min(last, first + MOST_LINES - 1)
        self._reading.ask(lambda _ctx: tuple(memory.messages.slice(line, first, last)))

    def choices(self) -> Sequence[str]:
        """Return the possible answers to a shown finding, in the order of the keys 1–5."""
        match self.current.kind if self.current is not None else None:
            case "contradiction" | "promise" as kind:
                return answers_of(kind)
            case _:
                return ()

    def act(self, action: InboxAction, answer: str = "") -> bool:
        """Decide the shown item; it leaves the list. Returns whether it could be decided."""
        item, line, memory = self.current, self._space.line, self._space.memory
        if item is None or item.id in self._decided or self.actor:
            return False
        if action == "accept" and item.kind == "draft" and self._is_corrected(item):
            self.change()  # the draft was edited: show it instead of discarding the edits
            return False
        is_put = effect_of(item.kind, action) in ("put_away", "put_off")
        part = next(number for number, (kinds, *_) in enumerate(PARTS) if item.kind in kinds)
        decision = self._decided[item.id] = InboxDecision(None if is_put else part)

        def work(ctx: JobContext) -> Changes:
            changes = memory.inbox.act(ctx, line, item, action, answer)
            decision.is_written = True  # reads that start from now on include the outcome
            return changes

        asks_model = item.kind == "failed" and action == "accept"
        job = self._space.change(
            self.tr("Asking again") if asks_model else "",
            work,
            lane="network" if asks_model else "write",
        )
        job.succeeded.connect(lambda changes: self._on_written(item, changes))
        job.failed.connect(lambda _error: self._on_refused(item))
        job.cancelled.connect(lambda: self._on_refused(item))
        self._sort()
        return True

    def change(self) -> None:
        """Open the shown item where it can be edited."""
        item, space = self.current, self._space
        if item is None:
            return
        match item.kind:
            case "draft" | "failed":
                self._review().wanted = item.ref
                wanted = self.review_wanted if item.kind == "draft" else self.failures_wanted
                wanted.emit()
                self._review().read()
            case "contradiction" | "promise":
                self._findings().go_to(item.ref)
            case "same":
                space.page_wanted.emit("graph")
                self._graph().show_entity(item.entities[0])
            case _:
                space.event_wanted.emit(item.keys[0])

    def read_floors(self, number: int) -> None:
        """Show the messages of a part of the shown item, or of a line shown with it."""
        if self.current is not None:
            part = (*self.current.parts, *self.current.beside)[number]
            if part.first >= 0:
                self._space.floor_wanted.emit(part.first, part.last)

    def _is_corrected(self, item: InboxItem) -> bool:
        review = self._review()
        return bool(review.unsaved.read(review.place(item.ref)))

    def _on_written(self, item: InboxItem, changes: Changes) -> None:
        """Read the decided item's part again if no change notification causes it."""
        self.decided.note(item.key, changes)
        decision = self._decided.get(item.id)
        part = decision.part if decision is not None else None
        if part is not None and item.id not in self._asked[part]:
            self._queries[part].refresh()
        elif decision is not None and part is None:
            self._answer_query.refresh()

    def _on_refused(self, item: InboxItem) -> None:
        self._decided.pop(item.id, None)
        self._sort()

    def _fetch(self, keys: Sequence[int]) -> dict[int, InboxItem]:
        return {key: self._listed[key] for key in keys if key in self._listed}

    def _written(self) -> frozenset[str]:
        """Return the decisions that are written: a read that starts now includes their outcome."""
        return frozenset(i for i, decision in self._decided.items() if decision.is_written)

    def _ask(self, number: int) -> Callable[[JobContext], _Read] | None:
        line, memory = self._space.line, self._space.memory
        kinds, written = PARTS[number][0], self._written()
        self._asked[number] = written
        if not line.chat_id or self.actor:
            return None
        return lambda ctx: (written, memory.inbox.read(ctx, line, kinds))

    def _show(self, number: int, answer: _Read) -> None:
        written, self._items[number] = answer
        self._let_go(written, number)

    def _ask_answers(self) -> Callable[[JobContext], _Answers] | None:
        line, memory, written = self._space.line, self._space.memory, self._written()
        return (lambda _ctx: (written, memory.inbox.answers(line))) if line.chat_id else None

    def _show_answers(self, answer: _Answers) -> None:
        written, self._answers = answer
        self._let_go(written, None)

    def _let_go(self, written: frozenset[str], part: int | None) -> None:
        """Drop decisions whose outcome was read, and list the remaining items."""
        for item_id in written:
            decision = self._decided.get(item_id)
            if decision is not None and decision.part == part:
                del self._decided[item_id]
        self._sort()

    def _every(self) -> list[InboxItem]:
        return [item for items in self._items.values() for item in items.items]

    @Slot()
    def _sort(self) -> None:
        """Separate waiting from postponed items, and list one of the two."""
        line = self._space.line
        rest = [item for item in self._every() if item.id not in self._decided]
        # Where nothing was read, its service may not be there yet: a lane makes it. It reads a
        # third of the program, which took the GUI thread a second beside an import.
        now = self._space.memory.inbox.now(line) if line.chat_id and rest else 0
        parted = sorted_out(rest, self._answers, now)
        self._waiting, self._put_off = parted.waiting, parted.put_off
        if self.shows_put_off and not self._put_off:
            self.shows_put_off = False
        self._narrow()
        self._follow()

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        if not busy and not self._listed:
            self.found.emit()  # only now the list is known to be empty

    def _follow(self) -> None:
        """Read the next items of a kind after all listed ones were decided."""
        kinds = {item.kind for item in self._waiting}
        for number, items in self._items.items():
            query = self._queries[number]
            if not query.is_busy and any(kind not in kinds for kind in items.more):
                query.refresh()

    def _narrow(self) -> None:
        listed = self._put_off if self.shows_put_off else self._waiting
        if self.kind is not None and not any(item.kind == self.kind for item in listed):
            self.kind = None  # the last item was decided
        rows = [item for item in listed if self.kind in (None, item.kind)]
        self._listed = {item.key: item for item in rows}
        keys = array("q", self._listed)
        if keys == self.model.keys():
            self.model.refresh()
        else:
            self.model.set_keys(keys)
        self.found.emit()
        self.choose(self.current.key if self.current is not None else None)

    def _forget(self) -> None:
        self._reading.drop()
        self._items, self._answers, self._decided = {}, {}, {}
        self.kind, self.shows_put_off, self.current = None, False, None
        self._sort()
