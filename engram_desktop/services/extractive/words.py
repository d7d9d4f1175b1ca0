"""Words of a text without a model: segmentation, speech and narration, times, and verbs.

`rjieba` cuts and tags Chinese; English words get tags of ours. One word list per chat keeps its
names whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    import rjieba


_ENGLISH = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ][A-Za-zÀ-ÖØ-öø-ɏ'’-]*")
_NO_NAME = ("I'", "I’", "OK")
_CJK = re.compile(r"[\u3400-\u9fff]")

# Words without content of their own.
STOP_EN = frozenset(
    """
    a an the and or but if so as of at by for from in into on onto out over to up down with
    without about after again all also am any are aren't be been being before both can can't
    cannot could couldn't did didn't do does doesn't doing don't during each ever every few
    further get gets getting got had has hasn't have haven't having he he's her here here's hers
    herself him himself his how i i'd i'll i'm i've is isn't it it's its itself just let let's
    like me more most much my myself no nor not now of off oh ok okay on once one only other our
    ours ourselves own really same she she's should shouldn't some such than that that's the their
    theirs them themselves then there there's these they they're they've this those through too
    under until very was wasn't we we'd we'll we're we've were weren't what what's when where
    which while who whom why will with won't would wouldn't yeah yes yep you you'd you'll you're
    you've your yours yourself yourselves good great nice wow hey hi hello thanks thank well glad
    sounds sure definitely totally always going go gonna lot lots thing things something anything
    everything way make makes made take took know think feel see say said says been want need got
    back still even though maybe pretty hope awesome cool amazing absolutely congrats lately keep
    """.split()
)
STOP_ZH = frozenset(
    """
    一个 一些 一下 一样 一直 一起 这个 那个 这些 那些 这里 那里 这样 那样 什么 怎么 怎样 为什么
    多少 我们 你们 他们 她们 它们 自己 大家 可以 可能 应该 已经 因为 所以 但是 不过 虽然 如果 就是
    还是 只是 而且 或者 然后 之后 之前 时候 没有 不是 不要 不会 不能 知道 觉得 感觉 看着 看到 看见
    听到 说道 说话 起来 出来 过来 过去 下来 上来 回来 进来 进去 出去 下去 真的 非常 特别 有点 有些
    十分 这么 那么 多么 似乎 仿佛 好像 突然 忽然 终于 轻轻 慢慢 微微 微笑 笑着 笑容 点头 点点头
    摇头 眼睛 眼神 目光 声音 嘴角 低头 抬头 转身 身体 表情 语气 脸上 手里 手中 心里 心中 今天 明天
    昨天 现在 刚才 一会儿 这时 此时 不知道 对不起 没关系 谢谢 好的 哈哈 哈哈哈 嘻嘻 嗯嗯 东西 事情
    一点 先生 小姐 也许 大概 其实 当然 只有 还有 还要 不用 需要 开始 继续 以后 以前 一定 一声 一眼
    半天
    """.split()
)
# Words that are no search terms, though they can be nouns.
COMMON_EN = frozenset(
    """
    time times day days night nights morning evening afternoon week weeks month year years hour
    hours minute minutes moment while today tomorrow yesterday people person man woman guy guys
    girl boy someone somebody world life home house room place places thing stuff part side end
    start point kind sort type way ways idea ideas fact case reason reasons problem issue question
    answer word words talk chat message name number bit lot couple few half rest piece line list
    set group hand hands head face eyes eye hair arm arms shoulder shoulders back body heart mind
    voice breath breathe lip lips mouth cheek cheeks finger fingers foot feet leg legs skin chest
    neck brow brows eyebrow eyebrows gaze glance look looks smile smiles grin laugh laughter nod
    sigh tone expression touch warmth silence feeling feelings emotion emotions love hope fear joy
    fun luck care thought thoughts memory memories dream dreams sense sight sound support help
    advice experience chance change changes difference progress goal goals passion inspiration
    effort work job step steps closer close better best good great nice little big small old new
    young long short high low right left wrong real true sure able same different other next last
    first second many much more most less least enough whole full free happy sad glad proud
    excited amazing awesome beautiful special important hard easy soft warm cold hot dark light
    deep slow quick quiet loud ready busy tired fine okay whatever anything something everything
    nothing none one two three since till though although because else ever never again away
    around along across behind beside between among against toward towards within without upon
    onto inspiring beauty journey vibe vibes appreciation sorry plus fave amount spot comp dude
    buddy dear darling honey sweetheart baby sir lady
    """.split()
)
_LETTER = re.compile(r"[^\W\d_]")
_STOP_SHARE, _FEWEST_WORDS = 0.25, 20  # of English words; in English .4 to .6, in French .04


def is_english(texts: Sequence[str]) -> bool:
    """Return whether texts are English, and not in another language or script."""
    sample = " ".join(text[:500] for text in texts[:50])
    words = _ENGLISH.findall(sample)
    if len("".join(words)) * 2 < len(_LETTER.findall(sample)):
        return False
    common = sum(word.lower() in STOP_EN for word in words)
    return len(words) < _FEWEST_WORDS or common >= _STOP_SHARE * len(words)


_CONTENT_TAGS = ("n", "v", "a", "eng", "nr", "ns", "nt", "nz", "i", "l", "t")


@dataclass(frozen=True, slots=True)
class CutWord:
    text: str
    tag: str  # rjieba's: n noun, v verb, nr person, ns place, t time, x mark; en, En for English
    is_joined: bool = False  # an English word separated from the one before by blanks only

    @property
    def is_content(self) -> bool:
        """Return whether the word has content of its own."""
        if self.tag in {"en", "En"}:
            return len(self.text) > 2 and self.text.lower() not in STOP_EN
        if self.text in STOP_ZH or not self.tag.startswith(_CONTENT_TAGS):
            return False
        return len(self.text) > 1

    @property
    def is_noun(self) -> bool:
        """Return whether the word can be a keyword: a noun; English words are judged by form."""
        if self.tag == "en":
            return self.text.isalpha() and len(self.text) > 3 and not self.text.endswith("ly")
        return self.tag.startswith("n") or self.tag in {"vn", "En"}

    @property
    def key(self) -> str:
        """Return the form under which the word is counted."""
        if self.tag not in {"en", "En"}:
            return self.text
        word = self.text.lower().removesuffix("'s").removesuffix("’s")
        return word[:-1] if len(word) > 4 and word.endswith("s") and word[-2] != "s" else word


class Cutter:
    """Segments texts, keeping the chat's own names whole."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        """Set ``names`` that are never cut, each with its tag."""
        self._new_names = dict(names or {})

    def add(self, names: Mapping[str, str]) -> None:
        """Add names that are never cut, each with its tag."""
        self._new_names |= names

    @cached_property
    def _empty(self) -> rjieba.Jieba:
        import rjieba  # noqa: PLC0415 - with the first Chinese text: to read its words takes 0.1 s

        return rjieba.Jieba()

    @property
    def _jieba(self) -> rjieba.Jieba:
        if self._new_names:
            for name, tag in self._new_names.items():
                if _CJK.search(name):
                    self._empty.add_word(name, 1_000_000, tag)
            self._new_names = {}
        return self._empty

    def knows(self, word: str) -> bool:
        """Return whether ``word`` is in the dictionary, or a name of this chat."""
        return _CJK.search(word) is not None and bool(self._jieba.has_word(word))

    def words(self, text: str) -> list[CutWord]:
        if not _CJK.search(text):
            return english(text)
        return [CutWord(word, tag) for word, tag in self._jieba.tag(text)]


