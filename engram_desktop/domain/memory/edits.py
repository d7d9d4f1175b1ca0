"""Edits of many events at once: duplicates, replaced words, shared fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.memory import extraction
from engram_desktop.domain.memory.event import EventNode, EventPatch, EventText, SourceRange
from engram_desktop.domain.values import dataclass

# Duplicates of events, by their words and floors. No model is used.


ALIKE = 0.6  # share of words that two events of the same floors have in common; not measured
FEWEST_WORDS = 4  # of a summary compared by words: shorter ones are similar by chance
MOST_COMPARED = 60  # events of the same floors that one is compared with: bounds the work


@dataclass(frozen=True, slots=True)
class Alike:
    """Two events that may be duplicates, with the share of words in common, of 1."""

    one: EventText
    other: EventText
    share: float
    is_same_text: bool = False

    @property
    def ids(self) -> tuple[str, str]:
        return min(self.one.id, self.other.id), max(self.one.id, self.other.id)


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Events that are all similar to each other, in story order; the most similar pair first."""

    pks: tuple[int, ...]
    pairs: tuple[Alike, ...]


def alike_pairs(
    events: Callable[[], Iterable[EventText]],
    apart: Set[tuple[str, str]],
    words_in: Callable[[str], Iterable[str]],
) -> Iterator[Alike]:
    """Yield pairs of duplicates; ``apart`` are excluded pairs.

    ``events`` returns the events in story order, at each of two calls: only those whose text comes
    again are held. Duplicates have equal texts, or mostly the same words on overlapping floors:
    only for the latter a text is split into words.
    """
    seen: set[int] = set()
    comes_again: set[int] = set()
    for key in (hash(_one_line(event.summary)) for event in events()):
        (comes_again if key in seen else seen).add(key)
    by_text: dict[str, EventText] = {}
    open_ones: list[EventText] = []
    words: dict[int, frozenset[str]] = {}  # of the overlapping events, by key

    def words_of(event: EventText) -> frozenset[str]:
        if event.pk not in words:
            words[event.pk] = frozenset(words_in(event.summary))
        return words[event.pk]

    for event in events():
        open_ones = [other for other in open_ones if other.last >= event.first][-MOST_COMPARED:]
        if not open_ones:
            words.clear()
        text = _one_line(event.summary)
        twin = by_text.setdefault(text, event) if hash(text) in comes_again else event
        pairs = [Alike(o, event, _share(words_of(o), words_of(event))) for o in open_ones]
        found = [pair for pair in pairs if pair.share >= ALIKE and pair.one is not twin]
        if twin is not event and text:
            found.append(Alike(twin, event, 1.0, is_same_text=True))
        yield from (pair for pair in found if pair.ids not in apart)
        open_ones.append(event)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def groups_of(pairs: Iterable[Alike]) -> list[DuplicateGroup]:
    """Group events that are all similar to each other; a chain of pairs is not a group."""
    by_keys = {(pair.one.pk, pair.other.pk): pair for pair in pairs}
    told = {t.pk: t for pair in by_keys.values() for t in (pair.one, pair.other)}
    group_of = {pk: [pk] for pk in told}
    for pair in sorted(by_keys.values(), key=lambda p: (-p.share, p.one.pk, p.other.pk)):
        mine, other = group_of[pair.one.pk], group_of[pair.other.pk]
        if mine is other:
            continue
        if all((a, b) in by_keys or (b, a) in by_keys for a in mine for b in other):
            mine += other
            for pk in other:
                group_of[pk] = mine
    groups = []
    for members in {id(group): group for group in group_of.values()}.values():
        inside = (by_keys.get((a, b)) for a in members for b in members)
        found = [pair for pair in inside if pair is not None]
        if found:
            order = sorted(members, key=lambda pk: (told[pk].first, told[pk].last, pk))
            surest = sorted(found, key=lambda pair: (-pair.share, pair.one.pk, pair.other.pk))
            groups.append(DuplicateGroup(tuple(order), tuple(surest)))
    return sorted(groups, key=lambda group: (-group.pairs[0].share, group.pks))


