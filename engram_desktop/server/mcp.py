"""MCP: the memories of a library as tools for any program that speaks the protocol.

Over stdio (`engram mcp`), or below the server's own address. Tools that write are offered and
executed only while the setting ``serve.mcp_writes`` is on; each is one step that can be undone.

Every answer consists of JSON values. With a character, tools return what that character knows;
without one, everything. No answer contains a path of this computer.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Self

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolResult,
    ErrorData,
    InputRequiredResult,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    ToolAnnotations,
)
from pydantic import ValidationError
from typing_extensions import override

from engram_desktop import __version__
from engram_desktop.domain.claims.claim import FindingAnswer, FindingKind
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.state.tree import split_path
from engram_desktop.formats.json_values import storable

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.graph.entity import EntityNode
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.memory.volume import VolumeInfo
    from engram_desktop.domain.recall.query import RecallHit
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.memory import Memory


Lamp = Literal["any", "blue", "green"]
_T = QT_TRANSLATE_NOOP
_STATUS: dict[Lamp, Literal["buffer", "archived"] | None] = {
    "any": None,
    "blue": "buffer",
    "green": "archived",
}
MOST_ROWS = 200  # in one answer: a model reads it, and may ask for the next page
_CANCELLED = "notifications/cancelled"
# After the last request, to send its answer: a recall in 100,000 floors takes some seconds, a
# model's answer longer. A tool that writes may first wait for another program, for as long as the
# setting says.
_LAST_ANSWERS_S = 30.0
MOST_TEXT = 20_000  # characters of a question or a note, as many as the longest messages have


class MemoryTools:
    """The tools of MCP, for one open library. Models read their docstrings.

    ``on_changes`` is called with what a writing tool changed. They raise KnownError, for instance
    if a chat is missing or another program writes to the library.
    """

    def __init__(
        self,
        memory: Memory,
        make_context: Callable[[], JobContext],
        on_changes: Callable[[Changes], object],
    ) -> None:
        self._memory = memory
        self._make_context = make_context
        self._on_changes = on_changes

    def chats(self) -> list[dict[str, Any]]:
        """List the chats of the library, the latest first, with their sizes and characters."""
        return [
            {
                "chat": chat.name,
                "id": chat.chat_id,
                "characters": list(chat.characters),
                "floors": chat.messages,
                "events": chat.events,
                "entities": chat.entities,
            }
            for chat in self._memory.chats.all()
            if not chat.fault
        ]

    def recall(
        self,
        chat: str,
        question: str,
        as_character: str = "",
        branch: str = "",
        up_to_floor: int | None = None,
        limit: int = 10,
    ) -> list[dict[str, Any]]:
        """Search a chat's memories for what answers a question; the best come first.

        Each has its kind, floors, text, and how much each way of searching added to its score.
        """
        line = self._line(chat, branch, as_character)
        query = RecallQuery(
            _text(question),
            min(max(1, limit), MOST_ROWS),
            actor=as_character.strip() or None,
            branch_id=line.branch_id,
            at=up_to_floor,
        )
        answer = self._memory.recall.ask(self._make_context(), line.chat_id, query)
        return [_hit_row(hit) for hit in answer.hits]

    def inject(
        self, chat: str, message: str, as_character: str = "", branch: str = "", tokens: int = 0
    ) -> str:
        """Return the memory to put into the prompt for a reply to ``message``, as one text.

        ``tokens`` is its budget; 0 uses the budget of the settings.
        """
        line = self._line(chat, branch, as_character)
        query = RecallQuery(
            _text(message), actor=as_character.strip() or None, branch_id=line.branch_id
        )
        budget = tokens if tokens > 0 else None
        made = self._memory.inject.compose(self._make_context(), line.chat_id, query, budget)
        return made.text

    def events(
        self,
        chat: str,
        search: str = "",
        lamp: Lamp = "any",
        as_character: str = "",
        branch: str = "",
        skip: int = 0,
        limit: int = 50,
    ) -> list[dict[str, Any]]:
        """List events in story order.

        Blue events are in every prompt, green ones only when they are recalled.
        """
        line, ctx = self._line(chat, branch, as_character), self._make_context()
        actors = self._memory.knowledge.askers(ctx, line, _names(as_character))
        query = EventQuery(
            text=_text(search), status=_STATUS[lamp], branch_id=line.branch_id, actors=actors
        )
        keys = self._memory.events.find(line.chat_id, query)[max(0, skip) :]
        page = keys[: min(max(1, limit), MOST_ROWS)]
        events = self._memory.events.fetch(line.chat_id, page)
        return [_event_row(events[key]) for key in page if key in events]

    def entities(
        self,
        chat: str,
        search: str = "",
        as_character: str = "",
        branch: str = "",
        limit: int = 50,
    ) -> list[dict[str, Any]]:
        """List people, places and things; those in the most events come first."""
        line, ctx = self._line(chat, branch, as_character), self._make_context()
        actors = self._memory.knowledge.askers(ctx, line, _names(as_character))
        most = min(max(1, limit), MOST_ROWS)
        entities = self._memory.graph.find_entities(line, _text(search), most, actors)
        return [_entity_row(entity) for entity in entities]

    def groups(self, chat: str, branch: str = "") -> list[dict[str, Any]]:
        """List the members of each group and on which floors they belong to it.

        Members know the secrets of their group.
        """
        line = self._line(chat, branch)
        return [one.to_json() for one in self._memory.knowledge.memberships(line)]

    def say_member(
        self,
        chat: str,
        group: str,
        name: str,
        floor: int,
        change: Literal["joins", "leaves"] = "joins",
        branch: str = "",
    ) -> list[dict[str, Any]]:
        """Record that a person joins or leaves a group on a floor; returns all groups. Undoable."""
        line = self._line(chat, branch)
        self._on_changes(
            self._memory.knowledge.say_member(
                line, _text(group), _text(name), is_member=change == "joins", floor=floor
            )
        )
        return self.groups(chat, branch)

    def state(
        self, chat: str, as_character: str = "", branch: str = "", up_to_floor: int | None = None
    ) -> dict[str, Any]:
        """Return the state of the story as a tree of numbers, texts and flags: affinity, mood."""
        line, ctx = self._line(chat, branch, as_character), self._make_context()
        names = _names(as_character)
        return self._memory.knowledge.state(ctx, line, names, up_to_floor).tree

    def claims(
        self, chat: str, branch: str = "", up_to_floor: int | None = None, skip: int = 0
    ) -> list[dict[str, Any]]:
        """List what characters and the narration assert, in floor order: 200 from ``skip`` on."""
        line = self._line(chat, branch)
        found = self._memory.findings.claims(self._make_context(), line, up_to_floor)
        first = max(0, skip)
        return [claim.to_json() for claim in islice(found, first, first + MOST_ROWS)]

    def findings(
        self,
        chat: str,
        kind: FindingKind | Literal["any"] = "any",
        as_character: str = "",
        branch: str = "",
        up_to_floor: int | None = None,
        skip: int = 0,
    ) -> list[dict[str, Any]]:
        """List superseded facts, lies, mistakes, contradictions and promises: 200 from ``skip``."""
        line = self._line(chat, branch, as_character)
        kinds = () if kind == "any" else (kind,)
        found = self._memory.findings.findings(
            self._make_context(), line, kinds, as_character.strip(), up_to_floor
        )
        first = max(0, skip)
        return [finding.to_json() for finding in found[first : first + MOST_ROWS]]

    def volumes(self, chat: str = "") -> list[dict[str, Any]]:
        """List volumes: memories of finished chats that other chats read as their earlier story.

        With ``chat``, only those that this chat reads.
        """
        chat_id = self._memory.chats.find(chat) if chat.strip() else ""
        shown = self._memory.volumes.of_chat(chat_id) if chat_id else self._memory.volumes.all()
        names = {row.chat_id: row.name for row in self._memory.chats.all()}
        return [_volume_row(info, names) for info in shown]

    def attach_volume(self, chat: str, volume: str) -> list[dict[str, Any]]:
        """Let a chat read a volume as its earlier story; returns the volumes it reads. Undoable."""
        chat_id = self._memory.chats.find(chat)
        volumes, ctx = self._memory.volumes, self._make_context()
        self._on_changes(volumes.attach(ctx, volume.strip(), chat_id))
        return self.volumes(chat)

    def detach_volume(self, chat: str, volume: str) -> list[dict[str, Any]]:
        """Let a chat no longer read a volume; returns the volumes it still reads. Undoable."""
        chat_id = self._memory.chats.find(chat)
        volumes, ctx = self._memory.volumes, self._make_context()
        self._on_changes(volumes.detach(ctx, volume.strip(), chat_id))
        return self.volumes(chat)

    def answer_finding(
        self, chat: str, finding: str, answer: FindingAnswer, branch: str = ""
    ) -> dict[str, Any]:
        """Answer a finding: which statement is true, or what became of a promise.

        Returns the finding as it is now. Undoable.
        """
        line, ctx = self._line(chat, branch), self._make_context()
        self._on_changes(self._memory.findings.answer(ctx, line, finding.strip(), answer))
        found = self._memory.findings.findings(ctx, line)
        return next(one.to_json() for one in found if one.id == finding.strip())

    def note_thread(
        self, chat: str, words: str, floor: int, branch: str = ""
    ) -> list[dict[str, Any]]:
        """Record words of a floor as a promise or another open thread; returns it. Undoable."""
        line, ctx = self._line(chat, branch), self._make_context()
        quote = _text(words).strip()
        self._on_changes(self._memory.findings.note_thread(ctx, line, floor, quote))
        threads: tuple[FindingKind, ...] = ("promise",)
        return [
            one.to_json()
            for one in self._memory.findings.findings(ctx, line, threads)
            if one.quotes[0].floor == floor and quote in one.quotes[0].text
        ]

    def note_event(
        self,
        chat: str,
        summary: str,
        first_floor: int | None = None,
        last_floor: int | None = None,
        keywords: Sequence[str] = (),
        branch: str = "",
    ) -> dict[str, Any]:
        """Add an event that covers these floors; without floors, the newest one. Undoable."""
        if not summary.strip():
            raise InputError(Phrase(_T("reports", "An event needs a summary.")))
        line = self._line(chat, branch)
        newest = max(0, self._memory.messages.count(line) - 1)
        last = newest if last_floor is None else min(max(0, last_floor), newest)
        first = last if first_floor is None else min(max(0, first_floor), last)
        words = tuple(_text(word).strip() for word in keywords if word.strip())
        data = PlotExtraction(_text(summary).strip(), words)
        key, changes = self._memory.events.add(line, data, SourceRange(first, last))
        self._on_changes(changes)
        return _event_row(self._memory.events.fetch(line.chat_id, [key])[key])

    def set_state(self, chat: str, path: str, value: Any, branch: str = "") -> dict[str, Any]:
        """Set a value of the state by its dotted path; returns the whole state. Undoable."""
        line = self._line(chat, branch)
        self._on_changes(self._memory.state.set(line, split_path(_text(path)), value))
        return self.state(chat, branch=branch)

    def _line(self, chat: str, branch: str, as_character: str = "") -> Line:
        """Return a line by the names, or ids, of its chat and branch.

        Raises NotFound, also if ``as_character`` is not in the chat.
        """
        chat_id = self._memory.chats.find(chat)
        branch_id = self._memory.branches.find(chat_id, branch) if branch else MAIN_BRANCH
        line = Line(chat_id, branch_id)
        for name in _names(as_character):
            self._memory.knowledge.check_person(self._make_context(), line, name)
        return line


def _text(text: str) -> str:
    """Return the storable form of a text. Raises InputError if it is too long."""
    if len(text) > MOST_TEXT:
        raise InputError(
            Phrase(
                _T("reports", "A text of at most {most} characters is expected."), most=MOST_TEXT
            )
        )
    return storable(text)


def _names(name: str) -> tuple[str, ...]:
    return (name.strip(),) if name.strip() else ()


def _hit_row(hit: RecallHit) -> dict[str, Any]:
    item = hit.item
    return {
        "kind": item.kind,
        "id": item.ref,
        "floors": [item.start_index, item.end_index],
        "text": item.content,
        "why": hit.why,
        "matched": list(hit.matched),
        **({"volume": item.volume} if item.volume else {}),
    }


def _volume_row(info: VolumeInfo, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": info.id,
        "title": info.title,
        "made_of": info.source,
        "counts": dict(info.counts),
        "read_by": [names.get(chat_id, chat_id) for chat_id in info.users],
        "is_missing": info.is_missing,
    }


def _event_row(event: EventNode) -> dict[str, Any]:
    return {
        "id": event.id,
        "summary": event.summary,
        "lamp": "green" if event.is_archived else "blue",
        "floors": [event.source_range.start_index, event.source_range.end_index],
        "participants": list(event.participants),
        "kind": event.kind,
        "is_outline": event.level > 0,
        "is_stale": event.is_stale,
    }


def _entity_row(entity: EntityNode) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "events": entity.event_count,
    }


_INSTRUCTIONS = (
    "Long-term memory of role-play chats. A floor is a message; floors count from 0. Call `chats`"
    " for names first. With `as_character`, answers hold only what that character knows."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def build_mcp(
    memory: Memory,
    make_context: Callable[[], JobContext],
    on_changes: Callable[[Changes], object],
) -> MCPServer[Any]:
    """Return a server with all tools; those that write are offered depending on the setting."""
    tools = MemoryTools(memory, make_context, on_changes)
    server: MCPServer[Any] = _Offering(memory)
    reading: tuple[Callable[..., Any], ...] = (
        tools.chats,
        tools.recall,
        tools.inject,
        tools.events,
        tools.entities,
        tools.state,
        tools.claims,
        tools.findings,
        tools.groups,
        tools.volumes,
    )
    writing: tuple[Callable[..., Any], ...] = (
        tools.note_event,
        tools.set_state,
        tools.say_member,
        tools.answer_finding,
        tools.note_thread,
        tools.attach_volume,
        tools.detach_volume,
    )
    for tool in reading:
        server.add_tool(_known(memory, tool), annotations=_READS)
    for tool in writing:
        server.add_tool(_known(memory, _allowed(memory, tool)), annotations=_WRITES)
    return server


def mcp_app(server: MCPServer[Any]) -> Starlette:
    """Return the server as an application below the path where it is mounted.

    Access is checked by the guard, which comes before every path: hosts, origins, key.
    """
    return server.streamable_http_app(
        streamable_http_path="/",
        stateless_http=True,  # each call is complete in itself: nothing is held between two
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


class _Offering(MCPServer[Any]):
    """A server that lists writing tools only while they are allowed."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(
            "Engram", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
        )
        self._memory = memory

    @override
    async def run_stdio_async(self) -> None:
        """Serve one client over standard input and output; also answer lines without a message."""
        server = self._lowlevel_server
        async with stdio_server() as (read, write):
            options = server.create_initialization_options()
            answers = _Answers(write)
            seconds = _LAST_ANSWERS_S + self._memory.settings.read().library_wait
            await server.run(_Messages(read, answers, seconds), answers, options)
            for row in answers.left:
                sys.stderr.write(f"engram: not answered within {seconds:g} s: {row}\n")

    @override
    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        # half a character in a request could not be quoted in an answer
        name, arguments = json.loads(storable(json.dumps([name, arguments], ensure_ascii=False)))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            wrong = error.__cause__
            if isinstance(wrong, ValidationError):
                raise ToolError(_in_words(wrong)) from error
            raise

    @override
    async def list_tools(self) -> list[Any]:
        tools = await super().list_tools()
        if self._memory.settings.read().serve_mcp_writes:
            return tools
        return [tool for tool in tools if tool.annotations and tool.annotations.read_only_hint]


