"""Entities that may be the same: find pairs, merge certain ones, list the others for the user."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engram_desktop.domain.changes import DISMISS, FIND_SAME, MERGE, Changes, StepLabel
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import (
    CHAR_ENTITY,
    USER_ENTITY,
    EntityNode,
    Suggestion,
    norm_name,
)
from engram_desktop.domain.graph.likeness import CONTEXT, Likeness, likeness, name_keys
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.services.characters import read_cast
from engram_desktop.services.graph.link import simplified
from engram_desktop.storage.chat.chat_store import ChatStore

LEAST = 0.5  # score below which a pair is not suggested
MOST_NEW = 40  # suggestions made in one run
CROWD = 40  # a name part that more entities share says nothing
COMPARED = 60  # entities each one is compared with
CERTAIN = 1.0  # a likeness of 1: merged without asking

_T = QT_TRANSLATE_NOOP
_SPEAKER = _T("suggestions", "the player speaks as “{name}” too")
_APART = _T("suggestions", "never in the same event, though with the same company")
_TOGETHER = _T("suggestions", "but they appear together in {count} events")
_RELATED = _T("suggestions", "but a relation links the two")
_ALIKE = _T("suggestions", "described alike: {facts}")
_UNLIKE = _T("suggestions", "but described differently: {facts}")

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Two entities that may be the same. ``score`` 1 is certain."""

    one: str
    other: str
    score: float
    reasons: tuple[Phrase, ...]


def find_same(store: ChatStore, touched: Iterable[str]) -> list[PairScore]:
    """Return pairs not suggested before, of which one is ``touched``, by falling score.

    Each touched entity is only compared with entities that share a rare part of a name or of a
    profile, so the work stays small in a graph of any size.
    """
    touched_ids = set(touched)
    entities = {e.id: e for e in store.entities.census()}
    known_pairs = store.suggestions.known_pairs()
    names = {i: _Names.of(e) for i, e in entities.items()}
    pairs: list[PairScore] = []
    looks: dict[Pair, Likeness | None] = {}
    for pair in _candidates(names, touched_ids):
        if pair not in known_pairs and not (
            entities[pair[0]].is_locked and entities[pair[1]].is_locked
        ):
            looks[pair] = _by_name(names[pair[0]], names[pair[1]])
    company = _Company(store, {i for pair in looks for i in pair})
    for pair, look in looks.items():
        scored = _judge(entities[pair[0]], entities[pair[1]], look, company)
        if scored.score >= LEAST:
            pairs.append(scored)
    pairs += [f for f in _speakers(store) if (f.one, f.other) not in known_pairs]
    return sorted(pairs, key=lambda f: (-f.score, f.one, f.other))


def suggest(store: ChatStore, touched: Iterable[str]) -> tuple[set[str], int]:
    """Merge certain pairs and store the others as suggestions, inside the caller's step.

    A pair is suggested once: dismissed pairs never come back. Returns the ids of merged entities,
    both ends, and the number of new suggestions.
    """
    now = store.clock()
    merged: set[str] = set()
    open_pairs: list[tuple[str, str, float, Sequence[Phrase]]] = []
    for pair in find_same(store, touched):
        if pair.score >= CERTAIN:
            if not merged & {pair.one, pair.other}:
                kept_id, gone_id = _which_stays(store, pair.one, pair.other)
                store.entity_edits.merge([gone_id], kept_id, now)
                merged |= {kept_id, gone_id}
        elif len(open_pairs) < MOST_NEW and not merged & {pair.one, pair.other}:
            open_pairs.append((pair.one, pair.other, round(pair.score, 3), pair.reasons))
    store.suggestions.add(open_pairs, now)
    store.entities.refresh_names(merged)
    return merged, len(open_pairs)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of an entity, as written and folded."""

    entity: EntityNode
    folded: tuple[tuple[str, str], ...]
    keys: frozenset[str]

    @classmethod
    def of(cls, entity: EntityNode) -> _Names:
        folded = tuple(
            (simplified(norm_name(name)), name) for name in (entity.name, *entity.aliases)
        )
        keys = {key for name, _shown in folded for key in name_keys(name)}
        return cls(entity, folded, frozenset(keys | set(_facts(entity.profile))))


def _facts(profile: Mapping[str, Any]) -> Iterator[str]:
    """Yield the profile values that are long enough to identify an entity by."""
    for key, value in profile.items():
        if isinstance(value, str) and len(value) >= 4:
            yield f"={key}={norm_name(value)}"


def _candidates(names: Mapping[str, _Names], touched_ids: set[str]) -> Iterator[Pair]:
    """Yield pairs with a ``touched`` entity that share a rare key, those that share most first."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for entity_id, one in names.items():
        for key in one.keys:
            blocks[key].append(entity_id)
    yielded: set[Pair] = set()
    for entity_id in sorted(touched_ids & names.keys()):
        shared: dict[str, int] = defaultdict(int)
        for key in names[entity_id].keys:
            if len(blocks[key]) <= CROWD:
                for other in blocks[key]:
                    shared[other] += 1
        shared.pop(entity_id, None)
        for other in sorted(shared, key=lambda o: (-shared[o], o))[:COMPARED]:
            pair = (min(entity_id, other), max(entity_id, other))
            if pair not in yielded:
                yielded.add(pair)
                yield pair


