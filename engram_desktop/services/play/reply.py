"""A reply in play: streamed from a model, with its tools, or from a written scene."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engram_desktop.domain.cards import Character
from engram_desktop.domain.errors import LlmError, NotFound, ServerError
from engram_desktop.domain.memory.extraction import MAX_NAME, clean_text
from engram_desktop.domain.play import (
    Ending,
    OnPiece,
    RecordedEvent,
    ReplyPiece,
    ScriptedScene,
    TagParser,
    TagResult,
    ToolWay,
    event_of,
)
from engram_desktop.domain.recall.query import Level, Triage, parse_triage
from engram_desktop.domain.state.rules import StateRule, rule_of
from engram_desktop.domain.state.tree import OpName, StateOp, split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.state_updates import MAX_OPS, tame
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import Cancelled, CancelToken, JobContext
from engram_desktop.llm.answers import read_json
from engram_desktop.llm.session import OnDelta
from engram_desktop.places import resource

if TYPE_CHECKING:
    from engram_desktop.llm.client import ChatAnswer, Client, ToolCall
    from engram_desktop.llm.session import DeltaKind


MODEL = "scene"  # the model's name in the notes of scripted replies
_FILE = "story/scenes.json"
_AT_ONCE = 3  # characters of a piece, as servers send them
_PACE_S = 0.02  # seconds between two pieces if somebody watches: about reading speed


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One scripted turn: what the player says, its triage, and readings of the reply."""

    say: str
    triage: Triage
    replies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """A scene that plays without a model. A ``loops`` scene begins again at its end."""

    scene: ScriptedScene
    player: str
    character: Character
    greeting: str
    rules: tuple[StateRule, ...]
    turns: tuple[ScriptedTurn, ...]
    loops: bool

    def turn(self, number: int) -> ScriptedTurn | None:
        """Return turn ``number``, from 0; None after the end."""
        if self.loops:
            return self.turns[number % len(self.turns)]
        return self.turns[number] if number < len(self.turns) else None


@cache
def scripts() -> tuple[WrittenScene, ...]:
    """Return all scenes, in every language."""
    rows = json.loads(resource(_FILE).read_text("utf-8"))
    return tuple(_script(row) for row in rows["scenes"])


def script_named(name: str, language: str) -> WrittenScene:
    """Return a scene, in another language if it does not exist in this one. Raises NotFound."""
    named = [script for script in scripts() if script.scene.name == name]
    if not named:
        raise NotFound("resource", name)
    return next((s for s in named if s.scene.language == language[:2]), named[0])


