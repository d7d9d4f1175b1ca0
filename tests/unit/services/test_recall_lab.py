"""The recall lab, and a change of the embedding model."""

from __future__ import annotations

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import BadSetting, InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.lab import LEAST_BUDGET, MOST_BUDGET, Setup, read_budgets
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.settings import declared
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.recall.index import BATCH, answering
from tests.contexts import TokenContext
from tests.factories import import_embedded, story_rows
from tests.fake_openai import FakeOpenAI

# The recall lab: questions with known answers, kept, undone, and asked in two ways.

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    return import_embedded(memory, tmp_path / "故事.jsonl", story_rows(60))


def ref_of(memory, chat, floor):
    return memory.messages.slice(Line.main(chat), floor, floor)[0].id


def save(memory, chat, query, *floors, **more):
    refs = [ref_of(memory, chat, floor) for floor in floors]
    memory.lab.save(Line.main(chat), query, refs, **more)
    return memory.lab.questions(chat)[-1]


def test_questions_are_saved_written_anew_deleted_and_undone(memory, chat):
    made = save(memory, chat, "第20把铜钥匙", 20)
    assert (made.query, [e.first for e in made.expected]) == ("第20把铜钥匙", [20])
    again = save(memory, chat, " 第20把铜钥匙 ", 20, 22)
    assert (again.id, len(again.expected)) == (made.id, 2)
    other = save(memory, chat, "第30把", 30)
    memory.lab.delete(chat, made.id)
    assert memory.lab.questions(chat) == [other]
    memory.history.undo(chat)
    assert memory.lab.questions(chat) == [again, other]
    memory.history.undo(chat)
    memory.history.undo(chat)
    assert memory.lab.questions(chat) == [made]
    renamed = save(memory, chat, "第二十把", 20, question_id=made.id)
    assert memory.lab.questions(chat) == [renamed]


def test_what_cannot_be_asked_is_refused(memory, chat):
    with pytest.raises(InputError):
        memory.lab.save(Line.main(chat), " ", [ref_of(memory, chat, 1)])
    with pytest.raises(InputError):
        memory.lab.save(Line.main(chat), "x", [])
    with pytest.raises(NotFound):
        memory.lab.save(Line.main(chat), "x", ["nothing"])
    with pytest.raises(NotFound):
        memory.lab.delete(chat, "nothing")


