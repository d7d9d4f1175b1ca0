"""Both ways to replace agree: in JavaScript at once, and match by match from what it found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.regex_script import groups_in, with_groups
from engram_desktop.formats.javascript import Group, JavaScript, mended

PATTERNS = ("(a)(b)?", "(?<x>a+)|(.)", "", "^.$", "[^ab]+", "(?<=a)b")


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript()
    yield made
    made.close()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PATTERNS),
    st.sampled_from(["", "g", "gi", "gsu"]),
    st.text(alphabet="$012<x>a-", max_size=8),
    st.lists(st.text(alphabet="abA 😀\n\ud83d", max_size=12), max_size=4),
    st.lists(st.sampled_from(["a", "b", "", "ab"]), max_size=2),
)
def test_both_ways_agree(javascript, source, flags, template, texts, trims):
    parts = [p if isinstance(p, str) else Group(p[0]) for p in groups_in(template)]
    at_once = javascript.replace(source, flags, parts, texts, trims)
    composed = []
    for text, scan in zip(texts, javascript.scan(source, flags, texts), strict=True):
        if scan is None:
            composed.append(text)
            continue
        pieces = [
            piece
            for m in scan.matches
            for piece in (m.before, with_groups(template, m.groups, m.named, trims))
        ]
        composed.append(mended("".join([*pieces, scan.rest])))
    assert at_once == composed
