"""Compares the wording of claims: content words, numbers, places, and negations."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import add

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.values import dataclass

_HAN = re.compile("[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'’\-]+|\d+")
STOP_HAN = frozenset(
    "的了着吗呢吧啊呀哦我你他她它您们是在有和与就也都还很这那个一不没又再把被给让对向跟从到要会"
    "能可以说道么什怎啦嘛上下里中去来"
)
# Two or more Chinese characters in a row with a meaning: between characters without.
_CONTENT_HAN = re.compile(
    "[{}]{{2,}}".format(
        "".join(
            f"{chr(ord(before) + 1)}-{chr(ord(after) - 1)}"
            for before, after in pairwise(sorted({"\u33ff", *STOP_HAN, "\ua000"}))
            if ord(after) - ord(before) > 1
        )
    )
)
STOP_LATIN = frozenset(
    "the a an and or but so if of to in on at by for from with as is are was were be been being"
    " am do does did done have"
    " has had having i you he she it we they me him her us them my your his its our their this"
    " that these those there"
    " here not no never will shall would could should can may might must up down out off over"
    " then than when while who"
    " whom which what where how all any some one just only very too also now ever yet still about"
    " into upon went go goes"
    " going get got gets say says said tell tells told know knows knew think thing things okay oh"
    " yes well let come comes"
    " came".split()
)
_PAST = dict(
    pair.split(":")
    for pair in (
        "took:take taken:take brought:bring taught:teach gave:give given:give found:find "
        "paid:pay spoke:speak spoken:speak kept:keep saw:see seen:see made:make bought:buy "
        "sent:send put:put hung:hang fought:fight lied:lie lost:lose left:leave sold:sell "
        "built:build wrote:write written:write buried:bury broke:break broken:break shot:shoot "
        "drank:drink drunk:drink threw:throw thrown:throw drew:draw drawn:draw rode:ride ridden:ri"
        "de "
        "forgot:forget forgotten:forget stole:steal stolen:steal read:read ran:run held:hold met:m"
        "eet slept:sleep won:win drove:drive driven:drive rebuilt:rebuild ate:eat eaten:eat fed:fe"
        "ed flew:fly flown:fly grew:grow grown:grow stood:stand sang:sing sung:sing swam:swim swum"
        ":swim swore:swear sworn:swear woke:wake woken:wake wore:wear worn:wear caught:catch chose"
        ":choose chosen:choose dug:dig fell:fall fallen:fall froze:freeze frozen:freeze hid:hide h"
        "idden:hide laid:lay led:lead lent:lend lit:light rang:ring rung:ring rose:rise risen:rise"
        " sought:seek shook:shake shaken:shake slid:slide spent:spend spun:spin stuck:stick swept:"
        "sweep swung:swing tore:tear torn:tear wept:weep wound:wind bent:bend bled:bleed bred:bree"
        "d clung:cling crept:creep dealt:deal dreamt:dream fled:flee knelt:kneel knit:knit sank:si"
        "nk sunk:sink shone:shine shrank:shrink sprang:spring stung:sting struck:strike began:begi"
        "n begun:begin blew:blow blown:blow bit:bite bitten:bite became:become mended:mend"
    ).split()
)
_ALIKE = ({"quarrel", "fight", "argue", "row"}, {"happy", "glad"}, {"talk", "speak"})
_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen"
    " eighteen nineteen".split()
)
_TENS = {
    w: 10 * n
    for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_NOT = re.compile(
    r"不|没有?|并非|从未|(?<![A-Za-z])(?:not|never|no|nobody|nothing|no longer)(?![A-Za-z])"
    r"|n['’]t(?![A-Za-z])",
    re.IGNORECASE,
)
_ASPECT = re.compile("(?<=[\u4e00-\u9fff])[了过着](?=[\u4e00-\u9fff])")


_NUMBERS = re.compile(
    r"\d+(?:,\d{3})*|[零〇一二两三四五六七八九十百千万亿]+"
    rf"|\b(?:{'|'.join([*_WORDS, *_TENS])}|hundred|thousand|million)\b"
)


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """The content of a text: pairs of Chinese characters, and stems of English words."""

    units: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.units)

    def shared(self, other: ClaimWords) -> int:
        """Return how many units two texts share."""
        return len(self.units & other.units)

    @classmethod
    def joined(cls, parts: Iterable[ClaimWords]) -> ClaimWords:
        units: frozenset[str] = frozenset()
        for part in parts:
            units |= part.units
        return cls(units)


@lru_cache(maxsize=20_000)
def words_of(text: str) -> ClaimWords:
    """Return the content of a text."""
    units: set[str] = set()
    for run in _CONTENT_HAN.findall(text):
        units.update(map(add, run, run[1:]))
    for word in _LATIN.findall(text):
        stem = stem_of(word)
        if stem and stem not in STOP_LATIN:
            units.add(stem)
    return ClaimWords(frozenset(units))


HANDS, BACK = "~hands", "~back"
_HANDS_OVER = re.compile(
    "递|还给|还了|还你|交还|归还|物归原主|双手奉|[塞放搁推丢扔抛]回"
    r"|\b(?:hand|gave|giv|pass|return|press|push|slid|put|plac|toss)\w* [\w ]{2,30}?"
    r"\b(?:back|over|hands?|palms?)\b",
    re.IGNORECASE,
)
_COMES_BACK = re.compile("回到|回来|赶回|归来")


def index_words(text: str) -> frozenset[str]:
    """Return the index words of a message: its content, and two kinds of deeds."""
    units = words_of.__wrapped__(text).units
    if _HANDS_OVER.search(text):
        units |= {HANDS}
    if _COMES_BACK.search(text):
        units |= {BACK}
    return units


_SHORT_ELLED = 7  # letters: travelled doubles the l of travel, spelled is of spell
_DOUBLES = ("ing", "ed")  # before these a short word doubles its last letter


@lru_cache(maxsize=20_000)
def stem_of(word: str) -> str:
    """Return the approximate stem of an English word."""
    low = word.casefold().replace("’", "'").removesuffix("'s").removesuffix("n't")
    low = _PAST.get(low, low)
    for group in _ALIKE:
        if any(low.startswith(base) for base in group):
            return min(group)
    if low.endswith("elled") and len(low) > _SHORT_ELLED:
        return low[: -len("led")]
    for suffix in ("ing", "ed", "ies", "es", "s"):
        if low.endswith(suffix) and len(low) - len(suffix) >= 3 and not low.endswith("ss"):
            low = low[: -len(suffix)]
            is_doubled = suffix in _DOUBLES and len(low) > 3 and low[-1] == low[-2]
            low = low[:-1] if is_doubled and low[-1] in "bdgmnprt" else low  # plotted
            break
    return low.rstrip("e") if len(low) > 4 else low


_IN_DIGITS = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?!\d)(?:\.(\d))?([百千万亿]?)")
_IN_CHINESE = re.compile("[零〇一二两三四五六七八九十百千万亿]+")
_LETTERS = re.compile("[a-z]+")
# A character's or word's factor for the number before it.
_TIMES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_MULTIPLES = {  # a word's factor for the number before it
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "dozen": 12,
}
_MOST_DIGITS = 12  # digits of a count; longer numbers are telephones and hashes


def number_in(text: str) -> int | None:
    """Return the first number of a text, in digits or in words."""
    digits = _IN_DIGITS.search(text)
    if digits is not None and len(digits[1]) < _MOST_DIGITS:
        whole = int(digits[1].replace(",", ""))
        times = _TIMES.get(digits[3], 1)
        return whole * times + int(digits[2] or 0) * times // 10
    chinese = _IN_CHINESE.search(text.replace("百分之", ""))
    if chinese is not None:
        return _chinese_number(chinese[0])
    return _english_number(_LETTERS.findall(text.casefold()))


def _english_number(words: Iterable[str]) -> int | None:
    """Return the first number written in words: eleven hundred and four."""
    total, current, is_begun = 0, 0, False
    for word in words:
        if word in _WORDS:
            current += _WORDS.index(word)
        elif word in _TENS:
            current += _TENS[word]
        elif word in _MULTIPLES:
            current = (current or 1) * _MULTIPLES[word]
            if current >= _MULTIPLES["thousand"]:
                total, current = total + current, 0
        elif is_begun and word != "and":
            break
        else:
            continue
        is_begun = True
    return total + current if is_begun else None


def _chinese_number(word: str) -> int:
    """Return a number in Chinese characters: 三万五 is 35,000, 两千三 is 2,300."""
    if len(word) > 1 and all(char in _DIGITS for char in word):
        return int("".join(str(_DIGITS[char]) for char in word))  # a year: 二〇二三
    total = section = current = 0
    last = 1  # the factor of the previous character
    for char in word:
        if char in _DIGITS:
            current = _DIGITS[char]
            last = 1 if char in "零〇" else last
            continue
        times = _TIMES[char]
        if times >= _TIMES["万"]:
            total, section = total + (section + current or 1) * times, 0
        else:
            section += (current or 1) * times
        current, last = 0, times
    return total + section + current * (last // 10 if last > _TIMES["十"] else 1)


_MEASURED = re.compile(
    "^(?:[这那][家间所栋座艘辆片处](?=.)"
    "|[一这那两几整]?[把柄块只枚支本辆匹座张幅件串颗扇艘封口顶盒卷份叠沓套瓶壶盏盆根条粒箱袋包"
    "](?=.)|[这那])"
)
# Nouns with 子 if no other word is before them.
_WITH_ZI = frozenset("匣箱镯簪鞋帽椅桌瓶袋梯铺轿袍裙杯盘罐坛笼扇册链鞭棍帖棋盆钩钳锤锥笛毯褥")
_NOUN = 4  # characters of a Chinese noun; a longer word is a name, or no noun
_NO_MARKS = str.maketrans("", "", "《》〈〉【】")
_OF_WHAT = re.compile(r"\s+(?:of|to|from|for|in|with)\s+")


@lru_cache(maxsize=4_000)
def fold_thing(thing: str) -> str:
    """Return the address of a thing: its last word, in English in lower case."""
    low = thing.casefold().strip()
    if _HAN.search(low):
        low = low.translate(_NO_MARKS)
        noun = _MEASURED.sub("", low.rpartition("的")[2]) or low
        if noun[-1:] in _WITH_ZI and noun[-2:-1] not in ("", *_WITH_ZI):
            return f"{noun[-1]}子"  # 乌木匣 and 匣子 are one
        return noun[-2:] if len(noun) <= _NOUN else noun  # 点翠凤冠 and 凤冠 are one
    head = _OF_WHAT.split(low, maxsplit=1)[0].split()  # the key to the vault is a key
    return stem_of(head[-1]) if head else low


_PLACED = re.compile(
    r"^(?:(?:in|at|on|under|beneath|inside|behind|into|up|down|above|by) )*(?:the|my|his|her|your"
    r"|our"
    r"|an?|that|this)? ?(?P<what>[\w'’\-]+(?: [\w'’\-]+)*?)(?= (?:of|at|in|on|by|under|behind|with"
    r"|to"
    r"|near|over|beside|where|above|below|from|and)\b|$)",
    re.IGNORECASE,
)
_COUNTED_AS = {
    stem: kind
    for kind, words in {
        "money": "dollar buck pound quid coin gold silver copper crown penny pence cent euro credit"
        " mark piece shilling franc ducat florin guinea cash money saving broke penniless bankrupt"
        " skint cleaned-out",
        "ammunition": "round bullet shell cartridge shot ammo ammunition slug clip",
        "day": "day night",
    }.items()
    for stem in words.split()
}


def inside_of(place: str) -> str:
    """Return the address of a place's content: in the safe at the Blue Room, the safe."""
    found = _PLACED.match(place.strip())
    return f"in {fold_thing(found['what'])}" if found is not None else ""