async def speak(text: str, on_delta: OnDelta, *, is_watched: bool) -> None:
    """Pass a reply on in pieces, at reading speed if somebody watches."""
    size = _AT_ONCE if is_watched else max(_AT_ONCE, len(text) // 4)
    for at in range(0, len(text), size):
        on_delta("text", text[at : at + size])
        await asyncio.sleep(_PACE_S if is_watched else 0)


def _script(row: dict[str, Any]) -> WrittenScene:
    card = row["card"]
    rules = [rule_of(split_path(path), value) for path, value in row.get("state", {}).items()]
    return WrittenScene(
        ScriptedScene(row["name"], row["language"], row["title"]),
        row["player"],
        Character(card["name"], description=card["description"]),
        row["greeting"],
        tuple(rule for rule in rules if rule is not None),
        tuple(
            ScriptedTurn(
                turn["say"], parse_triage(turn["triage"]) or Triage("CHAT"), tuple(turn["replies"])
            )
            for turn in row["turns"]
        ),
        row.get("loops", False),
    )


T = TypeVar("T")
_REFUSED = frozenset({400, 404, 415, 422, 501})  # statuses of servers that reject a request's form
NO_TOOLS = "tools"  # entry in a client's `learned` if its server refuses tools
Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Request:
    """The request for a reply; its messages depend on how the reply may change the state."""

    messages: Callable[[ToolWay], Messages]
    tools: Sequence[dict[str, Any]]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReceivedReply:
    """What arrived of a reply, and how it ended.

    ``lead`` is the white space it began with; ``fault`` is why it was cut off; ``is_cancelled``
    says whether the whole job ends.
    """

    tags: TagResult
    calls: tuple[ToolCall, ...] = ()
    thought: str = ""
    lead: str = ""
    ending: Ending = "done"
    way: ToolWay = "tags"
    fault: LlmError | None = None
    is_cancelled: bool = False


class Listener:
    """Parses a reply while it arrives, and passes its pieces on."""

    def __init__(self, on_piece: OnPiece | None) -> None:
        self._on_piece = on_piece
        self._parser = TagParser()
        self._thoughts: list[str] = []
        self._lead: str | None = None
        self.has_text = False

    def add(self, kind: DeltaKind, text: str) -> None:
        """Add a piece that arrived."""
        if kind == "thought":
            self._thoughts.append(text)
            self._tell(ReplyPiece("thought", text))
            return
        if self._lead is None:
            self._lead = text[: len(text) - len(text.lstrip())]
        for piece in self._parser.feed(text):
            self.has_text = self.has_text or piece.kind == "reply"
            self._tell(piece)

    def end(self) -> tuple[TagResult, str, str]:
        """Return the parsed reply, the separate thoughts, and the white space it began with."""
        return self._parser.finish(), "".join(self._thoughts), self._lead or ""

    def _tell(self, piece: ReplyPiece) -> None:
        if self._on_piece is not None:
            self._on_piece(piece)


class ReplySource(Protocol):
    """A model or a written scene that replies."""

    model: str

    def speak(
        self, ctx: JobContext, request: Request, listener: Listener
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        """Stream the reply to ``listener``; returns tool calls, tool way, and whether it was cut.

        Raises LlmError, Cancelled.
        """
        ...


class EndpointVoice:
    """The model of the configured endpoint. ``wish`` is the setting: auto, tools or tags."""

    def __init__(self, client: Client, wish: str) -> None:
        self._client = client
        self._wish = wish
        self.model = client.endpoint.model

    def speak(
        self, ctx: JobContext, request: Request, listener: Listener
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        learned = self._client.learned
        if self._wish == "tags" or (self._wish == "auto" and NO_TOOLS in learned):
            return self._ask(ctx, request, listener, "tags")
        try:
            return self._ask(ctx, request, listener, "tools")
        except ServerError as e:
            if self._wish == "tools" or not _is_about_tools(e):
                raise
        learned.add(NO_TOOLS)
        return self._ask(ctx, request, listener, "tags")

    def _ask(
        self, ctx: JobContext, request: Request, listener: Listener, way: ToolWay
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        messages = request.messages(way)
        options: dict[str, Any] = dict(request.options)
        if way == "tools":
            options["tools"] = list(request.tools)

        async def ask() -> tuple[ChatAnswer, tuple[ToolCall, ...]]:
            async with self._client.session() as session:
                answer = await session.chat(messages, on_delta=listener.add, **options)
                calls = answer.tool_calls
                if calls and not listener.has_text:  # it waits for the results of its tools
                    after = [*messages, *_returned(calls)]
                    answer = await session.chat(
                        after, on_delta=listener.add, **options, tool_choice="none"
                    )
                return answer, (*calls, *(answer.tool_calls if answer.tool_calls != calls else ()))

        answer, calls = run_async(ctx, ask())
        return calls, way, answer.is_cut


class ScriptVoice:
    """A reply that was written beforehand."""

    model = MODEL

    def __init__(self, text: str, *, is_watched: bool) -> None:
        self._text = text
        self._is_watched = is_watched

    def speak(
        self, ctx: JobContext, request: Request, listener: Listener
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        del request
        run_async(ctx, speak(self._text, listener.add, is_watched=self._is_watched))
        return (), "tags", False


class Stoppable:
    """A `JobContext` that ends with its job, or when the player stops the reply."""

    def __init__(self, ctx: JobContext) -> None:
        self._ctx = ctx
        self._token = CancelToken()
        self.report = ctx.report

    @property
    def is_stopped(self) -> bool:
        """Return whether the player stopped the reply; False if the whole job was cancelled."""
        return self._token.is_cancelled

    def stop(self) -> None:
        self._token.cancel()

    def check(self) -> None:
        self._ctx.check()
        self._token.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self._ctx.on_cancel(close)
        self._token.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        return self._ctx.write(unit)


def stream_reply(
    ctx: Stoppable, source: ReplySource, request: Request, on_piece: OnPiece | None
) -> ReceivedReply:
    """Stream a reply to its end, or until it is stopped. Raises LlmError if nothing arrived.

    What has arrived is never lost: a reply that is stopped, or whose connection breaks, ends there.
    """
    listener = Listener(on_piece)
    calls: tuple[ToolCall, ...] = ()
    way: ToolWay = "tags"
    ending: Ending = "done"
    fault: LlmError | None = None
    is_cancelled = False
    try:
        ctx.check()
        calls, way, is_cut = source.speak(ctx, request, listener)
        ending = "cut" if is_cut else "done"
    except Cancelled:
        ending, is_cancelled = "stopped", not ctx.is_stopped
    except LlmError as e:
        if not listener.has_text:
            raise
        ending, fault = "cut", e
    tags, thought, lead = listener.end()
    return ReceivedReply(tags, calls, thought, lead, ending, way, fault, is_cancelled)


def _returned(calls: Sequence[ToolCall]) -> Messages:
    """Return the messages that continue a conversation after tool calls, all answered with "ok"."""
    rows: Messages = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": f"call_{n}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for n, call in enumerate(calls)
            ],
        }
    ]
    rows += [
        {"role": "tool", "tool_call_id": f"call_{n}", "content": "ok"} for n in range(len(calls))
    ]
    return rows


def _is_about_tools(error: ServerError) -> bool:
    words = str(error.params.get("detail", "")).lower()
    is_refused = error.params.get("status") in _REFUSED
    return is_refused and ("tool" in words or "function" in words)


BY_LEVEL: dict[Level, tuple[str, ...]] = {
    "ROUTINE": ("update_vwd",),
    "CHAT": ("update_vwd", "expression"),
    "EVENT": ("record_event", "trigger_flag"),
}
_OPS: dict[str, OpName] = {"add": "add", "replace": "set", "set": "set", "remove": "remove"}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_PROPERTIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "update_vwd": (
        {
            "ops": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "op": {"type": "string", "enum": ["add", "replace", "remove"]},
                        "path": _TEXT,
                        "value": _TEXT,
                        "reason": _TEXT,
                    },
                    "required": ["op", "path"],
                },
            }
        },
        ["ops"],
    ),
    "expression": ({"name": _TEXT}, ["name"]),
    "record_event": (
        {
            "type": _TEXT,
            "summary": _TEXT,
            "participants": _TEXTS,
            "location": _TEXT,
            "tags": _TEXTS,
        },
        ["type", "summary", "participants"],
    ),
    "trigger_flag": ({"flag": _TEXT}, ["flag"]),
}


