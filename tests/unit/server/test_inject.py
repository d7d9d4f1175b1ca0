"""What the server puts into a prompt, and tells MCP; a library in trouble."""

from __future__ import annotations

import itertools
import json
import shutil
import threading
from urllib.parse import unquote

import anyio
import apsw
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import JSONRPCNotification, JSONRPCRequest
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import PastRecall
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.access import ClientLimits
from engram_desktop.server.mcp import _Answers
from engram_desktop.server.running import MemoryServer
from engram_desktop.services.memory import Memory
from tests.factories import import_chat, make_extraction, model_at, story_rows
from tests.stored import texts_of
from tests.upstream import DONE, RawClient, Upstream, delta

# Memory goes into a request: the right one, at the right place, in time, and nothing else.

CTX = NullContext()
ROWS = story_rows(30)
HIDDEN = "爱丽丝把铜钥匙藏进了钟楼的第三块砖后面。"
SYSTEM = {"role": "system", "content": "你是爱丽丝。"}


def replies(asked):
    asked.begin()
    asked.chunk(delta("“我记得”"))
    asked.chunk(delta("，她说。", finish_reason="stop"))
    asked.chunk(DONE)
    asked.end()


@pytest.fixture
def up():
    with Upstream(replies) as upstream:
        yield upstream


@pytest.fixture
def story(serve, open_memory, tmp_path, up):
    """A served library with one chat of 30 floors, whose first ten are told by an event."""

    def start(settings=None, **options):
        memory = open_memory(**{**model_at(up.url, "m"), **(settings or {})})
        chat_id = import_chat(memory, tmp_path / "钟楼.jsonl", ROWS)
        line = Line.main(chat_id)
        memory.events.add(line, make_extraction(HIDDEN), SourceRange(0, 9))
        made = serve(memory=memory, **options)
        made.line = line
        made.up = up
        return made

    return start


def messages(first=20, last=29, *more):
    """The floors of the story as a front end sends them, and what the player says now."""
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text}
        for name, text in ROWS[first : last + 1]
    ]
    return [SYSTEM, *said, *({"role": "user", "content": text} for text in more)]


def test_a_request_of_a_chat_with_a_volume_is_told_the_earlier_story(
    serve, open_memory, tmp_path, up
):
    memory = open_memory(**model_at(up.url, "m"))
    first = import_chat(memory, tmp_path / "第一部.jsonl", ROWS)
    memory.events.add(Line.main(first), make_extraction(HIDDEN), SourceRange(0, 9))
    info, _changes = memory.volumes.make(CTX, Line.main(first), "第一卷")
    said = [("旅人", "一年以后，我又推开了酒馆的门。"), ("爱丽丝", "你终于回来了，请坐。")]
    second = import_chat(memory, tmp_path / "第二部.jsonl", said)
    made = serve(memory=memory)
    made.up = up
    rows = [{"role": "user", "content": text} for _name, text in said]
    rows = [SYSTEM, *rows, {"role": "user", "content": "铜钥匙藏在哪里？"}]
    path = "/chat/%E7%AC%AC%E4%BA%8C%E9%83%A8/v1/chat/completions"
    sent, _exchange = ask(made, rows, path)
    assert HIDDEN not in json.dumps(sent, ensure_ascii=False)
    memory.volumes.attach(CTX, info.id, second)
    sent, _exchange = ask(made, rows, path)
    told = sent["messages"][1]["content"]
    assert made.ended(2)[0].outcome == "filled"
    assert "前情（本聊天之前的故事）《第一卷》" in told
    assert HIDDEN in told


def ask(made, rows, path="/chat/%E9%92%9F%E6%A5%BC/v1/chat/completions", **fields):
    answer = made.ask(path, {"messages": rows, "stream": True, **fields})
    assert answer.status == 200, answer.body
    return made.up.asked[-1].json, made.ended()[0]


def is_memory(message):
    return "<engram_summaries>" in message["content"] or "<relevant_mem" in message["content"]


def test_the_story_stands_first_and_what_is_recalled_last(story):
    made = story()
    sent, exchange = ask(made, messages(20, 29, "钥匙在哪里？"))
    first, last = [n for n, m in enumerate(sent["messages"]) if is_memory(m)]
    assert (first, last) == (1, len(sent["messages"]) - 2)
    told = [sent["messages"][n]["content"] for n in (first, last)]
    assert told[0].startswith("<engram_summaries>")
    assert told[0].endswith("</engram_summaries>")
    assert told[1].startswith("<relevant_memories>")
    assert exchange.place == "apart"
    assert exchange.injection.text == "\n\n".join(told)
    # What a model's server has read of the last request stands in the next one as it was.
    reply = {"role": "assistant", "content": "“我记得”，她说。"}
    rows = [*messages(20, 29, "钥匙在哪里？"), reply, {"role": "user", "content": "那么怀表呢？"}]
    again, _exchange = ask(made, rows)
    assert again["messages"][:last] == sent["messages"][:last]


