"""The subject of a clause: the person it names, or the one its pronoun means."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from engram_desktop.domain.claims.false_names import is_anothers
from engram_desktop.domain.claims.people_ja import ACTS_JA
from engram_desktop.domain.claims.speech import OF_BEING
from engram_desktop.domain.knowledge.parts import READS
from engram_desktop.domain.knowledge.thoughts import Mention, NameFinder, is_apart_ja

FIRST = frozenset(("我", "i", "my", "me"))
_REACH = 640  # characters before the end of a sentence that are searched for its subject
OBJECT = re.compile(
    r"(?:[对向跟朝把被给让叫拉和与替比在从往]着?|拍着?|看了?看|看着|望着|盯着|扶着?|等|问|告诉"
    r"|(?<![A-Za-z])(?:to|at|with|for|from|of|by|on|over|past|behind|beside|towards?|tells?|told"
    r"|asks?|asked|sees?|saw|hears?|heard|watch(?:es|ed)?|catch(?:es)?|caught|and|the))\s*$",
    re.IGNORECASE,
)
_HEAD_WORDS = re.compile(
    r"^(?:而|但|可|只见|却|这时|此时|忽然|突然|随后|然后|于是|接着|第二天|次日|当晚|夜里|等|身后"
    r"|角落里|草席上"
    r"|then|but|and|so|now|still|at last|finally|suddenly|later|after that|when|the|old|young"
    r"|(?:\w+ ){1,3}(?:later|afterwards)|(?:that|the next|next) (?:morning|day|evening|night|week)"
    r"|in the end|meanwhile|somewhere|for once"
    r"|lord|lady|captain|doctor|[\s*—\-…“”\"'，,：:])*",
    re.IGNORECASE,
)
_PRONOUN_HEAD = re.compile(
    r"^[\s*—\-…，,]*(?:(?:then|but|and|so|now|still|at last|finally|suddenly)[,\s]+)?"
    r"(?P<word>他|她|我(?!们)|[你您](?!们)|(?:he|she|you|I|his|her|my)(?![A-Za-z]))",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"他|她|(?<![A-Za-z])(?:he|she|his|her)(?![A-Za-z])", re.IGNORECASE)
_DONE_TO = re.compile("[\u4e00-\u9fff][了着向到住过给]$")  # 看了安雅一眼
_LONGER_NAME = re.compile(
    r"(?<![.!?\"“] )(?<!^)(?<![A-Za-z])(?:Sir|Lord|Lady|Mr\.?|Mrs\.?|Miss|Dr\.?)(?: [A-Z]\w+)* $"
    r"|(?:Sir|Lord|Lady|Mr\.?|Mrs\.?|Miss|Dr\.?) [A-Z]\w+ $"
)
# Possessive forms; not: Joan's already here.
_IS_SHORT = (
    r"['’]s (?:already|just|still|only|now|not|never|also|always|been|got|gone|back|here|there"
    r"|at|in|on|up|down|out|over|off|the one|a|an|\w{2,}ing|\w{3,}ed)\b(?! of)"
)
_POSSESSIVE = re.compile(rf"的|(?!{_IS_SHORT})['’]s(?![a-z])")
_OWN_BODY = re.compile(
    r"的?(?:手|眼|[吼喊叫笑哭骂]声|声音|目光|脸|嘴|喉|睫毛|视线|语气|肩|脚踝|手臂|手腕|胳膊|膝盖?"
    r"|腿|伤势?|病)|的?(?:指示灯|灯)"
    r"|['’]s (?:\w+ )?(?:wrist|arms?|legs?|ankle|knee|foot|feet|wounds?|fever|hands?|eyes?"
    r"|voice|face|mouth|jaw|lips?|fingers?|gaze|shoulders|eyebrows)"
)
WOMAN = re.compile(
    r"(?:Lady|Mrs|Miss|Ms|Sister|Mother|Queen|Princess|Aunt|Madam)\b|[娘妈姐妹姨婶婆]$|小姐|夫人"
    r"|太太|姑娘|太后|仙子"
)
MAN = re.compile(
    r"(?:Lord|Mr|Sir|Brother|Father|King|Prince|Uncle|Reverend)\b|[叔伯哥弟爷爹公]$|老爷|先生|大侠|老头|老者"
)
LIKELY_MAN = re.compile(MAN.pattern + r"|^(?:Captain|Inspector|Constable|Sheriff|Dr)\b")
TITLED = re.compile(f"{WOMAN.pattern}|{MAN.pattern}")
_IS_CALLED = re.compile(
    r"(?:[Hh]is|[Hh]er|['’]s) name (?:is|was) $|[他她]叫$|名叫$|(?<=[，,])(?:叫|人称|唤作)$"
)
_RELATED = re.compile(
    r"(?:的)?(?:[大二三小老亲]?(?:男朋友|女朋友|男友|女友|未婚夫|未婚妻|老公|老婆|丈夫|妻子|同事"
    r"|室友|同桌|邻居|朋友|闺蜜|老板|上司|徒弟|徒儿|师父"
    r"|师傅|侄子|侄女|外甥女?|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|儿子|女儿|哥哥?|姐姐?|弟弟?"
    r"|妹妹?))(?=[\u4e00-\u9fff]{2,3}[，。])"
    r"|\s+(?:\w+ )?(?:boyfriend|girlfriend|friend|boss|neighbou?r|roommate|flatmate|colleague"
    r"|cousin|niece|nephew|partner"
    r"|landlord|landlady|apprentice|assistant|captain|master|teacher),?\s*(?=[A-Z]|\w+s\b|is\b"
    r"|was\b|has\b)"
)
_IS_WHO = re.compile(
    r"(?:的[\u4e00-\u9fff]{0,4}|人|个|位)(?:就|正|便|竟|原来)?是$|\b(?:one|person|man|woman"
    r"|patient|guest|girl|boy"
    r"|visitor|customer)(?: \w+){0,4} (?:is|was) $"
)
_SAT = re.compile(r"\w (?:stood|stands|sat|sits|lay|lies|came|comes) $")
_COMES_UP = re.compile(
    r"[^，]{2,}(?:[站坐躺蹲靠倚跪立趴挂]着|(?:[走跑冲钻闯挤探爬跳]|传)(?:了?[进出上下过回]?来))(?:了)?$"
)
_AT_PLACE = re.compile(
    r"[\s*]*(?:across|opposite|beside|behind|near|next|in|on|at|by|from|under|over|above)"
    r" \w[^.!?]{0,40}$",
    re.IGNORECASE,
)
ACTS_NOW = re.compile(r"\s+(?:\w+ly )?[a-z]+(?:s|ed)\b")
# A verb before a name in an English clause: took Wren's hand. Not: there stood Hobb.
_VERB_FIRST = re.compile(
    r"(?:(?:then|and|but|he|she|they|I|\w+ly) )*(?:[a-z]{2,}ed|took|gave|caught|shook|held|saw"
    r"|met|left|put|let|hit|cut|led|got|found|sent|kept|brought|drew|threw|hid|bit|struck|shot|knew"
    r"|felt|heard|made|set|fed|woke|beat|won|lost|bought|sold|taught|fought|takes|gives|catches|shakes"
    r"|holds|meets|leaves|finds|brings|pulls|pushes|grabs|touches|squeezes|kisses|hugs|follows|helps)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"(?:where|whom|whose|which|that|as if|because|when)\b", re.IGNORECASE)
_PLACED = 8  # characters before a name that say where a person is
_FEW = 120  # forms of names: beyond this, single searches are slower than one pattern
_LATIN = re.compile("[A-Za-z0-9_À-ɏ]")
_CLAUSE = re.compile(r"[，,；;：:—]+")


SIGN = "?"  # begins the placeholder of an unnamed person; alone it is an unknown person
_WOMEN = frozenset("女妇妈娘姑姨婆妪婶嫂姐妹奶尼鬟")
_MEN = frozenset("男汉叔伯爷哥弟僧尚翁匪")
_WOMEN_EN = frozenset("woman girl lady lass waitress witch nun queen maid barmaid mother".split())
_MEN_EN = frozenset("man boy lad fellow gentleman monk king priest father".split())


@lru_cache(maxsize=1_000)
def gender_of_noun(name: str) -> str:
    """Return ``m`` or ``f`` by the noun for an unnamed person, "" if it does not say."""
    noun = name[len(SIGN) :]
    if noun.isascii():
        return (
            "f"
            if noun in _WOMEN_EN or noun.endswith(("woman", "ess"))
            else "m"
            if noun in _MEN_EN or noun.endswith("man")
            else ""
        )
    kinds = set(noun)
    return "f" if kinds & _WOMEN else "m" if kinds & _MEN or noun == "老头" else ""


@lru_cache(maxsize=4_000)
def gender_of_title(name: str) -> str:
    """Return ``m`` or ``f`` by the title in the name, "" without one."""
    if WOMAN.search(name):
        return "f"
    return "m" if MAN.search(name) else ""


class Mentioned:
    """The names of a story in one text, searched once; with the interface of `Names`."""

    def __init__(
        self,
        names: NameFinder,
        text: str,
        genders: Mapping[str, str] | None = None,
        mentions: Sequence[Mention] | None = None,
    ) -> None:
        self._genders = genders or {}
        self._names = names
        self._mentions = self._of_text(text) if mentions is None else list(mentions)
        self._starts = [mention.start for mention in self._mentions]
        self.player = names.player
        self.all = names.all

    def _of_text(self, text: str) -> list[Mention]:
        found = _mentions(self._names, text)
        return [
            m
            for m in found
            if not is_anothers(text, m.start, m.end, m.name, self._genders.get(m.name, ""))
        ]

    def with_more(self, mentions: Sequence[Mention]) -> Mentioned:
        """Return these names and further ones that the text contains."""
        both = sorted([*self._mentions, *mentions], key=lambda mention: mention.start)
        return Mentioned(self._names, "", self._genders, both)

    def renamed(self, name: str, new: str) -> Mentioned:
        """Return these names, with one name replaced by another."""
        mentions = [replace(m, name=new) if m.name == name else m for m in self._mentions]
        return Mentioned(self._names, "", self._genders, mentions)

    def find(self, _text: str, start: int = 0, end: int | None = None) -> list[Mention]:
        """Return the mentions in a range of the text."""
        first = bisect_left(self._starts, start)
        last = len(self._starts) if end is None else bisect_left(self._starts, end)
        found = self._mentions[first:last]
        if found and end is not None and found[-1].end > end:
            found = found[:-1]
        return found

    def last(self, _text: str, start: int, end: int) -> Mention | None:
        """Return the last mention in a range of the text."""
        last = bisect_left(self._starts, end) - 1
        while last >= 0 and self._mentions[last].end > end:
            last -= 1
        return self._mentions[last] if last >= 0 and self._starts[last] >= start else None

    def named_before(self, end: int) -> list[str]:
        """Return the people named before a position of the text."""
        return [name for name, first in self._first_ends.items() if first <= end]

    @cached_property
    def _first_ends(self) -> dict[str, int]:
        return {mention.name: mention.end for mention in reversed(self._mentions)}

    def within(self, words: str) -> Mention | None:
        """Return the first mention in other words."""
        return next(self._names.find(words), None)

    def gender(self, name: str) -> str:
        """Return ``m`` or ``f``, "" if unknown."""
        if name.startswith("?"):
            return gender_of_noun(name)
        by_title = gender_of_title(name)
        return by_title or self._genders.get(name, "")

    def meant_by(self, pronoun: str, recent: Sequence[str], subject: str = "") -> str:
        """Return the person he or she means: the last one mentioned who does not contradict it.

        ``recent`` are names, the last mentioned first; ``subject`` is preferred if it fits.
        """
        gender = "f" if pronoun in ("she", "her", "她") else "m"
        recent = [n for at, n in enumerate(recent) if not at or not n.startswith(SIGN)]
        fitting = [name for name in recent if self.gender(name) in (gender, "")]
        if subject and subject in fitting:
            return subject
        known = [name for name in fitting if self.gender(name) == gender]
        if known:
            return known[0]
        likely = [name for name in fitting[:2] if gender == "m" and LIKELY_MAN.search(name)]
        return likely[0] if likely else fitting[0] if fitting else ""

    def who(self, name: str) -> str:
        return self._names.who(name)

    def is_known(self, name: str) -> bool:
        return self._names.is_known(name)


def _mentions(names: NameFinder, text: str) -> list[Mention]:
    """Return the same as `Names.find`: English names are searched one by one, as texts have few."""
    # Chinese names have a form for each title; İ in lower case is two characters
    if len(names.words) > _FEW or len(low := text.lower()) != len(text):
        return list(names.find(text))
    found: list[Mention] = []
    for word, name in names.words.items():
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _is_apart(low, at, end):
                found.append(Mention(name, at, end))
            at = low.find(word, end)
    found.sort(key=lambda mention: (mention.start, -mention.end))
    apart: list[Mention] = []
    for mention in found:
        if not apart or mention.start >= apart[-1].end:
            apart.append(mention)
    return apart


def _is_apart(text: str, start: int, end: int) -> bool:
    """Return whether a Latin name is a separate word; a Chinese one may be anywhere."""
    if not is_apart_ja(text, start, end):
        return False
    if start and _LATIN.match(text[start]) and _LATIN.match(text[start - 1]):
        return False
    return not (end < len(text) and _LATIN.match(text[end - 1]) and _LATIN.match(text[end]))


def subject_of(
    text: str, start: int, end: int, names: Mentioned, pronoun: Callable[[str, int], str]
) -> str:
    """Return the subject of the last clause in a range that names one, "" for none.

    ``pronoun`` returns the person meant by a pronoun, from the word and its position.
    """
    start = max(start, end - _REACH)
    best = ""
    at = start
    mentions = names.find(text, start, end)
    for match in [*_CLAUSE.finditer(text, start, end), None]:
        stop = match.start() if match is not None else end
        before = best

        def meant(word: str, place: int, before: str = before) -> str:
            """Return the person a pronoun means: the subject of the previous clause, if it fits."""
            gender = "f" if word in ("she", "her", "她") else "m"
            is_third = word in ("he", "she", "his", "her", "他", "她")
            of = (gender,) if before.startswith(SIGN) else (gender, "")  # a sure one, or none known
            fits = is_third and before and names.gender(before) in of
            return before if fits else pronoun(word, place)

        best = _clause_subject(text, at, stop, mentions, meant) or best
        at = match.end() if match is not None else end
    return best


def _owns_what_follows(text: str, start: int, end: int) -> bool:
    """Return whether a clause is about a person's possession, not the person: 我的猫, 他的店."""
    after = text[start:end]
    return after.startswith("的") and len(after) > 1 and not _OWN_BODY.match(after)


