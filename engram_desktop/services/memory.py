"""`Memory`: the services of an open library, used by the window and the command line.

Every method of a service may be called from any thread; those that write return `Changes` or a
report that holds them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from engram_desktop.domain.write_access import OWN, WriteAccess
from engram_desktop.services import adopt, cards, imports, inbox, overview, search, state, volumes
from engram_desktop.services.care import care_service
from engram_desktop.services.chats import branching, chat_service
from engram_desktop.services.events import event_service
from engram_desktop.services.graph import graph_service
from engram_desktop.services.inject import inject_service
from engram_desktop.services.knowledge import findings_service, knowledge_service
from engram_desktop.services.library import (
    backups,
    endpoint_service,
    settings_service,
    usage,
    whole_file,
)
from engram_desktop.services.library.session import Session, Sharing, now_ms
from engram_desktop.services.pipeline import automation, drafts, pipeline_service, step_context
from engram_desktop.services.play import play_service
from engram_desktop.services.prompts import prompt_service, prompts
from engram_desktop.services.recall import index_service, lab, searching
from engram_desktop.services.serving import serving_service
from engram_desktop.services.tavern import tavern_service
from engram_desktop.services.worldbooks import worldbook_service

if TYPE_CHECKING:
    from engram_desktop.domain.reports import BackupFile, Relocated
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.adopt import AdoptService
    from engram_desktop.services.cards import CharacterService
    from engram_desktop.services.care.care_service import CareService
    from engram_desktop.services.chats.branching import BranchService
    from engram_desktop.services.chats.chat_service import ChatService, MessageService
    from engram_desktop.services.events.event_service import EventService, LogService
    from engram_desktop.services.graph.graph_service import GraphService
    from engram_desktop.services.imports import ImportService
    from engram_desktop.services.inbox import InboxService
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.backups import BackupService
    from engram_desktop.services.library.endpoint_service import EndpointService
    from engram_desktop.services.library.settings_service import HistoryService, SettingsService
    from engram_desktop.services.library.usage import UsageService
    from engram_desktop.services.overview import OverviewService
    from engram_desktop.services.pipeline.automation import AutomationService
    from engram_desktop.services.pipeline.drafts import DraftService
    from engram_desktop.services.pipeline.pipeline_service import PipelineService
    from engram_desktop.services.pipeline.step_context import StepContexts
    from engram_desktop.services.play.play_service import PlayService
    from engram_desktop.services.prompts.prompt_service import PromptService, ScriptService
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.recall.index_service import IndexService, OpenVolumes
    from engram_desktop.services.recall.lab import LabService
    from engram_desktop.services.recall.searching import RecallService, Searcher
    from engram_desktop.services.search import SearchService
    from engram_desktop.services.serving.serving_service import ServingService
    from engram_desktop.services.state import StateService
    from engram_desktop.services.tavern.tavern_service import TavernService
    from engram_desktop.services.volumes import VolumeService
    from engram_desktop.services.worldbooks.worldbook_service import (
        KeptWorldbookService,
        WorldbookService,
    )


class Memory:
    """One open library: a session, and the services that work on it.

    A service is made, and its modules are imported, on first use: a command that lists chats
    imports nothing of recall. Services keep no state that two instances could disagree on.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        program: str | None = "Engram",
        clock: Callable[[], int] = now_ms,
        on_key: Callable[[str], object] = str,
        environ: Mapping[str, str] = os.environ,
        access: WriteAccess = OWN,
        steal_lock: bool = False,
        is_safe: bool = False,
    ) -> Self:
        """Open or make the library at ``folder``; see `Session.open` for the arguments.

        Raises LibraryBusy, NewerDatabase, DamagedDatabase, StorageError.
        """
        session = Session.open(
            folder,
            program=program,
            clock=clock,
            on_key=on_key,
            environ=environ,
            access=access,
            steal_lock=steal_lock,
            is_safe=is_safe,
        )
        return cls(session)

    def close(self) -> None:
        """Stop the vector worker and close every database."""
        self.session.close()

    @property
    def folder(self) -> Path:
        return self.session.folder

    @cached_property
    def sharing(self) -> Sharing:
        return Sharing(self.session)

    @cached_property
    def settings(self) -> SettingsService:
        return settings_service.SettingsService(self.session)

    @cached_property
    def endpoints(self) -> EndpointService:
        return endpoint_service.EndpointService(self.session)

    @cached_property
    def backups(self) -> BackupService:
        return backups.BackupService(self.session)

    @cached_property
    def history(self) -> HistoryService:
        return settings_service.HistoryService(self.session)

    @cached_property
    def usage(self) -> UsageService:
        return usage.UsageService(self.session)

    @cached_property
    def chats(self) -> ChatService:
        return chat_service.ChatService(self.session)

    @cached_property
    def messages(self) -> MessageService:
        return chat_service.MessageService(self.session)

    @cached_property
    def branches(self) -> BranchService:
        return branching.BranchService(self.session)

    @cached_property
    def prompts(self) -> PromptService:
        return prompt_service.PromptService(self.session)

    @cached_property
    def scripts(self) -> ScriptService:
        return prompt_service.ScriptService(self.session, self._chat_prompts)

    @cached_property
    def worldbooks(self) -> WorldbookService:
        return worldbook_service.WorldbookService(self.session)

    @cached_property
    def kept(self) -> KeptWorldbookService:
        return worldbook_service.KeptWorldbookService(self.session)

    @cached_property
    def characters(self) -> CharacterService:
        return cards.CharacterService(self.session)

    @cached_property
    def graph(self) -> GraphService:
        return graph_service.GraphService(self.session)

    @cached_property
    def events(self) -> EventService:
        return event_service.EventService(self.session)

    @cached_property
    def logs(self) -> LogService:
        return event_service.LogService(self.session)

    @cached_property
    def state(self) -> StateService:
        return state.StateService(self.session, self.worldbooks)

    @cached_property
    def knowledge(self) -> KnowledgeService:
        return knowledge_service.KnowledgeService(self.session, self.state)

    @cached_property
    def findings(self) -> FindingsService:
        return findings_service.FindingsService(self.session, self.knowledge)

    @cached_property
    def recall(self) -> RecallService:
        return searching.RecallService(self.session, self._searcher)

    @cached_property
    def search(self) -> SearchService:
        return search.SearchService(self.session)

    @cached_property
    def index(self) -> IndexService:
        return index_service.IndexService(self.session, self._open_volumes)

    @cached_property
    def lab(self) -> LabService:
        return lab.LabService(self.session, self._chat_prompts, self._searcher, self.inject.compose)

    @cached_property
    def volumes(self) -> VolumeService:
        return volumes.VolumeService(
            self.session, self.knowledge, self.findings, self._open_volumes
        )

    @cached_property
    def pipeline(self) -> PipelineService:
        return pipeline_service.PipelineService(self.session, self._steps, self.findings)

    @cached_property
    def overview(self) -> OverviewService:
        return overview.OverviewService(self.session)

    @cached_property
    def automation(self) -> AutomationService:
        return automation.AutomationService(self.session, self._steps, self.pipeline)

    @cached_property
    def drafts(self) -> DraftService:
        return drafts.DraftService(self.session, self._steps)

    @cached_property
    def inbox(self) -> InboxService:
        return inbox.InboxService(
            self.session, self.drafts, self.events, self.graph, self.findings, self._steps
        )

    @cached_property
    def inject(self) -> InjectService:
        return inject_service.InjectService(
            self.session, self._searcher, self._chat_prompts, self.worldbooks, self.findings
        )

    @cached_property
    def play(self) -> PlayService:
        return play_service.PlayService(
            self.session, self.inject, self.state, self.pipeline, self.knowledge, self._chat_prompts
        )

    @cached_property
    def serving(self) -> ServingService:
        return serving_service.ServingService(
            self.session, self.inject, self._chat_prompts, self._searcher
        )

    @cached_property
    def adopt(self) -> AdoptService:
        return adopt.AdoptService(self.session, self.worldbooks, self.state)

    @cached_property
    def imports(self) -> ImportService:
        return imports.ImportService(
            self.session, self.worldbooks, self.characters, self.scripts, self.adopt
        )

    @cached_property
    def tavern(self) -> TavernService:
        return tavern_service.TavernService(self.session, self.adopt)

    @cached_property
    def care(self) -> CareService:
        return care_service.CareService(
            self.session, self.index, self.usage, lambda: self.events, lambda: self.graph
        )

    @cached_property
    def _chat_prompts(self) -> ChatPrompts:
        return prompts.ChatPrompts(self.session, self.worldbooks)

    @cached_property
    def _searcher(self) -> Searcher:
        return searching.Searcher(
            self.session, self._chat_prompts, lambda: self.knowledge, self._open_volumes
        )

    @cached_property
    def _open_volumes(self) -> OpenVolumes:
        return index_service.OpenVolumes(self.session)

    @cached_property
    def _steps(self) -> StepContexts:
        return step_context.StepContexts(
            self.session, self._chat_prompts, self.worldbooks, self.state
        )


class ClosedLibrary:
    """Operations on the library at ``folder`` while this program does not have it open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def backups(self) -> list[BackupFile]:
        """Return its backups, the newest first."""
        return backups.found_in(self._folder)

    def move_to(self, ctx: JobContext, target: Path) -> Relocated:
        """Move it. Raises FileExists, InsideItself, StorageError."""
        return backups.relocate(ctx, self._folder, target)

    def synced_by(self) -> str | None:
        """Return the name of the cloud program that syncs the folder, if one does."""
        return whole_file.synced_by(self._folder)

    def is_free(self) -> bool:
        """Return whether no program holds it now and no window shows it."""
        return backups.is_free(self._folder)

    def rescue(self, archive_file: Path) -> None:
        """Replace a library that cannot be opened by a backup; see `backups.rescue`."""
        backups.rescue(self._folder, archive_file)
