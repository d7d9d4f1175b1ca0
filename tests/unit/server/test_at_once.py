"""Several requests at once: each keeps what is its own."""

from __future__ import annotations

import threading

import pytest

from engram_desktop.domain.memory.line import Line
from tests.upstream import DONE, RawClient, Upstream, delta, unchunked

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


@pytest.fixture
def served(serve):
    def start(up, **options):
        return serve({"llm.base_url": up.url, "llm.model": "m"}, **options)

    return start


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
        branch.id: [m.text for m in memory.messages.slice(Line(chat.chat_id, branch.id), 0, 1000)]
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


def test_two_windows_of_one_chat_keep_both(served, told):
    with Upstream(gathered(2)) as up:
        made = served(up)
        begin(made)
        both(made, *(body(*OPENING, ("user", way)) for way in WAYS))
        lines = kept(made, 3)
    assert sorted(lines.values()) == sorted([*told, way, f"You said: {way}"] for way in WAYS)


def test_one_message_to_two_models_is_one_message_with_two_readings(served, told):
    with Upstream(gathered(2)) as up:
        made = served(up)
        begin(made)
        one, two = (body(*OPENING, ("user", "What was it then?"), seed=seed) for seed in (1, 2))
        both(made, one, two)
        lines = kept(made, 3)
    assert list(lines.values()) == [[*told, "What was it then?", "You said: What was it then?"]]


def test_a_hundred_streams_are_not_mixed_up(served):
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
        made = served(up)
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
