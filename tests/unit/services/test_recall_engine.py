"""The engine of recall."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

from engram_desktop.domain.errors import Unreachable
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.memory.line import Line as MemoryLine
from engram_desktop.domain.recall.lexemes import passage, query_tokens
from engram_desktop.domain.recall.query import (
    ItemFilter,
    MemoryItem,
    RecallHit,
    RecallQuery,
    StoryLinks,
)
from engram_desktop.domain.recall.ranking import DEFAULT
from engram_desktop.domain.recall.relevance import named_entities
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder, LocalEmbedder
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.services.recall.legs import RecallView, StoryGraph, graph_scores
from tests.contexts import TokenContext
from tests.factories import import_chat, make_event, story_rows
from tests.recall_reference import Line, ReferenceIndex, index_of

# Recall over a real FTS5 table and real vectors of a hashing embedder.

MAIN = (("main", None),)
MAY_4 = 1_683_158_400_000  # 2023-05-04 00:00 UTC
DAY = 86_400_000

STORY = [
    ("旅人", "月光酒馆今晚真热闹。"),
    ("爱丽丝", "把这把铜钥匙收好，别让父亲看见。"),
    ("旅人", "好的，我会放在靴子里。"),
    ("爱丽丝", "你最喜欢哪种酒？"),
    ("旅人", "我最喜欢蜂蜜酒。"),
    ("爱丽丝", "我喜欢雨后的空气。"),
    ("旅人", "明天去北门集市吧。"),
    ("爱丽丝", "集市上有卖企鹅的人。"),
    ("旅人", "企鹅住在水族馆。"),
    ("爱丽丝", "那我们改天去看。"),
]


def story(*more: Line, days_from: int = MAY_4) -> ReferenceIndex:
    turns = [
        Line(
            f"{name}: {text}",
            floor,
            speaker=name,
            is_user=name == "旅人",
            sent_at=days_from + floor * DAY,
        )
        for floor, (name, text) in enumerate(STORY)
    ]
    return index_of([*turns, *more])


def ask(index: ReferenceIndex, text: str, **about: Any) -> tuple[RecallHit, ...]:
    query = replace(RecallQuery(text, 5), **about)
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN)
    return recaller.recall(NullContext(), query).hits


def floors(hits: Sequence[RecallHit]) -> list[int]:
    return [hit.item.start_index for hit in hits]


def test_words_and_meaning_bring_the_right_turn_first_with_its_reasons():
    hits = ask(story(), "铜钥匙在哪里？")
    assert hits[0].item.start_index == 1
    assert hits[0].matched == ("铜钥匙",)
    assert set(hits[0].why) >= {"lexical", "vector"}
    assert hits[0].score == pytest.approx(sum(hits[0].why.values()), abs=0.01)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]


def test_the_answer_to_a_question_is_found_though_the_words_are_in_the_question():
    assert 4 in floors(ask(story(), "他最喜欢哪种酒", top_k=2))


def test_a_turn_that_only_asks_comes_after_one_that_says():
    index = index_of(
        [
            *(Line(f"甲: 第{n}天的闲话", n, speaker="甲") for n in range(20)),
            Line("甲: 银色的剑在哪里？", 30, speaker="甲"),
            Line("乙: 银色的剑在井底。", 50, speaker="乙"),
            *(Line(f"乙: 又是第{n}天", n, speaker="乙") for n in range(60, 80)),
        ]
    )
    assert floors(ask(index, "银色的剑"))[0] == 50


def test_a_named_speaker_is_preferred():
    index = story(
        Line("旅人: 我讨厌下雨。", 20, speaker="旅人", is_user=True),
        Line("爱丽丝: 我讨厌下雪。", 40, speaker="爱丽丝"),
    )
    assert floors(ask(index, "爱丽丝讨厌什么"))[0] == 40
    assert floors(ask(index, "旅人讨厌什么"))[0] == 20


def test_me_is_the_user_and_you_the_other_unless_somebody_else_asks():
    index = story(
        Line("旅人: 讨厌下雨。", 20, speaker="旅人", is_user=True),
        Line("爱丽丝: 讨厌下雪。", 40, speaker="爱丽丝"),
    )
    assert floors(ask(index, "我讨厌什么"))[0] == 20
    assert floors(ask(index, "你讨厌什么"))[0] == 40
    assert floors(ask(index, "我讨厌什么", actor="爱丽丝"))[0] == 40


def test_a_date_in_the_question_finds_the_day():
    hits = ask(story(), "5月12号我们说了什么", top_k=1)
    assert floors(hits) == [8]
    assert hits[0].why["date"] > 0


def test_near_repetitions_make_room_for_other_memories():
    repeated = [Line("甲: 我的猫叫小黑。", n, speaker="甲") for n in range(5)]
    index = index_of([*repeated, Line("甲: 猫今天生病了。", 9, speaker="甲")])
    assert 9 in floors(ask(index, "猫", top_k=2))
    assert len(ask(index, "猫", top_k=6)) == 6


def test_only_asked_kinds_are_ranked():
    index = story(
        Line("爱丽丝把铜钥匙交给旅人", 0, "event", 4),
        Line("铜钥匙：父亲的钥匙", 0, "entity", 0),
        Line("我不该偷铜钥匙", 1, "log", 1),
    )
    for kind in ("turn", "event", "entity", "log"):
        assert {hit.item.kind for hit in ask(index, "铜钥匙", kinds=(kind,))} == {kind}
    assert {hit.item.kind for hit in ask(index, "铜钥匙")} >= {"turn", "event", "entity", "log"}


def test_what_happened_later_is_not_seen():
    index = story(Line("爱丽丝把铜钥匙交给旅人", 0, "event", 4))
    assert floors(ask(index, "铜钥匙", at=0)) == [0]
    assert {hit.item.kind for hit in ask(index, "铜钥匙", at=3)} == {"turn"}


def test_a_secret_is_seen_by_its_owner_and_the_curator_only():
    index = story(Line("我偷了铜钥匙", 1, "log", 1, owner="爱丽丝"))
    seen = {
        actor: any(hit.item.kind == "log" for hit in ask(index, "铜钥匙", actor=actor))
        for actor in (None, "爱丽丝", "旅人")
    }
    assert seen == {None: True, "爱丽丝": True, "旅人": False}


def test_a_branch_sees_its_own_turns_and_its_ancestors_up_to_the_fork():
    index = story(Line("旅人: 铜钥匙掉进河里了。", 4, branch="fork", speaker="旅人"))
    paths = {"main": MAIN, "fork": (("fork", None), ("main", 3))}
    recaller = Recaller(index, HashEmbedder(), paths.__getitem__)

    def seen(branch: str) -> set[tuple[str, int]]:
        query = RecallQuery("铜钥匙 企鹅 水族馆", 20, branch_id=branch)
        hits = recaller.recall(NullContext(), query).hits
        return {(hit.item.branch_id, hit.item.start_index) for hit in hits}

    assert seen("main") == {("main", n) for n in range(10)}
    assert seen("fork") == {("fork", 4), *(("main", n) for n in range(4))}


def test_writes_are_noticed():
    index = story()
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN)
    query = RecallQuery("水晶球", 1)
    assert "水晶球" not in recaller.recall(NullContext(), query).hits[0].item.content
    (added,) = index.add([Line("爱丽丝: 水晶球碎了。", 10, speaker="爱丽丝")])
    assert recaller.recall(NullContext(), query).hits[0].item.id == added
    index.remove(added)
    assert recaller.recall(NullContext(), query).hits[0].item.id != added


class VanishingIndex(ReferenceIndex):
    """Loses an item after it was listed and before it is read."""

    @override
    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        found = super().items(ids)
        found.pop(2, None)
        return found


def test_an_item_deleted_meanwhile_is_left_out():
    index = VanishingIndex([Line(f"甲: 铜钥匙{n}", n, speaker="甲") for n in range(5)])
    hits = ask(index, "铜钥匙")
    assert {hit.item.id for hit in hits} == {1, 3, 4, 5}


class DeadEndpoint(HashEmbedder):
    @override
    def embed(self, texts, ctx, *, query=False):
        raise Unreachable(url="http://127.0.0.1:9")


def test_words_still_find_what_no_vector_can_and_the_result_says_so():
    recaller = Recaller(story(), DeadEndpoint(), lambda _branch: MAIN)
    result = recaller.recall(NullContext(), RecallQuery("铜钥匙", 3))
    assert result.hits[0].item.start_index == 1
    assert result.degraded == ("embedding",)


def test_items_without_vectors_are_found_by_their_words():
    lines = [Line(f"甲: {text}", n, speaker="甲") for n, text in enumerate(("铜钥匙", "雨", "海"))]
    assert floors(ask(ReferenceIndex(lines), "铜钥匙"))[0] == 0


@pytest.mark.parametrize("text", ["", "  \n ", "？！", "🙂", "\x00", "a" * 10_000, "钥" * 10_000])
def test_odd_questions_are_answered(text: str):
    assert isinstance(ask(story(), text), tuple)


def test_nothing_is_found_in_an_empty_chat_or_for_no_question():
    assert ask(index_of([]), "铜钥匙") == ()
    assert ask(story(), "") == ()
    assert ask(story(), "铜钥匙", top_k=0) == ()
    assert ask(story(), "铜钥匙", kinds=()) == ()


def test_the_same_question_gets_the_same_answer():
    index = index_of([Line("甲: 一样的话", n, speaker="甲") for n in range(30)])
    first = ask(index, "一样的话", top_k=10)
    assert floors(first) == floors(ask(index, "一样的话", top_k=10))
    assert [hit.score for hit in first] == sorted((hit.score for hit in first), reverse=True)


def test_a_cancelled_recall_stops():
    ctx = TokenContext()
    ctx.token.cancel()
    recaller = Recaller(story(), HashEmbedder(), lambda _branch: MAIN)
    with pytest.raises(Cancelled):
        recaller.recall(ctx, RecallQuery("铜钥匙"))


def test_candidates_of_a_large_chat_rank_as_the_whole_would():
    lines = [
        Line(f"{'甲乙'[n % 2]}: 第{n}天，{STORY[n % 10][1]}", n, speaker="甲乙"[n % 2])
        for n in range(2_000)
    ]
    index = index_of(lines)
    query = RecallQuery("第1234天谁去了水族馆", 5)
    exact, quick = (
        floors(
            Recaller(index, HashEmbedder(), lambda _branch: MAIN, exact_up_to=limit)
            .recall(NullContext(), query)
            .hits
        )
        for limit in (10_000, 100)
    )
    assert exact[0] == quick[0]
    assert len(set(exact) & set(quick)) >= 4


def test_what_was_said_first_answers_how_it_began():
    lines = [Line(f"甲: 第{n}件小事，{STORY[n % 10][1]}", n, speaker="甲") for n in range(200)]
    recaller = Recaller(index_of(lines), HashEmbedder(), lambda _branch: MAIN)
    result = recaller.recall(NullContext(), RecallQuery("还记得我们第一次见面吗？", 5))
    assert max(hit.item.start_index for hit in result.hits) < 16
    assert all(hit.why["date"] > 0 for hit in result.hits)
    assert result.is_related


@pytest.mark.parametrize("whole", [10_000, 100])
def test_a_deep_search_gives_as_many_as_asked_in_order_with_near_repetitions(whole: int):
    lines = [
        Line(f"甲: 第{n}天，{STORY[n % 10][1]}", n, speaker="甲", ref=f"m{n}") for n in range(1_200)
    ]
    index = index_of(lines)
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN, exact_up_to=whole)
    gone = frozenset({"m1"})
    result = recaller.recall(NullContext(), RecallQuery("铜钥匙", 400, is_deep=True, visible=gone))
    assert len(result.hits) == 400
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert all("铜钥匙" in hit.item.content for hit in result.hits[:40])
    assert [bool(hit.matched) for hit in result.hits[:9]] == [True] * 8 + [False]
    assert 100 <= len(result.candidates) <= 102
    assert [c.item.ref for c in result.candidates if c.dropped == "visible"] == ["m1"]


def test_entities_lead_to_their_events_and_the_turns_those_tell_of():
    index = story(
        Line("一次交付", 0, "event", 2),
        Line("一次出游", 6, "event", 9),
        Line("父亲的东西", 0, "entity", 0, ref="e-key"),
    )
    index.link(
        {"那把旧钥匙": "e-key", "小爱": "e-alice"},
        StoryLinks((("e-key", 11), ("e-alice", 11), ("e-alice", 12), ("e-key", 13))),
    )
    hits = ask(index, "那把旧钥匙后来怎么样了", kinds=("event", "entity"), top_k=3)
    shares = {hit.item.content: hit.why.get("graph", 0.0) for hit in hits}
    assert shares["一次交付"] > shares["一次出游"]
    assert shares["父亲的东西"] > shares["一次出游"]
    turns = ask(index, "那把旧钥匙后来怎么样了", kinds=("turn", "event"), top_k=20)
    linked = {
        hit.item.start_index for hit in turns if hit.item.kind == "turn" and "graph" in hit.why
    }
    assert linked >= {0, 1, 2}


def test_hits_are_whole_numbers_and_plain_floats():
    hit = ask(story(), "铜钥匙")[0]
    assert type(hit.score) is float
    assert {type(share) for share in hit.why.values()} == {float}
    assert type(hit.item.id) is int
    assert not any(np.isnan(share) for share in hit.why.values())
    figures = [hit.score, *hit.why.values()]
    assert figures == [round(figure, 3) for figure in figures], "thousandths are shown"
    assert figures != [round(figure, 2) for figure in figures]


def everything(index: ReferenceIndex, text: str, reranker=None, **about: Any):
    query = replace(RecallQuery(text, 5), **about)
    recaller = Recaller(index, HashEmbedder(), lambda _branch: MAIN, reranker=reranker)
    return recaller.recall(NullContext(), query)


def test_every_candidate_says_its_places_and_why_it_is_not_among_the_hits():
    twice = Line("爱丽丝: 把这把铜钥匙收好，别让父亲看见。", 30, speaker="爱丽丝")
    found = everything(story(twice), "铜钥匙在哪里？", top_k=2)
    assert [c.rank for c in found.candidates if c.dropped is None] == [1, 2]
    assert len(found.candidates) == 11
    scores = [c.score for c in found.candidates]
    assert scores == sorted(scores, reverse=True)
    reasons = {c.item.start_index: c.dropped for c in found.candidates}
    assert {reasons[1], reasons[30]} == {None, "duplicate"}
    assert list(reasons.values()).count("below") == 8
    first = found.candidates[0]
    assert first.ranks["lexical"] == 1
    assert first.why == found.hits[0].why
    assert set(found.steps) == {"open", "embed", "words", "meaning", "choose"}


def test_a_muted_memory_never_comes_back_and_is_said_to_be_muted():
    index = story(Line("爱丽丝: 铜钥匙在井里。", 30, speaker="爱丽丝", is_muted=True))
    found = everything(index, "铜钥匙在井里吗？", top_k=5)
    assert 30 not in floors(found.hits)
    assert len(found.hits) == 5
    assert {c.item.start_index for c in found.candidates if c.dropped == "muted"} == {30}


class LongestFirst:
    """A reranker with a taste of its own, which can fail."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def rerank(self, query, texts, ctx):
        if self.error is not None:
            raise self.error
        return [(n, float(len(text))) for n, text in enumerate(texts)]


