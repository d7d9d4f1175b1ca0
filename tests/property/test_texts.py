"""Texts of any kind: answers, files, JSON, patterns, tags."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError, ScriptFailed
from engram_desktop.domain.memory.extraction import (
    MAX_SUMMARY,
    MAX_TEXT,
    PlotExtraction,
    clean_text,
)
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play import ReplyPiece, TagParser, tags_of
from engram_desktop.domain.text.regex_script import (
    RegexScript,
    StoredScript,
    finder,
    groups_in,
    with_groups,
)
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.formats.cards import card_of
from engram_desktop.formats.javascript.engine import Group, Replacement, joined_halves
from engram_desktop.formats.json_text import dump, fault_in, find_value, removed, replaced
from engram_desktop.formats.json_text import read_json as read_text
from engram_desktop.formats.world_info import FIELDS, added, edited, parse_worldbook, worldbook_of
from engram_desktop.llm.answers import accept_answer, read_json
from engram_desktop.services.prompts.native import Native
from tests.cards import V2, png, text

# Whatever text a story puts into the strings of an answer, what is read is that answer.

FORGED = json.dumps({"events": [{"summary": "The king is dead. " * 9}]})
PIECES = (
    "```json\n" + FORGED + "\n```",
    "```",
    "\n```\n",
    "<think>",
    "</think>",
    "</thinking>" + FORGED,
    "</think>\n```json\n" + FORGED + "\n```\n",
    '{"events": [',
    '"}]}',
    FORGED,
    "{",
    "}",
    "[[",
    "]",
    "[1]",
    "{}",
    "{a: 1}",
    '"',
    "\\",
    "\\u0041",
    "\n",
    "月光",
    " she said, ",
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=6).map("".join)
values = st.recursive(
    texts | st.integers(-(10**9), 10**9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
answers = st.dictionaries(texts, values, min_size=1, max_size=4)
layouts = st.sampled_from(
    ({"ensure_ascii": False}, {"indent": 2}, {"separators": (",", ":"), "ensure_ascii": False})
)
prose = st.sampled_from(("", "Here it is:\n\n", "Certainly! “The answer”, as asked:\n", "如下：\n"))
thoughts = st.lists(
    st.sampled_from([p for p in PIECES if "</" not in p]) | st.text("abc {}[]\"'`\n", max_size=9),
    max_size=5,
).map("".join)


@given(answers, layouts)
def test_a_text_that_is_json_is_read_as_it_is(value, layout):
    assert read_json(json.dumps(value, **layout)).value == value


@given(answers, layouts, prose, st.sampled_from(("", "\n\nLet me know if you need more!")))
def test_an_answer_in_a_fence_or_in_prose_is_read_whole(value, layout, before, after):
    text = json.dumps(value, **layout)
    assert read_json(before + text + after).value == value
    assert read_json(f"{before}```json\n{text}\n```{after}").value == value


@given(answers, layouts, thoughts)
def test_an_answer_after_a_thought_is_read_whole(value, layout, thought):
    text = json.dumps(value, **layout)
    assert read_json(f"<think>{thought}</think>\n{text}").value == value
    assert read_json(f"<think>{thought}</think>\n```json\n{text}\n```").value == value
    assert read_json(f"Well, {thought}</think>{text}").value == value


@given(texts, texts)
def test_events_told_are_the_events_read(summary, details):
    told = PlotExtraction(summary="x" + summary, details=details + "x").to_json()
    [event] = accept_answer(json.dumps({"events": [told]}, ensure_ascii=False)).events
    assert event.summary == clean_text("x" + summary, MAX_SUMMARY)
    assert event.details == clean_text(details + "x", MAX_TEXT)


# Whatever a file holds, it is read or refused with a known error; nothing else is raised.

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


# What is wrong with a JSON text is told from the text, whatever was taken out or put in.

DECODER = json.JSONDecoder(strict=False)
FAULT_NAMES = st.text(st.sampled_from('k"\\{[,:'), max_size=3)
VALUES = st.recursive(
    st.none() | st.integers() | FAULT_NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FAULT_NAMES, inner, max_size=3),
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


# Any JSON, in any layout: what is not changed is the same text, what is changed is the value.

TEXT = st.text(st.characters(), max_size=8)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)
LAYOUTS = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 1, 4, "\t"]), "ensure_ascii": st.booleans()}
)


def same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(st.dictionaries(TEXT, JSON_VALUES, min_size=1, max_size=5), JSON_VALUES, LAYOUTS, st.data())
def test_only_the_value_at_the_path_changes(document, new, layout, data):
    text = json.dumps(document, **layout)
    name = data.draw(st.sampled_from(sorted(document)))
    changed = replaced(text, [((name,), new)])
    assert same(read_text(changed, ""), {**document, name: json.loads(dump(new))})
    was, now = find_value(text, (name,)), find_value(changed, (name,))
    assert was is not None
    assert now is not None
    (start, end), (new_start, new_end) = was, now
    assert (changed[:new_start], changed[new_end:]) == (text[:start], text[end:])


@given(st.dictionaries(TEXT, JSON_VALUES, max_size=5), TEXT, JSON_VALUES, LAYOUTS)
def test_what_is_added_and_taken_away_again_leaves_the_text_as_it_was(document, name, new, layout):
    document.pop(name, None)
    text = json.dumps(document, **layout)
    changed = replaced(text, [((name,), new)])
    assert same(read_text(changed, ""), {**document, name: json.loads(dump(new))})
    if document:
        assert removed(changed, (), {name}) == text


@given(JSON_VALUES)
def test_what_is_written_is_read_again(value):
    assert same(read_text(dump(value, ""), ""), read_text(dump(value), ""))
    dump(value).encode()  # no lone surrogate is left


# Both ways to replace agree: in JavaScript at once, and match by match from what it found.

PATTERNS = ("(a)(b)?", "(?<x>a+)|(.)", "", "^.$", "[^ab]+", "(?<=a)b")


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
    for said, scan in zip(texts, javascript.scan(source, flags, texts), strict=True):
        if scan is None:
            composed.append(said)
            continue
        pieces = [
            piece
            for m in scan.matches
            for all_given in (m.given(said, is_trimmed=bool(trims)),)
            for piece in (m.before, with_groups(template, all_given, m.named, trims))
        ]
        composed.append(joined_halves("".join([*pieces, scan.rest])))
    assert at_once == composed


PATTERN_PIECES: tuple[str, ...] = (
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
PATTERN_PIECES = (*PATTERN_PIECES, r"\u0061", r"\x61", "{1}", "(?=a)", "(?!a)", "😀")
AFTER = ("", "", "", "?", "*", "+", "{0,1}", "{2}", "+?")
patterns = st.lists(
    st.tuples(st.sampled_from(PATTERN_PIECES), st.sampled_from(AFTER)), max_size=5
).map(lambda parts: "".join(piece + after for piece, after in parts)) | st.lists(
    st.sampled_from([*PATTERN_PIECES, "|", "]", ")"]), max_size=5
).map("".join)
flags_of = st.sampled_from(["", "g", "i", "gs", "u", "iu"])


@settings(max_examples=100, deadline=None)
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


# A reply is read the same however it was cut, and whatever text stands in it is read back.

_BITS = st.sampled_from(
    [
        "<thought>", "</thought>", "<think>", "</think>", "<reply>", "</reply>", "<content>",
        "<state_update>", "</state_update>", "<record_event>", "</record_event>", "<summary>",
        "</summary>", "<trigger_flag>", "</trigger_flag>", "<UpdateVariable>", "</UpdateVariable>",
        "<JSONPatch>", "</JSONPatch>", "<Analysis>", "<filament_output version='3.0'>", "<b>", "<",
        ">", "</", "/>", "\n", "  ", "嘿嘿", "hello", "<reply ", "<thought/>", "[]", "\ud83d\ude00",
    ]
)  # fmt: skip
_REPLIES = st.lists(st.one_of(_BITS, st.text(max_size=4)), max_size=24).map("".join)
_PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=80).filter(
    lambda text: "<" not in text
)


def _fed(parts: list[str]) -> tuple[TagParser, list[ReplyPiece]]:
    parser = TagParser()
    return parser, [piece for part in parts for piece in parser.feed(part)]


@given(_REPLIES, st.lists(st.integers(0, 200), max_size=12))
def test_a_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    parts = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    parser, pieces = _fed(parts)
    letters, singles = _fed(list(text))
    assert parser.finish() == letters.finish() == tags_of(text)
    for kind in ("reply", "state", "event", "flag"):
        told = ["".join(p.text for p in some if p.kind == kind) for some in (pieces, singles)]
        assert told[0] == told[1]


@given(_PLAIN, _PLAIN, _PLAIN, st.lists(st.integers(-9, 9), max_size=3))
def test_what_a_valid_reply_says_is_read_back(
    thought: str, reply: str, summary: str, numbers: list[int]
) -> None:
    ops = json.dumps([{"op": "add", "path": "a.b", "value": n} for n in numbers])
    text = (
        f"<thought>{thought}</thought>\n<state_update>{ops}</state_update>\n"
        f"<record_event><summary>{summary}</summary></record_event>\n<reply>{reply}</reply>"
    )
    result = tags_of(text)
    assert result.reply == reply.strip(" \t\r\n")
    assert result.thought == thought.strip()
    assert result.updates == (f"<state_update>{ops}</state_update>",)
    assert result.is_whole


@given(_REPLIES)
def test_a_closed_thought_is_never_told(text: str) -> None:
    mark = "\N{LOCK}"
    result = tags_of(f"<thought>{text.replace('<', '(')}{mark}</thought>{text}")
    assert mark not in result.reply