def test_memory_stands_after_the_system_prompt_and_nothing_else_is_changed(story):
    made = story({"serve.place": "system"})
    rows = messages(20, 29, "钥匙在哪里？")
    sent, exchange = ask(made, rows, temperature=0.5)
    assert [m for m in sent["messages"] if "<engram_summaries>" not in m["content"]] == rows
    assert sent["messages"][1]["role"] == "system"
    assert HIDDEN in sent["messages"][1]["content"]
    assert sent["temperature"] == 0.5
    assert exchange.outcome == "filled"
    assert exchange.place == "system"
    assert exchange.identity.line == made.line
    assert exchange.injection.tokens > 0
    assert json.loads(exchange.before)["messages"] == rows
    assert json.loads(exchange.after) == sent
    assert exchange.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("place", "depth", "at"),
    [("depth", 4, -5), ("last", 4, -2), ("depth", 999, 1), ("depth", 0, -1)],
)
def test_memory_stands_where_the_user_chose(story, place, depth, at):
    made = story({"serve.place": place, "serve.depth": depth})
    sent, exchange = ask(made, messages(20, 29, "钥匙在哪里？"))
    texts = [m["content"] for m in sent["messages"]]
    assert [n for n, text in enumerate(texts) if HIDDEN in text] == [at % len(texts)]
    assert exchange.place == place


def test_a_placeholder_wins_over_any_place_wherever_it_stands(story):
    made = story({"serve.place": "last"})
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "A {{engramSummaries}} B"}
    rows[2] = {**rows[2], "content": [{"type": "text", "text": "x {{ EngramSummaries }}"}]}
    sent, exchange = ask(made, rows)
    assert len(sent["messages"]) == len(rows)
    assert sent["messages"][0]["content"].startswith("A <engram_summaries>")
    assert HIDDEN in sent["messages"][2]["content"][0]["text"]
    assert exchange.place == "placeholder"


def test_a_strangers_placeholder_is_taken_out(story):
    made = story()
    rows = [
        {"role": "system", "content": "A{{engramSummaries}}B"},
        {"role": "user", "content": "?"},
    ]
    sent, exchange = ask(made, rows, "/v1/chat/completions")
    assert sent["messages"][0]["content"] == "AB"
    assert exchange.outcome == "unknown"
    assert HIDDEN not in json.dumps(sent, ensure_ascii=False)
    sent, _ = ask(made, [], "/v1/completions", prompt="A{{engramSummaries}}B")
    assert sent["prompt"] == "AB"


def test_a_name_of_no_chat_costs_no_reply(story):
    sent, exchange = ask(story(), messages(20, 29), "/chat/nobody/v1/chat/completions")
    assert sent["messages"] == messages(20, 29)
    assert exchange.outcome == "unknown"


def test_what_the_request_holds_already_is_not_put_in_again(story):
    made = story()
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "<engram_summaries>\n…\n</engram_summaries>"}
    sent, exchange = ask(made, rows)
    assert sent["messages"] == rows
    assert exchange.outcome == "empty"
    rows[0] = {"role": "system", "content": f"World: {HIDDEN}"}
    sent, exchange = ask(made, rows)
    assert json.dumps(sent, ensure_ascii=False).count(HIDDEN) == 1


def test_memory_that_is_off_puts_nothing_in(story):
    made = story({"memory.mode": "off"})
    sent, exchange = ask(made, messages(20, 29))
    assert sent["messages"] == messages(20, 29)
    assert exchange.outcome == "empty"


def test_old_messages_that_memory_tells_are_left_out(story):
    made = story({"serve.window": 10})
    rows = messages(0, 29, "钥匙在哪里？")
    sent, exchange = ask(made, rows)
    texts = [m["content"] for m in sent["messages"]]
    said = [m for m in sent["messages"] if not is_memory(m)]
    # floors 0 to 9 are told; from there on everything stays, told or not
    assert said in ([SYSTEM, *rows[11:]], [SYSTEM, *rows[10:]])
    assert HIDDEN in texts[1]
    assert exchange.left_out >= 9
    assert exchange.saved_tokens > 0


