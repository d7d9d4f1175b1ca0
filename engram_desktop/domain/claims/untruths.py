"""What exposes a lie: words beside it, a hearer who finds it out, or the thing that it denies.

Beside it: what the speaker thinks, or a state that cannot be true together with it. A hearer
accuses the speaker and gives the proof: what they saw, or the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from engram_desktop.domain.claims.addresses import lie_of, quote_of
from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.hinted_rules import Marker
from engram_desktop.domain.claims.wording import STOP_HAN, is_denial_of, stem_of, words_of
from engram_desktop.domain.text.sentences import clause_of
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts


class FloorSentences(Protocol):
    """The sentences of floors."""

    def at(self, floor: int) -> Sequence[Claim]:
        """Return all sentences of a floor, with their speakers."""


_HAN = re.compile("[\u4e00-\u9fff]")
_COMMON = frozenset(
    "的了着吗呢吧啊呀哦我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会能"
    "可以说么什怎啦嘛"
    "上下里中为之而于其然后时候天年月来去过得地起自己已经真最更只人家前好多少大小"
)
_NEAR = 3  # sentences between a speech and the words that belie it
_SHORT = 90  # characters of a sentence that belies another

# Thoughts that a speaker hides, or words with which the narration calls a speech a lie.
_SECRET = re.compile(
    r"(?:没|不|别|没有|不敢|不想)让[^，。]{1,6}(?:听见|听到|看见|看到|看出|发现|知道|察觉)"
    r"|\bso (?:that )?\w+ (?:\w+ )?(?:couldn['’]t|could not|wouldn['’]t|would not) (?:see|hear"
    r"|know|notice|guess)\b|(?:自然|当然)(?:也)?(?:不|没|从未)|从(?:来|也)?没[^，。]{1,8}过一"
    r"|\b(?:his|her|my) name was(?: not|n['’]t)\b"
    r"|"
    r"没有?说(?:出口|出来)?的是|没(?:有)?敢(?:告诉|说|讲)|没(?:有)?告诉(?:他|她|任何人|旁人|病人"
    r"|众人|大家)|不能让(?:他|她|他们|军心|别人|旁人|众人)[^，。]{0,4}(?:知道|看出|发现|动摇|担心)"
    r"|心里(?:却|明明|很)?(?:清楚|明白|知道)|心知肚明|(?:他|她|我|[\u4e00-\u9fff]{2,3})(?:撒了?谎"
    r"|说了?谎|骗了(?!自己)|在(?:骗|撒谎|说谎|瞒))|(?:这|那)(?:当然)?是(?:谎|假话|骗人|个谎)"
    r"|^[（(*\s]*(?:骗人的(?!是)|骗子|谎话|假的|才怪|才不|才没|怎么(?:会|可能)不|怎么可能"
    r"|哪里?(?:会|是))|自然不(?:姓|叫|是)|面不改色地(?:说谎|撒谎|编)|随口(?:编|扯|胡诌)"
    r"|\bwhat (?:he|she|I|they|\w+) (?:didn['’]t|did not|left un) ?(?:say|said|mention|tell)"
    r"|\b(?:didn['’]t|did not) have the heart to tell|\bknew (?:very|perfectly|full|quite) well\b"
    r"|\b(?:couldn['’]t|could not|must not|mustn['’]t|dared not"
    r"|didn['’]t dare(?: to)?) (?:let (?:him|her|them|anyone|the \w+)|tell)\b|\b(?:he|she|I"
    r"|[A-Z]\w+) (?:was lying|lied)\b(?! (?:down|to me|to us|about it when|in|on))"
    r"|^[(*\s]*(?:liar|lies|it was a lie|a lie)\b"
    r"|^[(*\s]*(?:she|he|I) (?:hadn|didn|wasn|isn|couldn|hasn|haven|weren|don|doesn)['’]t\.",
    re.IGNORECASE,
)
# Pairs of states: one is said, the other narrated.
_PAIRS = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in (
        (
            r"吃过|吃饱|不饿|\b(?:eaten|ate|not hungry|had (?:dinner|lunch|breakfast))\b",
            r"(?:一口|什么|没)[^，。]{0,6}(?:没吃|没沾|没进)|空(?:着)?肚子|饿|\bnot had a (?:bite"
            r"|thing)|\b(?:hadn['’]t|had not) (?:eaten|had)|\bstomach (?:growled|rumbled)"
            r"|\bhungry|\bstarving",
        ),
        (
            r"(?:没|不)(?:有)?(?:生气|动怒|气|恼)|\bnot (?:angry|mad|upset|cross)\b"
            r"|\bnot at all angry",
            r"气得|火冒|怒(?:火|不可遏|极)|咬(?:着|紧|牙)|攥(?:紧|着)[^，。]{0,3}拳|\b(?:furious"
            r"|seeth\w+|boil\w+|livid|clench\w+|raging)\b",
        ),
        (
            r"在(?:公司|家|单位|学校|路上|图书馆|医院|办公室)|加班|\b(?:at (?:the office|home"
            r"|work|school|the library)|working late|on my way)\b",
            r"(?:走|钻|溜)进了?[^，。]{0,6}(?:酒吧|赌|夜|舞厅|歌厅|餐厅|旅馆|酒店)|根本(?:没"
            r"|不)(?:有)?在|\b(?:walked|slipped|went) into (?:the|a) (?:bar|casino|club|hotel|pub"
            r"|restaurant)\b|\b(?:was|were)(?:n['’]t| not) (?:at|in|on) (?:the|his|her)\b",
        ),
    )
)
_OTHERS = re.compile(r"[“”\"]|^(?:他|她)们")

# Said by another person: an accusation, and its proof.
_ACCUSES = re.compile(
    r"(?:[你您][^，。！？]{0,4}(?<![不没被])|(?:^|(?<=[，。！？!?“…—]))在?)"
    r"(?:撒谎|说谎|骗人|胡说|胡扯|瞎说|编的)(?![的者])"
    r"|你(?:还)?(?:骗|瞒|蒙|糊弄)(?:我|人|大家|谁)|(?:别|休想|休要|少|不必"
    r"|不用)(?:再)?(?:想)?(?:蒙|骗|装|瞒|哄|糊弄|编|演)|当我(?:是)?(?:傻|瞎|三岁)"
    r"|还(?:敢)?说(?:没|不)|还想(?:抵赖|狡辩)"
    r"|\b(?:you['’]re lying|you are lying|you lied|you made (?:it|that|this) up|nonsense"
    r"|don['’]t (?:try to |you )?(?:fool|lie|give me)|stop (?:lying|pretending)|you can stop"
    r"|take me for|huh\?|you liar|a liar you)\b|^\W*liar\b",
    re.IGNORECASE,
)
# A third person says where a person really was: He wasn't on Earth, I saw him at the dock.
_WITNESS = (
    r"[他她][^，。！？]{0,6}(?:根本|压根)(?:就)?[没不]"
    r"|\b(?:he|she) (?:was(?:n['’]t| not| never)|never was) (?:in|on|at|there|here)\b"
)
_EVIDENCE = re.compile(
    r"(?:亲眼|我)(?:都|已经?|可|明明)?(?:看(?:见|到|了|过)|查(?:过|了)|听(?:见|到)|闻(?:到|见)"
    r"|送过)|监控|记录|日志|人证|物证|认得|明明|根本(?:没|不)|赫然|不是[^，。]{1,8}(?:的|而)"
    r"|\b(?:I (?:saw|checked|watched|read|heard|found|know|sent|called)|saw you|the (?:tape|logs?"
    r"|records?|porter|photo\w*|letter)|never was|there (?:is|was) no|isn['’]t|no \w+ of yours"
    r"|is still|been dead|left the)\b",
    re.IGNORECASE,
)
# A hearer cites words: You said you were at home.
CITES = re.compile(
    r"\byou (?:said|told (?:me|us|him|her|them)|claimed|swore|wrote)(?: that)?\b"
    r"|[你您](?:明明|不是)?(?:说过?|讲过?|告诉我|跟我说|骗我说)",
    re.IGNORECASE,
)
EXPOSES = Marker(
    rf"{_ACCUSES.pattern}|{_WITNESS}|(?:监控|记录|我都看|亲眼|查过|明明|根本)[^。]{{0,16}}(?:是你"
    rf"|不是你"
    rf"|没有?|不是)|(?:姑娘|你|您)不(?:叫|是|姓)|是你[^，。]{{1,6}}的"
    r"|\bI (?:saw|watched|checked|read) (?:you|your|the (?:tape|logs?|records?))"
    r"|\byour name isn['’]t\b|\byou did \w+ (?:it|him|her)\b"
    r"|\b\w+ (?:was(?:n['’]t| not| never)|never was) (?:in|on|at|there|here)\b",
    re.IGNORECASE,
    hints="谎|骗|胡说|胡扯|瞎说|编的|蒙我|别装|休|瞒|当我|糊弄|还说|还敢说|查过|监控|记录|我都看|亲眼"
    "|明明|根本|还想|不叫|你不是|是你|别|不必|不用|少"
    "|lying|you lied|liar|you made|nonsense|don't try|don’t try|fool|pretend|you can stop"
    "|take me for|i saw|i checked|i watched|i read|huh|your name|you did|give me"
    "|压根|he was|she was|he never was|she never was|wasn't|wasn’t|was not|was never|never was",
)


DARK = Marker(
    ".",
    hints="没说|没有说|没敢|没有敢|没告诉|没有告诉|不能让|心里|心知|谎|骗|瞒|才怪|才不|才没"
    "|怎么会|怎么可能|哪会|哪里会|自然不|自然没|自然也|当然不|当然是|当然没|面不改色|随口"
    "|让他|让她|让人|让众|让军|让旁|让妹|让别|让娘|让孩|让爹|让妈|从来|从没|从也|假的"
    "|明明|没吃|没沾|没进|肚子|饿|气得|火冒|怒|咬|攥|酒吧|赌|夜店|夜总|舞厅|根本|didn't"
    "|didn’t|did not|what |knew|couldn|could not|must|dared|lying|lied|liar|lie|hadn|wasn"
    "|isn|hasn|haven|weren|don't|don’t|doesn|bite|eaten|hungry|starv|stomach|furious"
    "|seeth|boil|livid|clench|raging|heart|into|were|name was|she was|he was",
)


# Reported speech, and unwanted outcomes: the speaker asserts nothing that could be a lie.
# A person is only called: “Miss Ashcombe.”
_ONLY_NAMES = re.compile(  # 柳师叔……
    r"\W*(?:(?:[A-Z][\w'’]*\.?)\W*){1,3}|[\u4e00-\u9fff]{1,5}…+"
)
_NO_CLAIM = re.compile(
    r"^[“\"‘\s]*(?:有人说|听说|据说|传说|他们说|大家说|人家说)"
    r"|(?:不能|不可以?|不许|别|不要|绝不|休想)(?:再)?(?:让|叫|给|告诉)"
    r"|\b(?:they|people|some) say\b|\bI(?:['’]ve)? heard that\b"
    r"|\b(?:can(?:no|['’])t|must(?:n['’]t| not)|don['’]t) (?:let|allow)\b"
    r"|\bdon['’]t tell (?:him|her|them|any)",
    re.IGNORECASE,
)
# Words, or Chinese characters, that an accusation shares with its subject, unless it is the
# direct reply to it.
_SAID_ALIKE = 2


_BARE_NO = 3  # characters of 才没有: a protest, no lie
_STILL_SAYS = re.compile("还(?:敢|要|好意思)?(?:说|讲)(?=[没不])(.{2})")
_OF_LIARS = re.compile("(?:说谎|撒谎|骗人)的(?:人|孩子|小孩|都?是|时候|代价|下场)")
# Subjects of an accusation of lying other than “I”.
_LIES_SAID = re.compile(
    r"(?:^|[，。！—])(?![^，。！？]{0,4}我)((?:(?![我他她你])[\u4e00-\u9fff]){2,6}?)"
    r"(?:一直|又|都|是)?在?(?:说谎|撒谎|骗人|骗了(?=[他她我你大众所]))"
    r"|\b((?!I\b)[A-Z]\w+)(?: is|['’]s| was)? (?:lying|lied)\b"
)
_BARE_NAME = re.compile(
    r"[你您](?:这|个)[^，。！？]{0,4}骗子|骗人[的啦吧呢~～！]"
    r"|\byou (?:big |little |awful |rotten )?liar\b|\bliar\b[!.~]",
    re.IGNORECASE,
)


def calls_liar(confession: Claim, own: str) -> bool:
    """Return whether words call another person than ``own`` a liar: 岑野在说谎, Tom is lying."""
    match = _LIES_SAID.search(confession.quote)
    return match is not None and not _names(own, match[1] or match[2])


def names_no_lie(quote: str) -> bool:
    """Return whether words mention lies or liars without saying which words were a lie."""
    return _OF_LIARS.search(quote) is not None


def claims_nothing(quote: str) -> bool:
    """Return whether words assert nothing of the speaker's own, so that they cannot be a lie."""
    return _NO_CLAIM.search(quote) is not None or _ONLY_NAMES.fullmatch(quote) is not None


