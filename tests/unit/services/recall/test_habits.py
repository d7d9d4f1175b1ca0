"""What a chat is like, and what that and the learned corrections change of the order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engram_desktop.domain.recall.query import ItemFilter, RecallHit, RecallQuery
from engram_desktop.domain.recall.ranking import DEFAULT, FEATURES, read_corrections
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.services.recall.fuse import KEPT, Tally, repetition
from engram_desktop.services.recall.learned import (
    FILE,
    Habits,
    Training,
    add_as_told,
    best_beside,
    sampled,
    second_round,
)
from engram_desktop.services.recall.view import RecallView
from engram_desktop.shipped import resource
from tests.recall_reference import Line, ReferenceIndex
from tests.unit.services.recall.test_engine import MAIN, index_of

ALL = ItemFilter(("turn", "event"), MAIN)
NAMES = ("旅人", "爱丽丝")


def talk(texts: Sequence[str], names: Sequence[str] = NAMES) -> list[Line]:
    speakers = [names[n % len(names)] for n in range(len(texts))]
    return [
        Line(f"{name}: {text}", n, speaker=name, is_user=name == NAMES[0])
        for n, (name, text) in enumerate(zip(speakers, texts, strict=True))
    ]


def habits_of(lines: Sequence[Line]) -> Habits:
    index = index_of(lines)
    view = RecallView(index.layout(ALL))
    items = index.items([int(i) for i in view.layout.ids[sampled(view)]])
    return Habits.of(view, list(items.values()))


def deep(index: ReferenceIndex, text: str, training: Training) -> tuple[RecallHit, ...]:
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN, training=training)
    query = RecallQuery(text, 50, ("turn",), is_deep=True)
    return recaller.recall(NullContext(), query).hits


def only(name: str, worth: float) -> Training:
    return Training(dict.fromkeys(FEATURES, 0.0) | {name: worth})


def test_a_conversation_alternates_and_notes_do_not():
    said = [f"第{n}句闲话" for n in range(40)]
    conversation, notes = habits_of(talk(said)), habits_of(talk(said, NAMES[:1]))
    assert (conversation.alternation, conversation.notes, conversation.nearness) == (1, 0, 1)
    assert (notes.alternation, notes.notes, notes.nearness) == (0, 1, 0)


def test_a_chat_without_names_and_an_empty_one_are_conversations():
    assert habits_of([Line(f"第{n}句", n) for n in range(5)]).alternation == 1
    assert habits_of([Line("乌鸦来访", 0, "event")]) == Habits()


def test_among_pages_neighbours_count_less():
    pages = habits_of(talk(["很长的一页。" * 60] * 20))
    assert pages.usual > 200
    assert pages.nearness == pytest.approx(80 / pages.usual)


def test_a_question_mark_tells_less_of_one_who_asks_in_every_message():
    habits = habits_of(talk(["这是为什么？", "因为下雨。"] * 40))
    user, other = habits.telling(np.array([True, False]))
    assert user < 0.05
    assert other == 1


def test_three_questions_are_no_habit():
    habits = habits_of(talk(["谁？", "我。"] * 3))
    assert habits.telling(np.array([True]))[0] > 0.4


def test_the_same_messages_describe_a_chat_until_it_has_grown_by_a_thirty_second():
    def rows(count: int) -> list[int]:
        lines = talk([f"第{n}句" for n in range(count)])
        return [int(row) for row in sampled(RecallView(ReferenceIndex(lines).layout(ALL)))]

    assert rows(640) == rows(655) != rows(672)
    assert len(rows(640)) == 128
    assert rows(3) == [0, 1, 2]


def test_the_best_neighbour_within_four_turns_counts_and_events_have_none():
    view = RecallView(index_of([*talk(["闲话"] * 12), Line("事件", 3, "event", 3)]).layout(ALL))
    rows = np.arange(view.size, dtype=np.intp)
    scores = np.zeros(view.size)
    scores[view.turns[5]] = 2.0
    tally = Tally(rows, {"lexical": scores, "date": np.full(view.size, 9.0)})
    found, whose = best_beside(view, tally)
    assert np.flatnonzero(found).tolist() == [int(view.turns[n]) for n in (1, 2, 3, 4, 6, 7, 8, 9)]
    add_as_told(tally, 0.5, whose)
    assert tally.legs["lexical"][view.turns[4]] == 1.0
    assert tally.legs["lexical"][view.turns[5]] == 2.0
    assert set(tally.legs["date"]) == {9.0}


def test_the_second_round_leads_over_a_name_to_what_else_is_said_of_it():
    said = ["闲话"] * 30
    said[3], said[20] = "王思琪在广州工作。", "王思琪身高一米七。"
    index = index_of(talk(said, NAMES[:1]))
    view = RecallView(index.layout(ALL))
    rows = np.arange(view.size, dtype=np.intp)
    shares = second_round(index, view, ["广州", "州工", "工作"], [(3, said[3], 5.0)], rows)
    assert shares.argmax() == 20
    assert shares[3] == pytest.approx(0)  # what it brings itself counts nothing
    assert 0 < shares[20] < 1
    hits = deep(index, "在广州工作的人", only("notes_second", 20.0))
    assert [hit.item.start_index for hit in hits[:2]] == [3, 20]
    assert hits[1].why["lexical"] > 1  # it holds no word of the question


def test_a_second_round_of_nothing_finds_nothing():
    index = index_of(talk(["一", "二"]))
    view = RecallView(index.layout(ALL))
    rows = np.arange(2, dtype=np.intp)
    assert not second_round(index, view, [], [], rows).any()
    assert not second_round(index, view, [], [(0, "一", 1.0)], rows).any()


@pytest.mark.parametrize("name", FEATURES)
def test_a_correction_is_told_as_a_leg_and_shares_add_up(name: str):
    said = [f"第{n}天下雨，王思琪有{n}把伞" for n in range(30)]
    for names in (NAMES, NAMES[:1]):
        for hit in deep(index_of(talk(said, names)), "王思琪有多少把伞？", only(name, 3.0)):
            assert set(hit.why) <= {"lexical", "vector", "moment", "asking", "speaker"}
            assert hit.score == pytest.approx(sum(hit.why.values()), abs=0.01)


def test_only_messages_are_corrected():
    lines = [*talk(["有3把伞。"] * 6, NAMES[:1]), Line("有3把伞。", 2, "event", 2)]
    recaller = Recaller(
        index_of(lines), HashEmbedder(), lambda _branch: MAIN, training=only("number", 7.0)
    )
    hits = recaller.recall(NullContext(), RecallQuery("有多少把伞", 9, is_deep=True)).hits
    assert {hit.item.kind: "moment" in hit.why for hit in hits} == {"turn": True, "event": False}


def test_training_reads_the_features_of_every_message():
    seen: list[Tally] = []
    training = Training(dict.fromkeys(FEATURES, 0.0), seen.append)
    deep(index_of(talk([f"第{n}把伞" for n in range(9)])), "哪把伞", training)
    assert set(seen[0].features) >= set(FEATURES)
    assert {values.size for values in seen[0].features.values()} == {9}


def test_the_weights_shipped_are_of_the_features_there_are():
    learned = read_corrections(resource(FILE).read_text("utf-8"))
    assert set(learned) == set(FEATURES)
    assert all(0 <= worth < 10 for worth in learned.values())
    assert DEFAULT.learned == 1


def test_what_notes_repeat_leaves_room_for_the_other_part_of_a_question():
    texts = [f"水晶音乐会在城南剧场，{word}。" for word in "甲乙丙丁戊己庚辛壬癸"]
    texts += ["铃铛归阿姨保管。"]
    texts += [f"阿姨今天走了{n}里路，铃铛响了。" for n in range(4)]
    texts += [f"天气平常，第{n}天也没有什么事。" for n in range(200)]
    asked = "水晶音乐会在城南剧场吗？铃铛归谁保管？"
    hits = deep(index_of(talk(texts, NAMES[:1])), asked, only("around", 0.0))
    place = next(n for n, hit in enumerate(hits) if "归阿姨保管" in hit.item.content)
    assert place < 8  # the first ten hits were the concert


def test_what_is_said_again_loses_its_words_and_is_not_weak_for_it():
    tally = Tally(np.arange(4), {"lexical": np.array([3.0, 2.9, 0.1, -1.0])})
    tally.held, tally.held_of = ((5.0, np.arange(4)),), 4
    loss = repetition(tally, 1.0)
    assert loss[0] == 0  # nothing better says it
    assert loss[1] == pytest.approx(5.0 * (1 - KEPT))
    assert 0 < loss[2] < 0.1  # what was worth something still is
    assert loss[3] == 0
    assert not repetition(tally, 0.0).any()  # in a conversation
