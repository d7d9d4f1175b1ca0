"""Which words of a speech a summary without a model quotes, and how much they tell."""

from __future__ import annotations

import re

from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.narration import plain
from engram_desktop.services.extractive.words import is_verb


@dataclass(frozen=True, slots=True)
class QuotedWords:
    """Words of one sentence; ``weight`` is their value in a summary, of a plain statement 1."""

    text: str  # empty if nothing is worth quoting
    weight: float = 1.0  # set by hand
    is_question: bool = False


NOTHING = QuotedWords("", 0.0)


def quoted_words(sentence: str, language: str) -> QuotedWords:
    """Return the words of a spoken sentence without the fillers it begins with."""
    bare = plain(sentence).strip(_EDGES)
    return _english(bare) if language == "en" else _chinese(bare)


_EDGES = " ,，、~～;；:：—–-*"

# English.

_NOISE = (
    r"yeah|yep|yup|nope|nah|oh|ooh|wow|whoa|hey(?: there)?|hi|hello|haha(?:ha)*|lol|h+m+|uh+|um+|"
    r"ah+|aw+|ugh|huh|eh|well"
)
_FILLER = (
    r"yes|no|thanks(?: so much| a lot| again| a ton| a bunch)?|thank you(?: so much| very much)?|"
    r"thx|ok(?:ay)?|sure(?: thing)?|congrats|congratulations|so|anyway|"
    r"i mean|you know|totally(?: agree)?|gosh|damn|definitely|absolutely|of course|right|true|"
    r"exactly|agreed|"
    r"good (?:morning|night|evening)|please|actually|honestly|look|listen|see|and|but|also|"
    r"however|additionally|in addition|besides|also|finally|firstly|overall|unfortunately|"
    r"that['’]s (?:so )?(?:great|awesome|cool|amazing|nice)|great|awesome|cool|nice|sounds good|"
    r"tell me"
)
_OPENS = re.compile(
    rf"^(?:(?:{_NOISE})(?:[,.!~…;:—– -]+|$)|(?:{_FILLER})(?:\s*[,.!~…;:—–-]+\s*|$))+", re.IGNORECASE
)
_FEWEST_WORDS = 3  # of a quotation that tells something; not measured
_MIND = frozenset(
    "love like hate want need hope plan wish fear prefer enjoy miss adore trust promise swear owe"
    " decided regret believe".split()
)
_REACTION = re.compile(r"(?:you|that|it|this|these|those|what)\b", re.IGNORECASE)


def _english(bare: str) -> QuotedWords:
    text = _OPENS.sub("", bare)
    words = text.lower().split()
    if len(words) < _FEWEST_WORDS:
        return NOTHING
    text = text[:1].upper() + text[1:]
    if text.rstrip(" ~!").endswith("?"):
        return QuotedWords(text, 0.2, is_question=True)
    if words[0] == "i" and words[1] in _MIND:
        return QuotedWords(text, 1.2)
    if words[0] == "please":
        return QuotedWords(text, 1.1)
    if is_verb(words[0]):  # an order
        return QuotedWords(text, 0.5)
    return QuotedWords(text, 0.6 if _REACTION.match(text) else 1.0)


# Chinese.

_ZH_FILLER = (
    "嗯+|哦+|噢+|啊+|哈+|嘿+|呵+|哼+|唔+|唉+|诶+|欸+|咦+|呃+|额+|哇+塞?|呀|喂|嘻+|呜+|哎呀?|切|咳+|呼+|emm+|很好|等等|"
    "好(?:的|吧|啊|呀|呢|嘞|哒)*|行(?:吧|啊)?|是(?:的|啊|吗)?|对(?:啊|呀|了|的)?|没错|没事|当然(?:了|啦|可以)?|"
    "真的(?:吗)?|原来如此|不过|总之|那个|其实|话说|毕竟|谢谢(?:你|您)?(?:的[^，。！]{1,4})?|不用谢|不客气|"
    "对不起|抱歉|没关系|太好了|太棒了|当然|是么|那么?|可是|但是|而且|所以|于是|你好|您好|你看|你猜|你知道吗"
)
_ZH_OPENS = re.compile(rf"^(?:(?:{_ZH_FILLER})[，,、！!~～…。.？? ]+)+", re.IGNORECASE)
_ONLY_FILLER = re.compile(rf"(?:{_ZH_FILLER}|拜拜|晚安|再见|早安|加油)+", re.IGNORECASE)
_FEWEST_LETTERS = 4  # the same in Chinese; not measured
_ENDS = " 。.！!？?~～…；;"
_ASKS = re.compile(
    "[？?]|(?:吗|么)[。.！!]?$|^(?:为什么|(?:怎么|什么|谁)(?![都也])|哪(?!里哪里|怕|[里儿个些]?[都也])"
    "|多少(?![有会还])|几[点岁号])"
)
_WILLING = re.compile(
    "我(?:(?:也|就|还|最|很|真|特别|非常|一直|从来|现在|已经|真的|其实|只|才|都|会)*"
    "(?:不|没)?(?:想|喜欢|爱|讨厌|害怕|怕|希望|打算|决定|准备|愿意|相信|担心|需要|后悔|记得|忘了|同意|"
    "舍不得|盼|恨|要|建议|觉得|认为))"
)
_PROMISES = re.compile("我(?:会|一定|就|也)*(?:答应|保证|发誓|承诺|向你保证)")
_TELLS = re.compile(
    "秘密|真相|原来|名字|我叫|就是|因为|发现|听说|去世|失踪|死|藏|偷|钥匙|从前|当年|小时候"
)
_LONG_ENOUGH = 9  # letters of a sentence that tells something


def _chinese(bare: str) -> QuotedWords:
    text = _ZH_OPENS.sub("", bare)
    words = text.strip(_ENDS)
    if len(words) < _FEWEST_LETTERS or _ONLY_FILLER.fullmatch(words):
        return NOTHING
    if _ASKS.search(text):
        return QuotedWords(text, 0.35, is_question=True)
    if _PROMISES.match(text):
        return QuotedWords(text, 1.5)
    if _TELLS.search(text) and len(words) >= _LONG_ENOUGH:
        return QuotedWords(text, 1.2)
    return QuotedWords(text, 1.1 if _WILLING.match(text) else 1.0)
