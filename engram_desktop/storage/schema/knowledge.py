"""The tables of memory.db for knowledge, claims and findings.

Versions 7 and 14: who perceives what, and who knows it therefore. Versions 12, 15 and 17: claims of
messages, by rules and by a model; the user's answers to findings; noted threads.
"""

from __future__ import annotations

CHAT_V7 = """
-- Sets of people who perceive something, each stored once. 0 is nobody, 1 everybody.
CREATE TABLE audience(id INTEGER PRIMARY KEY, people TEXT NOT NULL UNIQUE);
CREATE TABLE audience_member(
  norm TEXT NOT NULL, audience_id INTEGER NOT NULL, PRIMARY KEY (norm, audience_id)) WITHOUT ROWID;
INSERT INTO audience VALUES (0, '[]'), (1, '[["*", "there", 1.0]]');
INSERT INTO audience_member VALUES ('*', 1);

-- A model's answer who perceives a message; valid for the text it was given. Outside of undo: it
-- was paid for, and does not depend on events.
CREATE TABLE presence_answer(
  message_id TEXT PRIMARY KEY, swipe_hash TEXT NOT NULL, spans TEXT NOT NULL) WITHOUT ROWID;
-- What the user says: who perceives a message; who knows a memory (or does not) from which floor
-- on; who must not learn it.
CREATE TABLE presence_fix(message_id TEXT PRIMARY KEY, people TEXT NOT NULL);
CREATE TABLE knowledge_fix(
  kind TEXT NOT NULL, ref TEXT NOT NULL, norm TEXT NOT NULL, name TEXT NOT NULL,
  is_known INTEGER NOT NULL, from_floor INTEGER NOT NULL, how TEXT NOT NULL,
  PRIMARY KEY (kind, ref, norm));
CREATE TABLE kept_from(
  kind TEXT NOT NULL, ref TEXT NOT NULL, norm TEXT NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (kind, ref, norm));

-- All below is derived from these and from the story, outside of undo; `knowledge_due` lists what
-- must be derived again, and until then nobody knows it.
CREATE TABLE message_audience(
  message_id TEXT PRIMARY KEY, audience INTEGER NOT NULL, is_known INTEGER NOT NULL,
  source TEXT NOT NULL, parts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE item_audience(item_id INTEGER PRIMARY KEY, audience INTEGER NOT NULL);
CREATE INDEX item_audience_who ON item_audience(audience);
CREATE TABLE knowledge_due(
  kind TEXT NOT NULL, ref TEXT NOT NULL, PRIMARY KEY (kind, ref)) WITHOUT ROWID;

-- Not “OR IGNORE”: the policy of the statement that fires a trigger would take its place.
CREATE TRIGGER presence_due_added AFTER INSERT ON message BEGIN
  INSERT INTO knowledge_due SELECT 'turn', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = new.id);
END;
CREATE TRIGGER presence_due_changed
  AFTER UPDATE OF branch_id, seq, name, role, text, swipe_hash, is_deleted ON message BEGIN
  INSERT INTO knowledge_due SELECT 'turn', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = new.id);
END;
CREATE TRIGGER presence_due_removed AFTER DELETE ON message BEGIN
  INSERT INTO knowledge_due SELECT 'turn', old.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = old.id);
END;
CREATE TRIGGER presence_due_answered AFTER INSERT ON presence_answer BEGIN
  INSERT INTO knowledge_due SELECT 'turn', new.message_id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = new.message_id);
END;
CREATE TRIGGER presence_due_said AFTER INSERT ON presence_fix BEGIN
  INSERT INTO knowledge_due SELECT 'turn', new.message_id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = new.message_id);
END;
CREATE TRIGGER presence_due_said_anew AFTER UPDATE ON presence_fix BEGIN
  INSERT INTO knowledge_due SELECT 'turn', new.message_id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = new.message_id);
END;
CREATE TRIGGER presence_due_unsaid AFTER DELETE ON presence_fix BEGIN
  INSERT INTO knowledge_due SELECT 'turn', old.message_id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'turn' AND ref = old.message_id);
END;
CREATE TRIGGER knowledge_due_event AFTER INSERT ON event BEGIN
  INSERT INTO knowledge_due SELECT 'event', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = new.id);
END;
CREATE TRIGGER knowledge_due_event_changed AFTER UPDATE OF branch_id, summary, raw_data, scope,
  owner, start_index, end_index, parent_id, is_deleted ON event BEGIN
  INSERT INTO knowledge_due SELECT 'event', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = new.id);
  INSERT INTO knowledge_due SELECT 'event', old.parent_id WHERE old.parent_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = old.parent_id);
END;
CREATE TRIGGER knowledge_due_event_removed AFTER DELETE ON event BEGIN
  INSERT INTO knowledge_due SELECT 'event', old.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = old.id);
END;
CREATE TRIGGER knowledge_due_log AFTER INSERT ON private_log BEGIN
  INSERT INTO knowledge_due SELECT 'log', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'log' AND ref = new.id);
END;
CREATE TRIGGER knowledge_due_log_changed
  AFTER UPDATE OF scope, owner, linked_event_id, is_deleted ON private_log BEGIN
  INSERT INTO knowledge_due SELECT 'log', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'log' AND ref = new.id);
END;
CREATE TRIGGER knowledge_due_entity AFTER INSERT ON memory_item WHEN new.kind = 'entity' BEGIN
  INSERT INTO knowledge_due SELECT 'entity', new.ref WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'entity' AND ref = new.ref);
END;
CREATE TRIGGER knowledge_due_entity_changed AFTER UPDATE OF content ON memory_item
  WHEN new.kind = 'entity' BEGIN
  INSERT INTO knowledge_due SELECT 'entity', new.ref WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'entity' AND ref = new.ref);
END;
CREATE TRIGGER knowledge_due_evidence AFTER INSERT ON evidence WHEN new.entity_id IS NOT NULL BEGIN
  INSERT INTO knowledge_due SELECT 'entity', new.entity_id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'entity' AND ref = new.entity_id);
END;
CREATE TRIGGER knowledge_due_branch AFTER UPDATE OF parent_id, fork_seq, is_deleted ON branch BEGIN
  INSERT INTO knowledge_due SELECT 'branch', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'branch' AND ref = new.id);
END;
CREATE TRIGGER knowledge_item_removed AFTER DELETE ON memory_item BEGIN
  DELETE FROM item_audience WHERE item_id = old.id;
END;
CREATE TRIGGER knowledge_fixed AFTER INSERT ON knowledge_fix BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER knowledge_fixed_anew AFTER UPDATE ON knowledge_fix BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER knowledge_unfixed AFTER DELETE ON knowledge_fix BEGIN
  UPDATE revision SET number = number + 1;
END;

INSERT OR IGNORE INTO knowledge_due SELECT 'turn', id FROM message WHERE is_deleted = 0;
INSERT OR IGNORE INTO knowledge_due SELECT 'log', id FROM private_log WHERE is_deleted = 0;
INSERT OR IGNORE INTO knowledge_due SELECT DISTINCT 'entity', ref FROM memory_item
  WHERE kind = 'entity';
-- No event was ever given a scope by hand: they are known to those who were there. What was undone
-- before would come back as public.
DELETE FROM undo_step WHERE is_undone = 1;
UPDATE event SET scope = 'shared' WHERE scope = 'global';
UPDATE memory_item SET scope = 'shared' WHERE kind = 'event' AND scope = 'global';
INSERT OR IGNORE INTO knowledge_due SELECT 'event', id FROM event WHERE is_deleted = 0;
"""

