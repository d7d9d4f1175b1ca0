"""Both ways to replace agree: in JavaScript at once, and match by match from what it found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import ScriptFailed
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.regex_script import (
    RegexScript,
    StoredScript,
    finder,
    groups_in,
    with_groups,
)
from engram_desktop.formats.javascript.engine import Group, JavaScript, Replacement, mended
from engram_desktop.services.prompts.native import Native

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
    st.lists(st.text(alphabet="abA 😀\n\ud83d", min_size=1, max_size=12), max_size=4),
    st.lists(st.sampled_from(["a", "b", "", "ab"]), max_size=2),
)
def test_both_ways_agree(javascript, source, flags, template, texts, trims):
    parts = tuple(p if isinstance(p, str) else Group(p[0]) for p in groups_in(template))
    step = Replacement(source, flags, parts, tuple(trims))
    at_once = javascript.replace([step], [1] * len(texts), texts)
    composed = []
    for text, scan in zip(texts, javascript.scan(source, flags, texts), strict=True):
        if scan is None:
            composed.append(text)
            continue
        pieces = [
            piece
            for m in scan.matches
            for all_given in (m.given(text, is_trimmed=bool(trims)),)
            for piece in (m.before, with_groups(template, all_given, m.named, trims))
        ]
        composed.append(mended("".join([*pieces, scan.rest])))
    assert at_once == composed


PIECES: tuple[str, ...] = (
    "a",
    "b",
    "ab",
    "<",
    r"\*",
    r"\d",
    "[ab]",
    "(b)",
    "(?:ab|c)",
    "^",
    "$",
    ".",
    "{",
)
PIECES = (*PIECES, r"\u0061", r"\x61", "{1}", "(?=a)", "(?!a)", "😀")
AFTER = ("", "", "", "?", "*", "+", "{0,1}", "{2}", "+?")
patterns = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(AFTER)), max_size=5).map(
    lambda parts: "".join(piece + after for piece, after in parts)
) | st.lists(st.sampled_from([*PIECES, "|", "]", ")"]), max_size=5).map("".join)
flags_of = st.sampled_from(["", "g", "i", "gs", "u", "iu"])


@settings(max_examples=200, deadline=None)
@given(patterns, flags_of, st.text("aAbB<*1{c\n ſK", max_size=9))
def test_a_text_that_a_pattern_matches_is_never_passed_over(javascript, source, flags, text):
    is_in = finder(source, flags)
    try:
        matches = javascript.test(source, flags, [text])[0]
    except ScriptFailed:
        return
    assert is_in is None or is_in(text) or not matches


def script(number, find, replace):
    made = RegexScript(str(number), find, replace, placements=frozenset({1, 2}))
    return StoredScript(str(number), made, "global", "", number, is_enabled=True)


FINDS = ("/a/g", "/<b>/", "/(b)(c)?/gi", "/[ab]$/", "/x|y/", "/(/", "/c/g")
REPLACES = ("", "b", "$1<b>", "{{char}}c", "x")


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(FINDS), st.sampled_from(REPLACES)), max_size=5),
    st.lists(st.text("abc<>xy", max_size=8), max_size=6),
)
def test_all_at_once_is_the_same_as_one_after_another(javascript, scripts, texts):
    held = [script(n, find, replace) for n, (find, replace) in enumerate(scripts)]
    messages = [
        Message(str(n), "main", n, "A", "user", text, is_hidden=False, swipe_hash="", sent_at=None)
        for n, text in enumerate(texts)
    ]
    at_once = [m.text for m in Native(held, javascript, last_floor=9).as_sent(messages)]
    alone = texts
    for stored in held:
        native = Native([stored], javascript, last_floor=9)
        alone = [native.text(text, 1) if text else text for text in alone]
    assert at_once == alone
