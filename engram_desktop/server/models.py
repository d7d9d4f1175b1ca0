"""Choose the endpoint of a model name, and serve ``/v1/models``, the list of the names."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from engram_desktop.domain.address import is_loopback
from engram_desktop.domain.errors import KnownError, LlmError, NotConfigured
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.server.answers import JsonAnswer, Refusal, refuse

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from engram_desktop.domain.serving.identity import Upstream
    from engram_desktop.llm.endpoint import Endpoint
    from engram_desktop.llm.forwarding import Forwarding
    from engram_desktop.server.server_state import ServerState
    from engram_desktop.services.memory import Memory

_T = QT_TRANSLATE_NOOP
_SECONDS = 10.0  # for one endpoint to list its models: one that is off delays the others
_MOST = 8_000_000  # bytes of a list: the longest have some 2 MB


@dataclass(frozen=True, slots=True)
class Chosen:
    """An endpoint. ``model`` is the name to send if it differs from the one received, else ""."""

    endpoint: Endpoint
    model: str = ""


class AsksItself(LlmError):
    """``url`` of an endpoint that is this server itself."""

    text = QT_TRANSLATE_NOOP("errors", "The endpoint {url} is this memory server itself.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Enter the address of the model's server there, and give this one to the chat."
    )


def is_own(url: str, port: int, names: Collection[str]) -> bool:
    """Return whether a base URL leads to this server, which listens on ``port``."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    asked = parts.port or (443 if parts.scheme == "https" else 80)
    return asked == port and (is_loopback(host) or host in names)


def choose(memory: Memory, model: str, *, embeds: bool = False) -> Chosen:
    """Choose the endpoint for a model name; without a name, the endpoint's own model.

    Raises NotConfigured, BadEndpoint, BadKey, NoKeyring.
    """
    for upstream in memory.endpoints.upstreams():
        name = upstream.asked_as(model)
        if name is not None:
            return Chosen(memory.endpoints.asked_upstream(upstream), name)
    endpoint = memory.endpoints.asked("embed") if embeds else None
    endpoint = endpoint or memory.endpoints.asked("llm")
    if endpoint is None:
        raise NotConfigured(task="chat")
    return Chosen(endpoint, "" if model else endpoint.model)


def all_of(memory: Memory) -> list[tuple[Upstream | None, Endpoint]]:
    """Return every endpoint whose models are offered, the chat endpoint first."""
    own = memory.endpoints.asked("llm")
    endpoints: list[tuple[Upstream | None, Endpoint]] = [] if own is None else [(None, own)]
    endpoints += [
        (upstream, memory.endpoints.asked_upstream(upstream))
        for upstream in memory.endpoints.upstreams()
    ]
    if not endpoints:
        raise NotConfigured(task="chat")
    return endpoints


class Models:
    """The combined list of all endpoints; the list of a single one is passed on unchanged."""

    def __init__(self, state: ServerState, forwarding: Forwarding) -> None:
        self._state = state
        self._forwarding = forwarding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._state.gate.request() as held:
                held.begin()
                endpoints = await asyncio.to_thread(self._state.endpoints)
                task = asyncio.ensure_future(self._answer(scope, receive, send, endpoints))
                self._state.track(task)
                await task
        except KnownError as error:
            await refuse(send, Refusal(502, "upstream", str(error)))
        except Refusal as refusal:
            await refuse(send, refusal)

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        endpoints: list[tuple[Upstream | None, Endpoint]],
    ) -> None:
        answers = await asyncio.gather(
            *(self._ask(scope, endpoint) for _upstream, endpoint in endpoints),
            return_exceptions=True,
        )
        rows: list[Any] = []
        faults: list[BaseException] = []
        for (upstream, _endpoint), answer in zip(endpoints, answers, strict=True):
            if isinstance(answer, BaseException):
                faults.append(answer)
            elif len(endpoints) == 1:
                status, kind, body = answer
                headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
                await send({"type": "http.response.start", "status": status, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
            else:
                rows += _rows(upstream, answer[2])
        if faults and not rows:
            raise faults[0]
        await JsonAnswer({"object": "list", "data": rows})(scope, receive, send)

    async def _ask(self, scope: Scope, endpoint: Endpoint) -> tuple[int, bytes, bytes]:
        """Request the list of an endpoint; returns status, Content-Type and body.

        Raises LlmError.
        """
        size = 0
        pieces: list[bytes] = []
        try:
            async with (
                asyncio.timeout(_SECONDS),
                self._forwarding.send(endpoint, "models", None, scope["headers"]) as coming,
                aclosing(coming.pieces) as arriving,
            ):
                async for piece in arriving:
                    size += len(piece)
                    if size > _MOST:
                        raise LlmError(Phrase(_T("reports", "the list of models is too long")))
                    pieces.append(piece)
        except TimeoutError:
            raise LlmError(
                Phrase(_T("reports", "{host} did not name its models in time."), host=endpoint.host)
            ) from None
        kind = coming.header(b"content-type") or "application/json"
        return coming.status, kind.encode("latin-1"), b"".join(pieces)


def _rows(upstream: Upstream | None, body: bytes) -> list[Any]:
    """Read one endpoint's list, with each model under the name it has here."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    rows = value.get("data") if isinstance(value, dict) else value
    models = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    if upstream is None:
        return models
    return [
        {**row, "id": upstream.offered_as(row["id"])}
        for row in models
        if isinstance(row.get("id"), str)
    ]
