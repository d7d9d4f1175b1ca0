"""What is wrong with a JSON text is told from the text, whatever was taken out or put in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.phrase import Phrase
from engram_desktop.formats.json_text import fault_in

DECODER = json.JSONDecoder(strict=False)
NAMES = st.text(st.sampled_from('k"\\{[,:'), max_size=3)
VALUES = st.recursive(
    st.none() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=10,
)
BROKEN = st.sampled_from(["", *'{}[],:"\\x1'])
# What would have let the parser go on, by what it is told is missing.
MENDED = {
    "a value is missing": "0",
    "a name in double quotes is missing": '"k":0',
    "a colon is missing": ":0",
    "a comma is missing": ",",
}


def stopped(text):
    """The error of a parser, or None."""
    try:
        DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        return error
    return None


@given(VALUES, st.data())
def test_what_is_said_to_be_missing_lets_the_parser_go_on(value, data):
    whole = json.dumps(value)
    at = data.draw(st.integers(0, len(whole)))
    text = whole[:at] + data.draw(BROKEN) + whole[at + data.draw(st.integers(0, 1)) :]
    error = stopped(text)
    if error is None:
        return
    fault = fault_in(error)
    assert isinstance(fault, Phrase)
    wanted = MENDED.get(str(fault))
    if wanted is None:
        return
    mended = text[: error.pos] + wanted + " " + text[error.pos :]
    further = stopped(mended)
    assert further is None or further.pos >= error.pos + len(wanted)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a value is missing"),
        ("[1, ", "a value is missing"),
        ('{"a":', "a value is missing"),
        ("{", "a name in double quotes is missing"),
        ('{"a": 1, b: 2}', "a name in double quotes is missing"),
        ('{"a" "b"}', "a colon is missing"),
        ('{"a": "b" "c": 1}', "a comma is missing"),
        ('["a" "b"]', "a comma is missing"),
        ('{"a": "b', "a text has no closing quotation mark"),
        ('{"a', "a text has no closing quotation mark"),
        (r'["\"\q"]', "a text holds a backslash that means nothing"),
        (r'["\u12"]', "a text holds a backslash that means nothing"),
        ("[1, ]", "a comma has nothing behind it"),
        ('{"a": 1, }', "a comma has nothing behind it"),
    ],
)
def test_kinds_of_faults(text, said):
    assert str(fault_in(stopped(text))) == said


def test_where_other_versions_stop_at_a_trailing_comma():
    assert str(fault_in(json.JSONDecodeError("", "[1, ]", 2))) == "a comma has nothing behind it"
