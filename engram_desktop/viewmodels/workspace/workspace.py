"""What every page shares: the library, jobs, change hub, automation, messages, the shown chat.

It publishes the changes of jobs and shows their errors, so that a command is one call. Typed texts
that are not saved yet are stored by place, and restored after a crash; only the GUI thread does
this: a file of a few kilobytes, read once and written at most once a second, must not wait behind a
job on a lane.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QElapsedTimer, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes, HasChanges
from engram_desktop.domain.errors import KnownError, LibraryBusy
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs import live_changes
from engram_desktop.qtjobs.auto_pipeline import AutoPipeline
from engram_desktop.qtjobs.live_changes import OtherPrograms
from engram_desktop.qtjobs.quiet_job import FolderKeeper, WorldbookKeeper
from engram_desktop.qtjobs.runner import JobHandle, Jobs, Lane, Work
from engram_desktop.qtjobs.server_keeper import ServerKeeper
from engram_desktop.qtjobs.tavern_watcher import TavernWatcher
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import Messages, Notice, translated

Typed = str | list[str]  # a text field, or a field of words
SAVE_WITHIN_MS = 800  # milliseconds after the first key: a crash loses less than a second of typing


@dataclass(frozen=True, slots=True)
class TypingPlace:
    """Where something is typed; ``chat_id`` None is a place of the library."""

    name: str
    chat_id: str | None = None


class UnsavedTexts(QObject):
    def __init__(
        self,
        memory: Memory,
        hub: live_changes.ChangeHub,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._messages = messages
        self._texts: dict[str | None, dict[str, dict[str, Typed]]] = {}
        self._has_failed = False
        hub.changed.connect(self._on_changed)

    def read(self, place: TypingPlace) -> dict[str, Typed]:
        """Return the texts typed at a place, by field."""
        return self._texts_of(place.chat_id).get(place.name, {})

    def keep(self, place: TypingPlace, fields: Mapping[str, Typed]) -> None:
        """Store the texts of ``fields``; an empty mapping deletes the place's texts."""
        texts = self._texts_of(place.chat_id)
        if texts.get(place.name, {}) == dict(fields):
            return
        try:
            self._memory.settings.unsaved.keep(place.name, fields, place.chat_id)
        except KnownError as error:
            if not self._has_failed:  # a full disk is reported once, not once a second
                self._has_failed = True
                self._messages.show_error(error)
            return
        texts.pop(place.name, None)
        if fields:
            texts[place.name] = dict(fields)

    def forget(self, place: TypingPlace) -> None:
        self.keep(place, {})

    def _texts_of(self, chat_id: str | None) -> dict[str, dict[str, Typed]]:
        if chat_id not in self._texts:
            try:
                self._texts[chat_id] = self._memory.settings.unsaved.read(chat_id)
            except KnownError:  # the chat was deleted, and its texts with it
                return {}
        return self._texts[chat_id]

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.library:  # a chat may have been deleted or restored, and its file with it
            self._texts.clear()


Change = Callable[[JobContext], Changes | HasChanges]
_WAITING = "library lock"  # topic of the message that a write waits for another program
LIVE = object()  # initiator of the changes of a running job


def _holding(memory: Memory, work: Change) -> Change:
    """Return ``work`` wrapped in the library's lock, so that its reads stay valid."""

    def held(ctx: JobContext) -> Changes | HasChanges:
        with memory.sharing.claim():
            return work(ctx)

    return held


