"""When the floors of a line happened, as a prompt says it: the story's day, else the day sent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from engram_desktop.domain.inject.days import ago_label, day_label
from engram_desktop.domain.inject.injection import Manner
from engram_desktop.domain.recall.query import ItemFilter
from engram_desktop.services.inject.prompt_lines import WORDS, cited
from engram_desktop.services.prompts.prompts import Language
from engram_desktop.storage.chat.chat_store import ChatStore


def _last(highest: int | None, now: int) -> int:
    return now if highest is None else min(highest, now)


class Calendar:
    """Labels of floors, as of the last floor that ``where`` lets through.

    Numbered days of the story (第42天) go on until the next is named. They are read for the
    curator only: who knows just a part of the story is told the day a message was sent.
    """

    def __init__(
        self, store: ChatStore, where: ItemFilter, manner: Manner, language: Language
    ) -> None:
        self._store, self._manner, self._language = store, manner, language
        self._branch_id = where.branches[0][0]
        last = store.messages.count(self._branch_id) - 1
        self.now = last if where.at is None else min(last, where.at)
        self._sent = store.messages.sent_at(self._branch_id, [self.now]) if last >= 0 else {}
        self._now_sent = self._sent.get(self.now)
        highest = dict(where.branches)
        marks = () if where.actor is not None else store.items.story_days()
        self._marks = sorted(
            (floor, day)
            for branch, floor, day in marks
            if branch in highest and floor <= _last(highest[branch], self.now)
        )

    def read(self, floors: Iterable[int]) -> None:
        """Read when these floors were sent, all at once."""
        unread = [floor for floor in floors if floor not in self._sent]
        self._sent |= dict.fromkeys(unread, 0)
        self._sent |= self._store.messages.sent_at(self._branch_id, unread)

    def note(self, floor: int, sent_at: int | None) -> None:
        """Take over when a floor was sent, where that is known already."""
        self._sent[floor] = sent_at or 0

    def label(self, floor: int) -> str:
        """Say when a floor happened, in the manner of this prompt; empty where it is not known."""
        if self._manner == "attributed":
            back = self.now - floor
            return ago_label(self._sent.get(floor), self._now_sent, back, self._language)
        return self._day(floor)

    def span(self, first: int, last: int) -> str:
        """Say when these floors happened: the days of both ends."""
        ends = dict.fromkeys(end for end in (self._day(first), self._day(last)) if end)
        return "–".join(ends)

    def now_label(self) -> str:
        """Say which floor is the present one, and its day with the year."""
        words = WORDS[self._language]
        day = self._story_day(self.now) or day_label(self._now_sent, None, self._language)
        return " · ".join(part for part in (cited(self.now, self.now, words), day) if part)

    def _day(self, floor: int) -> str:
        story_day = self._story_day(floor)
        return story_day or day_label(self._sent.get(floor), self._now_sent, self._language)

    def _story_day(self, floor: int) -> str:
        at = bisect_right(self._marks, (floor, 10**9))
        return WORDS[self._language]["day"].format(self._marks[at - 1][1]) if at else ""
