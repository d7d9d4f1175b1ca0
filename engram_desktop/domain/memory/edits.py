"""Edits of many events at once: duplicates, replaced words, fields they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Literal

from engram_desktop.domain.memory import extraction
from engram_desktop.domain.memory.event import EventNode, EventPatch, SourceRange, ToldEvent
from engram_desktop.domain.values import dataclass

# Which events tell the same: by their words and floors. Nothing here asks a model.


ALIKE = 0.6  # share of words two events of the same floors have in common; not measured
FEWEST_WORDS = 4  # of a summary that is compared by its words: shorter ones are alike by chance
MOST_COMPARED = 60  # events of the same floors that one is compared with: bounds the work


@dataclass(frozen=True, slots=True)
class Alike:
    """Two events that may tell the same: the share of words they have in common, of 1."""

    one: ToldEvent
    other: ToldEvent
    share: float
    is_same_text: bool = False

    @property
    def ids(self) -> tuple[str, str]:
        return min(self.one.id, self.other.id), max(self.one.id, self.other.id)


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Events of which each is alike to every other, in story order; the surest pair first."""

    pks: tuple[int, ...]
    pairs: tuple[Alike, ...]


def alike_pairs(
    events: Iterable[ToldEvent],
    apart: Set[tuple[str, str]],
    words_in: Callable[[str], Iterable[str]],
) -> Iterator[Alike]:
    """Yield pairs that tell the same; ``events`` are in story order, ``apart`` is left out.

    The same words anywhere, or mostly the same where the floors overlap: only there a text is
    taken apart into its words.
    """
    by_text: dict[str, ToldEvent] = {}
    open_ones: list[ToldEvent] = []
    words: dict[int, frozenset[str]] = {}  # of those that are open, by key

    def words_of(event: ToldEvent) -> frozenset[str]:
        if event.pk not in words:
            words[event.pk] = frozenset(words_in(event.summary))
        return words[event.pk]

    for event in events:
        open_ones = [other for other in open_ones if other.last >= event.first][-MOST_COMPARED:]
        if not open_ones:
            words.clear()
        text = " ".join(event.summary.split())
        twin = by_text.setdefault(text, event)
        pairs = [Alike(o, event, _share(words_of(o), words_of(event))) for o in open_ones]
        found = [pair for pair in pairs if pair.share >= ALIKE and pair.one is not twin]
        if twin is not event and text:
            found.append(Alike(twin, event, 1.0, is_same_text=True))
        yield from (pair for pair in found if pair.ids not in apart)
        open_ones.append(event)


def groups_of(pairs: Iterable[Alike]) -> list[DuplicateGroup]:
    """Put events into one group where each is alike to every other: a chain is no group."""
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
    """Return what one event tells in place of several: all floors, texts, names and keywords."""
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
    """Return how many words two have in common, against what both have."""
    if min(len(one), len(other)) < FEWEST_WORDS:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _texts(texts: Sequence[str]) -> str:
    """Join texts; one that stands in another is told once."""
    kept: list[str] = []
    for text in (text.strip() for text in texts):
        if text and not any(text in other for other in kept):
            kept = [other for other in kept if other not in text] + [text]
    return "\n".join(kept)


def _union(words: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for each in words for word in each))


# Finding and replacing in events: which texts of an event are meant, and putting others there.


TextField = Literal["summary", "details", "time", "place", "keywords", "structured", "names"]


@dataclass(frozen=True, slots=True)
class FindReplace:
    """What to look for, where, and what to put there.

    A pattern is JavaScript's, as in the scripts; ``$1``, ``$<name>`` and ``$0`` are its groups.
    """

    find: str
    replace: str = ""
    fields: tuple[TextField, ...] = ("summary", "details", "place", "keywords")
    is_regex: bool = False
    is_case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """One field of one event: its texts, and what they become. ``updated_at`` is the event's."""

    pk: int
    field: TextField
    before: tuple[str, ...]
    after: tuple[str, ...]
    updated_at: int


@dataclass(frozen=True, slots=True)
class ReplacePlan:
    """What would change. ``locked`` events would, too; ``emptied`` ones would say nothing."""

    changes: tuple[Replaced, ...] = ()
    locked: int = 0
    emptied: int = 0


def texts_of(event: EventNode, field: TextField) -> tuple[str, ...]:
    """Return the texts of a field, in an order that `patch_of` knows."""
    return _TAKE[field](event)


def patch_of(event: EventNode, texts: dict[TextField, tuple[str, ...]]) -> EventPatch:
    """Return what makes an event say these texts. Who vouches for it stays as it is."""
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
    """Put names in; an entity or a relation that has lost a name is left out."""
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


# What several events have in common, and changing it in all of them.


@dataclass(frozen=True, slots=True)
class SharedFields:
    """Of ``count`` events. A field holds the one value they share, or two where they differ.

    ``keywords`` are the most used ones, each with how many of the events have it.
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
    """What to change in several events; None and empty leave a field as it is."""

    time_anchor: str | None = None
    location: str | None = None
    kind: extraction.EventKind | None = None
    significance_score: float | None = None
    add_keywords: tuple[str, ...] = ()
    remove_keywords: tuple[str, ...] = ()

    def of(self, event: EventNode) -> EventPatch:
        """Return what changes in one of them. Who vouches for it stays as it is."""
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
