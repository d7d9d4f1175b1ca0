"""Keep API keys out of logs and messages.

A filter belongs on handlers, not on loggers: the filter of a logger does not see the records of its
children.
"""

from __future__ import annotations

import io
import logging
import re
import traceback
from collections.abc import Iterable

from typing_extensions import override

from engram_desktop.late import late_pattern

MASK = "[key]"
OWN_PREFIX = "engram-"  # of the memory server's key: not secret, and in every traceback
# Keys as providers write them, so that a key that was never registered is masked as well.
_PATTERNS = late_pattern(
    r"(?P<head>\bBearer\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\b(?:sk|rk|pk|gsk|hf|xai|tp)[-_][A-Za-z0-9_-]{12,}"
    r"|\bAIza[A-Za-z0-9_-]{20,}"
)
_SHORTEST = 6  # a shorter “key” is a placeholder such as “none”: masking it would garble the text
_LONG = 16  # parts of such a key are masked as well: servers show its beginning and its end
_PART = 5  # characters in a row: fewer occur by chance
_END = 3  # characters of an end after a row of dots or stars
_STARRED = late_pattern(r"[\w.~+/=-]*(?:[*•·…●xX]{3,}|\.{3,})[\w.~+/=-]*")


def redact(text: str, keys: Iterable[str] = ()) -> str:
    """Replace ``keys``, parts of them, and everything that looks like a key with a mask."""
    for key in keys:
        if len(key) >= _SHORTEST:
            text = text.replace(key, MASK)
        if len(key) >= _LONG:
            text = _without_parts(text, key)
    return _PATTERNS.sub(lambda match: f"{match['head'] or ''}{MASK}", text)


def _without_parts(text: str, key: str) -> str:
    """Mask the parts of ``key`` a server shows: “sk-ab***yz”, or any five characters in a row."""

    def mask_if_shown(match: re.Match[str]) -> str:
        head, tail = re.split(r"[*•·…●]{3,}|[xX]{3,}|\.{3,}", match[0], maxsplit=1)
        head, tail = head.rstrip("-"), tail.lstrip("-")  # of “sk-a-****-****-yz”
        begins = len(head) >= _END and head[-_PART:] in key
        ends = len(tail) >= _END and tail[:_PART] in key
        return MASK if begins or ends else match[0]

    text = _STARRED.sub(mask_if_shown, text)
    secret = key.removeprefix(OWN_PREFIX)
    parts = {secret[at : at + _PART] for at in range(len(secret) - _PART + 1)}
    pieces: list[str] = []
    at = copied_to = 0
    while at <= len(text) - _PART:
        if text[at : at + _PART] not in parts:
            at += 1
            continue
        end = at + _PART
        while end < len(text) and text[end - _PART + 1 : end + 1] in parts:
            end += 1
        pieces += [text[copied_to:at], MASK]
        at = copied_to = end
    return "".join(pieces) + text[copied_to:]


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
            record.exc_info = None  # a formatter would print the exception again
        elif record.exc_text:
            record.exc_text = redact(record.exc_text, keys)
        if record.stack_info:
            record.stack_info = redact(record.stack_info, keys)
        return True