def test_a_reranker_orders_the_short_list_and_says_so():
    words = ["".join(chr(0x5000 + 97 * n + k) for k in range(4 * n)) for n in range(12)]
    lines = [Line(f"爱丽丝: 铜钥匙{said}", n, speaker="爱丽丝") for n, said in enumerate(words)]
    plain = everything(index_of(lines), "铜钥匙很旧", top_k=3)
    found = everything(index_of(lines), "铜钥匙很旧", LongestFirst(), top_k=3)
    assert floors(found.hits) == [11, 10, 9] != floors(plain.hits)
    assert found.hits[0].why["rerank"] > 0
    assert found.hits[0].score == pytest.approx(sum(found.hits[0].why.values()), abs=0.01)
    put_back = {c.item.start_index for c in found.candidates if c.dropped == "rerank"}
    assert put_back == set(floors(plain.hits)) - {11, 10, 9}


def test_a_reranker_that_fails_is_done_without():
    plain = everything(story(), "铜钥匙在哪里？")
    found = everything(story(), "铜钥匙在哪里？", LongestFirst(Unreachable("no", url="http://h")))
    assert found.hits == plain.hits
    assert found.degraded == ("rerank",)


def test_context_finds_what_the_question_does_not_name_and_counts_less():
    alone = everything(story(), "她后来怎么样了", top_k=3)
    helped = everything(story(), "她后来怎么样了", top_k=3, context=("企鹅住在哪里",))
    assert 8 in floors(helped.hits)
    assert any("context" in hit.why for hit in helped.hits)
    assert not any("context" in hit.why for hit in alone.hits)


