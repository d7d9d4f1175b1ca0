"""Connections to an endpoint: reading its responses within limits, and mapping its errors.

Responses are read as they arrive, and only up to a limit that counts bytes after decompression: 1.5
MB of gzip can hold 3 GB. A streamed answer is assembled into the shape of a single body, and a
model that repeats itself without end is stopped.

Errors of the HTTP client become errors a user can act on: one line, in the server's words where it
gave any, with the key masked.

The HTTP client follows no redirect (it would carry the story to another host), uses the proxy of
the settings or of the environment but never one for this computer, and sends only the headers set
here: the OpenAI client would add an organisation and a project from the environment. It accepts the
compressions that are unpacked in pieces. The body of an error is read here, up to a limit, before
the OpenAI client would read all of it.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import re
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import field
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx2
import openai

from engram_desktop import __version__
from engram_desktop.domain.errors import (
    AnswerTooLong,
    BadEndpoint,
    LlmError,
    ModelLoops,
    NoConnection,
    NoVersion,
    RateLimited,
    Refused,
    ServerError,
    TooLong,
    Unreachable,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.headroom import is_too_long
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.endpoint import NO_PROXY, SYSTEM_PROXY, Endpoint, Task
from engram_desktop.llm.redact import redact

MB = 1_000_000  # bytes
# 64 vectors of 8,192 numbers are 12 MB; a list of models is below 2 MB.
BODY_LIMITS: dict[Task, int] = {
    "chat": 4 * MB,
    "embed": 24 * MB,
    "rerank": 4 * MB,
    "models": 4 * MB,
    "page": MB // 4,  # information on a version is some kB
}
STREAM_LIMIT = 48 * MB  # each token comes in about 300 bytes
TEXT_LIMIT = MB  # characters of text, and as many of thoughts
ERROR_LIMIT = 64_000  # bytes of an error: pages of proxies are longer, and say no more
_AFTER_END = 2.0  # seconds in which the usage may follow the end of an answer
_LOOP_CHARS = 20_000  # characters of one short piece repeated, which no story has
LOOP_AT_LIMIT = 4_000  # the same, if the model was stopped at its token limit
_LOOP_PERIOD = 64  # longest piece, in characters, whose repetition counts as a loop
_SHOWN = 2_000  # characters kept of an answer that loops


_MAX_CALLS = 32  # tools called by one answer: bounds what is assembled
OnPiece = Callable[[Literal["text", "thought"], str], object]


def ignore_piece(kind: str, piece: str) -> None:
    """Ignore the piece, for callers that wait for the whole answer."""
    del kind, piece


class AnswerNotJson(Exception):
    """``text`` where JSON was expected."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


async def read_text(response: httpx2.Response, limit: int) -> str:
    """Read a whole body. Raises AnswerTooLong."""
    return _decoded(b"".join([piece async for piece in _pieces(response, limit)]), response)


async def read_error(response: httpx2.Response) -> str:
    """Read the beginning of a body that describes an error."""
    pieces: list[bytes] = []
    with suppress(AnswerTooLong):  # the error message is at the beginning
        async with aclosing(_pieces(response, ERROR_LIMIT)) as arriving:
            async for piece in arriving:
                pieces.append(piece)  # noqa: PERF401 - they are kept where the limit ends it
    return _decoded(b"".join(pieces)[:ERROR_LIMIT], response)


async def read_stream(response: httpx2.Response, on_piece: OnPiece) -> dict[str, Any]:
    """Assemble a streamed answer. Raises AnswerTooLong, ModelLoops, NotJson.

    ``on_piece`` receives each piece, as "text" or "thought". Reading ends with ``[DONE]``, with the
    connection, or shortly after the model gave its finish reason.
    """
    parts = _Parts(on_piece=on_piece)
    loop = asyncio.get_running_loop()
    deadline = asyncio.timeout(None)
    try:
        async with deadline, aclosing(_lines(response)) as lines:
            async for line in lines:
                was_finished = parts.is_finished
                if parts.take(line):
                    break
                if parts.is_finished and not was_finished:
                    deadline.reschedule(loop.time() + _AFTER_END)
    except TimeoutError:
        if not deadline.expired() or not parts.is_finished:
            raise
    return parts.answer()


