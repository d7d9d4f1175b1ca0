"""Requests to an OpenAI-compatible server: chat, embeddings, rerank, model list.

Every request of the program to a model goes through `RequestSession.request`. It follows no
redirect, retries passing errors, limits what it reads, and raises only `LlmError`. Text is cleaned
here, both what is sent and what is received.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, Literal

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.stop import stop_before_delay
from typing_extensions import override

from engram_desktop.domain.errors import BadAnswer, ServerError, TooLong, Unreachable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.headroom import is_cut
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.llm.client import CallRecord, ChatAnswer, ChatMessage, Client, ToolCall
from engram_desktop.llm.connection import (
    BODY_LIMITS,
    LOOP_AT_LIMIT,
    AnswerNotJson,
    Declined,
    Failed,
    check_loop,
    cleaned,
    cleaned_values,
    content_text,
    from_body,
    from_http,
    from_status,
    ignore_piece,
    open_http,
    read_stream,
    read_text,
    stream_of_text,
)
from engram_desktop.llm.endpoint import PATHS, Task

# Receives an answer while it arrives: whole characters, text and thoughts apart.


DeltaKind = Literal["text", "thought"]
# Called on the thread of the request with each piece that arrives.
OnDelta = Callable[[DeltaKind, str], object]


class DeltaBuffer:
    """Passes pieces on; half of an emoji waits for its other half."""

    def __init__(self, on_delta: OnDelta) -> None:
        self._on_delta = on_delta
        self._held: dict[DeltaKind, str] = {"text": "", "thought": ""}
        self.is_begun = False

    def add(self, kind: DeltaKind, piece: str) -> None:
        """Take a piece as it arrived."""
        if not piece:
            return
        self.is_begun = True
        piece = self._held[kind] + piece
        cut = len(piece) - ("\ud800" <= piece[-1] <= "\udbff")
        self._held[kind] = piece[cut:]
        self._tell(kind, piece[:cut])

    def end(self) -> None:
        """Pass on what is still held back."""
        kinds: tuple[DeltaKind, ...] = ("thought", "text")
        for kind in kinds:
            held, self._held[kind] = self._held[kind], ""
            self._tell(kind, held)

    def _tell(self, kind: DeltaKind, piece: str) -> None:
        if piece:
            self._on_delta(kind, cleaned(piece))


_T = QT_TRANSLATE_NOOP

_CUT = _T("reports", "it read only {read} of about {sent} tokens")
ANSWER_TOKENS = 700  # estimated cost of an answer, if the request sets no limit
_MOST_TOKENS = 10**9  # a larger number is not a count
_IN_PIECES: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
_FIELD_REFUSED = {400, 404, 415, 422, 501}
_SAYS_FIELD = re.compile(r"stream|extra|unknown|unrecogni|unexpected|not permitted", re.IGNORECASE)
_SAYS_OTHER = re.compile(r"response_format|json|schema|model", re.IGNORECASE)


@asynccontextmanager
async def open_session(client: Client) -> AsyncIterator[RequestSession]:
    """Open connections for the running loop; they are closed at the end."""
    async with open_http(client.endpoint) as http:
        yield RequestSession(client, http)


class _Api(openai.AsyncOpenAI):
    """The client without OPENAI_CUSTOM_HEADERS and the like, whose values may not be headers."""

    @property
    @override
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {"Accept": "application/json", "Content-Type": "application/json"}


class RequestSession:
    """Requests over the connections of one event loop. Many may run at once."""

    def __init__(self, client: Client, http: httpx2.AsyncClient) -> None:
        self.client = client
        self.endpoint = client.endpoint
        self._api = _Api(
            api_key=client.endpoint.key or "none",  # the header itself is set in `open_http`
            base_url=client.endpoint.base_url,
            max_retries=0,  # `request` decides which attempts help and how long to wait
            http_client=http,
        )

    async def chat(
        self, messages: Sequence[ChatMessage], *, on_delta: OnDelta | None = None, **options: Any
    ) -> ChatAnswer:
        """Ask the model. ``options`` such as max_tokens go into the request unchanged.

        The answer is streamed, so that an endless one is noticed; a server that cannot stream may
        send it whole. ``on_delta`` receives the pieces; once it has received one, the request is
        not retried.
        """
        body = {"model": self.endpoint.model, "messages": list(messages), **options}
        deltas = DeltaBuffer(on_delta) if on_delta is not None else None
        answer = await self._in_pieces(body, deltas)
        text, finish = _choice(answer)
        if deltas is not None:
            if not deltas.is_begun:
                deltas.add("text", text)
            deltas.end()
        if finish == "content_filter":
            raise BadAnswer(
                Phrase(_T("reports", "the server's content filter stopped it")), raw=text
            )
        if finish == "length":
            check_loop(text, LOOP_AT_LIMIT)
        prompt, completion, is_estimate = _usage(answer, body, text)
        # The count of a remote server may leave out cached tokens; on this computer a retry is
        # free.
        if deltas is None and not is_estimate and self.endpoint.is_loopback:
            self._check_whole(prompt, sum(map(estimate_tokens, _texts(body))))
        return ChatAnswer(text, finish == "length", prompt, completion, _calls(answer))

    def _check_whole(self, read: int, sent: int) -> None:
        """Check that the model read the whole request. Raises TooLong."""
        if is_cut(read, sent):
            words = Phrase(_CUT, read=read, sent=sent)
            raise TooLong(words, url=self.endpoint.final_url("chat"), status=200)

    async def _in_pieces(self, body: dict[str, Any], deltas: DeltaBuffer | None) -> Any:
        """Stream an answer to ``body``, without the stream fields that the server refuses."""
        learned = self.client.learned
        names = [name for name in _IN_PIECES if name not in learned]
        while True:
            try:
                fields = {name: _IN_PIECES[name] for name in names}
                answer = await self.request("chat", body | fields, deltas)
            except ServerError as error:
                if not names or not _is_about_fields(error):
                    raise
                names.pop()
            else:
                learned.update(set(_IN_PIECES) - set(names))
                return answer

    async def request(
        self, task: Task, body: dict[str, Any] | None = None, deltas: DeltaBuffer | None = None
    ) -> Any:
        """Send ``body`` to the address of ``task``; returns the answer's JSON. Raises LlmError.

        Without a body it is a GET.
        """
        policy = self.client.retry

        def may_help(error: BaseException) -> bool:
            is_begun = deltas is not None and deltas.is_begun
            return isinstance(error, Failed) and error.is_passing and not is_begun

        try:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception(may_help),
                stop=stop_after_attempt(policy.attempts) | stop_before_delay(policy.total),
                wait=self._wait,
                reraise=True,
            ):
                with attempt, self.client.admit(_expected(body or {})):
                    return await self._attempt(task, body, deltas)
        except Failed as failed:
            raise failed.error from failed.__cause__
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _wait(self, state: RetryCallState) -> float:
        """Return the wait: as long as the server asks, else twice as long each time."""
        failed = state.outcome.exception() if state.outcome else None
        if isinstance(failed, Failed) and failed.retry_after is not None:
            return failed.retry_after
        return float(self.client.retry.first_wait * 2 ** (state.attempt_number - 1))

    async def _attempt(
        self, task: Task, body: dict[str, Any] | None, deltas: DeltaBuffer | None
    ) -> Any:
        """Send one request, record it, and return its JSON. Raises Failed, BadAnswer."""
        started = time.monotonic()
        answer: Any = None
        error = "cancelled"
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                answer = await self._send(task, body, deltas)
            error = ""
        except TimeoutError as late:
            limit = f"{self.endpoint.timeout:g}"
            words = Phrase(_T("reports", "no complete answer within {limit} s"), limit=limit)
            failed = Failed(Unreachable(words, url=self.endpoint.final_url(task)))
            error = str(failed.error)
            raise failed from late
        except Declined as raised:
            failed = from_status(raised.response, raised.text, self.endpoint, task, time.time())
            error = str(failed.error)
            raise failed from None
        except (openai.APIError, httpx2.HTTPError, httpx2.StreamError, OSError) as raised:
            failed = from_http(raised, self.endpoint, task)
            error = str(failed.error)
            raise failed from raised
        except BadAnswer as raised:  # endless: it may have been paid for
            error = str(raised)
            raise
        except Failed as raised:
            error = str(raised.error)
            raise
        finally:
            elapsed = int((time.monotonic() - started) * 1000)
            self._account(task, body or {}, answer, elapsed, error)
        return answer

    async def _send(
        self, task: Task, body: dict[str, Any] | None, deltas: DeltaBuffer | None
    ) -> Any:
        """Send a request and read the response within limits, which the client's readers lack."""
        raw: Any = {"cast_to": httpx2.Response, "stream": True, "stream_cls": openai.AsyncStream}
        if body is None:
            response: httpx2.Response = await self._api.get(PATHS[task], **raw)
        else:
            response = await self._api.post(PATHS[task], content=_encoded(body), **raw)
        kind = response.headers.get("content-type", "")
        async with aclosing(response):
            try:
                if "event-stream" in kind:
                    answer = await read_stream(response, deltas.add if deltas else ignore_piece)
                else:
                    answer = _parsed(await read_text(response, BODY_LIMITS[task]), task)
            except AnswerNotJson as error:
                raise from_body(error.text, kind, self.endpoint, task) from error
        if not isinstance(answer, dict) or ("error" in answer and not _has_content(answer)):
            raise from_body(json.dumps(answer), kind, self.endpoint, task)
        return answer

    def _account(
        self, task: Task, body: dict[str, Any], answer: Any, elapsed: int, error: str
    ) -> None:
        prompt, completion, is_estimate, text = 0, 0, False, ""
        if not error:
            text = _choice(answer)[0]
            prompt, completion, is_estimate = _usage(answer, body, text)
        self.client.on_call(
            CallRecord(
                task=task,
                model=self.endpoint.model,
                host=self.endpoint.host,
                prompt_tokens=prompt,
                completion_tokens=completion,
                elapsed_ms=elapsed,
                error=error,
                is_estimate=is_estimate,
                request=json.dumps(body, ensure_ascii=False) if task == "chat" else "",
                answer=text,
            )
        )


