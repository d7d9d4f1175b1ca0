"""Take out what is said outside of the story: (OOC: …), and a last line that calls it all fiction.

Only whole lines in brackets go, and only those no story would hold; everything else stays, if in
doubt. What stays is not touched. Linear in the length of the text.
"""

from __future__ import annotations

import re

_MAX_LINE = 600  # characters: a longer bracket is a part of the story
_MARKS = " \t*_~\u3000"
_PAIRS = {"(": ")", "（": "）", "[": "]", "【": "】", "［": "］", "〔": "〕"}
_OOC = re.compile(r"\s*ooc(?![a-z0-9])", re.IGNORECASE)
# What it is about, and what is said of it: both must be there.
_SUBJECT = re.compile(
    r"以上|本(?:故事|文|内容|作品|剧情|对话|角色扮演|回复)|此(?:故事|内容|剧情|对话)|免责声明|声明[：:]"
    r"|\b(?:disclaimer|the above|(?:this|these) (?:is|are|story|content|scene|roleplay|role-play"
    r"|response|work|characters?)|all characters)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"虚构|请勿模仿|与现实无关|切勿当真|仅供娱乐|不代表(?:本人|作者|现实|任何)|(?:AI|人工智能|模型)生成"
    r"|\b(?:fiction|fictional|fictitious|not real|entertainment purposes"
    r"|(?:AI|model)[- ]generated)\b",
    re.IGNORECASE,
)


def without_disclaimers(text: str) -> str:
    """Return the text without such lines."""
    lines = text.split("\n")
    if "ooc" in text.casefold():
        lines = [line for line in lines if not _is_outside(line)]
    end = len(lines)
    while end and (not lines[end - 1].strip(_MARKS) or _is_disclaimer(lines[end - 1])):
        end -= 1
    is_cut = any(lines[n].strip(_MARKS) for n in range(end, len(lines)))
    return "\n".join(lines[:end] if is_cut else lines)


def _is_outside(line: str) -> bool:
    inner = _inner(line)
    return inner is not None and _OOC.match(inner) is not None


def _is_disclaimer(line: str) -> bool:
    inner = _inner(line)
    return inner is not None and bool(_SUBJECT.search(inner) and _SAID.search(inner))


def _inner(line: str) -> str | None:
    """What stands in the brackets that hold a whole line; None if there are none."""
    bare = line.strip(_MARKS)
    if not 2 < len(bare) <= _MAX_LINE or _PAIRS.get(bare[0]) != bare[-1]:
        return None
    inner = bare[1:-1]
    depth = 0
    for char in inner:  # (one) and (two) are not in one pair
        depth += (char == bare[0]) - (char == bare[-1])
        if depth < 0:
            return None
    return inner.lstrip("".join(_PAIRS))
