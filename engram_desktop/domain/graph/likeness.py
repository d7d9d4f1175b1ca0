"""How similar two names are as names of the same entity, and why. Pure; names are folded before.

Similar names are a reason to ask, never to merge: sisters may be called 林晚 and 林婉.

The numbers only order the questions, the most certain first; they were set by hand and not
measured.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP
CONTEXT = "suggestions"
SAME = _T("suggestions", "“{a}” and “{b}” are the same name in another spelling")
TITLED = _T("suggestions", "“{a}” is “{b}” with a title")
FIRST_NAME = _T("suggestions", "“{b}” may be short for “{a}”")
PART = _T("suggestions", "“{b}” is part of “{a}”")
NICKNAME = _T("suggestions", "“{b}” may be a pet name for “{a}”")
INITIALS = _T("suggestions", "“{b}” may abbreviate “{a}”")
SPELT = _T("suggestions", "“{a}” and “{b}” are spelt alike")

_TITLES_ZH = re.compile(
    "(?:先生|小姐|女士|太太|夫人|老师|教授|医生|大夫|队长|团长|船长|将军|元帅|大人|殿下|陛下|公主|王子|国王"
    "|女王|皇帝|皇后|王后|伯爵|公爵|侯爵|骑士|神父|修女|掌门|长老|师父|师傅|师尊|师兄|师姐|师弟|师妹|前辈"
    "|学长|学姐|学弟|学妹|同学|哥哥|姐姐|弟弟|妹妹|叔叔|阿姨|爷爷|奶奶|哥|姐|叔|姨|爷|酱|君|桑)$"
)
_TITLES_EN = re.compile(
    r"^(?:mr|mrs|ms|miss|mister|sir|dame|lady|lord|dr|doctor|prof|professor|captain|general"
    r"|king|queen|prince|princess|master|mistress|uncle|aunt|auntie|brother|sister|father|mother"
    r"|grandma|grandpa|saint|st|the)\.? "
)
_PET = re.compile(r"^[小阿老大]([\u3400-\u9fff])$|^([\u3400-\u9fff])(?:儿|\2|子|宝)$")
_CJK = re.compile(r"^[\u3400-\u9fff·]+$")


@dataclass(frozen=True, slots=True)
class Likeness:
    """From 0 to 1; at 1 the names are certainly the same."""

    score: float
    reason: Phrase


def name_keys(name: str) -> Iterator[str]:
    """Yield keys that a folded name shares with every similar name, to find candidate pairs."""
    if _is_cjk(name):
        bare = _TITLES_ZH.sub("", name) or name
        yield from (a + b for a, b in itertools.pairwise(name))
        if len(bare) <= 4:
            yield from set(bare)
        return
    tokens = [t for t in re.split(r"[\s.\-']+", name) if t]
    yield from (t for t in tokens if len(t) > 1)
    solid = "".join(tokens)
    if len(solid) >= 6:
        yield from (f"{solid[:3]}…", f"…{solid[-3:]}", f"{solid[:1]}…{solid[-2:]}")
    if len(tokens) > 1:
        yield f"{tokens[0][:1]}. {tokens[-1]}"


def likeness(a: str, b: str, shown: tuple[str, str], *, is_person: bool) -> Likeness | None:
    """Compare folded names (case, width, script); ``shown`` are the original names."""
    one, other = _solid(a), _solid(b)
    if not one or not other:
        return None
    if one == other:
        return _like(1.0, SAME, shown)
    if (len(one), other) < (len(other), one):
        a, b, shown = b, a, (shown[1], shown[0])
    compare = _like_cjk if _is_cjk(a) and _is_cjk(b) else _like_latin
    return compare(a, b, shown, is_person)


def _like_cjk(a: str, b: str, shown: tuple[str, str], is_person: bool) -> Likeness | None:  # noqa: FBT001 - passed on
    bare = _TITLES_ZH.sub("", a)
    if is_person and bare and bare != a and bare in (b, _TITLES_ZH.sub("", b)):
        return _like(0.85, TITLED, shown)
    if is_person and len(a) >= 2:
        for full, short, names in ((a, b, shown), (b, a, (shown[1], shown[0]))):
            pet = _PET.match(short)
            if pet is not None and full != short and (pet[1] or pet[2]) in full:
                is_given = (pet[1] or pet[2]) in full[1:]
                return _like(0.55 if is_given else 0.5, NICKNAME, names)
    if len(b) >= 2 and b in a:
        if not is_person:
            return _like(0.3, PART, shown)  # a gate and its market are two things
        is_given = a.endswith(b) and len(a) - len(b) <= 2
        return _like(0.7 if is_given else 0.5, FIRST_NAME if is_given else PART, shown)
    if len(a) == len(b) >= 3 and sum(x != y for x, y in zip(a, b, strict=True)) == 1:
        return _like(0.5 if len(a) > 3 else 0.4, SPELT, shown)
    return None


def _like_latin(a: str, b: str, shown: tuple[str, str], is_person: bool) -> Likeness | None:  # noqa: FBT001 - passed on
    bare, plain = _TITLES_EN.sub("", a), _TITLES_EN.sub("", b)
    if (bare, plain) != (a, b) and _solid(bare) == _solid(plain):
        return _like(0.85 if is_person else 0.6, TITLED, shown)
    tokens, part = bare.split(), plain.split()
    if is_person and len(part) < len(tokens) and set(part) <= set(tokens):
        is_first = part[0] == tokens[0]
        return _like(0.7 if is_first else 0.55, FIRST_NAME, shown)
    if is_person and len(tokens) == len(part) > 1 and _abbreviates(part, tokens):
        return _like(0.65, INITIALS, shown)
    one, other = _solid(a), _solid(b)
    if len(other) >= 6 and one.isalpha() and other.isalpha():  # numbered things differ
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - 27 ms, for two long names

        room = 2 if len(other) >= 9 else 1
        far = Levenshtein.distance(one, other, score_cutoff=room)
        if far <= room:
            return _like(0.75 - 0.1 * far, SPELT, shown)
    return None


def _abbreviates(short: list[str], full: list[str]) -> bool:
    """Return whether one name is the other with initials in place of some parts."""
    pairs = [(s.strip("."), f.strip(".")) for s, f in zip(short, full, strict=True)]
    are_alike = all(s == f or (min(len(s), len(f)) == 1 and s[:1] == f[:1]) for s, f in pairs)
    return are_alike and any(s == f and len(s) > 1 for s, f in pairs)


def _solid(name: str) -> str:
    return re.sub(r"[\s·・‧∙•⋅]+", "", name)


def _is_cjk(name: str) -> bool:
    return _CJK.match(name) is not None


def _like(score: float, template: str, shown: tuple[str, str], **more: Any) -> Likeness:
    return Likeness(score, Phrase(template, CONTEXT, a=shown[0], b=shown[1], **more))
