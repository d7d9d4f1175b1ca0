"""Change a front end's request only where memory is inserted: all else stays as it was sent.

Numbers keep their spelling, names their order, half an emoji stays half: only what is inserted is
serialised.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Set
from typing import Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.exchange import SPELT
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_text import Edit, dump, find_value, read_json, splice, walk_members

_T = QT_TRANSLATE_NOOP
_ANY_PLACEHOLDER = re.compile("engramSummaries", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_BRACE = re.compile(r"\s*\{")


@dataclass(frozen=True, slots=True)
class Change:
    """The changes of a request. ``fill`` replaces the placeholder; None leaves it.

    ``message`` is inserted before the message with index ``before``, or into that with index
    ``into``: at its end if its role is system, else at its beginning. ``prompt`` is inserted before
    that character of the prompt; ``last`` is a further message, before that with index
    ``before_last``; ``left_out`` are indices of messages. ``model`` replaces the model's name.
    """

    fill: str | None = None
    message: str = ""
    role: str = "system"
    before: int | None = None
    into: int | None = None
    last: str = ""
    before_last: int | None = None
    prompt: str = ""
    prompt_at: int = 0
    left_out: frozenset[int] = frozenset()
    model: str = ""


class RequestText:
    """The body of a request: its parsed ``value``, and its text. Raises InputError."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        try:
            self._text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(str(error)) from None
        value = read_json(self._text, "request")
        if not isinstance(value, dict):
            raise InputError(Phrase(_T("reports", "it is no object")))
        self.value: dict[str, Any] = value

    @property
    def has_placeholder(self) -> bool:
        """Return quickly whether the placeholder may occur."""
        return _ANY_PLACEHOLDER.search(self._text) is not None

    def changed(self, change: Change) -> bytes:
        """Return the body with a change; the received bytes if nothing changes."""
        edits = [
            *self._placeholders(change),
            *self._messages(change),
            *self._part(change),
            *self._prompt(change),
            *self._model(change),
        ]
        return splice(self._text, edits).encode("utf-8") if edits else self.body

    def _placeholders(self, change: Change) -> Iterator[Edit]:
        if change.fill is None or not self.has_placeholder:
            return
        fill = _escaped(change.fill)
        for start, end in self._texts(change.left_out):
            for match in SPELT.finditer(self._text, start, end):
                yield match.start(), match.end(), fill

    def _texts(self, left_out: Set[int]) -> Iterator[tuple[int, int]]:
        """Yield the spans of the message texts: contents, the texts of their parts, prompts."""
        yield from self._strings(find_value(self._text, ("prompt",)), "")
        messages = find_value(self._text, ("messages",))
        if messages is None or self._text[messages[0]] != "[":
            return
        for row in walk_members(self._text, messages[0]):
            if row.name in left_out or self._text[row.value_start] != "{":
                continue
            for member in walk_members(self._text, row.value_start):
                if member.name == "content":
                    yield from self._strings((member.value_start, member.value_end), "text")

    def _strings(self, span: tuple[int, int] | None, name: str) -> Iterator[tuple[int, int]]:
        """Yield the span of a string, or those in a list: strings, or ``name`` of its objects."""
        if span is None:
            return
        match self._text[span[0]]:
            case '"':
                yield span
            case "[":
                for part in walk_members(self._text, span[0]):
                    first = self._text[part.value_start]
                    if first == '"':
                        yield part.value_start, part.value_end
                    elif first == "{":
                        for member in walk_members(self._text, part.value_start):
                            if member.name == name and self._text[member.value_start] == '"':
                                yield member.value_start, member.value_end

    def _messages(self, change: Change) -> Iterator[Edit]:
        if change.before is None and not change.left_out:
            return
        span = find_value(self._text, ("messages",))
        if span is None or self._text[span[0]] != "[":
            return
        rows = list(walk_members(self._text, span[0]))
        for row, following in itertools.pairwise(rows):
            if row.name in change.left_out:
                yield row.start, following.start, ""
        for text, before in ((change.message, change.before), (change.last, change.before_last)):
            if before is None or not rows:
                continue
            message = dump({"role": change.role, "content": text})
            if before < len(rows):
                at = rows[before].start
                yield at, at, f"{message},"
            else:
                yield rows[-1].value_end, rows[-1].value_end, f",{message}"

    def _part(self, change: Change) -> Iterator[Edit]:
        """Insert a message into an existing one, separated by an empty line."""
        span = find_value(self._text, ("messages",)) if change.into is not None else None
        if span is None or self._text[span[0]] != "[":
            return
        row = next((r for r in walk_members(self._text, span[0]) if r.name == change.into), None)
        if row is None or self._text[row.value_start] != "{":
            return
        members = {m.name: m for m in walk_members(self._text, row.value_start)}
        if (content := members.get("content")) is None:
            return
        strings = [*self._strings((content.value_start, content.value_end), "text")]
        if not strings:
            return
        if self.value["messages"][row.name].get("role") in {"system", "developer"}:
            at = strings[-1][1] - 1
            yield at, at, _escaped(f"\n\n{change.message}")
        else:
            at = strings[0][0] + 1
            yield at, at, _escaped(f"{change.message}\n\n")

    def _prompt(self, change: Change) -> Iterator[Edit]:
        if not change.prompt or not isinstance(self.value.get("prompt"), str):
            return
        span = find_value(self._text, ("prompt",))
        if span is not None:
            at = _place_in_string(self._text, span, change.prompt_at)
            yield at, at, _escaped(change.prompt)

    def _model(self, change: Change) -> Iterator[Edit]:
        if not change.model or self.value.get("model") == change.model:
            return
        span = find_value(self._text, ("model",))
        if span is not None:
            yield *span, dump(change.model)
            return
        brace = _BRACE.match(self._text.lstrip("\ufeff"))
        at = self._text.index("{") + 1
        if brace is not None:
            yield at, at, f'"model":{dump(change.model)}{"," if self.value else ""}'


def _escaped(text: str) -> str:
    return dump(text)[1:-1]


def _place_in_string(text: str, span: tuple[int, int], at: int) -> int:
    """Return the position of the character ``at`` of a string in its JSON spelling at ``span``."""
    start, end = span[0] + 1, span[1] - 1
    shift = 0  # by how much the spelling is longer than the string so far
    high_ends_at = -1
    for escape in _ESCAPE.finditer(text, start, end):
        code = int(escape[1], 16) if escape[1] else 0
        is_low_half = 0xDC00 <= code <= 0xDFFF and escape.start() == high_ends_at
        if escape.start() - start - shift >= at and not is_low_half:
            break
        shift += len(escape[0]) - (0 if is_low_half else 1)
        high_ends_at = escape.end() if 0xD800 <= code <= 0xDBFF else -1
    return min(start + at + shift, end)
