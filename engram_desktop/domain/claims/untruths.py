"""Words that expose a lie: beside it, or from a hearer who finds it out.

Beside it: what the speaker thinks, or a state that cannot be true together with it. A hearer
accuses the speaker and gives the proof: what they saw, or the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.patterns import Marker
from engram_desktop.domain.claims.wording import is_denial_of, words_of


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
_ONLY_NAMES = re.compile(r"\W*(?:(?:[A-Z][\w'’]*\.?)\W*){1,3}")
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
    r"(?:^|[，。！])(?![^，。！？]{0,4}我)([\u4e00-\u9fff]{2,6}?)(?:一直|又|都|是)?在?(?:说谎"
    r"|撒谎|骗人)"
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
    return match is not None and own not in (match[1] or match[2])


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
