"""Keys of further endpoints: one entry, by name; whatever else stands there is none."""

from __future__ import annotations

import pytest

from engram_desktop.llm.endpoint import keys as further_keys
from engram_desktop.llm.endpoint.endpoint import BadKey
from engram_desktop.llm.endpoint.keys import KeyStore


@pytest.fixture
def heard():
    return []


@pytest.fixture
def keys(tmp_path, heard):
    return KeyStore("file", tmp_path, environ={}, on_key=heard.append)


def test_each_endpoint_has_its_own_and_every_one_is_masked(keys, heard):
    further_keys.write_further_key(keys, "away", "Bearer sk-1 ")
    further_keys.write_further_key(keys, "深", "sk-2")
    assert further_keys.read_further_keys(keys) == {"away": "sk-1", "深": "sk-2"}
    assert {"sk-1", "sk-2"} <= set(heard)
    further_keys.write_further_key(keys, "away", "")
    assert further_keys.read_further_keys(keys) == {"深": "sk-2"}
    further_keys.write_further_key(keys, "深", "")
    assert keys.source("further") == "none"


def test_a_key_that_is_none_is_refused_and_nothing_is_lost(keys):
    further_keys.write_further_key(keys, "away", "sk-1")
    with pytest.raises(BadKey):
        further_keys.write_further_key(keys, "away", "名字")
    assert further_keys.read_further_keys(keys) == {"away": "sk-1"}


@pytest.mark.parametrize("text", ["nothing", "[1,2]", '{"a":1,"b":null}', "{"])
def test_what_was_edited_by_hand_is_no_key(keys, text):
    keys.set("further", text)
    assert further_keys.read_further_keys(keys) == {}
