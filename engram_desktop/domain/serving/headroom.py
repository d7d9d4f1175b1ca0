"""How much of a model's context is left for memory, learned from what a server refuses.

Front ends fill the context with the story, so memory may exceed it; the server then refuses the
request and says how many tokens it accepts. Once that is known, the oldest messages that memory
summarises already are left out, and memory gets shorter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engram_desktop.domain.serving.exchange import replaced_messages
from engram_desktop.domain.serving.request import ListedMessage
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

LEAST = 100  # tokens of a memory worth sending: the smallest budget that can be set
_SHARE = 4  # a full context gives a quarter to memory; chosen, not measured
_STAYING = 12  # newest floors that are always sent in full
_MESSAGE = 4  # tokens of a message in addition to its text: roles and marks
_REPLY = 500  # tokens reserved for a reply if the request gives no limit
_MARGIN = 0.97  # of the server's limit: estimates of tokens are not exact
_LEAST_CONTEXT = 512  # tokens: a smaller number in an error message is no context size
_SCALES = (0.7, 1.8)  # limits of the ratio between a tokenizer and the estimate
_LEAST_READ = 1_000  # tokens: servers that truncate read some thousand at least
_READ_SHARE = 0.6  # of an estimate: tokenizers differ by less
_MORE = 1.1  # factor on the estimate if a request that was fitted is refused
_REPLY_FIELDS = ("max_tokens", "max_completion_tokens", "max_length", "n_predict")
# Status codes about the request, not about authorisation or rate.
_REFUSED = {400, 413, 422}
_BROKEN = 500  # status that servers also return if a template of a model raises

# Of the request: limits of the answer or its format are refused in other words.
_LENGTH = late_pattern(
    r"context[ _](?:the )?(?:length|size|window|limit|overflow)|(?:maximum|available) context"
    r"|(?:request|prompt|input|messages?) (?:is |are )?too (?:long|large)|too many tokens"
    r"|token limit|input token count|tokens per minute|max_seq_len|n_ctx|input length"
    r"|reduce the length|prompt length|maximum prompt|inputs?`? tokens|prompt cannot exceed"
    r"|(?:输入|上下文|请求|内容|prompt|tokens?)[^。]{0,12}(?:超长|过长|超出|超过)"
    r"|(?:超出|超过)[^。]{0,12}(?:上下文|长度|tokens?)",
    re.IGNORECASE,
)
_ROLES = late_pattern(
    r"\broles?\b|alternat|system (?:message|prompt)|template|jinja|角色|must be at the beginning",
    re.IGNORECASE,
)
_NUMBER = r"(\d[\d,_]*)"
# Names of the limit in error messages, before the number or after it.
_LIMITS = tuple(
    late_pattern(form, re.IGNORECASE)
    for form in (
        rf'"n_ctx"\D{{0,5}}{_NUMBER}',
        rf"{_NUMBER} (?:tokens? )?maximum",
        rf"tokens? > {_NUMBER}|\+ \d+ > {_NUMBER}",
        rf"context (?:size|length|window|limit)(?: of)?(?: is)?(?: only)?\D{{0,12}}{_NUMBER}",
        rf"(?:maximum|max|limit|allowed|less than|at most|<=)[^\d\n]{{0,40}}{_NUMBER}",
        rf"\[\d+, ?{_NUMBER}\]|(?:cannot|must not) exceed {_NUMBER}",
    )
)


@dataclass(frozen=True, slots=True)
class ModelBounds:
    """What is known of the limits of a model's server.

    ``tokens`` is the limit of a request and its reply as the server counts them, 0 if unknown;
    ``scale`` is the number of these per estimated token. ``is_strict``: it accepts no additional
    system messages, so that memory goes into an existing one.
    """

    tokens: int = 0
    scale: float = 1.0
    is_strict: bool = False

    def most(self, reply: int) -> int:
        """Return how many estimated tokens a request may have with a reply of this length."""
        return max(0, int((self.tokens * _MARGIN - reply) / self.scale))


@dataclass(frozen=True, slots=True)
class Headroom:
    """Tokens that memory may take, and the indices of messages that it replaces."""

    tokens: int
    left_out: frozenset[int] = frozenset()


def may_be_for_memory(status: int, words: str) -> bool:
    """Return whether an error may be due to the inserted memory."""
    if status in _REFUSED:
        return True
    return status == _BROKEN and bool(_LENGTH.search(words) or _ROLES.search(words))


def is_too_long(status: int, words: str) -> bool:
    """Return whether an error says that a request exceeds the model's context."""
    return status in {200, *_REFUSED, _BROKEN} and _LENGTH.search(words) is not None


