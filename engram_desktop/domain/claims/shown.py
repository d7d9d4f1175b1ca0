"""Lies exposed by a thing: a speaker says it is gone or never taken, and has it.

Later the narration shows the thing itself hidden (in a drawer, under a tile, falling out of a
pocket) or in the hands of the speaker. Another thing of the kind, one in the open and one in
another person's place expose nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.addresses import lie_of, quote_of
from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.hinted_rules import clause_of
from engram_desktop.domain.claims.patterns import Marker
from engram_desktop.domain.claims.wording import STOP_HAN, stem_of, words_of
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_WITHIN = 8  # floors after a denial in which the thing exposes a lie: liars hide things nearby
_MOST = 40  # denials watched at once
_NEAR = 2  # sentences before the thing in which the speaker of the denial acts
_LONG = 120  # characters of a sentence in which a thing is in a place
_HAN = re.compile("[\u4e00-\u9fff]")
# Denials of having a thing: it was disposed of, or never taken. Denials that it exists,
# or that it was seen, touched or eaten, are common in talk, and nothing exposes them.
_GONE_ZH = "丢|烧|毁|扔|沉|卖|碎|弄丢|搞丢|遗失|不见|销毁"
LACKS_ZH = Marker(
    rf"(?:{_GONE_ZH})(?:掉)?了|(?:扔|烧|丢|沉|埋|卖|倒)(?:进|到|在|给)了?"
    r"|(?:没有?|不曾|从未|未曾)(?:[拿偷藏捡取](?![到起稳动得])|收过|留[下着])",
    hints="了|没|不曾|从未|未曾|扔|烧|丢|沉|埋|卖|倒",
)
LACKS_EN = Marker(
    r"\b(?:lost|gone|stolen|burn(?:ed|t)|destroyed|sold|sank|dumped|smashed)\b"
    r"|\b(?:is|are|was|were|went|gone|been|['’]s) missing\b"
    r"|\b(?:threw|thrown|gave|given) \w+ (?:\w+ )?(?:in|into|away|out|to|over)\b"
    r"|(?:\bnever|n['’]t|\bnot) (?:\w+ )?(?:had|took|taken|steal|stole|stolen|ke(?:ep|pt)|hide|hid"
    r"|hidden)\b",
    re.IGNORECASE,
    hints="lost|gone|missing|stolen|burn|destroyed|sold|sank|dumped|smashed|threw|thrown|gave|given"
    "|never|n't|n’t|not",
)
_NP_ZH = r"[^，。！？；：、“”\s的了着过]{1,8}?"
_STILL_ZH = (
    "(?:就|还|正|仍|仍然|依旧|竟然?|果然|赫然|明明|分明|好好地?|好端端地?|静静地?|整整齐齐地?"
    "|一直|全|都|也)*"
)
# Chinese words for a thing's position, before 在 or 着.
_LIES_ZH = "[躺放摆挂搁插压埋藏锁堆码贴塞缝别系夹裹泡垫立停留摊扔丢晾串盛装架叠裹拴露沾竖]"
_AT_ZH = "[里下中内后底间头]"
# A thing that is in a place, that a place contains, in a person's hands, or that appears.
_SHOWN_ZH = re.compile(
    rf"(?:^|(?<=[，。；：]))(?![^，。]{{0,12}}[把将])[^，。]{{0,6}}?(?P<t>{_NP_ZH}){_STILL_ZH}(?:"
    rf"{_LIES_ZH}在|(?<=[就还正仍然旧都直])在)(?!一起|说)[^，。]{{0,12}}"
    rf"|{_AT_ZH}[^，。的]{{0,8}}?{_LIES_ZH}(?:着|满了?)(?P<u>[^，。]{{1,10}})"
    r"|(?:[抽掏取拿摸翻拎捧端抱搬拖拆展倒]出了?|[摸触碰]到了?|[攥捏握揣抚摩]着"
    rf"|展开了?)(?P<v>[^，。]{{1,12}})"
    rf"|(?P<w>{_NP_ZH})从[^，。]{{1,10}}?[滚掉落滑露跌飞散洒漏]了?(?:出|下)"
)
_NOUN_EN = r"(?:[\w'’\-]+ ){0,4}?[\w'’\-]+"
_SHOWN_EN = re.compile(
    rf"(?P<t>{_NOUN_EN}) (?:\w+ly |still |just )?(?:lay|lies|was|were|is|are|[a-z]{{3,}}ed|hung"
    r"|stood|stands"
    r"|sat|sits|hangs|fell|slid|stuck|spilt)(?: (?:still|right|there|just|\w+ly|folded|wrapped"
    r"|hidden|tucked"
    r"|in a row))* ?(?:inside|in|under|underneath|beneath|behind|at|on|beside|among|between|there"
    r"|out|from"
    r"|across|where)\b"
    r"|\b(?:there|inside|underneath|in|under|behind|beneath|on|at)\b[^.,;]{0,30},? (?:lay|was"
    r"|were|sat|hung"
    rf"|stood|lies|is|are) (?P<u>{_NOUN_EN})\b"
    r"|\b(?:took|pulled|drew|slid|slipped|lifted|fished|dug|produced|unwrapped|unfolded|felt"
    r"|touched|held"
    r"|closed (?:on|over|around|round)|found|turned over|counted|stroked|brushed|kissed|takes"
    r"|pulls|draws"
    rf"|slides|holds|counts) (?P<v>{_NOUN_EN})\b(?! (?:hand|arm))",
    re.IGNORECASE,
)
# A hidden thing is in, under or behind something.
_HIDDEN = re.compile(
    r"[里内下底后缝]|夹层|[藏塞埋压夹锁裹]"
    r"|\b(?:in|inside|into|under|underneath|beneath|behind|among|between|from|out)\b",
    re.IGNORECASE,
)
_ANOTHERS_PLACE = re.compile(
    r"(?<![他她自])的(?:口袋|衣袋|怀|包|袖|抽屉|房|手|床|柜|箱)|\b\w+['’]s (?:\w+ )?"
    r"(?:pocket|bag|coat|drawer|room|hand|bed|desk|trunk|sleeve)",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"新|另|^一|\ban?\b|别的|假|空|影子|画|梦|\b(?:new|another|other|no|empty|nothing|fake|false|dream\w*)\b",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"没|不(?!知|禁|由|动|过)|未|仿佛|好像|如果|要是|\b(?:not|never|no|if|as if|as though|would"
    r"|could)\b|n['’]t",
    re.IGNORECASE,
)
_COMMON = STOP_HAN | frozenset(
    "大小好多少前后天年月日时候人手头身心眼声话事样地方自己东西什么把只个件张枚两三四五六七八九十"
    "早已全只真老爷娘爹妈爸哥姐弟妹子儿"
)


@dataclass
class Shown:
    """Denials of things that may still be exposed, in a line as far as it was read."""

    watched: list[Claim] = field(default_factory=list)

    def copy(self) -> Shown:
        """Return an independent copy."""
        return Shown(list(self.watched))

    def lies(
        self, facts: Iterable[Claim], lines: FloorTexts, floors: range, told: Set[Quote]
    ) -> Iterator[tuple[Claim, Finding]]:
        """Yield lies exposed by things of new floors; ``told`` are known lies."""
        new = [c for c in facts if c.sign == "lacks" and c.speaker and not c.depth]
        for said in (*self.watched, *new):
            if quote_of(said) in told:
                continue
            things = _denied(said, lines)
            first, last = max(said.floor, floors.start), min(floors.stop - 1, said.floor + _WITHIN)
            is_zh = _HAN.search(said.quote) is not None  # the index has no single characters
            near = range(first, last + 1) if is_zh else lines.with_words(first, last, things)
            for floor in near if things else ():
                shown = _shown(said, things, lines.at(floor))
                if shown is not None:
                    line, is_seen = shown
                    yield said, lie_of(said, line, found_out=is_seen)
                    break
        self.watched = [
            c
            for c in (*self.watched, *new)
            if c.floor + _WITHIN >= floors.stop and quote_of(c) not in told
        ][-_MOST:]


def _denied(said: Claim, lines: FloorTexts) -> frozenset[str]:
    """Return the denied words: of the denial, and of the question that it answers."""
    asked = [
        line.quote
        for floor in (said.floor - 1, said.floor)
        for line in lines.at(floor)
        if line.sign == "asked"
        and line.speaker != said.speaker
        and (line.floor, line.start) < (said.floor, said.start)
    ]
    denial = said.quote
    if (match := LACKS_ZH.pattern.search(denial)) is not None:
        first, last = clause_of(denial, 0, len(denial), match.start())
        denial = denial[first:last]
    return _content(f"{' '.join(asked)} {denial}")


def _content(text: str) -> frozenset[str]:
    if _HAN.search(text):
        return frozenset(c for c in text if _HAN.match(c)) - _COMMON
    return words_of(text).units


def _shown(
    said: Claim, things: frozenset[str], floor: Sequence[Claim]
) -> tuple[Claim, bool] | None:
    """Return the sentence of a floor that shows the denied thing, and whether a person sees it."""
    told = [line for line in floor if line.how == "narrated"]
    for number, line in enumerate(told):
        if line.floor == said.floor and line.start < said.start:
            continue
        if line.sign in ("asked", "unreal") or len(line.quote) > _LONG:
            continue
        if not line.quote.isascii() and things.isdisjoint(line.quote):
            continue
        if not any(_is_there(match, things) for match in _things(line, said.speaker)):
            continue
        is_named_there = _names(said.speaker, line.quote)
        if _ANOTHERS_PLACE.search(line.quote) is not None and not is_named_there:
            continue
        near = told[max(0, number - _NEAR) : number + 1]
        actors = {c.about for c in near if c.about}
        is_named = any(_names(said.speaker, c.quote) for c in told)
        if said.speaker not in actors and not is_named and line.floor - said.floor > _NEAR:
            continue
        is_alone = said.speaker in actors or any(_names(said.speaker, c.quote) for c in near)
        return line, bool(actors - {said.speaker}) or not is_alone
    return None


def _names(person: str, text: str) -> bool:
    return person in text or (not person.isascii() and len(person) > _NEAR and person[1:] in text)


def _things(line: Claim, liar: str) -> Iterator[str]:
    """Yield things that are in a place, or in the hands of the speaker of the denial."""
    quote = line.quote
    if _UNDONE.search(quote):
        return
    for match in (_SHOWN_EN if quote.isascii() else _SHOWN_ZH).finditer(quote):
        is_in_hand = match["v"] is not None
        if line.about != liar if is_in_hand else not _HIDDEN.search(quote):
            continue
        thing = next(filter(None, match.groups()))
        if not _ANOTHER.search(thing):
            yield thing


def _is_there(thing: str, things: frozenset[str]) -> bool:
    """Return whether a thing is one of the denied ones, by its noun."""
    if _HAN.search(thing):
        return not things.isdisjoint(thing[-2:])
    return any(stem_of(word) in things for word in re.findall(r"[A-Za-z]+", thing)[-3:])
