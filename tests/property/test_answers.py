"""Whatever text a story puts into the strings of an answer, what is read is that answer."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.memory.extraction import (
    MAX_SUMMARY,
    MAX_TEXT,
    PlotExtraction,
    clean_text,
)
from engram_desktop.llm.answers import accept_answer, read_json

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
