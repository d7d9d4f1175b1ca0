"""Turns of a line are what its messages say."""

from __future__ import annotations

from engram_desktop.domain.memory.line import content_hash


def turns_are_true(store, branch_id="main"):
    before = ""
    for message in store.messages.slice(branch_id, 0, 10_000):
        row = store.database.rows(
            "SELECT content, content_hash, start_index, end_index FROM memory_item"
            " WHERE kind = 'turn' AND ref = ?",
            (message.id,),
        )
        if not message.text.strip():
            assert not row
            before = ""
            continue
        content, key, start, end = row[0]
        assert content == f"{message.name}: {message.text}"
        assert key == content_hash(content, before)
        assert (start, end) == (message.seq, message.seq)
        before = content
    return True
