"""Requests to a model and its streamed answers."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import tracemalloc
from typing import Any

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import (
    AnswerTooLong,
    BadAnswer,
    BadEndpoint,
    ModelLoops,
    RateLimited,
    Refused,
    ServerError,
    Unreachable,
)
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm import connection
from engram_desktop.llm.client import CallRecord, Client, Retry
from engram_desktop.llm.connection import AnswerNotJson, BadProxy, _Parts, trust_of
from engram_desktop.llm.embedding.http_embedder import HttpEmbedder, Reranker
from engram_desktop.llm.endpoint import NO_PROXY, Endpoint
from engram_desktop.llm.probe import list_models
from engram_desktop.llm.session import _choice
from tests.contexts import TokenContext
from tests.fake_openai import MB, FakeOpenAI, Fault, Status

# Every fault of transport, against a real server on this computer.

KEY = "sk-canarycanarycanary"
AT_ONCE = Retry(attempts=3, first_wait=0.0, total=5.0)
HELLO = [{"role": "user", "content": "hello"}]


def client_for(server, **over):
    values: dict[str, Any] = {"key": KEY, "timeout": 5.0} | over
    return Client(Endpoint(server.url, "fake-chat", **values), retry=AT_ONCE)


def chat(client, ctx=None, **options):
    async def main():
        async with client.session() as session:
            return await session.chat(HELLO, **options)

    return run_async(ctx or NullContext(), main())


def test_answer_and_usage_arrive():
    records: list[CallRecord] = []
    with FakeOpenAI(answer=lambda body: "hi") as server:
        client = Client(Endpoint(server.url, "fake-chat", KEY), records.append, AT_ONCE)
        answer = chat(client, max_tokens=7)
    assert (answer.text, answer.is_cut) == ("hi", False)
    assert (answer.prompt_tokens, answer.completion_tokens) == (5, 2)
    assert server.seen[0].body == {
        "model": "fake-chat",
        "messages": HELLO,
        "max_tokens": 7,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    [record] = records
    assert (record.task, record.model, record.prompt_tokens) == ("chat", "fake-chat", 5)
    assert record.is_ok
    assert not record.is_estimate


def test_usage_is_estimated_when_the_server_gives_none():
    records: list[CallRecord] = []
    with FakeOpenAI(answer=lambda body: "爱丽丝", usage=False) as server:
        chat(Client(Endpoint(server.url, "m"), records.append, AT_ONCE))
    assert records[0].is_estimate
    assert records[0].prompt_tokens > 0
    assert records[0].completion_tokens > 0


def test_nothing_of_the_environment_is_sent(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "leaked")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Leak: leaked\nAuthorization: Bearer leaked")
    with FakeOpenAI() as server:
        chat(client_for(server))
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Ä: leaked")  # no header can be called so
        chat(client_for(server, key=""))
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in server.seen[1].headers
    assert "leaked" not in str(server.seen)
    assert not [name for name in server.seen[0].headers if name.startswith("x-")]


@pytest.mark.parametrize("fault", [429, 500, 502, 503, "cut", "empty"])
def test_passing_fault_is_tried_again(fault):
    with FakeOpenAI(answer=lambda body: "hi", faults=[fault, fault]) as server:
        assert chat(client_for(server)).text == "hi"
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("fault", "error"),
    [(429, RateLimited), (500, ServerError), ("cut", Unreachable), ("empty", ServerError)],
)
def test_lasting_fault_gives_up_after_the_last_attempt(fault, error):
    with FakeOpenAI(faults=[fault] * 20) as server, pytest.raises(error):
        chat(client_for(server))
    assert len(server.seen) == AT_ONCE.attempts


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (401, Refused, "forced"),
        (403, Refused, "forced"),
        (404, ServerError, "forced"),
        (Status(400, "context length exceeded"), ServerError, "context length exceeded"),
        (Status(402, "Insufficient Balance"), ServerError, "Insufficient Balance"),
        (Status(429, "pay first", error_code="insufficient_quota"), RateLimited, "pay first"),
        ("html", BadEndpoint, "web page"),
        ("in-band", ServerError, "no credit left"),
    ],
)
def test_fault_that_will_not_pass_is_told_at_once(fault, error, words):
    with FakeOpenAI(faults=[fault]) as server, pytest.raises(error) as caught:
        chat(client_for(server))
    assert words in str(caught.value)
    assert len(server.seen) == 1


def test_missing_v1_is_an_address_trouble():
    with FakeOpenAI() as server:
        client = Client(Endpoint(server.url.removesuffix("/v1"), "m"), retry=AT_ONCE)
        with pytest.raises(BadEndpoint, match="/v1"):
            chat(client)


def test_wait_longer_than_allowed_is_not_waited_for():
    fault = Status(429, "slow down", retry_after="600")
    with FakeOpenAI(faults=[fault]) as server, pytest.raises(RateLimited) as caught:
        chat(client_for(server))
    assert caught.value.params["retry_after"] == 600
    assert len(server.seen) == 1


def test_retry_after_as_a_date_is_honoured():
    fault = Status(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT")  # long past: at once
    with FakeOpenAI(answer=lambda body: "hi", faults=[fault]) as server:
        assert chat(client_for(server)).text == "hi"


def test_redirect_carries_neither_story_nor_key():
    with FakeOpenAI(faults=["redirect"]) as server:
        with pytest.raises(BadEndpoint, match="redirects to"):
            chat(client_for(server))
        assert server.elsewhere == []
    assert len(server.seen) == 1


def test_slow_server_is_left_after_the_time_out_and_not_asked_again():
    with FakeOpenAI(faults=["hang", "hang"]) as server:
        with pytest.raises(Unreachable, match=r"0\.2 s"):
            chat(client_for(server, timeout=0.2))
        assert len(server.seen) == 1


def cancel_once_arrived(client, server):
    ctx = TokenContext()

    async def main():
        async with client.session() as session:
            asking = asyncio.ensure_future(session.chat(HELLO))
            await asyncio.to_thread(server.arrived.wait, 10)
            ctx.token.cancel()
            return await asking

    with pytest.raises(Cancelled):
        run_async(ctx, main())


def test_cancel_interrupts_a_hanging_request():
    records: list[CallRecord] = []
    with FakeOpenAI(faults=["hang"]) as server:
        client = Client(Endpoint(server.url, "m", timeout=60), records.append, AT_ONCE)
        cancel_once_arrived(client, server)
    assert records[0].error == "cancelled"


def test_cancel_interrupts_the_wait_between_attempts():
    with FakeOpenAI(faults=[Status(429, retry_after="60")]) as server:
        client = Client(Endpoint(server.url, "m"), retry=Retry(3, 1.0, 600.0))
        cancel_once_arrived(client, server)
        assert len(server.seen) == 1


def test_refused_connection_and_unknown_host_are_unreachable():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(Unreachable):
            chat(Client(Endpoint(f"http://127.0.0.1:{port}/v1", "m"), retry=AT_ONCE))
    with pytest.raises(Unreachable):
        chat(Client(Endpoint("http://no-such-host.invalid/v1", "m"), retry=AT_ONCE))


def test_tls_to_a_plain_server_is_told_as_such():
    with FakeOpenAI() as server:
        url = server.url.replace("http://", "https://")
        with pytest.raises(Unreachable, match="TLS"):
            chat(Client(Endpoint(url, "m"), retry=AT_ONCE))


def test_error_masks_a_key_that_the_server_repeats():
    with FakeOpenAI(needs_key="another") as server, pytest.raises(Refused) as caught:
        chat(client_for(server))
    assert KEY not in str(caught.value)
    assert "[key]" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "is_read"),
    [
        ("http://127.0.0.1:1234/v1", False),
        ("https://127.0.0.1:1234/v1", True),
        ("http://example.test/v1", True),
    ],
)
def test_certificates_are_read_where_they_may_be_asked_for(url, is_read):
    """A plain address elsewhere may be asked through a proxy that speaks TLS."""
    trusted = trust_of(Endpoint(url, "m"))
    assert (trusted is True) == is_read
    if isinstance(trusted, ssl.SSLContext):
        assert trusted.get_ca_certs() == []
        assert trusted.verify_mode == ssl.CERT_REQUIRED


@pytest.mark.parametrize("is_query", [True, False])
def test_a_text_that_somebody_waits_for_is_embedded_or_not_at_once(is_query):
    with FakeOpenAI(faults=[Status(503)]) as server:
        patient = HttpEmbedder(Client(Endpoint(server.url, "m"), retry=AT_ONCE))
        hasty = patient if is_query else patient.once()
        with pytest.raises(ServerError):
            hasty.embed(["月光"], NullContext(), query=is_query)
        assert len(patient.embed(["月光"], NullContext())) == 1
    assert len(server.seen) == 2


def test_proxy_of_the_environment_is_never_used_for_this_computer(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody listens there
    with FakeOpenAI(answer=lambda body: "hi") as server:
        assert chat(client_for(server)).text == "hi"


def test_proxy_that_is_down_is_unreachable(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(Unreachable):
        chat(Client(Endpoint("http://example.test/v1", "m"), retry=AT_ONCE))


def test_proxy_of_an_unknown_kind_says_so(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "gopher://127.0.0.1:9")
    with pytest.raises(BadProxy):
        chat(Client(Endpoint("http://example.test/v1", "m"), retry=AT_ONCE))


def test_a_proxy_of_the_settings_is_asked_instead_of_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with FakeOpenAI(answer=lambda body: "hi") as server:
        far = Endpoint("http://example.test/v1", "m", proxy=server.url.removesuffix("/v1"))
        with pytest.raises(BadEndpoint, match="404"):  # the server's own word to a proxy's request
            chat(Client(far, retry=AT_ONCE))
        near = Endpoint(server.url, "m", proxy="http://127.0.0.1:9")
        assert chat(Client(near, retry=AT_ONCE)).text == "hi"
    straight = Endpoint("http://example.invalid/v1", "m", proxy=NO_PROXY)
    with pytest.raises(Unreachable) as raised:
        chat(Client(straight, retry=AT_ONCE))
    assert "127.0.0.1" not in str(raised.value)


def test_a_proxy_without_an_address_sends_nothing():
    with pytest.raises(BadProxy, match="empty"):
        chat(Client(Endpoint("http://example.test/v1", "m", proxy=""), retry=AT_ONCE))


def test_answer_in_parts_is_joined():
    parts = [{"type": "text", "text": "he"}, {"type": "image"}, "?", {"text": "llo"}]
    answer = {"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}
    assert _choice(answer) == ("hello", "stop")
    odd: Any
    for odd in ({}, {"choices": []}, {"choices": [{"message": None}]}, {"choices": "x"}):
        assert _choice(odd) == ("", "")


def test_many_requests_share_a_session():
    with FakeOpenAI(answer=lambda body: body["messages"][0]["content"]) as server:
        client = client_for(server)

        async def main():
            async with client.session() as session:
                asked = [
                    session.chat([{"role": "user", "content": str(number)}]) for number in range(20)
                ]
                return [answer.text for answer in await asyncio.gather(*asked)]

        assert run_async(NullContext(), main()) == [str(number) for number in range(20)]


def test_filtered_answer_is_refused():
    with (
        FakeOpenAI(answer=lambda body: "partial", faults=["filter"]) as server,
        pytest.raises(BadAnswer, match="content filter") as caught,
    ):
        chat(client_for(server))
    assert caught.value.raw == "partial"


# Answers as they arrive: in pieces or whole, without end, with half characters and odd counts.

ONCE = Retry(attempts=1)
ASK = [{"role": "user", "content": "hello"}]
TEXT = '{"events": [{"summary": "爱丽丝🍺在月光酒馆。"}]}'


def raw_client_for(server, records=None, **over):
    on_call = (records if records is not None else []).append
    return Client(Endpoint(server.url, "m", **({"timeout": 20.0} | over)), on_call, ONCE)


def raw_chat(client, messages=ASK):
    async def main():
        async with client.session() as session:
            return await session.chat(messages)

    return run_async(NullContext(), main())


@pytest.mark.parametrize(
    "fault", [None, "whole", "mistyped", "unfinished", "no-stream", "no-usage"]
)
def test_an_answer_arrives_whole_however_it_is_sent(fault):
    with FakeOpenAI(answer=lambda body: TEXT, faults=[fault] if fault else []) as server:
        answer = raw_chat(raw_client_for(server))
    assert (answer.text, answer.is_cut) == (TEXT, False)
    assert answer.completion_tokens > 0


def test_the_end_of_a_stream_is_seen_though_the_connection_stays_open():
    with FakeOpenAI(answer=lambda body: TEXT, faults=["open-end"]) as server:
        answer = raw_chat(raw_client_for(server))
    assert answer.text == TEXT
    assert answer.completion_tokens == len(TEXT)


@pytest.mark.parametrize(("fault", "refused"), [("no-stream", 2), ("no-usage", 1)])
def test_fields_that_a_server_refuses_are_sent_once_only(fault, refused):
    with FakeOpenAI(answer=lambda body: TEXT, faults=[fault]) as server:
        client = raw_client_for(server)
        raw_chat(client)
        raw_chat(client)
    assert len(server.seen) == refused + 2
    assert "stream_options" not in server.bodies()[-1]


def test_an_error_that_is_not_about_pieces_is_told_at_once():
    with FakeOpenAI(faults=[Status(400, "the context is too long")]) as server:
        with pytest.raises(ServerError, match="too long"):
            raw_chat(raw_client_for(server))
        assert len(server.seen) == 1


def test_an_error_in_the_middle_of_a_stream_is_told():
    with (
        FakeOpenAI(answer=lambda body: TEXT, faults=["broke-off"]) as server,
        pytest.raises(ServerError, match="overloaded"),
    ):
        raw_chat(raw_client_for(server))


def test_the_time_out_holds_for_an_answer_that_goes_silent():
    with FakeOpenAI(answer=lambda body: TEXT, faults=["late"]) as server:
        with pytest.raises(Exception, match=r"no complete answer within 0\.5 s"):
            raw_chat(raw_client_for(server, timeout=0.5))
        assert len(server.seen) == 1


def ask_everything(server):
    endpoint = Endpoint(server.url, "m", timeout=20.0)
    yield lambda: raw_chat(raw_client_for(server))
    yield lambda: HttpEmbedder(raw_client_for(server)).embed(["月光"], NullContext())
    yield lambda: Reranker(raw_client_for(server)).rerank("月光", ["月光"], NullContext())
    yield lambda: list_models(endpoint, NullContext())


@pytest.mark.parametrize("task", range(4))
@pytest.mark.parametrize(("fault", "error"), [("bomb", AnswerTooLong), ("long-error", ServerError)])
def test_no_answer_takes_more_memory_than_it_may(task, fault, error):
    with FakeOpenAI(faults=[fault]) as server:
        ask = list(ask_everything(server))[task]
        with pytest.raises(error):
            ask()  # what is imported at the first request, and the bomb itself, are not measured
        server.faults.append(fault)
        tracemalloc.start()
        try:
            with pytest.raises(error) as caught:
                ask()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    made_by_the_fake = 101 * MB if fault == "long-error" else 3 * MB
    assert peak - made_by_the_fake < 60 * MB
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("piece", ["la ", "\n", "哈", '{"summary": "x"}, '])
@pytest.mark.parametrize("fault", [None, "whole"])
def test_a_model_that_repeats_itself_without_end_is_stopped(piece, fault):
    faults = [fault] if fault else []
    with FakeOpenAI(answer=lambda body: '{"a": "' + piece * 60_000, faults=faults) as server:
        with pytest.raises(ModelLoops) as caught:
            raw_chat(raw_client_for(server))
        assert len(server.seen) == 1
    assert "without end" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(caught.value.raw) <= 2_000


def test_a_loop_that_ran_into_the_token_limit_is_named():
    looping = "x" + "la " * 2_000
    with (
        FakeOpenAI(answer=lambda body: looping, faults=["length"]) as server,
        pytest.raises(ModelLoops),
    ):
        raw_chat(raw_client_for(server))


def test_text_without_end_is_not_read_to_its_end():
    endless = "".join(map(str, range(300_000)))
    with FakeOpenAI(answer=lambda body: endless) as server, pytest.raises(AnswerTooLong):
        raw_chat(raw_client_for(server))


def test_half_an_emoji_never_passes_either_way():
    half = '{"a": "x\ud83d", "b": "\udf7a\x00"}'
    both: list[list[Fault | Status]] = [[], ["whole"]]
    for faults in both:
        with FakeOpenAI(answer=lambda body: half, faults=faults) as server:
            answer = raw_chat(raw_client_for(server), [{"role": "user", "content": "half \ud83d"}])
        assert answer.text == '{"a": "x\ufffd", "b": "\ufffd"}'
        assert server.bodies()[0]["messages"][0]["content"] == "half \ufffd"


def test_half_an_emoji_in_the_words_of_an_error_can_be_shown():
    with (
        FakeOpenAI(faults=[Status(400, "bad \ud83d thing")]) as server,
        pytest.raises(ServerError) as caught,
    ):
        raw_chat(raw_client_for(server))
    assert str(caught.value).encode("utf-8")


@pytest.mark.parametrize("odd", [2**63, -1, 10**400, "many", True, 1.5, [], None])
def test_an_odd_count_of_tokens_is_estimated(odd):
    usage = {"prompt_tokens": odd, "completion_tokens": odd}
    records: list[CallRecord] = []
    with FakeOpenAI(answer=lambda body: TEXT, usage=usage) as server:
        answer = raw_chat(raw_client_for(server, records))
    assert records[0].is_estimate
    assert 0 < answer.completion_tokens < 100
    assert 0 < answer.prompt_tokens < 100


def test_counts_and_positions_given_as_text_are_read():
    usage = {"prompt_tokens": "12", "completion_tokens": "3"}
    with FakeOpenAI(answer=lambda body: TEXT, usage=usage, faults=["text-index"]) as server:
        rows = HttpEmbedder(raw_client_for(server)).embed(["月光", "moon"], NullContext())
        assert raw_chat(raw_client_for(server)).prompt_tokens == 12
    with FakeOpenAI() as server:
        assert (
            rows == HttpEmbedder(raw_client_for(server)).embed(["月光", "moon"], NullContext())
        ).all()


@pytest.mark.parametrize("results", [{"a": 1}, "x", 7, [{"index": 0, "relevance_score": 10**400}]])
def test_odd_results_of_a_reranker_are_a_known_trouble(results):
    class Odd(FakeOpenAI):
        @override
        def rerank(self, body):
            return {"results": results, "data": [1]}

    with Odd() as server, pytest.raises(BadAnswer):
        Reranker(raw_client_for(server)).rerank("月光", ["月光"], NullContext())


def test_pieces_without_a_blank_between_them_are_read():
    lines = [
        ": hello",
        'data: {"choices": [{"index": 1, "delta": {"content": "other"}}]}',
        'data:{"choices": [{"delta": {"content": "a", "reasoning_content": "hm"}}]}',
        "event: message",
        '{"choices": [{"message": {"content": "b"}, "finish_reason": "stop"}]}',
    ]
    answer = connection.stream_of_text("\n".join(lines))
    assert answer["choices"][0]["message"]["content"] == "ab"
    assert json.dumps(answer)


def test_a_stream_in_which_nothing_arrives_is_no_answer():
    parts = _Parts()
    assert parts.take(": the connection is kept open") is False
    with pytest.raises(AnswerNotJson):
        parts.answer()
    assert parts.take("data: [DONE]") is True
    assert parts.answer()["choices"][0]["message"]["content"] == ""
