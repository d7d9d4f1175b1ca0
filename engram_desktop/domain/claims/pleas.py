"""What is promised by an answer: yes to “promise me”, silence to “tell nobody”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.vows import due_in
from engram_desktop.domain.claims.wording import words_of

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_PLEAS = words_of("promise word swear 答应 保证").units  # of a floor that asks for a promise
_BESIDE = 2  # sentences of an answer in which it says until when
# Who is asked for silence may promise it in words that elsewhere only refuse to answer.
_MAY_REFUSE = re.compile(
    r"^[^。！!？?]{0,8}我[^，,。]{0,8}不会?(?:说|讲)的?[。！!…~～”」]*$|我[^，,。]{0,2}保密[。！!…~～”」]*$"
)
_ASKS_SILENCE = re.compile(
    r"(?:别|不要|不许|不准|莫|休|勿|不能)[^，,。！!？?]{0,6}(?:说|告诉|声张|讲|外传|提|张扬|泄)|保密|秘密|你知我知"
    r"|你要是说|嘘"
)
_PLEADS = re.compile(
    r"\b(?:promise|swear to) me\b(?: that)? (?:you|not to|never to)|\bgive me your word\b"
    r"|(?:^|[，,。！!“「\s快要先请得])(?:答应我|向我保证|跟我保证|给我保证)(?![了过的])",
    re.IGNORECASE,
)
_ASSENTS = re.compile(
    r"\W*(?:(?:oh|yes|okay|ok|fine|all right|alright|very well|agreed|as you wish"
    r"|if you insist"
    r"|I (?:promise|swear|will)|until|you have it)\b(?!.{0,20}\b(?:not sure|but I can['’]t|no)\b)"
    r"|(?:好[的吧啊，,。！!]|嗯|行[，,。！!吧]|可以|依你|听你的|我(?:答应|保证|发誓)|一言为定))",
    re.IGNORECASE,
)


def refuses(claim: Claim, lines: FloorTexts) -> bool:
    """Whether silence that nobody asked for only refuses to answer: 我不会说的."""
    if claim.is_model or _MAY_REFUSE.search(claim.quote) is None:
        return False
    before = [*lines.at(claim.floor - 1), *lines.at(claim.floor)]
    said = [c for c in before if c.how == "said" and c.speaker != claim.speaker]
    asked = (c for c in said if _place(c) < _place(claim))
    return not any(_ASKS_SILENCE.search(c.quote) for c in asked)


def _place(claim: Claim) -> tuple[int, int]:
    return claim.floor, claim.start


def with_answers(
    facts: Sequence[Claim], lines: FloorTexts, first_floor: int, last_floor: int
) -> Sequence[Claim]:
    """Add what somebody promises by saying yes to “promise me”: Very well. Until Sunday."""
    added = []
    for floor in lines.with_words(max(0, first_floor - 1), last_floor, _PLEAS):
        near = [*lines.at(floor), *(lines.at(floor + 1) if floor < last_floor else ())]
        pleas = [n for n, c in enumerate(near) if c.how == "said" and _PLEADS.search(c.quote)]
        answer = _answer(near, pleas[-1]) if pleas else None
        if answer is None or not first_floor <= answer.floor <= last_floor:
            continue
        if not any(c.facet == "will" and c.floor == answer.floor for c in facts):
            added.append(answer)
    return sorted([*facts, *added], key=_place) if added else facts


def _answer(near: Sequence[Claim], number: int) -> Claim | None:
    """Return the promise that the answer to a plea is, with when it is due where it says so."""
    plea = near[number]
    own = [c for c in near[number + 1 :] if c.how == "said" and c.speaker != plea.speaker]
    if not own or not own[0].speaker or own[0].sign or _ASSENTS.match(own[0].quote) is None:
        return None
    if any(c.speaker == plea.speaker and c.start < own[0].start for c in near[number + 1 :]):
        own = own[:1]
    told = [(c, due_in(c.quote, is_zh=not c.quote.isascii())) for c in own[:_BESIDE]]
    line, due = next((row for row in told if row[1]), (own[0], ""))
    return replace(line, facet="will", sign="vow", about=plea.speaker, trigger=due)