# Headings and list labels are capitalised throughout: “### Final Thoughts”, “1. Set Clear Goals:
# …”.
_SMALL = "and|or|of|the|an?|to|for|in|on|at|by|with|from|vs"
_MORE = rf"(?:[ ,&/–-]+(?:[A-Z\d][\w'’]*|{_SMALL})\b)"
_TITLED = rf"(?:[A-Z][\w'’]*|{_SMALL})\b{_MORE}"
_HEADING = re.compile(
    rf"^[ \t]*(?:(?:[-*•]|\d+[.)])[ \t]*{_TITLED}*(?=:|[ \t]*$)|{_TITLED}+:?[ \t]*$)", re.MULTILINE
)


def english(text: str) -> list[CutWord]:
    """Return the words of an English text; ``En`` marks a capital inside a sentence.

    Words of headings are not marked: there all words have capitals.
    """
    words: list[CutWord] = []
    headings = [match.span() for match in _HEADING.finditer(text)] if "\n" in text else []
    end = 0
    for match in _ENGLISH.finditer(text):
        between = text[end : match.start()]
        opens = not words or any(mark in between for mark in '.!?…\n:“"*(')
        while headings and headings[0][1] <= match.start():
            del headings[0]
        is_name = (
            match[0][0].isupper()
            and not opens
            and match[0] != "I"
            and not match[0].startswith(_NO_NAME)
            and not (headings and headings[0][0] <= match.start())
        )
        joined = bool(words) and not between.strip()
        words.append(CutWord(match[0], "En" if is_name else "en", joined))
        end = match.end()
    return words


