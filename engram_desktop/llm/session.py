"""The one door to an OpenAI-compatible server: chat, embeddings, rerank, model list.

Sends only the headers it means to send, follows no redirect, retries what may pass, and raises
nothing but `LlmError`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.stop import stop_before_delay

from engram_desktop.domain.errors import BadAnswer, Unreachable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.llm.calls import CallRecord
from engram_desktop.llm.client import ChatAnswer, ChatMessage, Client
from engram_desktop.llm.connection import open_http
from engram_desktop.llm.endpoint import PATHS, Task
from engram_desktop.llm.faults import Failed, from_body, from_openai

_T = QT_TRANSLATE_NOOP

ANSWER_TOKENS = 700  # what an answer costs about, where the request sets no limit


@asynccontextmanager
async def open_session(client: Client) -> AsyncIterator[Session]:
    """Open connections for the running loop and close them at the end."""
    async with open_http(client.endpoint) as http:
        yield Session(client, http)


class Session:
    """Requests over the connections of one event loop. Many may be under way at once."""

    def __init__(self, client: Client, http: httpx2.AsyncClient) -> None:
        self.client = client
        self.endpoint = client.endpoint
        self._api = openai.AsyncOpenAI(
            api_key=client.endpoint.key or "none",  # the header itself is set in `open_http`
            base_url=client.endpoint.base_url,
            max_retries=0,
            http_client=http,
        )

    async def chat(self, messages: Sequence[ChatMessage], **options: Any) -> ChatAnswer:
        """Ask the model. ``options`` such as max_tokens go into the request as they are."""
        body = {"model": self.endpoint.model, "messages": list(messages), **options}
        answer = await self.request("chat", body)
        text, finish = _choice(answer)
        if finish == "content_filter":
            raise BadAnswer(
                Phrase(_T("reports", "the server's content filter stopped it")), raw=text
            )
        prompt, completion, _ = _usage(answer, body, text)
        return ChatAnswer(text, finish == "length", prompt, completion)

    async def request(self, task: Task, body: dict[str, Any] | None = None) -> Any:
        """Send ``body`` to the address of ``task`` and return the answer's JSON. Raises LlmError.

        Without a body it is a GET.
        """
        policy = self.client.retry
        try:
            async for attempt in AsyncRetrying(
                retry=retry_if_exception(lambda e: isinstance(e, Failed) and e.is_passing),
                stop=stop_after_attempt(policy.attempts) | stop_before_delay(policy.total),
                wait=self._wait,
                reraise=True,
            ):
                with attempt, self.client.admit(_expected(body or {})):
                    return await self._attempt(task, body)
        except Failed as failed:
            raise failed.error from failed.__cause__
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _wait(self, state: RetryCallState) -> float:
        """Wait as long as the server asks, else twice as long each time."""
        failed = state.outcome.exception() if state.outcome else None
        if isinstance(failed, Failed) and failed.retry_after is not None:
            return failed.retry_after
        return float(self.client.retry.first_wait * 2 ** (state.attempt_number - 1))

    async def _attempt(self, task: Task, body: dict[str, Any] | None) -> Any:
        """Send one request, take account of it, and return its JSON. Raises Failed."""
        started = time.monotonic()
        answer: Any = None
        error = "cancelled"
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                answer = await self._send(task, body)
            error = ""
        except TimeoutError as late:
            limit = f"{self.endpoint.timeout:g}"
            words = Phrase(_T("reports", "no complete answer within {limit} s"), limit=limit)
            failed = Failed(Unreachable(words, url=self.endpoint.final_url(task)))
            error = str(failed.error)
            raise failed from late
        except openai.APIError as raised:
            failed = from_openai(raised, self.endpoint, task, time.time())
            error = str(failed.error)
            raise failed from raised
        except Failed as raised:
            error = str(raised.error)
            raise
        finally:
            elapsed = int((time.monotonic() - started) * 1000)
            self._account(task, body or {}, answer, elapsed, error)
        return answer

    async def _send(self, task: Task, body: dict[str, Any] | None) -> Any:
        url = PATHS[task]
        if body is None:
            response = await self._api.get(url, cast_to=httpx2.Response)
        else:
            response = await self._api.post(url, cast_to=httpx2.Response, body=body)
        text = response.text
        kind = response.headers.get("content-type", "")
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise from_body(text, kind, self.endpoint, task) from error
        if not isinstance(answer, dict) or ("error" in answer and not _has_content(answer)):
            raise from_body(text, kind, self.endpoint, task)
        return answer

    def _account(
        self, task: Task, body: dict[str, Any], answer: Any, elapsed: int, error: str
    ) -> None:
        prompt, completion, is_estimate = 0, 0, False
        if not error:
            prompt, completion, is_estimate = _usage(answer, body, _choice(answer)[0])
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
            )
        )


def _has_content(answer: dict[str, Any]) -> bool:
    return any(answer.get(name) for name in ("choices", "data", "results"))


def _choice(answer: Any) -> tuple[str, str]:
    """Return the text of the first choice and why it ended, from whatever shape it has."""
    match answer:
        case {"choices": [{"message": dict(message), **choice}, *_]}:
            pass
        case _:
            return "", ""
    content = message.get("content")
    if isinstance(content, list):  # some servers answer in parts, like the newer API
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    text = content if isinstance(content, str) else ""
    return text, str(choice.get("finish_reason") or "")


def _usage(answer: Any, body: dict[str, Any], text: str) -> tuple[int, int, bool]:
    """Return (prompt tokens, completion tokens, whether they are estimates)."""
    match answer:
        case {"usage": {"prompt_tokens": int(prompt), **rest}}:
            completion = rest.get("completion_tokens")
            return prompt, completion if isinstance(completion, int) else 0, False
        case _:
            return sum(map(estimate_tokens, _texts(body))), estimate_tokens(text), True


def _expected(body: dict[str, Any]) -> int:
    """About how many tokens a request will cost, its answer included."""
    answer = int(body.get("max_tokens") or ANSWER_TOKENS) if "messages" in body else 0
    return sum(map(estimate_tokens, _texts(body))) + answer


def _texts(body: dict[str, Any]) -> list[str]:
    """Return the texts of a request, for an estimate of what it costs."""
    texts = [message["content"] for message in body.get("messages", ())]
    sent = body.get("input", body.get("documents", []))
    return [*texts, *([sent] if isinstance(sent, str) else sent), str(body.get("query", ""))]
