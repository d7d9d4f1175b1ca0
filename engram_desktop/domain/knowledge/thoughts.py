"""Thoughts in a text, and who thinks them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engram_desktop.domain.text.sentences import Phrases
from engram_desktop.domain.values import dataclass

# Mentions of the cast in a text: Latin names as words, Chinese ones anywhere.


_LATIN = "A-Za-z0-9_À-ɏ"
_CHINESE_NAME = re.compile("[\u4e00-\u9fff]{2,4}")
_TITLES = tuple(
    "先生 小姐 姑娘 女士 警官 公子 老师 老板 掌柜 医生 大夫 队长 叔 姨 姐 哥 叔叔 阿姨".split()
)
MAX_NAME = 60  # characters of a name that is searched for: bounds the pattern; not measured


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a cast: ``name`` as returned, and the other names in texts."""

    name: str
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """The persons who may be present: characters, the player, and whether several speak.

    ``narrated`` are persons spoken for by the card of another, ``narrators`` are cards that are
    nobody in the story.
    """

    characters: tuple[Member, ...] = ()
    player: str = ""
    is_group: bool = False
    player_names: tuple[str, ...] = ()
    narrated: tuple[Member, ...] = ()
    narrators: frozenset[str] = frozenset()

    @property
    def is_narrated(self) -> bool:
        """Whether one card speaks for further persons."""
        return bool(self.narrated) and not self.is_group

    @property
    def is_alone(self) -> bool:
        """Whether it is the usual chat of one character and the player, and nobody else."""
        return not self.is_group and len(self.characters) < 2 and not self.narrated


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, characters ``start``..``end`` (not included)."""

    name: str
    start: int
    end: int


_KANA_NAME = re.compile("[\u3041-\u3096]+")
# What follows a name in hiragana that is no part of a longer word: あかりは, あかりちゃん.
_BEHIND_JA = re.compile(
    r"[はがをにのともでへやよね、。，！？!?…・」』）)\s〜～ー]|って|から|だ|なら|さん|くん|君|ちゃん"
    r"|様|さま|先輩|先生|$"
)
_BEFORE_JA = frozenset("のとはがもでに")


def is_apart_ja(text: str, start: int, end: int) -> bool:
    """Return whether a name is no part of a word in hiragana; others may be anywhere."""
    if not _KANA_NAME.fullmatch(text, start, end):
        return True
    is_begun = start and _KANA_NAME.match(text[start - 1]) and text[start - 1] not in _BEFORE_JA
    return not is_begun and _BEHIND_JA.match(text, end) is not None


class NameFinder:
    """Finds the names of a cast. ``player`` is meant by “你” where a character speaks."""

    def __init__(self, known: Mapping[str, str], player: str = "") -> None:
        self._known = {word.casefold(): name for word, name in known.items()}
        self.player = player
        self.all = frozenset(known.values())
        self._pattern = _pattern_of([word for word in known if word])

    @property
    def words(self) -> Mapping[str, str]:
        """All words searched for, in lower case, with the name each belongs to."""
        return self._known

    def last(self, text: str, start: int, end: int) -> Mention | None:
        """Return the last mention in a stretch of a text."""
        last = None
        for mention in self.find(text, start, end):
            last = mention
        return last

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Mention]:
        """Yield the mentions in a stretch of a text, the longest name at each place."""
        if self._pattern is None:
            return
        for match in self._pattern.finditer(text, start, len(text) if end is None else end):
            name = self._known.get(match[0].casefold())
            if name is not None and is_apart_ja(text, match.start(), match.end()):
                yield Mention(name, match.start(), match.end())

    def who(self, name: str) -> str:
        """Return the name in the cast of a person called ``name``; ``name`` itself if unknown."""
        return self._known.get(name.strip().casefold(), name.strip())

    def is_known(self, name: str) -> bool:
        return name.strip().casefold() in self._known


@lru_cache(maxsize=64)
def names_of(cast: Cast) -> NameFinder:
    """Return the names of a cast; a shared name belongs to the first member."""
    known: dict[str, str] = {}
    people = [*cast.characters, Member(cast.player, cast.player_names), *cast.narrated]
    for short in (False, True):
        for member in people:
            for word in member.other_names if short else (member.name,):
                if 0 < len(word.strip()) <= MAX_NAME:
                    known.setdefault(word.strip(), member.name)
    _add_titles(known, people)
    return NameFinder(known, cast.player)


def _add_titles(known: dict[str, str], people: Sequence[Member]) -> None:
    """Add “陆先生” for 陆临川, if nobody else has that family name."""
    families: dict[str, list[str]] = {}
    for member in people:
        if _CHINESE_NAME.fullmatch(member.name):
            families.setdefault(member.name[0], []).append(member.name)
    for family, names in families.items():
        for title in _TITLES if len(names) == 1 else ():
            known.setdefault(family + title, names[0])


def _pattern_of(words: Sequence[str]) -> re.Pattern[str] | None:
    """Return a case-insensitive pattern of words, longer ones before their prefixes.

    It begins with the set of their first characters, which `re` finds without trying the words at
    each place of a text: a third of the time in English, a fifth in Chinese with a Latin name among
    the words.
    """
    branches: dict[str, list[str]] = {}
    for word in sorted(filter(None, words), key=lambda word: (-len(word), word)):
        before = f"(?<![{_LATIN}].)" if re.match(f"[{_LATIN}]", word[0]) else ""
        after = f"(?![{_LATIN}])" if re.match(f"[{_LATIN}]", word[-1]) else ""
        rest = re.escape(word[1:])
        is_cased = word[1:].lower() != word[1:].upper()
        branches.setdefault(_first_of(word), []).append(
            f"{before}{f'(?i:{rest})' if is_cased else rest}{after}"
        )
    if not branches:
        return None
    each = [f"(?<=[{first}])(?:{'|'.join(rests)})" for first, rests in branches.items()]
    return re.compile(f"[{''.join(branches)}](?:{'|'.join(each)})", re.DOTALL)


def _first_of(word: str) -> str:
    """Return the first character of a word in both cases, for a set in a pattern."""
    cases = {word[0], word[0].lower(), word[0].upper()}
    return "".join(re.escape(case) for case in sorted(cases) if len(case) == 1)


# Words that tell a thought from a gesture, and who thinks it. A doubtful bracket is a thought: a
# hidden gesture costs less than a thought that everybody knows.


_REACH = 60  # characters searched for a subject, at each end of a sentence

# A sentence with one of these is about a thought.
THINKS = Phrases(
    r"心想|心里(?:[:：，]|一[沉紧动惊凉暖酸跳震]|[却正还早直咯发打七])|心里(?:暗|默默|偷偷|却|也"
    r"|只|又|就)?(?:想|道|说|念|盘算|嘀咕|琢磨|骂|清楚|明白|知道|有数)"
    r"|心中(?:暗|默默)?(?:想|道|盘算|清楚|明白|知道)|心道|心说|心下|心底|心声|内心独白|内心戏"
    r"|心理活动|内心|在心里|在心中"
    r"|暗想|暗道|暗忖|暗自|暗暗(?:想|道|发誓|决定|盘算|祈祷|松)|寻思|思忖|腹诽|默念|默想|想道"
    r"|自言自语|喃喃自语|自语|脑海[里中]|脑子里|脑中|(?:忍不住|不由得|不禁|默默地?"
    r"|偷偷地?)(?:在?想|猜)(?!了想)"
    r"|口是心非|没有说出口|没说出口|说不出口|咽了回去|心の中で|内心で|心の声",
    r"thinks(?! (?:aloud|out loud))|think to (?:my|him|her|them)sel\w+|thinking|thought|wonders"
    r"|wondered|wondering"
    r"|realizes|realizing|muses|mused"
    r"|(?:to|in|inside) (?:my|his|her|their|your) (?:mind|head|heart)"
    r"|(?:says?|tells?|told|said|mutters?|muttered) (?:to )?(?:my|him|her|them|your)sel(?:f|ves)"
    r"|(?:never|not|doesn't|does not|didn't) (?:say|says|said|speak)"
    r" (?:it |that )?(?:aloud|out loud)"
    r"|inner (?:voice|monologue|thoughts?)|internally|mentally|secretly|inwardly"
    r"|keeps? (?:it |that |this )?to (?:my|him|her|them)sel\w+|thoughts?(?=:)",
)
# A narrator tells what “you” think.
YOU_THINK = re.compile(
    r"\W*(?:你(?:忽然|突然|这才|也)?(?:想[起到]|记[得起]|意识到|心想|明白|知道|觉得|认出)"
    r"|you (?:\w+ly |\w+ )?(?:remember|recall|reali[sz]e|know|think|wonder|feel|recogni[sz]e)\b)",
    re.IGNORECASE,
)
# These too, in narration; in plain speech they are only words.
RECALLS = Phrases(
    r"(?<!你)想起|回想|忆起|记起|没有?人知道|谁也不知道|无人知晓|只有[他她我]自己知道|独自知道",
    r"remembers?|remembered|recalls?|recalled|nobody (?:else )?knows|no one (?:else )?knows"
    r"|only (?:he|she|they) knows?",
)
# In plain speech such a word alone is common about oneself: somebody else must be its subject.
_WEAK = re.compile(
    r"thinking|thought|wonder\w*|realizing|内心|脑海[里中]|脑子里|心底|在心[里中]", re.IGNORECASE
)
_SOMEBODY = re.compile(r"(?:(?<![A-Za-z])(?:[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+)(?:'s)?|他|她)\s*$")
_SUBJECT = 24  # characters before such a word in which its subject ends: the length of a name
_THIRD = re.compile(r"他|她|(?<![A-Za-z])(?:he|she|they)(?![A-Za-z])", re.IGNORECASE)
_ALOUD = re.compile(
    r"(?:thinks?|wonders?|thought) (?:aloud|out loud)"
    r"|你在想|想了想|想了一[想下会]",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"我|咱|俺|老子|本小姐|本座|人家|(?<![A-Za-z'])(?:I|me|my|I'm|I'd|I'll)(?![A-Za-z])"
)
_MENTAL = re.compile(
    r"想着|想起|想到|想要|好想|真想|不想|只想|多想|[，,]想|觉得|感觉|以为|认为|希望|但愿|喜欢|讨厌"
    r"|爱上|害怕|担心|后悔|知道|明白|难道|居然|竟然|怎么|为什么|凭什么|是不是|会不会|不会是|应该"
    r"|(?<!于)是|密码|真相|凶手|说谎|莫非|果然|其实|原来|要是|如果|万一|千万|绝对|一定|才不|可恶"
    r"|糟了|糟糕|完了|完蛋|惨了|算了"
    r"|记得|猜|打算|决定|计划|瞒|秘密|暗恋|回忆|怀疑|忍住|不能|不敢|得赶紧|必须|最好|反正|可惜"
    r"|到底|究竟|真是|太好了|笨蛋|傻瓜|心动|嫉妒|吃醋|庆幸|愧疚|内疚|骗"
    r"|(?<![A-Za-z])(?:hopes?|wish(?:es)?|feels?|felt|knows?|knew|remember\w*|believes?|guess"
    r"|maybe|perhaps|should|must|if only|loves?|hates?|wants?|afraid|worried|secret|plans?|why"
    r"|what if|how could|can't|cannot|don't|won't|never|suspects?|doubts?|regrets?|fears?"
    r"|pretends?|has no idea|lies|lied|lying to)(?![A-Za-z])",
    re.IGNORECASE,
)
_GESTURE = re.compile(
    r"放(?!在)|停(?!职)|藏(?!在)"
    r"|[走跑站坐躺跪蹲爬跳转靠倚抬低点摇歪挥招伸握拉拽扯推拿取递接举抱搂牵拍摸揉捏戳敲踢踩抓"
    r"捂擦抹梳端喝吃咬吞吐吹看望盯瞪瞥瞄凝环扫眨闭睁笑哭泪叹喘咳皱撇嘟噘咧哼愣怔呆颤抖僵红"
    r"鞠躬退进出来去回离关开翻找掏指穿脱戴系披换整理收拾缩躲挡拦追扑扶背扛搬写画读念唱"
    r"弹打扔丢甩捡贴凑压倒醒睡亲吻抚饮叫喊默静顿声语头手眼脸肩嘴耳背身脚腿腰唇]"
    r"|(?<![A-Za-z])(?:smil|laugh|giggl|chuckl|grin|sigh|nod|shak|shrug|wav|walk|step|run|sit|stand"
    r"|lean|turn|look|glanc|star|gaz|blink|wink|blush|frown|tilt|rais|lower|reach|tak|grab|hold|hug"
    r"|pat|point|clos|open|enter|leav|paus|silen|whisper|gasp|cough|clear|tear|crie|cry|sob|bow"
    r"|push|pull|put|place|hand|pour|drink|eat|kiss|yawn|stretch|knock|arriv|sniff|snort|smirk"
    r"|roll|cross|fold|bit|trembl|shiver|jump|kneel|crouch|fall|drop|pick|throw|play)\w{0,5}"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
# A gesture begins with an action: so “the key lies by his left hand” is not one.
_SENTENCE_HEAD = re.compile(r"(?:[A-Za-z']+\W+){0,3}[A-Za-z']+|[^，,；;。]{0,6}")
_SHORT = 24  # bytes of a bracket that only names a mood: eight Chinese characters, three words
_MOOD = re.compile(
    r"[怒惊喜羞愧慌急恼窘疑惑奈委屈郁闷疲惫严肃认真温柔犹豫迟疑兴奋激动得意撒娇平静淡冷轻柔欣慰失落感慨好奇郑重"
    r"匆忙俏皮调皮害羞生气开心伤心难过无语尴尬紧张]|地$|深呼吸|不明所以"
    r"|(?<![A-Za-z])(?:angry|happy|sad|shy|nervous|calm|excited|surprised|confused|embarrassed"
    r"|serious"
    r"|softly|quietly|gently|angrily|happily|sadly|nervously|\w+ly)(?![A-Za-z])",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"^[\W_]*(?:下线|上线|离线|ooc|ps|p\.s|注[:：]|注释|备注|旁白|画外音|系统|提示|未完|待续|完$"
    r"|时间|地点|场景"
    r"|bgm"
    r"|note|translation|tip|author|system|scene|end)",
    re.IGNORECASE,
)
_TIME = re.compile(  # at its beginning this is a stage direction: “three days later, the inn”
    r"(?:第?[一二两三四五六七八九十几数半\d]{1,4}个?(?:天|日|夜|周|星期|月|年|小时|分钟|幕|章|场)"
    r"|次日|翌日|当晚|画面|镜头"
    r"|\w+ (?:hours?|days?|weeks?|months?|years?) later)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[。！？!?…][^\W_]")  # a gesture is one sentence
_WORDS = re.compile(r"[^\W\d_]")
# Before the verb, and not part of it: “爱丽丝忍不住在心里想”.
_ADVERBS = re.compile(
    r"(?:忍不住|不由得|不由|不禁|默默地?|偷偷地?|暗暗|悄悄|在|却|也|又|只|还|便|就|则|的|此刻|此时"
    r"|这才|quietly|silently|secretly|only|just|'s|\s|[*])+$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:我|他|她|它|自己|(?<![a-z])(?:I|he|she|they))\s*$", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:后|时|时候|前|话|眼|的)$|^(?:after|when|while|as|before|once)\b", re.IGNORECASE
)


def match_thought(sentence: str, *, is_plain: bool = False) -> re.Match[str] | None:
    """Return the match of words that say somebody thinks; None if there are none.

    ``is_plain``: the sentence may be unquoted speech.
    """
    match = THINKS.search(sentence)
    if match is not None and is_plain and _WEAK.fullmatch(match[0]):
        before = sentence[max(0, match.start() - _SUBJECT) : match.start()]
        if not _SOMEBODY.search(before) and sentence[match.end() : match.end() + 1] not in set(
            ":："
        ):
            match = None
    if match is None and not (is_plain and not _THIRD.search(sentence)):
        match = RECALLS.search(sentence)
    if match is not None and _ALOUD.search(sentence):
        return None
    return match


_HAN = re.compile("[\u3400-\u9fff]")
# A Chinese bracket describes an action (车窗降下), unless it speaks or judges.
_JUDGES = re.compile(
    r"^\W*(?:OS|内心|心声|独白|心里话)|[？?！!～~吗呢吧啊呀啦嘛]\W*$|[我咱俺]|(?<![但可只总还于若])是(?!着|否)|不(?:能|会|可|该|对|是|行|要|想|对劲)"
    r"|没(?:有)?(?:人|谁|事|错)|果然|原来|难道|竟然|居然|究竟|到底|其实|明明|反正|必须|应该|一定|肯定|恐怕"
    r"|也许|大概|千万|真(?:的|是|该|不)|太|好像|要是|如果|什么|怎么|为何|哪|谁|几时"
    r"|^[^把将]*(?:藏|埋|锁|就)在",
    re.IGNORECASE,
)


def is_thought_bracket(content: str, *, stars: bool = False) -> bool:
    """Return whether the text in brackets is a thought; with ``stars``, only if certain."""
    if not _WORDS.search(content) or _OUTSIDE.match(content):
        return False
    if stars:
        return bool(
            _FIRST.search(content) and _MENTAL.search(content) and not _GESTURE.search(content)
        )
    if match_thought(content) or _MENTAL.search(content) or _SENTENCES.search(content):
        return True
    if len(content) <= _SHORT and _TIME.match(content) and not _FIRST.search(content):
        return False
    head = _SENTENCE_HEAD.match(content)
    is_gesture = head is not None and _GESTURE.search(head[0])
    if is_gesture or _is_mood(content):
        return False
    return _HAN.search(content) is None or _JUDGES.search(content) is not None


def tells_deeds(content: str) -> bool:
    """Return whether words in brackets neither think nor are in the first person."""
    marks = match_thought(content) or _MENTAL.search(content) or _FIRST.search(content)
    return not marks


def _is_mood(content: str) -> bool:
    return (
        len(content.encode("utf-8", "surrogatepass")) <= _SHORT
        and _MOOD.search(content) is not None
    )


def subject_of(text: str, start: int, mark: int, names: NameFinder, speaker: str) -> str:
    """Return who does what the word at ``mark`` says, in the sentence from ``start``.

    This is the person named right before the word, or at the beginning of the sentence, or else the
    speaker.
    """
    near = max(start, mark - _REACH)
    last = names.last(text, near, mark)
    before = _ADVERBS.sub("", text[near:mark])
    if last is not None and near + len(before) == last.end:
        return last.name
    if _PRONOUN.search(before):
        return speaker
    opening = opening_of(text, start, mark, names)
    if opening:
        return opening
    head = text[start : start + 8].lstrip(" *（(")
    if names.player and (head.startswith("你") or head[:4].casefold() == "you "):
        return names.player
    return speaker


def opening_of(text: str, start: int, mark: int, names: NameFinder) -> str:
    """Return the name that begins a sentence, unless its clause is an aside; else ""."""
    first = next(names.find(text, start, min(mark, start + _REACH)), None)
    if first is None:
        return ""
    lead = text[start : first.start].strip(" *—-（(“「,，")
    if lead and lead.casefold() not in {"而", "但", "可", "只有", "and", "but"}:
        return ""
    clause = re.split(r"[，,；;]", text[first.start : min(mark, start + _REACH)], maxsplit=1)[0]
    return "" if _ASIDE.search(clause.rstrip()) else first.name
