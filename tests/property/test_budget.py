"""A prompt never exceeds its budget, and its lines cost what was reckoned."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.inject import WEAK, QuotedLines, QuotedMessage, select, words_of
from engram_desktop.domain.memory.event import is_visible, story_key
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens, token_weight
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.bundled_story import STORY
from tests.factories import make_event

CTX = NullContext()
QUESTIONS = ("铜钥匙在谁手里？", "爱丽丝最怕什么", "第三天发生了什么", "酒馆", "谁在说谎？", "凯尔")


@dataclass(frozen=True)
class Priced:
    """The least that can be chosen."""

    worth: float
    cost: float


offers = st.lists(st.builds(Priced, st.floats(-12, 12), st.floats(1, 300)), max_size=40)


@given(offers, st.floats(0, 2000))
def test_a_choice_never_exceeds_its_room_and_leaves_out_only_what_does_not_fit(found, room):
    chosen = select(found, room, lambda o, left: o.cost if o.cost <= left else -1)
    used = sum(o.cost for o in chosen.taken)
    assert used <= room
    assert all(o.worth < WEAK for o in chosen.weak)
    left = room - used
    assert all(o.cost > left or left <= 6 for o in chosen.passed)
    assert len(found) == len(chosen.taken) + len(chosen.passed) + len(chosen.weak)


@given(st.lists(st.integers(-8, 12), max_size=12), st.floats(50, 500))
def test_of_two_that_cost_the_same_the_worthier_is_taken_first(worths, room):
    found = [Priced(worth, 50.0) for worth in worths]
    chosen = select(found, room, lambda o, left: o.cost if o.cost <= left else -1)
    least = min((o.worth for o in chosen.taken), default=0.0)
    assert all(o.worth <= least for o in chosen.passed)


quotes = st.lists(
    st.builds(
        QuotedMessage,
        st.integers(0, 60),
        st.sampled_from(("爱丽丝", "旅人", "")),
        st.text(alphabet="天地人好。a ", min_size=1, max_size=30),
        st.sampled_from(("3月5日", "3月6日")),
    ),
    max_size=25,
    unique_by=lambda quote: quote.floor,
)


@given(quotes)
def test_quoted_lines_hold_every_quote_once_in_order_and_cost_what_was_said(chosen):
    lines = QuotedLines(5.0)
    cost = 0.0
    for quote in chosen:
        cost += lines.cost_of(quote)
        lines.add(quote)
    made = list(lines.lines())
    floors = [quote.floor for line in made for quote in line]
    assert floors == sorted(quote.floor for quote in chosen)
    for line in made:
        assert len({quote.when for quote in line}) == 1
        for before, quote in itertools.pairwise(line):
            assert quote.floor - before.floor <= 4
    said = sum(token_weight(words_of(line)) + 5 for line in made)
    # a day is said once above all lines of it that follow one another
    said += sum(token_weight(day) for day, _ in itertools.groupby(line[0].when for line in made))
    # a mark between two quotes is taken for one token, and a nameless speaker for a colon
    assert cost == pytest.approx(said, abs=2.5 * len(chosen) + 1)


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    memory = Memory.open(tmp_path_factory.mktemp("budget"), environ={})
    memory.settings.set("keys.storage", "session")
    chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id or ""
    memory.pipeline.summarise(CTX, Line.main(chat), None, "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    yield memory, chat
    memory.close()


@given(budget=st.integers(1, 9000), question=st.sampled_from(QUESTIONS), at=st.integers(0, 158))
def test_an_injection_never_exceeds_its_budget_nor_tells_what_comes_later(
    story, budget, question, at
):
    memory, chat = story
    made = memory.inject.compose(CTX, chat, RecallQuery(question, at=at), budget, logged=False)
    assert estimate_tokens(made.text) == made.tokens <= budget
    assert all(hit.item.end_index <= at for hit in made.hits)
    ids = [hit.item.id for hit in made.hits]
    assert len(ids) == len(set(ids))
    assert not set(ids).intersection(item_id for item_id, _why in made.dropped)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), max_size=20))
def test_story_order_is_total_and_stable(rows):
    events = [
        make_event("x", start, start + length, timestamp=at, id=f"{n:03}")
        for n, (start, length, at) in enumerate(rows)
    ]
    ordered = sorted(events, key=story_key)
    assert ordered == sorted([*events[1:], *events[:1]], key=story_key)
    for one, other in itertools.pairwise(ordered):
        assert one.source_range <= other.source_range
        if one.source_range == other.source_range:
            assert one.timestamp <= other.timestamp


@given(st.booleans(), st.integers(0, 3), st.booleans())
def test_visibility_is_the_notes_rule(is_archived, level, is_recalled):
    event = make_event(
        is_archived=is_archived, status="archived" if is_archived else "buffer", level=level
    )
    recalled = {event.id} if is_recalled else set()
    assert is_visible(event, recalled) == (level >= 1 or not is_archived or is_recalled)
