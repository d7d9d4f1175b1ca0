"""What passes through the server unchanged, and what does not pass."""

from __future__ import annotations

import http.client
import json
import threading

import pytest

from tests.upstream import DONE, RawClient, Upstream, delta, unchunked

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
        served = serve({"llm.base_url": up.url, "llm.model": "m"})
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
        served = serve({"llm.base_url": up.url, "llm.model": "m"})
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
        memory = open_memory(**{"llm.base_url": up.url, "llm.model": "m"})
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
        served = serve({"llm.base_url": up.url, "llm.model": "their-model"})
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
        served = serve({"llm.base_url": up.url, "llm.model": "m"})
        answer = served.chat("hello")
        exchange = served.ended()[0]
    assert (answer.status, answer.body) == (429, words)
    assert answer.headers["Retry-After"] == "17"
    assert exchange.status == 429
    assert exchange.failure.startswith("slow down")
    assert "sk-1234" not in exchange.failure
    assert len(up.asked) == 1, "nothing is tried twice"


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/html", b"<html><title>Oops</title>"), ("text/plain", b"\xff\xfe what")],
)
def test_another_content_type_passes_as_it_is(serve, kind, body):
    with Upstream(lambda asked: asked.whole(body, Content_Type=kind)) as up:
        served = serve({"llm.base_url": up.url, "llm.model": "m"})
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
                "llm.base_url": own.url,
                "llm.model": "own-1",
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
        served = serve(
            {
                "llm.base_url": llm.url,
                "llm.model": "m",
                "embed.base_url": embed.url,
                "embed.model": "e",
            }
        )
        assert served.ask("/v1/embeddings", {"input": "a"}).json == {"who": "embed"}
    assert embed.asked[0].json == {"model": "e", "input": "a"}


def test_without_an_endpoint_the_answer_says_so(serve):
    answer = serve().chat("hello")
    assert answer.status == 400
    assert answer.json["error"]["code"] == "not_configured"
    assert "endpoint" in answer.json["error"]["message"]


def test_a_hundred_streams_at_once_are_not_mixed_up(serve):
    gate = threading.Barrier(100)

    def script(asked):
        number = asked.json["n"]
        asked.begin()
        gate.wait(60)  # all are open before the first says anything
        for piece in range(20):
            asked.chunk(delta(f"<{number}.{piece}>"))
        asked.chunk(DONE)
        asked.end()

    with Upstream(script) as up:
        served = serve({"llm.base_url": up.url, "llm.model": "m"})
        answers: dict[int, bytes] = {}

        def ask(number):
            body = {"n": number, "messages": [{"role": "user", "content": f"{number}"}]}
            answers[number] = served.ask("/v1/chat/completions", body).body

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    for number in range(100):
        expected = b"".join(delta(f"<{number}.{piece}>") for piece in range(20)) + DONE
        assert answers[number] == expected
