"""Relationships between people, and other names of a person, where a text states them.

Both names must be known; questions, suppositions and denials are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engram_desktop.domain.graph.entity import is_entity_name
from engram_desktop.domain.memory.extraction import ExtractedRelation

_KIN_ZH = (
    "师[父傅尊兄姐弟妹娘]|徒弟|弟子|父亲|母亲|爹|娘|妈妈|爸爸|儿子|女儿|哥哥|姐姐|弟弟|妹妹|兄长"
    "|丈夫"
    "|妻子|夫人|老公|老婆|未婚[夫妻]|男朋友|女朋友|叔叔|舅舅|姑姑|姨妈|阿姨|爷爷|奶奶|外公|外婆"
    "|侄[子女]"
    "|外甥女?|[养义][父母子女兄姐弟妹]|[表堂][哥姐弟妹]|主人|侍女|丫鬟|管家|上司|下属|老板|助理"
    "|秘书|搭档"
    "|同学|同桌|同事|室友|邻居|朋友|好友|闺蜜|仇人|对手|房东|导师|老师|学生|学徒"
)
_KIN_EN = (
    r"(?:half-|step|twin |grand)?(?:sister|brother|mother|father|daughter|son)|wife|husband|uncle"
    r"|aunt"
    r"|cousin|nephew|niece|master|apprentice|pupil|student|teacher|mentor|tutor|boss|servant|squire"
    r"|fianc[ée]e?|girlfriend|boyfriend|(?:best )?friend|partner|rival|ward|guardian|landlady"
    r"|landlord|roommate|neighbou?r|assistant|secretary|twin|bodyguard"
)
_HAS_KIN = re.compile(f"{_KIN_ZH}|\\b(?:{_KIN_EN})\\b")
_END_ZH = r"(?=[，。！；：、”」…!,.\s]|$)"
_ADJ_EN = r"(?:younger |elder |older |little |big |only |eldest |youngest |own |old |twin )?"
# Between the speaker and the person mentioned.
_BETWEEN_ZH = re.compile(
    f"(?:(?P<you>你)(?:就|可|永远|一直|也|是)*是我的?(?:亲)?(?P<k>{_KIN_ZH})|我(?:就|可|永远|一直"
    f"|也)*是你的?(?:亲)?(?P<j>{_KIN_ZH}))"
    f"{_END_ZH}"
)
_BETWEEN_EN = re.compile(
    rf"\b(?:(?P<you>[Yy]ou)(?:['’]re| are) my {_ADJ_EN}(?P<k>{_KIN_EN})"
    rf"|I(?:['’]m| am) your {_ADJ_EN}(?P<j>{_KIN_EN}))\b(?=[.,;!—]|$)"
)
_UNSURE = re.compile(
    r"[？?]|吗|如果|要是|假如|若|以为|说不定|是不是|会不会|不是|曾|以前|从前|好像|仿佛|听说|梦"
    r"|\b(?:if|would|could|might|maybe|perhaps|like|not|never|no longer|used to|once|former|late"
    r"|ex|pretend\w*|wish\w*|dream\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[^。！？!?\n；;]+[。！？!?；;]?")
_SENTENCES_EN = re.compile(r"[^.!?\n]+[.!?]?")
_CALLED = re.compile(
    "人称|外号|绰号|诨号|诨名|小名|乳名|昵称|又叫|又名|化名|本名|原名|真名|别名|，字|管|"
    r"known as|nicknam|alias|real name|code ?name|callsign"
)
_AKA_ZH = (
    "(?:江湖上?|道上|人人|大家|众人|大伙儿?|朋友们?)?都?(?:人称|外号|绰号|诨号|诨名|小名|乳名"
    "|昵称|又叫|又名|化名"
    "|本名|原名|真名|别名|(?<=，)字)"
)
_ALIAS_ZH = "[“「‘『]?(?P<x>[\u4e00-\u9fff·]{2,6}?)[”」’』]?(?=[，。！；、\\s”」]|$)"
_ALIAS_EN = r"(?:the |old )?(?P<x>[A-Z][\w'’\-]+(?: [A-Z][\w'’\-]+)?)"
_NO_ALIAS = re.compile(
    rf"^(?:{_KIN_ZH}|大人|先生|小姐|公子|姑娘|掌门|帮主|老大|大哥|什么|自己|名字)$|[我你他她的了是]"
)
_SHORT = re.compile("([小阿老])([\u4e00-\u9fff])")
_LEAST, _MOST = 2, 3  # characters of a Chinese name, and the fewest of an English nickname
_NAMES_KEPT = 64  # sets of names whose patterns are held


def told_bonds(
    text: str, people: Mapping[str, str], speaker: str = "", hearer: str = ""
) -> Iterator[ExtractedRelation]:
    """Yield the relationships that a text states between ``people``.

    ``people`` maps each name to the person; ``speaker`` is “I” and ``hearer`` “you”, if known.
    """
    if not _HAS_KIN.search(text):
        return
    is_zh = not text.isascii() and any("\u4e00" <= c <= "\u9fff" for c in text)
    names = frozenset(name for name in people if name in text)
    if not names and not (speaker and hearer):
        return
    for sentence in (_CLAUSES if is_zh else _SENTENCES_EN).findall(text):
        if _HAS_KIN.search(sentence) and not _UNSURE.search(sentence):
            for pattern in _bonds(names, is_zh):
                for match in pattern.finditer(sentence):
                    told = _bond(match, people, speaker, is_zh=is_zh)
                    if told is not None:
                        yield told
            if speaker and hearer and speaker != hearer:
                for match in (_BETWEEN_ZH if is_zh else _BETWEEN_EN).finditer(sentence):
                    pair = (hearer, speaker) if match["you"] else (speaker, hearer)
                    yield _edge(*pair, match["k"] or match["j"], is_zh=is_zh)


def _bond(
    match: re.Match[str], people: Mapping[str, str], speaker: str, *, is_zh: bool
) -> ExtractedRelation | None:
    groups = match.groupdict()
    one = people.get(groups.get("a") or "", speaker)
    other = people.get(groups.get("b") or "", speaker)
    if not one or not other or one == other:
        return None
    return _edge(one, other, match["k"], is_zh=is_zh)


def _edge(one: str, other: str, kin: str, *, is_zh: bool) -> ExtractedRelation:
    """Return the edge that says that ``one`` is ``kin`` of the other."""
    if is_zh:
        return ExtractedRelation(other, f"的{kin}是", one)
    return ExtractedRelation(one, f"is the {kin.casefold()} of", other)


@lru_cache(maxsize=_NAMES_KEPT)
def _bonds(names: Collection[str], is_zh: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001
    """Return the patterns of a statement about two of these names, or about one and “I”."""
    name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    one, other = f"(?P<a>{name})", f"(?P<b>{name})"
    if is_zh:
        kin = f"(?P<k>{_KIN_ZH})"
        be = "(?:就|原来|其实|可|正|也|确实|本)?是"
        forms = (
            f"{one}{be}{other}的{kin}{_END_ZH}",
            f"{other}的{kin}(?:就|正|便)?(?:是|叫|名叫|名唤){one}",
            f"{other}的{kin}{one}",
            f"{one}{be}我的?{kin}{_END_ZH}",
            f"我{be}{other}的{kin}{_END_ZH}",
            f"我的?{kin}(?:就是|是|叫)?{one}",
        )
        return tuple(map(re.compile, forms))
    kin = rf"{_ADJ_EN}(?P<k>{_KIN_EN})\b"
    one = rf"(?:(?:old|young|poor|little) )?{one}(?: [A-Z]\w+)?"
    forms_en = (
        rf"\b{one} (?:is|was) {other}['’]s {kin}",
        rf"\b{other}['’]s {kin}(?:,| is| was)? (?:called |named |old )?{one}\b",
        rf"\b{one}, {other}['’]s {kin}",
        rf"\b{one}(?: is| was|,) (?:the |an? )?{kin} of {other}\b",
        rf"\b{one} is my {kin}",
        rf"\bI(?: am|['’]m) {other}['’]s {kin}",
        rf"\b[Mm]y {kin},? {one}\b",
    )
    return tuple(map(re.compile, forms_en))


def told_aliases(texts: Iterable[str], people: Collection[str]) -> dict[str, str]:
    """Return the other names of people that texts state, with the name of each person."""
    found: dict[str, str] = {}
    for text in texts:
        if not _CALLED.search(text):
            continue
        names = frozenset(name for name in people if name in text)
        if not names:
            continue
        is_zh = not text.isascii() and any("\u4e00" <= c <= "\u9fff" for c in text)
        for pattern in _aliases(names, is_zh):
            for match in pattern.finditer(text):
                alias = match["x"]
                if alias not in people and is_entity_name(alias) and not _NO_ALIAS.search(alias):
                    found.setdefault(alias, match["n"])
    return found


@lru_cache(maxsize=_NAMES_KEPT)
def _aliases(names: Collection[str], is_zh: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001
    name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    who = f"(?P<n>{name})"
    if is_zh:
        forms = (
            rf"{who}[，,]?{_AKA_ZH}(?:是|叫做?|为|唤作?)?{_ALIAS_ZH}",
            rf"(?:都|人人|一直|习惯)管{who}叫{_ALIAS_ZH}",
        )
        return tuple(map(re.compile, forms))
    forms_en = (
        rf"\b{who},? (?:who (?:is|was) )?(?:also |better |otherwise )?known (?:to \w+ )?as"
        rf" {_ALIAS_EN}",
        rf"\b{who}, (?:nicknamed|alias) {_ALIAS_EN}",
        rf"\b{who}['’]s (?:nickname|real name|alias|code ?name|callsign) (?:is|was) {_ALIAS_EN}",
    )
    return tuple(map(re.compile, forms_en))


def short_names_zh(named: Iterable[str], people: Collection[str]) -> dict[str, str]:
    """Return whose short form a name is, if only one person fits: 小陆, 阿泽 of 陆泽."""
    whole = [p for p in people if _LEAST <= len(p) <= _MOST and not _SHORT.fullmatch(p)]
    found: dict[str, str] = {}
    for name in named:
        match = _SHORT.fullmatch(name)
        if match is None:
            continue
        at = slice(1, None) if match[1] == "阿" else slice(0, 1)
        of = [person for person in whole if match[2] in person[at]]
        if len(of) == 1:
            found[name] = of[0]
    return found


# “Hey Mel!”, “Thanks, Cal.” Words before a name that is called.
_CALLED_BEFORE = (
    r"(?:^|[,.!?…]\s*|\b(?:hey|hi|hello|thanks|thank you|yeah|sorry|so|oh|wow|bye),?\s+)"
)
_MOSTLY = 0.75  # share of mentions in which a nickname is called, from which it is that speaker's


def nicknames_en(
    named: Iterable[str], speakers: Collection[str], said: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Return whose nickname a name is: Mel of Melanie, whom others mostly call so.

    ``said`` are (speaker, text). A nickname is the beginning of exactly one speaker's name.
    """
    found: dict[str, str] = {}
    for name in named:
        of = [one for one in speakers if one != name and one.startswith(name)]
        if len(of) != 1 or len(name) < _LEAST or not name.isalpha():
            continue
        word = re.compile(rf"\b{name}\b")
        called = re.compile(rf"{_CALLED_BEFORE}{name}\s*[,.!?…~]", re.IGNORECASE)
        texts = [text for speaker, text in said if speaker != of[0] and name in text]
        mentions = sum(len(word.findall(text)) for text in texts)
        if mentions and sum(len(called.findall(text)) for text in texts) >= mentions * _MOSTLY:
            found[name] = of[0]
    return found