def _by_name(one: _Names, other: _Names) -> Likeness | None:
    types = {one.entity.type, other.entity.type} - {"unknown"}
    if len(types) > 1:
        return None
    looks = (
        likeness(a, b, (shown_a, shown_b), is_person=types <= {"char"})
        for (a, shown_a), (b, shown_b) in itertools.product(one.folded, other.folded)
    )
    return max((look for look in looks if look), key=lambda look: look.score, default=None)


class _Company:
    """Which events name the compared entities, and who else those events name."""

    def __init__(self, store: ChatStore, ids: set[str]) -> None:
        self._events = store.entities.events_of(ids)
        self._linked = store.entities.linked_pairs(ids)
        event_ids = {event for events in self._events.values() for event in events}
        self._there = store.entities.entities_of(event_ids)

    def together(self, one: str, other: str) -> int:
        return len(self._events.get(one, set()) & self._events.get(other, set()))

    def are_linked(self, one: str, other: str) -> bool:
        return frozenset((one, other)) in self._linked

    def is_shared(self, one: str, other: str) -> bool:
        """Return whether both were seen with enough entities, and mostly with the same ones."""
        a, b = self._around(one), self._around(other)
        return min(len(a), len(b)) >= 3 and len(a & b) * 2 >= min(len(a), len(b))

    def _around(self, entity_id: str) -> set[str]:
        events = self._events.get(entity_id, set())
        return {e for event in events for e in self._there.get(event, ())} - {entity_id}


def _judge(
    one: EntityNode, other: EntityNode, look: Likeness | None, company: _Company
) -> PairScore:
    """Score a pair by names, profiles and shared events.

    A pair whose names are certainly the same scores CERTAIN; any other score stays below and only
    orders the questions. Its parts are set by hand, not measured: equal facts and common company
    count for a pair, events with both of them against it.
    """
    if look is not None and look.score >= CERTAIN:
        return PairScore(one.id, other.id, CERTAIN, (look.reason,))
    score, reasons = (look.score, [look.reason]) if look else (0.0, [])
    alike, unlike = _compare(one.profile, other.profile)
    if alike:
        score += min(0.6, 0.3 * len(alike))
        reasons.append(Phrase(_ALIKE, CONTEXT, facts=alike[:3]))
    together = company.together(one.id, other.id)
    if together:
        score -= 0.2 if together == 1 else 0.35
        reasons.append(Phrase(_TOGETHER, CONTEXT, count=together))
    elif score and company.is_shared(one.id, other.id):
        score += 0.15
        reasons.append(Phrase(_APART, CONTEXT))
    if company.are_linked(one.id, other.id):
        score -= 0.3
        reasons.append(Phrase(_RELATED, CONTEXT))
    if unlike:
        score -= 0.15 * len(unlike)
        reasons.append(Phrase(_UNLIKE, CONTEXT, facts=unlike[:3]))
    return PairScore(one.id, other.id, min(0.99, score), tuple(reasons))


