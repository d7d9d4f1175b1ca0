"""Run the pipeline as messages arrive: one quiet job, some time after the last of them.

A job that the user starts on the same lane cancels it; it continues afterwards. An error stops it
and is shown once; the next new message or a press of the button tries again. It asks once per line
before it begins a backlog.

A session ends when no message came for a set time: then it is looked back on. A session that was
open when the program closed is looked back on when its line is shown again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DailyCapReached, LibraryBusy, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.values import dataclass
from engram_desktop.qtjobs import live_changes
from engram_desktop.qtjobs.runner import JobHandle, Jobs
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport
    from engram_desktop.qtjobs.live_changes import ChangeHub

PAUSE_MS = 4000  # messages that arrive together are read together
MINUTE_MS = 60_000  # milliseconds
IDLE_MINUTES = 30  # as the setting's default, until the plan of a line is known


@dataclass(frozen=True, slots=True)
class AutoState:
    """Automation of one line. ``trouble`` is the error that stopped it."""

    plan: AutoPlan
    is_running: bool = False
    trouble: Exception | None = None


class AutoPipeline(QObject):
    """Runs one job at a time. `title` is shown in the task list."""

    changed = Signal()  # `state` of some line
    consent_wanted = Signal(object)  # AutoPlan
    reported = Signal(object)  # AutoReport of a run that did something
    failed = Signal(object)  # Exception

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._hub = hub
        self.title = ""
        self._branches: dict[str, str] = {}  # the branch each chat is played on now
        self._waiting: dict[Line, None] = {}
        self._agreed: set[Line] = set()  # whose backlog the user agreed to
        self._asked: set[Line] = set()  # whose backlog the user was asked about
        self._plans: dict[Line, AutoPlan] = {}
        self._troubles: dict[Line, Exception] = {}
        self._last_errors: dict[Line, str] = {}  # already shown: the same error is not shown twice
        self._without_entities: set[Line] = set()  # their last update failed
        self._talked: set[Line] = set()  # with new messages since the last look back
        self._ended: set[Line] = set()  # whose session has ended and was not looked back on
        self._seen: set[Line] = set()  # lines that were shown
        self._job: JobHandle | None = None
        self._line: Line | None = None  # of the running job
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._run)
        self._tomorrow = QTimer(self, singleShot=True)
        self._tomorrow.timeout.connect(self._on_tomorrow)
        self._silence = QTimer(self, singleShot=True)
        self._silence.timeout.connect(self._on_silence)
        hub.changed.connect(self._on_changed)
        jobs.submitted.connect(self._on_submitted)

    def state(self, chat_id: str) -> AutoState | None:
        """Return the state of automation for a chat; None before its line was read."""
        line = self._current_line(chat_id)
        plan = self._plans.get(line)
        if plan is None:
            return None
        return AutoState(plan, self._line == line, self._troubles.get(line))

    def look_at(self, line: Line) -> None:
        """Read the plan for the line that is shown.

        Starts only a look back, on a session that ended while the program was closed.
        """
        if not line.chat_id:
            return
        self._branches[line.chat_id] = line.branch_id
        memory, consent = self._memory, line in self._agreed
        job = self._jobs.submit(
            "",
            lambda _ctx: (line, memory.automation.plan(line, consent=consent)),
            lane="aside",
            background=True,
        )
        job.succeeded.connect(self._on_looked)
        job.failed.connect(self.failed)

    def run_now(self, chat_id: str) -> None:
        """Run at once, even after an error; asks again about a backlog."""
        line = self._current_line(chat_id)
        self._troubles.pop(line, None)
        self._last_errors.pop(line, None)
        self._asked.discard(line)
        self._without_entities.discard(line)
        self._waiting[line] = None
        self._run()

    def agree(self, line: Line) -> None:
        """Begin the backlog of a line."""
        self._agreed.add(line)
        self._waiting[line] = None
        self._run()

    def stop(self) -> None:
        """Start no more jobs, and cancel the running one."""
        self._pause.stop()
        self._tomorrow.stop()
        self._silence.stop()
        self._waiting.clear()
        self._agreed.clear()
        self.cancel()

    def cancel(self, chat_id: str | None = None) -> None:
        """Cancel the job if it works on ``chat_id``, or any if None; finished parts stay."""
        if self._job is not None and (chat_id is None or self._line == self._current_line(chat_id)):
            self._waiting.pop(self._line or Line.main(""), None)
            self._job.cancel()

    def _current_line(self, chat_id: str) -> Line:
        return Line(chat_id, self._branches.get(chat_id, MAIN_BRANCH))

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        if initiator is live_changes.FOREIGN:  # the program that keeps messages summarises them
            if changes.chat_id in self._branches and (changes.messages or changes.has_memory):
                self.look_at(self._current_line(changes.chat_id))
            return
        if changes.chat_id is not None and changes.messages and initiator is not self:
            line = self._current_line(changes.chat_id)
            self._troubles.pop(line, None)
            self._waiting[line] = None
            self._pause.start()
            if not changes.library:  # otherwise the chat was imported, not played
                self._note_talk(line)

    def _note_talk(self, line: Line) -> None:
        """Start waiting for the silence that ends a session."""
        self._ended.discard(line)
        self._talked.add(line)
        plan = self._plans.get(line)
        minutes = (plan.idle_minutes if plan is not None else 0) or IDLE_MINUTES
        self._silence.start(minutes * MINUTE_MS)

    @Slot()
    def _on_silence(self) -> None:
        """Look back on every line with new messages."""
        for line in self._talked:
            self._end(line)
        self._talked.clear()
        self._run()

    def _end(self, line: Line) -> None:
        self._ended.add(line)
        self._waiting[line] = None

    @Slot()
    def _run(self) -> None:
        self._pause.stop()
        if self._job is not None or not self._waiting:
            return
        line, memory = next(iter(self._waiting)), self._memory
        del self._waiting[line]
        self._line, agreed = line, line in self._agreed
        entities, ended = line not in self._without_entities, line in self._ended
        self._job = self._jobs.submit(
            self.title,
            lambda ctx: memory.automation.run(
                ctx, line, consent=agreed, entities=entities, ended=ended
            ),
            lane="network",
            background=True,
        )
        live_changes.LiveChanges(self._hub, line.chat_id, self._job, self)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._publish_all)
        self._job.finished.connect(self._on_finished)
        self.changed.emit()

    @Slot(object)
    def _on_submitted(self, handle: JobHandle) -> None:
        if handle.is_background or not handle.title or handle.lane != "network":
            return
        if self._job is not None and self._line is not None:
            self._job.cancel()
            self._waiting[self._line] = None

    @Slot(object)
    def _on_looked(self, answer: tuple[Line, AutoPlan]) -> None:
        line, plan = answer
        self._plans[line] = plan
        if plan.is_over and line not in self._seen and line not in self._talked:
            self._end(line)
            self._pause.start()
        self._seen.add(line)
        self.changed.emit()

    @Slot(object)
    def _on_done(self, report: AutoReport) -> None:
        line = report.plan.line
        self._plans[line] = report.plan
        self._troubles.pop(line, None)
        self._last_errors.pop(line, None)
        if report.entities_failed:
            self._without_entities.add(line)
        has_result = (
            report.events_added
            or report.notes
            or report.waiting
            or report.archived
            or report.outlines
            or report.logs
        )
        if has_result or report.failed or report.changes.undo_label is not None:
            self._hub.publish(report.changes, initiator=self)
            self.reported.emit(report)
        if report.plan.standing != "consent":
            self._ended.discard(line)
        match report.plan.standing:
            case "consent" if line not in self._asked:
                self._asked.add(line)
                self.consent_wanted.emit(report.plan)
            case "capped":
                self._wait_for_tomorrow()
            case "idle":
                self._agreed.discard(line)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        line = self._line
        if line is not None and isinstance(error, LibraryBusy):  # the rest is done later
            self._waiting[line] = None
        elif line is not None and not isinstance(error, NotFound):  # otherwise the chat was deleted
            self._troubles[line] = error
            if self._last_errors.get(line) != str(error):
                self._last_errors[line] = str(error)
                self.failed.emit(error)
        if isinstance(error, DailyCapReached):
            self._wait_for_tomorrow()
        self._publish_all()

    @Slot()
    def _publish_all(self) -> None:
        """Have views read again: parts finished before the job stopped are stored."""
        if self._line is not None:
            self._hub.publish(Changes.of_memory(self._line.chat_id), initiator=self)

    @Slot()
    def _on_finished(self) -> None:
        self._job, self._line = None, None
        if self._waiting:
            self._pause.start()
        self.changed.emit()

    def _wait_for_tomorrow(self) -> None:
        now = QDateTime.currentDateTime()
        left = now.msecsTo(QDate.currentDate().addDays(1).startOfDay())
        self._tomorrow.start(max(1000, left + 1000))

    @Slot()
    def _on_tomorrow(self) -> None:
        capped = {line for line, plan in self._plans.items() if plan.standing == "capped"}
        capped |= {
            line for line, error in self._troubles.items() if isinstance(error, DailyCapReached)
        }
        for line in capped:
            self._troubles.pop(line, None)
            self._waiting[line] = None
        self._run()
