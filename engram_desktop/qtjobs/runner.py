"""Run jobs on QThreads; report on the GUI thread.

A lane is one QThread with one worker: its jobs run one at a time, in order. ``write`` is the only
writer; ``network``, ``play``, ``interactive`` and ``follow`` pass it short units through
``ctx.write``. ``play`` is for a reply that streams, so that it waits for no summary and delays no
reading. ``aside`` is for short reads by the window itself, so that no question of the user waits
for them.

Worker signals are received by bound methods of `JobRunner`, which lives on the GUI thread, so Qt
queues the call. The runner then emits the `JobHandle`'s own signals *on the GUI thread*: a caller
may connect a lambda to a handle, and only the runner may connect to a worker. One job ends per turn
of the event loop, so that the window is painted and takes keys between two answers.

Python's cyclic garbage is collected on the GUI thread alone. By itself, Python collects on
whichever thread allocates, and a Qt object freed by another thread than its own ends the program.
So while lanes run, collection waits for a timer of the GUI thread.
"""

from __future__ import annotations

import gc
import itertools
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from dataclasses import field
from typing import Any, ClassVar, Literal, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Cancelled, CancelToken, Claim, JobContext, Progress

Lane = Literal["write", "network", "interactive", "aside", "follow", "play"]
Work = Callable[[JobContext], Any]


class JobHandle(QObject):
    """The GUI's handle of a submitted job. A job without a title is not shown in the task list.

    A handle lives on the GUI thread and emits there only. After ``finished`` its C++ part is
    deleted; `JobHandle.cancel` stays legal, Qt methods do not.
    """

    started = Signal()
    progressed = Signal(object)  # Progress
    succeeded = Signal(object)  # the job's return value
    failed = Signal(object)  # Exception
    cancelled = Signal()
    finished = Signal()  # always last, exactly once

    def __init__(self, job_id: int, title: str, lane: Lane, *, is_background: bool = False) -> None:
        # No parent: a listener may hold the last reference to the runner, and the end of a handle
        # would then delete its own parent while that is being deleted.
        super().__init__()
        self.job_id = job_id
        self.title = title
        self.lane = lane
        self.is_background = is_background  # not requested by the user: it gives way
        self.token = CancelToken()

    def cancel(self) -> None:
        self.token.cancel()

    def end(self, outcome: str, value: object) -> None:
        """Emit the outcome, then `finished`. For runners only."""
        match outcome:
            case "succeeded":
                self.succeeded.emit(value)
            case "failed":
                self.failed.emit(value)
            case _:
                self.cancelled.emit()
        self.finished.emit()
        self.deleteLater()


class Jobs(QObject):
    """The interface of job runners: `JobRunner` on threads, in tests one that runs on request."""

    submitted = Signal(object)  # JobHandle
    idle = Signal()

    @property
    def is_idle(self) -> bool:
        raise NotImplementedError

    def submit(
        self, title: str, work: Work, *, lane: Lane = "write", background: bool = False
    ) -> JobHandle:
        """Queue ``work`` on ``lane``.

        Connect to the handle in the same turn, so that nothing is missed.
        """
        raise NotImplementedError

    def guest(self) -> JobContext:
        """Return a context for a thread that is not a lane; it writes where jobs write.

        Its ``write`` raises Cancelled once the lanes have ended. Safe from any thread.
        """
        raise NotImplementedError


INTERVAL_MS = 1000
PATIENCE = 30  # times that collection is skipped while jobs run
MANY = 30_000  # objects: scanning them takes a frame. A long chat has 15 times as many


