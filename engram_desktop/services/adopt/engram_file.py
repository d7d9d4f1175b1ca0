"""Memory as the sync file of the Engram extension for SillyTavern: `{entities, events, meta}`.

Field names are those of its EventNode, EntityNode and ScopeState (design notes 000 and 001). It
knows no secrets between characters: only what everybody may know is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.scope import Actor, ScopeState
from engram_desktop.services.library.json_pieces import document
from engram_desktop.storage.chat.chat_store import ChatStore

_EVERY = 1_000_000  # a limit that no chat reaches


def engram_file(
    store: ChatStore,
    events: Iterator[EventNode],
    branch_id: str,
    actors: Sequence[Actor] = (),
) -> Iterator[str]:
    """Yield the file's text in pieces. ``events`` are those that may be told of.

    With ``actors`` entities are as all of them know them.
    """
    entities = store.known_graph(branch_id, actors).known(
        store.entities.find("", _EVERY, branch_id)
    )
    return document(
        {
            "entities": map(_entity, entities),
            "events": map(_event, events),
            "meta": _meta(store.accounted_state(branch_id), store.clock()),
        }
    )


def _event(event: EventNode) -> dict[str, Any]:
    span = event.source_range
    row: dict[str, Any] = {
        "id": event.id,
        "type": "event_node",
        "status": event.status,
        "summary": event.summary,
        "structured_kv": event.structured_kv.to_json(),
        "raw_data": event.raw_data.to_json(),
        "display_text": event.display_text,
        "is_embedded": False,  # its vectors stay here: the extension makes its own
        "is_archived": event.is_archived,
        "level": event.level,
        "source_range": {"start_index": span.start_index, "end_index": span.end_index},
        "significance_score": event.significance_score,
        "timestamp": event.timestamp,
    }
    return row | ({"parent_id": event.parent_id} if event.parent_id else {})


def _entity(entity: EntityNode) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "profile": entity.profile,
        "last_updated_at": entity.last_updated_at,
    }
    if entity.layout_x is not None and entity.layout_y is not None:
        row |= {"layout_x": entity.layout_x, "layout_y": entity.layout_y}
    return row


def _meta(state: ScopeState, now: int) -> dict[str, Any]:
    return {
        "last_summarized_floor": state.last_summarized_floor,
        "token_usage_accumulated": state.token_usage_accumulated,
        "last_compressed_at": state.last_compressed_at,
        "active_summary_order": state.active_summary_order,
        "last_extracted_floor": state.last_extracted_floor,
        "lastModified": now,
    }
