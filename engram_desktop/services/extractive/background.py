"""What is known of a whole chat before a block of it is summarised.

How common each word is, who speaks, who is named, and which day it is when: read once, from a
sample if the chat is long, so that 100,000 messages take seconds.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engram_desktop.domain.entity import is_entity_name
from engram_desktop.domain.message import Message
from engram_desktop.services.cleaning import clean
from engram_desktop.services.extractive.names import (
    called,
    english_kind,
    english_names,
    is_chinese_name,
)
from engram_desktop.services.extractive.times import opening_anchor
from engram_desktop.services.extractive.words import Cutter, Word
from engram_desktop.services.prompts import Language, language_of

_SAMPLE = 4_000
_SHE_HE = re.compile(r"^[*（(]?\s*([她他它])", re.MULTILINE)
_MIN_MENTIONS = 3


@dataclass(frozen=True, slots=True)
class Background:
    """Facts about one chat. Built by `background`, read by `extract`."""

    language: Language
    total: int  # messages counted
    frequency: Counter[str]  # in how many of them a word stands
    compounds: Counter[str]  # and two nouns side by side, such as 铜钥匙
    speakers: frozenset[str]
    user: str
    named: dict[str, str]  # name found in the text → char or loc
    pronoun: dict[str, str]  # speaker → 她 or 他, as their own narration says
    days: tuple[tuple[int, str], ...]  # (floor, day set there), in order
    cutter: Cutter

    @property
    def people(self) -> set[str]:
        """Everybody with a name, speaking or spoken of."""
        return {n for n in self.speakers if is_entity_name(n)} | {
            name for name, kind in self.named.items() if kind == "char"
        }

    def weight(self, key: str) -> float:
        """Say how much a word tells: the rarer in this chat, the more."""
        return math.log((1 + self.total) / (1 + self.frequency[key]))

    def day_at(self, floor: int) -> str:
        """Return the day the story has reached at ``floor``, if it ever says."""
        at = bisect_right(self.days, floor, key=lambda day: day[0])
        return self.days[at - 1][1] if at else ""


def background(messages: Sequence[Message]) -> Background:
    """Read through a chat."""
    told = [m for m in messages if not is_notice(m)]
    sample = told[:: max(1, math.ceil(len(told) / _SAMPLE))]
    texts = [clean(m.text) for m in sample]
    speakers = Counter(m.name for m in told if m.role != "system" and m.name)
    users = Counter(m.name for m in told if m.role == "user")
    language = language_of(texts)
    introduced = {name for text in texts for name in called(text)}
    cutter = Cutter([*(n for n in speakers if is_entity_name(n)), *introduced])
    words = [cutter.words(text) for text in texts]
    named = _named(words, speakers, introduced)
    if language == "zh" and named:
        cutter = Cutter([*(n for n in speakers if is_entity_name(n)), *introduced, *named])
    frequency: Counter[str] = Counter()
    compounds: Counter[str] = Counter()
    for row in words:
        frequency.update({word.key for word in row if word.is_content})
        compounds.update(set(noun_pairs(row)))
    return Background(
        language=language,
        total=len(sample),
        frequency=frequency,
        compounds=compounds,
        speakers=frozenset(speakers),
        user=users.most_common(1)[0][0] if users else "",
        named=named,
        pronoun=_pronouns(sample),
        days=tuple(_days(told)),
        cutter=cutter,
    )


def is_notice(message: Message) -> bool:
    """Whether it is the program's own line, not a part of the story."""
    return message.role == "system" and message.is_hidden


def noun_pairs(words: Sequence[Word]) -> Iterable[str]:
    """Two or three nouns side by side: the names that things have in this story."""
    for first, second in zip(words, words[1:], strict=False):
        if first.tag in {"n", "nz", "b", "a"} and second.tag in {"n", "nz"}:
            pair = first.text + second.text
            if 3 <= len(pair) <= 6 and (len(first.text) > 1 or first.tag == "n"):
                yield pair


def _named(
    words: Sequence[Sequence[Word]], speakers: Iterable[str], introduced: Iterable[str]
) -> dict[str, str]:
    known = set(speakers)
    found: dict[str, str] = {name: "char" for name in introduced if name not in known}
    chinese: Counter[str] = Counter()
    english: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in words:
        chinese.update({w.text for w in row if w.tag.startswith("nr") and is_chinese_name(w)})
        if any(word.tag == "En" for word in row):
            for name, before, after in english_names(row):
                english[name][before, after] += 1
    for name, count in chinese.items():
        if count >= _MIN_MENTIONS and name not in known:
            found[name] = "char"
    for name, contexts in english.items():
        kind = english_kind(contexts)
        if kind and name not in known and contexts.total() >= 2:
            found[name] = kind
    return found


def _pronouns(messages: Iterable[Message]) -> dict[str, str]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        if message.role == "assistant":
            counts[message.name].update(_SHE_HE.findall(message.text[:2000]))
    return {name: found.most_common(1)[0][0] for name, found in counts.items() if found}


def _days(messages: Iterable[Message]) -> Iterable[tuple[int, str]]:
    for message in messages:
        if message.role != "user" and (day := opening_anchor(message.text[:200])):
            yield message.seq, day
