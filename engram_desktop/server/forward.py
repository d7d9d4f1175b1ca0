"""The OpenAI-compatible addresses: add memory to a request, and pass the answer on unchanged.

Answers are passed on byte for byte and piece by piece. If a client leaves, its request ends at the
endpoint too, even while the model still thinks.

The messages become memory: a request and its reply are kept in their order. This happens beside the
reply, never before it: a failure here is shown and costs nothing else.
"""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import Future
from contextlib import ExitStack, aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from starlette.routing import Route

from engram_desktop.domain.errors import InputError, KnownError, NotConfigured
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.headroom import (
    is_cut,
    may_be_for_memory,
)
from engram_desktop.domain.serving.keep_plan import Kept
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.request_text import Change, RequestText
from engram_desktop.jobs.context import Cancelled
from engram_desktop.llm.forwarding import Forwarded, Forwarding, overheard, words_of_error
from engram_desktop.server.access import ClientGone, GateShare
from engram_desktop.server.answers import Refusal, refuse
from engram_desktop.server.app import client_of
from engram_desktop.server.filling import (
    Filled,
    Incoming,
    error_text,
    fill,
    learn,
    read,
    sent_tokens,
    without_memory,
)
from engram_desktop.server.models import AsksItself, Chosen, Models
from engram_desktop.server.server_state import now_ms

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from starlette.routing import BaseRoute
    from starlette.types import Message, Receive, Scope, Send

    from engram_desktop.domain.memory.line import Line
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.endpoint import Endpoint
    from engram_desktop.llm.forwarding import Coming
    from engram_desktop.server.server_state import ServerState


_T = QT_TRANSLATE_NOOP
_TOO_MUCH = _T("reports", "It was not kept: too much waits for the disk.")
_CUT = _T(
    "reports",
    "The model's server counted only {read} of about {sent} tokens. If its context is that short,"
    " enter it in the settings as context of the model.",
)
_READ_ONLY = _T("reports", "It was not kept: another program has this library open.")
_MOST_WAITING = 200  # exchanges waiting to be kept, with their texts: an hour of play
_NO_REPLY = {"tool_calls", "function_call"}  # finish reasons without a reply of the story


@dataclass(frozen=True, slots=True)
class _ReceivedAnswer:
    """A complete answer with its type and packing; ``is_here``: from a server on this computer."""

    body: bytes
    kind: str
    packing: str
    is_here: bool


