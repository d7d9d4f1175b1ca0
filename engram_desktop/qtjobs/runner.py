"""Run jobs on QThreads; report on the GUI thread.

A lane is one QThread with one worker: its jobs run one at a time, in order. ``write`` is the only
writer; ``network``, ``play``, ``interactive`` and ``follow`` hand it short units through
``ctx.write``. A reply that streams has ``play``: it waits for no summary, and no reading for it.
What the window reads by itself, in short, has ``aside``: nobody's question waits for it.

Worker signals are received by bound methods of `JobRunner`, which lives on the GUI thread, so Qt
queues the call. The runner then emits the `JobHandle`'s own signals *on the GUI thread*: a caller
may connect a lambda to a handle, and nobody but the runner may connect to a worker.

Collect Python's cyclic garbage on the GUI thread alone.

Left to itself, Python collects on whichever thread allocates, and a Qt object that another thread
than its own frees ends the program. So while lanes run, collecting waits for a timer of the GUI
thread.
"""

from __future__ import annotations

import gc
import itertools
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from dataclasses import field
from typing import Any, ClassVar, Literal, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Cancelled, CancelToken, Claim, JobContext, Progress

# The GUI's handle of a job, and the interface of what runs jobs.
#
# A handle lives on the GUI thread and is emitted there only. After ``finished`` its C++ part is
# deleted; `JobHandle.cancel` stays legal, Qt methods on it are not.


Lane = Literal["write", "network", "interactive", "aside", "follow", "play"]
Work = Callable[[JobContext], Any]


class JobHandle(QObject):
    """One submitted job. A job without a title is a look-up that no task list shows."""

    started = Signal()
    progressed = Signal(object)  # Progress
    succeeded = Signal(object)  # the job's return value
    failed = Signal(object)  # Exception
    cancelled = Signal()
    finished = Signal()  # always last, exactly once

    def __init__(self, job_id: int, title: str, lane: Lane, *, is_background: bool = False) -> None:
        # No parent: a listener may hold the last reference to the runner, and a handle's end would
        # then delete its own parent in the middle of being deleted itself.
        super().__init__()
        self.job_id = job_id
        self.title = title
        self.lane = lane
        self.is_background = is_background  # nobody asked for it: it gives way
        self.token = CancelToken()

    def cancel(self) -> None:
        self.token.cancel()

    def end(self, outcome: str, value: object) -> None:
        """Emit how it ended, then `finished`. For runners only."""
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
    """Runs jobs: `JobRunner` on threads, in tests a runner that runs them on request."""

    submitted = Signal(object)  # JobHandle
    idle = Signal()

    @property
    def is_idle(self) -> bool:
        raise NotImplementedError

    def submit(
        self, title: str, work: Work, *, lane: Lane = "write", background: bool = False
    ) -> JobHandle:
        """Queue ``work`` on ``lane``. Connect to the handle in the same turn: nothing is missed."""
        raise NotImplementedError

    def guest(self) -> JobContext:
        """Make a context for a thread that is no lane's; it writes where jobs write.

        Its ``write`` raises Cancelled once the lanes have ended. Safe from any thread.
        """
        raise NotImplementedError


INTERVAL_MS = 1000
PATIENCE = 30  # times that a busy program is left alone
MANY = 30_000  # objects: to look through them takes a frame. A long chat has 15 times as many


class GarbageKeeper(QObject):
    """Collects Python's cyclic garbage from its construction until `stop`.

    ``is_watched``: somebody looks at the window, and sees it stand still.
    """

    _alive: ClassVar[int] = 0  # the switch is one for the whole process

    def __init__(self, is_idle: Callable[[], bool], parent: QObject | None = None) -> None:
        """``is_idle`` says whether no job runs."""
        super().__init__(parent)
        self._is_idle = is_idle
        self._skipped = 0
        GarbageKeeper._alive += 1
        gc.disable()
        self._is_stopped = False
        self._is_frozen = False
        self._is_put_off = False
        self._came = 0  # objects, since all that there was was last set aside
        self.is_watched = True
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def stop(self) -> None:
        """Leave collecting to Python again, once no other thread runs."""
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
        """Collect the oldest generation that is due, by Python's own thresholds.

        What a running job holds would be looked through and found to be no garbage, for 40 ms at
        a time: while one runs this waits, though not for ever. What is there the first time,
        modules and the window, lives as long as the program: it is left out from then on. The
        little garbage among it is left too: to look for it took 98 ms of a window just opened.
        So is what a large chat brings, 280 ms of it: until nobody looks.
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
    """One transaction that another lane asks the write lane to do."""

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
        except Exception as exc:  # noqa: BLE001 - handed to whoever submitted the job
            outcome = "cancelled" if ticket.token.is_cancelled else "failed"
            self.ended.emit(ticket.job_id, outcome, exc)
        else:
            self.ended.emit(ticket.job_id, "succeeded", result)

    @Slot(object)
    def run_unit(self, unit: _Unit) -> None:
        unit.run(self._claim)


class _Context:
    """The JobContext a running job sees; used on its lane's thread only."""

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
        """Withdraw a unit that has not begun; one that has is waited for: it is a transaction."""
        result = self._awaited_result
        if result is not None:
            result.cancel()


class _Guest:
    """The JobContext of a thread that is no lane's: it is never cancelled, and reports nowhere."""

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

    Without a Python frame at its root every slot call makes and destroys one, and with it whatever
    is thread-local, such as database connections; on Python 3.11 that ended in a crash.
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


# Seconds a lane computes on while the GUI thread waits for its turn. A call into Qt gives the turn
# away, and a turn of the window makes a hundred of them: at Python's 5 ms it was away for half a
# second where it had 50 ms to do.
TURN_S = 0.0005


class JobRunner(Jobs):
    """Owns the lanes. One per application; passed in, never looked up.

    They begin with the loop of the thread that made it: what is asked while a window is being made
    would take turns with that, and only in the loop can an answer be shown.

    ``claim`` is entered around each unit of writing: it takes the lock of the library.
    """

    def __init__(self, parent: QObject | None = None, claim: Claim = nullcontext) -> None:
        super().__init__(parent)
        self._ids = itertools.count(1)
        self._handles: dict[int, JobHandle] = {}
        self._guests: set[Future[Any]] = set()
        self._guests_lock = threading.Lock()
        self._is_closed = False
        self.garbage = GarbageKeeper(lambda: self.is_idle, self)
        sys.setswitchinterval(TURN_S)  # of the whole process, which has a window from here on
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
        return not self._handles

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
        """Let the writer do a unit that no lane asked for; from any thread."""
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
        """Cancel everything and join the threads. False if a job would not stop."""
        self.cancel_all()
        self._beginning.stop()
        with self._guests_lock:
            self._is_closed = True
        is_joined = True
        for lane in self._lanes.values():
            lane.thread_.quit()
            is_joined = lane.thread_.wait(timeout_ms) and is_joined
        for result in tuple(self._guests):  # what the writer did not come to
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
        handle = self._handles.pop(job_id)
        handle.end(outcome, value)
        if self.is_idle:
            self.idle.emit()