def joined(
    target: EventNode, others: Sequence[EventNode]
) -> tuple[SourceRange, extraction.PlotExtraction]:
    """Merge events into the fields of one: all floors, texts, names and keywords."""
    events = (target, *others)
    data = [event.raw_data for event in events]
    span = SourceRange(
        min(event.source_range.start_index for event in events),
        max(event.source_range.end_index for event in events),
    )
    kv = [event.structured_kv for event in events]
    united = replace(
        target.raw_data,
        summary=_texts([event.summary for event in events]),
        details=_texts([d.details for d in data]),
        keywords=_union(d.keywords for d in data),
        timestamp=next((d.timestamp for d in data if d.timestamp), ""),
        location=next((d.location for d in data if d.location), ""),
        entities=tuple({e.name: e for d in reversed(data) for e in d.entities}.values()),
        relations=tuple(dict.fromkeys(r for d in data for r in d.relations)),
        significance_score=max(event.significance_score for event in events),
        structured_kv=extraction.StructuredKv(
            time_anchor=next((k.time_anchor for k in kv if k.time_anchor), ""),
            location=next((k.location for k in kv if k.location), ""),
            role=_union(k.role for k in kv),
            event=_texts([k.event for k in kv]),
            logic=_union(k.logic for k in kv),
            causality=_texts([k.causality for k in kv]),
        ),
    )
    return span, united


def _share(one: Set[str], other: Set[str]) -> float:
    """Return the number of shared words, divided by the number of words in either."""
    if min(len(one), len(other)) < FEWEST_WORDS:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _texts(texts: Sequence[str]) -> str:
    """Join texts, without those contained in another."""
    kept: list[str] = []
    for text in (text.strip() for text in texts):
        if text and not any(text in other for other in kept):
            kept = [other for other in kept if other not in text] + [text]
    return "\n".join(kept)


def _union(words: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for each in words for word in each))


# Find and replace in events: which texts of an event are searched, and putting new ones in.


TextField = Literal["summary", "details", "time", "place", "keywords", "structured", "names"]


@dataclass(frozen=True, slots=True)
class FindReplace:
    """What to find, in which fields, and its replacement.

    A pattern is JavaScript's, as in the scripts; ``$1``, ``$<name>`` and ``$0`` are its groups.
    """

    find: str
    replace: str = ""
    fields: tuple[TextField, ...] = ("summary", "details", "place", "keywords")
    is_regex: bool = False
    is_case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """One field of one event: its texts before and after. ``updated_at`` is the event's."""

    pk: int
    field: TextField
    before: tuple[str, ...]
    after: tuple[str, ...]
    updated_at: int


@dataclass(frozen=True, slots=True)
class ReplacePlan:
    """The changes of a replacement; how many are in locked events, and how many would be empty."""

    changes: tuple[Replaced, ...] = ()
    locked: int = 0
    emptied: int = 0


def texts_of(event: EventNode, field: TextField) -> tuple[str, ...]:
    """Return the texts of a field, in the order of `patch_of`."""
    return _TAKE[field](event)


def patch_of(event: EventNode, texts: dict[TextField, tuple[str, ...]]) -> EventPatch:
    """Return a patch that gives an event these texts; its confidence is kept."""
    data = replace(event.raw_data, structured_kv=event.structured_kv)
    for field, new in texts.items():
        data = _PUT[field](data, new)
    return EventPatch(
        raw_data=data, significance_score=event.significance_score, confidence=event.confidence
    )


def _with_place(
    data: extraction.PlotExtraction, texts: tuple[str, ...]
) -> extraction.PlotExtraction:
    kv = replace(data.structured_kv, location=texts[0])
    return replace(data, location=texts[0], structured_kv=kv)


