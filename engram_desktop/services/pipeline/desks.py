"""Make a desk for each step: the one place that puts together what a pipeline step works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.errors import MemoryOff
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.events.renderer import renderer_of
from engram_desktop.services.pipeline.desk import Desk

if TYPE_CHECKING:
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.services.state.state_service import StateService
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService


class Desks:
    """What every service of the pipeline is given."""

    def __init__(
        self,
        session: Session,
        chat_prompts: ChatPrompts,
        worldbooks: WorldbookService,
        state: StateService,
    ) -> None:
        self._session = session
        self._state = state
        self._chat_prompts = chat_prompts
        self._worldbooks = worldbooks

    def make(
        self, ctx: JobContext, line: Line, *, review: bool = False, works: bool = False
    ) -> Desk:
        """Put together what a step needs; raises MemoryOff if it ``works`` where memory is off."""
        session = self._session
        store, settings = session.chat(line.chat_id), session.settings(line.chat_id)
        if works and settings.memory_mode == "off":
            raise MemoryOff
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        return Desk(
            store,
            ctx,
            session.clients,
            settings,
            renderer_of(session, store),
            session.meter,
            line.branch_id,
            review,
            native,
            self._chat_prompts.prompts(ctx, store, settings, line.branch_id, native),
            lambda floor: self._worldbooks.context(ctx, line, floor),
            lambda: self._worldbooks.known_names(line),
            lambda floor: self._state.tree(ctx, line, floor),
        )