def counted(words: str) -> str:
    """Return the counted noun, by its last word; all money is one noun, as is all ammunition."""
    last = words.casefold().split()[-1:] or [""]
    stem = stem_of(last[0])
    return _COUNTED_AS.get(last[0], _COUNTED_AS.get(stem, stem))


def share_a_character(one: str, other: str) -> bool:
    """Return whether two texts share a Chinese character with a meaning."""
    chars = set(one) & set(other) - STOP_HAN
    return any(_HAN.match(char) for char in chars)


# Words that distinguish places of one kind: Ring C and Ring A, 三楼 and 五楼.
_DESIGNATOR = re.compile(
    r"(?<=\w )(?:[A-Z]|\d+)\b|[一二三四五六七八九十百\d东南西北]+(?=[号楼层栋室区院厢])"
)


def same_place(one: str, other: str) -> bool:
    """Return whether two places are the same, or one is inside the other."""
    which = [set(_DESIGNATOR.findall(place)) for place in (one, other)]
    if all(which) and which[0].isdisjoint(which[1]):
        return False
    a, b = one.casefold().strip(), other.casefold().strip()
    if a in b or b in a:
        return True
    wa, wb = words_of(a), words_of(b)
    shared = wa.shared(wb)
    if _HAN.search(a) and _HAN.search(b):
        chars = set(a) & set(b) - STOP_HAN
        return shared >= 1 and len(chars) * 2 >= min(len(set(a)), len(set(b)))
    return shared > 0 and shared * 2 >= min(len(wa.units), len(wb.units))


