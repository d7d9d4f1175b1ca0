from __future__ import annotations

import json
from dataclasses import asdict

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import CheckResult


def test_a_phrase_is_its_english_text_and_remembers_its_template():
    phrase = Phrase("the vector index holds all {count} vectors", count=7)
    assert phrase == "the vector index holds all 7 vectors"
    assert (phrase.template.format_map(phrase.params), phrase.context) == (phrase, "reports")


def test_a_report_with_phrases_becomes_plain_json():
    finding = CheckResult("月", Phrase("{x} {{braces}}", x=1), is_ok=True)
    assert json.loads(json.dumps(asdict(finding)))["what"] == "1 {braces}"


def test_an_error_gives_its_text_without_the_hint():
    error = NotFound("chat", "月")
    assert error.phrase == "There is no chat “月”."
    assert error.phrase.context == "errors"