class _Answers:
    """Sends answers to a client, and tracks which of its requests wait for one."""

    def __init__(self, write: Any) -> None:
        self._write = write
        self._waiting: dict[object, str] = {}
        self._changed = anyio.Event()
        self.left: tuple[str, ...] = ()  # requests without an answer at the end

    def expect(self, message: object) -> None:
        """Note that a message is a request that waits for an answer, or cancels one."""
        if isinstance(message, JSONRPCRequest):
            named = (message.params or {}).get("name")
            self._waiting[message.id] = message.method + (f" {named}" if named else "")
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._waiting.pop((message.params or {}).get("requestId"), None)

    async def send(self, item: SessionMessage) -> None:
        await self._write.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._waiting.pop(item.message.id, None)
            self._changed.set()

    async def all_sent(self, seconds: float) -> None:
        """Wait until every request is answered, for at most ``seconds``."""
        with anyio.move_on_after(seconds):
            while self._waiting:
                self._changed = anyio.Event()
                await self._changed.wait()
        self.left = tuple(f"{method} (id {number})" for number, method in self._waiting.items())

    async def aclose(self) -> None:
        await self._write.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


class _Messages:
    """The messages of a client; lines that are not messages are answered with JSON-RPC errors.

    The protocol's library ignores such lines, and the client would wait forever. At the end of
    input it drops requests in progress: so the end is passed on only when they are answered.
    """

    def __init__(self, read: Any, answers: _Answers, seconds: float) -> None:
        self._read = read
        self._answers = answers
        self._seconds = seconds

    @property
    def last_context(self) -> Any:
        """The context in which the newest message was read; required by the library."""
        return self._read.last_context

    async def receive(self) -> SessionMessage | Exception:
        try:
            while isinstance(item := await self._read.receive(), Exception):
                fault = _fault(item)
                if fault is not None:
                    await self._answers.send(SessionMessage(fault))
        except anyio.EndOfStream:
            await self._answers.all_sent(self._seconds)
            raise
        message: SessionMessage = item
        self._answers.expect(message.message)
        return message

    async def aclose(self) -> None:
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


