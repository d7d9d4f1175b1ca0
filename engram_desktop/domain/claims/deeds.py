"""What a later deed tells of a promise, by the kind of its verb, its thing, and who does it.

A thing that was to be given or fetched is in somebody's hands; who was to come is there when it is
due, or the place is empty; who was never to drink, leave or tell does so. The words of a deed are
seldom those of the promise: a promise brings, who keeps it pulls something out of a pocket.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.lessons import Lesson, skill_of
from engram_desktop.domain.claims.near_outcomes import EVERYDAY, NEAR, SILENCE
from engram_desktop.domain.claims.untruths import OWNS_EN, OWNS_ZH
from engram_desktop.domain.claims.wording import stem_of, words_of
from engram_desktop.domain.values import dataclass

_HAN = re.compile("[\u4e00-\u9fff]")
_BESIDE = 2  # sentences behind the one that names when a promise is due
_NAMED_BEFORE = 4  # sentences in which stands what “it” is
_NAME = 3  # characters of a Chinese name: one of the family, two of the person


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of deeds: how it is promised, and how it is told as done."""

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
# To give back: what is handed over is “it”, the thing itself, or has its name.
_WANTS_BACK = re.compile(
    r"还(?:给)?[你您他她]|就还|归还|\b(?:give|hand|bring|get|pay)\b[^.!?]{0,40}\bback\b"
    r"|\breturn (?:your|his|her|it|the|my|them)\b",
    re.IGNORECASE,
)
_GIVEN_BACK = re.compile(
    r"把(?P<zh>它|东西|那[\u4e00-\u9fff]{1,6}?|这[\u4e00-\u9fff]{1,6}?)[^，。]{0,4}?"
    r"(?:塞|放|搁|推|丢|扔|抛|交|递|还)(?:回|到|进|给|在)[^，。]{0,3}[你您我他她]"
    r"|\b(?:hand(?:s|ed)|give[ns]?|gave|pass(?:es|ed)|press(?:es|ed)|push(?:es|ed)|slid(?:es)?"
    r"|puts?"
    r"|lays?|laid|place[sd]|toss(?:es|ed)|return(?:s|ed)) (?:(?:you|him|her|me) )?"
    r"(?P<en>it|them|(?:the|your|his|her|my|that) (?:[\w\-]+ )?[\w\-]+?)(?: \w+ly)? (?:back|over"
    r"|(?:in|into|to) (?:your|his|her|my|you|him|me)(?: [\w\-]+)?)\b",
    re.IGNORECASE,
)
_ITSELF = re.compile(r"(?:它|东西|it|them|the thing|your thing)$", re.IGNORECASE)
_LIKE = 4  # letters of a name that another name of the thing holds: a glass is a spyglass
# To pay: who gave something says that nothing is left of it.
_PAYS = re.compile(r"还(?![是有会要能在没不])|付|赔|欠|\b(?:pay|repay|owe)\b", re.IGNORECASE)
_SETTLES = re.compile(
    r"(?:还|付|结)清|两清|扯平|一[分文块两个][^，,。]{0,2}(?:也|都)?不(?:少|差|欠)"
    r"|\b(?:we['’]re|we are|that makes us) (?:square|even|quits)\b|\bpaid in full\b"
    r"|\bevery (?:last )?(?:penny|cent)\b|^\W*all of it\b",
    re.IGNORECASE,
)
_SETTLED = words_of("square quits 两清 还清 付清 结清").units
# Said while something is handed over.
_BACK_TO_OWNER = re.compile("物归原主|完璧归赵|如数奉还")
_HERE = re.compile(
    r"(?:^|[，,。！!\s])(?:[还给]|交给)[你您]们?的?[。！!～~”」]*$"
    r"|^\W*here(?:(?:['’]s| is| are) (?:your|the|that)|,? (?:it is|you (?:go|are)))?\b"
    r"(?!(?<=here) \w)(?![^.!?]*:)",
    re.IGNORECASE,
)
_MY_WORD = re.compile(
    r"我?(?:说过的话|说话)[^，,。]{0,4}算[话数]|我[^，,。你]{0,3}(?:说到做到|不食言)"
    r"|\b(?:I (?:always )?(?:keep|kept) my (?:word|promises?)"
    r"|as (?:I )?promised|told you I would)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"[过再]几|[明后]天|以后|会|要|等|先|\b(?:will|would|later|soon|tomorrow|next|if|when)\b"
    r"|['’]ll",
    re.IGNORECASE,
)
# To be somewhere: told where it is due.
_COMES = _kind(
    r"来(?!世|生)|见|等[你您]|到(?=[^，。]{0,6}$)|会合|碰头|\b(?:be (?:there|here|back|home|at)"
    r"|come|meet|visit|wait|back)\b",
    r"推开?门|推开[^，。]{0,8}门|进来|走进|[站坐候等](?:在|着)|已经?在了|到了|来了|赶[到来回]"
    r"|\b(?:(?:was|were) (?:already )?there|walked|came|stepped|rode|stood|sat|knocked"
    r"|was waiting)\b",
)
# Somebody is there before the other, whatever the hour is called by then.
_IS_THERE = re.compile(
    r"(?:已经?|早就?已?经?)[^，。]{0,3}(?:在了|到了|[等坐站候]在)|如约|准时"
    r"|\balready (?:there|waiting|standing|sitting)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"空(?:着|荡荡|无一人)|没有?(?:来|出现|露面|回来|等到|人来)|等到(?:天黑|深夜|半夜|天亮|散场)"
    r"|不见[^，。]{0,4}(?:人影|踪影)|[看去吃来等]成|来不了|走不开"
    r"|\bstayed empty\b|\b(?:an|the) empty (?:chair|seat|place|bed|bench|room)\b"
    r"|\b(?:does|did|had|has)(?:n['’]t| not) (?:come|show|arrive|turn)|\bnever (?:came|showed)\b"
    r"|\bno(?:body| one|t a sign|thing) (?:came|comes)\b|\bno sign of\b|\bwaited (?:until|till)\b",
    re.IGNORECASE,
)
# Ruled out for good: done, it breaks the promise.
_TELLS = _kind(
    r"[说提讲]|告诉|透露|泄|传出|\b(?:tell|say|breathe|speak|mention|talk)\b",
    r"(?<![目眼神情色脸间光气音][中里])(?<![目眼]光)(?<!神[情色])(?:说|讲|抖|透露|泄露|捅"
    r"|传)(?:了|给|出|漏|遍|开)|告诉了|一五一十|从头到尾|合盘托出"
    r"|\b(?:told (?!(?:you|me) (?:so|not))|blurted|let slip|let it slip|spilled|gossiped)",
)
_LEAVES = _kind(
    r"离(?:开|弃)|走(?:开)?|丢下|抛下|\b(?:leave|stir|move|abandon|desert)\b",
    r"(?:走|离开|跑|逃|不见)了|丢下[^，。]{1,6}[走跑逃]|抛下了"
    r"|\b(?:(?:he|she|I|they|[A-Z]\w+) (?:left|fled|walked out|ran off)"
    r"|(?:had|was|['’]d(?: just)?) gone|no one (?:standing|there))\b",
)
_DRINKS = _kind(
    r"酒|\b(?:drink|drop of|bottle)\b", r"酒(?!店|吧|楼|馆)|醉|\b(?:drank|drunk|whisky)\b"
)
_GAMBLES = _kind(
    r"赌|[摸打碰]牌|麻将|\b(?:gambl\w*|tables|cards?|dice|bet)\b",
    r"赌|[摸打]了?[^，,。]{0,3}牌|[坐上围][^，,。]{0,3}牌[桌局]|麻将"
    r"|\b(?:gambl\w*|tables|chips|dice|bet|at cards|(?:s[ia]ts?|sitting|join(?:s|ed))"
    r" [^,.!?]{0,12}card[ -]table)\b",
)
_SMOKES = _kind(r"抽烟|吸烟|烟", r"(?:抽|点|叼)[^，。]{0,4}烟|\b(?:cigarette|smoking|lit up)\b")
_BARRED = (_TELLS, _LEAVES, _DRINKS, _GAMBLES, _SMOKES)
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
IS_SECRET = re.compile(SILENCE, re.IGNORECASE)
# A secret was kept: I told nobody, he never said a word, she kept your secret.
_KEPT_SECRET = re.compile(
    r"(?:守|保)(?:住|着|守)?了?[^，,。！!？?]{0,6}秘密|替[^，,。]{1,4}瞒(?:着|住|了)"
    r"|秘密[^。！!？?]{0,12}(?<!还)没有?[^，,。]{0,6}(?:告诉(?!你)|说出|说漏|泄露|透露|提)"
    r"|(?<!还)(?:没|未)有?(?:跟|向|对)?[^，,。]{0,2}(?:告诉|透露给)?(?:任何人|别人|一个人"
    r"|旁人)[^，,。]{0,2}(?:说|讲|提"
    r"|透露)?过?了?(?=[，,。！!”」~…]|$)"
    r"|(?:一直|始终|到底|终究|半个字|一个字|一句)[^，,。！!？?]{0,6}没有?(?:再|跟|向"
    r"|对)?[^，,。]{0,3}"
    r"(?:告诉[他她](?!的)|说出(?:去|来)|说漏|泄露|透露|提起)"
    r"|\bkept (?:(?:your|my|his|her|the|that|this|our) secret"
    r"|it (?:secret|to (?:my|him|her|your)self))\b"
    r"|\b(?:never|have(?:n['’]t| not)|did(?:n['’]t| not)|had(?:n['’]t| not)) (?:ever )?"
    r"(?:(?:told|tell) (?:a soul|anyone|anybody|him|her|them)"
    r"|(?:breathed?|said|say|let slip) a word|(?:let on|(?:mention(?:ed)?|sa(?:id|y)) (?:it"
    r"|anything|a thing|a word)))\b"
    r"(?=[^,;]{0,12}[.!;,]|\W*$)"
    r"|\btold (?:nobody|no one|not a soul)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:yet|before|until|but|that|about my|how|why|what)\b|[？?]", re.IGNORECASE
)
_YOU_FIRST = re.compile(r"\W*(?:[你您他她]|(?:you|he|she|they)\b)", re.IGNORECASE)
_YOU = re.compile(r"[你您]|\byou\b", re.IGNORECASE)
_COMMON = frozenset(
    "的了着吗呢吧啊呀我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会能可以"
    "说么什怎上下里中为之而其定必绝将当后前时候天日年月等只好人手来去出过得起"
)
# The verb that is ruled out, and those that say too little by themselves.
_RULED_OUT = re.compile(
    r"(?<!差)不(?:会|再|肯|去|能|敢)*([\u4e00-\u9fff])"
    r"|\b(?:never|won['’]t|(?:will|shall|['’]ll) not|not going to)(?: ever| again)? (\w+)",
    re.IGNORECASE,
)
_VAGUE = frozenset("会再要能让是有来去走说为做到用想在把对跟给见放得好") | frozenset(
    "be let have do see say go get make tell put come take back give look know".split()
)
# To find out: it comes out by who owns up to it, or by who looked for it.
_FINDS_OUT = re.compile(
    r"查(?:出|清|明|到)|找出|揪出|弄清|\b(?:find (?:out )?(?:who|what|the one|out))\b",
    re.IGNORECASE,
)
_FOUND_OUT = re.compile(
    r"真凶|凶手(?:就)?是|原来(?:就)?是|就是你|查(?:到|清|明|出来)了|水落石出|真相大白"
    r"|\b(?:there['’]s (?:what|who)|so it was|it was you|all along|found (?:him|her|it|out))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"它|这(?:个|东西|件)|\b(?:it|them|(?:you|him|her) one)\b", re.IGNORECASE)
# What is handed over, of Chinese by its last character: 一颗开喉丹.
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
# Not done, as somebody says or as it is told: 他没把药带回来.
_MISSED = re.compile(
    r"(?<!还)(?<!从来)没(?:有|能)?(?!关系|事|错|什么|[^，。！？]*(?:之前|以前))"
    r"([^，。！？]{1,12})"
    r"|\b(?:did|had|has)(?:n['’]t| not) ([^.!?,;]{3,50})|\bnever ([^.!?,;]{3,50})",
    re.IGNORECASE,
)
_YET = re.compile(r"\byet\b|尚未", re.IGNORECASE)
_OF_OTHER = re.compile(r"[你您他她]|\b(?:you|he|she|they)\b", re.IGNORECASE)
# Who speaks says it of themself: 我一直没告诉你, I didn't tell you.
_OF_SELF = re.compile(r"我(?!们)[^，。！？你您他她]*$|\bI\W*$", re.IGNORECASE)
_SEES = re.compile(  # behind a name: what another does
    r"[^，,。]{0,2}(?:看见|看到|望见|瞧见|望着|看着)| (?:saw|sees|watche[ds]) ", re.IGNORECASE
)
_OF_THEM = re.compile(r"\W*(?:[他她]|(?:he|she|they)\b)", re.IGNORECASE)
# Words by which who promised, or who was to have it, calls it off, wherever they say so.
_OFF = re.compile(
    r"就?当我?(?:从)?没有?(?:说|讲|提)过|[不甭别](?:用|必|需)[^，。！？]{0,6}了"
    r"|算了(?![^。！？]*再)|作罢|不必了|免了"
    r"|一笔勾销|不作数|\b(?:never mind|forget (?:about|it)|no need|don['’]t (?:bother|need to)"
    r"|let (?:it|that) go|let go of|out of (?:your|my) (?:mind|head)|call(?:ed)? (?:it )?off"
    r"|release you|you needn['’]t|changed my mind|given up (?:on )?)\b",
    re.IGNORECASE,
)
_I = re.compile(r"我|\bI\b")
# What a promise holds in spite of is not what is promised.
_WHATEVER = re.compile(
    r"(?:无论|不管|不论)[^，。！？]*|\b(?:no matter (?:what|how|who)|whatever)\b[^,.;!?]*",
    re.IGNORECASE,
)
_FINDING = words_of("find found out who what 查清 查明 查出 凶手").units
_NOT_ANY_MORE = re.compile(r"不([\u4e00-\u9fff]{1,3})了(?=[。！，”…]|$)")


@dataclass(frozen=True, slots=True)
class _Promise:
    """A promise as later deeds are laid beside it; ``kinds`` are those that it rules out."""

    things: frozenset[str]
    chars: frozenset[str]
    due: frozenset[str]
    heads: frozenset[str]
    verbs: frozenset[str]
    gives: bool
    pays: bool
    comes: bool
    finds_out: bool
    is_barred: bool
    is_secret: bool
    kinds: tuple[_Kind, ...]


@lru_cache(maxsize=2_000)
def _promise(quote: str, trigger: str, names: str) -> _Promise:
    bare = _WHATEVER.sub(" ", quote.replace(trigger, " ") if trigger else quote)
    barred = _NOT_TO.search(quote)
    kinds = [kind for kind in _BARRED if barred and kind.promised.search(quote, barred.start())]
    objects = ("".join(filter(None, match.groups())) for match in _OBJECT.finditer(bare))
    verbs = (match[1] or stem_of(match[2]) for match in _RULED_OUT.finditer(quote))
    return _Promise(
        _things(bare) - words_of(names).units,
        frozenset(c for c in bare if _HAN.match(c)) - _COMMON - frozenset(names),
        words_of(trigger).units,
        frozenset(o[-1] for o in objects if o) - _COMMON,
        frozenset(verbs) - _VAGUE if barred else frozenset(),
        barred is None and _GIVES.promised.search(bare) is not None,
        barred is None and _PAYS.search(bare) is not None,
        barred is None and _COMES.promised.search(bare) is not None,
        _FINDS_OUT.search(bare) is not None,
        barred is not None,
        IS_SECRET.search(quote) is not None,
        tuple(kinds),
    )


def _things(text: str) -> frozenset[str]:
    units = words_of(text).units - EVERYDAY
    return frozenset(u for u in units if "'" not in u and "’" not in u)


def _promise_of(claim: Claim) -> _Promise:
    return _promise(claim.quote, claim.trigger, f"{claim.speaker} {claim.about}")


def named_in(claim: Claim, beside: Sequence[Claim]) -> frozenset[str]:
    """Return the words of what is promised; of “it”, those of the sentences before it too.

    ``beside`` are the sentences of the promise's floor.
    """
    promise = _promise_of(claim)
    if not promise.gives or _PRONOUN.search(claim.quote) is None:
        return promise.things
    before = [line for line in beside if line.start < claim.end][-_NAMED_BEFORE:]
    things = frozenset().union(*(_things(line.quote) for line in before))
    no_things = words_of(f"{claim.speaker} {claim.about} {claim.trigger}").units
    return promise.things | (things - no_things)


def settled_by(claim: Claim) -> frozenset[str]:
    """Return the words of a floor that may tell that what was to be paid is paid."""
    return _SETTLED if _promise_of(claim).pays else frozenset()


def handed_over(claim: Claim, told: Sequence[Claim], beside: Sequence[Claim] = ()) -> Claim | None:
    """Return the words by which somebody says that what was promised is in the other's hands.

    They stand beside the deed, or name the thing: “We're square” alone calls a debt off.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    if not told or not (promise.gives or promise.pays):
        return None
    floor = _DeedsOfFloor(claim, promise, told)
    return next((line for line in told if floor.hands_over(line)), None)


def told_by_deed(
    claim: Claim, told: Sequence[Claim], beside: Sequence[Claim] = ()
) -> tuple[str, Claim] | None:
    """Return what a later floor tells of a promise by a deed, and the sentence that does.

    ``beside`` are the sentences of the promise's own floor: they name what it only points at.
    """
    promise = replace(_promise_of(claim), things=named_in(claim, beside))
    floor = _DeedsOfFloor(claim, promise, told)
    rows = [n for n, line in enumerate(told) if line.sign not in ("asked", "unreal")]
    for status in ("given_up", "broken", "kept"):
        for number in rows:
            if floor.tells(status, number):
                return status, told[number]
    return None


@dataclass(frozen=True, slots=True)
class _DeedsOfFloor:
    """The sentences of a floor behind a promise."""

    claim: Claim
    promise: _Promise
    told: Sequence[Claim]

    def tells(self, status: str, number: int) -> bool:
        """Whether a sentence tells that the promise is kept, broken or given up."""
        line = self.told[number]
        if status == "kept" and self.promise.is_secret:
            return self._is_kept_secret(line)
        if status == "given_up":
            return self._calls_off(number)
        if status == "broken":
            return self._breaks(number)
        if self._is_lesson(line):
            return True
        if line.how == "narrated":
            return self._keeps(number)
        return self.promise.finds_out and self._comes_out(line)

    def _is_lesson(self, line: Claim) -> bool:
        """Whether a sentence tells that what was to be taught was taught."""
        skill = frozenset() if self.promise.is_barred else skill_of(self.claim.quote)
        lesson = Lesson(skill, self.claim.speaker, self.claim.about, self.told)
        return bool(skill) and lesson.is_told(line)

    def hands_over(self, line: Claim) -> bool:
        """Whether somebody says that they hand over what was promised, or that it was paid."""
        if line.how != "said" or line.sign in ("asked", "unreal") or _LATER.search(line.quote):
            return False
        own = line.speaker == self.claim.speaker
        settles = self.promise.pays and _SETTLES.search(line.quote)
        named = own and any(self._is_named(near) for near in self.told if near.how == "said")
        if settles and (named or self._has_handed()):
            return True
        if settles and own and self._is_due(len(self.told) - 1, of_floor=True):
            return True
        if own and _MY_WORD.search(line.quote):
            return self._has_handed(named=True)
        is_back = own and _WANTS_BACK.search(self.claim.quote) and _BACK_TO_OWNER.search(line.quote)
        return bool(is_back or (named and _HERE.search(line.quote)))

    def _has_handed(self, *, named: bool = False) -> bool:
        """Whether it is told that who promised hands something over; ``named``: what was meant."""
        return any(
            line.how == "narrated"
            and _is_of(self.claim.speaker, line)
            and _is(_GIVES, line)
            and (self._is_named(line) or not named)
            for line in self.told
        )

    def _is_named(self, line: Claim) -> bool:
        is_head = any(head in line.quote for head in self.promise.heads)
        return is_head or bool(self.promise.things & words_of(line.quote).units)

    def _is_due(self, number: int, *, of_floor: bool = False) -> bool:
        before = self.told[0 if of_floor else max(0, number - _BESIDE) : number + 1]
        return any(self.promise.due & words_of(near.quote).units for near in before)

    def _keeps(self, number: int) -> bool:
        line, promise = self.told[number], self.promise
        if not _is_of(self.claim.speaker, line):
            return False
        if promise.gives and _is(_GIVES, line) and self._names_thing(number):
            return True
        if promise.gives and self._gives_back(line):
            return True
        is_near = line.floor - self.claim.floor <= NEAR
        if promise.comes and is_near and _IS_THERE.search(line.quote):
            return True
        return promise.comes and self._is_due(number) and _is(_COMES, line)

    def _gives_back(self, line: Claim) -> bool:
        """Whether who was to give a thing back hands it over, called “it” or by another name."""
        if not _WANTS_BACK.search(self.claim.quote):
            return False
        given = _GIVEN_BACK.search(line.quote)
        if given is None or _UNDONE.search(line.quote, 0, given.end()):
            return False
        thing = (given["zh"] or given["en"]).casefold()
        if _ITSELF.match(thing):
            return True
        if given["zh"]:
            return not self.promise.chars.isdisjoint(thing[1:])
        word = stem_of(thing.rpartition(" ")[2])
        things = self.promise.things
        return word in things or any(len(word) >= _LIKE and word in one for one in things)

    def _is_kept_secret(self, line: Claim) -> bool:
        """Whether a sentence tells that who promised to tell nobody told nobody."""
        if _KEPT_SECRET.search(line.quote) is None or _NOT_YET.search(line.quote):
            return False
        name = self.claim.speaker
        if line.how == "narrated" or line.speaker != name:
            is_you = (
                line.how == "said" and _YOU.search(line.quote) and _I.search(line.quote) is None
            )
            told_you = is_you and (not line.hearers or name in line.hearers)
            return bool(told_you) or (line.how == "narrated" and _is_of(name, line))
        return _YOU_FIRST.match(line.quote) is None or _I.search(line.quote) is not None

    def _names_thing(self, number: int) -> bool:
        line = self.told[number]
        if any(head in line.quote for head in self.promise.heads):
            return True
        units = words_of(line.quote).units
        if _promise_of(self.claim).things & units:
            return True
        if self.promise.things & units and _TO_SOMEBODY.search(line.quote):
            return True  # “it”, by the name that it has beside the promise
        scene = [c.quote for c in self.told if c.how == "narrated"]
        is_due = any(self.promise.due & words_of(q).units for q in scene)
        return is_due and any(self.promise.things & words_of(q).units for q in scene)

    def _comes_out(self, line: Claim) -> bool:
        own = line.speaker == self.claim.speaker and _FOUND_OUT.search(line.quote) is not None
        is_owned = line.sign in ("owns", "admits") or OWNS_EN.search(line.quote) is not None
        if not own and not is_owned and OWNS_ZH.search(line.quote) is None:
            return False
        shared = words_of(self.claim.quote).units & words_of(line.quote).units
        return bool(shared - _FINDING)

    def _breaks(self, number: int) -> bool:
        line, promise = self.told[number], self.promise
        is_told = line.how == "narrated"
        if is_told and promise.comes and self._is_due(number) and _EMPTY.search(line.quote):
            return True
        if not promise.is_barred:
            return self._is_missed(line)
        if self._is_told_of_other(line):
            return True
        is_own = line.how == "said" and line.speaker == self.claim.speaker and _I.search(line.quote)
        if not is_own and not (is_told and _is_of(self.claim.speaker, line)):
            return False
        sees = _SEES.match(line.quote.partition(_called(self.claim.speaker))[2])
        if is_told and not sees and any(_is(kind, line) for kind in promise.kinds):
            return True
        return any(_does(verb, line.quote) for verb in promise.verbs)

    def _is_told_of_other(self, line: Claim) -> bool:
        """Whether who was to have a promise says that it was broken: He left."""
        is_hearers = line.how == "said" and line.speaker in ("", self.claim.about)
        is_of = is_hearers and _OF_THEM.match(line.quote) is not None
        is_near = line.floor - self.claim.floor <= NEAR
        return is_of and is_near and any(_is(kind, line) for kind in self.promise.kinds)

    def _is_missed(self, line: Claim) -> bool:
        """Whether somebody else, or the narration, says that what was promised was not done."""
        if line.speaker == self.claim.speaker or line.how == "thought" or _YET.search(line.quote):
            return False
        things = _promise_of(self.claim).things
        is_of = _is_of(self.claim.speaker, line) or _OF_OTHER.search(line.quote) is not None
        missed = _MISSED.finditer(line.quote)
        others = (m for m in missed if not self._is_of_self(line, m.start()))
        scopes = ("".join(filter(None, match.groups())) for match in others)
        return is_of and any(things & words_of(scope).units for scope in scopes)

    @staticmethod
    def _is_of_self(line: Claim, until: int) -> bool:
        return line.how != "narrated" and _OF_SELF.search(line.quote, 0, until) is not None

    def _calls_off(self, number: int) -> bool:
        """Whether somebody who has a part in a promise calls it off, and names what it was."""
        line, promise = self.told[number], self.promise
        own = line.speaker == self.claim.speaker
        if line.how not in ("said", "written") or not line.speaker or promise.is_barred:
            return False
        if not own and self.claim.about and line.speaker != self.claim.about:
            return False
        match = _NOT_ANY_MORE.search(line.quote) if own else None
        if match is not None and promise.chars & set(match[1]):
            rest = set(line.quote) - set(match[0])
            if promise.chars & rest or promise.things & words_of(line.quote).units:
                return True
        if not _OFF.search(line.quote):
            return False
        near = self.told[max(0, number - _BESIDE) : number + 1]
        words = words_of(" ".join(c.quote for c in near if c.speaker == line.speaker))
        return bool(promise.things & words.units)


def _does(verb: str, quote: str) -> bool:
    """Whether a clause tells a verb that was ruled out as done: 我就喝了三口."""
    if _HAN.match(verb):
        return re.search(rf"(?<![没不别]){verb}(?:了|着|过|得)", quote) is not None
    words = re.findall(r"[A-Za-z]+", quote)
    told = [w for w in words if stem_of(w.casefold()) == verb and w.casefold() != verb]
    return bool(told) and _UNDONE.search(quote) is None


def _is(kind: _Kind, line: Claim) -> bool:
    """Whether the clause of a sentence that tells such a deed tells it as done."""
    for match in kind.done.finditer(line.quote):
        first = max(line.quote.rfind(mark, 0, match.start()) for mark in "，,；;：:")
        if not _UNDONE.search(line.quote[first + 1 : match.end()]):
            return True
    return False


def _is_of(name: str, line: Claim) -> bool:
    """Whether a sentence tells of somebody."""
    return name == line.about or _called(name) in line.quote


def _called(name: str) -> str:
    """Return what somebody is called in a sentence: by their given name."""
    return name[1:] if len(name) == _NAME and not name.isascii() else name.split(maxsplit=1)[0]
