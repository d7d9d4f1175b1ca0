"""What of a player's line only nods, looks or feels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.recall.relevance import asked_in, states
from engram_desktop.domain.text.sentences import is_idle, without_gestures


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("（点点头）好的，那我们走吧", "好的，那我们走吧"),
        ("(低头，不敢看她)相亲的事…我已经推掉了", "相亲的事…我已经推掉了"),
        ("*looks at you and nods* Where is the key?", "Where is the key?"),
        ("（打开冰箱）你想吃什么？", "（打开冰箱）你想吃什么？"),
        ("*opens the old chest* Look.", "*opens the old chest* Look."),
        ("（点头", "（点头"),
        ("（こくりと頷いて微笑む）銀の鍵はどこ？", "銀の鍵はどこ？"),
        ("（宝箱を開ける）行こう。", "（宝箱を開ける）行こう。"),
        ("钥匙在哪里？", "钥匙在哪里？"),
        ("", ""),
    ],
)
def test_asides_that_only_nod_are_left_out(line, left):
    assert without_gestures(line) == left


@pytest.mark.parametrize(
    "line",
    [
        "（看着你，点了点头）记得",
        "*nods softly*",
        "不去",
        "谁呀",
        "嗯嗯",
        "（目を伏せて黙る）うん、わかった",
        "（看着他的眼睛（思考了一下",
        "…",
        "",
    ],
)
def test_who_nods_or_assents_tells_nothing(line):
    assert is_idle(line)


@pytest.mark.parametrize(
    "line",
    [
        "钥匙",
        "Paris",
        "分手",
        "去灯塔",
        "（拔出长剑）",
        "第3天",
        "*opens the old chest*",
        "29",
        "（剣を構える）",
        "アリス",
    ],
)
def test_what_no_list_knows_tells_something(line):
    assert not is_idle(line)


def test_what_is_asked_in_a_reply():
    reply = "她笑了笑。“你还记得银铃藏在哪里吗？”她问，又低下头。“我忘了。”"
    assert asked_in(reply) == "“你还记得银铃藏在哪里吗？"
    assert asked_in("走吧。") == ""


@pytest.mark.parametrize(
    "line",
    [
        "相亲的事…我已经推掉了",
        "It's late, let's sleep.",
        "走吧！",
        "もう夜だ。",
        "任何人都可以去。",
    ],
)
def test_a_sentence_that_asks_nothing(line):
    assert states(line)


@pytest.mark.parametrize(
    "line",
    [
        "铜钥匙",
        "铜钥匙 灯塔",
        "你还记得银铃吗",
        "我的生日是几号",
        "Where is my key?",
        "brass key",
        "誰が来たか教えて。",
        "何を約束したの。",
    ],
)
def test_questions_and_keywords_ask(line):
    assert not states(line)


@given(st.text(max_size=200) | st.text("（）()*[]【】点头笑了吗a ", max_size=60))
def test_any_line_is_read(line):
    assert without_gestures(line) in (line, without_gestures(line).strip())
    assert isinstance(is_idle(line), bool)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["（", "*", "点", "nod", "（点头）", "頷", "首を"])
def test_endless_lines_take_no_endless_time(piece):
    without_gestures(piece * 20_000)
    is_idle(piece * 20_000)