def test_two_ways_are_compared_on_every_question(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    save(memory, chat, "第31天", 31, 40)
    plain = memory.lab.setup(chat)
    narrow = plain.changed({"top_k": "1", "without": "vector, following"})
    report = memory.lab.run(CTX, chat, (plain, narrow))
    first, second = report.rows
    hits = memory.recall.ask(CTX, chat, RecallQuery("第20把铜钥匙")).hits
    hit = next(h for h in hits if h.item.start_index == 20)
    assert first.sides[0][0].rank == hit.rank
    assert first.sides[0][0].why == hit.why
    assert set(first.sides[1][0].why) == {"lexical", "quoted"}
    assert second.sides[1][0].rank == 1
    assert second.sides[1][1].rank is None
    assert report.recall(1) == 0.75
    assert memory.recall.past(chat)[0].query == "第20把铜钥匙"
    assert len(memory.recall.past(chat)) == 1  # the lab leaves no trace


def test_another_embedder_is_tried_without_changing_the_one_in_use(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    before = memory.session.chat(chat).vectors.models()
    plain = memory.lab.setup(chat)
    report = memory.lab.run(CTX, chat, (plain, plain.changed({"embedder": "use"})))
    here, there = report.rows[0].sides
    assert here[0].rank
    assert there[0].rank
    assert here[0].why["vector"] != there[0].why["vector"]
    assert memory.session.chat(chat).vectors.models() == before
    assert memory.index.health(chat).state == "exact"


def test_what_is_no_more_is_said_to_be_missing(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    memory.messages.delete(Line.main(chat), [20])
    (row,) = memory.lab.run(CTX, chat, (Setup(),)).rows
    assert row.is_missing == (True,)
    assert row.share(0) == 0.0


def test_a_reranker_and_rewording_are_asked_only_on_the_side_that_wants_them(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    with FakeOpenAI() as server:
        memory.settings.set("rerank.base_url", server.url)
        memory.settings.set("rerank.model", "fake")
        plain = Setup()
        sides = (plain, plain.changed({"rerank": "on", "expand": "on"}))
        report = memory.lab.run(CTX, chat, sides)
        assert len(server.bodies("/v1/rerank")) == 1
    assert "rerank" not in report.rows[0].sides[0][0].why
    assert "rerank" in report.rows[0].sides[1][0].why
    assert report.degraded == ((), ("expand",))


def test_a_run_can_be_cancelled(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    ctx = TokenContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        memory.lab.run(ctx, chat, (Setup(), Setup()))


def in_prompt(report, number=0):
    return [place.is_in_prompt for place in report.rows[0].places[number]]


def test_prompts_hold_what_is_quoted_and_say_why_the_rest_is_not(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20, 58)
    report = memory.lab.look_into_prompts(CTX, chat, (120, 1000))
    assert in_prompt(report, 1)[0]
    assert [report.evidence(n) for n in (0, 1)] == [sum(in_prompt(report, n)) / 2 for n in (0, 1)]
    row = report.rows[0]
    assert row.tokens[0] <= 120 < row.tokens[1] <= 1000
    assert report.tokens(1) == row.tokens[1]
    assert row.places[1][0].why
    memory.settings.set("inject.recent_floors", 5)
    report = memory.lab.look_into_prompts(CTX, chat, (20_000,))
    still_in_the_chat = report.rows[0].places[0][1]
    assert (still_in_the_chat.is_in_prompt, still_in_the_chat.dropped) == (False, "window")
    assert memory.recall.past(chat) == []  # nothing is logged


def test_an_event_that_is_always_told_stands_in_the_prompt(memory, chat):
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 49))
    event = memory.events.at_floors(Line.main(chat), 5, 5)[0]
    memory.lab.save(Line.main(chat), "你好", [event.id])
    report = memory.lab.look_into_prompts(CTX, chat)
    assert report.budgets == (6000,)
    assert in_prompt(report) == [True]
    hits = {hit.item.ref for hit in memory.inject.compose(CTX, chat, RecallQuery("你好")).hits}
    assert event.id not in hits  # told with the story so far


def test_a_prompt_is_looked_into_as_of_the_floor_of_its_question(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20, at=10)
    assert in_prompt(memory.lab.look_into_prompts(CTX, chat, (20_000,))) == [False]


def test_a_text_that_is_held_still_is_left_aside(memory, chat):
    save(memory, chat, "第20把铜钥匙", 20)
    before = memory.lab.look_into_prompts(CTX, chat, (500, 6000))
    memory.inject.freeze(Line.main(chat), 5)
    held = memory.inject.compose(CTX, chat, RecallQuery("第3天"), 300)
    assert memory.lab.look_into_prompts(CTX, chat, (500, 6000)) == before
    assert memory.inject.compose(CTX, chat, RecallQuery("铜钥匙")).text == held.text


def test_looking_into_prompts_can_be_cancelled_and_needs_no_question(memory, chat):
    assert memory.lab.look_into_prompts(CTX, chat).evidence(0) == 0.0
    save(memory, chat, "第20把铜钥匙", 20)
    ctx = TokenContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        memory.lab.look_into_prompts(ctx, chat)


def test_budgets_are_read_as_they_are_typed():
    assert read_budgets("1000, 2000，6000 1000") == (1000, 2000, 6000)
    for text in ("", "99", "200001", "many", "-500", "1.5"):
        with pytest.raises(InputError):
            read_budgets(text)


def test_budgets_reach_as_far_as_the_setting():
    tokens = declared("inject.tokens")
    assert (tokens.low, tokens.high) == (LEAST_BUDGET, MOST_BUDGET)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("top_k", "many"),
        ("kinds", "turn,dream"),
        ("without", "luck"),
        ("expand", "maybe"),
        ("embedder", "best"),
        ("lexical", "x"),
        ("colour", "red"),
    ],
)
def test_a_side_that_means_nothing_is_refused(key, value):
    with pytest.raises(BadSetting):
        Setup().changed({key: value})


def test_a_side_is_read():
    made = Setup().changed(
        {
            "top_k": "5",
            "kinds": "turn,event",
            "freshness": "0.1",
            "without": "graph",
            "expand": "on",
        }
    )
    assert (made.top_k, made.kinds, made.expand) == (5, ("turn", "event"), True)
    assert (made.weights.freshness, made.weights.graph) == (0.1, 0.0)


# A change of the embedding model never empties recall: old vectors answer until it is complete.

COUNT = BATCH + 12  # two batches
HASH, USE = "local:hash-256", "local:use-m3"
KEY = RecallQuery("第20把铜钥匙", top_k=3)


@pytest.fixture
def embedded_chat(memory, tmp_path):
    return import_embedded(memory, tmp_path / "故事.jsonl", story_rows(COUNT))


def models(memory, chat):
    return memory.session.chat(chat).vectors.models()


def in_use(memory, chat):
    return answering(memory.session.chat(chat), memory.session.clients).model_id


def by_meaning(memory, chat):
    found = memory.recall.ask(CTX, chat, KEY)
    return found.degraded == () and "vector" in found.hits[0].why


class StopsAfter(TokenContext):
    """Cancels itself after so many writes."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    @override
    def write(self, unit):
        result = super().write(unit)
        self.left -= 1
        if not self.left:
            self.token.cancel()
        return result


def test_the_old_vectors_answer_until_the_new_ones_are_complete(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    assert in_use(memory, embedded_chat) == HASH
    assert by_meaning(memory, embedded_chat)
    assert memory.index.health(embedded_chat).state == "changing"
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), embedded_chat)
    health = memory.index.health(embedded_chat)
    assert (health.state, health.embedded, health.items) == ("changing", BATCH, COUNT)
    assert models(memory, embedded_chat) == [HASH, USE]
    assert in_use(memory, embedded_chat) == HASH
    assert by_meaning(memory, embedded_chat)
    memory.index.update(CTX, embedded_chat)
    assert models(memory, embedded_chat) == [USE]
    assert in_use(memory, embedded_chat) == USE
    assert by_meaning(memory, embedded_chat)
    assert memory.index.health(embedded_chat).state == "exact"


def test_a_message_told_meanwhile_does_not_stop_the_change(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), embedded_chat)
    memory.messages.append(Line.main(embedded_chat), "旅人", "user", "银铃在井边。")
    assert (
        memory.recall.ask(CTX, embedded_chat, RecallQuery("银铃在井边")).hits[0].item.start_index
        == COUNT
    )
    assert in_use(memory, embedded_chat) == HASH
    memory.index.update(CTX, embedded_chat)
    assert models(memory, embedded_chat) == [USE]


def test_changing_back_goes_on_with_what_is_there(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), embedded_chat)
    memory.settings.set("embed.local", "hash")
    assert in_use(memory, embedded_chat) == HASH
    assert memory.index.update(CTX, embedded_chat) == 0
    assert models(memory, embedded_chat) == [HASH]


def test_once_the_new_model_knows_more_it_answers(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    store = memory.session.chat(embedded_chat)
    with pytest.raises(Cancelled):
        memory.index.update(StopsAfter(1), embedded_chat)
    with store.database.writing():
        store.database.run_many(
            "DELETE FROM memory_embedding WHERE model = ? AND item_id > 5", [(HASH,)]
        )
    assert in_use(memory, embedded_chat) == USE


def test_an_older_model_of_the_same_server_is_asked_and_of_another_is_not(memory, embedded_chat):
    with FakeOpenAI() as server:
        memory.settings.set("embed.base_url", server.url)
        memory.settings.set("embed.model", "first")
        memory.index.update(CTX, embedded_chat)
        assert models(memory, embedded_chat) == ["first@127.0.0.1"]
        memory.settings.set("embed.model", "second")
        assert in_use(memory, embedded_chat) == "first@127.0.0.1"
        assert by_meaning(memory, embedded_chat)
        assert server.bodies("/v1/embeddings")[-1]["model"] == "first"
    memory.settings.set("embed.base_url", "http://localhost:9/v1")
    assert in_use(memory, embedded_chat) == "second@localhost"
    found = memory.recall.ask(CTX, embedded_chat, KEY)
    assert found.degraded == ("embedding",)
    assert found.hits[0].item.start_index == 20
    memory.settings.set("embed.base_url", "")
    memory.index.update(CTX, embedded_chat)
    assert models(memory, embedded_chat) == [HASH]


def test_reindexing_with_another_model_is_the_change_in_one_go(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    assert memory.index.rebuild(CTX, embedded_chat) == COUNT
    assert models(memory, embedded_chat) == [USE]
    assert memory.index.rebuild(CTX, embedded_chat) == COUNT


def test_the_doctor_knows_of_a_change_and_ends_it(memory, embedded_chat):
    memory.settings.set("embed.local", "use")
    (found,) = [f for f in memory.care.doctor(CTX) if "change to the model" in f.what]
    assert "0 %" in found.what
    assert not found.is_ok
    memory.care.doctor(CTX, repair=True)
    assert models(memory, embedded_chat) == [USE]
    assert not [f for f in memory.care.doctor(CTX) if "change to the model" in f.what]
