"""Whether somebody who said that they would come was there when the day came.

The day stands in the promise, or in the words that it answers: “Tuesday, three fifteen?” “I'll be
there.” It has come where a scene opens on it, and who promised is in that scene.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.echoes import DATED_EN, DATED_ZH
from engram_desktop.domain.claims.near_outcomes import NEAR, is_missed

_WILL_COME = re.compile(
    r"我?(?:会|一定|准时|肯定)?(?:去|来|到|等你|陪你去|见)(?:的|你|就是)?(?:[。！，]|$)|不见不散"
    r"|\b(?:be there|come|meet (?:you|me)|see you|wait (?:for you|there)|go with you"
    r"|pick you up)\b",
    re.IGNORECASE,
)
# A day counted from the promise, and how a scene opens on it.
_COUNTED = {
    "tomorrow": (
        re.compile(r"\btomorrow\b|明[天日早晚儿]", re.IGNORECASE),
        re.compile(
            r"\W*(?:(?:the )?(?:next|following) (?:day|morning|evening|night|afternoon)\b"
            r"|morning\b)"
            r"|\W*(?:第二天|次日|翌日|隔天|隔日)",
            re.IGNORECASE,
        ),
    ),
    "tonight": (
        re.compile(r"\btonight\b|今[晚夜]", re.IGNORECASE),
        re.compile(
            r"\W*(?:that (?:night|evening)\b|(?:at )?midnight\b|after dark\b|night fell\b)"
            r"|\W*(?:当[晚夜]|入夜|夜深|夜里|子时|三更|是夜)",
            re.IGNORECASE,
        ),
    ),
}
_NOT_THERE = re.compile(
    r"(?:没|不|未)(?:来|在|到|见|出现)|\b(?:not|n['’]t|nobody|no one)\b[^.!?]{0,20}"
    r"\b(?:there|here|come|came|show|appear)\b|n['’]t (?:there|here|come|show|appear)",
    re.IGNORECASE,
)
_OPENS = 40  # characters of a scene in which it says when it takes place
_ZH = re.compile("[\u4e00-\u9fff]")


def day_of(claim: Claim, before: Sequence[Claim]) -> str:
    """Return the day for which somebody says that they will come, "" for none.

    ``before`` are the sentences of the floor before and of the promise's own.
    """
    if claim.sign != "vow" or not _WILL_COME.search(claim.quote):
        return ""
    for day, (told, _opening) in _COUNTED.items():
        if told.search(claim.quote):
            return day
    place = (claim.floor, claim.start)
    said = [line.quote for line in before if (line.floor, line.start) < place]
    for text in (claim.quote, *reversed(said)):
        day = _day_in(text)
        if day:
            return day
    return ""


def is_there(claim: Claim, day: str, told: Sequence[Claim]) -> Claim | None:
    """Return the sentence that opens a scene on the day, where who promised is in it."""
    first = told[0] if told else None
    if first is None or first.how != "narrated":
        return None
    if day in _COUNTED:
        is_on_it = _COUNTED[day][1].match(first.quote) is not None
        is_on_it = is_on_it and first.floor <= claim.floor + NEAR
    else:
        is_on_it = _day_in(first.quote[:_OPENS]) == day
    if not is_on_it:
        return None
    if any(is_missed(line.quote) or _NOT_THERE.search(line.quote) for line in told):
        return None
    giver = claim.speaker
    is_in = any(
        giver in (line.speaker, line.about, *line.hearers) or giver in line.quote for line in told
    )
    return first if is_in else None


def _day_in(text: str) -> str:
    pattern = (DATED_ZH if _ZH.search(text) else DATED_EN).pattern
    match = pattern.search(text)
    if match is None or not (match["day"] or match["nth"] or match["month"]):
        return ""
    return (match["day"] or match["nth"] or match["month"]).casefold()
