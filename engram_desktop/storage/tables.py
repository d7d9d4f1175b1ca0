"""Peewee models of the tables in `schema`, unbound: every query names its database.

They serve single-row queries; lists, bulk writes and full-text search use SQL. The tables are made
by migrations; a test compares the two.
"""

from __future__ import annotations

import peewee as pw


class SettingRow(pw.Model):
    key = pw.TextField()
    chat_id = pw.TextField(default="")
    value = pw.TextField()

    class Meta:
        table_name = "setting"
        primary_key = pw.CompositeKey("key", "chat_id")


class Chat(pw.Model):
    id = pw.TextField(primary_key=True)
    name = pw.TextField()
    source = pw.TextField(default="")
    created_at = pw.IntegerField()
    updated_at = pw.IntegerField()


class SummaryBlock(pw.Model):
    pk = pw.AutoField()
    branch_id = pw.TextField()
    start_index = pw.IntegerField()
    end_index = pw.IntegerField()
    source_hash = pw.TextField()
    extractor = pw.TextField()
    events = pw.IntegerField()
    created_at = pw.IntegerField()
    prompt_hash = pw.TextField(default="")

    class Meta:
        table_name = "summary_block"


class ScopeStateRow(pw.Model):
    branch_id = pw.TextField(primary_key=True)
    last_summarized_floor = pw.IntegerField(default=0)
    token_usage_accumulated = pw.IntegerField(default=0)
    last_compressed_at = pw.IntegerField(default=0)
    active_summary_order = pw.IntegerField(default=0)
    last_extracted_floor = pw.IntegerField(default=0)
    automatic_from = pw.IntegerField(default=0)
    last_reflected_floor = pw.IntegerField(default=0)

    class Meta:
        table_name = "scope_state"


class UndoStepRow(pw.Model):
    id = pw.AutoField()
    group_id = pw.IntegerField()
    label = pw.TextField()
    changeset = pw.BlobField()
    created_at = pw.IntegerField()
    is_undone = pw.BooleanField(default=False)

    class Meta:
        table_name = "undo_step"


class LlmCall(pw.Model):
    id = pw.AutoField()
    at = pw.IntegerField()
    task = pw.TextField()
    model = pw.TextField()
    prompt_tokens = pw.IntegerField()
    completion_tokens = pw.IntegerField()
    elapsed_ms = pw.IntegerField()
    is_ok = pw.BooleanField()
    detail = pw.TextField(default="")

    class Meta:
        table_name = "llm_call"
