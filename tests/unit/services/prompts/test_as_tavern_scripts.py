"""Regex scripts beside what a real SillyTavern made of the same texts, as it was written down."""

from __future__ import annotations

import pytest

from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.services.prompts.native import Native
from tests.oracle import regex
from tests.oracle.report import recorded


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript()
    yield made
    made.close()


def test_scripts_do_what_the_real_one_does():
    report = regex.judge(recorded("regex"))
    assert not report.differ, report.text()
    assert report.agree > 600
    assert set(report.known) <= {regex.READ_AGAIN, regex.BROKEN}


def native_of(javascript, find, replace, faults):
    script = RegexScript("x", find, replace, placements=frozenset({2}), prompt_only=True)
    stored = StoredScript("1", script, "global", "", 0, is_enabled=True)
    return Native([stored], javascript, on_fault=lambda _script, error: faults.append(error))


def test_a_script_without_a_pattern_leaves_texts_alone_even_where_it_is_tried(javascript):
    faults: list[Exception] = []
    for find in ("", "\n"):
        steps = native_of(javascript, find, "x", faults).trial("a\nb", 2)
        assert [step.text for step in steps] == ["a\nb", "a\nb"]
    assert not faults


@pytest.mark.parametrize("replace", ["$2", "$2{{unknown}}"])
def test_a_replacement_that_quotes_the_whole_text_over_and_over_is_stopped(javascript, replace):
    faults: list[Exception] = []
    text = "a" * 100_000
    assert native_of(javascript, "/a/g", replace, faults).text(text, 2) == text
    assert len(faults) == 1