def is_owner(text: str, end: int) -> bool:
    """Return whether a name that ends at a position only names an owner, except of a body part."""
    return _POSSESSIVE.match(text, end) is not None and _OWN_BODY.match(text, end) is None


def owner_of_last(text: str, start: int, end: int, names: Mentioned) -> str:
    """Return the owner of the thing the last clause is about: Joan, of “…, and Joan's bell rings”.

    "" if it is about a person, or about a being that belongs to one: Joan's brother, her dog.
    """
    first = start
    for match in _CLAUSE.finditer(text, start, end):
        if any(char.isalnum() for char in text[match.end() : end]):
            first = match.end()
    told = names.find(text, first, end)
    if len(told) != 1 or not is_owner(text, told[0].end):
        return ""
    owner = told[0]
    is_head = not _HEAD_WORDS.sub("", text[first : owner.start]).strip()
    is_being = OF_BEING.match(text, owner.end)
    return owner.name if is_head and not is_being else ""


def _is_half_or_object(text: str, named: Mention, before: str) -> bool:
    """Return whether an English name is half of another, or the object of a verb ``before`` it."""
    longer = _LONGER_NAME.search(text[max(0, named.start - 20) : named.start])
    if longer is not None and (" " in longer[0].strip() or TITLED.match(named.name)):
        return True  # Sir Rupert Greyfriars is not Lady Greyfriars; Mr. Lamb is Arthur Lamb
    return _VERB_FIRST.match(before) is not None or _WITHIN.match(before) is not None


