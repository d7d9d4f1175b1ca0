"""Who may call the server, and what faults it answers."""

from __future__ import annotations

import threading

import pytest

from engram_desktop.llm.forwarding import Forwarding
from engram_desktop.server import forward
from engram_desktop.server.access import AccessRules, ClientLimits, Guard, PatientProtocol
from tests.factories import model_at
from tests.upstream import DONE, RawClient, Upstream, delta, unchunked

# Who may speak to the server: each way in that is none.

BODY = b'{"messages":[{"role":"user","content":"hello"}]}'


@pytest.fixture
def served(serve):
    with Upstream(lambda asked: asked.whole(b"{}")) as up:
        made = serve({**model_at(up.url, "m"), "serve.origins": "https://good.example/"})
        made.up = up
        yield made


def raw(served, *lines, host="127.0.0.1", key=None, method="GET", path="/v1/models"):
    with RawClient(served.port) as client:
        key = served.key if key is None else key
        client.head(method, path, key, "Connection: close", *lines, host=host)
        return client.rest().decode("latin-1")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "LOCALHOST:8642", "[::1]:8642", "127.8.8.8:1", "a.localhost"]
)
def test_names_of_this_computer_are_let_in(served, host):
    assert raw(served, host=host).startswith("HTTP/1.1 200")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.example:8642",
        "localhost..",
        "user@localhost",
        "192.168.1.5",
        "127.0.0.1/evil",
        "localhost evil",
        "host.docker.internal",
        "x" * 400,
        "",
    ],
)
def test_a_forged_host_is_refused(served, host):
    answer = raw(served, host=host)
    assert answer.startswith(("HTTP/1.1 403", "HTTP/1.1 400"))
    assert '"error"' in answer
    assert served.up.asked == []


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:8000",
        "http://127.0.0.1:8000",
        "https://[::1]",
        "tauri://localhost",
        "https://good.example",
        "HTTPS://GOOD.example",
    ],
)
def test_pages_of_this_computer_and_allowed_ones_may_ask(served, origin):
    answer = raw(served, f"Origin: {origin}")
    assert answer.startswith("HTTP/1.1 200")
    assert f"access-control-allow-origin: {origin}\r\n" in answer


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "file://",
        "http://localhost.evil.example",
        "https://good.example.evil.example",
        "https://good.example:8443",
        "http://127.0.0.1@evil.example",
        "http://localhost/path",
        "*",
    ],
)
def test_a_foreign_page_is_refused_and_may_not_read_why(served, origin):
    answer = raw(served, f"Origin: {origin}")
    assert answer.startswith("HTTP/1.1 403")
    assert "access-control-allow-origin" not in answer
    preflight = raw(
        served, f"Origin: {origin}", "Access-Control-Request-Method: POST", method="OPTIONS"
    )
    assert preflight.startswith("HTTP/1.1 403")
    assert served.up.asked == []


def test_a_second_origin_or_host_is_no_way_in(served):
    answer = raw(served, "Origin: http://localhost", "Origin: https://evil.example")
    assert answer.startswith("HTTP/1.1 403")
    assert raw(served, "Host: localhost").startswith("HTTP/1.1 400")


def test_a_preflight_needs_no_key_and_says_what_is_allowed(served):
    answer = raw(
        served,
        "Origin: http://localhost:8000",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: authorization,x-stainless-lang",
        "Access-Control-Request-Private-Network: true",
        method="OPTIONS",
        path="/v1/chat/completions",
        key="",
    )
    assert answer.startswith("HTTP/1.1 204")
    lines = answer.split("\r\n")
    assert "access-control-allow-origin: http://localhost:8000" in lines
    assert "access-control-allow-private-network: true" in lines
    assert "access-control-allow-headers: authorization,x-stainless-lang" in lines
    assert "access-control-allow-methods: GET, POST, OPTIONS" in lines
    assert not any("credentials" in line for line in lines)


def test_an_injected_header_in_a_preflight_is_not_echoed(served):
    answer = raw(
        served,
        "Origin: http://localhost",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: a;b=c",
        method="OPTIONS",
        key="",
    )
    assert "a;b=c" not in answer


@pytest.mark.parametrize("key", ["", "wrong", "engram-test-ke", "engram-test-key2", "ключ"])
def test_a_missing_or_wrong_key_is_refused(served, key):
    for path in ("/v1/models", "/", "/nowhere", "/chat/x/v1/models"):
        with RawClient(served.port) as client:
            lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
            lines += [f"Authorization: Bearer {key}"] if key else []
            client.send("\r\n".join([*lines, "", ""]).encode())
            answer = client.rest().decode("latin-1")
        assert answer.startswith("HTTP/1.1 401")
        assert '"invalid_api_key"' in answer
        assert "www-authenticate: Bearer" in answer
        assert served.key not in answer
    assert served.up.asked == []
    assert served.ended()[0].outcome == "refused"