# Speech and actions in any notation of role-players: `*action*`, （action）, “speech”, 「speech」,
# "speech" and plain text are found in one pass; an unclosed mark ends with its line.


Kind = Literal["speech", "action", "plain"]

_MARK = re.compile(r"[*（）()\[\]【】“”「」『』«»\"]|\n+")
_CLOSING = {"“": "”", "「": "」", "『": "』", "«": "»", '"': '"'}
_QUOTES = '“”「」『』«»"'
_FIRST_OR_SECOND = re.compile(r"[我你]|\b(?:I|you|me|my|your|we)\b", re.IGNORECASE)
MAX_UNIT_ZH = 48  # characters of one quoted unit; not measured
MAX_UNIT_EN = 130  # the same in letters
_LONG_PROSE = 90  # characters: shorter texts without “I” or “you” may be speech; not measured
_TELLING = re.compile(r"(?:[我她他它]|(?:I|She|He|The|An?)\b)(?=.{15})", re.DOTALL)
# A name in quotation marks inside a sentence, by authors who do not mark speech with them.
_TITLE = re.compile('(?<=[\\w ,，、”])["“]([^"“”\\n]{1,40})["”](?=[,.]? +["“a-z]|[ \\w，。、“])')


@dataclass(frozen=True, slots=True)
class Unit:
    """One or a few adjacent sentences of a message, short enough to quote."""

    text: str
    is_speech: bool
    is_aside: bool  # a bracketed gesture such as （微笑）


def units(
    text: str,
    *,
    is_narrator: bool,
    language: str,
    name: str = "",
    is_prose: bool = True,
    marks_speech: bool = False,
) -> list[Unit]:
    """Cut a cleaned message of ``name`` into units, in order.

    ``is_prose``: unmarked text may be narration; else it is speech, as in a chat. ``marks_speech``:
    the author puts speech in quotation marks, so that other text is narration.
    """
    limit = MAX_UNIT_ZH if language == "zh" else MAX_UNIT_EN
    if is_narrator:
        return [Unit(part, is_speech=False, is_aside=False) for part in _packed(text, limit)]
    if not is_prose:
        text = _TITLE.sub(r"‘\1’", text)
    pieces = list(_pieces(text))
    kinds = {kind for kind, _, _ in pieces}
    plain: Kind = "speech"
    is_told = marks_speech and "action" not in kinds and bool(_TELLING.match(text))
    if "speech" in kinds or is_told or (is_prose and _is_prose(text)) or _tells_of(text, name):
        plain = "action"
    cut: list[Unit] = []
    for kind, is_aside, piece in pieces:
        is_speech = (plain if kind == "plain" else kind) == "speech"
        cut += [Unit(part, is_speech, is_aside) for part in _packed(piece, limit)]
    return cut


def _is_prose(text: str) -> bool:
    """Return whether unmarked text is narration: long and without first or second person."""
    return len(text) > _LONG_PROSE and not _FIRST_OR_SECOND.search(text[:400])


_ACTS = re.compile(r"(?=[ \u3400-\u9fff])(?! ?[,，!！])")  # behind a name


def _tells_of(text: str, name: str) -> bool:
    """Return whether a text begins with an action of its own speaker: Mira shares a photo."""
    return len(name) > 1 and text.startswith(name) and bool(_ACTS.match(text, len(name)))


# English words in brackets within a line that are no action: (via the library). Such as (smiles) or
# (she looks away) are gestures there too. And numbers within a name: 高二（七）班.
_REMARK = re.compile(
    "(?<=[\u4e00-\u9fff])[（(][0-9〇一二三四五六七八九十]{1,3}[)）](?=[\u4e00-\u9fff])|"
    r"(?<=[\w.,!?:;*%)\"”’'] )\((?=[\x20-\x7e’]{2})"
    r"(?!(?:[a-z]+ly )?(?:he|she|they|i|(?!(?:assum|includ|exclud|depend|regard|accord|consider"
    r"|start|rang|us|be|bas)(?:ing|ed)\b|(?:is|was|as|its|this|yes|has|does|us|plus|always"
    r"|perhaps|vs|thus)\b)[a-z]+(?:s|ing|ed))\b)[^()\n]*\)",
    re.IGNORECASE,
)