def _meant_at_head(
    text: str,
    start: int,
    end: int,
    head: re.Match[str],
    mentions: Sequence[Mention],
    pronoun: Callable[[str, int], str],
) -> str:
    """Return the person of a clause that begins with a pronoun: 我男朋友周屿 is another person."""
    of = _RELATED.match(text, start + head.end(), end)
    if of is not None:
        return next((m.name for m in mentions if m.start == of.end()), "")
    if _owns_what_follows(text, start + head.end(), end):
        return ""
    return pronoun(head["word"].casefold(), start + head.start("word"))


def _is_no_subject(text: str, lead: str, rest: str, mention: Mention) -> bool:
    """Return whether a name is not the subject: far from the clause's beginning, or an owner."""
    after = text[mention.end : mention.end + 16]
    is_body = _OWN_BODY.match(after)
    is_cjk = text[mention.start] >= "\u2e80"
    if is_cjk:
        is_placed = len(rest) <= _PLACED and rest.endswith("的")  # 里屋的周婆婆
    else:
        is_placed = bool(_AT_PLACE.match(lead) and ACTS_NOW.match(after))
    if len(rest) > (4 if is_cjk else 12) and not is_body and not is_placed:
        return True
    return _POSSESSIVE.match(after) is not None and not is_body


def _clause_subject(
    text: str,
    start: int,
    end: int,
    mentions: Sequence[Mention],
    pronoun: Callable[[str, int], str],
) -> str:
    called = next((m for m in mentions if start <= m.start < end), None)
    if called is not None and _IS_CALLED.search(text, start, called.start):
        return called.name
    found = _PRONOUN_HEAD.match(text[start : min(end, start + 40)])
    if found is not None:
        return _meant_at_head(text, start, end, found, mentions, pronoun)
    for mention in mentions:
        if not start <= mention.start < end:
            continue
        if ACTS_JA.match(text, mention.end):
            return mention.name
        lead = text[start : mention.start]
        rest = _HEAD_WORDS.sub("", lead).strip()
        is_cjk = text[mention.start] >= "\u2e80"
        if not is_cjk and _is_half_or_object(text, mention, rest):
            continue
        # and Joan's eyes shine, and Joan has it; not: Theo looks at Priya and Joan
        owns = lead.endswith(" and ") and (not rest or _OWN_BODY.match(text, mention.end))
        if (OBJECT.search(lead.rstrip()[-14:]) and not owns) or (rest and _DONE_TO.search(lead)):
            continue
        # 头一个上门的是宋师傅, 门外站着小六子, by the fire sat Ruben
        is_presented = _IS_WHO.search(lead) or (_COMES_UP if is_cjk else _SAT).search(lead)
        if is_presented and not _POSSESSIVE.match(text, mention.end):
            return mention.name
        if _is_no_subject(text, lead, rest, mention):
            continue
        return mention.name
    return ""


