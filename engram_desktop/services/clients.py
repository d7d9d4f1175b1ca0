"""The endpoints a library is configured for, opened when first needed.

The environment wins over settings, and is never stored.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import Literal

from engram_desktop.domain.errors import NotConfigured
from engram_desktop.domain.settings import Settings
from engram_desktop.llm.calls import OnCall
from engram_desktop.llm.choose import open_embedder
from engram_desktop.llm.client import Client
from engram_desktop.llm.embedder import Embedder
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.llm.keys import KeyStore

EndpointName = Literal["llm", "embed", "rerank"]


class Clients:
    """Makes clients from settings, keys and the environment; keeps them while these stay."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        keys: KeyStore,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._settings = settings
        self.keys = keys
        self._environ = environ
        self._held: dict[str, tuple[object, Client]] = {}
        self._embedder: tuple[object, Embedder] | None = None
        self._lock = threading.Lock()

    def for_settings(self, settings: Callable[[], Settings]) -> Clients:
        """The same keys and environment under other settings."""
        return Clients(settings, self.keys, self._environ)

    def base_url(self, name: EndpointName) -> str:
        """Configured base URL, empty where there is none."""
        told = self._environ.get(f"ENGRAM_{name.upper()}_BASE_URL", "").strip()
        return told or str(self._settings().get(f"{name}.base_url"))

    def model(self, name: EndpointName) -> str:
        told = self._environ.get(f"ENGRAM_{name.upper()}_MODEL", "").strip()
        return told or str(self._settings().get(f"{name}.model"))

    def endpoint(self, name: EndpointName) -> Endpoint | None:
        """Return the endpoint, or None where none is configured. Raises BadEndpoint, BadKey."""
        url = self.base_url(name)
        if not url:
            return None
        timeout = float(self._settings().llm_timeout)
        return Endpoint(url, self.model(name), self.keys.get(name), timeout)

    def has_llm(self) -> bool:
        return bool(self.base_url("llm"))

    def llm(self, on_call: OnCall) -> Client:
        """Return a client for chat that reports to ``on_call``. Raises NotConfigured.

        What one client learned of its server, the next one knows.
        """
        endpoint = self.endpoint("llm")
        if endpoint is None or not endpoint.model:
            raise NotConfigured(task="chat")
        with self._lock:
            held = self._held.get("llm")
            if held is None or held[0] != endpoint:
                held = (endpoint, Client(endpoint))
                self._held["llm"] = held
            return Client(endpoint, on_call, learned=held[1].learned)

    def embedder(self) -> Embedder:
        """Return the embedder in use: the configured endpoint's, or the built-in one."""
        endpoint = self.endpoint("embed")
        local = self._settings().embed_local
        key = (endpoint, local)
        with self._lock:
            if self._embedder is None or self._embedder[0] != key:
                self._embedder = (
                    key,
                    open_embedder(endpoint, "hash" if local == "hash" else "use"),
                )
            return self._embedder[1]
