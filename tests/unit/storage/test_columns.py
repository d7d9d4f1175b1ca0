"""Which items a branch lets through, from columns alone."""

from __future__ import annotations

import numpy as np

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, Layout
from engram_desktop.storage.chat.recall.columns import Columns

TURN, EVENT, ENTITY = (ITEM_KINDS.index(kind) for kind in ("turn", "event", "entity"))


def columns(*rows):
    """Columns of (kind, branch, last floor)."""
    kinds, branches, ends = zip(*rows, strict=True)
    names = tuple(dict.fromkeys(branches))
    count = len(rows)
    nothing = np.zeros(count, np.bool_)
    layout = Layout(
        np.arange(count),
        np.array(kinds, np.int8),
        np.array(ends),
        np.array(ends),
        np.full(count, -1, np.int32),
        nothing,
        np.zeros(count, np.int64),
        nothing,
    )
    return Columns(layout, np.array([names.index(b) for b in branches], np.int32), nothing, names)


def seen(some, *branches, at=None, kinds=("turn", "event", "entity")):
    return np.flatnonzero(some.visible(ItemFilter(kinds, branches, at))).tolist()


STORY = columns(
    (TURN, "main", 0), (EVENT, "main", 9), (ENTITY, "main", 9), (TURN, "b", 10), (ENTITY, "b", 10)
)


def test_a_branch_sees_its_own_and_what_came_before_the_fork():
    assert seen(STORY, ("main", None)) == [0, 1, 2]
    assert seen(STORY, ("b", None), ("main", 8)) == [0, 3, 4]
    assert seen(STORY, ("b", None), ("main", 9)) == [0, 1, 3, 4]


def test_what_is_known_of_an_entity_is_the_branch_s_own():
    """A branch that has no item yet knows of none, and not of those of whichever came first."""
    assert seen(STORY, ("new", None), ("main", 9)) == [0, 1]
    assert seen(STORY, ("nowhere", None)) == []


def test_floors_and_kinds_are_kept_to():
    assert seen(STORY, ("main", None), at=8) == [0]
    assert seen(STORY, ("main", None), kinds=("event",)) == [1]
