"""Select the rules of facts that may match in a sentence, locate matches, trim found claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.fact_words import BY_WEIGHT, CLAUSE_ZH
from engram_desktop.domain.claims.wording import STOP_HAN, STOP_LATIN
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Patterns of rules, and the literal texts without which they cannot match. Most sentences contain
# no word of most rules, and searching words is ten times as fast as trying patterns.
# ``(?:moved|moves) (?:in|out)`` needs one of “moved in”, “moved out”, ….

Texts = frozenset[str]  # in lower case: one of them is needed
_MOST = 48  # texts combined from the alternatives of a pattern; measured, the effect is flat
_WIDE = 24  # characters of a range that are listed one by one
_UNIT = re.compile("[a-z]+|[\u3400-\u9fff]")
_COMMONEST = frozenset("i you it the a to of and is in we that s t m".split())
_COMMON_HAN = frozenset(
    "人大国地以时出为生而子得于自之年后作用行所然家事成方多经法学同现当动面起看定天分进好小其些主"
    "样理心本前开但因只从想实日意无与长机十手头见老开回打过气口解名真走成情明知三点正外问很水"
)
_ENDINGS = frozenset("d re ve ll".split())  # after an apostrophe
# Approximate share of sentences that contain a piece of a word, by its length; a common one
# words, or another without content; a Chinese character. Only which of two texts is rarer matters.
_BY_LENGTH = (1.0, 0.4, 0.2, 0.01, 0.002)
_COMMONEST_SHARE = 0.4  # guessed, as are the next three
_EVERYWHERE = 0.2  # guessed
_COMMON_HAN_SHARE = 0.08  # guessed
_HAN = 0.02  # guessed


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What a part of a pattern matches: exactly one of ``texts``; None if unknown.

    ``needs``: then the match contains one text of each of these sets.
    """

    texts: Texts | None
    needs: tuple[Texts, ...] = ()

    def all_needs(self) -> list[Texts]:
        needs = self.needs if self.texts is None else (self.texts,)
        return [texts for texts in needs if "" not in texts]


_EMPTY = _Stretch(frozenset(("",)))
_ANYTHING = _Stretch(None)


def needed_texts(pattern: str, flags: int = 0) -> list[Texts]:
    """Return sets of texts, rarest first: a match of the pattern has one text of each set."""
    needs = set(_sequence(_parser.parse(pattern, flags)).all_needs())
    return sorted((texts for texts in needs if has_letters(texts)), key=share_of)


def has_letters(texts: Iterable[str]) -> bool:
    """Return whether all texts have letters: a text without letters occurs everywhere."""
    return all(_UNIT.search(text) for text in texts)


def share_of(texts: Iterable[str]) -> float:
    """Return the approximate share of sentences that contain one of the texts."""
    return sum(map(_share_of_text, texts))


def rarest_unit(text: str) -> re.Match[str] | None:
    """Return the rarest word, or Chinese character, of a text."""
    return min(_UNIT.finditer(text), key=lambda unit: _share_of_unit(unit[0]), default=None)


@lru_cache(maxsize=4_000)
def _share_of_text(text: str) -> float:
    share = 1.0
    for unit in _UNIT.findall(text):
        share *= _share_of_unit(unit)
    return share


def _share_of_unit(unit: str) -> float:
    if unit in _COMMONEST:
        return _COMMONEST_SHARE
    if unit in STOP_LATIN or unit in STOP_HAN or unit in _ENDINGS:
        return _EVERYWHERE
    if unit in _COMMON_HAN:
        return _COMMON_HAN_SHARE
    return _HAN if unit >= "\u3400" else _BY_LENGTH[min(len(unit), len(_BY_LENGTH) - 1)]


