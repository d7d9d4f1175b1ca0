"""Outlines of a story, the story so far, which is made of them, and which sentences they keep."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import chain

from engram_desktop.domain.memory.event import EventNode, SourceRange, story_key
from engram_desktop.domain.memory.extraction import MAX_KEYWORDS, PlotExtraction, StructuredKv
from engram_desktop.domain.memory.scope import is_ordinary
from engram_desktop.domain.recall.relevance import question_words
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Signs in a sentence that its content is worth remembering. A promise, a secret, a gift or a
# reason is worth keeping; a smile, a thank-you and a question are not. Used to choose sentences
# without a model: of messages for an event, and of events for an outline. The words were set by
# hand.

_CUES_ZH = late_pattern(
    "答应|约定|约好|保证|发誓|记得|记住|忘记|秘密|别告诉|不要告诉|瞒着|真相|其实|原来|发现|"
    "因为|为了|于是|决定|打算|计划|第一次|最后一次|永远|终于|找到|失去|失踪|去世|受伤|生病|"
    "发烧|过敏|害怕|最怕|讨厌|最喜欢|喜欢吃|喜欢的|生日|结婚|订婚|求婚|分手|在一起|男朋友|"
    "女朋友|名字叫|叫做|交给|送给|还给|买下|买了|偷|借走|换来|写着|刻着|钥匙|信里|地址|电话|"
    "考上|毕业|工作|辞职|搬家|出发|回来|赢了|输了|救了|杀"
)
_CUES_EN = late_pattern(
    r"\b(?:promis\w*|swore|secret\w*|never tell|truth|actually|found|discover\w*|because|decid\w*"
    r"|plan\w*|first time|forever|finally|lost|missing|died|death|hurt|sick|allerg\w*|afraid|scared"
    r"|hate\w*|favou?rite|birthday|married|wedding|engaged|broke up|divorc\w*|named|called"
    r"|gave|gift|bought|stole|borrow\w*|moved|moving|job|hired|fired|graduat\w*|won|saved|killed|adopt\w*"
    r"|pregnan\w*|years? ago|last (?:week|month|year|night)|yesterday|next (?:week|month|year)"
    r"|tomorrow|research\w*|stud(?:y|ied|ying)|volunteer\w*|joined|started|signed up|visited)\b",
    re.IGNORECASE,
)
_VOWS = late_pattern(
    r"答应|保证|发誓|约定|约好|绝不|说好|\b(?:promis\w*|swear\w*|swore|vow\w*|give you my word)\b",
    re.IGNORECASE,
)
_DEEDS_ZH = late_pattern(
    "交给|递给|拿出|掏出|取出|塞给|送给|接过|打开|推开|关上|锁上|走进|来到|回到|抵达|离开|冲进|冲出|跳进|逃|追|"
    "找到|发现|认出|看出|写下|写着|刻着|画着|撕|烧|砸|打碎|摔|倒下|晕|醒来|醒了|受伤|流血|吻|亲了|抱起|拔出|"
    "刺|砍|射|杀|救|死|买|卖|付|偷|藏|埋|签|宣布|宣判|命令|答应|拒绝|承认|坦白|哭|跪|戴上|点燃|点亮|出发|搬"
)
_GESTURES_ZH = late_pattern(
    "笑|点头|摇头|看着|看向|望着|望向|盯|低头|抬头|叹|皱眉|挑眉|眨|脸红|红着脸|沉默|转身|目光|眼神|眼睛|嘴角|声音|"
    "语气|耸肩|凑近|靠近|伸手|摸|揉|拍|搂|牵|挽|握|愣|怔|顿|歪|撅嘴|嘟嘴|心跳|睫毛|表情|神情|脸"
)
_DEEDS_EN = late_pattern(
    r"\b(?:hand(?:s|ed)|giv(?:es|ing)|gave|takes?|took|pull(?:s|ed) out|draws?|drew|opens?|opened"
    r"|clos(?:es|ed)|locks?|unlock\w*|enters?|entered|arriv\w*|leaves?|left|reach(?:es|ed) the"
    r"|runs?|ran|fle[ed]\w*|chas\w*|finds?|found|discover\w*|recogni\w*|writes?|wrote|reads?|tears?|tore"
    r"|burn\w*|smash\w*|breaks?|broke|falls?|fell|faint\w*|wakes?|woke|bleed\w*|kiss\w*|stab\w*"
    r"|shoots?|shot|kill\w*|sav(?:es|ed)|dies|died|buys|bought|pays|paid|steals?|stole|hides?|hid"
    r"|buri\w*|signs|announc\w*|agre\w*|refus\w*|admit\w*|confess\w*|cries|cried|kneels?|knelt|lights"
    r"|lit|fights?|fought|attack\w*|returns?|returned|unfold\w*|reveal\w*|slid(?:es)? (?:a|the))\b",
    re.IGNORECASE,
)
_GESTURES_EN = late_pattern(
    r"\b(?:smil|grin|nod|lean|glanc|gaz|star(?:es|ed|ing)|look|eye|voice|tilt|blush|sigh|chuckl"
    r"|giggl|laugh|shrug|smirk|breath|lips|brow|cheek|whisper|murmur|closer|blink|shiver|tone"
    r"|expression|face|hair|finger|shoulder|heart|turns? (?:to|away|toward))",
    re.IGNORECASE,
)
# Greetings and thanks are the same in every story.
_POLITE_ZH = "早上好|晚上好|下午好|早安|晚安|再见|拜拜|过奖|没关系|没事|不客气|放心|当然|时间不早"
_REACTION = late_pattern(
    rf"[谢好嗯哇哈哦啊唔哼你]|(?:{_POLITE_ZH})|(?:wow|that's|it's|your|you|thanks|congrats|aw+|yeah"
    r"|yep|those|looks|sounds|what a|no worries|hey|hi|cool|great|nice)\b",
    re.IGNORECASE,
)
_TOLD_REACTION = late_pattern(
    rf"^[^，。：]{{0,12}}?(?:说|告诉[^，。]{{1,6}})[，：]?“?(?:[谢好嗯哇哈哦啊唔哼]|{_POLITE_ZH})"
    r"|^\S+ (?:says|tells \S+):? “?(?:that )?"
    r"(?:it|that|thanks|congrat|those|your|they are glad|wow)",
    re.IGNORECASE,
)
_QUESTION = late_pattern(r"[?？][”」』\"]?$")
_NUMBER = late_pattern(r"\d|[一二三四五六七八九十百千]{2,}|《")

GESTURE = 0.5  # weight of a smile against a deed


def cues(text: str, *, is_zh: bool) -> int:
    """Count the words for a secret, a gift, a reason, a change; a promise counts as two."""
    return len((_CUES_ZH if is_zh else _CUES_EN).findall(text)) + len(_VOWS.findall(text))


def acts(text: str, *, is_zh: bool) -> float:
    """Return a factor for how much narration advances the story: an opened door, not a smile."""
    deeds = len((_DEEDS_ZH if is_zh else _DEEDS_EN).findall(text))
    if deeds:
        return 1.3 + 0.15 * min(deeds, 2)
    return GESTURE if (_GESTURES_ZH if is_zh else _GESTURES_EN).search(text) else 0.85


def is_gesture(text: str, *, is_zh: bool) -> bool:
    """Return whether narration is about a gesture, without any deed."""
    return acts(text, is_zh=is_zh) == GESTURE


def is_question(text: str) -> bool:
    return bool(_QUESTION.search(text))


def has_number(text: str) -> bool:
    """Return whether a text has a number, a date or the title of a work."""
    return bool(_NUMBER.search(text))


def is_reaction(text: str) -> bool:
    """Return whether a speech is only a reaction: thanks, assent, praise."""
    return bool(_REACTION.match(text))


def tells_reaction(text: str) -> bool:
    """Return whether a sentence of a summary reports a reaction: 他说晚安, she says thanks."""
    return bool(_TOLD_REACTION.search(text))


# Informative words, for which sentences are chosen.

Words = Mapping[frozenset[str], float]  # the weight of each word, as its tokens in the index

_NUMBER_WORTH = 2.0  # of any number, long or short: 12 is as informative as 7
_TOLD_AGAIN = 0.2  # factor of a word for each repetition


def names_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of persons' names, whole and in parts: every sentence has some."""
    whole = {name for name in names if name}
    parts = whole | {piece for name in whole for piece in name.split()}
    return re.compile("|".join(map(re.escape, sorted(parts, key=len, reverse=True))) or "(?!)")


