"""What an undo or a redo changed, worked out from the rows and columns it touched."""

from __future__ import annotations

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import StepLabel
from engram_desktop.storage.journal import Touched


def changes_of(chat_id: str, label: StepLabel, touched: Touched) -> Changes:
    """Return what changed in a chat; ids of events and entities are the caller's to add."""
    came_or_went = touched.has_moved("event") or touched.has_updated("event", "is_deleted")
    return Changes(
        chat_id=chat_id,
        messages=bool(touched.of("message") or touched.of("turn_note")),
        logs=bool(touched.of("private_log")),
        rows=came_or_went,
        order=touched.has_updated("event", "start_index", "end_index", "order_key", "branch_id"),
        counts=came_or_went
        or touched.has_updated("event", "status", "level", "is_stale", "parent_id")
        or bool(touched.of("summary_block")),
        texts=touched.has_updated("event", "summary", "raw_data", "display_text", "kind", "scope"),
        trust=touched.has_updated("event", "confidence"),
        graph=came_or_went
        or touched.has_moved("entity", "entity_alias", "relation", "evidence", "suggestion"),
        branches=bool(touched.of("branch")),
        drafts=bool(touched.of("draft")),
        state=bool(touched.of("state_op") or touched.of("state_rule")),
        recall=bool(touched.of("lab_question")) or touched.has_updated("memory_item", "is_muted"),
        knowledge=bool(
            touched.of("presence_fix") or touched.of("knowledge_fix") or touched.of("kept_from")
        ),
        undo_label=label,
    )
