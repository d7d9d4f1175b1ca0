"""The tables of a chat's memory.db, as SQL: version 1, and what each later version adds.

Later versions are migrations; a released statement is never edited. The undo journal watches the
tables of `WATCHED`. `memory_embedding`, `outbox` and the FTS tables are derived from them, by
triggers where SQL suffices, so that undo and redo keep them correct.
"""

from __future__ import annotations

CHAT_V1 = """
CREATE TABLE branch(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent_id TEXT REFERENCES branch(id),
  fork_seq INTEGER, name TEXT NOT NULL, source TEXT NOT NULL DEFAULT '',
  is_deleted INTEGER NOT NULL DEFAULT 0);

CREATE TABLE message(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, branch_id TEXT NOT NULL REFERENCES branch(id),
  seq INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
  is_hidden INTEGER NOT NULL DEFAULT 0, text TEXT NOT NULL, swipe_hash TEXT NOT NULL,
  sent_at INTEGER, speaker_id TEXT NOT NULL DEFAULT '', raw TEXT NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0);
-- Not unique: a changeset moves floors one row at a time and would meet itself on the way.
CREATE INDEX message_seq ON message(branch_id, seq) WHERE is_deleted = 0;

CREATE TABLE event(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, branch_id TEXT NOT NULL REFERENCES branch(id),
  summary TEXT NOT NULL, structured_kv TEXT NOT NULL, raw_data TEXT NOT NULL,
  display_text TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('buffer', 'archived')),
  is_archived INTEGER NOT NULL DEFAULT 0, is_embedded INTEGER NOT NULL DEFAULT 0,
  level INTEGER NOT NULL DEFAULT 0, start_index INTEGER NOT NULL, end_index INTEGER NOT NULL,
  significance_score REAL NOT NULL DEFAULT 0.5, timestamp INTEGER NOT NULL,
  order_key REAL NOT NULL DEFAULT 0, parent_id TEXT, kind TEXT NOT NULL DEFAULT 'event',
  source_hash TEXT NOT NULL DEFAULT '', extractor TEXT NOT NULL,
  scope TEXT NOT NULL DEFAULT 'global', owner TEXT, condition TEXT,
  is_locked INTEGER NOT NULL DEFAULT 0, is_stale INTEGER NOT NULL DEFAULT 0,
  is_deleted INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL,
  CHECK (is_archived = (status = 'archived')));
CREATE INDEX event_story ON event(
  is_deleted, start_index, end_index, timestamp, pk, branch_id);
-- Covers a search: thousands of hits are put in story order without reading the wide rows.
CREATE INDEX event_place ON event(
  id, is_deleted, start_index, end_index, timestamp, branch_id);
CREATE INDEX event_status ON event(status, is_deleted, level);

CREATE TABLE event_participant(
  event_id TEXT NOT NULL REFERENCES event(id), norm TEXT NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (event_id, norm)) WITHOUT ROWID;

CREATE TABLE summary_block(
  pk INTEGER PRIMARY KEY, branch_id TEXT NOT NULL, start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL, source_hash TEXT NOT NULL, extractor TEXT NOT NULL,
  events INTEGER NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX summary_block_range ON summary_block(branch_id, start_index);

CREATE TABLE entity(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, type TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '', profile TEXT NOT NULL DEFAULT '{}',
  last_updated_at INTEGER NOT NULL, layout_x REAL, layout_y REAL,
  is_locked INTEGER NOT NULL DEFAULT 0, merged_into TEXT);
CREATE TABLE entity_alias(
  norm TEXT PRIMARY KEY, entity_id TEXT NOT NULL REFERENCES entity(id), name TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT 'extracted') WITHOUT ROWID;
CREATE INDEX entity_alias_entity ON entity_alias(entity_id);

CREATE TABLE relation(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, src TEXT NOT NULL REFERENCES entity(id),
  predicate TEXT NOT NULL, dst TEXT NOT NULL REFERENCES entity(id),
  valid_from INTEGER, valid_to INTEGER);
CREATE UNIQUE INDEX relation_edge ON relation(src, predicate, dst);
CREATE INDEX relation_dst ON relation(dst);

CREATE TABLE evidence(
  pk INTEGER PRIMARY KEY, relation_id TEXT REFERENCES relation(id),
  entity_id TEXT REFERENCES entity(id), event_id TEXT REFERENCES event(id), message_id TEXT);
CREATE INDEX evidence_relation ON evidence(relation_id, event_id) WHERE relation_id IS NOT NULL;
CREATE INDEX evidence_entity ON evidence(entity_id, event_id) WHERE entity_id IS NOT NULL;
CREATE INDEX evidence_event ON evidence(event_id);

CREATE TABLE private_log(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, branch_id TEXT NOT NULL, owner TEXT NOT NULL,
  linked_event_id TEXT, content TEXT NOT NULL, emotion_tags TEXT NOT NULL DEFAULT '[]',
  scope TEXT NOT NULL DEFAULT 'private', condition TEXT, start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL, timestamp INTEGER NOT NULL, is_stale INTEGER NOT NULL DEFAULT 0,
  is_deleted INTEGER NOT NULL DEFAULT 0);

CREATE TABLE state_op(
  pk INTEGER PRIMARY KEY, branch_id TEXT NOT NULL, seq INTEGER NOT NULL, path TEXT NOT NULL,
  op TEXT NOT NULL, value TEXT NOT NULL, source TEXT NOT NULL);

CREATE TABLE scope_state(
  branch_id TEXT PRIMARY KEY, last_summarized_floor INTEGER NOT NULL DEFAULT 0,
  token_usage_accumulated INTEGER NOT NULL DEFAULT 0,
  last_compressed_at INTEGER NOT NULL DEFAULT 0, active_summary_order INTEGER NOT NULL DEFAULT 0,
  last_extracted_floor INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

CREATE TABLE memory_item(
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, branch_id TEXT NOT NULL,
  content TEXT NOT NULL, content_hash TEXT NOT NULL, start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL, scope TEXT NOT NULL DEFAULT 'global', owner TEXT);
-- An entity has an item for every branch that knows it; the others have one.
CREATE UNIQUE INDEX memory_item_ref ON memory_item(kind, ref, branch_id);
CREATE INDEX memory_item_what ON memory_item(id, kind, ref);
CREATE INDEX memory_item_turn ON memory_item(branch_id, start_index) WHERE kind = 'turn';

CREATE TABLE memory_embedding(
  pk INTEGER PRIMARY KEY, item_id INTEGER NOT NULL, model TEXT NOT NULL, dim INTEGER NOT NULL,
  content_hash TEXT NOT NULL, vector_blob BLOB NOT NULL, UNIQUE (item_id, model));
CREATE INDEX memory_embedding_hash ON memory_embedding(content_hash, model);
CREATE TABLE outbox(seq INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL);

-- Which rows hold a token is all that is asked of it: no positions, no texts.
CREATE VIRTUAL TABLE memory_lexicon USING fts5(
  tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE memory_lexicon_term USING fts5vocab(memory_lexicon, row);
-- A number that grows with every change recall could notice; caches compare it.
CREATE TABLE revision(id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);
INSERT INTO revision VALUES (1, 0);

CREATE TRIGGER memory_item_added AFTER INSERT ON memory_item BEGIN
  INSERT INTO memory_lexicon(rowid, tokens) VALUES (new.id, engram_tokens(new.content));
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding WHERE item_id = new.id;
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_removed AFTER DELETE ON memory_item BEGIN
  DELETE FROM memory_lexicon WHERE rowid = old.id;
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding WHERE item_id = old.id;
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_moved AFTER UPDATE ON memory_item BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_changed AFTER UPDATE OF content, content_hash ON memory_item BEGIN
  DELETE FROM memory_lexicon WHERE rowid = old.id AND old.content <> new.content;
  INSERT INTO memory_lexicon(rowid, tokens)
    SELECT new.id, engram_tokens(new.content) WHERE old.content <> new.content;
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding
    WHERE item_id = new.id AND old.content_hash <> new.content_hash;
END;
CREATE TRIGGER memory_embedding_added AFTER INSERT ON memory_embedding BEGIN
  INSERT INTO outbox(item_id) VALUES (new.item_id);
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER evidence_added AFTER INSERT ON evidence BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER evidence_removed AFTER DELETE ON evidence BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER alias_added AFTER INSERT ON entity_alias BEGIN
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER alias_removed AFTER DELETE ON entity_alias BEGIN
  UPDATE revision SET number = number + 1;
END;

CREATE TABLE recall_log(
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, query TEXT NOT NULL, hits TEXT NOT NULL,
  elapsed_ms REAL NOT NULL);
CREATE TABLE llm_call(
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL,
  prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
  elapsed_ms INTEGER NOT NULL, is_ok INTEGER NOT NULL, detail TEXT NOT NULL DEFAULT '');
CREATE TABLE undo_step(
  id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL, label TEXT NOT NULL,
  changeset BLOB NOT NULL, created_at INTEGER NOT NULL, is_undone INTEGER NOT NULL DEFAULT 0);
"""

