"""Get PlotExtraction out of a model: ask by schema, read tolerantly, name every fault once.

Never returns invented content: an answer that stays unusable raises BadAnswer with what was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import BadAnswer, ServerError
from engram_desktop.domain.memory.extraction import (
    Fault,
    Parsed,
    PlotExtraction,
    Span,
    json_schema,
    parse_extraction,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.answers.loose_json import read_json
from engram_desktop.llm.client.client import ChatAnswer, ChatMessage

if TYPE_CHECKING:
    from engram_desktop.llm.client.session import Session

Formats = tuple[dict[str, Any] | None, ...]


def formats_of(name: str, schema: dict[str, Any]) -> Formats:
    """Ways to ask for an answer of ``schema``, from the strictest to what every server takes."""
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
    """What the model made of one block. No events and no warnings: nothing worth remembering.

    ``floors`` are those each event says it tells of, where it says so.
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
        """Whether it is whole and holds events, or soundly says that there are none.

        What is left of half an answer tells a part of the floors: stored, it would count as all.
        """
        return not self.is_half and (bool(self.events) or (self.is_json and not self.faults))


async def extract(session: Session, messages: Sequence[ChatMessage], **options: Any) -> Extraction:
    """Ask once, and once more with all faults listed if the answer cannot be used.

    An answer that stops in its middle cannot, whatever the server says of its end. Raises
    LlmError; BadAnswer carries the raw answer.
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
    for response_format in formats:
        kind = response_format["type"] if response_format else "text"
        if kind in learned:
            continue
        try:
            extra: dict[str, Any] = {"response_format": response_format} if response_format else {}
            answer = await session.chat(messages, **extra, **options)
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
    """Return the events of an answer, perhaps mended by hand. Raises BadAnswer.

    Half an answer is taken for what it holds: it is the user who says that it is enough.
    """
    reading = _read(ChatAnswer(text, False, 0, 0))
    if not reading.events and (reading.faults or not reading.is_json):
        raise BadAnswer(_in_words(reading.faults), raw=text)
    return Parsed(reading.events, reading.faults, reading.floors)


def _read(answer: ChatAnswer) -> _Reading:
    """Read what a model said, tolerantly: its events and every fault."""
    loose = read_json(answer.text)
    faults = list(loose.faults) if answer.text.strip() else [Fault("$", "the answer is empty")]
    parsed = Parsed((), ())
    if loose.value is not None:
        parsed = parse_extraction(loose.value)
        faults += parsed.faults
    if answer.is_cut:
        faults.append(Fault("$", "the answer was cut off at the token limit; be much shorter"))
    return _Reading(
        answer,
        parsed.events,
        parsed.floors,
        tuple(faults),
        loose.value is not None,
        loose.is_half,
    )


def _best(readings: list[_Reading]) -> _Reading:
    """Prefer what is usable, then what is complete, then the later one."""
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
