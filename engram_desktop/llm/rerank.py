"""Order texts by how well they answer a query, according to a reranking server (``/rerank``).

No text is lost: one that is missing in the server's answer comes last, with the lowest score.
"""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client import Client
from engram_desktop.llm.embedding.http_embedder import position_of

_T = QT_TRANSLATE_NOOP

_MAX_CHARS = 4_000  # of one text: bounds a request; not measured
_SCORE_LIMIT = 1e9  # also excludes NaN and infinity


class Reranker:
    """One model of one server with the Jina/Cohere form of ``/rerank``."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def rerank(self, query: str, texts: Sequence[str], ctx: JobContext) -> list[tuple[int, float]]:
        """Return (position in ``texts``, score), best first. Raises LlmError, Cancelled."""
        if not texts:
            return []
        return run_async(ctx, self._rerank(query, texts))

    async def _rerank(self, query: str, texts: Sequence[str]) -> list[tuple[int, float]]:
        body = {
            "model": self._client.endpoint.model,
            "query": query[:_MAX_CHARS],
            "documents": [text[:_MAX_CHARS] for text in texts],
            "top_n": len(texts),
            "return_documents": False,
        }
        async with self._client.session() as session:
            answer = await session.request("rerank", body)
        results = answer.get("results")
        rows = results if isinstance(results, list) else []
        scores = dict(_scored(row, len(texts)) for row in rows)
        if not scores:
            raise BadAnswer(Phrase(_T("reports", "no results for the texts to be ranked")))
        lowest = min(scores.values())
        ranked = [(n, scores.get(n, lowest)) for n in range(len(texts))]
        return sorted(ranked, key=lambda pair: (pair[0] not in scores, -pair[1], pair[0]))


def _scored(row: object, count: int) -> tuple[int, float]:
    index = position_of(row)
    match row:
        case {"relevance_score": int() | float() as score} if (
            0 <= index < count and abs(score) < _SCORE_LIMIT
        ):
            return index, float(score)
        case _:
            raise BadAnswer(Phrase(_T("reports", "a result without a sound index and score")))