CHAT_V14 = """
-- The few memories with a condition, in whatever scope.
DROP INDEX event_conditional;
DROP INDEX private_log_conditional;
CREATE INDEX event_guarded ON event(id) WHERE scope = 'conditional' OR condition <> '';
CREATE INDEX private_log_guarded ON private_log(id) WHERE scope = 'conditional' OR condition <> '';
-- While an event has a condition, nobody knows what was derived from it.
DROP TRIGGER knowledge_due_event_changed;
CREATE TRIGGER knowledge_due_event_changed AFTER UPDATE OF branch_id, summary, raw_data, scope,
  owner, condition, start_index, end_index, parent_id, is_deleted ON event BEGIN
  INSERT INTO knowledge_due SELECT 'event', new.id WHERE NOT EXISTS
    (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = new.id);
  INSERT INTO knowledge_due SELECT 'event', old.parent_id WHERE old.parent_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM knowledge_due WHERE kind = 'event' AND ref = old.parent_id);
END;
CREATE TRIGGER event_guard_changed AFTER UPDATE OF condition ON event
  WHEN ifnull(old.condition, '') <> ifnull(new.condition, '') BEGIN
  UPDATE revision SET number = number + 1;
  INSERT INTO knowledge_due SELECT 'entity', made.id FROM
    (SELECT entity_id AS id FROM evidence WHERE event_id = new.id AND entity_id IS NOT NULL
     UNION SELECT r.src FROM evidence v JOIN relation r ON r.id = v.relation_id
       WHERE v.event_id = new.id
     UNION SELECT r.dst FROM evidence v JOIN relation r ON r.id = v.relation_id
       WHERE v.event_id = new.id) made
    WHERE NOT EXISTS (SELECT 1 FROM knowledge_due WHERE kind = 'entity' AND ref = made.id);
END;
CREATE TRIGGER private_log_guard_changed AFTER UPDATE OF condition ON private_log BEGIN
  UPDATE revision SET number = number + 1;
END;
-- Who joins a group at a message, or leaves it there, as the user says.
CREATE TABLE group_member(
  message_id TEXT NOT NULL, group_norm TEXT NOT NULL, norm TEXT NOT NULL,
  group_name TEXT NOT NULL, name TEXT NOT NULL, is_member INTEGER NOT NULL,
  PRIMARY KEY (message_id, group_norm, norm));
CREATE TRIGGER group_joined AFTER INSERT ON group_member BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER group_changed AFTER UPDATE ON group_member BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER group_unsaid AFTER DELETE ON group_member BEGIN
  UPDATE revision SET number = number + 1;
END;
-- Conditions that a scope of its own did not make count before: what they guard is derived again.
INSERT OR IGNORE INTO knowledge_due SELECT 'event', id FROM event
  WHERE is_deleted = 0 AND condition <> '';
"""


