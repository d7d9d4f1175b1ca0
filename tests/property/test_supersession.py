"""Whatever a story tells, in whatever order it is read: validity follows the tellings alone."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.graph.relations import DatedRelation, Telling, spans

WHO = ("爱丽丝", "凯尔")
WHERE = ("酒馆", "集市", "港口")
floors = st.lists(st.integers(0, 30), min_size=1, max_size=4, unique=True)


@st.composite
def stories(draw):
    """Relations of presence, of a stage, and free ones; an event for each floor told on."""
    kinds = st.sampled_from(["位于", "信任", "朋友", "敌人"])
    chosen = draw(
        st.lists(
            st.tuples(st.sampled_from(WHO), kinds, st.sampled_from(WHERE)), unique=True, max_size=8
        )
    )
    made = []
    for n, (src, predicate, dst) in enumerate(chosen):
        tellings = tuple(Telling(f, f + 2, f, f"e{f}") for f in draw(floors))
        ended = draw(st.none() | st.integers(0, 40))
        kind: EntityType = "loc" if predicate == "位于" else "char"
        made.append(DatedRelation(f"r{n}", src, predicate, dst, "char", kind, tellings, ended))
    return made


@given(stories(), st.integers(0, 40))
def test_the_future_changes_nothing_of_what_was_true_then(story, at):
    short = [
        DatedRelation(
            r.id,
            r.src,
            r.predicate,
            r.dst,
            r.src_type,
            r.dst_type,
            tuple(t for t in r.tellings if t.last <= at),
            r.ended_at if r.ended_at is not None and r.ended_at <= at else None,
        )
        for r in story
        if any(t.last <= at for t in r.tellings)
    ]
    assert spans(story, at) == spans(short)


@given(stories(), st.randoms(use_true_random=False))
def test_the_order_of_reading_does_not_matter(story, dice: random.Random):
    mixed = list(story)
    dice.shuffle(mixed)
    one, other = spans(story), spans(mixed)
    assert {k: [(s.first, s.last) for s in v] for k, v in one.items()} == {
        k: [(s.first, s.last) for s in v] for k, v in other.items()
    }


@given(stories())
def test_only_what_one_event_tells_together_is_true_together(story):
    found = spans(story)
    assert set(found) == {r.id for r in story}
    for who in WHO:
        here = [r for r in story if r.src == who and r.predicate == "位于"]
        now = [r for r in here if found[r.id][-1].last is None]
        newest = [max(r.tellings) for r in now]
        assert len({t.event_id for t in newest}) <= 1 or len(now) == 0
    for spans_of in found.values():
        for before, after in pairwise(spans_of):
            assert before.last is not None
            assert before.first is not None
            assert after.first is not None
            assert before.first <= before.last <= after.first
