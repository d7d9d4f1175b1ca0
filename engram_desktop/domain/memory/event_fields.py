"""An event as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.memory.event import EventNode


def event_fields(event: EventNode) -> dict[str, Any]:
    """Every field of an event, as the command line and JSON exports give it."""
    return {
        "pk": event.pk,
        "id": event.id,
        "branch_id": event.branch_id,
        "summary": event.summary,
        "structured_kv": event.structured_kv.to_json(),
        "raw_data": event.raw_data.to_json(),
        "display_text": event.display_text,
        "status": event.status,
        "is_archived": event.is_archived,
        "is_embedded": event.is_embedded,
        "level": event.level,
        "start_index": event.source_range.start_index,
        "end_index": event.source_range.end_index,
        "significance_score": event.significance_score,
        "timestamp": event.timestamp,
        "order_key": event.order_key,
        "parent_id": event.parent_id,
        "kind": event.kind,
        "source_hash": event.source_hash,
        "extractor": event.extractor,
        "confidence": event.confidence,
        "origin": event.origin,
        "scope": event.scope,
        "owner": event.owner,
        "condition": event.condition,
        "participants": list(event.participants),
        "is_locked": event.is_locked,
        "is_stale": event.is_stale,
        "is_deleted": event.is_deleted,
    }
