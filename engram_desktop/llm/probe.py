"""Try an endpoint once, for the Test button: whether it answers, how fast, and as which model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.address import LocalServer
from engram_desktop.domain.errors import BadAnswer, LlmError, NotConfigured, ServerError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client import Client, Retry
from engram_desktop.llm.connection import cleaned
from engram_desktop.llm.embedding.http_embedder import HttpEmbedder, Reranker
from engram_desktop.llm.endpoint import NO_PROXY, Endpoint, Task

if TYPE_CHECKING:
    from engram_desktop.llm.session import RequestSession


_T = QT_TRANSLATE_NOOP

_ONCE = Retry(attempts=1)


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of a successful test. ``words`` is the beginning of the server's answer."""

    task: Task
    url: str
    model: str
    latency_ms: int
    words: str = ""
    dimension: int | None = None


def probe(endpoint: Endpoint, task: Task, ctx: JobContext) -> Probe:
    """Send the smallest possible request. Raises LlmError with the server's own words."""
    if not endpoint.model and task != "models":
        raise NotConfigured(task=task)
    client = Client(endpoint, retry=_ONCE)
    started = time.monotonic()
    words, dimension, model = "", None, endpoint.model
    match task:
        case "chat":
            model, words = run_async(ctx, _chat(client))
        case "embed":
            dimension = HttpEmbedder(client).embed(["月光 moonlight"], ctx).shape[1]
        case "rerank":
            Reranker(client).rerank("月光", ["月光酒馆", "moonlight"], ctx)
        case "models":
            words = ", ".join(list_models(endpoint, ctx))
    elapsed = int((time.monotonic() - started) * 1000)
    return Probe(task, endpoint.final_url(task), model, elapsed, words[:200], dimension)


def list_models(endpoint: Endpoint, ctx: JobContext) -> list[str]:
    """Return the models the server offers, in alphabetical order. Raises LlmError, Cancelled."""

    async def ask() -> Any:
        async with Client(endpoint, retry=_ONCE).session() as session:
            return await session.request("models")

    rows = run_async(ctx, ask()).get("data")
    if not isinstance(rows, list):
        raise BadAnswer(Phrase(_T("reports", "a list of models was expected")))
    names = {
        cleaned(row["id"])
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("id"), str)
    }
    return sorted(names, key=str.casefold)


async def _chat(client: Client) -> tuple[str, str]:
    async with client.session() as session:
        try:
            answer = await _say_ok(session, max_tokens=1)
        except ServerError as error:
            if error.params.get("status") != 400:
                raise
            answer = await _say_ok(session)  # reasoning models refuse max_tokens
    match answer:
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            words = cleaned(text)
        case {"choices": [dict(), *_]}:
            words = ""
        case _:
            raise BadAnswer(
                Phrase(_T("reports", "there is no message in it")), raw=str(answer)[:2000]
            )
    model = answer.get("model")
    return (cleaned(model) if isinstance(model, str) and model else client.endpoint.model), words


async def _say_ok(session: RequestSession, **options: Any) -> Any:
    body = {
        "model": session.endpoint.model,
        "messages": [{"role": "user", "content": "Say OK."}],
        **options,
    }
    return await session.request("chat", body)


# Find model servers on this computer. No other computer is asked, and nothing is configured.


HOST = "127.0.0.1"  # this computer, by address: a name could belong to another one
ASK_S = 2.0  # for a list of models: a running server sends it within some ms


def find_local(ctx: JobContext, ports: Sequence[tuple[str, int]]) -> Iterator[LocalServer]:
    """Ask each port for its models, and return those that name some. Raises Cancelled."""
    for name, port in ports:
        ctx.check()
        url = f"http://{HOST}:{port}/v1"
        try:
            models = list_models(Endpoint(url, timeout=ASK_S, proxy=NO_PROXY), ctx)
        except LlmError:  # no server, or another kind of server
            continue
        if models:
            yield LocalServer(name, url, tuple(models))
