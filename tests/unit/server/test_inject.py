"""Memory goes into a request: the right one, at the right place, in time, and nothing else."""

from __future__ import annotations

import itertools
import json
import threading

import pytest
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, story_rows, write_chat
from tests.upstream import DONE, Upstream, delta

CTX = NullContext()
ROWS = story_rows(30)
HIDDEN = "爱丽丝把铜钥匙藏进了钟楼的第三块砖后面。"
SYSTEM = {"role": "system", "content": "你是爱丽丝。"}


def replies(asked):
    asked.begin()
    asked.chunk(delta("“我记得”"))
    asked.chunk(delta("，她说。", finish_reason="stop"))
    asked.chunk(DONE)
    asked.end()


@pytest.fixture
def up():
    with Upstream(replies) as upstream:
        yield upstream


@pytest.fixture
def story(serve, open_memory, tmp_path, up):
    """A served library with one chat of 30 floors, whose first ten are told by an event."""

    def start(settings=None, **options):
        memory = open_memory(**{"llm.base_url": up.url, "llm.model": "m", **(settings or {})})
        path = write_chat(tmp_path / "钟楼.jsonl", ROWS)
        chat_id = memory.imports.import_file(CTX, path).chat_id
        line = Line.main(chat_id)
        memory.events.add(line, make_extraction(HIDDEN), SourceRange(0, 9))
        made = serve(memory=memory, **options)
        made.line = line
        made.up = up
        return made

    return start


def messages(first=20, last=29, *more):
    """The floors of the story as a front end sends them, and what the player says now."""
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text}
        for name, text in ROWS[first : last + 1]
    ]
    return [SYSTEM, *said, *({"role": "user", "content": text} for text in more)]


def ask(made, rows, path="/chat/%E9%92%9F%E6%A5%BC/v1/chat/completions", **fields):
    answer = made.ask(path, {"messages": rows, "stream": True, **fields})
    assert answer.status == 200, answer.body
    return made.up.asked[-1].json, made.ended()[0]


def test_memory_stands_after_the_system_prompt_and_nothing_else_is_changed(story):
    made = story()
    rows = messages(20, 29, "钥匙在哪里？")
    sent, exchange = ask(made, rows, temperature=0.5)
    assert [m for m in sent["messages"] if "<engram_summaries>" not in m["content"]] == rows
    assert sent["messages"][1]["role"] == "system"
    assert HIDDEN in sent["messages"][1]["content"]
    assert sent["temperature"] == 0.5
    assert exchange.outcome == "filled"
    assert exchange.place == "system"
    assert exchange.identity.line == made.line
    assert exchange.injection.tokens > 0
    assert json.loads(exchange.before)["messages"] == rows
    assert json.loads(exchange.after) == sent
    assert exchange.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("place", "depth", "at"),
    [("depth", 4, -5), ("last", 4, -2), ("depth", 999, 1), ("depth", 0, -1)],
)
def test_memory_stands_where_the_user_chose(story, place, depth, at):
    made = story({"serve.place": place, "serve.depth": depth})
    sent, exchange = ask(made, messages(20, 29, "钥匙在哪里？"))
    texts = [m["content"] for m in sent["messages"]]
    assert [n for n, text in enumerate(texts) if HIDDEN in text] == [at % len(texts)]
    assert exchange.place == place


def test_a_placeholder_wins_over_any_place_wherever_it_stands(story):
    made = story({"serve.place": "last"})
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "A {{engramSummaries}} B"}
    rows[2] = {**rows[2], "content": [{"type": "text", "text": "x {{ EngramSummaries }}"}]}
    sent, exchange = ask(made, rows)
    assert len(sent["messages"]) == len(rows)
    assert sent["messages"][0]["content"].startswith("A <engram_summaries>")
    assert HIDDEN in sent["messages"][2]["content"][0]["text"]
    assert exchange.place == "placeholder"


def test_a_strangers_placeholder_is_taken_out(story):
    made = story()
    rows = [
        {"role": "system", "content": "A{{engramSummaries}}B"},
        {"role": "user", "content": "?"},
    ]
    sent, exchange = ask(made, rows, "/v1/chat/completions")
    assert sent["messages"][0]["content"] == "AB"
    assert exchange.outcome == "unknown"
    assert HIDDEN not in json.dumps(sent, ensure_ascii=False)
    sent, _ = ask(made, [], "/v1/completions", prompt="A{{engramSummaries}}B")
    assert sent["prompt"] == "AB"


def test_a_name_of_no_chat_costs_no_reply(story):
    sent, exchange = ask(story(), messages(20, 29), "/chat/nobody/v1/chat/completions")
    assert sent["messages"] == messages(20, 29)
    assert exchange.outcome == "unknown"


