"""Counts of things, in any wording: a new count ends the previous one.

Two sentences count the same thing if they have the same unit (发, litres, percent) and share
another word or the person they are about, or if the story counts nothing else by that unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.patterns import Marker
from engram_desktop.domain.claims.states_en import NUM
from engram_desktop.domain.claims.wording import counted, number_in, words_of
from engram_desktop.domain.values import dataclass

_BACK = 1_500  # floors searched before a count for the one that it ends: a long arc
_FEW = 3  # counts by a unit: up to this number the unit alone identifies what is counted
_SHARED = 3  # two sentences count the same thing if a third of the words of one are in the other
_NEAR = 24  # characters around a count in which “only” or “left” refers to it
# Common units: other words must show that the same thing is counted.
_OF_MUCH = frozenset(
    "名 位 头 只 颗 枚 袋 箱 艘 架 支 块 块钱 元 口 人 条 people men women money".split()
)
_UNITS_ZH = (
    "人口 名 位 匹 头 只 发 颗 枚 袋 箱"
    " 公斤 斤 吨 石 票 桶 瓶 艘 架 户 升 亩 顷 条命 支 块钱 元 两银子 银元 文钱"
    " 贯 灵石 分钱 度 级 公里 人 块 口人 口"
)
_NUMBER_ZH = r"[零一二两三四五六七八九十百千万亿半\d]+"
COUNTS_ZH = Marker(
    rf"(?P<percent>百分之{_NUMBER_ZH})|(?P<n>{_NUMBER_ZH})[多来余个]?"
    rf"(?P<u>{'|'.join(_UNITS_ZH.split())})(?![们生工心家才间员]|[^，。]{{0,3}}[年月天日])",
    hints="|".join((*"二两三四五六七八九十百千万亿半0123456789", "剩一", "只有一", "百分之")),
)
_NO_UNITS_EN = (
    r"(?:hours?|days?|weeks?|months?|years?|minutes?|seconds?|times?|miles?|feet|foot|steps?|inch(?:es)?"
    r"|yards?|paces|kilomet\w+|met(?:re|er)s?|o['’]clock|eyes|hands|fingers|arms|legs|more|things?"
    r"|ways|sides|of|or|and|to|in|at|on|by|for|the|that|is|was|other|others|old|long|big|good"
    r"|nights?|mornings?|words|floors?|doors?|seconds|hundred|thousand|million|half|quarter|left)"
)
_NUMBER_EN = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+|{NUM}(?:[ -](?:hundred|thousand|million|dozen))?"
    rf"(?:,? (?:and )?{NUM}(?: hundred)?)?)"
)
_WORDS_EN = (
    "one two three four five six seven eight nine ten eleven twelve teen twent thirt fort fift sixt"
    " sevent eight ninet hundred thousand million dozen"
)
COUNTS_EN = Marker(
    rf"\b(?P<n>{_NUMBER_EN}) ?(?P<percent>%|percent\b|per cent\b)|\b(?P<m>{_NUMBER_EN})"
    rf" (?!{_NO_UNITS_EN}\b)(?:[a-z\-]+ )??(?P<u>(?!{_NO_UNITS_EN}\b)[a-z]{{3,}}s|people|men|women"
    r"|horse|foot|silver|gold|sheep|crew)\b",
    re.IGNORECASE,
    hints="|".join((*_WORDS_EN.split(), *"0123456789")),
)
# With these words a sentence counts things, and not how many things an action is done to.
_THERE_ARE = re.compile(
    r"有|剩|共|余|够|存|带|攒|才|只|：|:|是|满|"
    r"\b(?:is|are|was|were|has|have|had|got|left|hold\w*|count\w*|number\w*|stood|stand|there|only"
    r"|in|on)\b|['’](?:s|re|ve)\b",
    re.IGNORECASE,
)
# With these words a count is said to have changed.
_NOW = re.compile(
    r"剩|(?:只|(?<!人)才|仅)(?:有|够)?(?=[零一二两三四五六七八九十百千万半\d])|现在|如今|眼下|已经|涨|跌|降|升到|增|减|少了|多了|变成|瘦|胖|还有|不到|了(?=[，。！；”」]|$)"
    r"|\b(?:left|only|now|down to|up to|just|remain\w*|already|by (?:now|then|spring|summer|autumn"
    r"|winter|midsummer|morning|dawn|noon)|at last|so far|no more than|still)\b",
    re.IGNORECASE,
)
_PART = re.compile(  # a part of the things, not all
    r"其中|之一|\b(?:of (?:them|us|you|the|my|his|her)|one of|another|each|every|per)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Count:
    """A count in a sentence: ``number`` of ``unit``, at character ``at``."""

    unit: str
    number: int
    at: int


def count_in(text: str, *, is_zh: bool) -> Count | None:
    """Return the count in a sentence; None without one."""
    pattern = (COUNTS_ZH if is_zh else COUNTS_EN).pattern
    found = list(pattern.finditer(text))
    if len(found) != 1 or _PART.search(text) or not _THERE_ARE.search(text):
        return None
    match = found[0]
    number = number_in(match[0])
    unit = "%" if match["percent"] else match["u"] if is_zh else counted(match["u"])
    return Count(unit, number, match.start()) if number is not None else None


def count_before(claim: Claim, before: Sequence[Claim]) -> Claim | None:
    """Return which earlier count with the same unit a count ends."""
    if not _is_told_anew(claim.quote):
        return None
    units = _context(claim)
    by_itself = claim.value.partition(" ")[2] not in _OF_MUCH
    for old in reversed(before):
        if not 0 < claim.floor - old.floor <= _BACK:
            continue
        is_one = bool(claim.about) and claim.about == old.about
        is_only = len(before) <= _FEW and not (claim.about and old.about and not is_one)
        if _shares_enough(units, _context(old)) or (by_itself and (is_one or is_only)):
            return old if number_in(old.value) != number_in(claim.value) else None
    return None


def _shares_enough(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two counts share a third of the words of the shorter sentence."""
    shared = len(one & other)
    return shared > 0 and shared * _SHARED >= min(len(one), len(other))


def _is_told_anew(text: str) -> bool:
    """Return whether words near a count say that it was another before."""
    pattern = (COUNTS_EN if text.isascii() else COUNTS_ZH).pattern
    near = ((max(0, m.start() - _NEAR), m.end() + _NEAR) for m in pattern.finditer(text))
    return any(_NOW.search(text[first:last]) for first, last in near)


def _context(claim: Claim) -> frozenset[str]:
    """Return the words around a count, without its number and unit."""
    is_zh = not claim.quote.isascii()
    bare = (COUNTS_ZH if is_zh else COUNTS_EN).pattern.sub(" ", claim.quote)
    return words_of(bare).units
