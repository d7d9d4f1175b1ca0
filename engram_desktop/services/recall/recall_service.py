"""Recall: memories ranked for a question, what was recalled before, and what must not be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.recall.explanation import Explanation, PastRecall, explain
from engram_desktop.domain.recall.query import MemoryItem, RecallQuery, RecallResult
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events import mute

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.searching import Searcher


class RecallService:
    """Recall. It reads a chat; only its log of recalls, and what is muted, is written."""

    def __init__(self, session: Session, searcher: Searcher) -> None:
        self._session = session
        self._searcher = searcher

    def ask(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        *,
        expanded: bool = False,
        logged: bool = True,
    ) -> RecallResult:
        """Rank memories. The embedder embeds the question; a reranker is asked where one is set.

        ``expanded`` lets the chat model say first what the question means. ``logged`` False leaves
        no line in the log of recalls.
        """
        store = self._session.chat(chat_id)
        query = self._searcher.as_asked(ctx, store, query)
        outlines = store.events.outline_ids(query.branch_id or MAIN_BRANCH)
        query = replace(query, visible=outlines, stale=store.items.stale())
        (result,) = self._searcher.search(
            ctx, store, query, [(query.kinds, query.top_k)], expanded=expanded
        )
        if logged:
            self._searcher.log(store, query, [result], explain([result]))
        return result

    def past(self, chat_id: str, limit: int = 50) -> list[PastRecall]:
        """Return recalls and injections that can still be explained, the newest first."""
        return self._session.chat(chat_id).ledger.recalls(limit)

    def explanation(self, chat_id: str, recall_id: int) -> Explanation:
        """Say what was weighed in a recall of the past. Raises NotFound."""
        explanation = self._session.chat(chat_id).ledger.explanation(recall_id)
        if explanation is None:
            raise NotFound("recall", str(recall_id))
        return explanation

    def set_muted(self, chat_id: str, refs: Sequence[str], *, muted: bool) -> Changes:
        """Never use these memories again, or allow them again; undoable. Raises NotFound."""
        return mute.set_muted(self._session.chat(chat_id), refs, muted=muted)

    def muted(self, chat_id: str) -> list[MemoryItem]:
        """Return the memories that must not be used, in story order."""
        return self._session.chat(chat_id).items.muted()
