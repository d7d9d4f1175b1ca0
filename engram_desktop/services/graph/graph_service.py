"""The graph of a chat: look at its entities and relations, and edit them by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import (
    ADD_ENTITY,
    ADD_RELATION,
    DELETE_RELATION,
    EDIT_ENTITY,
    EDIT_RELATION,
    END_RELATION,
    HIDE_ENTITY,
    MERGE,
    MOVE_NODE,
    MOVE_NODES,
    SHOW_ENTITY,
    SPLIT,
    Changes,
    StepLabel,
)
from engram_desktop.domain.errors import InputError, NotFound
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
from engram_desktop.domain.graph.profile import profile_to_yaml
from engram_desktop.domain.graph.relations import STILL_TRUE
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.services.graph import gaps, pictures, suggest
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.domain.graph.gaps import EntityGaps
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session


_T = QT_TRANSLATE_NOOP
Places = Mapping[str, tuple[float, float]]

MAX_NAME = 80  # characters, the limit of names in a model's answer (`extraction.MAX_NAME`)


def add_entity(store: ChatStore, name: str, kind: EntityType) -> tuple[str, Changes]:
    """Add an entity without events; returns its id, or the id of the entity with this name."""
    name = _name(name)
    known = store.entities.aliases([norm_name(name)])
    if known:
        return next(iter(known.values())), Changes(chat_id=store.chat_id)
    entity_id = new_id()
    changes = _step(
        store,
        StepLabel(ADD_ENTITY, {"name": name}),
        [entity_id],
        lambda: store.entity_writes.add([(entity_id, name, kind)], store.clock()),
    )
    return entity_id, changes | Changes(graph=True)


def update_entity(
    store: ChatStore,
    entity_id: str,
    *,
    name: str | None = None,
    kind: EntityType | None = None,
    profile: dict[str, Any] | None = None,
    locked: bool | None = None,
    hidden: bool | None = None,
) -> Changes:
    """Change the fields that are given. The former name stays an alias.

    A hidden entity keeps its names, so later events that name it do not bring it back.
    """
    entity = _entity(store, entity_id)
    columns: dict[str, Any] = {}
    if name is not None:
        columns["name"] = _name(name)
    if kind is not None:
        columns["type"] = kind
    if profile is not None:
        columns |= {"profile": profile, "description": profile_to_yaml(profile)}
    if locked is not None:
        columns["is_locked"] = int(locked)
    if hidden is not None:
        columns["is_hidden"] = int(hidden)
    text = EDIT_ENTITY if hidden is None else HIDE_ENTITY if hidden else SHOW_ENTITY

    def write() -> None:
        if name is not None:
            store.entity_edits.add_alias(entity_id, _name(name))
        store.entity_edits.update(entity_id, store.clock(), **columns)

    return _step(store, StepLabel(text, {"name": entity.name}), [entity_id], write)


def set_aliases(store: ChatStore, entity_id: str, aliases: Iterable[str]) -> Changes:
    """Replace the aliases of an entity; its name always is one. Raises Conflict."""
    entity = _entity(store, entity_id)
    new_names = {norm_name(a): _name(a) for a in (*aliases, entity.name)}
    old_names = {norm_name(a): a for a in (*entity.aliases, entity.name)}

    def write() -> None:
        for norm in old_names.keys() - new_names.keys():
            store.entity_edits.remove_alias(entity_id, old_names[norm])
        for norm in new_names.keys() - old_names.keys():
            store.entity_edits.add_alias(entity_id, new_names[norm])

    return _step(store, StepLabel(EDIT_ENTITY, {"name": entity.name}), [entity_id], write)


def merge_entities(store: ChatStore, sources: Sequence[str], target: str) -> Changes:
    """Merge ``sources`` into ``target``, which keeps its name; theirs become aliases."""
    others = [s for s in dict.fromkeys(sources) if s != target]
    if not others:
        raise InputError(Phrase(_T("reports", "Choose two entities to merge.")))
    into = _entity(store, target)
    names = [_entity(store, source).name for source in others]
    label = StepLabel(MERGE, {"names": names, "target": into.name})
    changes = _step(
        store,
        label,
        [target, *others],
        lambda: store.entity_edits.merge(others, target, store.clock()),
        refresh=[target],
    )
    return replace(changes, notes=True)


def split_entity(store: ChatStore, entity_id: str, alias: str) -> Changes:
    """Make ``alias`` an entity of its own, with the events that use only this name."""
    entity = _entity(store, entity_id)
    norm = norm_name(alias)
    others = {norm_name(a) for a in (*entity.aliases, entity.name)} - {norm}
    if norm not in {norm_name(a) for a in entity.aliases} or not others:
        raise InputError(
            Phrase(
                _T("reports", "“{alias}” is no alias of {entity}."), alias=alias, entity=entity.name
            )
        )
    event_ids = []
    for event in store.events.by_ids(store.entities.event_ids(entity_id)):
        names = {norm_name(e.name) for e in event.raw_data.entities}
        if norm in names and not names & others:
            event_ids.append(event.id)
    split_ids: list[str] = []

    def write() -> None:
        now = store.clock()
        split_ids.append(store.entity_edits.split(entity_id, alias, entity.type, event_ids, now))

    label = StepLabel(SPLIT, {"name": alias, "target": entity.name})
    return _step(store, label, [entity_id], write, added=split_ids)


def save_layout(store: ChatStore, places: Places, before: Places) -> Changes:
    """Store the positions of nodes as one step; undoing it puts them back to ``before``."""
    label = StepLabel(MOVE_NODES, {"count": len(places)})
    if len(places) == 1:
        label = StepLabel(MOVE_NODE, {"name": _entity(store, next(iter(places))).name})
    with store.database.writing():
        store.entities.save_layout(before, only_new=True)
    with store.step(label):
        store.entities.save_layout(places)
    return Changes(chat_id=store.chat_id, undo_label=label)


def _step(
    store: ChatStore,
    label: StepLabel,
    touched: Sequence[str],
    write: Callable[[], None],
    *,
    refresh: Sequence[str] | None = None,
    added: Sequence[str] = (),
) -> Changes:
    with store.step(label):
        write()
        fresh = [*(touched if refresh is None else refresh), *added]
        store.entities.refresh_names(fresh)
    return Changes(chat_id=store.chat_id, entities=frozenset([*touched, *added]), undo_label=label)


def _entity(store: ChatStore, entity_id: str) -> EntityNode:
    entities = store.entities.fetch([entity_id])
    if not entities or entities[0].merged_into is not None:
        raise NotFound("entity", entity_id)
    return entities[0]


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > MAX_NAME or not norm_name(name):
        raise InputError(Phrase(_T("reports", "A name has 1 to {most} characters."), most=MAX_NAME))
    return name


MAX_PREDICATE = 80  # characters, the limit of names in a model's answer (`extraction.MAX_NAME`)


def edit_relation(store: ChatStore, relation_id: str, predicate: str) -> Changes:
    """Change the predicate of a relation. Raises NotFound, InputError."""
    words = _predicate(predicate)
    edits = store.relation_edits
    return _relation_step(
        store, relation_id, EDIT_RELATION, lambda: edits.rename(relation_id, words)
    )


def end_relation(store: ChatStore, relation_id: str, floor: int | None) -> Changes:
    """Set the floor where a relation ended: `STILL_TRUE` for never, None to follow the events."""
    if floor is not None and floor != STILL_TRUE and floor < 0:
        raise InputError(Phrase(_T("reports", "A floor is 0 or more.")))
    edits = store.relation_edits
    if floor is not None and floor != STILL_TRUE:
        src = edits.ends(relation_id)[0]
        relation = next((r for r in store.entities.relations_of(src) if r.id == relation_id), None)
        if relation is not None and relation.valid_from is not None and floor < relation.valid_from:
            raise InputError(
                Phrase(
                    _T("reports", "It began at floor {floor}; it cannot have ended before."),
                    floor=relation.valid_from,
                )
            )
    return _relation_step(
        store, relation_id, END_RELATION, lambda: edits.set_end(relation_id, floor)
    )


def delete_relation(store: ChatStore, relation_id: str) -> Changes:
    """Delete a relation and its evidence; the events stay."""
    edits = store.relation_edits
    return _relation_step(store, relation_id, DELETE_RELATION, lambda: edits.delete(relation_id))


def add_relation(
    store: ChatStore,
    src: str,
    predicate: str,
    dst: str,
    branch_id: str = MAIN_BRANCH,
    floor: int | None = None,
) -> Changes:
    """Add a relation from ``src`` to ``dst`` by hand, valid from ``floor`` of a branch on.

    ``floor`` None: from the newest floor on. Raises NotFound, InputError.
    """
    words = _predicate(predicate)
    if src == dst:
        raise InputError(Phrase(_T("reports", "A relation links two different entities.")))
    names = {e.id: e.name for e in store.entities.fetch([src, dst]) if e.merged_into is None}
    for entity_id in (src, dst):
        if entity_id not in names:
            raise NotFound("entity", entity_id)
    newest = max(0, store.messages.count(branch_id) - 1)
    floor = newest if floor is None else min(max(0, floor), newest)
    label = StepLabel(ADD_RELATION, {"fact": f"{names[src]} {words} {names[dst]}"})
    with store.step(label):
        store.relation_edits.add(src, words, dst, floor)
        store.entities.refresh_items([src, dst])
    return Changes(chat_id=store.chat_id, entities=frozenset((src, dst)), undo_label=label)


def _relation_step(
    store: ChatStore, relation_id: str, text: str, write: Callable[[], None]
) -> Changes:
    src, predicate, dst = store.relation_edits.ends(relation_id)
    names = {e.id: e.name for e in store.entities.fetch([src, dst])}
    label = StepLabel(text, {"fact": f"{names[src]} {predicate} {names[dst]}"})
    with store.step(label):
        write()
        store.entities.refresh_items([src, dst])
    return Changes(chat_id=store.chat_id, entities=frozenset((src, dst)), undo_label=label)


def _predicate(text: str) -> str:
    words = " ".join(text.split())
    if not 0 < len(words) <= MAX_PREDICATE:
        raise InputError(
            Phrase(
                _T("reports", "The words of a relation have 1 to {most} characters."),
                most=MAX_PREDICATE,
            )
        )
    return words


MOST_NAMED = 5_000  # entities whose names are looked for in a text, the best connected ones
ENTITIES_SHOWN = 500  # entities listed if no limit is given, the best connected first


class GraphService:
    """The graph of a chat, as a branch sees it. Every method that writes is one undoable step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find_entities(
        self, line: Line, text: str = "", limit: int = ENTITIES_SHOWN, actors: Sequence[Actor] = ()
    ) -> list[EntityNode]:
        """Return entities named like ``text`` that all ``actors`` know, best connected first."""
        store = self._session.chat(line.chat_id)
        if not actors:
            return store.entities.find(text, limit, line.branch_id)
        return pictures.find(store, line.branch_id, actors, text, limit)

    def picture(self, line: Line, around: Around, actors: Sequence[Actor] = ()) -> GraphView:
        """Return the part of the graph to draw, as all ``actors`` know it at a floor."""
        store = self._session.chat(line.chat_id)
        return pictures.picture(store, line.branch_id, around, actors)

    def path(
        self, line: Line, ends: tuple[str, str], actors: Sequence[Actor] = (), at: int | None = None
    ) -> list[Relation] | None:
        """Return the shortest path between two entities; None if they are not connected."""
        store = self._session.chat(line.chat_id)
        return pictures.path(store, line.branch_id, ends, actors, at)

    def last_floor(self, line: Line) -> int:
        """Return the newest floor of a line; 0 for an empty one."""
        return max(0, self._session.chat(line.chat_id).messages.count(line.branch_id) - 1)

    def entity_events(
        self, line: Line, entity_id: str, actors: Sequence[Actor] = (), at: int | None = None
    ) -> list[EventNode]:
        """Return the events about an entity, up to floor ``at``, that all ``actors`` know."""
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
        """Return the entity with this name or alias; None if there is none."""
        store = self._session.chat(chat_id)
        norm = norm_name(name)
        found = store.entities.fetch(list(store.entities.aliases([norm]).values()))
        return found[0] if found else None

    def add_entity(
        self, line: Line, name: str, kind: EntityType = "unknown"
    ) -> tuple[str, Changes]:
        """Add an entity by hand; an existing one of this name stays as it is. Raises InputError."""
        return add_entity(self._session.chat(line.chat_id), name, kind)

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
        """Change the given fields of an entity. Raises NotFound, InputError, Conflict."""
        return update_entity(
            self._session.chat(chat_id),
            entity_id,
            name=name,
            kind=kind,
            profile=profile,
            locked=locked,
            hidden=hidden,
        )

    def set_aliases(self, chat_id: str, entity_id: str, aliases: Sequence[str]) -> Changes:
        return set_aliases(self._session.chat(chat_id), entity_id, aliases)

    def merge_entities(self, chat_id: str, sources: Sequence[str], target: str) -> Changes:
        """Merge ``sources`` into ``target``."""
        return merge_entities(self._session.chat(chat_id), sources, target)

    def split_entity(self, chat_id: str, entity_id: str, alias: str) -> Changes:
        """Make an alias an entity of its own."""
        return split_entity(self._session.chat(chat_id), entity_id, alias)

    def suggestions(self, line: Line) -> list[Suggestion]:
        """Return the pairs of possibly equal entities that wait for the user, the surest first."""
        return suggest.waiting(self._session.chat(line.chat_id), line.branch_id)

    def accept_suggestion(
        self, chat_id: str, suggestion_id: str, keep: str | None = None
    ) -> Changes:
        """Merge a suggested pair; ``keep`` is the id of the entity whose name stays."""
        return suggest.accept(self._session.chat(chat_id), suggestion_id, keep)

    def dismiss_suggestion(self, chat_id: str, suggestion_id: str) -> Changes:
        """Store that a suggested pair is not the same entity; it is never suggested again."""
        return suggest.dismiss(self._session.chat(chat_id), suggestion_id)

    def find_same(self, chat_id: str) -> Changes:
        """Search the whole graph for entities that may be the same."""
        return suggest.look_again(self._session.chat(chat_id))

    def relations_of(
        self, line: Line, entity_id: str, actors: Sequence[Actor] = (), at: int | None = None
    ) -> list[Relation]:
        """Return the relations of an entity, ended ones too, that ``actors`` know at a floor."""
        store = self._session.chat(line.chat_id)
        return store.known_graph(line.branch_id, actors, at).relations([entity_id])

    def gaps(self, ctx: JobContext, line: Line, only: Collection[str] = ()) -> list[EntityGaps]:
        """Return the gaps of entities, for the curator; see `gaps.find`."""
        return gaps.find(ctx, self._session.chat(line.chat_id), line.branch_id, only)

    def hidden_entities(self, chat_id: str) -> list[EntityNode]:
        """Return the entities that the user hid."""
        return self._session.chat(chat_id).entities.hidden()

    def find_relation(self, chat_id: str, relation_id: str) -> Relation:
        """Return the ends and the predicate of a relation. Raises NotFound."""
        return Relation(relation_id, *self._session.chat(chat_id).relation_edits.ends(relation_id))

    def entity_names(self, chat_id: str, ids: Iterable[str]) -> dict[str, str]:
        return {e.id: e.name for e in self._session.chat(chat_id).entities.fetch(sorted(ids))}

    def add_relation(
        self, line: Line, src: str, predicate: str, dst: str, floor: int | None = None
    ) -> Changes:
        """Add a relation by hand, valid from ``floor`` on (None: the newest).

        Raises NotFound, InputError.
        """
        store = self._session.chat(line.chat_id)
        return add_relation(store, src, predicate, dst, line.branch_id, floor)

    def named_in(self, line: Line, text: str) -> list[EntityNode]:
        """Return the entities that a text names, in the order of their first names in it."""
        every = self._session.chat(line.chat_id).entities.find("", MOST_NAMED, line.branch_id)
        named = NamedEntities((name, e.id) for e in every for name in (e.name, *e.aliases)).of(text)
        return sorted((e for e in every if e.id in named), key=lambda e: _first_named(e, text))

    def edit_relation(self, chat_id: str, relation_id: str, predicate: str) -> Changes:
        return edit_relation(self._session.chat(chat_id), relation_id, predicate)

    def end_relation(self, chat_id: str, relation_id: str, floor: int | None) -> Changes:
        """Set where a relation ended; `STILL_TRUE`: never; None: derive it from the events."""
        return end_relation(self._session.chat(chat_id), relation_id, floor)

    def delete_relation(self, chat_id: str, relation_id: str) -> Changes:
        return delete_relation(self._session.chat(chat_id), relation_id)

    def node_link(self, line: Line, actors: Sequence[Actor] = ()) -> dict[str, Any]:
        """Return the whole graph as node-link data, as all ``actors`` know it."""
        return pictures.graph_data(self._session.chat(line.chat_id), line.branch_id, actors)

    def graphml(self, line: Line, actors: Sequence[Actor] = ()) -> str:
        """Return the whole graph as GraphML, for other graph tools, as all ``actors`` know it."""
        return pictures.graphml(self._session.chat(line.chat_id), line.branch_id, actors)

    def places(self, chat_id: str) -> dict[str, tuple[float, float]]:
        """Return the stored positions of entities; entities without one are left out."""
        return self._session.chat(chat_id).entities.places()

    def save_layout(self, chat_id: str, places: Places, before: Places | None = None) -> Changes:
        """Store the positions of nodes as one step.

        Undoing it puts them back to their former positions, or to ``before`` if none was stored.
        """
        return save_layout(self._session.chat(chat_id), places, before or {})


def _first_named(entity: EntityNode, text: str) -> int:
    """Return the first index in a text of any name of an entity; its length if none occurs."""
    folded = text.casefold()
    places = [folded.find(name.casefold()) for name in (entity.name, *entity.aliases)]
    return min((place for place in places if place >= 0), default=len(text))