@lru_cache(maxsize=4096)  # sentences and keywords of some ten outlines
def telling_words(text: str) -> Words:
    """Return the words of a text, weighted by their rarity in the language."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    words = question_words(text, rjieba.cut, rjieba.suggest_freq)
    return {w.tokens: _NUMBER_WORTH if w.text.isdigit() else w.rarity for w in words}


def by_coverage(texts: Sequence[Words], worth: Callable[[int], float]) -> Iterator[int]:
    """Yield positions of texts, always the one with most new words by weight and ``worth``.

    ``worth`` of a text may only fall. Greedy coverage of weighted concepts (Gillick and Favre,
    2009) under a budget of the caller (Lin and Bilmes, 2010).
    """
    told: Counter[frozenset[str]] = Counter()

    def gain(n: int) -> float:
        return worth(n) * sum(w * _TOLD_AGAIN ** told[word] for word, w in texts[n].items())

    queue = [(-gain(n), n) for n in range(len(texts))]
    heapify(queue)
    while queue:
        _before, best = heappop(queue)
        now = gain(best)
        if queue and now < -queue[0][0]:  # gains only fall, so only the first one must be checked
            heappush(queue, (-now, best))
            continue
        yield best
        told.update(texts[best].keys())


# Which visible events to merge next, and an outline of them without a model. An outline reads as a
# story: whole sentences in story order, with time and place where they change. It is made of the
# same parts again when outlines become outlines of outlines.


# Events in one outline: every level is a tenth of the one below (ADR 29, costs.md).
MAX_GROUP = 10
NEWEST_KEPT = 2  # of each level: recent events are not condensed (ADR 13)

_HEART = 1.6  # factor for the heart of an event against its other sentences
_SPREAD = 0.3  # added at most for a large distance from all sentences chosen so far
_NOBODY = 0.5  # factor for a sentence without a person: mostly weather and rooms
_UNCLEAR = 0.5  # factor for a sentence whose pronoun has no name before it
_JOIN = 4  # tokens of a sentence besides its words
_SAVED = 4  # tokens that joining a sentence with others may save
_JOINED = 64  # characters that two sentences with one subject may have when joined
_CJK = late_pattern("[\u3400-\u9fff]")
_HEAD = late_pattern(r"^([^：:。！？.!?“”\"‘’「」]{1,48})(?:：|: )\s*(?=\S)")
_SAYS = late_pattern(r"[说问道答写叫念喊]|\b(?:says?|asks?|tells?|said|asked|told|writes?)\b")
_TIME = late_pattern(
    r"\d|[天日月年晨早午晚夜昏夕]|第.|冬至|夏至|节|\b(?:day|morning|noon|evening|night|week|month"
    r"|spring|summer|autumn|winter|dawn|dusk)\b",
    re.IGNORECASE,
)
_HOUR = r"(?:清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏|入夜|夜里|晚上|深夜|半夜)"
_OWN_HOUR = late_pattern(f"(?:当天|这天|那天)?{_HOUR}[，,]")  # 午后，凯尔照例来巡查
_LAST_HOUR = late_pattern(f" {_HOUR}$")  # 第39天 清晨
_AGAIN = re.compile(
    r"^(?P<who>[^，,。：:]{1,12}?)还(?P<does>说|问|对[^，。：]{1,12}说|告诉|叫|让|请|提议)"
)  # a match is compared with it
_AGAIN_EN = late_pattern(r"^(?P<who>[A-Z][^,.:;]{0,40}?) also (?P<does>says|asks|tells|suggests)\b")
_LEANS = late_pattern(
    r"^(?:[她他它这那此]|随后|然后|接着|于是|同时|(?:She|He|They|It|This|That|Then|But|And|So)\b)"
)
_SOMEBODY = late_pattern(
    r"(?P<zh>(?<![其吉维])[她他](?![们人]))|\b(?:[Ss]he|[Hh]e|[Hh]er|[Hh]im|[Hh]is|[Hh]ers)\b"
)
_NODS = late_pattern("[\u3400-\u9fff]{1,2}[。！]?")  # 皱眉, 点头: the subject is missing


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a part, with its time and place."""

    text: str
    part: int
    time: str
    place: str
    worth: float


