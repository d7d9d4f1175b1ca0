"""Vectors in a Chroma server: a real one on this machine, at times behind a proxy with TLS."""

from __future__ import annotations

import datetime as dt
import ipaddress
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import chromadb
import httpx
import numpy as np
import pytest
import uvicorn
from chromadb.config import Settings as ChromaSettings
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engram_desktop.domain.errors import BadSetting
from engram_desktop.domain.recall.query import ITEM_KINDS, ItemFilter, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.chroma_worker import address_of
from engram_desktop.storage.chat.recall.index import IndexUnavailable, VectorIndex
from tests.factories import counting_clock, import_chat, make_message, make_store, story_rows

MODEL = "test"
CTX = NullContext()
TOKEN = "a-long-token-of-a-server"  # noqa: S105 - of a test


class ChromaServer:
    """`chroma run` in a process of its own; it can be stopped, killed and started again."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", port))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = Path(sys.executable).parent / "chroma"
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--path", str(self._folder)]
        self._process = subprocess.Popen(
            [command, "run", *where], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        told = []
        for line in self._process.stdout:
            told.append(line)
            if "listening on" in line.lower():
                break
        else:
            pytest.fail("".join(told))
        self._reading = threading.Thread(target=self._process.stdout.read)
        self._reading.start()  # a full pipe would stop it

    def hang(self) -> None:
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # a thread of it may be answering until then

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def collections(self) -> list[str]:
        settings = ChromaSettings(anonymized_telemetry=False)
        client = chromadb.HttpClient("127.0.0.1", self.port, settings=settings)
        return sorted(one.name for one in client.list_collections())


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path_factory.mktemp("server"))
    yield server
    server.kill()


@pytest.fixture
def own(tmp_path) -> Iterator[ChromaServer]:
    """A server of this test alone, which may be stopped."""
    server = ChromaServer(tmp_path / "server")
    yield server
    server.kill()


def unit_vector(seed: int) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=16).astype(np.float32)
    return row / np.linalg.norm(row)


def fill(store: ChatStore, count: int, first: int = 0, *, seed: int = 0) -> None:
    with store.database.writing():
        said = [make_message(f"第{first + n}句话，{seed}") for n in range(count)]
        store.messages.append("main", first, said)
    ids = store.vectors.waiting(MODEL)
    keys = store.items.hashes(ids)
    with store.database.writing():
        rows = [(i, keys[i], unit_vector(i + seed * 10_000)) for i in ids]
        store.vectors.put(MODEL, rows)


def agrees_with_exact_search(store: ChatStore, index: VectorIndex) -> bool:
    query = unit_vector(999)
    all_of_it = store.items.layout(ItemFilter(ITEM_KINDS, (("main", None),))).ids
    exact = store.vectors.search(MODEL, query, all_of_it, 10)
    found = index.query(query, 10)
    same_ids = [i for i, _s in found] == [i for i, _s in exact]
    return same_ids and np.allclose([s for _i, s in found], [s for _i, s in exact], atol=1e-3)


def test_a_server_holds_and_finds_what_exact_search_finds(tmp_path, shared):
    store = make_store(tmp_path)
    fill(store, 60)
    index = store.index(MODEL, f"127.0.0.1:{shared.port}/")
    assert index.sync(CTX) == 60
    assert agrees_with_exact_search(store, index)
    assert len(index.query(unit_vector(7), 1000)) == 60
    (worker,) = [p for p in multiprocessing.active_children() if p.name == "engram-index"]
    worker.kill()
    worker.join()
    with pytest.raises(IndexUnavailable):
        index.query(unit_vector(7), 10)
    assert index.sync(CTX) == 0, "a worker that died costs a server nothing"
    index.drop()
    assert index.sync(CTX) == 60, "the collection on the server was thrown away too"
    assert agrees_with_exact_search(store, index)
    store.close()


@pytest.fixture
def indexed(tmp_path):
    """A library, and its one chat, whose memories have vectors."""
    memory = Memory.open(tmp_path / "library", environ={})
    memory.settings.set("embed.local", "hash")
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
    assert chat_id is not None
    memory.index.update(CTX, chat_id)
    yield memory, chat_id
    memory.close()


def test_recall_asks_a_server_that_is_set_and_starts_none_otherwise(tmp_path, shared, indexed):
    memory, chat_id = indexed
    assert memory.index.health(chat_id).state == "exact"
    assert not (tmp_path / "library" / "chats" / chat_id / "index").exists()
    memory.settings.set("index.server", shared.address)
    memory.index.update(CTX, chat_id)
    assert memory.index.health(chat_id).state == "ok"
    assert memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙")).hits


def test_switching_to_a_server_and_back_leaves_nothing_there(own, indexed):
    memory, chat_id = indexed
    asked = RecallQuery("铜钥匙")
    before = [hit.item.id for hit in memory.recall.ask(CTX, chat_id, asked).hits]
    memory.settings.set("index.server", own.address)
    memory.index.update(CTX, chat_id)
    assert len(own.collections()) == 1
    assert [hit.item.id for hit in memory.recall.ask(CTX, chat_id, asked).hits] == before
    memory.settings.set("index.backend", "exact")
    memory.index.update(CTX, chat_id)
    assert own.collections() == []
    assert [hit.item.id for hit in memory.recall.ask(CTX, chat_id, asked).hits] == before
    memory.settings.set("index.backend", "auto")
    memory.index.update(CTX, chat_id)
    assert len(own.collections()) == 1, "and over again"
    memory.chats.delete(chat_id)
    assert own.collections() == [], "a chat that is deleted"
    memory.chats.restore(chat_id)
    memory.index.update(CTX, chat_id)
    assert [hit.item.id for hit in memory.recall.ask(CTX, chat_id, asked).hits] == before


def test_a_server_that_is_gone_stops_no_recall_and_is_found_again(tmp_path, own):
    store = make_store(tmp_path)
    fill(store, 30)
    index = VectorIndex(
        store.folder / "index", store.database, store.vectors, MODEL, own.address, retry_s=0.5
    )
    index.sync(CTX)
    own.kill()
    with pytest.raises(IndexUnavailable):
        index.query(unit_vector(1), 5)
    fill(store, 5, 30)
    with pytest.raises(IndexUnavailable):
        index.sync(CTX)
    assert index.state == "broken"
    assert index.detail
    own.start()
    threading.Event().wait(0.6)
    assert index.sync(CTX) >= 5
    assert index.state == "ok"
    assert agrees_with_exact_search(store, index)
    index.close()
    store.close()


def test_a_server_that_hangs_holds_a_question_up_for_two_seconds_at_most(tmp_path, own):
    store = make_store(tmp_path)
    fill(store, 30)
    index = store.index(MODEL, own.address)
    index.sync(CTX)
    own.hang()
    try:
        with pytest.raises(IndexUnavailable):
            index.query(unit_vector(1), 5)
        assert "2 s" in index.detail
        with pytest.raises(IndexUnavailable):
            index.query(unit_vector(1), 5)  # at once: nobody is asked any more
    finally:
        own.go_on()
    assert index.sync(CTX) == 0
    assert agrees_with_exact_search(store, index)
    store.close()


def test_two_programs_ask_one_server_and_one_at_a_time_sends(tmp_path, shared):
    store = make_store(tmp_path)
    fill(store, 30)
    ours = store.index(MODEL, shared.address)
    theirs = VectorIndex(
        store.folder / "index", store.database, store.vectors, MODEL, shared.address,
        lock_wait_s=0.1,
    )  # fmt: skip
    assert ours.sync(CTX) == 30
    assert theirs.sync(CTX) == 0, "it is all there"
    assert agrees_with_exact_search(store, ours)
    assert agrees_with_exact_search(store, theirs)
    fill(store, 10, 30)
    with ours._sending(), pytest.raises(IndexUnavailable, match="another process"):
        theirs.sync(CTX)
    assert theirs.sync(CTX) == 10
    assert agrees_with_exact_search(store, ours), "what the other one sent"
    theirs.close()
    store.close()


def test_copies_of_a_library_do_not_answer_for_each_other(tmp_path, shared):
    store = make_store(tmp_path / "one")
    fill(store, 20)
    index = store.index(MODEL, shared.address)
    index.sync(CTX)
    store.close()
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    first, second = (
        ChatStore(tmp_path / name / "chat1", tmp_path / "backups", counting_clock())
        for name in ("one", "two")
    )
    fill(first, 10, 20, seed=1)
    fill(second, 10, 20, seed=2)
    for one in (first, second, first, second):
        one.index(MODEL, shared.address).sync(CTX)
    for one in (first, second):
        assert agrees_with_exact_search(one, one.index(MODEL, shared.address))
        one.close()


def test_the_vectors_of_another_model_are_left_alone(tmp_path, own):
    store = make_store(tmp_path)
    fill(store, 20)
    store.index(MODEL, own.address).sync(CTX)
    other = store.index("another", own.address)
    assert other.sync(CTX) == 0, "no vector of that model is there"
    assert len(own.collections()) == 2
    index = store.index(MODEL, own.address)
    assert index.sync(CTX) == 0
    assert agrees_with_exact_search(store, index)
    index.discard()
    assert own.collections() == []
    store.close()


# A proxy with TLS that asks for a token, as stands in front of a server on another machine.


@contextmanager
def guarded(folder: Path, behind: ChromaServer) -> Iterator[str]:
    """Yield the https address at which ``behind`` answers whoever shows the token."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server of a test")])
    now = dt.datetime.now(dt.UTC)
    where = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(where, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "server.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "server.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )

    async def forward(request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Response('{"error": "Unauthorized", "message": "Unauthorized"}', 401)
        async with httpx.AsyncClient(base_url=behind.address, timeout=30) as client:
            answer = await client.request(
                request.method,
                request.url.path,
                params=dict(request.query_params),
                content=await request.body(),
                headers={"content-type": "application/json"},
            )
        return Response(answer.content, answer.status_code, media_type="application/json")

    methods = ["GET", "POST", "PUT", "DELETE"]
    app = Starlette(routes=[Route("/{path:path}", forward, methods=methods)])
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            app,
            log_level="error",
            loop="asyncio",
            ssl_certfile=folder / "server.pem",
            ssl_keyfile=folder / "server.key",
        )
        proxy = uvicorn.Server(config)
        running = threading.Thread(target=proxy.run, args=([listening],))
        running.start()
        try:
            yield f"https://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            proxy.should_exit = True
            running.join()


