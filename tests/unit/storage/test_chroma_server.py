"""A real Chroma server on this machine: the other side of `index.server`."""

from __future__ import annotations

import multiprocessing
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.recall.chroma_worker import address_of
from engram_desktop.storage.chat.recall.index import IndexUnavailable
from tests.factories import make_message, make_store, story_rows, write_chat

MODEL = "test"
CTX = NullContext()


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
    file = write_chat(tmp_path / "故事.jsonl", story_rows(30))
    chat_id = memory.imports.import_file(CTX, file).chat_id
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