@pytest.mark.parametrize(
    "header", ["Authorization: bearer {}", "x-api-key: {}", "Api-Key: {}", "X-API-Key:  {} "]
)
def test_the_key_is_taken_in_any_of_its_headers(served, header):
    answer = raw(served, header.format(served.key), key="")
    assert answer.startswith("HTTP/1.1 200")


def test_a_new_key_counts_at_once(serve, open_memory):
    memory = open_memory(environ={})
    made = serve(memory=memory)
    old = made.key
    assert made.ask("/nowhere").status == 404
    new = made.server.renew_key()
    assert new is not None
    assert new.key != old
    assert made.ask("/nowhere", key=old).status == 401
    assert made.ask("/nowhere", key=new.key).status == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/../../etc/passwd", 404),
        ("/v1/%2e%2e/%2e%2e/etc/passwd", 404),
        ("//v1/models", 404),
        ("/v1/models/../models", 404),
        ("/v1//models", 404),
        ("/v1/models%00", 404),
        ("/v1\\models", 404),
        ("/chat/v1/models", 404),
        ("/chat/%2e%2e%2f%2e%2e/v1/models", 200),  # a name like any other, of no file
        ("http://evil.example/v1/models", 404),
        ("/" + "x" * 3_000, 414),
        ("/v1/models?key=x#y", 200),
    ],
)
def test_no_path_leads_elsewhere(served, path, status):
    assert raw(served, path=path).split(" ")[1] == str(status)
    assert all(asked.line == "GET /v1/models HTTP/1.1" for asked in served.up.asked)


def test_another_method_says_so_in_the_shape_of_an_error(served):
    for method, path in (("GET", "/v1/chat/completions"), ("DELETE", "/v1/models")):
        answer = served.ask(path, method=method)
        assert answer.status == 405
        assert answer.json["error"]["code"] == "method_not_allowed"
    assert served.ask("/v2").json["error"]["code"] == "not_found"
    assert "/v1/completions" in served.ask("/completion").json["error"]["message"]  # llama.cpp's


SMALL = ClientLimits(requests=2, body=1_000, bodies=1_500, pause=0.2, whole=0.4)


def test_a_body_too_large_is_refused_before_it_is_read(serve):
    made = serve(limits=SMALL)
    with RawClient(made.port) as client:
        client.head(
            "POST", "/v1/chat/completions", made.key, "Content-Length: 99999999999999999999"
        )
        answer = client.rest()
    assert answer.startswith(b"HTTP/1.1 413")
    with RawClient(made.port) as client:
        client.head("POST", "/v1/chat/completions", made.key, "Transfer-Encoding: chunked")
        client.send(b"800\r\n" + b"x" * 0x800 + b"\r\n")
        answer = client.until(b"}}")
    assert b" 413 " in answer
    assert b'"too_large"' in answer


def test_a_body_that_does_not_come_is_not_waited_for(serve):
    made = serve(limits=SMALL)
    with RawClient(made.port) as client:
        client.head("POST", "/v1/chat/completions", made.key, "Content-Length: 900")
        client.send(b"{")
        assert client.rest().startswith(b"HTTP/1.1 408")


def test_a_header_that_does_not_come_is_not_waited_for(serve):
    class Impatient(PatientProtocol):
        header_seconds = 0.2

    made = serve(protocol=Impatient)
    with RawClient(made.port) as silent, RawClient(made.port) as slow:
        slow.send(b"GET /v1/models HTTP/1.1\r\nHost: loc")
        assert silent.rest() == b""
        assert slow.rest() == b""
    with RawClient(made.port) as twice:  # the second request of a connection is not waited for
        twice.head("GET", "/nowhere", made.key)
        twice.until(b"}}")
        twice.send(b"GET /v1/")
        assert twice.rest() == b""


def test_a_header_too_long_or_no_header_at_all_is_refused(served):
    assert raw(served, "X-Long: " + "x" * 70_000).startswith(("HTTP/1.1 400", ""))
    with RawClient(served.port) as client:
        client.send(b"\x16\x03\x01 this is TLS\r\n\r\n")
        answer = client.rest()
    assert answer.startswith(b"HTTP/1.1 400")
    assert b'"error"' in answer


def test_bodies_that_drip_take_no_place_and_end(serve):
    limits = ClientLimits(requests=2, rate=1_000, grace=0.3)
    with Upstream(lambda asked: asked.whole(b"{}")) as up:
        made = serve(model_at(up.url, "m"), limits=limits)
        clients = [RawClient(made.port) for _ in range(8)]
        for client in clients:
            client.head("POST", "/v1/chat/completions", made.key, "Content-Length: 9000")
            client.send(b"{")
        assert made.chat("hello").status == 200
        for client in clients:
            assert client.rest().startswith(b"HTTP/1.1 408")
            client.socket.close()


