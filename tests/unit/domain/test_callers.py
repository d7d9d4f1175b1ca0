"""Names and pages: hostile spellings too. What is let in is tested over sockets."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import BadSetting
from engram_desktop.domain.serving.identity import (
    Upstream,
    host_of,
    is_known_origin,
    parse_origins,
    parse_upstreams,
)


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("LocalHost.:80", "localhost"),
        ("[::1]", "::1"),
        ("a:b", ""),
        ("a:99999", ""),
        ("[::1", ""),
        ("a b", ""),
        ("a@b", ""),
        ("", ""),
        (":80", ""),
        ("x" * 400, ""),
    ],
)
def test_the_name_of_a_host_header_is_read_strictly(header, host):
    assert host_of(header) == host


@pytest.mark.parametrize("origin", ["", "null", "http://[::1", "http://", "localhost", "a" * 9_999])
def test_what_is_no_origin_is_of_no_page(origin):
    assert not is_known_origin(origin, frozenset(), "localhost", network=True)


def test_origins_are_read_one_a_line():
    assert parse_origins(" https://A.example/ \n\nhttp://b:1\n") == {
        "https://a.example",
        "http://b:1",
    }


def test_endpoints_are_read_one_a_line_and_faults_are_told():
    good = "or = https://or.example/api/v1/ deepseek/ qwen"
    text = f"{good}\n\nbad\nor = http://x\n名 = http://x\nz = ftp://x\ny ="
    upstreams, faults = parse_upstreams(text)
    assert upstreams == (Upstream("or", "https://or.example/api/v1", ("deepseek/", "qwen")),)
    assert len(faults) == 5
    assert all(isinstance(fault, BadSetting) and str(fault) for fault in faults)


def test_a_models_name_asks_for_the_endpoint_whose_it_is():
    upstream = Upstream("or", "http://x", ("qwen",))
    assert upstream.asked_as("or/a/b") == "a/b"
    assert upstream.asked_as("qwen-3") == "qwen-3"
    assert upstream.asked_as("or/") is None
    assert upstream.asked_as("orange/a") is None
    assert upstream.asked_as("") is None
    assert upstream.offered_as("qwen-3") == "qwen-3"
    assert upstream.offered_as("a/b") == "or/a/b"
    assert Upstream("or", "http://x").asked_as("a") is None
    assert Upstream("or", "http://x").offered_as("a") == "or/a"
