"""Cut a block of messages into scenes: where the day changes, time passes, or the talk turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.cut_messages import CutMessage, cosine, total

# Of messages that one event tells of in two or three sentences; not measured.
_CHARS_PER_SCENE = {"zh": 360, "en": 1100}
_MOST_PER_25 = 3  # events of 25 messages, which is the usual block
_SHORTEST = 4  # messages: fewer are an exchange and no scene
_WINDOW = 4  # messages on either side that are compared
_PAUSE = 4 * 3600 * 1000  # milliseconds without a message: another sitting
_HARD = 10.0  # above every cosine: a new day or sitting is always a cut


def scenes(block: Sequence[CutMessage], background: Background) -> list[tuple[int, int]]:
    """Return ranges of positions in ``lines``, both ends included, without gaps."""
    count = len(block)
    if not count:
        return []
    days = {floor for floor, _ in background.days}
    strengths = {at: _strength(block, at, days) for at in range(1, count)}
    hard = sum(1 for value in strengths.values() if value >= _HARD)
    most = max(round(count * _MOST_PER_25 / 25), min(hard + 1, count // _SHORTEST), 1)
    size = sum(len(message.text) for message in block)
    target = max(1, round(size / _CHARS_PER_SCENE[background.language]), hard + 1)
    target = min(target, most)
    cuts: list[int] = []
    for at in sorted(strengths, key=lambda at: (-strengths[at], at)):
        if len(cuts) + 1 >= target:
            break
        room = 2 if strengths[at] >= _HARD else _SHORTEST
        if all(abs(at - other) >= room for other in [0, *cuts, count]):
            cuts.append(at)
    edges = [0, *sorted(cuts), count]
    return [(a, b - 1) for a, b in pairwise(edges)]


def _strength(block: Sequence[CutMessage], at: int, days: set[int]) -> float:
    """Say how much speaks for a new scene before ``lines[at]``."""
    before, after = block[at - 1].source, block[at].source
    pause = (after.sent_at or 0) - (before.sent_at or 0) if before.sent_at else 0
    if after.seq in days or pause > _PAUSE:
        return _HARD + min(1.0, pause / 1e12)
    left = total([message.vector for message in block[max(0, at - _WINDOW) : at]])
    right = total([message.vector for message in block[at : at + _WINDOW]])
    opens = 0.15 if block[at].is_narrator else 0.0  # beside 1 - cosine; set by hand
    return 1.0 - cosine(left, right) + opens
