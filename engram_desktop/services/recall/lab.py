"""Ask the questions of the lab in two ways and compare what each finds. Changes nothing.

An embedder that is not in use is tried in memory: its vectors are made for the run and forgotten.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from engram_desktop.domain.recall.embedding import Passage, passage
from engram_desktop.domain.recall.lab import LabPlace, LabQuestion, LabReport, LabRow, Setup
from engram_desktop.domain.recall.query import ItemFilter, RecallQuery, RecallResult
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client.client import Client
from engram_desktop.llm.embedding.embedder import Embedder
from engram_desktop.services.prompts.prompts import Prompts
from engram_desktop.services.recall.chat_index import ChatIndex
from engram_desktop.services.recall.engine import Recaller, Reranking
from engram_desktop.services.recall.expand import expand
from engram_desktop.services.recall.index import Vectors
from engram_desktop.storage.chat.chat_store import ChatStore

BATCH = 256  # items embedded between two looks at whether the job is cancelled


class TrialIndex(ChatIndex):
    """A chat with vectors of an embedder that is not in use."""

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
                else Passage("")
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
    """One way to recall."""

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
    """Ask every question of the lab in every way."""
    questions = store.lab.all()
    present = {
        (i.kind, i.ref) for i in store.items.of_refs([e.ref for q in questions for e in q.expected])
    }
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
        LabRow(q, tuple(sides), tuple((e.kind, e.ref) not in present for e in q.expected))
        for q, sides in zip(questions, rows, strict=True)
    )
    return LabReport(tuple(setups), lab_rows, tuple(degraded), tuple(took))
