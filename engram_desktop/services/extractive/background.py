"""Facts about a whole chat, read before its blocks are summarised without a model.

Word frequencies, speakers, names and story days are read once, from a sample if the chat is long,
so that 100,000 messages take seconds.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice, pairwise

from engram_desktop.domain.claims.subjects import gender_of_title
from engram_desktop.domain.graph.entity import EntityType, is_entity_name
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.cleaning import ALL_RULES, clean, is_page, prose_of, story
from engram_desktop.domain.text.scene_heading import scene_heading
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.names import Gazetteer, called, is_place
from engram_desktop.services.extractive.people import (
    capitals,
    handled,
    named_in,
    nicknames_en,
    other_forms,
    said_names,
    short_names_zh,
    tag_of,
    told_aliases,
    wholes,
    without_pieces,
)
from engram_desktop.services.extractive.words import (
    Cutter,
    CutWord,
    any_day,
    base_of,
    is_english,
    opening_day,
)
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.prompts.prompts import Language, language_of, tongue_of

_SAMPLE = 4_000  # messages read of a long chat, spread over it: bounds the time; not measured
_SHE_HE = re.compile(
    r"[*（(]\s*(?:([她他它])|(She|He)\b)|(?:^|[”」]|\"(?=\s))\s*(?:([她他它])|(She|He)\b)",
    re.MULTILINE,
)
_SPOKEN = re.compile('[“「"][^“”「」"\n]{2,}[”」"]')
_PAGES = 0.2  # share of an assistant's messages that are pages: .43 and more in BEAM, 0 in stories
_DAY_LASTS = 60  # floors after which a story day is no longer known


@dataclass(frozen=True, slots=True)
class Background:
    """Facts about one chat. Built by `background`, read by `extract`."""

    language: Language
    is_zh_or_en: bool  # in other languages, narration is quoted as it is, too
    total: int  # messages counted
    frequency: Counter[str]  # number of messages that contain a word
    compounds: Counter[str]  # the same for two adjacent nouns, such as 铜钥匙
    speakers: frozenset[str]
    user: str
    named: dict[str, str]  # name found in the text → char or loc
    things: frozenset[str]  # objects that change hands more than once
    nouns: Counter[str]  # English words used as nouns, and how often
    capitals: frozenset[str]  # English words capitalised inside sentences
    pronoun: dict[str, str]  # speaker → 她 or he, from their own narration
    prose: frozenset[str]  # speakers who put speech in quotation marks
    days: tuple[tuple[int, str], ...]  # (floor, day and hour set there), in order
    cutter: Cutter
    rules: frozenset[str] = ALL_RULES  # rules of `cleaning` that are applied to messages
    narrators: frozenset[str] = frozenset()  # cards that are narrators, not characters
    plays: Mapping[str, str] = field(default_factory=dict)  # card → the one person it plays
    forms: Mapping[str, str] = field(default_factory=dict)  # other form of a name → name
    # all people with a name, speaking or mentioned; read often
    people: frozenset[str] = field(init=False)
    speaker_names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        names = {n for n in self.speakers - self.narrators if is_entity_name(n)}
        named = {name for name, kind in self.named.items() if kind == "char"}
        object.__setattr__(self, "people", frozenset(names | named | set(self.forms)))
        object.__setattr__(self, "speaker_names", tuple(name for name in self.speakers if name))

    @property
    def gazetteer(self) -> Gazetteer:
        return Gazetteer(self.people, self.frequency, self.compounds, self.cutter.knows)

    def weight(self, key: str) -> float:
        """Return the weight of a word: the rarer in this chat, the higher."""
        return math.log((1 + self.total) / (1 + self.frequency[key]))

    def also_called(self, name: str, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the other forms of a person's name in some texts."""
        forms = [form for form, of in self.forms.items() if of == name]
        return tuple(form for form in forms if any(form in text for text in texts))

    def day_at(self, floor: int) -> str:
        """Return the story day at ``floor``; empty if it is unknown."""
        at = bisect_right(self.days, floor, key=lambda day: day[0])
        if not at or floor - self.days[at - 1][0] > _DAY_LASTS:
            return ""
        return self.days[at - 1][1]


@dataclass(frozen=True, slots=True)
class _WordCounts:
    """Word counts of a chat, each word counted once per message except in ``nouns``."""

    frequency: Counter[str] = field(default_factory=Counter)
    compounds: Counter[str] = field(default_factory=Counter)
    handled: Counter[str] = field(default_factory=Counter)
    nouns: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, messages: Iterable[Sequence[CutWord]]) -> _WordCounts:
        counts = cls()
        for words in messages:
            counts.handled.update(set(handled(words)))
            counts.frequency.update({word.key for word in words if word.is_content})
            counts.compounds.update(set(noun_pairs(words)))
            counts.nouns.update(noun_heads(words))
        return counts


