"""Names in Chinese and English texts: people, places and works, only where they are certain.

A name is a proper name, never a pronoun, a word for kin, or a spelling that resembles another name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from typing import NamedTuple

from engram_desktop.domain.claims.strangers import does_as_people
from engram_desktop.domain.graph.entity import is_entity_name
from engram_desktop.domain.text.chinese_names import SURNAMES
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.words import STOP_EN, STOP_ZH, CutWord, base_of

# Characters used to write foreign names; a word of these only is such a name.
_SOUNDS = frozenset(
    "阿艾爱埃安奥巴芭拜班贝本比碧波伯布查达黛丹道德狄蒂丁多恩尔法菲芬弗福盖戈格古哈海"
    "汉赫亨霍基吉加伽杰金卡凯坎考科克库拉莱兰朗劳勒蕾雷莉里丽利列林琳琉露卢鲁路罗洛玛"
    "马麦曼梅蒙米密莫姆穆娜纳南尼妮诺努欧帕派佩皮珀普齐奇乔琼让热茹瑞萨塞莎珊圣史斯丝"
    "思苏索塔泰坦特提汀图托娃瓦威韦维温沃乌西希夏谢休雅亚伊依英尤约扎泽詹珍兹佐薇拂菈"
    "蕊茜庇彼宁瑟缇缪萝黎恰锡辛肯顿森逊诗绮岚朵奈"
)
_CALLED = re.compile(
    "(?:(?:我|他|她|它|名字|小名|大名|本名|名)(?:就)?叫(?:做|作)?|名为|人称)"
    "[“「『]?([\u4e00-\u9fff·]{2,5})(?=[”」』，。！？、,!?\\s]|$)"
)
_CALLED_NOT = re.compile(
    "^[住醒来去我你他她它什谁怎大人声喊了着过得个哪这那]|[吗呢吧的了]$|什么|名字"
)

_PLACE_NOUNS = frozenset(
    """
    茶室 石室 酒馆 酒吧 酒店 旅馆 客栈 餐厅 餐馆 饭店 咖啡馆 咖啡厅 咖啡店 茶馆 甜品店 蛋糕店
    面包店 便利店
    书店 花店 药铺 药店 商店 商场 超市 集市 市场 夜市 图书馆 水族馆 博物馆 美术馆 体育馆 电影院
    剧院 游乐园 动物园 植物园 公园 花园 广场 学校 大学 中学 小学 校园 教室 操场 食堂 宿舍 医院
    诊所 公司 办公室 会议室 银行 警局 警察局 教堂 神社 寺庙 道观 城堡 王宫 皇宫 宫殿 神殿 高塔
    灯塔 钟楼 城墙 旧城墙 城门 码头 港口 海港 海边 海滩 沙滩 湖边 河边 山顶 山洞 森林 树林 竹林
    草原 村庄 村子 小镇 城镇 车站 机场 地铁站 火车站 码头 地牢 地下室 书房 卧室 厨房 客厅 阳台
    天台 后院 庭院 院子 训练场 竞技场 实验室 密室 石室 水道 地道 隧道 桥头 大桥  展馆 酒窖
    市政厅 议会厅 公寓 别墅 庄园 农场 牧场 游泳池 健身房 网吧 理发店 音乐厅  日料店 火锅店
    奶茶店 服装店 科技园区
    """.split()
)
_PLACE_ENDS = tuple("馆店楼城镇村街巷湖岛港宫殿塔寺庙院谷洞峡关堂阁坊府")
_NO_PLACE = frozenset(
    """
    上楼 下楼 登山 上山 下山 攀岩 上门 出门 开门 关门 进门 临街 东西 日志 开春 美丽 城市 地方 馆里
    葡萄干 太高兴 好心 中心 国家 世界 天黑 入门 入内门
    """.split()
)
_DEGREES = frozenset("更 最 很 挺 太 真 够 非常 十分 比较 特别".split())  # 更地道的菜
# Cut together with an unknown place behind it: 在翊坤宫, 地在翊坤宫, 是翊坤宫. Other words of this
# kind begin names of places too: 往生堂, 朝歌城.
_BEFORE_UNKNOWN = re.compile("^[地的得了]?[在是到]")
_NO_MODIFIER = frozenset(
    "整个 全部 附近 前面 后面 旁边 对面 里面 外面 自己 大家 一个 最近 同一".split()
)
_BEFORE_PLACE = frozenset("在 去 到 从 往 向 回 来 离开 来到 前往 位于 住".split())
_BEFORE_PERSON = frozenset("和 跟 对 找 叫 问 给 被 让 向 替 与 同 看 帮 陪 等 见".split())
_TITLES = frozenset(
    """
    说 道 先生 小姐 女士 叔叔 阿姨 爷爷 奶奶 老师 队长 医生 大人 殿下 姐姐 哥哥 前辈 学长 学姐
    同学
    """.split()
)
_CLAUSE_ENDS = frozenset("。，！？；：…—“”「」『』*（）()~!?,.;:\n")
_PRONOUN = re.compile("[我你他她它这那去来的了]")
_PRIVATE = frozenset("书房 卧室 厨房 客厅 阳台 院子 后院 教室 宿舍 办公室 会议室 食堂 操场".split())
_MODIFIER_TAGS = frozenset(["n", "nz", "nr", "nrt", "ns", "nt", "b", "j", "s"])
_TITLE = re.compile("《([^《》\n]{1,30})》")


def called(text: str) -> Iterator[str]:
    """Return names that a text introduces: 我叫诺亚."""
    for match in _CALLED.finditer(text):
        name = match[1]
        if not _CALLED_NOT.search(name) and is_entity_name(name):
            yield name


def looks_foreign(word: str) -> bool:
    return 2 <= len(word) <= 6 and all(char in _SOUNDS for char in word)


class NameUse(NamedTuple):
    """One mention of a possible name.

    ``is_person``: it acts, or is addressed like a person. ``is_subject``: it acts, and its clause
    begins with it.
    """

    name: str
    is_person: bool
    is_subject: bool


def persons(words: Sequence[CutWord], whole: Container[str]) -> Iterator[NameUse]:
    """Yield the mentions of possible names.

    A word tagged as a name must also look like one, or be one of ``whole``.
    """
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        after = words[at + 1] if at + 1 < len(words) else None
        if word.tag == "nr" and word.text in whole:
            pass
        elif not _has_name_shape(word) or _may_be_half(before, after):
            continue
        if after is not None and is_place(after):
            continue  # the first half of a place: 王立图书馆
        acts = after is not None and (after.tag in {"v", "d"} or after.text in _TITLES)
        met = before is not None and before.text in _BEFORE_PERSON
        begins = before is None or before.text in _CLAUSE_ENDS
        yield NameUse(word.text, acts or met, acts and begins)


def _may_be_half(before: CutWord | None, after: CutWord | None) -> bool:
    """Return whether a neighbouring word looks like a part of the same name: 那维 of 莱特."""
    return any(
        word is not None
        and (word.tag in {"nr", "nrt", "nrfg", "vg", "ng", "ag", "x", "j"})
        and (looks_foreign(word.text) or (len(word.text) == 1 and word.text in _SOUNDS))
        for word in (before, after)
    )


def _has_name_shape(word: CutWord) -> bool:
    text = word.text
    if word.tag not in {"nr", "nrt", "nrfg"} or text in STOP_ZH or not is_entity_name(text):
        return False
    if looks_foreign(text):
        return True
    return 2 <= len(text) <= 3 and text[0] in SURNAMES and text[-1] not in "先小老总哥姐爷叔傅"


def titles(text: str) -> list[str]:
    """Return works named in 《》."""
    return [name.strip() for name in _TITLE.findall(text) if is_entity_name(name)]


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """What a chat says of its places: words that are people, and counts of adjacent words."""

    people: Collection[str]
    frequency: Counter[str]
    compounds: Counter[str]
    knows: Callable[[str], bool]  # whether a word is in the dictionary, or a name of the chat


def places(words: Sequence[CutWord], gazetteer: Gazetteer) -> list[str]:
    """Return places named by a Chinese text: 月光酒馆, 王立图书馆, 旧城墙."""
    names: list[str] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        is_quality = before is not None and before.text in _DEGREES
        if word.text in gazetteer.people or is_quality or not is_place(word):
            continue
        name = word.text
        before_it = _BEFORE_UNKNOWN.match(name) if word.tag == "ns" else None
        if before_it is not None and not gazetteer.knows(name):
            name = name[before_it.end() :]
            if not is_kind_of_place(name):
                continue
        is_gazetted = word.tag == "ns" and name not in _PLACE_NOUNS
        if before is not None and not is_gazetted and _modifies(before, name, gazetteer):
            if names and names[-1] == before.text:
                names.pop()  # 北门 of 北门集市
            name = before.text + name
        elif is_gazetted and not _is_where(word, before, gazetteer):
            continue
        if is_entity_name(name):
            names.append(name)
    return names


def is_place(word: CutWord) -> bool:
    text = word.text
    if text in _PLACE_NOUNS:
        return True
    if text in _NO_PLACE or len(text) < 2:
        return False
    is_noun = word.tag.startswith("n") and not word.tag.startswith("nr")
    return word.tag == "ns" or (is_noun and len(text) >= 3 and text.endswith(_PLACE_ENDS))


def is_kind_of_place(text: str) -> bool:
    """Return whether a word ends like a kind of place: 歌剧院; not 彼得堡."""
    return text in _PLACE_NOUNS or (len(text) >= 3 and text.endswith(_PLACE_ENDS))


def _is_where(word: CutWord, before: CutWord | None, gazetteer: Gazetteer) -> bool:
    """Return whether a word that may name a place means one here: 上门 seldom does."""
    if before is not None and before.text in _BEFORE_PLACE:
        return True
    is_shaped = word.text.endswith((*_PLACE_ENDS, *"门桥墙市省县区国州京海江河山边岸"))
    return is_shaped and (len(word.text) > 2 or gazetteer.frequency[word.text] >= 4)


def _modifies(word: CutWord, place: str, gazetteer: Gazetteer) -> bool:
    """Return whether ``word`` belongs to the name of the place that follows it."""
    text = word.text
    if (
        text in gazetteer.people
        or text in _NO_MODIFIER
        or len(text) > 4
        or not is_entity_name(text)
    ):
        return False
    if len(text) == 1:
        return text in "旧新老古东西南北银金黑白红蓝"
    if _PRONOUN.search(text) or word.tag not in _MODIFIER_TAGS:
        return False
    return word.tag == "nz" or gazetteer.compounds[text + place] >= 2


def is_private(place: str) -> bool:
    """Return whether it is a common kind of room: a location, never an entity."""
    return place in _PRIVATE


# English names: runs of capitalised words, and their context.


_SAID_EN = frozenset(
    """
    said says asked asks replied told tells smiled laughed nodded whispered came went loves
    likes wants thinks
    """.split()
)
_PLACE_BEFORE_EN = frozenset(["in", "into", "near", "visit", "visiting", "visited"])
_TOWARDS_EN = frozenset(["to", "from", "at"])  # before a person as well: screams at Varric
# Before a place, and seldom before a band or a club that is named like one: Linkin Park.
_AT_PLACE_EN = (
    _PLACE_BEFORE_EN | _TOWARDS_EN | {"the", "of", "through", "around", "across", "outside"}
)
_CLUBS_EN = frozenset(["Park", "City", "Kingdom", "Chapel"])
# Before a person, and before things as well: with Flask, and Common Ground.
_WITH_EN = frozenset(
    "with and my find finds found see saw help helps love loves hate hates save saves".split()
)
# Before a person only.
_BEFORE_PERSON_EN = frozenset(
    """
    met meet meets named dear hi hello hey tell tells told ask asks asked thank thanks kiss kisses
    hug hugs says said brother sister mother father friend friends uncle aunt cousin captain
    professor doctor attorney lawyer advisor adviser accountant instructor reviewer mentor editor
    producer director manager colleague partner husband wife son daughter boss coach neighbor
    neighbour roommate teacher tutor therapist parents mom dad mum boyfriend girlfriend
    """.split()
)
# Verbs of SAYS_EN that programs, shops and papers have as well.
_DONE_BY_THINGS_EN = frozenset(
    "offers offered adds added begins began calls called tests tested continues explains suggests"
    " answers tells opens insists declares observes".split()
)
_TITLES_EN = frozenset(
    """
    Captain Professor Lord Lady Sir King Queen Prince Princess Doctor Dr Mr Mrs Ms Miss Master
    Sergeant General Commander Father Sister Brother Aunt Uncle Detective Officer Duke Ser Doc
    Count Countess Baron Duchess Colonel Major Lieutenant Inspector Constable Sheriff Reverend Judge
    Commodore Admiral Ensign Corporal Monsieur Madame Mademoiselle
    """.split()
)
_PROFESSIONS_EN = frozenset(
    "Captain Professor Doctor Dr Doc Sergeant General Commander Detective Officer Lieutenant"
    " Commodore Admiral Ensign Corporal Inspector Sheriff".split()
)
# Used with your, his or her for a person of rank: Your Grace.
_HONOURS_EN = frozenset(
    "Grace Majesty Highness Honour Honor Lordship Ladyship Excellency Eminence Worship".split()
)
_PLACE_ENDS_EN = tuple(
    "gate ford ton ham shire bury burg burgh ville port haven hold fell mere dale moor stead bridge"
    " wick hollow".split()
)
PLACES_EN = frozenset(
    """
    Gate Chapel Road Port Inn Tavern City Lake Mount Mountain River Street Castle Forest Island
    Academy School University College Hall Tower Bridge Village Town Temple Church Hotel Cafe
    Museum Park Bay Beach Harbor Harbour Square Avenue Valley Kingdom Library Market Palace
    Station
    """.split()
)
_OWNERS_EN = frozenset(["your", "his", "her"])
_NEVER_EN = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June
    July August September October November December Christmas Halloween Easter Thanksgiving
    Candlemas Michaelmas Martinmas Lammas Yule Lent Advent Midsummer Midwinter Number
    Valentine God Mom Dad Mum Grandma Grandpa English Chinese French Spanish Japanese American
    German Italian Korean Russian Indian British Irish Mexican Greek Thai Cantonese European
    Sorry Btw Gonna Congrats Glad Love Hope World
    LGBTQ TV PM AM Mr Mrs Ms Miss Dr Sir Lady Lord Wow Haha LOL OMG Yeah Oh Ok Okay Thanks
    """.split()
)