CHAT_V2 = """
ALTER TABLE event ADD COLUMN confidence TEXT NOT NULL DEFAULT 'model';
UPDATE event SET confidence = CASE extractor WHEN 'manual' THEN 'confirmed'
  WHEN 'llm' THEN 'model' WHEN 'extractive' THEN 'extracted' ELSE 'imported' END;

ALTER TABLE private_log ADD COLUMN confidence TEXT NOT NULL DEFAULT 'model';
CREATE TRIGGER event_trusted AFTER UPDATE OF confidence ON event
  WHEN old.confidence <> new.confidence BEGIN
  UPDATE revision SET number = number + 1;
END;

ALTER TABLE private_log ADD COLUMN extractor TEXT NOT NULL DEFAULT 'manual';
ALTER TABLE private_log ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX private_log_story ON private_log(branch_id, start_index) WHERE is_deleted = 0;

-- Hidden, an entity keeps its names, so that it does not come back as a new one.
ALTER TABLE entity ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;

-- While the model changes, each item has vectors of the old and of the new one.
CREATE INDEX memory_embedding_model ON memory_embedding(model);
-- Who spoke is asked before every step of the pipeline: never by reading the wide rows.
CREATE INDEX message_voice ON message(role, name, speaker_id) WHERE is_deleted = 0;

ALTER TABLE memory_item ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scope_state ADD COLUMN automatic_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE summary_block ADD COLUMN prompt_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE recall_log ADD COLUMN detail TEXT NOT NULL DEFAULT '';

-- Answers of a model that are not saved yet: no request is paid for twice.
-- answered: about to be stored; waiting: for the user's review; failed: could not be read.
-- Kept outside of undo steps and deleted inside of them: a key is never used twice.
CREATE TABLE draft(
  pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, branch_id TEXT NOT NULL,
  start_index INTEGER NOT NULL, end_index INTEGER NOT NULL, source_hash TEXT NOT NULL,
  prompt_hash TEXT NOT NULL, purpose TEXT NOT NULL CHECK (purpose IN ('new', 'redo')),
  state TEXT NOT NULL CHECK (state IN ('answered', 'waiting', 'failed')),
  extractor TEXT NOT NULL, model TEXT NOT NULL DEFAULT '', answer TEXT NOT NULL,
  events TEXT NOT NULL DEFAULT '[]', reason TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL);
CREATE INDEX draft_asked ON draft(source_hash, prompt_hash);

-- Entities that may be one and the same; the user decides.
CREATE TABLE suggestion(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, src TEXT NOT NULL REFERENCES entity(id),
  dst TEXT NOT NULL REFERENCES entity(id), score REAL NOT NULL, reason TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'dismissed')),
  created_at INTEGER NOT NULL);
CREATE UNIQUE INDEX suggestion_pair ON suggestion(src, dst);

-- Questions of the recall lab with what should be found: expected is a list of item references.
CREATE TABLE lab_question(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, query TEXT NOT NULL, expected TEXT NOT NULL,
  branch_id TEXT NOT NULL, at INTEGER, created_at INTEGER NOT NULL);

-- An injection held still for some turns, so that a server's prompt cache stays good.
CREATE TABLE frozen_injection(
  branch_id TEXT PRIMARY KEY, floor INTEGER NOT NULL, turns INTEGER NOT NULL,
  injection TEXT NOT NULL) WITHOUT ROWID;
"""

