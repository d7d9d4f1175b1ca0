"""A client for one endpoint, its answers, and the records of what requests cost.

The requests themselves are in `session`, which is imported for the first request: its packages need
.6 s, and a window that asks no server should not wait for them.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import field
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LlmError, NoConnection, ServerError
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.endpoint import Endpoint

if TYPE_CHECKING:
    from engram_desktop.llm.endpoint import Task
    from engram_desktop.llm.session import RequestSession


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One HTTP request. Tokens are estimated where the server gave no usage, 0 where it failed.

    ``error`` is empty on success, else one line with the key masked. A retried call leaves a record
    of each attempt, since each may be billed.
    """

    task: Task
    model: str
    host: str
    prompt_tokens: int
    completion_tokens: int
    elapsed_ms: int
    error: str = ""
    is_estimate: bool = False
    request: str = field(default="", repr=False)  # the JSON that was sent; never contains a key
    answer: str = field(default="", repr=False)  # the text received

    @property
    def is_ok(self) -> bool:
        return not self.error


# Called on the thread that runs the job, once per request; it must not block.
OnCall = Callable[[CallRecord], object]


def ignore(record: CallRecord) -> None:
    """Ignore the record, for callers that keep no accounts."""
    del record


# Errors of a server that every further request would get as well.


_LASTING = {402, 404}  # payment required, or no such model
_NO_MODEL = re.compile(
    r"model\b.*\b(?:not exist|not found|no such|unknown|not supported)", re.IGNORECASE
)


def is_lasting(error: LlmError) -> bool:
    """Return whether a further request would fail in the same way at once."""
    if isinstance(error, NoConnection):
        return True
    status = error.params.get("status") if isinstance(error, ServerError) else None
    is_unknown = status == 400 and _NO_MODEL.search(str(error.params["detail"])) is not None
    return status in _LASTING or is_unknown


ChatMessage = Mapping[str, str]  # {"role": ..., "content": ...}
# Entered around each request with the tokens it needs, estimated; raises to hold it back.
Admit = Callable[[int], AbstractContextManager[object]]


def always(tokens: int) -> AbstractContextManager[object]:
    """Admit every request, for callers without a limit."""
    return nullcontext(tokens)


@dataclass(frozen=True, slots=True)
class Retry:
    """How often to try, and how long to wait: in seconds, and in total with all waits."""

    attempts: int = 4
    first_wait: float = 1.0
    total: float = 90.0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the model requests; ``arguments`` is JSON as the model wrote it."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer of a model. ``is_cut``: it reached the token limit."""

    text: str
    is_cut: bool
    prompt_tokens: int
    completion_tokens: int
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(slots=True)
class Client:
    """One endpoint, for as long as it is configured. Safe to share between threads.

    It holds no connection: `session` opens them for one event loop. ``learned`` keeps the features
    the server refused, so that each is tried only once.
    """

    endpoint: Endpoint
    on_call: OnCall = ignore
    retry: Retry = field(default_factory=Retry)
    learned: set[str] = field(default_factory=set)
    admit: Admit = always

    @asynccontextmanager
    async def session(self) -> AsyncIterator[RequestSession]:
        """Open connections for the running loop; they are closed at the end."""
        from engram_desktop.llm.session import open_session  # noqa: PLC0415 - see above

        async with open_session(self) as session:
            yield session