def is_dark(quote: str) -> bool:
    """Return whether a sentence may belie a speech of the previous floor."""
    return DARK.may_match(quote.casefold()) and (
        _SECRET.search(quote) is not None or any(other.search(quote) for _one, other in _PAIRS)
    )


def shared_content(one: str, other: str) -> int:
    """Return how much two texts have in common: words, or Chinese characters."""
    units = len(words_of(one).units & words_of(other).units)
    chars = {c for c in one if _HAN.match(c)} & set(other) - _COMMON
    return max(units, len(chars))


def belies(said: Claim, line: Claim, gap: int, *, is_of_it: bool = True) -> bool:
    """Return whether thoughts or narration ``gap`` sentences after words show them to be a lie.

    ``is_of_it``: whether they are certainly about these words.
    """
    quote = line.quote
    is_far = gap > _NEAR or len(quote) > _SHORT
    if is_far or not DARK.may_match(quote.casefold()) or _OTHERS.search(quote):
        return False
    if line.how == "narrated" and line.about and said.speaker and line.about != said.speaker:
        return False
    if is_of_it and _SECRET.search(quote):
        return True
    return any(other.search(quote) and one.search(said.quote) for one, other in _PAIRS)


def exposes(said: Claim, speech: str, floor: int) -> bool:
    """Return whether a reply shows words to be a lie: with the opposite, or an observation.

    ``floor`` is the floor of the reply.
    """
    if claims_nothing(said.quote) or names_no_lie(speech):
        return False
    if (told := _STILL_SAYS.search(speech)) is not None:
        return told[1] in said.quote and len(said.quote.strip("，。！？!?…~ ")) > _BARE_NO
    is_denied = any(is_denial_of(p, said.quote, 1) for p in _parts(speech))
    if _ACCUSES.search(speech) is not None:
        least = 1 if floor - said.floor <= 1 else _SAID_ALIKE
        return is_denied or shared_content(said.quote, speech) >= least
    return _EVIDENCE.search(speech) is not None and is_denied


