"""The one thing that is to be done next for a chat: what waits for the user comes first."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.overview.overview import Overview
from engram_desktop.domain.pipeline.automation import Standing

# agree: a backlog that automation asks about; none: nothing is to be done.
NextStep = Literal["review", "retry", "agree", "summarise", "consolidate", "connect", "none"]


def next_step(overview: Overview, standing: Standing | None, *, is_running: bool) -> NextStep:
    """Choose the step. ``standing`` is that of automation, None while it is not known.

    While automation ``is_running`` it summarises and consolidates itself: neither is offered.
    """
    progress = overview.progress
    if progress.waiting:
        return "review"
    if progress.failed:
        return "retry"
    if not is_running:
        if standing == "consent":
            return "agree"
        if standing != "mode" and progress.untold > progress.fresh:
            return "summarise"
        if progress.is_buffer_full:
            return "consolidate"
    return "none" if overview.has_model else "connect"
