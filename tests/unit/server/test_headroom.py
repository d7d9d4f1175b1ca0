"""A model's context that is full: memory fits into it, or the request goes on without."""

from __future__ import annotations

import json
import re
import threading
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.exchange import Placement, place_in_message
from engram_desktop.domain.serving.headroom import (
    LEAST,
    ModelBounds,
    is_too_long,
    learned,
    make_room,
    may_be_for_memory,
    size,
)
from engram_desktop.domain.serving.request import ListedMessage
from engram_desktop.domain.text.tokens import estimate_tokens
from tests.factories import import_chat, make_extraction, model_at, story_rows
from tests.upstream import DONE, Upstream, delta

# What servers say of a request that is too long, in their own words: how much they take, and how
# much was sent.
REFUSALS = [
    (
        '{"error":{"message":"This model\'s maximum context length is 8192 tokens. However, your '
        'messages resulted in 9121 tokens.","code":"context_length_exceeded"}}',
        8192,
        9121,
    ),
    (
        "This model's maximum context length is 8192 tokens. However, you requested 9216 tokens "
        "(8216 in the messages, 1000 in the completion).",
        8192,
        8216,
    ),
    (
        "'max_tokens' is too large: 1000. This model's maximum context length is 8192 tokens and "
        "your request has 7500 input tokens (1000 > 8192 - 7500).",
        8192,
        7500,
    ),
    (
        '{"error":{"code":400,"message":"the request exceeds the available context size",'
        '"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
        8192,
        9000,
    ),
    (
        "request (9000 tokens) exceeds the available context size (8192 tokens), try again",
        8192,
        9000,
    ),
    ("prompt is too long: 200251 tokens > 200000 maximum", 200_000, 200_251),
    (
        "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000",
        200_000,
        190_000,
    ),
    (
        "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
        1_048_576,
        1_100_000,
    ),
    ("Request too large on tokens per minute (TPM): Limit 6000, Requested 9000", 6000, 9000),
    (
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        32_768,
        40_000,
    ),
    ("Range of input length should be [1, 30720]", 30_720, 0),
    ("length of prompt_tokens (40000) must be less than max_seq_len (32768).", 32_768, 40_000),
    ("Your request exceeded model token limit: 8192 (requested: 9000)", 8192, 9000),
    ("the model is loaded with context length of only 4096 tokens, not 8000", 4096, 8000),
    (
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        4096,
        5000,
    ),
    ('{"error":{"code":"1261","message":"Prompt 超长"}}', 0, 0),
]


@pytest.mark.parametrize(("words", "most", "counted"), REFUSALS)
def test_what_a_server_takes_is_read_from_its_own_words(words, most, counted):
    sent = int((counted or 8_000) / 1.1)
    bounds = learned(ModelBounds(), words, sent)
    assert bounds.tokens == most
    assert not bounds.is_strict
    if counted:
        assert round(bounds.scale * sent) == counted
    assert may_be_for_memory(500, words)


def test_a_request_that_was_fitted_and_is_refused_again_is_fitted_closer():
    words = REFUSALS[3][0]
    first = learned(ModelBounds(), words, 9_000)
    second = learned(first, words, 9_000)
    assert second.tokens == first.tokens
    assert second.most(500) < first.most(500)


@pytest.mark.parametrize(
    "words",
    [
        "System message must be at the beginning.",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "TemplateError: System role not supported",
    ],
)
def test_a_server_that_takes_no_further_message_of_the_system_is_known_by_its_words(words):
    assert learned(ModelBounds(4096), words, 100) == ModelBounds(4096, 1.0, is_strict=True)
    assert may_be_for_memory(500, words)


@pytest.mark.parametrize(
    ("status", "words"), [(401, "no key"), (404, "no model"), (429, "slow"), (500, "out of memory")]
)
def test_what_is_no_fault_of_memory_is_not_taken_for_one(status, words):
    assert not may_be_for_memory(status, words)


@pytest.mark.parametrize(
    "words",
    [
        "max_tokens is too large: 10000. This model supports at most 4096 completion tokens",
        "response_format is not supported in this context",
        "the schema exceeds the maximum depth",
    ],
)
def test_what_is_refused_for_something_else_is_not_taken_for_too_long(words):
    assert not is_too_long(400, words)