# A whole quotation in asterisks: *“Forget it,”* he says.
_STARRED_SPEECH = re.compile(r"\*([\"“][^\"“”*\n]+[\"”])\*")
_SOUND = re.compile("[“「]([^“”「」\\n]{1,4})[”」](?=的?一声|地)")  # “哇”地一声哭了出来


def _pieces(text: str) -> Iterator[tuple[Kind, bool, str]]:
    """Yield (kind, in brackets, text) runs."""
    text = _SOUND.sub(r"\1", _STARRED_SPEECH.sub(r"\1", text))
    state = _State()
    start = 0
    remarks = [match.span() for match in _REMARK.finditer(text)]
    for mark in _MARK.finditer(text):
        is_remark = any(begin <= mark.start() < end for begin, end in remarks)
        if is_remark or state.is_text(mark[0]):
            continue
        if piece := text[start : mark.start()].strip():
            yield state.kind, state.depth > 0, piece
        start = mark.end()
        state.take(mark[0])
    if piece := text[start:].strip():
        yield state.kind, state.depth > 0, piece


class _State:
    """State of a scan: inside an action, depth of brackets, and the end of a quotation."""

    def __init__(self) -> None:
        self.in_star = False
        self.depth = 0
        self.closing = ""

    @property
    def kind(self) -> Kind:
        if self.closing:
            return "speech"
        return "action" if self.in_star or self.depth else "plain"

    def is_text(self, mark: str) -> bool:
        """Return whether ``mark`` is plain text here: in a quotation only its end counts."""
        if self.closing:
            return mark != self.closing and "\n" not in mark
        return bool(self.in_star or self.depth) and mark in _QUOTES

    def take(self, mark: str) -> None:
        if "\n" in mark:
            self.depth, self.closing = 0, ""
            self.in_star = self.in_star and len(mark) == 1
        elif mark == "*":
            self.in_star = not self.in_star
        elif mark in "（([【":
            self.depth += 1
        elif mark in "）)]】":
            self.depth = max(0, self.depth - 1)
        elif mark == self.closing:
            self.closing = ""
        else:
            self.closing = _CLOSING.get(mark, "")


def sentences(text: str) -> list[str]:
    """Split at the ends of sentences, keeping the marks."""
    return split_sentences(text)


def _packed(text: str, limit: int) -> Iterator[str]:
    """Join adjacent sentences up to ``limit`` characters."""
    part = ""
    for sentence in sentences(text):
        glue = " " if part and part[-1].isascii() and sentence[0].isascii() else ""
        if part and len(part) + len(sentence) > limit:
            yield part
            part = sentence
        else:
            part = f"{part}{glue}{sentence}"
    if part:
        yield part


# Story times: day marks and hours of the day, as texts name them.


_NUMBER = "[0-9０-９一二三四五六七八九十百千两零〇]+"
_HOURS_ZH = (
    "(?:今天|当天|当日)?(?:大?清早|清晨|凌晨|黎明|拂晓|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏"
    "|入夜|夜里|夜晚|晚上|深夜|午夜|半夜)"
)
_DAY_ZH = re.compile(
    rf"(?P<day>第{_NUMBER}[天日夜]|{_NUMBER}月{_NUMBER}[日号]"
    rf"|冬至|夏至|除夕|元宵|中秋|端午|七夕|平安夜|圣诞节?|元旦|春节)"
    rf"(?:前夜)?(?:[，,、的 ·]{{0,2}}(?P<hour>{_HOURS_ZH}))?"
)
_HOUR_ZH = re.compile(f"{_HOURS_ZH}(?!好)")  # 早上好 is a greeting
_DAY_EN = re.compile(
    r"\b(?:Day \d+"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}(?:st|nd|rd|th)?|Christmas(?: Eve)?|New Year's(?: Eve| Day)?|Halloween)\b"
    r"(?:,? (?P<hour>morning|noon|afternoon|evening|night|midnight))?"
)
_OPENING = 48  # characters at the start of a message that set the scene


_NEXT_DAY = frozenset(["第一天", "第二天", "第三天"])  # usually “the next day”, not a count
_SPEECH = re.compile('[“「『"]')


