"""What version 9 of a chat's memory.db adds: short lists that every prompt asks for, as indexes.

As with the other versions, a released statement is never edited.
"""

from __future__ import annotations

CHAT_V9 = """
-- A handful of rows each, of 100,000: read from the wide rows they took 20 ms.
CREATE INDEX IF NOT EXISTS memory_item_muted ON memory_item(start_index, id) WHERE is_muted = 1;
CREATE INDEX IF NOT EXISTS event_outline ON event(branch_id, start_index, id)
  WHERE level >= 1 AND is_deleted = 0;
"""
