"""The owner and the noun of a Chinese amount: 苏小棠卡里还有四千块 is of 苏小棠的卡."""

from __future__ import annotations

import re

from engram_desktop.domain.claims.fact_words import NO_NOUN, OWED
from engram_desktop.domain.claims.rules_zh import KIN
from engram_desktop.domain.claims.subjects import Mentioned
from engram_desktop.domain.values import dataclass

_AT_MOST = 12  # characters before an amount that may name its owner and its noun
_PLACED_IN = re.compile(
    "(?:[里中上内]|还|只|就|仅|也|都|才|已经|现在|如今|一共|总共|统共|共|一|的|，)+$"
)
_NUMERAL_ZH = re.compile(r"^(?:百分之)?[零一二两三四五六七八九十百千万几半\d]+[来多余]?")
# The noun meant by a measure word without a noun.
_COUNTED_AS = {
    "发": "子弹",
    "块": "钱",
    "元": "钱",
    "两": "银子",
    "枚": "银币",
    "口": "人口",
    "匹": "马",
}
# The counted noun behind its number: 七发子弹, 八十袋粮食.
_COUNTED_NOUN = re.compile(
    "[个来多]?[发枚块两斤袋支张头匹只条瓶箱位名口颗粒]?([\u4e00-\u9fff]{2,3})(?=[，。！？；、”」]|$)"
)
# Things a person carries: 口袋里有七枚 is of the speaker.
_ON_ONE = re.compile("身|手|手头|口袋|衣袋|兜|怀|包|钱袋|钱包|荷包|袋")
_OF_BODIES = re.compile("身高|个子|体重$|年龄|年纪|岁数|分之$")  # the owner is rarely near


@dataclass(frozen=True, slots=True)
class Counted:
    """The owner of an amount (a person, thing or place), and the noun that is counted."""

    about: str
    counted: str


def amount_zh(
    text: str, start: int, first: int, names: Mentioned, thing: str, value: str, person: str
) -> Counted:
    """Return the owner and noun of ``value``; words before it begin at ``first``, end at ``thing``.

    None if no noun says what is counted. ``start`` is the beginning of the sentence.
    """
    if OWED.match(thing):
        return Counted("欠款", "")
    held = names.find(text, start, first + _AT_MOST)
    owner = next((m for m in held if first <= m.end and m.start <= first + len(thing)), None)
    if owner is not None and owner.end > first:
        at = thing.rfind(text[max(owner.start, first) : owner.end])
        thing = thing[at + owner.end - max(owner.start, first) :] if at >= 0 else thing
    kin = KIN.match(thing)
    noun = _PLACED_IN.sub("", thing[kin.end() :] if kin is not None else thing).removeprefix("的")
    if _OF_BODIES.search(noun) or (noun and NO_NOUN.search(noun)):
        return Counted("", "")
    after = _COUNTED_NOUN.match(text, text.find(value, first) + len(value))
    unit = _NUMERAL_ZH.sub("", value)[:1]
    of_what = after[1] if after is not None else _COUNTED_AS.get(unit, "")
    if owner is not None and text[owner.end : owner.end + 1] == "的":
        person = owner.name
    is_whose = owner is not None or kin is not None or _ON_ONE.fullmatch(noun)
    whose = person if is_whose else ""
    noun = noun or (of_what if whose or not thing else "")
    about = f"{whose}的{noun}" if whose and noun else noun
    return Counted(about, of_what if of_what != noun else "")