def english_names(words: Sequence[CutWord]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, word before, word after) for runs of capitalised words inside sentences."""
    at = 0
    while at < len(words):
        if not _is_name_en(words[at]):
            at += 1
            continue
        end = at + 1
        while end < len(words) and words[end].is_joined and end - at < 5:
            if not _is_name_en(words[end]):
                is_of = words[end].text in {"of", "de", "von", "van", "du", "la"}
                if not (is_of and end + 1 < len(words) and _is_name_en(words[end + 1])):
                    break
                end += 1
            end += 1
        if at and words[at].is_joined and _opens_a_name(words[at - 1]):
            at -= 1  # Victor of Victor Hale, at the beginning of a sentence
        name = _bare(" ".join(word.text for word in words[at:end]))
        before = words[at - 1].text.lower() if at else ""
        after = words[end].text.lower() if end < len(words) else ""
        yield name, before, "'s" if words[end - 1].text.endswith(("'s", "’s")) else after
        at = end


def _opens_a_name(word: CutWord) -> bool:
    text = word.text
    return (
        word.tag == "en"
        and text[:1].isupper()
        and len(text) > 2
        and text.lower() not in STOP_EN
        and text not in _NEVER_EN
        and not base_of(text.lower())
        and not text.endswith(("ly", "ing", "'s", "’s"))
    )


def _is_name_en(word: CutWord) -> bool:
    bare = _bare(word.text)
    return (
        word.tag == "En"
        and bare.removesuffix("s") not in _NEVER_EN
        and bare not in _NEVER_EN
        and not bare[1:].removesuffix("s").isupper()
        and len(bare) > 1
        and bare.lower() not in STOP_EN
        and is_entity_name(bare)
    )


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").rstrip("'’-")


def english_kind(name: str, contexts: Counter[tuple[str, str]], *, is_page: bool = False) -> str:
    """Return whether a name is a person or a place, by its form or context; "" if unclear.

    ``is_page``: a chat of an assistant's pages, in which programs and papers act like people.
    """
    words = name.split()
    is_titled = words[0] in _TITLES_EN and len(words) > 1
    if is_titled and (words[0] != "General" or contexts.total() > 1):
        is_work = words[1].islower() and not any(_acts_en(after) for _b, after in contexts)
        return "" if is_work else "char"  # King of Comedy; the Duke of Vey nods
    is_honour = name in _HONOURS_EN and any(before in _OWNERS_EN for before, _after in contexts)
    if is_honour or (words[0] == "Saint" and len(words) == 2):
        return ""  # a saint in an oath, not a person of the story
    if not PLACES_EN.isdisjoint((words[0], words[-1])) and len(words) > 1:
        is_club = words[-1] in _CLUBS_EN and not any(b in _AT_PLACE_EN for b, _after in contexts)
        return "" if is_club else "loc"
    total = contexts.total()
    with_the = sum(n for (before, _after), n in contexts.items() if before == "the")
    of_a_kind = sum(n for (before, _after), n in contexts.items() if before in ("a", "an"))
    if max(with_the, of_a_kind) * 2 >= total:  # a Weight Watchers meeting is of no person
        is_thing = with_the * 2 >= total > 1 and len(words) > 1
        return "item" if is_thing else ""
    place = person = surely = 0.0
    for (before, after), count in contexts.items():
        place += count * (before in _PLACE_BEFORE_EN) + 0.5 * count * (before in _TOWARDS_EN)
        place += count * (before == "of" and name.endswith(_PLACE_ENDS_EN))
        is_shop = after == "'s" and before in _TOWARDS_EN  # at McGee's
        acts = after in _SAID_EN or (after == "'s" and not is_shop)
        acts = acts or bool(base_of(after) and base_of(after) != after)
        is_met = before in _BEFORE_PERSON_EN or before == "called"
        person += count * (before in _WITH_EN or is_met or acts)
        surely += count * (before in _BEFORE_PERSON_EN or (acts and not is_page) or _acts_en(after))
    enough = total / 3
    if total < 2 or max(place, person) < enough or words[-1] == "Name":
        return ""
    is_person = (
        person > place
        and surely
        and not (len(words) > 1 and name.endswith("s") and not _is_met(contexts))
    )
    is_where = place > 2 * person and any(
        before in _AT_PLACE_EN - {"at"} for before, _a in contexts
    )
    return "loc" if is_where else "char" if is_person else ""


def _is_met(contexts: Counter[tuple[str, str]]) -> bool:
    """Return whether a name that may be a plural is a person's: Sam Brooks, not Apex Legends."""
    return any(b in _BEFORE_PERSON_EN or a in _SAID_EN or a == "'s" for b, a in contexts)