def _compare(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the facts both profiles agree on, and the keys they disagree on."""
    alike, unlike = [], []
    for key in one.keys() & other.keys():
        a, b = one[key], other[key]
        if isinstance(a, str) and isinstance(b, str):
            if norm_name(a) == norm_name(b):
                alike.append(f"{key} {a}")
            else:
                unlike.append(key)
    return sorted(alike), sorted(unlike)


def _speakers(store: ChatStore) -> Iterator[PairScore]:
    """Yield pairs of the persona and an entity that has one of the persona's speaker names."""
    aliases = store.entities.aliases()
    fixed_ids = store.entities.stands_for([USER_ENTITY, CHAR_ENTITY])
    persona_id = fixed_ids.get(USER_ENTITY)
    if persona_id is None:
        return
    for name in read_cast(store).user:
        other = aliases.get(norm_name(name), persona_id)
        if other != persona_id:
            one, two = min(persona_id, other), max(persona_id, other)
            yield PairScore(one, two, 0.9, (Phrase(_SPEAKER, CONTEXT, name=name),))


def _which_stays(store: ChatStore, one: str, other: str) -> Pair:
    """Return (kept, gone)."""
    first, second = store.entities.fetch([one, other])
    return (one, other) if stays(first, second) else (other, one)


def stays(one: EntityNode, other: EntityNode) -> bool:
    """Return whether ``one`` stays in a merger: a fixed id, a locked one, the better known one."""

    def rank(e: EntityNode) -> tuple[bool, bool, int]:
        return (e.id in {USER_ENTITY, CHAR_ENTITY}, e.is_locked, e.event_count)

    return rank(one) >= rank(other)


def waiting(store: ChatStore, branch_id: str = MAIN_BRANCH) -> list[Suggestion]:
    """Return the open suggestions, the surest first."""
    rows = store.suggestions.open(branch_id)
    ids = sorted({end for _i, one, other, _score, _why in rows for end in (one, other)})
    entities = {e.id: e for e in store.entities.fetch(ids, branch_id)}
    suggestions = []
    for suggestion_id, a, b, score, reasons in rows:
        one, other = entities[a], entities[b]
        if not stays(one, other):
            one, other = other, one
        suggestions.append(Suggestion(suggestion_id, one, other, score, reasons))
    return suggestions


def accept(store: ChatStore, suggestion_id: str, keep: str | None = None) -> Changes:
    """Merge a pair as one undoable step; ``keep`` is whose name stays. Raises NotFound."""
    one, other = store.entities.fetch(_pair(store, suggestion_id))
    target, source = (one, other) if stays(one, other) else (other, one)
    named = next((e for e in (one, other) if e.id == keep), target)
    label = StepLabel(MERGE, {"names": source.name, "target": named.name})
    with store.step(label):
        now = store.clock()
        store.entity_edits.merge([source.id], target.id, now)
        if named is source:
            store.entity_edits.update(target.id, now, name=source.name)
        store.suggestions.set_state(suggestion_id, "accepted")
        store.entities.refresh_names([target.id])
    ids = frozenset((one.id, other.id))
    return Changes(chat_id=store.chat_id, entities=ids, undo_label=label)


def dismiss(store: ChatStore, suggestion_id: str) -> Changes:
    """Store that a pair is not the same; it is never suggested again."""
    one, other = store.entities.fetch(_pair(store, suggestion_id))
    if not stays(one, other):
        one, other = other, one
    label = StepLabel(DISMISS, {"one": one.name, "other": other.name})
    with store.step(label):
        store.suggestions.set_state(suggestion_id, "dismissed")
    ids = frozenset((one.id, other.id))
    return Changes(chat_id=store.chat_id, entities=ids, undo_label=label)


def look_again(store: ChatStore) -> Changes:
    """Search the whole graph for entities that may be the same."""
    everybody = [e.id for e in store.entities.census()]
    label = StepLabel(FIND_SAME, {"count": len(everybody)})
    with store.step(label):
        merged, new_questions = suggest(store, everybody)
    label_or_none = label if merged or new_questions else None
    return Changes(
        chat_id=store.chat_id,
        entities=frozenset(merged),
        graph=bool(merged or new_questions),
        undo_label=label_or_none,
    )


def _pair(store: ChatStore, suggestion_id: str) -> tuple[str, str]:
    pair = store.suggestions.find(suggestion_id)
    if pair is None:
        raise NotFound("suggestion", suggestion_id)
    return pair
