"""The facade: everything a window or a command line can ask of a library.

It only composes the use cases beside it. Every method may be called from any thread; those that
write return `Changes` or a report that carries them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.entity import EntityNode, GraphView
from engram_desktop.domain.event import EventCounts, EventNode, EventPatch, EventQuery
from engram_desktop.domain.message import Message
from engram_desktop.domain.recall import Injection, RecallQuery, RecallResult
from engram_desktop.domain.reports import (
    ChatSummary,
    ConsolidationPlan,
    ConsolidationReport,
    Finding,
    ImportPreview,
    ImportReport,
    IndexHealth,
    SummaryPlan,
    SummaryReport,
    UndoStep,
)
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import JobContext

ExtractorChoice = Literal["auto", "llm", "extractive"]


class Memory:
    """One open library."""

    # --- chats ---
    def chats(self) -> list[ChatSummary]: ...
    def rename_chat(self, chat_id: str, name: str) -> Changes: ...
    def delete_chat(self, chat_id: str) -> Changes: ...
    def messages(self, chat_id: str, first: int, last: int) -> list[Message]: ...

    # --- import and export ---
    def preview(self, ctx: JobContext, path: Path, *, into: str | None = None) -> ImportPreview: ...
    def import_file(
        self, ctx: JobContext, path: Path, *, into: str | None = None, name: str | None = None
    ) -> ImportReport: ...
    def export(
        self, ctx: JobContext, chat_id: str, target: Path, form: Literal["markdown", "json"]
    ) -> int: ...

    # --- events: lists hold keys (`EventNode.pk`) and fetch rows by page ---
    def find_events(self, chat_id: str, query: EventQuery) -> array[int]: ...
    def fetch_events(self, chat_id: str, pks: Sequence[int]) -> dict[int, EventNode]: ...
    def event_counts(self, chat_id: str) -> EventCounts: ...
    def coverage(self, chat_id: str) -> list[tuple[int, int, str]]:
        """Return runs of floors (first, last, state): archived, buffer, stale or empty."""

    def update_event(self, chat_id: str, pk: int, patch: EventPatch) -> Changes: ...
    def set_archived(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, archived: bool
    ) -> Changes: ...
    def set_locked(
        self, ctx: JobContext, chat_id: str, pks: Sequence[int], *, locked: bool
    ) -> Changes: ...
    def delete_events(self, ctx: JobContext, chat_id: str, pks: Sequence[int]) -> Changes: ...
    def render_card(self, event: EventNode, patch: EventPatch) -> str:
        """Render the card ``event`` would have after ``patch``."""

    # --- undo ---
    def undo(self, chat_id: str) -> Changes: ...
    def redo(self, chat_id: str) -> Changes: ...
    def history(self, chat_id: str) -> list[UndoStep]:
        """Newest first. The first that is not undone is what `undo` takes back."""

    # --- pipeline ---
    def plan_summary(
        self,
        chat_id: str,
        floors: tuple[int, int] | None = None,
        extractor: ExtractorChoice = "auto",
    ) -> SummaryPlan: ...
    def summarise(
        self,
        ctx: JobContext,
        chat_id: str,
        floors: tuple[int, int] | None = None,
        extractor: ExtractorChoice = "auto",
    ) -> SummaryReport:
        """Summarise ``floors`` (0-based, both ends included) or all that is not done yet."""

    def plan_consolidation(self, chat_id: str) -> ConsolidationPlan: ...
    def consolidate(self, ctx: JobContext, chat_id: str) -> ConsolidationReport: ...

    # --- graph ---
    def find_entities(self, chat_id: str, text: str = "", limit: int = 500) -> list[EntityNode]: ...
    def neighbourhood(
        self, chat_id: str, center_id: str | None, hops: int = 1, limit: int = 150
    ) -> GraphView: ...
    def entity_events(self, chat_id: str, entity_id: str) -> list[EventNode]: ...
    def save_layout(self, chat_id: str, places: dict[str, tuple[float, float]]) -> Changes: ...

    # --- recall ---
    def recall(self, ctx: JobContext, chat_id: str, query: RecallQuery) -> RecallResult: ...
    def inject(
        self, ctx: JobContext, chat_id: str, query: RecallQuery, budget: int | None = None
    ) -> Injection: ...
    def index_health(self, chat_id: str) -> IndexHealth: ...
    def update_index(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet and bring the vector index up to date; return how many."""

    def reindex(self, ctx: JobContext, chat_id: str) -> int: ...

    # --- library ---
    def settings(self, chat_id: str | None = None) -> Settings: ...
    def set_setting(self, key: str, value: object, chat_id: str | None = None) -> Changes: ...
    def set_key(self, name: Literal["llm", "embed", "rerank"], key: str) -> None: ...
    def has_key(self, name: Literal["llm", "embed", "rerank"]) -> bool: ...
    def test_endpoint(
        self, ctx: JobContext, name: Literal["llm", "embed", "rerank"], values: dict[str, str]
    ) -> dict[str, Any]:
        """Ask the endpoint once. ``values``: base_url, model, key. Raises LlmError."""

    def list_models(self, ctx: JobContext, values: dict[str, str]) -> list[str]: ...
    def backup(self, ctx: JobContext) -> Path: ...
    def restore(self, ctx: JobContext, archive: Path) -> Changes: ...
    def doctor(self, ctx: JobContext, *, repair: bool = False) -> list[Finding]: ...
    def stats(self, chat_id: str) -> dict[str, Any]: ...
    def close(self) -> None:
        """Stop the vector worker and close every database."""