def test_where_no_message_can_take_memory_none_is_left_out():
    said = [ListedMessage(0, "user", ""), ListedMessage(1, "assistant", "hello")]
    assert place_in_message(said, "M", frozenset({1})) == Placement()


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=60),
    st.integers(0, 6_000),
    st.integers(LEAST, 6_000),
    st.integers(0, 60),
)
def test_memory_never_makes_a_request_longer_than_what_is_taken(lengths, most, wanted, told):
    said = [ListedMessage(0, "system", "rules " * 20)]
    for n, length in enumerate(lengths):
        said.append(ListedMessage(n + 1, "assistant" if n % 2 else "user", "word " * length))
    floors = {n + 1: n for n in range(len(lengths))}
    room = make_room(said, floors, range(told), len(lengths) - 1, most, wanted)
    assert room.tokens == 0 or LEAST <= room.tokens <= wanted
    assert not room.tokens or size(said, room.left_out) + room.tokens <= most
    assert all(floors[index] < told for index in room.left_out)
    assert all(floors[index] <= len(lengths) - 1 - 12 for index in room.left_out)
    if not room.tokens:
        assert not room.left_out


ROWS = story_rows(40)
HIDDEN = "爱丽丝把铜钥匙藏进了钟楼的第三块砖后面。"
SYSTEM = {"role": "system", "content": "你是爱丽丝。" * 20}
PATH = "/chat/%E9%92%9F%E6%A5%BC/v1/chat/completions"


def messages():
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": f"{text}……" * 4}
        for name, text in ROWS
    ]
    return [SYSTEM, *said[:-1], {"role": "user", "content": "铜钥匙在哪里？"}]


def tokens(body):
    said = body["messages"] if "messages" in body else [{"content": body["prompt"]}]
    return sum(estimate_tokens(message["content"]) + 4 for message in said)


def replies(asked):
    asked.begin()
    asked.chunk(delta("“我记得”，她说。", finish_reason="stop"))
    asked.chunk(DONE)
    asked.end()


def refuses(words, status="400 Bad Request"):
    def say(asked):
        asked.whole(json.dumps({"error": {"message": words}}).encode(), status)

    return say


@pytest.fixture
def story(serve, open_memory, tmp_path):
    """A served chat of 40 floors, told by events; ``script`` answers, or None for a reply."""

    def start(script, settings=None):
        def answer(asked):
            (script(asked) or replies)(asked)

        up = Upstream(answer)
        up.__enter__()
        opened.append(up)
        memory = open_memory(**{**model_at(up.url, "m"), **(settings or {})})
        said = [(name, f"{text}……" * 4) for name, text in ROWS]
        line = Line.main(import_chat(memory, tmp_path / "钟楼.jsonl", said))
        for first in range(0, 24, 8):
            memory.events.add(line, make_extraction(HIDDEN), SourceRange(first, first + 7))
        made = serve(memory=memory)
        made.up = up
        return made

    opened: list[Upstream] = []
    yield start
    for up in opened:
        up.__exit__()


def takes(most):
    """A model's server that refuses longer requests in the words of llama.cpp."""

    def script(asked):
        sent = tokens(asked.json)
        if sent <= most:
            return None
        words = f"request ({sent} tokens) exceeds the available context size ({most} tokens)"
        return refuses(words)

    return script


def has_memory(asked):
    return "<engram_summaries>" in asked.body.decode() or "<relevant_mem" in asked.body.decode()


def test_a_full_context_costs_no_reply_and_the_next_request_fits_at_once(story):
    plain = tokens({"messages": messages()})
    made = story(takes(plain + 40), {"inject.tokens": 2_000})
    body = {"messages": messages(), "max_tokens": 10}
    first = made.ask(PATH, body)
    assert first.status == 200
    assert "我记得" in first.body.decode()
    refused, fitted = made.up.asked
    assert has_memory(refused)
    assert has_memory(fitted)
    assert HIDDEN in fitted.body.decode()
    exchange = made.ended()[0]
    assert exchange.outcome == "filled"
    assert exchange.left_out > 0
    given, wanted = exchange.shortened
    assert exchange.injection.tokens - LEAST <= given < wanted == 2_000
    assert "x-engram-trouble" not in first.headers
    kept = [m["content"] for m in fitted.json["messages"] if not m["content"].startswith("<")]
    assert kept[-12:] == [m["content"] for m in messages()][-12:]  # the newest word for word
    assert made.ask(PATH, body).status == 200
    assert len(made.up.asked) == 3
    assert has_memory(made.up.asked[2])


