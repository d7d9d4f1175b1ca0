"""What a search finds among entities, by the names and the telling of whoever looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.search.hit import SearchGroup, SearchHit, passage_of, title_of
from engram_desktop.domain.search.matching import holds
from engram_desktop.domain.search.query import Clause, SearchQuery
from engram_desktop.domain.values import dataclass
from engram_desktop.services.search import asked

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.chat.recall.found import FoundEntity


@dataclass(frozen=True, slots=True)
class Place:
    """Where entities are looked for, and as whom."""

    store: ChatStore
    chat: str
    branch_id: str | None
    actors: tuple[Actor, ...]
    home: str | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What whoever looks knows of an entity: its names, the first to be shown, and the rest."""

    names: tuple[str, ...]
    telling: str


def entity_hits(
    place: Place, query: SearchQuery, clauses: Sequence[Clause], limit: int
) -> SearchGroup:
    """Return the entities that one of ``clauses`` holds of: by name first, then by what is told."""
    # the index asks by words alone: by what name, and in what state, is for the texts to say
    wanted = [
        replace(
            asked.item_clause(clause, None),
            without=(),
            called=(),
            states=frozenset(),
            not_states=frozenset(),
        )
        for clause in clauses
    ]
    pieces = dict.fromkeys(norm_name(w.text) for clause in clauses for w in clause.words)
    rows = place.store.found.entities(wanted, [piece for piece in pieces if piece])
    known = _known(place, rows)
    hits = [
        _hit(place, query, row, known[row.id])
        for row in rows
        if row.id in known and any(_is_meant(c, row, known[row.id]) for c in clauses)
    ]
    hits.sort(key=lambda hit: not hit.title.marks)  # stable: the best known first
    return SearchGroup("entity", tuple(hits[:limit]), len(hits))


def _is_meant(clause: Clause, row: FoundEntity, known: _Known) -> bool:
    return (
        holds(clause, (*known.names, known.telling))
        and asked.tells_of(clause, known.names)
        and asked.has_states(clause, ("locked",) if row.is_locked else ())
    )


def _hit(place: Place, query: SearchQuery, row: FoundEntity, known: _Known) -> SearchHit:
    others = "、".join(known.names[1:])
    telling = "　".join(part for part in (others, known.telling) if part)
    return SearchHit(
        "entity",
        row.id,
        title_of(known.names[0], query.words),
        passage_of(telling, query.words),
        place.store.chat_id,
        place.chat,
        place.branch_id or _branch_to_show(place, row.branch_id or MAIN_BRANCH),
        states=frozenset({"locked"} if row.is_locked else ()),
    )


def _branch_to_show(place: Place, told_on: str) -> str:
    """Return the branch that is shown where it may see the entity, else the one that tells."""
    if place.home is None:
        return told_on
    sees = {branch for branch, _highest in place.store.branch_path(place.home)}
    return place.home if told_on in sees else told_on


def _known(place: Place, rows: Sequence[FoundEntity]) -> dict[str, _Known]:
    ids = [row.id for row in rows]
    if place.actors and place.branch_id is not None:
        graph = place.store.known_graph(place.branch_id, place.actors)
        return {e.id: _Known(_names(e.name, e.aliases), e.description) for e in graph.entities(ids)}
    found = place.store.found
    told, names = found.entity_texts(ids), found.names(ids)
    return {
        row.id: _Known(
            _names(row.name, names.get(row.id, ())),
            # the item's first line is its names
            told[row.id].partition("\n")[2] if row.id in told else row.description,
        )
        for row in rows
    }


def _names(name: str, others: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((name, *others)))
