"""Pick the embedder that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.llm import client
from engram_desktop.llm.client import OnCall, ignore
from engram_desktop.llm.embedding import http_embedder, local_embedder
from engram_desktop.llm.embedding.embedder import Embedder, LocalName

if TYPE_CHECKING:
    from engram_desktop.llm.endpoint import Endpoint


def open_embedder(
    endpoint: Endpoint | None, local: LocalName = "use", on_call: OnCall = ignore
) -> Embedder:
    """Return the server's embedder if there is an endpoint, else the built-in one."""
    if endpoint is not None:
        return http_embedder.HttpEmbedder(client.Client(endpoint, on_call))
    return local_embedder.HashEmbedder() if local == "hash" else local_embedder.LocalEmbedder()
