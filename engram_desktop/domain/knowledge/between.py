"""Presence between two floors of one scene on both of which somebody was there.

If somebody leaves and nobody is named, rules that go from floor to floor only know that the speaker
is there. Later floors show more: a person who is there before and after, and was said neither to
leave nor to come back, stayed. Whispers, thoughts and letters stay private.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.knowledge.knowing import Perceiver, Perception
from engram_desktop.domain.values import dataclass

_STRETCH = 8  # most floors from one on which somebody is there to the next; as long as silence
AHEAD = 2 * _STRETCH  # following floors that influence who was there
_SURE = 0.8  # confidence of the later presence: acting or speaking
_STAYED = 0.75  # confidence that they stayed; chosen by hand

# The effect of a floor on the scene: none, an unnamed person leaves, a new scene begins.
Break = Literal["", "left", "scene"]


@dataclass(frozen=True, slots=True)
class FloorSigns:
    """What a message says about coming and going. ``gone`` leave in it, ``comes`` come in.

    ``is_elsewhere``: it happens where the player is not, or where nobody else is.
    """

    speaker: str
    breaks: Break = ""
    gone: frozenset[str] = frozenset()
    comes: frozenset[str] = frozenset()
    is_elsewhere: bool = False


def with_those_between(
    perceptions: Sequence[Perception], signs: Sequence[FloorSigns], player: str = ""
) -> list[Perception]:
    """Return who perceives consecutive messages, adding those who were there all along.

    If the ``player`` continues right after a scene began, the player was there from its beginning.
    """
    found = list(perceptions)
    for floor in range(len(found) - 1) if player else ():
        here, after = signs[floor], signs[floor + 1]
        goes_on = after.speaker == player and not after.breaks and player not in after.comes
        if goes_on and here.breaks == "scene" and not here.is_elsewhere:
            found[floor] = _with(found[floor], player)
    last_seen: dict[str, int] = {}  # the last floor on which each person was there
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
    """Return whether nothing between two floors contradicts a person's presence."""
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
    """Return whether any of these persons is absent from a floor on, or comes back later."""
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