class Counting(HashEmbedder):
    def __init__(self):
        super().__init__()
        self.embedded: list[str] = []

    @override
    def embed(self, texts, ctx, *, query=False):
        self.embedded += texts
        return super().embed(texts, ctx, query=query)


def test_no_text_is_embedded_twice_in_a_row_and_the_answer_is_the_same():
    embedder = Counting()
    recaller = Recaller(story(), embedder, lambda _branch: MAIN)
    turns = ("企鹅住在哪里", "明天去集市吧")
    query = RecallQuery("铜钥匙在哪里？", 5, context=turns)
    first = recaller.recall(NullContext(), query)
    asked = len(embedder.embedded)
    assert recaller.recall(NullContext(), query).hits == first.hits
    assert len(embedder.embedded) == asked
    next_query = replace(query, text="蜂蜜酒在哪里？", context=(*turns, "铜钥匙在哪里？"))
    found = recaller.recall(NullContext(), next_query)
    assert len(embedder.embedded) == len(set(embedder.embedded)) > asked
    fresh = Recaller(story(), HashEmbedder(), lambda _branch: MAIN)
    assert found.hits == fresh.recall(NullContext(), next_query).hits


def test_freshness_moves_scores_by_a_tenth_at_most_towards_the_newest():
    weights = replace(DEFAULT, freshness=0.1)
    recaller = Recaller(story(), HashEmbedder(), lambda _branch: MAIN, weights=weights)
    moved = recaller.recall(NullContext(), RecallQuery("集市上的企鹅", 10))
    plain = everything(story(), "集市上的企鹅", top_k=10)
    before = {hit.item.start_index: hit.score for hit in plain.hits}
    last = 9
    for hit in moved.hits:
        place = hit.item.start_index / last
        was = before[hit.item.start_index]
        assert hit.score == pytest.approx(was + abs(was) * 0.1 * (2 * place - 1), abs=0.01)