def stream_of_text(text: str) -> dict[str, Any]:
    """Assemble a streamed answer that was received as one text. Raises as `read_stream`."""
    parts = _Parts()
    for line in text.splitlines():
        if parts.take(line):
            break
    return parts.answer()


def cleaned(text: str) -> str:
    """Return ``text`` with whole characters only: halves of an emoji are joined or replaced.

    The result can be stored, sent and shown. NUL is dropped.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\x00", "")


def cleaned_values(value: Any) -> Any:
    """Copy JSON with every text in it passed through `cleaned`."""
    match value:
        case str():
            return cleaned(value)
        case dict():
            return {cleaned(str(key)): cleaned_values(item) for key, item in value.items()}
        case list() | tuple():
            return [cleaned_values(item) for item in value]
        case _:
            return value


def check_loop(text: str, length: int = _LOOP_CHARS) -> None:
    """Raise ModelLoops if the last ``length`` characters are one short piece repeated."""
    tail = text[-length:]
    if len(tail) < length:
        return
    for period in range(1, _LOOP_PERIOD + 1):
        if tail[period:] == tail[:-period]:
            raise ModelLoops(repr(cleaned(tail[-period:])), raw=cleaned(text[:_SHOWN]))


async def _pieces(response: httpx2.Response, limit: int) -> AsyncGenerator[bytes]:
    size = 0
    async with aclosing(response.aiter_bytes()) as arriving:
        async for piece in arriving:
            size += len(piece)
            if size > limit:
                yield piece[: len(piece) - (size - limit)]
                raise AnswerTooLong(limit=f"{limit / MB:g} MB")
            yield piece


async def _lines(response: httpx2.Response) -> AsyncGenerator[str]:
    """Yield the lines of a stream, including the last one if no line break ends it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pending: list[str] = []  # pieces of the line that is not complete
    async with aclosing(_pieces(response, STREAM_LIMIT)) as arriving:
        async for piece in arriving:
            rest, *lines = decoder.decode(piece).split("\n")
            pending.append(rest)
            for line in lines:
                yield "".join(pending)
                pending = [line]
    yield "".join(pending)


def _decoded(body: bytes, response: httpx2.Response) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return body.decode(response.charset_encoding or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


@dataclass(slots=True)
class _Parts:
    """What has arrived of one answer; lengths are in characters."""

    texts: list[str] = field(default_factory=list)
    finish: str = ""
    model: str = ""
    usage: Any = None
    is_begun: bool = False
    length: int = 0
    thought_length: int = 0
    unchecked: int = 0
    tail: str = ""
    on_piece: OnPiece = ignore_piece
    calls: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def is_finished(self) -> bool:
        return bool(self.finish)

    def take(self, line: str) -> bool:
        """Read one line; returns True at the end of the stream. Raises NotJson, ModelLoops."""
        name, _, value = line.partition(":")
        data = value.strip() if name == "data" else line.strip() if line[:1] == "{" else ""
        if not data:
            return False  # a comment that keeps the connection open, or another field
        if data.startswith("[DONE]"):
            self.is_begun = True
            return True
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            raise AnswerNotJson(data) from None
        if not isinstance(chunk, dict):
            raise AnswerNotJson(data)
        self.is_begun = True
        if chunk.get("error"):
            raise AnswerNotJson(data)
        self.model = self.model or str(chunk.get("model") or "")
        self.usage = chunk.get("usage") or self.usage
        for choice in _choices(chunk):
            self.finish = str(choice.get("finish_reason") or "") or self.finish
            message = choice.get("delta") or choice.get("message")
            if isinstance(message, dict):
                self._add(message)
                self._add_calls(message.get("tool_calls"))
        return False

    def _add_calls(self, rows: Any) -> None:
        """Assemble the calls of tools, whose names and arguments also arrive in pieces."""
        for place, row in enumerate(rows if isinstance(rows, list) else ()):
            if not isinstance(row, dict) or not isinstance(row.get("function"), dict):
                continue
            index = row.get("index")
            at = index if isinstance(index, int) else place
            if at not in self.calls and len(self.calls) >= _MAX_CALLS:
                continue
            call = self.calls.setdefault(at, {"name": "", "arguments": ""})
            for name in call:
                piece = row["function"].get(name)
                if isinstance(piece, dict):  # some servers send parsed JSON
                    piece = json.dumps(piece, ensure_ascii=False)
                if isinstance(piece, str):
                    call[name] += piece
                    self.length += len(piece)
        if self.length > TEXT_LIMIT:
            raise AnswerTooLong(limit=f"{TEXT_LIMIT:,}", raw=cleaned("".join(self.texts)[:_SHOWN]))

    def _add(self, message: dict[str, Any]) -> None:
        text = content_text(message.get("content"))
        thought = content_text(message.get("reasoning_content") or message.get("reasoning"))
        self.texts.append(text)
        self.length += len(text)
        self.thought_length += len(thought)
        if max(self.length, self.thought_length) > TEXT_LIMIT:
            raise AnswerTooLong(limit=f"{TEXT_LIMIT:,}", raw=cleaned("".join(self.texts)[:_SHOWN]))
        if thought:
            self.on_piece("thought", thought)
        if text:
            self.on_piece("text", text)
        self.tail = (self.tail + (text or thought))[-_LOOP_CHARS:]
        self.unchecked += len(text or thought)
        if self.unchecked >= _LOOP_CHARS // 2:
            self.unchecked = 0
            check_loop(self.tail)

    def answer(self) -> dict[str, Any]:
        """Return the answer as one body. Raises NotJson if nothing arrived."""
        if not self.is_begun:
            raise AnswerNotJson("")
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self.texts)}
        if self.calls:
            message["tool_calls"] = [{"function": self.calls[at]} for at in sorted(self.calls)]
        choice = {"index": 0, "message": message, "finish_reason": self.finish or None}
        return {"model": self.model, "choices": [choice], "usage": self.usage}


