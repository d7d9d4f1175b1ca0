"""What the companion inside a SillyTavern asks of the server, under ``/companion/v1/``.

The guard stands before it: whoever gets here showed the key. The event loop waits for nothing: what
reads or writes the library is work on another thread. A generation is answered within the time that
memory may take, or without memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.routing import Route

from engram_desktop import __version__
from engram_desktop.domain.errors import KnownError, NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.server import companion_answers
from engram_desktop.server.access import ClientGone
from engram_desktop.server.answers import JsonAnswer, Refusal, refuse
from engram_desktop.server.companion_answers import ReportingContext, Tidying, Tidyings

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.serving.companion import CompanionQuestion, ToldChat
    from engram_desktop.server.desk import ServerState


_T = QT_TRANSLATE_NOOP
T = TypeVar("T")
Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
PREFIX = "/companion/v1"
PROTOCOL = 1  # of what is said between the two; a companion of another one is told so
_SMALL = 100_000  # bytes of JSON that are read in a millisecond: more are read on another thread
_LOOKED_BACK = 3  # newest messages, in which the character who spoke last is looked for
_SHOWN_EVENTS = 60  # newest events of a buffer that a panel shows


def companion_routes(desk: ServerState) -> list[Route]:
    """The addresses of this part."""
    answers = _Answers(desk)
    by_name: dict[str, Answer] = {
        "hello": answers.hello,
        "recall": answers.recall,
        "told": answers.told,
        "events": answers.events,
        "findings": answers.findings,
        "finding": answers.finding,
        "lamp": answers.lamp,
        "mute": answers.mute,
        "tidy": answers.tidy,
        "tidying": answers.tidying,
        "status": answers.status,
        "show": answers.show,
    }
    return [
        Route(f"{PREFIX}/{name}", _Address(desk, answer), methods=["POST"])
        for name, answer in by_name.items()
    ]


class _Address:
    """Reads a body, and answers it or says what is wrong with it."""

    def __init__(self, desk: ServerState, answer: Answer) -> None:
        self._desk = desk
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._desk.gate.request() as held:
                body = await held.body(scope, receive)
                status, value = await self._answered(body)
                await JsonAnswer(value, status)(scope, receive, send)
        except Refusal as refusal:
            await refuse(send, refusal, close=True)
        except ClientGone:
            return  # in the middle of its question: there is nobody to answer

    async def _answered(self, body: bytes) -> tuple[int, dict[str, Any]]:
        if len(body) <= _SMALL:
            table = _table(body)
        else:
            table = await asyncio.to_thread(_table, body)
        if table is None:
            raise Refusal(400, "no_json", "The body is no JSON object.")
        try:
            return 200, await self._answer(table)
        except KnownError as e:
            return 404 if isinstance(e, NotFound) else 400, companion_answers.failure(e)


def _table(body: bytes) -> dict[str, Any] | None:
    try:
        table = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    return table if isinstance(table, dict) else None


class _Answers:
    """One answer for each thing that can be asked."""

    def __init__(self, desk: ServerState) -> None:
        self._desk = desk
        self._memory = desk.memory
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
            "place": companion_answers.place(settings),
        }

    async def recall(self, body: dict[str, Any]) -> dict[str, Any]:
        question = companion_answers.read_question(body)
        if question.generation == "quiet":
            return {"outcome": "quiet", "summaries": "", "memories": "", "items": []}
        begun = time.perf_counter()
        self._desk.ahead.pause()
        seconds = self._memory.settings.read().serve_allowance / 1000
        try:
            return await self._desk.work(
                lambda ctx: self._remembered(ctx, question, begun), seconds=seconds
            )
        except (TimeoutError, Cancelled):
            return {"outcome": "late", "summaries": "", "memories": "", "items": []}

    async def told(self, body: dict[str, Any]) -> dict[str, Any]:
        told = companion_answers.read_told(body)
        report = await self._kept(lambda ctx: self._memory.serving.told(ctx, told))
        if report.changes.messages or report.changes.library:
            self._desk.on_changes(report.changes)
        if report.line is not None:
            if report.changes.messages:
                self._desk.on_grown(report.line)
            await self._read_ahead(report.line)
        return companion_answers.told_answer(report)

    async def _read_ahead(self, line: Line) -> None:
        """Read a chat in the background, so that its next question is answered in time."""

        def newest(_ctx: JobContext) -> tuple[str, int]:
            last = self._memory.messages.count(line) - 1
            said = self._memory.messages.slice(line, max(0, last - _LOOKED_BACK), last)
            names = [message.name for message in said if message.role == "assistant"]
            return next(reversed(names), ""), max(0, last)

        with contextlib.suppress(
            KnownError
        ):  # only made ready: the next question says what is wrong
            self._desk.ahead.played(line, *await self._desk.work(newest))

    async def events(self, body: dict[str, Any]) -> dict[str, Any]:
        """The blue lamps of a chat, the newest first."""
        chat = companion_answers.read_chat(body)

        def blue(_ctx: JobContext) -> list[dict[str, Any]]:
            line = self._line(chat)
            query = EventQuery(status="buffer", branch_id=line.branch_id, sort="newest")
            pks = self._memory.events.find(line.chat_id, query)[:_SHOWN_EVENTS]
            nodes = self._memory.events.fetch(line.chat_id, pks)
            return [companion_answers.event(nodes[pk]) for pk in pks if pk in nodes]

        return {"events": await self._desk.work(blue)}

    async def findings(self, body: dict[str, Any]) -> dict[str, Any]:
        """What is over, untrue, contradicted or promised in a chat."""
        chat, query = companion_answers.read_chat(body), companion_answers.read_findings(body)

        def found(ctx: JobContext) -> list[dict[str, Any]]:
            line = self._line(chat)
            rows = self._memory.findings.findings(ctx, line, query.kinds, query.actor, query.at)
            return [finding.to_json() for finding in rows]

        return {"findings": await self._desk.work(found)}

    async def finding(self, body: dict[str, Any]) -> dict[str, Any]:
        """Answer one finding."""
        chat, ref = companion_answers.read_chat(body), companion_answers.read_text(body, "ref")
        answer = companion_answers.read_text(body, "answer")

        def work(ctx: JobContext) -> Changes:
            return self._memory.findings.answer(ctx, self._line(chat), ref, answer)

        self._desk.on_changes(await self._kept(work))
        return {"ref": ref, "answer": answer}

    async def lamp(self, body: dict[str, Any]) -> dict[str, Any]:
        """Turn the lamp of one event green or blue."""
        chat, ref = companion_answers.read_chat(body), companion_answers.read_text(body, "ref")
        is_green = companion_answers.read_text(body, "lamp") == "green"

        def turn(ctx: JobContext) -> Changes:
            line = self._line(chat)
            node = self._memory.events.find_one(line.chat_id, ref)
            if node is None:
                raise NotFound("event", ref)
            return self._memory.events.set_archived(ctx, line.chat_id, [node.pk], archived=is_green)

        self._desk.on_changes(await self._kept(turn))
        return {"ref": ref, "lamp": "green" if is_green else "blue"}

    async def mute(self, body: dict[str, Any]) -> dict[str, Any]:
        """不要再用: never use a memory again, or allow it again."""
        chat, ref = companion_answers.read_chat(body), companion_answers.read_text(body, "ref")
        is_muted = body.get("muted") is not False

        def work(_ctx: JobContext) -> Changes:
            chat_id = self._line(chat).chat_id
            return self._memory.recall.set_muted(chat_id, [ref], muted=is_muted)

        self._desk.on_changes(await self._kept(work))
        return {"ref": ref, "muted": is_muted}

    async def tidy(self, body: dict[str, Any]) -> dict[str, Any]:
        """整理记忆: begin it, unless it runs already."""
        chat = companion_answers.read_chat(body)
        line = await self._desk.work(lambda _ctx: self._line(chat))
        one, is_new = self._tidyings.begin(line)
        if is_new:
            work = self._desk.work(partial(self._tidied, one))
            self._desk.track(asyncio.ensure_future(work))
        return companion_answers.tidying(one)

    async def tidying(self, body: dict[str, Any]) -> dict[str, Any]:
        """How far one is."""
        number = body.get("number")
        one = self._tidyings.get(number) if isinstance(number, int) else None
        if one is None:
            raise companion_answers.BadRequest(name="number")
        return companion_answers.tidying(one)

    async def status(self, body: dict[str, Any]) -> dict[str, Any]:
        """What is known of a chat, in figures."""
        chat = companion_answers.read_chat(body)

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
            chat = companion_answers.read_chat(body)
            where = await self._desk.work(lambda _ctx: self._memory.serving.companion_line(chat))
            line = where.line
        return {"shown": self._desk.on_show(line)}

    def _remembered(
        self, ctx: JobContext, question: CompanionQuestion, begun: float
    ) -> dict[str, Any]:
        memory = self._memory.serving.remember(ctx, question)
        line = memory.where.line
        settings = self._memory.settings.read(line.chat_id if line else None)
        lamps: dict[str, str] = {}
        if line is not None and memory.injection is not None:
            for hit in memory.injection.hits:
                if hit.item.kind == "event" and not hit.item.volume:
                    node = self._memory.events.find_one(line.chat_id, hit.item.ref)
                    lamps[hit.item.ref] = "green" if node and node.is_archived else "blue"
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return companion_answers.remembered(memory, settings, lamps, elapsed_ms)

    def _tidied(self, one: Tidying, ctx: JobContext) -> None:
        def on_report(done: int, total: int | None) -> None:
            self._tidyings.put(replace(one, done=done, total=total))

        try:
            report = self._memory.pipeline.consolidate(ReportingContext(ctx, on_report), one.line)
        except KnownError as e:
            self._tidyings.put(replace(one, failure=e))
        except BaseException:
            self._tidyings.put(
                replace(one, failure=KnownError(Phrase(_T("reports", "It was stopped."))))
            )
            raise
        else:
            self._tidyings.put(replace(one, report=report))
            self._desk.on_changes(report.changes)

    async def _kept(self, job: Callable[[JobContext], T]) -> T:
        """Run a job behind whatever else is being kept, and return what it returns."""
        return await asyncio.wrap_future(self._desk.keep(job))

    def _line(self, chat: ToldChat) -> Line:
        """Return the line of a chat. Raises NotFound."""
        line = self._memory.serving.companion_line(chat).line
        if line is None:
            raise NotFound("chat", chat.file)
        return line
