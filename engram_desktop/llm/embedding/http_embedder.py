"""Vectors from an OpenAI-compatible server, checked before any is stored.

A server may answer with too few vectors, in another order, of another dimension, or with NaN: each
is a BadAnswer, and nothing of that call is used.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from typing_extensions import override

from engram_desktop.domain.errors import BadAnswer, ServerError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client import Client, Retry
from engram_desktop.llm.embedding.local_embedder import Embedder, Vectors, normalised

if TYPE_CHECKING:
    from engram_desktop.llm.session import RequestSession

_T = QT_TRANSLATE_NOOP

_MAX_TEXTS = 64  # per request, until the server refuses
_BATCH_CHARS = 60_000  # of all texts of one request
_TEXT_CHARS = 8_000  # of one text, until the server refuses
_MIN_CHARS = 256  # a text is not cut shorter
_TOO_MUCH = {400, 413, 422}  # status codes with which servers refuse a request as too large


class HttpEmbedder(Embedder):
    """One model of one server. Requests it refuses as too large are sent again in smaller parts.

    Servers differ (ten texts a request, 512 tokens a text) and reveal it only by refusing; what was
    learned is kept for the life of this object.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._dim: int | None = None
        self._max_texts = _MAX_TEXTS
        self._max_chars = _TEXT_CHARS

    @property
    @override
    def model_id(self) -> str:
        return f"{self._client.endpoint.model}@{self._client.endpoint.host}"

    @override
    def once(self) -> HttpEmbedder:
        return HttpEmbedder(replace(self._client, retry=Retry(attempts=1)))

    @override
    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        if not texts:
            return np.empty((0, self._dim or 0), dtype=np.float32)
        # A question is not sent twice: a user waits, and words find much without its vector.
        client = replace(self._client, retry=Retry(attempts=1)) if query else self._client
        return run_async(ctx, self._embed_all(client, texts, ctx))

    async def _embed_all(self, client: Client, texts: Sequence[str], ctx: JobContext) -> Vectors:
        parts: list[Vectors] = []
        async with client.session() as session:
            at = 0
            while at < len(texts):
                ctx.check()
                batch = list(self._batch(texts, at))
                rows = await self._ask(session, batch)
                if rows is not None:
                    parts.append(rows)
                    at += len(batch)
        return normalised(np.concatenate(parts))

    def _batch(self, texts: Sequence[str], at: int) -> Iterator[str]:
        room = _BATCH_CHARS
        for count, text in enumerate(texts[at : at + self._max_texts]):
            content = _sendable(text, self._max_chars)
            room -= len(content)
            if count and room < 0:
                return
            yield content

    async def _ask(self, session: RequestSession, batch: list[str]) -> Vectors | None:
        """Return the rows of ``batch``; None if it was refused and the limits were lowered."""
        body = {"model": self._client.endpoint.model, "input": batch, "encoding_format": "float"}
        try:
            answer = await session.request("embed", body)
        except ServerError as error:
            if error.params.get("status") in _TOO_MUCH and self._asks_less(batch):
                return None
            raise
        return self._rows(answer, len(batch))

    def _asks_less(self, batch: list[str]) -> bool:
        """Halve the limit of one request; returns False if it cannot be halved further."""
        if len(batch) > 1:
            self._max_texts = max(1, len(batch) // 2)
            return True
        if len(batch[0]) > _MIN_CHARS:
            self._max_chars = max(_MIN_CHARS, len(batch[0]) // 2)
            return True
        return False

    def _rows(self, answer: Any, count: int) -> Vectors:
        """Check an answer and put its rows into the order of the request. Raises BadAnswer."""
        data = answer.get("data")
        if not isinstance(data, list) or len(data) != count:
            received = len(data) if isinstance(data, list) else 0
            raise BadAnswer(
                Phrase(
                    _T("reports", "{found} vectors for {count} texts"), found=received, count=count
                )
            )
        indices = [position_of(row, n) for n, row in enumerate(data)]
        if sorted(indices) != list(range(count)):
            raise BadAnswer(Phrase(_T("reports", "vectors without a sound index")))
        vectors = [_vector(row.get("embedding")) for row in data]
        dims = {len(vector) for vector in vectors}
        if len(dims) > 1 or (self._dim is not None and dims != {self._dim}):
            expected = {self._dim} if self._dim is not None else set()
            raise BadAnswer(
                Phrase(
                    _T("reports", "vectors of different dimensions: {sizes}"),
                    sizes=sorted(dims | expected),
                )
            )
        self._dim = dims.pop()
        rows = np.empty((count, self._dim), dtype=np.float32)
        for index, vector in zip(indices, vectors, strict=True):
            rows[index] = vector
        return rows


def position_of(row: object, default: int = -1) -> int:
    """Return the ``index`` of a row, which some servers send as text; -1 if it is invalid."""
    match row:
        case {"index": str(text)} if text.isascii() and text.isdigit() and len(text) < 10:
            return int(text)
        case {"index": int(index)} if not isinstance(index, bool):
            return index
        case {"index": _}:
            return -1
        case dict():
            return default
        case _:
            return -1


def _vector(value: object) -> Vectors:
    """Read one vector, given as a list or as base64 of little-endian floats."""
    try:
        if isinstance(value, str):
            vector = np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4")
        else:
            vector = np.asarray(value, dtype=np.float32)
    except (binascii.Error, ValueError, TypeError, OverflowError):
        raise BadAnswer(Phrase(_T("reports", "something that is not a vector"))) from None
    if vector.ndim != 1 or not vector.size:
        raise BadAnswer(Phrase(_T("reports", "something that is not a vector")))
    if not np.isfinite(vector).all():
        raise BadAnswer(Phrase(_T("reports", "a vector that holds NaN or infinity")))
    if not vector.any():
        raise BadAnswer(Phrase(_T("reports", "a vector of nothing but zeros")))
    return vector


def _sendable(text: str, limit: int) -> str:
    """Return ``text`` as a server accepts it: UTF-8, not empty, at most ``limit`` characters."""
    return text[:limit].encode("utf-8", "replace").decode("utf-8").strip() or "-"


# Order texts by how well they answer a query, according to a reranking server (``/rerank``). No
# text is lost: one that is missing in the server's answer comes last, with the lowest score.

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