def test_a_context_that_the_settings_name_is_kept_to_from_the_first_request_on(story):
    plain = tokens({"messages": messages()})
    settings = {"inject.tokens": 2_000, "serve.context": plain + 100}
    made = story(takes(plain + 100), settings)
    assert made.ask(PATH, {"messages": messages(), "max_tokens": 10}).status == 200
    assert len(made.up.asked) == 1
    assert has_memory(made.up.asked[0])


def test_where_nothing_is_told_yet_a_full_context_goes_on_without_memory(story):
    plain = tokens({"messages": messages()[-13:]})
    made = story(takes(plain + 20), {"serve.context": plain + 20})
    answer = made.ask(PATH, {"messages": messages()[-13:], "max_tokens": 10})
    assert answer.status == 200
    assert len(made.up.asked) == 1
    assert made.up.asked[0].json["messages"] == messages()[-13:]
    assert made.ended()[0].outcome == "full"
    assert "is full" in unquote(answer.headers["x-engram-trouble"])


@pytest.mark.parametrize("status", ["400 Bad Request", "422 Unprocessable Entity"])
def test_whatever_a_server_has_against_memory_the_reply_comes_without_it(story, status):
    made = story(lambda asked: refuses("no, not this", status) if has_memory(asked) else None)
    answer = made.ask(PATH, {"messages": messages()})
    assert answer.status == 200
    assert made.up.asked[-1].json["messages"] == messages()
    exchange = made.ended()[0]
    assert exchange.outcome == "failed"
    assert "no, not this" in unquote(answer.headers["x-engram-trouble"])


def test_an_error_within_an_answer_that_began_well_is_a_refusal_too(story):
    words = b'event: error\ndata: {"error":{"message":"context length of only 4096 tokens"}}\n\n'

    def script(asked):
        def say(asked):
            asked.begin()
            asked.chunk(words)
            asked.end()

        return say if has_memory(asked) else None

    made = story(script, {"inject.tokens": 200})
    answer = made.ask(PATH, {"messages": messages(), "stream": True})
    assert "我记得" in answer.body.decode()
    assert "error" not in answer.body.decode()


def test_a_model_that_takes_one_message_of_the_system_gets_memory_in_it(story):
    words = "Jinja Exception: System message must be at the beginning."

    def script(asked):
        roles = [message["role"] for message in asked.json["messages"]]
        is_wrong = "system" in roles[1:]
        return refuses(words, "500 Internal Server Error") if is_wrong else None

    made = story(script)
    for count in (2, 3):  # refused once; from then on it is known
        assert made.ask(PATH, {"messages": messages()}).status == 200
        assert len(made.up.asked) == count
        sent = made.up.asked[-1].json["messages"]
        assert sent[1:] == messages()[1:]
        assert sent[0]["content"].startswith(SYSTEM["content"])
        assert HIDDEN in sent[0]["content"]
    assert made.ended()[0].outcome == "filled"


def test_a_model_without_a_system_gets_memory_in_the_first_message_of_the_player(story):
    def script(asked):
        is_wrong = any(message["role"] == "system" for message in asked.json["messages"])
        return refuses("System role not supported") if is_wrong else None

    made = story(script)
    rows = [{"role": "user", "content": [{"type": "text", "text": "开始"}]}, *messages()[2:]]
    assert made.ask(PATH, {"messages": rows}).status == 200
    sent = made.up.asked[-1].json["messages"]
    assert HIDDEN in sent[0]["content"][0]["text"]
    assert sent[0]["content"][0]["text"].endswith("\n\n开始")
    assert sent[1:] == rows[1:]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("401 Unauthorized", "the context of your key"),
        ("429 Too Many Requests", "context length"),
        ("500 Internal Server Error", "CUDA is gone"),
        ("503 Service Unavailable", "loading"),
    ],
)
def test_errors_that_are_not_for_memory_pass_as_they_are_after_one_try(story, status, words):
    made = story(lambda _asked: refuses(words, status))
    answer = made.ask(PATH, {"messages": messages()})
    assert answer.status == int(status.split()[0])
    assert answer.json == {"error": {"message": words}}
    assert len(made.up.asked) == 1


