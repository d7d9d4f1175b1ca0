"""Sentences of a story that say who or what an entity is.

“我叫季泽，是个歌手。”, “Daisy is a Labrador.”: a description without a model, in words of the
story. Chinese and English; in other languages only claims of a model are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from engram_desktop.domain.claims.claim import Claim, Facet, Finding
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.values import dataclass

MOST = 8  # descriptions of one entity: half of them the first ones, half the newest
_LONGEST = 160  # characters: a longer sentence is about more than one thing
_CJK = re.compile("[\u4e00-\u9fff]")
_QUESTION = re.compile(r"[?？吗嘛呢]\W*$")
# Statements of speakers about themselves.
_SELF_ZH = re.compile(
    r"^\W*(?:[^，。！？!?]{1,6}[，、])?(?:其实|因为|但是?|不过|可)?我"
    r"(?:就?是(?!说|不|想|觉得|怕|要|在|真|很|因为|为|这|那|谁|什么|怎|故意|认真|你|一直|来|比较)"
    r"|叫[^，。！？!?吧了来去你他她]{1,6}(?:[，。！!~]|$)|今年|来自|出生|从小|住在"
    r"|的(?:(?:爸|妈|父|母|哥|姐|弟|妹)[^，。]{0,3}[是叫在]|(?:名字|生日|梦想|职业|工作|老家)(?!呢))|在[^，。]{1,10}(?:工作|上班|上学|读书)"
    r"|(?:最|很)?(?:讨厌|害怕|怕|喜欢)(?![你我他她这那和跟被]|失去)"
    r"|有(?:一?[个只条位](?!问题|事|主意|想法|办法|请求|秘密|礼物|东西|疑问|建议|小)))"
)
_SELF_EN = re.compile(
    r"^\W*(?:(?:well|actually|yeah|so|and|but|oh)[, ]+)*"
    r"(?:I(?:['’]m| am) (?:an? (?!bit|little|lot|huge|big|mix)|from |\d|allergic|married|single\b)"
    r"|my (?:name|birthday|job|dream|favou?rite|mother|father|mom|dad|sister|brother|wife|husband"
    r"|son|daughter|hometown) (?:\w+ ){0,2}(?:is|was)\b"
    r"|I (?:live in|work (?:at|as|for|in)|grew up|was born|come from|moved to|teach)\b)",
    re.IGNORECASE,
)
# Statements about a named person.
_OF_ZH = (
    r"(?:{0})(?:就?是(?!不是|说|想|吧|要|谁|不|来)|，?[^，。]{{0,6}}岁|来自|住在|出生"
    r"|的(?:名字|生日|老家|职业|爸|妈|父|母|哥|姐|弟|妹)|[，、]?(?:一个|一位|一名|一座|一家|一把))"
    r"|(?:[我他她它这那就，]是|^是|叫|名为)(?:{0})(?![一-鿿])"
)
_OF_EN = (
    r"(?<!with )(?<!in )(?<!at )(?<!of )(?<!for )(?<!to )(?<!the )(?<!from )(?<![Uu]sing )"
    r"\b(?:{0})(?:,? (?:is|was) (?:an?|the|my|his|her|our|their|from|\d+)\b"
    r"| (?:works|lives|loves)\b)"
    r"|(?<![Hh]ey )(?<!, )\b(?:{0}), (?:my|his|her|our|their|an?|the) (?![\w ]*['’]s\b)"
    r"|\b(?:my|his|her|our|their) (?:(?!to|with|in|of|at|on|from|for|time)[a-z]+ ){{1,2}}(?:{0})\b"
    r"|\b(?:named|called|name is|name['’]s) (?:{0})\b"
)
# Facets that rules read with few mistakes.
_FACETS_ZH: frozenset[Facet] = frozenset(("age", "bond"))
_FACETS_EN: frozenset[Facet] = frozenset(("age",))
_NO_FACETS: frozenset[Facet] = frozenset(("will", "deed", "other", "amount", "owner", "was_at"))


@dataclass(frozen=True, slots=True)
class Description:
    """A statement about an entity on a floor; ``until``: the floor from which it no longer holds.

    ``speaker`` is "" for the narration. ``is_untrue``: it is a lie or a mistake.
    """

    floor: int
    speaker: str
    text: str
    until: int | None = None
    is_untrue: bool = False


def descriptions(
    names: Collection[str],
    facts: Iterable[Claim],
    sentences: Iterable[Claim],
    findings: Sequence[Finding] = (),
    is_known: Callable[[Claim], bool] | None = None,
) -> list[Description]:
    """Return the descriptions of the entity called ``names``, in the order of the story.

    ``facts`` are claims about it, ``sentences`` those of floors that may mention it, ``findings``
    say which of them are over or untrue. ``is_known``: whether the viewpoint knows a claim.
    """
    own = _Describes(names)
    told = [c for c in sentences if own.tells(c) and (is_known is None or is_known(c))]
    held = [c for c in facts if own.holds(c) and (is_known is None or is_known(c))]
    first = {(c.facet, c.value): c for c in reversed(held)}  # the first claim of each fact
    found = [*told, *first.values()]
    rows = {bare(claim.quote): claim for claim in sorted(found, key=_place, reverse=True)}
    chosen = sorted(rows.values(), key=_place)
    if len(chosen) > MOST:
        chosen = [*chosen[: MOST // 2], *chosen[-(MOST // 2) :]]
    return [_described(claim, findings) for claim in chosen]


def _described(claim: Claim, findings: Sequence[Finding]) -> Description:
    text = claim.quote.strip()
    until, is_untrue = None, False
    for finding in findings:
        first = finding.quotes[0]
        if first.floor != claim.floor or (text not in first.text and first.text not in text):
            continue
        if finding.kind == "superseded" and finding.answer not in ("earlier", "both"):
            until = finding.quotes[-1].floor
        is_untrue = is_untrue or finding.kind in ("lie", "mistaken")
    return Description(claim.floor, claim.speaker, text, until, is_untrue)


def _place(claim: Claim) -> tuple[int, int]:
    return claim.floor, claim.start


class _Describes:
    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        either = "|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True)))
        self._of_zh = re.compile(_OF_ZH.format(either or "(?!)"))
        self._of_en = re.compile(_OF_EN.format(either or "(?!)"))

    def tells(self, claim: Claim) -> bool:
        """Return whether a sentence says what the entity is."""
        text = claim.quote.strip()
        if not _is_asserted(claim) or len(text) > _LONGEST or _QUESTION.search(text):
            return False
        is_zh = _CJK.search(text) is not None
        if claim.how != "narrated" and claim.speaker in self._names:
            return (_SELF_ZH if is_zh else _SELF_EN).search(text) is not None
        return (self._of_zh if is_zh else self._of_en).search(text) is not None

    def holds(self, fact: Claim) -> bool:
        """Return whether a claim states something lasting about the entity."""
        text = fact.quote.strip()
        if not _is_asserted(fact) or not fact.polarity or fact.about not in self._names:
            return False
        if fact.is_model:
            return fact.facet not in _NO_FACETS
        is_of_it = fact.speaker in self._names or any(name in text for name in self._names)
        facets = _FACETS_ZH if _CJK.search(text) else _FACETS_EN
        return is_of_it and fact.facet in facets and not _QUESTION.search(text)


def _is_asserted(claim: Claim) -> bool:
    is_meant = claim.sign not in ("asked", "unreal", "ends", "vow") and not claim.depth
    return is_meant and claim.how in ("said", "narrated", "written")
