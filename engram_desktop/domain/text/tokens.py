"""Estimates of tokens, and counts of words."""

from __future__ import annotations

from functools import lru_cache

from engram_desktop.late import late_pattern

# Token counts without a tokenizer: an estimate that a test compares with a real one.


_SHORT = 600  # characters of a text whose weight is cached: a line of memory
_KEPT = 8_192  # cached weights: some MB with their texts
# Weights fitted to o200k on this project's own zh and en prose: a CJK character costs about 0.9
# tokens, a short Latin word 1, three digits 1, a punctuation mark 0.8 to 1.
_PIECES = late_pattern(
    r"([\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+)"
    r"|([A-Za-z\u00c0-\u024f]+)|(\d+)|([^\s\w]+)"
)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of ``text`` for a model; at least 1 for visible text."""
    return whole_tokens(token_weight(text))


def whole_tokens(weight: float) -> int:
    """Return a weight as a number of tokens, rounded up."""
    return int(weight + 0.999)


def token_weight(text: str) -> float:
    """Return the estimate before rounding: weights of texts joined by blanks add up.

    So a text weighs as much as its lines: those of memory are weighed again in every prompt.
    """
    if len(text) <= _SHORT:
        return _kept_weight(text)
    lines = text.split("\n")
    return sum(_kept_weight(line) if len(line) <= _SHORT else _weight(line) for line in lines)


def _weight(text: str) -> float:
    total = 0.0
    for cjk, word, digits, other in _PIECES.findall(text):
        if cjk:
            total += 0.9 * len(cjk)
        elif other:
            length = len(other)
            total += max(1.0, 0.8 * length) if length < 4 else 0.5 * length
        elif word:
            total += 1.0 if len(word) <= 7 else len(word) / 6
        else:
            total += (len(digits) + 2) // 3
    return total


@lru_cache(maxsize=_KEPT)
def _kept_weight(text: str) -> float:
    return _weight(text)


# The number of words of a text: in Chinese and Japanese each character is one, as in editors.


_ONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = late_pattern(rf"[{_ONE}]|[^\W_{_ONE}]+(?:['’-][^\W_{_ONE}]+)*")


def count_words(text: str) -> int:
    """Count words."""
    return sum(1 for _ in _WORD.finditer(text))


# JavaScript's white space: its `trim` removes some that Python's `strip` leaves.


JS_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trimmed(text: str) -> str:
    """Return ``text`` as ``String.trim`` does."""
    return text.strip(JS_BLANKS)