def test_a_request_without_memory_is_never_sent_twice(story):
    made = story(lambda _asked: refuses("context length exceeded"), {"memory.mode": "off"})
    assert made.ask(PATH, {"messages": messages()}).status == 400
    assert len(made.up.asked) == 1


def test_a_server_that_refuses_everything_is_asked_a_few_times_and_its_last_word_passes(story):
    numbers = iter(range(9_000, 10_000, 100))
    made = story(lambda _asked: refuses(f"maximum context length is {next(numbers)} tokens"))
    answer = made.ask(PATH, {"messages": messages()})
    assert answer.status == 400
    assert len(made.up.asked) == 4
    assert not has_memory(made.up.asked[-1])


def test_a_text_prompt_is_fitted_by_a_shorter_memory(story):
    prompt = "\n".join(f"{name}: {text}……" * 4 for name, text in ROWS)
    made = story(takes(tokens({"prompt": prompt}) + 400), {"inject.tokens": 2_000})
    path = PATH.replace("/chat/completions", "/completions")
    assert made.ask(path, {"prompt": f"{prompt}\n旅人: 铜钥匙呢？", "max_tokens": 10}).status == 200
    assert made.ended()[0].outcome == "filled"


def test_a_server_that_cuts_in_silence_is_told_of(story):
    usage: dict[str, Any] = {"prompt_tokens": 1_100, "completion_tokens": 3}

    def script(_asked):
        def say(asked):
            choice = {"message": {"role": "assistant", "content": "好。"}, "finish_reason": "stop"}
            asked.whole(json.dumps({"choices": [choice], "usage": usage}).encode())

        return say

    made = story(script)
    rows = [{**SYSTEM, "content": "规则。" * 1_000}, *messages()[1:]]
    assert made.ask(PATH, {"messages": rows}).status == 200
    for _ in range(2_000):
        if made.ended()[0].failure:
            break
        threading.Event().wait(0.005)
    assert "1100 of about" in made.ended()[0].failure
    usage["prompt_tokens_details"] = {"cached_tokens": 5_000}
    assert made.ask(PATH, {"messages": rows}).status == 200
    made.ended(2)
    made.server.stop()
    made.server.join()
    assert "of about" not in made.exchanges[0].failure


# A request that shows more of a line than the end of it that is known by its texts.


def test_a_request_of_hundreds_of_messages_is_known_from_its_first_on(serve, open_memory, tmp_path):
    rows = [(("旅人", "爱丽丝")[n % 2], f"第{n}句：钟楼里有{n * 7}级台阶。") for n in range(700)]
    with Upstream(replies) as up:
        memory = open_memory(**model_at(up.url, "m"))
        line = Line.main(import_chat(memory, tmp_path / "长谈.jsonl", rows))
        memory.events.add(line, make_extraction(HIDDEN), SourceRange(0, 99))
        memory.events.add(line, make_extraction("他们数了台阶。"), SourceRange(100, 399))
        said = [
            {"role": "user" if name == "旅人" else "assistant", "content": text}
            for name, text in rows[100:]
        ]
        said[0:0] = [SYSTEM]
        said[300]["content"] = "这一句在前端里改过了。"
        said.append({"role": "user", "content": "铜钥匙在哪里？"})
        made = serve(memory=memory)
        assert made.ask("/v1/chat/completions", {"messages": said}).status == 200
        exchange = made.ended()[0]
        floors = dict(exchange.identity.floors)
        assert floors == {n - 99: n for n in range(100, 700) if n != 399}
        told = up.asked[-1].json["messages"][1]["content"]
        assert HIDDEN in told  # what the request does not show
        quoted = {int(number) for number in re.findall(r"第(\d+)句", told)}
        assert quoted <= set(range(100))  # what it shows is not told again
        memory.settings.set("serve.window", 300)
        assert made.ask("/v1/chat/completions", {"messages": said}).status == 200
        assert made.ended(2)[0].left_out == 298  # floors 100 to 398, but for the one before a turn
