"""Choose the few units that tell what a scene was about.

Weighs how central a unit is to its scene, how much it tells, and signs of something worth
remembering: a promise, a secret, a gift, a reason. Takes no two that say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engram_desktop.domain.claims.attribution import Attribution, Attributions, SaidBy
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.text.scene_heading import scene_heading, without_heading
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.words import CutWord, Unit, units

# Cut the messages of a block into weighed units: what all that follows works on.


class Vector(dict[str, float]):
    """Weights of words; its length is worked out once, when it is whole."""

    _length: float | None = None

    @property
    def length(self) -> float:
        if self._length is None:
            self._length = sum(value * value for value in self.values()) ** 0.5 or 1.0
        return self._length


@dataclass(frozen=True, slots=True)
class PickedQuote:
    """One unit of a message, with what it weighs."""

    unit: Unit
    position: int  # of its message in the block
    order: int  # position among all units of the block
    words: list[CutWord]
    vector: Vector


@dataclass(frozen=True, slots=True)
class CutMessage:
    """One message of a block."""

    source: Message
    text: str
    quotes: list[PickedQuote]
    vector: Vector
    attribution: Attribution | None = None
    is_narrated: bool = False  # its sender is a card that is nobody
    place: str = ""  # where its heading says that it plays, or that of one before it

    @property
    def is_narrator(self) -> bool:
        return self.source.role == "system" or self.is_narrated

    def said(self, sentence: str) -> SaidBy:
        """Return who says a sentence of it."""
        if self.attribution is not None:
            return self.attribution.of(sentence)
        return SaidBy("said", "" if self.is_narrated else self.source.name)

    @property
    def speakers(self) -> list[str]:
        """Return who speaks in it, in the order of the text."""
        if self.attribution is not None and self.attribution.speakers:
            return self.attribution.speakers
        return [] if self.is_narrator else [self.source.name]


def cut_messages(
    messages: Sequence[Message], background: Background, who: Attributions | None = None
) -> list[CutMessage]:
    """Clean, cut and weigh every message that belongs to the story; ``who`` says what."""
    block: list[CutMessage] = []
    order = 0
    place = ""
    for message in messages:
        if message.is_untold:
            continue
        heading = scene_heading(message.text)
        text = clean(message.text, background.rules)
        text, _told = without_heading(text, heading.day)  # the event tells where and when
        place = heading.where or place
        quotes: list[PickedQuote] = []
        whole: Counter[str] = Counter()
        narrator = message.role == "system"
        attribution = who.by_message.get(message.id) if who is not None else None
        attribution = attribution.within(message.text) if attribution is not None else None
        for unit in units(
            text,
            is_narrator=narrator,
            language=background.language,
            name=message.name,
            is_prose=message.name in background.prose or message.seq == 0,
            marks_speech=message.name in background.prose,
        ):
            if attribution is not None and not attribution.is_story(unit.text):
                continue
            words = background.cutter.words(unit.text)
            counts = Counter(word.key for word in words if word.is_content)
            whole.update(counts)
            quotes.append(PickedQuote(unit, len(block), order, words, _weighed(counts, background)))
            order += 1
        vector = _weighed(whole, background)
        is_narrated = message.name in background.narrators
        block.append(CutMessage(message, text, quotes, vector, attribution, is_narrated, place))
    return block


def _weighed(counts: Counter[str], background: Background) -> Vector:
    return Vector((key, background.weight(key) * (1 + 0.5 * (n - 1))) for key, n in counts.items())


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; 0 where one is empty."""
    if not one or not other:
        return 0.0
    small, large = (one, other) if len(one) < len(other) else (other, one)
    dot = sum(value * large.get(key, 0.0) for key, value in small.items())
    return dot / (one.length * other.length) if dot else 0.0


