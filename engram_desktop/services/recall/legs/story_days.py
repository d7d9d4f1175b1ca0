"""On which numbered day of the story an item lies: its own mark, or the last one before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engram_desktop.domain.recall.query import ITEM_KINDS
from engram_desktop.domain.recall.ranking import Rows, Scores
from engram_desktop.domain.recall.relative_time import days_back, story_days
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.view import View

_OPENING = 80  # characters of a message in which it says when it happens, rather than talks of it
_CARRIED = 0.6  # what a day counts that was said by an earlier message
_NEXT_TO = 0.3  # a day before or after, as _NEARNESS of dates has for two; not measured by itself


@dataclass(frozen=True, slots=True, eq=False)
class StoryDays:
    """``days`` by row, -1 unknown; ``own``: whether the row itself says so. ``now``: the last."""

    days: Rows
    own: np.ndarray
    now: int | None

    @classmethod
    def of(cls, view: View, texts: Sequence[tuple[int, str]]) -> StoryDays:
        days: Rows = np.full(view.size, -1, dtype=np.intp)
        is_turn = view.layout.kinds == ITEM_KINDS.index("turn")
        for item_id, text in texts:
            for row in view.rows_of(np.array([item_id], dtype=np.int64)):
                named = story_days(text[:_OPENING] if is_turn[row] else text)
                if named:
                    days[row] = named[0]
        is_own = days >= 0
        marked = np.where(days[view.turns] >= 0, np.arange(view.turns.size), -1)
        if marked.size:
            last = np.maximum.accumulate(marked)
            carried = np.where(last >= 0, days[view.turns][np.maximum(last, 0)], -1)
            days[view.turns] = carried
        known_days = days[days >= 0]
        return cls(
            days, is_own, int(days[np.flatnonzero(days >= 0)[-1]]) if known_days.size else None
        )


def asks_for_story_day(question: str) -> bool:
    return bool(story_days(question, is_question=True)) or days_back(question) is not None


def story_day_scores(question: str, story: StoryDays) -> Scores:
    """Return for every row how near it lies to a numbered day that ``question`` means."""
    scores = np.zeros(story.days.size)
    asked_days = set(story_days(question, is_question=True))
    back = days_back(question)
    if back is not None and story.now is not None:
        asked_days.add(story.now - back)
    for day in asked_days:
        same = np.where(story.own, 1.0, _CARRIED) * (story.days == day)
        beside = _NEXT_TO * (story.own & (np.abs(story.days - day) == 1))
        scores = np.maximum(scores, np.where(story.days >= 0, np.maximum(same, beside), 0.0))
    return scores