def is_teasing(quote: str) -> bool:
    """Return whether words call a person a liar without stating the truth."""
    return _BARE_NAME.search(quote) is not None and _EVIDENCE.search(quote) is None


def _parts(speech: str) -> list[str]:
    return [part for part in re.split(r"[。！？!?.，,]", speech) if len(part) > 1]


# What a confession takes back: a known lie, or the words that it repeats.

_OWNED_UP = 60  # floors after a known lie in which “I lied to you” is about it: a long scene
_REPEATED = 400  # floors after which a confession repeats no earlier words
_LIED = re.compile(
    r"\blied to you\b|(?:骗|瞒)[了着过]?[你您]|对[你您][^，。]{0,2}[撒说]了?谎", re.IGNORECASE
)
_SAID_FALSELY = re.compile("骗[你您他她]们?说(?:我|是)?([^，。！？]{2,})")
_IS_FALSE = re.compile("(?:那?都?是)?假的[。！…]*")
_TO_YOU = re.compile("[你您]")


def owned_up(confession: Claim, lies: Sequence[Finding]) -> int | None:
    """Return the index of the lie that a speaker owns up to: the newest known one of theirs."""
    if confession.sign != "admits" or _LIED.search(confession.quote) is None:
        return None
    for number in range(len(lies) - 1, -1, -1):
        lie = lies[number]
        is_near = 0 < confession.floor - lie.quotes[0].floor <= _OWNED_UP
        if is_near and lie.status == "told" and lie.who == (confession.speaker,):
            return number
    return None


