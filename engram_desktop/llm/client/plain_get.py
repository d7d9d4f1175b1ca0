"""Read one page of text: no key, no cookie, no redirect, no more than a limit."""

from __future__ import annotations

import asyncio
import time

import httpx2

from engram_desktop.domain.errors import Unreachable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client.connection import Declined, open_http
from engram_desktop.llm.client.faults import from_http, from_status
from engram_desktop.llm.client.incoming import BODY_LIMITS, read_text
from engram_desktop.llm.endpoint.endpoint import SYSTEM_PROXY, Endpoint

_T = QT_TRANSLATE_NOOP
_SECONDS = 15.0  # a page of some kB; who waits looks at a dialog


def get_text(address: str, ctx: JobContext, proxy: str = SYSTEM_PROXY) -> str:
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