class GarbageKeeper(QObject):
    """Collects Python's cyclic garbage from its construction until `stop`.

    ``is_watched``: the user looks at the window, and would see it freeze.
    """

    _alive: ClassVar[int] = 0  # there is one switch for the whole process

    def __init__(self, is_idle: Callable[[], bool], parent: QObject | None = None) -> None:
        """Start collecting; ``is_idle`` returns whether no job runs."""
        super().__init__(parent)
        self._is_idle = is_idle
        self._skipped = 0
        GarbageKeeper._alive += 1
        gc.disable()
        self._is_stopped = False
        self._is_frozen = False
        self._is_put_off = False
        self._came = 0  # objects created since the last freeze
        self.is_watched = True
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def stop(self) -> None:
        """Return collection to Python, once no other thread runs."""
        if self._is_stopped:
            return
        self._is_stopped = True
        self._timer.stop()
        GarbageKeeper._alive -= 1
        if not GarbageKeeper._alive:
            gc.unfreeze()
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds.

        Objects of a running job would be scanned in vain, for 40 ms at a time: so collection waits
        while one runs, up to a limit. Objects that exist at the first call, modules and the window,
        live as long as the program and are never scanned again; the little garbage among them
        stays, since looking for it took 98 ms in a window just opened. The objects of a large chat,
        which take 280 ms, are scanned once the window is no longer watched.
        """
        if not self._is_frozen:
            self._is_frozen = True
            gc.freeze()
            return
        if not self._is_idle() and self._skipped < PATIENCE:
            self._skipped += 1
            return
        self._skipped = 0
        due = [n for n, limit in enumerate(gc.get_threshold()) if 0 < limit < gc.get_count()[n]]
        came = self._came + gc.get_count()[0]
        if self.is_watched and came > MANY:
            self._is_put_off, self._came = True, 0
            gc.freeze()
            return
        if self._is_put_off and not self.is_watched:
            self._is_put_off, self._came = False, 0
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            return
        if due:
            self._came = came
            gc.collect(due[-1])


T = TypeVar("T")
# joined in this order: writer last
LANES: tuple[Lane, ...] = ("network", "play", "interactive", "aside", "follow", "write")
REPORT_INTERVAL_S = 0.1


@dataclass(slots=True)
class _Ticket:
    job_id: int
    work: Work
    token: CancelToken = field(repr=False)


@dataclass(slots=True)
class _Unit:
    """One transaction that another lane passes to the write lane."""

    work: Callable[[], Any]
    result: Future[Any] = field(default_factory=Future)

    def run(self, claim: Claim) -> None:
        if not self.result.set_running_or_notify_cancel():
            return
        try:
            with claim():
                value = self.work()
        except Exception as exc:  # noqa: BLE001 - raised again where the unit is awaited
            self.result.set_exception(exc)
        else:
            self.result.set_result(value)


class _Worker(QObject):
    """Lives on its lane's thread. Never touches a JobHandle."""

    started = Signal(int)
    progressed = Signal(int, object)
    ended = Signal(int, str, object)  # job id, outcome, result or exception

    def __init__(self, writer: _Lane | None, claim: Claim) -> None:
        super().__init__()
        self._writer = writer  # None: this lane is the writer
        self._claim = claim

    @Slot(object)
    def run(self, ticket: _Ticket) -> None:
        if ticket.token.is_cancelled:
            self.ended.emit(ticket.job_id, "cancelled", None)
            return
        self.started.emit(ticket.job_id)
        try:
            result = ticket.work(_Context(self, ticket, self._writer, self._claim))
        except Cancelled:
            self.ended.emit(ticket.job_id, "cancelled", None)
        except Exception as exc:  # noqa: BLE001 - passed to the submitter of the job
            outcome = "cancelled" if ticket.token.is_cancelled else "failed"
            self.ended.emit(ticket.job_id, outcome, exc)
        else:
            self.ended.emit(ticket.job_id, "succeeded", result)

    @Slot(object)
    def run_unit(self, unit: _Unit) -> None:
        unit.run(self._claim)


class _Context:
    """The JobContext of a running job; used on its lane's thread only."""

    def __init__(
        self, worker: _Worker, ticket: _Ticket, writer: _Lane | None, claim: Claim
    ) -> None:
        self._claim = claim
        self._worker = worker
        self._ticket = ticket
        self._writer = writer
        self._last_report = 0.0
        self._awaited_result: Future[Any] | None = None
        if writer is not None:
            ticket.token.on_cancel(self._withdraw_unit)

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self.check()
        now = time.monotonic()
        if done != total and now - self._last_report < REPORT_INTERVAL_S:
            return
        self._last_report = now
        self._worker.progressed.emit(self._ticket.job_id, Progress(done, total, label))

    def check(self) -> None:
        self._ticket.token.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self._ticket.token.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        self.check()
        if self._writer is None:
            with self._claim():
                return unit()
        request = _Unit(unit)
        self._awaited_result = request.result
        self._writer.unit_posted.emit(request)
        if self._ticket.token.is_cancelled:  # cancelled between the check and the assignment
            self._withdraw_unit()
        try:
            result: T = request.result.result()
        except CancelledError:
            raise Cancelled from None
        finally:
            self._awaited_result = None
        return result

    def _withdraw_unit(self) -> None:
        """Withdraw a unit that has not begun; wait for one that has, since it is a transaction."""
        result = self._awaited_result
        if result is not None:
            result.cancel()


class _Guest:
    """The JobContext of a thread that is not a lane: never cancelled, with no reports."""

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner

    def report(self, done: int, total: int | None, label: str = "") -> None: ...
    def check(self) -> None: ...
    def on_cancel(self, close: Callable[[], object]) -> None: ...
    def write(self, unit: Callable[[], T]) -> T:
        request = _Unit(unit)
        self._runner.post(request)
        try:
            result: T = request.result.result()
        except CancelledError:
            raise Cancelled from None
        return result


class _Thread(QThread):
    """A thread with one Python thread state for its whole life.

    Without a Python frame at its root, every slot call creates and destroys one, together with all
    thread-local data, such as database connections; on Python 3.11 that ended in a crash.
    """

    @override
    def run(self) -> None:
        self.exec()


