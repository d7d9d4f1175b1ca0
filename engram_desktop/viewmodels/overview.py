"""The overview page of a chat: summary, cast, open findings and the next step of the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain import overview as overview_values
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.claim import FindingKind, WaitingFindings
from engram_desktop.domain.errors import KnownError, NotFound
from engram_desktop.domain.overview import NextStep, next_step
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.findings import FindingList, concerns_findings
from engram_desktop.viewmodels.pipeline.commands import Automation
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.transcript import face_of
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.viewmodels.graph.graph_view import GraphPageModel


Faces = Mapping[str, QImage]


@dataclass(frozen=True, slots=True)
class Portrayed:
    """The overview of a chat, with the faces of its cast by card id."""

    overview: overview_values.Overview
    faces: Faces = field(default_factory=dict)


class OverviewModel(WorkspaceModel):
    """State and commands of the overview page. It reads only while active (`set_active`).

    ``current`` is None until the shown chat was read.
    """

    shown = Signal(object)  # Portrayed, or None: another chat is being read
    findings_read = Signal(object)  # WaitingFindings, or None: they are being read
    step_changed = Signal()  # `step`, and the state of automation

    def __init__(
        self,
        workspace: Workspace,
        automation: Automation,
        graph: Callable[[], GraphPageModel],
        findings: Callable[[], FindingList],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._automation = automation
        self._graph = graph
        self._findings = findings
        self.current: Portrayed | None = None
        self._faces: dict[str, QImage] = {}  # kept: each is a picture of some megabytes
        self._query = LiveQuery(
            workspace,
            "overview",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)
        self.waiting: WaitingFindings | None = None
        self._waiting_query = LiveQuery(
            workspace,
            "overview findings",
            self._ask_findings,
            self._show_findings,
            concerns=lambda changes: concerns_findings(workspace, changes),
            forget=lambda: self._show_findings(None),
            parent=self,
        )
        self._waiting_query.lane = "follow"  # the first reading of a long chat takes seconds
        self._waiting_query.set_active(False)
        automation.changed.connect(self.step_changed)

    @Slot(bool)
    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Set whether the page is shown."""
        self._query.set_active(active)
        self._waiting_query.set_active(active)

    @property
    def is_whole(self) -> bool:
        """Return whether all of the chat is seen, as of now."""
        return not self._space.actor and self._space.at is None

    @property
    def is_running(self) -> bool:
        """Return whether automation works on the shown chat."""
        state = self._automation.state
        return state is not None and state.is_running

    @property
    def step(self) -> NextStep:
        """Return the next step the user can take."""
        if self.current is None:
            return "none"
        state = self._automation.state
        standing = state.plan.standing if state is not None else None
        return next_step(self.current.overview, standing, is_running=self.is_running)

    @property
    def automation_text(self) -> str:
        """Return what automation does for the shown chat, in a few words."""
        return self._automation.text

    @property
    def question(self) -> str:
        """Return the question for which automation waits for consent."""
        return self._automation.question

    def decide(self) -> None:
        """Ask again for the consent that automation waits for."""
        self._automation.act()

    def review(self) -> None:
        self._automation.review_wanted.emit()

    def retry(self) -> None:
        self._automation.failures_wanted.emit(())

    def show_event(self, event: EventNode) -> None:
        """Show an event on the event page."""
        self._space.event_wanted.emit(event.pk)

    def read_lines(self, event: EventNode) -> None:
        """Show the messages that an event summarises."""
        span = event.source_range
        self._space.floor_wanted.emit(span.start_index, span.end_index)

    def show_member(self, member: overview_values.CastMember) -> None:
        """Show a member of the cast in the graph; without an entity, show the chat's text."""
        if member.entity_id:
            self._space.page_wanted.emit("graph")
            self._graph().show_entity(member.entity_id)
        else:
            self._space.page_wanted.emit("reading")

    def show_findings(self, kind: FindingKind) -> None:
        """Show the open findings of a kind."""
        self._findings().show_kind(kind, "open")

    def show_page(self, name: str) -> None:
        self._space.page_wanted.emit(name)

    def _ask(self) -> Callable[[JobContext], Portrayed] | None:
        line, memory, names = self._space.line, self._space.memory, self._space.actors
        if not line.chat_id:
            return None
        faces, at = dict(self._faces), self._space.at
        return lambda ctx: _read(ctx, memory, (line, names, at), faces)

    def _show(self, portrayed: Portrayed) -> None:
        self._faces |= portrayed.faces
        self.current = portrayed
        self.shown.emit(portrayed)

    def _ask_findings(self) -> Callable[[JobContext], WaitingFindings] | None:
        line, memory = self._space.line, self._space.memory
        actor, at = self._space.actor, self._space.at
        return (lambda ctx: _waiting(ctx, memory, line, actor, at)) if line.chat_id else None

    def _show_findings(self, waiting: WaitingFindings | None) -> None:
        self.waiting = waiting
        self.findings_read.emit(waiting)

    def _forget(self) -> None:
        self.current = None
        self.shown.emit(None)

    def _concerns(self, changes: Changes) -> bool:
        if changes.library or changes.settings:
            return True
        is_touched = changes.has_memory or changes.messages or changes.drafts or changes.graph
        return is_touched and changes.chat_id == self._space.chat_id


def _waiting(
    ctx: JobContext, memory: Memory, line: Line, actor: str, at: int | None
) -> WaitingFindings:
    try:
        return memory.findings.waiting(ctx, line, actor, at)
    except NotFound:
        return WaitingFindings()  # the story has no person with that name


def _read(
    ctx: JobContext,
    memory: Memory,
    asked: tuple[Line, tuple[str, ...], int | None],
    faces: dict[str, QImage],
) -> Portrayed:
    line, names, at = asked
    seen = memory.overview.read(ctx, line, memory.knowledge.askers(ctx, line, names), at)
    for member in seen.cast:
        if not member.card_id or member.card_id in faces:
            continue
        ctx.check()
        try:
            face = face_of(memory.characters.picture(member.card_id))
        except KnownError:
            continue  # a card whose picture cannot be read
        if not face.isNull():
            faces[member.card_id] = face
    return Portrayed(seen, faces)