def test_what_the_request_holds_already_is_not_put_in_again(story):
    made = story()
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "<engram_summaries>\n…\n</engram_summaries>"}
    sent, exchange = ask(made, rows)
    assert sent["messages"] == rows
    assert exchange.outcome == "empty"
    rows[0] = {"role": "system", "content": f"World: {HIDDEN}"}
    sent, exchange = ask(made, rows)
    assert json.dumps(sent, ensure_ascii=False).count(HIDDEN) == 1


def test_memory_that_is_off_puts_nothing_in(story):
    made = story({"memory.mode": "off"})
    sent, exchange = ask(made, messages(20, 29))
    assert sent["messages"] == messages(20, 29)
    assert exchange.outcome == "empty"


def test_old_messages_that_memory_tells_are_left_out(story):
    made = story({"serve.window": 10})
    rows = messages(0, 29, "钥匙在哪里？")
    sent, exchange = ask(made, rows)
    texts = [m["content"] for m in sent["messages"]]
    said = [m for m in sent["messages"] if HIDDEN not in m["content"]]
    # floors 0 to 9 are told; from there on everything stays, told or not
    assert said in ([SYSTEM, *rows[11:]], [SYSTEM, *rows[10:]])
    assert HIDDEN in texts[1]
    assert exchange.left_out >= 9
    assert exchange.saved_tokens > 0


def test_nothing_is_left_out_where_no_memory_goes_in(story):
    made = story({"serve.window": 10, "memory.mode": "off"})
    sent, exchange = ask(made, messages(0, 29))
    assert sent["messages"] == messages(0, 29)
    assert exchange.left_out == exchange.saved_tokens == 0


class Holding(NullContext):
    """A context in which every check waits until the test lets go."""

    def __init__(self, go):
        self.go = go

    @override
    def check(self):
        self.go.wait(60)


def test_memory_that_is_late_costs_no_reply(story):
    go = threading.Event()
    made = story({"serve.allowance": 50}, contexts=lambda: Holding(go))
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "A{{engramSummaries}}B"}
    sent, exchange = ask(made, rows)
    assert sent["messages"] == [{"role": "system", "content": "AB"}, *rows[1:]]
    assert exchange.outcome == "late"
    assert "50 ms" in exchange.failure
    for _ in range(20):  # they wait for nothing that waits
        made.chat("?")
    assert {e.outcome for e in made.exchanges} == {"late"}
    assert sum(t.name.startswith("engram-serve_") for t in threading.enumerate()) <= 4
    go.set()


class Broken(NullContext):
    @override
    def check(self):
        raise RuntimeError("a bug of ours")


@pytest.mark.logs("memory for a request failed")
def test_memory_that_fails_costs_no_reply(story):
    # the first context is of what is read ahead when the server starts
    contexts = itertools.chain([CTX], itertools.repeat(Broken()))
    made = story(contexts=contexts.__next__)
    sent, exchange = ask(made, messages(20, 29), "/v1/chat/completions")
    assert sent["messages"] == messages(20, 29)
    assert exchange.outcome == "failed"


def test_what_is_said_becomes_memory_once_the_reply_is_whole(story):
    changes: list[Changes] = []
    grown: list[Line] = []
    made = story(on_changes=changes.append, on_grown=grown.append)
    _sent, exchange = ask(made, messages(10, 29, "钥匙在哪里？"))
    for _ in range(2_000):
        if made.memory.messages.count(made.line) == 32:
            break
        threading.Event().wait(0.005)
    said = made.memory.messages.slice(made.line, 30, 31)
    assert [message.text for message in said] == ["钥匙在哪里？", "“我记得”，她说。"]
    for _ in range(2_000):
        if len(grown) >= 2:
            break
        threading.Event().wait(0.005)
    assert set(grown) == {made.line}
    assert all(change.messages for change in changes)
    assert made.server.exchanges.get(exchange.number).kept == "message"


def test_a_text_completion_has_memory_before_its_story(story):
    made = story()
    talk = "\n".join(f"{name}: {text}" for name, text in ROWS[20:30])
    prompt = f"你是爱丽丝。\n***\n{talk}\n旅人: 钥匙在哪里？\n爱丽丝:"
    path = "/chat/%E9%92%9F%E6%A5%BC/v1/completions"
    made.ask(path, {"prompt": prompt})
    sent = made.up.asked[-1].json["prompt"]
    assert HIDDEN in sent
    head, _, tail = sent.partition("<engram_summaries>")
    assert prompt.startswith(head)
    assert tail.endswith("旅人: 钥匙在哪里？\n爱丽丝:")
