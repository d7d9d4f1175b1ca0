"""Jobs of the window, and its motion."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import weakref
from typing import Any

import pytest
import shiboken6
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QThread, Signal
from PySide6.QtGui import QHelpEvent, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from engram_desktop.jobs.context import Cancelled, Progress, empty_in_portions
from engram_desktop.qtjobs.runner import MANY, PATIENCE, TURN_S, JobRunner
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.parts.layouts import Fold
from engram_desktop.widgets.parts.look import AppFilter
from engram_desktop.widgets.parts.motion import DURATION_MS, Curtain
from tests.gui.waiting import open_page, settle
from tests.inline_runner import InlineRunner

# Jobs on threads: where they run, how they end, how they are stopped.


@pytest.fixture
def runner():
    gc.unfreeze()  # what a run of tests has set aside (`tests/conftest.py`): some look at that here
    made = JobRunner()
    yield made
    assert made.shutdown(2000), "a job would not stop"


def test_work_runs_elsewhere_and_its_result_arrives_here(runner, qtbot):
    seen: dict[str, int] = {}
    handle = runner.submit("t", lambda _ctx: threading.get_ident())
    handle.succeeded.connect(lambda value: seen.update(work=value, slot=threading.get_ident()))
    with qtbot.waitSignal(handle.finished, timeout=20_000):
        pass
    assert seen["slot"] == threading.get_ident() != seen["work"]


def test_a_lane_keeps_the_order(runner, qtbot):
    log = []
    for number in range(50):
        runner.submit(str(number), lambda _ctx, n=number: log.append(n))
    qtbot.waitUntil(lambda: runner.is_idle, timeout=20_000)
    assert log == list(range(50))


def test_a_lane_keeps_its_thread_locals_between_jobs(runner, qtbot):
    """Database connections are thread-local; without this every job opens its own, and crashes."""
    local = threading.local()
    for lane in ("write", "network", "interactive"):
        runner.submit("set", lambda _ctx: setattr(local, "kept", True), lane=lane)
        handle = runner.submit("get", lambda _ctx: getattr(local, "kept", False), lane=lane)
        with qtbot.waitSignal(handle.succeeded, timeout=20_000) as told:
            pass
        assert told.args == [True]


def test_garbage_is_collected_on_the_gui_thread_alone(runner, qtbot):
    """A window that a worker's allocation frees takes the program with it."""
    seen = []

    def note(phase, _info):
        seen.append((phase, threading.get_ident()))

    def litter(_ctx):
        for _ in range(20_000):
            knot: list[Any] = []
            knot.append(knot)

    runner.garbage.collect()  # what is there at the start is left out
    gc.callbacks.append(note)
    try:
        runner.submit("litter", litter, lane="network")
        qtbot.waitUntil(
            lambda: runner.is_idle and ("stop", threading.get_ident()) in seen, timeout=20_000
        )
    finally:
        gc.callbacks.remove(note)
    assert {thread for _phase, thread in seen} == {threading.get_ident()}
    assert not gc.isenabled()
    assert runner.shutdown()
    assert gc.isenabled()


def test_what_there_is_at_the_start_is_not_looked_through_again(runner, qtbot):
    class Knot:
        itself: Any

    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0, timeout=20_000)
    knot, gone = Knot(), threading.Event()
    knot.itself = knot
    weakref.finalize(knot, gone.set)
    del knot
    gc.collect()
    assert gone.is_set()  # what is made later is collected as ever
    assert runner.shutdown()
    assert gc.get_freeze_count() == 0


def test_what_a_large_chat_brings_is_looked_through_when_nobody_looks(runner, qtbot):
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0, timeout=20_000)
    seen, gone = [], threading.Event()

    class Knot:
        itself: Any

    def note(phase, _info):
        seen.append(phase)

    knot = Knot()
    knot.itself = knot
    weakref.finalize(knot, gone.set)
    gc.callbacks.append(note)
    try:
        held = [[n] for n in range(2 * MANY)]
        runner.garbage.collect()
        assert not seen
        assert gc.get_freeze_count() > len(held)
        del knot
        runner.garbage.is_watched = False
        runner.garbage.collect()
    finally:
        gc.callbacks.remove(note)
    assert gone.is_set()


