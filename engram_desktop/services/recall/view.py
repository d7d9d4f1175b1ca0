"""One chat's visible items as columns, with the look-ups that ranking needs. Read-only.

Made once for a version of the index and a filter, and cached: at 100,000 items building it costs
more than a search.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.query import ITEM_KINDS, Layout

_DAY_MS = 86_400_000  # milliseconds of a day
_EPOCH = date(1970, 1, 1).toordinal()
_LAST_DAY = date.max.toordinal() - _EPOCH

Rows = NDArray[np.intp]


class RecallView:
    """Visible items. Rows are positions in ``layout``; places are positions among the turns."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.size = int(layout.ids.size)
        # a table: looking up 20,000 ids for a question takes 6 ms more by bisection
        self._row_of = np.full(int(layout.ids.max(initial=0)) + 2, -1, dtype=np.intp)
        self._row_of[layout.ids] = np.arange(self.size)
        self.turns: Rows = np.flatnonzero(layout.kinds == ITEM_KINDS.index("turn"))
        self._place = np.full(self.size, -1, dtype=np.intp)
        self._place[self.turns] = np.arange(self.turns.size)

    def rows_of(self, ids: NDArray[np.int64]) -> Rows:
        """Return the rows of those ``ids`` that are visible."""
        rows = self.row_of_each(ids)
        return rows[rows >= 0]

    def places(self, rows: Rows) -> Rows:
        """Return the place of each row; -1 for an item that is no turn."""
        return self._place[rows]

    def row_of_each(self, ids: NDArray[np.int64]) -> Rows:
        """Return the row of each of ``ids``, -1 for an invisible item."""
        return self._row_of[np.minimum(ids, self._row_of.size - 1)]  # the last entry is -1

    def places_of(self, rows: Rows) -> Rows:
        """Return the places of those ``rows`` that are turns."""
        places = self._place[rows]
        return places[places >= 0]

    def distinct(self, *rows: Rows) -> Rows:
        """Return the distinct values of some ``rows``, sorted; faster than sorting them."""
        is_among = np.zeros(self.size, np.bool_)
        for some in rows:
            is_among[some] = True
        return np.flatnonzero(is_among)

    def in_prompt(self, held_from: int | None, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows a prompt holds from floor ``held_from`` on; never entities."""
        if held_from is None:
            return np.zeros(rows.size, np.bool_)
        is_entity = self.layout.kinds[rows] == ITEM_KINDS.index("entity")
        return np.asarray((self.layout.starts[rows] >= held_from) & ~is_entity, np.bool_)

    def following(self, rows: Rows) -> Rows:
        """Return, for each row, the row of the next turn; the row itself if there is none."""
        return self._stepped(rows, 1)

    def preceding(self, rows: Rows) -> Rows:
        """Return, for each row, the row of the turn before; the row itself if there is none."""
        return self._stepped(rows, -1)

    def _stepped(self, rows: Rows, step: int) -> Rows:
        places = self._place[rows]
        moved = places + step
        exists = (places >= 0) & (moved >= 0) & (moved < self.turns.size)
        out = rows.copy()
        out[exists] = self.turns[moved[exists]]
        return out

    @cached_property
    def alternation(self) -> float:
        """Return the share of turns with another speaker than the turn before; 1 if unknown."""
        speakers = self.layout.speakers[self.turns]
        known = (speakers[1:] >= 0) & (speakers[:-1] >= 0)
        return float((speakers[1:] != speakers[:-1])[known].mean()) if known.any() else 1.0

    @cached_property
    def days(self) -> tuple[tuple[date | None, ...], Rows]:
        """Return the days of sending, and for each row the index of its day (None: unknown)."""
        numbers, index = np.unique(self.layout.sent_at // _DAY_MS, return_inverse=True)
        dates = tuple(
            date.fromordinal(_EPOCH + int(n)) if 0 < n <= _LAST_DAY else None for n in numbers
        )
        return dates, index.astype(np.intp)

    @cached_property
    def today(self) -> date | None:
        """Return the day of the last message whose day is known."""
        sent_at = self.layout.sent_at[self.turns]
        dated = np.flatnonzero((sent_at >= _DAY_MS) & (sent_at < (_LAST_DAY + 1) * _DAY_MS))
        return date.fromordinal(_EPOCH + int(sent_at[dated[-1]]) // _DAY_MS) if dated.size else None