def test_nothing_is_left_out_where_no_memory_goes_in(story):
    made = story({"serve.window": 10, "memory.mode": "off"})
    sent, exchange = ask(made, messages(0, 29))
    assert sent["messages"] == messages(0, 29)
    assert exchange.left_out == exchange.saved_tokens == 0


class Holding(NullContext):
    """A context in which every check waits until the test lets go."""

    def __init__(self, go):
        self.go = go

    @override
    def check(self):
        self.go.wait(60)


def test_memory_that_is_late_costs_no_reply(story):
    go = threading.Event()
    made = story({"serve.allowance": 50}, contexts=lambda: Holding(go))
    rows = messages(20, 29, "钥匙在哪里？")
    rows[0] = {"role": "system", "content": "A{{engramSummaries}}B"}
    sent, exchange = ask(made, rows)
    assert sent["messages"] == [{"role": "system", "content": "AB"}, *rows[1:]]
    assert exchange.outcome == "late"
    assert "50 ms" in exchange.failure
    for _ in range(20):  # they wait for nothing that waits
        made.chat("?")
    assert {e.outcome for e in made.exchanges} == {"late"}
    assert sum(t.name.startswith("engram-serve_") for t in threading.enumerate()) <= 4
    go.set()


def test_what_was_too_late_even_to_be_read_is_kept(story):
    go = threading.Event()
    made = story({"serve.allowance": 50}, contexts=lambda: Holding(go))
    for _ in range(4):  # as many as there are threads that read
        made.chat("?")
    _sent, exchange = ask(made, messages(10, 29, "钥匙在哪里？"))
    assert (exchange.outcome, exchange.identity) == ("late", None)
    go.set()
    assert wait_until_kept(made, 32) == ["钥匙在哪里？", "“我记得”，她说。"]


def wait_until_kept(made, count):
    """Return the two newest messages, once there are ``count``."""
    for _ in range(2_000):
        if made.memory.messages.count(made.line) == count:
            break
        threading.Event().wait(0.005)
    return texts_of(made.memory, made.line, count - 2, count - 1)


class Broken(NullContext):
    @override
    def check(self):
        if threading.current_thread().name.startswith("engram-serve"):
            raise RuntimeError("a bug of ours")


@pytest.mark.logs("memory for a request failed")
def test_memory_that_fails_costs_no_reply(story):
    # the first context is of what is read ahead when the server starts
    contexts = itertools.chain([CTX], itertools.repeat(Broken()))
    made = story(contexts=contexts.__next__)
    asked = messages(10, 29, "钥匙在哪里？")
    sent, exchange = ask(made, asked, "/v1/chat/completions")
    assert sent["messages"] == asked
    assert exchange.outcome == "failed"
    assert wait_until_kept(made, 32) == ["钥匙在哪里？", "“我记得”，她说。"], "nor what is said"


def test_what_is_said_becomes_memory_once_the_reply_is_whole(story):
    changes: list[Changes] = []
    grown: list[Line] = []
    made = story(on_changes=changes.append, on_grown=grown.append)
    _sent, exchange = ask(made, messages(10, 29, "钥匙在哪里？"))
    for _ in range(2_000):
        if made.memory.messages.count(made.line) == 32:
            break
        threading.Event().wait(0.005)
    said = made.memory.messages.slice(made.line, 30, 31)
    assert [message.text for message in said] == ["钥匙在哪里？", "“我记得”，她说。"]
    for _ in range(2_000):
        if len(grown) >= 2:
            break
        threading.Event().wait(0.005)
    assert set(grown) == {made.line}
    assert all(change.messages for change in changes)
    assert made.server.exchanges.get(exchange.number).kept == "message"


def test_a_prompt_is_logged_once_it_was_answered(story):
    made = story({"serve.allowance": 10_000})  # one that is late is not logged
    ask(made, messages(10, 29, "钥匙在哪里？"))
    past: list[PastRecall] = []
    for _ in range(2_000):
        if past := made.memory.recall.past(made.line.chat_id):
            break
        threading.Event().wait(0.005)
    assert [row.query for row in past] == ["钥匙在哪里？"]
    why = made.memory.recall.explanation(made.line.chat_id, past[0].id)
    assert why.text
    assert why.told


