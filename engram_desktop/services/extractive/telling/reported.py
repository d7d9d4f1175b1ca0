"""What somebody said as a narrator tells it: 爱丽丝叫旅人别告诉凯尔, instead of a quotation.

A report says who said it, to whom and how; its words are the speaker's own but for the persons. It
never says more than was said.
"""

from __future__ import annotations

import re

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.graph.naming import PRONOUNS
from engram_desktop.domain.values import dataclass

_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50\u2764]+")
_BRACKETED = re.compile(r"[\[［【][^\[\]［］【】]{1,8}[\]］】]")  # stickers such as [OK]
_CJK_BLANK = re.compile("(?<=[\u4e00-\u9fff])[ \u3000]+(?=[\u4e00-\u9fff])")  # for a comma
_QUOTES = re.compile('[“”‘’「」『』"]')


@dataclass(frozen=True, slots=True)
class Report:
    """One sentence told: ``subject`` ``lead`` ``body``; sentences of one lead share it."""

    subject: str  # empty where nobody who has a name said it
    lead: str
    body: str
    weight: float = 1.0  # worth as a part of a summary, of a plain statement 1; set by hand
    is_deed: bool = False  # done, not said
    position: int = 0  # of its message in the block


def plain(text: str) -> str:
    """Return the words of ``text`` without pictures, stickers and quotation marks."""
    text = _QUOTES.sub("", _BRACKETED.sub("", _EMOJI.sub("", text))).strip()
    return _CJK_BLANK.sub("，", text)


def name_of(person: str, other: str) -> str:
    """Name to call somebody by in a sentence; ``other`` for who is called You, or nothing."""
    return person if person.strip() and norm_name(person) not in PRONOUNS else other