def _sequence(items: Iterable[tuple[Any, Any]]) -> _Stretch:
    """Return what a sequence of a pattern's items matches."""
    needs: list[Texts] = []
    texts: Texts = frozenset(("",))
    letters = ""  # letters that follow each of the texts
    is_known = True
    for code, value in items:
        if code is op.LITERAL:
            letters += chr(value)
            continue
        one = _READERS[code](value) if code in _READERS else _ANYTHING
        if one is _EMPTY:
            continue
        texts, letters = _joined(texts, letters), ""
        if one.texts is not None and len(texts) * len(one.texts) <= _MOST:
            texts = frozenset(a + b for a in texts for b in one.texts)
            continue
        is_known = False
        needs += (texts, *one.needs)
        texts = one.texts or frozenset(("",))
    texts = _joined(texts, letters)
    if is_known:
        return _Stretch(texts)
    return _Stretch(None, tuple(one for one in (*needs, texts) if "" not in one))


def _joined(texts: Texts, letters: str) -> Texts:
    behind = letters.casefold()
    return frozenset(text + behind for text in texts) if behind else texts


def _one_of(value: list[tuple[Any, Any]]) -> _Stretch:
    """Return the characters of a set in brackets, if it lists a few."""
    characters: set[str] = set()
    for code, of in value:
        if code is op.LITERAL:
            characters.add(chr(of).casefold())
        elif code is op.RANGE and of[1] - of[0] < _WIDE:
            characters.update(chr(n).casefold() for n in range(of[0], of[1] + 1))
        else:
            return _ANYTHING
    return _Stretch(frozenset(characters)) if len(characters) <= _MOST else _ANYTHING


def _either(value: tuple[None, list[Any]]) -> _Stretch:
    ways = [_sequence(items) for items in value[1]]
    known = [way.texts for way in ways if way.texts is not None]
    if len(known) == len(ways) and sum(map(len, known)) <= _MOST:
        return _Stretch(frozenset[str]().union(*known))
    needs = [way.all_needs() for way in ways]
    if not all(needs):
        return _ANYTHING
    return _Stretch(None, (frozenset[str]().union(*(min(of, key=share_of) for of in needs)),))


def _repeated(value: tuple[int, int, Any]) -> _Stretch:
    least, most, items = value
    one = _sequence(items)
    if one.texts is not None and most == 1:
        return one if least else _Stretch(one.texts | {""})
    return _Stretch(None, tuple(one.all_needs())) if least else _ANYTHING


# Handlers by the kind of a pattern's item; other items may match anything.
_READERS: dict[Any, Callable[[Any], _Stretch]] = {
    op.IN: _one_of,
    op.BRANCH: _either,
    op.SUBPATTERN: lambda value: _sequence(value[3]),
    op.ATOMIC_GROUP: _sequence,
    op.MAX_REPEAT: _repeated,
    op.MIN_REPEAT: _repeated,
    op.POSSESSIVE_REPEAT: _repeated,
    **dict.fromkeys((op.AT, op.ASSERT, op.ASSERT_NOT), lambda _value: _EMPTY),
}


class _HintedPattern:
    """A pattern that is compiled at first use: in a text that contains a text it needs.

    ``hints``: literal texts in lower case, one of which must occur in addition to what the pattern
    itself needs; empty if that is enough.
    """

    def __init__(self, text: str, flags: int = 0, *, hints: str = "") -> None:
        self.text = text
        self.flags = flags
        self.pattern = late_pattern(text, flags)
        self.hints = tuple(filter(None, hints.split("|")))


class Marker(_HintedPattern):
    """A pattern that marks a whole sentence."""

    def may_match(self, low: str) -> bool:
        """Return whether a text in lower case contains one of the hints."""
        for hint in self.hints:
            if hint in low:
                return True
        return not self.hints

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(text) if self.may_match(text.casefold()) else None

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text, start, len(text) if end is None else end)


class FactRule(_HintedPattern):
    """A rule of a facet, and the mark of its matches.

    ``is_at_word``: matches that begin inside a word are ignored.
    """

    def __init__(
        self,
        facet: str,
        hints: str,
        mark: str,
        text: str,
        flags: int = 0,
        *,
        is_at_word: bool = False,
    ) -> None:
        super().__init__(text, flags, hints=hints)
        self.facet = facet
        self.mark = mark
        self.is_at_word = is_at_word


