"""The child process that owns a chat's Chroma collection: the only file that imports chromadb.

It lives apart because a torn index can take its process down with SIGSEGV. It answers one request
at a time over a pipe and ends when the pipe does. ``dirty`` stands beside the collection from the
first write to a clean close, ``condemned`` once the supervisor has given the collection up; with
either of them the next worker throws the collection away.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock, Timeout

from engram_desktop import moving

NAME = "engram_items"
_PORTS = {"http": 8000, "https": 443}  # where a URL names none
CONDEMNED = "condemned"
BUSY = "busy"  # another process holds the folder: nothing is wrong with it


class _Collection:
    """One collection, in a folder of its own or on a server."""

    def __init__(self, folder: Path, model_key: str, server: str) -> None:
        import chromadb  # noqa: PLC0415 - takes a second: only in the child
        from chromadb.config import Settings  # noqa: PLC0415
        from chromadb.errors import NotFoundError  # noqa: PLC0415

        self._dirty = folder / "dirty"
        condemned = folder / CONDEMNED
        options = Settings(anonymized_telemetry=False)
        if server:
            host, port, is_secure = address_of(server)
            self._client = chromadb.HttpClient(
                host=host, port=port, ssl=is_secure, settings=options
            )
            name = f"{NAME}_{folder.parent.name}_{model_key}"
            if condemned.exists():
                with contextlib.suppress(NotFoundError):
                    self._client.delete_collection(name)
        else:
            data = folder / "data"
            stamp = folder / "stamp"
            own_stamp = f"{chromadb.__version__} {model_key}"
            is_whole = not self._dirty.exists() and not condemned.exists()
            if data.exists() and not (
                is_whole and stamp.exists() and stamp.read_text("utf-8") == own_stamp
            ):
                moving.delete_folder(data)
            self._dirty.unlink(missing_ok=True)
            stamp.write_text(own_stamp, "utf-8")
            self._client = chromadb.PersistentClient(path=str(data), settings=options)
            name = NAME
        condemned.unlink(missing_ok=True)
        self._collection = self._client.get_or_create_collection(
            name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        self._batch_size = self._client.get_max_batch_size()

    def count(self) -> int:
        return int(self._collection.count())

    def ids(self) -> list[int]:
        return [int(i) for i in self._collection.get(include=[])["ids"]]

    def upsert(self, ids: Sequence[int], blob: bytes, dim: int) -> None:
        self._dirty.touch()
        rows = np.frombuffer(blob, np.float32).reshape(len(ids), dim)
        for start in range(0, len(ids), self._batch_size):
            part = slice(start, start + self._batch_size)
            self._collection.upsert([str(i) for i in ids[part]], embeddings=rows[part])

    def delete(self, ids: Sequence[int]) -> None:
        self._dirty.touch()
        for start in range(0, len(ids), self._batch_size):
            self._collection.delete([str(i) for i in ids[start : start + self._batch_size]])

    def query(self, blob: bytes, limit: int) -> list[tuple[int, float]]:
        answer = self._collection.query(
            query_embeddings=[np.frombuffer(blob, np.float32)],
            n_results=limit,
            include=["distances"],
        )
        pairs = zip(answer["ids"][0], answer["distances"][0], strict=True)
        return [(int(i), 1.0 - float(distance)) for i, distance in pairs]

    def close(self) -> None:
        self._client.close()
        self._dirty.unlink(missing_ok=True)


def address_of(server: str) -> tuple[str, int, bool]:
    """Return host, port and whether it is https. Without a scheme it is http.

    Raises ValueError for what is no address.
    """
    parts = urlsplit(server if "://" in server else f"http://{server}")
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"{server!r} is no address of a Chroma server")
    return parts.hostname, parts.port or _PORTS[parts.scheme], parts.scheme == "https"


def serve(pipe: Connection, folder: Path, model_key: str, server: str, lock_wait_s: float) -> None:
    """Answer requests ``(operation, *arguments)`` with ``(True, result)`` or ``(False, text)``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who asks; this ends with the pipe
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(BrokenPipeError):  # the supervisor has ended
        try:
            with FileLock(folder / "lock", timeout=lock_wait_s):
                _serve(pipe, folder, model_key, server)
        except Timeout:
            pipe.send((False, BUSY))


def _serve(pipe: Connection, folder: Path, model_key: str, server: str) -> None:
    if pipe.poll():  # nothing is asked before the first answer: the supervisor is gone
        return
    try:
        collection = _Collection(folder, model_key, server)
    except Exception as e:  # noqa: BLE001 - as below
        pipe.send((False, f"{type(e).__name__}: {e}"))
        return
    pipe.send((True, collection.count()))
    _answer(pipe, collection)
    collection.close()


def _answer(pipe: Connection, collection: _Collection) -> None:
    while True:
        try:
            operation, *arguments = pipe.recv()
        except (EOFError, OSError):
            return
        if operation == "close":
            return
        try:
            result: Any = getattr(collection, operation)(*arguments)
        except Exception as e:  # noqa: BLE001 - whatever Chroma raises is told to the supervisor
            pipe.send((False, f"{type(e).__name__}: {e}"))
        else:
            pipe.send((True, result))
