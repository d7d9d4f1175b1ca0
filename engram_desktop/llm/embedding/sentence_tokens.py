"""The built-in model's tokens: the package's own, its normalising done at once where it can be.

The package walks a table of byte sequences for each character, half of the time that tokens take.
What most texts are made of combines with nothing before it, and is looked up once a character.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# None of these is ever the second part of a sequence that is normalised as one, as accents are.
_PLAIN = re.compile(
    "[ -~\u00a1-\u017f\u2010-\u2027\u2030-\u205e\u3001-\u3029\u3041-\u3096\u30a1-\u30fe"
    "\u4e00-\u9fff\uff01-\uff9d]*"
)
_BLANKS = re.compile(" +")
_BLANK = "\u2581"  # what stands for a blank in the model's pieces


class SentenceTokens:
    """Texts to numbers of tokens, a mark at either end."""

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
    """What single characters become, asked of the package once for each."""

    def __init__(self, normalizer: Any) -> None:
        super().__init__()
        self._normalizer = normalizer

    def __missing__(self, code: int) -> str:
        normal, _length = self._normalizer.normalize_prefix(chr(code).encode(), 0)
        self[code] = text = bytes(normal).decode()
        return text