def _choices(chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rows = chunk.get("choices")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("index", 0) in (0, None):
            yield row


def content_text(content: Any) -> str:
    """Return the text of a message's content, which some servers send in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


_T = QT_TRANSLATE_NOOP

_MAX_CHARS = 300  # of a server's message in an error
_REDIRECTS = _T("reports", "it redirects to {target}")
_NOT_THERE = _T("reports", "there is nothing at this address (404: {words})")
_WEB_PAGE = _T("reports", "it answers with a web page")
_EMPTY = _T("reports", "the answer is empty")
_NO_WORDS = _T("reports", "it gives no reason")
_NO_CONNECTION = _T("reports", "no connection")
_NO_CONNECTION_IN_TIME = _T("reports", "no connection in time")
_NO_ANSWER_IN_TIME = _T("reports", "no answer in time")
_NOT_TRUSTED = _T("reports", "its certificate is not trusted ({reason})")
_TLS_FAILED = _T("reports", "no encrypted connection (TLS: {reason})")
_PROXY_REFUSED = _T("reports", "the proxy refused ({reason})")
_BROKE = _T("reports", "the connection broke before the answer was complete")
# Status codes after which the same request may succeed; 520 to 529 are those of proxies.
_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}


@dataclass
class Failed(Exception):
    """A failed attempt: its error, whether another attempt may help, and how long to wait."""

    error: LlmError
    is_passing: bool = False
    retry_after: float | None = None


def from_http(error: Exception, endpoint: Endpoint, task: Task) -> Failed:
    """Map an exception of sending or reading. Of time-outs only that of connecting is retried."""
    if isinstance(error, openai.APIConnectionError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # the client's message has no details
    if isinstance(error, httpx2.TimeoutException):  # the slow answer was paid for
        connecting = isinstance(error, httpx2.ConnectTimeout)
        url = endpoint.final_url(task)
        if connecting:
            return Failed(NoConnection(Phrase(_NO_CONNECTION_IN_TIME), url=url), is_passing=True)
        return Failed(Unreachable(Phrase(_NO_ANSWER_IN_TIME), url=url))
    return _no_answer(error, endpoint, task)


def from_status(
    response: httpx2.Response, text: str, endpoint: Endpoint, task: Task, now: float
) -> Failed:
    """Map an HTTP error or a redirect, with the beginning of its body.

    ``now`` is Unix time, for a Retry-After that is a date.
    """
    status = response.status_code
    words = server_words(text, endpoint.key)
    url = endpoint.final_url(task)
    passing = status in _PASSING
    if 300 <= status < 400:
        target = one_line(response.headers.get("location", "nowhere"), endpoint.key)
        return Failed(BadEndpoint(Phrase(_REDIRECTS, target=target), url=url))
    if status in {401, 403}:
        return Failed(Refused(words, url=url, status=status))
    if status == 429:
        out_of_money = "insufficient_quota" in text
        wait = _seconds(response.headers.get("retry-after"), now)
        error = RateLimited(words, url=url, status=status, retry_after=wait)
        return Failed(error, not out_of_money, wait)
    if status == 404 and not _is_json(text):
        return Failed(BadEndpoint(Phrase(_NOT_THERE, words=words), url=url))
    if is_too_long(status, words):
        return Failed(TooLong(words, url=url, status=status))
    wait = _seconds(response.headers.get("retry-after"), now)
    failure = ServerError(words, url=url, status=status)
    if status == 404 and task != "page" and not re.search(r"/v\d", endpoint.base_url):
        failure = NoVersion(words, url=url, status=status, better=f"{endpoint.base_url}/v1")
    return Failed(failure, passing, wait)


def from_body(text: str, kind: str, endpoint: Endpoint, task: Task) -> Failed:
    """Map an answer with status 200 whose body is not what was asked for."""
    url = endpoint.final_url(task)
    if "html" in kind or text.lstrip()[:1] == "<":
        return Failed(BadEndpoint(Phrase(_WEB_PAGE), url=url))
    words = server_words(text, endpoint.key) if text.strip() else Phrase(_EMPTY)
    if isinstance(words, str) and is_too_long(200, words):
        return Failed(TooLong(words, url=url, status=200))
    return Failed(ServerError(words, url=url, status=200), is_passing=not _is_json(text))


def server_words(body: str, key: str) -> str:
    """Find the message in the body of an error, whatever its shape."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        title = re.search(r"<title[^>]*>([^<]+)", body[:4_000], re.IGNORECASE)
        text = title[1] if title else re.sub(r"<[^>]*>", " ", body[:4_000])
        return one_line(text, key) or Phrase(_NO_WORDS)
    for name in ("error", "message", "detail", "msg", "error_msg"):
        while isinstance(value, dict) and name in value:
            value = value[name]
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False)
    return one_line(value, key) or Phrase(_NO_WORDS)


