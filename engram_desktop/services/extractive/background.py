"""What is known of a whole chat before a block of it is summarised.

How common each word is, who speaks, who is named, and which day it is when: read once, from a
sample if the chat is long, so that 100,000 messages take seconds.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engram_desktop.domain.message import Message
from engram_desktop.domain.naming import is_entity_name
from engram_desktop.services.cleaning import ALL_RULES, clean
from engram_desktop.services.extractive.names import (
    Gazetteer,
    called,
    english_kind,
    english_names,
    is_place,
    persons,
)
from engram_desktop.services.extractive.things import handled
from engram_desktop.services.extractive.times import any_day, opening_day
from engram_desktop.services.extractive.words import Cutter, Word
from engram_desktop.services.native import Native
from engram_desktop.services.prompts import Language, language_of

_SAMPLE = 4_000
_SHE_HE = re.compile(r"^[*（(]?\s*([她他它])", re.MULTILINE)
_MIN_MENTIONS = 3
_DAY_LASTS = 60  # floors after which nobody knows what day it is


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
    things: frozenset[str]  # objects that change hands more than once
    pronoun: dict[str, str]  # speaker → 她 or 他, as their own narration says
    days: tuple[tuple[int, str], ...]  # (floor, day and hour set there), in order
    cutter: Cutter
    rules: frozenset[str] = ALL_RULES  # of `cleaning`, that messages go through

    @property
    def gazetteer(self) -> Gazetteer:
        return Gazetteer(self.people, self.frequency, self.compounds, self.cutter)

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
        if not at or floor - self.days[at - 1][0] > _DAY_LASTS:
            return ""
        return self.days[at - 1][1]


def background(messages: Sequence[Message], native: Native | None = None) -> Background:
    """Read through a chat; what stands for all of it goes through ``native`` first."""
    told = [m for m in messages if not is_notice(m)]
    sample: Sequence[Message] = told[:: max(1, math.ceil(len(told) / _SAMPLE))]
    rules = ALL_RULES
    if native is not None:
        sample, rules = native.told(sample), native.rules
    texts = [clean(m.text, rules) for m in sample]
    speakers = Counter(m.name for m in told if m.role != "system" and m.name)
    users = Counter(m.name for m in told if m.role == "user")
    language = language_of(texts)
    introduced = dict.fromkeys(name for text in texts for name in called(text))
    cutter = Cutter([*(n for n in speakers if is_entity_name(n)), *introduced])
    words = [cutter.words(text) for text in texts]
    named = _named(words, speakers, introduced)
    if language == "zh" and named:
        cutter = Cutter([*(n for n in speakers if is_entity_name(n)), *introduced, *named])
    frequency: Counter[str] = Counter()
    compounds: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for row in words:
        taken.update(set(handled(row)))
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
        things=_things(taken, texts, set(named) | set(speakers)),
        pronoun=_pronouns(sample),
        days=tuple(_days(told)),
        cutter=cutter,
        rules=rules,
    )


def is_notice(message: Message) -> bool:
    """Whether it is the program's own line, not a part of the story."""
    return message.role == "system" and message.is_hidden


def noun_pairs(words: Sequence[Word]) -> Iterable[str]:
    """Two or three nouns side by side: the names that things have in this story."""
    for first, second in pairwise(words):
        is_thing = first.tag in {"n", "nz", "b", "a"} and second.tag in {"n", "nz"}
        if is_thing or (first.tag.startswith("n") and is_place(second)):
            pair = first.text + second.text
            if 3 <= len(pair) <= 6 and (len(first.text) > 1 or first.tag == "n"):
                yield pair


def _named(
    words: Sequence[Sequence[Word]], speakers: Iterable[str], introduced: Iterable[str]
) -> dict[str, str]:
    known = set(speakers)
    found: dict[str, str] = {name: "char" for name in introduced if name not in known}
    chinese: Counter[str] = Counter()
    acting: Counter[str] = Counter()
    english: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in words:
        for word, is_acting in persons(row):
            chinese[word] += 1
            acting[word] += is_acting
        if any(word.tag == "En" for word in row):
            for name, before, after in english_names(row):
                english[name][before, after] += 1
    for name, count in chinese.items():
        is_person = acting[name] * 3 >= count and acting[name] >= 2
        if count >= _MIN_MENTIONS and is_person and name not in known:
            found[name] = "char"
    for name, contexts in english.items():
        kind = english_kind(contexts)
        if kind and name not in known and contexts.total() >= 2:
            found[name] = kind
    return found


def _things(taken: Counter[str], texts: Sequence[str], people: set[str]) -> frozenset[str]:
    """Keep what is taken twice and named more often; 钥匙 gives way to 铜钥匙."""
    found = {
        name
        for name, count in taken.items()
        if count >= 2 and name not in people and sum(name in text for text in texts) >= 3
    }
    return frozenset(
        name for name in found if not any(o != name and o.endswith(name) for o in found)
    )


def _pronouns(messages: Iterable[Message]) -> dict[str, str]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        if message.role == "assistant":
            counts[message.name].update(_SHE_HE.findall(message.text[:2000]))
    return {name: found.most_common(1)[0][0] for name, found in counts.items() if found}


def _days(messages: Iterable[Message]) -> Iterator[tuple[int, str]]:
    """Yield where a day or an hour begins. Numbered days only go on."""
    today = ""
    for message in messages:
        if message.role == "user" and today:
            continue
        day, hour = opening_day(message.text[:200])
        if not day and message.seq == 0:
            day, hour = any_day(message.text[:600])
        if day and _count(day) < _count(today):
            continue
        today = day or today
        if today and (day or hour):
            yield message.seq, f"{today} {hour}".strip()


def _count(day: str) -> int:
    digits = re.search(r"第(\d+)", day)
    return int(digits[1]) if digits else 0