_SPACE = re.compile(r"\s+")
_EDGES = re.compile(r"^[\s*，,（(]+|[\s*]+$")
_WORD = re.compile("[a-z]+")
_WORDS_KEPT = 20_000  # words whose sets are cached: more than a language has in use
_COMMON = 0.15  # share of sentences with a hint above which the other needed texts are searched too
_FEW = 20  # texts that are searched one by one; for more, trying the pattern is as fast

_Row = tuple[str, list[object]]  # a text, and the sets that contain it


class TextFinder:
    """Finds which of many sets of texts have a text in a sentence, by the rarest word of each text.

    The sets of a word are computed when the word is first met, and cached. Chinese texts are found
    by their rarest character.
    """

    def __init__(self, sets: Mapping[object, Iterable[str]]) -> None:
        by_text: dict[str, list[object]] = {}
        for one, texts in sets.items():
            for text in texts:
                by_text.setdefault(text, []).append(one)
        self._by_word: dict[str, list[tuple[str, bool, bool, list[object]]]] = {}
        self._by_character: dict[str, list[_Row]] = {}
        self._everywhere: list[_Row] = []  # texts without a letter
        for text, of_text in by_text.items():
            unit = rarest_unit(text)
            if unit is None:
                self._everywhere.append((text, of_text))
            elif unit[0].isascii():  # whether the word begins and ends at the text's own edges
                row = text, unit.start() > 0, unit.end() < len(text), of_text
                self._by_word.setdefault(unit[0], []).append(row)
            else:
                self._by_character.setdefault(unit[0], []).append((text, of_text))
        self._of_word = lru_cache(_WORDS_KEPT)(self._look_up)

    def held(self, low: str) -> set[object]:
        """Return the keys of the sets of which a text in lower case contains a member."""
        found: set[object] = set()
        rows = list(self._everywhere)
        for surely, perhaps in map(self._of_word, set(_WORD.findall(low))):
            found |= surely
            rows += perhaps
        if not low.isascii():
            for character in self._by_character.keys() & set(low):
                rows += self._by_character[character]
        for text, sets in rows:
            if text in low:
                found.update(sets)
        return found

    def _look_up(self, word: str) -> tuple[frozenset[object], list[_Row]]:
        """Return the sets that contain a word as a text, and longer texts with this word."""
        surely: set[object] = set()
        perhaps: list[_Row] = []
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                for text, starts, ends, sets in self._by_word.get(word[start:end], ()):
                    if (starts and start) or (ends and end < len(word)):
                        continue
                    if text in word:
                        surely.update(sets)
                    else:
                        perhaps.append((text, sets))
        return frozenset(surely), perhaps


class RuleFinder:
    """Finds the few rules and markers that may match in a sentence, by their needed texts."""

    def __init__(self, rules: Sequence[FactRule], markers: Iterable[Marker]) -> None:
        self._rules = rules
        self._by_set: dict[Texts, list[int]] = {}  # by the rarest of the sets that they need
        self._hints: list[Texts] = []  # by rule
        self._needs: list[list[tuple[str, ...]]] = []  # further needed texts, by rule
        for number, rule in enumerate(rules):
            rarest = hints = frozenset(rule.hints)
            needs: list[Texts] = []
            if not hints or share_of(hints) > _COMMON:
                needs = needed_texts(rule.text, rule.flags)
                rarest = min(hints or needs[0], needs[0], key=share_of)
            self._by_set.setdefault(rarest, []).append(number)
            self._hints.append(hints or rarest)
            few = [tuple(texts) for texts in needs if len(texts) <= _FEW and texts != rarest]
            self._needs.append(few)
        sets: dict[object, Iterable[str]] = {marker: _texts_of(marker) for marker in markers}
        sets |= {texts: texts for texts in (*self._by_set, *self._hints)}
        self._finder = TextFinder(sets)

    def held(self, low: str) -> Set[object]:
        """Return the markers, and the sets of texts, of which a sentence contains a text."""
        return self._finder.held(low)

    def of(self, low: str, held: Set[object]) -> list[FactRule]:
        """Return the rules that may match in a sentence in lower case."""
        found = [
            number
            for one in self._by_set.keys() & held
            for number in self._by_set[one]
            if self._hints[number] in held and _has_each(low, self._needs[number])
        ]
        found.sort()
        return [self._rules[number] for number in found]