def said_falsely(confession: Claim) -> str:
    """Return the words that a confession repeats: 我骗你说跟她不熟."""
    match = _SAID_FALSELY.search(confession.quote)
    return "" if match is None else match[1]


def last_saying(confession: Claim, words: str, lines: FloorTexts) -> Claim | None:
    """Return the newest sentence of a speaker with two characters in a row of ``words``."""
    pairs = {a + b for a, b in pairwise(words)}
    first, last = max(0, confession.floor - _REPEATED), confession.floor - 1
    floors = {*lines.with_words(first, last, words_of(words).units)}
    floors |= {*range(max(first, last - _WITHIN), last + 1)}  # words of common characters only
    own = (
        line
        for floor in sorted(floors, reverse=True)
        for line in reversed(lines.at(floor))
        if line.how in ("said", "written") and line.speaker == confession.speaker
    )
    return next(
        (
            line
            for line in own
            if not (line.sign or line.depth) and any(pair in line.quote for pair in pairs)
        ),
        None,
    )


def answers_what(line: Claim, lines: FloorTexts) -> bool:
    """Return whether words say of a thing that was asked about that it is false."""
    if _IS_FALSE.fullmatch(line.quote.strip()) is None:
        return False
    before = [*lines.at(line.floor - 1), *lines.at(line.floor)]
    said = [c for c in before if c.how == "said" and (c.floor, c.start) < (line.floor, line.start)]
    return bool(said) and said[-1].sign == "asked" and said[-1].speaker != line.speaker


