"""Requests handed on to the model, several at once, clocks and locks."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import threading
from functools import partial
from urllib.parse import unquote

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library.library_lock import LibraryLock
from tests.factories import model_at, set_all
from tests.stored import texts_of
from tests.unit.server.conftest import KEY
from tests.upstream import DONE, RawClient, Upstream, delta, unchunked

# What passes through the server unchanged, and what does not pass.

STRANGE = (
    '{"model":"m","big":123456789012345678901234567890,"small":1e-7,"z":0.10,'
    '"messages":[{"role":"user","content":"half \\ud83d and 你好"}],"temperature":1.0,'
    '"unknown":{"b":1,"a":[null,true]}}'
).encode()


def chunks(asked):
    asked.begin(X_Request_Id="r1", Openai_Processing_Ms="12")
    asked.chunk(b": ping\n\n")
    asked.chunk(delta("你")[:-30])  # a chunk may end in the middle of a character
    asked.chunk(delta("你")[-30:])
    asked.chunk(b'data: {"reasoning": "\xf0\x9f"}\r\n\r\n')
    asked.chunk(DONE)
    asked.end()


def test_an_answer_passes_byte_for_byte_and_chunk_by_chunk(serve):
    with Upstream(chunks) as up:
        served = serve(model_at(up.url, "m"))
        with RawClient(served.port) as client:
            client.post("/v1/chat/completions", STRANGE, served.key, "Connection: close")
            answer = client.rest()
        direct = http.client.HTTPConnection("127.0.0.1", int(up.url.split(":")[2][:-3]))
        direct.request("POST", "/v1/chat/completions", STRANGE)
        straight = direct.getresponse()
        body = straight.read()
        direct.close()
    head, passed, is_whole = unchunked(answer)
    assert is_whole
    assert passed == body
    assert "X-Request-Id: r1" in head
    assert "Openai-Processing-Ms: 12" in head
    assert "text/event-stream" in head


def test_the_very_bytes_that_came_are_sent_on_where_nothing_is_put_in(serve):
    with Upstream(lambda asked: asked.whole(b"{}")) as up:
        served = serve(model_at(up.url, "m"))
        assert served.ask("/v1/chat/completions", STRANGE).status == 200
        assert served.ask("/v1/chat/completions", b"no json at all \xff").status == 200
        assert served.ask("/v1/embeddings", b'{"model":"e","input":["a"]}').status == 200
    assert [asked.body for asked in up.asked] == [
        STRANGE,
        b"no json at all \xff",
        b'{"model":"e","input":["a"]}',
    ]
    assert up.asked[2].line.startswith("POST /v1/embeddings ")


def test_our_key_and_cookies_stay_and_the_endpoints_key_goes(serve, open_memory):
    with Upstream(lambda asked: asked.whole(b"{}", Set_Cookie="a=b")) as up:
        memory = open_memory(**model_at(up.url, "m"))
        memory.endpoints.set_key("llm", "sk-of-the-endpoint")
        served = serve(memory=memory)
        answer = served.ask(
            "/v1/chat/completions",
            {"messages": []},
            Cookie="session=1",
            X_Api_Key=served.key,
            HTTP_Referer="https://example.org",
            X_Forwarded_For="10.0.0.1",
        )
    headers = up.asked[0].headers
    assert headers["authorization"] == "Bearer sk-of-the-endpoint"
    assert headers["http-referer"] == "https://example.org"
    assert headers["accept-encoding"] == "identity"
    assert not {"cookie", "x-api-key", "x-forwarded-for", "origin"} & headers.keys()
    assert served.key not in str(headers)
    assert "Set-Cookie" not in answer.headers


def test_a_request_without_a_model_asks_for_the_endpoints_own(serve):
    with Upstream(lambda asked: asked.whole(b"{}")) as up:
        served = serve(model_at(up.url, "their-model"))
        served.chat("hello")
        served.ask("/v1/completions", {"prompt": "hello", "model": ""})
        served.ask("/v1/completions", b"{}")
    assert [asked.json.get("model") for asked in up.asked] == ["their-model"] * 3
    assert up.asked[2].body == b'{"model":"their-model"}'


def test_an_error_and_its_retry_after_arrive_as_they_were_sent(serve):
    words = b'{"error":{"message":"slow down, sk-1234567890abcdef"}}'

    def busy(asked):
        asked.whole(words, "429 Too Many Requests", Retry_After="17")

    with Upstream(busy) as up:
        served = serve(model_at(up.url, "m"))
        answer = served.chat("hello")
        exchange = served.ended()[0]
    assert (answer.status, answer.body) == (429, words)
    assert answer.headers["Retry-After"] == "17"
    assert exchange.status == 429
    assert exchange.failure.startswith("slow down")
    assert "sk-1234" not in exchange.failure
    assert len(up.asked) == 1, "nothing is tried twice"


@pytest.mark.parametrize("version", ["", "/v1"])
def test_where_nothing_answers_v1_is_named_once_it_is_not_there(serve, version):
    def nothing(asked):
        asked.whole(b"404 page not found", "404 Not Found")

    with Upstream(nothing) as up:
        base_url = up.url.removesuffix("/v1") + version
        served = serve(model_at(base_url, "m"))
        assert (served.chat("hello").status, up.asked[0].path) == (
            404,
            f"{version}/chat/completions",
        )
        failure = str(served.ended()[0].failure)
    assert "404 page not found" in failure
    assert ("/v1 at its end" in failure) == (not version)


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/html", b"<html><title>Oops</title>"), ("text/plain", b"\xff\xfe what")],
)
def test_another_content_type_passes_as_it_is(serve, kind, body):
    with Upstream(lambda asked: asked.whole(body, Content_Type=kind)) as up:
        served = serve(model_at(up.url, "m"))
        answer = served.chat("hello")
    assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, body, kind)


def test_models_of_one_endpoint_pass_as_they_are(serve):
    body = b'{"object": "list",  "data": [{"id": "a", "extra": 1.50}]}'
    with Upstream(lambda asked: asked.whole(body)) as up:
        served = serve({"llm.base_url": up.url})
        for path in ("/v1/models", "/chat/%E5%90%8D/v1/models"):
            assert served.ask(path).body == body
    assert up.asked[0].line.startswith("GET /v1/models ")


def test_a_models_name_chooses_among_endpoints(serve):
    def answers(name):
        def script(asked):
            if asked.line.startswith("GET"):
                asked.whole(json.dumps({"data": [{"id": f"{name}-1"}, {"id": "x/y"}]}).encode())
            else:
                asked.whole(json.dumps({"who": name, "model": asked.json["model"]}).encode())

        return script

    with Upstream(answers("own")) as own, Upstream(answers("two")) as two:
        served = serve(
            {
                **model_at(own.url, "own-1"),
                "serve.endpoints": f"two = {two.url} two-\nbroken = http://127.0.0.1:9",
            }
        )
        names = [row["id"] for row in served.ask("/v1/models").json["data"]]
        said = [
            served.ask("/v1/chat/completions", {"model": model, "messages": []}).json
            for model in ("own-1", "two-1", "two/x/y", "x/y")
        ]
    assert names == ["own-1", "x/y", "two-1", "two/x/y"]
    assert said == [
        {"who": "own", "model": "own-1"},
        {"who": "two", "model": "two-1"},
        {"who": "two", "model": "x/y"},
        {"who": "own", "model": "x/y"},
    ]


def test_embeddings_go_to_their_own_endpoint_where_there_is_one(serve):
    with (
        Upstream(lambda asked: asked.whole(b'{"who":"llm"}')) as llm,
        Upstream(lambda asked: asked.whole(b'{"who":"embed"}')) as embed,
    ):
        served = serve({**model_at(llm.url, "m"), "embed.base_url": embed.url, "embed.model": "e"})
        assert served.ask("/v1/embeddings", {"input": "a"}).json == {"who": "embed"}
    assert embed.asked[0].json == {"model": "e", "input": "a"}


def test_without_an_endpoint_the_answer_says_so(serve):
    answer = serve().chat("hello")
    assert answer.status == 400
    assert answer.json["error"]["code"] == "not_configured"
    assert "endpoint" in answer.json["error"]["message"]


# Several requests at once: each keeps what is its own.

STREAMS = 100
WAYS = ("Let us go down to the cellar.", "I would rather sleep now, my feet hurt.")
OPENING = [
    ("user", "Good evening, is the tavern by the river still open tonight?"),
    ("assistant", "Alice nods and puts a candle on the counter between them."),
    ("user", "I heard a bell as I came over the old stone bridge."),
    ("assistant", "She stops drying the glass. That was no bell, she says."),
]


def body(*rows, **fields):
    messages = [{"role": role, "content": text} for role, text in rows]
    return {"model": "m", "messages": messages, **fields}


def echo(asked):
    """A reply that says what it was asked."""
    text = "You said: " + asked.json["messages"][-1]["content"]
    asked.whole(b'{"choices": [{"message": {"content": "%s"}}]}' % text.encode())


def begin(served):
    """Play the opening, and wait until it is a chat of the library."""
    served.ask("/v1/chat/completions", body(*OPENING[:-1]))
    for _ in range(2_000):
        if served.exchanges[0].kept:
            return
        threading.Event().wait(0.005)
    raise AssertionError(served.exchanges)


def both(served, *bodies):
    """Send requests of which none is answered before all have come."""
    threads = [
        threading.Thread(target=served.ask, args=("/v1/chat/completions", each)) for each in bodies
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def kept(served, count):
    """Wait until so many exchanges are over and kept; return what each line of the chat says."""
    served.ended(count)
    served.server.stop()
    served.server.join()
    memory = served.memory
    (chat,) = memory.chats.all()
    return {
        branch.id: texts_of(memory, Line(chat.chat_id, branch.id))
        for branch in memory.branches.all(chat.chat_id)
    }


def gathered(count):
    """A script that answers only once ``count`` requests wait, after a first one."""
    meet = threading.Barrier(count)

    def script(asked):
        if asked.json["messages"][-1]["content"] != OPENING[-2][1]:
            meet.wait(20)
            echo(asked)
        else:
            reply = OPENING[-1][1].encode()
            asked.whole(b'{"choices": [{"message": {"content": "%s"}}]}' % reply)

    return script


@pytest.fixture
def told():
    return [text for _role, text in OPENING]


def test_two_windows_of_one_chat_keep_both(serve_upstream, told):
    with Upstream(gathered(2)) as up:
        made = serve_upstream(up)
        begin(made)
        both(made, *(body(*OPENING, ("user", way)) for way in WAYS))
        lines = kept(made, 3)
    assert sorted(lines.values()) == sorted([*told, way, f"You said: {way}"] for way in WAYS)


def test_one_message_to_two_models_is_one_message_with_two_readings(serve_upstream, told):
    with Upstream(gathered(2)) as up:
        made = serve_upstream(up)
        begin(made)
        one, two = (body(*OPENING, ("user", "What was it then?"), seed=seed) for seed in (1, 2))
        both(made, one, two)
        lines = kept(made, 3)
    assert list(lines.values()) == [[*told, "What was it then?", "You said: What was it then?"]]


def test_a_hundred_streams_are_not_mixed_up(serve_upstream):
    meet = threading.Barrier(STREAMS)

    def script(asked):
        said = asked.json["messages"][-1]["content"]
        asked.begin()
        meet.wait(60)
        for n in range(20):
            asked.chunk(delta(f"{said}/{n} "))
        asked.chunk(DONE)
        asked.end()

    with Upstream(script) as up:
        made = serve_upstream(up)
        clients = [RawClient(made.port) for _ in range(STREAMS)]
        for n, client in enumerate(clients):
            said = b'{"messages":[{"role":"user","content":"mark %d"}],"stream":true}' % n
            client.post("/v1/chat/completions", said, made.key)
        answers: list[bytes] = [b""] * STREAMS

        def read(n):
            data = b""
            while b"[DONE]" not in data:
                data += clients[n].socket.recv(65536)
            answers[n] = data

        threads = [threading.Thread(target=read, args=(n,)) for n in range(STREAMS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for client in clients:
            client.socket.close()
        made.ended(STREAMS)
    for n, answer in enumerate(answers):
        _head, streamed, _is_whole = unchunked(answer)
        assert streamed == b"".join(delta(f"mark {n}/{k} ") for k in range(20)) + DONE


# A clock that jumps, and a library that another program holds: replies go on all the same.

DAY = 86_400_000  # ms
FIRST_ASKED = [
    "Good evening, is the tavern by the river still open tonight?",
    "Alice nods and puts a candle on the counter between them.",
    "I heard a bell as I came over the old stone bridge.",
]


def echo_lines(asked):
    said = asked.json["messages"][-1]["content"]
    asked.whole(b'{"choices": [{"message": {"content": "She hears: %s"}}]}' % said.encode())


@pytest.fixture
def opened(tmp_path):
    memories = []

    def make(**options):
        environ = {"ENGRAM_SERVE_API_KEY": KEY}
        memory = Memory.open(tmp_path / "library", environ=environ, **options)
        memories.append(memory)
        return memory

    yield make
    for memory in memories:
        memory.close()


def configure(memory, up):
    set_all(
        memory,
        {
            **model_at(up.url, "m"),
            "embed.local": "hash",
            "index.backend": "exact",
            "serve.port": 0,
            "serve.allowance": 10_000,
        },
    )


def play(served, turns):
    said = list(FIRST_ASKED)
    for n in range(turns):
        said.append(served.chat(*said).json["choices"][0]["message"]["content"])
        served.ended(n + 1)
        said.append(f"Then let us look for it, for the {n}th time.")
    return said[:-1]


def lines(memory):
    return [
        texts_of(memory, Line(chat.chat_id, branch.id))
        for chat in memory.chats.all()
        for branch in memory.branches.all(chat.chat_id)
    ]


@pytest.mark.parametrize("jump", [-400 * DAY, 400 * DAY, -DAY], ids=["back", "forward", "a day"])
def test_a_clock_that_jumps_changes_nothing(opened, serve, jump):
    now = itertools.count(2_000_000_000_000)
    far = itertools.count()
    memory = opened(clock=lambda: next(now) + (next(far) % 2) * jump)
    with Upstream(echo_lines) as up:
        configure(memory, up)
        served = serve(memory=memory)
        said = play(served, 4)
        exchanges = served.ended(4)
        served.server.stop()
        served.server.join()
    assert lines(memory) == [said]
    assert not [e for e in exchanges if e.outcome == "late"]
    assert all(0 <= e.memory_ms <= e.total_ms for e in exchanges)


def test_a_library_that_another_program_holds_is_served_but_not_kept(opened, serve):
    holder = opened()
    with Upstream(echo_lines) as up:
        configure(holder, up)
        first = serve(memory=holder)
        said = play(first, 2)
        first.server.stop()
        first.server.join()
        reader = opened(program=None)
        assert not reader.session.can_write
        served = serve(memory=reader)
        answer = served.chat(*said, "And what do you hear now?")
        (exchange,) = served.ended()
        served.server.stop()
        served.server.join()
    assert answer.json["choices"][0]["message"]["content"].startswith("She hears")
    assert exchange.identity.line is not None, "memory is read all the same"
    assert "another program has this library open" in str(served.exchanges[0].failure)
    assert not served.exchanges[0].kept
    assert lines(holder) == [said]


def test_what_is_said_while_another_program_writes_is_kept_when_that_ends(opened, serve):
    memory = opened(program="engram serve", access=WriteAccess("shared", 0.05))
    with Upstream(echo_lines) as up:
        configure(memory, up)
        served = serve(memory=memory, contexts=partial(NullContext, memory.sharing.claim))
        said, waiting = play(served, 1), threading.Event()
        while lines(memory) != [said]:
            waiting.wait(0.05)
        other = LibraryLock(memory.folder, "engram import")
        with other.claim():
            told = [*said, "And what do you hear now?"]
            answer = served.chat(*told)
            told.append(answer.json["choices"][0]["message"]["content"])
            while not answer.headers.get("x-engram-trouble"):  # it is said from the next reply on
                waiting.wait(0.05)
                answer = served.chat(*told[:-1])
            assert "engram import" in unquote(answer.headers["x-engram-trouble"])
            assert lines(memory) == [said], "what is said waits"
        while lines(memory) != [told]:
            waiting.wait(0.05)
        served.server.stop()
        served.server.join()


# What was said is kept though no reply comes.

SYSTEM = "You are Alice, the keeper of the tavern by the river, and write her next reply."
ASKED = [("system", SYSTEM), OPENING[1], ("user", "Good evening. Is there a bed left for tonight?")]


def refuses(asked):
    asked.whole(b'{"error": {"message": "out of memory"}}', "500 Internal Server Error")


def breaks_off(asked):
    asked.begin()
    asked.chunk(delta("She nods and"))
    asked.connection.close()


def says_nothing(asked):
    asked.whole(b'{"choices": [{"message": {"content": ""}}]}')


def left_alone(served, message):
    """Ask, and go away before anything is answered."""
    data = json.dumps(message).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(data)}"
        f"\r\nAuthorization: Bearer {served.key}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(head.encode() + data)


def kept_lines(served, count):
    wait = threading.Event()
    for _ in range(1_000):
        if lines(served.memory) == count:
            break
        wait.wait(0.005)
    return lines(served.memory)


@pytest.mark.parametrize("way", [refuses, breaks_off, says_nothing, "down", "no model", "gone"])
def test_what_begins_a_chat_is_kept_though_no_reply_comes(serve, way):
    asked = body(*ASKED)
    said = [text for role, text in ASKED if role != "system"]
    with Upstream(way if callable(way) else lambda asked: asked.wait_until_left()) as up:
        url = "http://127.0.0.1:9/v1" if way == "down" else up.url
        served = serve({} if way == "no model" else model_at(url, "m"))
        if way == "gone":
            left_alone(served, asked)
        else:
            with contextlib.suppress(http.client.HTTPException):
                served.ask("/v1/chat/completions", asked)
        assert kept_lines(served, [said]) == [said]
    with Upstream(echo) as up:  # once more, and now it is answered: it is the same chat
        served.memory.settings.set("llm.model", "m")
        served.memory.settings.set("llm.base_url", up.url)
        served.ask("/v1/chat/completions", asked)
        told = [*said, f"You said: {said[-1]}"]
        assert kept_lines(served, [told]) == [told]


def test_who_leaves_while_the_model_thinks_is_kept_in_a_chat_that_goes_on(serve):
    with Upstream(echo) as up:
        served = serve(model_at(up.url, "m"))
        served.ask("/v1/chat/completions", body(*ASKED))
        told = [text for _role, text in ASKED[1:]]
        told.append(f"You said: {told[-1]}")
        assert kept_lines(served, [told]) == [told]
        served.memory.settings.set("llm.base_url", "")
        row = ("user", "Then show me the way up.")
        left_alone(served, body(*ASKED, ("assistant", told[-1]), row))
        assert kept_lines(served, [[*told, row[1]]]) == [[*told, row[1]]]


@pytest.mark.parametrize(
    "fields", [{"tools": [{"type": "function", "function": {"name": "f"}}]}, {"json": True}]
)
def test_what_is_no_story_begins_no_chat_though_no_reply_comes(serve, fields):
    if "json" in fields:
        fields = {"response_format": {"type": "json_object"}}
    with Upstream(refuses) as up:
        served = serve(model_at(up.url, "m"))
        served.ask("/v1/chat/completions", body(*ASKED, **fields))
        served.ended()
        served.server.stop()
        served.server.join()
    assert not lines(served.memory)
