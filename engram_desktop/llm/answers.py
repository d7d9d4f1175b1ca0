"""Structured answers of models: request them in a JSON format, and read what comes back.

Reading finds the JSON in an answer, however it is wrapped or broken: after thoughts and prose, in a
fence, cut off. It lets nothing through that would break a database or a vector later: no NaN or
infinity, no endless integer, no unlimited nesting. Text inside a string of the answer is never
taken for an answer. Each character is read a bounded number of times, so a text of brackets only
takes no longer than any other. No content is invented: an unusable answer raises BadAnswer.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import jiter
import json_repair

from engram_desktop.domain.errors import BadAnswer, ServerError, TooLong
from engram_desktop.domain.memory.extraction import (
    Fault,
    Parsed,
    PlotExtraction,
    Span,
    json_schema,
    parse_extraction,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.client import ChatAnswer, ChatMessage

if TYPE_CHECKING:
    from engram_desktop.llm.session import RequestSession


_MAX_DIGITS = 18  # fits into 64 bits; longer ones take time that grows with their square
_MAX_RESTARTS = 64  # times a scan restarts at the end of a thought
_MAX_BROKEN = 200  # each costs a count of the lines before it
_OPENED = re.compile(r"\s*+<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*+(?:```[\w-]*+\s*+)?(?=[{\[])")
_BEHIND = re.compile(r"\s*+(?:```|\Z)")
_FENCE_BEFORE = re.compile(r"(?:\A|\n)[ \t]*```[\w-]*\s*\Z")
# A bracket that is not prose: a key and a colon follow, or the first item of a list.
_STRUCTURE = re.compile(
    r"""\{\s*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]{0,80}+'|\w[\w ]{0,40}+)\s*+:|\[\s*+[\[{"]""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A JSON value in a text, from ``start`` to before ``end``, and the keys it has twice."""

    start: int
    end: int
    value: Any
    repeated_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What a text holds: the value of the answer, or else the text of a broken one."""

    span: JsonSpan | None = None
    broken: str = ""


@dataclass(slots=True)
class _Scan:
    """Complete values, and the offsets at which broken values begin, in order."""

    values: list[JsonSpan] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def search(text: str) -> Search:
    """Find the answer: the whole text if that is JSON, else what remains without its wrapping."""
    span = _at_beginning(text)
    if span is not None:
        return Search(span)
    beginning = _BEGINNING.match(text)
    if beginning is None or not _STRUCTURE.match(text, beginning.end()):
        end_tag = _CLOSED.search(text)
        if end_tag is not None:
            text, is_thought = text[end_tag.end() :], _OPENED.match(text) is not None
            span = _at_beginning(text) if is_thought else _whole(text)
            if span is not None:
                return Search(span)
            if not is_thought:  # it may be in a string of the answer
                text = end_tag.string
    return _choose(text, _scan(text))


def decode(text: str, at: int = 0) -> JsonSpan:
    """Read the JSON value that begins at ``at``. Raises JSONDecodeError, RecursionError."""
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items) and len(repeated) < 20:
            repeated.extend(key for key, count in Counter(k for k, _ in items).items() if count > 1)
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else None,
        parse_float=_number,
        parse_constant=lambda _: None,
        strict=False,  # models leave line breaks in strings unescaped
    )
    value, end = decoder.raw_decode(text, at)
    return JsonSpan(at, end, value, tuple(sorted(repeated)))


def _number(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _at_beginning(text: str) -> JsonSpan | None:
    """Return the value a text begins with, whatever follows it."""
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return None
    try:
        span = decode(text, beginning.end())
    except (ValueError, RecursionError):
        return None
    is_note = isinstance(span.value, list) and not any(
        isinstance(item, dict | list) for item in span.value
    )
    if is_note and not _BEHIND.match(text, span.end):  # “[1] as the story says …”
        return None
    return span


def _whole(text: str) -> JsonSpan | None:
    span = _at_beginning(text)
    return span if span is not None and _BEHIND.match(text, span.end) else None


def _scan(text: str) -> _Scan:
    """Read values from left to right; after a broken one, continue where it breaks."""
    scan = _Scan()
    beginning = _BEGINNING.match(text)
    restarts = 0 if beginning and _STRUCTURE.match(text, beginning.end()) else _MAX_RESTARTS
    at = 0
    while (structure := _STRUCTURE.search(text, at)) is not None and len(scan.broken) < _MAX_BROKEN:
        start = structure.start()
        try:
            span = decode(text, start)
        except json.JSONDecodeError as error:
            at = max(error.pos, start + 1)
            scan.broken.append(start)
        except RecursionError:
            at = len(text)
            scan.broken.append(start)
        else:
            at = span.end
            if span.value:
                scan.values.append(span)
            continue
        end_tag = _CLOSED.search(text, start, at) if restarts else None
        if end_tag is not None:  # a thought ended inside the broken value
            restarts -= 1
            at = end_tag.end()
    return scan


def _choose(text: str, scan: _Scan) -> Search:
    """Prefer what follows the thoughts, then what is fenced, then the longest value."""
    beginning = _BEGINNING.match(text)
    is_bare = beginning is not None and bool(_STRUCTURE.match(text, beginning.end()))
    after = 0 if is_bare else _end_of_thoughts(text, scan.values)
    values = [span for span in scan.values if span.start >= after]
    broken = [start for start in scan.broken if start >= after]
    if not values and not broken:
        values, broken = scan.values, scan.broken
    best = max(values, key=lambda f: (_is_fenced(text, f.start), f.end - f.start), default=None)
    if broken and (best is None or broken[0] < best.start):
        first = broken[0]
        if best is None or is_bare or not _is_fenced(text, best.start):
            return Search(broken=_cut_fence(text[first:]))
    return Search(best)


def _end_of_thoughts(text: str, values: Sequence[JsonSpan]) -> int:
    """Return where the last thought ends; a tag inside a value does not count."""
    end, rest = 0, iter(values)
    span = next(rest, None)
    for tag in _CLOSED.finditer(text):
        while span is not None and span.end <= tag.start():
            span = next(rest, None)
        if span is None or tag.start() < span.start:
            end = tag.end()
    return end


def _is_fenced(text: str, start: int) -> bool:
    return _FENCE_BEFORE.search(text[max(0, start - 40) : start]) is not None


def _cut_fence(text: str) -> str:
    """Cut the text at the last fence, if only prose follows it."""
    at = text.rfind("```")
    return text[:at] if at > 0 and not re.search(r'["{}\[\]]', text[at:]) else text


_MAX_CHARS = (
    2_000_000  # twice what `connection.TEXT_LIMIT` lets through; bounds the time of reading
)
_MAX_DEPTH = 40  # bounds recursion
_MAX_NUMBER = 10**18  # fits into 64 bits
# `json_repair` takes 0.5 ms for 1 kB that is broken once, and 16 s for 100,000 open brackets.
_REPAIRED_CHARS = 64_000
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]]', re.DOTALL)
_NOTHING = Fault("$", "the answer holds no JSON object")
_STOPS = Fault("$", "the answer stops in its middle: the JSON is not complete")


@dataclass(frozen=True, slots=True)
class Loose:
    """``value`` is None when no JSON object or list was found.

    ``is_half``: the JSON ends before it is closed, or was read only up to a break.
    """

    value: Any = None
    faults: tuple[Fault, ...] = ()
    is_half: bool = False


@dataclass(slots=True)
class _Notes:
    faults: list[Fault] = field(default_factory=list)

    def add(self, message: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(Fault("$", message))


def read_json(answer: str) -> Loose:
    """Read the JSON object or list in ``answer``; a text that is valid JSON is read as it is."""
    notes = _Notes()
    hit = search(answer[:_MAX_CHARS].lstrip("\ufeff"))
    value, is_half = None, False
    if hit.span is not None:
        value = hit.span.value
        if hit.span.repeated_keys:
            notes.add(f"given twice, the last counts: {', '.join(hit.span.repeated_keys)[:200]}")
    elif hit.broken:
        value, is_half = _repaired(hit.broken, notes)
    bounded = _bounded(value, _MAX_DEPTH, notes)
    if not isinstance(bounded, dict | list) or not bounded:
        return Loose(None, (*notes.faults, _NOTHING), is_half)
    return Loose(bounded, tuple(notes.faults), is_half)


def _repaired(text: str, notes: _Notes) -> tuple[Any, bool]:
    """Read broken JSON; returns the value and whether only part of it was read."""
    deepest, depth = _depths(text)
    is_half = depth > 0
    if len(text) > _REPAIRED_CHARS or deepest > _MAX_DEPTH:
        is_half = True  # read up to the break
        try:
            value = jiter.from_json(text.encode("utf-8", "replace"), partial_mode="on")
        except ValueError:
            return None, True
    else:
        try:
            value = json_repair.loads(text, skip_json_loads=True)
        except (ValueError, RecursionError, OverflowError):
            return None, is_half
    if is_half:
        notes.faults.append(_STOPS)
    else:
        notes.add("the JSON was broken and has been repaired")
    return value, is_half


def _depths(text: str) -> tuple[int, int]:
    """Return the greatest depth of brackets, and how many are open at the end."""
    deepest = depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in "}]":
            depth -= 1
    return deepest, depth


def _bounded(value: Any, depth: int, notes: _Notes) -> Any:
    """Copy ``value`` without what is not finite or is nested too deep."""
    match value:
        case dict() | list() if depth == 0:
            notes.add("nested too deep; what lies deeper is left out")
            return None
        case dict():
            return {str(key): _bounded(item, depth - 1, notes) for key, item in value.items()}
        case list():
            return [_bounded(item, depth - 1, notes) for item in value]
        case bool() | str():
            return value
        case int() | float():
            return value if math.isfinite(value) and abs(value) < _MAX_NUMBER else None
        case _:
            return None


Formats = tuple[dict[str, Any] | None, ...]


def formats_of(name: str, schema: dict[str, Any]) -> Formats:
    """Return the formats to ask for, from the strictest to plain text, which every server takes."""
    named = {"name": name, "strict": True, "schema": schema}
    return ({"type": "json_schema", "json_schema": named}, {"type": "json_object"}, None)


FORMATS = formats_of("plot_extraction", json_schema())
FLOOR_FORMATS = formats_of("plot_extraction", json_schema(of_floors=True))
REPAIR = """Your answer cannot be used. What is wrong with it:
{faults}

