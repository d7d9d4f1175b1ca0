"""What version 8 of a chat's memory.db adds: notes of turns of play, rules of state values.

As with the other versions, a released statement is never edited.
"""

from __future__ import annotations

CHAT_V8 = """
-- What is kept of turns of play: one row for each swipe of a message. ROUTINE turns are left out of
-- summaries, and with them what the player said there (a row without a note).
CREATE TABLE turn_note(
  pk INTEGER PRIMARY KEY, message_id TEXT NOT NULL, swipe INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('ROUTINE', 'CHAT', 'EVENT')),
  event_id TEXT NOT NULL DEFAULT '', note TEXT NOT NULL DEFAULT '{}',
  is_chosen INTEGER NOT NULL DEFAULT 1, UNIQUE (message_id, swipe));
CREATE INDEX turn_note_routine ON turn_note(message_id)
  WHERE level = 'ROUTINE' AND is_chosen = 1;
-- What values of the state may be, as the user said it; path is a JSON pointer.
CREATE TABLE state_rule(
  pk INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, rule TEXT NOT NULL);
-- From which floor on the state may have become another, newest last: what is kept of it in memory
-- is good as long as nothing before it changed. Only the newest few thousand are kept.
CREATE TABLE state_change(seq INTEGER PRIMARY KEY AUTOINCREMENT, floor INTEGER NOT NULL);
CREATE TRIGGER state_change_kept AFTER INSERT ON state_change BEGIN
  DELETE FROM state_change WHERE seq <= new.seq - 4096;
END;
CREATE TRIGGER message_told_otherwise AFTER UPDATE OF branch_id, seq, role, text, raw, is_deleted
  ON message WHEN old.branch_id <> new.branch_id OR old.seq <> new.seq OR old.role <> new.role
    OR old.text <> new.text OR old.raw <> new.raw OR old.is_deleted <> new.is_deleted BEGIN
  INSERT INTO state_change(floor) VALUES (min(old.seq, new.seq));
END;
CREATE TRIGGER message_told_no_more AFTER DELETE ON message BEGIN
  INSERT INTO state_change(floor) VALUES (old.seq);
END;
CREATE TRIGGER message_note_came AFTER INSERT ON message_note BEGIN
  INSERT INTO state_change(floor) SELECT seq FROM message WHERE id = new.message_id;
END;
CREATE TRIGGER message_note_changed AFTER UPDATE ON message_note BEGIN
  INSERT INTO state_change(floor) SELECT seq FROM message WHERE id = new.message_id;
END;
CREATE TRIGGER message_note_went AFTER DELETE ON message_note BEGIN
  INSERT INTO state_change(floor) SELECT seq FROM message WHERE id = old.message_id;
END;
CREATE TRIGGER state_op_came AFTER INSERT ON state_op BEGIN
  INSERT INTO state_change(floor) VALUES (new.seq);
END;
CREATE TRIGGER state_op_changed AFTER UPDATE ON state_op BEGIN
  INSERT INTO state_change(floor) VALUES (min(old.seq, new.seq));
END;
CREATE TRIGGER state_op_went AFTER DELETE ON state_op BEGIN
  INSERT INTO state_change(floor) VALUES (old.seq);
END;
CREATE TRIGGER state_rule_came AFTER INSERT ON state_rule BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
CREATE TRIGGER state_rule_changed AFTER UPDATE ON state_rule BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
CREATE TRIGGER state_rule_went AFTER DELETE ON state_rule BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
CREATE TRIGGER branch_told_otherwise AFTER UPDATE OF parent_id, fork_seq, is_deleted ON branch BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
CREATE TRIGGER shared_view_came AFTER INSERT ON shared_view BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
CREATE TRIGGER shared_view_went AFTER DELETE ON shared_view BEGIN
  INSERT INTO state_change(floor) VALUES (-1);
END;
"""
