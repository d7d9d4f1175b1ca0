"""The vector index, the lexical index."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading

import numpy as np
import pytest
from filelock import FileLock

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.answers import ItemChanges
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.chroma_worker import CONDEMNED, Server, serve
from engram_desktop.storage.chat.recall.index import IndexUnavailable, VectorIndex
from engram_desktop.storage.chat.recall.vectors import VectorStore
from tests.factories import make_message, make_store

# The Chroma worker under its supervisor: real processes, real collections.

MODEL = "test"
EVERYTHING = ItemFilter(ITEM_KINDS, (("main", None),))
CTX = NullContext()


def unit_vector(seed: int) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=16).astype(np.float32)
    return row / np.linalg.norm(row)


def everything(store: ChatStore) -> np.ndarray:
    ids: np.ndarray = store.items.layout(EVERYTHING).ids
    return ids


def fill(store, count: int, first: int = 0) -> None:
    with store.database.writing():
        store.messages.append(
            "main", first, [make_message(f"第{first + n}句话") for n in range(count)]
        )
    embed(store)


def embed(store) -> None:
    ids = store.vectors.waiting(MODEL)
    keys = store.items.hashes(ids)
    with store.database.writing():
        store.vectors.put(MODEL, [(i, keys[i], unit_vector(i)) for i in ids])


def agrees_with_exact_search(store) -> bool:
    index = store.index(MODEL)
    query = unit_vector(999)
    found = index.query(query, 10)
    exact = store.vectors.search(MODEL, query, everything(store), 10)
    same_ids = [i for i, _s in found] == [i for i, _s in exact]
    return same_ids and np.allclose([s for _i, s in found], [s for _i, s in exact], atol=1e-4)


def test_index_follows_additions_changes_deletions_and_undo(store):
    fill(store, 120)
    index = store.index(MODEL)
    assert index.state == "starting"
    index.sync(CTX)
    assert index.state == "ok"
    assert agrees_with_exact_search(store)

    with store.database.writing():
        store.messages.remove([m.id for m in store.messages.slice("main", 100, 119)])
    assert index.state == "behind"
    with pytest.raises(IndexUnavailable):
        index.query(unit_vector(1), 3)
    index.sync(CTX)
    assert index.ids() == store.vectors.all_ids(MODEL)

    fill(store, 10, first=100)
    index.sync(CTX)
    assert sorted(index.ids()) == store.vectors.all_ids(MODEL)
    assert agrees_with_exact_search(store)


def test_index_is_kept_over_a_clean_restart(store, tmp_path):
    fill(store, 50)
    store.index(MODEL).sync(CTX)
    store.close()
    again = make_store(tmp_path)
    assert again.index(MODEL).sync(CTX) == 0, "nothing had to be sent again"
    assert agrees_with_exact_search(again)
    again.close()


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A folder with a closed chat and its index; tests damage a copy."""
    folder = tmp_path_factory.mktemp("closed")
    store = make_store(folder)
    fill(store, 50)
    store.index(MODEL).sync(CTX)
    store.close()
    return folder