def background(
    messages: Iterable[Message],
    native: Native | None = None,
    names: Mapping[str, EntityType] | None = None,
    narrators: frozenset[str] = frozenset(),
    genders: Mapping[str, str] | None = None,
    plays: Mapping[str, str] | None = None,
) -> Background:
    """Read a chat; texts that represent it as a whole pass through ``native`` first.

    ``narrators`` are cards that are narrators, not characters; ``genders`` give ``m`` or ``f`` by
    person, ``plays`` the person whom a card plays under another name. ``names`` are known from
    elsewhere: cards, worldbooks, the user's entities. ``messages`` is iterated several times.
    """
    messages = _Story(messages, plays or {})
    sample, speakers, users = _sampled(messages)
    rules = ALL_RULES if native is None else native.rules
    sample = sample if native is None else native.as_sent(sample)
    texts = [clean(m.text, rules) for m in sample]
    language, tongue = language_of(texts), tongue_of(texts)
    introduced = dict.fromkeys(name for text in texts for name in called(text))
    cutter = Cutter()
    used_names = said_names(names or {}, texts, cutter)
    tags = {name: tag_of(name, kind) for name, kind in used_names.items()}
    tags |= dict.fromkeys([*(n for n in speakers if is_entity_name(n)), *introduced], "nr")
    cutter.add(tags)
    words = [cutter.words(text) for text in texts]
    if language == "zh" and (whole_names := wholes(words)):
        tags = whole_names | tags
        cutter.add(whole_names)
        words = [
            cutter.words(text) if any(name in text for name in whole_names) else message_words
            for text, message_words in zip(texts, words, strict=True)
        ]
    told, are_pages = _told(sample, texts, words, cutter)
    named = named_in(told, speakers, introduced, tags, is_page=are_pages)
    named = without_pieces(named, texts, speakers) if language == "zh" else named
    items = {name for name, kind in named.items() if kind == "item"}
    items |= {name for name, kind in used_names.items() if kind == "item" and len(name) > 1}
    named = {name: kind for name, kind in named.items() if kind != "item"}
    for name, kind in used_names.items():
        if kind in {"char", "loc"} and name not in speakers:
            named[name] = kind
    persons = [name for name, kind in used_names.items() if kind == "char"]
    everybody = [*persons, *speakers, *(n for n, kind in named.items() if kind == "char")]
    forms = {}
    if language == "en":
        said = [(m.name, text) for m, text in zip(sample, texts, strict=True)]
        forms = nicknames_en(named, speakers, said) | other_forms(named, [*persons, *speakers])
    elif language == "zh":
        forms = short_names_zh(set(named) - {*persons, *speakers}, everybody, speakers)
    forms |= told_aliases(texts, [n for n in everybody if n not in introduced or n in speakers])
    named = {name: kind for name, kind in named.items() if name not in forms}
    if language == "zh" and named:
        cutter.add(dict.fromkeys(named, "nr") | tags)
    counts = _WordCounts.of(words)
    prose = _prose(sample, texts)
    return Background(
        language=language,
        is_zh_or_en=tongue == "zh" or (tongue == "en" and is_english(texts)),
        total=len(sample),
        frequency=counts.frequency,
        compounds=counts.compounds,
        speakers=frozenset(speakers),
        user=users.most_common(1)[0][0] if users else "",
        named=named,
        things=_things(counts.handled, texts, set(named) | set(speakers)) | items,
        nouns=counts.nouns,
        capitals=capitals(words) if language == "en" else frozenset(),
        pronoun=_pronouns_of(genders or {}, language)
        | _pronouns(sample, prose)
        | _pronouns_of(_titled(speakers), language),
        prose=prose,
        days=tuple(_days(messages)),
        cutter=cutter,
        rules=rules,
        narrators=narrators,
        plays=plays or {},
        forms=forms,
    )


_ARTICLES = frozenset("a an the my your his her its our their this that no any every".split())
_DETERMINERS = frozenset(
    "a an the my your his her its our their this that these those some any no every each another"
    " of in at for with new old first last two three".split()
)


def _told(
    messages: Sequence[Message],
    texts: Sequence[str],
    words: list[list[CutWord]],
    cutter: Cutter,
) -> tuple[list[list[CutWord]], bool]:
    """Return the words in which names are searched, and whether the texts are an assistant's pages.

    Programs, papers and headings of such pages act like people: names are searched in what the
    player writes about them.
    """
    pages = [is_page(message.text) for message in messages]
    if sum(pages) <= len(texts) * _PAGES:
        return words, False
    told = (text for text, is_one in zip(texts, pages, strict=True) if not is_one)
    return [cutter.words(prose_of(text)) for text in told], True


