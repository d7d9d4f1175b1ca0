"""What one request to a server cost: reported for the usage page, whether it succeeded or not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LlmError, NoConnection, ServerError
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.llm.endpoint.endpoint import Task


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
#
# A module apart from `faults`, which imports the HTTP client: that takes 0.1 s.


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
