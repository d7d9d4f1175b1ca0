"""Review of drafts: show, correct, save or discard them; also looking back (reflection).

Corrections are kept here until they are saved; saving stores the drafts as shown. Which source
sentences support a drafted event is looked up again a moment after it was edited.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import EventNode, EventPatch
from engram_desktop.domain.pipeline.draft import (
    Draft,
    DraftComparison,
    DraftedEvent,
    drafted,
    edited,
)
from engram_desktop.domain.reports import ReflectionReport, SummaryReport
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.events.event_editor import read_json
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.messages import Notice, describe, translated
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import (
    SAVE_WITHIN_MS,
    Typed,
    TypingPlace,
    Workspace,
    WorkspaceModel,
)

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.draft import DraftReport


RESTS_MS = 300  # milliseconds without a key before sources are looked up


class DraftSources(WorkspaceModel):
    found = Signal(object)  # tuple of SentenceSource

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._draft: Draft | None = None
        self._text = ""
        self._answer = newest_answer(workspace, self.found, self)
        self._rests = QTimer(self, singleShot=True, interval=RESTS_MS)
        self._rests.timeout.connect(self._ask)

    def show(self, draft: Draft | None, node: EventNode | None) -> None:
        """Look up the sources of ``node`` of ``draft``; None clears them."""
        text = _told(node) if node is not None else ""
        is_other = draft != self._draft
        if not is_other and text == self._text:
            return
        self._draft, self._text = draft, text
        self._answer.drop()
        if draft is None or draft.is_outdated or not text:
            self._rests.stop()
            self.found.emit(())
        elif is_other or not self._rests.isActive():
            self._ask()

    def edit(self, draft: Draft, node: EventNode) -> None:
        """Look up the sources of an edited event, after a pause without keys."""
        self._draft, self._text = draft, _told(node)
        self._rests.start()

    @Slot()
    def _ask(self) -> None:
        draft, text, memory = self._draft, self._text, self._space.memory
        if draft is not None and text:
            chat = self._space.chat_id
            self._answer.ask(lambda ctx: memory.drafts.sources(ctx, chat, draft.id, text))


def _told(node: EventNode) -> str:
    """Return the text of an event: summary and details."""
    details = node.raw_data.details
    return f"{node.summary}\n{details}" if details else node.summary


@dataclass(slots=True)
class DraftView:
    """One draft on the screen: its edited events, those left out, those it would replace.

    ``nodes`` are the draft's own events, then those of other models; the latter are left out until
    the user ticks them.
    """

    comparison: DraftComparison
    nodes: list[EventNode]
    dropped: set[int] = field(default_factory=set)
    replaced: set[int] = field(default_factory=set)

    @property
    def own_count(self) -> int:
        """Return how many of ``nodes`` belong to the draft itself."""
        return len(self.comparison.drafted)

    @property
    def events(self) -> list[DraftedEvent]:
        """Return the events to save; in story order if some are of other models."""
        chosen = [n for i, n in enumerate(self.nodes) if i not in self.dropped]
        if any(i not in self.dropped for i in range(self.own_count, len(self.nodes))):
            chosen.sort(key=lambda node: node.source_range)
        return [drafted(node) for node in chosen]

    def take_others(self, comparison: DraftComparison) -> None:
        """Add the events of a further model; edits and ticks stay."""
        count = len(self.nodes)
        self.comparison = comparison
        fresh = comparison.offered[count:]
        self.nodes += fresh
        self.dropped |= set(range(count, count + len(fresh)))

    @property
    def corrections(self) -> dict[str, Typed]:
        """Return the edited data of each changed event, as JSON by its number in ``nodes``."""
        originals = self.comparison.offered
        return {
            str(number): json.dumps(node.raw_data.to_json(), ensure_ascii=False)
            for number, (node, old) in enumerate(zip(self.nodes, originals, strict=True))
            if node.raw_data != old.raw_data
        }

    def put_back(self, corrections: Mapping[str, Typed]) -> None:
        """Apply corrections of an earlier run of the program, as far as they can be read."""
        for number, node in enumerate(self.nodes):
            text = corrections.get(str(number))
            data, faults = read_json(text) if isinstance(text, str) else (None, ())
            if data is not None and not faults:
                self.nodes[number] = edited(node, EventPatch(raw_data=data))


def _compare(memory: Memory, chat: str, draft_id: str, _ctx: object) -> DraftComparison:
    return memory.drafts.compare(chat, draft_id)


class DraftFields(QObject):
    """The editor of one drafted event; it has the interface of the editor of stored events."""

    edited = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current: EventNode | None = None
        self.trouble = ""

    def show(self, node: EventNode | None) -> None:
        self.current = node
        self.trouble = ""

    def edit(self, **values: Any) -> None:
        if self.current is None:
            return
        try:
            self.current = edited(self.current, EventPatch(**values))
            self.trouble = ""
        except InputError as error:
            self.trouble = describe(error)[0]
        self.edited.emit()

    def save(self) -> None:
        """Do nothing: a drafted event is stored only with its draft."""


class Review(WorkspaceModel):
    listed = Signal()  # the list of drafts was read
    shown = Signal(object)  # View of the draft chosen, or None
    models_read = Signal(object)  # names of the models that may be asked
    asking_changed = Signal()

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.waiting: list[Draft] = []
        self.failed: list[Draft] = []
        self._views: dict[str, DraftView] = {}
        self._chosen = ""
        self.wanted = ""  # id of a draft that another page asked to be shown
        self.is_asking = False  # another model is being asked
        self.sources = DraftSources(workspace, self)
        self._idle = QTimer(self, singleShot=True, interval=SAVE_WITHIN_MS)
        self._idle.timeout.connect(self._keep_corrections)
        self._query = LiveQuery(
            workspace,
            "drafts",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget_all,
            parent=self,
        )

    @Slot()
    def read(self) -> None:
        self._query.read()

    def choose(self, draft_id: str) -> None:
        """Show one draft with the corrections made before."""
        self._chosen = draft_id
        view = self._views.get(draft_id)
        if view is not None or not draft_id:
            self.shown.emit(view)
            return
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.drafts.compare(chat, draft_id))
        job.succeeded.connect(self._on_compared)

    def take_wanted(self, drafts: Sequence[Draft]) -> int | None:
        """Return the row of the draft that a page asked to be shown, and clear the request."""
        row = next((n for n, draft in enumerate(drafts) if draft.id == self.wanted), None)
        if row is not None:
            self.wanted = ""
        return row

    def read_messages(self, draft: Draft) -> None:
        """Show the messages that a draft summarises."""
        self.read_floors(*draft.floors)

    @Slot(int, int)
    def read_floors(self, first: int, last: int) -> None:
        self._space.floor_wanted.emit(first, last)

    def place(self, draft_id: str) -> TypingPlace:
        """Return the typing place for the corrections of a draft."""
        return TypingPlace(f"draft {draft_id}", self._space.chat_id)

    def on_corrected(self) -> None:
        """Keep the corrections of drafts after a short delay."""
        if not self._idle.isActive():
            self._idle.start()

    def save(self, ids: Sequence[str]) -> JobHandle:
        """Save drafts with their corrections; drafts never shown are saved as they were made."""
        chat, memory = self._space.chat_id, self._space.memory
        edits = {i: self._views[i].events if i in self._views else None for i in ids}
        replaced = {i: frozenset(self._views[i].replaced) for i in ids if i in self._views}
        job = self._space.change(
            self.tr("Saving what was reviewed"),
            lambda ctx: memory.drafts.save(ctx, chat, edits, replaced),
        )
        job.succeeded.connect(lambda _report: self._forget(ids))
        job.succeeded.connect(self._on_saved)
        return job

    def discard(self, ids: Sequence[str]) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Discarding drafts"), lambda _ctx: memory.drafts.discard(chat, ids)
        )
        job.succeeded.connect(lambda _changes: self._forget(ids))
        job.succeeded.connect(lambda _changes: self._tell_discarded(len(ids)))

    def ask_again(self, draft: Draft) -> None:
        """Ask the model again; the new answer replaces the draft."""
        chat, memory = self._space.chat_id, self._space.memory
        review = memory.settings.read(chat).review_enabled
        job = self._space.change(
            self.tr("Asking again"),
            lambda ctx: memory.drafts.ask_again(ctx, chat, draft.id, review=review),
            lane="network",
        )
        job.succeeded.connect(self._on_asked)

    def list_models(self) -> None:
        """Read the names of available models; without a list the user types a name."""
        memory = self._space.memory
        job = self._space.jobs.submit("", memory.endpoints.configured_models, lane="interactive")
        job.succeeded.connect(self.models_read)
        job.failed.connect(lambda _error: self.models_read.emit([]))

    def ask_other(self, draft: Draft, model: str) -> None:
        """Ask another model about the same messages; its answer is shown with the draft."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.run(
            self.tr("Asking {model}").format(model=model),
            lambda ctx: memory.drafts.ask_other(ctx, chat, draft.id, model),
            lane="network",
        )
        job.succeeded.connect(self._on_other)
        job.finished.connect(self._on_asking_ended)
        self.is_asking = True
        self.asking_changed.emit()

    def read_again(self, draft: Draft, raw: str) -> JobHandle:
        """Parse an edited raw answer and store the result as the draft."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Reading the answer"),
            lambda ctx: memory.drafts.read_again(ctx, chat, draft.id, raw),
        )
        job.succeeded.connect(self._on_saved)
        return job

    def save_without_asking(self) -> None:
        """Switch review off for this chat."""
        chat, memory = self._space.chat_id, self._space.memory
        self._space.change(
            self.tr("Saving a setting"),
            lambda _ctx: memory.settings.set("review.enabled", value=False, chat_id=chat),
        )

    def _ask(self) -> Callable[[JobContext], list[Draft]] | None:
        line, memory = self._space.line, self._space.memory
        return (lambda _ctx: memory.drafts.find(line)) if line.chat_id else None

    def _show(self, drafts: list[Draft]) -> None:
        self.waiting = [draft for draft in drafts if draft.state == "waiting"]
        self.failed = [draft for draft in drafts if draft.state == "failed"]
        by_id = {draft.id: draft for draft in drafts}
        for draft_id in list(self._views):
            old = self._views[draft_id].comparison.draft
            draft = by_id.get(draft_id)
            if draft is None or draft.floors != old.floors:
                del self._views[draft_id]
        self._look_at_corrected()
        self.listed.emit()

    def _look_at_corrected(self) -> None:
        """Load waiting drafts with kept corrections, so that they are saved as corrected."""
        chat, memory = self._space.chat_id, self._space.memory
        for draft in self.waiting:
            if draft.id not in self._views and self.unsaved.read(self.place(draft.id)):
                job = self._space.look_up(partial(_compare, memory, chat, draft.id))
                job.succeeded.connect(self._on_compared)

    @Slot()
    def _keep_corrections(self) -> None:
        for draft_id, view in self._views.items():
            self.unsaved.keep(self.place(draft_id), view.corrections)

    def _forget(self, ids: Sequence[str]) -> None:
        for draft_id in ids:
            self.unsaved.forget(self.place(draft_id))

    @Slot(object)
    def _on_compared(self, comparison: DraftComparison) -> None:
        draft = comparison.draft
        replaced = set()
        if draft.purpose == "redo":
            replaced = {e.pk for e in comparison.present if e.pk not in comparison.kept}
        nodes = list(comparison.offered)
        dropped = set(range(len(comparison.drafted), len(nodes)))
        view = DraftView(comparison, nodes, dropped, replaced)
        view.put_back(self.unsaved.read(self.place(draft.id)))
        self._views[draft.id] = view
        if draft.id == self._chosen:
            self.shown.emit(view)

    @Slot(object)
    def _on_other(self, comparison: DraftComparison) -> None:
        draft_id = comparison.draft.id
        view = self._views.get(draft_id)
        if view is None:
            self._on_compared(comparison)
            return
        view.take_others(comparison)
        if draft_id == self._chosen:
            self.shown.emit(view)

    @Slot()
    def _on_asking_ended(self) -> None:
        self.is_asking = False
        self.asking_changed.emit()

    @Slot(object)
    def _on_saved(self, report: DraftReport) -> None:
        show = self._space.messages.show
        if report.outdated:
            show(
                Notice(
                    "warning",
                    self.tr("%n block(s) were not saved.", "", len(report.outdated)),
                    self.tr("Their messages have changed since. Ask again, or discard them."),
                )
            )
        if report.saved:
            text = self.tr("%n event(s) saved", "", report.events_added)
            show(Notice("success", text, "", self.tr("Undo"), self._undo.way_back()))

    @Slot(object)
    def _on_asked(self, report: SummaryReport) -> None:
        if report.failed:
            first = report.failed[0]
            self._space.messages.show(
                Notice("error", self.tr("It failed again."), translated(first.reason))
            )
        elif report.events_added:
            text = self.tr("%n event(s) made", "", report.events_added)
            self._space.messages.show(
                Notice("success", text, "", self.tr("Undo"), self._undo.way_back())
            )

    def _tell_discarded(self, count: int) -> None:
        text = self.tr("%n draft(s) discarded", "", count)
        self._space.messages.show(Notice("info", text, "", self.tr("Undo"), self._undo.way_back()))

    def _forget_all(self) -> None:
        self._views.clear()
        if not self._space.chat_id:
            self._show([])

    def _concerns(self, changes: Changes) -> bool:
        is_touched = changes.drafts or changes.messages or changes.branches
        return changes.chat_id == self._space.chat_id and is_touched


class Reflecting(WorkspaceModel):
    planned = Signal(object)  # ReflectionPlan

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self._planning = newest_answer(workspace, self.planned, self)
        workspace.chat_changed.connect(self._planning.drop)

    def plan(self, floors: Floors) -> None:
        line, memory = self._space.line, self._space.memory
        self._planning.ask(lambda _ctx: memory.pipeline.plan_reflection(line, floors))

    def start(self, floors: Floors) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Looking back"),
            lambda ctx: memory.pipeline.reflect(ctx, line, floors),
            lane="network",
        )
        job.succeeded.connect(self._on_done)
        job.cancelled.connect(self._on_stopped)

    @Slot(object)
    def _on_done(self, report: ReflectionReport) -> None:
        show = self._space.messages.show
        events = self.tr("%n event(s) made", "", report.events_added)
        logs = self.tr("%n private log(s) written", "", report.logs_added)
        summary = self.tr("{events}, {logs}.").format(events=events, logs=logs)
        if report.floors or not report.failed:
            hint = ""
            if report.known:
                hint = self.tr("%n answer(s) contained nothing new.", "", report.known)
            show(Notice("success", summary, hint, self.tr("Undo"), self._undo.way_back()))
        for failed in report.failed:
            text = self.tr("Looking back stopped at floors {first}–{last}.").format(
                first=failed.start_index, last=failed.end_index
            )
            why = translated(failed.reason)
            again = self.tr("These floors are asked about again the next time.")
            show(Notice("error", text, f"{why} {again}"))

    @Slot()
    def _on_stopped(self) -> None:
        self._space.messages.tell(self.tr("Stopped. What was finished is kept."))
