"""What the companion inside a SillyTavern asks of the server, under ``/companion/v1/``.

The guard stands before it: whoever gets here showed the key. The event loop waits for nothing: what
reads or writes the library is work on another thread. A generation is answered within the time that
memory may take, or without memory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from engram_desktop import __version__
from engram_desktop.domain.errors import KnownError, NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.server import companion_reading as reading
from engram_desktop.server import companion_writing as writing
from engram_desktop.server.companion_tidying import ReportingContext, Tidying, Tidyings

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.serving.companion import CompanionQuestion, ToldChat
    from engram_desktop.services.memory import Memory

T = TypeVar("T")
PREFIX = "/companion/v1"
PROTOCOL = 1  # of what is said between the two; a companion of another one is told so
_MAX_BODY = 32_000_000  # bytes of one request: a piece of a chat has at most one long message more
_SHOWN_EVENTS = 60  # newest events of a buffer that a panel shows


class CompanionDesk(Protocol):
    """What the server lends: the memory, threads to ask it on, and who hears of changes."""

    @property
    def memory(self) -> Memory: ...
    @property
    def on_changes(self) -> Callable[[Changes], object]: ...
    @property
    def on_grown(self) -> Callable[[Line], object]: ...
    async def work(
        self, job: Callable[[JobContext], T], *, seconds: float | None = None, keeps: bool = False
    ) -> T: ...
    def submit(self, job: Callable[[JobContext], T], *, keeps: bool = False) -> Future[T]: ...


def companion_routes(
    desk: CompanionDesk, on_show: Callable[[Line | None], bool] = lambda _line: False
) -> list[Route]:
    """Return the routes of the companion.

    ``on_show`` raises the window, at a line if one is given; it returns whether there is a window.
    """
    answers = _Answers(desk, on_show)
    by_name: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
        "hello": answers.hello,
        "recall": answers.recall,
        "told": answers.told,
        "events": answers.events,
        "lamp": answers.lamp,
        "mute": answers.mute,
        "tidy": answers.tidy,
        "tidying": answers.tidying,
        "status": answers.status,
        "show": answers.show,
    }
    return [
        Route(f"{PREFIX}/{name}", partial(_answer, answer), methods=["POST"])
        for name, answer in by_name.items()
    ]


async def _answer(
    answer: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]], request: Request
) -> Response:
    """Read a body, and answer it or say what is wrong with it."""
    try:
        body = await _body(request)
    except ClientDisconnect:
        return Response(status_code=400)
    if body is None:
        return _json({"error": {"message": "The body is too large.", "code": "TooLarge"}}, 413)
    try:
        table = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        return _json({"error": {"message": "The body is no JSON object.", "code": "NoJson"}}, 400)
    try:
        return _json(await answer(table))
    except KnownError as e:
        return _json(writing.failure(e), 404 if isinstance(e, NotFound) else 400)


def _json(value: dict[str, Any], status: int = 200) -> Response:
    """Answer JSON; half an emoji in it stays an escape."""
    return Response(json.dumps(value).encode("ascii"), status, media_type="application/json")


async def _body(request: Request) -> bytes | None:
    """Return the whole body, None if it is too large."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > _MAX_BODY:
            return None
        pieces.append(piece)
    return b"".join(pieces)


