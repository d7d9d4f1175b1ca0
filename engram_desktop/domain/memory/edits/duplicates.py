"""Which events tell the same: by their words and floors. Nothing here asks a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.values import dataclass

ALIKE = 0.6  # share of words two events of the same floors have in common; not measured
FEWEST_WORDS = 4  # of a summary that is compared by its words: shorter ones are alike by chance
MOST_COMPARED = 60  # events of the same floors that one is compared with: bounds the work


@dataclass(frozen=True, slots=True)
class Told:
    """What of an event is compared."""

    pk: int
    id: str
    first: int
    last: int
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two events that may tell the same: the share of words they have in common, of 1."""

    one: Told
    other: Told
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


def alike_pairs(events: Sequence[Told], apart: Set[tuple[str, str]]) -> Iterator[Alike]:
    """Yield pairs that tell the same; ``events`` are in story order, ``apart`` is left out.

    The same words anywhere, or mostly the same where the floors overlap.
    """
    by_text: dict[str, Told] = {}
    open_ones: list[Told] = []
    for event in events:
        open_ones = [other for other in open_ones if other.last >= event.first][-MOST_COMPARED:]
        twin = by_text.setdefault(event.text, event)
        pairs = [Alike(other, event, _share(other.words, event.words)) for other in open_ones]
        found = [pair for pair in pairs if pair.share >= ALIKE and pair.one is not twin]
        if twin is not event and event.text:
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


def joined(target: EventNode, others: Sequence[EventNode]) -> tuple[SourceRange, PlotExtraction]:
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
        structured_kv=StructuredKv(
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
