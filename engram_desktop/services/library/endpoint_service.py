"""The servers a library uses: their keys, whether they answer, and which models they offer."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from engram_desktop import __version__
from engram_desktop.domain.address import USUAL_PORTS, is_exposed, shown_url
from engram_desktop.domain.errors import InputError, NoReleaseAddress
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.release import Release, is_newer, read_release
from engram_desktop.domain.serving.identity import Upstream, parse_upstreams
from engram_desktop.llm import connection, endpoint, keys, os_keyring, probe
from engram_desktop.places import resource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.domain.address import LocalServer
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.keys import ServeKey
    from engram_desktop.services.library.session import EndpointName, Session


_EXPOSED = QT_TRANSLATE_NOOP(
    "reports",
    "What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the"
    " server has it.",
)
_TEST_SECONDS = 30.0  # timeout of a test request: the user waits in a dialog
_NO_UPSTREAM = QT_TRANSLATE_NOOP("reports", "no line of serve.endpoints is called “{name}”")
_TASKS: dict[EndpointName, endpoint.Task] = {"llm": "chat", "embed": "embed", "rerank": "rerank"}


class EndpointService:
    """Endpoints. Addresses and models are settings; keys are stored elsewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def releases(self) -> ReleaseService:
        """Return the service that looks for newer versions of the program."""
        return ReleaseService(self._session)

    def set_key(self, name: EndpointName | Literal["index"], key: str) -> None:
        """Store an API key where ``keys.storage`` says; an empty one deletes it."""
        self._session.clients.keys.set(name, key)

    def has_key(self, name: EndpointName | Literal["index"]) -> bool:
        return self._session.clients.keys.source(name) != "none"

    def has_model(self) -> bool:
        """Return whether a chat model is configured."""
        return self._session.clients.has_llm()

    def test(self, ctx: JobContext, name: EndpointName, values: dict[str, str]) -> dict[str, Any]:
        """Ask the endpoint once. ``values``: base_url, model, key. Raises LlmError."""
        return asdict(probe.probe(self._given(name, values), _TASKS[name], ctx))

    def models(
        self, ctx: JobContext, values: dict[str, str], name: EndpointName = "llm"
    ) -> list[str]:
        """Return the names of the models an endpoint offers. Raises LlmError."""
        return probe.list_models(self._given(name, values), ctx)

    def configured_models(self, ctx: JobContext) -> list[str]:
        """Return the models of the configured endpoint, if there is one. Raises LlmError."""
        configured = self.asked("llm")
        return probe.list_models(configured, ctx) if configured is not None else []

    def find_local(
        self, ctx: JobContext, ports: Sequence[tuple[str, int]] = USUAL_PORTS
    ) -> list[LocalServer]:
        """Return the model servers running on this computer; no other computer is asked."""
        return list(probe.find_local(ctx, ports))

    def warning(self, base_url: str) -> Phrase | None:
        """Return a warning about an allowed address that exposes data; None if it is safe."""
        return Phrase(_EXPOSED, host=shown_url(base_url)) if is_exposed(base_url) else None

    def serve_key(self) -> ServeKey:
        """Return the key of the memory server; it is made and stored at the first call."""
        return keys.current_serve_key(self._session.clients.keys)

    def renew_serve_key(self) -> ServeKey:
        """Replace the key of the memory server, so that clients with the old one are refused."""
        return keys.renewed_serve_key(self._session.clients.keys)

    def upstreams(self) -> tuple[Upstream, ...]:
        """Return the further endpoints of the memory server; invalid lines are left out."""
        return parse_upstreams(self._session.settings().serve_endpoints)[0]

    def set_upstream_key(self, name: str, key: str) -> None:
        """Store the key of a further endpoint; an empty one deletes it.

        Raises InputError for a name missing in ``serve.endpoints``, NoKeyring, BadKey.
        """
        if key.strip() and name not in {upstream.name for upstream in self.upstreams()}:
            raise InputError(Phrase(_NO_UPSTREAM, name=name))
        keys.write_further_key(self._session.clients.keys, name, key)

    def upstreams_with_key(self) -> frozenset[str]:
        """Return the names of the further endpoints that have a key of their own."""
        return frozenset(self._further_keys())

    def _further_keys(self) -> dict[str, str]:
        try:
            return keys.read_further_keys(self._session.clients.keys)
        except os_keyring.NoKeyring:  # a local server needs none; another one reports it itself
            return {}

    def check_upstreams(self) -> None:
        """Raise BadSetting for the first invalid line of ``serve.endpoints``."""
        for fault in parse_upstreams(self._session.settings().serve_endpoints)[1]:
            raise fault

    def asked(self, name: EndpointName) -> endpoint.Endpoint | None:
        """Return a configured endpoint with its key, to forward requests to; None if there is none.

        Raises BadEndpoint, BadKey, NoKeyring.
        """
        return self._session.clients.endpoint(name)

    def asked_upstream(self, upstream: Upstream) -> endpoint.Endpoint:
        """Return a further endpoint with its own key, or the key of a configured endpoint there.

        A key is sent to no other server than the one it was given for. Raises BadKey, NoKeyring.
        """
        url = upstream.base_url
        own_key = self._further_keys().get(upstream.name, "")
        other = endpoint.Endpoint(url, key=own_key, proxy=self._session.clients.proxy)
        if own_key:
            return other
        names: tuple[EndpointName, ...] = ("llm", "embed")
        for name in names:
            own = self._session.clients.endpoint(name)
            if own is not None and own.origin == other.origin:
                return endpoint.Endpoint(url, key=own.key, timeout=own.timeout, proxy=own.proxy)
        return other

    def _given(self, name: EndpointName, values: dict[str, str]) -> endpoint.Endpoint:
        key = values.get("key") or self._session.clients.keys.get(name)
        url, model = values.get("base_url", ""), values.get("model", "")
        return endpoint.Endpoint(url, model, key, _TEST_SECONDS, self._session.clients.proxy)


class ReleaseService:
    """Newer versions of the program, as published at one address.

    Nothing is requested unless `newest` is called; automatically only if ``update_check`` is set.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def address(self) -> str:
        """Return the address to ask: the user's, else the built-in one, else ""."""
        return self._session.settings().update_address or built_in_address()

    def newest(self, ctx: JobContext) -> Release | None:
        """Return a version newer than this one, or None. Raises LlmError."""
        address = self.address
        if not address:
            raise NoReleaseAddress
        release = read_release(connection.get_text(address, ctx, self._session.clients.proxy))
        return release if is_newer(release, __version__) else None


@cache
def built_in_address() -> str:
    """Return the address built into this copy of the program; "" in a checkout."""
    return str(tomllib.loads(resource("release.toml").read_text("utf-8"))["address"])
