"""Unnamed people of a story: the mentions of the ferryman, or of 一个驼背老头.

They are recognised by the grammar of a noun: in Chinese by the endings of nouns for people, in
English by an action beside a speech. Within a message such a noun is used like a name; outside of
it no person has this name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from engram_desktop.domain.claims.people import DOES_ZH
from engram_desktop.domain.claims.speech import (
    CALLS,
    INTRODUCES,
    NAMED_ALONE,
    OWN_WORDS,
    ROLES_EN,
    SAYS_EN,
    SENTENCE_END,
    TITLE_BEFORE,
    Context,
    MessageSender,
    Part,
)
from engram_desktop.domain.claims.subjects import SIGN, Mentioned, gender_of_noun, is_owner
from engram_desktop.domain.knowledge.parts import TextPart
from engram_desktop.domain.knowledge.thoughts import Mention

PASSING = (f"{SIGN}someone",)  # people mentioned once and never again

# By the ending of a Chinese noun for a person: the characters that may be before it.
_BEFORE_END = {
    "人": "男女老的那来此路客主仆某衣面年轻妇猎商军族村旁道僧下夫",
    "者": "老学记侍使行医患",
    "子": "男女汉小胖瘦矮瞎瘸聋哑疯傻骗戏弟公孩妹嫂婶探妻王太世痞混花婆头妈",
    "师": "律老厨法大牧军医镖教导画琴巫",
    "傅": "师",
    "医": "校军名法兽神太御女",
    "员": "店务票船议学演队球警官职教播业递",
    "生": "男女医先学书考",
    "工": "员校护民女帮长矿技",
    "匠": "铁木石鞋瓦银画花",
    "夫": "车船农樵屠更马渔轿挑脚大",
    "徒": "学赌教暴歹叛门匪",
    "兵": "士卫哨骑官小老伤",
    "将": "守副老",
    "卒": "狱士",
    "客": "刀剑侠刺食茶酒旅乘顾房香",
    "贩": "小商",
    "商": "富行",
    "手": "水杀枪歌凶舵助猎",
    "头": "老工班牢丫镖",
    "婆": "老婆媒稳巫",
    "爷": "大老爷少王侯",
    "娘": "大姑厨船新伴板",
    "妈": "大奶老妈",
    "婶": "大婶",
    "伯": "大老伯",
    "叔": "大叔",
    "姨": "阿大",
    "嫂": "大嫂",
    "哥": "大小",
    "姐": "大小",
    "弟": "小徒",
    "奶": "奶",
    "童": "书道药孩",
    "孩": "女男小",
    "女": "少侍宫婢妇修舞歌",
    "妇": "少老农",
    "妪": "老",
    "翁": "老渔富",
    "汉": "老大壮醉",
    "年": "少青",
    "僧": "老小面",
    "尼": "老",
    "尚": "和",
    "姑": "尼道",
    "士": "道护骑武女术",
    "贼": "山小毛",
    "匪": "土劫",
    "盗": "海强",
    "丐": "乞老小",
    "官": "军法警教长县副考",
    "吏": "小狱",
    "差": "官衙",
    "警": "民交女刑巡",
    "役": "衙",
    "快": "捕",
    "长": "队院班村镇校船舰局科厂店团连",
    "主": "班庄寨帮教店公郡财",
    "任": "主",
    "练": "教",
    "理": "经助",
    "监": "太",
    "书": "秘",
    "家": "管店船东",
    "柜": "掌",
    "房": "账",
    "门": "掌",
    "老": "长",
    "卫": "侍守护门",
    "镖": "保",
    "安": "保",
    "姆": "保",
    "机": "司",
    "院": "护",
    "计": "伙",
    "厮": "小",
    "堂": "跑",
    "二": "小",
    "缝": "裁",
    "中": "郎",
    "作": "仵",
    "军": "将",
    "板": "老",
    "鬟": "丫",
    "仆": "女男老",
    "影": "人黑",
    "伙": "家",
}
_NOUNS_ZH = frozenset(before + end for end, befores in _BEFORE_END.items() for before in befores)
_END_ZH = re.compile(f"[{''.join(_BEFORE_END)}]")
# Between the beginning of a clause and such a noun: an attribute, or words that introduce it.
_LEADS_ZH = re.compile(
    r"(?:[^，。！？：；…“”「」『』（）()*\n]{0,16}?(?:的|[一那这某另][个名位]|有个|几个|个|名|位))?"
    r"[\u4e00-\u9fff]{0,3}"
)
_CLAUSE_ZH = re.compile(r"[，。！？：；…—“”「」『』（）()*\n]")
_NEW_ZH = re.compile(r"(?:[一另某][个名位]|有个|几个|[^，。]的)[^，。的]{0,6}$")
_OF_NEW_ZH = re.compile(r"[一另某][个名位]|有个|几个")
_KIN_ZH = frozenset("妈婶嫂婆姨叔伯")  # 福妈, 王婶
_PRONOUN_ZH = frozenset("我你他她它的")
_PLACES_ZH = frozenset("铺店馆室院行局所站坊楼")  # 裁缝铺 is a shop, not a tailor
_STOPS = frozenset("，。！？；：…—、”」")
_NO_NOUN_ZH = re.compile(r"[像是如似当作成做为无没]|[多几]$|叫.")
_VERB_ZH = re.compile(f"[了着过到见]|^(?:{DOES_ZH})")
_HELD_ZH = re.compile(r"[把被给对向跟朝和与替比让在从往]|看[见到着向]|望[着向]|盯着|听见|遇[见到]")
# Nouns that only mean a man or a woman: they may mean a card's own person.
_ANYBODY = frozenset(
    "男人 女人 男子 女子 少年 少女 青年 男孩 女孩 男生 女生 孩子 姑娘 小姐 公子 家伙 年人 轻人 人影"
    " 老人 老头 老者 老汉 老妇 汉子 大汉 壮汉 妇人 妇女 丫头 小子 老婆"
    " man woman boy girl lad lass lady fellow kid figure gentleman creature".split()
)
_NEW_EN = frozenset(("a", "an", "some", "another"))
_OWNED = frozenset(("his", "her", "their", "your", "my"))
_PERSONS_EN = frozenset(
    (
        f"{ROLES_EN}|sheriff|captain|colonel|chief|chef|boss|judge|duke|count|king|queen|prince|princess"
        "|lord|bishop|abbot|friar|pirate|agent|coach|guest|host|patient|recruit|cadet|marshal|deputy"
        "|detective|constable|concierge|valet|chauffeur|chaplain|mechanic|assistant|client|tenant|orphan"
        "|urchin|ghost|demon|vampire|robot|android|aunt|uncle|sister|cousin|twin|crone|hag|spy|aide"
    ).split("|")
)
_PERSON_ENDS = ("man", "woman", "maid", "smith", "keeper", "wright", "ist", "ian")
_NO_PERSONS = frozenset("human german roman woman mist fist list wrist twist waist".split())
# No nouns of persons: where the words of an article end.
_STOP_WORDS = frozenset(
    "of and or but in on at to as with from by for then who that which had has was is never"
    " not only just more less other one same first last next two three the a an his her their your"
    " my this some another all it he she they we you".split()
)
_SAID_BY_THINGS = frozenset("letter note sign message text label voice book page screen".split())
# Actions of people only: then the inspector arrives.
_HUMAN_EN = re.compile(
    rf"(?:{SAYS_EN}|(?:nod|smil|laugh|shrug|grin|frown|sigh|wink|squint|kneel|scowl|chuckl|beam|blush"
    r"|hesitat|arriv|enter|glanc|star|salut|bow|curts)(?:e?s|e?d|ies|ied|t))"
)
_BACK = frozenset(("up", "back", "off", "out"))
_RUN_EN = re.compile(
    r"\b(?P<of>[Tt]he|[Aa]n?|[Ss]ome|[Aa]nother|[Tt]his|[Tt]hat|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Mm]y)"
    r"(?=(?P<words>(?: [a-z][\w'’-]*,?(?=[ .,;:!?…\"”*\n]|$)){1,12}))"
)
_WORD_EN = re.compile(r"[a-z](?:\w|-(?=\w))*")
# Beside a speech: words that name its speaker: “…,” the captain said / growled the captain.
_TAGS_EN = re.compile(
    rf"(?:”[\s*]*|\"[\s*]+)(?P<says>{SAYS_EN} )?(?:the|an?|his|her|your|my)"
    r" (?P<words>[a-z][\w'’ -]*)"
)
_NO_NOUN_EN = re.compile(
    r"\b(?:just|only|merely|like|as|than|of|is|was|be|being|been|becomes?|became|not|for|['’]s) $"
)
_THERE_EN = re.compile(r"\b(?:[Ii]t|[Tt]here)(?: is| was|['’]s) $")
_TITLE_EN = re.compile(r"\b([A-Z][a-z]{2,}) $")
_SOMEONE = re.compile(r"\b(?:[Ss]ome(?:one|body))\b(?! else)(?!['’])")
_IN_A = re.compile(r"\b(?:in|with|of) $")
_BODILY = frozenset(("voice", "figure"))
_PLACED_EN = re.compile(r" (?:at|in|with|who|on|by|from|behind|beside) ")
_ADJECTIVES = 3  # words between an article and its noun
_SHORT = 3  # letters of the shortest noun of a person
_NEXT = 20  # characters after a noun in which a name that begins there ends
_NEAR = 3  # people mentioned last before a message, of whom a noun may mean one
_REACH = 40  # characters before a noun that are searched for the start of its clause


def is_unknown(name: str) -> bool:
    """Return whether a name is a placeholder for an unnamed person."""
    return name.startswith(SIGN)


def last_of(names: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the last named people, and as many of the unnamed ones."""
    named = [name for name in names if not is_unknown(name)][-most:]
    others = [name for name in names if is_unknown(name)][-most:]
    return tuple(name for name in names if name in named or name in others)


