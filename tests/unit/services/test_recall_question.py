"""What a question tells recall."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from engram_desktop.domain.errors import BadAnswer
from engram_desktop.domain.recall import relevance
from engram_desktop.domain.recall.lexemes import passage, query_texts, without_names
from engram_desktop.domain.recall.query import ItemFilter, Layout, RecallHit, RecallQuery
from engram_desktop.domain.recall.ranking import DEFAULT, FEATURES, read_corrections
from engram_desktop.domain.recall.relative_time import NamedDate, named_dates, nearness
from engram_desktop.domain.recall.relevance import points_back
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.places import resource
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.services.recall.learned import (
    FILE,
    KEPT,
    Habits,
    Tally,
    Training,
    add_scores_of,
    best_beside,
    repetition,
    sampled,
    second_round,
)
from engram_desktop.services.recall.legs import RecallView
from engram_desktop.services.recall.searching import read_expansion
from tests.factories import import_embedded, model_at, set_all
from tests.fake_openai import FakeOpenAI
from tests.recall_reference import Line, ReferenceIndex, index_of
from tests.unit.services.test_recall_engine import MAIN

# What a chat is like, and what that and the learned corrections change of the order.

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
    add_scores_of(tally, 0.5, whose)
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


# What the wording of questions and answers gives away.


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("你给了我什么建议？", "you"),
        ("我给你的剑在哪里？", "me"),
        ("你还记得我送的礼物吗？", "me"),
        ("我向你请教过放松的方法，你推荐了什么？", "you"),
        ("I once told you about a film. What was its name?", "me"),
        ("Can you tell me which city you recommended?", "you"),
        ("告诉我，旅人住在哪里", None),
        ("你推荐过哪些书？", "you"),
        ("我的生日是几号", "me"),
        ("Which books did you recommend?", "you"),
        ("What is my favourite song?", "me"),
        ("Where does Anna live?", None),
        ("Miami", None),
        ("你还记得我们第一次见面吗？", None),
        ("咱们去过哪座灯塔？", None),
    ],
)
def test_voice_follows_the_pronouns(question: str, expected: str | None):
    assert relevance.voice(question) == expected


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("你喜欢什么？", 1.0),
        ("我喜欢猫。", 0.0),
        ("", 0.0),
        ("(歪头)真的吗？", 0.666),
        ("Nice! How was the trip?", 0.75),
    ],
)
def test_asking_share_measures_questions(text: str, share: float):
    assert relevance.asking_share(text) == pytest.approx(share, abs=0.05)


def test_moments_are_asked_for_and_named():
    assert relevance.asks_when("When did she leave?")
    assert relevance.asks_when("她什么时候走的")
    assert not relevance.asks_when("她为什么走")
    assert relevance.names_moment("We met last week")
    assert relevance.names_moment("昨晚下雨了")
    assert not relevance.names_moment("she smiled")


def test_speakers_are_named_by_name_first_name_or_alias():
    names = ("John Smith", "爱丽丝", "我", "Ann")
    assert relevance.named_speakers("what did john say", names) == {"John Smith"}
    assert relevance.named_speakers("爱丽丝说过什么", names) == {"爱丽丝"}
    assert relevance.named_speakers("我说过什么", names) == frozenset()
    assert relevance.named_speakers("the annual fair", names) == frozenset()
    aliases = {"小爱": "e1", "爱丽丝": "e1", "村长": "e2"}
    assert relevance.named_speakers("小爱喜欢什么", names, aliases) == {"爱丽丝"}
    assert relevance.named_speakers("村长喜欢什么", names, aliases) == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 7 May 2023", (NamedDate(5, 7, 2023),)),
        ("the 1st of September, 2023?", (NamedDate(9, 1, 2023),)),
        (
            "October 13, 2023 and October 14, 2023",
            (NamedDate(10, 13, 2023), NamedDate(10, 14, 2023)),
        ),
        ("in June 2022", (NamedDate(6, None, 2022),)),
        ("5月4号不是我的生日", (NamedDate(5, 4),)),
        ("2023年5月4日", (NamedDate(5, 4, 2023),)),
        ("2023-05-04", (NamedDate(5, 4, 2023),)),
        ("三月", ()),
        ("13月40日", ()),
        ("you may 4 times", (NamedDate(5, 4),)),
        ("yesterday", ()),
        ("1.2.3", ()),
    ],
)
def test_dates_written_out_are_read(text: str, expected: tuple[NamedDate, ...]):
    assert named_dates(text) == expected


def test_nearness_falls_with_days_and_knows_leap_days():
    named = NamedDate(5, 7, 2023)
    assert [nearness(named, date(2023, 5, d)) for d in (7, 8, 9, 11)] == [1.0, 0.6, 0.3, 0.0]
    assert nearness(NamedDate(5, 7), date(1999, 5, 6)) == 0.6
    assert nearness(NamedDate(5, None, 2023), date(2023, 5, 30)) == 0.5
    assert nearness(NamedDate(5, None, 2023), date(2022, 5, 30)) == 0.0
    assert nearness(NamedDate(2, 29), date(2023, 2, 28)) == 0.0
    assert nearness(NamedDate(2, 30, 2024), date(2024, 2, 28)) == 0.0


def test_speakers_names_are_not_embedded():
    names = ("爱丽丝", "Bob", "我")
    assert passage("爱丽丝: 我把钥匙给Bob了", names).joined == "我把钥匙给 了"
    assert without_names("Bob's key, bobbing", names) == "key, bobbing"
    assert passage("Bob: yes", names, "爱丽丝: 你拿了钥匙吗？").joined == "你拿了钥匙吗？ yes"
    assert passage("Bob: ", names).joined == ""


def test_the_turn_before_is_kept_by_its_end():
    text = passage("b: 好", ("a", "b"), "aa: " + "前" * 900 + "钥匙呢？").joined
    assert text.endswith("钥匙呢？ b: 好")
    assert len(text) < 300


def test_a_question_is_compared_by_clauses():
    names = ("小林",)
    assert query_texts("今天天气真好。对了，小林的钥匙放在哪里了？", names) == [
        "今天天气真好。",
        "对了， 的钥匙放在哪里了？",
    ]
    assert query_texts("小林", names) == ["小林"]
    assert query_texts("  ", names) == []
    assert len(query_texts("第一句话。第二句话。第三句话。第四句话。第五句话。", names)) == 4


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("你还记得我们第一次对话的时候，聊了什么话题吗？", True),
        ("还记得我们第一次见面吗", True),
        ("Do you remember what we talked about during our first conversation?", True),
        ("How did we meet?", True),
        ("那是他第一次喝酒", False),
        ("What was the first game I bought?", False),
    ],
)
def test_questions_about_how_it_began(question, expected):
    assert relevance.asks_for_beginning(question) == expected


# What a question leaves to the conversation, with a model and without; and the reranker.

CTX = NullContext()
ROWS = [
    ("旅人", "铜匠今天关门了。"),
    ("爱丽丝", "莉莉丝在钟楼顶上养了三只乌鸦。"),
    ("旅人", "北门的集市卖蜂蜜酒。"),
    ("爱丽丝", "父亲的书房锁着。"),
    ("旅人", "码头的船天亮就走。"),
    ("爱丽丝", "你见过莉莉丝的乌鸦吗？"),
]


@pytest.fixture
def chat(memory, tmp_path):
    return import_embedded(memory, tmp_path / "故事.jsonl", ROWS)


def ask_model(memory, server):
    set_all(memory, model_at(server.url))


def answering(value):
    return FakeOpenAI(answer=lambda _body: json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize(
    "question",
    ["那件事后来怎么样了", "她呢？", "后来呢", "它在哪里", "What happened then?", "Where is it?"],
)
def test_some_questions_say_nothing_by_themselves(question):
    assert points_back(question)


@pytest.mark.parametrize(
    "question",
    [
        "他最喜欢哪种酒",
        "那把铜钥匙呢",
        "爱丽丝后来去哪了",
        "Did he find the penguin?",
        "铜钥匙",
        "",
    ],
)
def test_a_question_that_names_something_stands_alone(question):
    assert not points_back(question)


def test_without_a_model_the_recent_turns_say_what_is_meant(memory, chat):
    found = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？", top_k=2))
    assert 1 in [hit.item.start_index for hit in found.hits]
    assert any("乌鸦" in said for said in found.searched)
    assert found.degraded == ()
    past = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？", top_k=2, at=0))
    assert not any("乌鸦" in said for said in past.searched)


def test_a_question_that_stands_alone_is_asked_as_it_stands(memory, chat):
    found = memory.recall.ask(CTX, chat, RecallQuery("蜂蜜酒在哪里卖？"))
    assert found.searched == ()
    assert found.hits[0].item.start_index == 2


def test_a_model_says_what_to_look_for_and_its_cost_is_kept(memory, chat):
    said = {"query": ["钟楼顶上的乌鸦"], "output": "莉莉丝的乌鸦后来怎么样了？"}
    with answering(said) as server:
        ask_model(memory, server)
        query = RecallQuery("它们后来怎么样了？", top_k=2)
        found = memory.recall.ask(CTX, chat, query, expanded=True)
        asked = server.bodies()[0]["messages"][1]["content"]
        plain = memory.recall.ask(CTX, chat, query)
    assert found.hits[0].item.start_index == 1
    assert found.searched == ("钟楼顶上的乌鸦", said["output"])
    assert found.output == said["output"]
    assert "你见过莉莉丝的乌鸦吗" in asked
    assert "它们后来怎么样了" in asked
    assert plain.output == ""
    assert len(server.bodies()) == 1
    store = memory.session.chat(chat)
    assert store.database.rows("SELECT task, is_ok FROM llm_call") == [("expand", 1)]
    why = memory.recall.explanation(chat, memory.recall.past(chat)[1].id)
    assert (why.output, why.searched) == (found.output, found.searched)


def test_an_injection_asks_the_model_where_the_setting_says_so(memory, chat):
    with answering({"query": "乌鸦", "output": ""}) as server:
        ask_model(memory, server)
        memory.inject.compose(CTX, chat, RecallQuery("后来呢"))
        assert server.bodies() == []
        memory.settings.set("recall.expand", True, chat)
        memory.inject.compose(CTX, chat, RecallQuery("后来呢"))
        assert len(server.bodies()) == 1


@pytest.mark.parametrize("fault", [500, "garbage", "empty", 429])
def test_a_model_that_fails_leaves_the_recent_turns_and_says_so(memory, chat, fault):
    with FakeOpenAI(faults=[fault] * 9) as server:
        ask_model(memory, server)
        found = memory.recall.ask(CTX, chat, RecallQuery("她后来怎么样了？"), expanded=True)
    assert found.degraded == ("expand",)
    assert any("乌鸦" in said for said in found.searched)


def test_without_an_endpoint_the_wish_is_answered_with_what_is_missing(memory, chat):
    assert memory.recall.ask(CTX, chat, RecallQuery("乌鸦"), expanded=True).degraded == ("expand",)


@pytest.mark.parametrize(
    ("answer", "context", "output"),
    [
        ('{"query": "a b", "output": "c"}', ("a b", "c"), "c"),
        ('```json\n{"queries": ["a", 3, "a"], "output": "q"}\n```', ("a",), "q"),
        ('好的：["a", "b"]', ("a", "b"), ""),
        ('{"output": "q"}', (), "q"),
        ('<think>hm {"query": 1}</think>{"search": ["x"]}', ("x",), ""),
    ],
)
def test_answers_are_read_tolerantly(answer, context, output):
    found = read_expansion(answer, "q")
    assert (found.context, found.output) == (context, output)


@pytest.mark.parametrize("answer", ["", "no", "{}", '{"query": []}', "42"])
def test_an_answer_that_names_nothing_is_refused(answer):
    with pytest.raises(BadAnswer):
        read_expansion(answer, "q")


def test_a_configured_reranker_is_asked_about_the_short_list(memory, chat):
    with FakeOpenAI() as server:
        memory.settings.set("rerank.base_url", server.url)
        memory.settings.set("rerank.model", "fake-rerank")
        found = memory.recall.ask(CTX, chat, RecallQuery("父亲的书房锁着", top_k=3))
        (body,) = server.bodies("/v1/rerank")
        assert body["query"] == "父亲的书房锁着"
        assert sorted(body["documents"]) == sorted(f"{name}: {text}" for name, text in ROWS)
        assert found.hits[0].item.start_index == 3
        assert found.hits[0].why["rerank"] > 0
    down = memory.recall.ask(CTX, chat, RecallQuery("父亲的书房锁着", top_k=3))
    assert down.degraded == ("rerank",)
    assert down.hits[0].item.start_index == 3


# Which days a chat knows of: those that are no days at all are unknown.

DAY = 86_400_000
LAST = date.max.toordinal() - date(1970, 1, 1).toordinal()  # day 0 is unknown


def view_of(*sent_at):
    count = len(sent_at)
    nothing = np.zeros(count, np.bool_)
    floors = np.arange(count)
    return RecallView(
        Layout(
            np.arange(count),
            np.zeros(count, np.int8),
            floors,
            floors,
            np.full(count, -1, np.int32),
            nothing,
            np.array(sent_at, np.int64),
            nothing,
        )
    )


@pytest.mark.parametrize(
    ("sent_at", "today"),
    [
        ((DAY, 2 * DAY), date(1970, 1, 3)),
        ((DAY, 0), date(1970, 1, 2)),
        ((DAY, DAY - 1), date(1970, 1, 2)),
        ((DAY, LAST * DAY), date.max),
        ((DAY, LAST * DAY + DAY - 1), date.max),
        ((DAY, LAST * DAY + DAY), date(1970, 1, 2)),
        ((0,), None),
        ((), None),
    ],
)
def test_today_is_the_day_of_the_last_message_that_has_one(sent_at, today):
    assert view_of(*sent_at).today == today


def test_what_is_no_day_is_unknown():
    days, index = view_of(0, DAY, LAST * DAY, (LAST + 1) * DAY).days
    assert [days[n] for n in index] == [None, date(1970, 1, 2), date.max, None]
