"""The servers that a library asks: their keys, whether they answer, and what they offer."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.address import is_exposed, shown_url
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.llm import probe
from engram_desktop.llm.endpoint import endpoint

if TYPE_CHECKING:
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.clients import EndpointName
    from engram_desktop.services.library.session import Session

_EXPOSED = QT_TRANSLATE_NOOP(
    "reports",
    "What is sent to {host} crosses the network unencrypted, the key with it: use https:// if the"
    " server has it.",
)
_TASKS: dict[EndpointName, endpoint.Task] = {"llm": "chat", "embed": "embed", "rerank": "rerank"}


class EndpointService:
    """Endpoints. Their addresses and models are settings; their keys are kept elsewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def set_key(self, name: EndpointName, key: str) -> None:
        """Keep an API key where ``keys.storage`` says; an empty one deletes."""
        self._session.clients.keys.set(name, key)

    def has_key(self, name: EndpointName) -> bool:
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

    def warning(self, base_url: str) -> Phrase | None:
        """Say what to beware of at an address that may be used, or nothing."""
        return Phrase(_EXPOSED, host=shown_url(base_url)) if is_exposed(base_url) else None

    def _given(self, name: EndpointName, values: dict[str, str]) -> endpoint.Endpoint:
        key = values.get("key") or self._session.clients.keys.get(name)
        return endpoint.Endpoint(values.get("base_url", ""), values.get("model", ""), key, 30.0)
