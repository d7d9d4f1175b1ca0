"""The servers that a library asks: their keys, whether they answer, and what they offer."""

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
from engram_desktop.shipped import resource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.domain.address import LocalServer
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.keys import ServeKey
    from engram_desktop.services.library.clients import EndpointName
    from engram_desktop.services.library.session import Session


_EXPOSED = QT_TRANSLATE_NOOP(
    "reports",
    "What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the"
    " server has it.",
)
_TEST_SECONDS = 30.0  # of one question to try an endpoint: who waits looks at a dialog
_NO_UPSTREAM = QT_TRANSLATE_NOOP("reports", "no line of serve.endpoints is called “{name}”")
_TASKS: dict[EndpointName, endpoint.Task] = {"llm": "chat", "embed": "embed", "rerank": "rerank"}


class EndpointService:
    """Endpoints. Their addresses and models are settings; their keys are kept elsewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def releases(self) -> ReleaseService:
        """Newer versions of the program, as one address tells of them."""
        return ReleaseService(self._session)

    def set_key(self, name: EndpointName | Literal["index"], key: str) -> None:
        """Keep an API key where ``keys.storage`` says; an empty one deletes."""
        self._session.clients.keys.set(name, key)

    def has_key(self, name: EndpointName | Literal["index"]) -> bool:
        return self._session.clients.keys.source(name) != "none"

    def has_model(self) -> bool:
        """Whether there is a model that can be asked."""
        return self._session.clients.has_llm()

    def test(self, ctx: JobContext, name: EndpointName, values: dict[str, str]) -> dict[str, Any]:
        """Ask the endpoint once. ``values``: base_url, model, key. Raises LlmError."""
        return asdict(probe.probe(self._given(name, values), _TASKS[name], ctx))

    def models(
        self, ctx: JobContext, values: dict[str, str], name: EndpointName = "llm"
    ) -> list[str]:
        """Name the models an endpoint offers. Raises LlmError."""
        return probe.list_models(self._given(name, values), ctx)

    def configured_models(self, ctx: JobContext) -> list[str]:
        """Name the models that the configured endpoint offers, if there is one. Raises LlmError."""
        configured = self.asked("llm")
        return probe.list_models(configured, ctx) if configured is not None else []

    def find_local(
        self, ctx: JobContext, ports: Sequence[tuple[str, int]] = USUAL_PORTS
    ) -> list[LocalServer]:
        """Return the servers of models that run on this computer; no other is asked."""
        return list(probe.find_local(ctx, ports))

    def warning(self, base_url: str) -> Phrase | None:
        """Say what to beware of at an address that may be used, or nothing."""
        return Phrase(_EXPOSED, host=shown_url(base_url)) if is_exposed(base_url) else None

    def serve_key(self) -> ServeKey:
        """Return the key of the memory server; the first time one is made and kept."""
        return keys.current_serve_key(self._session.clients.keys)

    def renew_serve_key(self) -> ServeKey:
        """Make another key of the memory server: whoever has the old one is shut out."""
        return keys.renewed_serve_key(self._session.clients.keys)

    def upstreams(self) -> tuple[Upstream, ...]:
        """Return the further endpoints of the memory server; lines that are none are left out."""
        return parse_upstreams(self._session.settings().serve_endpoints)[0]

    def set_upstream_key(self, name: str, key: str) -> None:
        """Keep the key of a further endpoint; an empty one deletes.

        Raises InputError for a name that no line of ``serve.endpoints`` has, NoKeyring, BadKey.
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
        except os_keyring.NoKeyring:  # a server on this machine needs none, and says so itself
            return {}

    def check_upstreams(self) -> None:
        """Raises BadSetting for a line of ``serve.endpoints`` that is none."""
        for fault in parse_upstreams(self._session.settings().serve_endpoints)[1]:
            raise fault

    def asked(self, name: EndpointName) -> endpoint.Endpoint | None:
        """Return a configured endpoint with its key, to send requests on to; None without one.

        Raises BadEndpoint, BadKey, NoKeyring.
        """
        return self._session.clients.endpoint(name)

    def asked_upstream(self, upstream: Upstream) -> endpoint.Endpoint:
        """Return a further endpoint with its own key, else that of the configured server it is on.

        A key goes to no other server than the one it was given for. Raises BadKey, NoKeyring.
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


# Newer versions of this program: where one may be asked for, and whether there is one.
#
# Nothing is asked unless `newest` is called; unasked only where ``update_check`` is set.


class ReleaseService:
    """Releases, as one address tells of them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def address(self) -> str:
        """The one address that would be asked: the user's, else this copy's, else none."""
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
    """Return the address that was put in where this copy was made; in a checkout there is none."""
    return str(tomllib.loads(resource("release.toml").read_text("utf-8"))["address"])
