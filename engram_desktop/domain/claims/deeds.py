"""Promises kept by a later deed, recognised by the kind of verb, the thing, and the person.

A thing to be given or fetched is handed over; a person who was to come is present when it is due.
The words of a deed often differ from those of the promise: a promise to bring a thing is kept by
pulling something out of a pocket.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.near_outcomes import EVERYDAY, SILENCE
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.values import dataclass

_BESIDE = 2  # sentences after the one that names when a promise is due
_NAMED_BEFORE = 4  # sentences before that may name what “it” is
_NAME = 3  # characters of a Chinese name: one of the family, two of the person


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of deeds: patterns for the promise, and for the deed told as done."""

    promised: re.Pattern[str]
    done: re.Pattern[str]


def _kind(promised: str, done: str) -> _Kind:
    return _Kind(re.compile(promised, re.IGNORECASE), re.compile(done, re.IGNORECASE))


# To hand over or to fetch: the thing must be named.
_GIVES = _kind(
    r"带(?:回|给|来|上)|送|还(?:给|你|您|他|她)|交|寄|捎|给[你您他她]|买|赔|夺回|抢回|找(?:到|出"
    r"|回)"
    r"|取(?:回|来)|求[^，。]*来|讨回|\b(?:bring|give|get|send|buy|deliver|return|hand|fetch|find"
    r"|take back|you['’]ll (?:have|get)|you shall have|retrieve"
    r"|(?:grow|make|build|bake|sew|forge|mend) (?:you|him|her|them))\b",
    r"掏出|取出|拿出|捧(?:着|出|上|来)|递(?:给|到|上|过)|塞(?:给|进|到)"
    r"|放(?:到|在|进)[^，。]{0,8}(?:手|掌|桌|面前|怀|膝)|[码摆搁](?:在|到)|送(?:到|来)|交(?:到|给)"
    r"|[拎提抱扛端背举](?:着|了)|喂(?:进|到|给)|(?:夺|抢|追|讨|取)(?:回|到手|到了手)"
    r"|\b(?:hand(?:ed|s)|gave|gives|la(?:id|ys)"
    r"|I (?:hand|give|lay|put|set|slide|drop|toss|push|press|pass|count|place)"
    r"|(?:dropp|toss|pass|press|plac)(?:es|ed|s)|drops|slides"
    r"|tip(?:ped|s)|carr(?:ied|ies|ying)|brought|brings|holding|h(?:e|o)lds? (?:it|out|up)"
    r"|deliver(?:ed|s)|slid(?:es)?|push(?:ed|es|ing)|pull(?:ed|s)|signed|puts?|sets?"
    r"|unwrap(?:ped|s))\b",
)
# To give back: what is handed over is “it”, the thing itself, or its name.
_WANTS_BACK = re.compile(
    r"还(?:给)?[你您他她]|就还|归还|\b(?:give|hand|bring|get|pay)\b[^.!?]{0,40}\bback\b"
    r"|\breturn (?:your|his|her|it|the|my|them)\b",
    re.IGNORECASE,
)
# To pay: the debtor says that nothing is owed any more.
_PAYS = re.compile(r"还(?![是有会要能在没不])|付|赔|欠|\b(?:pay|repay|owe)\b", re.IGNORECASE)
_SETTLES = re.compile(
    r"(?:还|付|结)清|两清|扯平|一[分文块两个][^，,。]{0,2}(?:也|都)?不(?:少|差|欠)"
    r"|\b(?:we['’]re|we are|that makes us) (?:square|even|quits)\b|\bpaid in full\b"
    r"|\bevery (?:last )?(?:penny|cent)\b|^\W*all of it\b",
    re.IGNORECASE,
)
# Said while handing over a thing.
_BACK_TO_OWNER = re.compile("物归原主|完璧归赵|如数奉还")
_HERE = re.compile(
    r"(?:^|[，,。！!\s])(?:[还给]|交给)[你您]们?的?[。！!～~”」]*$"
    r"|^\W*here(?:(?:['’]s| is| are) (?:your|the|that)|,? (?:it is|you (?:go|are)))?\b"
    r"(?!(?<=here) \w)(?![^.!?]*:)",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"[过再]几|[明后]天|以后|会|要|等|先|\b(?:will|would|later|soon|tomorrow|next|if|when)\b"
    r"|['’]ll",
    re.IGNORECASE,
)
# To be somewhere: told at the time it is due.
_COMES = _kind(
    r"来(?!世|生)|见|等[你您]|到(?=[^，。]{0,6}$)|会合|碰头|\b(?:be (?:there|here|back|home|at)"
    r"|come|meet|visit|wait|back)\b",
    r"推开?门|推开[^，。]{0,8}门|进来|走进|[站坐候等](?:在|着)|已经?在了|到了|来了|赶[到来回]"
    r"|\b(?:(?:was|were) (?:already )?there|walked|came|stepped|rode|stood|sat|knocked"
    r"|was waiting)\b",
)
_NOT_TO = re.compile(
    r"一[\u4e00-\u9fff][^，。]{0,4}(?:都|也)不(?!会?[少缺差错漏])|(?:绝|决|永远?|再也?|死也|都"
    r"|也)不|不会?再"
    r"|不会(?=[^，。]*(?:说|提|走|离|告诉|透露|泄))|戒"
    rf"|{SILENCE}"
    r"|\b(?:never|won['’]t|will not|shall not|['’]ll not|not going to|quit|done with)\b",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"没|未|不(?!久|远|停|禁|由|料)|别|要是|如果|差点|想要|[？?]"
    r"|\b(?:not|never|no (?!one)|if|would|will"
    r"|could|almost|nearly)\b|n['’]t|['’]ll",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "的了着吗呢吧啊呀我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会能可以"
    "说么什怎上下里中为之而其定必绝将当后前时候天日年月等只好人手来去出过得起"
)
_PRONOUN = re.compile(r"它|这(?:个|东西|件)|\b(?:it|them|(?:you|him|her) one)\b", re.IGNORECASE)
# A Chinese thing is compared by its last character: 一颗开喉丹.
_OBJECT = re.compile(
    r"(?:把|将)(?:那|这|[你我他她]的?)?[把只颗件个枚封]?([\u4e00-\u9fff]{1,6}?)"
    r"(?=亲手|从|给|还|送|带|交|夺|拿|找|取|捎)"
    r"|一[\u4e00-\u9fff]([\u4e00-\u9fff]{1,5}?)(?=[来给回，。！]|$)"
    r"|(?:带|买|送|寄|捎|求|找|夺|取|抢)(?:回|来|给|到"
    r"|[你您他她])*([\u4e00-\u9fff]{1,5}?)(?=[来给回去，。！]|$)"
)
_TO_SOMEBODY = re.compile(
    r"[你您我他她]的?(?:手|掌|怀)|给了?[你您我他她]|\b(?:you|him|her|me)\b", re.IGNORECASE
)
# Circumstances despite which a promise is made are not part of it.
_WHATEVER = re.compile(
    r"(?:无论|不管|不论)[^，。！？]*|\b(?:no matter (?:what|how|who)|whatever)\b[^,.;!?]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Promise:
    """A promise prepared for the comparison with later deeds."""

    things: frozenset[str]
    due: frozenset[str]
    heads: frozenset[str]
    gives: bool
    pays: bool
    comes: bool


@lru_cache(maxsize=2_000)
def _promise(quote: str, trigger: str, names: str) -> _Promise:
    bare = _WHATEVER.sub(" ", quote.replace(trigger, " ") if trigger else quote)
    is_barred = _NOT_TO.search(quote) is not None
    objects = ("".join(filter(None, match.groups())) for match in _OBJECT.finditer(bare))
    return _Promise(
        _things(bare) - words_of(names).units,
        words_of(trigger).units,
        frozenset(o[-1] for o in objects if o) - _COMMON,
        not is_barred and _GIVES.promised.search(bare) is not None,
        not is_barred and _PAYS.search(bare) is not None,
        not is_barred and _COMES.promised.search(bare) is not None,
    )


def _things(text: str) -> frozenset[str]:
    units = words_of(text).units - EVERYDAY
    return frozenset(u for u in units if "'" not in u and "’" not in u)


def _promise_of(claim: Claim) -> _Promise:
    return _promise(claim.quote, claim.trigger, f"{claim.speaker} {claim.about}")


def named_in(claim: Claim, beside: Sequence[Claim]) -> frozenset[str]:
    """Return the words for the promised thing; for “it”, also those of the sentences before.

    ``beside`` are the sentences of the promise's floor.
    """
    promise = _promise_of(claim)
    if not promise.gives or _PRONOUN.search(claim.quote) is None:
        return promise.things
    before = [line for line in beside if line.start < claim.end][-_NAMED_BEFORE:]
    things = frozenset().union(*(_things(line.quote) for line in before))
    no_things = words_of(f"{claim.speaker} {claim.about} {claim.trigger}").units
    return promise.things | (things - no_things)


def handed_over(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim] = ()) -> Claim | None:
    """Return the sentence in which a person says that the promised thing was handed over.

    It must be beside the deed or name the thing: “We're square” alone cancels a debt. None without
    one.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    if not told or not (promise.gives or promise.pays):
        return None
    floor = _DeedsOfFloor(claim, promise, told)
    return next((line for line in told if floor.hands_over(line)), None)


def kept_by_deed(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim] = ()) -> Claim | None:
    """Return the sentence of a later floor in which a deed keeps a promise; None without one.

    ``beside`` are the sentences of the promise's own floor, which may name what the promise only
    refers to.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    floor = _DeedsOfFloor(claim, promise, told)
    is_told = (line.how == "narrated" and line.sign not in ("asked", "unreal") for line in told)
    rows = (number for number, is_it in enumerate(is_told) if is_it)
    return next((told[number] for number in rows if floor.keeps(number)), None)