class _Lane(QObject):
    """One thread and its worker."""

    job_posted = Signal(object)  # _Ticket
    unit_posted = Signal(object)  # _Unit

    def __init__(self, name: Lane, writer: _Lane | None, claim: Claim, parent: QObject) -> None:
        super().__init__(parent)
        self.thread_ = _Thread(self)
        self.thread_.setObjectName(f"lane-{name}")
        self.worker = _Worker(writer, claim)
        self.worker.moveToThread(self.thread_)
        self.job_posted.connect(self.worker.run)
        self.unit_posted.connect(self.worker.run_unit)


# Seconds a lane keeps computing while the GUI thread waits for the interpreter. A call into Qt
# gives the interpreter up, and one turn of the window makes a hundred of them: at Python's 5 ms, 50
# ms of work took half a second.
TURN_S = 0.0005


class JobRunner(Jobs):
    """Owns the lanes. One per application; passed in, never looked up.

    The lanes start with the event loop of the thread that made it: before, jobs would compete with
    the making of the window, and only in the loop can results be shown.

    ``claim`` is entered around each unit of writing: it takes the lock of the library.
    """

    def __init__(self, parent: QObject | None = None, claim: Claim = nullcontext) -> None:
        super().__init__(parent)
        self._ids = itertools.count(1)
        self._handles: dict[int, JobHandle] = {}
        self._ended: deque[tuple[int, str, object]] = deque()  # their handles do not know it yet
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._end_next)
        self._guests: set[Future[Any]] = set()
        self._guests_lock = threading.Lock()
        self._is_closed = False
        self.garbage = GarbageKeeper(lambda: self.is_idle, self)
        sys.setswitchinterval(TURN_S)  # for the whole process, which has a window from here on
        writer = _Lane("write", None, claim, self)
        self._lanes: dict[Lane, _Lane] = {
            name: writer if name == "write" else _Lane(name, writer, claim, self) for name in LANES
        }
        for lane in self._lanes.values():
            lane.worker.started.connect(self._on_started)
            lane.worker.progressed.connect(self._on_progressed)
            lane.worker.ended.connect(self._on_ended)
        self._beginning = QTimer(self, singleShot=True, interval=0)
        self._beginning.timeout.connect(self._begin)
        self._beginning.start()

    @property
    @override
    def is_idle(self) -> bool:
        return not (self._handles or self._turn.isActive())

    @override
    def submit(
        self, title: str, work: Work, *, lane: Lane = "write", background: bool = False
    ) -> JobHandle:
        handle = JobHandle(next(self._ids), title, lane, is_background=background)
        self._handles[handle.job_id] = handle
        self._lanes[lane].job_posted.emit(_Ticket(handle.job_id, work, handle.token))
        self.submitted.emit(handle)
        return handle

    @override
    def guest(self) -> JobContext:
        return _Guest(self)

    def post(self, unit: _Unit) -> None:
        """Have the writer run a unit that comes from no lane; from any thread."""
        with self._guests_lock:
            if self._is_closed:
                unit.result.cancel()
                return
            self._guests.add(unit.result)
        unit.result.add_done_callback(self._forget)
        self._lanes["write"].unit_posted.emit(unit)

    def _forget(self, result: Future[Any]) -> None:
        with self._guests_lock:
            self._guests.discard(result)

    def cancel_all(self) -> None:
        for handle in tuple(self._handles.values()):
            handle.cancel()

    def shutdown(self, timeout_ms: int = 5000) -> bool:
        """Cancel everything and join the threads; returns False if a job does not stop."""
        self.cancel_all()
        self._beginning.stop()
        with self._guests_lock:
            self._is_closed = True
        is_joined = True
        for lane in self._lanes.values():
            lane.thread_.quit()
            is_joined = lane.thread_.wait(timeout_ms) and is_joined
        for result in tuple(self._guests):  # units the writer did not reach
            result.cancel()
        if is_joined:
            self.garbage.stop()
        return is_joined

    @Slot()
    def _begin(self) -> None:
        for lane in self._lanes.values():
            lane.thread_.start()

    @Slot(int)
    def _on_started(self, job_id: int) -> None:
        self._handles[job_id].started.emit()

    @Slot(int, object)
    def _on_progressed(self, job_id: int, progress: Progress) -> None:
        self._handles[job_id].progressed.emit(progress)

    @Slot(int, str, object)
    def _on_ended(self, job_id: int, outcome: str, value: object) -> None:
        self._ended.append((job_id, outcome, value))
        self._turn.start()

    @Slot()
    def _end_next(self) -> None:
        """End the job that waits longest; without one, what was answered last is laid out."""
        if not self._ended:
            self._turn.stop()
            if self.is_idle:
                self.idle.emit()
            return
        job_id, outcome, value = self._ended.popleft()
        self._handles.pop(job_id).end(outcome, value)