def same_value(facet: str, one: str, other: str) -> bool:
    """Return whether two claims of an address have the same value."""
    a, b = one.casefold().strip(), other.casefold().strip()
    if a == b:
        return True
    if facet in ("amount", "age", "years"):
        return _same_number(a, b)
    if facet in ("alive", "health"):
        return False
    if facet in ("owner", "work", "bond"):
        wa, wb = words_of(a), words_of(b)
        if _HAN.search(a) or _HAN.search(b):
            return False
        return bool(wa) and (wa.units <= wb.units or wb.units <= wa.units)
    return same_place(one, other)


def _same_number(one: str, other: str) -> bool:
    na, nb = number_in(one), number_in(other)
    if na is None and nb is None:
        return one in other or other in one
    return na is None or nb is None or na == nb


def without_numbers(text: str) -> str:
    """Return a text without its numbers."""
    return _NUMBERS.sub(" ", text.casefold())


def floors_with(
    floors: Mapping[str, Sequence[int]], first: int, last: int, words: Iterable[str], least: int
) -> list[int]:
    """Return the floors from ``first`` to ``last`` with at least ``least`` of the words.

    ``floors`` are the sorted floors by word.
    """
    counts: Counter[int] = Counter()
    for word in set(words):
        of_word = floors.get(word, ())
        counts.update(of_word[bisect_left(of_word, first) : bisect_right(of_word, last)])
    return sorted(floor for floor, count in counts.items() if count >= least)


