"""Get PlotExtraction out of a model: ask by schema, read tolerantly, name every fault once.

Never returns invented content: an answer that stays unusable raises BadAnswer with what was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import BadAnswer, ServerError
from engram_desktop.domain.extraction import (
    Fault,
    PlotExtraction,
    json_schema,
    parse_extraction,
)
from engram_desktop.llm.client import ChatAnswer, ChatMessage
from engram_desktop.llm.loose_json import read_json

if TYPE_CHECKING:
    from engram_desktop.llm.session import Session

Formats = tuple[dict[str, Any] | None, ...]


def formats_of(name: str, schema: dict[str, Any]) -> Formats:
    """Ways to ask for an answer of ``schema``, from the strictest to what every server takes."""
    named = {"name": name, "strict": True, "schema": schema}
    return ({"type": "json_schema", "json_schema": named}, {"type": "json_object"}, None)


FORMATS = formats_of("plot_extraction", json_schema())
REPAIR = """Your answer cannot be used. What is wrong with it:
{faults}

Answer again: the whole JSON object {{"events": [...]}}, corrected, complete, in the language of \
the story, and nothing else."""
_MAX_ECHO = 12_000  # characters of the bad answer sent back
_FORMAT_REFUSED = {400, 404, 415, 422, 500, 501}


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the model made of one block. No events and no warnings: nothing worth remembering."""

    events: tuple[PlotExtraction, ...]
    warnings: tuple[Fault, ...]
    raw: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class _Reading:
    answer: ChatAnswer
    events: tuple[PlotExtraction, ...]
    faults: tuple[Fault, ...]
    is_json: bool

    @property
    def is_usable(self) -> bool:
        """Whether it holds events, or soundly says that there are none."""
        return bool(self.events) or (self.is_json and not self.faults)


async def extract(session: Session, messages: Sequence[ChatMessage], **options: Any) -> Extraction:
    """Ask once, and once more with all faults listed if the answer cannot be used.

    Raises LlmError; BadAnswer carries the raw answer.
    """
    first = _read(await ask_json(session, messages, **options))
    readings = [first]
    if not first.is_usable or first.answer.is_cut:
        again = [*messages, *_repair(first)]
        readings.append(_read(await ask_json(session, again, **options)))
    best = _best(readings)
    if not best.is_usable:
        raise BadAnswer(_in_words(best.faults), raw=best.answer.text or first.answer.text)
    return Extraction(
        events=best.events,
        warnings=best.faults,
        raw=best.answer.text,
        calls=len(readings),
        prompt_tokens=sum(r.answer.prompt_tokens for r in readings),
        completion_tokens=sum(r.answer.completion_tokens for r in readings),
    )


async def ask_json(
    session: Session,
    messages: Sequence[ChatMessage],
    formats: Formats = FORMATS,
    **options: Any,
) -> ChatAnswer:
    """Ask in the strictest format the server takes; what it refuses is not tried again.

    A format counts as refused only when a looser one is then answered: any other error stays what
    it is.
    """
    learned = session.client.learned
    refused: list[str] = []
    last_error: ServerError | None = None
    for wanted in formats:
        kind = wanted["type"] if wanted else "text"
        if kind in learned:
            continue
        try:
            extra = {"response_format": wanted} if wanted else {}
            answer = await session.chat(messages, **extra, **options)
        except ServerError as error:
            if wanted is None or error.params.get("status") not in _FORMAT_REFUSED:
                raise last_error or error from None
            last_error = last_error or error
            refused.append(kind)
        else:
            learned.update(refused)
            return answer
    raise AssertionError("unreachable: the last format returns or raises")


def read_answer(text: str) -> tuple[tuple[PlotExtraction, ...], tuple[Fault, ...], bool]:
    """Read what a model said, tolerantly: its events, every fault, and whether it is JSON."""
    loose = read_json(text)
    if not text.strip():
        return (), (Fault("$", "the answer is empty"),), False
    if loose.value is None:
        return (), tuple(loose.faults), False
    parsed = parse_extraction(loose.value)
    return parsed.events, (*loose.faults, *parsed.faults), True


def accept_answer(text: str) -> tuple[PlotExtraction, ...]:
    """Return the events of an answer, perhaps mended by hand. Raises BadAnswer."""
    events, faults, is_json = read_answer(text)
    if not events and (faults or not is_json):
        raise BadAnswer(_in_words(faults), raw=text)
    return events


def _read(answer: ChatAnswer) -> _Reading:
    events, read, is_json = read_answer(answer.text)
    faults = list(read)
    if answer.is_cut:
        faults.append(Fault("$", "the answer was cut off at the token limit; be much shorter"))
    return _Reading(answer, events, tuple(faults), is_json)


def _best(readings: list[_Reading]) -> _Reading:
    """Prefer what is usable, then what is complete, then the later one."""
    return max(
        enumerate(readings), key=lambda nr: (nr[1].is_usable, not nr[1].answer.is_cut, nr[0])
    )[1]


def _repair(bad: _Reading) -> list[ChatMessage]:
    listed = "\n".join(f"- {fault}" for fault in bad.faults)
    echo: list[ChatMessage] = []
    if bad.answer.text.strip():
        echo.append({"role": "assistant", "content": bad.answer.text[:_MAX_ECHO]})
    return [*echo, {"role": "user", "content": REPAIR.format(faults=listed)}]


def _in_words(faults: Sequence[Fault]) -> str:
    shown = "; ".join(str(fault) for fault in faults[:5])
    return f"{shown}; …" if len(faults) > 5 else shown
