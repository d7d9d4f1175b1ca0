"""Whether anything of a chat has to do with a question, so that nothing is told for nothing.

Ranking always finds a best; this says whether the best is any good. The evidence is counted in
units that mean the same in a short and a long chat, in Chinese and English, for any embedder: what
is rare counts by inverse document frequency, meaning by standard deviations over the chat. The
weights are a logistic regression (Bishop, Pattern Recognition, 4.3.2) over questions of chats,
answered there or asked of another chat, small talk and noise; resources/docs/recall.md has the
figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set

from engram_desktop.domain.lexemes import query_tokens
from engram_desktop.domain.values import dataclass

FLOOR = -1.1  # loses one answer in a hundred on the development half
READ = 15  # of the best candidates, by text and vector
SMALL = 300  # items: below, how rare a word is says little
TINY = 40  # items: a prompt holds them all anyway
_ANY = 0.01
_WHOLE = 0.5  # of what a question says, found in one item of a small chat
_MOST_OWN = 12.0  # rarity beyond which more words prove no more

_PHATIC = re.compile(
    r"你好[呀啊吗]?|您好|早上好|早安|晚上好|下午好|中午好|晚安|谢谢[你您]?|多谢|感谢|好的?|行"
    r"|可以|继续|随便|聊聊|无聊|哈+|呵+|嘿+|嘻+|嗯+|哦+|啊+|呃+|在吗|在不在|再见|拜拜|辛苦了|没事|不客气|对不起|抱歉"
    r"|\b(?:hi+|hello|hey+|yo|good (?:morning|night|evening|afternoon)"
    r"|thanks?(?: you)?(?: so much)?|ok(?:ay)?|lo+l|(?:ha)+h?|bye|good ?bye|how are you(?: doing)?"
    r"|what'?s up|let'?s (?:continue|go)|continue|go on|i'?m bored|bored|yes|no|sure|cool|nice"
    r"|please|well|hmm+|um+|oh+|ah+|sorry)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"[A-Z][a-z]+(?='s\b|\b)")
_SENTENCE_START = re.compile(r"[.?!:;\"“”‘\n]\s*$")
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december monday"
    " tuesday wednesday thursday friday saturday sunday".split()
)
# The commonest family names; a word of two to four characters that a tagger calls a person and
# that begins with one is a name, any other may be an adjective.
FAMILY_NAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶"
    "阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found for a question.

    ``top`` is the best score; ``own`` the rarity (summed IDF) of the question's words in the best
    single item, ``near`` with those of the turns beside it; ``share`` is ``own`` against all the
    question says; ``unknown`` the share of what it says that the chat never says; ``joint`` the
    best product of rarity (at most 12) and likeness (standard score). ``words`` counts the
    question's words. ``is_phatic``: it only greets, thanks or agrees.
    """

    top: float = 0.0
    own: float = 0.0
    near: float = 0.0
    share: float = 0.0
    unknown: float = 1.0
    joint: float = 0.0
    words: int = 0
    names_known: bool = False
    names_unknown: bool = False
    is_phatic: bool = False
    items: int = 0


def relevance(found: Evidence) -> float:
    """Return the log-odds that the chat tells something of what was asked (see `FLOOR`)."""
    if found.is_phatic and found.words == 0:
        return -math.inf
    odds = (
        -5.184
        + 1.803 * math.log1p(max(0.0, found.top))
        + 0.078 * math.log1p(found.own)
        + 0.369 * math.log1p(found.near)
        - 1.161 * found.unknown
        + 0.461 * math.log1p(max(0.0, found.joint))
        + 0.412 * (found.names_unknown and not found.names_known)
        - 2.685 * found.names_unknown
        + 2.741 * found.names_known
        - 2.404 * found.is_phatic
        - 0.678 * (found.words <= 2)
    )
    if found.items < SMALL and not found.is_phatic:
        # nothing is rare among a few messages: what says half of the question is meant, and of very
        # few whatever says a word of it
        least = _ANY if found.items < TINY else _WHOLE
        return max(odds, found.share - least + FLOOR)
    return odds


def is_phatic(question: str) -> bool:
    """Whether nothing is left of a text without greetings, thanks, laughter and the like."""
    rest, greetings = _PHATIC.subn("", question)
    return len(re.sub(r"[\W_]+", "", rest)) <= (2 if greetings else 1)


def rarities(tokens: Iterable[str], frequency: Mapping[str, int], items: int) -> dict[str, float]:
    """Return how rare each token is among ``items`` (IDF); one nobody says is rarest."""
    total = max(items, SMALL)
    known = {token: min(frequency.get(token, 0), total) for token in tokens}
    return {
        token: max(0.0, math.log((total - count + 0.5) / (count + 0.5)))
        for token, count in known.items()
    }


def own_rarity(rarity: Mapping[str, float], tokens: Set[str]) -> float:
    """Return the summed rarity of the question's tokens that stand in one item."""
    return sum(weight for token, weight in rarity.items() if token in tokens)


def joint_evidence(own: Sequence[float], likeness: Sequence[float]) -> float:
    """Return the best product of words and meaning in one and the same item."""
    pairs = zip(own, likeness, strict=True)
    return max((min(rare, _MOST_OWN) * max(0.0, alike) for rare, alike in pairs), default=0.0)


def names_of(question: str, tagged: Iterable[tuple[str, str]]) -> list[str]:
    """Return what is certainly a personal name: capitals inside a sentence, 姓 before 名.

    ``tagged`` are the question's words with a tagger's part of speech.
    """
    found = [
        match[0]
        for match in _CAPITAL.finditer(question)
        if match.start()
        and not _SENTENCE_START.search(question[: match.start()])
        and match[0].lower() not in _NO_NAMES
    ]
    found += [
        word
        for word, tag in tagged
        if tag.startswith("nr") and 2 <= len(word) <= 4 and word[0] in FAMILY_NAMES
    ]
    return found


def is_known(name: str, frequency: Mapping[str, int]) -> bool:
    """Whether a name, or a part of one, is said in the chat."""
    return any(frequency.get(token) for token in query_tokens(name))
