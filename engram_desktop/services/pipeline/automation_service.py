"""Automation: what is due for a branch, and doing it, one step after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.pipeline import automation, outlines
from engram_desktop.services.pipeline.summary import summarise

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport
    from engram_desktop.domain.reports import EntityReport
    from engram_desktop.services.events.blocks import Floors
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.automation import EntityStep
    from engram_desktop.services.pipeline.desks import Desks
    from engram_desktop.services.pipeline.pipeline_service import PipelineService


class AutomationService:
    """The pipeline that works by itself, within what the settings allow."""

    def __init__(self, session: Session, desks: Desks, pipeline: PipelineService) -> None:
        self._session = session
        self._desks = desks
        self._pipeline = pipeline

    def plan(
        self, line: Line, *, consent: bool = False, entities: bool = True, ended: bool = False
    ) -> AutoPlan:
        """Say what automation would do now for a branch, and what holds it back.

        ``ended``: the session there is over, and is to be looked back on.
        """
        desk = self._desks.make(NullContext(), line)
        step = self._entity_step(line) if entities else None
        return automation.look(desk, step, consent=consent, ended=ended)

    def run(
        self,
        ctx: JobContext,
        line: Line,
        *,
        consent: bool = False,
        entities: bool = True,
        review: bool | None = None,
        ended: bool = False,
    ) -> AutoReport:
        """Do what is due, one after another. ``consent`` begins a backlog.

        ``ended``: the session is over; it is looked back on, the newest floors too.

        ``entities``: profiles too. ``review``: whether what a model makes waits for the user; None
        is as the settings say.
        """
        settings, pipeline = self._session.settings(line.chat_id), self._pipeline
        wants_review = settings.review_enabled if review is None else review
        desk = self._desks.make(ctx, line, review=wants_review)
        steps = automation.Steps(
            lambda todo: summarise.summarise(desk, todo, "auto"),
            lambda: pipeline.consolidate(ctx, line, keep=settings.visible_newest),
            lambda: pipeline.trim(ctx, line),
            lambda: ctx.write(lambda: outlines.mend_outlines(desk)),
            lambda floors: pipeline.reflect(ctx, line, floors),
            self._entity_step(line) if entities else None,
        )
        return automation.run(
            ctx,
            lambda: self.plan(line, consent=consent, entities=entities, ended=ended),
            steps,
            desk.store,
        )

    def skip_backlog(self, line: Line) -> Changes:
        """Let automation begin with the messages that come from now on."""
        return automation.skip_backlog(self._desks.make(NullContext(), line))

    def _entity_step(self, line: Line) -> EntityStep | None:
        """How often profiles are updated, and what does it; None without a model."""
        if not self._session.clients.has_llm():
            return None

        def update(ctx: JobContext, _floors: Floors) -> EntityReport:
            return self._pipeline.update_profiles(ctx, line)

        return automation.EntityStep(self._session.settings(line.chat_id).entities_interval, update)
