"""The recall lab: ask questions with known answers, compare two setups, look into prompts.

Only the questions are stored. An embedder that is not in use is tried in memory: its vectors are
made for the run and discarded.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from engram_desktop.domain.changes import LAB_DELETE, LAB_SAVE, Changes, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall import lab as lab_values
from engram_desktop.domain.recall.lab import (
    Expected,
    LabPlace,
    LabQuestion,
    LabReport,
    LabRow,
    PromptPlace,
    PromptReport,
    PromptResult,
    Setup,
)
from engram_desktop.domain.recall.lexemes import EmbeddedText, passage
from engram_desktop.domain.recall.query import Injection, ItemFilter, RecallQuery, RecallResult
from engram_desktop.domain.text.sentences import bare
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client import Client
from engram_desktop.llm.embedding.local_embedder import Embedder
from engram_desktop.services.library.session import open_embedder
from engram_desktop.services.prompts.prompts import Prompts
from engram_desktop.services.recall import index as chat_index
from engram_desktop.services.recall import index as generations
from engram_desktop.services.recall.engine import Recaller, Reranking
from engram_desktop.services.recall.index import ChatIndex, Vectors
from engram_desktop.services.recall.searching import Searcher, expand, recall_weights
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts


BATCH = 256  # items embedded between two checks for a cancel
# Letters of the shortest text looked for in a prompt: a shorter one, such as "Yes.", occurs in
# other lines by chance. Set by hand, as in domain/inject.py.
_SHORT = 6


class Composes(Protocol):
    """Composes the text of a prompt, like `InjectService.compose`."""

    def __call__(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        budget: int | None = None,
        *,
        logged: bool = True,
    ) -> Injection: ...


class TrialIndex(ChatIndex):
    """A chat's index with vectors of an embedder that is not in use."""

    def __init__(self, store: ChatStore, embedder: Embedder, ctx: JobContext) -> None:
        super().__init__(store, embedder.model_id, "", "exact")
        self._ids: NDArray[np.int64] = np.array(store.items.ids(), dtype=np.int64)
        speakers = store.messages.speakers()
        parts = []
        for start in range(0, self._ids.size, BATCH):
            ctx.report(start, int(self._ids.size), "embed")
            ids = [int(i) for i in self._ids[start : start + BATCH]]
            items = store.items.fetch(ids)
            before = store.items.previous(list(items.values()))
            passages = [
                passage(items[i].content, speakers, before.get(i, ""))
                if i in items
                else EmbeddedText("")
                for i in ids
            ]
            parts.append(embedder.embed_passages(passages, ctx))
        self._rows: Vectors = np.concatenate(parts) if parts else np.zeros((0, 1), np.float32)

    @override
    def vector(self, query: Vectors, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        allowed = self.layout(where).ids
        cosines = self.similarities(query[np.newaxis, :], allowed)[0]
        order = np.argsort(-np.nan_to_num(cosines, nan=-2.0), kind="stable")[:limit]
        return [(int(allowed[n]), float(cosines[n])) for n in order if not np.isnan(cosines[n])]

    @override
    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        cosines = np.full((len(queries), len(ids)), np.nan, np.float32)
        if self._ids.size and len(ids):
            place = np.searchsorted(self._ids, ids).clip(max=self._ids.size - 1)
            is_known = self._ids[place] == ids
            cosines[:, is_known] = queries @ self._rows[place[is_known]].T
        return cosines


class Side:
    """One setup of recall, ready to ask."""

    def __init__(
        self,
        store: ChatStore,
        setup: Setup,
        index: ChatIndex,
        embedder: Embedder,
        reranker: Reranking | None,
        client: Client | None,
        prompts: Prompts | None = None,
    ) -> None:
        self.setup = setup
        self._store = store
        self._client = client
        self._prompts = prompts
        self._recaller = Recaller(
            index, embedder, store.branch_path, weights=setup.weights, reranker=reranker
        )

    def ask(self, ctx: JobContext, question: LabQuestion) -> RecallResult:
        query = RecallQuery(
            question.query,
            self.setup.top_k,
            self.setup.kinds,
            branch_id=question.branch_id,
            at=question.at,
            visible=self._store.events.outline_ids(question.branch_id),
            stale=self._store.items.stale(),
        )
        expansion = expand(self._store, ctx, query, self._client, prompts=self._prompts)
        query = replace(query, context=expansion.context, told_from=expansion.told_from)
        result = self._recaller.recall(ctx, query)
        unheard = ("expand",) if self.setup.expand and self._client is None else ()
        return replace(result, degraded=(*unheard, *expansion.degraded, *result.degraded))


def compare(
    store: ChatStore,
    ctx: JobContext,
    setups: Sequence[Setup],
    make_side: Callable[[Setup], Side],
) -> LabReport:
    """Ask every question of the lab with every setup."""
    questions = store.lab.all()
    missing_of = _missing(store, questions)
    rows: list[list[tuple[LabPlace, ...]]] = [[] for _ in questions]
    degraded, took = [], []
    for number, setup in enumerate(setups):
        side = make_side(setup)
        missing: dict[str, None] = {}
        times = []
        for n, question in enumerate(questions):
            ctx.report(number * len(questions) + n, len(setups) * len(questions), "lab")
            result = side.ask(ctx, question)
            missing |= dict.fromkeys(result.degraded)
            times.append(result.elapsed_ms)
            ranks = {(h.item.kind, h.item.ref): h for h in result.hits}
            rows[n].append(
                tuple(
                    LabPlace(hit.rank, hit.why)
                    if (hit := ranks.get((e.kind, e.ref)))
                    else LabPlace()
                    for e in question.expected
                )
            )
        degraded.append(tuple(missing))
        took.append(statistics.median(times) if times else 0.0)
    lab_rows = tuple(
        LabRow(question, tuple(sides), missing_of[question.id])
        for question, sides in zip(questions, rows, strict=True)
    )
    return LabReport(tuple(setups), lab_rows, tuple(degraded), tuple(took))


def look_into_prompts(
    store: ChatStore, ctx: JobContext, budgets: Sequence[int], compose: Composes
) -> PromptReport:
    """Compose a prompt for every question and budget, and check what it holds."""
    questions = store.lab.all()
    missing = _missing(store, questions)
    rows, degraded = [], dict[str, None]()
    for number, question in enumerate(questions):
        evidence = _Evidence(store, question)
        tokens, places = [], []
        for n, budget in enumerate(budgets):
            ctx.report(number * len(budgets) + n, len(questions) * len(budgets), "lab")
            query = RecallQuery(question.query, branch_id=question.branch_id, at=question.at)
            injection = compose(ctx, store.chat_id, query, budget, logged=False)
            degraded |= dict.fromkeys(injection.degraded)
            tokens.append(injection.tokens)
            places.append(evidence.places(injection))
        rows.append(PromptResult(question, tuple(tokens), tuple(places), missing[question.id]))
    return PromptReport(tuple(budgets), tuple(rows), tuple(degraded))


def _missing(store: ChatStore, questions: Sequence[LabQuestion]) -> dict[str, tuple[bool, ...]]:
    """Return, by question, whether each expected memory no longer exists."""
    items = store.items.of_refs([e.ref for q in questions for e in q.expected])
    present = {(i.kind, i.ref) for i in items}
    return {q.id: tuple((e.kind, e.ref) not in present for e in q.expected) for q in questions}


class _Evidence:
    """What a question should find, to be looked for in prompts."""

    def __init__(self, store: ChatStore, question: LabQuestion) -> None:
        self._expected = question.expected
        refs = [e.ref for e in question.expected]
        items = store.items.of_refs(refs)
        self._item_ids = {(i.kind, i.ref): i.id for i in items}
        # Without the speaker of a message, since a prompt may use another name.
        names = {ref: name for ref, (name, _sent_at) in store.messages.senders(refs).items()}
        texts = {
            i.ref: i.content.removeprefix(f"{names[i.ref]}: ") for i in items if i.ref in names
        }
        texts |= {event.id: event.summary for event in store.events.by_ids(refs)}
        self._texts = {ref: bare(text) for ref, text in texts.items()}

    def places(self, injection: Injection) -> tuple[PromptPlace, ...]:
        """Return where each expected memory is: among the quoted memories, or else by its text."""
        told, dropped = bare(injection.text), dict(injection.dropped)
        hits = {(hit.item.kind, hit.item.ref): hit for hit in injection.hits}
        turns = {hit.item.start_index: hit for hit in injection.hits if hit.item.kind == "turn"}

        def place(memory: Expected) -> PromptPlace:
            key = (memory.kind, memory.ref)
            hit = hits.get(key) or (turns.get(memory.first) if memory.kind == "turn" else None)
            if hit is not None:
                return PromptPlace(is_in_prompt=True, why=hit.why)
            text = self._texts.get(memory.ref, "")
            if len(text) >= _SHORT and text in told:
                return PromptPlace(is_in_prompt=True)
            return PromptPlace(dropped=dropped.get(self._item_ids.get(key, -1)))

        return tuple(place(memory) for memory in self._expected)


_T = QT_TRANSLATE_NOOP


class LabService:
    """The recall lab. Running it changes nothing; saving and deleting questions does."""

    def __init__(
        self,
        session: Session,
        chat_prompts: ChatPrompts,
        searcher: Searcher,
        compose: Composes,
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
        """Save a question with the memories it should find; an equal question is replaced.

        Raises InputError if either is missing, NotFound for unknown memories or questions.
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
        """Delete a question of the lab; undoable. Raises NotFound."""
        store = self._session.chat(chat_id)
        question = store.lab.get(question_id)
        if question is None:
            raise NotFound("question", question_id)
        label = StepLabel(LAB_DELETE, {"query": question.query[:40]})
        with store.step(label):
            store.lab.remove(question_id)
        return Changes(chat_id=chat_id, recall=True, undo_label=label)

    def setup(self, chat_id: str) -> Setup:
        """Return the setup of recall that the settings of a chat describe."""
        settings = self._session.settings(chat_id)
        return lab_values.Setup(
            settings.recall_top_k,
            weights=recall_weights(settings),
            expand=settings.recall_expand,
            rerank=bool(self._session.clients.base_url("rerank")),
        )

    def run(self, ctx: JobContext, chat_id: str, setups: Sequence[Setup]) -> LabReport:
        """Ask every question with every setup. Raises Cancelled."""
        store = self._session.chat(chat_id)
        return compare(store, ctx, setups, lambda setup: self._side(store, ctx, setup))

    def look_into_prompts(
        self, ctx: JobContext, chat_id: str, budgets: Sequence[int] = ()
    ) -> PromptReport:
        """Return which answers of every question its prompt holds, for each budget.

        Without ``budgets``: for the chat's own budget. Nothing is logged. Raises Cancelled.
        """
        store = self._session.chat(chat_id)
        chosen = budgets or (self._session.settings(chat_id).inject_tokens,)
        return look_into_prompts(store, ctx, chosen, self._compose)

    def _side(self, store: ChatStore, ctx: JobContext, setup: Setup) -> Side:
        current = generations.answering(store, self._session.clients)
        embedder = current if setup.embedder == "current" else open_embedder(None, setup.embedder)
        if embedder.model_id == current.model_id:
            index = chat_index.ChatIndex(store, current.model_id, "", "exact")
        else:
            index = TrialIndex(store, embedder, ctx)

        settings = self._session.settings(store.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, MAIN_BRANCH)
        prompts = self._chat_prompts.prompts(ctx, store, settings, MAIN_BRANCH, native)
        client = None
        if setup.expand and self._session.clients.has_llm():
            client = self._searcher.model(store, "expand", prompts)
        reranker = self._session.clients.reranker() if setup.rerank else None
        return Side(store, setup, index, embedder, reranker, client, prompts)
