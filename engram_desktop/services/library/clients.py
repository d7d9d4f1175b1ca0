"""The clients of the endpoints that a library is configured for, opened when first needed.

Environment variables take precedence over settings, and are never stored.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from engram_desktop.domain.errors import NotConfigured
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import RightOfWay
from engram_desktop.llm import client, rerank
from engram_desktop.llm import endpoint as endpoints
from engram_desktop.llm.embedding import http_embedder, local_embedder
from engram_desktop.llm.embedding.embedder import Embedder, LocalName
from engram_desktop.llm.keys import KeyStore
from engram_desktop.services.library.usage import Meter

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.prompt_template import ModelOverride
    from engram_desktop.llm.client import CallRecord, OnCall
    from engram_desktop.llm.endpoint import Endpoint
    from engram_desktop.services.library.usage import RequestLog


def open_embedder(
    endpoint: Endpoint | None, local: LocalName = "use", way: RightOfWay | None = None
) -> Embedder:
    """Return the embedder of an endpoint, or the built-in one if there is none.

    The built-in one pauses while another holder has the right of ``way``.
    """
    if endpoint is not None:
        return http_embedder.HttpEmbedder(client.Client(endpoint))
    return local_embedder.HashEmbedder() if local == "hash" else local_embedder.LocalEmbedder(way)


RERANK_TIMEOUT_S = 10.0  # the player waits for the reply

EndpointName = Literal["llm", "embed", "rerank"]


class Clients:
    """Makes clients from settings, keys and environment; reuses them while these stay the same."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        keys: KeyStore,
        environ: Mapping[str, str] = os.environ,
        meter: Meter | None = None,
        log: RequestLog | None = None,
        way: RightOfWay | None = None,
    ) -> None:
        self.way = way or RightOfWay()
        self._settings = settings
        self._meter = meter
        self._log = log
        self.keys = keys
        self._environ = environ
        self._clients: dict[str, tuple[object, client.Client]] = {}
        self._embedder: tuple[object, Embedder] | None = None
        self._older: tuple[object, Embedder] | None = None
        self._reranker: tuple[object, rerank.Reranker] | None = None
        self._lock = threading.Lock()

    def for_settings(self, settings: Callable[[], Settings]) -> Clients:
        """Return clients with the same keys and environment, for other settings."""
        return Clients(settings, self.keys, self._environ, self._meter, self._log, self.way)

    def metered(self, meter: Meter, log: RequestLog) -> Clients:
        """Return clients counted by ``meter``, held to its limit and recorded in ``log``."""
        return Clients(self._settings, self.keys, self._environ, meter, log, self.way)

    @property
    def proxy(self) -> str:
        """Return the proxy setting in the form that `Endpoint` takes."""
        settings = self._settings()
        return settings.net_proxy_url if settings.net_proxy == "own" else settings.net_proxy

    def base_url(self, name: EndpointName) -> str:
        """Return the configured base URL, "" if there is none."""
        url = self._environ.get(f"ENGRAM_{name.upper()}_BASE_URL", "").strip()
        return url or str(self._settings().get(f"{name}.base_url"))

    def model(self, name: EndpointName) -> str:
        model = self._environ.get(f"ENGRAM_{name.upper()}_MODEL", "").strip()
        return model or str(self._settings().get(f"{name}.model"))

    def endpoint(self, name: EndpointName) -> Endpoint | None:
        """Return an endpoint; None if it is not configured. Raises BadEndpoint, BadKey."""
        url = self.base_url(name)
        if not url:
            return None
        timeout = float(self._settings().llm_timeout)
        return endpoints.Endpoint(url, self.model(name), self.keys.get(name), timeout, self.proxy)

    def has_llm(self) -> bool:
        return bool(self.base_url("llm"))

    def llm(
        self, task: str, on_call: OnCall, override: ModelOverride | None = None
    ) -> client.Client:
        """Return a chat client that reports to ``on_call``. Raises NotConfigured.

        ``task`` names the purpose in the log of requests. What one client learned about its server
        is passed on to the next. Every request is counted towards the daily limit.
        """
        endpoint = self.endpoint("llm")
        if endpoint is not None and override is not None:
            endpoint = _overridden(endpoint, override)
        if endpoint is None or not endpoint.model:
            raise NotConfigured(task="chat")
        name = f"llm {override}" if override else "llm"
        with self._lock:
            entry = self._clients.get(name)
            if entry is None or entry[0] != endpoint:
                entry = (endpoint, client.Client(endpoint))
                self._clients[name] = entry
            learned = entry[1].learned
        meter = self._meter
        if meter is None:
            return client.Client(endpoint, on_call, learned=learned)

        def counted(call: CallRecord) -> None:
            meter.record(call)
            if self._log is not None:
                self._log.add(task, call)
            on_call(call)

        return client.Client(endpoint, counted, learned=learned, admit=meter.admit)

    def reranker(self) -> rerank.Reranker | None:
        """Return the reranker; None if none is configured. Raises BadEndpoint, BadKey."""
        endpoint = self.endpoint("rerank")
        if endpoint is None:
            return None
        with self._lock:
            if self._reranker is None or self._reranker[0] != endpoint:
                short = replace(endpoint, timeout=min(RERANK_TIMEOUT_S, endpoint.timeout))
                self._reranker = (
                    endpoint,
                    rerank.Reranker(client.Client(short, retry=client.Retry(attempts=1))),
                )
            return self._reranker[1]

    def embedder(self) -> Embedder:
        """Return the embedder in use: that of the configured endpoint, or the built-in one."""
        endpoint = self.endpoint("embed")
        local = self._settings().embed_local
        key = (endpoint, local)
        with self._lock:
            if self._embedder is None or self._embedder[0] != key:
                self._embedder = (
                    key,
                    open_embedder(endpoint, "hash" if local == "hash" else "use", self.way),
                )
            return self._embedder[1]

    def older_embedder(self, model_id: str) -> Embedder | None:
        """Return the embedder of an earlier setting by its model id; None if it cannot be opened.

        Built-in ones always can be; one of a server only while the same server is configured.
        """
        model, _at, host = model_id.rpartition("@")
        endpoint = None
        if model_id not in _local_names():
            endpoint = self.endpoint("embed")
            if endpoint is None or endpoint.host != host:
                return None
            endpoint = replace(endpoint, model=model)
        key = (model_id, endpoint)
        with self._lock:
            if self._older is None or self._older[0] != key:
                local = _local_names().get(model_id, "use")
                self._older = (key, open_embedder(endpoint, local, self.way))
            return self._older[1]


@functools.cache
def _local_names() -> dict[str, LocalName]:
    """Return the built-in embedders by the model id of their vectors."""
    return {open_embedder(None, name).model_id: name for name in get_args(LocalName)}


def _overridden(endpoint: Endpoint, override: ModelOverride) -> Endpoint:
    """Apply an override of a task; the API key is dropped if it names another server."""
    other = replace(endpoint, model=override.model or endpoint.model)
    if override.base_url:
        other = replace(other, base_url=override.base_url)
    return other if other.origin == endpoint.origin else replace(other, key="")