def noun_heads(words: Sequence[CutWord]) -> Iterable[str]:
    """Yield the noun that ends a phrase with an article or possessive: the old *library* smells."""
    for at, word in enumerate(words):
        if word.tag == "En":
            yield word.key
        elif word.tag == "en" and word.is_content and base_of(word.text.lower()):
            if at and words[at - 1].text.lower() in _ARTICLES:  # a plan, her painting
                yield word.key
        elif word.tag == "en" and word.is_content:
            after = words[at + 1] if at + 1 < len(words) else None
            if after is not None and after.is_joined and after.is_content:
                continue
            for before in reversed(words[max(0, at - 3) : at]):
                if before.text.lower() in _DETERMINERS:
                    yield word.key
                    break
                if not before.is_content:
                    break


def noun_pairs(words: Sequence[CutWord]) -> Iterable[str]:
    """Yield two or three adjacent nouns: names of things in this story."""
    for first, second in pairwise(words):
        is_thing = first.tag in {"n", "nz", "b", "a"} and second.tag in {"n", "nz"}
        if is_thing or (first.tag.startswith("n") and is_place(second)):
            pair = first.text + second.text
            if 3 <= len(pair) <= 6 and (len(first.text) > 1 or first.tag == "n"):
                yield pair


def _prose(messages: Sequence[Message], texts: Sequence[str]) -> frozenset[str]:
    """Return the speakers who mark speech, so that their other words are narration."""
    wrote: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    for message, text in zip(messages, texts, strict=True):
        wrote[message.name] += 1
        marked[message.name] += bool(_SPOKEN.search(text))
    return frozenset(name for name, count in wrote.items() if marked[name] * 8 >= count)


def _things(handled_counts: Counter[str], texts: Sequence[str], people: set[str]) -> frozenset[str]:
    """Return objects handled twice that are named often; 钥匙 is dropped in favour of 铜钥匙."""
    things = {
        name
        for name, count in handled_counts.items()
        if name not in people
        and (count > 1 or len(name) > 2)
        and sum(name in text for text in texts) >= (2 if count > 1 else 3)
    }
    return frozenset(
        name for name in things if not any(o != name and o.endswith(name) for o in things)
    )


def _pronouns(messages: Iterable[Message], prose: frozenset[str]) -> dict[str, str]:
    """Return the pronoun that begins each speaker's narration: in a chat 她 is another person."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        if message.role == "assistant":
            for marked, marked_en, bare, bare_en in _SHE_HE.findall(story(message.text)[:2000]):
                if word := marked or marked_en or (message.name in prose and (bare or bare_en)):
                    counts[message.name][word.lower()] += 1
    return {name: count.most_common(1)[0][0] for name, count in counts.items() if count}


def _titled(names: Iterable[str]) -> dict[str, str]:
    """Return the gender of people whose title gives it, as of Sister Agathe."""
    found = {name: gender_of_title(name) for name in names}
    return {name: gender for name, gender in found.items() if gender}


def _pronouns_of(genders: Mapping[str, str], language: Language) -> dict[str, str]:
    words = {"m": "他", "f": "她"} if language == "zh" else {"m": "he", "f": "she"}
    return {name: words[gender] for name, gender in genders.items()}


def _sampled(
    messages: Iterable[Message],
) -> tuple[Sequence[Message], Counter[str], Counter[str]]:
    """Return a sample of a chat, and how many messages are by each speaker and by each user."""
    speakers, users, count = Counter[str](), Counter[str](), 0
    for m in messages:
        count += 1
        speakers.update((m.name,) if m.role != "system" and m.name else ())
        users.update((m.name,) if m.role == "user" else ())
    step = max(1, math.ceil(count / _SAMPLE))
    return list(islice(messages, 0, None, step)), speakers, users


class _Story:
    """Messages without notices, each under the name of the person its card plays."""

    def __init__(self, messages: Iterable[Message], plays: Mapping[str, str]) -> None:
        self._messages = messages
        self._plays = plays

    def __iter__(self) -> Iterator[Message]:
        return (as_played(m, self._plays) for m in self._messages if not m.is_notice)


def as_played(message: Message, plays: Mapping[str, str]) -> Message:
    """Return a message under the name of the person its card plays."""
    name = plays.get(message.name)
    return message if name is None else replace(message, name=name)


def _days(messages: Iterable[Message]) -> Iterator[tuple[int, str]]:
    """Yield the floors at which a day or an hour begins. Numbered days only increase."""
    today = ""
    for message in messages:
        if when := scene_heading(message.text).when:
            today = when
            yield message.seq, when
            continue
        if message.role == "user" and today:
            continue
        told = story(message.text)
        day, hour = opening_day(told[:200])
        if not day and message.seq == 0:
            day, hour = any_day(told[:600])
        if day and _count(day) < _count(today):
            continue
        today = day or today
        if today and (day or hour):
            yield message.seq, f"{today} {hour}".strip()


def _count(day: str) -> int:
    digits = re.search(r"第(\d+)", day)
    return int(digits[1]) if digits else 0