class Mergeable:
    """Visible events that may be merged, by level.

    Levels are merged among themselves, so that an outline of level n covers about MAX_GROUP^n
    events, and the visible text grows with the logarithm of the story.
    """

    def __init__(self, visible: Sequence[EventNode]) -> None:
        self._levels: defaultdict[int, list[EventNode]] = defaultdict(list)
        for event in sorted(visible, key=story_key):
            if not event.is_locked and not event.is_stale:
                self._levels[event.level].append(event)

    def next_group(self) -> list[EventNode]:
        """Return the oldest events of the level that costs most; empty if nothing can be merged."""
        levels = sorted(filter(None, self._levels.values()), key=lambda level: story_key(level[0]))
        groups = [level[: max(0, min(MAX_GROUP, len(level) - NEWEST_KEPT))] for level in levels]
        mergeable = [group for group in groups if len(group) >= 2]
        return max(mergeable, key=_cost, default=[])

    def merge(self, group: Sequence[EventNode], outlines: Sequence[EventNode]) -> None:
        """Replace a group returned by `next_group` with ``outlines``."""
        del self._levels[group[0].level][: len(group)]
        for outline in outlines:
            insort(self._levels[outline.level], outline, key=story_key)


def condense(parts: Sequence[PlotExtraction], limit: int) -> PlotExtraction:
    """Condense ``parts``, in story order, to whole sentences of at most ``limit`` tokens.

    The most important sentences come first, then important ones far from those chosen. A sentence
    is shortened only if not even one fits. Time and place are those of most parts.
    """
    sentences = [sentence for n, part in enumerate(parts) for sentence in _sentences(n, part)]
    choice = _choose(sentences, parts, limit)
    summary = _assemble(choice, parts)
    keep = [parts[n] for n in sorted({sentence.part for sentence in choice})]
    times = [p.timestamp for p in parts if p.timestamp]
    when = _span(times) if len(times) * 2 >= len(parts) else ""
    where, count = Counter(p.location for p in parts).most_common(1)[0]
    where = where if count * 2 >= len(parts) else ""
    words = dict.fromkeys(chain.from_iterable(p.keywords for p in keep))
    keywords = sorted(words, key=lambda word: word not in summary)
    return PlotExtraction(
        summary,
        tuple(keywords)[:MAX_KEYWORDS],
        when,
        where,
        tuple(dict.fromkeys(chain.from_iterable(p.entities for p in keep))),
        tuple(dict.fromkeys(chain.from_iterable(p.relations for p in keep))),
        structured_kv=StructuredKv(time_anchor=when, location=where, event=summary),
        significance_score=max(p.significance_score for p in parts),
    )