def test_a_relative_day_is_told_from_the_moment_of_asking():
    asked = everything(story(), "昨天说了什么", top_k=1)
    assert floors(asked.hits) == [8]
    assert asked.hits[0].why["date"] == pytest.approx(5.0)
    assert floors(everything(story(), "昨天说了什么", top_k=1, at=5).hits) == [4]
    assert floors(everything(story(), "three days ago, what?", top_k=1).hits) == [6]


def days_story() -> ReferenceIndex:
    said = [
        "第3天 清晨，众人出发。",
        "走了很久。",
        "第5天，下雨。",
        "躲在洞里。",
        "Day 7. 天晴了。",
        "赶路。",
    ]
    lines = [Line(f"旁白: {text}", n, speaker="旁白") for n, text in enumerate(said)]
    event = Line("乌鸦来访。\n第5天 深夜", 2, "event", 3)
    return index_of([*lines, event])


def test_a_numbered_day_is_found_by_its_mark_in_messages_and_events_alike():
    turns = everything(days_story(), "第五天怎么了", kinds=("turn",), top_k=2)
    assert floors(turns.hits) == [2, 3]
    assert turns.hits[0].why["date"] > turns.hits[1].why["date"] > 0
    (event,) = everything(days_story(), "What happened on day 5?", kinds=("event",)).hits
    assert event.why["date"] == pytest.approx(5.0)


