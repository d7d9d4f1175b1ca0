"""The proxy of the settings goes with every endpoint that is asked."""

from __future__ import annotations

import pytest

from engram_desktop.llm.endpoint.endpoint import NO_PROXY, SYSTEM_PROXY


@pytest.mark.parametrize(
    ("choice", "url", "proxy"),
    [
        ("system", "http://127.0.0.1:7890", SYSTEM_PROXY),
        ("none", "http://127.0.0.1:7890", NO_PROXY),
        ("own", "http://127.0.0.1:7890", "http://127.0.0.1:7890"),
        ("own", "", ""),
    ],
)
def test_every_endpoint_has_the_proxy_that_was_chosen(memory, choice, url, proxy):
    memory.settings.set("keys.storage", "session")
    for key, value in {
        "net.proxy": choice,
        "net.proxy_url": url,
        "llm.base_url": "https://example.test/v1",
        "serve.endpoints": "away = https://other.example/v1\nsame = https://example.test/v2",
    }.items():
        memory.settings.set(key, value)
    asked = [memory.endpoints.asked("llm")]
    asked += [memory.endpoints.asked_upstream(u) for u in memory.endpoints.upstreams()]
    assert [endpoint.proxy for endpoint in asked] == [proxy] * 3