# Behind a noun that ends a sentence, and does nothing of its own.
_OF_NO_DEED = re.compile(r"(?: (?:with|in|of) [^.!?,;]*)?[.!]")


class Strangers:
    """Finds unnamed people in one message. ``before`` is the context of the previous messages.

    ``sender`` is the sender of the message, whom a general noun may mean; not if the message
    ``calls_own`` by name.
    """

    def __init__(
        self,
        text: str,
        pieces: Sequence[TextPart],
        names: Mentioned,
        sender: MessageSender,
        before: Context,
        *,
        calls_own: bool,
    ) -> None:
        self._text = text
        self._names = names
        self._own = "" if sender.is_narrator else names.who(sender.name)
        # with several cards, a noun used by others may be known from before
        self._is_group = len(sender.beside) > 1
        known = (*before.recent, *before.turns)
        self._known = {name[len(SIGN) :] for name in known if is_unknown(name)}
        self._calls_own = calls_own
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]
        self._before = before
        self._new: set[str] = set()  # nouns that introduced a person so far

    def mentions(self) -> list[Mention]:
        """Return their mentions, in order; in quotes only those of people mentioned outside too."""
        if not any(piece.kind == "speech" for piece in self._pieces):
            return []
        found = [*self._chinese(), *self._english()]
        found = [m for m in found if not self._overlaps(m)]
        told: list[Mention] = []
        said: list[Mention] = []
        for mention in found:
            (said if self.is_said(mention.end) else told).append(mention)
        there = self._known | {m.name[len(SIGN) :] for m in told}
        told += [m for m in said if m.name[len(SIGN) :] in there or self._is_new(m)]
        return sorted(told, key=lambda m: m.start)

    def is_said(self, at: int) -> bool:
        """Return whether the character before a position is in a speech."""
        last = bisect_left(self._starts, at) - 1
        return last >= 0 and self._pieces[last].kind == "speech" and at <= self._pieces[last].end

    def _overlaps(self, mention: Mention) -> bool:
        """Return whether a noun is part of a name or directly beside one: 班主任徐敏."""
        first, last = max(0, mention.start - 1), mention.end + _NEXT
        near = self._names.find(self._text, max(0, first - 12), last)
        return any(m.end >= mention.end - 2 and m.start <= mention.end for m in near)

    def _is_new(self, mention: Mention) -> bool:
        return _NEW_ZH.search(self._text, max(0, mention.start), mention.end - 2) is not None

    def _chinese(self) -> Iterator[Mention]:
        for match in _END_ZH.finditer(self._text):
            mention = self._noun_zh(match.end()) if self._is_noun_zh(match.end()) else None
            if mention is not None:
                yield mention

    def _is_noun_zh(self, end: int) -> bool:
        """Return whether a Chinese noun for a person ends at a position: 老头, 福妈, not 裁缝铺."""
        text = self._text
        noun = text[end - 2 : end]
        is_kin = text[end - 1] in _KIN_ZH and _PRONOUN_ZH.isdisjoint(noun) and noun.isalpha()
        goes_on = text[end - 1 : end + 1] in _NOUNS_ZH or text[end : end + 1] in _PLACES_ZH
        return (noun in _NOUNS_ZH or is_kin) and not goes_on

    def _noun_zh(self, end: int) -> Mention | None:
        """Return the mention of a person by a noun that ends at a position; None without one."""
        text = self._text
        noun, is_last = text[end - 2 : end], text[end : end + 1] in _STOPS
        lead = _CLAUSE_ZH.split(text[max(0, end - _REACH) : end - 2])[-1]
        head = end - 2 - len(lead)
        if lead.endswith("是") and not is_last:
            lead = lead[:-1]  # 最后是福妈走过去
        is_alone = is_last and _OF_NEW_ZH.search(lead) is None and not self.is_said(end)
        is_new = _NEW_ZH.search(lead) is not None or (noun == "的人" and bool(lead))
        if is_alone or _NO_NOUN_ZH.search(lead):
            return None
        if not is_new and (_VERB_ZH.search(lead) or not self._may_be_stranger(noun, end)):
            return None
        if is_new:
            self._new.add(noun)
        is_clear = (
            _LEADS_ZH.fullmatch(lead) is not None
            and _HELD_ZH.search(lead) is None
            and not self._names.find(text, head, end - 2)
        )
        return Mention(f"{SIGN}{noun}", head if is_clear else end - 2, end)

    def _may_be_stranger(self, noun: str, at: int) -> bool:
        """Return whether a noun that introduces no one means another person than the sender."""
        if noun in self._new:
            return True
        if noun in _ANYBODY:
            return not self._is_of_name(noun, at)
        if not self._own or noun in self._known:
            return True
        return noun not in self._own and self._calls_own

    def _is_of_name(self, noun: str, at: int) -> bool:
        """Return whether a general noun may mean a named person: the girl is Isla."""
        gender = gender_of_noun(f"{SIGN}{noun}")
        names, player = self._names, self._names.player
        is_known = noun in self._known
        is_own = self._own and not self._calls_own
        fits_own = not gender or names.gender(self._own) in (gender, "")
        if is_own and fits_own and (not is_known or self._is_group):
            return True
        named = {m.name for m in names.find(self._text, self._told_since(at), at)} - {player}
        if any(not gender or names.gender(name) in (gender, "") for name in named):
            return True
        others = (self._before.called, self._before.other, *self._before.recent[-_NEAR:])
        near = [n for n in others if n and n not in (player, self._own) and not is_unknown(n)]
        return not is_known and any(names.gender(name) == gender for name in near)

    def _told_since(self, at: int) -> int:
        """Return the start of a position's line, or of the lines above it without speech."""
        number = bisect_left(self._starts, at + 1) - 1
        line = self._pieces[number].line if number >= 0 else 0
        first = at
        for piece in reversed(self._pieces[: number + 1]):
            if piece.kind == "speech" and piece.line < line:
                break
            first = piece.start
        return first

    def _titled(self) -> dict[str, str]:
        """Return by title the person named with it: Queen Isaude is the queen."""
        text, titled = self._text, {}
        for mention in self._names.find(text):
            title = _TITLE_EN.search(text, max(0, mention.start - 12), mention.start)
            if title is not None:
                titled[title[1].casefold()] = mention.name
        return titled

    def _named_so(self, noun: str, before: int) -> str:
        """Return the person with a title in the name: the sheriff is Sheriff Bascombe.

        Of several it is the one last mentioned; "" if none of them is.
        """
        title = noun.capitalize()
        of_title = [name for name in self._names.all if name.startswith(f"{title} ")]
        if len(of_title) < 2:
            return "".join(of_title)
        named = [m.name for m in self._names.find(self._text, 0, before) if m.name in of_title]
        return named[-1] if named else ""

    def _is_apposition(self, at: int, end: int) -> bool:
        """Return whether a noun describes a named person: Mr. Crane, the prosecutor.

        Or a clause about one: Dr. Bell had come, a young man with cold hands.
        """
        text = self._text
        if text[max(0, at - 2) : at] not in (", ", ": "):
            return False
        last = self._names.last(text, max(0, at - _REACH * 2), at)
        if last is None or any(stop in text[last.end : at] for stop in ".!?\n"):
            return False
        is_all = _OF_NO_DEED.match(text, end) is not None
        return text[at - 2] == ":" or last.end == at - 2 or is_all

    def _english(self) -> Iterator[Mention]:
        """Yield the positions of English nouns for persons, by the noun itself or its action."""
        text = self._text
        runs = list(_RUN_EN.finditer(text))
        if not runs:
            return
        for match in _SOMEONE.finditer(text):
            if not _NO_NOUN_EN.search(text, max(0, match.start() - 12), match.start()):
                yield Mention(PASSING[0], match.start(), match.end())
        spoke = {noun for match in _TAGS_EN.finditer(text) if (noun := _tagged(match))}
        nouns = {noun for noun in self._known if noun.isascii()} | spoke
        words_of = [_WORD_EN.findall(run["words"]) for run in runs]
        nouns.update(filter(None, map(_does, words_of)))
        titled = self._titled()
        for run, words in zip(runs, words_of, strict=True):
            noun = next((w for w in _of_noun(words) if w in nouns or _is_person(w)), "")
            if noun:
                at = run.end("of") + run["words"].index(f" {noun}") + 1
                yield from self._english_one(run, noun, at + len(noun), titled, nouns)

    def _english_one(
        self,
        run: re.Match[str],
        noun: str,
        end: int,
        titled: Mapping[str, str],
        nouns: Collection[str],
    ) -> Iterator[Mention]:
        text, start, article = self._text, run.start(), run["of"].casefold()
        near = max(0, start - 12)
        is_no_noun = _NO_NOUN_EN.search(text, near, start) and not _THERE_EN.search(
            text, near, start
        )
        is_of_speaker = noun in _BODILY and (article in _OWNED or _IN_A.search(text, 0, start))
        if (
            is_no_noun
            or is_of_speaker
            or text.startswith(" of ", end)
            or self._is_apposition(start, end)
        ):
            return
        if named := titled.get(noun) or self._named_so(noun, start):
            yield Mention(named, start, end)
            return
        is_new = article in _NEW_EN or _PLACED_EN.match(text, end) is not None
        if is_new:
            self._new.add(noun)
        is_sure = is_new or (noun in nouns and noun not in _ANYBODY)
        if is_sure or self._may_be_stranger(noun, start):
            yield Mention(f"{SIGN}{noun}", start, end)