_OF_ONESELF = re.compile(
    r"^[\s*（(]*(?:(?:可|但|其实)?我|(?:But |In truth,? )?(?:I (?:did|have|had|was|am|do)\b|I['’]"
    r"|There (?:is|was|are|were) no\b))"
)


def least_shared(line: Claim) -> int:
    """Return how many words a thought or narration must share with what it denies.

    One is enough for thoughts and for narration about oneself, which are about the words just said.
    """
    return 1 if line.how == "thought" or _OF_ONESELF.match(line.quote) else 2


def _tells_same(denial: str, said: str, least: int) -> bool:
    """Return whether two sentences share enough of their words."""
    one, other = words_of(denial), words_of(said)
    if not one or not other:
        return False
    shared = one.shared(other)
    sizes = sorted((len(one.units), len(other.units)))
    return shared >= least and shared * 2 >= sizes[0 if least == 1 else 1]


@lru_cache(maxsize=4_000)
def _without_not(text: str) -> str:
    return _NOT.sub(" ", text)


def is_denial_of(denial: str, said: str, least: int) -> bool:
    """Return whether a sentence says the opposite of another: the same words, one with “not”.

    ``least``: how many words they must share; from two on, also half of the longer one's.
    """
    bare = _without_not(denial), _without_not(said)
    if (bare[0] == denial) == (bare[1] == said):
        return False
    if _tells_same(*bare, least):
        return True
    # 遭了贼 and 没有遭贼: without the particles between a verb and its object
    plain = _ASPECT.sub("", bare[0]), _ASPECT.sub("", bare[1])
    return plain != bare and _tells_same(*plain, least)