def test_what_a_job_holds_is_not_looked_through_while_it_runs(runner, qtbot):
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0, timeout=20_000)
    done, seen = threading.Event(), []
    held = [[n] for n in range(20_000)]  # more than makes a collection due

    def note(phase, _info):
        seen.append(phase)

    job = runner.submit("hold", lambda _ctx: done.wait(20) and len(held))
    keeper = runner.garbage
    gc.callbacks.append(note)
    try:
        for _ in range(PATIENCE):
            keeper.collect()
        assert not seen
        keeper.collect()
        assert seen  # not for ever
    finally:
        gc.callbacks.remove(note)
    with qtbot.waitSignal(job.succeeded, timeout=20_000):
        done.set()


def test_a_lane_that_computes_gives_the_gui_thread_its_turn_soon(qtbot):
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)  # Python's own
    try:
        runner = JobRunner()
        assert sys.getswitchinterval() == pytest.approx(TURN_S)
        assert runner.shutdown(2000)
    finally:
        sys.setswitchinterval(before)


def test_lanes_run_beside_each_other(runner, qtbot):
    opened = threading.Event()
    waiting = runner.submit("w", lambda _ctx: opened.wait(5))
    runner.submit("n", lambda _ctx: opened.set(), lane="network")
    with qtbot.waitSignal(waiting.succeeded, timeout=20_000) as told:
        pass
    assert told.args == [True]


def test_one_job_ends_a_turn_so_that_each_answer_is_painted_before_the_next(runner, qtbot):
    runner.submit("the lanes run", lambda _ctx: None)
    qtbot.waitUntil(lambda: runner.is_idle, timeout=20_000)
    ended: list[str] = []
    answered = threading.Barrier(4)
    for lane in ("interactive", "aside", "follow"):
        handle = runner.submit(lane, lambda _ctx: None, lane=lane)
        handle.succeeded.connect(lambda _value, lane=lane: ended.append(lane))
        runner.submit("the job before has ended", lambda _ctx: answered.wait(20), lane=lane)
    answered.wait(20)  # a busy GUI thread
    turns = []
    while not runner.is_idle:
        before = len(ended)
        QApplication.processEvents()
        turns.append(len(ended) - before)
    assert max(turns) == 1
    assert sorted(ended) == ["aside", "follow", "interactive"]


def test_an_exception_reaches_the_handle(runner, qtbot):
    def fail(_ctx):
        raise ValueError("x")

    handle = runner.submit("t", fail)
    with qtbot.waitSignal(handle.failed, timeout=20_000) as told:
        pass
    assert isinstance(told.args[0], ValueError)


def test_cancelled_while_queued_never_starts(runner, qtbot):
    holding, go = threading.Event(), threading.Event()
    log = []

    def hold(ctx):
        holding.set()
        go.wait(5)
        ctx.check()

    first = runner.submit("a", hold)
    second = runner.submit("b", lambda _ctx: log.append("ran"))
    first.cancelled.connect(lambda: log.append("a"))
    second.cancelled.connect(lambda: log.append("b"))
    second.started.connect(lambda: log.append("b started"))
    assert holding.wait(5)
    second.cancel()
    first.cancel()
    go.set()
    qtbot.waitUntil(lambda: runner.is_idle, timeout=20_000)
    assert log == ["a", "b"]


def test_cancel_breaks_a_blocking_read(runner, qtbot):
    with socket.create_server(("127.0.0.1", 0)) as server:
        ready = threading.Event()

        def hang(ctx):
            with socket.create_connection(server.getsockname()) as line:
                ctx.on_cancel(lambda: line.shutdown(socket.SHUT_RDWR))
                ready.set()
                line.recv(1)
            ctx.check()

        handle = runner.submit("net", hang, lane="network")
        assert ready.wait(5)
        with qtbot.waitSignal(handle.cancelled, timeout=20_000):
            handle.cancel()