def one_line(text: str, key: str = "") -> str:
    """Return ``text`` on one line, with the key masked, cut to a readable length."""
    line = " ".join(redact(cleaned(text), (key,)).split())
    return line if len(line) <= _MAX_CHARS else line[: _MAX_CHARS - 1] + "…"


def _no_answer(error: Exception, endpoint: Endpoint, task: Task) -> Failed:
    causes = list(_causes(error))
    url = endpoint.final_url(task)
    for cause in causes:
        match cause:
            case ssl.SSLCertVerificationError():
                reason_words = Phrase(_NOT_TRUSTED, reason=one_line(cause.verify_message))
                return Failed(NoConnection(reason_words, url=url))
            case ssl.SSLError():
                reason_words = Phrase(_TLS_FAILED, reason=one_line(str(cause.reason)))
                return Failed(NoConnection(reason_words, url=url))
            case httpx2.ProxyError():
                reason_words = Phrase(_PROXY_REFUSED, reason=one_line(str(cause), endpoint.key))
                return Failed(NoConnection(reason_words, url=url), is_passing=True)
            case httpx2.RemoteProtocolError() | httpx2.ReadError() | httpx2.DecodingError():
                return Failed(Unreachable(Phrase(_BROKE), url=url), is_passing=True)
    words = next((str(cause) for cause in reversed(causes) if str(cause)), "")
    detail = one_line(words, endpoint.key) or Phrase(_NO_CONNECTION)
    return Failed(NoConnection(detail, url=url), is_passing=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield ``error`` and its causes, the innermost last."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _seconds(header: str | None, now: float) -> float | None:
    """Read ``Retry-After``, which is seconds or a date; None if it is neither."""
    if header is None:
        return None
    try:
        return min(max(0.0, float(header)), 86_400.0)
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, OverflowError):
        return None


