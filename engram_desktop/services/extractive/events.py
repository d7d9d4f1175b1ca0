"""Make one event of each scene of a block, deterministically, with words of the messages only.

A block is cut into scenes where the day changes, time passes or the topic changes. Keywords are
names, places, things and rare words; never a speaker, a frequent word, a verb or a gesture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engram_desktop.domain.claims.attribution import Attributions
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
)
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.scene_heading import scene_heading
from engram_desktop.services.extractive.background import Background, noun_pairs
from engram_desktop.services.extractive.names import (
    english_names,
    is_kind_of_place,
    is_private,
    places,
    titles,
)
from engram_desktop.services.extractive.people import told_bonds
from engram_desktop.services.extractive.pick import (
    CutMessage,
    PickedQuote,
    Vector,
    cosine,
    cut_messages,
    pick,
    total,
    weigh,
)
from engram_desktop.services.extractive.telling import heart, narrated, quoted, tell
from engram_desktop.services.extractive.words import (
    BASES,
    COMMON_EN,
    CutWord,
    base_of,
    is_scene_of,
    opening_day,
)

MOST = 8  # of one event; not measured
_FREQUENT = 0.08  # share of the messages from which on a word is too frequent to be a keyword
_FEWEST = 5  # messages: in a shorter chat no word counts as frequent
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
    """Return the keywords of a scene, the most significant first."""
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


def _candidates(quote: PickedQuote, background: Background) -> Iterable[tuple[str, str, float]]:
    """Yield (word, key, weight: a name counts as two words; set by hand, not measured)."""
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


def _is_keyword(word: CutWord, background: Background) -> bool:
    if not word.is_noun or not word.is_content or word.text in background.speakers:
        return False
    if _is_frequent(word.key, background):
        return False
    if word.tag == "en":
        return _is_noun_en(word, background)
    if word.tag == "En":
        return False  # whole names were added above
    if word.tag.startswith("nr") or word.tag in {"vn", "nd"} or _is_dull(word.text, background):
        return False
    return background.cutter.knows(word.text)


def _is_noun_en(word: CutWord, background: Background) -> bool:
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
        or text.startswith(background.speaker_names)
        or text.endswith(background.speaker_names)
        or any(text.endswith(dull) for dull in ("关系", "问题", "时间"))
    )


def _is_frequent(key: str, background: Background) -> bool:
    count = background.frequency[key]
    return count >= _FEWEST and count > _FREQUENT * background.total


def _is_short_for(name: str, speakers: Iterable[str]) -> bool:
    """Return whether a name is short for a speaker's: Mel of Melanie, Sera of Seraphina."""
    return any(name in speaker.split() or speaker.startswith(name) for speaker in speakers)


# Of messages that one event summarises in two or three sentences; not measured.
_CHARS_PER_SCENE = {"zh": 360, "en": 1100}
_MOST_PER_25 = 3  # events of 25 messages, which is the usual block
_SHORTEST = 4  # messages: fewer are no scene
_WINDOW = 4  # messages on either side that are compared
_PAUSE = 4 * 3600 * 1000  # milliseconds without a message: another session
_HARD = 10.0  # above every cosine: a new day or session is always a cut