CHAT_V3 = """
-- The first line of the file a line was read from: its front end's notes, variables among them.
-- Outside of undo: it describes the file, not the messages.
CREATE TABLE file_header(
  branch_id TEXT PRIMARY KEY, raw TEXT NOT NULL) WITHOUT ROWID;
-- How many floors were looked back on.
ALTER TABLE scope_state ADD COLUMN last_reflected_floor INTEGER NOT NULL DEFAULT 0;
-- Answers of a look back that are not stored yet. Outside of undo, as drafts are kept.
CREATE TABLE reflection_answer(
  prompt_hash TEXT PRIMARY KEY, answer TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID;

-- The newest JSON of a message in its file, if only fields beside its text changed: notes of other
-- tools, variables. Outside of undo, as the header; valid while the text of the message stays.
CREATE TABLE message_note(
  message_id TEXT PRIMARY KEY, swipe_hash TEXT NOT NULL, raw TEXT NOT NULL) WITHOUT ROWID;

-- Which other tool's memory an event was, and where that stood; empty for our own.
ALTER TABLE event ADD COLUMN origin TEXT NOT NULL DEFAULT '';
"""

CHAT_V4 = """
-- Entities whose items lack something of newer events: the items are rewritten when the job that
-- stored these events ends or, if it was killed, when the chat is opened.
CREATE TABLE entity_due(pk INTEGER PRIMARY KEY, entity_id TEXT NOT NULL UNIQUE);

-- The few memories that are known only when something is true.
CREATE INDEX event_conditional ON event(id) WHERE scope = 'conditional';
CREATE INDEX private_log_conditional ON private_log(id) WHERE scope = 'conditional';
-- What an event's summary costs a model: counted once, summed after every change.
ALTER TABLE event ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
UPDATE event SET tokens = engram_cost(summary);
CREATE TRIGGER event_costed AFTER INSERT ON event BEGIN
  UPDATE event SET tokens = engram_cost(new.summary) WHERE pk = new.pk;
END;
CREATE TRIGGER event_recosted AFTER UPDATE OF summary ON event
  WHEN old.summary <> new.summary BEGIN
  UPDATE event SET tokens = engram_cost(new.summary) WHERE pk = new.pk;
END;
-- Covers all that is counted after every change, without a look at the wide rows.
CREATE INDEX event_line ON event(branch_id, start_index, end_index, level, status, is_locked,
  is_stale, parent_id, tokens) WHERE is_deleted = 0;

-- Other tools whose memories were imported, so that changes there can follow. ``is_left_out``: the
-- user deleted all of them.
CREATE TABLE adopted_origin(
  origin TEXT PRIMARY KEY, is_left_out INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO adopted_origin(origin) SELECT DISTINCT origin FROM event WHERE origin <> ''
  AND is_deleted = 0;
"""

