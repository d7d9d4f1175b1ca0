"""The addresses of the SillyTavern companion, under ``/companion/v1/``, as JSON.

The guard comes first: every request here has shown the key. The event loop never waits: work that
reads or writes the library runs on another thread. A generation is answered within the time allowed
for memory, or without memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from starlette.routing import Route

from engram_desktop import __version__
from engram_desktop.domain.claims.claim import FINDING_KINDS, FindingKind
from engram_desktop.domain.errors import InputError, KnownError, NotFound
from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.reports import ConsolidationReport
from engram_desktop.domain.serving.companion import (
    ChatFileGone,
    ChatReport,
    CompanionMemory,
    CompanionQuestion,
    Generation,
    NewestMessage,
    TavernChatId,
    UploadChange,
    UploadOffer,
    UploadPiece,
    UploadResult,
)
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import storable
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.server.access import ClientGone
from engram_desktop.server.answers import JsonAnswer, Refusal, refuse

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from engram_desktop.domain.changes import Changes
    from engram_desktop.server.server_state import ServerState

# Read the companion's requests into values. Their JSON is hostile: anything odd is refused.


_MAX_NAME = 300  # characters of a name; SillyTavern's are file names
_MAX_SAID = 50  # newest messages that are read
_MAX_TEXT = 100_000  # of one of them: enough for a search
_MAX_FLOOR = 10_000_000  # beyond any chat
_MAX_MEMBERS = 500  # of a group


@dataclass(frozen=True, slots=True)
class FindingsQuery:
    """The findings a request asks for: kinds (empty: all), character, last floor."""

    kinds: tuple[FindingKind, ...] = ()
    actor: str = ""
    at: int | None = None


class BadRequest(InputError):
    """``name`` of the field that is missing or invalid."""

    text = QT_TRANSLATE_NOOP("errors", "The companion's request lacks “{name}”.")
    hint = QT_TRANSLATE_NOOP("errors", "Install the companion of this version of Engram again.")


def read_chat(body: dict[str, Any]) -> TavernChatId:
    """Read the chat that is meant. Raises BadRequest."""
    row = body.get("chat")
    if not isinstance(row, dict):
        raise BadRequest(name="chat")
    members = row.get("members")
    return TavernChatId(
        tavern=_text(row, "tavern"),
        owner=_text(row, "owner"),
        file=_text(row, "file"),
        is_group=row.get("is_group") is True,
        group_name=_optional(row, "group_name"),
        members=tuple(
            _clean(member) for member in members[:_MAX_MEMBERS] if isinstance(member, str)
        )
        if isinstance(members, list)
        else (),
        slip=_optional(row, "slip"),
    )


def read_report(body: dict[str, Any]) -> ChatReport:
    """Read an update of a chat: a piece, rows, an offer, or its deletion. Raises BadRequest."""
    chat = read_chat(body)
    match body.get("what"):
        case "piece":
            return UploadPiece(
                chat,
                _text(body, "upload"),
                _floor(body, "number"),
                _floor(body, "count"),
                _rows(body),
                _header(body),
            )
        case "rows":
            return UploadChange(
                chat,
                _text(body, "revision"),
                _floor(body, "first"),
                _floor(body, "removed"),
                _rows(body),
                _floor(body, "total"),
                _header(body),
            )
        case "offer":
            return UploadOffer(chat, _optional(body, "revision"))
        case "gone":
            return ChatFileGone(chat)
    raise BadRequest(name="what")


def read_question(body: dict[str, Any]) -> CompanionQuestion:
    """Read the question sent before a generation. Raises BadRequest."""
    kinds: dict[object, Generation] = {kind: kind for kind in get_args(Generation)}
    said = body.get("said")
    first = body.get("visible_from")
    return CompanionQuestion(
        chat=read_chat(body),
        generation=kinds.get(_optional(body, "type"), "normal"),
        speaker=_optional(body, "speaker"),
        until=_floor(body, "until", least=-1),
        said=tuple(
            NewestMessage(_optional(row, "name"), row.get("is_user") is True, _words(row))
            for row in said[-_MAX_SAID:]
            if isinstance(row, dict)
        )
        if isinstance(said, list)
        else (),
        visible_from=_floor(body, "visible_from") if isinstance(first, int) else None,
        room=_floor(body, "room") if "room" in body else 0,
        used=_floor(body, "used") if "used" in body else 0,
    )


def read_findings(body: dict[str, Any]) -> FindingsQuery:
    """Read which findings are wanted. Raises BadRequest."""
    kind = _optional(body, "kind")
    if kind and kind not in FINDING_KINDS:
        raise BadRequest(name="kind")
    kinds = tuple(known for known in FINDING_KINDS if known == kind)
    at = _floor(body, "at") if isinstance(body.get("at"), int) else None
    return FindingsQuery(kinds, _optional(body, "as"), at)


def read_text(body: dict[str, Any], name: str) -> str:
    """Read a required text. Raises BadRequest."""
    return _text(body, name)


def _rows(body: dict[str, Any]) -> tuple[str, ...]:
    rows = body.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BadRequest(name="rows")
    return tuple(rows)


def _header(body: dict[str, Any]) -> str:
    header = body.get("header")
    return header if isinstance(header, str) else ""


def _words(row: dict[str, Any]) -> str:
    text = row.get("text")
    return storable(text[-_MAX_TEXT:]) if isinstance(text, str) else ""


def _text(row: dict[str, Any], name: str) -> str:
    text = _optional(row, name)
    if not text:
        raise BadRequest(name=name)
    return text


def _optional(row: dict[str, Any], name: str) -> str:
    text = row.get(name)
    return _clean(text) if isinstance(text, str) else ""


def _clean(text: str) -> str:
    return storable(text[:_MAX_NAME])


def _floor(row: dict[str, Any], name: str, least: int = 0) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MAX_FLOOR:
        raise BadRequest(name=name)
    return value


# Run 整理记忆 for a companion: the job runs on, and its progress can be requested.


T = TypeVar("T")
_MOST = 20  # ended ones that are remembered


@dataclass(frozen=True, slots=True)
class Tidying:
    """The progress of one run. ``report`` is set when it is done, ``failure`` if it failed."""

    number: int
    line: Line
    done: int = 0
    total: int | None = None
    report: ConsolidationReport | None = None
    failure: KnownError | None = None

    @property
    def is_running(self) -> bool:
        return self.report is None and self.failure is None


class Tidyings:
    """The runs requested since the server started. Safe from any thread."""

    def __init__(self) -> None:
        self._by_number: dict[int, Tidying] = {}
        self._lock = threading.Lock()
        self._last = 0

    def begin(self, line: Line) -> tuple[Tidying, bool]:
        """Return the running one of a line, or a new one, and whether it is new."""
        with self._lock:
            for one in self._by_number.values():
                if one.line == line and one.is_running:
                    return one, False
            self._last += 1
            new = self._by_number[self._last] = Tidying(self._last, line)
            ended = [n for n, one in self._by_number.items() if not one.is_running]
            for number in ended[:-_MOST]:
                del self._by_number[number]
            return new, True

    def get(self, number: int) -> Tidying | None:
        with self._lock:
            return self._by_number.get(number)

    def put(self, tidying: Tidying) -> None:
        with self._lock:
            self._by_number[tidying.number] = tidying


class ReportingContext:
    """A job context that also reports progress to ``on_report``."""

    def __init__(self, inner: JobContext, on_report: Callable[[int, int | None], object]) -> None:
        self._inner = inner
        self._on_report = on_report

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self._on_report(done, total)
        self._inner.report(done, total, label)

    def check(self) -> None:
        self._inner.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self._inner.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        return self._inner.write(unit)


# The answers to a companion as JSON values. They contain none of the user's paths.


_SHOWN = 400  # characters of a memory that a panel shows


def failure(error: KnownError) -> dict[str, Any]:
    """Describe an error; a detail that may name a file of the user is left out."""
    words = str(error) if isinstance(error, InputError) else "The memory cannot be used just now."
    return {"error": {"message": words, "code": type(error).__name__}}


def answer_to_report(result: UploadResult) -> dict[str, Any]:
    answer = {"state": result.state, "revision": result.revision, "floors": result.floors}
    return answer | ({"conflict": result.conflict.to_json()} if result.conflict else {})


def remembered(
    memory: CompanionMemory, settings: Settings, lamps: dict[str, str], elapsed_ms: float
) -> dict[str, Any]:
    """Answer a generation: the texts, their places, and why each memory is among them."""
    injection = memory.injection
    hits = injection.hits if injection else ()
    if memory.where.line is None:
        outcome = "unknown"
    else:
        outcome = "filled" if injection and injection.text else "empty"
    return {
        "outcome": outcome,
        "why": str(memory.where.why),
        "summaries": memory.summaries,
        "memories": memory.memories,
        "tokens": injection.tokens if injection else 0,
        "room": memory.budget,
        "wanted": settings.inject_tokens,
        "ms": round(elapsed_ms, 1),
        "degraded": list(injection.degraded) if injection else [],
        "place": place(settings),
        "items": [_hit(number, hit, lamps) for number, hit in enumerate(hits, start=1)],
    }


def place(settings: Settings) -> dict[str, Any]:
    """Return the place of memory in a prompt, as chosen in the window."""
    return {"at": settings.serve_place, "depth": settings.serve_depth}


def event(node: EventNode) -> dict[str, Any]:
    floors = node.source_range
    return {
        "ref": node.id,
        "lamp": "green" if node.is_archived else "blue",
        "text": node.summary[:_SHOWN],
        "floors": [floors.start_index, floors.end_index],
        "level": node.level,
        "is_locked": node.is_locked,
    }


def tidying(one: Tidying) -> dict[str, Any]:
    answer: dict[str, Any] = {"number": one.number, "done": one.done, "total": one.total}
    answer["state"] = "running" if one.is_running else "done"
    if one.failure is not None:
        answer |= failure(one.failure) | {"state": "failed"}
    if one.report is not None:
        answer["archived"] = one.report.archived
        answer["outlines"] = one.report.outlines
    return answer


def _hit(number: int, hit: RecallHit, lamps: dict[str, str]) -> dict[str, Any]:
    item = hit.item
    return {
        "rank": number,
        "kind": item.kind,
        "ref": item.ref,
        "text": item.content[:_SHOWN],
        "floors": [item.start_index, item.end_index],
        "why": hit.why,
        "matched": list(hit.matched[:12]),
        "lamp": lamps.get(item.ref, ""),
        "volume": item.volume,
    }


_T = QT_TRANSLATE_NOOP
Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
PREFIX = "/companion/v1"
PROTOCOL = 1  # of the messages between the two; a companion of another version is told
_SMALL = 100_000  # bytes of JSON that are read in a millisecond: more are read on a thread
_LOOKED_BACK = 3  # newest messages among which the last speaking character is looked for
_SHOWN_EVENTS = 60  # newest events of a buffer that a panel shows


def companion_routes(state: ServerState) -> list[Route]:
    """Return the routes of this part."""
    answers = _Answers(state)
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
        Route(f"{PREFIX}/{name}", _Address(state, answer), methods=["POST"])
        for name, answer in by_name.items()
    ]


class _Address:
    """Reads a body and answers it, or with the error in it."""

    def __init__(self, state: ServerState, answer: Answer) -> None:
        self._state = state
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._state.gate.request() as held:
                body = await held.body(scope, receive)
                status, value = await self._answered(body)
                await JsonAnswer(value, status)(scope, receive, send)
        except Refusal as refusal:
            await refuse(send, refusal, close=True)
        except ClientGone:
            return  # in the middle of its request: nobody can be answered

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
            return 404 if isinstance(e, NotFound) else 400, failure(e)


def _table(body: bytes) -> dict[str, Any] | None:
    try:
        table = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    return table if isinstance(table, dict) else None


class _Answers:
    """The answers to all requests, one method each."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._memory = state.memory
        self._tidyings = Tidyings()

    async def hello(self, _body: dict[str, Any]) -> dict[str, Any]:
        """Pairing: describe this server, and how long a generation may wait for it."""
        settings = await self._state.work(lambda _ctx: self._memory.settings.read())
        return {
            "program": "engram",
            "version": __version__,
            "protocol": PROTOCOL,
            "allowance_ms": settings.serve_allowance,
            "keeps": settings.serve_keep,
            "place": place(settings),
        }

    async def recall(self, body: dict[str, Any]) -> dict[str, Any]:
        question = read_question(body)
        if question.generation == "quiet":
            return {"outcome": "quiet", "summaries": "", "memories": "", "items": []}
        begun = time.perf_counter()
        seconds = self._memory.settings.read().serve_allowance / 1000
        try:
            with self._state.undisturbed():
                return await self._state.work_first(
                    lambda ctx: self._remembered(ctx, question, begun), seconds=seconds
                )
        except (TimeoutError, Cancelled):
            return {"outcome": "late", "summaries": "", "memories": "", "items": []}

    async def told(self, body: dict[str, Any]) -> dict[str, Any]:
        report = read_report(body)
        result = await self._kept(lambda ctx: self._memory.serving.receive(ctx, report))
        if result.changes.messages or result.changes.library:
            self._state.on_changes(result.changes)
        if result.line is not None:
            if result.changes.messages:
                self._state.on_grown(result.line)
            await self._read_ahead(result.line)
        return answer_to_report(result)

    async def _read_ahead(self, line: Line) -> None:
        """Read a chat in the background, so that its next request is answered in time."""

        def newest(_ctx: JobContext) -> tuple[str, int]:
            last = self._memory.messages.count(line) - 1
            said = self._memory.messages.slice(line, max(0, last - _LOOKED_BACK), last)
            names = [message.name for message in said if message.role == "assistant"]
            return next(reversed(names), ""), max(0, last)

        with contextlib.suppress(
            KnownError
        ):  # only preparation: the next request reports the error
            self._state.ahead.played(line, *await self._state.work(newest))

    async def events(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the blue events of a chat, the newest first."""
        chat = read_chat(body)

        def blue(_ctx: JobContext) -> list[dict[str, Any]]:
            line = self._line(chat)
            query = EventQuery(status="buffer", branch_id=line.branch_id, sort="newest")
            pks = self._memory.events.find(line.chat_id, query)[:_SHOWN_EVENTS]
            nodes = self._memory.events.fetch(line.chat_id, pks)
            return [event(nodes[pk]) for pk in pks if pk in nodes]

        return {"events": await self._state.work(blue)}

    async def findings(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return what has ended, is untrue, is contradicted or is promised in a chat."""
        chat, query = read_chat(body), read_findings(body)

        def found(ctx: JobContext) -> list[dict[str, Any]]:
            line = self._line(chat)
            rows = self._memory.findings.findings(ctx, line, query.kinds, query.actor, query.at)
            return [finding.to_json() for finding in rows]

        return {"findings": await self._state.work(found)}

    async def finding(self, body: dict[str, Any]) -> dict[str, Any]:
        """Record the answer to one finding."""
        chat, ref = read_chat(body), read_text(body, "ref")
        answer = read_text(body, "answer")

        def work(ctx: JobContext) -> Changes:
            return self._memory.findings.answer(ctx, self._line(chat), ref, answer)

        self._state.on_changes(await self._kept(work))
        return {"ref": ref, "answer": answer}

    async def lamp(self, body: dict[str, Any]) -> dict[str, Any]:
        """Turn the lamp of one event green or blue."""
        chat, ref = read_chat(body), read_text(body, "ref")
        is_green = read_text(body, "lamp") == "green"

        def turn(ctx: JobContext) -> Changes:
            line = self._line(chat)
            node = self._memory.events.find_one(line.chat_id, ref)
            if node is None:
                raise NotFound("event", ref)
            return self._memory.events.set_archived(ctx, line.chat_id, [node.pk], archived=is_green)

        self._state.on_changes(await self._kept(turn))
        return {"ref": ref, "lamp": "green" if is_green else "blue"}

    async def mute(self, body: dict[str, Any]) -> dict[str, Any]:
        """不要再用: never use a memory again, or allow it again."""
        chat, ref = read_chat(body), read_text(body, "ref")
        is_muted = body.get("muted") is not False

        def work(_ctx: JobContext) -> Changes:
            chat_id = self._line(chat).chat_id
            return self._memory.recall.set_muted(chat_id, [ref], muted=is_muted)

        self._state.on_changes(await self._kept(work))
        return {"ref": ref, "muted": is_muted}

    async def tidy(self, body: dict[str, Any]) -> dict[str, Any]:
        """整理记忆: start it, unless it is running."""
        chat = read_chat(body)
        line = await self._state.work(lambda _ctx: self._line(chat))
        one, is_new = self._tidyings.begin(line)
        if is_new:
            work = self._state.work(partial(self._tidied, one))
            self._state.track(asyncio.ensure_future(work))
        return tidying(one)

    async def tidying(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the progress of one run of 整理记忆."""
        number = body.get("number")
        one = self._tidyings.get(number) if isinstance(number, int) else None
        if one is None:
            raise BadRequest(name="number")
        return tidying(one)

    async def status(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the counts of a chat: its floors and events."""
        chat = read_chat(body)

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

        return await self._state.work(counted)

    async def show(self, body: dict[str, Any]) -> dict[str, Any]:
        """Raise the window, at the chat if one is given."""
        line = None
        if "chat" in body:
            chat = read_chat(body)
            where = await self._state.work(lambda _ctx: self._memory.serving.companion_line(chat))
            line = where.line
        return {"shown": self._state.on_show(line)}

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
        return remembered(memory, settings, lamps, elapsed_ms)

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
            self._state.on_changes(report.changes)

    async def _kept(self, job: Callable[[JobContext], T]) -> T:
        """Run a job after the others on the thread that keeps messages; returns its result."""
        return await asyncio.wrap_future(self._state.keep(job))

    def _line(self, chat: TavernChatId) -> Line:
        """Return the line of a chat. Raises NotFound."""
        line = self._memory.serving.companion_line(chat).line
        if line is None:
            raise NotFound("chat", chat.file)
        return line
