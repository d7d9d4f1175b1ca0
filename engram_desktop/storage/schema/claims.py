"""Claims of messages, by rules and by a model; the user's answers to findings; noted threads."""

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


# Threads that the user noted: version 15 of memory.db.


CHAT_V15 = """
-- A promise or another thread that the user marked in the text. It stands where its words stand:
-- ``message_id`` and ``floor`` say where that was, for a message that was imported again.
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


# What a model said of who asserts what: version 17 of memory.db.


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