def test_a_token_is_shown_over_tls_and_a_wrong_one_is_said(tmp_path, shared, monkeypatch):
    with guarded(tmp_path, shared) as address:
        memory = Memory.open(tmp_path / "library", environ={})
        memory.settings.set("embed.local", "hash")
        memory.settings.set("keys.storage", "session")
        memory.settings.set("index.server", address)
        memory.endpoints.set_key("index", TOKEN)
        chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
        assert chat_id is not None
        memory.index.update(CTX, chat_id)
        health = memory.index.health(chat_id)
        assert health.state != "ok", "nobody vouches for its certificate"
        assert "certificate" in health.detail.casefold()
        memory.close()

        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
        for token, state in ((TOKEN, "ok"), ("another", "broken")):
            memory = Memory.open(
                tmp_path / "library", program="test", environ={"ENGRAM_INDEX_API_KEY": token}
            )
            memory.index.update(CTX, chat_id)
            health = memory.index.health(chat_id)
            assert health.state == state
            assert token not in health.detail
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


@pytest.mark.parametrize(
    "told", ["ftp://chroma.example", "https://", "http://host:port", "http://host/a/path"]
)
def test_what_is_no_address_is_refused(told):
    with pytest.raises(ValueError, match=r"no address|Port"):
        address_of(told)


def test_what_is_no_address_leaves_exact_search(tmp_path):
    store = make_store(tmp_path)
    index = store.index(MODEL, "ftp://chroma.example")
    with pytest.raises(IndexUnavailable):
        index.sync(CTX)
    assert index.state == "broken"
    assert index.detail
    store.close()


def test_an_address_with_a_password_is_not_stored(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    with pytest.raises(BadSetting):
        memory.settings.set("index.server", "http://user:password@chroma.example")
    memory.close()


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
