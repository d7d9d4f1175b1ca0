"""Mistakes: a statement of a speaker who did not know better, and the proof that it is wrong.

There are three kinds of proof: the narration says so beside the words (he was wrong; she did not
know that), the speaker says so later (I thought, I was wrong about), or a later line states the
outcome and denies the very words. A mistake is held until its speaker learns the truth. Rules
report nothing when in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.hinted_rules import Marker
from engram_desktop.domain.claims.untruths import shared_content
from engram_desktop.domain.claims.wording import (
    ClaimWords,
    is_denial_of,
    share_a_character,
    words_of,
)

_BESIDE = 2  # sentences between the words and the narration that calls them wrong
_LATER = 400  # floors after which the words that are taken back are no longer searched
_LOOKED_AT = 12  # newest floors in which they are searched
_LEAST = 2  # words that a line shares with the proof that it is wrong
# Said of oneself; of an outcome; of a person, by the narration.
_OWN = re.compile(
    r"我|咱|(?<![A-Za-z])(?:I|we)(?![A-Za-z])|(?<![A-Za-z])(?:my|our) mistake", re.IGNORECASE
)
_TURNED_OUT = re.compile(r"原来|(?<![A-Za-z])turn(?:s|ed) out(?![A-Za-z])", re.IGNORECASE)
_IS_SHOWN = re.compile(r"\bturn(?:s|ed) out to be an?\b", re.IGNORECASE)
_POLITE = re.compile(
    r"(?:对不起|抱歉|谢谢|多谢|不好意思|请原谅)|(?:I['’]?(?:m| am) (?:so |very )?sorry|sorry"
    r"|thank|forgive me"
    r"|excuse me)\b",
    re.IGNORECASE,
)
_WRONG_ABOUT = re.compile(
    r"(?:错怪|冤枉|误会|看错|怪错)了?([\u4e00-\u9fff]{2,4}?)(?=[了，。！]|$)"
    r"|(?:wrong|mistaken) about ([A-Z]\w+)"
)
_WRONG_ABOUT_YOU = re.compile(
    "(?:错怪|冤枉|误会|看错|怪错|错看|误解)了?[你您]|(?:wrong|mistaken) about you|misjudged you"
)
_BELIEVED = re.compile(
    r"以为|还当|只当|(?<![A-Za-z])(?:thought|believed|assumed|figured)(?![A-Za-z])", re.IGNORECASE
)
_EXPECTED = re.compile(
    r"以为[你您他她](?:们)?(?:还|也|又|就)?会(?!是)"
    r"|\bthought (?:you|he|she|they)(?:['’]d| would)\b",
    re.IGNORECASE,
)
_UNAWARE = re.compile(r"不知|不晓得|不知情|蒙在鼓里|(?<![A-Za-z])(?:know|idea|aware)(?![A-Za-z])")


_LEAST_SAID = 4  # characters of a statement that may be a mistake
_JUST = 3  # floors in which a speaker says that their last statement was wrong
_GOT_WRONG = re.compile(
    r"[弄搞看认记想听猜说]错了?|看走了?眼|\b(?:got (?:it|that) wrong|misunderstood|mixed (?:it"
    r"|that) up|(?:my|our) mistake|been mistaken|was mistaken)\b",
    re.IGNORECASE,
)
_OWN_ERROR = re.compile(
    rf"我[^，。]{{0,6}}错了|我[^，。]{{0,4}}(?:误会|错怪|冤枉)|是我[^，。]{{0,6}}错"
    rf"|{_GOT_WRONG.pattern}|\bI(?:['’]d| was| had| am|['’]m)(?: been)? wrong\b",
    re.IGNORECASE,
)
_CALLS_WRONG = re.compile(
    r"^\W*I['’]ll\b|\b(?:I['’]m|I am|you['’]re) wrong\b|我错了|[你您]错了", re.IGNORECASE
)
_SORRY = re.compile(
    r"我知道[^，。]{0,4}错|对不起，我错|我不该|认错|没(?:有)?(?:弄|搞|看|认|记)错|\bnot wrong\b"
    r"|wrong with|if I['’]m"
)
# The narration names a certainty of a person, and in the next sentence the truth.
THINKS_SO = re.compile(
    r"以为|认定|深信|坚信|笃定|确信|(?:天真|自信|满心)[^，。]{0,4}(?:想|地)|断定|逢人便"
    r"|\b(?:was (?:certain|sure|convinced)|believed|thought|assumed|under the impression)\b",
    re.IGNORECASE,
)
IS_NOT_SO = re.compile(
    r"^(?:可|但|然而|其实|实际上|事实|殊不知|岂料|哪知|谁知|他错了|她错了|(?:他|她)(?:哪"
    r"|怎么?)(?:里|会)?(?:知|晓)|(?:他|她)还?(?:不知|蒙))|^(?:but|yet|in (?:reality|fact|truth)"
    r"|the (?:opposite|truth)|little did|(?:he|she|they) (?:was wrong|did not know|didn['’]t know"
    r"|had no idea|could not have))\b",
    re.IGNORECASE,
)
BELIEFS = Marker(
    ".",
    hints="以为|认定|深信|坚信|笃定|确信|天真|自信|满心|断定|逢人便|蒙在鼓里|was certain|was sure"
    "|was convinced|believed|thought|assumed|impression",
)
MISBELIEVES = re.compile(
    r"(?:误|错)以为[^。]{2,}(?:，|。)(?:殊?不知|其实|却|哪知)|还?蒙在鼓里[^。]{2,}|\b(?:wrongly"
    r"|mistakenly) (?:believed|thought|assumed)\b|\b(?:believed|thought"
    r"|under the impression)\b.*\bnot knowing\b",
    re.IGNORECASE,
)


class FloorLines(Protocol):
    """The sentences of floors, and an index of their words."""

    def at(self, floor: int) -> Sequence[Claim]: ...

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]: ...


def mistakes_of(
    facts: Sequence[Claim], lines: FloorLines, taken: Collection[Quote], found: dict[Quote, Finding]
) -> None:
    """Add to ``found`` the mistakes shown by sentences with the sign ``errs``."""
    for sign in facts:
        if sign.sign != "errs" or sign.depth:
            continue
        if sign.how == "narrated" and _IS_SHOWN.search(sign.quote):
            continue  # a bundle of rags turns out to be a boy: no one believed otherwise
        if sign.how == "said" and _EXPECTED.search(sign.quote):
            continue  # 我还以为你会来: about a person's action, not about a fact
        said = _beside(sign, lines) if sign.how == "narrated" else _before(sign, lines)
        said = said or _just_said(sign, lines)
        if said is None:
            continue
        first, shows = _quote(said), _quote(sign)
        if first in taken or (first in found and found[first].status == "corrected"):
            continue
        is_own = _OWN_ERROR.search(sign.quote) is not None and sign.about == said.speaker
        knows = said.speaker in (sign.speaker, *sign.hearers)
        knows = (knows and sign.how != "narrated") or is_own
        status = "corrected" if knows else "held"
        about = said.about or said.speaker
        who = (said.speaker,) if said.speaker else ()
        aware = () if sign.how == "narrated" else tuple(filter(None, (sign.speaker, *sign.hearers)))
        found[first] = Finding(
            "mistaken", status, who, about, said.facet, (first, shows), known_to=aware
        )


def _just_said(sign: Claim, lines: FloorLines) -> Claim | None:
    """Return the last statement of a speaker who now says that it was wrong."""
    who = sign.speaker or sign.about
    is_sorry = _SORRY.search(sign.quote) is not None
    if not who or is_sorry or not _OWN_ERROR.search(sign.quote):
        return None
    is_sure = _GOT_WRONG.search(sign.quote) is not None
    around = "".join(c.quote for c in lines.at(sign.floor) if who in (c.speaker, c.about))
    around += "".join(c.quote for c in lines.at(sign.floor - 1))
    for floor in range(sign.floor - 1, max(-1, sign.floor - _JUST - 1), -1):
        for line in reversed(lines.at(floor)):
            is_said = line.how in ("said", "written") and line.sign in ("", "breaks", "errs")
            is_said = is_said and not _CALLS_WRONG.search(line.quote)
            if not is_said or line.speaker != who or line.depth or _POLITE.match(line.quote):
                continue
            least = 1 if sign.quote.isascii() or _TURNED_OUT.search(sign.quote) else _LEAST
            is_long = len(line.quote) > _LEAST_SAID
            if is_long and (is_sure or shared_content(line.quote, around) >= least):
                return line
    return None


def _asserts(line: Claim) -> bool:
    """Return whether a sentence is asserted as true."""
    is_said = line.how in ("said", "written", "thought") and not line.sign and not line.depth
    is_said = is_said and not _CALLS_WRONG.search(line.quote)
    return is_said and not _POLITE.match(line.quote.strip())


def _beside(sign: Claim, lines: FloorLines) -> Claim | None:
    """Return the words on the same floor that the narration calls wrong."""
    row = lines.at(sign.floor)
    at = next((n for n, line in enumerate(row) if line.start >= sign.start), len(row))
    said = [(n, line) for n, line in enumerate(row[:at]) if _asserts(line)]
    said = [(n, c) for n, c in said if not sign.about or c.speaker == sign.about] or said
    if not said or at - said[-1][0] - 1 > _BESIDE:
        return None
    last = said[-1][0]  # the last words of the speaker, and those before “she said”
    near = [(n, c) for n, c in said if n >= last - _BESIDE and c.speaker == said[-1][1].speaker]
    unbroken = last
    while unbroken - 1 in {n for n, _line in near}:
        unbroken -= 1
    words = ClaimWords.joined(words_of(line.quote) for line in row[at : at + 2])
    best = max(
        near,
        key=lambda one: (words_of(one[1].quote).shared(words), one[0] >= unbroken, -one[0]),
    )[1]
    if _UNAWARE.search(sign.quote):  # not everything a person does not know is a mistake
        told = row[at].quote if at < len(row) else sign.quote
        touches = words_of(best.quote).shared(words) or share_a_character(best.quote, told)
        return best if touches else None
    return best


def _before(sign: Claim, lines: FloorLines) -> Claim | None:
    """Return the earlier words that a speaker takes back, or that proved wrong."""
    turned_out = _TURNED_OUT.search(sign.quote) is not None
    if not turned_out and _OWN.search(sign.quote) is None:
        return None
    if sign.hearers and _WRONG_ABOUT_YOU.search(sign.quote):
        return _said_of(sign, sign.hearers[0], lines)
    about = _WRONG_ABOUT.search(sign.quote)
    if about is not None:
        return _said_of(sign, about[1] or about[2], lines)
    row = [c for c in lines.at(sign.floor) if c.speaker == sign.speaker and c.how == sign.how]
    at = next((n for n, line in enumerate(row) if line.start >= sign.start), 0)
    around = row[at : at + 3]
    believed = _BELIEVED.search(sign.quote)
    if believed is not None:  # the sentence itself contains the belief
        belief = sign.quote[believed.end() :]
        short, words = _short_belief(belief), words_of(belief)
    else:
        short, words = "", ClaimWords.joined(words_of(line.quote) for line in around)
    best: tuple[int, Claim] | None = None
    for line in _earlier(sign.floor, lines, words, short):
        own = line.speaker == sign.speaker
        flips = any(is_denial_of(c.quote, line.quote, 1 if own else _LEAST) for c in around)
        shared = words_of(line.quote).shared(words)
        if short and short in line.quote:
            shared = max(shared, _LEAST)
        is_wrong = flips or (own and (believed is not None or not turned_out))
        score = shared + (4 if flips else 0)
        if shared >= _LEAST and (own or turned_out) and is_wrong:
            best = max(best, (score, line), key=lambda one: one[0]) if best else (score, line)
    return None if best is None else best[1]


def _said_of(sign: Claim, name: str, lines: FloorLines) -> Claim | None:
    """Return the newest statement of a speaker about the person they admit to be wrong about."""
    for line in _earlier(sign.floor, lines, words_of(name), name, least=1):
        if line.speaker == sign.speaker and name in line.quote:
            return line
    return None


def _earlier(
    floor: int, lines: FloorLines, words: ClaimWords, short: str, least: int = _LEAST
) -> Iterable[Claim]:
    """Yield the earlier statements that may contain these words, the newest first."""
    floors: list[int] = []
    if len(words.units) >= least:
        first = max(0, floor - _LATER)
        floors = list(lines.with_words(first, floor - 1, words.units, least))
    elif short:
        floors = list(range(max(0, floor - _LOOKED_AT), floor))
    for at in reversed(floors[-_LOOKED_AT:]):
        yield from (c for c in reversed(lines.at(at)) if _asserts(c) and c.speaker)


def _short_belief(text: str) -> str:
    """Return the belief in a short Chinese clause, without subject and 了; "" for other clauses."""
    clause = re.split("[，。！？…”,!.]", text, maxsplit=1)[0].strip()
    bare = clause.strip("你我他她它们您了呢吧")
    return bare if 2 <= len(bare) <= 6 and not bare.isascii() else ""


def _quote(claim: Claim) -> Quote:
    return Quote(claim.floor, claim.quote.strip())