def test_an_endpoint_that_is_this_server_is_named_as_one(serve, open_memory):
    memory = open_memory()
    made = serve(memory=memory)
    for host in ("127.0.0.1", "localhost", "[::1]"):
        memory.settings.set("llm.base_url", f"http://{host}:{made.port}/v1")
        answer = made.chat("hello")
        assert answer.status == 508
        assert answer.json["error"]["code"] == "loop"
        assert "itself" in answer.json["error"]["message"]
    assert [(e.is_finished, e.status) for e in made.exchanges] == [(True, 508)] * 3


def test_too_many_at_once_are_asked_to_come_again(serve):
    with Upstream(lambda asked: asked.wait_until_left()) as up:
        made = serve(model_at(up.url, "m"), limits=SMALL)
        clients = [RawClient(made.port) for _ in range(2)]
        for client in clients:
            client.post("/v1/chat/completions", BODY, made.key)
            assert up.arrived.acquire(timeout=20)
        answer = made.chat("hello")
        assert answer.status == 503
        assert answer.headers["retry-after"] == "2"
        assert answer.json["error"]["type"] == "server_error"
        for client in clients:
            client.socket.close()


def test_a_flood_of_refused_requests_hides_no_other(served):
    served.chat("hello")
    for _ in range(20):
        served.ask("/v1/models", key="wrong")
    assert len([e for e in served.exchanges if e.outcome == "refused"]) < 20
    assert any(e.outcome != "refused" for e in served.exchanges)


def test_open_to_the_network_plain_addresses_count_and_strange_names_do_not():
    rules = AccessRules("k", network=True, names=frozenset({"my-pc", "my-pc.local"}))
    guard = Guard(lambda *_: None, lambda: rules)  # type: ignore[arg-type]

    def refused(host, origin=""):
        headers = [(b"host", host.encode()), (b"authorization", b"Bearer k")]
        headers += [(b"origin", origin.encode())] if origin else []
        scope = {"headers": headers, "method": "GET", "path": "/"}
        return guard._refusal(scope, rules, origin.encode())

    for host in ("192.168.1.5:8642", "my-pc", "MY-PC.local", "[fe80::1]:8642", "10.0.0.2"):
        assert refused(host) is None
    for host in ("evil.example", "my-pc.evil.example", "other-pc"):
        assert refused(host) is not None
    assert refused("192.168.1.5:8642", "http://192.168.1.5:8000") is None
    assert refused("192.168.1.5:8642", "http://192.168.1.6:8000") is not None


# Whatever an endpoint or a client does: the program that asked is told, nothing hangs, and the
# server goes on.

FAULTY = b'{"messages":[{"role":"user","content":"hello"}],"stream":true}'


def goes_on(served):
    """The server still answers, and the exchange is over."""
    assert served.ask("/v1/nowhere").status == 404
    return served.ended()[0]


def test_an_answer_that_is_cut_is_cut_for_the_client_too(serve_upstream):
    def script(asked):
        asked.begin()
        asked.chunk(delta("half"))
        asked.connection.close()

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", FAULTY, made.key)
            _head, body, is_whole = unchunked(client.rest())
        exchange = goes_on(made)
    assert body == delta("half")
    assert not is_whole
    assert "broke" in exchange.failure
    assert not exchange.kept


def test_an_answer_of_a_known_length_that_is_cut_is_cut(serve_upstream):
    def script(asked):
        asked.whole(b'{"choices": [', Content_Length="1000")

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", FAULTY, made.key)
            data = client.rest()
        goes_on(made)
    assert data.endswith(b'{"choices": [')
    assert b"Content-Length: 1000" in data


def test_an_upstream_that_says_nothing_at_all_is_a_bad_gateway(serve_upstream):
    with Upstream(lambda asked: asked.connection.close()) as up:
        made = serve_upstream(up)
        answer = made.chat("hello")
        goes_on(made)
    assert answer.status == 502
    assert answer.json["error"]["code"] == "upstream"
    assert len(up.asked) == 1


@pytest.mark.parametrize(
    ("within", "statuses", "sent"),
    [
        pytest.param(3.0, [200, 200, 200], ["一", "二", "二", "三", "三"], id="at once"),
        pytest.param(0.0, [200, 502, 200], ["一", "二", "三"], id="later"),
    ],
)
def test_a_kept_connection_that_was_closed_is_no_error_unless_it_breaks_later(
    serve_upstream, within, statuses, sent
):
    """An endpoint may close it in the very moment in which the next request is sent on it."""

    def parts(state):
        forwarding = Forwarding(closed_within=within)
        state.during(forwarding)
        return forward.routes_of(state, forwarding)

    def keeps_and_closes(asked):
        asked.whole(b"{}")
        up.read(asked.connection)  # and says nothing to that

    with Upstream(keeps_and_closes) as up:
        made = serve_upstream(up, parts=(parts,))
        assert [made.chat(text).status for text in ("一", "二", "三")] == statuses
    assert [row.json["messages"][-1]["content"] for row in up.asked] == sent


