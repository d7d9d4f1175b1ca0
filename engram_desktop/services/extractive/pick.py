"""Choose the few units that tell what a scene was about.

Weighs how central a unit is to its scene, how much it tells, and signs of something worth
remembering: a promise, a secret, a gift, a reason. Takes no two that say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.lines import Quote, Vector, cosine

_CUES_ZH = re.compile(
    "答应|约定|约好|保证|发誓|记得|记住|忘记|秘密|别告诉|不要告诉|瞒着|真相|其实|原来|发现|"
    "因为|为了|于是|决定|打算|计划|第一次|最后一次|永远|终于|找到|失去|失踪|去世|受伤|生病|"
    "发烧|过敏|害怕|最怕|讨厌|最喜欢|喜欢吃|喜欢的|生日|结婚|订婚|求婚|分手|在一起|男朋友|"
    "女朋友|名字叫|叫做|交给|送给|还给|买下|买了|偷|借走|换来|写着|刻着|钥匙|信里|地址|电话|"
    "考上|毕业|工作|辞职|搬家|出发|回来|赢了|输了|救了|杀"
)
_CUES_EN = re.compile(
    r"\b(?:promis\w*|swore|secret\w*|never tell|truth|actually|found|discover\w*|because|decid\w*"
    r"|plan\w*|first time|forever|finally|lost|missing|died|death|hurt|sick|allerg\w*|afraid|scared"
    r"|hate\w*|favou?rite|birthday|married|wedding|engaged|broke up|divorc\w*|named|called"
    r"|gave|gift|bought|stole|borrow\w*|moved|moving|job|hired|fired|graduat\w*|won|saved|killed|adopt\w*"
    r"|pregnan\w*|years? ago|last (?:week|month|year|night)|yesterday|next (?:week|month|year)"
    r"|tomorrow|research\w*|stud(?:y|ied|ying)|volunteer\w*|joined|started|signed up|visited)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"我|\bI(?:'m|'ve|'d|'ll)?\b|\b[Mm]y\b")
_QUESTION = re.compile(r"[?？][”」』\"]?$")
_NUMBER = re.compile(r"\d|[一二三四五六七八九十百千]{2,}|《")
_CITED = re.compile("[‘『《]|[A-Z]{2,}")
_REPEAT = 0.55  # two units more alike than this say the same


def weigh(quote: Quote, middle: Vector, known: Background) -> float:
    """Return how much ``quote`` is worth keeping."""
    unit = quote.unit
    is_zh = known.language == "zh"
    size = len(unit.text) / (1.0 if is_zh else 2.6)
    if not quote.vector or size < 5:
        return 0.0
    telling = sum(sorted(quote.vector.values(), reverse=True)[:8]) / 32
    cues = len((_CUES_ZH if is_zh else _CUES_EN).findall(unit.text))
    score = cosine(quote.vector, middle) + telling + 0.2 * min(cues, 3)
    score += 0.12 * bool(_NUMBER.search(unit.text))
    score += 0.1 * unit.is_speech + 0.1 * bool(_CITED.search(unit.text))
    score += 0.06 * (unit.is_speech and bool(_FIRST_PERSON.search(unit.text)))
    score += 0.10 * any(word.text in known.named for word in quote.words)
    if unit.is_aside:
        score *= 0.45
    if _QUESTION.search(unit.text):
        score *= 0.6
    return score * min(1.0, 0.45 + size / 36)


def pick(quotes: Sequence[Quote], scores: Sequence[float], count: int) -> list[int]:
    """Return positions in ``quotes`` of the best, no two alike, best first."""
    chosen: list[int] = []
    for at in sorted(range(len(quotes)), key=lambda n: (-scores[n], n)):
        if len(chosen) == count or scores[at] <= 0:
            break
        if all(cosine(quotes[at].vector, quotes[other].vector) < _REPEAT for other in chosen):
            chosen.append(at)
    return chosen