# Version 12 of memory.db.

CHAT_V12 = """
-- What a message asserts, derived from its text and outside of undo. A row holds for the text, the
-- sender and the context it was read with; one that does not fit is read again at the next reading.
CREATE TABLE message_claims(
  message_id TEXT PRIMARY KEY, swipe_hash TEXT NOT NULL, sender TEXT NOT NULL,
  before TEXT NOT NULL, after TEXT NOT NULL, there TEXT NOT NULL, found TEXT NOT NULL,
  words TEXT NOT NULL, facts TEXT NOT NULL, lines TEXT NOT NULL);
-- The names and senders that the rows were read with.
CREATE TABLE claim_people(id INTEGER PRIMARY KEY CHECK (id = 1), people TEXT NOT NULL);
-- By the id of a finding, which is made of its words: it is the same after a re-import.
CREATE TABLE finding_answer(id TEXT PRIMARY KEY, answer TEXT NOT NULL);
CREATE TRIGGER finding_answered AFTER INSERT ON finding_answer BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER finding_answered_again AFTER UPDATE ON finding_answer BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER finding_unanswered AFTER DELETE ON finding_answer BEGIN
  UPDATE revision SET number = number + 1;
END;
"""


# Version 15: threads that the user noted.


CHAT_V15 = """
-- A promise or another thread that the user marked in the text. Its place is found by its words:
-- ``message_id`` and ``floor`` are where they were, for a message that was imported again.
CREATE TABLE IF NOT EXISTS noted_thread(
  id TEXT PRIMARY KEY, message_id TEXT NOT NULL, floor INTEGER NOT NULL, speaker TEXT NOT NULL,
  quote TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS thread_noted AFTER INSERT ON noted_thread BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS thread_forgotten AFTER DELETE ON noted_thread BEGIN
  UPDATE revision SET number = number + 1;
END;
"""


# Version 17: claims read by a model.


CHAT_V17 = """
-- Claims that a model read in a message; they hold for the text they were read of. Outside of undo,
-- as what it says of presence: it was paid for, and is true of these words whatever becomes of the
-- events.
CREATE TABLE IF NOT EXISTS claim_answer(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, swipe_hash TEXT NOT NULL,
  claims TEXT NOT NULL, UNIQUE (message_id, swipe_hash));
CREATE TRIGGER IF NOT EXISTS claims_answered AFTER INSERT ON claim_answer BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER IF NOT EXISTS claims_unanswered AFTER DELETE ON claim_answer BEGIN
  UPDATE revision SET number = number + 1;
END;
"""