Answer again: the whole JSON object {{"events": [...]}}, corrected, complete, in the language of \
the story, and nothing else."""
_MAX_ECHO = 12_000  # characters of the bad answer sent back
_FORMAT_REFUSED = {400, 404, 415, 422, 500, 501}


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the model extracted from one block; neither events nor warnings: nothing to remember.

    ``floors`` are those that each event gives for itself, where it does.
    """

    events: tuple[PlotExtraction, ...]
    floors: tuple[Span | None, ...]
    warnings: tuple[Fault, ...]
    raw: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class _Reading:
    answer: ChatAnswer
    events: tuple[PlotExtraction, ...]
    floors: tuple[Span | None, ...]
    faults: tuple[Fault, ...]
    is_json: bool
    is_half: bool

    @property
    def is_usable(self) -> bool:
        """Whether it is whole, and holds events or validly says that there are none.

        Half an answer covers only some of the floors: if stored, it would count as covering all.
        """
        return not self.is_half and (bool(self.events) or (self.is_json and not self.faults))


async def extract(
    session: RequestSession, messages: Sequence[ChatMessage], **options: Any
) -> Extraction:
    """Ask once, and once more with all faults listed if the answer cannot be used.

    A truncated answer cannot be used, whatever finish reason the server gives. Raises LlmError;
    BadAnswer carries the raw answer.
    """
    first = _read(await ask_json(session, messages, **options))
    readings = [first]
    if not first.is_usable or first.answer.is_cut:
        with_faults = [*messages, *_repair(first)]
        readings.append(_read(await ask_json(session, with_faults, **options)))
    best = _best(readings)
    if not best.is_usable:
        longest = max((r.answer.text for r in readings), key=len) if best.is_half else ""
        raw = longest or best.answer.text or first.answer.text
        raise BadAnswer(_in_words(best.faults), raw=raw)
    return Extraction(
        events=best.events,
        floors=best.floors,
        warnings=best.faults,
        raw=best.answer.text,
        calls=len(readings),
        prompt_tokens=sum(r.answer.prompt_tokens for r in readings),
        completion_tokens=sum(r.answer.completion_tokens for r in readings),
    )


