"""Structured answers, and what is overheard of forwarded ones."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import BadAnswer, LlmError, ServerError
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.answers import _Notes, accept_answer, extract, read_json, search
from engram_desktop.llm.client import Client, Retry, ToolCall
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.llm.forwarding import NOTHING_HEARD, Overheard, overheard
from engram_desktop.llm.session import DeltaBuffer
from tests.fake_openai import FakeOpenAI, Status

# From whatever a model says to events, or to an honest error.

EVENT = {
    "summary": "旅人在月光酒馆遇见爱丽丝。",
    "keywords": ["月光酒馆"],
    "timestamp": "第35天 傍晚",
    "location": "月光酒馆",
    "entities": [{"name": "爱丽丝", "type": "char"}],
    "relations": [],
    "details": "",
    "significance_score": 0.6,
}
GOOD = json.dumps({"events": [EVENT]}, ensure_ascii=False)
ASK = [{"role": "user", "content": "…"}]
BROKEN = "{not json at all"


def extract_from(server, *, client=None):
    client = client or Client(Endpoint(server.url, "m", timeout=5), retry=Retry(2, 0.0, 5.0))

    async def main():
        async with client.session() as session:
            return await extract(session, ASK, max_tokens=900)

    return run_async(NullContext(), main())


def say(*answers):
    """Answer with each in turn, the last for ever."""
    left = list(answers)
    return lambda body: left.pop(0) if len(left) > 1 else left[0]


def test_schema_is_asked_for_and_read():
    with FakeOpenAI(answer=say(GOOD)) as server:
        got = extract_from(server)
    assert [event.summary for event in got.events] == [EVENT["summary"]]
    assert got.warnings == ()
    assert got.calls == 1
    assert got.raw == GOOD
    body = server.bodies()[0]
    assert body["response_format"]["type"] == "json_schema"
    assert body["max_tokens"] == 900


def test_refused_formats_are_left_out_and_remembered():
    with FakeOpenAI(answer=say(GOOD), faults=["no-format"]) as server:
        client = Client(Endpoint(server.url, "m"), retry=Retry(2, 0.0, 5.0))
        extract_from(server, client=client)
        extract_from(server, client=client)
    kinds = [body.get("response_format", {}).get("type") for body in server.bodies()]
    assert kinds == ["json_schema", "json_object", None, None]


def test_refused_schema_falls_back_to_json_mode():
    with FakeOpenAI(answer=say(GOOD), faults=["no-schema"]) as server:
        assert extract_from(server).events
    kinds = [body["response_format"]["type"] for body in server.bodies()]
    assert kinds == ["json_schema", "json_object"]


def test_error_that_is_not_about_the_format_is_told_and_nothing_is_learned():
    words = Status(400, "the context is too long")
    with FakeOpenAI(answer=say(GOOD), faults=[words] * 3) as server:
        client = Client(Endpoint(server.url, "m"), retry=Retry(2, 0.0, 5.0))
        with pytest.raises(ServerError, match="context is too long"):
            extract_from(server, client=client)
        assert client.learned == set()


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{GOOD}\n```",
        f"Here is what happened:\n\n{GOOD}\n\nLet me know if you need more!",
        f'<think>The user wants {{"events": []}} I guess</think>\n{GOOD}',
        f"the template opened the thought already…</think>{GOOD}",
        f"```\n{GOOD}",
        GOOD[:-1] + ",}",
        json.dumps([EVENT]),
        json.dumps(EVENT),
        GOOD.replace('"keywords": ["月光酒馆"]', '"keywords": "月光酒馆"'),
        "\ufeff" + GOOD,
        GOOD.replace("傍晚", "傍晚\n"),
    ],
)
def test_wrapped_or_bruised_answer_needs_no_second_call(answer):
    with FakeOpenAI(answer=say(answer)) as server:
        got = extract_from(server)
    assert got.events[0].summary == EVENT["summary"]
    assert got.calls == 1


def test_nothing_worth_remembering_is_an_answer():
    with FakeOpenAI(answer=say('{"events": []}')) as server:
        got = extract_from(server)
    assert got.events == ()
    assert got.warnings == ()
    assert got.calls == 1


def test_prose_gets_one_repair_round_that_lists_the_faults():
    with FakeOpenAI(answer=say(GOOD), faults=["garbage"]) as server:
        got = extract_from(server)
    assert got.events
    assert got.calls == 2
    assert got.prompt_tokens == sum(
        sum(len(m["content"]) for m in body["messages"]) for body in server.bodies()
    )
    again = server.bodies()[1]["messages"]
    assert [m["role"] for m in again] == ["user", "assistant", "user"]
    assert "no JSON object" in again[-1]["content"]


def test_every_fault_of_an_unusable_answer_is_listed():
    bad = json.dumps({"events": [{"summary": ""}, "x", {"keywords": 7}]})
    with FakeOpenAI(answer=say(bad, GOOD)) as server:
        assert extract_from(server).events
    listed = server.bodies()[1]["messages"][-1]["content"]
    assert "events[0].summary" in listed
    assert "events[1]" in listed
    assert "events[2].summary" in listed


def test_answer_that_stays_prose_is_kept_for_the_user():
    with FakeOpenAI(faults=["garbage", "garbage"]) as server:
        with pytest.raises(BadAnswer) as caught:
            extract_from(server)
        assert len(server.seen) == 2
    assert "the heroes met" in caught.value.raw.lower()
    assert "no JSON object" in str(caught.value)


def test_empty_answer_is_asked_again_without_an_echo():
    with FakeOpenAI(answer=say("", GOOD)) as server:
        assert extract_from(server).events
    assert [m["role"] for m in server.bodies()[1]["messages"]] == ["user", "user"]


def test_faults_that_left_events_are_warnings():
    odd = json.dumps({"events": [EVENT, {"summary": ""}, EVENT | {"relations": [{"subject": 1}]}]})
    with FakeOpenAI(answer=say(odd)) as server:
        got = extract_from(server)
    assert len(got.events) == 2
    assert {fault.path for fault in got.warnings} == {"events[1].summary", "events[2].relations[0]"}
    assert got.calls == 1


@pytest.mark.parametrize("end", ['"details"', '"location"', '"keywords"', "]"])
def test_half_an_answer_is_asked_again_though_the_server_calls_it_whole(end):
    half = GOOD[: GOOD.rindex(end)]
    with FakeOpenAI(answer=say(half, GOOD)) as server:
        got = extract_from(server)
    assert got.events[0].timestamp == EVENT["timestamp"]
    assert got.warnings == ()
    assert got.calls == 2
    assert "stops in its middle" in server.bodies()[1]["messages"][-1]["content"]


def test_answer_that_stays_half_is_none_and_is_kept_at_its_longest():
    long, short = GOOD[: GOOD.index('"details"')], GOOD[: GOOD.index('"location"')]
    with FakeOpenAI(answer=say(long, short)) as server:
        with pytest.raises(BadAnswer, match="stops in its middle") as caught:
            extract_from(server)
        assert len(server.seen) == 2
    assert caught.value.raw == long
    assert [e.summary for e in accept_answer(long).events] == [EVENT["summary"]]


def test_half_of_a_long_answer_is_no_answer_either():
    many = json.dumps({"events": [EVENT] * 400}, ensure_ascii=False)
    assert len(many) > 64_000
    assert read_json(many[:-40]).is_half
    assert not read_json(many).is_half


def test_cut_answer_is_asked_again_and_the_whole_one_wins():
    cut = GOOD[: GOOD.index("第35天")]
    with FakeOpenAI(answer=say(cut, GOOD), faults=["length"]) as server:
        got = extract_from(server)
    assert got.events[0].timestamp == "第35天 傍晚"
    assert got.warnings == ()
    assert "cut off" in server.bodies()[1]["messages"][-1]["content"]


def test_answer_cut_twice_gives_what_there_is_with_a_warning():
    with FakeOpenAI(answer=say(GOOD), faults=["length", "length"]) as server:
        got = extract_from(server)
    assert got.events
    assert any("cut off" in fault.message for fault in got.warnings)


@pytest.mark.parametrize(
    "field",
    [
        '"significance_score": NaN',
        '"significance_score": 1e999',
        '"significance_score": -Infinity',
        '"significance_score": ' + "9" * 5000,
        '"details": ' + "9" * 5000,
        '"details": 1e999',
        '"details": "lone \\ud83d surrogate and \\u0000"',
        '"details": ' + "[" * 500 + "]" * 500,
        '"details": "x", "details": "y"',
        '"details": null, "keywords": null, "entities": null',
        '"timestamp": 18446744073709551616',
    ],
)
def test_hostile_values_never_escape(field):
    answer = '{"events": [{"summary": "It rained.", ' + field + "}]}"
    with FakeOpenAI(answer=say(answer)) as server:
        got = extract_from(server)
    [event] = got.events
    assert 0.0 <= event.significance_score <= 1.0
    stored = json.dumps(event.to_json(), allow_nan=False, ensure_ascii=False)
    stored.encode("utf-8")
    assert "\\u0000" not in stored
    assert len(stored) < 1000


def test_bottomless_nesting_is_a_bad_answer_not_a_crash():
    answer = '{"events": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with FakeOpenAI(answer=say(answer)) as server, pytest.raises(BadAnswer):
        extract_from(server)


@pytest.mark.parametrize("layers", ['{"a": %s}', "[%s]"])
def test_what_is_nested_too_deep_is_left_out_and_said(layers):
    answer = "1"
    for _layer in range(60):
        answer = layers % answer
    read = read_json(answer)
    assert json.dumps(read.value).count(layers[0]) == 40
    assert ["nested too deep" in str(fault) for fault in read.faults] == [True]


def test_ten_thousand_entities_and_endless_names_are_cut():
    endless = "".join(map(str, range(20_000)))
    entities = [{"name": f"E{n}" if n else endless} for n in range(10_000)]
    answer = json.dumps({"events": [EVENT | {"entities": entities}]})
    with FakeOpenAI(answer=say(answer)) as server:
        got = extract_from(server)
    assert len(got.events[0].entities) == 40
    assert max(len(e.name) for e in got.events[0].entities) <= 80


@given(st.text(max_size=300) | st.text(alphabet='{}[]",:\\eE0-9ntul `<>/thik\n', max_size=200))
def test_reading_never_raises(text):
    found = read_json(text)
    assert found.value is None or isinstance(found.value, dict | list)
    json.dumps(found.value, allow_nan=False)


@pytest.mark.parametrize("thoughts", [40, 41, 64])
def test_what_comes_after_many_broken_thoughts_is_found(thoughts):
    """Each opens a quotation that only the next one ends."""
    found = search("嗯" + '{"a": "想</think>' * thoughts + '{"summary": "好"}')
    assert found.span is not None
    assert found.span.value == {"summary": "好"}


def test_of_many_faults_of_an_answer_twenty_are_told():
    notes = _Notes()
    for number in range(25):
        notes.add(f"fault {number}")
    assert [fault.message for fault in notes.faults] == [f"fault {n}" for n in range(20)]


# Answers that are heard while they arrive, and the tools they call.

TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]


def ask(server, heard, **options):
    client = Client(Endpoint(server.url, "fake-chat", "", 10.0), retry=Retry(2, 0.0, 5.0))

    async def run():
        async with client.session() as session:
            return await session.chat(
                [{"role": "user", "content": "?"}],
                on_delta=lambda kind, text: heard.append((kind, text)),
                **options,
            )

    return asyncio.run(run())


@pytest.mark.parametrize("fault", [None, "whole", "mistyped", "no-usage"])
def test_every_character_is_heard_once_and_whole(fault):
    text = "😀字😀ab😀" * 5
    heard: list[tuple[str, str]] = []
    with FakeOpenAI(answer=lambda body: text, faults=[fault] if fault else []) as server:
        assert ask(server, heard).text == text
    assert "".join(piece for _kind, piece in heard) == text
    assert all(piece.isprintable() for _kind, piece in heard)


def test_what_was_begun_to_be_heard_is_not_asked_again():
    heard: list[tuple[str, str]] = []
    with FakeOpenAI(answer=lambda body: "abcdef", faults=["cut"]) as server:
        with pytest.raises(LlmError):
            ask(server, heard)
        assert len(server.bodies()) == 1
        server.faults[:] = [500]
        heard.clear()
        assert ask(server, heard).text == "abcdef"
        assert len(server.bodies()) == 3


@pytest.mark.parametrize("fault", [None, "whole"])
def test_calls_of_tools_are_put_together(fault):
    calls = [("update_vwd", {"ops": [{"op": "add"}]}), ("expression", {"name": "笑"})]
    with FakeOpenAI(
        answer=lambda body: "ok", calls=lambda body: calls, faults=[fault] if fault else []
    ) as server:
        answer = ask(server, [], tools=TOOLS)
    assert [call.name for call in answer.tool_calls] == ["update_vwd", "expression"]
    assert answer.tool_calls[0] == ToolCall("update_vwd", '{"ops": [{"op": "add"}]}')


def test_half_a_character_waits_for_the_other_half():
    heard: list[tuple[str, str]] = []
    deltas = DeltaBuffer(lambda kind, text: heard.append((kind, text)))
    for piece in ("a\ud83d", "", "\ude00", "b\ud83d"):
        deltas.add("text", piece)
    deltas.add("thought", "\ud83d")
    deltas.end()
    assert heard[:2] == [("text", "a"), ("text", "😀")]
    assert [text for kind, text in heard if kind == "thought"] == ["�"]


# The reply is read from the bytes that passed, in whatever shape they came.

SSE = "text/event-stream; charset=utf-8"
JSON = "application/json"


def piece(text, **fields):
    choice = {"index": 0, "delta": {"content": text}, **fields}
    return "data: " + json.dumps({"choices": [choice]}, ensure_ascii=False)


STOP = piece("", finish_reason="stop")


@pytest.mark.parametrize(
    "body",
    [
        f"{piece('你')}\n\n{piece('好')}\n\ndata: [DONE]\n\n",
        f"{piece('你')}\r\n\r\n: ping\r\n\r\n{piece('好')}\r\n\r\ndata: [DONE]",
        f"\ufeffevent: x\nid: 1\n{piece('你')}\n{piece('好')}\n{STOP}\n",
        f"{piece('你')}\n\n{piece('x', index=1)}\n\n{piece('好')}\n\n{STOP}",
        f'{piece("你好")}\n\ndata: {{"choices":[],\ndata:  "usage":{{}}}}\n\ndata:[DONE]\n\n',
    ],
)
def test_pieces_are_put_together(body):
    heard = overheard(body.encode(), SSE)
    assert heard.text == "你好"
    assert heard.is_whole


@pytest.mark.parametrize(
    "body",
    [
        f"{piece('half')}\n\n",
        f"{piece('half')}\n\ndata: {{\n\n",
        f'{piece("a")}\n\ndata: {{"error":{{"message":"x"}}}}\n\ndata: [DONE]\n\n',
        "",
    ],
)
def test_a_stream_that_broke_off_is_not_whole(body):
    assert not overheard(body.encode(), SSE).is_whole


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}, "hi"),
        ({"choices": [{"text": "hi", "finish_reason": "length"}]}, "hi"),
        ({"choices": [{"message": {"content": [{"type": "text", "text": "hi"}]}}]}, "hi"),
        ({"choices": [{"index": 1}, {"index": 0, "message": {"content": "hi"}}]}, "hi"),
    ],
)
def test_a_whole_body_is_read(body, text):
    raw = json.dumps(body).encode()
    assert overheard(raw, JSON).text == text
    assert overheard(gzip.compress(raw), JSON, "gzip").text == text
    assert overheard(zlib.compress(raw), JSON, "deflate").text == text


@pytest.mark.parametrize(
    ("body", "kind", "packing"),
    [
        (b"<html>", "text/html", ""),
        (b"\xff\xfe\x00", JSON, ""),
        (b"[" * 100_000, JSON, ""),
        (b"{}", JSON, "br"),
        (b"not packed", JSON, "gzip"),
        (json.dumps({"choices": "x"}).encode(), JSON, ""),
        (json.dumps({"choices": [{"message": 1}]}).encode(), JSON, ""),
        (gzip.compress(b" " * 20_000_000), JSON, "gzip"),
    ],
)
def test_what_cannot_be_read_is_no_reply(body, kind, packing):
    heard = overheard(body, kind, packing)
    assert heard in (NOTHING_HEARD, Overheard("", "", is_whole=True))


def test_half_an_emoji_is_mended():
    body = (
        f'{piece("x")}\n\ndata: {{"choices":[{{"delta":{{"content":"\\ud83d"}}}}]}}\n\ndata: [DONE]'
    )
    assert overheard(body.encode(), SSE).text == "x\ufffd"