class Workspace(QObject):
    """One open library in one window. ``chat_id`` is empty while no chat is shown.

    ``chat_changed`` is also emitted when another branch, character or floor of the same chat is
    chosen: for every page this is other content.
    """

    saved = Signal(bool)  # all writes are done; whether the last succeeded
    chat_changed = Signal(str)
    actor_changed = Signal(str)  # the character the chat is seen as, empty for the curator
    at_changed = Signal(object)  # the floor as of which it is seen, None for now
    who_wanted = Signal(object)  # AskedMemories: the dialog of who knows them is wanted
    event_wanted = Signal(int)  # key of an event to show
    page_wanted = Signal(str)  # name of the page to show
    panel_wanted = Signal()  # the panel beside the page is to be shown
    floor_wanted = Signal(int, int)  # floors to show in the text
    undone = Signal(object)  # StepLabel of an undone step of the chat

    def __init__(self, memory: Memory, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.memory = memory
        self.jobs = jobs
        self.hub = live_changes.ChangeHub(self)
        self.messages = Messages(self)
        self.unsaved = UnsavedTexts(memory, self.hub, self.messages, self)
        self.auto = AutoPipeline(memory, jobs, self.hub, self)
        self.tavern = TavernWatcher(memory, jobs, self.hub, self)
        self.kept = WorldbookKeeper(memory, jobs, self.hub, self)
        self.folders = FolderKeeper(memory, jobs, self.hub, self)
        self.folders.failed.connect(self.messages.show_error)
        self.server = ServerKeeper(memory, jobs, self.hub, self)
        self.others = OtherPrograms(memory, self)
        self.others.changed.connect(self._take_foreign)
        self.others.waiting.connect(self._tell_waiting)
        self._saving: dict[int, bool] = {}  # jobs that write: whether they succeed
        self._chat_id = ""
        self._actor = ""
        self._at: int | None = None
        self._branches: dict[str, str] = {}  # the last shown branch of each chat

    @property
    def chat_id(self) -> str:
        return self._chat_id

    @property
    def branch_id(self) -> str:
        """Return the shown branch of the shown chat."""
        return self._branches.get(self._chat_id, MAIN_BRANCH)

    @property
    def actor(self) -> str:
        """Return the character the chat is seen as; empty for the curator, who sees everything."""
        return self._actor

    @property
    def actors(self) -> tuple[str, ...]:
        """Return the same as a tuple for the services; empty for the curator."""
        return (self._actor,) if self._actor else ()

    def view_as(self, name: str) -> None:
        """Show the chat as a character knows it; an empty name is the curator's view."""
        if name != self._actor:
            self._actor = name
            self.actor_changed.emit(name)
            self.chat_changed.emit(self._chat_id)

    @property
    def at(self) -> int | None:
        """Return the floor as of which the chat is seen; None for now."""
        return self._at

    def view_at(self, floor: int | None) -> None:
        """Show the chat as of ``floor``; None for now."""
        if floor != self._at:
            self._at = floor
            self.at_changed.emit(floor)
            self.chat_changed.emit(self._chat_id)

    def _view_now(self) -> None:
        """Reset the floor: it belongs to the chat or branch shown before."""
        if self._at is not None:
            self._at = None
            self.at_changed.emit(None)

    @property
    def line(self) -> Line:
        """Return the shown line; its ``chat_id`` is empty while no chat is shown."""
        return Line(self._chat_id, self.branch_id)

    def show_branch(self, branch_id: str) -> None:
        """Show another branch of the shown chat."""
        if self._chat_id and branch_id != self.branch_id:
            self._branches[self._chat_id] = branch_id
            self._view_now()
            self.chat_changed.emit(self._chat_id)

    def show_chat(self, chat_id: str) -> None:
        if chat_id != self._chat_id:
            self._chat_id = chat_id
            if self._actor:
                self._actor = ""
                self.actor_changed.emit("")
            self._view_now()
            self.chat_changed.emit(chat_id)

    def show_line(self, line: Line) -> None:
        """Show a branch of a chat."""
        self.show_chat(line.chat_id)
        self.show_branch(line.branch_id)

    def look_up(self, work: Work, *, lane: Lane = "interactive") -> JobHandle:
        """Read something for the user, on ``lane``; it is not listed as a task."""
        job = self.jobs.submit("", work, lane=lane)
        job.failed.connect(self.messages.show_error)
        return job

    def run(self, title: str, work: Work, *, lane: Lane = "write") -> JobHandle:
        """Run a job that changes nothing a view shows, such as writing a file."""
        job = self.jobs.submit(title, work, lane=lane)
        job.failed.connect(self.messages.show_error)
        return job

    def change(
        self,
        title: str,
        work: Change,
        *,
        lane: Lane = "write",
        initiator: object = None,
        failed: Callable[[BaseException], object] | None = None,
    ) -> JobHandle:
        """Run a job that changes something, and publish the changes that ``work`` returns.

        On the lane ``write``, the job holds the library's lock from its first read to its end. If
        another program holds the lock, nothing is done, and the message offers to try again.
        ``failed`` replaces that message and those of other errors.
        """
        again = partial(self.change, title, work, lane=lane, initiator=initiator)

        def show(error: BaseException) -> None:
            if lane == "write" and isinstance(error, LibraryBusy):
                self.messages.show_error(error, self.tr("Try again"), again)
            else:
                self.messages.show_error(error)

        if lane == "write":
            job = self.jobs.submit(title, _holding(self.memory, work))
            self._note_saving(job)
        else:
            job = self.jobs.submit(title, work, lane=lane)
        job.failed.connect(failed or show)
        if title and lane == "network" and self._chat_id:
            live_changes.LiveChanges(self.hub, self._chat_id, job, LIVE)
        job.succeeded.connect(lambda result: self._publish(result, initiator))
        # publish what was finished before it stopped
        chat = self._chat_id
        for signal in (job.cancelled, job.failed):
            signal.connect(lambda *_: self._publish_all(chat))
        return job

    @property
    def is_saving(self) -> bool:
        """Return whether a change of the user's is not written yet."""
        return bool(self._saving)

    def _note_saving(self, job: JobHandle) -> None:
        number = job.job_id
        self._saving[number] = True

        def end() -> None:
            is_done = self._saving.pop(number)
            if not self._saving:
                self.saved.emit(is_done)

        job.failed.connect(lambda _error: self._saving.update({number: False}))
        job.finished.connect(end)

    @Slot(object)
    def _take_foreign(self, found: list[Changes]) -> None:
        """Publish the changes of other programs."""
        stopwatch = QElapsedTimer()
        stopwatch.start()
        for changes in found:
            self._leave_lost_branch(changes)
            self.hub.publish(changes, live_changes.FOREIGN)
            if changes.library:
                self._leave_deleted_chat()
        self.others.rest(stopwatch.elapsed())

    def _leave_deleted_chat(self) -> None:
        """Close the shown chat if another program deleted it."""
        if self._chat_id and not self.memory.chats.has(self._chat_id):
            self.show_chat("")
            self.messages.tell(
                self.tr("Another program deleted the chat that was shown. It lies in the trash."),
                kind="warning",
            )

    @Slot(object)
    def _tell_waiting(self, holder: str) -> None:
        if not holder:
            self.messages.withdraw(_WAITING)
            return
        text = self.tr("Waiting for {program} to finish writing.").format(
            program=translated(holder)
        )
        self.messages.show(Notice("info", text, stays=True, topic=_WAITING))

    def _publish_all(self, chat: str) -> None:
        self.hub.publish(
            Changes.of_memory(chat or None)
            | Changes(messages=True, logs=True, branches=True, state=True, library=True),
            None,
        )

    def _leave_lost_branch(self, changes: Changes) -> None:
        """Show the main branch if the shown branch was deleted, or its creation undone."""
        chat = self._chat_id
        if not changes.branches or changes.chat_id != chat or self.branch_id == MAIN_BRANCH:
            return
        if not self.memory.branches.has(self.line):
            self.show_branch(MAIN_BRANCH)

    def _publish(self, result: Changes | HasChanges, initiator: object) -> None:
        changes = result if isinstance(result, Changes) else result.changes
        self._leave_lost_branch(changes)
        self.hub.publish(changes, initiator)


Ref = tuple[str, str]  # kind (turn, event, entity, log) and id


@dataclass(frozen=True, slots=True)
class AskedMemories:
    """Memories for the dialog of who knows them.

    ``text`` describes them; ``last`` is the last floor of the newest.
    """

    refs: tuple[Ref, ...]
    text: str
    last: int = 0


class WorkspaceModel(QObject):
    """Base of viewmodels, whose widgets ask the same of the workspace."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    @property
    def has_chat(self) -> bool:
        return bool(self._space.chat_id)

    @property
    def actor(self) -> str:
        """Return the character the chat is seen as; empty for the curator."""
        return self._space.actor

    @property
    def unsaved(self) -> UnsavedTexts:
        return self._space.unsaved