def test_who_knows_what_of_a_reply_is_worked_out_as_soon_as_it_is_kept(story):
    """Else the next request would have to: .1 s in a chat of 10,000 floors."""
    made = story()
    ask(made, messages(10, 29, "钥匙在哪里？"))
    state = made.server._running._state
    for _ in range(2_000):
        if made.memory.messages.count(made.line) == 32 and not state.waiting_to_be_kept:
            break
        threading.Event().wait(0.001)
    assert not made.memory.knowledge.is_behind(made.line.chat_id)


def test_a_text_completion_has_memory_before_its_story(story):
    made = story()
    talk = "\n".join(f"{name}: {text}" for name, text in ROWS[20:30])
    prompt = f"你是爱丽丝。\n***\n{talk}\n旅人: 钥匙在哪里？\n爱丽丝:"
    path = "/chat/%E9%92%9F%E6%A5%BC/v1/completions"
    made.ask(path, {"prompt": prompt})
    sent = made.up.asked[-1].json["prompt"]
    assert HIDDEN in sent
    head, _, tail = sent.partition("<engram_summaries>")
    assert prompt.startswith(head)
    assert tail.endswith("旅人: 钥匙在哪里？\n爱丽丝:")


# Whatever happens to the library, the reply passes, and what is wrong is said.


def overwritten(folder):
    for name in ("library.db", "library.db-wal"):
        if (folder / name).exists():
            (folder / name).write_bytes(b"no database at all" * 4_000)


def chat_overwritten(folder):
    for path in folder.rglob("*.db*"):
        if path.name.startswith("memory.db") and not path.name.endswith("-shm"):
            path.write_bytes(b"no database at all" * 4_000)


def deleted(folder):
    """Take the folder away at once: what is still written to it goes with it."""
    gone = folder.rename(folder.with_name("gone"))
    shutil.rmtree(gone, ignore_errors=True)


def newer(folder):
    connection = apsw.Connection(str(folder / "library.db"))
    connection.setbusytimeout(5_000)
    connection.execute("PRAGMA user_version = 9999")
    connection.close()


def without_tables(folder):
    connection = apsw.Connection(str(folder / "library.db"))
    connection.setbusytimeout(5_000)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ).fetchall():
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    connection.close()


TROUBLES = [
    pytest.param(overwritten, "library.db"),
    pytest.param(chat_overwritten, "memory.db", marks=pytest.mark.may_log("is not known")),
    pytest.param(deleted, "moved, deleted or replaced"),
    pytest.param(newer, "newer Engram"),
    pytest.param(
        without_tables,
        "Memory failed here",
        marks=[
            pytest.mark.logs("cannot be used", "memory for a request"),
            # Begun before, on threads of their own.
            pytest.mark.may_log("reading ahead failed", "a job of the memory server failed"),
        ],
    ),
]


@pytest.mark.parametrize(("trouble", "words"), TROUBLES)
def test_a_reply_passes_whatever_became_of_the_library(story, trouble, words):
    """The second answer names the trouble at the latest: the first may find it as it is kept."""
    made = story()
    ask(made, messages(10, 29))
    trouble(made.memory.folder)
    said = []
    for last in (29, 27):
        rows = messages(10, last, "钥匙在哪里？")
        answer = made.ask("/v1/chat/completions", {"messages": rows, "stream": True})
        assert answer.status == 200
        assert answer.body.endswith(b"data: [DONE]\n\n")
        said.append(unquote(answer.headers.get("x-engram-trouble", "")))
        made.server._running._state._keeper.submit(int).result()  # until it was kept, or not
    assert said[-1]
    assert words in said[-1]
    assert str(made.memory.folder) not in said[-1]


# MCP below the server's address, spoken by the official client over HTTP.

TALK = [("旅人", "“钥匙藏在钟楼里。”"), ("爱丽丝", "“我谁也不说。”")]


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(tmp_path / "资料库", environ={})
    memory.settings.set("keys.storage", "session")
    memory.settings.set("embed.local", "hash")
    chat = import_chat(memory, tmp_path / "秘.jsonl", TALK)
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


def test_what_is_not_answered_in_time_is_said():
    """Behind the last request it waits for answers, and names those that never came."""

    async def end() -> tuple[str, ...]:
        answers = _Answers(None)
        for number, name in enumerate(("recall", "note_event")):
            params = {"name": name, "arguments": {}}
            answers.expect(
                JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params=params)
            )
        gone = {"requestId": 0}
        answers.expect(
            JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=gone)
        )
        await answers.all_sent(0.01)
        return answers.left

    assert anyio.run(end) == ("tools/call note_event (id 1)",)
