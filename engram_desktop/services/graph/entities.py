"""Edits of entities and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import (
    EntityNode,
    EntityType,
    norm_name,
)
from engram_desktop.domain.graph.profile import (
    profile_to_yaml,
)
from engram_desktop.domain.graph.relations import STILL_TRUE
from engram_desktop.domain.labels import (
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
    StepLabel,
)
from engram_desktop.domain.memory.line import MAIN_BRANCH, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.storage.chat.chat_store import ChatStore

# What a user does to entities by hand. Every function is one undoable step.
#
# Nothing is merged here by itself: a name that differs in one character may be another person.


_T = QT_TRANSLATE_NOOP
Places = Mapping[str, tuple[float, float]]

MAX_NAME = 80  # characters, as of names that a model gives (`extraction.MAX_NAME`)


def add_entity(store: ChatStore, name: str, kind: EntityType) -> tuple[str, Changes]:
    """Make an entity that nothing tells of yet; returns its id, or that of who has the name."""
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
    """Change what is given. A new name stays an alias beside the old one.

    Hidden, an entity keeps its names: what is told of it later does not bring it back.
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
    """Make these, and the name itself, all that the entity is called. Raises Conflict."""
    entity = _entity(store, entity_id)
    new_names = {norm_name(a): _name(a) for a in (*aliases, entity.name)}
    old_names = {norm_name(a): a for a in (*entity.aliases, entity.name)}

    def write() -> None:
        for norm in old_names.keys() - new_names.keys():
            store.entity_edits.remove_alias(entity_id, old_names[norm])
        for norm in new_names.keys() - old_names.keys():
            store.entity_edits.add_alias(entity_id, new_names[norm])

    return _step(store, StepLabel(EDIT_ENTITY, {"name": entity.name}), [entity_id], write)


def merge(store: ChatStore, sources: Sequence[str], target: str) -> Changes:
    """Make ``sources`` one with ``target``, which keeps its name; theirs become aliases."""
    others = [s for s in dict.fromkeys(sources) if s != target]
    if not others:
        raise InputError(Phrase(_T("reports", "Choose two entities to merge.")))
    into = _entity(store, target)
    names = [_entity(store, source).name for source in others]
    label = StepLabel(MERGE, {"names": "、".join(names), "target": into.name})
    changes = _step(
        store,
        label,
        [target, *others],
        lambda: store.entity_edits.merge(others, target, store.clock()),
        refresh=[target],
    )
    return replace(changes, notes=True)


def split(store: ChatStore, entity_id: str, alias: str) -> Changes:
    """Make an entity of its own of ``alias``, with the events that call it so and only so."""
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
    """Remember where nodes were put; ``before`` is where they go back to."""
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


# What a user does to relations by hand. Every function is one undoable step.


MAX_PREDICATE = 80  # characters, as of names that a model gives (`extraction.MAX_NAME`)


def edit(store: ChatStore, relation_id: str, predicate: str) -> Changes:
    """Say the relation in other words. Raises NotFound, InputError."""
    words = _predicate(predicate)
    edits = store.relation_edits
    return _relation_step(
        store, relation_id, EDIT_RELATION, lambda: edits.rename(relation_id, words)
    )


def end(store: ChatStore, relation_id: str, floor: int | None) -> Changes:
    """Say at which floor it ended; `STILL_TRUE` that nothing did, None leaves it to the story."""
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


def delete(store: ChatStore, relation_id: str) -> Changes:
    """Remove a relation and what told of it; the events stay."""
    edits = store.relation_edits
    return _relation_step(store, relation_id, DELETE_RELATION, lambda: edits.delete(relation_id))


def add(
    store: ChatStore,
    src: str,
    predicate: str,
    dst: str,
    branch_id: str = MAIN_BRANCH,
    floor: int | None = None,
) -> Changes:
    """Say by hand that ``src`` is so related to ``dst``, from a floor of a branch on.

    ``floor`` None: from the newest floor on.
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