class _Answers:
    """One answer for each thing that can be asked."""

    def __init__(self, desk: CompanionDesk, on_show: Callable[[Line | None], bool]) -> None:
        self._desk = desk
        self._memory = desk.memory
        self._on_show = on_show
        self._tidyings = Tidyings()

    async def hello(self, _body: dict[str, Any]) -> dict[str, Any]:
        """Pairing: who this is, and how long a generation may wait for it."""
        settings = await self._desk.work(lambda _ctx: self._memory.settings.read())
        return {
            "program": "engram",
            "version": __version__,
            "protocol": PROTOCOL,
            "allowance_ms": settings.serve_allowance,
            "keeps": settings.serve_keep,
            "place": writing.place(settings),
        }

    async def recall(self, body: dict[str, Any]) -> dict[str, Any]:
        question = reading.read_question(body)
        if question.generation == "quiet":
            return {"outcome": "quiet", "summaries": "", "memories": "", "items": []}
        begun = time.perf_counter()
        seconds = self._memory.settings.read().serve_allowance / 1000
        try:
            return await self._desk.work(
                lambda ctx: self._remembered(ctx, question, begun), seconds=seconds
            )
        except (TimeoutError, Cancelled):
            return {"outcome": "late", "summaries": "", "memories": "", "items": []}

    async def told(self, body: dict[str, Any]) -> dict[str, Any]:
        told = reading.read_told(body)
        report = await self._desk.work(lambda ctx: self._memory.serving.told(ctx, told), keeps=True)
        if report.changes.messages or report.changes.library:
            self._desk.on_changes(report.changes)
        if report.line is not None and report.changes.messages:
            self._desk.on_grown(report.line)
        return writing.told_answer(report)

    async def events(self, body: dict[str, Any]) -> dict[str, Any]:
        """The blue lamps of a chat, the newest first."""
        chat = reading.read_chat(body)

        def blue(_ctx: JobContext) -> list[dict[str, Any]]:
            line = self._line(chat)
            query = EventQuery(status="buffer", branch_id=line.branch_id, sort="-story")
            pks = self._memory.events.find(line.chat_id, query)[:_SHOWN_EVENTS]
            nodes = self._memory.events.fetch(line.chat_id, pks)
            return [writing.event(nodes[pk]) for pk in pks if pk in nodes]

        return {"events": await self._desk.work(blue)}

    async def lamp(self, body: dict[str, Any]) -> dict[str, Any]:
        """Turn the lamp of one event green or blue."""
        chat, ref = reading.read_chat(body), reading.read_text(body, "ref")
        is_green = reading.read_text(body, "lamp") == "green"

        def turn(ctx: JobContext) -> Changes:
            line = self._line(chat)
            node = self._memory.events.find_one(line.chat_id, ref)
            if node is None:
                raise NotFound("event", ref)
            return self._memory.events.set_archived(ctx, line.chat_id, [node.pk], archived=is_green)

        self._desk.on_changes(await self._desk.work(turn, keeps=True))
        return {"ref": ref, "lamp": "green" if is_green else "blue"}

    async def mute(self, body: dict[str, Any]) -> dict[str, Any]:
        """不要再用: never use a memory again, or allow it again."""
        chat, ref = reading.read_chat(body), reading.read_text(body, "ref")
        is_muted = body.get("muted") is not False

        def work(_ctx: JobContext) -> Changes:
            chat_id = self._line(chat).chat_id
            return self._memory.recall.set_muted(chat_id, [ref], muted=is_muted)

        self._desk.on_changes(await self._desk.work(work, keeps=True))
        return {"ref": ref, "muted": is_muted}

    async def tidy(self, body: dict[str, Any]) -> dict[str, Any]:
        """整理记忆: begin it, unless it runs already."""
        chat = reading.read_chat(body)
        line = await self._desk.work(lambda _ctx: self._line(chat))
        one, is_new = self._tidyings.begin(line)
        if is_new:
            self._desk.submit(partial(self._tidied, one))
        return writing.tidying(one)

    async def tidying(self, body: dict[str, Any]) -> dict[str, Any]:
        """How far one is."""
        number = body.get("number")
        one = self._tidyings.get(number) if isinstance(number, int) else None
        if one is None:
            raise reading.BadRequest(name="number")
        return writing.tidying(one)

    async def status(self, body: dict[str, Any]) -> dict[str, Any]:
        """What is known of a chat, in figures."""
        chat = reading.read_chat(body)

        def counted(_ctx: JobContext) -> dict[str, Any]:
            where = self._memory.serving.companion_line(chat)
            if where.line is None:
                return {"known": False, "why": str(where.why)}
            counts = self._memory.events.counts(where.line)
            return {
                "known": True,
                "why": str(where.why),
                "name": self._memory.chats.name(where.line.chat_id),
                "floors": self._memory.messages.count(where.line),
                "events": counts.total,
                "buffer": counts.buffer,
                "archived": counts.archived,
                "outlines": counts.outlines,
                "stale": counts.stale,
            }

        return await self._desk.work(counted)

    async def show(self, body: dict[str, Any]) -> dict[str, Any]:
        """Raise the window, at the chat if one is named."""
        line = None
        if "chat" in body:
            chat = reading.read_chat(body)
            where = await self._desk.work(lambda _ctx: self._memory.serving.companion_line(chat))
            line = where.line
        return {"shown": self._on_show(line)}

    def _remembered(
        self, ctx: JobContext, question: CompanionQuestion, begun: float
    ) -> dict[str, Any]:
        memory = self._memory.serving.remember(ctx, question)
        line = memory.where.line
        settings = self._memory.settings.read(line.chat_id if line else None)
        lamps: dict[str, str] = {}
        if line is not None and memory.injection is not None:
            for hit in memory.injection.hits:
                if hit.item.kind == "event":
                    node = self._memory.events.find_one(line.chat_id, hit.item.ref)
                    lamps[hit.item.ref] = "green" if node and node.is_archived else "blue"
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return writing.remembered(memory, settings, lamps, elapsed_ms)

    def _tidied(self, one: Tidying, ctx: JobContext) -> None:
        def on_report(done: int, total: int | None) -> None:
            self._tidyings.put(replace(one, done=done, total=total))

        try:
            report = self._memory.pipeline.consolidate(ReportingContext(ctx, on_report), one.line)
        except KnownError as e:
            self._tidyings.put(replace(one, failure=e))
        except BaseException:
            self._tidyings.put(replace(one, failure=KnownError("It was stopped.")))
            raise
        else:
            self._tidyings.put(replace(one, report=report))
            self._desk.on_changes(report.changes)

    def _line(self, chat: ToldChat) -> Line:
        """Return the line of a chat. Raises NotFound."""
        line = self._memory.serving.companion_line(chat).line
        if line is None:
            raise NotFound("chat", chat.file)
        return line