def learned(known: ModelBounds, words: str, sent: int) -> ModelBounds:
    """Return the limits of a server that refused ``sent`` estimated tokens with ``words``.

    Returns ``known`` itself if the error says nothing new.
    """
    if _LENGTH.search(words):
        numbers = {_value(number) for number in re.findall(r"\d[\d,_]*", words)}
        tokens = _limit(words, numbers, sent)
        if not tokens:
            return known
        others = [n for n in numbers - {tokens} if sent * _SCALES[0] <= n <= sent * _SCALES[1]]
        scale = min(others, key=lambda n: abs(n - sent), default=sent) / max(sent, 1)
        if tokens == known.tokens:  # the request was fitted to that limit, and still was too long
            scale = min(max(scale, known.scale * _MORE), _SCALES[1])
        return replace(known, tokens=tokens, scale=scale)
    if _ROLES.search(words) and not known.is_strict:
        return replace(known, is_strict=True)
    return known


def is_cut(read: int, sent: int) -> bool:
    """Return whether a server read far fewer tokens than it was sent, so that it truncated them.

    A count below a thousand proves nothing: some servers count only tokens not in their cache.
    """
    return _LEAST_READ <= read < sent * _READ_SHARE


def size(said: Sequence[ListedMessage], left_out: Collection[int] = ()) -> int:
    """Return the estimated tokens of a request's messages."""
    return sum(estimate_tokens(m.text) + _MESSAGE for m in said if m.index not in left_out)


def reply_tokens(body: Mapping[str, Any]) -> int:
    """Return the maximum length of the reply that a request asks for, in tokens."""
    for name in _REPLY_FIELDS:
        value = body.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return _REPLY


def make_room(
    said: Sequence[ListedMessage],
    floors: Mapping[int, int],
    told: Collection[int],
    newest: int,
    most: int,
    wanted: int,
    left_out: frozenset[int] = frozenset(),
) -> Headroom:
    """Return the room for memory in a request of ``most`` estimated tokens, without its reply.

    ``wanted`` is the budget of memory. If less is left, the oldest floors that events summarise
    (``told``) are left out until memory has a quarter of the context, at most its budget.
    ``floors`` maps the index of a message to its floor, ``newest`` is the newest of these floors,
    ``left_out`` are messages that are not sent in any case.
    """
    left = most - size(said, left_out)
    if left >= wanted:
        return Headroom(wanted, left_out)
    needed = min(wanted, most // _SHARE) - left
    if needed <= 0:
        return Headroom(left if left >= LEAST else 0, left_out)
    sizes = {floors[m.index]: size([m]) for m in said if m.index in floors}
    freed, window = 0, newest
    for message in said:
        floor = floors.get(message.index)
        if floor is None or message.index in left_out:
            continue
        if floor > newest - _STAYING or freed >= needed:
            break
        freed, window = freed + sizes[floor], newest - floor
    leaving = left_out
    if freed:
        leaving |= replaced_messages(said, floors, frozenset(told), newest, max(window, _STAYING))
    tokens = min(wanted, most - size(said, leaving))
    return Headroom(tokens, leaving) if tokens >= LEAST else Headroom(0, left_out)


def fitted(wanted: int, most: int, used: int) -> int:
    """Return the tokens for memory in a prompt of ``most`` tokens, of which ``used`` are taken.

    Memory gets what is left, and at least a quarter of the prompt: SillyTavern then leaves out the
    oldest messages.
    """
    return max(LEAST, min(wanted, max(most - used, most // _SHARE)))


def _limit(words: str, numbers: Collection[int], sent: int) -> int:
    for form in _LIMITS:
        for match in form.finditer(words):
            value = _value(next(group for group in match.groups() if group))
            if value >= _LEAST_CONTEXT:
                return value
    near = [number for number in numbers if sent / 2 <= number <= sent * 2]
    return near[0] if len(near) == 1 else 0


def _value(number: str) -> int:
    digits = number.replace(",", "").replace("_", "")
    return int(digits) if len(digits) <= 9 else 0
