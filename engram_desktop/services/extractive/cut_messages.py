"""Cut the messages of a block into weighed units: what all that follows works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.words.cutting import Word
from engram_desktop.services.extractive.words.spans import Unit, units
from engram_desktop.services.prompts.cleaning import clean

Vector = dict[str, float]


@dataclass(frozen=True, slots=True)
class Quote:
    """One unit of a message, with what it weighs."""

    unit: Unit
    position: int  # of its message in the block
    order: int  # position among all units of the block
    words: list[Word]
    vector: Vector


@dataclass(frozen=True, slots=True)
class CutMessage:
    """One message of a block."""

    source: Message
    text: str
    quotes: list[Quote]
    vector: Vector

    @property
    def is_narrator(self) -> bool:
        return self.source.role == "system"


def cut_messages(messages: Sequence[Message], background: Background) -> list[CutMessage]:
    """Clean, cut and weigh every message that belongs to the story."""
    block: list[CutMessage] = []
    order = 0
    for message in messages:
        if message.is_untold:
            continue
        text = clean(message.text, background.rules)
        quotes: list[Quote] = []
        whole: Counter[str] = Counter()
        narrator = message.role == "system"
        for unit in units(
            text,
            is_narrator=narrator,
            language=background.language,
            name=message.name,
            is_prose=message.name in background.prose or message.seq == 0,
            marks_speech=message.name in background.prose,
        ):
            words = background.cutter.words(unit.text)
            counts = Counter(word.key for word in words if word.is_content)
            whole.update(counts)
            quotes.append(Quote(unit, len(block), order, words, _weighed(counts, background)))
            order += 1
        block.append(CutMessage(message, text, quotes, _weighed(whole, background)))
    return block


def _weighed(counts: Counter[str], background: Background) -> Vector:
    return {key: background.weight(key) * (1 + 0.5 * (n - 1)) for key, n in counts.items()}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; 0 where one is empty."""
    if not one or not other:
        return 0.0
    small, large = (one, other) if len(one) < len(other) else (other, one)
    dot = sum(value * large.get(key, 0.0) for key, value in small.items())
    return dot / (length(one) * length(other)) if dot else 0.0


def length(vector: Vector) -> float:
    return sum(value * value for value in vector.values()) ** 0.5 or 1.0


def total(vectors: Sequence[Vector]) -> Vector:
    """Return the sum of ``vectors``."""
    result: Vector = {}
    for vector in vectors:
        for key, value in vector.items():
            result[key] = result.get(key, 0.0) + value
    return result
