"""Answers that are heard while they arrive, and the tools they call."""

from __future__ import annotations

import asyncio

import pytest

from engram_desktop.domain.errors import LlmError
from engram_desktop.llm.client.client import Client, Retry, ToolCall
from engram_desktop.llm.client.session import Hearing
from engram_desktop.llm.endpoint.endpoint import Endpoint
from tests.fake_openai import FakeOpenAI

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
    hearing = Hearing(lambda kind, text: heard.append((kind, text)))
    for piece in ("a\ud83d", "", "\ude00", "b\ud83d"):
        hearing.hear("text", piece)
    hearing.hear("thought", "\ud83d")
    hearing.end()
    assert heard[:2] == [("text", "a"), ("text", "😀")]
    assert [text for kind, text in heard if kind == "thought"] == ["�"]
