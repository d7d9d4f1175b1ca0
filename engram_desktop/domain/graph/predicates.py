"""Which facts can hold of a subject only one at a time, recognised by the words of a predicate.

A short list of plain words, nothing more: a word that is not here never ends another fact.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

Facet = Literal["presence", "residence", "status", "health", "mood", "occupation", "stage"]


def _words(**lists: str) -> dict[str, str]:
    return {word.strip(): name for name, text in lists.items() for word in text.split("|")}


_PLACE = _words(
    there="位于|在|身处|身在|所在|所在地|所在地点|当前位置|停留在|留在|待在|来到|到达|抵达|到|去"
    "|进入|走进|回到|返回|被关在|被困在|藏在|藏于|存放在|存放于|放在|放置于"
    "|located in|located at|located|in|at|inside|stays in|stays at|arrives at|arrives in"
    "|arrived at|arrived in|goes to|went to|comes to|came to|enters|entered|returns to"
    "|returned to|hidden in|kept in|stored in|held in|imprisoned in|current location",
    gone="离开|离去|走出|leaves|left|departs from|departed from|departed",
)
_SINGLE: dict[str, Facet] = {
    **dict.fromkeys(
        """住在 居住在 居住于 居住 住 定居 定居于 搬到 搬进 搬入 住址 居所""".split(), "residence"
    ),
    **dict.fromkeys(
        ("lives in", "lives at", "resides in", "resides at", "moves to", "moved to", "lived in"),
        "residence",
    ),
    **dict.fromkeys("状态 当前状态 处于 陷入 status state condition".split(), "status"),
    **dict.fromkeys("健康 健康状况 身体状况 伤势 health".split(), "health"),
    **dict.fromkeys("心情 情绪 mood".split(), "mood"),
    **dict.fromkeys("职业 现职 occupation profession".split(), "occupation"),
}
_STAGES = _words(
    stranger="陌生人|素不相识|stranger|strangers",
    acquaintance="认识|相识|熟人|结识|初识|acquaintance|acquaintances|knows|met|acquainted",
    friend="朋友|好友|挚友|密友|好朋友|友人|闺蜜|friend|friends|best friend|best friends"
    "|close friend|close friends|befriends|befriended",
    dating="暧昧|约会|dating|seeing",
    lover="恋人|情侣|情人|爱人|男友|女友|男朋友|女朋友|男女朋友|交往|相恋|恋爱|lover|lovers|couple|boyfriend"
    "|girlfriend|partners in love|in love",
    engaged="订婚|未婚夫|未婚妻|未婚夫妻|engaged|fiancé|fiancée|fiance|fiancee|betrothed",
    spouse="夫妻|夫妇|丈夫|妻子|老公|老婆|配偶|结婚|成婚|伴侣|married|marries|husband|wife|spouse|spouses",
    former="前任|前夫|前妻|前男友|前女友|分手|离婚|divorced|former lover|former lovers|separated"
    "|ex-husband|ex-wife|ex-boyfriend|ex-girlfriend|broke up|breaks up",
    enemy="敌人|仇人|死敌|宿敌|仇敌|敌对|为敌|反目|决裂|反目成仇|enemy|enemies|nemesis|foe|foes",
    ally="盟友|同盟|结盟|ally|allies|allied",
)
# Predicates that only say that two were told of together: worth nothing in a prompt.
_EMPTY = frozenset(
    """对话 交谈 聊天 说话 谈话 交流 互动 提到 提及 相关 有关 关联
    talks_with talks_to speaks_with speaks_to chats_with converses_with mentions related_to
    interacts_with associated_with""".split()
)


def says_nothing(predicate: str) -> bool:
    """Whether a predicate says no more than that two were told of together."""
    return "_".join(predicate.casefold().split()) in _EMPTY


_LEAD_ZH = re.compile(
    r"^(?:如今|现在|目前|已经|已|正式|正|重新|再次|又)*"
    r"(?:成为了?|变成了?|变为|结为|结成|确立为?|确立了|发展为|升级为|沦为|是|为)?(?:彼此的?|对方的?)?"
)
_TAIL_ZH = re.compile(r"(?:了|过|着|中|的)?(?:关系|身份)?$")
_LEAD_EN = re.compile(
    r"^(?:(?:is|are|was|were|be|been|being|has|have|had|now|currently|still|again|becomes?|became"
    r"|turns? into|turned into|gets?|got|the|a|an|his|her|their) )+"
)
_TAIL_EN = re.compile(r"(?: (?:of|with|to|from))+$")
_IS_ASCII_WORD = re.compile(r"[a-z]")


def facet(predicate: str) -> tuple[Facet, str] | None:
    """Return what a predicate says something of, and which of its values it says by itself.

    The second is the stage of a pair, or whether somebody is ``there`` or ``gone``; it is empty
    where the other end of the relation is the value. None: the predicate ends nothing.
    """
    for word in _forms(predicate):
        if word in _PLACE:
            return "presence", _PLACE[word]
        if word in _SINGLE:
            return _SINGLE[word], ""
        if word in _STAGES:
            return "stage", _STAGES[word]
    return None


def _forms(predicate: str) -> Iterable[str]:
    """The predicate as it is, then without what only wraps it: 成为了恋人, is married to."""
    word = " ".join(unicodedata.normalize("NFKC", predicate).casefold().split())
    yield word
    if _IS_ASCII_WORD.search(word):
        bare = _LEAD_EN.sub("", word)
        yield bare
        yield _TAIL_EN.sub("", bare)
    else:
        bare = _LEAD_ZH.sub("", word)
        yield _TAIL_ZH.sub("", word)
        yield bare
        yield _TAIL_ZH.sub("", bare)