def scenes(block: Sequence[CutMessage], background: Background) -> list[tuple[int, int]]:
    """Return the scenes as ranges of positions in ``block``, both ends included, without gaps."""
    count = len(block)
    if not count:
        return []
    days = {floor for floor, _ in background.days}
    strengths = {at: _strength(block, at, days) for at in range(1, count)}
    hard = sum(1 for value in strengths.values() if value >= _HARD)
    most = max(round(count * _MOST_PER_25 / 25), min(hard + 1, count // _SHORTEST), 1)
    size = sum(len(message.text) for message in block)
    target = max(1, round(size / _CHARS_PER_SCENE[background.language]), hard + 1)
    target = min(target, most)
    cuts: list[int] = []
    for at in sorted(strengths, key=lambda at: (-strengths[at], at)):
        if len(cuts) + 1 >= target:
            break
        room = 2 if strengths[at] >= _HARD else _SHORTEST
        if all(abs(at - other) >= room for other in [0, *cuts, count]):
            cuts.append(at)
    edges = [0, *sorted(cuts), count]
    return [(a, b - 1) for a, b in pairwise(edges)]


def _strength(block: Sequence[CutMessage], at: int, days: set[int]) -> float:
    """Return the strength of a scene cut before ``block[at]``."""
    before, after = block[at - 1].source, block[at].source
    pause = (after.sent_at or 0) - (before.sent_at or 0) if before.sent_at else 0
    if after.seq in days or pause > _PAUSE:
        return _HARD + min(1.0, pause / 1e12)
    left = total([message.vector for message in block[max(0, at - _WINDOW) : at]])
    right = total([message.vector for message in block[at : at + _WINDOW]])
    opens = 0.15 if block[at].source.role == "system" else 0.0  # added to 1 - cosine; set by hand
    moves = 0.3 if block[at].place != block[at - 1].place else 0.0  # twice that; set by hand
    return 1.0 - cosine(left, right) + opens + moves


_MOST = 8  # units considered for a summary
_SUMMARY_CHARS = {"zh": 160, "en": 380}  # two or three sentences; not measured
_IN_DETAILS = 4  # further units, quoted verbatim
_GONE_TO = re.compile("(?:来到|走进|回到|抵达|到达|走出|离开)了?$")
_STRONG = re.compile(
    "[！!]|哭|泪|笑|怒|吻|抱|死|爱|恨|怕|惊|痛|cry|tear|love|hate|afraid|scream", re.IGNORECASE
)


def extract(
    messages: Sequence[Message], *, background: Background, who: Attributions | None = None
) -> list[tuple[PlotExtraction, SourceRange]]:
    """Return the events of a block with their floors; none if nothing was said.

    Without ``who`` every text of a message is attributed to its sender.
    """
    block = cut_messages(messages, background, who)
    events = []
    for first, last in scenes(block, background):
        scene = block[first : last + 1]
        event = _event(scene, block, background)
        if event is not None:
            source = SourceRange(scene[0].source.seq, scene[-1].source.seq)
            events.append((event, source))
    return events


def _event(
    scene: Sequence[CutMessage], block: Sequence[CutMessage], background: Background
) -> PlotExtraction | None:
    quotes = [quote for message in scene for quote in message.quotes]
    middle = total([message.vector for message in scene])
    scores = [weigh(quote, middle, background) for quote in quotes]
    best = [quotes[at] for at in pick(quotes, scores, background, _MOST + _IN_DETAILS)]
    if not best:
        return None
    summary, told_orders = tell(
        best[:_MOST], block, background, _SUMMARY_CHARS[background.language]
    )
    if not summary:
        return None
    people = _people(scene, background)
    place_counts = _places(scene, background)
    location = _location(scene, place_counts)
    time = _time(scene, background)
    known_places = [
        name
        for name, _ in place_counts.most_common(6)
        if not is_private(name)
        and not any(name != other and name in other for other in place_counts)
    ]
    texts = [message.text for message in scene]
    entities = [
        ExtractedEntity(name, "char", background.also_called(name, texts)) for name in people
    ]
    entities += [ExtractedEntity(name, "loc") for name in known_places]
    entities += [ExtractedEntity(name, "item") for name in _items(scene, background)]
    return PlotExtraction(
        summary=summary,
        keywords=tuple(keywords(middle, scene, background)),
        timestamp=time,
        location=location,
        entities=tuple(dict.fromkeys(entities)),
        relations=tuple(_relations(scene, people, known_places, background)),
        details=quoted(
            [q for q in best if q.order not in told_orders][:_IN_DETAILS], block, background
        ),
        structured_kv=StructuredKv(
            time_anchor=time,
            role=tuple(people),
            location=location,
            event=heart(best, block, background),
        ),
        significance_score=_significance(scene, max(scores), background),
    )


def _people(scene: Sequence[CutMessage], background: Background) -> list[str]:
    """Return the speakers, then the people mentioned, the most frequent first."""
    speaking = Counter(name for message in scene for name in dict.fromkeys(message.speakers))
    everybody = background.people
    named = Counter(
        word.text
        for message in scene
        for quote in message.quotes
        for word in quote.words
        if word.text in everybody
    )
    if background.language == "en":
        for name in sorted(everybody):
            if " " in name and (count := sum(name in message.text for message in scene)):
                named[name] = count
    order = [*(n for n, _ in speaking.most_common()), *(n for n, _ in named.most_common())]
    known = [background.forms.get(name, name) for name in order if name in everybody]
    return list(dict.fromkeys(known))


def _places(scene: Sequence[CutMessage], background: Background) -> Counter[str]:
    counts: Counter[str] = Counter()
    gazetteer = background.gazetteer
    for message in scene:
        for quote in message.quotes:
            if background.language == "zh":
                counts.update(places(quote.words, gazetteer))
            else:
                counts.update(
                    name
                    for name, before, _ in english_names(quote.words)
                    if background.named.get(name) == "loc" and before
                )
    return counts


def _location(scene: Sequence[CutMessage], place_counts: Counter[str]) -> str:
    """Return where the scene takes place, if the text says so; not any place mentioned."""
    headings = (scene_heading(message.source.text) for message in scene)
    status_place = next((heading.where for heading in headings if heading.where), "")
    if status_place:
        return status_place
    counts: Counter[str] = Counter()
    for message in scene:
        for quote in message.quotes:
            if not quote.unit.is_speech:
                counts.update(name for name in place_counts if is_scene_of(name, quote.unit.text))
    named = {
        name: count + 0.5 * (len(name) > 3 or not is_kind_of_place(name))
        for name, count in counts.items()
    }
    return max(named, key=lambda name: named[name], default="")


def _time(scene: Sequence[CutMessage], background: Background) -> str:
    """Return the story's day and hour from the text; the time of sending is not used."""
    first, last = (background.day_at(message.source.seq) for message in (scene[0], scene[-1]))
    if first or last:
        return first or last
    for message in scene:
        if message.source.role != "user" and (hour := opening_day(message.text[:200])[1]):
            return hour
    return ""


def _items(scene: Sequence[CutMessage], background: Background) -> Iterable[str]:
    works = dict.fromkeys(name for message in scene for name in titles(message.text))
    return [
        *works,
        *sorted(t for t in background.things if any(t in message.text for message in scene)),
    ]


def _relations(
    scene: Sequence[CutMessage],
    people: Sequence[str],
    known_places: Sequence[str],
    background: Background,
) -> Iterable[ExtractedRelation]:
    """Yield certain relations: who talks with whom, and who went to which place.

    Places that are no entity of the scene are skipped: they would become entities of unknown type.
    """
    talks, goes = ("对话", "去") if background.language == "zh" else ("talks with", "goes to")
    pairs: Counter[tuple[str, str]] = Counter()
    rank = {name: n for n, name in enumerate(people)}
    spoken = [name for message in scene for name in message.speakers if name in rank]
    for one, other in pairwise(spoken):
        if one != other:
            pairs[min(one, other), max(one, other)] += 1  # one edge, in either direction
    for (one, other), count in pairs.most_common(6):
        if count >= 2:
            yield ExtractedRelation(one, talks, other)
    narrations = [
        narrated(q, message, background)
        for message in scene
        for q in message.quotes
        if not q.unit.is_speech
    ]
    moves = {
        ExtractedRelation(name, goes, place)
        for text in narrations
        for place in known_places
        if place in text
        for name in people
        if _went(text, name, place)
    }
    yield from sorted(moves, key=lambda move: (rank[move.subject], move.object))
    yield from dict.fromkeys(_bonds(scene, people, background))


def _bonds(
    scene: Sequence[CutMessage], people: Sequence[str], background: Background
) -> Iterable[ExtractedRelation]:
    """Yield stated relationships between the people of a scene."""
    firsts = Counter(name.partition(" ")[0] for name in people)
    known = {f: name for name in people if firsts[f := name.partition(" ")[0]] == 1}  # Anna Weber
    known |= {name: name for name in people}
    known |= {form: name for form, name in background.forms.items() if name in known}
    for message in scene:
        for quote in message.quotes:
            text = quote.unit.text
            said = message.said(text)
            ends = (said.speaker, said.hearer) if quote.unit.is_speech else ("", "")
            i, you = (known.get(end, end) for end in ends)
            yield from told_bonds(text, known, i, you)


def _went(text: str, name: str, place: str) -> bool:
    if not text.startswith(name):
        return False
    between = text[len(name) : text.index(place)]
    return len(between) <= 6 and bool(_GONE_TO.search(between))


def _significance(scene: Sequence[CutMessage], best: float, background: Background) -> float:
    """Estimate the significance from the best unit's score, the length and strong words."""
    size = sum(len(message.text) for message in scene) / (
        1.0 if background.language == "zh" else 3.0
    )
    strong = sum(len(_STRONG.findall(message.text)) for message in scene) / (1 + len(scene))
    # From .2 to .9; the shares are set by hand, not measured.
    score = 0.2 + 0.25 * min(1.0, best / 1.6) + 0.25 * min(1.0, size / 1500)
    return round(min(0.95, score + 0.2 * min(1.0, strong / 2)), 2)
