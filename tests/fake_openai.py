"""A real HTTP server that speaks enough of the OpenAI API to run Engram end to end.

Deterministic: chat answers come from a callable, vectors are hashed from character trigrams so that
similar texts are close. ``faults`` are consumed one per request, whatever it asks for.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import math
import re
import struct
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from typing_extensions import override

from engram_desktop.domain.text.tokens import estimate_tokens

DIM = 64
MB = 1_000_000

# An int is an HTTP status; one that may be asked again says to do so at once. The words are:
#   hang       no answer until the fake is closed      cut        the body ends in its middle
#   garbage    the model answers prose                 html       200 with a web page
#   empty      200 with no body                        length     finish_reason "length"
#   filter     finish_reason "content_filter"
#   redirect   307 to another port                     no-schema  400 while json_schema is asked for
#   no-format  400 while any response_format is asked  in-band    200 with an error object
#   wrong-dim, fewer, nan, zero, shuffled, text-index  vectors that are not what was asked
#   bomb       300 kB of gzip that hold 300 MB         long-error  500 with a body of 100 MB
#   whole      one body though pieces were asked for   mistyped    pieces, said to be plain text
#   open-end   pieces, no [DONE], connection open      unfinished  pieces that just end
#   no-stream  400 while pieces are asked for          no-usage    400 for stream_options
#   broke-off  pieces, then an error in the stream     late        pieces, then silence
#   no-tools   400 while tools are offered             half        half of the pieces, then silence
Fault = int | str


@dataclass(frozen=True, slots=True)
class Status:
    """A fault with its own words and ``Retry-After``."""

    code: int
    message: str = "forced"
    retry_after: str | None = None
    error_code: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived. Header names are lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


def embed(text: str, dim: int = DIM) -> list[float]:
    """Hash character trigrams into ``dim`` buckets; the result has length 1."""
    vector = [0.0] * dim
    for start in range(max(1, len(text) - 2)):
        gram = text[start : start + 3].encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(gram, digest_size=4).digest()
        vector[digest[0] % dim] += 1.0 if digest[1] & 1 else -1.0
    norm = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / norm for value in vector]


@dataclass
class FakeOpenAI:
    """``with FakeOpenAI(answer=script, faults=[429, "garbage"]) as server: ... server.url``.

    ``needs_key`` answers 401 to any other key. ``elsewhere`` records what followed a redirect.
    """

    answer: Callable[[dict[str, Any]], str] = lambda body: "{}"
    calls: Callable[[dict[str, Any]], list[tuple[str, Any]]] = lambda body: []  # of tools offered
    faults: list[Fault | Status] = field(default_factory=list)
    models: Sequence[str] = ("fake-chat", "fake-embed")
    needs_key: str | None = None
    usage: bool | dict[str, Any] = True  # or what to say was used
    max_batch: int | None = None  # more texts than this in one request are refused with 400
    max_chars: int | None = None  # and so is a longer text
    context: int | None = None  # tokens of chat messages: with more, 400 as llama.cpp words it
    cuts: bool = False  # instead, too many are cut as Ollama does: usage names what was read
    seen: list[Seen] = field(default_factory=list)
    elsewhere: list[Seen] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)
    halfway: threading.Event = field(default_factory=threading.Event)  # set by the fault "half"
    arrived: threading.Event = field(default_factory=threading.Event)  # set by the first request
    url: str = ""

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        self._servers = [_serve(_OtherPort, self), _serve(_Api, self)]
        self.other_url, self.url = (
            f"http://127.0.0.1:{server.server_address[1]}/v1" for server in self._servers
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def bodies(self, path: str = "/v1/chat/completions") -> list[dict[str, Any]]:
        return [request.body for request in self.seen if request.path == path]

    def rerank(self, body: dict[str, Any]) -> dict[str, Any]:
        """Score texts by what they share with the query."""
        query = embed(body["query"])
        rows = [
            {"index": n, "relevance_score": sum(a * b for a, b in zip(query, v, strict=True))}
            for n, v in enumerate(embed(text) for text in body["documents"])
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        return {"results": rows[: body.get("top_n")], "meta": {"tokens": {"input_tokens": 1}}}

    def next_fault(self) -> Fault | Status | None:
        with self._lock:
            return self.faults.pop(0) if self.faults else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeOpenAI

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


def _serve(handler: type[BaseHTTPRequestHandler], fake: FakeOpenAI) -> _Server:
    server = _Server(("127.0.0.1", 0), handler)
    server.fake = fake
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    @override
    def log_message(self, format: str, *args: Any) -> None: ...

    def read(self) -> Seen:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Seen(self.path, headers, json.loads(raw) if raw else {})

    def send(
        self,
        status: int,
        body: str | bytes,
        *,
        kind: str = "application/json",
        cut: bool = False,
        **headers: str,
    ) -> None:
        raw = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(raw[: len(raw) // 2] if cut else raw)
        self.close_connection = cut

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        raise NotImplementedError


class _OtherPort(_Handler):
    """Where a redirect leads. Nothing should ever arrive."""

    @override
    def do_POST(self) -> None:
        self.server.fake.elsewhere.append(self.read())
        self.send(200, "{}")


class _Api(_Handler):
    @override
    def do_POST(self) -> None:
        fake = self.server.fake
        request = self.read()
        fake.seen.append(request)
        fault = fake.next_fault()
        fake.arrived.set()
        if fake.needs_key and request.headers.get("authorization") != f"Bearer {fake.needs_key}":
            key = request.headers.get("authorization", "")
            self.refuse(Status(401, f"Incorrect API key provided: {key}"))
        elif not self.serve_fault(fault, request):
            self.serve(fault, request)

    def serve_fault(  # noqa: C901, PLR0912 - one case for each fault
        self, fault: Fault | Status | None, request: Seen
    ) -> bool:
        """Answer with a fault of transport. False if ``fault`` is about the content, or none."""
        fake = self.server.fake
        wants = request.body.get("response_format", {}).get("type")
        match fault:
            case int():
                self.refuse(
                    Status(fault, retry_after="0" if fault == 429 or fault >= 500 else None)
                )
            case Status():
                self.refuse(fault)
            case "hang":
                fake.release.wait(30)
                self.close_connection = True
            case "html":
                self.send(200, "<!doctype html><title>Welcome</title><p>Hi.", kind="text/html")
            case "empty":
                self.send(200, "")
            case "in-band":
                self.send(200, json.dumps({"error": {"message": "no credit left", "code": 402}}))
            case "redirect":
                self.send(307, "", Location=f"{fake.other_url}{request.path[3:]}")
            case "bomb":
                self.send(200, _bomb(), Content_Encoding="gzip")
            case "long-error":
                self.send(500, b"x" * (100 * MB))
            case "no-stream" if request.body.get("stream"):
                fake.faults.insert(0, "no-stream")
                self.refuse(Status(400, "stream is not supported"))
            case "no-usage" if "stream_options" in request.body:
                fake.faults.insert(0, "no-usage")
                self.refuse(Status(422, "Extra inputs are not permitted: stream_options"))
            case "no-schema" if wants == "json_schema":
                fake.faults.insert(0, "no-schema")
                self.refuse(Status(400, "response_format json_schema is not supported"))
            case "no-tools" if "tools" in request.body:
                fake.faults.insert(0, "no-tools")
                self.refuse(Status(400, "this model does not support tools"))
            case "no-format" if wants:
                fake.faults.insert(0, "no-format")
                self.refuse(Status(400, "unknown field response_format"))
            case _:
                return False
        return True

    def refuse(self, fault: Status) -> None:
        headers: dict[str, Any] = {}
        if fault.retry_after is not None:
            headers["Retry_After"] = fault.retry_after
        error = {"message": fault.message, "type": "server_error", "code": fault.error_code}
        self.send(fault.code, json.dumps({"error": error}), **headers)

    def fit(self, body: dict[str, Any]) -> Status | None:
        """Refuse messages that are too long, where they are not cut."""
        fake = self.server.fake
        tokens = sum(estimate_tokens(str(message["content"])) for message in body["messages"])
        if fake.context is None or fake.cuts or tokens <= fake.context:
            return None
        words = f"request ({tokens} tokens) exceeds the available context size ({fake.context})"
        return Status(400, words)

    def serve(self, fault: Fault | Status | None, request: Seen) -> None:
        match request.path:
            case "/v1/chat/completions":
                if too_long := self.fit(request.body):
                    return self.refuse(too_long)
                payload = self.chat(fault, request.body)
            case "/v1/embeddings":
                payload = self.embeddings(fault, request.body)
            case "/v1/rerank":
                payload = self.server.fake.rerank(request.body)
            case "/v1/models":
                payload = {"object": "list", "data": [{"id": m} for m in self.server.fake.models]}
            case _:
                self.send(404, "404 page not found", kind="text/plain")
                return None
        if request.body.get("stream") and fault != "whole":
            self.stream(fault, payload)
        elif payload is not None:
            self.send(200, json.dumps(payload), cut=fault == "cut")
        return None

    def chat(self, fault: Fault | Status | None, body: dict[str, Any]) -> dict[str, Any]:
        prose = "Certainly! The heroes met, and much was said."
        text = prose if fault == "garbage" else self.server.fake.answer(body)
        prompt = sum(len(str(message["content"])) for message in body["messages"])
        if self.server.fake.cuts:
            prompt = min(prompt, self.server.fake.context or prompt)
        payload: dict[str, Any] = {
            "id": "x",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": {"length": "length", "filter": "content_filter"}.get(
                        str(fault), "stop"
                    ),
                }
            ],
        }
        is_offered = "tools" in body and body.get("tool_choice") != "none"
        if calls := self.server.fake.calls(body) if is_offered else []:
            payload["choices"][0]["message"]["tool_calls"] = [
                {
                    "id": f"call_{n}",
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(arguments)},
                }
                for n, (name, arguments) in enumerate(calls)
            ]
        if self.server.fake.usage is True:
            payload["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": len(text),
                "total_tokens": prompt + len(text),
            }
        elif self.server.fake.usage:
            payload["usage"] = self.server.fake.usage
        return payload

    def stream(  # noqa: C901 - one case for each fault
        self, fault: Fault | Status | None, payload: dict[str, Any]
    ) -> None:
        """Send an answer in pieces of three UTF-16 units, as servers do that count in those."""
        choice = payload["choices"][0]
        text = choice["message"]["content"].encode("utf-16-le", "surrogatepass")
        size = 6 if len(text) < 6_000 else 600
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        self.send_response(200)
        kind = "text/plain" if fault == "mistyped" else "text/event-stream; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        head = {name: payload[name] for name in ("id", "model")} | {
            "object": "chat.completion.chunk"
        }

        def say(**fields: Any) -> None:
            self.chunk(f"data: {json.dumps(head | fields)}\n\n")

        self.chunk(": keep-alive\n\n")
        say(choices=[{"index": 0, "delta": {"role": "assistant", "content": ""}}])
        for number, piece in enumerate(pieces):
            is_half = number == len(pieces) // 2
            if fault == "cut" and is_half:
                self.close_connection = True
                return
            delta = {"content": piece.decode("utf-16-le", "surrogatepass")}
            say(choices=[{"index": 0, "delta": delta, "finish_reason": None}])
            if fault == "half" and is_half:
                self.server.fake.halfway.set()
                self.server.fake.release.wait(30)
        for delta in _call_deltas(choice["message"]):
            say(choices=[{"index": 0, "delta": delta, "finish_reason": None}])
        if fault == "late":
            self.server.fake.release.wait(30)
        if fault == "broke-off":
            say(error={"message": "overloaded", "code": 502}, choices=[])
        elif fault != "unfinished":
            self.chunk(":\n\n")
            reason = choice["finish_reason"]
            say(choices=[{"index": 0, "delta": {}, "finish_reason": reason}])
            if "usage" in payload:
                say(choices=[], usage=payload["usage"])
            if fault == "open-end":
                self.server.fake.release.wait(30)
            else:
                self.chunk("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, text: str) -> None:
        raw = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def embeddings(self, fault: Fault | Status | None, body: dict[str, Any]) -> Any:
        fake = self.server.fake
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        longest = max(len(text) for text in texts)
        if fake.max_batch is not None and len(texts) > fake.max_batch:
            return self.refuse(Status(400, f"batch size is limited to {fake.max_batch}"))
        if fake.max_chars is not None and longest > fake.max_chars:
            return self.refuse(Status(413, "input must have less than 512 tokens"))
        vectors = [embed(text, DIM // 2 if fault == "wrong-dim" else DIM) for text in texts]
        if fault == "nan":
            vectors[0][0] = math.nan
        if fault == "zero":
            vectors[0] = [0.0] * DIM
        rows: list[dict[str, Any]] = [
            {
                "object": "embedding",
                "index": str(n) if fault == "text-index" else n,
                "embedding": _coded(v, body),
            }
            for n, v in enumerate(vectors)
        ]
        if fault == "fewer":
            rows.pop()
        if fault == "shuffled":
            rows.reverse()
        payload: dict[str, Any] = {"object": "list", "data": rows, "model": body["model"]}
        if isinstance(fake.usage, dict):
            payload["usage"] = fake.usage
        elif fake.usage:
            used = sum(len(text) for text in texts)
            payload["usage"] = {"prompt_tokens": used, "total_tokens": used}
        return payload


def _call_deltas(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of tools in pieces: the name at once, the arguments bit by bit."""
    deltas = []
    for index, call in enumerate(message.get("tool_calls", [])):
        function = call["function"]
        parts = [{"name": function["name"], "arguments": ""}]
        parts += [{"arguments": piece} for piece in re.findall(".{1,9}", function["arguments"])]
        deltas += [{"tool_calls": [{"index": index, "function": part}]} for part in parts]
    return deltas


@functools.cache
def _bomb() -> bytes:
    zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(zeros.compress(bytes(MB)) for _ in range(300)) + zeros.flush()


def _coded(vector: list[float], body: dict[str, Any]) -> list[float] | str:
    if body.get("encoding_format") != "base64":
        return vector
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
