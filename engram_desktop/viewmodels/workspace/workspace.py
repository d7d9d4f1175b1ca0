"""What every page shares: the library, jobs, change hub, automation, messages, the chat shown.

It publishes what jobs changed and shows what went wrong, so that a command is one call.
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

# Texts that are typed but not saved yet: stored by place as they are typed, back after a crash.
#
# Only the GUI thread asks: a file of a few kilobytes, read once and then written at most once a
# second, must not wait behind a job on a lane.


Typed = str | list[str]  # a field of text, or one of words
SAVE_WITHIN_MS = 800  # of the first key: a crash takes less than a second of typing


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
        """Return what was typed there, by field."""
        return self._texts_of(place.chat_id).get(place.name, {})

    def keep(self, place: TypingPlace, fields: Mapping[str, Typed]) -> None:
        """Store the texts of ``fields``; an empty mapping forgets the place."""
        texts = self._texts_of(place.chat_id)
        if texts.get(place.name, {}) == dict(fields):
            return
        try:
            self._memory.settings.unsaved.keep(place.name, fields, place.chat_id)
        except KnownError as error:
            if not self._has_failed:  # a full disk is told once, not once a second
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
            except KnownError:  # a chat that is gone, and its texts with it
                return {}
        return self._texts[chat_id]

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.library:  # a chat may have gone, or come back, and its file with it
            self._texts.clear()


Change = Callable[[JobContext], Changes | HasChanges]
_WAITING = "library lock"  # topic of the message that says for whom a write waits
LIVE = object()  # initiator of changes that a running job has made so far


def _holding(memory: Memory, work: Change) -> Change:
    """Let ``work`` hold the lock: what it read does not change before it writes."""

    def held(ctx: JobContext) -> Changes | HasChanges:
        with memory.sharing.claim():
            return work(ctx)

    return held


class Workspace(QObject):
    """One open library in one window. ``chat_id`` is empty while no chat is shown.

    ``chat_changed`` also tells that another branch of the same chat is shown now, or the chat as
    somebody else knows it, or as of another floor: to every page that is another story.
    """

    saved = Signal(bool)  # nothing waits to be written any more; whether the last went well
    chat_changed = Signal(str)
    actor_changed = Signal(str)  # as whom the chat is seen, empty for the curator
    at_changed = Signal(object)  # floor as of which it is seen, None for now
    who_wanted = Signal(object)  # AskedMemories of which somebody asks who knows them
    event_wanted = Signal(int)  # key of an event some page asks to be shown
    page_wanted = Signal(str)  # name of a page that another asks to be shown
    panel_wanted = Signal()  # what stands beside the page is to be seen
    floor_wanted = Signal(int, int)  # floors some page asks to be read
    undone = Signal(object)  # StepLabel of a step of the chat that was taken back

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
        self._saving: dict[int, bool] = {}  # jobs that change something: whether that goes well
        self._chat_id = ""
        self._actor = ""
        self._at: int | None = None
        self._branches: dict[str, str] = {}  # the branch each chat was last shown on

    @property
    def chat_id(self) -> str:
        return self._chat_id

    @property
    def branch_id(self) -> str:
        """The branch shown of the chat shown."""
        return self._branches.get(self._chat_id, MAIN_BRANCH)

    @property
    def actor(self) -> str:
        """As whom the chat is seen; empty for the curator, who sees everything."""
        return self._actor

    @property
    def actors(self) -> tuple[str, ...]:
        """As whom the chat is seen, as the services ask for it: nobody for the curator."""
        return (self._actor,) if self._actor else ()

    def view_as(self, name: str) -> None:
        """Show the chat as somebody of the story knows it; empty: as it is."""
        if name != self._actor:
            self._actor = name
            self.actor_changed.emit(name)
            self.chat_changed.emit(self._chat_id)

    @property
    def at(self) -> int | None:
        """The floor as of which the chat is seen; None: as it is now."""
        return self._at

    def view_at(self, floor: int | None) -> None:
        """Show the chat as it was when ``floor`` had been told; None: as it is now."""
        if floor != self._at:
            self._at = floor
            self.at_changed.emit(floor)
            self.chat_changed.emit(self._chat_id)

    def _view_now(self) -> None:
        """Another story is shown: a floor of the one before says nothing of it."""
        if self._at is not None:
            self._at = None
            self.at_changed.emit(None)

    @property
    def line(self) -> Line:
        """The line that is shown; its ``chat_id`` is empty while none is."""
        return Line(self._chat_id, self.branch_id)

    def show_branch(self, branch_id: str) -> None:
        """Show another branch of the chat shown."""
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
        """Read something; the user waits for it unless ``lane`` says so. No task list shows it."""
        job = self.jobs.submit("", work, lane=lane)
        job.failed.connect(self.messages.show_error)
        return job

    def run(self, title: str, work: Work, *, lane: Lane = "write") -> JobHandle:
        """Do something that changes nothing a view shows, such as writing a file."""
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
        """Change something; what ``work`` returns says what, and is published.

        What is done on the lane ``write`` holds the library's lock from its first look to its end.
        Where another program keeps that, nothing was done, and it can be done again from the
        message. ``failed`` takes the place of that message and of any other error's.
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
        # What was finished before it stopped is kept, and must be seen.
        chat = self._chat_id
        for signal in (job.cancelled, job.failed):
            signal.connect(lambda *_: self._publish_all(chat))
        return job

    @property
    def is_saving(self) -> bool:
        """Whether something the user changed is not written yet."""
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
        """Show what other programs changed."""
        stopwatch = QElapsedTimer()
        stopwatch.start()
        for changes in found:
            self._leave_lost_branch(changes)
            self.hub.publish(changes, live_changes.FOREIGN)
            if changes.library:
                self._leave_deleted_chat()
        self.others.rest(stopwatch.elapsed())

    def _leave_deleted_chat(self) -> None:
        """Show no chat, where another program deleted the one shown."""
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
        """Go to the main branch if the one shown was deleted, or its making undone."""
        chat = self._chat_id
        if not changes.branches or changes.chat_id != chat or self.branch_id == MAIN_BRANCH:
            return
        if not self.memory.branches.has(self.line):
            self.show_branch(MAIN_BRANCH)

    def _publish(self, result: Changes | HasChanges, initiator: object) -> None:
        changes = result if isinstance(result, Changes) else result.changes
        self._leave_lost_branch(changes)
        self.hub.publish(changes, initiator)


# Memories that somebody points at to ask, or to say, who knows them.


Ref = tuple[str, str]  # kind (turn, event, entity, log) and id


@dataclass(frozen=True, slots=True)
class AskedMemories:
    """``text`` says what they are; ``last`` is the floor on which the newest of them ended."""

    refs: tuple[Ref, ...]
    text: str
    last: int = 0