async def ask_json(
    session: RequestSession,
    messages: Sequence[ChatMessage],
    formats: Formats = FORMATS,
    **options: Any,
) -> ChatAnswer:
    """Ask in the strictest format the server takes; a refused format is not tried again.

    A format counts as refused only if a looser one is then answered: otherwise the first error is
    raised.
    """
    learned = session.client.learned
    refused: list[str] = []
    last_error: ServerError | None = None
    for response_format in formats:
        kind = response_format["type"] if response_format else "text"
        if kind in learned:
            continue
        try:
            extra: dict[str, Any] = {"response_format": response_format} if response_format else {}
            answer = await session.chat(messages, **extra, **options)
        except TooLong:  # in any format
            raise
        except ServerError as error:
            if response_format is None or error.params.get("status") not in _FORMAT_REFUSED:
                raise last_error or error from None
            last_error = last_error or error
            refused.append(kind)
        else:
            learned.update(refused)
            return answer
    raise AssertionError("unreachable: the last format returns or raises")


def accept_answer(text: str) -> Parsed:
    """Return the events of an answer, possibly mended by hand. Raises BadAnswer.

    Half an answer is accepted for what it holds: the user decides that it is enough.
    """
    reading = _read(ChatAnswer(text, False, 0, 0))
    if not reading.events and (reading.faults or not reading.is_json):
        raise BadAnswer(_in_words(reading.faults), raw=text)
    return Parsed(reading.events, reading.faults, reading.floors)


