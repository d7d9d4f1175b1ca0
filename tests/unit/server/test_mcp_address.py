"""MCP below the server's address, spoken by the official client over HTTP."""

from __future__ import annotations

import json

import anyio
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.access import ClientLimits
from engram_desktop.server.running import MemoryServer
from engram_desktop.services.memory import Memory
from tests.factories import make_extraction, write_chat
from tests.upstream import RawClient

CTX = NullContext()
TALK = [("旅人", "“钥匙藏在钟楼里。”"), ("爱丽丝", "“我谁也不说。”")]


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(tmp_path / "资料库", environ={})
    memory.settings.set("keys.storage", "session")
    memory.settings.set("embed.local", "hash")
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "秘.jsonl", TALK)).chat_id
    memory.events.add(Line.main(chat or ""), make_extraction("钥匙藏在钟楼里"), SourceRange(0, 1))
    yield memory
    memory.close()


@pytest.fixture
def served(memory):
    """A running server, and what was changed through it."""
    changes: list[Changes] = []
    server = MemoryServer(memory, on_changes=changes.append)
    server.start(0)
    yield server, changes
    server.stop()


def talk(address, *calls):
    async def session():
        headers = {"Authorization": f"Bearer {address.key}"}
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
                streamable_http_client(
                    address.url.removesuffix("/v1") + "/mcp", http_client=http
                ) as streams,
                ClientSession(streams[0], streams[1]) as client,
            ):
                await client.initialize()
                names = {tool.name for tool in (await client.list_tools()).tools}
                return names, [await client.call_tool(name, given) for name, given in calls]

    return anyio.run(session)


def test_tools_answer_over_http(served):
    server, _changes = served
    names, [answer] = talk(server.address, ("recall", {"chat": "秘", "question": "钥匙在哪里"}))
    assert "recall" in names
    assert "note_event" not in names
    assert "钟楼" in answer.content[0].text


def test_the_window_hears_what_a_tool_wrote(served, memory):
    server, changes = served
    memory.settings.set("serve.mcp_writes", value=True)
    _names, [answer] = talk(server.address, ("note_event", {"chat": "秘", "summary": "起了疑心"}))
    assert not answer.is_error
    assert [change.rows for change in changes] == [True]
    assert len(memory.events.find(memory.chats.find("秘"), EventQuery())) == 2


def test_without_the_key_there_is_no_answer(served):
    server, _changes = served
    url = server.address.url.removesuffix("/v1") + "/mcp"
    with httpx2.Client(trust_env=False) as http:
        answer = http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401


def test_the_server_ends_while_somebody_is_connected(served):
    server, _changes = served
    talk(server.address)
    server.stop()
    assert not server.is_running


def post(address, body, **headers):
    """Send a body as it is; returns status and text."""
    url = address.url.removesuffix("/v1") + "/mcp"
    fields = {
        "Authorization": f"Bearer {address.key}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    with httpx2.Client(trust_env=False, timeout=20) as http:
        answer = http.post(url, content=body, headers=fields)
    return answer.status_code, answer.text, answer.headers


def called(tool, **arguments):
    params = {"name": tool, "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    return json.dumps(request).encode()


def test_half_a_character_is_answered_too(served):
    server, _changes = served
    body = called("recall", chat="秘", question="钥匙 \ud83d 在哪里")
    status, text, _headers = post(server.address, body)
    assert status == 200
    assert "钟楼" in text


def test_wrong_arguments_are_named_in_one_line(served):
    server, _changes = served
    given = {"chat": "秘", "question": "钥匙", "limit": "many"}
    _names, [answer] = talk(server.address, ("recall", given))
    said = answer.content[0].text
    assert answer.is_error
    assert said.startswith("Wrong arguments: limit: ")
    assert "\n" not in said
    assert "pydantic" not in said


def test_no_session_is_held_between_two_calls(served):
    server, _changes = served
    for _n in range(3):
        status, text, headers = post(server.address, called("chats"))
        assert status == 200
        assert "秘" in text
        assert "mcp-session-id" not in headers


def test_a_body_that_drips_is_ended_in_the_shape_of_the_protocol(memory):
    server = MemoryServer(memory, limits=ClientLimits(rate=1_000, grace=0.3))
    address = server.start(0)
    with RawClient(int(address.url.split(":")[2].split("/")[0])) as client:
        client.head("POST", "/mcp", address.key, "Content-Length: 9000")
        client.send(b"{")
        head, _blank, body = client.rest().partition(b"\r\n\r\n")
    server.stop()
    server.join()
    assert head.startswith(b"HTTP/1.1 408")
    assert json.loads(body)["error"]["code"] == -32_600
