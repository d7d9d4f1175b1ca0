"""The facade: everything a window or a command line can ask of a library.

It only composes the use cases beside it. Every method may be called from any thread; those that
write return `Changes` or a report that carries them.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.event import EventCounts, EventNode, EventPatch, EventQuery, SourceRange
from engram_desktop.domain.extraction import PlotExtraction
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.render import CARD_EN, CARD_ZH, StoryRenderer
from engram_desktop.domain.reports import (
    ChatSummary,
    ConsolidationPlan,
    ConsolidationReport,
    ImportPreview,
    ImportReport,
    SummaryPlan,
    SummaryReport,
    TrimReport,
    UndoStep,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.services import (
    archive,
    curate,
    export,
    import_chat,
    summarise,
    trim,
    upkeep,
)
from engram_desktop.services.coverage import coverage
from engram_desktop.services.graphs import Graphs
from engram_desktop.services.library_care import LibraryCare
from engram_desktop.services.lines import Lines
from engram_desktop.services.link import Caps
from engram_desktop.services.private_logs import PrivateLogs
from engram_desktop.services.prompts import Language, language_of
from engram_desktop.services.recalls import Recalls
from engram_desktop.storage.chat_store import ChatStore

logger = logging.getLogger(__name__)

ExtractorChoice = summarise.ExtractorChoice


class Memory(LibraryCare, Lines, Graphs, PrivateLogs, Recalls):
    """One open library."""

    # --- chats ---

    def chats(self) -> list[ChatSummary]:
        """Every chat, the latest first; one that cannot be opened says why."""
        found = []
        for chat_id, name, _source, updated_at in self._library.chat_rows():
            try:
                found.append(self._library.summary(chat_id, name, updated_at))
            except KnownError as e:
                logger.warning("Chat %s cannot be opened: %s", chat_id, e)
                unknown = ChatSummary(chat_id, name, (), 0, 0, 0, 0, 0, 0, updated_at, str(e))
                found.append(unknown)
        return found

    def find_chat(self, wanted: str) -> str:
        """Return the id of the chat with this id or name. Raises NotFound."""
        return self._library.find_chat(wanted)

    def chat_name(self, chat_id: str) -> str:
        return self._library.chat_name(chat_id)

    def rename_chat(self, chat_id: str, name: str) -> Changes:
        self._library.rename_chat(chat_id, name)
        return Changes(chat_id=chat_id, library=True)

    def delete_chat(self, chat_id: str) -> Changes:
        """Move a chat to the library's trash folder."""
        self._recallers.pop(chat_id, None)
        self._library.delete_chat(chat_id)
        return Changes(chat_id=chat_id, library=True)

    # --- import and export ---

    def preview(
        self, ctx: JobContext, path: Path, *, into: str | None = None, exact: bool = False
    ) -> ImportPreview:
        """Say what importing ``path`` would do. Raises InputError."""
        ctx.check()
        return import_chat.preview(self._library, path, into, exact=exact)

    def import_file(
        self,
        ctx: JobContext,
        path: Path,
        *,
        into: str | None = None,
        name: str | None = None,
        exact: bool = False,
    ) -> ImportReport:
        """Import ``path``: into ``into``, as a new chat ``name``, or where it belongs.

        A file that only ends earlier than the chat takes nothing away, unless ``exact``.
        """
        return import_chat.import_chat(self._library, ctx, path, into=into, name=name, exact=exact)

    def export(
        self,
        ctx: JobContext,
        chat_id: str,
        target: Path,
        form: export.ExportForm,
        branch_id: str = MAIN_BRANCH,
    ) -> int:
        """Write events (and, as JSON, the graph) to a new file; returns how many events."""
        ctx.check()
        name = self._library.chat_name(chat_id)
        return export.export(self._chat(chat_id), name, target, form, branch_id)

    # --- events: lists hold keys (`EventNode.pk`) and fetch rows by page ---

    def find_events(self, chat_id: str, query: EventQuery) -> array[int]:
        return self._chat(chat_id).events.find(query)

    def fetch_events(self, chat_id: str, pks: Sequence[int]) -> dict[int, EventNode]:
        return self._chat(chat_id).events.fetch(pks)

    def find_event(self, chat_id: str, event_id: str) -> EventNode | None:
        """Return the event with this id, unless it is deleted."""
        return next(iter(self._chat(chat_id).events.by_ids([event_id])), None)

    def event_counts(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> EventCounts:
        return self._chat(chat_id).events.counts(branch_id)

    def visible_events(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """What is always in context, in story order."""
        return self._chat(chat_id).events.visible(branch_id)

    def coverage(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str]]:
        """Return runs of floors (first, last, state): archived, buffer, stale, done or empty."""
        return coverage(self._chat(chat_id), branch_id)

    def update_event(self, chat_id: str, pk: int, patch: EventPatch) -> Changes:
        """Change fields of one event. Raises NotFound, InputError."""
        store = self._chat(chat_id)
        return curate.update_event(store, pk, patch, self._renderer(store))

    def set_archived(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, archived: bool
    ) -> Changes:
        return curate.set_archived(self._chat(chat_id), ctx, pks, archived=archived)

    def set_locked(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, locked: bool
    ) -> Changes:
        return curate.set_locked(self._chat(chat_id), ctx, pks, locked=locked)

    def set_confirmed(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, confirmed: bool
    ) -> Changes:
        return curate.set_confirmed(self._chat(chat_id), ctx, pks, confirmed=confirmed)

    def add_event(
        self,
        chat_id: str,
        data: PlotExtraction,
        span: SourceRange,
        branch_id: str = MAIN_BRANCH,
    ) -> tuple[int, Changes]:
        """Write an event or a fact by hand; returns its key. Raises InputError."""
        store = self._chat(chat_id)
        renderer = self._renderer_in(language_of([data.summary]))
        return curate.add_event(store, data, span, renderer, branch_id)

    def delete_events(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        return curate.delete_events(self._chat(chat_id), ctx, pks)

    def render_card(self, event: EventNode, patch: EventPatch) -> str:
        """Render the card ``event`` would have after ``patch``."""
        language = language_of([patch.summary or event.summary])
        return curate.patched(event, patch, self._renderer_in(language)).display_text

    # --- undo ---

    def undo(self, chat_id: str) -> Changes:
        """Take back the newest step. Raises NothingToUndo, Conflict."""
        return self._chat(chat_id).undo()

    def redo(self, chat_id: str) -> Changes:
        return self._chat(chat_id).redo()

    def history(self, chat_id: str) -> list[UndoStep]:
        """Newest first. The first that is not undone is what `undo` takes back."""
        return self._chat(chat_id).journal.history()

    # --- pipeline ---

    def plan_summary(
        self,
        chat_id: str,
        floors: tuple[int, int] | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryPlan:
        store, settings = self._chat(chat_id), self.settings(chat_id)
        return summarise.plan(store, self._clients, settings, floors, extractor, branch_id)

    def summarise(
        self,
        ctx: JobContext,
        chat_id: str,
        floors: tuple[int, int] | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryReport:
        """Summarise ``floors`` (0-based, both ends included) or all that is due."""
        store, settings = self._chat(chat_id), self.settings(chat_id)
        renderer = self._renderer(store)
        return summarise.summarise(
            store, ctx, self._clients, settings, renderer, floors, extractor, branch_id
        )

    def resummarise_stale(
        self,
        ctx: JobContext,
        chat_id: str,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryReport:
        """Summarise again what stale events tell of; unlocked ones are replaced."""
        store, settings = self._chat(chat_id), self.settings(chat_id)
        renderer = self._renderer(store)
        return summarise.resummarise_stale(
            store, ctx, self._clients, settings, renderer, extractor, branch_id
        )

    def plan_consolidation(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
        return archive.plan(self._chat(chat_id), self._clients.embedder(), branch_id)

    def consolidate(
        self, ctx: JobContext, chat_id: str, branch_id: str = MAIN_BRANCH
    ) -> ConsolidationReport:
        """整理记忆: archive the whole buffer of a branch."""
        settings = self.settings(chat_id)
        return archive.consolidate(
            self._chat(chat_id),
            ctx,
            self._clients.embedder(),
            settings.index_server,
            branch_id=branch_id,
            caps=Caps.of(settings),
        )

    def trim(
        self,
        ctx: JobContext,
        chat_id: str,
        limit: int | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> TrimReport:
        """精简: merge old visible events into outlines until they cost at most ``limit`` tokens."""
        store = self._chat(chat_id)
        most = self.settings(chat_id).visible_tokens if limit is None else limit
        return trim.trim(
            store, ctx, self._clients, self._renderer(store), most, extractor, branch_id
        )

    def untrim(self, chat_id: str, pk: int) -> Changes:
        """Take an outline apart into what it was made of."""
        return trim.untrim(self._chat(chat_id), pk)

    def stats(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> dict[str, Any]:
        name = self._library.chat_name(chat_id)
        return upkeep.stats(self._chat(chat_id), name, self.index_health(chat_id), branch_id)

    # --- inside ---

    def _renderer(self, store: ChatStore) -> StoryRenderer:
        sample = store.messages.slice(MAIN_BRANCH, 0, 30)
        return self._renderer_in(language_of([m.text for m in sample]))

    def _renderer_in(self, language: Language) -> StoryRenderer:
        own = self.settings().card_template
        return StoryRenderer(own or (CARD_ZH if language == "zh" else CARD_EN))