@lru_cache(maxsize=4_000)
def _is_person(word: str) -> bool:
    """Return whether an English noun alone means a person: a nun, a ferryman, a violinist."""
    is_derived = word.endswith(_PERSON_ENDS) and word not in _NO_PERSONS
    return word in _PERSONS_EN or (is_derived and word.isalpha())


@lru_cache(maxsize=4_000)
def does_as_people(word: str) -> bool:
    """Return whether an English verb is an action of people only: nods, said."""
    return _HUMAN_EN.fullmatch(word) is not None


def _of_noun(words: Sequence[str]) -> Sequence[str]:
    """Return the words after an article that may contain its noun: at most three adjectives."""
    stop = next((n for n, word in enumerate(words) if word in _STOP_WORDS), len(words))
    return words[: min(stop, _ADJECTIVES + 1)]


def _does(words: Sequence[str]) -> str:
    """Return the noun after an article if its action is one of people only."""
    for number, noun in enumerate(_of_noun(words)):
        behind = [word for word in words[number + 1 : number + 5] if not word.endswith("ly")]
        if len(noun) < _SHORT or not behind:
            continue
        if does_as_people(behind[0]) and noun not in _SAID_BY_THINGS:
            return noun
        own = behind[2:3] if behind[1:2] and behind[1] in _BACK else behind[1:2]
        acts = behind[0].endswith(("s", "ed"))
        if acts and own and own[0] in ("his", "her"):
            return noun
        beside = next((n for n, word in enumerate(words) if word in ("his", "her")), len(words))
        if acts and words[beside + 2 : beside + 3] and words[beside + 2].endswith(("ing", "ed")):
            return noun  # a rider waits, her horse steaming
    return ""