def _texts_of(marker: Marker) -> Iterable[str]:
    """Return texts of which a sentence contains one if a marker may match."""
    needs = needed_texts(marker.text, marker.flags)
    hints = marker.hints
    for texts in needs if hints else ():
        if all(any(hint in text for hint in hints) for text in texts):
            hints = ()  # every match contains a hint anyway
    return hints or needs[0]


def _has_each(low: str, needs: Iterable[Iterable[str]]) -> bool:
    """Return whether a text contains a member of each of these sets."""
    for texts in needs:
        for text in texts:
            if text in low:
                break
        else:
            return False
    return True


def put_claim(found: list[Claim], claim: Claim) -> None:
    """Add a claim, or merge it with one about the same value; an end replaces a state."""
    for number, other in enumerate(found):
        if (other.facet, other.about) == (claim.facet, claim.about):
            if claim.polarity == other.polarity:
                is_more = claim.facet == "work" and claim.value.endswith(other.value)
                if other.value and (is_more or claim.value == other.value):  # 见习法师, 法师
                    sign = max(claim.sign, other.sign, key=BY_WEIGHT.index)
                    found[number] = replace(claim, sign=sign)
                elif other.sign == "states" and claim.sign == "changes":
                    found[number] = claim
                elif other.sign == "" and claim.sign == "changes" and claim.facet == "bond":
                    found[number] = replace(other, sign="changes")
                return
            over, now = (other, claim) if claim.polarity else (claim, other)
            if now.value and (now.value in over.value or not (over.value or now.sign == "changes")):
                found[number] = over
            else:  # she has given up the Anchor; she is a student now
                found[number : number + 1] = [over, now]
            return
    found.append(claim)


def before_zh(text: str, start: int, at: int) -> str:
    """Return the part of a Chinese clause before ``at``."""
    return CLAUSE_ZH.split(text[start:at])[-1]


def trimmed(words: str) -> str:
    """Return words without marks and particles around them."""
    return _SPACE.sub(" ", _EDGES.sub("", words)).strip(" ,.;:!?'\"“”‘’，。")


# Removes surrounding words from the subject and the value of a claim. Patterns also match
# articles, pronouns and particles at an edge; a subject or value of such words only is empty, and
# the claim is dropped.

