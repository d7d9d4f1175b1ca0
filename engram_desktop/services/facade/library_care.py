"""The library as a whole: settings, keys, endpoints, backups, checks. The base of the facade."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engram_desktop.domain.address import is_exposed, shown_url
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DamagedDatabase
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.settings.settings import Settings, declared
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm import endpoint, probe
from engram_desktop.llm.embedder import Vectors
from engram_desktop.llm.keys import KeyMode, KeyStore
from engram_desktop.services.care import upkeep
from engram_desktop.services.library import backups
from engram_desktop.services.library.clients import Clients, EndpointName
from engram_desktop.services.library.metering import Meter
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.reports import BackupFile, Finding
    from engram_desktop.services.recall.engine import Recaller
    from engram_desktop.storage.chat.chat_store import ChatStore

logger = logging.getLogger(__name__)

_EXPOSED = QT_TRANSLATE_NOOP(
    "reports",
    "What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the"
    " server has it.",
)
_TASKS: dict[EndpointName, endpoint.Task] = {"llm": "chat", "embed": "embed", "rerank": "rerank"}


def now_ms() -> int:
    """Return milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class LibraryCare:
    """One open library and its endpoints; `Memory` adds what is done with its chats."""

    def __init__(self, library: Library, clients: Clients) -> None:
        self._library = library
        self._meter = Meter(lambda: self._library)
        self._clients = clients.metered(self._meter)
        self._lore_vectors: dict[tuple[str, str], Vectors] = {}
        self._javascript = JavaScript()  # a process of its own, once something is to be run
        self._recallers: dict[str, tuple[object, Recaller]] = {}  # by chat; `close` empties it

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        program: str | None = "Engram",
        clock: Callable[[], int] = now_ms,
        on_key: Callable[[str], object] = str,
        environ: Mapping[str, str] = os.environ,
    ) -> Self:
        """Open or make the library at ``folder``.

        ``program`` takes the write lock in that name; None opens to read only. ``on_key`` hears
        every API key, so that a log can mask it. Raises LibraryBusy, NewerDatabase,
        DamagedDatabase, StorageError.
        """
        library = Library(folder, clock, program=program)
        mode: KeyMode = library.settings().keys_storage  # type: ignore[assignment]  # its choices
        keys = KeyStore(mode, folder, environ=environ, on_key=on_key)
        return cls(library, Clients(library.settings, keys, environ))

    @property
    def folder(self) -> Path:
        return self._library.folder

    @property
    def can_write(self) -> bool:
        return self._library.lock.is_held

    def chosen_settings(self, chat_id: str | None = None) -> dict[str, Any]:
        """Return the settings somebody set, by key; those left at their default are not there."""
        return self._library.chosen_settings(chat_id)

    def settings(self, chat_id: str | None = None) -> Settings:
        return self._library.settings(chat_id)

    def set_setting(self, key: str, value: object, chat_id: str | None = None) -> Changes:
        """Store one setting. Raises NotFound, BadSetting, and for keys.storage what it meets."""
        parsed = declared(key).check(value)
        if key == "keys.storage":
            self._clients.keys.move_to(parsed)
        self._library.set_setting(key, parsed, chat_id)
        return Changes(chat_id=chat_id, settings=True)

    def set_key(self, name: EndpointName, key: str) -> None:
        """Keep an API key where ``keys.storage`` says; an empty one deletes."""
        self._clients.keys.set(name, key)

    def has_key(self, name: EndpointName) -> bool:
        return self._clients.keys.source(name) != "none"

    def test_endpoint(
        self, ctx: JobContext, name: EndpointName, values: dict[str, str]
    ) -> dict[str, Any]:
        """Ask the endpoint once. ``values``: base_url, model, key. Raises LlmError."""
        return asdict(probe.probe(self._given(name, values), _TASKS[name], ctx))

    def list_models(
        self, ctx: JobContext, values: dict[str, str], name: EndpointName = "llm"
    ) -> list[str]:
        return probe.list_models(self._given(name, values), ctx)

    def final_url(self, name: EndpointName, base_url: str) -> str:
        """Return the address requests would go to. Raises BadEndpoint."""
        return endpoint.Endpoint(base_url).final_url(_TASKS[name])

    def endpoint_warning(self, base_url: str) -> Phrase | None:
        """Say what to beware of at an address that may be used, or nothing."""
        return Phrase(_EXPOSED, host=shown_url(base_url)) if is_exposed(base_url) else None

    def backup(self, ctx: JobContext) -> Path:
        return backups.backup(self._library, ctx)

    def backup_if_due(self, ctx: JobContext) -> Path | None:
        """Back up if the newest backup is older than the settings allow."""
        hours, now = self.settings().backup_hours, self._library.clock()
        if not self._library.chat_rows() or not backups.is_due(self.folder / "backups", now, hours):
            return None
        return self.backup(ctx)

    def restore(self, ctx: JobContext, archive_file: Path) -> Changes:
        """Put a backup in place of the library, which is backed up first and kept in the trash.

        Raises InputError, DamagedDatabase, NewerDatabase, DiskFull; then nothing was replaced.
        """
        self.prepare_restore(ctx, archive_file)
        folder, clock = self._library.folder, self._library.clock
        self.close()
        self._library = Library(folder, clock, program="Engram")
        self._clients = self._clients.for_settings(self._library.settings)
        return Changes(library=True, settings=True, structure=True, messages=True)

    def prepare_restore(self, ctx: JobContext, archive_file: Path) -> None:
        """As `restore`, but the backup takes its place when the library is opened next."""
        try:
            self.backup(ctx)
        except DamagedDatabase as e:  # the very reason to restore
            logger.warning("What is restored over is not backed up, only kept: %s", e)
        backups.stage(self.folder, archive_file)

    def backups(self) -> list[BackupFile]:
        """List the backups of this library, the newest first."""
        return backups.found_in(self.folder)

    def doctor(self, ctx: JobContext, *, repair: bool = False) -> list[Finding]:
        """Check the library, and mend what can be derived."""
        settings = self.settings()
        return upkeep.doctor(self._library, ctx, self._clients.embedder(), settings, repair=repair)

    def mended(self) -> list[Finding]:
        """What an interrupted process had left, and what was done about it at opening."""
        return list(self._library.mended)

    def close(self) -> None:
        """Stop the vector worker and close every database."""
        self._recallers.clear()
        self._javascript.close()
        if self.can_write:
            self._meter.save()
        self._library.close()

    # --- inside ---

    def _chat(self, chat_id: str) -> ChatStore:
        return self._library.chat(chat_id)

    def _given(self, name: EndpointName, values: dict[str, str]) -> endpoint.Endpoint:
        key = values.get("key") or self._clients.keys.get(name)
        return endpoint.Endpoint(values.get("base_url", ""), values.get("model", ""), key, 30.0)
