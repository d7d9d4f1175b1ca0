"""The inbox of entities that may be one: what waits there, and what the user decides."""

from __future__ import annotations

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.graph.entity import Suggestion
from engram_desktop.domain.labels import DISMISS, FIND_SAME, MERGE, StepLabel
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.services.graph.suggest import stays, suggest
from engram_desktop.storage.chat.chat_store import ChatStore


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
    """Merge the two; ``keep`` is the one whose name stays. Raises NotFound. One undoable step."""
    one, other = store.entities.fetch(_pair(store, suggestion_id))
    target, source = (one, other) if stays(one, other) else (other, one)
    named = next((e for e in (one, other) if e.id == keep), target)
    label = StepLabel(MERGE, {"names": source.name, "target": named.name})
    with store.step(label):
        now = store.clock()
        store.entity_edits.merge([source.id], target.id, now)
        if named is source:
            store.entity_edits.update(target.id, now, name=source.name)
        store.suggestions.settle(suggestion_id, "accepted")
        store.entities.refresh_names([target.id])
    ids = frozenset((one.id, other.id))
    return Changes(chat_id=store.chat_id, entities=ids, undo_label=label)


def dismiss(store: ChatStore, suggestion_id: str) -> Changes:
    """Say that the two are not the same; it is never asked again."""
    one, other = store.entities.fetch(_pair(store, suggestion_id))
    if not stays(one, other):
        one, other = other, one
    label = StepLabel(DISMISS, {"one": one.name, "other": other.name})
    with store.step(label):
        store.suggestions.settle(suggestion_id, "dismissed")
    ids = frozenset((one.id, other.id))
    return Changes(chat_id=store.chat_id, entities=ids, undo_label=label)


def look_again(store: ChatStore) -> Changes:
    """Look through the whole graph for entities that may be one."""
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
