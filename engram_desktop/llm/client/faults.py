"""What went wrong with one request: from the HTTP client's exceptions to errors a user can act on.

Every message is one line, in the server's own words where it had any, with the key taken out.
"""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import httpx2
import openai

from engram_desktop.domain.errors import (
    BadEndpoint,
    LlmError,
    NoConnection,
    RateLimited,
    Refused,
    ServerError,
    Unreachable,
)
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.client.incoming import cleaned
from engram_desktop.llm.endpoint.endpoint import Endpoint, Task
from engram_desktop.llm.endpoint.redact import redact

_T = QT_TRANSLATE_NOOP

_MAX_CHARS = 300  # of a server's own words in one message
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
    """One attempt that failed: what to tell, whether another may help, and how long to wait."""

    error: LlmError
    is_passing: bool = False
    retry_after: float | None = None


def from_http(error: Exception, endpoint: Endpoint, task: Task) -> Failed:
    """Map what sending or reading raised. Only a time-out of connecting is worth another try."""
    if isinstance(error, openai.APIConnectionError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # the client says no more than that it failed
    if isinstance(error, httpx2.TimeoutException):  # a slow answer was paid for
        connecting = isinstance(error, httpx2.ConnectTimeout)
        url = endpoint.final_url(task)
        if connecting:
            return Failed(NoConnection(Phrase(_NO_CONNECTION_IN_TIME), url=url), is_passing=True)
        return Failed(Unreachable(Phrase(_NO_ANSWER_IN_TIME), url=url))
    return _no_answer(error, endpoint, task)


def from_status(
    response: httpx2.Response, text: str, endpoint: Endpoint, task: Task, now: float
) -> Failed:
    """Map an HTTP answer that is an error, or a redirect, with the beginning of its body.

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
    wait = _seconds(response.headers.get("retry-after"), now)
    return Failed(ServerError(words, url=url, status=status), passing, wait)


def from_body(text: str, kind: str, endpoint: Endpoint, task: Task) -> Failed:
    """Map an answer with status 200 whose body is not what was asked for."""
    url = endpoint.final_url(task)
    if "html" in kind or text.lstrip()[:1] == "<":
        return Failed(BadEndpoint(Phrase(_WEB_PAGE), url=url))
    words = server_words(text, endpoint.key) if text.strip() else Phrase(_EMPTY)
    return Failed(ServerError(words, url=url, status=200), is_passing=not _is_json(text))


def server_words(body: str, key: str = "") -> str:
    """Find what a server has to say in the body of an error, whatever its shape."""
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
    """Return ``text`` on one line, the key masked, cut where nobody reads on."""
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
    """Yield ``error`` and what led to it, the innermost last."""
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
    """Read ``Retry-After``: seconds or a date. Nonsense is no wish."""
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
