"""Pick the embedder that the settings ask for."""

from __future__ import annotations

from engram_desktop.llm.calls import OnCall, ignore
from engram_desktop.llm.client import Client
from engram_desktop.llm.embedder import Embedder, LocalName
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.llm.http_embedder import HttpEmbedder
from engram_desktop.llm.local_embedder import HashEmbedder, LocalEmbedder


def open_embedder(
    endpoint: Endpoint | None, local: LocalName = "use", on_call: OnCall = ignore
) -> Embedder:
    """Return the server's embedder if there is an endpoint, else the built-in one."""
    if endpoint is not None:
        return HttpEmbedder(Client(endpoint, on_call))
    return HashEmbedder() if local == "hash" else LocalEmbedder()