def _tagged(tag: re.Match[str]) -> str:
    """Return the noun in the words after a speech that name its speaker."""
    words = tag["words"].split()
    nouns = [word for word in _of_noun(words) if not word.endswith("ly") and word.isalpha()]
    person = next(filter(_is_person, nouns), "")
    if person or not nouns:
        return person
    if tag["says"]:
        return nouns[-1]
    acts = (n for n, does in pairwise(words) if does.endswith(("s", "ed")))
    return next((noun for noun in acts if noun in nouns), "")


# Speakers who say their own name.

_TWICE = re.compile(r"([A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)[.,?!] (\1 [A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)\b")
# “Sable,” the woman says. “Sable Quist.”
_AGAIN = re.compile(
    r"([A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)[.,!][”\"][^“”\"\n]{1,48}[“\"](\1 [A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)\b"
)
_NAMED = 14  # characters of a sentence that only names its speaker
_TO_HEARER = re.compile("[你您]")
_OF_WHERE = re.compile("(?![你您我他她来])[\u4e00-\u9fff]{1,6}的")  # 我是七科的顾寒


_RELATIVE = re.compile(
    "[他她]?(?:亲|大|小|前)?(?:男|女|朋友|同学|同事|室友|老公|老婆|[爸妈爹娘哥姐弟妹叔姨舅])"
)