def test_progress_is_thinned_and_its_end_is_kept(runner, qtbot):
    told: list[Progress] = []

    def work(ctx):
        for number in range(1, 20_001):
            ctx.report(number, 20_000)

    handle = runner.submit("p", work)
    handle.progressed.connect(told.append)
    with qtbot.waitSignal(handle.finished, timeout=30_000):
        pass
    assert told[-1].done == 20_000
    assert len(told) < 1000


def test_a_unit_of_another_lane_runs_on_the_writer(runner, qtbot):
    seen: dict[str, int] = {}
    runner.submit("w", lambda _ctx: seen.update(writer=threading.get_ident()))

    def work(ctx):
        seen["unit"] = ctx.write(threading.get_ident)
        seen["own"] = threading.get_ident()

    with qtbot.waitSignal(runner.submit("n", work, lane="network").succeeded, timeout=20_000):
        pass
    assert seen["unit"] == seen["writer"] != seen["own"]


def test_a_unit_on_the_writer_runs_at_once(runner, qtbot):
    handle = runner.submit("w", lambda ctx: ctx.write(threading.get_ident) == threading.get_ident())
    with qtbot.waitSignal(handle.succeeded, timeout=20_000) as told:
        pass
    assert told.args == [True]


def test_a_unit_raises_where_it_was_asked_for(runner, qtbot):
    def fail():
        raise KeyError("inside")

    handle = runner.submit("n", lambda ctx: ctx.write(fail), lane="interactive")
    with qtbot.waitSignal(handle.failed, timeout=20_000) as told:
        pass
    assert isinstance(told.args[0], KeyError)


def test_an_edit_slips_in_between_the_units_of_a_long_job(runner, qtbot):
    log = []
    asked, edited = threading.Event(), threading.Event()

    def long_job(ctx):
        for number in range(3):
            ctx.write(lambda n=number: log.append(n))
            if number == 0:
                asked.set()
                edited.wait(5)

    def edit(_ctx):
        log.append("edit")
        edited.set()

    handle = runner.submit("long", long_job, lane="network")
    assert asked.wait(5)
    runner.submit("edit", edit)
    with qtbot.waitSignal(handle.finished, timeout=20_000):
        pass
    assert log == [0, "edit", 1, 2]


def test_cancel_withdraws_a_unit_that_waits_for_the_writer(runner, qtbot):
    go, log = threading.Event(), []
    waiting = threading.Event()

    def ask(ctx):
        waiting.set()
        try:
            ctx.write(lambda: log.append("written"))
        except Cancelled:
            log.append("withdrawn")
            raise

    blocked = runner.submit("block", lambda _ctx: go.wait(5))
    handle = runner.submit("ask", ask, lane="network")
    assert waiting.wait(5)
    with qtbot.waitSignal(handle.cancelled, timeout=20_000):
        handle.cancel()
    with qtbot.waitSignal(blocked.finished, timeout=20_000):
        go.set()
    assert log == ["withdrawn"]


def test_what_is_asked_while_a_window_is_made_waits_for_the_loop(qtbot):
    runner = JobRunner()
    handle = runner.submit("ask", lambda _ctx: 1, lane="interactive")
    threads = runner.findChildren(QThread)
    assert threads
    assert not any(thread.isRunning() for thread in threads)
    with qtbot.waitSignal(handle.succeeded, timeout=20_000):
        pass
    assert runner.shutdown(2000)


def test_runner_that_never_began_ends(qtbot):
    runner = JobRunner()
    runner.submit("ask", lambda _ctx: 1)
    assert runner.shutdown(2000)
    assert not any(thread.isRunning() for thread in runner.findChildren(QThread))


def test_shutdown_stops_a_job_that_waits_for_the_writer(qtbot):
    runner = JobRunner()
    holding = threading.Event()

    def hold(ctx):
        holding.set()
        stop = threading.Event()
        ctx.on_cancel(stop.set)
        stop.wait(10)

    runner.submit("hold", hold)
    runner.submit("ask", lambda ctx: ctx.write(lambda: None), lane="network")
    qtbot.waitUntil(holding.is_set, timeout=20_000)
    assert runner.shutdown(5000)


