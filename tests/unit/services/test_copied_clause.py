"""A clause copied from a message finds that message, however common its words are."""

from __future__ import annotations

import pytest

from engram_desktop.domain.recall.query import QUOTED, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.recall.engine import Recaller
from tests.recall_reference import Line, index_of

MAIN = (("main", None),)


def common(count=2_000):
    """A chat whose every message thanks somebody for something; three say one clause as it is."""
    said = ("thanks for the {}, it means a lot", "your {} means so much to me", "really, thanks")
    things = ("help", "advice", "support")
    lines = [
        Line(f"Ann: {said[n % 3].format(things[n % 7 % 3])}", n, speaker="Ann")
        for n in range(count)
    ]
    quoted = (
        (700, "Ann: So... Thanks for  the support!! See you."),
        (
            1_400,
            "Ann: The boats are in. Thanks for the support!! See you at the harbour in spring.",
        ),
    )
    for floor, text in quoted:
        lines[floor] = Line(text, floor, speaker="Ann")
    return lines


@pytest.mark.parametrize("limit", [10_000, 100])
def test_a_copied_clause_of_common_words_finds_its_message_first(limit):
    recaller = Recaller(index_of(common()), HashEmbedder(), lambda _branch: MAIN, exact_up_to=limit)
    hits = recaller.recall(NullContext(), RecallQuery("“thanks for the support!! see you”", 5)).hits
    assert {hit.item.start_index for hit in hits[:2]} == {700, 1_400}
    assert all(hit.why[QUOTED] > 0 for hit in hits[:2])
    assert not any(QUOTED in hit.why for hit in hits[2:])


def test_a_copied_clause_is_found_behind_hundreds_that_hold_its_words_in_another_order():
    lines = [Line(f"Ann: the support, for which thanks, {n}", n, speaker="Ann") for n in range(900)]
    lines.append(Line("Ann: I say it again: thanks for the support.", 900, speaker="Ann"))
    for limit in (10_000, 100):
        recaller = Recaller(
            index_of(lines), HashEmbedder(), lambda _branch: MAIN, exact_up_to=limit
        )
        hits = recaller.recall(NullContext(), RecallQuery("thanks for the support", 3)).hits
        assert hits[0].item.start_index == 900


def test_a_word_alone_and_a_prompt_rank_as_before():
    index = index_of(common())
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN)
    for query in (RecallQuery("support", 5), RecallQuery("See you.", 5, is_deep=True)):
        hits = recaller.recall(NullContext(), query).hits
        assert not any(QUOTED in hit.why for hit in hits)
