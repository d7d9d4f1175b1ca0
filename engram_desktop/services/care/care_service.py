"""Maintenance of a library: check and repair it, count what it holds, export memories."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.memory.line import Line
from engram_desktop.services.care import memory_folder, upkeep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.domain.reports import CheckResult, ExportForm, KeptFolder
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.care.memory_folder import FolderService
    from engram_desktop.services.events.event_service import EventService
    from engram_desktop.services.graph.graph_service import GraphService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.library.usage import UsageService
    from engram_desktop.services.recall.index_service import IndexService


class CareService:
    """Operations on a library or on a chat as a whole."""

    def __init__(
        self,
        session: Session,
        index: IndexService,
        usage: UsageService,
        events: Callable[[], EventService],
        graph: Callable[[], GraphService],
    ) -> None:
        self._session = session
        self._events = events
        self._graph = graph
        self._index = index
        self._usage = usage

    @cached_property
    def folders(self) -> FolderService:
        """Return the service of Markdown folders that are kept in step with a chat."""
        return memory_folder.FolderService(self._session, self._events(), self._graph())

    def kept_folders(self) -> list[KeptFolder]:
        """Return every folder that is kept in step. Called at each start: reads one table only."""
        return self._session.library.kept_folders.rows()

    def doctor(self, ctx: JobContext, *, repair: bool = False) -> list[CheckResult]:
        """Check the library; with ``repair`` rebuild whatever can be derived."""
        session = self._session
        embedder, settings = session.clients.embedder(), session.settings()
        return upkeep.doctor(session.library, ctx, embedder, settings, repair=repair)

    def repaired_at_opening(self) -> list[CheckResult]:
        """Return what an interrupted process left, and how opening the library repaired it."""
        return list(self._session.library.repaired)

    def stats(self, line: Line) -> dict[str, Any]:
        """Return counts, sizes, index health and tokens spent of one chat."""
        name = self._session.library.chat_name(line.chat_id)
        store, health = self._session.chat(line.chat_id), self._index.health(line.chat_id)
        rows = [asdict(row) for row in self._usage.rows(line.chat_id)]
        today = asdict(self._usage.today())
        return {**upkeep.stats(store, name, health, line.branch_id), "usage": rows, "today": today}

    def export(
        self,
        ctx: JobContext,
        line: Line,
        target: Path,
        form: ExportForm,
        actors: Sequence[Actor] = (),
    ) -> int:
        """Write a chat's memory to a new file; returns the number of events or worldbook entries.

        With ``actors``, only what all of them know is written.
        """
        ctx.check()
        name = self._session.library.chat_name(line.chat_id)
        return upkeep.export(
            ctx, self._session.chat(line.chat_id), name, target, form, line.branch_id, actors
        )