def test_a_handle_may_be_cancelled_after_its_end(runner, qtbot):
    handle = runner.submit("a", lambda _ctx: 1)
    with qtbot.waitSignal(handle.finished, timeout=20_000):
        pass
    qtbot.waitUntil(lambda: not shiboken6.isValid(handle), timeout=20_000)
    handle.cancel()


@pytest.mark.parametrize("lane", ["write", "network"])
def test_a_job_that_would_not_stop_is_said_whichever_lane_it_is_on(qtbot, runner, lane):
    begun, done = threading.Event(), threading.Event()

    def stubborn(_ctx):
        begun.set()
        done.wait(20)

    runner.submit("t", stubborn, lane=lane)
    assert begun.wait(5)
    assert runner.shutdown(50) is False
    done.set()


# The runner without threads.


def test_nothing_runs_before_it_is_told_to(qtbot):
    runner = InlineRunner()
    log: list[object] = []
    first = runner.submit("a", lambda _ctx: 5)
    first.succeeded.connect(lambda value: log.append(("ok", value)))
    first.finished.connect(lambda: log.append("finished"))
    second = runner.submit("b", lambda _ctx: 6)
    second.cancelled.connect(lambda: log.append("cancelled"))
    second.cancel()
    assert log == []
    assert not runner.is_idle
    runner.run_pending()
    assert log == [("ok", 5), "finished", "cancelled"]
    assert runner.is_idle


def test_failures_and_cancellations_end_as_they_should(qtbot):
    runner = InlineRunner()
    log: list[object] = []

    def fail(_ctx):
        raise ValueError

    def stop(_ctx):
        raise Cancelled

    runner.submit("a", fail).failed.connect(lambda error: log.append(type(error)))
    runner.submit("b", stop).cancelled.connect(lambda: log.append("stopped"))
    runner.run_pending()
    assert log == [ValueError, "stopped"]


def test_a_job_submitted_by_a_job_runs_too(qtbot):
    runner = InlineRunner()
    log: list[object] = []
    runner.submit("a", lambda _ctx: None).finished.connect(
        lambda: runner.submit("b", lambda _ctx: log.append("b"))
    )
    runner.run_pending()
    assert log == ["b"]


# The filter of the whole program: there while a window is, taken off before it is freed.

MARKUP = "<b>月光</b>"


def tip_of(widget):
    QToolTip.hideText()
    at = widget.mapToGlobal(QPoint(2, 2))
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), at))
    return QToolTip.text()


def test_closing_takes_the_filter_off(qtbot, desktop):
    widget = QLabel("x")
    qtbot.addWidget(widget)
    widget.setToolTip(MARKUP)
    widget.show()
    assert "&lt;b&gt;月光" in tip_of(widget)
    desktop.look.stop_watching()
    assert tip_of(widget) == MARKUP, "the filter is gone"
    QToolTip.hideText()


def test_what_qt_makes_by_itself_has_its_python_class_before_the_filter_is_installed(qtbot):
    AppFilter()
    made = {name for module in (QtCore, QtGui, QtWidgets) for name in vars(module)}
    assert {"QScrollBar", "QCommonStyle", "QProxyStyle", "QHelpEvent", "QWindow"} <= made


# PySide6 6.12 on Python 3.11 loses a reference at every emit, and the process dies of it.


class Emitter(QObject):
    told = Signal(bool)


def test_emitting_keeps_the_reference_counts(qtbot):
    emitter = Emitter()
    before = sys.getrefcount(True)
    for _ in range(500):
        emitter.told.emit(True)
    assert abs(sys.getrefcount(True) - before) < 50


# What opens and closes is seen to move; it is done at once, and off it is only done.


@pytest.fixture
def moving(desktop, qtbot, memory):
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.motion", "on"))
    qtbot.waitUntil(lambda: desktop.look.motion.is_on, timeout=20_000)
    settle(desktop)
    return desktop


