"""What a user does to relations by hand. Every function is one undoable step."""

from __future__ import annotations

from collections.abc import Callable

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.supersession import STILL_TRUE
from engram_desktop.domain.labels import (
    ADD_RELATION,
    DELETE_RELATION,
    EDIT_RELATION,
    END_RELATION,
    StepLabel,
)
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.phrase import Phrase
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

MAX_PREDICATE = 80  # characters, as of names that a model gives (`extraction.MAX_NAME`)


def edit(store: ChatStore, relation_id: str, predicate: str) -> Changes:
    """Say the relation in other words. Raises NotFound, InputError."""
    words = _predicate(predicate)
    edits = store.relation_edits
    return _step(store, relation_id, EDIT_RELATION, lambda: edits.rename(relation_id, words))


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
    return _step(store, relation_id, END_RELATION, lambda: edits.set_end(relation_id, floor))


def delete(store: ChatStore, relation_id: str) -> Changes:
    """Remove a relation and what told of it; the events stay."""
    edits = store.relation_edits
    return _step(store, relation_id, DELETE_RELATION, lambda: edits.delete(relation_id))


def add(
    store: ChatStore, src: str, predicate: str, dst: str, branch_id: str = MAIN_BRANCH
) -> Changes:
    """Say by hand that ``src`` is so related to ``dst``, as of the newest floor of a branch."""
    words = _predicate(predicate)
    if src == dst:
        raise InputError(Phrase(_T("reports", "A relation links two different entities.")))
    names = {e.id: e.name for e in store.entities.fetch([src, dst]) if e.merged_into is None}
    for entity_id in (src, dst):
        if entity_id not in names:
            raise NotFound("entity", entity_id)
    floor = max(0, store.messages.count(branch_id) - 1)
    label = StepLabel(ADD_RELATION, {"fact": f"{names[src]} {words} {names[dst]}"})
    with store.step(label):
        store.relation_edits.add(src, words, dst, floor)
        store.entities.refresh_items([src, dst])
    return Changes(chat_id=store.chat_id, entities=frozenset((src, dst)), undo_label=label)


def _step(store: ChatStore, relation_id: str, text: str, write: Callable[[], None]) -> Changes:
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
