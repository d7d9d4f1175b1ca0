"""Who knows a memory, since when, and how. Reads only; knowledge is up to date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import Knower, Secret, rarity, repeated
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, MemoryItem
from engram_desktop.services.knowledge.actors import People
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge.audiences import ALL

_WORDS_READ = 80  # rare words of a memory that are looked for in later ones: bounds the search


def actors(store: ChatStore) -> list[str]:
    """Return the names of all who perceive anything, each person once."""
    people = People.of(store)
    names: dict[str, str] = {}
    for name in store.audiences.members():
        if not any(norm in names for norm in people.norms(name)):
            names[norm_name(name)] = name
    return list(names.values())


def who(store: ChatStore, branch_id: str, ref: tuple[str, str]) -> list[Knower]:
    """Return who knows a memory: who was there, who was told later, and what the user says."""
    kind, ref_id = ref
    items = [i for i in store.items.of_refs([ref_id]) if i.kind == kind]
    if not items:
        raise NotFound("memory", ref_id)
    item = next((i for i in items if i.branch_id == branch_id), items[0])
    people = People.of(store)
    knowers: dict[str, Knower] = {}
    number = store.audiences.of_items([item.id]).get(item.id)
    for person in store.audiences.people([number])[number] if number is not None else ():
        norm = norm_name(person.name)
        knowers[norm] = Knower(person.name, item.end_index, person.how, ("", ""), person.confidence)
    weights = _rare_words(store, item) if number != ALL else {}
    words = dict(zip(weights, store.items.postings(list(weights)), strict=True))
    for name in actors(store) if weights else ():
        norms = people.norms(name)
        if not norms & knowers.keys():
            where = ItemFilter(ITEM_KINDS, store.branch_path(branch_id), actor=name, known_as=norms)
            told = _first_telling(store, item, where, weights, words)
            if told is not None:
                knowers[norm_name(name)] = told
    for fix in store.knowledge.fixes([ref]):
        for norm in people.norms(fix.name):
            knowers.pop(norm, None)
        if fix.is_known:
            knowers[norm_name(fix.name)] = Knower(fix.name, fix.from_floor, fix.how, is_said=True)
    return sorted(knowers.values(), key=lambda k: (k.from_floor, norm_name(k.actor)))


def _first_telling(
    store: ChatStore,
    item: MemoryItem,
    where: ItemFilter,
    weights: Mapping[str, float],
    words: Mapping[str, NDArray[np.int64]],
) -> Knower | None:
    """Return by which later memory of its own the actor of ``where`` learned of ``item``, if any.

    ``weights`` are the rare words of ``item``, ``words`` the items that hold each.
    """
    layout = store.items.layout(where)
    telling_kinds = [ITEM_KINDS.index("turn"), ITEM_KINDS.index("event")]
    is_later = (layout.starts > item.end_index) & np.isin(layout.kinds, telling_kinds)
    floors = dict(zip(layout.ids[is_later].tolist(), layout.starts[is_later].tolist(), strict=True))
    candidates: dict[int, set[str]] = {}
    for word, ids in words.items():
        for item_id in np.intersect1d(ids, layout.ids[is_later]).tolist():
            candidates.setdefault(item_id, set()).add(word)
    shares = repeated(weights, candidates)
    if not shares:
        return None
    first = min(shares, key=lambda i: (floors[i], -shares[i]))
    telling, share = store.items.fetch([first])[first], round(shares[first], 2)
    return Knower(where.actor or "", floors[first], "told", (telling.kind, telling.ref), share)


def _rare_words(store: ChatStore, item: MemoryItem) -> dict[str, float]:
    """Return the rarest words of a memory with their rarity."""
    tokens = list(dict.fromkeys(index_tokens(item.content)))
    counts = store.items.document_frequency(tokens)
    size = store.items.count()
    weights = {token: rarity(counts.get(token, 0), size) for token in tokens}
    rare = sorted((t for t in tokens if weights[t] > 0), key=lambda t: -weights[t])
    return {token: weights[token] for token in rare[:_WORDS_READ]}


def secrets(store: ChatStore, branch_id: str, limit: int) -> list[Secret]:
    """Return events that somebody of the cast does not know, the newest first."""
    cast = {norm_name(name) for name in actors(store)}
    keys = store.events.find(EventQuery(branch_id=branch_id, level=0, sort="newest"))
    kept = store.knowledge.kept_from()
    hidden: list[Secret] = []
    for start in range(0, len(keys), limit):
        if len(hidden) >= limit:
            break
        page: Sequence[int] = keys[start : start + limit]
        events = store.events.fetch(page)
        items = store.items.of_events([e.id for e in events.values()])
        numbers = store.audiences.of_items([item for item, _key in items.values()])
        people = store.audiences.people(numbers.values())
        for pk in page:
            event = events[pk]
            number = numbers.get(items[event.id][0]) if event.id in items else None
            if number is None or number == ALL:
                continue
            knowers = tuple(p.name for p in people.get(number, ()))
            if cast - {norm_name(n) for n in knowers}:
                source = event.source_range
                kept_names = kept.get(("event", event.id), ())
                hidden.append(
                    Secret(
                        "event",
                        event.id,
                        event.summary,
                        source.start_index,
                        source.end_index,
                        knowers,
                        kept_names,
                    )
                )
    return hidden[:limit]