_PERSONAL = frozenset(("home", "work", "alive", "bond", "health", "age", "origin", "years"))
_THINGS = frozenset(("owner", "place", "amount", "name"))
# No English noun begins or ends with these.
_HEAD_EN = re.compile(
    r"^(?:(?:when|if|but|and|then|after|before|since|as|while|because|so|now|yet|or|though|although"
    r"|until|once|the|an?|of|to|with|for|from|by)\b\s*)+",
    re.IGNORECASE,
)
_TAIL_EN = re.compile(
    r"(?:\s*\b(?:the|an?|and|or|but|of|from|for|with|by|as|that|which|who|to|at|in|on|into|than|my"
    r"|your|his|her|our|their|its|he|she|they|we|you|I|is|was|are|were|had|has))+$",
    re.IGNORECASE,
)
_VALUE_TAIL_EN = re.compile(  # of small letters: Ring A
    r"(?:\s+(?:the|an?|and|or|but|of|from|for|with|by|as|that|which|who|than|my|your|his|our|their"
    r"|its))+$"
)
_SUBJECT_EN = re.compile(r"(?:^|\s)(?:he|she|they|we|you|I|it)$")  # of another clause
_FUNCTION_EN = frozenset(
    "i you he she it we they me him us them my your his her our their its this that these those"
    " the a"
    " an and or but of to in on at for with by from as so if not no all some any one what who which"
    " there here then than when where how why just only also very too is are was were be been do"
    " did"
    " have has had off mr mrs ms dr".split()
)
_NOWHERE = frozenset("there here 那里 那儿 那边 这里 这儿 这边".split())
_HEAD_ZH = re.compile(
    "^(?:的?那[只个把件块枚张本支条封]|的|了|着|过|而|但|可|却|并|且|也|都|就|还|很|又)+(?=..)"
)
_TAIL_ZH = re.compile(
    "(?<=.)(?:悄悄|偷偷|轻轻|随手|顺手)地?$|(?<=..)(?:的|了|着|过|和|与|跟|但|而|也|都|就|还|才|又|再)+$"
)
# Verbs behind a thing: 握着怀表问, 捧着房契站在船头. Not: 法律顾问, 一本小说.
_VERB_TAIL_ZH = re.compile(
    "(?<=..)(?:[站坐跪躺靠蹲立][在到着].*|(?<![顾学疑慰访提])问|(?<![小传解学])说|喊)$"
)
_OF_CLAUSE_ZH = re.compile("的[^，]*[着了过]")  # 住在二楼的苏文景抱着稿纸上楼
_VALUE_HEAD_ZH = re.compile("^(?:了|着|过|在|到|入(?!口))+(?=..)")
_MEASURE_ZH = re.compile("^一?[个名位](?=..)")  # 个厨师
_FUNCTION_ZH = frozenset(
    "你 您 他 她 它 咱 这 那 又 再 也 都 就 还 才 却 并 而 但 可 的 了 着 过 是 在 有 不 没 很 把"
    " 被 给 让 跟 和 与 对 从 向 到"
    " 始 只 总 要 会 能 将 已 所 这个 那个 这些 那些 这里 那里 自己 什么 谁 时候 因为 所以 如果"
    " 可是 但是 然后"
    " 但仍旧 仍旧 剩下 最近 今天 周末 其实 一声 上面 这里面 里面 才后悔".split()
)
_NAME = 3  # characters of a Chinese name
# When something is there is no thing: 晚上，…放在你手里, 钱昨晚还锁在抽屉里.
_DAY_ZH = (
    "(?:(?:昨|今|明|前|后|当|那|这|每|第二|一|两|三|几|十|次|翌|隔|同)个?)?"
    "(?:天|日|晚上?|夜里?|早上?|早晨|上午|中午|下午|午后|傍晚|清晨|黄昏|半夜|深夜|夜晚|年|个?月|周|刻|时候?|会儿)"
    "[前后]?"
)
_TIME_ZH = re.compile(f"(?:{_DAY_ZH})+|最后|当场|后来|起初|如今|此刻|转眼|平时|以[前后]|之[前后]")
_TIME_TAIL_ZH = re.compile("(?<=.)(?:昨|今|前|当)(?:晚|夜|天|日)$")
_OPENS_ZH = re.compile("^(?:它的|但|才|因为|所以|如果|虽然|只要|直到|即使|可是|而且|并且|我只)")
_EXISTS = re.compile("(?<![只就还仅才])有$")
# Figurative places are not places.
_FIGURE = re.compile(
    r"(?:in awe|on the (?:right|wrong) track|on track|on the (?:cards|same page|fence|edge|go"
    r"|mend|verge)"
    r"|on an? \w+ (?:high|roll)|around the corner|in (?:trouble|a (?:rush|hurry|while|mood|\w+"
    r" mood))"
    r"|at (?:ease|odds|a loss)|on top of|in (?:charge|touch|shape|shock|tears|control|need|doubt)"
    r"|out of (?:luck|breath|control)|on (?:fire|edge|point)|in the middle of (?:nowhere"
    r"|something))\b",
    re.IGNORECASE,
)
# A person who “had a blast” owns nothing.
_NO_GOODS = re.compile(
    r"(?:^|\s)(?:blast|ball|chance|opportunity|question|lot|plans?|options?|ideas?|week|day|night"
    r"|time"
    r"|interest|feeling|problem|point|look|talk|fun|fight|conversation|dream|accident|approach"
    r"|versions?"
    r"|features?|goals?|meeting|call|issue|experience|moment|laugh|effect|impact|memory|memories)$",
    re.IGNORECASE,
)
_NO_GOODS_ZH = re.compile("(?:问题|宝库|机会|想法|时间|感觉|办法|计划|信心|兴趣|经验|能力)$")
_COMES_TO = re.compile("(?:收|听|看|见|感|得|遇|想|说|提|谈|受|做|直|接)到了?$")  # 收到老师的消息
_A_ZH = re.compile("一[个张位名条只种件些份间把]")


