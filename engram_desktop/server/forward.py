"""The OpenAI-compatible addresses: a request comes, memory goes in, the answer passes unchanged.

Byte for byte and piece by piece: what comes back is not read before it is passed on. A client that
goes away ends the request at the other side, also while the model still thinks.

What is said becomes memory: a request and its reply, kept in the order in which they were said.

It happens beside the reply, never before it: whatever fails here is shown and costs nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import Future
from contextlib import aclosing, suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from starlette.routing import Route

from engram_desktop.domain.errors import InputError, KnownError, LlmError, NotConfigured
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.exchange import (
    PLACES,
    Placement,
    has_memory,
    has_placeholder,
    place_in_chat,
    place_in_prompt,
    told_instead,
    without_what_is_told,
)
from engram_desktop.domain.serving.keep_plan import Kept
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.request_text import Change, RequestText
from engram_desktop.jobs.context import Cancelled
from engram_desktop.llm.forwarding import Forwarded, Forwarding, words_of_error
from engram_desktop.llm.overheard import overheard
from engram_desktop.server.access import ClientGone, Held
from engram_desktop.server.answers import Refusal, refuse
from engram_desktop.server.app import client_of
from engram_desktop.server.desk import FAILED, now_ms
from engram_desktop.server.models import AsksItself, Chosen, Models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.routing import BaseRoute
    from starlette.types import Message, Receive, Scope, Send

    from engram_desktop.domain.recall.query import Injection
    from engram_desktop.domain.serving.exchange import Outcome, Spot
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.domain.settings.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.forwarding import Coming
    from engram_desktop.server.desk import ServerState


# Put memory into a request: which chat it is of, what it gets, where that stands.
#
# All of it happens on a worker thread, within the time that the setting allows: a request that is
# not ready by then goes on without memory. A fault of ours is shown on the page and costs no
# reply.


_T = QT_TRANSLATE_NOOP
_LOG = logging.getLogger(__name__)
_LATE = _T("reports", "Memory took longer than {ms} ms.")
# Seconds a request waits for replies that are being kept: it may be of the same chat.
_KEPT_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Incoming:
    """One request as it came. ``text`` is None where its body is no JSON that can be read."""

    body: bytes
    text: RequestText | None
    path_chat: str = ""
    header_chat: str = ""
    header_speaker: str = ""
    client: str = ""

    @property
    def value(self) -> dict[str, Any]:
        return {} if self.text is None else self.text.value


@dataclass(frozen=True, slots=True)
class Filled:
    """What memory made of a request. ``change`` is what is put in, left out and taken out."""

    change: Change
    outcome: Outcome
    request: FrontRequest | None = None
    identity: Identity | None = None
    injection: Injection | None = None
    place: Spot = ""
    saved_tokens: int = 0
    failure: Phrase | str = ""
    memory_ms: float = 0.0

    @property
    def left_out(self) -> int:
        return len(self.change.left_out)

    @property
    def is_identified(self) -> bool:
        """Whether it is known which chat the request is of, or will be: it was only too slow."""
        return self.identity is not None or self.outcome == "late"


@dataclass(slots=True)
class _Progress:
    """How far the worker came, for a request that could not wait for it."""

    request: FrontRequest | None = None
    identity: Identity | None = field(default=None)


async def fill(desk: ServerState, incoming: Incoming) -> Filled:
    """Find out what is to be changed in a request. Never raises but when it is cancelled."""
    started = time.perf_counter()
    progress = _Progress()
    desk.ahead.pause()
    allowance = desk.settings().serve_allowance
    try:
        await desk.settled(min(_KEPT_SECONDS, allowance / 2_000))
        left = allowance / 1_000 - (time.perf_counter() - started)
        filled = await desk.work(lambda ctx: _fill(ctx, desk, incoming, progress), seconds=left)
    except (TimeoutError, Cancelled):
        filled = _without(progress, "late", Phrase(_LATE, ms=allowance))
    except KnownError as error:
        filled = _without(progress, "failed", error.phrase)
    except Exception:  # noqa: BLE001 - logged: a bug of ours costs no reply
        _LOG.exception("memory for a request failed")
        filled = _without(progress, "failed", Phrase(FAILED))
    return replace(filled, memory_ms=(time.perf_counter() - started) * 1_000)


def _without(progress: _Progress, outcome: Outcome, failure: Phrase) -> Filled:
    return Filled(Change(fill=""), outcome, progress.request, progress.identity, failure=failure)


def _fill(ctx: JobContext, desk: ServerState, incoming: Incoming, progress: _Progress) -> Filled:
    serving = desk.memory.serving
    if incoming.text is None:
        raise InputError(Phrase(_T("reports", "the request is no JSON that can be read")))
    request = serving.read(
        incoming.value,
        path_chat=incoming.path_chat,
        header_chat=incoming.header_chat,
        header_speaker=incoming.header_speaker,
        client=incoming.client,
    )
    progress.request = request
    # Not cancelled where it is late: what is said is kept all the same, and needs to know.
    identity = progress.identity = serving.identify(desk.context(), request)
    ctx.check()
    if identity.line is None or identity.wanted == "quiet":
        outcome: Outcome = "quiet" if identity.wanted == "quiet" else "unknown"
        return Filled(Change(fill=""), outcome, request, identity)
    if has_memory(request.said) and not has_placeholder(request.said):
        return Filled(Change(fill=""), "empty", request, identity)
    settings = desk.memory.settings.read(identity.line.chat_id)
    left_out = _told_instead(ctx, desk, request, identity, settings)
    injection = serving.fill(ctx, request, identity, left_out)
    text = without_what_is_told(injection.text, request.said)
    if not text:
        return Filled(Change(fill=""), "empty", request, identity, injection)
    placement = _placed(desk, request, identity, settings, text, left_out)
    saved = sum(estimate_tokens(m.text) for m in request.said if m.index in placement.left_out)
    change = _change(request, placement, incoming.value)
    return Filled(change, "filled", request, identity, injection, placement.spot, saved)


def _told_instead(
    ctx: JobContext,
    desk: ServerState,
    request: FrontRequest,
    identity: Identity,
    settings: Settings,
) -> frozenset[int]:
    if not settings.serve_window or request.kind != "chat":
        return frozenset()
    told = desk.memory.serving.told_floors(ctx, identity)
    newest = identity.until
    return told_instead(request.said, dict(identity.floors), told, newest, settings.serve_window)


def _placed(
    desk: ServerState,
    request: FrontRequest,
    identity: Identity,
    settings: Settings,
    text: str,
    left_out: frozenset[int],
) -> Placement:
    if request.kind == "completion":
        prompt = request.said[0].text if request.said else ""
        return place_in_prompt(prompt, text, desk.memory.serving.story_begins(identity, prompt))
    place = next((place for place in PLACES if place == settings.serve_place), PLACES[0])
    return place_in_chat(request.said, text, place, settings.serve_depth, left_out)


def _change(request: FrontRequest, placement: Placement, value: dict[str, Any]) -> Change:
    if placement.spot == "placeholder":
        return Change(fill=placement.text, left_out=placement.left_out)
    if request.kind == "completion":
        return Change(fill="", prompt=placement.text, prompt_at=placement.before or 0)
    match value.get("messages"):
        case [{"role": "developer"}, *_]:
            role = "developer"
        case _:
            role = "system"
    return Change(
        fill="",
        message=placement.text,
        role=role,
        before=placement.before,
        left_out=placement.left_out,
    )


_TOO_MUCH = _T("reports", "It was not kept: too much waits for the disk.")
_READ_ONLY = _T("reports", "It was not kept: another program has this library open.")
_MOST_WAITING = 200  # exchanges that wait to be kept, with their texts: an hour of anybody's play
_NO_REPLY = {"tool_calls", "function_call"}  # ends after which the model says nothing of a story


class Keeping:
    """Keeps one exchange: first what its request shows, then its reply once that is whole."""

    def __init__(self, desk: ServerState, number: int) -> None:
        self._desk = desk
        self._number = number
        self._kept: Future[Kept] | None = None

    def request(self, request: FrontRequest, identity: Identity | None) -> None:
        """Keep what a request shows; identify it first where that was not done in time.

        One of no chat is looked at again: its chat may have been begun a moment ago.
        """
        serving = self._desk.memory.serving
        is_open = identity is None or (identity.line is None and identity.wanted != "quiet")

        def keep(ctx: JobContext) -> Kept:
            known = identity
            if known is None or is_open:
                known = serving.identify(ctx, request)
            if known != identity:
                self._desk.exchanges.change(self._number, identity=known)
            kept = serving.keep_request(ctx, request, known)
            self._tell(kept)
            return kept

        if not self._desk.memory.session.can_write:
            self._refuse(Phrase(_READ_ONLY))
            return
        if self._desk.waiting_to_be_kept >= _MOST_WAITING:
            self._refuse(Phrase(_TOO_MUCH))
            return
        self._kept = self._desk.keep(keep)
        self._kept.add_done_callback(self._report)

    def reply(self, body: bytes, kind: str, packing: str) -> None:
        """Keep the reply of an answer that came to its end; one that is none is left alone."""
        before, serving = self._kept, self._desk.memory.serving
        if before is None:
            return

        def keep(ctx: JobContext) -> Kept | None:
            if before.exception() is not None:  # told already; it ran before this on one thread
                return None
            heard = overheard(body, kind, packing)
            if not heard.is_whole or not heard.text.strip() or heard.finish in _NO_REPLY:
                return None
            kept = serving.keep_reply(ctx, before.result(), heard.text)
            self._tell(kept)
            if kept.line is not None and kept.what:
                self._desk.ahead.played(kept.line, kept.speaker, kept.floor)
            return kept

        self._desk.keep(keep).add_done_callback(self._report)

    def _refuse(self, why: Phrase) -> None:
        self._desk.exchanges.change(self._number, failure=why)
        self._desk.trouble = why

    def _tell(self, kept: Kept) -> None:
        if kept.what:
            self._desk.exchanges.change(self._number, kept=kept.what)
        if kept.changes.chat_id is not None:
            self._desk.on_changes(kept.changes)
        if kept.line is not None and kept.changes.messages:
            self._desk.on_grown(kept.line)

    def _report(self, future: Future[Kept] | Future[Kept | None]) -> None:
        """Show why something was not kept. On the thread that keeps."""
        error = None if future.cancelled() else future.exception()
        if error is None:
            kept = None if future.cancelled() else future.result()
            if kept is not None and kept.what:
                self._desk.trouble = ""
        elif not isinstance(error, Cancelled) and not self._desk.is_closed:
            trouble = self._desk.note_trouble(error)
            self._desk.exchanges.change(self._number, failure=trouble)


TROUBLE_HEADER = b"x-engram-trouble"
_GONE = _T("reports", "the program that asked went away")
_STOPPED = _T("reports", "the memory server was stopped")
_SMALL = 100_000  # bytes of JSON that are read in a millisecond: more are read on another thread
_MOST_HEARD = 16_000_000  # bytes of an answer that are held to read the reply from
_MOST_WORDS = 64_000  # bytes of an error that are read for what it says
_SHOWN = 4_000_000  # bytes of a body that is held for the page
_READ_SECONDS = 120.0  # for a client to take one piece: one that reads nothing is gone

_TAILS: dict[str, Forwarded] = {
    "/chat/completions": "chat",
    "/completions": "completion",
    "/embeddings": "embed",
}


def routes(desk: ServerState) -> Sequence[BaseRoute]:
    """The addresses of this part."""
    forwarding = Forwarding()
    desk.during(forwarding)
    return routes_of(desk, forwarding)


def routes_of(desk: ServerState, forwarding: Forwarding) -> Sequence[BaseRoute]:
    """The addresses of this part, over connections that are made already."""
    paths: list[BaseRoute] = []
    for base in ("/v1", "/chat/{name:path}/v1"):
        for tail, what in _TAILS.items():
            paths.append(Route(base + tail, Forward(desk, forwarding, what), methods=["POST"]))
        paths.append(Route(f"{base}/models", Models(desk, forwarding), methods=["GET"]))
    return paths


class Forward:
    """One address. An ASGI application: it passes pieces on as they come."""

    def __init__(self, desk: ServerState, forwarding: Forwarding, what: Forwarded) -> None:
        self._desk = desk
        self._forwarding = forwarding
        self._what = what

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._desk.gate.request() as held:
                await self._serve(scope, receive, send, held)
        except Refusal as refusal:
            # The rest of a body that is refused is not read: the connection ends with the answer.
            await refuse(send, refusal, close=True)
        except ClientGone:
            return  # in the middle of its request: there is nothing to show

    async def _serve(self, scope: Scope, receive: Receive, send: Send, held: Held) -> None:
        body = await held.body(scope, receive)
        passing = Passing(self._desk, self._forwarding, self._what, scope, body)
        work = asyncio.ensure_future(passing.run(send))
        gone = asyncio.ensure_future(_until_gone(receive))
        self._desk.track(work)
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not passing.is_delivered:
                work.cancel()
                passing.end(failure=Phrase(_GONE))
            with suppress(asyncio.CancelledError):
                await work
            if work.cancelled() and not gone.done():
                passing.end(failure=Phrase(_STOPPED))
                if not passing.is_begun:
                    raise Refusal(503, "stopped", "The memory server was stopped.", retry_after=5)
        finally:
            work.cancel()
            gone.cancel()


class Passing:
    """One request on its way: what became of it is told as an exchange."""

    def __init__(
        self, desk: ServerState, forwarding: Forwarding, what: Forwarded, scope: Scope, body: bytes
    ) -> None:
        self._desk = desk
        self._forwarding = forwarding
        self._what = what
        self._scope = scope
        self._body = body
        self._started = time.perf_counter()
        self._is_ended = False
        self.is_begun = False  # whether the client was sent anything
        self.is_delivered = False  # whether it was sent all
        path = "".join(c if c.isprintable() else "\ufffd" for c in scope["path"])
        self.exchange = desk.exchanges.begin(
            now_ms(),
            path,
            client=client_of(scope),
            outcome="quiet" if what == "embed" else "unknown",
            before=body.decode("utf-8", "replace") if len(body) <= _SHOWN else "",
        )

    async def run(self, send: Send) -> None:
        """Fill, forward, pass the answer on, and keep what was said."""
        incoming = await self._read()
        model = incoming.value.get("model")
        model = model if isinstance(model, str) else ""
        choosing = asyncio.ensure_future(
            asyncio.to_thread(self._desk.chosen, model, embeds=self._what == "embed")
        )
        try:
            filled = None if self._what == "embed" else await self._filled(incoming)
            chosen = await choosing
        except KnownError as error:
            await self._refuse(send, error)
            return
        finally:
            choosing.cancel()
        body = await self._sent_on(incoming, filled, chosen)
        self._change(model=chosen.model or model, host=chosen.endpoint.host)
        heard: bytes | None = None
        kind = packing = ""
        try:
            async with self._forwarding.send(
                chosen.endpoint, self._what, body, self._scope["headers"]
            ) as coming:
                kind, packing = (
                    coming.header(b"content-type"),
                    coming.header(b"content-encoding"),
                )
                heard = await self._pass_on(send, coming, chosen.endpoint.key)
        except LlmError as error:
            await self._refuse(send, error)
        finally:
            # Only now: what is written meanwhile would hold up the pieces of the reply.
            if filled is not None and filled.request is not None and filled.is_identified:
                keeping = Keeping(self._desk, self.exchange.number)
                keeping.request(filled.request, filled.identity)
                if heard is not None:
                    keeping.reply(heard, kind, packing)

    async def _read(self) -> Incoming:
        text: RequestText | None = None
        with suppress(InputError):  # what is no JSON goes on as it is: the endpoint says so
            if len(self._body) <= _SMALL:
                text = RequestText(self._body)
            else:
                text = await asyncio.to_thread(RequestText, self._body)
        return Incoming(
            self._body,
            text,
            str(self._scope.get("path_params", {}).get("name", "")),
            self._header(b"x-engram-chat"),
            self._header(b"x-engram-speaker"),
            client_of(self._scope),
        )

    async def _filled(self, incoming: Incoming) -> Filled:
        filled = await fill(self._desk, incoming)
        self._change(
            identity=filled.identity,
            injection=filled.injection,
            outcome=filled.outcome,
            place=filled.place,
            saved_tokens=filled.saved_tokens,
            left_out=filled.left_out,
            failure=filled.failure,
            memory_ms=filled.memory_ms,
        )
        return filled

    async def _sent_on(self, incoming: Incoming, filled: Filled | None, chosen: Chosen) -> bytes:
        """Return the body that goes on: the very bytes that came, where nothing is to be done."""
        if incoming.text is None:
            return incoming.body
        change = replace(filled.change if filled else Change(), model=chosen.model)
        if len(incoming.body) <= _SMALL:
            body = incoming.text.changed(change)
        else:
            body = await asyncio.to_thread(incoming.text.changed, change)
        if len(body) <= _SHOWN:
            self._change(after=body.decode("utf-8", "replace"))
        return body

    async def _pass_on(self, send: Send, coming: Coming, key: str) -> bytes | None:
        """Pass an answer on as it comes; return it if it came whole and is no error."""
        self._change(status=coming.status)
        await _sent(
            send,
            {
                "type": "http.response.start",
                "status": coming.status,
                "headers": [*coming.headers, *self._trouble()],
            },
        )
        self.is_begun = True
        heard: list[bytes] = []
        size = 0
        most = _MOST_HEARD if coming.status < 400 else _MOST_WORDS
        async with aclosing(coming.pieces) as pieces:
            async for piece in pieces:
                await _sent(send, {"type": "http.response.body", "body": piece, "more_body": True})
                if not size:
                    self._change(first_ms=self._elapsed())
                size += len(piece)
                if size <= most:
                    heard.append(piece)
        self.is_delivered = True
        await _sent(send, {"type": "http.response.body", "body": b""})
        answer = b"".join(heard)
        if coming.status >= 400:
            self.end(failure=words_of_error(answer, key))
            return None
        self.end()
        return answer if size <= most and coming.status == 200 else None

    def _trouble(self) -> list[tuple[bytes, bytes]]:
        """Say in a header what is wrong with the memory; the reply is whole.

        Percent-encoded, and without the path of the library: pages may read it.
        """
        exchange = self._desk.exchanges.get(self.exchange.number)
        failure = exchange.failure if exchange and exchange.outcome == "failed" else ""
        trouble = str(failure or self._desk.trouble)
        trouble = trouble.replace(str(self._desk.memory.folder), "…")
        said = quote(trouble, safe=" /:;,.()").encode("ascii")
        return [(TROUBLE_HEADER, said)] if trouble else []

    async def _refuse(self, send: Send, error: KnownError) -> None:
        """Say why there is no answer; in the middle of one nothing can be said: it is cut."""
        if isinstance(error, AsksItself):
            self.end(failure=error.phrase, status=508)
            await refuse(send, Refusal(508, "loop", str(error)))
            return
        status = 400 if isinstance(error, NotConfigured) else 502
        if self.is_begun:
            self.end(failure=error.phrase)
            return
        self.end(failure=error.phrase, status=status)
        code = "not_configured" if status == 400 else "upstream"
        await refuse(send, Refusal(status, code, str(error)))

    def end(self, **fields: object) -> None:
        """Tell that the exchange is over, once."""
        if not self._is_ended:
            self._is_ended = True
            self._change(total_ms=self._elapsed(), is_finished=True, **fields)

    def _change(self, **fields: object) -> None:
        self._desk.exchanges.change(self.exchange.number, **fields)

    def _elapsed(self) -> float:
        return (time.perf_counter() - self._started) * 1_000

    def _header(self, name: bytes) -> str:
        """Return a header of ours: UTF-8, or percent-encoded as browsers must send it."""
        value = next((v for n, v in self._scope["headers"] if n == name), b"")
        return unquote(value.decode("utf-8", "replace"))


async def _sent(send: Send, message: Message) -> None:
    """Send, and take a client that reads nothing for one that left."""
    async with asyncio.timeout(_READ_SECONDS):
        await send(message)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