def opening_day(text: str) -> tuple[str, str]:
    """Return (day, hour) set by the beginning of ``text``; either may be empty.

    Only narration counts: a day in speech, or further on, is mostly just mentioned.
    """
    head = _SPEECH.split(text.lstrip("*（([【 ")[:_OPENING], maxsplit=1)[0]
    if (match := _DAY_ZH.search(head)) and match["day"] not in _NEXT_DAY:
        if match["day"].startswith("第") or match.start() == 0:
            return match["day"], match["hour"] or _hour_after(head, match.end())
    elif (match := _DAY_EN.search(head)) and match.start() < 4:
        hour = match["hour"] or ""
        return match[0].removesuffix(hour).rstrip(" ,"), hour
    early = _HOUR_ZH.match(head)
    return "", early[0] if early else ""


_DAY_PART = re.compile(
    rf"^(?:{_DAY_ZH.pattern}|{_DAY_EN.pattern})".replace("?P<day>", "?:").replace("?P<hour>", "?:")
    + rf"(?:[，,、 ]?{_HOURS_ZH})?[，,。.、：:\s]+(?=\S)"
)


def without_day(text: str) -> str:
    """Return ``text`` without the day it begins with: 第12天，清晨。雨停了."""
    return _DAY_PART.sub("", text, count=1)


def any_day(text: str) -> tuple[str, str]:
    """Return the first numbered day in ``text`` and its hour: for a chat's first message."""
    match = _DAY_ZH.search(text)
    if match is None or not match["day"].startswith("第") or match["day"] in _NEXT_DAY:
        return "", ""
    return match["day"], match["hour"] or _hour_after(text, match.end())


def _hour_after(text: str, start: int) -> str:
    match = _HOUR_ZH.search(text, start, start + 14)
    return match[0] if match else ""


_INTO_ZH = "在|到|进|回|入|往|抵达|位于|穿过|踏入|推开|深处"
_INTO_EN = r"(?:in|at|into|inside|to|through|enter(?:s|ed)?|reach(?:es|ed)?)"


def is_scene_of(place: str, text: str) -> bool:
    """Return whether ``text`` says that something happens at ``place``, not only names it."""
    at = text.find(place)
    if at < 0:
        return False
    if place[:1].isascii():
        return bool(re.search(rf"\b{_INTO_EN}\s+(?:the\s+|a\s+)?$", text[:at], re.IGNORECASE))
    return at < 6 or bool(re.search(rf"(?:{_INTO_ZH})了?[^，。]{{0,6}}$", text[:at]))


# English verbs of role-plays and chats: which words are verbs, and their forms.


