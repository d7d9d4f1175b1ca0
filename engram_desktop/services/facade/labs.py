"""The part of the facade that keeps the recall lab and compares two ways to recall."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import LAB_DELETE, LAB_SAVE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH, new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall import lab as lab_values
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.calls import CallRecord
from engram_desktop.llm.choose import open_embedder
from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.services.facade.recalls import recall_weights
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.recall import chat_index, generations, lab

if TYPE_CHECKING:
    from engram_desktop.domain.recall.lab import LabQuestion, LabReport, Setup
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP


class Labs(OpenChats):
    """What `Memory` can do to find out how well it recalls."""

    _clients: Clients

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    @abstractmethod
    def _native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native: ...

    @abstractmethod
    def _chat_prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts: ...

    @property
    @abstractmethod
    def can_write(self) -> bool: ...

    def lab_questions(self, chat_id: str) -> list[LabQuestion]:
        return self._chat(chat_id).lab.all()

    def save_lab_question(
        self,
        chat_id: str,
        query: str,
        refs: Sequence[str],
        *,
        question_id: str | None = None,
        branch_id: str = MAIN_BRANCH,
        at: int | None = None,
    ) -> Changes:
        """Save a question with the memories it should find; the same question is written anew.

        Raises InputError where either is missing, NotFound for unknown memories or questions.
        """
        store, text = self._chat(chat_id), query.strip()
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
            same = [q for q in store.lab.all() if (q.query, q.branch_id) == (text, branch_id)]
            question_id = same[0].id if same else new_id()
        elif store.lab.get(question_id) is None:
            raise NotFound("question", question_id)
        expected = tuple(lab_values.Expected.of(items[ref]) for ref in dict.fromkeys(refs))
        label = StepLabel(LAB_SAVE, {"query": text[:40]})
        with store.step(label):
            store.lab.put(
                lab_values.LabQuestion(question_id, text, expected, branch_id, at), store.clock()
            )
        return Changes(chat_id=chat_id, undo_label=label)

    def delete_lab_question(self, chat_id: str, question_id: str) -> Changes:
        """Take a question out of the lab; undoable. Raises NotFound."""
        store = self._chat(chat_id)
        question = store.lab.get(question_id)
        if question is None:
            raise NotFound("question", question_id)
        label = StepLabel(LAB_DELETE, {"query": question.query[:40]})
        with store.step(label):
            store.lab.remove(question_id)
        return Changes(chat_id=chat_id, undo_label=label)

    def lab_setup(self, chat_id: str) -> Setup:
        """Return the way to recall that the settings of a chat describe."""
        settings = self.settings(chat_id)
        return lab_values.Setup(
            settings.recall_top_k,
            weights=recall_weights(settings),
            expand=settings.recall_expand,
            rerank=bool(self._clients.base_url("rerank")),
        )

    def run_lab(self, ctx: JobContext, chat_id: str, setups: Sequence[Setup]) -> LabReport:
        """Ask every question in every way. Raises Cancelled."""
        store = self._chat(chat_id)
        return lab.compare(store, ctx, setups, lambda setup: self._side(store, ctx, setup))

    def _side(self, store: ChatStore, ctx: JobContext, setup: Setup) -> lab.Side:
        current = generations.answering(store, self._clients)
        embedder = current if setup.embedder == "current" else open_embedder(None, setup.embedder)
        if embedder.model_id == current.model_id:
            index = chat_index.ChatIndex(store, current.model_id, "", "exact")
        else:
            index = lab.TrialIndex(store, embedder, ctx)

        def record(call: CallRecord) -> None:
            if self.can_write:
                tokens = (call.prompt_tokens, call.completion_tokens)
                took = call.elapsed_ms
                at = store.clock()
                store.ledger.add_call(at, "expand", call.model, tokens, took, call.error)

        settings = self.settings(store.chat_id)
        native = self._native(ctx, store, settings, MAIN_BRANCH)
        prompts = self._chat_prompts(ctx, store, settings, MAIN_BRANCH, native)
        client = None
        if setup.expand and self._clients.has_llm():
            client = self._clients.llm(record, prompts.override("expand"))
        reranker = self._clients.reranker() if setup.rerank else None
        return lab.Side(store, setup, index, embedder, reranker, client, prompts)
