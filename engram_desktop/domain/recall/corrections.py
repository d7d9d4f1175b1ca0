"""Learned corrections of the order of messages: which features there are, and what each is worth.

`Weights` are set by hand; a linear model adds what was learned from questions with known evidence
(tests/bench/train_fusion.py writes the weights, ADR 48 says how they were judged). A feature counts
for messages only. Its share is told as that of a leg, so that `why` still adds up to the score.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping

from engram_desktop.domain.text.late_pattern import late_pattern

# Feature to the leg it is told as. `conversation` and `notes` are from 0 to 1, see `Habits`.
FEATURES: Mapping[str, str] = {
    "around": "",  # conversation x score of the best message within 4; told as that one's legs
    "second": "lexical",  # conversation x words of the first hits, 1 for all of them
    "number": "moment",  # 1 where a number is asked for and the message holds one
    "notes_words": "lexical",  # notes x idf of the question's words in it, by length as in BM25
    "notes_share": "lexical",  # notes x share of the question's idf that it holds
    "notes_second": "lexical",  # notes x words of the first hits
}
# Only where a prompt is filled. They bring together what belongs together: of ten hits fewer then
# find anything (ZH-4O .897 and .862 with `around`, LoCoMo .836 and .825 with `second`), of the
# messages that fill 1,000 tokens more do.
DEEP = frozenset({"around", "second", "notes_second"})
LONG = 120.0  # tokens: three times an ordinary message. Of the sets only BEAM's have many such
# k1 and b of BM25 for a word that stands once in a text (Robertson and Zaragoza, 2009), as usual.
_K1, _B = 1.2, 0.75

_ASKS_NUMBER = late_pattern(
    r"多少|几|号码|电话|身高|价格|多大|邮箱|年龄|生日|哪天|哪一天|什么时候"
    r"|\b(?:how (?:many|much|old|long)|number|what (?:time|date)|when)\b",
    re.IGNORECASE,
)


def read_corrections(text: str) -> dict[str, float]:
    """Return each feature's weight from the JSON that training wrote. Raises KeyError."""
    features = json.loads(text)["features"]
    return {name: float(features[name]["weight"]) for name in FEATURES}


def asks_number(question: str) -> bool:
    """Whether ``question`` asks for a number, a day or a time among them."""
    return _ASKS_NUMBER.search(question) is not None


def length(text: str) -> float:
    """Return about how many tokens ``text`` has, quickly: a quarter of its bytes in UTF-8.

    A Chinese character is three bytes and .75 of a token, an English word of four letters 1.
    """
    return len(text.encode("utf-8", "surrogatepass")) / 4


def longness(tokens: float) -> float:
    """Return the logarithm by which a text is longer than `LONG`; 0 for shorter ones."""
    return max(0.0, math.log(tokens / LONG)) if tokens else 0.0


def by_length(tokens: float, usual: float) -> float:
    """Return what a word is worth in a text of ``tokens``, 1 in one of the ``usual`` length."""
    return (_K1 + 1) / (1 + _K1 * (1 - _B + _B * tokens / max(1.0, usual)))