_REGULAR = frozenset(
    """
    accept act add admire admit adopt adore agree aim allow amaze announce annoy answer apologize
    appear apply appreciate approach argue arrange arrive ask attack attend avoid bake bark bat
    bathe beg behave believe belong blame blink blush boil borrow bother bow breathe brush bump
    burn bury call calm care carry cast cause celebrate chase chat check cheer chew chill chuckle
    claim clap clasp clean clear clench climb cling clutch collapse collect comb comfort command
    compare compete complain concentrate confess confirm confuse connect consider contain continue
    cook cough count cover crack crash crave create cross crouch cry cuddle cup curl curve cut
    dance dare decide decline defend delay deliver demand deny depend describe deserve design
    destroy develop die dip disagree disappear discover discuss dislike divide doubt drag draw
    dream dress drift drop dry earn echo embrace emerge enjoy enter escape examine excite excuse
    exhale exist expect explain explore express extend face fade fail faint fancy fear fetch fight
    fill finish fix flash flee flicker flinch float flow flush flutter focus fold follow force
    forgive form frown gasp gather gaze gesture giggle glance glare gleam glide glow grab grasp
    greet grimace grin groan grow growl guard guess guide halt hand handle hang happen harm hate
    haunt head heal help hesitate hide hiss hold hope hover hug hum hunt hurry hurt ignore imagine
    improve include inhale insist inspire intend invite join joke judge jump keep kick kill kiss
    kneel knit knock lack land last laugh lead lean leap learn leave lick lie lift light linger
    listen live load lock look love lower make manage mark marry matter mean meditate meet melt
    mention mind miss mix moan move mumble murmur mutter name need nod note notice nudge obey
    offer open order owe pace pack paint part pass pat pause perform pick place plan plant plead
    please point ponder pour practice pray prefer prepare press pretend prevent promise propose
    protect prove pull punch punish purr push question quiver race raise reach react realize
    recall receive recognize recommend refuse regret relate relax release remain remember remind
    remove repair repeat reply report request rescue research respect respond rest return reveal
    roar roll rub ruin run rush save scan scare scoff scold scowl scratch scream search seem serve
    settle shake share shift shiver shout show shrug sigh sign signal sip sit skate skip slam
    slide slip slow slump smell smile smirk smoke snap snarl sneak sniff snore snort sob soften
    sort sound spar spark spin splash squeeze stagger stammer stand stare start startle stay
    steady step stir stop straighten stretch stroke struggle study stumble stutter succeed suck
    suffer suggest suit support suppose surprise surrender survive suspect swallow sway swing talk
    tap taste tease tempt tend test thank threaten tie tighten tilt tiptoe toss touch trace trail
    train travel treat tremble trick trip trust try tuck tug turn twirl twist type understand
    unlock urge use value visit volunteer wait wake walk wander want warm warn wash watch wave
    weigh whimper whine whip whisper whistle win wince wink wipe wish wonder work worry wrap
    wrinkle yawn yell yield
    """.split()
)
_IRREGULAR = {
    base: past.split("/")
    for base, past in (
        pair.split(":")
        for pair in """
        be:was/were/been become:became begin:began/begun bend:bent bind:bound bite:bit/bitten
        bleed:bled blow:blew/blown break:broke/broken bring:brought build:built buy:bought
        catch:caught choose:chose/chosen come:came creep:crept cut:cut deal:dealt dig:dug
        do:did/done draw:drew/drawn drink:drank/drunk drive:drove/driven eat:ate/eaten
        fall:fell/fallen feed:fed feel:felt fight:fought find:found flee:fled fly:flew/flown
        forget:forgot/forgotten forgive:forgave freeze:froze/frozen get:got/gotten give:gave/given
        go:went/gone grow:grew/grown hang:hung have:had hear:heard hide:hid/hidden hit:hit
        hold:held keep:kept kneel:knelt know:knew/known lead:led leave:left lend:lent let:let
        lie:lay lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit read:read
        ride:rode/ridden ring:rang rise:rose/risen run:ran say:said see:saw/seen seek:sought
        sell:sold send:sent set:set shake:shook/shaken shine:shone shoot:shot show:shown
        shrink:shrank shut:shut sing:sang/sung sink:sank sit:sat sleep:slept slide:slid
        speak:spoke/spoken spend:spent spin:spun spread:spread stand:stood steal:stole/stolen
        stick:stuck strike:struck swear:swore sweep:swept swim:swam/swum swing:swung
        take:took/taken teach:taught tear:tore/torn tell:told think:thought throw:threw/thrown
        understand:understood wake:woke/woken wear:wore/worn weave:wove weep:wept win:won
        write:wrote/written cling:clung fling:flung forbid:forbade/forbidden overhear:overheard
        spit:spat stride:strode tread:trod undo:undid withdraw:withdrew/withdrawn
        """.split()
    )
}
_PASTS = frozenset(past for forms in _IRREGULAR.values() for past in forms)
BASES = _REGULAR | _IRREGULAR.keys()


def is_past(word: str) -> bool:
    """Return whether a form is a past form, such as went, or looks like one: -ed."""
    return word in _PASTS or word.endswith("ied") or (word.endswith("ed") and len(word) > 4)


def is_verb(word: str) -> bool:
    """Return whether ``word`` is the base form of a known verb."""
    return word in BASES


def third_person(verb: str) -> str:
    """Return the third person singular of a verb: go → goes, try → tries."""
    low = verb.lower()
    if low == "be":
        return "is"
    if low == "have":
        return "has"
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@lru_cache(maxsize=20_000)
def base_of(word: str) -> str:
    """Return the base form of a verb's form; empty if ``word`` is no form of a known verb."""
    if word in BASES:
        return word
    for base, forms in _IRREGULAR.items() if word in _PASTS else ():
        if word in forms:
            return base
    for end, more in (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e")):
        if word.endswith(end) and (base := word[: -len(end)] + more) in BASES:
            return base
    for end in ("ing", "ed"):
        stem = word.removesuffix(end)
        if stem != word:
            for base in (stem, stem + "e", stem[:-1]):
                if base in BASES:
                    return base
    return ""
