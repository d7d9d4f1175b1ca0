"""Who was there between two floors of one scene on both of which they were.

Where somebody leaves and nobody is named, rules going from floor to floor know only who speaks to
be there. What follows shows more: who is there before and after, and was neither said to leave nor
to come back, did not go. Whispers, thoughts and letters stay what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.knowledge.knowing import Perceiver, Perception
from engram_desktop.domain.values import dataclass

_STRETCH = 8  # floors at most from one on which somebody is there to the next; as long as silence
AHEAD = 2 * _STRETCH  # floors after one that have a say in who was there
_SURE = 0.8  # confidence with which they are there after: told to do something, or speaking
_STAYED = 0.75  # confidence that they stayed; a choice

# What a floor does to the scene: nothing, somebody leaves whom it does not name, a new one begins.
Break = Literal["", "left", "scene"]


@dataclass(frozen=True, slots=True)
class FloorSigns:
    """What a message says of who comes and goes. ``gone`` leave in it, ``comes`` come in.

    ``is_elsewhere``: it tells of what happens where the player is not, or where nobody else is.
    """

    speaker: str
    breaks: Break = ""
    gone: frozenset[str] = frozenset()
    comes: frozenset[str] = frozenset()
    is_elsewhere: bool = False


def with_those_between(
    perceptions: Sequence[Perception], signs: Sequence[FloorSigns], player: str = ""
) -> list[Perception]:
    """Return who perceives consecutive messages, with those who were there all along.

    The ``player`` who goes on right after a scene began was there from its beginning.
    """
    found = list(perceptions)
    for floor in range(len(found) - 1) if player else ():
        here, after = signs[floor], signs[floor + 1]
        goes_on = after.speaker == player and not after.breaks and player not in after.comes
        if goes_on and here.breaks == "scene" and not here.is_elsewhere:
            found[floor] = _with(found[floor], player)
    last_seen: dict[str, int] = {}  # the last floor on which somebody was there
    for floor, perception in enumerate(perceptions):
        for person in perception.audience:
            name = person.name
            since = last_seen.get(name, floor)
            last_seen[name] = floor
            is_sure = person.confidence >= _SURE and person.how in ("there", "spoke")
            if floor - since < 2 or floor - since > _STRETCH or not is_sure:
                continue
            if name not in signs[floor].comes and _stayed(name, since, floor, perceptions, signs):
                for between in range(since + 1, floor):
                    found[between] = _with(found[between], name)
    return found


def _stayed(
    name: str, first: int, last: int, perceptions: Sequence[Perception], signs: Sequence[FloorSigns]
) -> bool:
    """Whether nothing between two floors speaks against somebody's being there."""
    if any(name in signs[floor].gone for floor in range(first, last)):
        return False
    before = {person.name for person in perceptions[first].audience}
    for floor in range(first + 1, last + 1):
        sign = signs[floor]
        if sign.breaks == "scene" or (name in sign.comes and floor < last):
            return False
        before |= {person.name for person in perceptions[floor - 1].audience}
        others = before - {name, sign.speaker}
        if sign.breaks == "left" and not _is_one_gone(others, floor, perceptions, signs):
            return False
    return True


def _is_one_gone(
    others: Collection[str],
    floor: int,
    perceptions: Sequence[Perception],
    signs: Sequence[FloorSigns],
) -> bool:
    """Whether one of these is not there any more from a floor on, or comes back later."""
    gone = set(others)
    for perception, sign in zip(
        perceptions[floor : floor + _STRETCH], signs[floor : floor + _STRETCH], strict=True
    ):
        seen = {person.name for person in perception.audience}
        if gone & seen & sign.comes:
            return True
        gone -= seen
    return bool(gone)


def _with(perception: Perception, name: str) -> Perception:
    if any(person.name == name for person in perception.audience):
        return perception
    audience = (*perception.audience, Perceiver(name, "there", _STAYED))
    return replace(perception, audience=audience, is_known=True)