def tidied(claim: Claim, lead: str) -> Claim | None:
    """Return a claim without the words around its nouns; None if no noun is left.

    ``lead`` is the text of the sentence before its value.
    """
    about, value = claim.about, claim.value
    if claim.quote.isascii() or (about or value).isascii():
        about, value = _english(about, value, claim.facet)
    else:
        about, value = _chinese(about, value, claim.facet)
        if claim.facet == "place" and _COMES_TO.search(lead):
            return None
        if claim.facet == "amount" and _A_ZH.fullmatch(value) and _EXISTS.search(lead):
            return None  # 桌上有一个盒子: about its presence, not about the count
    if claim.about and not about:
        return None
    is_empty = bool(claim.value) and not value
    if is_empty or (value in _NOWHERE and claim.sign == "states"):
        return None
    return (
        claim
        if (about, value) == (claim.about, claim.value)
        else replace(claim, about=about, value=value)
    )


def _english(about: str, value: str, facet: str) -> tuple[str, str]:
    if facet in _THINGS:
        about = "" if _SUBJECT_EN.search(about) else _TAIL_EN.sub("", _HEAD_EN.sub("", about))
    elif facet in _PERSONAL and about:
        about = _HEAD_EN.sub("", about)
        about = "" if _TAIL_EN.sub("", about) != about else about  # my best but
    is_none = about.casefold() in _FUNCTION_EN or (facet == "owner" and _NO_GOODS.search(about))
    about = "" if is_none else about
    if facet in ("place", "home", "work") and _FIGURE.match(value):
        return about, ""
    value = value if facet == "bond" else _VALUE_TAIL_EN.sub("", value)
    is_word = value.casefold() in _FUNCTION_EN and facet in (
        "name",
        "place",
        "home",
        "work",
        "owner",
    )
    return about, "" if is_word and value.casefold() not in _NOWHERE else value


def _chinese(about: str, value: str, facet: str) -> tuple[str, str]:
    if facet in _THINGS:
        about = _VERB_TAIL_ZH.sub("", _TAIL_ZH.sub("", _HEAD_ZH.sub("", about)))
        about = "" if _TIME_ZH.fullmatch(about) else _TIME_TAIL_ZH.sub("", about)
        is_none = _OPENS_ZH.match(about) or (facet == "owner" and _NO_GOODS_ZH.search(about))
        about = "" if is_none else about
    about = "" if about in _FUNCTION_ZH else about
    if facet in ("place", "home", "work"):
        value = "" if _OF_CLAUSE_ZH.search(value) else _VALUE_HEAD_ZH.sub("", value)
        value = _MEASURE_ZH.sub("", value) if facet == "work" else value
        value = "" if facet != "work" and value.startswith("的") else value.removeprefix("的")
    if facet == "name":
        value = value[1:] if len(value) > _NAME and value[0] in "做作为" else value
        value = "" if value.endswith("不了") or value[:1] in "你我他她" else value
    return about, value