def _sentences(n: int, part: PlotExtraction) -> Iterator[_Sentence]:
    """Split a part into sentences; an outline's headings are parsed, not treated as text."""
    names = {entity.name for entity in part.entities if entity.type == "char"}
    time, place = _ends(part.timestamp)[0], part.location
    sentences = split_sentences(part.summary) or [part.summary.strip()]
    heart = part.structured_kv.event
    for sentence in sentences:
        head = _HEAD.match(sentence)
        if head and head[1] not in names and not _SAYS.search(head[1]):
            time, place = _read_head(head[1], time)
        else:
            head = None
        text = sentence[head.end() if head else 0 :]
        if not text or (len(sentences) > 1 and _NODS.fullmatch(text)):
            continue
        is_heart = bool(heart) and text.rstrip("。.") in heart
        worth = _signs(text) * part.significance_score * (_HEART if is_heart else 1.0)
        worth *= 1.0 if any(name in text for name in names) else _NOBODY
        worth *= _UNCLEAR if _leaves_open_who(text, names) else 1.0
        yield _Sentence(text, n, time, place, worth)


def _leaves_open_who(text: str, names: Collection[str]) -> bool:
    """Return whether a pronoun has no name before it in the sentence.

    In Chinese a subject refers to itself by 自己, so 她 needs a second name.
    """
    pronoun = _SOMEBODY.search(text)
    if pronoun is None:
        return False
    named = sum(name in text[: pronoun.start()] for name in names)
    return named < (2 if pronoun["zh"] else 1)