@dataclass(frozen=True, slots=True)
class _DeedsOfFloor:
    """The sentences of a floor after a promise."""

    claim: Claim
    promise: _Promise
    told: Sequence[Claim]

    def hands_over(self, line: Claim) -> bool:
        """Return whether the speaker says that they hand over the promised thing, or paid."""
        if line.how != "said" or line.sign in ("asked", "unreal") or _LATER.search(line.quote):
            return False
        if line.speaker != self.claim.speaker:
            return False
        is_named = any(self._is_named(near) for near in self.told if near.how == "said")
        settles = self.promise.pays and _SETTLES.search(line.quote)
        if settles and (is_named or self._is_due(self.told)):
            return True
        is_back = _WANTS_BACK.search(self.claim.quote) and _BACK_TO_OWNER.search(line.quote)
        return bool(is_back or (is_named and _HERE.search(line.quote)))

    def keeps(self, number: int) -> bool:
        """Return whether a sentence says that a thing is handed over, or a person has come."""
        line, promise = self.told[number], self.promise
        if not _is_of(self.claim.speaker, line):
            return False
        if promise.gives and _is(_GIVES, line) and self._names_thing(line):
            return True
        before = self.told[max(0, number - _BESIDE) : number + 1]
        return promise.comes and self._is_due(before) and _is(_COMES, line)

    def _is_named(self, line: Claim) -> bool:
        is_head = any(head in line.quote for head in self.promise.heads)
        return is_head or bool(self.promise.things & words_of(line.quote).units)

    def _is_due(self, lines: Sequence[Claim]) -> bool:
        return any(self.promise.due & words_of(near.quote).units for near in lines)

    def _names_thing(self, line: Claim) -> bool:
        if any(head in line.quote for head in self.promise.heads):
            return True
        units = words_of(line.quote).units
        if _promise_of(self.claim).things & units:
            return True
        if self.promise.things & units and _TO_SOMEBODY.search(line.quote):
            return True  # “it”, under the name used beside the promise
        scene = [c for c in self.told if c.how == "narrated"]
        return self._is_due(scene) and any(
            self.promise.things & words_of(c.quote).units for c in scene
        )


def _is(kind: _Kind, line: Claim) -> bool:
    """Return whether the clause with such a deed tells it as done."""
    for match in kind.done.finditer(line.quote):
        first = max(line.quote.rfind(mark, 0, match.start()) for mark in "，,；;：:")
        if not _UNDONE.search(line.quote[first + 1 : match.end()]):
            return True
    return False


def _is_of(name: str, line: Claim) -> bool:
    """Return whether a sentence is about a person."""
    return name == line.about or _called(name) in line.quote


def _called(name: str) -> str:
    """Return the form of a person's name in a sentence: the given name."""
    return name[1:] if len(name) == _NAME and not name.isascii() else name.split(maxsplit=1)[0]