CHAT_V5 = """
-- The parts of an outline are read for every injection, and when an event becomes stale.
CREATE INDEX event_parent ON event(parent_id) WHERE parent_id IS NOT NULL;
-- The few memories that are no longer true are kept out of every recall.
CREATE INDEX event_stale ON event(id) WHERE is_stale = 1 AND is_deleted = 0;
CREATE INDEX private_log_stale ON private_log(id) WHERE is_stale = 1 AND is_deleted = 0;
-- Which item changed, newest last: a program that caches items in memory updates them by it. Only
-- the newest few thousand rows are kept; a program that is further behind reads everything.
CREATE TABLE item_change(seq INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL);
CREATE TRIGGER item_change_kept AFTER INSERT ON item_change BEGIN
  DELETE FROM item_change WHERE seq <= new.seq - 4096;
END;

CREATE TRIGGER memory_item_added AFTER INSERT ON memory_item BEGIN
  INSERT INTO memory_lexicon(rowid, tokens) VALUES (new.id, engram_tokens(new.content));
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding WHERE item_id = new.id;
  INSERT INTO item_change(item_id) VALUES (new.id);
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_removed AFTER DELETE ON memory_item BEGIN
  DELETE FROM memory_lexicon WHERE rowid = old.id;
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding WHERE item_id = old.id;
  INSERT INTO item_change(item_id) VALUES (old.id);
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_moved AFTER UPDATE ON memory_item BEGIN
  INSERT INTO item_change(item_id) SELECT old.id WHERE old.id <> new.id;
  INSERT INTO item_change(item_id) VALUES (new.id);
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_item_changed AFTER UPDATE OF content, content_hash ON memory_item BEGIN
  DELETE FROM memory_lexicon WHERE rowid = old.id AND old.content <> new.content;
  INSERT INTO memory_lexicon(rowid, tokens)
    SELECT new.id, engram_tokens(new.content) WHERE old.content <> new.content;
  INSERT INTO outbox(item_id) SELECT DISTINCT item_id FROM memory_embedding
    WHERE item_id = new.id AND old.content_hash <> new.content_hash;
END;

-- Lists that are read whole when a chat is first asked come from these, not from the wide rows.
DROP INDEX memory_item_turn;
CREATE INDEX memory_item_place ON memory_item(kind, branch_id, start_index, end_index, is_muted);
DROP INDEX memory_item_what;
CREATE INDEX memory_item_what ON memory_item(id, kind, ref, content_hash);
CREATE INDEX memory_item_guarded ON memory_item(scope, owner) WHERE scope <> 'global';
DROP INDEX message_seq;
CREATE INDEX message_seq ON message(branch_id, seq, name, role, sent_at) WHERE is_deleted = 0;

-- Grows when a line is changed and not only continued.
ALTER TABLE revision ADD COLUMN rewritten INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER message_rewritten AFTER UPDATE OF branch_id, seq, swipe_hash, is_deleted ON message
  WHEN old.branch_id <> new.branch_id OR old.seq <> new.seq OR old.swipe_hash <> new.swipe_hash
    OR old.is_deleted <> new.is_deleted BEGIN
  UPDATE revision SET rewritten = rewritten + 1;
END;
CREATE TRIGGER message_taken_back AFTER DELETE ON message BEGIN
  UPDATE revision SET rewritten = rewritten + 1;
END;
CREATE TRIGGER branch_moved AFTER UPDATE OF parent_id, fork_seq, is_deleted ON branch BEGIN
  UPDATE revision SET rewritten = rewritten + 1;
END;
"""
# Vectors shrink to a quarter: see `vectors.packed`. The table is made again, since its rows were a
# page each; its triggers and indexes go with the old one.
CHAT_V5_NEW_VECTORS = """
CREATE TABLE packed_embedding(
  pk INTEGER PRIMARY KEY, item_id INTEGER NOT NULL, model TEXT NOT NULL, dim INTEGER NOT NULL,
  content_hash TEXT NOT NULL, vector_blob BLOB NOT NULL, UNIQUE (item_id, model));
"""
CHAT_V5_VECTORS_MADE = """
-- A table that triggers name cannot be replaced: they come back with the rest of this version.
DROP TRIGGER memory_item_added;
DROP TRIGGER memory_item_removed;
DROP TRIGGER memory_item_moved;
DROP TRIGGER memory_item_changed;
DROP TABLE memory_embedding;
ALTER TABLE packed_embedding RENAME TO memory_embedding;
CREATE INDEX memory_embedding_hash ON memory_embedding(content_hash, model);
CREATE INDEX memory_embedding_model ON memory_embedding(model);
CREATE TRIGGER memory_embedding_added AFTER INSERT ON memory_embedding BEGIN
  INSERT INTO outbox(item_id) VALUES (new.item_id);
  INSERT INTO item_change(item_id) VALUES (new.item_id);
  UPDATE revision SET number = number + 1;
END;
CREATE TRIGGER memory_embedding_removed AFTER DELETE ON memory_embedding BEGIN
  INSERT INTO item_change(item_id) VALUES (old.item_id);
END;
"""
CHAT_V6 = """
-- What the file of a branch says otherwise of a message it shares with its parent, beside its text.
CREATE TABLE shared_view(
  pk INTEGER PRIMARY KEY, branch_id TEXT NOT NULL, message_id TEXT NOT NULL, name TEXT NOT NULL,
  role TEXT NOT NULL, speaker_id TEXT NOT NULL, is_hidden INTEGER NOT NULL,
  swipe_hash TEXT NOT NULL, UNIQUE (branch_id, message_id));
CREATE INDEX shared_view_message ON shared_view(message_id);
CREATE TRIGGER message_said_alike AFTER UPDATE OF name, role, speaker_id, is_hidden ON message BEGIN
  DELETE FROM shared_view WHERE message_id = new.id AND (name, role, speaker_id, is_hidden)
    = (new.name, new.role, new.speaker_id, new.is_hidden);
END;
-- It holds for the text it was made of.
CREATE TRIGGER message_said_otherwise AFTER UPDATE OF text, is_deleted ON message
  WHEN old.text <> new.text OR old.is_deleted <> new.is_deleted BEGIN
  DELETE FROM shared_view WHERE message_id = new.id;
END;
CREATE TRIGGER shared_view_added AFTER INSERT ON shared_view BEGIN
  UPDATE revision SET rewritten = rewritten + 1;
END;
CREATE TRIGGER shared_view_removed AFTER DELETE ON shared_view BEGIN
  UPDATE revision SET rewritten = rewritten + 1;
END;
"""