def _signs(text: str) -> float:
    """Return the weight of a sentence by its wording: 1 for plain narration."""
    is_zh = bool(_CJK.search(text))
    worth = 1.0 + 0.2 * min(cues(text, is_zh=is_zh), 3) + 0.12 * has_number(text)
    worth *= 0.45 if is_question(text) else 1.0
    worth *= 0.5 if tells_reaction(text) or _LEANS.match(text) else 1.0
    is_said = bool(_SAYS.search(text[:24]))
    return worth if is_said or not is_gesture(text, is_zh=is_zh) else worth * GESTURE


def _read_head(head: str, time: str) -> tuple[str, str]:
    """Return time and place of a heading; without a time, it is the time before."""
    pieces = re.split("(, |，)", head.strip())
    times = 0
    while times < len(pieces) and _TIME.search(pieces[times]):
        times += 2
    if not times:
        return time, head.strip()
    return "".join(pieces[: times - 1]), "".join(pieces[times:])


def _choose(
    sentences: Sequence[_Sentence], parts: Sequence[PlotExtraction], limit: int
) -> list[_Sentence]:
    """Choose sentences while they fit, those with the most information per token first."""
    if not sentences:
        return []
    costs = [estimate_tokens(sentence.text) for sentence in sentences]
    least = min(costs)
    positions: set[int] = set()
    spent = 0
    for n in _by_worth(sentences, parts, costs):
        most = limit + _SAVED * len(positions)
        if positions and spent + least > most:
            break
        if positions and spent + costs[n] > most:
            continue  # too long, however it is joined
        some = [sentences[k] for k in sorted(positions | {n})]
        if estimate_tokens(_assemble(some, parts)) <= limit:
            positions.add(n)
            spent += costs[n]
    if positions:
        return [sentences[n] for n in sorted(positions)]
    shortest = min(sentences, key=lambda sentence: estimate_tokens(sentence.text))
    bare = replace(shortest, text=_shorten(shortest.text, limit), time="", place="")
    return [bare]


def _by_worth(
    sentences: Sequence[_Sentence], parts: Sequence[PlotExtraction], costs: Sequence[int]
) -> Iterator[int]:
    """Yield positions in the order of their value, as far as there is room.

    A word counts by its rarity in the language, and more if several sentences or keywords have it:
    repeated words are what the story is about.
    """
    people = names_pattern(e.name for part in parts for e in part.entities if e.type == "char")
    held = [telling_words(people.sub(" ", sentence.text)) for sentence in sentences]
    named = Counter(tokens for words in held for tokens in words)
    for part in parts:
        named.update({t for keyword in part.keywords for t in telling_words(keyword)})
    weights = [
        {tokens: rarity * math.log1p(named[tokens]) for tokens, rarity in words.items()}
        for words in held
    ]
    chosen: list[int] = []  # in story order

    def worth(n: int) -> float:
        at = bisect_left(chosen, n)
        far = min((abs(n - other) for other in chosen[max(0, at - 1) : at + 1]), default=None)
        spread = 1.0 if far is None else far / len(sentences)
        return sentences[n].worth * (1 + _SPREAD * spread) / (costs[n] + _JOIN)

    for best in by_coverage(weights, worth):
        yield best
        insort(chosen, best)


def _assemble(sentences: Sequence[_Sentence], parts: Sequence[PlotExtraction]) -> str:
    """Join sentences, with headings where time or place change."""
    is_zh = any(_CJK.search(sentence.text) for sentence in sentences)
    glue, comma, colon = ("", "，", "：") if is_zh else (" ", ", ", ": ")
    pieces: list[str] = []
    time = place = ""
    before: _Sentence | None = None
    for sentence in sentences:
        same = before is not None and before.part == sentence.part
        who = _subject(sentence, parts)
        text = _without_again(sentence.text, before.text if same and before else "")
        heading = _heading(sentence, text, time, place)
        if heading or sentence.time:
            time, place = sentence.time or time, sentence.place
        both = _join(pieces[-1], text, who) if same and pieces and not heading else ""
        if both and is_zh:
            pieces[-1] = both
        else:
            head = comma.join(heading) + colon if heading else ""
            pieces.append(head + _with_end(text, is_zh=is_zh))
        before = sentence
    return glue.join(pieces)


