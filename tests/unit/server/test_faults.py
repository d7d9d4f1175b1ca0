"""Whatever an endpoint or a client does: the program that asked is told, nothing hangs, and the
server goes on."""

from __future__ import annotations

import threading

import pytest

from engram_desktop.llm.forwarding import Forwarding
from engram_desktop.server import forward
from tests.upstream import DONE, RawClient, Upstream, delta, unchunked

BODY = b'{"messages":[{"role":"user","content":"hello"}],"stream":true}'


@pytest.fixture
def served(serve):
    """A server for an upstream that a test scripts."""

    def start(up, **options):
        return serve({"llm.base_url": up.url, "llm.model": "m"}, **options)

    return start


def goes_on(served):
    """The server still answers, and the exchange is over."""
    assert served.ask("/v1/nowhere").status == 404
    return served.ended()[0]


def test_an_answer_that_is_cut_is_cut_for_the_client_too(served):
    def script(asked):
        asked.begin()
        asked.chunk(delta("half"))
        asked.connection.close()

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", BODY, made.key)
            _head, body, is_whole = unchunked(client.rest())
        exchange = goes_on(made)
    assert body == delta("half")
    assert not is_whole
    assert "broke" in exchange.failure
    assert not exchange.kept


def test_an_answer_of_a_known_length_that_is_cut_is_cut(served):
    def script(asked):
        asked.whole(b'{"choices": [', Content_Length="1000")

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", BODY, made.key)
            data = client.rest()
        goes_on(made)
    assert data.endswith(b'{"choices": [')
    assert b"Content-Length: 1000" in data


def test_an_upstream_that_says_nothing_at_all_is_a_bad_gateway(served):
    with Upstream(lambda asked: asked.connection.close()) as up:
        made = served(up)
        answer = made.chat("hello")
        goes_on(made)
    assert answer.status == 502
    assert answer.json["error"]["code"] == "upstream"
    assert len(up.asked) == 1


def test_nobody_there_is_a_bad_gateway_with_the_reason(serve):
    with Upstream(lambda asked: None) as up:
        url = up.url
    made = serve({"llm.base_url": url, "llm.model": "m"})
    answer = made.chat("hello")
    assert answer.status == 502
    assert url in answer.json["error"]["message"]
    assert made.ended()[0].failure


def test_a_silent_upstream_ends_when_its_time_is_over(served):
    def parts(desk):
        forwarding = Forwarding(silence=0.2)
        desk.during(forwarding)
        return forward.routes_of(desk, forwarding)

    with Upstream(lambda asked: asked.wait_until_left()) as up:
        made = served(up, parts=(parts,))
        answer = made.chat("hello")
        goes_on(made)
    assert answer.status == 502
    assert "in time" in answer.json["error"]["message"]


def test_a_redirect_is_an_error_and_nothing_follows_it(served):
    elsewhere: list[object] = []
    with Upstream(elsewhere.append) as other:

        def script(asked):
            asked.whole(b"", "307 Temporary Redirect", Location=f"{other.url}/chat/completions")

        with Upstream(script) as up:
            made = served(up)
            answer = made.chat("hello")
    assert answer.status == 502
    assert "redirects" in answer.json["error"]["message"]
    assert elsewhere == []


def test_a_client_that_leaves_while_the_model_thinks_ends_the_request(served):
    left = threading.Event()

    def script(asked):
        if asked.wait_until_left():
            left.set()

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", BODY, made.key)
            assert up.arrived.acquire(timeout=20)
        assert left.wait(20)
        exchange = goes_on(made)
    assert "went away" in exchange.failure


def test_a_client_that_leaves_in_the_middle_of_a_stream_ends_it(served):
    left = threading.Event()

    def script(asked):
        asked.begin()
        asked.chunk(delta("first"))
        if asked.wait_until_left():
            left.set()

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", BODY, made.key)
            assert b"first" in client.until(b"first")
        assert left.wait(20)
        exchange = goes_on(made)
    assert "went away" in exchange.failure
    assert not exchange.kept


def test_what_drips_arrives_as_it_drips(served):
    go = threading.Semaphore(0)

    def script(asked):
        asked.begin()
        for letter in "dripping":
            assert go.acquire(timeout=20)
            asked.chunk(delta(letter))
        asked.chunk(DONE)
        asked.end()

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", BODY, made.key)
            for letter in "dripping":
                go.release()  # the next piece is sent only once this one has come through
                assert delta(letter) in client.until(delta(letter))


def test_stopping_ends_what_is_open_and_frees_the_port(served):
    def script(asked):
        asked.begin()
        asked.chunk(delta("first"))
        asked.wait_until_left()

    with Upstream(script) as up:
        made = served(up)
        with RawClient(made.port) as streaming, RawClient(made.port) as idle:
            streaming.post("/v1/chat/completions", BODY, made.key)
            assert b"first" in streaming.until(b"first")
            made.server.stop()
            assert not made.server.is_running
            _head, _body, is_whole = unchunked(streaming.rest())
            assert not is_whole
            assert idle.rest() == b""
        again = made.server.start(made.port)
        assert again.url == made.address.url
        assert made.server.stop() is None


def test_a_hundred_clients_that_leave_leave_nothing_behind(served):
    with Upstream(lambda asked: asked.wait_until_left(30)) as up:
        made = served(up)
        clients = [RawClient(made.port) for _ in range(100)]
        for client in clients:
            client.post("/v1/chat/completions", BODY, made.key)
        for _ in clients:
            assert up.arrived.acquire(timeout=30)
        for client in clients:
            client.socket.close()
        made.ended(100)
        assert len([e for e in made.exchanges if "went away" in str(e.failure)]) == 100
        for _ in range(2_000):
            if made.server.gate.under_way == 0:
                break
            threading.Event().wait(0.005)
        assert made.server.gate.under_way == 0
        assert made.server.gate.bytes_held == 0