def introduced(text: str, names: Mentioned, start: int, end: int, known: Collection[str]) -> str:
    """Return the person of the story who says their own name in a speech, "" for none.

    ``known`` are the persons mentioned before: a name alone addresses them.
    """
    if INTRODUCES.search(text, start, end) is None:
        return _named_alone(text, names, start, end, known)
    for match in INTRODUCES.finditer(text, start, end):
        at = match.end() - len(match["name"])
        mention = next(iter(names.find(text, at, end)), None)
        if mention is None or is_owner(text, mention.end):
            continue  # I'm Felix's half-sister
        if _RELATIVE.match(text, mention.end) is not None:
            continue  # 我是苒苒她男朋友
        of = _OF_WHERE.match(text, at)
        is_whole = text[mention.start : mention.end] == mention.name
        is_last = text[mention.end : mention.end + 1] in "。，！"
        if of is not None and mention.start == of.end() and is_whole and is_last:
            return mention.name
        if mention.start != at:
            continue  # 我不是故意的
        if match[0] != f"我{match['name']}" or mention.name.startswith(text[at : mention.end]):
            return mention.name  # 我闻斯年…, but not 我太太…
    return ""


def _named_alone(text: str, names: Mentioned, start: int, end: int, known: Collection[str]) -> str:
    """Return the person who says only their name, not used before: Halloran. She's my ship."""
    before = set(names.named_before(start))
    twice = _TWICE.match(text, start, end)
    if twice is not None:  # “Grace. Grace Pritchard, at the lodge.”
        return next((m.name for m in names.find(text, twice.start(2), end)[:1]), "")
    again = _AGAIN.match(text, start)
    if again is not None and (found := names.find(text, again.start(2), again.end(2))):
        return found[0].name if found[0].name not in known and found[0].name not in before else ""
    for mention in names.find(text, start, end):
        lead = text[start : mention.start].rstrip()
        is_head = not lead or lead[-1] in ".!?"
        is_new = mention.name not in known and mention.name not in before
        if is_head and is_new and NAMED_ALONE.match(text, mention.end, end) is not None:
            return mention.name
        before.add(mention.name)
    return ""


