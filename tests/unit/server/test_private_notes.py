"""Private notes leave the library on no road: the roads are taken from the program."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from starlette.routing import Route

import engram_desktop
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.volume import VOLUME_KINDS
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.running import PARTS
from tests.factories import model_at
from tests.fake_openai import FakeOpenAI
from tests.unit.server.conftest import Served
from tests.unit.server.test_companion import CHAT, add_event, question, rows

CTX = NullContext()
NOTE = "密语：谁也不许看"
ANSWER = json.dumps(
    {
        "events": [
            {"summary": "爱丽丝交出铜钥匙。", "entities": [{"name": "爱丽丝", "type": "char"}]}
        ],
        "profiles": [{"name": "爱丽丝", "set": {"身份": "老板"}}],
        "logs": [{"owner": "爱丽丝", "content": "我后悔了。"}],
        "level": "EVENT",
    },
    ensure_ascii=False,
)
HEADER = json.dumps({"chat_metadata": {"integrity": "s"}, "user_name": "unused"})
WHOLE = {"what": "piece", "upload": "1", "number": 0, "count": 1, "header": HEADER, "rows": rows()}
SAID = [{"role": "user", "content": "铜钥匙能打开什么？"}]
# What each address is asked, by the last word of its path. One that is new and not here fails.
BODIES: dict[str, dict[str, Any]] = {
    "hello": {},
    "recall": question(),
    "told": {"chat": CHAT, **WHOLE},
    "events": {"chat": CHAT},
    "findings": {"chat": CHAT},
    "finding": {"chat": CHAT, "id": "none", "answer": "kept"},
    "lamp": {"chat": CHAT, "ref": "{event}", "lamp": "green"},
    "mute": {"chat": CHAT, "ref": "{event}"},
    "tidy": {"chat": CHAT},
    "tidying": {"number": 1},
    "status": {"chat": CHAT},
    "show": {"chat": CHAT},
    "completions": {"model": "fake-chat", "messages": SAID, "prompt": "铜钥匙能打开什么？"},
    "embeddings": {"model": "fake-embed", "input": "铜钥匙"},
    "models": {},
    "mcp": {},  # its tools are asked below, one by one
}
# What each argument of a tool of MCP is given; all else takes what it takes without being told.
ARGUMENTS: dict[str, Any] = {
    "question": "铜钥匙能打开什么？",
    "message": "铜钥匙能打开什么？",
    "summary": "起了疑心。",
    "path": "爱丽丝.好感度",
    "value": 3,
    "finding": "none",
    "answer": "kept",
    "volume": "none",
    "name": "旅人",
    "group": "青云门",
    "floor": 1,
    "words": "铜钥匙",
}


@pytest.fixture
def upstream():
    with FakeOpenAI(answer=lambda _body: ANSWER) as made:
        yield made


@pytest.fixture
def noted(open_memory, upstream):
    """A server over a chat of which everything has a note; and the line of the chat."""
    llm = {**model_at(upstream.url), "serve.mcp_writes": True}
    memory = open_memory(**llm)
    served = Served(memory)
    assert served.ask("/companion/v1/told", BODIES["told"]).json["state"] == "kept"
    line = Line.main(memory.chats.all()[0].chat_id)
    add_event(memory, line)
    memory.pipeline.summarise(CTX, line, (0, 2), "llm")
    memory.pipeline.consolidate(CTX, line)
    memory.pipeline.summarise(CTX, line, (3, 4), "extractive")
    write_notes(memory, line)
    yield served, line
    served.server.stop()


def write_notes(memory, line):
    """Write a note on the chat, and on every message, event and entity of it."""
    keys = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
    events = memory.events.fetch(line.chat_id, keys)
    things = [
        ("chat", line.chat_id),
        *(("message", message.id) for message in memory.messages.slice(line, 0, 99)),
        *(("event", event.id) for event in events.values()),
        *(("entity", entity.id) for entity in memory.graph.find_entities(line)),
    ]
    for kind, ref in things:
        assert memory.chats.notes.write(line.chat_id, kind, ref, f"{NOTE}（{kind}）").notes
    assert {note.kind for note in memory.chats.notes.all(line.chat_id)} == {k for k, _ in things}
    assert {kind for kind, _ref in things} == {"chat", "message", "event", "entity"}


def test_no_address_of_the_server_tells_a_private_note(noted, upstream):
    served, line = noted
    state = served.server._running._state
    event = next(iter(served.memory.events.at_floors(line, 0, 4))).id
    routes = [route for part in PARTS for route in part(state)]
    paths = [route.path.rstrip("/") for route in routes if isinstance(route, Route)]
    assert len(paths) == len(routes)
    assert {path.rsplit("/", 1)[-1] for path in paths} == set(BODIES)
    for path in dict.fromkeys(paths):
        name = path.rsplit("/", 1)[-1]
        body = json.loads(json.dumps(BODIES[name]).replace("{event}", event))
        answer = served.ask(path, None if name == "models" else body)
        assert NOTE not in answer.body.decode(), path
        assert answer.status < 500, (path, answer.body)
    asked = [json.dumps(seen.body, ensure_ascii=False) for seen in upstream.seen]
    assert any("北塔" in text for text in asked), "memory reaches the model behind the server"
    assert not any(NOTE in text for text in asked)


def test_no_tool_of_mcp_tells_a_private_note(noted):
    served, line = noted

    async def ask_all():
        headers = {"Authorization": f"Bearer {served.key}"}
        url = f"http://127.0.0.1:{served.port}/mcp"
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
            streamable_http_client(url, http_client=http) as streams,
            ClientSession(streams[0], streams[1]) as client,
        ):
            await client.initialize()
            tools = (await client.list_tools()).tools
            answers = {}
            for tool in tools:
                schema = tool.input_schema
                wanted = {*schema.get("required", []), "chat"} & set(schema["properties"])
                given = {name: (ARGUMENTS | {"chat": line.chat_id})[name] for name in wanted}
                answers[tool.name] = await client.call_tool(tool.name, given)
            return answers

    answers = anyio.run(ask_all)
    assert {"recall", "inject", "events", "entities", "note_event"} <= set(answers)
    told = {name: "".join(part.text for part in one.content) for name, one in answers.items()}
    assert "北塔" in told["recall"] + told["inject"]
    assert not [name for name, text in told.items() if NOTE in text]


def test_no_prompt_of_a_model_holds_a_private_note(noted, upstream):
    served, line = noted
    memory = served.memory
    asked = len(upstream.seen)
    memory.pipeline.summarise(CTX, line, (3, 4), "llm")
    memory.pipeline.trim(CTX, line, limit=1)
    memory.pipeline.reflect(CTX, line, (0, 4))
    memory.pipeline.update_profiles(CTX, line)
    for level in ("CHAT", "EVENT", "ROUTINE"):
        memory.play.send(CTX, line, "铜钥匙能打开什么？", level=level)
    sent = [json.dumps(seen.body, ensure_ascii=False) for seen in upstream.seen[asked:]]
    assert len(sent) > 4
    assert not [text for text in sent if NOTE in text]


def test_no_volume_holds_a_private_note(noted, tmp_path):
    memory, line = noted[0].memory, noted[1]
    made, _changes = memory.volumes.make(CTX, line, "册", VOLUME_KINDS)
    memory.volumes.export(CTX, made.id, tmp_path / "册.json")
    text = (tmp_path / "册.json").read_text("utf-8")
    assert "北塔" in text
    assert NOTE not in text


# Which modules may read a private note. Another one that does fails here, before anybody tries it.

PROGRAM = Path(engram_desktop.__file__).parent
STORE = {
    "services/care/upkeep.py",  # the whole export as JSON
    "services/chats/private_notes.py",
    "services/events/curate.py",  # events that become one
    "services/search.py",  # where the user alone searches
    "storage/chat/chat_store.py",
}
SERVICE = {"cli/knowledge_verbs.py", "viewmodels/private_note.py"}
SEARCHES = {"cli/library_verbs.py", "viewmodels/search/library_finder.py"}
TABLE = {
    "storage/chat/chat_store.py",
    "storage/chat/private_notes.py",
    "storage/schema/chat.py",
}


def is_attribute(*names):
    return lambda n: isinstance(n, ast.Attribute) and n.attr in names


def is_service(node):
    inner = getattr(node, "value", None)
    return is_attribute("notes")(node) and is_attribute("chats")(inner)


def is_search(node):
    return isinstance(node, ast.keyword) and node.arg == "with_notes"


def is_table(node):
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and "private_note" in text and "private_notes" not in text


def test_only_these_modules_read_private_notes():
    is_store = is_attribute("private_notes", "PrivateNoteStore")
    kinds = (is_store, is_service, is_search, is_table)
    found: list[set[str]] = [set() for _kind in kinds]
    for file in PROGRAM.rglob("*.py"):
        text = file.read_text("utf-8")
        if "note" not in text.lower():  # all of them are spelt with it
            continue
        nodes = list(ast.walk(ast.parse(text)))
        for holds, modules in zip(kinds, found, strict=True):
            if any(map(holds, nodes)):
                modules.add(file.relative_to(PROGRAM).as_posix())
    assert found[0] <= STORE
    assert found[1:] == [SERVICE, SEARCHES, TABLE]
