"""Rules are tried only where texts stand that they need: nothing that they match may be missed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.hinted_rules import (
    FactRule,
    Marker,
    TextFinder,
    needed_texts,
    put_claim,
)
from engram_desktop.domain.claims.sentence import Sentence, rules_of, sentences_of
from engram_desktop.domain.claims.speech import Part
from tests.findings_stories import stories


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\bmoved (?:in|out)\b", [{"moved in", "moved out"}]),
        (r"lives?\s+(?P<v>at|in)", [{"live", "lives"}, {"at", "in"}]),
        (
            r"(?:had|has) (?:a|the) \w+ key",
            [{" key"}, {"had a ", "had the ", "has a ", "has the "}],
        ),
        (r"(?<=, )captain(?! of)", [{"captain"}]),
        (r"Keeps? (?:[a-z]+ )*?Watch", [{"keep ", "keeps "}, {"watch"}]),
        (r"(?:sold|\w+ed) it", [{"sold", "ed"}, {" it"}]),
        (r"gone(?: away)?", [{"gone", "gone away"}]),
        (r"把(?P<t>[^，。]{1,4}?)(?:卖|送)了", [{"卖了", "送了"}, {"把"}]),
        (r"[左右]手(?:断|折)", [{"左手断", "左手折", "右手断", "右手折"}]),
        (r"\d+|one", []),
        (r"\w+", []),
    ],
)
def test_what_a_pattern_needs(pattern: str, needs: list[set[str]]) -> None:
    assert {frozenset(texts) for texts in needed_texts(pattern)} == {frozenset(n) for n in needs}


def test_the_rarest_texts_come_first() -> None:
    assert needed_texts(r"\b(?:is|was) (?:still )?a \w+ blacksmith")[0] == {" blacksmith"}


@pytest.mark.parametrize(
    ("low", "held"),
    [
        ("she moved out.", {"moves", "short"}),
        ("unmoved outside", {"moves", "short"}),
        ("he is my friend", {"friend", "mine"}),
        ("my girlfriend", {"friend", "mine"}),
        ("mystery friends", {"friend", "short"}),
        ("3 of 4", {"counts"}),
        ("他搬了家", {"home"}),
        ("他回家了", set[str]()),
        ("", set[str]()),
    ],
)
def test_texts_are_found_by_their_rarest_word(low: str, held: set[str]) -> None:
    finder = TextFinder(
        {
            "moves": ("moved out", "moves in"),
            "friend": ("friend",),
            "mine": ("my ",),
            "short": ("out", "yst"),
            "home": ("搬了家", "安家"),
            "counts": ("4",),
        }
    )
    assert finder.held(low) == held


def _sentences() -> Iterator[Sentence]:
    for story in stories():
        for _sender, text in story.messages:
            yield from sentences_of(text, Part("narrated", 0, len(text)))


def _has_hint(rule: FactRule, low: str) -> bool:
    return not rule.hints or any(hint in low for hint in rule.hints)


def test_every_rule_and_marker_that_matches_is_found() -> None:
    matched = 0
    for sentence in _sentences():
        rules = rules_zh if sentence.is_zh else rules_en
        low = sentence.low
        found = rules_of(sentence.is_zh).of(low, sentence.held)
        for rule in rules.FACTS:
            match = rule.pattern.search(sentence.text)
            is_inside = match and rule.is_at_word and sentence.text[: match.start()][-1:].isalnum()
            if match and not is_inside and _has_hint(rule, low):
                matched += 1
                assert rule in found, (rule.text, sentence.text)
        for marker in rules.MARKERS:
            ours, plain = sentence.search(marker), marker.search(sentence.text)
            assert (ours and ours.span()) == (plain and plain.span()), (marker.text, sentence.text)
    assert matched > 100


def test_a_marker_needs_one_of_its_hints() -> None:
    marker = Marker(r"\w+ed", hints="fin|pol")
    assert marker.search("It was finished.")
    assert not marker.search("It was ended.")


def work(value, sign="", *, polarity=True):
    return Claim(1, "said", "白鹭", "白鹭", "work", value, "", 0, 0, polarity, sign=sign)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        (work("法师"), work("见习法师"), [work("见习法师")]),  # the longer one says more
        (work("法师"), work("医生"), [work("法师")]),  # of two the first
        (work("", "ends"), work("医生"), [work("", "ends")]),
        (work("法师", "states"), work("医生", "changes"), [work("医生", "changes")]),
        (work("法师"), work("法师", polarity=False), [work("法师", polarity=False)]),
        (work("医生", "changes"), work("", polarity=False), None),  # she was another before
    ],
)
def test_of_two_claims_of_one_facet_in_a_sentence_one_stays(first, second, left):
    found = [first]
    put_claim(found, second)
    assert found == (left if left is not None else [second, first])