def bare_name(text: str, names: Mentioned, start: int, end: int) -> str:
    """Return the name that begins, or is, the speech of an unnamed person."""
    mention = next(iter(names.find(text, start, end)), None)
    title = "" if mention is None else text[start : mention.start].strip()
    if mention is None or TITLE_BEFORE.sub("", title) or not CALLS.match(text, mention.end):
        return ""
    if text[mention.end : end] in ("。", ".") or OWN_WORDS.search(text, mention.end, end):
        return mention.name
    ended = SENTENCE_END.search(text, mention.end, end)  # “司徒夜，镇夜司的。”
    is_all = ended is not None and text[ended.start()] == "。" and ended.end() - start <= _NAMED
    return mention.name if is_all and not _TO_HEARER.search(text[start:end]) else ""


def without_unnamed(part: Part, unnamed: Set[str]) -> Part:
    """Return a part without unnamed people."""
    named = unnamed.isdisjoint((part.speaker, part.subject)) and unnamed.isdisjoint(part.hearers)
    if named and unnamed.isdisjoint(part.recent):
        return part
    speaker, subject = ("" if n in unnamed else n for n in (part.speaker, part.subject))
    hearers, recent = (
        tuple(n for n in names if n not in unnamed) for names in (part.hearers, part.recent)
    )
    return replace(part, speaker=speaker, subject=subject, hearers=hearers, recent=recent)