def test_nobody_there_is_a_bad_gateway_with_the_reason(serve):
    with Upstream(lambda asked: None) as up:
        url = up.url
    made = serve(model_at(url, "m"))
    answer = made.chat("hello")
    assert answer.status == 502
    assert url in answer.json["error"]["message"]
    assert made.ended()[0].failure


def test_a_silent_upstream_ends_when_its_time_is_over(serve_upstream):
    def parts(state):
        forwarding = Forwarding(silence=0.2)
        state.during(forwarding)
        return forward.routes_of(state, forwarding)

    with Upstream(lambda asked: asked.wait_until_left()) as up:
        made = serve_upstream(up, parts=(parts,))
        answer = made.chat("hello")
        goes_on(made)
    assert answer.status == 502
    assert "in time" in answer.json["error"]["message"]


def test_a_redirect_is_an_error_and_nothing_follows_it(serve_upstream):
    elsewhere: list[object] = []
    with Upstream(elsewhere.append) as other:

        def script(asked):
            asked.whole(b"", "307 Temporary Redirect", Location=f"{other.url}/chat/completions")

        with Upstream(script) as up:
            made = serve_upstream(up)
            answer = made.chat("hello")
    assert answer.status == 502
    assert "redirects" in answer.json["error"]["message"]
    assert elsewhere == []


def test_a_client_that_leaves_while_the_model_thinks_ends_the_request(serve_upstream):
    left = threading.Event()

    def script(asked):
        if asked.wait_until_left():
            left.set()

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", FAULTY, made.key)
            assert up.arrived.acquire(timeout=20)
        assert left.wait(20)
        exchange = goes_on(made)
    assert "went away" in exchange.failure


def test_a_client_that_leaves_in_the_middle_of_a_stream_ends_it(serve_upstream):
    left = threading.Event()

    def script(asked):
        asked.begin()
        asked.chunk(delta("first"))
        if asked.wait_until_left():
            left.set()

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", FAULTY, made.key)
            assert b"first" in client.until(b"first")
        assert left.wait(20)
        exchange = goes_on(made)
    assert "went away" in exchange.failure
    assert not exchange.kept


def test_what_drips_arrives_as_it_drips(serve_upstream):
    go = threading.Semaphore(0)

    def script(asked):
        asked.begin()
        for letter in "dripping":
            assert go.acquire(timeout=20)
            asked.chunk(delta(letter))
        asked.chunk(DONE)
        asked.end()

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as client:
            client.post("/v1/chat/completions", FAULTY, made.key)
            for letter in "dripping":
                go.release()  # the next piece is sent only once this one has come through
                assert delta(letter) in client.until(delta(letter))


def test_stopping_ends_what_is_open_and_frees_the_port(serve_upstream):
    def script(asked):
        asked.begin()
        asked.chunk(delta("first"))
        asked.wait_until_left()

    with Upstream(script) as up:
        made = serve_upstream(up)
        with RawClient(made.port) as streaming, RawClient(made.port) as idle:
            streaming.post("/v1/chat/completions", FAULTY, made.key)
            assert b"first" in streaming.until(b"first")
            made.server.stop()
            assert not made.server.is_running
            _head, _body, is_whole = unchunked(streaming.rest())
            assert not is_whole
            assert idle.rest() == b""
        again = made.server.start(made.port)
        assert again.url == made.address.url
        assert made.server.stop() is None


def test_a_hundred_clients_that_leave_leave_nothing_behind(serve_upstream):
    with Upstream(lambda asked: asked.wait_until_left(30)) as up:
        made = serve_upstream(up)
        clients = [RawClient(made.port) for _ in range(100)]
        for client in clients:
            client.post("/v1/chat/completions", FAULTY, made.key)
        for _ in clients:
            assert up.arrived.acquire(timeout=30)
        for client in clients:
            client.socket.close()
        made.ended(100)
        assert len([e for e in made.exchanges if "went away" in str(e.failure)]) == 100
        # As many as may be under way at once are let in again: nobody's place is still taken.
        again = [RawClient(made.port) for _ in range(made.server.gate.limits.requests)]
        for client in again:
            client.post("/v1/chat/completions", FAULTY, made.key)
        for _ in again:
            assert up.arrived.acquire(timeout=30)
        for client in again:
            client.socket.close()
        made.ended(100 + len(again))
