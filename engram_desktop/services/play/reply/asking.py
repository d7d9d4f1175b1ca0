"""Let somebody speak: the model of the endpoint, or a scene written beforehand; and hear it.

What has arrived is never lost: a reply that is stopped, or whose connection breaks, ends where it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engram_desktop.domain.errors import LlmError, ServerError
from engram_desktop.domain.play.pieces import OnPiece, Piece, TagResult
from engram_desktop.domain.play.tags import TagParser
from engram_desktop.domain.play.turn import Ending, ToolWay
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import Cancelled, CancelToken, JobContext
from engram_desktop.services.play.reply import script

if TYPE_CHECKING:
    from engram_desktop.llm.client.client import ChatAnswer, Client, ToolCall
    from engram_desktop.llm.client.hearing import DeltaKind

T = TypeVar("T")
_REFUSED = frozenset({400, 404, 415, 422, 501})  # answers to a request that is not understood
NO_TOOLS = "tools"  # among what a client learned that its server refuses
Messages = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Request:
    """What a reply is asked for with; the messages differ by how it may change the state."""

    messages: Callable[[ToolWay], Messages]
    tools: Sequence[dict[str, Any]]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """What arrived of a reply, and how it ended.

    ``lead`` are the blanks it began with; ``fault`` is why it was cut, ``is_cancelled`` whether the
    whole job is to end.
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
    """Takes a reply apart while it arrives, and hands its pieces on."""

    def __init__(self, on_piece: OnPiece | None) -> None:
        self._on_piece = on_piece
        self._parser = TagParser()
        self._thoughts: list[str] = []
        self._lead: str | None = None
        self.has_text = False

    def hear(self, kind: DeltaKind, text: str) -> None:
        """Take what arrived."""
        if kind == "thought":
            self._thoughts.append(text)
            self._tell(Piece("thought", text))
            return
        if self._lead is None:
            self._lead = text[: len(text) - len(text.lstrip())]
        for piece in self._parser.feed(text):
            self.has_text = self.has_text or piece.kind == "reply"
            self._tell(piece)

    def end(self) -> tuple[TagResult, str, str]:
        """Return the reply, what was thought apart from it, and the blanks it began with."""
        return self._parser.finish(), "".join(self._thoughts), self._lead or ""

    def _tell(self, piece: Piece) -> None:
        if self._on_piece is not None:
            self._on_piece(piece)


class Voice(Protocol):
    """Who replies."""

    model: str

    def speak(
        self, ctx: JobContext, request: Request, listener: Listener
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        """Let ``listener`` hear the reply; returns tools called, how, and whether it was cut.

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
                answer = await session.chat(messages, on_delta=listener.hear, **options)
                calls = answer.tool_calls
                if calls and not listener.has_text:  # it waits for what the tools return
                    after = [*messages, *_returned(calls)]
                    answer = await session.chat(
                        after, on_delta=listener.hear, **options, tool_choice="none"
                    )
                return answer, (*calls, *(answer.tool_calls if answer.tool_calls != calls else ()))

        answer, calls = run_async(ctx, ask())
        return calls, way, answer.is_cut


class ScriptVoice:
    """A reply that was written beforehand."""

    model = script.MODEL

    def __init__(self, text: str, *, is_watched: bool) -> None:
        self._text = text
        self._is_watched = is_watched

    def speak(
        self, ctx: JobContext, request: Request, listener: Listener
    ) -> tuple[tuple[ToolCall, ...], ToolWay, bool]:
        del request
        run_async(ctx, script.speak(self._text, listener.hear, is_watched=self._is_watched))
        return (), "tags", False


class Stoppable:
    """A `JobContext` that ends with its job, or alone when the player stops the reply."""

    def __init__(self, ctx: JobContext) -> None:
        self._ctx = ctx
        self._token = CancelToken()
        self.report = ctx.report

    @property
    def is_stopped(self) -> bool:
        """Whether the player stopped it, and not the job as a whole."""
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


def hear(ctx: Stoppable, voice: Voice, request: Request, on_piece: OnPiece | None) -> Heard:
    """Let ``voice`` speak to its end, or until it is stopped. Raises LlmError if nothing came."""
    listener = Listener(on_piece)
    calls: tuple[ToolCall, ...] = ()
    way: ToolWay = "tags"
    ending: Ending = "done"
    fault: LlmError | None = None
    is_cancelled = False
    try:
        ctx.check()
        calls, way, is_cut = voice.speak(ctx, request, listener)
        ending = "cut" if is_cut else "done"
    except Cancelled:
        ending, is_cancelled = "stopped", not ctx.is_stopped
    except LlmError as e:
        if not listener.has_text:
            raise
        ending, fault = "cut", e
    tags, thought, lead = listener.end()
    return Heard(tags, calls, thought, lead, ending, way, fault, is_cancelled)


def _returned(calls: Sequence[ToolCall]) -> Messages:
    """Return what a conversation goes on with after tools were called: all are done."""
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
