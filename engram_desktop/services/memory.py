"""The facade: everything a window or a command line can ask of a library.

It only composes the use cases beside it. Every method may be called from any thread; those that
write return `Changes` or a report that carries them.
"""

from __future__ import annotations

import itertools
import logging
from array import array
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.event import EventCounts, EventNode, EventPatch, EventQuery, SourceRange
from engram_desktop.domain.extraction import PlotExtraction
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.recall import Injection, RecallHit, RecallQuery, RecallResult
from engram_desktop.domain.render import CARD_EN, CARD_ZH, StoryRenderer
from engram_desktop.domain.reports import (
    ChatSummary,
    ImportPreview,
    ImportReport,
    IndexHealth,
    UndoStep,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.services import (
    curate,
    export,
    import_chat,
    indexing,
    inject,
    upkeep,
)
from engram_desktop.services.coverage import coverage
from engram_desktop.services.desk import ExtractorChoice
from engram_desktop.services.graphs import Graphs
from engram_desktop.services.library_care import LibraryCare
from engram_desktop.services.lines import Lines
from engram_desktop.services.pipelines import Pipelines
from engram_desktop.services.private_logs import PrivateLogs
from engram_desktop.services.prompts import Language, language_of
from engram_desktop.services.recall.chat_index import EXACT_LIMIT, ChatIndex
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.storage.chat_store import ChatStore

__all__ = ["ExtractorChoice", "Memory"]
logger = logging.getLogger(__name__)


class Memory(LibraryCare, Lines, Graphs, PrivateLogs, Pipelines):
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

    # --- recall ---

    def recall(self, ctx: JobContext, chat_id: str, query: RecallQuery) -> RecallResult:
        """Rank memories. Asks no model; the embedder embeds the question."""
        store = self._chat(chat_id)
        result = self._recaller(store).recall(ctx, query)
        if self.can_write:
            store.ledger.add_recall(self._library.clock(), result)
        return result

    def inject(
        self, ctx: JobContext, chat_id: str, query: RecallQuery, budget: int | None = None
    ) -> Injection:
        """Compose the text a prompt would get, within ``budget`` tokens."""
        store, settings = self._chat(chat_id), self.settings(chat_id)
        if settings.memory_mode == "off":
            return Injection("", {}, 0, ())
        if settings.memory_mode == "vector":
            query = replace(query, kinds=tuple(k for k in query.kinds if k != "entity"))
        hits = self._hits_of_each_kind(ctx, chat_id, query)
        recalled = store.events.by_ids([h.item.ref for h in hits if h.item.kind == "event"])
        visible = store.events.visible(query.branch_id or MAIN_BRANCH)
        texts = [e.summary for e in visible[:20]] + [h.item.content for h in hits[:10]]
        limit = settings.inject_tokens if budget is None else budget
        return inject.inject(visible, recalled, hits, limit, language_of([*texts, query.text]))

    def index_health(self, chat_id: str) -> IndexHealth:
        store, server = self._chat(chat_id), self.settings().index_server
        return upkeep.health(store, self._clients.embedder(), server, EXACT_LIMIT)

    def stats(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> dict[str, Any]:
        name = self._library.chat_name(chat_id)
        found = upkeep.stats(self._chat(chat_id), name, self.index_health(chat_id), branch_id)
        rows = [asdict(row) for row in self.usage(chat_id)]
        return {**found, "usage": rows, "today": asdict(self.usage_today())}

    def update_index(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet and bring the vector index up to date; return how many."""
        store, settings = self._chat(chat_id), self.settings()
        embedder = self._clients.embedder()
        count = indexing.embed_pending(store, ctx, embedder)
        if settings.index_backend != "exact":
            indexing.sync_index(store, ctx, embedder, settings.index_server)
        return count

    def embed_pending(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet, leaving the vector index behind; return how many."""
        return indexing.embed_pending(self._chat(chat_id), ctx, self._clients.embedder())

    def reindex(self, ctx: JobContext, chat_id: str) -> int:
        """Make every vector and the index anew; return how many vectors there are."""
        server = self.settings().index_server
        return indexing.rebuild(self._chat(chat_id), ctx, self._clients.embedder(), server)

    # --- inside ---

    def _recaller(self, store: ChatStore) -> Recaller:
        settings = self.settings()
        embedder = self._clients.embedder()
        made_of = (embedder, settings.index_server, settings.index_backend)
        held = self._recallers.get(store.chat_id)
        if held is None or held[0] != made_of:
            index = ChatIndex(store, embedder.model_id, *made_of[1:])
            held = (made_of, Recaller(index, embedder, store.branch_path))
            self._recallers[store.chat_id] = held
        return held[1]

    def _hits_of_each_kind(
        self, ctx: JobContext, chat_id: str, query: RecallQuery
    ) -> tuple[RecallHit, ...]:
        """Recall what was told of and what was said apart, then take turns, the best first.

        Ranked together, the many messages leave hardly any place for the few events.
        """
        parts = [
            self.recall(ctx, chat_id, replace(query, kinds=kinds)).hits
            for wanted in (("event", "entity"), ("turn", "log"))
            if (kinds := tuple(kind for kind in query.kinds if kind in wanted))
        ]
        mixed = [h for pair in itertools.zip_longest(*parts) for h in pair if h is not None]
        return tuple(replace(h, rank=n) for n, h in enumerate(mixed[: query.top_k], start=1))

    @override
    def _renderer(self, store: ChatStore) -> StoryRenderer:
        sample = store.messages.slice(MAIN_BRANCH, 0, 30)
        return self._renderer_in(language_of([m.text for m in sample]))

    def _renderer_in(self, language: Language) -> StoryRenderer:
        own = self.settings().card_template
        return StoryRenderer(own or (CARD_ZH if language == "zh" else CARD_EN))
