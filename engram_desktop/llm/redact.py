"""Keep API keys out of logs and messages.

A filter belongs on handlers, not on loggers: a logger's filter does not see its children's records.
"""

from __future__ import annotations

import io
import logging
import re
import traceback
from collections.abc import Iterable

from typing_extensions import override

MASK = "[key]"
# Keys as providers write them, so that one that was never registered is masked as well.
_PATTERNS = re.compile(
    r"(?P<head>\bBearer\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\b(?:sk|rk|pk|gsk|hf|xai|tp)[-_][A-Za-z0-9_-]{12,}"
    r"|\bAIza[A-Za-z0-9_-]{20,}"
)
_SHORTEST = 6  # a shorter “key” is a placeholder such as “none”: masking it would maul the text


def redact(text: str, keys: Iterable[str] = ()) -> str:
    """Replace ``keys`` and whatever looks like one by a mask."""
    for key in keys:
        if len(key) >= _SHORTEST:
            text = text.replace(key, MASK)
    return _PATTERNS.sub(lambda found: f"{found['head'] or ''}{MASK}", text)


class KeyFilter(logging.Filter):
    """Masks keys in a record's message, traceback and stack before a handler formats it."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: set[str] = set()

    def add(self, key: str) -> None:
        if key:
            self._keys.add(key)

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        keys = tuple(self._keys)
        record.msg = redact(record.getMessage(), keys)
        record.args = ()
        if record.exc_info and record.exc_info[1] is not None:
            text = io.StringIO()
            traceback.print_exception(*record.exc_info, file=text)
            record.exc_text = redact(text.getvalue().rstrip("\n"), keys)
            record.exc_info = None  # a formatter would print the exception anew
        elif record.exc_text:
            record.exc_text = redact(record.exc_text, keys)
        if record.stack_info:
            record.stack_info = redact(record.stack_info, keys)
        return True
