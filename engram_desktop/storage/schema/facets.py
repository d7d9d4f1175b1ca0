"""What version 11 of a chat's memory.db adds: events are filtered and counted by what they are.

As with the other versions, a released statement is never edited.
"""

from __future__ import annotations

CHAT_V11 = """
-- Covers every list and count that is filtered: 100,000 wide rows took 0.2 s and more.
CREATE INDEX IF NOT EXISTS event_facet ON event(
  status, level, kind, confidence, extractor, is_stale, is_locked,
  branch_id, start_index, end_index, timestamp, id, significance_score, updated_at, tokens)
  WHERE is_deleted = 0;

-- Which events are found under a keyword. Derived: written by the triggers below and nothing else.
-- What is no JSON has no keywords: a damaged row keeps no chat from opening.
CREATE TABLE IF NOT EXISTS event_keyword(
  word TEXT NOT NULL, event_pk INTEGER NOT NULL, PRIMARY KEY (word, event_pk)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS event_keyword_event ON event_keyword(event_pk);
INSERT OR IGNORE INTO event_keyword(word, event_pk)
  SELECT told.value, event.pk FROM event,
    json_each(iif(json_valid(event.raw_data), event.raw_data, '{}'), '$.keywords') AS told
  WHERE typeof(told.value) = 'text';
CREATE TRIGGER IF NOT EXISTS event_keywords_told AFTER INSERT ON event BEGIN
  INSERT OR IGNORE INTO event_keyword(word, event_pk)
    SELECT told.value, new.pk
    FROM json_each(iif(json_valid(new.raw_data), new.raw_data, '{}'), '$.keywords') AS told
    WHERE typeof(told.value) = 'text';
END;
CREATE TRIGGER IF NOT EXISTS event_keywords_changed AFTER UPDATE OF raw_data ON event
  WHEN old.raw_data <> new.raw_data BEGIN
  DELETE FROM event_keyword WHERE event_pk = old.pk;
  INSERT OR IGNORE INTO event_keyword(word, event_pk)
    SELECT told.value, new.pk
    FROM json_each(iif(json_valid(new.raw_data), new.raw_data, '{}'), '$.keywords') AS told
    WHERE typeof(told.value) = 'text';
END;
CREATE TRIGGER IF NOT EXISTS event_keywords_gone AFTER DELETE ON event BEGIN
  DELETE FROM event_keyword WHERE event_pk = old.pk;
END;
"""