def total(vectors: Sequence[Vector]) -> Vector:
    """Return the sum of ``vectors``."""
    result = Vector()
    for vector in vectors:
        for key, value in vector.items():
            result[key] = result.get(key, 0.0) + value
    return result


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
_DEEDS_ZH = re.compile(
    "交给|递给|拿出|掏出|取出|塞给|送给|接过|打开|推开|关上|锁上|走进|来到|回到|抵达|离开|冲进|冲出|跳进|逃|追|"
    "找到|发现|认出|看出|写下|写着|刻着|画着|撕|烧|砸|打碎|摔|倒下|晕|醒来|醒了|受伤|流血|吻|亲了|抱起|拔出|"
    "刺|砍|射|杀|救|死|买|卖|付|偷|藏|埋|签|宣布|宣判|命令|答应|拒绝|承认|坦白|哭|跪|戴上|点燃|点亮|出发|搬"
)
_GESTURES_ZH = re.compile(
    "笑|点头|摇头|看着|看向|望着|望向|盯|低头|抬头|叹|皱眉|挑眉|眨|脸红|红着脸|沉默|转身|目光|眼神|眼睛|嘴角|声音|"
    "语气|耸肩|凑近|靠近|伸手|摸|揉|拍|搂|牵|挽|握|愣|怔|顿|歪|撅嘴|嘟嘴|心跳|睫毛|表情|神情|脸"
)
_DEEDS_EN = re.compile(
    r"\b(?:hand(?:s|ed)|giv(?:es|ing)|gave|takes?|took|pull(?:s|ed) out|draws?|drew|opens?|opened"
    r"|clos(?:es|ed)|locks?|unlock\w*|enters?|entered|arriv\w*|leaves?|left|reach(?:es|ed) the"
    r"|runs?|ran|fle[ed]\w*|chas\w*|finds?|found|discover\w*|recogni\w*|writes?|wrote|reads?|tears?|tore"
    r"|burn\w*|smash\w*|breaks?|broke|falls?|fell|faint\w*|wakes?|woke|bleed\w*|kiss\w*|stab\w*"
    r"|shoots?|shot|kill\w*|sav(?:es|ed)|dies|died|buys|bought|pays|paid|steals?|stole|hides?|hid"
    r"|buri\w*|signs|announc\w*|agre\w*|refus\w*|admit\w*|confess\w*|cries|cried|kneels?|knelt|lights"
    r"|lit|fights?|fought|attack\w*|returns?|returned|unfold\w*|reveal\w*|slid(?:es)? (?:a|the))\b",
    re.IGNORECASE,
)
_GESTURES_EN = re.compile(
    r"\b(?:smil|grin|nod|lean|glanc|gaz|star(?:es|ed|ing)|look|eye|voice|tilt|blush|sigh|chuckl"
    r"|giggl|laugh|shrug|smirk|breath|lips|brow|cheek|whisper|murmur|closer|blink|shiver|tone"
    r"|expression|face|hair|finger|shoulder|heart|turns? (?:to|away|toward))",
    re.IGNORECASE,
)
_REACTION = re.compile(
    r"[谢好嗯哇哈哦啊唔哼你]|(?:wow|that's|it's|your|you|thanks|congrats|aw+|yeah|yep|those|looks|sounds"
    r"|what a|no worries|hey|hi|cool|great|nice)\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"[你您]|\byou(?:r|'re|'ve|'ll)?\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"我|\bI(?:'m|'ve|'d|'ll)?\b|\b[Mm]y\b")
_QUESTION = re.compile(r"[?？][”」』\"]?$")
_NUMBER = re.compile(r"\d|[一二三四五六七八九十百千]{2,}|《")
_CITED = re.compile("[‘『《]|[A-Z]{2,}")
GESTURE = 0.5  # what a smile counts beside a deed
_REPEAT = 0.55  # two units more alike than this say the same


def weigh(quote: PickedQuote, middle: Vector, background: Background) -> float:
    """Return how much ``quote`` is worth keeping, beside others of its scene.

    The weights are set by hand: centrality and rare words count most, signs of something worth
    remembering up to a fifth each; gestures and questions count half. Not measured one by one.
    """
    unit = quote.unit
    is_zh = background.language == "zh"
    size = len(unit.text) / (1.0 if is_zh else 2.6)
    if not quote.vector or size < 5:
        return 0.0
    telling = sum(sorted(quote.vector.values(), reverse=True)[:8]) / 32
    cues = len((_CUES_ZH if is_zh else _CUES_EN).findall(unit.text))
    score = cosine(quote.vector, middle) + telling + 0.2 * min(cues, 3)
    score += 0.12 * bool(_NUMBER.search(unit.text))
    score += 0.1 * unit.is_speech + 0.1 * bool(_CITED.search(unit.text))
    score += 0.06 * (unit.is_speech and bool(_FIRST_PERSON.search(unit.text)))
    score += 0.10 * any(word.text in background.named for word in quote.words)
    if unit.is_aside:
        score *= 0.45
    if not unit.is_speech:
        score *= acts(unit.text, is_zh=is_zh)
    if _QUESTION.search(unit.text):
        score *= 0.45
    if unit.is_speech and _REACTION.match(unit.text):
        score *= 0.7
    if unit.is_speech and len(_YOU.findall(unit.text)) > 2:
        score *= 0.7  # speaks of the other more than it tells
    return score * min(1.0, 0.45 + size / 36)


def acts(text: str, *, is_zh: bool) -> float:
    """Return a factor: how much narration moves the story. A door opened does, a smile does not."""
    deeds = len((_DEEDS_ZH if is_zh else _DEEDS_EN).findall(text))
    if deeds:
        return 1.3 + 0.15 * min(deeds, 2)
    return GESTURE if (_GESTURES_ZH if is_zh else _GESTURES_EN).search(text) else 0.85


def pick(quotes: Sequence[PickedQuote], scores: Sequence[float], count: int) -> list[int]:
    """Return positions in ``quotes`` of the best, no two alike, best first."""
    positions: list[int] = []
    for at in sorted(range(len(quotes)), key=lambda n: (-scores[n], n)):
        if len(positions) == count or scores[at] <= 0:
            break
        if all(cosine(quotes[at].vector, quotes[other].vector) < _REPEAT for other in positions):
            positions.append(at)
    return positions
