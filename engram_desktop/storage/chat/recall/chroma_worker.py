"""The child process that owns a chat's Chroma collection: the only file that imports chromadb.

It is a process of its own because a torn index can crash its process with SIGSEGV. It answers one
request at a time over a pipe and ends when the pipe does. The file ``dirty`` exists beside the
collection from the first write to a clean close, ``condemned`` once the supervisor has given the
collection up; with either of them the next worker deletes the collection.

On a server the name of a collection holds the chat, the model and the place of the library, so that
copies of a library, whose rows have the same numbers, do not share one.
"""

from __future__ import annotations

import contextlib
import gc
import platform
import secrets
import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock, Timeout

from engram_desktop import moving

NAME = "engram_items"
OWNER = "owner"  # a file: who the collections on a server belong to, and where that was written
_OWNER_WAIT_S = 10.0  # seconds to read a line that another process may be writing
_PORTS = {"http": 8000, "https": 443}  # used if the URL names no port
CONDEMNED = "condemned"
BUSY = "busy"  # another process holds the folder: nothing is wrong with it


class Server(NamedTuple):
    """A Chroma server; without an address, the database in the folder of the chat."""

    address: str = ""
    token: str = ""


class _Collection:
    """One collection, in a folder of its own or on a server."""

    def __init__(self, folder: Path, model_key: str, server: Server) -> None:
        import chromadb  # noqa: PLC0415 - takes a second: only in the child
        from chromadb.config import Settings  # noqa: PLC0415
        from chromadb.errors import NotFoundError  # noqa: PLC0415

        self._dirty = folder / "dirty"
        condemned = folder / CONDEMNED
        options = Settings(anonymized_telemetry=False)
        if server.address:
            self._client = _server_client(server)
            name = f"{_prefix(folder)}{model_key}"
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


def _server_client(server: Server) -> Any:
    import chromadb  # noqa: PLC0415 - takes a second: only in the child
    from chromadb.config import Settings  # noqa: PLC0415

    host, port, is_secure = address_of(server.address)
    # The first header is for a proxy in front of a server, the second for Chroma's own check.
    token = {"Authorization": f"Bearer {server.token}", "x-chroma-token": server.token}
    return chromadb.HttpClient(
        host=host,
        port=port,
        ssl=is_secure,
        headers=token if server.token else None,
        settings=Settings(anonymized_telemetry=False),
    )


def _prefix(folder: Path) -> str:
    """Return the prefix of the names of a chat's collections on a server."""
    return f"{NAME}_{folder.parent.name}_{_owner(folder)}_"


def _owner(folder: Path) -> str:
    """Return the mark of this library at this place; a copy of it elsewhere gets another mark."""
    here = f"{platform.node()} {folder.resolve()}"
    file = folder / OWNER
    with FileLock(folder / f"{OWNER}.lock", timeout=_OWNER_WAIT_S):
        mark, _, place = file.read_text("utf-8").partition("\n") if file.exists() else ("", "", "")
        if place != here:
            mark = secrets.token_hex(8)
            file.write_text(f"{mark}\n{here}", "utf-8")
        return mark


def leave(pipe: Connection, folder: Path, server: Server) -> None:
    """Delete a chat's collections on a server; answers like `serve`, with their number."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        client, prefix = _server_client(server), _prefix(folder)
        names = [one.name for one in client.list_collections() if one.name.startswith(prefix)]
        for name in names:
            client.delete_collection(name)
        answer: tuple[bool, Any] = (True, len(names))
    except Exception as e:  # noqa: BLE001 - whatever Chroma raises is told to the supervisor
        answer = (False, _told(e))
    with contextlib.suppress(BrokenPipeError):
        pipe.send(answer)


def _told(error: BaseException) -> str:
    """Return an error with its cause: for a bad certificate Chroma says “could not connect”."""
    text, behind = f"{type(error).__name__}: {error}", error.__cause__ or error.__context__
    while behind is not None and (behind.__cause__ or behind.__context__):
        behind = behind.__cause__ or behind.__context__
    return text if behind is None else f"{text} ({behind})"


def address_of(server: str) -> tuple[str, int, bool]:
    """Return host, port and whether it is https; http without a scheme.

    Raises ValueError for an invalid address.
    """
    parts = urlsplit(server if "://" in server else f"http://{server}")
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(f"{server!r} is no address of a Chroma server")
    return parts.hostname, parts.port or _PORTS[parts.scheme], parts.scheme == "https"


def serve(
    pipe: Connection, folder: Path, model_key: str, server: Server, lock_wait_s: float
) -> None:
    """Answer requests ``(operation, *arguments)`` with ``(True, result)`` or ``(False, text)``.

    A folder is open in one process only; several may use a server at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the caller
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(BrokenPipeError):  # the supervisor has ended
        if server.address:
            _serve(pipe, folder, model_key, server)
            return
        try:
            with FileLock(folder / "lock", timeout=lock_wait_s):
                _serve(pipe, folder, model_key, server)
        except Timeout:
            pipe.send((False, BUSY))


def _serve(pipe: Connection, folder: Path, model_key: str, server: Server) -> None:
    if pipe.poll():  # no request comes before the first answer: the supervisor is gone
        return
    gc.disable()  # imports stay anyway: collecting garbage during them takes a seventh longer
    try:
        collection = _Collection(folder, model_key, server)
    except Exception as e:  # noqa: BLE001 - as below
        pipe.send((False, _told(e)))
        return
    finally:
        gc.enable()
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
            pipe.send((False, _told(e)))
        else:
            pipe.send((True, result))
