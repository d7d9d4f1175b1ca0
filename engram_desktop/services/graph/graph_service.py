"""The graph of a chat: its entities and their relations, looked at and curated by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import (
    Around,
    EntityNode,
    EntityType,
    GraphView,
    Relation,
    Suggestion,
    norm_name,
)
from engram_desktop.domain.graph.gaps import NamedEntities
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.graph import entities, gaps, pictures, suggest

if TYPE_CHECKING:
    from engram_desktop.domain.graph.gaps import EntityGaps
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session

MOST_NAMED = 5_000  # entities looked for in a text, the best connected ones
ENTITIES_SHOWN = 500  # of a list, best connected first, where nobody says how many


class GraphService:
    """The graph of a chat, as a branch sees it. Every method that writes is one step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find_entities(
        self,
        line: Line,
        text: str = "",
        limit: int = ENTITIES_SHOWN,
        actors: Sequence[Actor] = (),
    ) -> list[EntityNode]:
        """Return entities by name, the best connected first; those that all ``actors`` know."""
        store = self._session.chat(line.chat_id)
        if not actors:
            return store.entities.find(text, limit, line.branch_id)
        return pictures.find(store, line.branch_id, actors, text, limit)

    def neighbourhood(
        self,
        line: Line,
        center_id: str | None,
        hops: int = 1,
        limit: int = 150,
        actors: Sequence[Actor] = (),
    ) -> GraphView:
        """Return what to draw around an entity, as all ``actors`` know it."""
        return self.picture(line, Around(center_id, hops, limit), actors)

    def picture(self, line: Line, around: Around, actors: Sequence[Actor] = ()) -> GraphView:
        """Return what to draw, as all ``actors`` know it and as of a floor."""
        store = self._session.chat(line.chat_id)
        return pictures.picture(store, line.branch_id, around, actors)

    def path(
        self,
        line: Line,
        ends: tuple[str, str],
        actors: Sequence[Actor] = (),
        at: int | None = None,
    ) -> list[Relation] | None:
        """Return the shortest way between two entities; None: nothing links them."""
        store = self._session.chat(line.chat_id)
        return pictures.path(store, line.branch_id, ends, actors, at)

    def last_floor(self, line: Line) -> int:
        """Return the newest floor of a line; 0 for an empty one."""
        return max(0, self._session.chat(line.chat_id).messages.count(line.branch_id) - 1)

    def entity_events(
        self, line: Line, entity_id: str, actors: Sequence[Actor] = (), at: int | None = None
    ) -> list[EventNode]:
        """Return the events that tell of an entity, up to a floor, that all ``actors`` know."""
        store = self._session.chat(line.chat_id)
        ids = store.entities.event_ids(entity_id, line.branch_id)
        if actors or at is not None:
            known = store.known_graph(line.branch_id, actors, at).event_ids
            ids = [event_id for event_id in ids if event_id in known]
        return store.events.by_ids(ids)

    def find_entity(self, chat_id: str, name_or_id: str) -> EntityNode:
        """Return the entity with this id, name or alias. Raises NotFound."""
        store = self._session.chat(chat_id)
        entity_id = store.entities.aliases().get(norm_name(name_or_id), name_or_id)
        entities = store.entities.fetch([entity_id])
        if not entities:
            raise NotFound("entity", name_or_id)
        return entities[0]

    def named(self, chat_id: str, name: str) -> EntityNode | None:
        """Return the entity that is called so, if one is."""
        store = self._session.chat(chat_id)
        norm = norm_name(name)
        found = store.entities.fetch(list(store.entities.aliases([norm]).values()))
        return found[0] if found else None

    def add_entity(
        self, line: Line, name: str, kind: EntityType = "unknown"
    ) -> tuple[str, Changes]:
        """Make an entity by hand; one that goes by the name is left as it is. Raises InputError."""
        return entities.add_entity(self._session.chat(line.chat_id), name, kind)

    def update_entity(
        self,
        chat_id: str,
        entity_id: str,
        *,
        name: str | None = None,
        kind: EntityType | None = None,
        profile: dict[str, Any] | None = None,
        locked: bool | None = None,
        hidden: bool | None = None,
    ) -> Changes:
        """Change what is given of an entity. Raises NotFound, InputError, Conflict."""
        return entities.update_entity(
            self._session.chat(chat_id),
            entity_id,
            name=name,
            kind=kind,
            profile=profile,
            locked=locked,
            hidden=hidden,
        )

    def set_aliases(self, chat_id: str, entity_id: str, aliases: Sequence[str]) -> Changes:
        return entities.set_aliases(self._session.chat(chat_id), entity_id, aliases)

    def merge_entities(self, chat_id: str, sources: Sequence[str], target: str) -> Changes:
        """Make ``sources`` one with ``target``."""
        return entities.merge(self._session.chat(chat_id), sources, target)

    def split_entity(self, chat_id: str, entity_id: str, alias: str) -> Changes:
        """Make an entity of its own of one alias."""
        return entities.split(self._session.chat(chat_id), entity_id, alias)

    def suggestions(self, line: Line) -> list[Suggestion]:
        """Return the pairs that wait for the user, the surest first."""
        return suggest.waiting(self._session.chat(line.chat_id), line.branch_id)

    def accept_suggestion(
        self, chat_id: str, suggestion_id: str, keep: str | None = None
    ) -> Changes:
        """Merge the two; ``keep`` is the id of the one whose name stays."""
        return suggest.accept(self._session.chat(chat_id), suggestion_id, keep)

    def dismiss_suggestion(self, chat_id: str, suggestion_id: str) -> Changes:
        """Say that the two are not the same, for good."""
        return suggest.dismiss(self._session.chat(chat_id), suggestion_id)

    def find_same(self, chat_id: str) -> Changes:
        """Look through the whole graph for entities that may be one."""
        return suggest.look_again(self._session.chat(chat_id))

    def relations_of(
        self, line: Line, entity_id: str, actors: Sequence[Actor] = (), at: int | None = None
    ) -> list[Relation]:
        """Relations of one entity, ended ones too, as all ``actors`` know them up to a floor."""
        store = self._session.chat(line.chat_id)
        return store.known_graph(line.branch_id, actors, at).relations([entity_id])

    def gaps(self, ctx: JobContext, line: Line, only: Collection[str] = ()) -> list[EntityGaps]:
        """Return what is missing of entities, for the curator; see `gaps.find`."""
        return gaps.find(ctx, self._session.chat(line.chat_id), line.branch_id, only)

    def hidden_entities(self, chat_id: str) -> list[EntityNode]:
        """Entities that the user took out of the graph."""
        return self._session.chat(chat_id).entities.hidden()

    def find_relation(self, chat_id: str, relation_id: str) -> Relation:
        """Return the ends and words of a relation. Raises NotFound."""
        return Relation(relation_id, *self._session.chat(chat_id).relation_edits.ends(relation_id))

    def entity_names(self, chat_id: str, ids: Iterable[str]) -> dict[str, str]:
        return {e.id: e.name for e in self._session.chat(chat_id).entities.fetch(sorted(ids))}

    def add_relation(
        self, line: Line, src: str, predicate: str, dst: str, floor: int | None = None
    ) -> Changes:
        """Say by hand that it is so, from ``floor`` (None: the newest) on.

        Raises NotFound, InputError.
        """
        store = self._session.chat(line.chat_id)
        return entities.add(store, src, predicate, dst, line.branch_id, floor)

    def named_in(self, line: Line, text: str) -> list[EntityNode]:
        """Return the entities that a text names, in its order."""
        every = self._session.chat(line.chat_id).entities.find("", MOST_NAMED, line.branch_id)
        named = NamedEntities((name, e.id) for e in every for name in (e.name, *e.aliases)).of(text)
        return sorted((e for e in every if e.id in named), key=lambda e: _first_named(e, text))

    def edit_relation(self, chat_id: str, relation_id: str, predicate: str) -> Changes:
        return entities.edit(self._session.chat(chat_id), relation_id, predicate)

    def end_relation(self, chat_id: str, relation_id: str, floor: int | None) -> Changes:
        """Say where it ended; `STILL_TRUE`: nothing ended it; None: as the story tells."""
        return entities.end(self._session.chat(chat_id), relation_id, floor)

    def delete_relation(self, chat_id: str, relation_id: str) -> Changes:
        return entities.delete(self._session.chat(chat_id), relation_id)

    def node_link(self, line: Line, actors: Sequence[Actor] = ()) -> dict[str, Any]:
        """The whole graph as node-link data, as all ``actors`` know it."""
        return pictures.graph_data(self._session.chat(line.chat_id), line.branch_id, actors)

    def graphml(self, line: Line, actors: Sequence[Actor] = ()) -> str:
        """The whole graph as GraphML, for other graph tools, as all ``actors`` know it."""
        return pictures.graphml(self._session.chat(line.chat_id), line.branch_id, actors)

    def places(self, chat_id: str) -> dict[str, tuple[float, float]]:
        """Where entities were put; those that never were are left out."""
        return self._session.chat(chat_id).entities.places()

    def save_layout(
        self, chat_id: str, places: entities.Places, before: entities.Places | None = None
    ) -> Changes:
        """Remember where nodes were put.

        Undone, they go back to where they were stored, else ``before``.
        """
        return entities.save_layout(self._session.chat(chat_id), places, before or {})


def _first_named(entity: EntityNode, text: str) -> int:
    """Return where in a text one of the names of an entity stands first."""
    folded = text.casefold()
    places = [folded.find(name.casefold()) for name in (entity.name, *entity.aliases)]
    return min((place for place in places if place >= 0), default=len(text))