def _heading(sentence: _Sentence, text: str, time: str, place: str) -> list[str]:
    """Return the words of the heading that ``text`` needs after ``time`` and ``place``.

    A place is named only together with a time, and a time is repeated where a place is left without
    a new one: otherwise the text would seem to be at that place. A sentence that names its own hour
    needs the day only.
    """
    if not sentence.time or (sentence.time, sentence.place) == (time, place):
        return []
    is_new = sentence.time != time
    told = _LAST_HOUR.sub("", sentence.time) if _OWN_HOUR.match(text) else sentence.time
    words = [told] if is_new or not sentence.place else []
    if sentence.place:
        words.append(sentence.place)
    # a model gives 九月初三 夜 as the time, and begins its summary with 九月初三夜
    return [word for word in words if not all(piece in text for piece in word.split())]


def _subject(sentence: _Sentence, parts: Sequence[PlotExtraction]) -> str:
    """Return the name that a sentence begins with, if any."""
    names = [e.name for e in parts[sentence.part].entities if e.type == "char"]
    leading = [name for name in names if sentence.text.startswith(name)]
    return max(leading, key=len, default="")


def _join(before: str, text: str, who: str) -> str:
    """Join two sentences with one subject (爱丽丝锁上门；藏了钥匙); empty if not possible."""
    is_same = bool(who) and before.startswith(who) and before.endswith("。")
    rest = text[len(who) :].removeprefix("还")
    is_long = len(before) + len(rest) > _JOINED
    if not is_same or is_long or "；" in before or "“" in rest or not rest.strip():
        return ""
    return f"{before[:-1]}；{rest}"


def _without_again(text: str, before: str) -> str:
    """Remove “also” (还) if the sentence it refers to is left out: 凯尔还说 → 凯尔说."""
    match = _AGAIN.match(text) or _AGAIN_EN.match(text)
    if match is None or (before and before.startswith(match["who"])):
        return text
    blank = "" if match.re is _AGAIN else " "
    return f"{match['who']}{blank}{match['does']}{text[match.end() :]}"


def _with_end(text: str, *, is_zh: bool) -> str:
    bare = text.rstrip(" ，,、；;：:—-")
    is_ended = bare.rstrip("”’」』》）)\"'").endswith(("。", "！", "？", "!", "?", ".", "…"))
    return bare if is_ended else bare + ("。" if is_zh else ".")


def _shorten(text: str, limit: int) -> str:
    """Cut a sentence at the end of a clause; in the middle of one only if there is no other."""
    clauses = re.split("(?<=[，,；;])", text)
    while len(clauses) > 1:
        clauses.pop()
        shorter = _with_end("".join(clauses), is_zh=bool(_CJK.search(text)))
        if estimate_tokens(shorter) <= limit:
            return shorter
    cut = max(8, int(len(text) * limit / max(1, estimate_tokens(text))) - 1)
    return text if cut >= len(text) else f"{text[:cut].rstrip()}…"


def _span(times: Sequence[str]) -> str:
    """Return the span from the first time to the last; outlines have such spans themselves."""
    if not times:
        return ""
    first, last = _ends(times[0])[0], _ends(times[-1])[1]
    return first if first == last else f"{first} – {last}"


def _ends(time: str) -> tuple[str, str]:
    first, _, last = time.partition(" – ")
    return first, last or first


def _cost(group: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(e.summary) for e in group)


# The story so far: all floors within a limit of tokens, recent events in full and old ones in
# outlines. Archived events are covered by an outline, outlines by higher outlines, so the events of
# a line form trees whose roots are visible. `story_so_far` chooses which nodes to show; it stores
# nothing, and the same events always give the same text.


# Besides its summary each line has floors, time and place: 10 to 22 tokens in the bundled story.
LINE_TOKENS = 20
BRIEF_LINE = 90  # least tokens of a line, if there is room for few
LEAST = 44  # tokens of one line with a short sentence
_CONDENSED_KEPT = 256  # the same lines are in prompt after prompt
_NEWEST_SHARE = 1 / 3  # largest share of the limit for events in full, if not all of them fit

PartsOf = Callable[[str], Sequence[EventNode]]


def cost_of(events: Sequence[EventNode]) -> int:
    """Estimate the tokens of these events in a prompt, each as a line of its own."""
    return sum(estimate_tokens(e.summary) + LINE_TOKENS for e in events)


