"""Words somebody would search for: names, places, things, and what is rare in the chat.

Never a speaker, never what is said every day, never a verb or a gesture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from engram_desktop.services.extractive.background import Background, noun_pairs
from engram_desktop.services.extractive.cut_messages import CutMessage, Quote, Vector
from engram_desktop.services.extractive.names.names_en import english_names
from engram_desktop.services.extractive.words.cutting import COMMON_EN, Word
from engram_desktop.services.extractive.words.verbs_en import BASES, base_of

MOST = 8  # of one event; not measured
_FREQUENT = 0.08  # share of the messages from which on a word finds nothing
_FEWEST = 5  # messages: in a short chat nothing is frequent
_NO_KEYWORD = re.compile("^[一整这那几每太]|[我你他她]|[着了的地得们]$|[来去上下头口眉眼嘴脸手声]$")
_HALVES = frozenset(["n", "ng", "j", "nr", "nz", "g"])
_NO_ENDING = ("史", "时候", "样子", "程度", "方面", "一面", "地方", "事情", "东西")
_DULL = frozenset(
    """
    时间 地方 问题 情况 方式 方法 机会 过程 结果 内容 原因 活动 部分 方面 关系 意思 办法 心情 情绪
    感觉 表情 语气 气氛 视线 脸颊 额头 手指 指尖 手背 手腕 掌心 嗓子 嗓子眼 眉头 睫毛 脸蛋 脑袋
    肩膀 背影 身影 呼吸 心跳 耳朵 耳边 嘴唇 喉咙 衣角 怀里 名字 人员 基本 实际 整个人 人们 历史
    世界 生活 老公 老婆 宝贝 宝宝 亲爱 开心 高兴 期待 快乐 幸福 甜蜜 温柔 微笑 兴奋 时光 感情 爱意
    心意 建议 帮助 需求 口袋 手心 门口 身边 肩头 一旁 时刻 无法 图画 人才 当兵 开春 低下 晚安 早安
    立场 角度 具体 调皮 细心 关心 压力 状态 阶段 大口 灯光 学生 空气 全身 浑身 眼泪 泪水 泪珠 眼眶
    瞳孔 目光 眸子 嘴巴 下巴 胸口 胸膛 怀抱 手臂 房间 事物 动作 方向
    """.split()
)


def keywords(middle: Vector, scene: Sequence[CutMessage], background: Background) -> list[str]:
    """Return the words that mark a scene in its chat, the most telling first."""
    weights: dict[str, float] = {}
    spellings: dict[str, str] = {}

    def add(text: str, key: str, weight: float) -> None:
        if weight > weights.get(key, 0.0):
            weights[key] = weight
            spellings[key] = text

    for message in scene:
        for quote in message.quotes:
            for text, key, share in _candidates(quote, background):
                add(text, key, share * (middle.get(key, 0.0) + background.weight(key)))
    chosen_words: list[str] = []
    for key in sorted(weights, key=lambda key: (-weights[key], key)):
        if len(chosen_words) == MOST:
            break
        text = spellings[key]
        if not any(
            text.lower() in other.lower() or other.lower() in text.lower() for other in chosen_words
        ):
            chosen_words.append(text)
    return chosen_words


def _candidates(quote: Quote, background: Background) -> Iterable[tuple[str, str, float]]:
    """Yield (word, key, how much it counts: a name as two words; set by hand, not measured)."""
    capitals = {name for name, _before, _after in english_names(quote.words)}
    for name in capitals:
        is_name = " " in name or name in background.named or background.frequency[name.lower()] > 1
        is_name = is_name and name.lower() not in COMMON_EN and not base_of(name.lower())
        if (
            is_name
            and name not in background.speakers
            and not _is_short_for(name, background.speakers)
        ):
            yield name, name if " " in name else name.lower(), 2.0
    for at, word in enumerate(quote.words):
        after = quote.words[at + 1] if at + 1 < len(quote.words) else None
        if word.text in background.named or word.text in background.things:
            yield word.text, word.key, 2.0
        elif _is_keyword(word, background):
            whole = word.text
            if after is not None and len(after.text) == 1 and after.tag in _HALVES:
                whole += after.text  # 愚人 of 愚人众
            yield whole, word.key, 1.0
    pairs = Counter(noun_pairs(quote.words))
    for pair in pairs:
        if background.compounds[pair] >= 2 and not _is_dull(pair, background):
            yield pair, pair, 1.6


def _is_keyword(word: Word, background: Background) -> bool:
    if not word.is_noun or not word.is_content or word.text in background.speakers:
        return False
    if _is_frequent(word.key, background):
        return False
    if word.tag == "en":
        return _is_noun_en(word, background)
    if word.tag == "En":
        return False  # whole names are taken above
    if word.tag.startswith("nr") or word.tag in {"vn", "nd"} or _is_dull(word.text, background):
        return False
    return background.cutter.knows(word.text)


def _is_noun_en(word: Word, background: Background) -> bool:
    key = word.key
    if key in COMMON_EN or word.text.lower() in COMMON_EN or background.nouns[key] < 1:
        return False
    base = base_of(word.text.lower())
    if base and word.text.lower() != base and base in BASES:
        return background.nouns[key] * 2 > background.frequency[key]  # a painting, but not: trying
    return background.nouns[key] * 4 >= background.frequency[key]


def _is_dull(text: str, background: Background) -> bool:
    return (
        text in _DULL
        or bool(_NO_KEYWORD.search(text))
        or text.endswith(_NO_ENDING)
        or any(text.startswith(name) or text.endswith(name) for name in background.speakers if name)
        or any(text.endswith(dull) for dull in ("关系", "问题", "时间"))
    )


def _is_frequent(key: str, background: Background) -> bool:
    count = background.frequency[key]
    return count >= _FEWEST and count > _FREQUENT * background.total


def _is_short_for(name: str, speakers: Iterable[str]) -> bool:
    """Whether a name is how a speaker is called for short: Mel of Melanie, Sera of Seraphina."""
    return any(name in speaker.split() or speaker.startswith(name) for speaker in speakers)
