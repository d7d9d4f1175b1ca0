"""Where nothing says who is about to speak, memory is told as the one who knows least."""

from __future__ import annotations

import pytest

from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_chat, make_event, make_extraction, make_message

CTX = NullContext()
BURIED = "白兔把银铃埋在老磨坊的井底。"
ROWS = [
    ("旅人", "渡口的灯今晚为什么没有亮起来？"),
    ("爱丽丝", "守灯的人去山那边送信，还没有回来。"),
    ("旅人", "老磨坊的井边好像有脚印，是谁的？"),
    ("白兔", "我什么也没有看见，只看见雪落下来。"),
    ("旅人", "那我们去旧桥那边再找一找铜钥匙吧。"),
    ("爱丽丝", "带上斗篷，桥上的风比城里大得多。"),
    ("旅人", "银铃到底埋在什么地方，你们谁知道？"),
    ("白兔", "先答应我，不要告诉任何一个人。"),
    ("旅人", "我答应你，今晚的事我谁也不会说。"),
    ("爱丽丝", "你们两个在那边悄悄说什么呢？"),
]


@pytest.fixture
def line(memory):
    store = make_chat(memory.session.library, "磨坊")
    store.messages.append("main", 0, [make_message(text, name) for name, text in ROWS])
    made_of = make_extraction(BURIED)
    secret = make_event(BURIED, 2, 3, raw_data=made_of, scope="private", owner="白兔")
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([secret], store.clock())
    return Line.main(store.chat_id)


def asked(memory, count, speaker=""):
    """Ask for a reply to the first ``count`` messages."""
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text}
        for name, text in ROWS[:count]
    ]
    request = memory.serving.read({"messages": said}, header_speaker=speaker)
    identity = memory.serving.identify(CTX, request)
    return identity, memory.serving.fill(CTX, request, identity).text


def test_from_the_middle_of_a_line_nothing_is_told_that_one_of_them_does_not_know(memory, line):
    """爱丽丝 spoke last there, 白兔 spoke next in the line as it was."""
    identity, text = asked(memory, 7)
    assert (identity.line, identity.may_speak) == (line, ("白兔", "爱丽丝"))
    assert identity.knows_as not in ("", "白兔")
    assert "井底" not in text


def test_who_is_named_is_told_what_they_know(memory, line):
    identity, text = asked(memory, 7, "白兔")
    assert (identity.may_speak, identity.listener) == ((), "白兔")
    assert "井底" in text
