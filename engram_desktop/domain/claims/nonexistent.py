"""That somebody or something never was of whom it was said before that they are.

Who said so and says now that there is none has lied; of others the narration or a witness says that
they lied, or that they were mistaken. “There is no time” and 没什么关系 deny nothing that was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.addresses import lie_of, quote_of
from engram_desktop.domain.claims.claim import Claim, Finding
from engram_desktop.domain.claims.patterns import Marker
from engram_desktop.domain.claims.wording import words_of

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_BACK = 400  # floors before a denial in which it was said that there is one
_LOOKED_AT = 40  # of them, those that are read, the newest
_END_ZH = r"(?=[，。！？；、：”」』…!,.\s]|$)"
_AT_ALL = "(?:根本|压根儿?|从来|其实|本来|从头到尾|一直)(?:就|都|也)*"
_NOUN_ZH = r"[^，。！？；：、“”「」\s的了着过不没很我你他她它]{2,8}?"
NONE_ZH = Marker(
    rf"没有?(?:过)?(?:什么|所谓的?|这么(?:一?个)?|那么(?:一?个)?)(?P<a>{_NOUN_ZH}){_END_ZH}"
    rf"|哪(?:里|来)?(?:有|来的|的)(?:什么|所谓的?)(?P<b>{_NOUN_ZH}){_END_ZH}"
    rf"|(?:[那这][个位名种只条])(?P<c>{_NOUN_ZH}){_AT_ALL}(?:不存在|没有?这[个号]人)"
    rf"|(?:^|(?<=[，。：“「]))(?P<d>{_NOUN_ZH}){_AT_ALL}(?:不存在|没有?这[个号]人)"
    rf"|{_AT_ALL}(?:不存在|没有)(?P<e>{_NOUN_ZH})这[个号]人",
    hints="没什么|有什么|有过什么|没过什么|的什么|来什么|所谓|不存在|这个人|这号人|没这么|有这么|没那么|有那么",
)
_NOUN_EN = r"[A-Za-z][\w'’\-]+(?: [a-z][\w\-]+)?"
NONE_EN = Marker(
    r"\b[Tt]here(?:['’]s no|(?: is| was| are| were) no|(?: is| was|['’]s) never (?:an?|any)"
    r"| never (?:was|were|has been|had been) (?:an?|any)|(?:['’]s| has| had) never been (?:an?|any)"
    rf"|(?: isn| wasn)['’]t (?:an?|any)) (?:such )?(?P<a>{_NOUN_EN})(?= at all|[.,;!?—\"”]|$)"
    r"|\b(?:[Tt]he|[Tt]hat|[Yy]our|[Hh]is|[Hh]er|[Tt]his) (?P<b>[\w\-]+) (?:(?:doesn|didn)['’]t"
    r"|does not|did"
    r" not|never) exist(?:ed|s)?\b"
    r"|\b(?:[Tt]he|[Tt]hat|[Yy]our|[Hh]is|[Hh]er) (?P<c>[\w\-]+) (?:is|was) (?:made up|invented"
    r"|imaginary)\b",
    hints="no |never|isn't|isn’t|wasn't|wasn’t|exist|made up|invented|imaginary",
)
# What is denied every day, and was never told as something there is.
_EVERYDAY = frozenset(
    "time way need reason point doubt question hurry rush one use sign answer sound room thing wind"
    " light problem place choice pain harm shame chance hope point going telling turning word"
    " excuse"
    " difference trouble danger mistake other more matter end space food water money help"
    " news".split()
) | frozenset(
    "问题 关系 意思 办法 事情 东西 用处 好说 大事 区别 可说 可怕 印象 感觉 必要 道理 好处 胃口"
    " 力气 精神 心情"
    " 机会 时间 兴趣 人 表情 动静 反应 变化 大碍 希望".split()
)
_PERSON_ZH = re.compile(
    "[家者人客员师商匠贼鬼王侠叔姨姐妹哥弟爷奶爸妈夫妻友徒主娘婆公手长官医兵仙魔妖龙]$"
)
_PERSON_EN = re.compile(
    r"(?:(?<!answ)(?<!matt)(?<!corn)(?<!wat)(?<!numb)(?<!ord)(?<!pap)(?<!dinn)(?<!supp)(?<!rememb)"
    r"(?<!pow)(?<!lett)(?<!moth)(?<!fath)(?<!broth)(?<!upst)(?<!shelt)(?<!riv)(?<!weath)er"
    r"|(?:ct|t|s|il)or|ist|man|woman|boy|girl|uncle|aunt|cousin|husband|wife|sister|brother|mother"
    r"|father|son|daughter|friend|ghost|witch|king|queen|prince|princess|nephew|niece|twin|heir"
    r"|monk|nun|thief|spy|guest|patient|client|baby|child|buyer|witness|monster|dragon"
    r"|fianc[ée]e?)s?$",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"[编骗谎瞒]|捏造|虚构|杜撰|瞎说|胡说|撒谎|假的|\b(?:made (?:\w+ )?up|make (?:\w+ )?up"
    r"|invent\w*|lie[ds]?"
    r"|lying|liar|fiction|imaginary|never (?:was|were|existed))\b",
    re.IGNORECASE,
)
_BELIEVED = re.compile(
    r"以为|当时|听说|\b(?:I|we) (?:thought|believed|was told|were told)\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"(?:没有?|不是|哪有|不)[^，。]{0,4}$|\b(?:no|not|never|any)\b[^,.]{0,12}$|n['’]t\b[^,.]{0,12}$"
)
_TOLD_ZH = re.compile(
    "(?:[一那这几]?[个位名条只种群帮]|[一那这]|有|是|叫|的|跟|和|被|给|让|找|见|，|^)$"
)
_TOLD_EN = re.compile(
    r"\b(?:an?|the|this|that|my|his|her|our|your|some|another|old|rich|[a-z]+) $", re.IGNORECASE
)


def nothing_denied(match: re.Match[str]) -> str:
    """Return what a sentence says that there is none of, "" where it is said every day."""
    noun = next(filter(None, match.groups())).strip().casefold()
    return "" if noun in _EVERYDAY or noun.rsplit(maxsplit=1)[-1] in _EVERYDAY else noun


def never_was(facts: Sequence[Claim], lines: FloorTexts) -> Iterator[tuple[Claim, Finding]]:
    """Yield who said that there is what there is not, and the lie or the mistake that it was."""
    for denial in facts:
        if denial.sign != "none" or denial.depth or denial.how in ("thought", "ooc"):
            continue
        around = _around(denial, lines)
        if _BELIEVED.search(around):
            continue
        is_invented = _INVENTED.search(around) is not None
        said = _said_to_be(denial, lines, of_anything=is_invented)
        if said is None:
            continue
        is_own = denial.speaker == said.speaker
        if is_own or is_invented:
            yield said, lie_of(said, denial, found_out=denial.how != "narrated")
            continue
        knows = said.speaker in denial.hearers and denial.how != "narrated"
        quotes, about = (quote_of(said), quote_of(denial)), said.about or said.speaker
        aware = tuple(filter(None, (denial.speaker, *denial.hearers)))
        status = "corrected" if knows else "held"
        yield (
            said,
            Finding("mistaken", status, (said.speaker,), about, said.facet, quotes, known_to=aware),
        )


def _around(denial: Claim, lines: FloorTexts) -> str:
    """Return a denial with the sentences beside it, of the same voice."""
    row = [c for c in lines.at(denial.floor) if (c.how, c.speaker) == (denial.how, denial.speaker)]
    at = next((n for n, c in enumerate(row) if c.start >= denial.start), 0)
    return " ".join(c.quote for c in row[max(0, at - 1) : at + 3])


def _said_to_be(denial: Claim, lines: FloorTexts, *, of_anything: bool) -> Claim | None:
    """Return who first said that there is one; the one who denies it now where they said so.

    What is no person is only lacking, unless it is said to be invented (``of_anything``).
    """
    noun = denial.value
    units = words_of(noun).units
    is_person = (_PERSON_EN if noun.isascii() else _PERSON_ZH).search(noun) is not None
    first: Claim | None = None
    floors = list(lines.with_words(max(0, denial.floor - _BACK), denial.floor, units, len(units)))
    for floor in floors[-_LOOKED_AT:] if units else ():
        for line in lines.at(floor):
            if (line.floor, line.start) >= (denial.floor, denial.start):
                break
            if not _is_told(line, noun, of_anything=of_anything):
                continue
            if denial.speaker and line.speaker == denial.speaker:
                return line
            first = first or line
    return first if is_person or of_anything else None


def _is_told(line: Claim, noun: str, *, of_anything: bool) -> bool:
    """Whether a speech tells of somebody or something as of one that there is.

    What is said to be invented (``of_anything``) was told of in any words.
    """
    is_said = line.how in ("said", "written") and line.speaker and not line.depth
    if not is_said or line.sign in ("asked", "unreal", "untrue", "admits"):
        return False
    low = line.quote.casefold()
    at = low.find(noun)
    if at < 0 or _DENIED.search(low[:at]):
        return False
    told = _TOLD_EN if noun.isascii() else _TOLD_ZH
    return of_anything or told.search(low[:at]) is not None
