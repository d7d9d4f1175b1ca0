"""Whatever a file holds, it is read or refused with a known error; nothing else is raised."""

from __future__ import annotations

import contextlib
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.formats.cards import card_of
from engram_desktop.formats.worldbooks.fields import FIELDS
from engram_desktop.formats.worldbooks.world_info import (
    added,
    edited,
    parse_worldbook,
    worldbook_of,
)
from tests.cards import V2, png, text

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = ["entries", "data", "spec", "type", "kind", "name", "lorebookVersion", "character_book"]
FIELD = st.sampled_from([*FIELDS, "keys", "extensions", "insertion_order", "secondary_keys", "uid"])
ROWS = st.dictionaries(FIELD, ANY, max_size=8)
ENTRIES = st.lists(ROWS | ANY, max_size=3) | st.dictionaries(
    st.text(max_size=3), ROWS | ANY, max_size=3
)
KINDS = st.sampled_from(["risu", "memory", "lorebook_v3", "chara_card_v2"])
WORLDBOOKS = st.dictionaries(st.sampled_from(NAMES), ENTRIES | KINDS | ANY, max_size=5)


@settings(suppress_health_check=[HealthCheck.too_slow])  # to make up worldbooks takes long
@given(WORLDBOOKS | st.fixed_dictionaries({"entries": ENTRIES}))
def test_any_json_is_a_worldbook_or_is_refused(value):
    data = json.dumps(value).encode()
    with contextlib.suppress(InputError):
        read = worldbook_of(data, "f.json")
        assert read.original == data
        again = parse_worldbook(read.content, "")
        assert again.worldbook.entries == read.parsed.worldbook.entries
        pairs = [(entry, entry) for entry in again.worldbook.entries]
        assert edited(read.content, pairs) == read.content
        more, made = added(read.content, Entry(0, keys=("k",)))
        assert made in parse_worldbook(more, "").worldbook.entries


@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_read(data):
    for read in (worldbook_of, card_of):
        with contextlib.suppress(InputError):
            read(data, "f")


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_card_with_one_wrong_byte_is_read_or_refused(at, byte):
    data = bytearray(png(text(b"chara", V2)))
    data[at % len(data)] = byte
    with contextlib.suppress(InputError):
        card_of(bytes(data), "f.png")


@given(WORLDBOOKS)
def test_any_json_is_a_card_or_is_refused(value):
    with contextlib.suppress(InputError):
        assert card_of(json.dumps(value).encode(), "f.json").character.name