def may_accuse(sign: Claim, line: Claim) -> bool:
    """Return whether a reply may accuse the speaker of a line: “you” is who hears the reply.

    It does not if each says it of the other: 你先动的手。明明是你先动的手！.
    """
    if "明明" in sign.quote and "是你" in sign.quote and "你" in line.quote:
        return False
    return not sign.hearers or line.speaker in sign.hearers or not _TO_YOU.search(sign.quote)


# A thing exposes a lie: its speaker says it is gone or never taken, and has it. Later the narration
# shows the thing itself hidden (in a drawer, under a tile, falling out of a pocket) or in the hands
# of the speaker. Another thing of the kind, one in the open and one in another person's place
# expose nothing.

_WITHIN = 8  # floors after a denial in which the thing exposes a lie: liars hide things nearby
_MOST = 40  # denials watched at once
_ACTS_NEAR = 2  # sentences before the thing in which the speaker of the denial acts
_LONG = 120  # characters of a sentence in which a thing is in a place
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
_COMMON_HAN = STOP_HAN | frozenset(
    "大小好多少前后天年月日时候人手头身心眼声话事样地方自己东西什么把只个件张枚两三四五六七八九十"
    "早已全只真老爷娘爹妈爸哥姐弟妹子儿"
)


@dataclass
class WatchedDenials:
    """Denials of things that may still be exposed, in a line as far as it was read."""

    watched: list[Claim] = field(default_factory=list)

    def copy(self) -> WatchedDenials:
        """Return an independent copy."""
        return WatchedDenials(list(self.watched))

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
        return frozenset(c for c in text if _HAN.match(c)) - _COMMON_HAN
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
        near = told[max(0, number - _ACTS_NEAR) : number + 1]
        actors = {c.about for c in near if c.about}
        is_named = any(_names(said.speaker, c.quote) for c in told)
        if said.speaker not in actors and not is_named and line.floor - said.floor > _ACTS_NEAR:
            continue
        is_alone = said.speaker in actors or any(_names(said.speaker, c.quote) for c in near)
        return line, bool(actors - {said.speaker}) or not is_alone
    return None


def _names(person: str, text: str) -> bool:
    return person in text or (not person.isascii() and len(person) > 2 and person[1:] in text)


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