@pytest.mark.parametrize("damage", ["dirty", "truncated", "sqlite gone", "folder gone", "stamp"])
def test_a_damaged_index_is_thrown_away_and_filled_again(closed, tmp_path, damage):
    shutil.copytree(closed, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "chat1" / "index"
    files = sorted(f for f in (folder / "data").rglob("*") if f.is_file())
    match damage:
        case "dirty":
            (folder / "dirty").touch()
        case "truncated":
            (folder / "dirty").touch()
            for file in files:
                file.write_bytes(file.read_bytes()[:50])
        case "sqlite gone":
            (folder / "data" / "chroma.sqlite3").unlink()
        case "stamp":
            (folder / "stamp").write_text("another version", "utf-8")
        case _:
            for file in files:
                file.unlink()
    again = make_store(tmp_path)
    again.index(MODEL).sync(CTX)
    assert sorted(again.index(MODEL).ids()) == again.vectors.all_ids(MODEL)
    assert agrees_with_exact_search(again)
    again.close()


def kill_worker():
    """Kill the one index process of this test."""
    (process,) = [p for p in multiprocessing.active_children() if p.name == "engram-index"]
    process.kill()
    process.join()


def test_a_worker_killed_twice_opens_the_breaker_and_exact_search_goes_on(store):
    fill(store, 30)
    index = store.index(MODEL)
    for _time in range(2):
        index.sync(CTX)
        kill_worker()
        with pytest.raises(IndexUnavailable):
            index.query(unit_vector(1), 3)
    assert index.state == "broken"
    with pytest.raises(IndexUnavailable):
        index.sync(CTX)
    assert store.vectors.search(MODEL, unit_vector(1), everything(store), 3)


def test_a_killed_worker_is_replaced_and_its_index_rebuilt(store):
    fill(store, 30)
    index = store.index(MODEL)
    index.sync(CTX)
    kill_worker()
    fill(store, 5, first=30)
    index.sync(CTX)
    assert index.state == "ok"
    assert agrees_with_exact_search(store)


def test_two_supervisors_never_share_one_folder(store):
    fill(store, 10)
    store.index(MODEL).sync(CTX)
    second = VectorIndex(
        store.folder / "index", store.database, store.vectors, MODEL, lock_wait_s=0.2
    )
    with pytest.raises(IndexUnavailable, match="another process"):
        second.sync(CTX)
    assert agrees_with_exact_search(store), "the first one's files were left alone"
    second.close()


def test_what_is_dropped_is_filled_anew(store):
    fill(store, 20)
    index = store.index(MODEL)
    assert index.sync(CTX) == 20
    index.drop()
    assert index.sync(CTX) == 20
    assert agrees_with_exact_search(store)


def test_a_worker_whose_supervisor_is_gone_touches_nothing(store):
    fill(store, 10)
    index = store.index(MODEL)
    index.sync(CTX)
    index.drop()
    folder = store.folder / "index"
    before = sorted(folder.rglob("*"))
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    serve(theirs, folder, "key", Server(), 1.0)
    assert sorted(folder.rglob("*")) == before
    assert index.sync(CTX) == 10, "it is still known that the collection is not wanted"


def test_dropping_waits_for_a_worker_that_is_still_starting(store):
    fill(store, 10)
    index = store.index(MODEL)
    index.sync(CTX)
    index.close()
    folder = store.folder / "index"
    started, ended = threading.Event(), threading.Event()

    def an_orphan() -> None:
        with FileLock(folder / "lock"):
            started.set()
            ended.wait(0.3)
            (folder / CONDEMNED).unlink(missing_ok=True)  # as a worker does that begins

    orphan = threading.Thread(target=an_orphan)
    orphan.start()
    started.wait()
    index.drop()
    orphan.join()
    assert (folder / CONDEMNED).exists()


def test_a_model_change_makes_another_index(store):
    fill(store, 10)
    store.index(MODEL).sync(CTX)
    assert store.index("other").sync(CTX) == 0
    assert store.index("other").ids() == []


@pytest.mark.skipif(os.name == "nt", reason="a signal cannot be sent to one process there")
def test_ctrl_c_in_the_terminal_leaves_the_worker_to_who_started_it(store):
    fill(store, 5)
    index = store.index(MODEL)
    index.sync(CTX)
    process = index._process
    os.kill(process.pid, signal.SIGINT)  # a terminal sends it to all that run in it
    assert agrees_with_exact_search(store)
    assert index._process is process
    assert index.state == "ok"


# The lexical index in one piece answers as it did in many.


def test_tidying_brings_together_what_many_transactions_wrote(tmp_path):
    store = make_store(tmp_path)
    for n in range(30):
        with store.database.writing():
            store.messages.append("main", n, [make_message(f"第{n}天，钥匙在抽屉里。")])
    parts = "SELECT count(DISTINCT segid) FROM memory_lexicon_idx"
    asked = ["钥匙", "抽屉", "29", "没有"]
    before = [ids.tolist() for ids in store.items.postings(asked)]
    assert store.database.value(parts) > 1
    begins, is_left = True, True
    for _ in range(20):
        with store.database.writing():
            is_left = store.items.tidy(begins=begins)
        begins = False
        if not is_left:
            break
    assert not is_left
    assert store.database.value(parts) == 1
    assert before[0] == list(range(1, 31))
    assert [len(ids) for ids in before] == [30, 30, 1, 0]
    store.items._lexicon._postings.clear()
    assert [ids.tolist() for ids in store.items.postings(asked)] == before


def test_what_names_a_day_is_found_by_its_words_and_kept_up_to_date(tmp_path):
    texts = [
        "第42天，下雨了。",
        "第 四十三\n夜",
        "Day 7 begins.",
        "It was the 3rd day.",
        "第一次见面，那天。",
    ]
    days = [42, 43, 7, 3]
    store = make_store(tmp_path)
    with store.database.writing():
        store.messages.append("main", 0, [make_message(text) for text in texts])
    assert [day for _id, day in store.items.named_days()] == days
    assert store.items.story_days() == (
        ("main", 0, 42),
        ("main", 1, 43),
        ("main", 2, 7),
        ("main", 3, 3),
    )
    with store.database.writing():
        store.messages.append("main", 5, [make_message("DAY 44: 出发。"), make_message("昨天。")])
    assert [day for _id, day in store.items.named_days()] == [*days, 44]
    assert store.items.story_days()[-1] == ("main", 5, 44)


def test_a_chat_too_large_for_memory_is_compared_by_reading(tmp_path):
    store = make_store(tmp_path)
    fill(store, 4_200)
    ids, query = everything(store), unit_vector(17)
    changes = ItemChanges(store.database)
    large = VectorStore(store.database, changes, in_memory=4_199)
    small = VectorStore(store.database, changes)
    found, same = large.search(MODEL, query, ids, 5), small.search(MODEL, query, ids, 5)
    np.testing.assert_allclose(found, same, atol=1e-6)
    asked = np.stack([query, unit_vector(3)])
    some = np.array([5, 900_000, 17, *range(30, 2_400)], np.int64)
    expected = small.similarities(MODEL, asked, some)
    assert np.isnan(expected[0]).sum() == 1
    np.testing.assert_allclose(large.similarities(MODEL, asked, some), expected, atol=1e-6)

    with store.database.writing():
        store.vectors.retire_others("no other")
    assert large.search(MODEL, query, ids, 30) == []


def test_numbers_are_let_go_when_a_chat_outgrows_memory(tmp_path):
    store = make_store(tmp_path)
    fill(store, 20)
    vectors = VectorStore(store.database, ItemChanges(store.database), in_memory=20)
    before = vectors.search(MODEL, unit_vector(17), everything(store), 5)
    fill(store, 5, first=20)
    after = vectors.search(MODEL, unit_vector(17), everything(store), 9)
    np.testing.assert_allclose(after[:1], before[:1], atol=1e-6)
    same = store.vectors.search(MODEL, unit_vector(17), everything(store), 9)
    np.testing.assert_allclose(after, same, atol=1e-6)
