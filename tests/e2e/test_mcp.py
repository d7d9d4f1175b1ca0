"""MCP over stdio, spoken by the official client to the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import anyio
import pytest

from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, make_extraction
from tests.roleplay import SECRET

pytestmark = pytest.mark.e2e
CTX = NullContext()
READING = {"chats", "recall", "inject", "events", "entities", "state", "claims", "findings"}
READING |= {"groups", "volumes"}
WRITING = {
    "say_member",
    "note_event",
    "set_state",
    "answer_finding",
    "note_thread",
    "attach_volume",
    "detach_volume",
}


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "资料库"
    memory = Memory.open(folder, environ={})
    line = Line.main(import_chat(memory, tmp_path / "秘.jsonl", SECRET))
    memory.events.add(line, make_extraction("钥匙藏在钟楼里"), SourceRange(2, 3))
    memory.close()
    return folder


def talk(library, *calls):
    """Call tools one after the other; returns the names offered and what each answered."""
    # Read here: collecting would take 1.5 s longer, and each worker collects all tests.
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = ["-m", "engram_desktop.cli.entry", "mcp", "--library", str(library)]
    server = StdioServerParameters(command=sys.executable, args=command)

    async def session():
        with anyio.fail_after(120):
            async with stdio_client(server) as streams, ClientSession(*streams) as client:
                await client.initialize()
                names = {tool.name for tool in (await client.list_tools()).tools}
                return names, [await client.call_tool(name, given) for name, given in calls]

    return anyio.run(session)


def rows(answer):
    assert not answer.is_error, answer.content
    value = answer.structured_content
    return value["result"] if value is not None and set(value) == {"result"} else value


def test_memories_are_read_as_the_curator_and_as_a_character(library):
    names, answers = talk(
        library,
        ("chats", {}),
        ("recall", {"chat": "秘", "question": "钥匙在哪里"}),
        ("recall", {"chat": "秘", "question": "钥匙在哪里", "as_character": "凯尔"}),
        ("inject", {"chat": "秘", "message": "钥匙在哪里"}),
        ("events", {"chat": "秘", "lamp": "blue"}),
        ("entities", {"chat": "秘"}),
        ("state", {"chat": "秘"}),
        ("claims", {"chat": "秘"}),
        ("findings", {"chat": "秘", "kind": "promise"}),
    )
    assert names == READING
    chats, seen, as_kyle, text, events, _entities, _state, claims, found = map(rows, answers)
    assert all({"floor", "how", "speaker", "about", "quote"} <= claim.keys() for claim in claims)
    assert all(finding["kind"] == "promise" for finding in found)
    assert [(chat["chat"], chat["floors"]) for chat in chats] == [("秘", 6)]
    assert any("钟楼" in hit["text"] for hit in seen)
    assert not any("钟楼" in hit["text"] for hit in as_kyle)
    assert "钟楼" in text
    assert [event["summary"] for event in events] == ["钥匙藏在钟楼里"]


def test_trouble_is_told_in_words_and_without_a_path(library):
    _names, answers = talk(
        library,
        ("recall", {"chat": "没有这个", "question": "钥匙"}),
        ("recall", {"chat": "秘", "question": "钥" * 20_001}),
        ("recall", {"chat": "秘"}),
        ("note_event", {"chat": "秘", "summary": "偷偷写下的事"}),
        ("inject", {"chat": "秘", "message": "钥匙", "as_character": "查无此人"}),
    )
    assert all(answer.is_error for answer in answers)
    texts = [answer.content[0].text for answer in answers]
    assert "没有这个" in texts[0]
    assert "serve.mcp_writes" in texts[3]
    assert "查无此人" in texts[4]
    assert "凯尔" in texts[4]
    assert not any(str(library) in text for text in texts)
    memory = Memory.open(library, environ={})
    assert len(memory.events.find(memory.chats.find("秘"), EventQuery())) == 1
    memory.close()


def test_writing_needs_the_setting_and_can_be_undone(library):
    memory = Memory.open(library, environ={})
    memory.settings.set("serve.mcp_writes", value=True)
    memory.close()
    names, answers = talk(
        library,
        ("note_event", {"chat": "秘", "summary": "凯尔起了疑心", "first_floor": 4}),
        ("set_state", {"chat": "秘", "path": "凯尔.疑心", "value": 3}),
    )
    assert names == READING | WRITING
    event, state = map(rows, answers)
    assert event["floors"] == [4, 5]
    assert json.dumps(state, ensure_ascii=False) == '{"凯尔": {"疑心": 3}}'
    memory = Memory.open(library, environ={})
    chat = memory.chats.find("秘")
    for _step in range(2):
        memory.history.undo(chat)
    assert len(memory.events.find(chat, EventQuery())) == 1
    assert memory.state.tree(CTX, Line.main(chat)) == {}
    memory.close()


def test_a_volume_is_attached_and_told(library, tmp_path):
    memory = Memory.open(library, environ={})
    memory.settings.set("serve.mcp_writes", value=True)
    secret = memory.chats.find("秘")
    memory.volumes.make(CTX, Line.main(secret), "钟楼卷")
    import_chat(memory, tmp_path / "新.jsonl", [("旅人", "“一年过去了。”")])
    memory.close()
    _names, answers = talk(
        library,
        ("volumes", {}),
        ("attach_volume", {"chat": "新", "volume": "钟楼卷"}),
        ("inject", {"chat": "新", "message": "钥匙藏在哪里"}),
        ("recall", {"chat": "新", "question": "钥匙藏在哪里"}),
        ("detach_volume", {"chat": "新", "volume": "钟楼卷"}),
        ("inject", {"chat": "新", "message": "钥匙藏在哪里"}),
    )
    listed, attached, told, found, detached, after = map(rows, answers)
    assert [(row["title"], row["made_of"], row["read_by"]) for row in listed] == [
        ("钟楼卷", "秘", [])
    ]
    assert [row["read_by"] for row in attached] == [["新"]]
    assert "钥匙藏在钟楼里" in str(told)
    assert {hit["text"].splitlines()[0]: hit.get("volume") for hit in found}[
        "钥匙藏在钟楼里"
    ] == "钟楼卷"
    assert detached == []
    assert "钟楼" not in str(after)


def test_a_client_that_goes_away_ends_it_without_a_word(library):
    command = [sys.executable, "-m", "engram_desktop.cli.entry", "mcp", "--library", str(library)]
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}}
    hello["clientInfo"] = {"name": "gone", "version": "1"}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    asked = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(begin) + "\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.writelines(json.dumps(row) + "\n" for row in asked)
        process.stdin.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 0


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "1"},
    },
}
PING = b'{"jsonrpc":"2.0","id":"after","method":"ping"}'
NO_MESSAGES = {
    "no JSON": (b"hello", -32_700, None),
    "a part of JSON": (b'{"jsonrpc":"2.0","id":7,', -32_700, None),
    "no UTF-8": (b'\xff\xfe{"jsonrpc"', -32_700, None),
    "too deep": (b"[" * 100_000, -32_700, None),
    "long and no JSON": (b"x" * 20_000_000, -32_700, None),
    "a text": (b'"ping"', -32_600, None),
    "nothing": (b"null", -32_600, None),
    "a batch": (b"[" + PING + b"]", -32_600, None),
    "no version": (b'{"id":7,"method":"ping"}', -32_600, 7),
    "no method": (b'{"jsonrpc":"2.0","id":"x"}', -32_600, "x"),
    "a method that is none": (b'{"jsonrpc":"2.0","id":7,"method":5}', -32_600, 7),
    "parameters that are none": (
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":3}',
        -32_600,
        7,
    ),
    "an unknown method": (b'{"jsonrpc":"2.0","id":7,"method":"no/such"}', -32_601, 7),
}


@pytest.mark.parametrize("is_ready", [True, False], ids=["after initialize", "at once"])
def test_a_line_that_is_no_request_is_answered_and_the_next_is_served(library, is_ready):
    begin = [
        json.dumps(INITIALIZE).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ]
    wrong = [line for line, _code, _id in NO_MESSAGES.values()]
    order = [*begin, b"", *wrong] if is_ready else [*wrong[:-1], *begin, wrong[-1]]
    lines = subprocess.run(
        [sys.executable, "-m", "engram_desktop.cli.entry", "mcp", "--library", str(library)],
        input=b"\n".join([*order, PING, b""]),
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    ).stdout.splitlines()
    answers: list[Any] = [json.loads(line) for line in lines]  # also to what came last
    told = [(a["error"]["code"], a["id"]) for a in answers if "error" in a]
    assert told == [(code, asked) for _line, code, asked in NO_MESSAGES.values()]
    assert [a["id"] for a in answers if "result" in a] == [0, "after"]
