"""Embedders: what each of them guarantees, and those that need no server.

Rows have length 1, and one dimension per embedder. Vectors are compared only with vectors of the
same ``model_id``.
"""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np
from typing_extensions import override

from engram_desktop.domain.recall.lexemes import EmbeddedText, end_of
from engram_desktop.jobs.context import JobContext, RightOfWay
from engram_desktop.places import cache_dir

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engram_desktop.llm.embedding.sentence_encoder import SentenceEncoder

Vectors: TypeAlias = "NDArray[np.float32]"
LocalName = Literal["use", "hash"]


class Embedder(Protocol):
    """Makes vectors of texts. ``query`` marks questions, for models that treat them differently."""

    @property
    def model_id(self) -> str: ...

    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        """Return one row of length 1 per text, in order. Raises LlmError, Cancelled."""

    def embed_passages(self, passages: Sequence[EmbeddedText], ctx: JobContext) -> Vectors:
        """Return one row per passage, as `embed` does, of the text with what precedes it."""
        return self.embed([passage.joined for passage in passages], ctx)

    def once(self) -> Embedder:
        """Return an embedder that retries no request, for a caller with a waiting user."""
        return self


def normalised(rows: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros becomes the first axis, so that no row is NaN."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not norms.all():
        rows = rows.copy()
        rows[norms[:, 0] == 0, 0] = 1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / norms, dtype=np.float32)


# Embedders that need no server: the bundled multilingual model, and a plain hash for tests. The
# model is loaded once, at its first use; its file is part of the program and nothing is ever
# downloaded. Its weights are unpacked into the user's cache (`sentence_encoder.py`).

_BATCH = 64  # texts between two checks for Cancel: 100 ms on one processor
_MAX_CHARS = 2_000  # the model reads at most some 500 tokens
_EMPTY = " "  # the tokenizer needs at least one character
_THREADS = 2  # concurrent batches; linear algebra itself has one thread (recall.md)
_MIN_SHARE = 0.6  # share of the time that two threads really ran: below, others need the processor
_SINGLE_BATCHES = 16  # batches until two threads are tried again


class LocalEmbedder(Embedder):
    """Universal Sentence Encoder multilingual v3: 512 dimensions, 16 languages, offline.

    Between two texts it waits while another thread has the right of way (``way``).
    """

    _load = threading.Lock()
    _encoder: SentenceEncoder | None = None  # one per process: it takes 30 MB
    _single_batches = 0  # batches that still run on one thread

    def __init__(self, way: RightOfWay | None = None) -> None:
        self._way = way or RightOfWay()

    @property
    @override
    def model_id(self) -> str:
        return "local:use-m3"

    @override
    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        return self.embed_passages([EmbeddedText(text) for text in texts], ctx)

    @override
    def embed_passages(self, passages: Sequence[EmbeddedText], ctx: JobContext) -> Vectors:
        encoder = LocalEmbedder._encoder or self._load_encoder()
        give = self._way.give
        rows = np.empty((len(passages), 512), dtype=np.float32)
        starts = range(0, len(passages), _BATCH * _THREADS)
        with ThreadPoolExecutor(_THREADS - 1, "embed") as helper:
            for start in starts:
                ctx.check()
                batch = passages[start : start + _BATCH * _THREADS]
                part = rows[start : start + len(batch)]
                if len(batch) <= _BATCH or not self._may_use_two():
                    for at in range(0, len(batch), _BATCH):
                        ctx.check()
                        part[at : at + _BATCH] = _encoded(encoder, batch[at : at + _BATCH], give)
                    continue
                half = len(batch) // 2
                started, own_time = time.perf_counter(), time.thread_time()
                other = helper.submit(_timed, encoder, batch[half:], give)
                part[:half] = _encoded(encoder, batch[:half], give)
                own_time = time.thread_time() - own_time
                part[half:], other_time = other.result()
                elapsed = time.perf_counter() - started
                if own_time + other_time < _MIN_SHARE * _THREADS * elapsed:
                    LocalEmbedder._single_batches = _SINGLE_BATCHES
        return normalised(rows)

    @staticmethod
    def _may_use_two() -> bool:
        """Return whether to use two threads: not soon after one had to wait for a processor."""
        if LocalEmbedder._single_batches:
            LocalEmbedder._single_batches -= 1
        return not LocalEmbedder._single_batches and (os.cpu_count() or 1) >= _THREADS

    @classmethod
    def _load_encoder(cls) -> SentenceEncoder:
        with cls._load:
            if cls._encoder is None:
                # takes .2 s, so not at start-up
                from engram_desktop.llm.embedding.sentence_encoder import SentenceEncoder  # noqa: PLC0415

                cls._encoder = SentenceEncoder(cache_dir())
            return cls._encoder


def _timed(
    encoder: SentenceEncoder, passages: Sequence[EmbeddedText], give: Callable[[], object]
) -> tuple[Vectors, float]:
    """Return the rows, and the seconds of processor time this thread had."""
    started = time.thread_time()
    return _encoded(encoder, passages, give), time.thread_time() - started


def _encoded(
    encoder: SentenceEncoder, passages: Sequence[EmbeddedText], give: Callable[[], object]
) -> Vectors:
    """Return a row for each passage; each distinct text is encoded once.

    What precedes a passage is most often the end of another of the texts: then its sums are part of
    the sums of that text.
    """
    place: dict[str, int] = {}
    for passage in passages:
        for text in (passage.text, "" if passage.text else passage.before):
            if text:
                place.setdefault(_readable(text), len(place))
    ends = {end_of(text): n for text, n in place.items() if len(text) < _MAX_CHARS}
    for passage in passages:
        if passage.before and passage.before not in ends:
            ends[passage.before] = place.setdefault(_readable(passage.before), len(place))
    blank = place.setdefault(_EMPTY, len(place)) if not all(map(any, passages)) else 0
    texts = list(place)
    shares = [min(1.0, len(end_of(text)) / len(text)) for text in texts]
    tokens = []
    for text in texts:
        give()
        tokens.append(encoder.tokens(text))
    alone, after, before = encoder.sums(tokens, shares, give)
    own = np.array([place[_readable(p.text or p.before)] if any(p) else blank for p in passages])
    sums = alone.of(own)
    joined = np.array([n for n, p in enumerate(passages) if all(p)], np.intp)
    if joined.size:
        ended = np.array([ends[passages[n].before] for n in joined])
        sums.put(joined, before.of(ended) + after.of(own[joined]))
    return encoder.rows(sums)


class HashEmbedder(Embedder):
    """Character bigrams and trigrams hashed into buckets: similar spellings are close. No model."""

    def __init__(self, dim: int = 256) -> None:
        self._dim = dim

    @property
    @override
    def model_id(self) -> str:
        return f"local:hash-{self._dim}"

    @override
    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        rows = np.zeros((len(texts), self._dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            ctx.check()
            for gram in _grams(text.casefold()):
                code = zlib.crc32(gram.encode("utf-8", "surrogatepass"))
                row[(code >> 1) % self._dim] += 1.0 if code & 1 else -1.0
        return normalised(rows)


def _grams(text: str) -> list[str]:
    return [text[at : at + size] for size in (2, 3) for at in range(len(text) - size + 1)] or [text]


def _readable(text: str) -> str:
    return text[:_MAX_CHARS].encode("utf-8", "replace").decode("utf-8") or _EMPTY