@dataclass(slots=True)
class ToolResults:
    """The combined contents of the tool calls of one answer."""

    ops: list[StateOp] = field(default_factory=list)
    events: list[RecordedEvent] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    expression: str = ""


def tool_schemas(level: Level, words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the function schemas of a level (note 003 §3.1.2), described by ``words``."""
    schemas = []
    for name in BY_LEVEL[level]:
        properties, required = _PROPERTIES[name]
        parameters = {"type": "object", "properties": properties, "required": required}
        function = {"name": name, "description": words[name], "parameters": parameters}
        schemas.append({"type": "function", "function": function})
    return schemas


def called(calls: Iterable[ToolCall]) -> ToolResults:
    """Parse tool calls, leniently; calls without content are skipped."""
    result = ToolResults()
    for call in calls:
        value = read_json(call.arguments).value if call.arguments.strip() else None
        if not isinstance(value, dict):
            continue
        match call.name:
            case "update_vwd":
                result.ops += _ops_of(value)
            case "record_event":
                event = event_of(value)
                if event is not None:
                    result.events.append(event)
            case "trigger_flag":
                flag = _word(value.get("flag", value.get("name")))
                result.flags += [flag] if flag else []
            case "expression":
                result.expression = _word(value.get("name", value.get("expression")))
    return result


def _ops_of(value: Mapping[str, Any]) -> list[StateOp]:
    rows = value.get("ops", [value])
    ops = []
    for row in rows[:MAX_OPS] if isinstance(rows, list) else ():
        if not isinstance(row, dict) or not isinstance(row.get("path"), str):
            continue
        name, path = _OPS.get(str(row.get("op", "replace")).lower()), split_path(row["path"])
        if name is not None and any(path):
            reason = _word(row.get("reason"))
            ops.append(StateOp(name, path, tame(_value(row.get("value"))), reason))
    return ops


def _value(value: object) -> object:
    """Parse a value that the schema declares as text: numbers and booleans are converted."""
    if not isinstance(value, str):
        return value
    try:
        plain = json.loads(value.strip().removeprefix("+"))
    except (ValueError, RecursionError):
        return value
    return plain if isinstance(plain, int | float | bool) else value


def _word(value: object) -> str:
    return clean_text(value, MAX_NAME) if isinstance(value, str) else ""