# Whether quoted text is in a letter, a message or on a sign, and who wrote it.

_IT_SAYS = re.compile(
    r"[\s,]*(?:it|the (?:letter|note|sign|label)) (?:said|says|reads?)\b"
    r"|と(?:だけ)?(?:返信|送信|返事を打|打ち込|書)",
    re.IGNORECASE,
)
_TEXTS_JA = "(?:メッセージ|メール|(?-i:LINE)|手紙|返信|文面|メモ|日記|画面)"
_WRITTEN_NEAR = re.compile(
    r"(?:写[着道了]?|写的是|上面是|内容是|发来的?|caption(?:ed)?|read|reads|said|says|reply|text"
    r"|message)[^。！？!?\n“”\"]{0,16}[:：,，]?\s*$"
    rf"|{_TEXTS_JA}[^。！？「」『』\n]{{0,16}}[。：:]?\s*$"
    r"|(?:消息|短信|信|屏幕|标签|纸条|回复)[^。！？!?\n“”\"，]{0,16}(?<![翻过去来下上])[:：]?\s*$"
    r"|是[^，。！？：]{1,6}的(?:亲笔|笔迹|字迹|字)[：:]\s*$",
    re.IGNORECASE,
)
_IS_WRITTEN = re.compile("写[着道了][：: ]*$|是[^，。！？：]{1,6}的(?:亲笔|笔迹|字迹|字)[：:]$")
# 信 in other words, and a letter that is put somewhere while its bearer speaks.
_NO_LETTER = re.compile(
    "[相自坚确不轻迷]信|信(?:任|心|念|誉|号|用|封(?![上里背]))"
    "|[把将][^，。！？]{0,8}(?:信|纸条|便条|字条)[^，。！？]{0,6}[放塞递拍推交扔丢收揣摆搁藏][^，。！？]*[：:]$"
)
_WHO_SAYS = re.compile("(?<!写)[说道问][：: ]*$")
_WRITING = re.compile(
    r"信|纸条|便条|短信|消息|屏幕|标签|日记|遗嘱|回复[：:]|发来|letter|note|missal|will\b|message"
    r"|reply"
    rf"|caption|text(?:s|ed)?\b|diary|label|{_TEXTS_JA}",
    re.IGNORECASE,
)
_SENT = re.compile(r"([\w·]{2,12})(?:发来|写来|寄来)")
_OF_WHOM = re.compile(
    r"(?:から|の(?:(?-i:LINE)|手紙|日記)|的?(?:短信|消息|信|回复|来信|发来|写道|(?<=的)(?:亲笔|笔迹|字迹|字)[：:])"
    r"|['’]s (?:letter|text|reply|message))"
)
_I_WROTE = re.compile(
    r"(?:^|[，。！？\s*])我[^，。！？]{0,8}写[道着下了]?[：: ]*$|\bI (?:write|wrote)\b[^.!?]*$"
)
_ANSWER = re.compile(r"[\s*]*(?:回复|her reply|his reply)", re.IGNORECASE)


