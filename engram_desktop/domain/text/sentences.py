"""Whole sentences of a text: never one of half a quotation, nor one that ends at "Dr."."""

from __future__ import annotations

import re

_CLOSERS = "”’」』》）)\"'】]"
_OPEN = {"“": "”", "「": "」", "『": "』", "《": "》", "（": "）"}
_ENDS = frozenset("。！？!?…")
_SHORT = re.compile(
    r"(?:^|[\s(“\"])(?:Mr|Mrs|Ms|Dr|St|Capt|Prof|Sgt|Lt|Jr|Sr|vs|etc|No|e\.g|i\.e|[A-Z])$"
)
_LONGEST = 400  # a quotation that is never closed holds no more than this together
_LETTER = re.compile(r"\w")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of ``text`` in order, each with its end; what has no letter is none."""
    sentences: list[str] = []
    start = at = 0
    closing = ""
    while at < len(text):
        char = text[at]
        at += 1
        if closing and at - start < _LONGEST:
            closing = "" if char in {closing, "\n"} else closing
            if closing or not (char == "\n" or _ends_inside(text, start, at)):
                continue
            char = "。" if char != "\n" else char  # “走吧。” ends a sentence with its quotation
        elif char in _OPEN:
            closing = _OPEN[char]
            continue
        if char == "\n" or char in _ENDS or (char == "." and _is_full_stop(text, start, at)):
            while at < len(text) and (text[at] in _ENDS or text[at] in _CLOSERS):
                at += 1
            sentences.append(text[start:at])
            start, closing = at, ""
    sentences.append(text[start:])
    return [s for sentence in sentences if _LETTER.search(s := " ".join(sentence.split()))]


def _ends_inside(text: str, start: int, at: int) -> bool:
    """Whether a quotation that was just closed ends its sentence too."""
    ended = at - 2 > start and text[at - 2] in "。！？!?….."
    return ended and (at == len(text) or text[at] in " \n" or "\u3400" < text[at] < "\u9fff")


def _is_full_stop(text: str, start: int, at: int) -> bool:
    after = text[at : at + 1]
    if after and not after.isspace() and after not in _CLOSERS:
        return False
    return not _SHORT.search(text[max(start, at - 8) : at - 1])
