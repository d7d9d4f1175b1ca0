"""Facts that no event of a story changes: if two of them differ, one is wrong.

Siblings, whether a person was ever married, a birthday, the parents' names and occupations, the
writing hand, the colour of eyes, allergies, places never visited, the year two people met or a
thing was built, a cause of death, the place of a person on a night that has a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_desktop.domain.claims.hinted_rules import Marker
from engram_desktop.domain.claims.wording import number_in
from engram_desktop.domain.values import dataclass

KEY = "~"  # prefix of the trigger of such a claim, before its key

HINTS = Marker(
    ".",
    hints="我一个|没有兄弟|没有姐妹|亲哥|亲姐|亲弟|亲妹|属|siblings"
    "|never married|never been married|my ex|my late|my former|my first"
    "|独生|姐|哥|弟|妹|左撇子|右撇子|手写字|眼睛|眼眸|双眼|瞳孔|眸子|过敏|什么都吃|到过|去过"
    "|小时候|当年|年轻时|断过|认识|相识|造|建|死者|毒死|勒死|捅死|刺死|淹死|掐死|枪杀|毒杀|当晚"
    "|那晚|父亲|母亲|爹|娘亲|爸爸|妈妈|爷爷|奶奶|外公|外婆|家父|家母|祖|儿子|女儿|今年|生于|生在"
    "|only child|sister|brother|-handed| eyes|allerg|i eat ev|never been|set foot|lived in"
    "|grew up in|broken|we met|we first|was built|was found|was launch|was poison|was strangl"
    "|was stabb|was drown|was hang|was shot|the night|mother|father|grandpa|grandma|'s son"
    "|'s daughter|was born|was twen|was thir|was for|was fif|was six|was seven|was eigh|was nine"
    "| mom| dad| mum",
)
_CHANGED = re.compile(
    r"现在|如今|后来|以后|退休|只剩|另(?:一个|外)|去年|上个?月|刚|死了一|搬|改|又|继|后妈|养|义"
    r"|干(?:爹|妈|娘)|认的|传说|有人说|听说"
    r"|\b(?:now|these days|retired|used to|other|another|left(?=[.!]|$)|since|last (?:year|month)"
    r"|step\w*|adopt\w*|foster|godfather|some say|they say|legend|turned|glow\w*)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(  # occupations that have several names
    r"老师|教师|教授|博士|导师|做|当|种地|农|工人|毕业|人$|好|[很最也都不]|teacher|professor"
    r"|doctor|good|great|nice|kind|very"
)
_NUMBERS = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "俩": 2}
_WORDS = {w: n for n, w in enumerate("no one two three four five six seven eight".split())} | {
    "a": 1,
    "an": 1,
}
_SIB_ZH = r"姐姐|哥哥|弟弟|妹妹|兄弟|姐妹|姊妹"
_PARENT_ZH = (
    r"(?<![舅姑姨岳伯婶叔干后丈大公婆])(?:父亲|爹爹?|爸爸?|老爸|家父|母亲|娘亲?|妈妈?|老妈|家母"
    r"|爷爷|祖父|奶奶|祖母|外公|外婆|姥爷|姥姥)"
)
_PARENT_EN = r"(?:grand)?(?:father|mother)|dad|mom|mum|grandpa|grandma"
_SAME = {
    "家父": "父亲",
    "爹": "父亲",
    "爹爹": "父亲",
    "爸": "父亲",
    "爸爸": "父亲",
    "老爸": "父亲",
    "家母": "母亲",
    "娘": "母亲",
    "娘亲": "母亲",
    "妈": "母亲",
    "妈妈": "母亲",
    "老妈": "母亲",
    "祖父": "爷爷",
    "祖母": "奶奶",
    "姥爷": "外公",
    "姥姥": "外婆",
    "dad": "father",
    "mom": "mother",
    "mum": "mother",
    "grandpa": "grandfather",
    "grandma": "grandmother",
    "黑": "dark",
    "褐": "dark",
    "棕": "dark",
    "深褐": "dark",
    "brown": "dark",
    "black": "dark",
    "dark": "dark",
    "hazel": "dark",
    "碧": "绿",
    "湛蓝": "蓝",
    "碧绿": "绿",
    "翠绿": "绿",
    "gray": "grey",
}
_RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, re.compile(pattern, flags))
    for key, pattern, flags in (
        ("only", r"(?:我|他|她|[\u4e00-\u9fff]{2,3})?是(?:家里的?)?(?P<v>独生(?:子|女|儿))", 0),
        (
            "has",
            rf"(?P<v>我(?:的|有(?:一|两|三|个|个)*)?(?:亲)?(?:{_SIB_ZH}"
            rf"|[大二三小]?[姐哥弟妹](?!夫)))(?=今年|在|是|比|上|叫|也|都|$|[，。])",
            0,
        ),
        (
            "count",
            rf"(?:我|他|她)(?:家)?(?:只|就|总共"
            rf"|一共)?有(?P<v>[一二两三四五六七八九])个(?P<k>{_SIB_ZH})",
            0,
        ),
        (
            "called",
            rf"(?P<k>{_PARENT_ZH})(?:的?(?:名字)?(?:叫|是叫)"
            rf"|姓)(?P<v>[\u4e00-\u9fff]{{1,3}})(?=[，。、；”]|$)",
            0,
        ),
        (
            "works",
            rf"(?<!我)(?<!我的)(?P<k>{_PARENT_ZH})(?:以前|生前|曾)?(?:是(?:个|一个|一名|位|名)?"
            rf"|一辈子(?:都)?(?:在)?|当了一辈子)(?P<v>[\u4e00-\u9fff]{{2,6}})(?=[，。；”]|$)",
            0,
        ),
        (
            "works",
            r"(?P<k>爷爷|祖父|奶奶|祖母|外公|外婆)(?:是(?:个|一个|位)?"
            r"|一辈子(?:都)?(?:在)?)(?P<v>[\u4e00-\u9fff]{2,6})(?=[，。；”]|$)",
            0,
        ),
        (
            "works",
            r"是(?:个|一个)?(?P<v>[\u4e00-\u9fff]{2,5})(?:家)?的(?P<k>儿子|女儿)(?=[，。；”]|$)",
            0,
        ),
        (
            "age",
            r"^(?P<k>[\u4e00-\u9fff]{2,3}?)今年(?:刚|才|已)?(?P<v>[一二两三四五六七八九十\d]+)岁",
            0,
        ),
        (
            "age",
            r"^(?P<k>[A-Z]\w+) was (?P<v>\d\d|(?:eigh|nine|seven|six|fif|four)teen|(?:twenty"
            r"|thirty|forty|fifty|sixty|seventy)(?:-\w+)?)(?: years old)?(?= and|[.,])",
            0,
        ),
        (
            "born",
            r"^(?P<k>[\u4e00-\u9fff]{2,3}?)(?:出生于|生于|出生在"
            r"|生在)(?P<v>[\u4e00-\u9fff]{2,4})(?=[，。])",
            0,
        ),
        (
            "hand",
            r"(?:我|他|她|[\u4e00-\u9fff]{2,3})(?:从小|一直|向来|天生)?(?:就)?(?:是"
            r"|用)(?P<v>左撇子|右撇子|左手写字|右手写字|左手吃饭|右手吃饭)",
            0,
        ),
        (
            "eyes",
            r"(?:眼睛|眼眸|瞳孔|眸子|双眼)是(?:深|浅|淡)?(?P<v>黑|褐|棕|蓝|绿|灰|紫|碧绿|碧|湛蓝"
            r"|琥珀)色?",
            0,
        ),
        ("eyes", r"(?P<v>黑|褐|棕|蓝|绿|灰|紫|碧绿|湛蓝|琥珀)色?的(?:眼睛|眼眸|瞳孔|眸子|双眼)", 0),
        ("allergy", r"(?:我|他|她|[\u4e00-\u9fff]{2,3})对[^，。]{1,8}(?P<v>过敏)", 0),
        ("allergy", r"(?P<v>没有[^，。]{0,6}过敏|什么都吃|不过敏)", 0),
        (
            "been",
            r"(?P<v>从没|从未|从来没|没)(?:有)?(?:到|去"
            r"|来)过(?P<k>[\u4e00-\u9fff]{2,4})(?=[，。；”]|$)",
            0,
        ),
        (
            "been",
            r"(?:小时候|年轻时|当年|从前|以前|幼时"
            r"|早年)[^，。]{0,3}在(?P<k>[\u4e00-\u9fff]{2,4}?)(?P<v>住|待|念|长|生活|当|做)(?:过"
            r"|了)",
            0,
        ),
        ("bones", r"(?P<v>断过)(?:[一二两三四五六七八九]|好几|几)[回次根]", 0),
        ("bones", r"(?P<v>没断过|没有断过|从没断过)", 0),
        (
            "built",
            r"(?:这|那|本)?(?P<k>[\u4e00-\u9fff]{1,5}?)(?:是)?(?P<v>\d{3,4})年(?:造|建|修|下水"
            r"|落成)",
            0,
        ),
        (
            "built",
            r"(?:这|那|本)?(?P<k>[\u4e00-\u9fff]{1,5}?)(?:建造|造|建|修|落成)于(?P<v>\d{3,4})年",
            0,
        ),
        (
            "night",
            r"(?P<k>案发(?:当晚|那晚|时|当天)|出事(?:那晚|当晚|那天)|那天晚上|那晚"
            r"|当晚)[，,]?(?:我|他|她)?(?:一直|都"
            r"|整晚)*在(?P<v>[\u4e00-\u9fff]{2,4}?)(?=[，。；”]|跳|喝|吃|睡|值|打|看|守|待|$)",
            0,
        ),
        (
            "only",
            r"(?P<v>(?:爸妈|父母|爹娘|家里)(?:就|只)(?:生了?|有)我一个"
            r"|我没有(?:兄弟|姐妹|兄弟姐妹)(?=[，。]|$))",
            0,
        ),
        ("has", r"(?P<v>我(?:的)?亲(?:哥|姐|弟|妹))", 0),
        ("wed", r"\bI(?:['’]ve| have)? (?P<v>never (?:been )?married)\b", re.IGNORECASE),
        (
            "wed",
            r"\b[Mm]y (?P<v>(?:ex|late|first|former)[- ](?:wife|husband))\b",
            0,
        ),
        ("zodiac", r"我是?属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?=[的，。了]|$)", 0),
        ("only", r"\b(?:I am|I['’]m|(?:he|she) (?:is|was)) an (?P<v>only child)\b", re.IGNORECASE),
        (
            "has",
            r"\b(?P<v>[Mm]y (?:little |big |older |younger |twin )?(?:sister|brother)s?) (?:is"
            r"|was|has|had|lives|works|and|used|says|said|taught|always|got)\b",
            0,
        ),
        (
            "count",
            r"\bI(?:['’]ve| have)?(?: only)?(?: got)? (?:have )?(?:only )?(?P<v>one|two|three"
            r"|four|five|six|seven|no|a) (?P<k>sister|brother)s?\b",
            re.IGNORECASE,
        ),
        ("called", rf"\b(?P<k>{_PARENT_EN})['’]s name (?:was|is) (?P<v>[A-Z][a-z]+)", 0),
        (
            "works",
            rf"\b(?:[Mm]y|[Hh]is|[Hh]er"
            rf"|[A-Z]\w+['’]s) (?P<k>{_PARENT_EN}) was an? (?P<v>[a-z]{{4,}})\b(?! (?:man|woman"
            rf"|person|of)\b)",
            0,
        ),
        ("works", r"\b(?:was|is) an? (?P<v>[a-z]+)['’]s (?P<k>son|daughter)\b", 0),
        (
            "eyes",
            r"\b(?P<v>brown|blue|green|gr[ea]y|black|hazel|violet|amber) eyes\b",
            re.IGNORECASE,
        ),
        (
            "allergy",
            r"\b(?P<v>allergic) to \w+|\b(?P<w>no allergies|not allergic|I eat everything)\b",
            re.IGNORECASE,
        ),
        (
            "been",
            r"\b(?P<v>never) (?:been to|seen|set foot in|visited) (?P<k>(?:the )?\w+)",
            re.IGNORECASE,
        ),
        (
            "been",
            r"\b(?P<v>lived|worked|studied|grew up) in (?P<k>(?:the )?\w+)(?= (?:for|as a|when"
            r"|until|back)\b)",
            re.IGNORECASE,
        ),
        (
            "bones",
            r"\b(?P<v>broken) (?:my|his|her) (?:left |right )?(?:arm|leg|wrist|ankle|collarbone"
            r"|nose) (?:once|twice|three times)|\b(?P<w>never broken a bone)\b",
            re.IGNORECASE,
        ),
        ("met", r"\bwe (?:first )?met in (?P<v>(?:the \w+ of )?\d{4}|\w+ of \d{4})", re.IGNORECASE),
        (
            "built",
            r"\b(?:[Tt]his|[Tt]hat|[Tt]he) (?P<k>\w+) was (?:built|founded|launched"
            r"|laid down) in (?P<v>\d{3,4})\b",
            0,
        ),
        (
            "death",
            r"\b(?P<k>victim|he|she|[A-Z]\w+) was (?P<v>poisoned|strangled|stabbed|drowned|hanged"
            r"|shot|smothered|beaten)\b(?! (?:in|at|by a|twice))",
            0,
        ),
        (
            "night",
            r"\b[Oo]n (?P<k>the night (?:of the \w+|(?:he|she|it) \w+)),? I was (?:\w+ing )?(?:at"
            r"|in) (?:the |my |a )?(?P<v>\w+)",
            0,
        ),
    )
)


_HINT_OF = {
    kind: Marker(".", hints=hints)
    for kind, hints in (
        ("only", "独生|我一个|我没有|only child|have no"),
        ("wed", "married|ex-|late |first |former|ex "),
        ("zodiac", "属"),
        (
            "has",
            "我亲|我姐|我哥|我弟|我妹|我的|我有|我大|我二|我三|我小|my sister|my brother|my little"
            "|my big|my older|my younger|my twin",
        ),
        ("count", "个姐|个哥|个弟|个妹|个兄|sister|brother"),
        ("called", "姓|叫|name|called"),
        (
            "works",
            "父|母|爹|爸|爷|奶|外公|外婆|妈|娘|姥|儿子|女儿|father|mother|dad|mom|mum|grand|son"
            "|daughter",
        ),
        ("age", "今年|was "),
        ("born", "生于|生在|born"),
        ("hand", "左撇子|右撇子|手写字|手吃饭|-handed"),
        ("eyes", "眼|瞳|眸| eyes"),
        ("allergy", "过敏|什么都吃|allerg|eat everything"),
        ("been", "第一次|头一|到过|去过|来过|在|never |lived in|worked in|studied in|grew up"),
        ("bones", "断过|broken"),
        ("met", "认识|相识|认得|we met|we first"),
        ("built", "造|建|修|下水|落成|was built|was founded|was launched|was laid"),
        (
            "death",
            "死|杀|was poisoned|was strangled|was stabbed|was drowned|was hanged|was shot"
            "|was smothered|was beaten",
        ),
        ("night", "当晚|那晚|案发|那天|the night"),
    )
}


# Facts with two possible values: the beginning of the first, and both values.
_SIDES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "wed": (("没", "never"), "no", "yes"),
    "hand": (("左", "left"), "left", "right"),
    "allergy": (("过敏", "allergic"), "yes", "no"),
    "bones": (("断过", "broken"), "yes", "no"),
}


@dataclass(frozen=True, slots=True)
class LastingFact:
    """``key`` names the kind of fact, ``value`` its value; ``start``..``stop`` is its position.

    ``is_of_thing``: the key contains what it is about, so no person is searched for.
    """

    key: str
    value: str
    start: int
    stop: int
    is_of_thing: bool


def lasting_facts(text: str, low: str) -> Iterator[LastingFact]:
    """Yield the facts in a sentence that no event changes."""
    if not HINTS.may_match(low) or _CHANGED.search(text):
        return
    for kind, pattern in _RULES:
        if not _HINT_OF[kind].may_match(low):
            continue
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        value = (groups.get("v") or groups.get("w") or "").casefold()
        of = (groups.get("k") or "").casefold()
        of = _SAME.get(of, of).removeprefix("the ")
        key, said = _read(kind, of, value)
        if said:
            is_thing = kind in ("built", "death", "age", "born")
            yield LastingFact(KEY + key, said, match.start(), match.end(), is_thing)


def _read(kind: str, of: str, value: str) -> tuple[str, str]:  # noqa: PLR0911 - each case of its own
    """Return the subject of a match, and its value in a normal form; "" for none."""
    if kind in _SIDES:
        one, first, second = _SIDES[kind]
        return kind, first if value.startswith(one) else second
    match kind:
        case "only":
            return "siblings", "none"
        case "has":
            return "siblings", "some"
        case "count":
            count = _NUMBERS.get(value, _WORDS.get(value))
            return f"count {of}", str(count) if count is not None else ""
        case "called":
            return f"called {of}{len(value) if not value.isascii() else ''}", value
        case "works":
            of = "father" if of in ("son", "daughter") else "父亲" if of in ("儿子", "女儿") else of
            return f"works {of}", "" if _VAGUE.search(value) else value
        case "age":
            return f"age {of}", str(number_in(value) or "")
        case "eyes":
            return "eyes", _SAME.get(value, value)
        case "been":
            return f"been {of}", "no" if value[0] in "从没n第头" else "yes"
        case _:
            return f"{kind} {of}", value


def differ(key: str, one: str, other: str) -> bool:
    """Return whether two values of a key cannot both be true; ``other`` is the later one."""
    if key.startswith(f"{KEY}age"):
        return int(other) < int(one)
    if one == other or one in other or other in one:
        return False
    if one.isascii():
        return True
    return set(one).isdisjoint(other) or one.isdigit() or other.isdigit()
