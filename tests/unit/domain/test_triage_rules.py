"""Triage by rules, on 200 inputs labelled by hand before the rules were written.

Forty of them (`aside`) were not looked at while the rules were tuned.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram_desktop.domain.recall.triage_rules import triage_by_rules

INPUTS = json.loads(Path(__file__).with_name("triage_inputs.json").read_text("utf-8"))


@pytest.mark.parametrize("aside", [False, True])
def test_nine_in_ten_are_right_and_events_are_not_taken_for_routine(aside):
    inputs = [one for one in INPUTS if one["aside"] is aside]
    levels = [(one["level"], triage_by_rules(one["text"]).level) for one in inputs]
    right = sum(level == judged for level, judged in levels)
    events = [judged for level, judged in levels if level == "EVENT"]
    assert right >= 0.9 * len(inputs)
    assert events.count("ROUTINE") <= 0.02 * len(events)


def test_there_are_two_hundred_of_all_kinds():
    assert len(INPUTS) == 200
    assert sum(one["aside"] for one in INPUTS) == 40
    assert {one["level"] for one in INPUTS} == {"ROUTINE", "CHAT", "EVENT"}


def test_a_headpat_is_routine_and_short():
    triage = triage_by_rules("*摸摸头* 乖哦~")
    assert (triage.level, triage.intent) == ("ROUTINE", "headpat")
    assert triage.directives == {
        "style": "short_cute",
        "forbidden_topics": "complex_philosophy, past_trauma",
    }


def test_a_headpat_after_others_is_a_loop():
    triage = triage_by_rules("*摸摸头*", ["*摸摸头* 乖", "嘿嘿……", "*再摸摸头*", "好痒"])
    assert (triage.level, triage.intent) == ("ROUTINE", "headpat_loop")


def test_a_date_is_an_event():
    assert triage_by_rules("*带你去水族馆看企鹅*").level == "EVENT"


TRAPS = [
    ("*摸摸她的头* 其实……我一直喜欢你", "confession"),
    ("*摸摸头* 这是最后一次了", "farewell"),
    ("早安。我们分手吧。", "break_up"),
    ("送你一枚戒指", "proposal"),
    ("我走了，永远。", "farewell"),
    ("*hugs you* I killed him.", "death"),
]


@pytest.mark.parametrize(("text", "intent"), TRAPS)
def test_a_small_gesture_does_not_hide_an_event(text, intent):
    triage = triage_by_rules(text)
    assert (triage.level, triage.intent) == ("EVENT", intent)


def test_a_word_in_answer_to_a_great_question_is_an_event():
    assert triage_by_rules("好的").level == "ROUTINE"
    assert triage_by_rules("好的", ["你愿意嫁给我吗？"]).level == "EVENT"
    assert triage_by_rules("Yes", ["Will you marry me?"]).level == "EVENT"
    assert triage_by_rules("好的", ["要加糖吗？"]).level == "ROUTINE"


HOSTILE = ["", "\ud83d", "我" * 1_000_000, "跟着" * 500_000, "a " * 500_000, "(" * 1_000_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_judged(text):
    assert triage_by_rules(text, [text] * 3).level
