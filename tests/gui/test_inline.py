"""The runner without threads."""

from engram_desktop.jobs.context import Cancelled
from tests.inline_runner import InlineRunner


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
