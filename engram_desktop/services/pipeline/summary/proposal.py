"""What could be remembered of floors that somebody selected: one event, not stored yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers.structured import FLOOR_FORMATS, extract
from engram_desktop.llm.client.client import Client
from engram_desktop.services import extractive
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.library.usage.metering import CallRecorder
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.pipeline.summary.request import request_of

AROUND = 150  # messages on either side from which the reader knows who and where: some screens
_WIDE = "。！？”」』…）"  # after these, Chinese goes on without a blank


def propose(desk: Desk, floors: Floors, *, by_model: bool) -> PlotExtraction | None:
    """Return one event that tells of these floors; None where there is nothing to tell.

    Raises LlmError where a model is asked.
    """
    return joined(_by_model(desk, floors) if by_model else _by_reader(desk, floors))


def joined(events: Sequence[PlotExtraction]) -> PlotExtraction | None:
    """Put several events together as one."""
    if not events:
        return None
    first = events[0]
    summary = first.summary
    for event in events[1:]:
        gap = "" if summary.endswith(tuple(_WIDE)) else " "
        summary = f"{summary}{gap}{event.summary}"
    return replace(
        first,
        summary=summary,
        keywords=tuple(dict.fromkeys(chain.from_iterable(e.keywords for e in events))),
        entities=tuple(dict.fromkeys(chain.from_iterable(e.entities for e in events))),
        relations=tuple(dict.fromkeys(chain.from_iterable(e.relations for e in events))),
        details="\n".join(e.details for e in events if e.details),
        significance_score=max(e.significance_score for e in events),
        kind="event",
    )


def _by_reader(desk: Desk, floors: Floors) -> list[PlotExtraction]:
    messages, native = desk.store.messages, desk.native
    first, last = max(0, floors[0] - AROUND), floors[1] + AROUND
    near = messages.slice(desk.branch_id, first, last)
    background = extractive.background(near, native, desk.names())
    chosen = messages.slice(desk.branch_id, *floors)
    return [e for e, _span in extractive.extract(native.as_sent(chosen), background=background)]


def _by_model(desk: Desk, floors: Floors) -> list[PlotExtraction]:
    messages = desk.store.messages.slice(desk.branch_id, *floors)
    request, language = request_of(desk, messages, floors)
    formats = desk.prompts.formats("summary", language, FLOOR_FORMATS)
    recorder = CallRecorder(desk.store, desk.ctx, desk.meter, "summary")

    async def ask(client: Client) -> list[PlotExtraction]:
        async with client.session() as session:
            return list((await extract(session, request, formats=formats)).events)

    with recorder.kept():
        return run_async(desk.ctx, ask(desk.client("summary", recorder.record)))