def _encoded(body: dict[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # half an emoji, where a text was cut
        return json.dumps(cleaned_values(body), ensure_ascii=False).encode("utf-8")


def _parsed(text: str, task: Task) -> Any:
    """Parse a body that was not streamed. Raises NotJson, ModelLoops."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        if task != "chat" or not text.lstrip().startswith(("data:", "event:", ":")):
            raise AnswerNotJson(text) from None
        return stream_of_text(text)
    if task == "chat":
        check_loop(_choice(answer)[0])
    return answer


def _is_about_fields(error: ServerError) -> bool:
    """Return whether a server may have refused a request for its stream fields."""
    words = str(error.params["detail"])
    names_other = "stream" not in words and _SAYS_OTHER.search(words)
    names_field = _SAYS_FIELD.search(words) is not None and not names_other
    return error.params.get("status") in _FIELD_REFUSED and names_field


def _has_content(answer: dict[str, Any]) -> bool:
    return any(answer.get(name) for name in ("choices", "data", "results"))


def _choice(answer: Any) -> tuple[str, str]:
    """Return the text of the first choice and its finish reason, of whatever shape."""
    match answer:
        case {"choices": [{"message": dict(message), **choice}, *_]}:
            text = cleaned(content_text(message.get("content")))
            return text, str(choice.get("finish_reason") or "")
        case _:
            return "", ""


def _calls(answer: Any) -> tuple[ToolCall, ...]:
    """Return the tool calls of the first choice."""
    match answer:
        case {"choices": [{"message": {"tool_calls": [*rows]}}, *_]}:
            functions = [row.get("function") for row in rows if isinstance(row, dict)]
            return tuple(
                ToolCall(cleaned(str(f.get("name") or "")), _arguments(f.get("arguments")))
                for f in functions
                if isinstance(f, dict)
            )
        case _:
            return ()


def _arguments(value: object) -> str:
    """Return the arguments of a call as JSON text; some servers send them parsed."""
    return cleaned(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _usage(answer: Any, body: dict[str, Any], text: str) -> tuple[int, int, bool]:
    """Return (prompt tokens, completion tokens, whether they are estimates)."""
    fields = answer.get("usage") if isinstance(answer, dict) else None
    counts = fields if isinstance(fields, dict) else {}
    prompt, completion = (
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
    )
    if prompt is None or (completion is None and counts.get("completion_tokens") is not None):
        return sum(map(estimate_tokens, _texts(body))), estimate_tokens(text), True
    return prompt, completion or 0, False


def _count(value: object) -> int | None:
    """Read a token count of a server; None if it is not a plausible number."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS:
        return value
    return None


def _expected(body: dict[str, Any]) -> int:
    """Return the estimated tokens of a request, including its answer."""
    answer = int(body.get("max_tokens") or ANSWER_TOKENS) if "messages" in body else 0
    return sum(map(estimate_tokens, _texts(body))) + answer


def _texts(body: dict[str, Any]) -> list[str]:
    """Return the texts of a request, to estimate its cost."""
    texts = [message["content"] for message in body.get("messages", ())]
    inputs = body.get("input", body.get("documents", []))
    return [*texts, *([inputs] if isinstance(inputs, str) else inputs), str(body.get("query", ""))]
