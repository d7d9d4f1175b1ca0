"""Whether a later floor tells that somebody was taught what they were promised to be taught.

It is told as taught or learned; or who promised guides the other in a scene that names the skill;
or who was to learn it does so, and says so or has the teacher beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.values import dataclass

_HAN = re.compile("[\u4e00-\u9fff]")
_TEACHES = re.compile(
    r"(?:教(?:会)?|传(?:授)?(?:给)?)(?:你们?|您|他|她)(?P<zh>[^，。！？；、…~～]{1,10})"
    r"|\b(?:teach|show) (?:you|him|her|them)(?: all)?(?: how)?(?: to)? (?P<en>(?!the way|that"
    r"|what|why"
    r"|where|who|a lesson|when|around|out|up|in\b)[a-z][^,.;!?]{2,40})",
    re.IGNORECASE,
)
_TIME_BEHIND = re.compile(
    r"\b(?:before|after|when|as soon as|until|till|by|once|if|tomorrow|tonight|on \w+day|someday"
    r"|one day|some day|first|properly|myself|next)\b.*",
    re.IGNORECASE,
)
_TAUGHT = re.compile(
    r"教(?:会了?|了|过)|学(?:会了?|成了?)|(?:被|给)[^，。]{1,4}教"
    r"|\b(?:taught|learn(?:ed|t)|has learned|finished teaching|teaches)\b",
    re.IGNORECASE,
)
_GUIDES = re.compile(
    r"教|手把手|带着[你他她我]|(?:握|抓|扶|托)(?:着|住)[^，。]{0,5}(?:手|腕|肘)"
    r"|按(?:着|在)|对，|就这样|(?:^|[，。“])(?:再来|慢点|轻点|别急)|指点|示范|纠正"
    r"|\b(?:guid\w+|lessons?|teach\w*|hands? (?:over|on) (?:your|her|his|my|the)"
    r"|(?:your|her|his|my) (?:hands?|fingers?) (?:on|onto|over|around|into) "
    r"|under (?:his|her|my|your|[A-Z]\w+['’]s) (?:eye|guidance|hand|tuition)|like (?:this|that"
    r"|so)\b"
    r"|that['’]s it|steady now|gently now|talk(?:s|ed)? (?:you|her|him|me) through"
    r"|correct(?:s|ed|ing) (?:your|her|his|my)|shows? (?:you|her|him|me) how)",
    re.IGNORECASE,
)
_DID_IT = re.compile(
    r"我(?:终于|真的|居然|竟然)?(?:成功|做到|学会|会)了|(?:第一次|头一回)"
    r"|\bI (?:did|do) it\b|\bI(?:['’]ve)? (?:finally )?\w+(?:ed|t)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"没|未|不(?!久|远|停|禁|由|料|错|要|用)|想|要是|如果|等|(?:明|后)天|下次|别|[？?]"
    r"|\b(?:not|never|no|if|would|will|could|cannot|want|wanted|tried|tries|almost|nearly|yet|when"
    r"|until|before)\b|n['’]t|['’]ll",
    re.IGNORECASE,
)
_COMMON = frozenset("的了着吗呢吧我你他她几一两个手招式样怎么如何会好点些第法门全套这那")
_PLAIN = words_of("how few thing little some trick everything").units
_MOST = 3  # words of a skill that stand in a sentence that names it


@lru_cache(maxsize=500)
def skill_of(quote: str) -> frozenset[str]:
    """Return the words of what somebody promises to teach, of Chinese its characters."""
    match = _TEACHES.search(quote)
    if match is None:
        return frozenset()
    if match["zh"]:
        return frozenset(c for c in match["zh"] if _HAN.match(c)) - _COMMON
    return words_of(_TIME_BEHIND.sub("", match["en"])).units - _PLAIN


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be taught, by whom, to whom; ``told`` are the sentences of a later floor."""

    skill: frozenset[str]
    teacher: str
    pupil: str
    told: Sequence[Claim]

    def is_told(self, line: Claim) -> bool:
        """Whether a sentence tells that it was taught."""
        if line.how == "thought" or _NOT_YET.search(line.quote):
            return False
        if self._is_of_another(line):
            return False
        if _TAUGHT.search(line.quote) and self._names(line.quote):
            return True
        if self._is_of(self.teacher, line) and _GUIDES.search(line.quote):
            return self._names(" ".join(near.quote for near in self.told))
        return self._does(line)

    def _does(self, line: Claim) -> bool:
        """Whether who was to learn does it, and says so or has the teacher beside them."""
        if not self._names(line.quote):
            return False
        if line.how == "said":
            is_pupils = line.speaker == self.pupil or (not self.pupil and line.speaker)
            return bool(is_pupils) and _DID_IT.search(line.quote) is not None
        if not self._is_of(self.pupil, line):
            return False
        beside = [c for c in self.told if self._is_of(self.teacher, c)]
        return any(_GUIDES.search(c.quote) for c in beside)

    def _names(self, quote: str) -> bool:
        """Whether a text names the skill."""
        is_zh = _HAN.search(quote) is not None
        have = self.skill & (frozenset(quote) if is_zh else words_of(quote).units)
        return len(have) >= min(len(self.skill), 2 if is_zh else _MOST)

    def _is_of_another(self, line: Claim) -> bool:
        """Whether somebody else is told of: Tom taught her to swim."""
        people = ("", self.teacher, self.pupil)
        is_anothers = line.about not in people or line.speaker not in people
        return is_anothers and bool(self.pupil)

    @staticmethod
    def _is_of(name: str, line: Claim) -> bool:
        return bool(name) and (name in (line.speaker, line.about) or name in line.quote)
