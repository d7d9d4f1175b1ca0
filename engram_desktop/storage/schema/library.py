"""The tables of library.db, as SQL: version 1, and what each later version adds.

Later versions are migrations; a released statement is never edited. The library's undo journal
watches the tables of `WATCHED_IN_LIBRARY`.
"""

from __future__ import annotations

LIBRARY_V1 = """
CREATE TABLE setting(
  key TEXT NOT NULL, chat_id TEXT NOT NULL DEFAULT '', value TEXT NOT NULL,
  PRIMARY KEY (key, chat_id)) WITHOUT ROWID;
CREATE TABLE chat(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
"""

LIBRARY_V2 = """
-- Tokens asked of models, by local day: the daily cap looks here.
CREATE TABLE usage_day(
  day TEXT PRIMARY KEY, calls INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0,
  completion_tokens INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

-- Character cards. `original` is the file as it came, with its picture; `card` its JSON.
CREATE TABLE character(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, nickname TEXT NOT NULL DEFAULT '',
  avatar TEXT NOT NULL DEFAULT '', source TEXT NOT NULL DEFAULT '', spec TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE, original BLOB NOT NULL, card BLOB NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;

-- World books. `original` is the file as it came, `content` the book as SillyTavern has it, with
-- what was changed here: the same bytes until then.
CREATE TABLE worldbook(
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL, source TEXT NOT NULL DEFAULT '',
  character_id TEXT REFERENCES character(id) ON DELETE SET NULL,
  is_global INTEGER NOT NULL DEFAULT 0, digest TEXT NOT NULL,
  original BLOB NOT NULL, content BLOB NOT NULL, entries INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX worldbook_digest ON worldbook(digest);

-- SillyTavern's regex scripts; raw is their JSON, to the byte. owner: a character or preset.
CREATE TABLE regex_script(
  id TEXT PRIMARY KEY, name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('global', 'preset', 'scoped')),
  owner TEXT NOT NULL DEFAULT '', raw TEXT NOT NULL, position INTEGER NOT NULL,
  is_enabled INTEGER NOT NULL, fault TEXT NOT NULL DEFAULT '') WITHOUT ROWID;

-- What the user wrote in place of a built-in prompt; an empty part is the built-in one.
CREATE TABLE prompt_template(
  task TEXT NOT NULL, language TEXT NOT NULL, body TEXT NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (task, language)) WITHOUT ROWID;
-- Chat files of a SillyTavern folder, by path. As of the last reading: size, time of change, and a
-- mark: the bytes up to ``mark_offset`` have this hash and hold the floors up to ``mark_floor``.
CREATE TABLE followed_file(
  path TEXT PRIMARY KEY, chat_id TEXT NOT NULL, branch_id TEXT NOT NULL,
  is_followed INTEGER NOT NULL DEFAULT 1, size INTEGER NOT NULL DEFAULT 0,
  mtime_ns INTEGER NOT NULL DEFAULT 0, mark_offset INTEGER NOT NULL DEFAULT 0,
  mark_hash TEXT NOT NULL DEFAULT '', mark_floor INTEGER NOT NULL DEFAULT 0,
  line_hash TEXT NOT NULL DEFAULT '', changed_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX followed_file_chat ON followed_file(chat_id);
"""

LIBRARY_V3 = """
-- World books made of a chat's memory and kept in step with it. `hash` is that of what was written
-- last, `next_hash` of what was about to be written: another program changed a file with neither.
CREATE TABLE kept_book(
  path TEXT PRIMARY KEY, chat_id TEXT NOT NULL, branch_id TEXT NOT NULL,
  hash TEXT NOT NULL DEFAULT '', next_hash TEXT NOT NULL DEFAULT '',
  entries INTEGER NOT NULL DEFAULT 0, written_at INTEGER NOT NULL DEFAULT 0,
  fault TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX kept_book_chat ON kept_book(chat_id);

-- Lists are read from these: the columns behind a picture are reached only by reading all of it.
CREATE INDEX character_list ON character(name, id, nickname, avatar, spec, source, updated_at);
CREATE INDEX worldbook_list ON worldbook(
  name, id, title, kind, source, entries, is_global, character_id, updated_at);

-- Characters a world book is for, beside the one whose card brought it.
CREATE TABLE book_binding(
  book_id TEXT NOT NULL REFERENCES worldbook(id) ON DELETE CASCADE,
  character_id TEXT NOT NULL REFERENCES character(id) ON DELETE CASCADE,
  PRIMARY KEY (book_id, character_id)) WITHOUT ROWID;
-- Chats the user put a world book on in.
CREATE TABLE chat_book(
  book_id TEXT NOT NULL REFERENCES worldbook(id) ON DELETE CASCADE,
  chat_id TEXT NOT NULL, PRIMARY KEY (book_id, chat_id)) WITHOUT ROWID;
"""

LIBRARY_V4 = """
-- What was done to books, characters, scripts and prompts, as in a chat.
CREATE TABLE undo_step(
  id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL, label TEXT NOT NULL,
  changeset BLOB NOT NULL, created_at INTEGER NOT NULL, is_undone INTEGER NOT NULL DEFAULT 0);
-- What settings.json of each user of SillyTavern said last, as JSON: names of tags by id, ids of
-- tags by card file, variables of all chats, how world books are scanned. Read again when size or
-- time of the file is another.
CREATE TABLE tavern_user(
  folder TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  tags TEXT NOT NULL, tagged TEXT NOT NULL, variables TEXT NOT NULL,
  scan TEXT NOT NULL) WITHOUT ROWID;
"""

LIBRARY_V5 = """
-- Volumes: what chats remember, to be read by others. `content` is the document, packed by zlib;
-- `digest` names the database that is made of it. `persons`: who knows something, with all names.
CREATE TABLE volume(
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, source TEXT NOT NULL,
  chat_id TEXT NOT NULL, branch_id TEXT NOT NULL, kinds TEXT NOT NULL, counts TEXT NOT NULL,
  persons TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, made_at INTEGER NOT NULL,
  content BLOB NOT NULL);
-- Which chats read which. A row outlives its volume: the chat then says what is missing.
CREATE TABLE volume_chat(
  volume_id TEXT NOT NULL, chat_id TEXT NOT NULL, title TEXT NOT NULL,
  attached_at INTEGER NOT NULL, PRIMARY KEY (volume_id, chat_id)) WITHOUT ROWID;
CREATE INDEX volume_chat_chat ON volume_chat(chat_id);
"""

LIBRARY_V6 = """
-- Folders of Markdown files, one for each memory of a line, kept in step with it. `marks` is JSON:
-- by id of a memory its file, the hash of the file, and that of what was rendered, when both were
-- in step last. Outside of undo: it describes the files.
CREATE TABLE kept_folder(
  path TEXT PRIMARY KEY, chat_id TEXT NOT NULL, branch_id TEXT NOT NULL,
  marks TEXT NOT NULL DEFAULT '{}', synced_at INTEGER NOT NULL DEFAULT 0,
  fault TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX kept_folder_chat ON kept_folder(chat_id);
"""

WATCHED_IN_LIBRARY = (
    "chat",
    "character",
    "worldbook",
    "book_binding",
    "chat_book",
    "regex_script",
    "prompt_template",
    "volume",
    "volume_chat",
)