def curtains(desktop):
    return [one for one in desktop.window.findChildren(Curtain) if one.isVisible()]


def test_nothing_moves_where_there_is_no_screen_and_nobody_asked(desktop):
    assert not desktop.look.motion.is_on
    desktop.window.top.panel_button.click()
    assert not curtains(desktop)
    desktop.look.motion.choice = "off"
    assert not desktop.look.motion.is_on


def test_the_panel_is_hidden_at_once_and_seen_to_slide(qtbot, moving):
    window = moving.window
    place = window.panel.geometry()
    window.top.panel_button.click()
    assert window.panel.isHidden()
    (curtain,) = curtains(moving)
    assert curtain.size() == place.size()
    was = curtain.grab().toImage()
    qtbot.wait(DURATION_MS // 2)
    assert curtain.grab().toImage() != was
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    window.top.panel_button.click()
    assert window.panel.isVisible()
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    assert window.panel.geometry() == place


def test_a_panel_turned_twice_quickly_is_where_it_was(qtbot, moving):
    window = moving.window
    place = window.panel.geometry()
    window.top.panel_button.click()
    window.top.panel_button.click()
    assert window.panel.isVisible()
    assert len(curtains(moving)) == 1
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    assert window.panel.geometry() == place


def test_keys_and_the_focus_work_while_it_moves(moving):
    window = moving.window
    window.event_page.search.setFocus()
    window.top.panel_button.click()
    assert curtains(moving)
    QTest.keyClicks(window.event_page.search, "abc")
    assert window.event_page.search.hasFocus()
    assert window.event_page.search.text() == "abc"
    QTest.keyClick(window.event_page.search, Qt.Key.Key_Escape)
    assert window.event_page.search.text() == ""
    settle(moving)


def test_a_fold_opens_and_closes(qtbot, moving):
    window = moving.window
    open_page(moving, "graph")
    window.models.graph.select(window.models.graph.graph.view.entities[0].id)
    settle(moving)
    fold = next(one for one in window.panel.findChildren(Fold) if one.isVisible())
    is_open = fold.inner.isVisible()
    for _ in range(3):
        fold.head.click()
        is_open = not is_open
        assert fold.inner.isVisible() == is_open
        assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)


def test_a_message_fades_in_and_out(qtbot, moving):
    bar = moving.window.message_bar
    moving.workspace.messages.show(Notice("info", "One"))
    assert bar.isVisible()
    assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    bar.bars[-1].close_button.click()
    assert not bar.isVisible()
    assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)


def test_the_graph_glides_to_where_everything_is_seen_and_a_hand_takes_over(qtbot, moving):
    window = moving.window
    open_page(moving, "graph")
    page = window.stack.page_as("graph", GraphPage)
    canvas = page.canvas
    qtbot.wait(2 * DURATION_MS)
    target = canvas.camera
    canvas.zoom(3.0)
    canvas.pan(400, 0)
    far = canvas.camera
    page.findChild(QShortcut, "graph.fit").activated.emit()
    assert canvas.camera in (far, far.towards(target, 0.0))
    qtbot.waitUntil(lambda: canvas.camera == target, timeout=5_000)
    canvas.pan(400, 0)
    canvas.fit()
    qtbot.wait(DURATION_MS // 3)
    canvas.zoom(2.0)
    held = canvas.camera
    qtbot.wait(2 * DURATION_MS)
    assert canvas.camera == held


def test_without_motion_the_graph_is_fitted_at_once(desktop):
    open_page(desktop, "graph")
    canvas = desktop.window.stack.page_as("graph", GraphPage).canvas
    canvas.fit()
    target = canvas.camera
    canvas.zoom(3.0)
    canvas.fit()
    assert canvas.camera == target


class Held:
    """Something that can be watched as it is freed."""


def test_many_rows_are_let_go_of_and_none_is_kept():
    rows = [Held() for _n in range(2_500)]
    watched = [weakref.ref(row) for row in rows]
    empty_in_portions(rows)
    assert rows == []
    assert not any(ref() for ref in watched)
