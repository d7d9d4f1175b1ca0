"""Signs in a sentence that its content is worth remembering.

A promise, a secret, a gift or a reason is worth keeping; a smile, a thank-you and a question are
not. Used to choose sentences without a model: of messages for an event, and of events for an
outline. The words were set by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush

from engram_desktop.domain.recall.relevance import question_words
from engram_desktop.domain.text.late_pattern import late_pattern

_CUES_ZH = late_pattern(
    "答应|约定|约好|保证|发誓|记得|记住|忘记|秘密|别告诉|不要告诉|瞒着|真相|其实|原来|发现|"
    "因为|为了|于是|决定|打算|计划|第一次|最后一次|永远|终于|找到|失去|失踪|去世|受伤|生病|"
    "发烧|过敏|害怕|最怕|讨厌|最喜欢|喜欢吃|喜欢的|生日|结婚|订婚|求婚|分手|在一起|男朋友|"
    "女朋友|名字叫|叫做|交给|送给|还给|买下|买了|偷|借走|换来|写着|刻着|钥匙|信里|地址|电话|"
    "考上|毕业|工作|辞职|搬家|出发|回来|赢了|输了|救了|杀"
)
_CUES_EN = late_pattern(
    r"\b(?:promis\w*|swore|secret\w*|never tell|truth|actually|found|discover\w*|because|decid\w*"
    r"|plan\w*|first time|forever|finally|lost|missing|died|death|hurt|sick|allerg\w*|afraid|scared"
    r"|hate\w*|favou?rite|birthday|married|wedding|engaged|broke up|divorc\w*|named|called"
    r"|gave|gift|bought|stole|borrow\w*|moved|moving|job|hired|fired|graduat\w*|won|saved|killed|adopt\w*"
    r"|pregnan\w*|years? ago|last (?:week|month|year|night)|yesterday|next (?:week|month|year)"
    r"|tomorrow|research\w*|stud(?:y|ied|ying)|volunteer\w*|joined|started|signed up|visited)\b",
    re.IGNORECASE,
)
_VOWS = late_pattern(
    r"答应|保证|发誓|约定|约好|绝不|说好|\b(?:promis\w*|swear\w*|swore|vow\w*|give you my word)\b",
    re.IGNORECASE,
)
_DEEDS_ZH = late_pattern(
    "交给|递给|拿出|掏出|取出|塞给|送给|接过|打开|推开|关上|锁上|走进|来到|回到|抵达|离开|冲进|冲出|跳进|逃|追|"
    "找到|发现|认出|看出|写下|写着|刻着|画着|撕|烧|砸|打碎|摔|倒下|晕|醒来|醒了|受伤|流血|吻|亲了|抱起|拔出|"
    "刺|砍|射|杀|救|死|买|卖|付|偷|藏|埋|签|宣布|宣判|命令|答应|拒绝|承认|坦白|哭|跪|戴上|点燃|点亮|出发|搬"
)
_GESTURES_ZH = late_pattern(
    "笑|点头|摇头|看着|看向|望着|望向|盯|低头|抬头|叹|皱眉|挑眉|眨|脸红|红着脸|沉默|转身|目光|眼神|眼睛|嘴角|声音|"
    "语气|耸肩|凑近|靠近|伸手|摸|揉|拍|搂|牵|挽|握|愣|怔|顿|歪|撅嘴|嘟嘴|心跳|睫毛|表情|神情|脸"
)
_DEEDS_EN = late_pattern(
    r"\b(?:hand(?:s|ed)|giv(?:es|ing)|gave|takes?|took|pull(?:s|ed) out|draws?|drew|opens?|opened"
    r"|clos(?:es|ed)|locks?|unlock\w*|enters?|entered|arriv\w*|leaves?|left|reach(?:es|ed) the"
    r"|runs?|ran|fle[ed]\w*|chas\w*|finds?|found|discover\w*|recogni\w*|writes?|wrote|reads?|tears?|tore"
    r"|burn\w*|smash\w*|breaks?|broke|falls?|fell|faint\w*|wakes?|woke|bleed\w*|kiss\w*|stab\w*"
    r"|shoots?|shot|kill\w*|sav(?:es|ed)|dies|died|buys|bought|pays|paid|steals?|stole|hides?|hid"
    r"|buri\w*|signs|announc\w*|agre\w*|refus\w*|admit\w*|confess\w*|cries|cried|kneels?|knelt|lights"
    r"|lit|fights?|fought|attack\w*|returns?|returned|unfold\w*|reveal\w*|slid(?:es)? (?:a|the))\b",
    re.IGNORECASE,
)
_GESTURES_EN = late_pattern(
    r"\b(?:smil|grin|nod|lean|glanc|gaz|star(?:es|ed|ing)|look|eye|voice|tilt|blush|sigh|chuckl"
    r"|giggl|laugh|shrug|smirk|breath|lips|brow|cheek|whisper|murmur|closer|blink|shiver|tone"
    r"|expression|face|hair|finger|shoulder|heart|turns? (?:to|away|toward))",
    re.IGNORECASE,
)
# Greetings and thanks are the same in every story.
_POLITE_ZH = "早上好|晚上好|下午好|早安|晚安|再见|拜拜|过奖|没关系|没事|不客气|放心|当然|时间不早"
_REACTION = late_pattern(
    rf"[谢好嗯哇哈哦啊唔哼你]|(?:{_POLITE_ZH})|(?:wow|that's|it's|your|you|thanks|congrats|aw+|yeah"
    r"|yep|those|looks|sounds|what a|no worries|hey|hi|cool|great|nice)\b",
    re.IGNORECASE,
)
_TOLD_REACTION = late_pattern(
    rf"^[^，。：]{{0,12}}?(?:说|告诉[^，。]{{1,6}})[，：]?(?:[谢好嗯哇哈哦啊唔哼]|{_POLITE_ZH})"
    r"|^\S+ (?:says|tells \S+):? (?:that )?(?:it|that|thanks|congrat|those|your|they are glad|wow)",
    re.IGNORECASE,
)
_QUESTION = late_pattern(r"[?？][”」』\"]?$")
_NUMBER = late_pattern(r"\d|[一二三四五六七八九十百千]{2,}|《")

GESTURE = 0.5  # weight of a smile against a deed


def cues(text: str, *, is_zh: bool) -> int:
    """Count the words for a secret, a gift, a reason, a change; a promise counts as two."""
    return len((_CUES_ZH if is_zh else _CUES_EN).findall(text)) + len(_VOWS.findall(text))


def acts(text: str, *, is_zh: bool) -> float:
    """Return a factor for how much narration advances the story: an opened door, not a smile."""
    deeds = len((_DEEDS_ZH if is_zh else _DEEDS_EN).findall(text))
    if deeds:
        return 1.3 + 0.15 * min(deeds, 2)
    return GESTURE if (_GESTURES_ZH if is_zh else _GESTURES_EN).search(text) else 0.85


def is_gesture(text: str, *, is_zh: bool) -> bool:
    """Return whether narration is about a gesture, without any deed."""
    return acts(text, is_zh=is_zh) == GESTURE


def is_question(text: str) -> bool:
    return bool(_QUESTION.search(text))


def has_number(text: str) -> bool:
    """Return whether a text has a number, a date or the title of a work."""
    return bool(_NUMBER.search(text))


def is_reaction(text: str) -> bool:
    """Return whether a speech is only a reaction: thanks, assent, praise."""
    return bool(_REACTION.match(text))


def tells_reaction(text: str) -> bool:
    """Return whether a sentence of a summary reports a reaction: 他说晚安, she says thanks."""
    return bool(_TOLD_REACTION.search(text))


# Informative words, for which sentences are chosen.

Words = Mapping[frozenset[str], float]  # the weight of each word, as its tokens in the index

_NUMBER_WORTH = 2.0  # of any number, long or short: 12 is as informative as 7
_TOLD_AGAIN = 0.2  # factor of a word for each repetition


def names_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of persons' names, whole and in parts: every sentence has some."""
    whole = {name for name in names if name}
    parts = whole | {piece for name in whole for piece in name.split()}
    return re.compile("|".join(map(re.escape, sorted(parts, key=len, reverse=True))) or "(?!)")


@lru_cache(maxsize=4096)  # sentences and keywords of some ten outlines
def telling_words(text: str) -> Words:
    """Return the words of a text, weighted by their rarity in the language."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    words = question_words(text, rjieba.cut, rjieba.suggest_freq)
    return {w.tokens: _NUMBER_WORTH if w.text.isdigit() else w.rarity for w in words}


def by_coverage(texts: Sequence[Words], worth: Callable[[int], float]) -> Iterator[int]:
    """Yield positions of texts, always the one with most new words by weight and ``worth``.

    ``worth`` of a text may only fall. Greedy coverage of weighted concepts (Gillick and Favre,
    2009) under a budget of the caller (Lin and Bilmes, 2010).
    """
    told: Counter[frozenset[str]] = Counter()

    def gain(n: int) -> float:
        return worth(n) * sum(w * _TOLD_AGAIN ** told[word] for word, w in texts[n].items())

    queue = [(-gain(n), n) for n in range(len(texts))]
    heapify(queue)
    while queue:
        _before, best = heappop(queue)
        now = gain(best)
        if queue and now < -queue[0][0]:  # gains only fall, so only the first one must be checked
            heappush(queue, (-now, best))
            continue
        yield best
        told.update(texts[best].keys())
