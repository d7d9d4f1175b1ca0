"""One endpoint for as long as it is configured, what one answer holds, and what a request cost.

The requests themselves are in `session`, which is imported at the first of them: the packages it
needs take 0.6 s, and a window that asks no server should not wait for them.
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
    """One HTTP request. Tokens are estimates where the server gave no usage, 0 where it failed.

    ``error`` is empty when it succeeded, else one line with the key taken out. A retried call
    leaves a record for every attempt, since every attempt may be billed.
    """

    task: Task
    model: str
    host: str
    prompt_tokens: int
    completion_tokens: int
    elapsed_ms: int
    error: str = ""
    is_estimate: bool = False
    request: str = field(default="", repr=False)  # the JSON that was sent; keys are never in it
    answer: str = field(default="", repr=False)  # the text that came back

    @property
    def is_ok(self) -> bool:
        return not self.error


# Called on the thread that runs the job, once per request; it must not block.
OnCall = Callable[[CallRecord], object]


def ignore(record: CallRecord) -> None:
    """For callers that keep no account."""
    del record


# Errors of a server that every further request would meet as well.


_LASTING = {402, 404}  # nothing is paid for, or there is no such model
_NO_MODEL = re.compile(
    r"model\b.*\b(?:not exist|not found|no such|unknown|not supported)", re.IGNORECASE
)


def is_lasting(error: LlmError) -> bool:
    """Whether another request would meet the same trouble at once."""
    if isinstance(error, NoConnection):
        return True
    status = error.params.get("status") if isinstance(error, ServerError) else None
    is_unknown = status == 400 and _NO_MODEL.search(str(error.params["detail"])) is not None
    return status in _LASTING or is_unknown


ChatMessage = Mapping[str, str]  # {"role": ..., "content": ...}
# Entered around every request with about how many tokens it needs; raises to hold it back.
Admit = Callable[[int], AbstractContextManager[object]]


def always(tokens: int) -> AbstractContextManager[object]:
    """For callers without a limit."""
    return nullcontext(tokens)


@dataclass(frozen=True, slots=True)
class Retry:
    """How often to try and how long to wait, in seconds, all waits together included."""

    attempts: int = 4
    first_wait: float = 1.0
    total: float = 90.0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool that the model asks for; ``arguments`` is JSON as it wrote it."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What the model said. ``is_cut``: it ran into the limit of tokens."""

    text: str
    is_cut: bool
    prompt_tokens: int
    completion_tokens: int
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(slots=True)
class Client:
    """One endpoint, for as long as it is configured. Safe to share between threads.

    It holds no connection: `session` opens them for one event loop. ``learned`` keeps what the
    server turned out not to understand, so that it is asked once only.
    """

    endpoint: Endpoint
    on_call: OnCall = ignore
    retry: Retry = field(default_factory=Retry)
    learned: set[str] = field(default_factory=set)
    admit: Admit = always

    @asynccontextmanager
    async def session(self) -> AsyncIterator[RequestSession]:
        """Open connections for the running loop and close them at the end."""
        from engram_desktop.llm.session import open_session  # noqa: PLC0415 - see above

        async with open_session(self) as session:
            yield session