def _read(answer: ChatAnswer) -> _Reading:
    """Read an answer tolerantly: its events and every fault."""
    loose = read_json(answer.text)
    faults = list(loose.faults) if answer.text.strip() else [Fault("$", "the answer is empty")]
    parsed = Parsed((), ())
    if loose.value is not None:
        parsed = parse_extraction(loose.value)
        faults += parsed.faults
    if answer.is_cut:
        faults.append(Fault("$", "the answer was cut off at the token limit; be much shorter"))
    return _Reading(
        answer, parsed.events, parsed.floors, tuple(faults), loose.value is not None, loose.is_half
    )


def _best(readings: list[_Reading]) -> _Reading:
    """Prefer a usable reading, then a complete one, then the later one."""
    return max(
        enumerate(readings),
        key=lambda nr: (nr[1].is_usable, not nr[1].is_half, not nr[1].answer.is_cut, nr[0]),
    )[1]


def _repair(reading: _Reading) -> list[ChatMessage]:
    fault_lines = "\n".join(f"- {fault}" for fault in reading.faults)
    echo: list[ChatMessage] = []
    if reading.answer.text.strip():
        echo.append({"role": "assistant", "content": reading.answer.text[:_MAX_ECHO]})
    return [*echo, {"role": "user", "content": REPAIR.format(faults=fault_lines)}]


def _in_words(faults: Sequence[Fault]) -> str:
    shown = "; ".join(str(fault) for fault in faults[:5])
    return f"{shown}; …" if len(faults) > 5 else shown
