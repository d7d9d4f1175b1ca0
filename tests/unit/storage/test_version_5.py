"""Databases of version 4 become version 5: vectors in a quarter of the space, none made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engram_desktop.domain.labels import EDIT, StepLabel
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter
from engram_desktop.storage.care.migrations import CHAT, open_database
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.columns import ItemChanges
from tests.factories import counting_clock, make_message, make_store

COUNT = 4_500  # more than are converted, and more than are read, at a time
MODEL = "test"
EVERYTHING = ItemFilter(ITEM_KINDS, (("main", None),))


def unit_rows(count: int) -> np.ndarray:
    rows = np.random.default_rng(1).normal(size=(count, 64)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def old_chat(folder) -> np.ndarray:
    """Make a chat of version 4; return the vectors of its items, by id from 1 on."""
    folder.mkdir()
    rows = unit_rows(COUNT)
    old = open_database(folder / "memory.db", CHAT[:4], folder, create=True)
    with old.writing():
        old.run_many("INSERT INTO branch(id, name) VALUES ('main', '')", [()])
        old.run_many(
            "INSERT INTO message(id, branch_id, seq, name, role, text, swipe_hash, raw)"
            " VALUES (?, 'main', ?, '爱丽丝', 'assistant', '钥匙', 'h', '{}')",
            [(f"m{n}", n) for n in range(COUNT)],
        )
        old.run_many(
            "INSERT INTO memory_item(id, kind, ref, branch_id, content, content_hash,"
            " start_index, end_index) VALUES (?, 'turn', ?, 'main', ?, ?, ?, ?)",
            [(n + 1, f"m{n}", f"爱丽丝: 钥匙{n}", f"k{n}", n, n) for n in range(COUNT)],
        )
        old.run_many(
            "INSERT INTO memory_embedding(item_id, model, dim, content_hash, vector_blob)"
            " VALUES (?, ?, 64, ?, ?)",
            [(n + 1, MODEL, f"k{n}", row.tobytes()) for n, row in enumerate(rows)],
        )
        old.run_many("UPDATE memory_embedding SET vector_blob = x'00' WHERE item_id = 7", [()])
    old.close_all()
    return rows


def test_vectors_are_packed_and_answer_as_before(tmp_path):
    rows = old_chat(tmp_path / "chat")
    store = ChatStore(tmp_path / "chat", tmp_path / "backups", counting_clock())
    assert (tmp_path / "backups" / "chat" / "memory_v4.db").exists()
    length = store.database.value("SELECT max(length(vector_blob)) FROM memory_embedding")
    assert length == 64 + 4
    assert store.vectors.waiting(MODEL) == [7], "a damaged one is made anew"
    layout = store.items.layout(EVERYTHING)
    assert layout.names == ("爱丽丝",)
    cosines = store.vectors.similarities(MODEL, rows[:5], layout.ids)
    true = rows[:5] @ rows.T
    true[:, 6] = np.nan
    np.testing.assert_allclose(cosines, true, atol=0.012)
    found = store.vectors.search(MODEL, rows[40], layout.ids, 5)
    assert found[0][0] == 41
    store.close()


def test_what_is_kept_in_memory_follows_every_change(tmp_path):
    store = make_store(tmp_path)

    def layout_read_anew() -> list[Any]:
        fresh = ChatStore(store.folder, tmp_path / "b", counting_clock())
        found = fresh.items.layout(EVERYTHING)
        fresh.close()
        return [found.ids.tolist(), found.starts.tolist(), found.is_muted.tolist(), found.names]

    def layout_kept() -> list[Any]:
        found = store.items.layout(EVERYTHING)
        return [found.ids.tolist(), found.starts.tolist(), found.is_muted.tolist(), found.names]

    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.append("main", 0, [make_message(f"第{n}把钥匙") for n in range(9)])
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 9}
    assert store.items.postings(["钥匙"])[0].size == 9
    assert layout_kept() == layout_read_anew()
    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.append("main", 9, [make_message("再来一把钥匙"), make_message("没有")])
        store.items.set_muted([3], muted=True)
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 10}
    assert layout_kept() == layout_read_anew()
    with store.step(StepLabel(EDIT, {"summary": "e"})):
        store.messages.remove([m.id for m in store.messages.slice("main", 9, 10)])
    assert store.items.postings(["钥匙"])[0].tolist() == list(range(1, 10))
    assert layout_kept() == layout_read_anew()
    for _time in range(2):
        store.undo()
        assert layout_kept() == layout_read_anew()
    assert store.items.document_frequency(["钥匙"]) == {"钥匙": 9}
    store.close()


def test_who_is_too_far_behind_reads_everything(tmp_path):
    store = make_store(tmp_path)
    changes = ItemChanges(store.database)
    with store.database.writing():
        store.messages.append("main", 0, [make_message("一")])
    seen, ids = changes.since(None)
    assert ids is None
    assert changes.since(seen) == (seen, [])
    with store.database.writing():
        store.messages.append("main", 1, [make_message(f"{n}") for n in range(3)])
    assert changes.since(seen)[1] == [2, 3, 4]
    with store.database.writing():
        store.messages.append("main", 4, [make_message(f"{n}") for n in range(5_000)])
    assert changes.since(seen)[1] is None
    assert store.database.value("SELECT count(*) FROM item_change") <= 4_096
    store.close()


def test_what_a_transaction_takes_back_is_not_kept(tmp_path):
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message("一")])
    assert store.items.layout(EVERYTHING).ids.tolist() == [1]

    def begin_and_give_up() -> None:
        with store.database.writing():
            store.messages.append("main", 1, [make_message("二")])
            assert store.items.layout(EVERYTHING).ids.size == 2
            raise InterruptedError

    with pytest.raises(InterruptedError):
        begin_and_give_up()
    with store.database.writing():
        store.items.set_muted([1], muted=True)
    assert store.items.layout(EVERYTHING).is_muted.tolist() == [True]
    store.close()