WATCHED = (
    "branch",
    "message",
    "shared_view",
    "event",
    "event_participant",
    "summary_block",
    "entity",
    "entity_alias",
    "relation",
    "evidence",
    "entity_due",
    "private_log",
    "state_op",
    "scope_state",
    "memory_item",
    "draft",
    "suggestion",
    "lab_question",
    "adopted_origin",
    "presence_fix",
    "knowledge_fix",
    "kept_from",
    "group_member",
    "turn_note",
    "state_rule",
    "event_apart",
    "finding_answer",
    "inbox_answer",
    "noted_thread",
    "private_note",
)


# Version 11: events filtered and counted by facets.


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


# Version 10: pairs of events that are no duplicates.


CHAT_V10 = """
-- Pairs of similar events that the user keeps apart. By id, the smaller first.
CREATE TABLE event_apart(
  pk INTEGER PRIMARY KEY, one TEXT NOT NULL, other TEXT NOT NULL, UNIQUE (one, other));
"""


# Version 8: notes of turns of play, rules of state values.


CHAT_V8 = """
-- Turns of play: one row for each swipe of a message. ROUTINE turns are left out of summaries, and
-- with them what the player said there (a row without a note).
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
-- The floors from which the state may have changed, newest last: a state cached in memory is valid
-- if none of them is before it. Only the newest few thousand rows are kept.
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


# Version 9: indexes for short lists that every prompt reads.


CHAT_V9 = """
-- A handful of rows each, of 100,000: read from the wide rows they took 20 ms.
CREATE INDEX IF NOT EXISTS memory_item_muted ON memory_item(start_index, id) WHERE is_muted = 1;
CREATE INDEX IF NOT EXISTS event_outline ON event(branch_id, start_index, id)
  WHERE level >= 1 AND is_deleted = 0;
