"""Errors of a server that every further request would meet as well.

A module apart from `faults`, which imports the HTTP client: that takes 0.1 s.
"""

from __future__ import annotations

import re

from engram_desktop.domain.errors import LlmError, NoConnection, ServerError

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
