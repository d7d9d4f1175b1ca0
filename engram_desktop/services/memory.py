"""The facade: everything a window or a command line can ask of a library.

It only composes the use cases beside it. Every method may be called from any thread; those that
write return `Changes` or a report that carries them.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.pipeline.render import CARDS, StoryRenderer
from engram_desktop.domain.reports import (
    ChatSummary,
    ImportPreview,
    ImportReport,
    UndoStep,
)
from engram_desktop.domain.text.regex_script import WORLD_INFO
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.care import export, upkeep
from engram_desktop.services.chats import import_chat
from engram_desktop.services.events import coverage, curate
from engram_desktop.services.facade.adopting import Adopting
from engram_desktop.services.facade.books import BOOK_FILES, CARD_FILES, Books
from engram_desktop.services.facade.deleted_chats import DeletedChats
from engram_desktop.services.facade.graphs import Graphs
from engram_desktop.services.facade.kept_books import KeptBooks
from engram_desktop.services.facade.labs import Labs
from engram_desktop.services.facade.library_care import LibraryCare
from engram_desktop.services.facade.lines import Lines
from engram_desktop.services.facade.pipelines import Pipelines
from engram_desktop.services.facade.private_logs import PrivateLogs
from engram_desktop.services.facade.prompting import Prompting
from engram_desktop.services.facade.recalls import Recalls
from engram_desktop.services.facade.states import States
from engram_desktop.services.facade.tavern import Tavern
from engram_desktop.services.facade.unsaved import Unsaved
from engram_desktop.services.graph import link
from engram_desktop.services.worldbooks import chat_language, known_names
from engram_desktop.services.worldbooks import text as lore_text

if TYPE_CHECKING:
    from engram_desktop.domain.memory.entity import EntityType
    from engram_desktop.domain.memory.event import (
        AlwaysVisible,
        EventCounts,
        EventNode,
        EventPatch,
        EventQuery,
        SourceRange,
    )
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.storage.chat.chat_store import ChatStore

__all__ = ["ExtractorChoice", "Memory"]
logger = logging.getLogger(__name__)


class Memory(
    LibraryCare,
    DeletedChats,
    Prompting,
    Lines,
    Graphs,
    PrivateLogs,
    Pipelines,
    Labs,
    Books,
    KeptBooks,
    Adopting,
    States,
    Recalls,
    Tavern,
    Unsaved,
):
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
        label = self._library.rename_chat(chat_id, name)
        return Changes(chat_id=chat_id, library=True, undo_label=label)

    # --- import and export ---

    def preview(
        self, ctx: JobContext, path: Path, *, into: str | None = None, exact: bool = False
    ) -> ImportPreview:
        """Say what importing ``path`` would do. Raises InputError."""
        ctx.check()
        match import_chat.kind_of(path):
            case kind if kind in BOOK_FILES:
                return self.preview_book(path)
            case kind if kind in CARD_FILES:
                return self.preview_card(path)
            case "regex_script":
                return self.preview_scripts(path)
            case "memories":
                return self.preview_memories(path)
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
        kind = import_chat.kind_of(path)
        whose = None if into is None else self.find_chat(into)
        if kind == "memories" or (whose and kind in BOOK_FILES and self.is_memory_book(path)):
            return self.import_memories(ctx, path, whose)
        match kind:
            case kind if kind in BOOK_FILES:
                return self.import_book(ctx, path, name)
            case kind if kind in CARD_FILES:
                return self.import_card(ctx, path)
            case "regex_script":
                return self.import_scripts(ctx, path)
        report = import_chat.import_chat(
            self._library, ctx, path, into=into, name=name, exact=exact
        )
        is_other = kind == "chat_json"
        return self._with_memories(ctx, path, report, whose) if is_other else report

    def export(
        self,
        ctx: JobContext,
        chat_id: str,
        target: Path,
        form: export.ExportForm,
        branch_id: str = MAIN_BRANCH,
    ) -> int:
        """Write memory to a new file; returns how many events, or entries of a world book."""
        ctx.check()
        name = self._library.chat_name(chat_id)
        return export.export(ctx, self._chat(chat_id), name, target, form, branch_id)

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

    def always_visible(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> AlwaysVisible:
        """What the text that is always in context costs."""
        return self._chat(chat_id).events.always_visible(branch_id)

    def visible_events(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[EventNode]:
        """What is always in context, in story order."""
        return self._chat(chat_id).events.visible(branch_id)

    def coverage(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str]]:
        """Return runs of floors (first, last, state): archived, buffer, stale, done or empty."""
        return coverage.coverage(self._chat(chat_id), branch_id)

    def update_event(self, chat_id: str, pk: int, patch: EventPatch) -> Changes:
        """Change fields of one event. Raises NotFound, InputError."""
        store = self._chat(chat_id)
        return curate.update_event(store, pk, patch, self._renderer(store))

    def set_archived(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, archived: bool
    ) -> Changes:
        caps = link.Caps.of(self.settings(chat_id))
        return curate.set_archived(self._chat(chat_id), ctx, pks, caps, archived=archived)

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
        renderer = self._renderer(store, data.summary)
        return curate.add_event(store, data, span, renderer, branch_id)

    def delete_events(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes:
        return curate.delete_events(self._chat(chat_id), ctx, pks)

    def render_card(self, chat_id: str, event: EventNode, patch: EventPatch) -> str:
        """Render the card ``event`` would have after ``patch``."""
        renderer = self._renderer(self._chat(chat_id))
        return curate.patched(event, patch, renderer).display_text

    # --- undo ---

    def undo(self, chat_id: str | None = None) -> Changes:
        """Take back the newest step of a chat, or of the library.

        Steps of the library change books, characters, scripts and prompts. Raises NothingToUndo,
        Conflict.
        """
        return self._library.undo() if chat_id is None else self._chat(chat_id).undo()

    def redo(self, chat_id: str | None = None) -> Changes:
        """Do the oldest undone step of a chat, or of the library, again."""
        return self._library.redo() if chat_id is None else self._chat(chat_id).redo()

    def history(self, chat_id: str | None = None) -> list[UndoStep]:
        """Newest first. The first that is not undone is what `undo` takes back."""
        done = self._library.journal if chat_id is None else self._chat(chat_id).journal
        return done.history()

    def stats(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> dict[str, Any]:
        name = self._library.chat_name(chat_id)
        found = upkeep.stats(self._chat(chat_id), name, self.index_health(chat_id), branch_id)
        rows = [asdict(row) for row in self.usage(chat_id)]
        return {**found, "usage": rows, "today": asdict(self.usage_today())}

    # --- inside ---

    @override
    def _renderer(self, store: ChatStore, text: str = "") -> StoryRenderer:
        own = self.settings().card_template
        return StoryRenderer(own or CARDS[chat_language.chat_language(store, text=text)])

    @override
    def _names(self, chat_id: str, branch_id: str) -> Mapping[str, EntityType]:
        books = map(self._book_given, self.books_of_chat(chat_id, branch_id))
        cards = [name for row in self.characters(chat_id) for name in (row.name, row.nickname)]
        return known_names.known_names(self._chat(chat_id), branch_id, cards, books)

    @override
    def _lore(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int, pending: str = ""
    ) -> str:
        """What world books say for the reply after ``floor`` and to what is about to be sent."""
        found = self.said_by_books(ctx, chat_id, branch_id, floor, pending)
        return lore_text.context(found, self._entries_told(ctx, chat_id, branch_id))

    @override
    def _outlets(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int
    ) -> Mapping[str, str]:
        found = self.said_by_books(ctx, chat_id, branch_id, floor)
        return lore_text.outlets(found, self._entries_told(ctx, chat_id, branch_id))

    def _entries_told(self, ctx: JobContext, chat_id: str, branch_id: str) -> lore_text.AsTold:
        """Programs and regex scripts, as SillyTavern runs them on entries of world books."""
        native = self._native(ctx, self._chat(chat_id), self.settings(chat_id), branch_id)
        return lambda text: native.text(text, WORLD_INFO)