def _with_time(
    data: extraction.PlotExtraction, texts: tuple[str, ...]
) -> extraction.PlotExtraction:
    kv = replace(data.structured_kv, time_anchor=texts[0])
    return replace(data, timestamp=texts[0], structured_kv=kv)


def _with_structured(
    data: extraction.PlotExtraction, texts: tuple[str, ...]
) -> extraction.PlotExtraction:
    kv = replace(
        data.structured_kv, event=texts[0], causality=texts[1], logic=tuple(filter(None, texts[2:]))
    )
    return replace(data, structured_kv=kv)


def _with_names(
    data: extraction.PlotExtraction, texts: tuple[str, ...]
) -> extraction.PlotExtraction:
    """Replace names; an entity or a relation without a name left is removed."""
    rest = list(texts)
    entities = [replace(entity, name=rest.pop(0).strip()) for entity in data.entities]
    relations = [
        replace(
            relation,
            subject=rest.pop(0).strip(),
            predicate=rest.pop(0).strip(),
            object=rest.pop(0).strip(),
        )
        for relation in data.relations
    ]
    return replace(
        data,
        entities=tuple({entity.name: entity for entity in entities if entity.name}.values()),
        relations=tuple(
            dict.fromkeys(r for r in relations if r.subject and r.predicate and r.object)
        ),
        structured_kv=replace(data.structured_kv, role=_words(tuple(rest))),
    )


def _words(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _structured(event: EventNode) -> tuple[str, ...]:
    kv = event.structured_kv
    return (kv.event, kv.causality, *kv.logic)


def _names(event: EventNode) -> tuple[str, ...]:
    data = event.raw_data
    ends = (text for r in data.relations for text in (r.subject, r.predicate, r.object))
    return (*(e.name for e in data.entities), *ends, *event.structured_kv.role)


_TAKE: dict[TextField, Callable[[EventNode], tuple[str, ...]]] = {
    "summary": lambda event: (event.summary,),
    "details": lambda event: (event.raw_data.details,),
    "time": lambda event: (event.raw_data.timestamp,),
    "place": lambda event: (event.raw_data.location,),
    "keywords": lambda event: event.raw_data.keywords,
    "structured": _structured,
    "names": _names,
}
_PUT: dict[
    TextField, Callable[[extraction.PlotExtraction, tuple[str, ...]], extraction.PlotExtraction]
] = {
    "summary": lambda data, texts: replace(data, summary=texts[0]),
    "details": lambda data, texts: replace(data, details=texts[0]),
    "time": _with_time,
    "place": _with_place,
    "keywords": lambda data, texts: replace(data, keywords=_words(texts)),
    "structured": _with_structured,
    "names": _with_names,
}


# The common fields of several events, and changing them in all of them.


@dataclass(frozen=True, slots=True)
class SharedFields:
    """Fields of ``count`` events. A field holds the shared value, or two values if they differ.

    ``keywords`` are the most frequent ones, each with the number of events that have it.
    """

    count: int = 0
    outlines: int = 0
    locked: int = 0
    confirmed: int = 0
    archived: int = 0
    times: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    kinds: tuple[extraction.EventKind, ...] = ()
    scores: tuple[float, ...] = ()
    keywords: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SharedPatch:
    """Changes for several events; None and empty leave a field unchanged."""

    time_anchor: str | None = None
    location: str | None = None
    kind: extraction.EventKind | None = None
    significance_score: float | None = None
    add_keywords: tuple[str, ...] = ()
    remove_keywords: tuple[str, ...] = ()

    def of(self, event: EventNode) -> EventPatch:
        """Return the patch of one event. Its confidence is kept."""
        removed = set(self.remove_keywords)
        kept = [word for word in event.raw_data.keywords if word not in removed]
        keywords = tuple(dict.fromkeys((*kept, *self.add_keywords)))
        return EventPatch(
            time_anchor=self.time_anchor,
            location=self.location,
            kind=self.kind,
            significance_score=self.significance_score,
            keywords=keywords,
            confidence=event.confidence,
        )