def is_read_out(behind: str) -> bool:
    """Return whether the words after a text say that a written text is read: “…,” it said."""
    return _IT_SAYS.match(behind[:30]) is not None


def is_written(lead: str) -> bool:
    """Return whether the words before a text say that a person reads or wrote it."""
    lead = _NO_LETTER.sub("", lead)
    if not lead or not _WRITTEN_NEAR.search(lead[-40:]) or _WHO_SAYS.search(lead):
        return False
    return bool(_IS_WRITTEN.search(lead) or READS.search(lead[-60:]) or _WRITING.search(lead[-60:]))


def writer_of(shown: str, start: int, end: int, names: Mentioned, own: str) -> str:
    """Return the writer of a letter named by the words ``start``..``end``, "" if none is named.

    ``own`` is the sender of the message: a reply is theirs, and so is what “I wrote”.
    """
    text = shown[start:end]
    for mention in names.find(shown, start, end):
        if _OF_WHOM.match(shown, mention.end, mention.end + 12):
            return mention.name
    match = _SENT.search(text)
    if match is not None:
        return re.sub(r"^.*(?:是|的)", "", match[1])
    return own if _ANSWER.match(text) or _I_WROTE.search(text) else ""


def signer_of(shown: str, start: int, end: int, names: Mentioned) -> str:
    """Return the name after a dash at the end of a letter."""
    last = names.last(shown, start, end)
    if last is None or shown[last.end : end].strip(" 。.\n"):
        return ""
    is_signed = shown[start : last.start].rstrip().endswith(("—", "–", "-"))
    return last.name if is_signed else ""