"""


# Version 13: dismissed and postponed items of the inbox.


CHAT_V13 = """
-- By the id of an item, made of its kind and what it is about. ``seen`` is a hash of how it read:
-- what reads otherwise waits again. What is put off waits again from ``until`` on, in milliseconds;
-- 0: it was put away.
CREATE TABLE inbox_answer(
  id TEXT PRIMARY KEY, seen TEXT NOT NULL, until INTEGER NOT NULL);
"""


# Version 16: private notes of the user, which no model ever sees.


CHAT_V16 = """
-- On an event, an entity or a message, by its id; of the chat itself ``ref`` is empty. No item, no
-- index and no prompt is made of it.
CREATE TABLE private_note(
  pk INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('chat', 'event', 'entity', 'message')),
  ref TEXT NOT NULL, text TEXT NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (kind, ref));
"""


# Version 18: which messages were changed last.


CHAT_V18 = """
-- One row for each change of the text, name or flag of a message: readers that keep lines in
-- memory read again what changed. The newest 64 are kept; a reader that missed more reads all.
-- ``is_rewritten``: the change is counted in ``revision.rewritten`` too.
CREATE TABLE IF NOT EXISTS line_change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, branch_id TEXT NOT NULL, floor INTEGER NOT NULL,
  is_rewritten INTEGER NOT NULL);
CREATE TRIGGER IF NOT EXISTS line_change_kept AFTER INSERT ON line_change BEGIN
  DELETE FROM line_change WHERE seq <= new.seq - 64;
END;
CREATE TRIGGER IF NOT EXISTS message_line_rewritten AFTER UPDATE OF swipe_hash ON message
  WHEN old.branch_id = new.branch_id AND old.seq = new.seq AND old.is_deleted = new.is_deleted
    AND old.swipe_hash <> new.swipe_hash BEGIN
  INSERT INTO line_change(branch_id, floor, is_rewritten) VALUES (new.branch_id, new.seq, 1);
END;
CREATE TRIGGER IF NOT EXISTS message_reshown AFTER UPDATE OF name, role, is_hidden ON message
  WHEN old.name <> new.name OR old.role <> new.role OR old.is_hidden <> new.is_hidden BEGIN
  INSERT INTO line_change(branch_id, floor, is_rewritten) VALUES (new.branch_id, new.seq, 0);
END;
"""


# Version 19: changes of items have marks.


CHAT_V19 = """
-- A random mark for each change: a file beside the database stores the newest one, which shows
-- whether the database continued from that state or was set back to another (`recall/vectors.py`).
DROP TABLE item_change;
CREATE TABLE item_change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL,
  mark INTEGER NOT NULL DEFAULT (random()));
CREATE TRIGGER item_change_kept AFTER INSERT ON item_change BEGIN
  DELETE FROM item_change WHERE seq <= new.seq - 4096;
END;
INSERT INTO item_change(item_id) SELECT 0 WHERE EXISTS (SELECT 1 FROM memory_embedding);
"""
