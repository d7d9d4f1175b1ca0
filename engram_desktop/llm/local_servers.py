"""Find servers of models on this computer. Nobody else is asked, and nothing is configured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engram_desktop.domain.errors import LlmError
from engram_desktop.domain.local_server import LocalServer
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm import probe
from engram_desktop.llm.endpoint.endpoint import NO_PROXY, Endpoint

HOST = "127.0.0.1"  # this computer, by its address: a name could be somebody else's
ASK_S = 2.0  # for a list of models: a server that is awake says it in some ms


def find_local(ctx: JobContext, ports: Sequence[tuple[str, int]]) -> Iterator[LocalServer]:
    """Ask each port for its models and give those that name some. Raises Cancelled."""
    for name, port in ports:
        ctx.check()
        url = f"http://{HOST}:{port}/v1"
        try:
            models = probe.list_models(Endpoint(url, timeout=ASK_S, proxy=NO_PROXY), ctx)
        except LlmError:  # nobody is there, or something else than a server of models
            continue
        if models:
            yield LocalServer(name, url, tuple(models))
