"""Choose the few sentences and quotes (units) that summarise a scene.

Weighs how central a unit is to its scene, how rare its words are, and signs of something worth
remembering: a promise, a secret, a gift, a reason. Units with the same content are taken once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from engram_desktop.domain.claims.attribution import Attribution, Attributions, SaidBy
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.pipeline.outline import (
    acts,
    by_coverage,
    cues,
    has_number,
    is_question,
    is_reaction,
    names_pattern,
    telling_words,
)
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.text.scene_heading import scene_heading, without_heading
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.background import Background, as_played
from engram_desktop.services.extractive.words import CutWord, Unit, units


class Vector(dict[str, float]):
    """Word weights; the length is computed once, when the vector is complete."""

    _length: float | None = None

    @property
    def length(self) -> float:
        if self._length is None:
            self._length = sum(value * value for value in self.values()) ** 0.5 or 1.0
        return self._length


@dataclass(frozen=True, slots=True)
class PickedQuote:
    """One unit of a message, with its weight."""

    unit: Unit
    position: int  # of its message in the block
    order: int  # position among all units of the block
    words: list[CutWord]
    vector: Vector


@dataclass(frozen=True, slots=True)
class CutMessage:
    """One message of a block."""

    source: Message
    text: str
    quotes: list[PickedQuote]
    vector: Vector
    attribution: Attribution | None = None
    is_narrated: bool = False  # its sender is a narrator card
    place: str = ""  # place in its heading, or in the last heading before it

    @property
    def is_narrator(self) -> bool:
        return self.source.role == "system" or self.is_narrated

    def said(self, sentence: str) -> SaidBy:
        """Return the attribution of one of its sentences."""
        if self.attribution is not None:
            return self.attribution.of(sentence)
        return SaidBy("said", "" if self.is_narrated else self.source.name)

    @property
    def speakers(self) -> list[str]:
        """Return its speakers, in the order of the text."""
        if self.attribution is not None and self.attribution.speakers:
            return self.attribution.speakers
        return [] if self.is_narrator else [self.source.name]


def cut_messages(
    messages: Sequence[Message], background: Background, who: Attributions | None = None
) -> list[CutMessage]:
    """Clean, cut and weigh every message of the story; ``who`` attributes the speech."""
    block: list[CutMessage] = []
    order = 0
    place = ""
    for given in messages:
        if given.is_untold:
            continue
        message = as_played(given, background.plays)
        heading = scene_heading(message.text)
        text = clean(message.text, background.rules)
        text, _told = without_heading(text, heading.day)  # the event has time and place
        place = heading.where or place
        quotes: list[PickedQuote] = []
        whole: Counter[str] = Counter()
        narrator = message.role == "system"
        attribution = who.by_message.get(message.id) if who is not None else None
        attribution = attribution.within(message.text) if attribution is not None else None
        for unit in units(
            text,
            is_narrator=narrator,
            language=background.language,
            name=message.name,
            is_prose=message.name in background.prose or message.seq == 0,
            marks_speech=message.name in background.prose,
        ):
            if attribution is not None and not attribution.is_story(unit.text):
                continue
            words = background.cutter.words(unit.text)
            counts = Counter(word.key for word in words if word.is_content)
            whole.update(counts)
            quotes.append(PickedQuote(unit, len(block), order, words, _weighed(counts, background)))
            order += 1
        vector = _weighed(whole, background)
        is_narrated = message.name in background.narrators
        block.append(CutMessage(message, text, quotes, vector, attribution, is_narrated, place))
    return block


def _weighed(counts: Counter[str], background: Background) -> Vector:
    return Vector((key, background.weight(key) * (1 + 0.5 * (n - 1))) for key, n in counts.items())


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; 0 if one is empty."""
    if not one or not other:
        return 0.0
    small, large = (one, other) if len(one) < len(other) else (other, one)
    dot = sum(value * large.get(key, 0.0) for key, value in small.items())
    return dot / (one.length * other.length) if dot else 0.0


def total(vectors: Sequence[Vector]) -> Vector:
    """Return the sum of ``vectors``."""
    result = Vector()
    for vector in vectors:
        for key, value in vector.items():
            result[key] = result.get(key, 0.0) + value
    return result


_YOU = re.compile(r"[你您]|\byou(?:r|'re|'ve|'ll)?\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"我|\bI(?:'m|'ve|'d|'ll)?\b|\b[Mm]y\b")
_CITED = re.compile("[‘『《]|[A-Z]{2,}")
REPORTED = 4  # tokens of naming the speaker of a unit


def weigh(quote: PickedQuote, middle: Vector, background: Background) -> float:
    """Return the weight of ``quote`` among the others of its scene.

    The weights are set by hand: centrality and rare words count most, signs of something worth
    remembering up to a fifth each; gestures and questions count half. Not measured one by one.
    """
    unit = quote.unit
    is_zh = background.language == "zh"
    size = len(unit.text) / (1.0 if is_zh else 2.6)
    if not quote.vector or size < 5:
        return 0.0
    telling = sum(sorted(quote.vector.values(), reverse=True)[:8]) / 32
    score = cosine(quote.vector, middle) + telling + 0.2 * min(cues(unit.text, is_zh=is_zh), 3)
    score += 0.12 * has_number(unit.text)
    score += 0.1 * unit.is_speech + 0.1 * bool(_CITED.search(unit.text))
    score += 0.06 * (unit.is_speech and bool(_FIRST_PERSON.search(unit.text)))
    score += 0.10 * any(word.text in background.named for word in quote.words)
    if unit.is_aside:
        score *= 0.45
    if not unit.is_speech:
        score *= acts(unit.text, is_zh=is_zh)
    if is_question(unit.text):
        score *= 0.45
    if unit.is_speech and is_reaction(unit.text):
        score *= 0.7
    if unit.is_speech and len(_YOU.findall(unit.text)) > 2:
        score *= 0.7  # more about the other person than about the event
    return score * min(1.0, 0.45 + size / 36)


def pick(
    quotes: Sequence[PickedQuote], scores: Sequence[float], background: Background, count: int
) -> list[int]:
    """Return the positions in ``quotes`` with the most content per token, best first."""
    names = names_pattern(background.people)
    words = [telling_words(names.sub(" ", quote.unit.text)) for quote in quotes]
    costs = [estimate_tokens(quote.unit.text) + REPORTED for quote in quotes]
    order = by_coverage(words, lambda n: scores[n] / costs[n])
    return list(islice((n for n in order if scores[n] > 0), count))