_CONNECT_SECONDS = 10.0  # for a reachable server; the time to answer is a setting
_SENT_HEADERS = {
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "transfer-encoding",
}


class BadProxy(LlmError):
    """The proxy of the settings, or of the environment, cannot be used."""

    text = QT_TRANSLATE_NOOP("errors", "The proxy cannot be used: {detail}.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Check the proxy in the settings; “as the system” reads HTTPS_PROXY and ALL_PROXY.",
    )


def proxy_of(endpoint: Endpoint) -> str | None:
    """Return the address of the chosen proxy; None for no proxy and for the system's.

    Raises BadProxy if the setting asks for a proxy but its address is empty: a direct connection is
    not what was chosen.
    """
    if endpoint.is_loopback or endpoint.proxy in (SYSTEM_PROXY, NO_PROXY):
        return None
    if not endpoint.proxy:
        raise BadProxy(Phrase(_T("reports", "its address is empty")))
    return endpoint.proxy


def trust_of(endpoint: Endpoint) -> ssl.SSLContext | bool:
    """Return the certificates a client trusts: those of the system, or none.

    Reading them takes 17 ms, which is wasted on an unencrypted server on this computer.
    """
    is_plain = endpoint.is_loopback and endpoint.base_url.startswith("http://")
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True


class Declined(Exception):
    """The error or redirect in ``response``, and ``text``, the beginning of its body."""

    def __init__(self, response: httpx2.Response, text: str) -> None:
        super().__init__(response.status_code)
        self.response = response
        self.text = text


@asynccontextmanager
async def open_http(endpoint: Endpoint) -> AsyncIterator[httpx2.AsyncClient]:
    """Open a client for ``endpoint``. Raises BadProxy."""

    async def send_only_own_headers(request: httpx2.Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["Accept-Encoding"] = "gzip, deflate"
        request.headers["User-Agent"] = f"Engram/{__version__}"
        if endpoint.key:
            request.headers["Authorization"] = f"Bearer {endpoint.key}"

    async def decline_errors(response: httpx2.Response) -> None:
        if not response.is_success:
            raise Declined(response, await read_error(response))

    try:
        client = httpx2.AsyncClient(
            follow_redirects=False,
            timeout=httpx2.Timeout(endpoint.timeout, connect=_CONNECT_SECONDS),
            event_hooks={"request": [send_only_own_headers], "response": [decline_errors]},
            trust_env=endpoint.reads_environment,
            proxy=proxy_of(endpoint),
            verify=trust_of(endpoint),
        )
    except (ImportError, ValueError, httpx2.InvalidURL) as error:  # a SOCKS proxy without its
        # package, or what is no URL
        raise BadProxy(one_line(str(error))) from error
    async with client:
        yield client


# Read one page of text, up to a limit, with no key, no cookie and no redirect.


_SECONDS = 15.0  # a page of some kB; the user waits at a dialog


def get_text(address: str, ctx: JobContext, proxy: str) -> str:
    """Return the body at ``address``. Raises BadEndpoint, LlmError, Cancelled."""
    return run_async(ctx, _get(Endpoint(address, timeout=_SECONDS, proxy=proxy)))


async def _get(endpoint: Endpoint) -> str:
    try:
        async with (
            asyncio.timeout(endpoint.timeout),
            open_http(endpoint) as http,
            http.stream("GET", endpoint.final_url("page")) as response,
        ):
            return await read_text(response, BODY_LIMITS["page"])
    except TimeoutError as late:
        words = Phrase(_T("reports", "no complete answer within {limit} s"), limit=f"{_SECONDS:g}")
        raise Unreachable(words, url=endpoint.final_url("page")) from late
    except Declined as raised:
        failed = from_status(raised.response, raised.text, endpoint, "page", time.time())
        raise failed.error from None
    except (httpx2.HTTPError, httpx2.StreamError, OSError) as raised:
        raise from_http(raised, endpoint, "page").error from raised
