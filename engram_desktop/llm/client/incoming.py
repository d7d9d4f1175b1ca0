"""What a server sends back, read as it arrives and only up to a limit.

A limit counts bytes after decompression: 1.5 MB of gzip can hold 3 GB. An answer in pieces is put
together into the shape of one in a single body, and a model that repeats itself without end is
stopped.
"""

from __future__ import annotations

import asyncio
import codecs
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from dataclasses import field
from typing import Any, Literal

import httpx2

from engram_desktop.domain.errors import AnswerTooLong, ModelLoops
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.endpoint.endpoint import Task

MB = 1_000_000  # bytes
# 64 vectors of 8,192 numbers are 12 MB; a list of models is below 2 MB.
BODY_LIMITS: dict[Task, int] = {
    "chat": 4 * MB,
    "embed": 24 * MB,
    "rerank": 4 * MB,
    "models": 4 * MB,
    "page": MB // 4,  # what is told of a version is some kB
}
STREAM_LIMIT = 48 * MB  # every token comes in about 300 bytes
TEXT_LIMIT = MB  # characters of text, and as many of thoughts
ERROR_LIMIT = 64_000  # bytes of an error: pages of proxies are longer, and say nothing more
_AFTER_END = 2.0  # seconds in which the tokens used may still follow the end of an answer
_LOOP_CHARS = 20_000  # characters of one short piece over and over that no story has
LOOP_AT_LIMIT = 4_000  # the same, where the model was stopped at its limit of tokens
_LOOP_PERIOD = 64  # longest piece, in characters, whose repetition counts as a loop
_SHOWN = 2_000  # characters kept of an answer that loops


_MAX_CALLS = 32  # tools called by one answer: bounds what is put together
Hear = Callable[[Literal["text", "thought"], str], object]


def unheard(kind: str, piece: str) -> None:
    """For callers that wait for the whole answer."""
    del kind, piece


class AnswerNotJson(Exception):
    """``text`` where JSON was expected."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


async def read_text(response: httpx2.Response, limit: int) -> str:
    """Read a body whole. Raises AnswerTooLong."""
    return _decoded(b"".join([piece async for piece in _pieces(response, limit)]), response)


async def read_error(response: httpx2.Response) -> str:
    """Read the beginning of a body that tells of an error."""
    pieces: list[bytes] = []
    with suppress(AnswerTooLong):  # what it says stands at the beginning
        async with aclosing(_pieces(response, ERROR_LIMIT)) as arriving:
            async for piece in arriving:
                pieces.append(piece)  # noqa: PERF401 - they are kept where the limit ends it
    return _decoded(b"".join(pieces)[:ERROR_LIMIT], response)


async def read_stream(response: httpx2.Response, hear: Hear = unheard) -> dict[str, Any]:
    """Put an answer in pieces together. Raises AnswerTooLong, ModelLoops, NotJson.

    ``hear`` is called with every piece, as "text" or "thought". It ends with ``[DONE]``, with the
    connection, or shortly after the model said that it stopped.
    """
    parts = _Parts(hear=hear)
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
    """Put together an answer in pieces that came as one text. Raises as `read_stream`."""
    parts = _Parts()
    for line in text.splitlines():
        if parts.take(line):
            break
    return parts.answer()


def cleaned(text: str) -> str:
    """Return ``text`` with whole characters only: halves of an emoji are joined, or replaced.

    What is left can be stored, sent and shown. NUL is dropped.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\x00", "")


def cleaned_values(value: Any) -> Any:
    """Copy JSON with every text in it `cleaned`."""
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
    """Raises ModelLoops if the last ``length`` characters are one short piece over and over."""
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
    """Yield the lines of a stream, the last one too where no line break ends it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pending: list[str] = []  # pieces of the line that has not ended yet
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
    """What arrived of one answer so far; lengths are in characters."""

    texts: list[str] = field(default_factory=list)
    finish: str = ""
    model: str = ""
    usage: Any = None
    is_begun: bool = False
    length: int = 0
    thought_length: int = 0
    unchecked: int = 0
    tail: str = ""
    hear: Hear = unheard
    calls: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def is_finished(self) -> bool:
        return bool(self.finish)

    def take(self, line: str) -> bool:
        """Read one line; True at the end of the stream. Raises NotJson, ModelLoops."""
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
        """Put the calls of tools together: name and arguments come in pieces, too."""
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
                if isinstance(piece, dict):  # some servers send them read already
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
            self.hear("thought", thought)
        if text:
            self.hear("text", text)
        self.tail = (self.tail + (text or thought))[-_LOOP_CHARS:]
        self.unchecked += len(text or thought)
        if self.unchecked >= _LOOP_CHARS // 2:
            self.unchecked = 0
            check_loop(self.tail)

    def answer(self) -> dict[str, Any]:
        """Return it as one body. Raises NotJson if nothing arrived."""
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
    """Return the text of a message's content, which some servers give in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
