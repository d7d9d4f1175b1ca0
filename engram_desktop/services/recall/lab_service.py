"""The recall lab: questions with known answers, two ways to recall them, and their prompts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import LAB_DELETE, LAB_SAVE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH, new_id
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall import lab as lab_values
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.choose import open_embedder
from engram_desktop.services.recall import chat_index, generations, lab
from engram_desktop.services.recall.searching import Searcher, recall_weights

if TYPE_CHECKING:
    from engram_desktop.domain.recall.lab import LabQuestion, LabReport, PromptReport, Setup
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP


class LabService:
    """The recall lab. Comparing and looking into prompts changes nothing."""

    def __init__(
        self,
        session: Session,
        chat_prompts: ChatPrompts,
        searcher: Searcher,
        compose: lab.Composes,
    ) -> None:
        self._session = session
        self._chat_prompts = chat_prompts
        self._searcher = searcher
        self._compose = compose

    def questions(self, chat_id: str) -> list[LabQuestion]:
        return self._session.chat(chat_id).lab.all()

    def save(
        self,
        line: Line,
        query: str,
        refs: Sequence[str],
        *,
        question_id: str | None = None,
        at: int | None = None,
    ) -> Changes:
        """Save a question with the memories it should find; the same question is written anew.

        Raises InputError where either is missing, NotFound for unknown memories or questions.
        """
        store, text = self._session.chat(line.chat_id), query.strip()
        if not text or not refs:
            raise InputError(
                Phrase(
                    _T("reports", "A question of the lab needs its text and what it should find.")
                )
            )
        items = {i.ref: i for i in store.items.of_refs(refs)}
        unknown = [ref for ref in refs if ref not in items]
        if unknown:
            raise NotFound("memory", unknown[0])
        if question_id is None:
            same = [q for q in store.lab.all() if (q.query, q.branch_id) == (text, line.branch_id)]
            question_id = same[0].id if same else new_id()
        elif store.lab.get(question_id) is None:
            raise NotFound("question", question_id)
        expected = tuple(lab_values.Expected.of(items[ref]) for ref in dict.fromkeys(refs))
        label = StepLabel(LAB_SAVE, {"query": text[:40]})
        with store.step(label):
            store.lab.put(
                lab_values.LabQuestion(question_id, text, expected, line.branch_id, at),
                store.clock(),
            )
        return Changes(chat_id=line.chat_id, recall=True, undo_label=label)

    def delete(self, chat_id: str, question_id: str) -> Changes:
        """Take a question out of the lab; undoable. Raises NotFound."""
        store = self._session.chat(chat_id)
        question = store.lab.get(question_id)
        if question is None:
            raise NotFound("question", question_id)
        label = StepLabel(LAB_DELETE, {"query": question.query[:40]})
        with store.step(label):
            store.lab.remove(question_id)
        return Changes(chat_id=chat_id, recall=True, undo_label=label)

    def setup(self, chat_id: str) -> Setup:
        """Return the way to recall that the settings of a chat describe."""
        settings = self._session.settings(chat_id)
        return lab_values.Setup(
            settings.recall_top_k,
            weights=recall_weights(settings),
            expand=settings.recall_expand,
            rerank=bool(self._session.clients.base_url("rerank")),
        )

    def run(self, ctx: JobContext, chat_id: str, setups: Sequence[Setup]) -> LabReport:
        """Ask every question in every way. Raises Cancelled."""
        store = self._session.chat(chat_id)
        return lab.compare(store, ctx, setups, lambda setup: self._side(store, ctx, setup))

    def look_into_prompts(
        self, ctx: JobContext, chat_id: str, budgets: Sequence[int] = ()
    ) -> PromptReport:
        """Say what of every question's answers stands in its prompt, with each budget.

        Without ``budgets``: with that of the chat. Nothing is logged. Raises Cancelled.
        """
        store = self._session.chat(chat_id)
        chosen = budgets or (self._session.settings(chat_id).inject_tokens,)
        return lab.look_into_prompts(store, ctx, chosen, self._compose)

    def _side(self, store: ChatStore, ctx: JobContext, setup: Setup) -> lab.Side:
        current = generations.answering(store, self._session.clients)
        embedder = current if setup.embedder == "current" else open_embedder(None, setup.embedder)
        if embedder.model_id == current.model_id:
            index = chat_index.ChatIndex(store, current.model_id, "", "exact")
        else:
            index = lab.TrialIndex(store, embedder, ctx)

        settings = self._session.settings(store.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, MAIN_BRANCH)
        prompts = self._chat_prompts.prompts(ctx, store, settings, MAIN_BRANCH, native)
        client = None
        if setup.expand and self._session.clients.has_llm():
            client = self._searcher.model(store, "expand", prompts)
        reranker = self._session.clients.reranker() if setup.rerank else None
        return lab.Side(store, setup, index, embedder, reranker, client, prompts)