class Keeping:
    """Keeps one exchange: first the messages of its request, then its reply once that is whole."""

    def __init__(self, state: ServerState, number: int, arrived: float) -> None:
        self._state = state
        self._number = number
        self._arrived = arrived
        self._kept: Future[Kept] | None = None

    def request(self, incoming: Incoming, filled: Filled) -> None:
        """Keep the messages of a request; read and identify it if that was not done in time.

        A request without a chat is identified again: its chat may have been started meanwhile.
        """
        serving, identity = self._state.memory.serving, filled.identity
        is_open = identity is None or (identity.line is None and identity.wanted != "quiet")

        def keep(ctx: JobContext) -> Kept:
            request = filled.request or read(self._state, incoming)
            known = identity
            if known is None or is_open:
                known = serving.identify(ctx, request)
            if known != identity:
                self._state.exchanges.change(self._number, identity=known)
            kept = serving.keep_request(ctx, request, known, self._arrived)
            if kept.why:
                self._state.exchanges.change(self._number, failure=kept.why)
            self._tell(kept)
            return kept

        if not self._state.memory.session.can_write:
            self._refuse(Phrase(_READ_ONLY))
            return
        if self._state.waiting_to_be_kept >= _MOST_WAITING:
            self._refuse(Phrase(_TOO_MUCH))
            return
        self._kept = self._state.keep(keep)
        self._kept.add_done_callback(self._report)

    def reply(self, answer: _ReceivedAnswer, filled: Filled) -> None:
        """Keep the reply of a complete answer, if it has one.

        A model's server on this computer that read far less than it was sent is reported; the
        counts of other servers may leave out cached tokens.
        """
        before, serving = self._kept, self._state.memory.serving
        if before is None:
            return

        def keep(ctx: JobContext) -> Kept | None:
            if before.exception() is not None:  # reported already; it ran before this on one thread
                return None
            heard = overheard(answer.body, answer.kind, answer.packing)
            sent = sent_tokens(filled)
            if answer.is_here and is_cut(heard.read, sent):
                failure = Phrase(_CUT, read=heard.read, sent=sent)
                self._state.exchanges.change(self._number, failure=failure)
            if heard.finish in _NO_REPLY:
                return None
            if not heard.is_whole or not heard.text.strip():
                return self._unanswered(ctx, before)
            kept = serving.keep_reply(ctx, before.result(), heard.text)
            self._tell(kept)
            if kept.line is not None and kept.what:
                self._state.ahead.played(kept.line, kept.speaker, kept.floor)
                self._settle(kept.line)
            return kept

        self._state.keep(keep).add_done_callback(self._report)

    def no_reply(self) -> None:
        """Keep the request although no answer was completed."""
        before = self._kept
        if before is not None:
            keep = self._state.keep(lambda ctx: self._unanswered(ctx, before))
            keep.add_done_callback(self._report)

    def _unanswered(self, ctx: JobContext, before: Future[Kept]) -> Kept | None:
        if before.exception() is not None:  # reported already
            return None
        kept = self._state.memory.serving.keep_unanswered(ctx, before.result())
        self._tell(kept)
        return kept

    def _settle(self, line: Line) -> None:
        """Compute at once how the reply changes who knows what: no request waits for it."""
        serving = self._state.memory.serving

        def update(ctx: JobContext) -> None:
            with suppress(KnownError):  # the next request reports the error
                serving.update_knowledge(ctx, line)

        self._state.keep(update)

    def _refuse(self, why: Phrase) -> None:
        self._state.exchanges.change(self._number, failure=why)
        self._state.trouble = why

    def _tell(self, kept: Kept) -> None:
        if kept.what:
            self._state.exchanges.change(self._number, kept=kept.what)
        if kept.changes.chat_id is not None:
            self._state.on_changes(kept.changes)
        if kept.line is not None and kept.changes.messages:
            self._state.on_grown(kept.line)

    def _report(self, future: Future[Kept] | Future[Kept | None]) -> None:
        """Show why something was not kept. Runs on the thread that keeps."""
        error = None if future.cancelled() else future.exception()
        if error is None:
            kept = None if future.cancelled() else future.result()
            if kept is not None and kept.what:
                self._state.trouble = ""
        elif not isinstance(error, Cancelled) and not self._state.is_closed:
            trouble = self._state.note_trouble(error)
            self._state.exchanges.change(self._number, failure=trouble)


TROUBLE_HEADER = b"x-engram-trouble"
_GONE = _T("reports", "the program that asked went away")
_STOPPED = _T("reports", "the memory server was stopped")
_SMALL = 100_000  # bytes of JSON that are read in a millisecond: more are read on a thread
_MOST_HEARD = 16_000_000  # bytes of an answer that are held, to read the reply from
_MOST_WORDS = 64_000  # bytes of an error that are read for its message
_SHOWN = 4_000_000  # bytes of a body that are held for the page
_MOST_TRIES = 4  # of one request: with memory, fitted twice to the server's limits, without memory
_READ_SECONDS = 120.0  # for a client to take one piece: one that reads nothing is gone

# An answer with status 200 that contains only an error, as LM Studio sends.
_ERROR = re.compile(rb'\s{0,8}(?:event: ?error\b|(?:data: ?)?\{"error": ?[{"])')

_NO_V1 = _T(
    "reports",
    "Nothing answers at {url} ({words}). Try this address with /v1 at its end, in the settings.",
)
_VERSION = re.compile(r"/v\d")  # a version in the address of a model's server

_TAILS: dict[str, Forwarded] = {
    "/chat/completions": "chat",
    "/completions": "completion",
    "/embeddings": "embed",
}


def routes(state: ServerState) -> Sequence[BaseRoute]:
    """Return the routes of this part."""
    forwarding = Forwarding()
    state.during(forwarding)
    return routes_of(state, forwarding)


def routes_of(state: ServerState, forwarding: Forwarding) -> Sequence[BaseRoute]:
    """Return the routes of this part, with existing connections."""
    paths: list[BaseRoute] = []
    for base in ("/v1", "/chat/{name:path}/v1"):
        for tail, what in _TAILS.items():
            paths.append(Route(base + tail, Forward(state, forwarding, what), methods=["POST"]))
        paths.append(Route(f"{base}/models", Models(state, forwarding), methods=["GET"]))
    return paths