def _acts_en(verb: str) -> bool:
    """Return whether a word behind a name is a verb that only people have."""
    return verb in _SAID_EN or (verb not in _DONE_BY_THINGS_EN and does_as_people(verb))


def is_title(word: str) -> bool:
    """Return whether a word before a name is a title: Captain, Ser."""
    return word.rstrip(".") in _TITLES_EN


def is_same_person(name: str, person: str) -> bool:
    """Return whether an English name is another form of a person's name: Ser Odric and Odric.

    A first name alone is, too: Tam is Tam Corrie. Different titles are different people (Mr. and
    Mrs. Hale), and so are different first names.
    """
    title, own = _parted(name)
    of_person, words = _parted(person)
    if not title and len(words) > 1 and own == words[:1]:
        return True
    if own[-1:] != words[-1:] or len(own) > 1:
        return False
    if len(words) > 1:  # Captain Greave, Marta Greave
        return title in _PROFESSIONS_EN
    return not (title and of_person) or {title, of_person} <= {"Doctor", "Dr", "Doc"}


def _parted(name: str) -> tuple[str, list[str]]:
    """Return the title of an English name and its other words."""
    words = name.split()
    title = words[0].rstrip(".")
    return (title, words[1:]) if is_title(title) and len(words) > 1 else ("", words)
