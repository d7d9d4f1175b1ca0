"""Promises are read from what events hold apart, and answered by what is told later."""

import pytest

from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.promises import deed_of, promises
from tests.factories import make_event, make_extraction


def event(floor, *facts, keywords=(), who=()):
    data = make_extraction(
        f"第{floor}楼",
        keywords=keywords,
        entities=tuple(ExtractedEntity(name, "char") for name in who),
        relations=tuple(ExtractedRelation(*fact) for fact in facts),
    )
    return make_event(data.summary, floor, floor, raw_data=data)


@pytest.mark.parametrize(
    ("words", "deed"),
    [
        ("答应", "given"),
        ("promise to return it", "given"),
        ("约定在灯塔见面", "given"),
        ("兑现承诺", "kept"),
        ("kept her promise", "kept"),
        ("失约", "broken"),
        ("broke the vow", "broken"),
        ("喜欢", None),
        ("约会", None),
        ("compromised", None),
    ],
)
def test_words_tell_what_became_of_a_promise(words, deed):
    assert deed_of(words) == deed


def test_a_promise_is_open_until_it_is_kept_or_broken_to_the_same_person():
    events = [
        event(1, ("爱丽丝", "答应", "凯尔")),
        event(2, ("爱丽丝", "承诺", "莉莉丝")),
        event(5, ("爱丽丝", "兑现承诺", "凯尔")),
        event(9, ("奥古斯", "发誓", "凯尔")),
    ]
    found = promises(events, ["爱丽丝"])
    assert [(p.words, p.outcome) for p in found] == [
        ("爱丽丝 承诺 莉莉丝", "given"),
        ("爱丽丝 答应 凯尔", "kept"),
    ]
    assert found[1].answer is events[2]
    assert promises(events, ["凯尔"])[0].words == "奥古斯 发誓 凯尔"


def test_keywords_tell_of_promises_where_no_relation_does():
    events = [
        event(1, keywords=("归还的承诺",), who=("爱丽丝", "凯尔")),
        event(4, keywords=("失约",), who=("爱丽丝", "凯尔")),
    ]
    (found,) = promises(events, ["爱丽丝"])
    assert (found.words, found.outcome) == ("归还的承诺", "broken")


def test_what_the_user_says_is_over_is_no_longer_open():
    one = event(1, ("爱丽丝", "答应", "凯尔"))
    assert promises([one], ["爱丽丝"], {one.id})[0].outcome == "kept"
    assert promises([one], ["爱丽丝"])[0].outcome == "given"