class Forward:
    """One address, as an ASGI application: it passes pieces on as they come."""

    def __init__(self, state: ServerState, forwarding: Forwarding, what: Forwarded) -> None:
        self._state = state
        self._forwarding = forwarding
        self._what = what

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._state.gate.request() as held:
                await self._serve(scope, receive, send, held)
        except Refusal as refusal:
            # The rest of a refused body is not read, so the connection ends with the answer.
            await refuse(send, refusal, close=True)
        except ClientGone:
            return  # in the middle of its request: there is nothing to show

    async def _serve(self, scope: Scope, receive: Receive, send: Send, held: GateShare) -> None:
        body = await held.body(scope, receive)
        passing = Passing(self._state, self._forwarding, self._what, scope, body)
        work = asyncio.ensure_future(passing.run(send))
        gone = asyncio.ensure_future(_until_gone(receive))
        self._state.track(work)
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
    """The processing of one request, recorded as an exchange."""

    def __init__(
        self, state: ServerState, forwarding: Forwarding, what: Forwarded, scope: Scope, body: bytes
    ) -> None:
        self._state = state
        self._forwarding = forwarding
        self._what = what
        self._scope = scope
        self._body = body
        self._started = time.perf_counter()
        self._is_ended = False
        self._line: Line | None = None  # being answered
        self.is_begun = False  # whether anything was sent to the client
        self.is_delivered = False  # whether all was sent
        path = "".join(c if c.isprintable() else "\ufffd" for c in scope["path"])
        self.exchange = state.exchanges.begin(
            now_ms(),
            path,
            client=client_of(scope),
            outcome="quiet" if what == "embed" else "unknown",
            before=body.decode("utf-8", "replace") if len(body) <= _SHOWN else "",
        )

    async def run(self, send: Send) -> None:
        """Fill, forward, pass the answer on, and keep the messages."""
        incoming = await self._read()
        model = incoming.value.get("model")
        model = model if isinstance(model, str) else ""
        choosing = asyncio.ensure_future(
            asyncio.to_thread(self._state.chosen, model, embeds=self._what == "embed")
        )
        filled = Filled(Change(fill=""), "late") if self._what != "embed" else None
        heard: _ReceivedAnswer | None = None
        first = ExitStack()
        try:
            first.enter_context(self._state.undisturbed())
            filled = await self._filled(incoming) if filled is not None else None
            chosen = await choosing
            self._change(model=chosen.model or model, host=chosen.endpoint.host)
            for tries_left in reversed(range(_MOST_TRIES)):
                body = await self._sent_on(incoming, filled, chosen)
                async with self._forwarding.send(
                    chosen.endpoint, self._what, body, self._scope["headers"], first.close
                ) as answer:
                    refusal, coming = await self._refused(answer, filled)
                    if refusal is None or filled is None:
                        heard = await self._pass_on(send, coming, chosen.endpoint)
                        break
                words = words_of_error(refusal, chosen.endpoint.key)
                filled = await self._otherwise(incoming, filled, refusal, words, tries_left)
        except KnownError as error:
            await self._refuse(send, error)
        finally:
            first.close()
            choosing.cancel()
            if self._line is not None:
                self._state.ahead.end_answer(self._line)
            # Only now, since writing would delay the pieces of the reply.
            if filled is not None and incoming.text is not None:
                self._keep(incoming, filled, heard)

    def _keep(self, incoming: Incoming, filled: Filled, heard: _ReceivedAnswer | None) -> None:
        """Keep the messages, however far the request came."""
        for note in filled.notes:
            self._state.keep(lambda _ctx, note=note: note())  # type: ignore[misc]
        keeping = Keeping(self._state, self.exchange.number, self._started)
        keeping.request(incoming, filled)
        if heard is None:
            keeping.no_reply()
        else:
            keeping.reply(heard, filled)

    async def _read(self) -> Incoming:
        text: RequestText | None = None
        with suppress(InputError):  # the endpoint reports an unreadable body
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
        )

    async def _filled(self, incoming: Incoming) -> Filled:
        filled = await fill(self._state, incoming)
        line = filled.identity.line if filled.identity is not None else None
        if line is not None and self._line is None:
            self._line = line
            self._state.ahead.begin_answer(line)
        self._show(filled)
        return filled

    async def _refused(self, coming: Coming, filled: Filled | None) -> tuple[bytes | None, Coming]:
        """Return the body of an answer that may refuse the request for its memory, else None.

        Also returns the answer, with the bytes read so far put back.
        """
        if filled is None or filled.outcome != "filled":
            return None, coming
        body = await anext(coming.pieces, b"")
        status = 400 if coming.status == 200 and _ERROR.match(body) else coming.status
        if status >= 400:
            async for piece in coming.pieces:
                body += piece
                if len(body) > _MOST_WORDS:
                    break
            if may_be_for_memory(status, error_text(body)):
                return body, coming
        return None, replace(coming, pieces=_after(body, coming.pieces))

    async def _otherwise(
        self, incoming: Incoming, filled: Filled, refusal: bytes, words: str, tries_left: int
    ) -> Filled:
        """Fill a refused request again within its server's limits, or return it without memory.

        A refusal costs nothing: no model has read the request.
        """
        if tries_left > 1 and learn(self._state, filled, error_text(refusal)):
            return await self._filled(incoming)
        without = without_memory(filled, words)
        self._show(without)
        return without

    def _show(self, filled: Filled) -> None:
        self._change(
            identity=filled.identity,
            injection=filled.injection,
            outcome=filled.outcome,
            place=filled.place,
            saved_tokens=filled.saved_tokens,
            shortened=filled.shortened,
            left_out=filled.left_out,
            failure=filled.failure,
            memory_ms=filled.memory_ms,
        )

    async def _sent_on(self, incoming: Incoming, filled: Filled | None, chosen: Chosen) -> bytes:
        """Return the body to send: the received bytes if nothing is changed."""
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

    async def _pass_on(
        self, send: Send, coming: Coming, endpoint: Endpoint
    ) -> _ReceivedAnswer | None:
        """Pass an answer on as it arrives; returns it if it is complete and not an error."""
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
            self.end(failure=_failure(coming.status, answer, endpoint))
            return None
        self.end()
        if size > most or coming.status != 200:
            return None
        kind, packing = coming.header(b"content-type"), coming.header(b"content-encoding")
        return _ReceivedAnswer(answer, kind, packing, is_here=endpoint.is_loopback)

    def _trouble(self) -> list[tuple[bytes, bytes]]:
        """Return a header with the error of the memory, although the reply is whole.

        It is percent-encoded and without the path of the library, since pages may read it.
        """
        exchange = self._state.exchanges.get(self.exchange.number)
        is_without = exchange is not None and exchange.outcome in {"failed", "full"}
        failure = exchange.failure if exchange is not None and is_without else ""
        trouble = str(failure or self._state.trouble)
        trouble = trouble.replace(str(self._state.memory.folder), "…")
        said = quote(trouble, safe=" /:;,.()").encode("ascii")
        return [(TROUBLE_HEADER, said)] if trouble else []

    async def _refuse(self, send: Send, error: KnownError) -> None:
        """Report why there is no answer; an answer that has begun is cut off."""
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
        """Mark the exchange as finished, once."""
        if not self._is_ended:
            self._is_ended = True
            self._change(total_ms=self._elapsed(), is_finished=True, **fields)

    def _change(self, **fields: object) -> None:
        self._state.exchanges.change(self.exchange.number, **fields)

    def _elapsed(self) -> float:
        return (time.perf_counter() - self._started) * 1_000

    def _header(self, name: bytes) -> str:
        """Return one of our headers: UTF-8, or percent-encoded as browsers must send it."""
        value = next((v for n, v in self._scope["headers"] if n == name), b"")
        return unquote(value.decode("utf-8", "replace"))


def _failure(status: int, answer: bytes, endpoint: Endpoint) -> Phrase | str:
    """Return the server's message, with advice if nothing is at its address."""
    words = words_of_error(answer, endpoint.key)
    is_without = status == 404 and _VERSION.search(endpoint.base_url) is None
    return Phrase(_NO_V1, url=endpoint.base_url, words=words) if is_without else words


async def _after(body: bytes, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(pieces):
        if body:
            yield body
        async for piece in pieces:
            yield piece


async def _sent(send: Send, message: Message) -> None:
    """Send a message; a client that does not read it in time counts as gone.

    Raises TimeoutError.
    """
    async with asyncio.timeout(_READ_SECONDS):
        await send(message)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