def _fault(error: Exception) -> JSONRPCError | None:
    """Return the error for a line that is not a message; None for an empty line."""
    wrong = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    if wrong and wrong[0]["type"] == "json_invalid":
        if not str(wrong[0]["input"]).strip():
            return None
        code, text = PARSE_ERROR, f"The line is not JSON. {wrong[0]['msg']}."
    else:
        code = INVALID_REQUEST
        text = "A request is one object with jsonrpc “2.0”, an id and a method; no list of them."
    given = (one["input"].get("id") for one in wrong if isinstance(one["input"], dict))
    known = next((i for i in given if isinstance(i, int | str) and not isinstance(i, bool)), None)
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=text))


def _in_words(wrong: ValidationError) -> str:
    """Describe which arguments are wrong, and how, in one line a model can act on."""
    faults = [
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
        for fault in wrong.errors(include_url=False, include_input=False)
    ]
    return f"Wrong arguments: {'; '.join(faults)}."


def _known(memory: Memory, tool: Callable[..., Any]) -> Callable[..., Any]:
    """Pass the message of a known error to the model, without a path of this computer."""

    @functools.wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except KnownError as e:
            raise ToolError(str(e).replace(str(memory.folder), "…")) from e

    return run


def _allowed(memory: Memory, tool: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not memory.settings.read().serve_mcp_writes:
            raise InputError(
                Phrase(
                    _T(
                        "reports",
                        "Tools that write are off: the setting serve.mcp_writes allows them.",
                    )
                )
            )
        return tool(*args, **kwargs)

    return run
