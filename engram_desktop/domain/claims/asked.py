"""What a question asks of, and what an answer without words of its own says of that.

“Where are you staying?” “At the hostel, for now.” Neither sentence tells anything alone.
"""

from __future__ import annotations

import re

from engram_desktop.domain.values import dataclass

_V = r"[^，。！？；：、“”‘’「」『』（）()\s我你您他她它这那]"
_WHO_EN = r"(?P<p>you|he|she|(?-i:[A-Z])\w+)"
_THING_EN = r"(?:the|my|your|his|her|our|that) (?P<t>[a-z][\w\-]+(?: [\w\-]+)?)"
_QUESTIONS = tuple(
    (facet, re.compile(pattern, re.IGNORECASE))
    for facet, pattern in (
        (
            "home",
            rf"\bwhere (?:are|do|did|have|is|does|has|will) {_WHO_EN} (?:be |been "
            r"|gonna |going to )?(?:liv|stay|sleep|lodg|bunk|board|put(?:ting)? up)",
        ),
        (
            "work",
            rf"\bwhat do(?:es)? {_WHO_EN} do(?=\?| for (?:a living|work)| here| these days)"
            r"|\bwhat(?:['’]s| is) (?P<w>your|his|her) (?:job|trade|post|position|line of work)\b",
        ),
        (
            "place",
            rf"\bwhere(?:['’]s| is| are| did you (?:put|leave|hide|keep)| do you keep) {_THING_EN}"
            r"(?: now)?\?",
        ),
        ("amount", r"\bhow (?:much|many) (?P<t>[a-z]+)\b(?! of)"),
        ("owner", r"\bwhose (?P<t>[a-z]+) (?:is|was) (?:this|that|it)\b"),
        (
            "home",
            r"(?P<p>[你您他她])?(?:现在|如今|眼下|这阵子)?(?:住|睡|落脚)(?:在)?(?:哪|何处|什么地方)"
            r"|住处[^，。]{0,4}(?:了没有?|了吗|定了)",
        ),
        (
            "work",
            r"(?P<p>[你您他她])?(?:现在|如今|是)?(?:做|干)(?:什么|啥)(?:的|工作|营生|行当)",
        ),
        (
            "place",
            rf"(?P<t>{_V}{{1,6}}?)(?:现在|如今|到底)?(?:在|放|搁|藏|收|丢|扔)(?:在|到)?了?(?:哪|何处"
            rf"|什么地方)|^(?:[我你您他她]的?)?(?P<u>{_V}{{1,3}})呢[？?]",
        ),
        (
            "amount",
            rf"(?<!现)(?<!如)(?:现在|如今)?(?P<t>{_V}{{2,5}}?)(?:还|现在|如今)?(?:有|剩|是|剩下)?(?:多少|几成|百分之几)",
        ),
    )
)
_LEAD = re.compile(
    r"^[\s“”\"「」*—…]*(?:(?:yes|yeah|no|well|oh|um|er|still|just|right now|same|only|嗯|啊|哦|呃"
    r"|喏|还是|还|就|分了|定了|有了|找到了|当然)(?![a-z])[\s,.，。…—]*)*",
    re.IGNORECASE,
)
_END = re.compile(r"(?:[,，]| for now| right now| these days| at the moment|[.。！!…”」\"]).*$")
_AT_EN = re.compile(
    r"(?:in|at|on|above|over|under|beneath|behind|beside|with|by|near|next to|down|up|out|inside"
    r"|outside|upstairs|downstairs|across|aboard|around|round)\b|[A-Z]\w+ (?:[A-Z]|\d)",
    re.IGNORECASE,
)
_AT_ZH = re.compile(
    "(?:[里内外上下旁边侧楼室房屋厅院店馆舍舱号街巷路家村镇城港岛山谷营庙寺库箱柜盒袋兜怀底]"
    "|公寓|旅舍|宿舍|客栈|头|后|前)$"
)
_VERBAL = re.compile(  # a sentence of its own, which rules of facts read
    r"\b(?:I|you|he|she|we|they|it|that|this|there)\b|['’](?:s|m|re|ve|ll|d)\b|[我你您他她它]|不知道|不晓得"
    r"|怎么|什么|为什么",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:卖|丢|扔|当|烧|毁|碎|送人|给人|还|弄丢|让人偷|被偷|典当)了"
    r"|(?:sold|gone|lost|stolen|pawned|burned|burnt|broken|smashed)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千万半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|none"
    r"|half)\b",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of an answer that is no sentence of its own


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks: a facet of a ``thing``, or of a ``person``, "" for who answers."""

    facet: str
    person: str = ""
    thing: str = ""
    asker: str = ""

    def packed(self) -> str:
        """Return it as one line, which the next message is read with."""
        return f"{self.facet}|{self.person}|{self.thing}|{self.asker}"

    @classmethod
    def unpacked(cls, line: str) -> Question | None:
        """Return what was packed, None for an empty line."""
        words = line.split("|")
        return cls(*words) if len(words) == len(cls.__slots__) else None


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer says: ``value`` "" where what is asked for is gone."""

    facet: str
    value: str


def asked_in(text: str) -> tuple[str, str, str] | None:
    """Return the facet that a question asks for, whom it names or a pronoun, and which thing."""
    for facet, pattern in _QUESTIONS:
        match = pattern.search(text)
        if match is not None:
            groups = match.groupdict()
            who = groups.get("p") or groups.get("w") or ""
            return facet, who, (groups.get("t") or groups.get("u") or "").strip()
    return None


def answer_in(text: str, question: Question) -> Answered | None:
    """Return what a sentence without a verb of its own answers."""
    words = _LEAD.sub("", text)
    facet = question.facet
    if facet in ("place", "owner") and _GONE.match(words):
        return Answered("owner", "")
    first = _END.sub("", words).strip(" *")
    if not 1 < len(first) <= _LONGEST or _VERBAL.search(first):
        return None
    is_zh = not first.isascii()
    if facet in ("home", "place"):
        is_place = _AT_ZH.search(first) if is_zh else _AT_EN.match(first)
        return Answered(facet, first) if is_place is not None else None
    if facet == "amount":
        return Answered(facet, first) if _NUMBER.search(first) else None
    is_post = facet == "work" and not is_zh and first[:2].casefold() in ("a ", "an")
    return Answered(facet, first) if is_post else None