def grouped(events: Sequence[EventNode]) -> list[list[EventNode]]:
    """Split events, in story order, into groups for one outline each.

    There are as few groups as MAX_GROUP allows, as equal as possible. A group belongs to one
    branch, so that its outline is seen wherever its events are.
    """
    groups: list[list[EventNode]] = []
    for _branch, run in itertools.groupby(sorted(events, key=story_key), lambda e: e.branch_id):
        ordered = list(run)
        count = -(-len(ordered) // MAX_GROUP)
        edges = [len(ordered) * n // count for n in range(count + 1)]
        groups += [ordered[a:b] for a, b in itertools.pairwise(edges)]
    return groups


def may_be_in_outline(event: EventNode) -> bool:
    """Return whether an event may be in an outline, which everybody may know."""
    is_told = is_ordinary(event.scope, event.condition)
    return is_told and not event.is_stale and not event.is_deleted


def standing(events: Sequence[EventNode], parts_of: PartsOf) -> Iterator[EventNode]:
    """Yield what is still true: for a stale outline its valid parts, for a stale event nothing.

    ``parts_of`` returns the parts of an outline by its id.
    """
    for event in events:
        if not event.is_stale:
            yield event
        elif event.level:
            yield from standing(parts_of(event.id), parts_of)


def story_so_far(
    visible: Sequence[EventNode], parts_of: PartsOf, limit: int, newest: int
) -> list[EventNode]:
    """Choose events to show, in story order, in at most ``limit`` tokens (`cost_of`).

    The ``newest`` events are shown in full while there is room. Everything before them is condensed
    if needed, without a model and only for this text: the smaller the limit, the fewer lines. With
    less than `LEAST` tokens, nothing is shown.
    """
    nodes = sorted(standing(visible, parts_of), key=story_key)
    unfolded = _unfold(nodes, parts_of, newest)
    for told in (unfolded, nodes):
        if cost_of(told) <= limit:
            return told
    return _in_brief(unfolded, limit, newest)


def _unfold(nodes: list[EventNode], parts_of: PartsOf, newest: int) -> list[EventNode]:
    """Replace the last outlines with their parts until ``newest`` events are at the end."""
    while True:
        last = next((n for n in reversed(range(len(nodes))) if nodes[n].level), None)
        if last is None or len(nodes) - 1 - last >= newest:
            return nodes
        parts = sorted(standing(parts_of(nodes[last].id), parts_of), key=story_key)
        if not parts:
            return nodes
        nodes = [*nodes[:last], *parts, *nodes[last + 1 :]]


def _in_brief(nodes: Sequence[EventNode], limit: int, newest: int) -> list[EventNode]:
    """Condense everything to lines of whole sentences; the newest stay if they are short."""
    if limit < LEAST:
        return []
    whole = next(
        n
        for n in range(min(newest, len(nodes) - 1), -1, -1)
        if not n or cost_of(nodes[-n:]) <= limit * _NEWEST_SHARE
    )
    recent = list(nodes[len(nodes) - whole :])
    before = nodes[: len(nodes) - whole]
    left = limit - cost_of(recent)
    count = max(1, min(len(before), left // BRIEF_LINE))
    edges = [len(before) * n // count for n in range(count + 1)]
    lines: list[EventNode] = []
    for n, (a, b) in enumerate(reversed(list(itertools.pairwise(edges)))):
        group = before[a:b]  # the newest first: others use what it leaves
        room = left // (count - n)
        fits = len(group) == 1 and cost_of(group) <= room
        lines.append(group[0] if fits else _told_within(group, room - LINE_TOKENS))
        left -= cost_of(lines[-1:])
    return [*reversed(lines), *recent]


def _told_within(group: Sequence[EventNode], tokens: int) -> EventNode:
    """Condense a group into one event whose summary has at most ``tokens`` tokens."""
    data = _condensed(tuple(e.raw_data for e in group), tokens)
    last = max(e.source_range.end_index for e in group)
    return replace(
        group[0],
        id=f"~{group[0].id}",  # of no event: the first one may still be recalled
        summary=data.summary,
        raw_data=data,
        level=max(e.level for e in group) + 1,
        source_range=SourceRange(group[0].source_range.start_index, last),
    )


@lru_cache(maxsize=_CONDENSED_KEPT)
def _condensed(parts: tuple[PlotExtraction, ...], tokens: int) -> PlotExtraction:
    return condense(parts, tokens)