def test_days_ago_count_in_the_story_too():
    found = everything(days_story(), "两天前呢", kinds=("turn",), top_k=2)
    assert floors(found.hits) == [2, 3]
    assert "date" not in everything(days_story(), "下雨", kinds=("turn",)).hits[0].why


# Lists, dice and states: lines that differ in a word or a number, one of which is asked for.

_DIGITS = "零一二三四五六七八九"
_GOODS = ("干粮", "绳索", "火把", "箭矢", "药水")
_CHAT = ("好的，继续。", "我们去别处看看。", "然后呢？", "这里有点冷。")
_ASKED = ("{}", "你还记得{}吗？", "When was it: {}")


def roll(dice: random.Random, _n: int) -> str:
    end = dice.choice(("hit", "miss"))
    return f"Roll {dice.randint(1, 20)} + {dice.randint(1, 6)} against {dice.randint(8, 18)}: {end}"


def throw(dice: random.Random, _n: int) -> str:
    end = dice.choice(("成功", "失败"))
    return f"掷骰：{dice.randint(1, 20)}+{dice.randint(1, 6)}，对抗{dice.randint(8, 18)}，{end}"


def entry(_dice: random.Random, n: int) -> str:
    number = _DIGITS[n // 10 % 10] + _DIGITS[n % 10]
    return f"清单第{number}项：已经准备好了{n // 100}个{_GOODS[n % 5]}"


def state(dice: random.Random, _n: int) -> str:
    place = dice.choice(("酒馆", "集市", "码头"))
    points = f"HP {dice.randint(1, 100)}/100 MP {dice.randint(1, 50)}/50"
    return f"{points} 好感度 {dice.randint(0, 99)} 位置 {place}"


def recaller_of(lines: list[str]) -> Recaller:
    said = [f"爱丽丝: {text}" for text in lines]
    passages = [
        passage(text, ("爱丽丝",), before) for text, before in zip(said, ["", *said], strict=False)
    ]
    embedder = LocalEmbedder()
    rows = embedder.embed_passages(passages, NullContext())
    index = ReferenceIndex([Line(t, n, speaker="爱丽丝") for n, t in enumerate(said)], rows)
    return Recaller(index, embedder, lambda _branch: (("main", None),))


@pytest.mark.parametrize("is_mixed", [False, True], ids=["in a row", "among talk"])
@pytest.mark.parametrize("make", [roll, throw, entry, state])
def test_the_very_line_asked_for_is_among_ten_of_many_like_it(make, is_mixed):
    dice = random.Random(1)
    wanted = list(dict.fromkeys(make(dice, n) for n in range(300)))[:200]
    lines = [
        text for line in wanted for text in ([dice.choice(_CHAT)] if is_mixed else []) + [line]
    ]
    recaller = recaller_of(lines)
    missed = []
    for line in dice.sample(wanted, 20):
        for form in _ASKED:
            query = RecallQuery(form.format(line), 10, ("turn",))
            found = [hit.item.content for hit in recaller.recall(NullContext(), query).hits]
            if f"爱丽丝: {line}" not in found:
                missed.append(query.text)
    assert missed == []


# The walk over entities, and the columns it lands on.

EVERYTHING = ItemFilter(("turn", "event", "entity", "log"), (("main", None),))


def test_aliases_are_found_in_any_spelling_longest_first():
    aliases = {"月光酒馆": "place", "酒馆": "other", "alice": "her", "a": "letter"}
    assert named_entities("ＡＬＩＣＥ在月光酒馆", aliases) == {
        "place": "月光酒馆",
        "her": "alice",
        "other": "酒馆",
    }
    assert named_entities("malice", aliases) == {}


def test_a_rare_entity_says_more_than_a_hub():
    links = StoryLinks((("hub", 1), ("hub", 2), ("hub", 3), ("hub", 4), ("rare", 3)))
    graph = StoryGraph.of(links)
    both = graph.item_scores({"hub": "", "rare": ""})
    assert int(np.argmax(both)) == 2
    assert graph.item_scores({"hub": ""}).max() < graph.item_scores({"rare": ""}).max()


def test_a_relation_leads_one_step_further():
    links = StoryLinks((("key", 1), ("tavern", 2), ("sea", 3)), (("key", "藏在", "tavern"),))
    scores = StoryGraph.of(links).item_scores({"key": ""})
    assert scores[0] > scores[1] > scores[2] == 0


def test_unknown_entities_and_empty_graphs_score_nothing():
    assert StoryGraph.of(StoryLinks()).item_scores({"x": ""}).tolist() == []
    links = StoryLinks((("key", 1),), (("key", "", "key"),))
    assert StoryGraph.of(links).item_scores({"x": ""}).tolist() == [0.0]
    assert StoryGraph.of(StoryLinks((), (("a", "", "b"),))).item_scores({"a": ""}).tolist() == []


def test_a_view_knows_rows_turns_and_days():
    index = ReferenceIndex(
        [
            Line("甲: 一", 0, speaker="甲", sent_at=86_400_000),
            Line("事件", 0, "event", 1),
            Line("乙: 二", 1, speaker="乙", sent_at=10**18),
            Line("甲: 三", 5, speaker="甲", sent_at=86_400_001),
        ]
    )
    view = RecallView(index.layout(EVERYTHING))
    assert view.rows_of(np.array([4, 99, 1])).tolist() == [3, 0]
    assert view.turns.tolist() == [0, 2, 3]
    assert view.following(np.array([0, 1, 2, 3])).tolist() == [2, 1, 3, 3]
    assert view.preceding(np.array([0, 1, 2, 3])).tolist() == [0, 1, 0, 2]
    assert view.row_of_each(np.array([4, 99, 1])).tolist() == [3, -1, 0]
    days, which = view.days
    assert [str(days[day]) for day in which] == ["1970-01-02", "None", "None", "1970-01-02"]


def test_hidden_items_take_no_part():
    index = ReferenceIndex(
        [
            Line("事件", 0, "event", 1),
            Line("甲: 一", 0, speaker="甲"),
            Line("秘密", 0, "log", 0, owner="甲"),
        ]
    )
    graph = StoryGraph.of(StoryLinks((("key", 1), ("key", 3))))
    where = ItemFilter(("turn", "event", "log"), (("main", None),), actor="乙")
    event, turn = graph_scores(graph, RecallView(index.layout(where)), {"key": ""})
    assert 0 < turn == event / 2


def test_who_is_meant_by_a_relation_the_question_names_comes_first():
    mentions = (("alice", 1), ("alice", 2), ("alice", 3), ("master", 4), ("other", 5))
    links = StoryLinks(mentions, (("alice", "师父", "master"), ("alice", "讨厌", "other")))
    graph = StoryGraph.of(links)
    asked = frozenset(query_tokens("爱丽丝的师父住在哪里？"))
    assert graph.meant({"alice": ""}, asked) == {"master"}
    hop = graph.item_scores({"alice": "爱丽丝"}, asked)
    plain = graph.item_scores({"alice": "爱丽丝"}, frozenset(query_tokens("爱丽丝住在哪里？")))
    assert hop.argmax() == 3  # what tells of the master alone
    assert plain.argmax() != 3
    assert hop[4] < hop[0]  # whom nothing of the question means stays behind her own memories


def test_a_relation_that_says_nothing_leads_nowhere():
    graph = StoryGraph.of(StoryLinks((("a", 1), ("b", 2)), (("a", "对话", "b"),)))
    assert graph.meant({"a": ""}, frozenset(query_tokens("他们对话了吗"))) == set()


# A second hop counts where the question needs it: who is meant by a relation it names.

CTX = NullContext()


def event(summary, floor, *names, relation=None):
    entities = tuple(ExtractedEntity(name, "char") for name in names)
    relations = (ExtractedRelation(*relation),) if relation else ()
    data = PlotExtraction(summary, entities=entities, relations=relations)
    return make_event(summary, floor, floor + 1, raw_data=data)


def test_the_master_of_somebody_is_found_by_what_is_told_of_the_master(open_memory, tmp_path):
    memory = open_memory(**{"embed.local": "use"})
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    store = memory.session.chat(chat)
    told = [
        event(
            "林晚拜老陈为师，从此称他师父。", 0, "林晚", "老陈", relation=("林晚", "师父", "老陈")
        ),
        event("老陈在北边的灯塔里度过了整个冬天。", 2, "老陈"),
        *[event(f"林晚在集市上买下第{n}件旧货。", 4 + n * 2, "林晚") for n in range(12)],
        *[event(f"众人谈起第{n}场雨。", 30 + n * 2, "众人") for n in range(12)],
    ]
    with store.database.writing():
        store.events.add(told, 1)
    memory.pipeline.consolidate(CTX, MemoryLine.main(chat))
    memory.index.embed_pending(CTX, chat)

    def place(text):
        hits = memory.recall.ask(CTX, chat, RecallQuery(text, 10, kinds=("event",))).hits
        return next((h.rank for h in hits if "灯塔" in h.item.content), 99)

    assert place("林晚的师父过得怎么样？") <= 2
    assert place("林晚的旧货") > 2


def test_a_copied_clause_of_a_secret_is_nobody_elses():
    index = story(Line("爱丽丝: 其实我就是那个失踪的公主。", 20, speaker="爱丽丝", owner="爱丽丝"))
    text = "其实我就是那个失踪的公主"
    assert floors(ask(index, text, actor="旅人")).count(20) == 0
    assert floors(ask(index, text))[0] == 20
