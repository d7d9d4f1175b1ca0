"""The vector index, its server, the lexical index."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.chroma_worker import CONDEMNED, address_of, serve
from engram_desktop.storage.chat.recall.index import IndexUnavailable, VectorIndex
from tests.factories import import_chat, make_message, make_store, story_rows

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
    items = store.vectors.pending(MODEL, 10_000)
    keys = store.items.hashes([i.id for i in items])
    with store.database.writing():
        store.vectors.put(MODEL, [(i.id, keys[i.id], unit_vector(i.id)) for i in items])


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


@pytest.mark.parametrize("damage", ["dirty", "truncated", "sqlite gone", "folder gone", "stamp"])
def test_a_damaged_index_is_thrown_away_and_filled_again(store, tmp_path, damage):
    fill(store, 50)
    store.index(MODEL).sync(CTX)
    store.close()
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


def worker():
    """The one index process of this test."""
    (process,) = [p for p in multiprocessing.active_children() if p.name == "engram-index"]
    return process


def test_a_worker_killed_twice_opens_the_breaker_and_exact_search_goes_on(store):
    fill(store, 30)
    index = store.index(MODEL)
    for _time in range(2):
        index.sync(CTX)
        process = worker()
        process.kill()
        process.join()
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
    process = worker()
    process.kill()
    process.join()
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
    serve(theirs, folder, "key", "", 1.0)
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


# A real Chroma server on this machine: the other side of `index.server`.


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Yield ``host:port`` of a server that runs; ended with the module."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = Path(sys.executable).parent / "chroma"
    folder = tmp_path_factory.mktemp("server")
    process = subprocess.Popen(
        [command, "run", "--host", "127.0.0.1", "--port", str(port), "--path", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if "listening on" in line.lower():
            break
    else:
        pytest.fail("".join(told))
    threading.Thread(target=process.stdout.read, daemon=True).start()  # a full pipe would stop it
    yield f"127.0.0.1:{port}"
    process.terminate()
    process.communicate()


@pytest.mark.parametrize("prefix", ["", "http://"])
def test_a_server_holds_and_finds_what_exact_search_finds(tmp_path, server, prefix):
    store = make_store(tmp_path / (prefix.strip(":/") or "bare"))
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句话") for n in range(60)])
    ids = store.vectors.waiting(MODEL)
    keys = store.items.hashes(ids)
    rows = np.random.default_rng(1).normal(size=(len(ids), 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with store.database.writing():
        store.vectors.put(MODEL, [(i, keys[i], row) for i, row in zip(ids, rows, strict=True)])
    index = store.index(MODEL, f"{prefix}{server}/")
    assert index.sync(CTX) == 60 or sorted(index.ids()) == ids
    everything = store.items.layout(ItemFilter(ITEM_KINDS, (("main", None),))).ids
    exact = store.vectors.search(MODEL, rows[7], everything, 10)
    found = index.query(rows[7], 10)
    assert [i for i, _ in found] == [i for i, _ in exact]
    np.testing.assert_allclose([s for _, s in found], [s for _, s in exact], atol=1e-3)
    assert len(index.query(rows[7], 1000)) == 60
    (worker,) = [p for p in multiprocessing.active_children() if p.name == "engram-index"]
    worker.kill()
    worker.join()
    with pytest.raises(IndexUnavailable):
        index.query(rows[7], 10)
    assert index.sync(CTX) == 0, "a worker that died costs a server nothing"
    index.drop()
    assert index.sync(CTX) == 60, "the collection on the server was thrown away too"
    assert index.query(rows[7], 1)[0][0] == found[0][0]
    store.close()


def test_recall_asks_a_server_that_is_set_and_starts_none_otherwise(tmp_path, server):
    memory = Memory.open(tmp_path / "library", environ={})
    memory.settings.set("embed.local", "hash")
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
    assert chat_id is not None
    memory.index.update(CTX, chat_id)
    assert memory.index.health(chat_id).state == "exact"
    assert not (tmp_path / "library" / "chats" / chat_id / "index").exists()
    memory.settings.set("index.server", f"http://{server}")
    memory.index.update(CTX, chat_id)
    assert memory.index.health(chat_id).state == "ok"
    assert memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙")).hits
    memory.close()


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("chroma.example", ("chroma.example", 8000, False)),
        ("chroma.example:9000", ("chroma.example", 9000, False)),
        ("http://chroma.example/", ("chroma.example", 8000, False)),
        ("https://chroma.example", ("chroma.example", 443, True)),
        ("https://chroma.example:8443/", ("chroma.example", 8443, True)),
        ("http://[::1]:8000", ("::1", 8000, False)),
    ],
)
def test_an_address_may_have_a_scheme_and_a_port_or_none(told, address):
    assert address_of(told) == address


@pytest.mark.parametrize("told", ["ftp://chroma.example", "https://", "http://host:port"])
def test_what_is_no_address_or_answers_nothing_leaves_exact_search(tmp_path, told):
    store = make_store(tmp_path)
    index = store.index(MODEL, told)
    with pytest.raises(IndexUnavailable):
        index.sync(CTX)
    assert index.state == "broken"
    assert index.detail
    store.close()


def test_https_is_spoken_where_it_is_asked_for(tmp_path):
    first = []

    def accept(listening: socket.socket) -> None:
        with listening:  # nobody hears a second try
            connection, _address = listening.accept()
            with connection:
                first.append(connection.recv(1))

    store = make_store(tmp_path)
    listening = socket.create_server(("127.0.0.1", 0))
    index = store.index(MODEL, f"https://127.0.0.1:{listening.getsockname()[1]}")
    heard = threading.Thread(target=accept, args=(listening,))
    heard.start()
    with pytest.raises(IndexUnavailable):
        index.sync(CTX)
    heard.join()
    assert first == [b"\x16"], "a TLS handshake"
    store.close()


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
