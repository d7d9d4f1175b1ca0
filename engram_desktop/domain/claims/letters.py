"""Whether quoted text is in a letter, a message or on a sign, and who wrote it."""

from __future__ import annotations

import re

from engram_desktop.domain.claims.subjects import Mentioned
from engram_desktop.domain.knowledge.parts import READS

_IT_SAYS = re.compile(
    r"[\s,]*(?:it|the (?:letter|note|sign|label)) (?:said|says|reads?)\b", re.IGNORECASE
)
_WRITTEN_NEAR = re.compile(
    r"(?:写[着道了]?|写的是|上面是|内容是|发来的?|caption(?:ed)?|read|reads|said|says|reply|text"
    r"|message)[^。！？!?\n“”\"]{0,16}[:：,，]?\s*$"
    r"|(?:消息|短信|信|屏幕|标签|纸条|回复)[^。！？!?\n“”\"，]{0,16}(?<![翻过去来下上])[:：]?\s*$",
    re.IGNORECASE,
)
_IS_WRITTEN = re.compile("写[着道了][：: ]*$")
_WHO_SAYS = re.compile("(?<!写)[说道问][：: ]*$")
_WRITING = re.compile(
    r"信|纸条|便条|短信|消息|屏幕|标签|日记|遗嘱|回复[：:]|发来|letter|note|missal|will\b|message"
    r"|reply"
    r"|caption|text(?:s|ed)?\b|diary|label",
    re.IGNORECASE,
)
_SENT = re.compile(r"([\w·]{2,12})(?:发来|写来|寄来)")
_OF_WHOM = re.compile(
    r"(?:的?(?:短信|消息|信|回复|来信|发来|写道)|['’]s (?:letter|text|reply|message))"
)
_I_WROTE = re.compile(
    r"(?:^|[，。！？\s*])我[^，。！？]{0,8}写[道着下了]?[：: ]*$|\bI (?:write|wrote)\b[^.!?]*$"
)
_ANSWER = re.compile(r"[\s*]*(?:回复|her reply|his reply)", re.IGNORECASE)


def is_read_out(behind: str) -> bool:
    """Return whether the words after a text say that a written text is read: “…,” it said."""
    return _IT_SAYS.match(behind[:30]) is not None


def is_written(lead: str) -> bool:
    """Return whether the words before a text say that a person reads or wrote it."""
    if not lead or not _WRITTEN_NEAR.search(lead[-40:]) or _WHO_SAYS.search(lead):
        return False
    return bool(_IS_WRITTEN.search(lead) or READS.search(lead[-60:]) or _WRITING.search(lead[-60:]))


def writer_of(shown: str, start: int, end: int, names: Mentioned, own: str) -> str:
    """Return the writer of a letter named by the words ``start``..``end``, "" if none is named.

    ``own`` is the sender of the message: a reply is theirs, and so is what “I wrote”.
    """
    text = shown[start:end]
    for mention in names.find(shown, start, end):
        if _OF_WHOM.match(shown, mention.end, mention.end + 12):
            return mention.name
    match = _SENT.search(text)
    if match is not None:
        return re.sub(r"^.*(?:是|的)", "", match[1])
    return own if _ANSWER.match(text) or _I_WROTE.search(text) else ""


def signer_of(shown: str, start: int, end: int, names: Mentioned) -> str:
    """Return the name after a dash at the end of a letter."""
    last = names.last(shown, start, end)
    if last is None or shown[last.end : end].strip(" 。.\n"):
        return ""
    is_signed = shown[start : last.start].rstrip().endswith(("—", "–", "-"))
    return last.name if is_signed else ""
