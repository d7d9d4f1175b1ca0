"""What a question asks is told by an answer that says nothing alone."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.asked import Question, answer_in, asked_in


@pytest.mark.parametrize(
    ("asked", "answer", "facet", "value"),
    [
        ("Where are you staying?", "At the hostel, for now.", "home", "At the hostel"),
        ("Where do you live these days?", "Yeah, still Pier 9.", "home", "Pier 9"),
        ("What do you do for a living?", "A baker.", "work", "A baker"),
        ("Where's the key?", "Inside.", "place", "Inside"),
        ("How many arrows have you got?", "Eleven.", "amount", "Eleven"),
        ("你现在住哪儿？", "青年旅舍，先凑合几天。", "home", "青年旅舍"),
        ("住处分了没有？", "分了，C环十七号舱。", "home", "C环十七号舱"),
        ("现在电量多少？", "百分之四十一，", "amount", "百分之四十一"),
        ("琴呢？", "卖了。", "owner", ""),
        ("钥匙放哪儿了？", "抽屉里。", "place", "抽屉里"),
    ],
)
def test_an_answer_tells_what_was_asked(asked: str, answer: str, facet: str, value: str):
    found = asked_in(asked)
    assert found is not None
    told = answer_in(answer, Question(found[0], "", found[2], "A"))
    assert told is not None
    assert (told.facet, told.value) == (facet, value)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Where are you staying?", "Why do you ask?"),
        ("Where are you staying?", "I don't know yet."),
        ("Where's the key?", "Patience."),
        ("What do you do for a living?", "This and that."),
        ("How many arrows have you got?", "Enough."),
        ("你住哪儿？", "关你什么事。"),
        ("你住哪儿？", "秘密。"),
        ("钥匙放哪儿了？", "不知道。"),
    ],
)
def test_what_evades_a_question_answers_nothing(asked: str, answer: str):
    found = asked_in(asked)
    assert found is not None
    assert answer_in(answer, Question(found[0], "", found[2], "A")) is None


@pytest.mark.parametrize(
    "text", ["Where are we going?", "What do you do if it rains?", "How are you?", "你怎么了？"]
)
def test_other_questions_ask_for_no_facet(text: str):
    assert asked_in(text) is None


def test_a_question_is_kept_for_the_next_message():
    question = Question("place", "", "钥匙", "何禾")
    assert Question.unpacked(question.packed()) == question
    assert Question.unpacked("") is None
